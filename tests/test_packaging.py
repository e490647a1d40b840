"""What an installation promises: no dependencies, a light import, types, and the commands that the README gives.

`.ci/run` shows the rest: that wheel and sdist are whole, and that the tests pass on what was installed from them.
"""

import subprocess
import sys
import tomllib
from importlib.metadata import metadata, requires, version
from pathlib import Path

import pytest

import essen_hilo

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_installed_version_is_this_one() -> None:
    assert version("essen_hilo") == PROJECT["version"]


def test_the_changelog_tells_of_this_version() -> None:
    assert f"\n## [{PROJECT['version']}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_nothing_else_is_needed_at_run_time() -> None:
    assert PROJECT["dependencies"] == []
    assert all("extra ==" in requirement for requirement in requires("essen_hilo") or [])


def test_the_licence_is_named_once_and_its_text_is_there() -> None:
    told = metadata("essen_hilo")
    assert told["License-Expression"] == "MIT"
    assert told.get_all("License-File") == ["LICENSE"]
    assert not [line for line in told.get_all("Classifier", []) if line.startswith("License")]


def test_the_oldest_python_is_3_11() -> None:
    assert metadata("essen_hilo")["Requires-Python"] == ">=3.11"


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(essen_hilo.__file__).parent / "py.typed").is_file()


@pytest.mark.parametrize(
    "command",
    [
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/python examples/quickstart.py",
        'python3 -m venv .venv && .venv/bin/pip install -e ".[dev]" && .venv/bin/python -m pytest',
        "python tests/benchmarks/compare.py",
    ],
)
def test_the_readme_gives_the_commands_that_ci_runs(command: str) -> None:
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")


def run(program: str) -> str:
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


# The package loads its modules when their names are first asked for, so these ask for all names.


def test_importing_loads_only_the_package_and_the_standard_library() -> None:
    loaded = run("import sys; old = set(sys.modules)\nfrom essen_hilo import *\nprint(*set(sys.modules) - old)").split()
    assert "essen_hilo.state" in loaded
    assert {name.partition(".")[0] for name in loaded} <= sys.stdlib_module_names | {"essen_hilo"}


def test_importing_neither_reads_nor_moves_the_global_generator() -> None:
    run("import random; old = random.getstate()\nfrom essen_hilo import *\nassert random.getstate() == old")


def test_importing_starts_no_thread_and_says_nothing() -> None:
    assert run("from essen_hilo import *\nimport threading; assert threading.active_count() == 1") == ""


def test_thirty_two_threads_may_ask_for_the_first_value_at_once() -> None:
    run(
        """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from essen_hilo import DECK, evaluate_high, evaluate_low, frontier
start = Barrier(32)
def first(_):
    start.wait()
    return evaluate_high(DECK[:5]).rank, evaluate_low(DECK[:5]).rank, frontier(DECK[:13])
with ThreadPoolExecutor(32) as threads:
    answers = set(threads.map(first, range(32)))
assert len(answers) == 1, answers
"""
    )
