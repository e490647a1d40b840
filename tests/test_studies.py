"""The studies among the examples: many games on a cluster, and what cards are worth under each low rule."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from distributed import Client, LocalCluster
from distributed.scheduler import KilledWorker

from essen_hilo import (
    DEUCE_TO_SEVEN,
    Arrange,
    Bot,
    Card,
    GreedyBot,
    Phase,
    RandomBot,
    Record,
    Report,
    Rules,
    play_deal,
    simulate,
)
from essen_hilo.simulation import Maker
from examples import cluster, compare_lows
from tests.reference import HIGH, settle, worth

MIXED: list[Maker] = [GreedyBot, RandomBot, RandomBot, RandomBot]


@dataclass(frozen=True)
class DiesOnce:
    """Makes random bots; the first process that is asked for one leaves its number and is killed."""

    marker: Path

    def __call__(self, rng: random.Random) -> Bot:
        try:
            with self.marker.open("x") as file:
                file.write(str(os.getpid()))
        except FileExistsError:
            return RandomBot(rng)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("killed processes go no further")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Two worker processes and their scheduler."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as workers, Client(workers) as client:
        yield client


def test_a_cluster_gives_the_same_report(client: Client) -> None:
    expected = simulate(MIXED, 9, seed=6, duplicate=True)
    assert cluster.study(client, MIXED, 9, rules=Rules(), seed=6, duplicate=True) == expected


def test_a_killed_worker_s_deals_are_played_again(client: Client, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    makers: list[Maker] = [RandomBot, DiesOnce(marker), RandomBot, RandomBot]
    workers = client.run(os.getpid).values()
    report = cluster.study(client, makers, 100, rules=Rules(), seed=6)
    assert int(marker.read_text()) in workers
    assert report == simulate(makers, 100, seed=6)


def test_the_program_prints_the_report_of_the_scheduler_at_an_address(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    address = client.scheduler_info()["address"]
    arguments = ["RandomBot", "tests.test_studies:GreedyBot", "--deals", "3", "--seed", "4", "--seats", "5"]
    assert cluster.main([*arguments, "--low", "ace-to-five", "--address", address]) == 0
    rules = Rules(seats=5, low=compare_lows.LOWS[2])
    said = capsys.readouterr()
    assert said.out == f"{simulate([RandomBot, *[GreedyBot] * 4], 3, rules=rules, seed=4)}\n"
    assert "3/3" in said.err


def test_the_program_starts_workers_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert cluster.main(["RandomBot", "--deals", "10", "--workers", "1", "--duplicate"]) == 0
    assert capsys.readouterr().out == f"{simulate([RandomBot] * 4, 10, duplicate=True)}\n"


def test_a_task_that_kills_worker_after_worker_is_given_up(
    client: Client, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dask gives up after some workers; what it says then is passed on in a line."""

    def killed(*_: object, **__: object) -> Report:
        raise KilledWorker("deals 0 to 9", client.scheduler_info()["address"], 3)

    monkeypatch.setattr(cluster, "simulate", killed)
    with pytest.raises(SystemExit) as left:
        cluster.main(["RandomBot", "--address", client.scheduler_info()["address"]])
    assert left.value.code == 1
    assert "deals 0 to 9" in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["SomeBot"],
        ["no_such_module:Bot"],
        ["RandomBot", "--low", "high"],
        ["RandomBot", "--seats", "9"],
        ["RandomBot", "--workers", "0"],
        ["RandomBot", "--address", "nowhere"],
        ["RandomBot", "--deals", "many"],
        [],
    ],
)
def test_wrong_arguments_of_the_cluster_are_told_in_a_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        cluster.main(arguments)
    assert left.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


# What cards are worth.


@cache
def some_deals() -> compare_lows.Sample:
    return compare_lows.sample(Rules(), 7, 3, 9)


def test_worths_are_found_again_in_made_up_chips_and_errors_are_honest() -> None:
    """Chips made of known worths and of luck that a whole deal shares: estimates miss by as much as they say."""
    rng = np.random.default_rng(1)
    true = np.array([3, 1, 0, 0, -1, -2, 0, 1, 0, 0, -1, -3, 2], float)
    misses = []
    for _ in range(40):
        cards = np.zeros((300, 8, 13))
        for deal in range(300):
            for exchange in range(0, 8, 2):
                gained, lost = rng.choice(13, 2, replace=False)
                cards[deal, exchange, [gained, lost]] = 1, -1
                cards[deal, exchange + 1] = -cards[deal, exchange]
        favour = rng.normal(0, 3, (300, 1, 13))
        chips = (cards * (true + favour)).sum(axis=2) + rng.normal(0, 2, (300, 8))
        found = compare_lows.worth(cards, chips)
        assert found.chips.sum() == pytest.approx(0, abs=1e-6)
        misses.append((found.chips - true) / found.errors)
    assert np.std(misses) == pytest.approx(1, abs=0.1)
    assert abs(np.mean(misses)) < 0.15


def test_deals_under_every_low_are_cut_as_one_likes() -> None:
    parts = [compare_lows.sample(Rules(), 7, start, start + 2) for start in (3, 5, 7)]
    joined, whole = compare_lows.Sample.joined(parts), some_deals()
    assert joined.report == whole.report
    for name in ("moved", "low", "high", "dealt", "nets"):
        assert np.array_equal(getattr(joined, name), getattr(whole, name))


def test_an_exchange_moves_one_card_each_way() -> None:
    moved = some_deals().moved
    assert moved.shape == (6, 2 * compare_lows.EXCHANGES, 13)
    assert (np.sort(moved, axis=2) == [-1, *[0] * 11, 1]).all()
    assert (moved[:, ::2] == -moved[:, 1::2]).all()


def test_an_exchange_is_worth_what_the_plain_rules_pay_more() -> None:
    (end,) = play_deal([GreedyBot] * 4, 5, seed=7)
    rng = random.Random("7/5/exchanges")
    changes = list(compare_lows.exchanges(end, random.Random("7/5/exchanges")))
    before = next(state for state in Record.of(end).states() if state.phase is Phase.ARRANGE)

    def paid(pools: Sequence[Sequence[Card]]) -> tuple[Sequence[int], Sequence[int]]:
        hands = []
        for seat, pool in enumerate(pools):
            view = replace(before.view(seat), pool=tuple(pool), to_act=(seat,))
            hands.append(GreedyBot(random.Random(0)).choose(view))
        lows = [worth(map(str, hand.low), DEUCE_TO_SEVEN.name).rank for hand in hands if isinstance(hand, Arrange)]
        highs = [worth(map(str, hand.high), HIGH).rank for hand in hands if isinstance(hand, Arrange)]
        settled = settle(lows, highs, end.rules.ante, "stay", end.dealer, 0)
        return settled.low_shares, settled.high_shares

    low, high = paid(end.pools)
    for first, second in zip(changes[::2], changes[1::2], strict=True):
        while True:
            one, other = rng.sample(range(4), 2)
            given, gained = rng.choice(end.pools[one]), rng.choice(end.pools[other])
            if given.rank != gained.rank:
                break
        pools = [list(pool) for pool in end.pools]
        pools[one][pools[one].index(given)] = gained
        pools[other][pools[other].index(gained)] = given
        new_low, new_high = paid(pools)
        assert (first.low, first.high) == (new_low[one] - low[one], new_high[one] - high[one])
        assert (second.low, second.high) == (new_low[other] - low[other], new_high[other] - high[other])


def test_the_study_prints_tables_and_saves_a_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "worth.png"
    assert compare_lows.main(["--deals", "21", "--seed", "2", "--workers", "2", "--plot", str(file)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("compare_lows.py --deals 21 --seed 2 --seats 4\n")
    for low in compare_lows.LOWS:
        assert f"\n{low.name}: an ace is worth" in said
        assert f"\n{low.name}: in the median" in said
    rows = [line for line in said.splitlines() if line.startswith("A   ")]
    assert len(rows) == 4 and all(row.count("±") == 4 for row in rows)
    assert file.read_bytes().startswith(b"\x89PNG")
    assert file.stat().st_size < 200_000


@pytest.mark.parametrize(
    "arguments",
    [["--deals", "19"], ["--seats", "3"], ["--workers", "0"], ["--plot", "no/such/folder/worth.png"], ["more"]],
)
def test_wrong_arguments_of_the_study_are_told_in_a_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        compare_lows.main(arguments)
    assert left.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
