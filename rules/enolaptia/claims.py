"""The typed records that the reader puts into `Claim.data`: what each line of a post says.

Named tuples: a battle makes thousands of them, and a frozen dataclass takes three times as long to make.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.model.claims import WrittenRoll
from rules.enolaptia.formula import Formula

NO_ROLL = WrittenRoll()


class Encounter(NamedTuple):
    """`Encounter: 1d6 = 4 (Mud Crab x2, Marsh Rat)`: the roll and the kinds with their numbers (NE1, NE12)."""

    roll: WrittenRoll
    party: tuple[tuple[str, int], ...]


class Shares(NamedTuple):
    """`Allocation: Mira 1-3, Tobin 4-6`: name, lowest and highest number (E7)."""

    rows: tuple[tuple[str, int, int], ...]


class Tie(NamedTuple):
    """`tie 1d6 = 5, Tobin first`; `first` is None where the post names nobody."""

    roll: WrittenRoll
    first: str | None


class Order(NamedTuple):
    """`Order: Mira (12), Marsh Rat (9)`: names with the Speed written, and the tie rolls (NE2).

    `tie_unread`: a line behind it tells of a tie in words that could not be read.
    """

    entries: tuple[tuple[str, int | None], ...]
    ties: tuple[Tie, ...] = ()
    tie_unread: bool = False


class Duel(NamedTuple):
    """`Duel: Mira and Lene against Wanda` (NE17)."""

    sides: tuple[tuple[str, ...], ...]


class Aim(NamedTuple):
    """`d6 3, allocation 3-4 = Tobin`: whom a creature's attack meets (E7)."""

    roll: WrittenRoll
    low: int | None
    high: int | None
    name: str


class Move(NamedTuple):
    """One move of one fighter in a battle turn (E4).

    `action`: attack, spell, special, skill, potion, run, teleport or party stone. `actor` is None
    where the line names nobody (then it is the author's own character). `amount`: the damage or
    the gain as written, None where the line ends without it. `stated`: escaped or failed. `adds_up`:
    whether the sum as written gives the amount; `base`: the AT that it takes; `formula`: the damage
    that the line says the ability has. `heals`: the amount is a gain of HP.
    """

    action: str
    actor: str | None
    target: str | None = None
    ability: str | None = None
    roll: WrittenRoll = NO_ROLL
    amount: int | None = None
    stated: str | None = None
    sum_text: str = ""
    choice: WrittenRoll | None = None
    chosen: str | None = None
    aim: Aim | None = None
    unproved: bool = False
    adds_up: bool = True
    base: int | None = None
    formula: Formula | None = None
    heals: bool = False


class HpRow(NamedTuple):
    """`Mira 31/40`: who stands where, and out of how many if the post says so."""

    name: str
    now: int
    top: int | None = None


class HpLine(NamedTuple):
    """One line of HP: the party's or one creature's (NE4)."""

    rows: tuple[HpRow, ...]


class DropRow(NamedTuple):
    """`Rat 1: 1d6 = 3 + 1 (Lucky Charm) = 4 -> 1d6 = 2 (Bog Iron)` (NE5, NE18).

    `found` is the item, None for nothing. `total` is the number behind the bonuses, if written.
    """

    creature: str
    roll: WrittenRoll
    found: str | None
    item_roll: WrittenRoll = NO_ROLL
    bonuses: tuple[tuple[int, str], ...] = ()
    total: int | None = None


class Drops(NamedTuple):
    """The drop rolls of one line; `headed`: it stands under the heading `Drops`."""

    rows: tuple[DropRow, ...]
    headed: bool = True


class Exp(NamedTuple):
    """`EXP: 2 x 7 + 1 x 4 = 18`: (number, EXP each) and the total."""

    parts: tuple[tuple[int, int], ...]
    total: int


def rolls_in(data: object) -> tuple[WrittenRoll, ...]:
    """Every roll of a line, in the order of writing."""
    found: list[WrittenRoll | None] = []
    if isinstance(data, Move):
        found = [data.choice, data.aim.roll if data.aim else None, data.roll]
    elif isinstance(data, Encounter):
        found = [data.roll]
    elif isinstance(data, Order):
        found = [tie.roll for tie in data.ties]
    elif isinstance(data, Drops):
        found = [roll for row in data.rows for roll in (row.roll, row.item_roll)]
    return tuple([roll for roll in found if roll is not None and roll is not NO_ROLL and roll != NO_ROLL])


class Notes(NamedTuple):
    """What the judge has to know besides the claims.

    `turns`: headings (`Turn 3`), index of the claim that follows each, and its number. `lost`: index
    of the claim that follows each line of the game which could not be read, and what may stand in it
    (move, order, encounter, exp). `movement`: a line of a movement turn stands there (E15).
    """

    turns: tuple[tuple[int, int], ...] = ()
    lost: tuple[tuple[int, str], ...] = ()
    movement: bool = False
