"""Amounts written in an ability's tag beside those of the tables: the tables count, and a notice says so (NS16, X2)."""

from __future__ import annotations

from rules.shinobi.judging.stage import Stage, Used
from rules.shinobi.model import Amounts, OverTime, Status

_WORDS = {"hp": "HP", "chakra": "Chakra", "stamina": "Stamina"}


def check_written(stage: Stage) -> None:
    """Costs, upkeep and healing as the tags of a turn have them, against the tables; nothing hangs on them."""
    for used in stage.used:
        ability, skill = used.ability, used.skill
        if skill is None or used.said.before is not None or not (ability.cost or ability.upkeep or ability.heal):
            continue
        if not (ability.reminder and all(skill.upkeep.get(pool) == n for pool, n in ability.cost.items())):
            _compare(stage, used, "a cost", ability.cost, skill.cost)
        _compare(stage, used, "an upkeep", ability.upkeep, skill.upkeep or skill.cost)
        # Near the total less may be healed than the tables have.
        more = {pool: amount for pool, amount in ability.heal.items() if amount > skill.heal.get(pool, 0)}
        _compare(stage, used, "a healing", more, skill.heal)


def check_reminders(stage: Stage) -> None:
    """Reminders of damage over time and of status effects, against what runs and the tables (NS9, NS35)."""
    for said in stage.turn.of(OverTime):
        reminder = said.data
        assert isinstance(reminder, OverTime)
        running = [t for t in stage.me.ticking if reminder.name in (None, t.name.casefold())]
        if len(running) != 1:
            continue
        for pool, amount in reminder.amounts.items():
            right = running[0].amounts.get(pool, 0)
            if amount != right:
                name = running[0].name
                message = f"{name}: the reminder has {amount} {_WORDS[pool]}, the tables have {right}; the tables count"
                stage.unchecked(said.entry, f"reminder:{name}:{amount}", message)
    for said in stage.turn.of(Status):
        status = said.data
        assert isinstance(status, Status)
        effect = stage.data.effect(status.name)
        if effect is None:
            message = f"the status {status.name} is in no table: what it does is not judged"
            stage.unchecked(said.entry, f"status:{status.name.casefold()}", message)
        elif status.turns is not None and status.turns > effect.turns:
            message = (
                f"{effect.name} lasts {effect.turns} turns by the tables, the tag says {status.turns}; the tables count"
            )
            stage.unchecked(said.entry, f"status:{effect.name}:{status.turns}", message)


def _compare(stage: Stage, used: Used, what: str, written: Amounts, due: Amounts) -> None:
    for pool, amount in written.items():
        right = due.get(pool, 0)
        if amount == right or (used.again and not amount):
            continue
        name = used.ability.name
        message = f"{name}: the tag has {what} of {amount} {_WORDS[pool]}, the tables have {right}; the tables count"
        stage.unchecked(used.said.entry, f"written:{name}:{what}:{pool}:{amount}", message)
