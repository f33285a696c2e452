"""Stats: Deus plus Angel plus equipment, what rounds of defence do to them (D1, D2, D7, D9, D10, D16)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.ports.rules import rule
from rules.angel_dolls.tables import Gear, Numbers


@rule("D1", cites="six stats")
def basic_stat(deus: int, angel: int, generator: int) -> int:
    """A stat is the Deus's plus the Angel's, plus what the generator adds (D16), before equipment."""
    return deus + angel + generator


@rule("D2", cites="Affinities")
def affinity(sheet: Mapping[str, int], element: str) -> int | None:
    """The doll's total affinity to an element; None where the sheet does not say."""
    return sheet.get(element)


@rule("D7", cites="Hitting (the claws of the example)")
def with_gear(stat: str, value: int, gear: tuple[Gear, ...]) -> int:
    """A stat with what usable weapons and accessories add to it."""
    for piece in gear:
        value += piece.stats.get(stat, 0)
    return value


@rule("D9", cites="Full Defense")
def fully_defended(value: int, numbers: Numbers) -> frozenset[int]:
    """A defensive stat in a round of Full Defense: half as much again, rounded either way."""
    return _percent(value, numbers.full_defense)


@rule("D10", cites="Simultaneous Attacks")
def halved(value: int, numbers: Numbers) -> frozenset[int]:
    """A defensive stat in a simultaneous strike: half, rounded either way."""
    return _percent(value, numbers.simultaneous)


def _percent(value: int, percent: int) -> frozenset[int]:
    return frozenset({value * percent // 100, -(-value * percent // 100)})


@rule("D16", cites="Dolls and generators")
def generator_bonus(hp: int, numbers: Numbers) -> int | None:
    """What a generator of that many HP adds to all six stats; None where the table lacks it."""
    return numbers.generators.get(hp)
