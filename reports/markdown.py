"""The report as Markdown, to paste into a forum that reads it. Text from posts can't become markup."""

from __future__ import annotations

import re

from referee.model.report import Report
from referee.ports.reports import Rendering, Reporter
from reports.paste import Markup, draft
from reports.shared import storable, visible

#: Characters that mean something inside a line of Markdown, in one dialect or another.
_MARKS = re.compile(r"[\\`*_{}\[\]<>()!|~&^$]")
_ADDRESS = re.compile(r"://|www\.", re.IGNORECASE)
_RUN = re.compile(r"`+")


def escape(text: str) -> str:
    """Plain text as Markdown: marks get a backslash, addresses and mentions no longer become links."""
    safe = _MARKS.sub(lambda found: "\\" + found[0], storable(text))
    safe = _ADDRESS.sub(lambda found: "\\" + found[0] if found[0] == "://" else found[0][:3] + "\\.", safe)
    return safe.replace("@", "@\u2060")


def fenced(lines: list[str]) -> str:
    """A code block whose fence is longer than any row of backticks inside."""
    longest = max((len(run) for line in lines for run in _RUN.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence + "text", *(storable(line) for line in lines), fence])


MARKUP = Markup(
    escape=escape,
    heading=lambda text: "## " + escape(visible(text)),
    bold=lambda text: "**" + escape(text) + "**",
    link=lambda url, text: f"[{escape(text)}](<{url}>)",
    code=fenced,
    item=lambda text: "- " + escape(text),
)


def render(report: Report, rendering: Rendering) -> str:
    """The draft in Markdown."""
    return draft(report, rendering, MARKUP)


REPORTER = Reporter("md", ".md", render)
