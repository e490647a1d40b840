"""The schemas hold for all that the package writes, and refuse what nobody should be sent.

A schema sees one place of a document at a time, so it can't know that a card is there twice or that a pot is the sum
of the antes: the package's own readers do. What a schema refuses, they refuse too; the other way round, the tests below
say of which kinds of damage a schema takes notice.
"""

from __future__ import annotations

import json
import random
import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from essen_hilo import GameState, Phase, Record, RecordError, Rules, Show, View, json_schemas, parse_move
from tests.damage import JSON_VALUES, JUNK, damaged, places_in
from tests.games import Game, game, seats_and_spectator, share_of_examples
from tests.reference import LOWS
from tests.reference_game import SIZES, Setting

SEEDS = st.integers(0, 2**32 - 1)
SETTINGS = [
    Setting(seats, size, ante=7, low=list(LOWS)[number % 4], dealer=seats - 1, carried=3)
    for number, (seats, size) in enumerate(SIZES)
]


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json_schemas()[name])


def holds(name: str, document: object) -> bool:
    return validator(name).is_valid(document)


def check(name: str, document: object) -> None:
    """As `holds`, with an error that says what is wrong and where."""
    validator(name).validate(document)


def views(played: Game) -> list[dict[str, Any]]:
    return [state.view(seat).to_dict() for state in played.states for seat in seats_and_spectator(played.setting)]


def at(phase: Phase, seat: int | None = 0, setting: Setting = Setting()) -> dict[str, Any]:  # noqa: B008
    """A seat's view at the first moment of a phase."""
    return next(state for state in game(5, setting).states if state.phase is phase).view(seat).to_dict()


def is_view(document: Any) -> bool:
    try:
        View.from_dict(document)
    except RecordError:
        return False
    return True


def is_record(document: Any) -> bool:
    try:
        Record.from_json(json.dumps(document))
    except RecordError:
        return False
    return True


# --- The schemas themselves ---


@pytest.mark.parametrize("name", ["view", "record", "move"])
def test_a_schema_is_a_schema_and_stands_alone(name: str) -> None:
    schema = json_schemas()[name]
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)
    names = schema["$defs"]
    assert isinstance(names, dict)
    used = {place[key] for place, key in places_in(schema) if key == "$ref"}
    assert used == {f"#/$defs/{name}" for name in names}


def test_a_word_means_the_same_in_every_schema() -> None:
    meanings: dict[str, list[object]] = {}
    for schema in json_schemas().values():
        assert isinstance(schema["$defs"], dict)
        for word, meaning in schema["$defs"].items():
            meanings.setdefault(word, []).append(meaning)
    for found in meanings.values():
        assert all(meaning == found[0] for meaning in found)


def test_every_object_of_a_schema_is_closed() -> None:
    for schema in json_schemas().values():
        described = [place for place, key in places_in(schema) if key == "required"]
        assert all(place["additionalProperties"] is False for place in described)
        assert all(set(place["required"]) == set(place["properties"]) for place in described)


def test_changing_a_schema_changes_nothing_for_others() -> None:
    json_schemas()["view"].clear()
    assert json_schemas()["view"]


# --- What the package writes ---


@pytest.mark.parametrize("setting", SETTINGS[:2], ids=str)
def test_the_schema_of_views_holds_for_everybody_at_every_moment_of_a_published_game(setting: Setting) -> None:
    for document in views(game(11, setting)):
        check("view", document)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_schemas_hold_at_every_moment_of_a_game_of_any_size_and_low(setting: Setting) -> None:
    """The seats look in turn, since checking a view takes long."""
    states = game(12, setting).states
    for number, state in enumerate(states):
        check("view", state.view(number % setting.seats).to_dict())
    for state in states[::10] + states[-1:]:
        check("record", json.loads(Record.of(state, {"table": "Essen"}).to_json()))
    for move in Record.of(states[-1]).moves:
        check("move", str(move))


@share_of_examples(0.25)
@given(SEEDS)
def test_the_schemas_hold_for_any_random_game(seed: int) -> None:
    played = game(seed)
    rng = random.Random(seed)
    for document in rng.sample(views(played), 10):
        check("view", document)
    record = json.loads(Record.of(played.states[-1]).to_json())
    check("record", record)
    for move in {move.split()[0]: move for move in record["moves"]}.values():
        check("move", move)


def test_the_schemas_hold_while_hands_are_turned_up_one_at_a_time() -> None:
    state = next(state for state in game(6, Setting()).states if state.phase is Phase.SHOW_LOW)
    while state.phase is not Phase.OVER:
        seat = next(seat for seat in (2, 0, 3, 1) if state.legal_moves(seat))
        check("move", str(Show(seat)))
        state = state.show(seat)
        check("record", json.loads(Record.of(state).to_json()))
        for looking in (0, 1, None):
            check("view", state.view(looking).to_dict())


def test_the_schemas_hold_for_chips_of_any_number() -> None:
    state = GameState.start(Rules(ante=10**30), carried=10**40)
    check("view", state.view(0).to_dict())
    check("record", json.loads(Record.of(state).to_json()))
    check("view", GameState.start(Rules(ante=0)).view(None).to_dict())


# --- Wrong views ---


@given(SEEDS)
def test_what_the_schema_of_views_refuses_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    for document in rng.sample(views(game(seed)), 3):
        spoilt = damaged(document, rng)
        if is_view(spoilt):
            check("view", spoilt)


@given(JSON_VALUES)
def test_no_structure_at_all_is_a_view_or_a_record(document: Any) -> None:
    assert not holds("view", document)
    assert not holds("record", document)


@pytest.mark.parametrize("phase", [Phase.PICK, Phase.ARRANGE, Phase.SHOW_HIGH, Phase.OVER])
def test_every_key_of_a_view_is_needed_and_no_other_is_allowed(phase: Phase) -> None:
    check("view", at(phase))
    keyed = [number for number, (place, _) in enumerate(places_in(at(phase))) if isinstance(place, dict)]
    assert len(keyed) >= 23
    for number in keyed:
        document = at(phase)
        place, key = places_in(document)[number]
        value = place.pop(key)
        assert not holds("view", document), key
        place.update({key: value, "extra": 1})
        assert not holds("view", document), key


@pytest.mark.parametrize("phase", list(Phase))
def test_junk_in_any_place_of_a_view_is_refused_as_the_reader_refuses_it(phase: Phase) -> None:
    """What a schema lets through is junk of the right kind: another number in range, another text of a hand."""
    rng = random.Random(phase)
    shown = json.dumps(at(phase))
    for number in rng.sample(range(len(places_in(at(phase)))), 18):
        for junk in rng.sample(JUNK, 6):
            document = json.loads(shown)
            place, key = places_in(document)[number]
            right, place[key] = place[key], junk
            if not holds("view", document):
                assert not is_view(document)
            elif type(junk) is not type(right):
                assert key == "seat" or isinstance(junk, float), (
                    key
                )  # JSON Schema counts 2.0 as whole; the package does not


@pytest.mark.parametrize(
    ("phase", "change"),
    [
        (Phase.PICK, {"pack": ["as"]}),
        (Phase.PICK, {"pack": ["10h"]}),
        (Phase.PICK, {"pack": ["A♠"]}),
        (Phase.PICK, {"pack": ["As\n"]}),
        (Phase.PICK, {"pack": ["As", "As"]}),
        (Phase.PICK, {"pack": "As"}),
        (Phase.PICK, {"seat": 4}),
        (Phase.PICK, {"seat": -1}),
        (Phase.PICK, {"seat": True}),
        (Phase.PICK, {"dealer": 4}),
        (Phase.PICK, {"dealer": None}),
        (Phase.PICK, {"carried": -1}),
        (Phase.PICK, {"carried": 0.5}),
        (Phase.PICK, {"round": 26}),
        (Phase.PICK, {"to_act": []}),
        (Phase.PICK, {"to_act": [0, 0]}),
        (Phase.PICK, {"to_act": [5]}),
        (Phase.PICK, {"phase": "draft"}),
        (Phase.PICK, {"seat": None}),  # a spectator holds no pack
        (Phase.PICK, {"low_hands": [["2c", "3c", "4c", "5c", "7d"], None, None, None]}),
        (Phase.PICK, {"high_hands": [None, None, None]}),
        (Phase.PICK, {"arrangement": {"low": ["2c", "3c", "4c", "5c", "7d"], "high": ["Ac", "Ad", "Ah", "As", "Kd"]}}),
        (Phase.PASS, {"to_act": [1]}),
        (Phase.ARRANGE, {"pack": ["As"]}),
        (Phase.SHOW_LOW, {"low_award": at(Phase.OVER)["low_award"]}),
        (Phase.SHOW_LOW, {"high_hands": at(Phase.OVER)["high_hands"]}),
        (Phase.SHOW_HIGH, {"low_award": None}),
        (Phase.SHOW_HIGH, {"low_award": at(Phase.OVER)["high_award"]}),
        (Phase.SHOW_HIGH, {"result": at(Phase.OVER)["result"]}),
        (Phase.OVER, {"result": None}),
        (Phase.OVER, {"high_award": None}),
        (Phase.OVER, {"high_hands": [None, None, None, None]}),
        (Phase.OVER, {"passes_to": [1, 2, 3]}),
    ],
    ids=str,
)
def test_a_view_that_no_seat_can_have_is_refused(phase: Phase, change: dict[str, object]) -> None:
    document = {**at(phase), **change}
    assert not holds("view", document)
    assert not is_view(document)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("seats", 1),
        ("seats", 6),
        ("seats", "4"),
        ("seats", 5),  # times 13 cards
        ("ante", -1),
        ("ante", True),
        ("ante", None),
        ("low", "deuce to seven"),
        ("low", None),
        ("hand_size", 9),
        ("hand_size", 14),
        ("hand_size", None),
        ("odd_chips", "dealer"),
    ],
)
def test_rules_that_no_table_can_have_are_refused(field: str, wrong: object) -> None:
    view, record = at(Phase.PICK), json.loads(Record.of(game(5, Setting()).states[3]).to_json())
    for name, document, reads in (("view", view, is_view), ("record", record, is_record)):
        document["rules"][field] = wrong
        assert not holds(name, document)
        assert not reads(document)


# --- Wrong records and moves ---


@given(SEEDS)
def test_what_the_schema_of_records_refuses_is_refused_or_written_otherwise(seed: int) -> None:
    """Moves are read in any case and spacing and written in one: the record that is read keeps to the schema."""
    rng = random.Random(seed)
    states = game(seed).states
    for state in (states[-1], rng.choice(states)):
        spoilt = damaged(json.loads(Record.of(state).to_json()), rng)
        if is_record(spoilt):
            again = json.loads(Record.from_json(json.dumps(spoilt)).to_json())
            check("record", again)
            assert holds("record", spoilt) or spoilt["moves"] != again["moves"]


@pytest.mark.parametrize(
    "change",
    [
        {"format": "essen_hilo"},
        {"version": 2},
        {"version": "1"},
        {"dealer": 4},
        {"dealer": "0"},
        {"dealer": None},
        {"carried": -1},
        {"carried": None},
        {"moves": {}},
        {"moves": ["pick 0 As"]},  # before the deal
        {"moves": [None]},
        {"moves": ["deal"]},
        {"tags": {"a": 1}},
        {"tags": None},
        {"seed": 1},
    ],
    ids=str,
)
def test_a_record_that_no_game_can_have_is_refused(change: dict[str, object]) -> None:
    document = {**json.loads(Record.of(game(5, Setting()).states[3]).to_json()), **change}
    assert not holds("record", document)
    assert not is_record(document)
    for key in change.keys() - {"seed"}:
        del document[key]
        assert not holds("record", document)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pick",
        "pick 0",
        "pick 5 As",
        "pick -1 As",
        "pick 00 As",
        "pick 0 Xs",
        "pick 0 1s",
        "pick 0 As Ad",
        "pick 0 As; pass",
        "passes",
        "pass 1",
        "show",
        "show 12",
        "showdown now",
        "fold 2",
        "arrange 0 7h5d4c3s2d",
        "arrange 0 7h5d4c3s2d / AsAdAhKs",
        "arrange 0 7h5d4c3s2d / AsAdAhKsKd / Kh",
        "deal",
        "deal 2c 3c",
        5,
        None,
        ["pass"],
        {"pick": "As"},
    ],
)
def test_what_is_no_move_is_refused(text: object) -> None:
    assert not holds("move", text)


@pytest.mark.parametrize("text", ["pick 0 as", "pick 0 10h", "pick 0 A♠", "pick 0  As", " pass", "pass\n", "show 1\n"])
def test_a_move_is_sent_in_the_form_in_which_it_is_written(text: str) -> None:
    """People may write it otherwise; the schema of what programs send knows one form."""
    assert not holds("move", text)
    check("move", str(parse_move(text)))


@given(st.text(max_size=40))
def test_any_text_at_all_is_no_move(text: str) -> None:
    assert not holds("move", text)


def test_whatever_the_schema_calls_a_move_can_be_read() -> None:
    """Unless a card is in it twice, which a portable pattern can't see."""
    rng = random.Random(1)
    for move in map(str, Record.of(game(5, Setting()).states[-1]).moves):
        place = rng.randrange(len(move))
        for letter in "0129AsKhx /-":
            text = move[:place] + letter + move[place + 1 :]
            named = re.findall("[2-9TJQKA][cdhs]", text)
            if holds("move", text) and len(named) == len(set(named)):
                assert str(parse_move(text)) == text
