"""The private character sheets (`sheets.toml`): read and checked, every error with file, line and key."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.app import plugins
from referee.app.checked import Checked
from referee.app.config import Config, read_toml, text_of
from referee.app.errors import RefereeError, UsageError
from referee.app.given import wrong_sheet
from referee.app.sections import check_rows, place_of

if TYPE_CHECKING:
    from referee.model.battle import Character

#: The keys that every sheet has; all others belong to the ruleset.
_OWN = ("name", "player", "side", "aliases", "board", "since")


def load_sheets(config: Config, board: str | None, begun: datetime | None = None) -> tuple[Character, ...]:
    """The private character sheets that count for a board (those without `board` count for all).

    Of several sheets of one character that counts which was in force when the battle had `begun` (the newest, if nobody
    knows when; days are those of the board's `timezone`); one that came into force later is none.
    Raises UsageError: one line with file, line, key and what was expected.
    """
    sheets = board_sheets(config, board)
    day = _day(config, board, begun) if begun is not None else date.max
    found: dict[str, dict[str, Any]] = {}
    for sheet in sorted(sheets, key=_in_force):
        if _since(sheet) <= day:
            found[sheet["name"].casefold()] = sheet
    return tuple(_character(sheet) for sheet in sheets if found.get(sheet["name"].casefold()) is sheet)


def _day(config: Config, board: str | None, moment: datetime) -> date:
    """The day on which something was posted, as the board's people call it."""
    from zoneinfo import ZoneInfo

    settings = config.boards.get(board) if board is not None else None
    zone = ZoneInfo(settings.timezone) if settings is not None and settings.timezone else None
    return moment.astimezone(zone).date() if zone is not None and moment.tzinfo is not None else moment.date()


def board_sheets(config: Config, board: str | None) -> tuple[dict[str, Any], ...]:
    """All sheets of a board, as they stand in the file. Raises UsageError."""
    if config.sheets is None:
        return ()
    if not config.sheets.is_file():
        raise UsageError(_missing(config))
    found = sheet_entries(config.sheets, text_of(config.sheets))
    return tuple(sheet for sheet in found if board is None or sheet.get("board") in (None, board))


def _missing(config: Config) -> str:
    """What is said where the configured sheets are not there: the line of the configuration that names them."""
    return f"{place_of(config, 'sheets')}: {config.sheets}: there is no such file"


def _since(sheet: dict[str, Any]) -> date:
    """From which day on a sheet counts."""
    found = sheet.get("since", date.min)
    return found.date() if isinstance(found, datetime) else found


def _in_force(sheet: dict[str, Any]) -> tuple[date, bool]:
    """Later sheets go before earlier ones, those of one board before those of all."""
    return _since(sheet), sheet.get("board") is not None


def unusable(config: Config) -> Iterator[str]:
    """What of the tables and sheets can't be used, a line each: commands say it and go on without."""
    return (checked.line for checked in (*check_rows(config), *check_sheets(config)) if checked.level == "error")


def check_sheets(config: Config) -> Iterator[Checked]:
    """What can be said of the sheet file before anything runs, one line each."""
    if config.sheets is None:
        return
    if not config.sheets.is_file():
        yield Checked("error", _missing(config))
        return
    try:
        text = text_of(config.sheets)
        entries = sheet_entries(config.sheets, text)
    except RefereeError as error:
        yield Checked("error", str(error))
        return
    yield Checked("ok", f"{config.sheets}: {len(entries)} characters")
    if os.name == "posix" and config.sheets.stat().st_mode & 0o044:
        yield Checked("warning", f"{config.sheets}: others on this machine can read the secret sheets (chmod 600)")
    for index, entry in enumerate(entries):
        for key, problem in _wrong_in_sheet(config, entry):
            where = f"{config.sheets}:{line_of_sheet(text, index, key)}"
            yield Checked("error", f"{where}: {entry['name']}: {key}: {problem}")


def _wrong_in_sheet(config: Config, entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with a sheet by its board's ruleset (without a board: by the only one in use), by key."""
    board = entry.get("board")
    if board is not None and board not in config.boards:
        yield "board", f"there is no board {board!r}; configured: {', '.join(config.boards) or 'none'}"
        return
    used = {one.ruleset for name, one in config.boards.items() if board in (None, name)}
    name = used.pop() if len(used) == 1 else None
    if name not in plugins.names("rulesets"):
        return
    for line in wrong_sheet(str(name), entry):
        key, colon, problem = line.partition(": ")
        yield (key, problem) if colon else ("sheet", line)


def sheet_entries(path: Path, text: str) -> tuple[dict[str, Any], ...]:
    """The `[[character]]` entries of a sheet file, those keys checked that all rulesets share."""
    data = read_toml(path, text)
    for key in data:
        if key != "character":
            raise UsageError(f"{path}:{_line_with(text, key)}: unknown key `{key}`, did you mean `[[character]]`?")
    sheets = data.get("character", [])
    if not isinstance(sheets, list):
        raise UsageError(f"{path}:{_line_with(text, 'character')}: character: write each one as [[character]]")
    seen: set[tuple[str, str | None, date]] = set()
    for index, sheet in enumerate(sheets):
        for key, problem in (*_problems(sheet), *_twins(sheet, seen)):
            named = sheet["name"] if isinstance(sheet, dict) and isinstance(sheet.get("name"), str) else None
            who = named or f"character {index + 1}"
            where = f"{path}:{line_of_sheet(text, index, key)}"
            raise UsageError(f"{where}: {who}{f': {key}: ' if key else ' '}{problem}")
    return tuple(map(_trimmed, sheets))


def _trimmed(sheet: dict[str, Any]) -> dict[str, Any]:
    """A sheet whose names have no blanks around them: a player is none with one."""
    trimmed = {**sheet, "aliases": [alias.strip() for alias in sheet.get("aliases", [])]}
    return {key: value.strip() if key in ("name", "player", "side") else value for key, value in trimmed.items()}


def _problems(sheet: object) -> Iterator[tuple[str, str]]:
    """What is wrong with a sheet's keys that all rulesets share, as (key, what was expected)."""
    if not isinstance(sheet, dict) or not isinstance(sheet.get("name"), str) or not sheet["name"].strip():
        yield "", "needs a `name`"
        return
    for key in ("player", "side", "board"):
        if not isinstance(sheet.get(key, ""), str):
            yield key, "a text in quotes was expected"
    if not isinstance(sheet.get("since", date.min), date):
        yield "since", "a day was expected, such as 2026-05-01"
    aliases = sheet.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        yield "aliases", "a list of names was expected"
    for key in ("stats", "secret"):
        if not isinstance(sheet.get(key, {}), dict):
            yield key, "a table was expected, such as { hp = 100 }"


def _twins(sheet: Any, seen: set[tuple[str, str | None, date]]) -> Iterator[tuple[str, str]]:
    """Whether a sheet is one too many: same name, same board, and both in force from the same day on."""
    if any(_problems(sheet)):
        return
    key = (sheet["name"].strip().casefold(), sheet.get("board"), _since(sheet))
    if key in seen:
        yield "name", "there is another sheet of that name; tell from which day on each counts (since = 2026-05-01)"
    seen.add(key)


def line_of_sheet(text: str, index: int, key: str = "") -> int:
    """The line of a key of the sheet with that place in the file (its first line where the key is not found)."""
    first, count = 1, -1
    last = key.rsplit(".", 1)[-1]
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if words.replace(" ", "").startswith("[[character]]"):
            count += 1
            first = number if count == index else first
        elif count == index and last and _names_key(words, last):
            return number
    return first


def _names_key(line: str, key: str) -> bool:
    """Whether a line of TOML sets a key, or begins its table."""
    if line.startswith("["):
        return line.strip("[] ").rsplit(".", 1)[-1].strip("\"' ") == key
    name, _, rest = line.partition("=")
    return name.strip("\"' ") == key or (bool(rest) and any(_ends_with(part, key) for part in rest.split("=")[:-1]))


def _ends_with(part: str, key: str) -> bool:
    """Whether what stands before an equals sign in an inline table is that key."""
    return part.rstrip("\"' ").endswith(key) and not part.rstrip("\"' ")[: -len(key)][-1:].isalnum()


def _line_with(text: str, key: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip("[ \"'").startswith(key):
            return number
    return 1


def _character(sheet: dict[str, Any]) -> Character:
    from referee.model.battle import Character

    data = {key: value for key, value in sheet.items() if key not in _OWN}
    return Character(sheet["name"], sheet.get("player"), sheet.get("side"), tuple(sheet.get("aliases") or ()), data)
