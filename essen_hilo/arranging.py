"""Ten or more cards into a low and a high hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from essen_hilo.cards import Card
from essen_hilo.errors import CardError
from essen_hilo.hands import DEUCE_TO_SEVEN, LowRule, evaluate_high, evaluate_low


@dataclass(frozen=True, slots=True, init=False)
class Arrangement:
    """A low and a high hand of five different cards each, all ten different.

    Any five cards may be either hand: no order is asked of the two. Each hand is sorted, so two
    arrangements of the same cards are equal.

    Attributes:
        low: The five cards meant to be the lowest hand.
        high: The five cards meant to be the highest.
    """

    low: tuple[Card, ...]
    high: tuple[Card, ...]

    def __init__(self, low: Iterable[Card], high: Iterable[Card]) -> None:
        """The arrangement, sorted and checked.

        Raises:
            CardError: A hand is not five cards, or a card is there twice.
        """
        low, high = tuple(low), tuple(high)
        for name, hand in (("low", low), ("high", high)):
            if len(hand) != 5:
                raise CardError(f"the {name} hand is five cards, not {len(hand)}")
        cards = low + high
        for card in cards:
            if not isinstance(card, Card):
                raise CardError(f"{card!r} is not a Card")
            if cards.count(card) > 1:
                raise CardError(f"{card} is there twice: an arrangement is ten different cards")
        object.__setattr__(self, "low", tuple(sorted(low)))
        object.__setattr__(self, "high", tuple(sorted(high)))


def frontier(cards: Iterable[Card], low: LowRule = DEUCE_TO_SEVEN) -> tuple[Arrangement, ...]:
    """Every arrangement that no other beats, strongest high hand first, strongest low hand last."""
    pack = sorted(cards)
    best = []
    for high in combinations(pack, 5):
        value = evaluate_high(high)
        rest = [card for card in pack if card not in high]
        five = max(combinations(rest, 5), key=lambda hand: evaluate_low(hand, low))
        best.append((value.rank, evaluate_low(five, low).rank, Arrangement(five, high)))
    best.sort(key=lambda entry: entry[:2])
    found, last = [], 9999
    for _, low_rank, arrangement in best:
        if low_rank < last:
            found.append(arrangement)
            last = low_rank
    return tuple(found)
