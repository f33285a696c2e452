"""The report as an Atom feed (RFC 4287): one entry per finding, newest first, for feed readers and bots.

Entries keep their id when a finding changes, and their `updated` moves on. Everything is plain text:
nothing of a post becomes markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from referee.model.report import Finding, PostReport, Report, ThreadReport
from referee.ports.reports import News, Rendering, Reporter
from reports.shared import (
    compared,
    posts_by_id,
    quotes,
    rule_lines,
    safe_link,
    sentence,
    severity_rank,
    shown_lines,
    summary_line,
    title_of,
    visible,
    where,
)

ATOM = "http://www.w3.org/2005/Atom"
#: What no XML document may hold and `visible` leaves.
_NO_XML = dict.fromkeys((0xFFFE, 0xFFFF), "\ufffd")
#: When a finding was first made and last became news, where the store knows neither.
UNKNOWN = News(datetime(1970, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC))


def render(report: Report, rendering: Rendering) -> str:
    """The findings of all threads, newest first; equal ones worst first, then in the order of the report.

    A file that could not be used has no entry: feeds are made of stored threads.
    """
    entries = sorted(_entries(report, rendering), key=lambda entry: (entry[0].changed, -entry[1]), reverse=True)
    feed = Element("feed", {"xmlns": ATOM})
    _text(feed, "id", _urn("referee", "findings", "staff" if report.staff else "public"))
    _text(feed, "title", "referee: findings")
    _text(feed, "subtitle", summary_line(report))
    _text(feed, "updated", _when(max((news.changed for news, _, _ in entries), default=UNKNOWN.changed)))
    _text(SubElement(feed, "author"), "name", "referee")
    generator = SubElement(feed, "generator", {"version": visible(rendering.version, 40)})
    generator.text = "referee"
    feed.extend(entry for _, _, entry in entries)
    indent(feed)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(feed, encoding="unicode") + "\n"


def _entries(report: Report, rendering: Rendering) -> Iterator[tuple[News, int, Element]]:
    """Each finding's news, its rank (0: worst) and its entry."""
    for thread in report.threads:
        posts = posts_by_id(thread)
        for finding in thread.findings:
            news = rendering.news.get((thread.url or "", finding.fingerprint), UNKNOWN)
            yield news, severity_rank(finding.severity), _entry(finding, thread, posts, news, rendering, report.staff)


def _entry(
    finding: Finding,
    thread: ThreadReport,
    posts: dict[str, PostReport],
    news: News,
    rendering: Rendering,
    staff: bool,
) -> Element:
    """One finding: what it says, its sum and its quotes as plain text, a link to the post."""
    entry = Element("entry")
    _text(entry, "id", _urn(thread.url or thread.file or "", finding.fingerprint))
    aside = f" ({finding.disposition} by staff)" if finding.set_aside else ""
    _text(entry, "title", f"{finding.severity} {finding.code}, {where(finding, posts)}: {title_of(thread)}{aside}")
    _text(entry, "published", _when(news.first))
    _text(entry, "updated", _when(news.changed))
    post = posts.get(finding.post)
    link = safe_link((post and post.permalink) or thread.url)
    if link is not None:
        SubElement(entry, "link", {"rel": "alternate", "href": link})
    for term in (finding.severity, finding.code):
        SubElement(entry, "category", {"term": visible(term, 80)})
    _text(entry, "content", "\n".join(_lines(finding, thread, rendering, staff)), lines=True)
    return entry


def _lines(finding: Finding, thread: ThreadReport, rendering: Rendering, staff: bool) -> Iterator[str]:
    """The finding as a person reads it, line by line."""
    yield sentence(finding.message)
    values = compared(finding)
    if values:
        yield " ".join(f"{value}." for value in values)
    for one in quotes(finding):
        yield f"Words of {visible(one.post, 60)}: {visible(one.quote)}"
    for rule, line in rule_lines(finding, thread.ruleset, rendering):
        yield f"Rule {rule}: {line}" if line else f"Rule {rule}"
    for working in shown_lines(finding.trace, staff):
        yield visible(working)


def _text(parent: Element, tag: str, text: str, *, lines: bool = False) -> None:
    """A child element with plain text; hidden characters are written out, so any text is well-formed XML."""
    child = SubElement(parent, tag, {"type": "text"} if lines else {})
    shown = "\n".join(visible(line, 4000) for line in text.split("\n")) if lines else visible(text, 1000)
    child.text = shown.translate(_NO_XML)


def _urn(*parts: str) -> str:
    """A name that stays the same for the same parts."""
    return uuid5(NAMESPACE_URL, "\n".join(("referee", *parts)).encode("utf-8", "replace").decode("utf-8")).urn


def _when(moment: datetime) -> str:
    """A time as RFC 3339 has it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


REPORTER = Reporter("atom", ".atom", render)
