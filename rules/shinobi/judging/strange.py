"""What an ability that is in no table may do to those whom it hits: damage over time (X2).

Its numbers count as written, and how long it goes on hurting is known to nobody. A greater loss of HP while it may do
so is not called wrong. What it costs its user is told by its own tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.ports.rules import Entry
from referee.ports.telling import loose_lines
from rules.shinobi.judging.fighters import Attack, Fighter, Strange
from rules.shinobi.judging.stage import Stage
from rules.shinobi.judging.turns import Said, notes_of
from rules.shinobi.judging.workings import POOL_TITLES
from rules.shinobi.model import Damage

#: For so many own turns an ability of no table may hurt: longer than any effect that tables usually have.
_LASTS = 5
#: A bracket that is a line of its own, of a few words: `[smoke veil]`. Only tables tell such abilities from a story.
_ALONE = re.compile(r"[\s*_>-]{0,8}[\[(]\s?([A-Za-z][A-Za-z' -]{1,40})\s?[\])]\s{0,8}")
_MOST_WORDS = 4
_HEADING = re.compile(r"\b(?:phase|setup|main|response|skipped|ooc|loss)\b", re.IGNORECASE)


def meet(stage: Stage, said: Said, name: str, target: str | None) -> None:
    """Note that an ability of no table was used, on whom it may have hit: its damage tag tells the target too."""
    damages = [tag.data for tag in stage.turn.of(Damage) if isinstance(tag.data, Damage)]
    own = {d.target for d in damages if {part.what for part in d.parts} <= {None, name.casefold()}}
    if target is None and len(own) == 1:
        (target,) = own
    meant = stage.arena.fighters.get(target) if target else None
    for fighter in (meant,) if meant is not None else stage.arena.foes(stage.me):
        fighter.strange.append(Strange(name, said.entry.post.id, fighter.turns))


def missed(me: Fighter, attack: Attack) -> None:
    """An attack with an ability of no table that hit nobody does not go on hurting: no dodge or block does (NS17)."""
    same = [met for met in me.strange if met.post == attack.entry.post.id]
    named = [met for met in same if met.name.casefold() == attack.name.casefold()]
    gone = named or (same if len(same) == 1 else [])
    me.strange = [met for met in me.strange if met not in gone]


def acts_still(stage: Stage, pool: str, claimed: int, listed: Iterable[int]) -> bool:
    """Whether an ability of no table may explain a loss that differs; notes it."""
    if claimed >= min(listed, default=claimed):
        return False
    alone, met = _alone(stage), _met(stage.me) if pool == "hp" else None
    if alone is not None:
        entry, words = alone
        what = f"[{words}] of {entry.post.id} may be an ability that is in no table"
    elif met is not None:
        what = f"{met.name} of {met.post} is in no table, so nobody knows whether it still hurts"
    else:
        return False
    at = stage.turn.last
    stage.unchecked(at, f"strange:{pool}:{at.post.id}", f"{what}: {POOL_TITLES[pool]} is not judged in this turn")
    return True


def _met(me: Fighter) -> Strange | None:
    """The last ability of no table that may still hurt a fighter."""
    return next((met for met in reversed(me.strange) if me.turns - met.turn <= _LASTS), None)


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
