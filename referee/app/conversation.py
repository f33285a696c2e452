"""A conversation with one board about one thread: wishes are answered, archived, and only then read."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from referee import __version__
from referee.app.detect import detect
from referee.app.incidents import GatherError, PageChanged, PluginCrashed, UnknownEngine, Unreached, refused
from referee.ports.boards import Board, Page, ReadOptions, ThreadRead, Wish

if TYPE_CHECKING:
    from referee.store.archive import Fetch, Reader
    from referee.store.store import Store

#: No thread has more pages; a board that asks on is going round in circles.
_MOST_WISHES = 5000

#: The status that stands for "no answer came", for boards that read on without a page.
NO_ANSWER = 599


class Fetcher(Protocol):
    """Answers wishes: the network's session, the archive, a test's pages."""

    def get(self, wish: Wish, *, fresh: bool = False) -> Page:
        """The page wished for; `fresh` asks even where an answer is at hand. Raises where none comes."""
        ...


class Stopped(Exception):
    """The reading was asked to stop; every page so far is in the archive."""


class NotArchived(GatherError):
    """The archive does not hold the page."""

    kind = "unreachable"


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """The board of a thread. `name`: as configured, or the host. `engine`: None to detect it."""

    name: str
    engine: str | None = None
    options: ReadOptions = field(default_factory=ReadOptions)
    viewer: str = "guest"


@dataclass(frozen=True, slots=True)
class GatherOptions:
    """How to gather. `whole`: read all pages; else the last known page is enough if it fits what is stored.

    `fresh`: ignore cached answers. `load`: give the posts back (else only what has changed).
    `stop()` is asked after each page. `on_page(count, address)` tells of progress. `resume`: how old
    the pages of a reading that was cut off may be to go on from them.
    """

    whole: bool = True
    fresh: bool = False
    load: bool = True
    stop: Callable[[], bool] = lambda: False
    on_page: Callable[[int, str], object] = lambda count, address: None
    resume: timedelta = timedelta(minutes=30)


class ArchiveFetcher:
    """Answers wishes from the archive, never from the network."""

    def __init__(self, store: Store, viewer: str = "guest", since: datetime | None = None) -> None:
        """Use the newest page of each address, not older than `since`."""
        self._store = store
        self._viewer = viewer
        self._since = since

    def get(self, wish: Wish, *, fresh: bool = False) -> Page:
        """The archived page; NotArchived where there is none."""
        found = self.find(wish)
        if found is None:
            raise NotArchived(f"{wish.url} is not in the archive")
        return found.page

    def find(self, wish: Wish) -> Fetch | None:
        """The archived answer, None where there is none."""
        return self._store.archive.newest(wish, viewer=self._viewer, since=self._since)


def board_named(name: str, boards: Sequence[Board], choice: BoardChoice) -> Board:
    """The board reader of that name."""
    for board in boards:
        if board.name == name:
            return board
    there = ", ".join(sorted(board.name for board in boards)) or "none"
    raise UnknownEngine(f"boards.{choice.name}.engine: there is no {name!r}; installed: {there}")


class Conversation:
    """Answers a board's wishes from the network and keeps each answer before giving it on."""

    def __init__(self, choice: BoardChoice, session: Fetcher, store: Store | None, options: GatherOptions) -> None:
        """Begin; nothing is asked yet."""
        self.choice = choice
        self.options = options
        self.asked = 0
        self.answers = 0
        self.clock_off: int | None = None
        self.kept: list[int] = []
        self.failure: GatherError | None = None
        self.resumed: ArchiveFetcher | None = None
        self.last_pages: deque[tuple[Wish, Page]] = deque(maxlen=2)
        self._session = session
        self._store = store
        self._engine = choice.engine or "unknown"

    def anew(self) -> Conversation:
        """The same conversation from its beginning, all pages asked for again."""
        return Conversation(self.choice, self._session, self._store, self.options)

    def first(self, url: str, known: str | None, boards: Sequence[Board]) -> tuple[Board, Page | None]:
        """The board of a thread, with the page that told it where neither configuration nor store did."""
        name = self.choice.engine or known
        if name is not None:
            return board_named(name, boards, self.choice), None
        page = self.ask(Wish(url))
        try:
            return detect(page, boards, self.choice.name), page
        except UnknownEngine:
            if page.status >= 400:
                raise Unreached(f"{url}: the board answers with status {page.status}") from None
            raise

    def read(self, board: Board, url: str, first: Page | None) -> ThreadRead:
        """Let the board ask until it has the thread; GatherError where there is nothing to read."""
        self._engine = board.name
        talk = board.thread(url, first, self.choice.options)
        try:
            wish = next(talk)
            for _ in range(_MOST_WISHES):
                wish = talk.send(self._answer(wish))
        except StopIteration as done:
            return self._judged(board, url, done.value)
        except (GatherError, Stopped):
            raise
        except Exception as error:
            if _is_ours(error):
                raise
            raise self.failure or crashed(board.name, url, error) from error
        finally:
            talk.close()
        raise PageChanged(f"{url}: the board reader asks for more than {_MOST_WISHES} pages")

    def ask(self, wish: Wish) -> Page:
        """One page from the network (or from a reading that was cut off), archived before it is given on."""
        page = self._from_resumed(wish)
        if page is None:
            self.asked += 1
            page = self._from_network(wish)
            if self._store is not None:
                self.kept.append(self._store.archive.keep(wish, page, self._reader()))
        self.answers += 1
        self.last_pages.append((wish, page))
        self.options.on_page(self.answers, wish.url)
        if self.options.stop():
            raise Stopped(wish.url)
        return page

    def _answer(self, wish: Wish) -> Page:
        """The answer to a board's wish. After a failure, boards are told so and nothing more is asked."""
        if self.failure is None:
            try:
                return self.ask(wish)
            except Unreached as error:
                if not self.answers:
                    raise
                self.failure = error
        return Page(wish.url, b"", NO_ANSWER)

    def _from_resumed(self, wish: Wish) -> Page | None:
        """The page, if a reading that was cut off has already received it."""
        found = self.resumed.find(wish) if self.resumed is not None else None
        if found is None:
            return None
        self.kept.append(found.id)
        return found.page

    def _from_network(self, wish: Wish) -> Page:
        """The page from the session, its errors as ours."""
        from referee.network import NetworkError

        try:
            page = self._session.get(wish, fresh=self.options.fresh)
        except NetworkError as error:
            raise Unreached(str(error) or f"{wish.url}: no answer") from error
        self._compare_clocks(page)
        return page

    def _compare_clocks(self, page: Page) -> None:
        """Note how far the board's clock is from ours, the least of all pages: some come late or out of a cache."""
        old = page.header("age") or page.header("x-referee-not-modified")
        if page.fetched_at is not None and page.header("date") and old is None:
            off = round((page.fetched_at - now_utc()).total_seconds())
            self.clock_off = off if self.clock_off is None else min(self.clock_off, off, key=abs)

    def _reader(self) -> Reader:
        """Who reads the page, for the archive."""
        from referee.store.archive import Reader

        return Reader(self._engine, __version__, self.choice.viewer)

    def _judged(self, board: Board, url: str, read: ThreadRead) -> ThreadRead:
        """A reading that holds posts; anything else is an error of its kind."""
        if read.kind == "thread" and read.posts:
            if read.down and self.failure is None:
                self.failure = refused("down", url, "; ".join(read.problems[:3]))
            return read
        if self.failure is not None:
            raise self.failure
        if read.kind in ("unknown", "empty", "missing") and self._is_list(board):
            raise PageChanged(f"{url}: this is a list of threads and no thread; `forums` watches all that stand in it")
        raise refused(read.kind, url, "; ".join(read.problems[:3]))

    def _is_list(self, board: Board) -> bool:
        """Whether the page that came last lists the threads of a section."""
        if board.read_list is None or not self.last_pages:
            return False
        try:
            return board.read_list(self.last_pages[-1][1], self.choice.options).kind == "list"
        except Exception:
            return False  # the thread could not be read either way


def crashed(name: str, subject: str, error: Exception) -> PluginCrashed:
    """A plug-in's crash on one line."""
    return PluginCrashed(f"{subject}: {name} failed: {type(error).__name__}: {' '.join(str(error).split())[:200]}")


def _is_ours(error: Exception) -> bool:
    """Whether an error is the store's (a full disk, a lost database) and not the board reader's."""
    from referee.store.errors import StoreError

    return isinstance(error, StoreError)


def reader_name(board: Board, choice: BoardChoice) -> str:
    """Name of scraper, version and options: texts of another one are read anew from the archive."""
    options = choice.options
    told = repr((options.timezone, options.day_first, sorted(options.selectors.items())))
    return f"{board.name}/{__version__}/{hashlib.sha256(told.encode()).hexdigest()[:12]}"


def now_utc() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
