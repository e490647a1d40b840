"""One table as a value: the match, the deal under way, who sits where, and the events that change them.

A table is the sum of its events, as a game is the sum of its moves: `Table.apply` is the only way forward, it
refuses or answers with the next table. What happened is a list of short texts, which is all that has to be kept.
No clocks, no chance and no connections in here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from essen_hilo import (
    Arrange,
    Deal,
    GameState,
    IllegalMoveError,
    Match,
    Move,
    Pass,
    Phase,
    Pick,
    Reason,
    Result,
    Rules,
    Show,
    Showdown,
    parse_move,
)

NAME_LENGTH = 20


class RefusedError(Exception):
    """A wish that the table does not grant; nothing has changed.

    Attributes:
        reason: Why, for programs: a `Reason` of the library, or one of the table's own.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Named:
    """A person says what to be called."""

    seat: int
    name: str

    def __str__(self) -> str:
        return f"named {self.seat} {self.name}"


@dataclass(frozen=True, slots=True)
class Covered:
    """A bot begins, or stops, to play for a person."""

    seat: int
    on: bool

    def __str__(self) -> str:
        return f"covered {self.seat} {'on' if self.on else 'off'}"


@dataclass(frozen=True, slots=True)
class Ready:
    """A person is ready for a deal, by its number from 1."""

    seat: int
    deal: int

    def __str__(self) -> str:
        return f"ready {self.seat} {self.deal}"


Event = Move | Named | Covered | Ready


def parse_event(text: str) -> Event:
    """The event that `str(event)` wrote; for what this program has written itself."""
    word, _, rest = text.partition(" ")
    seat, _, what = rest.partition(" ")
    match word:
        case "named":
            return Named(int(seat), what)
        case "covered":
            return Covered(int(seat), what == "on")
        case "ready":
            return Ready(int(seat), int(what))
        case _:
            return parse_move(text)


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there.

    Attributes:
        name: What to call them.
        is_bot: Whether nobody has the seat's link.
        is_covered: Whether a bot plays for a person who is away.
        is_ready: Whether the person waits for the next deal.
    """

    name: str
    is_bot: bool
    is_covered: bool = False
    is_ready: bool = False

    @property
    def is_played_by_bot(self) -> bool:
        """Whether a bot makes the moves now."""
        return self.is_bot or self.is_covered


_BOT_NAMES = ("Bot Alma", "Bot Bruno", "Bot Clara", "Bot Denis")


@dataclass(frozen=True, slots=True)
class Table:
    """A table after so many events.

    Attributes:
        match: The deals so far, and the score.
        state: The deal under way; the last one, when it is over and the next has not begun.
        seats: Who sits where.
        results: The results of the finished deals, oldest first.
        version: The number of events so far.
    """

    match: Match
    state: GameState
    seats: tuple[Seat, ...]
    results: tuple[Result, ...] = ()
    version: int = 0

    @classmethod
    def start(cls, rules: Rules, bots: int) -> Table:
        """A new table: people in the first seats, bots in the last ones, and at least one person.

        Raises:
            RefusedError: bad-table: so many bots can't play.
        """
        people = rules.seats - bots
        if not 1 <= people <= rules.seats:
            raise RefusedError("bad-table", f"bots: must be 0 to {rules.seats - 1}")
        names = [f"Seat {seat + 1}" for seat in range(people)] + list(_BOT_NAMES[:bots])
        match = Match.start(rules)
        return cls(match, match.new_deal(), tuple(Seat(name, nth >= people) for nth, name in enumerate(names)))

    @property
    def next_deal(self) -> int | None:
        """The number of the deal that people get ready for, from 1; None while one is under way."""
        return len(self.match.deals) + 1 if self.state.phase in (Phase.DEAL, Phase.OVER) else None

    @property
    def deal(self) -> int:
        """The number of the deal on the table, from 1."""
        return max(1, len(self.match.deals) + (self.state.phase is not Phase.OVER))

    @property
    def may_deal(self) -> bool:
        """Whether everybody is ready for the next deal: bots always are, and somebody must be there in person."""
        played = [seat for seat in self.seats if not seat.is_played_by_bot]
        return self.next_deal is not None and bool(played) and all(seat.is_ready for seat in played)

    @property
    def bots_to_act(self) -> Sequence[int]:
        """The seats that a bot has to move for now.

        Of the showdown, bots do their part once somebody has begun to turn up hands one at a time.
        """
        state = self.state
        waiting: Sequence[int] = state.to_act
        if state.shown:
            waiting = [seat for seat in range(state.rules.seats) if seat not in state.shown]
        return [seat for seat in waiting if self.seats[seat].is_played_by_bot]

    def apply(self, event: Event) -> Table:
        """The table after an event.

        Raises:
            RefusedError: The library refuses a move, or the table's own rules the event.
        """
        match event:
            case Deal():
                return self._moved(self.match.new_deal(), event)
            case Named() | Covered() | Ready():
                seat = self._changed(self.seats[event.seat], event)
                seats = (*self.seats[: event.seat], seat, *self.seats[event.seat + 1 :])
                return replace(self, seats=seats, version=self.version + 1)
            case Pick() | Pass() | Arrange() | Show() | Showdown():
                return self._moved(self.state, event)

    def _moved(self, state: GameState, move: Move) -> Table:
        try:
            state = state.apply(move)
        except IllegalMoveError as error:
            raise RefusedError(error.reason.value, str(error)) from None
        table = replace(self, state=state, version=self.version + 1)
        if state.result is not None:
            return replace(table, match=self.match.settle(state), results=(*self.results, state.result))
        if isinstance(move, Deal):
            return replace(table, seats=tuple(replace(seat, is_ready=False) for seat in self.seats))
        return table

    def _changed(self, seat: Seat, event: Named | Covered | Ready) -> Seat:
        match event:
            case Named(name=name):
                return replace(seat, name=_checked_name(name))
            case Covered(on=on):
                if seat.is_bot or seat.is_covered is on:
                    raise RefusedError("no-change", f"{seat.name} is played as you wish already.")
                return replace(seat, is_covered=on)
            case Ready(deal=deal):
                if deal != self.next_deal:
                    raise RefusedError(Reason.WRONG_PHASE.value, f"Deal {deal} is not the next one to begin.")
                if seat.is_ready:
                    raise RefusedError(Reason.ALREADY_ACTED.value, f"{seat.name} is ready already.")
                return replace(seat, is_ready=True)


def _checked_name(name: str) -> str:
    # isprintable also keeps out line ends and the signs that turn the direction of writing.
    if not name.strip() or name != name.strip() or len(name) > NAME_LENGTH or not name.isprintable():
        raise RefusedError("bad-name", f"A name has 1 to {NAME_LENGTH} printable characters.")
    return name
