"""Figures: a number as far as it is known - a set of admissible values, or bounds.

The rulebooks are silent in places, and sheets are secret; so a computed number is a *set* of
readings, not one value. Above `MOST_VALUES` readings a figure becomes bounds (X8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from referee.model.records import filled_directly

Number = int | Fraction

#: More readings than this are kept as bounds only (X8).
MOST_VALUES = 64


@filled_directly
@dataclass(frozen=True, slots=True)
class Figure:
    """What a number may be.

    `values` is the set of admissible values, or None when only bounds are known; then `low` and
    `high` hold (None: open). `secret` marks figures that only staff may see as totals; the mark
    travels through arithmetic.
    """

    values: frozenset[Number] | None
    low: Number | None = None
    high: Number | None = None
    secret: bool = False

    @staticmethod
    def of(*values: Number, secret: bool = False) -> Figure:
        """A figure with exactly these admissible values."""
        if len(values) == 1:
            return Figure(frozenset(values), values[0], values[0], secret)
        return Figure.among(values, secret=secret)

    @staticmethod
    def among(values: Iterable[Number], secret: bool = False) -> Figure:
        """A figure from any number of admissible values; bounds when they are too many."""
        found = frozenset(values)
        if not found:
            return Figure.unknown(secret=secret)
        if len(found) > MOST_VALUES:
            return Figure.between(min(found), max(found), secret=secret)
        return Figure(found, min(found), max(found), secret)

    @staticmethod
    def between(low: Number | None, high: Number | None, secret: bool = False) -> Figure:
        """A figure known by bounds only, both ends included; None leaves an end open."""
        return Figure(None, low, high, secret)

    @staticmethod
    def unknown(secret: bool = False) -> Figure:
        """A figure about which nothing is known."""
        return Figure(None, None, None, secret)

    @property
    def known(self) -> bool:
        """Whether every admissible value is listed."""
        return self.values is not None

    @property
    def only(self) -> Number | None:
        """The value, when there is exactly one reading."""
        if self.values is not None and len(self.values) == 1:
            return next(iter(self.values))
        return None

    def admits(self, value: Number) -> bool:
        """Whether `value` is one of the readings, or lies within the bounds."""
        if self.values is not None:
            return value in self.values
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def plus(self, other: Figure | Number) -> Figure:
        """The sum, reading by reading."""
        if not isinstance(other, Figure):
            values = None if self.values is None else frozenset([value + other for value in self.values])
            return Figure(values, _add(self.low, other), _add(self.high, other), self.secret)
        secret = self.secret or other.secret
        if self.values is not None and other.values is not None:
            if len(self.values) == len(other.values) == 1:
                return Figure.of(*[a + b for a in self.values for b in other.values], secret=secret)
            return Figure.among({a + b for a in self.values for b in other.values}, secret)
        return Figure.between(_add(self.low, other.low), _add(self.high, other.high), secret)

    def minus(self, other: Figure | Number) -> Figure:
        """The difference, reading by reading."""
        if not isinstance(other, Figure):
            return self.plus(-other)
        return self.plus(other.negated())

    def negated(self) -> Figure:
        """The figure with its sign turned."""
        if self.values is not None:
            return Figure.among((-value for value in self.values), self.secret)
        return Figure.between(_negate(self.high), _negate(self.low), self.secret)

    def each(self, change: Callable[[Number], Number]) -> Figure:
        """The figure after a monotone `change` of every reading."""
        if self.values is not None:
            return Figure.among((change(value) for value in self.values), self.secret)
        ends = [None if end is None else change(end) for end in (self.low, self.high)]
        return Figure.between(ends[0], ends[1], self.secret)

    def either(self, other: Figure | Number) -> Figure:
        """Both sets of readings together: all that either figure admits."""
        that = other if isinstance(other, Figure) else Figure.of(other)
        secret = self.secret or that.secret
        if self.values is not None and that.values is not None:
            return Figure.among(self.values | that.values, secret)
        return Figure.between(_least(self.low, that.low), _most(self.high, that.high), secret)

    def at_least(self, floor: Number) -> Figure:
        """The figure with every reading raised to `floor`."""
        if self.low is not None and self.low >= floor:
            return self
        clamped = self.each(lambda value: max(value, floor))
        return clamped if self.known or self.low is not None else Figure.between(floor, self.high, self.secret)

    def at_most(self, ceiling: Number) -> Figure:
        """The figure with every reading cut at `ceiling`."""
        if self.high is not None and self.high <= ceiling:
            return self
        clamped = self.each(lambda value: min(value, ceiling))
        return clamped if self.known or self.high is not None else Figure.between(self.low, ceiling, self.secret)

    def listed(self) -> list[int | float] | dict[str, int | float | None] | None:
        """The figure as the report writes it: sorted values, a range, or None when unknown."""
        if self.values is not None:
            return [plain_number(value) for value in sorted(self.values)]
        if self.low is None and self.high is None:
            return None
        low = None if self.low is None else plain_number(self.low)
        high = None if self.high is None else plain_number(self.high)
        return {"min": low, "max": high}

    def said(self) -> str:
        """The figure in words, for workings: `13`, `12 or 13`, `at least 5`, `between 5 and 9`."""
        if self.values is not None:
            return " or ".join(str(plain_number(value)) for value in sorted(self.values))
        if self.low is None and self.high is None:
            return "unknown"
        if self.low is None:
            return f"at most {self.high}"
        return f"at least {self.low}" if self.high is None else f"between {self.low} and {self.high}"


def plain_number(value: Number) -> int | float:
    """A number as JSON has it: an integer where it is whole."""
    return int(value) if value == int(value) else float(value)


def _add(a: Number | None, b: Number | None) -> Number | None:
    return None if a is None or b is None else a + b


def _negate(a: Number | None) -> Number | None:
    return None if a is None else -a


def _least(a: Number | None, b: Number | None) -> Number | None:
    return None if a is None or b is None else min(a, b)


def _most(a: Number | None, b: Number | None) -> Number | None:
    return None if a is None or b is None else max(a, b)
