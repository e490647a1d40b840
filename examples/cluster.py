"""A study on a dask cluster: many games between bots, played by worker processes here or on other machines.

    pip install ".[cluster]"
    python examples/cluster.py GreedyBot RandomBot --deals 2000 --duplicate
    python examples/cluster.py GreedyBot my_bots:CleverBot --address tcp://scheduler:8786

A bot is a name of essen_hilo, or `module:name` of anything that makes a bot from a `random.Random`; the last one takes
all seats that are left. Without an address a cluster of this machine's processors is started. Workers elsewhere need
the same versions of essen_hilo and of the bots. The report is the same wherever the games are played, also when workers
die on the way: dask plays their deals again elsewhere. Ctrl-C prints the report of the deals done so far.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import NoReturn

from distributed import Client, LocalCluster
from distributed.scheduler import KilledWorker
from tqdm import tqdm

from essen_hilo import EssenHiloError, LowRule, Report, Rules, simulate
from essen_hilo.simulation import Maker

#: Seconds to wait for a scheduler.
TIMEOUT = 10
#: How often dask plays a task again that failed with an error of the machinery.
RETRIES = 3
#: What each worker of a local cluster runs when it starts.
DEAF = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)"


def study(
    client: Client, makers: Sequence[Maker], deals: int, *, rules: Rules, seed: int = 0, duplicate: bool = False
) -> Report:
    """The report of the deals, played by the client's workers, with a progress bar on stderr."""
    # Not pure: dask would take two calls that look alike for the same one.
    executor = client.get_executor(pure=False, retries=RETRIES)
    with tqdm(total=deals, unit=" deals", dynamic_ncols=True) as bar:

        def progress(done: int, _: int) -> None:
            bar.update(done - bar.n)

        return simulate(
            makers, deals, rules=rules, seed=seed, duplicate=duplicate, executor=executor, progress=progress
        )


def maker(text: str) -> Maker:
    """What makes the bots that the text names.

    Raises:
        ValueError: There is no such module, or nothing of that name in it.
    """
    module, _, name = text.rpartition(":")
    try:
        found: Maker = getattr(import_module(module or "essen_hilo"), name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"no bot is called {text}: {error}") from None
    return found


@contextmanager
def connected(address: str | None, workers: int | None) -> Iterator[Client]:
    """A client of the scheduler at the address, or of a new cluster of processes on this machine.

    Raises:
        ConnectionError: No scheduler answers at the address.
    """
    if address is None:
        # Any free port for the dashboard: there may be other clusters here. Ctrl-C is for this process alone.
        local = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0", preload=[DEAF])
        with local, Client(local) as client:
            yield client
        return
    try:
        client = Client(address, timeout=TIMEOUT)
    except (OSError, ValueError) as error:
        raise ConnectionError(f"no scheduler answers at {address}: {error}") from error
    with client:
        yield client


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments."""

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the study and print its report."""
    parser = Parser(description="Play many games between bots on a dask cluster.")
    parser.add_argument(
        "bots", nargs="+", metavar="BOT", help="GreedyBot, or module:name; the last takes all seats left"
    )
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--low", default="deuce-to-seven", help="the low rule (default: %(default)s)")
    parser.add_argument(
        "--duplicate", action="store_true", help="play each deal once for each seat, the bots moving round"
    )
    parser.add_argument("--address", help="of a scheduler; without it, a cluster on this machine")
    parser.add_argument("--workers", type=int, help="worker processes of a cluster on this machine")
    given = parser.parse_args(arguments)
    try:
        rules = Rules(seats=given.seats, low=LowRule.named(given.low))
        makers = [maker(text) for text in given.bots]
    except ValueError as error:
        parser.error(str(error))
    if given.workers is not None and given.workers < 1:
        parser.error("--workers: 1 or more are wanted")
    makers += [makers[-1]] * (rules.seats - len(makers))
    try:
        with connected(given.address, given.workers) as client:
            report = study(client, makers, given.deals, rules=rules, seed=given.seed, duplicate=given.duplicate)
    except (EssenHiloError, ConnectionError) as error:
        parser.error(" ".join(str(error).split()))
    except KilledWorker as error:
        parser.exit(1, f"{parser.prog}: given up: every worker that took task {error.task} died\n")
    if report.deals < given.deals:
        print(f"Stopped after {report.deals} of {given.deals} deals.")
    print(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
