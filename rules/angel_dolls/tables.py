"""The tables of the doll arena: shipped values, checks of a board's own, and what rules read from them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.model.battle import Table
from referee.ports.reading import squeeze
from rules.angel_dolls.statements import ELEMENTS, STAT_WORDS, STATS

#: Larger numbers than this in tables or sheets are mistakes.
LARGEST = 1_000_000

PROFILES = ("rulebook",)


@lru_cache(maxsize=4)
def _shipped(profile: str) -> Table:
    with (Path(__file__).parent / "data" / f"{profile}.toml").open("rb") as file:
        return tomllib.load(file)


def tables(profile: str | None, at: datetime | None) -> Table:
    """The shipped tables; there is one profile, in force at all times. Unknown names give it too."""
    return _shipped("rulebook")


def number(value: Any) -> int | None:
    """A whole number of sensible size, or None where the value is none."""
    return value if type(value) is int and -LARGEST <= value <= LARGEST else None


def mapping(value: Any) -> Mapping[Any, Any]:
    """The value if it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def stats_of(given: Any) -> dict[str, Any]:
    """The stats of a sheet or table by their names in the rules: any letters, short or by the other name (D1)."""
    return {_stat_name(str(key)): value for key, value in mapping(given).items()}


def _stat_name(key: str) -> str:
    folded = key.strip().casefold()
    return "HP" if folded in ("hp", "hit points", "health") else STAT_WORDS.get(folded, key)


@dataclass(frozen=True, slots=True, eq=False)
class Gear:
    """A weapon or accessory of the table, told apart by identity.

    `stats`: what it adds; `durability` and `hp` belong to weapons (D13). `unknown`: the table lacks
    it, but posts use it as a weapon.
    """

    name: str
    weapon: bool
    handheld: bool
    stats: Mapping[str, int]
    durability: int | None = None
    hp: int | None = None
    entangles: bool = False
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Numbers:
    """Everything that rules take from the tables, with the rulebook's values where a board gives none.

    `dice`: those of a check, as the dice desk wants them.
    """

    low: int = 1
    high: int = 50
    dice: tuple[str, ...] = ("1d50",)
    chain_step: int = 10
    full_defense: int = 150
    simultaneous: int = 50
    disable_share: int = 3
    strangle_share: int = 4
    strangle_growth: int = 2
    points_min: int = 0
    points_max: int = 5
    deus_points: int = 75
    part_points: int = 20
    manoeuvres: Mapping[str, int] = field(default_factory=dict)
    entangled: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    elemental_entangled: int = 20
    generators: Mapping[int, int] = field(default_factory=dict)
    gear: Mapping[str, Gear] = field(default_factory=dict)
    powers: Mapping[str, str] = field(default_factory=dict)


def numbers_of(given: Table) -> Numbers:
    """The numbers of a battle's tables; a value of the wrong type counts as missing."""
    base = _shipped("rulebook")
    check, strangle = mapping(given.get("check")), mapping(given.get("strangle"))
    points, creation = mapping(given.get("trainer_points")), mapping(given.get("creation"))
    entangled = mapping(given.get("entangled", base["entangled"]))
    manoeuvres = {**base["manoeuvres"], **_whole(mapping(given.get("manoeuvres")))}
    high = max(_or(check.get("high"), 50), 1)
    return Numbers(
        low=_or(check.get("low"), 1),
        high=high,
        dice=(f"1d{high}",),
        chain_step=_or(given.get("chain_step"), 10),
        full_defense=_or(given.get("full_defense"), 150),
        simultaneous=_or(given.get("simultaneous"), 50),
        disable_share=max(_or(given.get("disable_share"), 3), 1),
        strangle_share=max(_or(strangle.get("share"), 4), 1),
        strangle_growth=min(_or(strangle.get("growth"), 2), 10),
        points_min=_or(points.get("min"), 0),
        points_max=_or(points.get("max"), 5),
        deus_points=_or(creation.get("deus"), 75),
        part_points=_or(creation.get("part"), 20),
        manoeuvres=manoeuvres,
        entangled={part: _whole(mapping(entangled.get(part))) for part in ("legs", "arms", "strangle")},
        elemental_entangled=_or(entangled.get("elemental"), 20),
        generators=_generators(given),
        gear=_gears(given),
        powers=_powers(given),
    )


def _or(value: Any, otherwise: int) -> int:
    found = number(value)
    return otherwise if found is None else found


def _whole(values: Mapping[Any, Any]) -> dict[str, int]:
    return {str(key): value for key, value in values.items() if number(value) is not None}


def _generators(given: Table) -> dict[int, int]:
    found: dict[int, int] = {}
    for key, bonus in mapping(given.get("generators")).items():
        if str(key).strip().isdecimal() and len(str(key)) < 8 and number(bonus) is not None:
            found[int(str(key))] = bonus
    return found


def _gears(given: Table) -> dict[str, Gear]:
    found: dict[str, Gear] = {}
    for name, row in mapping(given.get("equipment")).items():
        if isinstance(row, Mapping):
            found[squeeze(str(name))] = _gear(str(name), row)
    return found


def _gear(name: str, row: Mapping[Any, Any]) -> Gear:
    weapon = str(row.get("type", "weapon")).casefold() != "accessory"
    return Gear(
        name,
        weapon,
        weapon and row.get("handheld", True) is not False,
        _whole(stats_of(row.get("stats"))),
        number(row.get("durability")),
        number(row.get("hp")),
        row.get("entangles") is True,
    )


def _powers(given: Table) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, row in mapping(given.get("powers")).items():
        element = str(mapping(row).get("element", "")).capitalize()
        if element in ELEMENTS:
            found[squeeze(str(name))] = element
    return found


def check_tables(given: Table) -> Iterator[str]:
    """What is wrong with a board's tables, one `key: what is wrong` a line."""
    for key in ("equipment", "powers", "generators", "entangled", "manoeuvres"):
        if key in given and not isinstance(given[key], Mapping):
            yield f"{key}: must be a table"
    for key in ("chain_step", "full_defense", "simultaneous", "disable_share"):
        if key in given and number(given[key]) is None:
            yield f"{key}: must be a whole number"
    for name, row in mapping(given.get("equipment")).items():
        yield from _check_gear(str(name), row)
    for name, row in mapping(given.get("powers")).items():
        if str(mapping(row).get("element", "")).capitalize() not in ELEMENTS:
            yield f"powers.{name}.element: must be one of {', '.join(ELEMENTS)}"
    for key, bonus in mapping(given.get("generators")).items():
        if not str(key).strip().isdecimal() or number(bonus) is None:
            yield f"generators.{key}: must be HP = what is added to all stats, both whole numbers"


def _check_gear(name: str, row: Any) -> Iterator[str]:
    if not isinstance(row, Mapping):
        yield f"equipment.{name}: must be a table"
        return
    if row.get("type") not in ("weapon", "accessory"):
        yield f"equipment.{name}.type: must be weapon or accessory"
    for stat, value in stats_of(row.get("stats")).items():
        if str(stat).capitalize() not in STATS or number(value) is None:
            yield f"equipment.{name}.stats.{stat}: must be one of {', '.join(STATS)} with a whole number"
    for key in ("durability", "hp"):
        if key in row and (number(row[key]) is None or row[key] < 0):
            yield f"equipment.{name}.{key}: must be a whole number of at least 0"
    for key in ("handheld", "entangles"):
        if key in row and not isinstance(row[key], bool):
            yield f"equipment.{name}.{key}: must be true or false"


EXAMPLE_TABLES = """\
# angel_dolls: weapons, accessories and powers of this board. Keys left out keep the rulebook's values.
# [tables.angel_dolls.equipment."long spear"]
# type = "weapon"                 # weapon or accessory
# handheld = true                 # can be disarmed
# stats = {Strength = 12}         # what it adds while usable
# durability = 30                 # for Shattering Blow
# hp = 40
# [tables.angel_dolls.equipment."scope chip"]
# type = "accessory"
# stats = {Agility = 5}
# [tables.angel_dolls.powers."Shadow Snap"]
# element = "Dark"
# [tables.angel_dolls.generators]  # HP = what is added to all six stats
# 150 = 5
"""
