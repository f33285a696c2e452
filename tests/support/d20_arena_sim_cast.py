"""The cast of simulated battles of d20_arena: names, prose, abilities, tables, and the records of the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

PROSE = (
    "The crowd went quiet, all three hundred of it.",
    "{a} ducked under the beam (barely), slid, and swore by 3 different saints.",
    "There was no plan B. There had barely been a plan A [and it had been drawn on a napkin].",
    "Old Marrow had said it best: the first blow is a question [and the second is the bill].",
    'Someone yelled "critical mistake!" from the balcony and was hushed.',
    '"Chance favours the stubborn," {a} murmured; 90% of luck was showing up.',
    "The bridge (built in 1432, mended once) groaned under their boots.",
    "{a} spat dust, counted teeth (all 28, thank you) and straightened up.",
    "It was 40 paces to the gate; it felt like 400.",
    "The old clock stopped at 11:42. It had been stopping at 11:42 for years.",
    '"Twenty on the tall one!" somebody called; "Which?" called somebody else.',
    "{b} moved like a man who had never been late for anything (or sorry for it).",
    "Every trick the old masters taught came down to this: breathe, wait, be somewhere else.",
    "A hundred and one things could go wrong; {a} had stopped at 6.",
    "She hit the floor, missed the step (natural 1 of steps) and rolled 12 paces.",
    "Round and round it went: a turn here, a turn there.",
)
OOC = (
    "great post, I had to read it 2 times :)",
    "is (HP: -0 | Chakra: -0 | Stamina: -0) still the format? asking for a friend",
    "my draft said [Damage: 99 x2] but that was a joke",
    "HP: 3/99, haha",
    "[Action: Volt Lash -> everyone: 1d20 = 20]",
)
SIGNATURES = (
    "HP: -999 | Patience: -0 | Coffee: +3",
    "[Damage: 100 to my sleep schedule]",
    "Proud owner of 1 lucky d20. It has never rolled a 20.",
    "HP: 1/1",
)
HEROES = ("Yuna", "Emi", "Kaito Arai", "Hana", "Rika Kuroda", "Toru", "Aya", "Goro", "Ren Aoki", "Jiro", "Mei", "Sora")
BEASTS = ("Golem", "Mire Toad", "Lantern Wisp", "Brass Hound", "Thornling")
ABILITIES: dict[str, dict[str, Any]] = {
    "Volt Lash": {"type": "damage", "range": "ranged", "to_hit": 4, "damage": "2d6+3", "kind": "lightning"},
    "Iron Heel": {"type": "damage", "range": "melee", "to_hit": 5, "damage": "1d8+4"},
    "Hook Cut": {"type": "damage", "range": "melee", "to_hit": 3, "damage": "2d4+2"},
    "Frost Needle": {
        "type": "damage",
        "range": "ranged",
        "to_hit": 4,
        "damage": "1d10+2",
        "cooldown": 2,
        "kind": "cold",
    },
    "Sun Lance": {"type": "damage", "range": "ranged", "to_hit": 3, "damage": "3d6+2", "special": True, "kind": "fire"},
    "Powder Flask": {"type": "damage", "range": "ranged", "to_hit": 6, "damage": "1d12+3", "uses": 1, "kind": "fire"},
    "Arc Wave": {"type": "damage", "range": "ranged", "to_hit": 2, "damage": "1d6+1", "targets": 2},
    "Chain Cast": {"type": "bind", "range": "ranged", "to_hit": 4, "levels": 1, "part": "legs"},
    "Net Toss": {"type": "bind", "range": "ranged", "to_hit": 3, "levels": "1d2", "part": "arms"},
    "Coil Throw": {"type": "bind", "range": "ranged", "to_hit": 4, "levels": "1d3", "part": "torso"},
    "Hood Snap": {"type": "bind", "range": "ranged", "to_hit": 4, "levels": "1d3", "part": "head"},
    "Mend": {"type": "heal", "target": "ally", "heal": "1d6+2"},
    "Focus": {"type": "self"},
    "Side Step": {"type": "reaction", "defense": 3},
    "Brace": {"type": "reaction", "reduce": 3},
    "Slam": {"type": "damage", "range": "melee", "damage": "1d6+1"},
    "Bolt": {"type": "damage", "range": "ranged", "damage": "1d8", "kind": "fire"},
    "Creeper Vine": {"type": "bind", "range": "ranged", "levels": 1, "part": "legs"},
    "Wire Loop": {"type": "bind", "range": "ranged", "levels": "1d2", "part": "arms"},
    "Anchor Chain": {"type": "bind", "range": "ranged", "levels": "1d3", "part": "legs"},
}
PLAYER_ABILITIES = tuple(name for name, row in ABILITIES.items() if "to_hit" in row or name == "Mend")
ENEMY_ABILITIES = ("Slam", "Bolt", "Creeper Vine", "Wire Loop", "Anchor Chain")
BANDS = {1: {5: 1}, 2: {7: 1, 13: 2}, 3: {10: 1, 14: 2, 18: 3}, 4: {10: 1, 14: 2, 18: 3}, 8: {18: 1, 20: 3}}
BANDS |= {level: {14: 1, 17: 2, 19: 3} for level in (5, 6, 7)}
OWN_ESCAPE = {1: {8: 1}, 2: {10: 1, 18: 2}, 3: {12: 1, 19: 2}, 4: {15: 1}}
SPILL = {"legs": "torso", "torso": "legs", "head": "torso"}
HOST = "http://dice.example/r/"


@dataclass
class Roll:
    """One roll of the log; `plant` is a fault of its record, `shown` what the post writes."""

    expr: str
    values: list[int]
    label: str
    plant: str | None = None
    host: str = HOST
    link: str | None = None
    twin: Any = None
    style: str | None = None
    parts: Any = None


@dataclass
class Habit:
    """How one author writes."""

    bracket: str
    case: str
    versus: str
    arrow: str
    compact: bool
    links: str
    loose: bool
    arrow_levels: bool
    hp_lines: float
    head_hp: float
    signature: str | None
    html: bool
    bullet: str
    bold: bool
    by: str


@dataclass
class Hero:
    """A fighter of the simulation."""

    name: str
    player: str
    side: str
    hp: int
    most: int
    defense: int
    atk: int
    res: int
    kinds: dict[str, int]
    binds: dict[str, int]
    abilities: list[str]
    start_binds: dict[str, int]
    standing: bool = False
    evading: bool = False
    turn: int = 0
    cooling: dict[str, int] = field(default_factory=dict)
    hits: dict[str, int] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)
    reacted: bool = False


@dataclass
class Item:
    """One thing in a post; `data` holds what is written (planters change it)."""

    kind: str
    data: dict[str, Any]


@dataclass
class Post:
    """A post of the log before it is rendered."""

    id: str
    author: str
    at: datetime
    who: Hero | None
    items: list[Item] = field(default_factory=list)
    before: list[list[Item]] = field(default_factory=list)
    edited: datetime | None = None
    seen: datetime | None = None
    plain: str | None = None
    deleted: datetime | None = None
    round: int = 0
