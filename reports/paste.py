"""A draft to paste into a forum: one document, written with the marks of Markdown or BBCode.

Words from posts stand only in code blocks, where boards read no markup and where the referee itself
reads no claims (so that a pasted report makes no claims of its own). All other text from outside
goes through `Markup.escape`. Findings that staff have set aside are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.model.report import Finding, PostReport, Report, ThreadReport
from referee.ports.reports import Rendering
from reports.shared import (
    compared,
    in_post_order,
    posts_by_id,
    quotes,
    rule_lines,
    safe_link,
    said_outcome,
    sentence,
    shown_lines,
    summary_line,
    title_of,
    unread_tags,
    verdict,
    visible,
    where,
)

#: Polite words at the head of every draft.
INTRO = (
    "The numbers in this thread were worked out again by the rules. Where they differ, this is a question and "
    "no accusation: please compare the working with your own, and tell us if something was misread."
)


@dataclass(frozen=True, slots=True)
class Markup:
    """The marks of a forum: each function takes raw text and gives safe markup."""

    escape: Callable[[str], str]
    heading: Callable[[str], str]
    bold: Callable[[str], str]
    link: Callable[[str, str], str]
    code: Callable[[list[str]], str]
    item: Callable[[str], str]


def draft(report: Report, rendering: Rendering, markup: Markup) -> str:
    """The whole draft; threads are set apart by their headings."""
    parts = []
    if report.staff:
        parts.append(markup.bold("For staff only: secret totals are in this report. Don't paste it in public."))
    if len(report.threads) != 1:
        parts.append(markup.escape(summary_line(report)))
    for thread in report.threads:
        parts.extend(_thread(thread, report.staff, rendering, markup))
    return "\n\n".join(parts) + "\n"


def _thread(thread: ThreadReport, staff: bool, rendering: Rendering, markup: Markup) -> Iterator[str]:
    yield markup.heading(f"Numbers check: {title_of(thread)}")
    if thread.error is not None:
        yield markup.escape(f"This file could not be used: {visible(thread.error)}")
        return
    found = [finding for finding in in_post_order(thread) if not finding.set_aside]
    faults = [finding for finding in found if finding.severity != "notice"]
    posts = posts_by_id(thread)
    yield markup.escape(INTRO if faults else verdict(thread))
    for finding in faults:
        yield from _fault(finding, thread, posts, staff, rendering, markup)
    yield markup.escape(f"The battle, as far as it was read: {said_outcome(thread.outcome)}.")
    yield from _unchecked(thread, [finding for finding in found if finding.severity == "notice"], posts, markup)


def _fault(
    finding: Finding,
    thread: ThreadReport,
    posts: dict[str, PostReport],
    staff: bool,
    rendering: Rendering,
    markup: Markup,
) -> Iterator[str]:
    post = posts.get(finding.post)
    address = safe_link(post.permalink) if post else None
    head = markup.bold(where(finding, posts))
    if address:
        head += " (" + markup.link(address, "to the post") + ")"
    body = ". ".join([sentence(finding.message).rstrip("."), *compared(finding)]) + "."
    yield head + ": " + markup.escape(body)
    lines = [f"post {visible(one.post, 60)}: {visible(one.quote)}" for one in quotes(finding)]
    lines += [visible(line) for line in shown_lines(finding.trace, staff)]
    if lines:
        yield markup.code(lines)
    rules = [f"{rule}: {text}" if text else f"{rule}." for rule, text in rule_lines(finding, thread.ruleset, rendering)]
    if rules:
        yield markup.escape("Rules: " + " ".join(rules) + f" Code: {visible(finding.code)}.")


def _unchecked(
    thread: ThreadReport, notices: list[Finding], posts: dict[str, PostReport], markup: Markup
) -> Iterator[str]:
    lines = [f"{where(one, posts)}: {sentence(one.message)}" for one in notices]
    lines += [f"post {visible(post.id, 60)}: not read: {visible(text)}" for post, text in unread_tags(thread)]
    if lines:
        yield markup.bold("Could not be checked, or for a person to look at:")
        yield "\n".join(markup.item(line) for line in lines)
