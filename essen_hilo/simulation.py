"""Many games, played by bots."""

from __future__ import annotations

from collections.abc import Sequence

from essen_hilo.bots import Bot
from essen_hilo.moves import Phase
from essen_hilo.state import GameState


def play_out(state: GameState, bots: Sequence[Bot]) -> GameState:
    """The state at the end of a deal that the bots, one a seat, play to its end.

    The state must be dealt; it may be anywhere in the game. Each bot gets only its seat's view.

    Raises:
        IllegalMoveError: A bot chose a move that the rules refuse, or nothing has been dealt.
    """
    state = state.advance()
    while state.phase is not Phase.OVER:
        for seat in state.to_act:
            state = state.apply(bots[seat].choose(state.view(seat)))
        state = state.advance()
    return state
