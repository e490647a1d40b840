"""Bots that think: that they are worth playing against, and that what they say is so."""

from __future__ import annotations

import pickle
import random
import re
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import (
    ACE_TO_FIVE,
    Arrange,
    Card,
    GameState,
    GreedyBot,
    Knowledge,
    LowRule,
    Phase,
    Pick,
    RandomBot,
    Rules,
    RulesError,
    SearchBot,
    best_arrangement,
    evaluate_high,
    evaluate_low,
    play_deal,
    simulate,
    with_odds,
)
from essen_hilo.bots.finish import best_hands, shares
from essen_hilo.bots.hopes import Pool, low_gains, low_hope, run_gains
from essen_hilo.bots.worlds import likely_world
from essen_hilo.cards import DECK
from essen_hilo.simulation import Maker
from examples import strength
from tests.games import cards, deck_for, game, share_of_examples
from tests.reference_game import Setting

SEEDS = st.integers(0, 2**32 - 1)
QUICK_SEARCH = partial(SearchBot, worlds=6, candidates=4)
THINKERS: list[Callable[[random.Random], GreedyBot | SearchBot]] = [GreedyBot, QUICK_SEARCH]

# Strength, on duplicate deals. The long measurement is examples/strength.py.


@pytest.mark.parametrize("rules", [Rules(), Rules(low=ACE_TO_FIVE), Rules(seats=5)], ids=["4x13", "4x13 A-5", "5x10"])
def test_a_greedy_bot_wins_most_of_the_chips_from_random_ones(rules: Rules) -> None:
    report = simulate([GreedyBot, *[RandomBot] * (rules.seats - 1)], 8, rules=rules, seed=1, duplicate=True)
    assert report.bots[0].share > 0.6


def test_a_bot_that_looks_ahead_wins_more_than_its_part_from_greedy_ones() -> None:
    report = simulate([QUICK_SEARCH, *[GreedyBot] * 3], 4, seed=4, duplicate=True)
    assert report.bots[0].share > 0.25


# Moves.


@pytest.mark.parametrize("field", ["worlds", "candidates"])
@pytest.mark.parametrize("value", [0, -1, True, 2.0])
def test_effort_is_a_whole_number(field: str, value: int) -> None:
    with pytest.raises(RulesError, match=field):
        SearchBot(worlds=value) if field == "worlds" else SearchBot(candidates=value)


@pytest.mark.parametrize("maker", [GreedyBot, SearchBot, QUICK_SEARCH])
def test_a_maker_can_be_sent_to_another_process(maker: Maker) -> None:
    copy = pickle.loads(pickle.dumps(maker))
    view = game(1).states[1].view(0)
    assert copy(random.Random(2)).choose(view) == maker(random.Random(2)).choose(view)


ROYAL_PACKS = (
    "As Ts 8d 9c 9d 9h 6c 6d Jc 3c 3d 3h Kd",
    "Js 2c 2d 2h 2s 3s 7s 8c 8s Tc Td Th Kc",
    "Qs 4c 4d 4h 4s 5c 5d 5h 5s 6s 7c 7d 7h",
    "Ks 6h 8h 9s Ac Ad Ah Kh Qc Qd Qh Jd Jh",
)


def royal() -> GameState:
    """Seat 0 is about to pick for the fifth time, and its first pack is back with the ten of spades still in it.

    Packs go to the left: it has had those of seats 0, 3, 2 and 1. It picked the highest spade each time.
    """
    state = GameState.start().deal(cards(deck_for([pack.split() for pack in ROYAL_PACKS], 0)))
    for best in cards(["As", "Ks", "Qs", "Js"]):
        state = state.pick(0, best)
        for seat in (1, 2, 3):
            state = state.pick(seat, state.packs[seat][0])
        state = state.advance()
    return state


def test_a_greedy_bot_takes_the_last_card_of_a_royal_flush_and_says_so() -> None:
    bot = GreedyBot(random.Random(1))
    assert bot.choose(royal().view(0)) == Pick(0, Card.parse("Ts"))
    assert bot.explain(royal().view(0)) == "Ts: has a straight flush in spades."


def test_a_bot_that_looks_ahead_also_says_what_it_expects() -> None:
    text = QUICK_SEARCH(random.Random(1)).explain(royal().view(0))
    said = re.match(r"(..): takes about (\d+)% of the pot, (..) (\d+)%; ", text)
    assert said is not None
    card, share, other, less = said.groups()
    assert card != other
    assert 100 >= int(share) >= int(less) >= 0


def ranks(text: str) -> set[str]:
    return set(re.findall("[2-9TJQKA]", text))


@share_of_examples(0.4)
@given(seed=SEEDS)
def test_what_a_bot_says_of_its_hopes_is_so(seed: int) -> None:
    for state in game(seed).states:
        if state.phase is not Phase.PICK:
            continue
        view = state.view(state.to_act[0])
        bot = GreedyBot(random.Random(seed))
        move, text = bot.choose(view), bot.explain(view)
        assert isinstance(move, Pick)
        assert text.startswith(f"{move.card}: ")
        pool = (*view.pool, move.card)
        have = {card.rank.text for card in pool}
        for low, needed in re.findall(r"keeps the (\S+) low alive, needs ([^;.]+)", text):
            assert ranks(needed) == ranks(low) - have
            assert 0 < len(ranks(needed)) <= view.rules.hand_size - view.round - 1
        for low in re.findall(r"has the (\S+) low", text):
            assert ranks(low) <= have
        for suit, needed in re.findall(r"flush in (\w+) needs ([^;.]+)", text):
            of_suit = {card.rank.text for card in pool if card.suit.name == suit.upper()}
            assert not ranks(needed) & of_suit
            assert any(of_run - of_suit == ranks(needed) for of_run in RUNS)
        for suit in re.findall(r"has a straight flush in (\w+)", text):
            of_suit = {card.rank.text for card in pool if card.suit.name == suit.upper()}
            assert any(of_run <= of_suit for of_run in RUNS)
        for word, alike in re.findall(r"has (three|four) of a kind in ([^;.]+)", text):
            for rank in ranks(alike):
                assert sum(card.rank.text == rank for card in pool) == {"three": 3, "four": 4}[word]


RUNS = [set("A23456789TJQKA"[start : start + 5]) for start in range(10)]


@pytest.mark.parametrize("maker", THINKERS)
def test_a_bot_says_how_its_hands_are_likely_to_fare(maker: Callable[[random.Random], GreedyBot | SearchBot]) -> None:
    state = next(state for state in game(4).states if state.phase is Phase.ARRANGE)
    view, bot = state.view(0), maker(random.Random(1))
    move = bot.choose(view)
    assert isinstance(move, Arrange)
    odds = {str(evaluate_high(way.high)): odds for way, odds in with_odds(view.pool, view.rules)}
    high, low = str(evaluate_high(move.high)), str(evaluate_low(move.low, view.rules.low))
    assert bot.explain(view) == f"{high} / {low}: {odds[high]}."


def test_in_a_showdown_there_is_nothing_to_decide() -> None:
    state = next(state for state in game(4).states if state.phase is Phase.SHOW_LOW)
    for maker in (GreedyBot, SearchBot):
        bot = maker(random.Random(1))
        assert bot.choose(state.view(1)) in state.legal_moves(1)
        assert bot.explain(state.view(1)) == "There is nothing to decide."


def test_asking_why_does_not_change_what_is_chosen_next() -> None:
    for maker in THINKERS:
        silent, asked = maker(random.Random(5)), maker(random.Random(5))
        for state in game(6, Setting()).states:
            for seat in state.to_act[:1]:
                view = state.view(seat)
                asked.explain(view)
                assert silent.choose(view) == asked.choose(view)


# What goes on inside.


@share_of_examples(0.25)
@given(seed=SEEDS)
def test_an_imagined_world_puts_every_card_where_it_can_be(seed: int) -> None:
    for state in game(seed).states:
        if state.phase not in (Phase.PICK, Phase.ARRANGE) or 0 not in state.to_act:
            continue
        view = state.view(0)
        knowledge = Knowledge(view)
        world = likely_world(knowledge, random.Random(seed))
        assert [len(pack) for pack in world.packs] == [len(pack) for pack in state.packs]
        assert world.packs[0] == [card.index for card in view.pack]
        where = [(f"in the pack of seat {seat}", pack) for seat, pack in enumerate(world.packs)]
        for seat, pool in enumerate(world.pools):
            held = [4 * rank + suit for suit in range(4) for rank in range(13) if pool.suits[suit] >> rank & 1]
            assert len(held) == len(state.pools[seat]) == sum(pool.counts)
            where.append((f"in the pool of seat {seat}", held))
        placed = [card for _, some in where for card in some]
        assert len(set(placed)) == len(placed) == view.rules.seats * view.rules.hand_size
        for place, some in where:
            for card in some:
                if DECK[card] not in view.pack:
                    assert place in map(str, knowledge.where(DECK[card]))


@pytest.mark.parametrize("low", ["deuce-to-seven", "ace-to-five"])
def test_hands_at_a_glance_are_worth_about_what_the_best_arrangement_is(low: str) -> None:
    rules = Rules(seats=5, low=LowRule.named(low))
    at_low, at_high = shares(rules.low, 5, 10)
    missed = []
    for number in range(6):
        report_pools = drafted(rules, number)
        for pool in report_pools:
            low_rank, high_rank = best_hands(Pool.of([card.index for card in pool]), rules.low, at_low, at_high)
            best = dict(with_odds(pool, rules))[best_arrangement(pool, rules)].share
            missed.append(abs(best - at_low[low_rank] - at_high[high_rank]))
    assert sum(missed) / len(missed) < 0.01


def drafted(rules: Rules, number: int) -> tuple[tuple[Card, ...], ...]:
    """By seat, what greedy bots keep of a deal."""
    (state,) = play_deal([GreedyBot] * rules.seats, number, rules=rules, seed=9)
    return state.pools


@share_of_examples(0.5)
@given(seed=SEEDS)
def test_a_gain_is_what_there_is_more_to_hope_for(seed: int) -> None:
    rng = random.Random(seed)
    held, size, left = rng.randrange(8192), rng.choice([10, 13]), rng.randrange(10)
    low = LowRule.named(rng.choice(["deuce-to-seven", "ace-to-five", "ace-to-six", "deuce-to-six"]))
    gains = low_gains(low, size, held, left)
    before = low_hope(low, size, held, left).worth
    more = [low_hope(low, size, held | 1 << rank, left).worth - before for rank in range(13)]
    for gain, rise in zip(gains, more, strict=True):
        for other_gain, other_rise in zip(gains, more, strict=True):
            assert gain > other_gain or rise < other_rise + 0.02
    for rank, gain in enumerate(run_gains(size, held, 0, left)):
        assert gain == 0 if held >> rank & 1 else gain >= 0


# The program that measures strength.


def test_the_table_names_the_bots_and_their_share(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strength, "ROWS", ((GreedyBot, RandomBot, 2),))
    assert strength.main(["--deals", "2", "--processes", "1"]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert "95 % interval" in head
    assert [row.split(" | ")[1:4] for row in rows] == [
        [str(seats), low, "4"] for seats in (4, 5) for low in ("deuce-to-seven", "ace-to-five")
    ]
    assert all(row.startswith("| one GreedyBot, ") for row in rows)


@pytest.mark.parametrize("arguments", [["--deals", "1"], ["--seed", "-1"], ["--processes", "0"], ["--deals", "x"]])
def test_the_program_says_in_a_line_what_it_cannot_do(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        strength.main(arguments)
    assert exit_.value.code == 2
    assert re.fullmatch(r".+: .+\n", capsys.readouterr().err)
