"""What the README of the web table shows is so."""

from __future__ import annotations

import json
import re
from pathlib import Path

from essen_hilo import Reason, View, parse_move
from tests.web.conversation import record
from tests.web.readme import README, block, limits_table
from tests.web.support import make_table, serving


def test_the_recorded_conversation_is_what_a_client_hears_today() -> None:
    # The odds are measured anew now and then, and are tested elsewhere.
    odds = re.compile(r'("(?:low_wins|high_wins|share)": )[0-9.]+')
    assert odds.sub(r"\1", block("text")) == odds.sub(r"\1", record())


def test_what_the_conversation_shows_is_the_library_s_own() -> None:
    text = block("text")
    decoder = json.JSONDecoder()
    messages = [
        decoder.raw_decode(text[place + 2 :])[0]
        for place in range(len(text))
        if text[place] in "→←" and text[place - 1 : place] in ("", "\n")
    ]
    assert sum(message["type"] == "table" for message in messages) == 4
    for message in messages:
        if message["type"] == "table":
            View.from_dict(message["view"])
        if message["type"] == "move":
            parse_move(message["move"])


def test_the_limits_are_stated() -> None:
    assert limits_table() in README.read_text(encoding="utf-8")


def test_the_reasons_are_stated() -> None:
    text = README.read_text(encoding="utf-8")
    # A deck is never dealt by a client.
    assert all(f"`{reason}`" in text for reason in Reason if reason is not Reason.BAD_DECK)


def test_a_table_is_made_as_the_readme_says(file: Path) -> None:
    with serving(file) as server:
        links, _ = make_table(server.address, **json.loads(block("json")))
        assert len(links) == 2


def test_the_screenshot_is_small() -> None:
    picture = (README.parent / "screenshot.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) < 200_000
