"""What can go wrong with the store, each with one line that a person understands."""

from __future__ import annotations


class StoreError(Exception):
    """The database can't be opened, read or written; what was stored before is untouched."""


class NewerDatabase(StoreError):
    """The database was written by a newer version of referee."""
