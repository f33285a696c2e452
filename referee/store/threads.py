"""Threads as they are stored: finding them, reading their posts with all revisions, their key."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update

from referee.model.battle import Post, Revision
from referee.ports.boards import ThreadRead
from referee.store.database import Database
from referee.store.encoding import edit_of, unpack_blocks
from referee.store.saving import Saved, ThreadSave, save_thread
from referee.store.tables import (
    addresses,
    posts,
    revisions,
    roll_records,
    roll_statuses,
    roll_uses,
    rulings,
    threads,
)

_BATCH = 500


@dataclass(frozen=True, slots=True)
class StoredThread:
    """What is known of a thread besides its posts. Times are UTC.

    `reader`: the scraper, version and options that its texts were read with. `next_quick`: from when
    on its last page may be asked for, `next_full`: when all pages are due; None means now.
    `unchanged`: whole readings without a change since the last one. `last_page`,
    `last_page_accept`: the wish for the last page, None where not known. `judged_key`: what
    `Threads.key` gave when it was last judged. `moved_to`: the thread that it was merged into. `zoneless`:
    the pages name no zone for their times. `clock_off`: how many seconds the board's clock was off.
    """

    id: int
    board: str
    url: str
    board_thread_id: str | None
    title: str | None
    engine: str
    engine_version: str | None
    reader: str
    posts_stated: int | None
    locked: bool | None
    first_seen: datetime
    last_seen: datetime
    changed_at: datetime
    full_read_at: datetime | None
    next_quick: datetime | None
    next_full: datetime | None
    unchanged: int
    last_page: str | None
    last_page_accept: str | None
    judged_key: str | None
    moved_to: int | None
    zoneless: bool | None
    clock_off: int | None


class Threads:
    """The threads of all boards."""

    def __init__(self, database: Database) -> None:
        """Use the threads of a database."""
        self._database = database

    def find(self, board: str, asked: str) -> StoredThread | None:
        """The thread that was asked for under an address, or whose own address it is."""
        by_address = select(threads).join(addresses, addresses.c.thread == threads.c.id)
        queries = (
            by_address.where(addresses.c.board == board, addresses.c.asked == asked),
            select(threads).where(threads.c.board == board, threads.c.url == asked),
        )
        with self._database.reading() as connection:
            for query in queries:
                row = connection.execute(query).first()
                if row is not None:
                    return StoredThread(**row._mapping)
        return None

    def get(self, thread: int) -> StoredThread:
        """A thread by its number; KeyError where there is none."""
        with self._database.reading() as connection:
            row = connection.execute(select(threads).where(threads.c.id == thread)).first()
        if row is None:
            raise KeyError(thread)
        return StoredThread(**row._mapping)

    def all(self, board: str | None = None) -> Sequence[StoredThread]:
        """All threads, or those of one board, oldest first."""
        query = select(threads).order_by(threads.c.id)
        if board is not None:
            query = query.where(threads.c.board == board)
        with self._database.reading() as connection:
            return [StoredThread(**row._mapping) for row in connection.execute(query)]

    def save(self, what: ThreadSave) -> Saved:
        """Store a reading of a thread in one transaction."""
        with self._database.writing() as connection:
            return save_thread(connection, what)

    def posts(self, thread: int) -> tuple[Post, ...]:
        """All posts in thread order, revisions oldest first, `deleted` set where they are gone."""
        query = (
            select(posts, revisions.c.seen, revisions.c.blocks)
            .join(revisions, revisions.c.post == posts.c.id)
            .where(posts.c.thread == thread)
            .order_by(posts.c.place, posts.c.id, revisions.c.ordinal)
        )
        with self._database.reading() as connection:
            return tuple(_grouped(connection.execution_options(yield_per=_BATCH).execute(query)))

    def as_read(self, thread: int) -> ThreadRead:
        """A thread as it is stored, in the form of a reading."""
        found = self.get(thread)
        return ThreadRead(
            url=found.url,
            kind="thread",
            posts=self.posts(thread),
            thread_id=found.board_thread_id,
            title=found.title,
            engine=found.engine,
            engine_version=found.engine_version,
            posts_stated=found.posts_stated,
            locked=found.locked,
            zoneless=bool(found.zoneless),
            clock_off=found.clock_off,
        )

    def hashes(self, thread: int) -> dict[str, str]:
        """Post id -> hash of the present text, in thread order; posts that are gone or elsewhere are left out."""
        query = (
            select(posts.c.post, posts.c.text_hash)
            .where(posts.c.thread == thread, posts.c.deleted_at.is_(None), posts.c.moved_at.is_(None))
            .order_by(posts.c.place, posts.c.id)
        )
        with self._database.reading() as connection:
            return {row.post: row.text_hash for row in connection.execute(query)}

    def numbers(self, thread: int) -> dict[str, int]:
        """Post id -> the number that the board printed on it when it was last read, where it prints any."""
        query = select(posts.c.post, posts.c.number).where(posts.c.thread == thread, posts.c.number.is_not(None))
        with self._database.reading() as connection:
            return {row.post: row.number for row in connection.execute(query)}

    def order(self, thread: int) -> tuple[str, ...]:
        """The ids of all posts that were ever seen, in thread order."""
        query = select(posts.c.post).where(posts.c.thread == thread).order_by(posts.c.place, posts.c.id)
        with self._database.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def permalinks(self, thread: int) -> dict[str, str]:
        """Post id -> its address, of the posts that have one."""
        query = select(posts.c.post, posts.c.permalink).where(posts.c.thread == thread, posts.c.permalink.is_not(None))
        with self._database.reading() as connection:
            return {row.post: row.permalink for row in connection.execute(query)}

    def all_permalinks(self, board: str) -> Iterator[tuple[int, str]]:
        """The thread and the address of each post of a board that has one, but for those that have moved away."""
        query = (
            select(posts.c.thread, posts.c.permalink)
            .join(threads, threads.c.id == posts.c.thread)
            .where(threads.c.board == board, posts.c.permalink.is_not(None), posts.c.moved_at.is_(None))
            .order_by(posts.c.id)
        )
        with self._database.reading() as connection:
            for row in connection.execution_options(yield_per=_BATCH).execute(query):
                yield row.thread, row.permalink

    def lost(self, thread: int) -> bool:
        """Whether posts of a thread have moved into a thread that is not stored."""
        away = (posts.c.thread == thread) & posts.c.moved_at.is_not(None)
        there = posts.alias("there")
        home = threads.alias("home")
        own = select(threads.c.board).where(threads.c.id == thread).scalar_subquery()
        stored = (
            select(there.c.id)
            .join(home, home.c.id == there.c.thread)
            .where(home.c.board == own, there.c.thread != thread, there.c.post == posts.c.post)
        )
        with self._database.reading() as connection:
            return connection.execute(select(posts.c.id).where(away, ~stored.exists()).limit(1)).first() is not None

    def schedule(self, thread: int, *, quick: datetime, full: datetime, unchanged: int) -> None:
        """Set when the thread is to be read again."""
        self._set(thread, next_quick=quick, next_full=full, unchanged=unchanged)

    def judged(self, thread: int, judged_key: str) -> None:
        """Note what the thread was judged on."""
        self._set(thread, judged_key=judged_key)

    def key(self, thread: int, stamp: Iterable[str] = ()) -> str:
        """Hash over all that a judgement of the thread rests on: posts, revisions, rolls, rulings, `stamp`.

        `stamp`: what the store does not know - versions of ruleset and engine, profile, tables, sheets.
        """
        digest = hashlib.sha256()
        with self._database.reading() as connection:
            for part in (*stamp, *_material(connection, thread)):
                digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
        return digest.hexdigest()

    def _set(self, thread: int, **values: Any) -> None:
        """Change fields of one thread."""
        with self._database.writing() as connection:
            connection.execute(update(threads).where(threads.c.id == thread).values(**values))


def _grouped(rows: Iterable[Row[Any]]) -> Iterator[Post]:
    """Posts of rows that are sorted by post and hold one revision each."""
    first: Row[Any] | None = None
    found: list[Revision] = []
    for row in rows:
        if first is not None and row.id != first.id:
            yield _post(first, found)
            found = []
        first = row
        found.append(Revision(unpack_blocks(row.blocks), row.seen))
    if first is not None:
        yield _post(first, found)


def _post(row: Row[Any], found: Sequence[Revision]) -> Post:
    """A post of its row and its revisions."""
    return Post(
        id=row.post,
        author=row.author,
        revisions=tuple(found),
        at=row.at,
        precision=row.precision,
        origin=row.origin,
        edited=edit_of(row.edited, row.edited_at, row.edited_by, row.edit_count, row.edit_reason),
        deleted=row.deleted_at,
        # What the board printed before a post was gone: the numbers of those behind it have moved up since.
        number=row.number if row.deleted_at is None and row.moved_at is None else None,
        author_id=row.author_id,
        permalink=row.permalink,
    )


def _material(connection: Connection, thread: int) -> Iterator[str]:
    """Everything stored that a judgement rests on, in a fixed order."""
    columns = (posts.c.post, posts.c.author, posts.c.at, posts.c.precision, posts.c.edited_at, posts.c.deleted_at)
    queries = (
        select(threads.c.zoneless, threads.c.clock_off).where(threads.c.id == thread),
        select(*columns, revisions.c.text_hash, revisions.c.seen)
        .join(revisions, revisions.c.post == posts.c.id)
        .where(posts.c.thread == thread)
        .order_by(posts.c.place, posts.c.id, revisions.c.ordinal),
        select(roll_uses.c.roll, roll_records.c.ordinal)
        .outerjoin(roll_records, roll_records.c.roll == roll_uses.c.roll)
        .where(roll_uses.c.thread == thread)
        .order_by(roll_uses.c.roll, roll_records.c.ordinal),
        select(roll_uses.c.roll, roll_statuses.c.id)
        .join(roll_statuses, roll_statuses.c.roll == roll_uses.c.roll)
        .where(roll_uses.c.thread == thread)
        .order_by(roll_uses.c.roll, roll_statuses.c.id),
        select(rulings.c.id).where(rulings.c.thread == thread, rulings.c.withdrawn_at.is_(None)).order_by(rulings.c.id),
    )
    for query in queries:
        for row in connection.execution_options(yield_per=_BATCH).execute(query):
            yield repr(tuple(row))
        yield "--"
