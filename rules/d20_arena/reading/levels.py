"""Reading bind levels: `bind level 0 -> 2 (legs)`, `Bind level: legs 2`, `legs 0 -> 2`, `0 + 2 = 2 (legs)` (ND4, ND19).

Everybody writes the area where it comes handy: behind the level in brackets, as the notation has it, or before it.
"""

from __future__ import annotations

import re

from rules.d20_arena.records import Levels
from rules.d20_arena.words import AREA, Lexicon, area_of

_ARROW = r"[ \t]*+(?:-{0,2}>|=>|\u2192)"
_TO = rf"(?:{_ARROW}|[ \t]*+to\b)[ \t]*+"
_ON = r"(?:(?:on|of|in|at|for)[ ])?(?:(?:the|his|her|their|its|my)[ ])?"
#: Between the label and the number: `now`, `is now`, `rises to`, `from`.
_NOW = r"(?:(?:is|are|now|becomes?|bound|goes|rises?|raised|up|at|to|from|level)\b[ \t]*+:?[ \t]*+){0,4}"
_LEVELS = re.compile(
    rf"[ \t]*+(?:[(]?{_ON}{AREA}\b[)]?(?:[ ](?:bindings?|binds?|level))?[ \t]*+[:,=-]?[ \t]*+)?{_NOW}"
    rf"(?:(?P<old>\d{{1,4}}){_TO}"
    r"|(?P<sum>\d{1,4})?(?:[ \t]*+[+-][ \t]*+\d{1,3}(?:[ \t]*+\([^()\n]{0,20}\))?){1,4}[ \t]*+=[ \t]*+)?"
    r"(?P<to>\d{1,4})(?![\d.]\d|\d)(?:[ \t]*+/[ \t]*+\d{1,2}(?!\d))?"
    rf"(?:[ \t]*+\([ \t]*+{_ON}{AREA.replace('area', 'behind')}[ \t]*+\)"
    rf"|[ \t]++{_ON}{AREA.replace('area', 'plain')}\b(?![ \t]*+:?[ \t]*+\d))?",
    re.IGNORECASE,
)
#: What stands behind a number that is no level itself.
_GOES_ON = re.compile(
    r"[ \t]*+(?:[+*=]|-[ \t]*+\d|-{0,2}>|\u2192|[,;(]?[ ]*+(?:so|but|capped|max\w{0,5}|stays|limit)\b)", re.I
)
_SPILL = re.compile(
    r"[ \t]*+[,;(]?[ \t]*+(?:and[ ])?spill(?:s|ed|ing)?(?:-|[ \t])?over:?[ \t]+(?:(?:in)?to[ ](?:the[ ])?)?"
    rf"{AREA}\b:?[ \t]+(?:(?P<old>\d{{1,4}}){_TO})?(?P<to>\d{{1,4}})(?!\d)[ \t]*+\)?",
    re.IGNORECASE,
)
#: A level that changes, or an area with its level, without the words `bind level` before it.
_CHANGE = re.compile(
    r"\b(?:(?:bind(?:ing)?s?[ ]?)?(?:levels?|lvl\.?)|bind(?:ing)?s?)[ \t]*+:?[ \t]*+"
    rf"(?=\d{{1,3}}{_ARROW}[ \t]*+\d)"
    rf"|\b(?={AREA}\b[ \t]*+:?[ \t]*+(?:\d{{1,3}}{_ARROW}[ \t]*+\d"
    r"|(?:(?:now|is|are|bound|at|to)[ ]){0,3}(?:level|lvl)[ :]{1,2}\d))"
    # `level 2 (legs)`, `bound: legs 2`
    rf"|\b(?:level|lvl)[ ]+(?=\d{{1,3}}[ ]*+\({AREA.replace('area', 'boxed')}\b)"
    rf"|\b(?:bound|binds?)[ ]*+:[ ]*+(?={AREA.replace('area', 'led')}\b[ ]+(?:level[ ])?\d)",
    re.IGNORECASE,
)
#: A level that is told in some other way.
_TOLD = re.compile(
    r"\b(?:levels?|lvl|bound|bind(?:ing)?s?)\b[^;\d\n]{0,16}\d|\b\d{1,2}[ ]levels?\b"
    r"|\b(?:arms?|legs?|torso)\b[^;\d\n]{0,12}\d",
    re.IGNORECASE,
)
#: A loose line about the levels of whoever was hit above it.
_LINE = re.compile(
    r"(?:bind(?:ing)?s?[ ]?levels?|binding|bind|levels?|lvl\.?)\b[ \t]*+[:=-]?[ \t]*+(?=\S)", re.IGNORECASE
)
_AREA_FIRST = re.compile(rf"{AREA}\b[ \t]*+:?[ \t]*+(?:level|lvl|\d{{1,3}}{_ARROW})", re.IGNORECASE)
#: How such a line ends.
_ENDS = frozenset("0123456789).")
_NAMED = re.compile(r"(?:'s)?[ \t]*+[:,-]?[ \t]*+", re.IGNORECASE)
#: Lines about levels are no longer than this.
_LONGEST = 120


def read_levels(text: str, place: int, end: int) -> tuple[Levels | None, int]:
    """`0 -> 2 (legs), spill-over torso 0 -> 1`, `legs 2` or `2 (legs)`, and the place behind it."""
    found = _LEVELS.match(text, place, end)
    if found is None or _GOES_ON.match(text, found.end(), end):
        return None, place
    old = found["old"] or found["sum"]
    area = area_of(found["area"] or found["behind"] or found["plain"])
    before = int(old) if old else None
    spill = _SPILL.match(text, found.end(), end)
    if spill is None:
        return Levels(int(found["to"]), area, before), found.end()
    spilt = int(spill["old"]) if spill["old"] else None
    return Levels(int(found["to"]), area, before, area_of(spill["area"]), int(spill["to"]), spilt), spill.end()


def levels_within(text: str, place: int, end: int) -> tuple[Levels | None, int]:
    """The first level that changes, or area with its level, somewhere in the words: `hit; legs 0 -> 1`."""
    found = _CHANGE.search(text, place, end)
    return read_levels(text, found.end(), end) if found else (None, place)


def tells_levels(text: str, place: int, end: int) -> bool:
    """Whether words that no form fits may tell a bind level all the same: `legs hobbled (level 2)`."""
    return _TOLD.search(text, place, end) is not None


def may_be_levels(line: str) -> bool:
    """A cheap look at a line: whether it may tell levels."""
    if len(line) > _LONGEST or line[-1] not in _ENDS:
        return False
    return ">" in line or "\u2192" in line or "evel" in line or "EVEL" in line


def level_line(text: str, start: int, end: int, names: Lexicon) -> tuple[Levels, str | None] | None:
    """A line that is the levels of one who was hit and no more, and the fighter whom it names."""
    if end - start > _LONGEST:
        return None
    named = next(names.fighter_forms.at(text, start, end), None)
    gap = _NAMED.match(text, named[1], end) if named else None
    place = gap.end() if gap else start
    label = _LINE.match(text, place, end)
    if label is None and _AREA_FIRST.match(text, place, end) is None:
        return None
    levels, stop = read_levels(text, label.end() if label else place, end)
    if levels is None or text[stop:end].strip(" .!"):
        return None
    if label is not None and levels.area is None and levels.old is None and "level" not in label.group().casefold():
        return None
    return levels, names.fighters.find(text[start : named[1]]) if named else None


__all__ = ["level_line", "levels_within", "may_be_levels", "read_levels", "tells_levels"]
