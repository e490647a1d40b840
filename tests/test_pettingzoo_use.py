"""How `examples/pettingzoo_env.py` is used: copied, by bots, through PettingZoo's other interface, and looked at."""

from __future__ import annotations

import copy
import doctest
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from essen_hilo import (
    Arrange,
    Card,
    GameState,
    GreedyBot,
    Pass,
    Pick,
    RandomBot,
    play_out,
    shuffled_deck,
)
from examples import pettingzoo_env
from examples.pettingzoo_env import BotAgent, actions_of, env, parallel_env
from tests.games import as_rules, cards
from tests.pettingzoo_games import (
    TURNS_OF_ARRANGING,
    WAYS,
    agent,
    allowed,
    answers,
    dealt,
    environment,
    every_way_to_arrange,
    in_mid_game,
    moments,
    random_game,
    rest_of,
    same,
    table_for,
)
from tests.reference import PACK
from tests.reference_game import play


@pytest.mark.parametrize("turns", [0, 4, 13, 17, 22])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_a_copy_goes_on_as_the_original_does(copied: Callable[[Any], Any], turns: int) -> None:
    """The rest of the game, and the deals after it."""
    table, _, played = in_mid_game(turns=turns)
    twin = copied(table)
    assert twin.state().tobytes() == table.state().tobytes()
    assert same(rest_of(twin, played, turns), rest_of(table, played, turns))
    assert dealt(twin) == dealt(table)


def test_a_whole_game_agent_by_agent() -> None:
    for way in WAYS:
        table = env(arrange=way)
        rng = random.Random(14)
        table.reset(seed=2)
        won: dict[str, float] = {}
        turns = 0
        for name in table.agent_iter():
            seen, reward, ended, cut, info = table.last()
            assert not cut
            if ended:
                won[name] = reward
                table.step(None)
            else:
                turns += 1
                assert (reward, info["view"].seat) == (0, int(name[-1]))
                assert table.unwrapped.parts(seen["observation"])["seat"][info["view"].seat] == 1
                table.step(rng.choice(allowed(seen)))
        assert turns == 4 * (13 + TURNS_OF_ARRANGING[way])
        assert list(won) == table.possible_agents and sum(won.values()) == 0


def test_agent_by_agent_an_action_outside_the_space_or_before_the_deal_is_refused() -> None:
    table = env()
    with pytest.raises(AssertionError):
        table.step(0)
    table.reset(seed=1)
    with pytest.raises(AssertionError):
        table.step(52)


@pytest.mark.parametrize(("seats", "hand_size"), [(4, 13), (5, 10)])
def test_bots_play_through_their_views_as_at_any_table(seats: int, hand_size: int) -> None:
    """The same deal, played by the same bots through the environment and without it."""
    rng = random.Random(15)
    setting = table_for(seats, hand_size, rng)._replace(ante=5)
    deck = cards(rng.sample(PACK, 52))
    state = GameState.start(as_rules(setting), dealer=setting.dealer).deal(deck)
    result = play_out(state, [GreedyBot(random.Random(seat)) for seat in range(seats)]).result
    assert result is not None

    table = env(seats=seats, hand_size=hand_size, low=setting.low, ante=5)
    table.reset(options={"deck": deck, "dealer": setting.dealer})
    bots = {agent(seat): GreedyBot(random.Random(seat)) for seat in range(seats)}
    meant: dict[str, list[int]] = {name: [] for name in bots}
    won = {}
    for name in table.agent_iter():
        _, reward, ended, _, info = table.last()
        if not ended and not meant[name]:
            meant[name] = list(actions_of(bots[name].choose(info["view"])))
        won[name] = reward
        table.step(None if ended else meant[name].pop(0))
    assert tuple(won[agent(seat)] for seat in range(seats)) == result.nets


@pytest.mark.parametrize("seats", [4, 5])
@every_way_to_arrange
def test_bots_as_agents_play_a_deal_as_they_play_it_without(seats: int, way: str) -> None:
    deck = shuffled_deck(random.Random(19))
    table = parallel_env(seats=seats, arrange=way)
    bots = {name: BotAgent(GreedyBot(random.Random(name)), way) for name in table.possible_agents}
    _, infos = table.reset(options={"deck": deck, "dealer": 1})
    won: dict[str, float] = {}
    while table.agents:
        _, won, _, _, infos = table.step({name: bots[name].act(infos[name]["view"]) for name in table.agents})
    state = GameState.start(table.rules, dealer=1).deal(deck)
    result = play_out(state, [GreedyBot(random.Random(name)) for name in table.possible_agents]).result
    assert result is not None
    assert tuple(won.values()) == result.nets


def test_an_agent_whose_game_was_broken_off_begins_the_next_one_afresh() -> None:
    table = parallel_env(seats=5)
    bots = {name: BotAgent(GreedyBot(random.Random(1)), "steps") for name in table.possible_agents}
    won: dict[str, float] = {}
    for steps in (13, 20):  # in the midst of arranging, then a whole game
        _, infos = table.reset(seed=steps)
        for _ in range(steps):
            _, won, _, _, infos = table.step({name: bots[name].act(infos[name]["view"]) for name in table.agents})
    assert not table.agents and sum(won.values()) == 0


def test_a_bot_that_sets_other_hands_cannot_choose_from_the_frontier() -> None:
    table = parallel_env(seats=5, arrange="frontier")
    bots = {name: BotAgent(RandomBot(random.Random(name)), "frontier") for name in table.possible_agents}
    _, infos = table.reset(seed=1)
    for _ in range(10):
        *_, infos = table.step({name: bots[name].act(infos[name]["view"]) for name in table.agents})
    for _ in range(2):
        with pytest.raises(ValueError, match="RandomBot"):
            bots["seat_0"].act(infos["seat_0"]["view"])


@every_way_to_arrange
def test_one_after_the_other_an_agent_is_refused_at_once_and_may_choose_again(way: str) -> None:
    table, twin = (env(arrange=way) for _ in range(2))
    for one in (table, twin):
        one.reset(seed=21)
    for name in table.agent_iter():
        observation, _, ended, *_ = table.last()
        if ended:
            break
        mask = observation["action_mask"]
        with pytest.raises(ValueError, match=name):
            table.step(int(np.flatnonzero(mask == 0)[0]))
        assert table.agent_selection == name
        for one in (table, twin):
            one.step(int(np.flatnonzero(mask)[-1]))
    assert table.rewards == twin.rewards and same(table.observe(agent(0)), twin.observe(agent(0)))
    assert sum(table.rewards.values()) == 0


def test_the_actions_of_a_pick_and_of_an_arrange() -> None:
    """Cards by their place in the pack, and the cards of each hand in ascending order, however the move names them."""
    assert actions_of(Pick(2, Card.parse("As"))) == (51,)
    low, high = cards(["7h", "5d", "4c", "3s", "2d"]), cards(["As", "Kd", "Ah", "Ad", "Ac"])
    assert actions_of(Arrange(0, low, high)) == (1, 7, 8, 13, 22, 45, 48, 49, 50, 51)


@every_way_to_arrange
def test_the_whole_table_is_drawn_with_all_cards_up(way: str, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(17)
    played = random_game(table_for(4, 13, rng), way, rng)
    drawn, printed = (environment(played.setting, way, render_mode=mode) for mode in ("ansi", "human"))
    for turn, _ in enumerate(zip(answers(drawn, played), answers(printed, played), strict=True)):
        capsys.readouterr()
        text = drawn.render()
        assert capsys.readouterr().out == ""
        assert printed.render() is None
        assert capsys.readouterr().out.strip() == text.strip()
        table = play(played.setting, played.actions[: moments(played)[turn]])
        for holder in table.everybody:
            assert all(str(Card.parse(card)) in text for card in [*table.packs[holder], *table.pools[holder]])
        assert f"dealer in seat {played.setting.dealer}" in text
        if table.phase == "over":
            assert text.count(" sets ") == played.setting.seats
        assert (table.phase == "over") == ("The low half is" in text)


def test_before_the_deal_there_is_nothing_to_show() -> None:
    table = parallel_env(render_mode="ansi")
    for show in (table.state, table.render):
        with pytest.raises(ValueError, match="reset"):
            show()


def test_who_asks_for_nothing_to_be_drawn_is_told_so() -> None:
    table = parallel_env()
    table.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert table.render() is None


def test_only_picks_and_arrangements_are_made_of_actions() -> None:
    with pytest.raises(ValueError, match="pass"):
        actions_of(Pass())


@pytest.mark.parametrize("seats", [2, 4, 5])
def test_chips_are_rewards_to_the_last_one(seats: int) -> None:
    """Rewards are floats: of more chips than they can count nobody may play."""
    most = 2**53 // seats
    with pytest.raises(ValueError, match="ante"):
        parallel_env(seats=seats, hand_size=10, ante=most + 1)
    table = parallel_env(seats=seats, hand_size=10, ante=most, arrange="best", on_illegal="lowest")
    for seed in range(5):
        _, infos = table.reset(seed=seed)
        rewards: dict[str, float] = {}
        while table.agents:
            _, rewards, _, _, infos = table.step(dict.fromkeys(table.agents, 0))
        result = infos["seat_0"]["view"].result
        assert result is not None and [int(reward) for reward in rewards.values()] == list(result.nets)
        assert sum(rewards.values()) == 0


def test_the_readme_shows_the_example() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_examples(pettingzoo_env.__doc__ or "")
    assert "".join(example.source for example in examples).rstrip() in readme.replace("\n\n", "\n")


def test_the_example_in_the_head_of_the_module_is_right() -> None:
    failed, tried = doctest.testmod(pettingzoo_env)
    assert failed == 0 and tried > 0
