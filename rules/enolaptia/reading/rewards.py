"""Lines after a win: drops and EXP (NE5, NE18)."""

from __future__ import annotations

import re

from referee.ports.reading import ARROW
from rules.enolaptia.claims import NO_ROLL, DropRow, Drops, Exp
from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.grammar import D6, NAME, LineText

_FLAGS = re.IGNORECASE
_DROPS = re.compile(r"(?:the\s+)?(?:item\s+)?(?:drops?|loot)\s*[:=-]\s*", _FLAGS)
_DROPS_ALONE = re.compile(r"(?:item\s+)?(?:drops?|loot)\s*:?\s*$", _FLAGS)
_DROP_HEAD = re.compile(
    rf"(?P<name>{NAME})\s*(?::\s*(?:{D6}\s*[=:]?\s*|rolled\s*)?|\s{D6}\s*[=:]?\s*)(?P<die>\d{{1,6}})?\s*", _FLAGS
)
_BONUS = re.compile(r"(?P<sign>[+-])\s*(?P<number>\d{1,3})\s*\(\s*(?P<item>[^()\n]{1,60}?)\s*\)\s*", _FLAGS)
_DROP_TOTAL = re.compile(r"=\s*(?P<total>\d{1,6})\s*")
_DROP_REST = re.compile(
    rf"(?P<sign>{ARROW}|,|:)\s*(?:(?:then|and|second|again|next|item)\s+(?:roll\s+)?)?(?:(?P<none>(?:nothing|no\s+drops?|none|no\s+item)\b[^;\d\n]{{0,60}})"
    rf"|(?P<dice>{D6}\s*[=:]?\s*)?(?P<die>\d{{1,6}})?\s*(?:{ARROW}|[=:,])?\s*(?:\(\s*(?P<item>[^()\n]{{1,60}}?)\s*\)|(?P<bare>(?!(?:nothing|none)\b)[A-Za-z](?:(?!\.\s)[^()\n;]){{0,59}}?)))"
    r"\s*[.!]?\s*(?:;\s*|$)",
    _FLAGS,
)
_EXP = re.compile(
    r"(?:the\s+)?(?:EXP\.?|experience|XP)(?:\s+(?:gained|gain|total|points))?\s*[:=-]\s*|(?:EXP|XP)\s+(?=\+?\s?\d)",
    _FLAGS,
)
_EXP_PART = re.compile(r"\s*\+?\s*(?P<number>\d{1,6})\s*[x*]\s*(?P<each>\d{1,6})\s*", _FLAGS)
#: `4 + 4 + 4 =`: one creature after the other.
_EXP_ONE_BY_ONE = re.compile(r"\s*\d{1,6}(?:\s*\+\s*\d{1,6}){1,11}\s*(?==)")
_EXP_TOTAL = re.compile(
    r"=?\s*\+?\s*(?P<total>\d{1,7})\s*(?:EXP|XP|points|each)?\s*(?:\([^()\n]{0,60}\))?\s*[.!]?\s*$", _FLAGS
)
_EXP_FOR = re.compile(
    rf"=\s*(?P<total>\d{{1,7}})\s*(?:EXP|XP|points)?\s+(?:for|to)\s+(?P<name>{NAME})\s*[.!]?\s*$", _FLAGS
)


def heads_drops(line: LineText) -> bool:
    """`Drops:` alone on its line: the rows follow on the next ones."""
    return line.text[line.start] in "dDiIlL" and _DROPS_ALONE.match(line.text, line.start, line.end) is not None


def read_drops(line: LineText, names: Lexicon, own: str | None) -> Drops | None:
    """`Drops: Rat 1: 1d6 = 5 -> 1d6 = 2 (Bog Iron); Rat 2: 1d6 = 2 -> nothing`, or one entry on its own line."""
    head = _DROPS.match(line.text, line.start, line.end)
    return _rows(line, names, head.end() if head else line.start, head is not None)


def read_drop_rows(line: LineText, names: Lexicon) -> Drops | None:
    """A line below the heading `Drops:`, which stands for that word: `Rat 1: 5, 2, Bog Iron`."""
    return _rows(line, names, line.start, True)


def _rows(line: LineText, names: Lexicon, place: int, headed: bool) -> Drops | None:
    """The drops from a place of the line to its end; `headed`: the word `Drops` stands in front of or above them."""
    found: list[tuple[DropRow, int, int]] = []
    while place < line.end:
        read = _drop_row(line, names, place, headed)
        if read is None:
            return None
        found.append(read[:3])
        place = read[3]
    if not found:
        return None
    rolls = line.settle()
    rows = [
        DropRow(row.creature, rolls[one], row.found, rolls.get(two, NO_ROLL), row.bonuses, row.total)
        for row, one, two in found
    ]
    return Drops(tuple(rows), headed)


def _drop_row(line: LineText, names: Lexicon, place: int, headed: bool) -> tuple[DropRow, int, int, int] | None:
    """One creature's drop, where its two rolls begin, and the place behind it."""
    text = line.text
    head = _DROP_HEAD.match(text, place, line.end)
    if head is None or not names.known(head["name"]):
        return None
    one = line.slot(head.start("die"), (int(head["die"]),)) if head["die"] else line.slot(head.start(), ())
    bonuses, place = _bonuses(line, head.end())
    total = _DROP_TOTAL.match(text, place, line.end)
    place = total.end() if total else place
    rest = _DROP_REST.match(text, place, line.end)
    if rest is None or not (head["die"] or line.anchored(head.start(), place + 1)):
        return None
    if not (headed or _is_drop(rest)):
        return None
    item = rest["item"] or rest["bare"]
    two = -1
    if not rest["none"] and (rest["die"] or line.anchored(place, rest.end())):
        two = line.slot(rest.start("die"), (int(rest["die"]),)) if rest["die"] else line.slot(place + 1, ())
    found = None if rest["none"] else " ".join(item.split()).rstrip(" .!")
    row = DropRow(names.name(head["name"]), NO_ROLL, found, NO_ROLL, bonuses, int(total["total"]) if total else None)
    return row, one, two, rest.end()


def _is_drop(rest: re.Match[str]) -> bool:
    """Whether a line without a heading is a drop: an arrow, then nothing, a second die or an item in brackets.

    `Rat 2: 1d6 = 5: 5 to Mira` is none.
    """
    return rest["sign"] not in ",:" and bool(rest["none"] or rest["item"] or rest["dice"])


def _bonuses(line: LineText, place: int) -> tuple[tuple[tuple[int, str], ...], int]:
    """What items add to a drop roll, and the place behind them (NE18)."""
    found = []
    while (bonus := _BONUS.match(line.text, place, line.end)) is not None:
        number = int(bonus["number"])
        found.append((-number if bonus["sign"] == "-" else number, " ".join(bonus["item"].split())))
        place = bonus.end()
    return tuple(found), place


def read_exp(line: LineText, names: Lexicon, own: str | None) -> Exp | None:
    """`EXP: 2 x 7 + 1 x 4 = 18`; with its product also `... = 18 for Mira`."""
    head = _EXP.match(line.text, line.start, line.end)
    if head is None:
        return None
    parts, place = [], head.end()
    while (met := _EXP_PART.match(line.text, place, line.end)) is not None:
        parts.append((int(met["number"]), int(met["each"])))
        place = met.end()
    listed = None if parts else _EXP_ONE_BY_ONE.match(line.text, place, line.end)
    if listed is not None:
        parts, place = [(1, int(each)) for each in listed.group().split("+")], listed.end()
    total = _EXP_TOTAL.match(line.text, place, line.end)
    if total is None and parts:
        total = _EXP_FOR.match(line.text, place, line.end)
    if total is not None:
        return Exp(tuple(parts), int(total["total"]))
    if parts and not line.text[place : line.end].strip(" ."):
        return Exp(tuple(parts), sum(number * each for number, each in parts))
    return None
