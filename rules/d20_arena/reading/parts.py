"""Loose lines and the attacks that they belong to: `Damage: ...`, `Bind level: ...` below a hit roll (ND2)."""

from __future__ import annotations

from referee.model.claims import Claim, Unread
from referee.model.text import Script
from rules.d20_arena.reading.draft import Draft, Span
from rules.d20_arena.reading.sums import with_critical
from rules.d20_arena.reading.values import values_of
from rules.d20_arena.records import FUMBLE, MISS, Bonds, Escape, Part, Strike

#: Neither an old level nor a spill-over.
_ALONE = (None, None, None, None)


def attach(script: Script, part: Part, span: Span, draft: Draft) -> None:
    """Put a loose line to the attack above it (ND2); without one it stands alone, for corrections."""
    above = draft.claims[draft.open_strike].data if draft.open_strike is not None else None
    if draft.open_strike is None or (isinstance(above, Escape) and (part.levels is None or not open_escape(above))):
        draft.claim(script, span, part)
        draft.orphans = True
        return
    draft.seen += 1
    place = _meant(draft, draft.open_strike, part)
    where = (draft.claims[place].span[0], span[1])
    if place == draft.open_strike:
        _put(draft, place, joined(draft.claims[place].data, part), script.quote(*where), where)
        return
    own = draft.claims[place]
    _put(draft, place, joined(own.data, part), f"{own.quote} {script.quote(*span)}", own.span)


def _put(draft: Draft, place: int, data: object, quote: str, span: Span) -> None:
    kind, values = values_of(data)
    draft.claims[place] = Claim(kind, quote, span, values, data)


def _meant(draft: Draft, last: int, part: Part) -> int:
    """The attack that a line of damage is about: whose target it names, else the one right above it, `last`.

    Two hit rolls and then two lines of damage are in the same order: the second line moves the first one up.
    """
    if part.damage is None:
        return last
    run = _run(draft, last)
    if part.whom is not None:
        aimed = [place for place, strike in run if part.whom in strike.targets and strike.damage is None]
        return aimed[-1] if aimed else last
    hits = [(place, strike) for place, strike in run if strike.outcome not in (MISS, FUMBLE, None)]
    waiting = [row for row, (_, strike) in enumerate(hits) if strike.damage is None]
    if not waiting or not hits or hits[-1][0] != last or hits[-1][1].damage is None:
        return last
    for (place, strike), (_, after) in zip(hits[waiting[-1] :], hits[waiting[-1] + 1 :], strict=False):
        own = draft.claims[place]
        _put(draft, place, strike._replace(damage=after.damage), own.quote, own.span)
    return last


def _run(draft: Draft, last: int) -> list[tuple[int, Strike]]:
    """The attacks that stand right above each other, down to the last one, with their places."""
    run: list[tuple[int, Strike]] = []
    for place in range(last, -1, -1):
        data = draft.claims[place].data
        if not isinstance(data, Strike):
            break
        run.insert(0, (place, data))
    return run


def open_escape(data: object) -> bool:
    """A struggle that does not say what is left: a line below may."""
    return isinstance(data, Escape) and data.new is None


def joined(strike: object, part: Part) -> object:
    """An attack with what a loose line adds to it or replaces in it."""
    if isinstance(strike, Escape) and part.levels is not None:
        return strike._replace(area=strike.area or part.levels.area, old=part.levels.old, new=part.levels.to)
    if not isinstance(strike, Strike):
        return strike
    changes = {name: getattr(part, name) for name in ("damage", "binding", "levels", "save") if getattr(part, name)}
    if part.damage is not None and part.whom is not None:
        changes["itself"] = part.whom
    if part.crit is not None and strike.damage is not None:
        changes["damage"] = with_critical(strike.damage, part.crit)
    return strike._replace(**changes)


def list_orphans(draft: Draft, own: tuple[str, ...]) -> None:
    """List loose lines without their attack, which can't be judged, as unread (only a correction may hold them).

    A level alone may be that of the author's only fighter, one of `own`: `HP: 31/40`, `Bind level: 2 (legs)`.
    """
    for place, claim in [row for row in enumerate(draft.claims) if isinstance(row[1].data, Part)]:
        levels = claim.data.levels if isinstance(claim.data, Part) else None
        if levels is not None and levels[2:] == _ALONE and levels.area is not None and len(own) == 1:
            _put(draft, place, Bonds(own[0], ((levels.area, levels.to),), True), claim.quote, claim.span)
    for claim in [c for c in draft.claims if isinstance(c.data, Part)]:
        draft.claims.remove(claim)
        draft.unread.append(Unread(claim.quote, claim.span, "no hit roll stands above it"))
        draft.topics.append(
            (claim.span, "damage" if isinstance(claim.data, Part) and claim.data.damage else "bind level")
        )


__all__ = ["attach", "joined", "list_orphans", "open_escape"]
