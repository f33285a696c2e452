"""A hit roll for each target in one tag: `[Action: Arc Wave -> Golem 1: 1d20 ... 4; Golem 2: 1d20 ... miss]` (A10)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from referee.model.text import Script
from rules.d20_arena.reading.heads import Head
from rules.d20_arena.reading.record import record_of
from rules.d20_arena.reading.tail import Tail, tail_of
from rules.d20_arena.records import CRITICAL, HIT, Strike
from rules.d20_arena.words import Lexicon

_PARTED = re.compile(
    r"[ \t]*+(?:[;|/,]|\band\b)[ \t]*+(?:(?:and|also|then)\b[ \t]*+)?"
    r"(?:(?P<aimed>[^\[\]():;/\d]{0,40}?)(?:->|=>|\u2192)[ \t]*+|(?:vs\.?|on|against)[ \t]++)?",
    re.IGNORECASE,
)
_ROLL = re.compile(r"(?:[ \t]*+[:,-][ \t]*+|[ \t]++)(?=1?d20\b)", re.IGNORECASE)
_D20 = re.compile(r"1?d20\b", re.IGNORECASE)
#: No tag holds more hit rolls.
_MOST = 12
#: So far before its roll the target is named.
_NEAR = 140

Span = tuple[int, int]


class Cut(NamedTuple):
    """Where a further hit roll begins in a tag: the sign before it, its target (None: the next one named), its die."""

    start: int
    target: str | None
    place: int


def each_target(
    script: Script, text: str, head: Head, span: Span, end: int, names: Lexicon
) -> list[tuple[Span, Strike, Tail | None]]:
    """The attacks of one tag, with what each has behind it; nothing where it is no such row.

    Damage belongs to its own roll: where it is written behind all of them, whose it is can't be told.
    """
    cuts = list(_cuts(text, head.place, end, names))
    if not cuts:
        return []
    heads = [head, *[Head("to hit", None, cut.place) for cut in cuts]]
    stops = [*[cut.start for cut in cuts], end]
    starts = [span[0], *[cut.start for cut in cuts]]
    read: list[tuple[Span, Strike, Tail | None]] = []
    for one, start, stop in zip(heads, starts, stops, strict=True):
        tail = tail_of(text, one.place, stop, names)
        strike = record_of(script, text, one, start, tail.end if tail else stop, names)
        if not isinstance(strike, Strike):
            return []
        read.append(((start, stop if stop < end else span[1]), strike, tail))
    return _aimed(read, cuts) if _own_effects([strike for _, strike, _ in read]) else []


def _cuts(text: str, place: int, end: int, names: Lexicon) -> Iterator[Cut]:
    """Further hit rolls behind the first one, with the target in front of each."""
    rolls = [found.start() for found in _D20.finditer(text, place, end)]
    for before, roll in pairwise(rolls[: _MOST + 1]):
        cut = _cut(text, max(before, roll - _NEAR), roll, names)
        if cut is not None:
            yield cut


def _cut(text: str, since: int, roll: int, names: Lexicon) -> Cut | None:
    """The last sign before a roll behind which nothing but an ability and a target stand."""
    unnamed = None
    for parted in reversed(list(_PARTED.finditer(text, since, roll))):
        if parted["aimed"] and names.abilities.find(parted["aimed"].strip()) is None:
            continue
        if parted.end() == roll and not parted["aimed"]:
            unnamed = Cut(parted.start(), None, roll)
        aimed = names.targets(text, parted.end(), roll)
        targets = names.named(aimed[0]) if aimed else None
        gap = _ROLL.match(text, aimed[1]) if aimed else None
        if targets is not None and len(targets) == 1 and gap is not None and gap.end() == roll:
            return Cut(parted.start(), targets[0], roll)
    return unnamed


def _own_effects(strikes: list[Strike]) -> bool:
    """Whether just those attacks that hit have damage or levels, or none has."""
    hits = [strike.outcome in (HIT, CRITICAL) for strike in strikes]
    effects = [strike.damage is not None or strike.levels is not None for strike in strikes]
    return effects == hits or not any(effects)


def _aimed(read: list[tuple[Span, Strike, Tail | None]], cuts: list[Cut]) -> list[tuple[Span, Strike, Tail | None]]:
    """The attacks with ability and actor of the first one, and each with its own target."""
    first = read[0][1]
    if all(cut.target is None for cut in cuts) and len(first.targets) == len(read):
        targets = list(first.targets)
    elif len(first.targets) == 1 and all(cut.target is not None for cut in cuts):
        targets = [first.targets[0], *[cut.target or "" for cut in cuts]]
    else:
        return []
    return [
        (span, strike._replace(actor=first.actor, ability=first.ability, free=first.free, targets=(target,)), tail)
        for (span, strike, tail), target in zip(read, targets, strict=True)
    ]


__all__ = ["each_target"]
