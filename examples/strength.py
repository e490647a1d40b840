"""How strong are the bots? Each deal is played once for every seat, the bots moving round, so that luck cancels.

    python examples/strength.py                     # the whole table, about ten minutes on two cores
    python examples/strength.py --deals 30 --seed 2

One bot of the kind named first sits with others of the second kind. With equal bots each wins one part in as many as
there are seats. The error is the standard error over deals, and the interval goes 1.96 of it either way. Ctrl-C prints
what is done. The same seed and number of deals give the same table on every machine.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count
from time import monotonic
from typing import NoReturn

from essen_hilo import ACE_TO_FIVE, DEUCE_TO_SEVEN, GreedyBot, RandomBot, Report, Rules, SearchBot, simulate

# A GreedyBot takes a hundredth of the time, so it can play more deals.
ROWS = ((GreedyBot, RandomBot, 5), (SearchBot, GreedyBot, 1))
LEAST_DEALS = 2  # fewer have no standard error


def row(report: Report) -> str:
    """One line of the table."""
    bot, other = report.bots[:2]
    spread = 1.96 * bot.share_error
    fair = 1 / report.rules.seats
    return (
        f"| one {bot.name}, {report.rules.seats - 1} × {other.name} | {report.rules.seats} | {report.rules.low} "
        f"| {report.deals} | {bot.share:.1%} ± {bot.share_error:.1%} "
        f"| {bot.share - spread:.1%} to {bot.share + spread:.1%} | {fair:.0%} |"
    )


def studies(deals: int, seed: int, pool: ProcessPoolExecutor | None) -> Iterator[tuple[Report, int]]:
    """The report of each row, and how many deals it should have."""
    for maker, other, times in ROWS:
        for seats in (4, 5):
            for low in (DEUCE_TO_SEVEN, ACE_TO_FIVE):
                makers = [maker, *[other] * (seats - 1)]
                rules = Rules(seats=seats, low=low)
                report = simulate(
                    makers, times * deals, rules=rules, seed=seed, duplicate=True, executor=pool, progress=progress
                )
                yield report, times * deals


def progress(done: int, total: int) -> None:
    """Say on a terminal how far a row is."""
    if sys.stderr.isatty():
        print(f"\r{done} of {total} deals", end="\n" if done == total else "", file=sys.stderr, flush=True)


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments."""

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """The program; gives its exit status."""
    parser = Parser(description="Measure how strong the bots are.")
    parser.add_argument("--deals", type=int, default=60, help="duplicate deals in a row of SearchBot (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers start (default 1)")
    parser.add_argument("--processes", type=int, default=cpu_count() or 1, help="1 plays here (default: one a core)")
    wanted = parser.parse_args(arguments)
    for name, least in (("deals", LEAST_DEALS), ("seed", 0), ("processes", 1)):
        if getattr(wanted, name) < least:
            parser.error(f"--{name}: {least} or more is wanted")
    began = monotonic()
    print("| bots | seats | low | deals | share of all chips | 95 % interval | fair |")
    print("|---|---|---|---|---|---|---|", flush=True)
    with ProcessPoolExecutor(wanted.processes, initializer=ignore_ctrl_c) as pool:
        try:
            for report, deals in studies(wanted.deals, wanted.seed, pool if wanted.processes > 1 else None):
                if report.deals >= LEAST_DEALS:
                    print(row(report), flush=True)
                if report.deals < deals:  # Ctrl-C: `simulate` gives what it has so far.
                    return 130
        except KeyboardInterrupt:
            return 130
    print(f"seed {wanted.seed}, {monotonic() - began:.0f} s on {wanted.processes} processes", file=sys.stderr)
    return 0


def ignore_ctrl_c() -> None:
    """Ctrl-C is for the main process, which then tells what is done."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    sys.exit(main())
