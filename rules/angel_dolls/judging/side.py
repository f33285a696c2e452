"""Judges one side of a check line: random number, modifiers, stat, total - in this order, one fault at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations, product

from referee.model.report import Evidence
from referee.ports.reading import squeeze
from referee.ports.sayings import one_of
from rules.angel_dolls.attacks import check_total
from rules.angel_dolls.judging.due import Due, Want
from rules.angel_dolls.judging.play import NOTHING, Play
from rules.angel_dolls.judging.workings import modifiers_line, stat_lines
from rules.angel_dolls.statements import Side
from rules.angel_dolls.worn import Stat


def weigh(play: Play, side: Side | None, old: Side | None, who: str | None, due: Due) -> frozenset[int]:
    """Every admissible reading of a side's total, after reporting what is wrong with it.

    Empty where nothing is known. Once a number of the side was found wrong, readings with the
    written and with the right number are both given (G23).
    """
    if side is None:
        return frozenset()
    rolls = play.random(side, old, who)
    if side.roll is not None and not rolls:
        return frozenset() if side.total is None else frozenset({side.total})
    shifted, fault = {side.shift}, False
    stats = {side.base}
    inside = _inside(side, due) if due.judged and due.wants else NONE
    if due.judged and (due.wants or side.modifiers):
        shifted, fault = _modifiers(play, side, who, due, inside)
    if due.judged and due.stat is not None and not inside and not _fits_stat(play, side, due.stat):
        stats |= _right_stats(play, side, who, due.stat, due.code, fault)
    thrown = rolls or NOTHING
    chained = play.shifts(who) if due.chain else NOTHING
    sums = {check_total(s, m + c, r) for s in stats for m in shifted for c in chained for r in thrown}
    if side.total is None:
        return frozenset(sums)
    if side.total not in sums and not fault and not _out_of_range(play, side):
        _total(play, side, who, rolls)
    sums.add(side.total)
    if old is not None and old.total is not None:
        sums.add(old.total)
    return frozenset(sums)


#: No kind of modifier.
NONE = frozenset[str]()


def _inside(side: Side, due: Due) -> frozenset[str]:
    """The kinds of modifiers that are due, not written, and held by the first number: `13 REF` for 33 - 20."""
    if due.stat is None or side.base in due.stat.accepted:
        return NONE
    shown = _shown(side, due.wants)
    missing = [want for want in due.wants if want.kind not in shown]
    for size in range(1, len(missing) + 1):
        for chosen in combinations(missing, size):
            for values in product(*[want.values for want in chosen]):
                if side.base - sum(values) in due.stat.accepted:
                    return frozenset([want.kind for want in chosen])
    return NONE


#: Reasons of what Full Defense adds and a simultaneous strike takes.
_STANCE = re.compile(r"\bfull defen[cs]e\b|\bfd\b|\bhalved?\b|\bsimultaneous", re.IGNORECASE)


def _fits_stat(play: Play, side: Side, stat: Stat) -> bool:
    """Whether the first number is the stat; what a thing or stance adds to it may stand behind it.

    `26 AGI + 10 (claws)`, `33 REF + 16 (full defense)`, `23 DUR - 11 (halved)`.
    """
    if side.base in stat.accepted:
        return True
    gear = play.bout.numbers.gear
    named = [m for m in side.modifiers if m.reason and not m.kind]
    worn = [m.value for m in named if _names_gear(squeeze(m.reason), gear) or _STANCE.search(m.reason)]
    return bool(worn) and side.base + sum(worn) in stat.accepted


def _names_gear(reason: str, gear: Iterable[str]) -> bool:
    return any(reason == name or reason == name.split(" ")[-1] for name in gear)


def _out_of_range(play: Play, side: Side) -> bool:
    numbers = play.bout.numbers
    return side.rolled is not None and not numbers.low <= side.rolled <= numbers.high


def _total(play: Play, side: Side, who: str | None, rolls: Iterable[int]) -> None:
    right = sorted({check_total(side.base, side.shift, r) for r in rolls or NOTHING})
    parts = "".join(
        f" {'-' if m.value < 0 else '+'} {abs(m.value)} ({m.reason or 'no reason given'})" for m in side.modifiers
    )
    numbers = f" + {one_of(sorted(rolls))}" if rolls else ""
    trace = [f"{side.base}{parts}{numbers} = {one_of(right)}"]
    message = f"the numbers of this side give {one_of(right)}, the post says {side.total}"
    play.add("total", who, side.total, right, message, trace, ("D3",))


# -- modifiers (D11 to D15) ---------------------------------------------------------------------------


def _modifiers(play: Play, side: Side, who: str | None, due: Due, inside: frozenset[str]) -> tuple[set[int], bool]:
    """The sum of modifiers, those with the wrong ones put right, and whether there was a wrong one.

    `inside`: kinds that the first number holds.
    """
    right, fault = {side.shift}, False
    shown = _shown(side, due.wants)
    bare = [m.value for m in side.modifiers if not m.kind and not of_the_scene(m.reason)]
    for want in due.wants:
        has: list[int] | None = shown.get(want.kind)
        if want.kind in inside or _fits(want, has, bare):
            continue
        fault = True
        right |= {total - sum(has or ()) + value for total in right for value in want.values}
        _penalty(play, side, who, want, has)
    wanted = {want.kind for want in due.wants}
    for kind, values in shown.items():
        if kind in due.known_kinds and kind not in wanted and sum(values) != 0:
            fault = True
            right |= {total - sum(values) for total in right}
            _penalty(play, side, who, Want(kind, frozenset({0}), ("D14", "D15")), values)
    return right, fault


#: Reasons that lie in the scene and not in the attack: such a modifier stands for no manoeuvre's (NA23).
_SCENE = re.compile(
    r"\b(?:ground|footing|momentum|dust\w*|smoke\w*|fog|roleplay\w*|rp|style|sun\w*|light|glare|dark\w*|surprise\w*"
    r"|range|distance|reach|wet|slippery|ice|mud\w*|floor|rain\w*|wind\w*|weather|cover|terrain|height|altitude"
    r"|position\w*|flank\w*|crowd|morale|speed|size|tired|fatigue)\b",
    re.IGNORECASE,
)


def of_the_scene(reason: str) -> bool:
    """Whether a modifier's reason lies in the scene and not in the attack."""
    return len(reason) < 80 and _SCENE.search(reason) is not None


def _shown(side: Side, wants: Iterable[Want]) -> dict[str, list[int]]:
    """The written modifiers by kind; `- 40 (entangled)` is read as the hold whose amount it is."""
    shown: dict[str, list[int]] = {}
    for modifier in side.modifiers:
        kind = modifier.kind
        if kind == "entangled" and modifier.value < 0:
            kind = next(
                (w.kind for w in wants if w.kind in ("legs", "arms", "strangled") and modifier.value in w.values), kind
            )
        if kind == "entangle" and not any(w.kind == "entangle" for w in wants):
            held = "entangled" if modifier.value > 0 else "strangled"
            kind = next((w.kind for w in wants if w.kind == held), kind)
        if kind:
            shown.setdefault(kind, []).append(modifier.value)
    return shown


def _fits(want: Want, has: list[int] | None, bare: list[int]) -> bool:
    if has is not None:
        return sum(has) in want.values or (not want.sure and sum(has) == 0)
    return not want.sure or 0 in want.values or any(value in want.values for value in bare)


#: Modifiers of a doll that is held.
_HELD = frozenset({"entangled", "legs", "arms", "strangled"})

_NAMES = {
    "disarm": "the disarm",
    "disable": "the disabling attack",
    "entangle": "the entangling attack",
    "entangled": "an elemental attack while entangled",
    "legs": "entangled legs",
    "arms": "entangled arms",
    "strangled": "the strangle hold",
    "margin": "the margin of the hit",
}


def _penalty(play: Play, side: Side, who: str | None, want: Want, has: list[int] | None) -> None:
    right = sorted(want.values)
    claimed = sum(has) if has else None
    words = one_of(f"{value:+d}" if value else "no modifier" for value in right)
    said = "shows none" if claimed is None else f"shows {claimed:+d}"
    name = _NAMES.get(want.kind, want.kind)
    message = f"{name} {'give' if name.endswith('s') else 'gives'} {words} here, the post {said}"
    holds = play.bout.holds_on(who) if who and want.kind in _HELD else []
    evidence = [Evidence(*hold.said) for hold in holds if hold.said is not None]
    above = play.above("hit") if want.kind == "margin" else play.above(None)
    evidence += [Evidence(play.entry.post.id, above)] if above is not None else []
    play.add("penalty", who, claimed, right, message, _why(play, side, want, words), want.rules, evidence=evidence)


def _why(play: Play, side: Side, want: Want, words: str) -> list[str]:
    """Where a modifier comes from, and what the line shows."""
    lines = [f"{_NAMES.get(want.kind, want.kind)}: {words}"]
    if want.kind == "margin":
        lines = [f"margin of the hit, the attacker's total less the defender's: {words}"]
    elif want.kind == "disarm" and "D14" in want.rules:
        lines.append("the attacker holds this weapon entangled")
    return [*lines, *modifiers_line(side)]


# -- stats (D1, D7, D9, D10) ----------------------------------------------------------------------------


def _right_stats(play: Play, side: Side, who: str | None, stat: Stat, code: str, other_fault: bool) -> frozenset[int]:
    """The right stats besides the written one, which is wrong; reports it."""
    if stat.unknown:
        message = f"{stat.unknown} is not in the table of equipment: stats with it are not checked"
        play.unchecked(f"gear:{squeeze(stat.unknown)}", message, who)
        return frozenset()
    key = (who or "", stat.name, side.base)
    if not other_fault and not play.block.weapon_out and key not in play.bout.reported:
        found = _wrong_stat(play, side, who, stat, code)
        if play.old is None and (found or not _of_a_stance(side.base, stat.listed)):
            play.bout.reported.add(key)
    return stat.listed


def _of_a_stance(said: int, right: Iterable[int]) -> bool:
    """Whether a stat is raised or halved as in a stance: what explains it holds for one round only."""
    return any(said in (value * 3 // 2, -(-value * 3 // 2), value // 2, -(-value // 2)) for value in right)


def _wrong_stat(play: Play, side: Side, who: str | None, stat: Stat, code: str) -> bool:
    """Report a wrong stat; False where words of a post may explain it."""
    right = sorted(stat.listed)
    words = one_of(right)
    message = f"{stat.name} {'of ' + who + ' ' if who else ''}is {words} here, the post says {side.base}"
    doll = play.bout.doll(who)
    lines = [*stat_lines(doll, stat), f"counts here: {words}"]
    rules = (*stat.rules, "D16") if doll and doll.bonus else stat.rules
    gone = [item for item in doll.items.values() if play.bout.standing(doll, item) == "out"] if doll else []
    gives = [item for item in gone if item.gear is None or item.gear.stats.get(stat.name)]
    evidence = [Evidence(*item.said) for item in gives if item.said is not None]
    heading = play.above(None)
    if heading is not None and stat.name in ("Strength", "Agility", "Magic"):
        evidence.append(Evidence(play.entry.post.id, heading))
    return play.add(code, who, side.base, right, message, lines, rules, evidence=evidence)


def fixed(name: str, values: Iterable[int], code: str, rules: tuple[str, ...]) -> Due:
    """What is due where the first number is no stat but a known number (durability, weapon damage)."""
    listed = frozenset(values)
    stat = Stat(name, listed, listed, lambda: [f"{name}: {one_of(sorted(listed))}"], rules)
    return Due(stat if listed else None, judged=bool(listed), code=code)
