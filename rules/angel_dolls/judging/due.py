"""What the rules make due for a side of a check: the stat and the modifiers of manoeuvres and holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from referee.ports.reading import squeeze
from referee.ports.sayings import one_of
from rules.angel_dolls.judging.play import Play
from rules.angel_dolls.judging.state import Block, Bout, Doll, Hold, Item
from rules.angel_dolls.manoeuvres import disarm_modifier, entangle_effect, spared_agility
from rules.angel_dolls.statements import DEFENSIVE
from rules.angel_dolls.stats import fully_defended, halved
from rules.angel_dolls.worn import Stat, Wielded, armed, bare, guarding, striking


class Want(NamedTuple):
    """A modifier that a rule calls for; `sure` is False where a finding or gap leaves it open."""

    kind: str
    values: frozenset[int]
    rules: tuple[str, ...]
    sure: bool = True


class Due(NamedTuple):
    """All that is due for one side; `judged` is False where its context could not be read.

    `chain`: the side may bear a penalty of the attacker's chain.
    """

    stat: Stat | None = None
    wants: tuple[Want, ...] = ()
    judged: bool = True
    code: str = "stat"
    chain: bool = False
    known_kinds: frozenset[str] = frozenset()


#: Things that a doll may strike or throw with; a body has none of them.
_OBJECT = re.compile(
    r"^(?:an?|some)\s|\b(?:improvised|thrown|bottle|chair|stool|bench|table|plank|branch|stick|rock|stone|brick|shard|glass"
    r"|mug|tankard|lantern|torch|lamp|pipe|rope|bucket|barrel|crate|shovel|pan|club|cudgel|hammer|axe|sword|blade|knife"
    r"|dagger|spear|lance|staff|pole|rod|whip|chain|net|bow|gun|shield)s?\b",
    re.IGNORECASE,
)

#: Kinds of modifiers that belong to a hit check; one that is not due there is a finding.
HIT_KINDS = frozenset({"disarm", "disable", "entangle", "entangled", "legs", "arms", "strangled"})


# -- modifiers --------------------------------------------------------------------------------------


def attacker_wants(bout: Bout, block: Block) -> tuple[Want, ...]:
    """The modifiers of the attacker's hit check (D11, D12, D14, D15)."""
    if block.attacker is None:
        return ()
    wants = [*_attempt(bout, block)] if block.manoeuvre else []
    if not bout.holds:
        return tuple(wants)
    wants += _held_agility(bout, block)
    holds = bout.holds_on(block.attacker)
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
    return tuple(_held(bout, block.defender, "Reflexes")) if block.defender and bout.holds else ()


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
    basic = None if doll is None or block.doubtful else _basic(play, doll, stat)
    if doll is None or basic is None:
        return None
    named = block.means_of(doll)
    if named is not None and named.gear is not None and named.gear.unknown:
        _unknown(play, named.name, doll.name)
        return None
    found = striking(doll.name, stat, basic, play.bout.kit(doll), _wielded(play.bout, doll, named, block))
    return found._replace(unknown=block.means or "") if named is None and _improvised(play.bout, block) else found


def _improvised(bout: Bout, block: Block) -> bool:
    """Whether the means are a weapon that no table knows, such as `a broken bottle`: what it adds is not known (X2)."""
    if not block.means or block.element or block.key in bout.numbers.gear or block.key in bout.numbers.powers:
        return False
    return _OBJECT.search(block.means) is not None


def _wielded(bout: Bout, doll: Doll, named: Item | None, block: Block) -> Wielded | None:
    """The weapon that the heading names; None where it names none."""
    if named is None:
        foreign = bout.numbers.gear.get(block.key) if block.key else None
        return None if foreign is None else Wielded(foreign, False, (True, False) if foreign.weapon else (False,))
    if named.gear is None or not named.gear.weapon:
        return None
    standing = bout.standing(doll, named)
    if standing == "usable" and not block.weapon_out:
        return Wielded(named.gear, True, (True,))
    return Wielded(named.gear, True, (True, False) if standing != "out" or block.weapon_out else (False,))


def defender_stat(play: Play, stat: str, name: str | None) -> Stat | None:
    """The defender's stat. A held weapon may count in tests of Strength (NA7)."""
    rivals = play.block.rivals
    if rivals and (name in rivals or name == play.block.defender):
        return None
    doll = play.bout.doll(name)
    basic = None if doll is None else _basic(play, doll, stat)
    if doll is None or basic is None:
        return None
    kit = play.bout.kit(doll)
    if stat in DEFENSIVE:
        return _braced(play, doll, guarding(doll.name, stat, basic, kit))
    return armed(doll.name, stat, basic, kit)


def bare_stat(play: Play, doll: Doll, stat: str) -> Stat | None:
    """A doll's stat with its usable accessories, before weapons."""
    basic = _basic(play, doll, stat)
    return None if basic is None else bare(doll.name, stat, basic, play.bout.kit(doll))


def _braced(play: Play, doll: Doll, stat: Stat) -> Stat:
    """A defensive stat in a round of Full Defense or of a simultaneous strike (NA8)."""
    numbers = play.bout.numbers
    together = play.together is not None and doll.name in (play.together.first, play.together.second)
    full = doll.name in play.full
    perhaps = play.any_full or doll.name in play.later_full
    if not (together or full or perhaps or play.any_halved):
        return stat
    braced = stat
    if full:
        why = f"Full Defense, {numbers.full_defense}%"
        braced = _changed(stat, lambda value: fully_defended(value, numbers), why, "D9")
    if together:
        lowered = _changed(stat, lambda value: halved(value, numbers), "halved in a simultaneous strike", "D10")
        braced = _either(braced, lowered) if full else lowered
    if perhaps or (full and together):
        braced = _either(braced, _changed(stat, lambda value: fully_defended(value, numbers), "Full Defense", "D9"))
        braced = braced._replace(accepted=braced.accepted | stat.accepted)
    if play.any_halved:
        braced = _either(braced, _changed(stat, lambda value: halved(value, numbers), "simultaneous strike", "D10"))
        braced = braced._replace(accepted=braced.accepted | stat.accepted)
    if together and not full and not _between_the_two(play):
        braced = braced._replace(accepted=braced.accepted | stat.accepted)
    return braced


def _between_the_two(play: Play) -> bool:
    """Whether the attack in play is one of the simultaneous strike itself."""
    pair = {play.block.attacker, play.block.defender}
    return play.together is not None and pair == {play.together.first, play.together.second}


def _changed(stat: Stat, change: Callable[[int], frozenset[int]], why: str, rule: str) -> Stat:
    """The stat after a change of every reading, with its working."""
    listed, accepted = _each(stat.listed, change), _each(stat.accepted, change)
    return Stat(
        stat.name,
        listed,
        accepted,
        lambda: [*stat.lines(), *_becomes(stat.listed, change, why)],
        (*stat.rules, rule),
    )


def _becomes(values: Iterable[int], change: Callable[[int], frozenset[int]], why: str) -> list[str]:
    return [f"{why}: {value} becomes {one_of(sorted(change(value)))}" for value in sorted(values)]


def _either(one: Stat, other: Stat) -> Stat:
    return Stat(
        one.name,
        one.listed | other.listed,
        one.accepted | other.accepted,
        lambda: list(dict.fromkeys((*one.lines(), *other.lines()))),
        one.rules,
    )


def _each(values: frozenset[int], change: Callable[[int], frozenset[int]]) -> frozenset[int]:
    return frozenset(result for value in values for result in change(value))


def _basic(play: Play, doll: Doll, stat: str) -> int | None:
    """A stat by the sheets; None where sheets or tables lack something that its sums need."""
    basic = doll.basic.get(stat)
    if basic is None:
        _no_basic(play, doll)
        return None
    for item in doll.unlisted:
        _unknown(play, item.name, doll.name)
    return None if doll.unlisted else basic


def _unknown(play: Play, name: str, who: str | None) -> None:
    """Say once that a thing is in no table (X2)."""
    message = f"{name} is not in the table of equipment: stats with it are not checked"
    play.unchecked(f"gear:{squeeze(name)}", message, who)


def _no_basic(play: Play, doll: Doll) -> None:
    """Say once for lack of what a doll's stats are not known (X2)."""
    if doll.bonus is None:
        generator = doll.character.get("generator")
        message = f"the table of generators lacks {generator}: stats of {doll.name} are not checked"
        play.unchecked(f"generator:{generator}", message, doll.name)
    else:
        message = f"the sheet of {doll.name} lacks stats: sums with them are not checked"
        play.unchecked(f"sheet:{doll.name}", message, doll.name)
