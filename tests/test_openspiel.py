"""The two OpenSpiel games of `examples/openspiel_game.py` keep the rules, at every node of random games.

Everything is held against the plain model in `reference_game`, which knows the rules and nothing of OpenSpiel. What
players are told is in `test_openspiel_secrets.py`, OpenSpiel's own suites in `test_openspiel_suites.py`.
"""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator, Sequence
from itertools import combinations

import pyspiel
import pytest

from tests.games import deck_for, texts
from tests.openspiel_games import (
    BOTH_GAMES,
    EVERY_TABLE,
    FOUR,
    IN_TURN,
    REFUSED,
    TOGETHER,
    TWO,
    Position,
    acting,
    all_of,
    apply,
    ascending,
    at_openspiel,
    index,
    load,
    observers_of,
    play_on,
    random_walk,
    said_to,
    walk,
)
from tests.reference import LOWS, PACK, read
from tests.reference_game import (
    PASS,
    SHOWDOWN,
    Action,
    Setting,
    Table,
    arrange,
    deal,
    pick,
)


def may_choose(position: Position, table: Table, player: int) -> list[int]:
    """A card of the pack; or a card with which the hand, laid out in ascending order, can still become five."""
    if table.phase == "pick":
        return sorted(index(card) for card in table.packs[player])
    chosen = position.chosen[player]
    half = len(chosen) // 5 * 5
    hand = chosen[half:]
    free = ascending([card for card in table.pools[player] if card not in chosen[:half]])
    return sorted({index(five[len(hand)]) for five in combinations(free, 5) if five[: len(hand)] == hand})


@EVERY_TABLE
@BOTH_GAMES
def test_a_whole_game_goes_as_the_rules_say(name: str, setting: Setting) -> None:
    everybody = range(setting.seats)
    for seed in range(3):
        for state, position, table in random_walk(name, setting, seed):
            to_choose = acting(name, setting, position, table)
            if not position.actions:
                rest = [card for card in range(52) if card not in [index(card) for card in position.dealt]]
                assert state.current_player() == pyspiel.PlayerId.CHANCE and state.is_chance_node()
                assert [card for card, _ in state.chance_outcomes()] == rest
                assert [chance for _, chance in state.chance_outcomes()] == pytest.approx([1 / len(rest)] * len(rest))
            elif table.phase == "over":
                assert state.current_player() == pyspiel.PlayerId.TERMINAL and state.is_terminal()
                assert state.legal_actions() == []
            else:
                there = pyspiel.PlayerId.SIMULTANEOUS if name == TOGETHER else to_choose[0]
                assert state.current_player() == there and not state.is_terminal()
            if position.actions:
                for player in everybody:
                    allowed = may_choose(position, table, player) if player in to_choose else []
                    assert state.legal_actions(player) == allowed
                for place, is_there in ((table.packs, state.table.packs), (table.pools, state.table.pools)):
                    assert [ascending(some) for some in place] == [ascending(texts(some)) for some in is_there]
                assert state.table.phase == table.phase
            assert [texts(state.chosen[player]) for player in everybody] == list(position.chosen)
            assert [state.view(player) for player in everybody] == [state.table.view(player) for player in everybody]
            assert sum(state.returns()) == 0
            nets = table.settled().nets if table.phase == "over" else [0] * setting.seats
            assert state.returns() == state.rewards() == nets


@EVERY_TABLE
@BOTH_GAMES
def test_the_game_tells_the_sizes_and_bounds_that_hold(name: str, setting: Setting) -> None:
    game = load(name, setting)
    dealt, chosen = setting.seats * setting.hand_size, setting.hand_size + 10
    assert game.num_players() == setting.seats
    assert game.num_distinct_actions() == game.max_chance_outcomes() == 52
    assert game.max_game_length() == (chosen if name == TOGETHER else setting.seats * chosen)
    assert game.max_chance_nodes_in_history() == dealt
    assert game.min_utility() == -setting.ante
    assert game.max_utility() == (setting.seats - 1) * setting.ante
    assert game.utility_sum() == 0
    kind = game.get_type()
    assert kind.dynamics == getattr(pyspiel.GameType.Dynamics, "SIMULTANEOUS" if name == TOGETHER else "SEQUENTIAL")
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL
    state = [state for state, *_ in random_walk(name, setting, 1)][-1]
    assert len(state.full_history()) == dealt + setting.seats * chosen
    assert state.move_number() == game.max_move_number()


def game_with_pools(setting: Setting, pools: Sequence[Sequence[str]]) -> list[Action]:
    """A game in which each player picks just these cards; its first five are its low hand, the last five its high."""
    everybody = range(setting.seats)
    packs = [
        [pools[(first + number) % setting.seats][number] for number in range(setting.hand_size)] for first in everybody
    ]
    actions = [deal(deck_for(packs, setting.dealer))]
    for number in range(setting.hand_size):
        actions += [PASS] if number else []
        actions += [pick(player, pools[player][number]) for player in everybody]
    return [
        *actions,
        *[arrange(player, pools[player][:5], pools[player][-5:]) for player in everybody],
        SHOWDOWN,
        SHOWDOWN,
    ]


ONE_SUIT = [[rank + suit for rank in "23457689TJQKA"] for suit in "cdhs"]
SCOOP = [read("2c 3c 4c 5c 7d Ts Js Qs Ks As"), read("9c 9d 8c 8d 7c 6c 6d 5d 4d 2d")]
TWINS = [read("2c 3c 4c 5c 7d Tc Jc Qc Kc Ac"), read("2h 3h 4h 5h 7s Th Jh Qh Kh Ah")]
TRIPLETS = [read(f"2{a} 3{a} 4{a} 5{a} 7{b} T{a} J{a} Q{a} K{a} A{a}") for a, b in ("cd", "dh", "hc")]
FIVE_WITH_TIES = [
    read("2c 3c 4c 5c 7d 8c 8d 9c 9d Th"),
    read("2d 3d 4d 5d 7h 6c 6d Tc Td Jh"),
    read("2h 3h 4h 5h 7c Qc Qd Jc Jd Ah"),
    read("2s 3s 4s 5s 6h Qh Qs Js As Ts"),
    read("8h 8s 9h 9s 6s Kc Kd Ac Ad Kh"),
]


@BOTH_GAMES
@pytest.mark.parametrize(
    ("setting", "pools", "nets"),
    [
        # 10 chips to four low hands: 2 each, the other two to the dealer's left; the high half goes the same way.
        (at_openspiel(4, 13), ONE_SUIT, [1, 1, -1, -1]),
        (at_openspiel(4, 13, ante=1), ONE_SUIT, [1, 1, -1, -1]),
        (at_openspiel(4, 13, ante=2), ONE_SUIT, [0, 0, 0, 0]),
        # A low half of 5 chips, then a high half of 5: the odd chip of each goes to player 0.
        (at_openspiel(2, 10), TWINS, [1, -1]),
        (at_openspiel(2, 10, ante=4), TWINS, [0, 0]),
        # 7 and 8 chips for three: 3 + 2 + 2, then 3 + 3 + 2.
        (at_openspiel(3, 10), TRIPLETS, [1, 0, -1]),
        # Both halves to one player: the most that can be won or lost.
        (at_openspiel(2, 10, ante=9), SCOOP, [9, -9]),
    ],
)
def test_equal_hands_share_to_the_last_chip(
    name: str, setting: Setting, pools: Sequence[Sequence[str]], nets: list[int]
) -> None:
    *_, (state, _, table) = walk(load(name, setting), setting, game_with_pools(setting, pools))
    assert table.settled().nets == nets  # the plain model thinks so too
    assert state.returns() == nets


@BOTH_GAMES
@pytest.mark.parametrize("low", LOWS)
@pytest.mark.parametrize("ante", [1, 2, 3, 5])
def test_five_players_with_equal_hands_go_by_the_rules(name: str, low: str, ante: int) -> None:
    setting = at_openspiel(5, 10, ante, low)
    *_, (state, _, table) = walk(load(name, setting), setting, game_with_pools(setting, FIVE_WITH_TIES))
    assert len(table.settled().low_winners) > 1 or low != "deuce-to-seven"
    assert state.returns() == table.settled().nets and sum(state.returns()) == 0


# --- States as OpenSpiel handles them ---


@BOTH_GAMES
def test_a_clone_goes_its_own_way(name: str) -> None:
    rng = random.Random(51)
    for setting in (FOUR, TWO):
        for state, *_ in random_walk(name, setting, 51):
            before = all_of(state)
            for other in (state.clone(), copy.deepcopy(state)):
                assert all_of(other) == before
                play_on(other, rng)
                assert all_of(state) == before
            assert state.get_game() == other.get_game()


@BOTH_GAMES
def test_a_state_comes_back_from_pickle_and_from_its_serial_form_at_every_node(name: str) -> None:
    for setting in (FOUR, TWO):
        game = load(name, setting)
        observers = observers_of(game)
        for state, _, table in random_walk(name, setting, 52):
            back_game, serial = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
            assert str(back_game) == str(game)
            for other in (serial, pickle.loads(pickle.dumps(state)), game.deserialize_state(state.serialize())):
                assert all_of(other) == all_of(state)
                assert other.table == state.table and other.chosen == state.chosen
                assert other.current_player() == state.current_player()
                for player in table.everybody:
                    assert said_to(other, player, observers) == said_to(state, player, observers)


@BOTH_GAMES
def test_the_text_of_an_action_leads_back_to_it(name: str) -> None:
    for setting in (FOUR, TWO):
        for state, position, table in random_walk(name, setting, 53):
            players = acting(name, setting, position, table) if position.actions else [int(pyspiel.PlayerId.CHANCE)]
            for player in players:
                actions = state.legal_actions(player) if position.actions else state.legal_actions()
                words = [state.action_to_string(player, action) for action in actions]
                assert len(set(words)) == len(words)
                assert all(PACK[action] in text for action, text in zip(actions, words, strict=True))
                assert [state.string_to_action(player, text) for text in words] == actions
                with pytest.raises(REFUSED):
                    state.string_to_action(player, "fold")


@BOTH_GAMES
def test_a_negative_player_has_no_cards(name: str) -> None:
    """Python would take seat -1 for the last one."""
    for state, position, table in random_walk(name, FOUR, 54):
        if position.actions and table.phase != "over":
            for player in (-1, -2, -4):
                with pytest.raises(REFUSED):
                    state._legal_actions(player)
                with pytest.raises(REFUSED):
                    state.view(player)
            break


def wrong_steps(setting: Setting, position: Position, table: Table, name: str) -> Iterator[int | list[int]]:
    """What cannot be done at this node: OpenSpiel itself lets nearly everything through to the game."""
    if not position.actions:
        yield from (index(card) for card in position.dealt[-3:])
        yield from (52, 1000, -1, -5, [], [0] * setting.seats)
        return
    if table.phase == "over":
        yield from (0, 51, -1, [], [0] * setting.seats)
        return
    joint = [may_choose(position, table, player)[0] for player in table.waiting_for()]
    for player in acting(name, setting, position, table):
        allowed = may_choose(position, table, player)
        wrong = [card for card in range(52) if card not in allowed]
        for action in (*wrong[:2], wrong[len(wrong) // 2], *wrong[-2:], 52, 1000, -1, -3):
            yield action if name == IN_TURN else [*joint[:player], action, *joint[player + 1 :]]
    if name == TOGETHER:  # too few, too many, and one alone
        yield from ([], joint[:1], joint[:-1], [*joint, joint[0]], joint[0])
    else:  # all at once
        yield from ([], joint[:1], joint)


@EVERY_TABLE
@BOTH_GAMES
def test_an_illegal_action_is_refused_and_changes_nothing(name: str, setting: Setting) -> None:
    for state, position, table in random_walk(name, setting, 55):
        before, view = all_of(state), [state.view(player) for player in table.everybody]
        number, to_play = state.move_number(), state.current_player()
        for step in wrong_steps(setting, position, table, name):
            with pytest.raises(REFUSED):
                apply(state, step)
            assert (all_of(state), state.move_number(), state.current_player()) == (before, number, to_play)
        assert [state.view(player) for player in table.everybody] == view


# --- Parameters ---


@BOTH_GAMES
@pytest.mark.parametrize(
    ("parameters", "culprit"),
    [
        ({"low": "badugi"}, "low"),
        ({"low": "deuce-to-eight"}, "low"),
        ({"ante": 0}, "ante"),
        ({"ante": -5}, "ante"),
        ({"cards": 9}, "cards"),
        ({"cards": -1}, "cards"),
        ({"cards": 14}, "cards"),
        ({"players": 5, "cards": 11}, "cards"),
        ({"players": 2, "cards": 27}, "cards"),
        ({"players": 6}, "players"),
        ({"players": 1}, "players"),
        ({"players": 0}, "players"),
        ({"players": -1}, "players"),
    ],
)
def test_a_wrong_parameter_is_refused_by_name(name: str, parameters: dict[str, int | str], culprit: str) -> None:
    with pytest.raises(REFUSED, match=rf"\b{culprit}\b"):
        pyspiel.load_game(name, parameters)


@BOTH_GAMES
@pytest.mark.parametrize(("players", "size"), [(2, 10), (3, 10), (4, 13), (5, 10)])
def test_the_number_of_players_will_do_by_itself(name: str, players: int, size: int) -> None:
    game = pyspiel.load_game(name, {"players": players})
    assert game.num_players() == players
    assert game.max_chance_nodes_in_history() == players * size
    state = game.new_initial_state()
    play_on(state, random.Random(1))
    assert [len(pool) for pool in state.table.pools] == [size] * players


@BOTH_GAMES
@pytest.mark.parametrize("low", LOWS)
def test_each_way_to_count_low_hands_has_its_name(name: str, low: str) -> None:
    game = pyspiel.load_game(f"{name}(low={low.replace('-', '_')},players=2)")
    assert game.new_initial_state().table.rules.low.name == low
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert game.get_parameters()["low"] == low.replace("-", "_")


@BOTH_GAMES
def test_without_parameters_it_is_the_published_game_for_four(name: str) -> None:
    state = pyspiel.load_game(name).new_initial_state()
    rules = state.table.rules
    assert (rules.seats, rules.hand_size, rules.ante, rules.low.name) == (4, 13, 5, "deuce-to-seven")
    assert rules.odd_chips == "left-of-dealer" and state.table.dealer == 3
