"""Whole games of the package, played from what the plain model in `reference_game` did."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hypothesis import settings

from essen_hilo import (
    Arrange,
    Card,
    Deal,
    GameState,
    LowRule,
    Move,
    OddChips,
    Pass,
    Pick,
    Rules,
    Show,
    Showdown,
)
from tests.reference_game import Action, Setting, random_game, random_setting

# A card's text, alone or in a row without spaces, or its symbol, or the way its repr names it.
CARDS_IN_TEXT = re.compile(r"\b(?:(?:10|[2-9TJQKA])[cdhs])+\b|[♣♦♥♠♧♢♡♤]|Rank\.\w+|Suit\.\w+")


def share_of_examples(share: float) -> settings:
    """Fewer (or more) examples than the profile says, for a test that costs more (or less) than most."""
    return settings(max_examples=max(1, round(settings().max_examples * share)))


def cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(Card.parse(text) for text in texts)


def texts(some: Iterable[Card]) -> tuple[str, ...]:
    return tuple(str(card) for card in some)


def as_move(action: Action) -> Move:
    """The package's word for something done at the table."""
    match action.verb:
        case "deal":
            return Deal(cards(action.cards))
        case "pick":
            return Pick(action.seat, Card.parse(action.cards[0]))
        case "pass":
            return Pass()
        case "arrange":
            return Arrange(action.seat, cards(action.cards), cards(action.high))
        case "show":
            return Show(action.seat)
        case _:
            return Showdown()


def as_rules(setting: Setting) -> Rules:
    return Rules(
        seats=setting.seats,
        ante=setting.ante,
        low=LowRule.named(setting.low),
        hand_size=setting.hand_size,
        odd_chips=OddChips(setting.odd_chips),
    )


def opening(setting: Setting) -> GameState:
    return GameState.start(as_rules(setting), dealer=setting.dealer, carried=setting.carried)


class Game(NamedTuple):
    """A whole game: what was done at the table and every state of it, before the deal included."""

    setting: Setting
    actions: list[Action]
    states: list[GameState]


def states_of(setting: Setting, actions: Sequence[Action]) -> list[GameState]:
    states = [opening(setting)]
    for action in actions:
        states.append(states[-1].apply(as_move(action)))
    return states


def game(seed: int, setting: Setting | None = None) -> Game:
    """A whole random game; any table, unless one is given."""
    rng = random.Random(seed)
    chosen = random_setting(rng) if setting is None else setting
    actions = random_game(chosen, rng)
    return Game(chosen, actions, states_of(chosen, actions))


def deck_for(packs: Sequence[Sequence[str]], dealer: int) -> list[str]:
    """The deck that gives each seat this pack; cards in nobody's pack are put aside."""
    seats = len(packs)
    dealt = [packs[(dealer + 1 + turn) % seats][number] for number in range(len(packs[0])) for turn in range(seats)]
    used = set(dealt)
    return dealt + [rank + suit for rank in "23456789TJQKA" for suit in "cdhs" if rank + suit not in used]


def seats_and_spectator(setting: Setting) -> list[int | None]:
    return [*range(setting.seats), None]
