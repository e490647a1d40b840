"""The package and the plain model side by side, through whole games, by whatever moves come up."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from essen_hilo import Arrange, Card, GameState, IllegalMoveError, Phase, Pick
from tests import reference_game
from tests.games import as_move, as_rules, cards, opening, texts
from tests.reference import LOWS, PACK
from tests.reference_game import ODD_CHIPS, PASS, SHOWDOWN, SIZES, Action, Setting, Table

SEEDS = st.integers(0, 2**32 - 1)
SETTINGS = st.builds(
    lambda size, ante, low, odd_chips, dealer, carried: Setting(
        size[0], size[1], ante, low, odd_chips, dealer % size[0], carried
    ),
    st.sampled_from(SIZES),
    st.integers(0, 30),
    st.sampled_from(sorted(LOWS)),
    st.sampled_from(ODD_CHIPS),
    st.integers(0, 4),
    st.integers(0, 9),
)


def plain(state: GameState) -> dict[str, object]:
    """Everything public about a state, in plain values: what may not change, and what the model has to agree with."""
    return {
        "rules": state.rules,
        "dealer": state.dealer,
        "carried": state.carried,
        "phase": str(state.phase),
        "to_act": list(state.to_act),
        "packs": [sorted(texts(pack)) for pack in state.packs],
        "pools": [list(texts(pool)) for pool in state.pools],
        "aside": sorted(texts(state.aside)),
        "rounds": [[sorted(texts(pack)) for pack in packs] for packs in state.rounds],
        "hands": {
            seat: (sorted(texts(made.low)), sorted(texts(made.high)))
            for seat, made in enumerate(state.arrangements)
            if made is not None
        },
        "shown": list(state.shown),
        "low hands": {seat: sorted(texts(hand)) for seat, hand in enumerate(state.low_hands) if hand is not None},
        "high hands": {seat: sorted(texts(hand)) for seat, hand in enumerate(state.high_hands) if hand is not None},
        "low paid": None if state.low_award is None else list(state.low_award.shares),
        "high paid": None if state.high_award is None else list(state.high_award.shares),
        "carried on": None if state.result is None else state.result.carried,
    }


def plain_table(table: Table) -> dict[str, object]:
    """The same, of the model."""
    return {
        "rules": as_rules(table.setting),
        "dealer": table.setting.dealer,
        "carried": table.setting.carried,
        "phase": table.phase,
        "to_act": table.waiting_for(),
        "packs": [sorted(pack) for pack in table.packs] if table.phase != "deal" else [[]] * table.setting.seats,
        "pools": table.pools,
        "aside": sorted(table.aside),
        "rounds": [[sorted(pack) for pack in packs] for packs in table.taken_up],
        "hands": {seat: (sorted(low), sorted(high)) for seat, (low, high) in sorted(table.hands.items())},
        "shown": sorted(table.up),
        "low hands": {seat: sorted(hand) for seat, hand in sorted(table.low_up.items())},
        "high hands": {seat: sorted(hand) for seat, hand in sorted(table.high_up.items())},
        "low paid": table.low_paid,
        "high paid": table.high_paid,
        "carried on": table.carried_on,
    }


class WholeGames(RuleBasedStateMachine):
    """Every rule says what somebody tries; `attempt` holds the package to what the model says of it."""

    @initialize(setting=SETTINGS, seed=SEEDS)
    def start(self, setting: Setting, seed: int) -> None:
        self.rng = random.Random(seed)
        self.table = Table(setting)
        self.state = opening(setting)
        self.past: list[tuple[GameState, int, dict[str, object]]] = []

    def attempt(self, action: Action) -> None:
        """Try something on both. They must agree on whether it can be done, on why not, and on what comes of it."""
        move = as_move(action)
        reason = self.table.refusal(action)
        before = plain(self.state)
        assert self.state.why_not(move) == reason
        if action.verb in ("pick", "arrange", "show") and action.seat in self.table.everybody:
            assert (move in self.state.legal_moves(action.seat)) is (reason is None)
        if reason is not None:
            with pytest.raises(IllegalMoveError) as caught:
                self.state.apply(move)
            assert str(caught.value.reason) == reason
            assert caught.value.move == move
            assert plain(self.state) == before
            return
        after = self.state.apply(move)
        assert plain(self.state) == before
        assert after != self.state
        self.past.append((self.state, hash(self.state), before))
        self.state = after
        self.table.do(action)

    def now(self, *phases: str) -> bool:
        return self.table.phase in phases

    # What somebody may do next.

    @precondition(lambda self: self.now("deal"))
    @rule()
    def deal(self) -> None:
        self.attempt(reference_game.deal(reference_game.random_deck(self.rng)))

    @rule(times=st.integers(1, 12))
    def somebody_does_what_is_allowed(self, times: int) -> None:
        for _ in range(times):
            if not self.now("deal", "over"):
                self.attempt(reference_game.random_next(self.table, self.rng))

    @precondition(lambda self: self.now("pick"))
    @rule(rounds=st.integers(1, 4))
    def everybody_picks_and_passes(self, rounds: int) -> None:
        for _ in range(rounds):
            while self.now("pick"):
                self.attempt(reference_game.random_next(self.table, self.rng))
            if self.now("pass"):
                assert self.state.table_move == as_move(PASS)
                assert self.state.advance() == self.state.pass_packs()
                self.attempt(PASS)

    @precondition(lambda self: self.now("show-low", "show-high"))
    @rule()
    def everybody_shows(self) -> None:
        assert self.state.table_move == as_move(SHOWDOWN)
        self.attempt(SHOWDOWN)

    # What somebody may try, allowed or not.

    @rule(seat=st.integers(-2, 6))
    def somebody_picks_any_card(self, seat: int) -> None:
        for card in self.rng.sample(PACK, 6):
            self.attempt(reference_game.pick(seat, card))

    @rule(seat=st.integers(0, 4))
    def somebody_picks_from_the_pack_of_the_right_hand_neighbour(self, seat: int) -> None:
        pack = self.table.packs[(seat - 1) % self.table.setting.seats]
        for card in pack[:3]:
            self.attempt(reference_game.pick(seat, card))

    @rule(seat=st.integers(-2, 6), low=st.integers(0, 6), high=st.integers(4, 6), twice=st.booleans())
    def somebody_arranges_any_cards(self, seat: int, low: int, high: int, twice: bool) -> None:
        owner = seat if seat in self.table.everybody and self.rng.random() < 0.7 else 0
        pool = self.table.pools[owner] if len(self.table.pools[owner]) >= 10 else PACK
        chosen = self.rng.sample(pool, min(len(pool), low + high))
        self.attempt(reference_game.arrange(seat, chosen[:low], chosen[low - twice : low - twice + high]))

    @rule(seat=st.integers(-2, 6))
    def somebody_shows(self, seat: int) -> None:
        self.attempt(reference_game.show(seat))

    @rule(action=st.sampled_from([PASS, SHOWDOWN, reference_game.deal(PACK[:51]), reference_game.deal(PACK * 2)]))
    def somebody_moves_for_the_table(self, action: Action) -> None:
        if action.verb != "showdown" or self.rng.random() < 0.2:
            self.attempt(action)

    # What holds whenever we look.

    @precondition(lambda self: self.now("pick"))
    @rule()
    def legal_picks_are_exactly_those_that_can_be_applied(self) -> None:
        for seat in self.table.everybody:
            listed = list(self.state.legal_moves(seat))
            allowed = [card for card in PACK if self.table.refusal(reference_game.pick(seat, card)) is None]
            assert sorted(map(str, listed)) == sorted(f"pick {seat} {card}" for card in allowed)
            for card in PACK:
                tried = Pick(seat, Card.parse(card))
                assert (tried in listed) is (self.state.why_not(tried) is None)
            for move in listed:
                self.state.apply(move)

    @precondition(lambda self: self.now("arrange"))
    @rule()
    def legal_arrangements_are_exactly_those_that_can_be_applied(self) -> None:
        for seat in self.table.everybody:
            listed = self.state.legal_moves(seat)
            if seat in self.table.hands:
                assert list(listed) == []
                continue
            for place in [0, len(listed) - 1, *(self.rng.randrange(len(listed)) for _ in range(5))]:
                assert self.state.apply(listed[place]).arrangements[seat] is not None
            if self.table.setting.hand_size == 10:
                expected = {
                    (frozenset(action.cards), frozenset(action.high))
                    for action in reference_game.every_arrange(seat, self.table.pools[seat])
                }
                found = [
                    (frozenset(texts(move.low)), frozenset(texts(move.high)))
                    for move in listed
                    if isinstance(move, Arrange)
                ]
                assert len(found) == len(listed) == len(expected)
                assert set(found) == expected

    @precondition(lambda self: self.now("show-low", "show-high"))
    @rule()
    def legal_shows_are_those_of_the_hands_that_are_down(self) -> None:
        for seat in self.table.everybody:
            allowed = self.table.refusal(reference_game.show(seat)) is None
            assert list(self.state.legal_moves(seat)) == ([as_move(reference_game.show(seat))] if allowed else [])

    @precondition(lambda self: self.now("pick", "arrange") and len(self.table.waiting_for()) > 1)
    @rule()
    def two_seats_may_act_in_either_order(self) -> None:
        for one, two in itertools.combinations(self.table.waiting_for(), 2):
            a, b = (self.rng.choice(self.state.legal_moves(seat)) for seat in (one, two))
            first, second = self.state.apply(a).apply(b), self.state.apply(b).apply(a)
            assert first == second
            assert hash(first) == hash(second)

    @invariant()
    def the_model_agrees(self) -> None:
        if not hasattr(self, "table"):
            return
        assert plain(self.state) == plain_table(self.table)
        if not self.now("deal"):
            assert self.state.pot == self.table.pot
        if self.now("pick", "pass"):
            assert self.state.round == self.table.round
        if not self.now("deal"):
            places = [*self.state.packs, *self.state.pools, self.state.aside]
            assert sorted(card for place in places for card in place) == sorted(cards(PACK))

    @invariant()
    def no_chip_is_lost_or_made(self) -> None:
        if not hasattr(self, "table") or not self.now("over"):
            return
        result, settled = self.state.result, self.table.settled()
        assert result is not None
        assert list(result.payouts) == settled.payouts
        assert list(result.nets) == settled.nets
        assert list(result.low.winners) == settled.low_winners
        assert list(result.high.winners) == settled.high_winners
        assert sum(result.payouts) + result.carried == self.state.pot
        assert sum(result.nets) + result.carried - self.state.carried == 0
        assert self.state.phase is Phase.OVER

    def teardown(self) -> None:
        """Play on to the end, so that every example is a whole game; then look whether an old state has changed."""
        if not hasattr(self, "table"):
            return
        if self.now("deal"):
            self.deal()
        while not self.now("over"):
            self.attempt(reference_game.random_next(self.table, self.rng))
            self.the_model_agrees()
        self.no_chip_is_lost_or_made()
        for state, number, before in self.past:
            assert plain(state) == before
            assert hash(state) == number


WholeGames.TestCase.settings = settings(
    max_examples=max(1, settings().max_examples // 2), stateful_step_count=40 if settings().max_examples < 100 else 80
)
TestWholeGames = WholeGames.TestCase
