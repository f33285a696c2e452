"""What an ability that is in no table may do after its turn: damage over time, upkeep, regeneration (X2).

Its numbers count as written, and what it does later is known to nobody. A loss that differs while it may still act is
not called wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.ports.rules import Entry
from referee.ports.telling import loose_lines
from rules.shinobi.fighters import Fighter, Strange
from rules.shinobi.stage import Stage
from rules.shinobi.turns import Said, notes_of

#: So many own turns an ability of no table may act; the longest effects of the tables last half as many.
_LASTS = 8
#: A bracket that is a line of its own, of a few words: `[smoke veil]`. Only tables tell such abilities from a story.
_ALONE = re.compile(r"[\s*_>-]{0,8}[\[(]\s?([A-Za-z][A-Za-z' -]{1,40})\s?[\])]\s{0,8}")
_MOST_WORDS = 4
_HEADING = re.compile(r"\b(?:phase|setup|main|response|skipped|ooc|loss)\b", re.IGNORECASE)


def meet(stage: Stage, said: Said, name: str, target: str | None) -> None:
    """Note that an ability of no table was used: on its user, and on whom it may have hit."""
    me, arena = stage.me, stage.arena
    meant = arena.fighters.get(target) if target else None
    hit = (meant,) if meant is not None else arena.foes(me)
    for fighter in (me, *hit):
        own = fighter is me
        fighter.strange.append(Strange(name, said.entry.post.id, fighter.turns, own=own))


def acts_still(stage: Stage, pool: str, claimed: int, listed: Iterable[int]) -> bool:
    """Whether an ability of no table may explain a loss that differs; notes it."""
    due = set(listed)
    more = claimed < min(due, default=claimed)
    alone = _alone(stage) if more else None
    if alone is not None:
        entry, words = alone
        what = f"[{words}] of {entry.post.id} may be an ability that is in no table"
    else:
        met = _met(stage.me, losing=more)
        if met is None:
            return False
        what = f"{met.name} of {met.post} is in no table, so nobody knows what it still does"
    at = stage.turn.last
    stage.unchecked(at, f"strange:{pool}:{at.post.id}", f"{what}: the {pool} of this turn is not judged")
    return True


def _met(me: Fighter, *, losing: bool) -> Strange | None:
    """The last ability of no table that may still act on a fighter; one's own may give back, too."""
    for met in reversed(me.strange):
        since = me.turns - met.turn
        if (since > 0 if met.own else losing) and since <= _LASTS:
            return met
    return None


def _alone(stage: Stage) -> tuple[Entry, str] | None:
    """A bracket alone on its line that may be an ability, where no table of the board's own names any."""
    if {"techniques", "skills"} & set(stage.arena.case.battle.overrides):
        return None
    for entry in stage.turn.entries:
        script = notes_of(entry).script
        for _, line in loose_lines(script, entry.reading, 80) if script is not None else ():
            found = _ALONE.fullmatch(line)
            if found and len(found[1].split()) <= _MOST_WORDS and not _HEADING.search(found[1]):
                return entry, found[1].strip()
    return None
