"""The workings of findings, line by line: every input, every step, so that a reader can follow the sum."""

from __future__ import annotations

from collections.abc import Iterable

from referee.ports.sayings import brief, chain, counted, one_of
from rules.d20_arena.binding import SPILL, Bound
from rules.d20_arena.judging.state import Fighter, Step, Turn
from rules.d20_arena.records import CRITICAL, FUMBLE, HIT, STANDING
from rules.d20_arena.stance import EVADING, evading_bonus, leg_penalties, standing_penalties
from rules.d20_arena.tables import Ability, Tables

#: Of a long list of steps only the latest are shown.
_MOST_STEPS = 20


# -- HP --------------------------------------------------------------------------------------------
def hp_lines(fighter: Fighter, expected: Iterable[int]) -> list[str]:
    """From the HP last stated, step by step, to what should be left (A16)."""
    where, start = fighter.stated or ("the sheet", fighter.hp.start if fighter.hp.start is not None else 0)
    lines = [f"last stated: {start} HP ({where})"]
    lines += [_step_line(step, fighter) for step in fighter.since[-_MOST_STEPS:]]
    wanted = sorted(expected)
    changes = [step.change for step in fighter.since if step.change is not None]
    changes = [change for change in changes if change] or changes[:1]
    if len(fighter.since) > _MOST_STEPS or any(step.change is None for step in fighter.since) or not changes:
        return [*lines, f"left: {one_of(wanted)}"]
    total = start + sum(changes)
    if wanted == [total]:
        return [*lines, f"left: {chain(start, changes)} = {total}"]
    if total < 0 and wanted == [0]:
        return [*lines, f"left: {chain(start, changes)} = {total}, never below 0: 0"]
    if fighter.most is not None and total > fighter.most and wanted == [fighter.most]:
        return [*lines, f"left: {chain(start, changes)} = {total}, never above the maximum {fighter.most}"]
    return [*lines, f"left: {one_of(wanted)}"]


def _step_line(step: Step, fighter: Fighter) -> str:
    """One change of HP with its own sum."""
    if step.kind == "heal":
        return f"{step.post}: {brief(step.quote)}: healing, {step.amount} gained"
    if step.kind == "trap":
        return f"{step.post}: {brief(step.quote)}: trap damage, {step.amount} lost"
    after = " after the reaction" if step.kind == "reaction" else ""
    if step.change is None or step.off is None:
        return f"{step.post}: {brief(step.quote)}: {step.amount} damage{after}, or none"
    if step.critical:
        return f"{step.post}: {brief(step.quote)}: {step.amount} damage{after}, a critical hit ignores resistances"
    off = f" - {counted_off(step.off, fighter)} resistance = {-step.change} lost" if step.off else ""
    return f"{step.post}: {brief(step.quote)}: {step.amount} damage{after}{off}"


def counted_off(off: int, fighter: Fighter) -> str:
    """A resistance by its name: RES, or that to a kind of damage."""
    kinds = [kind for kind, value in fighter.kinds.items() if value == off]
    return f"{off}" if off == fighter.res or not kinds else f"{off} ({one_of(kinds)})"


# -- Defense ---------------------------------------------------------------------------------------
def defense_lines(turn: Turn, target: Fighter, reaction: int) -> list[str]:
    """Sheet, leg level, stance and reaction, and their sum for each reading (A4, A5)."""
    tables, legs = turn.tables, target.binds["legs"]
    levels = sorted((legs.live if legs.live else legs.open) or {0})
    lines = [f"Defense on the sheet: {target.defense}", f"leg level: {one_of(levels)}"]
    base = target.defense or 0
    footings = [None] if target.enemy else sorted(target.stood)
    for footing in footings:
        for level in levels:
            words, change = ("", {0}) if footing is None else _stance(*footing, level, tables)
            for penalty in sorted(leg_penalties(level, tables)):
                for step in sorted(change):
                    terms = [value for value in (penalty, step, reaction) if value]
                    parts = [f"{penalty:+d} for leg level {level}"] if penalty else []
                    parts += [words.format(step=f"{step:+d}")] if words else []
                    parts += [f"{reaction:+d} by the reaction"] if reaction else []
                    given = f"{chain(base, terms)} = {base + sum(terms)}" if terms else str(base)
                    lines.append(f"{'; '.join(parts) or 'no change'}: {given}")
    return lines


def _stance(stance: str, did: str, level: int, tables: Tables) -> tuple[str, set[int]]:
    """A stance in words, with what it changes."""
    if stance == STANDING:
        bound = " with bound legs" if level else ""
        return f"last own turn standing still{bound}: {{step}}", set(standing_penalties(level, tables))
    bonus = evading_bonus(did, level, tables)
    if did != EVADING:
        return "last own turn moving, with an attack or aid: {step}", {bonus}
    hobbled = ", but hobbled" if not bonus else ""
    return f"last own turn moving, with nothing but struggles or self skills{hobbled}: {{step}}", {bonus}


# -- hit rolls and damage --------------------------------------------------------------------------
def total_lines(
    turn: Turn, attacker: Fighter, ability: Ability | None, dice: Iterable[int], due: int | None, free: bool
) -> list[str]:
    """Die and bonus of a hit roll, and where the bonus comes from (A11, A14)."""
    rolls = sorted(dice)
    lines = [f"hit roll: 1d20 = {one_of(rolls)}"]
    if due is None:
        return lines
    extra = turn.tables.free_attack if free else 0
    own = f"ATK of {attacker.name}" if attacker.enemy or ability is None else f"bonus of {ability.name}"
    lines.append(f"{own}: {due - extra:+d}" + (f", free attack: {extra:+d}, together {due:+d}" if extra else ""))
    return [*lines, *[f"total: {chain(die, [due])} = {die + due}" for die in rolls]]


def sum_lines(rows: Iterable[Iterable[int]], bonus: int, right: Iterable[int]) -> list[str]:
    """Dice and a flat bonus."""
    lines, sums = [], set()
    for row in rows:
        dice = list(row)
        total = sum(dice) + bonus
        sums.add(max(0, total))
        if len(dice) == 1 and not bonus:
            lines.append(f"die: {total}")
            continue
        written = chain(" + ".join(map(str, dice)), [bonus] if bonus else [])
        lines.append(
            f"dice{' and bonus' if bonus else ''}: {written} = {total}{', never below 0' if total < 0 else ''}"
        )
    return lines if sums == set(right) else [*lines, f"together: {one_of(sorted(right))}"]


def reaction_line(before: Iterable[int], change: int, after: Iterable[int]) -> list[str]:
    """A reaction to damage: the ability's number taken off (ND21)."""
    return [f"damage before it: {one_of(sorted(before))}", f"{change:+d} by the reaction: {one_of(sorted(after))}"]


# -- bindings --------------------------------------------------------------------------------------
def bind_lines(
    turn: Turn,
    area: str,
    before: Iterable[int],
    levels: Iterable[int],
    outcomes: Iterable[str],
    resisted: Iterable[bool],
    wanted: Iterable[Bound],
) -> list[str]:
    """Level before, levels of the binding, the critical's further one, level after (A12, A13, A15)."""
    old, added, more = sorted(before), sorted(levels), turn.tables.critical_levels
    words, signs = set(outcomes), []
    lines = [f"level before ({area}): {one_of(old)}", f"levels of the binding: {one_of(added)}"]
    if CRITICAL in words:
        lines.append(f"critical hit: {more} more")
        signs.append(more)
    if FUMBLE in words:
        lines.append("critical fail: the levels come off instead")
    if HIT in words and True in set(resisted):
        lines.append("the saving throw resists it" if set(resisted) == {True} else "a saving throw may resist it")
    results = sorted({bound.level for bound in wanted})
    over = sorted({bound.over for bound in wanted if bound.over})
    plain = len(old) == len(added) == len(words) == 1 and not words - {HIT, CRITICAL} and True not in set(resisted)
    if plain:
        terms = [added[0], *signs]
        total = old[0] + sum(terms)
        capped = "" if results == [total] else f", never above {turn.tables.bind_max}: {one_of(results)}"
        lines.append(f"level after: {chain(old[0], terms)} = {total}{capped}")
    elif words == {FUMBLE} and len(old) == len(added) == len(results) == 1:
        total = old[0] - added[0]
        lines.append(f"level after: {old[0]} - {added[0]} = {total}{', never below 0: 0' if total < 0 else ''}")
    else:
        lines.append(f"level after: {one_of(results)}")
    if over and turn.tables.spills and area in SPILL:
        lines.append(f"spill-over to the {SPILL[area]}: {one_of(over)}")
    return lines


def level_words(area: str) -> str:
    """An area with its verb: `the legs are`, `the torso is`."""
    return f"the {area} {'are' if area in ('arms', 'legs') else 'is'}"


def escape_lines(
    turn: Turn, area: str, before: Iterable[int], pairs: Iterable[tuple[int, int]], wanted: Iterable[int]
) -> list[str]:
    """The roll against the row of the level (A15)."""
    old, rolls = sorted(before), list(pairs)
    lines = [f"level before ({area}): {one_of(old)}"]
    numbers = sorted({number for _, number in rolls})
    lines.append(f"number for the table: {one_of(numbers)}")
    for level in old[:4]:
        row = turn.tables.escapes.rows.get(level)
        if row is not None and level > 0:
            steps = ", ".join(f"{lowest} or more {counted(lost, 'level')}" for lowest, lost in sorted(row.items()))
            lines.append(f"escape table, level {level}: {steps} off; less: none")
    if any(die == 20 for die, _ in rolls) and turn.tables.escapes.extra:
        lines.append(f"natural 20: {counted(turn.tables.escapes.extra, 'level')} more")
    results = sorted(wanted)
    if len(old) == len(results) == 1:
        return [*lines, f"level after: {old[0]} - {old[0] - results[0]} = {results[0]}"]
    return [*lines, f"level after: {one_of(results)}"]
