"""Rolls that a board's add-on shows as a widget: which dice, and where their numbers stand.

`2d6: 3 + 5 = 8`, `d20 + 4 => (17) + 4 = 21`, `29 <- [19] 1d20 + 10`, `(1d20+5) [17]`: dice, working and
total, the expression in front or behind. The mark goes over the single dice where the working shows them,
else over the last number, which is then what the dice and the bonus of the expression come to.
"""

from __future__ import annotations

import re
from dataclasses import replace

from referee.model.dice import Dice, read_dice
from referee.model.shown import row_in
from scrapers.boards.patterns import Pattern

_EXPRESSION = Pattern(
    r"(?<!\w)\d{0,3}d(?:\d{1,5}(?!\d)|%)[a-z!]{0,4}\d{0,3}(?!\w)"
    r"(?:[ \t]{0,3}[+-][ \t]{0,3}\d{0,3}(?:d\d{1,5}|\d)(?!\w)){0,9}",
    re.IGNORECASE,
)
_NUMBER = Pattern(r"\d{1,6}")
_LIST = Pattern(r"\d{1,6}(?:\s*[,+ ]\s*\d{1,6}){0,199}")
#: A longer text is no widget's.
LONGEST = 5000
#: More rolls in one widget than this are not told apart.
MOST_ROLLS = 50

Roll = tuple[int, int, str]


def rolled(text: str) -> list[Roll]:
    """The rolls in a widget's text: first and last place of each one's dice, and its expression.

    Empty where no dice are named or no number stands with them.
    """
    if len(text) > LONGEST:
        return []
    found = list(_EXPRESSION.finditer(text))[:MOST_ROLLS]
    if not found:
        return []
    ends = [*(match.start() for match in found[1:]), len(text)]
    rolls = [_roll(text, match.group(), match.end(), end) for match, end in zip(found, ends, strict=True)]
    if len(found) == 1 and rolls == [None]:
        rolls = [_roll(text, found[0].group(), 0, found[0].start())]
    return [roll for roll in rolls if roll is not None]


def _roll(text: str, expression: str, start: int, end: int) -> Roll | None:
    """The roll of an expression whose numbers stand between two places: its dice, else what they come to."""
    working, dice = text[start:end], "".join(expression.split())
    read = read_dice(dice)
    if read is not None and read.count:
        row = row_in(read, working)
        place = (row[0][1][0], row[-1][1][1]) if row is not None else _listed(working, read)
        if place is not None:
            return start + place[0], start + place[1], str(replace(read, bonus=0))
    numbers = list(_NUMBER.finditer(working))
    return (start + numbers[-1].start(), start + numbers[-1].end(), dice) if numbers else None


def _listed(working: str, read: Dice) -> tuple[int, int] | None:
    """The place of a list of just as many numbers as dice were thrown; one number with a bonus may be the sum."""
    if read.count == 1 and read.bonus:
        return None
    for run in _LIST.finditer(working):
        if len(_NUMBER.findall(run.group())) == read.count:
            return run.span()
    return None
