"""`examples/pettingzoo_env.py` plays by the rules: what may be done, what is won, what is refused, what is dealt.

Games are made at the plain table of `reference_game` and sent through the environment step by step. What a seat is told
is in `test_pettingzoo_secrets`, PettingZoo's own suites are in `test_pettingzoo_suites`.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from essen_hilo import (
    EssenHiloError,
    LowRule,
    View,
    frontier,
)
from examples.pettingzoo_env import env, parallel_env
from tests import reference
from tests.games import CARDS_IN_TEXT, cards, deck_for, texts
from tests.pettingzoo_games import (
    Answer,
    Game,
    agent,
    allowed,
    answers,
    begin,
    by_mask,
    chosen,
    dealt,
    environment,
    every_way_to_arrange,
    in_mid_game,
    in_order,
    moments,
    random_game,
    rest_of,
    same,
    sizes,
    steps_of,
    table_for,
    to_the_end,
)
from tests.reference import HIGH, LOWS, PACK, worth
from tests.reference_game import PASS, SHOWDOWN, Action, Setting, deal, pick, play
from tests.reference_game import arrange as set_hands

# --- What may be done ---


def next_cards(rest: Sequence[int], so_far: Sequence[int]) -> set[int]:
    """What may follow in a hand that is named in ascending order: anything that five of these cards go on with."""
    turn = len(so_far)
    return {five[turn] for five in itertools.combinations(sorted(rest), 5) if list(five[:turn]) == list(so_far)}


@sizes
@every_way_to_arrange
def test_masks_are_the_rules(seats: int, hand_size: int, way: str) -> None:
    rng = random.Random(9)
    played = random_game(table_for(seats, hand_size, rng), way, rng)
    for moment, answer in enumerate(answers(environment(played.setting, way), played)):
        table = play(played.setting, played.actions[: moments(played)[moment]])
        for seat, own in enumerate(chosen(played, moment)):
            pool = in_order(table.pools[seat])
            so_far = [PACK.index(card) for card in own]
            if table.phase == "pick":
                may = set(in_order(table.packs[seat]))
            elif table.phase == "over":
                may = set()
            elif way == "frontier":
                may = set(range(len(frontier(cards(table.pools[seat]), LowRule.named(played.setting.low)))))
            elif len(so_far) < 5:
                may = next_cards(pool, so_far)
            else:
                may = next_cards([card for card in pool if card not in so_far[:5]], so_far[5:])
            assert set(allowed(answer.observations[agent(seat)])) == may


@sizes
@every_way_to_arrange
def test_whatever_the_mask_allows_ends_in_a_whole_deal(seats: int, hand_size: int, way: str) -> None:
    table = parallel_env(seats=seats, hand_size=hand_size, arrange=way)
    for seed in range(10):
        observations, _ = table.reset(seed=seed)
        last = to_the_end(table, observations, random.Random(seed))
        for name, info in last.infos.items():
            view: View = info["view"]
            assert view.arrangement is not None and view.result is not None
            both = [*view.arrangement.low, *view.arrangement.high]
            assert len(set(both)) == 10 and set(both) <= set(view.pool)
            assert last.rewards[name] == view.result.nets[int(name[-1])]


def test_every_arrangement_of_ten_cards_can_be_reached_once() -> None:
    """Walks the tree of masks of one seat, leaf by leaf: 252 ways, none of them a dead end."""
    rng = random.Random(10)
    played = random_game(table_for(2, 10, rng), "steps", rng)
    table = environment(played.setting, "steps")
    found = []
    path: list[int] | None = []
    while path is not None:
        answer = begin(table, played)
        for sent in steps_of(played)[:10]:
            answer = Answer(*table.step(sent))
        choices = []
        for turn in range(10):
            choices.append(allowed(answer.observations[agent(0)]))
            if turn == len(path):
                path.append(choices[turn][0])
            answer = Answer(*table.step({agent(0): path[turn], agent(1): allowed(answer.observations[agent(1)])[0]}))
        hands = answer.infos[agent(0)]["view"].arrangement
        assert (in_order(texts(hands.low)), in_order(texts(hands.high))) == (path[:5], path[5:])
        found.append(tuple(path))
        path = next_path(path, choices)
    assert len(found) == len(set(found)) == 252


def next_path(path: list[int], choices: list[list[int]]) -> list[int] | None:
    for turn in reversed(range(len(path))):
        later = [choice for choice in choices[turn] if choice > path[turn]]
        if later:
            return [*path[:turn], later[0]]
    return None


@pytest.mark.parametrize("low", sorted(LOWS))
def test_the_actions_of_a_frontier_are_its_arrangements_best_high_first(low: str) -> None:
    """Against the reference, which tries all arrangements: each seat takes each of them in turn."""
    rng = random.Random(11)
    setting = table_for(5, 10, rng)._replace(low=low)
    played = random_game(setting, "frontier", rng)
    table = environment(setting, "frontier")
    pools = play(setting, played.actions[: moments(played)[10]]).pools
    frontiers = [reference.frontier(pool, low) for pool in pools]
    for place in range(max(map(len, frontiers))):
        begin(table, played)
        places = [min(place, len(ways) - 1) for ways in frontiers]
        for sent in steps_of(played)[:10]:
            table.step(sent)
        *_, infos = table.step({agent(seat): place for seat, place in enumerate(places)})
        for seat, (ways, place) in enumerate(zip(frontiers, places, strict=True)):
            hands = infos[agent(seat)]["view"].arrangement
            assert (worth(texts(hands.low), low).rank, worth(texts(hands.high), HIGH).rank) == ways[place]


# --- What is won ---


def assert_rewards(given: Sequence[Answer], nets: Sequence[int]) -> None:
    """Nothing before the end, then payout − ante, to the chip."""
    *before, last = given[1:]
    for answer in before:
        assert set(answer.rewards.values()) == {0.0}
        assert not any(answer.terminations.values())
    for seat, net in enumerate(nets):
        assert last.rewards[agent(seat)] == net
        assert last.terminations[agent(seat)] is True
    assert sum(last.rewards.values()) == 0
    for answer in given[1:]:
        by_agent = (answer.observations, answer.rewards, answer.terminations, answer.truncations, answer.infos)
        assert all(list(some) == [agent(seat) for seat in range(len(nets))] for some in by_agent)
        assert all(type(reward) is float for reward in answer.rewards.values())
        assert all(type(ended) is bool for ended in answer.terminations.values())
        assert all(cut is False for cut in answer.truncations.values())


@sizes
@every_way_to_arrange
def test_rewards_are_payout_minus_ante_and_sum_to_zero(seats: int, hand_size: int, way: str) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        played = random_game(table_for(seats, hand_size, rng), way, rng)
        table = environment(played.setting, way)
        given = list(answers(table, played))
        assert_rewards(given, play(played.setting, played.actions).settled().nets)
        assert table.agents == []
        assert table.possible_agents == [agent(seat) for seat in range(seats)]


def game_of_pools(setting: Setting, pools: Sequence[Sequence[str]], hands: Sequence[Action]) -> Game:
    """The game in which each seat picks its pool in this order: a pack holds what those who take it up pick."""
    seats, rounds = range(setting.seats), range(setting.hand_size)
    packs = [[pools[(first + number) % setting.seats][number] for number in rounds] for first in seats]
    picks = [[pick(seat, pools[seat][number]) for seat in seats] for number in rounds]
    drafted = [action for one_round in picks for action in [*one_round, PASS]][:-1]
    return Game(setting, "steps", [deal(deck_for(packs, setting.dealer)), *drafted, *hands, SHOWDOWN, SHOWDOWN])


@pytest.mark.parametrize("ante", [1, 3, 5])
@pytest.mark.parametrize(("seats", "hand_size"), [(4, 13), (4, 10), (3, 10), (2, 13), (5, 10)])
def test_rewards_sum_to_zero_when_seats_tie(seats: int, hand_size: int, ante: int) -> None:
    """Each of four seats keeps one suit, so that hands of the same ranks tie; a fifth seat gets high cards."""
    ties = set()
    for dealer in range(seats):
        rng = random.Random(dealer)
        pools = [[rank + suit for rank in reference.RANKS[:hand_size]] for suit in reference.SUITS]
        pools.append([rank + suit for rank in "QKA" for suit in reference.SUITS][:10])
        ways = [rng.sample(range(hand_size), 10) for _ in range(2)]
        for seats_alike in range(1, seats + 1):
            setting = Setting(seats, hand_size, ante, rng.choice(sorted(LOWS)), "left-of-dealer", dealer)
            taken = [[pools[seat][place] for place in ways[seat >= seats_alike]] for seat in range(seats)]
            hands = [set_hands(seat, ten[:5], ten[5:]) for seat, ten in enumerate(taken)]
            played = game_of_pools(setting, pools[:seats], hands)
            settled = play(setting, played.actions).settled()
            assert_rewards(list(answers(environment(setting, "steps"), played)), settled.nets)
            ties |= {len(settled.low_winners), len(settled.high_winners)}
    assert max(ties) == min(seats, 4)


# --- What is refused ---


def bad_numbers(answer: Answer, name: str) -> list[object]:
    """Numbers that are no action of this seat now, among them those with which a list would answer anyway."""
    forbidden = [number for number in range(52) if number not in allowed(answer.observations[name])]
    return [*forbidden, -1, -52, 52, 10**6, np.int64(-1), np.int32(forbidden[0])]


@pytest.mark.parametrize(("way", "turns"), [("steps", 4), ("steps", 14), ("steps", 20), ("frontier", 13), ("best", 7)])
def test_an_action_against_the_mask_is_refused_and_nothing_has_changed(way: str, turns: int) -> None:
    twin, _, played = in_mid_game(way, turns)
    expected = rest_of(twin, played, turns)
    table, answer, _ = in_mid_game(way, turns)
    good = steps_of(played)[turns]
    before = table.state().tobytes()
    for name in good:
        for bad in bad_numbers(answer, name):
            with pytest.raises(ValueError, match=name) as refused:
                table.step({**good, name: bad})
            assert not CARDS_IN_TEXT.search(str(refused.value))
            assert table.state().tobytes() == before
    assert same(rest_of(table, played, turns), expected)


def test_a_refusal_says_the_same_whatever_the_cards_are() -> None:
    """Numbers of actions are cards too, so no list of what would have been allowed."""
    said = set()
    for seed in range(20):
        rng = random.Random(seed)
        played = random_game(table_for(4, 13, rng), "steps", rng)
        table = environment(played.setting, "steps")
        answer = begin(table, played)
        if 17 not in allowed(answer.observations[agent(1)]):
            with pytest.raises(ValueError, match=agent(1)) as refused:
                table.step({**steps_of(played)[0], agent(1): 17})
            said.add(str(refused.value))
    assert len(said) == 1


@pytest.mark.parametrize("on_illegal", ["raise", "lowest"])
@pytest.mark.parametrize("bad", [None, "7", 2.5, 3.0, np.float64(3), float("nan"), [3], np.array([3, 4])])
def test_an_action_that_is_no_whole_number_is_refused_either_way(bad: object, on_illegal: str) -> None:
    table, _, played = in_mid_game(on_illegal=on_illegal)
    before = table.state().tobytes()
    with pytest.raises(ValueError, match=agent(3)):
        table.step({**steps_of(played)[4], agent(3): bad})
    assert table.state().tobytes() == before


@pytest.mark.parametrize(("way", "turns"), [("steps", 4), ("steps", 14), ("steps", 20), ("frontier", 13), ("best", 7)])
def test_the_lowest_allowed_action_is_played_instead(way: str, turns: int) -> None:
    table, answer, _ = in_mid_game(way, turns, on_illegal="lowest")
    name = agent(2)
    lowest = {other: allowed(seen)[0] for other, seen in answer.observations.items()}
    expected = Answer(*copy.deepcopy(table).step(lowest))
    for bad in bad_numbers(answer, name):
        assert same(Answer(*copy.deepcopy(table).step({**lowest, name: bad})), expected)
    for good in allowed(answer.observations[name])[1:]:
        assert not same(Answer(*copy.deepcopy(table).step({**lowest, name: good})), expected)


@pytest.mark.parametrize("on_illegal", ["raise", "lowest"])
def test_a_step_is_one_action_for_each_agent(on_illegal: str) -> None:
    table, _, played = in_mid_game(on_illegal=on_illegal)
    good = steps_of(played)[4]
    before = table.state().tobytes()
    wrong = [{name: action for name, action in good.items() if name != missing} for missing in good]
    for actions in [*wrong, {**good, "seat_9": 3}, {}]:
        with pytest.raises(ValueError, match="one for each of seat_0, seat_1, seat_2, seat_3") as refused:
            table.step(actions)
        assert str([*actions]) in str(refused.value)
        assert not CARDS_IN_TEXT.search(str(refused.value))
    assert table.state().tobytes() == before
    assert len(rest_of(table, played, 4)) == 19


@pytest.mark.parametrize("number", [int, np.int8, np.uint8, np.int32, np.int64, np.array])
def test_an_action_may_be_any_kind_of_whole_number(number: Callable[[int], object]) -> None:
    _, _, played = in_mid_game()
    table, twin = environment(played.setting, "steps"), environment(played.setting, "steps")
    begin(table, played)
    begin(twin, played)
    for sent in steps_of(played):
        other = {name: number(action) for name, action in sent.items()}
        assert same(Answer(*table.step(other)), Answer(*twin.step(sent)))


@pytest.mark.parametrize("on_illegal", ["raise", "lowest"])
def test_no_step_before_a_deal_or_after_the_end(on_illegal: str) -> None:
    table, _, played = in_mid_game(turns=23, on_illegal=on_illegal)
    over = table.state().tobytes()
    for sent in (steps_of(played)[-1], dict.fromkeys(table.possible_agents, 0), {agent(0): 0}):
        with pytest.raises(ValueError, match="reset"):
            table.step(sent)
    assert table.state().tobytes() == over and table.agents == []
    with pytest.raises(ValueError, match="reset"):
        parallel_env(on_illegal=on_illegal).step(steps_of(played)[0])


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *[("seats", value) for value in (0, 1, 6, -4, 4.0, "4", True, None)],
        *[("hand_size", value) for value in (0, 9, 14, 10.0, "13", True)],
        *[("low", value) for value in ("high", "", "deuce to seven", 27, None)],
        *[("ante", value) for value in (-1, 5.0, "5", True, None)],
        *[("arrange", value) for value in ("all", "", None, 1)],
        *[("on_illegal", value) for value in ("ignore", "", None, 1)],
        *[("render_mode", value) for value in ("rgb_array", "", 1)],
    ],
)
@pytest.mark.parametrize("make", [parallel_env, env])
def test_a_wrong_option_is_named(make: Callable[..., object], option: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"\b{option}\b"):
        make(**{option: value})


def test_a_table_of_three_needs_a_hand_size() -> None:
    with pytest.raises(ValueError, match="hand_size"):
        parallel_env(seats=3)


@pytest.mark.parametrize("low", sorted(LOWS))
def test_a_low_rule_is_given_by_name_or_as_itself(low: str) -> None:
    for given in (low, LowRule.named(low)):
        _, infos = parallel_env(low=given).reset(seed=1)
        assert infos[agent(0)]["view"].rules.low.name == low


@pytest.mark.parametrize(
    "options",
    [
        {"deck": cards(PACK)[:51]},
        {"deck": [*cards(PACK)[:51], cards(PACK)[0]]},
        {"deck": []},
        {"deck": cards(PACK), "dealer": 4},
        {"dealer": -1},
        {"dealer": "0"},
        {"dealer": True},
    ],
)
def test_a_wrong_deal_is_refused_and_the_game_goes_on(options: dict[str, object]) -> None:
    table, _, played = in_mid_game()
    twin = copy.deepcopy(table)
    with pytest.raises((ValueError, EssenHiloError)) as refused:
        table.reset(options=options)
    assert not CARDS_IN_TEXT.search(str(refused.value))
    assert same(rest_of(table, played, 4), rest_of(twin, played, 4))
    assert dealt(table) == dealt(twin)


# --- Chance ---


def test_the_same_seed_deals_the_same_and_the_next_deals_go_on_from_there() -> None:
    one, other = parallel_env(), parallel_env(arrange="best")
    deals = [dealt(one, seed=7), dealt(one), dealt(one), dealt(one, seed=8)]
    assert [dealt(other, seed=7), dealt(other), dealt(other), dealt(other, seed=8)] == deals
    assert len({repr(deal) for deal in deals}) == 4
    assert dealt(one, seed=7) == deals[0]


@pytest.mark.parametrize("seed", [-1, True, 4.9, "5", float("nan")])
def test_a_seed_is_a_whole_number_from_0(seed: object) -> None:
    table, _, played = in_mid_game()
    with pytest.raises((ValueError, TypeError)):
        table.reset(seed=seed)
    assert len(rest_of(table, played, 4)) == 19
    assert dealt(table, seed=np.int64(6)) == dealt(table, seed=6)


def test_every_seat_comes_to_deal() -> None:
    for seats in (2, 4, 5):
        table = parallel_env(seats=seats, hand_size=10)
        dealers = [table.reset(seed=seed)[1]["seat_0"]["view"].dealer for seed in range(200)]
        assert all(dealers.count(seat) > 100 / seats for seat in range(seats))


def test_a_deck_with_each_dealer_in_turn_gives_each_seat_each_pack() -> None:
    table, deck = parallel_env(seats=5), cards(PACK)
    for seat in range(5):
        packs = {dealt(table, options={"deck": deck, "dealer": dealer})[seat][1] for dealer in range(5)}
        assert len(packs) == 5


def test_without_a_seed_two_environments_deal_differently() -> None:
    assert dealt(parallel_env()) != dealt(parallel_env())


def test_the_deals_of_one_environment_do_not_move_those_of_another() -> None:
    table, other = parallel_env(), parallel_env()
    twin = copy.deepcopy(table)
    dealt(other)
    assert dealt(table) == dealt(twin)


def test_games_played_do_not_change_the_deals_that_follow() -> None:
    one, other = parallel_env(), parallel_env()
    observations, _ = one.reset(seed=9)
    to_the_end(one, observations, random.Random(1))
    other.reset(seed=9)
    assert dealt(one) == dealt(other)


def test_two_environments_side_by_side_do_not_touch_each_other() -> None:
    def play_two(tables: Sequence[Any]) -> list[Answer]:
        """Step by step, one after the other."""
        rngs = [random.Random(seed) for seed in range(2)]
        seen = [table.reset(seed=seed)[0] for seed, table in enumerate(tables)]
        given = []
        for _ in range(23):
            for number, table in enumerate(tables):
                given.append(Answer(*table.step(by_mask(seen[number], rngs[number]))))
                seen[number] = given[-1].observations
        return given

    def play_one(seed: int) -> list[Answer]:
        table, rng = parallel_env(), random.Random(seed)
        seen, _ = table.reset(seed=seed)
        given = []
        for _ in range(23):
            given.append(Answer(*table.step(by_mask(seen, rng))))
            seen = given[-1].observations
        return given

    together = play_two([parallel_env(), parallel_env()])
    assert same(together[::2], play_one(0))
    assert same(together[1::2], play_one(1))


def test_the_global_generators_are_neither_read_nor_moved() -> None:
    def everything(seed: int) -> list[object]:
        random.seed(seed)
        np.random.seed(seed)  # the old generator of numpy, which is shared by everybody
        before = random.getstate(), repr(np.random.get_state())
        table = parallel_env()
        observations, _ = table.reset(seed=3)
        said: list[object] = [to_the_end(table, observations, random.Random(1)), dealt(table)]
        parallel_env().reset()
        assert (random.getstate(), repr(np.random.get_state())) == before
        return said

    saved = random.getstate(), np.random.get_state()
    try:
        assert same(everything(1), everything(2))
    finally:
        random.setstate(saved[0])
        np.random.set_state(saved[1])


def test_a_deal_can_be_fixed_in_part_and_unknown_options_are_ignored() -> None:
    rng = random.Random(13)
    deck = cards(rng.sample(PACK, 52))
    table = parallel_env()
    for dealer in range(4):
        _, infos = table.reset(options={"deck": deck, "dealer": dealer, "lamp": "on"})
        for seat in range(4):
            view: View = infos[agent(seat)]["view"]
            assert view.dealer == dealer
            assert set(view.pack) == set(deck[(seat - dealer - 1) % 4 :: 4])
    _, infos = table.reset(options={"deck": deck})
    views: list[View] = [info["view"] for info in infos.values()]
    assert all(set(view.pack) == set(deck[(seat - view.dealer - 1) % 4 :: 4]) for seat, view in enumerate(views))
    _, infos = table.reset(options={"dealer": 3})
    assert infos[agent(0)]["view"].dealer == 3
    assert dealt(table, seed=4, options={"lamp": "on"}) == dealt(table, seed=4)
