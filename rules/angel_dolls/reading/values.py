"""What claims say, as values that are compared between revisions: the most telling first (G20)."""

from __future__ import annotations

from referee.model.claims import Value
from rules.angel_dolls.statements import (
    ChainLine,
    Change,
    Check,
    FullDefense,
    Heading,
    Penalty,
    PoolLine,
    Simultaneous,
    Winner,
)

Worded = ChainLine | FullDefense | Simultaneous | Change | Winner

_LEFT = ("total", "roll", "stat", "who", "modifiers")
_RIGHT = tuple(f"against {name}" for name in _LEFT)


def check_values(check: Check) -> dict[str, Value]:
    """The numbers and words of a check."""
    values: dict[str, Value] = {"result": check.result, "outcome": check.word}
    for names, side in ((_LEFT, check.left), (_RIGHT, check.right)):
        if side is not None:
            modifiers = [modifier.value for modifier in side.modifiers]
            values.update(zip(names, (side.total, side.rolled, side.base, side.owner, modifiers), strict=True))
    if check.affinities:
        values["element"] = check.element
        values["affinities"] = list(check.affinities)
    if check.round is not None:
        values["round"] = check.round
    return values


def heading_values(heading: Heading) -> dict[str, Value]:
    """Whom an attack is against, by whom, how and with which penalties."""
    return {
        "target": heading.defender,
        "attacker": heading.attacker,
        "action": heading.manoeuvre,
        "means": heading.means.casefold() if heading.means else None,
        "at": heading.part or (heading.target.casefold() if heading.target else None),
        **chain_values(heading.chain),
        "number": heading.number,
    }


def chain_values(chain: tuple[Penalty, ...]) -> dict[str, Value]:
    """The penalties of a chain and what bears them."""
    return {"chain": [penalty.amount for penalty in chain], "borne by": [penalty.where for penalty in chain]}


def pool_values(pool: PoolLine) -> dict[str, Value]:
    """The HP that a line states, and of whom."""
    return {"hp": pool.new, "before": pool.old, "maximum": pool.maximum, "of": pool.owner, "thing": pool.thing}


def worded_values(found: Worded) -> dict[str, Value]:
    """What any other line says."""
    match found:
        case ChainLine(chain):
            return chain_values(chain)
        case FullDefense(who, shown):
            return {"who": who, "shown": [v for _, old, new in shown for v in (new, old) if v is not None]}
        case Simultaneous(first, second):
            return {"first": first, "second": second}
        case Winner(names):
            return {"winner": ", ".join(names)}
    return {"what": found.what, "who": found.who, "thing": found.thing, "at": found.part, "turns": found.turns}
