"""What is said to whoever tried a move that the rules refuse. Which moves those are is for `state` to say.

No card is named. A card that a seat offers may be another's, or its own and face down, and messages end up in logs:
so they say at which place of the move it stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from essen_hilo.cards import Card
from essen_hilo.errors import Reason, brief
from essen_hilo.moves import Arrange, Deal, Move, Phase, Pick, Show
from essen_hilo.rules import seats_in_words


def complaint(move: Move, reason: Reason, phase: Phase, seats: int, kept: Sequence[Card], due: str) -> str:
    """What is wrong with the move, and what to do instead.

    Args:
        move: The move that is refused.
        reason: Why.
        phase: What the table is doing.
        seats: How many seats there are.
        kept: The pool of a seat that sets its hands.
        due: What the table is waiting for, in words.
    """
    match reason, move:
        case Reason.WRONG_PHASE, _:
            return f"no {type(move).__name__.lower()} in phase {phase}: {due}"
        case Reason.NO_SUCH_SEAT, Pick() | Arrange() | Show():
            return f"there is no seat {brief(move.seat)}: seats are 0 to {seats - 1}"
        case Reason.ALREADY_ACTED, Pick() | Arrange() | Show():
            return f"seat {move.seat} has done that already: {due}"
        case Reason.CARD_NOT_IN_PACK, Pick():
            return f"seat {move.seat} can pick only a card of the pack that it has in hand"
        case Reason.BAD_HAND, Arrange():
            sizes = f"{len(move.low)} and {len(move.high)} cards, {len({*move.low, *move.high})} of them different"
            return f"a low and a high hand are five and five different cards, not {sizes}"
        case Reason.NOT_YOUR_CARDS, Arrange():
            places = [
                f"card {place} of the {name} hand"
                for name, hand in (("low", move.low), ("high", move.high))
                for place, card in enumerate(hand, 1)
                if card not in kept
            ]
            return f"seat {move.seat} can use only cards of its pool, and has not kept {', '.join(places)}"
        case _:
            assert isinstance(move, Deal)
            if not all(isinstance(card, Card) for card in move.deck):
                return "a deck is 52 different Cards, and not everything here is a Card"
            different = len(set(move.deck))
            return f"a deck is the 52 different cards: this one has {len(move.deck)}, {different} of them different"


def what_is_due(phase: Phase, to_act: Sequence[int], face_down: Sequence[int]) -> str:
    """What the table is waiting for, in words."""
    match phase:
        case Phase.DEAL:
            return "deal first"
        case Phase.PICK:
            return f"a pick from {seats_in_words(to_act)} is due"
        case Phase.PASS:
            return "everybody has picked, pass the packs"
        case Phase.ARRANGE:
            return f"an arrange from {seats_in_words(to_act)} is due"
        case Phase.SHOW_LOW | Phase.SHOW_HIGH:
            return f"a show from {seats_in_words(face_down)}, or a showdown, is due"
        case _:
            return "the game is over, start another"
