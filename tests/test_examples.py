"""`examples/quickstart.py` and `examples/score.py`: what they tell is read as a player reads it.

The told cards and chips are held against the rules and the plain reference; the programs' own words are never the
measure.
"""

from __future__ import annotations

import os
import pty
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

import essen_hilo
from essen_hilo import Phase, Record
from examples import quickstart, score
from tests import games, reference
from tests.reference import HIGH, PACK, worth
from tests.reference_game import Setting

EXAMPLES = Path(__file__).parents[1] / "examples"
SAMPLE = EXAMPLES / "score_sample.txt"
ASCII_ONLY = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


class Ended(NamedTuple):
    """What a run of a program has left."""

    code: int
    out: str
    err: str


def run(program: str, *arguments: str | Path, typed: bytes = b"", env: dict[str, str] | None = None) -> Ended:
    """Runs an example as a shell does, with the very package that is tested."""
    ran = subprocess.run(
        [sys.executable, EXAMPLES / program, *arguments], input=typed, capture_output=True, env=environment(env or {})
    )
    return Ended(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def environment(more: dict[str, str]) -> dict[str, str]:
    path = os.pathsep.join([str(Path(essen_hilo.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", **more}


class Call:
    """Runs an example in this process, which is quicker than starting it."""

    def __init__(self, captured: pytest.CaptureFixture[str]) -> None:
        self._captured = captured

    def __call__(self, main: Callable[[Sequence[str]], None], *arguments: str | Path) -> Ended:
        code: object = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as left:
            code = left.code
        out, err = self._captured.readouterr()
        assert isinstance(code, int)
        return Ended(code, out, err)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    return Call(capsys)


def assert_refused(ended: Ended) -> str:
    """Bad input takes one line and exit code 2, and nothing is told; the line is given back."""
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith("\n") and ended.err.count("\n") == 1 and "Traceback" not in ended.err
    return ended.err


# --- Reading the story of a deal ---


@dataclass
class Told:
    """What the story of a deal says, in text only."""

    rounds: list[dict[int, tuple[str, list[str]]]] = field(default_factory=list)
    """By round and seat, the card kept and those passed on."""
    lows: dict[int, list[str]] = field(default_factory=dict)
    highs: dict[int, list[str]] = field(default_factory=dict)
    unused: dict[int, list[str]] = field(default_factory=dict)
    shown: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    """By half and seat, the hand that was turned up."""
    won: dict[str, tuple[int, list[int]]] = field(default_factory=dict)
    """By half, its chips and who won them."""
    chips: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By seat, what it got and its net result."""
    left: int = 0


def cards_in(text: str) -> list[str]:
    return re.findall(r"\b[2-9TJQKA][cdhs]\b", text)


def read_story(text: str) -> Told:
    told = Told()
    for part in text.strip().split("\n\n"):
        heading, *lines = part.split("\n")
        by_seat = {int(found[1]): line for line in lines if (found := re.match(r"  Seat (\d)", line))}
        if heading.startswith("Pick"):
            assert heading.startswith(f"Pick {len(told.rounds) + 1} of ")
            told.rounds.append({seat: (cards_in(line)[0], cards_in(line)[1:]) for seat, line in by_seat.items()})
        elif heading == "Arrange":
            for seat, line in by_seat.items():
                told.lows[seat], told.highs[seat] = cards_in(line)[:5], cards_in(line)[5:10]
                told.unused[seat] = cards_in(line)[10:]
        elif heading.startswith("Showdown, "):
            half = heading.split()[1]
            told.shown[half] = {seat: cards_in(line.partition("(")[0]) for seat, line in by_seat.items()}
            award = lines[-1]
            amount = re.match(rf"  The {half} half is (\d+) chips?\.", award)
            winners = re.search(r"Seats? ([\d, and]+) (?:wins?|ties?)", award)
            assert amount and winners, award
            told.won[half] = int(amount[1]), [int(seat) for seat in re.findall(r"\d", winners[1])]
        elif heading == "Chips":
            for seat, line in by_seat.items():
                found = re.fullmatch(r"  Seat \d gets (\d+) \(([+-]\d+)\)\.", line)
                assert found, line
                told.chips[seat] = int(found[1]), int(found[2])
            if rest := re.search(r"Left in the pot for the next deal: (\d+)", lines[-1]):
                told.left = int(rest[1])
    return told


DEALS = [
    (4, "deuce-to-seven", 5, ["--seed", "1"]),
    (5, "deuce-to-seven", 5, ["--seats", "5", "--seed", "2"]),
    (5, "ace-to-five", 1, ["--seats", "5", "--low", "ace-to-five", "--ante", "1", "--seed", "3"]),
    (4, "ace-to-six", 0, ["--low", "ace-to-six", "--ante", "0", "--seed", "4"]),
    (5, "deuce-to-six", 1001, ["--low", "deuce-to-six", "--ante", "1001", "--seats", "5", "--seed", "5"]),
]

every_deal = pytest.mark.parametrize(("seats", "low", "ante", "options"), DEALS)


@every_deal
def test_the_story_of_a_deal_keeps_to_the_rules(
    call: Call, seats: int, low: str, ante: int, options: list[str]
) -> None:
    code, out, err = call(quickstart.main, *options)
    assert (code, err) == (0, "")
    told = read_story(out)
    everybody = range(seats)
    assert low in out and f"{seats * ante} chips" in out

    hand_size = {4: 13, 5: 10}[seats]
    assert len(told.rounds) == hand_size
    dealt = [card for kept, passed in told.rounds[0].values() for card in [kept, *passed]]
    assert len(dealt) == len(set(dealt)) == seats * hand_size and set(dealt) <= set(PACK)
    for before, after in zip(told.rounds, told.rounds[1:], strict=False):
        for seat in everybody:
            kept, passed = after[(seat + 1) % seats]
            assert sorted([kept, *passed]) == sorted(before[seat][1]), "a pack goes on as it was passed, to the left"
    assert all(passed == [] for _, passed in told.rounds[-1].values())

    for seat in everybody:
        pool = sorted(told.lows[seat] + told.highs[seat] + told.unused[seat])
        assert pool == sorted(kept for kept, _ in (told_round[seat] for told_round in told.rounds))
        assert told.shown["low"][seat] == told.lows[seat] and told.shown["high"][seat] == told.highs[seat]

    settled = reference.settle(
        [worth(told.lows[seat], low).rank for seat in everybody],
        [worth(told.highs[seat], HIGH).rank for seat in everybody],
        ante,
    )
    assert told.won["low"] == (settled.low_half, settled.low_winners)
    assert told.won["high"] == (settled.high_half, settled.high_winners)
    assert told.chips == {seat: (settled.payouts[seat], settled.nets[seat]) for seat in everybody}
    assert told.left == settled.carried
    assert sum(payout for payout, _ in told.chips.values()) + told.left == seats * ante


@every_deal
def test_a_recorded_deal_is_told_again_in_the_same_words(
    call: Call, tmp_path: Path, seats: int, low: str, ante: int, options: list[str]
) -> None:
    path = tmp_path / "game.json"
    first = call(quickstart.main, *options, "--record", path)
    again = call(quickstart.main, "--replay", path)
    assert first == again and first.code == 0
    state = Record.from_json(path.read_bytes()).replay()
    assert state.phase is Phase.OVER and state.result is not None
    assert (state.rules.seats, state.rules.low.name, state.rules.ante) == (seats, low, ante)
    told = read_story(first.out)
    assert [told.chips[seat][0] for seat in range(seats)] == list(state.result.payouts)
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_the_same_seed_gives_the_same_deal_and_no_seed_a_new_one(call: Call) -> None:
    assert call(quickstart.main, "--seed", "7") == call(quickstart.main, "--seed", "7")
    assert len({call(quickstart.main).out for _ in range(3)} | {call(quickstart.main, "--seed", "7").out}) == 4


def test_a_game_that_somebody_else_wrote_down_is_told_with_ties_and_carried_chips(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    for seed in range(60):
        game = games.game(seed)
        path.write_text(Record.of(game.states[-1]).to_json(), encoding="utf-8")
        told = read_story(call(quickstart.main, "--replay", path).out)
        setting, everybody = game.setting, range(game.setting.seats)
        settled = reference.settle(
            [worth(told.lows[seat], setting.low).rank for seat in everybody],
            [worth(told.highs[seat], HIGH).rank for seat in everybody],
            setting.ante,
            setting.odd_chips,
            setting.dealer,
            setting.carried,
        )
        assert told.won["low"] == (settled.low_half, settled.low_winners)
        assert told.won["high"] == (settled.high_half, settled.high_winners)
        assert [told.chips[seat] for seat in everybody] == list(zip(settled.payouts, settled.nets, strict=True))
        assert told.left == settled.carried


def test_a_record_that_ends_early_is_told_as_far_as_it_goes(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    whole = Record.of(games.game(5, Setting()).states[-1])
    for count in range(len(whole.moves)):
        record = Record(whole.rules, moves=whole.moves[:count])
        path.write_text(record.to_json(), encoding="utf-8")
        ended = call(quickstart.main, "--replay", path)
        assert ended.code == 0 and f"in phase {record.replay().phase}" in ended.out
        picks = [move for move in record.moves if str(move).startswith("pick")]
        assert ended.out.count(" keeps ") == len(picks)


def test_at_a_terminal_a_replay_goes_on_at_enter(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    plain = call(quickstart.main, "--seats", "5", "--record", path).out
    ours, theirs = pty.openpty()
    command = [sys.executable, str(EXAMPLES / "quickstart.py"), "--replay", str(path)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment({})) as program:
        os.close(theirs)
        seen, pressed = "", 0
        while True:
            try:
                seen += os.read(ours, 65536).decode()
            except OSError:  # the program has left
                break
            if seen.count("Enter goes on.") > pressed:
                pressed += 1
                assert seen.replace("\r\n", "\n").count("\n\n") <= 2 * pressed, "one paragraph at a time"
                os.write(ours, b"\n")
    os.close(ours)
    assert (program.returncode, pressed) == (0, 1 + 10 + 1 + 2 + 1 - 1)
    assert re.sub(r"Enter goes on\.\s*", "", seen.replace("\r\n", "\n")).split() == plain.split()


# --- What the quickstart refuses ---


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--seats 3", "--seats"),
        ("--seats six", "--seats"),
        ("--low sevens", "ace-to-five"),
        ("--ante -1", "ante"),
        ("--ante 2.5", "--ante"),
        ("--ante " + "9" * 4300, "digits"),
        ("--ante " + "9" * 5000, "--ante"),
        ("--seed x", "--seed"),
        ("--bots 5", "--bots"),
        ("--rec game.json", "--rec"),
        ("surplus", "surplus"),
        ("--replay game.json --seats 5", "--replay"),
        ("--replay game.json --record other.json", "--replay"),
        ("--replay missing.json", "missing.json"),
        ("--replay .", "irectory"),
        ("--record .", "not a file"),
        ("--record missing/game.json", "missing/game.json"),
        ("--record " + "x" * 300, "xxx"),
        ("--record /dev/null", "/dev/null"),
    ],
)
def test_wrong_options_take_one_line(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert named in assert_refused(call(quickstart.main, *options.split()))
    assert list(tmp_path.iterdir()) == []


def test_a_message_is_one_line_whatever_was_typed(call: Call) -> None:
    for main in (quickstart.main, score.main):
        assert_refused(call(main, "one\ntwo", "three\r\nfour"))


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"{}", b"[" * 200_000, b"x" * 3_000_000, b"ante 5\nBo: As", b'{"format": "a chess game"}'],
)
def test_a_file_that_is_no_record_takes_one_line(call: Call, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    assert "game.json: " in assert_refused(call(quickstart.main, "--replay", path))
    assert path.read_bytes() == content


def test_a_record_that_was_tampered_with_is_refused_at_its_move(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    call(quickstart.main, "--record", path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"pick 2 ', '"pick 1 ', 1), encoding="utf-8")
    assert "move 4" in assert_refused(call(quickstart.main, "--replay", path))


def test_a_disk_that_fails_leaves_the_old_record_and_nothing_else(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    path.write_text("the old one", encoding="utf-8")

    def half_written(self: Path, text: str, encoding: str) -> int:
        self.write_bytes(text[: len(text) // 2].encode(encoding))
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", half_written)
        assert "No space left" in assert_refused(call(quickstart.main, "--record", path))
    assert path.read_text(encoding="utf-8") == "the old one"
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_new_record_takes_the_place_of_an_old_one_in_one_step(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("the old one", encoding="utf-8")
    with path.open(encoding="utf-8") as being_read:
        assert call(quickstart.main, "--record", path).code == 0
        assert being_read.read() == "the old one"
    Record.from_json(path.read_bytes())


def test_a_record_goes_where_a_link_points(call: Call, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    link = tmp_path / "latest.json"
    link.symlink_to("games/first.json")
    assert call(quickstart.main, "--record", link).code == 0
    assert link.is_symlink()
    Record.from_json((tmp_path / "games/first.json").read_bytes())


# --- As programs ---


def test_the_programs_run_where_only_ascii_can_be_written() -> None:
    deal = run("quickstart.py", "--seed", "7", env=ASCII_ONLY)
    assert (deal.code, deal.err, deal.out.isascii()) == (0, "", True)
    scored = run("score.py", SAMPLE, env=ASCII_ONLY)
    assert (scored.code, scored.err, scored.out.isascii()) == (0, "", True)
    assert "sa  " in scored.out and "Bo  " in scored.out


@pytest.mark.parametrize("command", [["quickstart.py"], ["score.py", str(SAMPLE)]])
def test_a_reader_that_leaves_is_no_error(command: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as out:
        ran = subprocess.run(
            [sys.executable, EXAMPLES / command[0], *command[1:]],
            stdout=out,
            stderr=subprocess.PIPE,
            env=environment({}),
        )
    assert (ran.returncode, ran.stderr) == (1, b"")


def test_each_program_refuses_in_one_line_when_run() -> None:
    assert assert_refused(run("quickstart.py", "--low", "x")).startswith("quickstart.py: low: ")
    assert assert_refused(run("score.py", "missing.txt")).startswith("score.py: missing.txt: ")
    assert assert_refused(run("score.py", typed=b"\xff\xfeA\x00")).startswith("score.py: standard input: line 1: ")


# --- Scoring real hands ---

LINE = re.compile(r"  (.+?)  +((?:\w\w ){5}) (.+?)(?:: wins (\d+))?")


@dataclass
class Scored:
    """What a settlement says: by half its chips, what stayed, and by name the hand and the chips won."""

    amount: dict[str, int] = field(default_factory=dict)
    hands: dict[str, dict[str, tuple[list[str], int]]] = field(default_factory=dict)
    stayed: dict[str, int] = field(default_factory=dict)
    chips: dict[str, tuple[int, int]] = field(default_factory=dict)
    left: int = 0


def read_settlement(text: str) -> Scored:
    told = Scored()
    for part in text.strip().split("\n\n")[1:]:
        heading, *lines = part.split("\n")
        found = re.fullmatch(r"(Low|High) half: (\d+)", heading)
        half = found[1].lower() if found else "chips"
        if found:
            told.amount[half], told.hands[half] = int(found[2]), {}
        for line in lines:
            if rest := re.fullmatch(r"  (?:left in|can't be divided and stays in) the pot.*: (\d+)", line):
                if found:
                    told.stayed[half] = int(rest[1])
                else:
                    told.left = int(rest[1])
            elif hand := LINE.fullmatch(line):
                told.hands[half][hand[1]] = cards_in(hand[2]), int(hand[4] or 0)
            else:
                gets = re.fullmatch(r"  (.+?) +gets (\d+) \(([+-]\d+)\)", line)
                assert gets, line
                told.chips[gets[1]] = int(gets[2]), int(gets[3])
    return told


@pytest.fixture
def scored(call: Call, tmp_path: Path) -> Callable[[str], Ended]:
    """Scores the text of a file."""

    def score_text(text: str) -> Ended:
        path = tmp_path / "evening.txt"
        path.write_text(text, encoding="utf-8", newline="")
        return call(score.main, path)

    return score_text


Score = Callable[[str], Ended]


def test_the_sample_has_the_figures_of_the_source(call: Call) -> None:
    code, out, err = call(score.main, SAMPLE)
    assert (code, err) == (0, "")
    told = read_settlement(out)
    assert told.amount == {"low": 12, "high": 13}
    assert told.chips == {"Åsa": (0, -5), "Bo": (12, 7), "Cecilia": (0, -5), "Dag": (13, 8), "Eva Karin": (0, -5)}
    assert told.hands["low"]["Bo"] == (["7c", "5d", "4s", "3h", "2d"], 12)
    assert told.hands["high"]["Cecilia"] == (["Ts", "9s", "8s", "7h", "6c"], 0)
    assert told.hands["high"]["Dag"][1] == 13


def test_standard_input_is_read_as_a_file_is() -> None:
    from_a_file = run("score.py", SAMPLE)
    assert from_a_file.code == 0
    assert run("score.py", typed=SAMPLE.read_bytes()) == run("score.py", "-", typed=SAMPLE.read_bytes()) == from_a_file


def test_any_hands_are_settled_as_by_the_rules(scored: Score) -> None:
    names = ["Ann", "Bo Ek", "Cy", "Di", "Øystein"]
    for seed in range(40):
        game = games.game(seed)
        setting, state = game.setting, game.states[-1]
        seats = range(setting.seats)
        lows, highs = ([list(map(str, hand or ())) for hand in hands] for hands in (state.low_hands, state.high_hands))
        lines = [f"{names[seat]}: {' '.join(lows[seat])} / {''.join(highs[seat])}" for seat in seats]
        settings = [
            f"ante {setting.ante}",
            f"low {setting.low}",
            f"carried {setting.carried}",
            f"odd-chips {setting.odd_chips}",
            f"dealer {names[setting.dealer]}",
        ]
        code, out, _ = scored("\n".join([*lines, *settings]))
        assert code == 0
        told = read_settlement(out)
        settled = reference.settle(
            [worth(low, setting.low).rank for low in lows],
            [worth(high, HIGH).rank for high in highs],
            setting.ante,
            setting.odd_chips,
            setting.dealer,
            setting.carried,
        )
        assert told.amount == {"low": settled.low_half, "high": settled.high_half}
        assert [told.hands["low"][names[seat]][1] for seat in seats] == settled.low_shares
        assert [told.hands["high"][names[seat]][1] for seat in seats] == settled.high_shares
        assert [told.chips[names[seat]] for seat in seats] == list(zip(settled.payouts, settled.nets, strict=True))
        assert (told.stayed.get("low", 0), told.stayed.get("high", 0)) == (settled.low_stayed, settled.carried)
        assert told.left == settled.carried
        for half, rule in (("low", setting.low), ("high", HIGH)):
            ranks = [worth(hand, rule).rank for hand, _ in told.hands[half].values()]
            assert ranks == sorted(ranks), "the best hand is told first"


def test_a_tie_leaves_a_chip_for_the_next_deal(scored: Score) -> None:
    text = """ante 5
        Ann: 7c 5c 4c 3c 2d / Ac Kc Qh Jh 9h
        Bo:  7d 5d 4d 3d 2c / As Ks Qd Jd 9d
        Cy:  8c 6c 4h 3h 2h / 8d 6d 4s 3s 2s"""
    told = read_settlement(scored(text).out)
    assert told.amount == {"low": 7, "high": 9}
    assert told.stayed == {"low": 1, "high": 1} and told.left == 1
    assert told.chips == {"Ann": (7, 2), "Bo": (7, 2), "Cy": (0, -5)}

    left_of_bo = read_settlement(scored(f"{text}\nodd-chips left-of-dealer\ndealer bo").out)
    assert left_of_bo.chips == {"Ann": (8, 3), "Bo": (7, 2), "Cy": (0, -5)} and left_of_bo.left == 0
    assert left_of_bo.amount == {"low": 7, "high": 8}


HANDS = {
    "Ann": "7c 5d 4s 3h 2d / Ah Kh Td 9c 6s",
    "Bo": "9d 7s 6h 4c 2h / Ts 9s 8s 7h 6c",
    "Cy": "Qc 8h 5c 3d 2s / As Ad Ac Kc Kd",
}


def sheet(*more: str, **hands: str) -> str:
    """A file with three players, some of whom may have other cards, and other lines."""
    return "\n".join(["ante 5", *(f"{name}: {cards}" for name, cards in (HANDS | hands).items()), *more])


@pytest.mark.parametrize(
    "as_typed",
    [
        "7c5d4s3h2d/AhKhTd9c6s",
        "7C 5D 4S 3H 2D / AH KH 10D 9C 6S",
        "7♣ 5♦ 4♠ 3♥ 2♦ / A♥️ K♡ 10♢ 9♧ 6♤",
        "2d,3h,4s,5d,7c/6s,9c,10d,Kh,Ah   # well done",
        "\t7c\t5d 4s\u00a03h 2d\t/ Ah Kh Td 9c 6s ",
    ],
)
def test_cards_are_read_in_many_ways(scored: Score, as_typed: str) -> None:
    expected = scored(sheet())
    assert expected.code == 0
    assert scored(sheet(Ann=as_typed)) == expected


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n\n\n", "  # a note: with a colon\n"])
def test_blank_lines_comments_and_line_ends_do_not_matter(scored: Score, end: str) -> None:
    assert scored(sheet().replace("\n", end) + end) == scored(sheet())
    assert scored("\ufeff" + sheet()) == scored(sheet())


def test_settings_may_stand_anywhere_and_are_read_kindly(scored: Score) -> None:
    other = sheet("  LOW  Ace to five", "Dealer  cY", "carried 0")
    assert scored(other) == scored("low ace-to-five\n" + sheet())
    assert "ace-to-five" in scored(other).out


def test_a_player_may_be_called_ante(scored: Score) -> None:
    told = read_settlement(scored(sheet().replace("Bo:", "Ante:")).out)
    assert "Ante" in told.chips


def test_a_table_of_two_to_five_can_be_scored(scored: Score) -> None:
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    settings, players = [line for line in lines if ":" not in line], [line for line in lines if " / " in line]
    for seats in range(2, 6):
        told = read_settlement(scored("\n".join(settings + players[:seats])).out)
        assert len(told.chips) == seats
        assert sum(payout for payout, _ in told.chips.values()) + told.left == 5 * seats


# --- Players who have not decided ---


@pytest.mark.parametrize(("seats", "size"), [(2, 10), (2, 26), (3, 13), (3, 17), (4, 13), (5, 10)])
def test_best_arrangements_are_offered_and_can_be_written_into_the_file(scored: Score, seats: int, size: int) -> None:
    pack = random.Random(seats * size).sample(PACK, 52)
    names = ["Ann", "Bo Ek", "Cy", "Di", "Eve"][:seats]
    cards = {name: pack[seat * size : (seat + 1) * size] for seat, name in enumerate(names)}
    code, out, _ = scored("\n".join(["ante 5", *(f"{name}: {' '.join(cards[name])}" for name in names)]))
    assert code == 0 and "Not settled" in out and "half" not in out
    chosen = []
    for number, (name, part) in enumerate(zip(names, out.split("\n\n")[1:-1], strict=True), 2):
        heading, *lines = part.split("\n")
        assert heading.startswith(f"Line {number}, {name}: ")
        offered, told = lines[::2], lines[1::2]
        assert "strongest high" in told[0] and "strongest low" in told[-1]
        assert sum("strongest high" in line for line in told) == sum("strongest low" in line for line in told) == 1
        ranks = []
        for line in offered:
            hands = cards_in(line)
            assert line.startswith(f"{name}: ") and set(hands) <= set(cards[name]) and len(set(hands)) == 10
            ranks.append((worth(hands[:5], "deuce-to-seven").rank, worth(hands[5:], HIGH).rank))
        if size <= 13:
            assert ranks == reference.frontier(cards[name], "deuce-to-seven")
        assert ranks == sorted(ranks, key=lambda rank: rank[1]) == sorted(ranks, reverse=True)
        chosen.append(offered[0])
    assert read_settlement(scored("\n".join(["ante 5", *chosen])).out).chips.keys() == set(names)


def test_the_other_players_wait_for_one_who_has_not_decided(scored: Score) -> None:
    thirteen = HANDS["Bo"].replace("/", "3c Jd Qs")
    out = scored(sheet(Bo=thirteen)).out
    assert "Bo: " in out and "Ann" not in out and "Not settled" in out
    four = scored(sheet(Bo=thirteen) + "\nDi: 8c 8d 3s 4d 5s / Jc Js Jh Th 5h")
    assert four.code == 0 and "Bo: " in four.out
    assert_refused(scored(sheet(Bo=thirteen) + "\nDi: 8c 8d 3s 4d 5s 6d Jc Js Jh Th 5h 2c"))


def test_house_sizes_for_four_and_five_are_asked_for_by_name(scored: Score) -> None:
    ten = HANDS["Bo"].replace("/", "")
    four = sheet(Bo=ten) + "\nDi: 8c 8d 3s 4d 5s / Jc Js Jh Th 5h"
    assert "line 3" in assert_refused(scored(four))
    assert scored(four + "\ncards 10").code == 0
    assert "line 6" in assert_refused(scored(four + "\ncards 14"))


# --- What a score file is refused for, and at which line ---


@pytest.mark.parametrize(
    ("text", "line", "named"),
    [
        (sheet(Bo="9d 7s 6h 4c 2x / Ts 9s 8s 7h 6c"), 3, "'2x' at character 17"),
        (sheet(Bo="9d 7s 6h 4c 2h / Ts 9s 1s 7h 6c"), 3, "'1s' at character 28"),
        (sheet(Bo="9d 7s 6h 4c 2h / Ts 9s 8s 7h 6с"), 3, "U+0441"),
        (sheet(Bo="9d 7s 6h 4c 2h / Ts 9s 8s 7h 9d"), 3, "9d"),
        (sheet(Bo="9d 7s 6h 4c / Ts 9s 8s 7h 6c"), 3, "low hand is five cards, not 4"),
        (sheet(Bo="9d 7s 6h 4c 2h / Ts 9s 8s 7h 6c 2c"), 3, "high hand is five cards, not 6"),
        (sheet(Bo="9d 7s 6h 4c 2h / Ts 9s 8s / 7h 6c"), 3, "'/'"),
        (sheet(Bo="/ Ts 9s 8s 7h 6c"), 3, "low hand is five cards, not 0"),
        (sheet(Bo=" / "), 3, "no cards"),
        (sheet(Bo=""), 3, "no cards"),
        (sheet(Bo="9d 7s 6h 4c 2h Ts 9s 8s 7h"), 3, "9"),
        (sheet(Bo="9d7s6h4c2hTs9s8s7h6c3cJdQsJs3s4d5s5h"), 3, "18"),
        (sheet(Bo="9d 7s 6h 4c 2h / Ts 9s 8s 7h Ah"), 3, "Ah"),
        (sheet().replace("Cy:", "ann :"), 4, "line 2"),
        (sheet().replace("Bo:", ":"), 3, "name"),
        (sheet().replace("Bo:", "Bo"), 3, "'Bo'"),
        (sheet().replace("ante 5", "ante: 5"), 1, "`ante 5`"),
        (sheet().replace("ante 5", "ante 5.50"), 1, "5.50"),
        (sheet().replace("ante 5", "ante -5"), 1, "-5"),
        (sheet().replace("ante 5", "ante"), 1, "whole number"),
        (sheet().replace("ante 5", "ante five"), 1, "five"),
        (sheet().replace("ante 5", "ante ٥"), 1, "whole number"),
        (sheet().replace("ante 5", "ante " + "9" * 5000), 1, "whole number"),
        (sheet("ante 5"), 5, "line 1"),
        (sheet("low sevens"), 5, "ace-to-five"),
        (sheet("low"), 5, "ace-to-five"),
        (sheet("carried -1"), 5, "-1"),
        (sheet("odd-chips right"), 5, "left-of-dealer"),
        (sheet("odd-chips left-of-dealer"), 5, "dealer"),
        (sheet("", "dealer Dora"), 6, "Dora"),
        (sheet("cards 18"), 5, "17"),
        (sheet("wild deuces"), 5, "'wild'"),
        (sheet() + "\r\r\n\rwild deuces", 7, "'wild'"),
        (SAMPLE.read_text(encoding="utf-8") + "Fia: 3d", 13, "Fia"),
    ],
)
def test_a_bad_line_is_named_by_its_number(scored: Score, text: str, line: int, named: str) -> None:
    message = assert_refused(scored(text))
    assert f"evening.txt: line {line}: " in message
    assert named in message


def test_a_card_that_two_players_have_is_told_with_both_lines(scored: Score) -> None:
    for other in ("2c 3c 4h 5h Ah / Js Jh Td 9h 8d", "2c 3c 4h 5h 2h Js Jh Qd 9h 8d Tc Th Ah"):
        text = sheet(Cy=other)
        message = assert_refused(scored(text))
        assert "Ah" in message or "Td" in message
        assert "line 4" in message and "line 2" in message and "Ann" in message and "Cy" in message


@pytest.mark.parametrize("text", ["", "\n# nothing\n", "ante 5", "ante 5\nAnn: " + HANDS["Ann"], sheet()[7:]])
def test_what_is_missing_is_named(scored: Score, text: str) -> None:
    message = assert_refused(scored(text))
    assert "players" in message or "ante" in message


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("ante 5\nÅsa: 2c".encode("latin-1"), "line 2: byte 0xc5"),
        ("ante 5\nÅsa: 2c".encode("utf-16"), "line 1: byte 0xff"),
        (b"ante 5\n\x80", "line 2: byte 0x80"),
        (b"\xef\xbb\xbfante 5\n\x80", "line 2: byte 0x80"),
        (b"x" * 200_000, "too long"),
        (b"\x00" * 100, "line 1"),
        (b"\x1b[2J", "line 1"),
        (Path(__file__).read_bytes()[:90_000], "line 1"),
    ],
)
def test_a_file_that_is_no_score_file_takes_one_line(call: Call, tmp_path: Path, content: bytes, named: str) -> None:
    path = tmp_path / "evening.txt"
    path.write_bytes(content)
    message = assert_refused(call(score.main, path))
    assert named in message and len(message) < 400
    assert assert_refused(run("score.py", typed=content)).partition(": ")[2].startswith("standard input: ")


def test_a_file_that_cannot_be_read_takes_one_line(call: Call, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.txt", Path("x" * 300)):
        assert str(path) in assert_refused(call(score.main, path))
