"""Records the conversation in the README of the web table anew: `python -m tests.web.conversation` writes it there.

Five people play one deal from a known deck; seat 0 is the one whose socket is written down.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from essen_hilo import Phase, View, frontier, shuffled_deck
from examples.web_table.limits import Limits
from tests.web.readme import README, block
from tests.web.support import Talker, Update, make_table, serving

# A seat is long away here, and never counts as such while the conversation goes on.
LIMITS = Limits(away_seconds=1000.0)


class Speaker(Talker):
    """A talker whose words, and the answers it gets, are written down."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.lines: list[str] = []
        self.version = 0

    def sends(self, **message: object) -> None:
        """Say something, and write down the answer."""
        self.lines.append(f"→ {json.dumps(message)}")
        self.say(message)
        self.lines.append(f"← {json.dumps(self.until(lambda heard: heard['type'] in ('ok', 'refused')))}")

    def is_told(self, version: int) -> View:
        """Write down the update after so many events of the table."""
        update = self.now(lambda update: update["version"] == version)
        self.lines.append(f"← {_in_short_lines(update)}")
        return View.from_dict(update["view"])

    def learns(self, version: int) -> View:
        """Hear the update, and write nothing down."""
        return View.from_dict(self.now(lambda update: update["version"] == version)["view"])

    def leaves_out(self, what: str) -> None:
        """Say that something is left out."""
        self.lines.append(f"… {what}")


def record() -> str:
    """The conversation, a message a line, updates in several."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "conversation.sqlite3")
        with serving(file, LIMITS, lambda: shuffled_deck(Random(2015))) as server:
            links, _ = make_table(server.address, seats=5)
            others = [Talker(server.address, link) for link in links[1:]]
            for other in others:
                other.update()
            with Speaker(server.address) as me:
                _play(me, others, links[0])
                lines = me.lines
            for other in others:
                other.close()
    return "\n".join(lines).replace(links[0], "the 22 characters after the #")


def _play(me: Speaker, others: list[Talker], link: str) -> None:
    me.sends(type="join", link=link)
    me.is_told(0)
    me.sends(id=1, type="next", deal=1)
    for other in others:
        assert other.ask(type="next", deal=1)["type"] == "ok"
    # Five are ready, and the cards are dealt.
    version = 6
    view = me.is_told(version)
    me.sends(id=2, type="move", move=f"pick 0 {view.pack[0]}")
    me.sends(id=3, type="move", move=f"pick 0 {view.pack[1]}")
    me.sends(id=4, type="move", move=f"pick 1 {view.pack[1]}")
    me.leaves_out("the others pick, each pick an update; the last one moves the packs")
    for turn in range(10):
        if turn > 0:
            view = me.is_told(version) if turn == 1 else me.learns(version)
            assert view.round == turn
            if turn == 1:
                me.leaves_out("nine more rounds")
            assert me.ask(type="move", move=f"pick 0 {view.pack[0]}")["type"] == "ok"
        for seat, other in enumerate(others, 1):
            pack = View.from_dict(other.now(_in_round(turn))["view"]).pack
            assert other.ask(type="move", move=f"pick {seat} {pack[0]}")["type"] == "ok"
        version += 6 if turn < 9 else 5
    view = me.learns(version)
    assert view.phase is Phase.ARRANGE
    me.sends(id=15, type="suggest")
    low, high = ("".join(map(str, hand)) for hand in (frontier(view.pool)[0].low, frontier(view.pool)[0].high))
    me.sends(id=16, type="move", move=f"arrange 0 {low} / {high}")
    for seat, other in enumerate(others, 1):
        pool = View.from_dict(other.now(lambda update: update["view"]["phase"] == "arrange")["view"]).pool
        way = frontier(pool)[-1]
        low, high = ("".join(map(str, hand)) for hand in (way.low, way.high))
        assert other.ask(type="move", move=f"arrange {seat} {low} / {high}")["type"] == "ok"
    version += 5
    assert me.learns(version).phase is Phase.SHOW_LOW
    me.sends(id=17, type="showdown", half="low")
    me.sends(id=18, type="showdown", half="low")
    me.sends(id=19, type="showdown", half="high")
    me.is_told(version + 2)


def _in_round(turn: int) -> Callable[[Update], bool]:
    return lambda update: update["view"]["round"] == turn and update["view"]["phase"] == "pick"


def _in_short_lines(update: Update) -> str:
    """The update with a line for each field, of the view too: as JSON, which blanks don't change."""
    lines = [f'  "{name}": {json.dumps(value)}' for name, value in update.items() if name != "view"]
    view = ",\n".join(f'    "{name}": {json.dumps(value)}' for name, value in update["view"].items())
    return "{\n" + ",\n".join([*lines, f'  "view": {{\n{view}\n  }}']) + "\n}"


if __name__ == "__main__":
    text = README.read_text(encoding="utf-8")
    README.write_text(text.replace(block("text"), record()), encoding="utf-8")
