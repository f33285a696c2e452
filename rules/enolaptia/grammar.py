"""Pieces of lines: dice, amounts, sums, and which link proves which die (G7, G8, X4).

All patterns are anchored and bounded; a line is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.model.claims import WrittenRoll
from referee.model.text import Anchor, Script
from referee.ports.reading import ARROW

#: A name in front of a colon, bracket or comma.
NAME = r"[^:;,()\[\]\n]{1,60}?"
D6 = r"1?\s?d\s?6"
_SEPARATOR = re.compile(rf"{ARROW}|:|;")
_AMOUNT = re.compile(
    r"""\s*(?:(?:weak|normal|strong|critical|hit)\b\s*[,:]?\s*)?
        (?:(?P<miss>miss(?:es|ed)?|no\ damage)
          |(?P<at>AT\b\s*)?(?P<base>\d{1,6})?\s*(?:(?P<sign>[/x*])\s*(?P<factor>\d{1,3}))?\s*(?:=\s*(?P<total>\d{1,6}))?)
        (?:\s*(?:damage|dmg|HP|points?)\b)?\s*(?:\([^()\n]{0,80}\))?\s*[.!]?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_PIECE = re.compile(r",|\band\b|\bthen\b|&", re.IGNORECASE)
_DIE = re.compile(r"\d{1,6}")
_TERM = re.compile(r"\s*(?:(?P<sign>[+-])|,)?\s*(?P<number>\d{1,6})(?:\s*\([A-Za-z][^()\n]{0,40}\))?\s*")
_TOTAL = re.compile(r"\s*=\s*(\d{1,6})(?:\s*(?:damage|dmg|HP)\b)?\s*[.!]?\s*", re.IGNORECASE)


@dataclass(slots=True)
class Slot:
    """A roll found in a line: its dice as written, and where they begin."""

    start: int
    values: tuple[int, ...]
    expression: str = "1d6"


@dataclass(slots=True)
class LineText:
    """One line with its anchors, and the rolls found in it so far."""

    script: Script
    start: int
    end: int
    anchors: tuple[Anchor, ...] = ()
    slots: list[Slot] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The whole script's text; places are places in it."""
        return self.script.text

    def slot(self, start: int, values: Sequence[int], expression: str = "1d6") -> Slot:
        """Note a roll that begins at `start`."""
        while start > self.start and self.text[start - 1] == " ":
            start -= 1
        found = Slot(start, tuple(values), expression)
        self.slots.append(found)
        return found

    def anchored(self, start: int, end: int) -> int:
        """How many links or in-post rolls begin between two places."""
        return sum(start <= anchor.start < end for anchor in self.anchors)

    def settle(self) -> dict[int, WrittenRoll]:
        """Every roll with its links, by the place where it begins.

        A link belongs to the roll that it stands in or behind; where that leaves rolls bare but
        there are as many links as dice, they go in the order of the dice.
        """
        slots = sorted(self.slots, key=lambda slot: slot.start)
        parts: list[list[Anchor]] = [[] for _ in slots]
        for anchor in self.anchors:
            owner = max((i for i, slot in enumerate(slots) if slot.start <= anchor.start), default=None)
            if owner is not None:
                parts[owner].append(anchor)
        if slots and not all(parts) and len(self.anchors) == sum(len(slot.values) for slot in slots):
            rest = list(self.anchors)
            parts = [[rest.pop(0) for _ in slot.values] for slot in slots]
        return {
            slot.start: WrittenRoll(slot.values, tuple(part), slot.expression)
            for slot, part in zip(slots, parts, strict=True)
        }


@dataclass(frozen=True, slots=True)
class Amount:
    """A damage as written: the number, and the sum that it comes from."""

    number: int | None
    words: str


def read_amount(text: str) -> Amount | None:
    """`AT 14 x 2 = 28`, `11/2 = 5`, `miss`, `7`; None if it is no amount.

    Its number is None where only a sum without its result is given.
    """
    found = _AMOUNT.fullmatch(text)
    if found is None or not text.strip():
        return None
    words = " ".join(text.split())
    if found["miss"]:
        return Amount(0, words)
    if found["total"] is not None:
        return Amount(int(found["total"]), words)
    if found["sign"] is None and found["base"] is not None:
        return Amount(int(found["base"]), words)
    return Amount(None, words) if found["at"] or found["sign"] else None


@dataclass(frozen=True, slots=True)
class DiceAndAmount:
    """The dice of an attack and what they do."""

    dice: tuple[int, ...]
    amount: Amount | None


def read_attack_roll(line: LineText, start: int, end: int) -> DiceAndAmount | None:
    """`6, 6 -> AT 14 x 2 = 28`, `2: 6/3 = 2`, `4, 11/2 = 5`, `6, 3, 11`, `1, miss`; None if it can't be read."""
    text = line.text
    mark = _SEPARATOR.search(text, start, end)
    if mark is not None:
        dice = _dice(text[start : mark.start()])
        amount = read_amount(text[mark.end() : end])
        return None if dice is None or amount is None else DiceAndAmount(dice, amount)
    pieces = _PIECE.split(text[start:end])
    if len(pieces) == 1 or _all_dice(pieces, line.anchored(start, end)):
        dice = _dice(text[start:end])
        return None if dice is None or not (dice or line.anchored(start, end)) else DiceAndAmount(dice, None)
    dice = _dice(",".join(pieces[:-1]))
    amount = read_amount(pieces[-1])
    return None if dice is None or amount is None else DiceAndAmount(dice, amount)


def _all_dice(pieces: list[str], links: int) -> bool:
    """`6, 3` with two links is two dice without an amount; with one link it is a die and an amount."""
    return len(pieces) == 2 and links >= 2 and all(piece.strip() in {*"123456"} for piece in pieces)


def _dice(text: str) -> tuple[int, ...] | None:
    """Dice in a row, `6, 3`; None where something else stands among them."""
    found: list[int] = []
    for piece in _PIECE.split(text):
        word = piece.strip(" .")
        if not word:
            continue
        if not _DIE.fullmatch(word):
            return None
        found.append(int(word))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Sum:
    """`4 + 5 + 2 = 11`: signed terms with their places, and the total (None where only terms stand)."""

    terms: tuple[tuple[int, int], ...]
    total: int | None


def read_sum(text: str, start: int, end: int) -> Sum | None:
    """The sum between two places, or None. A single number is a total without terms."""
    place = start
    found: list[tuple[int, int]] = []
    while place < end:
        met = _TERM.match(text, place, end)
        if met is None or (found and text[place:end].lstrip()[:1] not in ("+", "-", ",")):
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
