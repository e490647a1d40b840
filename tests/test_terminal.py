"""Whole matches at `examples/terminal.py`: over a pipe, at a terminal, saved and gone on with.

A person who always types `1` keeps the first card and takes the first suggestion. What is on the screen is read back
and held against the records of a saved match, and chips against the plain reference.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import essen_hilo
from essen_hilo import DECK, GameState, Phase, Record, format_cards
from examples import terminal
from tests import reference
from tests.damage import damaged, damaged_bytes

PROGRAM = Path(__file__).parents[1] / "examples" / "terminal.py"
CARD = re.compile(r"([2-9TJQKA])([♣♦♥♠])")
LETTERS = str.maketrans("♣♦♥♠", "cdhs")


def cards_in(text: str) -> list[str]:
    return [(rank + suit).translate(LETTERS) for rank, suit in CARD.findall(text)]


class Ended(NamedTuple):
    """What a run of the program has left."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are saved in a folder of the test's own, and no setting of the developer's terminal matters."""
    monkeypatch.chdir(tmp_path)
    for name in ("COLUMNS", "LINES", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


class Table:
    """Runs the program in this process, which is quicker than starting it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch, self._captured = monkeypatch, capsys

    def __call__(self, arguments: str, *typed: str, encoding: str = "utf-8") -> Ended:
        out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
        with self._patch.context() as patch:
            patch.setattr(sys, "argv", ["terminal.py", *arguments.split()])
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("".join(f"{line}\n" for line in typed).encode())))
            patch.setattr(sys, "stdout", out)
            try:
                code = terminal.main()
            except SystemExit as left:
                code = left.code if isinstance(left.code, int) else 1
        out.flush()
        buffer = out.buffer
        assert isinstance(buffer, io.BytesIO)
        return Ended(code, buffer.getvalue().decode(encoding), self._captured.readouterr().err)


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Table:
    return Table(monkeypatch, capsys)


def environment(**more: str) -> dict[str, str]:
    """As a user's, with the very package that is tested."""
    path = os.pathsep.join([str(Path(essen_hilo.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", "TERM": "xterm", **more}


def piped(arguments: str, typed: str | bytes, **env: str) -> Ended:
    """Runs the program as a shell does, over pipes."""
    command = [sys.executable, str(PROGRAM), *arguments.split()]
    data = typed.encode() if isinstance(typed, str) else typed
    ran = subprocess.run(command, input=data, capture_output=True, env=environment(**env))
    return Ended(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def ones() -> Iterator[str]:
    """More than any match of the tests asks for."""
    return iter(["1"] * 400)


def saved(path: str) -> dict[str, Any]:
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def states(path: str) -> list[GameState]:
    return [Record.from_json(json.dumps(record)).replay() for record in saved(path)["records"]]


# --- Whole matches ---

MATCHES = [
    "--seed 1 --deals 1",
    "--seed 2 --seats 5 --deals 3 --low ace-to-five --ante 1",
    "--seed 3 --seats 5 --people 2 --deals 2 --low ace-to-six --suspense",
    "--seed 4 --seats 4 --people 4 --deals 1 --bots random",
    "--seed 5 --seats 3 --hand-size 17 --people 2 --deals 2 --low deuce-to-six",
    "--seed 6 --seats 2 --hand-size 26 --deals 1 --ante 0",
    "--seed 7 --bots random --deals 2 --ante 1000000",
]


@pytest.mark.parametrize("arguments", MATCHES)
def test_a_match_is_played_to_its_end_and_fits_80_columns(play: Table, arguments: str) -> None:
    ended = play(arguments, *ones())
    assert ended.code == 0
    assert ended.err == ""
    assert ended.out.endswith("The match is over.\n")
    assert "Traceback" not in ended.out
    assert all(len(line) <= 80 for line in ended.out.splitlines())


@pytest.mark.parametrize("arguments", [*MATCHES, *(f"--seed {seed} --seats 5 --ante 3 --deals 5" for seed in range(8))])
def test_the_showdown_is_told_hand_by_hand_and_the_score_is_what_the_rules_say(play: Table, arguments: str) -> None:
    out = play(arguments, *ones()).out
    words = arguments.split()
    asked = dict(zip(words[::2], words[1::2], strict=False))
    seats, low = int(asked.get("--seats", 4)), asked.get("--low", "deuce-to-seven")
    balances, carried = [0] * seats, 0
    deals = re.findall(r"The low hands.*?deal \d+ +in all\n.*?(?=\nThe match is over|\nEnter deals)", out, re.DOTALL)
    assert len(deals) == int(asked["--deals"])
    for number, told in enumerate(deals):
        hands = {
            half: {
                int(seat): cards_in(cards)
                for seat, cards in re.findall(r"^  Seat (\d).*?((?:\S\S ){5})", text, re.MULTILINE)
            }
            for half, text in zip(("low", "high"), told.split("The high hands:"), strict=True)
        }
        left = [(number + 1 + turn) % seats for turn in range(seats)]
        assert list(hands["low"]) == list(hands["high"]) == left, "from the dealer's left"
        settled = reference.settle(
            [reference.worth(hands["low"][seat], low).rank for seat in range(seats)],
            [reference.worth(hands["high"][seat], "high").rank for seat in range(seats)],
            int(asked.get("--ante", 5)),
            dealer=number % seats,
            carried=carried,
        )
        carried = settled.carried
        balances = [balance + net for balance, net in zip(balances, settled.nets, strict=True)]
        score = re.findall(r"^Seat (\d).*?([+-]\d+) +([+-]\d+)$", told, re.MULTILINE)
        assert score == [
            (str(seat), f"{net:+}", f"{balance:+}")
            for seat, (net, balance) in enumerate(zip(settled.nets, balances, strict=True))
        ]
        assert (f"Chips that stay in the pot: {carried}." in told) == (carried > 0)


def test_the_same_seed_gives_the_same_match_in_any_process() -> None:
    """Over a real pipe; bots, deck and screen depend on nothing but the seed and what is typed."""
    runs = {piped("--seed 5 --deals 1", "1\n" * 100, PYTHONHASHSEED=salt) for salt in ("1", "2")}
    assert len(runs) == 1
    (ended,) = runs
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.endswith("The match is over.\n")
    assert "\033" not in ended.out


def test_without_a_seed_every_match_is_another(play: Table) -> None:
    assert len({play("", *ones()).out[:600] for _ in range(3)}) == 3


# --- Choosing ---


@pytest.mark.parametrize("form", ["{rank}{letter}", "{rank}{suit}", "{lower}{letter}", "  {rank}{letter} "])
def test_a_card_can_be_named_instead_of_numbered(play: Table, form: str) -> None:
    by_number = play("--seed 9 --deals 1", *ones()).out
    kept = [CARD.findall(line)[0] for line in by_number.splitlines() if line.startswith("You keep")]
    typed = [
        form.format(rank=rank, lower=rank.lower(), suit=suit, letter=suit.translate(LETTERS)) for rank, suit in kept
    ]
    by_name = play("--seed 9 --deals 1", *typed, "1").out
    assert by_name.split("The low hands")[1] == by_number.split("The low hands")[1]


def test_own_hands_can_be_arranged(play: Table) -> None:
    play("--seed 9 --deals 1", *["1"] * 12, "s before.json")
    pool = states("before.json")[0].pools[0]
    low, high = "".join(map(str, pool[:5])), " ".join(map(str, pool[5:10]))
    out = play("--resume before.json", f"{low} / {high}").out
    told = out.split("The low hands")[1]
    shown = {tuple(sorted(cards_in(line))) for line in told.splitlines() if "(you)" in line}
    assert {tuple(sorted(map(str, pool[:5]))), tuple(sorted(map(str, pool[5:10])))} <= shown


@pytest.mark.parametrize(
    "wrong",
    [
        "0",
        "14",
        "99",
        "-1",
        "1.5",
        "Xs",
        "1 2",
        "pick 1",
        "As Ks",
        "10",
        "/",
        "x" * 5000,
        "9" * 5000,
        "٣٣",
        "\x00",
        "\x1b[A",
    ],
)
def test_wrong_input_is_told_so_and_asked_again(play: Table, wrong: str) -> None:
    """Also where it would be right elsewhere: there are not ten suggestions, and As Ks are two cards."""
    typed = [*["1"] * 12, wrong, "1"] if wrong in ("10", "/") else [wrong, *["1"] * 13]
    ended = play("--seed 1 --deals 1", *typed)
    assert ended.code == 0
    assert ended.out.count("That does not work: ") == 1
    assert ended.out.endswith("The match is over.\n")


def test_a_card_that_is_not_in_the_pack_or_the_pool_is_refused(play: Table) -> None:
    play("--seed 1 --deals 1", "s start.json")
    state = states("start.json")[0]
    other = state.packs[1][0]
    typed = [str(other), *["1"] * 12, "2c3c4c5c7c / 8c9cTcJcQc", "2c / 3c", "2c3c4c5c7c", "1"]
    ended = play("--seed 1 --deals 1", *typed)
    assert ended.out.count("That does not work: ") == 4
    assert ended.out.endswith("The match is over.\n")


@pytest.mark.parametrize(
    ("low", "words"),
    [
        ("deuce-to-seven", ["aces are high", "count against the hand"]),
        ("ace-to-five", ["aces are low", "flushes don't count"]),
        ("ace-to-six", ["aces are low", "count against the hand"]),
        ("deuce-to-six", ["aces are high", "flushes don't count"]),
    ],
)
def test_a_question_mark_explains(play: Table, low: str, words: list[str]) -> None:
    out = " ".join(play(f"--low {low}", "?").out.split())
    for word in [low, *words, "a hint", "save and quit"]:
        assert word in out


def test_a_hint_shows_what_is_in_hand_at_best_and_what_a_bot_would_do(play: Table) -> None:
    """The values of the frontier over pool and pack, and the very choice that the bot then makes."""
    out = play("--seed 8 --deals 1", "1", "1", "h", "s at3.json").out
    state = states("at3.json")[0]
    hinted = out.split("no hands would beat these:\n")[1].split("\nA greedy player would choose ")
    held = [str(card) for card in state.packs[0] + state.pools[0]]
    best = reference.frontier(held, "deuce-to-seven")
    assert len(hinted[0].splitlines()) == len(best)
    card, why = hinted[1].splitlines()[0].split(": ")
    assert card in map(str, state.packs[0])
    assert why
    arranging = play("--seed 8 --deals 1", *["1"] * 12, "h").out
    assert "A greedy player would choose " in arranging


def test_an_empty_line_draws_the_cards_again(play: Table) -> None:
    drawn = play("--seed 8", "", "").out.split("Deal 1 of 4")[1:]
    assert len(drawn) == 3
    assert len({tuple(cards_in(text)) for text in drawn}) == 1


def test_cards_are_laid_out_by_suit_with_ranks_in_columns(play: Table) -> None:
    """Pairs stand one under the other, in the pack and across pack and pool; the numbers go row by row."""
    drawn = play("--seed 8", "1", "1", "1").out.split("pick 4 of 13")[1]
    columns: dict[str, set[int]] = {}
    suits = []
    for line in drawn.splitlines():
        found = list(CARD.finditer(line))
        if found and not line.startswith("You"):
            suits.append({card[2] for card in found})
            assert [card[1] for card in found] == sorted((card[1] for card in found), key="AKQJT98765432".index)
            for card in found:
                columns.setdefault(card[1], set()).add(card.start())
    assert all(len(suit) == 1 for suit in suits)
    assert all(len(places) == 1 for places in columns.values())
    assert [int(number) for number in re.findall(r"(\d+) \w[♣♦♥♠]", drawn)] == list(range(1, 11))


def test_a_terminal_without_suit_signs_gets_letters(play: Table) -> None:
    plain = play("--seed 8 --deals 1 --suspense", "h", *ones(), encoding="ascii")
    signs = play("--seed 8 --deals 1 --suspense", "h", *ones())
    assert plain.code == 0
    assert plain.out == signs.out.translate(LETTERS)


# --- Secrets ---


def strangers(play: Table, arguments: str) -> set[str]:
    """The cards on the screen, before the showdown, that the one person among bots has not held."""
    picks = terminal.begin(vars(terminal.parser().parse_args(arguments.split()))).state.rules.hand_size - 1
    everything = ["?", "h", "", "Xx", "99", "1"]
    Path("here.json").unlink(missing_ok=True)
    drafted = play(arguments, *everything * picks, *everything[:-1], "s here.json").out
    state = states("here.json")[0]
    assert state.phase is Phase.ARRANGE
    seen = {str(card) for packs in state.rounds for card in packs[0]}
    named = set(cards_in(drafted))
    assert named >= seen
    # Cards may also be named in letters: alone, as the hint and errors could, or in a row, as the text of moves does.
    for run in re.findall(r"\b(?:[2-9TJQKA][cdhs])+\b", drafted):
        named |= {run[place : place + 2] for place in range(0, len(run), 2)} if run not in EXPLAINED else set()
    return named - seen


EXPLAINED = {"As", "7h5d4c3s2d", "AsAdAhKsKd"}
"""Examples in the explanation of what can be typed, the same at every table."""

ALONE = ["--seed 21", "--seed 22 --seats 5 --low ace-to-five", "--seed 23 --seats 2 --hand-size 13"]


@pytest.mark.parametrize("arguments", ALONE)
def test_no_card_that_the_person_has_not_seen_is_on_the_screen_before_the_showdown(play: Table, arguments: str) -> None:
    assert strangers(play, arguments) == set()


@pytest.mark.parametrize("where", ["heading", "board", "hint", "explanation"])
def test_a_card_that_slips_in_would_be_found(play: Table, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """All cards are planted, in three ways of writing: the twelve that seat 0 never held are reported."""
    told = getattr(terminal, where)
    planted = f"\n{format_cards(DECK[::3], symbols=True)}, {format_cards(DECK[1::3])}, {''.join(map(str, DECK[2::3]))}"
    monkeypatch.setattr(terminal, where, lambda *given: told(*given) + planted)
    assert len(strangers(play, "--seed 24 --seats 5")) == 12


@pytest.mark.parametrize("arguments", ALONE)
def test_the_showdown_shows_the_lows_then_the_highs_and_never_an_unused_card(play: Table, arguments: str) -> None:
    seats = terminal.begin(vars(terminal.parser().parse_args(arguments.split()))).state.rules.seats
    picks = {4: 12, 5: 9, 2: 12}[seats]
    out = play(f"{arguments} --suspense", *["1"] * (picks + 1), *[""] * 2 * seats, "s end.json").out
    state = states("end.json")[0]
    assert state.phase is Phase.OVER
    lows, highs = out.split("The low hands")[1].split("The high hands")
    hands = [hands for hands in state.arrangements if hands]
    assert set(cards_in(lows)) == {str(card) for way in hands for card in way.low}
    assert set(cards_in(highs)) == {str(card) for way in hands for card in way.high}


def test_with_suspense_a_hand_is_on_the_screen_only_after_its_enter(play: Table) -> None:
    out = play("--seed 21 --suspense", *["1"] * 13, "", "", "").out
    told = out.split("The low hands")[1]
    assert told.count("Enter turns up the hand of") == 4
    assert len(cards_in(told)) == 15


@pytest.mark.parametrize("people", [2, 3, 4])
def test_on_a_shared_screen_a_hand_is_gone_before_the_next_person_looks(play: Table, people: int) -> None:
    """Between two people the screen is cleared, and each of them sees the own pack and pool and nothing else."""
    rounds = 12
    typed = ["", "h", "1"] * people * rounds
    out = play(f"--seed 31 --people {people}", *typed, "", "s here.json").out
    turns = out.split(", take the screen; the others look away.")[1:]
    state = states("here.json")[0]
    assert len(turns) == people * rounds + 1
    for number, turn in enumerate(turns[:-1]):
        taken, seat = divmod(number, people)
        in_hand = {*state.rounds[taken][seat], *state.pools[seat][:taken]}
        assert set(cards_in(turn)) == {str(card) for card in in_hand}
        cleared = turn[turn.rindex("You keep") :]
        assert cleared.count("\n") > 24, "a pipe can't be cleared; its reader is scrolled out of sight"
        assert cards_in(cleared.split("\n", 1)[1]) == []


def test_on_a_shared_screen_cards_are_gone_also_when_somebody_saves_or_leaves(play: Table) -> None:
    for last in ("s x.json", "q"):
        out = play("--seed 31 --people 2", "", last).out
        after = out[out.rindex("(? for help)") :]
        assert after.count("\n") > 24


# --- Saving and going on ---


def test_a_saved_match_says_that_it_holds_all_cards_and_is_for_its_owner_only(play: Table) -> None:
    ended = play("--seed 41", "1", "s evening.json")
    assert ended.code == 0
    assert "Saved. Go on with --resume evening.json." in ended.out
    assert "every card" in ended.out
    assert "every card" in saved("evening.json")["note"]
    assert Path("evening.json").stat().st_mode & 0o077 == 0
    assert [path.name for path in Path().iterdir()] == ["evening.json"]


@pytest.mark.parametrize(
    "arguments",
    [
        "--seed 42 --deals 2 --seats 5 --suspense",
        "--seed 43 --deals 2 --seats 5 --people 2 --ante 3",
        "--seed 44 --deals 1 --seats 5 --bots random --low ace-to-six",
    ],
)
def test_a_match_that_is_saved_anywhere_ends_as_if_it_had_never_stopped(play: Table, arguments: str) -> None:
    unbroken = play(arguments, *ones()).out
    needed = unbroken.count("(? for help):") + unbroken.count("Enter ")
    suspense = " --suspense" * ("--suspense" in arguments)
    for cut in range(0, needed, 5):
        kept = play(arguments, *["1"] * cut, f"s cut{cut}.json").out
        assert "Saved" in kept
        again = play(f"--resume cut{cut}.json{suspense}", *ones()).out
        assert again.endswith(unbroken[unbroken.rindex("The high hands") :]), cut


def test_a_match_that_is_saved_at_every_choice_is_the_same_match(play: Table) -> None:
    arguments = "--seed 45 --deals 2 --seats 5 --people 2"
    unbroken = play(arguments, *ones()).out
    out = play(arguments, "s m.json").out
    while not out.endswith("The match is over.\n"):
        out = play("--resume m.json", "1", "1", "s").out
    assert out.endswith(unbroken[unbroken.rindex("deal 2") :])


def test_leaving_without_saving_leaves_the_saved_match_as_it_was(play: Table) -> None:
    play("--seed 46", "1", "s m.json")
    before = Path("m.json").read_bytes()
    for typed in (["1", "1", "q"], ["1", "1"], []):
        ended = play("--resume m.json", *typed)
        assert ended.code == 0
        assert "Left without saving. m.json is as it was." in ended.out
        assert Path("m.json").read_bytes() == before
    assert "Left without saving." in play("--seed 46", "q").out


def test_a_match_is_saved_where_it_came_from_unless_another_file_is_named(play: Table) -> None:
    play("--seed 46", "s m.json")
    play("--resume m.json", "1", "s")
    assert len(states("m.json")[0].pools[0]) == 1
    play("--resume m.json", "1", "s n.json")
    assert len(states("m.json")[0].pools[0]) == 1
    assert len(states("n.json")[0].pools[0]) == 2
    play("--seed 46", "s")
    assert saved(str(terminal.DEFAULT_FILE))["seed"] == 46


def test_another_match_is_never_overwritten(play: Table) -> None:
    Path("m.json").write_text("precious", encoding="utf-8")
    ended = play("--seed 46", "s m.json", "s .", "s n.json")
    assert ended.out.count("is there already") == 2
    assert Path("m.json").read_text(encoding="utf-8") == "precious"
    assert len(states("n.json")) == 1


@pytest.mark.parametrize("place", ["nowhere/m.json", "m\x00.json", "x" * 300])
def test_a_place_that_cannot_be_written_is_told_and_play_goes_on(play: Table, place: str) -> None:
    ended = play("--seed 46 --deals 1", f"s {place}", *ones())
    assert "Not saved: " in ended.out
    assert ended.out.endswith("The match is over.\n")


def test_a_disk_that_is_full_in_the_middle_of_saving_loses_nothing(
    play: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    play("--seed 46", "1", "s m.json")
    before = Path("m.json").read_bytes()
    write_text = Path.write_text

    def half(path: Path, text: str, encoding: str) -> int:
        write_text(path, text[: len(text) // 2], encoding=encoding)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", half)
    ended = play("--resume m.json", "1", "s", "q")
    assert "No space left on device" in ended.out
    assert Path("m.json").read_bytes() == before
    assert [path.name for path in Path().iterdir()] == ["m.json"]


# --- Files and arguments that are wrong ---


def refused(ended: Ended) -> bool:
    """One line on stderr, exit code 2, and nothing else."""
    assert ended.out == ""
    assert ended.err.startswith("terminal.py: ")
    assert ended.err.count("\n") == 1
    return ended.code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        "--seats 6",
        "--seats 3",
        "--seats four",
        "--seats 4 --hand-size 14",
        "--people 0",
        "--people 5",
        "--people -1",
        "--deals 0",
        "--ante -5",
        "--ante 2.5",
        "--low 27",
        "--bots clever",
        "--seed x",
        "--resume",
        "--resume nothing.json",
        "--resume .",
        "--resume nothing.json --seats 4",
        "--sea 4",
        "--color",
        "file.json",
    ],
)
def test_wrong_arguments_get_one_line_and_exit_code_2(play: Table, arguments: str) -> None:
    assert refused(play(arguments))


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]", b"null", b"\xff\xfe", b"{" * 100_000, b"[" * 100_000, b"9" * 10_000, b'{"format": 1}', b"NaN"],
    ids=lambda data: ascii(data[:12]),
)
def test_a_file_that_is_no_saved_match_is_refused(play: Table, data: bytes) -> None:
    Path("m.json").write_bytes(data)
    assert refused(play("--resume m.json"))


def test_a_damaged_match_is_refused_or_can_be_played(play: Table) -> None:
    play("--seed 47 --seats 5 --deals 2 --suspense", *["1"] * 30, "s m.json")
    document, data, rng = saved("m.json"), Path("m.json").read_bytes(), random.Random(47)
    assert len(document["records"]) == 2
    outcomes = set()
    for number in range(60):
        spoilt = damaged_bytes(data, rng) if number % 2 else json.dumps(damaged(document, rng)).encode()
        Path("spoilt.json").write_bytes(spoilt)
        try:
            game = terminal.load(Path("spoilt.json"))
        except ValueError:
            outcomes.add("refused")
            if number % 10 == 0:
                assert refused(play("--resume spoilt.json"))
        else:
            outcomes.add("played")
            if game.deals < 5:
                assert play("--resume spoilt.json", *ones()).code == 0
    assert "refused" in outcomes


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("people", 6),
        ("people", True),
        ("bots", ["greedy"]),
        ("bots", "clever"),
        ("deals", 0),
        ("deals", 1),
        ("seed", None),
        ("version", 2),
        ("records", []),
        ("records", [5]),
        ("records", "none"),
    ],
)
def test_a_match_with_a_wrong_field_is_refused(play: Table, field: str, wrong: object) -> None:
    play("--seed 47 --seats 5 --deals 2", *["1"] * 11, "s m.json")
    assert len(saved("m.json")["records"]) == 2
    Path("m.json").write_text(json.dumps({**saved("m.json"), field: wrong}), encoding="utf-8")
    assert refused(play("--resume m.json"))


def test_records_that_do_not_follow_from_each_other_are_refused(play: Table) -> None:
    play("--seed 47 --seats 5 --deals 3", *["1"] * 11, "s m.json")
    document = saved("m.json")
    first, second = document["records"]
    for records in ([first, first], [second], [second, first], [first, {**second, "carried": second["carried"] + 1}]):
        Path("m.json").write_text(json.dumps({**document, "records": records}), encoding="utf-8")
        assert refused(play("--resume m.json"))


def test_hands_that_were_turned_up_before_the_match_was_saved_are_told_again(play: Table) -> None:
    """The program saves no such match, but a record can be of one."""
    play("--seed 48", *["1"] * 12, "s m.json")
    document = saved("m.json")
    state = states("m.json")[0]
    for seat in range(4):
        state = state.apply(state.legal_moves(seat)[0])
    record = json.loads(Record.of(state.show(2)).to_json())
    Path("m.json").write_text(json.dumps({**document, "records": [record]}), encoding="utf-8")
    told = play("--resume m.json").out.split("The high hands")[0]
    assert len(cards_in(told)) == 20


# --- At a terminal ---


class Terminal:
    """A pseudo-terminal with the program at its other end."""

    def __init__(self, arguments: str, env: dict[str, str]) -> None:
        self._screen, inner = pty.openpty()
        self.resize(80)
        # In a session of its own, the program is the one that gets Ctrl-C from this terminal.
        start = (
            "import fcntl, runpy, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
            "del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"
        )
        self._program = subprocess.Popen(
            [sys.executable, "-c", start, str(PROGRAM), *arguments.split()],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=env,
            start_new_session=True,
        )
        os.close(inner)
        self.text = ""

    def resize(self, columns: int) -> None:
        fcntl.ioctl(self._screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def until(self, prompt: str | None, again: str | None = None) -> str:
        """What is written up to a prompt, or up to the end of the program; a key may be pressed again till then."""
        written = b""
        while prompt is None or not written.decode(errors="ignore").endswith(prompt):
            while again is not None and not select.select([self._screen], [], [], 1)[0]:
                os.write(self._screen, again.encode())
            try:
                piece = os.read(self._screen, 65536)
            except OSError:  # how Linux says that the other end is closed
                piece = b""
            if not piece:
                assert prompt is None, written.decode(errors="replace")
                break
            written += piece
        self.text += written.decode()
        return written.decode()

    def type(self, text: str, prompt: str | None = "(? for help): ") -> str:
        os.write(self._screen, text.encode())
        return self.until(prompt)

    def press(self, key: str) -> str:
        """What is written after Ctrl and a key, up to the end of the program.

        Python notices a Ctrl-C that comes just before it reads only when it has read: a person presses again.
        """
        os.write(self._screen, key.encode())
        return self.until(None, key)

    def end(self) -> int:
        code = self._program.wait()
        os.close(self._screen)
        return code


def test_a_match_at_a_terminal_has_colours_and_follows_a_resize() -> None:
    screen = Terminal("--seed 51 --deals 1", environment())
    first = screen.until("(? for help): ")
    assert re.search(r"\033\[31m\w♥\033\[0m", first)
    assert set(re.findall(r"\033\[\d+m", first)) == {"\033[31m", "\033[32m", "\033[36m", "\033[0m"}
    wide = screen.type("\n")
    for columns in (40, 30, 200, 80):
        screen.resize(columns)
        drawn = re.sub(r"\033\[\d+m", "", screen.type("\n"))
        lines = drawn.splitlines()
        assert max(map(len, lines[1:-1])) <= columns
        assert sorted(cards_in(drawn)) == sorted(cards_in(wide))
    for _ in range(12):
        screen.type("1\n")
    assert screen.type("1\n", None).endswith("The match is over.\r\n")
    assert screen.end() == 0


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_are_left_out_where_they_are_not_wanted(env: dict[str, str]) -> None:
    screen = Terminal("--seed 51 --deals 1", environment(**env))
    assert cards_in(screen.until("(? for help): "))
    screen.type("q\n", None)
    assert screen.end() == 0
    assert "\033[" not in screen.text


def test_no_color_that_is_empty_means_nothing() -> None:
    screen = Terminal("--seed 51", environment(NO_COLOR=""))
    assert "\033[3" in screen.until("(? for help): ")
    screen.type("q\n", None)
    assert screen.end() == 0


def test_a_shared_terminal_is_wiped_with_what_could_be_scrolled_back_to() -> None:
    screen = Terminal("--seed 51 --people 2", environment(NO_COLOR="1"))
    screen.until("cards. ")
    screen.type("\n")
    told = screen.type("1\n", "cards. ")
    kept, curtain = told.split("\033[2J\033[3J\033[H")
    assert cards_in(kept)
    assert cards_in(curtain) == []
    screen.type("q\n", None)
    assert screen.end() == 0


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_ctrl_c_and_ctrl_d_leave_in_peace(play: Table, key: str, code: int) -> None:
    play("--seed 52 --people 2", "", "1", "s m.json")
    before = Path("m.json").read_bytes()
    screen = Terminal("--resume m.json", environment())
    screen.until("cards. ")
    screen.type("\n")
    told = screen.press(key)
    assert screen.end() == code
    assert "Traceback" not in screen.text
    assert "m.json is as it was." in told
    assert Path("m.json").read_bytes() == before


def test_an_interrupt_over_a_pipe_leaves_in_peace_too() -> None:
    command = [sys.executable, str(PROGRAM)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment()) as program:
        assert program.stdout is not None and program.stderr is not None
        while not program.stdout.readline().startswith(b"Your pack"):
            pass
        while program.poll() is None:
            program.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                program.wait(1)
        assert b"Left without saving." in program.stdout.read()
        assert program.stderr.read() == b""
    assert program.returncode == 130


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    command = f"yes 1 | {sys.executable} {PROGRAM} | head -1"
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment())
    assert ran.stdout.startswith("---")
    assert ran.stderr == ""


@pytest.mark.parametrize("typed", [b"\xff\xfe\n1\n", b"\xc3\n", b"1\n1", b""])
def test_any_bytes_may_come_in_and_may_end_anywhere(typed: bytes) -> None:
    ended = piped("--seed 53", typed)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.endswith("Left without saving.\n")


def test_the_help_names_every_option() -> None:
    ended = piped("--help", "")
    assert ended.code == 0
    for option in ("--seats", "--low", "--ante", "--seed", "--deals", "--people", "--resume", "--suspense"):
        assert option in ended.out


def test_nothing_but_the_public_api_and_the_standard_library_is_used() -> None:
    for module in re.findall(r"^(?:from|import) (\w+)(\.\S+)?", PROGRAM.read_text(encoding="utf-8"), re.MULTILINE):
        assert module == ("essen_hilo", "") or module[0] in sys.stdlib_module_names
