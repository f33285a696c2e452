"""Rulebook 3.C.c: damage rolls (E8, E9)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.ports.rules import rule
from rules.enolaptia.formula import Formula


@rule("E8", cites="3.C.c Damage rolls")
def attack_damage(at: int, dice: Sequence[int]) -> frozenset[int] | None:
    """A normal attack: 1 misses, 2 deals a third of AT, 3 or 4 half, 5 or 6 the whole.

    On a 6 a second die is rolled: another 6 doubles AT, anything else leaves it. The rulebook is
    silent on rounding: a third or a half may go down or up. A 6 without its second roll leaves both
    open.
    """
    # None: the die is none of these.
    if not dice or not 1 <= dice[0] <= 6:
        return None
    die = dice[0]
    if die == 1:
        return frozenset((0,))
    if die <= 4:
        part = 3 if die == 2 else 2
        return frozenset((at // part, -(-at // part)))
    if die == 5:
        return frozenset((at,))
    if len(dice) == 1:
        return frozenset((at, 2 * at))
    return frozenset((2 * at,)) if dice[1] == 6 else frozenset((at,))


def second_roll_missing(dice: Sequence[int]) -> bool:
    """Whether a 6 stands without the second roll that it calls for (E8)."""
    return len(dice) == 1 and dice[0] == 6


@rule("E9", cites="3.C.c Damage rolls, last sentence")
def ability_damage(formula: Formula, dice: Sequence[int], at: int) -> int | None:
    """Spells have damage systems of their own, in the tables; so have specials and skills.

    So does a creature's own move.
    """
    # None: the number of dice is not the formula's.
    if len(dice) != len(formula.sides):
        return None
    return max(0, formula.total(dice, at))
