"""Rolls that a board's add-on shows as a widget: which dice, and where their numbers stand.

`2d6: 3 + 5 = 8`, `1d20 => 14 => 14`, `2d6 [3, 5] + 3 = 11`: the expression comes first. The mark goes
over the single dice where the text lists as many as were thrown, else over the last number.
"""

from __future__ import annotations

import re

from scrapers.boards.patterns import Pattern

_EXPRESSION = Pattern(r"(?<![\w])(\d{0,3})d(\d{1,5})(?!\w)", re.IGNORECASE)
_NUMBER = Pattern(r"\d{1,6}")
_RUN = Pattern(r"\d{1,6}(?:\s*[,+ ]\s*\d{1,6}){0,199}")


def rolled(text: str) -> tuple[int, int, str] | None:
    """First and last place of the dice in a widget's text and their expression; None where it names no dice."""
    if len(text) > 5000:
        return None
    found = _EXPRESSION.search(text)
    if not found:
        return None
    count = int(found[1] or 1)
    expression = f"{count}d{found[2]}"
    for run in _RUN.finditer(text, found.end()):
        if len(_NUMBER.findall(run.group())) == count:
            return run.start(), run.end(), expression
    numbers = list(_NUMBER.finditer(text, found.end()))
    if count != 1 or not numbers:
        return None
    return numbers[0].start(), numbers[0].end(), expression
