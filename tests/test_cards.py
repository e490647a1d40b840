"""The pack: fifty-two cards, their text, and the shuffle."""

import copy
import pickle
import random
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import essen_hilo
from essen_hilo import (
    DECK,
    Card,
    CardError,
    EssenHiloError,
    GameState,
    Rank,
    Record,
    Rules,
    Suit,
    format_cards,
    parse_cards,
    shuffled_deck,
)
from tests import reference

SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
WHITE_SYMBOLS = {"c": "♧", "d": "♢", "h": "♡", "s": "♤"}


# --- The pack --------------------------------------------------------------------------------------------------------


def test_the_pack_has_fifty_two_different_cards_by_rank_then_suit() -> None:
    assert isinstance(DECK, tuple)
    assert [str(card) for card in DECK] == list(reference.PACK)
    assert len(set(DECK)) == 52
    assert sorted(set(DECK)) == list(DECK)


def test_a_card_is_its_rank_and_its_suit() -> None:
    assert [Card(rank, suit) for rank in Rank for suit in Suit] == list(DECK)
    for index, card in enumerate(DECK):
        assert card is Card(card.rank, card.suit)
        assert card.index == index
        assert reference.RANKS[card.rank - 2] + card.suit == str(card)


def test_ranks_run_from_two_to_ace_and_suits_are_letters() -> None:
    assert [int(rank) for rank in Rank] == list(range(2, 15))
    assert [Rank.TWO, Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE] == [2, 10, 11, 12, 13, 14]
    assert {suit.name: suit.value for suit in Suit} == {"CLUBS": "c", "DIAMONDS": "d", "HEARTS": "h", "SPADES": "s"}


def test_there_is_one_object_a_card() -> None:
    for card in DECK:
        assert copy.copy(card) is card
        assert copy.deepcopy(card) is card
        assert copy.deepcopy([card])[0] is card
        assert Card.parse(str(card)) is card
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(card, protocol)) is card


def test_a_card_equals_itself_alone() -> None:
    for card in DECK:
        others: list[object] = [str(card), card.symbol, card.index, int(card.rank), (card.rank, card.suit), None]
        others += [other for other in DECK if other is not card]
        assert all(card != other for other in others)
        assert not any(card == other for other in others)
    assert len({hash(card) for card in DECK}) == 52


def test_every_card_is_true() -> None:
    assert all(bool(card) for card in DECK)


@pytest.mark.parametrize("name", ["rank", "suit", "index", "symbol", "colour", "_rank"])
def test_a_card_cannot_be_changed(name: str) -> None:
    card = Card.parse("As")
    with pytest.raises((AttributeError, TypeError)):
        setattr(card, name, Rank.TWO)
    with pytest.raises((AttributeError, TypeError)):
        delattr(card, name)
    assert (str(card), card.symbol, card.index, card.rank, card.suit) == ("As", "A♠", 51, Rank.ACE, Suit.SPADES)


def test_cards_sort_by_rank_then_suit() -> None:
    assert sorted(parse_cards("As 2d Ac 2c Td 9s")) == list(parse_cards("2c 2d 9s Td Ac As"))
    for index, card in enumerate(DECK):
        for later in DECK[index + 1 :]:
            assert card < later and later > card
            assert not (later < card or card > later)


def test_repr_pastes_back_and_text_is_ascii() -> None:
    names = {name: getattr(essen_hilo, name) for name in essen_hilo.__all__}
    for card in DECK:
        assert repr(card).isascii() and str(card).isascii() and f"{card}".isascii()
        assert eval(repr(card), names) is card


def test_symbols_only_when_asked_for() -> None:
    cards = parse_cards("As Kd Th 2c")
    assert [card.symbol for card in cards] == ["A♠", "K♦", "T♥", "2♣"]
    assert format_cards(cards) == "As Kd Th 2c"
    assert format_cards(cards, symbols=True) == "A♠ K♦ T♥ 2♣"
    assert format_cards([]) == ""


# --- Card text -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["A♠", "A♠\ufe0f", "A♤", "as", "AS", "aS", "As", "a♠"])
def test_all_ways_to_write_the_ace_of_spades_are_one_card(text: str) -> None:
    assert Card.parse(text) is Card(Rank.ACE, Suit.SPADES)
    assert parse_cards(text) == (Card(Rank.ACE, Suit.SPADES),)


def test_an_alias_never_adds_a_card_to_the_deck() -> None:
    read = set()
    for rank in [*reference.RANKS, *reference.RANKS.lower(), "10"]:
        for suit in reference.SUITS:
            for mark in (suit, suit.upper(), SYMBOLS[suit], SYMBOLS[suit] + "\ufe0f", WHITE_SYMBOLS[suit]):
                card = Card.parse(rank + mark)
                assert str(card) == rank.upper().replace("10", "T") + suit
                read.add(card)
    assert read == set(DECK)
    assert len(DECK) == 52


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10c", "Tc"),
        ("2d 6s 6c 3d 10c", "2d 6s 6c 3d Tc"),
        ("2d6s6c3d10c", "2d 6s 6c 3d Tc"),
        ("10c10d10h10s", "Tc Td Th Ts"),
        ("As,Kd", "As Kd"),
        ("As, Kd", "As Kd"),
        ("As Kd,Qh Jc", "As Kd Qh Jc"),
        ("  As   Kd  ", "As Kd"),
        ("As\tKd\nQh", "As Kd Qh"),
        ("asKD10♥", "As Kd Th"),
        ("A♠K♦️ Q♡", "As Kd Qh"),
    ],
)
def test_cards_may_be_apart_by_spaces_commas_or_nothing(text: str, expected: str) -> None:
    cards = parse_cards(text)
    assert isinstance(cards, tuple)
    assert format_cards(cards) == expected


def test_the_order_of_the_text_is_kept() -> None:
    assert [str(card) for card in parse_cards("Ks 2c As Td")] == ["Ks", "2c", "As", "Td"]


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("Xc", "Xc"),
        ("0c", "0c"),
        ("1c", "1c"),
        ("11c", "1"),
        ("100c", "10"),
        ("Asx", "x"),
        ("A", "A"),
        ("sA", "sA"),
        ("(nothing dealt yet)", "("),
        ("As;Kd", ";"),
        ("A♠♠", "♠"),
        ("T10c", "T"),
    ],
)
def test_what_is_no_card_is_refused_by_its_name(text: str, piece: str) -> None:
    with pytest.raises(CardError) as alone:
        Card.parse(text)
    with pytest.raises(CardError) as among:
        parse_cards(f"2c 3c {text}")
    assert piece in str(among.value) or (not piece.isascii() and f"{ord(piece):04X}" in str(among.value))
    assert str(alone.value)


@pytest.mark.parametrize("text", ["", " ", ",", "\n", " , "])
def test_a_text_without_cards_is_refused(text: str) -> None:
    with pytest.raises(CardError):
        parse_cards(text)
    with pytest.raises(CardError):
        Card.parse(text)


def test_one_card_is_not_two() -> None:
    for text in ("As Kd", "AsKd", "AsAs", "As,"):
        with pytest.raises(CardError):
            Card.parse(text)


@pytest.mark.parametrize(
    ("text", "code_point"),
    [
        ("6\u0441", "U+0441"),  # Cyrillic es
        ("\u0410s", "U+0410"),  # Cyrillic A
        ("A\u017f", "U+017F"),  # long s, an s in upper case
        ("\u212as", "U+212A"),  # Kelvin sign, a k in lower case
        ("\uff12c", "U+FF12"),  # fullwidth two
        ("\u0662c", "U+0662"),  # Arabic-Indic two
        ("\u00b2c", "U+00B2"),  # superscript two
        ("1\u0660c", "U+0660"),  # 10 with an Arabic-Indic zero
        ("A\u2605", "U+2605"),  # a star
        ("A\U0001f0a1", "U+1F0A1"),  # the one-character ace of spades
    ],
)
def test_a_look_alike_is_refused_with_its_code_point(text: str, code_point: str) -> None:
    with pytest.raises(CardError) as alone:
        Card.parse(text)
    with pytest.raises(CardError) as among:
        parse_cards(f"2d 6s {text} 3d")
    assert code_point in str(alone.value)
    assert code_point in str(among.value)


def test_a_card_named_twice_is_refused_by_name() -> None:
    for text, twice in [("QhKhJs2d10dTd9s", "Td"), ("As Kd A♠", "As"), ("2c 2c", "2c"), ("As Kd as", "As")]:
        with pytest.raises(CardError, match=twice):
            parse_cards(text)


@pytest.mark.parametrize("bad", ["Xc", "1c", "Asx", "A", "6\u0441", "-", ";", "?"])
@pytest.mark.parametrize("place", [0, 1, 3, 5])
def test_no_piece_is_ever_skipped_and_its_position_is_told(bad: str, place: int) -> None:
    pieces = ["2d", "7s", "6c", "3d", "Tc"]
    messages = []
    for number in (place, (place + 1) % 6):
        with pytest.raises(CardError) as refused:
            parse_cards(" ".join([*pieces[:number], bad, *pieces[number:]]))
        messages.append(str(refused.value))
    assert all(re.search(r"\d", message) for message in messages)
    assert messages[0] != messages[1]


def test_card_errors_are_value_errors_of_the_package() -> None:
    assert issubclass(CardError, EssenHiloError) and issubclass(CardError, ValueError)


@given(st.data())
def test_any_cards_written_in_any_way_are_read_back(data: st.DataObject) -> None:
    cards = data.draw(st.lists(st.sampled_from(DECK), min_size=1, unique=True))
    text = ""
    for card in cards:
        rank, suit = str(card)[0], str(card)[1]
        rank = data.draw(st.sampled_from([rank, rank.lower(), "10"] if rank == "T" else [rank, rank.lower()]))
        mark = data.draw(st.sampled_from([suit, suit.upper(), SYMBOLS[suit], WHITE_SYMBOLS[suit]]))
        text += rank + mark + data.draw(st.sampled_from(["", " ", ",", ", ", "  "]))
    assert parse_cards(text.rstrip(", ")) == tuple(cards)
    assert parse_cards(format_cards(cards)) == tuple(cards)
    assert parse_cards(format_cards(cards, symbols=True)) == tuple(cards)


@given(st.text() | st.text(alphabet="123450aAkKtTxXcdhs♠♥♣♦♤ ,\ufe0f\u0441", max_size=12))
def test_any_text_is_either_different_cards_or_a_card_error(text: str) -> None:
    try:
        cards = parse_cards(text)
    except CardError:
        return
    assert 0 < len(cards) == len(set(cards)) and set(cards) <= set(DECK)
    letters = sum(character.isalnum() for character in text.replace("10", "T"))
    marks = sum(character in "♣♦♥♠♧♢♡♤" for character in text)
    assert letters + marks == 2 * len(cards)


# --- Chance ----------------------------------------------------------------------------------------------------------


class OnlyRandom(random.Random):
    """A generator that refuses everything but random(), which alone is promised to stay the same on every Python."""

    def getrandbits(self, k: int, /) -> int:
        raise AssertionError("only random() may be asked")

    def randbytes(self, n: int) -> bytes:
        raise AssertionError("only random() may be asked")


def test_a_shuffle_is_the_whole_pack() -> None:
    for deck in (shuffled_deck(), shuffled_deck(random.Random(1)), shuffled_deck(OnlyRandom(1))):
        assert isinstance(deck, tuple)
        assert sorted(deck) == list(DECK)


def test_a_shuffle_asks_for_random_numbers_alone() -> None:
    assert shuffled_deck(OnlyRandom(7)) == shuffled_deck(random.Random(7))


def test_one_seed_is_one_deck_and_different_seeds_differ() -> None:
    decks = [shuffled_deck(random.Random(seed)) for seed in range(500)]
    assert len(set(decks)) == 500
    assert decks == [shuffled_deck(random.Random(seed)) for seed in range(500)]


def test_one_generator_gives_one_deck_after_another() -> None:
    rng = random.Random(3)
    assert len({shuffled_deck(rng) for _ in range(100)}) == 100


def test_without_a_generator_no_two_decks_are_the_same() -> None:
    assert len({shuffled_deck() for _ in range(100)}) == 100


def test_one_seed_is_one_deck_in_every_process_and_under_every_hash_seed() -> None:
    script = (
        "import random, essen_hilo as e\n"
        "print(e.format_cards(e.shuffled_deck(random.Random(2015))))\n"
        "print(sorted(e.DECK) == list(e.DECK))"
    )
    here = f"{format_cards(shuffled_deck(random.Random(2015)))}\nTrue\n"
    for hash_seed in ("0", "1", "4711"):
        environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(essen_hilo.__file__).parents[1])}
        ran = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
        assert ran.stdout == here, ran.stderr


def test_the_global_generator_is_neither_read_nor_moved() -> None:
    random.seed(1)
    before = random.getstate()
    first = shuffled_deck()
    shuffled_deck(random.Random(5))
    assert random.getstate() == before
    random.seed(1)
    assert shuffled_deck() != first


def test_each_card_is_in_each_place_equally_often() -> None:
    rng = random.Random(52)
    shuffles = 10_000
    places = [Counter[Card]() for _ in range(52)]
    for _ in range(shuffles):
        for place, card in zip(places, shuffled_deck(rng), strict=True):
            place[card] += 1
    expected = shuffles / 52
    counts = [place[card] for place in places for card in DECK]
    assert all(abs(count - expected) < 5.5 * expected**0.5 for count in counts)
    chi_square = sum((count - expected) ** 2 / expected for count in counts)
    freedom = 51 * 51
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


def test_neighbours_in_the_pack_are_separated() -> None:
    rng = random.Random(12)
    together = Counter[int]()
    for _ in range(2_000):
        deck = shuffled_deck(rng)
        together.update((later.index - card.index) % 52 for card, later in pairwise(deck))
    expected = 2_000  # fifty-one steps a deck, each of fifty-one kinds equally likely
    assert all(abs(together[step] - expected) < 5.5 * expected**0.5 for step in range(1, 52))


def test_nothing_is_drawn_after_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = shuffled_deck(random.Random(9))

    def drawn(*_: object) -> None:
        raise AssertionError("a random number was drawn after the deal")

    for name in ("random", "getrandbits", "seed"):
        monkeypatch.setattr(random.Random, name, drawn)
        monkeypatch.setattr(random.SystemRandom, name, drawn)
    state = GameState.start(Rules(seats=4)).deal(deck)
    for _ in range(13):
        for seat in range(4):
            state = state.pick(seat, state.packs[seat][0])
        state = state.advance()
    record = Record.of(state)
    assert record.replay() == state == Record.from_json(record.to_json()).replay()
    assert record.replay().rounds == state.rounds


@pytest.mark.parametrize(
    ("rank", "suit"),
    [(1, "s"), (Rank.ACE, "x"), ("A", Suit.SPADES), (10**5000, Suit.SPADES)],
    ids=lambda wrong: ascii(wrong)[:9] if not isinstance(wrong, int) or wrong < 99 else "big",
)
def test_a_rank_and_a_suit_that_no_card_has_are_refused(rank: Any, suit: Any) -> None:
    with pytest.raises(CardError, match="no card has rank"):
        Card(rank, suit)


def test_a_card_is_neither_before_nor_after_what_is_no_card() -> None:
    with pytest.raises(TypeError):
        _ = DECK[0] < 1  # type: ignore[operator]  # the question is what a wrong type does
    with pytest.raises(TypeError):
        _ = DECK[1] > "2c"  # type: ignore[operator]  # the same from the other side
