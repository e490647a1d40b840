"""Phases and moves, the text of moves, and the moves that a seat can choose from.

Whether a move is legal is for `state` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import comb
from typing import final, overload

from essen_hilo.cards import DECK, Card, format_cards, parse_cards, without
from essen_hilo.errors import CardError, RecordError


class Phase(StrEnum):
    """What the table is doing, in the order of play; `PICK` and `PASS` take turns."""

    #: Waiting for `Deal`.
    DEAL = "deal"
    #: Waiting for a `Pick` from each seat in `to_act`.
    PICK = "pick"
    #: Everybody has picked; `Pass` is due.
    PASS = "pass"
    #: Waiting for an `Arrange` from each seat in `to_act`.
    ARRANGE = "arrange"
    #: Low hands are turned up, by `Show` one at a time or by `Showdown`.
    SHOW_LOW = "show-low"
    #: The low half is paid; high hands are turned up.
    SHOW_HIGH = "show-high"
    #: Both halves are paid.
    OVER = "over"


@final
@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the cards, one at a time from the dealer's left; the rest is put aside unseen.

    Attributes:
        deck: The 52 cards in the order in which they are dealt.
    """

    deck: tuple[Card, ...]

    def __init__(self, deck: Iterable[Card]) -> None:
        object.__setattr__(self, "deck", tuple(deck))

    def __str__(self) -> str:
        return f"deal {format_cards(self.deck)}"


@final
@dataclass(frozen=True, slots=True)
class Pick:
    """Keep one card of the pack in hand."""

    seat: int
    card: Card

    def __str__(self) -> str:
        return f"pick {self.seat} {self.card}"


@final
@dataclass(frozen=True, slots=True)
class Pass:
    """Every pack goes to the seat on the left, all at the same time."""

    def __str__(self) -> str:
        return "pass"


@final
@dataclass(frozen=True, slots=True)
class Arrange:
    """Set a low and a high hand from the cards kept; the order within a hand means nothing.

    Attributes:
        seat: Whose hands they are.
        low: Five cards.
        high: Five other cards.
    """

    seat: int
    low: tuple[Card, ...]
    high: tuple[Card, ...]

    def __init__(self, seat: int, low: Iterable[Card], high: Iterable[Card]) -> None:
        object.__setattr__(self, "seat", seat)
        object.__setattr__(self, "low", tuple(low))
        object.__setattr__(self, "high", tuple(high))

    @property
    def is_complete(self) -> bool:
        """Whether these are five and five cards, all different."""
        return len(self.low) == len(self.high) == 5 and len({*self.low, *self.high}) == 10

    def __str__(self) -> str:
        low, high = ("".join(map(str, hand)) for hand in (self.low, self.high))
        return f"arrange {self.seat} {low} / {high}"


@final
@dataclass(frozen=True, slots=True)
class Show:
    """Turn up one seat's hand of the half being shown."""

    seat: int

    def __str__(self) -> str:
        return f"show {self.seat}"


@final
@dataclass(frozen=True, slots=True)
class Showdown:
    """Turn up all hands of this half that are still down."""

    def __str__(self) -> str:
        return "showdown"


Move = Deal | Pick | Pass | Arrange | Show | Showdown


def parse_move(text: str) -> Move:
    """The move that `str(move)` wrote, of any move that can be legal.

    >>> parse_move("pick 0 As")
    Pick(seat=0, card=Card(Rank.ACE, Suit.SPADES))
    >>> str(parse_move("arrange 1 7h 5d 4c 3s 2d / AsAdAhKsKd"))
    'arrange 1 7h5d4c3s2d / AsAdAhKsKd'

    Raises:
        RecordError: The text is no move; the message says which piece is wrong. Whether the move
            is legal is not checked here.
    """
    word, _, rest = text.strip().partition(" ")
    try:
        match word:
            case "deal":
                return Deal(parse_cards(rest))
            case "pick":
                seat, _, card = rest.strip().partition(" ")
                return Pick(_seat(seat), Card.parse(card.strip()))
            case "arrange":
                seat, _, hands = rest.strip().partition(" ")
                low, slash, high = hands.partition("/")
                if not slash:
                    raise RecordError("an arrange has a slash between the low and the high hand")
                return Arrange(_seat(seat), parse_cards(low), parse_cards(high))
            case "show":
                return Show(_seat(rest.strip()))
            case "pass" if not rest:
                return Pass()
            case "showdown" if not rest:
                return Showdown()
    except CardError as error:
        raise RecordError(f"the cards of {word!r}: {error}") from None
    raise RecordError(f"{text[:40]!a} is no move: {_MOVE_TEXTS} is wanted")


_MOVE_TEXTS = "'deal CARDS', 'pick SEAT CARD', 'pass', 'arrange SEAT LOW / HIGH', 'show SEAT' or 'showdown'"


def _seat(text: str) -> int:
    # One digit is all a seat ever needs, and int() alone would take signs, blanks and other scripts.
    if len(text) == 1 and text in "0123456789":
        return int(text)
    raise RecordError(f"{text[:20]!a} is not a seat: a number from 0 is wanted")


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
        return Arrange(self.seat, low, _nth_hand(without(self.pool, low), nth_high))

    def __iter__(self) -> Iterator[Arrange]:
        for low in combinations(self.pool, 5):
            for high in combinations(without(self.pool, low), 5):
                yield Arrange(self.seat, low, high)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Arrange) or not is_seat(move.seat, self.seat):
            return False
        return move.is_complete and all(card in self.pool for card in move.low + move.high)


@dataclass(slots=True)
class Shows(Sequence[Move]):
    """The one move of a seat whose hand is still down."""

    seat: int

    def __len__(self) -> int:
        return 1

    @overload
    def __getitem__(self, index: int) -> Show: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Show, ...]: ...
    def __getitem__(self, index: int | slice) -> Show | tuple[Show, ...]:
        return (Show(self.seat),)[index]

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Show) and is_seat(move.seat, self.seat)


def is_seat(value: object, seat: int) -> bool:
    """Whether the value is this seat's number: True is not seat 1."""
    return type(value) is int and value == seat


def _nth_hand(cards: Sequence[Card], nth: int) -> tuple[Card, ...]:
    """`list(combinations(cards, 5))[nth]`, without the list."""
    hand: list[Card] = []
    place = 0
    while len(hand) < 5:
        # So many combinations have this card next; the others come after all of them.
        with_card = comb(len(cards) - place - 1, 4 - len(hand))
        if nth < with_card:
            hand.append(cards[place])
        else:
            nth -= with_card
        place += 1
    return tuple(hand)
