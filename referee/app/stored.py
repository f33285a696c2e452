"""Reports from what is stored: threads judged anew from the store, findings filtered."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from referee.app.addresses import bare_address
from referee.app.audit import judge_stored
from referee.app.config import BoardConfig, Config, need_board
from referee.app.errors import UsageError
from referee.app.known import threads_of
from referee.app.online import Target
from referee.app.paths import paths_of
from referee.model.report import ThreadReport

if TYPE_CHECKING:
    from referee.store.store import Store
    from referee.store.threads import StoredThread

log = logging.getLogger("referee")


@dataclass(frozen=True, slots=True)
class Choice:
    """What to report: `since` a date (or `last`), one board, one thread, one account or character."""

    since: str | None = None
    board: str | None = None
    thread: str | None = None
    player: str | None = None

    @property
    def whole(self) -> bool:
        """Whether nothing but the time narrows it: only then all that is new has been reported."""
        return self.board is None and self.thread is None and self.player is None


def stored_reports(config: Config, choice: Choice) -> tuple[ThreadReport, ...]:
    """The chosen threads' reports, in the order of the store. Raises UsageError for a wrong choice."""
    from referee.store import open_store

    need_board(config.boards, choice.board)
    since = _moment(config, choice.since)
    with open_store(paths_of(config).database) as store:
        chosen = None if choice.thread is None else _chosen(config, choice.thread, store)
        _say_left_out(config, store)
        found = tuple(_reports(config, choice, chosen, since, store))
    if choice.player is not None and choice.since is None and not found:
        raise UsageError(f"--player: no stored thread has an account or character {choice.player!r}")
    return found


def _chosen(config: Config, url: str, store: Store) -> frozenset[int]:
    """The numbers of the threads that an address is of; UsageError where none is stored, or it can't be judged."""
    found = threads_of(store, url)
    url = bare_address(url)
    if not found:
        raise UsageError(f"--thread: {url} is not stored; `referee audit` fetches it")
    settings = config.boards.get(found[0].board)
    if settings is None:
        raise UsageError(
            f"--thread: {url} is stored, but its board {found[0].board} is not configured: add it, or use audit"
        )
    if settings.ruleset is None:
        raise UsageError(f"--thread: {url}: boards.{found[0].board}.ruleset is not set")
    return frozenset(thread.id for thread in found)


def _say_left_out(config: Config, store: Store) -> None:
    """Stored threads that no report can show are not passed over in silence."""
    stored = store.threads.all(None)
    for thread in stored:
        if thread.moved_to is not None:
            log.warning("%s: left out, its posts stand in %s now", thread.url, store.threads.get(thread.moved_to).url)
    boards = [thread.board for thread in stored]
    for board in sorted(set(boards)):
        settings = config.boards.get(board)
        if settings is None or settings.ruleset is None:
            why = "it is no configured board" if settings is None else f"boards.{board}.ruleset is not set"
            log.warning("%s: stored threads left out: %d (%s)", board, boards.count(board), why)


def _reports(
    config: Config, choice: Choice, chosen: frozenset[int] | None, since: datetime | None, store: Store
) -> Iterator[ThreadReport]:
    """The reports of a choice; `chosen`: the numbers of the threads that were asked for, None for all."""
    for thread in store.threads.all(choice.board):
        settings = config.boards.get(thread.board)
        if settings is None or settings.ruleset is None or thread.moved_to is not None:
            continue
        if chosen is not None and thread.id not in chosen:
            continue
        report = _judged(config, thread, settings, store)
        if not _has(report, choice.player) or (chosen is None and _is_only_listed(thread, settings, report, store)):
            continue
        report = replace(report, findings=tuple(f for f in report.findings if _about(f, report, choice.player)))
        if since is not None:
            fresh = {row.fingerprint for row in store.findings.all(thread.id) if row.changed_at >= since}
            report = replace(report, findings=tuple(f for f in report.findings if f.fingerprint in fresh))
            if not report.findings:
                continue
        yield report


def _is(thread: StoredThread, url: str, store: Store) -> bool:
    known = store.threads.find(thread.board, url)
    return known is not None and known.id == thread.id


def _is_only_listed(thread: StoredThread, settings: BoardConfig, report: ThreadReport, store: Store) -> bool:
    """Whether a thread stands in a watched section, and is no battle: nobody states anything in it.

    Staff may have said so too (`ignore`).
    """
    if not settings.forums or any(_is(thread, url, store) for url in settings.threads):
        return False
    if settings.ignore:
        from referee.app import plugins
        from referee.app.lists import left_alone

        if left_alone(thread, settings.ignore, plugins.boards()):
            return True
    return not (report.findings or any(post.claims or post.unread for post in report.posts))


def _judged(config: Config, thread: StoredThread, settings: BoardConfig, store: Store) -> ThreadReport:
    target = Target(thread.url, thread.board, settings, configured=True)
    read = store.threads.as_read(thread.id)
    return judge_stored(config, target, read, thread.id, None, store).report


def _has(report: ThreadReport, player: str | None) -> bool:
    """Whether an account or character is in a thread: nothing is said of threads that are not theirs."""
    names = {name.casefold() for post in report.posts for name in (post.author, post.character) if name}
    return player is None or player.casefold() in names


def _about(finding: object, report: ThreadReport, player: str | None) -> bool:
    """Whether a finding is about an account or character (any case); all are where none is named."""
    if player is None:
        return True
    wanted = player.casefold()
    authors = {post.id: post.author for post in report.posts}
    names = (getattr(finding, "character", None), authors.get(getattr(finding, "post", "")))
    return any(name is not None and name.casefold() == wanted for name in names)


def _moment(config: Config, since: str | None) -> datetime | None:
    if since is None:
        return None
    if since == "last":
        mark = paths_of(config).data_dir / "reported"
        since = mark.read_text("utf-8").strip() if mark.is_file() else "1970-01-01"
    try:
        moment = datetime.fromisoformat(since)
    except ValueError:
        raise UsageError(f"--since: {since!r} is neither a date such as 2026-11-30 nor `last`") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def mark_reported(config: Config, moment: datetime) -> None:
    """Remember that everything until `moment`, when the report was begun, has been reported (`--since last`)."""
    mark = paths_of(config).data_dir / "reported"
    fresh = mark.with_name("reported.part")
    fresh.write_text(moment.isoformat(), encoding="utf-8")
    fresh.replace(mark)
