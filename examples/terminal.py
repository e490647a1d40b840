"""Essen high-low in a terminal: one person against bots, or several people who share the screen.

    python examples/terminal.py --seats 5 --low ace-to-five
    python examples/terminal.py --people 2 --suspense
    python examples/terminal.py --resume essen-match.json

Nothing but the standard library and the public API of essen_hilo is used. In the order of the file: a match as a
value; what people read, as functions from views to text; the screen and the keyboard; one step of play; the file that
a saved match is; the command line.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path
from random import Random, SystemRandom
from tempfile import TemporaryDirectory
from typing import Any, NoReturn, TypeVar

from essen_hilo import (
    ACE_TO_FIVE,
    ACE_TO_SIX,
    DEUCE_TO_SEVEN,
    DEUCE_TO_SIX,
    Arrange,
    Bot,
    Card,
    EssenHiloError,
    GameState,
    GreedyBot,
    LowRule,
    Match,
    Move,
    Phase,
    Pick,
    RandomBot,
    Rank,
    Record,
    Rules,
    Suit,
    View,
    evaluate_high,
    evaluate_low,
    format_cards,
    frontier,
    parse_move,
    shuffled_deck,
    with_odds,
)

T = TypeVar("T")

BOTS: dict[str, Callable[[Random], Bot]] = {"greedy": GreedyBot, "random": RandomBot}
LOWS = {low.name: low for low in (DEUCE_TO_SEVEN, ACE_TO_FIVE, ACE_TO_SIX, DEUCE_TO_SIX)}


# A match as a value.


@dataclass(frozen=True)
class Game:
    """A match at one moment: people in the first seats, bots in the others, and all that a saved file keeps."""

    people: int
    bots: str
    deals: int
    seed: int
    match: Match
    state: GameState

    def __post_init__(self) -> None:
        if not 1 <= self.people <= self.match.rules.seats:
            raise ValueError(f"people: 1 to {self.match.rules.seats} can sit at this table, not {self.people}")
        if self.deals < 1:
            raise ValueError(f"deals: 1 or more are wanted, not {self.deals}")

    @property
    def is_over(self) -> bool:
        """Whether all deals have been settled."""
        return len(self.match.deals) >= self.deals

    def rng(self, what: str) -> Random:
        """A generator for one thing alone, so that a match that is resumed goes on as if it had never stopped."""
        return Random(f"{self.seed}, deal {len(self.match.deals)}, {what}")

    def after(self, state: GameState) -> Game:
        """The same match with the deal one step on."""
        return replace(self, state=state)

    def name(self, seat: int) -> str:
        """What the seat is called: `Seat 1 (bot)`."""
        who = "bot" if seat >= self.people else "you" if self.people == 1 else ""
        return f"Seat {seat} ({who})" if who else f"Seat {seat}"


# What people read.


def in_rows(cards: Sequence[Card]) -> list[Card]:
    """The cards suit by suit, aces first: the order in which they are shown and numbered."""
    return sorted(cards, key=lambda card: (card.suit, card.rank), reverse=True)


def grid(cards: Sequence[Card], width: int, *, numbered: bool = False) -> str:
    """Cards with a row for each suit and a column for each rank: suits, pairs and runs lie side by side.

    The columns of all grids are the same and take 78 characters; a narrower screen gets rows without columns.
    """
    numbers = {card: str(number) for number, card in enumerate(in_rows(cards), 1)} if numbered else {}
    rows = []
    for suit in reversed(Suit):
        row = [Card(rank, suit) for rank in reversed(Rank)]
        cells = [f"{numbers.get(card, ''):>2} {card.symbol}" if card in cards else " " * 5 for card in row]
        if width < 78:
            cells = [cell.strip() + " " for cell in cells if cell.strip()]
        rows.append(" ".join(cells).rstrip())
    return "\n".join(row for row in rows if row)


def suggestions(view: View) -> str:
    """The best ways to arrange the pool, numbered: what the hands are worth, and how they are likely to fare."""
    lines = []
    for number, (way, odds) in enumerate(with_odds(view.pool, view.rules), 1):
        lines.append(f"{number:3}  low   {spread(way.low)}  {evaluate_low(way.low, view.rules.low)}")
        lines.append(f"     high  {spread(way.high)}  {evaluate_high(way.high)}")
        lines.append(f"     wins the low about {odds.low_wins:.0%} and the high about {odds.high_wins:.0%} of the time")
    return "\n".join(lines)


def spread(hand: Sequence[Card]) -> str:
    """A hand as it is laid out, the highest card first."""
    return format_cards(sorted(hand, reverse=True), symbols=True)


def board(game: Game, view: View, width: int) -> str:
    """All that a person needs to choose: the table in a line, the pool, and the pack or the pool's best hands."""
    lines = ["-" * min(width, 78), heading(game, view)]
    if view.pool:
        lines += [f"Your pool ({len(view.pool)}):", grid(view.pool, width)]
    if view.phase is Phase.PICK:
        lines += [f"Your pack ({len(view.pack)}):", grid(view.pack, width, numbered=True)]
    else:
        lines += ["What no other way to arrange it beats:", suggestions(view)]
    return "\n".join(lines)


def heading(game: Game, view: View) -> str:
    """Where the table is."""
    assert view.seat is not None
    deal = f"Deal {len(game.match.deals) + 1} of {game.deals}"
    pot = f"Pot {view.pot}. Seat {view.dealer} dealt."
    if view.phase is Phase.ARRANGE:
        return f"{deal}, arrange. {pot} Low hands count {view.rules.low}."
    turn = f"pick {view.round + 1} of {view.rules.hand_size}"
    return f"{deal}, {turn}. {pot} Your pack goes to seat {view.passes_to[view.seat]}."


def hint(view: View) -> str:
    """What is still in hand at best, and what a greedy player would choose and why."""
    lines = []
    if view.phase is Phase.PICK:
        ways = frontier(view.pool + view.pack, view.rules.low)
        lines += ["If all that you hold stayed with you, no hands would beat these:"]
        lines += [f"  {evaluate_low(way.low, view.rules.low)}  with  {evaluate_high(way.high)}" for way in ways]
    return "\n".join([*lines, f"A greedy player would choose {GreedyBot(Random(0)).explain(view)}"])


def described(move: Move) -> str:
    """A choice in words."""
    if isinstance(move, Arrange):
        return f"arrange {spread(move.low)} / {spread(move.high)}"
    assert isinstance(move, Pick)
    return f"keep {move.card.symbol}"


EXPLANATION = """\
Keep one card of your pack; the others go to the seat on your left, and you
get a pack from your right. When no cards are left to pass, make two hands of
five cards each from your pool. The lowest hand wins half of the pot, then the
highest hand wins the rest.
Low hands count {low}: aces are {aces}, straights and flushes {straights}.
  3        choose number 3
  As       keep the ace of spades, in any case and with any suit sign
  7h5d4c3s2d / AsAdAhKsKd
           arrange these as your low and your high hand
  h        a hint
  Enter    your cards once more
  s        save and quit; s FILE to say where
  q        quit without saving"""


def explanation(low: LowRule) -> str:
    """The rules in short, and what can be typed."""
    straights = "count against the hand" if low.straights_and_flushes else "don't count"
    return EXPLANATION.format(low=low, aces="low" if low.ace_low else "high", straights=straights)


def score(game: Game) -> str:
    """The chips of the deal that was settled last and of all deals, by seat."""
    deal, match = game.match.deals[-1], game.match
    assert deal.result is not None
    lines = [f"{'':12}  deal {len(match.deals):<4}   in all"]
    for seat, (net, balance) in enumerate(zip(deal.result.nets, match.balances, strict=True)):
        lines.append(f"{game.name(seat):12}  {net:+9}  {balance:+7}")
    if match.carried:
        lines.append(f"Chips that stay in the pot: {match.carried}.")
    return "\n".join(lines)


# The screen and the keyboard.


class Save(Exception):  # noqa: N818 - a wish, not an error
    """Somebody wants to save and leave; the text is the file they name, if any."""


SUIT_SIGNS = {suit.symbol: suit.value for suit in Suit}
# The sign of the suit is always there, so the colour is never needed to read a card. Spades have none.
COLOURS = {Suit.HEARTS.symbol: 31, Suit.DIAMONDS.symbol: 36, Suit.CLUBS.symbol: 32}


class Screen:
    """Lines to and from people, with as much colour and as many signs as the terminal has."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.has_colours = self.is_terminal and not os.environ.get("NO_COLOR")
        try:
            "".join(SUIT_SIGNS).encode(sys.stdout.encoding)
            self.letters: dict[int, str] = {}
        except UnicodeEncodeError:
            self.letters = str.maketrans(SUIT_SIGNS)

    @property
    def width(self) -> int:
        """Columns at this moment: a terminal can be resized."""
        return shutil.get_terminal_size().columns

    def say(self, text: str = "") -> None:
        """The text, wrapped to the screen, in colour where there is colour."""
        for line in text.splitlines() or [""]:
            indent = " " * (len(line) - len(line.lstrip()))
            for piece in textwrap.wrap(line, max(self.width, 20), subsequent_indent=indent) or [""]:
                if self.has_colours:
                    piece = re.sub(r"\w([♥♦♣])", lambda card: f"\033[{COLOURS[card[1]]}m{card[0]}\033[0m", piece)
                print(piece.translate(self.letters))

    def clear(self) -> None:
        """An empty screen, with nothing to scroll back to."""
        scrolled = "\n" * shutil.get_terminal_size().lines
        print("\033[2J\033[3J\033[H" if self.is_terminal else scrolled, end="", flush=True)

    def ask(self, question: str) -> str:
        """What a person types; `q` and `s` are heard wherever something is asked."""
        line = input(f"{question} ".translate(self.letters))
        if not sys.stdin.isatty():
            print(line)
        word, _, rest = line.strip().partition(" ")
        if word.lower() == "q":
            raise EOFError
        if word.lower() == "s":
            raise Save(rest.strip())
        return line.strip()


# One step of play.


def step(game: Game, screen: Screen, *, suspense: bool) -> Game:
    """The match a step on: one seat's choice, a half shown, or what the table does between them."""
    state = game.state
    match state.phase:
        case Phase.DEAL:
            return game.after(state.deal(shuffled_deck(game.rng("deck"))))
        case Phase.PICK | Phase.ARRANGE:
            seat = state.to_act[0]
            if seat < game.people:
                return game.after(ask_person(game, screen, seat))
            bot = BOTS[game.bots](game.rng(f"seat {seat}, {state.phase} {state.round}"))
            return game.after(state.apply(bot.choose(state.view(seat))))
        case Phase.PASS:
            return game.after(state.pass_packs())
        case Phase.SHOW_LOW | Phase.SHOW_HIGH:
            return game.after(tell_half(game, screen, suspense=suspense))
        case Phase.OVER:
            return settle(game, screen)


def ask_person(game: Game, screen: Screen, seat: int) -> GameState:
    """The state after a person's choice. Where people share a screen, each sees it alone."""
    view = game.state.view(seat)
    if len(view.legal_moves()) == 1:
        return game.state.apply(view.legal_moves()[0])
    if game.people == 1:
        return choice(game, screen, view)
    screen.ask(f"{game.name(seat)}, take the screen; the others look away. Enter shows your cards.")
    try:
        return choice(game, screen, view)
    finally:
        screen.clear()


def choice(game: Game, screen: Screen, view: View) -> GameState:
    """The state after the first legal move that is typed."""
    assert view.seat is not None
    wanted = "a card or its number" if view.phase is Phase.PICK else "a number or LOW / HIGH"
    screen.say(board(game, view, screen.width))
    while True:
        text = screen.ask(f"{game.name(view.seat)}, {wanted} (? for help):")
        if not text:
            screen.say(board(game, view, screen.width))
        elif text == "?":
            screen.say(explanation(view.rules.low))
        elif text.lower() == "h":
            screen.say(hint(view))
        else:
            try:
                move = read_move(view, text)
                state = game.state.apply(move)
            except (EssenHiloError, ValueError) as error:
                screen.say(f"That does not work: {error}.")
            else:
                screen.say(f"You {described(move)}.")
                return state


def read_move(view: View, text: str) -> Move:
    """The move that a person means; whether it is legal is for the state to say."""
    assert view.seat is not None
    by_number = text.isdecimal() and len(text) < 3
    if view.phase is Phase.PICK:
        return Pick(view.seat, nth(in_rows(view.pack), text) if by_number else Card.parse(text))
    if by_number:
        way = nth(frontier(view.pool, view.rules.low), text)
        return Arrange(view.seat, way.low, way.high)
    return parse_move(f"arrange {view.seat} {text}")


def nth(things: Sequence[T], text: str) -> T:
    """The thing that a person numbers from 1."""
    if not 1 <= int(text) <= len(things):
        raise ValueError(f"there is no number {int(text)}, only 1 to {len(things)}")
    return things[int(text) - 1]


def tell_half(game: Game, screen: Screen, *, suspense: bool) -> GameState:
    """The state after a half has been shown hand by hand, from the dealer's left, and awarded."""
    state, rules, seat = game.state, game.state.rules, game.state.dealer
    is_low = state.phase is Phase.SHOW_LOW
    screen.say("-" * min(screen.width, 78))
    screen.say(f"The low hands ({rules.low}):" if is_low else "The high hands:")
    for _ in range(rules.seats):
        seat = rules.left_of(seat)
        if suspense:
            screen.ask(f"Enter turns up the hand of {game.name(seat)}.")
        if seat not in state.shown:
            state = state.show(seat)
        hand = (state.low_hands if is_low else state.high_hands)[seat]
        assert hand is not None
        value = evaluate_low(hand, rules.low) if is_low else evaluate_high(hand)
        screen.say(f"  {game.name(seat):12}  {spread(hand)}  {value}")
    screen.say(str(state.low_award if is_low else state.high_award))
    return state


def settle(game: Game, screen: Screen) -> Game:
    """The match after a deal that is over: the score is told, and the next deal begins."""
    match = game.match.settle(game.state)
    settled = replace(game, match=match, state=match.new_deal())
    screen.say("-" * min(screen.width, 78))
    screen.say(score(settled))
    if settled.is_over:
        screen.say("The match is over.")
    else:
        screen.ask("Enter deals the next cards (s saves, q quits).")
    return settled


# A saved match.

FORMAT = "essen_hilo terminal match"
NOTE = "Holds every card of the deals so far, and the seed of those to come: to read it is to peek."
DEFAULT_FILE = Path("essen-match.json")


def save(game: Game, path: Path, *, over: bool) -> None:
    """Write the match to a new file and move that into place: whatever happens, a saved match is whole.

    What is there already is replaced only if `over`.
    """
    if path.exists() and not over:
        raise ValueError(f"{path} is there already, name another file (s evening.json)")
    states = (*game.match.deals, game.state)
    document = {
        "format": FORMAT,
        "version": 1,
        "note": NOTE,
        "people": game.people,
        "bots": game.bots,
        "deals": game.deals,
        "seed": game.seed,
        "records": [json.loads(Record.of(state).to_json()) for state in states],
    }
    with TemporaryDirectory(dir=path.parent) as folder:
        whole = Path(folder) / path.name
        whole.touch(0o600)  # it is full of secrets
        whole.write_text(json.dumps(document, indent=1), encoding="utf-8")
        whole.replace(path)


def load(path: Path) -> Game:
    """The match that `save` wrote; a ValueError or an OSError if it is none."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError("not a saved match") from None
    if not isinstance(document, dict) or (document.get("format"), document.get("version")) != (FORMAT, 1):
        raise ValueError("not a saved match")
    people, bots, deals, seed, records = (document.get(name) for name in ("people", "bots", "deals", "seed", "records"))
    if not (type(people) is type(deals) is type(seed) is int and bots in list(BOTS)):
        raise ValueError("people, bots, deals or seed are wrong")
    if not isinstance(records, list) or not 1 <= len(records) <= deals:
        raise ValueError("one record for each deal that was begun is wanted")
    *settled, state = (Record.from_json(json.dumps(record)).replay() for record in records)
    match = Match.start(state.rules)
    for deal in settled:
        match = match.settle(deal)
    if GameState.start(state.rules, dealer=state.dealer, carried=state.carried) != match.new_deal():
        raise ValueError("the last record does not go on where the others end")
    return Game(people, bots, deals, seed, match, state)


# The command line.


class Parser(argparse.ArgumentParser):
    """Tells what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Leave with the message and exit code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def parser() -> Parser:
    """What can be asked for; what is not asked for is not in the result."""
    options = Parser(
        description="Essen high-low in a terminal.", argument_default=argparse.SUPPRESS, allow_abbrev=False
    )
    options.add_argument("--seats", type=int, help="2 to 5 (default 4)")
    options.add_argument("--people", type=int, help="how many seats people take, the others are bots (default 1)")
    options.add_argument("--bots", choices=BOTS, help="how bots play (default greedy)")
    options.add_argument("--low", choices=LOWS, help="how low hands are counted (default deuce-to-seven)")
    options.add_argument("--ante", type=int, help="chips that each seat puts in the pot (default 5)")
    options.add_argument("--hand-size", type=int, help="cards a seat; needed for 2 or 3 seats (default 13 or 10)")
    options.add_argument("--deals", type=int, help="how many deals to play (default: everybody deals once)")
    options.add_argument("--seed", type=int, help="the same number gives the same cards and bots")
    options.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved match; nothing else is asked")
    options.add_argument("--suspense", action="store_true", help="turn up hands one at a time, at Enter")
    return options


def begin(given: dict[str, Any]) -> Game:
    """The match that the command line asks for, new or saved."""
    if "resume" in given:
        return load(given["resume"])
    low = LOWS[given.get("low", DEUCE_TO_SEVEN.name)]
    match = Match.start(Rules(given.get("seats", 4), given.get("ante", 5), low, given.get("hand_size")))
    seed = given.get("seed", SystemRandom().getrandbits(64))
    deals = given.get("deals", match.rules.seats)
    return Game(given.get("people", 1), given.get("bots", "greedy"), deals, seed, match, match.new_deal())


def play(game: Game, screen: Screen, file: Path | None, *, suspense: bool) -> None:
    """Step by step to the end of the match, or until it is saved; `file` is where it came from."""
    while not game.is_over:
        try:
            game = step(game, screen, suspense=suspense)
        except Save as wish:
            path = Path(str(wish)) if str(wish) else file or DEFAULT_FILE
            try:
                save(game, path, over=path == file)
            except (OSError, ValueError) as error:
                screen.say(f"Not saved: {error}.")
            else:
                screen.say(f"Saved. Go on with --resume {path}. {NOTE}")
                return


def main() -> int:
    """Play; the exit code is 0 but for wrong arguments (2) and Ctrl-C (130)."""
    options = parser()
    given = vars(options.parse_args())
    file = given.get("resume")
    if file and given.keys() - {"resume", "suspense"}:
        options.error("--resume takes everything but --suspense from the file")
    try:
        game = begin(given)
    except OSError as error:
        options.error(f"{file}: {error.strerror}")
    except (EssenHiloError, ValueError) as error:
        options.error(f"{file}: {error}" if file else str(error))
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    screen = Screen()
    try:
        play(game, screen, file, suspense=given.get("suspense", False))
    except (EOFError, KeyboardInterrupt) as leaving:
        screen.say()
        screen.say(f"Left without saving. {file} is as it was." if file else "Left without saving.")
        return 130 if isinstance(leaving, KeyboardInterrupt) else 0
    return 0


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads any more. Without this, Python would try once again when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)
