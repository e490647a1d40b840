"""Measures how often a hand wins its half, and prints it as `essen_hilo/odds.py` keeps it.

    python examples/measure_odds.py > measured.txt    # about three minutes

GreedyBots draft, and then every arrangement on a seat's frontier is held against the hands that the other seats
lay down. Which hands those are depends on the odds themselves, so the odds are worked out several times from the same
drafts, the first time from a guess. The same seed gives the same numbers, whatever odds the package has now.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from random import Random
from textwrap import wrap
from typing import NamedTuple, NoReturn

from essen_hilo import (
    ACE_TO_FIVE,
    ACE_TO_SIX,
    DEUCE_TO_SEVEN,
    DEUCE_TO_SIX,
    GameState,
    GreedyBot,
    Phase,
    Rules,
    evaluate_high,
    evaluate_low,
    frontier,
    shuffled_deck,
)
from essen_hilo.odds import Curve, chances

LOW_RULES = (DEUCE_TO_SEVEN, ACE_TO_FIVE, ACE_TO_SIX, DEUCE_TO_SIX)
ROUNDS = 8
POINTS = 40
WORST = 7462
GUESS: tuple[Curve, Curve] = (
    ((1, 900, 700), (100, 50, 50), (WORST, 0, 0)),
    ((1, 990, 990), (400, 50, 50), (WORST, 0, 0)),
)

Ranks = tuple[int, int]
"""Of an arrangement, the ranks of its low and of its high hand."""


class Trial(NamedTuple):
    """What became of one hand."""

    rank: int
    won: float
    share: float


def draft(rules: Rules, number: int, seed: int) -> list[list[Ranks]]:
    """By seat, all that can be made of the cards that GreedyBots draft in one deal."""
    state = GameState.start(rules, dealer=number % rules.seats).deal(shuffled_deck(Random(f"{seed}/{number}")))
    bots = [GreedyBot(Random(f"{seed}/{number}/{seat}")) for seat in range(rules.seats)]
    while state.phase is not Phase.ARRANGE:
        for seat in state.to_act:
            state = state.apply(bots[seat].choose(state.view(seat)))
        state = state.advance()
    return [
        [(evaluate_low(way.low, rules.low).rank, evaluate_high(way.high).rank) for way in frontier(pool, rules.low)]
        for pool in state.pools
    ]


def best(ways: Iterable[Ranks], curves: tuple[Curve, Curve]) -> Ranks:
    """The arrangement that takes most, as the curves have it."""
    return max(
        ways,
        key=lambda way: sum(chances(curve, rank)[1] for curve, rank in zip(curves, way, strict=True)),
    )


def trials(drafts: Sequence[list[list[Ranks]]], curves: tuple[Curve, Curve], half: int) -> list[Trial]:
    """Every hand that could be made, against those that the other seats lay down."""
    found = []
    for deal in drafts:
        shown = [best(ways, curves)[half] for ways in deal]
        for seat, ways in enumerate(deal):
            others = shown[:seat] + shown[seat + 1 :]
            strongest = min(others)
            for rank in sorted({way[half] for way in ways}):
                share = 1.0 if rank < strongest else 1 / (1 + others.count(rank)) if rank == strongest else 0.0
                found.append(Trial(rank, float(share > 0), share))
    return found


def curve_of(found: list[Trial]) -> Curve:
    """A curve that never rises, through about as many trials between any two of its points."""
    groups: list[list[Trial]] = [[]]
    for trial in sorted(found):
        full = len(groups[-1]) >= len(found) / POINTS
        if full and trial.rank != groups[-1][-1].rank:
            groups.append([])
        groups[-1].append(trial)
    ranks = [round(mean(trial.rank for trial in group)) for group in groups]
    wins = falling([mean(trial.won for trial in group) for group in groups])
    shares = falling([mean(trial.share for trial in group) for group in groups])
    points = [
        *zip(ranks, thousandths(wins), thousandths(shares), strict=True),
        (WORST, 0, 0),
    ]
    # A point between two that are as high tells nothing.
    middles = [
        point
        for before, point, after in zip(points, points[1:], points[2:], strict=False)
        if not before[1:] == point[1:] == after[1:]
    ]
    return points[0], *middles, points[-1]


def falling(values: list[float]) -> list[float]:
    """The nearest values that never rise: neighbours that do are levelled to their mean."""
    levels: list[list[float]] = []
    for value in values:
        levels.append([value])
        while len(levels) > 1 and mean(levels[-2]) < mean(levels[-1]):
            last = levels.pop()
            levels[-1] += last
    return [mean(level) for level in levels for _ in level]


def thousandths(values: Iterable[float]) -> list[int]:
    """As whole thousandths."""
    return [round(1000 * value) for value in values]


def mean(values: Iterable[float]) -> float:
    """The mean."""
    some = list(values)
    return sum(some) / len(some)


def measure(rules: Rules, deals: int, seed: int) -> tuple[Curve, Curve]:
    """The curves of the low and of the high half."""
    drafts = [draft(rules, number, seed) for number in range(deals)]
    curves = GUESS
    lows: list[Trial] = []
    highs: list[Trial] = []
    for turn in range(ROUNDS):
        found = trials(drafts, curves, 0), trials(drafts, curves, 1)
        if turn == 1:
            lows, highs = [], []  # what came of the guess
        # All rounds together: from the last alone, everybody would change over to low hands in one round and back to
        # high ones in the next, for ever.
        lows, highs = lows + found[0], highs + found[1]
        curves = curve_of(lows), curve_of(highs)
    return curves


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments."""

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """The program; gives its exit status."""
    parser = Parser(description="Measure how often a hand wins its half.")
    parser.add_argument(
        "--deals",
        type=int,
        default=3000,
        help="deals for each size and low rule (default 3000)",
    )
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers start (default 1)")
    wanted = parser.parse_args(arguments)
    if wanted.deals < 50:
        parser.error("--deals: 50 or more are wanted")
    blocks = []
    for seats in (4, 5):
        for low in LOW_RULES:
            rules = Rules(seats=seats, low=low)
            print(f"measuring {seats} × {rules.hand_size}, {low}", file=sys.stderr)
            for half, curve in zip(("low", "high"), measure(rules, wanted.deals, wanted.seed), strict=True):
                points = [":".join(map(str, point)) for point in curve]
                blocks.append("\n".join([f"{rules.hand_size} {low} {half}", *wrap(" ".join(points), 118)]))
    print("\n\n".join(blocks))
    return 0


if __name__ == "__main__":
    sys.exit(main())
