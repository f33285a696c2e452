"""Reading lines outside tags: HP statements, state tables, sheets, turn numbers (ND6, ND7, ND25, X18)."""

from __future__ import annotations

import re

from rules.d20_arena.reading.rosters import may_be_roster, roster
from rules.d20_arena.reading.sheets import begins_sheet, read_sheet
from rules.d20_arena.reading.tables import cells_of, names_a_stranger, rows_of
from rules.d20_arena.reading.tidy import bound_behind, in_cells, tidied
from rules.d20_arena.records import Bonds, Count, HitPoints, SheetLine
from rules.d20_arena.words import Lexicon

# Runs of blanks are taken whole (`*+`): shared out among the parts of a pattern they would cost hours.
_COUNT = re.compile(
    r"[\[(]?[ \t]*+(turn|round)[ \t]*+:?[ \t]*+#?(\d{1,4})[ \t]*+[\])]?[ \t]*+[.:!-]?[ \t]*+\Z", re.IGNORECASE
)
_HP = re.compile(
    r"(?:HP|Hit[ ]points)\b[ \t]*+[:=]?[ \t]*+(-?\d{1,9})(?:[ \t]*+/[ \t]*+(\d{1,9}))?(?!\d)", re.IGNORECASE
)
_END = (
    r"[ \t]*+[.;,]?[ \t]*+(?:\([^()\n]{0,60}\)|[+-]\d{1,4}|-?[ \t]*+(?:out|down|submits|defeated))?"
    r"[ \t]*+[.!]?[ \t]*+\Z"
)
_DEF_OR_NOT = r"(?:[ \t]*+[,;|][ \t]*+(?:DEF|Defen[cs]e)\b\.?[ \t]*+:?[ \t]*+(\d{1,9})(?!\d))?"
_LABEL = r"(?:HP|Hit[ ]points)\b"
#: How the present number came about: `20 -> `, `20/20 HP -> `, `20 - 11 = `.
_STEPS = (
    rf"(?:{_LABEL}[ \t]*+[:=]?[ \t]*+)?"
    rf"(?:-?\d{{1,9}}(?:[ \t]*+/[ \t]*+\d{{1,9}})?[ \t]*+(?:{_LABEL}[ \t]*+)?(?:--?>|=>|\u2192)[ \t]*+"
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
    rf"(?:{_LABEL}[ \t]*+[:=]?[ \t]*+)?(?P<was>\d{{1,9}})[ \t]*+(?:HP[ \t]*+)?"
    r"(?:--?>|=>|\u2192|(?:-[ \t]*+\d{1,9}[ \t]*+(?:\([^()\n]{0,30}\)[ \t]*+)?){1,6}=)"
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
#: `20/40 HP, and furious`, `HP: 20/40 ouch`.
_WORDS = (
    r"(?:[ \t]*+[,;|(-][ \t]*+(?:DEF|Defen[cs]e)\b\.?[ \t]*+:?[ \t]*+(?P<def>\d{1,9})(?!\d))?"
    r"(?P<words>(?:[ \t]*+[,;.!(-]|[ \t]++[A-Za-z'])[^\d\n/]{0,200})\Z"
)
_PAIR = r"(?P<now>-?\d{1,9})[ \t]*+/[ \t]*+(?P<most>\d{1,9})"
_WORDS_BEHIND = re.compile(rf"{_PAIR}[ \t]*+{_LABEL}" + _WORDS, re.IGNORECASE)
_LABEL_AND_WORDS = re.compile(rf"{_LABEL}[ \t]*+[:=]?[ \t]*+{_PAIR}" + _WORDS, re.IGNORECASE)
_DOUBT = re.compile(
    r"\b(?:or|if|maybe|perhaps|about|around|roughly|nearly|almost|guess\w{0,4}|think\w{0,3}|thought|said|says|give"
    r"|not(?![ ](?:bound|hobbled|tangled|hurt|hit)))\b"
    r"|^[ ]+(?:is|should|would|could|was|were|had|before|previous\w{0,2}|earlier|used|until|to)\b",
    re.IGNORECASE,
)
#: Behind a name without a colon: `Golem 1 HP: 9/20`, `Golem 1 (9/20 HP)`, `Golem 1 - 9/20 HP`.
_NAME_GAP = re.compile(
    r"(?:'s)?[ \t]*+(?P<open>[(\[])?(?:[-=]>|[-=\u2192])?[ \t]*+"
    r"(?:(?:is|now|at|down|to|drops|falls|goes|stands)[ ]++){0,4}",
    re.IGNORECASE,
)
#: Behind a name that a statement begins with: no word of a sentence.
_NO_SENTENCE = re.compile(r"(?:'s)?[ \t]*+(?:[^\w\s,]|\d|HP\b|hit[ ]points\b|and[ ])", re.IGNORECASE)
_HAS_LABEL = re.compile(_LABEL, re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\(([^()\n]{1,60})\)[ \t.!]*\Z")
#: `HP: Golem 1 9/20, Golem 2 17/18`.
_HP_OF = re.compile(rf"{_LABEL}(?:[ ](?:left|now|remaining))?[ \t]*+:?[ \t]*+(?=[^\W\d])", re.IGNORECASE)
_NEXT_CELL = re.compile(
    r"[ \t]*+(?:[,;/.\u2022]|-{1,2}(?=[ ]))[ \t]*+(?:and[ ])?|[ \t]+and[ \t]+|(?<=HP|\d\d|.\))[ \t]++", re.IGNORECASE
)
_HP_UNKNOWN = re.compile(_LABEL + r"[ \t]*+:[ \t]*+\?", re.IGNORECASE)
_MOST_CELLS = 50
#: A block of stats below a name has no more lines.
_MOST_ABOVE, _MOST_NAME = 8, 60
_OF_BLOCK = re.compile(
    r"(?:HP|hit[ ]points|DEF|defen[cs]e|ATK|attack|RES|resistance|AC|speed|level|turn|stance|binds?|bound|status)\b",
    re.IGNORECASE,
)
_BONDS_END = frozenset("0123456789).")
_AREA = re.compile(r"[aA]rm|[lL]eg|[tT]orso|[hH]ead|ARM|LEG")
#: What looks like HP in a line that begins like a statement of them.
_LIKE_HP = re.compile(
    r"\d[ ]?(?:HP[ ]?)?/[ ]?\d{1,9}[ ]?(?:HP|hit[ ]points)\b|\bHP[ ]*+[:=]?[ ]*+\d{1,9}[ ]?/[ ]?\d", re.IGNORECASE
)
#: A line about HP that is no sentence is no longer than this.
_MOST_STATED = 160
#: `20 - 11 =` in front of the present number, without any remark that may stand for more.
_ADDED_UP = re.compile(r"(?<![\d)])\d{1,9}(?:[ ]?[+-][ ]?\d{1,9}){1,8}(?=[ ]?=)")
#: The number that a change starts from.
_OLD = re.compile(rf"(?:{_LABEL}[ \t]*+[:=]?[ \t]*+)?(\d{{1,9}})(?!\d)", re.IGNORECASE)
_SIGNED = re.compile(r"[+-]?\d{1,9}")
_NO_MAXIMUM = "no maximum is written beside the HP"
#: `Health: 39/40`: HP only if the maximum is the author's.
_VITAL = re.compile(
    r"(?:health|life|vitality|\u2764\ufe0f?|\u2665)[ ]*+[:=]?[ ]*+"
    r"(?P<now>\d{1,9})[ ]?/[ ]?(?P<most>\d{1,9})(?![\d/])" + _END,
    re.IGNORECASE,
)
_VITAL_BEGINS = frozenset("hHlLvV\u2764\u2665")
#: `HP 39/40 DEF 14`, `HP: 39/40, DEF: 14, ATK: +3`.
_BESIDE_DEF = re.compile(
    rf"{_LABEL}[ ]*+[:=]?[ ]*+(\d{{1,9}})[ ]?/[ ]?(\d{{1,9}})[ ,;-]++DEF(?:en[cs]e)?\b[ ]*+[:=]?[ ]*+(\d{{1,9}})(?!\d)"
    r"(?:[ ,;-]++(?:ATK|attack|RES|resistance|AC|speed|level)\b[ ]*+[:=]?[ ]*+[+-]?\d{1,9}){0,4}" + _END,
    re.IGNORECASE,
)
_STRANGER = re.compile(
    r"[A-Z][\w' -]{0,40}:[ \t]*+(?:\d{1,9}[ \t]*+/[ \t]*+\d{1,9}[ \t]*+HP\b|HP[ \t]+\d{1,9},[ \t]*+DEF[ \t]+\d)"
)


#: `HP: 31/40 | DEF 14`: the Defense in a cell of its own.
_DEF_CELL = re.compile(r"(?<=\d)(?:[ ]HP)?[ ]*+\|[ ]*+(?=DEF(?:en[cs]e)?\b\.?[ ]*+:?[ ]*+\d)", re.IGNORECASE)


def read_line(
    line: str, names: Lexicon, columns: tuple[str, ...] = ()
) -> list[HitPoints | SheetLine | Count | Bonds | str]:
    """The records of a line; a plain string says why a line of that form could not be read.

    `columns`: those of the table that the line is a row of.
    """
    count = _COUNT.match(line)
    if count:
        return [Count(count.group(1).casefold(), int(count.group(2)))]
    if may_be_roster(line) and (sheets := roster(line, names)):
        return list(sheets)
    line = in_cells(line)
    if "|" in line:
        return _row(_DEF_CELL.sub(", ", tidied(line)), columns, names)
    slashes = line.count("/")
    if slashes < 2:
        only = _cell(line, names)
        if type(only) is SheetLine or (type(only) is HitPoints and (line[-1] != ")" or not bound_behind(line)[1])):
            return [only]
        if not slashes and (" of " not in line or "hp" not in line.casefold()):
            if only is None and line[:2] in ("HP", "hp") and _HP_OF.match(line) and names.fighters_within(line):
                return [_NO_MAXIMUM]
            stated = only or (
                _bonds(line, names) if line[-1] in _BONDS_END and _AREA.search(line) and ":" in line else None
            )
            return [stated] if stated is not None else []
    return _tried(line, columns, names)


def _bonds(line: str, names: Lexicon) -> Bonds | None:
    """`Golem 1: arms 2`: bind levels and nothing else behind a name."""
    named = names.before_colon(line, 0, len(line))
    if named is None or named[0] is None:
        return None
    plain, bound = bound_behind(line[named[1] :])
    return Bonds(named[0], bound) if bound and not plain.strip() else None


def _tried(line: str, columns: tuple[str, ...], names: Lexicon) -> list[HitPoints | SheetLine | Count | Bonds | str]:
    """A line with several statements, or with HP in no plain form: as it is, then tidied."""
    found = [_bounded(cell, names) for cell in _cells(line, names)]
    if all(isinstance(read, HitPoints | SheetLine) for read in found):
        return [read for read in found if read is not None]
    plain = tidied(line)
    if "|" in plain:
        return _row(plain, columns, names)
    if plain != line:
        found = [_bounded(cell, names) for cell in _cells(plain, names)]
    return _or_unread([read for read in found if read is not None], plain, names, None in found)


def _row(line: str, columns: tuple[str, ...], names: Lexicon) -> list[HitPoints | SheetLine | Count | Bonds | str]:
    """The cells of a row; where a name leads it they are that fighter's."""
    rows = rows_of(line, columns, names)
    if rows is not None:
        read = [_bounded(row, names) or _bonds(row, names) for row in rows]
        return [one for one in read if one is not None and (one != _NO_MAXIMUM or columns)]
    read = [_bounded(one, names) for cell in cells_of(line) for one in _cells(cell, names)]
    if names_a_stranger(line):
        own = any(isinstance(one, HitPoints | SheetLine) and one.name is None for one in read)
        read = [one for one in read if not isinstance(one, HitPoints | SheetLine) or one.name is not None]
        return [one for one in (*read, "names nobody of this battle" if own else None) if one is not None]
    return [one for one in read if one is not None]


def _or_unread(
    found: list[HitPoints | SheetLine | Count | Bonds | str], line: str, names: Lexicon, partly: bool = False
) -> list[HitPoints | SheetLine | Count | Bonds | str]:
    """What was read, and that HP stand in the line besides: one that a fighter or the word HP begins."""
    if (found and not partly) or len(line) > _MOST_STATED or _LIKE_HP.search(line) is None:
        return found
    named = next(names.fighter_forms.at(line, 0), None)
    if found and len(_LIKE_HP.findall(line)) > sum(isinstance(read, HitPoints) for read in found):
        return [*found, "the HP can't be told"]
    if _HAS_LABEL.match(line) or (named is not None and _NO_SENTENCE.match(line, named[1])):
        return [*found, "the HP can't be told"]
    return found


def below_name(text: str, start: int, end: int, names: Lexicon) -> list[HitPoints | SheetLine | Count | Bonds | str]:
    """`38/40 HP` alone on a line: of the fighter whose name alone stands above it, else the author's own."""
    stated = _STATED.match(text[start:end])
    if stated is None:
        return []
    name = name_above(text, start, names, int(stated.group(2)))
    if name is None and not _HAS_LABEL.search(stated.string):
        return []
    read = _statement(stated, name)
    # Without a name the maximum has to be the author's: a table of somebody else's may stand there.
    return [read if name is not None else read._replace(bare=True)]


def name_above(text: str, place: int, names: Lexicon, most: int | None) -> str | None:
    """The fighter of this maximum whose name stands alone above a line, or above stats between."""
    for _ in range(_MOST_ABOVE):
        before = text.rfind("\n", 0, max(0, place - 1))
        if not 1 < place - before <= _MOST_NAME:
            return None
        above = text[before + 1 : place].strip(" \t\n:*-\u2022")
        name = names.fighters.exact(above)
        if name is not None:
            return name if names.most.get(name, most) == most else None
        if _OF_BLOCK.match(above) is None:
            return None
        place = before + 1
    return None


def hit_points(words: str, names: Lexicon) -> tuple[HitPoints, ...]:
    """The HP statements that a bracket or the rest of a line consists of; empty if it holds anything else."""
    found = [_cell(cell, names) for cell in _cells(words, names)]
    stated = tuple(read for read in found if isinstance(read, HitPoints))
    return stated if len(stated) == len(found) else ()


def _cells(line: str, names: Lexicon) -> list[str]:
    """The cells of a line: parted by a comma (or the like) before a further name (`Golem 1: 9/20 HP, Golem 2: ...`)."""
    if "|" in line and not begins_sheet(line):
        return cells_of(line)
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


def _bounded(cell: str, names: Lexicon) -> HitPoints | SheetLine | str | None:
    """What a cell states, with bind levels behind its HP or not."""
    read = _cell(cell, names)
    if "/" not in cell or (type(read) is HitPoints and cell[-1] != ")"):
        return read
    plain, bound = bound_behind(cell)
    other = _cell(plain, names) if bound else None
    return other._replace(bound=bound) if isinstance(other, HitPoints) else read


def _cell(cell: str, names: Lexicon) -> HitPoints | SheetLine | str | None:
    named = names.before_colon(cell, 0, len(cell))
    if named is None:
        return _without_colon(cell, names)
    name, place = named
    stated = _stated(cell, place)
    if stated:
        read = _statement(stated, name)
        return _fitting(read, names) if read.bare else read
    changed = read_sheet(cell, place, name) or _fitting(_changed(cell, place, name), names)
    return changed or _with_words(cell, place, name) or _with_defense(cell, place, name)


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
    found = _WORDS_BEHIND.match(cell, place) or _LABEL_AND_WORDS.match(cell, place)
    if found is None:
        return None
    if _DOUBT.search(found["words"]):
        return "whether these are the HP is not clear"
    defense = int(found["def"]) if found["def"] else None
    # Without any sign between them the words may be about something else: `1/2 HP potions left`.
    bare = found["words"][:1] == " " and found["words"].lstrip()[:1].isalpha()
    return HitPoints(name, int(found["now"]), int(found["most"]), defense, bare)


def _stated(cell: str, place: int = 0) -> re.Match[str] | None:
    """Present and full HP from a place on to the end of the cell."""
    return _STATED.match(cell, place) or _HP_STATED.match(cell, place) or _STEPPED.match(cell, place)


def _changed(cell: str, place: int, name: str | None) -> HitPoints | str | None:
    """HP without a maximum: a change tells the present number, a plain number may be the sheet's."""
    changed = _CHANGED.match(cell, place)
    if changed:
        bare = _HAS_LABEL.search(cell, 0, changed.end()) is None
        now, old = int(changed.group("now")), int(changed.group("was"))
        return HitPoints(name, now, None, None, bare, old if bare else None, old=old)
    if _NO_MOST.match(cell, place):
        return _NO_MAXIMUM
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
        changed = _changed(cell, gap.end(), name) if labelled and not gap["open"] else None
        sheet = changed if isinstance(changed, HitPoints) else read_sheet(cell, gap.end(), name)
        return sheet or ((_with_words(rest, 0, name) or _with_defense(rest, 0, name)) if labelled else None)
    return _statement(stated, name) if labelled else _fitting(_statement(stated, name), names)


def _own(cell: str) -> HitPoints | SheetLine | str | None:
    """`HP: 31/40`, `HP: 31/40, DEF 14`, or a whole stat line of the author's own."""
    stepped = _STEPPED.match(cell) if _HAS_LABEL.match(cell) else None
    if stepped:
        return _statement(stepped, None)
    vital = _VITAL.match(cell) if cell[:1] in _VITAL_BEGINS else None
    if vital is not None:
        return HitPoints(None, int(vital["now"]), int(vital["most"]), None, True)
    found = _HP.match(cell)
    if found is None:
        return "the HP can't be told" if _HP_UNKNOWN.match(cell) else None
    if found.group(2) is not None:
        return _with_words(cell, 0, None) or _with_defense(cell, 0, None)
    return read_sheet(cell, 0, None) or _changed(cell, 0, None)


def _with_defense(cell: str, place: int, name: str | None) -> HitPoints | None:
    """Present HP with Defense and other stats behind them."""
    found = _BESIDE_DEF.match(cell, place)
    return HitPoints(name, int(found[1]), int(found[2]), int(found[3])) if found else None


def _statement(stated: re.Match[str], name: str | None) -> HitPoints:
    now, most, defense = stated.groups()
    bare = name is not None and "HP" not in stated.string and _HAS_LABEL.search(stated.string) is None
    read = HitPoints(name, int(now), int(most), int(defense) if defense is not None else None, bare)
    if stated.re is _STEPPED and (old := _OLD.match(stated.string, stated.start())) is not None:
        read = read._replace(old=int(old[1]))
    if "=" in stated.string and (added := _ADDED_UP.search(stated.group())) is not None:
        # Never below 0 and never above the maximum.
        total = sum(map(int, _SIGNED.findall(added.group().replace(" ", ""))))
        return read._replace(sums=max(0, min(total, read.most or total)))
    return read
