"""The report as one HTML page for staff: no script, nothing loaded from outside, fit to print."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

import jinja2
from markupsafe import Markup

from referee.model.report import SEVERITIES, Finding, PostReport, Report, ThreadReport
from referee.ports.reports import Rendering, Reporter
from reports.charts import Point, timeline
from reports.shared import (
    ShownPool,
    counted,
    counts,
    decided,
    distance,
    in_post_order,
    labels_of,
    last_pools,
    pool_title,
    posts_by_id,
    quotes,
    rule_lines,
    safe_link,
    said,
    said_outcome,
    said_values,
    sentence,
    severity_rank,
    shown_lines,
    shown_pool,
    stated_and_due,
    storable,
    summary_line,
    title_of,
    unread_tags,
    verdict,
    visible,
)

#: The overview at the head lists this many findings, worst first; all stand further below.
MOST_IN_OVERVIEW = 200
#: Of findings that say the same in many posts the overview names so many posts.
MOST_ALIKE = 12
#: Pictures in one report; further pools have their tables only.
MOST_CHARTS = 60


@dataclass(frozen=True, slots=True)
class Card:
    """A finding as the page shows it."""

    anchor: str
    severity: str
    code: str
    meaning: str
    post: str
    who: str
    link: str | None
    message: str
    labels: tuple[str, str]
    stated: str
    due: str
    quotes: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]
    decided: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Group:
    """The findings of one post."""

    post: str
    author: str
    who: str
    link: str | None
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a pool's table: post, both ledgers, distance, the place of a finding that stands there."""

    post: str
    link: str | None
    stated: str
    due: str
    apart: str
    marked: str


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of a fighter: its picture, its table, where it stands at the end, its findings (place, post)."""

    name: str
    change: bool
    picture: Markup | None
    rows: tuple[Row, ...]
    last: Row
    found: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Fighter:
    """A fighter with all pools."""

    name: str
    pools: tuple[Pool, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read in one post."""

    post: str
    author: str
    link: str | None
    claims: tuple[tuple[str, str, str], ...]
    unread: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One thread of the page."""

    anchor: str
    title: str
    ruleset: str
    url: str | None
    address: str
    file: str
    outcome: str
    posts: str
    tally: Mapping[str, int]
    error: str
    verdict: str = ""
    groups: tuple[Group, ...] = ()
    notices: tuple[Card, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    fighters: tuple[Fighter, ...] = ()
    read: tuple[Read, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the overview: a finding, and those of its thread that say the same words and no number."""

    section: Section
    card: Card
    alike: tuple[Card, ...]

    @property
    def who(self) -> str:
        """Whom all of them are about, if it is one."""
        return self.card.who if all(card.who == self.card.who for card in self.alike) else ""


def render(report: Report, rendering: Rendering) -> str:
    """The whole page."""
    charts = iter(range(MOST_CHARTS))
    sections = [_section(i, thread, report.staff, rendering, charts) for i, thread in enumerate(report.threads, 1)]
    lines = _overview(sections)
    style = files("reports").joinpath("templates/report.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    page = _template().render(
        summary=summary_line(report),
        tally=counts(finding for thread in report.threads for finding in thread.findings),
        staff=report.staff,
        sections=sections,
        overview=lines[:MOST_IN_OVERVIEW],
        further=sum(1 + len(line.alike) for line in lines[MOST_IN_OVERVIEW:]),
        named=MOST_ALIKE,
        style=Markup(style),  # noqa: S704 - our own file
        digest=digest,
        version=visible(rendering.version),
    )
    return storable(page)


def _overview(sections: list[Section]) -> list[Line]:
    """All findings, worst first; those of a thread that say the same words and no number are one line."""
    kinds: dict[tuple[object, ...], list[Card]] = {}
    for section in sections:
        for card in _cards_of(section):
            own = card.anchor if card.stated or card.due else ""
            kind = (card.severity, section.anchor, card.code, card.message, card.decided, own)
            kinds.setdefault(kind, []).append(card)
    owners = {section.anchor: section for section in sections}
    lines = [Line(owners[str(kind[1])], cards[0], tuple(cards[1:])) for kind, cards in kinds.items()]
    return sorted(lines, key=lambda line: severity_rank(line.card.severity))


@functools.cache
def _template() -> jinja2.Template:
    loader = jinja2.PackageLoader("reports", "templates")
    page = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return page.get_template("report.html")


def _cards_of(section: Section) -> Iterator[Card]:
    for group in section.groups:
        yield from group.cards
    yield from section.notices


def _section(number: int, thread: ThreadReport, staff: bool, rendering: Rendering, charts: Iterator[int]) -> Section:
    anchor = f"t{number}"
    posts = posts_by_id(thread)
    found = in_post_order(thread)
    cards = [
        (finding, _card(f"{anchor}-f{place}", finding, thread, posts, staff, rendering))
        for place, finding in enumerate(found, 1)
    ]
    anchors = {id(finding): card.anchor for finding, card in cards}
    return Section(
        anchor=anchor,
        title=title_of(thread),
        ruleset=visible(thread.ruleset or ""),
        url=safe_link(thread.url),
        address=visible(thread.url or "", 2000),
        file=visible(thread.file or "", 2000),
        outcome=said_outcome(thread.outcome),
        posts=counted(len(thread.posts), "post"),
        tally={word: number for word, number in counts(thread.findings).items() if number},
        error="" if thread.error is None else visible(thread.error),
        verdict=verdict(thread),
        groups=tuple(_groups([pair for pair in cards if pair[0].severity != "notice"], posts)),
        notices=tuple(card for finding, card in cards if finding.severity == "notice"),
        unread=tuple((visible(post.id, 60), visible(text)) for post, text in unread_tags(thread)),
        fighters=tuple(_fighter(name, thread, staff, charts, anchors) for name in last_pools(thread)),
        read=tuple(_read(post) for post in thread.posts if post.claims or post.unread),
    )


def _card(
    anchor: str,
    finding: Finding,
    thread: ThreadReport,
    posts: Mapping[str, PostReport],
    staff: bool,
    rendering: Rendering,
) -> Card:
    stated, due = stated_and_due(finding)
    post = posts.get(finding.post)
    return Card(
        anchor=anchor,
        severity=finding.severity if finding.severity in SEVERITIES else "notice",
        code=visible(finding.code),
        meaning=visible(rendering.rules.get(finding.code, "")),
        post=visible(finding.post, 60),
        who=visible(finding.character or (post and post.character) or "", 80),
        link=safe_link(post.permalink) if post else None,
        message=sentence(finding.message),
        labels=labels_of(finding.code),
        stated=stated,
        due=due,
        quotes=tuple((visible(one.post, 60), visible(one.quote)) for one in quotes(finding)),
        lines=tuple(visible(line) for line in shown_lines(finding.trace, staff)),
        rules=tuple(rule_lines(finding, thread.ruleset, rendering)),
        decided=decided(finding),
        # Only findings of stored threads can be decided by their id.
        fingerprint=visible(finding.fingerprint, 80) if thread.url else "",
    )


def _groups(cards: list[tuple[Finding, Card]], posts: Mapping[str, PostReport]) -> Iterator[Group]:
    """The findings by post, in the order of the posts."""
    together: dict[str, list[Card]] = {}
    for finding, card in cards:
        together.setdefault(finding.post, []).append(card)
    for post_id, group in together.items():
        post = posts.get(post_id)
        yield Group(
            post=visible(post_id, 60),
            author=visible(post.author, 80) if post else "",
            who=visible((post and post.character) or "", 80),
            link=safe_link(post.permalink) if post else None,
            cards=tuple(group),
        )


def _fighter(
    name: str, thread: ThreadReport, staff: bool, charts: Iterator[int], anchors: Mapping[int, str]
) -> Fighter:
    pools: dict[str, list[tuple[PostReport, ShownPool]]] = {}
    for post in thread.posts:
        for pool, state in post.state.get(name, {}).items():
            pools.setdefault(pool, []).append((post, shown_pool(state, staff)))
    marked = _marked(name, thread, list(pools), anchors)
    drawn = [_pool(name, pool, states, marked[pool], charts) for pool, states in pools.items()]
    return Fighter(visible(name, 80), tuple(drawn))


def _marked(name: str, thread: ThreadReport, pools: list[str], anchors: Mapping[int, str]) -> dict[str, dict[str, str]]:
    """Posts with a finding of this fighter and its place, by pool: its own (loss-hp), else the first pool."""
    marked: dict[str, dict[str, str]] = {pool: {} for pool in pools}
    for finding in thread.findings:
        if finding.character == name and finding.severity != "notice" and pools:
            own = [pool for pool in pools if finding.code.endswith(("-" + pool, "/" + pool))]
            marked[(own or pools)[0]].setdefault(finding.post, anchors[id(finding)])
    return marked


def _pool(
    fighter: str,
    name: str,
    states: list[tuple[PostReport, ShownPool]],
    marked: Mapping[str, str],
    charts: Iterator[int],
) -> Pool:
    """A pool's picture and table; `marked` are the posts with a finding."""
    rows = tuple(_row(post, pool, marked.get(post.id, "")) for post, pool in states)
    picture = None
    if next(charts, None) is not None:
        points = [Point(post.id, pool, post.id in marked) for post, pool in states]
        picture = timeline(_picture_title(fighter, name, rows), points)
    found = tuple((anchor, visible(post, 60)) for post, anchor in marked.items())
    return Pool(pool_title(name), any(pool.change for _, pool in states), picture, rows, rows[-1], found)


def _picture_title(fighter: str, name: str, rows: tuple[Row, ...]) -> str:
    """What a picture shows, for readers who can't see it: whose pool, from where to where, by which posts."""
    first, last = rows[0], rows[-1]
    span = f"from {first.stated} in post {first.post} to {last.stated} in post {last.post}"
    return f"{pool_title(name)} of {fighter}, post by post: {span}; the table below has every number"


def _row(post: PostReport, pool: ShownPool, marked: str) -> Row:
    apart = distance(pool)
    return Row(
        post=visible(post.id, 60),
        link=safe_link(post.permalink),
        stated=said(pool.claimed) or "not stated",
        due=said(pool.computed) or "unknown",
        apart=said(apart) if apart else "",
        marked=marked,
    )


def _read(post: PostReport) -> Read:
    claims = tuple((visible(c.kind, 60), visible(c.quote), said_values(c.values)) for c in post.claims)
    unread = tuple(visible(text) for text in post.unread)
    return Read(visible(post.id, 60), visible(post.author, 80), safe_link(post.permalink), claims, unread)


REPORTER = Reporter("html", ".html", render)
