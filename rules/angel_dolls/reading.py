"""Reads one revision of a post into claims; puts in-time corrections where they belong (X24). Pure."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from referee.model.claims import Claim, Reading, Unread, Value
from referee.model.text import Anchor, Script
from referee.ports.reading import Line, lines, tags
from referee.ports.rules import Sheets
from rules.angel_dolls import reading_lines as spoken
from rules.angel_dolls.lexicon import Lexicon, lexicon_of
from rules.angel_dolls.reading_checks import Links, read_check
from rules.angel_dolls.reading_lines import Said
from rules.angel_dolls.reading_near import LONGEST_TOLD, REASONS, TELLING, near_kind, of_another_system
from rules.angel_dolls.reading_sheet import read_sheet_blocks
from rules.angel_dolls.reading_states import read_change, read_full, read_together
from rules.angel_dolls.reading_values import (
    Worded,
    check_values,
    heading_values,
    pool_values,
    worded_values,
)
from rules.angel_dolls.statements import (
    Change,
    Check,
    Heading,
    Notes,
    PoolLine,
    Side,
)

_START = attrgetter("start")

_NO_SLIPS: Mapping[int, Claim] = {}
#: A longer line is no line of this system.
LONGEST_LINE = 1500

_CORRECTION = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:[ \t]*", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[\[(]?\s*([a-z]+)\b", re.IGNORECASE)
_TAG_LIKE = re.compile(
    r"\s*(?:attack|to hit|hit|(?:weapon )?damage|disarm|disable|shattering|entangle|strangle|break|chain|"
    r"control test|full defen[cs]e|simultaneous|trainer points?|winner|hp|action|dodge|block|struggle|trap|"
    r"run|potion|teleport|announce|move|setup|guards?|used|\d{1,3}% to hit)\b(?:\s*[:(,\d?-]|\s*$|\s+\S)",
    re.IGNORECASE,
)
_TAG_OPEN = re.compile(rf"\[{_TAG_LIKE.pattern}", re.IGNORECASE)


class _Place(NamedTuple):
    """A line with what its reader needs; `begin`: where its text begins in the script (a bracket cut off)."""

    script: Script
    line: Line
    said: Said
    begin: int


_Reader = Callable[[_Place], list[Claim]]


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """All claims of one revision, in order of place, and the tags that could not be read."""
    words = lexicon_of(sheets)
    claims: list[Claim] = []
    unread: list[Unread] = []
    opened = _CORRECTION.match(script.text)
    judges = not sheets.judges or author.casefold() in sheets.judges
    for line in lines(script):
        corrects = opened is not None and line.start < opened.end() <= line.end
        if opened and corrects:
            line = Line(opened.end(), line.end, script.text[opened.end() : line.end])
        if 0 < len(line.text) <= LONGEST_LINE:
            found = _read_line(script, line, words, corrects, judges)
            claims += found.claims
            if found.near:
                unread.append(Unread(script.quote(line.start, line.end), (line.start, line.end), REASONS[found.near]))
    claims = _told_once(claims)
    if not judges:
        # What the judge alone decides is prose in anybody else's post.
        claims = [claim for claim in claims if not (isinstance(claim.data, Change) or _is_worded(claim))]
    if script.anchors:
        claims = [_with_next_line(script, claim) if isinstance(claim.data, Check) else claim for claim in claims]
    if author.casefold() not in sheets.judges:
        blocks = read_sheet_blocks(script)
        claims = sorted([*claims, *blocks], key=lambda claim: claim.span) if blocks else claims
    unread += _unread_tags(script, claims, unread, words)
    return Reading(tuple(claims), tuple(sorted(unread, key=lambda u: u.span)), Notes(_NO_SLIPS, script))


class _Found(NamedTuple):
    """What a line gave: its claims, or what it may be about although no reader took it (`near_kind`)."""

    claims: Sequence[Claim] = ()
    near: str | None = None


_NOTHING = _Found()


def _read_line(script: Script, line: Line, words: Lexicon, corrects: bool, judges: bool) -> _Found:
    """What one line gives.

    Only lines that begin with a word of the system or the name of a doll or thing are read, and the line that
    a correction begins with (`corrects`). Where the author `judges`, what else looks like a line of the system
    is told from prose.
    """
    met = _FIRST_WORD.match(line.text)
    word = met[1].casefold() if met else ""
    readers = _OF_WORDS.get(word, ())
    may_name = not word or word in words.firsts or line.text[0] in words.firsts
    if not (readers or may_name or corrects):
        return _told(line, words) if judges else _NOTHING
    text, begin = line.text, line.start
    if text[0] in "[(" and text[-1] in "])" and not text.lower().startswith("[attack"):
        text, begin = text[1:-1], begin + 1
    said = Said(text, words, words.named(text) if may_name else None)
    named = said.who is not None or (may_name and words.begins_with_thing(text))
    if corrects or (readers and named):
        readers = _EVERY
    elif named:
        readers = _OF_NAMES
    place = _Place(script, line, said, begin)
    for reader in readers:
        found = reader(place)
        if found:
            return _Found(found)
    if not judges:
        return _NOTHING
    return _Found(near=near_kind(text, words, said.who)) if readers else _told(line, words)


def _told(line: Line, words: Lexicon) -> _Found:
    """What a line of prose may be about."""
    folded = line.text.casefold() if len(line.text) <= LONGEST_TOLD else ""
    if not any([sign in folded for sign in TELLING]):
        return _NOTHING
    return _Found(near=near_kind(line.text, words, None))


def _told_once(claims: list[Claim]) -> list[Claim]:
    """The claims without sentences that only tell an attack: no check follows, or a heading of it is beside them."""
    if not any([_is_worded(claim) for claim in claims]):
        return claims
    acts = [claim for claim in claims if isinstance(claim.data, Heading | Check)]
    told = {id(claim) for pair in pairwise(acts) if _same_attack(*pair) for claim in pair if _is_worded(claim)}
    told |= {id(one) for one, other in pairwise(acts) if _is_worded(one) and not isinstance(other.data, Check)}
    told |= {id(claim) for claim in acts[-1:] if _is_worded(claim)}
    return [claim for claim in claims if id(claim) not in told]


def _is_worded(claim: Claim) -> bool:
    return isinstance(claim.data, Heading) and claim.data.worded


def _same_attack(one: Claim, other: Claim) -> bool:
    first, second = one.data, other.data
    if not isinstance(first, Heading) or not isinstance(second, Heading):
        return False
    return (first.attacker, first.defender) == (second.attacker, second.defender)


# -- what the readers find, as claims --------------------------------------------------------------


def _heading(place: _Place) -> list[Claim]:
    heading = spoken.read_heading(place.said)
    return [_claim(place, "attack", heading, heading_values(heading))] if heading else []


def _check(place: _Place) -> list[Claim]:
    check = read_check(place.said, Links(place.begin, _anchors_of(place)))
    return [_claim(place, _CHECK_KINDS[check.kind], check, check_values(check))] if check else []


def _anchors_of(place: _Place) -> Sequence[Anchor]:
    """The links and in-post rolls of the line."""
    anchors = place.script.anchors
    if not anchors:
        return ()
    first = bisect_left(anchors, place.line.start, key=_START)
    last = bisect_right(anchors, place.line.end, lo=first, key=_START)
    return anchors[first:last]


def _pools(place: _Place) -> list[Claim]:
    pools = spoken.read_hp(place.said)
    return [_claim(place, "weapon hp" if pool.thing else "hp", pool, pool_values(pool)) for pool in pools or ()]


def _points(place: _Place) -> list[Claim]:
    award = spoken.read_award(place.said)
    return [_claim(place, "points", award, dict(award.points))] if award else []


def _intent(place: _Place) -> list[Claim]:
    intent = spoken.read_intent(place.said) if place.line.text[0] == "[" else None
    return [_claim(place, "intent", intent, {"action": intent.manoeuvre.casefold()})] if intent else []


def _worded(kind: str, reader: Callable[[Said], Worded | None]) -> _Reader:
    def read_worded(place: _Place) -> list[Claim]:
        found = reader(place.said)
        return [_claim(place, kind, found, worded_values(found))] if found else []

    return read_worded


_CHECK_KINDS = {
    "hit": "hit",
    "damage": "damage",
    "disarm": "disarm test",
    "weapon": "weapon damage",
    "control": "control test",
    "strangle": "strangle",
}
_chain = _worded("chain", spoken.read_chain_line)
_full = _worded("full defense", read_full)
_together = _worded("simultaneous", read_together)
_winner = _worded("winner", spoken.read_winner)
_change = _worded("state", read_change)

#: The first words of this system's lines, and what may begin with them.
_OF_WORDS: Mapping[str, tuple[_Reader, ...]] = {
    "attack": (_heading,),
    "hit": (_check,),
    "to": (_check,),
    "damage": (_check,),
    "weapon": (_check,),
    "control": (_check,),
    "disarm": (_check, _intent),
    "strangle": (_check, _intent),
    "disable": (_intent,),
    "entangle": (_intent,),
    "shattering": (_intent,),
    "break": (_intent,),
    "hp": (_pools,),
    "trainer": (_points,),
    "chain": (_chain, _intent),
    "full": (_full, _intent),
    "simultaneous": (_together,),
    "winner": (_winner,),
}
#: What may begin with the name of a doll or thing.
_OF_NAMES: tuple[_Reader, ...] = (_heading, _check, _pools, _full, _change, _intent)
#: All readers, for names that begin with a word of the system, and for corrections.
_EVERY: tuple[_Reader, ...] = (_heading, _check, _pools, _points, _chain, _full, _together, _winner, _change, _intent)


def _claim(place: _Place, kind: str, data: object, values: Mapping[str, Value]) -> Claim:
    start, end = place.line.start, place.line.end
    return Claim(kind, place.script.quote(start, end), (start, end), values, data)


# -- links below a line, unread tags -----------------------------------------------------------------


def _with_next_line(script: Script, claim: Claim) -> Claim:
    """Give links that stand alone on the next line to the rolls of the line above (G8)."""
    check = claim.data
    assert isinstance(check, Check)
    bare = [s for s in (check.left, check.right) if s and s.roll and not s.roll.anchors]
    if not bare:
        return claim
    links = script.anchors_after(claim.span[1])
    if not links:
        return claim
    shares = [links] if len(bare) == 1 else [links[:1], links[1:] or links[:1]]
    sides = {id(side): share for side, share in zip(bare, shares, strict=True)}
    left = _given(check.left, sides)
    return replace(claim, data=replace(check, left=left, right=_given(check.right, sides)))


def _given(side: Side | None, shares: Mapping[int, tuple[Anchor, ...]]) -> Side | None:
    links = shares.get(id(side))
    if side is None or side.roll is None or not links:
        return side
    return replace(side, roll=replace(side.roll, anchors=links))


def _unread_tags(script: Script, claims: list[Claim], known: list[Unread], words: Lexicon) -> Iterator[Unread]:
    """Tag-like brackets that no claim covers (G19)."""
    text = script.text
    if "[" not in text:
        return
    spans = sorted([claim.span for claim in claims] + [unread.span for unread in known])
    starts = [start for start, _ in spans]
    bare = (place for place in _places_of("[", text) if not _covers(spans, starts, place))
    if next(bare, None) is None or _TAG_OPEN.search(text) is None:
        return
    for tag in tags(script):
        if tag.bracket != "[" or not _TAG_LIKE.match(tag.inner) or not _telling(tag.inner):
            continue
        if not _covers(spans, starts, tag.start):
            span, quote = (tag.start, tag.end), script.quote(tag.start, tag.end)
            foreign = of_another_system(tag.inner, words)
            yield Unread(quote, span, REASONS["foreign"]) if foreign else Unread(quote, span)


def _places_of(sign: str, text: str) -> Iterator[int]:
    place = text.find(sign)
    while place >= 0:
        yield place
        place = text.find(sign, place + 1)


def _covers(spans: Sequence[tuple[int, int]], starts: Sequence[int], place: int) -> bool:
    """Whether one of the spans (in order, with their starts) holds a place."""
    before = bisect_right(starts, place) - 1
    return before >= 0 and place < spans[before][1]


def _telling(inner: str) -> bool:
    """Prose may begin like a tag; a tag has a sign of its form: a colon, a number or a question mark."""
    return any(sign in inner for sign in ":?0123456789") or len(inner.split()) <= 3


def amend(reading: Reading, correction: Reading) -> Reading:
    """The reading with the lines of an in-time correction in place of its last ones of that kind (X24)."""
    claims = list(reading.claims)
    notes = reading.notes if isinstance(reading.notes, Notes) else Notes()
    slips = dict(notes.slips)
    for new in correction.claims:
        place = _corrected_place(claims, new)
        if place is None:
            claims.append(new)
            continue
        old = claims[place]
        slips[place] = old
        claims[place] = replace(new, span=old.span, data=_with_links_of(old.data, new.data))
    return Reading(tuple(claims), reading.unread, Notes(slips, notes.script))


def _corrected_place(claims: list[Claim], new: Claim) -> int | None:
    """The last claim of the same kind, of the same doll if there is one."""
    same = [place for place, claim in enumerate(claims) if claim.kind == new.kind]
    mine = [place for place in same if _owner(claims[place].data) == _owner(new.data)]
    chosen = mine or same
    return chosen[-1] if chosen else None


def _owner(data: object) -> object:
    match data:
        case PoolLine(owner=owner, thing=thing):
            return owner, thing
        case Heading(attacker=attacker):
            return attacker
        case Check(left=Side(owner=owner)):
            return owner
        case Change(what=what, who=who):
            return what, who
    return None


def _with_links_of(old: object, new: object) -> object:
    """A corrected check keeps the links of the line that it replaces, where it shows none itself."""
    if not isinstance(old, Check) or not isinstance(new, Check):
        return new
    return replace(new, left=_linked_like(old.left, new.left), right=_linked_like(old.right, new.right))


def _linked_like(old: Side | None, new: Side | None) -> Side | None:
    if old is None or new is None or old.roll is None or new.roll is None or new.roll.anchors:
        return new
    return replace(new, roll=replace(new.roll, anchors=old.roll.anchors))
