"""Whole games sent through `examples/pettingzoo_env.py`, played from what the plain model in `reference_game` did.

A game is made at a plain table, from the rules alone; `steps_of` says what the seats send to play it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from essen_hilo import Arrangement, Card, LowRule, best_arrangement, frontier
from examples.pettingzoo_env import parallel_env
from tests.games import as_rules, cards, texts
from tests.reference import LOWS, PACK
from tests.reference_game import PASS, SHOWDOWN, Action, Setting, Table, deal, pick, random_arrange
from tests.reference_game import arrange as set_hands

Marks = NDArray[np.int8]
Sent = dict[str, Any]  # by agent, its action

SIZES = [(4, 13), (5, 10), (3, 10), (2, 13)]  # the published ones, and two house sizes
WAYS = ["steps", "frontier", "best"]
TURNS_OF_ARRANGING = {"steps": 10, "frontier": 1, "best": 0}

sizes = pytest.mark.parametrize(("seats", "hand_size"), SIZES)
every_way_to_arrange = pytest.mark.parametrize("way", WAYS)


class Game(NamedTuple):
    """A whole deal: what was agreed on, how hands are set, and what was done at the table, round by round."""

    setting: Setting
    way: str
    actions: list[Action]


def table_for(seats: int, hand_size: int, rng: random.Random) -> Setting:
    low = rng.choice(sorted(LOWS))
    return Setting(seats, hand_size, rng.choice((0, 1, 3, 5)), low, "left-of-dealer", rng.randrange(seats))


def random_game(setting: Setting, way: str, rng: random.Random) -> Game:
    table = Table(setting)
    actions: list[Action] = []

    def do(action: Action) -> None:
        actions.append(action)
        table.do(action)

    do(deal(rng.sample(PACK, 52)))
    while table.phase != "arrange":
        for seat in table.everybody:
            do(pick(seat, rng.choice(table.packs[seat])))
        if table.phase == "pass":
            do(PASS)
    for seat in table.everybody:
        do(random_hands(setting, way, seat, table.pools[seat], rng))
    do(SHOWDOWN)
    do(SHOWDOWN)
    return Game(setting, way, actions)


def random_hands(setting: Setting, way: str, seat: int, pool: Sequence[str], rng: random.Random) -> Action:
    """Two hands, as far as this way to arrange leaves a choice."""
    if way == "steps":
        return random_arrange(seat, pool, rng)
    hands = best_arrangement(cards(pool), as_rules(setting))
    if way == "frontier":
        hands = rng.choice(frontier(cards(pool), LowRule.named(setting.low)))
    return set_hands(seat, texts(hands.low), texts(hands.high))


def moments(played: Game) -> list[int]:
    """How many of the actions are done at the first observation, the second one, ... and the last."""
    verbs = [action.verb for action in played.actions]
    rounds = [number for number, verb in enumerate(verbs, start=1) if verb in ("deal", "pass")]
    return [*rounds, *[verbs.index("arrange")] * TURNS_OF_ARRANGING[played.way], len(verbs)]


def agent(seat: int) -> str:
    return f"seat_{seat}"


def steps_of(played: Game) -> list[Sent]:
    """What the seats send, step by step, to play this game, which may break off before hands are set."""
    seats = played.setting.seats
    picks = [action for action in played.actions if action.verb == "pick"]
    hands = [action for action in played.actions if action.verb == "arrange"]
    steps: list[Sent] = [
        {agent(action.seat): PACK.index(action.cards[0]) for action in picks[first : first + seats]}
        for first in range(0, len(picks), seats)
    ]
    if hands and played.way == "steps":
        both = {action.seat: [*in_order(action.cards), *in_order(action.high)] for action in hands}
        steps += [{agent(seat): ten[turn] for seat, ten in both.items()} for turn in range(10)]
    elif hands and played.way == "frontier":
        low = LowRule.named(played.setting.low)
        pools = [[action.cards[0] for action in picks if action.seat == seat] for seat in range(seats)]
        places = {
            agent(action.seat): frontier(cards(pools[action.seat]), low).index(
                Arrangement(cards(action.cards), cards(action.high))
            )
            for action in hands
        }
        steps.append(places)
    return steps


def in_order(hand: Sequence[str]) -> list[int]:
    return sorted(PACK.index(card) for card in hand)


class Answer(NamedTuple):
    """What the environment gives back, each by agent."""

    observations: dict[str, dict[str, Marks]]
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]


def environment(setting: Setting, way: str, **options: object) -> Any:
    options = {"arrange": way, **options}
    return parallel_env(seats=setting.seats, hand_size=setting.hand_size, low=setting.low, ante=setting.ante, **options)


def begin(table: Any, played: Game) -> Answer:
    observations, infos = table.reset(options={"deck": cards(played.actions[0].cards), "dealer": played.setting.dealer})
    return Answer(observations, {}, {}, {}, infos)


def answers(table: Any, played: Game) -> Iterator[Answer]:
    """Plays the game, as far as it goes."""
    yield begin(table, played)
    for sent in steps_of(played):
        yield Answer(*table.step(sent))


def allowed(observation: dict[str, Marks]) -> list[int]:
    return [number for number, mark in enumerate(observation["action_mask"].tolist()) if mark]


def by_mask(observations: dict[str, dict[str, Marks]], rng: random.Random) -> Sent:
    return {name: rng.choice(allowed(seen)) for name, seen in observations.items()}


def to_the_end(table: Any, observations: dict[str, dict[str, Marks]], rng: random.Random) -> Answer:
    """The last answer of a game in which everybody does something allowed."""
    while True:
        answer = Answer(*table.step(by_mask(observations, rng)))
        observations = answer.observations
        if not table.agents:
            return answer


def same(one: object, other: object) -> bool:
    """Whether two answers are the same in values, types, shapes and order."""
    return as_values(one) == as_values(other)


def as_values(thing: object) -> object:
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.shape, thing.tobytes()
    if isinstance(thing, dict):
        return [(key, as_values(value)) for key, value in thing.items()]
    if isinstance(thing, list | tuple):
        return [as_values(value) for value in thing]
    return type(thing), thing


def chosen(played: Game, moment: int) -> list[list[str]]:
    """By seat, the cards chosen for its low hand and then for its high hand by then."""
    hands = [action for action in played.actions if action.verb == "arrange"]
    whole = [[PACK[number] for half in (hand.cards, hand.high) for number in in_order(half)] for hand in hands]
    turns = max(moment - played.setting.hand_size, 0) if played.way == "steps" else 0
    return whole if moment == len(moments(played)) - 1 else [both[:turns] for both in whole]


def in_mid_game(way: str = "steps", turns: int = 4, **options: object) -> tuple[Any, Answer, Game]:
    """A table of four at which some steps have been taken, its last answer, and the whole game."""
    rng = random.Random(12)
    played = random_game(table_for(4, 13, rng), way, rng)
    table = environment(played.setting, way, **options)
    answer = list(itertools.islice(answers(table, played), turns + 1))[-1]
    return table, answer, played


def rest_of(table: Any, played: Game, turns: int) -> list[Answer]:
    return [Answer(*table.step(sent)) for sent in steps_of(played)[turns:]]


def dealt(table: Any, **how: Any) -> list[tuple[int, tuple[Card, ...]]]:
    """What was dealt, and by whom."""
    _, infos = table.reset(**how)
    return [(info["view"].dealer, info["view"].pack) for info in infos.values()]
