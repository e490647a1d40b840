"""Two games that a seat cannot tell apart look the same to it, byte for byte: at every state, for every seat.

`reference_game.redeal` makes the other game, from the rules alone: it moves every card that the seat cannot place
(somebody's picks, their order, packs not seen yet, cards aside, hands face down) and leaves what the seat remembers.
`what_a_seat_gets` is all that comes out of the package for a seat. A law that nothing breaks proves little, so for
each phase a leak is planted, and the same check has to find it.
"""

from __future__ import annotations

import gc
import json
import random
import re
import types
from collections.abc import Callable, Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import (
    Arrange,
    Bot,
    Card,
    Deal,
    GameState,
    GreedyBot,
    IllegalMoveError,
    LowRule,
    Move,
    Pass,
    Phase,
    Pick,
    RandomBot,
    Rank,
    Record,
    Rules,
    Show,
    Showdown,
    Suit,
    View,
    play_out,
)
from tests.games import CARDS_IN_TEXT, Game, cards, game, seats_and_spectator, share_of_examples, states_of, texts
from tests.reference import PACK
from tests.reference_game import Action, Setting, play, positions, redeal

SEEDS = st.integers(0, 2**32 - 1)

FOUR = Setting(dealer=2)
FIVE = Setting(seats=5, hand_size=10, dealer=1)

CARD_REPRS = re.compile(r"Rank\.(\w+), Suit\.(\w+)")

Said = dict[str, str]
Leak = Callable[[GameState], str]


def tries_of(seat: int | None, rng: random.Random) -> list[Move]:
    """Moves that a curious seat may send, most of them not allowed, to read the answers."""
    deck = cards(PACK)
    tries: list[Move] = [Pass(), Showdown(), Deal(deck), Deal(deck[1:])]
    if seat is not None:
        ten = rng.sample(deck, 10)
        tries += [Pick(seat, card) for card in rng.sample(deck, 5)]
        tries += [Arrange(seat, ten[:5], ten[5:]), Arrange(seat, ten[:4], ten[4:]), Show(seat)]
    return tries


def answer(state: GameState, move: Move) -> str:
    reason = state.why_not(move)
    if reason is None:
        return "allowed"
    try:
        state.apply(move)
    except IllegalMoveError as error:
        return f"{reason} {error.reason} {error} {error!r}"
    return "applied"


def what_a_seat_gets(state: GameState, seat: int | None, tries: Iterable[Move], leak: Leak | None = None) -> Said:
    """Everything that the package says to this seat, as text."""
    view = state.view(seat)
    moves = view.legal_moves()
    own = () if seat is None else state.legal_moves(seat)
    said = {
        "repr of the view": repr(view),
        "str of the view": str(view),
        "the view as JSON": json.dumps(view.to_dict()),
        "legal moves": f"{len(moves)} {[str(move) for move in moves[:30]]} {[str(move) for move in moves[-3:]]}",
        "legal moves of the state": f"{len(own)} {[str(move) for move in own[:30]]}",
        "repr of the moves": f"{moves!r}",
        "repr of the state": repr(state),
        "str of the state": str(state),
        "answers": "\n".join(answer(state, move) for move in tries),
        "whose turn": f"{state.phase} {state.round} {state.to_act} {state.table_move}",
    }
    if leak is not None:
        said["planted"] = leak(state)
    return said


def difference(
    state: GameState, actions: list[Action], setting: Setting, seat: int | None, rng: random.Random, leak: Leak | None
) -> str | None:
    """What betrays to this seat that another game is being played; None when nothing does."""
    other_actions = redeal(setting, actions, seat, rng)
    other = states_of(setting, other_actions)[-1]
    tries = tries_of(seat, rng)
    one, two = what_a_seat_gets(state, seat, tries, leak), what_a_seat_gets(other, seat, tries, leak)
    for what, text in one.items():
        if text != two[what]:
            return f"{what}, seat {seat}, {state.phase}:\n{text}\n{two[what]}"
    if leak is None and state.view(seat) != other.view(seat):
        return f"equality of the views, seat {seat}, {state.phase}"
    if leak is None and hash(state.view(seat)) != hash(other.view(seat)):
        return f"hash of the views, seat {seat}, {state.phase}"
    return None


def every_position(played: Game) -> Iterator[tuple[GameState, list[Action]]]:
    for count, state in enumerate(played.states):
        yield state, played.actions[:count]


@share_of_examples(0.3)
@given(SEEDS)
def test_two_games_that_a_seat_cannot_tell_apart_look_the_same_to_it(seed: int) -> None:
    played, rng = game(seed), random.Random(seed)
    for state, actions in every_position(played):
        for seat in seats_and_spectator(played.setting):
            assert difference(state, actions, played.setting, seat, rng, leak=None) is None


@pytest.mark.parametrize("setting", [FOUR, FIVE])
def test_the_other_game_is_another_game_and_the_seat_remembers_the_same(setting: Setting) -> None:
    """The check of the check, on the plain model: nothing known has changed, and nearly everything else has."""
    played, rng = game(31, setting), random.Random(31)
    changed = 0
    for _, actions in every_position(played):
        table = play(setting, actions)
        for seat in seats_and_spectator(setting):
            other = play(setting, redeal(setting, actions, seat, rng))
            assert other.known_to(seat) == table.known_to(seat)
            hidden = [holder for holder in table.everybody if holder != seat]
            changed += [other.pools[holder] for holder in hidden] != [table.pools[holder] for holder in hidden]
    assert changed > 0.9 * (len(played.actions) - setting.seats) * (setting.seats + 1)


# --- Planted leaks ---


def newest_pick_of_seat_1(state: GameState) -> str:
    return str(state.pools[1][-1:])


def pack_of_seat_1(state: GameState) -> str:
    return str(sorted(texts(state.packs[1])))


def hearts_in_the_pack_of_seat_1(state: GameState) -> str:
    return str(sum(str(card).endswith("h") for card in state.packs[1]))


def aces_of_seat_1(state: GameState) -> str:
    return str(sum(str(card).startswith("A") for card in state.pools[1]))


def low_hand_of_seat_1(state: GameState) -> str:
    made = state.arrangements[1]
    return "" if made is None else str(made.low)


def high_hand_of_seat_1(state: GameState) -> str:
    made = state.arrangements[1]
    return "" if made is None else str(made.high)


def order_of_the_picks_of_seat_1(state: GameState) -> str:
    """Not the cards: only whether each pick was higher than the one before."""
    return "".join("<" if one < two else ">" for one, two in zip(state.pools[1], state.pools[1][1:], strict=False))


def unused_cards_of_seat_1(state: GameState) -> str:
    made = state.arrangements[1]
    return "" if made is None else str([card for card in sorted(state.pools[1]) if card not in (*made.low, *made.high)])


def aside(state: GameState) -> str:
    return str(state.aside)


def own_first_pack_as_dealt(state: GameState) -> str:
    """The order in which the cards came, which a seat that looks at its packet does not know."""
    dealt = next(move.deck for move in Record.of(state).moves if isinstance(move, Deal))
    return str(texts(dealt[(1 - FOUR.dealer - 1) % 4 : 52 : 4]))


def the_deck(state: GameState) -> str:
    return next((str(move) for move in Record.of(state).moves if isinstance(move, Deal)), "")


def a_number_made_from_everything(state: GameState) -> str:
    return str(hash(state))


LEAKS: list[tuple[Phase, Leak]] = [
    (Phase.PICK, newest_pick_of_seat_1),
    (Phase.PICK, pack_of_seat_1),
    (Phase.PICK, hearts_in_the_pack_of_seat_1),
    (Phase.PICK, the_deck),
    (Phase.PASS, newest_pick_of_seat_1),
    (Phase.PASS, pack_of_seat_1),
    (Phase.PASS, a_number_made_from_everything),
    (Phase.ARRANGE, aces_of_seat_1),
    (Phase.ARRANGE, low_hand_of_seat_1),
    (Phase.ARRANGE, order_of_the_picks_of_seat_1),
    (Phase.SHOW_LOW, low_hand_of_seat_1),
    (Phase.SHOW_LOW, high_hand_of_seat_1),
    (Phase.SHOW_HIGH, high_hand_of_seat_1),
    (Phase.SHOW_HIGH, order_of_the_picks_of_seat_1),
    (Phase.OVER, order_of_the_picks_of_seat_1),
    (Phase.OVER, unused_cards_of_seat_1),
    (Phase.OVER, the_deck),
]


@pytest.mark.parametrize(("phase", "leak"), LEAKS)
def test_a_leak_planted_in_one_phase_is_found(phase: Phase, leak: Leak) -> None:
    """Before the deal there is nothing to betray; in every other phase the check has to find what is planted there."""
    rng = random.Random(7)
    blind: set[int | None] = {0, 2, 3, None}  # all but the one whose secret it is
    for seed in range(40):
        played = game(seed, FOUR)
        for state, actions in every_position(played):
            if state.phase is phase:
                blind = {seat for seat in blind if difference(state, actions, FOUR, seat, rng, leak) is None}
    assert not blind


@pytest.mark.parametrize("phase", [Phase.PICK, Phase.PASS, Phase.ARRANGE, Phase.SHOW_LOW])
def test_the_two_cards_aside_would_be_found_too(phase: Phase) -> None:
    played, rng = game(3, FIVE), random.Random(7)
    positions_of_phase = [(state, actions) for state, actions in every_position(played) if state.phase is phase]
    for seat in seats_and_spectator(FIVE):
        assert any(difference(state, actions, FIVE, seat, rng, aside) for state, actions in positions_of_phase)


def test_the_order_in_which_a_pack_was_dealt_would_be_found_too() -> None:
    played, rng = game(3, FOUR), random.Random(7)
    for state, actions in every_position(played):
        if state.phase is not Phase.DEAL:
            assert difference(state, actions, FOUR, 1, rng, own_first_pack_as_dealt) is not None


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.DEAL])
def test_a_card_that_is_added_to_a_view_is_found(phase: Phase) -> None:
    """The same, with the leak inside the view's own JSON, as a careless change of the package would have it."""
    rng = random.Random(8)

    def with_a_strangers_cards(state: GameState) -> str:
        return json.dumps({**state.view(None).to_dict(), "pool": sorted(texts(state.pools[0] + state.packs[0]))})

    for seat in (1, 2, None):
        assert any(
            difference(state, actions, played.setting, seat, rng, with_a_strangers_cards)
            for played in (game(seed, FOUR) for seed in range(8))
            for state, actions in every_position(played)
            if state.phase is phase
        )


# --- What is in a view ---


def card_texts(document: object) -> Iterator[str]:
    """Every card named anywhere in a JSON document."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield from card_texts(key)
            yield from card_texts(value)
    elif isinstance(document, list):
        for value in document:
            yield from card_texts(value)
    elif isinstance(document, str):
        for found in CARDS_IN_TEXT.findall(document):
            yield from (found[i : i + 2] for i in range(0, len(found), 2))


@share_of_examples(0.2)
@given(SEEDS)
def test_the_json_of_a_view_names_no_card_that_the_seat_has_not_held_or_been_shown(seed: int) -> None:
    setting, actions, states = game(seed)
    for state, table in zip(states, positions(setting, actions), strict=True):
        for seat in seats_and_spectator(setting):
            view = state.view(seat)
            named = set(card_texts(json.loads(json.dumps(view.to_dict()))))
            assert named == table.shown_to(seat)
            for text in (repr(view), str(view)):
                in_reprs = {str(Card(Rank[rank], Suit[suit])) for rank, suit in CARD_REPRS.findall(text)}
                assert in_reprs <= table.shown_to(seat)
                assert set(card_texts(CARD_REPRS.sub("", text))) <= table.shown_to(seat)


@given(SEEDS)
def test_after_the_low_half_the_high_hands_of_the_others_are_still_hidden(seed: int) -> None:
    for state in game(seed).states:
        if state.phase is Phase.SHOW_HIGH and not state.shown:
            view = state.view(0)
            assert view.high_hands == (None,) * state.rules.seats
            assert all(hand is not None for hand in view.low_hands)
            assert view.high_award is None
            assert view.result is None


@share_of_examples(0.25)
@given(SEEDS)
def test_nobody_ever_sees_the_two_cards_aside(seed: int) -> None:
    for state in game(seed, FIVE).states[1:]:
        hidden = set(texts(state.aside))
        assert len(hidden) == 2
        for seat in seats_and_spectator(FIVE):
            assert not hidden & set(card_texts(json.loads(json.dumps(state.view(seat).to_dict()))))


# --- What a bot can reach ---


def reachable(start: object, but: tuple[type, ...] = ()) -> Iterator[object]:
    """Everything an object leads to, but for classes, modules and functions, which every program shares."""
    shared = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, property, *but)
    seen: dict[int, object] = {}
    waiting = [start]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, shared):
            continue
        seen[id(thing)] = thing  # kept alive, so that no id is used twice
        yield thing
        waiting.extend(gc.get_referents(thing))


class Nosy:
    """A bot that keeps all it is given."""

    def __init__(self) -> None:
        self.kept: list[object] = []

    def choose(self, view: View) -> Move:
        self.kept += [view, view.legal_moves(), view.result, view.passes_to]
        return view.legal_moves()[0]


@pytest.mark.parametrize("setting", [FOUR, FIVE])
def test_a_bot_reaches_no_state_from_the_views_it_was_given(setting: Setting) -> None:
    bots: list[Bot] = [Nosy(), GreedyBot(random.Random(1)), RandomBot(random.Random(2)), Nosy(), Nosy()]
    play_out(game(5, setting).states[1], bots[: setting.seats])
    for bot in bots:
        assert not any(isinstance(thing, GameState | Record) for thing in reachable(bot))


@share_of_examples(0.4)
@given(SEEDS)
def test_a_view_reaches_no_card_that_the_seat_has_not_held_or_been_shown(seed: int) -> None:
    setting, actions, states = game(seed)
    assert not any(isinstance(thing, Card | GameState) for thing in reachable(states[0].rules))  # looked at once
    for state, table in zip(states, positions(setting, actions), strict=True):
        for seat in seats_and_spectator(setting):
            view = state.view(seat)
            found = {str(thing) for thing in reachable(view, but=(LowRule,)) if isinstance(thing, Card)}
            assert found <= table.shown_to(seat)


def test_a_state_hidden_in_a_bot_would_be_found() -> None:
    state = GameState.start(Rules())
    bot = Nosy()
    bot.kept.append({"notes": [(state.view, 1)]})
    assert any(isinstance(thing, GameState) for thing in reachable(bot))
