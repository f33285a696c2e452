"""Lines of HP: the party's, a creature's, several on one line (NE4, X18)."""

from __future__ import annotations

import re

from referee.ports.reading import ARROW
from rules.enolaptia.claims import HpLine, HpRow
from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.grammar import LineText

_FLAGS = re.IGNORECASE
_HP = re.compile(r"HP\s*[:=]\s*", _FLAGS)
_HP_ROW = re.compile(
    r"(?P<name>[^:;,()\[\]\n/|\d][^:;,()\[\]\n/|]{0,59}?)\s*[:=]?\s*(?P<now>-?\d{1,6})\s*(?:/\s*(?P<top>\d{1,6}))?\s*(?:HP\b)?"
    r"\s*(?:\((?P<note>[^()\n]{0,40})\))?\s*(?:[,;|]\s*|[.!]?\s*$)",
    _FLAGS,
)
_HP_OWN = re.compile(r"(?P<now>-?\d{1,6})\s*(?:/\s*(?P<top>\d{1,6}))?\s*[.]?\s*$")
_STAND = re.compile(
    r"(?P<name>[^:;,()\[\]\n/|]{1,60}?)\s*:\s*(?:HP\s*[:=]?\s*)?(?P<now>-?\d{1,6})\s*/\s*(?P<top>\d{1,6})\s*(?:HP\b)?"
    r"\s*(?:[-,]?\s*\(?\s*(?:dead|out|down|defeated|killed|slain|fallen|unconscious)\s*\)?)?\s*[.!]?\s*$",
    _FLAGS,
)
_DEAD = re.compile(
    r"(?P<name>[^:;,()\[\]\n/|]{1,60}?)\s*:\s*\(?(?:dead|defeated|killed|slain|dies|ko|unconscious)\)?\s*[.!]?\s*$",
    _FLAGS,
)
#: `Mira is still at`, `drops to`, `has`.
_STANDS_AT = (
    r"(?:is|am|are|was|has|have|now|still|only|down|back|up|left|drops?|falls?|goes|stays?|stands?|with|at|to|on)"
)
_LOOSE_HEAD = re.compile(
    r"(?:(?:current|remaining|new|final|updated)\s+)?(?:HPs?|hit\s?points|health)\b(?:\s+(?:check|totals?|left|now|status|so\s+far|remaining"
    r"|(?:after|at\s+the\s+end\s+of)\s+(?:this|the|that)\s+(?:(?:battle\s+)?turn|round|fight|battle|move))\b)?"
    r"\s*[:=-]?\s*",
    _FLAGS,
)
_HP_HEADING = re.compile(r"\W{0,8}(?:(?:current|remaining|new|final)\s+)?(?:HPs?|hit\s?points|health)\W{0,8}", _FLAGS)
_LONGEST_HEADING = 32
#: Words in front of a list of HP: `Everybody stays put: Mira 37/40, Tobin 35/35`.
_WORDS_AHEAD = re.compile(r"[A-Za-z][^\d:\n]{0,60}:\s*")
#: `Mira 34/40 HP`, `Mira HP: 34/40`, `Rat 1 (9/18)`, `Mira 40 -> 34`, `Rat 1: 18/18 -> 9/18`.
_LOOSE_ROW = re.compile(
    r"(?P<name>[^:;,()\[\]\n/|\d][^:;,()\[\]\n/|]{0,59}?)(?:'s)?\s*[:=]?\s*(?P<hp>HP\b\s*[:=]?\s*)?"
    rf"(?P<stands>\b(?:{_STANDS_AT}\s+){{1,4}})?"
    rf"\(?\s*(?:\d{{1,6}}(?:\s*/\s*\d{{1,6}})?\s*(?:HP\s*)?(?:{ARROW}|[-+]\s*\d{{1,6}}\s*=)\s*)?(?P<now>\d{{1,6}})"
    r"\s*(?:(?:/|\b(?:out\s+)?of\b)\s*(?P<top>\d{1,6}))?\s*(?P<unit>HP\b)?(?P<left>\s+(?:left|remaining|now))?\s*\)?"
    r"\s*(?:\((?:[^()\n\d]|[+-]\s?\d{1,4}){0,40}\))?\s*(?:[,;|/]\s*|[.!]?\s*$|(?(top)(?=[-A-Za-z])|(?!)))",
    _FLAGS,
)
#: `Rat 1 dead` in a row of HP; the first look is a cheap one.
_FALLEN = re.compile(r"dead|defeated|killed|slain|down\b|\bko\b|k\.o\.|unconscious|fallen", _FLAGS)
_LOOSE_DEAD = re.compile(
    r"(?P<name>[^:;,()\[\]\n/|]{1,60}?)\s*[:=-]?\s*(?:(?:is|are|now)\s+){0,2}\(?(?:dead|defeated|killed|slain|down|ko|k\.o\.|unconscious|fallen)\)?\s*"
    r"(?:[,;|/]\s*|[.!]?\s*$)",
    _FLAGS,
)
#: A bracket at the end of a line with HP in it.
_BRACKET = re.compile(
    r"\s*[(\[](?P<inner>[A-Za-z][^()\[\]\n]{0,80}?\d\s*/\s*\d[^()\[\]\n]{0,60}(?:\((?:dead|out|down)\))?)[)\]]\s*[.!]?$"
)
_LONGEST_BRACKET = 160
#: The same behind a comma, a dash or an arrow: `..., 14/2 = 7, Rat 1 11/18`, `... = 7 -> Rat 1: 11/18`.
_BEHIND = re.compile(
    rf"(?:[,;]|\s-(?=\s)|\s?{ARROW})\s*(?:so\s+|now\s+)?"
    r"(?P<inner>[^\W\d][^,;:()\n/]{0,40}?:?\s*\d{1,6}\s*/\s*\d{1,6}\s*(?:\((?:dead|out|down)\))?)\s*[.!]?$",
    _FLAGS,
)
#: Words behind the last number: `9/18, limping`; not those that say it was another time's: `9/18 before`.
_REMARK = re.compile(
    r"-?\s*(?![^\n]*\b(?:before|earlier|previously|originally|initially|until|start|last|ago|was|were|had|should|would)\b)"
    r"[A-Za-z][^\d:?\n]{0,80}$",
    _FLAGS,
)


def read_hp(line: LineText, names: Lexicon, own: str | None) -> HpLine | None:
    """`HP: Mira 31/40, Tobin 22/35`, `Rat 1: 0/18 (dead)`; `own`: the author's only character."""
    head = _HP.match(line.text, line.start, line.end)
    if head is not None:
        return _party_hp(line, names, own, head.end())
    if line.text.find("/", line.start, line.end) < 0:
        return _dead(line, names)
    met = _STAND.match(line.text, line.start, line.end)
    if met is not None:
        name, now, top = met.group("name", "now", "top")
        if names.known(name):
            return HpLine((HpRow(names.name(name), int(now), int(top)),))
    return _hp_table(line, names)


def heads_hp_rows(text: str) -> bool:
    """Whether a line is the heading `HP` alone, above rows of it."""
    return len(text) <= _LONGEST_HEADING and _HP_HEADING.fullmatch(text) is not None


def read_hp_row(line: LineText, names: Lexicon) -> HpLine | None:
    """A row below that heading: `Mira: 37`, `- Rat 1 0/18`."""
    return _loose_rows(line, names, line.start, True)


def hp_in_brackets(line: LineText, names: Lexicon) -> tuple[HpLine, int, int] | None:
    """HP in a bracket at the end of a line, `... = 7 (Rat 1: 11/18)`, with the places of the bracket."""
    met = _BRACKET.search(line.text, max(line.start, line.end - _LONGEST_BRACKET), line.end)
    if met is None:
        return None
    inner = line.part(met.start("inner"), met.end("inner"))
    found = read_hp(inner, names, None) or read_loose_hp(inner, names, None)
    return None if found is None else (found, met.start(), met.end())


def hp_behind(line: LineText, names: Lexicon) -> tuple[HpLine, int, int] | None:
    """One fighter's HP behind the mark that ends a move, with the places of the mark and of the name."""
    met = _BEHIND.search(line.text, max(line.start, line.end - _LONGEST_BRACKET), line.end)
    found = None if met is None else read_loose_hp(line.part(met.start("inner"), met.end("inner")), names, None)
    return None if met is None or found is None else (found, met.start(), met.start("inner"))


def _dead(line: LineText, names: Lexicon) -> HpLine | None:
    """`Rat 1: dead`."""
    met = _DEAD.match(line.text, line.start, line.end)
    if met is None or not names.find(met["name"]):
        return None
    return HpLine((HpRow(names.name(met["name"]), 0),))


def _hp_table(line: LineText, names: Lexicon) -> HpLine | None:
    """`| Mira: 31/40 | Tobin: 22/35 |` on one line (X18)."""
    place = line.start + (line.text[line.start] == "|")
    rows = []
    while place < line.end:
        met = _HP_ROW.match(line.text, place, line.end)
        if met is None or met["top"] is None or not names.find(met["name"]):
            return None
        rows.append(HpRow(names.name(met["name"]), int(met["now"]), int(met["top"])))
        place = met.end()
    return HpLine(tuple(rows)) if rows else None


def _party_hp(line: LineText, names: Lexicon, own: str | None, place: int) -> HpLine | None:
    alone = _HP_OWN.match(line.text, place, line.end)
    if alone is not None and own:
        return HpLine((HpRow(own, int(alone["now"]), int(alone["top"]) if alone["top"] else None),))
    rows = []
    while place < line.end:
        met = _HP_ROW.match(line.text, place, line.end)
        if met is None:
            return None
        name, now, top = met.group("name", "now", "top")
        if not names.known(name):
            return None
        rows.append(HpRow(names.name(name), int(now), int(top) if top else None))
        place = met.end()
    return HpLine(tuple(rows)) if rows else None


def read_loose_hp(line: LineText, names: Lexicon, own: str | None) -> HpLine | None:
    """HP in other shapes; without the letters HP only where the number behind the stroke is the fighter's maximum.

    A fraction behind a name (`Mira 3/4`) is a score or a share and no HP.
    """
    head = _LOOSE_HEAD.match(line.text, line.start, line.end)
    if head is None and not _may_hold_hp(line.text[line.start : line.end]):
        return None
    found = _loose_rows(line, names, head.end() if head is not None else line.start, head is not None)
    ahead = _WORDS_AHEAD.match(line.text, line.start, line.end) if found is None and head is None else None
    return found if ahead is None else _loose_rows(line, names, ahead.end(), False)


def _may_hold_hp(text: str) -> bool:
    """Whether a line has a stroke or the letters HP; without them no number of it is anybody's HP."""
    return "/" in text or "hp" in text.casefold()


def _loose_rows(line: LineText, names: Lexicon, place: int, headed: bool) -> HpLine | None:
    """The rows from a place on; `headed`: the letters HP stand in front of them."""
    rows: list[HpRow] = []
    proved, stated = True, False
    fallen = _FALLEN.search(line.text, place, line.end) is not None
    while place < line.end:
        dead = _LOOSE_DEAD.match(line.text, place, line.end) if fallen else None
        if dead is not None and names.find(dead["name"]) is not None:
            rows.append(HpRow(names.name(dead["name"]), 0))
            place = dead.end()
            continue
        met = _LOOSE_ROW.match(line.text, place, line.end)
        if met is None or names.find(met["name"]) is None:
            remark = stated and proved and _REMARK.match(line.text, place, line.end)
            named = names.leading(line.text, place, line.end) > place  # `Tobin out` says something of him.
            return HpLine(tuple(rows)) if remark and not named else None
        top = int(met["top"]) if met["top"] else None
        proved = top is not None and top == names.top(met["name"])
        if not (proved or headed or met["hp"] or (met["unit"] and (top is not None or met["stands"] or met["left"]))):
            return None
        rows.append(HpRow(names.name(met["name"]), int(met["now"]), top))
        stated = True
        place = met.end()
    return HpLine(tuple(rows)) if rows and stated else None
