"""Messages that are malformed, huge, out of turn, for another seat or too many are refused, and disturb nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples.web_table.limits import Limits
from tests.web.support import Talker, ThreadedServer, make_table, serving

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]

MALFORMED: list[str | bytes] = [
    "",
    "hello",
    "null",
    "[]",
    '"join"',
    "{",
    "{}",
    '{"type": null}',
    '{"type": "deal"}',
    '{"type": ["move"]}',
    '{"type": "move"}',
    '{"type": "move", "move": 5}',
    '{"type": "move", "move": "show 0", "seat": 1}',
    '{"type": "cover", "seat": true, "on": true}',
    '{"type": "cover", "seat": 1.0, "on": true}',
    '{"type": "cover", "seat": 1, "on": 1}',
    '{"type": "next", "deal": "1"}',
    '{"type": "next", "deal": true}',
    '{"type": "next", "deal": 1e3}',
    '{"type": "showdown", "half": "both"}',
    '{"type": "judge", "low": ["Zz"], "high": []}',
    '{"type": "judge", "low": [5], "high": []}',
    '{"type": "judge", "low": [[]], "high": []}',
    '{"type": "name", "name": null}',
    '{"type": "next", "deal": NaN}',
    '{"type": "join", "link": "again"}',
    '{"type": "next", "deal": ' + "9" * 1500 + "}",
    "[" * 2000,
    '{"a":' * 300,
    b"\x00\xff",
    b'{"type": "suggest"}',
]


@pytest.mark.parametrize("message", MALFORMED)
def test_what_is_no_message_is_refused_and_the_connection_stays(people: list[Talker], message: str | bytes) -> None:
    people[0].say(message)
    answer = people[0].until(lambda heard: heard["type"] == "refused")
    assert answer["reason"] == "bad-message" and answer["id"] is None
    assert people[0].ask(type="judge", low=[], high=[])["type"] == "ok"


@pytest.mark.parametrize(
    "text", ["", "pick", "pick 0", "pick 0 1x", "pick -1 As", "arrange 0 As", "fold", "pick 0 As As"]
)
def test_the_text_of_no_move_is_refused_in_the_words_of_the_library(people: list[Talker], text: str) -> None:
    answer = people[0].ask(type="move", move=text)
    assert (answer["type"], answer["reason"]) == ("refused", "bad-move") and len(answer["message"]) < 400


def test_refusals_give_the_reasons_of_the_library(people: list[Talker]) -> None:
    me = people[0]
    pack = me.updates()[-1]["view"]["pack"]
    foreign = next(card for card in DECK if card not in pack)
    hands = f"{''.join(pack[:5])} / {''.join(pack[5:10])}"
    assert me.ask(type="move", move=f"pick 0 {foreign}")["reason"] == "card-not-in-pack"
    assert me.ask(type="move", move=f"arrange 0 {hands}")["reason"] == "wrong-phase"
    assert me.ask(type="move", move="show 0")["reason"] == "wrong-phase"
    assert me.ask(type="showdown", half="low")["reason"] == "wrong-phase"
    assert me.ask(type="next", deal=1)["reason"] == "wrong-phase"
    assert me.ask(type="suggest")["reason"] == "wrong-phase"
    assert me.ask(type="judge", low=[foreign], high=[])["reason"] == "not-your-cards"
    assert me.ask(type="cover", seat=4, on=True)["reason"] == "no-such-seat"
    assert me.ask(type="cover", seat=-1, on=True)["reason"] == "no-such-seat"
    assert me.ask(type="cover", seat=1, on=True)["reason"] == "not-away"
    assert me.ask(type="move", move=f"pick 0 {pack[0]}")["type"] == "ok"
    assert me.ask(type="move", move=f"pick 0 {pack[1]}")["reason"] == "already-acted"


def test_a_table_move_is_nobodys(people: list[Talker]) -> None:
    for text in ("pass", "showdown", f"deal {' '.join(DECK)}"):
        assert people[0].ask(type="move", move=text)["reason"] == "not-your-move"


def test_no_seat_can_move_for_another_or_learn_from_trying(people: list[Talker]) -> None:
    theirs = people[1].updates()[-1]["view"]["pack"]
    answers = [people[0].ask(type="move", move=f"pick 1 {card}") for card in DECK[:20]]
    assert {card in theirs for card in DECK[:20]} == {True, False}
    assert {(answer["reason"], answer["message"]) for answer in answers} == {
        ("not-your-move", "This link moves for seat 0 only.")
    }


def test_what_is_refused_changes_nothing_for_anybody(people: list[Talker]) -> None:
    before = people[1].updates()[-1]
    for message in MALFORMED:
        people[0].say(message)
        people[0].until(lambda heard: heard["type"] == "refused")
    people[0].ask(type="move", move="pick 1 As")
    assert people[1].ask(type="judge", low=[], high=[])["type"] == "ok"
    assert people[1].updates()[-1] == before


def test_a_huge_message_costs_its_sender_the_connection_and_the_others_nothing(people: list[Talker]) -> None:
    people[0].say('{"type": "name", "name": "' + "x" * Limits().message_bytes + '"}')
    assert people[0].closing_code() == 1009
    card = people[1].updates()[-1]["view"]["pack"][0]
    assert people[1].ask(type="move", move=f"pick 1 {card}")["type"] == "ok"
    people[2].update(lambda update: update["view"]["to_act"] == [0, 2, 3])


def test_too_many_messages_are_refused_and_then_the_connection_is_closed(file: Path) -> None:
    limits = Limits(message_burst=5, messages_per_second=0.01, refused_messages=8)
    with serving(file, limits) as server:
        links, _ = make_table(server.address)
        with Talker(server.address, links[0]) as flooding, Talker(server.address, links[1]) as other:
            for _ in range(5):
                assert flooding.ask(type="judge", low=[], high=[])["type"] == "ok"
            for _ in range(8):
                assert flooding.ask(type="judge", low=[], high=[])["reason"] == "too-many"
            assert flooding.closing_code() == 4429
            assert other.ask(type="name", name="Ann")["type"] == "ok"


def test_who_takes_nothing_is_given_up_and_disturbs_nobody(file: Path) -> None:
    limits = Limits(send_seconds=0.3, message_burst=10**6)
    with serving(file, limits) as server:
        links, _ = make_table(server.address)
        slow, other = Talker(server.address, links[0], buffer=4096), Talker(server.address, links[1])
        with slow, other:
            # Until all buffers on the way to the slow one are full.
            for number in range(100_000):
                assert other.ask(type="name", name=f"name {number}")["type"] == "ok"
                if number > 100 and not other.updates()[-1]["seats"][0]["present"]:
                    break
                del other.heard[:-20]
            assert not other.now(lambda update: not update["seats"][0]["present"])["seats"][0]["present"]


def test_a_name_is_short_and_printable(people: list[Talker]) -> None:
    for name in ("", " ", " Ann", "x" * 21, "a\nb", "a\u202eb", "a\x00", "\ud800"):
        assert people[0].ask(type="name", name=name)["reason"] == "bad-name"
    for name in ("Ann", "Ömer Ünal", "<b>&amp;", "李雷", "x" * 20):
        assert people[0].ask(type="name", name=name)["type"] == "ok"
        assert people[1].update()["seats"][0]["name"] == name


@pytest.mark.parametrize(
    "wish",
    [
        {"seats": 3},
        {"seats": 6},
        {"seats": "4"},
        {"seats": True},
        {"seats": 4.0},
        {"ante": -1},
        {"ante": 10**9},
        {"ante": None},
        {"low": "lowball"},
        {"low": 7},
        {"odd_chips": "mine"},
        {"bots": 4},
        {"bots": -1},
        {"bots": "2"},
        {"bots": True},
        {"hand_size": 10},
        {"more": 1},
    ],
)
def test_a_table_that_can_not_be_is_refused(server: ThreadedServer, wish: dict[str, object]) -> None:
    with pytest.raises(AssertionError, match="bad-table"):
        make_table(server.address, **wish)
