"""What is told in words explains a difference: without the words it is found, with them a notice quotes them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.report import Finding
from rules.enolaptia import RULESET

FEN = {
    "enemies": {n: "Marsh Rat" if n > 3 else "Mud Crab" for n in range(1, 7)},
    "drops": {1: "Rat Tail", 2: "Bog Iron", **dict.fromkeys(range(3, 7), "Rat Tail")},
}
TABLES: dict[str, Any] = {
    "maps": {"Sunken Fen": FEN},
    "creatures": {
        "Marsh Rat": {"hp": 18, "at": 6, "speed": 9, "exp": 4},
        "Mud Crab": {"hp": 12, "at": 6, "speed": 5, "exp": 7},
    },
    "spells": {"Ember": {"damage": "1d6+2"}},
    "potions": {"Small Potion": {"heal": 10}},
}
MET = "Encounter: 1d6 = {1d6:4} (Marsh Rat x2)\nAllocation: Mira 1-3, Tobin 4-6\nHP: Mira 40/40, Tobin 35/35"
LISTED = "Order: Mira (12), Marsh Rat (9), Tobin (9)"
ORDER = f"{LISTED} - tie 1d6 = {{1d6:2}}, Marsh Rat first"
MIRA = "Mira: normal attack on Marsh Rat 1, 1d6 = {1d6:4} -> AT 14/2 = 7"
RAT_1 = "Rat 1 attacks: d6 {1d6:2}, allocation 1-3 = Mira; damage 1d6 = {1d6:4}: 6/2 = 3"
RAT_2 = "Rat 2 attacks: d6 {1d6:5}, allocation 4-6 = Tobin; damage 1d6 = {1d6:4}: 6/2 = 3"
TOBIN = "Tobin attacks Rat 2: rolled {1d6:4}, 11/2 = 5"
ROUND = f"{ORDER}\n{MIRA}\n{RAT_1}\n{RAT_2}\n{TOBIN}\nRat 1: 11/18\nRat 2: 13/18\nHP: Mira 37/40, Tobin 32/35"
KILLED = (
    f"{ORDER}\nMira: normal attack on Rat 1, 1d6 = {{1d6:6}}, {{1d6:6}} -> AT 14 x 2 = 28\n"
    "Tobin: normal attack on Rat 2, 1d6 = {1d6:6}, {1d6:6} -> AT 11 x 2 = 22\nRat 1: 0/18 (dead)\nRat 2: 0/18 (dead)"
)
LOOT = "Drops: Rat 1: 1d6 = {1d6:%s; Rat 2: 1d6 = {1d6:2} -> nothing"

Posts = tuple[str, ...]

#: A code, the words that explain it, and the posts; `{W}` is where the words stand.
TOLD: tuple[tuple[str, str, Posts], ...] = (
    (
        "encounter",
        "The map book sends crabs for any roll here.",
        ("{W}\n" + MET.replace("Marsh Rat x2", "Mud Crab x2"),),
    ),
    ("order", "The rats win the tie with a 2.", (MET, f"{LISTED}\n{{W}}\n{MIRA}\n{RAT_1}")),
    ("order", "We keep the tie roll from last turn.", (MET, ROUND, f"{{W}}\n{LISTED}\n{MIRA}")),
    (
        "order",
        "The rats ambush them and move first.",
        (MET, f"{{W}}\nOrder: Marsh Rat (9), Mira (12), Tobin (9)\n{RAT_1}\n{RAT_2}\n{MIRA}"),
    ),
    ("order", "Mira lets the rats go first.", (MET, f"{ORDER}\n{{W}}\n{RAT_1}\n{RAT_2}\n{MIRA}\n{TOBIN}")),
    ("moves", "Quick Hands lets Mira attack twice.", (MET, f"{ORDER}\n{{W}}\n{MIRA}\n{MIRA}")),
    ("moves", "Next turn.", (MET, ROUND, "{W}\n" + MIRA)),
    ("run", "Tobin throws a smoke bomb.", (MET, f"{ORDER}\n{MIRA}\n{{W}}\nTobin: Run: 1d6 = {{1d6:3}}, escaped")),
    (
        "allocation",
        "Tobin throws himself in front of Mira.",
        (MET, f"{ORDER}\n{MIRA}\n{{W}}\n" + RAT_1.replace("3 = Mira", "3 = Tobin")),
    ),
    (
        "damage",
        "Mira's blade glows: AT 18 for this turn.",
        (MET, f"{ORDER}\n{{W}}\n{MIRA.replace('14/2 = 7', '18/2 = 9')}"),
    ),
    (
        "damage",
        "Second roll 2, no luck.",
        (MET, f"{ORDER}\nMira: normal attack on Marsh Rat 1, 1d6 = {{1d6:6}} -> AT 14\n{{W}}\nRat 1: 4/18"),
    ),
    (
        "potion",
        "Wanda joins them through the stone.",
        (MET, f"{ORDER}\n{{W}}", "Mira: Potion: Small Potion on Wanda, +10 HP"),
    ),
    (
        "teleport",
        "The last rat fled into the reeds, the fight is over.",
        (MET, ROUND, "{W}\n[Teleport: Mira -> Brightwater]"),
    ),
    (
        "drop",
        "Mira finishes Rat 1 off and Tobin stomps on Rat 2.",
        (MET, ROUND, "{W}\n" + LOOT % "2} -> nothing" + "\nEXP: 2 x 4 = 8"),
    ),
    ("exp", "Mira and Tobin make short work of both rats.", (MET, ROUND, "{W}\nEXP: 2 x 4 = 8")),
    ("exp", "Double EXP today!", (MET, KILLED, "{W}\nEXP: 16")),
    ("exp", "With the 12 from the crabs that makes 20.", (MET, KILLED, "{W}\nEXP: 20")),
    ("hp", "The flames catch both rats.", (MET, f"{ORDER}\n{{W}}\n{MIRA}\nRat 1: 11/18\nRat 2: 12/18")),
    ("damage", "No second six.", (MET, f"{ORDER}\n{MIRA.replace('4} -> AT 14/2 = 7', '6} -> AT 14')}\n{{W}}")),
    (
        "allocation",
        "Tobin limps out of the fight.",
        (MET, ROUND, f"{{W}}\nOrder: Mira (12), Marsh Rat (9)\n{MIRA}\n" + RAT_2.replace("6 = Tobin", "6 = Mira")),
    ),
    ("teleport", "Both rats bolt for the reeds.", (MET, ROUND, "{W}\n[Teleport: Mira -> Brightwater]")),
    ("drop", "The clover adds one.", (MET, KILLED, "{W}\n" + LOOT % "3} -> 1d6 = {1d6:2} (Bog Iron)")),
    ("hp", "Tobin drinks a small potion.", (MET, ROUND, "{W}\nHP: Mira 37/40, Tobin 35/35")),
    ("hp", "Mira casts Ember on Rat 1.", (MET, ROUND, "{W}\nRat 1: 5/18")),
    ("hp", "Later, at the inn, everybody is back at full health.", (MET, ROUND, "{W}\nHP: Mira 40/40, Tobin 35/35")),
    ("hp", "The poison eats at Mira.", (MET, ROUND, "{W}\nHP: Mira 35/40")),
    ("hp", "Rat 1 bites Mira for three.", (MET, ROUND, "{W}\nHP: Mira 34/40")),
    ("hp", "Rat 1 licks its wounds.", (MET, ROUND, "{W}\nRat 1: 15/18")),
    (
        "acts-while-down",
        "A phoenix feather brings Tobin back.",
        (
            MET.replace("Tobin 35/35", "Tobin 35/35"),
            f"{ORDER}\n{RAT_2}\nHP: Tobin 0/3",
            f"{{W}}\n{ORDER}\n{MIRA}\n{RAT_1}\n{TOBIN}",
        ),
    ),
)


def judged(posts: Posts, words: str, folder: Path, tobin: int = 35) -> list[Finding]:
    """The findings of a battle of two characters; Wanda is not there at first."""
    rows = [("Mira", 40, 14, 12), ("Tobin", tobin, 11, 9), ("Wanda", 30, 10, 15)]
    people = [
        {"name": n, "player": n.casefold(), "side": "party", "stats": {"HP": hp, "AT": at, "Speed": speed}}
        for n, hp, at, speed in rows
    ]
    people[2]["present"] = False
    texts = [text.replace("{W}", words) for text in posts]
    data = {
        "schema": "referee/transcript@1",
        "ruleset": "enolaptia",
        "title": "told",
        "battle": {"map": "Sunken Fen"},
        "characters": people,
        "tables": TABLES,
        "rolls": {},
        "posts": [
            {
                "id": f"p{n}",
                "author": "mira",
                "at": f"2026-03-01T{n:02}:00:00Z",
                "text": re.sub(r"\{(\d*d\d+):([\d, ]+)\}", r"[roll=\1]\2[/roll]", text),
            }
            for n, text in enumerate(texts, 1)
        ],
    }
    path = folder / "battle.json"
    path.write_text(json.dumps(data), "utf-8")
    return list(judge_battle(load_transcript(path, {"enolaptia": RULESET}), RULESET).findings)


def alarms(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings if finding.severity != "notice"]


@pytest.mark.parametrize(("code", "words", "posts"), TOLD, ids=[words[:40] for _, words, _ in TOLD])
def test_words_leave_open_what_would_be_found_without_them(code: str, words: str, posts: Posts, tmp_path: Path) -> None:
    tobin = 3 if code == "acts-while-down" else 35
    posts = tuple(text.replace("Tobin 35/35", f"Tobin {tobin}/{tobin}") for text in posts)
    assert f"enolaptia/{code}" in alarms(judged(posts, "", tmp_path, tobin))
    found = judged(posts, words, tmp_path, tobin)
    assert alarms(found) == []
    assert any(words[:20] in f.message for f in found if f.code == "post/unchecked")


@pytest.mark.parametrize(
    "words",
    [
        '"Potion of the house, 4 coins!"',
        "A potion bottle rolled over the stones and did not break.",
        "lol, I rolled a 3 at the other table too",
        "Mira counted them twice, out of habit.",
        "Rat 1 was already moving when the echo died.",
        '"Chance favours the stubborn," Mira murmured; 90% of luck was showing up.',
        "((OOC: sorry for the delay, exams until the 14th!))",
        "The wind turned, as it always did around the fourth hour.",
        "Behind them the tide had taken another 6 inches of the quay.",
        "That's another turn done.",
        "It was the third turn of the stair.",
        "Her armor was soaked through.",
        "Mira rested her blade on her shoulder.",
        "If I get hit again I'm going to need a potion.",
    ],
)
def test_scenery_explains_nothing(words: str, tmp_path: Path) -> None:
    six = MIRA.replace("{1d6:4} -> AT 14/2 = 7", "{1d6:6} -> AT 14")
    allocated = RAT_1.replace("3 = Mira", "3 = Tobin")
    posts: Posts = (
        MET,
        f"{{W}}\n{ORDER}\n{six}\n{allocated}\n{allocated}\n{{W}}\nHP: Mira 39/40",
        "{W}\n" + LOOT % "3} -> 1d6 = {1d6:2} (Bog Iron)",
    )
    codes = ["allocation", "damage", "drop", "hp", "moves"]
    assert sorted(set(alarms(judged(posts, words, tmp_path)))) == [f"enolaptia/{code}" for code in codes]


@pytest.mark.parametrize(
    "words",
    [
        "Double post, sorry.",
        "Double post because my attack got lost, sorry for the 14!",
        "He doubles over laughing; half the damage was to his pride.",
        "Double-check my attack please, I count 14.",
        "Twice she had missed the rat, twice it had missed her.",
        "The rat takes 14 damage.",
        "Mira's 14 AT, as on her sheet.",
        "Rat 7 deals damage too.",
        "Half of it was luck, and the first 14 years of practice.",
        "My dice are cursed: 14 of my last 20 were ones.",
    ],
)
def test_a_blow_told_again_or_a_double_post_explains_no_other_damage(words: str, tmp_path: Path) -> None:
    """Not even where the words hold the wrong amount: 14 for the 7 that a roll of 4 gives."""
    posts: Posts = (MET, f"{ORDER}\n{words}\n{MIRA.replace('14/2 = 7', '14')}")
    assert alarms(judged(posts, "", tmp_path)) == ["enolaptia/damage"]


@pytest.mark.parametrize(
    "words", ["Her rage doubles the damage.", "The damage is doubled tonight.", "Event: 7 more damage.", "+7 damage"]
)
def test_a_blow_that_is_said_to_be_harder_is_left_open(words: str, tmp_path: Path) -> None:
    posts: Posts = (MET, f"{ORDER}\n{words}\n{MIRA.replace('14/2 = 7', '14')}")
    assert alarms(judged(posts, "", tmp_path)) == []


@pytest.mark.parametrize(
    ("words", "found"), [("Tobin cursed under his breath.", True), ("A hex: Tobin is cursed.", False)]
)
def test_whoever_curses_is_not_hurt(words: str, found: bool, tmp_path: Path) -> None:
    posts: Posts = (MET, f"{words}\n{ROUND.replace('Tobin 32/35', 'Tobin 29/35')}")
    assert (alarms(judged(posts, "", tmp_path)) == ["enolaptia/hp"]) is found


def test_a_round_without_its_order_is_no_row_of_second_moves(tmp_path: Path) -> None:
    again = f"{MIRA}\n{RAT_1}\n{RAT_2}\n{TOBIN}\nRat 1: 4/18\nRat 2: 8/18\nHP: Mira 34/40, Tobin 29/35"
    found = judged((MET, ROUND, again), "", tmp_path)
    assert alarms(found) == []
    assert any("move again without a new Order line" in f.message for f in found)
    assert alarms(judged((MET, ROUND, MIRA), "", tmp_path)) == ["enolaptia/moves"]


def test_words_in_front_of_the_last_stated_hp_explain_no_later_number(tmp_path: Path) -> None:
    """Mira heals in p2, p3 states her 37 HP: that her HP are 39 in p4 has no reason left. Without p3 it may have."""
    healed = f"Mira licks her wounds.\n{ORDER}\n{RAT_1}"
    stated, late = "HP: Mira 37/40", f"{ORDER}\nHP: Mira 39/40"
    assert alarms(judged((MET, healed, stated, late), "", tmp_path)) == ["enolaptia/hp"]
    assert alarms(judged((MET, healed, late), "", tmp_path)) == []
