"""What a board's own roll shows: its dice, or no more than their total (notation.md G7).

Boards show a roll as its dice (`3, 5`), as a sum (`13 + 2 = 15`, `15 <- [13] 1d20 + 2`) or as the total
alone. Only the dice are numbers that a post may rest on; what stands around them is the board's working.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice, product

from referee.model.dice import Dice, read_dice
from referee.model.text import Anchor

_NUMBER = re.compile(r"\d{1,9}")
_LIST = re.compile(r"[\d\s,;]*")
#: A bonus and a sum behind the dice, as posts write them.
_SUM = re.compile(r"(?: {0,3}[+-] {0,3}\d{1,9})? {0,3}= {0,3}\d{1,9} {0,3}")
_EXPRESSION = re.compile(r"\b\d{0,4}[dD](?:\d{1,6}\b|%)")
#: More numbers than this are no roll that anybody reads.
MOST_NUMBERS = 100
MOST_ROWS = 16


def dice_in(expression: str, text: str) -> tuple[tuple[int, ...], int | None, str]:
    """The dice that a board shows for a roll, the number that may be their total, and the text with the dice alone.

    The dice are empty, and the number is set, where one number stands for several dice, or for one with a
    bonus. The text keeps its length. Numbers that are neither a row of the dice thrown nor their sum stay as
    they are, and so does the roll of an expression that is not plain.
    """
    values = tuple(map(int, _NUMBER.findall(text)[:MOST_NUMBERS]))
    read = read_dice(expression)
    if read is None or not read.count or (len(values) == read.count and (read.count > 1 or not read.bonus)):
        return values, None, text
    if len(values) == 1:
        return _one_number(values[0], read, text)
    dice = row_in(read, text)
    if dice is None:
        return values, None, text
    start, end = dice[0][1][0], dice[-1][1][1]
    behind = text[end:] if _SUM.fullmatch(text, end) else " " * (len(text) - end)
    return tuple([number for number, _ in dice]), None, " " * start + text[start:end] + behind


def _one_number(number: int, read: Dice, text: str) -> tuple[tuple[int, ...], int | None, str]:
    """One number for a roll of several dice or of one with a bonus; out of the die's reach it is no die."""
    if read.count == 1 and not 1 <= number - read.bonus <= read.sides[0]:
        return (number,), None, text
    return (), number, text


def row_in(read: Dice, text: str) -> list[tuple[int, tuple[int, int]]] | None:
    """The numbers in a board's working that are the dice, with their places: as many as were thrown, with their sum.

    A bare list of numbers is no working.
    """
    if _LIST.fullmatch(text):
        return None
    working = _EXPRESSION.sub(lambda found: " " * len(found.group()), text)
    numbers = [(int(found.group()), found.span()) for found in _NUMBER.finditer(working)][:MOST_NUMBERS]
    values = [number for number, _ in numbers]
    for first in range(len(values) - read.count + 1):
        total = sum(values[first : first + read.count])
        others = values[:first] + values[first + read.count :]
        if total + read.bonus in others and {total, total + read.bonus, abs(read.bonus)}.issuperset(others):
            return numbers[first : first + read.count]
    total, others = sum(values[: read.count]), values[read.count :]
    added = len(others) == 2 and others[1] in (total + others[0], total - others[0])
    return numbers[: read.count] if added else None


def rows_of(anchors: Iterable[Anchor]) -> tuple[tuple[int, ...], ...]:
    """The rows of dice that in-post rolls may stand for, at least one and at the most `MOST_ROWS`."""
    parts = [(anchor.values,) if anchor.total is None else _rows(anchor.dice or "", anchor.total) for anchor in anchors]
    return tuple([sum(row, ()) for row in islice(product(*parts), MOST_ROWS)])


def _rows(expression: str, total: int) -> tuple[tuple[int, ...], ...]:
    """One die and a bonus, both ways; of several dice the sum in the first one's place, the others as 0."""
    read = read_dice(expression)
    if read is None:
        return ((total,),)
    without = total - read.bonus
    if read.count == 1 and 1 <= total <= read.sides[0]:
        return tuple(dict.fromkeys(((without,), (total,))))
    return ((without, *[0] * (min(read.count, MOST_NUMBERS) - 1)),)
