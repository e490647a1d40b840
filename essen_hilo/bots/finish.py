"""What a whole pool comes to, in a hurry: the two hands that its owner would set, by their ranks.

Looking ahead ends in so many pools that `best_arrangement` would take too long. This tries the high hands that a
player sees at a glance, each with the best low that the other cards make. It is exact in most of what wins, straight
flushes, fours, full houses and lows without a pair, but for kickers and for lows of one suit; below it is rough.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from essen_hilo.bots.hopes import BITS, RUNS, Pool, low_rank, ranks_of
from essen_hilo.cards import DECK
from essen_hilo.hands import LowRule, evaluate_high
from essen_hilo.odds import chances, measured


def best_hands(pool: Pool, low: LowRule, at_low: list[float], at_high: list[float]) -> tuple[int, int]:
    """The ranks of the low and the high hand that together are worth most; what each rank is worth is given."""
    most, best = -1.0, (0, 0)
    # No high hand leaves a better low than all cards make. Most pools have one that leaves it, and are done soon.
    bound = at_low[low_rank(low, pool.ranks)]
    for high, rest in _highs(pool):
        if high >= _STRAIGHT and at_high[_STRAIGHT] + bound <= most:
            break
        if at_high[high] + bound > most:
            rank = low_rank(low, rest)
            worth = at_low[rank] + at_high[high]
            if worth > most:
                most, best = worth, (rank, high)
    return best


@cache
def shares(low: LowRule, seats: int, size: int) -> tuple[list[float], list[float]]:
    """By the rank of a low and of a high hand, the part of the pot that it takes on average."""
    low_curve, high_curve = measured(low, seats, size)
    at_low, at_high = [[chances(curve, rank)[1] / 2 for rank in range(_WORST + 1)] for curve in (low_curve, high_curve)]
    return at_low, at_high


#: The rank of the best straight. Straights and weaker hands are tried last.
_STRAIGHT = 1600
_WORST = 7462


def _highs(pool: Pool) -> Iterator[tuple[int, int]]:
    """The rank of each high hand in view, and the ranks that the other cards have."""
    clubs, diamonds, hearts, spades = pool.suits
    black, red = clubs | spades, diamonds | hearts
    both_black, both_red = clubs & spades, diamonds & hearts
    once, four = black | red, both_black & both_red
    twice = both_black | both_red | (black & red)
    thrice = (both_black & red) | (both_red & black)
    for suit in pool.suits:
        if suit.bit_count() >= 5:
            for rank, hand in _suited(suit):
                yield rank, twice | (once & ~hand)
    for rank in ranks_of(four):
        others = once & ~BITS[rank]
        for kicker in ranks_of(others)[:1]:
            yield (
                _two_of_thirteen(11, rank, kicker),
                (others & ~BITS[kicker]) | (twice & BITS[kicker]),
            )
    for rank in ranks_of(thrice):
        for pair in ranks_of(twice & ~BITS[rank]):
            left = (once & ~BITS[rank] & ~BITS[pair]) | (four & BITS[rank]) | (thrice & BITS[pair])
            yield _two_of_thirteen(167, rank, pair), left
    straight = _straight(once)
    if straight:
        yield straight[0], twice | (once & ~straight[1])
    yield from _poor_highs(once, twice, thrice)


def _two_of_thirteen(first: int, rank: int, other: int) -> int:
    """The rank of fours with a kicker, or of a full house; `first` is the strongest of the kind."""
    return first + 12 * (12 - rank) + 12 - other - (rank > other)


def _poor_highs(once: int, twice: int, thrice: int) -> Iterator[tuple[int, int]]:
    """Threes, two pairs and pairs, roughly: the kickers are the highest cards. Last, whatever the best low leaves."""
    for rank in ranks_of(thrice)[:1]:
        left = once & ~BITS[rank]
        yield 1610 + 66 * (12 - rank), left & ~_top(left, 2)
    pairs = ranks_of(twice)
    for place, rank in enumerate(pairs):
        left = once & ~BITS[rank]
        for other in pairs[place + 1 : place + 2]:
            others = left & ~BITS[other]
            yield 2468 + 66 * (12 - rank) + 5 * (12 - other), others & ~_top(others, 1)
        yield 3326 + 220 * (12 - rank), left & ~_top(left, 3)
    yield 7000, once


@cache
def _suited(suit: int) -> list[tuple[int, int]]:
    """The straight flushes and the best flush that five or more cards of a suit make: rank and ranks."""
    runs = [(place, run) for place, run in enumerate(RUNS, 1) if not run & ~suit]
    flush = _top(suit, 5)
    cards = [DECK[4 * rank] for rank in ranks_of(flush)]
    return [*runs, (evaluate_high(cards).rank, flush)]


@cache
def _straight(ranks: int) -> tuple[int, int] | None:
    for place, run in enumerate(RUNS):
        if not run & ~ranks:
            return _STRAIGHT + place, run
    return None


@cache
def _top(ranks: int, count: int) -> int:
    """The highest ranks of a set."""
    return sum([BITS[rank] for rank in ranks_of(ranks)[:count]])
