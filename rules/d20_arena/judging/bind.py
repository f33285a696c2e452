"""Bindings of an attack: rolled levels, saving throw, the level afterwards, spill-over (A12, A13, ND19, ND22)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from referee.model.claims import Claim
from referee.ports.sayings import one_of
from rules.d20_arena.attack import levels_added
from rules.d20_arena.binding import SPILL, Bound, bound_by, freed_by
from rules.d20_arena.judging.dice import aligned, rolled
from rules.d20_arena.judging.hit import Landed, earlier_targets
from rules.d20_arena.judging.state import Fighter, Turn
from rules.d20_arena.judging.unread import blur
from rules.d20_arena.judging.workings import bind_lines, level_words
from rules.d20_arena.pools import Change
from rules.d20_arena.records import CRITICAL, FUMBLE, HIT, MISS, Levels, Save, Strike
from rules.d20_arena.tables import Ability
from rules.d20_arena.turn import deciding_die


class Grip(NamedTuple):
    """What one reading of a binding does: levels added or removed."""

    added: int = 0
    removed: int = 0


NOTHING = Grip()
_NOTHING_OVER = {0}
_FREE = frozenset((0,))


def judge_binding(
    turn: Turn,
    claim: Claim,
    strike: Strike,
    attacker: Fighter,
    ability: Ability | None,
    target: Fighter,
    landed: Landed,
) -> None:
    """Check the level that a binding leaves and put it on the target's pools."""
    if turn.quiet:
        _before(turn, strike, ability, target)
    binds = strike.binding is not None or strike.levels is not None or (ability is not None and ability.type == "bind")
    if not binds:
        return
    area = (ability.part if ability else None) or (strike.levels.area if strike.levels else None)
    if area is None:
        turn.unchecked(f"area:{turn.entry.post.id}", f"which area is bound is not clear: {claim.quote}", attacker.name)
        blur(turn, target)
        return
    if _surely_missed(turn, strike, landed):
        return
    levels = _levels(turn, claim, strike, attacker, ability)
    resisted = _resisted(turn, claim, strike, attacker, ability, landed)
    right = _grips(turn, landed.right, levels, resisted, attacker)
    said = _said(turn, strike, landed, levels, attacker, right)
    pool = target.binds[area]
    before = pool.open or _FREE
    live = pool.live or before
    wrong_area = strike.levels is not None and strike.levels.area not in (None, area)
    stated = strike.levels
    if stated is None:
        if strike.save is not None:
            wanted = _results(turn, live, right)
            _silent(turn, claim, attacker, strike.save, resisted, right, wanted, landed, area)
        _move(turn, target, area, said, right)
        return
    # Where several levels are open, the post says from which of them it goes on.
    start = frozenset((stated.old,)) if stated.old in before else before
    admitted = {b.level for b in _results(turn, start, right if landed.certain else {*right, said})}
    bad_old = stated.old is not None and stated.old not in before
    if stated.to in admitted and not wrong_area and not bad_old:
        _move(turn, target, area, said, right)
        back = pool.settle(stated.to)
        for finding in back:
            turn.arena.case.book.taken_back(finding, turn.entry)
        if stated.spill_to is not None:
            _spilled(turn, claim, stated, stated.spill_to, attacker, target, area, before, {said, *right})
        return
    live = start if stated.old in before else live
    _report(turn, claim, attacker, area, stated, _results(turn, live, right), live, levels, landed.right, resisted)
    beside = target.binds[SPILL[area]] if area in SPILL else None
    unspilt = (beside.open if beside else None) or ()
    _move(turn, target, area, said, right)
    if beside is not None:
        # Who writes a wrong level may have let nothing spill over (G23).
        beside.also(*unspilt)
    if wrong_area and stated.area in target.binds:
        target.binds[stated.area].doubt(stated.to, None)
    else:
        pool.doubt(stated.to, None)


def _surely_missed(turn: Turn, strike: Strike, landed: Landed) -> bool:
    """Whether a binding missed for certain and the post writes nothing of it: no level moves."""
    written = strike.levels is not None or strike.binding is not None or strike.save is not None
    return landed.said == MISS and landed.certain and not written and not turn.quiet


def _before(turn: Turn, strike: Strike, ability: Ability | None, target: Fighter) -> None:
    """A claim that was changed late: whom it bound before, and where, may be bound as well (G20)."""
    was = turn.was or strike
    if not isinstance(was, Strike) or was.levels is None:
        return
    earlier = turn.tables.ability(was.ability) or ability
    area = was.levels.area or (earlier.part if earlier else None)
    for fighter in earlier_targets(turn, was, target):
        if area is not None:
            turn.touch(fighter)
            _move(turn, fighter, area, NOTHING, set())


def _levels(turn: Turn, claim: Claim, strike: Strike, attacker: Fighter, ability: Ability | None) -> frozenset[int]:
    """The levels that the binding adds, before a critical's extra one."""
    dice = ability.levels if ability else None
    if strike.binding is not None:
        due = aligned(strike.binding, dice) if dice and dice.count else ()
        rows = rolled(turn, claim, strike.binding, due, attacker.name, ("A12",))
        if rows:
            bonus = dice.bonus if dice else 0
            return frozenset(sum(row) + bonus for row in rows)
    if dice is None:
        return frozenset(range(9))
    return frozenset(range(dice.low, min(dice.high, dice.low + 20) + 1))


def _resisted(
    turn: Turn, claim: Claim, strike: Strike, attacker: Fighter, ability: Ability | None, landed: Landed
) -> frozenset[bool]:
    """Whether the saving throw resists: by its die, both where none is written (ND22)."""
    due = ability.save if ability else None
    save = strike.save
    if save is None or not save.granted or save.roll is None:
        return frozenset((False, True)) if due is not None and save is None else frozenset((False,))
    rows = rolled(turn, claim, save.roll, (deciding_die(),), attacker.name, ("A12",))
    if ability is not None and due is not None and save.against not in (None, due):
        words = f"the saving throw against {ability.name} needs {due} by the table and {save.against} in this post"
        turn.unchecked(f"save:{ability.name}", f"{words}: the table counts", attacker.name)
    need = due if due is not None else save.against
    if ability is not None and due is None:
        need = save.against
    if not rows or need is None:
        return frozenset((bool(save.resisted),))
    return frozenset(row[0] >= need for row in rows)


def _grips(
    turn: Turn, outcomes: Iterable[str], levels: frozenset[int], resisted: frozenset[bool], attacker: Fighter
) -> set[Grip]:
    """What each admissible outcome does."""
    grips: set[Grip] = set()
    for outcome in outcomes:
        if outcome == CRITICAL:
            grips |= {Grip(levels_added(n, True, turn.tables)) for n in levels}
        elif outcome == HIT:
            grips |= {NOTHING if saved else Grip(n) for n in levels for saved in resisted}
        elif outcome == FUMBLE and attacker.enemy:
            grips |= {Grip(removed=n) for n in levels}
        else:
            grips.add(NOTHING)
    return grips


def _said(
    turn: Turn, strike: Strike, landed: Landed, levels: frozenset[int], attacker: Fighter, right: set[Grip]
) -> Grip:
    """What the post itself makes of it."""
    saved = strike.save is not None and strike.save.resisted is True
    grips = _grips(turn, (landed.said,), levels, frozenset((saved,)), attacker)
    return min(grips & right or grips)


def _after(turn: Turn, level: int, grip: Grip) -> Bound:
    if grip.removed:
        return Bound(freed_by(level, grip.removed))
    return bound_by(level, grip.added, turn.tables)


def _results(turn: Turn, levels: Iterable[int], grips: Iterable[Grip]) -> set[Bound]:
    """All that a binding may lead to; a level above the highest (by a fault) may stay there or come down to it."""
    most, found = turn.tables.bind_max, set()
    for level in levels:
        for grip in grips:
            found.add(_after(turn, level, grip))
            if level > most:
                found.add(Bound(most, level - most + grip.added))
    return found


def _move(turn: Turn, target: Fighter, area: str, said: Grip, right: set[Grip]) -> None:
    """Move the pool of the area, and that of the area into which levels spill over."""
    grips = [said, *sorted(right - {said})]
    if turn.quiet:
        grips.append(NOTHING)
        grips += [Grip(added=n) for n in range(1, 5)] + [Grip(removed=n) for n in range(1, 5)]
    pool = target.binds[area]
    before = pool.open or frozenset((0,))
    most = turn.tables.bind_max
    lowered: list[Change] = [lambda level: min(level, most)] if max(before) > most else []
    pool.change(_mover(turn, grips[0]), [*(_mover(turn, grip) for grip in grips[1:]), *lowered])
    other = SPILL.get(area)
    if other is None or not turn.tables.spills:
        return
    over = {bound.over for bound in _results(turn, before, grips)}
    if over != _NOTHING_OVER:
        first = _after(turn, sorted(before)[0], said).over
        steps = [first, *sorted(over - {first})]
        target.binds[other].change(_spiller(steps[0], most), [_spiller(n, most) for n in steps[1:]])


def _mover(turn: Turn, grip: Grip) -> Change:
    return lambda level: _after(turn, level, grip).level


def _spiller(over: int, most: int) -> Change:
    return lambda level: min(most, level + over)


def _silent(
    turn: Turn,
    claim: Claim,
    attacker: Fighter,
    save: Save,
    resisted: frozenset[bool],
    right: set[Grip],
    wanted: set[Bound],
    landed: Landed,
    area: str,
) -> None:
    """No level is written: only a saving throw that is read wrongly can be seen."""
    if save.resisted is None or not landed.certain:
        return
    lawful = landed.said != CRITICAL or not save.resisted
    if lawful and (save.resisted in resisted or landed.said not in (HIT, CRITICAL)):
        return
    levels = sorted({bound.level for bound in wanted})
    message = f"the saving throw does not give what the post says; it leaves the {area} at level {_listed(levels)}"
    die = save.roll.total if save.roll is not None else None
    trace = [f"saving throw: {die} against {save.against}"] if die is not None and save.against is not None else []
    trace.append(f"level of the {area} by that: {_listed(levels)}")
    trace.append("against a critical hit there is no saving throw" if not lawful else "at or above that number resists")
    turn.report("bind-level", claim, message, character=attacker.name, expected=levels, trace=trace, rules=("A12",))
    right.add(NOTHING)
    right.add(Grip(max(grip.added for grip in right)))


def _report(
    turn: Turn,
    claim: Claim,
    attacker: Fighter,
    area: str,
    stated: Levels,
    wanted: set[Bound],
    before: frozenset[int],
    levels: frozenset[int],
    outcomes: Iterable[str],
    resisted: frozenset[bool],
) -> None:
    expected = sorted({bound.level for bound in wanted})
    trace = bind_lines(turn, area, before, levels, outcomes, resisted, wanted)
    if stated.old is not None and stated.old not in before:
        trace.append(f"the post writes {stated.old} as the level before")
    message = f"the binding leaves the {area} at level {_listed(expected)}, the post says {stated.to}"
    if stated.area not in (None, area):
        message += f" for the {stated.area}"
    cited = {"A12", *(("A13",) if FUMBLE in outcomes else ()), *(("A15",) if any(b.over for b in wanted) else ())}
    turn.report(
        "bind-level",
        claim,
        message,
        character=attacker.name,
        claimed=stated.to,
        expected=expected,
        trace=trace,
        rules=sorted(cited),
    )


def _spilled(
    turn: Turn,
    claim: Claim,
    stated: Levels,
    spill_to: int,
    attacker: Fighter,
    target: Fighter,
    area: str,
    before: frozenset[int],
    right: set[Grip],
) -> None:
    """The level in the area into which the rest spills over, where the post writes it."""
    name = stated.spill_area or SPILL.get(area)
    if name is None or name not in target.binds:
        return
    pool = target.binds[name]
    fits = name == SPILL.get(area) and turn.tables.spills and pool.admits(spill_to)
    over = any(_after(turn, level, grip).over for level in before for grip in right)
    if fits and over:
        pool.settle(spill_to)
        return
    expected = sorted(pool.live or pool.open or ())
    message = f"{level_words(name)} at level {_listed(expected)}, the post says {spill_to}"
    spilt = sorted({_after(turn, level, grip).over for level in before for grip in right})
    trace = [
        f"level before ({area}): {_listed(sorted(before))}, never above {turn.tables.bind_max}",
        f"levels over: {_listed(spilt)}",
        f"they go to the {SPILL[area]}" if area in SPILL else f"the {area} spill over to no other area",
        f"level after ({name}): {_listed(expected)}",
    ]
    turn.report(
        "bind-level",
        claim,
        message,
        character=attacker.name,
        claimed=spill_to,
        expected=expected,
        trace=trace,
        rules=("A15",),
    )
    pool.doubt(spill_to, None)


def _listed(values: Iterable[int]) -> str:
    return one_of(values)
