"""Puts in-time corrections where they belong (X24). Pure."""

from __future__ import annotations

from collections.abc import Sequence
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


def goes_on(claims: Sequence[Claim], new: Claim) -> bool:
    """Whether further lines of the same kind and doll stand below the one that a correction means."""
    place = _corrected_place(claims, new)
    below = () if place is None else claims[place + 1 :]
    return any(claim.kind == new.kind and _owner(claim.data) == _owner(new.data) for claim in below)


def _corrected_place(claims: Sequence[Claim], new: Claim) -> int | None:
    """The claim of the same kind, of the same doll if there is one, that is likest; the last of several (X24)."""
    same = [place for place, claim in enumerate(claims) if claim.kind == new.kind]
    mine = [place for place in same if _owner(claims[place].data) == _owner(new.data)]
    return max(mine or same, key=lambda place: (likeness(claims[place].data, new.data), place), default=None)


def likeness(old: object, new: object) -> int:
    """How many numbers and names two lines have in common, each in its place: a correction changes one or two."""
    return sum(a is not None and a == b for a, b in zip(_marks(old), _marks(new), strict=False))


def _marks(data: object) -> tuple[object, ...]:
    match data:
        case PoolLine(old=old):
            return (old,)
        case Check(left=left, right=right, result=result):
            sides = [(side.base, side.rolled, side.total) if side else (None, None, None) for side in (left, right)]
            return (*sides[0], *sides[1], result)
        case Heading(defender=defender, means=means, target=target):
            return (defender, means, target)
    return ()


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
