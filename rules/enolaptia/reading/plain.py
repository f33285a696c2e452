"""Posts without ornaments, character by character: bars, pictures, table rows, dice in brackets.

Places stay what they were: every sign is replaced by as many others. Claims are quoted as they were posted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from referee.model.text import Script
from referee.ports.ornaments import without_ornaments
from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.grammar import LineText

#: `d6(4)`, `1d6 = [4]`.
_DIE_OPENS = re.compile(r"\[\d{1,2}\]")
_BRACKETED_DIE = re.compile(r"(?<=[dD]6)(?P<gap>\s?[=:]?\s?)[\[(](?P<die>\d{1,2})[\])]")
#: `1,400/1,400`, `x 400 = 1,200`: a comma or point of thousands where neither a list nor a fraction can be meant (X19).
_THOUSANDS = re.compile(
    r"(?<![\d,.])(?P<now>\d{1,3})[,.](?P<after>\d{3})(?=\s?/\s?\d)"
    r"|(?<=/)(?P<top>\d{1,3})[,.](?P<below>\d{3})(?![,.]?\d)"
    r"|(?P<product>[x*]\s?\d{1,6}\s?=\s?)(?P<total>\d{1,3}),(?P<last>\d{3})(?![,.]?\d)"
)
_GROUPED = re.compile(r"\d[,.]\d\d\d")
_ROW = re.compile(r"^[^\n|]{0,400}\|[^\n]{0,2000}$", re.MULTILINE)
#: Where another line of the game may begin on the same line; and where the words behind a correction may.
_BORDER = re.compile(
    r"(?<=[.!;])\s+(?=[A-Z\[])|(?<=\))\s+(?=[A-Z][\w' ]{0,40}:)"
    r"|(?<=[.!;])\s+(?=[^\W\d_A-Z][\w' -]{0,40}:\s?\d{1,6}\s?/\s?\d)"
    r"|\s?(?:[,|]|(?<=\s)-)\s(?=(?i:HP|EXP|allocation|drops|order)\s?:)"
)
_REMARK_BORDER = re.compile(rf"{_BORDER.pattern}|\s*(?:,|\s-|\()\s+(?=[A-Za-z'])|\s*\((?=[A-Za-z'])")
#: A longer line, or one of more sentences, is a tale.
_LONGEST_ROW, _MOST_SENTENCES = 600, 12
#: Words that may change what a line says, so that nothing with them is left aside.
CHANGES = (
    r"half|halv|doubl|tripl|twice|instead|reduc|armou?r|shield|block|resist|only|again|both|each|every|edit|sorry|oops"
)
#: Sentences behind the last number of a line: `... = 7. It falls over.`
_PROSE_BEHIND = re.compile(
    rf"(?<=[\w)\]])[.!]+\s+(?![^\n]*\b(?:{CHANGES}))[\"']?[^\W\d][^\d:\n]{{0,300}}$", re.IGNORECASE
)
#: None of them begin farther from the line's end.
_LONGEST_PROSE = 400
#: A move whose roll stands on the next line: `Rat 1 attacks: d6 1, allocation 1-3 = Mira` above `damage 1d6 = 3: ...`.
_ROLL_BELOW = re.compile(r"\n[ \t]*(?:damage|dmg|1?d6|rolled)\b", re.IGNORECASE)
_BROKEN = re.compile(
    r"^(?P<head>[^\n]{1,100}?(?:\battacks?\b[^\n:;,=]{0,60}|\b(?:spell|special|skill)\b[^\n:;=]{1,60}"
    r"|\b(?P<aim>alloc(?:ation)?)\b[^\n:;,]{1,60}))(?P<mark>[:;,]?)[ \t]*\n(?=[ \t]*(?:damage|dmg|1?d6|rolled)\b)",
    re.IGNORECASE | re.MULTILINE,
)
#: The tie of an entry in such a list: `Tobin (9) - tie 1d6 = 4, Tobin first`.
_TIE_BEHIND = r"[ \t]*[-;,(][ \t]*tie\b[^\n]{0,100}"
#: `Order:` above a list of fighters.
_LISTED_ORDER = re.compile(
    r"^[ \t]*(?:(?:battle|turn|attack)[ \t]+)?order[ \t]*:?(?:[ \t]*\n(?:[ \t]*(?:\d{1,2}[.)]|[-*]))?"
    rf"[ \t]*[A-Za-z][^\n:;,|/]{{0,79}}(?:{_TIE_BEHIND})?){{2,12}}$",
    re.IGNORECASE | re.MULTILINE,
)
#: `Allocation:` above a list of characters and their numbers.
_LISTED_SHARES = re.compile(
    r"^[ \t]*alloc(?:ations?)?(?:[ \t]+numbers?)?[ \t]*:?[ \t]*"
    r"(?:\n[ \t]*[-*]?[ \t]*[^\W\d][^\n:;,|/\d]{0,40}[:=]?[ \t]*\d(?:[ \t]*-[ \t]*\d)?[ \t]*){2,6}$",
    re.IGNORECASE | re.MULTILINE,
)
_LIST_NUMBER = re.compile(r"[ \t]*(?:\d{1,2}[.)]|[-*])?[ \t]*")
_SPEED_BEHIND = re.compile(r"\s*\(?\s*(?:(?:speed|spd)\s*[:=]?\s*)?\d{1,6}\s*\)?\s*[.]?$", re.IGNORECASE)
_TIE_AT_END = re.compile(rf"{_TIE_BEHIND}$", re.IGNORECASE)
_WORDS_ONLY = re.compile(r"[^\d:]{1,60}")


def plain_script(script: Script, names: Lexicon) -> Script:
    """The script with ornaments blanked out, table rows as lines of the game and dice without their brackets."""
    text = without_ornaments(script.text, names.signs)
    if "d6(" in text or ("[" in text and _DIE_OPENS.search(text) is not None):
        text = _BRACKETED_DIE.sub(_bare_die, text)
    if _GROUPED.search(text) is not None:
        text = _THOUSANDS.sub(_without_comma, text)
    if "rder:\n" in text:
        text = _LISTED_ORDER.sub(lambda found: _order_on_a_line(found.group(), names), text)
    if "llocation" in text and "\n" in text:
        text = _LISTED_SHARES.sub(_shares_on_a_line, text)
    if _ROLL_BELOW.search(text) is not None:
        text = _BROKEN.sub(lambda found: _on_one_line(found, names), text)
    if "|" in text:
        text = _ROW.sub(lambda found: _row(found.group(), names), text)
    return script if text == script.text else replace(script, text=text)


def _without_comma(met: re.Match[str]) -> str:
    product = met["product"] or ""
    return f"{product} {met.group()[len(product) :].replace(',', '').replace('.', '')}"


def _on_one_line(found: re.Match[str], names: Lexicon) -> str:
    """A move and the line below it with its roll, as far as a fighter is named."""
    head = found["head"]
    if not names.mentions(head, 0, len(head)):
        return found.group()
    return head + (found["mark"] or (";" if found["aim"] else ",")) + " " * (len(found.group()) - len(head) - 1)


def _shares_on_a_line(found: re.Match[str]) -> str:
    """A list of allocation numbers as one line: commas for breaks, blanks for the marks of the list."""
    head, first, *rows = (
        re.sub(r"^[ \t]*[-*]", lambda mark: " " * len(mark.group()), row) for row in found.group().split("\n")
    )
    return head + (" " if head.rstrip().endswith(":") else ":") + ",".join((first, *rows))


def _order_on_a_line(block: str, names: Lexicon) -> str:
    """A list below `Order:` as one line, as far as it names fighters; `block` where it names fewer than two.

    Their places stay what they were: blanks for numbers of the list, commas for breaks.
    """
    head, *rows = block.split("\n")
    joined = head if head.rstrip().endswith(":") else None
    found = 0
    for row in rows:
        begin = _LIST_NUMBER.match(row)
        margin = begin.end() if begin else 0
        entry = row[margin:].rstrip()
        who = _TIE_AT_END.sub("", entry)
        if joined is None or names.find(_SPEED_BEHIND.sub("", who)) is None:
            break
        joined += ("," if found else " ") + " " * margin + entry
        joined = joined.ljust(sum(len(line) + 1 for line in (head, *rows[: found + 1])) - 1)
        found += 1
    return "\n".join((joined, *rows[found:])) if joined is not None and found > 1 else block


def _row(row: str, names: Lexicon) -> str:
    """`| Mira | attack Rat 1 | 1d6 = 4 |` as `Mira : attack Rat 1 , 1d6 = 4`, `| Mira 37/40 | Tobin |` as a list."""
    inner = row.strip(" \t").strip("|")
    start = row.index(inner) if inner else 0
    first, bar, rest = inner.partition("|")
    if not bar:
        return " " * start + inner + " " * (len(row) - start - len(inner))
    headed = _WORDS_ONLY.fullmatch(first) is not None or names.find(first.strip()) is not None
    cells = first + (":" if headed else ",") + rest.replace("|", ",")
    return " " * start + cells + " " * (len(row) - start - len(cells))


def _bare_die(found: re.Match[str]) -> str:
    gap = found["gap"]
    return gap + (" " if gap.strip() else "=") + found["die"] + " "


def sentences_of(line: LineText, *, remarks: bool) -> Iterator[LineText]:
    """The sentences of a line of several; nothing where it is one alone, or too long for lines of the game.

    `remarks`: what stands behind a comma, dash or bracket is a sentence of its own.
    """
    if line.end - line.start > _LONGEST_ROW:
        return
    borders = [
        found.span() for found in (_REMARK_BORDER if remarks else _BORDER).finditer(line.text, line.start, line.end)
    ]
    if not 0 < len(borders) < _MOST_SENTENCES:
        return
    starts = [line.start, *(end for _, end in borders)]
    ends = [*(start for start, _ in borders), line.end]
    for start, end in zip(starts, ends, strict=True):
        stop = end - (line.text[start:end].endswith(";"))  # It belongs to no sentence, as a full stop may.
        if start < stop:
            yield line.part(start, stop)


def without_prose_behind(line: LineText) -> LineText | None:
    """The line in front of the sentences that end it without a number or colon; None where there are none."""
    met = _PROSE_BEHIND.search(line.text, max(line.start, line.end - _LONGEST_PROSE), line.end)
    return None if met is None else line.part(line.start, met.start())
