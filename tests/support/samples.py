"""Running sample battles: transcript in, findings out, compared with an expected file."""

from __future__ import annotations

import json
import os
from pathlib import Path

from referee.app import plugins
from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.report import Finding, ThreadReport

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("REFEREE_SHARED", ROOT.parent / "shared"))


def judge_file(path: Path) -> ThreadReport:
    """The thread report of a transcript, secret totals included."""
    battle = load_transcript(path, dict.fromkeys(plugins.names("rulesets")))
    return judge_battle(battle, plugins.ruleset(battle.ruleset))


def problems(findings: tuple[Finding, ...], expected_file: Path) -> list[str]:
    """What differs from the expected findings: missed, wrong values, false alarms."""
    expected = json.loads(expected_file.read_text("utf-8"))["findings"]
    wrong: list[str] = []
    allowed: set[tuple[str, str]] = set()
    for planted in expected:
        allowed.add((planted["code"], planted["post"]))
        allowed |= {(code, planted["post"]) for code in planted["also"]}
        same = [f for f in findings if (f.code, f.post) == (planted["code"], planted["post"])]
        if not same:
            wrong.append(f"missed {planted['code']} at {planted['post']} ({planted['claimed']})")
        elif planted["expected"] is not None and not any(_fits(f.expected, planted["expected"]) for f in same):
            got = [f.expected for f in same]
            wrong.append(f"{planted['code']} at {planted['post']}: {planted['expected']}, got {got}")
    for finding in findings:
        if finding.severity != "notice" and (finding.code, finding.post) not in allowed:
            numbers = f"{finding.claimed} / {finding.expected}"
            wrong.append(f"false alarm {finding.code} at {finding.post}: {numbers}: {finding.message}")
    return wrong


def _fits(got: object, wanted: dict[str, list[object]]) -> bool:
    listed = got if isinstance(got, list) else [got]
    return all(value in listed for value in wanted["core"]) and all(value in wanted["all"] for value in listed)
