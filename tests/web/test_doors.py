"""Who gets in: links, origins, headers, and the limits on connections and tables."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from starlette.requests import HTTPConnection
from websockets.exceptions import InvalidStatus

from examples.web_table.limits import Bucket, Buckets, Limits
from examples.web_table.server import address
from tests.web.support import PATIENCE, RULES, Talker, ThreadedServer, make_table, post, serving, wait_for

JSON = {"Content-Type": "application/json"}
PAGE = Path(__file__).parents[2] / "examples" / "web_table" / "page"


def is_turned_away(address: str, link: str | None = None, origin: str | None = None) -> bool:
    try:
        with Talker(address, link, origin):
            return False
    except InvalidStatus as error:
        return error.response.status_code == 403


def test_a_wrong_link_learns_nothing_whatever_is_wrong_with_it(server: ThreadedServer) -> None:
    (link, *_), spectators = make_table(server.address)
    wrong = [
        "A" * 22,
        link[:-1],
        link + "A",
        link.swapcase(),
        spectators[::-1],
        "",
        "é",
        "\ud800",
        "' OR 1=1 --",
        "x" * 1000,
    ]
    answers = []
    for guess in wrong:
        with Talker(server.address, guess) as talker:
            code = talker.closing_code() if talker.hear() else None
            answers.append((json.dumps(talker.heard), code))
    assert set(answers) == {
        (
            '[{"type": "refused", "id": null, "reason": "no-such-link", "message": "This link leads to no table."}]',
            4404,
        )
    }


def test_links_are_128_random_bits(server: ThreadedServer) -> None:
    links = []
    for _ in range(10):
        seats, spectators = make_table(server.address)
        links += [*seats, spectators]
    assert len(set(links)) == 50
    # 22 characters of 6 bits: 16 bytes and 4 bits of filling.
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", link) for link in links)


def test_links_are_not_in_the_file(file: Path) -> None:
    with serving(file) as server:
        seats, spectators = make_table(server.address)
    kept = b"".join(path.read_bytes() for path in file.parent.iterdir())
    assert not any(link.encode() in kept for link in [*seats, spectators])
    assert file.stat().st_mode & 0o077 == 0


def test_a_socket_must_say_who_it_is_first(server: ThreadedServer) -> None:
    for first in ('{"type": "suggest"}', "hello", '{"type": "join"}', '{"type": "join", "link": 5}'):
        with Talker(server.address) as talker:
            talker.say(first)
            assert talker.hear()["reason"] == "bad-message"
            assert talker.closing_code() == 4404


def test_a_socket_must_say_so_soon(file: Path) -> None:
    with serving(file, Limits(join_seconds=0.1)) as server, Talker(server.address) as talker:
        assert talker.closing_code() == 4408


def test_only_the_servers_own_pages_may_open_sockets(server: ThreadedServer) -> None:
    (link, *_), _ = make_table(server.address)
    host = server.address.removeprefix("http://").rstrip("/")
    for origin in (f"http://{host}", f"https://{host}", "https://cards.example", None):
        with Talker(server.address, link, origin) as talker:
            assert talker.hear()["type"] == "ok"
    for origin in (
        "https://evil.example",
        "null",
        f"http://{host}.evil.example",
        f"ftp://{host}",
        "http://127.0.0.1:1",
        "x",
    ):
        assert is_turned_away(server.address, link, origin)


def test_only_the_servers_own_pages_may_make_tables(server: ThreadedServer) -> None:
    body = json.dumps(RULES).encode()
    assert post(server.address, body, {**JSON, "Origin": "https://evil.example"})[0] == 403
    assert post(server.address, body, {**JSON, "Origin": "null"})[0] == 403
    assert post(server.address, body, {"Content-Type": "text/plain"})[0] == 415
    assert post(server.address, body, {**JSON, "Origin": server.address.rstrip("/")})[0] == 201


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", b"{", b"[" * 1500, b"null"])
def test_a_request_that_is_no_json_object_makes_no_table(server: ThreadedServer, body: bytes) -> None:
    status, answer, _ = post(server.address, body, JSON)
    assert (status, answer["reason"]) == (400, "bad-message")


def test_a_huge_request_makes_no_table(server: ThreadedServer) -> None:
    status, answer, _ = post(server.address, b" " * 5000, JSON)
    assert (status, answer["reason"]) == (413, "too-large")


@pytest.mark.parametrize("path", ["", "main.js", "style.css", "nowhere", "../store.py", "tables", "socket"])
def test_every_answer_has_the_headers(server: ThreadedServer, path: str) -> None:
    try:
        with urllib.request.urlopen(server.address + path, timeout=PATIENCE) as answer:
            headers = answer.headers
    except urllib.error.HTTPError as error:
        with error:
            headers = error.headers
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Server" not in headers


def test_links_just_made_are_not_cached(server: ThreadedServer) -> None:
    _, _, headers = post(server.address, json.dumps(RULES).encode(), JSON)
    assert {name.lower(): value for name, value in headers.items()}["cache-control"] == "no-store"


def test_the_page_fetches_nothing_from_elsewhere() -> None:
    for path in PAGE.iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.findall(r"https?://|url\(|@import", text), path.name


def test_connections_are_limited_by_link_and_by_address(file: Path) -> None:
    with serving(file, Limits(connections_per_seat=2, connections_per_address=3)) as server:
        (link, other, *_), _ = make_table(server.address)
        with Talker(server.address, link) as one, Talker(server.address, link) as two:
            assert one.hear()["type"] == two.hear()["type"] == "ok"
            with Talker(server.address, link) as three:
                assert three.hear()["reason"] == "too-many"
                assert three.closing_code() == 4429
            with Talker(server.address, other) as four:
                assert four.hear()["type"] == "ok"
                assert is_turned_away(server.address, other)
        # Who leaves makes room.
        wait_for(lambda: not is_turned_away(server.address, other))


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("what a proxy says", "what a proxy says", True),
        ("what a proxy says", "", False),
    ],
)
def test_limits_count_by_address_and_by_network_where_addresses_are_free(one: str, other: str, is_same: bool) -> None:
    def counted(host: str) -> str:
        return address(HTTPConnection({"type": "http", "headers": [], "client": (host, 5)}))

    assert (counted(one) == counted(other)) == is_same


def test_connections_of_the_whole_server_are_limited(file: Path) -> None:
    with serving(file, Limits(connections=1)) as server, Talker(server.address):
        assert is_turned_away(server.address)


def test_an_address_may_not_open_sockets_without_end(file: Path) -> None:
    with serving(file, Limits(join_burst=3, joins_per_minute=0.01)) as server:
        assert [is_turned_away(server.address) for _ in range(5)] == [False] * 3 + [True] * 2


def test_tables_are_limited_by_address_and_altogether(file: Path) -> None:
    body = json.dumps(RULES).encode()
    with serving(file, Limits(table_burst=3, tables_per_hour=0.01, tables=2)) as server:
        answers = [post(server.address, body, JSON) for _ in range(4)]
        assert [status for status, _, _ in answers] == [201, 201, 503, 429]
        assert {answer["reason"] for _, answer, _ in answers[2:]} == {"too-many"}


def test_tables_in_memory_are_limited_and_those_without_people_make_room(file: Path) -> None:
    with serving(file, Limits(rooms=1)) as server:
        (link, *_), _ = make_table(server.address)
        (other, *_), _ = make_table(server.address)
        with Talker(server.address, link) as talker:
            assert talker.ask(type="name", name="Ann")["type"] == "ok"
            with Talker(server.address, other) as late:
                assert late.hear()["reason"] == "too-many"

        def gets_in() -> bool:
            with Talker(server.address, other) as again:
                return bool(again.hear()["type"] == "ok")

        wait_for(gets_in)


def test_a_bucket_lets_a_burst_through_and_then_so_many_a_second() -> None:
    now = 0.0
    bucket = Bucket(2, 3, lambda: now)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now = 0.4
    assert not bucket.take()
    now = 0.5
    assert bucket.take() and not bucket.take()
    now = 100
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_buckets_of_many_addresses_take_only_so_much_memory() -> None:
    now = 0.0
    buckets = Buckets(1, 1, lambda: now)
    assert all(buckets.take(str(number)) for number in range(10_000))
    assert not buckets.take("one more")
    now = 2
    assert buckets.take("one more") and not buckets.take("one more")
