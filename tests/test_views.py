"""What a seat sees: the fields of a view, the same as a document, and what can be done with it."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from essen_hilo import Card, EssenHiloError, GameState, Move, Phase, RecordError, Rules, View
from tests.damage import JSON_VALUES, JUNK, damaged
from tests.games import Game, game, seats_and_spectator, share_of_examples, texts
from tests.reference_game import Setting, positions

SEEDS = st.integers(0, 2**32 - 1)
FIELDS = [
    "seat",
    "rules",
    "phase",
    "round",
    "dealer",
    "carried",
    "pot",
    "to_act",
    "pack",
    "pool",
    "seen",
    "arrangement",
    "low_hands",
    "high_hands",
    "low_award",
    "high_award",
    "passes_to",
    "result",
]


def views(played: Game) -> list[View]:
    return [state.view(seat) for state in played.states for seat in seats_and_spectator(played.setting)]


@share_of_examples(0.4)
@given(SEEDS)
def test_a_seat_sees_its_own_cards_and_what_lies_face_up(seed: int) -> None:
    setting, actions, states = game(seed)
    for state, table in zip(states, positions(setting, actions), strict=True):
        for seat in range(setting.seats):
            view = state.view(seat)
            assert view.seat == seat
            assert sorted(texts(view.pack)) == sorted(table.packs[seat])
            assert list(texts(view.pool)) == table.pools[seat]
            assert [sorted(texts(pack)) for pack in view.seen] == [sorted(packs[seat]) for packs in table.taken_up]
            hands = table.hands.get(seat)
            if hands is None:
                assert view.arrangement is None
            else:
                assert view.arrangement is not None
                assert sorted(texts(view.arrangement.low)) == sorted(hands[0])
                assert sorted(texts(view.arrangement.high)) == sorted(hands[1])


@share_of_examples(0.4)
@given(SEEDS)
def test_everybody_sees_what_is_public(seed: int) -> None:
    setting, actions, states = game(seed)
    for state, table in zip(states, positions(setting, actions), strict=True):
        for seat in seats_and_spectator(setting):
            view = state.view(seat)
            assert view.rules == state.rules
            assert (view.phase, view.round) == (state.phase, state.round)
            assert (view.dealer, view.carried, view.pot) == (setting.dealer, setting.carried, state.pot)
            assert list(view.to_act) == table.waiting_for()
            assert list(view.passes_to) == [(giver + 1) % setting.seats for giver in range(setting.seats)]
            lows = {place: sorted(texts(hand)) for place, hand in enumerate(view.low_hands) if hand is not None}
            highs = {place: sorted(texts(hand)) for place, hand in enumerate(view.high_hands) if hand is not None}
            assert lows == {place: sorted(hand) for place, hand in table.low_up.items()}
            assert highs == {place: sorted(hand) for place, hand in table.high_up.items()}
            assert (view.low_award, view.high_award) == (state.low_award, state.high_award)
            assert view.result == state.result


@given(SEEDS)
def test_a_spectator_holds_nothing(seed: int) -> None:
    for state in game(seed).states:
        view = state.view(None)
        assert view.seat is None
        assert (view.pack, view.pool, view.seen, view.arrangement) == ((), (), (), None)
        assert list(view.legal_moves()) == []


@given(SEEDS)
def test_what_a_view_says_can_be_done_is_what_the_state_says(seed: int) -> None:
    rng = random.Random(seed)
    for state in game(seed).states:
        for seat in range(state.rules.seats):
            of_view, of_state = state.view(seat).legal_moves(), state.legal_moves(seat)
            assert len(of_view) == len(of_state)
            assert list(itertools.islice(of_view, 30)) == list(itertools.islice(of_state, 30))
            for _ in range(3 if of_view else 0):
                place = rng.randrange(len(of_view))
                assert of_view[place] == of_state[place]
                assert of_view[place] in of_state
                assert state.why_not(of_view[place]) is None


def test_seat_0_is_a_seat_in_a_view() -> None:
    """Nowhere is a seat taken for a truth value: not the seat that looks, the dealer, or the winner."""
    played = game(3, Setting(dealer=0))
    for view in (state.view(0) for state in played.states):
        document = view.to_dict()
        assert document["seat"] == 0
        assert document["dealer"] == 0
        assert document["passes_to"] == [1, 2, 3, 0]
        assert View.from_dict(document).seat == 0
    assert played.states[0].view(None).to_dict()["seat"] is None


# --- A view as a document ---


@share_of_examples(0.4)
@given(SEEDS)
def test_a_view_comes_back_from_its_document_at_every_state(seed: int) -> None:
    for view in views(game(seed)):
        document = view.to_dict()
        assert list(document) == FIELDS
        sent = json.loads(json.dumps(document, allow_nan=False))
        assert sent == document
        again = View.from_dict(sent)
        assert again == view
        assert hash(again) == hash(view)
        assert json.dumps(again.to_dict()) == json.dumps(document)
        assert len(again.legal_moves()) == len(view.legal_moves())


@share_of_examples(0.4)
@given(SEEDS)
def test_a_document_is_written_as_agreed(seed: int) -> None:
    setting, _, states = game(seed)
    for state in states:
        for seat in range(setting.seats):
            view, document = state.view(seat), state.view(seat).to_dict()
            assert document["rules"] == {
                "seats": setting.seats,
                "ante": setting.ante,
                "low": setting.low,
                "hand_size": setting.hand_size,
                "odd_chips": setting.odd_chips,
            }
            assert document["phase"] == str(state.phase)
            assert document["pack"] == list(texts(view.pack))
            assert document["seen"] == [list(texts(pack)) for pack in view.seen]
            assert document["low_hands"] == [None if hand is None else list(texts(hand)) for hand in view.low_hands]
            if view.arrangement is not None:
                low, high = texts(view.arrangement.low), texts(view.arrangement.high)
                assert document["arrangement"] == {"low": list(low), "high": list(high)}
            if view.low_award is not None:
                award = view.low_award
                assert document["low_award"] == {
                    "half": "low",
                    "amount": award.amount,
                    "values": [
                        {"rank": value.rank, "category": str(value.category), "text": str(value)}
                        for value in award.values
                    ],
                    "winners": list(award.winners),
                    "shares": list(award.shares),
                    "stayed": award.stayed,
                }
            if view.result is not None:
                assert document["result"] == {
                    "payouts": list(view.result.payouts),
                    "nets": list(view.result.nets),
                    "carried": view.result.carried,
                }


def keys_of(document: Any) -> set[str]:
    if isinstance(document, dict):
        return set(document).union(*map(keys_of, document.values()))
    if isinstance(document, list):
        return set().union(*map(keys_of, document))
    return set()


@share_of_examples(0.4)
@given(SEEDS)
def test_no_key_of_a_document_is_a_seat(seed: int) -> None:
    """JSON would turn it into a text."""
    for view in views(game(seed)):
        assert all(type(key) is str and not key.isdigit() for key in keys_of(view.to_dict()))


@given(SEEDS)
def test_a_changed_document_does_not_change_the_view(seed: int) -> None:
    for view in views(game(seed))[::7]:
        document = view.to_dict()
        before = json.dumps(document)
        for value in document.values():
            if isinstance(value, dict | list):
                value.clear()
        assert json.dumps(view.to_dict()) == before


def accepted_or_refused(document: Any) -> View | None:
    try:
        view = View.from_dict(document)
    except RecordError:
        return None
    assert View.from_dict(view.to_dict()) == view
    moves = view.legal_moves()
    assert len(list(itertools.islice(moves, 3))) == min(3, len(moves))
    repr(view), str(view), hash(view)
    return view


@given(SEEDS)
def test_a_damaged_document_is_a_view_or_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    documents = [view.to_dict() for view in rng.sample(views(game(seed)), 12)]
    results = [accepted_or_refused(damaged(document, rng)) for document in documents]
    assert None in results


@given(JSON_VALUES)
def test_any_structure_at_all_is_a_view_or_is_refused(document: Any) -> None:
    accepted_or_refused(document)


@share_of_examples(0.1)
@given(SEEDS)
def test_no_field_of_a_document_takes_anything_whatever(seed: int) -> None:
    """Each field in turn is taken away or filled with junk."""
    rng = random.Random(seed)
    for view in rng.sample(views(game(seed)), 3):
        document = view.to_dict()
        for field in FIELDS:
            without = {key: value for key, value in document.items() if key != field}
            with pytest.raises(RecordError):
                View.from_dict(without)
            for junk in JUNK:
                accepted_or_refused({**document, field: junk})
        with pytest.raises(RecordError):
            View.from_dict({**document, "seed": 7})


# --- A view as a value ---


@share_of_examples(0.1)
@given(SEEDS)
def test_copies_and_pickles_of_a_view_are_the_same_view(seed: int) -> None:
    for view in views(game(seed)):
        for protocol in range(2, 6):
            assert pickle.loads(pickle.dumps(view, protocol)) == view
        assert copy.copy(view) == copy.deepcopy(view) == view
        assert hash(copy.deepcopy(view)) == hash(view)


def test_a_view_does_not_change() -> None:
    view = game(1).states[-1].view(0)
    for name in FIELDS:
        with pytest.raises((AttributeError, TypeError)):  # Python's own TypeError, where the name is no field
            setattr(view, name, None)
    for value in (view.pack, view.pool, view.seen, view.low_hands, view.high_hands, view.to_act, view.passes_to):
        assert isinstance(value, tuple)


@given(SEEDS)
def test_views_of_different_seats_differ(seed: int) -> None:
    setting, _, states = game(seed)
    for state in states:
        seen = [state.view(seat) for seat in seats_and_spectator(setting)]
        assert len(set(seen)) == len(seen)


def test_a_client_plays_a_whole_game_with_documents_only() -> None:
    """What a server has to send is a view, what a client has to send back is a move."""
    state = game(4, Setting(5, 10)).states[1]

    def client(document: dict[str, object]) -> Move:
        return View.from_dict(json.loads(json.dumps(document))).legal_moves()[0]

    while state.phase is not Phase.OVER:
        for seat in state.to_act:
            state = state.apply(client(state.view(seat).to_dict()))
        state = state.advance()
    assert state.result is not None


def test_a_view_before_the_deal_shows_an_empty_table() -> None:
    view = GameState.start(Rules(seats=5)).view(4)
    assert (view.phase, view.pack, view.pool, view.to_act) == (Phase.DEAL, (), (), ())
    assert len(view.legal_moves()) == 0


def test_record_errors_are_value_errors_and_all_errors_have_one_root() -> None:
    assert issubclass(RecordError, ValueError)
    assert issubclass(RecordError, EssenHiloError)


def test_a_hand_that_another_seat_shows_is_not_made_of_my_cards() -> None:
    state = next(state for state in game(3).states if state.phase is Phase.SHOW_LOW).show(1)
    document: dict[str, Any] = state.view(0).to_dict()
    assert View.from_dict(document) == state.view(0)
    document["low_hands"][1] = sorted(document["pool"][5:10], key=lambda text: Card.parse(text).index)
    with pytest.raises(RecordError, match="pool"):
        View.from_dict(document)
