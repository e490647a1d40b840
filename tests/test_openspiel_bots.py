"""Bots and searches play the OpenSpiel games of `examples/openspiel_game.py`, ours through OpenSpiel and theirs."""

from __future__ import annotations

import doctest
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver

from essen_hilo import Arrange, Card, GreedyBot, Pass, Pick, play_out
from examples import openspiel_game, openspiel_ismcts
from examples.openspiel_game import BotPlayer, actions_of
from tests.games import cards, opening
from tests.openspiel_games import (
    BOTH_GAMES,
    EVERY_TABLE,
    FOUR,
    GAMES,
    IN_TURN,
    REFUSED,
    TOGETHER,
    TWO,
    Position,
    acting,
    load,
    random_walk,
    reach,
)
from tests.reference import PACK, read
from tests.reference_game import (
    Setting,
    deal,
    random_deck,
)


def test_the_actions_of_a_move_are_its_cards_in_the_order_in_which_they_are_chosen() -> None:
    assert actions_of(Pick(2, Card.parse("As"))) == (51,)
    move = Arrange(0, cards(read("7d 5c 2s 4h 3c")), cards(read("As Tc Kc Qc Jc")))
    assert [PACK[action] for action in actions_of(move)] == [*read("2s 3c 4h 5c 7d"), *read("Tc Jc Qc Kc As")]


def dealt_state(name: str, setting: Setting, deck: Sequence[str]) -> Any:
    cards_dealt = tuple(deck[: setting.seats * setting.hand_size])
    return reach(load(name, setting), setting, Position(cards_dealt, (deal(deck),), ((),) * setting.seats))


@EVERY_TABLE
@BOTH_GAMES
def test_bots_play_a_deal_through_openspiel_as_they_play_it_without(name: str, setting: Setting) -> None:
    deck = random_deck(random.Random(61))
    state = dealt_state(name, setting, deck)
    players = [BotPlayer(GreedyBot(random.Random(seat)), seat) for seat in range(setting.seats)]
    returns = evaluate_bots(state, players, np.random.RandomState(1))
    played = play_out(opening(setting).deal(cards(deck)), [GreedyBot(random.Random(s)) for s in range(setting.seats)])
    assert played.result is not None
    assert returns == list(played.result.nets)
    assert state.table.pools == played.pools
    assert state.table.arrangements == played.arrangements


@pytest.mark.parametrize(("setting", "simulations"), [(FOUR, 12), (TWO, 30)])
def test_openspiels_search_plays_a_whole_deal_against_bots(setting: Setting, simulations: int) -> None:
    """Each node of its tree is an information state that has to have the same legal actions in every sample."""
    game = load(IN_TURN, setting)
    state = dealt_state(IN_TURN, setting, random_deck(random.Random(62)))
    chance = np.random.RandomState(62)
    search = ISMCTSBot(
        game, RandomRolloutEvaluator(1, chance), uct_c=10.0, max_simulations=simulations, random_state=chance
    )
    players = [search] + [BotPlayer(GreedyBot(random.Random(seat)), seat) for seat in range(1, setting.seats)]
    searched = 0
    while not state.is_terminal():
        player = state.current_player()
        action = players[player].step(state)
        assert action in state.legal_actions()
        state.apply_action_with_legality_check(action)
        searched += player == 0
    assert searched == setting.hand_size + 10
    assert sum(state.returns()) == 0


@EVERY_TABLE
@BOTH_GAMES
def test_the_environment_for_reinforcement_learning_plays_whole_episodes(name: str, setting: Setting) -> None:
    rng = random.Random(63)
    environment = rl_environment.Environment(
        load(name, setting), chance_event_sampler=rl_environment.ChanceEventSampler(seed=63), enable_legality_check=True
    )
    for _ in range(2):
        now, steps = environment.reset(), 0
        while not now.last():
            assert not any(now.rewards or [])
            sizes = {len(vector) for vector in now.observations["info_state"]}
            assert sizes == set(environment.observation_spec()["info_state"])
            legal = now.observations["legal_actions"]
            players = range(setting.seats) if name == TOGETHER else [now.observations["current_player"]]
            now, steps = environment.step([rng.choice(legal[player]) for player in players]), steps + 1
        assert steps == environment.game.max_game_length()
        assert now.rewards == environment.get_state.returns() and sum(now.rewards) == 0


def test_outcome_sampling_goes_through_the_game() -> None:
    """External sampling tries all actions of a player, 10! and more paths of picks alone: not for a game this size."""
    game = load(IN_TURN, TWO)
    np.random.seed(64)
    solver = OutcomeSamplingSolver(game)
    for _ in range(2):
        solver.iteration()
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    policy = solver.average_policy()
    chances = policy.action_probabilities(state, 0)
    assert sorted(chances) == state.legal_actions() and sum(chances.values()) == pytest.approx(1)


def test_the_example_in_the_head_of_the_module_is_right() -> None:
    failed, tried = doctest.testmod(openspiel_game)
    assert failed == 0 and tried > 0


@pytest.mark.parametrize("extra", [[], ["--rollouts"]])
def test_the_program_tells_how_the_search_fares(extra: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--deals", "2", "--simulations", "3", "--players", "2", "--low", "ace_to_five", *extra]
    told = []
    for seed in ("7", "7", "8"):
        assert openspiel_ismcts.main([*arguments, "--seed", seed]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] != told[2]
    deals = re.findall(r"ISMCTS in seat (\d):\n(.*?)\n\n", told[0], re.DOTALL)
    assert [seat for seat, _ in deals] == ["0", "1"]
    won = sum(int(net) for seat, result in deals for net in re.findall(rf"Seat {seat}: .*\((.+)\)", result))
    assert told[0].splitlines()[-1].startswith(f"ISMCTS won {won:+} chips in 2 deals")


@pytest.mark.parametrize("simulations", [2, 5])
def test_the_search_looks_ahead_as_often_as_it_is_told(simulations: int) -> None:
    game, asked = load(IN_TURN, TWO), []

    class Counting(openspiel_ismcts.RandomPicks):
        def evaluate(self, state: Any) -> list[float]:
            asked.append(state.current_player())
            return super().evaluate(state)

    chance = np.random.RandomState(1)
    search = openspiel_ismcts.searcher(game, simulations, Counting(chance), chance)
    state = dealt_state(IN_TURN, TWO, random_deck(random.Random(65)))
    assert search.step(state) in state.legal_actions()
    assert len(asked) == simulations


@EVERY_TABLE
def test_a_state_is_valued_by_a_game_that_ends_with_the_best_hands(setting: Setting) -> None:
    """At the end of the draft nothing is left to chance: what GreedyBots would win from there, who set those hands."""
    evaluator = openspiel_ismcts.RandomPicks(np.random.RandomState(1))
    for state, _, table in random_walk(IN_TURN, setting, 66):
        if table.phase not in ("pick", "arrange"):
            continue
        values, actions = evaluator.evaluate(state), state.legal_actions()
        assert sum(values) == 0 and min(values) >= -setting.ante
        assert evaluator.prior(state) == [(action, 1 / len(actions)) for action in actions]
        if len(table.waiting_for()) == setting.seats and table.phase == "arrange":
            result = play_out(state.table, [GreedyBot(random.Random(seat)) for seat in table.everybody]).result
            assert result is not None and values == list(result.nets)


@pytest.mark.parametrize(
    "arguments",
    [
        "--deals 0",
        "--simulations 1",
        "--players 6",
        "--players 99999999999999",
        "--low badugi",
        "--seed -1",
        "--seed 4294967296",
        "x",
    ],
)
def test_the_program_says_in_a_line_what_it_cannot_do(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        openspiel_ismcts.main(arguments.split())
    assert left.value.code == 2
    assert re.fullmatch(r".+: .+\n", capsys.readouterr().err)


def test_the_readme_shows_the_example() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_examples(openspiel_game.__doc__ or "")
    assert "".join(example.source for example in examples).rstrip() in readme.replace("\n\n", "\n")


# A player that is asked out of turn, or after somebody else has begun to lay out its cards.


@BOTH_GAMES
def test_a_bot_is_not_asked_out_of_turn(name: str) -> None:
    for state, position, table in random_walk(name, TWO, 67):
        for player in table.everybody:
            if player not in acting(name, TWO, position, table):
                if name == IN_TURN and table.phase in ("pick", "arrange") and player in table.waiting_for():
                    continue  # the table waits for it too, and it may say what it will do
                with pytest.raises(ValueError, match=f"player {player}"):
                    BotPlayer(GreedyBot(random.Random(1)), player).step(state)


@BOTH_GAMES
def test_a_bot_does_not_go_on_with_hands_that_it_would_not_set(name: str) -> None:
    """But it goes on with those that it would, whoever has begun them."""
    own = other = 0
    for seed in range(6):
        for state, _, table in random_walk(name, TWO, 70 + seed):
            if table.phase == "arrange" and 0 in table.waiting_for() and state.chosen[0]:
                meant = actions_of(GreedyBot(random.Random(1)).choose(state.view(0)))
                done = tuple(card.index for card in state.chosen[0])
                bot = BotPlayer(GreedyBot(random.Random(1)), 0)
                if meant[: len(done)] == done:
                    own += 1
                    assert bot.step(state) == meant[len(done)] and bot.step(state) in state.legal_actions(0)
                else:
                    other += 1
                    with pytest.raises(ValueError, match="player 0"):
                        bot.step(state)
    assert own and other


def test_a_bot_plays_one_deal_after_the_other() -> None:
    """Also when a deal is broken off while it lays out its hands."""
    player = BotPlayer(GreedyBot(random.Random(1)), 0)
    for seed in range(20):
        state = load(IN_TURN, TWO).new_initial_state()
        rng = random.Random(seed)
        while not state.is_terminal() and len(state.chosen[0]) < 4:
            mine = state.current_player() == 0
            action = player.step(state) if mine else rng.choice(state.legal_actions())
            assert action in state.legal_actions()
            state.apply_action(action)


@pytest.mark.parametrize("action", [-1, 52, 99])
def test_the_text_of_what_is_no_card_is_refused(action: int) -> None:
    for name in GAMES:
        state = load(name, TWO).new_initial_state()
        with pytest.raises(REFUSED):
            state.action_to_string(0, action)


def test_only_picks_and_arrangements_are_made_of_actions() -> None:
    with pytest.raises(ValueError, match="pass"):
        actions_of(Pass())


def test_an_observer_of_no_special_type_has_no_perfect_recall() -> None:
    assert "seen" not in load(IN_TURN, TWO).make_py_observer().dict


def test_a_program_that_has_registered_the_games_ends_well() -> None:
    """OpenSpiel keeps what was registered beyond the end of Python, and what it can't let go of then is an abort."""
    program = "from examples import openspiel_game; print('done')"
    root = Path(__file__).parents[1]
    ran = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "done\n", "")
