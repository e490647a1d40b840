"""The transitions of the game, and nothing else.

A `GameState` is a value. `state.apply(move)` is the only way forward: it answers with the next state, or raises
and changes nothing. Every rule of play about who may do what, and when, is checked in one place, `why_not`.

A state is its own history: it keeps the deck, every pack as it was taken up, and every card that was laid down, so
the whole game so far can be read back out of it (see `record`). Packs are sorted, since the order in which
a seat was dealt its cards would tell it something of the deck. A new state shares with the old one what did not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import assert_never, final

from essen_hilo.arranging import Arrangement
from essen_hilo.cards import BY_INDEX, DECK, Card, Cards
from essen_hilo.errors import IllegalMoveError, Reason, brief
from essen_hilo.frozen import Frozen
from essen_hilo.moves import Arrange, Arrangements, Deal, Move, Pass, Phase, Pick, Picks, Show, Showdown, Shows
from essen_hilo.refusals import complaint, what_is_due
from essen_hilo.rules import MOST_CHIPS, Rules, seats_in_words, whole_number
from essen_hilo.showdown import Award, Result, awards
from essen_hilo.views import OpenView, View


@dataclass(slots=True, repr=False)
class _Open:
    """A state in the making: a `GameState` but for the lock.

    A transition copies the state into one of these, changes some fields and seals it. A frozen dataclass would
    say the same, and take four times as long to build.
    """

    rules: Rules
    dealer: int
    carried: int
    phase: Phase
    to_act: tuple[int, ...]
    deck: Cards
    rounds: tuple[tuple[Cards, ...], ...]
    picks: tuple[tuple[Card | None, ...], ...]
    arrangements: tuple[Arrangement | None, ...]
    shown: tuple[int, ...]

    def _begin_round(self, packs: tuple[Cards, ...]) -> GameState:
        self.phase, self.to_act = Phase.PICK, _EVERYBODY[self.rules.seats]
        self.rounds = (*self.rounds, packs)
        self.picks = (*self.picks, (None,) * self.rules.seats)
        return self._seal()

    def _seal(self) -> GameState:
        self.__class__ = GameState
        return self  # type: ignore[return-value]  # it is one from here on, and asking would take time


@final
class GameState(_Open, Frozen):
    """One deal at one moment, all of it: the referee's knowledge. Players get a `view`.

    Made by `GameState.start` and then by moves. Its text shows no card.

    >>> from random import Random
    >>> from essen_hilo import GameState, Rules, shuffled_deck
    >>> state = GameState.start(Rules(seats=5)).deal(shuffled_deck(Random(1)))
    >>> state = state.pick(3, state.packs[3][0])
    >>> state
    <GameState: pick 1 of 10, seats 0, 1, 2 and 4 to act, 25 chips in the pot>

    Attributes:
        rules: What the table agreed on.
        dealer: The dealer's seat.
        carried: Chips that an earlier deal left in the pot.
        phase: What the table is doing.
        to_act: The seats that the table is waiting for, ascending; empty when a table move is due.
        deck: The 52 cards in the order in which they were dealt, or none before the deal.
        rounds: One entry a round so far: by seat, the pack as it was taken up, sorted.
        picks: One entry a round so far: by seat, the card kept, or None while the seat is choosing.
        arrangements: By seat, the two hands, or None until they are set.
        shown: The seats whose hand of the half being shown is up, ascending.
    """

    __slots__ = ()

    @classmethod
    def start(cls, rules: Rules = Rules(), *, dealer: int = 0, carried: int = 0) -> GameState:  # noqa: B008
        """A table at which nothing has been dealt.

        Args:
            rules: What the table agreed on.
            dealer: The dealer's seat; the seat to the left gets the first card.
            carried: Chips that an earlier deal left in the pot, 0 to 10**100.

        Raises:
            RulesError: `dealer` or `carried` is not allowed.
        """
        whole_number("dealer", dealer, 0, rules.seats - 1)
        whole_number("carried", carried, 0, MOST_CHIPS)
        return _Open(rules, dealer, carried, Phase.DEAL, (), (), (), (), (None,) * rules.seats, ())._seal()

    def deal(self, deck: Iterable[Card]) -> GameState:
        """The state after the deal. Refused: wrong-phase, bad-deck.

        One card at a time from the dealer's left, until everybody has the full number; the rest is put aside.
        """
        return self.apply(Deal(deck))

    def pick(self, seat: int, card: Card) -> GameState:
        """The state after a seat has kept a card of the pack that it has in hand.

        Refused: wrong-phase, no-such-seat, already-acted, card-not-in-pack.
        When the last seat of a round has picked, the phase is `PASS`; after the last round it is `ARRANGE`.
        """
        return self.apply(Pick(seat, card))

    def pass_packs(self) -> GameState:
        """The state after every pack has gone to the seat on its left. Refused: wrong-phase."""
        return self.apply(Pass())

    def arrange(self, seat: int, low: Iterable[Card], high: Iterable[Card]) -> GameState:
        """The state after a seat has set its hands, any five cards of its pool each.

        Refused: wrong-phase, no-such-seat, already-acted, bad-hand, not-your-cards.
        When the last seat has set its hands, the phase is `SHOW_LOW`.
        """
        return self.apply(Arrange(seat, low, high))

    def show(self, seat: int) -> GameState:
        """The state after one seat has turned up its hand of this half.

        Refused: wrong-phase, no-such-seat, already-acted.
        The last hand shown awards the half, and the phase moves on.
        """
        return self.apply(Show(seat))

    def showdown(self) -> GameState:
        """The state after all hands of this half are up and the half is awarded. Refused: wrong-phase."""
        return self.apply(Showdown())

    def apply(self, move: Move) -> GameState:
        """The state after a move.

        Raises:
            IllegalMoveError: `why_not` has a reason against the move. This state is unchanged.
        """
        reason = self.why_not(move)
        if reason is not None:
            due = what_is_due(self.phase, self.to_act, self._face_down)
            kept = self._pool(move.seat) if reason is Reason.NOT_YOUR_CARDS and isinstance(move, Arrange) else ()
            raise IllegalMoveError(move, reason, complaint(move, reason, self.phase, self.rules.seats, kept, due))
        if isinstance(move, Pick):
            return self._after_pick(move.seat, move.card)
        if isinstance(move, Pass):
            return self._after_pass()
        if isinstance(move, Arrange):
            return self._after_arrange(move.seat, move.low, move.high)
        if isinstance(move, Show):
            return self._after_show(*self.shown, move.seat)
        if isinstance(move, Showdown):
            return self._after_show(*range(self.rules.seats))
        if isinstance(move, Deal):
            return self._after_deal(move.deck)
        assert_never(move)

    def why_not(self, move: Move) -> Reason | None:  # noqa: C901 - one branch a kind of move
        """Why the rules refuse the move in this state, or None if they allow it.

        The one place that knows; `apply` and the five words ask here. When several reasons apply,
        the first in the order of `Reason` is given.
        """
        if self.phase not in _PHASES_OF.get(type(move), ()):
            if type(move) not in _PHASES_OF:
                raise TypeError(f"{brief(move)} is not a move")
            return Reason.WRONG_PHASE
        if isinstance(move, Pick):
            if move.seat not in self.to_act or type(move.seat) is not int:
                return self._why_not_seat(move.seat)
            # Not `in`, which calls Card's comparison: one object a card, so identity will do.
            for card in self.rounds[-1][move.seat]:
                if card is move.card:
                    return None
            return Reason.CARD_NOT_IN_PACK
        if isinstance(move, Arrange):
            if move.seat not in self.to_act or type(move.seat) is not int:
                return self._why_not_seat(move.seat)
            return self._why_not_hands(move)
        if isinstance(move, Show):
            return None if move.seat in self._face_down and type(move.seat) is int else self._why_not_seat(move.seat)
        if isinstance(move, Deal):
            return None if len(move.deck) == 52 and {*move.deck} == _PACK else Reason.BAD_DECK
        return None

    def _why_not_seat(self, seat: int) -> Reason:
        return Reason.ALREADY_ACTED if type(seat) is int and 0 <= seat < self.rules.seats else Reason.NO_SUCH_SEAT

    def _why_not_hands(self, move: Arrange) -> Reason | None:
        if not move.is_complete:
            return Reason.BAD_HAND
        return None if {*move.low, *move.high} <= {*self._pool(move.seat)} else Reason.NOT_YOUR_CARDS

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """The moves that a seat may make now, exactly those that `apply` takes from it.

        A lazy sequence: `len`, index, slice, `in` and iteration, in the order of the pack, or with the low hand
        changing last. Its 252 arrangements of 10 cards or 72,072 of 13 are not built to be counted. A seat that
        is not waited for has no moves. `Deal`, `Pass` and `Showdown` are the table's and are not among them.

        Raises:
            RulesError: There is no such seat.
        """
        if seat in self.to_act and type(seat) is int:
            if self.picks[-1][seat] is None:
                return Picks(seat, self.rounds[-1][seat])
            return Arrangements(seat, self._pool(seat))
        whole_number("seat", seat, 0, self.rules.seats - 1)
        return Shows(seat) if seat in self._face_down else ()

    @property
    def table_move(self) -> Pass | Showdown | None:
        """The forced move of the table that is due, or None."""
        if self.to_act:
            return None
        return Pass() if self.phase is Phase.PASS else Showdown() if self.phase in _SHOWING else None

    def advance(self) -> GameState:
        """The state after all table moves that are due: a seat must choose now, or the game is over.

        Raises:
            IllegalMoveError: Nothing has been dealt (wrong-phase): a loop would never end.
        """
        state = self.apply(Pass()) if self.phase is Phase.DEAL else self
        while (move := state.table_move) is not None:
            state = state.apply(move)
        return state

    def view(self, seat: int | None) -> View:
        """What a seat may see, or a spectator (None).

        Raises:
            RulesError: There is no such seat.
        """
        pack: Cards = ()
        pool: Cards = ()
        seen: tuple[Cards, ...] = ()
        arrangement = None
        if seat is not None:
            if seat not in _EVERYBODY[self.rules.seats] or type(seat) is not int:
                whole_number("seat", seat, 0, self.rules.seats - 1)
            pack, pool, arrangement = self._pack(seat), self._pool(seat), self.arrangements[seat]
            seen = tuple([packs[seat] for packs in self.rounds])
        return OpenView(
            seat,
            self.rules,
            self.phase,
            self.round,
            self.dealer,
            self.carried,
            self.to_act,
            pack,
            pool,
            seen,
            arrangement,
            self.low_hands,
            self.high_hands,
        ).seal()

    @property
    def aside(self) -> Cards:
        """The cards that were not dealt. Nobody ever sees them."""
        return self.deck[self.rules.seats * self.rules.hand_size :]

    @property
    def packs(self) -> tuple[Cards, ...]:
        """By seat, the pack in hand; once the seat has picked, the cards that it will pass on."""
        return tuple([self._pack(seat) for seat in _EVERYBODY[self.rules.seats]])

    @property
    def pools(self) -> tuple[Cards, ...]:
        """By seat, the cards kept, in the order in which they were picked."""
        return tuple([self._pool(seat) for seat in _EVERYBODY[self.rules.seats]])

    @property
    def round(self) -> int:
        """How many picks each seat had made when this round began, from 0."""
        return max(len(self.rounds) - 1, 0)

    @property
    def pot(self) -> int:
        """All chips that were in the pot before the low half was paid."""
        return self.rules.seats * self.rules.ante + self.carried

    @property
    def low_hands(self) -> tuple[Cards | None, ...]:
        """By seat, the low hand that lies face up, or None."""
        if None in self.arrangements:
            return (None,) * self.rules.seats
        up = self._up(Phase.SHOW_LOW)
        return tuple([hands.low if hands and seat in up else None for seat, hands in enumerate(self.arrangements)])

    @property
    def high_hands(self) -> tuple[Cards | None, ...]:
        """By seat, the high hand that lies face up, or None."""
        if None in self.arrangements:
            return (None,) * self.rules.seats
        up = self._up(Phase.SHOW_HIGH)
        return tuple([hands.high if hands and seat in up else None for seat, hands in enumerate(self.arrangements)])

    @property
    def low_award(self) -> Award | None:
        """The award of the low half; None until all low hands are up."""
        return self._awards[0]

    @property
    def high_award(self) -> Award | None:
        """The award of the high half; None until all high hands are up."""
        return self._awards[1]

    @property
    def result(self) -> Result | None:
        """The result of the deal; None until it is over."""
        low, high = self._awards
        return Result(low, high, self.rules.ante) if low and high else None

    def __repr__(self) -> str:
        """What is public: no card is in it."""
        turn = f" {self.round + 1} of {self.rules.hand_size}" if self.phase in (Phase.PICK, Phase.PASS) else ""
        waiting = f", {seats_in_words(self.to_act)} to act" if self.to_act else ""
        return f"<GameState: {self.phase}{turn}{waiting}, {self.pot} chips in the pot>"

    def __hash__(self) -> int:
        # These tell states apart, and hashing every pack of every round takes long.
        return hash((self.rules, self.dealer, self.carried, self.deck, self.picks, self.arrangements, self.shown))

    def _open(self) -> _Open:
        return _Open(
            self.rules,
            self.dealer,
            self.carried,
            self.phase,
            self.to_act,
            self.deck,
            self.rounds,
            self.picks,
            self.arrangements,
            self.shown,
        )

    def _up(self, showing: Phase) -> Sequence[int]:
        """The seats whose hand of a half is up, told by the phase in which it is shown."""
        if self.phase is showing:
            return self.shown
        over = self.phase is Phase.OVER or (self.phase is Phase.SHOW_HIGH and showing is Phase.SHOW_LOW)
        return range(self.rules.seats) if over else ()

    @property
    def _face_down(self) -> tuple[int, ...]:
        """The seats whose hand of the half being shown is still down."""
        return (
            tuple(seat for seat in _EVERYBODY[self.rules.seats] if seat not in self.shown)
            if self.phase in _SHOWING
            else ()
        )

    @property
    def _awards(self) -> tuple[Award | None, Award | None]:
        return awards(self.low_hands, self.high_hands, self.rules, self.dealer, self.carried)

    def _pack(self, seat: int) -> Cards:
        return _rest(self.rounds[-1][seat], self.picks[-1][seat]) if self.rounds else ()

    def _pool(self, seat: int) -> Cards:
        return tuple([card for picks in self.picks if (card := picks[seat]) is not None])

    def _after_deal(self, deck: Cards) -> GameState:
        seats, dealt = self.rules.seats, self.rules.seats * self.rules.hand_size
        after = self._open()
        after.deck = deck
        # The first card goes to the dealer's left, so seat s gets every card that lies s - dealer - 1 from there.
        hands = [deck[(seat - self.dealer - 1) % seats : dealt : seats] for seat in _EVERYBODY[self.rules.seats]]
        return after._begin_round(tuple([tuple(sorted(hand, key=BY_INDEX)) for hand in hands]))

    def _after_pick(self, seat: int, card: Card) -> GameState:
        picks = list(self.picks[-1])
        picks[seat] = card
        phase, to_act = self.phase, _without(self.to_act, seat)
        if not to_act:
            if len(self.rounds) < self.rules.hand_size:
                phase = Phase.PASS
            else:
                phase, to_act = Phase.ARRANGE, _EVERYBODY[self.rules.seats]
        return _Open(
            self.rules,
            self.dealer,
            self.carried,
            phase,
            to_act,
            self.deck,
            self.rounds,
            (*self.picks[:-1], tuple(picks)),
            self.arrangements,
            self.shown,
        )._seal()

    def _after_pass(self) -> GameState:
        packs = [_rest(pack, card) for pack, card in zip(self.rounds[-1], self.picks[-1], strict=True)]
        return self._open()._begin_round((packs[-1], *packs[:-1]))

    def _after_arrange(self, seat: int, low: Iterable[Card], high: Iterable[Card]) -> GameState:
        after = self._open()
        arranged = Arrangement.of_sorted(sorted(low, key=BY_INDEX), sorted(high, key=BY_INDEX))
        after.arrangements = (*self.arrangements[:seat], arranged, *self.arrangements[seat + 1 :])
        after.to_act = _without(self.to_act, seat)
        if not after.to_act:
            after.phase = Phase.SHOW_LOW
        return after._seal()

    def _after_show(self, *shown: int) -> GameState:
        after = self._open()
        after.shown = tuple(sorted(shown))
        if len(shown) == self.rules.seats:
            after.phase, after.shown = Phase.SHOW_HIGH if self.phase is Phase.SHOW_LOW else Phase.OVER, ()
        return after._seal()


_PACK = frozenset(DECK)
_EVERYBODY = tuple([tuple(range(seats)) for seats in range(6)])  # by the number of seats
_SHOWING = (Phase.SHOW_LOW, Phase.SHOW_HIGH)

_PHASES_OF: dict[type[Move], tuple[Phase, ...]] = {
    Deal: (Phase.DEAL,),
    Pick: (Phase.PICK,),
    Pass: (Phase.PASS,),
    Arrange: (Phase.ARRANGE,),
    Show: _SHOWING,
    Showdown: _SHOWING,
}


def _rest(pack: Cards, picked: Card | None) -> Cards:
    for place, card in enumerate(pack):
        if card is picked:
            return pack[:place] + pack[place + 1 :]
    return pack


@cache
def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple([other for other in seats if other != seat])
