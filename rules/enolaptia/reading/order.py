"""The order of a battle turn and its ties, on one line or two (NE2, NE9)."""

from __future__ import annotations

import re

from referee.ports.reading import ARROW
from rules.enolaptia.claims import Order, Tie
from rules.enolaptia.lexicon import Lexicon, split_number
from rules.enolaptia.reading.grammar import D6, NAME, LineText

_FLAGS = re.IGNORECASE
_ORDER = re.compile(
    r"(?:the\s+)?(?:(?:(?:battle|turn|attack|combat)\s+)?order(?:\s+of\s+(?:battle|attack|moves?))?|init(?:iative)?)\s*[:=-]\s*",
    _FLAGS,
)
_TIE_WORD = re.compile(r"\btie[sd]?\b", _FLAGS)
_TIE = re.compile(
    rf"(?:{D6}\s*[=:]?\s*|(?:\bties?(?:\s+(?:roll|die))?|\brolled)\s*[:=(]?\s*(?=\d{{1,6}}\b(?!\s?d\s?\d)))"
    rf"(?P<die>\d{{1,6}})?\s*\)?\s*(?:[,:;]|{ARROW})?\s*"
    rf"(?:(?P<first>{NAME})\s+(?:(?:goes|go|moves?|acts?|is)\s+)?first\b)?",
    _FLAGS,
)
_ENTRY = re.compile(
    rf"(?P<name>(?!\d){NAME})\s*(?:\(\s*(?:speed\s*)?(?P<speed>\d{{1,6}})\s*\))\s*(?:[,;>]|{ARROW}|$)\s*", _FLAGS
)
#: The same without a Speed, numbered, with other words or marks between: `1. Mira and Marsh Rat.`
_LOOSE_ENTRY = re.compile(
    rf"(?:\d{{1,2}}\s?[.)]\s*)?(?P<name>{NAME})\s*(?:\(\s*(?:(?:speed|spd)\s*[:=]?\s*)?(?P<speed>\d{{1,6}})\s*\))?"
    rf"\s*(?:[,;>/|]|{ARROW}|\band\b|[.!]?\s*$)\s*",
    _FLAGS,
)
_GAP = re.compile(rf"\s*\)?\s*(?:[,;>]|{ARROW}|then\b)\s*", _FLAGS)
_THEN = re.compile(r"^(?:and\s+then|and|then)\s+", _FLAGS)
#: `Marsh Rat x2`, `2x Marsh Rat`, `Marsh Rat 1-3`: all of a kind.
_TIMES = re.compile(r"(?:\d{1,2}\s*x\s+)?(?P<name>[^\n]{1,60}?)(?:\s*x\s?\d{1,2}|\s+\d\s*-\s*\d)?", _FLAGS)
#: No battle has a creature with a higher number (E2): `Marsh Rat 9` is a kind and its Speed.
_HIGHEST_NUMBER = 6
_SPEED_BEHIND = re.compile(r"(?P<name>[^\n]{1,60}?)\s*=?\s*(?P<speed>\d{1,6})")
#: What belongs to other lines: an order that runs on into the moves is not read at all.
_RUNS_ON = re.compile(
    r"\b(?:attacks?|hits?|bites?|strikes?|casts?|spell|special|skill|potion|damage|allocation|HP|dead)\b"
    r"|\d\s*/\s*\d",
    _FLAGS,
)
#: More than this between two tie rolls (`; second tie roll: `) may be something else.
_LONGEST_GAP = 20
#: What a number of a tie without the word d6 ends at: `tie: 4, Tobin first`, but not `tie 1 knot`.
_NUMBER_ENDS = rf"\d{{1,6}}\s*(?:[,;:)]|{ARROW}|[.]?\s*$|\s-\s|{NAME}\s+(?:(?:goes|go|moves?|acts?|is)\s+)?first\b)"
_TIE_NUMBERED = re.compile(
    rf"\bties?(?:\s+(?:roll|die|rolled))?\s*(?:[:=(-]\s*)?(?:rolled\s+)?{_NUMBER_ENDS}"
    rf"|\bties?\b\s*[:=(-][^\n]{{0,60}}?\brolled\s+{_NUMBER_ENDS}",
    _FLAGS,
)
_TIE_INSIDE = re.compile(rf"\bties?(?:\s+(?:roll|die))?\s*[:=]\s*{_NUMBER_ENDS}", _FLAGS)
#: A die with its number, or with a mark where its number should be.
_DIE = re.compile(rf"\b{D6}\s*(?:[=:]?\s*[\d?]|=)", _FLAGS)
_FIRST = re.compile(r"\bfirst\b", _FLAGS)
#: Words of an order that name nobody are prose where so few others stand beside them.
_PIECE = re.compile(r"[,;>/|]|\band\b|->", _FLAGS)
_SPEEDS = re.compile(r"\(?\s*(?:(?:speed|spd)\s*[:=]?\s*)?\d{1,6}\s*\)?\s*$", _FLAGS)
_LIST_NUMBER = re.compile(r"\s*(?:\d{1,2}\s?[.)]\s*)?(?:(?:and\s+)?then\s+)?", _FLAGS)


def read_order(line: LineText, names: Lexicon, own: str | None) -> Order | None:
    """`Order: Mira (12), Marsh Rat (9), Tobin (9) - tie 1d6 = 5, Tobin first`."""
    text = line.text
    head = _ORDER.match(text, line.start, line.end)
    if head is None and not line.loose:
        return None
    begin = head.end() if head is not None else line.start
    tie = _TIE_WORD.search(text, begin, line.end)
    stop = line.end if tie is None else _before_tie(text, begin, tie.start())
    entries: list[tuple[str, int | None]] = []
    known, place = False, begin
    while place < stop and text[place:stop].strip(" .!-"):
        met = _ENTRY.match(text, place, stop) or _LOOSE_ENTRY.match(text, place, stop)
        if met is None:
            return None
        name, speed = met.group("name", "speed")
        found = names.find(name.strip(" -."))
        if found is None:
            found, speed = _entry(names, name.strip(" -."), speed)
        elif speed is None and names.characters.find(found) is None:
            found, speed = _kind_and_speed(found)
        if speed is None and names.find(found) is None and (names.kinds.names or not found[:1].isupper()):
            return None
        known = known or speed is not None or names.find(found) is not None
        entries.append((found, int(speed) if speed else None))
        place = met.end()
    if head is None and not _are_speeds(entries, names, tie is not None):
        return None
    ties = _ties(line, names, stop) if tie is not None else ()
    if ties:
        entries += _behind_ties(line, names, stop)
    return Order(tuple(entries), ties) if known and ties is not None else None


def _are_speeds(entries: list[tuple[str, int | None]], names: Lexicon, tied: bool) -> bool:
    """Whether a list without its heading is an order: two fighters or more, each with the Speed of its sheet.

    Not one that no order may be (unsorted, or a tie without a word on it): it may tell of something else.
    """
    speeds = [speed for name, speed in entries if speed is not None and speed == names.speed(name)]
    if not 1 < len(entries) == len(speeds):
        return False
    return speeds == sorted(speeds, reverse=True) and (tied or len(set(speeds)) == len(speeds))


def _behind_ties(line: LineText, names: Lexicon, place: int) -> list[tuple[str, int | None]]:
    """The entries that go on behind a tie: `Piet (8), Rat (8) - tie 1d6 = 5, Piet first, Oskar (6)`."""
    last = place
    for met in _TIE.finditer(line.text, place, line.end):
        last = met.end()
    entries: list[tuple[str, int | None]] = []
    gap = _GAP.match(line.text, last, line.end)
    while gap is not None and (met_entry := _ENTRY.match(line.text, gap.end() if not entries else last, line.end)):
        found = names.find(met_entry["name"].strip(" -."))
        if found is None:
            return []
        entries.append((found, int(met_entry["speed"])))
        last = met_entry.end()
    return entries


def _entry(names: Lexicon, text: str, speed: str | None) -> tuple[str, str | None]:
    """The name and Speed of an entry that is no plain name: `Mira 12`, `Marsh Rat x2 (9)`."""
    text = _THEN.sub("", text)
    times = _TIMES.fullmatch(text)
    if times is not None and names.find(times["name"]) is not None:
        text = times["name"]
    elif speed is None and (behind := _SPEED_BEHIND.fullmatch(text)) and names.characters.find(behind["name"]):
        text, speed = behind["name"], behind["speed"]
    return names.name(text), speed


def _kind_and_speed(found: str) -> tuple[str, str | None]:
    """`Marsh Rat 9` as a kind and its Speed, a creature as it is."""
    kind, number = split_number(found)
    return (kind, str(number)) if number is not None and number > _HIGHEST_NUMBER else (found, None)


def _before_tie(text: str, start: int, place: int) -> int:
    """Where the words of a tie begin: at its word, or at the mark in front of it."""
    while place > start and text[place - 1].isspace():
        place -= 1
    return place - 1 if place > start and text[place - 1] in "-;,(." else place


def _ties(line: LineText, names: Lexicon, place: int) -> tuple[Tie, ...] | None:
    """The tie rolls from `place` on; None where more is written there than is read."""
    text = line.text
    found: list[tuple[int, str | None]] = []
    gap, last = False, place
    for met in _TIE.finditer(text, place, line.end):
        die, first = met.group("die", "first")
        start = line.slot(met.start("die"), (int(die),)) if die else line.slot(met.start() + 1, ())
        found.append((start, names.name(first) if first else None))
        gap = gap or met.start() - last > _LONGEST_GAP
        last = met.end()
    if (gap or last < line.end) and _RUNS_ON.search(text, place, line.end):
        return None
    if not found and (line.anchored(place, line.end) or any(sign.isdigit() for sign in text[place : line.end])):
        return None
    rolls = line.settle()
    return tuple(Tie(rolls[start], first) for start, first in found)


def names_an_order(line: LineText, names: Lexicon) -> bool:
    """Whether a line with the heading of an order lists fighters: all but one of its entries, two at least."""
    head = _ORDER.match(line.text, line.start, line.end)
    if head is None:
        return False
    pieces = [piece for piece in _PIECE.split(line.text[head.end() : line.end]) if piece.strip(" .!-")]
    known = sum([_is_fighter(piece, names) for piece in pieces])
    return known > 1 and known >= len(pieces) - 1


def _is_fighter(text: str, names: Lexicon) -> bool:
    """Whether an entry of an order is a fighter's name, with or without its number in the list and its Speed."""
    begin = _LIST_NUMBER.match(text)
    entry = text[begin.end() if begin else 0 :].strip(" .!-")
    return names.find(entry) is not None or names.find(_SPEEDS.sub("", entry).strip()) is not None


def tells_of_a_tie(line: LineText, behind_order: bool) -> bool:
    """Whether a line is about a tie: it begins with the word, or stands behind an order; and a roll is in it."""
    text, start, end = line.text, line.start, line.end
    if behind_order:
        told = _TIE_WORD.search(text, start, end) or _FIRST.search(text, start, end)
    else:
        told = _TIE_WORD.match(text, start, end)
    if told is None:
        return False
    if line.rolled or _DIE.search(text, start, end) is not None or _TIE_NUMBERED.match(text, start, end) is not None:
        return True
    return behind_order and _TIE_INSIDE.search(text, start, end) is not None


def read_tie_line(line: LineText, names: Lexicon) -> tuple[Tie, ...] | None:
    """`Tie: 1d6 = 4, Tobin first` on a line of its own, which belongs to the order beside it."""
    return _ties(line, names, line.start) or None
