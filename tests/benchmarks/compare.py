"""Measure essen_hilo beside the libraries that one would pick instead, in one run on one machine.

    python tests/benchmarks/compare.py
    python tests/benchmarks/compare.py --json figures.json

Nothing is installed: a peer that is missing is named (`pip install -e ".[bench]"` brings them all).
Nothing passes or fails: targets stand beside the figures.

How it is measured: every round takes each figure once, ours and the peers' in turn, so that all meet the same
moods of the machine; a figure is the median of its rounds. Calls are made as users make them: on the library's own
objects, through its public names, checks included. Imports and first uses happen in fresh processes. Setting the
stage (cards, deals, games still to be played) is off the clock. Every random choice is `choices[int(random() * n)]`,
the cheapest there is, for all alike.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, TypeVar

from essen_hilo import (
    ACE_TO_FIVE,
    DECK,
    DEUCE_TO_SEVEN,
    Card,
    GameState,
    Knowledge,
    Phase,
    RandomBot,
    Record,
    Rules,
    evaluate_high,
    evaluate_low,
    frontier,
    play_out,
    shuffled_deck,
)

A = TypeVar("A")
B = TypeVar("B")
Hands = Sequence[tuple[Card, ...]]
Timer = Callable[[], float]  # takes one measurement: the seconds of one call, pick, game, import

RULES = Rules(seats=4)
PICKS = RULES.seats * 13


# What the table says.


@dataclass(frozen=True)
class Row:
    """One line of the table: a figure of ours, beside a peer's if `theirs` names one.

    The target is the largest ratio wished for, or the largest figure where ours stands alone.
    """

    ours: str
    theirs: str | None = None
    target: float | None = None
    unit: str = "s"


ROWS = (
    Row("evaluate_high", "eval7 evaluate", 1.0),
    Row("evaluate_high", "pokerkit StandardHighHand", 0.1),
    Row("evaluate_high", "treys evaluate"),
    Row("evaluate_high", "phevaluator evaluate_cards"),
    Row("evaluate_low, deuce-to-seven", "eval7 evaluate", 1.0),
    Row("evaluate_low, deuce-to-seven", "pokerkit StandardLowHand", 0.1),
    Row("evaluate_low, ace-to-five", "eval7 evaluate", 1.0),
    Row("evaluate_low, ace-to-five", "pokerkit RegularLowHand", 0.1),
    Row("frontier of 10 cards", "eval7 evaluate", 200),
    Row("frontier of 13 cards", "eval7 evaluate", 800),
    Row("frontier of 17 cards", "eval7 evaluate"),
    Row("frontier of 26 cards", "eval7 evaluate"),
    Row("a pick of a random draft", "a move of OpenSpiel hearts", 3.0),
    Row("a pick of a random draft", "a move of OpenSpiel python_liars_poker", 0.5),
    Row("view(seat)", "a pick of a random draft", 3.0),
    Row("Knowledge.sample, first pick", "eval7 evaluate", 167),
    Row("a game of four RandomBots", "a game of OpenSpiel hearts", 4.0),
    Row("Record.of, a whole game", target=2e-3),
    Row("to_json, a whole game", target=2e-3),
    Row("from_json and replay, a whole game", target=2e-3),
    Row("import essen_hilo", "import treys", 2.5),
    Row("import essen_hilo", "import pokerkit", 0.1),
    Row("from essen_hilo import *", "import treys", 2.5),
    Row("from essen_hilo import *", "import pokerkit", 0.1),
    Row("from essen_hilo import *", "import eval7"),
    Row("from essen_hilo import *", "import phevaluator"),
    Row("first evaluate_high", target=30e-3),
    Row("first evaluate_low, deuce-to-seven", target=30e-3),
    Row("first evaluate_low, ace-to-five", target=30e-3),
    Row("first evaluate_low, ace-to-six", target=30e-3),
    Row("first evaluate_low, deuce-to-six", target=30e-3),
    Row("memory of all tables", target=8e6, unit="B"),
    Row("memory of a step in mid-draft", unit="B"),
)


# Ways to take the time.


def timing(call: Callable[[A], object], arguments: Sequence[A]) -> Timer:
    """A timer of `call(argument)`: the mean over all arguments, the second time they are gone through.

    The first time brings back into the processor's caches what the figures before this one have driven out.
    """

    def once() -> float:
        for argument in arguments:
            call(argument)
        started = perf_counter()
        for argument in arguments:
            call(argument)
        return (perf_counter() - started) / len(arguments)

    return once


def timing_with(call: Callable[[A, B], object], arguments: Sequence[A], second: B) -> Timer:
    """The same of `call(argument, second)`; written out, since a wrapper would be part of what is timed."""

    def once() -> float:
        for argument in arguments:
            call(argument, second)
        started = perf_counter()
        for argument in arguments:
            call(argument, second)
        return (perf_counter() - started) / len(arguments)

    return once


def timing_fresh(call: Callable[[A], object], make_arguments: Callable[[], Sequence[A]]) -> Timer:
    """A timer of `call` on arguments made anew for each measurement, so that nothing remembered helps."""

    def once() -> float:
        arguments = make_arguments()
        started = perf_counter()
        for argument in arguments:
            call(argument)
        return (perf_counter() - started) / len(arguments)

    return once


def fresh_process(program: str) -> float:
    """The number that `program` prints, run by this Python in a process of its own."""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    if ran.returncode:
        sys.exit(f"this program failed:\n{program}\n{ran.stderr}")
    return float(ran.stdout)


def timing_import(statement: str) -> Timer:
    """A timer of an import statement in a new process."""
    clock = "from time import perf_counter; started = perf_counter()"
    return partial(fresh_process, f"{clock}; {statement}; print(perf_counter() - started)")


# Our figures.


def our_timers(rng: Random, hands: Hands) -> dict[str, Timer]:
    """A timer for each figure of ours."""
    timers: dict[str, Timer] = {
        "evaluate_high": timing(evaluate_high, hands),
        "evaluate_low, deuce-to-seven": timing_with(evaluate_low, hands, DEUCE_TO_SEVEN),
        "evaluate_low, ace-to-five": timing_with(evaluate_low, hands, ACE_TO_FIVE),
        "frontier of 10 cards": timing(frontier, random_hands(rng, 40, 10)),
        "frontier of 13 cards": timing(frontier, random_hands(rng, 20, 13)),
        "frontier of 17 cards": timing(frontier, random_hands(rng, 5, 17)),
        "frontier of 26 cards": timing(frontier, random_hands(rng, 1, 26)),
        "a pick of a random draft": partial(time_of_a_pick, rng),
        "view(seat)": partial(time_of_a_view, rng),
        "Knowledge.sample, first pick": timing(Knowledge(dealt_game(rng).view(0)).sample, [rng] * 40),
        "a game of four RandomBots": timing(play_whole_game, [rng] * 10),
        "Record.of, a whole game": timing_fresh(Record.of, lambda: played_games(rng)),
        "to_json, a whole game": timing_fresh(Record.to_json, lambda: [Record.of(game) for game in played_games(rng)]),
        "from_json and replay, a whole game": timing_fresh(
            replay, lambda: [Record.of(game).to_json() for game in played_games(rng)]
        ),
        # The package loads a module when a name of it is first asked for: the bare import puts the work off, and
        # only the import of every name is all of it.
        "import essen_hilo": timing_import("import essen_hilo"),
        "from essen_hilo import *": timing_import("from essen_hilo import *"),
        "first evaluate_high": timing_first_use("evaluate_high(hand)"),
    }
    for low in ("deuce-to-seven", "ace-to-five", "ace-to-six", "deuce-to-six"):
        timers[f"first evaluate_low, {low}"] = timing_first_use(f"evaluate_low(hand, LowRule.named('{low}'))")
    return timers


def random_hands(rng: Random, count: int, size: int) -> Hands:
    """`count` hands of `size` different cards, in no order."""
    return [tuple(rng.sample(DECK, size)) for _ in range(count)]


def dealt_game(rng: Random) -> GameState:
    """A game of 4 x 13 before the first pick."""
    return GameState.start(RULES).deal(shuffled_deck(rng))


def draft(state: GameState, rng: Random) -> Iterator[GameState]:
    """Every state of a draft of random picks, after each pick and after each pass."""
    random = rng.random
    while state.phase is not Phase.ARRANGE:
        for seat in state.to_act:
            moves = state.legal_moves(seat)
            state = state.apply(moves[int(random() * len(moves))])
            yield state
        state = state.advance()
        yield state


def time_of_a_pick(rng: Random) -> float:
    """Seconds for one pick: asking what is legal, choosing, applying, and its share of the passes."""
    random = rng.random
    games = [dealt_game(rng) for _ in range(20)]
    started = perf_counter()
    for state in games:
        while state.phase is not Phase.ARRANGE:
            for seat in state.to_act:
                moves = state.legal_moves(seat)
                state = state.apply(moves[int(random() * len(moves))])
            state = state.advance()
    return (perf_counter() - started) / (len(games) * PICKS)


def time_of_a_view(rng: Random) -> float:
    """Seconds for one seat's view, over all seats of all states of a draft."""
    states = list(draft(dealt_game(rng), rng))
    started = perf_counter()
    for state in states:
        for seat in range(RULES.seats):
            state.view(seat)
    return (perf_counter() - started) / (len(states) * RULES.seats)


def play_whole_game(rng: Random) -> GameState:
    """A game of four random players, from the shuffle to the last chip."""
    return play_out(dealt_game(rng), [RandomBot(rng) for _ in range(RULES.seats)])


def played_games(rng: Random) -> list[GameState]:
    """A few finished games."""
    return [play_whole_game(rng) for _ in range(5)]


def replay(text: str) -> GameState:
    """The end of the game that a JSON document tells."""
    return Record.from_json(text).replay()


def timing_first_use(call: str) -> Timer:
    """A timer of `call` where nothing has been evaluated before: what it costs to build its table."""
    program = f"""
from time import perf_counter
from essen_hilo import LowRule, evaluate_high, evaluate_low, parse_cards
hand = parse_cards("7h 5d 4c 3s 2d")
started = perf_counter()
{call}
print(perf_counter() - started)
"""
    return partial(fresh_process, program)


def memory_of_all_tables() -> float:
    """Bytes held after every table has been asked for, less what was held before."""
    return fresh_process("""
import gc, tracemalloc
from essen_hilo import DECK, LowRule, evaluate_high, evaluate_low, frontier
tracemalloc.start()
evaluate_high(DECK[:5])
for low in ("deuce-to-seven", "ace-to-five", "ace-to-six", "deuce-to-six"):
    evaluate_low(DECK[:5], LowRule.named(low))
    frontier(DECK[:13], LowRule.named(low))
gc.collect()
print(tracemalloc.get_traced_memory()[0])
""")


def memory_of_a_step(rng: Random) -> float:
    """Bytes that one more state adds when all states of a draft are kept."""
    start = dealt_game(rng)
    gc.collect()
    tracemalloc.start()
    states = list(draft(start, rng))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held / len(states)


# The peers' figures, each on cards of its own.


def eval7_timers(_: Random, hands: Hands) -> dict[str, Timer]:
    """The compiled evaluator."""
    eval7 = import_module("eval7")
    theirs = [tuple(eval7.Card(str(card)) for card in hand) for hand in hands]
    return {"eval7 evaluate": timing(eval7.evaluate, theirs)}


def treys_timers(_: Random, hands: Hands) -> dict[str, Timer]:
    """The pure Python evaluator; a hand of five is asked for with an empty board."""
    treys = import_module("treys")
    theirs = [[treys.Card.new(str(card)) for card in hand] for hand in hands]
    board: list[int] = []
    return {"treys evaluate": timing_with(treys.Evaluator().evaluate, theirs, board)}


def phevaluator_timers(_: Random, hands: Hands) -> dict[str, Timer]:
    """Perfect hashing, on cards that are numbers already."""
    evaluate_cards = import_module("phevaluator").evaluate_cards
    theirs = [tuple(card.index for card in hand) for hand in hands]
    return {"phevaluator evaluate_cards": timing(lambda hand: evaluate_cards(*hand), theirs)}


def pokerkit_timers(_: Random, hands: Hands) -> dict[str, Timer]:
    """Its hand classes, each made from five of its cards."""
    pokerkit = import_module("pokerkit")
    theirs = [tuple(pokerkit.Card.parse("".join(map(str, hand)))) for hand in hands]
    names = ("StandardHighHand", "StandardLowHand", "RegularLowHand")
    return {f"pokerkit {name}": timing(getattr(pokerkit, name), theirs) for name in names}


def open_spiel_timers(rng: Random, _: Hands) -> dict[str, Timer]:
    """A compiled game and one of its games in Python."""
    pyspiel = import_module("pyspiel")
    import_module("open_spiel.python.games")  # registers the games that are written in Python
    hearts = pyspiel.load_game("hearts")
    liars_poker = pyspiel.load_game("python_liars_poker")
    return {
        "a move of OpenSpiel hearts": partial(time_of_a_move, hearts, rng, 40),
        "a move of OpenSpiel python_liars_poker": partial(time_of_a_move, liars_poker, rng, 60),
        "a game of OpenSpiel hearts": timing_with(play_open_spiel, [rng.random] * 40, hearts),
    }


def time_of_a_move(game: Any, rng: Random, games: int) -> float:
    """Seconds for one player's move in random games of OpenSpiel; dealing is off the clock, as it is for us."""
    random = rng.random
    states = [dealt_open_spiel(game, rng) for _ in range(games)]
    moves = -sum(len(state.history()) for state in states)
    started = perf_counter()
    for state in states:
        while not state.is_terminal():
            actions = state.legal_actions(state.current_player())
            state.apply_action(actions[int(random() * len(actions))])
    elapsed = perf_counter() - started
    moves += sum(len(state.history()) for state in states)
    return elapsed / moves


def dealt_open_spiel(game: Any, rng: Random) -> Any:
    """A game of OpenSpiel after its chance moves, which come first in the games used here."""
    state = game.new_initial_state()
    while state.is_chance_node():
        actions = state.legal_actions()
        state.apply_action(actions[int(rng.random() * len(actions))])
    return state


def play_open_spiel(random: Callable[[], float], game: Any) -> None:
    """A game of OpenSpiel, dealing included, from the beginning to the end."""
    state = game.new_initial_state()
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(random() * len(actions))])


@dataclass(frozen=True)
class Peer:
    """Another library: the module to import, and how to make the timers of its figures."""

    module: str
    timers: Callable[[Random, Hands], dict[str, Timer]]


PEERS = {
    "eval7": Peer("eval7", eval7_timers),
    "treys": Peer("treys", treys_timers),
    "phevaluator": Peer("phevaluator", phevaluator_timers),
    "pokerkit": Peer("pokerkit", pokerkit_timers),
    "open_spiel": Peer("pyspiel", open_spiel_timers),
}


# The run.


def measure(rounds: int, seed: int) -> dict[str, float]:
    """Every figure by its name; those of peers that are not installed are left out."""
    rng = Random(seed)
    hands = random_hands(rng, 2000, 5)
    timers = our_timers(rng, hands)
    for peer in PEERS.values():
        if find_spec(peer.module):
            timers |= peer.timers(rng, hands)
            timers[f"import {peer.module}"] = timing_import(f"import {peer.module}")
    for timer in timers.values():
        timer()  # builds tables, fills caches and compiles to bytecode, and does not count
    samples: dict[str, list[float]] = {name: [] for name in timers}
    for number in range(1, rounds + 1):
        print(f"\rround {number} of {rounds}", end="", file=sys.stderr, flush=True)
        for name, timer in timers.items():
            samples[name].append(timer())
    print(file=sys.stderr)
    return {name: median(times) for name, times in samples.items()} | {
        "memory of all tables": memory_of_all_tables(),
        "memory of a step in mid-draft": memory_of_a_step(rng),
    }


def ratio_of(row: Row, figures: Mapping[str, float]) -> float | None:
    """Ours divided by theirs, where both were measured."""
    if row.theirs is None or row.theirs not in figures:
        return None
    return figures[row.ours] / figures[row.theirs]


def shown(value: float, unit: str) -> str:
    """A figure with a unit that suits its size."""
    if unit == "B":
        return f"{value / 1e6:.2f} MB" if value >= 1e6 else f"{value:,.0f} B"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} µs"


def cells_of(row: Row, figures: Mapping[str, float]) -> tuple[str, ...]:
    """The cells of one line of the table."""
    ours = shown(figures[row.ours], row.unit)
    if row.theirs is None:
        return row.ours, ours, "", "", "", f"≤ {shown(row.target, row.unit)}" if row.target else ""
    target = f"≤ {row.target:g}" if row.target else ""
    ratio = ratio_of(row, figures)
    if ratio is None:
        return row.ours, ours, row.theirs, "not installed", "", target
    times = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
    return row.ours, ours, row.theirs, shown(figures[row.theirs], row.unit), times, target


def table(figures: Mapping[str, float]) -> str:
    """The figures as a table that reads well on a terminal and in Markdown."""
    heading = ("essen_hilo", "ours", "beside", "theirs", "ratio", "target")
    lines = [heading, *(cells_of(row, figures) for row in ROWS)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, tuple("-" * width for width in widths))
    padded = ([cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in padded)


def machine() -> str:
    """The processor's name and how many of it this program may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{processor()}, {cores} cores"


def processor() -> str:
    """The processor's name, as Linux tells it, or else as Python does."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def python() -> str:
    """Which Python this is."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def versions() -> dict[str, str | None]:
    """The version of each peer; None where it is not installed."""
    return {name: version(name) if find_spec(peer.module) else None for name, peer in PEERS.items()}


def document(figures: Mapping[str, float], rounds: int) -> dict[str, object]:
    """What `--json` keeps: times in seconds, sizes in bytes."""
    return {
        "machine": machine(),
        "python": python(),
        "peers": versions(),
        "rounds": rounds,
        "rows": [
            {
                "ours": row.ours,
                "our_figure": figures[row.ours],
                "theirs": row.theirs,
                "their_figure": figures.get(row.theirs) if row.theirs else None,
                "ratio": ratio_of(row, figures),
                "target": row.target,
                "unit": row.unit,
            }
            for row in ROWS
        ],
    }


def main() -> None:
    """Read the command line, measure, print the table."""
    parser = argparse.ArgumentParser(description="Measure essen_hilo beside other libraries.")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures in this file")
    parser.add_argument("--rounds", type=int, default=25, help="how often each figure is taken (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the cards, deals and choices (%(default)s)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: at least 1 is needed")
    if options.json and not options.json.absolute().parent.is_dir():
        parser.error(f"--json: there is no folder {options.json.parent}")

    found = versions()
    print(f"{machine()}, {python()}; " + ", ".join(f"{name} {number}" for name, number in found.items() if number))
    if missing := [name for name, number in found.items() if number is None]:
        print(f"Not installed, so not measured: {', '.join(missing)} (pip install -e '.[bench]' brings all).")
    with tempfile.TemporaryDirectory() as bytecode:
        # New processes read bytecode, as after any installation, whatever this process was told to write.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = bytecode
        figures = measure(options.rounds, options.seed)
    print(table(figures))
    if options.json:
        options.json.write_text(json.dumps(document(figures, options.rounds), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
