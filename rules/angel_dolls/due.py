"""What the rules make due for a side of a check: the stat and the modifiers of manoeuvres and holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations

from referee.ports.reading import squeeze
from rules.angel_dolls.manoeuvres import disarm_modifier, entangle_effect, spared_agility
from rules.angel_dolls.play import Play
from rules.angel_dolls.state import Block, Bout, Doll, Hold, Item
from rules.angel_dolls.statements import DEFENSIVE
from rules.angel_dolls.stats import fully_defended, halved, with_gear
from rules.angel_dolls.tables import Gear


@dataclass(frozen=True, slots=True)
class Want:
    """A modifier that a rule calls for; `sure` is False where a finding or gap leaves it open."""

    kind: str
    values: frozenset[int]
    rules: tuple[str, ...]
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Stat:
    """What a first number may be. `listed`: the rule's own readings; `accepted`: those never faulted.

    `unknown`: a weapon that the tables lack and that may be in the number too.
    """

    name: str
    listed: frozenset[int]
    accepted: frozenset[int]
    lines: tuple[str, ...] = ()
    rules: tuple[str, ...] = ("D1", "D7")
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Due:
    """All that is due for one side; `judged` is False where its context could not be read.

    `chain`: the side may bear a penalty of the attacker's chain.
    """

    stat: Stat | None = None
    wants: tuple[Want, ...] = ()
    judged: bool = True
    code: str = "stat"
    chain: bool = False
    known_kinds: frozenset[str] = field(default_factory=frozenset)


#: Weapons that count together.
Worn = tuple[Gear, ...]

#: Kinds of modifiers that belong to a hit check; one that is not due there is a finding.
HIT_KINDS = frozenset({"disarm", "disable", "entangle", "entangled", "legs", "arms", "strangled"})


# -- modifiers --------------------------------------------------------------------------------------


def attacker_wants(bout: Bout, block: Block) -> tuple[Want, ...]:
    """The modifiers of the attacker's hit check (D11, D12, D14, D15)."""
    if block.attacker is None:
        return ()
    wants = [*_attempt(bout, block), *_held_agility(bout, block)]
    holds = list(bout.holds_on(block.attacker))
    if holds and (block.element or block.strange):
        bonus = frozenset({bout.numbers.elemental_entangled})
        sure = bool(block.element) and any(bout.firm(hold) for hold in holds)
        wants.append(Want("entangled", bonus, ("D15",), sure))
    return tuple(wants)


def _attempt(bout: Bout, block: Block) -> Iterator[Want]:
    """What the manoeuvre itself costs."""
    numbers = bout.numbers
    if block.manoeuvre == "disarm":
        held = [h for h in bout.holds if h.holder == block.attacker and h.held == block.defender and h.part == "weapon"]
        usual, better = disarm_modifier(False, numbers), disarm_modifier(True, numbers)
        if any(hold.sure for hold in held):
            yield Want("disarm", frozenset({better}), ("D11", "D14"))
        else:
            yield Want("disarm", frozenset({usual, better} if held else {usual}), ("D11",))
    elif block.manoeuvre == "disable":
        yield Want("disable", frozenset({numbers.manoeuvres["disable"]}), ("D12",))
    elif block.manoeuvre in ("entangle", "strangle"):
        yield Want("entangle", frozenset({numbers.manoeuvres["entangle"]}), ("D14",))


def _held_agility(bout: Bout, block: Block) -> Iterator[Want]:
    """What being held takes from the attacker's Agility; breaking and disarming are spared (D15)."""
    if block.attacker is None or spared_agility(block.manoeuvre):
        return
    yield from _held(bout, block.attacker, "Agility")


def defender_wants(bout: Bout, block: Block) -> tuple[Want, ...]:
    """The modifiers of the defender's side of a hit check (D14)."""
    return tuple(_held(bout, block.defender, "Reflexes")) if block.defender else ()


def _held(bout: Bout, name: str, stat: str) -> Iterator[Want]:
    by_part: dict[str, list[Hold]] = {}
    for hold in bout.holds_on(name):
        by_part.setdefault(hold.part, []).append(hold)
    several = sum(any(bout.firm(hold) for hold in holds) for holds in by_part.values()) > 1
    for part, holds in by_part.items():
        effect = entangle_effect(part, stat, bout.numbers)
        if effect:
            kind = "strangled" if part == "strangle" else part
            sure = any(bout.firm(hold) for hold in holds) and not several
            yield Want(kind, frozenset({effect}), ("D14",), sure)


# -- stats ------------------------------------------------------------------------------------------


def attacker_stat(play: Play, stat: str, block: Block) -> Stat | None:
    """The attacker's stat: with the weapon that the heading names; otherwise with or without (NA7)."""
    doll = play.bout.doll(block.attacker)
    if doll is None or block.doubtful:
        return None
    bases = bare_stat(play, doll, stat)
    if bases is None:
        return None
    bare, lines = bases
    named = doll.items.get(squeeze(block.means)) if block.means else None
    if named is not None and named.gear is not None and named.gear.unknown:
        _unknown(play, named.name, doll.name)
        return None
    options, extra = _weapon_options(play.bout, doll, block)
    listed = frozenset(with_gear(stat, value, worn) for value in bare for worn in options)
    accepted = listed | frozenset(with_gear(stat, value, worn) for value in bare for worn in extra)
    shown = [*lines, *_weapon_lines(stat, {*options, *extra})]
    return Stat(stat, listed, accepted, tuple(shown), unknown=_unknown_among({*options, *extra}))


def _unknown(play: Play, name: str, who: str | None) -> None:
    """Say once that a thing is in no table (X2)."""
    message = f"{name} is not in the table of equipment: stats with it are not checked"
    play.unchecked(f"gear:{squeeze(name)}", message, who)


def _unknown_among(options: Iterable[Worn]) -> str:
    return next((piece.name for worn in options for piece in worn if piece.unknown), "")


def _weapon_options(bout: Bout, doll: Doll, block: Block) -> tuple[set[Worn], set[Worn]]:
    """Weapons that count in an attack: those of the rule, and those merely accepted."""
    named = doll.items.get(squeeze(block.means)) if block.means else None
    weapons = [i for i in doll.items.values() if i.gear and i.gear.weapon and bout.standing(doll, i) != "out"]
    if named is None and block.means and squeeze(block.means) in bout.numbers.gear:
        foreign = bout.numbers.gear[squeeze(block.means)]
        return {(foreign,) if foreign.weapon else (), ()}, set()
    if named is not None and named.gear is not None and named.gear.weapon:
        standing = bout.standing(doll, named)
        worn: set[Worn] = {(named.gear,)} if standing != "out" or block.weapon_out else set()
        if standing != "usable" or block.weapon_out:
            worn.add(())
        others: set[Worn] = {(named.gear, i.gear) for i in weapons if i is not named and i.gear and not i.gear.handheld}
        return worn, others
    return {(), *((i.gear,) for i in weapons if i.gear)}, {tuple(i.gear for i in weapons if i.gear)}


def defender_stat(play: Play, stat: str, name: str | None) -> Stat | None:
    """The defender's stat. A held weapon may count in tests of Strength (NA7)."""
    doll = play.bout.doll(name)
    bases = bare_stat(play, doll, stat) if doll else None
    if doll is None or bases is None:
        return None
    bare, lines = bases
    weapons = [i.gear for i in doll.items.values() if i.gear and i.gear.weapon and play.bout.standing(doll, i) != "out"]
    armed = frozenset(with_gear(stat, value, (gear,)) for value in bare for gear in weapons)
    every = frozenset(with_gear(stat, value, tuple(weapons)) for value in bare)
    if stat not in DEFENSIVE:
        options = {(gear,) for gear in weapons}
        shown = (*lines, *_weapon_lines(stat, {*options}))
        return Stat(stat, bare | armed, bare | armed | every, shown, unknown=_unknown_among(options))
    return _braced(play, doll, Stat(stat, bare, bare | armed, lines))


def _braced(play: Play, doll: Doll, stat: Stat) -> Stat:
    """A defensive stat in a round of Full Defense or of a simultaneous strike (NA8)."""
    numbers = play.bout.numbers
    together = play.together is not None and doll.name in (play.together.first, play.together.second)
    full = doll.name in play.full
    braced = stat
    if full:
        braced = _changed(stat, lambda value: fully_defended(value, numbers), "Full Defense", "D9")
    if together:
        lowered = _changed(stat, lambda value: halved(value, numbers), "simultaneous strike", "D10")
        braced = _either(braced, lowered) if full else lowered
    if play.any_full or doll.name in play.later_full or (full and together):
        braced = _either(braced, _changed(stat, lambda value: fully_defended(value, numbers), "Full Defense", "D9"))
        braced = replace(braced, accepted=braced.accepted | stat.accepted)
    if together and not full and not _between_the_two(play):
        braced = replace(braced, accepted=braced.accepted | stat.accepted)
    return braced


def _between_the_two(play: Play) -> bool:
    """Whether the attack in play is one of the simultaneous strike itself."""
    pair = {play.block.attacker, play.block.defender}
    return play.together is not None and pair == {play.together.first, play.together.second}


def _changed(stat: Stat, change: Callable[[int], frozenset[int]], why: str, rule: str) -> Stat:
    """The stat after a change of every reading, with its working."""
    listed, accepted = _each(stat.listed, change), _each(stat.accepted, change)
    line = f"{why}: {_said(stat.listed)} becomes {_said(listed)}"
    return Stat(stat.name, listed, accepted, (*stat.lines, line), (*stat.rules, rule))


def _either(one: Stat, other: Stat) -> Stat:
    lines = tuple(dict.fromkeys((*one.lines, *other.lines)))
    return Stat(one.name, one.listed | other.listed, one.accepted | other.accepted, lines, one.rules)


def _each(values: frozenset[int], change: Callable[[int], frozenset[int]]) -> frozenset[int]:
    return frozenset(result for value in values for result in change(value))


def bare_stat(play: Play, doll: Doll, stat: str) -> tuple[frozenset[int], tuple[str, ...]] | None:
    """A doll's stat with its usable accessories, before weapons; every reading, with its working."""
    basic = doll.basic.get(stat)
    if basic is None and doll.bonus is None:
        generator = doll.character.get("generator")
        message = f"the table of generators lacks {generator}: stats of {doll.name} are not checked"
        play.unchecked(f"generator:{generator}", message, doll.name)
        return None
    if basic is None:
        play.unchecked(
            f"sheet:{doll.name}", f"the sheet of {doll.name} lacks stats: sums with them are not checked", doll.name
        )
        return None
    sure, maybe, unknown = _accessories(play.bout, doll)
    for item in unknown:
        _unknown(play, item.name, doll.name)
    if unknown:
        return None
    values = {
        with_gear(stat, basic, (*sure, *extra)) for size in range(len(maybe) + 1) for extra in combinations(maybe, size)
    }
    return frozenset(values), (_working(doll, stat, basic, sure),)


def _accessories(bout: Bout, doll: Doll) -> tuple[Worn, Worn, list[Item]]:
    sure: list[Gear] = []
    maybe: list[Gear] = []
    unknown: list[Item] = []
    for item in list(doll.items.values())[:20]:
        if item.gear is None:
            unknown.append(item)
        elif not item.gear.weapon:
            standing = bout.standing(doll, item)
            if standing != "out":
                (sure if standing == "usable" else maybe).append(item.gear)
    return tuple(sure), tuple(maybe[:6]), unknown


def _working(doll: Doll, stat: str, basic: int, gear: Iterable[Gear]) -> str:
    """One line of working: `Agility of Wyvern: 26 on the sheets + 5 (scope chip) = 31`."""
    parts = [(piece.stats[stat], piece.name) for piece in gear if piece.stats.get(stat)]
    words = "".join(f" {'-' if value < 0 else '+'} {abs(value)} ({name})" for value, name in parts)
    return f"{stat} of {doll.name}: {basic} on the sheets of Deus and Angel{words} = {basic + sum(v for v, _ in parts)}"


def _weapon_lines(stat: str, options: set[Worn]) -> list[str]:
    names = {(piece.name, piece.stats[stat]) for worn in options for piece in worn if piece.stats.get(stat)}
    return [f"{name}: {value:+d} where it counts" for name, value in sorted(names)]


def _said(values: Iterable[int]) -> str:
    return " or ".join(str(value) for value in sorted(values))
