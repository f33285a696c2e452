"""Sums of readings: what a rule gives, and what is merely accepted besides (NS12, X7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from referee.model.records import filled_directly

#: More readings than this are not told apart any more: the sum is open.
MOST_READINGS = 300


@filled_directly
@dataclass(frozen=True, slots=True)
class Sums:
    """Readings of a number: `listed` is what the rule gives, `accepted` holds those and more.

    `open`: nothing is judged, any number is accepted. `value`: the number, where it has just one
    reading; most have, and sums of those are kept ready.
    """

    listed: frozenset[int]
    accepted: frozenset[int]
    open: bool = False
    value: int | None = None

    @staticmethod
    def of(*values: int) -> Sums:
        """Exactly these readings."""
        if len(values) == 1:
            return only(values[0])
        found = frozenset(values)
        return Sums(found, found)

    @staticmethod
    def among(listed: Iterable[int], also: Iterable[int] = ()) -> Sums:
        """Readings of the rule, and further ones that are accepted."""
        found = frozenset(listed)
        accepted = found.union(also)
        if len(accepted) == len(found) == 1:
            return only(*found)
        return Sums(found, accepted)

    def __str__(self) -> str:
        """The rule's readings in words: `13`, `12 or 13`."""
        return " or ".join(str(value) for value in sorted(self.listed))

    def plus(self, other: Sums) -> Sums:
        """The sum, reading by reading."""
        if other is NOTHING:
            return self
        if self is NOTHING:
            return other
        if self.value is not None and other.value is not None:
            return only(self.value + other.value)
        accepted = frozenset(a + b for a in self.accepted for b in other.accepted)
        listed = frozenset(a + b for a in self.listed for b in other.listed)
        wide = len(accepted) > MOST_READINGS
        if wide:
            accepted = frozenset((min(accepted), max(accepted)))
            listed = frozenset((min(listed), max(listed)))
        return Sums(listed, accepted, self.open or other.open or wide)

    def or_else(self, other: Sums) -> Sums:
        """Both sets of readings."""
        return Sums(self.listed | other.listed, self.accepted | other.accepted, self.open or other.open)

    def or_also(self, values: Iterable[int]) -> Sums:
        """The same with further accepted readings."""
        accepted = self.accepted.union(values)
        return self if len(accepted) == len(self.accepted) else Sums(self.listed, accepted, self.open)

    def each(self, change: Callable[[int], Iterable[int]]) -> Sums:
        """Every reading replaced by the readings that `change` gives."""
        if self.value is not None:
            return Sums.of(*change(self.value))
        listed = frozenset(new for old in self.listed for new in change(old))
        return Sums(listed, listed | frozenset(new for old in self.accepted for new in change(old)), self.open)

    def admits(self, value: int) -> bool:
        """Whether a stated number is one of the readings."""
        return self.open or value in self.accepted

    def opened(self) -> Sums:
        """The same, but nothing is judged from it."""
        return Sums(self.listed, self.accepted, True)


@lru_cache(maxsize=4096)
def only(value: int) -> Sums:
    """A number with just one reading."""
    found = frozenset((value,))
    return Sums(found, found, False, value)


NOTHING = only(0)


def quotients(number: int, divisor: int, rounding: str) -> tuple[int, ...]:
    """A quotient of whole numbers rounded as in `ways`."""
    low, high = number // divisor, -(-number // divisor)
    if low == high or rounding == "down":
        return (low,)
    return (high,) if rounding == "up" else (low, high)


def ways(exact: Fraction | int, rounding: str) -> tuple[int, ...]:
    """A number rounded as a board pins it: `down`, `up`, or `either` way where it pins nothing."""
    low, high = floor(exact), ceil(exact)
    if low == high or rounding == "down":
        return (low,)
    return (high,) if rounding == "up" else (low, high)
