"""The rules of the game once more: slow, plain, and written to be checked by eye.

Nothing here comes from the package. A card is two characters ("As"), a hand is five of them, a rule is its name
("high", "deuce-to-seven", ...), a rank number is an int with 1 for the best. The fast code is held against this.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, product

RANKS = "23456789TJQKA"
SUITS = "cdhs"
PACK = tuple(rank + suit for rank in RANKS for suit in SUITS)

HIGH = "high"
LOWS = {  # name: (is the ace low?, do straights and flushes count?)
    "deuce-to-seven": (False, True),
    "ace-to-five": (True, False),
    "ace-to-six": (True, True),
    "deuce-to-six": (False, False),
}
RULES = (HIGH, *LOWS)

WEAKEST_FIRST = (
    "no pair",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)


def read(text: str) -> tuple[str, ...]:
    """The cards of a text in the canonical form, with or without spaces: "As Kd" or "AsKd"."""
    letters = text.replace(" ", "")
    cards = tuple(letters[i : i + 2] for i in range(0, len(letters), 2))
    assert all(card in PACK for card in cards) and len(set(cards)) == len(cards), text
    return cards


# --- What five cards are worth ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Worth:
    """What a hand is worth under one rule: its rank number, its category, its ranks in the order they decide."""

    rank: int
    category: str
    deciding: str


def worth(hand: Iterable[str], rule: str) -> Worth:
    """What these five cards are worth under the rule."""
    cards = list(hand)
    assert len(cards) == 5 and len(set(cards)) == 5, cards
    ranks = "".join(sorted((card[0] for card in cards), key=RANKS.index))
    suited = len({card[1] for card in cards}) == 1
    return worth_of_class(ranks, suited, rule)


@cache
def worth_of_class(ranks: str, suited: bool, rule: str) -> Worth:
    """The same from what decides: five ranks, lowest first, and whether all five cards are of one suit."""
    strength = as_a_high_hand(ranks, suited, rule)
    category, numbers = strength
    letters = {number: letter for letter, number in zip(RANKS, range(2, 15), strict=True)} | {1: "A"}
    deciding = "".join(letters[number] for number in numbers)
    return Worth(ladder(rule)[strength], WEAKEST_FIRST[category], deciding)


def as_a_high_hand(ranks: str, suited: bool, rule: str) -> tuple[int, tuple[int, ...]]:
    """How strong it is as a high hand under the rule's two decisions; a greater tuple is a stronger hand."""
    ace_low, straights_and_flushes = LOWS.get(rule, (False, True))
    numbers = [1 if rank == "A" and ace_low else RANKS.index(rank) + 2 for rank in ranks]
    if rule == HIGH and set(ranks) == set("A2345"):
        numbers = [1, 2, 3, 4, 5]  # only the high game lets the ace stand at both ends
    counts = Counter(numbers)
    numbers.sort(key=lambda number: (counts[number], number), reverse=True)

    pattern = sorted(counts.values(), reverse=True)
    straight = straights_and_flushes and len(counts) == 5 and max(numbers) - min(numbers) == 4
    flush = straights_and_flushes and suited
    if straight and flush:
        category = "straight flush"
    elif pattern == [4, 1]:
        category = "four of a kind"
    elif pattern == [3, 2]:
        category = "full house"
    elif flush:
        category = "flush"
    elif straight:
        category = "straight"
    elif pattern == [3, 1, 1]:
        category = "three of a kind"
    elif pattern == [2, 2, 1]:
        category = "two pair"
    elif pattern == [2, 1, 1, 1]:
        category = "one pair"
    else:
        category = "no pair"
    return WEAKEST_FIRST.index(category), tuple(numbers)


@cache
def ladder(rule: str) -> dict[tuple[int, tuple[int, ...]], int]:
    """Every strength there is with its rank number. The best low is the hand that would be worst as a high hand."""
    strengths = {as_a_high_hand(ranks, suited, rule) for ranks, suited in classes()}
    best_first = sorted(strengths, reverse=rule == HIGH)
    return {strength: number for number, strength in enumerate(best_first, start=1)}


@cache
def classes() -> tuple[tuple[str, bool], ...]:
    """Every five ranks that a pack can give, lowest first, and whether of one suit: 6,175 + 1,287."""
    found = []
    for five in combinations_with_replacement(RANKS, 5):
        ranks = "".join(five)
        if len(set(ranks)) > 1:
            found.append((ranks, False))
        if len(set(ranks)) == 5:
            found.append((ranks, True))
    return tuple(found)


def hands_of(ranks: str, suited: bool) -> Iterator[tuple[str, ...]]:
    """Every hand of one of the classes()."""
    choices = [combinations([rank + suit for suit in SUITS], count) for rank, count in Counter(ranks).items()]
    for parts in product(*choices):
        hand = tuple(card for part in parts for card in part)
        if (len({card[1] for card in hand}) == 1) == suited:
            yield hand


# --- Arranging -------------------------------------------------------------------------------------------------------


def frontier(cards: Sequence[str], low_rule: str) -> list[tuple[int, int]]:
    """(low rank, high rank) of every arrangement that no other beats, best high first: all arrangements are tried."""
    fives = list(combinations(cards, 5))
    lows = [worth(five, low_rule).rank for five in fives]
    highs = [worth(five, HIGH).rank for five in fives]
    low_places, high_places = disjoint_fives(len(cards))
    arrangements = set(zip(map(lows.__getitem__, low_places), map(highs.__getitem__, high_places), strict=True))
    best: list[tuple[int, int]] = []
    for low, high in sorted(arrangements, key=lambda pair: (pair[1], pair[0])):
        if not best or low < best[-1][0]:  # all that came before have a high at least as good
            best.append((low, high))
    return best


@cache
def disjoint_fives(size: int) -> tuple[list[int], list[int]]:
    """Every way to take two hands without a common card, as two lists of places in combinations(cards, 5)."""
    place = {five: number for number, five in enumerate(combinations(range(size), 5))}
    pairs = [
        (place[low], place[high])
        for low in place
        for high in combinations([card for card in range(size) if card not in low], 5)
    ]
    return [low for low, _ in pairs], [high for _, high in pairs]


# --- Chips -----------------------------------------------------------------------------------------------------------


def share(amount: int, winners: Sequence[int], seats: int, odd_chips: str, dealer: int) -> tuple[list[int], int]:
    """Each seat's chips of one half, and the chips that stay in the pot."""
    each = amount // len(winners)
    surplus = amount - each * len(winners)
    shares = [each if seat in winners else 0 for seat in range(seats)]
    if odd_chips == "left-of-dealer":
        seat = dealer
        while surplus > 0:
            seat = (seat + 1) % seats
            if seat in winners:
                shares[seat] += 1
                surplus -= 1
    return shares, surplus


@dataclass(frozen=True)
class Settled:
    """A deal in chips: the two halves, who won them, what each seat got of each, and what is left."""

    low_half: int
    high_half: int
    low_winners: list[int]
    high_winners: list[int]
    low_shares: list[int]
    high_shares: list[int]
    low_stayed: int
    carried: int
    payouts: list[int]
    nets: list[int]


def settle(
    lows: Sequence[int], highs: Sequence[int], ante: int, odd_chips: str = "stay", dealer: int = 0, carried: int = 0
) -> Settled:
    """The chips of a deal from each seat's rank numbers: the low half first, the high half is what is then left."""
    seats = len(lows)
    pot = seats * ante + carried
    low_half = pot // 2
    low_winners = [seat for seat in range(seats) if lows[seat] == min(lows)]
    low_shares, low_stayed = share(low_half, low_winners, seats, odd_chips, dealer)
    high_half = pot - sum(low_shares)
    high_winners = [seat for seat in range(seats) if highs[seat] == min(highs)]
    high_shares, left = share(high_half, high_winners, seats, odd_chips, dealer)
    payouts = [low + high for low, high in zip(low_shares, high_shares, strict=True)]
    nets = [payout - ante for payout in payouts]
    return Settled(
        low_half, high_half, low_winners, high_winners, low_shares, high_shares, low_stayed, left, payouts, nets
    )
