"""What each kind of line gives, as claims, and which kinds a line may be by its first word."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from referee.model.claims import Claim, Value
from referee.model.text import Anchor, Script
from referee.ports.reading import Line
from rules.angel_dolls.reading import lines as spoken
from rules.angel_dolls.reading.checks import Links, read_check
from rules.angel_dolls.reading.lines import Said
from rules.angel_dolls.reading.pools import read_award, read_hp, read_winner
from rules.angel_dolls.reading.states import read_change, read_full, read_together
from rules.angel_dolls.reading.values import (
    Worded,
    check_values,
    heading_values,
    pool_values,
    worded_values,
)
from rules.angel_dolls.statements import Award, PoolLine

_START = attrgetter("start")


class Place(NamedTuple):
    """A line with what its reader needs; `begin`: where its text begins in the script (a bracket cut off)."""

    script: Script
    line: Line
    said: Said
    begin: int


Reader = Callable[[Place], list[Claim]]


def _heading(place: Place) -> list[Claim]:
    heading = spoken.read_heading(place.said)
    return [claim_of(place, "attack", heading, heading_values(heading))] if heading else []


def checks_of(place: Place) -> list[Claim]:
    """The check that a line holds (NA2, NA4)."""
    check = read_check(place.said, Links(place.begin, _anchors_of(place)))
    return [claim_of(place, _CHECK_KINDS[check.kind], check, check_values(check))] if check else []


def _anchors_of(place: Place) -> Sequence[Anchor]:
    """The links and in-post rolls of the line."""
    anchors = place.script.anchors
    if not anchors:
        return ()
    first = bisect_left(anchors, place.line.start, key=_START)
    last = bisect_right(anchors, place.line.end, lo=first, key=_START)
    return anchors[first:last]


def _pools(place: Place) -> list[Claim]:
    return [pool_claim(place, pool) for pool in read_hp(place.said) or ()]


def pool_claim(place: Place, pool: PoolLine) -> Claim:
    """HP of a doll or a weapon as a claim (NA6, NA21)."""
    return claim_of(place, "weapon hp" if pool.thing else "hp", pool, pool_values(pool))


def _points(place: Place) -> list[Claim]:
    award = read_award(place.said)
    return [award_claim(place, award)] if award else []


def award_claim(place: Place, award: Award) -> Claim:
    """Trainer Points as a claim (NA6)."""
    return claim_of(place, "points", award, dict(award.points))


def _intent(place: Place) -> list[Claim]:
    intent = spoken.read_intent(place.said) if place.line.text[0] == "[" else None
    return [claim_of(place, "intent", intent, {"action": intent.manoeuvre.casefold()})] if intent else []


def _worded(kind: str, reader: Callable[[Said], Worded | None]) -> Reader:
    def read_worded(place: Place) -> list[Claim]:
        found = reader(place.said)
        return [claim_of(place, kind, found, worded_values(found))] if found else []

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
_winner = _worded("winner", read_winner)
_change = _worded("state", read_change)

#: The first words of this system's lines, and what may begin with them.
OF_WORDS: Mapping[str, tuple[Reader, ...]] = {
    "attack": (_heading, checks_of),
    "hit": (checks_of, _pools),
    "to": (checks_of,),
    "damage": (checks_of,),
    "dmg": (checks_of,),
    "weapon": (checks_of,),
    "control": (checks_of,),
    "disarm": (checks_of, _intent),
    "strangle": (checks_of, _intent),
    "disable": (_intent,),
    "entangle": (_intent,),
    "shattering": (_intent,),
    "break": (_intent,),
    **dict.fromkeys(("hp", "health", "current", "remaining", "new", "final", "updated"), (_pools,)),
    **dict.fromkeys(("status", "standing", "standings", "state"), (_pools,)),
    **dict.fromkeys(("trainer", "tp", "tps"), (_points,)),
    "chain": (_chain, _intent),
    "full": (_full, _intent),
    "simultaneous": (_together,),
    "winner": (_winner,),
}
#: What may begin with the name of a doll or thing.
OF_NAMES: tuple[Reader, ...] = (_heading, checks_of, _pools, _full, _change, _intent)
#: All readers, for names that begin with a word of the system, and for corrections.
EVERY: tuple[Reader, ...] = (_heading, checks_of, _pools, _points, _chain, _full, _together, _winner, _change, _intent)


def claim_of(place: Place, kind: str, data: object, values: Mapping[str, Value]) -> Claim:
    """A claim with the words of its line."""
    start, end = place.line.start, place.line.end
    return Claim(kind, place.script.quote(start, end), (start, end), values, data)
