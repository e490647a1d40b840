"""People at real browsers: what they click, what their sockets hear and what their pages remember."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, WebSocket, expect, sync_playwright

_RANK_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANKS = dict(zip("23456789TJQKA", _RANK_NAMES, strict=True))
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
DECK = {rank + suit for rank in RANKS for suit in SUITS}
NAMES = {f"{RANKS[card[0]]} of {SUITS[card[1]]}": card for card in DECK}

QUOTED = re.compile(r'"([2-9TJQKA][cdhs])"')
NAMED = re.compile("|".join(NAMES))
WRITTEN = re.compile(r"(?<![0-9A-Za-z])(?:[2-9TJQKA][cdhs])+(?![0-9A-Za-z])")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium of the system's own: `apt-get install chromium`."""
    path = shutil.which("chromium")
    assert path is not None, "these tests need the system's chromium: apt-get install -y chromium"
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    arguments += ["--disable-sync", "--no-first-run"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


class Person:
    """Somebody at a browser of their own."""

    def __init__(self, browser: Browser, width: int = 1280, height: int = 860, **context: Any) -> None:
        self.page: Page = browser.new_context(viewport={"width": width, "height": height}, **context).new_page()
        #: Everything that any socket of this page received, reloads included.
        self.heard: list[str] = []
        #: What the page complained about: scripts, policies, failed requests.
        self.complaints: list[str] = []
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self.heard.append(text if isinstance(text, str) else text.decode()))

    # What the page shows.

    def pack(self) -> list[str]:
        """The cards to choose from, as they lie."""
        return self.cards("#pack button.card")

    def cards(self, selector: str) -> list[str]:
        return [
            str(card) for card in self.page.eval_on_selector_all(selector, "all => all.map(one => one.dataset.card)")
        ]

    def expect_pack(self, size: int) -> None:
        expect(self.page.locator("#pack button.card")).to_have_count(size, timeout=30_000)

    # What people do.

    def pick(self, nth: int = 0) -> str:
        """Click a card, see that it is chosen, click it again."""
        card = self.page.locator("#pack button.card").nth(nth)
        name = str(card.get_attribute("data-card"))
        card.click()
        expect(card).to_have_attribute("aria-pressed", "true")
        card.click()
        expect(self.page.locator(f"#pack button[data-card='{name}']")).to_have_count(0)
        return name

    def press(self, key: str) -> None:
        self.page.locator(f'[data-key="{key}"]').click()

    # What they could find out.

    def updates(self) -> list[dict[str, Any]]:
        return [message for message in map(json.loads, self.heard) if message["type"] == "table"]

    def memory(self) -> list[str]:
        """Every string in the memory of the page, after a garbage collection."""
        session = self.page.context.new_cdp_session(self.page)
        chunks: list[str] = []
        session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: chunks.append(event["chunk"]))
        session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
        session.detach()
        strings: list[str] = json.loads("".join(chunks))["strings"]
        return strings


def cards_in(strings: Sequence[str]) -> set[str]:
    """The cards that are named in any way in the strings: alone, in JSON, in a row, or in words."""
    found = {text for text in strings if text in DECK}
    for text in strings:
        found.update(QUOTED.findall(text))
        found.update(NAMES[name] for name in NAMED.findall(text))
        # A row of cards, as in the text of a move; a single pair of letters may be any word.
        for row in WRITTEN.findall(text):
            if len(row) > 2:
                found.update(row[place : place + 2] for place in range(0, len(row), 2))
    return found
