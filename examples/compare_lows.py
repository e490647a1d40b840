"""How much is a card of each rank worth under each of the four low rules?

    pip install "essen_hilo[study]"
    python examples/compare_lows.py --deals 3000 --seed 1 --plot compare_lows.png

The source of the game suggests deuce-to-seven "so that aces do not become too valuable". Here `GreedyBot`s play the
same deals under all four lows, and the worth of a card is measured in two ways:

* **Held.** After each draft two seats, drawn at random, exchange one random card each; both set their hands anew, and
  what the exchange brings either seat in chips is explained, by least squares, by the rank it gained and the rank it
  lost. The exchange is an experiment: nobody chose who gets what, so it is the card that makes the difference, and not
  what kind of player keeps such cards. (Simply comparing seats that hold a card with seats that don't would not do:
  where everybody wants one deuce everybody has one.)
* **Dealt.** A seat's net chips explained in the same way by the ranks of its first pack, compared with the other seats
  of the deal. That too is chance, and the whole draft lies between card and chips; but a seat keeps only a few of these
  cards, so effects are small.

Every seat has equally many cards, so only differences can be told: the worth of a rank is what a card of it brings in
place of an average card, and the thirteen worths sum to zero. What happens to the seats of one deal is not
independent, so each deal counts as one observation in the errors (the sandwich estimator, clustered by deal). All lows
see the same deals, and differences between lows are taken deal by deal.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import NamedTuple, NoReturn

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from tqdm import tqdm

from essen_hilo import (
    ACE_TO_FIVE,
    ACE_TO_SIX,
    DEUCE_TO_SEVEN,
    DEUCE_TO_SIX,
    Arrange,
    Arrangement,
    Card,
    GameState,
    GreedyBot,
    LowRule,
    Phase,
    Rank,
    Report,
    Result,
    Rules,
    play_deal,
    settle,
)

Numbers = NDArray[np.float64]

LOWS = (DEUCE_TO_SEVEN, DEUCE_TO_SIX, ACE_TO_FIVE, ACE_TO_SIX)
ACE = list(Rank).index(Rank.ACE)
EXCHANGES = 10
"""Exchanges tried after each draft."""
CHUNK = 20
"""Deals in a task of a worker process."""


@dataclass(frozen=True)
class Sample:
    """Some deals under one low.

    Attributes:
        report: What they add up to.
        moved: By deal, then twice by exchange, and by rank: 1 for the card that a seat gained, -1 for the one it lost.
        low: By deal, then twice by exchange: the chips that the low half brings the seat more than before.
        high: The same of the high half.
        dealt: By deal, seat and rank: the cards of the seat's first pack.
        nets: By deal and seat: chips won or lost.
    """

    report: Report
    moved: Numbers
    low: Numbers
    high: Numbers
    dealt: Numbers
    nets: Numbers

    @classmethod
    def joined(cls, parts: Sequence[Sample]) -> Sample:
        """All parts in one."""
        report, *others = [part.report for part in parts]
        for other in others:
            report += other
        return cls(
            report,
            np.concatenate([part.moved for part in parts]),
            np.concatenate([part.low for part in parts]),
            np.concatenate([part.high for part in parts]),
            np.concatenate([part.dealt for part in parts]),
            np.concatenate([part.nets for part in parts]),
        )


def sample(rules: Rules, seed: int, start: int, stop: int) -> Sample:
    """The deals from number `start` on and before `stop`, played by greedy bots."""
    deals = {
        number: play_deal([GreedyBot] * rules.seats, number, rules=rules, seed=seed) for number in range(start, stop)
    }
    games = [game for (game,) in deals.values()]
    tried = [list(exchanges(game, Random(f"{seed}/{number}/exchanges"))) for number, (game,) in deals.items()]
    return Sample(
        Report.of(["GreedyBot"] * rules.seats, deals.values(), rules=rules),
        np.array([[change.moved for change in changes] for changes in tried], float),
        np.array([[change.low for change in changes] for changes in tried], float),
        np.array([[change.high for change in changes] for changes in tried], float),
        np.array([[ranks(pack) for pack in game.rounds[0]] for game in games], float),
        np.array([result(game).nets for game in games], float),
    )


class Change(NamedTuple):
    """What an exchange does to one seat: ranks gained and lost, chips of either half."""

    moved: list[int]
    low: int
    high: int


def exchanges(game: GameState, rng: Random) -> Iterator[Change]:
    """What exchanges of two random cards of different ranks do, for one seat and then for the other."""
    before = result(game)
    for _ in range(EXCHANGES):
        while True:
            one, other = rng.sample(range(len(game.pools)), 2)
            card, gained = rng.choice(game.pools[one]), rng.choice(game.pools[other])
            if card.rank is not gained.rank:
                break
        hands = [arrangement for arrangement in game.arrangements if arrangement]
        hands[one] = arranged(game, one, card, gained)
        hands[other] = arranged(game, other, gained, card)
        after = settle(hands, game.rules, dealer=game.dealer)
        for seat, new, old in ((one, gained, card), (other, card, gained)):
            yield Change(
                [gain - loss for gain, loss in zip(ranks([new]), ranks([old]), strict=True)],
                after.low.shares[seat] - before.low.shares[seat],
                after.high.shares[seat] - before.high.shares[seat],
            )


def arranged(game: GameState, seat: int, old: Card, new: Card) -> Arrangement:
    """The hands that a greedy bot sets in this seat with a new card in place of an old one."""
    down = (None,) * game.rules.seats
    view = game.view(seat)
    pool = tuple(new if card is old else card for card in view.pool)
    view = replace(
        view, phase=Phase.ARRANGE, to_act=(seat,), pool=pool, arrangement=None, low_hands=down, high_hands=down
    )
    move = GreedyBot(Random(0)).choose(view)
    assert isinstance(move, Arrange)
    return Arrangement(move.low, move.high)


def result(game: GameState) -> Result:
    """The result of a finished game."""
    assert game.result is not None
    return game.result


def ranks(cards: Sequence[Card]) -> list[int]:
    """How many of the cards are of each rank, twos first."""
    return [sum(card.rank is rank for card in cards) for rank in Rank]


@dataclass(frozen=True)
class Worth:
    """What a card of each rank is worth, twos first, in chips.

    Attributes:
        chips: The estimates.
        pulls: By deal, how far the deal pulls each estimate; what errors are computed from.
    """

    chips: Numbers
    pulls: Numbers

    @property
    def errors(self) -> Numbers:
        """The standard error of each estimate."""
        return standard_errors(self.pulls)

    def __add__(self, other: Worth) -> Worth:
        return Worth(self.chips + other.chips, self.pulls + other.pulls)

    def __sub__(self, other: Worth) -> Worth:
        return Worth(self.chips - other.chips, self.pulls - other.pulls)


def worth(cards: Numbers, chips: Numbers) -> Worth:
    """The least-squares estimates from cards by deal, observation and rank, and chips by deal and observation."""
    # The cards of an observation always sum to the same, so no inverse exists; the pseudo-inverse
    # picks the worths that sum to 0.
    inverse = np.linalg.pinv(np.einsum("dor,doq->rq", cards, cards), rcond=1e-9, hermitian=True)
    estimates = inverse @ np.einsum("dor,do->r", cards, chips)
    return Worth(estimates, np.einsum("dor,do->dr", cards, chips - cards @ estimates) @ inverse)


def centred(numbers: Numbers) -> Numbers:
    """Less what the seats of a deal have in common."""
    centre: Numbers = numbers.mean(axis=1, keepdims=True)
    return numbers - centre


def standard_errors(pulls: Numbers) -> Numbers:
    """The errors of estimates from how far each deal pulls them."""
    deals = len(pulls)
    errors: Numbers = np.sqrt((pulls**2).sum(axis=0) * deals / (deals - 1))
    return errors


def play(low: LowRule, seats: int, deals: int, seed: int, pool: ProcessPoolExecutor) -> Sample:
    """All deals under one low, played by the pool."""
    rules = Rules(seats=seats, low=low)
    starts = range(0, deals, CHUNK)
    stops = [min(start + CHUNK, deals) for start in starts]
    tasks = len(starts)
    parts = pool.map(sample, [rules] * tasks, [seed] * tasks, starts, stops)
    with tqdm(parts, total=tasks, desc=low.name, unit=f" × {CHUNK} deals", dynamic_ncols=True) as bar:
        return Sample.joined(list(bar))


# What came out, to read and to look at.


def table(title: str, worths: Sequence[Worth]) -> Iterator[str]:
    """One row a rank, one column a low."""
    yield ""
    yield title
    yield "    " + "".join(f"{low.name:>18}" for low in LOWS)
    for at, rank in reversed(list(enumerate(Rank))):
        cells = [f"{one.chips[at]:+.2f} ± {one.errors[at]:.2f}" for one in worths]
        yield f"{rank.text:4}" + "".join(f"{cell:>18}" for cell in cells)


def aces(worths: Sequence[Worth]) -> Iterator[str]:
    """Where the ace stands under each low, and how much more it is worth there than under deuce-to-seven."""
    yield ""
    for low, one in zip(LOWS, worths, strict=True):
        place = 1 + sum(one.chips > one.chips[ACE])
        line = f"{low.name}: an ace is worth {one.chips[ACE]:+.2f} ± {one.errors[ACE]:.2f}, number {place} of 13 ranks"
        if low is not LOWS[0]:
            more = one - worths[0]
            line += f"; {more.chips[ACE]:+.2f} ± {more.errors[ACE]:.2f} against {LOWS[0].name}"
        yield line


def games(samples: Sequence[Sample]) -> Iterator[str]:
    """What else there is to say about each low: median winners, scoops, and places at the table."""
    for low, one in zip(LOWS, samples, strict=True):
        report = one.report
        places = ", ".join(f"{place.name} {place.share:.1%} ± {place.share_error:.1%}" for place in report.places)
        yield ""
        yield f"{low.name}: in the median {report.low.median} wins the low half and {report.high.median} the high half;"
        yield f"    the pot is scooped in {report.scoops / report.games:.1%} of the games;"
        yield f"    {places} of the chips: as far apart by luck alone with probability {report.place_chance:.2f}."


def plot(path: Path, samples: Sequence[Sample], panels: Sequence[tuple[str, Sequence[Worth]]]) -> None:
    """Draw the worth of each rank, a panel for each of the given titles."""
    report = samples[0].report
    figure = Figure(figsize=(13, 5), layout="constrained")
    everywhere = figure.subplots(1, len(panels), sharey=True)
    for axes, (title, worths) in zip(everywhere, panels, strict=True):
        for shift, (low, one) in enumerate(zip(LOWS, worths, strict=True)):
            axes.errorbar(
                np.arange(13) + (shift - 1.5) * 0.16,
                one.chips,
                1.96 * one.errors,
                fmt="os^D"[shift],
                color=f"C{shift}",
                capsize=2,
                markersize=4,
                label=low.name,
            )
        axes.set_xticks(range(13), [rank.text for rank in Rank])
        axes.set_title(title)
        axes.axhline(0, color="0.6", linewidth=0.8, zorder=0)
        axes.grid(axis="y", color="0.92")
        axes.set_axisbelow(True)
    everywhere[0].set_ylabel("chips, against an average card")
    figure.legend(*everywhere[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(LOWS))
    figure.suptitle(
        f"What holding one card of a rank is worth: {report.deals:,} deals of GreedyBots under each low, "
        f"{report.rules.seats} seats, ante {report.rules.ante}; bars are 95 % intervals"
    )
    figure.savefig(path, dpi=100)


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments."""

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print the tables and save the plot."""
    parser = Parser(description="Measure what cards are worth under the four low rules.")
    parser.add_argument("--deals", type=int, default=3000, help="under each low, 20 or more (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seats", type=int, default=4, choices=(4, 5))
    parser.add_argument("--workers", type=int, help="worker processes (default: one a processor)")
    parser.add_argument("--plot", type=Path, help="a PNG file to save the plot in")
    given = parser.parse_args(arguments)
    if given.deals < 20:
        parser.error("--deals: 20 or more are wanted")
    if given.workers is not None and given.workers < 1:
        parser.error("--workers: 1 or more are wanted")
    if given.plot and not given.plot.parent.is_dir():
        parser.error(f"--plot: there is no folder {given.plot.parent}")
    # Ctrl-C is for this process alone; the workers end with it.
    with ProcessPoolExecutor(given.workers, None, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            samples = [play(low, given.seats, given.deals, given.seed, pool) for low in LOWS]
        except BrokenExecutor as error:
            parser.exit(1, f"{parser.prog}: {error}\n")
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            return 130
    lows = [worth(one.moved, one.low) for one in samples]
    highs = [worth(one.moved, one.high) for one in samples]
    held = [low + high for low, high in zip(lows, highs, strict=True)]
    dealt = [worth(centred(one.dealt), centred(one.nets)) for one in samples]
    if given.plot:
        plot(given.plot, samples, [("both halves", held), ("low half alone", lows), ("high half alone", highs)])
    ante = samples[0].report.rules.ante
    lines = (
        f"compare_lows.py --deals {given.deals} --seed {given.seed} --seats {given.seats}",
        f"{given.deals:,} deals of GreedyBots under each low, {EXCHANGES} exchanges after each, ante {ante}",
        *table("A card held at the end, in place of an average card:", held),
        *table("Of it in the low half:", lows),
        *table("Of it in the high half:", highs),
        *table("A card dealt in the first pack, in place of an average card:", dealt),
        *aces(held),
        *games(samples),
    )
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
