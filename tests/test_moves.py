"""A move is a small value, and its text is the same thing written down."""

from __future__ import annotations

import copy
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import Arrange, Card, Deal, Move, Pass, Pick, RecordError, Show, Showdown, parse_move
from tests.games import as_move, cards, game
from tests.reference import PACK

SEEDS = st.integers(0, 2**32 - 1)

WRITTEN = [
    (Pick(0, Card.parse("As")), "pick 0 As"),
    (Pick(3, Card.parse("10c")), "pick 3 Tc"),
    (Pass(), "pass"),
    (
        Arrange(0, cards(["7h", "5d", "4c", "3s", "2d"]), cards(["As", "Ad", "Ah", "Ks", "Kd"])),
        "arrange 0 7h5d4c3s2d / AsAdAhKsKd",
    ),
    (Show(2), "show 2"),
    (Showdown(), "showdown"),
    (Deal(cards(PACK)), "deal " + " ".join(PACK)),
]

NOT_MOVES = [
    "",
    " ",
    "\n",
    "fold",
    "raise 5",
    "pic 0 As",
    "pick",
    "pick 0",
    "pick As",
    "pick As 0",
    "pick 0 Xc",
    "pick 0 As Kd",
    "pick 0 AsKd",
    "pick zero As",
    "pick 0.0 As",
    "pick 1e0 As",
    "pick True As",
    "pick None As",
    "pick \u0661 As",  # a digit, but not one of ours
    "pick 0 6\u0441",  # a Cyrillic es
    "pick 0 \ud800",
    "pick " + "9" * 5000 + " As",
    "pass 0",
    "pass pass",
    "deal",
    "deal " + " ".join([*PACK[:-1], PACK[0]]),
    "deal " + " ".join([*PACK, PACK[0]]),
    "deal " + " ".join([*PACK[:-1], "1c"]),
    "arrange 0",
    "arrange 0 /",
    "arrange 0 7h5d4c3s2d",
    "arrange 0 7h5d4c3s2d /",
    "arrange 0 / AsAdAhKsKd",
    "arrange 0 7h5d4c3s2d AsAdAhKsKd",
    "arrange 0 7h5d4c3s2d / AsAdAhKsKd / 9c",
    "arrange 7h5d4c3s2d / AsAdAhKsKd",
    "show",
    "show As",
    "show 1 2",
    "showdown 1",
    "showdown low",
]


@pytest.mark.parametrize(("move", "text"), WRITTEN)
def test_every_move_has_one_text(move: Move, text: str) -> None:
    assert str(move) == text
    assert str(move).isascii()
    assert parse_move(text) == move


@given(SEEDS)
def test_every_move_of_a_game_is_read_back_as_it_was_written(seed: int) -> None:
    for action in game(seed).actions:
        move = as_move(action)
        again = parse_move(str(move))
        assert again == move
        assert type(again) is type(move)
        assert hash(again) == hash(move)


@pytest.mark.parametrize("text", NOT_MOVES)
def test_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        parse_move(text)


@pytest.mark.parametrize(
    ("text", "piece"),
    [("fold 3", "fold"), ("pick 0 Xc", "Xc"), ("pick two As", "two"), ("show me", "me"), ("pick 0 6\u0441", "U+0441")],
)
def test_the_error_names_the_piece_that_cannot_be_read(text: str, piece: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_move(text)
    assert piece in str(caught.value)


@given(st.text(max_size=60))
def test_any_text_at_all_is_a_move_or_is_refused(text: str) -> None:
    try:
        move = parse_move(text)
    except RecordError:
        return
    assert parse_move(str(move)) == move


@given(SEEDS)
def test_a_damaged_move_text_is_a_move_or_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    for action in rng.sample(game(seed).actions, 10):
        text = list(str(as_move(action)))
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(text) + 1)
            text[place : place + rng.randint(0, 2)] = rng.choice(["", " ", "/", "-", "As", "9", "x", "\u00a0", "\x00"])
        try:
            move = parse_move("".join(text))
        except RecordError:
            continue
        assert parse_move(str(move)) == move


@pytest.mark.parametrize("move", [move for move, _ in WRITTEN])
def test_moves_are_values(move: Move) -> None:
    for protocol in range(2, 6):
        assert pickle.loads(pickle.dumps(move, protocol)) == move
    assert copy.copy(move) == move
    assert copy.deepcopy(move) == move
    assert hash(copy.deepcopy(move)) == hash(move)
    assert [other for other, _ in WRITTEN if other == move] == [move]
    others: list[object] = [str(move), None, 0]
    assert move not in others


def test_moves_do_not_change() -> None:
    with pytest.raises(AttributeError):
        setattr(Pick(0, Card.parse("As")), "seat", 1)  # noqa: B010 - mypy would rightly refuse the plain assignment
    with pytest.raises(AttributeError):
        setattr(Deal(cards(PACK)), "deck", ())  # noqa: B010


def test_a_list_handed_to_a_move_and_changed_later_changes_nothing() -> None:
    deck = list(cards(PACK))
    low, high = list(cards(PACK[:5])), list(cards(PACK[5:10]))
    dealt, arranged = Deal(deck), Arrange(0, low, high)
    for handed in (deck, low, high):
        handed.clear()
    assert dealt == Deal(cards(PACK))
    assert arranged == Arrange(0, cards(PACK[:5]), cards(PACK[5:10]))
    assert hash(dealt) == hash(Deal(cards(PACK)))


def test_moves_can_be_taken_apart_by_matching() -> None:
    match parse_move("pick 2 Qh"):
        case Pick(seat, card):
            assert (seat, str(card)) == (2, "Qh")
        case _:
            pytest.fail("a pick is a Pick")
