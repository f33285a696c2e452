"""What all reporters share: what may be shown, in which words, in which order.

Every reporter takes pools and workings only through this module, so that a secret total can reach
no public form of a report: `shown_pool` turns a pool into changes since the start, `shown_lines`
drops the staff's version of a working.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from referee.model.figure import Number, plain_number
from referee.model.report import (
    SEVERITIES,
    Evidence,
    Finding,
    Outcome,
    PoolState,
    PostReport,
    Report,
    ThreadReport,
    Working,
)
from referee.ports.reports import Rendering

#: The longest piece of a post that forms for people quote; the rest is cut with an ellipsis.
LONGEST_QUOTE = 600

Plain = int | float | None
Span = list[int | float] | dict[str, int | float | None] | None

_BIDI = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_HIDDEN = (0x200B, 0x2060, 0xFEFF, *range(0xE0000, 0xE0080))
_BLANKS = (0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029)
_CONTROLS = (*range(0x01, 0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000))


def _visible_table() -> dict[int, str | None]:
    """Characters that could hide or reorder words -> their code in letters; NUL -> nothing."""
    table: dict[int, str | None] = {code: f"<U+{code:04X}>" for code in (*_CONTROLS, *_BIDI, *_HIDDEN)}
    table.update(dict.fromkeys(_BLANKS, " "))
    table[0] = None
    return table


_VISIBLE = _visible_table()


def visible(text: object, longest: int = LONGEST_QUOTE) -> str:
    """Text from outside on one line, cut at `longest`, with hidden characters written out.

    Bidirectional marks, control characters (a terminal obeys them) and lone surrogates (no file can
    hold them) become codes such as `<U+202E>`; NUL goes.
    """
    raw = str(text)
    cut = raw[: longest + 1].translate(_VISIBLE)
    words = " ".join(cut.split())
    return words if len(raw) <= longest else words[:longest].rstrip() + " \u2026"


def storable(text: str) -> str:
    """Text as a file can hold it: a lone surrogate becomes U+FFFD, nothing else changes."""
    return text.encode("utf-8", "replace").decode("utf-8") if _has_surrogate(text) else text


def _has_surrogate(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def sentence(text: object) -> str:
    """A message on one line, beginning with a capital."""
    words = visible(text, 2000)
    return words[:1].upper() + words[1:]


#: Pools whose name alone would puzzle a reader.
_POOL_TITLES = {"hp": "HP", **{area: f"{area.capitalize()}, bind level" for area in ("arms", "legs", "torso", "head")}}


def pool_title(name: str) -> str:
    """A pool as people call it: `HP`, `Chakra`, `Legs, bind level`."""
    words = visible(name, 40)
    if words.startswith("hp of "):
        return f"HP of {words[6:]}"
    return _POOL_TITLES.get(name, words[:1].upper() + words[1:])


@dataclass(frozen=True, slots=True)
class ShownPool:
    """A pool as a reader may see it. `change`: numbers are changes since the battle's start.

    `claimed`: as the posts say; `computed`: as the rules give, in the form of `Figure.listed`.
    """

    claimed: Plain
    computed: Span
    change: bool


def shown_pool(pool: PoolState, staff: bool) -> ShownPool:
    """What may be shown of a pool.

    A secret pool is shown to others than staff as change since the start; where the start is not
    known no change can be told, and nothing is shown.
    """
    if staff or not (pool.secret or pool.computed.secret):
        return ShownPool(_plain(pool.claimed), pool.computed.listed(), change=False)
    if pool.start is None:
        return ShownPool(None, None, change=True)
    claimed = None if pool.claimed is None else pool.claimed - pool.start
    return ShownPool(_plain(claimed), pool.computed.minus(pool.start).listed(), change=True)


def _plain(value: Number | None) -> Plain:
    return None if value is None else plain_number(value)


def shown_lines(trace: Iterable[Working], staff: bool) -> tuple[str, ...]:
    """The lines of a working: the staff's version only where the report is for staff."""
    return tuple(line.staff if staff and line.staff is not None else line.text for line in trace)


def distance(pool: ShownPool) -> Plain:
    """How far the stated value is from the nearest computed one; None where either is unknown."""
    if pool.claimed is None or pool.computed is None:
        return None
    if isinstance(pool.computed, list):
        return min((abs(pool.claimed - value) for value in pool.computed), default=None)
    low, high = pool.computed["min"], pool.computed["max"]
    under = 0 if low is None else max(0, low - pool.claimed)
    over = 0 if high is None else max(0, pool.claimed - high)
    return max(under, over)


def said(value: object) -> str:
    """A claimed or expected value in words: `13`, `12 or 13`, `1 to 50`, `at least 5`; "" for None.

    A list holds readings, joined by "or"; `said_row` is for a row of dice.
    """
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return _said_range(value.get("min"), value.get("max"))
    if isinstance(value, (list, tuple)):
        return _said_readings([said(one) or "none" for one in value])
    return visible(value)


def _said_readings(words: list[str]) -> str:
    """`12`, `12 or 13`, `11, 12 or 13`; of more than eight only the ends and how many there are."""
    if len(words) > 8:
        return f"{words[0]} to {words[-1]} ({len(words)} readings)"
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _said_range(low: object, high: object) -> str:
    if low is None and high is None:
        return "anything"
    if low is None:
        return f"at most {visible(high)}"
    return f"at least {visible(low)}" if high is None else f"{visible(low)} to {visible(high)}"


def said_row(value: object) -> str:
    """A claimed value in words; a list is a row of dice: `70, 17, 3`."""
    if isinstance(value, (list, tuple)):
        return ", ".join(said(one) for one in value)
    return said(value)


def stated_and_due(finding: Finding) -> tuple[str, str]:
    """What the post states and what the rules give, in words; "" where there is none.

    For `dice/values` and edited claims a list in `expected` is one row of dice, not several readings.
    """
    row = isinstance(finding.claimed, list) or finding.code == "dice/values"
    return said_row(finding.claimed), said_row(finding.expected) if row else said(finding.expected)


#: What the two values of a finding are, where they are not what a post states and what the rules give.
_LABELS = {
    "post/edited-claims": ("Now", "Before the edit"),
    "dice/values": ("Stated", "The roll shows"),
    "dice/count": ("Rolled", "The rules call for"),
    "dice/fished": ("Used", "Left out"),
}


def labels_of(code: str) -> tuple[str, str]:
    """What the two values of a finding of a code are called."""
    return _LABELS.get(code, ("Stated", "The rules give"))


def compared(finding: Finding) -> list[str]:
    """The two values of a finding with their labels, those that there are: `Stated: -8`, `The rules give: -7`."""
    pairs = zip(labels_of(finding.code), stated_and_due(finding), strict=True)
    return [f"{label}: {value}" for label, value in pairs if value]


def said_values(values: Mapping[str, object]) -> str:
    """A claim's numbers and names in words: `hits 2, damage 13`."""
    return ", ".join(f"{visible(key)} {said_row(value) or 'none'}" for key, value in values.items())


def safe_link(url: str | None) -> str | None:
    """An address that may become a link: http or https only, awkward characters percent-encoded."""
    if not url:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme.lower() not in {"http", "https"} or not parts.netloc:
        return None
    return quote(storable(url), safe="%/:?#&=+,;@!$*~.-_")


def in_post_order(thread: ThreadReport) -> list[Finding]:
    """The findings in the order of the thread's posts; those of unlisted posts last."""
    place = {post.id: index for index, post in enumerate(thread.posts)}
    return sorted(thread.findings, key=lambda finding: place.get(finding.post, len(place)))


def severity_rank(severity: str) -> int:
    """0 for an error, 1 for a warning, 2 for a notice, 3 for a word we don't know."""
    return SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """How many findings there are of each severity, worst first; what staff have set aside does not count."""
    found = dict.fromkeys(SEVERITIES, 0)
    for finding in findings:
        if finding.set_aside:
            continue
        found[finding.severity] = found.get(finding.severity, 0) + 1
    return found


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 error`, `3 errors`, `no errors`."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def summary_line(report: Report) -> str:
    """The first line of every report: threads, then findings by severity."""
    threads = [thread for thread in report.threads if thread.error is None]
    failed = len(report.threads) - len(threads)
    findings = [finding for thread in threads for finding in thread.findings]
    found = counts(findings)
    line = f"{counted(len(threads), 'thread')}: " + ", ".join(counted(n, word) for word, n in found.items())
    aside = sum(finding.set_aside for finding in findings)
    line += f"; {aside} set aside by staff" if aside else ""
    return line + (f"; {counted(failed, 'file')} could not be used" if failed else "")


def title_of(thread: ThreadReport) -> str:
    """What to call a thread: its title, else its file or address."""
    return visible(thread.title or thread.file or thread.url or "Thread without a title", 200)


def verdict(thread: ThreadReport) -> str:
    """What to say of a thread without errors and warnings: not more than was checked."""
    if not any(post.claims for post in thread.posts):
        return "No number was read in this thread, so nothing was checked."
    open_ends = any(finding.severity == "notice" for finding in thread.findings) or any(unread_tags(thread))
    words = "Nothing that could be checked is out of line."
    return words + (" Some things could not be checked: see below." if open_ends else "")


def said_outcome(outcome: Outcome) -> str:
    """How the battle stands, in words."""
    words = visible(outcome.status)
    if outcome.winner:
        words += ": " + ", ".join(visible(name) for name in outcome.winner)
    return words + (f" ({visible(outcome.reason)})" if outcome.reason else "")


def rule_lines(finding: Finding, ruleset: str | None, rendering: Rendering) -> list[tuple[str, str]]:
    """Rule id and its one-line text, for each rule that the finding cites; "" where unknown."""
    known = rendering.rules
    return [(visible(rule), visible(known.get(f"{ruleset}/{rule}", known.get(rule, "")))) for rule in finding.rules]


def quotes(finding: Finding) -> tuple[Evidence, ...]:
    """The quoted words on which a finding rests, one each, in order."""
    return tuple(dict.fromkeys(finding.evidence))


def last_pools(thread: ThreadReport) -> dict[str, dict[str, PoolState]]:
    """Each fighter's pools after the last post that states or changes them."""
    latest: dict[str, dict[str, PoolState]] = {}
    for post in thread.posts:
        for character, pools in post.state.items():
            latest.setdefault(character, {}).update(pools)
    return latest


def unread_tags(thread: ThreadReport) -> Iterator[tuple[PostReport, str]]:
    """Every tag-like bracket that could not be read and has no notice of its own."""
    noted = {finding.post for finding in thread.findings if finding.code == "post/unread-tag"}
    return ((post, text) for post in thread.posts if post.id not in noted for text in post.unread)


def posts_by_id(thread: ThreadReport) -> dict[str, PostReport]:
    """The posts of a thread by their id."""
    return {post.id: post for post in thread.posts}


def where(finding: Finding, posts: Mapping[str, PostReport]) -> str:
    """The place of a finding in words: `post p3, Ren Aoki`."""
    post = posts.get(finding.post)
    who = finding.character or (post and (post.character or post.author))
    return f"post {visible(finding.post, 60)}" + (f", {visible(who, 80)}" if who else "")


def decided(finding: Finding) -> str:
    """The staff's decision on a finding in words, "" while it is open."""
    return "" if finding.disposition in {"", "open"} else visible(finding.disposition, 60)
