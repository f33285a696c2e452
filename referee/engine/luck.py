"""The luck of verified dice: how far a row of rolls lies from what fair dice give. Pure; no verdict on anybody.

Every die counts by its mid-rank: the share of its faces below the one that came, and half of that one. With fair dice
the mid-rank is a half on average, whatever the die, so a d100 and a d6 stand in one row. High is taken as lucky: in
every system a high die is good for whoever rolled it.

Evidence is an e-process: a bet of 1 against fair dice that pays fairly, spread over nine stakes. A fair roller's
evidence reaches E at any time with a probability of at most 1/E (Ville's inequality), so it may be looked at after
every roll, which an ordinary test must not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from referee.engine.further import Used

#: The stakes over which the bet is spread: parts of the sum at hand that are put on a high die.
STAKES = tuple(part / 10 for part in range(1, 10))
#: More than this is not told: nobody tells such numbers apart.
MOST = 1e9
#: At this level of wrong alarms among those that stand out, several rollers at once are compared.
LEVEL = 0.05


class Throw(NamedTuple):
    """One verified die. `account`: who posted it, `character`: for whom; `at`: when it was rolled (else posted)."""

    account: str
    character: str | None
    value: int
    sides: int
    at: datetime | None
    post: str


@dataclass(frozen=True, slots=True)
class Luck:
    """What a row of dice gives. `mean`: of the mid-ranks, 0 to 1, with fair dice near a half. `evidence`: after the
    last die, `peak`: the most that it ever was, after `peak_rolls` dice.
    """

    rolls: int
    mean: float
    evidence: float
    peak: float
    peak_rolls: int


def throws_of(uses: Iterable[Used]) -> tuple[Throw, ...]:
    """The dice of uses that went through, each once; a die of unknown sides, or outside them, is none."""
    found: dict[tuple[str, int], Throw] = {}
    for used in uses:
        post = used.use.entry.post
        at = next((record.at for record in used.records if record.at is not None), post.at)
        for die in used.dice:
            if 1 <= die.value <= die.sides and die.sides > 1:
                throw = Throw(post.author, used.use.character, die.value, die.sides, at, post.id)
                found.setdefault((die.link, die.place), throw)
    return tuple(found.values())


def mid_rank(value: int, sides: int) -> float:
    """The share of a die's faces below a value, and half of that one: 0 to 1."""
    return (value - 0.5) / sides


def luck_of(throws: Iterable[Throw]) -> Luck:
    """The luck of dice in the order in which they were rolled."""
    logs = [0.0] * len(STAKES)
    rolls, total, evidence, peak, peak_rolls = 0, 0.0, 1.0, 1.0, 0
    for throw in throws:
        rank = mid_rank(throw.value, throw.sides)
        rolls, total = rolls + 1, total + rank
        logs = [log + math.log1p(stake * (2 * rank - 1)) for log, stake in zip(logs, STAKES, strict=True)]
        evidence = _mean_of(logs)
        if evidence > peak:
            peak, peak_rolls = evidence, rolls
    return Luck(rolls, total / rolls if rolls else 0.5, evidence, peak, peak_rolls)


def _mean_of(logs: list[float]) -> float:
    """The mean of numbers that are given by their logarithms, at the most `MOST`."""
    top = max(logs)
    log = top + math.log(sum(math.exp(one - top) for one in logs) / len(logs))
    return math.exp(min(log, math.log(MOST)))


def standing_out(evidence: Mapping[str, float], level: float = LEVEL) -> frozenset[str]:
    """Who stands out among all who were looked at (e-BH): at the most `level` of them by chance, on average."""
    ranked = sorted(evidence, key=lambda name: (-evidence[name], name))
    count = len(ranked)
    most = max((k for k in range(1, count + 1) if evidence[ranked[k - 1]] >= count / (level * k)), default=0)
    return frozenset(ranked[:most])
