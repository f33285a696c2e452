"""Hostile posts: nothing crashes, nothing takes long, nothing is guessed."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from referee.app import plugins
from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from tests.support.patience import allowed

TEXTS = {
    "brackets": "[" * 10_000 + "]" * 10_000,
    "tags": "[Damage: 5 x2 (punch)]\n" * 5_000,
    "rolls": "[20% to hit: rolled " + "7, " * 20_000 + "]",
    "sums": "[Damage: " + "5 + 3 = 8 per punch, " * 3_000 + "]",
    "megabyte": "a " * 500_000 + "[No roll]",
    "digits": "[Damage: " + "9" * 5_000 + " x" + "9" * 5_000 + "]\n(HP: -" + "9" * 400 + " | CHK: -0 | STM: -0)",
    "nul": "[Dam\0age: 5 x1 (punch)]\u202e(HP: -0 | CHK: -0 | STM: -5)",
    "quotes": "[quote=x]" * 10_000 + "(HP: -5 | CHK: -0 | STM: -0)",
    "stats": ("Taijutsu: " + "1" * 9 + "\n") * 5_000,
    "losses": "(HP: -1 | CHK: -1 | STM: -1)\n" * 3_000,
    "takes": "[takes " + "the " * 5_000 + "attack]",
    "hits": "[Damage: 5 x9999 (punch)]\n(HP: -0 | CHK: -0 | STM: -0)",
    "marks": "(Setup Phase)\n" * 20_000,
    "words": "[" + "Aa " * 400 + "]",
    "chance": "[" + "9" * 4 + "% to hit: rolled " + "1" * 6 + "]",
    "guards": "[Guards Kaito: rolled 3]\n" * 3_000,
    "opened": "[Viper Spit (333 = ([" * 5_000,
    "actions": "(HP: -1 -> Kaito, at /100 ; [" * 5_000,
    "prose": "[Kaito's attacks have a " + "very " * 200 + "] " * 20,
    "links": "[50% to hit: rolled 1, 2]\nhttp://dice.example/r/1\n" * 3_000,
    "pools": "HP: -1\nCHK: -1\n" * 10_000,
    "nested": (("([:11x " * 90)[:599] + "\n") * 80,
    "leads": ("some words in front of Taijutsu: 1 | Ninjutsu: 1 | Genjutsu: 1 | Defense: 1\n") * 2_000,
    "bars": "|" * 20_000 + "Taijutsu: 1 | Ninjutsu: 1 | Genjutsu: 1 | Defense: 1" + "|" * 20_000,
    "totals": "[Total damage: 5]\n[Took 5 damage]\n" * 3_000,
    "nothing": "Setup: " + "none " * 20_000 + "\n[Damage: none" + " " * 1_100 + "x]",
    "spaces": "[Damage:" + " " * 1_100 + "x]" * 300,
}
TABLES = {
    "techniques": {
        "Stone Fang": {"phase": "main", "kind": 7, "hits": "many", "damage": None, "cost": [1, 2]},
        "Odd": 5,
    },
    "skills": [1, 2],
    "weapons": {"kunai": {"size": 3, "damage": "x"}},
    "modifiers": {"weapon": "x", "ninjutsu": {"offense": 3}},
    "statuses": {"Fazed": {"turns": "x", "stats": 5}},
    "hit_chance": {"base": "x"},
    "attack_limits": {"basic": "x"},
    "timing": 5,
    "limits": [],
    "critical_cap": "x",
}


def transcript(text: str, tables: object = None) -> dict[str, object]:
    posts = [
        {"id": "p1", "author": "ren", "at": "2026-01-02T10:00:00Z", "text": text},
        {"id": "p2", "author": "kaito", "at": "2026-01-02T12:00:00Z", "text": text},
        {"id": "p3", "author": "ren", "at": "2026-01-02T14:00:00Z", "text": text + "\n(HP: -0 | CHK: -0 | STM: -0)"},
    ]
    names = [("Ren Aoki", "ren", "a"), ("Kaito Mori", "kaito", "b")]
    characters = [
        {"name": n, "player": p, "side": s, "secret": {"hp": 50, "chakra": 50, "stamina": 50}} for n, p, s in names
    ]
    made = {
        "schema": "referee/transcript@1",
        "ruleset": "shinobi",
        "title": "x",
        "characters": characters,
        "posts": posts,
        "rolls": {},
    }
    if tables is not None:
        made["tables"] = tables
    return made


def judge(path: Path, made: dict[str, object]) -> float:
    path.write_text(json.dumps(made), "utf-8")
    battle = load_transcript(path, dict.fromkeys(plugins.names("rulesets")))
    start = time.process_time()
    judge_battle(battle, plugins.ruleset("shinobi"))
    return time.process_time() - start


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_text(name: str, tmp_path: Path) -> None:
    assert judge(tmp_path / "t.json", transcript(TEXTS[name])) < allowed(8)


def test_tables_of_the_wrong_type(tmp_path: Path) -> None:
    text = "[Used Stone Fang]\n[Damage: 8 - kunai x2]\n[Activates Odd; upkeep 4 CHK]\n(HP: -0 | CHK: -0 | STM: -0)"
    judge(tmp_path / "t.json", transcript(text, TABLES))
    lines = list(plugins.ruleset("shinobi").check_tables(TABLES))
    assert any(line.startswith("techniques.Stone Fang.hits") for line in lines)
    assert any(line.startswith("weapons.kunai.size") for line in lines)
    assert any(line.startswith("hit_chance") for line in lines)
    assert list(plugins.ruleset("shinobi").check_tables({})) == []


def test_sheets_of_the_wrong_type() -> None:
    check = plugins.ruleset("shinobi").check_sheet
    assert list(check({"stats": {"Speed": 3}, "secret": {"hp": 5}, "regen": {"chakra": 1}, "skills": ["x"]})) == []
    wrong = list(check({"stats": 5, "secret": {"hp": "x", "mana": 3}, "skills": "x"}))
    assert [line.split(":")[0] for line in wrong] == ["stats", "secret.hp", "secret.mana", "skills"]
