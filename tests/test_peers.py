"""Other people's evaluators give the same order of hands wherever they cover a rule.

pokerkit knows the high game, deuce-to-seven and ace-to-five; treys, phevaluator and eval7 know the high game. Nobody
covers ace-to-six and deuce-to-six: the renaming law in test_hands ties those to the other two.
"""

import random
import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import phevaluator
import pokerkit
import pytest
import treys

from essen_hilo import ACE_TO_FIVE, DECK, DEUCE_TO_SEVEN, Card, HandValue, evaluate_high, evaluate_low, parse_cards
from tests import reference
from tests.reference import HIGH

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # what eval7 calls in pyparsing is its own affair
    import eval7

TREYS = treys.Evaluator()
TREYS_CARD = {card: treys.Card.new(str(card)) for card in DECK}
EVAL7_CARD = {card: eval7.Card(str(card)) for card in DECK}
POKERKIT_CARD = {card: next(iter(pokerkit.Card.parse(str(card)))) for card in DECK}
POKERKIT = {
    HIGH: pokerkit.StandardHighHand,
    "deuce-to-seven": pokerkit.StandardLowHand,
    "ace-to-five": pokerkit.RegularLowHand,
}


def treys_rank(hand: Sequence[Card]) -> int:
    return int(TREYS.evaluate([], [TREYS_CARD[card] for card in hand]))


def phevaluator_rank(hand: Sequence[Card]) -> int:
    return int(phevaluator.evaluate_cards(*map(str, hand)))


def eval7_strength(hand: Sequence[Card]) -> int:
    return int(eval7.evaluate([EVAL7_CARD[card] for card in hand]))


def pokerkit_hand(hand: Sequence[Card], rule: str) -> pokerkit.Hand:
    return POKERKIT[rule]([POKERKIT_CARD[card] for card in hand])


EVALUATE: dict[str, Callable[[Iterable[Card]], HandValue]] = {
    HIGH: evaluate_high,
    "deuce-to-seven": lambda cards: evaluate_low(cards, DEUCE_TO_SEVEN),
    "ace-to-five": lambda cards: evaluate_low(cards, ACE_TO_FIVE),
}


def one_of_each_class(seed: int) -> list[tuple[Card, ...]]:
    """A hand of each class, another one for another seed, its cards in any order."""
    rng = random.Random(seed)
    hands = []
    for ranks, suited in reference.classes():
        suits = rng.choice(reference.SUITS) * 5
        while (len(set(suits)) == 1) != suited or len(set(zip(ranks, suits, strict=True))) < 5:
            suits = "".join(rng.choices(reference.SUITS, k=5))
        hand = [rank + suit for rank, suit in zip(ranks, suits, strict=True)]
        hands.append(parse_cards(" ".join(rng.sample(hand, 5))))
    return hands


def random_hands(seed: int, count: int) -> list[list[Card]]:
    rng = random.Random(seed)
    return [rng.sample(DECK, 5) for _ in range(count)]


@pytest.mark.parametrize("seed", range(3))
def test_treys_and_phevaluator_give_every_class_the_same_number(seed: int) -> None:
    for hand in one_of_each_class(seed):
        assert evaluate_high(hand).rank == treys_rank(hand) == phevaluator_rank(hand)


def test_treys_and_phevaluator_give_random_hands_the_same_number() -> None:
    for hand in random_hands(1, 20_000):
        assert evaluate_high(hand).rank == treys_rank(hand) == phevaluator_rank(hand)


def test_treys_gives_the_same_category() -> None:
    names = {"pair": "one pair", "high card": "no pair", "royal flush": "straight flush"}
    for hand in one_of_each_class(4):
        name = TREYS.class_to_string(TREYS.get_rank_class(treys_rank(hand))).lower()
        assert evaluate_high(hand).category == names.get(name, name)


@pytest.mark.parametrize("seed", range(3))
def test_eval7_puts_every_class_in_the_same_place(seed: int) -> None:
    strengths: dict[int, set[int]] = {}
    for hand in one_of_each_class(seed):
        strengths.setdefault(evaluate_high(hand).rank, set()).add(eval7_strength(hand))
    assert all(len(strength) == 1 for strength in strengths.values())
    best_first = [strengths[rank].pop() for rank in range(1, 7463)]
    assert all(better > worse for better, worse in pairwise(best_first))


def test_eval7_puts_random_hands_in_the_same_order() -> None:
    for one, other in pairwise(random_hands(2, 20_000)):
        ours, theirs = (evaluate_high(one), evaluate_high(other)), (eval7_strength(one), eval7_strength(other))
        assert (ours[0] > ours[1], ours[0] == ours[1]) == (theirs[0] > theirs[1], theirs[0] == theirs[1])


@pytest.mark.parametrize("rule", POKERKIT)
def test_pokerkit_puts_every_class_in_the_same_place(rule: str) -> None:
    hands: dict[int, list[pokerkit.Hand]] = {}
    for hand in one_of_each_class(5):
        hands.setdefault(EVALUATE[rule](hand).rank, []).append(pokerkit_hand(hand, rule))
    best_first = [hands[rank] for rank in range(1, len(reference.ladder(rule)) + 1)]
    for tied in best_first:
        assert all(hand == tied[0] for hand in tied)
    for better, worse in pairwise(best_first):
        assert better[0] > worse[0]


@pytest.mark.parametrize("rule", POKERKIT)
def test_pokerkit_puts_random_hands_in_the_same_order(rule: str) -> None:
    hands = random_hands(6, 5_000)
    for (our_one, their_one), (our_other, their_other) in pairwise(
        (EVALUATE[rule](hand), pokerkit_hand(hand, rule)) for hand in hands
    ):
        assert (our_one > our_other, our_one == our_other) == (their_one > their_other, their_one == their_other)


@pytest.mark.parametrize("rule", POKERKIT)
def test_the_reference_agrees_with_pokerkit(rule: str) -> None:
    hands = [[str(card) for card in hand] for hand in random_hands(8, 5_000)]
    for (our_one, their_one), (our_other, their_other) in pairwise(
        (reference.worth(hand, rule).rank, pokerkit_hand(parse_cards(" ".join(hand)), rule)) for hand in hands
    ):
        assert (our_one < our_other, our_one == our_other) == (their_one > their_other, their_one == their_other)
