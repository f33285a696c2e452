"""The ten rules as pure functions."""

from __future__ import annotations

from collections.abc import Mapping

from referee.model.battle import Character, Table
from referee.model.figure import Figure
from referee.ports.rules import rule


@rule("H1", cites="1, the ship")
def hull_at_start(ship: Character) -> Figure:
    """A ship begins with the hull on its sheet."""
    hull = ship.get("stats", {}).get("Hull")
    return Figure.of(hull) if isinstance(hull, int) else Figure.unknown()


@rule("H2", cites="2, the turn")
def cards_in_a_turn() -> int:
    """One card in each turn."""
    return 1


@rule("H3", cites="3, cards")
def card_damage(card: Table) -> int | None:
    """A card does the damage that its table says; some do none."""
    damage = card.get("damage")
    return damage if isinstance(damage, int) else None


@rule("H4", cites="3, armour")
def damage_done(damage: int, armour: int, outcome: str) -> int:
    """A double doubles the card's damage; then armour is taken off, never below 0; a miss does nothing."""
    if outcome == "miss":
        return 0
    return max(0, damage * (2 if outcome == "double" else 1) - armour)


@rule("H5", cites="3, the die")
def outcome_of(die: int) -> str:
    """A 1 misses, a 6 doubles, everything else hits."""
    return {1: "miss", 6: "double"}.get(die, "hit")


@rule("H6", cites="3, repairs")
def hull_repaired(hull: Figure, repair: int, most: Figure) -> Figure:
    """A repair adds to the hull, never above its start."""
    top = most.only
    raised = hull.plus(repair)
    return raised if top is None else raised.at_most(top)


@rule("H7", cites="3, reloading")
def playable_again(turn: int, reload: int) -> int:
    """A card with a reload of n can be played again n turns after the next."""
    return turn + reload + 1


@rule("H8", cites="4, sinking")
def sunk(hull: Figure) -> bool:
    """A ship whose hull is certainly 0 is sunk and plays no more."""
    return hull.only == 0


@rule("H9", cites="4, hull")
def hull_after(hull: Figure, damage: Figure) -> Figure:
    """The hull falls by the damage, never below 0."""
    return hull.minus(damage).at_least(0)


@rule("H10", cites="4, the end")
def winner(hulls: Mapping[str, Figure]) -> tuple[str, ...] | None:
    """The last ship afloat wins; while there are two, nobody has."""
    afloat = tuple(name for name, hull in hulls.items() if not sunk(hull))
    return afloat if len(afloat) == 1 < len(hulls) else None
