"""Starts the web table: `python -m examples.web_table`, then open the address it prints."""

from __future__ import annotations

import argparse
import dataclasses
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn

from examples.web_table.limits import Limits
from examples.web_table.rooms import Rooms
from examples.web_table.server import Server, config
from examples.web_table.store import Store, StoreError


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C; the exit status, 2 for what can't be started."""
    options = _options().parse_args(arguments)
    try:
        limits = _limits(options.limit)
        store = Store(options.database)
    except (StoreError, ValueError) as error:
        print(f"web_table: {error}", file=sys.stderr)
        return 2
    try:
        listening = listen(options.host, options.port)
    except (OSError, OverflowError) as error:
        print(f"web_table: {options.host}:{options.port}: {error}", file=sys.stderr)
        store.close()
        return 2
    # Ctrl-C; uvicorn raises it once more when it has ended everything in good order.
    with suppress(KeyboardInterrupt):
        _serve(store, listening, limits, options)
    store.close()
    return 0


def _serve(store: Store, listening: socket.socket, limits: Limits, options: argparse.Namespace) -> None:
    store.delete_unused(limits.days)
    server = Server(Rooms(store, limits), limits, options.origin)
    host, port = listening.getsockname()[:2]
    name = f"[{host}]" if ":" in host else host
    print(f"Essen high-low is served at http://{name}:{port}/ (Ctrl-C ends; tables are kept in {options.database})")
    sys.stdout.flush()
    uvicorn.Server(config(server, limits, behind_proxy=options.behind_proxy)).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """The socket to serve on; an OSError or OverflowError if there can be none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=512)
    # An answer and an update are two small writes: without this, the second waits 40 ms for the first one's receipt.
    # asyncio sets it on the sockets that it makes itself; those that are accepted here inherit it.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # What lies in a buffer is old when a slow guest gets it; what does not fit is told anew when there is room.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)
    return listening


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m examples.web_table", description="A table for Essen high-low.")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets other machines in (default: %(default)s)")
    parser.add_argument("--port", default=8000, type=int, help="0 takes any free one (default: %(default)s)")
    parser.add_argument("--database", default=Path("web_table.sqlite3"), type=Path, help="default: %(default)s")
    parser.add_argument("--origin", action="append", default=[], metavar="HOST", help="a proxy's public host name")
    parser.add_argument("--behind-proxy", action="store_true", help="trust X-Forwarded-For of a proxy on this machine")
    parser.add_argument("--limit", action="append", default=[], metavar="NAME=NUMBER", help="see limits.py")
    return parser


def _limits(texts: Sequence[str]) -> Limits:
    defaults = dataclasses.asdict(Limits())
    wanted = {}
    for text in texts:
        name, _, number = text.partition("=")
        if name not in defaults:
            raise ValueError(f"--limit: {name!r} is not one of {', '.join(defaults)}")
        try:
            wanted[name] = type(defaults[name])(number)
        except ValueError:
            raise ValueError(f"--limit: {name} must be a number, not {number!r}") from None
    return dataclasses.replace(Limits(), **wanted)


if __name__ == "__main__":
    sys.exit(main())
