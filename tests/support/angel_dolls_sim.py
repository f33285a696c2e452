"""Records of made-up battles of dolls, written from the rulebook.

A battle is a list of `SimPost`; a judge's post holds structured lines (`Head`, `Roll`, `Hp` ...)
that `angel_dolls_sim_text` writes down in one judge's habits and `angel_dolls_sim_plant` spoils.
The arithmetic here shares nothing with the rule code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

STATS = ["Strength", "Agility", "Durability", "Reflexes", "Magic", "Resistance"]
ELEMENTS = ["Fire", "Water", "Earth", "Air", "Lightning", "Ice", "Light", "Dark"]
GEAR: dict[str, dict[str, Any]] = {
    "paired claws": {"type": "weapon", "handheld": False, "stats": {"Agility": 10, "Strength": 10}},
    "long spear": {"type": "weapon", "handheld": True, "stats": {"Strength": 12}, "durability": 30, "hp": 40},
    "war hammer": {
        "type": "weapon", "handheld": True, "stats": {"Strength": 18, "Agility": -4}, "durability": 34, "hp": 50,
    },
    "chain whip": {
        "type": "weapon", "handheld": True, "entangles": True, "stats": {"Agility": 6, "Strength": 4},
        "durability": 26, "hp": 36,
    },
    "scope chip": {"type": "accessory", "stats": {"Agility": 5}},
    "mirror circuit": {"type": "accessory", "stats": {"Resistance": 8}},
    "gyro ring": {"type": "accessory", "stats": {"Reflexes": 6}},
    "torque cell": {"type": "accessory", "stats": {"Strength": 7}},
}  # fmt: skip
POWERS = {
    "Shadow Snap": "Dark", "Ion Pulse": "Light", "Cinder Fan": "Fire", "Riptide": "Water",
    "Basalt Fist": "Earth", "Razor Gale": "Air", "Arc Nail": "Lightning", "Hoar Kiss": "Ice",
}  # fmt: skip
NAMES = ["Riget", "Sedrik", "Talon", "Blank", "Wyvern", "Marrow", "Quill", "Pascal", "Tamsin Vale", "Old Ivo"]
PLAYERS = ["mara", "tomas", "ilse", "brandt", "juno44", "cole_v"]
REASONS = ["high ground", "dust", "footing", "momentum", "sun in the eyes", "good roleplay", "range", "wet floor"]
BARE = ["kick", "elbow", "knee", "body check", "headlong tackle"]


@dataclass
class Side:
    who: str
    stat: str | None
    base: int
    mods: list[tuple[int, str]] = field(default_factory=list)
    roll: int | None = None
    thing: str | None = None
    total: int = 0
    shown_roll: int | None = None
    link: bool = True
    record: dict[str, Any] = field(default_factory=dict)

    def add_up(self) -> int:
        self.total = self.base + sum(value for value, _ in self.mods) + (self.roll or 0)
        return self.total


@dataclass
class Head:
    attacker: str
    defender: str
    means: str
    number: int = 1
    chain: list[tuple[int, str]] = field(default_factory=list)
    chained: bool = False
    show_first: bool = False


@dataclass
class Roll:
    kind: str
    left: Side | None = None
    right: Side | None = None
    word: str | None = None
    result: int | None = None
    aff: tuple[str, int, int] | None = None
    round: int | None = None


@dataclass
class Hp:
    who: str
    old: int
    new: int
    top: int
    thing: str | None = None
    slash: bool = False


@dataclass
class Say:
    text: str
    what: str = ""


@dataclass
class Full:
    who: str
    stat: str
    old: int
    new: int


@dataclass
class Points:
    points: list[tuple[str, int]]


Line = Head | Roll | Hp | Say | Full | Points


@dataclass
class SimPost:
    id: str
    author: str
    at: datetime
    lines: list[Line] = field(default_factory=list)
    judge: bool = False
    edited: datetime | None = None
    deleted: datetime | None = None
    text: str = ""
    revisions: list[dict[str, Any]] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    bare: bool = False


@dataclass
class Hold:
    holder: str
    held: str
    part: str
    weapon: str | None
    steps: int = 0


@dataclass
class Doll:
    name: str
    player: str
    deus: dict[str, int]
    own: dict[str, int]
    hp: int
    top: int
    affinities: dict[str, int]
    items: list[str]
    generator: int | None
    bonus: int
    gone: set[str] = field(default_factory=set)
    wild: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    disabled: dict[str, int] = field(default_factory=dict)
    weapon_hp: dict[str, int] = field(default_factory=dict)


class Retry(Exception):
    """A battle that would need the writer to know the future; take the next seed."""
