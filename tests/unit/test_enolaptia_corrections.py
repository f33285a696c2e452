"""Corrections and late edits in Enolaptia, line by line (G20, G25, X24)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.enolaptia_sim_short import KILL, MIRA, ORDER, RAT, TABLES, TOBIN, codes, judge_in


@pytest.fixture
def judge(tmp_path: Path) -> Any:
    return judge_in(tmp_path)


TWO = {"characters": [MIRA, TOBIN]}
START = RAT + "\nAllocation: Mira 1-3, Tobin 4-6"
BOTH = "Order: Mira (12), Marsh Rat (9), Tobin (7)"

IN_TIME = [
    (
        ORDER + "\nMira attacks Rat: rolled {4}, 14/2 = 9",
        "Correction: Mira attacks Rat: rolled 4, 14/2 = 7",
        "Rat: 11/18",
    ),
    (ORDER + "\nMira attacks Rat: rolled {6}, 14", "Edit: Mira attacks Rat: rolled {6}, {2}, 14", "Rat: 4/18"),
    (ORDER + "\nMira: Run: 1d6 = {2}, escaped", "Edit: Mira: Run: 1d6 = 2, failed", "HP: Mira 40/40"),
    ("Order: Marsh Rat (9), Mira (12)", "Correction: " + ORDER, "Mira attacks Rat: rolled {1}, miss"),
    (ORDER + "\nMira attacks Rat: rolled {5}, 14", "Correction: Rat: 4/18", "Rat: 4/18"),
    (
        KILL + "\nDrops: Rat: 1d6 = {2} -> 1d6 = {3} (Rat Tail)",
        "Edit: Drops: Rat: 1d6 = 2 -> nothing",
        "EXP: 1 x 4 = 4",
    ),
    (KILL + "\nEXP: 1 x 4 = 5", "edit: EXP: 1 x 4 = 4", "Drops: Rat: 1d6 = {2} -> nothing"),
    (
        ORDER + "\nMira attacks Rat: rolled {5}, 14\nHP: Mira 44/40",
        "Correction, sorry:\n\nHP: Mira 40/40",
        "HP: Mira 40/40",
    ),
]


@pytest.mark.parametrize(("slip", "correction", "after"), IN_TIME)
def test_a_slip_put_right_in_time_is_none(judge: Any, slip: str, correction: str, after: str) -> None:
    assert codes(judge(RAT, slip, correction, after)) == []


def test_an_encounter_put_right_in_time(judge: Any) -> None:
    tables = TABLES | {"maps": {"Fen": {"enemies": {"1": "Marsh Rat", "2": "Fen Hag"}}}}
    right = "Correction: Encounter: 1d6 = 2 (Fen Hag)"
    assert codes(judge("Encounter: 1d6 = {2} (Marsh Rat)", right, "Fen Hag: 20/20", tables=tables)) == []


LATE = [
    ("Mira attacks Rat: rolled {4}, 14/2 = 9", "Edit: Mira attacks Rat: rolled 4, 14/2 = 7", "Rat: 11/18", "damage"),
    ("Mira: Run: 1d6 = {2}, escaped", "Edit: Mira: Run: 1d6 = 2, failed", "HP: Mira 40/40, Tobin 35/35", "run"),
    (
        "Mira: Potion: Small Potion on Tobin, +15 HP",
        "Edit: Mira: Potion: Small Potion on Tobin, +10 HP",
        "HP: Mira 40/40, Tobin 35/35",
        "potion",
    ),
    ("HP: Mira 39/40", "Correction: HP: Mira 40/40", "HP: Mira 40/40", "hp"),
]


@pytest.mark.parametrize(("slip", "correction", "after", "code"), LATE)
def test_a_slip_put_right_too_late_keeps_its_finding(
    judge: Any, slip: str, correction: str, after: str, code: str
) -> None:
    report = judge(START, f"{BOTH}\n{slip}", ("tobin", "HP: Tobin 35/35"), correction, ("tobin", after), **TWO)
    assert codes(report) == [(f"enolaptia/{code}", "p2")]


def test_after_a_late_correction_both_ledgers_hold_its_number(judge: Any) -> None:
    hit = BOTH + "\nMira attacks Rat: rolled {1}, miss\nRat attacks: d6 {1}, allocation 1-3 = Mira; damage 1d6 = {5}: 5"
    fix = "Edit: HP: Mira 35/40"
    report = judge(START, hit + "\nHP: Mira 38/40", ("tobin", "HP: Tobin 35/35"), fix, **TWO)
    assert [(f.code, f.post, f.expected) for f in report.findings] == [("enolaptia/hp", "p2", [35])]
    hp = report.posts[3].state["Mira"]["hp"]
    assert (hp.claimed, hp.computed.listed()) == (35, [35])


def test_a_turn_below_an_edit_remark_is_a_turn(judge: Any) -> None:
    turn = "Edit: a typo.\n\n" + ORDER + "\nMira attacks Rat: rolled {5}, 14\nRat: 4/18"
    report = judge(RAT, ORDER + "\nMira attacks Rat: rolled {1}, miss", turn)
    assert codes(report) == []
    assert report.posts[2].state["Marsh Rat"]["hp"].claimed == 4


def _edited(judge: Any, old: str, new: str, after: str = "HP: Tobin 35/35") -> list[tuple[str, str]]:
    posts = [
        {
            "id": "p1",
            "author": "mira",
            "at": "2026-03-01T10:00:00Z",
            "text": "Encounter: 1d6 = [roll=1d6]1[/roll] (Marsh Rat x2)\nAllocation: Mira 1-3, Tobin 4-6",
        },
        {
            "id": "p2",
            "author": "mira",
            "at": "2026-03-01T11:00:00Z",
            "edited": "2026-03-01T15:00:00Z",
            "text": new,
            "revisions": [{"seen": "2026-03-01T11:05:00Z", "text": old}],
        },
        {"id": "p3", "author": "tobin", "at": "2026-03-01T12:00:00Z", "text": after},
    ]
    record = {"at": "2026-03-01T10:30:00Z", "by": "mira", "expression": "1d6", "values": [4]}
    report = judge(posts=posts, rolls={"http://dice.example/r/1": record}, **TWO)
    return [(f.code, f.post, f.claimed, f.expected) for f in report.findings]


LINK = "[url=http://dice.example/r/1]{}[/url]"


def test_late_edits_have_one_finding_whatever_was_changed(judge: Any) -> None:
    hit = "{order}\nMira attacks Rat {n}: rolled {die}, 14/2 = {amount}"
    old = hit.format(order=BOTH, n=1, die=LINK.format(4), amount=7)
    for new, values in (
        (hit.format(order=BOTH, n=1, die=LINK.format(4), amount=9), (9, [7])),
        (hit.format(order=BOTH, n=2, die=LINK.format(4), amount=7), ("Marsh Rat 2", ["Marsh Rat 1"])),
        (hit.format(order=BOTH, n=1, die=LINK.format(3), amount=7), (3, [4])),
    ):
        assert _edited(judge, old, new) == [("post/edited-claims", "p2", *values)]
        assert _edited(judge, old, new, "Rat 1: 11/18") == [("post/edited-claims", "p2", *values)]
        assert len(_edited(judge, old, new, "Rat 1: 3/18")) == 2


def test_edits_of_prose_are_none(judge: Any) -> None:
    text = BOTH + "\nMira attacks Rat 1: rolled " + LINK.format(4) + ", 14/2 = 7"
    assert _edited(judge, "Snow fell on 7 roofs.\n\n" + text, "Rain fell on 9 roofs.\n\n" + text) == []


def test_words_of_a_correction_are_quoted_from_its_post(judge: Any) -> None:
    report = judge(RAT, ORDER + "\nMira attacks Rat: rolled {5}, 14\nHP: Mira 44/40", "Correction: HP: Mira 41/40")
    found = next(finding for finding in report.findings if finding.code == "enolaptia/hp")
    assert [one.post for one in found.evidence if "41/40" in one.quote] == ["p3"]
    assert found.post == "p2"
