"""Where an installation keeps its things, all below the configured data folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from referee.app.errors import UsageError


class Located(Protocol):
    """What is needed of the configuration."""

    @property
    def data_dir(self) -> Path | None:
        """The data folder."""
        ...

    @property
    def database(self) -> str | None:
        """The database's URL, None for a file in the data folder."""
        ...


@dataclass(frozen=True, slots=True)
class Paths:
    """The places of one installation. `database`: a path or a SQLAlchemy URL."""

    data_dir: Path
    database: str

    @property
    def lock(self) -> Path:
        """The file that the running pass holds locked."""
        return self.data_dir / "run.lock"

    @property
    def reports(self) -> Path:
        """Where staff reports are written."""
        return self.data_dir / "reports"


def paths_of(config: Located) -> Paths:
    """The places that a configuration names; makes the data folder, closed to other accounts.

    Raises UsageError where it can't be made.
    """
    folder = config.data_dir or _usual_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"data_dir: {folder}: {error.strerror or error}") from None
    return Paths(folder, config.database or str(folder / "referee.db"))


def _usual_folder() -> Path:
    """Where this platform keeps a program's data, for commands without a configuration."""
    import platformdirs

    return Path(platformdirs.user_data_dir("referee"))
