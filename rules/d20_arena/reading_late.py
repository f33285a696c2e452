"""Links that stand behind a whole tag or line instead of behind their roll (G8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from referee.model.text import Anchor, Script
from rules.d20_arena.records import Sum, Throw


def with_loose_links(script: Script, data: Any, span: tuple[int, int], end: int) -> Any:
    """The record with links at the end of its tag or line, or below it, put to the rolls that have none."""
    if not script.anchors:
        return data
    bare = [throw for throw in throws_of(data) if not throw.written.anchors]
    if not bare:
        return data
    taken = {anchor for throw in throws_of(data) for anchor in throw.written.anchors}
    loose = [anchor for anchor in script.anchors_in(span[0], end) if anchor not in taken]
    if not taken:
        loose += [anchor for anchor in script.anchors_after(span[1]) if anchor not in loose]
    dealt = _deal(bare, tuple(loose))
    return _replaced(data, dealt) if dealt else data


def throws_of(data: Any) -> Iterator[Throw]:
    """Every throw in a record, in the order of its fields."""
    if isinstance(data, Sum):
        yield from data.throws
    elif is_dataclass(data):
        for field in fields(data):
            value = getattr(data, field.name)
            if is_dataclass(value):
                yield from throws_of(value)


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


def _replaced(data: Any, dealt: dict[int, tuple[Anchor, ...]]) -> Any:
    return _mapped(
        data,
        lambda throw: (
            replace(throw, written=replace(throw.written, anchors=dealt[id(throw)])) if id(throw) in dealt else throw
        ),
    )


def _mapped(data: Any, change: Callable[[Throw], Throw]) -> Any:
    if isinstance(data, Sum):
        return replace(data, throws=tuple(change(throw) for throw in data.throws))
    changes = {}
    for field in fields(data):
        value = getattr(data, field.name)
        if is_dataclass(value):
            changes[field.name] = _mapped(value, change)
    return replace(data, **changes) if changes else data
