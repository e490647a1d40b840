"""Many games, played by bots, here or on any executor. What they add up to is a `Report`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import ParamSpec, Protocol, TypeVar

from essen_hilo.bots import Bot
from essen_hilo.cards import shuffled_deck
from essen_hilo.errors import EssenHiloError, RulesError
from essen_hilo.moves import Phase
from essen_hilo.report import Report
from essen_hilo.rules import Rules, whole_number
from essen_hilo.state import GameState

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: Makes a fresh bot that draws from the given generator: a bot's class, a `functools.partial` of it, any
#: function. To play in other processes it must be picklable, so not a lambda.
Maker = Callable[[Random], Bot]


class Future(Protocol[T_co]):
    """What `simulate` asks of a future."""

    def result(self) -> T_co:
        """What the task returned, waited for; what the task raised is raised."""
        ...

    def cancel(self) -> bool:
        """Take the task back, if it has not started."""
        ...


class Executor(Protocol):
    """What `simulate` asks of an executor: any `concurrent.futures.Executor` will do."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have the call made, some time and somewhere."""
        ...


class WorkerLostError(EssenHiloError):
    """A worker process died during a simulation, and the executor gave up.

    Attributes:
        report: The report of the deals before those that were lost.
    """

    def __init__(self, report: Report, message: str) -> None:
        super().__init__(message)
        self.report = report

    def __reduce__(self) -> tuple[type[WorkerLostError], tuple[Report, str]]:
        return type(self), (self.report, str(self))


def play_out(state: GameState, bots: Sequence[Bot]) -> GameState:
    """The state at the end of a deal that the bots, one a seat, play to its end.

    The state must be dealt; it may be anywhere in the game. Each bot gets only its seat's view.

    Raises:
        IllegalMoveError: A bot chose a move that the rules refuse, or nothing has been dealt.
        EssenHiloError: A bot chose a move for another seat.

    These, and whatever else a bot raises, have a note that names the bot, its seat and the moment.
    """
    state = state.advance()
    while state.phase is not Phase.OVER:
        for seat in state.to_act:
            try:
                state = _act(state, seat, bots[seat])
            except Exception as error:
                error.add_note(f"by the {type(bots[seat]).__name__} in seat {seat}, in {state}")
                raise
        state = state.advance()
    return state


def _act(state: GameState, seat: int, bot: Bot) -> GameState:
    move = bot.choose(state.view(seat))
    if getattr(move, "seat", seat) != seat:
        raise EssenHiloError(f"the bot in seat {seat} chose a move for another seat")
    return state.apply(move)


def simulate(
    makers: Sequence[Maker],
    deals: int,
    *,
    rules: Rules = Rules(),  # noqa: B008
    seed: int = 0,
    duplicate: bool = False,
    first: int = 0,
    executor: Executor | None = None,
    chunk: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Report:
    """The report of many deals between bots, the same for a seed wherever and in whatever pieces they are played.

    Deal number n has seat n modulo seats as its dealer and starts with nothing carried, so that deals are
    independent. Its deck follows from (`seed`, n), and each seat gets a fresh bot whose generator follows
    from (`seed`, n, seat), on every Python and machine.

    Ctrl-C (any `KeyboardInterrupt`, also one raised by `progress`) stops the simulation and gives the report of
    the deals done so far, always the first ones: `report.deals` tells how many, and
    `report + simulate(…, first=report.deals)` goes on from there.

    >>> from essen_hilo import RandomBot
    >>> report = simulate([RandomBot] * 4, 20, seed=1)
    >>> report.deals, report.staked, sum(bot.chips for bot in report.bots) + report.carried
    (20, 400, 400)
    >>> report == simulate([RandomBot] * 4, 5, seed=1) + simulate([RandomBot] * 4, 15, seed=1, first=5)
    True

    Args:
        makers: One a seat: each makes the bots of one row of the report, and they sit in that seat.
        deals: How many deals, 1 or more.
        rules: What the table agreed on.
        seed: Any whole number from 0.
        duplicate: Whether to play each deal once for each seat, the bots moving round by one each time, so
            that luck cancels. Each seat keeps its generator, so equal bots win exactly the same.
        first: The number of the first deal.
        executor: Where to play, at most a few hundred small tasks at a time; without it, here. On dask's executor
            a lost worker's tasks are played again elsewhere. With a process pool, an initializer
            that ignores SIGINT keeps the workers quiet on Ctrl-C.
        chunk: Deals in a task; without it, up to 100, and fewer in a short simulation.
        progress: Called here after each task with the deals done and the deals asked for. For a tqdm bar:
            `lambda done, total: bar.update(done - bar.n)`.

    Raises:
        RulesError: A number is not allowed, or there is not one maker a seat.
        WorkerLostError: A worker of a pool died; the error has the report so far.
        IllegalMoveError: A bot chose a move that the rules refuse. This, and whatever else a bot raises, is passed
            on with notes that name the bot, its seat, the moment, and the deal, for `play_deal` to play again.
    """
    # Takes longer to import than the whole package, and whoever has an executor has it already.
    from concurrent.futures import BrokenExecutor  # noqa: PLC0415

    _one_a_seat(makers, rules)
    whole_number("deals", deals, 1)
    stop = whole_number("first", first, 0) + deals
    step = whole_number("chunk", min(max(deals // 100, 1), 100) if chunk is None else chunk, 1)
    study = _Study(tuple(makers), rules, whole_number("seed", seed, 0), duplicate)
    report = study.play(0, 0)
    with closing(_in_order(study, range(first, stop, step), stop, executor)) as parts:
        try:
            for part in parts:
                report += part
                if progress is not None:
                    progress(report.deals, deals)
        except KeyboardInterrupt:
            return report
        except BrokenExecutor as error:
            raise WorkerLostError(
                report,
                f"a worker process died when {report.deals} of {deals} deals were done ({error}); "
                f"their report is kept in the error, and first={first + report.deals} goes on from there",
            ) from error
    return report


def play_deal(
    makers: Sequence[Maker],
    number: int,
    *,
    rules: Rules = Rules(),  # noqa: B008
    seed: int = 0,
    duplicate: bool = False,
) -> tuple[GameState, ...]:
    """The finished games of one deal exactly as `simulate` plays them: one, or one for each seat if `duplicate`.

    To look at a single game of a simulation, or to count in it what a `Report` doesn't.
    """
    seats = rules.seats
    _one_a_seat(makers, rules)
    dealt = GameState.start(rules, dealer=number % seats).deal(shuffled_deck(Random(f"{seed}/{number}")))
    games = []
    for rotation in range(seats if duplicate else 1):
        # A text as a seed gives the same generator everywhere; a tuple's hash would not.
        rngs = [Random(f"{seed}/{number}/{seat}") for seat in range(seats)]
        bots = [makers[(seat - rotation) % seats](rng) for seat, rng in enumerate(rngs)]
        try:
            games.append(play_out(dealt, bots))
        except Exception as error:
            error.add_note(f"in deal {number} of seed {seed}")
            raise
    return tuple(games)


def _one_a_seat(makers: Sequence[Maker], rules: Rules) -> None:
    if len(makers) != rules.seats:
        raise RulesError(f"makers: one for each of the {rules.seats} seats is wanted, not {len(makers)}")


#: Tasks that an executor is given at a time. Results are taken in order, so it must be well above the
#: number of workers, or they would wait for the slowest.
_IN_FLIGHT = 256


@dataclass(frozen=True, slots=True)
class _Study:
    """What every task of a simulation needs to know."""

    makers: tuple[Maker, ...]
    rules: Rules
    seed: int
    duplicate: bool

    def play(self, start: int, stop: int) -> Report:
        """One task: the report of the deals from `start` on and before `stop`."""
        return Report.of(
            [_name(maker) for maker in self.makers],
            (
                play_deal(self.makers, number, rules=self.rules, seed=self.seed, duplicate=self.duplicate)
                for number in range(start, stop)
            ),
            rules=self.rules,
            duplicate=self.duplicate,
        )


def _task(study: _Study, start: int, stop: int) -> Report:
    return study.play(start, stop)


def _in_order(study: _Study, starts: range, stop: int, executor: Executor | None) -> Generator[Report, None, None]:
    """The reports of all tasks in their order; closing this takes back those that have not started."""
    tasks = ((study, start, min(start + starts.step, stop)) for start in starts)
    if executor is None:
        for task in tasks:
            yield _task(*task)
        return
    waiting: deque[Future[Report]] = deque()
    try:
        for task in tasks:
            waiting.append(executor.submit(_task, *task))
            if len(waiting) == _IN_FLIGHT:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _name(maker: Maker) -> str:
    """What a maker is called in a report: `GreedyBot`, `SearchBot(worlds=20)`."""
    if isinstance(maker, partial):
        settings = [*map(repr, maker.args), *(f"{name}={value!r}" for name, value in maker.keywords.items())]
        return f"{_name(maker.func)}({', '.join(settings)})"
    return getattr(maker, "__name__", type(maker).__name__)
