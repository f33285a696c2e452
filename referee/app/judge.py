"""Judging use cases: transcripts and gathered threads to thread reports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.app.cast import cast_of
from referee.app.config import Config
from referee.app.errors import InputError
from referee.app.sheets import load_sheets
from referee.model.battle import Battle, Post, RollRecord, Ruling
from referee.model.report import ThreadReport
from referee.ports.boards import ThreadRead
from referee.ports.rules import Ruleset


def reported_from(report: ThreadReport, from_post: str | None) -> ThreadReport:
    """The report from one post on; everything before it was replayed all the same."""
    if from_post is None:
        return report
    ids = [post.id for post in report.posts]
    if from_post not in ids:
        raise InputError(f"{report.file or report.url}: there is no post {from_post!r} to report from")
    kept = set(ids[ids.index(from_post) :])
    return replace(
        report,
        posts=tuple(post for post in report.posts if post.id in kept),
        findings=tuple(finding for finding in report.findings if finding.post in kept),
    )


def dice_hosts(config: Config) -> frozenset[str]:
    """The hosts of the configured dice services (G9)."""
    from referee.app.services import dice_services

    return frozenset(host for service in dice_services(config) for host in service.hosts)


def battle_of_thread(
    read: ThreadRead,
    ruleset: Ruleset,
    config: Config,
    board: str | None,
    rolls: Mapping[str, RollRecord] | None,
    rulings: tuple[Ruling, ...] = (),
) -> Battle:
    """The battle of a gathered thread, with sheets, tables and options of its board."""
    settings = config.boards.get(board) if board else None
    options: dict[str, Any] = dict(settings.battle) if settings else {}
    if settings and settings.profile:
        options.setdefault("profile", settings.profile)
    for option, value in told_by(read.title or "", ruleset):
        options.setdefault(option, value)
    battle = Battle(
        ruleset=ruleset.name,
        posts=read.posts,
        title=read.title,
        url=read.url,
        options=options,
        overrides=config.tables.get(ruleset.name, {}),
        rolls=rolls,
        rulings=rulings,
        dice_hosts=dice_hosts(config),
        judges=tuple(settings.judges) if settings else (),
        gaps=tuple(dict.fromkeys((*read.gaps, *jumps(read.posts)))),
    )
    begun = next((post.at for post in read.posts if post.at), None)
    return replace(battle, characters=cast_of(battle, ruleset, load_sheets(config, board, begun)))


def told_by(title: str, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """The battle options that a thread's title tells by a word of its own; what the board has set counts before."""
    words = re.findall(r"\w+", title.casefold())[:100]
    return (ruleset.titled[word] for word in dict.fromkeys(words) if word in ruleset.titled)


def jumps(posts: Sequence[Post]) -> Iterator[str]:
    """The posts before which others are missing, told by the numbers that the board prints on its posts.

    Boards count from 1, or the answers only (SMF). Deleted posts that are still known keep their place, so numbers may
    fall behind it; only one that is ahead of it shows that something was not read.
    """
    due = None
    for place, post in enumerate(posts):
        if post.number is not None:
            if post.number > (due if due is not None else place + 1):
                yield post.id
            due = post.number
        due = None if due is None else due + 1
