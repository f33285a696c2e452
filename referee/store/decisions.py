"""Staff's decisions: rulings, which change the replay (S35), and the log of decisions on findings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, select, update

from referee.model.battle import Ruling
from referee.store.columns import key
from referee.store.database import Database
from referee.store.tables import decisions, findings, rulings


@dataclass(frozen=True, slots=True)
class StoredRuling:
    """A ruling with its number; when, by whom and why it was withdrawn, if it was. Times are UTC."""

    id: int
    thread: int
    ruling: Ruling
    given_at: datetime
    withdrawn_at: datetime | None
    withdrawn_by: str | None = None
    withdrawn_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What staff said of a finding, by whom and why. `at`: UTC."""

    id: int
    thread: int
    fingerprint: str
    disposition: str
    by: str | None
    reason: str | None
    at: datetime


class Decisions:
    """Rulings and decisions on findings, of all threads. Nothing is ever taken out: what was said stays said."""

    def __init__(self, database: Database) -> None:
        """Use the decisions of a database."""
        self._database = database

    def add_ruling(self, thread: int, ruling: Ruling, now: datetime | None = None) -> int:
        """Store a ruling; gives its number."""
        row = {
            "thread": thread,
            "post": ruling.post,
            "character": ruling.character,
            "until": ruling.until,
            "effect": json.dumps(dict(ruling.effect)),
            "by": ruling.by,
            "reason": ruling.reason,
            "given_at": now or datetime.now(UTC),
        }
        with self._database.writing() as connection:
            return int(connection.execute(rulings.insert().returning(rulings.c.id), row).scalar_one())

    def withdraw_ruling(
        self, number: int, *, by: str | None = None, reason: str | None = None, now: datetime | None = None
    ) -> bool:
        """Withdraw a ruling: it stays in the list and no longer counts. False where there is none in force."""
        query = update(rulings).where(rulings.c.id == number, rulings.c.withdrawn_at.is_(None))
        said = {"withdrawn_at": now or datetime.now(UTC), "withdrawn_by": by, "withdrawn_reason": reason}
        with self._database.writing() as connection:
            return connection.execute(query.values(said)).rowcount == 1

    def rulings(self, thread: int, *, withdrawn: bool = False) -> Sequence[StoredRuling]:
        """The rulings of a thread in the order of giving."""
        query = select(rulings).where(rulings.c.thread == thread).order_by(rulings.c.id)
        if not withdrawn:
            query = query.where(rulings.c.withdrawn_at.is_(None))
        with self._database.reading() as connection:
            return [_ruling(row) for row in connection.execute(query)]

    def decide(
        self,
        thread: int,
        fingerprint: str,
        disposition: str,
        *,
        by: str | None = None,
        reason: str | None = None,
        now: datetime | None = None,
    ) -> bool:
        """Note staff's decision on a finding; False where there is no such finding."""
        own = key(fingerprint)
        row = {
            "thread": thread,
            "fingerprint": own,
            "disposition": disposition,
            "by": by,
            "reason": reason,
            "at": now or datetime.now(UTC),
        }
        same = (findings.c.thread == thread) & (findings.c.fingerprint == own)
        with self._database.writing() as connection:
            if not connection.execute(update(findings).where(same).values(disposition=disposition)).rowcount:
                return False
            connection.execute(decisions.insert(), row)
        return True

    def log(self, thread: int) -> Sequence[Decision]:
        """Every decision on the findings of a thread, oldest first."""
        query = select(decisions).where(decisions.c.thread == thread).order_by(decisions.c.id)
        with self._database.reading() as connection:
            return [Decision(**row._mapping) for row in connection.execute(query)]


def _ruling(row: Row[Any]) -> StoredRuling:
    """A ruling of a row."""
    ruling = Ruling(row.post, json.loads(row.effect), row.character, row.until, row.by, row.reason)
    end = (row.withdrawn_at, row.withdrawn_by, row.withdrawn_reason)
    return StoredRuling(row.id, row.thread, ruling, row.given_at, *end)
