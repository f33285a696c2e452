"""Damage of an attack: dice and bonus, critical's 1d6, resistance, whom it falls on (A12, A13, A16)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.model.claims import Claim
from referee.model.dice import Dice
from referee.model.report import Evidence
from referee.ports.sayings import one_of
from rules.d20_arena.attack import damage_dice, resistances, turned_on_itself
from rules.d20_arena.endings import left_after
from rules.d20_arena.judging.dice import Row, aligned, rolled
from rules.d20_arena.judging.hit import Landed, earlier_targets
from rules.d20_arena.judging.rulings import bonus_damage
from rules.d20_arena.judging.state import Fighter, Step, Turn
from rules.d20_arena.judging.workings import reaction_line, sum_lines
from rules.d20_arena.pools import Change
from rules.d20_arena.records import CRITICAL, FUMBLE, HIT, MISS, HitPoints, Reaction, Strike, Sum
from rules.d20_arena.tables import Ability

_NOTHING = frozenset((0,))
#: Words for the attacker itself, behind its damage.
_ITSELF = frozenset(("him", "her", "it", "them", "the attacker", "attacker"))


class Amount(NamedTuple):
    """Damage before resistance: as written, every admissible number, and what may be besides."""

    said: int
    all: frozenset[int]
    vague: frozenset[int] = frozenset()


def judge_damage(
    turn: Turn,
    claim: Claim,
    strike: Strike,
    attacker: Fighter,
    ability: Ability | None,
    target: Fighter,
    landed: Landed,
    known: Amount | None,
) -> Amount | None:
    """Check the damage of an attack and take it off; gives it for a further target of the same roll."""
    damaging = strike.damage is not None or (ability is not None and ability.type == "damage")
    if not damaging:
        if turn.quiet:
            _before(turn, strike, ability, target)
        return known
    if strike.damage is None:
        _undamaged(turn, claim, attacker, ability, target, landed)
        if turn.quiet:
            _before(turn, strike, ability, target)
        return None
    net = known or _net(strike.damage, ability, target, landed)
    amount = net or _amount(turn, claim, strike.damage, attacker, ability, landed)
    if turned_on_itself(landed.said, attacker.enemy) and FUMBLE in landed.right:
        _check_turned(turn, claim, strike, attacker)
    reduced = _reduced(turn, claim, strike, target, landed, amount)
    _take(turn, strike, attacker, ability, target, landed, reduced, reduced is not amount)
    return amount


def _net(read: Sum, ability: Ability | None, target: Fighter, landed: Landed) -> Amount | None:
    """A plain number that is an ability's own less the target's resistance; with dice their sum would show it."""
    table = ability.damage if ability else None
    if read.groups or table is None or table.groups or read.total is None or landed.said == CRITICAL:
        return None
    off = resistances(target.res or 0, target.kinds, ability, False) - {0}
    net = read.total in {max(0, table.bonus - n) for n in off}
    return Amount(read.total, frozenset((read.total, table.bonus))) if net else None


def _undamaged(
    turn: Turn, claim: Claim, attacker: Fighter, ability: Ability | None, target: Fighter, landed: Landed
) -> None:
    """An attack that hit (or failed critically) without any damage written."""
    if landed.said in (HIT, CRITICAL):
        message = f"the damage of this hit is not written: {claim.quote}"
        turn.unchecked(f"damage:{turn.entry.post.id}:{turn.at}", message, attacker.name)
        target.hp.loosen()
    elif turned_on_itself(landed.said, attacker.enemy) and landed.certain and not turn.entry.reading.unread:
        message = f"a critical fail turns the damage on {attacker.name} itself; none is written"
        trace = [f"damage of {ability.name}: {ability.damage}"] if ability and ability.damage else []
        turn.report("free-attack", claim, message, character=attacker.name, rules=("A13",), trace=trace)
        dice = ability.damage if ability else None
        most = min(63, dice.high) if dice else 63
        attacker.hp.change(_same, (), [_minus(n) for n in range(1, most + 1)])


def _minus(lost: int) -> Change:
    return lambda hp: left_after(hp, lost, 0)


def _amount(turn: Turn, claim: Claim, read: Sum, attacker: Fighter, ability: Ability | None, landed: Landed) -> Amount:
    """The damage that dice and bonus give; reports a stated one that they do not give."""
    table = ability.damage if ability else None
    critical = landed.said == CRITICAL
    dice = damage_dice(table, critical, turn.tables) if table else None
    due = aligned(read, dice) if dice else ()
    rows = rolled(turn, claim, read, due, attacker.name, ("A12",))
    if table is None or dice is None:
        return _by_itself(turn, claim, read, attacker, rows)
    if not read.groups and table.groups:
        return _without_dice(turn, claim, read, attacker, table)
    if not _same_dice(read, dice):
        other = damage_dice(table, not critical, turn.tables)
        if landed.certain or not _same_dice(read, other):
            return _wrong_dice(turn, claim, read, attacker, dice, rows, table, critical)
        dice = other
    extra = {0, *bonus_damage(turn, attacker.name)} if turn.arena.rulings else _NOTHING
    count = dice.count
    if rows is None or any(len(row) != count for row in rows):
        said = read.total if read.total is not None else dice.low
        return Amount(said, frozenset((said,)))
    right = frozenset([max(0, sum(row) + dice.bonus + more) for row in rows for more in extra])
    if read.total is None:
        return Amount(min(right), right)
    if read.total in right and (
        read.bonus == dice.bonus or len(extra) > 1 or read.total in {sum(row) + read.bonus for row in rows}
    ):
        return Amount(read.total, frozenset((read.total,)))
    _report(turn, claim, read, attacker, rows, dice, right)
    return Amount(read.total, right | {read.total})


def _same_dice(read: Sum, dice: Dice) -> bool:
    """Whether a sum is written with these dice, in any order and grouping."""
    return read.dice == dice.groups or sorted(_sides(read)) == sorted(dice.sides)


def _sides(read: Sum) -> list[int]:
    return [group.sides for group in read.groups for _ in range(min(group.number, 100))]


def _by_itself(turn: Turn, claim: Claim, read: Sum, attacker: Fighter, rows: list[Row] | None) -> Amount:
    """An ability that is in no table: only the post's own sum is checked (X2)."""
    if rows is None or read.total is None:
        said = read.total if read.total is not None else 0
        return Amount(said, frozenset((said,)))
    right = frozenset(max(0, sum(row) + read.bonus) for row in rows)
    if read.total not in right and all(len(row) == len(_sides(read)) for row in rows):
        _report(turn, claim, read, attacker, rows, Dice((), read.bonus), right)
    return Amount(read.total, right | {read.total})


def _without_dice(turn: Turn, claim: Claim, read: Sum, attacker: Fighter, table: Dice) -> Amount:
    """A number where the ability rolls dice: what they showed is nowhere written, so that nothing can be checked."""
    message = f"the damage is {table}, and no dice are written: {claim.quote}"
    turn.unchecked(f"damage:{turn.entry.post.id}:{turn.at}", message, attacker.name)
    said = read.total or 0
    return Amount(said, frozenset((said,)), frozenset(range(table.low, min(table.high, 63) + 1)))


def _wrong_dice(
    turn: Turn,
    claim: Claim,
    read: Sum,
    attacker: Fighter,
    dice: Dice,
    rows: list[Row] | None,
    table: Dice,
    critical: bool,
) -> Amount:
    """Other dice than the ability's: no value is due, unless only a critical's 1d6 is too many."""
    expected = None
    plain = sum(count for count, _ in table.groups)
    if rows and not critical and all(len(row) > plain for row in rows) and read.groups[0].number == plain:
        expected = sorted({sum(row[:plain]) + table.bonus for row in rows})
    written = "+".join(group.expression for group in read.groups) or "none"
    message = f"the damage dice here are {dice}, the post rolls {written}"
    said = read.total if read.total is not None else sum(rows[0]) + read.bonus if rows else dice.low
    trace = [f"damage of the ability: {table}"]
    trace += [f"critical hit: {turn.tables.critical_damage} more"] if critical else ["no critical hit: no further dice"]
    trace += sum_lines([row[:plain] for row in rows], table.bonus, expected) if expected and rows else []
    turn.report("damage", claim, message, character=attacker.name, claimed=said, expected=expected, trace=trace)
    missing = turn.tables.critical_damage if critical else None
    forgotten = {said + n for n in range(missing.low, min(missing.high, 30) + 1)} if missing else set()
    return Amount(said, frozenset((said, *(expected or ()))), frozenset(forgotten))


def _report(
    turn: Turn, claim: Claim, read: Sum, attacker: Fighter, rows: list[Row], dice: Dice, right: frozenset[int]
) -> None:
    trace = [f"damage dice: {dice}"] if dice.groups else []
    trace += sum_lines([[die for die in row if die] for row in rows], dice.bonus, right)
    if dice.bonus != read.bonus:
        trace.append(f"the bonus is {dice.bonus:+d}, the post writes {read.bonus:+d}")
    message = f"dice and bonus give {_listed(right)}, the post says {read.total}"
    turn.report(
        "damage", claim, message, character=attacker.name, claimed=read.total, expected=sorted(right), trace=trace
    )


def _listed(values: frozenset[int]) -> str:
    return one_of(sorted(values))


def _check_turned(turn: Turn, claim: Claim, strike: Strike, attacker: Fighter) -> None:
    """A critical fail's damage must be turned on the enemy itself (A13)."""
    if _turned(turn, strike, attacker):
        return
    message = f"a critical fail turns the damage on {attacker.name} itself; the post does not say so"
    trace = [f"damage written: {strike.damage.total}" if strike.damage and strike.damage.total is not None else ""]
    trace += [f"on whom: {strike.itself}"] if strike.itself else [f"expected behind it: to {attacker.name} itself"]
    turn.report("free-attack", claim, message, character=attacker.name, rules=("A13",), trace=filter(None, trace))


def _turned(turn: Turn, strike: Strike, attacker: Fighter) -> bool:
    """Whether the post says that the damage falls on the attacker: in words, or by the HP that it has left."""
    if strike.itself is not None:
        said = strike.itself.strip().casefold()
        return said in _ITSELF or turn.arena.names.fighters.find(said) == attacker.name
    before = min(attacker.hp.open or (0,))
    stated = (claim.data for claim in turn.entry.reading.claims)
    return any(isinstance(hp, HitPoints) and hp.name == attacker.name and hp.now < before for hp in stated)


def _reduced(turn: Turn, claim: Claim, strike: Strike, target: Fighter, landed: Landed, amount: Amount) -> Amount:
    """The damage after a Reaction Ability behind the attack's tag (ND21)."""
    held = next(_reactions(turn, target), None) if Reaction in turn.kinds else None
    if held is None:
        return amount
    index, reaction = held
    lawful = _may_react(turn, target, strike, landed)
    row = turn.tables.ability(reaction.ability)
    change = -row.reduce if row is not None and row.reduce is not None else reaction.change
    right = frozenset(max(0, n + change) for n in amount.all)
    before, turn.at = turn.at, index
    own = turn.entry.reading.claims[index]
    if not lawful:
        if target.reacted and not strike.free and not (landed.said == CRITICAL and landed.certain):
            message, rules = f"{target.name} has used a Reaction Ability in this round already", ("A9",)
        elif strike.free:
            message, rules = "no Reaction Ability may answer a free attack", ("A14",)
        else:
            message, rules = "no Reaction Ability may answer a critical hit", ("A12",)
        proof = (Evidence(turn.entry.post.id, claim.quote),)
        turn.report("uses", own, message, character=target.name, rules=rules, evidence=proof)
    elif reaction.before not in amount.all or reaction.after not in right or _misadds(reaction):
        wanted = sorted(right)
        message = f"the reaction leaves {_listed(right)} damage, the post says {reaction.after}"
        if reaction.after in right:
            message = f"{reaction.before} {reaction.change:+d} is not {reaction.after}"
        trace = reaction_line(amount.all, change, right)
        proof = (Evidence(turn.entry.post.id, claim.quote),)
        turn.report(
            "damage",
            own,
            message,
            character=target.name,
            claimed=reaction.after,
            expected=wanted,
            trace=trace,
            evidence=proof,
        )
    late = turn.quiet
    turn.at = before
    return Amount(reaction.after, right | {reaction.after} | (amount.all if late or not lawful else frozenset()))


def _misadds(reaction: Reaction) -> bool:
    """Whether a reaction's own sum is wrong; damage never falls below 0."""
    return max(0, reaction.before + reaction.change) != reaction.after


def _reactions(turn: Turn, target: Fighter) -> Iterator[tuple[int, Reaction]]:
    """Damage reactions of the target between this attack and the next one."""
    claims = turn.entry.reading.claims
    for index in range(turn.at + 1, len(claims)):
        data = claims[index].data
        if isinstance(data, Strike):
            return
        if isinstance(data, Reaction) and data.what == "damage" and turn.arena.fighters.get(data.actor) is target:
            yield index, data


def _may_react(turn: Turn, target: Fighter, strike: Strike, landed: Landed) -> bool:
    """One reaction a round, none against a critical hit or a free attack."""
    first = not target.reacted
    lawful = not strike.free and not (landed.said == CRITICAL and landed.certain)
    target.reacted = target.reacted or lawful
    return first and lawful


def _take(
    turn: Turn,
    strike: Strike,
    attacker: Fighter,
    ability: Ability | None,
    target: Fighter,
    landed: Landed,
    amount: Amount,
    lessened: bool,
) -> None:
    """Take the damage off every admissible pool; `lessened`: a reaction has lowered it."""
    outcomes = landed.all
    not_turned = landed.said == FUMBLE and attacker.enemy and not _turned(turn, strike, attacker)
    readings = [(landed.said, amount.said)]
    if len(outcomes) > 1 or len(amount.all) > 1:
        readings += [(o, n) for o in sorted(outcomes) for n in sorted(amount.all) if (o, n) != readings[0]]
    besides = [(o, n) for o in sorted(outcomes) for n in sorted(amount.vague)] if amount.vague else []
    itself = attacker.enemy and attacker is not target and FUMBLE in outcomes
    for fighter in (target, attacker) if itself else (target,):
        moves = _moves(turn, fighter, attacker, ability, target, readings)
        if not_turned:
            moves += [_same, *(_losses(turn, target, ability, amount.said, False) if fighter is target else ())]
        if turn.quiet:
            moves.append(_same)
        fighter.hp.change(moves[0], moves[1:], _moves(turn, fighter, attacker, ability, target, besides))
        if moves.count(_same) < len(moves):
            fighter.since.append(_step(turn, fighter, attacker, ability, target, landed, amount, lessened))
    if turn.quiet:
        _before(turn, strike, ability, target)


def _step(
    turn: Turn,
    fighter: Fighter,
    attacker: Fighter,
    ability: Ability | None,
    target: Fighter,
    landed: Landed,
    amount: Amount,
    lessened: bool,
) -> Step:
    """The same for the working, as the post says it."""
    critical = landed.said == CRITICAL
    off = resistances(fighter.res or 0, fighter.kinds, ability, critical)
    struck = attacker if landed.said == FUMBLE and attacker.enemy else target
    sure = len(landed.all) == len(amount.all) == 1 and fighter is struck and not turn.quiet
    return Step(
        turn.entry.post.id,
        turn.entry.reading.claims[turn.at].quote,
        "reaction" if lessened else "damage",
        amount.said,
        next(iter(off)) if len(off) == 1 else None,
        critical,
        sure,
    )


def _moves(
    turn: Turn,
    fighter: Fighter,
    attacker: Fighter,
    ability: Ability | None,
    target: Fighter,
    readings: list[tuple[str, int]],
) -> list[Change]:
    """What outcomes with their damage do to one fighter's HP."""
    moves: list[Change] = []
    for outcome, n in readings:
        struck = (attacker if attacker.enemy else None) if outcome == FUMBLE else target if outcome != MISS else None
        moves += _losses(turn, fighter, ability, n, outcome == CRITICAL) if struck is fighter else [_same]
    return moves


def _same(hp: int) -> int:
    return hp


def _losses(turn: Turn, fighter: Fighter, ability: Ability | None, amount: int, critical: bool) -> list[Change]:
    """What this damage may do to a fighter's HP; without a sheet its resistance is not known."""
    if fighter.res is None and not critical:
        turn.unchecked(
            f"res:{fighter.name}", f"RES of {fighter.name} is not known: its HP are not judged", fighter.name
        )
        fighter.hp.loosen()
        return [_loss(amount, 0)]
    found = resistances(fighter.res or 0, fighter.kinds, ability, critical)
    return [_loss(amount, resisted) for resisted in sorted(found)]


def _loss(amount: int, resisted: int) -> Change:
    return lambda hp: left_after(hp, amount, resisted)


def _before(turn: Turn, strike: Strike, ability: Ability | None, target: Fighter) -> None:
    """A claim that was changed late: its earlier numbers are open as well (G20)."""
    was = turn.was or strike
    before = was.damage.amount if isinstance(was, Strike) and was.damage is not None else None
    if not isinstance(was, Strike) or before is None:
        return
    now = strike.damage.amount if strike.damage else None
    for fighter in earlier_targets(turn, was, target):
        turn.touch(fighter)
        if fighter is target and now is not None:
            fighter.hp.change(_same, [_shift(before - now)])
        else:
            losses = _losses(turn, fighter, ability, before, was.outcome == CRITICAL)
            fighter.hp.change(_same, losses)


def _shift(lost: int) -> Change:
    return lambda hp: max(0, hp - lost)
