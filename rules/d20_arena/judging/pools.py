"""HP lines, sheets and healing: what is stated of pools, and what moves them without an attack."""

from __future__ import annotations

from referee.model.claims import Claim
from referee.ports.sayings import one_of
from rules.d20_arena.endings import healed
from rules.d20_arena.judging.dice import aligned, rolled
from rules.d20_arena.judging.hit import levels_known
from rules.d20_arena.judging.limits import check_act, check_announced, check_ready, note_use
from rules.d20_arena.judging.rulings import set_here
from rules.d20_arena.judging.state import PLAYERS, Fighter, Shield, Step, Turn, reopen
from rules.d20_arena.judging.unread import blur, loosen_named
from rules.d20_arena.judging.workings import defense_lines, hp_lines, sum_lines
from rules.d20_arena.pools import Change, Pool
from rules.d20_arena.records import Bonds, HitPoints, Mend, Reaction, SheetLine, Strike, Use
from rules.d20_arena.stance import ENGAGED, EVADING, defenses


def judge_hp(turn: Turn, claim: Claim, stated: HitPoints) -> None:
    """A statement of present HP against every reading of the pool (A16)."""
    fighter = _owner(turn, claim, stated)
    if fighter is None:
        return
    turn.touch(fighter)
    _judge_sheet_numbers(turn, claim, stated, fighter)
    pool = fighter.hp
    if stated.now in set_here(turn.arena, turn.entry, fighter, "hp"):
        pool.also(stated.now)
    if turn.quiet:
        was = turn.was
        old = was.now if isinstance(was, HitPoints) else stated.now
        if pool.open is None:
            pool.open = frozenset((stated.now, old))
        pool.also(stated.now, old)
        pool.claimed = stated.now
    elif pool.admits(stated.now):
        _judge_old(turn, claim, stated, fighter)
        for finding in pool.settle(stated.now):
            turn.arena.case.book.taken_back(finding, turn.entry)
        if stated.sums not in (None, stated.now):
            message = f"the addends of {claim.quote} give {stated.sums}; the number behind them fits the posts"
            turn.unchecked(f"sums:{turn.entry.post.id}:{fighter.name}", message, fighter.name)
    else:
        expected = sorted(pool.live or pool.open or ())
        message = f"the numbers of the posts leave {fighter.name} at {one_of(expected)} HP, this post says {stated.now}"
        found = turn.report(
            "hp",
            claim,
            message,
            character=fighter.name,
            claimed=stated.now,
            expected=expected,
            trace=hp_lines(fighter, expected),
        )
        pool.doubt(stated.now, found)
    if stated.old is not None:
        pool.past.add(stated.old)
    fighter.stated = (turn.entry.post.id, stated.now)
    fighter.since.clear()
    for area, level in stated.bound:
        judge_level(turn, claim, fighter, area, level)


def _owner(turn: Turn, claim: Claim, stated: HitPoints) -> Fighter | None:
    """Whose HP a statement tells; None where that, or that they are HP at all, is not clear."""
    fighter = turn.fighter(stated.name)
    if fighter is None:
        if not stated.bare:
            turn.unchecked(f"hp:{turn.entry.post.id}", f"whose HP this is is not clear: {claim.quote}")
        return None
    if stated.bare and not _are_hp(stated, fighter):
        if stated.was is not None and _like_hp(stated, fighter):
            message = f"whether these are the HP of {fighter.name}, which never were {stated.was}, is not clear"
            turn.unchecked(f"hp:{turn.entry.post.id}:{turn.at}", f"{message}: {claim.quote}", fighter.name)
            fighter.hp.also(stated.now)
        return None
    return fighter


def _judge_old(turn: Turn, claim: Claim, stated: HitPoints, fighter: Fighter) -> None:
    """The number that a change starts from, where the new one fits: the fighter must have stood at it once (A16).

    Any number of before will do: some look back over a round, others count down from the maximum.
    """
    pool, old = fighter.hp, stated.old
    if old is None or pool.open is None or pool.gap or stated.sums not in (None, stated.now):
        return
    if stated.sums is not None and stated.now == fighter.most:  # `HP: 35 + 5 = 40`: how it is made up
        return
    known = {*pool.past, *pool.open, fighter.most, pool.start, *set_here(turn.arena, turn.entry, fighter, "hp")}
    if old in known:
        return
    expected = sorted(pool.before or pool.open)
    message = f"the posts have {fighter.name} at {one_of(expected)} HP before, this post starts from {old}"
    trace = [f"HP before the last change: {one_of(expected)}", f"the change in the post starts from {old}"]
    turn.report("hp", claim, message, character=fighter.name, claimed=old, expected=expected, trace=trace)


def judge_bonds(turn: Turn, claim: Claim, bonds: Bonds) -> None:
    """Bind levels that a post states for themselves."""
    fighter = turn.arena.fighters.get(bonds.name)
    if fighter is not None and bonds.bare and not all(fighter.binds[area].admits(n) for area, n in bonds.bound):
        turn.unchecked(f"bond:{turn.entry.post.id}", f"whose bind level this is is not clear: {claim.quote}")
        for other in turn.arena.fighters.values():
            blur(turn, other)
    elif fighter is not None:
        turn.touch(fighter)
        for area, level in bonds.bound:
            judge_level(turn, claim, fighter, area, level)


def judge_level(turn: Turn, claim: Claim, fighter: Fighter, area: str, level: int) -> None:
    """A statement of a present bind level beside the HP against every reading of the pool (A12, A15)."""
    pool = fighter.binds[area]
    if level in set_here(turn.arena, turn.entry, fighter, area):
        pool.also(level)
    if not pool.admits(level) and _opens_bound(turn, fighter, area):
        message = f"the sheet of {fighter.name} names no binding of the {area}; this post says level {level}: it counts"
        turn.unchecked(f"bound:{fighter.name}:{area}", message, fighter.name)
        pool.also(level)
        pool.settle(level)
    elif turn.quiet:
        pool.also(level)
    elif pool.admits(level):
        for finding in pool.settle(level):
            turn.arena.case.book.taken_back(finding, turn.entry)
    else:
        expected = sorted(pool.live or pool.open or ())
        words = f"the posts leave the {area} of {fighter.name} at level {one_of(expected)}"
        message = f"{words}, this post says {level}"
        found = turn.report(
            "bind-level", claim, message, character=fighter.name, claimed=level, expected=expected, trace=[words]
        )
        pool.doubt(level, found)


def _opens_bound(turn: Turn, fighter: Fighter, area: str) -> bool:
    """Whether the GM tells how a fighter begins, where the sheet says nothing of it: before anybody has acted."""
    if not turn.gm or Strike in turn.kinds or any(f.turn for f in turn.arena.side(PLAYERS)):
        return False
    sheet = next((c for c in turn.arena.case.sheets.characters if c.name == fighter.name), None)
    binds = sheet.get("binds") if sheet is not None else None
    return not (isinstance(binds, dict) and area in binds)


def _like_hp(stated: HitPoints, fighter: Fighter) -> bool:
    """Whether a bare change from a number that never was looks like HP: by its end, or by how much was lost."""
    now, before = fighter.hp.open or frozenset(), fighter.hp.before
    lost = {old - new for old in before for new in now} - {0}
    return stated.now in now or (stated.was or 0) - stated.now in lost


def _are_hp(stated: HitPoints, fighter: Fighter) -> bool:
    """Whether numbers without the word HP are the fighter's: by the maximum, or by the old number of a change."""
    if stated.was is None:
        return fighter.most is None or stated.most == fighter.most
    last = fighter.stated[1] if fighter.stated else fighter.hp.start
    return stated.was in (last, fighter.hp.claimed) or stated.was in (fighter.hp.open or ())


def _judge_sheet_numbers(turn: Turn, claim: Claim, stated: HitPoints, fighter: Fighter) -> None:
    """The maximum and the sheet's Defense in an HP line (ND6)."""
    if stated.most is not None:
        if fighter.most is None:
            fighter.most = stated.most
        elif stated.most != fighter.most and turn.once(f"most:{fighter.name}"):
            message = f"the sheet of {fighter.name} has {fighter.most} HP in all, the post says {stated.most}"
            turn.report(
                "hp",
                claim,
                message,
                character=fighter.name,
                claimed=stated.most,
                expected=[fighter.most],
                trace=[f"maximum on the sheet: {fighter.most}", f"maximum in the post: {stated.most}"],
            )
            fighter.most = max(fighter.most, stated.most)
    if stated.defense is None:
        return
    if fighter.defense is None:
        fighter.defense = stated.defense
    elif stated.defense not in {fighter.defense, *fighter.defenses(turn.tables), *_in_this_turn(turn, fighter)}:
        message = f"DEF on the sheet of {fighter.name} is {fighter.defense}, the post says {stated.defense}"
        expected = [fighter.defense]
        turn.report(
            "defense",
            claim,
            message,
            character=fighter.name,
            claimed=stated.defense,
            expected=expected,
            trace=[f"Defense on the sheet: {fighter.defense}; an HP line states it without stance"],
        )


def _in_this_turn(turn: Turn, fighter: Fighter) -> frozenset[int]:
    """The Defense of the stance that the post itself takes: some write it beside their HP."""
    if fighter not in turn.players or fighter.defense is None:
        return frozenset()
    footings = {(stance, did) for stance in turn.stances for did in (ENGAGED, EVADING)}
    return defenses(fighter.defense, footings, fighter.binds["legs"].open or {0}, turn.tables)


def read_sheet(turn: Turn, claim: Claim, line: SheetLine) -> None:
    """A sheet in a post gives what the private sheets lack; a different number there is only pointed out (ND7)."""
    del claim
    fighter = turn.fighter(line.name)
    if fighter is None:
        return
    stats = dict(line.stats)
    known = {"HP": fighter.most, "DEF": fighter.defense, "ATK": fighter.attack, "RES": fighter.res}
    if "RES" in stats and _lacks_resistance(turn, fighter):
        fighter.res = known["RES"] = stats["RES"]
    for key, value in stats.items():
        # `Golem 1: HP 12, DEF 15, ...` may tell what is left.
        left = (fighter.hp.open or ()) if key == "HP" else ()
        if key in known and known[key] not in (None, value) and value not in left:
            message = f"{key} of {fighter.name} is {known[key]} on the sheet and {value} in this post: the sheet counts"
            turn.unchecked(f"sheet:{fighter.name}:{key}", message, fighter.name)
    for kind, value in line.resistances:
        if turn.gm:
            fighter.kinds.setdefault(kind, value)
        if fighter.kinds.get(kind, 0) != value:
            words = f"resistance of {fighter.name} to {kind} is {fighter.kinds.get(kind, 0)} on the sheet"
            message = f"{words} and {value} in this post: the sheet counts"
            turn.unchecked(f"sheet:{fighter.name}:{kind}", message, fighter.name)
    if fighter.most is None and stats.get("HP") is not None:
        fighter.most = stats["HP"]
        fighter.hp = Pool.at(fighter.most)
        turn.touch(fighter)
    unknown = fighter.defense is None and fighter.attack is None
    fighter.defense = stats.get("DEF") if fighter.defense is None else fighter.defense
    fighter.attack = stats.get("ATK") if fighter.attack is None else fighter.attack
    if unknown:
        fighter.res = stats.get("RES", 0) if fighter.res is None else fighter.res
        fighter.kinds = fighter.kinds or dict(line.resistances)


def _lacks_resistance(turn: Turn, fighter: Fighter) -> bool:
    """Whether the private sheet leaves the resistance out: then the GM's post may give it, once."""
    if not turn.gm or fighter.stated is not None or fighter.since:
        return False
    sheet = next((c for c in turn.arena.case.sheets.characters if c.name == fighter.name), None)
    stats = sheet.get("stats") if sheet is not None else None
    return isinstance(stats, dict) and "RES" not in stats and not fighter.res


def judge_mend(turn: Turn, claim: Claim, mend: Mend) -> None:
    """Healing: no hit roll, never above the maximum (A10, ND5)."""
    actor = turn.fighter(mend.actor)
    if actor is None:
        turn.unchecked(f"heal:{turn.entry.post.id}", f"who heals is not clear: {claim.quote}")
        loosen_named(turn, mend.targets)
        return
    check_act(turn, claim, actor)
    turn.acts[actor.name] = turn.acts.get(actor.name, 0) + 1
    named = mend.targets or _announced_targets(turn, mend.ability)
    targets = [f for name in named if (f := turn.arena.fighters.get(name))] or [actor]
    if targets == [actor]:
        turn.weak.add(actor.name)
    ability = turn.tables.ability(mend.ability)
    check_announced(turn, claim, actor, "ability", mend.ability, mend.targets)
    if ability is None:
        turn.unchecked(
            f"ability:{mend.ability.casefold()}",
            f"{mend.ability} is in no table: its numbers count as claimed",
            actor.name,
        )
    dice = ability.heal if ability else None
    rows = rolled(turn, claim, mend.heal, aligned(mend.heal, dice) if dice else (), actor.name, ("A10",))
    bonus = dice.bonus if dice else mend.heal.bonus
    right = {sum(row) + bonus for row in rows} if rows else set()
    said = mend.heal.total if mend.heal.total is not None else min(right, default=0)
    written = {sum(row) + mend.heal.bonus for row in rows or ()}
    if right and mend.heal.total is not None and (said not in right or said not in written):
        expected = sorted(right)
        message = f"dice and bonus give {one_of(expected)}, the post says {said}"
        if said in right:
            message = f"the addends of the post give {one_of(sorted(written))}, it says {said}"
        trace = sum_lines(rows or (), bonus, expected)
        turn.report(
            "total", claim, message, character=actor.name, claimed=said, expected=expected, trace=trace, rules=("A10",)
        )
    check_ready(turn, claim, actor, ability)
    pools = turn.snapshot(actor)
    for target in targets:
        turn.touch(target)
        sure = not turn.quiet and right <= {said}
        target.since.append(Step(turn.entry.post.id, claim.quote, "heal", said, sure=sure))
        moves = [_gain(target, n) for n in sorted(right - {said})]
        if turn.quiet:
            was = turn.was
            moves += [lambda hp: hp, *([_gain(target, was.heal.amount or 0)] if isinstance(was, Mend) else [])]
        target.hp.change(_gain(target, said), moves)
    _healed_before(turn, targets)
    reopen(pools)
    note_use(turn, actor, ability, ())


def _announced_targets(turn: Turn, ability: str) -> tuple[str, ...]:
    """Whom an announcement of this ability names: `[Action: Mend: heals ...]` goes to them."""
    return next((said.targets for said in reversed(turn.announced) if said.ability == ability and said.targets), ())


def _healed_before(turn: Turn, targets: list[Fighter]) -> None:
    """A healing that was changed late: whom it went to before may be healed as well (G20)."""
    was = turn.was
    if not isinstance(was, Mend):
        return
    for name in was.targets:
        fighter = turn.arena.fighters.get(name)
        if fighter is not None and fighter not in targets:
            turn.touch(fighter)
            fighter.hp.change(lambda hp: hp, [_gain(fighter, was.heal.amount or 0)])


def _gain(fighter: Fighter, gained: int) -> Change:
    return lambda hp: healed(hp, gained, fighter.most)


def judge_use(turn: Turn, claim: Claim, use: Use) -> None:
    """An ability without numbers: a self skill, an aid, or no action at all (ND5, ND23)."""
    if use.ability is None:
        return
    actor = turn.fighter(use.actor)
    if actor is None:
        turn.unchecked(f"use:{turn.entry.post.id}", f"who acts is not clear: {claim.quote}")
        if use.targets:
            loosen_named(turn, use.targets)
        return
    check_act(turn, claim, actor)
    ability = turn.tables.ability(use.ability)
    check_announced(turn, claim, actor, "ability", use.ability, use.targets)
    if ability is None or ability.type in ("damage", "bind", "heal"):
        cause, message = f"bare:{turn.entry.post.id}", f"no roll is written: {claim.quote}"
        if ability is None:
            cause, message = f"ability:{use.ability.casefold()}", f"{use.ability} is in no table: it is not judged"
        turn.unchecked(cause, message, actor.name)
        turn.weak.add(actor.name)
        loosen_named(turn, use.targets or _announced_targets(turn, use.ability))
    aimed_at_others = any(name != actor.name for name in use.targets)
    counter = turn.acts if aimed_at_others else turn.selfish
    counter[actor.name] = counter.get(actor.name, 0) + 1
    check_ready(turn, claim, actor, ability)
    note_use(turn, actor, ability, ())


def judge_shield(turn: Turn, claim: Claim, reaction: Reaction) -> None:
    """A Defense reaction before the tag of its attack (ND21), or behind it, where the attack has met it already."""
    fighter = turn.arena.fighters.get(reaction.actor)
    if fighter is None or reaction.what != "defense" or not turn.once(f"shield:{turn.at}"):
        return
    ability = turn.tables.ability(reaction.ability)
    lawful, faulty = not fighter.reacted, False
    fighter.reacted = True
    if not lawful:
        message = f"{fighter.name} has used a Reaction Ability in this round already"
        turn.report("uses", claim, message, character=fighter.name, rules=("A9",))
    base = fighter.defenses(turn.tables) if levels_known(turn, fighter) else frozenset()
    change = reaction.change if ability is None or ability.defense is None else ability.defense
    added = reaction.before + reaction.change
    if lawful and base and (reaction.before not in base or {reaction.after, added} != {reaction.before + change}):
        faulty = True
        expected = sorted(n + change for n in fighter.defenses(turn.tables, live=True) or base)
        message = (
            f"sheet, stance, bindings and reaction give Defense {one_of(expected)}, the post says {reaction.after}"
        )
        if reaction.after in expected:
            message = f"the addends of the post give {added}, it says {reaction.after}"
        turn.report(
            "defense",
            claim,
            message,
            character=fighter.name,
            claimed=reaction.after,
            expected=expected,
            trace=defense_lines(turn, fighter, change),
        )
    turn.shields[fighter.name] = Shield(claim, reaction, lawful, faulty or turn.quiet)
