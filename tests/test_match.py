"""Many deals at one table: who deals next, who is up, and what stays in the pot."""

from __future__ import annotations

import copy
import functools
import pickle
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import DECK, GameState, Match, OddChips, Phase, Rules, RulesError, shuffled_deck
from tests.games import cards, deck_for
from tests.reference import RANKS, SUITS

SEEDS = st.integers(0, 2**32 - 1)


def played_at_random(state: GameState, rng: random.Random) -> GameState:
    """A deal to its end: anybody picks anything and arranges anyhow."""
    state = state.deal(shuffled_deck(rng))
    while state.phase is not Phase.OVER:
        for seat in state.to_act:
            state = state.apply(rng.choice(state.legal_moves(seat)))
        state = state.advance()
    return state


def played_for_ties(state: GameState, rng: random.Random) -> GameState:
    """A deal in which everybody owns one card of each rank, and each half is tied by whoever likes.

    Each of four seats is dealt a suit. In every round all pick the same rank, so that all pools have the same ranks
    and no hand here is a flush. One low hand and one high hand are good; who prefers them shares, the others lose.
    """
    suits = [rng.sample([rank + suit for rank in RANKS], 13) for suit in rng.sample(SUITS, 4)]
    state = state.deal(cards(deck_for(suits, state.dealer)))
    while state.phase is not Phase.ARRANGE:
        for seat in state.to_act:
            state = state.pick(seat, min(state.packs[seat]))
        state = state.advance()
    good = [((0, 1, 2, 3, 5), (8, 9, 10, 11, 12)), ((0, 1, 2, 3, 5), (4, 7, 8, 10, 12))]
    bad = [((0, 1, 2, 4, 6), (8, 9, 10, 11, 12)), ((0, 1, 2, 4, 6), (3, 7, 8, 10, 12))]
    for seat in state.to_act:
        pool = sorted(state.pools[seat])
        low, high = rng.choice(good + bad)
        state = state.arrange(seat, [pool[place] for place in low], [pool[place] for place in high])
    return state.advance()


def test_a_match_starts_with_nobody_up() -> None:
    match = Match.start(Rules(), dealer=2)
    assert (match.rules, match.dealer, match.carried) == (Rules(), 2, 0)
    assert match.balances == (0, 0, 0, 0)
    assert Match.start(Rules()).dealer == 0
    state = match.new_deal()
    assert state == GameState.start(Rules(), dealer=2, carried=0)
    assert state.phase is Phase.DEAL


@pytest.mark.parametrize("dealer", [-1, 4, True, 1.5])
def test_the_first_dealer_sits_at_the_table(dealer: Any) -> None:
    with pytest.raises(RulesError, match="dealer"):
        Match.start(Rules(), dealer=dealer)


def test_the_deal_moves_to_the_left() -> None:
    rng = random.Random(1)
    match = Match.start(Rules(seats=5), dealer=3)
    dealers = []
    for _ in range(7):
        dealers.append(match.dealer)
        assert match.new_deal().dealer == match.dealer
        match = match.settle(played_at_random(match.new_deal(), rng))
    assert dealers == [3, 4, 0, 1, 2, 3, 4]


@given(SEEDS)
def test_balances_are_what_was_won_and_lost(seed: int) -> None:
    rng = random.Random(seed)
    match = Match.start(Rules(ante=rng.randrange(1, 9)))
    nets = []
    for _ in range(3):
        end = played_at_random(match.new_deal(), rng)
        assert end.result is not None
        nets.append(end.result.nets)
        before, match = match, match.settle(end)
        assert match.carried == end.result.carried
        assert before != match
    assert match.balances == tuple(map(sum, zip(*nets, strict=True)))


def test_what_is_left_in_the_pot_is_played_for_in_the_next_deal() -> None:
    """Three of four tie for the high half: 10 to the one low, 10 over three is 3 each, and 1 is carried."""
    match = Match.start(Rules())
    rng = random.Random(1)
    while match.carried == 0:
        match = match.settle(played_for_ties(match.new_deal(), rng))
    state = match.new_deal()
    assert state.carried == match.carried
    assert state.deal(shuffled_deck(rng)).pot == 20 + match.carried
    assert sum(match.balances) == -match.carried


@pytest.mark.parametrize("odd_chips", OddChips)
def test_a_thousand_deals_with_carried_chips_sum_to_zero(odd_chips: OddChips) -> None:
    rng = random.Random(2015)
    match = Match.start(Rules(ante=5, odd_chips=odd_chips), dealer=1)
    carried = []
    for number in range(1000):
        assert match.dealer == (1 + number) % 4
        play = played_for_ties if rng.random() < 0.7 else played_at_random
        match = match.settle(play(match.new_deal(), rng))
        assert sum(match.balances) + match.carried == 0
        carried.append(match.carried)
    if odd_chips is OddChips.STAY:
        assert set(carried) == {0, 1, 2, 3}  # four that tie leave at most three chips
        assert sum(chips > 0 for chips in carried) > 50
    else:
        assert set(carried) == {0}
    assert any(match.balances)


def test_a_deal_that_is_not_over_is_not_settled() -> None:
    match = Match.start(Rules())
    state = match.new_deal()
    with pytest.raises(RulesError):
        match.settle(state)
    state = state.deal(shuffled_deck(random.Random(1)))
    while state.phase is not Phase.OVER:
        with pytest.raises(RulesError):
            match.settle(state)
        for seat in state.to_act:
            state = state.apply(state.legal_moves(seat)[0])
        if state.table_move is not None:
            state = state.apply(state.table_move)
    assert match.settle(state).dealer == 1


def test_a_deal_of_another_table_is_not_settled() -> None:
    rng = random.Random(4)
    match = Match.start(Rules())
    others = [
        GameState.start(Rules(), dealer=1),
        GameState.start(Rules(), carried=1),
        GameState.start(Rules(ante=6)),
        GameState.start(Rules(seats=5)),
        GameState.start(Rules(odd_chips=OddChips.LEFT_OF_DEALER)),
        GameState.start(Rules(hand_size=12)),
    ]
    for other in others:
        with pytest.raises(RulesError):
            match.settle(played_at_random(other, rng))
    assert match == Match.start(Rules())


def test_a_deal_is_not_settled_twice() -> None:
    match = Match.start(Rules())
    end = played_at_random(match.new_deal(), random.Random(5))
    after = match.settle(end)
    with pytest.raises(RulesError):
        after.settle(end)


def test_a_match_is_a_value() -> None:
    rng = random.Random(6)
    start = Match.start(Rules())
    ends = functools.reduce(lambda match, _: match.settle(played_at_random(match.new_deal(), rng)), range(3), start)
    assert start == Match.start(Rules())
    assert ends != start
    for protocol in range(2, 6):
        assert pickle.loads(pickle.dumps(ends, protocol)) == ends
    assert copy.copy(ends) == copy.deepcopy(ends) == ends
    assert hash(copy.deepcopy(ends)) == hash(ends)
    with pytest.raises(AttributeError):
        setattr(ends, "carried", 100)  # noqa: B010 - mypy would rightly refuse the plain assignment
    assert isinstance(ends.balances, tuple)


def test_the_same_deal_may_come_again_when_the_dealer_is_back() -> None:
    """With one deck and players who always choose alike, the fifth deal equals the first."""
    match = Match.start(Rules())
    for _ in range(9):
        state = match.new_deal().deal(DECK)
        while state.phase is not Phase.OVER:
            for seat in state.to_act:
                state = state.apply(state.legal_moves(seat)[0])
            state = state.advance()
        match = match.settle(state)
    assert len(match.deals) == 9


def test_a_deal_is_not_settled_again_when_the_dealer_is_back() -> None:
    match, states = Match.start(Rules(ante=6)), []
    for _ in range(4):
        state = match.new_deal().deal(DECK)
        while state.phase is not Phase.OVER:
            for seat in state.to_act:
                state = state.apply(state.legal_moves(seat)[0])
            state = state.advance()
        states.append(state)
        match = match.settle(state)
    assert (match.dealer, match.carried) == (states[0].dealer, states[0].carried)
    with pytest.raises(RulesError, match="settled before"):
        match.settle(states[0])
