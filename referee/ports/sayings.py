"""Numbers as a working says them, so that a reader can follow it with a pencil."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

#: Words of a post that stand inside a working are cut here.
LONGEST_WORDS = 160
#: Of more readings than this only the ends are said.
MOST_SAID = 8


def one_of(values: Iterable[object]) -> str:
    """Readings in words: `13`, `12 or 13`, `11, 12 or 13`; of many the ends and how many there are."""
    words = [str(value) for value in values]
    if len(words) > MOST_SAID:
        return f"{words[0]} to {words[-1]} ({len(words)} readings)"
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def all_of(values: Iterable[object]) -> str:
    """A list in words: `HP`, `HP and Chakra`, `HP, Chakra and Stamina`."""
    words = [str(value) for value in values]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def decimal(value: Fraction | int | float) -> str:
    """A number in decimals, three at most: `12.5`, `3.667`, `50`."""
    exact = Fraction(value)
    return str(exact.numerator) if exact.denominator == 1 else f"{float(exact):.3f}".rstrip("0").rstrip(".")


def term(value: Fraction | int) -> str:
    """A further term of a sum, with its sign before it: `+ 5`, `- 10`, `+ 0`."""
    return f"{'-' if value < 0 else '+'} {decimal(value if value >= 0 else -value)}"


def chain(first: int | str, terms: Iterable[int]) -> str:
    """A sum as it is written: `14 - 3 + 2`."""
    return " ".join([str(first), *map(term, terms)])


def brief(words: str, longest: int = LONGEST_WORDS) -> str:
    """Words of a post inside a working: on one line, cut where they would hide the sum behind them."""
    line = " ".join(words[: longest * 2].split())
    return line if len(line) <= longest and len(words) <= longest * 2 else line[:longest].rstrip() + " \u2026"


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 hit`, `3 hits`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
