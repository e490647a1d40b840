"""PettingZoo's own suites on `examples/pettingzoo_env.py`, as PettingZoo 1.27 ships them.

Two of its suites cannot apply:

* `max_cycles_test` builds every environment with `max_cycles=4` and wants the episode to end there. A deal has no such
  parameter: it ends when the last hand is turned up, after as many steps as the rules say.
* `bombardment_test` fails on PettingZoo's own environments. It takes what `env.step` gives back for the next
  observation, and `step` of an AEC environment gives back nothing (`api_test` insists on that). Tried on
  `pettingzoo.test.example_envs`, which need no extra package: `generated_agents_env_v0` and
  `generated_agents_parallel_v0` stop at the second agent with "Agent's observation is outside of its observation
  space", since the observation is None; `generated_agents_env_action_mask_obs_v0`, whose observations are dicts as ours
  are, stops at the first one with "'dict' object has no attribute 'shape'".

The rest of `pettingzoo.test` is about something else: `manual_control_test` and `test_save_obs` want a keyboard and
observations that are pictures, and `performance_benchmark` measures.

The suites choose actions by themselves and look at the form of what comes back; what it says is `test_pettingzoo`'s.
"""

from __future__ import annotations

from functools import partial

import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test

from examples.pettingzoo_env import env, parallel_env, raw_env

# Picks, ten steps of arranging and the step in which everybody leaves, for 13 cards and so for 10.
A_WHOLE_GAME = 13 + 10 + 1

# PettingZoo exempts its own environments by name from these two, and warns about every other one: an observation that
# comes with a mask is a dict of both.
WITH_MASKS = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box:UserWarning",
)

sizes = pytest.mark.parametrize("seats", [4, 5])  # with 13 and with 10 cards
every_way_to_arrange = pytest.mark.parametrize("arrange", ["steps", "frontier", "best"])


@sizes
@every_way_to_arrange
def test_parallel_api(seats: int, arrange: str) -> None:
    parallel_api_test(parallel_env(seats=seats, arrange=arrange), num_cycles=A_WHOLE_GAME)


@WITH_MASKS
@sizes
@every_way_to_arrange
def test_api(seats: int, arrange: str) -> None:
    api_test(env(seats=seats, arrange=arrange), num_cycles=A_WHOLE_GAME)


@WITH_MASKS
@sizes
@every_way_to_arrange
def test_api_without_wrappers(seats: int, arrange: str) -> None:
    api_test(raw_env(seats=seats, arrange=arrange), num_cycles=A_WHOLE_GAME)


@sizes
@every_way_to_arrange
def test_seed(seats: int, arrange: str) -> None:
    seed_test(partial(env, seats=seats, arrange=arrange), num_cycles=A_WHOLE_GAME)


@sizes
@every_way_to_arrange
def test_parallel_seed(seats: int, arrange: str) -> None:
    """It chooses actions without looking at the mask.

    In 1.27 it looks at one step only: it leaves off when any of the agents' names is true.
    """
    parallel_seed_test(
        partial(parallel_env, seats=seats, arrange=arrange, on_illegal="lowest"), num_cycles=A_WHOLE_GAME
    )


@sizes
@every_way_to_arrange
def test_state(seats: int, arrange: str) -> None:
    """It chooses actions without looking at the mask."""
    make = partial(env, seats=seats, arrange=arrange, on_illegal="lowest")
    parallel = parallel_env(seats=seats, arrange=arrange, on_illegal="lowest")
    state_test(make(), parallel, num_cycles=A_WHOLE_GAME)


@sizes
@every_way_to_arrange
def test_render(seats: int, arrange: str) -> None:
    render_test(partial(env, seats=seats, arrange=arrange))
