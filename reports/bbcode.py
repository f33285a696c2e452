"""The report as BBCode, to paste into a forum. Text from posts can't become markup.

Boards differ in what they read, so every bracket from outside is broken by a word joiner, an
invisible character that parts no words; the quoted words themselves stand in [code] blocks, in
which only the block's own marks have to be broken.
"""

from __future__ import annotations

import re

from referee.model.report import Report
from referee.ports.reports import Rendering, Reporter
from reports.paste import Markup, draft
from reports.shared import storable

#: Goes behind a character that could begin markup, an entity, a mention or an address.
JOINER = "\u2060"

_STARTS = re.compile(r"[\[<&@]|:(?=//)|www(?=\.)", re.IGNORECASE)
_CODE = re.compile(r"\[(?=\s{0,9}/?\s{0,9}(?:code|php|html|noparse|nobbc|plain|pre)\b)", re.IGNORECASE)


def escape(text: str) -> str:
    """Plain text as BBCode: brackets, tags, entities, mentions and addresses are broken."""
    return _STARTS.sub(lambda found: found[0] + JOINER, storable(text))


def code_block(lines: list[str]) -> str:
    """A [code] block; marks inside that could end it, or begin another, are broken."""
    return "[code]" + "\n".join(_CODE.sub("[" + JOINER, storable(line)) for line in lines) + "[/code]"


MARKUP = Markup(
    escape=escape,
    heading=lambda text: "[b]" + escape(text) + "[/b]",
    bold=lambda text: "[b]" + escape(text) + "[/b]",
    link=lambda url, text: f"[url={url}]{escape(text)}[/url]",
    code=code_block,
    item=lambda text: "- " + escape(text),
)


def render(report: Report, rendering: Rendering) -> str:
    """The draft in BBCode."""
    return draft(report, rendering, MARKUP)


REPORTER = Reporter("bbcode", ".bbcode.txt", render)
