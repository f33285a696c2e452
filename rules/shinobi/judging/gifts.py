"""Healing of somebody else: whose Loss Tag shows it is not settled, so it is left open and named (X16)."""

from __future__ import annotations

from rules.shinobi.judging.fighters import fewer
from rules.shinobi.judging.stage import Stage, Used
from rules.shinobi.lexicon import lexicon_of


def heals_another(stage: Stage, used: Used) -> bool:
    """Whether a healing ability or item is used on another fighter, whose pools are open then; notes it once."""
    heal = used.skill.heal if used.skill is not None else used.ability.heal
    if not heal or used.ability.target is None:
        return False
    target = lexicon_of(stage.arena.sheets).names.exact(used.ability.target)
    if target is None or target == stage.me.name:
        return False
    other = stage.arena.fighters[target]
    for name, amount in heal.items():
        pool = other.pools[name]
        most = pool.total if pool.total is not None else max(pool.readings) + amount
        pool.readings = fewer((*pool.readings, *(max(now, min(most, now + amount)) for now in pool.readings)))
    other.gifts |= set(heal)
    message = (
        f"{used.ability.name} heals {target}: whose Loss Tag shows that is open, so {target}'s next one is not judged"
    )
    stage.unchecked(used.said.entry, f"gift:{used.said.entry.post.id}:{target}", message)
    return True
