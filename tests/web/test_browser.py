"""The table in a real browser. These tests need Debian's chromium and are never skipped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from essen_hilo import Record, View
from examples.web_table.store import Store
from examples.web_table.table import Table
from tests.web.browsing import DECK, Person, cards_in, chromium
from tests.web.readme import block
from tests.web.support import ServerProcess, make_table

FAST_BOTS = ("--limit", "bot_seconds=0.05", "--limit", "away_seconds=0.5", "--limit", "table_burst=100")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def server(file: Path) -> Iterator[ServerProcess]:
    running = ServerProcess(file, *FAST_BOTS)
    yield running
    running.kill()


def check_memory(person: Person, noise: set[str]) -> None:
    """The page remembers the cards that its seat may know, and no other.

    `noise` is what its memory had before the deal: a browser has strings of its own that look like cards.
    """
    view = View.from_dict(person.updates()[-1]["view"])
    known = {str(card) for pack in view.seen for card in pack}
    for hand in (*view.low_hands, *view.high_hands):
        known |= {str(card) for card in hand or ()}
    found = cards_in(person.memory())
    assert {str(card) for card in view.pack + view.pool} <= found
    assert known < DECK and found - noise <= known


def test_two_people_and_two_bots_play_a_deal_by_clicking(browser: Browser, server: ServerProcess, file: Path) -> None:
    ann, bob = Person(browser, 360, 740, reduced_motion="reduce"), Person(browser)

    # Ann makes the table in the page and sends Bob his link.
    ann.page.goto(server.address)
    ann.page.select_option("[name=bots]", "2")
    ann.page.click("#new-table button.primary")
    expect(ann.page.locator("#links")).to_be_visible()
    links = [field.input_value() for field in ann.page.locator("#links input").all()]
    assert len(links) == 3
    ann.page.click("#links li >> nth=0 >> a")
    bob.page.goto(links[1])
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        person.page.fill("#mine input", name)
        person.press("rename")
    expect(bob.page.locator("#others .tile .name").last).to_have_text("Ann")
    noise = {person: cards_in(person.memory()) for person in (ann, bob)}
    assert all(len(found) < 10 for found in noise.values())
    for person in (ann, bob):
        person.press("next")

    picks: dict[Person, list[str]] = {ann: [], bob: []}
    for turn in range(13):
        for person in (ann, bob):
            person.expect_pack(13 - turn)
        if turn in (0, 2):
            for person in (ann, bob):
                check_memory(person, noise[person])
        picks[ann].append(ann.pick(turn % (13 - turn)))
        if turn < 12:
            expect(bob.page.locator("#others .tile", has_text="Ann")).to_contain_text("has picked")
        if turn == 2:
            # Ann has picked, and finds everything as it was.
            ann.page.reload()
            expect(ann.page.locator("#pack .leaving .card")).to_have_count(10)
            assert sorted(ann.updates()[-1]["view"]["pool"]) == sorted(picks[ann])
            check_memory(ann, set())
        if turn == 4:
            # The server dies while Bob still has to pick; both come back by themselves, and he picks.
            server.kill()
            expect(bob.page.locator("#connection")).to_contain_text("Connection lost")
            server.start()
            expect(bob.page.locator("#connection")).to_have_text("", timeout=30_000)
            expect(ann.page.locator("#connection")).to_have_text("", timeout=30_000)
            bob.expect_pack(9)
        picks[bob].append(bob.pick(-1))

    # Bob takes a suggestion; Ann fills her hands card by card.
    bob.page.locator(".ways button").first.click()
    expect(bob.page.locator("[data-zone=high] .heading p")).not_to_contain_text("of 5")
    for count in range(10):
        expect(ann.page.locator("[data-zone=rest] button.card")).to_have_count(13 - count)
        ann.page.locator("[data-zone=rest] button.card").first.click()
    for person in (ann, bob):
        person.press("set")

    for person in (ann, bob):
        expect(person.page.locator("#showdown .card.back")).to_have_count(15, timeout=30_000)
    ann.press("all low")
    for person in (ann, bob):
        expect(person.page.locator(".half").first).to_contain_text("Low: 10 paid")
        expect(person.page.locator("#showdown .card.back")).to_have_count(15)
    bob.press("all high")
    for person in (ann, bob):
        expect(person.page.locator(".half").last).to_contain_text("High: 10 paid")
        expect(person.page.locator("#score tfoot td")).to_have_count(4)
    nets = ann.page.locator("#score tfoot td").all_inner_texts()

    # The next deal begins with the next dealer.
    for person in (ann, bob):
        person.press("next")
    for person in (ann, bob):
        person.expect_pack(13)
        expect(person.page.locator("#facts")).to_contain_text("Deal 2")

    server.kill()
    store = Store(file)
    events = store.events(1)
    tables = [Table.start(store.table(1).state.rules, 2)]
    for event in events:
        tables.append(tables[-1].apply(event))
    store.close()
    deal = tables[-1].match.deals[0]
    assert Record.of(deal).replay() == deal and deal.result is not None
    assert [int(text.replace("−", "-")) for text in nets] == list(deal.result.nets)
    for seat, person in enumerate((ann, bob)):
        assert [str(card) for card in deal.pools[seat]] == picks[person]
        # Every socket of the page, before and after the reload and the restart.
        assert len(person.updates()) > 50
        for update in person.updates():
            assert update["view"] == tables[update["version"]].state.view(seat).to_dict()
            assert not cards_in([str({**update, "view": None}).replace("'", '"')])
        # While the server was gone, the browser said so; nothing else was wrong.
        assert [said for said in person.complaints if "WebSocket connection" not in said] == []


def test_a_deal_by_keyboard_alone(browser: Browser, server: ServerProcess) -> None:
    (link,), _ = make_table(server.address, seats=5, bots=4)
    person = Person(browser, reduced_motion="reduce")
    keyboard = person.page.keyboard
    person.page.goto(f"{server.address}#{link}")
    person.page.wait_for_selector("#begin button")

    def tab_to(selector: str) -> None:
        for _ in range(40):
            keyboard.press("Tab")
            if person.page.evaluate("text => document.activeElement.matches(text)", selector):
                return
        raise AssertionError(f"the Tab key never comes to {selector}")

    tab_to("[data-key=next]")
    keyboard.press("Enter")
    person.expect_pack(10)
    tab_to("#pack button.card")
    for turn in range(10):
        person.expect_pack(10 - turn)
        # The focus comes back to the pack by itself, and is visible.
        assert person.page.evaluate("document.activeElement.matches('#pack button.card:focus-visible')")
        keyboard.press("End")
        keyboard.press("ArrowLeft")
        chosen = person.page.evaluate("document.activeElement.dataset.card")
        assert chosen == person.pack()[-2:][0]
        keyboard.press("Enter")
        keyboard.press("Escape")
        expect(person.page.locator("#pack [aria-pressed=true]")).to_have_count(0)
        keyboard.press("Space")
        expect(person.page.locator("#pack [aria-pressed=true]")).to_have_count(1)
        keyboard.press("Enter")
        person.page.wait_for_function("n => document.querySelectorAll('#pack button.card').length !== n", arg=10 - turn)
        if turn < 9:
            person.expect_pack(9 - turn)
    tab_to("[data-zone=rest] button.card")
    for key in "lllllhhhhh":
        keyboard.press(key)
    expect(person.page.locator("[data-zone=low] button.card")).to_have_count(5)
    expect(person.page.locator("[data-zone=high] button.card")).to_have_count(5)
    tab_to("[data-key=set]")
    keyboard.press("Enter")
    for half in ("low", "high"):
        person.page.wait_for_selector(f"[data-key='all {half}']")
        tab_to(f"[data-key='all {half}']")
        keyboard.press("Enter")
    expect(person.page.locator("#score tfoot td")).to_have_count(5)
    assert person.complaints == []


def test_hands_are_set_by_dragging(browser: Browser, server: ServerProcess) -> None:
    (link,), _ = make_table(server.address, bots=3)
    person = Person(browser, reduced_motion="reduce")
    person.page.goto(f"{server.address}#{link}")
    person.press("next")
    for turn in range(13):
        person.expect_pack(13 - turn)
        person.pick()
    person.page.wait_for_selector(".ways button")

    def drag(card: str, onto: str) -> None:
        person.page.locator(f"#arrange [data-card='{card}']").hover()
        person.page.mouse.down()
        x, y = person.page.eval_on_selector(
            onto, "one => [one.getBoundingClientRect().x, one.getBoundingClientRect().y]"
        )
        person.page.mouse.move(x + 20, y + 20, steps=4)
        person.page.mouse.up()

    rest = person.cards("[data-zone=rest] button.card")
    for count, card in enumerate(rest[:5]):
        drag(card, "[data-zone=high] .cards")
        expect(person.page.locator("[data-zone=high] button.card")).to_have_count(count + 1)
    # A full hand takes a card in exchange for the one it is dropped on.
    drag(rest[5], f"#arrange [data-card='{rest[0]}']")
    assert set(person.cards("[data-zone=high] button.card")) == set(rest[1:6])
    drag(rest[1], "[data-zone=low] .cards")
    assert person.cards("[data-zone=low] button.card") == [rest[1]]
    drag(rest[1], "[data-zone=rest] .cards")
    assert person.cards("[data-zone=low] button.card") == []
    # Reloaded, the hands lie as they lay.
    person.page.reload()
    person.page.wait_for_selector(".ways button")
    assert set(person.cards("[data-zone=high] button.card")) == set(rest[2:6])
    assert person.complaints == []


@pytest.mark.parametrize(("width", "seats"), [(360, 5), (360, 4), (1280, 5)])
def test_nothing_is_cut_off_and_cards_can_be_touched(
    browser: Browser, server: ServerProcess, width: int, seats: int
) -> None:
    (link,), spectators = make_table(server.address, seats=seats, bots=seats - 1)
    # Where packs fly in, once; the rest is quicker without.
    motion = "no-preference" if (width, seats) == (360, 4) else "reduce"
    person, watcher = (Person(browser, width, 740, reduced_motion=motion) for _ in range(2))

    def check() -> None:
        for page in (person.page, watcher.page):
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for card in person.page.locator("button.card").all():
            box = card.bounding_box()
            assert box is not None and box["width"] >= 40 and box["height"] >= 56

    person.page.goto(server.address)
    watcher.page.goto(f"{server.address}#{spectators}")
    check()
    person.page.goto(f"{server.address}#{link}")
    person.page.fill("#mine input", "A name of 20 letters")
    person.press("rename")
    check()
    person.press("next")
    size = 13 if seats == 4 else 10
    for turn in range(size):
        person.expect_pack(size - turn)
        if turn in (0, 6):
            check()
        person.pick()
    person.page.wait_for_selector(".ways button")
    check()
    person.page.locator(".ways button").last.click()
    person.press("set")
    for half in ("low", "high"):
        person.page.wait_for_selector(f"[data-key='all {half}']")
        check()
        person.press(f"all {half}")
    expect(person.page.locator("#score tfoot td")).to_have_count(seats)
    expect(watcher.page.locator("#score tfoot td")).to_have_count(seats)
    check()
    assert person.complaints == watcher.complaints == []


def test_a_bot_stands_in_for_somebody_who_left(browser: Browser, server: ServerProcess) -> None:
    links, _ = make_table(server.address, bots=2)
    ann, bob = Person(browser), Person(browser)
    for person, link in zip((ann, bob), links, strict=True):
        person.page.goto(f"{server.address}#{link}")
        person.press("next")
    ann.expect_pack(13)
    bob.page.goto("about:blank")
    ann.pick()
    ann.press("cover 1")
    ann.expect_pack(12)
    bob.page.goto(f"{server.address}#{links[1]}")
    # The bot has picked for him once, or already twice.
    bob.page.wait_for_selector("#pool .card")
    assert bob.page.locator("#pool .card").count() <= 2
    expect(ann.page.locator("[data-key='cover 1']")).to_have_count(0)


def test_a_wrong_link_leads_to_no_table(browser: Browser, server: ServerProcess) -> None:
    person = Person(browser)
    person.page.goto(f"{server.address}#{'A' * 22}")
    expect(person.page.locator("#lost h2")).to_have_text("There is no such table")
    assert person.complaints == []


def test_a_name_is_text_and_never_part_of_the_page(browser: Browser, server: ServerProcess) -> None:
    links, _ = make_table(server.address, bots=2)
    ann, bob = Person(browser), Person(browser)
    for person, link in zip((ann, bob), links, strict=True):
        person.page.goto(f"{server.address}#{link}")
    name = "<img src=x onerror=1"
    bob.page.fill("#mine input", name)
    bob.press("rename")
    expect(ann.page.locator("#others .name").first).to_have_text(name)
    assert ann.page.locator("#table img").count() == 0 and ann.complaints == []


def test_the_client_of_the_readme_plays_a_deal(browser: Browser, server: ServerProcess) -> None:
    (link,), _ = make_table(server.address, bots=3)
    person = Person(browser)
    person.page.goto(server.address)
    over = person.page.evaluate(
        f"([address, link]) => {{ {block('js')}; return new Promise((resolve) => play(address, link, resolve)); }}",
        [f"{server.address.replace('http', 'ws')}socket", link],
    )
    assert over["view"]["phase"] == "over" and over["deals"] == 1
    assert "refused" not in {json.loads(text)["type"] for text in person.heard}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_four_suits_have_four_colours_that_can_be_read(browser: Browser, server: ServerProcess, scheme: str) -> None:
    (link,), _ = make_table(server.address, bots=3)
    person = Person(browser, 360, 740, color_scheme=scheme, reduced_motion="reduce")
    person.page.goto(f"{server.address}#{link}")
    person.press("next")
    person.expect_pack(13)
    colours = {}
    for suit in "cdhs":
        # A pack may lack a suit; the colour is the style's.
        card = person.page.locator("#pack button.card").first
        card.evaluate("(card, suit) => (card.className = `card ${suit}`)", suit)
        ink, paper = card.evaluate("card => [getComputedStyle(card).color, getComputedStyle(card).backgroundColor]")
        assert contrast(ink, paper) >= 4.5
        colours[suit] = ink
    assert len(set(colours.values())) == 4
    ink = person.page.locator("#pack .heading p").evaluate("text => getComputedStyle(text).color")
    paper = person.page.locator("#pack").evaluate("sheet => getComputedStyle(sheet).backgroundColor")
    assert contrast(ink, paper) >= 4.5
    assert (brightness(paper) < 0.1) == (scheme == "dark")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_cards_fly_only_where_motion_is_welcome(browser: Browser, server: ServerProcess, motion: str) -> None:
    (link,), _ = make_table(server.address, bots=3)
    person = Person(browser, reduced_motion=motion)
    person.page.goto(f"{server.address}#{link}")
    person.press("next")
    person.expect_pack(13)
    person.pick()
    person.expect_pack(12)
    moving = person.page.locator("#pack .arriving .card").first.evaluate("card => getComputedStyle(card).animationName")
    assert moving == ("none" if motion == "reduce" else "arrive")


def brightness(colour: str) -> float:
    """The relative luminance of "rgb(…)", as WCAG defines it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted([brightness(one), brightness(other)])
    return (light + 0.05) / (dark + 0.05)
