"""The rest of a draft as a bot imagines it: how the hidden cards may lie, and how everybody may go on.

`Knowledge` tells which worlds there can be. Some are likelier than others, since nobody keeps a card for nothing; here
is a guess at those. It is a guess about players, and so no part of `Knowledge`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from essen_hilo.bots.finish import best_hands, shares
from essen_hilo.bots.hopes import OF_A_RANK, Pool, gains
from essen_hilo.knowledge import Knowledge
from essen_hilo.rules import Rules
from essen_hilo.state import GameState
from essen_hilo.views import View

#: Of cards never seen, a picker is taken to have had the choice of so many.
_CHOICE = 4
#: How often somebody picks what nobody would expect.
_WHIM = 0.05


@dataclass(slots=True)
class World:
    """Everybody's cards in the middle of a round, by seat and by index.

    Attributes:
        rules: What the table agreed on.
        pools: The cards kept.
        packs: The cards in hand.
        to_pick: The seats that have not picked in this round yet.
        left: How many rounds come after this one.
    """

    rules: Rules
    pools: list[Pool]
    packs: list[list[int]]
    to_pick: Sequence[int]
    left: int

    def after(self, seat: int, card: int, of_a_rank: Sequence[float]) -> list[Pool]:
        """By seat, the pools at the end, if a seat picks a card and everybody goes by the rule of thumb from there.

        Args:
            seat: Who picks now.
            card: The card.
            of_a_rank: This seat's taste for cards of one rank in all later rounds; see `hopes`.
        """
        pools, packs = [pool.copy() for pool in self.pools], [pack[:] for pack in self.packs]
        tastes = [of_a_rank if other == seat else OF_A_RANK for other in range(len(pools))]
        _keep(pools[seat], packs[seat], card)
        to_pick: Sequence[int] = [other for other in self.to_pick if other != seat]
        for left in range(self.left, -1, -1):
            for other in to_pick:
                pool, pack = pools[other], packs[other]
                _keep(pool, pack, _favourite(pool, pack, self.rules, left, tastes[other]) if left else pack[0])
            packs = packs[-1:] + packs[:-1]
            to_pick = range(len(pools))
        return pools


def likely_world(knowledge: Knowledge, rng: Random) -> World:
    """One of the worlds that are possible, in which the others have mostly picked what suits them.

    Cards that the seat knows by the same packs can change places, and it would notice nothing. So every hidden pick
    takes, in place of the card in a sampled world, the card of its kind that the picker likes best.
    """
    view, sample = knowledge.view, knowledge.sample(rng)
    rules, own = view.rules, view.seat
    kinds, hidden = _kinds(view), _hidden_cards(view, sample, rng)
    pools = [Pool.of(()) for _ in range(rules.seats)]
    for turn, seat, card in _picks(sample):
        if seat == own:
            pools[seat].add(card)
            continue
        cards, left = hidden[kinds[card]], rules.hand_size - turn - 1
        choice = cards if kinds[card] else cards[-_CHOICE:]
        whim = rng.random() < _WHIM
        _keep(pools[seat], cards, choice[-1] if whim else _favourite(pools[seat], choice, rules, left))
    packs = [
        [card.index if seat == own else hidden[kinds[card.index]].pop() for card in pack]
        for seat, pack in enumerate(sample.packs)
    ]
    return World(rules, pools, packs, view.to_act, rules.hand_size - view.round - 1)


def share_of(seat: int, pools: Sequence[Pool], rules: Rules) -> float:
    """The part of the pot that a seat can expect if everybody has these pools in the end.

    The mean of what it takes from just these pools, and of what its hands take on average: the one knows more
    about the others, and the other depends less on luck.
    """
    at_low, at_high = shares(rules.low, rules.seats, rules.hand_size)
    hands = [best_hands(pool, rules.low, at_low, at_high) for pool in pools]
    low, high = hands[seat]
    return (at_low[low] + at_high[high] + taken(hands[seat], hands)) / 2


def taken(own: tuple[int, int], hands: Sequence[tuple[int, int]]) -> float:
    """The part of the pot that a low and a high hand take from all hands, by their ranks; they are among these."""
    lows, highs = [hand[0] for hand in hands], [hand[1] for hand in hands]
    share = 0.0
    for rank, ranks in zip(own, (lows, highs), strict=True):
        if rank == min(ranks):
            share += 0.5 / ranks.count(rank)
    return share


def _kinds(view: View) -> list[int]:
    """By card, in which rounds the seat has had it in hand, a bit for each; 0 if never."""
    kinds = [0] * 52
    for turn, pack in enumerate(view.seen):
        for card in pack:
            kinds[card.index] |= 1 << turn
    return kinds


def _hidden_cards(view: View, sample: GameState, rng: Random) -> dict[int, list[int]]:
    """By kind, all cards that lie hidden somewhere, in random order."""
    cards = [card for _, seat, card in _picks(sample) if seat != view.seat]
    cards += [card.index for card in sample.aside]
    cards += [card.index for seat, pack in enumerate(sample.packs) if seat != view.seat for card in pack]
    for last in range(len(cards) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]
    kinds, hidden = _kinds(view), defaultdict[int, list[int]](list)
    for card in cards:
        hidden[kinds[card]].append(card)
    return hidden


def _picks(state: GameState) -> Iterator[tuple[int, int, int]]:
    """Every pick so far: the round, the seat and the card."""
    for turn, picks in enumerate(state.picks):
        for seat, card in enumerate(picks):
            if card is not None:
                yield turn, seat, card.index


def _favourite(
    pool: Pool, cards: Sequence[int], rules: Rules, left: int, of_a_rank: Sequence[float] = OF_A_RANK
) -> int:
    worths = gains(pool, cards, rules.low, rules.hand_size, left, of_a_rank)
    return cards[worths.index(max(worths))]


def _keep(pool: Pool, cards: list[int], card: int) -> None:
    cards.remove(card)
    pool.add(card)
