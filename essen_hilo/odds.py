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
        """
        assert low.rule is not None
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
    # Whoever beats all of some seats, beats each of them; so often, if they have nothing to do with one another.
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
    if place == len(curve):
        return 0.0, 0.0
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
1:1000:369 2:31:26 3:6:5 8:6:5 11:3:3 14:2:2 19:2:2 23:0:0 7462:0:0

13 deuce-to-seven high
1:1000:565 2:268:240 4:268:240 5:237:234 43:237:234 159:192:192 189:192:192 205:163:163 225:59:59 247:18:18 296:15:15
334:15:15 385:14:14 529:5:5 801:5:5 903:2:2 2137:2:2 2559:0:0 7462:0:0

13 ace-to-five low
1:1000:395 2:45:37 4:45:37 6:45:24 7:2:1 15:2:1 21:0:0 7462:0:0

13 ace-to-five high
1:1000:629 2:386:308 4:295:272 7:247:246 50:247:246 120:184:184 197:184:184 217:153:153 241:26:26 261:19:19 819:19:19
825:16:16 848:13:13 1436:13:13 1598:13:11 1605:5:5 2022:5:5 2621:3:3 2734:0:0 7462:0:0

13 ace-to-six low
1:1000:472 2:130:129 4:110:90 9:110:90 11:29:22 13:29:22 18:6:4 23:6:4 26:0:0 7462:0:0

13 ace-to-six high
1:1000:525 2:245:237 30:245:237 88:181:181 184:181:181 216:144:144 240:12:12 1601:12:12 1711:1:1 2462:1:1 2693:0:0
7462:0:0

13 deuce-to-six low
1:1000:356 2:22:18 3:8:5 4:8:5 5:2:2 7:2:2 10:1:1 16:1:1 23:0:0 7462:0:0

13 deuce-to-six high
1:1000:611 2:356:318 4:356:318 5:293:291 30:293:291 139:202:202 201:202:202 220:128:128 242:43:43 323:43:43 330:36:35
334:11:11 831:11:11 899:7:7 1584:7:7 1604:0:0 7462:0:0

10 deuce-to-seven low
1:1000:460 2:61:55 4:36:34 9:18:18 21:18:18 31:11:11 52:8:8 74:8:8 112:7:7 141:7:7 210:3:3 397:3:3 458:2:2 789:2:2
852:1:1 999:0:0 7462:0:0

10 deuce-to-seven high
1:1000:799 2:529:483 5:349:344 62:349:344 187:314:314 218:222:222 310:70:70 526:46:45 787:23:23 1016:18:18 1831:18:18
2000:13:13 2414:13:13 2558:7:7 2779:7:7 2989:2:2 3722:2:2 3975:0:0 7462:0:0

10 ace-to-five low
1:1000:538 3:100:90 4:60:56 6:45:43 8:45:43 11:27:27 23:27:27 29:16:16 39:16:16 53:12:11 65:12:11 82:8:8 105:7:7
126:3:3 152:2:2 199:2:2 243:1:1 360:1:1 449:0:0 7462:0:0

10 ace-to-five high
1:1000:802 2:610:542 3:464:440 7:392:389 113:392:389 221:323:323 312:79:79 364:60:60 504:50:49 834:50:49 988:32:32
1252:23:23 1929:23:23 2156:8:8 2773:8:8 2892:5:5 3049:1:1 3975:1:1 4196:0:0 7462:0:0

10 ace-to-six low
1:1000:539 2:136:120 4:72:68 8:52:49 12:39:38 17:31:31 29:31:31 38:17:17 61:17:17 75:14:14 99:8:8 123:8:8 145:5:5
187:5:5 231:4:4 258:4:4 319:3:3 411:3:3 465:1:1 826:1:1 949:0:0 7462:0:0

10 ace-to-six high
1:1000:783 2:563:494 4:429:407 8:313:311 131:313:311 237:237:237 326:94:93 405:57:56 813:57:56 875:56:55 1107:31:31
1420:29:29 1976:29:29 2273:14:13 2703:14:13 2800:10:10 2933:10:10 3089:3:3 3832:3:3 4017:2:2 4232:0:0 7462:0:0

10 deuce-to-six low
1:1000:567 3:152:139 4:86:75 7:77:73 11:37:36 18:17:16 25:17:16 37:9:8 50:4:4 84:4:4 111:2:2 309:2:2 408:1:1 1443:1:1
1923:0:0 7462:0:0

10 deuce-to-six high
1:1000:675 2:422:354 3:233:219 7:222:219 190:222:219 284:63:61 335:61:60 476:31:31 777:17:17 956:13:13 1277:12:12
1971:12:12 2385:10:10 2638:10:10 2809:4:4 3063:1:1 3668:1:1 3905:0:0 7462:0:0
"""
