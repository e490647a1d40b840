"""The tables under way: who is connected, what they wish, and the bots. One thread, no locks.

Everything that changes a table goes through `Room.do`, which does not wait for anything between looking at the
table and writing it down: no two wishes can mix.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from time import monotonic

from essen_hilo import (
    Arrange,
    Card,
    Deal,
    GreedyBot,
    Pass,
    Phase,
    Pick,
    Reason,
    Rules,
    Show,
    Showdown,
    evaluate_high,
    evaluate_low,
    shuffled_deck,
    with_odds,
)
from examples.web_table import wire
from examples.web_table.limits import Limits
from examples.web_table.store import Links, Store
from examples.web_table.table import Covered, Event, Named, Ready, RefusedError, Table

_log = logging.getLogger(__name__)

Shuffle = Callable[[], Sequence[Card]]


class Guest:
    """A connection at a table: in a seat, or among the spectators (None)."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        #: Set when the table is not what the guest was last told.
        self.has_news = asyncio.Event()
        self.has_news.set()


class Room:
    """A table, the guests at it, and the bots that play there."""

    def __init__(self, table_id: int, store: Store, limits: Limits, shuffle: Shuffle) -> None:
        self.table: Table = store.table(table_id)
        self.guests: list[Guest] = []
        self._id = table_id
        self._store = store
        self._limits = limits
        self._shuffle = shuffle
        self._left = dict.fromkeys(range(len(self.table.seats)), monotonic())
        self._bots: asyncio.Task[None] | None = None

    # Coming and going.

    def enter(self, seat: int | None) -> Guest:
        """A new connection on a link. A person who comes back takes over from the bot.

        Raises:
            RefusedError: too-many: the link has as many connections as it may.
        """
        limits = self._limits
        most = limits.connections_per_spectators if seat is None else limits.connections_per_seat
        if sum(guest.seat == seat for guest in self.guests) >= most:
            raise RefusedError("too-many", "This link is open too often: close a tab.")
        if seat is not None and self.table.seats[seat].is_covered:
            self.do(Covered(seat, on=False))
        guest = Guest(seat)
        self.guests.append(guest)
        self._tell_everybody()
        # Some may never have come: not since the server began.
        self._tell_when_absence_counts()
        self._wake_bots()
        return guest

    def leave(self, guest: Guest) -> None:
        """A connection is gone."""
        self.guests.remove(guest)
        if guest.seat is not None and guest.seat not in self._present:
            self._left[guest.seat] = monotonic()
        self._tell_everybody()
        self._tell_when_absence_counts()

    @property
    def is_idle(self) -> bool:
        """Whether nobody is there and nothing goes on."""
        return not self.guests and (self._bots is None or self._bots.done())

    @property
    def _present(self) -> frozenset[int]:
        return frozenset(guest.seat for guest in self.guests if guest.seat is not None)

    @property
    def _away(self) -> frozenset[int]:
        """The people who have been gone for longer than a reload takes."""
        since = monotonic() - self._limits.away_seconds
        return frozenset(
            number
            for number, seat in enumerate(self.table.seats)
            if not seat.is_bot and number not in self._present and self._left[number] <= since
        )

    # Wishes.

    def ask(self, guest: Guest, request: wire.Request) -> dict[str, object]:
        """Do what a guest wishes; the answer's fields.

        Raises:
            RefusedError: Nothing has changed.
        """
        seat = guest.seat
        if isinstance(request, wire.Join):
            raise RefusedError("bad-message", "join: this connection has a link already.")
        if seat is None:
            raise RefusedError("spectator", "Spectators watch.")
        if isinstance(request, wire.Cover) and not 0 <= request.seat < len(self.table.seats):
            raise RefusedError(Reason.NO_SUCH_SEAT.value, f"seat: must be 0 to {len(self.table.seats) - 1}.")
        match request:
            case wire.Suggest():
                return {"ways": self._suggestions(seat)}
            case wire.Judge(low, high):
                return self._worth(seat, low, high)
            case _:
                self.do(self._wished(seat, request))
                return {"version": self.table.version}

    def do(self, event: Event) -> None:
        """Let something happen, with what follows from it by itself: write it down, then tell everybody.

        Raises:
            RefusedError: It can't happen, or can't be written down; nothing has changed.
        """
        table, events = self.table.apply(event), [event]
        while (due := self._due(table)) is not None:
            table = table.apply(due)
            events.append(due)
        try:
            self._store.add_events(self._id, self.table.version, events)
        except sqlite3.Error as error:
            _log.error("table %d: %s", self._id, error)
            raise RefusedError("not-stored", "The server could not write this down; nothing has changed.") from None
        self.table = table
        self._tell_everybody()
        self._wake_bots()

    def update(self, seat: int | None) -> dict[str, object]:
        """All that a seat, or a spectator, may know now."""
        return wire.update(self.table, seat, self._present, self._away)

    def _due(self, table: Table) -> Event | None:
        if table.state.phase is Phase.PASS:
            return Pass()
        return Deal(self._shuffle()) if table.may_deal else None

    def _wished(self, seat: int, wish: wire.Play | wire.TurnUp | wire.Next | wire.Rename | wire.Cover) -> Event:
        """What is to happen, as far as it can be said without the rules of the game."""
        match wish:
            case wire.Play(move):
                # Asked before the rules are: what they say of another seat's move could tell what it holds.
                if not isinstance(move, Pick | Arrange | Show) or move.seat != seat:
                    raise RefusedError("not-your-move", f"This link moves for seat {seat} only.")
                return move
            case wire.TurnUp(half):
                if self.table.state.phase != f"show-{half}":
                    raise RefusedError(Reason.WRONG_PHASE.value, f"The {half} hands are not being shown now.")
                return Showdown()
            case wire.Next(deal):
                if deal > self._limits.deals:
                    raise RefusedError("too-many", f"A table has {self._limits.deals} deals: make a new one.")
                return Ready(seat, deal)
            case wire.Rename(name):
                return Named(seat, name)
            case wire.Cover(other, on):
                if on:
                    self._check_away(other)
                return Covered(other, on)

    def _check_away(self, seat: int) -> None:
        if seat not in self._away:
            raise RefusedError("not-away", f"{self.table.seats[seat].name} is here.")

    def _suggestions(self, seat: int) -> Sequence[dict[str, object]]:
        view = self.table.state.view(seat)
        if self.table.state.phase is not Phase.ARRANGE:
            raise RefusedError(Reason.WRONG_PHASE.value, "Hands are set after the last pick.")
        return _ways(view.pool, view.rules)

    def _worth(self, seat: int, low: tuple[Card, ...], high: tuple[Card, ...]) -> dict[str, object]:
        view = self.table.state.view(seat)
        # For the asker's own cards alone, though the worth of any five cards is no secret: a use, not a service.
        if not all(card in view.pool for card in low + high):
            raise RefusedError(Reason.NOT_YOUR_CARDS.value, "A hand is made of the cards that you kept.")
        return {
            "low": str(evaluate_low(low, view.rules.low)) if len({*low}) == len(low) == 5 else None,
            "high": str(evaluate_high(high)) if len({*high}) == len(high) == 5 else None,
        }

    # Telling, and the bots.

    def _tell_everybody(self) -> None:
        for guest in self.guests:
            guest.has_news.set()

    def _tell_when_absence_counts(self) -> None:
        asyncio.get_running_loop().call_later(self._limits.away_seconds + 0.1, self._tell_everybody)

    def _wake_bots(self) -> None:
        if self.table.bots_to_act and (self._bots is None or self._bots.done()):
            self._bots = asyncio.get_running_loop().create_task(self._play_bots())

    async def _play_bots(self) -> None:
        while waiting := self.table.bots_to_act:
            await asyncio.sleep(random.uniform(0.3, 1) * self._limits.bot_seconds / len(waiting))
            # In the meantime the table has gone on: a person may be back, or have turned up all hands.
            for seat in random.sample(self.table.bots_to_act, k=min(1, len(self.table.bots_to_act))):
                view = self.table.state.view(seat)
                try:
                    self.do(GreedyBot().choose(view) if seat in view.to_act else Show(seat))
                except RefusedError as error:
                    _log.error("table %d: the bot in seat %d was refused: %s", self._id, seat, error)
                    return


class Rooms:
    """The tables of the server, taken from the store when somebody comes."""

    def __init__(self, store: Store, limits: Limits, shuffle: Shuffle = shuffled_deck) -> None:
        self._store = store
        self._limits = limits
        self._shuffle = shuffle
        self._rooms: dict[int, Room] = {}
        self._tables = len(store.table_ids())

    def make(self, rules: Rules, bots: int) -> Links:
        """A new table's links.

        Raises:
            RefusedError: bad-table or too-many.
        """
        Table.start(rules, bots)
        if self._tables >= self._limits.tables:
            raise RefusedError("too-many", "The server has as many tables as it may.")
        links = self._store.add_table(rules, bots)
        self._tables += 1
        return links

    def open(self, link: str) -> tuple[Room, int | None]:
        """The room and the seat (None for spectators) that a link leads to.

        Raises:
            RefusedError: no-such-link, whatever is wrong with it; or too-many.
        """
        place = self._store.place(link)
        if place is None:
            raise RefusedError("no-such-link", "This link leads to no table.")
        if place.table_id not in self._rooms:
            self._make_room()
            self._rooms[place.table_id] = Room(place.table_id, self._store, self._limits, self._shuffle)
        return self._rooms[place.table_id], place.seat

    def _make_room(self) -> None:
        if len(self._rooms) >= self._limits.rooms:
            self._forget(number for number, room in list(self._rooms.items()) if room.is_idle)
        if len(self._rooms) >= self._limits.rooms:
            raise RefusedError("too-many", "The server has as many tables under way as it may: try again later.")

    def _forget(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            del self._rooms[number]


@lru_cache(maxsize=512)
def _ways(cards: tuple[Card, ...], rules: Rules) -> tuple[dict[str, object], ...]:
    return tuple(
        {
            "low": [str(card) for card in way.low],
            "high": [str(card) for card in way.high],
            "low_text": str(evaluate_low(way.low, rules.low)),
            "high_text": str(evaluate_high(way.high)),
            # In hundredths: nobody plays by more.
            "odds": {
                "low_wins": round(odds.low_wins, 2),
                "high_wins": round(odds.high_wins, 2),
                "share": round(odds.share, 2),
            },
        }
        for way, odds in with_odds(cards, rules)
    )
