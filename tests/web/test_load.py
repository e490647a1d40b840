"""A smaller run of `python -m examples.web_table.load`, which reports the figures of 50 tables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from essen_hilo import Rules
from examples.web_table.load import LostMoveError, Watch, check, run
from examples.web_table.store import Store
from examples.web_table.table import Ready
from tests.web.support import ROOT


def test_many_tables_at_once_lose_and_double_no_move() -> None:
    report = run(tables=8, deals=1, think=0.02)
    assert report.picks == 8 * 4 * 13
    assert 0 < report.median <= report.p95 <= report.worst
    assert "none lost or doubled" in str(report)


@pytest.mark.parametrize(
    "arguments", [["--tables", "0"], ["--deals", "x"], ["--think", "-1"], ["--think", "nan"], ["all"]]
)
def test_what_can_not_be_measured_is_told_in_a_line(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "examples.web_table.load", *arguments]
    told = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert told.returncode == 2 and "Traceback" not in told.stderr and "error:" in told.stderr.splitlines()[-1]


def test_a_lost_move_would_be_found(file: Path) -> None:
    store = Store(file)
    store.add_table(Rules(seats=4), 0)
    store.add_events(1, 0, [Ready(0, 1)])
    store.close()
    watch = Watch()
    check(file, [watch])
    watch.moves[2].append("pick 2 As")
    with pytest.raises(LostMoveError):
        check(file, [watch])
