"""Reading lines outside tags: HP statements, state tables, sheets, turn numbers (ND6, ND7, ND25, X18)."""

from __future__ import annotations

import re

from rules.d20_arena.reading_words import Lexicon
from rules.d20_arena.records import Count, HitPoints, SheetLine

# Runs of blanks are taken whole (`*+`): shared out among the parts of a pattern they would cost hours.
_COUNT = re.compile(
    r"[\[(]?[ \t]*+(turn|round)[ \t]*+:?[ \t]*+#?(\d{1,4})[ \t]*+[\])]?[ \t]*+[.:!-]?[ \t]*+\Z", re.IGNORECASE
)
_HP = re.compile(
    r"(?:HP|Hit[ ]points)\b[ \t]*+[:=]?[ \t]*+(-?\d{1,9})(?:[ \t]*+/[ \t]*+(\d{1,9}))?(?!\d)", re.IGNORECASE
)
_END = r"[ \t]*+[.;,]?[ \t]*+(?:\([^()\n]{0,60}\)|-?[ \t]*+(?:out|down|submits|defeated))?[ \t]*+[.!]?[ \t]*+\Z"
_REST = re.compile(_END, re.IGNORECASE)
_DEF_OR_NOT = r"(?:[ \t]*+[,;|][ \t]*+(?:DEF|Defen[cs]e)\b\.?[ \t]*+:?[ \t]*+(\d{1,9})(?!\d))?"
#: `31/40`, `31/40 HP, DEF 14 (out)` to the end of the cell.
_STATED = re.compile(
    r"(-?\d{1,9})[ \t]*+/[ \t]*+(\d{1,9})(?![\d/])[ \t]*+(?:HP\b|hit points\b)?" + _DEF_OR_NOT + _END, re.IGNORECASE
)
#: `HP: 31/40` and what may follow it, to the end of the cell.
_HP_STATED = re.compile(
    r"(?:HP|Hit[ ]points)\b[ \t]*+[:=]?[ \t]*+(-?\d{1,9})[ \t]*+/[ \t]*+(\d{1,9})(?!\d)" + _DEF_OR_NOT + _END,
    re.IGNORECASE,
)
_STAT = re.compile(
    r"(HP|DEF|Defen[cs]e|ATK|Attack|RES|Resistance)\b\.?[ \t]*+[:=]?[ \t]*+([+-]?[ \t]?\d{1,9})(?![\d/])", re.IGNORECASE
)
_KINDS = re.compile(
    r"[ \t]*+\(([A-Za-z]{1,30}[ \t]+\d{1,6}(?:[ \t]*+[,;][ \t]*+[A-Za-z]{1,30}[ \t]+\d{1,6}){0,19})\)", re.IGNORECASE
)
_SEPARATOR = re.compile(r"[ \t]*+[,;|/][ \t]*+|[ \t]+")
_STRANGER = re.compile(
    r"[A-Z][\w' -]{0,40}:[ \t]*+(?:\d{1,9}[ \t]*+/[ \t]*+\d{1,9}[ \t]*+HP\b|HP[ \t]+\d{1,9},[ \t]*+DEF[ \t]+\d)"
)
_STATS = {
    "hp": "HP",
    "def": "DEF",
    "defense": "DEF",
    "defence": "DEF",
    "atk": "ATK",
    "attack": "ATK",
    "res": "RES",
    "resistance": "RES",
}


def read_line(text: str, start: int, end: int, names: Lexicon) -> list[HitPoints | SheetLine | Count | str]:
    """The records of a line; a plain string says why a line of that form could not be read."""
    line = text[start:end]
    count = _COUNT.match(line)
    if count:
        return [Count(count.group(1).casefold(), int(count.group(2)))]
    cells = line.split("|") if "|" in line and not _STAT.match(line) else [line]
    found = [_cell(cell.strip(), names) for cell in cells[:50]]
    return [read for read in found if read is not None]


def _cell(cell: str, names: Lexicon) -> HitPoints | SheetLine | str | None:
    named = names.before_colon(cell, 0, len(cell))
    if named is None:
        if _STRANGER.match(cell):
            return "names nobody of this battle"
        return _own(cell)
    name, place = named
    stated = _STATED.match(cell, place) or _HP_STATED.match(cell, place)
    return _statement(stated, name) if stated else _sheet(cell, place, name)


def _own(cell: str) -> HitPoints | SheetLine | str | None:
    """`HP: 31/40`, `HP: 31/40, DEF 14`, or a whole stat line of the author's own."""
    stated = _HP_STATED.match(cell)
    if stated:
        return _statement(stated, None)
    found = _HP.match(cell)
    if found is None or found.group(2) is not None:
        return None
    sheet = _sheet(cell, 0, None)
    if sheet is not None:
        return sheet
    return "no maximum is written beside the HP" if _REST.match(cell, found.end()) else None


def _statement(stated: re.Match[str], name: str | None) -> HitPoints:
    now, most, defense = stated.groups()
    return HitPoints(name, int(now), int(most), int(defense) if defense is not None else None)


def _sheet(cell: str, place: int, name: str | None) -> SheetLine | None:
    """`HP 20, DEF 15, ATK +3, RES 1 (fire 3, cold 2)` from `place` on: at least HP and one more."""
    stats: dict[str, int] = {}
    kinds: list[tuple[str, int]] = []
    while len(stats) < 10:
        found = _STAT.match(cell, place)
        if found is None:
            break
        stats[_STATS[found.group(1).casefold()]] = int(found.group(2).replace(" ", ""))
        place = found.end()
        extra = _KINDS.match(cell, place)
        if extra:
            kinds += [(w.casefold(), int(n)) for w, n in re.findall(r"([A-Za-z]+)[ \t]+(\d+)", extra.group(1))]
            place = extra.end()
        gap = _SEPARATOR.match(cell, place)
        place = gap.end() if gap else place
    if len(stats) < 2 or cell[place:].strip(" .)"):
        return None
    return SheetLine(name, tuple(stats.items()), tuple(kinds))
