"""How often a hand wins its half, from what was measured once and is written down here.

Drafted hands are far stronger than dealt ones, and how strong depends on the size of the packs and on the low rule.
So the numbers come from the project's own bots: `GreedyBot`s drafted thousands of deals, and every arrangement that was
worth considering was held against what the others laid down. `examples/measure_odds.py` does it again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from essen_hilo.errors import RulesError
from essen_hilo.hands import HandValue, LowRule


@dataclass(frozen=True, slots=True)
class Odds:
    """How an arrangement is likely to fare, before anything is known of the others' hands.

    Attributes:
        low_wins: How often no other low hand is stronger, from 0 to 1; ties count as wins.
        low_share: The part of the low half that it takes on average: less than `low_wins` where ties are likely.
        high_wins: How often no other high hand is stronger.
        high_share: The part of the high half that it takes on average.
    """

    low_wins: float
    low_share: float
    high_wins: float
    high_share: float

    @property
    def share(self) -> float:
        """The part of the whole pot that it takes on average."""
        return (self.low_share + self.high_share) / 2

    def __str__(self) -> str:
        """For a player to read."""
        return (
            f"wins the low about {self.low_wins:.0%} of the time and the high about {self.high_wins:.0%}, "
            f"worth {self.share:.0%} of the pot"
        )

    @classmethod
    def of(cls, low: HandValue, high: HandValue, *, seats: int, hand_size: int) -> Odds:
        """The odds of two hands against those that the other seats usually show.

        Measured for 4 seats with 13 cards and for 5 with 10, under each low rule. Other sizes take the nearer of
        the two by `hand_size` (from 12 on the first), as if each other seat had the same hands there.

        Args:
            low: What the low hand is worth; its rule is the table's.
            high: What the high hand is worth.
            seats: How many play.
            hand_size: How many cards each of them drafts.

        Raises:
            RulesError: `low` is the value of a high hand.
        """
        if low.rule is None:
            raise RulesError(f"low: the value of a low hand is wanted, not {low}")
        low_curve, high_curve = measured(low.rule, seats, hand_size)
        return cls(*chances(low_curve, low.rank), *chances(high_curve, high.rank))


#: A hand's rank, how often it wins, and the part of the half that it takes on average.
Point = tuple[int, float, float]
#: Strongest hands first; between two points lies a line.
Curve = Sequence[Point]


@cache
def measured(low: LowRule, seats: int, hand_size: int) -> tuple[Curve, Curve]:
    """The curves of the low and of the high half."""
    size, others = (13, 3) if hand_size >= 12 else (10, 4)
    # As if the other seats had nothing to do with one another: the chance against all is a power of that against one.
    power = (seats - 1) / others
    low_curve, high_curve = [
        tuple([(rank, (wins / 1000) ** power, (share / 1000) ** power) for rank, wins, share in points])
        for points in [_tables()[size, low.name, half] for half in ("low", "high")]
    ]
    return low_curve, high_curve


@cache
def _tables() -> dict[tuple[int, str, str], list[tuple[int, int, int]]]:
    """What is written down below, by the size of a hand, the low rule and the half."""
    tables = {}
    for block in _MEASURED.split("\n\n"):
        size, low, half, *points = block.split()
        numbers = [[int(number) for number in point.split(":")] for point in points]
        tables[int(size), low, half] = [(rank, wins, share) for rank, wins, share in numbers]
    return tables


def chances(curve: Curve, rank: int) -> tuple[float, float]:
    """How often a hand of this rank wins, and the part of the half that it takes on average."""
    place = bisect_left(curve, (rank,))
    after, wins, share = curve[place]
    if place == 0:
        return wins, share
    before, better_wins, better_share = curve[place - 1]
    part = (after - rank) / (after - before)
    return wins + part * (better_wins - wins), share + part * (better_share - share)


# By the size of a hand, the low rule and the half: ranks, and for each in thousandths how often it wins and what part
# of the half it takes.
_MEASURED = """\
13 deuce-to-seven low
1:1000:371 2:27:22 3:11:10 4:11:8 5:9:8 8:9:8 11:2:2 14:2:2 19:1:1 23:1:1 30:0:0 7462:0:0

13 deuce-to-seven high
1:1000:570 2:261:236 4:261:236 5:239:236 40:239:236 150:162:162 188:162:162 205:152:152 225:49:49 248:17:17 299:16:16
329:16:16 334:10:10 384:10:10 516:3:3 795:3:3 893:0:0 7462:0:0

13 ace-to-five low
1:1000:369 2:36:34 3:27:22 6:27:14 7:2:2 11:2:2 15:0:0 7462:0:0

13 ace-to-five high
1:1000:685 2:457:335 4:277:272 50:277:272 115:178:178 197:178:178 220:134:134 245:36:36 264:23:22 819:23:22 826:20:20
849:20:20 931:8:8 1605:8:8 2148:4:4 2631:3:3 2759:0:0 7462:0:0

13 ace-to-six low
1:1000:405 2:57:56 3:45:39 5:45:39 9:45:34 11:14:12 13:14:12 18:5:4 23:4:3 26:0:0 7462:0:0

13 ace-to-six high
1:1000:623 2:349:250 5:255:250 29:255:250 89:170:170 179:170:170 214:144:144 239:11:11 823:11:11 845:8:8 977:8:8
1228:5:5 1600:5:5 1667:2:2 2385:1:1 2683:1:1 2852:0:0 7462:0:0

13 deuce-to-six low
1:1000:355 2:15:14 3:14:12 4:2:2 5:2:2 6:1:1 10:1:1 12:0:0 7462:0:0

13 deuce-to-six high
1:1000:615 2:341:305 4:341:305 5:271:271 33:271:271 144:230:230 185:230:230 201:215:215 221:101:101 244:36:36
291:36:36 329:36:35 334:24:23 367:10:10 462:5:5 1596:5:5 1605:0:0 7462:0:0

10 deuce-to-seven low
1:1000:460 2:58:51 4:27:26 9:17:17 13:15:15 21:12:12 31:10:10 74:10:10 113:5:5 144:4:4 305:4:4 407:2:2 794:2:2 869:1:1
1020:1:1 1129:0:0 7462:0:0

10 deuce-to-seven high
1:1000:811 2:522:479 5:352:346 63:352:346 185:332:332 214:268:268 296:67:67 488:35:34 768:19:19 1989:19:19 2389:8:8
2766:8:8 2967:2:2 3707:2:2 3989:0:0 7462:0:0

10 ace-to-five low
1:1000:539 3:96:87 4:53:50 6:43:42 8:43:42 11:26:26 16:25:25 22:25:25 27:20:20 36:13:12 49:12:12 61:12:12 76:8:8
97:8:8 120:2:2 545:2:2 683:1:1 1537:1:1 2163:0:0 7462:0:0

10 ace-to-five high
1:1000:804 2:611:541 3:450:425 7:369:366 111:369:366 220:333:333 308:66:65 357:66:65 490:48:48 739:46:45 828:46:45
953:37:37 1218:26:26 1537:24:24 1927:24:24 2181:11:11 2616:11:11 2696:9:9 2785:9:9 2907:8:8 3072:1:1 4273:1:1 4552:0:0
7462:0:0

10 ace-to-six low
1:1000:548 2:136:124 4:77:72 8:41:39 12:41:39 17:37:35 24:32:32 28:23:23 36:20:20 52:16:16 61:11:11 76:10:9 100:5:5
123:5:5 145:4:4 188:2:2 466:2:2 536:1:1 828:1:1 949:0:0 7462:0:0

10 ace-to-six high
1:1000:775 2:558:490 4:429:404 8:318:317 130:318:317 239:259:259 328:93:93 406:55:54 884:55:54 1131:32:32 1443:30:30
1984:30:30 2279:13:13 2797:13:13 2930:10:10 3089:2:2 4014:2:2 4235:1:1 4520:0:0 7462:0:0

10 deuce-to-six low
1:1000:564 2:151:139 4:88:75 7:65:62 11:42:40 17:19:18 24:19:18 35:6:6 49:5:5 58:5:5 77:3:3 284:3:3 376:2:2 457:1:1
1371:1:1 1725:0:0 7462:0:0

10 deuce-to-six high
1:1000:680 2:420:346 3:250:236 7:206:203 191:206:203 285:59:58 336:59:58 477:40:40 781:16:15 974:13:13 1975:13:13
2380:12:12 2528:12:12 2636:9:9 2809:3:3 3061:2:2 3322:2:2 3483:1:1 3672:1:1 3910:0:0 7462:0:0
"""
