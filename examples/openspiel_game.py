"""Essen high-low as two games of OpenSpiel, for its algorithms to play.

    pip install ".[openspiel]"

    >>> import pyspiel
    >>> from examples import openspiel_game  # registers the games
    >>> game = pyspiel.load_game("python_essen_hilo_seq(players=5,low=ace_to_five)")
    >>> state = game.new_initial_state()
    >>> while not state.is_terminal():
    ...     state.apply_action(state.legal_actions()[-1])
    >>> state.returns()
    [7.0, -5.0, -5.0, -5.0, 8.0]

In `python_essen_hilo` all players, who are the seats of the table, act at once. In `python_essen_hilo_seq` they act one
after the other, and what one has picked stays hidden from those who pick after it: ISMCTS, MCCFR and whatever walks a
tree want that.

Algorithms written in Python play them. Searches written in C++, such as `pyspiel.MCTSBot` and `pyspiel.ISMCTSBot`,
crash on any game written in Python (OpenSpiel 2.0.2), and whatever lists all states never ends.

Parameters: `players`, 2 to 5; `cards` that each of them gets, where 0 means 13 for four players and 10 for others;
`low`, a low rule by its name with underscores, such as deuce_to_seven; `ante`, in chips, 1 or more. Odd chips go left
of the dealer, who is the last player, so that the game is zero-sum. Nothing is carried.

* Chance deals a card at a time, the first to player 0: its outcome is the card's `index`. The cards left over are put
  aside and nobody sees them.
* To pick, the action is the card's `index`. Then a player sets its hands in ten actions, a card each: the five of the
  low hand in ascending index, then the five of the high hand in ascending index.
* At the end, `returns()` are what each player was paid less its ante.

A state is the referee's and its text shows all cards, as OpenSpiel wants it. What a player may know comes from an
observer, as a tensor of 0 and 1 in pieces and as text that says the same. A card is marked at its `index`:

    piece       shape          marks
    player      players        whose observation it is
    of public information
    phase       4              deal, pick, arrange, over
    round       cards          how many picks each player had made when this round began
    to_act      players        who the table is waiting for
    low_hands   players × 52   by player, the low hand that lies face up: only at the end
    high_hands  players × 52   and the high hand
    of the player's private information
    pack        52             the cards in hand; once it has picked, those that it will pass on
    pool        52             the cards kept
    low         52             its own low hand, as far as it has chosen it
    high        52             and its high hand
    with perfect recall also
    seen        cards × 52     by round, the pack as it was taken up
    picks       cards × 52     by round, the card kept
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from random import Random
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from essen_hilo import (
    ACE_TO_FIVE,
    ACE_TO_SIX,
    DECK,
    DEUCE_TO_SEVEN,
    DEUCE_TO_SIX,
    Arrange,
    Bot,
    Card,
    GameState,
    Knowledge,
    Move,
    OddChips,
    Phase,
    Pick,
    Record,
    Rules,
    RulesError,
    View,
    format_cards,
)

# The low rules by the names that the parameter has.
LOWS = {low.name.replace("-", "_"): low for low in (DEUCE_TO_SEVEN, ACE_TO_FIVE, ACE_TO_SIX, DEUCE_TO_SIX)}

# The phases that a player meets; the table passes packs and shows hands by itself.
PHASES = (Phase.DEAL, Phase.PICK, Phase.ARRANGE, Phase.OVER)


def _game_type(short_name: str, long_name: str, dynamics: Any) -> Any:
    return pyspiel.GameType(
        short_name=short_name,
        long_name=long_name,
        dynamics=dynamics,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=5,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"players": 4, "cards": 0, "low": "deuce_to_seven", "ante": 5},
    )


class EssenHiloGame(pyspiel.Game):
    """A table and what was agreed on at it; all players act at once."""

    game_type = _game_type("python_essen_hilo", "Essen high-low", pyspiel.GameType.Dynamics.SIMULTANEOUS)
    all_at_once = True

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        self.rules = _rules(parameters)
        seats, ante = self.rules.seats, self.rules.ante
        actions = self.rules.hand_size + 10
        super().__init__(
            self.game_type,
            pyspiel.GameInfo(
                num_distinct_actions=52,
                max_chance_outcomes=52,
                num_players=seats,
                min_utility=-ante,
                max_utility=(seats - 1) * ante,
                utility_sum=0,
                max_game_length=actions if self.all_at_once else seats * actions,
            ),
            parameters,
        )

    def new_initial_state(self) -> EssenHiloState:
        """A table at which nothing has been dealt."""
        return EssenHiloState(self)

    def max_chance_nodes_in_history(self) -> int:
        """How many cards are dealt."""
        return self.rules.seats * self.rules.hand_size

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> EssenHiloObserver:
        """An observer; without a type, of public and private information without perfect recall."""
        if params:
            raise ValueError(f"an observer has no parameters, so not {params}")
        return EssenHiloObserver(self.rules, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SequentialGame(EssenHiloGame):
    """The same, but players act one after the other."""

    game_type = _game_type(
        "python_essen_hilo_seq", "Essen high-low, one after the other", pyspiel.GameType.Dynamics.SEQUENTIAL
    )
    all_at_once = False


class EssenHiloState(pyspiel.State):
    """A deal at one moment, all of it.

    Attributes:
        table: The state of the game; until all cards are dealt, the one before the deal.
        dealt: The indices of the cards dealt so far, in their order.
        chosen: By player, the cards that it has chosen so far for its two hands.
    """

    def __init__(self, game: EssenHiloGame) -> None:
        super().__init__(game)
        self.table = GameState.start(game.rules, dealer=game.rules.seats - 1)
        self.dealt: tuple[int, ...] = ()
        self.chosen: tuple[tuple[Card, ...], ...] = ((),) * game.rules.seats
        self._all_at_once = game.all_at_once

    def view(self, player: int) -> View:
        """What a player may see of the table."""
        return self.table.view(player)

    # What OpenSpiel asks of a state.

    def current_player(self) -> int:
        """Who acts: chance during the deal, then all players, or the first of those that the table waits for."""
        if self.table.phase is Phase.DEAL:
            return int(pyspiel.PlayerId.CHANCE)
        if self.table.phase is Phase.OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.SIMULTANEOUS) if self._all_at_once else self.table.to_act[0]

    def is_terminal(self) -> bool:
        """Whether the chips have been paid."""
        return self.table.phase is Phase.OVER

    def returns(self) -> list[float]:
        """By player, what it was paid less its ante; 0 before the end."""
        result = self.table.result
        return [float(net) for net in result.nets] if result is not None else [0.0] * self.table.rules.seats

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may be dealt next, each as likely as the others."""
        left = [index for index in range(52) if index not in self.dealt]
        return [(index, 1 / len(left)) for index in left]

    def _legal_actions(self, player: int) -> list[int]:
        """The actions of a player that acts now, ascending."""
        if player not in self.table.to_act:
            raise ValueError(f"player {player}: no player of that number acts now")
        if self.table.phase is Phase.PICK:
            return [card.index for card in self.table.rounds[-1][player]]
        return _next_choices(self.table, player, self.chosen[player])

    def _apply_action(self, action: int) -> None:
        if self.table.phase is Phase.DEAL:
            self._deal(action)
        elif self._all_at_once or self.is_terminal():
            raise ValueError("the game is over" if self.is_terminal() else "all players act at once in this game")
        else:
            self._play([(self.table.to_act[0], action)])

    def _apply_actions(self, actions: Sequence[int]) -> None:
        if not self.is_simultaneous_node():
            raise ValueError("the players don't all act now")
        if len(actions) != self.table.rules.seats:
            raise ValueError(
                f"an action for each of the {self.table.rules.seats} players is wanted, not {len(actions)}"
            )
        self._play(enumerate(actions))

    def _deal(self, card: int) -> None:
        if card not in range(52) or card in self.dealt:
            raise ValueError(f"card {card} is not one of those left to deal")
        self.dealt += (card,)
        rules = self.table.rules
        if len(self.dealt) == rules.seats * rules.hand_size:
            aside = [index for index in range(52) if index not in self.dealt]
            self.table = self.table.deal([DECK[index] for index in (*self.dealt, *aside)])

    def _play(self, actions: Iterable[tuple[int, int]]) -> None:
        """Let players act, each with its action; nothing has changed if one of them can't."""
        table, chosen = self.table, [*self.chosen]
        for player, action in actions:
            if action not in range(52):
                raise ValueError(f"action {action} of player {player}: 0 to 51 are wanted")
            if table.phase is Phase.PICK:
                table = table.pick(player, DECK[action])
                continue
            if action not in _next_choices(table, player, chosen[player]):
                raise ValueError(f"action {action} is not one of the legal actions of player {player}")
            chosen[player] += (DECK[action],)
            if len(chosen[player]) == 10:
                table = table.arrange(player, chosen[player][:5], chosen[player][5:])
        self.table, self.chosen = table.advance(), tuple(chosen)

    def _action_to_string(self, player: int, action: int) -> str:
        if action not in range(52):
            raise ValueError(f"action {action}: 0 to 51 are wanted")
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {DECK[action]}"
        if self.table.phase is Phase.PICK:
            return f"pick {DECK[action]}"
        return f"{'low' if len(self.chosen[player]) < 5 else 'high'} {DECK[action]}"

    def string_to_action(self, *player_and_text: Any) -> int:
        """The action that has this text; without a player, of the one that acts. OpenSpiel's own can't, if all act."""
        *players, text = player_and_text
        player = players[0] if players else self.current_player()
        for action in self.legal_actions(player):
            if self._action_to_string(player, action) == text:
                return int(action)
        raise ValueError(f"{text!r} is not the text of a legal action of player {player}")

    def __str__(self) -> str:
        """All moves so far, one a line, and the cards chosen for hands that are not complete."""
        if self.table.phase is Phase.DEAL:
            return f"deal {format_cards(DECK[index] for index in self.dealt)}".strip()
        lines = [str(move) for move in Record.of(self.table).moves]
        if self.table.phase is Phase.ARRANGE:
            lines += [f"chosen {player} {format_cards(cards)}" for player, cards in enumerate(self.chosen) if cards]
        return "\n".join(lines)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> EssenHiloState:
        """A state that the player can't tell from this one: hidden cards lie in one of the ways that are possible.

        Each way is equally likely (`Knowledge.sample`). `sampler` gives random numbers from 0 to 1.

        Raises:
            RulesError: The cards are still being dealt, or the game is over.
        """
        rng = Random(sampler())
        world = Knowledge(self.view(player)).sample(rng)
        other: EssenHiloState = self.get_game().new_initial_state()
        for card in world.deck[: len(self.dealt)]:
            other.apply_action(card.index)
        actions = [self._actions_in(world, seat, player, rng) for seat in range(world.rules.seats)]
        while len(other.history()) < len(self.history()):
            if self._all_at_once:
                other.apply_actions([next(plan) for plan in actions])
            else:
                other.apply_action(next(actions[other.current_player()]))
        return other

    def _actions_in(self, world: GameState, seat: int, player: int, rng: Random) -> Iterator[int]:
        """What a seat does in a world that looks like this one to the player, in order."""
        for picks in world.picks:
            if card := picks[seat]:
                yield card.index
        hands = world.arrangements[seat]
        if seat == player:
            laid_out: Sequence[Card] = self.chosen[seat]
        elif hands is not None:
            laid_out = hands.low + hands.high
        else:  # Whatever another has chosen of its hands is hidden, and may become any two hands.
            ten = rng.sample(world.pools[seat], 10)
            laid_out = sorted(ten[:5]) + sorted(ten[5:])
        for card in laid_out:
            yield card.index


class EssenHiloObserver:
    """What a player may know, in OpenSpiel's two ways of telling it.

    Attributes:
        tensor: All pieces in a row, float32.
        dict: The pieces by name, in their shapes; they share the memory of the tensor.
    """

    def __init__(self, rules: Rules, kind: Any) -> None:
        seats, cards = rules.seats, rules.hand_size
        shapes: dict[str, tuple[int, ...]] = {"player": (seats,)}
        if kind.public_info:
            shapes |= {"phase": (len(PHASES),), "round": (cards,), "to_act": (seats,)}
            shapes |= {"low_hands": (seats, 52), "high_hands": (seats, 52)}
        if kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            shapes |= {"pack": (52,), "pool": (52,), "low": (52,), "high": (52,)}
            if kind.perfect_recall:
                shapes |= {"seen": (cards, 52), "picks": (cards, 52)}
        elif kind.private_info != pyspiel.PrivateInfoType.NONE:
            raise ValueError("private_info: an observer knows the private information of one player or of none")
        self.tensor = np.zeros(sum(map(prod, shapes.values())), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        self._starts: dict[str, int] = {}
        start = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[start : start + prod(shape)].reshape(shape)
            self._starts[name] = start
            start += prod(shape)

    def set_from(self, state: EssenHiloState, player: int) -> None:
        """Let the tensor tell what the player knows in this state."""
        numbers, rows = self._known(state, player)
        marks = [self._starts[name] + number for name, some in numbers.items() for number in some]
        for name, packs in rows.items():
            start = self._starts[name]
            marks += [start + 52 * row + card.index for row, cards in enumerate(packs) for card in cards or ()]
        self.tensor.fill(0)
        self.tensor[marks] = 1

    def string_from(self, state: EssenHiloState, player: int) -> str:
        """The same as text; what is empty is left out."""
        numbers, rows = self._known(state, player)
        words = {name: " ".join(map(str, some)) for name, some in numbers.items()}
        words |= {name: " | ".join(format_cards(cards or ()) for cards in packs) for name, packs in rows.items()}
        if "phase" in words:
            words["phase"] = state.table.phase.value
        return "; ".join(f"{name} {text}" for name, text in words.items() if text.strip(" |"))

    def _known(
        self, state: EssenHiloState, player: int
    ) -> tuple[dict[str, Sequence[int]], dict[str, Sequence[Sequence[Card] | None]]]:
        """The numbers to mark in a piece, and the rows of cards to mark in one, for the pieces that are wanted."""
        view = state.view(player)
        pack: Sequence[Card] = view.pack
        if view.phase is Phase.DEAL:
            pack = sorted(DECK[index] for index in state.dealt[player :: view.rules.seats])
        hands = state.chosen[player]
        numbers = {
            "player": (player,),
            "phase": (PHASES.index(view.phase),),
            "round": (view.round,),
            "to_act": view.to_act,
        }
        rows = {
            "low_hands": view.low_hands,
            "high_hands": view.high_hands,
            "pack": (pack,),
            "pool": (sorted(view.pool),),
            "low": (hands[:5],),
            "high": (hands[5:],),
            "seen": view.seen,
            "picks": tuple((card,) for card in view.pool),
        }
        return (
            {name: numbers[name] for name in self.dict if name in numbers},
            {name: rows[name] for name in self.dict if name in rows},
        )


class BotPlayer(pyspiel.Bot):
    """Lets a bot of essen_hilo play in a game of OpenSpiel."""

    def __init__(self, bot: Bot, player: int) -> None:
        super().__init__()
        self._bot = bot
        self._player = player
        self._view: View | None = None
        self._actions: tuple[int, ...] = ()  # that make its move at this view

    def player_id(self) -> int:
        """Whose actions it chooses."""
        return self._player

    def restart_at(self, state: EssenHiloState) -> None:
        """Nothing: what it goes by is the state that it is shown."""

    def step(self, state: EssenHiloState) -> int:
        """The action that makes the bot's move, or the next part of it.

        Raises:
            ValueError: It is not this player's turn, or somebody else has begun to set its hands, in another way.
        """
        if self._player not in state.table.to_act:
            raise ValueError(f"player {self._player} does not act now")
        view = state.view(self._player)
        if view != self._view:
            self._view, self._actions = view, actions_of(self._bot.choose(view))
        done = tuple(card.index for card in state.chosen[self._player])
        if self._actions[: len(done)] != done:
            raise ValueError(f"player {self._player} has begun to set other hands than its bot would")
        return self._actions[len(done)]


def actions_of(move: Move) -> tuple[int, ...]:
    """The actions, one after the other, that make a pick or an arrangement.

    Raises:
        ValueError: The move is another one: no player makes it.
    """
    match move:
        case Pick(card=card):
            return (card.index,)
        case Arrange(low=low, high=high):
            return tuple(card.index for hand in (low, high) for card in sorted(hand))
        case _:
            raise ValueError(f"{move}: only a pick and an arrange are made of actions")


def _next_choices(table: GameState, player: int, chosen: Sequence[Card]) -> list[int]:
    """By index, the cards that a player may choose next for its two hands.

    The cards of a hand come in ascending order, so that there is one way to each arrangement, and enough are left to
    complete it.
    """
    hand = chosen[len(chosen) // 5 * 5 :]
    last = hand[-1].index if hand else -1
    pool = [card for picks in table.picks if (card := picks[player])]
    left = sorted([card.index for card in pool if card not in chosen and card.index > last])
    return left[: len(left) + len(hand) - 4]


def _rules(parameters: Mapping[str, Any]) -> Rules:
    players, cards, low, ante = (parameters[name] for name in ("players", "cards", "low", "ante"))
    if low not in LOWS:
        raise ValueError(f"low: must be one of {', '.join(LOWS)}, not {low!r}")
    if ante < 1:
        raise ValueError("ante: 1 or more is wanted, or there is nothing to play for")
    try:
        return Rules(players, ante, LOWS[low], cards or (13 if players == 4 else 10), OddChips.LEFT_OF_DEALER)
    except RulesError as error:
        raise ValueError(
            f"players={players}, cards={cards}, ante={ante} are the seats, hand_size and ante of the rules: {error}"
        ) from None


# OpenSpiel lets go of these after Python has ended. For a class that is safe; a `functools.partial` aborts the process.
pyspiel.register_game(EssenHiloGame.game_type, EssenHiloGame)
pyspiel.register_game(SequentialGame.game_type, SequentialGame)
