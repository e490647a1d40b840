"""Players that see views only."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

from essen_hilo.arranging import Arrangement, frontier
from essen_hilo.cards import Card, Rank, Suit
from essen_hilo.hands import LowRule, evaluate_high, evaluate_low
from essen_hilo.moves import Arrange, Move, Phase, Pick
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


class GreedyBot:
    """Picks the card that promises most beside those it has, by a card player's rule of thumb.

    It never looks at what the others may want. Cards that promise the same are drawn from at random.
    """

    def __init__(self, rng: Random | None = None) -> None:
        self._rng = rng or Random()

    def choose(self, view: View) -> Move:
        """The pick that promises most, or the arrangement with the best balance of low and high."""
        seat = view.seat
        if seat is None or seat not in view.to_act:
            moves = view.legal_moves()
            return moves[int(self._rng.random() * len(moves))]
        low = view.rules.low
        if view.phase is Phase.PICK:
            promises = [_promise((*view.pool, card), low) for card in view.pack]
            most = max(promises)
            best = [card for card, promise in zip(view.pack, promises, strict=True) if promise == most]
            return Pick(seat, best[int(self._rng.random() * len(best))])
        ways = frontier(view.pool, low)
        way = max(ways, key=lambda way: _balance(way, low))
        return Arrange(seat, way.low, way.high)


def _balance(way: Arrangement, low: LowRule) -> float:
    return -evaluate_high(way.high).rank / 300 - evaluate_low(way.low, low).rank / 60


_GROUPS = (0.0, 0.4, 2.0, 6.0, 14.0)
_SUITED = (0.0, 0.3, 0.9, 2.0, 4.0, 7.0)
_RUNS = (0.0, 0.0, 0.4, 2.0, 7.0, 18.0)
_LOW = (10.0, 9.5, 9.0, 8.0, 6.5, 6.0, 4.0, 2.0, 1.0, 0.5, 0.2, 0.1, 0.0)


def _promise(pool: Sequence[Card], low: LowRule) -> float:
    order: list[Rank] = [Rank.ACE, *list(Rank)[:-1]] if low.ace_low else list(Rank)
    counts = dict.fromkeys(Rank, 0)
    for card in pool:
        counts[card.rank] += 1
    lows = [_LOW[place] for place, rank in enumerate(order) if counts[rank]][:5]
    groups = sorted([_GROUPS[count] + 0.02 * rank for rank, count in counts.items() if count], reverse=True)
    of_groups = groups[0] + (groups[1] if len(groups) > 1 else 0)
    of_suits = 0.0
    for suit in Suit:
        ranks = [int(card.rank) for card in pool if card.suit is suit]
        if Rank.ACE in ranks:
            ranks.append(1)
        run = max(sum(low <= rank < low + 5 for rank in ranks) for low in range(1, 11))
        of_suits = max(of_suits, _SUITED[min(len(ranks), 5)] + _RUNS[run])
    return sum(lows) + max(of_groups, of_suits) + 0.4 * min(of_groups, of_suits)
