"""What a player of the OpenSpiel games is told is what it may know, and no more.

Observations are decoded and held against the plain model; two games that a player cannot tell apart tell it the same,
byte for byte; and what is sampled from its knowledge is one of those.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from math import comb, sqrt
from typing import Any

import numpy as np
import pyspiel
import pytest

from tests.games import texts
from tests.openspiel_games import (
    BOTH_GAMES,
    EVERY_TABLE,
    FOUR,
    IN_TURN,
    KINDS,
    REFUSED,
    THREE,
    TOGETHER,
    TWO,
    Position,
    all_of,
    apply,
    ascending,
    load,
    observers_of,
    play_on,
    random_actions,
    random_walk,
    reach,
    said_to,
    walk,
)
from tests.reference import PACK
from tests.reference_game import (
    Action,
    Setting,
    Table,
    play,
    redeal,
)

PHASES = {"deal": 0, "pick": 1, "pass": 1, "arrange": 2, "show-low": 3, "show-high": 3, "over": 3}


def shapes_of(words: str, setting: Setting) -> dict[str, tuple[int, ...]]:
    """Every piece of an observation of this kind, in order."""
    players, rounds = setting.seats, setting.hand_size
    shapes: dict[str, tuple[int, ...]] = {"player": (players,)}
    if "public" in words:
        shapes |= {"phase": (4,), "round": (rounds,), "to_act": (players,)}
        shapes |= {"low_hands": (players, 52), "high_hands": (players, 52)}
    if "private" in words:
        shapes |= {"pack": (52,), "pool": (52,), "low": (52,), "high": (52,)}
        if "recall" in words:
            shapes |= {"seen": (rounds, 52), "picks": (rounds, 52)}
    return shapes


def known_to(setting: Setting, position: Position, table: Table, player: int) -> dict[str, object]:
    """What each piece has to say to this player, in sets of cards and numbers; by the plain model alone."""

    def of_rounds(rows: list[list[str]]) -> list[set[str]]:
        return [set(row) for row in rows] + [set()] * (setting.hand_size - len(rows))

    dealt = position.dealt[player :: setting.seats]  # the player after the dealer, number 0, gets the first card
    return {
        "player": {player},
        "phase": {PHASES[table.phase]},
        "round": {table.round},
        "to_act": set(table.waiting_for()),
        "low_hands": [set(table.low_up.get(other, ())) for other in table.everybody],
        "high_hands": [set(table.high_up.get(other, ())) for other in table.everybody],
        "pack": set(table.packs[player]) if position.actions else set(dealt),
        "pool": set(table.pools[player]),
        "low": set(position.chosen[player][:5]),
        "high": set(position.chosen[player][5:]),
        "seen": of_rounds([packs[player] for packs in table.taken_up]),
        "picks": of_rounds([[card] for card in table.pools[player]]),
    }


def decoded(piece: np.ndarray[Any, np.dtype[np.float32]]) -> object:
    """The marks of a piece: a set of numbers, a set of cards, or a set of cards for each row."""
    assert piece.dtype == np.float32
    assert set(piece.ravel().tolist()) <= {0.0, 1.0}
    if piece.ndim == 2:
        return [decoded(row) for row in piece]
    marks = {number for number, value in enumerate(piece) if value}
    return {PACK[number] for number in marks} if len(piece) == 52 else marks


@EVERY_TABLE
@BOTH_GAMES
def test_every_piece_of_every_observation_says_what_the_rules_let_the_player_know(name: str, setting: Setting) -> None:
    observers = observers_of(load(name, setting))
    for state, position, table in random_walk(name, setting, 11):
        for player in table.everybody:
            known = known_to(setting, position, table, player)
            for words, observer in observers.items():
                observer.set_from(state, player)
                shapes = shapes_of(words, setting)
                assert {piece: marks.shape for piece, marks in observer.dict.items()} == shapes
                assert list(observer.dict) == list(shapes)
                assert {piece: decoded(marks) for piece, marks in observer.dict.items()} == {
                    piece: known[piece] for piece in shapes
                }
                assert np.array_equal(observer.tensor, np.concatenate([m.ravel() for m in observer.dict.values()]))


@EVERY_TABLE
@BOTH_GAMES
def test_a_state_gives_the_same_tensors_and_strings_as_the_observers_of_the_game(name: str, setting: Setting) -> None:
    game = load(name, setting)
    observers = observers_of(game)
    recall, now = observers["public and private with recall"], observers["public and private"]
    sizes = {words: sum(int(np.prod(s)) for s in shapes_of(words, setting).values()) for words in KINDS}
    assert game.information_state_tensor_size() == sizes["public and private with recall"]
    assert game.observation_tensor_size() == sizes["public and private"]
    for state, _, table in random_walk(name, setting, 12):
        for player in table.everybody:
            if not state.is_chance_node():  # OpenSpiel asks for them at the players' own nodes and at the end
                recall.set_from(state, player)
                assert state.information_state_tensor(player) == recall.tensor.tolist()
                now.set_from(state, player)
                assert state.observation_tensor(player) == now.tensor.tolist()
                assert state.information_state_string(player) == recall.string_from(state, player)
                assert state.observation_string(player) == now.string_from(state, player)


def with_two_picks_swapped(setting: Setting, actions: Sequence[Action]) -> list[Action]:
    """The same cards in the end: player 0 takes two from its first pack, which comes back, the other way round."""
    places = [number for number, action in enumerate(actions) if action.verb == "pick" and action.seat == 0]
    first, second = places[0], places[setting.seats]
    other = [*actions]
    other[first], other[second] = actions[second], actions[first]
    return other


@BOTH_GAMES
def test_two_strings_are_equal_just_when_the_two_tensors_are(name: str) -> None:
    for setting in (FOUR, TWO):
        game = load(name, setting)
        observers = observers_of(game)
        of_tensor: dict[tuple[str, bytes], str] = {}
        of_string: dict[tuple[str, str], bytes] = {}
        for seed in range(3):
            actions = random_actions(setting, random.Random(20 + seed))
            for variant in (actions, with_two_picks_swapped(setting, actions)):
                for state, _, table in walk(game, setting, variant):
                    for player in table.everybody:
                        for words, (string, tensor) in said_to(state, player, observers).items():
                            assert of_tensor.setdefault((words, tensor), string) == string
                            assert of_string.setdefault((words, string), tensor) == tensor
        assert len(of_tensor) == len(of_string) > 500


@BOTH_GAMES
def test_private_information_of_all_players_and_unknown_parameters_are_refused(name: str) -> None:
    game = load(name, TWO)
    everything = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(REFUSED):
        game.make_py_observer(everything, {})
    with pytest.raises(REFUSED):
        game.make_py_observer(KINDS["public and private"], {"colour": "red"})


# --- Secrets ---

Leak = Callable[[Any], str]


def redealt(setting: Setting, position: Position, player: int | None, rng: random.Random) -> Position:
    """A position that the player (None: somebody who only looks on) cannot tell from this one."""
    if not position.actions:
        own = [] if player is None else list(position.dealt[player :: setting.seats])
        free = rng.sample([card for card in PACK if card not in own], len(position.dealt) - len(own))
        dealt = list(position.dealt)
        for turn in range(len(dealt)):
            mine = player is not None and turn % setting.seats == player
            dealt[turn] = own.pop(rng.randrange(len(own))) if mine else free.pop()
        return position._replace(dealt=tuple(dealt))

    actions = redeal(setting, position.actions, player, rng)
    table = play(setting, actions)

    def laid_out(other: int) -> tuple[str, ...]:
        count = len(position.chosen[other])
        if other == player:
            return position.chosen[other]
        if other in table.hands:
            low, high = table.hands[other]
        else:
            ten = rng.sample(table.pools[other], 10 if count else 0)
            low, high = ten[:5], ten[5:]
        return (*ascending(low), *ascending(high))[:count]

    chosen = tuple(laid_out(other) for other in table.everybody)
    return Position(actions[0].cards[: len(position.dealt)], tuple(actions), chosen)


def difference(one: Any, two: Any, player: int, observers: dict[str, Any], leak: Leak | None = None) -> str | None:
    """What betrays to this player that another game is being played; None when nothing does."""
    first, second = said_to(one, player, observers), said_to(two, player, observers)
    if leak is not None:
        first["planted"], second["planted"] = (leak(one), b""), (leak(two), b"")
    for words, (string, tensor) in first.items():
        if string != second[words][0]:
            return f"the string ({words}):\n{string}\n{second[words][0]}"
        if tensor != second[words][1]:
            return f"the tensor ({words}), after\n{string}"
    if one.current_player() != two.current_player():
        return "whose turn it is"
    if not one.is_chance_node() and one.legal_actions(player) != two.legal_actions(player):
        return "what the player may do"
    return None


@EVERY_TABLE
@BOTH_GAMES
def test_two_games_that_a_player_cannot_tell_apart_look_the_same_to_it(name: str, setting: Setting) -> None:
    game, rng = load(name, setting), random.Random(31)
    observers = observers_of(game)
    for state, position, table in random_walk(name, setting, 31):
        for player in table.everybody:
            other = reach(game, setting, redealt(setting, position, player, rng))
            assert difference(state, other, player, observers) is None
            assert not position.actions or state.view(player) == other.view(player)


@EVERY_TABLE
@BOTH_GAMES
def test_public_observations_hold_nothing_that_somebody_who_only_looks_on_cannot_see(
    name: str, setting: Setting
) -> None:
    game, rng = load(name, setting), random.Random(32)
    public = {words: observer for words, observer in observers_of(game).items() if "private" not in words}
    assert len(public) == 2
    for state, position, table in random_walk(name, setting, 32):
        other = reach(game, setting, redealt(setting, position, None, rng))
        for player in table.everybody:
            assert said_to(state, player, public) == said_to(other, player, public)
        for observer in public.values():
            observer.set_from(state, 0)
            first = observer.tensor.copy()
            for player in table.everybody:
                observer.set_from(state, player)
                assert np.array_equal(observer.tensor[setting.seats :], first[setting.seats :])


@BOTH_GAMES
def test_the_other_game_is_another_game(name: str) -> None:
    """The check of the check: nearly everywhere, the cards of the others lie otherwise."""
    game, rng = load(name, FOUR), random.Random(33)
    changed: Counter[str] = Counter()
    nodes: Counter[str] = Counter()
    for state, position, table in random_walk(name, FOUR, 33):
        for player in table.everybody if position.dealt else ():
            other = redealt(FOUR, position, player, rng)
            assert sorted(position.dealt[player :: FOUR.seats]) == sorted(other.dealt[player :: FOUR.seats])
            nodes[table.phase] += 1
            changed[table.phase] += str(reach(game, FOUR, other)) != str(state)
    assert set(nodes) == {"deal", "pick", "arrange", "over"}
    assert all(changed[phase] > 0.9 * nodes[phase] for phase in ("pick", "arrange"))
    assert changed["deal"] > 0.8 * nodes["deal"]  # a first card may by chance be the same again


def newest_pick_of_player_1(state: Any) -> str:
    return str(state.table.pools[1][-1:])


def suits_in_the_pack_of_player_1(state: Any) -> str:
    return str(Counter(str(card)[1] for card in state.table.packs[1]))


def cards_laid_out_by_player_1(state: Any) -> str:
    return str(state.chosen[1])


def everything(state: Any) -> str:
    return str(state)


def history(state: Any) -> str:
    return str(state.history())


LEAKS: list[tuple[str, str, Leak]] = [
    (TOGETHER, "deal", history),
    (TOGETHER, "pick", newest_pick_of_player_1),
    (TOGETHER, "pick", suits_in_the_pack_of_player_1),
    (TOGETHER, "arrange", cards_laid_out_by_player_1),
    (TOGETHER, "over", history),
    (IN_TURN, "deal", everything),
    (IN_TURN, "pick", newest_pick_of_player_1),
    (IN_TURN, "pick", history),
    (IN_TURN, "arrange", cards_laid_out_by_player_1),
    (IN_TURN, "arrange", everything),
    (IN_TURN, "over", everything),
]


@pytest.mark.parametrize(("name", "phase", "leak"), LEAKS)
def test_a_leak_planted_in_one_phase_is_found_by_everybody_else(name: str, phase: str, leak: Leak) -> None:
    game, rng = load(name, FOUR), random.Random(34)
    blind = {0, 2, 3}
    for state, position, table in random_walk(name, FOUR, 34):
        if table.phase == phase and position.dealt:
            others = {player: reach(game, FOUR, redealt(FOUR, position, player, rng)) for player in blind}
            blind = {player for player, other in others.items() if difference(state, other, player, {}, leak) is None}
    assert not blind


def test_what_earlier_players_of_the_round_have_picked_does_not_show() -> None:
    """Each card of the pack, picked by player 0, leaves the next players where they were."""
    game = load(IN_TURN, FOUR)
    observers = observers_of(game)
    for state, _, table in random_walk(IN_TURN, FOUR, 35):
        if table.phase == "pick" and state.current_player() == 0 and len(table.packs[0]) > 1:
            after = [state.child(action) for action in state.legal_actions()]
            for player in (1, 2, 3):
                assert len({str(said_to(child, player, observers)) for child in after}) == 1
            assert len({str(said_to(child, 0, observers)) for child in after}) == len(after)


@BOTH_GAMES
def test_what_another_player_lays_out_next_does_not_show(name: str) -> None:
    game = load(name, THREE)
    observers = observers_of(game)
    nodes = 0
    for state, _, table in random_walk(name, THREE, 36):
        if table.phase == "arrange" and len(state.chosen[0]) < 10:
            after = [state.clone() for _ in state.legal_actions(0)]
            for child, action in zip(after, state.legal_actions(0), strict=True):
                others = [state.legal_actions(player)[0] for player in (1, 2)] if name == TOGETHER else []
                apply(child, [action, *others] if name == TOGETHER else action)
            if not after[0].is_terminal():
                nodes += len(after) > 1
                assert all(len({str(said_to(child, player, observers)) for child in after}) == 1 for player in (1, 2))
                assert len({str(said_to(child, 0, observers)) for child in after}) == len(after)
    assert nodes > 0


# --- States that a player cannot tell apart, drawn by lot ---


def sampler(seed: object) -> Callable[[], float]:
    return random.Random(str(seed)).random


def replayed(game: Any, state: Any) -> Any:
    """The same state, played from the start again with OpenSpiel's check of each action."""
    other = game.new_initial_state()
    actions = state.history()
    while actions:
        if other.is_simultaneous_node():
            other.apply_actions_with_legality_checks(actions[: game.num_players()])
            actions = actions[game.num_players() :]
        else:
            other.apply_action_with_legality_check(actions[0])
            actions = actions[1:]
    return other


@EVERY_TABLE
@BOTH_GAMES
def test_a_sampled_state_is_one_that_the_player_cannot_tell_from_the_real_one(name: str, setting: Setting) -> None:
    game, rng = load(name, setting), random.Random(41)
    observers = observers_of(game)
    for state, position, table in random_walk(name, setting, 41):
        if not position.actions or table.phase == "over":
            continue
        before = all_of(state)
        for player in table.everybody:
            sample = state.resample_from_infostate(player, rng.random)
            assert difference(state, sample, player, observers) is None
            assert state.information_state_string(player) == sample.information_state_string(player)
            assert state.information_state_tensor(player) == sample.information_state_tensor(player)
            assert sample.move_number() == state.move_number()
            assert [item.player for item in sample.full_history()] == [item.player for item in state.full_history()]
            assert [len(some) for some in sample.chosen] == [len(some) for some in state.chosen]
            if player == rng.randrange(setting.seats):  # it has come about by legal actions, and goes on so
                assert all_of(replayed(game, sample)) == all_of(sample)
                play_on(sample, rng)
                assert sum(sample.returns()) == 0
        assert all_of(state) == before


@BOTH_GAMES
def test_a_sample_follows_from_what_the_player_knows_and_from_the_sampler_alone(name: str) -> None:
    """The same numbers drawn from two games that the player cannot tell apart give the very same sample."""
    for setting in (FOUR, TWO):
        game, rng = load(name, setting), random.Random(42)
        for state, position, table in random_walk(name, setting, 42):
            if position.actions and table.phase != "over":
                player = rng.randrange(setting.seats)
                other = reach(game, setting, redealt(setting, position, player, rng))
                seed = rng.random()
                sample = state.resample_from_infostate(player, sampler(seed))
                assert all_of(sample) == all_of(state.resample_from_infostate(player, sampler(seed)))
                assert all_of(sample) == all_of(other.resample_from_infostate(player, sampler(seed)))


@BOTH_GAMES
def test_openspiels_own_sampler_will_do(name: str) -> None:
    state = next(state for state, position, _ in random_walk(name, TWO, 43) if position.actions)
    drawn = {str(state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))) for _ in range(3)}
    assert len(drawn) == 3


@EVERY_TABLE
@BOTH_GAMES
def test_nothing_is_sampled_in_the_deal_or_at_the_end(name: str, setting: Setting) -> None:
    for state, position, table in random_walk(name, setting, 44):
        if not position.actions or table.phase == "over":
            with pytest.raises(REFUSED):
                state.resample_from_infostate(0, random.Random(1).random)


def about(count: int, draws: int, chance: float) -> bool:
    """Is it as many as one may expect? Within five standard deviations."""
    return abs(count - draws * chance) <= 5 * sqrt(draws * chance * (1 - chance))


def places_in_samples(state: Any, player: int, draws: int) -> dict[str, Counter[str]]:
    """How often each card was in each place, in samples for this player."""
    rng = random.Random(45)
    found: dict[str, Counter[str]] = {card: Counter() for card in PACK}
    for _ in range(draws):
        table = state.resample_from_infostate(player, rng.random).table
        places = {"aside": table.aside}
        places |= {f"pack {seat}": pack for seat, pack in enumerate(table.packs)}
        places |= {f"pool {seat}": pool for seat, pool in enumerate(table.pools)}
        for place, some in places.items():
            for card in texts(some):
                found[card][place] += 1
    return found


def node(setting: Setting, seed: int, when: Callable[[Any, Table], bool]) -> tuple[Any, Table]:
    """The first node of a random sequential game where this is so."""
    for state, position, table in random_walk(IN_TURN, setting, seed):
        if position.actions and when(state, table):
            return state, table
    raise AssertionError("no such node")


def test_with_two_players_each_unseen_card_is_as_often_in_each_place_as_it_should_be() -> None:
    draws = 1500

    # At the first pick the other player has 10 of the 42 cards not seen; 32 are aside.
    state, table = node(TWO, 45, lambda state, table: state.current_player() == 0)
    for card, found in places_in_samples(state, 0, draws).items():
        if card in table.packs[0]:
            assert found == {"pack 0": draws}
        else:
            assert set(found) == {"pack 1", "aside"} and about(found["pack 1"], draws, 10 / 42)

    # Player 0 has picked, which player 1 does not see: one of the 42 is kept, 9 are in the pack, 32 aside.
    state, table = node(TWO, 45, lambda state, table: state.current_player() == 1)
    for card, found in places_in_samples(state, 1, draws).items():
        if card not in table.packs[1]:
            assert set(found) <= {"pool 0", "pack 0", "aside"}
            assert about(found["pool 0"], draws, 1 / 42) and about(found["pack 0"], draws, 9 / 42)

    # In the second round player 1 has picked one of 33 cards not seen, and holds the 9 cards that 0 passed on.
    state, table = node(TWO, 45, lambda state, table: state.current_player() == 0 and table.round == 1)
    for card, found in places_in_samples(state, 0, draws).items():
        if card in table.taken_up[0][0] and card not in table.pools[0]:
            assert found == {"pack 1": draws}
        elif card not in table.pools[0] and card not in table.packs[0]:
            assert set(found) <= {"pool 1", "aside"} and about(found["pool 1"], draws, 1 / 33)

    # In the third round the first pack is back with 8 cards: what is gone, player 1 has picked for sure.
    state, table = node(TWO, 45, lambda state, table: state.current_player() == 0 and table.round == 2)
    gone = set(table.taken_up[0][0]) - set(table.packs[0]) - set(table.pools[0])
    assert len(gone) == 1
    assert all(places_in_samples(state, 0, 50)[card] == {"pool 1": 50} for card in gone)


def test_hands_face_down_are_sampled_as_any_five_and_five() -> None:
    draws = 1000
    state, table = node(TWO, 46, lambda state, table: table.phase == "arrange" and 0 in table.hands)
    rng = random.Random(46)
    low: Counter[str] = Counter()
    for _ in range(draws):
        sample = state.resample_from_infostate(1, rng.random)
        assert len(sample.chosen[0]) == 10
        low.update(texts(sample.chosen[0][:5]))
        assert sample.table.arrangements[0].low == sample.chosen[0][:5]
    known = {card for packs in table.taken_up for card in packs[1]} - set(table.pools[1])  # all but the very first pick
    sure = known & set(table.pools[0])
    assert len(sure) == 9
    assert all(about(low[card], draws, 1 / 2) for card in sure)


@BOTH_GAMES
def test_hands_laid_out_in_part_are_sampled_as_the_first_cards_of_any_five_and_five(name: str) -> None:
    """Of ten cards, the lowest begins 126 of the 252 low hands, the next one 70 of them, and so on."""
    draws, rng = 1000, random.Random(47)
    for state, _, table in random_walk(name, TWO, 47):
        if table.phase == "arrange" and len(state.chosen[0]) in (1, 7):
            begins, low = [0] * 10, [0] * 10
            for _ in range(draws):
                sample = state.resample_from_infostate(1, rng.random)
                pool = sorted(sample.table.pools[0])
                begins[pool.index(sample.chosen[0][0])] += 1
                for card in sample.chosen[0][:5]:
                    low[pool.index(card)] += 1
            assert all(about(count, draws, comb(9 - lowest, 4) / 252) for lowest, count in enumerate(begins))
            if len(state.chosen[0]) == 7:
                assert all(about(count, draws, 1 / 2) for count in low)
