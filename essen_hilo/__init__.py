"""Rules and scoring of Essen high-low."""

from essen_hilo.arranging import Arrangement, frontier
from essen_hilo.bots import Bot, RandomBot
from essen_hilo.cards import DECK, Card, Rank, Suit, format_cards, parse_cards, shuffled_deck
from essen_hilo.errors import (
    CardError,
    EssenHiloError,
    IllegalMoveError,
    Reason,
    RecordError,
    RulesError,
)
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
from essen_hilo.match import Match
from essen_hilo.moves import Arrange, Deal, Move, Pass, Phase, Pick, Show, Showdown, parse_move
from essen_hilo.record import Record
from essen_hilo.rules import OddChips, Rules
from essen_hilo.showdown import Award, Result, settle
from essen_hilo.simulation import play_out
from essen_hilo.state import GameState
from essen_hilo.views import View
