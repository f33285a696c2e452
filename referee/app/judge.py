"""Judging use cases: transcripts and gathered threads to thread reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.app.config import Config
from referee.app.errors import InputError
from referee.app.sheets import load_sheets
from referee.engine.script import scripts_of
from referee.model.battle import Battle, Character, RollRecord, Ruling
from referee.model.report import ThreadReport
from referee.ports.boards import ThreadRead
from referee.ports.rules import Ruleset, Sheets


def reported_from(report: ThreadReport, from_post: str | None) -> ThreadReport:
    """The report from one post on; everything before it was replayed all the same."""
    if from_post is None:
        return report
    ids = [post.id for post in report.posts]
    if from_post not in ids:
        raise InputError(f"{report.file or report.url}: --from: there is no post {from_post!r}")
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
    )
    return replace(battle, characters=cast_of(battle, ruleset, load_sheets(config, board)))


def cast_of(battle: Battle, ruleset: Ruleset, sheets: tuple[Character, ...]) -> tuple[Character, ...]:
    """Who fights: sheets whose player posts in the thread, else authors who posted a stat block.

    Without a sheet, every author with a stat block is a character named like the account, each its
    own side (contract); other authors stay unknown.
    """
    authors = {post.author.casefold(): post.author for post in battle.posts}
    present = tuple(c for c in sheets if (c.player or c.name).casefold() in authors)
    taken = {(c.player or c.name).casefold() for c in present}
    nobody = Sheets((), {**ruleset.tables(None, None), **battle.overrides}, battle.overrides, battle.options)
    found: dict[str, Character] = {}
    for post in battle.posts:
        folded = post.author.casefold()
        if folded in taken or folded in found:
            continue
        reading = ruleset.read(scripts_of(post.blocks), post.author, nobody)
        if any(claim.kind == "stats" for claim in reading.claims):
            found[folded] = Character(post.author, post.author, side=post.author)
    return (*present, *found.values())
