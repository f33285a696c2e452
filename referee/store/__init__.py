"""Persistence: the archive of received pages, threads with their revisions, rolls, findings, incidents.

The only package that speaks SQL. Importing it is cheap: SQLAlchemy is loaded by `open_store`, so
commands that need no database do not pay for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.store.errors import NewerDatabase, StoreError

if TYPE_CHECKING:
    from referee.store.store import Store

__all__ = ["NewerDatabase", "StoreError", "open_store"]


def open_store(place: str | Path) -> Store:
    """Open (and create or bring up to date) the database at a file path or SQLAlchemy URL.

    Raises StoreError where it can't be opened, NewerDatabase where a newer referee has written it.
    """
    from referee.store.store import Store

    return Store.open(place)
