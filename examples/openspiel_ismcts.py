"""OpenSpiel's information set Monte Carlo tree search (ISMCTS) plays against GreedyBots.

    python -m examples.openspiel_ismcts
    python -m examples.openspiel_ismcts --deals 20 --simulations 200 --seed 3

ISMCTS knows nothing of the game but its rules: it plays whole random games in worlds that agree with what it has seen,
and takes the action that came out best. It sits in the seats by turns. Nothing of it is ours: the bot, the search
and the random games are OpenSpiel's, and so is the seed's generator.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from random import Random
from typing import Any, NoReturn

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from tqdm import tqdm

from essen_hilo import GreedyBot
from examples.openspiel_game import BotPlayer, EssenHiloState


def play(game: Any, seat: int, simulations: int, rng: np.random.RandomState) -> EssenHiloState:
    """A deal to its end, with ISMCTS in one seat and GreedyBots in the others."""
    evaluator = RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
    searcher = ISMCTSBot(game, evaluator, uct_c=game.max_utility(), max_simulations=simulations, random_state=rng)
    bots = [
        searcher if player == seat else BotPlayer(GreedyBot(Random(int(rng.randint(2**31)))), player)
        for player in range(game.num_players())
    ]
    state: EssenHiloState = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=chances))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments."""

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """The program; gives its exit status."""
    parser = Parser(description="OpenSpiel's ISMCTS plays against GreedyBots.")
    parser.add_argument("--deals", type=int, default=4, help="how many (default 4)")
    parser.add_argument("--simulations", type=int, default=100, help="games in its head for an action (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers start (default 1)")
    parser.add_argument("--players", type=int, default=4, help="2 to 5 (default 4)")
    parser.add_argument("--low", default="deuce_to_seven", help="the low rule (default deuce_to_seven)")
    wanted = parser.parse_args(arguments)
    for name, least in (("deals", 1), ("simulations", 2), ("seed", 0)):
        if getattr(wanted, name) < least:
            parser.error(f"--{name}: {least} or more is wanted")
    try:
        game = pyspiel.load_game("python_essen_hilo_seq", {"players": wanted.players, "low": wanted.low})
    except ValueError as error:
        parser.error(str(error))
    rng = np.random.RandomState(wanted.seed)
    won = 0.0
    for deal in tqdm(range(wanted.deals), unit="deal", disable=None):
        seat = deal % game.num_players()
        state = play(game, seat, wanted.simulations, rng)
        won += state.returns()[seat]
        tqdm.write(f"deal {deal + 1}, ISMCTS in seat {seat}:\n{state.table.result}\n")
    print(f"ISMCTS won {won:+g} chips in {wanted.deals} deals at {game}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
