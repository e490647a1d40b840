"""How often a hand wins: the numbers that are shipped, what is made of them, and whether they come true."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import (
    ACE_TO_FIVE,
    GreedyBot,
    LowRule,
    Odds,
    Phase,
    Rules,
    RulesError,
    best_arrangement,
    evaluate_high,
    evaluate_low,
    frontier,
    parse_cards,
    play_deal,
    with_odds,
)
from essen_hilo.odds import Curve, chances, measured
from examples import measure_odds
from tests.games import game, share_of_examples

LOWS = ("deuce-to-seven", "ace-to-five", "ace-to-six", "deuce-to-six")
TABLES = [(seats, size) for seats, size in ((4, 13), (5, 10), (2, 10), (2, 26), (3, 17), (4, 11))]

every_table = pytest.mark.parametrize(("seats", "size"), TABLES)
every_low = pytest.mark.parametrize("low", LOWS)

ROYAL_AND_SEVEN_LOW = "As Ks Qs Js Ts 7h 5d 4c 3c 2d"
# Aces full leave 9-7-6-4-3; three aces leave the fifth-lowest hand.
FULL_HOUSE_OR_LOW = "Ah Ad As 9s 7s 6d 4h 3c 2s 2d"


@every_table
@every_low
def test_a_weaker_hand_never_wins_more_often(seats: int, size: int, low: str) -> None:
    for curve in measured(LowRule.named(low), seats, size):
        odds = [chances(curve, rank) for rank in range(1, 7463)]
        assert all(0 <= share <= wins <= 1 for wins, share in odds)
        for better, worse in pairwise(odds):
            assert better[0] >= worse[0] and better[1] >= worse[1]


@every_low
def test_the_best_hand_cannot_lose_and_the_worst_cannot_win(low: str) -> None:
    for seats, size in TABLES[:2]:
        for curve in measured(LowRule.named(low), seats, size):
            assert chances(curve, 1)[0] == 1
            assert chances(curve, 7462) == (0, 0)


@every_low
def test_the_more_seats_the_worse_the_odds(low: str) -> None:
    for two, three, four in zip(*[measured(LowRule.named(low), seats, 13) for seats in (2, 3, 4)], strict=True):
        for rank in (1, 2, 5, 100, 300, 1000):
            assert chances(two, rank) >= chances(three, rank) >= chances(four, rank)


def test_between_two_points_lies_a_line() -> None:
    curve = [(1, 1.0, 0.75), (11, 0.5, 0.25), (7462, 0.0, 0.0)]
    assert chances(curve, 1) == (1.0, 0.75)
    assert chances(curve, 6) == pytest.approx((0.75, 0.5))
    assert chances(curve, 11) == (0.5, 0.25)
    assert chances(curve, 7462) == (0, 0)


def on_the_line(curve: Curve, rank: int) -> tuple[float, float]:
    for (before, *better), (after, *worse) in pairwise([(0, *curve[0][1:]), *curve]):
        if before < rank <= after:
            part = (rank - before) / (after - before)
            wins, share = ((1 - part) * one + part * other for one, other in zip(better, worse, strict=True))
            return wins, share
    raise AssertionError(f"{rank} is off the curve")


@pytest.mark.parametrize("cards", [ROYAL_AND_SEVEN_LOW, FULL_HOUSE_OR_LOW])
@pytest.mark.parametrize(
    "rules", [Rules(seats=5), Rules(seats=5, low=ACE_TO_FIVE), Rules(seats=2, hand_size=10)], ids=str
)
def test_the_odds_of_an_arrangement_are_those_of_its_hands(cards: str, rules: Rules) -> None:
    ways = with_odds(parse_cards(cards), rules)
    assert tuple(hands for hands, _ in ways) == frontier(parse_cards(cards), rules.low)
    low, high = measured(rules.low, rules.seats, rules.hand_size)
    for hands, odds in ways:
        low_rank, high_rank = evaluate_low(hands.low, rules.low).rank, evaluate_high(hands.high).rank
        wanted = (*on_the_line(low, low_rank), *on_the_line(high, high_rank))
        assert (odds.low_wins, odds.low_share, odds.high_wins, odds.high_share) == pytest.approx(wanted)
        assert odds.share == pytest.approx((wanted[1] + wanted[3]) / 2)


def test_hands_that_are_best_at_both_ends_are_the_best_arrangement() -> None:
    hands = best_arrangement(parse_cards(ROYAL_AND_SEVEN_LOW), Rules(seats=5))
    assert set(hands.high) == set(parse_cards("As Ks Qs Js Ts"))
    assert set(hands.low) == set(parse_cards("7h 5d 4c 3c 2d"))


def test_the_best_low_goes_before_a_full_house_that_seldom_wins() -> None:
    """Four seats draft straight flushes and fours: sixes full are worth next to nothing, the best low is not."""
    cards = parse_cards("7h 5d 4c 3c 2d 2s 6h 6s 6c Kh Jd 2h 9c")
    hands = best_arrangement(cards, Rules())
    assert str(evaluate_low(hands.low)) == "7-5-4-3-2 low"
    rest = [card for card in cards if card not in hands.low]
    assert set(hands.high) <= set(rest)


@share_of_examples(0.5)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_best_arrangement_is_the_one_of_the_frontier_that_takes_most(seed: int) -> None:
    state = next(state for state in game(seed).states if state.phase is Phase.ARRANGE)
    for pool in state.pools:
        best = best_arrangement(pool, state.rules)
        odds = dict(with_odds(pool, state.rules))
        assert odds[best].share == max(other.share for other in odds.values())


def test_two_hands_in_the_wrong_order_are_refused() -> None:
    low, high = evaluate_low(parse_cards("7h 5d 4c 3c 2d")), evaluate_high(parse_cards("As Ks Qs Js Ts"))
    with pytest.raises(RulesError, match="low"):
        Odds.of(high, low, seats=4, hand_size=13)


def test_odds_read_as_a_sentence() -> None:
    odds = Odds(low_wins=0.62, low_share=0.5, high_wins=0.095, high_share=0.09)
    assert str(odds) == "wins the low about 62% of the time and the high about 10%, worth 30% of the pot"


@pytest.mark.parametrize("rules", [Rules(), Rules(low=ACE_TO_FIVE), Rules(seats=5)], ids=["4x13", "4x13 A-5", "5x10"])
def test_what_the_odds_predict_comes_true(rules: Rules) -> None:
    """On deals that they were not measured from, hands take what the odds say, all together and by thirds."""
    said, came = defaultdict[tuple[str, int], list[float]](list), defaultdict[tuple[str, int], list[float]](list)
    for number in range(150):
        (state,) = play_deal([GreedyBot] * rules.seats, number, rules=rules, seed=2016)
        assert state.low_award is not None and state.high_award is not None
        for low, high in zip(state.low_award.values, state.high_award.values, strict=True):
            odds = Odds.of(low, high, seats=rules.seats, hand_size=rules.hand_size)
            for award, value, share in (
                (state.low_award, low, odds.low_share),
                (state.high_award, high, odds.high_share),
            ):
                winners = [other for other in award.values if other == max(award.values)]
                for group in ((str(award.half), -1), (str(award.half), round(3 * share))):
                    said[group].append(share)
                    came[group].append(1 / len(winners) if value in winners else 0.0)
    for group, shares in said.items():
        if len(shares) >= 30:
            mean = sum(shares) / len(shares)
            error = max((mean * (1 - mean) / len(shares)) ** 0.5, 0.01)
            assert abs(sum(came[group]) / len(shares) - mean) < 4 * error, group


# The program that measures them.


def test_the_program_measures_the_same_for_a_seed_and_never_gives_a_weaker_hand_more() -> None:
    rules = Rules(seats=5)
    curves = measure_odds.measure(rules, 50, seed=3)
    assert curves == measure_odds.measure(rules, 50, seed=3)
    for curve in curves:
        assert list(curve[-1]) == [7462, 0, 0]
        for (before, *better), (after, *worse) in pairwise(curve):
            assert before < after
            assert better[0] >= worse[0] and better[1] >= worse[1]


def test_a_hand_is_held_against_what_the_others_lay_down() -> None:
    """Two seats tie for the low; the third could, but its better half is the high."""
    deals = [[[(1, 500)], [(1, 400)], [(3, 2), (1, 900)]]]
    flat = (((1, 500, 500), (7462, 0, 0)), ((1, 1000, 1000), (7462, 0, 0)))
    assert [trial.share for trial in measure_odds.trials(deals, flat, 0)] == [0.5, 0.5, 1 / 3, 0.0]
    assert [trial.share for trial in measure_odds.trials(deals, flat, 1)] == [0.0, 0.0, 1.0, 0.0]


def test_levels_never_rise() -> None:
    assert measure_odds.falling([3, 2, 4, 1, 1, 2]) == [3, 3, 3, 4 / 3, 4 / 3, 4 / 3]


@pytest.mark.parametrize("arguments", [["--deals", "3"], ["--deals", "many"], ["--sead", "3"]])
def test_the_program_says_in_a_line_what_it_cannot_do(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        measure_odds.main(arguments)
    assert exit_.value.code == 2
    assert re.fullmatch(r".+: .+\n", capsys.readouterr().err)
