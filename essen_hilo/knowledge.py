"""What a seat can work out about the hidden cards: where each can be, in how many ways, and one way at random.

A world is one way in which all cards can lie: who picked which card in which round, what is left in whose pack,
what is aside, and which hands lie face down. In which order the cards came from the deck means nothing.

A pack goes one seat to the left each round, and everybody sees who has picked. So a seat knows every pick by who
made it, in which round and from which of the packs; only the card is hidden. It knows a card by the packs in which
it has seen it. Two cards that it knows by the same packs may change places and it would notice nothing; no other
two may. That takes the hidden cards apart into groups that have nothing to do with each other:

* the cards never seen: they are what others picked from a pack before it came to this seat for the first time,
  what is in a pack that has not come yet, and what is aside;
* for each pack that came back, the cards that had gone meanwhile: each other seat has picked one;
* for each pack that will not come back, or not yet, the cards that it held when this seat passed it on: the seats
  behind have each picked one, and the rest is still in it.

Within a group any card may be in any spot. So the number of worlds is a product over the groups, and shuffling
every group by itself gives each world the same chance. Hands that lie face down are any five and five of a pool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import comb, factorial, prod
from random import Random
from typing import Literal, NamedTuple, final

from essen_hilo.arranging import Arrangement
from essen_hilo.cards import BY_INDEX, DECK, Card, Cards
from essen_hilo.errors import CardError, RecordError, RulesError, brief
from essen_hilo.moves import Phase
from essen_hilo.rules import whole_number
from essen_hilo.state import GameState, _Open
from essen_hilo.views import View, contradiction

Spot = tuple[int, int]
"""A pick by its round and seat."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card can be now.

    >>> str(Place("pack", 2)), str(Place("pool", 0)), str(Place("aside"))
    ('in the pack of seat 2', 'in the pool of seat 0', 'aside')

    Attributes:
        kind: The pack that a seat has in hand, the pool of cards that it has kept (set in hands or
            not), or the cards aside.
        seat: Whose pack or pool; None for the cards aside.
    """

    kind: Literal["pack", "pool", "aside"]
    seat: int | None = None

    def __str__(self) -> str:
        return self.kind if self.seat is None else f"in the {self.kind} of seat {self.seat}"


class _Group(NamedTuple):
    """Hidden cards of which any may be in any of as many spots."""

    cards: Cards
    picks: Sequence[Spot]
    """Each pick that took one of the cards."""
    left: Sequence[tuple[int, int]]
    """By seat, how many of the cards are in the pack that it has in hand."""
    aside: int = 0

    @property
    def worlds(self) -> int:
        together = [size for _, size in self.left] + [self.aside]
        return factorial(len(self.cards)) // prod([factorial(size) for size in together])

    @property
    def places(self) -> tuple[Place, ...]:
        packs = [Place("pack", seat) for seat, size in self.left if size]
        pools = [Place("pool", seat) for seat in sorted({seat for _, seat in self.picks})]
        return (*packs, *pools, *([Place("aside")] if self.aside else []))


@final
@dataclass(frozen=True, slots=True, init=False, repr=False)
class Knowledge:
    """What the seat of a view can work out about the cards that it does not see.

    For every phase from the first pick until the first hand is shown. It counts what the rules allow and asks
    nothing about what the others would rather pick: each world is as likely as any other.

    >>> from essen_hilo import Rules, shuffled_deck
    >>> state = GameState.start(Rules(seats=4)).deal(shuffled_deck(Random(7)))
    >>> knowledge = Knowledge(state.view(0))
    >>> len(knowledge.unseen), knowledge.worlds == factorial(39) // factorial(13) ** 3
    (39, True)
    >>> [str(place) for place in knowledge.where(knowledge.unseen[0])]
    ['in the pack of seat 1', 'in the pack of seat 2', 'in the pack of seat 3']
    >>> knowledge.sample(Random(1)).view(0) == state.view(0)
    True

    Attributes:
        view: What all of this is worked out from.
    """

    view: View
    _groups: tuple[_Group, ...] = field(compare=False)

    def __init__(self, view: View) -> None:
        """All that follows from a view.

        Raises:
            RulesError: A spectator's view, or one from before the deal or after a hand was shown.
            RecordError: No game can look like this: fields of a view that was read or made by hand contradict
                each other.
        """
        _check(view)
        object.__setattr__(self, "view", view)
        object.__setattr__(self, "_groups", _groups(view))

    @property
    def unseen(self) -> Cards:
        """The cards that this seat has never had in hand, in the order of `DECK`.

        Every other card it has seen in a pack, though it may not know who has picked it since: see `where`.
        """
        return self._groups[0].cards

    def where(self, card: Card) -> tuple[Place, ...]:
        """Every place where a card can be now: packs by seat, then pools by seat, then aside.

        One place means that the seat is sure; its own pack and pool are places too.

        Raises:
            CardError: This is no card.
        """
        for group in self._groups:
            if any(card is other for other in group.cards):
                return group.places
        if card in self.view.pool:
            return (Place("pool", self.view.seat),)
        raise CardError(f"{brief(card)} is not a Card")

    @property
    def worlds(self) -> int:
        """In how many ways the hidden cards can lie; exact, at least 1, and often a very large number."""
        size = self.view.rules.hand_size
        cards = prod([group.worlds for group in self._groups])
        for _ in _face_down(self.view):
            cards *= comb(size, 5) * comb(size - 5, 5)
        return cards

    def sample(self, rng: Random) -> GameState:
        """One of the worlds, each equally likely, as a state that looks to this seat exactly like its view.

        A seed gives the same worlds on every Python: nothing but `rng.random()` is asked for.
        """
        view, random = self.view, rng.random
        picks = _own_picks(view)
        never, *others = self._groups
        for group in others:
            if group.picks:
                _draw(group.cards, group.picks, picks, random)

        hidden = _shuffled(_draw(never.cards, never.picks, picks, random), random)
        packs, place = _as_first_seen(view), 0
        for seat, size in never.left:
            packs[seat] = tuple(hidden[place : place + size])
            place += size

        hands = [view.arrangement if seat == view.seat else None for seat in range(view.rules.seats)]
        for seat in _face_down(view):
            ten = _shuffled([card for turn in picks if (card := turn[seat])], random)[:10]
            hands[seat] = Arrangement(ten[:5], ten[5:])

        rounds = _rounds(packs, picks, view.rules.hand_size)
        return _Open(
            rules=view.rules,
            dealer=view.dealer,
            carried=view.carried,
            phase=view.phase,
            to_act=view.to_act,
            deck=_deck(rounds[0], hidden[place:], view.dealer),
            rounds=rounds,
            picks=tuple([tuple(turn) for turn in picks]),
            arrangements=tuple(hands),
            shown=(),
        )._seal()

    def __repr__(self) -> str:
        """No card is in it."""
        return f"<Knowledge of seat {self.view.seat}: {self.view.phase}, {len(self.unseen)} cards unseen>"


# Working it out. A pack is named by its holder: the seat that has it in hand now.


def _groups(view: View) -> tuple[_Group, ...]:
    """The hidden cards, and those in hand, in groups; the cards never seen come first."""
    seats, size = view.rules.seats, view.rules.hand_size
    seen = {card.index for pack in view.seen[:seats] for card in pack}
    unseen = tuple([card for card in DECK if card.index not in seen])
    passed_on = _passed_on(view)
    early: list[Spot] = []
    not_yet: list[tuple[int, int]] = []
    groups: list[_Group] = []
    for holder in range(seats):
        made = view.round + _has_picked(view, holder)
        first = (holder - view.round) % seats
        picks = [(turn, (first + turn) % seats) for turn in range(made)]
        sightings = _sightings(view, holder)
        if not sightings:
            early += picks
            not_yet.append((holder, size - made))
            continue
        early += picks[: sightings[0]]
        for turn in sightings[:-1]:
            gone = _gone(passed_on[turn], view.seen[turn + seats])
            groups.append(_Group(gone, picks[turn + 1 : turn + seats], ()))
        known, since = passed_on[sightings[-1]], picks[sightings[-1] + 1 :]
        groups.append(_Group(known, since, ((holder, len(known) - len(since)),)))
    aside = len(unseen) - len(early) - sum([count for _, count in not_yet])
    return _Group(unseen, early, not_yet, aside), *groups


def _passed_on(view: View) -> list[Cards]:
    """By round, what this seat has left of the pack that it took up."""
    return [
        tuple([card for card in pack if card is not own])
        for pack, own in zip(view.seen, (*view.pool, None), strict=False)
    ]


def _gone(pack: Cards, back: Cards) -> Cards:
    """The cards of a pack that are missing when it comes back. Nobody changes the order of the others."""
    rest = iter(back)
    due = next(rest, None)
    gone = []
    for card in pack:
        if card is due:
            due = next(rest, None)
        else:
            gone.append(card)
    return tuple(gone)


def _sightings(view: View, holder: int) -> range:
    """The rounds in which this seat had the pack that the holder has now."""
    assert view.seat is not None
    return range((view.seat - holder + view.round) % view.rules.seats, view.round + 1, view.rules.seats)


def _has_picked(view: View, seat: int) -> bool:
    return view.phase is not Phase.PICK or seat not in view.to_act


def _face_down(view: View) -> list[int]:
    """The other seats that have set their hands."""
    if view.phase not in (Phase.ARRANGE, Phase.SHOW_LOW):
        return []
    return [seat for seat in range(view.rules.seats) if seat != view.seat and seat not in view.to_act]


# Laying a world out.


def _draw(
    cards: Cards, spots: Sequence[Spot], picks: list[list[Card | None]], random: Callable[[], float]
) -> list[Card]:
    """Let each pick take one of the cards at random; gives the cards that are left."""
    left = list(cards)
    for turn, seat in spots:
        place = int(random() * len(left))
        picks[turn][seat] = left[place]
        left[place] = left[-1]
        left.pop()
    return left


def _shuffled(cards: list[Card], random: Callable[[], float]) -> list[Card]:
    """The list itself, in random order: a Fisher-Yates shuffle."""
    for last in range(len(cards) - 1, 0, -1):
        other = int(random() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def _own_picks(view: View) -> list[list[Card | None]]:
    """By round and seat, the card picked: so far only the seat's own."""
    rounds = [*view.pool, None][: view.round + 1]
    return [[card if seat == view.seat else None for seat in range(view.rules.seats)] for card in rounds]


def _as_first_seen(view: View) -> list[Cards]:
    """By holder, the pack as this seat had it in hand for the first time; empty if it never had."""
    return [view.seen[turns[0]] if (turns := _sightings(view, holder)) else () for holder in range(view.rules.seats)]


def _rounds(packs: Sequence[Cards], picks: Sequence[Sequence[Card | None]], size: int) -> tuple[tuple[Cards, ...], ...]:
    """By round and seat, the packs as they were taken up.

    Args:
        packs: By holder, the pack as it was at some time; what had been picked from it by then is put back.
        picks: By round and seat, the card picked.
        size: How many cards each pack had at first.
    """
    seats, last = len(packs), len(picks) - 1
    rounds: list[list[Cards]] = [[()] * seats for _ in picks]
    for holder, pack in enumerate(packs):
        seat = (holder - last) % seats
        if len(pack) < size:
            early = [picks[turn][(seat + turn) % seats] for turn in range(size - len(pack))]
            pack += tuple([card for card in early if card])
        pack = tuple(sorted(pack, key=BY_INDEX))
        for turn in range(last):
            rounds[turn][seat] = pack
            picked = picks[turn][seat]
            pack = tuple([card for card in pack if card is not picked])
            seat = (seat + 1) % seats
        rounds[last][holder] = pack
    return tuple([tuple(packs) for packs in rounds])


def _deck(packs: Sequence[Cards], aside: Sequence[Card], dealer: int) -> Cards:
    """A deck whose deal gives the seats these packs."""
    first = (dealer + 1) % len(packs)
    clockwise = [*packs[first:], *packs[:first]]
    return (*chain.from_iterable(zip(*clockwise, strict=True)), *aside)


# Refusing.


def _check(view: View) -> None:
    """An error for a view from which nothing can be worked out."""
    if view.seat is None:
        raise RulesError("seat: a spectator holds no cards to work from")
    if view.phase in (Phase.DEAL, Phase.SHOW_HIGH, Phase.OVER):
        raise RulesError(
            f"phase: nothing is worked out in phase {view.phase}, only from the first pick to the first hand shown"
        )
    if any(hand is not None for hand in view.low_hands + view.high_hands):
        raise RulesError("low_hands: nothing is worked out once a hand has been shown")
    whole_number("seat", view.seat, 0, view.rules.seats - 1)
    problem = contradiction(view)
    if problem is not None:
        raise RecordError(f"view: {problem}")
