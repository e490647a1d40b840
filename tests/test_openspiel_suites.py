"""OpenSpiel's own suites on the two games of `examples/openspiel_game.py`, each with a count of what has run.

`pyspiel.random_sim_test`, `open_spiel.integration_tests.api_test` and `open_spiel.python.tests.games_sim_test` run as
they are. `api_test` samples its states from the top of the tree, and 400 of them never leave the deal of this game
(of a simultaneous game it takes the initial state alone), so its checks run a second time on all the states of whole
games. Last come two golden playthroughs, which show that nothing has changed; whether it is right is for
`test_openspiel.py` to say.
"""

from __future__ import annotations

import importlib
import random
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from absl.testing import flagsaver
from open_spiel.python.algorithms import generate_playthrough

from tests.openspiel_games import BOTH_GAMES, GAMES, IN_TURN, TOGETHER, apply, play_on

# The suites list the games that are registered when they are imported; importing ours, above, has registered them.
api_test: Any = importlib.import_module("open_spiel.integration_tests.api_test")
games_sim_test: Any = importlib.import_module("open_spiel.python.tests.games_sim_test")

TABLES = (
    "players=4,cards=13,low=deuce_to_seven,ante=5",
    "players=5,cards=10,low=ace_to_five,ante=3",
    "players=2,cards=10,low=ace_to_six,ante=1",
    "players=3,cards=10,low=deuce_to_six,ante=7",
)
EVERY_TABLE = pytest.mark.parametrize(
    "table", TABLES, ids=lambda table: table.split(",ante")[0].replace("players=", "")
)

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


@pytest.fixture(autouse=True)
def _as_openspiel_runs_them() -> Iterator[None]:
    """The suites read absl's flags, which nobody has parsed here, and draw from the generators that all share."""
    with flagsaver.flagsaver():
        flags.FLAGS.mark_as_parsed()
        random.seed(1)
        np.random.seed(1)
        yield


# --- pyspiel.random_sim_test ---


@EVERY_TABLE
@BOTH_GAMES
def test_random_simulations_with_serialisation(name: str, table: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(f"{name}({table})"), num_sims=1, serialize=True, verbose=False)


@EVERY_TABLE
@BOTH_GAMES
def test_more_random_simulations_without(name: str, table: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(f"{name}({table})"), num_sims=5, serialize=False, verbose=False)


@pytest.mark.parametrize("table", TABLES)
def test_random_simulations_of_the_simultaneous_game_made_turn_based_by_openspiel(table: str) -> None:
    converted = pyspiel.convert_to_turn_based(pyspiel.load_game(f"{TOGETHER}({table})"))
    pyspiel.random_sim_test(converted, num_sims=2, serialize=True, verbose=False)


# --- Suites of unittest ---


def run(suite: unittest.TestSuite) -> set[str]:
    """The names of the tests of a suite, all of which have run and passed."""
    names = {test.id().rpartition(".")[2] for test in each_of(suite)}
    result = unittest.TestResult()
    suite.run(result)
    complaints = [text for _, text in [*result.errors, *result.failures]]
    assert not complaints, "\n\n".join(complaints)
    assert result.testsRun == len(names)
    assert not result.skipped and not result.expectedFailures and not result.unexpectedSuccesses
    return names


def each_of(suite: unittest.TestSuite) -> list[unittest.TestCase]:
    tests: list[unittest.TestCase] = []
    for test in suite:
        tests += each_of(test) if isinstance(test, unittest.TestSuite) else [test]
    return tests


API_CHECKS = {
    "test_legal_actions_returns_empty_list_on_opponent",
    "test_no_invalid_public_observations",
    "test_observations_raises_error_on_invalid_player",
    "test_private_information_contents",
    "test_sequence_lengths",
}


@BOTH_GAMES
def test_the_api_test_of_openspiel(name: str) -> None:
    with flagsaver.flagsaver(test_only_games=f"{name}$"):
        suite = api_test.load_tests(unittest.TestLoader(), None, None)
    assert {type(test).__name__ for test in each_of(suite)} == {f"EnforceAPIPartialTree_{name}_Test"}
    assert run(suite) == API_CHECKS


def playout(game: Any, rng: random.Random) -> Iterator[Any]:
    """Every state of a whole game in which everything is random."""
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state.clone()
        if state.is_simultaneous_node():
            apply(state, [rng.choice(state.legal_actions(player)) for player in range(game.num_players())])
        else:
            apply(state, rng.choice(state.legal_actions()))
    yield state


def api_checks_on(name: str, game: Any, states: list[Any]) -> type[unittest.TestCase]:
    """The checks of `api_test`, on these states instead of those that it would sample."""

    def set_up_class(cls: Any) -> None:
        cls.some_states, cls.game_type = states, game.get_type()

    names = {"game": game, "game_name": name, "setUpClass": classmethod(set_up_class)}
    return type("EnforceAPIOnWholeGames", (api_test.EnforceAPIOnPartialTreeBase,), names)


@EVERY_TABLE
@BOTH_GAMES
def test_the_checks_of_the_api_test_on_all_states_of_whole_games(name: str, table: str) -> None:
    game = pyspiel.load_game(f"{name}({table})")
    states = list(playout(game, random.Random(1)))
    assert {state.table.phase for state in states} == {"deal", "pick", "arrange", "over"}
    assert len(states) == game.max_chance_nodes_in_history() + game.max_game_length() + 1
    suite = unittest.TestLoader().loadTestsFromTestCase(api_checks_on(name, game, states))
    assert run(suite) == API_CHECKS


def test_a_state_that_breaks_the_api_would_be_found() -> None:
    """The suite runs on the states that it is given: one more move than the game may have is a failure."""
    game = pyspiel.load_game(f"{IN_TURN}(players=2)")
    longer = list(playout(pyspiel.load_game(f"{IN_TURN}(players=4)"), random.Random(1)))
    suite = unittest.TestLoader().loadTestsFromTestCase(api_checks_on(IN_TURN, game, longer))
    result = unittest.TestResult()
    suite.run(result)
    assert "test_sequence_lengths" in {test.id().rpartition(".")[2] for test, _ in result.failures}


SIMULATIONS = {
    TOGETHER: {
        f"test_game_sim_{TOGETHER}",
        f"test_simultaneous_game_as_turn_based_{TOGETHER}",
        *(f"test_multiplayer_game_{players}p_{TOGETHER}" for players in (2, 3, 4, 5)),
    },
    IN_TURN: {
        f"test_game_sim_{IN_TURN}",
        *(f"test_multiplayer_game_{players}p_{IN_TURN}" for players in (2, 3, 4, 5)),
    },
}


@pytest.mark.parametrize(("name", "test"), [(name, test) for name in GAMES for test in sorted(SIMULATIONS[name])])
def test_the_games_sim_test_of_openspiel(name: str, test: str) -> None:
    assert run(unittest.TestSuite([games_sim_test.GamesSimTest(test)])) == {test}


def test_there_is_no_other_simulation_of_these_games_in_the_games_sim_test() -> None:
    tests = unittest.TestLoader().getTestCaseNames(games_sim_test.GamesSimTest)
    assert {test for test in tests if "essen_hilo" in test} == SIMULATIONS[TOGETHER] | SIMULATIONS[IN_TURN]


# --- Perfect recall ---

Steps = list[int | list[int]]
"""What is applied, one after the other: one action, or one of each player."""

Information = Callable[[Any, int], object]
Past = tuple[tuple[object, int], ...]
"""What a player knew and did at each of its own nodes: pairs of an information state and an action."""


def as_string(state: Any, player: int) -> object:
    return state.information_state_string(player)


def as_tensor(state: Any, player: int) -> object:
    return np.array(state.information_state_tensor(player), np.float32).tobytes()


def without_recall(state: Any, player: int) -> object:
    return state.observation_string(player)


BOTH_WAYS = pytest.mark.parametrize("information", [as_string, as_tensor])


class Memories:
    """For each information state of each player, the past that has led to it: there may be only one."""

    def __init__(self, information: Information) -> None:
        self.information = information
        self.past_of: dict[tuple[int, object], Past] = {}
        self.met_again = 0

    def add(self, player: int, known: object, past: Past) -> None:
        self.met_again += (player, known) in self.past_of
        assert self.past_of.setdefault((player, known), past) == past, f"player {player} has another past: {known!r}"

    def add_game(self, game: Any, steps: Steps) -> Any:
        """What all players know at each node of a game; returns the state at its end."""
        state = game.new_initial_state()
        pasts: list[Past] = [()] * game.num_players()
        for step in steps:
            if not state.is_chance_node():
                known = self.add_node(state, pasts)
                actions = dict(enumerate(step)) if isinstance(step, list) else {state.current_player(): step}
                for player, action in actions.items():
                    pasts[player] = (*pasts[player], (known[player], action))
            apply(state, step)
        self.add_node(state, pasts)
        return state

    def add_node(self, state: Any, pasts: list[Past]) -> list[object]:
        known = [self.information(state, player) for player in range(len(pasts))]
        for player, past in enumerate(pasts):
            self.add(player, known[player], past)
        return known


def in_steps(game: Any, history: list[int]) -> Steps:
    """A whole history, with the actions that are made at the same time in one step."""
    dealt, players = game.max_chance_nodes_in_history(), game.num_players()
    if game.get_type().short_name == IN_TURN:
        return [*history]
    return [*history[:dealt], *(history[first : first + players] for first in range(dealt, len(history), players))]


def games_in_common(game: Any, rng: random.Random) -> Iterator[Steps]:
    """A game, others that branch off from it at each node, and others in which one player notices no difference."""
    *states, last = [state for state in playout(game, rng) if not state.is_chance_node()]
    yield in_steps(game, last.history())
    for state in states:
        branches = [state, state, *(state.resample_from_infostate(player, rng.random) for player in (0, 1))]
        for branch in branches:
            other = branch.clone()
            play_on(other, rng)
            yield in_steps(game, other.history())


def ends_of(games: Iterator[Steps], game: Any, memories: Memories) -> list[Any]:
    return [memories.add_game(game, steps) for steps in games]


@BOTH_WAYS
@BOTH_GAMES
def test_an_information_state_tells_all_that_the_player_has_known_and_done_before(
    name: str, information: Information
) -> None:
    game, memories = pyspiel.load_game(f"{name}(players=2)"), Memories(information)
    ends_of(games_in_common(game, random.Random(2)), game, memories)
    assert memories.met_again > 1000


def games_with_two_picks_swapped(game: Any, rng: random.Random) -> Iterator[Steps]:
    """A game of two, and each in which player 0 picks two cards of a pack, which comes back, the other way round."""
    *_, last = playout(game, rng)
    history = last.history()
    yield in_steps(game, history)
    of_player_0 = range(20, 40, 2)  # after 20 cards dealt, every other pick
    for first in of_player_0:
        for second in of_player_0[of_player_0.index(first) + 2 :: 2]:
            other = [*history]
            other[first], other[second] = history[second], history[first]
            yield in_steps(game, other)


@BOTH_WAYS
@BOTH_GAMES
def test_a_player_remembers_in_which_order_it_has_picked(name: str, information: Information) -> None:
    game, memories = pyspiel.load_game(f"{name}(players=2)"), Memories(information)
    ends = ends_of(games_with_two_picks_swapped(game, random.Random(3)), game, memories)
    assert len(ends) == 21
    assert len({str(end) for end in ends}) == 21
    assert len({str([sorted(pool) for pool in end.table.pools]) for end in ends}) == 1


@BOTH_GAMES
def test_a_player_without_recall_would_be_found_out(name: str) -> None:
    game = pyspiel.load_game(f"{name}(players=2)")
    for games in (games_in_common, games_with_two_picks_swapped):
        with pytest.raises(AssertionError, match="has another past"):
            ends_of(games(game, random.Random(4)), game, Memories(without_recall))


# --- Golden playthroughs ---


@BOTH_GAMES
def test_the_golden_playthrough_replays_byte_for_byte(name: str) -> None:
    """Made with `generate_playthrough.playthrough(game, None, seed=…)`; they are read by people, and prove no rule."""
    original, new = generate_playthrough.replay(str(PLAYTHROUGHS / f"{name}.txt"))
    assert original.startswith(f"game: {name}(players=2,cards=10)\n")
    assert new == original
