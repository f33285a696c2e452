"""Stats with what a doll wears and wields, pure: worked out once for the same numbers and things (D1, D7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import NamedTuple

from referee.ports.sayings import term
from rules.angel_dolls.stats import with_gear
from rules.angel_dolls.tables import Gear

#: Weapons and accessories that count together.
Worn = tuple[Gear, ...]

#: More accessories of which it is open whether they are usable are not tried out.
MOST_DOUBTFUL = 6

#: So many stats are kept: those of a few battles.
MOST_KEPT = 256


class Stat(NamedTuple):
    """What a first number may be. `listed`: the rule's own readings; `accepted`: those never faulted.

    `lines`: gives the working, which only a finding needs. `unknown`: a weapon that the tables lack and
    that may be in the number too.
    """

    name: str
    listed: frozenset[int]
    accepted: frozenset[int]
    lines: Callable[[], list[str]] = list
    rules: tuple[str, ...] = ("D1", "D7")
    unknown: str = ""


class Kit(NamedTuple):
    """What counts of a doll's things now: accessories that surely do or that may, and usable weapons."""

    sure: Worn
    maybe: Worn
    weapons: Worn


class Wielded(NamedTuple):
    """The weapon that a heading names. `own`: it is the attacker's; `counts`: whether it counts (readings)."""

    gear: Gear
    own: bool
    counts: tuple[bool, ...]


@lru_cache(maxsize=MOST_KEPT)
def bare(name: str, stat: str, basic: int, kit: Kit) -> Stat:
    """The stat of a doll before weapons."""
    values = frozenset([with_gear(stat, basic, (*kit.sure, *chosen)) for chosen in _choices(kit.maybe)])
    return Stat(stat, values, values, partial(_lines, name, stat, basic, kit, ()))


@lru_cache(maxsize=MOST_KEPT)
def guarding(name: str, stat: str, basic: int, kit: Kit) -> Stat:
    """A defensive stat; that a weapon adds to it is merely accepted."""
    plain = bare(name, stat, basic, kit)
    options = [(gear,) for gear in kit.weapons]
    return plain._replace(accepted=plain.listed | _with_each(stat, plain.listed, options))


@lru_cache(maxsize=MOST_KEPT)
def armed(name: str, stat: str, basic: int, kit: Kit) -> Stat:
    """The stat of a doll that may hold any one of its weapons."""
    values = bare(name, stat, basic, kit).listed
    options = [(gear,) for gear in kit.weapons]
    listed = values | _with_each(stat, values, options)
    return Stat(
        stat,
        listed,
        listed | _with_each(stat, values, (kit.weapons,)),
        partial(_lines, name, stat, basic, kit, options),
        unknown=_unknown_among(options),
    )


@lru_cache(maxsize=MOST_KEPT)
def striking(name: str, stat: str, basic: int, kit: Kit, wielded: Wielded | None) -> Stat:
    """The stat of a doll that attacks: with the weapon it names; otherwise with or without (NA7)."""
    values = bare(name, stat, basic, kit).listed
    options, extra = _weapon_options(kit, wielded)
    listed = _with_each(stat, values, options)
    every = (*options, *extra)
    return Stat(
        stat,
        listed,
        listed | _with_each(stat, values, extra),
        partial(_lines, name, stat, basic, kit, options),
        unknown=_unknown_among(every),
    )


def _choices(maybe: Worn) -> Iterable[Worn]:
    """Every choice of the accessories that may or may not be usable."""
    some = maybe[:MOST_DOUBTFUL]
    return (chosen for size in range(len(some) + 1) for chosen in combinations(some, size))


def _with_each(stat: str, values: Iterable[int], options: Iterable[Worn]) -> frozenset[int]:
    """Each reading of a stat with each set of weapons."""
    return frozenset([with_gear(stat, value, worn) for worn in options for value in values])


def _weapon_options(kit: Kit, wielded: Wielded | None) -> tuple[Sequence[Worn], Sequence[Worn]]:
    """Weapons that count in an attack: those of the rule, and those merely accepted."""
    if wielded is None:
        return ((), *((gear,) for gear in kit.weapons)), (kit.weapons,)
    named = wielded.gear
    others = [gear for gear in kit.weapons if gear is not named and not gear.handheld] if wielded.own else []
    return [(named,) if counts else () for counts in wielded.counts], [(named, gear) for gear in others]


def _unknown_among(options: Iterable[Worn]) -> str:
    return next((piece.name for worn in options for piece in worn if piece.unknown), "")


def _lines(name: str, stat: str, basic: int, kit: Kit, options: Iterable[Worn]) -> list[str]:
    """The working: `Agility of Wyvern: 26 on the sheets + 5 (scope chip) = 31`, and what weapons add."""
    parts = [(piece.stats[stat], piece.name) for piece in kit.sure if piece.stats.get(stat)]
    words = "".join(f" {'-' if value < 0 else '+'} {abs(value)} ({thing})" for value, thing in parts)
    total = basic + sum(value for value, _ in parts)
    weapons = {(piece.name, piece.stats[stat]) for worn in options for piece in worn if piece.stats.get(stat)}
    return [
        f"{stat} of {name}: {basic} on the sheets{words}{f' = {total}' if parts else ''}",
        *(f"with the {weapon}: {total} {term(value)} = {total + value}" for weapon, value in sorted(weapons)),
    ]
