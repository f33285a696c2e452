"""What of a line is shown in the report and compared between revisions: names, numbers and dice, never prose (G20)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.model.claims import Value
from rules.enolaptia.claims import Drops, Duel, Encounter, Exp, HpLine, Move, Order, Shares

Values = dict[str, Value]


def described(data: object) -> tuple[str, Values]:
    """The kind and the values of a line's record."""
    if isinstance(data, Move):
        return data.action, _move(data)
    kind, values = _KINDS[type(data)]
    return kind, values(data)


def _move(move: Move) -> Values:
    """The number first, then names, then dice."""
    said: Values = {
        "amount": move.amount,
        "outcome": move.stated,
        "target": move.aim.name if move.aim is not None else move.target,
        "ability": move.ability,
        "move": move.chosen,
        "actor": move.actor,
    }
    found: Values = {key: value for key, value in said.items() if value is not None}
    rolls = (move.choice, move.aim and move.aim.roll, move.roll)
    dice = [die for roll in rolls if roll is not None for die in roll.values]
    if dice:
        found["dice"] = dice
    return found


def _hp(line: HpLine) -> Values:
    return {row.name: row.now for row in line.rows}


def _exp(exp: Exp) -> Values:
    return {"total": exp.total, "parts": [number for part in exp.parts for number in part]}


def _encounter(encounter: Encounter) -> Values:
    return {
        "enemy": [kind for kind, _ in encounter.party],
        "number": [number for _, number in encounter.party],
        "dice": list(encounter.roll.values),
    }


def _shares(shares: Shares) -> Values:
    return {name: f"{low}-{high}" if high != low else str(low) for name, low, high in shares.rows}


def _order(order: Order) -> Values:
    return {
        "order": [name for name, _ in order.entries],
        "first": [tie.first or "" for tie in order.ties],
        "dice": [die for tie in order.ties for die in tie.roll.values],
    }


def _drops(drops: Drops) -> Values:
    return {
        "items": [row.found or "nothing" for row in drops.rows],
        "of": [row.creature for row in drops.rows],
        "dice": [die for row in drops.rows for roll in (row.roll, row.item_roll) for die in roll.values],
    }


def _duel(duel: Duel) -> Values:
    return {"sides": [name for side in duel.sides for name in side]}


_KINDS: dict[type, tuple[str, Callable[[Any], Values]]] = {
    Encounter: ("encounter", _encounter),
    Shares: ("allocation", _shares),
    Order: ("order", _order),
    Duel: ("duel", _duel),
    HpLine: ("hp", _hp),
    Drops: ("drops", _drops),
    Exp: ("exp", _exp),
}
