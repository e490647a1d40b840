"""A game written down is the same game when it is read back, and nothing else can be read back."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import GameState, Phase, Pick, Record, RecordError, Rules, RulesError, parse_move
from tests.damage import JSON_VALUES, JUNK, damaged, damaged_bytes
from tests.games import CARDS_IN_TEXT, as_move, game, opening, share_of_examples
from tests.reference import PACK
from tests.reference_game import Setting, every_arrange

SEEDS = st.integers(0, 2**32 - 1)

HOUSE = Setting(3, 12, ante=7, low="ace-to-five", odd_chips="left-of-dealer", dealer=2, carried=4)


def document(seed: int = 1, setting: Setting = HOUSE, steps: int | None = None) -> dict[str, Any]:
    """A record as it lies in a file, of a whole game or of its first steps."""
    states = game(seed, setting).states
    loaded = json.loads(Record.of(states[-1 if steps is None else steps]).to_json())
    assert isinstance(loaded, dict)
    return loaded


def read(data: Any) -> GameState:
    return Record.from_json(json.dumps(data)).replay()


def accepted_or_refused(data: str | bytes) -> Record | None:
    """A record that is read is a game that can be played; anything else is a RecordError and no other exception."""
    try:
        record = Record.from_json(data)
    except RecordError as refused:
        error = refused
    else:
        assert isinstance(record.replay(), GameState)
        assert Record.from_json(record.to_json()) == record
        return record
    assert 0 < len(str(error)) < 2000  # says what is wrong, and does not throw the file back
    return None


# --- Every game can be written down ---


@share_of_examples(0.5)
@given(SEEDS)
def test_a_game_is_the_same_after_saving_at_every_state(seed: int) -> None:
    for state in game(seed).states:
        record = Record.of(state)
        assert record.replay() == state
        assert hash(record.replay()) == hash(state)
        again = Record.from_json(record.to_json())
        assert again == record
        assert again.replay() == state
        assert Record.of(again.replay()) == record


@share_of_examples(0.25)
@given(SEEDS)
def test_copies_and_pickles_of_a_record_are_the_same_record(seed: int) -> None:
    for state in game(seed).states[::5]:
        record = Record.of(state, tags={"event": "Essen", "names": "Ada, Bo"})
        for protocol in range(2, 6):
            again = pickle.loads(pickle.dumps(record, protocol))
            assert again == record
            assert again.replay() == state
        assert copy.copy(record) == copy.deepcopy(record) == record
        assert Record.from_json(record.to_json().encode()) == record


@given(SEEDS)
def test_a_record_walks_through_the_states(seed: int) -> None:
    setting, actions, states = game(seed)
    record = Record.of(states[-1])
    walked = list(record.states())
    assert walked[0] == opening(setting)
    assert walked[-1] == states[-1]
    assert len(walked) == len(record.moves) + 1
    for before, move, after in zip(walked, record.moves, walked[1:], strict=False):
        assert before.apply(move) == after
    assert sorted(str(move) for move in record.moves if isinstance(move, Pick)) == sorted(
        str(as_move(action)) for action in actions if action.verb == "pick"
    )


def test_a_record_is_a_small_document() -> None:
    assert list(document()) == ["format", "version", "rules", "dealer", "carried", "moves", "tags"]
    data = document()
    assert data["format"] == "essen_hilo record"
    assert data["version"] == 1
    assert data["rules"] == {
        "seats": 3,
        "ante": 7,
        "low": "ace-to-five",
        "hand_size": 12,
        "odd_chips": "left-of-dealer",
    }
    assert (data["dealer"], data["carried"], data["tags"]) == (2, 4, {})
    assert all(str(parse_move(move)) == move for move in data["moves"])
    assert data["moves"][0] == "deal " + " ".join(game(1, HOUSE).actions[0].cards)
    assert Record.of(game(1, HOUSE).states[-1]).to_json().isascii()


@given(st.dictionaries(st.text(max_size=20), st.text(max_size=50), max_size=5))
def test_tags_are_kept(tags: dict[str, str]) -> None:
    record = Record.of(game(2, HOUSE).states[-1], tags=tags)
    assert dict(record.tags) == tags
    again = Record.from_json(record.to_json())
    assert again == record
    assert dict(again.tags) == tags


def test_tags_handed_in_and_changed_later_change_nothing() -> None:
    tags = {"event": "Essen"}
    record = Record.of(game(2, HOUSE).states[-1], tags=tags)
    tags["event"] = "Nuremberg"
    assert dict(record.tags) == {"event": "Essen"}


def test_a_record_of_nothing_yet_is_a_record() -> None:
    state = opening(HOUSE)
    assert Record.of(state).moves == ()
    assert read(document(steps=0)) == state


@pytest.mark.parametrize("order", list(itertools.permutations(range(4), 2)))
def test_pending_picks_survive_saving_whosever_they_are(order: tuple[int, int]) -> None:
    """Two of four have picked; seat 0 is a seat like the others."""
    setting = Setting(4, 11, ante=0, low="deuce-to-six", odd_chips="left-of-dealer", dealer=0, carried=1)
    state = game(6, setting).states[1]
    for seat in order:
        state = state.pick(seat, state.packs[seat][3])
        again = Record.from_json(Record.of(state).to_json()).replay()
        assert again == state
        assert again.to_act == state.to_act
        assert seat not in again.to_act
    assert pickle.loads(pickle.dumps(state)) == state


def test_the_deal_and_a_win_of_seat_0_survive_saving() -> None:
    won = 0
    for seed in range(20):
        state = game(seed, Setting(dealer=0)).states[-1]
        again = Record.from_json(Record.of(state).to_json()).replay()
        assert again.dealer == 0
        assert again.result == state.result
        assert again.result is not None
        won += 0 in again.result.low.winners
    assert won > 0


# --- And nothing else ---


@given(SEEDS)
def test_a_damaged_record_is_a_game_or_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    whole = document(seed, steps=-1)
    short = document(seed, steps=rng.randrange(20))
    results = [accepted_or_refused(json.dumps(damaged(data, rng))) for data in [whole, short] * 4]
    assert None in results


@given(SEEDS)
def test_a_file_with_damaged_bytes_is_a_game_or_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    data = json.dumps(document(seed)).encode()
    for _ in range(8):
        spoilt = damaged_bytes(data, rng)
        accepted_or_refused(spoilt)
        accepted_or_refused(spoilt.decode("latin-1"))


@given(JSON_VALUES)
def test_any_structure_at_all_is_refused(data: Any) -> None:
    assert accepted_or_refused(json.dumps(data)) is None


@given(st.text(max_size=100) | st.binary(max_size=100))
def test_any_text_or_bytes_at_all_are_refused(data: str | bytes) -> None:
    assert accepted_or_refused(data) is None


@given(SEEDS)
def test_text_that_ends_too_early_is_refused(seed: int) -> None:
    text = json.dumps(document(seed))
    for end in random.Random(seed).sample(range(len(text)), 10):
        assert accepted_or_refused(text[:end]) is None


@pytest.mark.parametrize("field", ["format", "version", "rules", "dealer", "carried", "moves", "tags"])
def test_every_field_is_needed_and_checked(field: str) -> None:
    data = document(steps=12)
    right = data.pop(field)
    assert accepted_or_refused(json.dumps(data)) is None
    for junk in JUNK:
        record = accepted_or_refused(json.dumps({**document(steps=12), field: junk}))
        if record is not None and (type(junk), junk) != (type(right), right):
            # Another dealer, other chips, tags or moves can make another game; nothing else does.
            assert field in ("dealer", "carried", "tags", "moves")
    assert accepted_or_refused(json.dumps({**data, field.upper(): 1})) is None


@pytest.mark.parametrize("version", [0, 2, -1, 10**6, 1.0, 1.5, "1", True, None, [1], {}])
def test_a_version_that_is_not_known_is_refused(version: object) -> None:
    assert accepted_or_refused(json.dumps({**document(), "version": version})) is None


@pytest.mark.parametrize("name", ["", "essen_hilo", "essen_hilo record 2", "pokerkit", None, 1])
def test_a_document_of_another_kind_is_refused(name: object) -> None:
    assert accepted_or_refused(json.dumps({**document(), "format": name})) is None


@pytest.mark.parametrize("extra", ["seed", "Moves", "log", "", "0"])
def test_a_key_that_is_not_known_is_refused(extra: str) -> None:
    assert accepted_or_refused(json.dumps({**document(), extra: 1})) is None
    data = document()
    data["rules"][extra] = 1
    assert accepted_or_refused(json.dumps(data)) is None


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("seats", "3"),
        ("seats", True),
        ("seats", 3.0),
        ("seats", 6),
        ("seats", -3),
        ("seats", 10**100),
        ("seats", None),
        ("ante", "7"),
        ("ante", 7.0),
        ("ante", 2.5),
        ("ante", -1),
        ("ante", False),
        ("ante", float("nan")),
        ("ante", float("inf")),
        ("low", "deuce to seven"),
        ("low", 0),
        ("low", None),
        ("low", ["ace-to-five"]),
        ("low", {"ace_low": True}),
        ("hand_size", "12"),
        ("hand_size", 12.0),
        ("hand_size", 18),
        ("hand_size", 9),
        ("odd_chips", "seat 0"),
        ("odd_chips", 1),
        ("odd_chips", None),
    ],
)
def test_rules_that_cannot_be_are_refused(field: str, wrong: object) -> None:
    data = document()
    data["rules"][field] = wrong
    assert accepted_or_refused(json.dumps(data)) is None
    del data["rules"][field]
    assert accepted_or_refused(json.dumps(data)) is None


@pytest.mark.parametrize("dealer", ["2", True, 2.0, -1, 3, None, float("nan"), 10**100, [2]])
def test_a_dealer_who_is_not_at_the_table_is_refused(dealer: object) -> None:
    assert accepted_or_refused(json.dumps({**document(), "dealer": dealer})) is None


@pytest.mark.parametrize("carried", ["4", True, 4.0, -1, None, float("nan"), float("-inf"), {}])
def test_carried_chips_that_cannot_be_are_refused(carried: object) -> None:
    assert accepted_or_refused(json.dumps({**document(), "carried": carried})) is None


@pytest.mark.parametrize("tags", [[], None, "x", {"a": 1}, {"a": None}, {"a": ["b"]}, {"a": {}}, [["a", "b"]]])
def test_tags_are_texts(tags: object) -> None:
    assert accepted_or_refused(json.dumps({**document(), "tags": tags})) is None


def with_moves(moves: list[object], setting: Setting = HOUSE) -> str:
    return json.dumps({**document(setting=setting), "moves": moves})


@pytest.mark.parametrize(
    "deck",
    [
        PACK[:51],
        [*PACK[:51], PACK[0]],
        [*PACK, PACK[0]],
        [*PACK[:51], "1c"],
        [],
        ["As"],
        ["nothing", "dealt", "yet"],
    ],
)
def test_a_deck_that_is_none_is_refused(deck: list[str]) -> None:
    assert accepted_or_refused(with_moves(["deal " + " ".join(deck)])) is None


def test_moves_that_the_rules_do_not_allow_are_refused() -> None:
    moves = document()["moves"]
    states = game(1, HOUSE).states
    first = states[1]
    own, other = str(first.packs[0][0]), str(first.packs[1][0])
    deal = moves[0]
    for wrong in [
        [deal, deal],  # dealt twice
        moves[1:],  # never dealt
        [deal, "pass"],  # before everybody has picked
        [deal, f"pick 0 {own}", f"pick 0 {first.packs[0][1]}"],  # twice in a round
        [deal, f"pick 0 {other}"],  # out of a neighbour's pack
        [deal, f"pick 3 {own}"],  # three at the table
        [deal, f"pick -1 {own}"],
        [deal, f"pick 00 {own} "],
        [deal, f"pick 0.0 {own}"],
        [deal, "showdown"],
        [deal, "show 0"],
        moves[:20] + moves[21:],  # one left out
        [*moves, "showdown"],  # after the end
        [*moves, "pass"],
        [*moves, moves[-1]],
        list(reversed(moves)),
        [deal, ""],
        [deal, None],
        [deal, 5],
        [deal, [f"pick 0 {own}"]],
        [deal, {"pick": own, "seat": 0, "why": "to see"}],
        [[deal]],
        [" ".join(moves)],
    ]:
        assert accepted_or_refused(with_moves(wrong)) is None, wrong[-1]


def test_an_arrangement_that_the_rules_do_not_allow_is_refused() -> None:
    states = game(1, HOUSE).states
    drafted = next(state for state in states if state.phase is Phase.ARRANGE)
    moves = [str(move) for move in Record.of(drafted).moves]
    pool, others = drafted.pools[0], drafted.pools[1]

    def text(*hands: Any) -> str:
        return "arrange 0 " + " / ".join("".join(map(str, hand)) for hand in hands)

    assert accepted_or_refused(with_moves([*moves, text(pool[:5], pool[5:10])])) is not None
    for wrong in [
        text(pool[:5], pool[4:9]),
        text(pool[:4], pool[5:10]),
        text(pool[:6], pool[6:11]),
        text(pool[:5]),
        text(pool[:5], pool[5:10], pool[10:]),
        text(others[:5], others[5:10]),
        text(pool[:5], [*pool[5:9], others[0]]),
        text([pool[0], *pool[:4]], pool[5:10]),
        text([], []),
    ]:
        assert accepted_or_refused(with_moves([*moves, wrong])) is None, wrong


def test_an_error_says_which_move_and_why() -> None:
    moves = document()["moves"]
    with pytest.raises(RecordError) as caught:
        Record.from_json(with_moves([*moves[:7], "fold 2", *moves[7:]]))
    assert "fold" in str(caught.value)
    assert any(number in str(caught.value) for number in ("7", "8"))  # counted from 0 or from 1


@pytest.mark.parametrize(
    "data",
    [
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        b"[" * 1_000_000,
        '{"format": "essen_hilo record", "version": 1, "moves": ' + "[" * 50_000 + "]" * 50_000 + "}",
        '"' + "x" * 3_000_000 + '"',
        "x" * 3_000_000,
        b"\xff" * 3_000_000,
        b"\x00" * 1_000_000,
        "9" * 1_000_000,
        '{"version": ' + "9" * 100_000 + "}",
        "[" + "1," * 500_000 + "1]",
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "null",
        "true",
        '""',
        "[]",
        "{}",
        "",
        " ",
        b"",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf{}",
        b"\xff\xfe{\x00}\x00",
        b"\xed\xa0\x80",
        "\ud800",
        '"\\ud800"',
        "{'format': 'essen_hilo record'}",
        '{"format": "essen_hilo record",}',
    ],
    ids=lambda data: ascii(data[:20]),
)
def test_junk_is_refused_however_deep_or_long(data: str | bytes) -> None:
    assert accepted_or_refused(data) is None


def test_deep_or_long_junk_inside_a_record_is_refused() -> None:
    text = json.dumps({**document(steps=12), "tags": "HERE"})
    for junk in ["[" * 20_000 + "]" * 20_000, '{"a":' * 20_000 + "1" + "}" * 20_000, "9" * 50_000, "-" + "9" * 5_000]:
        for field in ('"HERE"', '"dealer": 2', '"ante": 7'):
            spoilt = text.replace(field, field.split(":")[0] + ": " + junk if ":" in field else junk)
            assert spoilt != text
            accepted_or_refused(spoilt)
    moves = document()["moves"]
    assert accepted_or_refused(with_moves(["pass"] * 300_000)) is None
    assert accepted_or_refused(with_moves([moves[0], "x" * 2_000_000])) is None
    assert accepted_or_refused(with_moves([moves[0], "pick " + "9" * 100_000 + " As"])) is None
    assert accepted_or_refused(with_moves(["deal " + " ".join(PACK * 5_000)])) is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp037", "utf-7"])
def test_a_file_in_another_encoding_is_a_game_or_is_refused(encoding: str) -> None:
    whole = Record.of(game(1, HOUSE).states[-1], tags={"event": "Spiel \u00e5\u00e4\u00f6 \U0001f0a1"})
    text = json.dumps(json.loads(whole.to_json()), ensure_ascii=False)
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:  # then such a file cannot be
        data = whole.to_json().encode(encoding)
    record = accepted_or_refused(data)
    assert record is None or record.moves == whole.moves
    if encoding == "utf-8":
        assert record == whole


def test_every_arrangement_can_be_written_down() -> None:
    """All 252 of one seat, in a game of five."""
    drafted = next(state for state in game(1, Setting(5, 10)).states if state.phase is Phase.ARRANGE)
    ways = [as_move(action) for action in every_arrange(0, [str(card) for card in drafted.pools[0]])]
    for way in ways[::9]:
        state = drafted.apply(way)
        assert Record.from_json(Record.of(state).to_json()).replay() == state


@pytest.mark.parametrize(
    "tags",
    [{"a": "\ud83d\ude00"}, {"\ud800": "a"}, {1: "a"}, {"a": 1}, {"a": "x" * 60_000}, [("a", "b")], None],
    ids=lambda tags: ascii(tags)[:30],
)
def test_tags_that_could_not_be_read_back_are_refused_at_once(tags: Any) -> None:
    with pytest.raises(RecordError, match="tags"):
        Record(Rules(), tags=tags)


@pytest.mark.parametrize(
    "wrong", [{"dealer": 4}, {"dealer": False}, {"carried": -1}, {"carried": 10**100 + 1}], ids=str
)
def test_a_record_of_what_no_table_has_is_refused_at_once(wrong: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match=next(iter(wrong))):
        Record(Rules(), **wrong)


def test_all_chips_that_may_be_carried_can_be_written() -> None:
    state = GameState.start(Rules(ante=10**100), carried=10**100)
    assert Record.from_json(Record.of(state).to_json()).replay() == state
    assert str(5 * 10**100) in repr(state)


def test_the_repr_of_a_record_names_no_card() -> None:
    for state in game(4).states:
        assert not CARDS_IN_TEXT.search(repr(Record.of(state)))


def test_a_key_that_stands_twice_is_refused() -> None:
    text = Record.of(opening(Setting())).to_json()
    for twice in ('"dealer": 0', '"version": 1'):
        with pytest.raises(RecordError, match="twice"):
            Record.from_json(text.replace(twice, f"{twice}, {twice}"))


def test_a_number_that_python_would_not_read_is_refused() -> None:
    text = Record.of(opening(Setting())).to_json()
    with pytest.raises(RecordError, match="number"):
        Record.from_json(text.replace('"carried": 0', f'"carried": {"9" * 5000}'))
