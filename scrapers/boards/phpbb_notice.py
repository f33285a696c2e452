"""phpBB's edit notices, in whatever language: a date, a name, and in a clause of its own how often the post was edited.

Languages differ in their words, in the order of these parts and in the word for `times`. A notice of a bumped topic
is built the same way, but counts nothing: without a count or a reason there is no edit.
"""

from __future__ import annotations

from typing import NamedTuple

from selectolax.lexbor import LexborNode

from referee.model.battle import Edit
from scrapers.boards.pages import without, words
from scrapers.patterns import Pattern
from scrapers.times.dates import read_date
from scrapers.times.moments import Times
from scrapers.times.notices import edit_notice, edited_at

#: Stands for the editor's name in the words around it.
_NAME = "\x01"
_CLAUSE_END = Pattern(r"[,;.、，；。\]](?=\s|\D|$)")
_INTEGER = Pattern(r"\d+")
_MOST_EDITS = 1900
_ENDS = " \t\xa0.。;,、，"


class _Told(NamedTuple):
    """Words without the clause that counts the edits, and that number."""

    words: str
    edits: int | None


def read_notice(notice: LexborNode, reason_at: str, times: Times) -> Edit | None:
    """The edit that a notice tells of, None for one of another kind. `reason_at`: selector of the reason's element."""
    reason = words(notice.css_first(reason_at)) or _labelled(notice)
    without(notice, f"{reason_at}, strong")
    link = notice.css_first("a, .username, .username-coloured")
    by = words(link) or None
    if link is not None:
        link.replace_with(_NAME)
    text = words(notice)
    text = text.removesuffix(reason) if reason else text
    before, _, after = text.partition(_NAME) if by else ("", "", text)
    behind, front = _counted(after), _first_counted(before)
    count = behind.edits or front.edits
    if not (count or reason):
        return None
    if by is None:
        edit = edit_notice(behind.words, times, None, reason)
        return Edit(at=edit.at, by=edit.by, count=count or edit.count, reason=reason) if edit else None
    at = edited_at(behind.words, times) or edited_at(front.words, times)
    return Edit(at=at, by=by, count=count, reason=reason)


def _labelled(notice: LexborNode) -> str | None:
    """The reason that stands bare behind its label: `<strong>Reason:</strong> typo`."""
    label = words(notice.css_first("strong"))
    return words(notice).partition(label)[2].strip() or None if label.endswith(":") else None


def _counted(text: str) -> _Told:
    """Words behind the name: the last clause may count the edits."""
    text = text.rstrip(_ENDS)
    ends = [match.start() for match in _CLAUSE_END.finditer(text)]
    for end in reversed(ends[-3:]):
        count = _count_in(text[end + 1 :])
        if count is not None:
            return _Told(text[:end], count)
    count = _count_in(text)
    return _Told("", count) if count is not None else _Told(text, None)


def _first_counted(text: str) -> _Told:
    """Words in front of the name: the whole of them, or the first clause, may count the edits."""
    for end in [match.start() for match in _CLAUSE_END.finditer(text)][:2]:
        count = _count_in(text[:end])
        if count is not None:
            return _Told(text[end + 1 :], count)
    count = _count_in(text)
    return _Told("", count) if count is not None else _Told(text, None)


def _count_in(clause: str) -> int | None:
    """The one number in a clause of words, None where there is another or where it is a date's."""
    numbers = _INTEGER.findall(clause)
    if len(numbers) != 1 or len(numbers[0]) > 4 or int(numbers[0]) >= _MOST_EDITS:
        return None
    says = any(sign.isalpha() for sign in clause)
    return int(numbers[0]) if says and read_date(clause) is None else None
