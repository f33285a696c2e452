"""The report as JSON, schema `referee/report@1`: for programs; key order fixed, no clock."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from referee.model.claims import Claim
from referee.model.figure import plain_number
from referee.model.report import Finding, Outcome, PostReport, Report, State, ThreadReport
from referee.ports.reports import Rendering, Reporter
from reports.shared import shown_lines, shown_pool, storable

#: The schema that this module writes.
SCHEMA = "referee/report@1"


def report_data(report: Report, rendering: Rendering) -> dict[str, Any]:
    """The report as plain dictionaries and lists, in the contract's key order."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "referee", "version": rendering.version},
        "threads": [_thread(thread, report.staff) for thread in report.threads],
    }


def render(report: Report, rendering: Rendering) -> str:
    """The report as JSON text: byte-identical for the same input, one line break at the end."""
    return json.dumps(_plain(report_data(report, rendering)), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _thread(thread: ThreadReport, staff: bool) -> dict[str, Any]:
    if thread.error is not None:
        return {"file": thread.file, "error": thread.error}
    named: dict[str, Any] = {} if thread.file is None else {"file": thread.file}
    return named | {
        "url": thread.url,
        "title": thread.title,
        "ruleset": thread.ruleset,
        "outcome": _outcome(thread.outcome),
        "posts": [_post(post, staff) for post in thread.posts],
        "findings": [_finding(finding, staff) for finding in thread.findings],
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    winner = None if outcome.winner is None else list(outcome.winner)
    return {"status": outcome.status, "winner": winner, "reason": outcome.reason}


def _post(post: PostReport, staff: bool) -> dict[str, Any]:
    return {
        "id": post.id,
        "author": post.author,
        "character": post.character,
        "permalink": post.permalink,
        "claims": [_claim(claim) for claim in post.claims],
        "unread": list(post.unread),
        "state": _state(post.state, staff),
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {"kind": claim.kind, "quote": claim.quote, "values": dict(claim.values)}


def _state(state: State, staff: bool) -> dict[str, Any]:
    """Pools by character; secret ones as change since the start unless the report is for staff."""
    shown: dict[str, Any] = {}
    for character, pools in state.items():
        views = {name: shown_pool(pool, staff) for name, pool in pools.items()}
        shown[character] = {name: {"claimed": view.claimed, "computed": view.computed} for name, view in views.items()}
    return shown


def _finding(finding: Finding, staff: bool) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "post": finding.post,
        "character": finding.character,
        "claimed": finding.claimed,
        "expected": finding.expected,
        "rules": list(finding.rules),
        "message": finding.message,
        "trace": list(shown_lines(finding.trace, staff)),
        "evidence": [{"post": one.post, "quote": one.quote} for one in finding.evidence],
        "disposition": finding.disposition,
        "fingerprint": finding.fingerprint,
        "facts": finding.facts,
    }


def _plain(value: Any) -> Any:
    """A value as JSON can hold it: fractions as numbers, no NaN, no lone surrogate, sets in order."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Fraction):
        return plain_number(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {storable(str(key)): _plain(one) for key, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return [_plain(one) for one in sorted(value, key=str)]
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, (bool, int)) else storable(str(value))


REPORTER = Reporter("json", ".json", render)
