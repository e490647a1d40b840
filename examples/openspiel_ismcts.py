"""OpenSpiel's information set Monte Carlo tree search (ISMCTS) plays against GreedyBots.

    python -m examples.openspiel_ismcts
    python -m examples.openspiel_ismcts --deals 20 --simulations 400 --seed 3
    python -m examples.openspiel_ismcts --rollouts

ISMCTS knows nothing of the game but its rules: it looks at worlds that agree with what its player has seen, and takes
the action that came out best. It asks an evaluator how a game ends that it has not looked into; ours lets everybody
pick at random and set the best hands. With `--rollouts` that is OpenSpiel's own, which sets hands at random too, and so
learns little from its games. When the cards are picked, `best_arrangement` sets the hands of the player that searches,
unless with `--rollouts`: then it searches for them as well. It sits in the seats by turns.
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
from open_spiel.python.algorithms.mcts import Evaluator, RandomRolloutEvaluator
from tqdm import tqdm

from essen_hilo import GreedyBot, Phase, best_arrangement
from examples.openspiel_game import LOWS, BotPlayer, EssenHiloState


class RandomPicks(Evaluator):
    """Values a state by one game in which everybody picks at random and sets the best hands."""

    def __init__(self, random_state: np.random.RandomState) -> None:
        self._random = random_state.random_sample

    def evaluate(self, state: EssenHiloState) -> list[float]:
        """What each player wins in the end. Cards that were chosen for hands already are taken back."""
        table = state.table
        while table.phase is Phase.PICK:
            for seat in table.to_act:
                moves = table.legal_moves(seat)
                table = table.apply(moves[int(self._random() * len(moves))])
            table = table.advance()
        for seat in table.to_act:
            hands = best_arrangement(table.pools[seat], table.rules)
            table = table.arrange(seat, hands.low, hands.high)
        result = table.advance().result
        assert result is not None
        return [float(net) for net in result.nets]

    def prior(self, state: EssenHiloState) -> list[tuple[int, float]]:
        """All actions alike."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def searcher(game: Any, simulations: int, evaluator: Any, rng: np.random.RandomState) -> Any:
    """OpenSpiel's bot, all of whose random numbers come from the generator."""
    bot = ISMCTSBot(game, evaluator, uct_c=game.max_utility(), max_simulations=simulations, random_state=rng)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    return bot


def play(game: Any, seat: int, simulations: int, rollouts: bool, rng: np.random.RandomState) -> EssenHiloState:
    """A deal to its end, with ISMCTS in one seat and GreedyBots in the others."""
    evaluator = RandomRolloutEvaluator(n_rollouts=1, random_state=rng) if rollouts else RandomPicks(rng)
    search = searcher(game, simulations, evaluator, rng)
    greedy = [BotPlayer(GreedyBot(Random(int(rng.randint(2**31)))), player) for player in range(game.num_players())]
    state: EssenHiloState = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=chances))
        else:
            player = state.current_player()
            searches = player == seat and (rollouts or state.table.phase is Phase.PICK)
            state.apply_action((search if searches else greedy[player]).step(state))
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
    parser.add_argument("--simulations", type=int, default=100, help="looks ahead for an action (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers start (default 1)")
    parser.add_argument("--players", type=int, default=4, choices=range(2, 6), help="2 to 5 (default 4)")
    parser.add_argument("--low", default="deuce_to_seven", choices=LOWS, help="the low rule (default %(default)s)")
    parser.add_argument("--rollouts", action="store_true", help="value states by OpenSpiel's own random games")
    wanted = parser.parse_args(arguments)
    for name, least, most in (("deals", 1, 10**9), ("simulations", 2, 10**9), ("seed", 0, 2**32 - 1)):
        if not least <= getattr(wanted, name) <= most:
            parser.error(f"--{name}: {least} to {most} is wanted")
    game = pyspiel.load_game("python_essen_hilo_seq", {"players": wanted.players, "low": wanted.low})
    rng = np.random.RandomState(wanted.seed)
    won = 0.0
    for deal in tqdm(range(wanted.deals), unit="deal", disable=None):
        seat = deal % game.num_players()
        state = play(game, seat, wanted.simulations, wanted.rollouts, rng)
        won += state.returns()[seat]
        tqdm.write(f"deal {deal + 1}, ISMCTS in seat {seat}:\n{state.table.result}\n")
    print(f"ISMCTS won {won:+g} chips in {wanted.deals} deals at {game}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
