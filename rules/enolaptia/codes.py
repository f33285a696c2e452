"""The finding codes of this ruleset: what each means, an example, how to put the post right."""

from __future__ import annotations

from referee.ports.rules import Code


def _code(name: str, meaning: str, rules: tuple[str, ...], example: str, remedy: str, told: bool = False) -> Code:
    return Code(f"enolaptia/{name}", "error", meaning, rules, example, remedy, told)


CODES: tuple[Code, ...] = (
    _code(
        "encounter",
        "The enemy is not the one that the map's list has for the roll.",
        ("E1",),
        "Encounter: 1d6 = 2 (Smoke Imp x2), where row 2 of the map is the Ember Wolf",
        "Look the roll up in the map book and name that enemy.",
    ),
    _code(
        "party-size",
        "More than six creatures, or more than six characters, are in a battle.",
        ("E2",),
        "Encounter: 1d6 = 1 (Marsh Rat x7)",
        "Take at most six on a side.",
    ),
    _code(
        "order",
        "The order of a battle turn is not by Speed, a tie roll is missing or read the wrong way round, "
        "or somebody moves against the order.",
        ("E3",),
        "Order: Tobin (9), Mira (12)",
        "Highest Speed first; a creature and a character that tie roll 1d6: 1 to 3 creature, 4 to 6 character.",
    ),
    _code(
        "moves",
        "More than one move of one fighter in a battle turn, or a creature's move that its roll does not give.",
        ("E4", "E6"),
        "Two attacks of Mira between two Order lines",
        "Strike the second move.",
    ),
    _code(
        "run",
        "An escape that the roll does not give, or one from a boss.",
        ("E5",),
        "Mira: Run: 1d6 = 4, escaped",
        "Only 5 or 6 escapes, and never from a boss.",
    ),
    _code(
        "allocation",
        "The character hit is not the one whose allocation number was rolled, or the numbers are not the rulebook's.",
        ("E7",),
        "Allocation: Mira 1-3, Tobin 4-6, then d6 3, allocation 4-6 = Tobin",
        "Read the die against the allocation line of the first post.",
    ),
    _code(
        "damage",
        "The damage is not what roll and AT, or the ability's table, give; its sum does not add up; "
        "or a 6 stands without its second roll.",
        ("E8", "E9"),
        "Tobin attacks Rat 2: rolled 4, 14/2 = 9",
        "1 miss, 2 AT/3, 3 or 4 AT/2, 5 or 6 AT; roll a 6 again, and another 6 doubles AT.",
    ),
    _code(
        "potion",
        "A potion on an enemy, by a creature, on somebody outside the battle, or with another gain than the table's.",
        ("E6", "E10"),
        "Tobin: Potion: Small Potion on Rat 1, +10 HP",
        "Use potions on members of the party who are in the battle.",
    ),
    _code(
        "teleport",
        "Somebody teleports out of a battle.",
        ("E11",),
        "[Teleport: Mira -> Brightwater] while a creature stands",
        "Try to run, or finish the battle first.",
    ),
    _code(
        "drop",
        "A drop that the rolls do not give, or one of a creature that was not killed.",
        ("E12",),
        "Drops: Rat 1: 1d6 = 3 -> 1d6 = 4 (Small Potion)",
        "4 to 6 on the first roll drops something; the second roll names it on the map's list.",
    ),
    _code(
        "exp",
        "The EXP are not the sum of the creatures killed.",
        ("E13",),
        "EXP: 2 x 9 = 17",
        "Add the EXP of each creature killed.",
    ),
    _code(
        "hp",
        "The HP written are not the old HP less the damage, or with the potion.",
        ("E14",),
        "HP: Mira 34/40 after 40/40 and a hit for 5",
        "Take the damage since the last HP line from that line.",
        told=True,
    ),
    _code(
        "acts-while-down",
        "A character or creature at 0 HP makes a move.",
        ("E14",),
        "Rat 1: 0/18 (dead), then Rat 1 attacks",
        "Leave the fallen out of the turn.",
    ),
)
