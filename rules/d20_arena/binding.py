"""Bind levels as plain arithmetic: adding, removing, spilling over, escaping (A12, A13, A15)."""

from __future__ import annotations

from typing import NamedTuple

from referee.ports.rules import rule
from rules.d20_arena.tables import Tables

#: Where levels above the highest go (A15); those on the arms go nowhere that the text names.
SPILL = {"legs": "torso", "torso": "legs", "head": "torso"}


class Bound(NamedTuple):
    """A bind level after a change, and how many levels went over the top."""

    level: int
    over: int = 0


def bound_by(level: int, added: int, tables: Tables) -> Bound:
    """The level after `added` more: never above the highest; the rest may spill over (A15, X10)."""
    total = level + max(0, added)
    if total <= tables.bind_max or level > tables.bind_max:
        return Bound(max(total, level) if level <= tables.bind_max else level)
    return Bound(tables.bind_max, total - tables.bind_max)


def freed_by(level: int, removed: int) -> int:
    """The level after a binding that failed critically: its levels come off, never below 0 (A13)."""
    return max(0, level - removed)


class Freed(NamedTuple):
    """What an escape roll does: the level afterwards, and whether a spare level comes off elsewhere."""

    level: int
    spare: bool = False


@rule("A15", cites="4 - Action: Escaping, Escape Tables")
def escaped(level: int, roll: int, die: int, tables: Tables) -> Freed | None:
    """An escape roll is read in the escape table's row of the level; the highest row reached counts.

    A helper reads the same row with 4 more, less the penalty of its own arms. A natural 20 takes one
    level more on any band but the highest of the classic table; what the area no longer has comes off
    another bound area of the same fighter. Levels above 8 spill over: legs to torso, torso to legs, head to
    torso.
    """
    # None: the table has no row for this level.
    if level <= 0:
        return Freed(0)
    row = tables.escapes.rows.get(level)
    if row is None:
        return None
    reached = [lowest for lowest in row if lowest <= roll]
    lost = row[max(reached)] if reached else 0
    extra = tables.escapes.extra if die == 20 and not (tables.escapes.banded and level >= 8) else 0
    return Freed(max(0, level - lost - extra), bool(extra) and lost + extra > level)


def help_penalty(arm_level: int, tables: Tables) -> frozenset[int]:
    """What bound arms take off a help roll (A15); an unlisted level may count as the one below it."""
    if arm_level <= 0:
        return frozenset((0,))
    rows = tables.penalties("arms")
    if arm_level in rows:
        return frozenset((rows[arm_level].get("help", 0),))
    below = [listed for listed in rows if listed < arm_level]
    return frozenset((0, rows[max(below)].get("help", 0))) if below else frozenset((0,))
