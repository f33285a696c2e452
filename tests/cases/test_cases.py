"""Cases and whole battles kept beside the tests: a transcript with an `expect:` block each.

A case names every error and warning that must be found, nothing else may be; with `notices: true`
notices are compared too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.model.report import Finding
from tests.support.samples import ROOT, judge_file

CASES = sorted([*ROOT.glob("tests/cases/*/*.yaml"), *ROOT.glob("tests/battles/*/*.yaml")])


def _fits(finding: Finding, wanted: dict[str, Any]) -> bool:
    same = (finding.code, finding.post) == (wanted["code"], wanted["post"])
    keys = [key for key in ("expected", "claimed", "character", "severity") if key in wanted]
    return same and all(getattr(finding, key) == wanted[key] for key in keys)


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_case(path: Path) -> None:
    case = yaml.safe_load(path.read_text("utf-8"))
    assert "expect" in case, "a case needs an `expect:` block"
    findings = list(judge_file(path).findings)
    for wanted in case["expect"] or []:
        met = next((f for f in findings if _fits(f, wanted)), None)
        assert met is not None, (
            f"not found: {wanted}; found: {[(f.code, f.post, f.claimed, f.expected) for f in findings]}"
        )
        findings.remove(met)
    left = [(f.code, f.post, f.message) for f in findings if f.severity != "notice" or case.get("notices")]
    assert left == []
