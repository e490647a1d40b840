"""Games without anybody at the table."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import pickle
import random
import signal
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, Generic, ParamSpec, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import (
    ACE_TO_FIVE,
    ACE_TO_SIX,
    DECK,
    Arrange,
    Bot,
    EssenHiloError,
    GameState,
    GreedyBot,
    IllegalMoveError,
    Move,
    OddChips,
    Phase,
    Pick,
    RandomBot,
    Reason,
    Report,
    Rules,
    RulesError,
    View,
    WorkerLostError,
    play_deal,
    play_out,
    shuffled_deck,
    simulate,
)
from essen_hilo.report import Tally, Winners
from essen_hilo.simulation import Maker
from tests.games import game, opening, share_of_examples
from tests.reference import HIGH, settle, worth
from tests.reference_game import Setting

P = ParamSpec("P")
T = TypeVar("T")

SEEDS = st.integers(0, 2**32 - 1)
SPAWN = multiprocessing.get_context("spawn")


class FirstMove:
    """Takes what comes first, and keeps what it was shown."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def choose(self, view: View) -> Move:
        self.views.append(view)
        return view.legal_moves()[0]


def bots(state: GameState, seed: int) -> list[Bot]:
    makers: list[Maker] = [RandomBot, GreedyBot]
    return [makers[(seed + seat) % 2](random.Random(seed + seat)) for seat in range(state.rules.seats)]


@share_of_examples(0.5)
@given(SEEDS)
def test_a_dealt_game_is_played_to_its_end(seed: int) -> None:
    state = game(seed).states[1]
    before = hash(state)
    end = play_out(state, bots(state, seed))
    assert end.phase is Phase.OVER
    assert end.result is not None
    assert sum(end.result.payouts) + end.result.carried == end.pot
    assert {card for pool in end.pools for card in pool} | set(end.aside) == {
        card for pack in state.packs for card in pack
    } | set(state.aside)
    assert hash(state) == before
    assert end == play_out(state, bots(state, seed))


@share_of_examples(0.1)
@given(SEEDS)
def test_a_game_can_be_played_out_from_anywhere(seed: int) -> None:
    states = game(seed).states
    for state in states[1:]:
        assert play_out(state, bots(state, seed)).phase is Phase.OVER
    assert play_out(states[-1], bots(states[-1], seed)) == states[-1]


@pytest.mark.parametrize("setting", [Setting(), Setting(5, 10), Setting(3, 11)])
def test_each_bot_sees_only_its_own_view_and_only_when_it_has_to_act(setting: Setting) -> None:
    players = [FirstMove() for _ in range(setting.seats)]
    end = play_out(game(1, setting).states[1], players)
    for seat, player in enumerate(players):
        assert len(player.views) == setting.hand_size + 1  # a view for each pick, and one to arrange
        assert all(view.seat == seat and seat in view.to_act for view in player.views)
        assert [view.pool for view in player.views[:-1]] == [
            end.pools[seat][:count] for count in range(setting.hand_size)
        ]


def test_a_game_that_is_not_dealt_is_not_played_out() -> None:
    state = opening(Setting())
    with pytest.raises(EssenHiloError):
        play_out(state, bots(state, 1))


def test_a_bot_that_breaks_the_rules_is_stopped() -> None:
    class Cheat:
        def choose(self, view: View) -> Move:
            assert view.seat is not None
            return Pick(view.seat, next(card for card in DECK if card not in view.pack))

    state = game(1, Setting()).states[1]
    with pytest.raises(IllegalMoveError) as caught:
        play_out(state, [FirstMove(), FirstMove(), Cheat(), FirstMove()])
    assert caught.value.reason is Reason.CARD_NOT_IN_PACK


def test_a_bot_cannot_choose_for_another_seat() -> None:
    state = game(1, Setting()).states[1]

    class Pushy:
        def choose(self, view: View) -> Move:
            return Pick(3, state.packs[3][0])

    with pytest.raises(EssenHiloError):
        play_out(state, [Pushy(), FirstMove(), FirstMove(), FirstMove()])


# Many games.


class DiesInDealSeven:
    """A random bot; the process that makes it for seat 1 of deal 7 (seed 1) is killed."""

    def __init__(self, rng: random.Random) -> None:
        if rng.getstate() == random.Random("1/7/1").getstate():
            os.kill(os.getpid(), signal.SIGKILL)
        self.bot = RandomBot(rng)

    def choose(self, view: View) -> Move:
        return self.bot.choose(view)


class Cheat:
    """Picks a card that is in somebody else's pack."""

    def __init__(self, rng: random.Random) -> None:
        pass

    def choose(self, view: View) -> Move:
        assert view.seat is not None
        return Pick(view.seat, next(card for card in DECK if card not in view.pack))


class Clumsy:
    """Falls over by itself."""

    def __init__(self, rng: random.Random) -> None:
        pass

    def choose(self, view: View) -> Move:
        raise ZeroDivisionError("my own fault")


class FirstCard(FirstMove):
    """Takes what comes first, whatever it draws."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()


class OneOfEach:
    """Wants one card of each rank, as high as can be; so do its neighbours, and hands come out alike."""

    def __init__(self, rng: random.Random) -> None:
        pass

    def choose(self, view: View) -> Move:
        assert view.seat is not None
        if view.phase is Phase.PICK:
            mine = [card.rank for card in view.pool]
            return Pick(view.seat, max(view.pack, key=lambda card: (card.rank not in mine, card.rank)))
        lowest_first = sorted(view.pool)
        return Arrange(view.seat, lowest_first[:5], lowest_first[-5:])


MIXED: list[Maker] = [FirstCard, RandomBot, partial(RandomBot), RandomBot]
SMALL = Rules(seats=2, hand_size=10)
FIVE = Rules(seats=5, low=ACE_TO_FIVE, odd_chips=OddChips.LEFT_OF_DEALER)


@pytest.fixture(scope="module")
def here() -> Report:
    """The same study that others play elsewhere."""
    return simulate(MIXED, 23, seed=5, duplicate=True)


@pytest.mark.parametrize("chunk", [1, 2, 5, 23, 1000])
def test_however_the_work_is_cut_the_report_is_the_same(here: Report, chunk: int) -> None:
    assert simulate(MIXED, 23, seed=5, duplicate=True, chunk=chunk) == here


def test_threads_give_the_same_report(here: Report) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert simulate(MIXED, 23, seed=5, duplicate=True, executor=pool) == here


# Python from 3.12 on warns when a process with threads forks.
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_give_the_same_report_however_they_start(here: Report, method: str) -> None:
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert simulate(MIXED, 23, seed=5, duplicate=True, executor=pool, chunk=4) == here


def test_the_report_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "from essen_hilo import GreedyBot, RandomBot, simulate\n"
        "print(simulate([GreedyBot, RandomBot, RandomBot, GreedyBot], 3, seed=2).to_dict())"
    )
    said = [
        subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": text}, capture_output=True)
        for text in ("1", "2")
    ]
    assert said[0].returncode == 0, said[0].stderr
    assert said[0].stdout == said[1].stdout


@given(SEEDS)
@share_of_examples(0.25)
def test_reports_add_up_in_any_order(seed: int) -> None:
    rng = random.Random(seed)
    makers: list[Maker] = [OneOfEach] * 4
    cuts = sorted({0, 20, *rng.sample(range(1, 20), 3)})
    rules = Rules(ante=7)
    parts = [simulate(makers, stop - start, rules=rules, seed=seed, first=start) for start, stop in pairwise(cuts)]
    whole = simulate(makers, 20, rules=rules, seed=seed)
    a, b, c, d = rng.sample(parts, 4)
    assert whole.carried > 0
    assert (a + b) + (c + d) == ((a + b) + c) + d == a + (b + (c + d)) == d + c + b + a == whole


def test_only_reports_of_the_same_bots_and_rules_add_up(here: Report) -> None:
    for other in (
        simulate(MIXED, 1),
        simulate([*MIXED[1:], RandomBot], 1, duplicate=True),
        simulate(MIXED, 1, rules=Rules(ante=6), duplicate=True),
    ):
        with pytest.raises(RulesError):
            here + other


def test_other_seeds_are_other_games() -> None:
    assert len({simulate([RandomBot] * 4, 4, seed=seed) for seed in range(5)}) == 5


def test_each_seat_of_each_game_has_a_generator_of_its_own() -> None:
    drawn: list[float] = []

    def maker(rng: random.Random) -> Bot:
        drawn.append(rng.random())
        return RandomBot(rng)

    simulate([maker] * 4, 6, seed=1)
    assert len(set(drawn)) == len(drawn) == 24
    again = list(drawn)
    drawn.clear()
    for number in reversed(range(6)):
        play_deal([maker] * 4, number, seed=1)
    assert [drawn[at : at + 4] for at in range(20, -1, -4)] == [again[at : at + 4] for at in range(0, 24, 4)]


@pytest.mark.parametrize("rules", [Rules(ante=7), FIVE, Rules(seats=3, hand_size=11, ante=1, low=ACE_TO_SIX)])
@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize("among", [FirstCard, OneOfEach])
def test_the_report_is_what_counting_by_hand_gives(rules: Rules, duplicate: bool, among: Maker) -> None:
    """Every game played again and counted by the plain rules of `tests/reference.py`."""
    seats, deals, seed = rules.seats, 15, 9
    makers: list[Maker] = [among] * seats if among is OneOfEach else [RandomBot, *[among] * (seats - 1)]
    counts = {(what, who): Counter[str]() for what in ("bot", "seat", "place") for who in range(seats)}
    wins = {"low": Counter[int](), "high": Counter[int]()}
    carried = 0
    for number in range(deals):
        deck = shuffled_deck(random.Random(f"{seed}/{number}"))
        dealer = number % seats
        for turn in range(seats if duplicate else 1):
            makers_by_seat: dict[int, Maker] = {(bot + turn) % seats: maker for bot, maker in enumerate(makers)}
            players = [makers_by_seat[seat](random.Random(f"{seed}/{number}/{seat}")) for seat in range(seats)]
            end = play_out(GameState.start(rules, dealer=dealer).deal(deck), players)
            lows = [worth(map(str, hand or ()), rules.low.name).rank for hand in end.low_hands]
            highs = [worth(map(str, hand or ()), HIGH).rank for hand in end.high_hands]
            settled = settle(lows, highs, rules.ante, rules.odd_chips, dealer, 0)
            carried += settled.carried
            wins["low"][min(lows)] += 1
            wins["high"][min(highs)] += 1
            for seat in range(seats):
                won = settled.low_shares[seat] + settled.high_shares[seat]
                low, high = lows[seat] == min(lows), highs[seat] == min(highs)
                shared = (low and lows.count(min(lows)) > 1) + (high and highs.count(min(highs)) > 1)
                for key in (("bot", (seat - turn) % seats), ("seat", seat), ("place", (seat - dealer - 1) % seats)):
                    counts[key].update(
                        games=1,
                        staked=seats * rules.ante,
                        chips=won,
                        low_wins=low,
                        high_wins=high,
                        scoops=low and high and not shared,
                        ties=shared,
                    )
    report = simulate(makers, deals, rules=rules, seed=seed, duplicate=duplicate)
    for what, tallies in (("bot", report.bots), ("seat", report.seats), ("place", report.places)):
        for who, tally in enumerate(tallies):
            assert {name: getattr(tally, name) for name in counts[what, who]} == counts[what, who], (what, who)
            assert tally.deals == report.deals == deals
    assert report.carried == carried
    assert {value.rank: count for value, count in report.low.counts} == wins["low"]
    assert {value.rank: count for value, count in report.high.counts} == wins["high"]
    assert sum(report.nets) + report.carried == 0
    if among is OneOfEach and seats > 3:
        assert sum(bot.ties for bot in report.bots) > 0
        assert report.carried > 0 or rules is FIVE
    assert sum(bot.share for bot in report.bots) + carried / report.staked == pytest.approx(1)


def test_errors_are_those_of_the_deals_taken_one_by_one() -> None:
    """In a duplicate simulation the games of one deal depend on each other: they count as one."""
    alone = [simulate(MIXED, 1, seed=3, duplicate=True, first=number) for number in range(30)]
    report = simulate(MIXED, 30, seed=3, duplicate=True)
    for bot, tally in enumerate(report.bots):
        shares = [deal.bots[bot].share for deal in alone]
        assert tally.share == pytest.approx(statistics.mean(shares))
        assert tally.share_error == pytest.approx(statistics.stdev(shares) / 30**0.5)
    assert all(math.isnan(tally.share_error) for tally in alone[0].bots)


@pytest.mark.parametrize("rules", [Rules(), FIVE])
def test_in_duplicate_deals_luck_cancels(rules: Rules) -> None:
    """Equal bots sit in every seat of every deal once and win exactly the same."""
    report = simulate([RandomBot] * rules.seats, 8, rules=rules, duplicate=True)
    assert len(set(report.bots)) == 1
    assert report.games == 8 * rules.seats
    assert report.bots[0].chips * rules.seats + report.carried == report.staked
    once = simulate([RandomBot] * rules.seats, 8, rules=rules)
    assert [seat.chips for seat in report.seats] == [rules.seats * seat.chips for seat in once.seats]


def test_a_duplicate_deal_is_dealt_alike_each_time() -> None:
    games = play_deal(MIXED, 6, duplicate=True)
    assert len(games) == 4
    assert {game.rounds[0] for game in games} == {games[0].rounds[0]}
    assert {(game.dealer, game.carried) for game in games} == {(2, 0)}


def test_the_chance_that_seats_differ_by_luck_is_right() -> None:
    """Where all seats are equal, a probability of at most p comes up p of the time; where they aren't, hardly ever."""
    rng = random.Random(8)
    template = simulate([RandomBot] * 4, 2)

    def chance(weights: list[float]) -> float:
        won = [Counter(rng.choices(range(4), weights, k=2)) for _ in range(60)]
        seats = [
            Tally(
                "seat",
                60,
                60,
                60 * 20,
                sum(10 * deal[seat] for deal in won),
                sum((10 * deal[seat]) ** 2 for deal in won),
            )
            for seat in range(4)
        ]
        return replace(template, seats=tuple(seats)).seat_chance

    equal = [chance([1, 1, 1, 1]) for _ in range(400)]
    for p in (0.1, 0.5, 0.9):
        assert sum(value <= p for value in equal) / 400 == pytest.approx(p, abs=0.07)
    assert all(chance([3, 1, 1, 1]) < 0.05 for _ in range(20))


@pytest.mark.parametrize(("seats", "limit"), [(2, 3.841), (3, 5.991), (4, 7.815), (5, 9.488)])
def test_the_chance_follows_the_table_of_chi_square(seats: int, limit: float) -> None:
    """Two seats are apart from the others by as much as printed tables of chi-square give five percent for."""
    deals, variance = 10**6, 10**6
    apart = round(math.sqrt(limit * deals * variance * seats / (seats - 1) / 2), -3)
    sums = [int(apart), -int(apart), *[0] * (seats - 2)]
    tallies = tuple(Tally("seat", deals, deals, 1, chips, deals * variance + chips**2 // deals) for chips in sums)
    report = simulate([RandomBot] * seats, 1, rules=Rules(seats=seats, hand_size=10))
    assert replace(report, seats=tallies).seat_chance == pytest.approx(0.05, abs=0.0005)
    assert replace(report, places=tallies).place_chance == pytest.approx(0.05, abs=0.0005)


def test_a_better_bot_shows_wherever_it_sits() -> None:
    report = simulate([GreedyBot, RandomBot, RandomBot, RandomBot], 5, duplicate=True, seed=1)
    greedy, *others = report.bots
    assert all(greedy.share > other.share for other in others)
    assert greedy.name == "GreedyBot"


def test_winners_are_counted_once_a_game(here: Report) -> None:
    for winners in (here.low, here.high):
        every = [value for value, count in winners.counts for _ in range(count)]
        assert every == sorted(every, reverse=True)
        assert len(every) == here.games == sum(winners.categories.values())
        assert winners.median == statistics.median_high(every) or winners.median == statistics.median_low(every)
        for category, games in winners.categories.items():
            assert games == sum(value.category is category for value in every)


def test_a_report_can_be_written_as_json(here: Report) -> None:
    written = json.loads(json.dumps(here.to_dict(), allow_nan=False))
    assert written["deals"] == 23 and written["games"] == 92 and written["staked"] == 92 * 20
    assert [bot["name"] for bot in written["bots"]] == ["FirstCard", "RandomBot", "RandomBot()", "RandomBot"]
    assert [bot["chips"] for bot in written["bots"]] == [bot.chips for bot in here.bots]
    assert written["bots"][0]["share_error"] == here.bots[0].share_error
    assert sum(entry["games"] for entry in written["low"]["values"]) == 92
    assert written["rules"] == Rules().to_dict()
    once = simulate(MIXED, 1).to_dict()
    assert "NaN" not in json.dumps(once)


def test_a_report_is_a_table_to_read(here: Report) -> None:
    lines = str(here).splitlines()
    row = next(line for line in lines if line.startswith("FirstCard"))
    assert f"{here.bots[0].chips:,}" in row and f"{here.bots[0].share:.1%}" in row
    assert any(line.startswith("seat 3") for line in lines)
    assert any(line.startswith("dealer + 1") for line in lines)
    assert str(here.high.median) in str(here)
    assert str(simulate(MIXED, 1))


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    simulate([RandomBot] * 4, 10, chunk=3, progress=lambda done, total: told.append((done, total)))
    assert told == [(3, 10), (6, 10), (9, 10), (10, 10)]


def stop_at(deals: int) -> Callable[[int, int], None]:
    def progress(done: int, total: int) -> None:
        if done >= deals:
            raise KeyboardInterrupt

    return progress


def test_an_interrupt_gives_what_is_done_so_far() -> None:
    whole = simulate(MIXED, 12, seed=4)
    part = simulate(MIXED, 12, seed=4, chunk=2, progress=stop_at(5))
    assert part == simulate(MIXED, 6, seed=4)
    assert part + simulate(MIXED, 6, seed=4, first=6) == whole
    with ThreadPoolExecutor(2) as pool:
        assert simulate(MIXED, 400, seed=4, chunk=2, executor=pool, progress=stop_at(5)) == part


def test_ctrl_c_at_the_terminal_gives_what_is_done_so_far() -> None:
    """A program with worker processes gets SIGINT as the terminal sends it: all its processes at once."""
    program = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "started\n"
    os.killpg(program.pid, signal.SIGINT)
    said, _ = program.communicate()
    assert program.returncode == 0
    assert said.endswith("the same as from the start\n")


INTERRUPTED = """
import signal
from concurrent.futures import ProcessPoolExecutor
from essen_hilo import RandomBot, simulate

def progress(done, total):
    if done == 1:
        print("started", flush=True)

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started in the background ignores it
    with ProcessPoolExecutor(2, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        report = simulate([RandomBot] * 4, 10**9, seed=3, executor=pool, chunk=1, progress=progress)
    assert 1 <= report.deals < 10**9
    if report == simulate([RandomBot] * 4, report.deals, seed=3):
        print("the same as from the start")
"""


def test_a_worker_that_dies_is_told_and_what_is_done_is_kept() -> None:
    makers = [RandomBot, DiesInDealSeven, RandomBot, RandomBot]
    with ProcessPoolExecutor(1, mp_context=SPAWN) as pool, pytest.raises(WorkerLostError) as caught:
        simulate(makers, 20, seed=1, chunk=1, executor=pool)
    report = caught.value.report
    assert report.deals <= 7
    if report.deals:
        assert report == simulate(makers, report.deals, seed=1)
    assert f"{report.deals} of 20 deals" in str(caught.value)
    assert f"first={report.deals}" in str(caught.value)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.report, str(copy)) == (report, str(caught.value))


@pytest.mark.parametrize("pool", [None, ThreadPoolExecutor, partial(ProcessPoolExecutor, mp_context=SPAWN)])
def test_what_a_bot_does_wrong_is_told_as_it_is_with_the_bot_and_the_deal(
    pool: Callable[[int], Executor] | None,
) -> None:
    with pool(1) if pool else nullcontext() as executor:
        with pytest.raises(IllegalMoveError) as caught:
            simulate([RandomBot, RandomBot, Cheat, RandomBot], 3, first=5, seed=9, executor=executor)
        assert caught.value.reason is Reason.CARD_NOT_IN_PACK
        assert caught.value.__notes__ == [
            "by the Cheat in seat 2, in <GameState: pick 1 of 13, seats 2 and 3 to act, 20 chips in the pot>",
            "in deal 5 of seed 9",
        ]
        with pytest.raises(ZeroDivisionError, match="my own fault") as other:
            simulate([RandomBot, RandomBot, Clumsy, RandomBot], 3, executor=executor)
        assert [note.split(",")[0] for note in other.value.__notes__] == [
            "by the Clumsy in seat 2",
            "in deal 0 of seed 0",
        ]


class Later(Generic[T]):
    """A future whose task is not done before somebody asks."""

    def __init__(self, counts: Counter[str], call: Callable[[], T]) -> None:
        self.counts, self.call = counts, call
        counts["waiting"] += 1
        counts["most"] = max(counts["most"], counts["waiting"])

    def result(self) -> T:
        self.counts["waiting"] -= 1
        return self.call()

    def cancel(self) -> bool:
        self.counts["waiting"] -= 1
        return True


class Lazy:
    """An executor that counts the tasks it has been given and not yet done."""

    def __init__(self) -> None:
        self.counts = Counter[str]()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Later[T]:
        return Later(self.counts, partial(fn, *args, **kwargs))


@pytest.mark.parametrize("stop", [1, 300, 1000])
def test_only_so_many_tasks_are_in_flight_and_none_is_left(stop: int) -> None:
    executor = Lazy()
    report = simulate([RandomBot] * 2, 400, executor=executor, chunk=1, progress=stop_at(stop), rules=SMALL)
    assert report.deals == min(stop, 400)
    assert executor.counts["waiting"] == 0
    assert 100 <= executor.counts["most"] < 400


@pytest.mark.parametrize(
    "wrong",
    [
        {"deals": 0},
        {"deals": -1},
        {"deals": True},
        {"deals": 2.0},
        {"seed": -1},
        {"first": -1},
        {"chunk": 0},
        {"makers": [RandomBot] * 5},
        {"makers": []},
    ],
)
def test_numbers_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    (field,) = wrong
    given_makers, deals = wrong.pop("makers", [RandomBot] * 4), wrong.pop("deals", 3)
    with pytest.raises(RulesError, match=field):
        simulate(given_makers, deals, **wrong)


def test_only_finished_games_of_the_same_rules_are_reported() -> None:
    names = ["a", "b", "c", "d"]
    states = game(1, Setting()).states
    assert Report.of(names, [[states[-1]]], rules=Rules()).games == 1
    for state in (states[5], game(1, Setting(carried=1)).states[-1], game(1, Setting(ante=6)).states[-1]):
        with pytest.raises(RulesError):
            Report.of(names, [[state]], rules=Rules())
    with pytest.raises(RulesError):
        Report.of(names[1:], [[states[-1]]], rules=Rules())


def test_games_for_nothing_have_no_shares() -> None:
    report = simulate([RandomBot] * 4, 3, rules=Rules(ante=0))
    assert all(math.isnan(bot.share) and math.isnan(bot.share_error) for bot in report.bots)
    assert report.bots[0].to_dict()["share"] is None
    assert sum(bot.high_wins for bot in report.bots) >= 3
    assert str(report)


def test_where_nobody_has_won_there_is_no_median() -> None:
    assert Winners(()).median is None
    assert Winners(()).to_dict() == {"median": None, "categories": {}, "values": []}
