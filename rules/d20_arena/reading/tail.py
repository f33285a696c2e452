"""HP at the end of a tag: `...; damage 2d6+3 = 11; Golem 1: 10/20 HP]`, `... = 11 (9/20 HP)]`, `... => 9/20]`."""

from __future__ import annotations

import re
from typing import NamedTuple

from rules.d20_arena.reading.lines import hit_points
from rules.d20_arena.records import HitPoints
from rules.d20_arena.words import Lexicon

#: What may part the HP from the rest of their tag.
_SIGNS = (";", ",", "(", "[", "|", ". ", "- ", "! ")
#: Without a name: `=> 14/20`, `(14/20 HP)`, `; 14/20 HP left`, `, leaving 14/20 HP`.
_LEFT = re.compile(
    r"(?:[;,(\[|.!][ ]?|=>[ ]?|->[ ]?|\u2192[ ]?|-[ ])(?:(?:and|leav(?:es|ing)|now|at|with|down|to|has)[ ]){0,3}"
    r"(\d{1,9})[ ]?/[ ]?(\d{1,9})(?P<word>[ ]?HP)?(?:[ ](?:left|now|remaining))?[ .!)\]]{0,3}\Z",
    re.IGNORECASE,
)
#: So far before a tag's end HP without a name may begin.
_MOST_LEFT = 60


class Tail(NamedTuple):
    """HP statements, the place where they begin, and the end of what stands before them."""

    end: int
    start: int
    stated: tuple[HitPoints, ...]


def tail_of(text: str, place: int, end: int, names: Lexicon) -> Tail | None:
    """The HP with which the inside of a tag ends; None where it ends with anything else."""
    if text.find("/", place, end) < 0:
        return None
    for sign in _SIGNS:
        cut = text.rfind(sign, place, end)
        start = cut + len(sign)
        stated = hit_points(text[start:end].strip(" )]"), names) if cut >= 0 else ()
        if stated:
            return Tail(cut, start, stated)
    left = _LEFT.search(text, max(place, end - _MOST_LEFT), end)
    if left is None:
        return None
    return Tail(left.start(), left.start(), (HitPoints(None, int(left[1]), int(left[2]), None, left["word"] is None),))


def whose(stated: HitPoints, concerned: tuple[str, ...], own: tuple[str, ...], names: Lexicon) -> HitPoints | None:
    """HP without a name are the target's or the author's own, told apart by their maximum; None if they can't be.

    `concerned`: whom the tag names besides its author; `own`: the author's fighters.
    """
    if stated.name is not None or (not concerned and not stated.bare):
        return stated
    fitting = [name for name in dict.fromkeys((*concerned, *own)) if names.most.get(name, stated.most) == stated.most]
    if len(fitting) != 1:
        return None
    return stated._replace(name=None if own == (fitting[0],) else fitting[0])


__all__ = ["Tail", "tail_of", "whose"]
