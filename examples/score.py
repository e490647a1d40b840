"""Scores a deal of Essen high-low that was played with real cards.

    python examples/score.py examples/score_sample.txt
    python examples/score.py < evening.txt

Players have a line each, clockwise: `NAME: LOW / HIGH`, as in the sample. A player who has not decided writes all
cards, `NAME: CARDS`, and is offered the best ways to arrange them; the deal is settled once everybody has two hands.
Settings have a line each, without a colon. The first must be there, the others may:

    ante 5                      what each player put in the pot, in the smallest coin on the table
    low ace-to-five             how low hands are counted, if not deuce-to-seven
    carried 1                   what an earlier deal left in the pot
    odd-chips left-of-dealer    who gets the chips that a tie can't divide; else they stay in the pot
    dealer Bo                   who dealt; that matters for left-of-dealer only
    cards 17                    how many cards were dealt to each player, if not 13 to four or 10 to five

Blank lines, and whatever comes after a `#`, are for people only.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn, TypeVar

from essen_hilo import (
    DEUCE_TO_SEVEN,
    Arrangement,
    Award,
    Card,
    LowRule,
    OddChips,
    Rules,
    evaluate_high,
    evaluate_low,
    format_cards,
    frontier,
    parse_cards,
    settle,
)

T = TypeVar("T")

#: In bytes; what is longer is some other file.
LONGEST = 100_000


@dataclass(frozen=True)
class Player:
    """One player's line; `hands` is None if it lists all cards."""

    name: str
    line: int
    cards: tuple[Card, ...]
    hands: Arrangement | None


@dataclass(frozen=True)
class Sheet:
    """What a score file says, checked; players sit in the order of their lines."""

    rules: Rules
    players: Sequence[Player]
    dealer: int
    carried: int


# Reading.


class Settings(dict[str, tuple[int, str]]):
    """By name, the line in which a setting stands, and its text."""

    NAMES = ("ante", "low", "carried", "odd-chips", "dealer", "cards")

    def read(self, name: str, reader: Callable[[str], T], otherwise: T) -> T:
        """What the reader makes of the setting's text, or `otherwise` if nobody wrote it."""
        if name not in self:
            return otherwise
        line, text = self[name]
        with in_line(line):
            return reader(text)


@contextmanager
def in_line(number: int) -> Iterator[None]:
    """Adds the number of the line to whatever is wrong with it."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from None


def read_sheet(text: str) -> Sheet:
    """The sheet that the text describes.

    Raises:
        ValueError: What is wrong, and in which line.
    """
    settings = Settings()
    players: list[Player] = []
    for number, line in enumerate(re.split("\r\n|\r|\n", text), 1):
        line = line.partition("#")[0]
        with in_line(number):
            if ":" in line:
                players.append(read_player(line, number, players))
            elif line.strip():
                add_setting(line, number, settings)
    if len(players) < 2:
        raise ValueError(f"2 to 5 players are wanted, a line each (NAME: LOW / HIGH), not {len(players)}")
    if "ante" not in settings:
        raise ValueError("the ante is missing: a line like `ante 5` is wanted")
    rules = Rules(
        seats=len(players),
        ante=settings.read("ante", whole_number, 0),
        low=settings.read("low", low_rule, DEUCE_TO_SEVEN),
        hand_size=hand_size(players, settings),
        odd_chips=settings.read("odd-chips", lambda text: odd_chips(text, settings), OddChips.STAY),
    )
    dealer = settings.read("dealer", lambda name: seat_of(name, players), 0)
    return Sheet(rules, players, dealer, settings.read("carried", whole_number, 0))


def read_player(line: str, number: int, others: Sequence[Player]) -> Player:
    """A player's line."""
    before, _, rest = line.partition(":")
    name = " ".join(before.split())
    if name.lower() in Settings.NAMES and len(rest.strip()) < 20:
        # Not a player who is called Ante: the cards would take more.
        raise ValueError(f"a setting has no colon: `{name} {rest.strip()}` is wanted")
    if not name:
        raise ValueError("a name is wanted before the colon")
    if not rest.replace("/", "").strip():
        raise ValueError(f"{name} has no cards")
    if len(others) == 5:
        raise ValueError(f"{name} is one too many: 2 to 5 players can play")
    # Blanks take the place of all but cards, so that the places which errors tell are those in the line.
    cards = parse_cards(" " * (len(before) + 1) + rest.replace("/", " ", 1))
    hands = None
    if "/" in rest:
        low = rest.partition("/")[0]
        size = len(parse_cards(low)) if low.strip() else 0
        hands = Arrangement(cards[:size], cards[size:])
    for other in others:
        if other.name.lower() == name.lower():
            raise ValueError(f"{name} has a line already, line {other.line}")
        for card in cards:
            if card in other.cards:
                raise ValueError(f"{card} can't be {name}'s: {other.name} has it, in line {other.line}")
    return Player(name, number, cards, hands)


def add_setting(line: str, number: int, settings: Settings) -> None:
    """Keeps the text of a setting until all lines are read."""
    word, *rest = line.split(maxsplit=1)
    name = word.lower()
    if name not in Settings.NAMES:
        names = ", ".join(Settings.NAMES)
        raise ValueError(f"{word[:20]!r} is not a setting ({names}), and a player's name has a colon after it")
    if name in settings:
        raise ValueError(f"{name} is set already, in line {settings[name][0]}")
    settings[name] = number, " ".join(rest).strip()


def whole_number(text: str) -> int:
    """Chips or cards; nine digits are enough for both."""
    if not re.fullmatch("[0-9]{1,9}", text):
        raise ValueError(f"a whole number is wanted, not {text!r}")
    return int(text)


def low_rule(text: str) -> LowRule:
    """The low rule, also if it is written without hyphens."""
    return LowRule.named("-".join(text.lower().split()))


def odd_chips(text: str, settings: Settings) -> OddChips:
    """The rule for odd chips, which may need a dealer."""
    rules = {rule.value: rule for rule in OddChips}
    if text.lower() not in rules:
        raise ValueError(f"one of {', '.join(rules)} is wanted, not {text!r}")
    rule = rules[text.lower()]
    if rule is OddChips.LEFT_OF_DEALER and "dealer" not in settings:
        raise ValueError("a line that names the dealer is wanted too, like `dealer Bo`")
    return rule


def seat_of(name: str, players: Sequence[Player]) -> int:
    """The seat of the player of that name."""
    for seat, player in enumerate(players):
        if player.name.lower() == " ".join(name.lower().split()):
            return seat
    raise ValueError(f"no player is called {name!r}")


def hand_size(players: Sequence[Player], settings: Settings) -> int:
    """How many cards each player was dealt; whoever lists all cards must list as many."""
    seats = len(players)
    listed = [player for player in players if player.hands is None]
    # Two or three players have no usual number: the first who lists all cards tells it.
    size = Rules(seats).hand_size if seats > 3 else len(listed[0].cards) if listed else 10
    size = settings.read("cards", lambda text: Rules(seats, hand_size=whole_number(text)).hand_size, size)
    for player in listed:
        with in_line(player.line):
            if len(player.cards) != size:
                raise ValueError(
                    f"{player.name} has {len(player.cards)} cards, not {size} (two hands have a / between)"
                )
            Rules(seats, hand_size=size)
    return size


# Telling.


def told(sheet: Sheet) -> Iterator[str]:
    """The settlement, line by line; or, while somebody has not set two hands, what that player can choose from."""
    rules = sheet.rules
    carried = f", {sheet.carried} carried" if sheet.carried else ""
    yield f"{rules.seats} players, {rules.ante} each{carried}: {rules.seats * rules.ante + sheet.carried} in the pot."
    yield f"Low hands count {rules.low}."
    undecided = [player for player in sheet.players if player.hands is None]
    for player in undecided:
        yield from choices(player, rules.low)
    if undecided:
        yield ""
        yield "Not settled: write one of these lines, or two other hands, for each of these players first."
    else:
        yield from settlement(sheet)


def choices(player: Player, low: LowRule) -> Iterator[str]:
    """The ways to arrange a player's cards that no other way beats, as lines for the file."""
    ways = frontier(player.cards, low)
    yield ""
    yield f"Line {player.line}, {player.name}: what no other way to arrange the cards beats."
    for way in ways:
        marks = ["strongest high"] * (way is ways[0]) + ["strongest low"] * (way is ways[-1])
        yield f"{player.name}: {spread(way.low)} / {spread(way.high)}"
        worth = f"{evaluate_low(way.low, low)} / {evaluate_high(way.high)}"
        yield f"    {worth}" + (f" ({', '.join(marks)})" if marks else "")


def settlement(sheet: Sheet) -> Iterator[str]:
    """Who wins which half, and what everybody gets."""
    hands = [player.hands for player in sheet.players if player.hands is not None]
    names = [player.name for player in sheet.players]
    result = settle(hands, sheet.rules, dealer=sheet.dealer, carried=sheet.carried)
    yield from half(result.low, names, [way.low for way in hands])
    yield from half(result.high, names, [way.high for way in hands])
    yield ""
    yield "Chips"
    for name, payout, net in zip(in_column(names), result.payouts, result.nets, strict=True):
        yield f"  {name}  gets {payout} ({net:+})"
    if result.carried:
        yield f"  left in the pot for the next deal: {result.carried}"


def half(award: Award, names: Sequence[str], hands: Sequence[tuple[Card, ...]]) -> Iterator[str]:
    """One half of the pot, the strongest hand first."""
    yield ""
    yield f"{award.half.capitalize()} half: {award.amount}"
    column = in_column(names)
    for seat in sorted(range(len(names)), key=lambda seat: award.values[seat], reverse=True):
        wins = f": wins {award.shares[seat]}" if seat in award.winners else ""
        yield f"  {column[seat]}  {spread(hands[seat])}  {award.values[seat]}{wins}"
    if award.stayed:
        yield f"  can't be divided and stays in the pot: {award.stayed}"


def in_column(names: Sequence[str]) -> list[str]:
    """The names, all as wide as the longest."""
    return [name.ljust(max(map(len, names))) for name in names]


def spread(hand: Sequence[Card]) -> str:
    """A hand as players lay it out, the highest card first."""
    return format_cards(sorted(hand, reverse=True))


# The command line.


class Parser(argparse.ArgumentParser):
    """Tells what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Leave with the message and exit code 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")


def read(path: str) -> str:
    """The text of a file, or of standard input."""
    with open(0 if path == "-" else path, "rb", closefd=path != "-") as file:
        data = file.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise ValueError(f"too long for a score file: {LONGEST:,} bytes are allowed")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"line {line}: byte {error.object[error.start]:#x} is not UTF-8: save the file as UTF-8"
        ) from None


def main(arguments: Sequence[str] | None = None) -> None:
    """Score a file; what is wrong takes one line and exit code 2."""
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", default="-", help="a text file like score_sample.txt; else standard input")
    path = parser.parse_args(arguments).file
    name = "standard input" if path == "-" else path
    try:
        lines = list(told(read_sheet(read(path))))
    except OSError as error:
        parser.error(f"{name}: {error.strerror}")
    except ValueError as error:
        parser.error(f"{name}: {error}")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every terminal can write every name
    print("\n".join(lines), flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(1)  # nobody reads any more
    except OSError as error:
        sys.exit(f"{Path(__file__).name}: {error.strerror}")
