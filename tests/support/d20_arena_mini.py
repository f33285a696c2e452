"""A small battle of d20_arena for tests: Hana and Goro against three golems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.report import ThreadReport
from rules.d20_arena import RULESET

ABILITIES: dict[str, dict[str, Any]] = {
    "Volt Lash": {"type": "damage", "range": "ranged", "to_hit": 4, "damage": "2d6+3"},
    "Arc Wave": {"type": "damage", "range": "ranged", "to_hit": 2, "damage": "1d6+1", "targets": 3},
    "Chain Cast": {"type": "bind", "range": "ranged", "to_hit": 4, "levels": 1, "part": "legs"},
    "Vine": {"type": "bind", "range": "ranged", "levels": 1, "part": "legs", "save": 11},
    "Duck": {"type": "reaction", "defense": 3},
    "Slam": {"type": "damage", "range": "melee", "damage": "1d6+1"},
}
LEGS = {level: {"name": "bound", "defense": -1} for level in range(1, 9)}


def judged(
    tmp_path: Path,
    *posts: tuple[str, str],
    binds: dict[str, int] | None = None,
    rolls: dict[str, Any] | None = None,
    more: dict[int, dict[str, Any]] | None = None,
    players: dict[str, str] | None = None,
    **tables: Any,
) -> ThreadReport:
    """The report on posts `(account, text)`: Hana and Goro against three golems; `binds` are Hana's.

    `more`: further keys of single posts, by their place; `players`: other accounts of fighters; `tables`: in the
    place of those tables.
    """
    fighters = [("Hana", "hana", 30, 14), ("Goro", "goro", 40, 12)]
    golems = [("Golem 1", "gm", 40, 13), ("Golem 2", "gm", 30, 12), ("Golem 3", "gm", 30, 15)]
    characters = [
        {
            "name": name,
            "player": (players or {}).get(name, player),
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
        "tables": {"abilities": ABILITIES, "bind_levels": {"legs": LEGS}} | tables,
        "posts": [
            {"id": f"p{n}", "author": author, "at": f"2026-03-{n:02}T10:00:00Z", "text": text}
            | (more or {}).get(n - 1, {})
            for n, (author, text) in enumerate(posts, 1)
        ],
        "rolls": rolls or {},
    }
    path = tmp_path / "battle.json"
    path.write_text(json.dumps(data), "utf-8")
    return judge_battle(load_transcript(path, {"d20_arena": None}), RULESET)


def found(report: ThreadReport) -> list[tuple[str, Any, Any]]:
    """The findings: code, what was claimed, what is right."""
    return [(finding.code, finding.claimed, finding.expected) for finding in report.findings]
