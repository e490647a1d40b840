"""Counted trees: how many drafts and arrangements there are, by walking them and by a formula that needs no program.

With k cards left in each of n packs, every pack is emptied by n seats in turn, one card at a time: k! ways for each
pack, whatever happens to the others. So there are (k!)^n drafts. Within a round the seats may pick in any of n! orders.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from essen_hilo import Arrange, GameState, Phase
from tests.games import game, texts
from tests.reference_game import Setting, every_arrange


def with_cards_left(setting: Setting, left: int) -> GameState:
    """A position of a real game at the start of a round, with this many cards in each pack."""
    return next(
        state
        for state in game(23, setting).states
        if state.phase is Phase.PICK and len(state.to_act) == setting.seats and len(state.packs[0]) == left
    )


def drafts(state: GameState, in_any_order: bool) -> Iterator[GameState]:
    """Every way on to the last pick: seat after seat, or with every order of the seats within a round."""
    if state.phase is Phase.ARRANGE:
        yield state
        return
    for seat in state.to_act if in_any_order else state.to_act[:1]:
        for move in state.legal_moves(seat):
            yield from drafts(state.apply(move).advance(), in_any_order)


@pytest.mark.parametrize(
    ("seats", "hand_size", "left"),
    [
        *((2, 10, left) for left in (1, 2, 3, 4)),
        *((3, 10, left) for left in (1, 2, 3)),
        *((4, 13, left) for left in (1, 2, 3)),
        *((5, 10, left) for left in (1, 2, 3)),
    ],
)
def test_the_number_of_drafts_is_the_factorial_of_the_cards_to_the_power_of_the_seats(
    seats: int, hand_size: int, left: int
) -> None:
    state = with_cards_left(Setting(seats, hand_size), left)
    ends = list(drafts(state, in_any_order=False))
    assert len(ends) == math.factorial(left) ** seats
    assert len(set(ends)) == len(ends)
    assert len({end.pools for end in ends}) == len(ends)


@pytest.mark.parametrize(("seats", "hand_size", "left"), [(2, 10, 2), (2, 10, 3), (3, 10, 2), (4, 13, 1), (5, 10, 1)])
def test_the_order_within_a_round_gives_no_new_draft(seats: int, hand_size: int, left: int) -> None:
    state = with_cards_left(Setting(seats, hand_size), left)
    ends = list(drafts(state, in_any_order=True))
    assert len(ends) == math.factorial(left) ** seats * math.factorial(seats) ** left
    assert len(set(ends)) == math.factorial(left) ** seats


@pytest.mark.parametrize(("setting", "ways"), [(Setting(4, 13), 72_072), (Setting(5, 10), 252)])
def test_the_number_of_arrangements(setting: Setting, ways: int) -> None:
    state = next(state for state in game(23, setting).states if state.phase is Phase.ARRANGE)
    assert ways == math.comb(setting.hand_size, 5) * math.comb(setting.hand_size - 5, 5)
    arranged = [
        (frozenset(texts(move.low)), frozenset(texts(move.high)))
        for move in state.legal_moves(1)
        if isinstance(move, Arrange) and move.seat == 1
    ]
    assert len(arranged) == len(state.legal_moves(1)) == ways
    assert set(arranged) == {
        (frozenset(action.cards), frozenset(action.high)) for action in every_arrange(1, texts(state.pools[1]))
    }
