"""Dice notation: expressions such as `2d6+3`, as rules, tables, records and posts write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_TERM = re.compile(r"([+-]?)(?:(\d{0,4})d(\d{1,6}|%)|(\d{1,9}))", re.IGNORECASE)

#: A longer expression is hostile, not a roll.
LONGEST_EXPRESSION = 120


@dataclass(frozen=True, slots=True)
class Dice:
    """A dice expression: groups of (count, sides) and a flat bonus."""

    groups: tuple[tuple[int, int], ...]
    bonus: int = 0

    @property
    def count(self) -> int:
        """How many dice are thrown."""
        return sum(count for count, _ in self.groups)

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of each die, in order of throwing."""
        return tuple(sides for count, sides in self.groups for _ in range(count))

    @property
    def low(self) -> int:
        """The least total."""
        return self.count + self.bonus

    @property
    def high(self) -> int:
        """The greatest total."""
        return sum(count * sides for count, sides in self.groups) + self.bonus

    def __str__(self) -> str:
        """The expression in its usual spelling: `2d6+3`."""
        words = "+".join(f"{count}d{sides}" for count, sides in self.groups)
        return words + (f"{self.bonus:+d}" if self.bonus else "")


@lru_cache(maxsize=4096)
def read_dice(text: str) -> Dice | None:
    """The dice of an expression, or None where it is not plain dice plus a bonus.

    `d100`, `1D100` and `d%` are read alike; subtracted dice, dice without sides, keep and explode marks are
    not plain.
    """
    squeezed = "".join(text.split())
    if not squeezed or len(squeezed) > LONGEST_EXPRESSION:
        return None
    place, bonus = 0, 0
    groups: list[tuple[int, int]] = []
    while place < len(squeezed):
        found = _TERM.match(squeezed, place)
        if found is None or (place and not found.group(1)):
            return None
        sign, count, sides, flat = found.groups()
        if flat is not None:
            bonus += -int(flat) if sign == "-" else int(flat)
        elif sign == "-" or not sides.strip("0"):
            return None
        else:
            groups.append((int(count or 1), 100 if sides == "%" else int(sides)))
        place = found.end()
    return Dice(tuple(groups), bonus)
