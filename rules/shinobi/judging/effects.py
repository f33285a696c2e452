"""Chapter 2.02: status effects, damage over time and running techniques come and go (NS17, NS34, NS35)."""

from __future__ import annotations

from rules.shinobi.judging.fighters import Affliction, Fighter, Ticking
from rules.shinobi.judging.stage import FELL, STOOD, Stage
from rules.shinobi.tables import Effect


def begin_effects(stage: Stage) -> None:
    """At the end of Response: a fall ends all effects; otherwise status effects of answered hits begin."""
    me = stage.me
    if stage.fell == FELL:
        me.end_effects()
        if not stage.spar:
            stage.dots.clear()
            stage.effects.clear()
            return
    sure = stage.fell == STOOD
    if not sure:
        me.doubt_effects()
    # Whether they take hold of somebody who may be at 0 HP and goes on in a spar is open (NS20).
    sure = sure and not (stage.spar and stage.down_maybe)
    for effect, certain in stage.effects:
        _afflict(stage, me, effect, certain and sure)


def _afflict(stage: Stage, me: Fighter, effect: Effect, sure: bool) -> None:
    """A status effect holds from now and through `turns` further own turns; a second hit changes nothing."""
    running = next((held for held in me.afflictions if held.effect is effect), None)
    if running is None:
        me.afflictions.append(Affliction(effect, effect.turns + 1, sure))
    elif not running.sure:
        running.left = max(running.left, effect.turns + 1)


def effects_after(stage: Stage) -> None:
    """Damage over time that this turn's hits brought starts with the next own post (NS17).

    Whether new effects take hold of a fighter at 0 HP who goes on in a spar is open.
    """
    me = stage.me
    if not me.ticking and not stage.dots and not stage.started:
        return
    over = me.out_sure or (me.pools["hp"].known and max(me.pools["hp"].readings) <= 0)
    for tick in list(me.ticking):
        tick.left -= 1
    if over and (me.out_sure or not stage.spar):
        me.ticking.clear()
        return
    _new_ticks(stage, me)
    me.running += stage.started
    if over or stage.unpaid or me.out_maybe or me.fell_maybe:
        for running in stage.started:
            running.sure = False
    me.ticking = [tick for tick in me.ticking if tick.left > 0]


def _new_ticks(stage: Stage, me: Fighter) -> None:
    certain: dict[str, bool] = {}
    skills = {skill.name: skill for skill, _ in stage.dots}
    for skill, sure in stage.dots:
        certain[skill.name] = certain.get(skill.name, False) or sure
    for name, sure in certain.items():
        running = [tick for tick in me.ticking if tick.name == name]
        if any(tick.sure and tick.left > 0 for tick in running):
            continue
        doubtful = bool(running) or True in stage.fell or me.fell_maybe
        skill = skills[name]
        me.ticking.append(Ticking(name, dict(skill.dot), skill.dot_turns, sure and not doubtful))


def effects_expire(stage: Stage) -> None:
    """At the end of an own turn status effects and timed techniques have one turn less."""
    me = stage.me
    if not me.afflictions and not me.running:
        return
    for held in me.afflictions:
        held.left -= 1
    me.afflictions = [held for held in me.afflictions if held.left > 0]
    fresh = {id(running) for running in stage.started}
    for running in me.running:
        if running.left is not None and id(running) not in fresh:
            running.left -= 1
    me.running = [r for r in me.running if r.left is None or r.left > 0]
