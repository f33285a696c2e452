"""The store as the rest of the project sees it: one value with a part for each subject."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from referee.store.archive import Archive
from referee.store.database import Database, open_database
from referee.store.decisions import Decisions
from referee.store.findings import Findings
from referee.store.incidents import Incidents
from referee.store.memory import Memory
from referee.store.rolls import Rolls
from referee.store.threads import Threads


class Store:
    """An open database. Shared by threads; every process opens its own. A context manager."""

    def __init__(self, database: Database) -> None:
        """Use a database whose tables are up to date."""
        self.database = database
        self.archive = Archive(database)
        self.threads = Threads(database)
        self.rolls = Rolls(database)
        self.findings = Findings(database)
        self.decisions = Decisions(database)
        self.incidents = Incidents(database)
        self.memory = Memory(database, self.archive)

    @classmethod
    def open(cls, place: str | Path) -> Store:
        """Open a path or URL; see `referee.store.open_store`."""
        return cls(open_database(place))

    def close(self) -> None:
        """Give the connections back."""
        self.database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
