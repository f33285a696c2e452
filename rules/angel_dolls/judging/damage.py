"""Judges damage to dolls and weapons (D5, D6, D12, D13)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.ports.reading import squeeze
from referee.ports.sayings import one_of
from rules.angel_dolls.attacks import elemental_damage, pairs, physical_damage
from rules.angel_dolls.judging.due import Due, attacker_stat, defender_stat
from rules.angel_dolls.judging.lines import old_sides, sides_of
from rules.angel_dolls.judging.play import Play
from rules.angel_dolls.judging.rulings import extra_damage
from rules.angel_dolls.judging.side import fixed, weigh
from rules.angel_dolls.judging.state import Doll, Item
from rules.angel_dolls.judging.workings import against, difference_lines, elemental_lines
from rules.angel_dolls.manoeuvres import disabling_damage
from rules.angel_dolls.statements import Check
from rules.angel_dolls.stats import affinity

#: Not more readings of a damage than this are kept.
MOST_READINGS = 64


# -- damage (D5, D6, D12) ---------------------------------------------------------------------------------


def judge_damage(play: Play, check: Check) -> None:
    """Damage to a doll; it comes off the defender's HP."""
    attacker, defender = sides_of(play, check)
    block = play.block
    if block.known and block.damage:
        _written_again(play, defender)
        return
    right = _right_damage(play, check, attacker, defender)
    readings = settle_damage(play, check, attacker, right)
    block.damage = readings
    if readings and (block.manoeuvre == "disable" or block.was is not None):
        _disabled_perhaps(play, readings)
    struck = block.struck_names(check.right.owner if check.right else None)
    if len(struck) > 1:
        for name in struck:
            lose(play, play.bout.doll(name), readings and readings | {0}, None)
    else:
        lose(play, play.bout.doll(defender), readings, check.result)


def _written_again(play: Play, defender: str | None) -> None:
    """A second damage line of one attack, such as a typo put right below: which one counts is not known."""
    message = "one attack has two damage lines: the second and the HP after them are not checked"
    play.unchecked(f"damage:again:{play.entry.post.id}", message, defender)
    lose(play, play.bout.doll(defender), frozenset(), None)


def _right_damage(play: Play, check: Check, attacker: str | None, defender: str | None) -> frozenset[int]:
    """What the line's own totals give, after judging its sides and affinities; empty where unknown."""
    if check.left is None or check.right is None:
        play.unchecked("damage:short", "a damage is written without its check: not checked", attacker)
        return frozenset()
    headed = bool(play.block.element) and not play.block.doubtful
    elemental = headed or (check.element is not None) or check.left.stat == "Magic"
    stats = ("Magic", "Resistance") if elemental else ("Strength", "Durability")
    was_left, was_right = old_sides(play)
    left = weigh(play, check.left, was_left, attacker, Due(attacker_stat(play, stats[0], play.block), chain=True))
    right = weigh(play, check.right, was_right, defender, Due(defender_stat(play, stats[1], defender)))
    if elemental:
        return _elemental(play, check, attacker, defender, frozenset(pairs(left, right)))
    plain = frozenset([physical_damage(a, b) for a, b in pairs(left, right)])
    ways = {play.block.manoeuvre, play.block.was.manoeuvre if play.block.was else play.block.manoeuvre}
    if not play.block.known:
        ways.add("disable")  # What attack it is, is not known.
    if "disable" not in ways:
        return plain
    thirds = frozenset(value for damage in plain for value in disabling_damage(damage, play.bout.numbers))
    return thirds if len(ways) == 1 else thirds | plain


def _elemental(
    play: Play, check: Check, attacker: str | None, defender: str | None, totals: frozenset[tuple[int, int]]
) -> frozenset[int]:
    """The damage of a power with affinities; reports affinities that are wrong or wrongly used (D6, NA16)."""
    written = check.affinities
    known = _affinities(play, check, attacker, defender)
    if check.turned and written is not None and written[::-1] in (known or ()):
        written = written[::-1]
    inside = _affinities_inside(play, check) if written is None else None
    if inside is not None:
        totals = frozenset([(a - inside[0], b - inside[1]) for a, b in totals])
        alike = [pair for pair in known or () if pair[0] - pair[1] == inside[0] - inside[1]]
        written = alike[0] if alike else inside
    if known is None:
        known = frozenset({written}) if written else frozenset()
        if not written:
            return frozenset()
    right = frozenset(value for a, b in totals for own, other in known for value in elemental_damage(a, b, own, other))
    if not right or play.old is not None:
        return right | (_with(totals, written) if written else frozenset())
    # A damage that holds the affinities without showing them is right all the same; one not written says nothing.
    counted = written is None and (known == {(0, 0)} or check.result is None or check.result in right)
    if written not in known and not counted:
        _wrong_affinity(play, check, attacker, right, known)
        return right
    turned = frozenset(v for a, b in totals for own, other in known for v in elemental_damage(a, b, own, -other))
    if check.result is not None and check.result not in right and check.result in turned and not play.claim_fault:
        _wrong_affinity(play, check, attacker, right, known)
    return right


def _affinities_inside(play: Play, check: Check) -> tuple[int, int] | None:
    """The affinities that stand among the modifiers: `40 MAG + 30 (Dark)` against `25 RES - 30 (Dark affinity)`."""
    words = {"affinity", "affinities", *[element.casefold() for element in play.block.element]}
    sides = [side.modifiers if side else () for side in (check.left, check.right)]
    found = [[m.value for m in modifiers if not words.isdisjoint(m.reason.casefold().split())] for modifiers in sides]
    return (sum(found[0]), sum(found[1])) if any(found) else None


def _with(totals: Iterable[tuple[int, int]], written: tuple[int, int]) -> frozenset[int]:
    return frozenset(value for a, b in totals for value in elemental_damage(a, b, *written))


def _affinities(
    play: Play, check: Check, attacker: str | None, defender: str | None
) -> frozenset[tuple[int, int]] | None:
    """The pairs of affinities that may hold; None where a sheet or the element is not known."""
    shown = {check.element} if check.element else set()
    elements = (play.block.element | shown if play.block.doubtful else play.block.element) or shown
    found: set[tuple[int, int]] = set()
    struck = play.block.struck_names(check.right.owner if check.right else None)
    for element in elements:
        for name in struck if len(struck) > 1 else (defender,):
            own, other = _affinity(play, attacker, element), _affinity(play, name, element)
            if own is None or other is None:
                return None
            found.add((own, other))
    return frozenset(found) or None


def _affinity(play: Play, name: str | None, element: str) -> int | None:
    doll = play.bout.doll(name)
    if doll is None:
        return None
    value = affinity(doll.affinities, element) if doll.affinities is not None else None
    if value is None:
        message = f"the sheet of {doll.name} lacks the affinity to {element}: damage with it is not checked"
        play.unchecked(f"affinity:{doll.name}", message, doll.name)
    return value


def _wrong_affinity(
    play: Play, check: Check, who: str | None, right: frozenset[int], known: frozenset[tuple[int, int]]
) -> None:
    own, other = sorted(known)[0]
    element = check.element or "the element"
    words = one_of(sorted(right))
    trace = elemental_lines(check, own, other, element, right)
    if check.affinities is not None:
        trace.append("affinities in the post: attacker {:+d}, defender {:+d}".format(*check.affinities))
    message = f"with affinities {own:+d} and {other:+d} the damage is {words}, the post says {check.result}"
    play.affinity_fault = True
    play.add("affinity", who, check.result, sorted(right), message, trace, ("D6",))


def settle_damage(play: Play, check: Check, who: str | None, right: frozenset[int]) -> frozenset[int]:
    """Compare the written damage; gives all readings to go on with."""
    right = extra_damage(play.bout, play.entry, who, right)
    if len(right) > MOST_READINGS:
        right = frozenset(sorted(right)[:MOST_READINGS])
    if check.result is None:
        return right
    old = play.old_check()
    if old is not None and old.result is not None:
        return frozenset({check.result, old.result})
    if right and check.result not in right and not play.affinity_fault and not play.range_fault:
        _wrong_damage(play, check, who, right)
    if play.slip is not None and isinstance(play.slip.data, Check) and play.slip.data.result is not None:
        return frozenset({check.result, play.slip.data.result})
    open_ended = play.claim_fault or play.affinity_fault or len(play.shifts(who)) > 1
    return right | {check.result} if open_ended else frozenset({check.result})


def _wrong_damage(play: Play, check: Check, who: str | None, right: frozenset[int]) -> None:
    disabling = play.block.manoeuvre == "disable" and check.kind == "damage"
    rules = {"weapon": ("D5", "D13"), "strangle": ("D5", "D14")}.get(check.kind, ("D12",) if disabling else ("D5",))
    trace = difference_lines(check, disabling, right, play.bout.numbers)
    if check.affinities is not None or play.block.element:
        own, other = check.affinities or (0, 0)
        rules, trace = ("D6",), elemental_lines(check, own, other, check.element or "the element", right)
    third = ", a third of it," if disabling else ""
    message = f"{against(check)}{third} gives {one_of(sorted(right))} damage, the post says {check.result}"
    play.add("damage", who, check.result, sorted(right), message, trace, rules)


def lose(play: Play, doll: Doll | None, readings: frozenset[int], written: int | None) -> None:
    """Take a damage off a doll's HP; where it is not known, the next HP line is not judged."""
    if doll is None:
        for other in play.bout.dolls.values():
            other.hp.loose = True
    elif readings:
        doll.hp.suffer(readings, written, play.entry.index, play.place())
    else:
        doll.hp.loose = True


def _disabled_perhaps(play: Play, readings: frozenset[int]) -> None:
    """The accessory may be out from now on; the judge's own line makes it certain (D12)."""
    for doll in play.bout.dolls.values():
        for target in play.block.aims_at(doll.name):
            item = doll.items.get(target)
            if item is not None:
                item.until = (-1, *(play.bout.turn + value for value in readings))


# -- damage to weapons (D13) --------------------------------------------------------------------------------


def judge_weapon(play: Play, check: Check) -> None:
    """Damage to a weapon: Strength against its durability; it comes off the weapon's own HP."""
    attacker, defender = sides_of(play, check)
    block = play.block
    was_left, was_right = old_sides(play)
    item = _struck(play, check, defender)
    block.struck = item
    left = weigh(play, check.left, was_left, attacker, Due(attacker_stat(play, "Strength", block), chain=True))
    right = weigh(play, check.right, was_right, defender, _durability(play, item, check))
    whole = frozenset([physical_damage(a, b) for a, b in pairs(left, right)])
    block.weapon_damage = settle_damage(play, check, attacker, whole)
    struck = block.struck_names(check.right.owner if check.right else None)
    if len(struck) > 1 and block.weapon_damage:
        for name in struck:
            other = _struck(play, check, name)
            if other is not None:
                other.pool.suffer(block.weapon_damage | {0}, None, play.entry.index, play.place())
    elif item is not None and block.weapon_damage:
        item.pool.suffer(block.weapon_damage, check.result, play.entry.index, play.place())
        if item.pool.empty:
            item.lost.setdefault("shattered", False)
    elif item is None:
        _some_weapon_lost(play, check)


def _some_weapon_lost(play: Play, check: Check) -> None:
    """Whose weapon was struck is not known: the HP of every such weapon are open."""
    named = squeeze((check.right.thing if check.right else None) or play.block.target or "")
    for doll in play.bout.dolls.values():
        for key, item in doll.items.items():
            if item.gear and item.gear.weapon and named in ("", key):
                item.pool.loose = True


def at_weapon(play: Play, check: Check) -> bool:
    """Whether a line of plain `Damage:` is that of a blow at a weapon (D13): its heading or the line says so.

    Not so where the line goes against the defender's own Durability: then the judge took it for a blow at the doll.
    """
    if check.kind != "damage" or check.right is None:
        return False
    bout, named = play.bout, squeeze(check.right.thing or "")
    if named in bout.worn or named in bout.numbers.gear:
        return True
    if play.block.manoeuvre not in ("shatter", "break"):
        return False
    _, defender = sides_of(play, check)
    item = _struck(play, check, defender)
    if item and item.gear and item.gear.durability == check.right.base:
        return True
    stat = defender_stat(play, "Durability", defender)
    return stat is not None and check.right.base not in stat.accepted


def _struck(play: Play, check: Check, defender: str | None) -> Item | None:
    doll = play.bout.doll(defender)
    words = (check.right.thing if check.right else None) or play.block.target
    if doll is None:
        return None
    if words:
        return doll.items.get(squeeze(words))
    weapons = [item for item in doll.items.values() if item.gear and item.gear.weapon]
    return weapons[0] if len(weapons) == 1 else None


def _durability(play: Play, item: Item | None, check: Check) -> Due:
    durability = item.gear.durability if item and item.gear else None
    if durability is None:
        name = item.name if item else (check.right.thing if check.right else None) or "the weapon"
        lacks = f"the table gives no durability for {name}"
        if item is None and squeeze(name) in play.bout.worn:
            lacks = f"whose {name} was struck could not be read"
        play.unchecked(f"durability:{squeeze(name)}", f"{lacks}: not checked")
        return Due(judged=False)
    assert item is not None
    return fixed(f"durability of the {item.name}", {durability}, "stat", ("D13",))
