"""Reading lines outside tags: HP statements, state tables, sheets, turn numbers (ND6, ND7, ND25, X18)."""

from __future__ import annotations

import re

from rules.d20_arena.reading_words import Lexicon
from rules.d20_arena.records import Count, HitPoints, SheetLine

# Runs of blanks are taken whole (`*+`): shared out among the parts of a pattern they would cost hours.
_COUNT = re.compile(
    r"[\[(]?[ \t]*+(turn|round)[ \t]*+:?[ \t]*+#?(\d{1,4})[ \t]*+[\])]?[ \t]*+[.:!-]?[ \t]*+\Z", re.IGNORECASE
)
_HP = re.compile(
    r"(?:HP|Hit[ ]points)\b[ \t]*+[:=]?[ \t]*+(-?\d{1,9})(?:[ \t]*+/[ \t]*+(\d{1,9}))?(?!\d)", re.IGNORECASE
)
_END = r"[ \t]*+[.;,]?[ \t]*+(?:\([^()\n]{0,60}\)|-?[ \t]*+(?:out|down|submits|defeated))?[ \t]*+[.!]?[ \t]*+\Z"
_REST = re.compile(_END, re.IGNORECASE)
_DEF_OR_NOT = r"(?:[ \t]*+[,;|][ \t]*+(?:DEF|Defen[cs]e)\b\.?[ \t]*+:?[ \t]*+(\d{1,9})(?!\d))?"
_LABEL = r"(?:HP|Hit[ ]points)\b"
#: How the present number came about: `20 -> `, `20/20 HP -> `, `20 - 11 = `.
_STEPS = (
    rf"(?:{_LABEL}[ \t]*+[:=]?[ \t]*+)?"
    rf"(?:-?\d{{1,9}}(?:[ \t]*+/[ \t]*+\d{{1,9}})?[ \t]*+(?:{_LABEL}[ \t]*+)?(?:->|=>|\u2192)[ \t]*+"
    r"|\d{1,9}(?:[ \t]*+[+-][ \t]*+\d{1,9}(?:[ \t]*+\([^()\n]{0,30}\))?){1,8}[ \t]*+=[ \t]*+)"
)
_NOW = rf"(-?\d{{1,9}})[ \t]*+/[ \t]*+(\d{{1,9}})(?![\d/])[ \t]*+(?:{_LABEL})?" + _DEF_OR_NOT + _END
#: `31/40`, `31/40 HP, DEF 14 (out)` to the end of the cell; `20 -> 9/20 HP`, `HP: 20 - 11 = 9/20`.
_STATED = re.compile(_NOW, re.IGNORECASE)
_STEPPED = re.compile(_STEPS + _NOW, re.IGNORECASE)
#: `HP: 31/40` and what may follow it, to the end of the cell.
_HP_STATED = re.compile(
    rf"{_LABEL}[ \t]*+[:=]?[ \t]*+(-?\d{{1,9}})[ \t]*+/[ \t]*+(\d{{1,9}})(?!\d)(?:[ \t]*+HP\b)?" + _DEF_OR_NOT + _END,
    re.IGNORECASE,
)
#: `20 -> 9 HP` and `HP 20 -> 9`: a change says which number is the present one, also without a maximum.
_CHANGED = re.compile(
    rf"(?:{_LABEL}[ \t]*+[:=]?[ \t]*+)?(?P<was>\d{{1,9}})[ \t]*+(?:HP[ \t]*+)?(?:->|=>|\u2192)"
    r"[ \t]*+(?P<now>-?\d{1,9})(?![\d/])"
    rf"[ \t]*+(?:{_LABEL})?" + _END,
    re.IGNORECASE,
)
#: A number of HP that can't be told: `?/20 HP`, `9/?? HP`.
_UNKNOWN = re.compile(
    rf"(?:{_LABEL}[ \t]*+[:=]?[ \t]*+)?(?:\?{{1,4}}[ \t]*+/[ \t]*+[\d?]{{1,9}}|\d{{1,9}}[ \t]*+/[ \t]*+\?{{1,4}})"
    rf"[ \t]*+(?:{_LABEL})?" + _END,
    re.IGNORECASE,
)
_NO_MOST = re.compile(
    rf"(?:{_LABEL}[ \t]*+[:=]?[ \t]*+\d{{1,9}}|\d{{1,9}}[ \t]*+{_LABEL})(?:[ ]left)?" + _END, re.IGNORECASE
)
#: `20/40 HP, and furious`.
_WORDS_BEHIND = re.compile(
    rf"(?:{_LABEL}[ \t]*+:?[ \t]*+)?(?P<now>-?\d{{1,9}})[ \t]*+/[ \t]*+(?P<most>\d{{1,9}})[ \t]*+(?:HP|hit[ ]points)\b"
    r"[ \t]*+(?P<words>(?:[,;.!(-]|left\b|remaining\b)[^\d\n/]{0,200})\Z",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:or|if|maybe|perhaps|about|around|roughly|nearly|almost|guess\w{0,4}|think\w{0,3}|thought|said|says|give|not)\b",
    re.IGNORECASE,
)
#: Behind a name without a colon: `Golem 1 HP: 9/20`, `Golem 1 (9/20 HP)`, `Golem 1 - 9/20 HP`.
_NAME_GAP = re.compile(r"(?:'s)?[ \t]*+(?P<open>[(\[])?(?:->|[-=\u2192])?[ \t]*+", re.IGNORECASE)
_HAS_LABEL = re.compile(_LABEL, re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\(([^()\n]{1,60})\)[ \t.!]*\Z")
#: `HP: Golem 1 9/20, Golem 2 17/18`.
_HP_OF = re.compile(rf"{_LABEL}[ \t]*+:?[ \t]*+(?=[^\W\d])", re.IGNORECASE)
_NEXT_CELL = re.compile(r"[ \t]*+[,;/][ \t]*+(?:and[ ])?|[ \t]+and[ \t]+", re.IGNORECASE)
_HP_UNKNOWN = re.compile(_LABEL + r"[ \t]*+:[ \t]*+\?", re.IGNORECASE)
_MOST_CELLS = 50
_STAT = re.compile(
    r"(HP|DEF|Defen[cs]e|ATK|Attack|RES|Resistance)\b\.?[ \t]*+[:=]?[ \t]*+([+-]?[ \t]?\d{1,9})(?![\d/])", re.IGNORECASE
)
_KINDS = re.compile(
    r"[ \t]*+\(([A-Za-z]{1,30}[ \t]+\d{1,6}(?:[ \t]*+[,;][ \t]*+[A-Za-z]{1,30}[ \t]+\d{1,6}){0,19})\)", re.IGNORECASE
)
_SEPARATOR = re.compile(r"[ \t]*+[,;|/][ \t]*+|[ \t]+")
_STRANGER = re.compile(
    r"[A-Z][\w' -]{0,40}:[ \t]*+(?:\d{1,9}[ \t]*+/[ \t]*+\d{1,9}[ \t]*+HP\b|HP[ \t]+\d{1,9},[ \t]*+DEF[ \t]+\d)"
)
_STATS = {
    "hp": "HP",
    "def": "DEF",
    "defense": "DEF",
    "defence": "DEF",
    "atk": "ATK",
    "attack": "ATK",
    "res": "RES",
    "resistance": "RES",
}


def read_line(text: str, start: int, end: int, names: Lexicon) -> list[HitPoints | SheetLine | Count | str]:
    """The records of a line; a plain string says why a line of that form could not be read."""
    line = text[start:end]
    count = _COUNT.match(line)
    if count:
        return [Count(count.group(1).casefold(), int(count.group(2)))]
    if "|" not in line and line.count("/") < 2:
        only = _cell(line, names)
        return [] if only is None else [only]
    found = [_cell(cell, names) for cell in _cells(line, names)]
    return [read for read in found if read is not None]


def hit_points(words: str, names: Lexicon) -> tuple[HitPoints, ...]:
    """The HP statements that a bracket or the rest of a line consists of; empty if it holds anything else."""
    found = [_cell(cell, names) for cell in _cells(words, names)]
    stated = tuple(read for read in found if isinstance(read, HitPoints))
    return stated if len(stated) == len(found) else ()


def _cells(line: str, names: Lexicon) -> list[str]:
    """The cells of a line: parted by `|`, or by a comma before a further name (`Golem 1: 9/20 HP, Golem 2: ...`)."""
    if "|" in line and not _STAT.match(line):
        return [cell.strip() for cell in line.split("|")[:_MOST_CELLS]]
    if line.count("/") < 2:
        return [line]
    of = _HP_OF.match(line)
    cells: list[str] = []
    start = of.end() if of and names.starts(line, of.end(), len(line)) else 0
    label = line[:start]
    for gap in _NEXT_CELL.finditer(line, start):
        if len(cells) < _MOST_CELLS and names.starts(line, gap.end(), len(line)):
            cells.append(label + line[start : gap.start()])
            start = gap.end()
    return [cell.strip() for cell in (*cells, label + line[start:])]


def _cell(cell: str, names: Lexicon) -> HitPoints | SheetLine | str | None:
    named = names.before_colon(cell, 0, len(cell))
    if named is None:
        return _without_colon(cell, names)
    name, place = named
    stated = _stated(cell, place)
    if stated:
        read = _statement(stated, name)
        return _fitting(read, names) if read.bare else read
    return _sheet(cell, place, name) or _fitting(_changed(cell, place, name), names) or _with_words(cell, place, name)


def _fitting(read: HitPoints | str | None, names: Lexicon) -> HitPoints | str | None:
    """What was read, unless it lacks the word HP and its numbers can't be those of the fighter's sheet."""
    if not isinstance(read, HitPoints) or not read.bare:
        return read
    most = names.most.get(read.name or "")
    if most is None:
        return read
    return read if (read.most == most if read.was is None else max(read.was, read.now) <= most) else None


def _with_words(cell: str, place: int, name: str | None) -> HitPoints | str | None:
    """`Golem 1: 20/40 HP, and furious`: words without numbers behind a statement with the word HP."""
    found = _WORDS_BEHIND.match(cell, place)
    if found is None:
        return None
    if _DOUBT.search(found["words"]):
        return "whether these are the HP is not clear"
    return HitPoints(name, int(found["now"]), int(found["most"]))


def _stated(cell: str, place: int = 0) -> re.Match[str] | None:
    """Present and full HP from a place on to the end of the cell."""
    return _STATED.match(cell, place) or _HP_STATED.match(cell, place) or _STEPPED.match(cell, place)


def _changed(cell: str, place: int, name: str | None) -> HitPoints | str | None:
    """HP without a maximum: a change tells the present number, a plain number may be the sheet's."""
    changed = _CHANGED.match(cell, place)
    if changed:
        bare = _HAS_LABEL.search(changed.group()) is None
        return HitPoints(name, int(changed.group("now")), None, None, bare, int(changed.group("was")) if bare else None)
    if _NO_MOST.match(cell, place):
        return "no maximum is written beside the HP"
    return "the HP can't be told" if _UNKNOWN.match(cell, place) else None


def _without_colon(cell: str, names: Lexicon) -> HitPoints | SheetLine | str | None:
    """`Golem 1 HP: 9/20`, `Golem 1 (9/20 HP)`, `HP: Golem 1 9/20` - or the author's own HP."""
    own = _HP_STATED.match(cell)
    if own:
        # `HP: 31/40 (Golem 1)` says whose they are behind them.
        whose = _IN_BRACKETS.search(cell) if cell.rstrip(" .!").endswith(")") else None
        return _statement(own, names.fighters.exact(whose[1]) if whose else None)
    of = _HP_OF.match(cell)
    form = next(names.fighter_forms.at(cell, of.end() if of else 0), None)
    if form is None:
        return "names nobody of this battle" if _STRANGER.match(cell) else _own(cell)
    name = names.fighters.find(cell[of.end() if of else 0 : form[1]])
    gap = _NAME_GAP.match(cell, form[1])
    if name is None or gap is None:
        return None
    labelled = of is not None or _HAS_LABEL.search(cell, gap.end()) is not None
    if not labelled and name not in names.most:
        return None
    rest = cell[gap.end() :]
    if gap["open"]:
        rest = rest.rstrip(" .!")
        if rest[-1:] not in ")]":
            return None
        rest = rest[:-1]
    rest = rest.removeprefix(": ") if of else rest
    stated = _stated(rest)
    if stated is None:
        return None
    return _statement(stated, name) if labelled else _fitting(_statement(stated, name), names)


def _own(cell: str) -> HitPoints | SheetLine | str | None:
    """`HP: 31/40`, `HP: 31/40, DEF 14`, or a whole stat line of the author's own."""
    stepped = _STEPPED.match(cell) if _HAS_LABEL.match(cell) else None
    if stepped:
        return _statement(stepped, None)
    found = _HP.match(cell)
    if found is None:
        return "the HP can't be told" if _HP_UNKNOWN.match(cell) else None
    if found.group(2) is not None:
        return None
    return _sheet(cell, 0, None) or _changed(cell, 0, None)


def _statement(stated: re.Match[str], name: str | None) -> HitPoints:
    now, most, defense = stated.groups()
    bare = name is not None and "HP" not in stated.string and _HAS_LABEL.search(stated.string) is None
    return HitPoints(name, int(now), int(most), int(defense) if defense is not None else None, bare)


def _sheet(cell: str, place: int, name: str | None) -> SheetLine | None:
    """`HP 20, DEF 15, ATK +3, RES 1 (fire 3, cold 2)` from `place` on: at least HP and one more."""
    stats: dict[str, int] = {}
    kinds: list[tuple[str, int]] = []
    while len(stats) < 10:
        found = _STAT.match(cell, place)
        if found is None:
            break
        stats[_STATS[found.group(1).casefold()]] = int(found.group(2).replace(" ", ""))
        place = found.end()
        extra = _KINDS.match(cell, place)
        if extra:
            kinds += [(w.casefold(), int(n)) for w, n in re.findall(r"([A-Za-z]+)[ \t]+(\d+)", extra.group(1))]
            place = extra.end()
        gap = _SEPARATOR.match(cell, place)
        place = gap.end() if gap else place
    if len(stats) < 2 or cell[place:].strip(" .)"):
        return None
    return SheetLine(name, tuple(stats.items()), tuple(kinds))
