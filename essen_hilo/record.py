"""A game written down: the moves, what the table agreed on, and a small JSON document; and its replay."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from types import MappingProxyType

from essen_hilo.errors import EssenHiloError, IllegalMoveError, RecordError, brief
from essen_hilo.moves import Arrange, Deal, Move, Pass, Phase, Pick, Show, Showdown, parse_move
from essen_hilo.rules import MOST_CHIPS, Rules, whole_number
from essen_hilo.state import GameState

_FORMAT = "essen_hilo record"
_VERSION = 1
# A whole game with five shows a half takes about 3,000 characters; the rest is room for tags.
_LONGEST = 1_000_000
_LONGEST_TAGS = 50_000


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """A game, or its beginning, written down.

    Attributes:
        rules: What the table agreed on.
        dealer: The dealer's seat.
        carried: Chips that an earlier deal left in the pot.
        moves: Every move from the deal on. Whether they are legal is found out by `replay`.
        tags: Anything else worth keeping, text to text: names, a date, a place.

    Raises:
        RulesError: `dealer` or `carried` is not allowed.
        RecordError: A tag is not text, or the tags are too long.
    """

    rules: Rules
    dealer: int = 0
    carried: int = 0
    moves: tuple[Move, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        whole_number("dealer", self.dealer, 0, self.rules.seats - 1)
        whole_number("carried", self.carried, 0, MOST_CHIPS)
        object.__setattr__(self, "moves", tuple(self.moves))
        object.__setattr__(self, "tags", MappingProxyType(_checked_tags(self.tags)))

    @classmethod
    def of(cls, state: GameState, tags: Mapping[str, str] | None = None) -> Record:
        """The game that led to `state`, read back out of it.

        Moves that could have come in another order (the picks of a round, the arrangements, the shows) are written
        by seat; a half that is shown is written as a showdown. `Record.of(state).replay() == state`, always.
        """
        return cls(state.rules, state.dealer, state.carried, tuple(_moves_of(state)), tags or {})

    def replay(self) -> GameState:
        """The state after all moves.

        Raises:
            RecordError: A move is illegal; the message says which and why.
        """
        return reduce(lambda _, state: state, self.states())

    def states(self) -> Iterator[GameState]:
        """Every state from the start on: one more than there are moves. Raises as `replay` does."""
        state = GameState.start(self.rules, dealer=self.dealer, carried=self.carried)
        yield state
        for number, move in enumerate(self.moves, 1):
            try:
                state = state.apply(move)
            except IllegalMoveError as error:
                raise RecordError(f"move {number}: {error}") from None
            yield state

    def to_json(self) -> str:
        """The record as a JSON document, one move a line, the same text for equal records."""
        document = {
            "format": _FORMAT,
            "version": _VERSION,
            "rules": self.rules.to_dict(),
            "dealer": self.dealer,
            "carried": self.carried,
            "moves": [str(move) for move in self.moves],
            "tags": dict(sorted(self.tags.items())),
        }
        return json.dumps(document, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes | bytearray) -> Record:
        """The record that `to_json` wrote; bytes are read as UTF-8.

        Loading checks as strictly as playing: all moves are played.

        Raises:
            RecordError: Whatever is wrong with the text; the message says where and what.
        """
        try:
            record = _read(_parse(text))
            record.replay()
        except RecordError:
            raise
        except EssenHiloError as error:
            raise RecordError(f"record: {error}") from None
        return record

    def __repr__(self) -> str:
        """No card is in it: a record holds every card, and what is logged leaks."""
        return f"<Record: {len(self.moves)} moves, {self.rules.seats} seats>"

    def __reduce__(self) -> tuple[type[Record], tuple[object, ...]]:
        return Record, (self.rules, self.dealer, self.carried, self.moves, dict(self.tags))


def _moves_of(state: GameState) -> Iterator[Move]:
    if state.phase is Phase.DEAL:
        return
    yield Deal(state.deck)
    for number, picks in enumerate(state.picks):
        if number:
            yield Pass()
        yield from (Pick(seat, card) for seat, card in enumerate(picks) if card is not None)
    for seat, arrangement in enumerate(state.arrangements):
        if arrangement is not None:
            yield Arrange(seat, arrangement.low, arrangement.high)
    halves_shown = {Phase.SHOW_HIGH: 1, Phase.OVER: 2}.get(state.phase, 0)
    yield from [Showdown()] * halves_shown
    for seat in state.shown:
        yield Show(seat)


def _parse(text: str | bytes | bytearray) -> object:
    if len(text) > _LONGEST:
        raise RecordError(f"record: {len(text):,} characters are too long, {_LONGEST:,} are allowed")
    try:
        if isinstance(text, bytes | bytearray):
            text = text.decode("utf-8")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise RecordError(f"record: byte {error.start + 1} is not UTF-8") from None
    except RecursionError:
        raise RecordError("record: nested too deep") from None
    except json.JSONDecodeError as error:
        raise RecordError(f"record: not JSON at line {error.lineno} column {error.colno}: {error.msg}") from None
    except ValueError as error:
        # What is left is a number of more digits than Python reads; a RecordError of ours passes as it is.
        raise error if isinstance(error, RecordError) else RecordError("record: a number is too long") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise RecordError("record: an object has a key twice")
    return found


def _refuse_constant(name: str) -> object:
    raise RecordError(f"record: {name} is not a number of JSON")


def _read(document: object) -> Record:
    fields = ("format", "version", "rules", "dealer", "carried", "moves", "tags")
    if not isinstance(document, dict) or set(document) != set(fields):
        raise RecordError(f"record: an object with exactly these keys is wanted: {', '.join(fields)}")
    if document["format"] != _FORMAT:
        raise RecordError(f"format: must be {_FORMAT!r}, not {brief(document['format'])}")
    if type(document["version"]) is not int or document["version"] != _VERSION:
        raise RecordError(f"version: only {_VERSION} is known, not {brief(document['version'])}")
    return Record(
        Rules.from_dict(document["rules"]),
        document["dealer"],
        document["carried"],
        _read_moves(document["moves"]),
        document["tags"],
    )


def _read_moves(texts: object) -> tuple[Move, ...]:
    if not isinstance(texts, list):
        raise RecordError(f"moves: a list is wanted, not {brief(texts)}")
    moves = []
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise RecordError(f"move {number}: a text is wanted, not {brief(text)}")
        try:
            moves.append(parse_move(text))
        except RecordError as error:
            raise RecordError(f"move {number}: {error}") from None
    return tuple(moves)


def _checked_tags(tags: object) -> dict[str, str]:
    """The tags, if they are texts that can be written down and read back."""
    if not isinstance(tags, Mapping):
        raise RecordError(f"tags: a mapping of texts is wanted, not {brief(tags)}")
    for text in (*tags, *tags.values()):
        if not isinstance(text, str) or (not text.isprintable() and _is_broken(text)):
            raise RecordError(f"tags: texts are wanted, not {brief(text)}")
    if sum(map(len, (*tags, *tags.values()))) > _LONGEST_TAGS:
        raise RecordError(f"tags: more than {_LONGEST_TAGS:,} characters")
    return dict(tags)


def _is_broken(text: str) -> bool:
    """Whether half of a character is in it, which no encoding can write."""
    return any("\ud800" <= character <= "\udfff" for character in text)
