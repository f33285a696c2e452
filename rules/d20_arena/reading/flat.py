"""Damage without dice: `damage 4`, `damage 3 + 1 = 4`, as an ability with a plain number in its table does it."""

from __future__ import annotations

import re

from rules.d20_arena.reading.links import Links
from rules.d20_arena.records import Sum

_FLAT = re.compile(
    r"(?P<sum>\d{1,4}(?:[ \t]*+[+-][ \t]*+\d{1,4}){0,4})(?![\d/]|[ \t]*+(?:d\d|[+-]))"
    r"(?:[ \t]*+=[ \t]*+(?P<total>\d{1,4})(?![\d/]|[ \t]*+(?:d\d|[+-])))?"
    r"(?:[ \t]++(?:[A-Za-z]{2,12}[ \t]++)?damage\b)?"
    r"(?=[ \t]*+(?:[;,!)\]\n]|\.(?!\d)|(?:to|on|against)\b|\Z))",
    re.IGNORECASE,
)
_ADDENDS = re.compile(r"([+-]?)[ \t]*+(\d{1,4})")


def read_flat(text: str, place: int, end: int, links: Links) -> tuple[Sum, int] | None:
    """The plain number at a place and the place behind it; None where dice or a link say that it was rolled.

    `5 - 1 = 4`: what comes off (a resistance) is no part of it.
    """
    found = _FLAT.match(text, place, end)
    if found is None or links.behind(found.end())[0]:
        return None
    addends = [-int(n) if sign == "-" else int(n) for sign, n in _ADDENDS.findall(found["sum"])]
    given = tuple([n for n in addends if n >= 0])
    whole = found["total"] is None or len(given) < len(addends)
    return Sum((), given, sum(given) if whole else int(found["total"])), found.end()
