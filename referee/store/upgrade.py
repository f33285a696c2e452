"""Runs the migrations from code; the only module that loads Alembic."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection


def _config(folder: Path) -> Config:
    """Alembic's settings without an ini file."""
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def known_versions(folder: Path) -> frozenset[str]:
    """All versions that the migrations in a folder lead to."""
    return frozenset(script.revision for script in ScriptDirectory.from_config(_config(folder)).walk_revisions())


def upgrade(connection: Connection, folder: Path, version: str = "head") -> None:
    """Bring the database of an open transaction to the newest version, or to another one."""
    config = _config(folder)
    config.attributes["connection"] = connection
    command.upgrade(config, version)
