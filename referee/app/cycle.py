"""One pass over all watched boards: gather each thread that is due, judge each thread that has changed.

What `referee run` calls. A pass holds the installation's lock; a second one leaves at once. It may
be killed at any moment: pages are archived one by one, a thread is stored in one transaction, and
what was not reported as done is simply due again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from referee.app.config import need_board
from referee.app.conversation import crashed, now_utc
from referee.app.due import due_now, next_full, quick_pause, said_due
from referee.app.errors import RefereeError, UsageError
from referee.app.gather import BoardChoice, Fetcher, Gathered, GatherOptions, Stopped, gather
from referee.app.incidents import (
    GatherError,
    Unreached,
    close_trouble,
    close_unconfigured,
    close_unwatched,
    note_trouble,
    shut_threads,
)
from referee.app.lists import SHUT_AGAIN, Sections
from referee.app.lock import installation_lock
from referee.app.paths import Located, paths_of
from referee.ports.boards import Board, ReadOptions, ThreadRead
from referee.ports.sayings import counted

if TYPE_CHECKING:
    from referee.store.store import Store

#: After so many threads of a board in a row got no answer, the rest wait for the next pass.
_PATIENCE = 2


class Watched(Protocol):
    """What a pass needs to know of a board (`[boards.NAME]`)."""

    @property
    def url(self) -> str: ...  # noqa: D102 - as in the configuration
    @property
    def engine(self) -> str | None: ...  # noqa: D102
    @property
    def ruleset(self) -> str | None: ...  # noqa: D102
    @property
    def timezone(self) -> str | None: ...  # noqa: D102
    @property
    def threads(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def forums(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def forum_pages(self) -> int: ...  # noqa: D102
    @property
    def ignore(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def selectors(self) -> Mapping[str, str]: ...  # noqa: D102


class Watching(Located, Protocol):
    """What a pass needs of the configuration."""

    @property
    def boards(self) -> Mapping[str, Any]:
        """The watched boards by name; see Watched."""
        ...


@dataclass(frozen=True, slots=True)
class Event:
    """Something for the log. `kind`: busy, read, unchanged, waiting, judged, trouble, stopped or done."""

    kind: str
    text: str
    board: str = ""
    thread: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """A thread to judge. `thread`: its number in the store; `changed`: whether the posts are not as before."""

    board: str
    settings: Any
    url: str
    thread: int
    changed: bool
    store: Store

    def read(self) -> ThreadRead:
        """The thread with all stored revisions."""
        return self.store.threads.as_read(self.thread)


@dataclass(slots=True)
class CycleResult:
    """What a pass did. `asked`: requests for pages; `troubles`: one line for each thread in trouble.

    `wrong`: one of them was the configuration's.
    """

    threads: int = 0
    changed: int = 0
    judged: int = 0
    asked: int = 0
    busy: bool = False
    stopped: bool = False
    wrong: bool = False
    troubles: list[str] = field(default_factory=list)

    @property
    def status(self) -> int:
        """The exit status: 2 for a wrong configuration, 3 where a board could not be reached or read, else 0."""
        return 2 if self.wrong else 3 if self.troubles else 0


#: Judges a thread; gives lines of trouble that did not stop it (rolls out of reach).
Judge = Callable[[Work], Iterable[str] | None]
Stamp = Callable[[str, Any], Iterable[str]]


@dataclass(frozen=True, slots=True)
class CycleOptions:
    """Details of a pass. `only`: the one board to look at. `fresh`: read everything now.

    `stamp(board, settings)`: what judgements rest on besides the store - versions of ruleset and
    engine, profile, tables, sheets; a change of it has every thread judged again. `publish(result)`
    is called at the end, still under the lock. `look_again`: after a reading of all pages, a thread is
    judged again if one of its rolls was looked at longer ago, so that a changed record is noticed.
    """

    only: str | None = None
    fresh: bool = False
    stop: Callable[[], bool] = lambda: False
    stamp: Stamp = lambda board, settings: ()
    publish: Callable[[CycleResult], object] = lambda result: None
    look_again: timedelta = timedelta(days=7)
    clock: Callable[[], datetime] = now_utc


def run_cycle(
    config: Watching,
    store: Store,
    session: Fetcher,
    boards: Sequence[Board],
    judge_thread: Judge,
    on_event: Callable[[Event], object],
    options: CycleOptions | None = None,
) -> CycleResult:
    """One pass. Raises UsageError for an unknown board, StoreError when the store can't be written."""
    options = options or CycleOptions()
    need_board(config.boards, options.only)
    with installation_lock(paths_of(config).lock) as holder:
        if holder is not None:
            on_event(Event("busy", f"another run is at work ({holder}); leaving it to that one"))
            return CycleResult(busy=True)
        return _Cycle(config, store, session, boards, judge_thread, on_event, options).run()


class _Cycle:
    """One pass under the lock."""

    def __init__(
        self,
        config: Watching,
        store: Store,
        session: Fetcher,
        boards: Sequence[Board],
        judge: Judge,
        on_event: Callable[[Event], object],
        options: CycleOptions,
    ) -> None:
        self.config = config
        self.store = store
        self.session = session
        self.boards = boards
        self.judge = judge
        self.on_event = on_event
        self.options = options
        self.result = CycleResult()
        self.shut: dict[str, datetime] = {}

    def run(self) -> CycleResult:
        """All boards, then the publishing."""
        if self.options.only is None:
            close_unconfigured(self.store, self.config.boards)
        try:
            for name, settings in self.config.boards.items():
                if self.options.only in (None, name):
                    self._board(name, settings)
        except Stopped:
            self.result.stopped = True
            self._say("stopped", "stopped; the next run goes on from here")
            return self.result
        self.options.publish(self.result)
        result = self.result
        counts = f"{counted(result.threads, 'thread')}, {result.changed} changed, {result.judged} judged"
        self._say("done", f"{counts}, {counted(result.asked, 'page')} asked for, {len(result.troubles)} in trouble")
        return result

    def _board(self, name: str, settings: Watched) -> None:
        """All threads of one board; one that does not answer is not asked for every thread."""
        silent = 0
        choice = choice_of(name, settings)
        threads = tuple(dict.fromkeys((*settings.threads, *self._listed(choice, settings))))
        shut = {} if self.options.fresh else shut_threads(self.store, name)
        self.shut = {url: last for url, last in shut.items() if url in threads and url not in settings.threads}
        if len(self.shut) == len(threads) > 0:
            self._trouble(f"guests see none of the {len(threads)} threads in its sections", name, settings.forums[0])
        seen: set[int] = set()
        for index, url in enumerate(threads):
            if self.options.stop():
                raise Stopped(url)
            if url in self.shut and self.options.clock() - self.shut[url] < SHUT_AGAIN:
                continue
            if silent >= _PATIENCE:
                left = len(threads) - index
                self._say("trouble", f"no answer from {settings.url}; {left} more threads wait for the next run", name)
                return
            known = self.store.threads.find(name, url)
            if known is not None and known.id in seen:
                continue  # it was listed under another address as well
            trouble = self._thread(choice, settings, url)
            known = known or self.store.threads.find(name, url)
            seen.update({known.id} if known is not None else ())
            silent = silent + 1 if isinstance(trouble, Unreached) else 0

    def _listed(self, choice: BoardChoice, settings: Watched) -> tuple[str, ...]:
        """The threads of the board's watched sections."""
        options = GatherOptions(fresh=self.options.fresh, stop=self.options.stop)
        sections = Sections(choice, self.session, self.boards, self.store, options, settings.ignore)
        threads = sections.threads(settings.forums, settings.forum_pages, self.options.clock())
        self.result.asked += sections.asked
        for forum, error in sections.troubles:
            self._trouble(str(error), choice.name, forum)
        if not sections.troubles:
            close_unwatched(self.store, choice.name, {*settings.threads, *settings.forums, *threads})
        return threads

    def _thread(self, choice: BoardChoice, settings: Watched, url: str) -> GatherError | None:
        """Gather a thread if it is due, then judge it if anything it rests on has changed."""
        self.result.threads += 1
        known = self.store.threads.find(choice.name, url)
        due = True if self.options.fresh else due_now(known, self.options.clock())
        gathered: Gathered | None = None
        if due is None:
            self._say("waiting", f"not due before {said_due(known)}", choice.name, url)
        else:
            gathered = self._gather(choice, url, due)
        thread = gathered.thread if gathered is not None else known.id if known is not None else None
        if thread is not None:
            work = Work(choice.name, settings, url, thread, bool(gathered and gathered.changed), self.store)
            self._judge(work, whole=gathered is not None and gathered.whole)
        return gathered.trouble if gathered is not None else None

    def _gather(self, choice: BoardChoice, url: str, whole: bool) -> Gathered:
        """Gather a thread and set when it is due again."""
        options = GatherOptions(whole=whole, fresh=self.options.fresh, load=False, stop=self.options.stop)
        gathered = gather(url, choice, self.session, self.boards, self.store, options)
        self.result.asked += gathered.asked
        self.result.changed += gathered.changed
        if gathered.trouble is not None and url in self.shut and gathered.trouble.kind in ("login", "missing"):
            self._say("waiting", str(gathered.trouble), choice.name, url)  # told when it was new
        elif gathered.trouble is not None:
            self._trouble(str(gathered.trouble), choice.name, url)
        elif gathered.whole and not gathered.read.complete and gathered.read.problems:
            self._trouble(f"not all of the thread was read: {gathered.read.problems[0]}", choice.name, url)
        if gathered.saved is not None:
            self._reschedule(gathered)
            self._say("read" if gathered.changed else "unchanged", _told(gathered), choice.name, url)
        return gathered

    def _reschedule(self, gathered: Gathered) -> None:
        """Soon after a change, later and later while nothing happens."""
        assert gathered.thread is not None
        now = self.options.clock()
        stored = self.store.threads.get(gathered.thread)
        unchanged, full = next_full(stored, gathered, now)
        quick = now + quick_pause(now - stored.changed_at)
        self.store.threads.schedule(stored.id, quick=quick, full=full, unchanged=unchanged)

    def _judge(self, work: Work, *, whole: bool) -> None:
        """Judge a thread unless all that it rests on is as it was when it was judged last."""
        stamp = tuple(self.options.stamp(work.board, work.settings))
        threads = self.store.threads
        same = threads.get(work.thread).judged_key == threads.key(work.thread, stamp)
        if same and not self._rolls_due(work.thread, whole):
            return
        try:
            trouble = self.judge(work)
        except Exception as error:
            if _must_stop(error):
                raise
            self._not_judged(work, error)
            return
        # The rolls that judging looked up are part of the key now.
        threads.judged(work.thread, threads.key(work.thread, stamp))
        close_trouble(self.store, work.board, work.url, "judge")
        self.result.judged += 1
        self._say("judged", "judged", work.board, work.url)
        for line in trouble or ():
            self._trouble(line, work.board, work.url)

    def _rolls_due(self, thread: int, whole: bool) -> bool:
        """Whether rolls are to be looked at again: they did not answer, were missing, or were looked at long ago."""
        if self.store.rolls.pending(thread):
            return True
        oldest = self.store.rolls.oldest_look(thread) if whole else None
        if oldest is not None and (self.options.fresh or self.store.rolls.pending(thread, "missing")):
            return True
        return oldest is not None and oldest < self.options.clock() - self.options.look_again

    def _not_judged(self, work: Work, error: Exception) -> None:
        """A thread that could not be judged is an incident; the other threads go on."""
        self.result.wrong |= isinstance(error, RefereeError) and error.status == UsageError.status
        line = str(error) if isinstance(error, RefereeError) else str(crashed("judging", work.url, error))
        kind = error.kind if isinstance(error, GatherError) else "judge"
        note_trouble(self.store, work.board, work.url, kind, line)
        self._trouble(line, work.board, work.url)

    def _trouble(self, line: str, board: str, url: str) -> None:
        """A line for the log and the exit status."""
        self.result.troubles.append(line)
        self._say("trouble", line, board, url)

    def _say(self, kind: str, text: str, board: str = "", thread: str = "") -> None:
        """Tell the log."""
        self.on_event(Event(kind, text, board, thread))


def choice_of(name: str, settings: Watched) -> BoardChoice:
    """How to read the threads of a configured board."""
    day_first = getattr(settings, "day_first", None)
    options = ReadOptions(settings.timezone or "UTC", day_first, dict(settings.selectors))
    return BoardChoice(name, settings.engine, options)


def _must_stop(error: Exception) -> bool:
    """Whether an error ends the pass: the store can't be written, or we were asked to stop."""
    from referee.store.errors import StoreError

    return isinstance(error, StoreError | Stopped)


def _told(gathered: Gathered) -> str:
    """What a reading brought, in words."""
    saved = gathered.saved
    assert saved is not None
    parts = [("new", saved.new), ("edited", saved.edited), ("deleted", saved.deleted), ("back", saved.returned)]
    said = ", ".join(f"{len(ids)} {word}" for word, ids in parts if ids) or "nothing new"
    return f"{said} ({'all pages' if gathered.whole else 'last page'}, {gathered.asked} asked for)"
