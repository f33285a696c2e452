"""Rulebook 1-B, as the rules page gives it: movement turns outside a battle (E15)."""

from __future__ import annotations

from referee.ports.rules import rule


@rule("E15", cites="1-B; 3.C.d: they go on after a battle")
def hexes(die: int) -> int:
    """A movement turn: one hex on 1 or 2, two on 3 or 4, three on 5 or 6.

    Each character regains 2 magic in it, HP only through items. No form of writing it is settled, so
    the replay judges none and says so where a post has one; HP carry over to the next battle.
    """
    return (die + 1) // 2
