"""What the network module remembers between requests, shared by all threads and processes."""

from __future__ import annotations

import time

from sqlalchemy import select, update

from referee.store.archive import Archive
from referee.store.database import Database
from referee.store.tables import hosts
from referee.store.writing import insert_new

#: A turn further away than this can only come from a clock that was set back.
_FARTHEST_TURN = 3600.0

#: ETag, Last-Modified, body and headers of an answer.
Validators = tuple[str | None, str | None, bytes, dict[str, str]]


class Memory:
    """Turns at hosts, robots.txt and validators, kept in the store."""

    def __init__(self, database: Database, archive: Archive) -> None:
        """Remember in a database."""
        self._database = database
        self._archive = archive

    def slot(self, host: str, pace: float) -> float:
        """Take the next turn at a host; gives the seconds to sleep until then.

        Turns are `pace` seconds apart, whoever takes them: the row is locked while it is moved on.
        """
        with self._database.writing() as connection:
            insert_new(connection, hosts, {"host": host, "next_at": 0.0}, "host")
            row = hosts.c.host == host
            free = float(connection.execute(select(hosts.c.next_at).where(row).with_for_update()).scalar_one())
            now = time.time()
            turn = now if free < now or free > now + max(_FARTHEST_TURN, 100 * pace) else free
            connection.execute(update(hosts).where(row).values(next_at=turn + pace))
        return turn - now

    def robots(self, host: str) -> tuple[str, float] | None:
        """The robots.txt of a host (empty where it has none) and the unix time when it was kept."""
        with self._database.reading() as connection:
            row = connection.execute(select(hosts.c.robots, hosts.c.robots_at).where(hosts.c.host == host)).first()
        return None if row is None or row.robots_at is None else (str(row.robots or ""), float(row.robots_at))

    def keep_robots(self, host: str, text: str) -> None:
        """Remember a host's robots.txt."""
        with self._database.writing() as connection:
            insert_new(connection, hosts, {"host": host, "next_at": 0.0}, "host")
            connection.execute(update(hosts).where(hosts.c.host == host).values(robots=text, robots_at=time.time()))

    def validators(self, url: str) -> Validators | None:
        """ETag, Last-Modified, body and headers of the last good answer, where it had one of the two."""
        fetch = self._archive.newest_of(url)
        if fetch is None or fetch.page.url != url:
            # Behind a redirect the validators are those of another address.
            return None
        etag, modified = fetch.page.header("etag"), fetch.page.header("last-modified")
        return (etag, modified, fetch.page.body, dict(fetch.page.headers)) if etag or modified else None
