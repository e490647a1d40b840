"""Ten or more cards into a low and a high hand.

`frontier` finds every arrangement worth considering without trying them all. Suits matter only for flushes, so
it looks at hands by their ranks, of which there are few, and at the hands of one suit apart from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import Protocol

from essen_hilo.cards import BY_INDEX, DECK, Card, Suit, all_cards, without
from essen_hilo.errors import CardError
from essen_hilo.hands import DEUCE_TO_SEVEN, LowRule, evaluate_high, evaluate_low, values_by_weight
from essen_hilo.odds import Odds


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
        low, high = all_cards(low), all_cards(high)
        if not len(low) == len(high) == 5 or len({*low, *high}) < 10:
            raise _no_arrangement(low, high)
        object.__setattr__(self, "low", tuple(sorted(low, key=BY_INDEX)))
        object.__setattr__(self, "high", tuple(sorted(high, key=BY_INDEX)))

    @classmethod
    def of_sorted(cls, low: Iterable[Card], high: Iterable[Card]) -> Arrangement:
        """The arrangement of hands that are known to be sorted and right."""
        arrangement = object.__new__(cls)
        object.__setattr__(arrangement, "low", tuple(low))
        object.__setattr__(arrangement, "high", tuple(high))
        return arrangement


def _no_arrangement(low: tuple[object, ...], high: tuple[object, ...]) -> CardError:
    """The error for what is not two hands of five different cards each."""
    for name, hand in (("low", low), ("high", high)):
        if len(hand) != 5:
            return CardError(f"the {name} hand is five cards, not {len(hand)}")
    twice = next(card for card in low + high if (low + high).count(card) > 1)
    return CardError(f"{twice} is there twice: an arrangement is ten different cards")


def frontier(cards: Iterable[Card], low: LowRule = DEUCE_TO_SEVEN) -> tuple[Arrangement, ...]:
    """Every arrangement that no other beats: no arrangement has one hand stronger and the other as strong.

    Exact. The strongest high hand comes first and the strongest low hand last, with one arrangement for each
    pair of values; which one depends only on the set of cards.

    >>> from essen_hilo import evaluate_high, evaluate_low, parse_cards
    >>> for hands in frontier(parse_cards("Ah Ad As 9s 7s 6d 4h 3c 2s 2d")):
    ...     print(evaluate_high(hands.high), "/", evaluate_low(hands.low))
    full house, aces over twos / 9-7-6-4-3 low
    three of a kind, aces with 9-2 / 7-6-4-3-2 low

    Args:
        cards: Ten or more different cards, in any order. The time grows slowly with their number.
        low: The low rule that the table agreed on.

    Raises:
        CardError: There are fewer than ten cards, or one is there twice.
    """
    pack = _checked(cards)
    ranks, counts = _high_ranks()
    in_pack = sum([_ONE[card.index] for card in pack])
    # Each choice of ranks, and each flush, is told by its rank in the high game.
    hands = [ranks[weight] for weight in _weights(pack)]
    suited: dict[int, list[tuple[Card, ...]]] = {}
    unmixed = set()
    for five in _hands_of_one_suit(pack):
        weight = sum([card.weight for card in five])
        suited.setdefault(ranks[-weight], []).append(five)
        if in_pack & 15 * counts[ranks[weight]] == counts[ranks[weight]]:
            # There is no other card of these ranks to make the hand of several suits.
            unmixed.add(ranks[weight])
    with_suits = [*({*hands} - unmixed), *suited] if suited else hands
    lows = sorted(with_suits if low.straights_and_flushes else hands, key=_low_ranks(low).__getitem__)

    found = []
    not_in_pack = _SEVENS - in_pack
    # From the strongest high hand on, each with the strongest low that the other cards make. Later high hands are
    # weaker, so only a low that is stronger than all before is still news.
    strongest_first = iter(sorted(with_suits))
    while lows:
        high = next(strongest_first)
        gone = not_in_pack + counts[high]
        for place, hand in enumerate(lows):
            if not (gone + counts[hand]) & _EIGHTS:
                arrangement = _arrangement(
                    pack,
                    counts[high],
                    counts[hand],
                    suited.get(high, _ANY),
                    suited.get(hand, _ANY),
                    low.straights_and_flushes,
                )
                if arrangement is not None:
                    found.append(arrangement)
                    del lows[place:]
                    break
    return tuple(found)


# How many cards there are of each rank, as one number with four bits a rank, so that one addition works on all
# ranks. Counting from what seven lack makes the fourth bit tell that more than there are were taken.
_ONE = tuple([1 << 4 * (card.rank - 2) for card in DECK])
_SEVENS = sum(7 << 4 * rank for rank in range(13))
_EIGHTS = sum(8 << 4 * rank for rank in range(13))
# A hand that need not be of one suit: its cards are yet to be chosen.
_ANY = (None,)


@cache
def _high_ranks() -> tuple[dict[int, int], list[int]]:
    """The rank of each hand in the high game by weight, and by that rank how many cards of each rank the hand has."""
    values = values_by_weight(None)
    ranks = {weight: value.rank for weight, value in values.items()}
    counts = [0] * (len(values) + 1)
    for value in values.values():
        counts[value.rank] = sum([1 << 4 * (rank - 2) for rank in value.ranks])
    return ranks, counts


@cache
def _low_ranks(rule: LowRule) -> list[int]:
    """The rank of each hand under a low rule, by its rank in the high game."""
    values = values_by_weight(rule)
    ranks = [0] * (len(values) + 1)
    for weight, rank in _high_ranks()[0].items():
        ranks[rank] = values[weight].rank
    return ranks


def _checked(cards: Iterable[Card]) -> list[Card]:
    pack = sorted(all_cards(cards), key=BY_INDEX)
    if len(pack) < 10:
        raise CardError(f"ten cards or more make an arrangement, not {len(pack)}")
    for card, after in pairwise(pack):
        if card is after:
            raise CardError(f"{card} is there twice")
    return pack


def _weights(pack: Sequence[Card]) -> list[int]:
    """The weights of all five-card hands, suits left out: one for each choice of ranks."""
    times: dict[int, int] = {}
    for card in pack:
        times[card.weight] = times.get(card.weight, 0) + 1
    counts = list(times.items())
    lower, upper = _sums_by_size(counts[: len(counts) // 2]), _sums_by_size(counts[len(counts) // 2 :])
    return [some + others for size in range(6) for some in lower[size] for others in upper[5 - size]]


def _sums_by_size(counts: list[tuple[int, int]]) -> list[list[int]]:
    """For no card to five, the sums of all choices from weights that are there so many times each."""
    sums = [0]
    for weight, count in counts:
        one = _ONE_CARD + weight
        sums = [before + more for more in range(0, count * one + 1, one) for before in sums]
    by_size: list[list[int]] = [[], [], [], [], [], []]
    for total in sums:
        if total < 6 * _ONE_CARD:
            by_size[total // _ONE_CARD].append(total % _ONE_CARD)
    return by_size


# More than all weights together, to count cards and add up weights in one number.
_ONE_CARD = 1 << 24


def _hands_of_one_suit(pack: Sequence[Card]) -> list[tuple[Card, ...]]:
    by_suit = [[card for card in pack if card.suit is suit] for suit in Suit]
    return [five for cards in by_suit for five in combinations(cards, 5)]


def _arrangement(
    pack: Sequence[Card],
    high: int,
    low: int,
    high_fives: Iterable[tuple[Card, ...] | None],
    low_fives: Iterable[tuple[Card, ...] | None],
    suits_count: bool,
) -> Arrangement | None:
    """Cards for two hands given by their ranks, which the pack has enough of; None if suits forbid it.

    A hand that takes one suit has its cards given. A low hand that must not be of one suit can always be
    had beside a high hand given by ranks, unless the whole pack has no other cards of its ranks: if it can choose, the
    high hand takes what it leaves. Should the high hand come out a flush, it is not needed: the flush was tried before.
    """
    for high_five in high_fives:
        left = without(pack, high_five) if high_five else pack
        for low_five in low_fives:
            if low_five is None:
                low_hand = _take(left, low)
                if suits_count and len({card.suit for card in low_hand}) == 1 and not _mix_suits(low_hand, left):
                    continue
            else:
                low_hand = list(low_five)
            rest = without(left, low_hand)
            if len(rest) == len(left) - 5:
                return Arrangement.of_sorted(low_hand, high_five or _take(rest, high))
    return None


def _take(cards: Sequence[Card], hand: int) -> list[Card]:
    """The first cards of the ranks that the hand counts."""
    taken = []
    for card in cards:
        one = _ONE[card.index]
        if hand & 15 * one:
            hand -= one
            taken.append(card)
    return taken


def _mix_suits(hand: list[Card], cards: Sequence[Card]) -> bool:
    """Exchange one card of a hand of one suit for another of its rank, and say whether there was one."""
    for card in cards:
        for place, held in enumerate(hand):
            if card.rank == held.rank and card is not held:
                hand[place] = card
                return True
    return False


class Table(Protocol):
    """What the odds depend on; `Rules` have it."""

    @property
    def seats(self) -> int:
        """How many play."""
        ...

    @property
    def hand_size(self) -> int:
        """How many cards each of them has."""
        ...

    @property
    def low(self) -> LowRule:
        """How low hands are counted."""
        ...


def with_odds(cards: Iterable[Card], rules: Table) -> tuple[tuple[Arrangement, Odds], ...]:
    """The `frontier`, each arrangement with how it is likely to fare: what a front end can offer a player.

    >>> from essen_hilo import Rules, parse_cards
    >>> for hands, odds in with_odds(parse_cards("Ah Ad As 9s 7s 6d 4h 3c 2s 2d"), Rules(seats=5)):
    ...     print(evaluate_low(hands.low), odds, sep=": ")
    9-7-6-4-3 low: wins the low about 1% of the time and the high about 33%, worth 17% of the pot
    7-6-4-3-2 low: wins the low about 6% of the time and the high about 2%, worth 3% of the pot
    """
    ways = []
    for way in frontier(cards, rules.low):
        values = evaluate_low(way.low, rules.low), evaluate_high(way.high)
        ways.append((way, Odds.of(*values, seats=rules.seats, hand_size=rules.hand_size)))
    return tuple(ways)


def best_arrangement(cards: Iterable[Card], rules: Table) -> Arrangement:
    """The arrangement that takes the largest part of the pot on average, by `Odds`.

    Of several that are worth the same, the one with the strongest high hand.
    """
    best, _ = max(with_odds(cards, rules), key=lambda way: way[1].share)
    return best
