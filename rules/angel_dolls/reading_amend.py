"""Puts in-time corrections where they belong (X24). Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.model.claims import Claim, Reading
from rules.angel_dolls.statements import Change, Check, Heading, Notes, PoolLine, Side


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
