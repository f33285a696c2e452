"""Lines of Enolaptia with marks of the players' own: read as what they say, doubtful ones said, prose left alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.app.plugins import body_reader
from referee.engine.script import scripts_of
from referee.model.battle import Character
from referee.model.claims import Reading
from referee.ports.rules import Sheets
from rules.enolaptia import RULESET
from rules.enolaptia.claims import Move
from rules.enolaptia.reading.grammar import LineText, Links
from rules.enolaptia.reading.loosely import set_as_a_move
from rules.enolaptia.reading.set_right import set_as_a_list
from tests.support.enolaptia_sim_book import ABILITIES, CREATURES, MAPS
from tests.support.patience import allowed

SHEETS = Sheets(
    (
        Character("Mira", "mira", "party", data={"stats": {"HP": 40, "AT": 14, "Speed": 12}}),
        Character("Tobin", "tobin", "party", data={"stats": {"HP": 35, "AT": 11, "Speed": 7}}),
    ),
    {"maps": MAPS, "creatures": CREATURES, **ABILITIES},
)


def reading(text: str) -> Reading:
    return RULESET.read(
        scripts_of(body_reader()(text.replace("~", "[roll=1d6]").replace("^", "[/roll]"), None)), "mira", SHEETS
    )


#: What stands in front of `damage 1d6 = 2: 5/3 = 2` in a rat's line; all of it is the allocation 3, Mira.
AIMS = [
    "Rat 1 attacks: d6 ~3^, alloc 1-3 = Mira; damage 1d6 = ",
    "Rat 1 attacks: d6 ~3^ -> Mira; damage 1d6 = ",
    "Rat 1 attacks: d6 ~3^ (Mira); damage 1d6 = ",
    "Rat 1 attacks: d6 ~3^ (1-3 = Mira); damage 1d6 = ",
    "Rat 1 attacks: d6 ~3^, 1-3 = Mira; dmg 1d6 = ",
    "Rat 1 attacks: d6 ~3^, target Mira; damage 1d6 = ",
    "Rat 1 attacks: allocation 1d6 = ~3^, Mira; damage 1d6 = ",
    "Rat 1 attacks: target 1d6 = ~3^ (Mira); damage 1d6 = ",
    "Rat 1 attacks: d6 ~3^, allocation 1-3 = Mira. Damage 1d6 = ",
    "Rat 1 attacks: d6 ~3^, allocation 1-3 = Mira - damage 1d6 = ",
    "Rat 1 attacks: d6 ~3^, allocation 1-3: Mira; damage ",
    "Rat 1 attacks Mira (d6 ~3^): damage 1d6 = ",
    "Rat 1 attacks Mira (d6 = ~3^, allocation 1-3); damage 1d6 = ",
    "Rat 1 attacks (d6 ~3^ = Mira): damage 1d6 = ",
    "Rat 1's attack: d6 ~3^, allocation 1-3 = Mira; damage 1d6 = ",
    "Rat 1 -> d6 ~3^, allocation 1-3 = Mira; damage 1d6 = ",
    "Rat 1: d6 ~3^, alloc 1-3 = Mira; damage 1d6 = ",
    "Rat 1 bites: target d6 ~3^, Mira; damage 1d6 = ",
    "Rat 1 attacks (d6 ~3^, Mira): roll ",
    "Rat 1: attacks: d6 ~3^, allocation 1-3 = Mira; damage 1d6 = ",
    "Rat 1 attacks: d6 ~3^ -> allocation 1-3 = Mira -> damage 1d6 = ",
    "Rat 1 attacks: d6 ~3^ alocation 1-3 = mira; damage 1d6 = ",
    "| Rat 1 | attacks | d6 ~3^, allocation 1-3 = Mira | damage 1d6 = ",
    "Rat 1 attacks: d6 ~3^, allocation 1-3 = Mira\n  damage 1d6 = ",
]


@pytest.mark.parametrize("aim", AIMS)
def test_a_creatures_target_in_other_marks(aim: str) -> None:
    found = reading(f"{aim}~2^: 5/3 = 2")
    assert found.unread == ()
    data = found.claims[0].data
    assert isinstance(data, Move)
    assert data.aim is not None
    assert (data.actor, data.aim.name, data.aim.roll.values) == ("Marsh Rat 1", "Mira", (3,))
    assert (data.roll.values, data.amount) == ((2,), 2)
    assert [len(roll.anchors) for roll in (data.aim.roll, data.roll)] == [1, 1]


#: A blow at Rat 1, its dice and its amount.
BLOWS = [
    ("Mira: normal attack on Rat 1, 1d6 = ~6^ (reroll ~6^): 14 x 2 = 28", (6, 6), 28),
    ("Mira: normal attack on Rat 1, 1d6 = ~6^, again ~4^: 14", (6, 4), 14),
    ("Mira: normal attack on Rat 1, 1d6 = ~6^; second roll 1d6 = ~2^ -> AT 14", (6, 2), 14),
    ("Mira: normal attack on Rat 1, 1d6 = ~6^, 1d6 = ~2^ -> AT 14", (6, 2), 14),
    ("Mira: normal attack on Rat 1, 1d6 = ~6^ + ~2^: 14", (6, 2), 14),
    ("Mira: normal attack on Rat 1, 1d6 = ~6^ ~2^: 14", (6, 2), 14),
    ("Mira: normal attack on Rat 1, 1d6 = ~6^, ~6^ -> 2 x 14 = 28", (6, 6), 28),
    ("Mira: normal attack on Rat 1, 1d6 = ~4^ = 7", (4,), 7),
    ("Mira: normal attack on Rat 1, 1d6 = ~4^ -> half, 7", (4,), 7),
    ("Mira: normal attack on Rat 1, 1d6 = ~4^ -> normal attack (AT/2) = 7", (4,), 7),
    ("Mira: normal attack on Rat 1, 1d6 = ~4^ (normal): 14/2 = 7", (4,), 7),
    ("Mira: normal attack on Rat 1, 1d6 = ~5^ -> full AT 14", (5,), 14),
    ("Mira attacks Rat 1 (rolled ~5^): 14", (5,), 14),
    ("Mira attacks Rat 1: ~5^ = 14", (5,), 14),
    ("Mira attacks Rat 1: rolls a ~5^ for 14 damage", (5,), 14),
    ("Mira attacks Rat 1 and rolls ~5^: 14 damage", (5,), 14),
    ("Mira attacks Rat 1. Rolled ~5^, 14.", (5,), 14),
    ("Mira attacks Rat 1: rolled ~4^ (7)", (4,), 7),
    ("Mira attacks Rat 1: rolled ~1^ - miss", (1,), 0),
    ("Mira vs Rat 1: rolled ~5^, 14", (5,), 14),
    ("Mira > Rat 1: rolled ~5^, 14", (5,), 14),
    ("Mira (normal attack on Rat 1): 1d6 = ~5^ -> AT 14", (5,), 14),
    ("Mira - normal attack on Rat 1 - 1d6 = ~5^ - AT 14", (5,), 14),
    ("Mira, normal attack on Rat 1, 1d6 = ~5^ -> AT 14", (5,), 14),
    ("Normal attack on Rat 1, 1d6 = ~5^ -> AT 14", (5,), 14),
    ("I attack Rat 1: rolled ~5^, 14", (5,), 14),
    ("Mira: spell (Ember) on Rat 1, 1d6+2: ~4^ + 2 = 6", (4,), 6),
    ("Mira: spell Ember on Rat 1, 1d6+2: (~4^) + 2 = 6", (4,), 6),
    ("Mira: spell Ember on Rat 1, 1d6+2: ~4^ -> 6", (4,), 6),
    ("Mira: spell Hail on Rat 1, 2d6: rolled ~4^ + ~3^ = 7", (4, 3), 7),
    ("Mira: spell Hail on Rat 1, 2d6: ~4^ + ~3^ = 7, and the air went white.", (4, 3), 7),
    ("Mira attacks Rat 1: rolled ~1^, miss, which hurt her pride.", (1,), 0),
    ("Mira attacks Rat 1: rolled ~1^, miss (phew)", (1,), 0),
    ("Mira attacks Rat 1: rolled ~5^, 14, dead", (5,), 14),
    ("Mira hits Rat 1 (roll ~6^, reroll ~4^) for 14.", (6, 4), 14),
    ("Mira attack Rat 1 with sword: roll ~2^, weak, 14/3 = 5.", (2,), 5),
    ("mira attcks rat 1:rolled ~5^,14", (5,), 14),
    ("mira: normal attack on rat 1 - ~5^ = 14 dmg", (5,), 14),
    ("Mira attacks Rat 1: rolled ~4^, 14/2 = 7 and it's gone", (4,), 7),
    ("Mira->Rat1: d6=~6^+~6^, AT14x2=28", (6, 6), 28),
    ("I'll attack the Rat 1: rolled ~5^, 14", (5,), 14),
    ("I cast Ember on Rat 1, 1d6+2: ~3^ + 2 = 5", (3,), 5),
    ("Mira attacks Rat 1: rolled ~4^, 14/2 = 7 lol", (4,), 7),
    ("Mira attacks Rat 1: rolled ~6^, ~6^, 14 x 2 = 28!! Yesss :D", (6, 6), 28),
    ("Mira: normal attack on Rat 1, 1d6 = ~1^ -> miss... ugh \\o/", (1,), 0),
    ("Mira: spell Ember on Rat 1, 1d6+2: ~3^ + 2 = 5 dmg, nice one", (3,), 5),
    ("Mira attacks Rat 1: rolled ~5^, 14 right into the ribs", (5,), 14),
    ("Mira attacks Rat 1: rolled ~6^! Roll again: ~6^! 14 x 2 = 28!!", (6, 6), 28),
    ("Mira: normal attack on Rat 1\n  1d6 = ~4^ -> AT 14/2 = 7", (4,), 7),
    ("Mira uses a normal attack on Rat 1, 1d6 = ~4^ -> AT 14/2 = 7", (4,), 7),
    ("Mira: spell Ember on Rat 1 (1d6+2): ~4^ + 2 = 6", (4,), 6),
    ("((Mira attacks Rat 1: rolled ~5^, 14))", (5,), 14),
    ("Mira attacks Rat 1. Rolled ~6^, ~4^, 14", (6, 4), 14),
    ("Mira attacks Rat 1 rolled ~6^, ~4^, 14", (6, 4), 14),
    ("Mira attacks Rat 1: rolled ~4^, 14/2 -> 7", (4,), 7),
    ("Mira: normal attack on Rat 1, 1d6 = ~4^ -> AT 14/2 -> 7", (4,), 7),
]


@pytest.mark.parametrize(("text", "dice", "amount"), BLOWS, ids=[text for text, _, _ in BLOWS])
def test_a_blow_in_other_marks(text: str, dice: tuple[int, ...], amount: int) -> None:
    found = reading(text)
    assert found.unread == ()
    data = found.claims[0].data
    assert isinstance(data, Move)
    assert (data.actor, data.target) == ("Mira", "Marsh Rat 1")
    assert (data.roll.values, data.amount, data.adds_up) == (dice, amount, True)
    assert len(data.roll.anchors) == len(dice)


def test_damage_behind_a_full_stop_keeps_both_of_its_dice() -> None:
    """The name of who is hit reached to the comma between the dice: the second was taken for the first."""
    found = reading("Rat 1 attacks: d6 ~3^, allocation 1-3 = Mira. Damage 1d6 = ~6^, ~4^: 5")
    data = found.claims[0].data
    assert isinstance(data, Move)
    assert data.aim is not None
    assert (data.aim.name, data.roll.values, data.amount, found.unread) == ("Mira", (6, 4), 5, ())
    alone = reading("Rat 1 attacks Mira. Damage 1d6 = ~6^, ~4^: 5").claims[0].data
    assert isinstance(alone, Move)
    assert (alone.target, alone.roll.values, alone.amount) == ("Mira", (6, 4), 5)


LISTS = [
    ("Mira: Potion: Small Potion on Tobin for 10 HP", "potion", {"target": "Tobin", "amount": 10}),
    ("Mira: Potion: Small Potion for Tobin, restores 10", "potion", {"target": "Tobin", "amount": 10}),
    ("Mira: Potion: Small Potion for 10 HP", "potion", {"target": "Mira", "amount": 10}),
    ("Mira uses a Small Potion on Tobin for 10 HP", "potion", {"target": "Tobin", "amount": 10}),
    ("((HP: Mira 31/40, Rat 1 5/18))", "hp", {"Mira": 31, "Marsh Rat 1": 5}),
    ("HP after the turn: Mira 31/40", "hp", {"Mira": 31}),
    ("HP at the end of the turn: Mira 31/40", "hp", {"Mira": 31}),
    ("HP: Mira 31/40, Tobin KO", "hp", {"Mira": 31, "Tobin": 0}),
    ("HP: Tobin down, Mira 31/40", "hp", {"Mira": 31, "Tobin": 0}),
    ("HP: Tobin down to 12, Mira 31/40", "hp", {"Mira": 31, "Tobin": 12}),
    ("Mira: Run: 1d6 = ~5^ (escaped)", "run", {"outcome": "escaped", "dice": [5]}),
    ("I try to run: 1d6 = ~5^, escaped", "run", {"outcome": "escaped", "actor": "Mira"}),
    ("I drink a Small Potion, +10 HP", "potion", {"amount": 10, "actor": "Mira"}),
    ("I use Stone Drop on Rat 1: 8. It's dead!", "skill", {"amount": 8, "actor": "Mira"}),
    ("I am at 31/40 HP", "hp", {"Mira": 31}),
    ("Mira: Potion: Small Potion on Tobin, +10 HP. He smiles.", "potion", {"amount": 10, "target": "Tobin"}),
    ("She leaps. Mira: Potion: Small Potion on Tobin, +10 HP. She rests.", "potion", {"target": "Tobin"}),
    ("Order: Mira (12), Marsh Rat (9). Here we go.", "order", {"order": ["Mira", "Marsh Rat"]}),
    ("The order is simple. Order: Mira (12), Marsh Rat (9)", "order", {"order": ["Mira", "Marsh Rat"]}),
    ("EXP: 3 x 4 = 12. Not bad.", "exp", {"total": 12}),
    ("Encounter: rolled a ~4^. Mud Crab x1, Marsh Rat x2.", "encounter", {"number": [1, 2]}),
    ("Encounter: 1d6 = ~6^ -> BOSS! Fen Hag", "encounter", {"enemy": ["Fen Hag"]}),
    ("enc 1d6 = ~1^, 2 rats", "encounter", {"enemy": ["Marsh Rat"], "number": [2]}),
    ("We meet enemy: 1d6 = ~1^ (Marsh Rat)", "encounter", {"enemy": ["Marsh Rat"]}),
    ("Allocation: Mira is 1-3, Tobin gets 4-6.", "allocation", {"Mira": "1-3", "Tobin": "4-6"}),
    ("Allocation: Mira 1-3 • Tobin 4-6", "allocation", {"Mira": "1-3", "Tobin": "4-6"}),
    ("Mira - HP 31/40", "hp", {"Mira": 31}),
    ("Allocation:\n- Mira 1-3\n- Tobin 4-6", "allocation", {"Mira": "1-3", "Tobin": "4-6"}),
    (
        "Item drop: Rat 1 1d6 = ~4^, second 1d6 = ~4^, Small Potion.",
        "drops",
        {"items": ["Small Potion"], "dice": [4, 4]},
    ),
    ("Mira: run attempt: 1d6 = ~3^, couldn't run", "run", {"outcome": "failed", "dice": [3]}),
    ("Encounter! 1d6 -> ~1^ = Marsh Rat x2", "encounter", {"enemy": ["Marsh Rat"], "number": [2], "dice": [1]}),
    ("Encounter: 1d6 = ~1^ (Marsh Rat x2) (ugh, rats again)", "encounter", {"enemy": ["Marsh Rat"], "number": [2]}),
    ("Allocation: Mira 1-3, Tobin 4-6 (same as always)", "allocation", {"Mira": "1-3", "Tobin": "4-6"}),
    ("Drops: Rat 1: 1d6 = ~1^, nothing. Rat 2: 1d6 = ~4^, 1d6 = ~1^ (Rat Tail)", "drops", {"dice": [1, 4, 1]}),
    ("Rat 1: 5/18 \u2022 Rat 2: 9/18", "hp", {"Marsh Rat 1": 5, "Marsh Rat 2": 9}),
    ("t1: mira 12, rats 9, tobin 7", "order", {"order": ["Mira", "Marsh Rat", "Tobin"]}),
    ("Mira 12 > Marsh Rats 9", "order", {"order": ["Mira", "Marsh Rat"]}),
    ("Init: Mira (12), Marsh Rat (9)", "order", {"order": ["Mira", "Marsh Rat"]}),
    ("T2: Mira 31/40, Tobin 30/35", "hp", {"Mira": 31, "Tobin": 30}),
    ("Order: Mira [12], Marsh Rat [9], Tobin [7]", "order", {"order": ["Mira", "Marsh Rat", "Tobin"]}),
    ("Order: Mira - 12, Marsh Rat - 9, Tobin - 7", "order", {"order": ["Mira", "Marsh Rat", "Tobin"]}),
    ("Order: Mira: 12, Marsh Rat: 9, Tobin: 7", "order", {"order": ["Mira", "Marsh Rat", "Tobin"]}),
    ("Order: Mira 12, Marsh Rat 9, Tobin 7", "order", {"order": ["Mira", "Marsh Rat", "Tobin"]}),
    ("Order: 1. Mira (12) 2. Marsh Rat (9) 3. Tobin (7)", "order", {"order": ["Mira", "Marsh Rat", "Tobin"]}),
    ("Order: Mira (12), Marsh Rat 1-3 (9), and Tobin (7)", "order", {"order": ["Mira", "Marsh Rat", "Tobin"]}),
    ("Order (turn 2): Mira (12), Marsh Rat (9)", "order", {"order": ["Mira", "Marsh Rat"]}),
    ("Turn 2: Mira (12), Marsh Rat (9), Tobin (7)", "order", {"order": ["Mira", "Marsh Rat", "Tobin"]}),
    ("HP: Mira - 31/40, Tobin - 22/35", "hp", {"Mira": 31, "Tobin": 22}),
    ("HP: Mira 31/40 and Tobin 22/35", "hp", {"Mira": 31, "Tobin": 22}),
    ("Rat 1: 0/18 †", "hp", {"Marsh Rat 1": 0}),
    ("Rat 1: 5 HP left", "hp", {"Marsh Rat 1": 5}),
    ("Encounter: 1d6 = ~1^: Marsh Rat (x3)", "encounter", {"enemy": ["Marsh Rat"], "number": [3]}),
    ("Encounter: 1d6 = ~4^ (Mud Crab x2 / Marsh Rat x1)", "encounter", {"number": [2, 1]}),
    ("Enemies: 1d6 = ~1^ (Marsh Rat x3)", "encounter", {"enemy": ["Marsh Rat"], "number": [3]}),
    ("We encounter: 1d6 = ~1^ (Marsh Rat x3)", "encounter", {"enemy": ["Marsh Rat"], "number": [3]}),
    ("Alloc: Mira 1-3, Tobin 4-6", "allocation", {"Mira": "1-3", "Tobin": "4-6"}),
    ("Allocation (d6): Mira 1-3, Tobin 4-6", "allocation", {"Mira": "1-3", "Tobin": "4-6"}),
    ("Allocation: Mira 1 2 3, Tobin 4 5 6", "allocation", {"Mira": "1-3", "Tobin": "4-6"}),
    ("Mira 1-3, Tobin 4-6", "allocation", {"Mira": "1-3", "Tobin": "4-6"}),
    ("EXP: 4 + 4 + 4 = 12", "exp", {"total": 12}),
    ("EXP: 3 Marsh Rats x 4 EXP = 12 EXP", "exp", {"total": 12, "parts": [3, 4]}),
    ("EXP: Marsh Rat 3 x 4 = 12", "exp", {"total": 12, "parts": [3, 4]}),
    ("EXP: 2 crabs x 7, 1 rat x 4 = 18", "exp", {"total": 18, "parts": [2, 7, 1, 4]}),
    ("EXP +12", "exp", {"total": 12}),
    ("Drops: Rat 1 (1d6 = ~5^ -> 1d6 = ~2^ Bog Iron), Rat 2 (1d6 = ~2^ -> nothing)", "drops", {"dice": [5, 2, 2]}),
    ("Drops: Rat 1: 1d6 = ~5^ -> 1d6 = ~2^ (Bog Iron), Rat 2: 1d6 = ~2^ -> nothing", "drops", {"dice": [5, 2, 2]}),
    ("Drops: Rat 1: 1d6 = ~5^ -> drop! 1d6 = ~2^ (Bog Iron)", "drops", {"items": ["Bog Iron"], "dice": [5, 2]}),
    ("Drops: Rat 1: 1d6 = ~2^ (nothing)", "drops", {"items": ["nothing"], "dice": [2]}),
    ("Drops: Rat 1: 1d6 = ~3^ + 1 = 4 (Lucky Charm) -> 1d6 = ~2^ (Bog Iron)", "drops", {"dice": [3, 2]}),
]


@pytest.mark.parametrize(("text", "kind", "values"), LISTS, ids=[text for text, _, _ in LISTS])
def test_lists_in_other_marks(text: str, kind: str, values: dict[str, object]) -> None:
    found = reading(text)
    assert found.unread == ()
    assert [claim.kind for claim in found.claims] == [kind]
    shown = dict(found.claims[0].values)
    assert {key: shown.get(key) for key in values} == values


def test_drops_and_exp_on_one_line_are_two_claims() -> None:
    found = reading("Drops: Rat 1: 1d6 = ~2^ -> nothing. EXP: 4.")
    assert [claim.kind for claim in found.claims] == ["drops", "exp"]
    assert dict(found.claims[0].values)["items"] == ["nothing"]


def test_hp_behind_the_comma_that_ends_a_move() -> None:
    found = reading("Mira->Rat1: d6=~4^, AT14/2=7, Rat1 11/18")
    assert [(claim.kind, claim.quote) for claim in found.claims] == [
        ("attack", "Mira->Rat1: d6=4, AT14/2=7"),
        ("hp", "Rat1 11/18"),
    ]
    assert dict(found.claims[1].values) == {"Marsh Rat 1": 11}


def test_a_number_may_be_a_characters_own() -> None:
    people = tuple(Character(name, name, "party") for name in ("Mira", "Piet 2"))
    found = RULESET.read(
        scripts_of(body_reader()("Allocation: Mira 1, Piet 2 6", None)), "x", Sheets(people, {"creatures": CREATURES})
    )
    assert [dict(claim.values) for claim in found.claims] == [{"Mira": "1", "Piet 2": "6"}]


def test_a_name_may_end_like_a_word_of_standing() -> None:
    """`Jason 31/40` and `Bram 9/30` are HP of Jason and Bram, not of a `Jas on` or `Br am`."""
    people = tuple(Character(name, name, "party", data={"stats": {"HP": 40}}) for name in ("Jason", "Boris", "Bram"))
    sheets = Sheets(people, {"maps": MAPS, "creatures": CREATURES})
    found = RULESET.read(scripts_of(body_reader()("HP: Jason 31/40 / Boris 20/40 / Bram 9/40", None)), "x", sheets)
    assert [dict(claim.values) for claim in found.claims] == [{"Jason": 31, "Boris": 20, "Bram": 9}]


@pytest.mark.parametrize(
    "text",
    [
        "Mira attacks Rat 1: rolled ~6^ (Tobin cheers), ~3^, 14",
        "Mira: normal attack on Rat 1, 1d6 = ~4^ (weak, 14/3): 7",
        "Rat 1 attacks: d6 ~3^ (Nobody); damage 1d6 = ~2^: 5/3 = 2",
        "Mira attacks Rat 1: rolled ~4^ - 7",
        "Normal attack on Tobin, 1d6 = ~5^ -> AT 14",
        "Rat 1: 18 -> 5",
        "Mira attacks Rat 1: rolled ~5^, 14 but the shield halves it",
        "Mira: Potion: Small Potion on Tobin, +10 HP, but only half of it",
        "Mira attacks Rat 1: rolled ~5^, 14 lol, twice",
        "Marsh Rat 9, Mira 12",
        "Mira attacks Rat 1: rolled ~5^, 14 to Rat 2, nice",
    ],
)
def test_what_is_doubtful_stays_unread_and_is_said(text: str) -> None:
    found = reading(text)
    assert found.claims == ()
    assert found.unread != ()


@pytest.mark.parametrize(
    "text",
    [
        "Mira 1-3, Tobin 2-2",
        "Mira 3, Tobin 2",
        "t1: 3 rats left",
        "I attack the problem from 2 sides.",
        "Targets: 3 barrels, 2 crates",
        "Mira - attack first, 2 questions later",
        "Tobin (7 years old in that picture), Mira (12)",
        "I have 12 HP left, right?",
        "I think I have 12 HP left",
        "I attack the door with 2 axes.",
        "I take the 3 stairs and run: 2 streets, 4 corners",
        "We encounter 2 fishermen and 1 dog.",
    ],
)
def test_prose_stays_prose(text: str) -> None:
    assert reading(text).claims == ()


@pytest.mark.parametrize(
    "rest",
    ["Wow. The reroll: ~1^, so just 14.", "And then I rolled ~6^. 28 damage!", "Second roll ~6^. That is 14 x 2 = 28."],
)
def test_a_blow_whose_second_die_is_unread_is_unread(rest: str) -> None:
    """Not a 6 without its second roll: that would be called a fault."""
    found = reading(f"Mira attacks Rat 1: rolled ~6^. {rest}")
    assert found.claims == ()
    assert len(found.unread) == 2


@given(st.text(alphabet="Mira atcks:Rt1(d6=, -)>[]/+x*.;0vs\"'", max_size=90))
def test_signs_are_replaced_one_by_one(text: str) -> None:
    """Links and quotes lie by the places of the text as it was posted."""
    line = LineText(text, 0, len(text), Links(scripts_of(body_reader()("x", None))))
    for again in (
        set_as_a_move(line),
        *[set_as_a_list(line, what) for what in ("order", "hp", "exp", "drops", "encounter")],
    ):
        assert len(again.text) == len(text)


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "(6",
        "6 ",
        "d6 ",
        "7 lol ",
        "haha",
        "!:(",
        "again ",
        "1d6 = 6, ",
        "Mira - ",
        "Rat 1 (d6 3) ",
        " and ",
        "(1d6 (",
        ": ",
        "3 x ",
        ", Rat:",
    ],
)
def test_hostile_lines_take_no_time(piece: str) -> None:
    began = time.process_time()
    for head in (
        "Mira attacks Rat 1: rolled 5, ",
        "Drops: Rat 1: 1d6 = 5 ",
        "Order: Mira (12) ",
        "EXP: 3 x 4 ",
        "HP: Mira 1/40 ",
    ):
        reading(head + piece * 600)
        reading("\n".join([(head + piece * 10)[:120]] * 40))
    assert time.process_time() - began < allowed(4)


@pytest.mark.parametrize("piece", ["(a", "! a", ". A"])
def test_many_long_lines_that_may_end_in_prose_take_no_time(piece: str) -> None:
    line = ("Mira attacks Rat 1: d6 4" + piece * 1_000)[:1_990]
    began = time.process_time()
    reading("\n".join([line] * 50))
    assert time.process_time() - began < allowed(2)


def test_a_list_with_blanks_that_is_no_order_takes_no_time() -> None:
    began = time.process_time()
    reading("Tobin " + "o- (1 )   " * 13)
    assert time.process_time() - began < allowed(1)
