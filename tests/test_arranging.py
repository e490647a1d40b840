"""Ten or thirteen cards into a low and a high hand: the frontier holds every arrangement that no other beats."""

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import essen_hilo
from essen_hilo import (
    ACE_TO_FIVE,
    DECK,
    DEUCE_TO_SEVEN,
    Arrangement,
    Card,
    CardError,
    LowRule,
    evaluate_high,
    evaluate_low,
    frontier,
    parse_cards,
)
from tests import reference
from tests.reference import HIGH

each_low = pytest.mark.parametrize("low", reference.LOWS)

CONTRIVED = {
    "thirteen of one suit": "2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As",
    "twelve of one suit and an ace": "2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks Ah",
    "eleven of one suit and a pair to it": "2s 3s 4s 5s 7s 8s 9s Ts Js Ks As 2h Ah",
    "ten of one suit": "2s 3s 4s 5s 7s 8s 9s Js Ks As",
    "nine of one suit and a deuce": "3s 4s 5s 7s 8s 9s Js Ks As 2h",
    "one of each rank in four suits": "2c 3d 4h 5s 6c 7d 8h 9s Tc Jd Qh Ks Ac",
    "two steel wheels": "Ac 2c 3c 4c 5c Ad 2d 3d 4d 5d",
    "two steel wheels and three aces": "Ac 2c 3c 4c 5c Ad 2d 3d 4d 5d Ah As 2h",
    "a steel wheel or a wheel or aces full": "Ah 2h 3h 4h 5h As 2s 3d 4c 5d Ad Ac 7c",
    "two royal flushes": "As Ks Qs Js Ts Ah Kh Qh Jh Th",
    "two royal flushes and a low": "As Ks Qs Js Ts Ah Kh Qh Jh Th 2c 3c 4c",
    "three fours of a kind": "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 5c",
    "the three highest fours of a kind": "Ac Ad Ah As Kc Kd Kh Ks Qc Qd Qh Qs Jc",
    "two fours of a kind and a pair": "Ac Ad Ah As 2c 2d 2h 2s 7c 7d",
    "all pairs": "2c 2d 4c 4d 5h 5s 7c 7h 9d 9s Kc Kh As",
    "five pairs": "2c 2d 4c 4d 5h 5s 7c 7h Kd Ks",
    "five pairs and an ace": "2c 2d 4c 4d 5h 5s 7c 7h Kd Ks As",
    "four threes of a kind": "2c 2d 2h 3c 3d 3s 5c 5h 5s Kd Kh Ks 7c",
    "two flushes": "2c 3c 4c 5c 7c Ah Kh Qh Jh 9h",
    "two flushes of six": "2c 3c 4c 5c 7c 8c Ah Kh Qh Jh 9h 8h",
    "a flush of seven and one of six": "2c 3c 4c 5c 7c 8c Tc Ah Kh Qh Jh 9h 8h",
    "four flushes that one card each would make": "2c 5c 9c Kc 3d 6d Td 4h 7h Jh 8s Qs As",
    "straights that overlap everywhere": "2c 3d 4h 5s 6c 7d 8h 9s Tc 3h 4c 5d 6h",
    "a straight flush among flushes": "4d 5d 6d 7d 8d 9d Td Jd 2h 3h 4h 5h 7h",
    "best high and best low share four cards": "2c 3c 4c 5c 6c 7d 8d 8h 8s Kc Kd Kh",
    "the low costs the high its full house": "2c 2d 2h 3c 3d 4s 5h 7s 9d Jc",
    "the low costs the high its straight flush": "5h 6h 7h 8h 9h 2c 3d 4s Kc Kd",
}
assert all(10 <= len(reference.read(text)) <= 13 for text in CONTRIVED.values())


def deal(rng: random.Random, count: int, kind: str) -> list[str]:
    """Random cards of a kind that makes many, or other, ties and clashes than the whole pack does."""
    pack: Sequence[str] = {
        "whole pack": reference.PACK,
        "two suits": [card for card in reference.PACK if card[1] in "hs"],
        "five ranks": [card for card in reference.PACK if card[0] in "A235K"],
        "wheel and six": [card for card in reference.PACK if card[0] in "A234567"],
        "broadway": [card for card in reference.PACK if card[0] in "89TJQKA"],
    }[kind]
    return rng.sample(pack, count)


def cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return parse_cards(" ".join(texts))


def ranks(arrangements: Iterable[Arrangement], low: str) -> list[tuple[int, int]]:
    """Low and high rank of each arrangement, as the reference counts them."""
    return [
        (reference.worth(map(str, one.low), low).rank, reference.worth(map(str, one.high), HIGH).rank)
        for one in arrangements
    ]


def check(hand: Sequence[str], low: str) -> None:
    found = frontier(cards(hand), LowRule.named(low))
    assert isinstance(found, tuple)
    assert ranks(found, low) == reference.frontier(hand, low)
    for one in found:
        assert isinstance(one, Arrangement)
        assert len({*one.low, *one.high}) == 10
        assert {*one.low, *one.high} <= set(cards(hand))


# --- The frontier ----------------------------------------------------------------------------------------------------


@each_low
@pytest.mark.parametrize("text", CONTRIVED.values(), ids=CONTRIVED)
def test_the_frontier_of_contrived_cards_is_found_by_trying_everything(text: str, low: str) -> None:
    check(reference.read(text), low)


@each_low
@pytest.mark.parametrize(("count", "tries"), [(10, 60), (11, 40), (12, 25), (13, 25)])
def test_the_frontier_of_random_cards_is_found_by_trying_everything(count: int, tries: int, low: str) -> None:
    rng = random.Random(count)
    for _ in range(tries):
        check(deal(rng, count, "whole pack"), low)


@each_low
@pytest.mark.parametrize("kind", ["two suits", "five ranks", "wheel and six", "broadway"])
@pytest.mark.parametrize(("count", "tries"), [(10, 15), (11, 8), (12, 5), (13, 5)])
def test_the_frontier_of_crowded_cards_is_found_by_trying_everything(
    count: int, tries: int, kind: str, low: str
) -> None:
    rng = random.Random(count)
    for _ in range(tries):
        check(deal(rng, count, kind), low)


@pytest.mark.parametrize(("count", "low"), [(14, "deuce-to-seven"), (14, "ace-to-five"), (15, "ace-to-six")])
def test_the_frontier_of_a_bigger_packet_is_found_by_trying_everything(count: int, low: str) -> None:
    check(deal(random.Random(count), count, "whole pack"), low)


@each_low
def test_no_arrangement_of_a_frontier_beats_another(low: str) -> None:
    rng = random.Random(1)
    rule = LowRule.named(low)
    for count in (10, 13):
        for _ in range(100):
            found = frontier(rng.sample(DECK, count), rule)
            assert found
            for stronger_high, stronger_low in pairwise(found):
                assert evaluate_high(stronger_high.high) > evaluate_high(stronger_low.high)
                assert evaluate_low(stronger_high.low, rule) < evaluate_low(stronger_low.low, rule)


def test_the_frontier_begins_with_the_best_high_and_ends_with_the_best_low() -> None:
    found = frontier(parse_cards("As Ks Qs Js Ts 7c 5d 4h 3s 2c 9d 9h 8c"))
    assert found[0].high == parse_cards("Ts Js Qs Ks As")
    assert found[-1].low == parse_cards("2c 3s 4h 5d 7c")
    assert len(found) == 1
    found = frontier(parse_cards("2c 3c 4c 5c 6c 7d 8d 8h 8s Kc Kd Kh"))
    assert str(evaluate_high(found[0].high).category) == "straight flush"
    assert evaluate_low(found[-1].low).rank == 1
    assert len(found) > 1


def test_deuce_to_seven_is_the_low_when_nothing_is_said() -> None:
    hand = reference.read(CONTRIVED["a steel wheel or a wheel or aces full"])
    assert frontier(cards(hand)) == frontier(cards(hand), DEUCE_TO_SEVEN)
    assert frontier(cards(hand)) != frontier(cards(hand), ACE_TO_FIVE)


@each_low
def test_the_order_of_the_cards_says_nothing(low: str) -> None:
    rng = random.Random(2)
    for text in CONTRIVED.values():
        hand = list(parse_cards(text))
        expected = frontier(hand, LowRule.named(low))
        for _ in range(2):
            rng.shuffle(hand)
            assert frontier(hand, LowRule.named(low)) == expected
        rng.shuffle(hand)
        assert frontier(iter(hand), LowRule.named(low)) == expected


def test_the_same_cards_give_the_same_frontier_in_every_process() -> None:
    script = (
        "from essen_hilo import *\n"
        "for text in input().split(','):\n"
        "    for one in frontier(set(parse_cards(text))):\n"
        "        print(format_cards(one.low), '/', format_cards(one.high))"
    )
    answers = set()
    for hash_seed in ("0", "17", "4711"):
        environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(essen_hilo.__file__).parents[1])}
        ran = subprocess.run(
            [sys.executable, "-c", script],
            input=",".join(CONTRIVED.values()) + "\n",
            env=environment,
            capture_output=True,
            text=True,
        )
        assert ran.stderr == ""
        answers.add(ran.stdout)
    assert len(answers) == 1
    assert answers != {""}


@each_low
def test_permuted_suits_change_no_value_of_the_frontier(low: str) -> None:
    turned = dict(zip("cdhs", "dhsc", strict=True))
    for text in CONTRIVED.values():
        hand = reference.read(text)
        other = [card[0] + turned[card[1]] for card in hand]
        one = frontier(cards(hand), LowRule.named(low))
        assert ranks(one, low) == ranks(frontier(cards(other), LowRule.named(low)), low)


@given(st.lists(st.sampled_from(DECK), min_size=17, max_size=17, unique=True), st.sampled_from(sorted(reference.LOWS)))
def test_more_cards_never_hurt(hand: list[Card], low: str) -> None:
    rule = LowRule.named(low)
    of_all = ranks(frontier(hand[:14], rule), low)
    for fewer in (10, 12):
        for a_low, a_high in ranks(frontier(hand[:fewer], rule), low):
            assert any(better_low <= a_low and better_high <= a_high for better_low, better_high in of_all)


def test_seventeen_cards_can_be_arranged() -> None:
    hand = random.Random(17).sample(DECK, 17)
    of_all = ranks(frontier(hand), "deuce-to-seven")
    for start in range(5):
        for a_low, a_high in ranks(frontier(hand[start : start + 13]), "deuce-to-seven"):
            assert any(better_low <= a_low and better_high <= a_high for better_low, better_high in of_all)


@pytest.mark.parametrize("count", [0, 5, 9])
def test_fewer_than_ten_cards_make_no_two_hands(count: int) -> None:
    with pytest.raises(CardError, match=rf"\b{count}\b|\bno\b"):
        frontier(DECK[:count])


@pytest.mark.parametrize("count", [10, 13])
def test_a_card_twice_is_refused_by_name(count: int) -> None:
    for place in (0, 4, count - 2):
        hand = list(DECK[20 : 20 + count])
        hand[place] = hand[-1]
        with pytest.raises(CardError, match=str(hand[-1])):
            frontier(hand)


# --- Arrangement -----------------------------------------------------------------------------------------------------

LOW = "7h 5d 4c 3s 2d"
HIGH_HAND = "As Ad Ah Ks Kd"


def test_an_arrangement_is_two_sorted_hands() -> None:
    one = Arrangement(parse_cards(LOW), parse_cards(HIGH_HAND))
    assert one.low == parse_cards("2d 3s 4c 5d 7h")
    assert one.high == parse_cards("Kd Ks Ad Ah As")
    assert one == Arrangement(low=tuple(sorted(one.low)), high=tuple(reversed(one.high)))
    assert hash(one) == hash(Arrangement(parse_cards(LOW), parse_cards(HIGH_HAND)))
    assert one != Arrangement(low=one.high, high=one.low)


def test_either_hand_may_be_the_stronger_one() -> None:
    Arrangement(low=parse_cards(HIGH_HAND), high=parse_cards(LOW))


@pytest.mark.parametrize("count", [0, 4, 6])
def test_a_hand_of_an_arrangement_has_five_cards(count: int) -> None:
    five, other = DECK[:5], DECK[10 : 10 + count]
    for low, high in ((five, other), (other, five)):
        with pytest.raises(CardError, match=rf"\b{count}\b|\bno\b"):
            Arrangement(low, high)


def test_a_card_lies_in_an_arrangement_once() -> None:
    low, high = parse_cards(LOW), parse_cards(HIGH_HAND)
    seven = Card.parse("7h")
    for bad_low, bad_high in (
        ((*low[:4], seven), high),
        (low, (*high[:4], seven)),
        (low, (*high[:3], Card.parse("2c"), high[0])),
        ((*low[:4], high[0]), high),
    ):
        twice = {card for card in (*bad_low, *bad_high) if (*bad_low, *bad_high).count(card) > 1}
        with pytest.raises(CardError, match="|".join(map(str, twice))):
            Arrangement(bad_low, bad_high)


def test_an_arrangement_cannot_be_changed() -> None:
    one = Arrangement(parse_cards(LOW), parse_cards(HIGH_HAND))
    for name in ("low", "high"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(one, name, ())
    assert copy.copy(one) == one == copy.deepcopy(one)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(one, protocol)) == one


def test_a_list_handed_in_and_changed_later_changes_nothing() -> None:
    low, high, hand = list(parse_cards(LOW)), list(parse_cards(HIGH_HAND)), list(DECK[:10])
    one = Arrangement(low, high)
    found = frontier(hand)
    low.clear()
    high.reverse()
    hand.clear()
    assert one == Arrangement(parse_cards(LOW), parse_cards(HIGH_HAND))
    assert isinstance(one.low, tuple)
    assert isinstance(one.high, tuple)
    assert hash(one)
    assert found == frontier(DECK[:10])


@pytest.mark.parametrize("wrong", ["As", None, 7], ids=repr)
def test_what_is_no_card_is_named(wrong: Any) -> None:
    with pytest.raises(CardError, match="is not a Card"):
        frontier([wrong, *DECK[:12]])
    with pytest.raises(CardError, match="is not a Card"):
        Arrangement([wrong, *DECK[:4]], DECK[5:10])
