"""Damage expressions of the tables and posts: `1d6+2`, `AT+1d6`, `8` (E9, NE14)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

_PART = re.compile(r"\s*([+-])?\s*(?:(?P<at>AT)|(?P<count>\d{0,2})d(?P<sides>\d{1,4})|(?P<flat>\d{1,6}))\s*", re.I)
LONGEST = 60


@dataclass(frozen=True)
class Formula:
    """A sum of attack value, dice and flat numbers, in the order of writing.

    `parts`: ("at", 1), ("die", sides) or ("flat", number); dice are listed one by one.
    """

    parts: tuple[tuple[str, int], ...]

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The sides of its dice, in order."""
        return tuple(number for kind, number in self.parts if kind == "die")

    @cached_property
    def uses_at(self) -> bool:
        """Whether the attack value is part of it."""
        return any(kind == "at" for kind, _ in self.parts)

    def total(self, dice: Sequence[int], at: int) -> int:
        """What these dice give."""
        return sum(dice) + sum(at if kind == "at" else number for kind, number in self.parts if kind != "die")

    def due(self) -> tuple[str, ...]:
        """The dice as expressions for the dice desk: `("2d6",)`."""
        return tuple(f"{self.sides.count(sides)}d{sides}" for sides in dict.fromkeys(self.sides))


@lru_cache(maxsize=512)
def read_formula(text: str) -> Formula | None:
    """The formula of an expression, or None where it is none."""
    if not text.strip() or len(text) > LONGEST:
        return None
    place = 0
    parts: list[tuple[str, int]] = []
    while place < len(text):
        met = _PART.match(text, place)
        if met is None or (place and not met.group(1)):
            return None
        sign = -1 if met.group(1) == "-" else 1
        if met["flat"] is not None:
            parts.append(("flat", sign * int(met["flat"])))
        elif sign < 0:
            return None
        elif met["at"]:
            parts.append(("at", 1))
        else:
            parts += [("die", int(met["sides"]))] * int(met["count"] or 1)
        place = met.end()
    return Formula(tuple(parts))


def formula_of(value: object) -> Formula | None:
    """The formula of a table's value: a number or an expression."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Formula((("flat", value),)) if abs(value) < 10**6 else None
    return read_formula(value) if isinstance(value, str) else None
