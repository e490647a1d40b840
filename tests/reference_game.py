"""The game as it lies on a table: plain, mutable, slow, and written from the rules alone.

Nothing here comes from the package under test. Cards are texts such as "As", hands and packs are lists, and every
rule is one visible line; hand values and chips come from `tests/reference.py`. `Setting` is what the table agreed on
before the deal. `Table` knows who may do what and, when something is refused, the reason that a refusal has to give.

`redeal` turns a game into another one that a given seat cannot tell from it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests import reference
from tests.reference import LOWS, PACK

ODD_CHIPS = ("stay", "left-of-dealer")

# Published sizes first, then house sizes: two to five seats, ten cards or more, as far as the pack goes.
SIZES = ((4, 13), (5, 10), (2, 10), (2, 26), (3, 10), (3, 17), (4, 10), (4, 12), (2, 13), (3, 14))


class Setting(NamedTuple):
    """What is agreed on, who deals and what an earlier deal has left in the pot."""

    seats: int = 4
    hand_size: int = 13
    ante: int = 5
    low: str = "deuce-to-seven"
    odd_chips: str = "stay"
    dealer: int = 0
    carried: int = 0


class Action(NamedTuple):
    """Something a player, or the whole table, does. `cards` is a deck, a pick or a low hand; `high` a high hand."""

    verb: str
    seat: int = 0
    cards: tuple[str, ...] = ()
    high: tuple[str, ...] = ()


PASS = Action("pass")
SHOWDOWN = Action("showdown")


def deal(deck: Sequence[str]) -> Action:
    return Action("deal", cards=tuple(deck))


def pick(seat: int, card: str) -> Action:
    return Action("pick", seat, (card,))


def arrange(seat: int, low: Sequence[str], high: Sequence[str]) -> Action:
    return Action("arrange", seat, tuple(low), tuple(high))


def show(seat: int) -> Action:
    return Action("show", seat)


class Table:
    """One deal, from the shuffle to the chips."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.phase = "deal"
        self.round = 0
        self.packs: list[list[str]] = [[] for _ in range(setting.seats)]
        self.pools: list[list[str]] = [[] for _ in range(setting.seats)]
        self.aside: list[str] = []
        self.first_packs: list[list[str]] = []
        self.taken_up: list[list[list[str]]] = []  # for each round, the packs as the seats took them up
        self.picked: set[int] = set()  # who has picked in this round
        self.hands: dict[int, tuple[list[str], list[str]]] = {}  # low and high of those who have arranged
        self.up: set[int] = set()  # whose hand of the half being shown is up
        self.low_up: dict[int, list[str]] = {}
        self.high_up: dict[int, list[str]] = {}
        self.low_paid: list[int] | None = None
        self.high_paid: list[int] | None = None
        self.carried_on: int | None = None

    @property
    def pot(self) -> int:
        return self.setting.seats * self.setting.ante + self.setting.carried

    @property
    def everybody(self) -> range:
        return range(self.setting.seats)

    def waiting_for(self) -> list[int]:
        """The seats that must choose something before the table can go on."""
        if self.phase == "pick":
            return [seat for seat in self.everybody if seat not in self.picked]
        if self.phase == "arrange":
            return [seat for seat in self.everybody if seat not in self.hands]
        return []

    def refusal(self, action: Action) -> str | None:
        """Why this cannot be done now; None when it can."""
        allowed_in = {
            "deal": ["deal"],
            "pick": ["pick"],
            "pass": ["pass"],
            "arrange": ["arrange"],
            "show": ["show-low", "show-high"],
            "showdown": ["show-low", "show-high"],
        }
        if self.phase not in allowed_in[action.verb]:
            return "wrong-phase"
        if action.verb == "deal" and sorted(action.cards) != sorted(PACK):
            return "bad-deck"
        if action.verb in ("deal", "pass", "showdown"):
            return None
        if action.seat not in self.everybody:
            return "no-such-seat"
        if action.verb == "pick":
            if action.seat in self.picked:
                return "already-acted"
            return None if action.cards[0] in self.packs[action.seat] else "card-not-in-pack"
        if action.verb == "arrange":
            if action.seat in self.hands:
                return "already-acted"
            both = [*action.cards, *action.high]
            if len(action.cards) != 5 or len(action.high) != 5 or len(set(both)) != 10:
                return "bad-hand"
            return None if all(card in self.pools[action.seat] for card in both) else "not-your-cards"
        return "already-acted" if action.seat in self.up else None

    def do(self, action: Action) -> None:
        """Do it. It must be allowed."""
        assert self.refusal(action) is None, (action, self.refusal(action))
        if action.verb == "deal":
            self._deal(action.cards)
        elif action.verb == "pick":
            self._pick(action.seat, action.cards[0])
        elif action.verb == "pass":
            self._pass()
        elif action.verb == "arrange":
            self.hands[action.seat] = (list(action.cards), list(action.high))
            if len(self.hands) == self.setting.seats:
                self.phase = "show-low"
        elif action.verb == "show":
            self._turn_up([action.seat])
        else:
            self._turn_up([seat for seat in self.everybody if seat not in self.up])

    def _deal(self, deck: Sequence[str]) -> None:
        cards = list(deck)
        receiver = (self.setting.dealer + 1) % self.setting.seats
        for _ in range(self.setting.seats * self.setting.hand_size):
            self.packs[receiver].append(cards.pop(0))
            receiver = (receiver + 1) % self.setting.seats
        self.aside = cards
        self.first_packs = [list(pack) for pack in self.packs]
        self.taken_up.append([list(pack) for pack in self.packs])
        self.phase = "pick"

    def _pick(self, seat: int, card: str) -> None:
        self.packs[seat].remove(card)
        self.pools[seat].append(card)
        self.picked.add(seat)
        if len(self.picked) == self.setting.seats:
            self.phase = "pass" if self.packs[seat] else "arrange"

    def _pass(self) -> None:
        old = self.packs
        self.packs = [[] for _ in self.everybody]
        for giver in self.everybody:
            left = (giver + 1) % self.setting.seats
            self.packs[left] = old[giver]
        self.taken_up.append([list(pack) for pack in self.packs])
        self.round += 1
        self.picked = set()
        self.phase = "pick"

    def _turn_up(self, seats: Sequence[int]) -> None:
        for seat in seats:
            self.up.add(seat)
            if self.phase == "show-low":
                self.low_up[seat] = self.hands[seat][0]
            else:
                self.high_up[seat] = self.hands[seat][1]
        if len(self.up) < self.setting.seats:
            return
        self.up = set()
        if self.phase == "show-low":
            self.low_paid = self.settled().low_shares
            self.phase = "show-high"
        else:
            self.high_paid = self.settled().high_shares
            self.carried_on = self.settled().carried
            self.phase = "over"

    def settled(self) -> reference.Settled:
        """Every chip of this deal, as soon as everybody has arranged."""
        return reference.settle(
            [reference.worth(self.hands[seat][0], self.setting.low).rank for seat in self.everybody],
            [reference.worth(self.hands[seat][1], reference.HIGH).rank for seat in self.everybody],
            self.setting.ante,
            self.setting.odd_chips,
            self.setting.dealer,
            self.setting.carried,
        )

    # What a table with its cards face up would show: for whole games in which everybody acts at random.

    def cards_on_the_table(self) -> list[str]:
        """Every card there is, wherever it lies."""
        return [card for place in [*self.packs, *self.pools, self.aside] for card in place]

    def shown_to(self, seat: int | None) -> set[str]:
        """Every card this seat (None: somebody who only looks on) has held or been shown."""
        known = {card for hand in [*self.low_up.values(), *self.high_up.values()] for card in hand}
        if seat is not None:
            known.update(card for packs in self.taken_up for card in packs[seat])
        return known

    def known_to(self, seat: int | None) -> dict[str, object]:
        """All that a seat can remember about this game, with packs in no order."""
        return {
            "setting": self.setting,
            "phase": self.phase,
            "round": self.round,
            "waiting": self.waiting_for(),
            "up": sorted(self.up),
            "low up": {s: sorted(hand) for s, hand in sorted(self.low_up.items())},
            "high up": {s: sorted(hand) for s, hand in sorted(self.high_up.items())},
            "paid": (self.low_paid, self.high_paid, self.carried_on),
            "held": [sorted(packs[seat]) for packs in self.taken_up] if seat is not None else None,
            "picks": list(self.pools[seat]) if seat is not None else None,
            "hands": [sorted(hand) for hand in self.hands.get(seat, ())] if seat is not None else None,
        }


def random_setting(rng: random.Random) -> Setting:
    """Any table: the published sizes half of the time."""
    seats, hand_size = rng.choice(SIZES[:2]) if rng.random() < 0.5 else rng.choice(SIZES)
    return Setting(
        seats,
        hand_size,
        ante=rng.choice((0, 1, 3, 5, 7, 100)),
        low=rng.choice(sorted(LOWS)),
        odd_chips=rng.choice(ODD_CHIPS),
        dealer=rng.randrange(seats),
        carried=rng.choice((0, 0, 1, 2, 9)),
    )


def random_deck(rng: random.Random) -> list[str]:
    return rng.sample(PACK, 52)


def random_arrange(seat: int, pool: Sequence[str], rng: random.Random) -> Action:
    chosen = rng.sample(list(pool), 10)
    return arrange(seat, chosen[:5], chosen[5:])


def random_next(table: Table, rng: random.Random) -> Action:
    """Something that can be done now, by anybody."""
    if table.phase == "deal":
        return deal(random_deck(rng))
    if table.phase == "pick":
        seat = rng.choice(table.waiting_for())
        return pick(seat, rng.choice(table.packs[seat]))
    if table.phase == "pass":
        return PASS
    if table.phase == "arrange":
        seat = rng.choice(table.waiting_for())
        return random_arrange(seat, table.pools[seat], rng)
    down = [seat for seat in table.everybody if seat not in table.up]
    return show(rng.choice(down)) if rng.random() < 0.7 else SHOWDOWN


def random_game(setting: Setting, rng: random.Random) -> list[Action]:
    """A whole game in which everybody chooses at random, in any order the rules allow."""
    table = Table(setting)
    actions: list[Action] = []
    while table.phase != "over":
        actions.append(random_next(table, rng))
        table.do(actions[-1])
    return actions


def play(setting: Setting, actions: Sequence[Action]) -> Table:
    table = Table(setting)
    for action in actions:
        table.do(action)
    return table


def positions(setting: Setting, actions: Sequence[Action]) -> Iterator[Table]:
    """The same table before the first action and after each one (one object, which changes)."""
    table = Table(setting)
    yield table
    for action in actions:
        table.do(action)
        yield table


def every_arrange(seat: int, pool: Sequence[str]) -> Iterator[Action]:
    """Each way to make two hands, once."""
    for low in itertools.combinations(pool, 5):
        rest = [card for card in pool if card not in low]
        for high in itertools.combinations(rest, 5):
            yield arrange(seat, low, high)


def redeal(setting: Setting, actions: Sequence[Action], seat: int | None, rng: random.Random) -> list[Action]:
    """A game that `seat` cannot tell from this one, and that differs in whatever it can.

    Follow each card through the game. A seat knows it by three things only: in which rounds the card lay in the
    pack the seat had in hand, whether the seat picked it itself, and whether it has been shown, by whom. Two cards
    that agree in all of these may change places, wherever they are: in a pack not seen yet, in somebody's pool, in
    the order in which somebody picked them, aside. So the cards are shuffled within such groups, and what the other
    seats have arranged but not shown is arranged anew. Nobody knows in which order the cards of a pack were dealt, so
    that changes as well. All that the seat remembers, and only that, stays the same.
    """
    table = play(setting, actions)
    if table.phase == "deal":
        return list(actions)
    owner = {card: holder for holder in table.everybody for card in table.pools[holder]}

    def as_known(card: str) -> tuple[int, ...]:
        if seat is None:
            return ()
        return tuple(number for number, packs in enumerate(table.taken_up) if card in packs[seat])

    own = set() if seat is None else set(table.pools[seat])
    shown = {card for hand in [*table.low_up.values(), *table.high_up.values()] for card in hand}
    groups: dict[tuple[int, ...], list[str]] = {}
    for card in PACK:
        if card not in own:
            groups.setdefault(as_known(card), []).append(card)

    becomes = {card: card for card in own}
    for group in groups.values():
        free = rng.sample(group, len(group))  # places, each named by the card that lies there in the real game
        new = rng.sample(group, len(group))
        for card in sorted(new, key=lambda card: card not in shown):  # shown cards stay with their owner
            place = next(there for there in free if card not in shown or owner.get(there) == owner[card])
            free.remove(place)
            becomes[place] = card

    pools = {holder: [becomes[card] for card in table.pools[holder]] for holder in table.everybody}
    other: list[Action] = []
    for action in actions:
        if action.verb == "deal":
            deck = [becomes[card] for card in action.cards]
            dealt = setting.seats * setting.hand_size
            for first in table.everybody:  # the cards of one pack, in another order
                pack = deck[first : dealt : setting.seats]
                deck[first : dealt : setting.seats] = rng.sample(pack, len(pack))
            other.append(deal(deck))
        elif action.verb == "pick":
            other.append(pick(action.seat, becomes[action.cards[0]]))
        elif action.verb == "arrange" and action.seat != seat:
            low, high = table.low_up.get(action.seat), table.high_up.get(action.seat)
            rest = [card for card in pools[action.seat] if low is None or card not in low]
            chosen = rng.sample(rest, 10 if low is None else 5)
            other.append(arrange(action.seat, low or chosen[:5], high or chosen[-5:]))
        else:
            other.append(action)
    return other
