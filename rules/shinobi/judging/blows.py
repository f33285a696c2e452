"""What an attack does when it lands: its full damage, its effects, its words as evidence."""

from __future__ import annotations

from referee.model.claims import WrittenRoll
from referee.model.report import Evidence
from referee.ports.rules import Rolled, RollUse
from rules.shinobi.judging.fighters import Attack
from rules.shinobi.judging.stage import Stage
from rules.shinobi.judging.turns import Said
from rules.shinobi.model import Dodge, Guard
from rules.shinobi.sums import NOTHING, Sums


def full_damage(attack: Attack) -> Sums:
    """All hits of an attack in full; of a late change both readings (G20)."""
    if attack.full is not None:
        return attack.full
    totals = []
    for form in attack.forms:
        total = NOTHING
        for hit in form:
            total = total.plus(hit)
        totals.append(total)
    both = totals[0]
    for other in totals[1:]:
        both = both.or_also(other.accepted)
    attack.full = both
    return both


def evidence_of(stage: Stage) -> list[Evidence]:
    """The words of the attacks that a turn answers, for a finding about its answers."""
    return [Evidence(attack.entry.post.id, attack.claim.quote) for attack in stage.proof]


def bring_effects(stage: Stage, attack: Attack, sure: bool) -> None:
    """A taken, full or critical hit brings damage over time and status effects (NS17, NS35)."""
    if attack.dot is None and attack.inflicts is None and not attack.once:
        return
    sure = sure and not attack.once
    if attack.dot is not None:
        stage.dots.append((attack.dot, sure))
    if attack.inflicts is not None:
        stage.effects.append((attack.inflicts, sure))
    for skill in attack.once:
        if skill.dot and skill.dot_turns:
            stage.dots.append((skill, False))
        effect = stage.data.effect(skill.inflicts or "")
        if effect is not None:
            stage.effects.append((effect, False))


def written_of(said: Said) -> WrittenRoll:
    """The rolls of a tag; of one that was changed late, as they stood before (G20)."""
    before = said.before
    data = before.data if before is not None else None
    if isinstance(data, (Dodge, Guard)):
        return data.written
    assert isinstance(said.data, (Dodge, Guard))
    return said.data.written


def roll_checked(
    stage: Stage,
    said: Said,
    written: WrittenRoll,
    due: tuple[str, ...],
    count: int | None,
    attack: Attack | None,
    rules: tuple[str, ...],
) -> Rolled:
    """Hand a roll to the dice desk; it answers the post of the attack (G10)."""
    return stage.arena.case.dice.check(
        RollUse(
            entry=said.entry,
            claim=said.claim,
            written=written,
            due=due,
            count=count,
            answers=attack.entry.post.id if attack is not None else None,
            by=stage.me.by | stage.turn.behalf if stage.turn.behalf else stage.me.by,
            character=stage.me.name,
            rules=rules,
        )
    )
