"""The Loss Tag against the turn: pools on both ledgers, one finding for each wrong number (S6, NS11, NS22)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import ceil

from referee.model.report import Working
from referee.ports.rules import rule
from rules.shinobi.blows import bring_effects
from rules.shinobi.costs import changes, spent_by
from rules.shinobi.fighters import Pool, fewer
from rules.shinobi.model import POOLS, LossTag
from rules.shinobi.stage import Option, Stage
from rules.shinobi.sums import Sums
from rules.shinobi.turns import Said

#: With more doubtful items than this in one turn the loss is not judged.
MOST_OPTIONS = 8
_WORDS = {"hp": "HP", "chakra": "Chakra", "stamina": "Stamina"}


@rule("S6", cites="3.04 Loss Tag")
def loss_of(stage: Stage) -> LossTag | None:
    """The Loss Tag is due in every turn, zeros included, and sums up the whole turn.

    Reports a missing one and missing resources; without it the computed loss counts (NS25).
    """
    said = stage.turn.loss
    if said is None:
        _missing(stage)
        return None
    loss = said.data
    assert isinstance(loss, LossTag)
    absent = [pool for pool in POOLS if loss.of(pool) is None]
    if absent:
        words = " and ".join(_WORDS[pool] for pool in absent)
        stage.add("loss-incomplete", said, f"the Loss Tag does not name {words}", rules=("S6",))
    return loss


def _missing(stage: Stage) -> None:
    if "loss" in stage.turn.trouble:
        return
    kinds = {s.claim.kind for s in stage.turn.said}
    if kinds == {"stats"} and not stage.turn.marks:
        return
    stage.add("loss-missing", stage.turn.last, "there is no Loss Tag in this post", rules=("S6",))


def settle_hp(stage: Stage, loss: LossTag | None) -> None:
    """Compare the HP loss, decide what was taken of what is doubtful, and whether the fighter fell."""
    pool = stage.me.pools["hp"]
    stated = _stated(stage, "hp", loss)
    if stage.response.open or any(option.amount.open for option in stage.options):
        stage.open_pools.add("hp")
    if len(stage.options) > MOST_OPTIONS:
        stage.open_pools.add("hp")
        stage.options = stage.options[:MOST_OPTIONS]
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
            _report_options(stage, fits[0])
    stage.fell = _fell(stage, pool, _all_choices(stage) if least else fits, stated, bool(least))
    _decide(stage, fits)


def _stated(stage: Stage, pool: str, loss: LossTag | None) -> frozenset[int]:
    """What the Loss Tag says of a pool; after a late edit both numbers (G20). Empty: nothing."""
    value = loss.of(pool) if loss is not None else None
    if value is None:
        return frozenset()
    said = stage.turn.loss
    before = said.before if said is not None else None
    old = before.data.of(pool) if before is not None and isinstance(before.data, LossTag) else None
    return frozenset((value,) if old is None else (value, old))


Chosen = tuple[bool, ...]


def _choices(stage: Stage) -> Iterator[tuple[int, Chosen]]:
    """Every way to read the doubtful items, with how many findings it would make."""
    for chosen in product((True, False), repeat=len(stage.options)):
        faults = sum(_is_fault(option, taken) for option, taken in zip(stage.options, chosen, strict=True))
        yield faults, chosen


def _rolled_elsewhere(stage: Stage, readings: frozenset[int]) -> set[int]:
    """After a missing answer the attack may have been blocked or a critical all the same (NS22)."""
    found: set[int] = set()
    for option in stage.options:
        if option.kind == "unanswered" and option.attack is not None:
            most = max(option.amount.accepted)
            for hit in option.attack.hits:
                worst = max(hit.accepted)
                found |= {now - worst // 2 for now in readings} | {
                    now - ceil(most * stage.data.critical_factor) for now in readings
                }
    return found


def _all_choices(stage: Stage) -> list[Chosen]:
    return [chosen for _, chosen in _choices(stage)]


def _is_fault(option: Option, taken: bool) -> bool:
    if option.kind == "unanswered":
        return option.usual and not taken
    return option.kind == "failed guard" and taken


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
        sums = _hp_changes(stage, pool, chosen)
        if any(value in accepted for _, accepted in sums.values() for value in stated):
            found.append(chosen)
            least = faults
    return found, least


def _response_damage(stage: Stage, chosen: Chosen) -> Sums:
    total = stage.response
    for option, taken in zip(stage.options, chosen, strict=True):
        if taken:
            total = total.plus(option.amount)
    return total


def _hp_changes(stage: Stage, pool: Pool, chosen: Chosen) -> dict[int, tuple[set[int], set[int]]]:
    """(listed, accepted) changes of HP by reading of the pool."""
    damage = _response_damage(stage, chosen)
    found: dict[int, tuple[set[int], set[int]]] = {}
    for now in pool.readings | pool.computed:
        listed: set[int] = set()
        accepted: set[int] = set()
        for fell in (False, True):
            spent = spent_by(stage, "hp", fell)
            total = damage.plus(spent.response)
            some = frozenset(t for t in total.accepted if fell in _falls(stage, pool, now - t))
            rule_some = some & total.listed if pool.known or not fell else frozenset()
            listed |= changes(pool, now, spent, rule_some, listed=True)
            accepted |= changes(pool, now, spent, some, listed=False)
            if stage.down_maybe and not fell:
                resting = spent_by(stage, "hp", True)
                accepted |= changes(pool, now, resting, some, listed=False)
        found[now] = (listed, accepted | listed)
    return found


def _falls(stage: Stage, pool: Pool, after: int) -> frozenset[bool]:
    """Whether HP of `after` at the end of Response is a fall; open where the total is not known."""
    if stage.me.fate == "alive":
        return frozenset((False,))
    if pool.known:
        return frozenset((after <= 0,))
    return frozenset((False,)) if after >= pool.start or stage.stands else frozenset((False, True))


def _by_reading(stage: Stage, pool: Pool, fits: list[Chosen]) -> dict[int, tuple[set[int], set[int]]]:
    merged: dict[int, tuple[set[int], set[int]]] = {}
    for chosen in fits:
        for now, (listed, accepted) in _hp_changes(stage, pool, chosen).items():
            old = merged.setdefault(now, (set(), set()))
            merged[now] = (old[0] | listed, old[1] | accepted)
    return merged


def settle_other(stage: Stage, name: str, loss: LossTag | None) -> None:
    """Compare the loss of chakra or stamina with costs, upkeep and regeneration."""
    pool = stage.me.pools[name]
    sums: dict[int, tuple[set[int], set[int]]] = {}
    for now in pool.readings | pool.computed:
        listed: set[int] = set()
        accepted: set[int] = set()
        for fell in stage.fell:
            spent = spent_by(stage, name, fell)
            if not fell or len(stage.fell) == 1 or stage.me.pools["hp"].known:
                listed |= changes(pool, now, spent, spent.response.listed, listed=True)
            accepted |= changes(pool, now, spent, spent.response.accepted, listed=False)
        if stage.down_maybe:
            resting = spent_by(stage, name, True)
            accepted |= changes(pool, now, resting, resting.response.accepted, listed=False)
        sums[now] = (listed, accepted | listed)
    stated = _stated(stage, name, loss)
    _settle(stage, name, stated, sums)


def _settle(stage: Stage, name: str, stated: frozenset[int], sums: dict[int, tuple[set[int], set[int]]]) -> None:
    """Put the loss into the ledgers; report it where no reading gives it (X8)."""
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
    _report_loss(stage, name, newest, listed)
    pool.readings = fewer(
        {now + value for now in pool.readings for value in stated}
        | {now + change for now, (rule_some, _) in now_sums.items() for change in rule_some}
    )
    pool.computed = fewer(now + change for now in pool.computed for change in sums[now][0])
    pool.claimed += newest


def _newest(stage: Stage, name: str, stated: frozenset[int]) -> int:
    said = stage.turn.loss
    value = said.data.of(name) if said is not None and isinstance(said.data, LossTag) else None
    return value if value is not None else next(iter(stated))


def _report_loss(stage: Stage, name: str, claimed: int, listed: set[int]) -> None:
    """One loss-* finding with its working; a gain of the fallen is healed-while-down alone (NS28)."""
    said = stage.turn.loss
    assert said is not None
    if claimed > 0 and stage.fell == frozenset((True,)):
        report_healed(stage, said)
        return
    wanted = " or ".join(f"{change:+d}" if change else "-0" for change in sorted(listed))
    trace = list(stage.lines[name])
    trace += _cost_lines(stage, name)
    trace.append(f"together: {wanted}")
    stage.add(
        f"loss-{name}",
        said,
        f"the numbers of this turn give {_WORDS[name]} {wanted}, the Loss Tag says {claimed:+d}",
        claimed=claimed,
        expected=sorted(listed),
        rules=_loss_rules(name),
        trace=trace,
        evidence=stage.proof if name == "hp" else (),
    )


def _loss_rules(name: str) -> tuple[str, ...]:
    return ("S10", "S11", "S12", "S28") if name == "hp" else ("S6", "S22", "S29", "S30")


def _cost_lines(stage: Stage, name: str) -> list[Working | str]:
    lines: list[Working | str] = []
    for amounts, sure in stage.upkeeps:
        if amounts.get(name):
            lines.append(f"upkeep: {amounts[name]}{'' if sure else ' (if it still runs)'}")
    if stage.me.regen.get(name) and stage.me.turns:
        lines.append(f"regeneration: up to {stage.me.regen[name]}")
    for (_, pool), due in stage.spends.items():
        if pool == name:
            for said, amount in due:
                if said is not None and not any(said.claim.quote in str(line) for line in stage.lines[name]):
                    cost = " or ".join(map(str, sorted(amount.listed)))
                    lines.append(f"{said.claim.quote}: costs {cost}")
    return lines


def report_healed(stage: Stage, said: Said) -> None:
    """A gain in a post of a fallen character (S32)."""
    if any(pool == "healed" for pool in stage.open_pools):
        return
    stage.open_pools.add("healed")
    message = "a gain in the Loss Tag of a character that has fallen"
    stage.add("healed-while-down", said, message, rules=("S32",))


def _report_options(stage: Stage, chosen: Chosen) -> None:
    """Attacks left without answer, and failed guards that were taken all the same."""
    for option, taken in zip(stage.options, chosen, strict=True):
        if not _is_fault(option, taken):
            continue
        if option.kind == "unanswered" and option.attack is not None:
            attack = option.attack
            message = f"{attack.claim.quote} by {attack.attacker.name} is neither rolled, taken nor answered"
            stage.add("response-missing", stage.turn.first, message, rules=("S7",), evidence=stage.proof)
        elif option.claim is not None:
            limit = stage.data.guard_success
            message = f"the guard failed (more than {limit}), yet its loss holds the attack"
            stage.add("guard", option.claim, message, rules=("S16",), evidence=stage.proof)
            if option.attack is not None:
                option.attack.optional = True


def _fell(stage: Stage, pool: Pool, fits: list[Chosen], stated: frozenset[int], fault: bool) -> frozenset[bool]:
    """Whether the fighter fell at the end of Response, over every reading that is left."""
    found: set[bool] = set()
    before = stage.me.before_last["hp"][2]
    for chosen in fits:
        damage = _response_damage(stage, chosen).plus(stage.spent(1, "hp"))
        some = frozenset() if fault else _matching_damage(stage, before, damage, stated)
        for now in before:
            for taken in some or damage.accepted:
                found |= _falls(stage, pool, now - taken)
    if stated and (stage.me.pools["hp"].readings - {n + s for n in before for s in stated} or "hp" in stage.open_pools):
        for now in before:
            for value in stated:
                found |= _falls(stage, pool, now + value)
    return frozenset(found) or frozenset((False,))


def _matching_damage(stage: Stage, before: frozenset[int], damage: Sums, stated: frozenset[int]) -> frozenset[int]:
    """The readings of the damage that the stated loss confirms, where nothing else changes HP."""
    if stage.heals.get("hp") or stage.me.regen.get("hp") or stage.spends.get((3, "hp")) or len(before) > 1:
        return frozenset()
    return frozenset(-value for value in stated) & damage.accepted


def _decide(stage: Stage, fits: list[Chosen]) -> None:
    """What the loss proves of the doubtful items: effects of taken attacks, ticks that run or not."""
    for index, option in enumerate(stage.options):
        taken = {chosen[index] for chosen in fits}
        if option.attack is not None and option.kind in ("unanswered", "failed guard", "edited"):
            proved = taken == {True} and option.amount.accepted != frozenset((0,)) and "hp" not in stage.open_pools
            if True in taken or option.kind == "unanswered":
                bring_effects(stage, option.attack, sure=proved)
        if option.tick is not None and "hp" not in stage.open_pools:
            if taken == {True}:
                option.tick.sure = True
            elif taken == {False}:
                stage.me.ticking.remove(option.tick)
