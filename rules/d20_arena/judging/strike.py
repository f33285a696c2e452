"""Attacks: who acts at whom with what, then roll, damage and bindings target by target (A7 to A14)."""

from __future__ import annotations

from itertools import permutations

from referee.model.claims import Claim
from referee.model.report import Evidence
from rules.d20_arena.attack import earns_free_attack, to_hit
from rules.d20_arena.judging.bind import judge_binding
from rules.d20_arena.judging.damage import judge_damage
from rules.d20_arena.judging.hit import Landed, Raised, Roll, judge_defense, judge_outcome, judge_roll
from rules.d20_arena.judging.limits import check_act, check_announced, check_ready, note_use
from rules.d20_arena.judging.pools import judge_shield
from rules.d20_arena.judging.redeal import by_records
from rules.d20_arena.judging.state import Debt, Fighter, Turn, reopen
from rules.d20_arena.judging.unread import loosen
from rules.d20_arena.records import CRITICAL, STANDING, Announce, Move, Reaction, Strike
from rules.d20_arena.stance import melee_allowed
from rules.d20_arena.tables import Ability
from rules.d20_arena.turn import hit_rolls_due

_ONLY_STANDING = frozenset((STANDING,))
#: More targets than this are read in the order in which they stand.
_MOST_ORDERED = 5


def judge_strike(turn: Turn, claim: Claim, strike: Strike) -> None:
    """Judge one attack and put its effects on the pools.

    Loose lines below an announcement that was changed late are part of that change (G20).
    """
    turn.hushed = turn.edited and strike.ability is None and _announced_anew(turn)
    _judge(turn, claim, strike)
    turn.hushed = False


def _announced_anew(turn: Turn) -> bool:
    """Whether a late edit changed, added or took away an announcement."""
    entry = turn.entry
    claims = [*entry.before.values(), *entry.gone, *(entry.reading.claims[place] for place in entry.added)]
    return any(isinstance(claim.data, Announce) for claim in claims)


def _judge(turn: Turn, claim: Claim, strike: Strike) -> None:
    attacker = turn.fighter(strike.actor)
    name, targets = _aim(turn, strike, attacker)
    if attacker is None or name is None or not targets or strike.hit is None:
        turn.unchecked(f"aim:{turn.entry.post.id}", f"who attacks whom with what is not clear: {claim.quote}")
        _loosen(turn, attacker, targets)
        return
    check_act(turn, claim, attacker)
    strike = by_records(strike, turn.arena.case.battle.rolls)
    strike = _owed(turn, strike, attacker, targets)
    if strike.free:
        turn.paid.append((attacker.name, targets[0].name))
    else:
        turn.acts[attacker.name] = turn.acts.get(attacker.name, 0) + 1
    ability = turn.tables.ability(name)
    if ability is None:
        turn.unchecked(
            f"ability:{name.casefold()}", f"{name} is in no table: its numbers count as claimed", attacker.name
        )
    others: list[Fighter] = []
    announced = turn.announced and not strike.free
    if announced and check_announced(turn, claim, attacker, "ability", name, [t.name for t in targets]):
        others = _announced_instead(turn, targets)
        ability = _meant(turn, strike, ability)
    if not strike.free:
        check_ready(turn, claim, attacker, ability)
    if ability is not None and not attacker.enemy and turn.stances == _ONLY_STANDING:
        for target in targets:
            _check_stance(turn, claim, attacker, ability, target)
    pools = turn.snapshot(attacker)
    roll = judge_roll(turn, claim, strike, attacker, ability)
    if hit_rolls_due(len(targets)) > 1:
        message = f"one hit roll stands for {len(targets)} targets; each needs its own"
        turn.report("roll-per-target", claim, message, character=attacker.name)
    landed = _against_each(turn, claim, strike, attacker, ability, targets, roll, others)
    if pools:
        reopen(pools)
    note_use(turn, attacker, ability, landed)


def _owed(turn: Turn, strike: Strike, attacker: Fighter, targets: list[Fighter]) -> Strike:
    """An enemy's attack at the bonus of a free attack that it has on that player is this one, whatever it is called."""
    if strike.free or not attacker.enemy or not turn.arena.debts or strike.hit is None or attacker.attack is None:
        return strike
    pair = (attacker.name, targets[0].name)
    owed = any((debt.enemy, debt.player) == pair for debt in turn.arena.debts) and pair not in turn.paid
    if not owed or len(targets) > 1 or strike.hit.bonus != to_hit(attacker.attack, True, turn.tables):
        return strike
    others = [claim.data for claim in turn.entry.reading.claims if isinstance(claim.data, Strike)]
    if any(did.free and did.actor == attacker.name and pair[1] in did.targets for did in others):
        return strike
    return strike._replace(free=True)


def _meant(turn: Turn, strike: Strike, ability: Ability | None) -> Ability | None:
    """The announced ability where the numbers are its own and not those of the one that is named (G23)."""
    for said in turn.announced:
        announced = turn.tables.ability(said.ability)
        if announced is not None and _numbers_of(strike, announced) and not _numbers_of(strike, ability):
            return announced
    return ability


def _numbers_of(strike: Strike, ability: Ability | None) -> bool:
    """Whether bonus and damage dice of an attack are those of an ability."""
    if ability is None or strike.hit is None or ability.to_hit != strike.hit.bonus:
        return False
    if strike.damage is None:
        return True
    if ability.damage is None or not ability.damage.groups or not strike.damage.groups:
        return False
    first = strike.damage.groups[0]
    return (first.number, first.sides) == ability.damage.groups[0] and strike.damage.bonus == ability.damage.bonus


def _announced_instead(turn: Turn, targets: list[Fighter]) -> list[Fighter]:
    """Whom the announcement names and the action does not: the numbers may be theirs (ND26, G23)."""
    names = {name for said in turn.announced for name in said.targets}
    return [f for f in turn.arena.fighters.values() if f.name in names and f not in targets]


def _aim(turn: Turn, strike: Strike, attacker: Fighter | None) -> tuple[str | None, list[Fighter]]:
    """Ability and targets, from the tag or, in loose lines, from the announcement (ND2)."""
    name, aimed = strike.ability, strike.targets
    if name is None or not aimed:
        said = _announcements(turn, attacker)
        if said and aimed:
            name = next((one for one in said if set(aimed) <= set(one.targets)), said[-1]).ability
        elif said:
            name, aimed = name or said[-1].ability, _loose_targets(turn, said[-1].targets, strike)
    found = [turn.arena.fighters[t] for t in aimed if t in turn.arena.fighters]
    return name, found


def _announcements(turn: Turn, attacker: Fighter | None) -> list[Announce]:
    """The announced attacks that loose lines may belong to; none where an announcement could not be read."""
    if not turn.opened.isdisjoint(("announce", "any")):
        return []
    said = [a for a in turn.announced if a.what == "ability" and a.targets]
    if attacker is not None and not said:
        said = [a for a in attacker.announced if a.what == "ability" and a.targets]
    return said


def _loose_targets(turn: Turn, aimed: tuple[str, ...], strike: Strike) -> tuple[str, ...]:
    """In loose lines one hit roll after the other goes at the announced targets in their order."""
    if len(aimed) == 1 or len(strike.defense) > 1:
        return aimed
    place = turn.acts.get("loose lines", 0)
    turn.acts["loose lines"] = place + 1
    return (aimed[min(place, len(aimed) - 1)],)


def _loosen(turn: Turn, attacker: Fighter | None, targets: list[Fighter]) -> None:
    """After an attack that could not be followed: the next statements about everybody concerned count."""
    loosen(turn, targets or turn.arena.fighters.values())
    if attacker is not None:
        loosen(turn, [attacker])


def _in_order(turn: Turn, written: tuple[int, ...], targets: list[Fighter]) -> tuple[int, ...]:
    """The Defenses in the targets' order: `vs Golem 2 Defense 13 and Golem 1 Defense 15` may have another."""
    if len(written) != len(targets) or not 1 < len(written) <= _MOST_ORDERED:
        return written
    right = [target.defenses(turn.tables) for target in targets]
    return max(permutations(written), key=lambda row: sum(n in known for n, known in zip(row, right, strict=True)))


def _against_each(
    turn: Turn,
    claim: Claim,
    strike: Strike,
    attacker: Fighter,
    ability: Ability | None,
    targets: list[Fighter],
    roll: Roll,
    others: list[Fighter],
) -> list[Landed | None]:
    landed: list[Landed | None] = []
    damage = None
    defenses = _in_order(turn, strike.defense, targets)
    for index, target in enumerate(targets):
        turn.touch(target)
        written = defenses[min(index, len(defenses) - 1)] if defenses else None
        if written is not None and Reaction in turn.kinds:
            _meet_shield_behind(turn, target, written)
        shield = _shield(turn, strike, target, roll) if turn.shields else None
        if others and any(written in other.defenses(turn.tables) for other in others):
            admitted, faulty = frozenset((written or 0,)) | target.defenses(turn.tables), True
        else:
            admitted, faulty = judge_defense(turn, claim, written, attacker, target, shield)
        said = judge_outcome(turn, claim, strike, attacker, roll, admitted, faulty)
        landed.append(said)
        if attacker.enemy and (ability is None or ability.melee):
            attacker.met.add(target.name)
        if said is None:
            turn.unchecked(
                f"outcome:{turn.entry.post.id}", f"whether this hits can't be told: {claim.quote}", attacker.name
            )
            loosen(turn, [target, attacker])
            continue
        if (
            earns_free_attack(said.said, attacker.enemy)
            and said.certain
            and target.enemy
            and not strike.free
            and not turn.quiet
            and attacker.name not in turn.doubtful
        ):
            turn.arena.debts.append(Debt(target.name, attacker.name, turn.entry.post.id, claim.quote))
        if others:
            _spread(turn, strike, ability, others)
        damage = judge_damage(turn, claim, strike, attacker, ability, target, said, damage)
        judge_binding(turn, claim, strike, attacker, ability, target, said)
        if target.name in turn.unsure:
            target.hp.loosen()
    return landed


def _spread(turn: Turn, strike: Strike, ability: Ability | None, others: list[Fighter]) -> None:
    """Whom the announcement named instead may be the one who was struck."""
    for other in others:
        if strike.damage is not None and strike.damage.total is not None and other.hp.open is not None:
            losses = {strike.damage.total - n for n in (0, other.res or 0, *other.kinds.values())}
            other.hp.also(*(max(0, hp - lost) for hp in other.hp.open for lost in losses if lost > 0))
        if strike.levels is not None and ability is not None and ability.part:
            other.binds[ability.part].blur(range(0, 5), turn.tables.bind_max)


def _check_stance(turn: Turn, claim: Claim, attacker: Fighter, ability: Ability, target: Fighter) -> None:
    """Whether a fighter that stands still may use this skill on this target (A5)."""
    if not target.enemy:
        return
    if melee_allowed(turn.stance, ability.melee, attacker.name in target.met) or not turn.once(
        f"stance:{attacker.name}"
    ):
        return
    message = f"{ability.name} is a melee skill; {attacker.name} stands still, not meleed by {target.name} so far"
    moves = [c.quote for c in turn.entry.reading.claims if isinstance(c.data, Move)]
    proof = [Evidence(turn.entry.post.id, quote) for quote in moves]
    trace = [f"range of {ability.name}: melee", f"melee of {target.name} on {attacker.name} so far: none"]
    turn.report("stance", claim, message, character=attacker.name, evidence=proof, trace=trace)
    turn.lenient = True
    turn.doubtful.add(attacker.name)


def _meet_shield_behind(turn: Turn, target: Fighter, written: int) -> None:
    """Take a Defense reaction that stands behind its attack, whose Defense is the one that it leaves."""
    if target.name in turn.shields or written in target.defenses(turn.tables):
        return
    claims, before = turn.entry.reading.claims, turn.at
    for index in range(before + 1, len(claims)):
        data = claims[index].data
        if isinstance(data, Strike):
            return
        if isinstance(data, Reaction) and (data.actor, data.what, data.after) == (target.name, "defense", written):
            turn.at = index
            judge_shield(turn, claims[index], data)
            turn.at = before
            return


def _shield(turn: Turn, strike: Strike, target: Fighter, roll: Roll) -> Raised | None:
    """What a Defense reaction adds for this attack (ND21)."""
    held = turn.shields.pop(target.name, None)
    if held is None:
        return None
    ability = turn.tables.ability(held.reaction.ability)
    change = held.reaction.change if ability is None or ability.defense is None else ability.defense
    free, critical = strike.free, roll.dice == {20} and strike.outcome in (None, CRITICAL)
    if held.lawful and (free or critical):
        target.reacted = False
        message = f"no Reaction Ability may answer {'a free attack' if free else 'a critical hit'}"
        turn.report("uses", held.claim, message, character=target.name, rules=("A14",) if free else ("A12",))
    firm = held.lawful and not held.faulty and not free and not roll.dice & {1, 20}
    return Raised(change, firm, held.reaction.after)


__all__ = ["judge_strike"]
