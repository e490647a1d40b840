"""The pack: ranks, suits, the 52 cards, their text, and a shuffle that a seed repeats anywhere.

What cards are worth lives in `hands`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum, StrEnum
from operator import attrgetter
from random import Random, SystemRandom
from typing import ClassVar, final

from essen_hilo.errors import CardError, brief
from essen_hilo.frozen import Frozen


class Rank(IntEnum):
    """The thirteen ranks; the number is the pip count, and an ace is 14."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def text(self) -> str:
        """One character, `"2"` to `"9"`, `"T"`, `"J"`, `"Q"`, `"K"`, `"A"`."""
        return "23456789TJQKA"[self - 2]


class Suit(StrEnum):
    """The four suits; the value is the letter in card text. Suits never rank hands."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"

    @property
    def symbol(self) -> str:
        """The suit's black symbol, one character outside ASCII."""
        return {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}[self.value]


# What a card adds to the weight of a hand, by which `hands` looks up its value. Each is the smallest number that
# keeps the sums of any five cards different unless their ranks are the same, at most four of one rank.
_WEIGHTS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)


@final
class Card(Frozen):
    """One of the 52 cards: `Card(Rank.ACE, Suit.SPADES)` is always the same object.

    Cards compare by identity and never equal text or a number. They sort by rank, then suit,
    for display only.

    >>> Card.parse("as")
    Card(Rank.ACE, Suit.SPADES)
    >>> str(Card(Rank.TEN, Suit.HEARTS)), Card.parse("10♥") is Card.parse("Th")
    ('Th', True)

    Attributes:
        rank: The card's rank.
        suit: The card's suit.
        index: 0 to 51, the card's place in `DECK`.
        weight: A number that depends on the rank only; its sum over five cards tells their ranks.
    """

    __slots__ = ("_text", "index", "rank", "suit", "weight")

    rank: Rank
    suit: Suit
    index: int
    weight: int
    _text: str

    _pack: ClassVar[dict[tuple[Rank, Suit], Card]] = {}

    def __new__(cls, rank: Rank, suit: Suit) -> Card:
        """The one card of this rank and suit; a `CardError` if there is none."""
        card = cls._pack.get((rank, suit))
        if card is None:
            raise CardError(f"no card has rank {brief(rank)} and suit {brief(suit)}: a Rank and a Suit are wanted")
        return card

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card that `text` names: `"As"`, `"as"`, `"10h"`, `"T♥"`; a `CardError` if it is none."""
        card = _BY_TEXT.get(text)
        if card is not None:
            return card
        match = _CARD.fullmatch(text)
        if match is None:
            raise CardError(f"{_shown(text)} is not a card: {_CARD_TEXT}")
        return _card(match)

    @property
    def symbol(self) -> str:
        """The card as people like to see it, such as `"A♠"`; not ASCII."""
        return self.rank.text + self.suit.symbol

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Card(Rank.{self.rank.name}, Suit.{self.suit.name})"

    def __lt__(self, other: Card) -> bool:
        if isinstance(other, Card):
            return self.index < other.index
        return NotImplemented

    def __hash__(self) -> int:
        # Not the identity that `object` hashes: a set of cards has the same order in every process.
        return self.index

    def __reduce__(self) -> tuple[type[Card], tuple[Rank, Suit]]:
        return Card, (self.rank, self.suit)


def _make_pack() -> tuple[Card, ...]:
    for rank, weight in zip(Rank, _WEIGHTS, strict=True):
        for suit in Suit:
            card = object.__new__(Card)
            text = rank.text + suit.value
            fields = {"rank": rank, "suit": suit, "index": len(Card._pack), "weight": weight, "_text": text}
            for name, value in fields.items():
                object.__setattr__(card, name, value)
            Card._pack[rank, suit] = card
    return tuple(Card._pack.values())


#: The 52 cards in order of rank, then suit: 2c, 2d, 2h, 2s, 3c … As.
DECK: tuple[Card, ...] = _make_pack()

Cards = tuple[Card, ...]
#: The key by which cards are sorted fast: their own order, but read instead of asked for.
BY_INDEX = attrgetter("index")

_BY_TEXT = {str(card): card for card in DECK}

_SUITS = {"♣": "c", "♧": "c", "♦": "d", "♢": "d", "♥": "h", "♡": "h", "♠": "s", "♤": "s"}
# \uFE0F asks a renderer for the colourful form of the symbol before it; it names nothing.
_CARD = re.compile("(10|[2-9TJQKA])(?:([CDHS])|([" + "".join(_SUITS) + "])\ufe0f?)", re.IGNORECASE | re.ASCII)
_SEPARATORS = re.compile(r"[\s,]*")
_PIECE = re.compile(r"[^\s,]+")
_CARD_TEXT = "a rank (2 to 9, T or 10, J, Q, K, A) and a suit (c, d, h, s or a suit symbol) are wanted"


def _card(match: re.Match[str]) -> Card:
    rank, letter, symbol = match.groups()
    return _BY_TEXT[("T" if rank == "10" else rank.upper()) + (letter.lower() if letter else _SUITS[symbol])]


def _shown(piece: str) -> str:
    """The piece in quotes and in ASCII, cut if long; code points for what isn't ASCII."""
    short = piece if len(piece) <= 20 else piece[:20] + "..."
    strange = sorted({f"U+{ord(character):04X}" for character in short if not character.isascii()})
    return ascii(short) + (f" ({', '.join(strange)})" if strange else "")


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards that `text` names, in its order, taken apart by spaces, commas or nothing at all.

    >>> format_cards(parse_cards("QhKh, 10d"))
    'Qh Kh Td'

    Raises:
        CardError: A piece names no card, a card is named twice, or there is no card at all; the
            message names the piece and its place (characters counted from 1).
    """
    cards: dict[Card, int] = {}
    place = _end_of(_SEPARATORS.match(text))
    while place < len(text):
        match = _CARD.match(text, place)
        if match is None:
            piece = _PIECE.match(text, place)
            bad = piece.group() if piece else text[place:]
            raise CardError(f"{_shown(bad)} at character {place + 1} is not a card: {_CARD_TEXT}")
        card = _card(match)
        if card in cards:
            raise CardError(f"{card} at character {place + 1} was named before, at character {cards[card] + 1}")
        cards[card] = place
        place = _end_of(_SEPARATORS.match(text, match.end()))
    if not cards:
        raise CardError(f"{_shown(text)} names no card: {_CARD_TEXT}")
    return tuple(cards)


def _end_of(match: re.Match[str] | None) -> int:
    return match.end() if match else 0


def format_cards(cards: Iterable[Card], *, symbols: bool = False) -> str:
    """The cards' text in their order with a space between, ASCII unless `symbols` are asked for."""
    return " ".join(card.symbol if symbols else str(card) for card in cards)


def without(cards: Iterable[Card], taken: Iterable[Card]) -> list[Card]:
    """The cards but for those that are taken, in their order."""
    gone = {card.index for card in taken}
    return [card for card in cards if card.index not in gone]


def all_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards, checked to be cards; a `CardError` that names the first that is none."""
    pack = tuple(cards)
    for card in pack:
        if not isinstance(card, Card):
            raise CardError(f"{brief(card)} is not a Card")
    return pack


def shuffled_deck(rng: Random | None = None) -> tuple[Card, ...]:
    """All 52 cards in random order, each order equally likely.

    A seeded `rng` gives the same deck on every Python: the only thing asked of it is `random()`, the one
    sequence that the standard library promises to keep. Without `rng` the operating
    system's entropy is used; the global generator never is.
    """
    random = (rng or SystemRandom()).random
    deck = list(DECK)
    for last in range(51, 0, -1):
        other = int(random() * (last + 1))
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)
