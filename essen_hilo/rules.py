"""What the table agreed on before the deal: seats, ante, low rule, cards a seat, odd chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from essen_hilo.errors import RulesError, brief
from essen_hilo.hands import DEUCE_TO_SEVEN, LowRule

_PUBLISHED = {4: 13, 5: 10}

#: As an ante, or carried from an earlier deal: Python refuses to write numbers of more than 4,300 digits.
MOST_CHIPS = 10**100


class OddChips(StrEnum):
    """Where the chips go that a half can't divide among tied seats.

    `STAY`: they stay in the pot, for the high half or for the next deal. This is the library's ruling; the game's
    source is silent about ties. `LEFT_OF_DEALER`: one each to the tied seats, from the first seat to the dealer's
    left on; the other common custom. Then nothing is ever carried.
    """

    STAY = "stay"
    LEFT_OF_DEALER = "left-of-dealer"

    def __repr__(self) -> str:
        return f"OddChips.{self.name}"


@dataclass(frozen=True, slots=True, init=False)
class Rules:
    """What the table agreed on.

    The published game is 4 seats with 13 cards or 5 seats with 10. By the library's ruling, two to five seats with any
    other hand of 10 cards or more that fits the pack can be had if `hand_size` is given by name.

    >>> Rules(seats=5)
    Rules(seats=5, ante=5, low=DEUCE_TO_SEVEN, hand_size=10, odd_chips=OddChips.STAY)
    >>> Rules(seats=3, hand_size=17).cards_aside
    1

    Attributes:
        seats: 2 to 5.
        ante: Chips that each seat puts in the pot before the deal, 0 to 10**100.
        low: How low hands are counted.
        hand_size: Cards dealt to each seat, and picks each seat makes.
        odd_chips: Where chips go that a half can't divide among tied seats.
    """

    seats: int
    ante: int
    low: LowRule
    hand_size: int
    odd_chips: OddChips

    def __init__(
        self,
        seats: int = 4,
        ante: int = 5,
        low: LowRule = DEUCE_TO_SEVEN,
        hand_size: int | None = None,
        odd_chips: OddChips = OddChips.STAY,
    ) -> None:
        """Rules, checked.

        Raises:
            RulesError: A field is not allowed; the message names the field and what is.
        """
        whole_number("seats", seats, 2, 5)
        whole_number("ante", ante, 0, MOST_CHIPS)
        if hand_size is None:
            if seats not in _PUBLISHED:
                raise RulesError(f"hand_size: must be given for {seats} seats, 10 to {52 // seats} cards")
            hand_size = _PUBLISHED[seats]
        whole_number("hand_size", hand_size, 10, 52 // seats)
        if not isinstance(low, LowRule):
            raise RulesError(f"low: must be a LowRule, not {brief(low)}")
        if not isinstance(odd_chips, OddChips):
            raise RulesError(f"odd_chips: must be an OddChips, not {brief(odd_chips)}")
        fields = {"seats": seats, "ante": ante, "low": low, "hand_size": hand_size, "odd_chips": odd_chips}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        # Without `odd_chips`, whose hash differs between processes.
        return hash((self.seats, self.ante, self.low, self.hand_size))

    @property
    def cards_aside(self) -> int:
        """How many cards are not dealt: they are put aside unseen."""
        return 52 - self.seats * self.hand_size

    def left_of(self, seat: int) -> int:
        """The next seat clockwise: where this seat's pack goes."""
        return (seat + 1) % self.seats

    def to_dict(self) -> dict[str, int | str]:
        """The fields as JSON takes them, the low rule and the odd chips by name."""
        return {
            "seats": self.seats,
            "ante": self.ante,
            "low": self.low.name,
            "hand_size": self.hand_size,
            "odd_chips": self.odd_chips.value,
        }

    @classmethod
    def from_dict(cls, data: object) -> Rules:
        """The rules that `to_dict` wrote.

        Raises:
            RulesError: A field is missing, unknown or not allowed.
        """
        if not isinstance(data, Mapping):
            raise RulesError(f"rules: an object is wanted, not {brief(data)}")
        for name in sorted(set(cls.__slots__) ^ set(data), key=brief):
            problem = "is missing" if name in cls.__slots__ else "is not a field of the rules"
            raise RulesError(f"{brief(name)} {problem}: exactly {', '.join(cls.__slots__)} are wanted")
        return cls(
            seats=whole_number("seats", data["seats"], 2, 5),
            ante=whole_number("ante", data["ante"], 0, MOST_CHIPS),
            low=LowRule.named(_text("low", data["low"])),
            hand_size=whole_number("hand_size", data["hand_size"], 10),
            odd_chips=_odd_chips(_text("odd_chips", data["odd_chips"])),
        )


def whole_number(field: str, value: object, least: int, most: int | None = None) -> int:
    """The value, if it is a whole number in the range; else a `RulesError` that names the field."""
    # A bool is an int to Python, and not a number of chips or seats to anybody.
    if type(value) is int and least <= value and (most is None or value <= most):
        return value
    allowed = f"{least} or more" if most is None else f"{least} to {'10**100' if most == MOST_CHIPS else most}"
    raise RulesError(f"{field}: must be a whole number, {allowed}, not {brief(value)}")


def _text(field: str, value: object) -> str:
    if isinstance(value, str):
        return value
    raise RulesError(f"{field}: must be a text, not {brief(value)}")


def _odd_chips(name: str) -> OddChips:
    try:
        return OddChips(name)
    except ValueError:
        raise RulesError(f"odd_chips: must be one of {', '.join(OddChips)}, not {brief(name)}") from None


def seats_in_words(seats: Sequence[int]) -> str:
    """Such as "seat 2" or "seats 0, 1 and 3"."""
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"
