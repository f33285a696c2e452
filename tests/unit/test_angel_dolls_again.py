"""Checks in other hands: read as they are meant, left unread where that is not sure (NA2 to NA4)."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rules.angel_dolls.reading.again import in_usual_form
from tests.support.patience import allowed
from tests.support.samples import ROOT, judge_file

BASE = yaml.safe_load((ROOT / "tests/cases/angel_dolls/G25-correction-without-a-label.yaml").read_text("utf-8"))
DAMAGE = "Damage: 34 STR + R37 = 71 vs 23 DUR + R26 = 49 -> 22\n"


def found(tmp_path: Path, text: str, linked: bool) -> tuple[list[str], list[str]]:
    """The codes of errors and notices of one post of the judge; `R35` is a roll of the board, or a linked number."""
    parts = text.split("R")
    rolls: dict[str, object] = {}
    text = parts[0]
    for place, part in enumerate(parts[1:]):
        digits = part[:2] if part[:2].isdecimal() else ""
        if not digits:
            text += "R" + part
            continue
        link = f"http://dice.example/r/{place}"
        rolls[link] = {"at": "2026-01-02T11:00:00Z", "by": "arbiter", "expression": "1d50", "values": [int(digits)]}
        text += (f"[url={link}]{digits}[/url]" if linked else f"[roll=1d50]{digits}[/roll]") + part[2:]
    battle = {key: value for key, value in BASE.items() if key not in ("expect", "posts")}
    battle |= {
        "posts": [{"id": "q1", "author": "arbiter", "at": "2026-01-02T12:00:00Z", "text": text}],
        "rolls": rolls,
        "title": "again",
    }
    path = tmp_path / "battle.json"
    path.write_text(json.dumps(battle), "utf-8")
    findings = judge_file(path).findings
    return [f.code for f in findings if f.severity != "notice"], [f.code for f in findings if f.severity == "notice"]


HITS = [
    "Hit: 36 AGI + R35 = 71 v 33 REF + R24 = 57 -> hit",
    "Hit: 36 AGI + R35 = 71 v. 33 REF + R24 = 57 -> hit",
    "Hit: 36 AGI + R35 = 71 > 33 REF + R24 = 57 -> hit",
    "Hit: 36 AGI + R35 = 71, 33 REF + R24 = 57 -> hit",
    "Riget's Agility 36 + R35 = 71 beats Sedrik's Reflexes 33 + R24 = 57, so it hits.",
    "Hit: 36 AGI + R35 \u2192 71 vs 33 REF + R24 \u2192 57 -> hit",
    "Hit: AGI (36) + R35 = 71 vs REF (33) + R24 = 57 -> hit",
    "Hit: AGI = 36 + R35 = 71 vs REF = 33 + R24 = 57 -> hit",
    "Hit: Riget: 36 AGI + R35 = 71 vs Sedrik: 33 REF + R24 = 57 -> hit",
    "Hit: Riget (AGI 36 + R35 = 71) vs Sedrik (REF 33 + R24 = 57) -> hit",
    "Hit: R35 + 36 AGI = 71 vs R24 + 33 REF = 57 -> hit",
    "Hit: 36 AGI (26 + 10 claws) + R35 = 71 vs 33 REF + R24 = 57 -> hit",
    "Hit: 36 AGI (with the claws) + R35 = 71 vs 33 REF + R24 = 57 -> hit",
    "Hit: 36 AGI + (roll: R35) = 71 vs 33 REF + (d50 R24) = 57 -> hit",
    "Hit: 36 AGI + R35 roll = 71 vs 33 REF + R24 roll = 57 -> hit",
    "Hit: 36 AGI + d50: R35 = 71 vs 33 REF + d50: R24 = 57 -> hit",
    "Hit: 36 AGI + [R35] = 71 vs 33 REF + (R24) = 57 -> hit",
    "To-Hit - 36 AGI + R35 = 71 vs 33 REF + R24 = 57 -> hit",
    "Hit; 36 AGI + R35 = 71 vs 33 REF + R24 = 57 -> hit",
    "Hit 36 AGI + R35 = 71 vs 33 REF + R24 = 57 -> hit",
    "AGI 36 + R35 = 71 vs REF 33 + R24 = 57 -> hit",
    "36 AGI + R35 = 71 vs 33 REF + R24 = 57 -> hit",
    "Agility 36 (+R35) = 71 / Reflexes 33 (+R24) = 57, hit",
    "Riget: Agility 36 (+R35) = 71 / Sedrik: Reflexes 33 (+R24) = 57, hit",
    "Riget Agility 36 (R35) = 71 / Sedrik Reflexes 33 (R24) = 57, hit",
    "Hit: 36 AGI + 5 high ground - 5 dust + R35 = 71 vs 33 REF + R24 = 57 -> hit",
    "Hit: 36 AGI (+5 high ground) (-5 dust) + R35 = 71 vs 33 REF + R24 = 57 -> hit",
    "Hit: 36 AGI + 5 [high ground] - 5 [dust] + R35 = 71 vs 33 REF + R24 = 57 -> hit",
]
DAMAGES = [
    "Damage - 34 STR + R37 = 71 vs 23 DUR + R26 = 49 -> 22",
    "DMG 34 STR + R37 = 71 vs 23 DUR + R26 = 49 -> 22",
    "Damage dealt: 34 STR + R37 = 71 vs 23 DUR + R26 = 49 -> 22",
    "The damage: 34 STR + R37 = 71 vs 23 DUR + R26 = 49 -> 22",
    "Damge: 34 STR + R37 = 71 vs 23 DUR + R26 = 49 -> 22",
    "Damage: R37 + 34 STR = 71 vs R26 + 23 DUR = 49 -> 22",
    "34 STR + R37 = 71 vs 23 DUR + R26 = 49 -> 22",
    "Damage: 34 STR + R37 = 71 vs 23 DUR + R26 = 49, so 22",
    "Damage: 34 STR + R37 = 71 vs 23 DUR + R26 = 49 (22)",
]


@pytest.mark.parametrize("linked", [False, True], ids=["board", "links"])
@pytest.mark.parametrize("line", HITS)
def test_a_hit_in_another_hand(tmp_path: Path, line: str, linked: bool) -> None:
    head = "Riget -> Sedrik: paired claws\n"
    tail = f"\n{DAMAGE}HP: Sedrik 120 -> 98"
    assert found(tmp_path, head + line + tail, linked) == ([], [])
    assert found(tmp_path, head + line.replace("71", "79") + tail, linked)[0] == ["angel_dolls/total"]
    assert found(tmp_path, head + line.replace("36", "39").replace("71", "74") + tail, linked)[0] == (
        ["angel_dolls/stat"] if "26" not in line else []
    )


@pytest.mark.parametrize("line", DAMAGES)
def test_a_damage_in_another_hand(tmp_path: Path, line: str) -> None:
    head = "Riget -> Sedrik: paired claws\nHit: 36 AGI + R35 = 71 vs 33 REF + R24 = 57 -> hit\n"
    assert found(tmp_path, f"{head}{line}\nHP: Sedrik 120 -> 98", False) == ([], [])
    wrong = line.replace("22", "27")
    assert found(tmp_path, f"{head}{wrong}\nHP: Sedrik 120 -> 93", False)[0] == ["angel_dolls/damage"]


@pytest.mark.parametrize(
    "line",
    [
        "Hit: 36 AGI (minus 10 disarm) + R35 = 61 vs 33 REF + R24 = 57 -> hit",
        "Hit: 36 AGI (26) + R35 = 71 vs 33 REF + R24 = 57 -> hit",
        "Hit: 36 AGI (disarm -10) + R35 = 61 vs 33 REF + R24 = 57 -> hit",
        "Riget's agility of 36 met reflexes of 33: 71 = 57 + 14, they say.",
    ],
)
def test_what_is_not_sure_stays_unread(tmp_path: Path, line: str) -> None:
    assert found(tmp_path, f"Riget -> Sedrik: Disarm, paired claws\n{line}", False)[0] == []


HEADS = [
    "[Attack: Riget -> Sedrik, paired claws",
    "[Attack - Riget -> Sedrik, paired claws]",
    "First attack: Riget -> Sedrik: paired claws",
    "Riget attacks Sedrik (paired claws}",
    "Riget attacks Sedrik (paired claws",
    "Riget attacks Sedrik [paired claws]",
    "Riget attacks Sedrik - the paired claws",
    "Riget strikes Sedrik (paired claws)",
    "Riget (mara) attacks Sedrik (paired claws)",
    "Riget --> Sedrik: paired claws",
    "Riget ---> Sedrik, paired claws - Chain 1",
    "Riget > Sedrik: paired claws",
    "Riget >> Sedrik: paired claws",
    "Riget atk Sedrik w claws",
    "riget atks sedrik w/ the paired claws",
    "Riget - Sedrik: paired claws",
    "Riget vs Sedrik: paired claws",
    "Riget attack Sedrik with paired claws.",
]


@pytest.mark.parametrize("head", HEADS)
def test_a_heading_with_other_signs(tmp_path: Path, head: str) -> None:
    """The means counts: Agility without the claws is wrong."""
    line = "Hit: 36 AGI + R35 = 71 vs 33 REF + R24 = 57 -> hit"
    tail = f"\n{DAMAGE}HP: Sedrik 120 -> 98"
    assert found(tmp_path, f"{head}\n{line}{tail}", False) == ([], [])
    wrong = line.replace("36", "26").replace("71", "61")
    assert found(tmp_path, f"{head}\n{wrong}{tail}", False)[0] == ["angel_dolls/stat"]


@pytest.mark.parametrize(
    ("head", "element"),
    [
        ("Riget --> Sedrik: Shadow Snap (Dark)", True),
        ("Riget attacks Sedrik (Shadow Snap (Dark)", True),
        ("Riget attacks Sedrik [Shadow Snap (Dark)]", True),
        ("Riget attacks Sedrik (Shadow Snap (Dark)) from afar", False),
        ("Riget strikes Sedrik (hard)", False),
        ("Riget vs Sedrik: round 3", False),
    ],
)
def test_a_power_or_prose(tmp_path: Path, head: str, element: bool) -> None:
    lines = "Hit: 26 AGI + R35 = 61 vs 33 REF + R24 = 57 -> hit\n"
    lines += "Damage: 40 MAG + R11 = 51 vs 25 RES + R16 = 41; Dark +30 / -30 -> 60"
    errors, notices = found(tmp_path, f"{head}\n{lines}", False)
    assert errors == ["angel_dolls/damage"]
    assert bool(notices) is not element


@pytest.mark.parametrize("line", ["sedrik 98hp", "Sedrik: 98hp left"])
def test_hp_without_a_blank(tmp_path: Path, line: str) -> None:
    head = f"Riget -> Sedrik: paired claws\n{HITS[0]}\n{DAMAGE}"
    assert found(tmp_path, head + line, False) == ([], [])
    assert found(tmp_path, head + line.replace("98", "90"), False)[0] == ["angel_dolls/hp"]


def test_a_line_of_rolls_alone(tmp_path: Path) -> None:
    """The board rolls on a line above; the checks below have their rolls there."""
    text = f"Rolls: R35, R24, R37 and R26\nRiget -> Sedrik: paired claws\n{HITS[0]}\n{DAMAGE}HP: Sedrik 120 -> 98"
    first, rest = text.split("\n", 1)
    assert found(
        tmp_path,
        f"{first}\n{rest.replace('R35', '35').replace('R24', '24').replace('R37', '37').replace('R26', '26')}",
        False,
    ) == ([], [])


@pytest.mark.parametrize("blanks", [" ", "\t"])
def test_many_blanks_take_no_time(tmp_path: Path, blanks: str) -> None:
    line = f"Hit: 36 AGI + R35 = 71 vs 33 REF + R24 = 57{blanks * 1300}x\n"
    began = time.process_time()
    found(tmp_path, line * 20 + f"Damage: 34 STR + R37 = 71 vs 23 DUR + R26 = 49{blanks * 1300}x\n" * 20, False)
    assert time.process_time() - began < allowed(5)


@given(st.text(alphabet="Hit: damge36 AGI REF vs/v.->(+-)[]=,;Riget \u2192", max_size=120))
def test_places_stay(text: str) -> None:
    assert len(in_usual_form(text, lambda words, place: place % 2 == 0)) == len(text)


def test_many_rolls_with_their_links_below(tmp_path: Path) -> None:
    """Each of a hundred and more numbers finds its link, whatever others stand in the post."""
    line = "Riget -> Sedrik: paired claws\nHit: 36 AGI + 11 = 47 vs 33 REF + 24 = 57 -> miss\nR11 R24\n"
    assert found(tmp_path, line * 60, linked=True) == ([], [])
    faults, _ = found(tmp_path, line * 59 + line.replace("R24", "R25"), linked=True)
    assert faults == ["dice/values"]
