"""Attacks: hit or miss, criticals, damage (A11 to A14)."""

from __future__ import annotations

from referee.model.dice import Dice
from referee.ports.rules import rule
from rules.d20_arena.records import CRITICAL, FUMBLE, HIT, MISS
from rules.d20_arena.tables import Ability, Tables


@rule("A11", cites="4 - Action: Attacking")
def outcome_of(die: int, total: int, defense: int) -> str:
    """A natural 1 fails and a natural 20 hits critically whatever the total; else the total must reach Defense."""
    if die == 1:
        return FUMBLE
    if die == 20:
        return CRITICAL
    return HIT if total >= defense else MISS


@rule("A12", cites="4 - Action: Critical hits")
def damage_dice(dice: Dice, critical: bool, tables: Tables) -> Dice:
    """A damaging ability deals its dice and bonus; a critical hit adds 1d6, to a binding one level.

    It ignores resistances, saving throws and Reaction Abilities.
    """
    if not critical:
        return dice
    return Dice((*dice.groups, *tables.critical_damage.groups), dice.bonus + tables.critical_damage.bonus)


def levels_added(levels: int, critical: bool, tables: Tables) -> int:
    """The levels that a binding ability adds; a critical hit adds 1 more (A12)."""
    return levels + (tables.critical_levels if critical else 0)


def resistances(res: int, kinds: dict[str, int], ability: Ability | None, critical: bool) -> frozenset[int]:
    """What is taken off damage: the resistance to its kind instead of RES, nothing of a critical hit (ND12, ND25).

    The kind of an ability that is in no table is not known: RES and every resistance are admitted.
    """
    if critical:
        return frozenset((0,))
    if ability is None:
        return frozenset((res, *kinds.values()))
    return frozenset((kinds.get(ability.kind, res) if ability.kind else res,))


@rule("A13", cites="4 - Action: Critical fails, Enemies")
def turned_on_itself(outcome: str, enemy: bool) -> bool:
    """An enemy's critical fail: damage falls on the enemy, a binding takes its levels off the target."""
    return enemy and outcome == FUMBLE


@rule("A14", cites="4 - Action: Critical fails, Players")
def earns_free_attack(outcome: str, enemy: bool) -> bool:
    """A player's critical fail gives the targeted enemy one free attack on that player.

    It stands in the next GM post, at +2 to hit, and no Reaction Ability may answer it.
    """
    return not enemy and outcome == FUMBLE


def to_hit(own: int, free: bool, tables: Tables) -> int:
    """The bonus of a hit roll: the ability's or the enemy's ATK, and 2 more for a free attack (A14)."""
    return own + (tables.free_attack if free else 0)
