"""Frozen records that are made by the thousand for every thread."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, TypeVar

T = TypeVar("T")


def filled_directly(record: type[T]) -> type[T]:
    """Let a frozen, slotted dataclass fill its slots directly, in half of the time; nothing else changes.

    The constructor of a frozen dataclass goes through `object.__setattr__` for each field; together these
    took a tenth of the time of reading and judging. Stands above `@dataclass(frozen=True, slots=True)`; for
    records without `__post_init__` and without fields that are not given to the constructor.
    """
    scope: dict[str, Any] = {"_made": MISSING}
    given, steps = [], []
    for field in fields(record):  # type: ignore[arg-type]
        name = field.name
        scope[f"_set_{name}"] = getattr(record, name).__set__
        value = name
        if field.default is not MISSING:
            scope[f"_default_{name}"] = field.default
            given.append(f"{name}=_default_{name}")
        elif field.default_factory is not MISSING:
            scope[f"_make_{name}"] = field.default_factory
            given.append(f"{name}=_made")
            value = f"_make_{name}() if {name} is _made else {name}"
        else:
            given.append(name)
        steps.append(f"    _set_{name}(self, {value})")
    # As the standard library makes its own constructors; names of fields are identifiers.
    exec(f"def __init__(self, {', '.join(given)}):\n" + "\n".join(steps), scope)  # noqa: S102
    constructor = scope["__init__"]
    constructor.__qualname__ = f"{record.__qualname__}.__init__"
    constructor.__annotations__ = record.__init__.__annotations__
    record.__init__ = constructor  # type: ignore[method-assign]
    return record
