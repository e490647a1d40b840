"""Essen high-low: its rules, its scoring, what each seat may know, and players for it.

Four or five seats draft a whole pack (keep one card, pass the rest to the left, all at the same time), then each
sets a low and a high hand of five cards. The lowest hand takes half the pot, the highest what is left of it.

Five words run the game, and name its moves and the methods of a state: deal, pick, pass, arrange, showdown.

* `GameState` is the whole table at one moment. It never changes: `state.apply(move)` is the next one.
* `View` is what one seat may see of it, `Knowledge` what can be worked out from that.
* `Rules` are what the table agreed on before the deal; `settle` scores a deal played with real cards.
* `evaluate_high`, `evaluate_low` and `frontier` say what cards are worth, and what can be made of them.
* `Record` writes a game down and replays it; `Match` keeps the score over many deals.
* `GreedyBot` and others play; `play_out` and `simulate` run their games.

>>> from random import Random
>>> state = GameState.start(Rules(seats=4, ante=5)).deal(shuffled_deck(Random(7)))
>>> state = play_out(state, [GreedyBot(Random(seat)) for seat in range(4)])
>>> state.phase, sum(state.result.payouts) + state.result.carried == state.pot
(<Phase.OVER: 'over'>, True)

Everything that goes wrong on purpose is an `EssenHiloError`.
"""

TYPE_CHECKING = False  # type checkers know the name; `typing` would take longer to import than all of this
if TYPE_CHECKING:
    from essen_hilo.arranging import Arrangement, best_arrangement, frontier, with_odds
    from essen_hilo.bots import Bot, GreedyBot, RandomBot, SearchBot
    from essen_hilo.cards import DECK, Card, Rank, Suit, format_cards, parse_cards, shuffled_deck
    from essen_hilo.errors import CardError, EssenHiloError, IllegalMoveError, Reason, RecordError, RulesError
    from essen_hilo.hands import (
        ACE_TO_FIVE,
        ACE_TO_SIX,
        DEUCE_TO_SEVEN,
        DEUCE_TO_SIX,
        Category,
        HandValue,
        LowRule,
        evaluate_high,
        evaluate_low,
    )
    from essen_hilo.knowledge import Knowledge, Place
    from essen_hilo.match import Match
    from essen_hilo.moves import Arrange, Deal, Move, Pass, Phase, Pick, Show, Showdown, parse_move
    from essen_hilo.odds import Odds
    from essen_hilo.record import Record
    from essen_hilo.report import Report
    from essen_hilo.rules import OddChips, Rules
    from essen_hilo.schemas import json_schemas
    from essen_hilo.showdown import Award, Result, settle
    from essen_hilo.simulation import WorkerLostError, play_deal, play_out, simulate
    from essen_hilo.state import GameState
    from essen_hilo.views import View

# The order of the game, layer by layer.
__all__ = [  # noqa: RUF022
    "EssenHiloError",
    "CardError",
    "RulesError",
    "IllegalMoveError",
    "RecordError",
    "Reason",
    "Rank",
    "Suit",
    "Card",
    "DECK",
    "parse_cards",
    "format_cards",
    "shuffled_deck",
    "Category",
    "HandValue",
    "LowRule",
    "DEUCE_TO_SEVEN",
    "ACE_TO_FIVE",
    "ACE_TO_SIX",
    "DEUCE_TO_SIX",
    "evaluate_high",
    "evaluate_low",
    "Rules",
    "OddChips",
    "Odds",
    "Arrangement",
    "frontier",
    "with_odds",
    "best_arrangement",
    "Phase",
    "Move",
    "Deal",
    "Pick",
    "Pass",
    "Arrange",
    "Show",
    "Showdown",
    "parse_move",
    "Award",
    "Result",
    "settle",
    "View",
    "GameState",
    "Record",
    "Match",
    "Knowledge",
    "Place",
    "json_schemas",
    "Bot",
    "RandomBot",
    "GreedyBot",
    "SearchBot",
    "Report",
    "play_out",
    "play_deal",
    "simulate",
    "WorkerLostError",
]

# Names are loaded when they are first asked for, so that a program pays for what it uses: who only scores hands never
# loads the simulation.
_MODULES = (
    *("errors", "cards", "hands", "odds", "rules", "arranging", "moves", "showdown", "views", "state"),
    *("record", "match", "knowledge", "schemas", "bots", "report", "simulation"),
)


if not TYPE_CHECKING:  # a type checker would take it for a promise that every name exists

    def __getattr__(name: str) -> object:
        from importlib import import_module  # noqa: PLC0415

        if name in __all__:
            # From the first layer on: it needs most of the modules before the one that has the name.
            modules = (vars(import_module(f"{__name__}.{module}")) for module in _MODULES)
            globals()[name] = found = next(module[name] for module in modules if name in module)
            return found
        if name in _MODULES:
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
