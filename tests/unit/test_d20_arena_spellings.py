"""Whole posts of d20_arena in other spellings than the notation's: right they raise nothing, wrong they are found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.report import ThreadReport
from rules.d20_arena import RULESET

ABILITIES: dict[str, dict[str, Any]] = {
    "Volt Lash": {"type": "damage", "range": "ranged", "to_hit": 4, "damage": "2d6+3"},
    "Arc Wave": {"type": "damage", "range": "ranged", "to_hit": 2, "damage": "1d6+1", "targets": 3},
    "Chain Cast": {"type": "bind", "range": "ranged", "to_hit": 4, "levels": 1, "part": "legs"},
    "Slam": {"type": "damage", "range": "melee", "damage": "1d6+1"},
}
LEGS = {level: {"name": "bound", "defense": -1} for level in range(1, 9)}


def judged(tmp_path: Path, *posts: tuple[str, str], binds: dict[str, int] | None = None) -> ThreadReport:
    """The report on posts `(account, text)`: Hana and Goro against three golems; `binds` are Hana's."""
    fighters = [("Hana", "hana", 30, 14), ("Goro", "goro", 40, 12)]
    golems = [("Golem 1", "gm", 40, 13), ("Golem 2", "gm", 30, 12), ("Golem 3", "gm", 30, 15)]
    characters = [
        {
            "name": name,
            "player": player,
            "side": "enemies" if player == "gm" else "players",
            "stats": {"HP": hp, "DEF": defense} | ({"ATK": 4} if player == "gm" else {}),
            "abilities": list(ABILITIES),
        }
        for name, player, hp, defense in fighters + golems
    ]
    if binds:
        characters[0]["binds"] = binds
    data = {
        "schema": "referee/transcript@1",
        "ruleset": "d20_arena",
        "characters": characters,
        "tables": {"abilities": ABILITIES, "bind_levels": {"legs": LEGS}},
        "posts": [
            {"id": f"p{n}", "author": author, "at": f"2026-03-{n:02}T10:00:00Z", "text": text}
            for n, (author, text) in enumerate(posts, 1)
        ],
        "rolls": {},
    }
    path = tmp_path / "battle.json"
    path.write_text(json.dumps(data), "utf-8")
    return judge_battle(load_transcript(path, {"d20_arena": None}), RULESET)


def found(report: ThreadReport) -> list[tuple[str, Any, Any]]:
    """The findings: code, what was claimed, what is right."""
    return [(finding.code, finding.claimed, finding.expected) for finding in report.findings]


# -- bind levels (ND4, ND19) ------------------------------------------------------------------------------

CAST = "[Announce: Chain Cast on Golem 1]\n"
HIT = "1d20 ([roll=1d20]12[/roll]) + 4 = 16 vs DEF 13"
LOOSE = [
    "Bind level 0 -> {} (legs)",
    "bind level {} (legs)",
    "Bind level (legs): {}",
    "Bind level: legs 0 -> {}",
    "Bind level now {} (legs).",
    "Legs: 0 -> {}",
    "Legs level {}",
    "Binding: level {} (legs)",
    "Golem 1's bind level: 0 -> {} (legs)",
    "- Bind level 0 \u2192 {} (legs)",
    "Bind level: 0 + 1 = {} (legs)",
]
TAGGED = [
    "bind level legs 0 -> {}",
    "bind level (legs) 0 -> {}",
    "bind level: legs {}",
    "bind level {} on the legs",
    "bind level now {} (legs)",
    "bind level +1 = {} (legs)",
    "bind level 0 + 1 = {} (legs)",
    "binding level 0 to {} (legs)",
    "bind level {}/8 (legs)",
    "legs 0 -> {}",
    "legs bound to level {}",
    "level 0 -> {} (legs)",
    "bind 0 -> {} (legs)",
]
BOTH = [f"{CAST}To hit: {HIT} - Hit!\n{line}" for line in LOOSE] + [
    f"{CAST}[Action: Chain Cast -> Golem 1: {HIT}, hit; {words}]" for words in TAGGED
]


@pytest.mark.parametrize("text", BOTH)
def test_a_level_is_read_wherever_its_area_stands(text: str, tmp_path: Path) -> None:
    right = judged(tmp_path, ("hana", text.format(1)))
    assert found(right) == []
    assert [claim.values["level"] for claim in right.posts[0].claims if "level" in claim.values] == [1]
    assert found(judged(tmp_path, ("hana", text.format(2)))) == [("d20_arena/bind-level", 2, [1])]


def test_a_loose_line_may_spill_over(tmp_path: Path) -> None:
    lines = "Bind level 7 -> 8 (legs), spill-over torso 0 -> {}"
    roll = "1d20 ([roll=1d20]20[/roll]) + 4 = 24"
    slam = f"[Action: Golem 1: Chain Cast -> Hana: {roll} vs DEF 13, Nat 20 - critical hit]\n"
    assert found(judged(tmp_path, ("gm", slam + lines.format(1)), binds={"legs": 7})) == []
    wrong = judged(tmp_path, ("gm", slam + lines.format(2)), binds={"legs": 7})
    assert found(wrong) == [("d20_arena/bind-level", 2, [1])]


@pytest.mark.parametrize(
    "line", ["Golem 2: legs level 1", "Level 3 is where the pumps are.", "Legs level 3 or so, it seemed, and 2 more."]
)
def test_other_lines_below_an_attack_state_no_level_of_it(line: str, tmp_path: Path) -> None:
    text = f"{CAST}To hit: {HIT} - Hit!\n{line}"
    attack = next(c for c in judged(tmp_path, ("hana", text)).posts[0].claims if c.kind == "attack")
    assert "level" not in attack.values


# -- several Defenses (ND8) -------------------------------------------------------------------------------


@pytest.mark.parametrize("defenses", ["13, 12 and 15", "13, 12, and 15", "13/12/15", "13, 12, 15", "13 and 12 and 15"])
def test_every_target_of_one_roll_has_its_defense_in_the_list(defenses: str, tmp_path: Path) -> None:
    wave = (
        "[Announce: Arc Wave on Golem 1, Golem 2, and Golem 3]\n[Action: Arc Wave -> Golem 1, Golem 2, and Golem 3: "
        "1d20 ([roll=1d20]16[/roll]) + 2 = 18 vs Defense {}, hit all; damage 1d6 [[roll=1d6]3[/roll]] + 1 = 4 each]"
    )
    one = ("d20_arena/roll-per-target", None, None)
    assert found(judged(tmp_path, ("hana", wave.format(defenses)))) == [one]
    wrong = judged(tmp_path, ("hana", wave.format(defenses.replace("15", "11"))))
    assert found(wrong) == [("d20_arena/defense", 11, [15]), one]
