"""Watched sections of a board: which threads stand in them, so that nobody has to list battles by hand.

A thread with a new post stands at the top of its section's list, so the first pages of the list tell what is new.
Threads that have sunk below them are looked at for some time more, since old posts are edited too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from referee.app.conversation import (
    BoardChoice,
    Conversation,
    Fetcher,
    GatherOptions,
    board_named,
    crashed,
    refused,
)
from referee.app.detect import detect
from referee.app.incidents import GatherError, UnknownEngine, close_trouble, note_trouble
from referee.ports.boards import Board, ListPage, Wish

if TYPE_CHECKING:
    from referee.store.store import Store

#: A thread that has sunk is looked at until nothing has changed in it for so long.
STILL_WATCHED = timedelta(days=30)


class Sections:
    """The watched sections of one board. `asked`: requests made; `troubles`: sections that could not be read."""

    def __init__(
        self, choice: BoardChoice, session: Fetcher, boards: Sequence[Board], store: Store, options: GatherOptions
    ) -> None:
        """Nothing is asked yet."""
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
                found.update(dict.fromkeys(self._listed(forum, pages)))
            except GatherError as error:
                self.troubles.append((forum, error))
                note_trouble(self._store, self.choice.name, forum, error.kind, str(error))
            else:
                close_trouble(self._store, self.choice.name, forum)
        for thread in self._store.threads.all(self.choice.name) if forums else ():
            if thread.moved_to is None and thread.changed_at > now - STILL_WATCHED:
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
                read = self._page(conversation, url)
                yield from (link.url for link in read.threads)
                url = read.next_url
        finally:
            self.asked += conversation.asked

    def _page(self, conversation: Conversation, url: str) -> ListPage:
        """One page of a list; GatherError where it is none."""
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
            return read
        raise refused(read.kind, url, what="section", holds="threads")
