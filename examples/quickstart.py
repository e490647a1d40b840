"""One deal of Essen high-low between bots, told in plain words.

    python examples/quickstart.py
    python examples/quickstart.py --seats 5 --low ace-to-five --seed 7 --record game.json
    python examples/quickstart.py --replay game.json

The story is the referee's: it shows every card, as nobody at the table could see them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NoReturn

from essen_hilo import (
    Award,
    Card,
    GameState,
    GreedyBot,
    LowRule,
    Phase,
    Record,
    Result,
    Rules,
    format_cards,
    shuffled_deck,
)


def play(rules: Rules, rng: Random) -> GameState:
    """A whole deal: the loop that every front end runs. The bots see what their seats may see, and no more."""
    state = GameState.start(rules).deal(shuffled_deck(rng))
    bots = [GreedyBot(rng) for _ in range(rules.seats)]
    while state.phase is not Phase.OVER:
        for seat in state.to_act:
            state = state.apply(bots[seat].choose(state.view(seat)))
        state = state.advance()  # packs are passed and hands turned up as soon as everybody has chosen
    return state


def story(state: GameState) -> Iterator[str]:
    """The deal so far, a paragraph at a time: a state is its own history."""
    yield paragraph("Deal", the_deal(state))
    for number in range(len(state.rounds)):
        yield paragraph(f"Pick {number + 1} of {state.rules.hand_size}", the_picks(state, number))
    if any(state.arrangements):
        yield paragraph("Arrange", the_arrangements(state))
    if any(state.low_hands):
        yield paragraph("Showdown, low half", the_half(state.low_hands, state.low_award))
    if any(state.high_hands):
        yield paragraph("Showdown, high half", the_half(state.high_hands, state.high_award))
    if state.result:
        yield paragraph("Chips", the_chips(state.result))
    else:
        yield paragraph("To be continued", [f"The record ends here, in phase {state.phase}."])


def paragraph(heading: str, lines: Iterator[str] | Sequence[str]) -> str:
    """Lines under a heading."""
    return "\n  ".join([heading, *lines]) + "\n"


def the_deal(state: GameState) -> Iterator[str]:
    """What the table agreed on, and what is in the pot."""
    rules = state.rules
    aside = f" {rules.cards_aside} are put aside unseen." if rules.cards_aside else ""
    yield f"Seat {state.dealer} deals {rules.hand_size} cards to each of {rules.seats} seats.{aside}"
    yield f"Packs go to the left: from seat 0 to seat {rules.left_of(0)}, and so on round the table."
    carried = f", and {state.carried} are there from an earlier deal" if state.carried else ""
    yield f"Every seat puts {rules.ante} in the pot{carried}: {state.pot} chips."
    straights = "count against a hand" if rules.low.straights_and_flushes else "don't count"
    aces = "low" if rules.low.ace_low else "high"
    yield f"Low hands count {rules.low}: aces are {aces}, straights and flushes {straights}."


def the_picks(state: GameState, number: int) -> Iterator[str]:
    """What each seat kept of its pack in one round, and what went on to its left."""
    for seat, (pack, pick) in enumerate(zip(state.rounds[number], state.picks[number], strict=True)):
        if pick is not None:
            rest = [card for card in pack if card is not pick]
            passed = f", passes on {format_cards(rest)}" if rest else ", the last card"
            yield f"Seat {seat} keeps {pick}{passed}."


def the_arrangements(state: GameState) -> Iterator[str]:
    """The two hands that each seat made of the cards it kept."""
    for seat, hands in enumerate(state.arrangements):
        if hands is not None:
            unused = [card for card in state.pools[seat] if card not in hands.low + hands.high]
            left_over = f", unused {spread(unused)}" if unused else ""
            yield f"Seat {seat}: low {spread(hands.low)}, high {spread(hands.high)}{left_over}."


def the_half(hands: Sequence[tuple[Card, ...] | None], award: Award | None) -> Iterator[str]:
    """The hands that lie face up, what they are worth once all do, and who wins."""
    for seat, hand in enumerate(hands):
        if hand is not None:
            yield f"Seat {seat}: {spread(hand)}" + (f" ({award.values[seat]})" if award else "")
    if award:
        yield str(award)


def the_chips(result: Result) -> Iterator[str]:
    """What each seat takes from the pot, and what stays in it."""
    for seat, (payout, net) in enumerate(zip(result.payouts, result.nets, strict=True)):
        yield f"Seat {seat} gets {payout} ({net:+})."
    if result.carried:
        yield f"Left in the pot for the next deal: {result.carried}."


def spread(hand: Sequence[Card]) -> str:
    """Cards as players lay them out, the highest first."""
    return format_cards(sorted(hand, reverse=True))


def write(record: Record, path: Path) -> None:
    """Write the record beside its place and move it there: whatever happens, no file is ever half a record."""
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} is not a file that a record can replace")
    with TemporaryDirectory(dir=path.parent) as folder:
        whole = Path(folder, path.name)
        whole.write_text(record.to_json(), encoding="utf-8")
        whole.replace(path)


def read(path: Path) -> Record:
    """The record in a file, of which no more is read than a record can be long."""
    with path.open("rb") as file:
        return Record.from_json(file.read(1_000_001))


class Parser(argparse.ArgumentParser):
    """Tells what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Leave with the message and exit code 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")


def parser() -> Parser:
    """What can be asked for; what is not asked for is not in the result."""
    options = Parser(
        description="One deal of Essen high-low between bots.", argument_default=argparse.SUPPRESS, allow_abbrev=False
    )
    options.add_argument("--seats", type=int, choices=(4, 5), help="four with 13 cards each (default), or five with 10")
    options.add_argument("--low", help="deuce-to-seven (default), ace-to-five, ace-to-six or deuce-to-six")
    options.add_argument("--ante", type=int, metavar="N", help="chips that every seat puts in the pot (default 5)")
    options.add_argument("--seed", type=int, metavar="N", help="the same number gives the same deal")
    options.add_argument("--record", type=Path, metavar="FILE", help="write the game down")
    options.add_argument("--replay", type=Path, metavar="FILE", help="step through a game that was written down")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    """Play a deal, or read one, and tell it; what is wrong takes one line and exit code 2."""
    options = parser()
    given = vars(options.parse_args(arguments))
    source, target = given.get("replay"), given.get("record")
    if source and len(given) > 1:
        options.error("--replay takes everything from the file: nothing else can be asked for")
    try:
        if source:
            state = read(source).replay()
        else:
            low = LowRule.named(given.get("low", "deuce-to-seven"))
            state = play(Rules(given.get("seats", 4), given.get("ante", 5), low), Random(given.get("seed")))
        told = list(story(state))
        if target:
            write(Record.of(state), target)
    except OSError as error:
        options.error(f"{source or target}: {error.strerror}")
    except ValueError as error:
        options.error(f"{source}: {error}" if source else str(error))
    steps = source and sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()
    for number, text in enumerate(told):
        if steps and number:
            input("Enter goes on.")
        print(text, flush=True)


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, EOFError):
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(1)  # nobody reads any more
    except OSError as error:
        sys.exit(f"{Path(__file__).name}: {error.strerror}")
