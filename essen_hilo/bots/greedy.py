"""A good card player's rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from essen_hilo.arranging import best_arrangement
from essen_hilo.bots import reasons
from essen_hilo.bots.hopes import BITS, OF_A_RANK, RANKS, SUITS, Pool, gains
from essen_hilo.moves import Arrange, Move, Phase, Pick
from essen_hilo.views import View


class GreedyBot:
    """Picks the card that adds most to its hopes, and sets the two hands that take most chips on average.

    It hopes for a low hand and for straight flushes, collects what is alike, and knows which cards can't come any
    more; what the others are after it does not ask. It draws lots only between cards that are just as good.
    """

    def __init__(self, rng: Random | None = None) -> None:
        self._rng = rng or Random()
        self._last: tuple[View, Move] | None = None

    def choose(self, view: View) -> Move:
        """The pick or the arrangement that promises most; in a showdown, its hand."""
        if self._last is None or self._last[0] != view:
            self._last = view, self._think(view)
        return self._last[1]

    def explain(self, view: View) -> str:
        """Why it chooses what it chooses for this view: what it hopes for, or how its hands are likely to fare.

        >>> from essen_hilo import GameState, Rules, shuffled_deck
        >>> state = GameState.start(Rules(seats=5)).deal(shuffled_deck(Random(4)))
        >>> print(GreedyBot(Random(1)).explain(state.view(0)))
        7d: keeps the 7-5-4-3-2 low alive, needs 5, 4, 3 and 2.
        """
        match self.choose(view):
            case Pick(card=card):
                return f"{card}: {reasons.of_pick(view, card, dead_ranks(view))}"
            case Arrange(low=low, high=high):
                return reasons.of_arrangement(low, high, view.rules)
            case _:
                return reasons.NOTHING_TO_DECIDE

    def _think(self, view: View) -> Move:
        seat = view.seat
        if seat is None or seat not in view.to_act:
            return view.legal_moves()[0]
        if view.phase is Phase.PICK:
            worths = worths_of_picks(view)
            most = max(worths)
            best = [card for card, worth in zip(view.pack, worths, strict=True) if worth == most]
            return Pick(seat, best[int(self._rng.random() * len(best))])
        hands = best_arrangement(view.pool, view.rules)
        return Arrange(seat, hands.low, hands.high)


def worths_of_picks(view: View, of_a_rank: Sequence[float] = OF_A_RANK) -> list[float]:
    """What each card of the pack in hand adds to the hopes of its seat; see `hopes` for the taste."""
    pool, pack = (
        Pool.of([card.index for card in view.pool]),
        [card.index for card in view.pack],
    )
    size = view.rules.hand_size
    return gains(
        pool,
        pack,
        view.rules.low,
        size,
        size - view.round - 1,
        of_a_rank,
        dead_ranks(view),
    )


def dead_ranks(view: View) -> list[int]:
    """By suit, the ranks that the seat has passed on and will not see again.

    A pack is back after as many passes as there are seats, if it has so many cards. What is missing
    then has been picked by others.
    """
    dead = [0] * 4
    seats, size = view.rules.seats, view.rules.hand_size
    for turn, own in enumerate(view.pool):
        back = {card.index for card in view.seen[turn + seats]} if turn + seats < len(view.seen) else set()
        if back or turn + seats >= size:
            for card in view.seen[turn]:
                if card is not own and card.index not in back:
                    dead[SUITS[card.index]] |= BITS[RANKS[card.index]]
    return dead
