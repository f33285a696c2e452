"""Links of an attack that do not stand behind their own roll, dealt anew by what their records are of (G8).

`... 1d20+4 = 19 vs Defense 15, hit; damage 2d6+3 = 11 [roll] [roll]`: the first link may be the hit roll's. Only
where the links as they stand can't be right, and another order is right for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from referee.model.battle import RollRecord
from referee.model.dice import read_dice
from referee.model.text import Anchor
from rules.d20_arena.reading.late import dealt_anew, throws_of
from rules.d20_arena.records import Strike, Throw

Sides = tuple[int, ...]


def by_records(strike: Strike, records: Mapping[str, RollRecord] | None) -> Strike:
    """The attack with its links at the rolls of their dice; as it is where they fit, or fit nowhere."""
    if records is None:
        return strike
    throws = throws_of(strike)
    if len(throws) < 2 or all(len(throw.written.anchors) == 1 for throw in throws):
        return strike
    anchors = [anchor for throw in throws for anchor in throw.written.anchors]
    sides = {anchor: _sides(anchor, records) for anchor in anchors}
    if not anchors or len(sides) != len(anchors) or not all(sides.values()):
        return strike
    if all(_fits(throw, throw.written.anchors, sides) for throw in throws):
        return strike
    left, dealt = list(anchors), {}
    for throw in throws:
        found = _share(throw, left, sides)
        if found is None:
            return strike
        dealt[id(throw)] = found
        left = [anchor for anchor in left if anchor not in found]
    return strike if left else dealt_anew(strike, dealt)


def _sides(anchor: Anchor, records: Mapping[str, RollRecord]) -> Sides:
    """The dice of a link's record or of an in-post roll; empty where they are not known."""
    record = records.get(anchor.url or "") if anchor.url else None
    expression = record.expression if record is not None and record.status == "found" else anchor.dice
    read = read_dice(expression or "")
    return tuple(islice(read.sides, 100)) if read is not None else ()


def _due(throw: Throw) -> Sides:
    """The dice of a throw as written."""
    read = [read_dice(expression) for expression in throw.expressions]
    return tuple(side for dice in read if dice is not None for side in islice(dice.sides, 100))


def _fits(throw: Throw, anchors: tuple[Anchor, ...], sides: Mapping[Anchor, Sides]) -> bool:
    return sorted(side for anchor in anchors for side in sides[anchor]) == sorted(_due(throw))


def _share(throw: Throw, left: list[Anchor], sides: Mapping[Anchor, Sides]) -> tuple[Anchor, ...] | None:
    """The next links in a row that are just the dice of a throw."""
    for start in range(len(left)):
        for stop in range(start + 1, min(start + len(_due(throw)), len(left)) + 1):
            if _fits(throw, tuple(left[start:stop]), sides):
                return tuple(left[start:stop])
    return None


__all__ = ["by_records"]
