"""Servers to test against, and clients that talk to them over real sockets."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from essen_hilo import shuffled_deck
from examples.web_table.__main__ import listen
from examples.web_table.limits import Limits
from examples.web_table.rooms import Rooms, Shuffle
from examples.web_table.server import Server, config
from examples.web_table.store import Store

ROOT = Path(__file__).parents[2]
PATIENCE = 30.0

RULES = {"seats": 4, "ante": 5, "low": "deuce-to-seven", "odd_chips": "stay", "bots": 0}

Update = dict[str, Any]


def post(address: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, dict[str, Any], dict[str, str]]:
    """Status, JSON and headers of the answer to a request to make a table."""
    request = urllib.request.Request(f"{address}tables", body, dict(headers))
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.load(answer), dict(answer.headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error), dict(error.headers)


def make_table(address: str, **wishes: object) -> tuple[list[str], str]:
    """The links of a new table: the people's seats', and the spectators'."""
    body = json.dumps({**RULES, **wishes}).encode()
    status, answer, _ = post(address, body, {"Content-Type": "application/json"})
    assert status == 201, answer
    return [link for link in answer["seats"] if link is not None], answer["spectators"]


class Talker:
    """A client that waits for what it expects, and keeps everything that it was told."""

    def __init__(
        self, address: str, link: str | None = None, origin: str | None = None, buffer: int | None = None
    ) -> None:
        """Connect; a small `buffer` is full soon when its owner does not read."""
        self.heard: list[dict[str, Any]] = []
        self._number = 0
        self._stack = ExitStack()
        raw = socket.socket()
        if buffer is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        host, port = address.removeprefix("http://").rstrip("/").split(":")
        raw.connect((host, int(port)))
        self.socket = self._stack.enter_context(
            connect(
                f"{address.replace('http', 'ws')}socket",
                sock=raw,
                origin=None if origin is None else Origin(origin),
                compression=None,
                max_size=None,
                close_timeout=1,
            )
        )
        if link is not None:
            self.say({"type": "join", "link": link})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._stack.close()

    def say(self, message: object) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self) -> dict[str, Any]:
        """The next message."""
        text = self.socket.recv(timeout=PATIENCE)
        assert isinstance(text, str)
        self.heard.append(json.loads(text))
        return self.heard[-1]

    def ask(self, **message: object) -> dict[str, Any]:
        """The answer to a wish."""
        self._number += 1
        self.say({**message, "id": self._number})
        return self.until(lambda heard: heard.get("id") == self._number)

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message of which this is true."""
        while not wanted(self.hear()):
            pass
        return self.heard[-1]

    def update(self, wanted: Callable[[Update], bool] = lambda _: True) -> Update:
        """The next update of which this is true."""
        return self.until(lambda heard: heard["type"] == "table" and wanted(heard))

    def now(self, wanted: Callable[[Update], bool]) -> Update:
        """The last update, if this is true of it, or the next one of which it is."""
        last = self.updates()[-1:]
        return last[0] if last and wanted(last[0]) else self.update(wanted)

    def updates(self) -> list[Update]:
        """All updates so far."""
        return [heard for heard in self.heard if heard["type"] == "table"]

    def closing_code(self) -> int | None:
        """Why the server closes the socket, once it does."""
        with suppress(ConnectionClosed):
            while True:
                self.socket.recv(timeout=PATIENCE)
        return self.socket.close_code


class ThreadedServer:
    """A server in this process, so that a test can give it limits and a deck."""

    def __init__(self, file: Path, limits: Limits, shuffle: Shuffle = shuffled_deck) -> None:
        self._listening = listen("127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}/"
        self._server: uvicorn.Server | None = None
        # A SQLite connection stays in the thread that opened it.
        self._thread = threading.Thread(target=self._run, args=(file, limits, shuffle), daemon=True)
        self._thread.start()
        wait_for(lambda: self._server is not None and self._server.started)

    def stop(self) -> None:
        assert self._server is not None
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        self._listening.close()

    def _run(self, file: Path, limits: Limits, shuffle: Shuffle) -> None:
        store = Store(file)
        self._server = uvicorn.Server(config(Server(Rooms(store, limits, shuffle), limits, ["cards.example"]), limits))
        self._server.run(sockets=[self._listening])
        store.close()


@contextmanager
def serving(file: Path, limits: Limits = Limits(), shuffle: Shuffle = shuffled_deck) -> Iterator[ThreadedServer]:  # noqa: B008
    server = ThreadedServer(file, limits, shuffle)
    try:
        yield server
    finally:
        server.stop()


class ServerProcess:
    """The server as people start it, to be killed and started again on the same port."""

    def __init__(self, file: Path, *options: str) -> None:
        self._file = file
        self._options = options
        self._port = 0
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "examples.web_table", "--port", str(self._port)),
                *("--database", str(self._file), *self._options),
            ],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert self._process.stdout is not None
        found = re.search(r"http://127.0.0.1:(\d+)/", self._process.stdout.readline())
        assert found is not None
        self.address, self._port = found[0], int(found[1])

    def kill(self) -> None:
        """SIGKILL: nothing is said and nothing put away."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def wait_for(is_so: Callable[[], bool]) -> None:
    """Until something is so that no message tells."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)
