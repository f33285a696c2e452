"""The attacks of a Main Phase: tags paired with abilities, checked, and opened for their targets."""

from __future__ import annotations

from collections.abc import Iterable

from referee.ports.rules import rule
from rules.shinobi.damage import basic_cost, too_many_hits
from rules.shinobi.hits import critical_range
from rules.shinobi.judging.damage_check import bonus_rulings, checked_part, computed_hits
from rules.shinobi.judging.doubts import blur
from rules.shinobi.judging.drafts import BASIC, NOT_KNOWN, SIZES, TECHNIQUE, WEAPON, Draft, drafts_of, kind_of
from rules.shinobi.judging.fighters import Attack, Fighter
from rules.shinobi.judging.stage import Stage, Used
from rules.shinobi.judging.structure import check_limit, check_main, is_beside, main_uses
from rules.shinobi.judging.told import damage_hidden
from rules.shinobi.judging.turned import count_first
from rules.shinobi.judging.turns import Said
from rules.shinobi.model import MAIN, Ability, Damage
from rules.shinobi.sums import NOTHING, Sums, only
from rules.shinobi.tables import Skill


def judge_main(stage: Stage) -> None:
    """Check the Main Phase of a turn and note the attacks that it opens."""
    drafts = drafts_of(stage)
    for draft in drafts:
        count_first(stage, draft, targets_of)
    if not drafts and not stage.used:
        return
    actions = [("attack " + _action(d, kind), d.said) for d in drafts if not d.idle for kind in d.kinds]
    if stage.used:
        actions += [(f"{u.ability.sort} {u.ability.name}", u.said) for u in _other_uses(stage, drafts)]
    stage.acted = stage.acted or bool(actions)
    check_main(stage, actions)
    _check_limits(stage, drafts)
    total = sum([draft.hits for draft in drafts])
    for draft in drafts:
        _judge_attack(stage, draft, total, len(drafts) > 1)


def _action(draft: Draft, kind: str) -> str:
    return f"technique {draft.skill.name}" if kind == TECHNIQUE and draft.skill else kind


def _other_uses(stage: Stage, drafts: list[Draft]) -> list[Used]:
    taken = {id(d.used) for d in drafts if d.used is not None}
    return [u for u in main_uses(stage) if id(u) not in taken and u.ability.sort != "unknown"]


def _check_limits(stage: Stage, drafts: list[Draft]) -> None:
    """Count fists and weapons of a turn against the rank (S19)."""
    if len(drafts) == 1 and len(drafts[0].kinds) == 1:
        (kind,) = drafts[0].kinds
        if drafts[0].hits and (kind == BASIC or kind in SIZES):
            check_limit(stage, kind, drafts[0].hits, drafts[0].said, stage.me)
        return
    counted: dict[str, int] = {}
    where: dict[str, Said] = {}
    for draft in drafts:
        if draft.damage is None:
            continue
        for part in draft.damage.parts:
            kind, _ = kind_of(stage, part)
            if kind == BASIC or kind in SIZES:
                counted[kind] = counted.get(kind, 0) + part.hits
                where[kind] = draft.said
    for kind, hits in counted.items():
        check_limit(stage, kind, hits, where[kind], stage.me)


def targets_of(stage: Stage, draft: Draft) -> tuple[Fighter, ...]:
    """Whom an attack may be aimed at: the named fighter, else every opponent (NS29)."""
    names: list[str] = []
    if draft.damage is not None and draft.damage.target:
        names.append(draft.damage.target)
    elif draft.used is not None and draft.used.ability.target:
        names.append(draft.used.ability.target)
    for said in (draft.said, draft.used.said if draft.used else None) if stage.turn.edited else ():
        before = said.before if said is not None else None
        aimed = getattr(before.data, "target", None) if before is not None else None
        if isinstance(aimed, str):
            names.append(aimed)
    if not names:
        return stage.arena.foes(stage.me)
    found = [stage.arena.fighters[name] for name in dict.fromkeys(names) if name in stage.arena.fighters]
    if found:
        return tuple(f for f in found if f is not stage.me) or stage.arena.foes(stage.me)
    return stage.arena.foes(stage.me)


def _judge_attack(stage: Stage, draft: Draft, total: int, several: bool) -> None:
    targets = targets_of(stage, draft)
    missing = draft.damage is None
    if missing:
        if stage.turn.trouble & {"damage", "ability"}:
            return
        _damage_missing(stage, draft)
    hits = computed_hits(stage, draft.skill, targets) if draft.damage is None else _hits(stage, draft, targets, total)
    if not hits:
        return
    _pay_basics(stage, draft)
    forms = (hits, *_forms_before(draft)) if stage.turn.edited else (hits,)
    attack = _attack(stage, draft, forms, several)
    attack.optional = missing or draft.idle or len(targets) != 1
    if stage.turn.doubts:
        blur(stage, attack)
    stage.aimed.append((attack, targets))
    _count_hits(stage, draft, attack)


def _count_hits(stage: Stage, draft: Draft, attack: Attack) -> None:
    """A technique with more than five hits is worth a notice (S27)."""
    if draft.damage is None or draft.kind not in (TECHNIQUE, NOT_KNOWN):
        return
    if too_many_hits(stage.data, draft.hits):
        most = stage.data.many_hits
        message = f"{attack.name} has {draft.hits} hits; a technique usually has at most {most}"
        stage.add("many-hits", draft.said, message, rules=("S27",))


@rule("S20", cites="3.03 Main Phase, damage tag")
def _damage_missing(stage: Stage, draft: Draft) -> None:
    """An attack carries a damage tag and leaves the opponent room to respond.

    Nothing more is said where the Main Phase is at fault anyway.
    """
    if stage.faulty_main or stage.turn.recast:
        return
    if damage_hidden(stage, draft.skill):
        return
    name = draft.skill.name if draft.skill else "the attack"
    stage.add("damage-missing", draft.said, f"{name} is an attack without a damage tag", rules=("S20",))


def _hits(stage: Stage, draft: Draft, targets: tuple[Fighter, ...], total: int) -> tuple[Sums, ...]:
    """The damage of each hit of a tag, checked part by part."""
    assert draft.damage is not None
    hits: list[Sums] = []
    for part in draft.damage.parts:
        kind, technique = kind_of(stage, part)
        skill = technique or (draft.skill if kind == NOT_KNOWN else None)
        kind = TECHNIQUE if skill is not None else kind
        hits += [checked_part(stage, draft, part, kind, skill, targets, total)] * part.hits
    extra = bonus_rulings(stage) if stage.arena.places else ()
    return tuple(h.or_also(v + bonus for v in h.accepted for bonus in extra) for h in hits) if extra else tuple(hits)


def _forms_before(draft: Draft) -> Iterable[tuple[Sums, ...]]:
    """The hits as they stood before a late edit (G20)."""
    before = draft.said.before
    if before is not None and isinstance(before.data, Damage):
        yield tuple(Sums.of(part.amount) for part in before.data.parts for _ in range(part.hits))


def _pay_basics(stage: Stage, draft: Draft) -> None:
    """Basic attacks cost stamina by their base (S22)."""
    if draft.damage is None:
        return
    cost = _basics_cost(stage, draft.damage)
    before = draft.said.before
    if before is not None and isinstance(before.data, Damage):
        cost = cost.or_also(_basics_cost(stage, before.data).accepted)
    if cost is not NOTHING:
        stage.spend(MAIN, "stamina", cost, draft.said)
    if NOT_KNOWN in draft.kinds and draft.used is None:
        _unknown_means(stage, draft)


def _basics_cost(stage: Stage, damage: Damage) -> Sums:
    total = 0
    for part in damage.parts:
        if kind_of(stage, part)[0] == BASIC:
            total += basic_cost(stage.data, part.base) * part.hits
    if total and not damage.bonuses and not stage.me.stat("Taijutsu") and any(part.share for part in damage.parts):
        turned = sum(basic_cost(stage.data, part.share) * part.hits for part in damage.parts)
        return Sums.of(total).or_also((turned,))
    return only(total) if total else NOTHING


def _unknown_means(stage: Stage, draft: Draft) -> None:
    """An attack with something that is in no table: its cost is not judged (X2)."""
    assert draft.damage is not None
    unknown = next((part for part in draft.damage.parts if kind_of(stage, part)[0] == NOT_KNOWN), draft.damage.parts[0])
    what = unknown.what or "the attack"
    message = f"{what} is in no table: base, cost and limits are not judged"
    stage.unchecked(draft.said.entry, f"means:{what}", message)
    stage.open_pools |= {"chakra", "stamina"}


def _attack(stage: Stage, draft: Draft, forms: tuple[tuple[Sums, ...], ...], several: bool) -> Attack:
    me, skill = stage.me, draft.skill
    sure, doubtful = _critical_ranges(stage, draft, several)
    formula = stage.data.formula
    effect = stage.data.effect(skill.inflicts) if skill is not None and skill.inflicts else None
    if effect is not None and effect.unjudged:
        stage.unchecked(draft.said.entry, f"status:{effect.name}", f"{effect.name}: {effect.unjudged}; not judged")
    return Attack(
        entry=draft.said.entry,
        claim=draft.said.claim,
        attacker=me,
        name=skill.name
        if skill is not None
        else (draft.damage.parts[0].what or "attack")
        if draft.damage
        else "attack",
        kind=draft.kind,
        forms=forms,
        sure=sure,
        doubtful=doubtful,
        ghost=skill is not None and skill.ghost,
        dot=skill if skill is not None and skill.dot and skill.dot_turns else None,
        inflicts=effect,
        once=_skills_before(stage, draft),
        accuracy=me.stat(formula.attacker) if formula is not None else (),
        bonuses=me.hit_bonuses(),
    )


def _skills_before(stage: Stage, draft: Draft) -> tuple[Skill, ...]:
    """The techniques that stood there before a late edit (G20)."""
    found: list[Skill | None] = []
    if not stage.turn.edited:
        return ()
    for said in (draft.said, draft.used.said if draft.used is not None else None):
        data = said.before.data if said is not None and said.before is not None else None
        if isinstance(data, Ability):
            found.append(stage.data.technique(data.name))
        elif isinstance(data, Damage):
            found += [stage.data.technique(part.what) for part in data.parts if part.what]
    return tuple(skill for skill in found if skill is not None and skill is not draft.skill)


def _critical_ranges(stage: Stage, draft: Draft, several: bool) -> tuple[int, int]:
    """The Critical Range of an attack, without and with what the rulebook leaves open (S13, NS15, NS33, NS39).

    `several`: the turn holds more attacks, so that an activated skill may serve this one or another.
    """
    data, me = stage.data, stage.me
    active = 0
    if stage.used:
        active = sum(u.skill.critical_range for u in stage.used if is_beside(u) and u.skill is not None)
    passive = me.passive_critical
    concentrations = me.stat("Concentration") or (0,)
    taijutsu = draft.kind == BASIC or (draft.skill is not None and draft.skill.kind == "taijutsu")
    if draft.kind == WEAPON:
        return critical_range(data, 0, passive, 0), critical_range(data, max(concentrations), passive, active)
    if draft.kind == NOT_KNOWN:
        return critical_range(data, 0, 0, 0), critical_range(data, max(concentrations), passive, active)
    if not taijutsu:
        concentrations = (0,)
    least = 0 if several else active
    if len(concentrations) == 1 and least == active:
        reach = critical_range(data, concentrations[0], passive, active)
        return reach, reach
    ranges = [critical_range(data, value, passive, skills) for value in concentrations for skills in (least, active)]
    return min(ranges), max(ranges)
