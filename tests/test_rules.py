"""What the table agrees on before the deal, and what it may not agree on."""

import copy
import dataclasses
import json
import pickle
from itertools import product
from typing import Any

import pytest

from essen_hilo import (
    ACE_TO_FIVE,
    ACE_TO_SIX,
    DEUCE_TO_SEVEN,
    DEUCE_TO_SIX,
    EssenHiloError,
    GameState,
    LowRule,
    OddChips,
    Rules,
    RulesError,
)
from tests import reference

OTHER_THAN_DEFAULT = Rules(seats=3, ante=7, low=ACE_TO_FIVE, hand_size=11, odd_chips=OddChips.LEFT_OF_DEALER)


def test_the_published_game_is_what_you_get_when_nothing_is_said() -> None:
    rules = Rules()
    assert (rules.seats, rules.ante, rules.low, rules.hand_size) == (4, 5, DEUCE_TO_SEVEN, 13)
    assert rules.odd_chips is OddChips.STAY
    assert rules == Rules(seats=4, ante=5, low=DEUCE_TO_SEVEN, hand_size=None, odd_chips=OddChips.STAY)


def test_four_seats_get_thirteen_cards_and_five_seats_ten() -> None:
    assert Rules(seats=4).hand_size == 13
    assert Rules(seats=5).hand_size == 10
    assert Rules(seats=4) == Rules(seats=4, hand_size=13)
    assert Rules(seats=5) == Rules(seats=5, hand_size=10)


def test_two_to_five_seats_may_ask_for_any_packet_of_ten_or_more_that_fits_the_pack() -> None:
    for seats, hand_size in product(range(-2, 10), range(-2, 60)):
        if 2 <= seats <= 5 and hand_size >= 10 and seats * hand_size <= 52:
            rules = Rules(seats=seats, hand_size=hand_size)
            assert (rules.seats, rules.hand_size) == (seats, hand_size)
        else:
            with pytest.raises(RulesError) as refused:
                Rules(seats=seats, hand_size=hand_size)
            assert ("hand_size" if 2 <= seats <= 5 else "seats") in str(refused.value)


@pytest.mark.parametrize("seats", [2, 3])
def test_two_or_three_seats_must_ask_for_a_hand_size_by_name(seats: int) -> None:
    with pytest.raises(RulesError, match="hand_size") as refused:
        Rules(seats=seats)
    assert "10" in str(refused.value)
    assert str(52 // seats) in str(refused.value)


def test_an_unlisted_house_size_is_refused_with_what_is_allowed() -> None:
    with pytest.raises(RulesError, match="hand_size") as refused:
        Rules(seats=4, hand_size=14)
    assert "14" in str(refused.value)
    assert "10" in str(refused.value)
    assert "13" in str(refused.value)
    with pytest.raises(RulesError, match="seats") as refused:
        Rules(seats=6)
    assert "6" in str(refused.value)
    assert "5" in str(refused.value)


WRONG_NUMBERS: list[object] = [True, False, 2.5, 4.0, "4", "", float("nan"), float("inf"), [4], (4,), {}, 4j, b"4"]


@pytest.mark.parametrize("wrong", [*WRONG_NUMBERS, None, -4, 0, 1, 6, 10**30], ids=repr)
def test_a_wrong_number_of_seats_is_refused_by_name(wrong: Any) -> None:
    with pytest.raises(RulesError, match="seats"):
        Rules(seats=wrong)
    with pytest.raises(RulesError, match="seats"):
        Rules(seats=wrong, hand_size=10)


@pytest.mark.parametrize("wrong", [*WRONG_NUMBERS, None, -1, -5], ids=repr)
def test_a_wrong_ante_is_refused_by_name(wrong: Any) -> None:
    with pytest.raises(RulesError, match="ante"):
        Rules(ante=wrong)


@pytest.mark.parametrize("wrong", [*WRONG_NUMBERS, -13, 0, 9, 14, 52, 10**30], ids=repr)
def test_a_wrong_hand_size_is_refused_by_name(wrong: Any) -> None:
    with pytest.raises(RulesError, match="hand_size"):
        Rules(hand_size=wrong)


@pytest.mark.parametrize("wrong", [None, True, 7, "", "deuce-to-seven", "badugi", Rules], ids=repr)
def test_a_wrong_low_is_refused_by_name(wrong: Any) -> None:
    with pytest.raises(RulesError, match="low"):
        Rules(low=wrong)


@pytest.mark.parametrize("wrong", [None, True, 1, "", "keep", "left", ["stay"]], ids=repr)
def test_a_wrong_custom_for_odd_chips_is_refused_by_name(wrong: Any) -> None:
    with pytest.raises(RulesError, match="odd_chips"):
        Rules(odd_chips=wrong)


def test_the_customs_for_odd_chips_are_text() -> None:
    assert {custom.name: custom.value for custom in OddChips} == {"STAY": "stay", "LEFT_OF_DEALER": "left-of-dealer"}


def test_an_ante_may_be_nothing_or_a_fortune() -> None:
    assert Rules(ante=0).ante == 0
    assert Rules(ante=10**30).ante == 10**30


def test_a_rules_error_is_a_value_error_of_the_package() -> None:
    assert issubclass(RulesError, EssenHiloError)
    assert issubclass(RulesError, ValueError)


def test_rules_cannot_be_changed_and_are_equal_by_what_they_say() -> None:
    for field in dataclasses.fields(Rules):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(OTHER_THAN_DEFAULT, field.name, getattr(Rules(), field.name))
    same = Rules(seats=3, ante=7, low=LowRule.named("ace-to-five"), hand_size=11, odd_chips=OddChips.LEFT_OF_DEALER)
    assert same == OTHER_THAN_DEFAULT
    assert hash(OTHER_THAN_DEFAULT) == hash(same)
    different = [
        Rules(),
        Rules(ante=6),
        Rules(seats=5),
        Rules(hand_size=12),
        Rules(low=ACE_TO_SIX),
        Rules(low=DEUCE_TO_SIX),
        Rules(odd_chips=OddChips.LEFT_OF_DEALER),
    ]
    assert len({OTHER_THAN_DEFAULT, *different}) == 8


@pytest.mark.parametrize("rules", [Rules(), Rules(seats=5), OTHER_THAN_DEFAULT], ids=repr)
def test_rules_survive_pickling_and_copying(rules: Rules) -> None:
    assert copy.copy(rules) == rules == copy.deepcopy(rules)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(rules, protocol))
        assert again == rules
        assert hash(again) == hash(rules)


# --- Written down ----------------------------------------------------------------------------------------------------


def test_rules_are_written_down_in_words_and_numbers() -> None:
    written = {"seats": 4, "ante": 5, "low": "deuce-to-seven", "hand_size": 13, "odd_chips": "stay"}
    assert Rules().to_dict() == written
    assert list(Rules().to_dict()) == list(written)
    assert OTHER_THAN_DEFAULT.to_dict() == {
        "seats": 3,
        "ante": 7,
        "low": "ace-to-five",
        "hand_size": 11,
        "odd_chips": "left-of-dealer",
    }


def test_rules_are_read_back_as_they_were() -> None:
    for seats, low, odd_chips in product((4, 5), reference.LOWS, OddChips):
        rules = Rules(seats=seats, low=LowRule.named(low), odd_chips=odd_chips)
        assert Rules.from_dict(rules.to_dict()) == rules
        assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert Rules.from_dict(OTHER_THAN_DEFAULT.to_dict()) == OTHER_THAN_DEFAULT


WRONG_FIELDS: dict[str, list[object]] = {
    "seats": [True, "4", 4.0, None, 1, 6, -4, [4], {}],
    "ante": [False, "5", 5.0, None, -1, float("nan"), [], {}],
    "low": [True, 7, None, "", "2-7", "deuce_to_seven", [], {}, ["deuce-to-seven"]],
    "hand_size": [True, "13", 13.0, 9, 14, [], {}],
    "odd_chips": [True, 1, None, "", "STAY", "keep", [], {}],
}


@pytest.mark.parametrize(
    ("field", "wrong"), [(field, wrong) for field in WRONG_FIELDS for wrong in WRONG_FIELDS[field]]
)
def test_a_wrong_word_or_number_written_down_is_refused_by_field(field: str, wrong: object) -> None:
    with pytest.raises(RulesError, match=field):
        Rules.from_dict(Rules().to_dict() | {field: wrong})


@pytest.mark.parametrize("field", ["seat", "blind", "Seats", "", "low "])
def test_an_unknown_field_written_down_is_refused_by_name(field: str) -> None:
    with pytest.raises(RulesError) as refused:
        Rules.from_dict(Rules().to_dict() | {field: 4})
    assert field in str(refused.value)


@pytest.mark.parametrize("field", Rules().to_dict())
def test_a_field_that_is_not_written_down_is_refused_by_name(field: str) -> None:
    written = Rules().to_dict()
    del written[field]
    with pytest.raises(RulesError, match=field):
        Rules.from_dict(written)


@pytest.mark.parametrize("junk", [None, 4, "rules", [], [["seats", 4]], {}, {1: 2}], ids=repr)
def test_what_is_no_dict_of_rules_is_refused(junk: Any) -> None:
    with pytest.raises(RulesError):
        Rules.from_dict(junk)


def test_a_dict_written_out_and_changed_later_changes_nothing() -> None:
    rules = Rules()
    written = rules.to_dict()
    read = Rules.from_dict(written)
    written["ante"] = 100
    assert rules == read == Rules()


def test_a_game_cannot_start_with_a_dealer_who_is_not_at_the_table() -> None:
    wrong: list[Any] = [-1, 4, True, 1.0, "0", None]
    for dealer in wrong:
        with pytest.raises(RulesError, match="dealer"):
            GameState.start(Rules(), dealer=dealer)


@pytest.mark.parametrize("wrong", [1, None, "yes", 10**5000], ids=lambda wrong: type(wrong).__name__)
def test_the_decisions_of_a_low_rule_are_yes_or_no(wrong: Any) -> None:
    for decisions in (
        {"ace_low": wrong, "straights_and_flushes": True},
        {"ace_low": True, "straights_and_flushes": wrong},
    ):
        with pytest.raises(RulesError, match="ace_low and straights_and_flushes"):
            LowRule(**decisions)
