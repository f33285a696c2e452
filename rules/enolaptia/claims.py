"""The typed records that the reader puts into `Claim.data`: what each line of a post says."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.model.claims import WrittenRoll

NO_ROLL = WrittenRoll()


@dataclass(frozen=True, slots=True)
class Encounter:
    """`Encounter: 1d6 = 4 (Mud Crab x2, Marsh Rat)`: the roll and the kinds with their numbers (NE1, NE12)."""

    roll: WrittenRoll
    party: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Shares:
    """`Allocation: Mira 1-3, Tobin 4-6`: name, lowest and highest number (E7)."""

    rows: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """`tie 1d6 = 5, Tobin first`; `first` is None where the post names nobody."""

    roll: WrittenRoll
    first: str | None


@dataclass(frozen=True, slots=True)
class Order:
    """`Order: Mira (12), Marsh Rat (9)`: names with the Speed written, and the tie rolls (NE2)."""

    entries: tuple[tuple[str, int | None], ...]
    ties: tuple[Tie, ...] = ()


@dataclass(frozen=True, slots=True)
class Duel:
    """`Duel: Mira and Lene against Wanda` (NE17)."""

    sides: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Aim:
    """`d6 3, allocation 3-4 = Tobin`: whom a creature's attack meets (E7)."""

    roll: WrittenRoll
    low: int | None
    high: int | None
    name: str


@dataclass(frozen=True, slots=True)
class Move:
    """One move of one fighter in a battle turn (E4).

    `action`: attack, spell, special, skill, potion, run, teleport or party stone. `actor` is None
    where the line names nobody (then it is the author's own character). `amount`: the damage or
    the gain as written, None where the line ends without it. `stated`: escaped or failed.
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


@dataclass(frozen=True, slots=True)
class HpRow:
    """`Mira 31/40`: who stands where, and out of how many if the post says so."""

    name: str
    now: int
    top: int | None = None


@dataclass(frozen=True, slots=True)
class HpLine:
    """One line of HP: the party's or one creature's (NE4)."""

    rows: tuple[HpRow, ...]


@dataclass(frozen=True, slots=True)
class DropRow:
    """`Rat 1: 1d6 = 3 + 1 (Lucky Charm) = 4 -> 1d6 = 2 (Bog Iron)` (NE5, NE18).

    `found` is the item, None for nothing. `total` is the number behind the bonuses, if written.
    """

    creature: str
    roll: WrittenRoll
    found: str | None
    item_roll: WrittenRoll = NO_ROLL
    bonuses: tuple[tuple[int, str], ...] = ()
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Drops:
    """The drop rolls of one line."""

    rows: tuple[DropRow, ...]


@dataclass(frozen=True, slots=True)
class Exp:
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
    return tuple(roll for roll in found if roll is not None and roll != NO_ROLL)


@dataclass(frozen=True, slots=True)
class Notes:
    """Headings (`Turn 3`): index of the claim that follows each, and its number."""

    turns: tuple[tuple[int, int], ...] = field(default=())
    unread_moves: tuple[int, ...] = field(default=())
