"""The links and in-post rolls of a tag or line, handed out in order of place (G7, G8)."""

from __future__ import annotations

import re
from bisect import bisect_left

from referee.model.text import Anchor, Script

_BLANK = re.compile(r"[ \t]*+")
#: So far behind a place an added roll begins at most: `+ critical: `.
_NEAR = 24
_COMMA = re.compile(r"[ \t]*+[,|/][ \t]*+")


def with_rolls_as_sums(script: Script) -> Script:
    """The script with `+` between an in-post roll's values, `[roll=2d6]3, 5[/roll]`: they are one number."""
    several = [anchor for anchor in script.anchors if len(anchor.values) > 1] if script.anchors else ()
    if not several:
        return script
    pieces, place = [], 0
    for anchor in several:
        if anchor.start >= place:
            pieces += [script.text[place : anchor.start], script.text[anchor.start : anchor.end].replace(",", "+")]
            place = anchor.end
    return Script("".join((*pieces, script.text[place:])), script.shown, script.anchors, script.spoilers)


def rolls_of(script: Script) -> tuple[int, ...]:
    """The places of the in-post rolls of a script, in order."""
    return tuple([anchor.start for anchor in script.anchors if anchor.dice]) if script.anchors else ()


def rolled_within(rolls: tuple[int, ...], start: int, end: int) -> bool:
    """Whether an in-post roll stands between two places; a post may be full of them."""
    return bool(rolls) and bisect_left(rolls, start) < bisect_left(rolls, end)


class Links:
    """The links and in-post rolls of a script, handed out in order of place."""

    def __init__(self, script: Script, start: int, end: int) -> None:
        """The anchors between two places."""
        self._text = script.text
        self._anchors = script.anchors_in(start, end) if script.anchors else ()
        self._next = 0
        self._end = end

    def __bool__(self) -> bool:
        """Whether any are left."""
        return self._next < len(self._anchors)

    def rolled_near(self, place: int) -> bool:
        """Whether the next anchor may be an in-post roll that is added right behind a place."""
        if self._next >= len(self._anchors):
            return False
        anchor = self._anchors[self._next]
        return anchor.dice is not None and anchor.start - place < _NEAR

    def rolled_at(self, place: int) -> Anchor | None:
        """The in-post roll of the board that stands at a place, taken: it is written as its values only."""
        while self._next < len(self._anchors) and self._anchors[self._next].start < place:
            self._next += 1
        anchor = self._anchors[self._next] if self else None
        if anchor is None or anchor.start != place or not anchor.dice or not (anchor.values or anchor.total):
            return None
        self._next += 1
        return anchor

    def inside(self, start: int, end: int) -> tuple[Anchor, ...]:
        """The anchors within a bracket, taken."""
        found = []
        while self._next < len(self._anchors) and self._anchors[self._next].start < end:
            anchor = self._anchors[self._next]
            if anchor.start >= start:
                found.append(anchor)
            self._next += 1
        return tuple(found)

    def behind(self, place: int) -> tuple[tuple[Anchor, ...], int]:
        """The anchors that stand right behind `place`, in brackets or not, and the place after them."""
        found: list[Anchor] = []
        while self._next < len(self._anchors):
            anchor = self._anchors[self._next]
            if anchor.start < place:
                self._next += 1
                continue
            after = self._after(anchor, place, bool(found))
            if after is None:
                break
            found.append(anchor)
            self._next += 1
            place = after
        return tuple(found), place

    def _after(self, anchor: Anchor, place: int, further: bool) -> int | None:
        """The place behind `anchor` if nothing but blanks, a bracket or a comma stands before it."""
        here = _skip(self._text, place)
        if place <= anchor.start <= here:
            return max(place, anchor.end)
        if self._text[here : here + 1] in ("(", "[") and anchor.start == _skip(self._text, here + 1):
            close = _skip(self._text, anchor.end)
            if self._text[close : close + 1] in (")", "]"):
                return close + 1
        if further:
            comma = _COMMA.match(self._text, place)
            if comma and anchor.start == comma.end() and anchor.end <= self._end:
                return anchor.end
        return None


def _skip(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place
