"""The report for a terminal: short blocks, narrow lines, no colour codes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from referee.model.report import Finding, PostReport, Report, ThreadReport
from referee.ports.reports import Rendering, Reporter
from reports.shared import (
    compared,
    decided,
    distance,
    in_post_order,
    last_pools,
    pool_title,
    posts_by_id,
    quotes,
    rule_lines,
    said,
    said_outcome,
    sentence,
    shown_lines,
    shown_pool,
    summary_line,
    title_of,
    unread_tags,
    verdict,
    visible,
    where,
)

#: Lines are wrapped here; two or four columns of indent keep them readable in narrower windows too.
WIDTH = 78


def render(report: Report, rendering: Rendering) -> str:
    """The summary line, then a block per thread with a block per finding."""
    lines = [summary_line(report)]
    if report.staff:
        lines.append("For staff only: secret totals are in this report.")
    for thread in report.threads:
        lines += ["", "=" * 40, *_thread(thread, report.staff, rendering)]
    return "\n".join(lines) + "\n"


def _wrapped(text: str, indent: int = 0, hang: int = 2) -> list[str]:
    """Text on lines of at most WIDTH; addresses and other long words stay whole."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hang),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _thread(thread: ThreadReport, staff: bool, rendering: Rendering) -> Iterator[str]:
    yield from _wrapped(title_of(thread) + (f" ({visible(thread.ruleset)})" if thread.ruleset else ""))
    if thread.error is not None:
        yield from _wrapped(f"This file could not be used: {visible(thread.error)}")
        return
    yield from (visible(line, 2000) for line in (thread.url, thread.file) if line)
    yield from _wrapped(f"Posts read: {len(thread.posts)}. Outcome: {said_outcome(thread.outcome)}.")
    found = in_post_order(thread)
    faults = [finding for finding in found if finding.severity != "notice"]
    if not faults:
        yield verdict(thread)
    posts = posts_by_id(thread)
    for finding in faults:
        yield ""
        yield from _fault(finding, thread, posts, staff, rendering)
    yield from _pools(thread, staff)
    yield from _unchecked(thread, [finding for finding in found if finding.severity == "notice"], posts)


def _fault(
    finding: Finding, thread: ThreadReport, posts: dict[str, PostReport], staff: bool, rendering: Rendering
) -> Iterator[str]:
    yield f"{visible(finding.severity).upper()} {visible(finding.code)} - {where(finding, posts)}"
    post = posts.get(finding.post)
    if post and post.permalink:
        yield f"  {visible(post.permalink, 2000)}"
    yield from _wrapped(sentence(finding.message), 2)
    yield from _wrapped(". ".join(compared(finding)), 2)
    for one in quotes(finding):
        yield from _wrapped(f"Words of {visible(one.post, 60)}: {visible(one.quote)}", 2)
    for rule, text in rule_lines(finding, thread.ruleset, rendering):
        yield from _wrapped(f"Rule {rule}{': ' if text else ''}{text}", 2)
    if finding.trace:
        yield "  Working:"
    for line in shown_lines(finding.trace, staff):
        yield from _wrapped(visible(line), 4)
    if decided(finding):
        yield f"  Staff decision: {decided(finding)}"
    if thread.url and finding.fingerprint:
        yield f"  Finding {visible(finding.fingerprint, 80)}"


def _pools(thread: ThreadReport, staff: bool) -> Iterator[str]:
    """Both ledgers of every pool after the last post, with their distance."""
    latest = last_pools(thread)
    if not latest:
        return
    yield ""
    yield "Pools after the last post, as posted and as worked out:"
    for character, pools in latest.items():
        yield from _wrapped(visible(character, 80), 2)
        for name, pool in pools.items():
            shown = shown_pool(pool, staff)
            since = " since the start" if shown.change else ""
            apart = distance(shown)
            line = f"{pool_title(name)}: {said(shown.claimed) or '?'} / {said(shown.computed) or '?'}{since}"
            yield from _wrapped(line + (f", apart by {said(apart)}" if apart else ""), 4)


def _unchecked(thread: ThreadReport, notices: list[Finding], posts: dict[str, PostReport]) -> Iterator[str]:
    lines = [f"{where(one, posts)}: {sentence(one.message)} [{visible(one.code)}]" for one in notices]
    lines += [f"post {visible(post.id, 60)}: not read: {visible(text)}" for post, text in unread_tags(thread)]
    if not lines:
        return
    yield ""
    yield f"Not checked, or for a person to look at ({len(lines)}):"
    for line in lines:
        yield from _wrapped(f"- {line}", 2)


REPORTER = Reporter("text", ".txt", render)
