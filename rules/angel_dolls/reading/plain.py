"""Posts without ornaments, character by character, and lines that hold several lines of the system.

Places stay what they were: every sign is replaced by as many others. Claims are quoted as they were posted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.model.text import Anchor, Script
from referee.ports.ornaments import without_ornaments
from referee.ports.reading import Line
from rules.angel_dolls.lexicon import Lexicon
from rules.angel_dolls.reading.dress import undressed
from rules.angel_dolls.reading.linked import in_a_sum, stands_behind_number, without_link_words
from rules.angel_dolls.statements import ELEMENTS

_ROW = re.compile(r"^[^\n|]{0,400}\|[^\n]{0,2000}$", re.MULTILINE)
_WORDS_ONLY = re.compile(r"[^\d:]{1,60}")
_FRACTION = re.compile(r"\d\s*/\s*\d|\d\s*(?:->|\u2192)\s*\d{1,6}\s*[,|]")
_NAME_AND_NUMBER = re.compile(r"[^\d\n]{2,60}\d{1,6}\s*")
_VERSUS = re.compile(r"\bvs\b|\bversus\b|\bagainst\b", re.IGNORECASE)
#: What may begin in the middle of a line.
_LABEL = re.compile(
    "|".join(
        (
            # A check or its damage, behind a mark, a number or an outcome.
            r"(?:(?<=[.,;:!?)\]|/\d])|(?<=\bhit)|(?<=hits)|(?<=miss)|(?<=dged)|(?<=rmed)|(?<=atic))\s+(?="
            r"(?:to[- ]hit|hit|weapon damage|disarm test|control test|strangle round \d{1,3})(?: check| roll)?\s*:\s*\S"
            r"|(?:damage|dmg)(?: check| roll)?\s*:(?:[^\n.!]|\.(?=\s?\S{1,40}\s(?:str|mag|int))){0,60}"
            r"(?:\+|\bvs\b|\b(?:str|strength|mag|magic|int|intelligence)\b))",
            # HP behind a mark; behind a number only with a doll or with both numbers.
            r"(?<=[.,;!?)\]|/])\s+(?=hp\s*:\s*\S)",
            r"(?<=\d)\s+(?=hp\s*:[^\d\n]{2,40}\d{1,4}\s*(?:->|/|\u2192))",
            r"(?:(?<=[;/\d])|(?<=\d\.)|(?<=[a-z]{4}\.))\s+(?=[^\W\d_][^\n:;=()/>\u2192]{0,40}:\s*hp\s*-?\d)",
            # A hit check behind its heading: its stat shows it, with the label or without.
            r"(?<=[a-z])\s+(?=(?:to[- ])?hit\s*:\s*(?:automatic|\d{1,4}\s+agi|[^\n:=+(/]{1,40}\sagi(?:lity)?\s+\d))",
            r"(?:(?<=[;)\]])|(?<=\)\.))\s+(?=[^\n:=+(/]{1,40}\sagi(?:lity)?\s+\d)",
        )
    ),
    re.IGNORECASE,
)
#: Between sentences.
_SENTENCE = re.compile(r"(?<=[a-z)\d][.!])\s+(?=[A-Z])")
_MOST_SENTENCES = 4
#: More of them on one line are no line of a judge.
_MOST_LABELS = 12
#: A line whose last colon stands behind `Hit` or `Damage` at its start holds no further label: most are of that kind.
_LONGEST_LABEL = 8
#: So many signs lie between two lines that belong together.
_MOST_BLANK = 3
#: How a line begins that goes on with the check above: the other side behind `vs`, affinities, the outcome ...
_GOES_ON = re.compile(
    r"\s*(?:(?:vs\.?|versus|against)\s[^=]{0,80}\d[^\n]*=|->\s*(?:\d|hit|miss|dodge)"
    rf"|(?:affinit(?:y|ies)\W{{1,3}})?(?:{'|'.join(ELEMENTS)})\b[ :]{{1,3}}[+-]?\d{{1,4}}\s*/)",
    re.IGNORECASE,
)
#: ... or the other doll's side, below a line that was no check by itself.
_OTHER_SIDE = re.compile(
    r"\s*[A-Z][^=:]{0,60}?\b(?:REF|reflex(?:es)?|DUR|durability|DEF|defen[cs]e|RES|resistance)\b[^\n]*=\s?-?\d",
    re.IGNORECASE,
)
#: HP whose new number stands on the next line.
_OLD_HP = re.compile(r"[^\n]{0,60}\bhp\b[^\n]{0,60}\d\s*$", re.IGNORECASE)
_NEW_HP = re.compile(r"\s*(?:->|\u2192)\s*\d{1,6}\W{0,3}$")
_ONE_SIDE = re.compile(
    r"[^=]{0,60}\b(?:AGI|agility|STR|strength|MAG|magic)\b[^=/]{0,200}=\s?-?\d{1,6}\s*$", re.IGNORECASE
)
#: `Riget attacks Sedrik (kick).` with a check right below it: prose may end so too, and has none.
_STOPPED = re.compile(
    r"^([^\n]{2,60}\battacks\b[^\n]{1,80}\))\.(?=\n{1,2}(?:[^\n=]{0,60}\b(?:agi|agility|int|intelligence|magic|mag)\b|hit\s*:)"
    r"[^\n]{0,200}=[ ]?-?\d)",
    re.IGNORECASE | re.MULTILINE,
)
#: A link of this length in front of a roll's number, and the numbers that one shows.
_DIGITS = 3
_WORD = re.compile(r"\w+")
_ROLL_WORDS = frozenset(("roll", "rolls", "rolled", "dice", "die", "random", "number", "numbers", "d50", "1d50", "and"))


def plain_script(script: Script, words: Lexicon) -> Script:
    """The script with ornaments blanked out and table rows as lines of the system."""
    text = undressed(without_ornaments(script.text, words.signs))
    if "|" in text:
        text = _ROW.sub(lambda found: _row(found.group(), words), text)
    if ").\n" in text:
        text = _STOPPED.sub(r"\1 ", text)
    plain = script if text == script.text else replace(script, text=text)
    return without_link_words(plain) if plain.anchors else plain


def joined(script: Script, last: Line | None, line: Line, alone: bool) -> Line | None:
    """The line with the one above, where that goes on in it; None where it does not.

    `alone`: the one above gave no claim, so it may be one side of a check.
    """
    if last is None or line.start - last.end > _MOST_BLANK:
        return None
    if "=" not in last.text:
        split = _NEW_HP.match(line.text) and _OLD_HP.match(last.text)
        return Line(last.start, line.end, last.text + " ".ljust(line.start - last.end) + line.text) if split else None
    mark = " " if _GOES_ON.match(line.text) else ""
    if not mark and alone and "=" in line.text and _OTHER_SIDE.match(line.text) and _ONE_SIDE.match(last.text):
        mark = "" if _VERSUS.search(last.text) else "/"
    if not mark:
        return None
    return Line(last.start, line.end, last.text + mark.ljust(line.start - last.end) + line.text)


def _row(row: str, words: Lexicon) -> str:
    """`| Hit | 36 AGI + 15 = 51 | vs ... |` as `Hit : 36 AGI + 15 = 51   vs ...`; cells of HP as a list."""
    inner = row.strip(" \t").strip("|")
    start = row.index(inner) if inner else 0
    first, bar, rest = inner.partition("|")
    if bar:
        numbers = _FRACTION.search(inner) is not None and _VERSUS.search(inner) is None
        listed = numbers or all([_NAME_AND_NUMBER.fullmatch(cell) for cell in inner.split("|")])
        sign = "," if listed else " "
        headed = _WORDS_ONLY.fullmatch(first) is not None or words.ends_with_name(first)
        inner = first + (":" if headed else sign) + rest.replace("|", sign)
    return " " * start + inner + " " * (len(row) - start - len(inner))


def is_of_several(text: str) -> bool:
    """Whether a label stands in the middle of a line, numbers of its own behind it."""
    if text.rfind(":") <= _LONGEST_LABEL or not ("=" in text or "HP" in text or "hp" in text):
        return False
    return _LABEL.search(text) is not None


def pieces_of(line: Line) -> Iterator[Line]:
    """The lines of the system that stand on one line: `... -> hit. Damage: ... -> 22. HP: Sedrik 120 -> 98`."""
    text = line.text
    place = 0
    for count, found in enumerate(_LABEL.finditer(text)):
        if count >= _MOST_LABELS:
            break
        yield _part(line, place, found.start())
        place = found.end()
    yield _part(line, place, len(text)) if place else line


def sentences_of(line: Line) -> list[Line]:
    """The sentences of a line that has a few of them; none where it has one, or too many."""
    borders = [found.span() for found in _SENTENCE.finditer(line.text)]
    if not 0 < len(borders) <= _MOST_SENTENCES:
        return []
    starts, ends = [0, *[end for _, end in borders]], [*[start for start, _ in borders], len(line.text)]
    return [Line(line.start + a, line.start + b, line.text[a:b]) for a, b in zip(starts, ends, strict=True)]


def _part(line: Line, start: int, end: int) -> Line:
    """A piece of a line without the mark that ends it."""
    words = line.text[start:end].rstrip(" ,;:|/" if end == len(line.text) else " .,;:|/")
    return Line(line.start + start, line.start + start + len(words), words)


def lines_with_rolls(script: Script, silent: Sequence[Line]) -> Iterator[Line]:
    """Those of the lines, in order, in which a roll of the board, a linked number or a number with its link stands.

    Not so where nothing but links stands there: they belong to the line above.
    """
    anchors = iter(script.anchors)
    anchor = next(anchors, None)
    for line in silent:
        while anchor is not None and anchor.start < line.start:
            anchor = next(anchors, None)
        found = False
        while anchor is not None and anchor.start <= line.end:
            found = found or _stands_for_roll(anchor, script.text)
            anchor = next(anchors, None)
        if found and not nothing_but_rolls(line.text):
            yield line


def nothing_but_rolls(text: str) -> bool:
    """Whether a line has no words but those for rolls: `Rolls: 35, 24`; they belong to other lines of the post."""
    return all([word.isdecimal() or word.casefold() in _ROLL_WORDS for word in _WORD.findall(text)])


def _stands_for_roll(anchor: Anchor, text: str) -> bool:
    if anchor.dice is not None:
        return True
    words = text[anchor.start : anchor.end]
    if not words:
        return stands_behind_number(text, anchor)
    return (words.isdecimal() and len(words) <= _DIGITS) or in_a_sum(text, anchor)
