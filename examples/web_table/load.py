"""Many tables of scripted clients at once, against a real server: `python -m examples.web_table.load`.

Says how long it takes from a pick to everybody's update. Then kills the server and checks in its file that every
move that a client sent is there once, in the client's order, and that no other is.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from essen_hilo import Arrange, Pick
from examples.web_table.store import Store

_SEATS = 4
# All clients come from one address and at once, as no friends do.
_RAISED = ("connections_per_address", "join_burst", "table_burst", "connections", "tables", "rooms")


class LostMoveError(Exception):
    """A move that was sent is not in the file, or is there twice, or is not as it was sent."""


@dataclass(frozen=True)
class LoadReport:
    """What came of it; times in milliseconds, from a pick to everybody's update."""

    tables: int
    picks: int
    seconds: float
    median: float
    p95: float
    worst: float

    def __str__(self) -> str:
        return (
            f"{self.tables} tables at once, {self.picks:,} picks in {self.seconds:.1f} s, none lost or doubled.\n"
            f"From a pick to everybody's update: median {self.median:.1f} ms, 95th percentile {self.p95:.1f} ms, "
            f"worst {self.worst:.1f} ms."
        )


class Watch:
    """What the clients of one table have sent, and when all of them had heard of it."""

    def __init__(self) -> None:
        #: By seat, the moves sent, in order.
        self.moves: dict[int, list[str]] = {seat: [] for seat in range(_SEATS)}
        #: By pick, the seconds until everybody had heard of it.
        self.latencies: list[float] = []
        self._unheard: dict[tuple[int, int, int], tuple[float, set[int]]] = {}

    def sends_pick(self, deal: int, turn: int, seat: int) -> None:
        """A pick goes out now."""
        self._unheard[deal, turn, seat] = (time.perf_counter(), set(range(_SEATS)))

    def hears(self, listener: int, update: Mapping[str, Any]) -> None:
        """A client has got an update just now."""
        now, view = time.perf_counter(), update["view"]
        for (deal, turn, seat), (then, deaf) in list(self._unheard.items()):
            is_later = (update["deal"], view["round"]) > (deal, turn) or view["phase"] != "pick"
            if is_later or seat not in view["to_act"]:
                deaf.discard(listener)
            if not deaf:
                self.latencies.append(now - then)
                del self._unheard[deal, turn, seat]


class Client:
    """One scripted player: it thinks, picks anything, sets any hands, and never asks twice."""

    def __init__(self, socket: ClientConnection, watch: Watch, think: float) -> None:
        self._socket = socket
        self._watch = watch
        self._think = think
        self._done: set[tuple[object, ...]] = set()

    async def play(self, link: str, deals: int) -> None:
        """Play until so many deals are over."""
        await self._send({"type": "join", "link": link})
        # Thinking goes on beside listening: what the others do is heard at once.
        async with asyncio.TaskGroup() as thinking:
            async for text in self._socket:
                update = json.loads(text)
                if update["type"] == "refused":
                    raise RuntimeError(f"refused: {text!r}")
                if update["type"] == "table":
                    self._watch.hears(update["view"]["seat"], update)
                    if update["deals"] == deals:
                        return
                    thinking.create_task(self._act(update))

    async def _act(self, update: Mapping[str, Any]) -> None:
        view, seat = update["view"], update["view"]["seat"]
        step = (update["deal"], view["phase"], view["round"], update["next_deal"])
        if step in self._done:
            return
        if seat in view["to_act"]:
            self._done.add(step)
            await asyncio.sleep(self._think * random.uniform(0.5, 1.5))
            await self._move(update["deal"], view, seat)
        elif view["phase"] in ("show-low", "show-high") and seat == 0:
            self._done.add(step)
            await self._send({"type": "showdown", "half": view["phase"].removeprefix("show-")})
        elif update["next_deal"] is not None:
            self._done.add(step)
            await self._send({"type": "next", "deal": update["next_deal"]})

    async def _move(self, deal: int, view: Mapping[str, Any], seat: int) -> None:
        if view["phase"] == "pick":
            move = f"pick {seat} {random.choice(view['pack'])}"
            self._watch.sends_pick(deal, view["round"], seat)
        else:
            cards = random.sample(view["pool"], 10)
            move = f"arrange {seat} {''.join(cards[:5])} / {''.join(cards[5:])}"
        self._watch.moves[seat].append(move)
        await self._send({"type": "move", "move": move})

    async def _send(self, message: Mapping[str, object]) -> None:
        await self._socket.send(json.dumps(message))


def run(tables: int, deals: int, think: float) -> LoadReport:
    """Play so many deals at so many tables, each pick after about `think` seconds.

    Raises:
        LostMoveError: What was sent is not what the file has.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "load.sqlite3")
        command = [sys.executable, "-m", "examples.web_table", "--port", "0", "--database", str(file)]
        for name in _RAISED:
            command += ["--limit", f"{name}=100000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://\S+/", server.stdout.readline())
                if found is None:
                    raise RuntimeError("the server did not start")
                links = [_make_table(found[0]) for _ in range(tables)]
                started = time.perf_counter()
                watches = asyncio.run(_play_all(f"{found[0].replace('http', 'ws')}socket", links, deals, think))
                seconds = time.perf_counter() - started
            finally:
                server.kill()
        check(file, watches)
    latencies = sorted(1000 * latency for watch in watches for latency in watch.latencies)
    return LoadReport(tables, len(latencies), seconds, median(latencies), quantiles(latencies, n=20)[-1], latencies[-1])


def check(file: Path, watches: Sequence[Watch]) -> None:
    """Compare what the clients of each table sent with what the file has.

    Raises:
        LostMoveError: They differ.
    """
    store = Store(file)
    try:
        for table_id, watch in zip(store.table_ids(), watches, strict=True):
            # Refuses a game in which anything is missing or twice.
            store.table(table_id)
            kept: dict[int, list[str]] = {seat: [] for seat in range(_SEATS)}
            for event in store.events(table_id):
                if isinstance(event, Pick | Arrange):
                    kept[event.seat].append(str(event))
            if kept != watch.moves:
                raise LostMoveError(f"table {table_id}: what was sent is not what the file has")
    finally:
        store.close()


async def _play_all(address: str, tables: Sequence[Sequence[str]], deals: int, think: float) -> list[Watch]:
    watches = [Watch() for _ in tables]

    async def sit_down(link: str, watch: Watch) -> None:
        async with connect(address, compression=None) as socket:
            await Client(socket, watch, think).play(link, deals)

    async with asyncio.TaskGroup() as players:
        for links, watch in zip(tables, watches, strict=True):
            for link in links:
                players.create_task(sit_down(link, watch))
    return watches


def _make_table(address: str) -> list[str]:
    rules = {"seats": _SEATS, "ante": 5, "low": "deuce-to-seven", "odd_chips": "stay", "bots": 0}
    request = urllib.request.Request(
        f"{address}tables", json.dumps(rules).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        links: list[str] = json.load(answer)["seats"]
    return links


def main() -> int:
    """Run as the command line says; the exit status."""
    parser = argparse.ArgumentParser("python -m examples.web_table.load", description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=_count, default=50, help="default: %(default)s")
    parser.add_argument("--deals", type=_count, default=2, help="default: %(default)s")
    parser.add_argument(
        "--think", type=_seconds, default=1.0, help="seconds, on average, for a pick (default: %(default)s)"
    )
    options = parser.parse_args()
    try:
        print(run(options.tables, options.deals, options.think))
    except LostMoveError as error:
        print(f"load: {error}", file=sys.stderr)
        return 1
    return 0


def _count(text: str) -> int:
    if int(text) < 1:
        raise ValueError
    return int(text)


def _seconds(text: str) -> float:
    if not 0 <= float(text) < inf:
        raise ValueError
    return float(text)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
