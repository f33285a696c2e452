"""Judges rounds of strangle holds (D14)."""

from __future__ import annotations

from referee.ports.sayings import one_of
from rules.angel_dolls.attacks import pairs, physical_damage
from rules.angel_dolls.judging.damage import lose, settle_damage
from rules.angel_dolls.judging.due import Due, bare_stat, defender_stat
from rules.angel_dolls.judging.lines import old_sides, sides_of
from rules.angel_dolls.judging.play import Play
from rules.angel_dolls.judging.side import weigh
from rules.angel_dolls.judging.state import Hold
from rules.angel_dolls.manoeuvres import strangle_step
from rules.angel_dolls.statements import Check


def judge_strangle(play: Play, check: Check) -> None:
    """A round of a strangle hold: the step against Durability; the damage comes off the held doll's HP."""
    hold = _strangle_of(play, check)
    attacker, defender = sides_of(play, check)
    if hold is not None:
        attacker, defender = hold.holder, hold.held
    left = _step(play, check, attacker, hold)
    _, was_right = old_sides(play)
    right = weigh(play, check.right, was_right, defender, Due(defender_stat(play, "Durability", defender)))
    whole = frozenset([physical_damage(a, b) for a, b in pairs(left, right)])
    readings = settle_damage(play, check, attacker, whole)
    if hold is not None:
        hold.steps = check.round or hold.steps + 1
    lose(play, play.bout.doll(defender), readings, check.result)


def _strangle_of(play: Play, check: Check) -> Hold | None:
    """The hold whose round this is."""
    holds = [hold for hold in play.bout.holds if hold.part == "strangle"]
    owner = check.right.owner if check.right else None
    named = [h for h in holds if owner in (None, h.held) and (not check.left or check.left.owner in (None, h.holder))]
    block = play.block
    if len(named) > 1 and check.round and not (block.manoeuvre == "strangle" and check.round == 1):
        due = [h for h in named if check.round == h.steps + 1]
        for fits in (_steps_with, _held_with):
            # A wrong step fits no hold, and tells nothing then.
            due = [h for h in due if fits(play, check, h)] or due
        if len(due) == 1:
            return due[0]
        for hold in due:
            # It may be this hold's round or another's: from here on its rounds can't be counted.
            hold.sure = False
    mine = [h for h in named if (h.holder, h.held) == (block.attacker, block.defender)]
    if len(mine) == 1 and (block.manoeuvre == "strangle" or len(named) > 1):
        return mine[0]
    if block.manoeuvre == "strangle" and check.round in (None, 1):
        return _new_hold(play)
    return named[0] if len(named) == 1 else None


def _steps_with(play: Play, check: Check, hold: Hold) -> bool:
    """Whether the written step is that of this hold's holder."""
    strengths = _strengths(play, hold.holder)[1]
    steps = {strangle_step(strength, check.round or 1, play.bout.numbers) for strength in strengths}
    return check.left is not None and check.left.base in steps


def _held_with(play: Play, check: Check, hold: Hold) -> bool:
    """Whether the Durability against the step is that of the doll in this hold."""
    stat = defender_stat(play, "Durability", hold.held)
    return stat is None or (check.right is not None and check.right.base in stat.accepted)


def _new_hold(play: Play) -> Hold | None:
    """Round 1 may stand before the sentence that says who is held."""
    block = play.block
    if block.defender is None or block.attacker is None:
        return None
    hold = Hold(
        block.attacker, block.defender, "strangle", None, block.hit == "hit" and not block.faulty, play.bout.turn
    )
    play.bout.holds.append(hold)
    return hold


def _step(play: Play, check: Check, attacker: str | None, hold: Hold | None) -> frozenset[int]:
    """The readings of the hold's step; reports a wrong one."""
    side = check.left
    if side is None:
        return frozenset()
    written = side.total if side.total is not None else side.base + side.shift
    strengths, accepted = _strengths(play, attacker)
    number = check.round
    rounds = _rounds(play, check, hold)
    if not strengths or not rounds:
        return frozenset({written})
    numbers = play.bout.numbers
    right = frozenset(strangle_step(s, k, numbers) for s in strengths for k in rounds)
    old = play.old_check()
    if side.base in {strangle_step(s, k, numbers) for s in accepted for k in rounds} or (old and old.left):
        return frozenset({written})
    words = one_of(sorted(right))
    first = sorted({strangle_step(strength, 1, numbers) for strength in strengths})
    trace = [
        f"Strength of {attacker} without a weapon: {one_of(sorted(strengths))}",
        f"round 1, a quarter of it, rounded down: {one_of(first)}; doubled every round",
        f"round {one_of(sorted(rounds))}: {words}",
    ]
    if number is not None and number not in rounds:
        trace.append(f"the post counts round {number}")
    message = f"the strangle hold attacks with {words} here, the post says {side.base}"
    play.add("damage", attacker, side.base, sorted(right), message, trace, ("D14",))
    return right | {written}


def _strengths(play: Play, name: str | None) -> tuple[frozenset[int], frozenset[int]]:
    """The holder's Strength without a weapon (NA13): the rule's reading, and all that are accepted."""
    doll = play.bout.doll(name)
    bare = bare_stat(play, doll, "Strength") if doll else None
    if doll is None or bare is None:
        return frozenset(), frozenset()
    return bare.listed, bare.listed | {doll.basic["Strength"]}


def _rounds(play: Play, check: Check, hold: Hold | None) -> frozenset[int]:
    """Which round of the hold this may be: the next after the last written, or by rounds gone by."""
    if hold is None:
        return frozenset({check.round}) if check.round else frozenset()
    by_time = play.bout.turn - hold.began + 1
    if not hold.sure:
        return frozenset({check.round or by_time})
    likely = {hold.steps + 1, by_time}
    return frozenset({check.round} if check.round in likely else likely)
