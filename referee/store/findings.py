"""Findings from run to run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update

from referee.store.columns import key
from referee.store.database import Database
from referee.store.tables import findings
from referee.store.writing import lock_thread

#: The disposition of a finding that nobody has decided.
OPEN = "open"


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding to store; `payload`: the finding in the form of the JSON report."""

    fingerprint: str
    facts: str
    code: str
    severity: str
    post: str
    character: str | None
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StoredFinding:
    """A finding as it is stored. UTC.

    `gone_at`: since when re-audits no longer find it. `changed_at`: when it last became news, that is was
    found first, with other facts, or again after it had gone.
    """

    id: int
    thread: int
    fingerprint: str
    facts: str
    code: str
    severity: str
    post: str
    character: str | None
    payload: Mapping[str, Any]
    first_seen: datetime
    last_seen: datetime
    gone_at: datetime | None
    changed_at: datetime
    disposition: str


@dataclass(frozen=True, slots=True)
class FindingChanges:
    """Fingerprints by what a re-audit did to them. `reopened`: decided, but the facts have changed."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    reopened: tuple[str, ...] = ()


class Findings:
    """Findings of all threads."""

    def __init__(self, database: Database) -> None:
        """Use the findings of a database."""
        self._database = database

    def replace(self, thread: int, found: Iterable[FindingRow], now: datetime | None = None) -> FindingChanges:
        """Store the findings of a new audit of a thread, in one transaction; says what has changed."""
        moment = now or datetime.now(UTC)
        with self._database.writing() as connection:
            return _replace(connection, thread, found, moment)

    def all(self, thread: int | None = None, *, gone: bool = False) -> Sequence[StoredFinding]:
        """Findings of a thread or of all, oldest first; with `gone` also those no longer found."""
        query = select(findings).order_by(findings.c.id)
        if thread is not None:
            query = query.where(findings.c.thread == thread)
        if not gone:
            query = query.where(findings.c.gone_at.is_(None))
        with self._database.reading() as connection:
            return [StoredFinding(**row._mapping) for row in connection.execute(query)]


def _replace(connection: Connection, thread: int, found: Iterable[FindingRow], now: datetime) -> FindingChanges:
    """Compare an audit's findings with the stored ones and write the difference."""
    lock_thread(connection, thread)
    query = select(findings).where(findings.c.thread == thread).order_by(findings.c.id)
    stored = {row.fingerprint: row for row in connection.execute(query).all()}
    sorted_out: dict[str, list[str]] = {"new": [], "changed": [], "gone": [], "returned": [], "reopened": []}
    seen = set()
    for finding in found:
        fingerprint = key(finding.fingerprint)
        if fingerprint in seen:
            continue
        seen.add(fingerprint)
        row = stored.get(fingerprint)
        for word in _put(connection, thread, finding, row, now):
            sorted_out[word].append(fingerprint)
    for fingerprint, row in stored.items():
        if fingerprint not in seen and row.gone_at is None:
            connection.execute(update(findings).where(findings.c.id == row.id).values(gone_at=now))
            sorted_out["gone"].append(fingerprint)
    return FindingChanges(**{word: tuple(prints) for word, prints in sorted_out.items()})


def _put(
    connection: Connection, thread: int, finding: FindingRow, row: Row[Any] | None, now: datetime
) -> tuple[str, ...]:
    """Write one finding; gives the words for what happened to it."""
    values: dict[str, Any] = {
        "facts": finding.facts,
        "severity": finding.severity,
        "payload": dict(finding.payload),
        "last_seen": now,
        "gone_at": None,
    }
    if row is None:
        own = {"thread": thread, "fingerprint": finding.fingerprint, "code": finding.code, "post": finding.post}
        rest = {"character": finding.character, "first_seen": now, "changed_at": now, "disposition": OPEN}
        connection.execute(findings.insert(), own | rest | values)
        return ("new",)
    words = ["returned"] if row.gone_at is not None else []
    if row.facts != finding.facts:
        words.append("changed")
        if row.disposition != OPEN:
            words.append("reopened")
            values["disposition"] = OPEN
    if words:
        values["changed_at"] = now
    connection.execute(update(findings).where(findings.c.id == row.id).values(**values))
    return tuple(words)
