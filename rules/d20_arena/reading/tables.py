"""Rows of tables: `Vesna | 37/40 HP`, `Golem 1 | 20 | 15 | +3` below `Name | HP | DEF | ATK` (X18)."""

from __future__ import annotations

import re

from rules.d20_arena.reading.sheets import STATS
from rules.d20_arena.words import Lexicon

#: No row has more cells.
MOST_CELLS = 50

#: Heads of columns.
_STATS = {**STATS, "hit points": "HP", "health": "HP", "max": "MAX", "max hp": "MAX"}
_WHOLE = re.compile(r"[+-]?[ ]?\d{1,9}\Z")
_BOUND = re.compile(r"\b(?:arms?|legs?|torso|head)\b.*\d", re.IGNORECASE)
_FRACTION = re.compile(r"(\d{1,9})[ ]?/[ ]?(\d{1,9})(?:[ ]?HP)?(?=\Z|[ ]*\()", re.IGNORECASE)
#: What the first cell of a row may say instead of a name.
_NO_NAME = re.compile(r"(?:HP|hit points|def|turn|round|status|stats?|state|summary|vitals?|sheet|me)\b", re.IGNORECASE)
_NAME_LIKE = re.compile(r"[A-Z][\w' .-]{0,40}\Z")


def cells_of(line: str) -> list[str]:
    """The cells of a row, without empty ones at its edges."""
    cells = [cell.strip() for cell in line.split("|")[: MOST_CELLS + 2]]
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return cells[:MOST_CELLS]


def columns_of(line: str) -> tuple[str, ...]:
    """The columns of a heading such as `Name | HP | DEF | ATK`; empty where a line is none."""
    found = tuple(_STATS.get(cell.casefold(), "") for cell in cells_of(line))
    return found if len(found) > 1 and "HP" in found[1:] and not found[0] else ()


def rows_of(line: str, columns: tuple[str, ...], names: Lexicon) -> list[str] | None:
    """A row's statements as lines with their names, `Golem 1: 8/20 HP`; None where no name leads the row."""
    cells = cells_of(line)
    name = names.fighters.exact(cells[0]) if len(cells) > 1 else None
    if name is None:
        return None
    if len(columns) == len(cells):
        return _by_columns(cells[0], cells[1:], columns[1:])
    found: list[str] = []
    led, held = cells[0], []
    for cell in cells[1:]:
        if names.fighters.exact(cell) is None:
            held.append(cell)
            continue
        found += _of(led, held)
        led, held = cell, []
    return found + _of(led, held)


def _of(name: str, cells: list[str]) -> list[str]:
    """`Golem 1 | HP 20 | DEF 15` is one sheet; other cells stand for themselves."""
    if len(cells) > 1 and not any("/" in cell for cell in cells):
        return [f"{name}: {', '.join(cells)}"]
    return [f"{name}: {cell}" for cell in cells]


def _by_columns(name: str, cells: list[str], columns: tuple[str, ...]) -> list[str]:
    """A row below a heading: HP as `n/m` or beside its maximum, or a sheet of whole numbers."""
    row = {column: cell for column, cell in zip(columns, cells, strict=True) if column}
    bound = [f"{name}: {cell}" for cell in cells if _BOUND.search(cell) is not None]
    now = _FRACTION.match(row.get("HP", ""))
    if now is not None:
        return [f"{name}: {now.group(1)}/{now.group(2)} HP", *bound]
    if "MAX" in row and _WHOLE.match(row["HP"]) and _WHOLE.match(row["MAX"]):
        return [f"{name}: {row['HP']}/{row['MAX']} HP"]
    stats = [f"{column} {cell}" for column, cell in row.items() if _WHOLE.match(cell)]
    return [f"{name}: {', '.join(stats)}"] if stats else []


def names_a_stranger(line: str) -> bool:
    """Whether the first cell of a row is a name that nobody of the battle has: its HP are not the author's."""
    cells = cells_of(line)
    return len(cells) > 1 and _NAME_LIKE.match(cells[0]) is not None and _NO_NAME.match(cells[0]) is None
