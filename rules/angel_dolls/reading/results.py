"""Reads what stands behind the two sides of a check: affinities, the damage, the outcome (NA2 to NA4)."""

from __future__ import annotations

import re

from rules.angel_dolls.statements import ELEMENTS, Check, Side

_AFFINITIES = re.compile(
    rf"\s*(?:[;,]\s*)?\(?(?:affinit(?:y|ies)\b\s*:?\s*)?(?P<element>{'|'.join(ELEMENTS)})\b(?:\s+affinit(?:y|ies))?\s*:?\s*\(?\s*(?P<a>[+-]?\s?\d{{1,6}})"
    r"\s*(?:/|,|;|-|vs\.?|and)\s*\(?\s*(?P<b>[+-]?\s?\d{1,6})\s*\)?\s*\)?",
    re.IGNORECASE,
)
#: An element with a number behind the sides: what is said of affinities in another form is not read over.
_ELEMENT = re.compile(rf"[^\n]{{0,40}}\b(?:{'|'.join(ELEMENTS)}|affinit(?:y|ies))\b\W{{0,6}}\d", re.IGNORECASE)
_RESULT = re.compile(r"\s*(?:-{1,3}>|={1,3}>?|→|:)\s*(?P<result>-?\s?\d{1,9})(?![\d%])")
#: The same in other words, at the end of its line: `. 11 damage`, `, damage: 22`, `, 62 - 51 = 11`, ` - 11`.
_LATE_RESULT = re.compile(
    r"\s*(?:(?:[.,;!]|(?<=\s)-(?=\s))\s*)?(?:(?:so|for|is|that's|makes|deals|does|which is)\s+)?(?:"
    r"(?P<a>\d{1,6})\s*(?:points?\s+of\s+)?(?:damage|dmg)\b"
    r"|(?:damage|dmg)\s*[:=-]?\s*(?P<b>\d{1,6})"
    r"|(?:(?P<from>\d{1,6})\s*-\s*(?P<less>\d{1,6})\s*)?=\s*(?P<c>\d{1,6})(?:\s*(?:damage|dmg)\b)?"
    r"|(?<=-)\s*(?P<d>\d{1,6})|(?<=so )(?P<e>\d{1,6})|\((?P<f>\d{1,6})\))"
    r"\s*(?:(?:to|on|for)\s+[^\d\n.,;]{1,40})?(?:\([^()\d\n]{0,60}\))?\s*[.!]?\s*$",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"\s*(?:(?:->|-->|=>|→|[,;:.-])\s*)?(?:so\s+)?(?:it\s+(?:is\s+)?|that's\s+)?(?:a\s+)?(?:clean\s+)?(?P<word>hits?|miss(?:es|ed)?|dodged?|dodges|disarmed|"
    r"(?:keeps|kept|holds)\s+(?:hold|control|grip)|(?:loses|lost)\s+control|holds on)\b"
    r"(?!\s*\?|\s+(?:(?:attempt|roll)\s+)?(?:fail(?:s|ed)|is\s+not|is\s+too)\b)",
    re.IGNORECASE,
)
#: The outcome in other words, at the end of its line (D4, D11: success).
_LAST_WORD = re.compile(
    r"\s*(?:->|-->|=>|\u2192|[,;:.-])\s*(?:it\s+|the\s+attack\s+|an?\s+)?"
    r"(?:(?P<yes>success(?:ful)?|succeeds|connects|lands)|(?P<no>fail(?:s|ed|ure)?|whiffs|evade[sd]|avoided))\s*[.!]*\s*$",
    re.IGNORECASE,
)
_OTHERWISE = {"hit": ("hit", "miss"), "disarm": ("disarmed", "keeps hold")}
#: A damage that goes on to another: `-> 35 + 60 = 95`, `-> 35 (+30 Dark, +30) = 95`, `-> 35, with affinities -> 95`.
_GOES_ON = re.compile(
    rf"(?:[\d\s+(),;/-]|\b(?:{'|'.join(ELEMENTS)}|affinit(?:y|ies)|with|and|plus|total)\b){{1,60}}(?<![+(-])"
    r"(?:->|=>|=|→)\s*(?P<result>\d{1,6})(?![\d%])(?=\s*(?:damage|dmg|hp)?[\s.!)]*$)",
    re.IGNORECASE,
)
#: The third of a disabling attack: `-> 22 (1/3: 7)`, `= 22, a third is 7`, `, a third -> 7`; not `7 (a third of 22)`.
_THIRD = re.compile(
    r"[\s,;:(=-]{0,4}(?:(?:(?:a|one)\s+)?third|(?:1\s*)?/\s*3|(?:divided )?by (?:3|three))"
    r"(?:\s*of\s*\d{1,6}\s*(?:=|is|->|:)\s*|(?!\s*of\b)[^\d\n]{0,25}?)(?P<result>\d{1,6})(?![\d%])",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
#: Checks that give a damage.
OF_DAMAGE = frozenset(("damage", "weapon", "strangle"))


def number_of(text: str) -> int:
    """A number with its sign, which may stand apart."""
    return int(text.replace(" ", ""))


def with_tail(kind: str, left: Side, right: Side | None, number: int | None, line: str, place: int) -> Check | None:
    """The check with what stands behind its sides: affinities, result, outcome.

    None where something stands there that is not known: affinities in another form, a number where the damage does.
    """
    if kind not in OF_DAMAGE:
        if right is not None and right.total is None and right.roll is None and _DIGIT.search(line, place):
            return None  # The side goes on in a form that is not known.
        word = _WORD.match(line, place)
        said = _plain(word["word"]) if word else _last_word(kind, line, place)
        return Check(kind, left, right, said, round=number)
    met = _affinities(line, place) if kind == "damage" else None
    if met is None and kind == "damage" and _says_affinities(line, place):
        return None
    result, end = _result(left, right, line, met.end() if met else place)
    third = _THIRD.match(line, end) if kind == "damage" and met is None else None
    if third is not None:
        result = int(third["result"])
    elif kind == "damage" and result is not None:
        # `-> 35; Dark +30 / -30 -> 95`: the difference stands first; or the affinities behind the damage.
        late = None if met else _AFFINITIES.match(line, end)
        last = _RESULT.match(line, late.end()) if late else _GOES_ON.match(line, end)
        met = met or late
        if last is not None:
            result = number_of(last["result"])
        elif met is None and _ELEMENT.match(line, end):
            return None
    if result is None and right is not None and _DIGIT.search(line, place):
        return None
    return Check(
        kind,
        left,
        right,
        result=None if result is None else _loss(result, left, right, met),
        round=number,
        element=met["element"].capitalize() if met else None,
        affinities=(number_of(met["a"]), number_of(met["b"])) if met else None,
    )


def _last_word(kind: str, line: str, place: int) -> str | None:
    """The outcome in other words, of checks in which they can only be about the attacker."""
    met = _LAST_WORD.match(line, place) if kind in _OTHERWISE else None
    return None if met is None else _OTHERWISE[kind][met["yes"] is None]


def _loss(result: int, left: Side, right: Side | None, met: re.Match[str] | None) -> int:
    """A damage may be written as the loss that it is; one below zero that the totals give is none at all."""
    if result < 0 and right is not None and right.total is not None:
        first = left.base + left.shift if left.total is None else left.total
        affinities = number_of(met["a"]) - number_of(met["b"]) if met else 0
        if first - right.total + affinities == result:
            return 0
    return abs(result)


def _result(left: Side, right: Side | None, line: str, place: int) -> tuple[int | None, int]:
    """The damage that a line states, and the place behind it.

    None where it states none, or shows other totals than its own beside it.
    """
    met = _RESULT.match(line, place)
    if met is not None:
        return number_of(met["result"]), met.end()
    late = _LATE_RESULT.match(line, place) if right is not None else None
    if late is None or (late["from"] and (int(late["from"]), int(late["less"])) != (left.total, right and right.total)):
        return None, place
    return int(next(number for number in late.group("a", "b", "c", "d", "e", "f") if number)), late.end()


def _says_affinities(line: str, place: int) -> bool:
    """Whether something is said of affinities between the sides and the result."""
    return _RESULT.match(line, place) is None and _ELEMENT.match(line, place) is not None


def _affinities(line: str, place: int) -> re.Match[str] | None:
    """The affinities behind the sides, up to the result; None where there are none in a form that is known."""
    met = _AFFINITIES.match(line, place)
    return met if met and (_RESULT.match(line, met.end()) or not line[met.end() :].strip(" .")) else None


def _plain(word: str) -> str:
    """An outcome in its plain form."""
    folded = " ".join(word.casefold().split())
    if folded.startswith("hit"):
        return "hit"
    if folded.startswith(("miss", "dodge")):
        return "miss"
    if folded == "disarmed":
        return "disarmed"
    if folded.startswith(("loses", "lost")):
        return "loses control"
    return "keeps control" if folded.endswith("control") else "keeps hold"
