"""What goes over the wire to a seat is its view and what everybody may know, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from essen_hilo import Phase, View
from examples.web_table.limits import Limits
from examples.web_table.store import Store
from examples.web_table.table import Table
from tests.web.support import Talker, Update, make_table, serving

CARD = re.compile(r"(?:10|[2-9TJQKA])[cdhs]")


@pytest.mark.parametrize("seats", [4, 5])
def test_everything_that_a_seat_hears_is_in_its_view(file: Path, seats: int) -> None:
    rng = Random(seats)
    limits = Limits(connections_per_address=1000, bot_seconds=0, messages_per_second=1000)
    with serving(file, limits) as server:
        links, spectators = make_table(server.address, seats=seats, bots=2)
        talkers = [Talker(server.address, link) for link in [*links, spectators]]
        for talker in talkers[:-1]:
            talker.ask(type="next", deal=1)
        play(talkers[:-1], rng)
        for talker in talkers:
            talker.update(lambda update: update["view"]["phase"] == "over")
        for talker in talkers:
            talker.close()
    store = Store(file)
    tables = [Table.start(store.table(1).state.rules, 2)]
    for event in store.events(1):
        tables.append(tables[-1].apply(event))
    store.close()
    for talker, seat in zip(talkers, [*range(seats - 2), None], strict=True):
        assert talker.updates()
        for message in talker.heard:
            check(message, tables, seat)


def check(message: dict[str, Any], tables: list[Table], seat: int | None) -> None:
    if message["type"] == "table":
        state = tables[message["version"]].state
        assert message["view"] == state.view(seat).to_dict()
        message = {**message, "view": None}
        # The results of finished deals name values and never cards.
        assert not CARD.findall(json.dumps(message).replace("seats", ""))
    elif "ways" in message:
        pool = {str(card) for card in tables[-1].state.pools[seat or 0]}
        assert {card for way in message["ways"] for card in way["low"] + way["high"]} <= pool
    else:
        assert not CARD.findall(json.dumps(message).replace("seat", ""))


def play(talkers: list[Talker], rng: Random) -> None:
    """A whole deal by random moves; the suggestions are asked for on the way, the first seat turns up all hands."""
    for turn in range(View.from_dict(talkers[0].now(in_phase(Phase.PICK))["view"]).rules.hand_size):
        for talker in talkers:
            move(talker, talker.now(in_round(turn)), rng)
    for talker in talkers:
        update = talker.now(in_phase(Phase.ARRANGE))
        assert talker.ask(type="suggest")["type"] == "ok"
        move(talker, update, rng)
    for half in ("low", "high"):
        talkers[0].now(in_phase(Phase(f"show-{half}")))
        assert talkers[0].ask(type="showdown", half=half)["type"] == "ok"


def move(talker: Talker, update: Update, rng: Random) -> None:
    moves = View.from_dict(update["view"]).legal_moves()
    assert talker.ask(type="move", move=str(moves[rng.randrange(len(moves))]))["type"] == "ok"


def in_round(turn: int) -> Callable[[Update], bool]:
    return lambda update: update["view"]["round"] == turn and update["view"]["phase"] == Phase.PICK


def in_phase(phase: Phase) -> Callable[[Update], bool]:
    return lambda update: update["view"]["phase"] == phase
