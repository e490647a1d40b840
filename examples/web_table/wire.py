"""The text of messages: what a client may ask, read strictly, and what it is told. See README.md, "The protocol"."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from essen_hilo import Card, CardError, Move, RecordError, parse_cards, parse_move
from examples.web_table.table import RefusedError, Table

RESULTS_TOLD = 12


@dataclass(frozen=True, slots=True)
class Join:
    """The first message of a socket: whose it is."""

    link: str


@dataclass(frozen=True, slots=True)
class Play:
    """A move of the asker's own seat."""

    move: Move


@dataclass(frozen=True, slots=True)
class TurnUp:
    """All hands of one half are to be turned up. It names the half, since two people may ask at once."""

    half: Literal["low", "high"]


@dataclass(frozen=True, slots=True)
class Next:
    """The asker is ready for a deal, by its number."""

    deal: int


@dataclass(frozen=True, slots=True)
class Rename:
    """The asker's name."""

    name: str


@dataclass(frozen=True, slots=True)
class Cover:
    """A bot is to play for somebody who is away, or no longer."""

    seat: int
    on: bool


@dataclass(frozen=True, slots=True)
class Suggest:
    """The arrangements of the asker's own cards that no other beats."""


@dataclass(frozen=True, slots=True)
class Judge:
    """What hands of the asker's own cards are worth; a hand of fewer than five is worth nothing yet."""

    low: tuple[Card, ...]
    high: tuple[Card, ...]


Request = Join | Play | TurnUp | Next | Rename | Cover | Suggest | Judge

# By type of message: the fields it has beside "type" and, if the client likes, "id".
_FIELDS: dict[str, dict[str, type]] = {
    "join": {"link": str},
    "move": {"move": str},
    "showdown": {"half": str},
    "next": {"deal": int},
    "name": {"name": str},
    "cover": {"seat": int, "on": bool},
    "suggest": {},
    "judge": {"low": list, "high": list},
}


def read_object(text: str | bytes) -> dict[str, object]:
    """The JSON object in the text.

    Raises:
        RefusedError: bad-message.
    """
    try:
        found = json.loads(text)
    # Deep nesting, numbers of many digits and wrong UTF-8 are no JSONDecodeErrors.
    except (ValueError, RecursionError):
        raise RefusedError("bad-message", "The message is not JSON.") from None
    if not isinstance(found, dict):
        raise RefusedError("bad-message", "The message is not a JSON object.")
    return found


def message_id(message: dict[str, object]) -> int | None:
    """The number that the client gave its message, to know the answer by; None if it gave none."""
    number = message.get("id")
    return number if isinstance(number, int) and _is_a(int, number) else None


def read_join(message: dict[str, object]) -> Join:
    """The link that a socket begins with.

    Raises:
        RefusedError: bad-message: it begins with something else.
    """
    request = read_request(message)
    if not isinstance(request, Join):
        raise RefusedError("bad-message", "join: must come first.")
    return request


def read_request(message: dict[str, object]) -> Request:
    """What the client asks.

    Raises:
        RefusedError: bad-message, or bad-move for the text of a move; the message says what is wanted.
    """
    _check_fields(message)
    match message:
        case {"type": "join", "link": str(link)}:
            return Join(link)
        case {"type": "move", "move": str(move)}:
            return Play(_read_move(move))
        case {"type": "showdown", "half": "low" | "high" as half}:
            return TurnUp(half)
        case {"type": "next", "deal": int(deal)}:
            return Next(deal)
        case {"type": "name", "name": str(name)}:
            return Rename(name)
        case {"type": "cover", "seat": int(seat), "on": bool(on)}:
            return Cover(seat, on)
        case {"type": "suggest"}:
            return Suggest()
        case {"type": "judge", "low": list(low), "high": list(high)}:
            return Judge(_read_cards(low), _read_cards(high))
        case _:
            raise RefusedError("bad-message", 'half: must be "low" or "high".')


def _check_fields(message: dict[str, object]) -> None:
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise RefusedError("bad-message", f"type: must be one of {', '.join(_FIELDS)}.")
    fields = _FIELDS[kind]
    if message.keys() - {"type", "id"} != fields.keys() or not all(
        _is_a(wanted, message[name]) for name, wanted in fields.items()
    ):
        wanted = ", ".join(f"{name} ({wanted.__name__})" for name, wanted in fields.items()) or "nothing more"
        raise RefusedError("bad-message", f"{kind}: takes exactly {wanted}.")


def _is_a(wanted: type, value: object) -> bool:
    # True is no number of a seat, and no number of ours needs more digits than JavaScript's have.
    return type(value) is wanted and (not isinstance(value, int) or abs(value) < 2**53)


def ok(number: int | None, **fields: object) -> dict[str, object]:
    """The answer to a wish that was granted."""
    return {"type": "ok", "id": number, **fields}


def refused(number: int | None, error: RefusedError) -> dict[str, object]:
    """The answer to a wish that was not."""
    return {"type": "refused", "id": number, "reason": error.reason, "message": str(error)}


def update(table: Table, seat: int | None, present: frozenset[int], away: frozenset[int]) -> dict[str, object]:
    """All that one seat, or a spectator (None), may know now: its view, and what everybody may know of the table.

    Nothing of the game's cards is taken from anywhere but the view.
    """
    return {
        "type": "table",
        "version": table.version,
        "deal": table.deal,
        "next_deal": table.next_deal,
        "seats": [
            {
                "name": somebody.name,
                "bot": somebody.is_bot,
                "covered": somebody.is_covered,
                "ready": somebody.is_ready,
                "present": somebody.is_bot or number in present,
                "away": number in away,
                "balance": table.match.balances[number],
            }
            for number, somebody in enumerate(table.seats)
        ],
        "deals": len(table.results),
        "results": [result.to_dict() for result in table.results[-RESULTS_TOLD:]],
        "view": table.state.view(seat).to_dict(),
    }


def text(message: dict[str, object]) -> str:
    """The message as it is sent."""
    return _encode(message)


_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def _read_move(move: str) -> Move:
    try:
        return parse_move(move)
    except RecordError as error:
        raise RefusedError("bad-move", str(error)) from None


def _read_cards(texts: list[object]) -> tuple[Card, ...]:
    try:
        return parse_cards(" ".join(str(card) for card in texts)) if texts else ()
    except CardError as error:
        raise RefusedError("bad-message", str(error)) from None
