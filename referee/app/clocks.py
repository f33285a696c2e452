"""Whose clock a thread's times are by, and what can't be judged where nobody knows.

Boards such as FluxBB, or SMF 2.0 for guests, print times without a zone: they are read in the board's configured
`timezone`. Where none is configured, a roll that seems to be made too late may only be read in the wrong
zone; the same holds for a board whose clock is minutes off. Then the times count for nothing, and one notice
a thread says so (notation.md X2).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple

from referee.app.config import BoardConfig
from referee.model.battle import Battle, Post
from referee.model.report import Finding, ThreadReport
from referee.ports.boards import ThreadRead

#: A clock further off than the first makes rolls look early or late; beyond the second it is no mistake of a clock.
TOLERATED, ASTRAY = timedelta(minutes=2), timedelta(hours=12)

#: Findings that rest on when things were posted, rolled and edited.
_BY_TIME = frozenset({"dice/too-early", "dice/too-late", "dice/fished", "post/edited-claims"})

#: Notices of this module are numbered from here on, apart from those of the same code in the replay.
_OWN_ORDINAL = 1000


class Doubt(NamedTuple):
    """Why a thread's times are in doubt. `usable`: they were read by what staff have configured."""

    message: str
    usable: bool


def is_off(seconds: float | None) -> bool:
    """Whether a board's clock is so far off that it matters."""
    return seconds is not None and TOLERATED < timedelta(seconds=abs(seconds)) <= ASTRAY


def doubt_of(read: ThreadRead, name: str, board: BoardConfig) -> Doubt | None:
    """What makes a thread's times doubtful, None for nothing."""
    if is_off(read.clock_off):
        minutes = round(abs(read.clock_off or 0) / 60)
        return Doubt(f"the board's clock was {minutes} minutes off: {_NOT_CHECKED}", usable=False)
    if not read.zoneless:
        return None
    if board.timezone is None:
        said = f"the board's pages name no time zone, and boards.{name}.timezone is not set: {_NOT_CHECKED}"
        return Doubt(said, usable=False)
    said = f"the board's pages name no time zone: times were read as {board.timezone}, findings by time rest on it"
    return Doubt(said, usable=True)


_NOT_CHECKED = "whether rolls and edits were made in time is not checked"


def without_times(read: ThreadRead, doubt: Doubt | None) -> ThreadRead:
    """The thread as it may be judged: times that nobody can rely on count as unknown."""
    if doubt is None or doubt.usable:
        return read
    return replace(read, posts=tuple(replace(post, precision="unknown") for post in read.posts))


def with_notice(report: ThreadReport, battle: Battle, doubt: Doubt | None) -> ThreadReport:
    """The report with one notice at the first post that the doubt concerns, none where it concerns nothing."""
    if doubt is None:
        return report
    concerned = _first_by_time(report) if doubt.usable else _first_timed(battle)
    if concerned is None:
        return report
    place = {post.id: index for index, post in enumerate(battle.posts)}
    before = [f for f in report.findings if place.get(f.post, -1) <= place[concerned]]
    after = report.findings[len(before) :]
    return replace(report, findings=(*before, _notice(battle, concerned, doubt.message), *after))


def _first_by_time(report: ThreadReport) -> str | None:
    """The post of the first finding that rests on times."""
    return next((finding.post for finding in report.findings if finding.code in _BY_TIME), None)


def _first_timed(battle: Battle) -> str | None:
    """The first post whose rolls or edits would have been judged by times."""
    rolls = battle.rolls or {}
    timed = {link for link, record in rolls.items() if record.at is not None}
    return _first(battle.posts, lambda post: len(post.revisions) > 1 or not timed.isdisjoint(_links(post)))


def _first(posts: Sequence[Post], fits: Callable[[Post], bool]) -> str | None:
    return next((post.id for post in posts if fits(post)), None)


def _links(post: Post) -> set[str]:
    """The addresses that a post links in its own words."""
    own = (block for block in post.blocks if block.kind in ("own", "spoiler"))
    return {mark.url for block in own for mark in block.marks if mark.url}


def _notice(battle: Battle, post: str, message: str) -> Finding:
    """A `post/unchecked` of a thread, with an id as the contract has it: of ruleset, thread, post, code and ordinal."""
    place = [battle.ruleset, battle.url or battle.title, post, "post/unchecked", None, _OWN_ORDINAL]
    return Finding(
        code="post/unchecked",
        severity="notice",
        post=post,
        message=message,
        ordinal=_OWN_ORDINAL,
        fingerprint=_digest(place),
        facts=_digest([None, None]),
    )


def _digest(parts: list[Any]) -> str:
    packed = json.dumps(parts, ensure_ascii=False, sort_keys=True, default=str).encode("utf-8", "replace")
    return hashlib.sha256(packed).hexdigest()[:20]
