"""What hangs on a tag that could not be read stays open, in its post and in later ones (G19, X2, X8)."""

from __future__ import annotations

from rules.shinobi.judging.blows import bring_effects
from rules.shinobi.judging.fighters import Attack, Fighter, Running
from rules.shinobi.judging.stage import Stage
from rules.shinobi.model import POOLS, Doubt
from rules.shinobi.tables import Data, Skill

#: Kinds of unread tags that may have used an ability.
_USES = frozenset(["damage", "answer", "ability", "setup"])


def open_unread(stage: Stage) -> None:
    """Before a turn is judged: leave open which pools it touched, what it started, whom it guarded."""
    trouble = stage.turn.trouble
    if not trouble:
        return
    named = [skill for doubt in stage.turn.doubts if doubt.kind in _USES for skill in named_skills(stage.data, doubt)]
    if named or trouble & {"ability", "correction"}:
        stage.open_pools |= set(POOLS)
    if trouble & {"damage", "setup"}:
        stage.open_pools |= {"chakra", "stamina"}
    if trouble & {"answer", "guard"}:
        stage.open_pools.add("hp")
    stage.maybe_used = [skill for doubt in stage.turn.doubts for skill in possible_skills(stage.data, doubt)]
    _maybe_started(stage)
    for doubt in stage.turn.doubts:
        if doubt.kind == "guard":
            _maybe_guarded(stage, doubt)


def named_skills(data: Data, doubt: Doubt) -> list[Skill]:
    """The abilities of the tables that an unread tag names."""
    found = [data.technique(n) or data.ability("skill", n) or data.ability("item", n) for n in doubt.abilities]
    return [skill for skill in found if skill is not None]


def possible_skills(data: Data, doubt: Doubt) -> list[Skill]:
    """The abilities that an unread tag may have used: those that it names, else whatever leaves a trace later.

    A tag that names a weapon or a basic attack, or only reminds, used none.
    """
    if doubt.kind not in _USES or doubt.plain:
        return []
    named = named_skills(data, doubt)
    if named or doubt.kind == "answer":
        return named
    if doubt.kind == "setup":
        return [skill for skill in data.all_techniques() if skill.upkeep or skill.turns] if doubt.upkeep else []
    return [skill for skill in data.all_techniques() if lasts(skill) or skill.ghost]


def lasts(skill: Skill) -> bool:
    """Whether a hit with it is felt later: damage over time, a status effect."""
    return bool(skill.dot and skill.dot_turns) or skill.inflicts is not None


def _maybe_started(stage: Stage) -> None:
    """Upkeep and Block Range that an unread tag may have begun, or ended."""
    for skill in stage.maybe_used:
        running = [held for held in stage.me.running if held.skill.name == skill.name]
        for held in running:
            held.sure = False
        if not running and (skill.upkeep or skill.turns):
            stage.started.append(Running(skill, None if skill.upkeep else skill.turns, sure=False))
    for doubt in stage.turn.doubts:
        if doubt.upkeep and not named_skills(stage.data, doubt):
            stage.started.append(Running(Skill("upkeep", "technique", upkeep=dict(doubt.upkeep)), sure=False))


def _maybe_guarded(stage: Stage, doubt: Doubt) -> None:
    """An unread guard may have taken the open attacks of the comrade whom it names, else of any comrade."""
    comrades = [f for f in stage.arena.fighters.values() if f is not stage.me and f.side == stage.me.side]
    named = [comrade for comrade in comrades if comrade.name in doubt.names]
    for comrade in named or comrades:
        for attack in comrade.open:
            attack.optional = True
            bring_effects(stage, attack, sure=False)


def threaten(stage: Stage) -> None:
    """After a turn: an attack in it that could not be read may meet every opponent in its next Response."""
    if not stage.turn.trouble & {"damage", "ability"}:
        return
    doubts = [doubt for doubt in stage.turn.doubts if doubt.kind in ("damage", "ability")]
    sure_none = bool(doubts) and all(_harmless(stage.data, doubt) for doubt in doubts)
    if sure_none:
        return
    lasting = [skill for skill in stage.maybe_used if lasts(skill)]
    foes = stage.arena.foes(stage.me)
    named = [[foe for foe in foes if foe.name in doubt.names] for doubt in doubts]
    for foe in {foe.name: foe for each in named for foe in each}.values() if named and all(named) else foes:
        foe.unread_from.add(stage.me.name)
        foe.threats += [skill for skill in lasting if skill not in foe.threats]


def _harmless(data: Data, doubt: Doubt) -> bool:
    """Whether an unread tag names abilities of which none is an attack."""
    named = named_skills(data, doubt)
    return doubt.kind == "ability" and bool(named) and not any(skill.attacks for skill in named)


def meet_threats(stage: Stage) -> None:
    """In the Response: whatever an unread attack may leave behind, it may have left (NS17, NS35)."""
    for skill in stage.me.threats:
        if skill.dot and skill.dot_turns:
            stage.dots.append((skill, False))
        effect = stage.data.effect(skill.inflicts or "")
        if effect is not None:
            stage.effects.append((effect, False))
    stage.me.threats = []


def doubtful_critical(stage: Stage, reach: int) -> int:
    """The widest Critical Range that activated skills in unread tags may give (NS33)."""
    active = sum(skill.critical_range for skill in stage.maybe_used if skill.sort == "skill")
    unnamed = any(d.kind == "ability" and not named_skills(stage.data, d) for d in stage.turn.doubts)
    cap = stage.data.critical_cap if stage.data.critical_cap is not None else 75
    if unnamed:
        return max(reach, cap)
    return max(reach, min(reach + active, cap)) if active else reach


def blur(stage: Stage, attack: Attack) -> None:
    """An attack beside an unread tag may have been made with the ability of that tag, or with a skill beside it."""
    attack.doubtful = doubtful_critical(stage, attack.doubtful)
    if attack.kind == "unknown":
        attack.once += tuple(skill for skill in stage.maybe_used if lasts(skill))
        attack.maybe_ghost = any(skill.ghost for skill in stage.maybe_used)


def mutter(stage: Stage) -> None:
    """A post of nothing but unread tags, without a Loss Tag: it may be a turn or chatter, and its effects may hold."""
    open_unread(stage)
    me: Fighter = stage.me
    me.running += stage.started
    if stage.turn.trouble & {"answer", "ability", "guard"}:
        for attack in me.open:
            attack.optional = True
    threaten(stage)
