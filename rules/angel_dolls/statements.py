"""What posts of the doll arena can say: typed records that claims carry in `Claim.data`.

Numbers are whole and signed as written. Names are the full names of the sheets where the reader
knew them, otherwise the words of the post.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.model.claims import Claim, WrittenRoll
from referee.model.records import filled_directly
from referee.model.text import Script

STATS = ("Strength", "Agility", "Durability", "Reflexes", "Magic", "Resistance")

#: Stats that Full Defense raises and a simultaneous strike halves (D9, D10).
DEFENSIVE = ("Durability", "Reflexes", "Resistance")

#: Every word that posts use for a stat (D1).
STAT_WORDS = {
    "str": "Strength",
    "strength": "Strength",
    "agi": "Agility",
    "agility": "Agility",
    "dur": "Durability",
    "durability": "Durability",
    "def": "Durability",
    "defense": "Durability",
    "defence": "Durability",
    "ref": "Reflexes",
    "reflex": "Reflexes",
    "reflexes": "Reflexes",
    "mag": "Magic",
    "magic": "Magic",
    "int": "Magic",
    "intelligence": "Magic",
    "res": "Resistance",
    "resistance": "Resistance",
}
#: The same for a pattern, the longest first.
STAT_PATTERN = "|".join(sorted(STAT_WORDS, key=len, reverse=True))

#: The eight elements of D2.
ELEMENTS = ("Fire", "Water", "Earth", "Air", "Lightning", "Ice", "Light", "Dark")

#: Reasons of modifiers that a rule asks for; every other reason is the judge's own (NA23).
REASONS = {
    "disarm": "disarm",
    "disarming": "disarm",
    "disable": "disable",
    "disabling": "disable",
    "entangle": "entangle",
    "entangling": "entangle",
    "strangle": "entangle",
    "strangle hold": "entangle",
    "chain": "chain",
    "combo": "chain",
    "margin": "margin",
    "hit margin": "margin",
    "margin of the hit": "margin",
    "margin of hit": "margin",
    "entangled": "entangled",
    "legs entangled": "legs",
    "entangled legs": "legs",
    "entangled (legs)": "legs",
    "arms entangled": "arms",
    "entangled arms": "arms",
    "entangled (arms)": "arms",
    "strangled": "strangled",
    "strangle hold entangled": "strangled",
    "entangled (strangle hold)": "strangled",
}


@filled_directly
@dataclass(frozen=True, slots=True)
class Modifier:
    """A signed number in a check with its reason; `kind` is set where a rule knows the reason."""

    value: int
    reason: str = ""
    kind: str = ""


@filled_directly
@dataclass(frozen=True, slots=True)
class Side:
    """One side of a check: stat, modifiers, the random number, the total.

    `thing`: what stands in brackets behind the first number instead of a stat (a weapon whose
    durability it is). `roll` is None where the side shows no random number at all.
    """

    base: int
    owner: str | None = None
    stat: str | None = None
    thing: str | None = None
    modifiers: tuple[Modifier, ...] = ()
    roll: WrittenRoll | None = None
    total: int | None = None

    @property
    def rolled(self) -> int | None:
        """The random number as written."""
        return self.roll.values[0] if self.roll and self.roll.values else None

    @property
    def shift(self) -> int:
        """The sum of the written modifiers."""
        return sum([modifier.value for modifier in self.modifiers]) if self.modifiers else 0

    def shown(self, kind: str) -> list[int]:
        """The written modifiers of one kind."""
        return [m.value for m in self.modifiers if m.kind == kind]


@filled_directly
@dataclass(frozen=True, slots=True)
class Check:
    """A check line. `kind`: hit, damage, disarm, weapon, control or strangle.

    `word`: the outcome in its plain form (hit, miss, disarmed, keeps hold, keeps control, loses
    control). `result`: the number behind the arrow. `round`: of a strangle hold. `affinities`: the
    attacker's and the defender's, as written.
    """

    kind: str
    left: Side | None = None
    right: Side | None = None
    word: str | None = None
    result: int | None = None
    round: int | None = None
    element: str | None = None
    affinities: tuple[int, int] | None = None
    automatic: bool = False
    turned: bool = False


@filled_directly
@dataclass(frozen=True, slots=True)
class Penalty:
    """A chain penalty as a heading shows it; `where`: hit or damage."""

    amount: int
    where: str


@filled_directly
@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of an attack.

    `manoeuvre`: disarm, disable, shatter, entangle, strangle, break or None. `part`: what an
    entangle aims at. `target`: the item that a Disable or Break aims at. `means`: the weapon, power
    or other means, as written. `element`: of a power, where the heading says it. `worded`: written as
    a sentence, which may only tell again what a heading above or below it says.
    """

    attacker: str
    defender: str
    manoeuvre: str | None = None
    part: str | None = None
    target: str | None = None
    means: str | None = None
    element: str | None = None
    number: int | None = None
    chain: tuple[Penalty, ...] = ()
    worded: bool = False


@dataclass(frozen=True, slots=True)
class ChainLine:
    """Chain penalties on a line of their own below the heading."""

    chain: tuple[Penalty, ...]


@filled_directly
@dataclass(frozen=True, slots=True)
class PoolLine:
    """HP of a doll or of a weapon (`thing`): `old -> new`, or `new/maximum`.

    `bare`: nothing shows that its numbers are HP, if they are not those at which the doll stands.
    """

    owner: str | None
    new: int
    thing: str | None = None
    old: int | None = None
    maximum: int | None = None
    bare: bool = False


@dataclass(frozen=True, slots=True)
class FullDefense:
    """A doll defends fully this round; `shown`: (stat, usual, raised) as written, the usual one or None."""

    who: str | None
    shown: tuple[tuple[str, int | None, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Simultaneous:
    """A simultaneous strike: the first named hits automatically."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence that changes the standing of a doll or item.

    `what`: loses, uncontrolled, regains, drops, out, entangled, free, shatters.
    """

    what: str
    who: str | None = None
    thing: str | None = None
    part: str | None = None
    turns: int | None = None


@dataclass(frozen=True, slots=True)
class Award:
    """Trainer Points given: (name, points)."""

    points: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Winner:
    """The winner as the judge says."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Intent:
    """A manoeuvre that a player announces in a tag of its own; it changes nothing by itself."""

    manoeuvre: str


@dataclass(frozen=True, slots=True)
class SheetBlock:
    """Stats that a player posted; `part`: deus or angel."""

    part: str
    stats: tuple[tuple[str, int], ...]
    exp: int | None = None


@filled_directly
@dataclass(frozen=True, slots=True)
class Notes:
    """What the replay wants to know of a post besides its claims.

    `slips`: what an in-time correction replaced, place of the claim -> the claim as it stood before. `script`: the
    post's own words, looked at only where a finding may be explained by them (`told`).
    """

    slips: Mapping[int, Claim] = field(default_factory=dict)
    script: Script | None = field(default=None, compare=False, repr=False)
