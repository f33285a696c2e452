"""Chapter 3.11 and 3.12: dodging, blocking, criticals, the chance to hit (S10 to S14)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from referee.ports.rules import rule
from rules.shinobi.sums import NOTHING, Sums, quotients, ways
from rules.shinobi.tables import Critical, Data, Formula

DODGED, BLOCKED, HIT, CRITICAL = "dodged", "blocked", "hit", "critical"


@rule("S10", cites="3.01 Response, 3.12 Blocking")
@lru_cache(maxsize=16384)
def outcomes(roll: int, chance: int, block: int, sure: int, doubtful: int, ghost: bool) -> frozenset[str]:
    """One d100 for each hit: above the chance dodges, the 5 up to the chance block, lower is hit, a 1 is a critical.

    A roll in the Critical Range (wider with Concentration and skills) is a critical first of all. Skills and
    techniques may widen the Block Range. Ghost Damage in the Block Range hits.
    """
    # `sure`, `doubtful`: the Critical Range without and with what the rulebook leaves open for weapons (NS39).
    if roll <= sure:
        return frozenset((CRITICAL,))
    plain = DODGED if roll > chance else BLOCKED if roll > chance - block else HIT
    if plain == BLOCKED and ghost:
        plain = HIT
    return frozenset((plain, CRITICAL)) if roll <= doubtful else frozenset((plain,))


@rule("S11", cites="3.12 Blocking")
def blocked_damage(total: int) -> int:
    """A blocked hit deals half its total damage, rounded down. Ghost Damage is never blocked."""
    return total // 2


@rule("S12", cites="3.11 Critical Hits")
def critical_damage(total: int, factor: Fraction, rounding: str = "either") -> tuple[int, ...]:
    """A critical hit deals one and a half times its total damage, once. A half may go either way."""
    return ways(total * factor, rounding)


@rule("S13", cites="3.11 Critical Hits")
def critical_range(data: Data, concentration: int, passive: int, active: int) -> int:
    """The highest roll that is a critical: 1, one per full 100 Concentration (Taijutsu), and skills.

    With activated skills it is at most the cap for active effects; the cap for passive ones is a
    table value without a default.
    """
    reach = data.critical_range + concentration // data.concentration_step + passive
    if data.passive_cap is not None:
        reach = min(reach, data.passive_cap)
    cap = data.critical_cap
    return min(reach + active, cap) if active and cap is not None else reach


@rule("S14", cites="3.07 Death and Unconsciousness")
def chances_by_formula(
    formula: Formula, cap: int, accuracy: Iterable[int], evasion: Iterable[int], bonuses: Iterable[int]
) -> frozenset[int]:
    """The chance to hit is at most 90; against the unconscious it is exactly that.

    Where a board configures a formula: base + (attacker's stat - target's stat) / divisor, rounded down or up,
    plus status effects and rulings. Without one only the cap and consistency are checked.
    """
    found = set()
    targets = tuple(evasion)
    extras = tuple(bonuses)
    for ours in accuracy:
        for theirs in targets:
            for whole in quotients(ours - theirs, formula.divisor, formula.rounding):
                found |= {min(cap, max(formula.least, formula.base + whole + extra)) for extra in extras}
    return frozenset(found)


def landed(amount: Sums, word: str, critical: Critical) -> Sums:
    """The damage of one hit by its outcome."""
    if word == HIT:
        return amount
    if word == DODGED:
        return NOTHING
    if word == BLOCKED:
        return amount.each(lambda total: (blocked_damage(total),))
    return amount.each(lambda total: critical_damage(total, *critical))


def unrolled(hit: Sums, critical: Critical) -> Sums:
    """A hit without its roll: taken in full, left out, or as a roll that is missing here gave it (G15)."""
    others = {value for word in (BLOCKED, CRITICAL) for value in landed(hit, word, critical).accepted}
    return Sums.among(hit.accepted, {0, *others})


def hurts(word: str) -> bool:
    """Whether an outcome brings the effects of a hit (NS17, NS35): a dodge or block does not."""
    return word in (HIT, CRITICAL)
