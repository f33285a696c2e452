"""Defense: the sheet's number, bindings and stance (A4, A5, ND9)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.ports.rules import rule
from rules.d20_arena.records import STANDING
from rules.d20_arena.tables import Tables

#: What a fighter did with its turn, as far as stance is concerned.
ENGAGED, EVADING = "engaged", "evading"

#: A battle has only a few footings and leg levels; more of them are worked out each time.
_MOST_KEPT = 256

_NO_PENALTY = frozenset((0,))

#: A stance with what was done in it: (`standing` or `moving`, `engaged` or `evading`).
Footing = tuple[str, str]


def leg_penalties(level: int, tables: Tables) -> frozenset[int]:
    """What a leg level changes in Defense; a level that the table does not list may count as the one below it."""
    if level <= 0:
        return _NO_PENALTY
    rows = tables.penalties("legs")
    if level in rows:
        return frozenset((rows[level].get("defense", 0),))
    below = [listed for listed in rows if listed < level]
    return frozenset((0, rows[max(below)].get("defense", 0))) if below else frozenset((0,))


@rule("A4", cites="2 - Move: Dodging/Moving")
def evading_bonus(did: str, leg_level: int, tables: Tables) -> int:
    """On the move, +2 Defense for a turn of nothing but struggles or self skills, unless hobbled or worse."""
    return tables.evading if did == EVADING and leg_level < tables.hobbled_from else 0


@rule("A5", cites="2 - Move: Standing Still")
def standing_penalties(leg_level: int, tables: Tables) -> frozenset[int]:
    """Standing still costs 3 Defense until the next turn, 2 with a leg binding penalty.

    Nor may a melee skill be used on a moving target that has not meleed the fighter; but two struggles
    are allowed in that turn. A leg level of 1 or more is a leg binding penalty; where the table starts
    hobbling later, both numbers are admitted in between.
    """
    if leg_level < 1:
        return frozenset((tables.standing,))
    if leg_level < tables.hobbled_from:
        return frozenset((tables.standing, tables.standing_bound))
    return frozenset((tables.standing_bound,))


def defenses(base: int, footings: Iterable[Footing], levels: Iterable[int], tables: Tables) -> frozenset[int]:
    """Every Defense that sheet, footing and leg level admit."""
    key = frozenset(footings), frozenset(levels)
    changes = tables.changes.get(key)
    if changes is None:
        changes = _changes(*key, tables)
        if len(tables.changes) < _MOST_KEPT:
            tables.changes[key] = changes
    return frozenset([base + change for change in changes])


def _changes(footings: frozenset[Footing], levels: frozenset[int], tables: Tables) -> frozenset[int]:
    """All that footing and leg level may add to the sheet's Defense."""
    found: set[int] = set()
    for level in levels:
        penalties = leg_penalties(level, tables)
        for stance, did in footings:
            change = standing_penalties(level, tables) if stance == STANDING else {evading_bonus(did, level, tables)}
            found |= {penalty + step for penalty in penalties for step in change}
    return frozenset(found)


def melee_allowed(stance: str, melee: bool, met: bool) -> bool:
    """Standing still, a melee skill reaches a moving target only if that one has meleed the fighter before (A5)."""
    return stance != STANDING or not melee or met
