"""What a seat is told by `examples/pettingzoo_env.py`: all that it has seen and done, and nothing else.

`decode` reads an observation back into cards, by the documented order and shapes of its parts; nothing of the adapter
helps it. Then the law of `test_secrets`, with games re-dealt by the same `redeal`: two games that a seat cannot tell
apart look the same to it, byte for byte, at every step.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from essen_hilo import View
from examples.pettingzoo_env import parallel_env
from tests.games import states_of
from tests.pettingzoo_games import (
    TURNS_OF_ARRANGING,
    Answer,
    Game,
    Marks,
    agent,
    answers,
    chosen,
    environment,
    every_way_to_arrange,
    moments,
    random_game,
    same,
    sizes,
    table_for,
)
from tests.reference import PACK
from tests.reference_game import Table, play, random_arrange, redeal

# --- An observation holds what the view of its seat holds ---


def decode(vector: Marks, seats: int, hand_size: int) -> dict[str, object]:
    """The parts of an observation in plain numbers and card texts; each mark is used once, and all are used."""
    marks = vector.tolist()

    def one_of(count: int) -> int:
        part = [marks.pop(0) for _ in range(count)]
        assert sorted(part) == [0] * (count - 1) + [1]
        return part.index(1)

    def some_cards() -> set[str]:
        part = [marks.pop(0) for _ in range(52)]
        assert set(part) <= {0, 1}
        return {card for card, mark in zip(PACK, part, strict=True) if mark}

    decoded: dict[str, object] = {
        "seat": one_of(seats),
        "dealer": one_of(seats),
        "phase": ("pick", "arrange", "over")[one_of(3)],
        "round": one_of(hand_size),
        "pack": some_cards(),
        "pool": some_cards(),
        "seen": [some_cards() for _ in range(hand_size)],
        "picks": [some_cards() for _ in range(hand_size)],
        "low": some_cards(),
        "high": some_cards(),
        "low_hands": [some_cards() for _ in range(seats)],
        "high_hands": [some_cards() for _ in range(seats)],
    }
    assert not marks
    return decoded


def shapes(seats: int, hand_size: int) -> dict[str, tuple[int, ...]]:
    return {
        "seat": (seats,),
        "dealer": (seats,),
        "phase": (3,),
        "round": (hand_size,),
        "pack": (52,),
        "pool": (52,),
        "seen": (hand_size, 52),
        "picks": (hand_size, 52),
        "low": (52,),
        "high": (52,),
        "low_hands": (seats, 52),
        "high_hands": (seats, 52),
    }


def known(table: Table, seat: int, low: Sequence[str], high: Sequence[str]) -> dict[str, object]:
    """The same, from the table: what this seat has seen, kept, and chosen for its hands so far."""
    hand_size = table.setting.hand_size
    seen = [set(packs[seat]) for packs in table.taken_up]
    picks = [{card} for card in table.pools[seat]]
    return {
        "seat": seat,
        "dealer": table.setting.dealer,
        "phase": table.phase,
        "round": table.round,
        "pack": set(table.packs[seat]),
        "pool": set(table.pools[seat]),
        "seen": seen + [set()] * (hand_size - len(seen)),
        "picks": picks + [set()] * (hand_size - len(picks)),
        "low": set(low),
        "high": set(high),
        "low_hands": [set(table.low_up.get(other, ())) for other in table.everybody],
        "high_hands": [set(table.high_up.get(other, ())) for other in table.everybody],
    }


@sizes
@every_way_to_arrange
@pytest.mark.parametrize("seed", [1, 2])
def test_an_observation_is_what_the_seat_has_seen_and_done(seats: int, hand_size: int, way: str, seed: int) -> None:
    rng = random.Random(seed)
    played = random_game(table_for(seats, hand_size, rng), way, rng)
    given = list(answers(environment(played.setting, way), played))
    assert len(given) == 1 + hand_size + TURNS_OF_ARRANGING[way]
    for moment, (answer, done) in enumerate(zip(given, moments(played), strict=True)):
        table = play(played.setting, played.actions[:done])
        for seat, own in enumerate(chosen(played, moment)):
            vector = answer.observations[agent(seat)]["observation"]
            assert decode(vector, seats, hand_size) == known(table, seat, own[:5], own[5:])


@sizes
@every_way_to_arrange
def test_the_info_of_a_seat_is_its_view_and_nothing_else(seats: int, hand_size: int, way: str) -> None:
    rng = random.Random(3)
    played = random_game(table_for(seats, hand_size, rng), way, rng)
    for answer, done in zip(answers(environment(played.setting, way), played), moments(played), strict=True):
        state = states_of(played.setting, played.actions[:done])[-1]
        assert answer.infos == {agent(seat): {"view": state.view(seat)} for seat in range(seats)}


@sizes
@every_way_to_arrange
def test_spaces_shapes_and_parts(seats: int, hand_size: int, way: str) -> None:
    """Every observation lies in its space; `parts` are views into the vector, by name and in the documented order."""
    rng = random.Random(4)
    played = random_game(table_for(seats, hand_size, rng), way, rng)
    table = environment(played.setting, way)
    wanted = shapes(seats, hand_size)
    length = sum(int(np.prod(shape)) for shape in wanted.values())
    assert table.possible_agents == [agent(seat) for seat in range(seats)]
    for answer in answers(table, played):
        for name, seen in answer.observations.items():
            assert table.observation_space(name).contains(seen)
            assert list(seen) == ["observation", "action_mask"]
            vector, mask = seen["observation"], seen["action_mask"]
            assert vector.dtype == np.int8 and vector.shape == (length,)
            assert mask.dtype == np.int8 and mask.shape == (52,)
            parts = table.parts(vector)
            assert {part: array.shape for part, array in parts.items()} == wanted
            assert list(parts) == list(wanted)
            assert np.concatenate([array.ravel() for array in parts.values()]).tolist() == vector.tolist()
            assert all(np.shares_memory(array, vector) for array in parts.values())
        vectors = [answer.observations[agent(seat)]["observation"] for seat in range(seats)]
        assert table.state().dtype == np.int8
        assert np.array_equal(table.state(), np.stack(vectors))
        assert table.state_space.contains(table.state())


def test_each_agent_has_spaces_of_its_own_and_keeps_them() -> None:
    """One generator each: what one agent samples does not change what another one does."""
    table = parallel_env()
    spaces = [table.action_space(name) for name in table.possible_agents]
    assert len({id(space) for space in spaces}) == 4
    assert [table.action_space(name) for name in table.possible_agents] == spaces
    assert all(table.action_space(name) is space for name, space in zip(table.possible_agents, spaces, strict=True))
    assert all(table.observation_space(name) is table.observation_space(name) for name in table.possible_agents)
    assert all(space.n == 52 for space in spaces)


@every_way_to_arrange
def test_observations_once_given_do_not_change_and_changing_them_changes_nothing(way: str) -> None:
    rng = random.Random(5)
    played = random_game(table_for(4, 13, rng), way, rng)
    untouched = [copy.deepcopy(answer) for answer in answers(environment(played.setting, way), played)]
    kept = list(answers(environment(played.setting, way), played))
    assert same(kept, untouched)
    for answer, expected in zip(answers(environment(played.setting, way), played), untouched, strict=True):
        assert same(answer, expected)
        for seen in answer.observations.values():
            seen["observation"][:] = 1
            seen["action_mask"][:] = 1


# --- Two games that a seat cannot tell apart look the same to it ---

Leak = Callable[[Answer], None]


def other_game(played: Game, moment: int, seat: int, rng: random.Random) -> Game:
    """Another game that the seat cannot tell from this one, up to this moment.

    While hands are being set in secret, the others set other hands than they do in this game.
    """
    actions = redeal(played.setting, played.actions[: moments(played)[moment]], seat, rng)
    table = play(played.setting, actions)
    if table.phase == "arrange" and played.way == "steps":
        own = next(action for action in played.actions if action.verb == "arrange" and action.seat == seat)
        for holder in table.everybody:
            actions.append(own if holder == seat else random_arrange(holder, table.pools[holder], rng))
    return played._replace(actions=actions)


def given_to(answer: Answer, name: str) -> dict[str, object]:
    """All that an agent gets, as bytes and text."""
    seen, info = answer.observations[name], answer.infos[name]
    own = [by_agent[name] for by_agent in (answer.rewards, answer.terminations, answer.truncations) if by_agent]
    return {
        "observation": seen["observation"].tobytes(),
        "mask": seen["action_mask"].tobytes(),
        "infos": info,
        "repr of infos": repr(info),
        "the rest": own,
    }


def difference(played: Game, moment: int, seat: int, rng: random.Random, leak: Leak | None = None) -> str | None:
    """What betrays to this seat, up to this moment, that another game is being played; None when nothing does."""
    games = played, other_game(played, moment, seat, rng)
    tables = [environment(played.setting, played.way) for _ in games]
    both = [itertools.islice(answers(table, game), moment + 1) for table, game in zip(tables, games, strict=True)]
    for turn, pair in enumerate(zip(*both, strict=True)):
        for answer in pair:
            if leak is not None:
                leak(answer)
        one, two = (given_to(answer, agent(seat)) for answer in pair)
        for what, said in one.items():
            if said != two[what]:
                return f"{what} of seat {seat} at observation {turn}"
    return None


def comparable_moments(played: Game) -> range:
    """The observations for which the rules alone make another game.

    What the frontier or the best arrangement is depends on cards that nobody turns up, so that with cards left over
    the hands shown at the end would not be those of the other game.
    """
    ends = played.way == "steps" or played.setting.hand_size == 10
    return range(len(moments(played)) - (not ends))


@sizes
@every_way_to_arrange
@pytest.mark.parametrize("seed", [6, 7])
def test_two_games_that_a_seat_cannot_tell_apart_look_the_same_to_it(
    seats: int, hand_size: int, way: str, seed: int
) -> None:
    rng = random.Random(seed)
    played = random_game(table_for(seats, hand_size, rng), way, rng)
    for moment in comparable_moments(played):
        for seat in range(seats):
            assert difference(played, moment, seat, rng) is None


def test_the_other_game_is_another_game() -> None:
    """The check of the check: the cards of the others do move, and so do the hands that they are choosing."""
    rng = random.Random(7)
    played = random_game(table_for(4, 13, rng), "steps", rng)
    for moment in range(len(moments(played)) - 1):
        one, other = (
            list(itertools.islice(answers(environment(game.setting, "steps"), game), moment + 1))[-1]
            for game in (played, other_game(played, moment, 0, rng))
        )
        for name in (agent(1), agent(2), agent(3)):
            assert given_to(one, name) != given_to(other, name)
        if moment > 13:
            lows = [decode(answer.observations[agent(2)]["observation"], 4, 13)["low"] for answer in (one, other)]
            assert lows[0] != lows[1]


def newest_pick(answer: Answer) -> None:
    """Marks what seat 1 picked last as a card of seat 0's pool."""
    view: View = answer.infos[agent(1)]["view"]
    for card in view.pool[-1:]:
        answer.observations[agent(0)]["observation"][2 * 4 + 3 + 13 + 52 + card.index] = 1


def marks_of_the_neighbour(answer: Answer) -> None:
    own, other = answer.observations[agent(0)], answer.observations[agent(1)]
    own["observation"][-8 * 52 - 104 :] |= other["observation"][-8 * 52 - 104 :]  # low, high and what follows


def mask_of_the_neighbour(answer: Answer) -> None:
    answer.observations[agent(0)]["action_mask"] |= answer.observations[agent(1)]["action_mask"]


def number_of_hearts(answer: Answer) -> None:
    """Not the cards: only how many of the neighbour's pack are hearts."""
    view: View = answer.infos[agent(1)]["view"]
    answer.infos[agent(0)]["hearts"] = sum(str(card).endswith("h") for card in view.pack)


@pytest.mark.parametrize(
    ("leak", "when"),
    [
        (newest_pick, range(1, 13)),
        (marks_of_the_neighbour, range(14, 23)),
        (mask_of_the_neighbour, range(23)),
        (number_of_hearts, range(13)),
    ],
)
def test_a_planted_leak_is_found(leak: Leak, when: range) -> None:
    """Now and then two games agree in what leaks; where little is hidden, often."""
    rng = random.Random(8)
    played = random_game(table_for(4, 13, rng), "steps", rng)
    for moment in when:
        assert any(difference(played, moment, 0, rng, leak) for _ in range(20))
    assert difference(played, when[-1], 2, rng, leak) is None  # it was told to seat 0 alone
