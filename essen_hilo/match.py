"""Many deals: whose turn it is to deal, who is up how many chips, and what is carried."""

from __future__ import annotations

from dataclasses import dataclass

from essen_hilo.errors import RulesError
from essen_hilo.rules import Rules, whole_number
from essen_hilo.state import GameState


@dataclass(frozen=True, slots=True)
class Match:
    """A ledger over deals; immutable, like a state.

    Balances and what is carried always sum to zero.

    Attributes:
        rules: What the table agreed on.
        dealer: The seat that deals next; the deal goes round clockwise.
        carried: Chips that the last deal left in the pot.
        balances: What each seat has won or lost so far, by seat.
        deals: The finished deals, oldest first.
    """

    rules: Rules
    dealer: int
    carried: int
    balances: tuple[int, ...]
    deals: tuple[GameState, ...]

    @classmethod
    def start(cls, rules: Rules = Rules(), *, dealer: int = 0) -> Match:  # noqa: B008
        """A match before its first deal; a `RulesError` if the dealer is not a seat."""
        return cls(rules, whole_number("dealer", dealer, 0, rules.seats - 1), 0, (0,) * rules.seats, ())

    def new_deal(self) -> GameState:
        """The next deal, not dealt yet: with the right dealer and the carried chips in the pot."""
        return GameState.start(self.rules, dealer=self.dealer, carried=self.carried)

    def settle(self, state: GameState) -> Match:
        """The match after a deal that began with `new_deal` and is over.

        Raises:
            RulesError: The deal is not over, is not this match's own current deal, or was settled before.
        """
        result = state.result
        if result is None:
            raise RulesError(f"state: the deal must be over to be settled, and it is in phase {state.phase}")
        if (state.rules, state.dealer, state.carried) != (self.rules, self.dealer, self.carried):
            raise RulesError("state: not this match's current deal: its rules, dealer or carried chips are others")
        # Not `in`: an equal deal may come again, if somebody deals the same deck and everybody plays alike.
        if any(state is settled for settled in self.deals):
            raise RulesError("state: this deal has been settled before")
        return Match(
            self.rules,
            self.rules.left_of(self.dealer),
            result.carried,
            tuple(balance + net for balance, net in zip(self.balances, result.nets, strict=True)),
            (*self.deals, state),
        )
