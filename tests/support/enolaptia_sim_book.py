"""The map book and the fighters of simulated battles."""

from __future__ import annotations

from dataclasses import dataclass, field

NAMES = ["Mira", "Tobin", "Wanda", "Oskar Lund", "Lene", "Pavel", "Isolde", "Bram Oduya", "Ysra"]
MAPS = {
    "Sunken Fen": {
        "enemies": {
            1: "Marsh Rat",
            2: "Marsh Rat",
            3: ["Bog Lizard", "Marsh Rat"],
            4: ["Mud Crab", "Marsh Rat"],
            5: ["Reed Stalker", "Mud Crab", "Marsh Rat"],
            6: ["Fen Hag", "Marsh Rat"],
        },
        "drops": {1: "Rat Tail", 2: "Bog Iron", 3: "Reed Flute", 4: "Small Potion", 5: "Copper Ring", 6: "Fen Pearl"},
        "bosses": ["Fen Hag"],
    },
    "Cinder Pass": {
        "enemies": {1: "Ash Bat", 2: "Ember Wolf", 3: "Ash Bat", 4: "Slag Beetle", 5: "Smoke Imp", 6: "Kiln Giant"},
        "drops": {1: "Bat Wing", 2: "Wolf Fang", 3: "Slag Lump", 4: "Small Potion", 5: "Imp Horn", 6: "Kiln Key"},
        "bosses": ["Kiln Giant"],
    },
}
HAG = {1: "normal attack", 2: "normal attack", 3: "normal attack", 4: "normal attack", 5: "Bog Breath", 6: "Bog Breath"}
CREATURES = {
    "Marsh Rat": {"hp": 18, "at": 5, "speed": 9, "exp": 4},
    "Bog Lizard": {"hp": 27, "at": 7, "speed": 8, "exp": 6},
    "Mud Crab": {"hp": 34, "at": 5, "speed": 5, "exp": 7},
    "Reed Stalker": {"hp": 24, "at": 8, "speed": 13, "exp": 8},
    "Fen Hag": {"hp": 90, "at": 13, "speed": 11, "exp": 40, "moves": HAG},
    "Ash Bat": {"hp": 16, "at": 4, "speed": 12, "exp": 3},
    "Ember Wolf": {"hp": 30, "at": 7, "speed": 10, "exp": 7},
    "Slag Beetle": {"hp": 38, "at": 5, "speed": 3, "exp": 8},
    "Smoke Imp": {"hp": 22, "at": 9, "speed": 10, "exp": 9},
    "Kiln Giant": {"hp": 99, "at": 14, "speed": 6, "exp": 50},
}
ABILITIES = {
    "spells": {"Ember": {"damage": "1d6+2"}, "Hail": {"damage": "2d6"}},
    "specials": {
        "Crescent Sweep": {"damage": "2d6+4"},
        "Meteor Kick": {"damage": "AT+1d6"},
        "Bog Breath": {"damage": "2d6+2"},
    },
    "skills": {"Shield Bash": {"damage": "1d6+3"}, "Stone Drop": {"damage": 8}, "Battle Cry": {}},
    "potions": {"Small Potion": {"heal": 10}, "Green Tonic": {"heal": 6}},
    "items": {"Lucky Charm": {"drop_roll": 1}, "Fox Brush": {"drop_roll": 2}},
}
SHARES = {
    2: ["1-3", "4-6"],
    3: ["1-2", "3-4", "5-6"],
    4: ["1", "2-3", "4", "5-6"],
    5: ["1", "2", "3-4", "5", "6"],
    6: ["1", "2", "3", "4", "5", "6"],
}


@dataclass
class Unit:
    """A fighter as the rulebook knows one."""

    name: str
    hp: int
    top: int
    at: int
    speed: int
    side: str
    kind: str | None = None
    player: str = ""
    items: list = field(default_factory=list)
    there: bool = True
    share: str | None = None
    after: int = 0

    @property
    def up(self) -> bool:
        return self.there and self.hp > 0


@dataclass
class Written:
    """A post on its way."""

    author: str
    lines: list
    extra: list = field(default_factory=list)
