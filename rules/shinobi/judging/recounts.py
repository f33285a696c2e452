"""Tags that only count something of the turn once more: `[Took 24 damage]`, `[Total damage: 48]`.

They are no second answer to an attack (S7) and no attack of their own (S20).
"""

from __future__ import annotations

from referee.ports.rules import rule
from rules.shinobi.judging.stage import Stage
from rules.shinobi.judging.turns import Said
from rules.shinobi.model import MAIN, Ability, Damage, Dodge, LossTag, Take

#: What may stand behind a number of what was suffered.
_OUTCOMES = frozenset((None, "dodge", "dodged", "block", "blocked", "hit", "crit", "critical", "miss", "missed"))
_SELF = frozenset(("self", "himself", "herself", "themselves", "myself", "own", "to self", "recoil"))


@rule("S7", cites="3.01 Response Phase")
def leave_recounts(stage: Stage) -> None:
    """An attack that is rolled for is not taken without a roll besides, whatever the post says that it cost."""
    turn = stage.turn
    taken = [said for said in turn.of(Take) if isinstance(said.data, Take) and said.data.amount is not None]
    if taken and len(turn.of(Dodge)) + len(turn.of(Take)) > len(stage.me.open) and not stage.me.unread_from:
        _leave(stage, taken)
    for said in turn.of(Damage) if Damage in turn.kinds else ():
        what = _counted(stage, said, said.data) if isinstance(said.data, Damage) else None
        if what is not None:
            message = f"{said.claim.quote} is taken for no attack: it counts {what}"
            stage.unchecked(said.entry, f"recount:{said.entry.post.id}", message)
            _leave(stage, [said])


def _leave(stage: Stage, tags: list[Said]) -> None:
    for said in tags:
        stage.turn.said.remove(said)
        kept = [other for other in stage.turn.of(type(said.data)) if other is not said]
        stage.turn.kinds[type(said.data)] = kept
        if not kept:
            del stage.turn.kinds[type(said.data)]


def _counted(stage: Stage, said: Said, damage: Damage) -> str | None:
    """What a damage tag counts that is no attack; None for all others."""
    means = {part.what for part in damage.parts}
    if damage.target == stage.me.name or means <= _SELF:
        return "what its own fighter suffered"
    if damage.target is not None or means - _OUTCOMES or any(bonus.stat for bonus in damage.bonuses):
        return None
    if "total" in said.claim.quote[:8].casefold():
        others = [other.data for other in stage.turn.of(Damage) if other is not said]
        if others and _sum(damage) == sum(_sum(other) for other in others if isinstance(other, Damage)):
            return "the damage of the other tags together"
    return "what the rolls of this turn cost" if _suffered(stage, said, damage) else None


def _sum(damage: Damage) -> int:
    return sum(part.amount * part.hits for part in damage.parts)


def _suffered(stage: Stage, said: Said, damage: Damage) -> bool:
    """Whether a damage tag in front of any mark of Main is just the HP that a turn with rolls lost."""
    loss = stage.turn.loss.data if stage.turn.loss is not None else None
    lost = loss.hp if isinstance(loss, LossTag) else None
    if not lost or lost + _sum(damage) or Dodge not in stage.turn.kinds:
        return False
    main = [mark for half, mark in stage.turn.marks if half == said.half and mark.phase == MAIN]
    return not any(mark.place < said.claim.span[0] for mark in main) and not _attacks(stage)


def _attacks(stage: Stage) -> bool:
    """Whether the turn names a technique that needs a damage tag, or one that is in no table."""
    named = [said.data for said in stage.turn.of(Ability) if isinstance(said.data, Ability)]
    skills = [stage.data.ability(ability.sort, ability.name) for ability in named if ability.sort != "unknown"]
    return len(skills) < len(named) or any(skill is None or skill.attacks for skill in skills)
