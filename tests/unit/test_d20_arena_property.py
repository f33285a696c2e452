"""Simulated battles: honest ones give no error or warning, planted faults are found where they stand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.report import Finding
from rules.d20_arena import RULESET
from tests.support.d20_arena_sim import Sim
from tests.support.d20_arena_sim_plants import PLANTERS, planted
from tests.support.d20_arena_sim_render import render

#: How many battles each test plays; REFEREE_BATTLES scales the whole file.
BATTLES = int(os.environ.get("REFEREE_BATTLES", "200"))


def judged(data: dict[str, Any], folder: Path) -> tuple[Finding, ...]:
    """The findings of a transcript that goes through a file, as users' transcripts do."""
    path = folder / "battle.json"
    path.write_text(json.dumps(data), "utf-8")
    return judge_battle(load_transcript(path, {"d20_arena": RULESET}), RULESET).findings


def alarms(findings: tuple[Finding, ...]) -> list[Finding]:
    return [finding for finding in findings if finding.severity != "notice"]


def test_honest_battles_raise_nothing(tmp_path: Path) -> None:
    wrong = {}
    for seed in range(BATTLES):
        found = alarms(judged(render(Sim(seed).play()), tmp_path))
        if found:
            wrong[seed] = [(f.code, f.post, f.message) for f in found]
    assert wrong == {}


@pytest.mark.parametrize("name", PLANTERS)
def test_planted_faults_are_found(name: str, tmp_path: Path) -> None:
    wanted, seed, met = max(3, BATTLES // 20), 0, 0
    while met < wanted and seed < wanted * 100:
        seed += 1
        plant = planted(name, seed)
        if plant is None:
            continue
        met += 1
        findings = judged(plant.data, tmp_path)
        hits = [f for f in findings if (f.code, f.post) == (plant.code, plant.post)]
        others = [(f.code, f.post, f.message) for f in alarms(findings) if (f.code, f.post) != (plant.code, plant.post)]
        assert hits, f"seed {seed}: {plant.code} at {plant.post} not found"
        assert others == [], f"seed {seed}: further alarms"
        if plant.expected is not None:
            assert plant.expected in [f.expected for f in hits], f"seed {seed}"
    assert met, "this planter finds no opportunity"


def test_honest_battles_without_sheets_or_tables_raise_nothing(tmp_path: Path) -> None:
    """What is missing is a notice that names it, never an alarm (X2)."""
    silent, sheetless = 0, 0
    for seed in range(max(10, BATTLES // 5)):
        data = render(Sim(seed).play())
        if seed % 3 == 0:
            for character in data["characters"][:: 1 + seed % 2]:
                character.pop("stats")
        elif seed % 3 == 1:
            for name in list(data["tables"]["abilities"])[seed % 4 :: 3]:
                data["tables"]["abilities"].pop(name)
        else:
            data["tables"].pop(("abilities", "bind_levels")[seed % 2])
        findings = judged(data, tmp_path)
        assert alarms(findings) == [], f"seed {seed}"
        if seed % 3 == 0:
            sheetless += 1
            silent += not any(f.code == "post/unchecked" for f in findings)
    # A battle may state all that it needs in its posts, but hardly ever does.
    assert silent * 10 <= sheetless
