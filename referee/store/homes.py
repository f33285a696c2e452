"""Which stored thread a reading belongs to; posts and whole threads that go from one thread into another.

Staff move, merge and split threads. What was read of a post stays where it was read; a post that stands
in another thread now is marked there as moved, so that nobody takes it for deleted, and a thread of which
nothing is left has been merged into another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select, update

from referee.ports.boards import ThreadRead
from referee.store.columns import key
from referee.store.encoding import text_hash
from referee.store.tables import addresses, posts, rulings, threads
from referee.store.writing import insert_new

#: Ids that one statement looks for.
_BATCH = 500


class Home(NamedTuple):
    """The number of a reading's thread; `left`: the thread that its address led to before, if that is part of it."""

    thread: int
    left: int | None = None


def home_of(connection: Connection, board: str, asked: str, read: ThreadRead, reader: str, now: datetime) -> Home:
    """The thread of a reading, which is made if it is new; the address asked for leads to it from now on."""
    same = (addresses.c.board == board) & (addresses.c.asked == asked)
    former = connection.execute(select(addresses.c.thread).where(same)).scalar()
    held = former is not None and _is_another(connection, former, read) and _holds(connection, read, former)
    found = _find(connection, board, asked, read)
    if found is None and held:
        found = former
    if found is None:
        found = _made(connection, board, asked, read, reader, now)
    row = {"board": board, "asked": asked, "thread": found}
    if not insert_new(connection, addresses, row, "board", "asked"):
        connection.execute(update(addresses).where(same).values(thread=found))
    return Home(found, former if held and former != found else None)


def taken_from_others(connection: Connection, thread: int, board: str, new: Sequence[str], now: datetime) -> None:
    """Mark what other threads of the board hold of a thread's new posts: the same id, text and time say that it moved.

    A thread that has lost all its posts so is merged into this one.
    """
    losers: set[int] = set()
    for start in range(0, len(new), _BATCH):
        losers |= _marked(connection, thread, board, new[start : start + _BATCH], now)
    for loser in sorted(losers):
        standing = (posts.c.thread == loser) & posts.c.deleted_at.is_(None) & posts.c.moved_at.is_(None)
        if connection.execute(select(func.count()).select_from(posts).where(standing)).scalar_one() == 0:
            take_over(connection, loser, thread, now)


def take_over(connection: Connection, old: int, new: int, now: datetime) -> None:
    """Let a thread go into another one: its posts stand there now, and its rulings count there."""
    standing = (posts.c.thread == old) & posts.c.deleted_at.is_(None) & posts.c.moved_at.is_(None)
    connection.execute(update(posts).where(standing).values(moved_at=now))
    connection.execute(update(rulings).where(rulings.c.thread == old).values(thread=new))
    connection.execute(update(threads).where(threads.c.id == old).values(moved_to=new))


def _made(connection: Connection, board: str, asked: str, read: ThreadRead, reader: str, now: datetime) -> int:
    """The number of a new thread."""
    row = {
        "board": board,
        "url": read.url or asked,
        "engine": read.engine,
        "reader": reader,
        "first_seen": now,
        "last_seen": now,
        "changed_at": now,
        "unchanged": 0,
    }
    insert_new(connection, threads, row, "board", "url")
    found = _find(connection, board, asked, read)
    assert found is not None
    return found


def _find(connection: Connection, board: str, asked: str, read: ThreadRead) -> int | None:
    """The number of a known thread: by the board's own id, by its address, by the address asked for."""
    of_board = select(threads.c.id).where(threads.c.board == board)
    queries = [
        of_board.where(threads.c.url == (read.url or asked)),
        _by_address(board, asked, read),
    ]
    if read.thread_id is not None:
        queries.insert(0, of_board.where(threads.c.board_thread_id == read.thread_id, threads.c.engine == read.engine))
    for query in queries:
        found = connection.execute(query).scalar()
        if found is not None:
            return int(found)
    return None


def _by_address(board: str, asked: str, read: ThreadRead) -> Any:
    """The query for the thread that was asked for under this address, unless the board now says it is another."""
    query = (
        select(threads.c.id)
        .join(addresses, addresses.c.thread == threads.c.id)
        .where(addresses.c.board == board, addresses.c.asked == asked)
    )
    if read.thread_id is None:
        return query
    return query.where(threads.c.board_thread_id.is_(None) | (threads.c.board_thread_id == read.thread_id))


def _is_another(connection: Connection, thread: int, read: ThreadRead) -> bool:
    """Whether the board has another number for what was read than for a stored thread."""
    number = connection.execute(select(threads.c.board_thread_id).where(threads.c.id == thread)).scalar()
    return number is not None and read.thread_id is not None and number != read.thread_id


def _holds(connection: Connection, read: ThreadRead, thread: int) -> bool:
    """Whether a reading has at least half of a stored thread's posts, with their texts."""
    standing = (posts.c.thread == thread) & posts.c.deleted_at.is_(None)
    query = select(posts.c.post, posts.c.text_hash).where(standing)
    stored: dict[str, str] = {row.post: row.text_hash for row in connection.execute(query)}
    found = sum(stored.get(key(post.id)) == text_hash(post) for post in read.posts if key(post.id) in stored)
    return found > 0 and 2 * found >= len(stored)


def _marked(connection: Connection, thread: int, board: str, ids: Iterable[str], now: datetime) -> set[int]:
    """Mark the posts with these ids in other threads where they are the same posts; gives those threads."""
    here, there = posts.alias("here"), posts.alias("there")
    same = (
        (there.c.post == here.c.post)
        & (there.c.text_hash == here.c.text_hash)
        & (there.c.at == here.c.at)
        & (there.c.author == here.c.author)
    )
    query = (
        select(there.c.id, there.c.thread)
        .join(threads, threads.c.id == there.c.thread)
        .join(here, same)
        .where(here.c.thread == thread, here.c.post.in_(list(ids)))
        .where(threads.c.board == board, threads.c.id != thread, there.c.moved_at.is_(None))
    )
    found = connection.execute(query).all()
    if found:
        connection.execute(update(posts).where(posts.c.id.in_([row.id for row in found])).values(moved_at=now))
    return {row.thread for row in found}
