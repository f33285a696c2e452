"""Reading dice sums: `1d20 (13) + 4 = 17`, `2d6 [3, 5] + 3 + crit 1d6 [4] = 15`, with their links (ND2, G8)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from referee.model.claims import WrittenRoll
from referee.model.text import Anchor, Script
from rules.d20_arena.records import Group, Sum, Throw

_BLANK = re.compile(r"[ \t]*+")
#: A group of dice, with the values that may be shown behind it.
_GROUP = (
    r"(?:(?P<crit>crit(?:ical)?)[ \t]*+:?[ \t]*+)?(?P<count>\d{0,3})d(?P<sides>\d{1,4})(?![\w])"
    r"(?:[ \t]*+[(\[][ \t]*+(?P<shown>\d{1,6}(?:[ \t]*+[,+][ \t]*+\d{1,6}){0,99})[ \t]*+[)\]])?"
)
_FIRST = re.compile(_GROUP, re.IGNORECASE)
#: What is added to it: another group, or a flat number (with its reason in brackets).
_FURTHER = re.compile(
    rf"[ \t]*+(?:\+[ \t]*+{_GROUP}|(?P<sign>[+-])[ \t]*+(?P<number>\d{{1,9}})(?![\dd])"
    r"(?:[ \t]*+\([A-Za-z][A-Za-z '.-]{0,40}\))?)",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_TOTAL = re.compile(r"[ \t]*+=[ \t]*+(-?[ \t]?\d{1,9})(?!\d)")
#: `= ?`: a result that is still open.
_OPEN_RESULT = re.compile(r"[ \t]*+=[ \t]*+(?:\?|\.\.\.)")
_COMMA = re.compile(r"[ \t]*+[,|/][ \t]*+")

#: More groups than this in one sum are hostile.
_MOST_GROUPS = 12


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


@dataclass(slots=True)
class _Open:
    """A sum while it is read."""

    groups: list[Group] = field(default_factory=list)
    bonuses: list[int] = field(default_factory=list)
    anchors: list[tuple[Anchor, ...]] = field(default_factory=list)


def read_sum(text: str, place: int, end: int, links: Links) -> tuple[Sum, int] | None:
    """The sum that begins at `place`, and the place behind it and its links.

    None where there is none, or where its result is left open (`1d20 = ?`, G19).
    """
    found = _FIRST.match(text, place, end)
    if found is None:
        return None
    open_ = _Open()
    place = _group(found, links, open_)
    while len(open_.groups) < _MOST_GROUPS:
        found = _FURTHER.match(text, place, end)
        if found is None:
            break
        number = found["number"]
        if number is None:
            place = _group(found, links, open_)
            continue
        if len(open_.bonuses) >= _MOST_GROUPS:
            break
        open_.bonuses.append(-int(number) if found["sign"] == "-" else int(number))
        place = found.end()
    return _finish(text, place, end, links, open_)


def _group(found: re.Match[str], links: Links, open_: _Open) -> int:
    """One group of dice with the values shown behind it and their links; the place behind it."""
    place = found.end()
    crit, count, sides, shown = found.group("crit", "count", "sides", "shown")
    values: tuple[int, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    if shown is not None:
        values = tuple(map(int, _DIGITS.findall(shown)))
    if links:
        if shown is not None:
            anchors = links.inside(found.start("shown"), found.end("shown") + 1)
        after, behind = links.behind(place)
        if after:
            anchors += after
            place = behind
            if not values:
                values = tuple(value for anchor in after for value in anchor.values)
    open_.groups.append(Group(int(count or 1), int(sides), values, crit is not None))
    open_.anchors.append(anchors)
    return place


def _finish(text: str, place: int, end: int, links: Links, open_: _Open) -> tuple[Sum, int] | None:
    total = _TOTAL.match(text, place, end)
    if total is None and _OPEN_RESULT.match(text, place, end):
        return None
    value = None
    trailing: tuple[Anchor, ...] = ()
    if total is not None:
        value = int(total.group(1).replace(" ", ""))
        place = total.end()
        if links:
            trailing = links.inside(total.start(1), total.end(1))
            after, place = links.behind(place)
            trailing += after
    return Sum(tuple(open_.groups), tuple(open_.bonuses), value, _throws(open_, trailing)), place


def _throws(open_: _Open, trailing: tuple[Anchor, ...]) -> tuple[Throw, ...]:
    """Which links prove which dice: those at a group its own, those behind the sum the rest in order."""
    if len(open_.groups) == 1:
        return (_throw(open_.groups, (0,), open_.anchors[0] or trailing),)
    bare = [index for index, anchors in enumerate(open_.anchors) if not anchors]
    throws = [_throw(open_.groups, (i,), anchors) for i, anchors in enumerate(open_.anchors) if anchors]
    dealt = _deal([open_.groups[i] for i in bare], trailing)
    if dealt is None:
        throws.append(_throw(open_.groups, tuple(bare), trailing))
    else:
        throws += [_throw(open_.groups, (i,), anchors) for i, anchors in zip(bare, dealt, strict=True)]
    return tuple(sorted(throws, key=lambda throw: throw.groups))


def _deal(groups: list[Group], anchors: tuple[Anchor, ...]) -> list[tuple[Anchor, ...]] | None:
    """One link a group, or one a die; None where the links can't be told apart."""
    if not groups or not anchors:
        return [()] * len(groups)
    if len(anchors) == len(groups):
        return [(anchor,) for anchor in anchors]
    if len(anchors) == sum(group.number for group in groups):
        dealt, place = [], 0
        for group in groups:
            dealt.append(anchors[place : place + group.number])
            place += group.number
        return dealt
    return None if len(groups) > 1 else [anchors]


def _throw(every: list[Group], indexes: tuple[int, ...], anchors: tuple[Anchor, ...]) -> Throw:
    """The throw of some of the groups."""
    if len(indexes) == 1:
        group = every[indexes[0]]
        expression = group.expression
        return Throw(WrittenRoll(group.values, anchors, expression), indexes, (expression,))
    groups = [every[i] for i in indexes]
    known = all(group.values for group in groups)
    values = tuple(value for group in groups for value in group.values) if known else ()
    expressions = tuple(group.expression for group in groups)
    return Throw(WrittenRoll(values, anchors, "+".join(expressions)), indexes, expressions)
