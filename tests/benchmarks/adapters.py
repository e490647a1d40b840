"""Measure what a step costs in the adapters of examples/, beside games that OpenSpiel itself has in Python.

    pip install ".[pettingzoo,openspiel]"
    python -m tests.benchmarks.adapters

Random games are played to their end, dealing off the clock. A figure is the time of one player's action, asking what is
legal and choosing included; a step of PettingZoo, which acts for all and tells all of them what they see, is
divided by the number of seats. Every round measures each figure once, in turn; a figure is the median of its rounds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import open_spiel.python.games  # noqa: F401 - registers the games that are written in Python
import pyspiel

import examples.openspiel_game  # noqa: F401 - registers ours
from examples.pettingzoo_env import EssenHiloEnv, parallel_env
from tests.benchmarks.compare import Timer, dealt_open_spiel, machine, python, shown

BESIDE = "python_liars_poker"
OTHERS = (BESIDE, "python_block_dominoes", "python_tic_tac_toe", "python_kuhn_poker")
OURS = ("python_essen_hilo", "python_essen_hilo_seq")
GAMES = 20  # played for one measurement

Tell = Callable[[Any, int], object]  # lets a player see a state


def see_nothing(state: Any, player: int) -> None:
    """The bare game."""


def see_observation(state: Any, player: int) -> None:
    """What lies before the player."""
    state.observation_tensor(player)


def see_all_remembered(state: Any, player: int) -> None:
    """All that the player knows, with perfect recall."""
    state.information_state_tensor(player)


def time_in_open_spiel(game: Any, rng: Random, tell: Tell) -> float:
    """Seconds for one player's action in random games, which are dealt already."""
    random = rng.random
    states = [dealt_open_spiel(game, rng) for _ in range(GAMES)]
    players = range(game.num_players())
    before = sum(len(state.history()) for state in states)
    started = perf_counter()
    for state in states:
        while not state.is_terminal():
            actions = []
            for player in players if state.is_simultaneous_node() else [state.current_player()]:
                tell(state, player)
                legal = state.legal_actions(player)
                actions.append(legal[int(random() * len(legal))])
            if state.is_simultaneous_node():
                state.apply_actions(actions)
            else:
                state.apply_action(actions[0])
    elapsed = perf_counter() - started
    return elapsed / (sum(len(state.history()) for state in states) - before)


def time_in_pettingzoo(env: EssenHiloEnv, rng: Random) -> float:
    """Seconds for one seat's part of a step in random games, which are dealt already."""
    random = rng.random
    elapsed, acted = 0.0, 0
    for _ in range(GAMES):
        observations, _ = env.reset(seed=int(random() * 2**32))
        started = perf_counter()
        while env.agents:
            actions = {}
            for agent in env.agents:
                legal = observations[agent]["action_mask"].nonzero()[0]
                actions[agent] = legal[int(random() * len(legal))]
            observations, *_ = env.step(actions)
            acted += len(actions)
        elapsed += perf_counter() - started
    return elapsed / acted


def timers(rng: Random) -> dict[tuple[str, str], Timer]:
    """By game and what the player sees, what takes the figure once."""
    found: dict[tuple[str, str], Timer] = {}
    for name in (*OURS, *OTHERS):
        game = pyspiel.load_game(name)
        kind = game.get_type()
        found[name, "bare"] = partial(time_in_open_spiel, game, rng, see_nothing)
        if kind.provides_observation_tensor:
            found[name, "with its observation"] = partial(time_in_open_spiel, game, rng, see_observation)
        if kind.provides_information_state_tensor:
            found[name, "with its information state"] = partial(time_in_open_spiel, game, rng, see_all_remembered)
    for arrange in ("steps", "frontier", "best"):
        env = parallel_env(arrange=arrange)
        found[f'parallel_env(arrange="{arrange}")', "with its observation"] = partial(time_in_pettingzoo, env, rng)
    return found


def table(figures: Mapping[tuple[str, str], float]) -> str:
    """The figures in Markdown, each with its ratio to the same of `BESIDE`."""
    columns = ("bare", "with its observation", "with its information state")
    lines = [f"| | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for name in dict.fromkeys(name for name, _ in figures):
        cells = [
            f"{shown(figures[name, column], 's')}, × {figures[name, column] / figures[BESIDE, column]:.2f}"
            if (name, column) in figures
            else ""
            for column in columns
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure, print the table."""
    parser = argparse.ArgumentParser(description="Measure what a step costs in the adapters.")
    parser.add_argument("--rounds", type=int, default=15, help="how often each figure is taken (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the deals and choices (%(default)s)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: at least 1 is needed")
    found = timers(Random(options.seed))
    for timer in found.values():
        timer()  # builds tables, fills caches and compiles to bytecode, and does not count
    samples: dict[tuple[str, str], list[float]] = {figure: [] for figure in found}
    for number in range(1, options.rounds + 1):
        print(f"\rround {number} of {options.rounds}", end="", file=sys.stderr, flush=True)
        for figure, timer in found.items():
            samples[figure].append(timer())
    print(file=sys.stderr)
    print(f"{machine()}, {python()}; × is the ratio to {BESIDE}\n")
    print(table({figure: median(times) for figure, times in samples.items()}))


if __name__ == "__main__":
    main()
