"""Gathers one thread: the board asks, the network answers, the archive keeps, the board reads, the store compares.

The same code reads live boards and, through `ArchiveFetcher`, the archive: re-reading never needs
the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from referee.app.clocks import is_off
from referee.app.conversation import (
    ArchiveFetcher,
    BoardChoice,
    Conversation,
    Fetcher,
    GatherOptions,
    NotArchived,
    Stopped,
    board_named,
    now_utc,
    reader_name,
)
from referee.app.detect import detect
from referee.app.elsewhere import NOWHERE, Whereabouts, whereabouts
from referee.app.incidents import GatherError, OutOfOrder, Unreached, close_trouble, note_trouble
from referee.app.joining import joined, let_go
from referee.ports.boards import Board, ThreadPage, ThreadRead, Wish

if TYPE_CHECKING:
    from referee.store.saving import Saved
    from referee.store.store import Store
    from referee.store.threads import StoredThread

__all__ = [
    "ArchiveFetcher",
    "BoardChoice",
    "Fetcher",
    "GatherOptions",
    "Gathered",
    "NotArchived",
    "Stopped",
    "detect",
    "gather",
]

#: A quick reading that finds more new pages than this is done as a whole one.
_MOST_NEW_PAGES = 20


@dataclass(frozen=True, slots=True)
class Gathered:
    """What gathering a thread gave.

    `read`: the thread with all stored revisions; without posts where nothing could be read and
    nothing was stored, or where posts were not asked for (`GatherOptions.load`). `trouble`: why it
    could not be reached or read, None where it was; raise it to end a command with status 3 - what
    was stored before is still in `read`. `thread`: its number in the store. `whole`: all pages were
    read. `asked`: requests made.
    """

    read: ThreadRead
    thread: int | None = None
    saved: Saved | None = None
    whole: bool = True
    asked: int = 0
    trouble: GatherError | None = None

    @property
    def changed(self) -> bool:
        """Whether posts are new, edited, gone or back."""
        return self.saved is not None and self.saved.changed


def gather(
    url: str,
    choice: BoardChoice,
    session: Fetcher,
    boards: Sequence[Board],
    store: Store | None = None,
    options: GatherOptions | None = None,
) -> Gathered:
    """Gather a thread. Raises Stopped when asked to stop, StoreError when the store can't be written.

    A thread that can't be reached or read leaves what was stored as it is; the trouble is in the
    operator's list and in the answer.
    """
    options = options or GatherOptions()
    conversation = Conversation(choice, session, store, options)
    known = store.threads.find(choice.name, url) if store is not None else None
    try:
        if store is None:
            board, first = conversation.first(url, None, boards)
            return Gathered(conversation.read(board, url, first), asked=conversation.asked)
        done = _Gathering(url, conversation, boards, store, known).run()
    except GatherError as error:
        note_trouble(store, choice.name, url, error.kind, str(error))
        _ask_anew(store, choice.name, url, error)
        return _as_stored(url, conversation, store, known, error)
    _note_clock(store, choice.name, url, conversation.clock_off)
    if done.trouble is None:
        close_trouble(store, choice.name, url)
    else:
        _ask_anew(store, choice.name, url, done.trouble)
    return done


def _note_clock(store: Store, board: str, url: str, off: int | None) -> None:
    """A board's clock that is minutes off is for the operator to know; so may be this machine's own."""
    if is_off(off):
        minutes, side = round(abs(off or 0) / 60), "ahead of" if (off or 0) > 0 else "behind"
        message = f"the board's clock is {minutes} minutes {side} this machine's: its times are not judged"
        note_trouble(store, board, url, "clock", message)
    elif off is not None:
        close_trouble(store, board, url, "clock")


def _ask_anew(store: Store | None, board: str, url: str, error: GatherError) -> None:
    """Pages that came and could not be read must be asked for again, not gone on from."""
    if store is not None and (isinstance(error, OutOfOrder) or not isinstance(error, Unreached)):
        store.archive.end_reading(board, url)


def _as_stored(
    url: str, conversation: Conversation, store: Store | None, known: StoredThread | None, error: GatherError
) -> Gathered:
    """What is known of a thread that could not be read now."""
    thread = known.id if known is not None else None
    read = ThreadRead(url=url, kind=error.kind)
    if store is not None and thread is not None and conversation.options.load:
        read = store.threads.as_read(thread)
    return Gathered(read, thread, whole=False, asked=conversation.asked, trouble=error)


class _Gathering:
    """Gathering one thread into a store."""

    def __init__(
        self, url: str, conversation: Conversation, boards: Sequence[Board], store: Store, known: StoredThread | None
    ) -> None:
        self.url = url
        self.conversation = conversation
        self.choice = conversation.choice
        self.boards = boards
        self.store = store
        self.known = known

    def run(self) -> Gathered:
        """Read the last page where that is enough, else all pages; store what was read."""
        if self.known is not None:
            self._reparse(self.known)
            if not self.conversation.options.whole:
                quick = self._quick(self.known)
                if quick is not None:
                    return quick
        return self._whole()

    # The last page

    def _quick(self, known: StoredThread) -> Gathered | None:
        """Read from the last known page on; None where that does not fit what is stored."""
        if known.last_page is None or self.choice.engine not in (None, known.engine):
            return None
        board = board_named(known.engine, self.boards, self.choice)
        wish = Wish(known.last_page, known.last_page_accept)
        pages: list[ThreadPage] = []
        while True:
            if len(pages) > _MOST_NEW_PAGES:
                return None
            page = self._page(board, wish, known)
            if page is None:
                return None
            pages.append(page)
            if page.next_url is None:
                break
            wish = Wish(page.next_url, wish.accept)
        threads = self.store.threads
        read = joined(known, pages, threads.hashes(known.id), threads.numbers(known.id))
        if read is None:
            return None
        saved = self._save(board, read, whole=False, last_page=wish)
        return self._gathered(read, saved, whole=False)

    def _page(self, board: Board, wish: Wish, known: StoredThread) -> ThreadPage | None:
        """One page of the thread, None where the answer is anything else."""
        received = self.conversation.ask(wish)
        try:
            page = board.read_page(received, self.choice.options)
        except Exception:
            # The whole reading that follows meets the same crash and puts it on the list.
            return None
        other = None not in (page.thread_id, known.board_thread_id) and page.thread_id != known.board_thread_id
        # A page that shows a part only (number 0), or a skin that hides the names, is the whole reading's business.
        odd = page.page_number == 0 or any(not post.author for post in page.posts if post.deleted is None)
        return None if page.kind != "thread" or not page.posts or other or odd else page

    # All pages

    def _whole(self) -> Gathered:
        """Read all pages; go on from the pages of a reading that was cut off a short while ago."""
        self._resume()
        before = self.conversation.answers
        board, first = self.conversation.first(self.url, self.known.engine if self.known else None, self.boards)
        read = self._checked(self.conversation.read(board, self.url, first))
        failure = self.conversation.failure
        away = NOWHERE
        if self.known is not None and failure is None:
            pages = self.conversation.answers - before
            read, away = self._deletions(self.known, board, read, pages)
        last = self._last_page(board, read) if read.complete else None
        saved = self._save(board, read, whole=failure is None, last_page=last, away=away)
        self._note_oddities(read)
        if failure is not None:
            note_trouble(self.store, self.choice.name, self.url, failure.kind, str(failure))
        return replace(self._gathered(read, saved, whole=failure is None), trouble=failure)

    def _resume(self) -> None:
        """Begin a reading, or go on with one that was cut off."""
        begun = now_utc()
        archive, name = self.store.archive, self.choice.name
        since = archive.begin_reading(name, self.url)
        if since < begun - self.conversation.options.resume or self.conversation.options.fresh:
            archive.end_reading(name, self.url)
            since = archive.begin_reading(name, self.url)
        if since < begun:
            self.conversation.resumed = ArchiveFetcher(self.store, self.choice.viewer, since)

    def _checked(self, read: ThreadRead) -> ThreadRead:
        """The reading, no longer complete where its posts contradict its counts or each other."""
        problems = list(read.problems)
        ids = [post.id for post in read.posts]
        if len(set(ids)) != len(ids):
            problems.append("a post is shown twice")
        if any(not post.author for post in read.posts if post.deleted is None):
            problems.append("a post without an author")
        standing = sum(post.deleted is None for post in read.posts)
        if read.posts_stated not in (None, len(ids), standing):
            problems.append(f"count: {standing} posts read, the board counts {read.posts_stated}")
        sound = len(problems) == len(read.problems) and self.conversation.failure is None
        return replace(read, problems=tuple(problems), complete=read.complete and sound)

    def _deletions(
        self, known: StoredThread, board: Board, read: ThreadRead, pages: int
    ) -> tuple[ThreadRead, Whereabouts]:
        """The posts that are gone or moved, and the reading that proves it.

        While pages are read one by one, a post may slip from a page not yet read to one already
        read when another is removed: with several pages, a post must be missing from two readings.
        """
        missing = self._missing(known, read)
        if missing and pages > 1:
            again = self.conversation.anew()
            read = self._checked(again.read(board, self.url, None))
            self.conversation.asked += again.asked
            self.conversation.failure = again.failure
            self.conversation.last_pages = again.last_pages
            self.conversation.kept += again.kept
            missing &= self._missing(known, read)
        return read, self._looked_for(known, board, missing) if missing else NOWHERE

    def _looked_for(self, known: StoredThread, board: Board, missing: frozenset[str]) -> Whereabouts:
        """Which of the missing posts are gone, and which stand in another thread."""
        order = [post for post in self.store.threads.order(known.id) if post in missing]
        aside = self.conversation.anew()
        found = whereabouts(order, self.store.threads.permalinks(known.id), known.board_thread_id, board, aside)
        self.conversation.asked += aside.asked
        self.conversation.kept += aside.kept
        if found.moved:
            posts = ", ".join(post for post in order if post in found.moved)
            message = f"posts stand in another thread now, {next(iter(found.moved.values()))}: {posts}"
            note_trouble(self.store, self.choice.name, self.url, "moved", message)
        return found

    def _missing(self, known: StoredThread, read: ThreadRead) -> frozenset[str]:
        """Posts that stood before and are provably gone by the rule, if the reading can prove anything."""
        from referee.store.columns import key
        from referee.store.deletions import gone, in_order, merged

        if not read.complete:
            return frozenset()
        stored, ids = self.store.threads.order(known.id), [key(post.id) for post in read.posts]
        if not in_order(stored, ids):
            message = "posts stand in another order than before; nothing is called deleted"
            note_trouble(self.store, self.choice.name, self.url, "drift", message)
            return frozenset()
        close_trouble(self.store, self.choice.name, self.url, "drift")
        if not self.store.threads.lost(known.id):
            close_trouble(self.store, self.choice.name, self.url, "moved")
        return gone(merged(stored, ids), ids) & self.store.threads.hashes(known.id).keys()

    def _last_page(self, board: Board, read: ThreadRead) -> Wish | None:
        """The wish whose page ends with the thread's last post, for quick readings."""
        for wish, page in reversed(self.conversation.last_pages):
            try:
                found = board.read_page(page, self.choice.options)
            except Exception:
                return None
            if found.posts and found.next_url is None and found.posts[-1].id == read.posts[-1].id:
                return wish
        return None

    # The archive

    def _reparse(self, known: StoredThread) -> None:
        """Texts of an older scraper are read anew from the archive first, so that our own change is no edit."""
        board = board_named(self.choice.engine or known.engine, self.boards, self.choice)
        if known.reader == reader_name(board, self.choice):
            return
        archive = ArchiveFetcher(self.store, self.choice.viewer)
        offline = Conversation(self.choice, archive, None, GatherOptions(stop=self.conversation.options.stop))
        try:
            read = self._checked(offline.read(board, self.url, None))
        except GatherError:
            return
        if offline.failure is None:
            self._save(board, read, whole=True, reparsed=True)

    # What all have in common

    def _save(
        self,
        board: Board,
        read: ThreadRead,
        *,
        whole: bool,
        last_page: Wish | None = None,
        away: Whereabouts = NOWHERE,
        reparsed: bool = False,
    ) -> Saved:
        """Store a reading in one transaction."""
        from referee.store.saving import ThreadSave

        reader = reader_name(board, self.choice)
        off = None if reparsed else self.conversation.clock_off
        read = replace(read, engine=read.engine or board.name, clock_off=off)
        what = ThreadSave(
            self.choice.name,
            self.url,
            read,
            reader,
            now_utc(),
            whole=whole,
            deleted=away.gone,
            moved=frozenset(away.moved),
            last_page=last_page,
            reparsed=reparsed,
            pages=() if reparsed else tuple(self.conversation.kept),
        )
        saved = self.store.threads.save(what)
        if saved.shown and not (saved.deleted or away.moved) and len(what.pages) > 1 and self.known is not None:
            let_go(board, self.choice.options, self.store, saved.proof, saved.shown)
        return saved

    def _gathered(self, read: ThreadRead, saved: Saved, *, whole: bool) -> Gathered:
        """The answer, with the stored posts where they are wanted."""
        if self.conversation.options.load:
            stored = self.store.threads.as_read(saved.thread)
            read = replace(stored, complete=read.complete, problems=read.problems, down=read.down)
        else:
            read = replace(read, posts=())
        return Gathered(read, saved.thread, saved, whole, self.conversation.asked)

    def _note_oddities(self, read: ThreadRead) -> None:
        """Counts that contradict and odd pages go to the operator; they end when a reading is sound."""
        if read.complete:
            close_trouble(self.store, self.choice.name, self.url, "count", "odd")
        elif read.problems:
            kind = "count" if any("count" in line for line in read.problems) else "odd"
            note_trouble(self.store, self.choice.name, self.url, kind, "; ".join(read.problems[:5]))
