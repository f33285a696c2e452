"""What a post of this system can say, as typed records: the `data` of its claims."""

from __future__ import annotations

from dataclasses import dataclass

from referee.model.claims import WrittenRoll

#: Outcome words as the report writes them (A11).
MISS, HIT, CRITICAL, FUMBLE = "miss", "hit", "critical hit", "critical fail"

STANDING, MOVING = "standing", "moving"


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice of a sum that one or several links (or in-post rolls) prove together.

    `groups`: which groups of the sum they are; `expressions`: those groups as written, `2d6`.
    """

    written: WrittenRoll
    groups: tuple[int, ...]
    expressions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """One `NdM` in a written sum; `values` where the post shows the dice."""

    count: int
    sides: int
    values: tuple[int, ...] = ()
    crit: bool = False

    @property
    def expression(self) -> str:
        """The dice in their usual spelling."""
        return f"{self.count}d{self.sides}"


@dataclass(frozen=True, slots=True)
class Sum:
    """A written sum: `1d20 (13) + 4 = 17`, `2d6+3+1d6 = 15`, `1d2 [2]`.

    `bonuses`: the flat numbers with their signs; `total`: the number behind `=`.
    """

    groups: tuple[Group, ...]
    bonuses: tuple[int, ...] = ()
    total: int | None = None
    throws: tuple[Throw, ...] = ()

    @property
    def bonus(self) -> int:
        """All flat numbers together."""
        return sum(self.bonuses)


@dataclass(frozen=True, slots=True)
class Levels:
    """A written bind level: `bind level 0 -> 2 (legs), spill-over torso 0 -> 1`."""

    to: int
    area: str | None = None
    old: int | None = None
    spill_area: str | None = None
    spill_to: int | None = None
    spill_old: int | None = None


@dataclass(frozen=True, slots=True)
class Save:
    """A saving throw against a binding (ND22): `save 1d20 = 14 vs 11, resisted`; `granted` is False for `no save`."""

    roll: Sum | None = None
    against: int | None = None
    resisted: bool | None = None
    granted: bool = True


@dataclass(frozen=True, slots=True)
class Strike:
    """An attack: one Action tag, Free attack tag, or the loose lines below an announcement (ND2, ND7).

    `actor` is None where the author's own character acts; `ability` and `targets` are empty in loose
    lines (the announced ones). `defense`: the numbers behind `vs`. `itself`: whom the damage of a
    critical fail is turned on (A13).
    """

    actor: str | None = None
    ability: str | None = None
    targets: tuple[str, ...] = ()
    free: bool = False
    hit: Sum | None = None
    defense: tuple[int, ...] = ()
    outcome: str | None = None
    damage: Sum | None = None
    itself: str | None = None
    binding: Sum | None = None
    levels: Levels | None = None
    save: Save | None = None


@dataclass(frozen=True, slots=True)
class Mend:
    """Healing (ND5): no hit roll."""

    actor: str | None
    ability: str
    targets: tuple[str, ...]
    heal: Sum


@dataclass(frozen=True, slots=True)
class Use:
    """An ability without any number: a self skill or an aid (ND5). `ability` is None for `[Action: none]`."""

    actor: str | None
    ability: str | None
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Escape:
    """A struggle or a help (A15, ND18, ND20, ND24). `helped` is None for one's own binding."""

    actor: str | None
    helped: str | None
    area: str | None
    roll: Sum
    old: int | None
    new: int | None
    spare_area: str | None = None
    spare_old: int | None = None
    spare_new: int | None = None


@dataclass(frozen=True, slots=True)
class Reaction:
    """A Reaction Ability (ND21): `what` is `defense` or `damage`, then `before + change = after`."""

    actor: str
    ability: str
    what: str
    before: int
    change: int
    after: int


@dataclass(frozen=True, slots=True)
class Announce:
    """What a turn is going to be (ND1): `what` is `ability`, `struggle`, `help`."""

    what: str
    ability: str | None = None
    targets: tuple[str, ...] = ()
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """Standing still or moving (A3)."""

    stance: str


@dataclass(frozen=True, slots=True)
class TrapRoll:
    """A roll in the Trap phase (A6); `sprung` is None where the post does not say."""

    roll: Sum
    sprung: bool | None = None


@dataclass(frozen=True, slots=True)
class HitPoints:
    """HP as a post states them (ND6); `name` is None for the author's own line."""

    name: str | None
    now: int
    most: int | None = None
    defense: int | None = None


@dataclass(frozen=True, slots=True)
class SheetLine:
    """An enemy's (or anybody's) sheet in one line (ND7, ND25)."""

    name: str | None
    stats: tuple[tuple[str, int], ...]
    resistances: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Count:
    """`Turn 3` or `Round 2`."""

    what: str
    number: int


@dataclass(frozen=True, slots=True)
class Part:
    """A loose line without the line that it belongs to: only a correction may hold it (X24)."""

    damage: Sum | None = None
    binding: Sum | None = None
    levels: Levels | None = None
    save: Save | None = None


#: What takes the action of a turn or of an enemy's place in a round.
ACTS = (Strike, Mend, Use, Escape)
