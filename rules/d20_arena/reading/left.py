"""HP that a line of words leaves somebody: `Golem 1 drops to 30 HP`, `Golem 1 takes 10, 30/40 HP left` (ND6).

Only whole lines that begin with a fighter's name and end with the number; everything else is prose.
"""

from __future__ import annotations

import re

from rules.d20_arena.records import HitPoints
from rules.d20_arena.words import Lexicon

_LABEL = r"(?:HP|hit[ ]points)\b"
_END = r"(?:[ ](?:left|remaining|now))?[ ]?[.!]?[ ]*+\Z"
_STATES = re.compile(
    r"(?:'s)?[ ]*+(?:[:,-][ ]*+)?(?:"
    # `takes 10 damage, `, `loses 10: `, `-10 HP (`
    r"(?:(?:takes?|took|loses?|lost|suffers?)[ ]|-)\d{1,4}\b(?:[ ](?!\d)[A-Za-z]{1,12}){0,4}[ ]?[,;:(-][ ]?"
    r"(?:(?:now|and|so|is|at|left|down|to|with|leaving|it|her|him|them)[ ]){0,4}(?:HP:?[ ])?(?=\d{1,9}[ ]?/)"
    r"|(?:HP|hit[ ]points):?[ ](?=\d{1,9}[ ]?(?:--?>|=>|\u2192))"
    r"|(?:(?:now|has|have|is|at|left|with|down|drops?|dropped|falls?|fell|goes|sinks|to)[ ]){1,4}(?=\d{1,9}[ ]HP))"
    rf"(?:(?P<old>\d{{1,9}})[ ]?(?:--?>|=>|\u2192)[ ]?)?(?P<now>\d{{1,9}})(?:[ ]?/[ ]?(?P<most>\d{{1,9}}))?"
    rf"(?:[ ]?{_LABEL})?[)]?{_END}",
    re.IGNORECASE,
)
_LONGEST = 100
#: How such a line ends: `... HP`, `... left!`, `... now.`, a number, a bracket.
_ENDS = frozenset("PpSstTgGwW.!)0123456789")
_SIGNS = re.compile(r"\bHP\b|hit points", re.IGNORECASE)


def may_leave(line: str) -> bool:
    """A cheap look at a line of words: whether it may tell HP."""
    if len(line) > _LONGEST or line[-1] not in _ENDS:
        return False
    return ("HP" in line or "hp" in line or "oints" in line) and _SIGNS.search(line) is not None


def hp_left(line: str, names: Lexicon) -> HitPoints | None:
    """The HP that a line leaves the fighter with whose name it begins."""
    named = next(names.fighter_forms.at(line, 0), None)
    found = _STATES.match(line, named[1]) if named else None
    name = names.fighters.find(line[: named[1]]) if named else None
    if found is None or name is None:
        return None
    now, most = int(found["now"]), names.most.get(name)
    if most is not None and (now > most or (found["most"] and int(found["most"]) != most)):
        return None
    if found["most"] is None and now == most:
        return None  # `has 40 HP` may tell the maximum
    old = int(found["old"]) if found["old"] else None
    return HitPoints(name, now, int(found["most"]) if found["most"] else None, old=old)


__all__ = ["hp_left", "may_leave"]
