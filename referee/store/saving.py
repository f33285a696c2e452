"""Writes one reading of a thread: new posts, new revisions, posts that are gone, all in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select, update

from referee.model.battle import Post
from referee.ports.boards import ThreadRead, Wish
from referee.store.archive import mark_basis
from referee.store.columns import as_utc, clean, key, whole
from referee.store.deletions import merged
from referee.store.encoding import pack_blocks, text_hash
from referee.store.homes import home_of, take_over, taken_from_others
from referee.store.tables import posts, readings, revisions, threads
from referee.store.writing import lock_thread

#: From the least to the most that is known of a time.
_PRECISIONS = ("unknown", "day", "minute", "second")


@dataclass(frozen=True, slots=True)
class ThreadSave:
    """A reading to store.

    `asked`: the address asked for. `reader`: scraper, version and options that read it. `now`: UTC.
    `whole`: all pages were asked for. `deleted`: ids that the caller has proven to be gone, `moved`: to stand
    in another thread now.
    `last_page`: the wish for the last page, where known. `reparsed`: the pages come from the archive,
    read by a newer scraper: texts are put in place of what the older one read, nothing is "edited".
    `pages`: the archive's numbers of the pages that were read: what changes rests on them.
    """

    board: str
    asked: str
    read: ThreadRead
    reader: str
    now: datetime
    whole: bool = True
    deleted: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    last_page: Wish | None = None
    reparsed: bool = False
    pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """What a reading has changed: the thread's number, ids of new, edited, gone and returned posts.

    `proof`: the pages on which that rests, and nothing that was stored before.
    """

    thread: int
    new: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    proof: tuple[int, ...] = ()

    @property
    def shown(self) -> frozenset[str]:
        """The posts whose change a single page shows."""
        return frozenset((*self.new, *self.edited, *self.returned))

    @property
    def changed(self) -> bool:
        """Whether anything did."""
        return bool(self.new or self.edited or self.deleted or self.returned)


@dataclass(slots=True)
class _Changes:
    """Rows to write, collected first so that each statement runs once."""

    new: list[dict[str, Any]]
    texts: list[tuple[Any, dict[str, Any]]]
    fields: list[dict[str, Any]]
    replaced: list[dict[str, Any]]
    edited: list[str]
    deleted: list[str]
    returned: list[str]


def save_thread(connection: Connection, what: ThreadSave) -> Saved:
    """Store a reading; see ThreadSave."""
    home = home_of(connection, what.board, what.asked, what.read, what.reader, what.now)
    thread = home.thread
    lock_thread(connection, thread)
    rows = {row.post: row for row in connection.execute(_stored_posts(thread)).all()}
    read_ids = [key(post.id) for post in what.read.posts]
    order = merged(list(rows), read_ids)
    changes = _Changes([], [], [], [], [], [], [])
    for post in {key(post.id): post for post in what.read.posts}.values():
        _compare(what, thread, post, rows.get(key(post.id)), changes)
    _mark_gone(what, rows, set(read_ids), changes)
    _write(connection, thread, changes, what.now)
    back = _mark_moved(connection, what, rows, set(read_ids))
    if order != tuple(rows):
        _write_places(connection, thread, order)
    arrived = [*(row["post"] for row in changes.new), *back]
    if arrived:
        taken_from_others(connection, thread, what.board, arrived, what.now)
    if home.left is not None:
        take_over(connection, home.left, thread, what.now)
    saved = Saved(
        thread,
        tuple(row["post"] for row in changes.new),
        tuple(changes.edited),
        tuple(changes.deleted),
        tuple(changes.returned),
    )
    if saved.changed or what.moved:
        saved = replace(saved, proof=mark_basis(connection, what.pages))
    _finish(connection, what, saved)
    return saved


def _stored_posts(thread: int) -> Any:
    """The query for a thread's posts in order, each with its newest revision (not its blocks)."""
    return (
        select(posts, revisions.c.ordinal, revisions.c.reader, revisions.c.id.label("revision"))
        .join(revisions, (revisions.c.post == posts.c.id) & (revisions.c.text_hash == posts.c.text_hash))
        .where(posts.c.thread == thread)
        .order_by(posts.c.place, posts.c.id, revisions.c.ordinal)
    )


def _compare(what: ThreadSave, thread: int, post: Post, row: Row[Any] | None, changes: _Changes) -> None:
    """Note what has to be written for one post of the reading."""
    digest = text_hash(post)
    if row is None:
        changes.new.append(_new_post(what, thread, post, digest))
        changes.texts.append((None, _new_text(what, post, digest, key(post.id), 0)))
        return
    fields = _fields(post, row) | {"last_seen": row.last_seen if what.reparsed else what.now}
    fields |= _presence(what, post, row, changes)
    if digest != row.text_hash and post.deleted is None:
        fields["text_hash"] = digest
        _note_text(what, post, row, digest, changes)
    elif row.reader != what.reader and post.deleted is None:
        changes.replaced.append(_replacement(what, post, row, digest))
    changes.fields.append({"key_id": row.id, **fields})


def _note_text(what: ThreadSave, post: Post, row: Row[Any], digest: str, changes: _Changes) -> None:
    """A text that differs is a new revision - unless it is only our reading of it that has changed."""
    if what.reparsed or (row.reader != what.reader and not _edit_differs(post, row)):
        changes.replaced.append(_replacement(what, post, row, digest))
        return
    changes.texts.append((row.id, _new_text(what, post, digest, row.post, row.ordinal + 1)))
    changes.edited.append(row.post)


def _presence(what: ThreadSave, post: Post, row: Row[Any], changes: _Changes) -> dict[str, Any]:
    """Whether a post that the reading shows counts as deleted: only if the board itself says so."""
    if what.reparsed:
        return {"deleted_at": row.deleted_at}
    if post.deleted is not None and row.deleted_at is None:
        changes.deleted.append(row.post)
        return {"deleted_at": post.deleted}
    if post.deleted is None and row.deleted_at is not None:
        changes.returned.append(row.post)
        return {"deleted_at": None}
    return {"deleted_at": row.deleted_at}


def _mark_gone(what: ThreadSave, rows: Mapping[str, Row[Any]], seen: set[str], changes: _Changes) -> None:
    """Mark the posts that the caller has proven to be gone."""
    for post in sorted(what.deleted - seen):
        row = rows.get(post)
        if row is not None and row.deleted_at is None:
            changes.deleted.append(post)
            kept = {name: getattr(row, name) for name in _FIELDS}
            changes.fields.append({"key_id": row.id, **kept, "last_seen": row.last_seen, "deleted_at": what.now})


def _mark_moved(connection: Connection, what: ThreadSave, rows: Mapping[str, Row[Any]], seen: set[str]) -> list[str]:
    """Mark the posts that stand in another thread now; those that are back lose the mark, and are given."""
    away = [rows[post].id for post in what.moved - seen if post in rows]
    back = [post for post, row in rows.items() if row.moved_at is not None and post in seen and not what.reparsed]
    for ids, moment in ((away, what.now), ([rows[post].id for post in back], None)):
        if ids:
            connection.execute(update(posts).where(posts.c.id.in_(ids)).values(moved_at=moment))
    return back


_FIELDS = (
    "number",
    "author",
    "author_id",
    "permalink",
    "at",
    "precision",
    "origin",
    "edited",
    "edited_at",
    "edited_by",
    "edit_count",
    "edit_reason",
    "text_hash",
)


def _fields(post: Post, row: Row[Any] | None) -> dict[str, Any]:
    """The columns that follow the newest reading."""
    edit = post.edited
    fields = {
        "number": whole(post.number),
        "author": post.author,
        "author_id": post.author_id,
        "permalink": post.permalink,
        "at": post.at,
        "precision": post.precision,
        "origin": post.origin,
        "edited": edit is not None,
        "edited_at": edit and edit.at,
        "edited_by": edit and edit.by,
        "edit_count": whole(edit.count) if edit else None,
        "edit_reason": edit and edit.reason,
    }
    if row is None:
        return fields
    if _better_known(row, post):
        fields |= {"at": row.at, "precision": row.precision, "origin": row.origin}
    if (not post.author and row.author) or _account_gone(row, post):
        # A page whose skin hides the names tells nothing new about who wrote, nor does "Guest" for a closed account.
        fields |= {"author": row.author, "author_id": row.author_id}
    elif post.author_id is None and post.author == row.author:
        fields["author_id"] = row.author_id
    if post.deleted is not None:
        # A tombstone shows less than the post did: keep what was seen.
        kept = ("author", "author_id", "edited", "edited_at", "edited_by", "edit_count", "edit_reason")
        fields |= {name: getattr(row, name) for name in kept}
    return fields | {"text_hash": row.text_hash}


def _account_gone(row: Row[Any], post: Post) -> bool:
    """Whether a member's post now stands there as a guest's under another name: the account was deleted."""
    return row.author_id is not None and post.author_id is None and post.author != row.author


def _better_known(row: Row[Any], post: Post) -> bool:
    """Whether the stored time is to be kept: more exact, or the new one moves with the clock of the reading."""
    if row.at is None or post.at is None:
        return row.at is not None
    stored, new = _rank(row.precision), _rank(post.precision)
    return stored > new or (stored == new and post.origin == "relative")


def _rank(precision: str) -> int:
    """How exact a time is."""
    return _PRECISIONS.index(precision) if precision in _PRECISIONS else 0


def _edit_differs(post: Post, row: Row[Any]) -> bool:
    """Whether the board says that the post was edited since."""
    edit = post.edited
    if edit is None:
        return False
    if edit.count is not None and row.edit_count is not None:
        return bool(whole(edit.count) != row.edit_count)
    if edit.at is None or post.origin == "relative":
        return not row.edited
    return bool(row.edited_at is None or as_utc(edit.at) > row.edited_at)


def _new_post(what: ThreadSave, thread: int, post: Post, digest: str) -> dict[str, Any]:
    """The row of a post that was not seen before."""
    own = {"thread": thread, "post": key(post.id), "place": 0, "text_hash": digest}
    seen = {"first_seen": what.now, "last_seen": what.now, "deleted_at": post.deleted}
    return own | seen | _fields(post, None)


def _new_text(what: ThreadSave, post: Post, digest: str, post_key: str, ordinal: int) -> dict[str, Any]:
    """The row of a new revision; `post` is filled in when the post's number is known."""
    return {
        "post_key": post_key,
        "ordinal": ordinal,
        "seen": what.now,
        "text_hash": digest,
        "reader": what.reader,
        "blocks": pack_blocks(post.blocks),
    }


def _replacement(what: ThreadSave, post: Post, row: Row[Any], digest: str) -> dict[str, Any]:
    """The newest revision as the newer scraper reads it."""
    return {"key_id": row.revision, "text_hash": digest, "reader": what.reader, "blocks": pack_blocks(post.blocks)}


def _write(connection: Connection, thread: int, changes: _Changes, now: datetime) -> None:
    """Write what was collected."""
    if changes.new:
        connection.execute(posts.insert(), changes.new)
    ids = _numbers(connection, thread) if changes.new else {}
    texts = []
    for number, row in changes.texts:
        post_key = row.pop("post_key")
        texts.append(row | {"post": ids[post_key] if number is None else number})
    if texts:
        connection.execute(revisions.insert(), texts)
    if changes.replaced:
        connection.execute(update(revisions).where(revisions.c.id == bindparam("key_id")), changes.replaced)
    if changes.fields:
        connection.execute(update(posts).where(posts.c.id == bindparam("key_id")), changes.fields)


def _numbers(connection: Connection, thread: int) -> dict[str, int]:
    """Post id -> row number."""
    found = connection.execute(select(posts.c.post, posts.c.id).where(posts.c.thread == thread))
    return {row.post: row.id for row in found}


def _write_places(connection: Connection, thread: int, order: tuple[str, ...]) -> None:
    """Number the posts in thread order."""
    rows = [{"key_post": post, "place": place} for place, post in enumerate(order)]
    same = (posts.c.thread == thread) & (posts.c.post == bindparam("key_post"))
    connection.execute(update(posts).where(same), rows)


def _finish(connection: Connection, what: ThreadSave, saved: Saved) -> None:
    """Bring the thread's own row up to date; a whole reading is no longer under way."""
    read = what.read
    values: dict[str, Any] = {
        "title": None if read.title is None else clean(read.title),
        "engine": read.engine,
        "engine_version": read.engine_version,
        "posts_stated": whole(read.posts_stated),
        "locked": read.locked,
        "board_thread_id": read.thread_id,
        "zoneless": read.zoneless,
    }
    values = {name: value for name, value in values.items() if value is not None}
    if not what.reparsed:
        values |= {"last_seen": what.now}
        values |= {"changed_at": what.now} if saved.changed else {}
        if what.last_page or what.whole:
            values["last_page"] = what.last_page and what.last_page.url
            values["last_page_accept"] = what.last_page and what.last_page.accept
    if what.whole and read.complete:
        values["reader"] = what.reader
        if not what.reparsed:
            values["full_read_at"] = what.now
        values["moved_to"] = None
        if (saved.new or saved.edited) and read.clock_off is not None:
            # The worst counts: what was written by a wrong clock stays so when the clock is put right.
            known = connection.execute(select(threads.c.clock_off).where(threads.c.id == saved.thread)).scalar()
            values["clock_off"] = max(known or 0, read.clock_off, key=abs)
    connection.execute(update(threads).where(threads.c.id == saved.thread).values(**values))
    if what.whole and not what.reparsed:
        same = (readings.c.board == what.board) & (readings.c.asked == what.asked)
        connection.execute(delete(readings).where(same))
