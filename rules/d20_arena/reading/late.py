"""Links that stand behind a whole tag or line instead of behind their roll (G8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.model.claims import WrittenRoll
from referee.model.text import Anchor, Script
from rules.d20_arena.records import Escape, Mend, Part, Strike, Sum, Throw, TrapRoll


def with_loose_links(script: Script, data: Any, span: tuple[int, int], end: int) -> Any:
    """The record with links at the end of its tag or line, or below it, put to the rolls that have none."""
    throws = throws_of(data)
    bare = [throw for throw in throws if not throw.written.anchors]
    if not bare:
        return data
    taken = {anchor for throw in throws for anchor in throw.written.anchors}
    loose = [anchor for anchor in script.anchors_in(span[0], end) if anchor not in taken]
    if not taken:
        loose += [anchor for anchor in script.anchors_after(span[1]) if anchor not in loose]
    dealt = _deal(bare, tuple(loose))
    return dealt_anew(data, dealt) if dealt else data


def throws_of(data: Any) -> list[Throw]:
    """Every throw in a record, in the order of writing."""
    sums = _SUMS.get(type(data))
    return [throw for read in sums(data) if read is not None for throw in read.throws] if sums is not None else []


#: The written sums of the records that hold any (None where one is not written), in the order of writing.
_SUMS: dict[type, Callable[[Any], tuple[Sum | None, ...]]] = {
    Strike: lambda data: (data.hit, data.damage, data.binding, data.save and data.save.roll),
    Part: lambda data: (data.damage, data.binding, data.save and data.save.roll, data.crit),
    Escape: lambda data: (data.roll,),
    TrapRoll: lambda data: (data.roll,),
    Mend: lambda data: (data.heal,),
}


def _deal(bare: list[Throw], loose: tuple[Anchor, ...]) -> dict[int, tuple[Anchor, ...]]:
    """Which loose links go to which throw: one each, one a die, or all to the only one."""
    if not loose:
        return {}
    if len(bare) == 1:
        return {id(bare[0]): loose}
    if len(loose) >= len(bare) and len(loose) != sum(_dice(throw) for throw in bare):
        return {id(throw): (anchor,) for throw, anchor in zip(bare, loose, strict=False)}
    dealt, place = {}, 0
    for throw in bare:
        dealt[id(throw)] = loose[place : place + _dice(throw)]
        place += _dice(throw)
    return dealt


def _dice(throw: Throw) -> int:
    return sum(int(expression.split("d")[0] or 1) for expression in throw.expressions)


def dealt_anew(data: Any, dealt: dict[int, tuple[Anchor, ...]]) -> Any:
    """The record with the links put to their throws; `dealt`: links by the identity of the throw."""

    def linked(read: Sum) -> Sum:
        return read._replace(throws=tuple(_linked(throw, dealt) for throw in read.throws))

    if isinstance(data, Strike | Part):
        names = [name for name in ("hit", "damage", "binding", "crit") if getattr(data, name, None) is not None]
        changes: dict[str, Any] = {name: linked(getattr(data, name)) for name in names}
        if data.save is not None and data.save.roll is not None:
            changes["save"] = data.save._replace(roll=linked(data.save.roll))
        return data._replace(**changes)
    if isinstance(data, Escape | TrapRoll):
        return data._replace(roll=linked(data.roll))
    return data._replace(heal=linked(data.heal)) if isinstance(data, Mend) else data


def _linked(throw: Throw, dealt: dict[int, tuple[Anchor, ...]]) -> Throw:
    anchors = dealt.get(id(throw))
    if anchors is None:
        return throw
    return throw._replace(written=WrittenRoll(throw.written.values, anchors, throw.written.expression))
