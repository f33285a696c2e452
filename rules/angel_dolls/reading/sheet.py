"""Reads stat blocks of players' posts: the sheet of a Deus or of a doll (D18, X18)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.model.claims import Claim
from referee.model.text import Script
from rules.angel_dolls.statements import STAT_PATTERN, STAT_WORDS, STATS, SheetBlock

_CELL = re.compile(rf"(?P<stat>{STAT_PATTERN})\s*[:=]?\s*\|?\s*(?P<value>\d{{1,6}})\s*(?:$|[|,;])", re.IGNORECASE)
_LINE = re.compile(
    rf"^[ \t]*(?:[-*\u2022|][ \t]*)?(?:\|[ \t]*)?(?:{STAT_PATTERN})[ \t]*[:=|]?[ \t]*\|?[ \t]*\d[^\n]{{0,300}}$",
    re.IGNORECASE | re.MULTILINE,
)
_PART = re.compile(r"\b(?P<part>deus|angel|doll|trainer)\b[^\n]{0,60}$", re.IGNORECASE)
_EXP = re.compile(r"^[ \t]*(?:exp|experience)[ \t]*[:=]?[ \t]*(?P<exp>\d{1,6})[ \t]*$", re.IGNORECASE | re.MULTILINE)
#: Fewer stats than this are no sheet.
FEWEST_STATS = 4


def read_sheet_blocks(script: Script) -> list[Claim]:
    """The stat blocks of a post, spoilers included (G16)."""
    return [claim for part in (script, *script.spoilers) if _LINE.search(part.text) for claim in _blocks(part)]


def _blocks(script: Script) -> Iterator[Claim]:
    """Runs of stat lines; a run that names a stat again begins a new block."""
    stats: dict[str, int] = {}
    begin = end = 0
    for line in _LINE.finditer(script.text):
        for cell in _CELL.finditer(line.group().strip(" \t|")):
            stat = STAT_WORDS[cell["stat"].casefold()]
            if stat in stats:
                yield from _block(script, stats, begin, end)
                stats = {}
            if not stats:
                begin = line.start()
            stats[stat] = int(cell["value"])
            end = line.end()
    yield from _block(script, stats, begin, end)


def _block(script: Script, stats: dict[str, int], begin: int, end: int) -> Iterator[Claim]:
    if len(stats) < FEWEST_STATS:
        return
    above = script.text[max(0, begin - 200) : begin].rstrip()
    title = _PART.search(above.rsplit("\n", 1)[-1])
    part = "deus" if title and title["part"].casefold() in ("deus", "trainer") else "angel"
    exp = _EXP.search(script.text)
    ordered = tuple((stat, stats[stat]) for stat in STATS if stat in stats)
    data = SheetBlock(part, ordered, int(exp["exp"]) if exp else None)
    yield Claim("sheet", script.quote(begin, end)[:400], (begin, end), dict(ordered), data)
