"""Reads one revision of a post into claims; puts in-time corrections where they belong (X24). Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from referee.model.claims import Claim, Reading, Unread, Value
from referee.model.text import Anchor, Script
from referee.ports.reading import Line, lines, tags
from referee.ports.rules import Sheets
from rules.angel_dolls import reading_lines as spoken
from rules.angel_dolls.lexicon import Lexicon, lexicon_of
from rules.angel_dolls.reading_checks import read_check
from rules.angel_dolls.reading_sheet import read_sheet_blocks
from rules.angel_dolls.statements import (
    Amended,
    ChainLine,
    Change,
    Check,
    FullDefense,
    Heading,
    Penalty,
    PoolLine,
    Side,
    Simultaneous,
    Winner,
)

#: A longer line is no line of this system.
LONGEST_LINE = 1500

_CORRECTION = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:[ \t]*", re.IGNORECASE)
_LABELLED = re.compile(
    r"[\[(]?\s*(?:(?:to )?hit|weapon damage|damage|disarm test|control test|strangle round \d{1,6})\s*:.{0,200}?\d",
    re.IGNORECASE,
)
_CHECK_SIGN = re.compile(r"=|->|\u2192|automatic|damage| vs|versus", re.IGNORECASE)
_NUMBERED = re.compile(r"\d|automatic", re.IGNORECASE)
_HEADED = re.compile(r"->|=>|\u2192|attack", re.IGNORECASE)
_TAG_LIKE = re.compile(
    r"\s*(?:attack|to hit|hit|(?:weapon )?damage|disarm|disable|shattering|entangle|strangle|break|chain|"
    r"control test|full defen[cs]e|simultaneous|trainer points?|winner|hp|action|dodge|block|struggle|trap|"
    r"run|potion|teleport|announce|move|setup|guards?|used|\d{1,3}% to hit)\b(?:\s*[:(,\d?-]|\s*$|\s+\S)",
    re.IGNORECASE,
)
_TAG_OPEN = re.compile(rf"\[{_TAG_LIKE.pattern}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Place:
    """A line with what its reader needs; `shift`: characters of a bracket in front that were cut."""

    script: Script
    line: Line
    words: Lexicon
    text: str
    begin: int

    def anchors(self, start: int, end: int) -> tuple[Anchor, ...]:
        """The links and in-post rolls between two places of `text`."""
        return self.script.anchors_in(self.begin + start, self.begin + end)


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """All claims of one revision, in order of place, and the tags that could not be read."""
    words = lexicon_of(sheets)
    claims: list[Claim] = []
    unread: list[Unread] = []
    start = words.start
    opened = _CORRECTION.match(script.text)
    for line in lines(script):
        if opened and line.start < opened.end() <= line.end:
            line = Line(opened.end(), line.end, script.text[opened.end() : line.end])
        elif start.match(line.text) is None:
            continue
        if len(line.text) <= LONGEST_LINE:
            _read_line(script, line, words, claims, unread)
    claims = _with_late_anchors(script, claims)
    if author.casefold() not in sheets.judges:
        claims = sorted([*claims, *read_sheet_blocks(script)], key=lambda claim: claim.span)
    unread += _unread_tags(script, claims, unread)
    return Reading(tuple(claims), tuple(sorted(unread, key=lambda u: u.span)))


def _read_line(script: Script, line: Line, words: Lexicon, claims: list[Claim], unread: list[Unread]) -> None:
    """Put the claims of one line into `claims`; a labelled line that can't be read into `unread`."""
    text, begin = line.text, line.start
    if text[0] in "[(" and text[-1] in "])" and not text.lower().startswith("[attack"):
        text, begin = text[1:-1], begin + 1
    place = _Place(script, line, words, text, begin)
    found = _claims_of(place)
    claims += found
    if not found and _LABELLED.match(line.text) and ("=" in text or " vs" in text):
        unread.append(Unread(script.quote(line.start, line.end), (line.start, line.end)))


def _claims_of(place: _Place) -> list[Claim]:
    if _HEADED.search(place.text):
        heading = spoken.read_heading(place.text, place.words)
        if heading:
            return [_claim(place, "attack", heading, _heading_values(heading))]
    if _NUMBERED.search(place.text):
        numbers = _numbered(place)
        if numbers:
            return numbers
    return _worded(place)


def _numbered(place: _Place) -> list[Claim]:
    text, words = place.text, place.words
    if _CHECK_SIGN.search(text):
        check = read_check(text, words, place.anchors)
        if check:
            return [_claim(place, _CHECK_KINDS[check.kind], check, _check_values(check))]
    pools = spoken.read_hp(text, words)
    if pools:
        return [_claim(place, "weapon hp" if pool.thing else "hp", pool, _pool_values(pool)) for pool in pools]
    award = spoken.read_award(text, words)
    return [_claim(place, "points", award, dict(award.points))] if award else []


def _worded(place: _Place) -> list[Claim]:
    for kind, reader in _WORDED:
        found = reader(place.text, place.words)
        if found is not None:
            return [_claim(place, kind, found, _worded_values(found))]
    if place.line.text[0] == "[":
        intent = spoken.read_intent(place.text)
        if intent:
            return [_claim(place, "intent", intent, {"action": intent.manoeuvre.casefold()})]
    return []


_CHECK_KINDS = {
    "hit": "hit",
    "damage": "damage",
    "disarm": "disarm test",
    "weapon": "weapon damage",
    "control": "control test",
    "strangle": "strangle",
}
_Worded = ChainLine | FullDefense | Simultaneous | Change | Winner
_WORDED: tuple[tuple[str, Callable[[str, Lexicon], _Worded | None]], ...] = (
    ("chain", spoken.read_chain_line),
    ("full defense", spoken.read_full),
    ("simultaneous", spoken.read_together),
    ("winner", spoken.read_winner),
    ("state", spoken.read_change),
)


def _claim(place: _Place, kind: str, data: object, values: Mapping[str, Value]) -> Claim:
    start, end = place.line.start, place.line.end
    return Claim(kind, place.script.quote(start, end), (start, end), values, data)


# -- values that are compared between revisions (G20): the most telling first ------------------------


def _check_values(check: Check) -> dict[str, Value]:
    values: dict[str, Value] = {"result": check.result, "outcome": check.word}
    for name, side in (("", check.left), ("against ", check.right)):
        if side is not None:
            values |= _side_values(name, side)
    if check.affinities:
        values["element"] = check.element
        values["affinities"] = list(check.affinities)
    if check.round is not None:
        values["round"] = check.round
    return values


def _side_values(name: str, side: Side) -> dict[str, Value]:
    return {
        f"{name}total": side.total,
        f"{name}roll": side.rolled,
        f"{name}stat": side.base,
        f"{name}who": side.owner,
        f"{name}modifiers": [modifier.value for modifier in side.modifiers],
    }


def _heading_values(heading: Heading) -> dict[str, Value]:
    return {
        "target": heading.defender,
        "attacker": heading.attacker,
        "action": heading.manoeuvre,
        "means": heading.means.casefold() if heading.means else None,
        "at": heading.part or (heading.target.casefold() if heading.target else None),
        **_chain_values(heading.chain),
        "number": heading.number,
    }


def _chain_values(chain: tuple[Penalty, ...]) -> dict[str, Value]:
    return {"chain": [penalty.amount for penalty in chain], "borne by": [penalty.where for penalty in chain]}


def _pool_values(pool: PoolLine) -> dict[str, Value]:
    return {"hp": pool.new, "before": pool.old, "maximum": pool.maximum, "of": pool.owner, "thing": pool.thing}


def _worded_values(found: _Worded) -> dict[str, Value]:
    match found:
        case ChainLine(chain):
            return _chain_values(chain)
        case FullDefense(who, shown):
            return {"who": who, "shown": [value for _, old, new in shown for value in (new, old)]}
        case Simultaneous(first, second):
            return {"first": first, "second": second}
        case Winner(names):
            return {"winner": ", ".join(names)}
    return {"what": found.what, "who": found.who, "thing": found.thing, "at": found.part, "turns": found.turns}


# -- links below a line, unread tags -----------------------------------------------------------------


def _with_late_anchors(script: Script, claims: list[Claim]) -> list[Claim]:
    """Give links that stand alone on the next line to the rolls of the line above (G8)."""
    if not script.anchors:
        return claims
    return [_with_next_line(script, claim) if isinstance(claim.data, Check) else claim for claim in claims]


def _with_next_line(script: Script, claim: Claim) -> Claim:
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


def _unread_tags(script: Script, claims: list[Claim], known: list[Unread]) -> Iterator[Unread]:
    """Tag-like brackets that no claim covers (G19)."""
    if _TAG_OPEN.search(script.text) is None:
        return
    spans = sorted([claim.span for claim in claims] + [unread.span for unread in known])
    starts = [start for start, _ in spans]
    for tag in tags(script):
        if tag.bracket != "[" or not _TAG_LIKE.match(tag.inner) or not _telling(tag.inner):
            continue
        before = bisect_right(starts, tag.start) - 1
        if before < 0 or tag.start >= spans[before][1]:
            yield Unread(script.quote(tag.start, tag.end), (tag.start, tag.end))


def _telling(inner: str) -> bool:
    """Prose may begin like a tag; a tag has a sign of its form: a colon, a number or a question mark."""
    return any(sign in inner for sign in ":?0123456789") or len(inner.split()) <= 3


def amend(reading: Reading, correction: Reading) -> Reading:
    """The reading with the lines of an in-time correction in place of its last ones of that kind (X24)."""
    claims = list(reading.claims)
    slips = dict(reading.notes.slips) if isinstance(reading.notes, Amended) else {}
    for new in correction.claims:
        place = _corrected_place(claims, new)
        if place is None:
            claims.append(new)
            continue
        old = claims[place]
        slips[place] = old
        claims[place] = replace(new, span=old.span, data=_with_links_of(old.data, new.data))
    return Reading(tuple(claims), reading.unread, Amended(slips))


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
