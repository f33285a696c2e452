"""Stored threads by the addresses that staff copy: of any page of a thread, or of a post in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.app import plugins
from referee.app.addresses import bare_address
from referee.ports.boards import Board

if TYPE_CHECKING:
    from referee.store.store import Store
    from referee.store.threads import StoredThread


def threads_of(store: Store, url: str) -> tuple[StoredThread, ...]:
    """The stored threads that an address is of, one at most of each board; none where nobody knows it.

    Any address under which the thread was asked for, that of a further page, and the permalink of a stored post.
    """
    engines: dict[str, set[str]] = {}
    for thread in store.threads.all(None):
        engines.setdefault(thread.board, set()).add(thread.engine)
    readers = {board.name: board for board in plugins.boards()}
    found = (
        _thread_of(store, name, url, [readers[engine] for engine in sorted(own) if engine in readers])
        for name, own in engines.items()
    )
    return tuple(thread for thread in found if thread is not None)


def _thread_of(store: Store, board: str, url: str, readers: list[Board]) -> StoredThread | None:
    plain = bare_address(url)
    heads = [head for reader in readers if (head := reader.first_page(plain)) is not None]
    asked = (plain, *(reader.canonical(one) for reader in readers for one in (plain, *heads)))
    found = next(filter(None, (store.threads.find(board, one) for one in dict.fromkeys(asked))), None)
    if found is not None:
        return found
    # Only a post's own address is left, and every board writes those in more than one way.
    wanted = {plain, *_ways(url.strip(), readers)}
    for thread, permalink in store.threads.all_permalinks(board):
        if not wanted.isdisjoint(_ways(permalink, readers)):
            return store.threads.get(thread)
    return None


def _ways(permalink: str, readers: list[Board]) -> set[str]:
    """A post's address, and those under which it stands in whatever thread; an engine may know none."""
    return {permalink, *filter(None, (reader.wherever(permalink) for reader in readers))}
