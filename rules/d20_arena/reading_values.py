"""What of a record is compared between two revisions of a post: numbers, actions, targets, rolls (G20)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.model.claims import Value
from rules.d20_arena.reading_late import throws_of
from rules.d20_arena.records import (
    Announce,
    Count,
    Escape,
    HitPoints,
    Levels,
    Mend,
    Move,
    Part,
    Reaction,
    SheetLine,
    Strike,
    Sum,
    TrapRoll,
    Use,
)


def values_of(data: object) -> tuple[str, Mapping[str, Value]]:
    """The kind of a record and its comparable values, the most telling total first."""
    kind, read = _READERS[type(data)](data)
    values = {key: value for key, value in read.items() if value is not None}
    throws = throws_of(data)
    if throws:
        dice = [value for throw in throws for value in throw.written.values]
        links = [a.url or f"{a.dice} {list(a.values)}" for throw in throws for a in throw.written.anchors]
        if dice:
            values["dice"] = dice
        if links:
            values["rolls"] = links
    return kind, values


def _names(targets: tuple[str, ...]) -> dict[str, Value]:
    if len(targets) < 2:
        return {"target": targets[0]} if targets else {}
    return {f"target {index + 1}" if index else "target": name for index, name in enumerate(targets)}


def _sum(name: str, read: Sum | None) -> dict[str, Value]:
    if read is None:
        return {}
    return {name: read.total, f"{name} bonus": read.bonus or None}


def _levels(levels: Levels | None) -> dict[str, Value]:
    if levels is None:
        return {}
    return {"level": levels.to, "level before": levels.old, "area": levels.area, "spill-over": levels.spill_to}


def _strike(strike: Any) -> tuple[str, dict[str, Value]]:
    save = strike.save
    values: dict[str, Value] = {
        **_sum("damage", strike.damage),
        **_levels(strike.levels),
        **_sum("total", strike.hit),
        "defense": list(strike.defense) if len(strike.defense) > 1 else (strike.defense or (None,))[0],
        "outcome": strike.outcome,
        "ability": strike.ability,
        **_names(strike.targets),
        "actor": strike.actor,
        "save": None if save is None or save.resisted is None else ("resisted" if save.resisted else "failed"),
    }
    return ("free attack" if strike.free else "attack"), values


def _mend(mend: Any) -> tuple[str, dict[str, Value]]:
    return "heal", {**_sum("heals", mend.heal), "ability": mend.ability, **_names(mend.targets), "actor": mend.actor}


def _use(use: Any) -> tuple[str, dict[str, Value]]:
    return "use", {"ability": use.ability or "none", **_names(use.targets), "actor": use.actor}


def _escape(escape: Any) -> tuple[str, dict[str, Value]]:
    values: dict[str, Value] = {
        "level": escape.new,
        "level before": escape.old,
        **_sum("roll", escape.roll),
        "area": escape.area,
        "helped": escape.helped,
        "actor": escape.actor,
        "spare": escape.spare_new,
        "spare area": escape.spare_area,
    }
    return ("help" if escape.helped else "struggle"), values


def _reaction(reaction: Any) -> tuple[str, dict[str, Value]]:
    values: dict[str, Value] = {"after": reaction.after, "before": reaction.before, "change": reaction.change}
    return "reaction", {**values, "ability": reaction.ability, "actor": reaction.actor}


def _announce(announce: Any) -> tuple[str, dict[str, Value]]:
    return "announce", {
        "action": announce.ability or announce.what,
        **_names(announce.targets),
        "actor": announce.actor,
    }


def _trap(trap: Any) -> tuple[str, dict[str, Value]]:
    return "trap", {**_sum("roll", trap.roll), "sprung": None if trap.sprung is None else str(trap.sprung)}


def _hp(hp: Any) -> tuple[str, dict[str, Value]]:
    return "hp", {"hp": hp.now, "of": hp.most, "defense": hp.defense, "name": hp.name}


def _sheet(sheet: Any) -> tuple[str, dict[str, Value]]:
    return "sheet", {**dict(sheet.stats), **{f"resists {kind}": n for kind, n in sheet.resistances}, "name": sheet.name}


def _part(part: Any) -> tuple[str, dict[str, Value]]:
    return "loose line", {**_sum("damage", part.damage), **_levels(part.levels), **_sum("binding", part.binding)}


_READERS: dict[type, Any] = {
    Strike: _strike,
    Mend: _mend,
    Use: _use,
    Escape: _escape,
    Reaction: _reaction,
    Announce: _announce,
    Move: lambda move: ("move", {"stance": move.stance}),
    TrapRoll: _trap,
    HitPoints: _hp,
    SheetLine: _sheet,
    Count: lambda count: (count.what, {"number": count.number}),
    Part: _part,
}
