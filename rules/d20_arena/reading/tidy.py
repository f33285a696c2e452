"""HP lines as players write them, put into the forms that are read: bars, `29 of 30`, `Health`, bind levels behind."""

from __future__ import annotations

import re

#: Lines longer than this state no HP.
LONGEST = 400

_AREA = r"(?:arms?|legs?|torso|head)"
_LEVELED = r"(?:bind(?:ing)?s?[ ]?levels?|levels?|lvl)"
#: `bind level 2 (legs)`, `legs 2`, `legs: level 2`.
_BOUND = (
    rf"(?:{_LEVELED}[ ]*+:?[ ]*+\d{{1,2}}[ ]*+[(,]?[ ]*+{_AREA}\b\)?"
    rf"|{_AREA}\b[ ]*+(?:{_LEVELED})?[ ]*+[:=]?[ ]*+(?:\d{{1,2}}[ ]*+(?:--?>|=>|\u2192)[ ]*+)?\d{{1,2}}(?![\d/]))"
)
_BOUND_BEHIND = re.compile(
    r"[ ]*+[,;(/-]?[ ]*+(?:(?:bound|binds?|bindings?)[ ]*+:?[ ]*+)?"
    rf"(?P<all>{_BOUND}(?:[ ]*+(?:,|;|&|and)?[ ]*+{_BOUND}){{0,3}})[ ]*+\)?[ .!]*\Z",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,2}")
_AREA_SAID = re.compile(rf"\b({_AREA})\b", re.IGNORECASE)
_ONE = re.compile(_BOUND, re.IGNORECASE)
_AREAS = {"arm": "arms", "leg": "legs"}

#: Bars of health: signs, or blocks and coloured squares.
_BAR = re.compile(
    r"[\[(]?[ ]?[\u2580-\u259f\u25a0-\u25ff\u2b1b\u2b1c\u2764\ufe0f\u2665\u2661\U0001f7e0-\U0001f7eb"
    r"\U0001f5a4\U0001f90d\U0001f493-\U0001f49c#=|*_+~-]{4,80}[ ]?[\])]?"
)
_OF = re.compile(r"\b(\d{1,9})[ ]?(?:HP[ ])?(?:out[ ])?of[ ](\d{1,9})\b(?![ ]?/)", re.IGNORECASE)
_TWICE = re.compile(r"\b(\d{1,9})[ ]?HP[ ]?/[ ]?(\d{1,9})[ ]?HP\b", re.IGNORECASE)
_HEART = re.compile(r"(\d[ ]?/[ ]?\d{1,9})[ ]?(?:\u2764\ufe0f?|\u2665)")
#: `85% (17/20)`, `[17/20 HP]`.
_BOXED = re.compile(
    r"(?<=:)[ ]*+(?:\d{1,3}[ ]?%[ ]?)?[\[(][ ]*+(\d{1,9}[ ]?/[ ]?\d{1,9}(?:[ ]?HP)?)[ ]*+[\])]", re.IGNORECASE
)
#: What stands in front of a state and says nothing of it.
_LEAD = re.compile(
    r"(?:(?:current|new|present|end|final)[ ])?"
    r"(?:status|state|summary|standings?|totals?|party|players?|enem(?:y|ies)|foes?|now"
    r"|end(?:ing)?(?:[ ]phase)?|results?|outcome|(?:end[ ]of[ ])?(?:turn|round)[ ]\d{1,4})[ ]*+[:-][ ]*+(?=\S)",
    re.IGNORECASE,
)
_WHOSE = re.compile(r"(?:HP|Hit[ ]points)[ ]*+\((?P<name>[^()\n]{1,40})\)[ ]*+:?(?=[ ]*+-?\d)", re.IGNORECASE)
_OWN = re.compile(r"(?:(?:my|own|current|present|new|remaining)[ ]){1,2}(?=(?:HP|hit[ ]points)\b)", re.IGNORECASE)
_AFTER = re.compile(
    r"\b(HP|hit[ ]points)(?:[ ](?:(?:is|are|now|left|remaining|at|total)\b){1,2}[ ]*+[:=]?|[ ]-)(?=[ ]*+\d)",
    re.IGNORECASE,
)


#: Signs between the cells of a status line: `HP 31/40 // DEF 14`.
_CELLS = re.compile(r"[ ](?://|\*|\u2022)[ ]")


def in_cells(line: str) -> str:
    """A status line with bars between its cells, without a bracket round it."""
    line = line[1:-1] if line[0] in "[(" and line[-1] in ")]" and "|" in line else line
    if len(line) > LONGEST or ("//" not in line and "*" not in line) or "HP" not in line.upper():
        return line
    return _CELLS.sub(" | ", line).rstrip(" *|")


def tidied(line: str) -> str:
    """A line without its bar and with `n/m` for `n of m`; as it is where it states no HP."""
    if len(line) > LONGEST:
        return line
    plain = line
    if _BAR.search(plain) is not None:
        plain = " ".join(_BAR.sub(" ", plain).split())
    if "of" in plain or "OF" in plain:
        plain = _put(_OF, r"\1/\2", plain)
    if "/" not in plain:
        return plain if plain.strip("|- ") else line
    plain = _put(_HEART, r"\1 HP", _put(_TWICE, r"\1/\2 HP", plain))
    if plain.count("/") == 1:
        plain = _put(_BOXED, r"\1", plain)
    lead = _LEAD.match(plain)
    plain = plain[lead.end() :] if lead else plain
    own = _OWN.match(plain)
    plain = plain[own.end() :] if own else plain
    whose = _WHOSE.match(plain)
    if whose is not None:
        plain = f"{whose['name'].strip()} HP: {plain[whose.end() :].strip()}"
    return _put(_AFTER, r"\1:", plain)


def _put(pattern: re.Pattern[str], words: str, line: str) -> str:
    """Put words in the place of a pattern; templates are taken apart only where it is there."""
    return line if pattern.search(line) is None else pattern.sub(words, line)


def bound_behind(cell: str) -> tuple[str, tuple[tuple[str, int], ...]]:
    """A cell without the bind levels at its end, and those: `17/20 HP, bind level 1 (legs)`."""
    if len(cell) > LONGEST or _AREA_SAID.search(cell) is None:
        return cell, ()
    found = _BOUND_BEHIND.search(cell)
    if found is None:
        return cell, ()
    return cell[: found.start()], tuple(map(_level, _ONE.findall(found["all"])))


def _level(words: str) -> tuple[str, int]:
    area = _AREA_SAID.search(words)
    number = _NUMBER.findall(words)
    said = area.group(1).casefold() if area else ""
    return _AREAS.get(said, said), int(number[-1]) if number else 0


__all__ = ["bound_behind", "in_cells", "tidied"]
