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
    """The report as dictionaries and lists, in the contract's key order."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "referee", "version": rendering.version},
        "threads": [_thread(thread, report.staff) for thread in report.threads],
    }


def render(report: Report, rendering: Rendering) -> str:
    """The report as JSON text: byte-identical for the same input, one line for each post and finding."""
    return storable(_laid_out(report_data(report, rendering), 0)) + "\n"


#: Keys whose value is a list with a line for each entry.
_LISTED = frozenset(("threads", "posts", "findings"))


def _laid_out(data: dict[str, Any], depth: int) -> str:
    """An object of the report, one line for each key; what is inside a post or finding stands on its line."""
    blanks = " " * (depth + 1)
    rows = []
    for key, value in data.items():
        if key in _LISTED and value:
            inner = [_laid_out(one, depth + 2) if key == "threads" else _text(one) for one in value]
            shown = "[\n" + ",\n".join(f"{blanks} {one}" for one in inner) + f"\n{blanks}]"
        else:
            shown = _text(value)
        rows.append(f"{blanks}{_text(key)}: {shown}")
    return "{\n" + ",\n".join(rows) + "\n" + " " * depth + "}"


def _text(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, default=_plain)


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
    """What JSON has no form for: fractions as numbers, sets in order, anything else in words."""
    if isinstance(value, Fraction):
        return plain_number(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)
    return str(value)


def _finite(value: Any) -> Any:
    """A value without the floats that JSON has no form for."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(one) for one in value]
    return value


REPORTER = Reporter("json", ".json", render)
