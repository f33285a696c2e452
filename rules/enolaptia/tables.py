"""The ruleset's data: the rulebook's numbers, an example map book, and what is wrong with a board's own tables."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

from referee.model.battle import Table
from rules.enolaptia.book import section, whole
from rules.enolaptia.formula import formula_of

#: `rulebook`: the rulebook's numbers alone; `example`: with the invented map book that shows the form.
PROFILES = ("rulebook", "example")

#: Battle options with their values, and a character's fields with what stands in each (notation.md G4, G5, NE).
OPTIONS: Mapping[str, tuple[str, ...]] = {"map": (), "kind": ("duel", "spar")}
FIELDS = {"items": (), "present": (), "stats": ("HP", "AT", "Speed"), "secret": ("hp",), "start": ("hp",)}

_SECTIONS = ("maps", "creatures", "spells", "specials", "skills", "potions", "items", "allocation")


@cache
def _data(name: str) -> str:
    return files(__package__).joinpath("data", f"{name}.toml").read_text("utf-8")


@cache
def _loaded(profile: str) -> dict[str, Any]:
    found = tomllib.loads(_data("rulebook"))
    if profile == "example":
        found |= tomllib.loads(_data("example_map_book"))
    return found


def tables(profile: str | None, at: datetime | None) -> Table:
    """The data of a profile (`rulebook` unless named). The numbers have not changed since the first edition."""
    return _loaded(profile if profile in PROFILES else "rulebook")


def example_tables() -> str:
    """The example map book as text, for a new configuration."""
    return _data("example_map_book")


EXAMPLE_SHEET = """\
# Enolaptia: one entry for each character.
[[character]]
name = "Example Wanderer"
player = "example_account"
side = "party"                            # in a duel: a or b
stats = { HP = 40, AT = 12, Speed = 10 }
items = ["Example Charm"]                 # what may add to drop rolls
# present = false                         # not in the battle at its start: joins by the party stone
"""


def check_tables(found: Table) -> Iterable[str]:
    """What is wrong with the tables, as `key: what is wrong` lines."""
    for key in _SECTIONS:
        if key in found and not isinstance(found[key], Mapping):
            yield f"{key}: a table of names was expected"
    for name, entry in section(found, "maps").items():
        yield from _check_map(f"maps.{name}", entry, section(found, "creatures"))
    for name, entry in section(found, "creatures").items():
        yield from _check_numbers(f"creatures.{name}", entry, ("hp", "at", "speed", "exp"))
        yield from _check_moves(f"creatures.{name}", entry, section(found, "specials"))
    for key in ("spells", "specials", "skills"):
        for name, entry in section(found, key).items():
            yield from _check_damage(f"{key}.{name}", entry)
    for key, field in (("potions", "heal"), ("items", "drop_roll")):
        for name, entry in section(found, key).items():
            yield from _check_numbers(f"{key}.{name}", entry, (field,))


def _check_map(where: str, entry: object, creatures: Mapping[str, Any]) -> Iterable[str]:
    if not isinstance(entry, Mapping):
        yield f"{where}: a table with enemies, drops and bosses was expected"
        return
    for part in ("enemies", "drops"):
        rows = section(entry, part)
        there = {str(die) for die in rows}
        missing = [die for die in "123456" if die not in there]
        if missing:
            yield f"{where}.{part}: no row for {', '.join(missing)}"
        for die, row in rows.items():
            names = row if isinstance(row, list) else [row]
            if not names or not all(isinstance(name, str) for name in names):
                yield f"{where}.{part}.{die}: a name or a list of names was expected"
            elif part == "enemies" and creatures:
                yield from (
                    f"{where}.{part}.{die}: {name} is not in creatures" for name in names if name not in creatures
                )
    if not isinstance(entry.get("bosses", []), list):
        yield f"{where}.bosses: a list of names was expected"


def _check_numbers(where: str, entry: object, keys: tuple[str, ...]) -> Iterable[str]:
    if not isinstance(entry, Mapping):
        yield f"{where}: a table was expected"
        return
    for key in keys:
        number = whole(entry.get(key))
        if number is None or number < 0:
            yield f"{where}.{key}: a whole number was expected"


def _check_moves(where: str, entry: object, specials: Mapping[str, Any]) -> Iterable[str]:
    moves = section(entry, "moves") if isinstance(entry, Mapping) else {}
    for die, name in moves.items():
        if str(die) not in {*"123456"}:
            yield f"{where}.moves.{die}: the sides of a die, 1 to 6, were expected"
        elif name != "normal attack" and str(name) not in specials:
            yield f"{where}.moves.{die}: {name} is neither `normal attack` nor in specials"


def _check_damage(where: str, entry: object) -> Iterable[str]:
    if not isinstance(entry, Mapping):
        yield f"{where}: a table was expected"
    elif "damage" in entry and formula_of(entry["damage"]) is None:
        yield f"{where}.damage: an expression such as 1d6+2 or AT+1d6, or a number, was expected"


def check_sheet(sheet: Table) -> Iterable[str]:
    """What is wrong with a character's sheet, as `key: what is wrong` lines."""
    stats = sheet.get("stats")
    if not isinstance(stats, Mapping):
        yield "stats: HP, AT and Speed were expected"
    else:
        for key in ("HP", "AT", "Speed"):
            number = whole(stats.get(key))
            if number is None or number < 0:
                yield f"stats.{key}: a whole number was expected"
    if not isinstance(sheet.get("items", []), (list, tuple)):
        yield "items: a list of names was expected"
    if not isinstance(sheet.get("present", True), bool):
        yield "present: true or false was expected"
