"""The Loss Tag against the turn: pools on both ledgers, one finding for each wrong number (S6, NS11, NS22)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from referee.ports.rules import rule
from referee.ports.sayings import all_of
from rules.shinobi.hits import unrolled
from rules.shinobi.judging.blows import bring_effects
from rules.shinobi.judging.costs import changes, plain_cost, spent_by
from rules.shinobi.judging.fighters import Pool, fewer
from rules.shinobi.judging.loss_report import Chosen, is_fault, report_loss, report_options
from rules.shinobi.judging.stage import FELL, STOOD, Stage
from rules.shinobi.judging.structure import UNKNOWN
from rules.shinobi.judging.told import loss_told
from rules.shinobi.judging.workings import POOL_TITLES
from rules.shinobi.model import POOLS, RESPONSE, LossTag
from rules.shinobi.sums import NOTHING, Sums, only

#: With more doubtful items than this in one turn the loss is not judged.
MOST_OPTIONS = 8
#: With more readings than this it is not asked which of them the stated loss confirms.
MOST_PAIRS = 200


@rule("S6", cites="3.04 Loss Tag")
def loss_of(stage: Stage) -> LossTag | None:
    """The Loss Tag is due in every turn, zeros included, and sums up the whole turn."""
    # Reports a missing one and missing resources; without it the computed loss counts (NS25).
    said = stage.turn.loss
    if said is None:
        _missing(stage)
        return None
    loss = said.data
    assert isinstance(loss, LossTag)
    if loss.hp is None or loss.chakra is None or loss.stamina is None:
        absent = [pool for pool in POOLS if loss.of(pool) is None]
        words = all_of(POOL_TITLES[pool] for pool in absent)
        stage.add("loss-incomplete", said, f"the Loss Tag does not name {words}", rules=("S6",))
    return loss


def _missing(stage: Stage) -> None:
    if "loss" in stage.turn.trouble:
        return
    kinds = {s.claim.kind for s in stage.turn.said}
    if (kinds == {"stats"} and not stage.turn.marks) or loss_told(stage):
        return
    stage.add("loss-missing", stage.turn.last, "there is no Loss Tag in this post", rules=("S6",))


def settle_hp(stage: Stage, loss: LossTag | None) -> None:
    """Compare the HP loss, decide what was taken of what is doubtful, and whether the fighter fell."""
    if _plainly_hit(stage, loss):
        return
    pool = stage.me.pools["hp"]
    stated = _stated(stage, "hp", loss)
    if stage.response.open or any(option.amount.open for option in stage.options):
        stage.open_pools.add("hp")
    if len(stage.options) > MOST_OPTIONS:
        stage.open_pools.add("hp")
        stage.options = stage.options[:MOST_OPTIONS]
    fits, least = _fitting(stage, pool, stated)
    if stage.threat and (least or not fits) and _deeper(stage, pool, stated):
        stage.open_pools.add("hp")
        fits, least = _fitting(stage, pool, stated)
    if not fits:
        fits, least = _fitting(stage, pool, frozenset())
        _settle(stage, "hp", stated, _by_reading(stage, pool, fits))
    else:
        before = pool.readings
        _settle(stage, "hp", stated, _by_reading(stage, pool, fits))
        if least or "hp" in stage.open_pools:
            every = _by_reading(stage, Pool(pool.start, pool.total, 0, before, before), _all_choices(stage))
            pool.readings = fewer(pool.readings | {now + change for now in before for change in every[now][1]})
            if least:
                pool.readings = fewer(pool.readings | _rolled_elsewhere(stage, pool.readings))
        if least:
            report_options(stage, fits[0])
    stage.fell = _fell(stage, pool, _all_choices(stage) if least else fits, stated, bool(least))
    _decide(stage, fits)


def _plainly_hit(stage: Stage, loss: LossTag | None) -> bool:
    """Settle an HP loss that holds just what certain hits and costs give; False where there is more to it."""
    damage = stage.response.value
    if damage is None or stage.options or stage.threat or "hp" in stage.open_pools:
        return False
    cost = plain_cost(stage, "hp", upkeep=False)
    if cost is None or not _plainly(stage, "hp", loss, -damage - cost):
        return False
    pool, before = stage.me.pools["hp"], stage.me.before_last["hp"][2]
    if cost:
        damage += (stage.spent(RESPONSE, "hp").value or 0) + (stage.spent(UNKNOWN, "hp").value or 0)
    found = [_falls(stage, pool, now - damage) for now in before]
    stage.fell = found[0] if len(found) == 1 else frozenset().union(*found)
    return True


def _plainly(stage: Stage, name: str, loss: LossTag | None, change: int) -> bool:
    """Put a loss into the ledgers that is just the change of the pool; False where it is not."""
    if loss is None or getattr(loss, name) != change:
        return False
    said = stage.turn.loss
    if said is None or said.before is not None:
        return False
    pool = stage.me.pools[name]
    stage.me.before_last[name] = (pool.claimed, pool.computed, pool.readings)
    pool.shift(change)
    return True


def _stated(stage: Stage, pool: str, loss: LossTag | None) -> frozenset[int]:
    """What the Loss Tag says of a pool; after a late edit both numbers (G20). Empty: nothing."""
    value = loss.of(pool) if loss is not None else None
    if value is None:
        return frozenset()
    said = stage.turn.loss
    before = said.before if said is not None else None
    old = before.data.of(pool) if before is not None and isinstance(before.data, LossTag) else None
    return frozenset((value,) if old is None else (value, old))


#: (listed, accepted) changes of a pool by reading of it.
Changes = dict[int, tuple[set[int], set[int]]]


def _choices(stage: Stage) -> Iterator[tuple[int, Chosen]]:
    """Every way to read the doubtful items, with how many findings it would make."""
    for chosen in product((True, False), repeat=len(stage.options)):
        faults = sum(is_fault(option, taken) for option, taken in zip(stage.options, chosen, strict=True))
        yield faults, chosen


def _rolled_elsewhere(stage: Stage, readings: frozenset[int]) -> set[int]:
    """After a missing answer each hit may have been dodged, blocked, a hit or a critical all the same (NS22)."""
    found: set[int] = set()
    for option in stage.options:
        if option.kind == "unanswered" and option.attack is not None:
            total = NOTHING
            for hit in option.attack.hits:
                total = total.plus(unrolled(hit, stage.data.critical))
            found |= {now - taken for now in readings for taken in total.accepted}
    return found


def _all_choices(stage: Stage) -> list[Chosen]:
    return [chosen for _, chosen in _choices(stage)]


def _fitting(stage: Stage, pool: Pool, stated: frozenset[int]) -> tuple[list[Chosen], int]:
    """The ways with the fewest faults under which the stated loss is admissible; all faultless ones without one."""
    ranked = sorted(_choices(stage), key=lambda item: (item[0], [not taken for taken in item[1]]))
    if not stated or "hp" in stage.open_pools:
        return [chosen for faults, chosen in ranked if faults == 0], 0
    found: list[Chosen] = []
    least = 0
    for faults, chosen in ranked:
        if found and faults > least:
            break
        sums = stage.hp_changes.setdefault(chosen, {}) or _hp_changes(stage, pool, chosen)
        stage.hp_changes[chosen] = sums
        if any(value in accepted for _, accepted in sums.values() for value in stated):
            found.append(chosen)
            least = faults
    return found, least


def _deeper(stage: Stage, pool: Pool, stated: frozenset[int]) -> bool:
    """Whether the loss is larger than what could be read: an attack that could not be read may be in it (X2)."""
    usual = [chosen for faults, chosen in _choices(stage) if faults == 0]
    known = [value for _, accepted in _by_reading(stage, pool, usual).values() for value in accepted]
    return bool(known) and min(stated) < max(known)


def _response_damage(stage: Stage, chosen: Chosen) -> Sums:
    total = stage.response.plus(stage.spent(RESPONSE, "hp")).plus(stage.spent(UNKNOWN, "hp"))
    for option, taken in zip(stage.options, chosen, strict=True):
        if taken:
            total = total.plus(option.amount)
    return total


def _hp_changes(stage: Stage, pool: Pool, chosen: Chosen) -> Changes:
    """(listed, accepted) changes of HP by reading of the pool."""
    damage = _response_damage(stage, chosen)
    return {now: _hp_changes_from(stage, pool, now, damage) for now in pool.readings | pool.computed}


def _hp_changes_from(stage: Stage, pool: Pool, now: int, damage: Sums) -> tuple[set[int], set[int]]:
    listed: set[int] = set()
    accepted: set[int] = set()
    falls = {taken: _falls(stage, pool, now - taken) for taken in damage.accepted}
    for fell in (False, True):
        some = frozenset(taken for taken, ends in falls.items() if fell in ends)
        if not some:
            continue
        spent = spent_by(stage, "hp", fell)
        rule_some = some & damage.listed if pool.known or not fell else frozenset()
        listed |= changes(pool, now, spent, rule_some, listed=True)
        accepted |= changes(pool, now, spent, some, listed=False)
        if (stage.down_maybe or stage.may_rest) and not fell:
            accepted |= changes(pool, now, spent_by(stage, "hp", True), some, listed=False)
    return listed, accepted | listed


def _falls(stage: Stage, pool: Pool, after: int) -> frozenset[bool]:
    """Whether HP of `after` at the end of Response is a fall; open where the total is not known."""
    if stage.me.fate == "alive":
        return STOOD
    if pool.known:
        return FELL if after <= 0 else STOOD
    return STOOD if after >= stage.me.stood_at or stage.stands else STOOD | FELL


def _by_reading(stage: Stage, pool: Pool, fits: list[Chosen]) -> Changes:
    if len(fits) == 1 and fits[0] in stage.hp_changes:
        return stage.hp_changes[fits[0]]
    merged: Changes = {}
    for chosen in fits:
        for now, (listed, accepted) in _hp_changes(stage, pool, chosen).items():
            old = merged.setdefault(now, (set(), set()))
            merged[now] = (old[0] | listed, old[1] | accepted)
    return merged


def settle_other(stage: Stage, name: str, loss: LossTag | None) -> None:
    """Compare the loss of chakra or stamina with costs, upkeep and regeneration."""
    cost = plain_cost(stage, name, upkeep=False in stage.fell)
    if cost is not None and _plainly(stage, name, loss, -cost):
        return
    pool = stage.me.pools[name]
    sums: Changes = {}
    for now in pool.readings | pool.computed:
        listed: set[int] = set()
        accepted: set[int] = set()
        for fell in stage.fell:
            spent = spent_by(stage, name, fell)
            if not fell or len(stage.fell) == 1 or stage.me.pools["hp"].known:
                listed |= changes(pool, now, spent, spent.response.listed, listed=True)
            accepted |= changes(pool, now, spent, spent.response.accepted, listed=False)
        if stage.down_maybe or stage.may_rest:
            resting = spent_by(stage, name, True)
            accepted |= changes(pool, now, resting, resting.response.accepted, listed=False)
        sums[now] = (listed, accepted | listed)
    stated = _stated(stage, name, loss)
    _settle(stage, name, stated, sums)


def _settle(stage: Stage, name: str, stated: frozenset[int], sums: Changes) -> None:
    """Put the loss into the ledgers; report it where no reading gives it (X8).

    A number that was changed late has its finding already (G20).
    """
    pool = stage.me.pools[name]
    stage.me.before_last[name] = (pool.claimed, pool.computed, pool.readings)
    now_sums = {now: sums[now] for now in pool.readings}
    listed = {change for rule_some, _ in now_sums.values() for change in rule_some}
    if not stated:
        usual = max(listed, default=0) if name != "hp" else min(listed, default=0)
        pool.claimed += usual
        pool.readings = fewer(now + change for now, (_, accepted) in now_sums.items() for change in accepted)
        pool.computed = fewer(now + change for now in pool.computed for change in sums[now][0])
        return
    newest = _newest(stage, name, stated)
    fitting = {now for now, (_, accepted) in now_sums.items() if stated & accepted}
    if name in stage.open_pools or fitting:
        kept = pool.readings if name in stage.open_pools else fitting
        pool.readings = fewer(now + value for now in kept for value in stated)
        pool.computed = fewer(now + newest for now in pool.computed)
        pool.claimed += newest
        return
    if len(stated) == 1:
        report_loss(stage, name, newest, listed)
    pool.readings = fewer(
        {now + value for now in pool.readings for value in stated}
        | {now + change for now, (_, accepted) in now_sums.items() for change in accepted}
    )
    pool.computed = fewer(now + change for now in pool.computed for change in sums[now][0])
    pool.claimed += newest


def _newest(stage: Stage, name: str, stated: frozenset[int]) -> int:
    said = stage.turn.loss
    value = said.data.of(name) if said is not None and isinstance(said.data, LossTag) else None
    return value if value is not None else next(iter(stated))


def _fell(stage: Stage, pool: Pool, fits: list[Chosen], stated: frozenset[int], fault: bool) -> frozenset[bool]:
    """Whether the fighter fell at the end of Response, over every reading that is left."""
    found: set[bool] = set()
    before = stage.me.before_last["hp"][2]
    for chosen in fits:
        pairs = [(now, taken) for now in before for taken in _response_damage(stage, chosen).accepted]
        for now, taken in pairs if fault else _confirmed(stage, pool, pairs, stated):
            found |= _falls(stage, pool, now - taken)
    if stated and (stage.me.pools["hp"].readings - {n + s for n in before for s in stated} or "hp" in stage.open_pools):
        for now in before:
            for value in stated:
                found |= _falls(stage, pool, now + value)
    return frozenset(found) or STOOD


def _confirmed(stage: Stage, pool: Pool, pairs: list[tuple[int, int]], stated: frozenset[int]) -> list[tuple[int, int]]:
    """The readings of (HP before, damage) that the stated loss confirms; all of them where it confirms none."""
    if not stated or not 1 < len(pairs) <= MOST_PAIRS:
        return pairs
    fitting = [
        (now, taken)
        for now, taken in pairs
        if not stated.isdisjoint(_hp_changes_from(stage, pool, now, only(taken))[1])
    ]
    return fitting or pairs


def _decide(stage: Stage, fits: list[Chosen]) -> None:
    """What the loss proves of the doubtful items: effects of taken attacks, ticks that run or not."""
    for index, option in enumerate(stage.options):
        taken = {chosen[index] for chosen in fits}
        if option.attack is not None and option.kind in ("unanswered", "failed guard", "open"):
            proved = taken == {True} and option.amount.accepted != frozenset((0,)) and "hp" not in stage.open_pools
            if True in taken or option.kind == "unanswered":
                bring_effects(stage, option.attack, sure=proved)
        if option.tick is not None and "hp" not in stage.open_pools:
            if taken == {True}:
                option.tick.sure = True
            elif taken == {False}:
                stage.me.ticking.remove(option.tick)
