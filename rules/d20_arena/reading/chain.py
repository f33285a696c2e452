"""Chains of equal signs behind dice: `1d20+4 = 15 + 4 = 19`, `14 + 2 = 16`; the last number is the result.

What stands between says the same in other words: `2d6+3 = 3 + 5 + 3 = 11` shows the dice,
`1d20 = 15 + 4 = 19` a bonus that the expression left out, `= 11 - 1 = 10` a resistance.
"""

from __future__ import annotations

import re
from typing import NamedTuple

#: A chain with more steps or terms than these is hostile.
_MOST_STEPS, _MOST_TERMS = 5, 40

_TERM = re.compile(
    r"[ ]*+(?:,?[ ]*+(?P<sign>[+-]))?[ ]*+"
    r"(?:(?P<number>\d{1,9})(?![\d]|d\d)|[(\[][ ]*+(?P<inner>[+-])[ ]*+(?P<signed>\d{1,9})[ ]*+[)\]]"
    r"|[(\[][ ]*+(?P<list>\d{1,6}(?:[ ]*+[,+][ ]*+\d{1,6}){0,99})[ ]*+[)\]])"
    r"(?:[ ]*+\((?P<label>[A-Za-z]?[A-Za-z '.-]{0,40})\))?",
    re.IGNORECASE,
)
_EQUALS = re.compile(r"[ ]*+=(?![>=])[ ]*+")
_DIGITS = re.compile(r"\d+")


class Term(NamedTuple):
    """One signed number of a step; `dice` where it stood in a list such as `(3, 5)`."""

    value: int
    dice: bool = False


class Chain(NamedTuple):
    """The steps between equal signs, and the place behind the last one."""

    steps: tuple[tuple[Term, ...], ...]
    place: int

    @property
    def result(self) -> int | None:
        """The single number that the last step is, or None."""
        last = self.steps[-1]
        return last[0].value if len(last) == 1 and not last[0].dice else None


class Restated(NamedTuple):
    """What a step says of the dice before it: their values (empty where only their sum shows), bonuses, its sum."""

    values: tuple[int, ...]
    bonuses: tuple[int, ...]
    total: int


def read_chain(text: str, place: int, end: int) -> Chain | None:
    """The steps from `place` on, each a sum of numbers; None where no number stands there."""
    steps: list[tuple[Term, ...]] = []
    while len(steps) < _MOST_STEPS:
        terms, place = _step(text, place, end)
        if not terms:
            return None
        steps.append(terms)
        equals = _EQUALS.match(text, place, end)
        if equals is None:
            return Chain(tuple(steps), place)
        place = equals.end()
    return None


def _step(text: str, place: int, end: int) -> tuple[tuple[Term, ...], int]:
    terms: list[Term] = []
    for _ in range(_MOST_TERMS):
        found = _TERM.match(text, place, end)
        if found is None or (terms and not (found["sign"] or found["inner"])):
            break
        terms += _terms(found)
        place = found.end()
    return tuple(terms), place


def _terms(found: re.Match[str]) -> list[Term]:
    minus = (found["sign"] == "-") != (found["inner"] == "-")
    if found["list"] is not None:
        return [Term(-int(n) if minus else int(n), True) for n in _DIGITS.findall(found["list"])]
    number = int(found["number"] or found["signed"])
    return [Term(-number if minus else number)]


def total_of(chain: Chain) -> int:
    """The result of a chain: its last number, or the sum that its last step makes."""
    return sum(term.value for term in chain.steps[-1])


def restated(terms: tuple[Term, ...], count: int, sides: tuple[int, ...], bonuses: tuple[int, ...]) -> Restated | None:
    """What a step says in other words of `count` dice and these bonuses, in any order of addends; None if it does not.

    Without a bonus before it the step may bring one: `1d20 = 15 + 4`.
    """
    if len(terms) == count and all(term.dice and term.value > 0 for term in terms):
        # `2d6+3 (3, 5) = 11`: the dice alone.
        shown = tuple(term.value for term in terms)
        return Restated(shown, bonuses, sum(shown) + sum(bonuses))
    left = list(terms)
    for bonus in reversed(bonuses):
        place = next((i for i in range(len(left) - 1, -1, -1) if left[i].value == bonus), None)
        if place is None:
            return None
        del left[place]
    total = sum(term.value for term in terms)
    if len(left) == count and all(term.value > 0 for term in left):
        possible = all(term.value <= most for term, most in zip(left, sides, strict=False))
        if possible or bonuses or count == 1:
            return Restated(tuple(term.value for term in left) if possible else (), bonuses, total)
    if len(left) == 1 and left[0].value > 0:
        return Restated((), bonuses, total)
    return None if bonuses else _with_bonus(left, count, sides, total)


def _with_bonus(left: list[Term], count: int, sides: tuple[int, ...], total: int) -> Restated | None:
    """Dice, or their sum, with a bonus that the expression has not written."""
    shown = left[:count]
    if len(left) > count and all(0 < t.value <= most for t, most in zip(shown, sides, strict=False)):
        added = tuple(term.value for term in left[count:])
        if not any(term.dice for term in left[count:]) and (sides[0] == 20 or min(added) > 0):
            return Restated(tuple(term.value for term in shown), added, total)
    if len(left) > 1 and count <= left[0].value <= sum(sides) and all(t.value > 0 and not t.dice for t in left[1:]):
        return Restated((), tuple(term.value for term in left[1:]), total)
    return None
