"""How much of everything the server puts up with. The numbers are stated here and nowhere else."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Every limit, with a default that a table of friends never meets.

    Attributes:
        message_bytes: The longest message that a socket takes, and the longest request to make a table. A longer
            message closes its connection; the longest honest one has about 100 bytes.
        messages_per_second: Messages a connection may send in the long run; more are refused.
        message_burst: Messages that it may send at once.
        refused_messages: After so many messages too many, the connection is closed.
        connections: Open sockets of the whole server.
        connections_per_address: Open sockets from one address.
        connections_per_seat: Open sockets on one link: tabs and devices.
        connections_per_spectators: Open sockets on one table's link for spectators.
        joins_per_minute: Sockets that one address may open in the long run.
        join_burst: Sockets that it may open at once.
        join_seconds: Time that an open socket has to name its link.
        send_seconds: Time that a connection has to take one message before it is given up.
        tables: Tables in the file.
        tables_per_hour: Tables that one address may make in the long run.
        table_burst: Tables that it may make at once.
        rooms: Tables kept in memory; those nobody is connected to go first.
        deals: Deals of one table.
        days: Tables not used for so long are deleted when the server starts.
        ante: The highest ante.
        away_seconds: A seat is away when it has been disconnected for so long; a reload is shorter.
        bot_seconds: The longest time that a bot pretends to think.
    """

    message_bytes: int = 2048
    messages_per_second: float = 10.0
    message_burst: int = 40
    refused_messages: int = 100
    connections: int = 2000
    connections_per_address: int = 60
    connections_per_seat: int = 6
    connections_per_spectators: int = 40
    joins_per_minute: float = 60.0
    join_burst: int = 120
    join_seconds: float = 10.0
    send_seconds: float = 20.0
    tables: int = 5000
    tables_per_hour: float = 60.0
    table_burst: int = 20
    rooms: int = 500
    deals: int = 200
    days: int = 90
    ante: int = 1_000_000
    away_seconds: float = 6.0
    bot_seconds: float = 1.5


class Bucket:
    """A token bucket: `burst` at once, `rate` a second in the long run."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = burst
        self._then = clock()

    def take(self) -> bool:
        """Whether one more is allowed now; if so, it is counted."""
        self._refill()
        if self._left < 1:
            return False
        self._left -= 1
        return True

    @property
    def is_full(self) -> bool:
        """Whether the bucket says the same as a new one."""
        self._refill()
        return self._left >= self._burst

    def _refill(self) -> None:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now


class Buckets:
    """A bucket for each address that was heard of lately."""

    # A bucket takes some 200 bytes, and many addresses can knock before the first one has refilled.
    _MOST = 10_000

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        """Whether this address may have one more now; if so, it is counted."""
        if address not in self._buckets:
            if len(self._buckets) >= self._MOST:
                self._buckets = {known: bucket for known, bucket in self._buckets.items() if not bucket.is_full}
            if len(self._buckets) >= self._MOST:
                return False
            self._buckets[address] = Bucket(self._rate, self._burst, self._clock)
        return self._buckets[address].take()
