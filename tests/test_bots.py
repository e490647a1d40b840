"""Bots sit at the table like anybody else: they see a view and answer with a move."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import Arrange, Bot, GameState, GreedyBot, Move, Phase, Pick, RandomBot, SearchBot, View, shuffled_deck
from tests.games import game, opening, share_of_examples
from tests.reference import HIGH, worth
from tests.reference_game import Setting, random_setting

SEEDS = st.integers(0, 2**32 - 1)
Maker = Callable[[random.Random], Bot]
MAKERS: list[Maker] = [RandomBot, GreedyBot, partial(SearchBot, worlds=1, candidates=2)]


def play(state: GameState, bots: list[Bot]) -> tuple[GameState, list[Move]]:
    """A whole game, and all that was chosen in it."""
    chosen = []
    while state.phase is not Phase.OVER:
        for seat in state.to_act:
            move = bots[seat].choose(state.view(seat))
            assert state.why_not(move) is None
            assert move in state.legal_moves(seat)
            chosen.append(move)
            state = state.apply(move)
        state = state.advance()
    return state, chosen


def table(seed: int) -> GameState:
    rng = random.Random(seed)
    return opening(random_setting(rng)).deal(shuffled_deck(rng))


@pytest.mark.parametrize("make", MAKERS)
@share_of_examples(0.5)
@given(seed=SEEDS)
def test_a_bot_plays_whole_games_by_the_rules(make: Maker, seed: int) -> None:
    state = table(seed)
    end, _ = play(state, [make(random.Random(seed + seat)) for seat in range(state.rules.seats)])
    assert end.result is not None


@pytest.mark.parametrize("make", MAKERS)
@share_of_examples(0.25)
@given(seed=SEEDS)
def test_the_same_seed_chooses_the_same(make: Maker, seed: int) -> None:
    state = table(seed)
    games = [play(state, [make(random.Random(seed + seat)) for seat in range(state.rules.seats)]) for _ in range(2)]
    assert games[0] == games[1]


@pytest.mark.parametrize("make", MAKERS)
def test_a_view_that_came_over_the_wire_is_as_good(make: Maker) -> None:
    """A remote bot gets its views as documents and chooses the same."""

    class Remote:
        def __init__(self, bot: Bot) -> None:
            self.bot = bot

        def choose(self, view: View) -> Move:
            return self.bot.choose(View.from_dict(view.to_dict()))

    state = table(5)
    seats = range(state.rules.seats)
    here = play(state, [make(random.Random(seat)) for seat in seats])
    there = play(state, [Remote(make(random.Random(seat))) for seat in seats])
    assert here == there


def test_random_bots_with_different_seeds_choose_differently() -> None:
    state = table(6)
    view = state.view(0)
    assert len({RandomBot(random.Random(seed)).choose(view) for seed in range(60)}) > 5


def test_a_random_bot_can_choose_anything() -> None:
    state = table(6)
    bot = RandomBot(random.Random(1))
    view = state.view(0)
    assert {bot.choose(view) for _ in range(1000)} == set(view.legal_moves())


@pytest.mark.parametrize("make", MAKERS)
def test_bots_need_no_generator_and_leave_the_global_one_alone(make: Callable[[], Bot]) -> None:
    random.seed(3)
    before = random.getstate()
    state = table(7)
    play(state, [make() for _ in range(state.rules.seats)])
    assert random.getstate() == before


@pytest.mark.parametrize("make", MAKERS)
def test_a_bot_does_not_change_the_view(make: Maker) -> None:
    for state in game(8).states:
        for seat in state.to_act:
            view = state.view(seat)
            make(random.Random(1)).choose(view)
            assert view == state.view(seat)


@pytest.mark.parametrize("make", MAKERS)
def test_bots_choose_for_their_own_seat(make: Maker) -> None:
    for state in game(9, Setting(dealer=3)).states:
        for seat in state.to_act:
            move = make(random.Random(1)).choose(state.view(seat))
            assert isinstance(move, Pick | Arrange)
            assert move.seat == seat


def test_a_greedy_bot_arranges_hands_that_no_other_way_beats_at_both_ends() -> None:
    """Whatever it likes best, it does not leave a hand on the table that costs the other hand nothing."""
    for seed in range(6):
        state = next(state for state in game(seed, Setting(5, 10)).states if state.phase is Phase.ARRANGE)
        move = GreedyBot(random.Random(1)).choose(state.view(2))
        assert isinstance(move, Arrange)

        def ranks(way: Move) -> tuple[int, int]:
            assert isinstance(way, Arrange)
            low = worth(map(str, way.low), "deuce-to-seven").rank
            return low, worth(map(str, way.high), HIGH).rank

        low, high = ranks(move)
        for other_low, other_high in map(ranks, state.legal_moves(2)):
            assert not (other_low <= low and other_high <= high and (other_low, other_high) != (low, high))


def test_greedy_bots_take_more_chips_than_random_ones() -> None:
    """Forty deals, two of each kind, seats and dealer taking turns: 200 chips of antes are at stake for each seat."""
    won = 0
    for seed in range(40):
        state = GameState.start(dealer=seed % 4).deal(shuffled_deck(random.Random(seed)))
        greedy = (seed % 2, seed % 2 + 2)
        bots: list[Bot] = [
            GreedyBot(random.Random(seat)) if seat in greedy else RandomBot(random.Random(seat)) for seat in range(4)
        ]
        end, _ = play(state, bots)
        assert end.result is not None
        won += sum(end.result.nets[seat] for seat in greedy)
    assert won > 200
