"""What many games add up to: who took which chips, with which hands, and from which place at the table.

Whatever is counted is a whole number, so reports add up to the same in any order. The games are played in `simulation`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from math import erfc, exp, gamma, isnan, nan, sqrt

from essen_hilo.errors import RulesError
from essen_hilo.hands import Category, HandValue
from essen_hilo.rules import Rules
from essen_hilo.showdown import Award, Result
from essen_hilo.state import GameState


@dataclass(frozen=True, slots=True)
class Tally:
    """What one bot won, or one seat, or one place at the table.

    Attributes:
        name: Of the bot, the seat or the place.
        deals: How many deals it took part in.
        games: How many games: in a duplicate simulation each deal is played once for each seat.
        staked: The chips in the pots of those games.
        chips: The chips that it won of them.
        chips_squared: The sum over the deals of the square of the chips won in the deal, all its games together.
        low_wins: The games in which it won the low half, alone or tied.
        high_wins: The games in which it won the high half, alone or tied.
        scoops: The games in which it won both halves alone, and so the whole pot.
        ties: The halves that it shared with others.
    """

    name: str
    deals: int = 0
    games: int = 0
    staked: int = 0
    chips: int = 0
    chips_squared: int = 0
    low_wins: int = 0
    high_wins: int = 0
    scoops: int = 0
    ties: int = 0

    @property
    def share(self) -> float:
        """The part of the staked chips that it won; NaN if nothing was staked.

        All shares and the part that is carried make 1.
        """
        return self.chips / self.staked if self.staked else nan

    @property
    def share_error(self) -> float:
        """The standard error of `share`; NaN if nothing was staked, or in fewer than two deals.

        Deals are independent, but the games of one deal are not: they are taken together.
        """
        if not self.staked or self.deals < 2:
            return nan
        return sqrt(self._spread / (self.deals - 1)) / self.staked

    @property
    def _spread(self) -> int:
        """Deals squared times the variance of the chips won in a deal, exactly."""
        return self.deals * self.chips_squared - self.chips**2

    def __add__(self, other: Tally) -> Tally:
        """Both together, under this one's name."""
        return Tally(self.name, *[getattr(self, count) + getattr(other, count) for count in _COUNTS])

    def to_dict(self) -> dict[str, object]:
        """The fields as JSON takes them, and the share with its standard error (None for NaN)."""
        counts = {count: getattr(self, count) for count in _COUNTS}
        return {"name": self.name, **counts, "share": _number(self.share), "share_error": _number(self.share_error)}


_COUNTS = tuple(field.name for field in fields(Tally))[1:]


@dataclass(frozen=True, slots=True)
class Winners:
    """The hands that won one half.

    Attributes:
        counts: Each value that won and the number of games, strongest value first.
    """

    counts: tuple[tuple[HandValue, int], ...]

    @property
    def categories(self) -> dict[Category, int]:
        """The games that each category won, in the order of `Category`; those that won none are left out."""
        games = Counter[Category]()
        for value, count in self.counts:
            games[value.category] += count
        return {category: games[category] for category in Category if games[category]}

    @property
    def median(self) -> HandValue | None:
        """The value that half of the winners reach; None if there were no games."""
        left = sum(count for _, count in self.counts) / 2
        for value, count in self.counts:
            left -= count
            if left <= 0:
                return value
        return None

    def __add__(self, other: Winners) -> Winners:
        return Winners.of(Counter(dict(self.counts)) + Counter(dict(other.counts)))

    @classmethod
    def of(cls, counts: Counter[HandValue]) -> Winners:
        """The winners that were counted in any order."""
        return cls(tuple(sorted(counts.items(), key=lambda pair: pair[0].rank)))

    def to_dict(self) -> dict[str, object]:
        """The median, the categories and every value as JSON takes them."""
        return {
            "median": str(self.median) if self.median else None,
            "categories": {category.value: count for category, count in self.categories.items()},
            "values": [
                {"rank": value.rank, "category": value.category.value, "text": str(value), "games": count}
                for value, count in self.counts
            ],
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What the games of a simulation add up to. `str(report)` is a table to read; reports of the same bots add up.

    Every deal starts with nothing carried, so that deals are independent; what a deal leaves in the pot
    is counted in `carried`. Unless the report is `duplicate`, each bot keeps its seat, and seats differ as the bots do.

    Attributes:
        rules: What the table agreed on.
        duplicate: Whether each deal was played once for each seat, the bots moving round.
        bots: By maker, what its bots won.
        seats: By seat, what was won there.
        places: By place, what was won there: first the seat to the dealer's left, last the dealer.
        low: The hands that won the low half.
        high: The hands that won the high half.
        carried: The chips that nobody won.
    """

    rules: Rules
    duplicate: bool
    bots: tuple[Tally, ...]
    seats: tuple[Tally, ...]
    places: tuple[Tally, ...]
    low: Winners
    high: Winners
    carried: int

    @classmethod
    def of(
        cls, names: Sequence[str], deals: Iterable[Sequence[GameState]], *, rules: Rules, duplicate: bool = False
    ) -> Report:
        """The report of finished games.

        Args:
            names: The bots' names. In a deal's first game bot 0 sits in seat 0; in each further
                game every bot sits one seat further to the left.
            deals: Each deal as its finished games: one, or one for each seat if `duplicate`.
            rules: The rules of all the games.
            duplicate: Whether the deals are duplicate.

        Raises:
            RulesError: A game is not over, has other rules or began with chips carried; or a name is missing.
        """
        seats = rules.seats
        if len(names) != seats:
            raise RulesError(f"names: one for each of the {seats} seats is wanted, not {len(names)}")
        bots, chairs, places = ([_Counting() for _ in range(seats)] for _ in range(3))
        lows, highs = Counter[HandValue](), Counter[HandValue]()
        carried = 0
        for games in deals:
            for rotation, game in enumerate(games):
                result = _result(game, rules)
                carried += result.carried
                lows[_winner(result.low)] += 1
                highs[_winner(result.high)] += 1
                for seat in range(seats):
                    place = (seat - game.dealer - 1) % seats
                    for counting in (bots[(seat - rotation) % seats], chairs[seat], places[place]):
                        counting.count(result, seat)
            for counting in (*bots, *chairs, *places):
                counting.end_deal()
        stake = seats * rules.ante
        return cls(
            rules,
            duplicate,
            _tallies(names, bots, stake),
            _tallies([f"seat {seat}" for seat in range(seats)], chairs, stake),
            _tallies([f"dealer + {place}" for place in range(1, seats)] + ["dealer"], places, stake),
            Winners.of(lows),
            Winners.of(highs),
            carried,
        )

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return self.bots[0].deals

    @property
    def games(self) -> int:
        """How many games were played: as many as deals, or for each deal one a seat if `duplicate`."""
        return self.bots[0].games

    @property
    def staked(self) -> int:
        """The chips in all pots: won or carried."""
        return self.bots[0].staked

    @property
    def nets(self) -> tuple[int, ...]:
        """By maker, the chips its bots won less the antes they paid; with `carried` they sum to zero."""
        return tuple(bot.chips - bot.games * self.rules.ante for bot in self.bots)

    @property
    def scoops(self) -> int:
        """The games in which one seat won both halves alone."""
        return sum(bot.scoops for bot in self.bots)

    @property
    def seat_chance(self) -> float:
        """How likely mere luck is to part the seats' shares as far as here; near 0 if the seat matters."""
        return _chance(self.seats)

    @property
    def place_chance(self) -> float:
        """How likely mere luck is to part the places' shares as far as here; near 0 if the dealer's place matters."""
        return _chance(self.places)

    def __add__(self, other: Report) -> Report:
        """Both reports in one.

        Raises:
            RulesError: They are not of the same rules, bots and kind.
        """
        if self._kind != other._kind:
            raise RulesError("report: only reports of the same rules and bots, both duplicate or both not, add up")
        return Report(
            self.rules,
            self.duplicate,
            _added(self.bots, other.bots),
            _added(self.seats, other.seats),
            _added(self.places, other.places),
            self.low + other.low,
            self.high + other.high,
            self.carried + other.carried,
        )

    @property
    def _kind(self) -> tuple[object, ...]:
        return self.rules, self.duplicate, [bot.name for bot in self.bots]

    def to_dict(self) -> dict[str, object]:
        """All of it as JSON takes it."""
        return {
            "rules": self.rules.to_dict(),
            "duplicate": self.duplicate,
            "deals": self.deals,
            "games": self.games,
            "staked": self.staked,
            "carried": self.carried,
            "scoops": self.scoops,
            "bots": [bot.to_dict() for bot in self.bots],
            "seats": [seat.to_dict() for seat in self.seats],
            "places": [place.to_dict() for place in self.places],
            "seat_chance": _number(self.seat_chance),
            "place_chance": _number(self.place_chance),
            "low": self.low.to_dict(),
            "high": self.high.to_dict(),
        }

    def __str__(self) -> str:
        """The table: what the bots won, then seats and places, then the winning hands."""
        return "\n".join(_lines(self))


class _Counting:
    """A tally in the making."""

    def __init__(self) -> None:
        self.now = 0
        self.counts = dict.fromkeys(_COUNTS, 0)

    def count(self, result: Result, seat: int) -> None:
        counts = self.counts
        low, high = seat in result.low.winners, seat in result.high.winners
        low_alone, high_alone = low and len(result.low.winners) == 1, high and len(result.high.winners) == 1
        self.now += result.low.shares[seat] + result.high.shares[seat]
        counts["games"] += 1
        counts["low_wins"] += low
        counts["high_wins"] += high
        counts["scoops"] += low_alone and high_alone
        counts["ties"] += (low and not low_alone) + (high and not high_alone)

    def end_deal(self) -> None:
        self.counts["deals"] += 1
        self.counts["chips"] += self.now
        self.counts["chips_squared"] += self.now**2
        self.now = 0


def _tallies(names: Sequence[str], countings: Sequence[_Counting], stake: int) -> tuple[Tally, ...]:
    return tuple(
        Tally(name, **counting.counts | {"staked": stake * counting.counts["games"]})
        for name, counting in zip(names, countings, strict=True)
    )


def _added(some: Sequence[Tally], others: Sequence[Tally]) -> tuple[Tally, ...]:
    return tuple(a + b for a, b in zip(some, others, strict=True))


def _result(game: GameState, rules: Rules) -> Result:
    result = game.result
    if result is None or game.carried or game.rules != rules:
        raise RulesError(f"games: only finished games of these rules, begun with nothing carried, count, not {game}")
    return result


def _winner(award: Award) -> HandValue:
    return award.values[award.winners[0]]


def _number(value: float) -> float | None:
    return None if isnan(value) else value


def _chance(tallies: Sequence[Tally]) -> float:
    """The p-value that all shares are equal; NaN in fewer than two deals.

    What one seat wins the others can't, so under equal shares the k sums covary as much as that allows: by
    -1 / (k - 1) of their variance. Then their distances from the mean, squared, follow chi-square with k - 1 degrees.
    """
    deals, k = tallies[0].deals, len(tallies)
    if deals < 2:
        return nan
    mean = sum(tally.chips for tally in tallies) / k
    apart = sum((tally.chips - mean) ** 2 for tally in tallies)
    variance = sum(tally._spread for tally in tallies) / (deals - 1) / k
    if variance == 0:
        return 0.0 if apart else 1.0
    return _chi_square_tail(apart * (k - 1) / (k * variance), k - 1)


def _chi_square_tail(value: float, degrees: int) -> float:
    half = value / 2
    least = 2 - degrees % 2
    tail = exp(-half) if least == 2 else erfc(sqrt(half))
    for below in range(least, degrees, 2):
        tail += sqrt(half) ** below * exp(-half) / gamma(below / 2 + 1)
    return tail


# The table.


def _lines(report: Report) -> Iterator[str]:
    rules = report.rules
    times = f", each played {rules.seats} times with the bots moving round" if report.duplicate else ""
    yield f"{report.deals:,} deal{'s' * (report.deals != 1)}{times}"
    yield f"{rules.seats} seats, {rules.hand_size} cards, ante {rules.ante}, {rules.low}, odd chips: {rules.odd_chips}"
    yield ""
    yield from _table("bot", report.bots)
    yield f"Carried, won by nobody: {report.carried:,} chips, {_percent(report.carried, report.staked)}."
    if report.duplicate:
        yield ""
        yield from _table("seat", report.seats)
    if report.duplicate or len({bot.name for bot in report.bots}) == 1:
        yield _verdict("seat", report.seat_chance)
    yield ""
    yield from _table("place", report.places)
    yield _verdict("place", report.place_chance)
    for half, winners in (("low", report.low), ("high", report.high)):
        yield ""
        yield f"The {half} half is won with" + (
            f" {winners.median} in the median." if winners.median else " nothing yet."
        )
        for category, games in winners.categories.items():
            yield f"{category:15}{_percent(games, report.games):>8}"
    yield ""
    yield f"The pot is scooped in {_percent(report.scoops, report.games)} of the games."


def _table(head: str, tallies: Sequence[Tally]) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [(head, "chips", "share", "±", "low", "high", "scoops", "ties")]
    for tally in tallies:
        error = "–" if isnan(tally.share_error) else f"{tally.share_error:.1%}"
        wins = [_percent(count, tally.games) for count in (tally.low_wins, tally.high_wins, tally.scoops)]
        share = _percent(tally.chips, tally.staked)
        rows.append((tally.name, f"{tally.chips:,}", share, error, *wins, f"{tally.ties:,}"))
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        yield f"{name:{widths[0]}}" + "".join(
            f"{cell:>{width + 3}}" for cell, width in zip(cells, widths[1:], strict=True)
        )


def _verdict(head: str, chance: float) -> str:
    if isnan(chance):
        return f"Too few deals to tell whether the {head} matters."
    finding = "matters" if chance < 0.01 else "may matter" if chance < 0.05 else "makes no difference that shows"
    return f"The {head} {finding}: luck alone parts the shares as far with probability {chance:.2g}."


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"
