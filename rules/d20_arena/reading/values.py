"""What of a record is compared between two revisions of a post: numbers, actions, targets, rolls (G20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referee.model.claims import Value
from rules.d20_arena.reading.late import throws_of
from rules.d20_arena.records import (
    Announce,
    Bonds,
    Count,
    Escape,
    HiddenHp,
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


class Said(Mapping[str, Value]):
    """The comparable values of a record, the most telling total first; put together when somebody asks for them.

    Most claims of most battles are never compared nor shown.
    """

    __slots__ = ("_data", "_values")

    def __init__(self, data: object) -> None:
        """The values of one record of this system."""
        self._data = data
        self._values: dict[str, Value] | None = None

    @property
    def all(self) -> dict[str, Value]:
        """The values, worked out once."""
        if self._values is None:
            self._values = _values(self._data)
        return self._values

    def __getitem__(self, key: str) -> Value:
        """One of them."""
        return self.all[key]

    def __iter__(self) -> Iterator[str]:
        """Their names in order."""
        return iter(self.all)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.all)

    def __repr__(self) -> str:
        """As a dictionary."""
        return repr(self.all)


def values_of(data: object) -> tuple[str, Mapping[str, Value]]:
    """The kind of a record and its comparable values."""
    kind = _KINDS.get(type(data))
    return kind if kind is not None else _kind(data), Said(data)


def _kind(data: object) -> str:
    if isinstance(data, Strike):
        return "free attack" if data.free else "attack"
    if isinstance(data, Escape):
        return "help" if data.helped else "struggle"
    return data.what if isinstance(data, Count) else "use"


def _values(data: object) -> dict[str, Value]:
    read = _READERS[type(data)](data)
    values: dict[str, Value] = {key: value for key, value in read.items() if value is not None}
    throws = throws_of(data)
    dice = [value for throw in throws for value in throw.written.values]
    links = [a.url or f"{a.dice} {list(a.values)}" for throw in throws for a in throw.written.anchors]
    if dice:
        values["dice"] = dice
    if links:
        values["rolls"] = links
    return values


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


def _strike(strike: Any) -> dict[str, Value]:
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
    return values


def _mend(mend: Any) -> dict[str, Value]:
    return {**_sum("heals", mend.heal), "ability": mend.ability, **_names(mend.targets), "actor": mend.actor}


def _use(use: Any) -> dict[str, Value]:
    return {"ability": use.ability or "none", **_names(use.targets), "actor": use.actor}


def _escape(escape: Any) -> dict[str, Value]:
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
    return values


def _reaction(reaction: Any) -> dict[str, Value]:
    values: dict[str, Value] = {"after": reaction.after, "before": reaction.before, "change": reaction.change}
    return {**values, "ability": reaction.ability, "actor": reaction.actor}


def _announce(announce: Any) -> dict[str, Value]:
    return {
        "action": announce.ability or announce.what,
        **_names(announce.targets),
        "actor": announce.actor,
    }


def _trap(trap: Any) -> dict[str, Value]:
    return {**_sum("roll", trap.roll), "sprung": None if trap.sprung is None else str(trap.sprung)}


def _hp(hp: Any) -> dict[str, Value]:
    values = {"hp": hp.now, "of": hp.most, "defense": hp.defense, "name": hp.name}
    return {**values, **{f"bind level {area}": level for area, level in hp.bound}}


def _sheet(sheet: Any) -> dict[str, Value]:
    return {**dict(sheet.stats), **{f"resists {kind}": n for kind, n in sheet.resistances}, "name": sheet.name}


def _part(part: Any) -> dict[str, Value]:
    return {**_sum("damage", part.damage), **_levels(part.levels), **_sum("binding", part.binding)}


_READERS: dict[type, Any] = {
    Strike: _strike,
    Mend: _mend,
    Use: _use,
    Escape: _escape,
    Reaction: _reaction,
    Announce: _announce,
    Move: lambda move: {"stance": move.stance},
    TrapRoll: _trap,
    SheetLine: _sheet,
    HitPoints: _hp,
    HiddenHp: lambda hidden: _hp(hidden.stated),
    Bonds: lambda bonds: {"name": bonds.name, **dict(bonds.bound)},
    Count: lambda count: {"number": count.number},
    Part: _part,
}
_KINDS: dict[type, str] = {
    Mend: "heal",
    Use: "use",
    Reaction: "reaction",
    Announce: "announce",
    Move: "move",
    TrapRoll: "trap",
    HitPoints: "hp",
    HiddenHp: "hp in a spoiler",
    SheetLine: "sheet",
    Bonds: "bind levels",
    Part: "loose line",
}
