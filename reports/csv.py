"""The report as CSV (RFC 4180): one line per finding, for spreadsheets and scripts."""

from __future__ import annotations

import csv
import io
import re

from referee.model.report import Finding, PostReport, Report, ThreadReport
from referee.ports.reports import Rendering, Reporter
from reports.shared import posts_by_id, shown_lines, stated_and_due, visible

#: The columns, in order. New ones are added at the end.
COLUMNS = (
    "thread", "url", "file", "ruleset", "severity", "code", "post", "permalink", "author", "character",
    "claimed", "expected", "rules", "message", "quotes", "working", "disposition", "fingerprint",
)  # fmt: skip

#: A plain number is no formula, though it may begin with a sign.
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,15})?")

#: Spreadsheets take a cell for a formula if it begins with one of these; the wide forms count too.
_FORMULA = frozenset("=+-@|%\uff1d\uff0b\uff0d\uff20")

#: What a spreadsheet holds in one cell, less some room.
LONGEST_CELL = 30_000


def guarded(cell: str) -> str:
    """A cell that no spreadsheet runs: an apostrophe goes before what could begin a formula."""
    text = "\n".join(visible(line, LONGEST_CELL) for line in cell.split("\n")).strip()
    if _NUMBER.fullmatch(text) or text[:1] not in _FORMULA:
        return text
    return "'" + text


def render(report: Report, rendering: Rendering) -> str:
    """One line per finding below a line of column names; a file that could not be used has a line too."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for thread in report.threads:
        posts = posts_by_id(thread)
        if thread.error is not None:
            writer.writerow(_failed(thread))
        for finding in thread.findings:
            writer.writerow([guarded(cell) for cell in _row(finding, thread, posts, report.staff)])
    return out.getvalue()


def _row(finding: Finding, thread: ThreadReport, posts: dict[str, PostReport], staff: bool) -> list[str]:
    post = posts.get(finding.post)
    stated, due = stated_and_due(finding)
    return [
        thread.title or "", thread.url or "", thread.file or "", thread.ruleset or "",
        finding.severity, finding.code, finding.post, (post and post.permalink) or "", (post and post.author) or "",
        finding.character or "", stated, due, " ".join(finding.rules), finding.message,
        "\n".join(f"{one.post}: {visible(one.quote)}" for one in finding.evidence),
        "\n".join(visible(line) for line in shown_lines(finding.trace, staff)),
        finding.disposition, finding.fingerprint,
    ]  # fmt: skip


def _failed(thread: ThreadReport) -> list[str]:
    """The line of a file that could not be used: only file, severity `unusable` and the reason."""
    cells = dict.fromkeys(COLUMNS, "")
    cells |= {"file": guarded(thread.file or ""), "severity": "unusable", "message": guarded(thread.error or "")}
    return list(cells.values())


REPORTER = Reporter("csv", ".csv", render)
