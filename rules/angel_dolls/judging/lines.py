"""Judges hit checks and tests of Strength (D4, D10, D11, D13)."""

from __future__ import annotations

from dataclasses import replace

from referee.model.report import Evidence
from referee.ports.sayings import one_of
from rules.angel_dolls.attacks import HIT, hits, pairs, physical_damage
from rules.angel_dolls.judging.changes import weapon_gone
from rules.angel_dolls.judging.due import (
    HIT_KINDS,
    Due,
    Want,
    attacker_stat,
    attacker_wants,
    defender_stat,
    defender_wants,
)
from rules.angel_dolls.judging.play import Play
from rules.angel_dolls.judging.side import fixed, weigh
from rules.angel_dolls.judging.state import Block, Doll
from rules.angel_dolls.judging.workings import against, compared, total_of
from rules.angel_dolls.manoeuvres import control_words, disarm_words
from rules.angel_dolls.reading.near import KIND_OF
from rules.angel_dolls.statements import Check, Side, Simultaneous


def sides_of(play: Play, check: Check) -> tuple[str | None, str | None]:
    """Whose side is whose: by name where the line says so, else as in the heading."""
    left = check.left.owner if check.left and check.left.owner else play.block.attacker
    right = check.right.owner if check.right and check.right.owner else play.block.defender
    return left, right


def in_order(play: Play, check: Check) -> Check:
    """The check with the attacker's side first, where names alone tell whose side is whose.

    Without stats the line may be an attack of the defender's too, so of both orders that counts which the stated
    outcome or damage fits, if one does.
    """
    left, right, block = check.left, check.right, play.block
    if left is None or right is None or not block.known or play.old is not None or left.owner != block.defender:
        return check
    if right.owner != block.attacker or left.stat != right.stat or check.kind not in ("hit", "damage", "disarm"):
        return check
    if left.stat is None and ((check.kind == "hit" and block.met) or _states_what_is(check)):
        return check
    return replace(check, left=right, right=left, turned=True)


def _states_what_is(check: Check) -> bool:
    """Whether the totals as they stand give the stated outcome or damage."""
    first, second = total_of(check.left), total_of(check.right)
    if first is None or second is None:
        return True
    return check.result == physical_damage(first, second) if check.word is None else check.word in hits(first, second)


def old_sides(play: Play) -> tuple[Side | None, Side | None]:
    """The sides as they stood before a late edit."""
    old = play.old_check()
    return (old.left, old.right) if old else (None, None)


# -- hits (D4) -----------------------------------------------------------------------------------------


def judge_hit(play: Play, check: Check) -> None:
    """A hit check: both sides, then the outcome."""
    block = play.block
    if check.automatic:
        block.automatic, block.hit, block.hit_sure = True, "hit", True
        return
    attacker, defender = sides_of(play, check)
    if block.known and (block.met or (attacker, defender) != (block.attacker, block.defender)):
        block = play.block = _without_heading(play)
        attacker, defender = sides_of(play, check)
    block.met = True
    if not block.known:
        block.attacker, block.defender = attacker, defender
        if not block.doubtful:
            _no_heading(play)
    bout = play.bout
    was_left, was_right = old_sides(play)
    agility, reflexes = attacker_stat(play, "Agility", block), defender_stat(play, "Reflexes", defender)
    left_due = Due(agility, attacker_wants(bout, block), block.known, chain=True, known_kinds=HIT_KINDS)
    right_due = Due(reflexes, defender_wants(bout, block), block.known, known_kinds=HIT_KINDS)
    left = weigh(play, check.left, was_left, attacker, left_due)
    right = weigh(play, check.right, was_right, defender, right_due)
    totals = pairs(left, right)
    block.margins = frozenset([a - b for a, b in totals])
    words = HIT if _first_strike(play) else frozenset().union(*[hits(a, b) for a, b in totals])
    block.hit = _outcome(play, check, attacker, words, ("D4",))
    block.hit_sure = words == {block.hit} and play.old is None
    play.struck_first = play.struck_first or bool(play.together and attacker == play.together.first)


def _without_heading(play: Play) -> Block:
    """The attack of a hit check that is not that of the heading above: that one has its check, or names others."""
    _no_heading(play)
    return Block()


def _no_heading(play: Play) -> None:
    """Say once for a post that a check stands below no heading, where nothing unread says so already."""
    if not play.judged or any([KIND_OF.get(unread.reason) == "attack" for unread in play.entry.reading.unread]):
        return
    message = "a hit check belongs to no heading that could be read: its stats are not checked"
    play.unchecked(f"heading:{play.entry.post.id}", message)


def _first_strike(play: Play) -> bool:
    """Whether this attack hits automatically: the first one of a simultaneous strike (D10)."""
    together = play.together
    return together is not None and play.block.attacker == together.first and not play.struck_first


def _outcome(play: Play, check: Check, who: str | None, words: frozenset[str], rules: tuple[str, ...]) -> str | None:
    """Compare the stated outcome with the totals; gives the outcome to go on with."""
    if check.word is None:
        return next(iter(words)) if len(words) == 1 else None
    old = play.old_check()
    if words and check.word not in words and not play.range_fault and check.word != (old.word if old else ""):
        right = sorted(words)
        if _first_strike(play) and rules == ("D4",):
            message = f"the first attack of a simultaneous strike hits whatever the totals, the post says {check.word}"
            proof = [c for c in play.entry.reading.claims if isinstance(c.data, Simultaneous)]
            evidence = [Evidence(play.entry.post.id, claim.quote) for claim in proof]
            play.add("outcome", who, check.word, right, message, (), ("D10",), evidence=evidence)
        else:
            message = f"{against(check)} gives {one_of(right)}, the post says {check.word}"
            play.add("outcome", who, check.word, right, message, compared(check, words), rules)
    return check.word


# -- tests of Strength (D11, D13) ------------------------------------------------------------------------


def judge_disarm(play: Play, check: Check) -> None:
    """The test of a disarm: Strength against Strength, the attacker with the margin of the hit (D11)."""
    attacker, defender = sides_of(play, check)
    was_left, was_right = old_sides(play)
    sure = play.block.known and play.block.margins and not (play.block.faulty or play.block.doubted)
    wants = (_margin(play),) if sure else ()
    kinds = frozenset({"margin"})
    left_due = Due(
        attacker_stat(play, "Strength", play.block),
        wants,
        play.block.known,
        known_kinds=kinds if wants else frozenset(),
    )
    left = weigh(play, check.left, was_left, attacker, left_due)
    right = weigh(play, check.right, was_right, defender, Due(defender_stat(play, "Strength", defender)))
    words = frozenset().union(*[disarm_words(a, b) for a, b in pairs(left, right)])
    play.block.test = _outcome(play, check, attacker, words, ("D11",))
    play.block.test_sure = words == {play.block.test} and play.block.hit_sure and play.old is None
    if play.block.test == "disarmed":
        _flung_away(play, play.bout.doll(defender))


def _flung_away(play: Play, doll: Doll | None) -> None:
    """The only handheld weapon of a disarmed doll is away; of several the judge's sentence says which (D11)."""
    held = [item for item, gear in doll.weapons if gear.handheld and not any(item.lost.values())] if doll else []
    if doll is None or len(held) != 1 or (held[0].gear is not None and held[0].gear.unknown):
        return
    held[0].lost["disarmed"] = play.old is None and (play.block.test_sure or not play.block.faulty)
    held[0].said = play.place()
    weapon_gone(play.bout, doll, held[0])


def _margin(play: Play) -> Want:
    """The bonus for the margin of the hit; where the hit itself is in doubt, none is fine too."""
    margins = {max(0, margin) for margin in play.block.margins} | {m for m in play.block.margins if m < 0}
    return Want("margin", frozenset(margins), ("D11",), sure=all(m >= 0 for m in play.block.margins))


def judge_control(play: Play, check: Check) -> None:
    """The test for control: the damage done to the weapon against the defender's Strength (D13)."""
    attacker, defender = sides_of(play, check)
    was_left, was_right = old_sides(play)
    left_due = fixed("the damage done to the weapon", play.block.weapon_damage, "damage", ("D13",))
    left = weigh(play, check.left, was_left, attacker, left_due)
    right = weigh(play, check.right, was_right, defender, Due(defender_stat(play, "Strength", defender)))
    words = frozenset().union(*[control_words(a, b) for a, b in pairs(left, right)])
    play.block.test = _outcome(play, check, defender, words, ("D13",))
    play.block.test_sure = words == {play.block.test} and play.block.hit_sure and play.old is None
    struck = play.block.struck
    if struck is not None and play.block.test == "loses control":
        struck.said = play.place()
        struck.lost["uncontrolled"] = not play.block.faulty or play.block.test_sure
        doll = play.bout.doll(defender)
        if doll is not None:
            weapon_gone(play.bout, doll, struck)
