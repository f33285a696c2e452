"""Stats: Deus plus Angel plus equipment, what rounds of defence do to them (D1, D2, D7, D9, D10, D16)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.ports.rules import rule
from rules.angel_dolls.tables import Gear, Numbers


@rule("D1", cites="six stats")
def basic_stat(deus: int, angel: int, generator: int) -> int:
    """A stat is the Deus's plus the Angel's, plus what the generator adds (D16), plus equipment (D7)."""
    return deus + angel + generator


@rule("D2", cites="Affinities")
def affinity(sheet: Mapping[str, int], element: str) -> int | None:
    """Eight affinities, each may be negative: Fire, Water, Earth, Air, Lightning, Ice, Light, Dark."""
    # None: the sheet does not say.
    return sheet.get(element)


@rule("D7", cites="Hitting (the claws of the example)")
def with_gear(stat: str, value: int, gear: tuple[Gear, ...]) -> int:
    """Usable weapons and accessories add to the stats."""
    for piece in gear:
        value += piece.stats.get(stat, 0)
    return value


@rule("D9", cites="Full Defense")
def fully_defended(value: int, numbers: Numbers) -> frozenset[int]:
    """In a round of Full Defense no attack; Durability, Reflexes and Resistance are half as high again.

    The half is rounded either way.
    """
    return _percent(value, numbers.full_defense)


@rule("D10", cites="Simultaneous Attacks")
def halved(value: int, numbers: Numbers) -> frozenset[int]:
    """In a simultaneous strike both defend with half, rounded either way, and the first attacker hits automatically."""
    return _percent(value, numbers.simultaneous)


def _percent(value: int, percent: int) -> frozenset[int]:
    return frozenset({value * percent // 100, -(-value * percent // 100)})


@rule("D16", cites="Dolls and generators")
def generator_bonus(hp: int, numbers: Numbers) -> int | None:
    """Dolls fall at 0 HP; the generator sets their HP and what is added to all six stats.

    Basic is 200 HP; 100 HP add 10, 150 HP 5, 250 HP take 5 off, 300 HP 10, where the table says nothing else.
    """
    # None: the table lacks such a generator.
    return numbers.generators.get(hp)
