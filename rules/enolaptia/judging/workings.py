"""The workings of findings, line by line: every input, every step, so that a reader can follow the sum."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from referee.model.figure import Figure
from referee.ports.sayings import brief, chain, decimal, one_of
from rules.enolaptia.damage import attack_damage
from rules.enolaptia.formula import Formula
from rules.enolaptia.health import Pool

#: Of a long list of changes only the latest are shown.
_MOST_STEPS = 20


def attack_lines(name: str, at: int, readings: Sequence[Sequence[int]]) -> list[str]:
    """AT and dice of a normal attack, and what they give (E8)."""
    return [f"{name}: AT {at}", *[_attack_line(at, dice) for dice in readings if dice]]


def _attack_line(at: int, dice: Sequence[int]) -> str:
    """One roll of a normal attack in words: `damage roll 2: AT / 3 = 11 / 3 = 3.667, so 3 or 4`."""
    die, found = dice[0], attack_damage(at, dice)
    start = f"damage roll {' and '.join(map(str, dice[:2]))}"
    if found is None:
        return start
    if die == 1:
        return f"{start}: a miss, 0"
    if die <= 4:
        part = 3 if die == 2 else 2
        exact = Fraction(at, part)
        rounded = "" if exact.denominator == 1 else f", so {one_of(sorted(found))}"
        return f"{start}: AT / {part} = {at} / {part} = {decimal(exact)}{rounded}"
    if die == 6 and len(dice) == 1:
        return f"{start}: a 6 is rolled again; another 6 gives AT x 2 = {2 * at}, anything else AT = {at}"
    if die == 6 and dice[1] == 6:
        return f"{start}: AT x 2 = {at} x 2 = {2 * at}"
    return f"{start}: AT = {at}"


def ability_lines(name: str, formula: Formula, readings: Sequence[Sequence[int]], at: int | None) -> list[str]:
    """An ability's formula with its dice put in (E9)."""
    words = " + ".join("AT" if kind == "at" else f"d{n}" if kind == "die" else str(n) for kind, n in formula.parts)
    lines = [f"{name}: {words}" + (f", AT {at}" if formula.uses_at else "")]
    for dice in readings:
        if len(dice) == len(formula.sides) and len(formula.parts) > 1:
            rest = iter(dice)
            terms = [next(rest) if kind == "die" else at or 0 if kind == "at" else n for kind, n in formula.parts]
            lines.append(f"{chain(terms[0], terms[1:])} = {sum(terms)}")
    return lines


def hp_lines(pool: Pool) -> list[str]:
    """From the HP last stated, change by change, to what should be left (E14)."""
    where, start = pool.stated or ("start", pool.start)
    lines = [f"HP at the {where}: {start}" if where == "start" else f"last stated: {start} HP ({where})"]
    if start is None:
        lines = ["HP before: not known"]
    for post, quote, change, sure in pool.steps[-_MOST_STEPS:]:
        lines.append(f"{post}: {brief(quote)}: {_change(change)}{'' if sure else ', or not'}")
    left = pool.readings.likely
    only = [change.only for _, _, change, sure in pool.steps if sure]
    if start is None or len(pool.steps) > _MOST_STEPS or len(only) != len(pool.steps) or None in only:
        return [*lines, f"left: {left.said()}"]
    changes = [int(value) for value in only if value]
    total = start + sum(changes)
    written = f"{chain(start, changes)} = {total}" if changes else str(total)
    if left.only == total:
        return [*lines, f"left: {written}"]
    limit = ", never below 0" if total < 0 else f", never above {pool.top}" if total > (pool.top or total) else ""
    return [*lines, f"left: {written}{limit}: {left.said()}"]


def _change(change: Figure) -> str:
    """A change of HP in words: `5 lost`, `10 gained`, `3 or 4 lost`."""
    if change.high is not None and change.high <= 0:
        return f"{Figure.of(0).minus(change).said()} lost"
    return f"{change.said()} gained"


def range_words(low: int, high: int) -> str:
    """An allocation range: `3-4`, or `5` alone."""
    return str(low) if low == high else f"{low}-{high}"
