"""A deal at the table, as a client sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from essen_hilo import View, evaluate_high, evaluate_low, frontier, with_odds
from examples.web_table.limits import Limits
from tests.web.support import Talker, ThreadedServer, Update, make_table, serving


def acts(talker: Talker, update: Update) -> None:
    """Play the first legal move of what the update says."""
    view = View.from_dict(update["view"])
    if view.seat in view.to_act:
        assert talker.ask(type="move", move=str(view.legal_moves()[0]))["type"] == "ok"


def is_later_than(before: Update) -> Callable[[Update], bool]:
    return lambda update: update["version"] > before["version"]


def play_to(talker: Talker, is_there: Callable[[Update], bool]) -> Update:
    """Pick and arrange until the table has come so far."""
    update = talker.updates()[-1] if talker.updates() else talker.update()
    while not is_there(update):
        acts(talker, update)
        update = talker.update(is_later_than(update))
    return update


def in_phase(phase: str) -> Callable[[Update], bool]:
    return lambda update: update["view"]["phase"] == phase


def alone(server: ThreadedServer, **wishes: object) -> tuple[Talker, str, str]:
    """One person with bots, the first deal begun: the talker, its link and the spectators'."""
    seats = wishes.get("seats", 4)
    assert isinstance(seats, int)
    (link,), spectators = make_table(server.address, **wishes, bots=seats - 1)
    talker = Talker(server.address, link)
    assert talker.ask(type="next", deal=1)["type"] == "ok"
    return talker, link, spectators


def test_a_whole_deal_against_bots_with_five_seats(server: ThreadedServer) -> None:
    me, _, spectators = alone(server, seats=5, low="ace-to-five", odd_chips="left-of-dealer", ante=7)
    with me, Talker(server.address, spectators) as watcher:
        view = play_to(me, in_phase("show-low"))["view"]
        assert view["rules"] == {
            "seats": 5,
            "ante": 7,
            "low": "ace-to-five",
            "hand_size": 10,
            "odd_chips": "left-of-dealer",
        }
        assert view["low_hands"] == view["high_hands"] == [None] * 5
        assert me.ask(type="showdown", half="low")["type"] == "ok"
        view = me.update(in_phase("show-high"))["view"]
        assert None not in view["low_hands"] and view["high_hands"] == [None] * 5
        assert sum(view["low_award"]["shares"]) == 17
        # Two people may ask for the same half: the second must not turn up the other one.
        assert me.ask(type="showdown", half="low")["reason"] == "wrong-phase"
        assert me.ask(type="showdown", half="high")["type"] == "ok"
        over = me.update(in_phase("over"))
        assert (
            [seat["balance"] for seat in over["seats"]] == over["view"]["result"]["nets"] == over["results"][0]["nets"]
        )
        assert me.ask(type="next", deal=2)["type"] == "ok"
        second = me.update(lambda update: update["deal"] == 2)
        assert second["view"]["dealer"] == 1 and second["view"]["phase"] == "pick" and second["next_deal"] is None
        watcher.update(lambda update: update["deal"] == 2)
        assert all(update["view"]["pack"] == [] for update in watcher.updates())


def test_hands_are_turned_up_one_by_one_for_suspense(server: ThreadedServer) -> None:
    me, _, _ = alone(server)
    with me:
        play_to(me, in_phase("show-low"))
        assert me.ask(type="move", move="show 0")["type"] == "ok"
        # The bots go on by themselves, and the last one shown awards the half.
        high = me.update(in_phase("show-high"))
        shown = [sum(hand is not None for hand in update["view"]["low_hands"]) for update in me.updates()]
        assert shown[-4:] == [1, 2, 3, 4] and high["view"]["low_award"] is not None
        assert me.ask(type="move", move="show 0")["type"] == "ok"
        assert me.update(in_phase("over"))["view"]["result"] is not None


def test_suggestions_are_the_frontier_of_the_seats_own_cards_with_its_odds(server: ThreadedServer) -> None:
    me, _, _ = alone(server)
    with me:
        view = View.from_dict(play_to(me, in_phase("arrange"))["view"])
        ways = me.ask(type="suggest")["ways"]
        best = frontier(view.pool, view.rules.low)
        odds = [odds for _, odds in with_odds(view.pool, view.rules)]
        assert [way["odds"]["share"] for way in ways] == [round(each.share, 2) for each in odds]
        assert [way["odds"]["low_wins"] for way in ways] == [round(each.low_wins, 2) for each in odds]
        assert [way["odds"]["high_wins"] for way in ways] == [round(each.high_wins, 2) for each in odds]
        assert [(way["low"], way["high"]) for way in ways] == [
            ([str(card) for card in way.low], [str(card) for card in way.high]) for way in best
        ]
        assert [(way["low_text"], way["high_text"]) for way in ways] == [
            (str(evaluate_low(way.low)), str(evaluate_high(way.high))) for way in best
        ]


def test_hands_in_the_making_are_judged(server: ThreadedServer) -> None:
    me, _, _ = alone(server)
    with me:
        view = View.from_dict(play_to(me, in_phase("arrange"))["view"])
        texts = [str(card) for card in view.pool]
        answer = me.ask(type="judge", low=texts[:5], high=texts[5:9])
        assert (answer["low"], answer["high"]) == (str(evaluate_low(view.pool[:5])), None)
        answer = me.ask(type="judge", low=[], high=texts[5:10])
        assert (answer["low"], answer["high"]) == (None, str(evaluate_high(view.pool[5:10])))


def test_everybody_sees_who_is_still_choosing_and_not_what(people: list[Talker]) -> None:
    pack = people[2].updates()[-1]["view"]["pack"]
    before = people[0].updates()[-1]
    people[2].ask(type="move", move=f"pick 2 {pack[0]}")
    after = people[0].update(lambda update: update["view"]["to_act"] == [0, 1, 3])
    # But for the seat that has picked, and the count of events, nothing is different: also not by which card it was.
    assert {**after, "version": 0, "view": {**after["view"], "to_act": []}} == {
        **before,
        "version": 0,
        "view": {**before["view"], "to_act": []},
    }


def test_packs_move_when_all_have_picked(people: list[Talker]) -> None:
    packs = [talker.updates()[-1]["view"]["pack"] for talker in people]
    for seat, talker in enumerate(people):
        talker.ask(type="move", move=f"pick {seat} {packs[seat][0]}")
    for seat, talker in enumerate(people):
        view = talker.update(lambda update: update["view"]["round"] == 1)["view"]
        assert view["pack"] == packs[seat - 1][1:] and view["to_act"] == [0, 1, 2, 3]


def test_the_deal_waits_for_every_person(server: ThreadedServer) -> None:
    links, _ = make_table(server.address, bots=2)
    with Talker(server.address, links[0]) as one, Talker(server.address, links[1]) as two:
        assert one.ask(type="next", deal=2)["reason"] == "wrong-phase"
        assert one.ask(type="next", deal=1)["type"] == "ok"
        assert one.ask(type="next", deal=1)["reason"] == "already-acted"
        waiting = two.update(lambda update: update["seats"][0]["ready"])
        assert waiting["view"]["phase"] == "deal" and not waiting["seats"][1]["ready"]
        assert two.ask(type="next", deal=1)["type"] == "ok"
        assert not any(seat["ready"] for seat in one.update(in_phase("pick"))["seats"])


def test_a_bot_plays_for_who_is_away_if_the_table_wishes_it_until_the_person_is_back(server: ThreadedServer) -> None:
    links, _ = make_table(server.address, bots=2)
    with Talker(server.address, links[0]) as me:
        with Talker(server.address, links[1]) as other:
            me.ask(type="next", deal=1)
            other.ask(type="next", deal=1)
            assert me.ask(type="cover", seat=1, on=True)["reason"] == "not-away"
        # A reload is no absence.
        assert not me.update(lambda update: not update["seats"][1]["present"])["seats"][1]["away"]
        me.update(lambda update: update["seats"][1]["away"])
        assert me.ask(type="cover", seat=1, on=True)["type"] == "ok"
        assert me.ask(type="cover", seat=1, on=True)["reason"] == "no-change"
        assert me.ask(type="cover", seat=2, on=True)["reason"] == "not-away"
        play_to(me, lambda update: update["view"]["round"] == 3)
        with Talker(server.address, links[1]) as back:
            assert len(back.update()["view"]["pool"]) in (3, 4)
            assert not me.update(lambda update: update["seats"][1]["present"])["seats"][1]["covered"]
            assert me.ask(type="cover", seat=1, on=True)["reason"] == "not-away"


def test_the_deal_does_not_wait_for_who_never_comes_if_the_table_wishes_so(server: ThreadedServer) -> None:
    links, _ = make_table(server.address, bots=2)
    with Talker(server.address, links[0]) as me:
        assert me.ask(type="next", deal=1)["type"] == "ok"
        me.now(lambda update: update["seats"][1]["away"])
        assert me.ask(type="cover", seat=1, on=True)["type"] == "ok"
        assert me.update(in_phase("pick"))["deal"] == 1
        assert me.updates()[-1]["seats"][1]["covered"]


def test_a_second_tab_is_where_the_first_one_is(server: ThreadedServer) -> None:
    me, link, _ = alone(server)
    with me:
        play_to(me, lambda update: update["view"]["round"] == 2)
        with Talker(server.address, link) as tab:
            first = tab.update()
            assert first == me.update(lambda update: update["version"] == first["version"])
            # What one does, the other shows.
            card = first["view"]["pack"][0]
            assert tab.ask(type="move", move=f"pick 0 {card}")["type"] == "ok"
            me.update(lambda update: card in update["view"]["pool"])
            assert me.ask(type="move", move=f"pick 0 {card}")["reason"] in ("already-acted", "card-not-in-pack")


def test_spectators_watch(server: ThreadedServer) -> None:
    me, _, spectators = alone(server)
    with me, Talker(server.address, spectators) as watcher:
        assert watcher.hear() == {"type": "ok", "id": None, "seat": None}
        card = me.update(in_phase("pick"))["view"]["pack"][0]
        for wish in (
            {"type": "move", "move": f"pick 0 {card}"},
            {"type": "showdown", "half": "low"},
            {"type": "next", "deal": 1},
            {"type": "name", "name": "Eve"},
            {"type": "cover", "seat": 0, "on": True},
            {"type": "suggest"},
            {"type": "judge", "low": [], "high": []},
        ):
            assert watcher.ask(**wish)["reason"] == "spectator"


def test_a_table_has_so_many_deals(file: Path) -> None:
    with serving(file, Limits(deals=1, bot_seconds=0.0)) as server:
        me, _, _ = alone(server)
        with me:
            play_to(me, in_phase("show-low"))
            me.ask(type="showdown", half="low")
            me.ask(type="showdown", half="high")
            assert me.ask(type="next", deal=2)["reason"] == "too-many"
