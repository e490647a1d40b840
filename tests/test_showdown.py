"""Who wins which chips: half the pot for the lowest hand, then what is left of it for the highest."""

import copy
import json
import pickle
import random
import re
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import (
    DECK,
    Arrangement,
    Award,
    Card,
    CardError,
    GameState,
    LowRule,
    OddChips,
    Phase,
    Result,
    Rules,
    RulesError,
    evaluate_high,
    evaluate_low,
    parse_cards,
    settle,
)
from essen_hilo.showdown import awards
from tests import reference
from tests.reference import HIGH

Winners = tuple[int, ...]


def some_of(seats: int, at_most: int = 4) -> list[Winners]:
    """Every choice of one or more seats. Five seats can't tie with real cards: a pack has four of each rank."""
    return [winners for count in range(1, at_most + 1) for winners in combinations(range(seats), count)]


def table(seats: int, ante: int = 5, odd_chips: OddChips = OddChips.STAY) -> Rules:
    return Rules(seats=seats, ante=ante, odd_chips=odd_chips, hand_size={4: 13, 5: 10}.get(seats, 10))


@cache
def deal(seats: int, low_winners: Winners, high_winners: Winners) -> tuple[Arrangement, ...]:
    """A deal of different cards in which just these seats win (or tie for) deuce-to-seven and just these the high.

    Four blocks of 2-3-4-5-7 are for lows and four of T-J-Q-K-A for highs, in suits that make no flush. A loser of a
    block has its deciding card changed for one of the spare cards; the fifth seat, which never wins, gets those.
    """
    spare = list(reference.read("6c 8d 9h 6d 8c 9s 6h 8s 9c 6s 8h 9d"))
    hands: dict[str, dict[int, list[str]]] = {}
    for half, block, winners in (("high", "JQKAT", high_winners), ("low", "23457", low_winners)):
        losers = [seat for seat in range(seats) if seat not in winners]
        fifth = losers.pop() if seats == 5 else None
        left: list[str] = []
        hands[half] = {}
        for number, seat in enumerate([*winners, *losers]):
            here, there = reference.SUITS[number], reference.SUITS[(number + 1) % 4]
            hand = [rank + suit for rank, suit in zip(block, (here, here, there, there, here), strict=True)]
            if seat in losers:
                left.append(hand.pop())
                hand.append(spare.pop())
            hands[half][seat] = hand
        if fifth is not None:
            hands[half][fifth] = left + [spare.pop(0) for _ in range(5 - len(left))]
    lows = {seat: reference.worth(hand, "deuce-to-seven").rank for seat, hand in hands["low"].items()}
    highs = {seat: reference.worth(hand, HIGH).rank for seat, hand in hands["high"].items()}
    for ranks, winners in ((lows, low_winners), (highs, high_winners)):
        assert {seat for seat in ranks if ranks[seat] == min(ranks.values())} == set(winners)
    return tuple(
        Arrangement(parse_cards(" ".join(hands["low"][seat])), parse_cards(" ".join(hands["high"][seat])))
        for seat in range(seats)
    )


def award_both(
    lows: Sequence[str], highs: Sequence[str], rules: Rules, dealer: int = 0, carried: int = 0
) -> tuple[Award, Award]:
    """Both halves for hands that need not be dealt from one pack: there is no other way to five equal hands."""
    low_hands, high_hands = ([parse_cards(hand) for hand in hands] for hands in (lows, highs))
    low, high = awards(low_hands, high_hands, rules, dealer, carried)
    assert low is not None
    assert high is not None
    return low, high


def check(result: Result, arrangements: Sequence[Arrangement], rules: Rules, dealer: int, carried: int) -> None:
    """The result is in every part what the reference says, and no chip is made or lost."""
    lows = [reference.worth(map(str, one.low), rules.low.name).rank for one in arrangements]
    highs = [reference.worth(map(str, one.high), HIGH).rank for one in arrangements]
    expected = reference.settle(lows, highs, rules.ante, rules.odd_chips.value, dealer, carried)
    low, high = result.low, result.high
    assert (low.half, high.half) == ("low", "high")
    assert (low.amount, high.amount) == (expected.low_half, expected.high_half)
    assert [value.rank for value in low.values] == lows
    assert [value.rank for value in high.values] == highs
    assert all(value.rule == rules.low for value in low.values)
    assert all(value.rule is None for value in high.values)
    assert (low.winners, high.winners) == (tuple(expected.low_winners), tuple(expected.high_winners))
    assert (low.shares, high.shares) == (tuple(expected.low_shares), tuple(expected.high_shares))
    assert (low.stayed, high.stayed) == (expected.low_stayed, expected.carried)
    assert (result.payouts, result.nets) == (tuple(expected.payouts), tuple(expected.nets))
    assert result.carried == expected.carried

    pot = len(arrangements) * rules.ante + carried
    assert sum(result.payouts) + result.carried == pot
    assert sum(result.nets) + result.carried - carried == 0
    chips = (low.amount, high.amount, low.stayed, high.stayed, result.carried)
    assert all(type(count) is int for count in (*chips, *low.shares, *high.shares, *result.payouts, *result.nets))


# --- Examples of the rules -------------------------------------------------------------------------------------------


def test_five_players_at_five_kronor_play_for_twelve_and_thirteen() -> None:
    result = settle(deal(5, (1,), (3,)), table(5))
    assert (result.low.amount, result.low.shares, result.low.stayed) == (12, (0, 12, 0, 0, 0), 0)
    assert (result.high.amount, result.high.shares, result.high.stayed) == (13, (0, 0, 0, 13, 0), 0)
    assert (result.payouts, result.nets, result.carried) == ((0, 12, 0, 13, 0), (-5, 7, -5, 8, -5), 0)


def test_two_tied_lows_get_six_each_and_the_high_thirteen() -> None:
    result = settle(deal(5, (0, 4), (2,)), table(5))
    assert (result.low.winners, result.low.shares) == ((0, 4), (6, 0, 0, 0, 6))
    assert result.high.shares == (0, 0, 13, 0, 0)
    assert result.carried == 0


def test_an_undividable_chip_of_the_low_half_goes_on_to_the_high_half() -> None:
    # 26 chips: 13 for two lows are 6 each, one goes on, and the high wins 14.
    result = settle(deal(5, (0, 1), (2,)), table(5), carried=1)
    assert (result.low.amount, result.low.shares, result.low.stayed) == (13, (6, 6, 0, 0, 0), 1)
    assert (result.high.amount, result.high.shares, result.carried) == (14, (0, 0, 14, 0, 0), 0)


def test_an_undividable_chip_of_the_high_half_is_carried() -> None:
    # 25 chips, two tied highs: 12, and 13 of which 6 + 6.
    result = settle(deal(5, (0,), (2, 3)), table(5))
    assert (result.high.amount, result.high.shares) == (13, (0, 0, 6, 6, 0))
    assert (result.high.stayed, result.carried) == (1, 1)


def test_five_tied_lows_get_two_each_and_two_tied_highs_seven() -> None:
    best, other = "As Ks Qs Js Ts", "Ah Kd Qd Jd 9d"
    low, high = award_both(["7c 5d 4h 3s 2c"] * 5, [other, best, other, best, other], table(5))
    assert (low.amount, low.shares, low.stayed) == (12, (2, 2, 2, 2, 2), 2)
    assert (high.amount, high.shares, high.stayed) == (15, (0, 7, 0, 7, 0), 1)


def test_left_of_dealer_gives_twelve_over_five_tied_lows_from_the_first_seat_on() -> None:
    rules = table(5, odd_chips=OddChips.LEFT_OF_DEALER)
    low, high = award_both(["7c 5d 4h 3s 2c"] * 5, ["As Ks Qs Js Ts"] * 5, rules, dealer=4)
    assert (low.amount, low.shares, low.stayed) == (12, (3, 3, 2, 2, 2), 0)
    assert (high.amount, high.shares, high.stayed) == (13, (3, 3, 3, 2, 2), 0)


def test_left_of_dealer_gives_the_odd_chip_to_the_first_tied_seat_on_the_left() -> None:
    # Dealer in seat 2 of five, seats 1 and 4 tie for thirteen: seat 4 comes first.
    result = settle(deal(5, (0,), (1, 4)), table(5, odd_chips=OddChips.LEFT_OF_DEALER), dealer=2)
    assert result.high.amount == 13
    assert result.high.shares == (0, 6, 0, 0, 7)
    assert (result.high.stayed, result.carried) == (0, 0)


def test_left_of_dealer_gives_nobody_two_odd_chips() -> None:
    # 17 by three is 6, 6, 5.
    rules = table(4, ante=0, odd_chips=OddChips.LEFT_OF_DEALER)
    result = settle(deal(4, (0, 1, 3), (2,)), rules, dealer=3, carried=34)
    assert (result.low.amount, result.low.shares) == (17, (6, 6, 0, 5))
    result = settle(deal(4, (0, 1, 3), (2,)), rules, dealer=0, carried=34)
    assert result.low.shares == (5, 6, 0, 6)


@pytest.mark.parametrize("odd_chips", OddChips)
def test_an_even_split_has_no_odd_chip(odd_chips: OddChips) -> None:
    for dealer in range(4):
        result = settle(deal(4, (0, 2, 3), (1,)), table(4, 15_150, odd_chips), dealer=dealer)
        assert (result.low.amount, result.low.shares) == (30_300, (10_100, 0, 10_100, 10_100))
        assert result.low.stayed == 0


@pytest.mark.parametrize("odd_chips", OddChips)
def test_one_seat_may_win_both_halves(odd_chips: OddChips) -> None:
    for seat in range(5):
        result = settle(deal(5, (seat,), (seat,)), table(5, 5, odd_chips))
        assert result.payouts == tuple(25 if other == seat else 0 for other in range(5))
        assert result.nets == tuple(20 if other == seat else -5 for other in range(5))
        assert result.carried == 0


def test_all_four_seats_may_tie_for_both_halves() -> None:
    result = settle(deal(4, (0, 1, 2, 3), (0, 1, 2, 3)), table(4))
    assert (result.low.amount, result.low.shares, result.low.stayed) == (10, (2, 2, 2, 2), 2)
    assert (result.high.amount, result.high.shares, result.carried) == (12, (3, 3, 3, 3), 0)
    assert (result.payouts, result.nets) == ((5, 5, 5, 5), (0, 0, 0, 0))


def test_halves_are_settled_one_after_the_other_also_when_the_same_seats_tie_for_both() -> None:
    # 27 chips, two seats tie twice: 13 are 6 + 6, then 15 are 7 + 7 and 1 is carried. Not 27 = 13 + 13 + 1 at once.
    result = settle(deal(5, (1, 2), (1, 2)), table(5), carried=2)
    assert (result.low.shares, result.low.stayed) == ((0, 6, 6, 0, 0), 1)
    assert (result.high.amount, result.high.shares, result.carried) == (15, (0, 7, 7, 0, 0), 1)


# --- Laws ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("odd_chips", OddChips)
def test_the_low_half_is_half_of_every_pot_and_the_high_half_is_the_rest(odd_chips: OddChips) -> None:
    for pot in range(1_001):
        result = settle(deal(4, (1,), (2,)), table(4, 0, odd_chips), carried=pot)
        low, high = result.payouts[1], result.payouts[2]
        assert low + high == pot
        assert low <= high <= low + 1
        assert (result.low.amount, result.high.amount) == (low, high)


@pytest.mark.parametrize("odd_chips", OddChips)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_choice_of_winners_is_paid_as_the_rules_say(seats: int, odd_chips: OddChips) -> None:
    for low_winners, high_winners in product(some_of(seats), some_of(seats)):
        arrangements = deal(seats, low_winners, high_winners)
        for dealer in range(seats):
            # Pots that leave every remainder over one to four winners come round in turn.
            turn = sum(low_winners) + 3 * sum(high_winners) + dealer
            rules, carried = table(seats, turn % 7, odd_chips), turn % 5
            result = settle(arrangements, rules, dealer=dealer, carried=carried)
            check(result, arrangements, rules, dealer, carried)


@pytest.mark.parametrize("odd_chips", OddChips)
def test_every_small_pot_is_paid_as_the_rules_say(odd_chips: OddChips) -> None:
    for low_winners, high_winners in product(some_of(4), [(0,), (1, 2), (0, 1, 3), (0, 1, 2, 3)]):
        arrangements = deal(4, low_winners, high_winners)
        for pot in range(25):
            rules, dealer = table(4, pot // 8, odd_chips), pot % 4
            carried = pot - 4 * rules.ante
            check(settle(arrangements, rules, dealer=dealer, carried=carried), arrangements, rules, dealer, carried)


def test_ties_of_all_five_seats_are_paid_as_the_rules_say() -> None:
    best_low, other_low = "7c 5d 4h 3s 2c", "8c 5d 4h 3s 2d"
    best_high, other_high = "As Ks Qs Js Ts", "Ah Kh Qh Jh 9h"
    everybody = (0, 1, 2, 3, 4)
    for winners, odd_chips, dealer, carried in product(some_of(5, 5), OddChips, range(5), range(11)):
        for low_winners, high_winners in ((everybody, winners), (winners, everybody)):
            lows = [best_low if seat in low_winners else other_low for seat in range(5)]
            highs = [best_high if seat in high_winners else other_high for seat in range(5)]
            low, high = award_both(lows, highs, table(5, 1, odd_chips), dealer, carried)
            pot = 5 + carried
            shares, stayed = reference.share(pot // 2, low_winners, 5, odd_chips.value, dealer)
            assert (low.amount, low.winners, low.shares, low.stayed) == (pot // 2, low_winners, tuple(shares), stayed)
            left = pot - sum(shares)
            shares, stayed = reference.share(left, high_winners, 5, odd_chips.value, dealer)
            assert (high.amount, high.winners, high.shares, high.stayed) == (left, high_winners, tuple(shares), stayed)


def test_left_of_dealer_carries_nothing_and_stay_never_favours_a_seat() -> None:
    for seats in (2, 3, 4, 5):
        for low_winners, high_winners in product(some_of(seats), some_of(seats)):
            arrangements = deal(seats, low_winners, high_winners)
            left = settle(arrangements, table(seats, 7, OddChips.LEFT_OF_DEALER), dealer=seats - 1)
            assert (left.low.stayed, left.high.stayed, left.carried) == (0, 0, 0)
            stay = settle(arrangements, table(seats, 7), dealer=seats - 1)
            for award in (stay.low, stay.high):
                assert len({award.shares[seat] for seat in award.winners}) == 1
                assert 0 <= award.stayed < len(award.winners)
            for award in (left.low, left.high):
                chips = {award.shares[seat] for seat in award.winners}
                assert max(chips) - min(chips) <= 1


def test_under_stay_the_dealer_moves_no_chip() -> None:
    for low_winners, high_winners in product(some_of(4), some_of(4)):
        arrangements = deal(4, low_winners, high_winners)
        assert len({settle(arrangements, table(4, 7), dealer=dealer) for dealer in range(4)}) == 1


@pytest.mark.parametrize("odd_chips", OddChips)
def test_a_losing_seat_between_the_winners_moves_no_chip(odd_chips: OddChips) -> None:
    # Four seats, then the same with a losing seat put in at every place; the pot is kept the same.
    for winners, dealer, place in product(some_of(4), range(4), range(5)):
        fewer = settle(deal(4, winners, winners), table(4, 0, odd_chips), dealer=dealer, carried=47)

        def moved(seat: int, place: int = place) -> int:
            return seat + (seat >= place)

        wider = tuple(moved(seat) for seat in winners)
        more = settle(deal(5, wider, wider), table(5, 0, odd_chips), dealer=moved(dealer), carried=47)
        assert [more.payouts[moved(seat)] for seat in range(4)] == list(fewer.payouts)
        assert more.payouts[place] == 0
        assert more.carried == fewer.carried


@pytest.mark.parametrize("odd_chips", OddChips)
@pytest.mark.parametrize("low", reference.LOWS)
def test_random_deals_are_paid_as_the_rules_say(low: str, odd_chips: OddChips) -> None:
    rng = random.Random(low)
    for _ in range(150):
        seats = rng.randint(2, 5)
        deck = rng.sample(DECK, 52)
        arrangements = [
            Arrangement(tuple(deck[10 * seat : 10 * seat + 5]), tuple(deck[10 * seat + 5 : 10 * seat + 10]))
            for seat in range(seats)
        ]
        ante, dealer, carried = rng.randint(0, 30), rng.randrange(seats), rng.randint(0, 30)
        rules = Rules(seats=seats, ante=ante, low=LowRule.named(low), hand_size=10, odd_chips=odd_chips)
        result = settle(arrangements, rules, dealer=dealer, carried=carried)
        check(result, arrangements, rules, dealer, carried)
        assert list(result.low.values) == [evaluate_low(one.low, rules.low) for one in arrangements]
        assert list(result.high.values) == [evaluate_high(one.high) for one in arrangements]


@given(st.integers(0, 10**40), st.integers(0, 10**40), st.sampled_from(some_of(5)), st.sampled_from(some_of(5)))
def test_no_fortune_is_too_big_to_be_paid_to_the_chip(ante: int, carried: int, low: Winners, high: Winners) -> None:
    arrangements = deal(5, low, high)
    for odd_chips, dealer in product(OddChips, (0, 3)):
        rules = table(5, ante, odd_chips)
        check(settle(arrangements, rules, dealer=dealer, carried=carried), arrangements, rules, dealer, carried)


def test_nothing_is_said_of_dealer_and_carried_means_seat_0_and_nothing() -> None:
    arrangements = deal(4, (1, 3), (0, 2))
    rules = table(4, 7, OddChips.LEFT_OF_DEALER)
    assert settle(arrangements, rules) == settle(arrangements, rules, dealer=0, carried=0)
    assert settle(list(arrangements), rules) == settle(arrangements, rules)


def test_antes_are_taken_once_at_the_deal() -> None:
    for seats in (4, 5):
        rules = Rules(seats=seats, ante=5)
        state = GameState.start(rules, carried=3).deal(DECK)
        pots = {state.pot}
        while state.phase is not Phase.OVER:
            for seat in state.to_act:
                state = state.apply(state.legal_moves(seat)[0])
                pots.add(state.pot)
            state = state.advance()
            pots.add(state.pot)
        assert pots == {5 * seats + 3}
        assert state.result is not None
        assert sum(state.result.payouts) + state.result.carried == 5 * seats + 3
        assert state.result.nets == tuple(payout - 5 for payout in state.result.payouts)
        assert all(one is not None for one in state.arrangements)
        arrangements = [one for one in state.arrangements if one is not None]
        assert state.result == settle(arrangements, rules, carried=3)


# --- What is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "other"), list(combinations(range(4), 2)))
def test_a_card_in_two_seats_is_refused_with_the_card_and_the_seats(one: int, other: int) -> None:
    arrangements = list(deal(4, (0,), (0,)))
    for half, of_half in product(("low", "high"), ("low", "high")):
        stolen: Card = getattr(arrangements[one], half)[2]
        hands = {name: list(getattr(arrangements[other], name)) for name in ("low", "high")}
        hands[of_half][0] = stolen
        wrong = list(arrangements)
        wrong[other] = Arrangement(low=tuple(hands["low"]), high=tuple(hands["high"]))
        with pytest.raises(CardError) as refused:
            settle(wrong, table(4))
        numbers = {int(number) for number in re.findall(r"\b\d+\b", str(refused.value))}
        assert str(stolen) in str(refused.value)
        assert {one, other} <= numbers


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_another_number_of_arrangements_than_seats_is_refused(count: int) -> None:
    arrangements = deal(5, (0,), (0,))[:count]
    with pytest.raises(RulesError) as refused:
        settle(arrangements, table(4))
    assert "4" in str(refused.value)


@pytest.mark.parametrize("dealer", [-1, 4, 5, True, False, 1.0, "0", None], ids=repr)
def test_a_dealer_who_is_not_at_the_table_is_refused(dealer: Any) -> None:
    with pytest.raises(RulesError, match="dealer"):
        settle(deal(4, (0,), (0,)), table(4), dealer=dealer)


@pytest.mark.parametrize("carried", [-1, True, False, 1.0, "1", None, float("nan")], ids=repr)
def test_carried_chips_that_are_no_chips_are_refused(carried: Any) -> None:
    with pytest.raises(RulesError, match="carried"):
        settle(deal(4, (0,), (0,)), table(4), carried=carried)


# --- Results as values -----------------------------------------------------------------------------------------------


def test_a_result_is_a_value() -> None:
    result = settle(deal(5, (0, 3), (2, 4)), table(5), carried=4)
    again = settle(deal(5, (0, 3), (2, 4)), table(5), carried=4)
    assert result == again
    assert hash(result) == hash(again)
    assert result != settle(deal(5, (0, 3), (2, 4)), table(5), carried=6)
    assert isinstance(result.low, Award)
    assert copy.copy(result) == result == copy.deepcopy(result)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        read = pickle.loads(pickle.dumps(result, protocol))
        assert read == result
        assert hash(read) == hash(result)
    for of, name in ((result, "low"), (result, "ante"), (result.low, "amount"), (result.low, "shares")):
        with pytest.raises((AttributeError, TypeError)):
            setattr(of, name, 0)


def test_a_list_handed_in_and_changed_later_changes_nothing() -> None:
    arrangements = list(deal(4, (0,), (1,)))
    result = settle(arrangements, table(4))
    arrangements.clear()
    assert result == settle(deal(4, (0,), (1,)), table(4))


def test_a_result_is_written_down_in_words_and_numbers() -> None:
    result = settle(deal(5, (0, 3), (2,)), table(5), carried=1)
    assert result.to_dict() == {"payouts": [6, 0, 14, 6, 0], "nets": [1, -5, 9, 1, -5], "carried": 0}
    for award in (result.low, result.high):
        written = award.to_dict()
        assert written == {
            "half": award.half,
            "amount": 13 if award.half == "low" else 14,
            "values": [
                {"rank": value.rank, "category": str(value.category), "text": str(value)} for value in award.values
            ],
            "winners": [0, 3] if award.half == "low" else [2],
            "shares": [6, 0, 0, 6, 0] if award.half == "low" else [0, 0, 14, 0, 0],
            "stayed": 1 if award.half == "low" else 0,
        }
        assert json.loads(json.dumps(written)) == written


def test_a_result_tells_who_won_what_with_which_hand() -> None:
    result = settle(deal(5, (0, 3), (2,)), table(5))
    story = str(result)
    assert story.isascii()
    for award, chips in ((result.low, 6), (result.high, 13)):
        assert str(chips) in story
        for seat in award.winners:
            assert str(award.values[seat]) in story
            assert re.search(rf"\b{seat}\b", story)
    assert story != str(settle(deal(5, (0, 4), (2,)), table(5)))
    assert story != str(settle(deal(5, (0, 3), (1,)), table(5)))
    assert str(settle(deal(5, (0,), (2, 3)), table(5))) != str(settle(deal(5, (0,), (2, 3)), table(5), carried=1))


def test_the_story_tells_who_gets_an_odd_chip_and_what_stays() -> None:
    """Ten chips and three tied lows: by the one custom a seat gets one more, by the other a chip stays."""
    three = [
        Arrangement(parse_cards(low), parse_cards(high))
        for low, high in (
            ("7h 5h 4h 3h 2s", "As Ah Ad Kc Ks"),
            ("7d 5d 4d 3d 2h", "Qs Qh Qd Jc Js"),
            ("7c 5c 4c 3c 2d", "Ts Th Td 9c 9s"),
            ("8h 6h 5s 4s 3s", "Kh Kd Jh Jd 8s"),
        )
    ]
    stays = str(settle(three, Rules(ante=5)))
    assert "Seats 0, 1 and 2 tie with 7-5-4-3-2 low and get 3 chips each. 1 chip can't be divided and stays" in stays
    moves = str(settle(three, Rules(ante=5, odd_chips=OddChips.LEFT_OF_DEALER), dealer=0))
    assert "get 3 (seat 0), 4 (seat 1), 3 (seat 2)." in moves
