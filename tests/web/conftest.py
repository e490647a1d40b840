"""Tests of the web table: real sockets, and the system's chromium; nothing is skipped where one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.web_table.limits import Limits
from tests.web.support import Talker, ThreadedServer, make_table, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server for a module's tests, generous to a single address."""
    limits = Limits(
        connections_per_address=1000, join_burst=10_000, table_burst=1000, bot_seconds=0.02, away_seconds=0.2
    )
    with serving(tmp_path_factory.mktemp("server") / "tables.sqlite3", limits) as running:
        yield running


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite3"


@pytest.fixture
def people(server: ThreadedServer) -> Iterator[list[Talker]]:
    """Four people at a table whose first deal has begun; each has heard of it."""
    links, _ = make_table(server.address)
    talkers = [Talker(server.address, link) for link in links]
    for talker in talkers:
        assert talker.ask(type="next", deal=1)["type"] == "ok"
    for talker in talkers:
        talker.update(lambda update: update["view"]["phase"] == "pick")
    yield talkers
    for talker in talkers:
        talker.close()
