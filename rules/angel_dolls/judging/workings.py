"""The workings of findings, line by line: every input, every step, so that a reader can follow the sum."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from referee.ports.sayings import brief, chain, decimal, one_of, term
from rules.angel_dolls.attacks import physical_damage
from rules.angel_dolls.judging.state import Doll, Pool
from rules.angel_dolls.statements import Check, Side
from rules.angel_dolls.tables import Numbers, number, stats_of
from rules.angel_dolls.worn import Stat

#: Of a long list of losses only the latest are shown.
_MOST_STEPS = 20


def total_of(side: Side | None) -> int | None:
    """What a side stands at, as written: its total, or its number where it has no roll."""
    if side is None:
        return None
    return side.total if side.total is not None else side.base + side.shift


def against(check: Check) -> str:
    """The two sides of a check in words: `54 against 32`."""
    numbers = [total for side in (check.left, check.right) if (total := total_of(side)) is not None]
    return " against ".join(map(str, numbers)) or "the check"


def compared(check: Check, words: Iterable[str]) -> list[str]:
    """How two totals decide an outcome (D4, D11, D13)."""
    left, right = total_of(check.left), total_of(check.right)
    if left is None or right is None:
        return []
    how = "equals" if left == right else "is above" if left > right else "is below"
    return [f"{left} {how} {right}: {one_of(sorted(words))}"]


def difference_lines(check: Check, third: bool, wanted: Iterable[int], numbers: Numbers) -> list[str]:
    """Damage without affinities: the difference, where it is above 0; of a disabling attack a share (D5, D12)."""
    left, right = total_of(check.left), total_of(check.right)
    if left is None or right is None:
        return [f"damage: {one_of(sorted(wanted))}"]
    plain = left - right
    lines = [f"{left} - {right} = {plain}" + (", not above 0: no damage" if plain <= 0 else "")]
    if third and plain > 0:
        share = Fraction(physical_damage(left, right), numbers.disable_share)
        rounded = "" if share.denominator == 1 else f", so {one_of(sorted(wanted))}"
        lines.append(f"a disabling attack: {plain} / {numbers.disable_share} = {decimal(share)}{rounded}")
        return lines
    return [*lines, *_further(wanted, {max(0, plain)})]


def elemental_lines(check: Check, own: int, other: int, element: str, wanted: Iterable[int]) -> list[str]:
    """Damage with affinities: the attacker's added, the defender's taken off (D6)."""
    lines = [f"affinity to {element}: attacker {own:+d}, defender {other:+d}"]
    left, right = total_of(check.left), total_of(check.right)
    values = sorted(wanted)
    if left is None or right is None:
        return [*lines, f"damage: {one_of(values)}"]
    plain = left - right
    lines.append(f"{left} - {right} = {plain}")
    total = plain + own - other
    least = ", never below 0: 0" if total < 0 else ""
    lines.append(f"{chain(plain, [own])} - {_grouped(other)} = {total}{least}")
    if plain <= 0:
        alone = max(0, own - other)
        lines.append(
            f"the first difference is not above 0: 0, the affinities alone ({alone}) or all together "
            f"({max(0, total)}) are accepted"
        )
        return [*lines, *_further(values, {0, alone, max(0, total)})]
    return [*lines, *_further(values, {max(0, total)})]


def _further(wanted: Iterable[int], given: set[int]) -> list[str]:
    """Readings that the written totals do not give: numbers of the line have a finding of their own."""
    more = sorted(set(wanted) - given)
    return [f"with the right numbers of other findings in this attack: {one_of(more)}"] if more else []


def _grouped(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


def hp_lines(pool: Pool, start: int | None = None) -> list[str]:
    """From the last HP line, loss by loss, to what should be left (D16)."""
    steps = pool.steps[-_MOST_STEPS:]
    lines = [f"{source[0]}: {brief(source[1])}: {loss.said()} damage" for _, loss, source in steps if source]
    before = steps[0][0] if steps else pool.figure
    left = pool.figure.at_least(0)
    known = [figure.values for figure in (before, *(loss for _, loss, _ in steps))]
    if len(pool.steps) > len(steps) or not steps or any(values is None or len(values) != 1 for values in known):
        return [f"HP before: {before.at_least(0).said()}", *lines, f"left: {left.said()}"]
    first, *losses = [int(value) for values in known for value in values or ()]
    first = first if start is None else start
    total = first - sum(losses)
    written = chain(first, [-loss for loss in losses if loss])
    gives = f"{written} = {total}" if total != first else f"still {total}"
    return [*lines, f"left: {gives}{', so 0' if total < 0 else ''}"]


def fallen_lines(doll: Doll) -> list[str]:
    """Why a doll counts as fallen (D16)."""
    if doll.fate is not None:
        return [f"by a staff ruling {doll.name} is {doll.fate}"]
    if doll.hp.steps:
        return hp_lines(doll.hp)
    return [f"last HP of {doll.name}: {doll.hp.figure.at_least(0).said() if doll.hp.empty else doll.hp.claimed}"]


def sheet_line(doll: Doll, stat: str) -> list[str]:
    """A stat as the two sheets and the generator give it (D1, D16)."""
    deus, angel = (
        number(stats_of(doll.character.get("deus")).get(stat)),
        number(stats_of(doll.character.get("stats")).get(stat)),
    )
    if deus is None or angel is None or stat not in doll.basic:
        return []
    bonus = f" {term(doll.bonus)} (generator)" if doll.bonus else ""
    return [f"{stat} of {doll.name}: {deus} (Deus) + {angel} (Angel){bonus} = {doll.basic[stat]}"]


def stat_lines(doll: Doll | None, stat: Stat) -> list[str]:
    """A stat from the sheets on to what counts."""
    first = sheet_line(doll, stat.name) if doll is not None else []
    lines = stat.lines()
    return [*first, *(lines[1:] if first and lines and lines[0].endswith("on the sheets") else lines)]


def modifiers_line(side: Side | None) -> list[str]:
    """The modifiers that a side shows."""
    if side is None:
        return []
    shown = [f"{m.value:+d} ({m.reason or 'no reason given'})" for m in side.modifiers]
    return [f"modifiers in the line: {', '.join(shown) or 'none'}"]
