"""Judging use cases: transcripts and gathered threads to thread reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.app.config import Config
from referee.app.errors import InputError
from referee.app.sheets import load_sheets
from referee.engine.replay import sheets_of
from referee.engine.script import scripts_of
from referee.model.battle import Battle, Character, Post, RollRecord, Ruling
from referee.model.claims import Claim
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
        gaps=tuple(dict.fromkeys((*read.gaps, *jumps(read.posts)))),
    )
    return replace(battle, characters=cast_of(battle, ruleset, load_sheets(config, board)))


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


def cast_of(battle: Battle, ruleset: Ruleset, sheets: tuple[Character, ...]) -> tuple[Character, ...]:
    """Who fights: sheets whose player posts in the thread, else authors who posted a stat block.

    Without a sheet, every author with a stat block is a character named like the account, each its
    own side (contract); other authors stay unknown. In some systems those take part too whom the others name.
    """
    authors = {post.author.casefold(): post.author for post in battle.posts}
    named = _named_by_others(battle, ruleset, sheets) if ruleset.others_count else frozenset()
    present = tuple(c for c in sheets if (c.player or c.name).casefold() in authors or c.name in named)
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


def _named_by_others(battle: Battle, ruleset: Ruleset, sheets: tuple[Character, ...]) -> frozenset[str]:
    """The characters that stand in what players and judges state; prose and strangers may speak of anybody."""
    authors = {post.author.casefold() for post in battle.posts}
    if all((sheet.player or sheet.name).casefold() in authors for sheet in sheets):
        return frozenset()
    everybody = sheets_of(replace(battle, characters=sheets), ruleset)
    found: set[str] = set()
    for post in battle.posts:
        if post.author.casefold() in everybody.judges or everybody.of_player(post.author):
            for claim in ruleset.read(scripts_of(post.blocks), post.author, everybody).claims:
                found.update(_words_of(claim))
    return frozenset(sheet.name for sheet in sheets if sheet.name in found)


def _words_of(claim: Claim) -> Iterator[str]:
    """What a claim's values name: readers put names there in full, as values, in lists, or before a number."""
    for key, value in claim.values.items():
        yield key
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (one for one in value if isinstance(one, str))
