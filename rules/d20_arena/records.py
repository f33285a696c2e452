"""What a post of this system can say, as typed records: the `data` of its claims.

They are named tuples, which are made in a third of the time of a frozen dataclass: a post holds a dozen.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.model.claims import WrittenRoll

#: Outcome words as the report writes them (A11).
MISS, HIT, CRITICAL, FUMBLE = "miss", "hit", "critical hit", "critical fail"

STANDING, MOVING = "standing", "moving"


class Throw(NamedTuple):
    """Dice of a sum that one or several links (or in-post rolls) prove together.

    `groups`: which groups of the sum they are; `expressions`: those groups as written, `2d6`.
    """

    written: WrittenRoll
    groups: tuple[int, ...]
    expressions: tuple[str, ...]


class Group(NamedTuple):
    """One `NdM` in a written sum, `number` of dice; `values` where the post shows them."""

    number: int
    sides: int
    values: tuple[int, ...] = ()
    crit: bool = False

    @property
    def expression(self) -> str:
        """The dice in their usual spelling."""
        return f"{self.number}d{self.sides}"


class Sum(NamedTuple):
    """A written sum: `1d20 (13) + 4 = 17`, `2d6+3+1d6 = 15`, `1d2 [2]`.

    `bonuses`: the flat numbers with their signs; `total`: the number behind `=`.
    """

    groups: tuple[Group, ...]
    bonuses: tuple[int, ...] = ()
    total: int | None = None
    throws: tuple[Throw, ...] = ()

    @property
    def dice(self) -> tuple[tuple[int, int], ...]:
        """How many dice of how many sides each group has."""
        return tuple([(group.number, group.sides) for group in self.groups])

    @property
    def bonus(self) -> int:
        """All flat numbers together."""
        return sum(self.bonuses)

    @property
    def amount(self) -> int | None:
        """The written total, or where there is none what the dice shown and the bonuses come to; else None."""
        if self.total is not None:
            return self.total
        values = [
            value
            for throw in self.throws
            for value in throw.written.values or [n for anchor in throw.written.anchors for n in anchor.values]
        ]
        return sum(values) + self.bonus if len(values) == sum(group.number for group in self.groups) else None


class Levels(NamedTuple):
    """A written bind level: `bind level 0 -> 2 (legs), spill-over torso 0 -> 1`."""

    to: int
    area: str | None = None
    old: int | None = None
    spill_area: str | None = None
    spill_to: int | None = None
    spill_old: int | None = None


class Save(NamedTuple):
    """A saving throw against a binding (ND22): `save 1d20 = 14 vs 11, resisted`; `granted` is False for `no save`."""

    roll: Sum | None = None
    against: int | None = None
    resisted: bool | None = None
    granted: bool = True


class Strike(NamedTuple):
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


class Mend(NamedTuple):
    """Healing (ND5): no hit roll."""

    actor: str | None
    ability: str
    targets: tuple[str, ...]
    heal: Sum


class Use(NamedTuple):
    """An ability without any number: a self skill or an aid (ND5). `ability` is None for `[Action: none]`."""

    actor: str | None
    ability: str | None
    targets: tuple[str, ...] = ()


class Escape(NamedTuple):
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


class Reaction(NamedTuple):
    """A Reaction Ability (ND21): `what` is `defense` or `damage`, then `before + change = after`."""

    actor: str
    ability: str
    what: str
    before: int
    change: int
    after: int


class Announce(NamedTuple):
    """What a turn is going to be (ND1): `what` is `ability`, `struggle`, `help`."""

    what: str
    ability: str | None = None
    targets: tuple[str, ...] = ()
    actor: str | None = None


class Move(NamedTuple):
    """Standing still or moving (A3)."""

    stance: str


class TrapRoll(NamedTuple):
    """A roll in the Trap phase (A6); `sprung` is None where the post does not say."""

    roll: Sum
    sprung: bool | None = None
    actor: str | None = None


class HitPoints(NamedTuple):
    """HP as a post states them (ND6); `name` is None for the author's own line.

    `bare`: without the word HP, so that it is HP only if its maximum is the fighter's. `was`: the old
    number of a bare change such as `20 -> 9`, which has to be the fighter's last one. `bound`: areas with
    the bind levels that stand beside the HP. `sums`: what the addends in front of `=` come to. `old`: the number
    that any change starts from, `20` in `HP: 20 -> 9/20` and `20 - 11 = 9`.
    """

    name: str | None
    now: int
    most: int | None = None
    defense: int | None = None
    bare: bool = False
    was: int | None = None
    bound: tuple[tuple[str, int], ...] = ()
    sums: int | None = None
    old: int | None = None


class HiddenHp(NamedTuple):
    """HP of a fighter in a spoiler: no claim that could be wrong, and not passed over (G16)."""

    stated: HitPoints


class Bonds(NamedTuple):
    """Bind levels as a post states them: `Golem 1: arms 2`, `Vesna: legs 0 -> 1, arms 2`.

    `bare`: without a name, `Bind level: 2 (legs)`; they are the author's if they fit.
    """

    name: str
    bound: tuple[tuple[str, int], ...]
    bare: bool = False


class SheetLine(NamedTuple):
    """An enemy's (or anybody's) sheet in one line (ND7, ND25)."""

    name: str | None
    stats: tuple[tuple[str, int], ...]
    resistances: tuple[tuple[str, int], ...] = ()


class Count(NamedTuple):
    """`Turn 3` or `Round 2`."""

    what: str
    number: int


class Part(NamedTuple):
    """A loose line without the line that it belongs to: only a correction may hold it (X24).

    `crit`: the die that a critical hit adds to the damage of the line above. `whom`: on whom its damage falls.
    """

    damage: Sum | None = None
    binding: Sum | None = None
    levels: Levels | None = None
    save: Save | None = None
    crit: Sum | None = None
    whom: str | None = None


#: What takes the action of a turn or of an enemy's place in a round.
ACTS = (Strike, Mend, Use, Escape)
