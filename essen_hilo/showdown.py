"""Who wins which chips: pure functions from hands, pot, rules and dealer to awards. Integers only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from essen_hilo.arranging import Arrangement
from essen_hilo.cards import Card
from essen_hilo.errors import CardError, RulesError
from essen_hilo.hands import HandValue, evaluate_high, evaluate_low
from essen_hilo.rules import MOST_CHIPS, OddChips, Rules, seats_in_words, whole_number

#: By seat, the five cards that lie face up, or None while they are face down.
Hands = Sequence[tuple[Card, ...] | None]


@dataclass(frozen=True, slots=True)
class Award:
    """What happened to one half of the pot.

    Attributes:
        half: "low" or "high".
        amount: The chips of this half.
        values: What each seat's hand is worth, by seat.
        winners: The seats with the strongest value, ascending; more than one if they tie.
        shares: The chips each seat gets, by seat.
        stayed: The chips that tied winners could not divide and that stay in the pot.
    """

    half: Literal["low", "high"]
    amount: int
    values: tuple[HandValue, ...]
    winners: tuple[int, ...]
    shares: tuple[int, ...]
    stayed: int

    def to_dict(self) -> dict[str, object]:
        """The fields as JSON takes them; a value is its rank, its category and what a player says."""
        return {
            "half": self.half,
            "amount": self.amount,
            "values": [
                {"rank": value.rank, "category": value.category.value, "text": str(value)} for value in self.values
            ],
            "winners": list(self.winners),
            "shares": list(self.shares),
            "stayed": self.stayed,
        }

    def __str__(self) -> str:
        """The award in a sentence or two."""
        text = f"The {self.half} half is {_chips(self.amount)}. "
        hand = self.values[self.winners[0]]
        if len(self.winners) == 1:
            return f"{text}Seat {self.winners[0]} wins it with {hand}."
        shares = sorted({self.shares[seat] for seat in self.winners}, reverse=True)
        text += f"{seats_in_words(self.winners).capitalize()} tie with {hand} and get "
        if len(shares) == 1:
            text += f"{_chips(shares[0])} each."
        else:
            text += ", ".join(f"{self.shares[seat]} (seat {seat})" for seat in self.winners) + "."
        if self.stayed:
            text += f" {_chips(self.stayed)} can't be divided and {'stays' if self.stayed == 1 else 'stay'} in the pot."
        return text


@dataclass(frozen=True, slots=True)
class Result:
    """A deal that is over: both awards, and what each seat makes of them.

    Attributes:
        low: The award of the low half, which is settled first.
        high: The award of the high half: all that the low half left in the pot.
        ante: The chips that each seat had put in.
    """

    low: Award
    high: Award
    ante: int

    @property
    def payouts(self) -> tuple[int, ...]:
        """The chips each seat takes from the pot, by seat."""
        return tuple(low + high for low, high in zip(self.low.shares, self.high.shares, strict=True))

    @property
    def nets(self) -> tuple[int, ...]:
        """What each seat won or lost, by seat: payouts less the ante."""
        return tuple(payout - self.ante for payout in self.payouts)

    @property
    def carried(self) -> int:
        """The chips that stay in the pot for the next deal."""
        return self.high.stayed

    def to_dict(self) -> dict[str, object]:
        """The chips as JSON takes them: payouts and nets by seat, and what is carried."""
        return {"payouts": list(self.payouts), "nets": list(self.nets), "carried": self.carried}

    def __str__(self) -> str:
        """The story of the showdown, in the words of the table."""
        lines = [str(self.low), str(self.high)]
        lines += [
            f"Seat {seat}: {_chips(payout)} ({payout - self.ante:+d})." for seat, payout in enumerate(self.payouts)
        ]
        if self.carried:
            lines.append(f"Carried to the next deal: {_chips(self.carried)}.")
        return "\n".join(lines)


def _chips(count: int) -> str:
    return f"{count} chip" if count == 1 else f"{count} chips"


def settle(arrangements: Sequence[Arrangement], rules: Rules, *, dealer: int = 0, carried: int = 0) -> Result:
    """The result of a deal that was played with real cards.

    Args:
        arrangements: Each seat's two hands, by seat.
        rules: What the table agreed on; `hand_size` does not matter here.
        dealer: The dealer's seat; it matters only for odd chips that go left of the dealer.
        carried: Chips that an earlier deal left in the pot.

    Raises:
        CardError: A card is in two seats' hands; the message names it and the seats.
        RulesError: There is not one arrangement a seat, or `dealer` or `carried` is not allowed.
    """
    if len(arrangements) != rules.seats:
        raise RulesError(f"arrangements: one for each of the {rules.seats} seats is wanted, not {len(arrangements)}")
    whole_number("dealer", dealer, 0, rules.seats - 1)
    whole_number("carried", carried, 0, MOST_CHIPS)
    _refuse_shared_cards(arrangements)
    low, high = awards(
        [arrangement.low for arrangement in arrangements],
        [arrangement.high for arrangement in arrangements],
        rules,
        dealer,
        carried,
    )
    assert low is not None and high is not None
    return Result(low, high, rules.ante)


def _refuse_shared_cards(arrangements: Sequence[Arrangement]) -> None:
    holder: dict[Card, int] = {}
    for seat, arrangement in enumerate(arrangements):
        for card in arrangement.low + arrangement.high:
            if card in holder:
                raise CardError(f"{card} is in the hands of both seat {holder[card]} and seat {seat}")
            holder[card] = seat


def awards(
    low_hands: Hands, high_hands: Hands, rules: Rules, dealer: int, carried: int
) -> tuple[Award | None, Award | None]:
    """The awards of both halves; None for a half whose hands are not all up.

    The low half is half the pot, rounded down. The high half is all that is left in the pot after the
    low half has been paid.
    """
    pot = rules.seats * rules.ante + carried
    lows = [evaluate_low(hand, rules.low) for hand in low_hands if hand is not None]
    highs = [evaluate_high(hand) for hand in high_hands if hand is not None]
    if len(lows) < rules.seats:
        return None, None
    low = _award("low", lows, pot // 2, rules, dealer)
    if len(highs) < rules.seats:
        return low, None
    return low, _award("high", highs, pot - sum(low.shares), rules, dealer)


def _award(half: Literal["low", "high"], values: Sequence[HandValue], amount: int, rules: Rules, dealer: int) -> Award:
    best = max(values)
    winners = tuple(seat for seat, value in enumerate(values) if value == best)
    each, odd = divmod(amount, len(winners))
    shares = Counter(dict.fromkeys(winners, each))
    if rules.odd_chips is OddChips.LEFT_OF_DEALER:
        clockwise = sorted(winners, key=lambda seat: (seat - dealer - 1) % rules.seats)
        shares.update(clockwise[:odd])
        odd = 0
    return Award(half, amount, tuple(values), winners, tuple(shares[seat] for seat in range(rules.seats)), odd)
