"""Dice records as they were seen: the first look, each change, each change of status."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from referee.model.battle import RollRecord
from referee.store.archive import mark_basis
from referee.store.columns import as_utc, clean, key
from referee.store.database import Database
from referee.store.tables import roll_records, roll_statuses, roll_uses, rolls
from referee.store.writing import insert_new, lock_thread


class Rolls:
    """The dice links of all threads."""

    def __init__(self, database: Database) -> None:
        """Use the rolls of a database."""
        self._database = database

    def keep(
        self, record: RollRecord, *, thread: int | None = None, now: datetime | None = None, page: int | None = None
    ) -> None:
        """Store a look at a link; `thread` rests on it. `record.earlier` is not read, only ever given back.

        `page`: the archive's number of the page that was read; what is new rests on it.

        A record that shows what it showed before only moves `last_seen`; anything else is one more
        row, so that a change can be proven (dice/altered). An unreachable link changes no record.
        """
        moment = now or datetime.now(UTC)
        with self._database.writing() as connection:
            roll, news = _roll_row(connection, record, moment)
            if thread is not None:
                insert_new(connection, roll_uses, {"thread": thread, "roll": roll}, "thread", "roll")
            if record.status == "found":
                news |= _note_record(connection, roll, record, moment)
            if news and page is not None:
                mark_basis(connection, [page])

    def get(self, link: str) -> RollRecord | None:
        """What is known of a link, None if it was never looked at.

        A link that does not answer now but did before is given as it was last seen: its record is
        known. `earlier` holds the older records; where the service now says that there is no such
        roll, all of them.
        """
        return self.all([link]).get(link)

    def all(self, links: Iterable[str]) -> Mapping[str, RollRecord]:
        """What is known of several links; links never looked at are left out."""
        with self._database.reading() as connection:
            found = ((link, _known(connection, link)) for link in links)
            return {link: record for link, record in found if record is not None}

    def of_thread(self, thread: int) -> Mapping[str, RollRecord]:
        """All rolls that a thread rests on, by link."""
        query = (
            select(rolls.c.link)
            .join(roll_uses, roll_uses.c.roll == rolls.c.id)
            .where(roll_uses.c.thread == thread)
            .order_by(rolls.c.id)
        )
        with self._database.reading() as connection:
            links = list(connection.execute(query).scalars())
        return self.all(links)

    def pending(self, thread: int, status: str = "unreachable") -> tuple[str, ...]:
        """Links of a thread that did not answer when they were last looked at (or were `missing`): to try again."""
        query = (
            select(rolls.c.link)
            .join(roll_uses, roll_uses.c.roll == rolls.c.id)
            .where(roll_uses.c.thread == thread, rolls.c.status == status)
            .order_by(rolls.c.id)
        )
        with self._database.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def use(self, thread: int, links: Iterable[str]) -> None:
        """Set which known links a thread rests on: exactly these, others no longer. Looks at none of them."""
        with self._database.writing() as connection:
            lock_thread(connection, thread)
            connection.execute(delete(roll_uses).where(roll_uses.c.thread == thread))
            for link in sorted({key(link) for link in links}):
                roll = connection.execute(select(rolls.c.id).where(rolls.c.link == link)).scalar()
                if roll is not None:
                    connection.execute(roll_uses.insert().values(thread=thread, roll=roll))

    def oldest_look(self, thread: int) -> datetime | None:
        """When the roll of a thread that was looked at longest ago was looked at; None without rolls."""
        query = (
            select(func.min(rolls.c.last_seen))
            .join(roll_uses, roll_uses.c.roll == rolls.c.id)
            .where(roll_uses.c.thread == thread)
        )
        with self._database.reading() as connection:
            return connection.execute(query).scalar()

    def last_seen(self, link: str) -> datetime | None:
        """When a link last answered or failed to."""
        with self._database.reading() as connection:
            return connection.execute(select(rolls.c.last_seen).where(rolls.c.link == link)).scalar()

    def statuses(self, link: str) -> Sequence[tuple[datetime, str]]:
        """Each change of a link's status: when, and to what (found, missing, unreachable)."""
        query = (
            select(roll_statuses.c.seen, roll_statuses.c.status)
            .join(rolls, rolls.c.id == roll_statuses.c.roll)
            .where(rolls.c.link == link)
            .order_by(roll_statuses.c.id)
        )
        with self._database.reading() as connection:
            return [(row.seen, row.status) for row in connection.execute(query)]


def _roll_row(connection: Connection, record: RollRecord, now: datetime) -> tuple[int, bool]:
    """The number of a link's row, with status and last look brought up to date, and whether the status is news."""
    same = rolls.c.link == record.link
    row = {"link": record.link, "status": record.status, "first_seen": now, "last_seen": now}
    new = insert_new(connection, rolls, row, "link")
    number, status = connection.execute(select(rolls.c.id, rolls.c.status).where(same).with_for_update()).one()
    news = new or status != record.status
    if news:
        connection.execute(roll_statuses.insert().values(roll=number, seen=now, status=record.status))
    connection.execute(update(rolls).where(same).values(status=record.status, last_seen=now))
    return int(number), news


def _note_record(connection: Connection, roll: int, record: RollRecord, now: datetime) -> bool:
    """Add what a record shows, if it is not what it showed last. Says whether it was added."""
    query = select(roll_records).where(roll_records.c.roll == roll).order_by(roll_records.c.ordinal.desc())
    last = connection.execute(query.limit(1)).first()
    row = _row(record)
    if last is not None and all(getattr(last, name) == value for name, value in row.items()):
        return False
    count = connection.execute(select(func.count()).select_from(roll_records).where(roll_records.c.roll == roll))
    connection.execute(roll_records.insert().values(roll=roll, ordinal=count.scalar_one(), seen=now, **row))
    return True


def _row(record: RollRecord) -> dict[str, Any]:
    """What of a record is compared and kept."""
    return {
        "at": None if record.at is None else as_utc(record.at),
        "by": None if record.by is None else clean(record.by),
        "expression": None if record.expression is None else clean(record.expression),
        "values": json.dumps(list(record.values)),
        "label": None if record.label is None else clean(record.label),
    }


def _known(connection: Connection, link: str) -> RollRecord | None:
    """What is known of one link."""
    found = connection.execute(select(rolls).where(rolls.c.link == key(link))).first()
    if found is None:
        return None
    query = select(roll_records).where(roll_records.c.roll == found.id).order_by(roll_records.c.ordinal)
    seen = tuple(_record(link, row) for row in connection.execute(query))
    if found.status == "missing" or not seen:
        return RollRecord(link, found.status, earlier=seen)
    now = seen[-1]
    return RollRecord(link, "found", now.at, now.by, now.expression, now.values, now.label, seen[:-1])


def _record(link: str, row: Row[Any]) -> RollRecord:
    """One stored look."""
    return RollRecord(link, "found", row.at, row.by, row.expression, tuple(json.loads(row.values)), row.label)
