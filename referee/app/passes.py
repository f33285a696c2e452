"""One pass with everything in its place: boards, dice services, rules, store."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.app import plugins
from referee.app.audit import judge_stored, stamp_of
from referee.app.config import DEFAULT_NAME, Config, need_board
from referee.app.errors import UsageError
from referee.app.online import Target, session_for
from referee.app.paths import paths_of
from referee.app.retention import prune_step
from referee.app.sections import refuse_wrong_sections, watches_nothing
from referee.app.sheets import unusable
from referee.ports.sayings import counted

if TYPE_CHECKING:
    from referee.app.cycle import CycleResult, Event, Work

Tell = Callable[[str, str], None]


def one_pass(
    config: Config,
    tell: Tell,
    *,
    only: str | None = None,
    fresh: bool = False,
    stop: Callable[[], bool] = lambda: False,
) -> CycleResult:
    """Gather what is due, judge what has changed, keep the findings; `tell(kind, line)` for the log.

    Raises UsageError for an unknown board or none at all, StoreError when the store can't be written.
    """
    from referee.app.cycle import CycleOptions, run_cycle
    from referee.store import open_store

    need_board(config.boards, only)
    refuse_wrong_sections(config, *([only] if only is not None else []))
    idle = need_watched(config)
    for line in (*((idle,) if idle else ()), *unusable(config)):
        tell("trouble", line)
    with open_store(paths_of(config).database) as store:
        session = session_for(config, store.memory)

        def judge(work: Work) -> tuple[str, ...]:
            target = Target(work.url, work.board, work.settings, configured=True)
            if target.board.ruleset is None:
                tell("trouble", f"{work.url}: boards.{work.board}.ruleset is not set: read, not judged")
                return ()
            done = judge_stored(config, target, work.read(), work.thread, session, work.store, fresh=fresh)
            for line in done.trouble:
                work.store.incidents.note("dice", work.board, work.url, line)
            if not done.trouble:
                work.store.incidents.close(work.board, work.url, "dice")
            worst = [f for f in done.report.findings if f.severity != "notice" and not f.set_aside]
            found = counted(len(done.report.findings), "finding")
            tell("findings", f"{work.url}: {found}, {len(worst)} of them to look at")
            return done.trouble

        def prune(result: CycleResult) -> None:
            line = prune_step(store, config.keep_pages)
            if line is not None:
                tell("pruned", line)

        options = CycleOptions(
            only=only,
            fresh=fresh,
            stop=stop,
            stamp=lambda board, settings: stamp_of(config, board, settings.ruleset),
            publish=prune,
        )
        return run_cycle(config, store, session, plugins.boards(), judge, lambda event: tell(*_said(event)), options)


def need_watched(config: Config) -> str | None:
    """UsageError where no board is configured at all; a line where nothing of the boards is watched."""
    idle = watches_nothing(config)
    if idle is None or config.source is not None:
        return idle
    wanted = "`referee init` writes one, --config names one that lies elsewhere"
    raise UsageError(f"no {DEFAULT_NAME} here, so no board is watched: {wanted}")


def _said(event: Event) -> tuple[str, str]:
    """An event as kind and line."""
    place = f"{event.thread or event.board}: " if event.board or event.thread else ""
    return event.kind, event.text if event.text.startswith(place) else f"{place}{event.text}"
