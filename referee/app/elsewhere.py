"""Posts that a thread no longer shows: deleted, or moved into another thread by staff?

A split takes posts out of the middle of a thread. Only their own addresses tell: a board leads them to the
thread where they stand now. An author must not be told to have deleted what staff have moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from referee.app.conversation import Conversation
from referee.app.incidents import GatherError
from referee.ports.boards import Board, ThreadPage, Wish

#: Addresses that are asked for in one reading; posts beyond are looked for in a later one.
_MOST_ASKED = 20


class Whereabouts(NamedTuple):
    """Posts that are `gone`, and those that were `moved`, each to the address of its thread."""

    gone: frozenset[str]
    moved: Mapping[str, str]


NOWHERE = Whereabouts(frozenset(), {})


def whereabouts(
    missing: Iterable[str], permalinks: Mapping[str, str], thread_id: str | None, board: Board, talk: Conversation
) -> Whereabouts:
    """Ask for missing posts by their addresses. What could not be asked for counts as neither gone nor moved.

    `permalinks`: post -> address as it was read. An engine that knows no such addresses proves nothing here:
    its posts are gone as before.
    """
    gone: set[str] = set()
    moved: dict[str, str] = {}
    asked = 0
    open_ones = list(missing)
    for post in open_ones:
        address = board.wherever(permalinks.get(post, ""))
        if address is None:
            gone.add(post)
        elif post not in moved and asked < _MOST_ASKED:
            asked += 1
            page = _page(Wish(address), board, talk)
            if page is None:
                continue
            there = _others(page, thread_id) & set(open_ones)
            moved |= dict.fromkeys(there, page.url or address)
            if post not in there and not _here(page, thread_id, post):
                gone.add(post)
    return Whereabouts(frozenset(gone - moved.keys()), moved)


def _page(wish: Wish, board: Board, talk: Conversation) -> ThreadPage | None:
    """The page that a post's address leads to; None where no sure answer came."""
    try:
        page = board.read_page(talk.ask(wish), talk.choice.options)
    except GatherError:
        return None
    return page if page.kind in ("thread", "missing", "empty") else None


def _others(page: ThreadPage, thread_id: str | None) -> set[str]:
    """The posts of a page that is another thread's."""
    if page.kind != "thread" or None in (page.thread_id, thread_id) or page.thread_id == thread_id:
        return set()
    return {post.id for post in page.posts if post.deleted is None}


def _here(page: ThreadPage, thread_id: str | None, post: str) -> bool:
    """Whether the post stands in its thread after all: the thread has changed while it was read."""
    same = page.kind == "thread" and page.thread_id == thread_id
    return same and any(one.id == post and one.deleted is None for one in page.posts)
