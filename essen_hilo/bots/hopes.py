"""What a pool promises while the draft goes on: the rule of thumb by which bots weigh one card against another.

A player hopes for a hand as long as it can still be made. A hope is worth what the hand is worth, times a chance
for each card that is missing, and the chance grows with the picks that are left. A pool promises its best hope for
the low hand, its hopes for a straight flush in each suit, and something for pairs, threes and fours. What a card
adds to that is its gain, the sum of one number from each of three tables.

Cards are their indices here and ranks are places, from 0 (twos) to 12 (aces); a set of ranks is a number with one
bit for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from math import exp
from operator import attrgetter
from typing import NamedTuple

from essen_hilo.cards import DECK, Card
from essen_hilo.hands import LowRule, evaluate_low

#: The set of one rank, by the rank.
BITS = tuple([1 << rank for rank in range(13)])
#: The ranks of the straight flushes, strongest first; in the last the ace is low.
RUNS = (*[0b11111 << lowest for lowest in range(8, -1, -1)], 0b1_0000_0000_1111)

#: Of each card by its index.
RANKS = tuple([card.rank - 2 for card in DECK])
SUITS = tuple([card.index % 4 for card in DECK])


class Thumb(NamedTuple):
    """The numbers of the rule of thumb.

    They were found by playing many thousand duplicate deals between bots that differ in one or a few of them, and
    keeping what won. Only the proportions of the worths matter; a chance is for one card.

    Attributes:
        lows: How many of the lowest hands are worth hoping for.
        low_half: A low that comes so many ranks after the lowest hand is worth half of it.
        low_fall: How steeply the worth falls there.
        low_worth: What the best hope for the low is multiplied by.
        low_chance: A missing card fails to come with the chance exp(-x). This is x at the very end,
        low_chance_early: and this is what it is more at the very beginning.
        best_run: What the best hope for a straight flush in a suit is multiplied by.
        each_run: What every hope for one is multiplied by.
        run_fall: What each step down from the highest takes off a straight flush.
        run_chance_early: The same as `low_chance_early`; at the very end there is no chance.
        rank: What each step from a two to an ace adds.
    """

    lows: int
    low_half: float
    low_fall: float
    low_worth: float
    low_chance: float
    low_chance_early: float
    best_run: float
    each_run: float
    run_fall: float
    run_chance_early: float
    rank: float


# With thirteen cards nearly everybody gets a low that is close to the best; with ten it takes luck.
_OF_THIRTEEN = Thumb(60, 0.79, 2.7, 1.71, 0.65, 1.8, 1.21, 0.19, 0.11, 2.0, 0.0005)
_OF_TEN = Thumb(200, 3.0, 0.75, 1.2, 0.33, 0.92, 1.67, 0.3, 0.1, 0.88, 0.0004)


def _thumb(size: int) -> Thumb:
    return _OF_THIRTEEN if size >= 12 else _OF_TEN


#: By how many cards of a rank a pool has, what one more of it adds to a player who prefers straight flushes.
OF_A_RANK = (0.0, 0.02, 0.2, 0.9)
#: The same for one who collects fours and full houses: better where the others are all after straight flushes.
TO_A_COLLECTOR = (0.0, 0.25, 0.5, 0.9)


class Hope(NamedTuple):
    """A hand that a pool may still become.

    Attributes:
        worth: What it is worth, the chances of the missing cards considered.
        ranks: The ranks of its five cards.
        missing: Those that the pool lacks.
    """

    worth: float
    ranks: int
    missing: int


@dataclass(slots=True)
class Pool:
    """The cards that a seat has kept.

    Attributes:
        suits: The ranks that it has of each suit.
        counts: How many cards it has of each rank.
    """

    suits: list[int]
    counts: list[int]

    @classmethod
    def of(cls, cards: Iterable[int]) -> Pool:
        """The pool of these cards."""
        pool = cls([0] * 4, [0] * 13)
        for card in cards:
            pool.add(card)
        return pool

    def add(self, card: int) -> None:
        """Keep one more card."""
        rank = RANKS[card]
        self.suits[SUITS[card]] |= 1 << rank
        self.counts[rank] += 1

    def copy(self) -> Pool:
        """Another pool of the same cards."""
        return Pool(self.suits[:], self.counts[:])

    @property
    def ranks(self) -> int:
        """The ranks of which it has a card."""
        clubs, diamonds, hearts, spades = self.suits
        return clubs | diamonds | hearts | spades


def gains(
    pool: Pool,
    pack: Sequence[int],
    low: LowRule,
    size: int,
    left: int,
    of_a_rank: Sequence[float] = OF_A_RANK,
    dead: Sequence[int] = (0, 0, 0, 0),
) -> list[float]:
    """What each card of a pack adds to what a pool promises.

    Args:
        pool: The cards kept so far.
        pack: The cards to choose from.
        low: The low rule.
        size: How many picks a seat makes in all.
        left: How many of them are left after this one.
        of_a_rank: The player's taste for cards of one rank.
        dead: By suit, the ranks that can't come any more.
    """
    counts, suits = pool.counts, pool.suits
    to_low = low_gains(low, size, pool.ranks, left)
    to_runs = [run_gains(size, suits[suit], dead[suit], left) for suit in range(4)]
    return [to_low[rank := RANKS[card]] + to_runs[SUITS[card]][rank] + of_a_rank[counts[rank]] for card in pack]


def low_hope(low: LowRule, size: int, ranks: int, left: int) -> Hope:
    """The best hope for the low hand of a pool that has these ranks."""
    chances = _low_chances(size, left)
    return max(
        [_hope(worth, hand, ranks, chances) for hand, worth in _good_lows(low, size)],
        key=attrgetter("worth"),
    )


def run_hope(size: int, suit: int, dead: int, left: int) -> Hope | None:
    """The best hope for a straight flush of a pool that has these ranks of a suit."""
    chances = _run_chances(size, left)
    hopes = [_hope(worth, run, suit, chances) for run, worth in _good_runs(size) if not run & dead]
    return max(hopes, key=attrgetter("worth"), default=None)


def _hope(worth: float, hand: int, have: int, chances: Sequence[float]) -> Hope:
    missing = hand & ~have
    return Hope(worth * chances[missing.bit_count()], hand, missing)


@cache
def _low_chances(size: int, left: int) -> list[float]:
    thumb = _thumb(size)
    return _chances(thumb.low_chance + thumb.low_chance_early * left / size, left)


@cache
def _run_chances(size: int, left: int) -> list[float]:
    return _chances(_thumb(size).run_chance_early * left / size, left)


def _chances(hope: float, left: int) -> list[float]:
    """By the number of missing cards, the chance to get them all with the picks that are left."""
    chance = 1 - exp(-hope)
    return [chance**missing if missing <= left else 0.0 for missing in range(6)]


@cache
def _good_runs(size: int) -> list[tuple[int, float]]:
    """The ranks of the straight flushes, and what each is worth."""
    return [(run, 1 - _thumb(size).run_fall * place) for place, run in enumerate(RUNS)]


@cache
def _good_lows(low: LowRule, size: int) -> list[tuple[int, float]]:
    """The ranks of the lowest hands, and what each hand is worth."""
    thumb = _thumb(size)
    hands = sorted([(low_rank(low, sum(hand)), sum(hand)) for hand in combinations(BITS, 5)])[: thumb.lows]
    return [(hand, 1 / (1 + ((rank - 1) / thumb.low_half) ** thumb.low_fall)) for rank, hand in hands]


@cache
def low_rank(low: LowRule, ranks: int) -> int:
    """The rank of the best low hand of five different ranks of these, or of a poor pair where they are fewer."""
    bits = [bit for bit in BITS if ranks & bit]
    if len(bits) < 5:
        return 5000
    if len(bits) > 5:
        return min([low_rank(low, ranks - bit) for bit in bits])
    return evaluate_low(offsuit(ranks), low).rank


def offsuit(ranks: int) -> list[Card]:
    """Cards of these ranks, not all of one suit: the bots don't fear a flush that nobody need make."""
    cards = [DECK[4 * rank] for rank, bit in enumerate(BITS) if ranks & bit]
    return [DECK[cards[0].index + 1], *cards[1:]]


@lru_cache(1 << 15)
def low_gains(low: LowRule, size: int, ranks: int, left: int) -> tuple[float, ...]:
    """By rank, what one more card adds to the best hope for the low hand."""
    thumb, chances = _thumb(size), _low_chances(size, left)
    before, best = 0.0, [0.0] * 13
    for hand, worth in _good_lows(low, size):
        if worth <= before:
            break  # The hands that follow are worth even less, and no card makes a better hope of them.
        missing = hand & ~ranks
        count = missing.bit_count()
        before = max(before, worth * chances[count])
        for rank in ranks_of(missing):
            best[rank] = max(best[rank], worth * chances[count - 1])
    return tuple([thumb.low_worth * max(after - before, 0.0) + thumb.rank * rank for rank, after in enumerate(best)])


@lru_cache(1 << 15)
def run_gains(size: int, suit: int, dead: int, left: int) -> tuple[float, ...]:
    """By rank, what one more card of a suit adds to the hopes for straight flushes."""
    thumb, chances = _thumb(size), _run_chances(size, left)
    before, best, more = 0.0, [0.0] * 13, [0.0] * 13
    for run, worth in _good_runs(size):
        if not run & dead:
            missing = run & ~suit
            count = missing.bit_count()
            hope, with_card = worth * chances[count], worth * chances[count - 1]
            before = max(before, hope)
            for rank in ranks_of(missing):
                best[rank] = max(best[rank], with_card)
                more[rank] += with_card - hope
    return tuple(
        [
            thumb.best_run * max(after - before, 0.0) + thumb.each_run * each
            for after, each in zip(best, more, strict=True)
        ]
    )


@cache
def ranks_of(ranks: int) -> tuple[int, ...]:
    """The ranks of a set, highest first."""
    return tuple([rank for rank in range(12, -1, -1) if ranks & BITS[rank]])
