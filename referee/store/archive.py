"""The archive: every received page as it came, before anything is read from it."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from referee.ports.boards import Page, Wish
from referee.store.database import Database
from referee.store.errors import StoreError
from referee.store.pruning import Pruned, compact, prunable, prune
from referee.store.tables import bodies, fetches, readings
from referee.store.writing import insert_new


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks for a page and will read it: viewer (`guest` or an account), scraper, its version."""

    scraper: str
    version: str
    viewer: str = "guest"


@dataclass(frozen=True, slots=True)
class Fetch:
    """One archived answer: the wish, the page, when it came and for whom. `received_at`: UTC."""

    id: int
    wish: Wish
    page: Page
    received_at: datetime
    reader: Reader
    sha256: str


class Archive:
    """Raw pages, kept by the hash of their bytes: a page that has not changed takes no more room."""

    def __init__(self, database: Database) -> None:
        """Use the archive of a database."""
        self._database = database

    def keep(self, wish: Wish, page: Page, reader: Reader) -> int:
        """Store an answer and give its number. After this returns, no kill loses it."""
        sha256 = hashlib.sha256(page.body).hexdigest()
        row = {
            "asked": wish.url,
            "url": page.url,
            "accept": wish.accept or "",
            "status": page.status,
            "headers": dict(page.headers),
            "fetched_at": page.fetched_at,
            "received_at": datetime.now(UTC),
            "viewer": reader.viewer,
            "scraper": reader.scraper,
            "scraper_version": reader.version,
            "body": sha256,
            "basis": False,
        }
        with self._database.writing() as connection:
            _keep_body(connection, sha256, page.body)
            return int(connection.execute(fetches.insert().returning(fetches.c.id), row).scalar_one())

    def newest(self, wish: Wish, *, viewer: str = "guest", since: datetime | None = None) -> Fetch | None:
        """The last good answer (status 200) to a wish, not older than `since`, if there is one."""
        query = _answers(wish, viewer).where(fetches.c.status == 200)
        if since is not None:
            query = query.where(fetches.c.received_at >= since)
        with self._database.reading() as connection:
            row = connection.execute(query.limit(1)).one_or_none()
        return None if row is None else _fetch(row)

    def newest_of(self, asked: str, *, viewer: str = "guest") -> Fetch | None:
        """The last good answer at an address, whatever media type was asked for."""
        same = (fetches.c.asked == asked) & (fetches.c.viewer == viewer) & (fetches.c.status == 200)
        query = _WITH_BODY.where(same).order_by(fetches.c.id.desc()).limit(1)
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else _fetch(row)

    def history(self, wish: Wish, *, viewer: str = "guest") -> Sequence[datetime]:
        """When a page was received, newest first."""
        with self._database.reading() as connection:
            return [row.received_at for row in connection.execute(_answers(wish, viewer))]

    def get(self, number: int) -> Fetch:
        """An answer by its number; KeyError where there is none."""
        with self._database.reading() as connection:
            row = connection.execute(_WITH_BODY.where(fetches.c.id == number)).one_or_none()
        if row is None:
            raise KeyError(number)
        return _fetch(row)

    def let_go(self, numbers: Iterable[int]) -> None:
        """Say that nothing rests on some answers: they may be pruned when they are old."""
        with self._database.writing() as connection:
            mark_basis(connection, numbers, False)

    def prune(self, before: datetime, most: int | None = None) -> Pruned:
        """Take out pages from before a moment that nothing rests on; see `referee.store.pruning`."""
        return prune(self._database, before, most)

    def prunable(self, before: datetime) -> Pruned:
        """What `prune` would take out."""
        return prunable(self._database, before)

    def compact(self) -> None:
        """Give the room of pruned pages back to the disk."""
        compact(self._database)

    def begin_reading(self, board: str, asked: str) -> datetime:
        """Note that a whole thread is being read; gives when an unfinished reading of it began."""
        now = datetime.now(UTC)
        row = {"board": board, "asked": asked, "since": now}
        same = (readings.c.board == board) & (readings.c.asked == asked)
        with self._database.writing() as connection:
            insert_new(connection, readings, row, "board", "asked")
            return _moment(connection.execute(select(readings.c.since).where(same)).scalar_one())

    def end_reading(self, board: str, asked: str) -> None:
        """Forget a reading under way, so that the next one asks for every page anew."""
        same = (readings.c.board == board) & (readings.c.asked == asked)
        with self._database.writing() as connection:
            connection.execute(delete(readings).where(same))


def mark_basis(connection: Connection, numbers: Iterable[int], rests: bool = True) -> tuple[int, ...]:
    """Note whether anything rests on answers: such are never pruned. Gives those of which the opposite was noted.

    Of pages from before such notes nothing is known; they stay so, and are kept.
    """
    wanted = list(dict.fromkeys(numbers))
    marked: list[int] = []
    for start in range(0, len(wanted), 500):
        other = fetches.c.id.in_(wanted[start : start + 500]) & fetches.c.basis.is_(not rests)
        query = update(fetches).where(other).values(basis=rests).returning(fetches.c.id)
        marked += connection.execute(query).scalars()
    return tuple(sorted(marked))


def _moment(found: Any) -> datetime:
    """A stored time, for the type checker."""
    assert isinstance(found, datetime)
    return found


def _keep_body(connection: Connection, sha256: str, body: bytes) -> None:
    """Store bytes that are not there yet."""
    # Held until the page that needs it is stored too: pruning must not take it in between.
    there = select(bodies.c.sha256).where(bodies.c.sha256 == sha256).with_for_update(read=True, key_share=True)
    if connection.execute(there).first():
        return
    row = {"sha256": sha256, "size": len(body), "packed": zlib.compress(body, 6)}
    insert_new(connection, bodies, row, "sha256")


_WITH_BODY = select(fetches, bodies.c.packed).join(bodies, bodies.c.sha256 == fetches.c.body)


def _answers(wish: Wish, viewer: str) -> Any:
    """The query for all answers to a wish, newest first."""
    same = (fetches.c.asked == wish.url) & (fetches.c.accept == (wish.accept or "")) & (fetches.c.viewer == viewer)
    return _WITH_BODY.where(same).order_by(fetches.c.id.desc())


def _fetch(row: Row[Any]) -> Fetch:
    """A fetch from its row; its bytes must be those that were received."""
    body = zlib.decompress(row.packed)
    if hashlib.sha256(body).hexdigest() != row.body:
        raise StoreError(f"archived page {row.id} of {row.asked} is damaged; restore a backup")
    return Fetch(
        row.id,
        Wish(row.asked, row.accept or None),
        Page(row.url, body, row.status, row.headers, row.fetched_at),
        row.received_at,
        Reader(row.scraper, row.scraper_version, row.viewer),
        row.body,
    )
