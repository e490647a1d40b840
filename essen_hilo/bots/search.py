"""A player who looks ahead: what would become of each card that is worth considering?"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from essen_hilo.arranging import Arrangement, frontier
from essen_hilo.bots import reasons
from essen_hilo.bots.finish import best_hands, shares
from essen_hilo.bots.greedy import dead_ranks, worths_of_picks
from essen_hilo.bots.hopes import OF_A_RANK, TO_A_COLLECTOR
from essen_hilo.bots.worlds import likely_world, share_of, taken
from essen_hilo.cards import Card
from essen_hilo.hands import evaluate_high, evaluate_low
from essen_hilo.knowledge import Knowledge
from essen_hilo.moves import Arrange, Move, Phase, Pick
from essen_hilo.rules import whole_number
from essen_hilo.views import View

#: The tastes by which it goes on in its head.
_TASTES = (OF_A_RANK, TO_A_COLLECTOR)


class SearchBot:
    """Plays the rest of the draft in its head, for every likely card, in worlds that agree with all it has seen.

    The worlds come from `Knowledge`, with a guess at what the others were after. In each it goes on by two rules of
    thumb, a `GreedyBot`'s and one that collects fours and full houses, and it picks the card that takes the largest
    part of the pot by the better of the two. It sets the hands that take most from the others' likely pools.

    Args:
        rng: Draws the worlds; the same seed chooses the same.
        worlds: How many worlds it looks at for a move, and so how long it thinks.
        candidates: How many cards it considers.

    Raises:
        RulesError: `worlds` or `candidates` is not a whole number from 1.
    """

    def __init__(self, rng: Random | None = None, *, worlds: int = 40, candidates: int = 6) -> None:
        self._rng = rng or Random()
        self._worlds = whole_number("worlds", worlds, 1)
        self._candidates = whole_number("candidates", candidates, 1)
        self._last: tuple[View, Move, str] | None = None

    def choose(self, view: View) -> Move:
        """The pick or the arrangement that takes most chips on average; in a showdown, its hand."""
        return self._decide(view)[0]

    def explain(self, view: View) -> str:
        """Why it chooses what it chooses for this view; before or after `choose`, it thinks once."""
        return self._decide(view)[1]

    def _decide(self, view: View) -> tuple[Move, str]:
        if self._last is None or self._last[0] != view:
            self._last = view, *self._think(view)
        return self._last[1:]

    def _think(self, view: View) -> tuple[Move, str]:
        seat = view.seat
        if seat is None or seat not in view.to_act:
            return view.legal_moves()[0], reasons.NOTHING_TO_DECIDE
        if view.phase is Phase.PICK:
            (share, card), *others = self._weigh(view, seat)
            beside = f", {others[0][1]} {others[0][0]:.0%}" if others else ""
            hopes = reasons.of_pick(view, card, dead_ranks(view))
            return Pick(seat, card), f"{card}: takes about {share:.0%} of the pot{beside}; {hopes}"
        way = self._best_arrangement(view, seat)
        return Arrange(seat, way.low, way.high), reasons.of_arrangement(way.low, way.high, view.rules)

    def _weigh(self, view: View, seat: int) -> list[tuple[float, Card]]:
        """The cards worth considering and the part of the pot that each takes, best first."""
        cards = self._candidate_cards(view)
        totals = [[0.0] * len(cards) for _ in _TASTES]
        knowledge = Knowledge(view)
        worlds = self._worlds if len(cards) > 1 else 1
        for _ in range(worlds):
            # The same worlds for all cards, so that only the cards make a difference.
            world = likely_world(knowledge, self._rng)
            for taste, total in zip(_TASTES, totals, strict=True):
                for place, card in enumerate(cards):
                    total[place] += share_of(seat, world.after(seat, card.index, taste), view.rules)
        best = [max(total) / worlds for total in zip(*totals, strict=True)]
        return sorted(zip(best, cards, strict=True), key=lambda pair: -pair[0])

    def _candidate_cards(self, view: View) -> list[Card]:
        """The cards that the rules of thumb like best, two by a `GreedyBot`'s for each by the collector's."""
        by_taste = [_by_worth(view, taste) for taste in _TASTES]
        cards: list[Card] = []
        while len(cards) < min(self._candidates, len(view.pack)):
            order = by_taste[len(cards) % 3 == 2]
            cards.append(next(card for card in order if card not in cards))
        return cards

    def _best_arrangement(self, view: View, seat: int) -> Arrangement:
        """The arrangement of the frontier that takes most, as the others' pools are likely to be."""
        rules = view.rules
        ways = frontier(view.pool, rules.low)
        at_low, at_high = shares(rules.low, rules.seats, rules.hand_size)
        ranks = [(evaluate_low(way.low, rules.low).rank, evaluate_high(way.high).rank) for way in ways]
        totals = [self._worlds * (at_low[low] + at_high[high]) for low, high in ranks]
        knowledge = Knowledge(view)
        for _ in range(self._worlds if len(ways) > 1 else 0):
            pools = likely_world(knowledge, self._rng).pools
            del pools[seat]
            others = [best_hands(pool, rules.low, at_low, at_high) for pool in pools]
            for place, own in enumerate(ranks):
                totals[place] += taken(own, [own, *others])
        return ways[totals.index(max(totals))]


def _by_worth(view: View, taste: Sequence[float]) -> list[Card]:
    worths = worths_of_picks(view, taste)
    places = sorted(range(len(worths)), key=lambda place: -worths[place])
    return [view.pack[place] for place in places]
