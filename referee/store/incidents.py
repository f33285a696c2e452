"""Our own trouble: boards down, pages changed, plug-ins crashed. For the operator, never a finding."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import select, update

from referee.store.columns import clean, key
from referee.store.database import Database
from referee.store.tables import incidents
from referee.store.writing import insert_new


@dataclass(frozen=True, slots=True)
class Incident:
    """One trouble from its first to its last occurrence. `subject`: the thread, host or plug-in.

    `count`: how often it was met; `closed_at`: when it was found gone, None while it lasts. UTC.
    """

    id: int
    kind: str
    board: str
    subject: str
    message: str
    opened_at: datetime
    last_at: datetime
    count: int
    closed_at: datetime | None


class Incidents:
    """The operator's list."""

    def __init__(self, database: Database) -> None:
        """Use the incidents of a database."""
        self._database = database

    def note(self, kind: str, board: str, subject: str, message: str, now: datetime | None = None) -> bool:
        """Open an incident, or count one more occurrence of an open one. Says whether it is new."""
        moment = now or datetime.now(UTC)
        open_key = _open_key(kind, board, subject)
        row = {
            "kind": kind,
            "board": board,
            "subject": subject,
            "message": message,
            "opened_at": moment,
            "last_at": moment,
            "count": 1,
            "open_key": open_key,
        }
        again = {"count": incidents.c.count + 1, "last_at": moment, "message": clean(message)}
        with self._database.writing() as connection:
            if insert_new(connection, incidents, row, "open_key"):
                return True
            connection.execute(update(incidents).where(incidents.c.open_key == open_key).values(**again))
            return False

    def close(self, board: str, subject: str, *kinds: str, now: datetime | None = None) -> int:
        """Close the open incidents of a subject: those of the kinds given, else all. Gives their number."""
        query = update(incidents).where(
            incidents.c.board == board, incidents.c.subject == key(subject), incidents.c.closed_at.is_(None)
        )
        if kinds:
            query = query.where(incidents.c.kind.in_(kinds))
        with self._database.writing() as connection:
            return connection.execute(query.values(closed_at=now or datetime.now(UTC), open_key=None)).rowcount

    def all(self, *, closed: bool = False, board: str | None = None) -> Sequence[Incident]:
        """Open incidents, with `closed` also the past ones; newest trouble first."""
        query = select(incidents).order_by(incidents.c.last_at.desc(), incidents.c.id.desc())
        if not closed:
            query = query.where(incidents.c.closed_at.is_(None))
        if board is not None:
            query = query.where(incidents.c.board == board)
        with self._database.reading() as connection:
            return [_incident(row._mapping) for row in connection.execute(query)]


def _incident(row: object) -> Incident:
    """An incident of a row, without the column that only the database needs."""
    fields = dict(row)  # type: ignore[call-overload]
    fields.pop("open_key")
    return Incident(**fields)


def _open_key(kind: str, board: str, subject: str) -> str:
    """What is unique among open incidents."""
    parts = "\0".join((kind, board, key(subject)))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()
