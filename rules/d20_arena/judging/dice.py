"""Dice of a claim: each written roll goes to the dice desk with the dice that the rule calls for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product

from referee.model.battle import RollRecord
from referee.model.claims import Claim, WrittenRoll
from referee.model.dice import Dice, read_dice
from referee.model.text import Anchor
from referee.ports.rules import RollUse
from rules.d20_arena.judging.state import Turn
from rules.d20_arena.records import Sum, Throw

#: More rows of admissible dice than this are not told apart.
_MOST_ROWS = 16

Row = tuple[int, ...]


def rolled(
    turn: Turn, claim: Claim, read: Sum, due: tuple[str, ...], character: str | None, rules: tuple[str, ...]
) -> list[Row] | None:
    """Every admissible row of dice of a written sum, or None where nothing is known of them.

    `due`: the dice that rule or table call for, one expression a group; empty where they are not judged.
    """
    throws = read.throws if len(read.groups) < 2 else _dealt(turn, read)
    if len(throws) == 1:
        return _throw(turn, claim, throws[0], due, character, rules) or None
    rows: list[list[Row]] = []
    for throw in throws:
        readings = _throw(turn, claim, throw, due, character, rules)
        if not readings:
            return None
        rows.append(readings)
    combined = [sum(parts, ()) for parts in list(product(*rows))[:_MOST_ROWS]]
    return list(dict.fromkeys(combined)) or None


def _dealt(turn: Turn, read: Sum) -> tuple[Throw, ...]:
    """The throws with their links, dealt anew where the records show that there are too few of them.

    `2d6+3+1d6 = 13 (link link)` may mean a link a group, or both for the 2d6 and none for the 1d6.
    """
    throws, records = read.throws, turn.arena.case.battle.rolls
    if records is None:
        return throws
    anchors = [a for throw in throws for a in throw.written.anchors]
    sides = {a: _sides(a, records) for a in anchors}
    if not anchors or not all(sides.values()):
        return throws
    if sum(len(dice) for dice in sides.values()) >= sum(group.number for group in read.groups):
        return throws
    mine: list[list[Anchor]] = [[] for _ in read.groups]
    left = sum(len(dice) for dice in sides.values())
    for anchor in anchors:
        mine[_owner(read, mine, sides, anchor, records, left)].append(anchor)
        left -= len(sides[anchor])
    return tuple(
        Throw(WrittenRoll(group.values, tuple(links), group.expression), (index,), (group.expression,))
        for index, (group, links) in enumerate(zip(read.groups, mine, strict=True))
    )


def _sides(anchor: Anchor, records: Mapping[str, RollRecord]) -> tuple[int, ...]:
    """The sides of the dice behind a link or in-post roll; empty where they are not known."""
    record = records.get(anchor.url or "")
    dice = read_dice(anchor.dice or (record.expression if record else None) or "")
    return dice.sides if dice is not None and dice.count <= 100 else ()


def _owner(
    read: Sum,
    mine: list[list[Anchor]],
    sides: Mapping[Anchor, tuple[int, ...]],
    anchor: Anchor,
    records: Mapping[str, RollRecord],
    left: int,
) -> int:
    """The group that a link proves: one with room, of the same dice, and best of the same numbers.

    `left`: how many dice this link and those behind it hold; a group that they can fill comes first.
    """
    record = records.get(anchor.url or "")
    shown = anchor.values or (record.values if record else ())
    free = [group.number - sum(len(sides[a]) for a in mine[index]) for index, group in enumerate(read.groups)]
    room = [index for index, number in enumerate(free) if number >= len(sides[anchor])]
    alike = [index for index in room if set(sides[anchor]) == {read.groups[index].sides}]
    same = [index for index in alike if all(value in read.groups[index].values for value in shown)]
    fitting = same or alike or room or [0]
    return next((index for index in fitting if free[index] <= left), fitting[0])


def _throw(
    turn: Turn, claim: Claim, throw: Throw, due: tuple[str, ...], character: str | None, rules: tuple[str, ...]
) -> list[Row]:
    written = throw.written
    if len(written.values) == 1 and written.anchors and _is_sum(turn, throw):
        written = WrittenRoll((), written.anchors, written.expression)
    if turn.quiet:
        if _changed(turn, claim):
            values = written.values or tuple(v for a in written.anchors for v in a.values)
            return [values] if values else []
        due = ()  # the ability itself may be what was changed: no second finding for its dice (G20)
    expected, count = _expected(due, throw.groups, throw.expressions)
    use = RollUse(
        entry=turn.entry,
        claim=claim,
        written=written,
        due=expected,
        count=count,
        by=turn.by,
        character=character,
        rules=rules,
    )
    found = turn.arena.case.dice.check(use)
    return list(filter(None, found.readings)) or ([found.dice] if found.dice else [])


def _is_sum(turn: Turn, throw: Throw) -> bool:
    """Whether the one number shown of several dice is what they come to: `2d6 (8) + 3 = 11`."""
    number = throw.expressions[0].partition("d")[0] if len(throw.expressions) == 1 else ""
    if number in ("", "1"):
        return False
    records = turn.arena.case.battle.rolls or {}
    shown = [a.values or (record.values if (record := records.get(a.url or "")) else ()) for a in throw.written.anchors]
    dice = [value for values in shown for value in values]
    return len(dice) == int(number) and sum(dice) == throw.written.values[0]


@lru_cache(maxsize=2048)
def _expected(
    due: tuple[str, ...], groups: tuple[int, ...], written: tuple[str, ...]
) -> tuple[tuple[str, ...], int | None]:
    """Which of the due dice a throw stands for, and how many they are, where the post writes those that are due."""
    if not due or max(groups, default=0) >= len(due):
        return (), None
    expected = tuple(due[index] for index in groups)
    if not expected or sorted(written) != sorted(expected):
        return expected, None
    return expected, sum(int(expression.partition("d")[0] or 1) for expression in expected)


def _changed(turn: Turn, claim: Claim) -> bool:
    """Whether a late edit touched the dice or links of the claim at hand."""
    before = turn.entry.before.get(turn.at)
    return before is not None and any(before.values.get(key) != claim.values.get(key) for key in ("dice", "rolls"))


def expressions(dice: Dice) -> tuple[str, ...]:
    """The groups of dice as expressions, one each."""
    return tuple(f"{count}d{sides}" for count, sides in dice.groups)


def aligned(read: Sum, dice: Dice) -> tuple[str, ...]:
    """The due dice in the order of the written groups; empty where they can't be told apart."""
    return _aligned(read.dice, dice)


@lru_cache(maxsize=2048)
def _aligned(groups: tuple[tuple[int, int], ...], dice: Dice) -> tuple[str, ...]:
    due = expressions(dice)
    written = tuple(f"{count}d{sides}" for count, sides in groups)
    if sorted(written) == sorted(due):
        return written
    if len(written) == 1 and len(due) == 1:
        return due
    if len(set(dice.sides)) == 1:
        return tuple(f"{count}d{dice.sides[0]}" for count, _ in groups)
    return due if len(written) == len(due) else ()
