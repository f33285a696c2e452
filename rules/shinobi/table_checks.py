"""What is wrong with tables and sheets: the lines of `referee check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.model.battle import Table
from rules.shinobi.lexicon import POOL_WORDS, STATS
from rules.shinobi.order import POLICIES
from rules.shinobi.tables import READINGS, formula_of, whole_or

#: Battle options with their values, and a character's fields with what stands in each (notation.md G4, G5, X15).
OPTIONS = {
    "kind": ("spar", "spars", "friendly", "life_and_death", "life_&_death", "practice"),
    "turn_policy": POLICIES,
    "forfeits": (),
}
#: What a thread's title tells (3.07 Kinds of battle); Life & Death is what counts without a word.
TITLED = dict.fromkeys(("spar", "spars", "sparring"), ("kind", "spar"))
FIELDS = {"rank": (), "skills": (), "stats": STATS, "secret": (), "start": (), "regen": ()}

_SECTIONS = {
    "techniques": frozenset(
        (
            *("phase", "kind", "hits", "damage", "cost", "upkeep", "heal", "self_damage", "dot", "ghost", "negates"),
            *("skips_main", "bloodline", "aliases", "inflicts", "block_range", "turns", "takes_turn"),
        )
    ),
    "skills": frozenset(("phase", "negates", "cost", "passive", "critical_range", "block_range", "aliases", "heal")),
    "weapons": frozenset(("size", "damage")),
    "items": frozenset(("heal", "aliases")),
    "statuses": frozenset(("turns", "stats", "at_most", "hit_chance", "damage", "unjudged")),
    "modifiers": frozenset(("offense", "defense")),
}
_WHOLE = frozenset(("hits", "damage", "negates", "critical_range", "block_range", "turns", "hit_chance"))
_MAPS = frozenset(("cost", "upkeep", "heal", "self_damage", "dot", "stats", "at_most"))


def check_tables(tables: Table) -> Iterable[str]:
    """Lines `key: what is wrong` for tables that the judge would have to pass over."""
    for section, known in _SECTIONS.items():
        table = tables.get(section)
        if table is None:
            continue
        if not isinstance(table, Mapping):
            yield f"{section}: must be a table of names"
            continue
        for name, row in table.items():
            yield from _check_row(f"{section}.{name}", row, known, section)
    if tables.get("hit_chance") is not None and formula_of(tables["hit_chance"]) is None:
        yield "hit_chance: needs base, attacker, target and divisor"
    pins = tables.get("readings")
    if pins is not None and not isinstance(pins, Mapping):
        yield "readings: must be a table"
    for key, value in pins.items() if isinstance(pins, Mapping) else ():
        if key not in READINGS:
            yield f"readings.{key}: unknown key; there are {', '.join(READINGS)}"
        elif value not in READINGS[key]:
            yield f"readings.{key}: must be one of {', '.join(READINGS[key])}"
    if tables.get("exhaustion") not in (None, "phase", "post", "either"):
        yield "exhaustion: must be phase, post or either"


def _check_row(place: str, row: Any, known: frozenset[str], section: str) -> Iterator[str]:
    if not isinstance(row, Mapping):
        yield f"{place}: must be a table"
        return
    for key, value in row.items():
        if key not in known:
            yield f"{place}.{key}: unknown key"
        elif key in _MAPS or (section == "statuses" and key == "damage"):
            if not isinstance(value, Mapping):
                yield f"{place}.{key}: must be a table of numbers"
        elif key in _WHOLE and whole_or(value, None) is None:
            yield f"{place}.{key}: must be a whole number"
    if section == "weapons" and row.get("size") not in ("small", "medium", "large"):
        yield f"{place}.size: must be small, medium or large"


def check_sheet(sheet: Table) -> Iterable[str]:
    """Lines `key: what is wrong` for a character sheet."""
    for key in ("stats", "secret", "start", "regen"):
        found = sheet.get(key)
        if found is None:
            continue
        if not isinstance(found, Mapping):
            yield f"{key}: must be a table of numbers"
            continue
        for name, value in found.items():
            if whole_or(value, None) is None:
                yield f"{key}.{name}: must be a whole number"
            elif key != "stats" and POOL_WORDS.get(str(name).casefold()) is None:
                yield f"{key}.{name}: no such pool (hp, chakra, stamina)"
    skills = sheet.get("skills")
    if skills is not None and not isinstance(skills, (list, tuple)):
        yield "skills: must be a list of names"
