"""What a tag that could not be read leaves open: nothing that hangs on it is judged (G19, X8).

Before the claims of a post: its stance, its announcement, a Reaction Ability. In its place: the HP
and bind levels that it may have changed, until they are stated again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.model.claims import Unread
from referee.model.glyphs import straighten
from referee.ports.rules import Entry
from rules.d20_arena.endings import is_down
from rules.d20_arena.judging.state import ENEMIES, PLAYERS, Arena, Fighter, Turn
from rules.d20_arena.reading.post import Topics
from rules.d20_arena.reading.stance import stands_somewhere
from rules.d20_arena.records import ACTS, MOVING, STANDING, Announce
from rules.d20_arena.words import arrow

#: No more levels than this are told apart.
_MOST_LEVELS = 20

#: What moves only bindings, what only HP, and what neither.
_BINDS = frozenset(("struggle", "help", "bind level", "binding"))
_HARMLESS = frozenset(("", "announce", "move"))

#: A tag that leaves its result open, `[Action: ??? -> ???: 1d20 = ?]`.
_OPEN = re.compile(r"[^?]{0,200}\?")
_RESULT = re.compile(r"=[ \t]*-?\d|\b(?:hits?|crit\w{0,5}|damage[ \t]+\d)\b", re.IGNORECASE)


def topic_of(entry: Entry, unread: Unread) -> str:
    """What an unread tag may hold: a word of the notation, `hp`, `any`, or nothing."""
    notes = entry.reading.notes
    return notes.of(unread) if isinstance(notes, Topics) else "any" if unread.hides else ""


def open_turn(turn: Turn) -> None:
    """What unread tags leave open for the whole post: stance, announcement, Reaction Abilities."""
    topics = {topic_of(turn.entry, unread) for unread in turn.entry.reading.unread}
    turn.opened = frozenset(topics)
    if topics & {"move", "any"}:
        turn.stances |= {MOVING, STANDING}
    if topics & {"announce", "any"}:
        turn.excused.update(turn.arena.fighters)
        turn.weak.update(fighter.name for fighter in turn.own)
    for unread in turn.entry.reading.unread:
        if topic_of(turn.entry, unread) in ("reaction", "any"):
            turn.unsure |= _named(turn.arena, unread) or set(turn.arena.fighters)


def stance_beside(turn: Turn) -> None:
    """An announcement that speaks of standing still as well: both stances may hold (A3)."""
    for claim in turn.entry.reading.claims:
        if isinstance(claim.data, Announce) and stands_somewhere(claim.quote):
            turn.stances |= {STANDING}


def judge_unread(turn: Turn, unread: Unread) -> None:
    """Open the pools that an unread tag may have changed, at its place among the claims."""
    topic = topic_of(turn.entry, unread)
    if topic in _HARMLESS:
        return
    if topic == "hp":
        for fighter in _own_or_named(turn, unread):
            fighter.hp.loosen()
        return
    if turn.gm:
        if not _adds_nothing(turn, unread, sum(not is_down(enemy.hp.open) for enemy in turn.own)):
            _open_gm(turn, topic)
        return
    if topic in _BINDS or not _adds_nothing(turn, unread, len({n for said in turn.announced for n in said.targets})):
        turn.weak.update(fighter.name for fighter in turn.own)
    _open_player(turn, unread, topic)


def _open_gm(turn: Turn, topic: str) -> None:
    """A GM's tag: anybody may have been struck, bound or meleed."""
    everybody = turn.arena.fighters.values()
    loosen(turn, everybody)
    if topic not in _BINDS:
        for enemy in turn.arena.side(ENEMIES):
            enemy.met.update(fighter.name for fighter in turn.arena.side(PLAYERS))


def _open_player(turn: Turn, unread: Unread, topic: str) -> None:
    """A player's tag: those whom it names or the post announces, else everybody; the own bindings besides."""
    if topic == "trap":
        for fighter in turn.own:
            fighter.hp.loosen()
        return
    aimed = {name for said in turn.announced for name in said.targets}
    if topic not in _BINDS and _adds_nothing(turn, unread, len(aimed)):
        return
    own = {fighter.name for fighter in turn.own}
    fighters = turn.arena.fighters
    bound = own if topic == "struggle" else own | _touched(turn, unread, own, aimed)
    for name in bound:
        blur(turn, fighters[name])
    if topic in _BINDS:
        return
    for name in _touched(turn, unread, own, aimed):
        fighters[name].hp.loosen()


def _touched(turn: Turn, unread: Unread, own: set[str], aimed: set[str]) -> set[str]:
    """Whom a player's unread tag may touch."""
    text = straighten(unread.quote)
    named = set(turn.arena.names.fighters_within(text))
    if named - own:
        return named | aimed
    return aimed if aimed and not arrow(text, 0, len(text)) else set(turn.arena.fighters)


def _adds_nothing(turn: Turn, unread: Unread, aimed: int) -> bool:
    """Whether an unread tag leaves its result open beside all that was to be done: then it is no attack (G19).

    `aimed`: how many targets the player has announced, or how many enemies of the GM stand.
    """
    acts = sum(isinstance(c.data, ACTS) for c in turn.entry.reading.claims)
    return acts >= max(1, aimed) and _OPEN.match(unread.quote) is not None and not _RESULT.search(unread.quote)


def open_correction(arena: Arena, entry: Entry) -> None:
    """A correction that could not be read may have changed any number."""
    if any(topic_of(entry, unread) not in _HARMLESS for unread in entry.reading.unread):
        for fighter in arena.fighters.values():
            fighter.hp.loosen()
            for pool in fighter.binds.values():
                pool.blur(_reach(arena.tables.bind_max), arena.tables.bind_max)


def loosen(turn: Turn, fighters: Iterable[Fighter]) -> None:
    """Forget what is known of these fighters' pools as far as one unread action can have changed it."""
    for fighter in fighters:
        fighter.hp.loosen()
        blur(turn, fighter)


def loosen_named(turn: Turn, names: Iterable[str]) -> None:
    """Forget the pools of these fighters, or of everybody: an action that could not be followed may concern them."""
    named = [fighter for name in names if (fighter := turn.arena.fighters.get(name)) is not None]
    loosen(turn, named or turn.arena.fighters.values())


def blur(turn: Turn, fighter: Fighter) -> None:
    """Open every bind level of a fighter that one action may have led to."""
    for pool in fighter.binds.values():
        pool.blur(_reach(turn.tables.bind_max), turn.tables.bind_max)


def _reach(most: int) -> range:
    """By how many levels one unread action may move a binding."""
    step = min(most, _MOST_LEVELS)
    return range(-step, step + 1)


def _named(arena: Arena, unread: Unread) -> set[str]:
    return set(arena.names.fighters_within(straighten(unread.quote)))


def _own_or_named(turn: Turn, unread: Unread) -> Iterable[Fighter]:
    """Whose HP an unread HP line is about: those whom it names, else the author's own."""
    named = _named(turn.arena, unread)
    return [turn.arena.fighters[name] for name in named] or turn.own
