"""Typed records of what a shinobi post says: the `data` of its claims and the notes of a reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.model.claims import WrittenRoll
from referee.model.records import filled_directly
from referee.model.text import Script

#: The three secret pools, in the order of the Loss Tag (S6).
POOLS = ("hp", "chakra", "stamina")
#: Phases of a turn in their order (S5).
RESPONSE, SETUP, MAIN, LOSS = 1, 2, 3, 4
PHASE_NAMES = {RESPONSE: "Response", SETUP: "Setup", MAIN: "Main", LOSS: "Loss Tag"}

Amounts = Mapping[str, int]


@filled_directly
@dataclass(frozen=True, slots=True)
class LossTag:
    """The change of each pool over the turn: losses negative, None where a pool is not named (S6)."""

    hp: int | None = None
    chakra: int | None = None
    stamina: int | None = None

    def of(self, pool: str) -> int | None:
        """The change of one pool."""
        if pool == "hp":
            return self.hp
        return self.chakra if pool == "chakra" else self.stamina


@dataclass(frozen=True, slots=True)
class StatBlock:
    """A posted stat block; `secret`: pools whose totals stand in it (S2)."""

    stats: Mapping[str, int]
    rank: str | None = None
    name: str | None = None
    secret: tuple[str, ...] = ()


@filled_directly
@dataclass(frozen=True, slots=True)
class Dodge:
    """Dodge rolls against one attack; `outcomes`: the stated word behind each roll, or None (NS2).

    `also`: a second reading of the chance, where the tag may mean either (`need a 55/100`).
    """

    chance: int
    written: WrittenRoll
    outcomes: tuple[str | None, ...] = ()
    attacker: str | None = None
    also: int | None = None


@dataclass(frozen=True, slots=True)
class Take:
    """The attack is taken without a roll (S7); `amount`: what the tag says that it cost."""

    attacker: str | None = None
    amount: int | None = None


@filled_directly
@dataclass(frozen=True, slots=True)
class Ability:
    """A technique, skill or item used, or of unknown sort.

    `name` as the tables have it, or as written. `cost`, `heal`, `upkeep` as written. `activates`: a
    bloodline is switched on; `reminder`: `[X; upkeep 4 CHK]` only reminds of a running one (NS8).
    `acts`: a verb says that it is used now.
    """

    name: str
    sort: str
    target: str | None = None
    attacker: str | None = None
    cost: Amounts = field(default_factory=dict)
    heal: Amounts = field(default_factory=dict)
    upkeep: Amounts = field(default_factory=dict)
    activates: bool = False
    reminder: bool = False
    acts: bool = False


@filled_directly
@dataclass(frozen=True, slots=True)
class Part:
    """One item of a damage tag: amount per hit, how many hits, and the arithmetic if it is shown."""

    amount: int
    hits: int = 1
    what: str | None = None
    base: int | None = None
    share: int | None = None


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus of the long form: `+ 20 (accuracy bonus)`, signed."""

    stat: str
    value: int


@filled_directly
@dataclass(frozen=True, slots=True)
class Damage:
    """A damage tag: one attack with its hits (S20, NS6); `bonuses` in the long form only."""

    parts: tuple[Part, ...]
    target: str | None = None
    bonuses: tuple[Bonus, ...] = ()

    @property
    def hits(self) -> int:
        """All hits of the tag."""
        parts = self.parts
        return parts[0].hits if len(parts) == 1 else sum(part.hits for part in parts)

    @property
    def idle(self) -> bool:
        """Whether it names no attack and no damage (`[Damage: 0]`): alone it is none, like `[Damage: none]`."""
        first = self.parts[0]
        return len(self.parts) == 1 and not (first.amount or first.what or first.base or self.target)


@dataclass(frozen=True, slots=True)
class Setup:
    """A Setup action on a thing: draws, puts away, inscribes (S17)."""

    verb: str
    thing: str


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard rolls to take an attack on a comrade (S16); `attacker` where it is named (NS38)."""

    comrade: str
    written: WrittenRoll
    attacker: str | None = None


@dataclass(frozen=True, slots=True)
class OverTime:
    """A reminder of damage over time (NS9): optional, the Loss Tag counts."""

    amounts: Amounts
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """A reminder of a status effect (NS35)."""

    name: str
    turns: int | None = None


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The author gives up (NS31)."""


@dataclass(frozen=True, slots=True)
class Deadly:
    """A spar turns into Life & Death (NS32)."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of the author's last turn (NS37): adds to its loss, or replaces its Loss Tag.

    `numbers`: of a correction that could not be read; each may belong to any pool.
    """

    adds: Amounts = field(default_factory=dict)
    loss: LossTag | None = None
    numbers: tuple[int, ...] = ()

    @property
    def unread(self) -> bool:
        """Whether it says nothing that could be read."""
        return not self.adds and self.loss is None


@filled_directly
@dataclass(frozen=True, slots=True)
class Mark:
    """A phase mark (S5, X20) at its place; `strict`: bracketed or a line of its own; `told`: prose follows it there.

    `skipped`: it says that the phase holds nothing.
    """

    place: int
    phase: int
    skipped: bool = False
    strict: bool = True
    told: bool = False


@filled_directly
@dataclass(frozen=True, slots=True)
class Doubt:
    """What a tag that could not be read may mean, so that nothing which hangs on it is judged (X2, X8).

    `kind`: damage, answer, guard, loss, ability, setup, reminder or correction. `abilities`: those
    that it may name; `names`: the fighters that it names; `upkeep`: as far as it shows one; `plain`:
    it names a weapon or a basic attack and no ability.
    """

    kind: str
    abilities: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    upkeep: Amounts = field(default_factory=dict)
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Share:
    """The part of a post that one of its author's characters has; `claims`: their places among the post's claims."""

    name: str
    claims: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class Shares:
    """Whose a post is, of an account with several characters.

    `parts`: one for each character that does something in it; one alone may be named with no claims listed: it has
    them all. `told`: only words of the story say so. `unsorted`: it holds parts of several, and whose each is remains
    open; `losses` are the Loss Tags in it.
    """

    parts: tuple[Share, ...] = ()
    told: bool = False
    unsorted: bool = False
    losses: tuple[LossTag, ...] = ()


@filled_directly
@dataclass(frozen=True, slots=True)
class Notes:
    """What the replay wants to know of a post besides its claims: phase marks, and what was not read.

    `script`: the post's own words, looked at only where a finding may be explained by them (`told`). `shares`: for an
    account with several characters, whose the claims are.
    """

    marks: tuple[Mark, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    script: Script | None = field(default=None, compare=False, repr=False)
    shares: Shares | None = None

    @property
    def unread(self) -> frozenset[str]:
        """The kinds of tags that could not be read, for X2."""
        return frozenset([doubt.kind for doubt in self.doubts]) if self.doubts else frozenset()


NO_NOTES = Notes()
