"""The words of roll links that stand behind the rolls of a tag: `rolled 70, 17 [1] [2]` (G8).

A link around a number proves that number; a link right behind one, with whatever words, proves it too and says
nothing: `rolled 70 (proof), 17 (#2)`. Words that everybody uses for it (`roll`, `link`) are gone before this.
"""

from __future__ import annotations

import re

from referee.model.text import Anchor, Script
from referee.ports.reading import Tag

#: What stands directly before such words: a roll or its outcome. A comma, `and` or `rolled` means a number to come.
_BEHIND = re.compile(r"(?:\d\)?|dodged?|dodges|block(?:ed|s)?|hits?|crit(?:ical)?|miss(?:ed|es)?)[\s)(\[]*$", re.I)
_OUTCOME = re.compile(r"\W*(?:dodge[ds]?|block(?:ed|s)?|hits?|crit(?:ical)?(?:\s+hit)?|miss(?:ed|es)?)\W*", re.I)
_ROLLED = re.compile(r"\broll(?:ed|s)?\b|\bdodge\b|\bneeds?\b", re.I)
#: What may stand between the words of two links.
_BETWEEN = re.compile(r"[\s,;/|)(\]\[]*(?:and\s*)?")
_NEAR = 24
#: Brackets and commas that the words leave behind.
_EMPTY = re.compile(r"[(\[][ ,;/|]{0,40}[)\]]|,(?=[ ,]{0,40}$)")


def without_labels(script: Script, tag: Tag) -> str:
    """The inner text of a tag with the words of its roll links blanked, where they stand behind the rolls."""
    inner, first = tag.inner, tag.inner_start
    if not _ROLLED.search(inner):
        return inner
    links = [a for a in script.anchors_in(tag.start, tag.end) if a.url and a.start < a.end]
    if not links:
        return inner
    place = first
    behind = False
    labels: list[Anchor] = []
    for link in links:
        words = script.text[link.start : link.end]
        gap = script.text[place : link.start]
        near = script.text[max(first, link.start - _NEAR) : link.start]
        behind = (behind and _BETWEEN.fullmatch(gap) is not None) or _BEHIND.search(near) is not None
        if not behind or _OUTCOME.fullmatch(words):
            return inner
        labels.append(link)
        place = link.end
    for link in labels:
        start, end = link.start - first, link.end - first
        inner = f"{inner[:start]}{' ' * (end - start)}{inner[end:]}"
    return _EMPTY.sub(lambda found: " " * len(found[0]), inner)
