"""Struggles and help: the escape table, spare levels, how many a turn allows (A5, A7, A15, ND18, ND20, ND24)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.model.claims import Claim
from referee.ports.sayings import chain, counted, one_of
from rules.d20_arena.binding import Freed, escaped, help_penalty
from rules.d20_arena.judging.dice import rolled
from rules.d20_arena.judging.limits import check_act, check_announced
from rules.d20_arena.judging.state import Fighter, Turn, reopen
from rules.d20_arena.judging.unread import blur
from rules.d20_arena.judging.workings import escape_lines, level_words
from rules.d20_arena.pools import Change
from rules.d20_arena.records import ACTS, MOVING, Escape
from rules.d20_arena.turn import deciding_die, struggle_limit
from rules.d20_arena.words import AREAS

#: A die with the number by which the row is read.
Pair = tuple[int, int]


def judge_escape(turn: Turn, claim: Claim, escape: Escape) -> None:
    """Judge one struggle or help tag."""
    actor = turn.fighter(escape.actor)
    if actor is None:
        turn.unchecked(f"struggle:{turn.entry.post.id}", f"who struggles is not clear: {claim.quote}")
        for fighter in [turn.arena.fighters[name] for name in [escape.helped] if name] or turn.own:
            blur(turn, fighter)
        return
    helping = escape.helped is not None
    check_act(turn, claim, actor)
    bound = turn.arena.fighters.get(escape.helped) if escape.helped else actor
    if helping:
        turn.acts[actor.name] = turn.acts.get(actor.name, 0) + 1
        check_announced(turn, claim, actor, "help", None, [escape.helped or ""])
    else:
        count = turn.struggles[actor.name] = turn.struggles.get(actor.name, 0) + 1
        if count > _limit(turn, actor, 0):
            turn.doubtful.add(actor.name)
        if not actor.enemy:
            check_announced(turn, claim, actor, "struggle", None, ())
    if bound is None:
        return
    turn.touch(bound)
    if turn.quiet:
        _before(turn, escape, actor)
    pools = turn.snapshot(actor)
    pairs = _pairs(turn, claim, escape, actor)
    areas = _areas(bound, escape)
    if len(areas) == 1:
        _judge_level(turn, claim, escape, bound, areas[0], pairs)
    else:
        turn.unchecked(f"area:{turn.entry.post.id}", f"which binding is meant is not clear: {claim.quote}", actor.name)
        _judge_any(turn, claim, escape, bound, areas, pairs)
    reopen(pools)


def _before(turn: Turn, escape: Escape, actor: Fighter) -> None:
    """A struggle or help that was changed late: the binding that it was about before may be looser (G20)."""
    was = turn.was
    if not isinstance(was, Escape) or (was.helped, was.area) == (escape.helped, escape.area):
        return
    bound = turn.arena.fighters.get(was.helped) if was.helped else actor
    if bound is not None:
        turn.touch(bound)
        for area in _areas(bound, was):
            bound.binds[area].change(_same, [_less(n) for n in range(1, 5)])


def _areas(bound: Fighter, escape: Escape) -> list[str]:
    """The area of a tag, or all that fit one that names none; where no level fits, all that may be bound."""
    if escape.area:
        return [escape.area]
    tied = [area for area in AREAS if any(bound.level(area))]
    return [area for area in tied if escape.old in (None, *bound.level(area))] or tied


def _pairs(turn: Turn, claim: Claim, escape: Escape, actor: Fighter) -> list[Pair]:
    """The admissible dice, each with the number that the row is read with; reports a wrong help sum."""
    rows = rolled(turn, claim, escape.roll, (deciding_die(),), actor.name, ("A1", "A15"))
    total = escape.roll.total
    if escape.helped is None:
        dice = {row[0] for row in rows} if rows else ({total} if total is not None else set(range(1, 21)))
        return [(die, die) for die in sorted(dice)]
    dice = {row[0] for row in rows} if rows else {(total or 0) - escape.roll.bonus}
    arms = actor.level("arms")
    bonuses = {turn.tables.help_bonus + penalty for level in arms for penalty in help_penalty(level, turn.tables)}
    missing = turn.tables.missing_penalties("arms") if any(arms) else None
    if missing is not None:
        turn.unchecked("bind_levels:arms", f"{missing}: penalties on helping are not judged", actor.name)
        bonuses = {escape.roll.bonus}
    pairs = [(die, die + bonus) for die in sorted(dice) for bonus in sorted(bonuses)]
    if total is None:
        return pairs
    written = {die + escape.roll.bonus for die in dice}
    if total not in written or escape.roll.bonus not in bonuses:
        expected = sorted({number for _, number in pairs})
        message = f"roll and bonuses give {_listed(expected)}, the post says {total}"
        trace = [f"die: {_listed(sorted(dice))}", f"help: {turn.tables.help_bonus:+d}"]
        if any(arms):
            penalties = sorted(bonus - turn.tables.help_bonus for bonus in bonuses)
            trace.append(f"arm level of {actor.name}: {_listed(sorted(arms))}, penalty {one_of(penalties)}")
        trace += [f"{chain(die, [number - die])} = {number}" for die, number in pairs[:4]]
        turn.report(
            "total", claim, message, character=actor.name, claimed=total, expected=expected, trace=trace, rules=("A15",)
        )
        pairs += [(die, total) for die in sorted(dice)]
    return pairs


def _judge_level(turn: Turn, claim: Claim, escape: Escape, bound: Fighter, area: str, pairs: list[Pair]) -> None:
    pool = bound.binds[area]
    before = pool.open or frozenset((0,))
    # Where several levels are open, the post says from which of them it goes on.
    start = frozenset((escape.old,)) if escape.old in before else before
    outcomes = _outcomes(turn, start, pairs)
    if outcomes is None:
        turn.unchecked(
            f"escape:{max(before)}", f"the escape table has no row for level {_listed(sorted(before))}", bound.name
        )
        if escape.new is not None:
            pool.also(escape.new)
            pool.settle(escape.new)
        return
    admitted = {freed.level for freed in outcomes}
    bad_old = escape.old is not None and escape.old not in before
    if escape.new is None:
        _move(turn, bound, area, pairs)
    elif escape.new in admitted and not bad_old:
        _move(turn, bound, area, pairs)
        for finding in pool.settle(escape.new):
            turn.arena.case.book.taken_back(finding, turn.entry)
        _judge_spare(turn, claim, escape, bound, area, {freed.spare for freed in outcomes if freed.level == escape.new})
    else:
        live = start if escape.old in before else pool.live or before
        wanted = sorted({freed.level for freed in _outcomes(turn, live, pairs) or outcomes})
        message = f"the roll leaves the {area} at level {_listed(wanted)}, the post says {escape.new}"
        trace = escape_lines(turn, area, live, pairs, wanted)
        if bad_old:
            trace.append(f"the post writes {escape.old} as the level before")
        found = turn.report(
            "escape", claim, message, character=_speaker(turn, escape), claimed=escape.new, expected=wanted, trace=trace
        )
        _move(turn, bound, area, pairs)
        pool.doubt(escape.new, found)
        _spare_either(bound, area, escape)


def _judge_any(turn: Turn, claim: Claim, escape: Escape, bound: Fighter, areas: list[str], pairs: list[Pair]) -> None:
    """A tag that names none of several areas: its level can be judged, and any of them may be looser now."""
    levels = {level for area in areas for level in bound.level(area) if level and escape.old in (None, level)}
    outcomes = _outcomes(turn, levels, pairs) or set()
    wanted = sorted({freed.level for freed in outcomes})
    if wanted and escape.new is not None and escape.new not in wanted:
        message = f"the roll leaves the binding at level {_listed(wanted)}, the post says {escape.new}"
        trace = escape_lines(turn, "binding", levels, pairs, wanted)
        turn.report(
            "escape", claim, message, character=_speaker(turn, escape), claimed=escape.new, expected=wanted, trace=trace
        )
    for area in areas:
        pool, before = bound.binds[area], bound.level(area)
        pool.change(_same, _moves(turn, pairs))
        if escape.new is not None and escape.old in (None, *before):
            pool.also(escape.new)
    if any(freed.spare for freed in outcomes):
        _spare_either(bound, None, escape)


def _outcomes(turn: Turn, levels: Iterable[int], pairs: list[Pair]) -> set[Freed] | None:
    found = {escaped(level, number, die, turn.tables) for level in levels for die, number in pairs}
    known = {freed for freed in found if freed is not None}
    return known or None


def _move(turn: Turn, bound: Fighter, area: str, pairs: list[Pair]) -> None:
    said, *others = _moves(turn, pairs)
    bound.binds[area].change(said, others)


def _moves(turn: Turn, pairs: list[Pair]) -> list[Change]:
    """What the roll may do to a level; an edit that came late may have done it or not (G20)."""
    changes: list[Change] = [_mover(turn, die, number) for die, number in pairs[:16]]
    return [*changes, _same, *[_less(n) for n in range(1, 5)]] if turn.quiet else changes


def _same(level: int) -> int:
    return level


def _mover(turn: Turn, die: int, number: int) -> Change:
    def move(level: int) -> int:
        freed = escaped(level, number, die, turn.tables)
        return level if freed is None else freed.level

    return move


def _less(lost: int) -> Change:
    return lambda level: max(0, level - lost)


def _judge_spare(turn: Turn, claim: Claim, escape: Escape, bound: Fighter, area: str, due: set[bool]) -> None:
    """A natural 20 whose spare level comes off another bound area (ND18)."""
    if True not in due and escape.spare_area is None:
        return
    others = {a: bound.binds[a] for a in AREAS if a != area and any(bound.level(a))}
    if escape.spare_area is None:
        if due == {True} and any(0 not in pool.open for pool in others.values() if pool.open):
            expected = sorted({max(0, level - 1) for pool in others.values() for level in pool.live})
            message = "a natural 20 frees one level more, which comes off another bound area; none is written"
            trace = [f"{level_words(a)} at level {_listed(sorted(p.live or p.open or ()))}" for a, p in others.items()]
            trace = ["the roll frees more than this area has left", *trace, f"1 level off: {_listed(expected)}"]
            turn.report("escape", claim, message, character=_speaker(turn, escape), expected=expected, trace=trace)
            for pool in others.values():
                pool.change(_same, [_less(1)])
        elif True in due:
            for pool in others.values():
                pool.change(_same, [_less(1)])
        return
    pool = bound.binds[escape.spare_area]
    before = pool.open or frozenset((0,))
    after = {max(0, level - 1) for level in before}
    lawful = True in due and escape.spare_area != area and any(before)
    old_fits = escape.spare_old is None or escape.spare_old in before
    if lawful and old_fits and (escape.spare_new is None or escape.spare_new in after):
        pool.change(_less(1), [] if due == {True} else [_same])
        return
    live = pool.live or before
    expected = sorted({max(0, level - 1) for level in live} if lawful else live)
    message, why = _wrong_spare(escape, escape.spare_area, area, True in due, before, live, expected)
    turn.report(
        "escape",
        claim,
        message,
        character=_speaker(turn, escape),
        claimed=escape.spare_new,
        expected=expected,
        trace=why,
    )
    pool.change(_same, [_less(1)] if lawful else [])
    if escape.spare_new is not None:
        pool.doubt(escape.spare_new, None)


def _wrong_spare(
    escape: Escape,
    area: str,
    first: str,
    due: bool,
    before: frozenset[int],
    live: frozenset[int],
    expected: list[int],
) -> tuple[str, list[str]]:
    """Message and working of a spare level that is none, or comes off a wrong number."""
    level = f"{level_words(area)} at level {_listed(sorted(live))} before this roll"
    if not due:
        return f"this roll leaves no spare level for the {area}", ["only a natural 20 can free more than its row"]
    if area == first:
        return f"the spare level comes off another area than the {first}", [level]
    if not any(before):
        return f"the spare level comes off a bound area; {level_words(area)} free", [level]
    written = "" if escape.spare_old is None else f", the post writes {escape.spare_old} as the level before"
    message = f"the spare level leaves the {area} at level {_listed(expected)}, the post says {escape.spare_new}"
    return message, [f"{level}{written}", f"1 level off: {_listed(expected)}"]


def _speaker(turn: Turn, escape: Escape) -> str | None:
    """Whose line it is (X9)."""
    actor = turn.fighter(escape.actor)
    return actor.name if actor else None


def _spare_either(bound: Fighter, area: str | None, escape: Escape) -> None:
    """After a wrong level the spare one may have come off or not."""
    for name in AREAS:
        if name != area and any(bound.level(name)):
            bound.binds[name].change(_same, [_less(1)])
    if escape.spare_area is not None and escape.spare_new is not None:
        bound.binds[escape.spare_area].also(escape.spare_new)


def check_struggles(turn: Turn) -> None:
    """At the end of the post: more struggles than the stance allows, or a struggle beside an action."""
    for name, count in turn.struggles.items():
        fighter = turn.arena.fighters[name]
        acts = turn.acts.get(name, 0) + turn.selfish.get(name, 0)
        limit = _limit(turn, fighter, acts)
        if count + (1 if acts else 0) <= limit:
            continue
        claim = [c for c in turn.entry.reading.claims if isinstance(c.data, Escape) and c.data.helped is None][-1]
        said = f"{counted(count, 'struggle')}{' and an action' if acts else ''} in one turn"
        stance = "an enemy has no stance" if fighter.enemy else f"stance: {one_of(sorted(turn.stances))}"
        tags = [c.quote for c in turn.entry.reading.claims if _is_act_of(turn, c, fighter)]
        turn.lenient = True
        turn.weak.add(name)
        turn.report(
            "struggles",
            claim,
            f"{said}; the limit is {limit}",
            character=name,
            claimed=count + (1 if acts else 0),
            expected=[limit],
            trace=[stance, *(f"{number}. {quote}" for number, quote in enumerate(tags, 1))],
        )


def _is_act_of(turn: Turn, claim: Claim, fighter: Fighter) -> bool:
    """Whether a claim is a struggle or an action of this fighter."""
    data = claim.data
    return isinstance(data, ACTS) and turn.fighter(data.actor) is fighter


def _limit(turn: Turn, fighter: Fighter, acts: int) -> int:
    """How many struggles are in order for a fighter in this post; an enemy has no stance (ND24)."""
    stances = {MOVING} if fighter.enemy else turn.stances
    return max(struggle_limit(stance, acts, turn.tables) for stance in stances)


def _listed(values: Iterable[int]) -> str:
    return one_of(values)
