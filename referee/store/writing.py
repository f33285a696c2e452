"""Writing what another process may be writing at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table, select
from sqlalchemy.dialects import postgresql, sqlite

from referee.store.tables import threads


def lock_thread(connection: Connection, thread: int) -> None:
    """Make other writers of this thread wait for the end of the transaction (SQLite has one writer anyway)."""
    connection.execute(select(threads.c.id).where(threads.c.id == thread).with_for_update())


def insert_new(connection: Connection, table: Table, row: Mapping[str, Any], *unique: str) -> bool:
    """Insert a row unless one with the same `unique` columns is there. Says whether it was new."""
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    # The row count is not told by every driver for such an insert; a returned row is.
    query = insert(table).on_conflict_do_nothing(index_elements=unique).returning(table.c[unique[0]])
    return connection.execute(query, row).first() is not None
