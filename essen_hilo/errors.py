"""What can go wrong, and nothing else.

Every error that the package raises on purpose is an `EssenHiloError`; any other exception that
escapes it is a bug. Nothing has changed after an error: the value that refused is as it was.
No message shows a card that lies face down, since messages end up in logs.
"""

from __future__ import annotations

from enum import StrEnum
from reprlib import Repr


class Reason(StrEnum):
    """Why a move is refused. When several apply, the first in this order is given."""

    WRONG_PHASE = "wrong-phase"
    NO_SUCH_SEAT = "no-such-seat"
    ALREADY_ACTED = "already-acted"
    BAD_DECK = "bad-deck"
    CARD_NOT_IN_PACK = "card-not-in-pack"
    BAD_HAND = "bad-hand"
    NOT_YOUR_CARDS = "not-your-cards"


class EssenHiloError(Exception):
    """Base of every error that the package raises on purpose."""


class CardError(EssenHiloError, ValueError):
    """Cards that can't be: text that names no card, a card twice, a hand that is not five cards."""


class RulesError(EssenHiloError, ValueError):
    """A number or a name that the rules of the table don't allow; the message names the field."""


class RecordError(EssenHiloError, ValueError):
    """Something written down (a game, a view, the text of a move) that can't be read back."""


class IllegalMoveError(EssenHiloError):
    """A move that the rules refuse in this state; the state is unchanged.

    Attributes:
        move: The `Move` that was refused.
        reason: Why, for programs. The message says it for people, and what to do instead.
    """

    def __init__(self, move: object, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.move = move
        self.reason = reason

    def __reduce__(self) -> tuple[type[IllegalMoveError], tuple[object, Reason, str], dict[str, object]]:
        # With its notes, which are kept in `__dict__`.
        return type(self), (self.move, self.reason, str(self)), self.__dict__


class _Brief(Repr):
    def repr_int(self, x: int, level: int) -> str:  # noqa: ARG002
        """Python refuses to write a number of very many digits."""
        return repr(x) if abs(x) < 10**18 else "a number of many digits"


_BRIEF = _Brief()


def brief(value: object) -> str:
    """The value's repr for a message, in ASCII, cut where it is long or deep: from outside it can be anything."""
    return _BRIEF.repr(value).encode("ascii", "backslashreplace").decode("ascii")
