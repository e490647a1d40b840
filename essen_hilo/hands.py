"""What five cards are worth: as a high hand, and as a low hand under any of the four classic rules.

A value is looked up, not computed. Each `Card` carries a weight whose sum over five cards tells their ranks, and that
sum, negative if the cards are of one suit, is the key to the `HandValue`. The table of a rule is written down from
best to worst, category by category, when the first value is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import combinations, permutations
from typing import ClassVar, final

from essen_hilo.cards import DECK, Card, Rank
from essen_hilo.errors import CardError, RulesError, brief
from essen_hilo.frozen import Frozen


class Category(StrEnum):
    """The kinds of poker hand, best first; a royal flush is the best straight flush."""

    STRAIGHT_FLUSH = "straight flush"
    FOUR_OF_A_KIND = "four of a kind"
    FULL_HOUSE = "full house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three of a kind"
    TWO_PAIR = "two pair"
    ONE_PAIR = "one pair"
    NO_PAIR = "no pair"


@final
class LowRule(Frozen):
    """How low hands are counted: two decisions, to be agreed on before the deal.

    The hand that would be worst as a high hand under the two decisions is the best low. There are four
    low rules and four objects; each has a stable `name`. The source of the game suggests deuce-to-seven.

    >>> LowRule(ace_low=True, straights_and_flushes=False) is ACE_TO_FIVE
    True

    Attributes:
        ace_low: Whether the ace is the lowest rank; else it is the highest.
        straights_and_flushes: Whether straights and flushes count, against the hand. A straight is
            five ranks in a row in this rule's own order of ranks.
        name: "deuce-to-seven", "ace-to-five", "ace-to-six" or "deuce-to-six", after the best hand.
    """

    __slots__ = ("_values", "ace_low", "name", "straights_and_flushes")

    ace_low: bool
    straights_and_flushes: bool
    name: str
    _values: _Values

    _rules: ClassVar[dict[tuple[bool, bool], LowRule]] = {}

    def __new__(cls, *, ace_low: bool, straights_and_flushes: bool) -> LowRule:
        """The rule that decides so; a `RulesError` if a decision is not a `bool`."""
        decisions = (ace_low, straights_and_flushes)
        if not all(isinstance(decision, bool) for decision in decisions):
            raise RulesError(f"ace_low and straights_and_flushes are True or False, not {brief(decisions)}")
        return cls._rules[decisions]

    @classmethod
    def named(cls, name: str) -> LowRule:
        """The rule of that name; a `RulesError` that lists the four names if there is none."""
        for rule in cls._rules.values():
            if rule.name == name:
                return rule
        allowed = ", ".join(rule.name for rule in cls._rules.values())
        raise RulesError(f"low: no low rule is named {brief(name)}: {allowed} are allowed")

    def __repr__(self) -> str:
        return self._constant

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        # Not the identity that `object` hashes: sets of rules have the same order in every process.
        return 2 * self.ace_low + self.straights_and_flushes

    def __reduce__(self) -> str:
        return self._constant

    @property
    def _constant(self) -> str:
        return self.name.upper().replace("-", "_")


@final
@dataclass(frozen=True, slots=True)
class HandValue:
    """What a hand is worth under one rule; made by `evaluate_high` and `evaluate_low`.

    Greater is stronger, for lows too: the lowest hand at the table is the greatest low value. Values
    of different rules are never equal, and comparing their strength is a `TypeError`.

    >>> from essen_hilo import evaluate_high, evaluate_low, parse_cards
    >>> seven, wheel = parse_cards("7h 5d 4c 3s 2d"), parse_cards("Ah 5d 4c 3s 2d")
    >>> evaluate_low(seven) > evaluate_low(wheel), evaluate_high(seven) < evaluate_high(wheel)
    (True, True)
    >>> print(evaluate_low(seven), "and", evaluate_high(parse_cards("Ts Th Td 4c 4d")))
    7-5-4-3-2 low and full house, tens over fours

    Attributes:
        rule: The low rule, or None for the high game.
        rank: 1 is the best hand under the rule; the last is 7462, or 6175 where straights and flushes
            don't count.
        category: The kind of hand.
        ranks: The five ranks, one a card, in the order in which they decide: `(10, 10, 10, 4, 4)`
            for tens over fours, `(5, 4, 3, 2, 14)` for the lowest straight of the high game.
    """

    rule: LowRule | None
    rank: int
    category: Category = field(compare=False)
    ranks: tuple[Rank, ...] = field(compare=False)

    def __hash__(self) -> int:
        return self.rank

    def __lt__(self, other: HandValue) -> bool:
        return self.rank > other.rank if self._comparable(other) else NotImplemented

    def __le__(self, other: HandValue) -> bool:
        return self.rank >= other.rank if self._comparable(other) else NotImplemented

    def __gt__(self, other: HandValue) -> bool:
        return self.rank < other.rank if self._comparable(other) else NotImplemented

    def __ge__(self, other: HandValue) -> bool:
        return self.rank <= other.rank if self._comparable(other) else NotImplemented

    def _comparable(self, other: object) -> bool:
        return isinstance(other, HandValue) and other.rule is self.rule

    def __str__(self) -> str:
        """The value as a player says it, with everything that decides."""
        text = [rank.text for rank in self.ranks]
        many = [_PLURALS[rank] for rank in self.ranks]
        match self.category:
            case Category.STRAIGHT_FLUSH | Category.STRAIGHT:
                return f"{self.category}, {self.ranks[0].name.lower()} high"
            case Category.FOUR_OF_A_KIND:
                return f"four of a kind, {many[0]} with {text[4]}"
            case Category.FULL_HOUSE:
                return f"full house, {many[0]} over {many[3]}"
            case Category.THREE_OF_A_KIND:
                return f"three of a kind, {many[0]} with {'-'.join(text[3:])}"
            case Category.TWO_PAIR:
                return f"two pair, {many[0]} over {many[2]} with {text[4]}"
            case Category.ONE_PAIR:
                return f"one pair, {many[0]} with {'-'.join(text[2:])}"
            case Category.NO_PAIR if self.rule is not None:
                return f"{'-'.join(text)} low"
            case _:
                return f"{self.category}, {'-'.join(text)}"


_PLURALS = {rank: "sixes" if rank is Rank.SIX else f"{rank.name.lower()}s" for rank in Rank}


class _Values(dict[int, HandValue]):
    """The values of all hands under one rule, by weight; empty until the first is asked for.

    Threads that ask first at the same time may each write the table; they write the same.
    """

    __slots__ = ("_rule",)

    def __init__(self, rule: LowRule | None) -> None:
        super().__init__()
        self._rule = rule

    def __missing__(self, weight: int) -> HandValue:
        # Not `self[weight]`: another thread may have written the table since this one looked.
        value = self.written().get(weight)
        if value is None:
            raise KeyError(weight)
        return value

    def written(self) -> Mapping[int, HandValue]:
        """The table, written down if it was not yet."""
        if not self:
            self.update(_write_down(self._rule))
        return self


_HIGH_VALUES = _Values(None)


def _make_low_rule(name: str, ace_low: bool, straights_and_flushes: bool) -> LowRule:
    rule = object.__new__(LowRule)
    fields = {
        "name": name,
        "ace_low": ace_low,
        "straights_and_flushes": straights_and_flushes,
        "_values": _Values(rule),
    }
    for key, value in fields.items():
        object.__setattr__(rule, key, value)
    LowRule._rules[ace_low, straights_and_flushes] = rule
    return rule


#: The default: aces are high, straights and flushes count; the best hand is 7-5-4-3-2.
DEUCE_TO_SEVEN = _make_low_rule("deuce-to-seven", ace_low=False, straights_and_flushes=True)
#: Aces are low, straights and flushes don't count; the best hand is 5-4-3-2-A.
ACE_TO_FIVE = _make_low_rule("ace-to-five", ace_low=True, straights_and_flushes=False)
#: Aces are low, straights and flushes count; the best hand is 6-4-3-2-A.
ACE_TO_SIX = _make_low_rule("ace-to-six", ace_low=True, straights_and_flushes=True)
#: Aces are high, straights and flushes don't count; the best hand is 6-5-4-3-2.
DEUCE_TO_SIX = _make_low_rule("deuce-to-six", ace_low=False, straights_and_flushes=False)


def evaluate_high(cards: Iterable[Card]) -> HandValue:
    """What five cards are worth in the ordinary high game, the ace high, or low in a straight.

    Args:
        cards: Exactly five different cards, in any order.

    Raises:
        CardError: There are not five cards, or one is there twice; the message says which.
    """
    return _evaluate(tuple(cards), _HIGH_VALUES)


def evaluate_low(cards: Iterable[Card], rule: LowRule = DEUCE_TO_SEVEN) -> HandValue:
    """What five cards are worth as a low hand; the greatest value is the lowest hand.

    Args:
        cards: Exactly five different cards, in any order.
        rule: The low rule that the table agreed on.

    Raises:
        CardError: There are not five cards, or one is there twice; the message says which.
    """
    return _evaluate(tuple(cards), rule._values)


def _evaluate(cards: tuple[Card, ...], values: _Values) -> HandValue:
    try:
        a, b, c, d, e = cards
        weight = a.weight + b.weight + c.weight + d.weight + e.weight
        if a.suit is b.suit is c.suit is d.suit is e.suit:
            # Five of one suit have five ranks: with a card there twice, the weight is not in the table.
            return values[-weight]
        twice = a is b or a is c or a is d or a is e or b is c or b is d or b is e or c is d or c is e or d is e
        # No hand weighs nothing.
        return values[0 if twice else weight]
    except (ValueError, AttributeError, KeyError):
        raise _no_hand(cards) from None


def _no_hand(cards: tuple[object, ...]) -> CardError:
    """The error for what is not a hand of five different cards."""
    for place, card in enumerate(cards):
        if not isinstance(card, Card):
            return CardError(f"a hand is five Cards, and number {place + 1} is {brief(card)}")
    for card in cards:
        if cards.count(card) > 1:
            return CardError(f"a hand is five different cards, and {card} is there {cards.count(card)} times")
    return CardError(f"a hand is exactly five cards, not {len(cards)}")


def values_by_weight(rule: LowRule | None) -> Mapping[int, HandValue]:
    """The values of all hands under the rule, by weight; a hand of one suit has its weight negative."""
    return (_HIGH_VALUES if rule is None else rule._values).written()


def _write_down(rule: LowRule | None) -> dict[int, HandValue]:
    values: dict[int, HandValue] = {}
    suits_count = rule is None or rule.straights_and_flushes
    hands = _strongest_first(rule) if rule is None else reversed(_strongest_first(rule))
    for rank, (category, ranks) in zip(_places(), hands, strict=False):
        value = HandValue(rule, rank, category, ranks)
        weight = sum([_WEIGHTS[card_rank] for card_rank in ranks])
        suited = category in (Category.FLUSH, Category.STRAIGHT_FLUSH)
        if not suited:
            values[weight] = value
        if suited or (category is Category.NO_PAIR and not suits_count):
            values[-weight] = value
    return values


_WEIGHTS = {card.rank: card.weight for card in DECK}


@cache
def _places() -> tuple[int, ...]:
    # Numbers that all tables share; each would have its own otherwise, and they take a megabyte.
    return tuple(range(1, 7463))


_Ranks = tuple[Rank, ...]


def _strongest_first(rule: LowRule | None) -> list[tuple[Category, _Ranks]]:
    """Every class of hand, each once, as the high game would order them under the rule's two decisions."""
    of_ranks = _of_ranks(rule is not None and rule.ace_low)
    straights = _straights(rule)
    runs = {frozenset(run) for run in straights}
    unpaired = [ranks for ranks in of_ranks[Category.NO_PAIR] if frozenset(ranks) not in runs]
    by_category = {**of_ranks, Category.NO_PAIR: unpaired}
    if rule is None or rule.straights_and_flushes:
        by_category[Category.STRAIGHT_FLUSH] = by_category[Category.STRAIGHT] = straights
        by_category[Category.FLUSH] = unpaired
    return [(category, ranks) for category in Category for ranks in by_category.get(category, ())]


def _straights(rule: LowRule | None) -> list[_Ranks]:
    """The straights, strongest first; only the high game lets the ace stand at both ends."""
    if rule is None:
        order = (*_order(ace_low=False), Rank.ACE)
    elif rule.straights_and_flushes:
        order = _order(rule.ace_low)
    else:
        return []
    return [order[start : start + 5] for start in range(len(order) - 4)]


def _order(ace_low: bool) -> _Ranks:
    """The thirteen ranks, strongest first."""
    descending = tuple(reversed(Rank))
    return (*descending[1:], Rank.ACE) if ace_low else descending


@cache
def _of_ranks(ace_low: bool) -> dict[Category, list[_Ranks]]:
    """The ways five ranks can repeat or not, strongest first; straights not yet taken out.

    `itertools` keeps the order of what it is given, so from ranks in descending order the
    combinations come out strongest first.
    """
    order = _order(ace_low)

    def kickers(count: int, *taken: Rank) -> Iterator[_Ranks]:
        return combinations([rank for rank in order if rank not in taken], count)

    return {
        Category.FOUR_OF_A_KIND: [(a, a, a, a, b) for a, b in permutations(order, 2)],
        Category.FULL_HOUSE: [(a, a, a, b, b) for a, b in permutations(order, 2)],
        Category.THREE_OF_A_KIND: [(a, a, a, *rest) for a in order for rest in kickers(2, a)],
        Category.TWO_PAIR: [(a, a, b, b, *rest) for a, b in combinations(order, 2) for rest in kickers(1, a, b)],
        Category.ONE_PAIR: [(a, a, *rest) for a in order for rest in kickers(3, a)],
        Category.NO_PAIR: list(combinations(order, 5)),
    }
