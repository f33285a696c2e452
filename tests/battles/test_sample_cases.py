"""The handed sample battles: every planted fault at its post with its value, no false alarm."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.samples import SHARED, judge_file, problems

CASES = sorted(SHARED.glob("cases/*/*.yaml"))


@pytest.mark.skipif(not CASES and "CI" not in os.environ, reason=f"no sample battles at {SHARED}/cases")
def test_samples_are_there() -> None:
    assert len(CASES) >= 60


@pytest.mark.shared
@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_sample(path: Path) -> None:
    report = judge_file(path)
    assert problems(report.findings, path.with_suffix(".expected.json")) == []
