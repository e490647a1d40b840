"""What one seat may see and do.

A `View` is built field by field from what its seat may see; it holds no reference to the state.
The law: two games that a seat could not tell apart give it equal views.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import final

from essen_hilo.arranging import Arrangement
from essen_hilo.cards import Card
from essen_hilo.errors import EssenHiloError, RecordError, brief
from essen_hilo.frozen import Frozen
from essen_hilo.moves import Arrangements, Move, Phase, Picks, Shows
from essen_hilo.rules import MOST_CHIPS, Rules, whole_number
from essen_hilo.showdown import Award, Result, awards


@dataclass(slots=True)
class OpenView:
    """A view in the making: a `View` but for the lock. A frozen dataclass would take four times as long to build."""

    seat: int | None
    rules: Rules
    phase: Phase
    round: int
    dealer: int
    carried: int
    to_act: tuple[int, ...]
    pack: tuple[Card, ...]
    pool: tuple[Card, ...]
    seen: tuple[tuple[Card, ...], ...]
    arrangement: Arrangement | None
    low_hands: tuple[tuple[Card, ...] | None, ...]
    high_hands: tuple[tuple[Card, ...] | None, ...]

    def seal(self) -> View:
        """Lock it."""
        self.__class__ = View
        return self  # type: ignore[return-value]  # it is one from here on, and asking would take time


@final
class View(OpenView, Frozen):
    """What one seat, or a spectator, may see. A bot or a client needs nothing else.

    Attributes:
        seat: Whose view it is; None for a spectator, who sees what lies face up and no more.
        rules: What the table agreed on.
        phase: What the table is doing.
        round: How many picks each seat had made when this round began, from 0.
        dealer: The dealer's seat.
        carried: Chips that an earlier deal left in the pot.
        to_act: The seats that the table is waiting for, ascending.
        pack: The seat's pack, sorted; once it has picked, the cards that it will pass on.
        pool: The cards that the seat has kept, in the order in which it picked them.
        seen: Every pack that the seat has taken up, whole and sorted, one a round.
        arrangement: The seat's own hands, once it has set them.
        low_hands: By seat, the low hand that lies face up, or None.
        high_hands: By seat, the high hand that lies face up, or None.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        # Only `__init__` comes before there is a value.
        if hasattr(self, name):
            super().__setattr__(name, value)
        object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return hash((self.seat, self.rules, self.phase, self.to_act, self.seen, self.pool, self.low_hands))

    @property
    def pot(self) -> int:
        """All chips that were in the pot before the low half was paid."""
        return self.rules.seats * self.rules.ante + self.carried

    @property
    def low_award(self) -> Award | None:
        """The award of the low half; None until all low hands are up."""
        return awards(self.low_hands, self.high_hands, self.rules, self.dealer, self.carried)[0]

    @property
    def high_award(self) -> Award | None:
        """The award of the high half; None until all high hands are up."""
        return awards(self.low_hands, self.high_hands, self.rules, self.dealer, self.carried)[1]

    @property
    def result(self) -> Result | None:
        """The result of the deal; None until it is over."""
        low, high = awards(self.low_hands, self.high_hands, self.rules, self.dealer, self.carried)
        return Result(low, high, self.rules.ante) if low and high else None

    @property
    def passes_to(self) -> tuple[int, ...]:
        """By seat, the seat to which its pack goes."""
        return tuple(self.rules.left_of(seat) for seat in range(self.rules.seats))

    def legal_moves(self) -> Sequence[Move]:
        """The moves that this seat may make now, in a lazy sequence; see `GameState.legal_moves`."""
        if self.seat is None:
            return ()
        if self.seat in self.to_act:
            return Picks(self.seat, self.pack) if self.pack else Arrangements(self.seat, self.pool)
        hands = {Phase.SHOW_LOW: self.low_hands, Phase.SHOW_HIGH: self.high_hands}.get(self.phase)
        return Shows(self.seat) if hands is not None and hands[self.seat] is None else ()

    def to_dict(self) -> dict[str, object]:
        """The view as JSON takes it: cards as text, what follows from the rest (pot, awards, result) included."""
        low, high, result = self.low_award, self.high_award, self.result
        arrangement = self.arrangement
        return {
            "seat": self.seat,
            "rules": self.rules.to_dict(),
            "phase": self.phase.value,
            "round": self.round,
            "dealer": self.dealer,
            "carried": self.carried,
            "pot": self.pot,
            "to_act": list(self.to_act),
            "pack": _texts(self.pack),
            "pool": _texts(self.pool),
            "seen": [_texts(pack) for pack in self.seen],
            "arrangement": arrangement and {"low": _texts(arrangement.low), "high": _texts(arrangement.high)},
            "low_hands": [hand and _texts(hand) for hand in self.low_hands],
            "high_hands": [hand and _texts(hand) for hand in self.high_hands],
            "low_award": low and low.to_dict(),
            "high_award": high and high.to_dict(),
            "passes_to": list(self.passes_to),
            "result": result and result.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> View:
        """The view that `to_dict` wrote.

        Raises:
            RecordError: A field is missing, unknown or wrong, or contradicts another; the message
                names the field.
        """
        try:
            return _read_view(data)
        except RecordError:
            raise
        except EssenHiloError as error:
            raise RecordError(f"view: {error}") from None


def _texts(cards: Sequence[Card]) -> list[str]:
    return [str(card) for card in cards]


def _read_view(data: Mapping[str, object]) -> View:
    if not isinstance(data, Mapping):
        raise RecordError(f"view: an object is wanted, not {brief(data)}")
    wanted = [field.name for field in fields(View)]
    missing = [name for name in wanted if name not in data]
    if missing:
        raise RecordError(f"view: {missing[0]} is missing")
    rules = Rules.from_dict(data["rules"])
    last_seat = rules.seats - 1
    view = View(
        seat=None if data["seat"] is None else whole_number("seat", data["seat"], 0, last_seat),
        rules=rules,
        phase=_phase(data["phase"]),
        round=whole_number("round", data["round"], 0, rules.hand_size - 1),
        dealer=whole_number("dealer", data["dealer"], 0, last_seat),
        carried=whole_number("carried", data["carried"], 0, MOST_CHIPS),
        to_act=tuple(whole_number("to_act", seat, 0, last_seat) for seat in _list("to_act", data["to_act"])),
        pack=_cards("pack", data["pack"]),
        pool=_cards("pool", data["pool"]),
        seen=tuple(_cards("seen", pack) for pack in _list("seen", data["seen"])),
        arrangement=_arrangement(data["arrangement"]),
        low_hands=_hands("low_hands", data["low_hands"], rules),
        high_hands=_hands("high_hands", data["high_hands"], rules),
    )
    problem = contradiction(view)
    if problem is not None:
        raise RecordError(f"view: {problem}")
    # What follows from the rest, and the canonical text of cards, are checked by writing them again.
    written = view.to_dict()
    for name in {**written, **data}:
        if name not in written or name not in data or not _same(data[name], written[name]):
            raise RecordError(f"view: {brief(name)} is missing, unknown, or does not follow from the rest")
    return view


def _same(one: object, other: object) -> bool:
    """Whether two values of JSON are the same; unlike `==`, which takes True and 1.0 for 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other


def contradiction(view: View) -> str | None:
    """Which fields of a view can't go together, in words without a card; None if nothing was found.

    Views of states never contradict themselves; those made by hand or read from outside may.
    """
    problems = (
        problem
        for check in (_wrong_with_the_phase, _wrong_with_the_packs, _wrong_with_the_hands)
        for problem, found in check(view)
        if found
    )
    return next(problems, None)


def _wrong_with_the_phase(view: View) -> Iterator[tuple[str, bool]]:
    seats, last = range(view.rules.seats), view.rules.hand_size - 1
    yield "seat is not at the table", view.seat is not None and view.seat not in seats
    rounds = {Phase.DEAL: range(1), Phase.PICK: range(last + 1), Phase.PASS: range(last)}
    yield "round does not go with phase", view.round not in rounds.get(view.phase, range(last, last + 1))
    yield "to_act must be seats, ascending", list(view.to_act) != [seat for seat in seats if seat in view.to_act]
    acting = view.phase in (Phase.PICK, Phase.ARRANGE)
    yield "to_act must name seats in phases pick and arrange, and only there", bool(view.to_act) != acting


def _wrong_with_the_packs(view: View) -> Iterator[tuple[str, bool]]:
    seats, size = view.rules.seats, view.rules.hand_size
    rounds = 0 if view.phase is Phase.DEAL or view.seat is None else view.round + 1
    sizes = [size - turn for turn in range(rounds)]
    yield "seen must have one pack a round, each a card smaller", [len(pack) for pack in view.seen] != sizes
    yield "packs must be sorted, with no card twice", any(list(pack) != sorted(set(pack)) for pack in view.seen)
    choosing = view.phase is Phase.PICK and view.seat in view.to_act
    yield "pool must have one card a pick", len(view.pool) != max(rounds - choosing, 0)
    kept = zip(view.pool, view.seen, strict=False)
    yield "pool has a card that was not in the pack of its round", any(card not in pack for card, pack in kept)
    left = [
        tuple([card for card in pack if card not in view.pool[turn : turn + 1]]) for turn, pack in enumerate(view.seen)
    ]
    yield "pack must be what the last of seen has left", view.pack != (left[-1] if left else ())
    first = [card for pack in view.seen[:seats] for card in pack]
    yield "seen has a card in two packs", len(set(first)) < len(first)
    back = zip(left, view.seen[seats:], strict=False)
    yield (
        "a pack of seen came back with a card that it did not have",
        any(not {*pack} <= {*before} for before, pack in back),
    )


def _wrong_with_the_hands(view: View) -> Iterator[tuple[str, bool]]:
    seats, hands = view.rules.seats, view.arrangement
    order = list(Phase).index
    arranged = view.seat is not None and order(view.phase) >= order(Phase.ARRANGE) and view.seat not in view.to_act
    yield "arrangement must be there once the seat has set its hands, and only then", (hands is not None) != arranged
    yield (
        "arrangement has a card that is not in pool",
        hands is not None and not {*hands.low, *hands.high} <= {*view.pool},
    )
    for name, shown, showing in (
        ("low_hands", view.low_hands, Phase.SHOW_LOW),
        ("high_hands", view.high_hands, Phase.SHOW_HIGH),
    ):
        yield f"{name} must have one entry a seat", len(shown) != seats
        up = sum(hand is not None for hand in shown)
        least, most = (
            (seats, seats) if order(view.phase) > order(showing) else (0, (seats - 1) * (view.phase is showing))
        )
        yield f"{name} does not go with phase", not least <= up <= most
        own = shown[view.seat] if view.seat is not None else None
        yield (
            f"{name} has another hand than arrangement",
            own is not None and own != (hands and (hands.low if name == "low_hands" else hands.high)),
        )
    face_up = [card for hand in view.low_hands + view.high_hands if hand for card in hand]
    yield "a card lies face up twice", len(set(face_up)) < len(face_up)
    strange = [hand for seat, hand in enumerate(zip(view.low_hands, view.high_hands, strict=True)) if seat != view.seat]
    theirs = {card for hand in strange for half in hand if half for card in half}
    yield "another seat shows a card of pool", bool(theirs & {*view.pool})


def _phase(value: object) -> Phase:
    if isinstance(value, str) and value in list(Phase):
        return Phase(value)
    raise RecordError(f"view: phase must be one of {', '.join(Phase)}, not {brief(value)}")


def _mapping(field: str, value: object) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    raise RecordError(f"view: {field} must be an object, not {brief(value)}")


def _list(field: str, value: object) -> list[object]:
    if isinstance(value, list):
        return value
    raise RecordError(f"view: {field} must be a list, not {brief(value)}")


def _cards(field: str, value: object) -> tuple[Card, ...]:
    cards = []
    for text in _list(field, value):
        if not isinstance(text, str):
            raise RecordError(f"view: {field} must be a list of card texts, not of {brief(text)}")
        cards.append(Card.parse(text))
    if len(set(cards)) < len(cards):
        raise RecordError(f"view: {field} names a card twice")
    return tuple(cards)


def _arrangement(value: object) -> Arrangement | None:
    if value is None:
        return None
    hands = _mapping("arrangement", value)
    return Arrangement(_cards("low", hands.get("low")), _cards("high", hands.get("high")))


def _hands(field: str, value: object, rules: Rules) -> tuple[tuple[Card, ...] | None, ...]:
    hands = tuple(None if hand is None else _cards(field, hand) for hand in _list(field, value))
    if len(hands) != rules.seats:
        raise RecordError(f"view: {field} must have one entry a seat")
    return hands
