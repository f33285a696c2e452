"""Rulebook 3.C.b: potions (E10)."""

from __future__ import annotations

from referee.ports.rules import rule


@rule("E10", cites="3.C.b Attack, last sentence")
def potion_reaches(same_side: bool, in_battle: bool) -> bool:
    """A potion is for a member of the own party who is in the battle, never for an enemy."""
    return same_side and in_battle


def gains_written(heal: int, room: int | None) -> frozenset[int]:
    """The gains that a post may write for a potion: the full one, or what the maximum leaves room for (X23)."""
    if room is None or room >= heal:
        return frozenset((heal,))
    return frozenset((heal, max(0, room)))
