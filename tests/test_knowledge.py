"""What a seat can work out: the worlds that its view allows, where each card can be, and drawing one of them.

`every_world` is the reference. It plays on, card by card and by the rules alone, every game that begins with a deal
that the seat may have had, and drops a game as soon as the seat would be handed another pack than it was. The real
game has such small numbers only with two or three seats; little packs on little tables do for the other ones.
"""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import factorial, perm, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import (
    DECK,
    DEUCE_TO_SEVEN,
    Arrangement,
    Card,
    CardError,
    GameState,
    OddChips,
    Phase,
    Record,
    RecordError,
    Rules,
    RulesError,
    View,
    knowledge,
)
from essen_hilo.knowledge import Knowledge, Place
from tests.games import CARDS_IN_TEXT, Game, cards, deck_for, game, share_of_examples, states_of, texts
from tests.reference import PACK
from tests.reference_game import (
    SIZES,
    Action,
    Setting,
    Table,
    arrange,
    deal,
    every_arrange,
    pick,
    play,
    random_next,
    redeal,
)

SEEDS = st.integers(0, 2**32 - 1)
ALL_SIZES = pytest.mark.parametrize(("seats", "size"), SIZES)

Hand = frozenset[str]
World = tuple[
    tuple[tuple[str, ...], ...],  # by seat, its picks in their order
    tuple[Hand, ...],  # by seat, what is in its pack
    Hand,  # aside
    tuple[tuple[Hand, Hand] | None, ...],  # by seat, the low and the high hand that it has set
]


def world_of(state: GameState) -> World:
    """What makes a world: the order of a pack is no part of it."""
    return (
        tuple(texts(pool) for pool in state.pools),
        tuple(frozenset(texts(pack)) for pack in state.packs),
        frozenset(texts(state.aside)),
        tuple(None if hands is None else two_hands(hands) for hands in state.arrangements),
    )


def two_hands(hands: Arrangement) -> tuple[Hand, Hand]:
    return frozenset(texts(hands.low)), frozenset(texts(hands.high))


def places_in(world: World) -> Iterator[tuple[str, Place]]:
    pools, packs, aside, _ = world
    for seat, pool in enumerate(pools):
        yield from ((card, Place("pool", seat)) for card in pool)
    for seat, pack in enumerate(packs):
        yield from ((card, Place("pack", seat)) for card in pack)
    yield from ((card, Place("aside")) for card in aside)


def actions_of(state: GameState) -> list[Action]:
    """How a state came about, told in the words of the plain model."""
    seats = range(state.rules.seats)
    actions = [deal(deck_for([texts(pack) for pack in state.rounds[0]], state.dealer))]
    for turn, picks in enumerate(state.picks):
        actions += [Action("pass")] if turn else []
        actions += [pick(seat, str(card)) for seat, card in enumerate(picks) if card]
    hands = [(seat, state.arrangements[seat]) for seat in seats]
    actions += [arrange(seat, texts(both.low), texts(both.high)) for seat, both in hands if both]
    return actions


# The reference.


def every_world(view: View, deck: Iterable[str] = PACK) -> Iterator[World]:
    """Every world that the view allows, each once: all games that the rules allow, played to where the view is."""
    for first_packs, aside in every_deal(view, frozenset(deck)):
        yield from every_world_after(first_packs, aside, view)


def every_world_after(first_packs: tuple[Hand, ...], aside: Hand, view: View) -> Iterator[World]:
    """The same after one deal."""
    assert view.seat is not None
    seats, held = range(view.rules.seats), [frozenset(texts(pack)) for pack in view.seen]
    games = [(first_packs, tuple[tuple[str, ...], ...](() for _ in seats))]
    for turn in range(len(held)):
        games = [after for packs, pools in games for after in every_round(view, turn, packs, pools)]
        if turn + 1 < len(held):
            games = [(packs[-1:] + packs[:-1], pools) for packs, pools in games]
            games = [one for one in games if one[0][view.seat] == held[turn + 1]]
    for packs, pools in games:
        for hands in product(*[every_way_to_set(view, seat, pools[seat]) for seat in seats]):
            yield pools, packs, aside, hands


def every_deal(view: View, deck: Hand) -> Iterator[tuple[tuple[Hand, ...], Hand]]:
    """Every deal that the seat may have had: a pack that it has had in hand was dealt with those cards in it."""
    assert view.seat is not None
    dealt: list[Hand] = [frozenset() for _ in range(view.rules.seats)]
    for turn, pack in enumerate(view.seen[: view.rules.seats]):
        dealt[(view.seat - turn) % view.rules.seats] = frozenset(texts(pack))

    def completed(seat: int, packs: tuple[Hand, ...], rest: Hand) -> Iterator[tuple[tuple[Hand, ...], Hand]]:
        if seat == view.rules.seats:
            yield packs, rest
            return
        for more in combinations(sorted(rest), view.rules.hand_size - len(dealt[seat])):
            yield from completed(seat + 1, (*packs, dealt[seat].union(more)), rest.difference(more))

    return completed(0, (), deck.difference(*dealt))


def every_round(
    view: View, turn: int, packs: tuple[Hand, ...], pools: tuple[tuple[str, ...], ...]
) -> Iterator[tuple[tuple[Hand, ...], tuple[tuple[str, ...], ...]]]:
    """Packs and pools after each way to pick in a round; who has picked, and what the seat picked, is as it was."""
    seats, now = range(view.rules.seats), turn == len(view.seen) - 1
    ways: list[Sequence[str | None]] = []
    for seat in seats:
        if now and view.phase is Phase.PICK and seat in view.to_act:
            ways.append([None])
        elif seat == view.seat:
            ways.append([str(view.pool[turn])])
        elif not now and (seat + 1) % len(seats) == view.seat:
            # Only to save time: any other pick would hand the seat another pack than it was handed.
            ways.append(sorted(packs[seat] - frozenset(texts(view.seen[turn + 1]))))
        else:
            ways.append(sorted(packs[seat]))
    for picks in product(*ways):
        yield (
            tuple(pack - {picked} for pack, picked in zip(packs, picks, strict=True)),
            tuple((*pool, picked) if picked else pool for pool, picked in zip(pools, picks, strict=True)),
        )


def every_way_to_set(view: View, seat: int, pool: Sequence[str]) -> Sequence[tuple[Hand, Hand] | None]:
    if view.phase not in (Phase.ARRANGE, Phase.SHOW_LOW) or seat in view.to_act:
        return [None]
    if seat == view.seat:
        assert view.arrangement is not None
        return [two_hands(view.arrangement)]
    return [(frozenset(action.cards), frozenset(action.high)) for action in every_arrange(seat, pool)]


def view_of(table: Table, seat: int, rules: Rules) -> View:
    """What the seat sees of a plain table, before anybody has set a hand."""
    return View(
        seat,
        rules,
        Phase(table.phase),
        table.round,
        table.setting.dealer,
        table.setting.carried,
        tuple(table.waiting_for()),
        tuple(sorted(cards(table.packs[seat]))),
        cards(table.pools[seat]),
        tuple(tuple(sorted(cards(packs[seat]))) for packs in table.taken_up),
        None,
        (None,) * rules.seats,
        (None,) * rules.seats,
    )


def little_rules(seats: int, size: int) -> Rules:
    """A table with hands so small that the rules forbid it, where everything can be tried."""
    rules = object.__new__(Rules)
    values = {"seats": seats, "ante": 5, "low": DEUCE_TO_SEVEN, "hand_size": size, "odd_chips": OddChips.STAY}
    for name, value in values.items():
        object.__setattr__(rules, name, value)
    return rules


def draft(rules: Rules, deck: Sequence[str], rng: random.Random) -> Iterator[Table]:
    """A plain table at every moment of a random draft (one object, which changes)."""
    table = Table(Setting(rules.seats, rules.hand_size, dealer=rng.randrange(rules.seats)))
    table._deal(rng.sample(deck, len(deck)))
    yield table
    while table.phase in ("pick", "pass"):
        table.do(random_next(table, rng))
        yield table


def check_against(worlds: Sequence[World], view: View, truth: World) -> None:
    """Count, places, that the real game is one of them, and that what is drawn is one of them."""
    known, possible, rng = Knowledge(view), set(worlds), random.Random(len(worlds))
    assert len(possible) == len(worlds) == known.worlds
    assert truth in possible
    found = {place for world in worlds for place in places_in(world)}
    for card in {card for card, _ in found}:
        where = known.where(Card.parse(card))
        assert len(where) == len(set(where))
        assert set(where) == {place for one, place in found if one == card}
    assert all(world_of(known.sample(rng)) in possible for _ in range(20))


def check_uniform(drawn: Iterable[object], possible: int) -> None:
    """Chi-square: each of the possible things was drawn about equally often. Five standard deviations are allowed."""
    counts = Counter(drawn)
    expected = counts.total() / possible
    missing = possible - len(counts)
    assert missing >= 0, "something was drawn that is not possible"
    assert expected >= 5, "draw more often"
    chi_square = sum((count - expected) ** 2 for count in counts.values()) / expected + missing * expected
    freedom = possible - 1
    assert abs(chi_square - freedom) < 5 * sqrt(2 * freedom) + 5


# Against the reference.


@pytest.mark.parametrize(
    ("seats", "size", "aside"),
    [
        (2, 2, 0),
        (2, 3, 2),
        (2, 5, 1),
        (2, 7, 0),
        (3, 2, 1),
        (3, 3, 0),
        (3, 4, 1),
        (3, 5, 0),
        (4, 2, 0),
        (4, 4, 0),
        (5, 2, 0),
    ],
)
def test_on_a_little_table_it_is_what_trying_everything_finds(
    seats: int, size: int, aside: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, deck, rng = little_rules(seats, size), PACK[: seats * size + aside], random.Random(seats * size)
    monkeypatch.setattr(knowledge, "DECK", cards(deck))
    tried, patience = 0, 18_000
    for table in draft(rules, deck, rng):
        for seat in range(seats):
            view = view_of(table, seat, rules)
            if (count := Knowledge(view).worlds) <= patience and rng.random() < 0.7:
                check_against(list(every_world(view, deck)), view, world_of_table(table))
                tried, patience = tried + 1, patience - count
    assert tried >= 2


def test_with_four_seats_too_when_the_first_pack_has_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the worlds are too many to be tried in a test: those after one deal are, and each deal has as many."""
    rules, deck = little_rules(4, 5), PACK[:20]
    monkeypatch.setattr(knowledge, "DECK", cards(deck))
    table = next(table for table in draft(rules, deck, random.Random(4)) if table.round == 4)
    view = view_of(table, 2, rules)
    known, deals = Knowledge(view), list(every_deal(view, frozenset(deck)))
    real = tuple(frozenset(pack) for pack in table.first_packs)
    worlds = set(every_world_after(real, frozenset(), view))
    assert world_of_table(table) in worlds
    assert known.worlds == len(worlds) * len(deals) == factorial(6) * factorial(3) * perm(3, 2) * perm(2, 1)
    where = {card: known.where(Card.parse(card)) for card in deck}
    assert all(place in where[card] for world in worlds for card, place in places_in(world))


def world_of_table(table: Table) -> World:
    return (
        tuple(tuple(pool) for pool in table.pools),
        tuple(frozenset(pack) for pack in table.packs),
        frozenset(table.aside),
        tuple(None for _ in table.everybody),
    )


@pytest.mark.parametrize(("seats", "size"), [(2, 26), (2, 25), (2, 10), (3, 17)])
def test_late_in_a_real_draft_it_is_what_trying_everything_finds(seats: int, size: int) -> None:
    rules, rng = Rules(seats=seats, hand_size=size), random.Random(size)
    tried = 0
    for table in draft(rules, PACK, rng):
        view = view_of(table, rng.randrange(seats), rules)
        if Knowledge(view).worlds <= 1500:
            check_against(list(every_world(view)), view, world_of_table(table))
            tried += 1
    assert tried >= 4


def test_hands_that_lie_face_down_may_be_any_two_of_the_pool() -> None:
    for state in game(5, Setting(seats=2, hand_size=10)).states:
        if state.phase is Phase.ARRANGE or (state.phase is Phase.SHOW_LOW and not state.shown):
            seat = len(state.to_act) % 2
            view = state.view(seat)
            check_against(list(every_world(view)), view, world_of(state))
            assert Knowledge(view).worlds == 33 * (252 if state.arrangements[1 - seat] else 1)


def test_known_numbers() -> None:
    four, five, two = (
        next(draft(rules, PACK, random.Random(1))) for rules in (Rules(4), Rules(5), Rules(2, hand_size=26))
    )
    assert Knowledge(view_of(four, 0, Rules(4))).worlds == factorial(39) // factorial(13) ** 3
    assert Knowledge(view_of(five, 3, Rules(5))).worlds == factorial(42) // (factorial(10) ** 4 * factorial(2))
    assert Knowledge(view_of(two, 1, Rules(2, hand_size=26))).worlds == 1


def test_after_four_picks_of_four_seats_six_cards_are_unseen() -> None:
    """At the fifth pick the first pack is back: three cards have gone, one to each other seat."""
    played = game(11, Setting())
    state = next(state for state in played.states if state.round == 4)
    known = Knowledge(state.view(2))
    assert len(known.unseen) == 6
    back, first = state.rounds[4][2], state.rounds[0][2]
    gone = [card for card in first if card not in back and card not in state.pools[2]]
    assert len(gone) == 3
    for card in gone:
        assert known.where(card) == (Place("pool", 0), Place("pool", 1), Place("pool", 3))
    for card in back:
        assert known.where(card) == (Place("pack", 2),)
    assert known.where(state.pools[2][0]) == (Place("pool", 2),)
    # Never seen: one, two and three picks before a pack came. Back: 3!. Then nine of twelve, eleven, ten passed on.
    assert known.worlds == factorial(6) * factorial(3) * perm(11, 2) * perm(10, 1)


# Drawn at random.


@pytest.mark.parametrize(("seats", "size", "aside"), [(2, 5, 1), (3, 3, 0), (3, 4, 1)])
def test_every_world_is_drawn_equally_often(seats: int, size: int, aside: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, deck, rng = little_rules(seats, size), PACK[: seats * size + aside], random.Random(77)
    monkeypatch.setattr(knowledge, "DECK", cards(deck))
    tried = 0
    for table in draft(rules, deck, rng):
        known = Knowledge(view_of(table, seats - 1, rules))
        if 1 < known.worlds <= 400 and tried < 6:
            check_uniform([world_of(known.sample(rng)) for _ in range(10 * known.worlds)], known.worlds)
            tried += 1
    assert tried


def test_every_world_late_in_a_real_draft_is_drawn_equally_often() -> None:
    rules, rng = Rules(seats=3, hand_size=17), random.Random(78)
    view = next(view_of(table, 1, rules) for table in draft(rules, PACK, rng) if table.round == 2)
    known = Knowledge(view)
    assert known.worlds == factorial(4) * 16
    check_uniform([world_of(known.sample(rng)) for _ in range(4000)], known.worlds)


def test_face_down_hands_are_drawn_equally_often() -> None:
    before = next(one for one in game(5, Setting(seats=2, hand_size=10)).states if one.phase is Phase.SHOW_LOW)
    known, rng = Knowledge(before.view(0)), random.Random(79)
    worlds = [known.sample(rng) for _ in range(4000)]
    check_uniform([world.picks[0][1] for world in worlds], 33)
    check_uniform([place_of_hands(world, 1) for world in worlds], 252)


def place_of_hands(state: GameState, seat: int) -> tuple[str, ...]:
    """For each card of a pool, in the order of picks, the hand that it is in."""
    hands = state.arrangements[seat]
    assert hands is not None
    return tuple("low" if card in hands.low else "high" if card in hands.high else "" for card in state.pools[seat])


def test_a_pack_not_seen_may_hold_any_card_not_seen() -> None:
    known, rng = Knowledge(game(3, Setting()).states[1].view(0)), random.Random(80)
    check_uniform([rng.choice(known.sample(rng).packs[2]) for _ in range(2000)], 39)


class OnlyRandom(random.Random):
    """A generator of which nothing but `random()` may be asked."""

    def getrandbits(self, k: int) -> int:
        raise AssertionError(f"{k} bits asked for")


def test_a_seed_gives_the_same_world_and_only_random_is_asked_for() -> None:
    for state in game(8, Setting(seats=5, hand_size=10)).states:
        if knows_something(state):
            known = Knowledge(state.view(1))
            assert known.sample(OnlyRandom(4)) == known.sample(random.Random(4))


# Whole games.


def knows_something(state: GameState) -> bool:
    playing = state.phase in (Phase.PICK, Phase.PASS, Phase.ARRANGE)
    return playing or (state.phase is Phase.SHOW_LOW and not state.shown)


def check_whole_game(played: Game, rng: random.Random) -> None:
    for count, state in enumerate(played.states):
        if not knows_something(state):
            continue
        truth = dict(places_in(world_of(state)))
        for seat in range(state.rules.seats):
            view = state.view(seat)
            known = Knowledge(view)
            assert list(known.unseen) == [card for card in cards(PACK) if not any(card in pack for pack in view.seen)]
            where = {card: known.where(Card.parse(card)) for card in PACK}
            assert all(truth[card] in where[card] for card in PACK)
            assert all(list(places) == sorted(places, key=in_order) for places in where.values())
            world = known.sample(rng)
            assert world.view(seat) == view
            assert all(place in where[card] for card, place in places_in(world_of(world)))
            if rng.random() < 0.1:
                check_can_be(world, view, played, count, seat)
                # Another game that this seat cannot tell from the real one, made without working anything out.
                other = play(played.setting, redeal(played.setting, played.actions[:count], seat, rng))
                assert all(place in where[card] for card, place in places_in(world_of_table(other)))


def in_order(place: Place) -> tuple[int, int]:
    return ("pack", "pool", "aside").index(place.kind), place.seat or 0


def check_can_be(world: GameState, view: View, played: Game, count: int, seat: int) -> None:
    """That the rules lead to this world, and that a seat remembers the same from the way there."""
    assert Record.of(world).replay() == world
    told = play(played.setting, actions_of(world))
    assert told.known_to(seat) == play(played.setting, played.actions[:count]).known_to(seat)
    assert states_of(played.setting, actions_of(world))[-1].phase is view.phase


@ALL_SIZES
def test_every_world_looks_to_the_seat_like_its_view(seats: int, size: int) -> None:
    rng = random.Random(seats * size)
    check_whole_game(game(seats + size, Setting(seats, size, dealer=rng.randrange(seats), carried=2)), rng)


@share_of_examples(0.1)
@given(SEEDS)
def test_every_world_of_any_game_looks_to_the_seat_like_its_view(seed: int) -> None:
    check_whole_game(game(seed), random.Random(seed))


def test_the_real_game_is_drawn_as_often_as_any_other() -> None:
    """Four worlds in a hundred games of many more would be luck; where a few are possible the real one must come up."""
    rules, rng, found, wanted = Rules(seats=2, hand_size=26), random.Random(12), 0, 0.0
    for table in draft(rules, PACK, rng):
        known = Knowledge(view_of(table, 0, rules))
        for _ in range(20):
            found += world_of(known.sample(rng)) == world_of_table(table)
            wanted += 1 / known.worlds
    assert abs(found - wanted) < 5 * sqrt(wanted)


# The object.


def test_the_same_view_gives_the_same_knowledge() -> None:
    view = game(2).states[20].view(1)
    known = Knowledge(view)
    assert known == Knowledge(view) == pickle.loads(pickle.dumps(known))
    assert hash(known) == hash(Knowledge(View.from_dict(view.to_dict())))
    assert known != Knowledge(game(2).states[20].view(0))
    assert known.view is view


def test_its_text_shows_no_card() -> None:
    for state in game(2).states:
        if knows_something(state):
            assert not CARDS_IN_TEXT.search(repr(Knowledge(state.view(0))))


def test_a_place_reads_as_a_place() -> None:
    assert [str(Place("pack", 3)), str(Place("pool", 0))] == ["in the pack of seat 3", "in the pool of seat 0"]
    assert str(Place("aside")) == "aside"


# Refused.


@pytest.mark.parametrize("seat", [0, 3])
def test_nothing_is_worked_out_before_the_deal_or_after_a_hand_was_shown(seat: int) -> None:
    refused = set()
    for state in game(6, Setting()).states:
        if not knows_something(state):
            with pytest.raises(RulesError, match=r"phase|low_hands"):
                Knowledge(state.view(seat))
            refused.add(state.phase)
    assert refused == {Phase.DEAL, Phase.SHOW_LOW, Phase.SHOW_HIGH, Phase.OVER}


def test_nothing_is_worked_out_for_a_spectator() -> None:
    for state in game(6).states:
        with pytest.raises(RulesError, match="seat"):
            Knowledge(state.view(None))


def test_a_text_is_no_card() -> None:
    text: object = "As"
    ask: Callable[[object], object] = Knowledge(game(6).states[1].view(0)).where  # type: ignore[assignment]  # as untyped code would
    with pytest.raises(CardError):
        ask(text)


def exchanged(view: View, one: Card, other: Card, rounds: Iterable[int]) -> View:
    """The view with two cards in each other's place in the packs of some rounds."""
    swap = {one: other, other: one}
    seen = list(view.seen)
    for turn in rounds:
        seen[turn] = tuple(swap.get(card, card) for card in seen[turn])
    return replace(view, seen=tuple(seen), pack=tuple(card for card in seen[-1] if card not in view.pool))


def contradictions() -> Iterator[tuple[str, View]]:
    """Views of no game, each wrong in one thing."""
    states = game(9, Setting()).states
    view = next(state for state in states if state.round == 6 and state.to_act == (0, 1, 2, 3)).view(1)
    arranged = next(state for state in states if state.phase is Phase.SHOW_LOW).view(1)
    passing = next(state for state in states if state.round == 6 and state.phase is Phase.PASS).view(1)
    arranging = next(state for state in states if state.phase is Phase.ARRANGE and state.arrangements[1]).view(1)
    unseen, hands = Knowledge(view).unseen, arranged.arrangement
    assert hands is not None
    back = view.seen[5]
    gone = next(card for card in view.seen[1] if card not in back and card not in view.pool)
    spare = next(card for card in arranged.seen[0] if card not in arranged.pool)
    yield "a card that comes back from nowhere", exchanged(view, back[0], unseen[0], [5])
    yield "a last card that comes back from nowhere", exchanged(view, back[-1], unseen[0], [5])
    yield "a card that is in two packs", exchanged(view, view.seen[2][0], view.seen[3][0], [2])
    yield "a card that comes back with another pack", exchanged(view, back[0], gone, [1])
    yield "a pack that comes back in another order", exchanged(view, back[0], back[1], [5])
    yield "a pick that comes back", exchanged(view, view.pool[1], back[0], [5])
    yield (
        "hands set from others' cards",
        replace(arranged, arrangement=Arrangement(hands.low, (*hands.high[1:], spare))),
    )
    yield "hands shown without being set", replace(arranged, arrangement=None)
    yield "hands set in the draft", replace(view, arrangement=hands)
    yield "hands set by a seat that has yet to act", replace(arranging, to_act=(0, 1, 2, 3))
    yield "arranging in mid-draft", replace(passing, phase=Phase.ARRANGE, to_act=(0, 2))
    yield "showing in mid-draft", replace(passing, phase=Phase.SHOW_LOW)
    yield "passing after the last round", replace(arranged, phase=Phase.PASS, arrangement=None)
    yield "a pick that everybody has made", replace(passing, phase=Phase.PICK)
    yield "a pass while a seat is choosing", replace(view, phase=Phase.PASS)
    yield "seats out of order", replace(view, to_act=(2, 1))
    yield "a seat twice", replace(view, to_act=(1, 1))
    yield "a seat that is not there", replace(view, to_act=(1, 4))
    yield "a round that was not played", replace(view, round=7)
    yield "a round that can't be", replace(view, round=13)
    yield "a pool with a card too few", replace(view, pool=view.pool[1:])
    yield "a pick that was not in the pack", replace(view, pool=(*view.pool[:4], unseen[0], *view.pool[5:]))
    yield "a pool in another order", replace(view, pool=view.pool[::-1])
    yield "a pack with a card too few", replace(view, pack=view.pack[1:])
    yield "a pack that was not seen", replace(view, seen=view.seen[:-1])
    yield "fewer seats", replace(view, rules=Rules(seats=3, hand_size=13))
    yield "fewer hands", replace(view, low_hands=view.low_hands[1:])


CONTRADICTIONS = dict(contradictions())


@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_a_view_that_contradicts_itself_is_refused(what: str) -> None:
    with pytest.raises(RecordError) as refused:
        Knowledge(CONTRADICTIONS[what])
    assert not CARDS_IN_TEXT.search(str(refused.value))


@pytest.mark.parametrize(("field", "value"), [("seat", 4), ("seat", -1)])
def test_a_seat_that_is_not_at_the_table_is_refused(field: str, value: int) -> None:
    with pytest.raises(RulesError, match=field):
        Knowledge(replace(game(9, Setting()).states[30].view(1), seat=value))


@given(SEEDS)
def test_whatever_is_wrong_with_a_view_it_is_refused_or_its_worlds_look_like_it(seed: int) -> None:
    rng = random.Random(seed)
    states = [state for state in game(rng.randrange(3), Setting(*rng.choice(SIZES))).states if knows_something(state)]
    one, other = rng.choice(states).view(1), rng.choice(states).view(rng.randrange(2))
    names = rng.sample(["seat", "phase", "round", "to_act", "pack", "pool", "seen", "arrangement"], rng.randrange(1, 5))
    mixed = replace(one, **{name: getattr(other, name) for name in names})
    if rng.random() < 0.5:
        one_card, other_card = rng.sample(DECK, 2)
        mixed = exchanged(mixed, one_card, other_card, rng.sample(range(len(mixed.seen)), 1))
    try:
        known = Knowledge(mixed)
    except RecordError:
        return
    world = known.sample(rng)
    assert world.view(mixed.seat) == mixed
    assert Record.of(world).replay() == world
    assert known.worlds > 0
