"""The game as a value: its phases, who may do what in each, and what a state never gives away."""

from __future__ import annotations

import copy
import functools
import itertools
import math
import pickle
import random
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import (
    DECK,
    DEUCE_TO_SEVEN,
    Arrange,
    Card,
    Deal,
    EssenHiloError,
    GameState,
    IllegalMoveError,
    Move,
    OddChips,
    Pass,
    Phase,
    Pick,
    Reason,
    Rules,
    RulesError,
    Show,
    Showdown,
    shuffled_deck,
)
from tests.games import CARDS_IN_TEXT, Game, as_move, cards, deck_for, game, opening, share_of_examples, texts
from tests.reference import PACK
from tests.reference_game import SIZES, Setting, positions, random_game

SEEDS = st.integers(0, 2**32 - 1)

FOUR = Setting()
FIVE = Setting(seats=5, hand_size=10)
CLUBS, DIAMONDS, HEARTS, SPADES = ([rank + suit for rank in "23456789TJQKA"] for suit in "cdhs")


def dealt(setting: Setting = FOUR, seed: int = 1) -> GameState:
    return opening(setting).deal(shuffled_deck(random.Random(seed)))


def drafted(setting: Setting = FOUR, seed: int = 1) -> GameState:
    """After the last pick, before anybody has arranged."""
    return next(state for state in game(seed, setting).states if state.phase is Phase.ARRANGE)


def suits_dealt() -> GameState:
    """Four seats, each with all the cards of a suit: clubs for seat 0, diamonds, hearts, spades for seat 3."""
    return opening(FOUR).deal(cards(deck_for([CLUBS, DIAMONDS, HEARTS, SPADES], dealer=0)))


def pick_lowest(state: GameState) -> GameState:
    """Everybody who has not yet picked in this round takes the lowest card."""
    for seat in state.to_act:
        state = state.pick(seat, min(state.packs[seat]))
    return state


def arrange_first(state: GameState) -> GameState:
    """Everybody who has not yet arranged makes hands of the first ten cards of the pool."""
    for seat in state.to_act:
        state = state.arrange(seat, state.pools[seat][:5], state.pools[seat][5:10])
    return state


def refused(state: GameState, move: Move) -> Reason:
    """The reason why this move is refused; a test fails if it is not, or if anything changes."""
    before = pickle.dumps(state)
    with pytest.raises(IllegalMoveError) as caught:
        state.apply(move)
    assert caught.value.move == move
    assert state.why_not(move) is caught.value.reason
    assert pickle.dumps(state) == before
    return caught.value.reason


# --- The table is set ---


def test_by_default_four_players_get_thirteen_cards_and_five_get_ten() -> None:
    assert (Rules().seats, Rules().hand_size, Rules().ante) == (4, 13, 5)
    assert Rules(seats=5).hand_size == 10
    assert Rules().low is DEUCE_TO_SEVEN
    assert Rules().odd_chips is OddChips.STAY


@pytest.mark.parametrize(("seats", "hand_size"), SIZES)
def test_house_sizes_are_asked_for_by_name(seats: int, hand_size: int) -> None:
    assert Rules(seats=seats, hand_size=hand_size).hand_size == hand_size


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Rules(seats=True), "seats"),
        (lambda: Rules(seats=6), "seats"),
        (lambda: Rules(seats=1, hand_size=10), "seats"),
        (lambda: Rules(seats=0, hand_size=10), "seats"),
        (lambda: Rules(seats=-4), "seats"),
        (lambda: Rules(seats=4.0), "seats"),  # type: ignore[arg-type]  # a float is no number of seats
        (lambda: Rules(ante=2.5), "ante"),  # type: ignore[arg-type]  # chips are whole
        (lambda: Rules(ante=5.0), "ante"),  # type: ignore[arg-type]  # even when the float is
        (lambda: Rules(ante=-1), "ante"),
        (lambda: Rules(ante=True), "ante"),
        (lambda: Rules(seats=3), "hand_size"),
        (lambda: Rules(seats=2), "hand_size"),
        (lambda: Rules(hand_size=14), "hand_size"),
        (lambda: Rules(hand_size=9), "hand_size"),
        (lambda: Rules(seats=5, hand_size=11), "hand_size"),
        (lambda: Rules(seats=2, hand_size=27), "hand_size"),
        (lambda: Rules(seats=2, hand_size=True), "hand_size"),
        (lambda: Rules(hand_size=13.0), "hand_size"),  # type: ignore[arg-type]  # nor a number of cards
    ],
)
def test_a_table_that_cannot_be_is_refused_and_the_field_named(make: Callable[[], Rules], field: str) -> None:
    with pytest.raises(RulesError, match=field):
        make()


@pytest.mark.parametrize("dealer", [-1, 4, 99, True, 1.0])
def test_the_dealer_sits_at_the_table(dealer: Any) -> None:
    with pytest.raises(RulesError, match="dealer"):
        GameState.start(Rules(), dealer=dealer)


@pytest.mark.parametrize("carried", [-1, 2.5, True])
def test_carried_chips_are_whole_and_not_owed(carried: Any) -> None:
    with pytest.raises(RulesError, match="carried"):
        GameState.start(Rules(), carried=carried)


def test_a_game_starts_before_the_deal() -> None:
    state = GameState.start()
    assert state == GameState.start(Rules(), dealer=0, carried=0)
    assert state.phase is Phase.DEAL
    assert state.to_act == ()
    assert state.table_move is None
    assert state.result is None
    assert not any(state.packs)
    assert not any(state.pools)


# --- Deal ---


@pytest.mark.parametrize("dealer", range(4))
def test_cards_are_dealt_one_at_a_time_from_the_dealers_left(dealer: int) -> None:
    deck = shuffled_deck(random.Random(5))
    state = GameState.start(Rules(), dealer=dealer).deal(deck)
    for turn, card in enumerate(deck):
        assert card in state.packs[(dealer + 1 + turn) % 4]
    assert state.aside == ()


def test_with_five_players_the_last_two_cards_are_put_aside() -> None:
    deck = shuffled_deck(random.Random(5))
    state = GameState.start(Rules(seats=5), dealer=3).deal(deck)
    assert [len(pack) for pack in state.packs] == [10] * 5
    assert set(state.aside) == set(deck[50:])
    assert set(state.packs[4]) == set(deck[0:50:5])


def test_antes_are_taken_once_and_what_was_carried_is_in_the_pot() -> None:
    states = game(3, FIVE._replace(carried=3)).states
    assert {state.pot for state in states if state.phase is not Phase.DEAL} == {28}


@pytest.mark.parametrize(
    "deck",
    [
        PACK[:-1],
        (),
        [*PACK[:-1], PACK[0]],
        [*PACK, PACK[0]],
        [*PACK, *PACK],
    ],
)
def test_a_deck_is_all_fifty_two_cards_once(deck: Sequence[str]) -> None:
    assert refused(opening(FOUR), Deal(cards(deck))) is Reason.BAD_DECK


def test_nobody_can_do_anything_before_the_deal() -> None:
    state = opening(FOUR)
    for move in (Pick(0, Card.parse("As")), Pass(), Arrange(0, (), ()), Show(0), Showdown(), Pick(9, Card.parse("As"))):
        assert refused(state, move) is Reason.WRONG_PHASE
    with pytest.raises(IllegalMoveError) as caught:
        state.advance()  # a loop must not spin on a state that waits for a deck
    assert caught.value.reason is Reason.WRONG_PHASE
    assert all(len(state.legal_moves(seat)) == 0 for seat in range(4))


def test_cards_are_dealt_once() -> None:
    deck = Deal(shuffled_deck(random.Random(5)))
    assert all(refused(state, deck) is Reason.WRONG_PHASE for state in game(4).states[1:])


def test_a_deck_handed_in_as_a_list_and_changed_later_changes_nothing() -> None:
    deck = list(cards(PACK))
    state = opening(FOUR).deal(deck)
    deck.reverse()
    assert state == opening(FOUR).deal(cards(PACK))


# --- Pick and pass ---


def test_a_seat_picks_one_card_out_of_its_own_pack() -> None:
    state = dealt()
    card = state.packs[2][4]
    after = state.pick(2, card)
    assert after.pools == ((), (), (card,), ())
    assert set(after.packs[2]) == set(state.packs[2]) - {card}
    assert [after.packs[seat] for seat in (0, 1, 3)] == [state.packs[seat] for seat in (0, 1, 3)]
    assert after.to_act == (0, 1, 3)
    assert after.phase is Phase.PICK


def test_a_seat_cannot_pick_twice() -> None:
    state = dealt()
    after = state.pick(0, state.packs[0][0])
    for card in state.packs[0]:
        assert refused(after, Pick(0, card)) is Reason.ALREADY_ACTED


def test_a_card_in_a_neighbours_pack_cannot_be_picked() -> None:
    state = suits_dealt()
    for card in cards(DIAMONDS + SPADES):
        assert refused(state, Pick(0, card)) is Reason.CARD_NOT_IN_PACK


def test_a_card_of_the_pack_before_cannot_be_picked() -> None:
    state = pick_lowest(suits_dealt()).pass_packs()
    for card in cards(CLUBS):  # one of them in the seat's own pool by now, the others gone to the left
        assert refused(state, Pick(0, card)) is Reason.CARD_NOT_IN_PACK


def test_a_card_that_is_aside_cannot_be_picked() -> None:
    state = dealt(FIVE)
    for seat, card in itertools.product(range(5), state.aside):
        assert refused(state, Pick(seat, card)) is Reason.CARD_NOT_IN_PACK


@pytest.mark.parametrize("seat", [4, 5, -1, -4, 10**30])
def test_a_seat_that_is_not_at_the_table_cannot_move(seat: int) -> None:
    state = dealt()
    for card in state.packs[0] + state.packs[3]:
        assert refused(state, Pick(seat, card)) is Reason.NO_SUCH_SEAT
    state = drafted()
    for pool in (state.pools[0], state.pools[3]):
        assert refused(state, Arrange(seat, pool[:5], pool[5:10])) is Reason.NO_SUCH_SEAT
    assert refused(arrange_first(state), Show(seat)) is Reason.NO_SUCH_SEAT


def test_true_is_not_a_seat() -> None:
    state = dealt()
    assert refused(state, Pick(True, state.packs[1][0])) is Reason.NO_SUCH_SEAT
    assert refused(arrange_first(drafted()), Show(False)) is Reason.NO_SUCH_SEAT


@pytest.mark.parametrize("seat", [4, -1, 99])
def test_a_seat_that_is_not_at_the_table_sees_nothing(seat: int) -> None:
    for state in (opening(FOUR), dealt()):
        with pytest.raises(RulesError):
            state.view(seat)
        with pytest.raises(RulesError):
            state.legal_moves(seat)


def test_nobody_passes_before_everybody_has_picked() -> None:
    state = dealt()
    for seat in range(4):
        assert refused(state, Pass()) is Reason.WRONG_PHASE
        assert state.table_move is None
        state = state.pick(seat, state.packs[seat][0])
    assert state.phase is Phase.PASS
    assert state.to_act == ()
    assert state.table_move == Pass()
    assert state.advance() == state.pass_packs() == state.apply(Pass())


def test_nobody_picks_from_a_pack_that_waits_to_go_out() -> None:
    state = pick_lowest(dealt())
    assert all(refused(state, Pick(seat, state.packs[seat][0])) is Reason.WRONG_PHASE for seat in range(4))


@given(SEEDS)
def test_every_pack_goes_to_the_left(seed: int) -> None:
    setting, _, states = game(seed)
    for before, after in itertools.pairwise(states):
        if before.phase is Phase.PASS:
            assert after.phase is Phase.PICK
            assert after.round == before.round + 1
            for seat in range(setting.seats):
                left = before.view(seat).passes_to[seat]
                assert left == (seat + 1) % setting.seats
                assert set(after.packs[left]) == set(before.packs[seat])


@given(SEEDS)
def test_at_pick_k_a_seat_holds_the_pack_that_was_dealt_k_seats_to_its_right(seed: int) -> None:
    setting, _, states = game(seed)
    first = [set(pack) for pack in states[1].packs]
    for state in states[1:]:
        if state.phase is Phase.PICK and len(state.to_act) == setting.seats:
            assert len(state.rounds) == state.round + 1
            for seat in range(setting.seats):
                assert set(state.packs[seat]) <= first[(seat - state.round) % setting.seats]
                assert len(state.packs[seat]) == setting.hand_size - state.round
                assert set(state.rounds[state.round][seat]) == set(state.packs[seat])


@pytest.mark.parametrize(("setting", "back_with"), [(FOUR, [9, 5, 1]), (FIVE, [5])])
def test_packs_come_back_with_as_many_cards_fewer_as_there_are_seats(setting: Setting, back_with: list[int]) -> None:
    last = game(8, setting).states[-1]
    for seat in range(setting.seats):
        own = set(last.rounds[0][seat])
        back = [len(packs[seat]) for packs in last.rounds[1:] if set(packs[seat]) <= own]
        assert back == back_with


@pytest.mark.parametrize(("setting", "origin"), [(FOUR, 0), (FIVE, 1)])
def test_the_last_card_is_from_ones_own_first_pack_or_with_five_from_the_left_neighbours(
    setting: Setting, origin: int
) -> None:
    last = game(9, setting).states[-1]
    for seat in range(setting.seats):
        assert last.pools[seat][-1] in last.rounds[0][(seat + origin) % setting.seats]


@pytest.mark.parametrize(("setting", "seen"), [(FOUR, 46), (FIVE, 40)])
def test_after_a_pick_from_each_pack_a_seat_has_seen_most_of_the_cards(setting: Setting, seen: int) -> None:
    states = game(10, setting).states
    state = next(state for state in states if state.phase is Phase.PASS and state.round == setting.seats - 1)
    for seat in range(setting.seats):
        assert len({card for packs in state.rounds for card in packs[seat]}) == seen
        assert len({card for pack in state.view(seat).seen for card in pack}) == seen


@pytest.mark.parametrize(("setting", "picks", "passes"), [(FOUR, 13, 12), (FIVE, 10, 9)])
def test_the_last_pick_is_forced_and_nothing_is_passed_after_it(setting: Setting, picks: int, passes: int) -> None:
    _, actions, states = game(11, setting)
    assert sum(action.verb == "pick" for action in actions) == picks * setting.seats
    assert sum(action.verb == "pass" for action in actions) == passes
    forced = [state for state in states if state.phase is Phase.PICK and state.round == picks - 1]
    assert len(forced) == setting.seats
    for state in forced:
        assert all(len(state.legal_moves(seat)) == 1 for seat in state.to_act)
    assert states[states.index(forced[-1]) + 1].phase is Phase.ARRANGE


@given(SEEDS)
def test_pools_keep_the_order_of_the_picks_and_end_full(seed: int) -> None:
    setting, actions, states = game(seed)
    for seat in range(setting.seats):
        picks = [action.cards[0] for action in actions if action.verb == "pick" and action.seat == seat]
        assert texts(states[-1].pools[seat]) == tuple(picks)
        assert len(picks) == setting.hand_size


@given(SEEDS)
def test_every_card_is_somewhere_at_every_step(seed: int) -> None:
    setting, actions, states = game(seed)
    for state, table in zip(states, positions(setting, actions), strict=True):
        places = [*state.packs, *state.pools, state.aside]
        if state.phase is not Phase.DEAL:
            assert sorted(str(card) for place in places for card in place) == sorted(PACK)
        assert [sorted(texts(place)) for place in places] == [
            sorted(place) for place in [*table.packs, *table.pools, table.aside]
        ]


@given(SEEDS)
def test_picks_of_a_round_are_the_same_in_any_order(seed: int) -> None:
    rng = random.Random(seed)
    state = opening(FOUR).deal(shuffled_deck(rng))
    while state.phase is not Phase.ARRANGE:
        picks = [Pick(seat, rng.choice(state.packs[seat])) for seat in state.to_act]
        one = functools.reduce(GameState.apply, picks, state)
        rng.shuffle(picks)
        two = functools.reduce(GameState.apply, picks, state)
        assert one == two
        assert hash(one) == hash(two)
        state = two.advance()


# --- Arrange ---


def test_a_seat_arranges_two_hands_of_its_own_cards() -> None:
    state = drafted()
    pool = state.pools[3]
    after = state.arrange(3, pool[:5], pool[8:13])
    made = after.arrangements[3]
    assert made is not None
    assert (set(made.low), set(made.high)) == (set(pool[:5]), set(pool[8:13]))
    assert after.arrangements[:3] == (None, None, None)
    assert after.to_act == (0, 1, 2)
    assert after.pools == state.pools


def test_a_seat_cannot_arrange_twice() -> None:
    state = drafted()
    pool = state.pools[1]
    once = state.arrange(1, pool[:5], pool[5:10])
    assert refused(once, Arrange(1, pool[:5], pool[5:10])) is Reason.ALREADY_ACTED
    assert refused(once, Arrange(1, pool[5:10], pool[:5])) is Reason.ALREADY_ACTED
    assert refused(once, Arrange(1, (), ())) is Reason.ALREADY_ACTED


def test_nobody_arranges_before_the_last_pick() -> None:
    for state in game(12, FOUR).states:
        if state.phase in (Phase.PICK, Phase.PASS):
            pool = (*state.pools[0], *state.packs[0])
            assert refused(state, Arrange(0, pool[:5], pool[5:10])) is Reason.WRONG_PHASE


def test_a_hand_is_five_different_cards_and_no_card_is_in_both() -> None:
    state = drafted()
    p = state.pools[0]
    for low, high in [
        (p[:4], p[5:10]),
        (p[:5], p[5:9]),
        (p[:6], p[6:11]),
        (p[:5], p[5:11]),
        ((), ()),
        (p[:5], ()),
        (p[:5], p[4:9]),
        (p[:5], p[:5]),
        ((p[0], p[0], p[1], p[2], p[3]), p[5:10]),
        (p[:5], (p[5], p[6], p[7], p[8], p[8])),
        (p, p),
    ]:
        assert refused(state, Arrange(0, low, high)) is Reason.BAD_HAND


def test_cards_of_another_seat_cannot_be_arranged() -> None:
    state = drafted()
    own, others = state.pools[0], state.pools[1]
    assert refused(state, Arrange(0, others[:5], others[5:10])) is Reason.NOT_YOUR_CARDS
    assert refused(state, Arrange(0, own[:5], (*own[5:9], others[0]))) is Reason.NOT_YOUR_CARDS
    assert refused(state, Arrange(0, (*own[:4], others[0]), own[5:10])) is Reason.NOT_YOUR_CARDS


def test_cards_aside_cannot_be_arranged() -> None:
    state = drafted(FIVE)
    own = state.pools[0]
    assert refused(state, Arrange(0, own[:5], (*own[5:9], state.aside[0]))) is Reason.NOT_YOUR_CARDS


def test_a_bad_hand_of_another_seats_cards_is_first_of_all_a_bad_hand() -> None:
    state = drafted()
    assert refused(state, Arrange(0, state.pools[1][:4], state.pools[1][5:10])) is Reason.BAD_HAND


def test_hands_in_another_order_are_the_same_arrangement() -> None:
    state = drafted(FIVE)
    pool = state.pools[2]
    ways = [Arrange(2, low, pool[5:]) for low in itertools.permutations(pool[:5])]
    moves = state.legal_moves(2)
    assert all(way in moves for way in ways)
    assert len({state.apply(way) for way in ways}) == 1
    assert Arrange(2, pool[5:], tuple(reversed(pool[:5]))) in moves


def test_either_hand_may_be_any_five_cards() -> None:
    """Not pai gow: nobody asks whether the low hand is lower than the high hand."""
    state = drafted()
    pool = state.pools[0]
    assert state.why_not(Arrange(0, pool[:5], pool[5:10])) is None
    assert state.why_not(Arrange(0, pool[5:10], pool[:5])) is None


def test_hands_handed_in_as_lists_and_changed_later_change_nothing() -> None:
    state = drafted()
    low, high = list(state.pools[0][:5]), list(state.pools[0][5:10])
    after = state.arrange(0, low, high)
    low.clear()
    high.reverse()
    assert after == state.arrange(0, state.pools[0][:5], state.pools[0][5:10])


@given(SEEDS)
def test_arrangements_are_the_same_in_any_order(seed: int) -> None:
    rng = random.Random(seed)
    state = drafted(FIVE, seed % 7)
    moves = [rng.choice(state.legal_moves(seat)) for seat in range(5)]
    one = functools.reduce(GameState.apply, moves, state)
    rng.shuffle(moves)
    two = functools.reduce(GameState.apply, moves, state)
    assert one == two
    assert hash(one) == hash(two)
    assert one.phase is Phase.SHOW_LOW


# --- Show and showdown ---


def test_nothing_is_shown_before_everybody_has_arranged() -> None:
    for state in game(13).states:
        if state.phase not in (Phase.SHOW_LOW, Phase.SHOW_HIGH):
            assert refused(state, Showdown()) is Reason.WRONG_PHASE
            assert refused(state, Show(0)) is Reason.WRONG_PHASE


def test_the_low_hands_come_first_and_the_high_hands_stay_down() -> None:
    state = arrange_first(drafted())
    assert state.phase is Phase.SHOW_LOW
    assert state.to_act == ()
    assert state.table_move == Showdown()
    after = state.showdown()
    assert after.phase is Phase.SHOW_HIGH
    assert [set(hand or ()) for hand in after.low_hands] == [set(pool[:5]) for pool in state.pools]
    assert after.high_hands == (None, None, None, None)
    assert after.low_award is not None
    assert after.high_award is None
    assert after.result is None
    end = after.showdown()
    assert end.phase is Phase.OVER
    assert [set(hand or ()) for hand in end.high_hands] == [set(pool[5:10]) for pool in state.pools]
    assert end.result is not None
    assert (end.result.low, end.result.high) == (end.low_award, end.high_award)


def test_hands_can_be_turned_up_one_at_a_time() -> None:
    state = arrange_first(drafted())
    for half in (Phase.SHOW_LOW, Phase.SHOW_HIGH):
        for count, seat in enumerate((2, 0, 3, 1), start=1):
            assert state.phase is half
            assert state.shown == tuple(sorted((2, 0, 3, 1)[: count - 1]))
            assert list(state.legal_moves(seat)) == [Show(seat)]
            state = state.show(seat)
            if count < 4:
                assert refused(state, Show(seat)) is Reason.ALREADY_ACTED
                assert len(state.legal_moves(seat)) == 0
                hands = state.low_hands if half is Phase.SHOW_LOW else state.high_hands
                assert sum(hand is not None for hand in hands) == count
    assert state.phase is Phase.OVER


def test_turning_up_one_by_one_or_all_at_once_comes_to_the_same() -> None:
    state = arrange_first(drafted())
    at_once = state.showdown()
    for order in itertools.permutations(range(4)):
        assert functools.reduce(GameState.show, order, state) == at_once
        assert functools.reduce(GameState.show, order[:2], state).showdown() == at_once


def test_advance_plays_what_nobody_chooses() -> None:
    state = dealt()
    assert state.advance() == state
    assert pick_lowest(state).advance() == pick_lowest(state).pass_packs()
    ready = arrange_first(drafted())
    assert ready.advance() == ready.show(1).advance() == ready.showdown().showdown()
    assert ready.advance().advance() == ready.advance()


def test_nothing_can_be_done_after_the_end() -> None:
    _, actions, states = game(14, FOUR)
    end = states[-1]
    assert end.to_act == ()
    assert end.table_move is None
    assert all(len(end.legal_moves(seat)) == 0 for seat in range(4))
    for action in actions:
        assert refused(end, as_move(action)) is Reason.WRONG_PHASE


def test_one_seat_may_win_both_halves_and_seat_0_is_a_seat() -> None:
    state = suits_dealt()
    while state.phase is not Phase.ARRANGE:  # each pack gives up its ranks in order: everybody gets one of each
        state = pick_lowest(state).advance()
    for seat in range(4):
        by_rank = sorted(state.pools[seat], key=lambda card: card.rank)
        if seat == 0:  # 7-5-4-3-2 and the ace-high straight
            low, high = [by_rank[i] for i in (0, 1, 2, 3, 5)], by_rank[8:]
        else:  # 8-6-4-3-2 and a king-high
            low, high = [by_rank[i] for i in (0, 1, 2, 4, 6)], [by_rank[i] for i in (3, 8, 9, 10, 11)]
        state = state.arrange(seat, low, high)
    result = state.advance().result
    assert result is not None
    assert result.low.winners == result.high.winners == (0,)
    assert result.payouts == (20, 0, 0, 0)
    assert result.nets == (15, -5, -5, -5)
    assert result.carried == 0


@pytest.mark.parametrize(
    ("odd_chips", "payouts", "carried"),
    [(OddChips.STAY, (3, 3, 3, 3), 1), (OddChips.LEFT_OF_DEALER, (3, 2, 4, 4), 0)],
)
def test_all_seats_may_tie_for_both_halves(odd_chips: OddChips, payouts: tuple[int, ...], carried: int) -> None:
    """13 chips, 6 of them for the low half.

    Either all get 1 of the 6, and 2 of the 9 that are left. Or two get a second chip of the 6, and then three a second
    one of the 7, from the dealer's left both times.
    """
    state = GameState.start(Rules(ante=3, odd_chips=odd_chips), dealer=1, carried=1)
    state = state.deal(cards(deck_for([CLUBS, DIAMONDS, HEARTS, SPADES], dealer=1)))
    while state.phase is not Phase.ARRANGE:
        state = pick_lowest(state).advance()
    for seat in range(4):
        by_rank = sorted(state.pools[seat], key=lambda card: card.rank)
        state = state.arrange(seat, [by_rank[i] for i in (0, 1, 2, 3, 5)], by_rank[8:])
    result = state.advance().result
    assert result is not None
    assert result.low.winners == result.high.winners == (0, 1, 2, 3)
    assert result.carried == carried
    assert sum(result.payouts) + carried == 13
    assert result.payouts == payouts


# --- A state is a value ---


def test_a_game_is_its_moves_folded() -> None:
    setting, actions, states = game(15)
    assert functools.reduce(GameState.apply, map(as_move, actions), opening(setting)) == states[-1]


@given(SEEDS)
def test_methods_and_moves_do_the_same(seed: int) -> None:
    setting, actions, states = game(seed)
    state = opening(setting)
    for action, after in zip(actions, states[1:], strict=True):
        match as_move(action):
            case Deal(deck):
                state = state.deal(deck)
            case Pick(seat, card):
                state = state.pick(seat, card)
            case Pass():
                state = state.pass_packs()
            case Arrange(seat, low, high):
                state = state.arrange(seat, low, high)
            case Show(seat):
                state = state.show(seat)
            case Showdown():
                state = state.showdown()
        assert state == after


@share_of_examples(0.5)
@given(SEEDS)
def test_copies_and_pickles_are_the_same_state_at_every_step(seed: int) -> None:
    for state in game(seed).states:
        assert copy.copy(state) is state
        assert copy.deepcopy(state) is state
        for protocol in range(2, 6):
            again = pickle.loads(pickle.dumps(state, protocol))
            assert again == state
            assert hash(again) == hash(state)
            assert again.view(0) == state.view(0)


@given(SEEDS)
def test_states_of_a_game_all_differ(seed: int) -> None:
    states = game(seed).states
    assert len(set(states)) == len(states)


def test_games_that_differ_only_in_what_was_agreed_on_differ() -> None:
    tables = [FOUR, FOUR._replace(ante=6), FOUR._replace(low="ace-to-five"), FOUR._replace(dealer=1)]
    tables += [FOUR._replace(carried=1), FOUR._replace(odd_chips="left-of-dealer"), FOUR._replace(hand_size=12)]
    assert len({opening(table) for table in tables}) == len(tables)


def test_two_decks_that_differ_in_two_cards_of_one_pack_are_two_games() -> None:
    """The deck can be read back, so its order belongs to the state."""
    deck = list(cards(PACK))
    other = list(deck)
    other[0], other[4] = deck[4], deck[0]
    assert opening(FOUR).deal(deck) != opening(FOUR).deal(other)


def test_states_do_not_change() -> None:
    state = dealt()
    names = [name for name in dir(state) if not name.startswith("_")]
    assert {"phase", "packs", "pools", "aside", "pot", "result"} <= set(names)
    before = pickle.dumps(state)
    for name in [*names, "luck"]:  # Python's own frozen, slotted classes say TypeError of a name that is no field
        with pytest.raises((AttributeError, TypeError)):
            setattr(state, name, None)
        with pytest.raises((AttributeError, TypeError)):
            delattr(state, name)
    assert pickle.dumps(state) == before


@given(SEEDS)
def test_what_a_state_hands_out_cannot_be_changed(seed: int) -> None:
    for state in game(seed).states:
        for value in (
            state.packs,
            state.pools,
            state.aside,
            state.rounds,
            state.arrangements,
            state.shown,
            state.low_hands,
            state.high_hands,
            state.to_act,
        ):
            hash(value)
            assert isinstance(value, tuple)


# --- Legal moves ---


def all_moves_of(game_: Game) -> list[Move]:
    return [as_move(action) for action in game_.actions]


@pytest.mark.parametrize(
    ("setting", "ways"), [(FOUR, 72_072), (FIVE, 252), (Setting(2, 26), math.comb(26, 5) * math.comb(21, 5))]
)
def test_arrangements_are_counted_without_being_built(setting: Setting, ways: int) -> None:
    state = drafted(setting)
    assert len(state.legal_moves(0)) == ways
    state.apply(state.legal_moves(1)[-1])
    tracemalloc.start()
    moves = state.legal_moves(0)
    assert len(moves) == ways
    assert state.why_not(moves[ways // 2]) is None
    assert moves[-1] in moves
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200_000  # bytes; ten thousand moves would already be more


@share_of_examples(0.5)
@given(SEEDS)
def test_legal_moves_are_a_sequence(seed: int) -> None:
    for state in game(seed).states:
        for seat in range(state.rules.seats):
            moves = state.legal_moves(seat)
            assert isinstance(moves, Sequence)
            size = len(moves)
            assert bool(moves) is (size > 0)
            some = list(itertools.islice(moves, 20))
            assert some == [moves[place] for place in range(min(20, size))]
            assert some == list(moves[:20])
            for place, move in enumerate(some):
                assert moves[place - size] == move
                assert move in moves
            with pytest.raises(IndexError):
                moves[size]
            with pytest.raises(IndexError):
                moves[-size - 1]
            for stranger in (Pass(), Showdown(), Pick(9, Card.parse("As")), "pick 0 As", None, 0):
                assert stranger not in moves


def test_legal_moves_of_a_picker_are_the_cards_of_the_pack() -> None:
    state = dealt()
    moves = state.legal_moves(1)
    assert {str(move) for move in moves} == {f"pick 1 {card}" for card in state.packs[1]}
    assert len(moves) == 13
    assert len(state.apply(moves[0]).legal_moves(1)) == 0


def test_moves_of_the_table_are_in_nobodys_legal_moves() -> None:
    for state in game(16).states:
        if state.phase in (Phase.DEAL, Phase.PASS, Phase.OVER):
            assert [list(state.legal_moves(seat)) for seat in range(state.rules.seats)] == [[]] * state.rules.seats


def test_the_last_arrangements_are_found_by_index_and_again_by_membership() -> None:
    state = drafted()
    moves = state.legal_moves(2)
    rng = random.Random(1)
    for place in [0, 1, 55, 56, 72_071, -1, *(rng.randrange(72_072) for _ in range(200))]:
        assert moves[place] in moves
        assert moves.index(moves[place], max(0, place % 72_072 - 3), place % 72_072 + 3) == place % 72_072


# --- What a state never gives away ---


@given(SEEDS)
def test_repr_and_str_of_a_state_show_no_card_that_is_face_down(seed: int) -> None:
    for state in game(seed).states:
        up = {str(card) for hand in (*state.low_hands, *state.high_hands) if hand is not None for card in hand}
        for text in (repr(state), str(state), f"{state}", f"{state!r}"):
            assert text.isascii()
            for found in CARDS_IN_TEXT.findall(text):
                assert {found[i : i + 2] for i in range(0, len(found), 2)} <= up


@share_of_examples(0.5)
@given(SEEDS)
def test_errors_show_no_card(seed: int) -> None:
    rng = random.Random(seed)
    played = game(seed)
    for state in played.states:
        own = state.pools[0] or cards(PACK)
        tries: list[Move] = rng.sample(all_moves_of(played), 8)
        tries += [Pick(0, Card.parse(rng.choice(PACK))), Deal(cards(PACK[:51])), Arrange(0, own[:5], own[3:8])]
        tries += [Arrange(0, cards(PACK[:5]), cards(PACK[5:10])), Showdown(), Pass()]
        for move in tries:
            if state.why_not(move) is None:
                continue
            with pytest.raises(IllegalMoveError) as caught:
                state.apply(move)
            for text in (str(caught.value), repr(caught.value)):
                assert not CARDS_IN_TEXT.search(text), text


def test_an_error_says_which_move_and_why_also_after_a_trip_to_another_process() -> None:
    state = dealt()
    move = Pick(0, state.packs[1][0])
    with pytest.raises(EssenHiloError) as caught:
        state.apply(move)
    error = caught.value
    assert isinstance(error, IllegalMoveError)
    assert not isinstance(error, ValueError)
    assert (error.move, error.reason) == (move, Reason.CARD_NOT_IN_PACK)
    again = pickle.loads(pickle.dumps(error))
    assert (again.move, again.reason, str(again)) == (error.move, error.reason, str(error))


def test_reasons_are_words_that_a_client_can_read() -> None:
    assert {str(reason) for reason in Reason} >= {
        "wrong-phase",
        "no-such-seat",
        "already-acted",
        "card-not-in-pack",
        "not-your-cards",
        "bad-hand",
        "bad-deck",
    }


def test_phases_have_the_games_own_names() -> None:
    assert [str(phase) for phase in Phase] == ["deal", "pick", "pass", "arrange", "show-low", "show-high", "over"]


def test_nothing_is_drawn_after_the_deal_and_the_global_generator_is_left_alone() -> None:
    random.seed(99)
    before = random.getstate()
    setting, actions, states = game(17)
    assert random.getstate() == before
    assert functools.reduce(GameState.apply, map(as_move, actions), opening(setting)) == states[-1]


def test_a_whole_game_can_be_played_by_the_model_and_by_the_package() -> None:
    for size in SIZES:
        setting = Setting(*size)
        actions = random_game(setting, random.Random(1))
        for state, table in zip(game_states(setting, actions), positions(setting, actions), strict=True):
            assert str(state.phase) == table.phase


def game_states(setting: Setting, actions: Sequence[Any]) -> list[GameState]:
    return list(itertools.accumulate(map(as_move, actions), GameState.apply, initial=opening(setting)))


@pytest.mark.parametrize("wrong", [True, False, 1.0, "1", None], ids=repr)
def test_what_is_no_seat_has_no_legal_moves_in_any_phase(wrong: Any) -> None:
    for state in game(3).states:
        with pytest.raises(RulesError, match="seat"):
            state.legal_moves(wrong)


def test_a_show_of_what_is_no_seat_is_in_no_legal_moves() -> None:
    state = next(state for state in game(3).states if state.phase is Phase.SHOW_LOW)
    for moves in (state.legal_moves(1), state.view(1).legal_moves()):
        assert Show(1) in moves
        assert list(moves) == [Show(1)] == list(moves[:])
        for wrong in (True, 1.0, 0):
            assert Show(wrong) not in moves  # type: ignore[arg-type]  # the question is what a wrong type does


@pytest.mark.parametrize("wrong", [None, "pick 0 As", 7], ids=repr)
def test_what_is_no_move_is_a_type_error(wrong: Any) -> None:
    state = game(3).states[1]
    for call in (state.why_not, state.apply):
        with pytest.raises(TypeError, match="not a move"):
            call(wrong)


def test_a_deck_of_what_is_no_card_is_refused_for_that() -> None:
    deck: Any = [*DECK[:51], "As"]
    with pytest.raises(IllegalMoveError, match="not everything here is a Card") as refused:
        GameState.start().deal(deck)
    assert refused.value.reason is Reason.BAD_DECK
