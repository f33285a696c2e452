"""Rulebook 3.C.b and 3.C.f: leaving a battle (E5, E11)."""

from __future__ import annotations

from referee.ports.rules import rule


@rule("E5", cites="3.C.b Attack; 3.C.f: not from bosses")
def escapes(die: int, boss_stands: bool) -> bool:
    """A try to run succeeds on 5 or 6; from a boss nobody runs, whatever the roll."""
    return die >= 5 and not boss_stands


@rule("E11", cites="3.C.f Teleporting in and out of battle")
def may_teleport(battle_on: bool) -> bool:
    """Nobody teleports to another map or town out of a battle.

    The party stone brings a member into a battle that somebody of the party fights; it never takes
    one out.
    """
    return not battle_on
