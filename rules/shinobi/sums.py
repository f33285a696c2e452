"""Sums of readings: what a rule gives, and what is merely accepted besides (NS12, X7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

#: More readings than this are not told apart any more: the sum is open.
MOST_READINGS = 300


@dataclass(frozen=True, slots=True)
class Sums:
    """Readings of a number: `listed` is what the rule gives, `accepted` holds those and more.

    `open`: nothing is judged, any number is accepted.
    """

    listed: frozenset[int]
    accepted: frozenset[int]
    open: bool = False

    @staticmethod
    def of(*values: int) -> Sums:
        """Exactly these readings."""
        found = frozenset(values)
        return Sums(found, found)

    @staticmethod
    def among(listed: Iterable[int], also: Iterable[int] = ()) -> Sums:
        """Readings of the rule, and further ones that are accepted."""
        found = frozenset(listed)
        return Sums(found, found | frozenset(also))

    def plus(self, other: Sums) -> Sums:
        """The sum, reading by reading."""
        if other is NOTHING:
            return self
        if self is NOTHING:
            return other
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
        return Sums(self.listed, self.accepted | frozenset(values), self.open)

    def each(self, change: Callable[[int], Iterable[int]]) -> Sums:
        """Every reading replaced by the readings that `change` gives."""
        listed = frozenset(new for old in self.listed for new in change(old))
        return Sums(listed, listed | frozenset(new for old in self.accepted for new in change(old)), self.open)

    def admits(self, value: int) -> bool:
        """Whether a stated number is one of the readings."""
        return self.open or value in self.accepted

    def opened(self) -> Sums:
        """The same, but nothing is judged from it."""
        return Sums(self.listed, self.accepted, True)


NOTHING = Sums.of(0)
ZERO_OR = frozenset((0,))
