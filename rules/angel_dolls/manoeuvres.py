"""Abnormal attacks: what they cost, what they do, what being held does (D11 to D15)."""

from __future__ import annotations

from referee.ports.rules import rule
from rules.angel_dolls.tables import Numbers


@rule("D11", cites="Disarm")
def disarm_modifier(holds_weapon: bool, numbers: Numbers) -> int:
    """A disarm is at -10 to hit, or at +10 for who holds the weapon entangled (D14)."""
    return numbers.manoeuvres["disarm_entangled_weapon" if holds_weapon else "disarm"]


@rule("D11", cites="Disarm")
def disarm_words(attacker: int, defender: int) -> frozenset[str]:
    """Then Strength against Strength, the attacker with the margin of the hit; equal totals are not settled."""
    if attacker == defender:
        return frozenset({"disarmed", "keeps hold"})
    return frozenset({"disarmed" if attacker > defender else "keeps hold"})


@rule("D12", cites="Disable")
def disabling_damage(damage: int, numbers: Numbers) -> frozenset[int]:
    """Disabling is at -10 to hit and deals a third of the damage, rounded down or up.

    That number is also how many turns the accessory is out.
    """
    share = numbers.disable_share
    return frozenset({damage // share, -(-damage // share)})


@rule("D13", cites="Shattering Blow")
def control_words(weapon: int, defender: int) -> frozenset[str]:
    """A Shattering Blow goes at the weapon's durability and HP; that damage is tested against the defender's Strength.

    If the defender fails, the weapon is out of control until it is regained. Equal totals are not settled.
    """
    if weapon == defender:
        return frozenset({"keeps control", "loses control"})
    return frozenset({"loses control" if weapon > defender else "keeps control"})


@rule("D14", cites="Entangling attacks")
def entangle_effect(part: str, stat: str, numbers: Numbers) -> int:
    """Entangling is at -10 to hit. Legs: -20 Agility and Reflexes; arms: -40 Agility; strangle hold: -10 Agility.

    An entangled weapon is unusable until it is freed, and who holds it disarms at +10.
    """
    return numbers.entangled.get(part, {}).get(stat, 0)


@rule("D14", cites="Entangling attacks (strangle hold)")
def strangle_step(strength: int, number: int, numbers: Numbers) -> int:
    """A strangle hold attacks every round with a quarter of Strength, rounded down, doubled every round.

    It is tested against Durability.
    """
    growth: int = numbers.strangle_growth ** max(0, min(number, 30) - 1)
    return strength // numbers.strangle_share * growth


@rule("D15", cites="While entangled")
def spared_agility(manoeuvre: str | None) -> bool:
    """Entangled, breaking the weapon and disarming are spared the Agility penalty; elemental attacks get +20.

    An entangled weapon gives no bonus; dropping it ends the hold.
    """
    return manoeuvre in ("break", "disarm")
