"""Ornaments in posts: pictures, drawn bars, mentions and numbers of lists, blanked out for a ruleset's reader.

Every sign is replaced by as many others, so places stay what they were; claims are quoted as they were posted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set

from referee.model.glyphs import foreign

#: Signs that stand for others; every other picture or block is a blank.
_LIKE = {"\u27a1": "\u2192", "\u25b6": "\u2192", "\u25ba": "\u2192", "\u2502": "|", "\u2503": "|", "\u2551": "|"}
#: Categories of signs without meaning here: pictures, modifiers of them, marks that join them.
_ORNAMENTS = frozenset(("So", "Sk", "Cf"))
_VARIANTS = frozenset("\ufe0e\ufe0f\u20e3")
_KEPT = frozenset("\u2192")
#: `[||||||----]`, `||||||`, `[####....]`: how much is left, drawn.
_BAR = re.compile(r"\[(?=[^\]\n]{0,60}[|=#*+])[|=#*+~.:_>o -]{3,60}\]|\|{3,60}[.:_-]{0,60}|#{3,60}[.:_-]{1,60}")
_BAR_BEGINS = re.compile(r"\[[ ]?[=*+]")
#: `@Mira`, and an entry's number as lists by hand have it: `#1: Mira ...`, `(2) Tobin ...`.
_MENTION = re.compile(r"(?<![\w@.])@(?=\w)")
_NUMBERED = re.compile(r"^[ \t]*(?:#\d{1,2}[.:)]?|\(\d{1,2}\))(?=[ \t]+\S)", re.MULTILINE)
#: What long ornaments leave behind, and the longest of them in a line that is read; so many such lines are.
_LONG, _LONGEST, _MOST_ADORNED = " " * 16, " " * 70, 16


class Adornment:
    """Counts the lines of a post that hold long ornaments, and says which of them are too many or too long to read.

    Ornaments have become blanks, and patterns with several places for blanks try every way to share them out.
    """

    def __init__(self) -> None:
        self._met = 0

    def too_much(self, line: str) -> bool:
        """Whether a line, in the order of the post, is only to be named."""
        if _LONG not in line:
            return False
        self._met += 1
        return self._met > _MOST_ADORNED or _LONGEST in line


def without_ornaments(text: str, signs: Set[str]) -> str:
    """The text with its ornaments as blanks; its length stays. `signs`: those that names of the battle hold."""
    if not text.isascii():
        text = _without_pictures(text, signs)
    if "|" in text or "#" in text or ("[" in text and _BAR_BEGINS.search(text) is not None):
        text = _BAR.sub(blank, text)
    if "@" in text:
        text = _MENTION.sub(" ", text)
    if "#" in text or "\n(" in text or text[:1] == "(":
        text = _NUMBERED.sub(blank, text)
    return text


def _without_pictures(text: str, signs: Set[str]) -> str:
    odd = set(foreign(text)) - _KEPT
    for sign in odd - signs if odd else ():
        if sign in _LIKE:
            text = text.replace(sign, _LIKE[sign])
        elif sign in _VARIANTS or unicodedata.category(sign) in _ORNAMENTS:
            text = text.replace(sign, " ")
    return text


def blank(found: re.Match[str]) -> str:
    """As many blanks as a match is long."""
    return " " * len(found.group())
