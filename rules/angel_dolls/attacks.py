"""Attacks: checks, hits, damage, affinities, chains, points (D3 to D6, D8, D17)."""

from __future__ import annotations

from collections.abc import Collection

from referee.ports.rules import rule
from rules.angel_dolls.tables import Numbers

HIT = frozenset({"hit"})
MISS = frozenset({"miss"})


@rule("D3", cites="How the system works")
def check_total(stat: int, modifiers: int, random: int) -> int:
    """Every check compares two sides: the stat, its modifiers and its own random number from 1 to 50."""
    return stat + modifiers + random


@rule("D4", cites="Hitting")
def hits(attacker: int, defender: int) -> frozenset[str]:
    """The higher total hits; equal totals are not settled, hit and miss are both accepted."""
    if attacker == defender:
        return HIT | MISS
    return HIT if attacker > defender else MISS


@rule("D5", cites="Damaging")
def physical_damage(attacker: int, defender: int) -> int:
    """Physical damage is the Strength side less the Durability side; not above 0, it glances off."""
    return max(0, attacker - defender)


@rule("D6", cites="Affinities")
def elemental_damage(attacker: int, defender: int, own: int, other: int) -> frozenset[int]:
    """Magic above Resistance, plus the attacker's affinity, less the defender's, never below 0.

    Where Resistance is not beaten the rulebook is silent: nothing, the affinities alone, or the
    difference with them.
    """
    difference = attacker - defender
    full = max(0, difference + own - other)
    if difference > 0:
        return frozenset({full})
    return frozenset({0, max(0, own - other), full})


@rule("D8", cites="Chain Attacks")
def chain_penalties(attacks: int, numbers: Numbers) -> list[int]:
    """A chain of attacks owes penalties, each on one of its attacks: 10 for the second, 20 for the third ..."""
    return [numbers.chain_step * place for place in range(1, min(attacks, 60))]


@rule("D17", cites="Rewards")
def points_allowed(points: int, numbers: Numbers) -> bool:
    """The judge gives each trainer 0 to 5 Trainer Points."""
    return numbers.points_min <= points <= numbers.points_max


def pairs(left: Collection[int], right: Collection[int]) -> list[tuple[int, int]]:
    """Every pair of readings of two totals."""
    return [(a, b) for a in left for b in right]
