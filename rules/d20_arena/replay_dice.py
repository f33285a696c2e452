"""Dice of a claim: each written roll goes to the dice desk with the dice that the rule calls for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

from referee.model.claims import Claim
from referee.model.dice import Dice
from referee.ports.rules import RollUse
from rules.d20_arena.records import Sum, Throw
from rules.d20_arena.state import Turn

#: More rows of admissible dice than this are not told apart.
_MOST_ROWS = 16

Row = tuple[int, ...]


def rolled(
    turn: Turn, claim: Claim, read: Sum, due: Sequence[str], character: str | None, rules: tuple[str, ...]
) -> list[Row] | None:
    """Every admissible row of dice of a written sum, or None where nothing is known of them.

    `due`: the dice that rule or table call for, one expression a group; empty where they are not judged.
    """
    rows: list[list[Row]] = []
    for throw in read.throws:
        readings = _throw(turn, claim, throw, due, character, rules)
        if not readings:
            return None
        rows.append(readings)
    combined = [sum(parts, ()) for parts in list(product(*rows))[:_MOST_ROWS]]
    return list(dict.fromkeys(combined)) or None


def _throw(
    turn: Turn, claim: Claim, throw: Throw, due: Sequence[str], character: str | None, rules: tuple[str, ...]
) -> list[Row]:
    written = throw.written
    if turn.quiet and _changed(turn, claim):
        values = written.values or tuple(v for a in written.anchors for v in a.values)
        return [values] if values else []
    expected = tuple(due[i] for i in throw.groups) if due and max(throw.groups, default=0) < len(due) else ()
    use = RollUse(
        entry=turn.entry,
        claim=claim,
        written=written,
        due=expected,
        count=_count(throw, expected),
        by=turn.by,
        character=character,
        rules=rules,
    )
    found = turn.arena.case.dice.check(use)
    return [row for row in found.readings if row] or ([found.dice] if found.dice else [])


def _count(throw: Throw, expected: tuple[str, ...]) -> int | None:
    """How many dice are due, where the post writes the dice that are due."""
    if not expected or Counter(throw.expressions) != Counter(expected):
        return None
    return sum(int(expression.split("d")[0] or 1) for expression in expected)


def _changed(turn: Turn, claim: Claim) -> bool:
    """Whether a late edit touched the dice or links of the claim at hand."""
    before = turn.entry.before.get(turn.at)
    return before is not None and any(before.values.get(key) != claim.values.get(key) for key in ("dice", "rolls"))


def expressions(dice: Dice) -> tuple[str, ...]:
    """The groups of dice as expressions, one each."""
    return tuple(f"{count}d{sides}" for count, sides in dice.groups)


def aligned(read: Sum, dice: Dice) -> tuple[str, ...]:
    """The due dice in the order of the written groups; empty where they can't be told apart."""
    due = list(expressions(dice))
    written = [group.expression for group in read.groups]
    if written == due:
        return tuple(due)
    if sorted(written) == sorted(due):
        return tuple(written)
    if len(written) == 1 and len(due) == 1:
        return tuple(due)
    if len(set(dice.sides)) == 1:
        return tuple(f"{group.count}d{dice.sides[0]}" for group in read.groups)
    return tuple(due) if len(written) == len(due) else ()
