"""Tables in a SQLite file: their rules, their links and their events, each written before anybody hears of it.

A link is stored as its SHA-256 alone, so that the file gives nobody a seat; but the events hold every card, so the
file is for the one who runs the server. `INSERT` under a primary key is what makes it impossible to lose or to
double an event: the next one of a table has one number, and a number is taken once.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from essen_hilo import Rules
from examples.web_table.table import Event, Table, parse_event

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    id INTEGER PRIMARY KEY,
    rules TEXT NOT NULL,
    bots INTEGER NOT NULL,
    used INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS links (
    hash BLOB PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables ON DELETE CASCADE,
    seat INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    table_id INTEGER NOT NULL REFERENCES tables ON DELETE CASCADE,
    number INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;
"""


class StoreError(Exception):
    """The file can't be used; the message says why in one line."""


class Links(NamedTuple):
    """The secrets of a new table, which are nowhere else: by seat, None for a bot's; and the spectators'."""

    seats: tuple[str | None, ...]
    spectators: str


class Place(NamedTuple):
    """Where a link leads: to a seat of a table, or to its spectators (None)."""

    table_id: int
    seat: int | None


class Store:
    """The file, held by one server at a time."""

    def __init__(self, path: Path) -> None:
        """The store in this file, which is made if it is not there, for its owner's eyes only.

        Raises:
            StoreError: The file is no such store, can't be written, or another server has it.
        """
        try:
            path.touch(mode=0o600)
            self._file = sqlite3.connect(path, timeout=1)
            self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._file.execute("PRAGMA journal_mode = WAL")
            # A commit survives the death of this program, whatever kills it, as soon as the system has it.
            # FULL would wait for the disk as well, 100 times as long, against a power cut.
            self._file.execute("PRAGMA synchronous = NORMAL")
            self._file.execute("PRAGMA foreign_keys = ON")
            self._file.executescript(_SCHEMA)
            self._file.commit()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{path}: {error}") from None

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def add_table(self, rules: Rules, bots: int) -> Links:
        """Keep a new table and answer with its links: 128 random bits each."""
        people = rules.seats - bots
        links = Links((*(_new_link() for _ in range(people)), *[None] * bots), _new_link())
        with self._file:
            row = (json.dumps(rules.to_dict()), bots, int(time.time()))
            table_id = self._file.execute("INSERT INTO tables (rules, bots, used) VALUES (?, ?, ?)", row).lastrowid
            self._file.executemany(
                "INSERT INTO links VALUES (?, ?, ?)",
                [(_hash(link), table_id, seat) for seat, link in enumerate(links.seats) if link is not None]
                + [(_hash(links.spectators), table_id, None)],
            )
        return links

    def place(self, link: str) -> Place | None:
        """Where a link leads, or None.

        The look-up compares hashes, so how long it takes says nothing about how much of a guess was right.
        """
        row = self._file.execute("SELECT table_id, seat FROM links WHERE hash = ?", (_hash(link),)).fetchone()
        return Place(*row) if row else None

    def table(self, table_id: int) -> Table:
        """The table after all its events."""
        rules, bots = self._file.execute("SELECT rules, bots FROM tables WHERE id = ?", (table_id,)).fetchone()
        table = Table.start(Rules.from_dict(json.loads(rules)), bots)
        for event in self.events(table_id):
            table = table.apply(event)
        return table

    def events(self, table_id: int) -> list[Event]:
        """All that happened at the table, in order."""
        rows = self._file.execute("SELECT event FROM events WHERE table_id = ? ORDER BY number", (table_id,))
        return [parse_event(text) for (text,) in rows]

    def add_events(self, table_id: int, version: int, events: Sequence[Event]) -> None:
        """Keep what happened after the first `version` events; all of it or, if this raises, nothing.

        Raises:
            sqlite3.Error: The disk is full, or one of these numbers is taken.
        """
        with self._file:
            self._file.executemany(
                "INSERT INTO events VALUES (?, ?, ?)",
                [(table_id, number, str(event)) for number, event in enumerate(events, version)],
            )
            self._file.execute("UPDATE tables SET used = ? WHERE id = ?", (int(time.time()), table_id))

    def table_ids(self) -> list[int]:
        """The tables in the file, oldest first."""
        return [table_id for (table_id,) in self._file.execute("SELECT id FROM tables ORDER BY id")]

    def delete_unused(self, days: int) -> None:
        """Forget the tables at which nothing has happened for so long."""
        with self._file:
            self._file.execute("DELETE FROM tables WHERE used < ?", (int(time.time()) - days * 86_400,))


def _new_link() -> str:
    return secrets.token_urlsafe(16)


def _hash(link: str) -> bytes:
    return hashlib.sha256(link.encode("utf-8", "surrogatepass")).digest()
