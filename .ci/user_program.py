"""A typed program as somebody who installed the package would write it; `.ci/run` checks it outside the checkout."""

from random import Random
from typing import assert_never, assert_type

from essen_hilo import (
    Arrange,
    Arrangement,
    Bot,
    Card,
    Deal,
    GameState,
    GreedyBot,
    HandValue,
    IllegalMoveError,
    Move,
    Pass,
    Phase,
    Pick,
    Reason,
    Record,
    Result,
    Rules,
    Show,
    Showdown,
    View,
    evaluate_high,
    frontier,
    parse_cards,
    play_out,
    shuffled_deck,
)


class HighestCardBot:
    """Keeps the highest card and sets the strongest high hand."""

    def choose(self, view: View) -> Move:
        """The pick or the arrangement; the view says which is due."""
        seat = view.seat
        assert seat is not None
        if view.phase is Phase.PICK:
            return Pick(seat, max(view.pack, key=lambda card: card.rank))
        best = frontier(view.pool, view.rules.low)[0]
        return Arrange(seat, best.low, best.high)


def word(move: Move) -> str:
    """The game's word for a move; the type checker sees that none is forgotten."""
    match move:
        case Deal():
            return "deal"
        case Pick():
            return "pick"
        case Pass():
            return "pass"
        case Arrange():
            return "arrange"
        case Show() | Showdown():
            return "showdown"
        case _:
            assert_never(move)


def main() -> None:
    """Play a game, write it down, read it back, and be refused a move."""
    assert_type(parse_cards("As Ks"), tuple[Card, ...])
    assert_type(evaluate_high(parse_cards("As Ks Qs Js Ts")), HandValue)
    assert_type(frontier(parse_cards("2c3c4c5c6c7d8d9dTdJd")), tuple[Arrangement, ...])

    bots: list[Bot] = [HighestCardBot(), GreedyBot(Random(1)), GreedyBot(Random(2)), HighestCardBot()]
    start = GameState.start(Rules(seats=4, ante=5)).deal(shuffled_deck(Random(7)))
    end = play_out(start, bots)
    assert_type(end.result, Result | None)
    record = Record.of(end)
    assert Record.from_json(record.to_json()).replay() == end
    assert {word(move) for move in record.moves} == {"deal", "pick", "pass", "arrange", "showdown"}
    try:
        end.apply(Pass())
    except IllegalMoveError as error:
        assert_type(error.reason, Reason)
    print(end.result)


if __name__ == "__main__":
    main()
