"""Abnormal attacks: what they cost, what they do, what being held does (D11 to D15)."""

from __future__ import annotations

from referee.ports.rules import rule
from rules.angel_dolls.tables import Numbers


@rule("D11", cites="Disarm")
def disarm_modifier(holds_weapon: bool, numbers: Numbers) -> int:
    """To hit with a disarm: -10, but +10 for who holds the weapon entangled (D14)."""
    return numbers.manoeuvres["disarm_entangled_weapon" if holds_weapon else "disarm"]


@rule("D11", cites="Disarm")
def disarm_words(attacker: int, defender: int) -> frozenset[str]:
    """Strength against Strength; equal totals are not settled."""
    if attacker == defender:
        return frozenset({"disarmed", "keeps hold"})
    return frozenset({"disarmed" if attacker > defender else "keeps hold"})


@rule("D12", cites="Disable")
def disabling_damage(damage: int, numbers: Numbers) -> frozenset[int]:
    """A third of the computed damage, rounded down or up; it is also the turns that the accessory is out."""
    share = numbers.disable_share
    return frozenset({damage // share, -(-damage // share)})


@rule("D13", cites="Shattering Blow")
def control_words(weapon: int, defender: int) -> frozenset[str]:
    """The damage done to the weapon against the defender's Strength; equal totals are not settled."""
    if weapon == defender:
        return frozenset({"keeps control", "loses control"})
    return frozenset({"loses control" if weapon > defender else "keeps control"})


@rule("D14", cites="Entangling attacks")
def entangle_effect(part: str, stat: str, numbers: Numbers) -> int:
    """What an entangle of that part takes from a stat of the one who is held; 0 where nothing."""
    return numbers.entangled.get(part, {}).get(stat, 0)


@rule("D14", cites="Entangling attacks (strangle hold)")
def strangle_step(strength: int, number: int, numbers: Numbers) -> int:
    """The attack of a strangle hold's round: a quarter of Strength, rounded down, doubled every round."""
    growth: int = numbers.strangle_growth ** max(0, min(number, 30) - 1)
    return strength // numbers.strangle_share * growth


@rule("D15", cites="While entangled")
def spared_agility(manoeuvre: str | None) -> bool:
    """Whether an entangled doll's attempt does without the Agility penalty: breaking and disarming do."""
    return manoeuvre in ("break", "disarm")
