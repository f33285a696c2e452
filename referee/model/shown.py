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
#: A bonus and a sum behind the dice, as boards write them: `+ 4 = 16`, `) + 4 = 16`, ` + 1, total 18`.
_SUM = re.compile(
    r"[ )\]]{0,3}(?P<bonus>[+-] {0,3}\d{1,9})?\s{0,3}(?:=|(?:=|,|:)?\s{0,3}total ?[:=]?)\s{0,3}(?P<sum>\d{1,9})\s{0,3}",
    re.IGNORECASE,
)
#: An expression inside a working, and the flat numbers in it.
EXPRESSION = re.compile(
    r"(?<!\w)\d{0,3}d(?:\d{1,5}(?!\d)|%)(?:[a-z!^<>=]{1,4}\d{0,4}){0,3}(?!\w)"
    r"(?:[ \t]{0,3}[+-][ \t]{0,3}\d{0,3}(?:d\d{1,5}|\d)(?!\w)){0,9}(?:[ \t]{0,3}[<>]=?[ \t]{0,3}\d{1,5})?",
    re.IGNORECASE,
)
_FLAT = re.compile(r"[+-]\s{0,3}(\d{1,5})(?![\dd])", re.IGNORECASE)
#: A number that only names a roll (`#roll-0042`) or says what to keep.
_NAMES = re.compile(r"#[\w-]{0,20}\d|\b(?:top|best|highest|lowest|kept|dropped) \d{1,3}\b", re.IGNORECASE)
#: A list of dice in brackets.
_BRACKET = re.compile(r"[(\[]\s{0,3}(\d{1,6}(?:\s{0,3}[,+ ]\s{0,3}\d{1,6}){0,99})\s{0,3}[)\]]")
_BRACKETS = dict.fromkeys(map(ord, "()[]"), " ")
#: More numbers than this are no roll that anybody reads.
MOST_NUMBERS = 100
MOST_ROWS = 16


def dice_in(expression: str, text: str) -> tuple[tuple[int, ...], int | None, str]:
    """The dice that a board shows for a roll, the number that may be their total, and the text with the dice alone.

    The dice are empty, and the number is set, where one number stands for several dice, or for one with a
    bonus. The text keeps its length. Numbers that are neither a row of the dice thrown nor their sum stay as
    they are, and so does the roll of an expression that is not plain.
    """
    read = read_dice(expression)
    start, end = _working(text)
    if (start, end) != (0, len(text)):
        text = _NAMES.sub(_blank, text)
    values = tuple(map(int, _NUMBER.findall(text, start, end)[:MOST_NUMBERS]))
    if read is None or not read.count:
        return values, None, text
    words = _between(text, start, end)
    if len(values) == read.count and (read.count > 1 or not read.bonus):
        return values, None, words if words == text else words.translate(_BRACKETS)
    if len(values) == 1:
        return _one_number(values[0], read, words if words == text else words.translate(_BRACKETS))
    dice = row_in(read, words, _flats(text)) or (_bracketed(words, read) if words != text else None)
    if dice is None:
        return values, None, text
    places = [place for _, place in dice]
    return tuple([number for number, _ in dice]), None, _alone(words, places, read)


def _between(text: str, start: int, end: int) -> str:
    """A text with blanks outside two places; where it names an expression, outside its numbers as well."""
    if (start, end) != (0, len(text)):
        numbers = list(_NUMBER.finditer(text, start, end))
        start = numbers[0].start() if numbers else end
        while start and text[start - 1] in "([":  # the brackets tell where a list of dice begins
            start -= 1
    return " " * start + text[start:end] + " " * (len(text) - end)


def _working(text: str) -> tuple[int, int]:
    """Where the numbers of a roll stand: behind the expression that the text names, else before it."""
    found = EXPRESSION.search(text)
    if found is None:
        return 0, len(text)
    behind = _NUMBER.search(text, found.end()) is not None
    return (found.end(), len(text)) if behind else (0, found.start())


def _flats(text: str) -> frozenset[int]:
    """The flat numbers of the expression in a text: they stand in its working once more."""
    found = EXPRESSION.search(text)
    return frozenset(map(int, _FLAT.findall(found.group()))) if found is not None else frozenset()


def _alone(words: str, places: list[tuple[int, int]], read: Dice) -> str:
    """A working without anything but its dice, and the bonus and the sum right behind them."""
    start, end = places[0][0], places[-1][1]
    dice = words[start:end].translate(_BRACKETS)
    found = _SUM.fullmatch(words, end)
    if found is None or (read.count == 1 and not found["bonus"]):
        return " " * start + dice + " " * (len(words) - end)
    behind = f" {found['bonus'] or ''} = {found['sum']}"
    room = len(words) - end
    return " " * start + dice + (words[end:] if _PLAIN_SUM.fullmatch(words, end) else behind.ljust(room)[:room])


#: A sum as posts write it, which stays as it is.
_PLAIN_SUM = re.compile(r"(?: {0,3}[+-] {0,3}\d{1,9})? {0,3}= {0,3}\d{1,9} {0,3}")


def _one_number(number: int, read: Dice, text: str) -> tuple[tuple[int, ...], int | None, str]:
    """One number for a roll of several dice or of one with a bonus; out of the die's reach it is no die."""
    if read.count == 1 and not 1 <= number - read.bonus <= read.sides[0]:
        return (number,), None, text
    return (), number, text


Numbers = list[tuple[int, tuple[int, int]]]


def row_in(read: Dice, text: str, flats: Iterable[int] = ()) -> Numbers | None:
    """The numbers in a board's working that are the dice, with their places: as many as were thrown, with their sum.

    A bare list of numbers is no working. `flats`: the flat numbers of the expression, which the working repeats.
    """
    if _LIST.fullmatch(text):
        return None
    working = _NAMES.sub(_blank, EXPRESSION.sub(_blank, text))
    numbers = [(int(found.group()), found.span()) for found in _NUMBER.finditer(working)][:MOST_NUMBERS]
    values = [number for number, _ in numbers]
    known = {abs(read.bonus), *flats}
    for first in range(len(values) - read.count + 1):
        total = sum(values[first : first + read.count])
        others = values[:first] + values[first + read.count :]
        if total + read.bonus in others and {total, total + read.bonus, *known}.issuperset(others):
            return numbers[first : first + read.count]
    total, others = sum(values[: read.count]), values[read.count :]
    added = len(others) == 2 and others[1] in (total + others[0], total - others[0])
    return numbers[: read.count] if added else None


def _bracketed(working: str, read: Dice) -> Numbers | None:
    """The only list in brackets of just as many numbers as dice were thrown: a working whose sum does not add up."""
    lists = [found for found in _BRACKET.finditer(working) if len(_NUMBER.findall(found.group())) == read.count]
    if len(lists) != 1:
        return None
    start, end = lists[0].span(1)
    return [(int(found.group()), found.span()) for found in _NUMBER.finditer(working, start, end)]


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


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
