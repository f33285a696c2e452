"""Late corrections: they raise nothing, and from then on both ledgers take the corrected number (G25, X24)."""

from __future__ import annotations

from referee.model.claims import Claim
from referee.ports.rules import Entry
from rules.d20_arena.judging.amend import replaced_by
from rules.d20_arena.judging.state import Arena, Fighter
from rules.d20_arena.records import Escape, HitPoints, Mend, Part, Reaction, Strike, TrapRoll


def apply_correction(arena: Arena, entry: Entry) -> None:
    """Put the numbers of a late correction into the pools."""
    amended = arena.case.entries[entry.amends].reading.claims if entry.amends is not None else ()
    for claim in entry.reading.claims:
        place = replaced_by(amended, claim)
        _apply(arena, entry, claim, amended[place] if place is not None else None)


def _apply(arena: Arena, entry: Entry, claim: Claim, was: Claim | None) -> None:
    data = claim.data
    if isinstance(data, HitPoints):
        fighter = _fighter(arena, entry, data.name)
        if fighter is not None:
            _hp(fighter, data, was)
        return
    may_have_changed(arena, entry, data, was.data if was is not None else None)


def may_have_changed(arena: Arena, entry: Entry, data: object, was: object | None) -> None:
    """Open the pools that a record, or what stood in its place before, may have moved."""
    for fighter in _concerned(arena, entry, data, was):
        fighter.hp.loosen()
        for pool in fighter.binds.values():
            pool.blur(range(-4, 5), arena.tables.bind_max)


def _hp(fighter: Fighter, data: HitPoints, was: Claim | None) -> None:
    """The number itself, and the present readings moved by as much as the correction changes the old number."""
    pool = fighter.hp
    if was is not None and isinstance(was.data, HitPoints) and pool.open is not None:
        step = data.now - was.data.now
        pool.also(*(max(0, value + step) for value in pool.open))
    pool.also(data.now)
    if pool.open is None:
        pool.open = frozenset((data.now,))
    pool.claimed = data.now


def _fighter(arena: Arena, entry: Entry, name: str | None) -> Fighter | None:
    if name is not None:
        return arena.fighters.get(name)
    own = [f for f in arena.fighters.values() if f.player.casefold() == entry.post.author.casefold()]
    return own[0] if len(own) == 1 else None


def _concerned(arena: Arena, entry: Entry, data: object, was: object | None) -> list[Fighter]:
    """Whose pools a corrected action may change."""
    names: set[str | None] = set()
    for record in (data, was):
        if isinstance(record, Strike | Mend):
            names |= {*record.targets, record.actor}
            if isinstance(record, Strike) and not record.targets:
                names |= set(arena.fighters)
        elif isinstance(record, Escape):
            names |= {record.helped, record.actor}
        elif isinstance(record, Reaction):
            names.add(record.actor)
        elif isinstance(record, TrapRoll):
            names.add(None)
        elif isinstance(record, Part):
            names |= set(arena.fighters)
    found = [_fighter(arena, entry, name) for name in names]
    return [fighter for fighter in found if fighter is not None]
