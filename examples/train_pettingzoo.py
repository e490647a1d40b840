"""A small learner on `pettingzoo_env`: in a few minutes it takes most of the chips from three bots that pick at random.

    pip install ".[pettingzoo,study]"
    python -m examples.train_pettingzoo --seed 1 --plot train_pettingzoo.png

One seat learns and the others pick at random. It is REINFORCE, the plainest policy gradient: play by lot, then make the
picks of games that went well more likely, and those of the others less. All it needs is numpy.

* **The policy** gives every card of the pack a score, and picks a card with a probability in proportion to exp(score).
  A score is a sum of learnt weights. To the weight of the card's rank, which may change as the draft goes on, each card
  of the pool adds one: it depends on both ranks and on whether the suits are the same. This is all a drafter needs to
  learn what makes lows, pairs and straight flushes, and as the suits share their weights there are only 364 of them,
  a table that can be learnt from some thousand games. A hidden layer learnt no faster, and could get stuck in playing
  for the low half alone.
* **The baseline**, what a game's reward is compared with, is what the same deal brought on average when it was played
  some times over: that takes the luck of the cards dealt out of it.
* **The opponents** are those it is measured against. When all seats learnt at once, what paid changed all the time,
  and the same policy ended at less than half of the chips from random pickers. But what it learns is an answer to
  these opponents and to no others: three `GreedyBot`s leave it less than its fair share.

Hands are set by `best_arrangement` at all seats (arrange="best"): only the draft is learnt. What was learnt is measured
by `simulate` on duplicate deals, which are not those of the training; the learner then picks the card with the highest
score and draws lots only between equal ones, so it starts as a random picker. To set the best hands is by itself worth
most of the chips of three `RandomBot`s; what the draft is worth shows against random pickers that set them too. The
same seed gives the same run.

Ctrl-C ends the training early: what has been learnt so far is measured and drawn, and the exit status is 130. Another
Ctrl-C leaves at once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import NoReturn

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray
from tqdm import tqdm

from essen_hilo import (
    ACE_TO_FIVE,
    ACE_TO_SIX,
    DEUCE_TO_SEVEN,
    DEUCE_TO_SIX,
    Arrange,
    GreedyBot,
    Move,
    Phase,
    Pick,
    RandomBot,
    Rules,
    View,
    best_arrangement,
    simulate,
)
from essen_hilo.simulation import Maker
from examples.pettingzoo_env import EssenHiloEnv, parallel_env

Numbers = NDArray[np.float64]

LOWS = (DEUCE_TO_SEVEN, DEUCE_TO_SIX, ACE_TO_FIVE, ACE_TO_SIX)
DEALS, REPEATS = 8, 8
"""Deals in a batch, after which the weights change, and how often each is played."""
BATCH = DEALS * REPEATS
RATE = 0.05
"""About how far a weight moves with each batch."""
POINTS = 10
"""Measurements along the learning curve, close together at first."""
NOTHING_LEARNT = np.zeros((13 + 13 + 2, 13))
"""Weights by feature and rank of the card that gets the score."""


# The policy.


def features(pool: NDArray[np.generic]) -> Numbers:
    """What decides about a card, by its suit, from the marks of the pool.

    That is: for each rank, whether the pool has it in this suit, and how often in others; 1; and how full the pool is.
    """
    suits = pool.reshape(13, 4).T.astype(float)  # a card's index is 4 × place of its rank + place of its suit
    others = suits.sum(axis=0) - suits
    return np.hstack([suits, others, np.ones((4, 1)), np.full((4, 1), suits.sum() / 13)])


def scores(weights: Numbers, pool: NDArray[np.generic]) -> Numbers:
    """The score of each card, by its index."""
    return (features(pool) @ weights).T.ravel()


def probabilities(weights: Numbers, pool: NDArray[np.generic], mask: NDArray[np.generic]) -> Numbers:
    """How likely each card is picked; only those that the mask marks are."""
    score = scores(weights, pool)
    chances = np.exp(score - score.max(where=mask != 0, initial=-np.inf)) * mask
    return np.asarray(chances / chances.sum())


def gradient(pool: NDArray[np.generic], chances: Numbers, card: int) -> Numbers:
    """How the logarithm of the card's probability changes with each weight."""
    surprise = -chances
    surprise[card] += 1
    return np.asarray(features(pool).T @ surprise.reshape(13, 4).T)


class Drafter:
    """A bot that picks the card with the highest score; without any weights, that is a random one."""

    def __init__(self, weights: Numbers, rng: Random) -> None:
        self._weights = weights
        self._rng = rng

    def choose(self, view: View) -> Move:
        """The pick with the highest score, or the best arrangement."""
        assert view.seat is not None
        if view.phase is not Phase.PICK:
            hands = best_arrangement(view.pool, view.rules)
            return Arrange(view.seat, hands.low, hands.high)
        pool = np.zeros(52)
        pool[[card.index for card in view.pool]] = 1
        score = scores(self._weights, pool)
        most = max(score[card.index] for card in view.pack)
        best = [card for card in view.pack if score[card.index] == most]
        return Pick(view.seat, best[int(self._rng.random() * len(best))])


def random_picker(rng: Random) -> Drafter:
    """A bot that picks at random, but sets the best hands."""
    return Drafter(NOTHING_LEARNT, rng)


# Training.


def play(env: EssenHiloEnv, weights: Numbers, rng: np.random.Generator, deal: int) -> tuple[float, Numbers]:
    """One game of the first agent against random pickers.

    Returns:
        Its reward, and how the logarithm of the probability of all its picks changes with each weight.
    """
    learner = env.possible_agents[0]  # the dealer is drawn with the deal, so this is any place at the table
    total, slope = 0.0, np.zeros_like(weights)
    observations, _ = env.reset(seed=deal)
    while env.agents:
        actions = {agent: rng.choice(np.flatnonzero(observations[agent]["action_mask"])) for agent in env.agents}
        pool = env.parts(observations[learner]["observation"])["pool"]
        chances = probabilities(weights, pool, observations[learner]["action_mask"])
        actions[learner] = rng.choice(52, p=chances)
        slope += gradient(pool, chances, actions[learner])
        observations, rewards, *_ = env.step(actions)
        total += rewards[learner]
    return total, slope


def learn(env: EssenHiloEnv, seed: int) -> Iterator[tuple[Numbers, float]]:
    """Learn without end.

    Yields:
        After each batch, the weights and the mean reward in that batch.
    """
    rng = np.random.default_rng(seed)
    weights = NOTHING_LEARNT
    slope, square = np.zeros_like(weights), np.zeros_like(weights)
    for batch in count(1):
        total, step = 0.0, np.zeros_like(weights)
        for deal in rng.integers(2**32, size=DEALS):
            games = [play(env, weights, rng, int(deal)) for _ in range(REPEATS)]
            usual = sum(reward for reward, _ in games) / REPEATS
            total += usual
            for reward, change in games:
                step += (reward - usual) * change
        # Adam: steps of about the same size for all weights, whether a rank is picked often or not.
        slope = 0.9 * slope + 0.1 * step
        square = 0.99 * square + 0.01 * step**2
        weights = weights + RATE * (slope / (1 - 0.9**batch)) / (np.sqrt(square / (1 - 0.99**batch)) + 1e-8)
        yield weights, total / DEALS


# Measuring.

Share = tuple[float, float]
"""Of all chips, with its standard error."""


OTHERS: dict[str, Maker] = {"random picker": random_picker, "RandomBot": RandomBot}
"""Whom the learner is measured against: what sets the best hands, and what sets random ones too."""


def share(maker: Maker, other: Maker, rules: Rules, deals: int, seed: int) -> Share:
    """What one bot takes from others of another kind, on duplicate deals."""
    report = simulate([maker, *[other] * (rules.seats - 1)], deals, rules=rules, seed=seed, duplicate=True)
    if report.deals < deals:  # that is how `simulate` answers Ctrl-C
        raise KeyboardInterrupt
    return report.bots[0].share, report.bots[0].share_error


def plot(path: Path, curves: dict[str, list[tuple[int, Share]]], levels: dict[str, Share], fair: float) -> None:
    """Draw the learning curves, and as lines what another bot takes from the same opponents."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    for colour, (name, points) in zip(("C0", "C1"), curves.items(), strict=True):
        games, shares = zip(*points, strict=True)
        middles, errors = np.array(shares).T
        axes.errorbar(
            games, middles, 1.96 * errors, fmt="o-", color=colour, capsize=2, label=f"learnt, against {name}s"
        )
        axes.axhline(levels[name][0], color=colour, linestyle="--", label=f"GreedyBot, against {name}s")
    axes.axhline(fair, color="0.5", linestyle=":", label="fair share")
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("games of training")
    axes.set_ylabel("share of all chips")
    axes.set_title("One seat learns to draft; bars are 95 % intervals")
    axes.grid(color="0.92")
    axes.legend(loc="center right", bbox_to_anchor=(1, 0.39))
    figure.savefig(path, format="png", dpi=100)


# The program.


def train(
    env: EssenHiloEnv, games: int, seed: int, look: Callable[[int, Numbers], Iterable[Share]]
) -> tuple[Numbers, int]:
    """Learn until the games, in whole batches, are played or Ctrl-C comes.

    Args:
        env: Where to play.
        games: How many.
        seed: Where the random numbers start.
        look: Called now and then with the games played and the weights; gives the shares, to be shown.

    Returns:
        The weights, and how many games were played.
    """
    weights, done, told = NOTHING_LEARNT, 0, ""
    due = [games * (point / POINTS) ** 2 for point in range(POINTS)]
    batches = learn(env, seed)
    with tqdm(desc="training", unit=" games", total=games, disable=None, dynamic_ncols=True) as bar:
        try:
            while done < games:
                if due and done >= due[0]:
                    due = [point for point in due if point > done]
                    told = " and ".join(f"{part:.0%}" for part, _ in look(done, weights))
                weights, net = next(batches)
                done += BATCH
                bar.update(min(BATCH, games - bar.n))
                bar.set_postfix_str(f"{net:+.1f} chips a game, last measured {told}")
        except KeyboardInterrupt:
            pass
    return weights, done


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments."""

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def wanted(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The arguments, checked."""
    parser = Parser(prog="train_pettingzoo", description="Train a small learner through PettingZoo and measure it.")
    parser.add_argument("--games", type=int, default=30_000, help="games of training (default: %(default)s)")
    parser.add_argument("--deals", type=int, default=200, help="deals in a measurement (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers start (default: %(default)s)")
    parser.add_argument("--seats", type=int, default=4, choices=(4, 5))
    parser.add_argument("--low", default=LOWS[0].name, choices=[low.name for low in LOWS])
    parser.add_argument("--plot", type=Path, default=Path("train_pettingzoo.png"), help="the PNG file of the plot")
    given = parser.parse_args(arguments)
    for name, least in (("games", 1), ("deals", 2), ("seed", 0)):
        if getattr(given, name) < least:
            parser.error(f"--{name}: {least} or more is wanted")
    try:
        fits = given.plot.parent.is_dir() and not given.plot.is_dir()
    except OSError:  # a name that is too long
        fits = False
    if not fits:
        parser.error(f"--plot: {given.plot} can't be a file")
    return given


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, print the table and save the plot."""
    given = wanted(arguments)
    env = parallel_env(seats=given.seats, low=given.low, arrange="best")
    measure = partial(share, rules=env.rules, deals=given.deals, seed=given.seed)
    curves: dict[str, list[tuple[int, Share]]] = {name: [] for name in OTHERS}

    def look(done: int, weights: Numbers) -> Iterator[Share]:
        for name, other in OTHERS.items():
            curves[name].append((done, measure(partial(Drafter, weights), other)))
            yield curves[name][-1][1]

    weights, done = train(env, given.games, given.seed, look)
    try:
        learnt = [*look(done, weights), measure(partial(Drafter, weights), GreedyBot)]
        greedy = [measure(GreedyBot, other) for other in OTHERS.values()]
    except KeyboardInterrupt:
        return 130
    print(f"{done:,} games of training, then {given.deals:,} duplicate deals of {env.rules.low}, seed {given.seed}\n")
    print("| one bot | the others | share of all chips | 95 % interval | fair |\n|---|---|---|---|---|")
    for name, results in (("learnt", learnt), ("GreedyBot", greedy)):
        for other, (middle, error) in zip((*OTHERS, "GreedyBot"), results, strict=False):
            ends = f"{middle - 1.96 * error:.1%} to {middle + 1.96 * error:.1%}"
            row = (name, f"{given.seats - 1} × {other}", f"{middle:.1%} ± {error:.1%}", ends, f"{1 / given.seats:.0%}")
            print(f"| {' | '.join(row)} |")
    try:
        plot(given.plot, curves, dict(zip(OTHERS, greedy, strict=True)), 1 / given.seats)
        print(f"\nThe learning curve is in {given.plot}.")
    except OSError as error:
        print(f"train_pettingzoo: {error}", file=sys.stderr)
        return 1
    return 130 if done < given.games else 0


if __name__ == "__main__":
    sys.exit(main())
