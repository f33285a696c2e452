"""Sheets of Deus and Angel: what may stand there, and the rules of creation (D18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from referee.model.battle import Table
from referee.ports.rules import rule
from rules.angel_dolls.statements import ELEMENTS, STATS
from rules.angel_dolls.tables import Numbers, mapping, number, stats_of

#: Battle options, and a character's fields with what stands in each (notation.md G4, G5, NA); `check_sheet` looks
#: into the stats and affinities itself.
OPTIONS: Mapping[str, tuple[str, ...]] = {"judge": (), "official": ()}
FIELDS: Mapping[str, tuple[str, ...]] = {
    "deus": (),
    "affinities": (),
    "equipment": (),
    "generator": (),
    "exp": (),
    "start": (),
    "secret": ("hp",),
}
#: The doll's six parts and the two stats that each feeds (D18).
PARTS: Mapping[str, tuple[str, str]] = {
    "head": ("Reflexes", "Magic"),
    "arms": ("Strength", "Reflexes"),
    "legs": ("Agility", "Strength"),
    "frame": ("Durability", "Agility"),
    "armor": ("Resistance", "Durability"),
    "gem": ("Magic", "Resistance"),
}


@rule("D18", cites="Making a fighter")
def deus_excess(stats: Mapping[str, int], exp: int | None, numbers: Numbers) -> int:
    """A Deus has 75 points for the six stats and traits; 1 EXP buys one point more.

    Traits are paid from the same points, so a sum below 75 proves nothing.
    """
    return max(0, sum(stats.values()) - numbers.deus_points - (exp or 0))


@rule("D18", cites="Making a fighter")
def doll_excess(stats: Mapping[str, int], exp: int | None, numbers: Numbers) -> int:
    """A doll has six parts of 20 points, each feeding two stats; 1 EXP buys one point more.

    Each part feeds two stats. For any group of stats the parts that touch it bound their sum; the
    worst group gives the excess. Where the EXP is not known only single stats are looked at: sums
    of grown dolls say nothing.
    """
    groups = _groups(1 if exp is None else len(STATS))
    excess = [sum([stats.get(stat, 0) for stat in group]) - numbers.part_points * parts for group, parts in groups]
    return max(0, max(excess) - (exp or 0))


@lru_cache(maxsize=len(STATS))
def _groups(most: int) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Every group of up to so many stats, with the number of parts that touch it."""
    groups = [group for size in range(1, most + 1) for group in combinations(STATS, size)]
    return tuple((group, sum(not set(pair).isdisjoint(group) for pair in PARTS.values())) for group in groups)


def check_sheet(sheet: Table) -> Iterator[str]:
    """What is wrong with a character's sheet, one `key: what is wrong` a line."""
    for part in ("deus", "stats"):
        values = sheet.get(part)
        if values is None:
            yield f"{part}: missing (the six stats of the {'Deus' if part == 'deus' else 'Angel'})"
        elif not isinstance(values, Mapping):
            yield f"{part}: must be a table"
        else:
            yield from _check_stats(part, stats_of(values))
    if isinstance(sheet.get("stats"), Mapping) and "HP" not in stats_of(sheet["stats"]) and "generator" not in sheet:
        yield "stats.HP: missing (or give `generator`)"
    for element, value in mapping(sheet.get("affinities")).items():
        if str(element).capitalize() not in ELEMENTS or number(value) is None:
            yield f"affinities.{element}: must be one of {', '.join(ELEMENTS)} with a whole number"
    if "equipment" in sheet and not isinstance(sheet["equipment"], (list, tuple)):
        yield "equipment: must be a list of names"
    if "generator" in sheet and number(sheet["generator"]) is None:
        yield "generator: must be its HP, a whole number"


def _check_stats(part: str, values: Mapping[str, object]) -> Iterator[str]:
    allowed = (*STATS, "HP") if part == "stats" else STATS
    for stat, value in values.items():
        if stat not in allowed or number(value) is None:
            yield f"{part}.{stat}: must be one of {', '.join(allowed)} with a whole number"
    for stat in STATS:
        if stat not in values:
            yield f"{part}.{stat}: missing"


EXAMPLE_SHEET = """\
# angel_dolls
# [[character]]
# name = "Riget"
# player = "mara"                  # the account of the Deus
# deus = {Strength = 4, Agility = 3, Durability = 10, Reflexes = 3, Magic = 8, Resistance = 10}
# stats = {Strength = 30, Agility = 22, Durability = 15, Reflexes = 22, Magic = 17, Resistance = 22, HP = 150}
# generator = 150                  # instead of HP: gives HP and a bonus on all stats
# affinities = {Fire = 5, Dark = -10}
# equipment = ["paired claws", "scope chip"]
# exp = 12                         # points bought with EXP, for the check of the sheet
"""
