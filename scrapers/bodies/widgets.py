"""Rolls that a board's add-on shows as a widget: which dice, and where their numbers stand.

`2d6: 3 + 5 = 8`, `d20 + 4 => (17) + 4 = 21`, `29 <- [19] 1d20 + 10`, `(1d20+5) [17]`: dice, working and
total, the expression in front or behind. A mark goes from the expression to the last number, or the other way
round; `referee.model.shown` finds the dice in it. Of a roll that keeps, drops or explodes dice only the number
that it comes to is marked.

A widget that shows no roll that can be read, or says that it was tampered with, is one whole mark of a doubtful
roll (`typed`): so is one whose expression or result may have been typed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from referee.model.dice import Dice, read_dice
from referee.model.shown import EXPRESSION, dice_in
from scrapers.patterns import Pattern

_NUMBER = Pattern(r"\d{1,6}")
#: Random numbers instead of dice: `Generating 2 random numbers from 1 to 50: [37, 4]`, `Rolling 1-50+5: 42`.
_RANGE = Pattern(
    r"(?:\b(?P<count>\d{1,3}) [a-z ]{1,40} from 1 to (?P<sides>\d{1,5})"
    r"|(?<![\w-])1-(?P<to>\d{1,5})(?P<bonus>[+-]\d{1,5})?)(?=\s{0,3}:)"
)
#: How add-ons say that a roll is not the one that was thrown.
TAMPERED = Pattern(
    r"tamper|fiddled|manipulat|\bforged|\bfak(?:e|ed)\b|\binvalid|has been (?:changed|altered|edited|modified)"
    r"|does not match|\bcheat",
    re.IGNORECASE,
)
#: A critical's range and bonus behind a die (`d20c18b1`), and a test of the result (`3d6+3>10`).
_CRITICAL = Pattern(r"(?<=\d)c\d{0,4}(?:[bp]\d{1,4})?", re.IGNORECASE)
_TEST = Pattern(r"[<>]=?\d{1,5}$")
#: The number that a roll comes to: behind its sign, before an arrow, alone on its line.
_SUM = Pattern(
    r"(?:total[ \t]{0,3}[:=]?|=)[ \t]{0,3}(\d{1,6})(?!\d)|^[ \t]{0,3}(\d{1,6})[ \t]{0,3}$", re.IGNORECASE | re.MULTILINE
)
_BEFORE = Pattern(r"\s{0,3}(\d{1,6})\s{0,3}(?:<-|\u2190)")
#: A longer text is no widget's.
LONGEST = 5000
#: More rolls in one widget than this are not told apart.
MOST_ROLLS = 50


class Roll(NamedTuple):
    """A roll in a text: its first character and the one after the last, its dice, whether it may be typed."""

    start: int
    end: int
    dice: str
    typed: bool = False


def rolled(text: str) -> list[Roll]:
    """The rolls in a widget's text.

    One doubtful roll over the whole text where none can be read, or where the widget calls its roll untrue.
    """
    if not text.strip():
        return []
    rolls = _rolls(text) if len(text) <= LONGEST else []
    if not rolls:
        return [Roll(0, len(text), "", typed=True)]
    return doubtful(rolls) if TAMPERED.search(text) else rolls


def doubtful(rolls: list[Roll]) -> list[Roll]:
    """The same rolls, as ones that their poster could have typed."""
    return [roll._replace(typed=True) for roll in rolls]


def _rolls(text: str) -> list[Roll]:
    found = list(EXPRESSION.finditer(text))[:MOST_ROLLS]
    if not found:
        return _numbers(text)
    ends = [*(match.start() for match in found[1:]), len(text)]
    rolls = [_roll(text, match.group(), match.start(), end) for match, end in zip(found, ends, strict=True)]
    if len(found) == 1 and rolls == [None]:
        rolls = [_roll(text, found[0].group(), 0, found[0].end())]
    return [roll for roll in rolls if roll is not None]


def _roll(text: str, expression: str, start: int, end: int) -> Roll | None:
    """The roll of an expression that stands with its numbers between two places."""
    words = text[start:end]
    dice = plain(expression, words)
    read = read_dice(dice)
    if read is None or not read.count:
        return _total(text, start, end, dice)
    if not _fits(dice, read, words):
        # What stands on further lines may be an add-on's remark on the result.
        end = text.find("\n", start, end)
        words = text[start : max(end, start)]
        if not _fits(dice, read, words):
            return None
    last = list(EXPRESSION.finditer(words))[-1].end() + start
    stop = max([last, *[number.end() for number in _NUMBER.finditer(text, start, end)]])
    return Roll(start, stop, dice)


def _fits(dice: str, read: Dice, words: str) -> bool:
    """Whether the words show the dice of an expression, or what they come to."""
    values, total, _ = dice_in(dice, words)
    if total is not None:
        return read.low <= total <= read.high
    return len(values) == read.count and all([1 <= v <= n for v, n in zip(values, read.sides, strict=True)])


def plain(expression: str, words: str) -> str:
    """An expression without blanks and without what changes no die: a critical's range, a test of the result."""
    dice = _CRITICAL.sub("", "".join(expression.split()))
    test = _TEST.search(dice)
    if test is not None and "".join(words.split()).count(test.group()) > 1:
        dice = dice[: test.start()]
    return dice


def _total(text: str, start: int, end: int, dice: str) -> Roll | None:
    """The number that a roll of kept, dropped or exploded dice comes to."""
    expression = EXPRESSION.search(text, start, end)
    first = expression.end() if expression is not None and _NUMBER.search(text, expression.end(), end) else start
    end = end if expression is None or first > start else expression.start()
    arrow = _BEFORE.match(text, start, end) if first == start else None
    sums = [arrow] if arrow is not None else list(_SUM.finditer(text, first, end))
    if sums:
        group = next(number for number in (1, 2) if number <= sums[-1].re.groups and sums[-1][number] is not None)
        return Roll(sums[-1].start(group), sums[-1].end(group), dice)
    numbers = list(_NUMBER.finditer(text, first, end))
    return Roll(numbers[-1].start(), numbers[-1].end(), dice) if len(numbers) == 1 else None


def _numbers(text: str) -> list[Roll]:
    """Random numbers from 1 up to another number: dice of so many sides."""
    found = _RANGE.search(text)
    if found is None:
        return []
    dice = f"{found['count'] or 1}d{found['sides'] or found['to']}{found['bonus'] or ''}"
    read = read_dice(dice)
    if read is None or not _fits(dice, read, text[found.end() :]):
        return []
    stop = max(number.end() for number in _NUMBER.finditer(text, found.end()))
    return [Roll(found.end(), stop, dice)]
