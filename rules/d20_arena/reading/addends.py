"""The parts of a written sum as patterns: dice, what is added to them, and the signs before a result."""

from __future__ import annotations

import re

#: What says behind its dice that they are a critical's: `1d6 crit [4]`, `1d6 [4] crit`.
_CRIT_SAID = r"[ \t]*+\(?crit(?:ical)?(?:[ ](?:hit|die|dice|damage|bonus))?\)?"
#: A group of dice, with the values that may be shown behind it.
_GROUP = (
    r"(?:(?P<crit>crit(?:ical)?)(?:[ ](?:hit|die|dice|damage|bonus))?[ \t]*+:?[ \t]*+)?"
    r"(?P<count>\d{0,3})d(?P<sides>\d{1,4})(?![\w])"
    rf"(?P<said>{_CRIT_SAID}(?=[ \t]*+[(\[=]))?"
    r"(?:[ \t]*+[(\[][ \t]*+(?P<shown>\d{1,6}(?:[ \t]*+[,+][ \t]*+\d{1,6}){0,99})[ \t]*+[)\]])?"
    rf"(?P<says>{_CRIT_SAID}(?=[ \t]*+[=+]))?"
)
FIRST = re.compile(r"(?:(?P<lead>\d{1,9})[ \t]*+\+[ \t]*+)?" + _GROUP, re.IGNORECASE)
#: What is added to it: another group, or a flat number (with its reason in brackets).
FURTHER = re.compile(
    rf"[ \t]*+(?:(?:\+|plus\b)[ \t]*+{_GROUP}(?:[ \t]*+\([A-Za-z][A-Za-z '.-]{{0,40}}\)(?=[ \t]*+[+=-]))?"
    r"|(?P<sign>[+-]|plus\b|minus\b)[ \t]*+(?P<number>\d{1,9})(?![\dd])"
    r"(?:[ \t]*+\([A-Za-z][A-Za-z '.-]{0,40}\)|[ ][A-Za-z]{2,12}(?=[ \t]*+=[ \t]*+\d))?"
    # `+ ATK 4 =`, `+ (4) =`
    r"|\+[ \t]*+(?:[A-Za-z]{2,12}[ ](?P<named>\d{1,9})|\((?P<boxed>\d{1,9})\))(?=[ \t]*+[=+][ \t]*+\d))",
    re.IGNORECASE,
)
DIGITS = re.compile(r"\d+")
TOTAL = re.compile(r"[ \t]*+=[ \t]*+(-?[ \t]?\d{1,9})(?!\d)")
#: `= ?`: a result that is still open.
OPEN_RESULT = re.compile(r"[ \t]*+=[ \t]*+(?:\?|\.\.\.)")
#: Behind a result: the chain goes on, or a critical's die is added.
MORE = re.compile(
    r"[ \t]*+(?:\([A-Za-z][^()\n]{0,40}\)[ \t]*+)?"
    r"(?:,?[ \t]*+[+=-][ \t]*+[\d(\[c]|[;,][ \t]*+(?:plus|and)?[ \t]*+crit)",
    re.IGNORECASE,
)
EXTRA = re.compile(
    rf"[ \t]*+(?:\+|[;,][ \t]*+(?:plus|and|\+)?(?=[ \t]*+crit))[ \t]*+{_GROUP}",
    re.IGNORECASE,
)
FINAL = re.compile(
    r"[ \t]*+(?:=|=>|--?>|\u2192|[;,]?[ \t]*+(?:in[ ]|a[ ])?total(?:[ ]of)?[ \t]*+[:=]?)[ \t]*+(\d{1,9})(?!\d)",
    re.IGNORECASE,
)
#: What may stand for `=` before a number: `1d20+4: 15 + 4 = 19`, `2d6 \u2192 8`; or nothing before a bracket.
SIGN = re.compile(r"[ \t]*+(?P<sign>=>|--?>|\u2192|=|:)?[ \t]*+(?=(?P<bracket>[(\[])?[ \t]*+\d)")
PLUS = re.compile(r"[ \t]*+\+[ \t]*+(?P<crit>crit(?:ical)?[ \t]*+:?[ \t]*+)?", re.IGNORECASE)

#: Behind dice that are shown and a bonus: `1d20 (14) + 4 -> 18`, `+ 4: 18`, `+ 4, total 18`, `+ 4 equals 18`, `(18)`.
RESULT = re.compile(
    r"[ \t]*+(?:=>|--?>|\u2192|:|,?[ \t]*+(?:(?:for|in|an?)[ ]){0,2}total(?:[ ]of)?[ \t]*+[:=]?|equals|makes"
    r"|\((?=\d{1,9}\)))"
    r"[ \t]*+(-?\d{1,9})(?!\d|[ \t]*+(?:[d/+-]|(?:AC|HP|hit[ ]points)\b))\)?",
    re.IGNORECASE,
)
