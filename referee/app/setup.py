"""Setting up and checking an installation: `referee init` and `referee check`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from referee.app import plugins
from referee.app.checked import Checked
from referee.app.config import Config
from referee.app.errors import UsageError
from referee.app.given import under
from referee.app.paths import paths_of
from referee.app.sections import check_board, check_services, check_tables, place_of, watches_nothing
from referee.app.sheets import check_sheets
from referee.ports.sayings import counted

#: The import packages of this distribution that another one could shadow.
_PACKAGES = ("referee", "rules", "scrapers", "reports")


def write_examples(folder: Path, force: bool) -> tuple[Path, ...]:
    """Write the commented `referee.toml` and the private `sheets.toml`; existing files stay.

    Raises UsageError where a file is already there and `force` is not given.
    """
    rulesets = [plugins.ruleset(name) for name in plugins.names("rulesets")]
    tables = "\n".join(_as_comment(under(r.name, r.example_tables)) for r in rulesets if r.example_tables)
    sheets = "\n".join(_as_comment(r.example_sheet) for r in rulesets if r.example_sheet)
    texts = {
        folder / "referee.toml": _example("referee.toml").rstrip() + "\n\n" + tables,
        folder / "sheets.toml": _example("sheets.toml").rstrip() + "\n\n" + sheets,
    }
    there = [path for path in texts if path.exists()]
    if there and not force:
        raise UsageError(f"{there[0]} is already there (--force writes over it)")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sheets.toml").touch(mode=0o600)  # closed to others before anything secret can stand in it
    (folder / "sheets.toml").chmod(0o600)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return tuple(texts)


def _as_comment(example: str) -> str:
    """An example with every line behind a `#`: it shows the form, and counts only where staff want it to."""
    lines = (line.rstrip() for line in example.strip().splitlines())
    return "\n".join(line if line.startswith("#") or not line else f"# {line}" for line in lines) + "\n"


def _example(name: str) -> str:
    return (files("referee.app") / "examples" / name).read_text("utf-8")


def check_all(config: Config, online: bool) -> Iterator[Checked]:
    """Everything that can be said of an installation before it runs, one line each."""
    yield from _check_packages()
    if config.source is None:
        yield Checked("warning", "no referee.toml here: defaults are used (`referee init` writes one)")
    else:
        yield Checked(
            "ok",
            f"{config.source}: {counted(len(config.boards), 'board')}, {counted(len(config.dice), 'dice service')}",
        )
        idle = watches_nothing(config)
        if idle is not None:
            yield Checked("warning", idle)
        if not config.contact:
            yield Checked("warning", f"{config.source}: contact: boards can't tell who asks; set an address")
    yield from _check_settings(config)
    yield from check_tables(config)
    yield from check_sheets(config)
    yield from check_services(config)
    for name, board in config.boards.items():
        yield from check_board(config, name)
        if online:
            from referee.app.online import try_board

            yield try_board(config, name, board)


def _check_packages() -> Iterator[Checked]:
    """Whether another distribution shadows one of ours: their names are common ones."""
    spec = find_spec("referee")
    home = Path(spec.origin).parent.parent if spec and spec.origin else None
    for name in _PACKAGES:
        found = find_spec(name)
        place = Path(found.origin).parent.parent if found and found.origin else None
        if home is not None and place != home:
            yield Checked("error", f"the package `{name}` comes from {place}, not from referee: use an own environment")


def _check_settings(config: Config) -> Iterator[Checked]:
    """The schedule, and whether the data folder can be written."""
    from referee.app.schedule import trigger_of

    try:
        trigger_of(config)
    except UsageError as error:
        key = str(error).split(":")[0].split(",")[0]
        yield Checked("error", f"{place_of(config, key)}: {str(error).removeprefix(f'{key}: ')}")
    if config.source is None:
        return
    try:
        folder = paths_of(config).data_dir
        if not os.access(folder, os.W_OK | os.X_OK):
            raise UsageError(f"data_dir: {folder}: can't be written to")
    except UsageError as error:
        yield Checked("error", f"{place_of(config, 'data_dir')}: {str(error).removeprefix('data_dir: ')}")
        return
    yield from _check_database(config)


def _check_database(config: Config) -> Iterator[Checked]:
    """Whether a database that is named, or already there, can be opened."""
    from referee.store import open_store
    from referee.store.errors import StoreError

    place = paths_of(config).database
    if config.database is None and not Path(place).exists():
        return
    try:
        open_store(place).close()
    except StoreError as error:
        key = "database" if config.database is not None else "data_dir"
        yield Checked("error", f"{place_of(config, key)}: {str(error).removeprefix('database: ')}")
