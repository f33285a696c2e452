"""The map book: a typed view of the board's own tables. Anything of a wrong type counts as missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.ports.reading import squeeze
from referee.ports.rules import Sheets
from rules.enolaptia.formula import Formula, formula_of

#: Larger numbers in a table are mistakes.
LARGEST = 10**6


def whole(value: object) -> int | None:
    """A whole number of a table or sheet, or None where it is none."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST:
        return None
    return value


def section(tables: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A part of the tables, empty where it is missing or no mapping."""
    found = tables.get(key)
    return found if isinstance(found, Mapping) else {}


def entry_of(table: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    """The entry of a name, any case; None where there is none."""
    found = table.get(name)
    if found is None:
        wanted = squeeze(name)
        found = next((value for key, value in table.items() if squeeze(str(key)) == wanted), None)
    return found if isinstance(found, Mapping) else None


@dataclass(frozen=True, slots=True)
class Creature:
    """A kind of creature as the map book has it; None for what is missing."""

    hp: int | None = None
    at: int | None = None
    speed: int | None = None
    exp: int | None = None
    moves: Mapping[int, str] = field(default_factory=dict)


class MapBook:
    """What the tables say about one map and about creatures, spells, potions and items."""

    def __init__(self, sheets: Sheets) -> None:
        """The book of a battle: its map is the battle's option, or the only map that there is."""
        self.tables = sheets.tables
        maps = section(sheets.tables, "maps")
        named = sheets.options.get("map")
        if named is None and len(maps) == 1:
            named = next(iter(maps))
        self.map_name = str(named) if named is not None else None
        self._map = entry_of(maps, self.map_name) if self.map_name else None
        self._creatures: dict[str, Creature | None] = {}

    @property
    def has_map(self) -> bool:
        """Whether the battle's map is in the tables."""
        return self._map is not None

    def enemies(self, die: int) -> tuple[str, ...] | None:
        """The kinds in the row of a die, or None where the table lacks it (E1)."""
        row = _row(self._map, "enemies", die)
        kinds = row if isinstance(row, (list, tuple)) else [row]
        return tuple(str(kind) for kind in kinds) if row is not None else None

    def drop(self, die: int) -> str | None:
        """The item in the row of a die (E12)."""
        row = _row(self._map, "drops", die)
        return str(row) if isinstance(row, (str, int)) else None

    @property
    def bosses(self) -> frozenset[str]:
        """The map's bosses, folded for comparison."""
        found = (self._map or {}).get("bosses")
        return frozenset(squeeze(str(name)) for name in found) if isinstance(found, (list, tuple)) else frozenset()

    def is_boss(self, kind: str) -> bool:
        """Whether a kind is a boss of this map."""
        return squeeze(kind) in self.bosses

    def may_be_boss(self, kind: str) -> bool:
        """Whether a kind is a boss of any map: after a wrong encounter nobody knows better (NE11)."""
        lists = [entry.get("bosses") for entry in section(self.tables, "maps").values() if isinstance(entry, Mapping)]
        return any(squeeze(str(name)) == squeeze(kind) for found in lists if isinstance(found, list) for name in found)

    def knows(self, kind: str) -> bool:
        """Whether any table names a kind of creature."""
        wanted = squeeze(kind)
        return any([squeeze(name) == wanted for name in kinds_in(self.tables)])

    def knows_item(self, name: str) -> bool:
        """Whether any table names an item: a drop of any map, a potion, an item."""
        wanted = squeeze(name)
        maps = section(self.tables, "maps").values()
        dropped = [item for entry in maps if isinstance(entry, Mapping) for item in section(entry, "drops").values()]
        named = [*dropped, *section(self.tables, "potions"), *section(self.tables, "items")]
        return any([squeeze(str(item)) == wanted for item in named])

    def creature(self, kind: str) -> Creature | None:
        """A kind's sheet, or None where the tables lack it."""
        if kind not in self._creatures:
            found = entry_of(section(self.tables, "creatures"), kind)
            self._creatures[kind] = None if found is None else _creature(found)
        return self._creatures[kind]

    def ability(self, action: str, name: str) -> Mapping[str, Any] | None:
        """A spell, special or skill of the tables."""
        return entry_of(section(self.tables, f"{action}s"), name)

    def formula(self, action: str, name: str) -> Formula | None:
        """The damage of a spell, special or skill, or None where the tables do not give one."""
        found = self.ability(action, name)
        return None if found is None else formula_of(found.get("damage"))

    def potion(self, name: str) -> int | None:
        """What a potion heals, or None where the tables do not say."""
        found = entry_of(section(self.tables, "potions"), name)
        return None if found is None else whole(found.get("heal"))

    @property
    def has_items(self) -> bool:
        """Whether the tables list items at all."""
        return bool(section(self.tables, "items"))

    def drop_bonus(self, item: str) -> int | None:
        """What an item adds to the first drop roll; None where it is not in the tables (NE18)."""
        found = entry_of(section(self.tables, "items"), item)
        if found is None:
            return None
        return whole(found.get("drop_roll", 0))

    def allocation(self, number: int) -> tuple[tuple[int, int], ...] | None:
        """The allocation numbers for a party of that size, as (lowest, highest) pairs (E7)."""
        row = _row(self.tables, "allocation", number)
        if not isinstance(row, (list, tuple)):
            return None
        pairs = [tuple(whole(n) for n in pair) for pair in row if isinstance(pair, (list, tuple)) and len(pair) == 2]
        return tuple((a, b) for a, b in pairs if a is not None and b is not None) or None


def kinds_in(tables: Mapping[str, Any]) -> Iterable[str]:
    """Every kind of creature that the tables name."""
    found = list(section(tables, "creatures"))
    for book in section(tables, "maps").values():
        for row in section(book, "enemies").values() if isinstance(book, Mapping) else ():
            if isinstance(row, list):
                found += row
            else:
                found.append(row)
    return dict.fromkeys([name for name in found if isinstance(name, str) and name.strip()])


def _row(table: Mapping[str, Any] | None, key: str, die: int) -> Any:
    """A row by its number; JSON's "1" and YAML's 1 are the same (X15)."""
    rows: Mapping[Any, Any] = section(table or {}, key)
    found = rows.get(die)
    return rows.get(str(die)) if found is None else found


def _creature(entry: Mapping[str, Any]) -> Creature:
    moves = {}
    for key, name in section(entry, "moves").items():
        die = whole(int(key)) if isinstance(key, str) and key.isdecimal() and len(key) < 3 else whole(key)
        if die is not None and isinstance(name, str):
            moves[die] = name
    hp, at, speed, exp = (whole(entry.get(key)) for key in ("hp", "at", "speed", "exp"))
    return Creature(hp, at, speed, exp, moves)
