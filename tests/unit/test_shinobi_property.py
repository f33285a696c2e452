"""Random battles: honest ones raise nothing, planted faults are found at their post with their value."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from referee.app import plugins
from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.report import Finding
from tests.support.shinobi_sim import play
from tests.support.shinobi_sim_faults import PLANS, PLANTERS
from tests.support.shinobi_sim_text import save

BATTLES = int(os.environ.get("REFEREE_BATTLES", "60"))
FIRST = int(os.environ.get("REFEREE_SEED", "0"))


def judged(path: Path) -> list[Finding]:
    battle = load_transcript(path, dict.fromkeys(plugins.names("rulesets")))
    return [f for f in judge_battle(battle, plugins.ruleset("shinobi")).findings]


def alarms(findings: list[Finding]) -> list[tuple[Any, ...]]:
    return [(f.code, f.post, f.claimed, f.expected, f.message) for f in findings if f.severity != "notice"]


def test_honest_battles_raise_no_alarm(tmp_path: Path) -> None:
    wrong = {}
    for seed in range(FIRST, FIRST + BATTLES):
        found = judged(save(play(seed), tmp_path / "fight.json"))
        if alarms(found):
            wrong[seed] = alarms(found)
        unread = [f.message for f in found if f.code in ("post/unread-tag", "shinobi/secret-shown")]
        if unread:
            wrong[seed] = unread  # type: ignore[assignment]
    assert wrong == {}


@pytest.mark.parametrize("name", [*PLANTERS, *PLANS])
def test_planted_fault_is_found(name: str, tmp_path: Path) -> None:
    wrong: dict[int, Any] = {}
    planted = 0
    for seed in range(FIRST, FIRST + max(8, BATTLES // 4)):
        fight = play(seed, plan=name) if name in PLANS else play(seed)
        fight.inline = False
        if name in PLANS:
            want = fight.planned and {
                **fight.planned,
                "core": fight.planned["expected"],
                "all": fight.planned["expected"],
                "also": [],
            }
        else:
            want = PLANTERS[name](fight, random.Random(seed))
        if not want:
            continue
        planted += 1
        problem = _problem(judged(save(fight, tmp_path / "fight.json")), want)
        if problem:
            wrong[seed] = problem
    assert wrong == {}
    if BATTLES >= 2000:
        assert planted > 0


def _problem(findings: list[Finding], want: dict[str, Any]) -> str | None:
    same = [f for f in findings if (f.code, f.post) == (want["code"], want["post"])]
    if not same:
        return f"missed {want}"
    if want["all"] is not None and not any(_fits(f.expected, want) for f in same):
        return f"expected {want['core']} within {want['all']}, got {[f.expected for f in same]}"
    allowed = {(want["code"], want["post"]), *((code, want["post"]) for code in want["also"])}
    more = [f for f in findings if f.severity != "notice" and (f.code, f.post) not in allowed]
    return f"besides: {alarms(more)}" if more else None


def _fits(got: object, want: dict[str, Any]) -> bool:
    listed = got if isinstance(got, list) else [got]
    return all(v in listed for v in want["core"] or []) and all(v in want["all"] for v in listed)
