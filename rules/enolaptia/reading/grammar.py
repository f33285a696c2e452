"""Pieces of lines: dice, amounts, sums, and which link proves which die (G7, G8, X4).

All patterns are anchored and bounded; a line is looked at once.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import NamedTuple

from referee.model.claims import WrittenRoll
from referee.model.text import Anchor, Script
from referee.ports.reading import ARROW

#: A name in front of a colon, bracket or comma.
NAME = r"[^:;,()\[\]\n]{1,60}?"
D6 = r"1?\s?d\s?6"
#: More digits than this are no die.
LONGEST_NUMBER = 6
_START = attrgetter("start")
_FACES = frozenset("123456")
_MOST_OF_A_DIE = 6
#: A colon divides in `11 : 2 = 5`.
_SEPARATOR = re.compile(rf"{ARROW}|:(?!\s*[23]\s*=\s*\d)|;")
_AMOUNT = re.compile(
    r"""\s*(?:(?:weak|normal|strong|critical|full|half|hit)\b(?:\s+(?:attack|hit)\b)?\s*[,:]?\s*)?
        (?:(?:damage|dmg)\s*(?:is|of|was|[:=])\s*)?
        (?:(?P<miss>(?:an?\ )?miss(?:es|ed)?|no\ damage)
          |(?P<at>AT(?:\b|(?=\d))\s*)?(?P<base>\d{1,6})?\s*(?:(?P<sign>[/:x*])\s*(?P<factor>\d{1,3}))?\s*(?:(?:=|(?(factor)(?:->|=>|\u2192)|(?!)))\s*(?P<total>\d{1,6}))?)
        (?:\s*(?:damage|dmg|HP|points?)\b)?(?:\s+to\s+(?P<whom>[^:;,()\[\]\n]{1,60}?))?
        \s*(?:\([^()\n]{0,80}\))?\s*[.!]?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
#: How hard a blow is said to be, among its numbers: `rolled 5, strong, 14`.
_QUALITY = re.compile(r"\s*(?:weak|normal|strong|critical|full|half)(?:\s+(?:attack|hit))?\s*", re.IGNORECASE)
#: A remark in brackets behind an amount is no longer than this: `(4.67, rounded down)`.
_LONGEST_REMARK = 80
#: A line that ends in a bracket, with or without a mark behind it.
_CLOSES = frozenset(").!")
_PIECE = re.compile(r",|\band\b|\bthen\b|&", re.IGNORECASE)
_TERM = re.compile(r"\s*,?\s*(?P<sign>[+-])?\s*(?P<number>\d{1,6})(?:\s*\([A-Za-z][^()\n]{0,40}\))?\s*")
_TOTAL = re.compile(
    r"\s*=\s*(\d{1,6})(?:\s*(?:[a-z]{1,20}\s+)?(?:damage|dmg|HP)\b)?\s*(?:\((?!\s*\d)[^()\n]{0,60}\))?\s*[.!]?\s*",
    re.IGNORECASE,
)


#: More lines of links below a roll than this are no list of its dice.
_MOST_LINES_OF_LINKS = 12


class Slot(NamedTuple):
    """A roll found in a line: its dice as written, and where they begin."""

    start: int
    values: tuple[int, ...]
    expression: str = "1d6"


class Links:
    """The links and in-post rolls of a script, by the line whose dice they prove (G8)."""

    __slots__ = ("_script", "_starts")

    def __init__(self, script: Script) -> None:
        """The links of one script."""
        self._script = script
        self._starts = [anchor.start for anchor in script.anchors]

    def of_line(self, start: int, end: int) -> tuple[Anchor, ...]:
        """The links in a line, else those that stand alone on the next line or on several of them."""
        if not self._starts:
            return ()
        text, line_end = self._script.text, self._script.line_end(end)
        found = self._between(start, end if text[end:line_end].strip(" ])}.") else line_end)
        if found or line_end >= len(text):
            return found
        for _ in range(_MOST_LINES_OF_LINKS):
            stop = self._script.line_end(line_end + 1)
            below = self._between(line_end + 1, stop) if not text[line_end + 1 : stop].strip(" ().,;:") else ()
            if not below:
                break
            found, line_end = (*found, *below), stop
        return found

    def rolled(self, start: int, end: int) -> bool:
        """Whether a roll of the board, or a die with its link, stands between two places."""
        starts = self._starts
        first = bisect_left(starts, start)
        if first == len(starts) or starts[first] >= end:
            return False
        script = self._script
        found = script.anchors[first : bisect_left(starts, end, first)]
        return any([_stands_for_dice(anchor, script.text) for anchor in found])

    def _between(self, start: int, end: int) -> tuple[Anchor, ...]:
        first, last = bisect_left(self._starts, start), bisect_right(self._starts, end)
        return tuple([anchor for anchor in self._script.anchors[first:last] if anchor.end <= end])


def _stands_for_dice(anchor: Anchor, text: str) -> bool:
    """Whether an anchor is a roll of the board, a linked number that a die can show, or a link right behind one."""
    if anchor.dice is not None:
        return True
    start, end = anchor.start, anchor.end
    return (text[start:end] if end > start else text[max(0, start - 2) : start].rstrip(" (")[-1:]) in _FACES


class LineText:
    """One line of a script, and the rolls found in it so far. Places are places in the whole `text`."""

    __slots__ = ("_anchors", "_links", "end", "loose", "slots", "start", "text")

    def __init__(self, text: str, start: int, end: int, links: Links) -> None:
        """The line between two places of a script's text."""
        self.text = text
        self.start = start
        self.end = end
        self.slots: list[Slot] = []
        self._links = links
        self._anchors: tuple[Anchor, ...] | None = None
        #: Whether forms that only lines of the game may have are tried too (`reading_loosely`).
        self.loose = False

    def loosened(self, words: str) -> LineText:
        """The line in as many other signs, to be read loosely."""
        line = LineText(self.text[: self.start] + words + self.text[self.end :], self.start, self.end, self._links)
        line.loose = True
        return line

    def part(self, start: int, end: int) -> LineText:
        """A part of the line as a line of its own."""
        return LineText(self.text, start, end, self._links)

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """The links of the line, looked up when its first roll asks for them: most lines have no rolls."""
        if self._anchors is None:
            self._anchors = self._links.of_line(self.start, self.end)
        return self._anchors

    @property
    def rolled(self) -> bool:
        """Whether a roll of the board or a linked die stands in the line."""
        return self._links.rolled(self.start, self.end)

    def rolled_at(self, place: int) -> bool:
        """Whether a roll of the board or a linked die begins at a place."""
        return self._links.rolled(place, place + 1)

    def slot(self, start: int, values: tuple[int, ...], expression: str = "1d6") -> int:
        """Note a roll that begins at `start`; gives the place where it begins with the blanks in front of it."""
        while start > self.start and self.text[start - 1] == " ":
            start -= 1
        self.slots.append(Slot(start, values, expression))
        return start

    def anchored(self, start: int, end: int) -> int:
        """How many links or in-post rolls begin between two places."""
        return sum([start <= anchor.start < end for anchor in self.anchors])

    def settle(self) -> dict[int, WrittenRoll]:
        """Every roll with its links, by the place where it begins.

        A link belongs to the roll that it stands in or behind; where that leaves rolls bare but
        there are as many links as dice, they go in the order of the dice.
        """
        if len(self.slots) == 1:
            return self._settled(self.slots[0])
        slots = sorted(self.slots, key=_START)
        anchors = self._proofs_of(sum([len(slot.values) for slot in slots]))
        parts: list[list[Anchor]] = [[] for _ in slots]
        owner, last = -1, len(slots) - 1
        for anchor in anchors:
            while owner < last and slots[owner + 1].start <= anchor.start:
                owner += 1
            if owner >= 0:
                parts[owner].append(anchor)
        if slots and not all(parts) and len(anchors) == sum([len(slot.values) for slot in slots]):
            rest = iter(anchors)
            parts = [[next(rest) for _ in slot.values] for slot in slots]
        return {
            slot.start: WrittenRoll(slot.values, tuple(part), slot.expression)
            for slot, part in zip(slots, parts, strict=True)
        }

    def _proofs_of(self, dice: int) -> tuple[Anchor, ...]:
        """The links for so many dice. Several lines of links below are the line's only where there are just as many.

        Else they prove several lines' dice, and which of them these are is not said.
        """
        found = self.anchors
        if not found or found[0].start <= self.end or len(found) == dice:
            return found
        breaks = self.text.find("\n", found[0].start, found[-1].start)
        if breaks < 0:
            return found
        return () if dice else tuple([anchor for anchor in found if anchor.start < breaks])

    def _settled(self, slot: Slot) -> dict[int, WrittenRoll]:
        """The only roll of a line with its links."""
        anchors = self._proofs_of(len(slot.values))
        part = tuple([anchor for anchor in anchors if anchor.start >= slot.start])
        if not part and len(anchors) == len(slot.values):
            part = anchors
        return {slot.start: WrittenRoll(slot.values, part, slot.expression)}


class Amount(NamedTuple):
    """A damage as written: the number, and the sum that it comes from.

    `fits`: whether the sum as written gives the number, rounded either way. `base`: the attack value
    that the sum takes, None where it shows none. `whom`: who is said to take it.
    """

    number: int | None
    words: str
    fits: bool = True
    base: int | None = None
    whom: str | None = None


def read_amount(text: str) -> Amount | None:
    """`AT 14 x 2 = 28`, `11/2 = 5`, `miss`, `7`; None if it is no amount.

    Its number is None where only a sum without its result is given.
    """
    words = " ".join(text.split())
    if words.isdecimal() and len(words) <= LONGEST_NUMBER:
        return Amount(int(words), words)
    found = _AMOUNT.fullmatch(text)
    if found is None or not words:
        return None
    miss, at, base, sign, factor, total, whom = found.groups()
    if miss:
        return Amount(0, words, True, None, whom)
    if base is None:
        return Amount(int(total) if total else None, words, True, None, whom) if at or sign or total else None
    number = int(base)
    if sign is not None and sign in "x*" and number == 2:
        number, factor = int(factor), "2"  # `2 x 14` is the double of 14.
    if total is not None:
        return Amount(int(total), words, _fits(number, sign, factor, int(total)), number, whom)
    if sign is not None:
        return Amount(None, words, True, number, whom)
    return Amount(number, words, True, number if at else None, whom)


def _fits(number: int, sign: str | None, factor: str, result: int) -> bool:
    """Whether `14/3 = 5`, rounded either way, or `14 x 2 = 28` adds up."""
    if sign is None:
        return number == result
    by = int(factor)
    return (result - 1) * by < number < (result + 1) * by if sign in "/:" else number * by == result


class DiceAndAmount(NamedTuple):
    """The dice of an attack and what they do."""

    dice: tuple[int, ...]
    amount: Amount | None


def read_attack_roll(line: LineText, start: int, end: int) -> DiceAndAmount | None:
    """`6, 6 -> AT 14 x 2 = 28`, `2: 6/3 = 2`, `4, 11/2 = 5`, `6, 3, 11`, `1, miss`; None if it can't be read."""
    text = line.text
    if text[end - 1 : end] in _CLOSES:
        end = _before_remark(text, start, end)
    mark = _SEPARATOR.search(text, start, end)
    if mark is not None:
        dice = _dice(_PIECE.split(text[start : mark.start()]))
        told = mark.group() not in (":", ";") and dice is not None and len(dice) > 1 and dice[-1] > _MOST_OF_A_DIE
        if dice is not None and not told:
            amount = read_amount(text[mark.end() : end])
            return None if amount is None else DiceAndAmount(dice, amount)
        if mark.group() in (":", ";"):
            return None
        # The arrow stands behind a sum (`4, 14/2 -> 7`), or between HP (`5, 18 -> 4`).
    pieces = _PIECE.split(text[start:end])
    if len(pieces) > 2 and pieces[1].strip()[:1].isalpha():
        pieces = [piece for piece in pieces if _QUALITY.fullmatch(piece) is None]
    if len(pieces) == 1 or _all_dice(pieces, line.anchored(start, end)):
        dice = _dice(pieces)
        return None if dice is None or not (dice or line.anchored(start, end)) else DiceAndAmount(dice, None)
    dice = _dice(pieces[:-1])
    amount = read_amount(pieces[-1])
    return None if dice is None or amount is None else DiceAndAmount(dice, amount)


def _before_remark(text: str, start: int, end: int) -> int:
    """The place in front of words in brackets at the end; `(5)` is no remark."""
    stop = end
    while stop > start and text[stop - 1] in " .!":
        stop -= 1
    if stop <= start or text[stop - 1] != ")":
        return end
    opened = text.rfind("(", max(start, stop - _LONGEST_REMARK - 2), stop)
    return opened if opened > start and any(sign.isalpha() for sign in text[opened:stop]) else end


def _all_dice(pieces: list[str], links: int) -> bool:
    """`6, 3` with two links is two dice without an amount; with one link it is a die and an amount."""
    return len(pieces) == 2 and links >= 2 and all(piece.strip() in {*"123456"} for piece in pieces)


def _dice(pieces: list[str]) -> tuple[int, ...] | None:
    """Dice in a row, `6, 3`; None where something else stands among them."""
    found: list[int] = []
    for piece in pieces:
        word = piece.strip(" .")
        if word.isdecimal() and len(word) <= LONGEST_NUMBER:
            found.append(int(word))
        elif word and _QUALITY.fullmatch(word) is None:
            return None
    return tuple(found)


class Sum(NamedTuple):
    """`4 + 5 + 2 = 11`: signed terms with their places, and the total (None where only terms stand)."""

    terms: tuple[tuple[int, int], ...]
    total: int | None

    @property
    def fits(self) -> bool:
        """Whether the terms give the total."""
        return self.total is None or not self.terms or sum([number for number, _ in self.terms]) == self.total


def read_sum(text: str, start: int, end: int) -> Sum | None:
    """The sum between two places, or None. A single number is a total without terms."""
    place = start
    found: list[tuple[int, int]] = []
    while place < end:
        met = _TERM.match(text, place, end)
        if met is None or (found and met.group().lstrip()[0] not in "+-,"):
            break
        number = int(met["number"])
        found.append((-number if met["sign"] == "-" else number, met.start("number")))
        place = met.end()
    total = _TOTAL.fullmatch(text, place, end)
    if total is not None:
        return Sum(tuple(found), int(total.group(1)))
    words = text[place:end].strip(" .!").casefold()
    if not found or words not in ("", "damage", "dmg", "hp"):
        return None
    return Sum((), found[0][0]) if len(found) == 1 else Sum(tuple(found), None)
