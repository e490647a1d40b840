"""The OpenSpiel games of `examples/openspiel_game.py`, node by node, beside the plain model in `reference_game`.

A `Position` is a node of those games told in the model's words: the cards dealt so far, what was done at the table
since, and the cards that the players have laid out for their two hands.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pyspiel
import pytest
from open_spiel.python.observation import make_observation

import examples.openspiel_game  # noqa: F401 - registers the games
from essen_hilo import EssenHiloError
from tests.reference import PACK
from tests.reference_game import (
    PASS,
    SHOWDOWN,
    Action,
    Setting,
    Table,
    deal,
    pick,
    play,
    random_arrange,
    random_deck,
)

TOGETHER, IN_TURN = "python_essen_hilo", "python_essen_hilo_seq"
GAMES = (TOGETHER, IN_TURN)


def at_openspiel(seats: int, hand_size: int, ante: int = 5, low: str = "deuce-to-seven") -> Setting:
    """What the OpenSpiel games fix: the last player deals, and no chip is left over."""
    return Setting(seats, hand_size, ante, low, odd_chips="left-of-dealer", dealer=seats - 1)


FOUR = at_openspiel(4, 13)
FIVE = at_openspiel(5, 10, ante=3, low="ace-to-five")
TWO = at_openspiel(2, 10, ante=1, low="ace-to-six")
THREE = at_openspiel(3, 10, ante=7, low="deuce-to-six")
SETTINGS = (FOUR, FIVE, TWO, THREE)

BOTH_GAMES = pytest.mark.parametrize("name", GAMES)
EVERY_TABLE = pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.seats}x{setting.hand_size}")

REFUSED = (ValueError, EssenHiloError, pyspiel.SpielError)
"""A wrong value is refused by the game, by the package or by OpenSpiel itself."""


def load(name: str, setting: Setting) -> Any:
    low = setting.low.replace("-", "_")
    return pyspiel.load_game(
        name, {"players": setting.seats, "cards": setting.hand_size, "low": low, "ante": setting.ante}
    )


class Position(NamedTuple):
    """A node of an OpenSpiel game in the words of the plain model."""

    dealt: tuple[str, ...]
    actions: tuple[Action, ...]
    """What was done at the table; nothing as long as cards are dealt."""
    chosen: tuple[tuple[str, ...], ...]
    """By player, the cards of its low hand and then of its high hand, as far as it has laid them out."""


def index(card: str) -> int:
    return PACK.index(card)


def ascending(hand: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(hand, key=index))


def random_actions(setting: Setting, rng: random.Random) -> list[Action]:
    """A whole game in which everybody chooses at random, one player after the other."""
    table = Table(setting)
    actions: list[Action] = []
    while table.phase != "over":
        if table.phase == "deal":
            actions.append(deal(random_deck(rng)))
        elif table.phase == "pick":
            player = table.waiting_for()[0]
            actions.append(pick(player, rng.choice(table.packs[player])))
        elif table.phase == "arrange":
            player = table.waiting_for()[0]
            actions.append(random_arrange(player, table.pools[player], rng))
        else:
            actions.append(PASS if table.phase == "pass" else SHOWDOWN)
        table.do(actions[-1])
    return actions


def positions_of(setting: Setting, actions: Sequence[Action], name: str) -> Iterator[Position]:
    """Every node that one of the OpenSpiel games passes through on the way, the first and the last included."""
    everybody = range(setting.seats)
    dealt = actions[0].cards[: setting.seats * setting.hand_size]
    chosen: list[tuple[str, ...]] = [()] * setting.seats
    for count in range(len(dealt)):
        yield Position(dealt[:count], (), tuple(chosen))
    yield Position(dealt, tuple(actions[:1]), tuple(chosen))

    hands = {a.seat: (*ascending(a.cards), *ascending(a.high)) for a in actions if a.verb == "arrange"}
    choices = [number for number, action in enumerate(actions) if action.verb in ("pick", "arrange")]
    ends = [*choices, len(actions)]  # passing and showing are done by the table, at once
    at_once = setting.seats if name == TOGETHER else 1
    for turn in range(0, len(choices), at_once):
        if actions[choices[turn]].verb == "arrange":
            acting = everybody if name == TOGETHER else [actions[choices[turn]].seat]
            for count in range(1, 11):
                for player in acting:
                    chosen[player] = hands[player][:count]
                if count < 10:
                    yield Position(dealt, tuple(actions[: choices[turn]]), tuple(chosen))
        yield Position(dealt, tuple(actions[: ends[turn + at_once]]), tuple(chosen))


def steps_to(setting: Setting, position: Position, name: str) -> list[int | list[int]]:
    """All that is applied to come there: one action each time, or in the simultaneous game one of each player."""
    picks = [index(action.cards[0]) for action in position.actions if action.verb == "pick"]
    laid_out = [[index(card) for card in hands] for hands in position.chosen]
    steps: list[int | list[int]] = [index(card) for card in position.dealt]
    if name == TOGETHER:
        steps += [picks[first : first + setting.seats] for first in range(0, len(picks), setting.seats)]
        return steps + [list(joint) for joint in zip(*laid_out, strict=True)]
    return steps + picks + [card for hands in laid_out for card in hands]


def apply(state: Any, step: int | list[int]) -> None:
    if isinstance(step, list):
        state.apply_actions(step)
    else:
        state.apply_action(step)


def reach(game: Any, setting: Setting, position: Position) -> Any:
    """The OpenSpiel state of a position, played from the start."""
    state = game.new_initial_state()
    for step in steps_to(setting, position, game.get_type().short_name):
        apply(state, step)
    return state


def walk(game: Any, setting: Setting, actions: Sequence[Action]) -> Iterator[tuple[Any, Position, Table]]:
    """A whole game, node by node, on both sides: the OpenSpiel state (one object, which changes), and the model."""
    name = game.get_type().short_name
    state = game.new_initial_state()
    steps: list[int | list[int]] = []
    for position in positions_of(setting, actions, name):
        done, steps = len(steps), steps_to(setting, position, name)
        for step in steps[done:]:
            apply(state, step)
        yield state, position, play(setting, position.actions)


def random_walk(name: str, setting: Setting, seed: int) -> Iterator[tuple[Any, Position, Table]]:
    return walk(load(name, setting), setting, random_actions(setting, random.Random(seed)))


def acting(name: str, setting: Setting, position: Position, table: Table) -> list[int]:
    """Who is to choose: in the simultaneous game everybody, otherwise the lowest seat that is waited for."""
    if not position.actions:
        return []
    return table.waiting_for() if name == TOGETHER else table.waiting_for()[:1]


def kind(public: bool, private: bool, recall: bool) -> Any:
    whose = pyspiel.PrivateInfoType.SINGLE_PLAYER if private else pyspiel.PrivateInfoType.NONE
    return pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=whose)


KINDS = {
    "public and private": kind(public=True, private=True, recall=False),
    "public and private with recall": kind(public=True, private=True, recall=True),
    "public": kind(public=True, private=False, recall=False),
    "public with recall": kind(public=True, private=False, recall=True),
    "private": kind(public=False, private=True, recall=False),
    "private with recall": kind(public=False, private=True, recall=True),
}


def observers_of(game: Any) -> dict[str, Any]:
    return {words: make_observation(game, kind) for words, kind in KINDS.items()}


Said = dict[str, tuple[str, bytes]]


def said_to(state: Any, player: int, observers: dict[str, Any]) -> Said:
    """All that an observer of each kind tells this player."""
    said: Said = {}
    for words, observer in observers.items():
        observer.set_from(state, player)
        said[words] = observer.string_from(state, player), observer.tensor.tobytes()
    return said


def all_of(state: Any) -> tuple[str, list[tuple[int, int]]]:
    """A state, told in full: two that agree in this are the same."""
    return str(state), [(item.player, item.action) for item in state.full_history()]


def play_on(state: Any, rng: random.Random) -> None:
    """On to the end, everybody at random."""
    while not state.is_terminal():
        if state.is_simultaneous_node():
            state.apply_actions([rng.choice(state.legal_actions(player)) for player in range(state.num_players())])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
