"""Tags that only count once more what the rolls of a turn came to: `[Took 24 damage]`, `[Damage: 8 + 16 = 24]`.

They are no second answer to an attack (S7) and no attack of their own (S20).
"""

from __future__ import annotations

from referee.ports.rules import rule
from rules.shinobi.judging.stage import Stage
from rules.shinobi.judging.turns import Said
from rules.shinobi.model import MAIN, Ability, Damage, Dodge, LossTag, Take

#: What may stand behind a number of what was suffered.
_OUTCOMES = frozenset((None, "dodge", "dodged", "block", "blocked", "hit", "crit", "critical", "miss", "missed"))


@rule("S7", cites="3.01 Response Phase")
def leave_recounts(stage: Stage) -> None:
    """An attack that is rolled for is not taken without a roll besides, whatever the post says that it cost."""
    turn = stage.turn
    if Dodge not in turn.kinds:
        return
    taken = [said for said in turn.of(Take) if isinstance(said.data, Take) and said.data.amount is not None]
    if taken and len(turn.of(Dodge)) + len(turn.of(Take)) > len(stage.me.open):
        _leave(stage, taken)
    sums = [said for said in turn.of(Damage) if isinstance(said.data, Damage) and _suffered(stage, said, said.data)]
    for said in sums:
        message = f"{said.claim.quote} says what the rolls of {said.entry.post.id} cost: it is taken for no attack"
        stage.unchecked(said.entry, f"recount:{said.entry.post.id}", message)
    _leave(stage, sums)


def _leave(stage: Stage, tags: list[Said]) -> None:
    for said in tags:
        stage.turn.said.remove(said)
        kept = [other for other in stage.turn.of(type(said.data)) if other is not said]
        stage.turn.kinds[type(said.data)] = kept
        if not kept:
            del stage.turn.kinds[type(said.data)]


def _suffered(stage: Stage, said: Said, damage: Damage) -> bool:
    """Whether a damage tag in front of any mark of Main, made with nothing, is just the HP that the turn lost."""
    loss = stage.turn.loss.data if stage.turn.loss is not None else None
    lost = loss.hp if isinstance(loss, LossTag) else None
    if not lost or damage.target is not None or {part.what for part in damage.parts} - _OUTCOMES:
        return False
    if lost + sum(part.amount * part.hits for part in damage.parts) or any(bonus.stat for bonus in damage.bonuses):
        return False
    main = [mark for half, mark in stage.turn.marks if half == said.half and mark.phase == MAIN]
    return not any(mark.place < said.claim.span[0] for mark in main) and not _attacks(stage)


def _attacks(stage: Stage) -> bool:
    """Whether the turn names a technique that needs a damage tag, or one that is in no table."""
    named = [said.data for said in stage.turn.of(Ability) if isinstance(said.data, Ability)]
    skills = [stage.data.ability(ability.sort, ability.name) for ability in named if ability.sort != "unknown"]
    return len(skills) < len(named) or any(skill is None or skill.attacks for skill in skills)
