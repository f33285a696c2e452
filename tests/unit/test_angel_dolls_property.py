"""Made-up battles of dolls: honest ones give no alarm, each planted fault gives exactly its finding.

`REFEREE_BATTLES` sets how many battles are made up (default: enough for a few seconds).
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.report import Finding
from rules.angel_dolls import RULESET
from tests.support.angel_dolls_sim_fight import fight
from tests.support.angel_dolls_sim_plant import Plan
from tests.support.angel_dolls_sim_plant_posts import PLANTERS
from tests.support.angel_dolls_sim_text import Writer

BATTLES = int(os.environ.get("REFEREE_BATTLES", "60"))
#: Seeds tried for one planter before it counts as one that finds no place.
MOST_TRIES = 400


def judged(transcript: dict[str, Any], folder: Path) -> list[Finding]:
    path = folder / "battle.json"
    path.write_text(json.dumps(transcript), "utf-8")
    return list(judge_battle(load_transcript(path, {"angel_dolls": None}), RULESET).findings)


def spoiled(name: str, seed: int) -> tuple[Plan, dict[str, Any]] | None:
    """A battle with one fault of that name, or None where this battle has no place for it."""
    battle = fight(seed)
    plan = PLANTERS[name](battle, random.Random(seed * 31 + len(name)))
    if plan is None:
        return None
    writer = Writer(battle, seed)
    if plan.code.startswith("dice/") and writer.link == "board":
        writer.link = "word"
    transcript = writer.transcript()
    return None if plan.after and not plan.after(transcript) else (plan, transcript)


def wrong(plan: Plan, findings: list[Finding]) -> list[str]:
    """What differs from the plan: the finding is missing, has other values, or is not alone."""
    problems = []
    same = [f for f in findings if (f.code, f.post) == (plan.code, plan.post)]
    if plan.code and not same:
        problems.append(f"missed {plan.code} at {plan.post}")
    if same and plan.core is not None:
        listed = same[0].expected if isinstance(same[0].expected, list) else []
        problems += [f"expected {value}, got {listed}" for value in plan.core if value not in listed]
    for finding in findings:
        planned = finding.post == plan.post and finding.code in (plan.code, *plan.also)
        if finding.severity != "notice" and not planned:
            problems.append(f"false alarm {finding.code} at {finding.post}: {finding.message}")
    return problems


def test_honest_battles_give_no_alarm(tmp_path: Path) -> None:
    alarms = []
    for seed in range(BATTLES):
        found = judged(Writer(fight(seed), seed).transcript(), tmp_path)
        alarms += [(seed, f.code, f.post, f.message) for f in found if f.severity != "notice"]
    assert alarms == []


@pytest.mark.parametrize("name", PLANTERS)
def test_a_planted_fault_gives_its_finding_and_no_other(name: str, tmp_path: Path) -> None:
    met = 0
    for seed in range(MOST_TRIES):
        made = spoiled(name, seed)
        if made is None:
            continue
        plan, transcript = made
        assert wrong(plan, judged(transcript, tmp_path)) == [], f"seed {seed}"
        met += 1
        if met >= max(3, BATTLES // 10):
            return
    assert met > 0, "no battle has a place for this fault"


def test_the_same_battle_gives_the_same_findings(tmp_path: Path) -> None:
    made = next(m for seed in range(50) if (m := spoiled("total", seed)))
    assert judged(made[1], tmp_path) == judged(made[1], tmp_path)
