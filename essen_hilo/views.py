"""What one seat may see and do.

A `View` is built field by field from what its seat may see; it holds no reference to the state.
The law: two games that a seat could not tell apart give it equal views.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from math import comb
from typing import overload

from essen_hilo.arranging import Arrangement
from essen_hilo.cards import DECK, Card
from essen_hilo.errors import EssenHiloError, RecordError
from essen_hilo.moves import Arrange, Move, Phase, Pick, Show
from essen_hilo.rules import Rules, brief, whole_number
from essen_hilo.showdown import Award, Result, awards


@dataclass(frozen=True, slots=True)
class View:
    """What one seat, or a spectator, may see. A bot or a client needs nothing else.

    Attributes:
        seat: Whose view it is; None for a spectator, who sees what lies face up and no more.
        rules: What the table agreed on.
        phase: What the table is doing.
        round: How many picks each seat had made when this round began, from 0.
        dealer: The dealer's seat.
        carried: Chips that an earlier deal left in the pot.
        to_act: The seats that the table is waiting for, ascending.
        pack: The seat's pack; once it has picked, the cards that it will pass on.
        pool: The cards that the seat has kept, in the order in which it picked them.
        seen: Every pack that the seat has taken up, whole, one a round.
        arrangement: The seat's own hands, once it has set them.
        low_hands: By seat, the low hand that lies face up, or None.
        high_hands: By seat, the high hand that lies face up, or None.
    """

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
            return Picks(self.seat, self.pack) if self.phase is Phase.PICK else Arrangements(self.seat, self.pool)
        hands = {Phase.SHOW_LOW: self.low_hands, Phase.SHOW_HIGH: self.high_hands}.get(self.phase)
        return (Show(self.seat),) if hands is not None and hands[self.seat] is None else ()

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


@dataclass(slots=True)
class Picks(Sequence[Move]):
    """A seat's picks: one for each card of its pack, in the pack's order."""

    seat: int
    pack: tuple[Card, ...]

    def __len__(self) -> int:
        return len(self.pack)

    @overload
    def __getitem__(self, index: int) -> Pick: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Pick, ...]: ...
    def __getitem__(self, index: int | slice) -> Pick | tuple[Pick, ...]:
        if isinstance(index, slice):
            return tuple(_PICKS[self.seat][card.index] for card in self.pack[index])
        return _PICKS[self.seat][self.pack[index].index]

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Pick) and is_seat(move.seat, self.seat) and move.card in self.pack


# Every pick there can be, made once: a draft asks for one after another.
_PICKS = tuple([tuple([Pick(seat, card) for card in DECK]) for seat in range(5)])


@dataclass(slots=True)
class Arrangements(Sequence[Move]):
    """A seat's arrangements: any five cards of its pool for the low hand, any five others for the high.

    There are 252 for 10 cards and 72,072 for 13. They are counted and indexed without being built;
    in their order the low hand changes last.
    """

    seat: int
    pool: tuple[Card, ...]

    def __len__(self) -> int:
        return comb(len(self.pool), 5) * self._high_hands

    @property
    def _high_hands(self) -> int:
        return comb(len(self.pool) - 5, 5)

    @overload
    def __getitem__(self, index: int) -> Arrange: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Arrange, ...]: ...
    def __getitem__(self, index: int | slice) -> Arrange | tuple[Arrange, ...]:
        places = range(len(self))[index]
        if isinstance(places, range):
            return tuple(self[place] for place in places)
        nth_low, nth_high = divmod(places, self._high_hands)
        low = _nth_hand(self.pool, nth_low)
        return Arrange(self.seat, low, _nth_hand(_without(self.pool, low), nth_high))

    def __iter__(self) -> Iterator[Arrange]:
        for low in combinations(self.pool, 5):
            for high in combinations(_without(self.pool, low), 5):
                yield Arrange(self.seat, low, high)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Arrange) or not is_seat(move.seat, self.seat):
            return False
        return is_two_hands(move.low, move.high) and all(card in self.pool for card in move.low + move.high)


def is_seat(value: object, seat: int) -> bool:
    """Whether the value is this seat's number: True is not seat 1."""
    return type(value) is int and value == seat


def is_two_hands(low: tuple[Card, ...], high: tuple[Card, ...]) -> bool:
    """Whether these are five and five cards, all different."""
    return len(low) == len(high) == 5 and len({*low, *high}) == 10


def _without(cards: tuple[Card, ...], taken: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card not in taken)


def _nth_hand(cards: tuple[Card, ...], nth: int) -> tuple[Card, ...]:
    """`list(combinations(cards, 5))[nth]`, without the list."""
    hand: list[Card] = []
    for place, card in enumerate(cards):
        # So many combinations have this card next; the others come after all of them.
        with_card = comb(len(cards) - place - 1, 4 - len(hand))
        if nth < with_card:
            hand.append(card)
            if len(hand) == 5:
                break
        else:
            nth -= with_card
    return tuple(hand)


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
        carried=whole_number("carried", data["carried"], 0),
        to_act=tuple(whole_number("to_act", seat, 0, last_seat) for seat in _list("to_act", data["to_act"])),
        pack=_cards("pack", data["pack"]),
        pool=_cards("pool", data["pool"]),
        seen=tuple(_cards("seen", pack) for pack in _list("seen", data["seen"])),
        arrangement=_arrangement(data["arrangement"]),
        low_hands=_hands("low_hands", data["low_hands"], rules),
        high_hands=_hands("high_hands", data["high_hands"], rules),
    )
    _check_view(view)
    # What follows from the rest, and the canonical text of cards, are checked by writing them again.
    written = view.to_dict()
    for name in written.keys() | data.keys():
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


def _check_view(view: View) -> None:
    """Refuse what no seat can see: fields that contradict each other."""
    for problem, found in _contradictions(view):
        if found:
            raise RecordError(f"view: {problem}")


def _contradictions(view: View) -> Iterator[tuple[str, bool]]:
    phase, size, seats = list(Phase).index(view.phase), view.rules.hand_size, view.rules.seats
    arranging, low, high = (list(Phase).index(later) for later in (Phase.ARRANGE, Phase.SHOW_LOW, Phase.SHOW_HIGH))
    yield "round does not go with phase", view.round != (0 if phase == 0 else size - 1) and not 0 < phase < arranging
    yield "round does not go with phase pass", view.phase is Phase.PASS and view.round == size - 1
    acting = view.phase in (Phase.PICK, Phase.ARRANGE)
    yield "to_act must be ascending", list(view.to_act) != sorted(set(view.to_act))
    yield "to_act must name seats in phases pick and arrange, and only there", bool(view.to_act) != acting

    rounds = 0 if phase == 0 or view.seat is None else view.round + 1
    picked = rounds - 1 if view.seat in view.to_act and view.phase is Phase.PICK else rounds
    yield (
        "seen must have one pack a round, each a card smaller",
        ([len(pack) for pack in view.seen] != [size - turn for turn in range(rounds)]),
    )
    yield "pool must have one card a pick", len(view.pool) != picked
    kept = zip(view.pool, view.seen, strict=False)
    yield "pool has a card that was not in the pack of its round", any(card not in pack for card, pack in kept)
    left = tuple(card for card in (view.seen[-1] if view.seen else ()) if card not in view.pool)
    yield "pack must be what the last of seen has left", view.pack != left

    arranged = view.seat is not None and phase >= arranging and view.seat not in view.to_act
    yield "arrangement does not go with phase and to_act", (view.arrangement is not None) != arranged
    hands = view.arrangement
    yield (
        "arrangement has a card that is not in pool",
        hands is not None and any(card not in view.pool for card in hands.low + hands.high),
    )
    for name, shown, showing, mine in (
        ("low_hands", view.low_hands, low, hands and hands.low),
        ("high_hands", view.high_hands, high, hands and hands.high),
    ):
        up = sum(hand is not None for hand in shown)
        yield (
            f"{name} does not go with phase",
            (up > 0 if phase < showing else up == seats if phase == showing else up < seats),
        )
        yield (
            f"{name} has another hand than arrangement",
            (view.seat is not None and shown[view.seat] is not None and shown[view.seat] != mine),
        )
    cards = [
        card
        for low_hand, high_hand in zip(view.low_hands, view.high_hands, strict=True)
        for card in (low_hand or ()) + (high_hand or ())
    ]
    yield "a card is face up twice", len(set(cards)) < len(cards)


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
