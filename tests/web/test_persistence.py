"""What the server has confirmed is in the file, whatever kills it; and it comes back to exactly where it was."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from essen_hilo import Card, Pick, Rules, View
from examples.web_table.limits import Limits
from examples.web_table.rooms import Rooms
from examples.web_table.store import Store, StoreError
from examples.web_table.table import Covered, Event, Named, Ready, RefusedError, Table, parse_event
from tests.web.support import ROOT, ServerProcess, Talker, make_table


def test_a_server_killed_at_any_moment_loses_nothing_that_it_confirmed(file: Path) -> None:
    rng = Random(5)
    server = ServerProcess(file)
    links, _ = make_table(server.address)
    confirmed = []
    try:
        for turn in range(4):
            talkers = [Talker(server.address, link) for link in links]
            for seat, talker in enumerate(talkers):
                if turn == 0:
                    assert talker.ask(type="next", deal=1)["type"] == "ok"
                    talker.ask(type="name", name=f"Player {seat}")
            # Some have picked when the server is killed, and some have not.
            for seat in rng.sample(range(4), k=4 if turn == 0 else rng.randint(1, 3)):
                update = talkers[seat].update(lambda update: update["view"]["phase"] == "pick")
                view = View.from_dict(update["view"])
                if seat in view.to_act:
                    card = rng.choice(view.pack)
                    answer = talkers[seat].ask(type="move", move=f"pick {seat} {card}")
                    assert answer["type"] == "ok"
                    confirmed.append(Pick(seat, card))
            server.kill()
            for talker in talkers:
                talker.close()
            server.start()
        with Talker(server.address, links[0]) as talker:
            assert [seat["name"] for seat in talker.update()["seats"]] == [f"Player {seat}" for seat in range(4)]
    finally:
        server.kill()
    store = Store(file)
    assert [event for event in store.events(1) if isinstance(event, Pick)] == confirmed
    store.table(1)
    store.close()


def test_a_seat_comes_back_to_exactly_where_it_was(file: Path) -> None:
    server = ServerProcess(file, "--limit", "away_seconds=1000")
    try:
        links, spectators = make_table(server.address)
        talkers = [Talker(server.address, link) for link in links]
        for talker in talkers:
            talker.ask(type="next", deal=1)
        pack = talkers[0].update(lambda update: update["view"]["phase"] == "pick")["view"]["pack"]
        talkers[0].ask(type="move", move=f"pick 0 {pack[4]}")
        before = [talker.now(lambda update: update["view"]["to_act"] == [1, 2, 3]) for talker in talkers]
        server.kill()
        for talker in talkers:
            talker.close()
        server.start()
        for link, update in zip(links, before, strict=True):
            with Talker(server.address, link) as talker:
                back = talker.update()
                assert (back["version"], back["view"]) == (update["version"], update["view"])
        with Talker(server.address, spectators) as talker:
            assert talker.update()["view"]["to_act"] == [1, 2, 3]
    finally:
        server.kill()


def test_what_can_not_be_written_down_has_not_happened(file: Path) -> None:
    store = Store(file)
    limits = Limits()
    links = store.add_table(Rules(seats=4), 0)
    room, seat = Rooms(store, limits).open(str(links.seats[0]))
    # Somebody else has taken the number of the next event.
    store.add_events(1, 0, [Named(0, "Ghost")])
    before = room.table
    with pytest.raises(RefusedError) as refused:
        room.do(Ready(0, 1))
    assert refused.value.reason == "not-stored" and room.table is before and seat == 0
    store.close()


@pytest.mark.parametrize(
    "event",
    [Named(2, "Ann B. Lee"), Covered(1, on=True), Covered(0, on=False), Ready(3, 12), Pick(1, Card.parse("Td"))],
)
def test_the_text_of_an_event_is_read_back(event: Event) -> None:
    assert parse_event(str(event)) == event


def test_a_table_is_the_sum_of_its_events(file: Path) -> None:
    events: list[Event] = [Ready(0, 1), Named(0, "Ann"), Covered(1, on=True)]
    table = Table.start(Rules(seats=4), 2)
    for event in events:
        table = table.apply(event)
    store = Store(file)
    store.add_table(Rules(seats=4), 2)
    store.add_events(1, 0, events[:1])
    store.add_events(1, 1, events[1:])
    assert store.table(1) == table and table.version == 3 and table.may_deal
    store.close()


def test_two_servers_do_not_share_a_file(file: Path) -> None:
    store = Store(file)
    with pytest.raises(StoreError, match="locked"):
        Store(file)
    store.close()
    Store(file).close()


def test_tables_not_used_for_long_are_deleted_with_their_links_and_events(file: Path) -> None:
    store = Store(file)
    links = store.add_table(Rules(seats=4), 0)
    store.add_events(1, 0, [Ready(0, 1)])
    store.delete_unused(days=1)
    assert store.table_ids() == [1]
    store.delete_unused(days=-1)
    assert store.table_ids() == [] and store.place(str(links.seats[0])) is None and store.events(1) == []
    store.close()


def test_ctrl_c_ends_the_server_in_good_order(file: Path) -> None:
    command = [sys.executable, "-m", "examples.web_table", "--port", "0", "--database", str(file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found is not None
        links, _ = make_table(found[0])
        with Talker(found[0], links[0]) as talker:
            talker.update()
            process.send_signal(signal.SIGINT)
            assert talker.closing_code() is not None
        assert process.communicate(timeout=60) == ("", "")
        assert process.returncode == 0
    Store(file).close()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--database", "/nowhere/at/all.sqlite3"],
        ["--limit", "patience=5"],
        ["--limit", "rooms=many"],
        ["--port", "99999"],
        ["--port", "x"],
        ["--host", "256.0.0.1"],
        ["--database", "{not_a_database}"],
        ["fold"],
    ],
)
def test_what_can_not_be_started_is_told_in_a_line(arguments: list[str], tmp_path: Path) -> None:
    nonsense = tmp_path / "nonsense"
    nonsense.write_text("no database" * 100)
    command = [sys.executable, "-m", "examples.web_table", "--database", str(tmp_path / "new.sqlite3")]
    command += [argument.format(not_a_database=nonsense) for argument in arguments]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert run.returncode == 2 and run.stdout == ""
    assert "Traceback" not in run.stderr and run.stderr.strip().splitlines()[-1].count(":") >= 1
