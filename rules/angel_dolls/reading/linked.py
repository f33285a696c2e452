"""The words of links that stand behind a roll: `15 [url=...]d50[/url] = 51`, `15 [url=...]#101[/url] = 51` (G8).

The engine drops the words that mean a roll everywhere (`roll`, `proof`); behind a number and in front of a total no
others can mean anything else. Places stay what they were: the words are blanked out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from referee.model.text import Anchor, Script
from rules.angel_dolls.statements import STAT_WORDS

#: Longer words are no mark of a link.
_LONGEST = 30
#: A total follows.
_TOTAL_FOLLOWS = re.compile(r" {0,3}[)\]]? {0,3}=")
#: Signs of a sum or of a reason in brackets: such words are part of the check.
_OF_THE_CHECK = re.compile(r"[=+(]|->|\u2192")
#: The die again, or the number of a note.
_A_DIE = re.compile(r"(?:1?d\d{1,3}\s?[=:(]?\s?)?\d{0,3}\)?", re.IGNORECASE)
#: A term of a sum right in front, within so many signs.
_NEAR = 12
_BARE_NUMBER = re.compile(r"[+-] {0,3}\d{1,3} {1,3}$")
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
#: So far back the number is looked for.
_BACK = 4


def without_link_words(script: Script) -> Script:
    """The script without the words of such links; the links themselves stand right behind the number."""
    places = [place for place, anchor in enumerate(script.anchors) if _only_marks_a_link(script.text, anchor)]
    if not places:
        return script
    text, anchors = script.text, list(script.anchors)
    for place in places:
        anchor = anchors[place]
        text = text[: anchor.start] + " " * (anchor.end - anchor.start) + text[anchor.end :]
        anchors[place] = replace(anchor, end=anchor.start)
    return replace(script, text=text, anchors=tuple(anchors))


def stands_behind_number(text: str, anchor: Anchor) -> bool:
    """Whether a link's words stand right behind a number."""
    return text[max(0, anchor.start - _BACK) : anchor.start].rstrip(" ([")[-1:].isdecimal()


def in_a_sum(text: str, anchor: Anchor) -> bool:
    """Whether a link stands between a number and a total: whatever its words, they are about a roll."""
    return stands_behind_number(text, anchor) and _TOTAL_FOLLOWS.match(text, anchor.end) is not None


def _only_marks_a_link(text: str, anchor: Anchor) -> bool:
    start, end = anchor.start, anchor.end
    if not 0 < end - start <= _LONGEST or anchor.dice is not None:
        return False
    words = text[start:end]
    if _A_DIE.fullmatch(words):
        # `15 [2] = 51`: a number is that of a note, unless it is the roll behind its die or stat: `+ d50 [15] = 51`.
        note = not words.isdecimal() or _BARE_NUMBER.search(text[max(0, start - _NEAR) : start]) is not None
        return note and in_a_sum(text, anchor)
    return in_a_sum(text, anchor) and _OF_THE_CHECK.search(words) is None and not _names_a_stat(_WORD.findall(words))


def _names_a_stat(words: Sequence[str]) -> bool:
    return any([word.casefold() in STAT_WORDS for word in words])
