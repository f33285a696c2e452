"""Chapter 3.10 and 3.13: base damage, modifiers and their division over the hits (S22 to S27)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from referee.ports.rules import rule
from rules.shinobi.sums import Sums, only, ways
from rules.shinobi.tables import Data


@rule("S22", cites="3.10 Basic Attacks")
def basic_cost(data: Data, base: int | None) -> int:
    """Stamina of one basic attack: 5, and as much more as its base damage is raised above 5."""
    raised = 0 if base is None else max(0, base - data.basic_damage)
    return data.basic_stamina + raised


@rule("S23", cites="3.10 Basic Attacks")
def basic_bonus(data: Data, taijutsu: int) -> int:
    """The bonus of all basic attacks of a turn together: 5 for each full 30 Taijutsu."""
    return data.basic_bonus * (max(0, taijutsu) // data.basic_step)


@rule("S24", cites="3.13 Multiple Strikes and Modifier Division")
def net_modifier(data: Data, offense: int, defense: int) -> Fraction:
    """The modifier of an attack: a quarter of offensive less defensive stat; it may lower damage."""
    return Fraction(offense - defense, data.divisor)


@rule("S25", cites="3.13 Multiple Strikes and Modifier Division")
def share_per_hit(modifier: Fraction | int, hits: int) -> int:
    """One modifier is divided by the number of hits and added to every hit, each share rounded up."""
    return -(-modifier.numerator // (modifier.denominator * hits))


def net_shares(data: Data, offense: int, defense: int, hits: int) -> Sums:
    """Shares per hit with the net modifier exact, rounded down or rounded up (NS12)."""
    return _net_shares(data.divisor, offense, defense, hits, data.modifier_rounding)


@lru_cache(maxsize=4096)
def _net_shares(divisor: int, offense: int, defense: int, hits: int, rounding: str) -> Sums:
    net = Fraction(offense - defense, divisor)
    modifiers: tuple[Fraction | int, ...] = (net,) if rounding == "exact" else ways(net, rounding)
    if rounding == "any":
        modifiers = (net, *modifiers)
    listed = {share_per_hit(modifier, hits) for modifier in modifiers}
    return Sums.among(listed)


def basic_shares(data: Data, taijutsu: Iterable[int], hits: int) -> Sums:
    """Shares per hit of basic attacks."""
    bonuses = [basic_bonus(data, value) for value in taijutsu]
    if len(bonuses) == 1:
        return only(share_per_hit(bonuses[0], hits))
    return Sums.among(share_per_hit(bonus, hits) for bonus in bonuses)


@rule("S26", cites="3.03 Main Phase, damage tag")
def written_sum(base: int, share: int) -> int:
    """A damage tag that shows its arithmetic must add up; a hit never deals less than 0."""
    return max(0, base + share)


def single_bonus(data: Data, stat: int, hits: int) -> frozenset[int]:
    """A bonus of the long form: a quarter of the stat, split over the hits, rounded down or up (NS12)."""
    exact = Fraction(stat, data.divisor * hits)
    return frozenset((floor(exact), ceil(exact)))


def parted_shares(data: Data, offense: int, defense: int, hits: int) -> frozenset[int]:
    """Shares per hit with both bonuses rounded and split one by one: accepted where a tag shows both (NS12)."""
    ours, theirs = Fraction(offense, data.divisor), Fraction(defense, data.divisor)
    found = set()
    for a in {floor(ours), ceil(ours)}:
        for d in {floor(theirs), ceil(theirs)}:
            found |= {share_per_hit(a - d, hits), share_per_hit(a, hits) - share_per_hit(d, hits)}
    return frozenset(found)


@rule("S27", cites="3.13 Multiple Strikes and Modifier Division")
def too_many_hits(data: Data, hits: int) -> bool:
    """A technique usually has no more than five hits: advice, so at most a notice."""
    return hits > data.many_hits


def scaled(amount: int, factor: Fraction, rounding: str = "either") -> tuple[int, ...]:
    """Damage under a status effect's factor, rounded down or up (NS35)."""
    return ways(amount * factor, rounding)
