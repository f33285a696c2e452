"""Corrections (G25, X24): a line of the system's own notation replaces the author's last line of that kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.model.claims import Claim, Reading
from rules.d20_arena.reading.post import Topics, joined
from rules.d20_arena.reading.values import values_of
from rules.d20_arena.records import (
    Announce,
    Bonds,
    Count,
    Escape,
    HitPoints,
    Mend,
    Part,
    Reaction,
    SheetLine,
    Strike,
    Sum,
    TrapRoll,
    Use,
)

#: The places of a correction stand behind those of the post that it corrects.
_BEHIND = 1 << 40
#: What a record holds rolls in.
_ROLLED = ("hit", "damage", "binding", "heal", "roll")
_BELOW = ("damage", "itself", "binding", "levels", "save")


def amend(reading: Reading, correction: Reading) -> Reading:
    """The reading with the correction's claims in the place of its own last ones of their kind."""
    claims = list(reading.claims)
    for claim in correction.claims:
        place = replaced_by(tuple(claims), claim)
        if place is None:
            claims.append(claim)
        elif isinstance(claim.data, Part):
            was = claims[place]
            data = proved(was.data, joined(was.data, claim.data))
            kind, values = values_of(data)
            claims[place] = Claim(kind, f"{was.quote} ({claim.quote})", was.span, values, data)
        else:
            was = claims[place]
            data = proved(was.data, _completed(was.data, claim.data))
            kind, values = values_of(data)
            claims[place] = Claim(kind, claim.quote, was.span, values, data)
    return _beside(tuple(claims), reading, correction)


def _beside(claims: tuple[Claim, ...], reading: Reading, correction: Reading) -> Reading:
    """The claims with what could not be read in either text: in the correction it may have changed any of them."""
    if not correction.unread:
        return Reading(claims, reading.unread, reading.notes)
    old = reading.notes.rows if isinstance(reading.notes, Topics) else ()
    new = correction.notes if isinstance(correction.notes, Topics) else Topics()
    far = [replace(unread, span=(unread.span[0] + _BEHIND, unread.span[1] + _BEHIND)) for unread in correction.unread]
    rows = tuple((moved.span, new.of(own)) for moved, own in zip(far, correction.unread, strict=True))
    return Reading(claims, (*reading.unread, *far), Topics((*old, *rows)))


def _completed(old: object, new: object) -> object:
    """A corrected `To hit:` line keeps the damage and levels that stood below the old one."""
    if not (isinstance(old, Strike) and isinstance(new, Strike)) or new.ability is not None:
        return new
    kept = {name: getattr(old, name) for name in _BELOW if getattr(new, name) is None}
    return old._replace(hit=new.hit, defense=new.defense or old.defense, outcome=new.outcome or old.outcome, **kept)


def proved(old: object, new: object) -> object:
    """A corrected record with the links of the old one, wherever it says the same dice again without any."""
    if type(old) is not type(new) or not isinstance(new, Strike | Mend | Escape | TrapRoll):
        return new
    kept: dict[str, Any] = {}
    for name in _ROLLED:
        was, now = getattr(old, name, None), getattr(new, name, None)
        if isinstance(was, Sum) and isinstance(now, Sum) and was is not now and _same_dice(was, now):
            kept[name] = now._replace(throws=was.throws)
    return new._replace(**kept) if kept else new


def _same_dice(old: Sum, new: Sum) -> bool:
    """Whether a sum without any link has the dice of another, and shows the same or none."""
    if any(throw.written.anchors for throw in new.throws) or old.dice != new.dice:
        return False
    pairs = zip(old.groups, new.groups, strict=True)
    return all(not ours.values or not was.values or ours.values == was.values for was, ours in pairs)


def replaced_by(claims: tuple[Claim, ...], claim: Claim) -> int | None:
    """The place of the last claim that a correction's claim is about, or None."""
    for place in range(len(claims) - 1, -1, -1):
        if _about_the_same(claims[place].data, claim.data):
            return place
    return None


def _about_the_same(old: object, new: object) -> bool:
    if isinstance(new, Part):
        return isinstance(old, Strike)
    if type(old) is not type(new):
        return False
    mine, theirs = list(_marks(new)), list(_marks(old))
    return all(a is None or b is None or a == b for a, b in zip(mine, theirs, strict=True))


def _marks(data: object) -> Iterator[object]:
    """What must agree between a claim and its correction, where both name it."""
    if isinstance(data, HitPoints | SheetLine | Bonds):
        yield data.name or ""
    elif isinstance(data, Strike):
        yield from (data.actor, data.free, data.targets or None)
    elif isinstance(data, Mend | Use):
        yield data.actor
    elif isinstance(data, Escape):
        yield from (data.actor, data.helped, data.area)
    elif isinstance(data, Reaction):
        yield from (data.actor, data.ability)
    elif isinstance(data, Announce):
        yield data.actor
    elif isinstance(data, Count):
        yield data.what
