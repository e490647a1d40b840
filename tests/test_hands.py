"""What five cards are worth: as a high hand and under each of the four low rules."""

import copy
import gc
import json
import pickle
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain, combinations, islice, pairwise, permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import essen_hilo
from essen_hilo import (
    ACE_TO_FIVE,
    ACE_TO_SIX,
    DECK,
    DEUCE_TO_SEVEN,
    DEUCE_TO_SIX,
    Card,
    CardError,
    Category,
    EssenHiloError,
    HandValue,
    LowRule,
    Rank,
    RulesError,
    evaluate_high,
    evaluate_low,
    parse_cards,
)
from tests import reference
from tests.reference import HIGH, RULES

CASES = Path(__file__).parent / "cases"
HANDS = json.loads((CASES / "hands.json").read_text())["hands"]
COMPARISONS = json.loads((CASES / "comparisons.json").read_text())["cases"]
FREQUENCIES = json.loads((CASES / "frequencies.json").read_text())

LOWS = {
    "deuce-to-seven": DEUCE_TO_SEVEN,
    "ace-to-five": ACE_TO_FIVE,
    "ace-to-six": ACE_TO_SIX,
    "deuce-to-six": DEUCE_TO_SIX,
}
EVALUATE: dict[str, Callable[[Iterable[Card]], HandValue]] = {HIGH: evaluate_high}
EVALUATE |= {name: partial(evaluate_low, rule=rule) for name, rule in LOWS.items()}
CARD = {str(card): card for card in DECK}

each_rule = pytest.mark.parametrize("rule", RULES)


def cards(hand: Iterable[str]) -> tuple[Card, ...]:
    return tuple(CARD[text] for text in hand)


def value(text: str, rule: str) -> HandValue:
    return EVALUATE[rule](parse_cards(text))


def high(text: str) -> HandValue:
    return evaluate_high(parse_cards(text))


def low(text: str, rule: LowRule = DEUCE_TO_SEVEN) -> HandValue:
    return evaluate_low(parse_cards(text), rule)


def check(got: HandValue, expected: reference.Worth, rule: str) -> None:
    """This value is in every part what the reference says."""
    assert got.rank == expected.rank
    assert got.category == expected.category
    assert got.category is Category(expected.category)
    assert got.ranks == tuple(Rank(reference.RANKS.index(letter) + 2) for letter in expected.deciding)
    assert got.rule == LOWS.get(rule)


def one_of_each_class() -> list[tuple[str, ...]]:
    return [next(reference.hands_of(ranks, suited)) for ranks, suited in reference.classes()]


# --- Every hand ------------------------------------------------------------------------------------------------------


def every_hand_of(ranks: str, suited: bool) -> list[tuple[Card, ...]]:
    """What reference.hands_of() says, quickly and of the package's own cards."""
    of_rank = {rank: [CARD[rank + suit] for suit in reference.SUITS] for rank in ranks}
    if len(of_rank) == 5:
        hands = list(product(*of_rank.values()))
        of_one_suit = hands[::341]  # 341 = 256 + 64 + 16 + 4 + 1: one suit further on every card
        del hands[::341]
        return of_one_suit if suited else hands
    parts = [combinations(of_rank[rank], count) for rank, count in Counter(ranks).items()]
    return [tuple(chain.from_iterable(choice)) for choice in product(*parts)]


def test_the_quick_list_of_hands_is_the_list_of_the_reference() -> None:
    for ranks, suited in reference.classes()[::15]:
        quick = every_hand_of(ranks, suited)
        assert sorted(quick) == sorted(map(cards, reference.hands_of(ranks, suited)))


def test_every_hand_of_the_pack_is_worth_what_the_rules_say() -> None:
    hands_of_rank = {rule: Counter[int]() for rule in RULES}
    for ranks, suited in reference.classes():
        hands = every_hand_of(ranks, suited)
        for rule, evaluate in EVALUATE.items():
            expected = reference.worth_of_class(ranks, suited, rule)
            # One value stands for all hands that got the very same object; held here, no two share an id.
            for got in {id(got): got for got in map(evaluate, hands)}.values():
                check(got, expected, rule)
            hands_of_rank[rule][expected.rank] += len(hands)
    for rule in RULES:
        frequencies = FREQUENCIES[rule.replace("-", "_")]
        assert hands_of_rank[rule].total() == frequencies["hands"] == 2_598_960
        assert sorted(hands_of_rank[rule]) == list(range(1, frequencies["classes"] + 1))
        assert min(hands_of_rank[rule].values()) >= 4
        for category in frequencies["categories_best_first"]:
            span = range(category["rank_from"], category["rank_to"] + 1)
            assert len(span) == category["classes"]
            assert sum(hands_of_rank[rule][rank] for rank in span) == category["hands"]


@each_rule
def test_every_category_has_its_count_of_classes_and_its_span_of_ranks(rule: str) -> None:
    ranks: dict[str, set[int]] = {}
    for hand in one_of_each_class():
        got = EVALUATE[rule](cards(hand))
        ranks.setdefault(got.category, set()).add(got.rank)
    assert [
        (category, len(ranks[category]), min(ranks[category]), max(ranks[category]))
        for category in sorted(ranks, key=lambda category: min(ranks[category]))
    ] == [
        (entry["category"], entry["classes"], entry["rank_from"], entry["rank_to"])
        for entry in FREQUENCIES[rule.replace("-", "_")]["categories_best_first"]
    ]


def test_an_eight_or_better_game_would_accept_ranks_1_to_56_of_ace_to_five() -> None:
    accepted = [
        (ranks, suited)
        for ranks, suited in reference.classes()
        if len(set(ranks)) == 5 and set(ranks) <= set("A2345678")
    ]
    ranks = {low(" ".join(next(reference.hands_of(*of))), ACE_TO_FIVE).rank for of in accepted}
    assert ranks == set(range(1, 57))
    assert FREQUENCIES["ace_to_five"]["eight_or_better"]["worst_rank"] == max(ranks)
    assert FREQUENCIES["ace_to_five"]["eight_or_better"]["hands"] == sum(
        sum(1 for _ in reference.hands_of(*of)) for of in accepted
    )


@pytest.mark.parametrize("case", HANDS, ids=lambda case: case["hand"])
def test_a_listed_hand_has_its_listed_rank_and_category(case: dict[str, Any]) -> None:
    for rule in RULES:
        got = value(case["hand"], rule)
        expected = case[rule.replace("-", "_")]
        assert (got.category, got.rank) == (expected["category"], expected["rank"])
    assert (value(case["hand"], "ace-to-five").rank <= 56) == case["eight_or_better"]


@pytest.mark.parametrize("case", COMPARISONS, ids=lambda case: " ".join(str(part) for part in case.values()))
def test_a_comparison_that_programs_got_wrong_is_right_here(case: dict[str, Any]) -> None:
    rule = case["rule"].replace("_", "-")
    if "better" in case:
        assert value(case["better"], rule) > value(case["worse"], rule)
        assert value(case["better"], rule).rank == case["rank_better"]
        assert value(case["worse"], rule).rank == case["rank_worse"]
    elif "tie" in case:
        first, second = (value(text, rule) for text in case["tie"])
        assert first == second
        assert not (first < second or first > second)
        if "rank" in case:
            assert first.rank == second.rank == case["rank"]
    elif "best_of" in case:
        best = max(combinations(parse_cards(case["best_of"]), 5), key=EVALUATE[rule])
        assert value(case["best"], rule) == EVALUATE[rule](best)
        assert value(case["best"], rule).rank == case["rank"]
        assert EVALUATE[rule](best).category == case["category"]
    else:
        got = value(case["hand"], rule)
        assert (got.rank, got.category) == (case["rank"], case["category"])


# --- The exact places that are often wrong ---------------------------------------------------------------------------


def test_the_ace_stands_at_both_ends_of_a_high_straight_but_a_run_does_not_wrap() -> None:
    assert (high("Ac 2d 3h 4s 5c").category, high("Ac 2d 3h 4s 5c").rank) == ("straight", 1609)
    assert (high("Ac Kd Qh Js Tc").category, high("Ac Kd Qh Js Tc").rank) == ("straight", 1600)
    for wrapped in ("Qc Kd Ah 2s 3c", "Kc Ad 2h 3s 4c", "Jc Qd Kh As 2c"):
        assert high(wrapped).category == "no pair"
        assert low(wrapped).category == "no pair"
        assert low(wrapped, ACE_TO_SIX).category == "no pair"


def test_a_royal_flush_is_the_best_straight_flush_and_no_category_of_its_own() -> None:
    assert (high("As Ks Qs Js Ts").rank, high("As Ks Qs Js Ts").category) == (1, Category.STRAIGHT_FLUSH)
    assert {category.value for category in Category} == set(reference.WEAKEST_FIRST)


def test_suits_never_rank_hands() -> None:
    assert high("As Ks Qs Js Ts") == high("Ac Kc Qc Jc Tc")
    assert low("7s 5s 4s 3s 2d") == low("7c 5h 4d 3c 2s")


def test_seven_five_four_three_deuce_is_the_best_deuce_to_seven() -> None:
    assert low("7c 5d 4h 3s 2c").rank == 1
    assert low("7c 6d 4h 3s 2c").rank == 2


def test_a_flush_ruins_a_deuce_to_seven_low() -> None:
    assert (low("7c 5c 4c 3c 2c").rank, low("7c 5c 4c 3c 2c").category) == (5864, "flush")
    assert low("7c 5c 4c 3c 2c") < low("Ac Ad Ah Ks Qc") < low("7c 5c 4c 3c 2d")


def test_a_straight_ruins_a_deuce_to_seven_low() -> None:
    assert (low("6c 5d 4h 3s 2c").rank, low("6c 5d 4h 3s 2c").category) == (5855, "straight")
    assert (low("Tc Jd Qh Ks Ac").rank, low("Tc Jd Qh Ks Ac").category) == (5863, "straight")


def test_the_wheel_is_no_straight_in_deuce_to_seven_but_the_best_ace_high() -> None:
    wheel = low("Ac 5d 4h 3s 2c")
    assert (wheel.rank, wheel.category) == (785, "no pair")
    assert wheel.ranks == (Rank.ACE, Rank.FIVE, Rank.FOUR, Rank.THREE, Rank.TWO)
    assert low("Kc Qd Jh Ts 8c").rank == 784
    assert low("Kc Qd Jh Ts 8c") > wheel > low("Ac 6d 4h 3s 2c") > low("2c 2d 5h 4s 3c")
    assert low("Ac 6d 4h 3s 2c").rank == 786


def test_a_suited_wheel_is_an_ace_high_flush_in_deuce_to_seven() -> None:
    assert (low("Ac 5c 4c 3c 2c").rank, low("Ac 5c 4c 3c 2c").category) == (6648, "flush")


def test_a_royal_flush_is_the_last_deuce_to_seven() -> None:
    assert low("As Ks Qs Js Ts").rank == 7462


def test_five_four_three_deuce_ace_is_the_best_ace_to_five_suited_or_not() -> None:
    assert low("5c 4d 3h 2s Ac", ACE_TO_FIVE).rank == 1
    assert low("5c 4c 3c 2c Ac", ACE_TO_FIVE).rank == 1
    assert low("5c 4c 3c 2c Ac", ACE_TO_FIVE) == low("5c 4d 3h 2s Ac", ACE_TO_FIVE)


def test_aces_are_the_lowest_pair_in_ace_to_five() -> None:
    assert low("Ac Ad 4h 3s 2c", ACE_TO_FIVE).rank == 1288
    assert low("2c 2d 4h 3s Ac", ACE_TO_FIVE).rank == 1508
    assert low("Ac Ad Ah 2s 2c", ACE_TO_FIVE).rank == 5864
    assert low("Kc Kd Kh Ks Qc", ACE_TO_FIVE).rank == 6175


def test_broadway_is_king_high_where_aces_are_low() -> None:
    assert (low("Ac Kd Qh Js Tc", ACE_TO_FIVE).rank, low("Ac Kd Qh Js Tc", ACE_TO_FIVE).category) == (1279, "no pair")
    assert low("Ac Kd Qh Js Tc", ACE_TO_SIX).category == "no pair"
    assert low("Ac Kd Qh Js Tc", ACE_TO_SIX).ranks[0] is Rank.KING
    assert low("Ac Kc Qc Jc Tc", ACE_TO_SIX).category == "flush"


def test_the_best_hand_of_the_two_rarer_lows() -> None:
    assert low("6c 4d 3h 2s Ac", ACE_TO_SIX).rank == 1
    assert low("6c 4c 3c 2c Ac", ACE_TO_SIX).category == "flush"
    assert low("6c 5d 4h 3s 2c", DEUCE_TO_SIX).rank == 1
    assert low("6c 5c 4c 3c 2c", DEUCE_TO_SIX).rank == 1


def test_deuce_to_seven_is_the_low_when_nothing_is_said() -> None:
    for hand in islice(combinations(DECK, 5), 0, None, 50_000):
        assert evaluate_low(hand) == evaluate_low(hand, DEUCE_TO_SEVEN)


@pytest.mark.parametrize(
    ("border", "better", "worse"),
    [
        (10, "straight flush", "four of a kind"),
        (166, "four of a kind", "full house"),
        (322, "full house", "flush"),
        (1599, "flush", "straight"),
        (1609, "straight", "three of a kind"),
        (2467, "three of a kind", "two pair"),
        (3325, "two pair", "one pair"),
        (6185, "one pair", "no pair"),
    ],
)
def test_name_and_strength_agree_on_both_sides_of_every_border(border: int, better: str, worse: str) -> None:
    values = {value.rank: value for value in (evaluate_high(cards(hand)) for hand in one_of_each_class())}
    assert values[border].category == better
    assert values[border + 1].category == worse
    assert better in str(values[border])
    assert worse in str(values[border + 1]) or worse == "no pair"
    assert values[border] > values[border + 1]


def test_kickers_that_are_equal_tie_and_the_best_of_four_wins_alone() -> None:
    first, second = high("9s 8d Qc 7s 6d"), high("9s 8c Qs 7s 6d")
    assert first == second
    others = [first, high("Ac Qd 9h 4s 2c"), second, high("Kc Jd 9h 4s 2c")]
    assert [one for one in others if one == max(others)] == [others[1]]


# --- Laws ------------------------------------------------------------------------------------------------------------


def test_renaming_every_rank_one_up_turns_ace_low_rules_into_ace_high_ones() -> None:
    up = dict(zip("A23456789TJQK", "23456789TJQKA", strict=True))
    for hand in one_of_each_class():
        renamed = cards(up[card[0]] + card[1] for card in hand)
        for before, after in ((ACE_TO_SIX, DEUCE_TO_SEVEN), (ACE_TO_FIVE, DEUCE_TO_SIX)):
            old, new = evaluate_low(cards(hand), before), evaluate_low(renamed, after)
            assert (old.rank, old.category) == (new.rank, new.category)


def test_high_and_deuce_to_seven_mirror_each_other_but_for_the_wheel() -> None:
    for hand in one_of_each_class():
        both = evaluate_high(cards(hand)).rank + evaluate_low(cards(hand)).rank
        assert (both in (7463, 7464)) == ({card[0] for card in hand} != set("A2345"))


@each_rule
def test_the_order_of_the_cards_says_nothing(rule: str) -> None:
    rng = random.Random(120)
    for text in ("7c 5d 4h 3s 2c", "Ac Ad Ah Ks Kc", "As Ks Qs Js Ts", "9c 9d 4h 4s Ac", "Ac 2d 3h 4s 5c"):
        assert len({EVALUATE[rule](order) for order in permutations(parse_cards(text))}) == 1
    for hand in one_of_each_class():
        assert EVALUATE[rule](cards(rng.sample(hand, 5))) == EVALUATE[rule](cards(hand))


@each_rule
def test_permuted_suits_say_nothing(rule: str) -> None:
    for hand in one_of_each_class()[::12]:
        values = set()
        for suits in permutations("cdhs"):
            renamed = dict(zip("cdhs", suits, strict=True))
            values.add(EVALUATE[rule](cards(card[0] + renamed[card[1]] for card in hand)))
        assert len(values) == 1


@each_rule
def test_any_iterable_of_five_cards_is_a_hand(rule: str) -> None:
    hand = parse_cards("7c 5d 4h 3s 2c")
    expected = EVALUATE[rule](hand)
    for same in (list(hand), iter(hand), set(hand), frozenset(hand), dict.fromkeys(hand), (card for card in hand)):
        assert EVALUATE[rule](same) == expected


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True))
def test_any_five_cards_agree_with_the_reference(hand: list[Card]) -> None:
    for rule in RULES:
        check(EVALUATE[rule](hand), reference.worth([str(card) for card in hand], rule), rule)


# --- Values ----------------------------------------------------------------------------------------------------------


@each_rule
def test_greater_is_stronger_and_equal_is_a_tie(rule: str) -> None:
    values = sorted({EVALUATE[rule](cards(hand)) for hand in one_of_each_class()})
    assert [one.rank for one in values] == list(range(len(values), 0, -1))
    for weaker, stronger in pairwise(values):
        assert weaker < stronger and weaker <= stronger and stronger > weaker and stronger >= weaker
        assert weaker != stronger
        assert not (weaker > stronger or weaker >= stronger or stronger < weaker or stronger <= weaker)
        assert weaker <= weaker and weaker >= weaker
        assert not (weaker < weaker or weaker > weaker)


def test_values_of_different_rules_do_not_compare() -> None:
    for one, other in product(RULES, RULES):
        first, second = value("7c 5d 4h 3s 2c", one), value("8c 5d 4h 3s 2c", other)
        if one == other:
            assert first != second
            continue
        for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
            assert getattr(first, compare)(second) is NotImplemented or pytest.fail(f"{one} {compare} {other}")
        with pytest.raises(TypeError):
            sorted([first, second])
        assert value("7c 5d 4h 3s 2c", one) != value("7c 5d 4h 3s 2c", other)


def test_a_value_does_not_compare_with_a_number() -> None:
    number: object = high("As Ks Qs Js Ts").rank
    assert high("As Ks Qs Js Ts") != number
    with pytest.raises(TypeError):
        sorted([high("As Ks Qs Js Ts"), number])  # type: ignore[type-var]  # the very mistake that must be refused


@each_rule
def test_equal_values_are_one_in_sets_and_survive_pickling_and_copying(rule: str) -> None:
    for hand in one_of_each_class()[::37]:
        got = EVALUATE[rule](cards(hand))
        assert len({got, EVALUATE[rule](cards(reversed(hand)))}) == 1
        assert copy.copy(got) == got == copy.deepcopy(got)
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(got, protocol))
            assert again == got
            assert hash(again) == hash(got)
            assert (again.rank, again.category, again.ranks) == (got.rank, got.category, got.ranks)
            assert again.rule == got.rule


@pytest.mark.parametrize("name", ["rank", "category", "ranks", "rule", "note"])
def test_a_value_cannot_be_changed(name: str) -> None:
    got = high("As Ks Qs Js Ts")
    with pytest.raises((AttributeError, TypeError)):
        setattr(got, name, 7462)
    assert high("As Ks Qs Js Ts").rank == 1


@each_rule
def test_every_class_reads_differently(rule: str) -> None:
    values = {EVALUATE[rule](cards(hand)) for hand in one_of_each_class()}
    texts = {str(one) for one in values}
    assert len(texts) == len(values) == len(reference.ladder(rule))
    assert all(text.isascii() and text for text in texts)


def test_a_description_is_how_a_player_says_it() -> None:
    assert str(low("7c 5d 4h 3s 2c")) == "7-5-4-3-2 low"
    assert str(low("5c 4d 3h 2s Ac", ACE_TO_FIVE)) == "5-4-3-2-A low"
    assert str(high("Tc Td Th 4s 4c")) == "full house, tens over fours"
    assert str(high("Jh Th 7h 4h 3h")) == "flush, J-T-7-4-3"
    assert str(high("Kc Kd Ah 9s 2c")) == "one pair, kings with A-9-2"


def test_a_description_names_everything_that_decides() -> None:
    ace_kicker, queen_kicker = str(high("Kc Kd 9h 9s Ac")), str(high("Kc Kd 9h 9s Qc"))
    assert "A" in ace_kicker or "ace" in ace_kicker
    assert ace_kicker != queen_kicker
    assert str(high("Jh Th 7h 4h 3h")) != str(high("Jc Tc 7c 4c 2c"))
    assert str(high("6c 6d 6h 6s 2c")) != str(high("6c 6d 6h 6s 3c"))


@each_rule
def test_a_description_begins_with_the_category(rule: str) -> None:
    for hand in one_of_each_class()[::5]:
        got = EVALUATE[rule](cards(hand))
        if got.category is not Category.NO_PAIR:
            assert str(got).startswith(got.category)


# --- Rules as data ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", reference.LOWS)
def test_a_low_rule_is_two_decisions_and_a_name(name: str) -> None:
    ace_low, straights_and_flushes = reference.LOWS[name]
    rule = LowRule(ace_low=ace_low, straights_and_flushes=straights_and_flushes)
    assert (rule.ace_low, rule.straights_and_flushes, rule.name) == (ace_low, straights_and_flushes, name)
    assert rule == LOWS[name] == LowRule.named(name)
    assert hash(rule) == hash(LOWS[name])
    assert sum(rule == other for other in LOWS.values()) == 1
    assert pickle.loads(pickle.dumps(rule)) == rule == copy.deepcopy(rule)
    for hand in one_of_each_class()[::40]:
        assert evaluate_low(cards(hand), rule) == evaluate_low(cards(hand), LOWS[name])


@pytest.mark.parametrize("name", ["", "badugi", "deuce_to_seven", "Deuce-to-seven", "2-7", "high"])
def test_an_unknown_low_rule_is_refused_and_the_known_ones_are_named(name: str) -> None:
    with pytest.raises(RulesError) as refused:
        LowRule.named(name)
    assert all(known in str(refused.value) for known in LOWS)


def test_the_two_decisions_are_made_by_name() -> None:
    with pytest.raises(TypeError):
        LowRule(True, False)  # type: ignore[call-arg]  # the very mistake that must be refused


# --- What is no hand -------------------------------------------------------------------------------------------------


@each_rule
@pytest.mark.parametrize("count", [0, 1, 4, 6, 13, 52])
def test_a_hand_of_another_size_is_refused_and_its_count_is_named(rule: str, count: int) -> None:
    for hand in (DECK[:count], list(DECK[:count]), iter(DECK[:count])):
        with pytest.raises(CardError, match=rf"\b{count}\b|\bno\b"):
            EVALUATE[rule](hand)


@each_rule
@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("As As Kd Qc Jh", "As"),
        ("Kd As Qc Jh As", "As"),
        ("7c 7c 7d 7h 7s", "7c"),
        ("2c 2c 2c 2c 2c", "2c"),
        ("7c 5c 4c 3c 3c", "3c"),
        ("9h 9h 9h 2d 2d", "9h"),
        ("2s 2s 3s 4s 5s", "2s"),
    ],
)
def test_a_card_twice_is_refused_by_name_and_never_a_number(rule: str, text: str, twice: str) -> None:
    with pytest.raises(CardError, match=twice):
        EVALUATE[rule]([Card.parse(card) for card in text.split()])


@each_rule
def test_no_repeated_card_passes_for_a_hand(rule: str) -> None:
    rng = random.Random(5)
    for _ in range(3_000):
        hand = rng.sample(DECK, rng.randint(1, 4))
        hand += rng.choices(hand, k=5 - len(hand))
        with pytest.raises(CardError):
            EVALUATE[rule](rng.sample(hand, 5))


def test_a_wrong_hand_is_an_error_of_the_package() -> None:
    with pytest.raises(EssenHiloError):
        evaluate_high(DECK[:4])


# --- First use and long use ------------------------------------------------------------------------------------------

FIRST_EVALUATION_BY_32_THREADS = """
from threading import Barrier, Thread
from essen_hilo import *

rules = (DEUCE_TO_SEVEN, ACE_TO_FIVE, ACE_TO_SIX, DEUCE_TO_SIX, None)
hand = parse_cards("As Ks Qs Js Ts")
start, answers = Barrier(32), []

def worth(rule):
    return evaluate_high(hand) if rule is None else evaluate_low(hand, rule)

def first(number):
    start.wait()
    values = {rule: worth(rule) for rule in rules[number % 5:] + rules[:number % 5]}
    answers.append(tuple(values[rule] for rule in rules))

threads = [Thread(target=first, args=(number,)) for number in range(32)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(answers) == 32
assert len(set(answers)) == 1, "one hand, several values"
assert answers[0] == tuple(map(worth, rules))
assert not any(a < b or b < a for answer in answers for a, b in zip(answer, answers[0]))
print(*(value.rank for value in answers[0]))
"""


def test_thirty_two_threads_may_make_the_very_first_evaluation_at_once() -> None:
    hand = reference.read("As Ks Qs Js Ts")
    expected = [str(reference.worth(hand, rule).rank) for rule in (*reference.LOWS, HIGH)]
    environment = {"PYTHONPATH": str(Path(essen_hilo.__file__).parents[1])}
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, "-c", FIRST_EVALUATION_BY_32_THREADS], env=environment, capture_output=True, text=True
        )
        assert (ran.stdout.split(), ran.stderr) == (expected, "")


def evaluate_every_twelfth_hand() -> int:
    calls = 0
    for hand in islice(combinations(DECK, 5), 0, None, 12):
        for evaluate in EVALUATE.values():
            evaluate(hand)
            calls += 1
    return calls


def test_a_million_calls_leave_no_trace() -> None:
    for evaluate, hand in product(EVALUATE.values(), one_of_each_class()):
        evaluate(cards(hand))
    gc.collect()
    before = sys.getallocatedblocks()
    assert evaluate_every_twelfth_hand() > 1_000_000
    gc.collect()
    assert sys.getallocatedblocks() - before < 2_000


def test_a_thread_that_is_overtaken_while_the_first_value_is_asked_for_gets_it_all_the_same() -> None:
    """The table is written by another thread between this one's look and its own writing."""
    program = """
import sys, threading
from essen_hilo import evaluate_high, parse_cards
hand = parse_cards("Ah 5d 4c 3s 2d")
def overtake(frame, event, argument):
    if frame.f_code.co_name == "__missing__":
        sys.settrace(None)
        other = threading.Thread(target=evaluate_high, args=(hand,))
        other.start()
        other.join()
sys.settrace(overtake)
print(evaluate_high(hand).rank)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("1609\n", "")


def test_what_is_no_card_in_a_hand_is_named_with_its_place() -> None:
    for wrong in ("As", None, 10**5000):
        cards: list[Any] = [*DECK[:2], wrong, *DECK[2:4]]
        with pytest.raises(CardError, match="five Cards, and number 3 is"):
            evaluate_high(cards)
