"""The tables of the system: shipped numbers, overrides, abilities; robust against values of any type."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

from referee.model.battle import Table
from referee.model.dice import Dice, read_dice
from referee.ports.reading import squeeze
from referee.ports.rules import Sheets
from rules.d20_arena.words import AREAS

_LARGEST = 999_999_999
#: Nearly every table is a plain dict, which is told at once.
_MAPPINGS = (dict, Mapping)

#: Battle options, and a character's fields with what stands in each (notation.md G4, G5, ND).
OPTIONS: Mapping[str, tuple[str, ...]] = {"arena": ()}
FIELDS = {
    "abilities": (),
    "binds": AREAS,
    "resistances": (),
    "start": (),
    "stats": ("HP", "DEF", "ATK", "RES"),
    "secret": ("hp",),
}
TYPES = ("damage", "bind", "heal", "self", "reaction", "aid")


@lru_cache(maxsize=1)
def shipped() -> dict[str, Any]:
    """The numbers of the rulebook, from the data file."""
    return tomllib.loads(resources.files(__package__).joinpath("data/rulebook.toml").read_text("utf-8"))


def tables(profile: str | None, at: datetime | None) -> Table:
    """The data of the only profile; it has never changed, so the date does not matter."""
    del profile, at
    return shipped()


class Ability(NamedTuple):
    """One row of `abilities`; what it does not say is None."""

    name: str
    type: str | None = None
    melee: bool = False
    to_hit: int | None = None
    damage: Dice | None = None
    levels: Dice | None = None
    part: str | None = None
    save: int | None = None
    heal: Dice | None = None
    kind: str | None = None
    cooldown: int | None = None
    uses: int | None = None
    special: bool = False
    defense: int | None = None
    reduce: int | None = None

    @property
    def limited(self) -> bool:
        """Whether it can't be used at any time (A8, A9)."""
        return self.special or self.cooldown is not None or self.uses is not None


@dataclass(frozen=True, slots=True)
class Escapes:
    """The escape table (A15): level -> lowest roll -> levels lost; `extra`: more on a natural 20."""

    rows: Mapping[int, Mapping[int, int]]
    extra: int
    banded: bool


@dataclass(frozen=True, slots=True)
class Traps:
    """The GM's traps (A6): sprung at or below a number that depends on the stance."""

    moving: int
    standing: int
    damage: int
    stops: bool


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of one battle in typed form; rows of abilities and bind levels are read when they are asked for.

    `typed`, `listed`, `changes`: abilities, bind levels and changes of Defense that have been asked for so far.
    """

    rows: Mapping[str, tuple[str, Mapping[Any, Any]]]
    bind_levels: Mapping[Any, Any]
    bind_max: int
    hobbled_from: int
    escapes: Escapes
    traps: Traps | None
    standing: int
    standing_bound: int
    evading: int
    struggles_moving: int
    struggles_standing: int
    critical_damage: Dice
    critical_levels: int
    help_bonus: int
    free_attack: int
    special_from: int
    typed: dict[str, Ability] = field(default_factory=dict)
    listed: dict[str, Mapping[int, Mapping[str, int]]] = field(default_factory=dict)
    changes: dict[tuple[frozenset[tuple[str, str]], frozenset[int]], frozenset[int]] = field(default_factory=dict)

    def ability(self, name: str | None) -> Ability | None:
        """The row of an ability by name or alias, in any case."""
        if not name:
            return None
        found = self.typed.get(name)
        if found is None and (row := self.rows.get(squeeze(name))) is not None:
            found = self.typed[name] = _ability(*row)
        return found

    def penalties(self, area: str) -> Mapping[int, Mapping[str, int]]:
        """What each listed bind level of an area costs."""
        found = self.listed.get(area)
        if found is None:
            found = self.listed[area] = _penalties(mapping(self.bind_levels.get(area)))
        return found

    def missing_penalties(self, area: str) -> str | None:
        """What is missing where the penalties of an area's bind levels are not known; None where they are listed."""
        if not self.bind_levels:
            return "the table `bind_levels` is missing"
        return None if area in self.bind_levels else f"the table `bind_levels` has no rows for the {area}"

    @property
    def spills(self) -> bool:
        """Whether levels above the highest spill over into another area (A15, X10)."""
        return self.bind_max == 8


def tables_of(sheets: Sheets) -> Tables:
    """The typed tables of a battle; rows of a wrong type count as missing."""
    data = sheets.tables
    stance, struggles, critical = (mapping(data.get(key)) for key in ("stance", "struggles", "critical"))
    dice = read_dice(str(critical.get("damage", "1d6"))) or Dice(((1, 6),))
    return Tables(
        rows=dict(_abilities(mapping(data.get("abilities")))),
        bind_levels=mapping(data.get("bind_levels")),
        bind_max=max(0, _whole(data.get("bind_max"), 8)),
        hobbled_from=_whole(data.get("hobbled_from"), 1),
        escapes=_escapes(sheets),
        traps=_traps(data.get("traps")),
        standing=_whole(stance.get("standing"), -3),
        standing_bound=_whole(stance.get("standing_bound"), -2),
        evading=_whole(stance.get("evading"), 2),
        struggles_moving=_whole(struggles.get("moving"), 1),
        struggles_standing=_whole(struggles.get("standing"), 2),
        critical_damage=dice,
        critical_levels=_whole(critical.get("levels"), 1),
        help_bonus=_whole(data.get("help_bonus"), 4),
        free_attack=_whole(data.get("free_attack"), 2),
        special_from=_whole(data.get("special_from"), 3),
    )


def mapping(value: object) -> Mapping[Any, Any]:
    """A table, or an empty one in the place of anything else."""
    if value is None:
        return {}
    return value if isinstance(value, _MAPPINGS) else {}


def whole_or_none(value: object) -> int | None:
    """A whole number of at most nine digits, or None."""
    if value is None:
        return None
    if type(value) is int:
        return value if -_LARGEST <= value <= _LARGEST else None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > _LARGEST:
        return None
    return int(value) if value == int(value) else None


def _whole(value: object, otherwise: int) -> int:
    number = whole_or_none(value)
    return otherwise if number is None else number


def _dice(value: object) -> Dice | None:
    """Dice of a table: an expression, or a plain number."""
    number = whole_or_none(value)
    if number is not None:
        return Dice((), number)
    read = read_dice(value) if isinstance(value, str) else None
    return read if read is not None and 0 <= read.count <= 100 else None


def _abilities(rows: Mapping[Any, Any]) -> Iterator[tuple[str, tuple[str, Mapping[Any, Any]]]]:
    """Every name and alias, folded, with the full name and the row."""
    for name, row in rows.items():
        if not isinstance(row, _MAPPINGS):
            continue
        aliases = row.get("aliases")
        for form in (name, *(aliases if isinstance(aliases, list) else ())):
            yield squeeze(str(form)[:200]), (str(name), row)


def _ability(name: str, row: Mapping[Any, Any]) -> Ability:
    fields = {key: read(row[key]) for key, read in _FIELDS.items() if key in row}
    return Ability(name, melee=row.get("range") == "melee", special=row.get("special") is True, **fields)


#: How each field of an ability's row is read; a value of a wrong type counts as missing.
_FIELDS: dict[str, Callable[[Any], Any]] = {
    "type": lambda said: said if said in TYPES else None,
    "to_hit": whole_or_none,
    "damage": _dice,
    "levels": _dice,
    "part": lambda area: area if area in AREAS else None,
    "save": whole_or_none,
    "heal": _dice,
    "kind": lambda kind: kind.casefold() if isinstance(kind, str) else None,
    "cooldown": whole_or_none,
    "uses": whole_or_none,
    "defense": whole_or_none,
    "reduce": whole_or_none,
}


def _penalties(rows: Mapping[Any, Any]) -> dict[int, dict[str, int]]:
    return {
        level: {key: n for key in ("defense", "help") if (n := whole_or_none(mapping(row).get(key))) is not None}
        for level, row in _numbered(rows)
    }


#: `5 to 7`, `5-7` as a key of the escape table, and `as 3` for a row.
_LEVELS = re.compile(r"[ ]*(\d{1,4})(?:[ ]*(?:to|-|\.\.|\u2013)[ ]*(\d{1,4}))?[ ]*")
_ALIKE = re.compile(r"[ ]*(?:as|like|same as)[ ]+(\d{1,4})[ ]*", re.IGNORECASE)
_MOST_LEVELS = 50


def _numbered(rows: Mapping[Any, Any]) -> Iterator[tuple[int, Any]]:
    """Rows whose keys are numbers, written as numbers or as text (X15)."""
    for key, row in rows.items():
        text = str(key)
        if text.isascii() and text.isdigit() and len(text) < 5:
            yield int(text), row


def _escapes(sheets: Sheets) -> Escapes:
    own = isinstance(sheets.overrides.get("escape"), _MAPPINGS)
    table = sheets.tables.get("escape")
    rows = _classic_escapes() if table is shipped()["escape"] else _escape_rows(mapping(table))
    source = sheets.overrides if own else sheets.tables
    return Escapes(rows, _whole(source.get("escape_natural_20"), 0 if own else 1), not own)


@lru_cache(maxsize=1)
def _classic_escapes() -> Mapping[int, Mapping[int, int]]:
    """The rulebook's own table: most battles play by it."""
    return _escape_rows(shipped()["escape"])


def _escape_rows(table: Mapping[Any, Any]) -> Mapping[int, Mapping[int, int]]:
    return {
        level: {roll: lost for roll, value in _numbered(mapping(row)) if (lost := whole_or_none(value)) is not None}
        for level, row in _spread(table)
    }


def _spread(table: Mapping[Any, Any]) -> Iterator[tuple[int, Any]]:
    """The rows of an escape table level by level: `5 to 7` stands for three levels, `as 3` for another row."""
    for key, row in table.items():
        levels = _LEVELS.fullmatch(str(key))
        alike = _ALIKE.fullmatch(row) if isinstance(row, str) else None
        if levels is not None:
            first, last = int(levels[1]), int(levels[2] or levels[1])
            same = next((other for level, other in _numbered(table) if alike and level == int(alike[1])), row)
            yield from ((level, same) for level in range(first, min(last, first + _MOST_LEVELS) + 1))


def _traps(value: object) -> Traps | None:
    row = mapping(value)
    moving, standing = whole_or_none(row.get("moving")), whole_or_none(row.get("standing"))
    if moving is None and standing is None:
        return None
    return Traps(
        moving if moving is not None else standing or 0,
        standing if standing is not None else moving or 0,
        _whole(row.get("damage"), 0),
        row.get("stops") is True,
    )


_NUMBERS = ("bind_max", "hobbled_from", "escape_natural_20", "help_bonus", "free_attack", "special_from")


def check_tables(data: Table) -> Iterable[str]:
    """What is wrong with overrides, as `key: what is wrong` lines."""
    for key in _NUMBERS:
        if key in data and whole_or_none(data[key]) is None:
            yield f"{key}: a whole number is expected"
    for key in ("abilities", "bind_levels", "escape", "traps", "stance", "struggles", "critical"):
        if key in data and not isinstance(data[key], Mapping):
            yield f"{key}: a table is expected"
    for name, row in mapping(data.get("abilities")).items():
        yield from _check_ability(f"abilities.{name}", row)
    for area in mapping(data.get("bind_levels")):
        if area not in AREAS:
            yield f"bind_levels.{area}: not an area, there are {', '.join(AREAS)}"
    for level, row in mapping(data.get("escape")).items():
        alike = isinstance(row, str) and _ALIKE.fullmatch(row) is not None
        if not (isinstance(row, Mapping) or alike) or _LEVELS.fullmatch(str(level)) is None:
            yield f"escape.{level}: a level with its rolls is expected, such as 2 = {{7 = 1, 13 = 2}}"


def _check_ability(where: str, row: object) -> Iterator[str]:
    if not isinstance(row, Mapping):
        yield f"{where}: a table is expected"
        return
    if row.get("type") is not None and row["type"] not in TYPES:
        yield f"{where}.type: {row['type']!r} is unknown, there are {', '.join(TYPES)}"
    if row.get("part") is not None and row["part"] not in AREAS:
        yield f"{where}.part: {row['part']!r} is no area, there are {', '.join(AREAS)}"
    for key in ("damage", "levels", "heal"):
        if row.get(key) is not None and _dice(row[key]) is None:
            yield f"{where}.{key}: dice such as 2d6+3 are expected"
    for key in ("to_hit", "save", "cooldown", "uses", "targets", "defense", "reduce"):
        if row.get(key) is not None and whole_or_none(row[key]) is None:
            yield f"{where}.{key}: a whole number is expected"


def check_sheet(sheet: Table) -> Iterable[str]:
    """What is wrong with a character's own fields, as `key: what is wrong` lines."""
    stats = sheet.get("stats")
    if stats is not None and not isinstance(stats, Mapping):
        yield "stats: a table with HP and DEF is expected"
    for key, value in mapping(stats).items():
        if whole_or_none(value) is None:
            yield f"stats.{key}: a whole number is expected"
    if sheet.get("abilities") is not None and not isinstance(sheet["abilities"], list):
        yield "abilities: a list of names is expected"
    for area, level in mapping(sheet.get("binds")).items():
        if area not in AREAS:
            yield f"binds.{area}: not an area, there are {', '.join(AREAS)}"
        elif whole_or_none(level) is None:
            yield f"binds.{area}: a level is expected"
    for kind, value in mapping(sheet.get("resistances")).items():
        if whole_or_none(value) is None:
            yield f"resistances.{kind}: a whole number is expected"
    if sheet.get("side") not in (None, "players", "enemies"):
        yield "side: players or enemies is expected"
