"""The connection: one engine for readers and writers, migrations, and errors in plain words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from referee.store.errors import NewerDatabase, StoreError
from referee.store.tables import metadata

#: The newest migration. Kept here too so that an up-to-date database opens without loading Alembic.
HEAD = "0005"

_BUSY_SECONDS = 30
_MIGRATIONS = Path(__file__).parent / "migrations"


class Database:
    """Transactions on one database. Safe to share between threads; processes open their own."""

    def __init__(self, engine: Engine) -> None:
        """Wrap an engine whose schema is up to date."""
        self.engine = engine
        self._writer = engine.execution_options(referee_write=True)

    @property
    def sqlite(self) -> bool:
        """Whether this is SQLite (which locks the whole file) and not PostgreSQL."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A consistent view for reading."""
        with _plainly(self.engine.url), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: all of it is stored, or, after any error or a kill, nothing of it."""
        with _plainly(self.engine.url), self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()


def open_database(place: str | Path) -> Database:
    """Open a database and bring its tables up to date. Raises StoreError, NewerDatabase."""
    url = _as_url(place)
    if url.get_backend_name() == "sqlite":
        _make_folder(url)
    with _plainly(url):
        database = Database(_engine(url))
        try:
            _bring_up_to_date(database)
        except BaseException:
            database.close()
            raise
    return database


def _as_url(place: str | Path) -> URL:
    """A URL of a path or URL, with the drivers that we ship."""
    try:
        url = (
            make_url(place) if isinstance(place, str) and "://" in place else URL.create("sqlite", database=str(place))
        )
    except ArgumentError as error:
        raise StoreError("database: not a path and not a database URL") from error
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(f"database: {url.drivername} is not supported; use sqlite or postgresql")
    return url


def _make_folder(url: URL) -> None:
    """Make the folder of a SQLite file, closed to others: the archive holds what members may read."""
    if not url.database or url.database == ":memory:":
        return
    try:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(f"cannot make the folder of {url.database}: {error.strerror}") from error
    with suppress(OSError):
        # The folder may be one that others can enter; what can't be made is told when it is opened.
        Path(url.database).touch(mode=0o600)


def _engine(url: URL) -> Engine:
    """An engine with our pragmas and with transactions that we begin ourselves."""
    try:
        if url.get_backend_name() != "sqlite":
            return create_engine(url, pool_pre_ping=True)
        engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreError("database: PostgreSQL needs the psycopg package") from error
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, record: object) -> None:
    """Set a new connection up: WAL, foreign keys, patience, and every commit on the disk."""
    connection.isolation_level = None
    for pragma in (
        f"busy_timeout = {_BUSY_SECONDS * 1000}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    """Begin; writers take the lock at once, since a lock taken later can't wait for its turn."""
    writes = connection.get_execution_options().get("referee_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _bring_up_to_date(database: Database) -> None:
    """Run the migrations that are missing."""
    found = _version(database)
    if found == HEAD:
        return
    from referee.store.upgrade import known_versions, upgrade

    if found is not None and found not in known_versions(_MIGRATIONS):
        raise NewerDatabase(
            f"{shown(database.engine.url)}: written by a newer referee (database version {found}, "
            f"this one knows up to {HEAD}); update referee"
        )
    with database.writing() as connection:
        if not database.sqlite:
            # Two processes that start at once must not both create the tables.
            connection.execute(text("SELECT pg_advisory_xact_lock(7733371)"))
        upgrade(connection, _MIGRATIONS)


def _version(database: Database) -> str | None:
    """The version of the tables, None for an empty database."""
    with database.reading() as connection:
        there = set(inspect(connection).get_table_names())
        known = "alembic_version" in there
        version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar() if known else None
        if version is None and there & metadata.tables.keys():
            raise StoreError(f"{shown(database.engine.url)}: has tables of another program, or has lost its version")
        return version


def shown(url: URL) -> str:
    """The database as error lines name it: the file, or the URL without its password."""
    return (
        (url.database or "memory") if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)
    )


@contextmanager
def _plainly(url: URL) -> Iterator[None]:
    """Turn the library's errors into StoreError lines."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError(f"{shown(url)}: {_reason(error)}") from error


def _reason(error: SQLAlchemyError) -> str:
    """One line of why, for the errors that an operator can do something about."""
    original: Any = error.orig if isinstance(error, DBAPIError) else error
    said = " ".join(str(original).split())[:300]
    code = getattr(original, "sqlite_errorcode", None)
    if code is None:
        return said or type(error).__name__
    words = {
        sqlite3.SQLITE_FULL: "the disk is full; nothing of this step was stored",
        sqlite3.SQLITE_BUSY: f"another process has held the database for {_BUSY_SECONDS} seconds",
        sqlite3.SQLITE_READONLY: "is not writable",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened",
        sqlite3.SQLITE_NOTADB: "is not a database",
        sqlite3.SQLITE_CORRUPT: "is damaged; restore a backup",
        sqlite3.SQLITE_IOERR: "the disk cannot be written (full or failing); nothing of this step was stored",
    }
    return words.get(code & 0xFF, said)
