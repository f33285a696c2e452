"""Reading sheets: `Golem 1: HP 20, DEF 15, ATK +3, RES 1 (fire 3, cold 2)` and what players make of it (ND7, ND25)."""

from __future__ import annotations

import re

from rules.d20_arena.records import SheetLine

_NAMED_STAT = r"(?P<stat>HP|DEF|Defen[cs]e|ATK|Attack|RES|Resistance)\b"
#: `DEF 15`, and of HP also `20/20`: full ones.
_STAT = re.compile(_NAMED_STAT + r"\.?[ \t]*+[:=]?[ \t]*+(?P<number>[+-]?[ \t]?\d{1,9})(?![\d/])", re.IGNORECASE)
_FULL_HP = re.compile(r"\b(HP[ ]*+[:=]?[ ]*+(\d{1,9}))[ ]?/[ ]?\2(?!\d)(?=[ ]*+[,;|])", re.IGNORECASE)
#: `20 HP`, `+3 ATK`.
_STAT_BEHIND = re.compile(r"(?P<number>[+-]?\d{1,9})[ ]?" + _NAMED_STAT, re.IGNORECASE)
#: `Speed 4`: no stat of this game.
_OTHER_STAT = re.compile(r"[A-Za-z]{2,14}[ ]?[:=]?[ ]?[+-]?\d{1,4}(?![\d/])")
_REMARK = re.compile(r"[ .)]*(?:\([^()\n]{0,60}\))?[ .)]*")
_MOST_STATS = 12
_KINDS = re.compile(
    r"[ \t]*+\(([A-Za-z]{1,30}[ \t]+\d{1,6}(?:[ \t]*+[,;][ \t]*+[A-Za-z]{1,30}[ \t]+\d{1,6}){0,19})\)", re.IGNORECASE
)
_SEPARATOR = re.compile(r"[ \t]*+[,;|/*][ \t]*+|[ \t]+")
#: Names of stats in posts, and what they are called.
STATS = {
    "hp": "HP",
    "def": "DEF",
    "defense": "DEF",
    "defence": "DEF",
    "atk": "ATK",
    "attack": "ATK",
    "res": "RES",
    "resistance": "RES",
}


def begins_sheet(line: str) -> bool:
    """Whether a line begins with a stat."""
    return _STAT.match(line) is not None


def read_sheet(cell: str, place: int, name: str | None) -> SheetLine | None:
    """`HP 20, DEF 15, ATK +3, RES 1 (fire 3, cold 2)` from `place` on: at least HP and one more."""
    if "/" in cell:
        # `HP 20/20, DEF 15, ATK +3`: whole HP beside other stats are the sheet's.
        cell, place = _FULL_HP.sub(r"\1", cell[place:], 1), 0
    stats: dict[str, int] = {}
    kinds: list[tuple[str, int]] = []
    for _ in range(_MOST_STATS):
        found = _STAT.match(cell, place) or _STAT_BEHIND.match(cell, place)
        if found is not None:
            stats[STATS[found["stat"].casefold()]] = int(found["number"].replace(" ", ""))
        elif not stats or (found := _OTHER_STAT.match(cell, place)) is None:
            break
        place = found.end()
        extra = _KINDS.match(cell, place)
        if extra:
            kinds += [(w.casefold(), int(n)) for w, n in re.findall(r"([A-Za-z]+)[ \t]+(\d+)", extra.group(1))]
            place = extra.end()
        gap = _SEPARATOR.match(cell, place)
        place = gap.end() if gap else place
    if len(stats) < 2 or _REMARK.fullmatch(cell, place) is None:
        return None
    return SheetLine(name, tuple(stats.items()), tuple(kinds))
