"""Rulebook 3.C.a: who moves when in a battle turn (E3, E4)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.ports.rules import rule

MOVES_A_TURN = 1


@rule("E3", cites="3.C.a Determine the order")
def first_too_slow(speeds: Sequence[int | None]) -> int | None:
    """The highest Speed moves first, anew in every battle turn.

    Entries of equal Speed may stand in any order, but a tie between a creature and a character is rolled for.
    """
    # The place of the first entry that is out of order, None where all is in order; unknown Speeds are passed over.
    last: int | None = None
    for place, speed in enumerate(speeds):
        if speed is None:
            continue
        if last is not None and speed > last:
            return place
        last = speed
    return None


@rule("E3", cites="3.C.a Determine the order, ties")
def creature_goes_first(die: int) -> bool:
    """A tie between a creature and a character: the creature goes first on 1 to 3, the character on 4 to 6.

    Between characters, and between creatures, the party chooses. In duels and spars characters that
    tie roll a d6 too; which number means whom the rulebook leaves open.
    """
    return die <= 3


@rule("E4", cites="3.C.b Attack")
def moves_allowed() -> int:
    """One move in a battle turn: a normal attack, a spell, a potion, a special, a skill or a try to run."""
    return MOVES_A_TURN
