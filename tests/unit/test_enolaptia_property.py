"""Random battles: no finding in honest ones, exactly the planted one in the others.

`REFEREE_BATTLES` sets how many battles of each kind (default 30).
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.report import Finding
from rules.enolaptia import RULESET
from tests.support.enolaptia_sim_faults import HONEST, PLANTERS, PLAYED, battle

NUMBER = int(os.environ.get("REFEREE_BATTLES", "30"))


def findings(transcript: dict, folder: Path) -> list[Finding]:
    path = folder / "battle.json"
    path.write_text(json.dumps(transcript), "utf-8")
    return list(judge_battle(load_transcript(path, {"enolaptia": RULESET}), RULESET).findings)


def seeds(fault: str | None) -> list[tuple[int, dict, tuple | None]]:
    """As many battles as are wanted in which the fault has a place."""
    found: list[tuple[int, dict, tuple | None]] = []
    for seed in range(NUMBER * 40):
        made = battle(seed, fault)
        if made is not None:
            found.append((seed, *made))
        if len(found) == NUMBER:
            break
    return found


@pytest.mark.parametrize("kind", [None, *HONEST], ids=["plain", *HONEST])
def test_honest_battles_have_no_finding(kind: str | None, tmp_path: Path) -> None:
    wanted = seeds(kind)
    assert len(wanted) == NUMBER
    for seed, transcript, _ in wanted:
        wrong = [(f.code, f.post, f.claimed, f.expected, f.message) for f in findings(transcript, tmp_path)]
        assert wrong == [], f"seed {seed}"


@pytest.mark.parametrize("fault", [*PLAYED, *PLANTERS])
def test_a_planted_fault_is_found_alone(fault: str, tmp_path: Path) -> None:
    wanted = seeds(fault)
    assert len(wanted) == NUMBER
    for seed, transcript, planted in wanted:
        assert planted is not None
        code, post, expected = planted
        found = findings(transcript, tmp_path)
        assert [(f.code, f.post) for f in found] == [(code, post)], f"seed {seed}"
        if expected is not None:
            assert found[0].expected == expected, f"seed {seed}"
