"""Sheets of several fighters on one line, or of one in a bracket: `Golem 1: HP 20, DEF 15; Golem 2: HP 30, DEF 13`."""

from __future__ import annotations

import re

from rules.d20_arena.reading.sheets import read_sheet
from rules.d20_arena.records import SheetLine
from rules.d20_arena.words import Lexicon

_HP = re.compile(r"\bHP\b", re.IGNORECASE)
_DEF = re.compile(r"\bDEF", re.IGNORECASE)
_WORD = re.compile(r"\b\w")
#: Between a name and its stats.
_GAP = re.compile(r"[ \t]*+[:(,=-]{0,2}[ \t]*+\Z")
#: What may stand in front of the first name: `Enemies: `.
_LEAD = re.compile(r"[ \t\[(*-]*(?:[A-Za-z ]{2,24}:[ \t]*)?")
_OPENS = frozenset("[(")
#: What parts a sheet from the next one.
_PARTS = " \t,;|/*-["
#: No line states more sheets, and none is longer.
_MOST, _LONGEST = 12, 600
#: So far before its stats a name begins.
_NEAR = 60


def may_be_roster(line: str) -> bool:
    """A cheap look at a line: whether it may hold sheets in a bracket or several of them."""
    if len(line) > _LONGEST or ("/" in line and line[0] not in _OPENS):
        return False
    stats = len(_HP.findall(line))
    return (stats > 1 or (stats == 1 and line[0] in _OPENS)) and _DEF.search(line) is not None


def roster(line: str, names: Lexicon) -> list[SheetLine]:
    """The sheets of a line that consists of them; empty if it holds anything else."""
    heads = [head for found in list(_HP.finditer(line))[:_MOST] if (head := _named(line, found.start(), names))]
    if not heads or _LEAD.fullmatch(line, 0, heads[0][0]) is None:
        return []
    ends = [*(start for start, _, _ in heads[1:]), len(line)]
    sheets = [
        read_sheet(_closed(line[place:end].rstrip(_PARTS + "]")), 0, name)
        for (_, place, name), end in zip(heads, ends, strict=True)
    ]
    return [sheet for sheet in sheets if sheet is not None] if None not in sheets else []


def _named(line: str, place: int, names: Lexicon) -> tuple[int, int, str] | None:
    """Where the name before stats begins, where these begin, and whose they are."""
    for word in _WORD.finditer(line, max(0, place - _NEAR), place):
        for form, stop in names.fighter_forms.at(line, word.start(), place):
            name = names.fighters.find(form)
            if name is not None and _GAP.match(line[stop:place]):
                return word.start(), place, name
    return None


def _closed(words: str) -> str:
    """Words without a closing bracket that was opened before them."""
    return words[:-1].rstrip(_PARTS) if words.endswith(")") and words.count(")") > words.count("(") else words


__all__ = ["may_be_roster", "roster"]
