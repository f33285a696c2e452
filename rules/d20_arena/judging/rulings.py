"""Staff rulings as far as this system has a place for them (X15)."""

from __future__ import annotations

from referee.model.battle import Ruling
from referee.ports.rules import Entry
from rules.d20_arena.judging.state import Arena, Fighter, Turn
from rules.d20_arena.tables import whole_or_none


def in_scope(arena: Arena, entry: Entry) -> list[tuple[int, Ruling]]:
    """The rulings that hold at a post, with their numbers."""
    return [(number, ruling) for first, last, number, ruling in arena.rulings if first <= entry.index <= last]


def bonus_damage(turn: Turn, name: str) -> set[int]:
    """Damage that a ruling adds to this fighter's attacks in this post."""
    found: set[int] = set()
    for number, ruling in in_scope(turn.arena, turn.entry):
        bonus = whole_or_none(ruling.effect.get("bonus_damage"))
        if bonus is not None and ruling.character in (None, name):
            found.add(bonus)
            turn.arena.rulings_used.add(number)
    return found


def apply_rulings(arena: Arena, entry: Entry) -> None:
    """Set pools and fates as staff decided, before the post is judged."""
    for number, ruling in in_scope(arena, entry):
        if entry.post.id != ruling.post:
            continue
        for fighter in arena.fighters.values():
            if ruling.character in (None, fighter.name) and _apply(fighter, ruling):
                arena.rulings_used.add(number)


def set_here(arena: Arena, entry: Entry, fighter: Fighter, pool: str) -> set[int]:
    """The numbers to which a ruling sets a pool in this post: what else the post holds may stand before it or after."""
    found: set[int] = set()
    for _, ruling in in_scope(arena, entry) if arena.rulings else ():
        pools = ruling.effect.get("set")
        if entry.post.id == ruling.post and ruling.character in (None, fighter.name) and isinstance(pools, dict):
            numbers = (whole_or_none(value) for key, value in pools.items() if str(key).casefold() == pool)
            found.update(number for number in numbers if number is not None)
    return found


def _apply(fighter: Fighter, ruling: Ruling) -> bool:
    done = False
    pools = ruling.effect.get("set")
    for key, value in pools.items() if isinstance(pools, dict) else ():
        number = whole_or_none(value)
        pool = fighter.hp if str(key).casefold() == "hp" else fighter.binds.get(str(key).casefold())
        if pool is not None and number is not None:
            pool.also(number)
            pool.settle(number)
            done = True
    fate = ruling.effect.get("fate")
    if fate in ("dead", "unconscious", "alive"):
        fighter.fate = fate
        if fate != "alive":
            # Whoever is out by a ruling may be written down at 0, or with the HP there were.
            fighter.hp.also(0)
        done = True
    return done
