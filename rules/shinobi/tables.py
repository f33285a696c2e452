"""The ruleset's data: profiles as files, and a typed view on tables that may be incomplete or wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from referee.model.battle import Table
from referee.model.records import filled_directly
from referee.ports.reading import squeeze
from referee.ports.rules import Sheets
from rules.shinobi.lexicon import POOL_WORDS, rows, stat_label
from rules.shinobi.model import POOLS

PROFILES = ("rulebook", "later")
_TABLE_OF = {"technique": "techniques", "skill": "skills", "item": "items"}
_RANKS = ("Gennin", "Chuunin", "Jounin", "Sennin")
_BOOKKEEPING = frozenset({"as_of", "valid_from", "valid_to"})


@cache
def _profile(name: str) -> dict[str, Any]:
    text = files("rules.shinobi").joinpath("data", f"{name}.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def _merged(name: str) -> dict[str, Any]:
    whole = {**_profile("rulebook"), **(_profile(name) if name != "rulebook" else {})}
    return {key: value for key, value in whole.items() if key not in _BOOKKEEPING}


def tables_for(profile: str | None, at: datetime | None) -> Table:
    """The data of a named profile, else of the one in force on that date, else the rulebook's."""
    if profile in PROFILES:
        return _merged(profile)
    for name in PROFILES:
        starts, ends = _profile(name)["valid_from"], _profile(name)["valid_to"]
        day = at.date().isoformat() if at else ""
        if day and starts and starts <= day and (not ends or day <= ends):
            return _merged(name)
    return _merged("rulebook")


@filled_directly
@dataclass(frozen=True, slots=True)
class Skill:
    """A technique, skill or item as the tables have it; numbers that are missing are None or empty."""

    name: str
    sort: str
    phase: str | None = None
    kind: str | None = None
    hits: int | None = None
    damage: int | None = None
    cost: Mapping[str, int] = field(default_factory=dict)
    upkeep: Mapping[str, int] = field(default_factory=dict)
    heal: Mapping[str, int] = field(default_factory=dict)
    self_damage: Mapping[str, int] = field(default_factory=dict)
    dot: Mapping[str, int] = field(default_factory=dict)
    dot_turns: int = 0
    ghost: bool = False
    negates: int = 0
    skips_main: bool = False
    bloodline: bool = False
    passive: bool = False
    critical_range: int = 0
    block_range: int = 0
    turns: int = 0
    inflicts: str | None = None
    takes_turn: bool = False

    @property
    def attacks(self) -> bool:
        """Whether it is an attack: it has hits, damage or an effect on the opponent."""
        return self.damage is not None or self.hits is not None or self.inflicts is not None or bool(self.dot)


@dataclass(frozen=True, slots=True)
class Effect:
    """A status effect (2.02): turns, factors and ceilings on stats, change of the chance to hit, damage factors."""

    name: str
    turns: int = 1
    stats: Mapping[str, Fraction] = field(default_factory=dict)
    at_most: Mapping[str, int] = field(default_factory=dict)
    hit_chance: int = 0
    damage: Mapping[str, Fraction] = field(default_factory=dict)
    unjudged: str | None = None


#: Where the rulebook is silent, a board may pin one reading (`[tables.shinobi.readings]`).
READINGS: Mapping[str, tuple[str, ...]] = {
    "critical": ("either", "down", "up"),
    "modifier": ("any", "exact", "down", "up"),
    "hit_chance": ("either", "down", "up"),
    "status": ("either", "down", "up"),
}


class Critical(NamedTuple):
    """What a critical hit does to damage (S12): its factor, and how half a point is rounded."""

    factor: Fraction
    rounding: str = "either"


@dataclass(frozen=True, slots=True)
class Formula:
    """How Accuracy and Evasion give the chance to hit (S14), where a board says so."""

    base: int
    attacker: str
    target: str
    divisor: int
    least: int
    rounding: str = "either"


class Data:
    """Typed access to the tables of one battle."""

    def __init__(self, tables: Table) -> None:
        """A view on these tables; wrong types count as missing."""
        self.tables = tables
        self.weapons = {squeeze(name): row for name, row in rows(tables, "weapons")}
        # A battle uses few of the abilities in its tables: each is read when it is first asked for.
        self._rows: dict[str, dict[str, Mapping[str, Any]]] = {}
        self._abilities: dict[tuple[str, str], Skill | None] = {}
        self._effects: dict[str, Effect | None] = {}
        self._forms = _by_form(tables)
        self.techniques = bool(self._forms)
        self._techniques: dict[str, Skill | None] = {}
        self._every: tuple[Skill, ...] | None = None
        self._pairs: dict[str, tuple[str | None, str | None] | None] = {}
        self._limits: dict[tuple[str, str | None], int | None] = {}
        self._weapons: dict[str, tuple[str, int | None] | None] = {}
        self.kinds: dict[str, tuple[str, Skill | None]] = {}
        self.block_range = self.number("chances", "block_range", 5)
        self.critical_range = self.number("chances", "critical_range", 1)
        self.concentration_step = max(1, self.number("chances", "concentration_step", 100))
        self.cap = self.number("chances", "cap", 90)
        self.divisor = max(1, self.number("chances", "divisor", 4))
        factor = _fraction(self._row("chances").get("critical_factor")) or Fraction(3, 2)
        self.critical = Critical(factor, self.pinned("critical"))
        self.modifier_rounding = self.pinned("modifier", "any")
        self.status_rounding = self.pinned("status")
        self.critical_cap = whole_or(tables.get("critical_cap"), 75)
        self.passive_cap = whole_or(tables.get("critical_cap_passive"), None)
        self.block_cap = whole_or(tables.get("block_range_max"), None)
        self.basic_damage = self.number("basic", "damage", 5)
        self.basic_stamina = self.number("basic", "stamina", 5)
        self.basic_step = max(1, self.number("basic", "step", 30))
        self.basic_bonus = self.number("basic", "bonus", 5)
        self.guard_success = self.number("limits", "guard_success", 15)
        self.setup_actions = self.number("limits", "setup_actions", 1)
        self.response_techniques = self.number("limits", "response_techniques", 1)
        self.many_hits = self.number("limits", "many_hits", 5)
        self.death_beyond = _fraction(self._row("limits").get("death_beyond")) or Fraction(1, 10)
        timing = self._row("timing")
        self.upkeep = timing.get("upkeep") is not False
        self.both_exhausted = timing.get("knocked_out") == "both"
        self.exhaustion = str(tables.get("exhaustion") or timing.get("exhaustion") or "either")
        self.stamina_regen = _fraction(timing.get("stamina_regen")) or Fraction(0)
        self.worn_out = _fraction(timing.get("worn_out_factor")) or Fraction(1)
        self.formula = formula_of(tables.get("hit_chance"), self.pinned("hit_chance"))

    def _row(self, key: str) -> Mapping[str, Any]:
        row = self.tables.get(key)
        return row if isinstance(row, dict) else {}

    def pinned(self, key: str, default: str = "either") -> str:
        """The reading that a board pins where the rulebook is silent; the default leaves it open."""
        found = self._row("readings").get(key)
        return found if found in READINGS[key] else default

    def number(self, table: str, key: str, default: int) -> int:
        """A whole number of a table, or the default where it is missing or wrong."""
        found = whole_or(self._row(table).get(key), default)
        return default if found is None else found

    def ability(self, sort: str, name: str) -> Skill | None:
        """A technique, skill or item by its name in the tables."""
        if (sort, name) not in self._abilities:
            if sort not in self._rows:
                self._rows[sort] = dict(rows(self.tables, _TABLE_OF[sort]))
            row = self._rows[sort].get(name)
            self._abilities[sort, name] = _skill(name, sort, row) if row is not None else None
        return self._abilities[sort, name]

    def effect(self, name: str) -> Effect | None:
        """A status effect by name, any case."""
        form = squeeze(name)
        if form not in self._effects:
            found = next(((n, row) for n, row in rows(self.tables, "statuses") if squeeze(n) == form), None)
            self._effects[form] = _effect(*found) if found is not None else None
        return self._effects[form]

    def technique(self, name: str) -> Skill | None:
        """The technique with that name, any case, or an alias of it."""
        if name not in self._techniques:
            found = self._forms.get(squeeze(name))
            self._techniques[name] = self.ability("technique", found) if found is not None else None
        return self._techniques[name]

    def all_techniques(self) -> tuple[Skill, ...]:
        """Every technique of the tables."""
        if self._every is None:
            found = [self.ability("technique", name) for name, _ in rows(self.tables, "techniques")]
            self._every = tuple(skill for skill in found if skill is not None)
        return self._every

    def passive(self, name: str) -> Skill | None:
        """A passive skill by name, any case."""
        form = squeeze(name)
        found = next((n for n, _ in rows(self.tables, "skills") if squeeze(n) == form), None)
        return self.ability("skill", found) if found is not None else None

    def weapon(self, name: str) -> tuple[str, int | None] | None:
        """(size, base damage) of a weapon; a plural s may follow the name."""
        if name not in self._weapons:
            form = squeeze(name)
            row = self.weapons.get(form) or self.weapons.get(form.removesuffix("s"))
            found = None if row is None else (str(row.get("size", "")), whole_or(row.get("damage"), None))
            self._weapons[name] = found
        return self._weapons[name]

    def limit(self, what: str, rank: str | None) -> int | None:
        """How many attacks of a sort (basic, small, medium, large) a rank has (S19)."""
        if (what, rank) not in self._limits:
            found = self._row("attack_limits").get(what)
            row = found if isinstance(found, (list, tuple)) and len(found) >= len(_RANKS) else ()
            self._limits[what, rank] = whole_or(row[_RANKS.index(rank)], None) if row and rank in _RANKS else None
        return self._limits[what, rank]

    def stats_of_kind(self, kind: str) -> tuple[str | None, str | None] | None:
        """(offensive stat, defensive stat) of a kind of attack (S24), None where the tables are silent."""
        if kind not in self._pairs:
            row = self._row("modifiers").get(kind)
            self._pairs[kind] = None
            if isinstance(row, dict):
                pair = row.get("offense"), row.get("defense")
                offense, defense = (stat_label(stat) if isinstance(stat, str) else None for stat in pair)
                self._pairs[kind] = offense, defense
        return self._pairs[kind]


def _by_form(tables: Table) -> dict[str, str]:
    """Names of techniques by name and alias, folded."""
    found: dict[str, str] = {}
    for name, row in rows(tables, "techniques"):
        found[squeeze(name)] = name
        aliases = row.get("aliases")
        for alias in aliases if isinstance(aliases, (list, tuple)) else ():
            found.setdefault(squeeze(str(alias)), name)
    return found


def _skill(name: str, sort: str, row: Mapping[str, Any]) -> Skill:
    dot = row.get("dot")
    dot = dot if isinstance(dot, dict) else {}
    default_phase = "main" if sort == "item" else None
    return Skill(
        name=name,
        sort=sort,
        phase=str(row["phase"]) if isinstance(row.get("phase"), str) else default_phase,
        kind=str(row["kind"]) if isinstance(row.get("kind"), str) else None,
        hits=whole_or(row.get("hits"), None),
        damage=whole_or(row.get("damage"), None),
        cost=amounts(row.get("cost")),
        upkeep=amounts(row.get("upkeep")),
        heal=amounts(row.get("heal")),
        self_damage=amounts(row.get("self_damage")),
        dot=amounts(dot),
        dot_turns=whole_or(dot.get("turns"), 0) or 0,
        ghost=row.get("ghost") is True,
        negates=whole_or(row.get("negates"), 0) or 0,
        skips_main=row.get("skips_main") is True,
        bloodline=row.get("bloodline") is True,
        passive=row.get("passive") is True,
        critical_range=whole_or(row.get("critical_range"), 0) or 0,
        block_range=whole_or(row.get("block_range"), 0) or 0,
        turns=whole_or(row.get("turns"), 0) or 0,
        inflicts=str(row["inflicts"]) if isinstance(row.get("inflicts"), str) else None,
        takes_turn=row.get("takes_turn") is True,
    )


def _effect(name: str, row: Mapping[str, Any]) -> Effect:
    return Effect(
        name=name,
        turns=whole_or(row.get("turns"), 1) or 0,
        stats={stat_label(stat): factor for stat, factor in _fractions(row.get("stats")).items()},
        at_most={stat_label(stat): most for stat, most in _numbers(row.get("at_most")).items()},
        hit_chance=whole_or(row.get("hit_chance"), 0) or 0,
        damage=_fractions(row.get("damage")),
        unjudged=str(row["unjudged"]) if isinstance(row.get("unjudged"), str) else None,
    )


def formula_of(row: Any, rounding: str = "either") -> Formula | None:
    """The formula of the chance to hit, None where it is missing or wrong (S14)."""
    if not isinstance(row, dict):
        return None
    base, divisor = whole_or(row.get("base"), None), whole_or(row.get("divisor"), 1)
    attacker, target = row.get("attacker"), row.get("target")
    if base is None or not divisor or not isinstance(attacker, str) or not isinstance(target, str):
        return None
    return Formula(base, stat_label(attacker), stat_label(target), divisor, whole_or(row.get("min"), 0) or 0, rounding)


def amounts(found: Any) -> dict[str, int]:
    """A row such as `{chakra: 10}` by pool; what is no pool or no number is left out."""
    if not found or not isinstance(found, dict):
        return {}
    named = {POOL_WORDS.get(str(key).casefold()): whole_or(value, None) for key, value in found.items()}
    return {pool: value for pool, value in named.items() if pool in POOLS and value}


def _numbers(found: Any) -> dict[str, int]:
    if not isinstance(found, dict):
        return {}
    return {str(key): value for key, value in found.items() if whole_or(value, None) is not None}


def _fractions(found: Any) -> dict[str, Fraction]:
    if not isinstance(found, dict):
        return {}
    read = {str(key): _fraction(value) for key, value in found.items()}
    return {key: value for key, value in read.items() if value is not None}


def _fraction(value: Any) -> Fraction | None:
    """A decimal number exactly as it is written (1.1 is eleven tenths)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 10**9:
        return None
    return _exact(str(value))


_exact = lru_cache(maxsize=256)(Fraction)


def whole_or(value: Any, default: int | None) -> int | None:
    """A whole number of at most nine digits, else the default."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 10**9:
        return default
    return value


def _data(sheets: Sheets) -> Data:
    return Data(sheets.tables)


def data_of(sheets: Sheets) -> Data:
    """The typed tables of a battle, made once."""
    return sheets.once(_data)
