"""Takes old pages out of the archive that nothing rests on.

Kept for good are: pages by which a revision, a deletion, a move or a roll's record was first seen (`basis`), the
newest good answer at each address (texts are read anew from it, and it is what the board is asked to
compare with), the pages of a reading under way, and all pages from before referee noted what rests on them.
Posts, revisions, rolls, findings, rulings and decisions are never touched.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, func, or_, select, text

from referee.store.database import Database
from referee.store.tables import bodies, fetches, readings

#: Pages that one transaction takes out: others need not wait for long, and a kill loses little.
_BATCH = 200

#: No reading goes on with pages that are older (`GatherOptions.resume` is shorter by far).
_GOES_ON = timedelta(days=2)


class Pruned(NamedTuple):
    """How many pages were (or would be) taken out, and the bytes that they took in the database."""

    pages: int = 0
    size: int = 0


def prune(database: Database, before: datetime, most: int | None = None) -> Pruned:
    """Take out pages received before a moment (UTC) that nothing rests on, at most so many. Safe to kill."""
    done = Pruned()
    while most is None or done.pages < most:
        step = _BATCH if most is None else min(_BATCH, most - done.pages)
        with database.writing() as connection:
            taken = _one_batch(connection, before, step)
        done = Pruned(done.pages + taken.pages, done.size + taken.size)
        if taken.pages < step:
            break
    return done


def prunable(database: Database, before: datetime) -> Pruned:
    """What `prune` would take out; bodies that other pages share are not counted."""
    with database.reading() as connection:
        found = _idle(connection, before).subquery()
        pages = connection.execute(select(func.count()).select_from(found)).scalar_one()
        shared = select(fetches.c.id).where(fetches.c.body == bodies.c.sha256, fetches.c.id.not_in(select(found.c.id)))
        alone = bodies.c.sha256.in_(select(found.c.body)) & ~shared.exists()
        size = connection.execute(select(func.sum(func.length(bodies.c.packed))).where(alone)).scalar()
    return Pruned(pages, size or 0)


def compact(database: Database) -> None:
    """Give the room of pruned pages back to the disk (SQLite; PostgreSQL does so by itself)."""
    if database.sqlite:
        with database.reading() as connection:
            # VACUUM can't run in the transaction that a connection begins with.
            connection.exec_driver_sql("COMMIT")
            connection.execute(text("VACUUM"))
            connection.exec_driver_sql("BEGIN")


def _idle(connection: Connection, before: datetime) -> Any:
    """The query for pages that nothing rests on, oldest first."""
    # A reading that was cut off long ago is never gone on with: its thread was taken off the list.
    recent = readings.c.since > datetime.now(UTC) - _GOES_ON
    under_way = connection.execute(select(func.min(readings.c.since)).where(recent)).scalar()
    limit = before if under_way is None else min(before, under_way)
    newer = fetches.alias("newer")
    same = (newer.c.asked == fetches.c.asked) & (newer.c.accept == fetches.c.accept)
    good = (newer.c.viewer == fetches.c.viewer) & (newer.c.status == 200) & (newer.c.id > fetches.c.id)
    replaced = select(newer.c.id).where(same & good).exists()
    return (
        select(fetches.c.id, fetches.c.body)
        .where(fetches.c.received_at < limit, fetches.c.basis.is_(False))
        .where(or_(fetches.c.status != 200, replaced))
        .order_by(fetches.c.id)
    )


def _one_batch(connection: Connection, before: datetime, most: int) -> Pruned:
    """Take out so many pages, and the bodies that no other page has."""
    found: list[Row[Any]] = list(connection.execute(_idle(connection, before).limit(most)))
    if not found:
        return Pruned()
    ids = [row.id for row in found]
    # Another process may have taken some of them out, or have found that something rests on one.
    idle = fetches.c.id.in_(ids) & fetches.c.basis.is_(False)
    pages = connection.execute(delete(fetches).where(idle)).rowcount
    wanted = sorted({row.body for row in found})
    # Locked first and looked at again: another process may be keeping the same bytes just now.
    locked = select(bodies.c.sha256).where(bodies.c.sha256.in_(wanted)).order_by(bodies.c.sha256).with_for_update()
    held = list(connection.execute(locked).scalars())
    used = set(connection.execute(select(fetches.c.body).where(fetches.c.body.in_(held))).scalars())
    orphans = [sha256 for sha256 in held if sha256 not in used]
    size = select(func.sum(func.length(bodies.c.packed))).where(bodies.c.sha256.in_(orphans))
    freed = connection.execute(size).scalar() or 0
    connection.execute(delete(bodies).where(bodies.c.sha256.in_(orphans)))
    return Pruned(pages, freed)
