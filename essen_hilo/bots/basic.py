"""What a bot is, and the simplest one."""

from __future__ import annotations

from random import Random
from typing import Protocol

from essen_hilo.moves import Move
from essen_hilo.views import View


class Bot(Protocol):
    """A player: anything that can choose a move from a view."""

    def choose(self, view: View) -> Move:
        """One of `view.legal_moves()`; asked only when the table waits for this view's seat."""
        ...


class RandomBot:
    """Picks any card and sets any two hands, each legal move equally likely."""

    def __init__(self, rng: Random | None = None) -> None:
        self._rng = rng or Random()

    def choose(self, view: View) -> Move:
        """A legal move, drawn at random."""
        moves = view.legal_moves()
        return moves[int(self._rng.random() * len(moves))]
