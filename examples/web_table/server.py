"""HTTP and sockets: the page, the making of tables, and one conversation a socket."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from essen_hilo import Rules, RulesError
from examples.web_table import wire
from examples.web_table.limits import Bucket, Buckets, Limits
from examples.web_table.rooms import Guest, Room, Rooms
from examples.web_table.table import RefusedError

PAGE = Path(__file__).parent / "page"

HEADERS = {
    # The page is its own files and its own socket: nothing inline, nothing from elsewhere, in nobody's frame.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}

# Why a socket is closed (RFC 6455 keeps 4000 to 4999 for programs). All that is wrong with a link is one code.
CLOSED_NO_SUCH_LINK = 4404
CLOSED_TOO_MANY = 4429
CLOSED_TOO_SLOW = 4408
# By reason of a refusal; 1013 asks to try again later.
_CLOSED = {"too-many": CLOSED_TOO_MANY, "not-stored": 1013}


class Server:
    """What the requests of one server share."""

    def __init__(self, rooms: Rooms, limits: Limits, origins: Iterable[str] = ()) -> None:
        """A server of these rooms.

        Args:
            rooms: The tables.
            limits: What is allowed.
            origins: Hosts, such as "cards.example", whose pages may talk to this server beside its own: for a
                proxy that does not pass the browser's Host header on.
        """
        self._rooms = rooms
        self._limits = limits
        self._origins = frozenset(origins)
        self._connections: Counter[str] = Counter()
        self._joins = Buckets(limits.joins_per_minute / 60, limits.join_burst)
        self._makings = Buckets(limits.tables_per_hour / 3600, limits.table_burst)

    # Tables.

    async def make_table(self, request: Request) -> Response:
        """POST /tables: the links of a new table."""
        if not self._is_own_page(request):
            return _refusal(403, RefusedError("origin", "Only this server's own page may make tables."))
        # A form of another site can't send this type without being asked for first.
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _refusal(415, RefusedError("bad-message", "Content-Type: application/json is wanted."))
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > self._limits.message_bytes:
                return _refusal(413, RefusedError("too-large", f"At most {self._limits.message_bytes} bytes."))
        if not self._makings.take(address(request)):
            return _refusal(429, RefusedError("too-many", "So many tables are enough for now: try again later."))
        try:
            rules, bots = _read_table(wire.read_object(body), self._limits)
            links = self._rooms.make(rules, bots)
        except RefusedError as error:
            return _refusal(503 if error.reason == "too-many" else 400, error)
        return JSONResponse({"seats": links.seats, "spectators": links.spectators}, 201, {"Cache-Control": "no-store"})

    # Sockets.

    async def talk(self, socket: WebSocket) -> None:
        """One socket, from its opening to its end."""
        peer = address(socket)
        limits = self._limits
        # Closed before it is accepted, a socket is answered with 403.
        if (
            not self._is_own_page(socket)
            or self._connections.total() >= limits.connections
            or self._connections[peer] >= limits.connections_per_address
            or not self._joins.take(peer)
        ):
            await socket.close()
            return
        self._connections[peer] += 1
        try:
            await socket.accept()
            await self._join(socket)
        # The peer is gone, or takes nothing any more (TimeoutError is an OSError).
        except (WebSocketDisconnect, OSError):
            await _close(socket, CLOSED_TOO_SLOW)
        finally:
            self._connections[peer] -= 1
            if not self._connections[peer]:
                del self._connections[peer]

    async def _join(self, socket: WebSocket) -> None:
        number = None
        try:
            async with asyncio.timeout(self._limits.join_seconds):
                message = wire.read_object(await _receive(socket))
            number = wire.message_id(message)
            room, seat = self._rooms.open(wire.read_join(message).link)
            guest = room.enter(seat)
        except RefusedError as error:
            await self._send(socket, wire.refused(number, error))
            await _close(socket, _CLOSED.get(error.reason, CLOSED_NO_SUCH_LINK))
            return
        try:
            await self._send(socket, wire.ok(number, seat=seat))
            async with asyncio.TaskGroup() as tasks:
                telling = tasks.create_task(self._tell(socket, room, guest))
                await self._listen(socket, room, guest)
                telling.cancel()
        except* (WebSocketDisconnect, OSError):
            await _close(socket, CLOSED_TOO_SLOW)
        finally:
            room.leave(guest)

    async def _listen(self, socket: WebSocket, room: Room, guest: Guest) -> None:
        bucket = Bucket(self._limits.messages_per_second, self._limits.message_burst)
        too_many = 0
        while too_many < self._limits.refused_messages:
            text = await _receive(socket)
            is_allowed = bucket.take()
            too_many += not is_allowed
            await self._send(socket, _answer(room, guest, text, is_allowed=is_allowed))
        await _close(socket, CLOSED_TOO_MANY)

    async def _tell(self, socket: WebSocket, room: Room, guest: Guest) -> None:
        """Tell the guest what it may know whenever there is news.

        An update says everything, so one that is late says what is true now: nothing piles up for a slow guest.
        """
        while True:
            await guest.has_news.wait()
            guest.has_news.clear()
            await self._send(socket, room.update(guest.seat))

    async def _send(self, socket: WebSocket, message: dict[str, object]) -> None:
        async with asyncio.timeout(self._limits.send_seconds):
            try:
                await socket.send_text(wire.text(message))
            except RuntimeError:
                # What Starlette says when the socket has been closed in the meantime.
                raise WebSocketDisconnect from None

    def _is_own_page(self, connection: HTTPConnection) -> bool:
        """Whether a page of this server asks, or a program that is no browser: those send no Origin."""
        origin = connection.headers.get("origin")
        if origin is None:
            return True
        with suppress(ValueError):
            parts = urlsplit(origin)
            return parts.scheme in ("http", "https") and parts.netloc in {
                connection.headers.get("host"),
                *self._origins,
            }
        return False


def app(server: Server) -> Starlette:
    """The ASGI application."""
    routes = [
        Route("/tables", server.make_table, methods=["POST"]),
        WebSocketRoute("/socket", server.talk),
        Mount("/", StaticFiles(directory=PAGE, html=True)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(_Headers)])


def config(server: Server, limits: Limits, *, behind_proxy: bool = False) -> uvicorn.Config:
    """How uvicorn is to run the application; behind a proxy, it takes the addresses that the proxy names."""
    return uvicorn.Config(
        app(server),
        ws="websockets-sansio",
        ws_max_size=limits.message_bytes,
        ws_per_message_deflate=False,
        proxy_headers=behind_proxy,
        server_header=False,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=2,
        # Of all kinds: sockets, and a page's few requests beside them.
        limit_concurrency=limits.connections + 200,
    )


class _Headers:
    """Gives every answer the headers above, unless it has its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = Headers(raw=message["headers"])
                message["headers"] = [
                    *message["headers"],
                    *((name.lower().encode(), value.encode()) for name, value in HEADERS.items() if name not in given),
                ]
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


def _answer(room: Room, guest: Guest, text: str, *, is_allowed: bool) -> dict[str, object]:
    number = None
    try:
        message = wire.read_object(text)
        number = wire.message_id(message)
        if is_allowed:
            return wire.ok(number, **room.ask(guest, wire.read_request(message)))
    except RefusedError as error:
        return wire.refused(number, error)
    return wire.refused(number, RefusedError("too-many", "Too many messages: slow down."))


async def _close(socket: WebSocket, code: int) -> None:
    # Closing what has been closed is no mistake here, since both sides may do it first; and who took no message may
    # not take this one either.
    with suppress(RuntimeError, TimeoutError):
        async with asyncio.timeout(1):
            await socket.close(code)


async def _receive(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    text = message.get("text")
    # Bytes are refused like any other text that is no JSON.
    return text if isinstance(text, str) else ""


_TABLE_FIELDS = {"seats", "ante", "low", "odd_chips", "bots"}


def _read_table(wish: dict[str, object], limits: Limits) -> tuple[Rules, int]:
    """The rules and the number of bots that somebody wants.

    Raises:
        RefusedError: bad-table, in the library's words where it is about rules.
    """
    if wish.keys() != _TABLE_FIELDS:
        raise RefusedError("bad-table", f"Exactly these fields are wanted: {', '.join(sorted(_TABLE_FIELDS))}.")
    seats, bots = wish["seats"], wish["bots"]
    if type(seats) is not int or type(bots) is not int:
        raise RefusedError("bad-table", "seats and bots: must be whole numbers.")
    try:
        # The published game only: without a hand_size, the library refuses house sizes.
        agreed = {name: wish[name] for name in _TABLE_FIELDS - {"bots"}}
        rules = Rules.from_dict({**agreed, "hand_size": Rules(seats).hand_size})
    except RulesError as error:
        raise RefusedError("bad-table", str(error)) from None
    if rules.ante > limits.ante:
        raise RefusedError("bad-table", f"ante: must be 0 to {limits.ante}.")
    return rules, bots


def _refusal(status: int, error: RefusedError) -> Response:
    return JSONResponse(wire.refused(None, error), status)


def address(connection: HTTPConnection) -> str:
    """The address that limits count by: of IPv6 the network, since who has one address of it has all."""
    host = connection.client.host if connection.client else ""
    # Behind a proxy, this may be any text.
    with suppress(ValueError):
        parsed = ip_address(host)
        if isinstance(parsed, IPv6Address):
            return str(parsed.ipv4_mapped or ip_network((int(parsed), 64), strict=False))
    return host
