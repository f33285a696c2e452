"""Lines of Enolaptia as players write them, read into claims; prose and hostile text left alone."""

from __future__ import annotations

import time

import pytest

from referee.app.plugins import body_reader
from referee.engine.script import scripts_of
from referee.model.battle import Character
from referee.model.claims import Reading
from referee.ports.rules import Sheets
from rules.enolaptia import RULESET
from rules.enolaptia.claims import Move, rolls_in
from tests.support.enolaptia_sim_book import ABILITIES, CREATURES, MAPS
from tests.support.patience import allowed

CHARACTERS = (
    Character("Mira", "mira", "party"),
    Character("Tobin Lund", "tobin", "party", aliases=("Tob",)),
    Character("Wanda", "wanda", "party"),
)
SHEETS = Sheets(CHARACTERS, {"maps": MAPS, "creatures": CREATURES, **ABILITIES})
LINK = "[url=http://dice.example/r/{}]roll[/url]"


def reading(text: str, author: str = "mira", sheets: Sheets = SHEETS) -> Reading:
    return RULESET.read(scripts_of(body_reader()(text, None)), author, sheets)


LINES = [
    ("Mira: normal attack on Marsh Rat 1, 1d6 = 6, 6 -> AT 14 x 2 = 28", "attack", {"amount": 28, "dice": [6, 6]}),
    ("Mira: normal attack on Rat 1, 1d6 = 4 → AT 14/2 = 7", "attack", {"amount": 7, "target": "Marsh Rat 1"}),
    ("Mira: normal attack on Rat 1, 1d6 = 1 -> miss", "attack", {"amount": 0}),
    ("Tobin attacks Rat 2: rolled 4, 11/2 = 5", "attack", {"amount": 5, "actor": "Tobin Lund"}),
    ("TOB ATTACKS RAT 2: ROLLED 6, 3, 11", "attack", {"amount": 11, "actor": "Tobin Lund", "dice": [6, 3]}),
    ("tobin attacks rat 2: rolled 6, 6, 12 x 2 = 24", "attack", {"amount": 24, "dice": [6, 6]}),
    ("* Rat 1 attacks: d6 3, allocation 3–4 = Tobin; damage 1d6 = 2: 6/3 = 2", "attack", {"target": "Tobin Lund"}),
    ("Rat 1 attacks Mira; damage 1d6 = 5: 6", "attack", {"amount": 6, "target": "Mira"}),
    ("Mira: spell Ember on Rat 1, 1d6+2: 4 + 2 = 6", "spell", {"amount": 6, "ability": "Ember", "dice": [4]}),
    ("Mira: special Meteor Kick on Rat 1, AT+1d6: 14 + 5 = 19", "special", {"amount": 19, "dice": [5]}),
    ("Mira: special Crescent Sweep on Rat 1, 2d6+4: 3 + 5 + 4 = 12", "special", {"amount": 12, "dice": [3, 5]}),
    ("Mira: skill Stone Drop on Rat 1: 8", "skill", {"amount": 8}),
    ("Mira: skill Battle Cry", "skill", {"ability": "Battle Cry"}),
    (
        "Fen Hag: move 1d6 = 2 (normal attack): d6 3, allocation 3-4 = Tobin; damage 1d6 = 2: 13/3 = 4",
        "attack",
        {"amount": 4},
    ),
    ("Fen Hag: move 1d6 = 6 (Bog Breath) on Mira, 2d6+2: 4 + 5 + 2 = 11", "special", {"amount": 11, "dice": [6, 4, 5]}),
    ("Tobin: Potion: Small Potion on Mira, +10 HP", "potion", {"amount": 10, "target": "Mira"}),
    ("Potion: Small Potion on Wanda, +10 HP", "potion", {"actor": "Mira", "target": "Wanda"}),
    ("Mira: Run: 1d6 = 5, escaped", "run", {"outcome": "escaped"}),
    ("Run: 1d6 = 4, cannot run", "run", {"outcome": "failed", "actor": "Mira"}),
    ("[Teleport: Mira -> Brightwater]", "teleport", {"actor": "Mira"}),
    ("[Party stone: Wanda joins the battle]", "party stone", {"actor": "Wanda"}),
    ("Wanda: Party stone, joins the battle", "party stone", {"actor": "Wanda"}),
    ("HP: Mira 31/40, Tobin 22/35", "hp", {"Mira": 31, "Tobin Lund": 22}),
    ("| Mira: 31/40 | Tobin: 22/35 |", "hp", {"Mira": 31, "Tobin Lund": 22}),
    ("HP: 31/40", "hp", {"Mira": 31}),
    ("Rat 1: 0/18 (dead)", "hp", {"Marsh Rat 1": 0}),
    (
        "Encounter: 1d6 = 4 (Mud Crab x2, Marsh Rat)",
        "encounter",
        {"enemy": ["Mud Crab", "Marsh Rat"], "number": [2, 1]},
    ),
    ("Allocation: Mira 1-3, Tobin 4-6", "allocation", {"Mira": "1-3", "Tobin Lund": "4-6"}),
    (
        "Order: Mira (12), Marsh Rat (9), Tobin (9) - tie 1d6 = 5, Tobin first",
        "order",
        {"first": ["Tobin Lund"], "dice": [5]},
    ),
    ("Duel: Mira against Tobin", "duel", {"sides": ["Mira", "Tobin Lund"]}),
    (
        "Drops: Rat 1: 1d6 = 5 -> 1d6 = 2 (Bog Iron); Rat 2: 1d6 = 2 -> nothing",
        "drops",
        {"items": ["Bog Iron", "nothing"]},
    ),
    (
        "Drops: Rat 1: 1d6 = 2 -> nothing, of course; Rat 2: 1d6 = 2 -> nothing at all.",
        "drops",
        {"items": ["nothing"] * 2},
    ),
    ("EXP: 2 x 7 + 1 x 4 = 18", "exp", {"total": 18}),
    ("Correction, sorry: EXP: 3 x 4 = 12", "exp", {"total": 12}),
    ("[b]Mira:[/b] [i]skill[/i] Stone Drop on Rat 1: 8", "skill", {"amount": 8}),
    ("Rat (2) bites Mira; damage 1d6 = 5: 6", "attack", {"actor": "Marsh Rat 2", "amount": 6}),
    ("Mira swings at Rat 1 - rolled 5, strong, 14", "attack", {"target": "Marsh Rat 1", "amount": 14}),
    ("Mira -> Rat 1: rolled 5, 14", "attack", {"target": "Marsh Rat 1", "amount": 14}),
    ("Mira attacks: rolled 5, 14 to Rat 1", "attack", {"target": "Marsh Rat 1", "amount": 14}),
    ("Mira attacks Rat 1: rolled 2, 14/3 = 4 (4.67, rounded down)", "attack", {"amount": 4, "dice": [2]}),
    ("Tobin casts Ember on Rat 1: 1d6+2: 4 + 2 = 6", "spell", {"amount": 6, "ability": "Ember"}),
    ('Tobin: spell "Ember" vs Rat 1, 1d6 = 4, +2 = 6', "spell", {"amount": 6, "ability": "Ember", "dice": [4]}),
    ("Tobin: Ember on Rat 1, 1d6+2: 4 + 2 = 6 fire damage", "spell", {"amount": 6, "ability": "Ember"}),
    ("Mira: skill Second Wind, +8 HP", "skill", {"amount": 8, "ability": "Second Wind"}),
    ("Tobin gives Mira a Small Potion, +10 HP", "potion", {"actor": "Tobin Lund", "target": "Mira", "amount": 10}),
    ("Mira: Potion (Small Potion) on herself +10", "potion", {"target": "Mira", "amount": 10}),
    ("Mira: Small Potion -> Tobin, +10 HP", "potion", {"target": "Tobin Lund", "ability": "Small Potion"}),
    ("Mira drinks a Small Potion, heals 10.", "potion", {"ability": "Small Potion", "target": "Mira", "amount": 10}),
    ("Tobin: Stone Drop on Rat 1: 8", "skill", {"amount": 8, "target": "Marsh Rat 1"}),
    ("Order: Mira (12), Tobin (9), Marsh Rat (9) - tie rolled 4, Tobin first", "order", {"dice": [4]}),
    ("Turn 2: Mira attacks Rat 1: rolled 5, 14", "attack", {"amount": 14}),
    ("Mira tries to flee: 1d6 = 5, escaped", "run", {"outcome": "escaped"}),
    ("Mira: Run: rolled 5, can run", "run", {"outcome": "escaped", "dice": [5]}),
    ("HP: Mira 40 -> 34", "hp", {"Mira": 34}),
    ("Mira HP: 34/40, Rat 1 (9/18)", "hp", {"Mira": 34, "Marsh Rat 1": 9}),
    ("Rat 1 9/18, limping", "hp", {"Marsh Rat 1": 9}),
    ("Encounter on Sunken Fen (1d6 = 1): two Marsh Rats", "encounter", {"enemy": ["Marsh Rat"], "number": [2]}),
    ("Encounter: 1d6 = 1 (a Marsh-Rat and Mud Crab * 2)", "encounter", {"number": [1, 2]}),
    ("Encounter: 1d6 = 1 (Marsh Rat 1, Marsh Rat 2)", "encounter", {"number": [1, 1]}),
    ("1-3 = Mira, 4-6 = Tobin", "allocation", {"Mira": "1-3", "Tobin Lund": "4-6"}),
    ("Allocation - Mira (1,2,3) / Tobin 4 to 6", "allocation", {"Mira": "1-3", "Tobin Lund": "4-6"}),
    ("Turn order: 1. Mira 12, 2. Marsh Rat x2 (9)", "order", {"order": ["Mira", "Marsh Rat"]}),
    ("Order: Mira (12), Tobin (9), Marsh Rat (9) - tie: 4, Tobin first", "order", {"dice": [4]}),
    ("Drops - Rat 1d6 = 5, then 1d6 = 1 (Rat Tail)", "drops", {"items": ["Rat Tail"], "dice": [5, 1]}),
    ("EXP 4", "exp", {"total": 4}),
    ("EXP: 1 x 4 = 4 for Mira", "exp", {"total": 4}),
]


@pytest.mark.parametrize(("text", "kind", "values"), LINES, ids=[line[0][:50] for line in LINES])
def test_a_line_is_read(text: str, kind: str, values: dict) -> None:
    found = reading(text)
    assert [claim.kind for claim in found.claims] == [kind]
    assert {key: found.claims[0].values[key] for key in values} == values
    assert found.unread == ()


PROSE = [
    "The first blow is a question [and the second is the bill].",
    "She counted them (she counted 3 of them). 90% of luck is showing up.",
    "Score: 3/4",
    "Tobin: I counted 4 of them, twice.",
    "A hundred things could go wrong; Wanda had stopped at 6. Order, order!",
    "Turn after turn it came up 6.",
    "Run, said the sign.",
    "Mira counted 40 coins; Tobin had 3/4 of them.",
    "Mira has 40 HP and no plan.",
    "Mira rolled 5 cigarettes, 14 papers each.",
    "Mira: 3/4 of the way there, she stopped.",
    "Rat 1 of the two looked at 2/18 of her.",
    "Mira: run 10 laps, then rest.",
    "Mira: Potion? 4 coins is too much.",
    "Mira: skill is what 3 of us lack.",
    "Mira hits the bottle: 3 glasses.",
    "Mira drinks 2 beers, heals nothing.",
    "Mira -> 3rd floor.",
    "Tobin runs: 3 km today.",
    "Order - two beers and 3 cakes, said Mira.",
    "Encounter number 3 of the day, thought Tobin.",
    "Experience taught Mira 3 things.",
    "Mira (12) and Tobin (9) are cousins.",
    "Tobin still had a Small Potion in his bag.",
    "She had a +10 HP charm, Mira said.",
    "Mira casts Ember on Rat 1.",
    "Tobin uses Crescent Sweep on Rat 2!",
    "Mira drinks a Small Potion.",
    "Mira uses the Small Potion.",
    "Mira: Ember on Rat 1!",
    "Tobin unleashes Crescent Sweep on 2 dummies every morning.",
    "First, Tobin rolled 3 barrels into the gap.",
    "The tie of her cloak slipped and Mira rolled 2 yards down the bank.",
    "Ties are for clerks; Mira rolled 2 cuffs up.",
    "Tobin takes 3 steps back.",
    "Tobin: hold on, 2 seconds!",
    "Mira: 3 arrows, 1 bow, no plan.",
    "Next round!",
    "Final round. Tobin wiped the blade.",
    "Second round: drinks on Mira.",
    "Next turn: left at the mill.",
    "The same order of eels, 3 plates.",
    'Tobin: "Give me the Small Potion!"',
    "Mira: no Small Potion for you.",
    "Encounter over? Mira rolled 2 blankets, just in case.",
    "Encounter: brief, 2 minutes at most.",
    "Drops of sweat; Mira rolled 2 sleeves up.",
    "Mira (31), Tobin (22)",
    "Mira 3 -> 2 in the betting.",
    "Mira: 3 + 4 = 7, she can count.",
    "State of the boots: 3/4 mud, thought Mira.",
    "Health is 9/10 luck, Mira says.",
    "Mira lost 2 HP of dignity.",
    "Experience: 20 years in the fen.",
    "Order: alphabetical, said the clerk; Tobin, then Mira.",
    "+10 HP of cheer, the Small Potion on the shelf promised Mira",
    "Mira: 12.",
    "Allocation: 2 beds, 3 people.",
    "Allocation 3-4 = whoever stands closest, joked Tobin.",
    "Potion: empty.",
    "tie 1 knot, then another",
    "Rat 1 attacks Mira, d6 or no d6.",
    "Mira rolled 3, missed the log.",
    "HP of the ferry: 20/20, Mira joked.",
    "XP: 3 winters.",
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_left_alone(text: str) -> None:
    found = reading(text)
    assert found.chatter


UNREAD = [
    "[Damage: 1d6 = ?]",
    "[Action: ??? -> ???: 1d20 = ?]",
    "[Run: 1d6 = ?]",
    "[Ember Storm]",
    "[Used Something]",
    "Tobbin attacks Rat 1: rolled 4, 11/2 = 5",
    "Tobin attacks Rat 1: rolled ?, ?",
    "EXP: 3 x ?? = 12",
    "Rat 2 strikes back, 1d6 = 5: Mira loses 5 HP",
    "The other rat gnaws at Mira: 1d6 = 5, 6 damage",
    "Mira heals 10 HP with what was in the flask",
    "Mira: Small Potion",
    "Mira: 40 - 5 = 35",
    "Rat 1: 18 -> 9",
    "Rat 1: 9",
    "Encounter: 1d6 = 1 (some Marsh Rats)",
    "Allocation: Mira 1,3,5; Tobin 2,4,6",
    "Order: Mira {12}, Marsh Rat {9}",
    "Mira (12), Marsh Rat (9)",
    "Order: Mira (12), Marsh Rat (9) - tie: Mira wins with a 4",
    "Same order again",
    "Tie: 1d6 = 4, Mira first",
    "Drops: none, 1d6 = 2",
    "Mira gains 5 EXP",
    "Mira uses Battle Cry",
    "mira: battle cry",
    "Tobin Lund uses the skill Battle Cry on Rat 2!",
]


@pytest.mark.parametrize("text", UNREAD)
def test_what_looks_like_the_game_but_is_not_read_is_said(text: str) -> None:
    found = reading(text)
    assert found.claims == ()
    assert [unread.quote for unread in found.unread] == [text]


def test_a_use_that_a_move_states_is_its_story() -> None:
    assert reading("Mira uses Battle Cry!\n\nMira: skill Battle Cry").unread == ()
    assert len(reading("Tobin Lund uses Battle Cry!\n\nMira: skill Battle Cry").unread) == 1


def rolls(text: str) -> list[tuple[tuple[int, ...], int]]:
    return [(roll.values, len(roll.anchors)) for roll in rolls_in(reading(text).claims[0].data)]


def test_each_link_stands_for_its_own_die() -> None:
    aim = f"d6 3 {LINK.format(1)}, allocation 3-4 = Tobin"
    text = f"Rat 1 attacks: {aim}; damage 1d6 = 6 {LINK.format(2)}, 2 {LINK.format(3)}: 5"
    assert rolls(text) == [((3,), 1), ((6, 2), 2)]
    data = reading(text).claims[0].data
    assert isinstance(data, Move)
    assert data.aim is not None
    assert [a.url for a in data.aim.roll.anchors] == ["http://dice.example/r/1"]


def test_links_at_the_end_of_a_line_go_to_the_dice_in_their_order() -> None:
    assert rolls(f"Mira: spell Hail on Rat 1, 2d6: 4 + 2 = 6 {LINK.format(1)}") == [((4, 2), 1)]
    assert rolls(f"Mira attacks Rat 1: rolled 6, 3, 14\n{LINK.format(1)} {LINK.format(2)}") == [((6, 3), 2)]


def test_a_die_that_is_only_linked_has_no_value() -> None:
    assert rolls(f"Mira attacks Rat 1: rolled {LINK.format(1)}, 14/2 = 7") == [((), 1)]


def test_a_kind_may_end_like_the_word_no() -> None:
    sheets = Sheets(CHARACTERS, {"creatures": {"Marsh Rhino": {"hp": 18, "at": 5, "speed": 9, "exp": 4}}})
    lines = "Rhino 1 attacks Mira; damage 1d6 = 5: 6\nRhino no. 2: 5/18\nMarsh Rhino: 18/18"
    found = reading(lines, sheets=sheets)
    assert found.unread == ()
    assert found.claims[0].values["actor"] == "Marsh Rhino 1"
    assert [claim.values for claim in found.claims[1:]] == [{"Marsh Rhino 2": 5}, {"Marsh Rhino": 18}]


HOSTILE = [
    "[Damage: " * 50_000,
    "Mira attacks " * 60_000,
    "Order: " + "Mira (12), " * 60_000,
    "HP: " + "Mira 1/2, " * 60_000,
    "Drops: " + "Rat 1: 1d6 = 1 -> nothing; " * 30_000,
    "Rat 1: 5/18\n" * 60_000,
    "Mira: special X on Rat 1, AT+1d6: " + "1 + " * 200_000,
    "(" * 300_000,
    ":" * 900_000,
    "Mira: normal attack on " + " " * 900_000,
    "\u202e\u0000Mira\u200b attacks Rat 1: rolled 4, 7\n" * 20_000,
    "9" * 400_000 + "/" + "9" * 400_000,
    "[quote]" * 10_000 + "HP: Mira 1/40",
    ("[" * 1990 + "\n") * 150,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_costs_no_time(text: str) -> None:
    started = time.process_time()
    found = reading(text)
    assert time.process_time() - started < allowed(8)
    assert len(found.claims) <= 400
    assert len(found.unread) <= 201


def test_a_post_that_is_too_long_says_so() -> None:
    assert "too long" in reading("Rat 1: 5/18\n" * 500).unread[-1].reason


def test_without_tables_any_name_may_be_a_creature() -> None:
    sheets = Sheets(CHARACTERS, {})
    assert [c.kind for c in reading("Grey Wolf 2 attacks Mira; damage 1d6 = 5: 6", sheets=sheets).claims] == ["attack"]
