"""Why a bot chooses so, in words that a player understands."""

from __future__ import annotations

from collections.abc import Iterable

from essen_hilo.bots.hopes import BITS, Hope, Pool, low_hope, offsuit, run_hope
from essen_hilo.cards import Card, Rank, Suit
from essen_hilo.hands import evaluate_high, evaluate_low
from essen_hilo.odds import Odds
from essen_hilo.rules import Rules
from essen_hilo.views import View


def of_pick(view: View, card: Card, dead: Iterable[int]) -> str:
    """What there is to hope for after a pick, in short sentences.

    Args:
        view: What the seat saw.
        card: What it picks.
        dead: By suit, the ranks that can't come any more.
    """
    pool = Pool.of([kept.index for kept in (*view.pool, card)])
    size, left = view.rules.hand_size, view.rules.hand_size - view.round - 1
    parts = []
    low = low_hope(view.rules.low, size, pool.ranks, left)
    if low.worth and low.missing != low.ranks:
        name = str(evaluate_low(offsuit(low.ranks), view.rules.low))
        parts.append(f"keeps the {name} alive, needs {_names(low.missing)}" if low.missing else f"has the {name}")
    runs = [
        (hope, suit)
        for suit, have, gone in zip(Suit, pool.suits, dead, strict=True)
        if (hope := run_hope(size, have, gone, left)) is not None
    ]
    run, suit = max(runs, key=lambda pair: pair[0].worth, default=(Hope(0.0, 0, 0), Suit.CLUBS))
    count = run.missing.bit_count()
    if run.worth and count <= _NEAR:
        what = f"straight flush in {suit.name.lower()}"
        parts.append(f"{what} needs {_names(run.missing)}" if count else f"has a {what}")
    for wanted, word in ((4, "four"), (3, "three")):
        alike = [rank for rank, kept in zip(Rank, pool.counts, strict=True) if kept == wanted]
        if alike:
            parts.append(f"has {word} of a kind in {_names(sum([BITS[rank - 2] for rank in alike]))}")
    return "; ".join(parts or ["hopes for nothing in particular yet"]) + "."


_NEAR = 3


def of_arrangement(low: Iterable[Card], high: Iterable[Card], rules: Rules) -> str:
    """What the two hands are, and how they are likely to fare."""
    values = evaluate_low(low, rules.low), evaluate_high(high)
    odds = Odds.of(*values, seats=rules.seats, hand_size=rules.hand_size)
    return f"{values[1]} / {values[0]}: {odds}."


#: Of a move in the showdown.
NOTHING_TO_DECIDE = "There is nothing to decide."


def _names(ranks: int) -> str:
    """The ranks of a set, highest first: `8, 5 and 2`."""
    texts = [rank.text for rank in reversed(Rank) if ranks & BITS[rank - 2]]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)
