"""Watched sections of a board: which threads stand in them, so that nobody has to list battles by hand.

A thread with a new post stands at the top of its section's list, so the first pages of the list tell what is new.
Threads that have sunk below them are looked at for some time more, since old posts are edited too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from referee.app.addresses import shown_address
from referee.app.conversation import (
    BoardChoice,
    Conversation,
    Fetcher,
    GatherOptions,
    board_named,
    crashed,
)
from referee.app.detect import detect
from referee.app.incidents import GatherError, PageChanged, UnknownEngine, close_trouble, note_trouble, refused
from referee.ports.boards import Board, ListPage, Wish

if TYPE_CHECKING:
    from referee.store.store import Store
    from referee.store.threads import StoredThread

#: A thread that has sunk is looked at until nothing has changed in it for so long.
STILL_WATCHED = timedelta(days=30)

#: One that asks for a login, or is gone, is asked for again after so long: nobody has listed it.
SHUT_AGAIN = timedelta(days=1)
#: A longer address is no thread's.
LONGEST_ADDRESS = 2000


def left_alone(thread: StoredThread, ignored: Collection[str], boards: Sequence[Board]) -> bool:
    """Whether a stored thread is one of those that staff have taken out of their sections."""
    reader = next((board for board in boards if board.name == thread.engine), None)
    return bool(ignored) and thread.url in {*ignored, *(_canonical(reader, ignored) if reader else ())}


def _canonical(board: Board, addresses: Collection[str]) -> set[str]:
    """Addresses as the board's own lists have them."""
    return {board.canonical(url.split("#", 1)[0]) for url in addresses}


class Sections:
    """The watched sections of one board. `asked`: requests made; `troubles`: sections that could not be read.

    `ignored`: addresses of threads in them that nobody wants to have looked at.
    """

    def __init__(
        self,
        choice: BoardChoice,
        session: Fetcher,
        boards: Sequence[Board],
        store: Store,
        options: GatherOptions,
        ignored: Collection[str] = (),
    ) -> None:
        """Nothing is asked yet."""
        self.ignored = ignored
        self.choice = choice
        self.asked = 0
        self.troubles: list[tuple[str, GatherError]] = []
        self._session = session
        self._boards = boards
        self._store = store
        self._options = options

    def threads(self, forums: Sequence[str], pages: int, now: datetime) -> tuple[str, ...]:
        """The addresses of the threads to look at: those on the first pages of the sections, and those that have sunk.

        A section that can't be read leaves its trouble in the list; the others are read all the same.
        """
        found: dict[str, None] = {}
        for forum in dict.fromkeys(forums):
            try:
                for url in self._listed(forum, pages):
                    found[url] = None
            except GatherError as error:
                self.troubles.append((forum, error))
                note_trouble(self._store, self.choice.name, forum, error.kind, str(error))
            else:
                close_trouble(self._store, self.choice.name, forum)
        for thread in self._store.threads.all(self.choice.name) if forums else ():
            recent = thread.moved_to is None and thread.changed_at > now - STILL_WATCHED
            if recent and not left_alone(thread, self.ignored, self._boards):
                found[thread.url] = None
        return tuple(found)

    def _listed(self, forum: str, pages: int) -> Iterator[str]:
        """The addresses on the first pages of a section's list."""
        conversation = Conversation(self.choice, self._session, self._store, self._options)
        url: str | None = forum
        seen: set[str] = set()
        try:
            while url is not None and url not in seen and len(seen) < pages:
                seen.add(url)
                board, read = self._page(conversation, url)
                out = _canonical(board, self.ignored)
                yield from (link for link in _own(read, url) if link not in out)
                url = read.next_url
        finally:
            self.asked += conversation.asked

    def _page(self, conversation: Conversation, url: str) -> tuple[Board, ListPage]:
        """One page of a list, and who read it; GatherError where it is none."""
        page = conversation.ask(Wish(url))
        engine = self.choice.engine
        board = (
            detect(page, self._boards, self.choice.name)
            if engine is None
            else board_named(engine, self._boards, self.choice)
        )
        if board.read_list is None:
            raise UnknownEngine(f"{url}: sections of {board.name} boards can't be read; list the threads instead")
        try:
            read = board.read_list(page, self.choice.options)
        except Exception as error:
            raise crashed(board.name, url, error) from error
        if read.kind == "list":
            return board, read
        raise refused(read.kind, url, what="section", holds="threads")


def _own(read: ListPage, url: str) -> Iterator[str]:
    """The threads that stand on the list's own host: what leads elsewhere is no thread of this board.

    PageChanged where all of them lead elsewhere, as on a board that answers under two names.
    """
    links = [link.url for link in read.threads if len(link.url) <= LONGEST_ADDRESS]
    own = [link for link in links if _host(link) == _host(url)]
    if links and not own:
        other = shown_address(_host(links[0]))
        raise PageChanged(f"{url}: the threads in this list are on {other}: use that name in `url` and `forums`")
    yield from own


def _host(url: str) -> str:
    """The host of an address with whatever stands before and behind it; nothing where it is no address."""
    try:
        return urlsplit(url).netloc.casefold()
    except ValueError:
        return ""
