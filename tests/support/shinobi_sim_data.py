"""Tables and records of simulated shinobi battles: characters, strikes, posts before they are written down."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from math import ceil, floor
from typing import Any

NAMES = [
    "Ren Aoki",
    "Yuna Nomura",
    "Kaito Mori",
    "Jiro Saeki",
    "Mei Sato",
    "Emi Fujii",
    "Goro Hara",
    "Rika Kuroda",
    "Sora Ishii",
    "Toru Tanaka",
    "Aya Hoshino",
]
STATS = ["Taijutsu", "Ninjutsu", "Genjutsu", "Defense", "Concentration", "Speed", "Accuracy", "Dexterity", "Evasion"]
RANKS = ["Gennin", "Chuunin", "Jounin", "Sennin"]
LIMITS = {"basic": [2, 3, 4, 5], "small": [2, 4, 6, 8], "medium": [1, 2, 3, 4], "large": [1, 1, 2, 2]}
TECHNIQUES: dict[str, dict[str, Any]] = {
    "Ember Volley": {"phase": "main", "kind": "ninjutsu", "hits": 4, "damage": 12, "cost": {"chakra": 12}},
    "Viper Spit": {
        "phase": "main",
        "kind": "ninjutsu",
        "hits": 1,
        "damage": 9,
        "cost": {"chakra": 8},
        "dot": {"hp": 3, "turns": 3},
    },
    "Hollow Wail": {"phase": "main", "kind": "ninjutsu", "hits": 1, "damage": 14, "cost": {"chakra": 9}, "ghost": True},
    "Gate of Ash": {
        "phase": "main",
        "kind": "ninjutsu",
        "hits": 1,
        "damage": 40,
        "cost": {"chakra": 7},
        "self_damage": {"hp": 6},
    },
    "Falling Crane": {"phase": "main", "kind": "taijutsu", "hits": 3, "damage": 10, "cost": {"stamina": 14}},
    "Twin Gale": {"phase": "main", "kind": "ninjutsu", "hits": 2, "damage": 15, "cost": {"chakra": 9}},
    "Nightmare Lantern": {"phase": "main", "kind": "genjutsu", "hits": 1, "damage": 22, "cost": {"chakra": 12}},
    "Dazzle Bell": {
        "phase": "main",
        "kind": "ninjutsu",
        "hits": 1,
        "damage": 9,
        "cost": {"chakra": 8},
        "inflicts": "Fazed",
    },
    "Tendon Hook": {
        "phase": "main",
        "kind": "taijutsu",
        "hits": 2,
        "damage": 7,
        "cost": {"stamina": 9},
        "inflicts": "Hamstrung",
    },
    "Red Taunt": {
        "phase": "main",
        "kind": "ninjutsu",
        "hits": 1,
        "damage": 0,
        "cost": {"chakra": 6},
        "inflicts": "Enraged",
    },
    "Shell Crack": {
        "phase": "main",
        "kind": "taijutsu",
        "hits": 1,
        "damage": 8,
        "cost": {"stamina": 7},
        "inflicts": "Cracked",
    },
    "Mirror Haze": {
        "phase": "main",
        "kind": "ninjutsu",
        "hits": 1,
        "damage": 6,
        "cost": {"chakra": 6},
        "inflicts": "Distracted",
    },
    "Warm Palm": {"phase": "main", "cost": {"chakra": 8}, "heal": {"hp": 12}},
    "Smoke Veil": {"phase": "main", "cost": {"chakra": 5}},
    "Kawarimi no Jutsu": {
        "aliases": ["Body Substitute Technique"],
        "phase": "response",
        "cost": {"chakra": 10},
        "negates": 1,
        "skips_main": True,
    },
    "Mud Curtain": {"phase": "response", "cost": {"chakra": 7}, "negates": 1},
    "Glass Eye": {"phase": "setup", "bloodline": True, "cost": {"chakra": 3}, "upkeep": {"chakra": 4}},
    "Iron Blood": {"phase": "setup", "bloodline": True, "cost": {"stamina": 4}, "upkeep": {"stamina": 3}},
    "Turtle Gate": {
        "phase": "setup",
        "bloodline": True,
        "cost": {"stamina": 4},
        "upkeep": {"stamina": 3},
        "block_range": 10,
    },
    "Iron Sleeves": {"phase": "setup", "cost": {"chakra": 5}, "block_range": 12, "turns": 2},
}
SKILLS: dict[str, dict[str, Any]] = {
    "Knowing the Elements": {"phase": "response", "negates": 1},
    "Drunkard's Sway": {"phase": "response", "negates": 1, "cost": {"stamina": 3}},
    "Killing Calm": {"passive": True, "critical_range": 2},
    "Turtle Stance": {"passive": True, "block_range": 8},
    "Killing Edge": {"phase": "main", "critical_range": 35, "cost": {"stamina": 6}},
    "Red Thread": {"phase": "main", "critical_range": 45, "cost": {"chakra": 5}},
}
WEAPONS = {
    "kunai": {"size": "small", "damage": 8},
    "shuriken": {"size": "small", "damage": 6},
    "needle": {"size": "small", "damage": 4},
    "katana": {"size": "medium", "damage": 14},
    "sai": {"size": "medium", "damage": 11},
    "windmill shuriken": {"size": "large", "damage": 24},
    "iron club": {"size": "large", "damage": 28},
}
MODIFIERS = {
    "ninjutsu": {"offense": "Ninjutsu", "defense": "Defense"},
    "weapon": {"offense": "Accuracy", "defense": "Dexterity"},
    "taijutsu": {"offense": "Taijutsu", "defense": "Defense"},
    "genjutsu": {"offense": "Genjutsu", "defense": "Concentration"},
}
STATUSES = {
    "Fazed": {"turns": 2, "hit_chance": -10},
    "Hamstrung": {"turns": 3, "stats": {"Speed": 0.75}},
    "Enraged": {"turns": 2, "stats": {"Evasion": 0.9}, "damage": {"taijutsu": 1.1}},
    "Cracked": {"turns": 2, "stats": {"Defense": 0.8}},
    "Distracted": {"turns": 2, "stats": {"Evasion": 0.75}},
}
ITEMS = {
    "Field Bandage": {"heal": {"hp": 10}},
    "Soldier Pill": {"heal": {"chakra": 12}},
    "Salt Tea": {"heal": {"stamina": 9}},
}
FORMULA = {"base": 50, "attacker": "Accuracy", "target": "Evasion", "divisor": 4, "min": 5}


@dataclass
class Char:
    """A fighter as it truly stands."""

    name: str
    player: str
    side: str
    rank: str
    stats: dict[str, int]
    totals: dict[str, int]
    skills: list[str]
    regen: dict[str, int]
    shown_secret: bool
    shown_stats: bool
    now: dict[str, int] = field(default_factory=dict)
    turns: int = 0
    running: list[list[Any]] = field(default_factory=list)
    ticks: list[list[Any]] = field(default_factory=list)
    status: list[list[Any]] = field(default_factory=list)
    open: list[Strike] = field(default_factory=list)
    passed_out: bool = False
    forfeited: bool = False

    @property
    def fallen(self) -> bool:
        return self.now["hp"] <= 0

    def stat(self, name: str, rng: random.Random) -> int:
        value = self.stats[name]
        for kind, left in self.status:
            factor = STATUSES[kind].get("stats", {}).get(name)
            if factor is not None and left > 0:
                exact = value * Fraction(str(factor))
                value = rng.choice([floor(exact), ceil(exact)])
        return value

    def end_effects(self) -> None:
        self.running.clear()
        self.ticks.clear()
        self.status.clear()


@dataclass
class Strike:
    """An attack as it was made."""

    post: str
    by: Char
    kind: str
    name: str
    hits: list[int]
    k_sure: int
    k_open: int
    ghost: bool = False
    dot: bool = False
    inflicts: str | None = None
    faze: int = 0
    accuracy: int = 0


@dataclass
class Part:
    """One thing a post says. `kind` names the form; `data` its numbers."""

    phase: str
    kind: str
    data: dict[str, Any]


@dataclass
class SimPost:
    """A post before it is written down."""

    id: str
    author: str
    char: str
    at: datetime
    parts: list[Part] = field(default_factory=list)
    loss: dict[str, int] | None = None
    stats: bool = False
    skip_mark: bool = False
    chatter: str | None = None
    edited: datetime | None = None
    revisions: list[tuple[datetime, SimPost | None]] = field(default_factory=list)
    deleted: datetime | None = None
    loss_incomplete: str | None = None
    marks_order: list[str] | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    stat_change: dict[str, int] = field(default_factory=dict)
    raw_extra: list[str] = field(default_factory=list)


@dataclass
class Fight:
    """A whole battle."""

    seed: int
    chars: dict[str, Char]
    kind: str
    policy: str | None
    tables: dict[str, Any]
    posts: list[SimPost] = field(default_factory=list)
    rolls: dict[str, dict[str, Any]] = field(default_factory=dict)
    siblings: list[dict[str, Any]] = field(default_factory=list)
    rulings: list[dict[str, Any]] = field(default_factory=list)
    formula: bool = False
    rare: bool = False
    link: int = 100
    planned: dict[str, Any] | None = None
    inline: bool = True

    def post(self, pid: str) -> SimPost:
        return next(p for p in self.posts if p.id == pid)
