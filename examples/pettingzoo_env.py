"""Essen high-low as an environment of PettingZoo, for programs that learn to play.

    pip install ".[pettingzoo]"

    >>> from examples.pettingzoo_env import parallel_env
    >>> env = parallel_env(seats=5, arrange="best")
    >>> observations, infos = env.reset(seed=1)
    >>> while env.agents:
    ...     masks = {agent: observations[agent]["action_mask"] for agent in env.agents}
    ...     actions = {agent: env.action_space(agent).sample(mask) for agent, mask in masks.items()}
    ...     observations, rewards, terminations, truncations, infos = env.step(actions)
    >>> sum(rewards.values())
    0.0

All seats, "seat_0" and so on, act at every step. An episode is one deal:

* Picking, a step a round: the action is the `index` of the card that the seat keeps.
* Arranging, as the option `arrange` says. "steps": ten steps, a card each, first the five of the low hand in ascending
  index, then the five of the high hand. "frontier": one step, whose action counts in
  `frontier(view.pool, rules.low)`. "best": no step, `best_arrangement` sets the hands.
* The showdown comes with the last step. The reward is then what the seat was paid less its ante, in chips, and 0
  before. Odd chips go left of the dealer, so that the rewards sum to zero. Nothing is carried from deal to deal.

An observation is a dict of `observation` and `action_mask`, int8 of 0 and 1. The mask has 52 entries, one an action;
it is all 0 when the game is over. The observation holds what the seat's `View` holds, in parts that
`EssenHiloEnv.parts` tells apart; a card is marked at its `index`, and seats are numbered as at the table:

    part        shape            marks
    seat        seats            the seat whose observation it is
    dealer      seats            the dealer
    phase       3                pick, arrange, over
    round       hand size        how many picks each seat had made when this round began
    pack        52               the cards in hand, to pick one of
    pool        52               the cards kept
    seen        hand size × 52   by round, the pack as it was taken up
    picks       hand size × 52   by round, the card kept
    low         52               the seat's own low hand, as far as it has chosen it
    high        52               and its high hand
    low_hands   seats × 52       by seat, the low hand that lies face up: only when the game is over
    high_hands  seats × 52       and the high hand

What else a view has is the same at every step of an environment (`env.rules`, nothing carried, everybody to act until
the end) or follows from these. With 4 seats and 13 cards there are 2,000 marks. The view itself is in
`infos[agent]["view"]`, so that a `Bot` of the package can play a seat, through a `BotAgent`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from math import prod
from operator import index
from random import Random
from typing import Any

import numpy as np
from gymnasium import logger
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, BaseWrapper, OrderEnforcingWrapper

from essen_hilo import (
    DECK,
    Arrange,
    Arrangement,
    Bot,
    Card,
    GameState,
    LowRule,
    Move,
    OddChips,
    Phase,
    Pick,
    Rules,
    View,
    best_arrangement,
    format_cards,
    frontier,
    shuffled_deck,
)

Vector = NDArray[np.int8]
Observation = dict[str, Vector]

# The phases in which a seat gets an observation.
PHASES = (Phase.PICK, Phase.ARRANGE, Phase.OVER)


def parallel_env(**options: Any) -> EssenHiloEnv:
    """The environment in which all seats act at once; for the options see `EssenHiloEnv`."""
    return EssenHiloEnv(**options)


def raw_env(**options: Any) -> AECEnv:
    """The same for one agent after the other (AEC): the table goes on when the last of them has acted."""
    return _RefusingAtOnce(parallel_to_aec(parallel_env(**options)))


def env(**options: Any) -> AECEnv:
    """`raw_env`, with PettingZoo's checks of how it is used.

    `env().unwrapped` is the `EssenHiloEnv`. PettingZoo's `TerminateIllegalWrapper` can't be used: it asks more of that
    than an environment has that was made from a parallel one. The option `on_illegal` takes its place.
    """
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(**options)))


class EssenHiloEnv(ParallelEnv):
    """One table, dealt anew at each `reset`.

    Args:
        seats: 2 to 5.
        hand_size: As in `Rules`; without it, 13 for 4 seats and 10 for 5.
        low: A low rule or its name.
        ante: Chips that each seat puts in the pot; at most 2**53 in all, up to which rewards are exact.
        arrange: "steps", "frontier" or "best"; see above.
        on_illegal: What an action that the mask forbids does: "raise" a `ValueError`, or count as the "lowest"
            that it allows.
        render_mode: "ansi" lets `render` give the table as text, "human" print it; None if nobody looks.

    Raises:
        ValueError: An option is not allowed; the message names it.
    """

    metadata = {  # noqa: RUF012 - PettingZoo's own name and type
        "name": "essen_hilo_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": True,
    }

    def __init__(
        self,
        *,
        seats: int = 4,
        hand_size: int | None = None,
        low: LowRule | str = "deuce-to-seven",
        ante: int = 5,
        arrange: str = "steps",
        on_illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        low = LowRule.named(low) if isinstance(low, str) else low
        # With the other custom, chips that can't be divided would leave the deal, and the rewards their sum of zero.
        self.rules = Rules(seats, ante, low, hand_size, OddChips.LEFT_OF_DEALER)
        if seats * ante > 2**53:
            raise ValueError(f"ante: rewards are exact up to 2**53 chips in the pot, so {2**53 // seats} at the most")
        self.arrange = _one_of("arrange", arrange, ("steps", "frontier", "best"))
        self.on_illegal = _one_of("on_illegal", on_illegal, ("raise", "lowest"))
        self.render_mode = _one_of("render_mode", render_mode, (None, "ansi", "human"))
        size = self.rules.hand_size
        self._shapes = {
            "seat": (seats,),
            "dealer": (seats,),
            "phase": (len(PHASES),),
            "round": (size,),
            "pack": (52,),
            "pool": (52,),
            "seen": (size, 52),
            "picks": (size, 52),
            "low": (52,),
            "high": (52,),
            "low_hands": (seats, 52),
            "high_hands": (seats, 52),
        }
        self._starts: dict[str, int] = {}
        length = 0
        for name, shape in self._shapes.items():
            self._starts[name] = length
            length += prod(shape)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        # One space an agent, always the same object: each has a generator that a user may seed.
        self.action_spaces = {agent: Discrete(52) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(observation=Box(0, 1, (length,), np.int8), action_mask=Box(0, 1, (52,), np.int8))
            for agent in self.possible_agents
        }
        self.state_space = Box(0, 1, (seats, length), np.int8)
        self._rng = Random()
        self._table = GameState.start(self.rules)
        # By seat, the cards chosen so far in the steps of arranging, or the frontier to choose from.
        self._chosen: list[tuple[Card, ...]] = [()] * seats
        self._ways: list[tuple[Arrangement, ...]] = []

    def observation_space(self, agent: str) -> Dict:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def parts(self, vector: Vector) -> dict[str, Vector]:
        """The parts of an `observation` by name, in their shapes; they are views of the vector, not copies."""
        return {
            name: vector[self._starts[name] : self._starts[name] + prod(shape)].reshape(shape)
            for name, shape in self._shapes.items()
        }

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, View]]]:
        """Deal.

        Args:
            seed: Where the random numbers start, from 0; without it they go on.
            options: "deck", 52 `Card`s in the order in which they are dealt, and "dealer", a seat, are used instead
                of random ones. One deck with each dealer in turn gives every seat each of the packs: duplicate
                deals. Other keys are ignored.

        Returns:
            By agent, its observation and its info.

        Raises:
            ValueError, IllegalMoveError: It is no seed, there is no such dealer, or it is no deck; nothing has changed.
        """
        if seed is not None and (type(seed) is bool or index(seed) < 0):
            raise ValueError(f"seed: a whole number from 0 is wanted, not {seed!r}")
        rng = copy(self._rng) if seed is None else Random(index(seed))
        options = options or {}
        dealer = options["dealer"] if "dealer" in options else int(rng.random() * self.rules.seats)
        deck = options["deck"] if "deck" in options else shuffled_deck(rng)
        self._table = GameState.start(self.rules, dealer=dealer).deal(deck)
        self._rng = rng
        self._chosen = [()] * self.rules.seats
        self.agents = self.possible_agents[:]
        return self._told()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, View]]]:
        """Let every seat act.

        Args:
            actions: By agent, one action each.

        Returns:
            By agent: observations, rewards, terminations, truncations (never), infos.

        Raises:
            ValueError: The game has not begun or is over, an agent is missing or unknown, or an action is not
                allowed by its mask; nothing has changed.
        """
        if not self.agents:
            raise ValueError("no game is going on: reset() begins one")
        if set(actions) != set(self.agents):
            raise ValueError(f"actions: one for each of {', '.join(self.agents)} is wanted, not {[*actions]}")
        choices = [self.check(agent, actions[agent]) for agent in self.agents]
        for seat, choice in enumerate(choices):
            self._act(seat, choice)
        self._table = self._table.advance()
        if self._table.phase is Phase.ARRANGE and self.arrange == "frontier":
            self._ways = [frontier(pool, self.rules.low) for pool in self._table.pools]
        if self._table.phase is Phase.ARRANGE and self.arrange == "best":
            for seat, pool in enumerate(self._table.pools):
                hands = best_arrangement(pool, self.rules)
                self._table = self._table.arrange(seat, hands.low, hands.high)
            self._table = self._table.advance()
        agents, result = self.agents, self._table.result
        observations, infos = self._told()
        if result is not None:
            self.agents = []
        nets = result.nets if result is not None else [0] * self.rules.seats
        rewards = {agent: float(net) for agent, net in zip(agents, nets, strict=True)}
        return (
            observations,
            rewards,
            dict.fromkeys(agents, result is not None),
            dict.fromkeys(agents, False),
            infos,
        )

    def check(self, agent: str, action: Any) -> int:
        """What an agent's action counts as now: the action itself, or if it is forbidden, what `on_illegal` says.

        Raises:
            ValueError: It is no whole number, or it is forbidden and that is to be told.
        """
        try:
            choice = index(action)
        except TypeError:
            raise ValueError(f"{agent}: an action is a whole number, not {action!r}") from None
        allowed = self._allowed(self._table.view(self.agents.index(agent)))
        if choice in allowed:
            return choice
        if self.on_illegal == "raise":
            raise ValueError(f"{agent}: action {choice} is not allowed, its action_mask tells which are")
        return allowed[0]

    def state(self) -> NDArray[np.int8]:
        """All of the table, for a critic that may know it: by seat, its observation."""
        return np.stack([self._vector(self._dealt().view(seat)) for seat in range(self.rules.seats)])

    def render(self) -> str | None:
        """The table with all cards up: as text in mode "ansi"; printed in mode "human"."""
        if self.render_mode is None:
            logger.warn("render() shows nothing without a render_mode: ansi or human")
            return None
        table = self._dealt()
        lines = [f"{table.phase}, round {table.round + 1} of {self.rules.hand_size}, dealer in seat {table.dealer}"]
        for seat, (pool, pack) in enumerate(zip(table.pools, table.packs, strict=True)):
            lines.append(f"seat {seat} keeps {format_cards(pool) or 'nothing'}")
            if pack:
                lines.append(f"       holds {format_cards(pack)}")
            hands = table.arrangements[seat]
            chosen = [*hands.low, *hands.high] if hands else self._chosen[seat]
            if chosen:
                lines.append(f"       sets {format_cards(chosen[:5])} / {format_cards(chosen[5:])}")
        if table.result is not None:
            lines.append(str(table.result))
        text = "\n".join(lines)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _dealt(self) -> GameState:
        if self._table.phase is Phase.DEAL:
            raise ValueError("nothing has been dealt: reset() deals")
        return self._table

    def _told(self) -> tuple[dict[str, Observation], dict[str, dict[str, View]]]:
        """By agent, its observation and its info."""
        observations, infos = {}, {}
        for seat, agent in enumerate(self.possible_agents):
            view = self._table.view(seat)
            mask = np.zeros(52, np.int8)
            mask[self._allowed(view)] = 1
            observations[agent] = {"observation": self._vector(view), "action_mask": mask}
            infos[agent] = {"view": view}
        return observations, infos

    def _vector(self, view: View) -> Vector:
        assert view.seat is not None
        chosen: Sequence[Card] = self._chosen[view.seat]
        if view.arrangement is not None:
            chosen = view.arrangement.low + view.arrangement.high
        starts = self._starts
        marks = [
            starts["seat"] + view.seat,
            starts["dealer"] + view.dealer,
            starts["phase"] + PHASES.index(view.phase),
            starts["round"] + view.round,
            *self._marks("pack", [view.pack]),
            *self._marks("pool", [view.pool]),
            *self._marks("seen", view.seen),
            *self._marks("picks", [[card] for card in view.pool]),
            *self._marks("low", [chosen[:5]]),
            *self._marks("high", [chosen[5:]]),
            *self._marks("low_hands", view.low_hands),
            *self._marks("high_hands", view.high_hands),
        ]
        vector = np.zeros(self.state_space.shape[1], np.int8)
        vector[marks] = 1
        return vector

    def _marks(self, name: str, rows: Iterable[Iterable[Card] | None]) -> list[int]:
        """Where the cards of each row are marked."""
        start = self._starts[name]
        return [start + 52 * row + card.index for row, cards in enumerate(rows) for card in cards or ()]

    def _allowed(self, view: View) -> list[int]:
        """The actions that the view's seat may choose from, ascending."""
        assert view.seat is not None
        if view.phase is Phase.PICK:
            return [card.index for card in view.pack]
        if view.phase is not Phase.ARRANGE:
            return []
        if self.arrange == "frontier":
            # The longest that a search for long ones has found has nine entries.
            return [*range(min(len(self._ways[view.seat]), 52))]
        return _next_choices(view.pool, self._chosen[view.seat])

    def _act(self, seat: int, choice: int) -> None:
        table = self._table
        if table.phase is Phase.PICK:
            self._table = table.pick(seat, DECK[choice])
        elif self.arrange == "frontier":
            hands = self._ways[seat][choice]
            self._table = table.arrange(seat, hands.low, hands.high)
        else:
            self._chosen[seat] += (DECK[choice],)
            if len(self._chosen[seat]) == 10:
                self._table = table.arrange(seat, self._chosen[seat][:5], self._chosen[seat][5:])


class _RefusingAtOnce(BaseWrapper):
    """Refuses a forbidden action when the agent acts: PettingZoo's own conversion would keep it till all have."""

    def step(self, action: Any) -> None:
        if not self.terminations[self.agent_selection]:
            self.unwrapped.check(self.agent_selection, action)
        super().step(action)


class BotAgent:
    """Lets a bot of essen_hilo choose the actions of an agent.

    >>> from essen_hilo import GreedyBot
    >>> table = parallel_env(arrange="frontier")
    >>> bots = {agent: BotAgent(GreedyBot(Random(1)), table.arrange) for agent in table.possible_agents}
    >>> _, infos = table.reset(seed=1)
    >>> while table.agents:
    ...     actions = {agent: bots[agent].act(infos[agent]["view"]) for agent in table.agents}
    ...     _, rewards, _, _, infos = table.step(actions)
    >>> sum(rewards.values())
    0.0

    Args:
        bot: Who chooses.
        arrange: The environment's option.
    """

    def __init__(self, bot: Bot, arrange: str) -> None:
        self._bot = bot
        self._arrange = arrange
        self._view: View | None = None
        self._due: list[int] = []  # what is left to do of the move at this view

    def act(self, view: View) -> int:
        """The action that makes the bot's move, or the next part of it; asked for once a step.

        Raises:
            ValueError: The bot set hands that are not on the frontier, and the environment wants one from there.
        """
        if view != self._view or not self._due:
            self._due = self._actions(view)
            self._view = view
        return self._due.pop(0)

    def _actions(self, view: View) -> list[int]:
        move = self._bot.choose(view)
        if not isinstance(move, Arrange) or self._arrange != "frontier":
            return [*actions_of(move)]
        ways, hands = frontier(view.pool, view.rules.low), Arrangement(move.low, move.high)
        if hands not in ways:
            raise ValueError(f"the {type(self._bot).__name__} set hands that are not on the frontier")
        return [ways.index(hands)]


def actions_of(move: Move) -> tuple[int, ...]:
    """The actions, one a step, that make a pick, or an arrangement in "steps".

    Raises:
        ValueError: The move is another one: no agent makes it.
    """
    match move:
        case Pick(card=card):
            return (card.index,)
        case Arrange(low=low, high=high):
            return tuple(card.index for hand in (low, high) for card in sorted(hand))
        case _:
            raise ValueError(f"{move}: only a pick and an arrange are made of actions")


def _next_choices(pool: Sequence[Card], chosen: Sequence[Card]) -> list[int]:
    """By index, the cards that may be chosen next for the two hands.

    The cards of a hand come in ascending order, so that there is one way to each arrangement, and enough are left to
    complete it.
    """
    hand = chosen[len(chosen) // 5 * 5 :]
    last = hand[-1].index if hand else -1
    left = sorted([card.index for card in pool if card not in chosen and card.index > last])
    return left[: len(left) + len(hand) - 4]


def _one_of(option: str, value: Any, allowed: Sequence[Any]) -> Any:
    if value in allowed:
        return value
    raise ValueError(f"{option}: must be one of {', '.join(map(repr, allowed))}, not {value!r}")
