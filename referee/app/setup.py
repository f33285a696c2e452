"""Setting up and checking an installation: `referee init` and `referee check`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from referee.app import plugins
from referee.app.config import Config, line_of, load_sheets, read_toml, text_of
from referee.app.errors import RefereeError, UsageError
from referee.app.services import dice_services

#: The import packages of this distribution that another one could shadow.
_PACKAGES = ("referee", "rules", "scrapers", "reports")


def write_examples(folder: Path, force: bool) -> tuple[Path, ...]:
    """Write the commented `referee.toml` and the private `sheets.toml`; existing files stay.

    Raises UsageError where a file is already there and `force` is not given.
    """
    rulesets = [plugins.ruleset(name) for name in plugins.names("rulesets")]
    tables = "\n".join(ruleset.example_tables.strip() + "\n" for ruleset in rulesets if ruleset.example_tables)
    sheets = "\n".join(ruleset.example_sheet.strip() + "\n" for ruleset in rulesets if ruleset.example_sheet)
    texts = {
        folder / "referee.toml": _example("referee.toml").rstrip() + "\n\n" + tables,
        folder / "sheets.toml": _example("sheets.toml").rstrip() + "\n\n" + sheets,
    }
    there = [path for path in texts if path.exists()]
    if there and not force:
        raise UsageError(f"{there[0]} is already there (--force writes over it)")
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    (folder / "sheets.toml").chmod(0o600)
    return tuple(texts)


def _example(name: str) -> str:
    return (files("referee.app") / "examples" / name).read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Checked:
    """One line of `referee check`. `level`: ok, warning or error; `reach`: about reachability."""

    level: str
    line: str
    reach: bool = False


def check_all(config: Config, online: bool) -> Iterator[Checked]:
    """Everything that can be said of an installation before it runs, one line each."""
    yield from _check_packages()
    if config.source is None:
        yield Checked("warning", "no referee.toml here: defaults are used (`referee init` writes one)")
    else:
        yield Checked("ok", f"{config.source}: {len(config.boards)} boards, {len(config.dice)} dice services")
        if not config.contact:
            yield Checked("warning", f"{config.source}: contact: boards can't tell who asks; set an address")
    yield from _check_tables(config)
    yield from _check_sheets(config)
    yield from _check_services(config)
    for name, board in config.boards.items():
        yield from _check_board(config, name)
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


def _place(config: Config, *keys: str) -> str:
    if config.source is None:
        return ".".join(keys)
    return f"{config.source}:{line_of(text_of(config.source), keys)}: {'.'.join(keys)}"


def _check_tables(config: Config) -> Iterator[Checked]:
    for name, tables in config.tables.items():
        if name not in plugins.names("rulesets"):
            there = ", ".join(plugins.names("rulesets"))
            yield Checked("error", f"{_place(config, 'tables', name)}: no such ruleset; there are {there}")
            continue
        for problem in plugins.ruleset(name).check_tables(tables):
            key, _, what = problem.partition(": ")
            yield Checked("error", f"{_place(config, 'tables', name, *key.split('.'))}: {what}")


def _check_sheets(config: Config) -> Iterator[Checked]:
    if config.sheets is None:
        return
    try:
        sheets = load_sheets(config, None)
    except RefereeError as error:
        yield Checked("error", str(error))
        return
    yield Checked("ok", f"{config.sheets}: {len(sheets)} characters")
    if os.name == "posix" and config.sheets.stat().st_mode & 0o004:
        yield Checked("warning", f"{config.sheets}: everybody on this machine can read the secret sheets (chmod 600)")
    text = text_of(config.sheets)
    for entry in read_toml(config.sheets, text).get("character") or []:
        board = config.boards.get(entry.get("board", ""))
        names = [board.ruleset] if board and board.ruleset else []
        for problem in (p for name in names for p in plugins.ruleset(name).check_sheet(entry)):
            line = _line_of_sheet(text, entry["name"])
            yield Checked("error", f"{config.sheets}:{line}: {entry['name']}: {problem}")


def _line_of_sheet(text: str, name: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        if line.replace(" ", "").startswith("name=") and name in line:
            return number
    return 1


def _check_services(config: Config) -> Iterator[Checked]:
    try:
        dice_services(config)
    except RefereeError as error:
        yield Checked("error", str(error))


def _check_board(config: Config, name: str) -> Iterator[Checked]:
    board = config.boards[name]
    if board.engine is not None and board.engine not in plugins.names("boards"):
        there = ", ".join(plugins.names("boards"))
        yield Checked("error", f"{_place(config, 'boards', name, 'engine')}: no such engine; there are {there}")
    if board.ruleset is None:
        yield Checked("error", f"{_place(config, 'boards', name)}: `ruleset` is missing")
    elif board.ruleset not in plugins.names("rulesets"):
        there = ", ".join(plugins.names("rulesets"))
        yield Checked("error", f"{_place(config, 'boards', name, 'ruleset')}: no such ruleset; there are {there}")
    elif board.profile and board.profile not in plugins.ruleset(board.ruleset).profiles:
        there = ", ".join(plugins.ruleset(board.ruleset).profiles)
        yield Checked("error", f"{_place(config, 'boards', name, 'profile')}: no such profile; there are {there}")
