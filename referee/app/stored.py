"""Reports from what is stored: threads judged anew from the store, findings filtered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from referee.app.audit import judge_stored
from referee.app.config import BoardConfig, Config
from referee.app.errors import UsageError
from referee.app.online import Target
from referee.app.paths import paths_of
from referee.model.report import ThreadReport

if TYPE_CHECKING:
    from referee.store.store import Store
    from referee.store.threads import StoredThread


@dataclass(frozen=True, slots=True)
class Choice:
    """What to report: `since` a date (or `last`), one board, one thread, one account or character."""

    since: str | None = None
    board: str | None = None
    thread: str | None = None
    player: str | None = None


def stored_reports(config: Config, choice: Choice) -> tuple[ThreadReport, ...]:
    """The chosen threads' reports, in the order of the store. Raises UsageError for a wrong choice."""
    from referee.store import open_store

    if choice.board is not None and choice.board not in config.boards:
        raise UsageError(
            f"--board: there is no board {choice.board!r}; configured: {', '.join(config.boards) or 'none'}"
        )
    since = _moment(config, choice.since)
    with open_store(paths_of(config).database) as store:
        found = tuple(_reports(config, choice, since, store))
    if choice.thread is not None and not found:
        raise UsageError(f"--thread: {choice.thread} is not stored; `referee audit` fetches it")
    return found


def _reports(config: Config, choice: Choice, since: datetime | None, store: Store) -> Iterator[ThreadReport]:
    for thread in store.threads.all(choice.board):
        settings = config.boards.get(thread.board)
        if settings is None or settings.ruleset is None:
            continue
        if choice.thread is not None and not _is(thread, choice.thread, store):
            continue
        report = _judged(config, thread, settings, store)
        report = replace(report, findings=tuple(f for f in report.findings if _about(f, report, choice.player)))
        if since is not None:
            fresh = {row.fingerprint for row in store.findings.all(thread.id) if row.first_seen >= since}
            report = replace(report, findings=tuple(f for f in report.findings if f.fingerprint in fresh))
            if not report.findings:
                continue
        yield report


def _is(thread: StoredThread, url: str, store: Store) -> bool:
    known = store.threads.find(thread.board, url)
    return known is not None and known.id == thread.id


def _judged(config: Config, thread: StoredThread, settings: BoardConfig, store: Store) -> ThreadReport:
    target = Target(thread.url, thread.board, settings, configured=True)
    read = store.threads.as_read(thread.id)
    return judge_stored(config, target, read, thread.id, None, store).report


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


def mark_reported(config: Config) -> None:
    """Remember that everything until now has been reported (for `--since last`)."""
    mark = paths_of(config).data_dir / "reported"
    fresh = mark.with_name("reported.part")
    fresh.write_text(datetime.now(UTC).isoformat(), encoding="utf-8")
    fresh.replace(mark)
