"""What of a claim is shown and compared between revisions (G20): numbers, names, actions, never prose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.model.claims import Value
from rules.shinobi.lexicon import BASIC_WORDS
from rules.shinobi.model import (
    POOLS,
    Ability,
    Correction,
    Damage,
    Dodge,
    Forfeit,
    Guard,
    LossTag,
    OverTime,
    Setup,
    StatBlock,
    Status,
    Take,
)

Values = dict[str, Value]
#: The base that a basic attack has without arithmetic (NS7).
_BASIC_BASE = 5


def values_of(data: object) -> Values:
    """The values of a claim by its record, the most telling first."""
    give = _GIVERS.get(type(data))
    return give(data) if give is not None else {}


def _present(pairs: dict[str, Any]) -> Values:
    """Without None and empty lists and mappings; a number 0 and an empty word stay."""
    return {key: value for key, value in pairs.items() if value or value == 0 or value == ""}


def _loss(data: LossTag) -> Values:
    return {pool: lost for pool in POOLS if (lost := data.of(pool)) is not None}


def _stats(data: StatBlock) -> Values:
    named: Values = _present({"rank": data.rank, "name": data.name})
    return {**dict(data.stats), **named}


def _one_or_all(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _damage(data: Damage) -> Values:
    """Amount, hits, target, means; the base only where it is raised: the rest is the form of the same claim."""
    parts = data.parts
    shown = {
        "damage": _one_or_all([p.amount for p in parts]),
        "hits": _one_or_all([p.hits for p in parts]),
        "target": data.target,
        "with": _one_or_all([BASIC_WORDS.get(p.what or "", p.what or "") for p in parts]),
    }
    raised = [p.base for p in parts if p.what in BASIC_WORDS and p.base not in (None, _BASIC_BASE)]
    if raised:
        shown["base"] = _one_or_all(raised)
    return _present(shown)


def _dodge(data: Dodge) -> Values:
    stated = [word or "" for word in data.outcomes] if any(data.outcomes) else None
    return _present(
        {"rolls": list(data.written.values), "chance": data.chance, "outcomes": stated, "attacker": data.attacker}
    )


def _guard(data: Guard) -> Values:
    return _present(
        {"roll": _one_or_all(list(data.written.values)), "comrade": data.comrade, "attacker": data.attacker}
    )


def _ability(data: Ability) -> Values:
    shown: dict[str, Any] = {"name": data.name, "target": data.target, "attacker": data.attacker}
    for word, amounts in (("cost", data.cost), ("heals", data.heal), ("upkeep", data.upkeep)):
        for pool, number in amounts.items():
            shown[f"{word} {pool}"] = number
    return _present(shown)


def _correction(data: Correction) -> Values:
    return _loss(data.loss) if data.loss is not None else dict(data.adds)


_GIVERS: dict[type, Callable[[Any], Values]] = {
    LossTag: _loss,
    StatBlock: _stats,
    Damage: _damage,
    Dodge: _dodge,
    Guard: _guard,
    Ability: _ability,
    Correction: _correction,
    Take: lambda data: _present({"attacker": data.attacker}),
    Setup: lambda data: {"action": f"{data.verb} {data.thing}"},
    OverTime: lambda data: _present({**data.amounts, "name": data.name}),
    Status: lambda data: _present({"status": data.name, "turns": data.turns}),
    Forfeit: lambda data: {"action": "forfeits"},
}
