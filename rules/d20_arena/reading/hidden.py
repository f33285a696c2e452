"""What is not read and has to be named: actions in spoilers (G16), rolls on lines of no known form."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from operator import attrgetter

from referee.model.claims import Claim
from referee.model.text import Script
from referee.ports.reading import Line
from rules.d20_arena.reading.values import values_of
from rules.d20_arena.records import ACTS, HiddenHp, HitPoints, TrapRoll

_START = attrgetter("start")
_DOING = (*ACTS, TrapRoll)

#: A line that states a roll begins with a label, with dice or with a number; no sentence does.
_LABELLED = re.compile(
    r"(?:[A-Za-z][A-Za-z -]{0,24}\d{0,2}(?:\([^()\n]{0,30}\))?[ ]*+[:=>-]|[(\[]?\d{0,2}d\d|[(\[]?\d)"
)
#: No prose adds up.
_SUMMED = re.compile(r"\d[)\]]?[ ]*+[+-][ ]*+\d{1,4}[ ]*+=[ ]*+\d")
#: Dice, a sum with its result, or a number with a word that goes with rolls.
_COUNTED = re.compile(
    r"\b\d{0,2}d\d{1,3}\b|\d[ ]*+[+-][ ]*+\d{1,4}[^=\n]{0,20}=[ ]*+\d"
    r"|(?=[^\n]{0,200}\d)\b(?:to[ ]hit|hits?|miss(?:es|ed)?|damage|dmg|roll(?:s|ed)?|vs|natural|nat)\b",
    re.IGNORECASE,
)
_DICE = re.compile(r"\b\d{0,2}d\d{1,3}\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_CLAIMS = re.compile(r"\b(?:hits?|miss(?:es|ed)?|damage|dmg|vs|def(?:en[cs]e)?)\b", re.IGNORECASE)
_MOST_NEAR = 20
#: A line that states a roll is no longer than this.
_MOST = 240
#: The letter or number of an entry in a list, besides `1.`: `a)`, `(3)`, `5 -`.
_ENTRY = re.compile(
    r"(?:\(?[a-h1-9]\)|[a-h]\.|[1-9][ ]-)[ ]+(?=\S)"
    r"|[~+\u00bb\u25aa\u25b6\u25ba\u25cb\u25cf\u2023\u00b7][ ]*+(?=[A-Za-z])"
    r"|-(?=[A-Za-z][A-Za-z ]{2,20}[:(])"
    # A heart before a number is the word HP.
    r"|(?![\u2764\u2665]\ufe0f?[ ]*+\d)[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]{1,8}[ ]*+(?=\S)",
    re.IGNORECASE,
)
#: Signs of that kind and higher ones are no letters.
SIGNS = "\u218f"
#: What such an entry begins with.
ENTERS = frozenset("(abcdefgh123456789~+-\u00bb\u25aa\u25b6\u25ba\u25cb\u25cf\u2023\u00b7")
#: A sum with its result in brackets of its own: `[1d20+4 = 11+4] = 15`, `(2d6+3) = 8`.
_MOST_BOXED = 80
_BOXED = re.compile(r"([\[(])([ ]*+\d{0,2}d\d{1,4}[^\[\](){}\n]{0,60})([\])])(?=[ ]*+=[ ]*+\d)", re.IGNORECASE)


def unboxed(script: Script) -> Script:
    """The script with blanks for brackets round dice whose result stands behind them, as map tools write it."""
    text = script.text
    if "] =" not in text and ") =" not in text:
        return script
    for sign, opening in (("] =", "["), (") =", "(")):
        place = text.find(sign)
        while place >= 0:
            start = text.rfind(opening, max(0, place - _MOST_BOXED), place)
            if start >= 0 and _BOXED.match(text, start) is not None:
                return Script(_BOXED.sub(r" \2 ", text), script.shown, script.anchors, script.spoilers)
            place = text.find(sign, place + 1)
    return script


def without_entry(line: Line) -> Line:
    """A line without the letter or number of a list in front of it."""
    found = _ENTRY.match(line.text)
    return line if found is None else Line(line.start + found.end(), line.end, line.text[found.end() :])


def hidden_acts(own: Iterable[Claim], inner: list[Claim]) -> list[Claim]:
    """The actions of a post's spoilers, where the post has none outside: no claims, but nothing to be silent about."""
    if not inner or any(isinstance(claim.data, _DOING) for claim in own):
        return []
    return [claim for claim in inner if isinstance(claim.data, _DOING)]


def hidden_hp(inner: Iterable[Claim]) -> list[Claim]:
    """The HP that a post's spoilers state of somebody by name, set apart from claims; an edit of them is no fault."""
    return [
        _set_apart(claim, HiddenHp(claim.data))
        for claim in inner
        if isinstance(claim.data, HitPoints) and claim.data.name is not None and not claim.data.bare
    ]


def _set_apart(claim: Claim, data: HiddenHp) -> Claim:
    kind, values = values_of(data)
    return Claim(kind, claim.quote, claim.span, values, data, heading=True)


def rolls_unread(script: Script, start: int, end: int) -> bool:
    """Whether a line shows a linked or rolled number in a form that nothing was read from."""
    anchors = script.anchors
    place = bisect_left(anchors, start, key=_START)
    # A link may stand behind the blanks at the line's end.
    if place >= len(anchors) or anchors[place].start >= end + 3 or end - start > _MOST:
        return False
    line = script.text[start:end]
    if (
        (_LABELLED.match(line) is None and _SUMMED.search(line) is None)
        or _COUNTED.search(line) is None
        or _DIGIT.search(_DICE.sub("", line)) is None
    ):
        return False
    near = [anchor for anchor in anchors[place : place + _MOST_NEAR] if anchor.start < end + 3]
    # What a board shows of its own rolls is no claim: only words beside them make one.
    rolled = any(anchor.dice for anchor in near)
    return any(anchor.url for anchor in near) or (rolled and _CLAIMS.search(line) is not None)


__all__ = ["SIGNS", "hidden_acts", "hidden_hp", "rolls_unread", "unboxed", "without_entry"]
