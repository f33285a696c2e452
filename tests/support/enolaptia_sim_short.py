"""Short battles written by hand in a few lines, judged."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.report import ThreadReport
from rules.enolaptia import RULESET

MAP = {"enemies": {str(n): "Marsh Rat" for n in range(1, 6)} | {"6": "Fen Hag"}, "bosses": ["Fen Hag"]}
TABLES = {
    "maps": {"Fen": MAP | {"drops": {str(n): "Rat Tail" for n in range(1, 7)}}},
    "creatures": {
        "Marsh Rat": {"hp": 18, "at": 5, "speed": 9, "exp": 4},
        "Fen Hag": {"hp": 20, "at": 12, "speed": 8, "exp": 40},
    },
    "potions": {"Small Potion": {"heal": 10}},
}
MIRA = {"name": "Mira", "player": "mira", "side": "party", "stats": {"HP": 40, "AT": 14, "Speed": 12}}
TOBIN = {"name": "Tobin", "player": "tobin", "side": "party", "stats": {"HP": 35, "AT": 11, "Speed": 7}}
ORDER = "Order: Mira (12), Marsh Rat (9)"
RAT = "Encounter: 1d6 = {1} (Marsh Rat)"
KILL = ORDER + "\nMira attacks Rat: rolled {6}, {6}, 14 x 2 = 28\nRat: 0/18 (dead)"


def judge_in(folder: Path) -> Callable[..., ThreadReport]:
    """A judge of battles given as posts (texts, or author and text) and transcript keys.

    `{4}` stands for a die that the board rolled; posts follow one another by the hour.
    """

    def run(*posts: Any, **keys: Any) -> ThreadReport:
        started = datetime(2026, 3, 1, 10, tzinfo=UTC)
        made = []
        for number, post in enumerate(posts):
            author, text = post if isinstance(post, tuple) else ("mira", post)
            at = (started + timedelta(hours=number)).isoformat()
            made.append({"id": f"p{number + 1}", "author": author, "at": at, "text": _rolls(text)})
        battle = {
            "schema": "referee/transcript@1",
            "ruleset": "enolaptia",
            "battle": {"map": "Fen"},
            "characters": [MIRA],
            "tables": TABLES,
            "posts": made,
            "rolls": {},
        } | keys
        path = folder / "battle.json"
        path.write_text(json.dumps(battle), "utf-8")
        return judge_battle(load_transcript(path, {"enolaptia": RULESET}), RULESET)

    return run


def _rolls(text: str) -> str:
    return "".join(f"[roll=1d6]{part[0]}[/roll]{part[2:]}" if i else part for i, part in enumerate(text.split("{")))


def codes(report: ThreadReport) -> list[tuple[str, str]]:
    return [(finding.code, finding.post) for finding in report.findings]
