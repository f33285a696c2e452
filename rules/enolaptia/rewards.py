"""Rulebook 3.C.d and 3.C.e: item drops and EXP (E12, E13)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.ports.rules import rule


@rule("E12", cites="3.C.d Item drops")
def drops_something(total: int) -> bool:
    """For each creature killed a d6: 1 to 3 nothing, 4 to 6 something; a second d6 names it on the map's list.

    Items may add to the first roll, never to the second.
    """
    return total >= 4


@rule("E13", cites="3.C.e Gaining EXP")
def exp_of(killed: Iterable[tuple[int, int]]) -> int:
    """Each creature killed gives the EXP of its kind."""
    return sum(number * each for number, each in killed)
