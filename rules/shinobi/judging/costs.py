"""Chapter 3.20: when damage and costs occur (S28 to S30, NS16 to NS18, NS36)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from referee.model.records import filled_directly
from referee.ports.rules import rule
from rules.shinobi.damage import scaled
from rules.shinobi.judging.blows import full_damage
from rules.shinobi.judging.fighters import Pool, Running
from rules.shinobi.judging.gifts import heals_another
from rules.shinobi.judging.stage import Option, Stage, Used
from rules.shinobi.judging.structure import UNKNOWN
from rules.shinobi.judging.turns import Said
from rules.shinobi.judging.workings import cost_line, heal_line, self_line, tick_line, unpaid_lines
from rules.shinobi.model import MAIN, PHASE_NAMES, POOLS, RESPONSE, SETUP, Ability, Amounts, Damage, LossTag
from rules.shinobi.sums import NOTHING, Sums
from rules.shinobi.tables import Skill

#: More ways through one turn than this are not followed.
MOST_PATHS = 20_000


@filled_directly
@dataclass(frozen=True, slots=True)
class Spent:
    """What a turn takes from a pool, phase by phase, and what it may give back."""

    response: Sums
    setup: Sums
    upkeep: Sums
    main: Sums
    regen: int
    heal: int

    @property
    def plain(self) -> bool:
        """Whether every cost has just one reading."""
        return len(self.setup.accepted) == len(self.upkeep.accepted) == len(self.main.accepted) == 1

    @property
    def owed(self) -> bool:
        """Whether upkeep is due."""
        return self.upkeep is not NOTHING

    @property
    def fixed(self) -> int:
        """The costs of Setup and Main together, where each has just one reading."""
        return sum(min(each.accepted) for each in (self.setup, self.upkeep, self.main))


@rule("S28", cites="3.20 When Damage and Costs Occur")
def ticks(stage: Stage) -> None:
    """Damage lands at the end of its phase; damage over time in the phase in which it first came.

    That is the Response: every running tick falls due in it, attacked or not. An ability's damage to its own
    user lands at the end of the phase of use.
    """
    for tick in stage.me.ticking:
        for pool, amount in tick.amounts.items():
            if pool != "hp":
                stage.spend(RESPONSE, pool, Sums.of(amount) if tick.sure else Sums.among((amount,), (0,)))
            elif tick.sure:
                stage.note("hp", tick_line, tick.name, amount)
                stage.response = stage.response.plus(Sums.of(amount))
            else:
                stage.options.append(Option("tick", Sums.of(amount), True, tick=tick))


def abilities_cost(stage: Stage) -> None:
    """Costs, healing, self-damage and activations of the abilities of a turn (NS16)."""
    for used in stage.used:
        if used.ability.reminder:
            _reminded(stage, used)
            continue
        _pay(stage, used)
        if used.skill is None:
            _unknown(stage, used)
            continue
        for pool, amount in used.skill.heal.items() if not heals_another(stage, used) else ():
            stage.heals[pool] = stage.heals.get(pool, 0) + amount
            stage.note(pool, heal_line, used.said.claim.quote, amount)
        for pool, amount in used.skill.self_damage.items():
            stage.spend(used.phase or MAIN, pool, Sums.of(amount))
            stage.note(pool, self_line, used.skill.name, amount)
        _start(stage, used, used.skill)


def _pay(stage: Stage, used: Used) -> None:
    """The cost of an ability, as the tables have it; of an unknown one as written."""
    for pool, amount in _costs(stage, used).items():
        if amount.accepted != frozenset((0,)):
            stage.spend(used.phase or MAIN, pool, amount, used.said)
            stage.note(pool, cost_line, used.said.claim.quote, amount)


def _costs(stage: Stage, used: Used) -> dict[str, Sums]:
    now = used.skill.cost if used.skill is not None else used.ability.cost
    found = {pool: Sums.of(amount) for pool, amount in now.items()}
    before = _cost_before(stage, used)
    if before is not None:
        for pool in POOLS:
            found[pool] = found.get(pool, NOTHING).or_also((before.get(pool, 0),))
    return {pool: _worn_out(stage, pool, amount) for pool, amount in found.items()}


def _cost_before(stage: Stage, used: Used) -> Amounts | None:
    """The cost of what stood there before a late edit, None where nothing was changed (G20)."""
    before = used.said.before
    data = before.data if before is not None else None
    if isinstance(data, Ability):
        old = stage.data.ability(data.sort, data.name)
        return old.cost if old is not None else data.cost
    if isinstance(data, Damage):
        named = [stage.data.technique(part.what) for part in data.parts if part.what]
        return next((skill.cost for skill in named if skill is not None), {})
    return None


def _worn_out(stage: Stage, pool: str, amount: Sums) -> Sums:
    """In the later version chakra costs more while stamina is at 0."""
    stamina = stage.me.pools["stamina"]
    if stage.data.worn_out == 1 or pool != "chakra" or not stamina.known or min(stamina.readings) > 0:
        return amount
    dearer = amount.each(lambda value: scaled(value, stage.data.worn_out))
    return dearer if max(stamina.readings) <= 0 else amount.or_else(dearer)


def _unknown(stage: Stage, used: Used) -> None:
    """An ability that is in no table: its numbers count as written, the rest is open (X2)."""
    ability = used.ability
    for pool, amount in ability.heal.items() if not heals_another(stage, used) else ():
        stage.heals[pool] = stage.heals.get(pool, 0) + amount
    if ability.activates and ability.upkeep:
        stage.started.append(Running(Skill(ability.name, "technique", upkeep=dict(ability.upkeep))))
    if not ability.cost and ability.sort != "item":
        stage.open_pools |= {"chakra", "stamina"}
    if ability.sort == "item" and not ability.heal:
        stage.open_pools |= set(POOLS)


def _reminded(stage: Stage, used: Used) -> None:
    """A reminder of an upkeep that no table knows: it may be due or not."""
    if used.again and used.skill is not None:
        for pool, amount in used.skill.cost.items():
            stage.spend(used.phase or MAIN, pool, Sums.among((0,), (amount,)), used.said)
        if used.skill.turns and not used.skill.upkeep:
            stage.started.append(Running(used.skill, left=used.skill.turns, sure=False))
    running = any(r.skill.name == used.ability.name for r in stage.me.running)
    if used.skill is None and not running:
        for pool, amount in used.ability.upkeep.items():
            stage.spend(SETUP, pool, Sums.among((amount,), (0,)))


def _start(stage: Stage, used: Used, skill: Skill) -> None:
    """What runs from now on: an activation with upkeep, a Block Range for some turns (NS16, NS34)."""
    before = used.said.before
    if before is not None and isinstance(before.data, Ability):
        _start_before(stage, before.data)
    if used.phase == SETUP or used.ability.activates:
        if skill.upkeep:
            stage.started.append(Running(skill))
        elif skill.turns:
            stage.started.append(Running(skill, left=skill.turns))


def _start_before(stage: Stage, ability: Ability) -> None:
    """What a late edit took out may run all the same (G20)."""
    old = stage.data.ability(ability.sort, ability.name)
    if old is not None and (old.upkeep or old.turns) and not ability.reminder:
        stage.started.append(Running(old, None if old.upkeep else old.turns, sure=False))


@rule("S30", cites="3.20 When Damage and Costs Occur")
def upkeep_due(stage: Stage, pool: str, fell: bool) -> Sums:
    """Upkeep is paid at the end of Setup, from the post after the activation, even if it exhausts.

    Who fell in the Response pays none: the effect has ended.
    """
    if fell or not stage.data.upkeep:
        return NOTHING
    total = NOTHING
    for amounts, sure in stage.upkeeps:
        amount = amounts.get(pool, 0)
        if amount:
            total = total.plus(Sums.of(amount) if sure else Sums.among((amount,), (0,)))
    return total


def spent_by(stage: Stage, pool: str, fell: bool) -> Spent:
    """What this turn takes from a pool and may give back."""
    me = stage.me
    resting = fell or stage.down_sure or me.turns == 0
    return Spent(
        response=stage.spent(RESPONSE, pool).plus(stage.spent(UNKNOWN, pool)),
        setup=stage.spent(SETUP, pool),
        upkeep=upkeep_due(stage, pool, fell),
        main=stage.spent(MAIN, pool),
        regen=0 if resting else me.regen.get(pool, 0),
        heal=stage.heals.get(pool, 0),
    )


def plain_cost(stage: Stage, pool: str, upkeep: bool) -> int | None:
    """What a turn takes from a pool at the end, where there is just one reading of it, else None.

    That is so for most turns: nothing is regained, and every cost is certain. `upkeep`: upkeep is paid.
    """
    me = stage.me
    if pool in stage.heals or (me.regen and me.turns and me.regen.get(pool)):
        return None
    if not stage.spends and not stage.upkeeps:
        return 0
    total = 0
    for amounts, sure in stage.upkeeps:
        amount = amounts.get(pool)
        if amount:
            if not sure or not upkeep:
                return None
            total += amount if stage.data.upkeep else 0
    for (_, name), due in stage.spends.items():
        if name == pool:
            for _, cost in due:
                if cost.value is None:
                    return None
                total += cost.value
    return total


@rule("S29", cites="3.20 When Damage and Costs Occur")
def affordable(stage: Stage, pool: str, left: int) -> Iterator[tuple[Said, Used | None, int]]:
    """A cost that would bring the pool below 0 at the end of its phase can't be paid: the ability fails.

    The user passes out all the same.
    """
    # `left`: what the pool held before the turn. Gives the tag, the ability (None: basic attacks) and the most that
    # can have been left.
    held = stage.me.pools[pool]
    for phase in (RESPONSE, SETUP, MAIN):
        due = stage.spends.get((phase, pool), [])
        for said, amount in due:
            paid = min(amount.accepted)
            if paid > left and paid > 0 and said is not None:
                yield said, next((u for u in stage.used if u.said is said), None), max(0, left)
                return
            left -= paid
        if phase == SETUP:
            left = _after_setup(stage, held, pool, left)


def _after_setup(stage: Stage, held: Pool, pool: str, left: int) -> int:
    """The most that can be left at the end of Setup: upkeep paid, regeneration gained."""
    due = upkeep_due(stage, pool, fell=_may_have_fallen(stage))
    hp = stage.me.pools["hp"]
    standing = not hp.known or max(hp.readings) > 0
    regen = stage.me.regen.get(pool, 0) if stage.me.turns and standing else 0
    paid, total = min(due.accepted), held.total or left
    most = max(left - paid, min(total, left + regen) - paid, min(total, left - paid + regen))
    return most + stage.heals.get(pool, 0)


def _may_have_fallen(stage: Stage) -> bool:
    """Whether the fighter may have fallen in the Response; then the upkeep may have ended."""
    hp = stage.me.pools["hp"]
    most = max(stage.response.accepted) + sum(max(option.amount.accepted) for option in stage.options)
    return not hp.known or stage.down_maybe or min(hp.readings) - most <= 0 or "hp" in stage.open_pools


def check_affordable(stage: Stage) -> None:
    """Report the first ability of a turn that can't be paid and leave open what follows from it (NS21)."""
    if not stage.spends or stage.unpaid or stage.down_sure or stage.turn.recast:
        return
    for pool in ("chakra", "stamina"):
        held = stage.me.pools[pool]
        if not held.known or _surely_paid(stage, pool, min(held.readings)):
            continue
        for _, used, left in affordable(stage, pool, max(held.readings)):
            _report_unpaid(stage, pool, used, left)
            return
        for said, _, left in affordable(stage, pool, min(held.readings)):
            stage.me.out_maybe = True  # After a fault in that pool one ledger can pay it, and the other can't (G23).
            _leave_open(stage, pool, said, left)


def _leave_open(stage: Stage, pool: str, said: Said | None, left: int) -> None:
    """A cost that can't be paid may show in full, as what was left, or not at all (NS21)."""
    for key, due in stage.spends.items():
        if key[1] == pool:
            stage.spends[key] = [(s, a.or_also((0, left)) if s is said else a) for s, a in due]


def _surely_paid(stage: Stage, pool: str, left: int) -> bool:
    """Whether what a pool holds pays all that the turn takes from it together."""
    total = 0
    for (_, name), due in stage.spends.items():
        if name == pool:
            for _, amount in due:
                total += min(amount.accepted) if amount.value is None else amount.value
    for amounts, _ in stage.upkeeps:
        total += amounts.get(pool, 0)
    return total <= left


def _report_unpaid(stage: Stage, pool: str, used: Used | None, left: int) -> None:
    said = used.said if used is not None else next(s for s, _ in stage.spends[MAIN, pool] if s is not None)
    if used is None or not _taken_all_the_same(stage, used):
        _say_unpaid(stage, pool, used, said, left)
    stage.me.out_sure = stage.me.out_maybe = True
    stage.faulty_main = True
    _leave_open(stage, pool, said, left)
    if used is not None:
        stage.unpaid.append(used)
        if used.phase == RESPONSE or (used.skill is not None and (used.skill.heal or used.skill.self_damage)):
            stage.open_pools.add("hp")


def _taken_all_the_same(stage: Stage, used: Used) -> bool:
    """Whether the Loss Tag treats a Response that can't be paid as the failure that it is: it holds the hit."""
    attack = next((attack for said, attack in stage.negated if said is used.said), None)
    loss = stage.turn.loss
    if attack is None or loss is None or not isinstance(loss.data, LossTag) or loss.data.hp is None:
        return False
    if any(option.kind != "open" for option in stage.options):
        return False
    lost = -loss.data.hp
    return lost not in stage.response.accepted and stage.response.plus(full_damage(attack)).admits(lost)


def _say_unpaid(stage: Stage, pool: str, used: Used | None, said: Said, left: int) -> None:
    name = used.ability.name if used is not None else "the attack"
    phase = PHASE_NAMES.get(used.phase if used is not None else MAIN, "Main")
    stage.add(
        "cost-unaffordable",
        said,
        f"{name} costs more {pool} than was left at the end of the {phase} Phase; it fails",
        rules=("S29",),
        trace=unpaid_lines(stage, pool, used, left, phase),
    )


def changes(pool: Pool, now: int, spent: Spent, response: frozenset[int], listed: bool) -> set[int]:
    """The changes of a pool over a turn from one reading of it, for the readings of its Response.

    `listed`: the rule's own readings only - regeneration after the costs of Setup, healing never
    above the total; else also what is accepted besides (NS18, X23).
    """
    if not spent.regen and not spent.heal and spent.plain and not (spent.owed and not listed):
        return {-taken - spent.fixed for taken in response}
    found: set[int] = set()
    sums = (spent.setup, spent.upkeep, spent.main)
    costs = tuple(each.listed if listed else each.accepted for each in sums)
    for taken, cost, due, paid in islice(product(response, *costs), MOST_PATHS):
        found |= _one_path(pool, now, spent, (taken, cost, due, paid), listed)
    return found


def _one_path(pool: Pool, now: int, spent: Spent, path: tuple[int, int, int, int], listed: bool) -> set[int]:
    taken, cost, due, paid = path
    after = now - taken
    dues = {due} if listed or not pool.known or due <= after - cost else {due, max(0, after - cost)}
    found: set[int] = set()
    for paid_upkeep in dues:
        before = after - cost - paid_upkeep
        for gain in _regained(pool, spent.regen, (before, after, after - cost, after - paid_upkeep), listed):
            rest = before + gain
            for healed in _healed(pool, spent.heal, rest, paid, listed):
                found.add(rest + healed - paid - now)
    return found


def _regained(pool: Pool, regen: int, bases: tuple[int, ...], listed: bool) -> set[int]:
    """Regeneration at the end of Setup, never above the total (NS18)."""
    if not regen:
        return {0}
    if pool.total is None:
        return set(range(regen + 1))
    gains = {max(0, min(regen, pool.total - base)) for base in (bases[:1] if listed else bases)}
    return gains if bases[0] > 0 or listed else gains | {0}


def _healed(pool: Pool, heal: int, rest: int, paid: int, listed: bool) -> set[int]:
    """Healing lands in Main, never above the total, and never lifts the fallen above 0 (S32, X23)."""
    if not heal:
        return {0}
    if pool.total is None:
        return set(range(heal + 1)) if heal <= 200 else {0, heal}
    ceiling = pool.total
    real = max(0, min(heal, ceiling - rest))
    if listed:
        return {real}
    return {real, heal, max(0, min(heal, ceiling - rest + paid))}
