"""Spoils one thing in a simulated battle of dolls and says which finding it must give.

A planter changes the structured lines before they are written down, or the transcript afterwards;
it gives None where the battle offers no place for its fault.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.support.angel_dolls_sim import Full, Head, Hp, Roll, Say, Side, SimPost
from tests.support.angel_dolls_sim_fight import Fight


@dataclass
class Plan:
    """The finding that must come: code, post, values that `expected` must hold, further codes that are no alarm."""

    code: str
    post: str
    core: list[Any] | None = None
    also: list[str] = field(default_factory=list)
    after: Callable[[dict[str, Any]], bool] | None = None


Planter = Callable[[Fight, random.Random], Plan | None]


def rolls(fight: Fight, *kinds: str) -> Iterator[tuple[SimPost, Head | None, Roll]]:
    """The check lines of those kinds, with post and heading."""
    for post in fight.posts:
        head = None
        for line in post.lines:
            if isinstance(line, Head):
                head = line
            elif isinstance(line, Roll) and line.left and line.right and (not kinds or line.kind in kinds):
                yield post, head, line


def sides(fight: Fight, *kinds: str) -> list[tuple[SimPost, Roll, Side]]:
    found = [(post, roll, side) for post, _, roll in rolls(fight, *kinds) for side in (roll.left, roll.right)]
    return [(post, roll, side) for post, roll, side in found if side and side.roll is not None]


def delta(r: random.Random) -> int:
    return r.choice([1, 2, 3, 5, 10, 20]) * r.choice([1, -1])


def follow(roll: Roll, r: random.Random) -> None:
    """Half of the time the outcome follows the changed totals, as a judge who believes them writes."""
    if roll.kind == "hit" and roll.left and roll.right and r.random() < 0.5 and roll.left.total != roll.right.total:
        roll.word = "hit" if roll.left.total > roll.right.total else "miss"


def plant_total(fight: Fight, r: random.Random) -> Plan | None:
    found = sides(fight)
    if not found:
        return None
    post, roll, side = r.choice(found)
    right = side.total
    side.total += delta(r)
    follow(roll, r)
    return Plan("angel_dolls/total", post.id, [right])


def plant_stat(fight: Fight, r: random.Random) -> Plan | None:
    found = [x for x in sides(fight) if x[2].stat]
    if not found:
        return None
    post, roll, side = r.choice(found)
    right = side.base
    change = r.choice([1, 2, 3, 7, 9]) * r.choice([1, -1])
    side.base += change
    if r.random() < 0.7:
        side.total += change
        follow(roll, r)
    return Plan("angel_dolls/stat", post.id, [right])


def plant_stat_full(fight: Fight, r: random.Random) -> Plan | None:
    """Full Defense is announced, but the hit is rolled against the plain stat."""
    for post, _, roll in rolls(fight, "hit"):
        full = next((line for line in post.lines if isinstance(line, Full)), None)
        if full and roll.right and roll.right.who == full.who:
            roll.right.total += full.old - roll.right.base
            right, roll.right.base = roll.right.base, full.old
            follow(roll, r)
            return Plan("angel_dolls/stat", post.id, [right])
    return None


def plant_range(fight: Fight, r: random.Random) -> Plan | None:
    found = sides(fight, "hit", "damage", "disarm")
    if not found:
        return None
    post, roll, side = r.choice(found)
    value = r.choice([0, 51, 57, 63, 99])
    side.total += value - (side.roll or 0)
    side.roll = value
    side.record = {"expression": "1d100"}
    follow(roll, r)
    return Plan("angel_dolls/roll-range", post.id, None)


def plant_outcome(fight: Fight, r: random.Random) -> Plan | None:
    turned = {"hit": "miss", "miss": "hit", "disarmed": "keeps hold", "keeps hold": "disarmed"}
    turned |= {"keeps control": "loses control", "loses control": "keeps control"}
    together = {
        post.id for post in fight.posts for line in post.lines if isinstance(line, Say) and line.what == "together"
    }
    found = [
        (p, x)
        for p, _, x in rolls(fight, "hit", "disarm", "control")
        if x.left and x.right and x.left.total != x.right.total
    ]
    found = [(post, roll) for post, roll in found if post.id not in together]
    if not found:
        return None
    post, roll = r.choice(found)
    right, roll.word = roll.word, turned[roll.word or ""]
    return Plan("angel_dolls/outcome", post.id, [right])


def plant_damage(fight: Fight, r: random.Random) -> Plan | None:
    found = [(post, x) for post, _, x in rolls(fight, "damage", "weapon", "strangle") if not x.aff]
    if not found:
        return None
    post, roll = r.choice(found)
    right = roll.result or 0
    roll.result = max(0, right + delta(r))
    if abs(roll.result - right) < 2:
        roll.result = right + 3
    place = post.lines.index(roll)
    hp = post.lines[place + 1] if place + 1 < len(post.lines) else None
    if isinstance(hp, Hp) and r.random() < 0.5:
        hp.new = max(0, hp.old - roll.result)
    return Plan("angel_dolls/damage", post.id, [right] if "Disable" not in str(_head(post, roll)) else None)


def _head(post: SimPost, roll: Roll) -> str:
    heads = [line for line in post.lines[: post.lines.index(roll)] if isinstance(line, Head)]
    return heads[-1].means if heads else ""


def plant_step(fight: Fight, r: random.Random) -> Plan | None:
    """The strangle hold's step is not doubled, or doubled twice."""
    found = [(post, x) for post, _, x in rolls(fight, "strangle") if x.left and x.left.base > 3]
    if not found:
        return None
    post, roll = r.choice(found)
    assert roll.left and roll.right
    right, roll.left.base = roll.left.base, r.choice([roll.left.base // 2, roll.left.base * 2, roll.left.base + 1])
    roll.result = max(0, roll.left.base - roll.right.total)
    return Plan("angel_dolls/damage", post.id, [right])


def plant_affinity(fight: Fight, r: random.Random) -> Plan | None:
    found = [
        (post, x)
        for post, _, x in rolls(fight, "damage")
        if x.aff and x.left and x.right and x.left.total > x.right.total
    ]
    if not found:
        return None
    post, roll = r.choice(found)
    assert roll.aff and roll.left and roll.right
    element, own, other = roll.aff
    diff, right = roll.left.total - roll.right.total, roll.result
    kind = r.choice(["amount", "sign", "added"])
    if kind == "amount":
        roll.aff = (element, own + r.choice([5, 10, -5]), other)
        roll.result = max(0, diff + roll.aff[1] - other)
    elif kind == "sign" and own:
        roll.aff = (element, -own, other)
        roll.result = max(0, diff - own - other)
    elif other and max(0, diff + own + other) != right:
        roll.result = max(0, diff + own + other)
    else:
        return None
    return Plan("angel_dolls/affinity", post.id, [right], also=["angel_dolls/damage"])


def plant_chain(fight: Fight, r: random.Random) -> Plan | None:
    found = [(p, h, x) for p, h, x in rolls(fight, "hit") if h and h.chain]
    if not found:
        return None
    post, head, _ = r.choice(found)
    place = r.randrange(len(head.chain))
    amount, where = head.chain[place]
    wrong = r.choice([0, amount // 2, amount * 2 - 5])
    others = [w for w, _ in head.chain]
    if wrong in others or wrong in (-10, -20, -30):
        return None
    if wrong:
        head.chain[place] = (wrong, where)
    else:
        del head.chain[place]
    begun = post.lines.index(head)
    for line in post.lines[begun + 1 :]:
        if isinstance(line, Head):
            break
        if (
            isinstance(line, Roll)
            and line.left
            and (amount, "chain") in line.left.mods
            and (line.kind == "hit") == (where == "hit")
        ):
            at = line.left.mods.index((amount, "chain"))
            if wrong:
                line.left.mods[at] = (wrong, "chain")
            else:
                del line.left.mods[at]
            line.left.total += wrong - amount
            redo(line)
            break
    return Plan("angel_dolls/chain", post.id, [amount], also=["angel_dolls/total"])


def redo(roll: Roll) -> None:
    """Outcome and damage from the changed totals; what follows stays."""
    assert roll.left and roll.right
    if roll.kind == "hit" and roll.left.total != roll.right.total:
        roll.word = "hit" if roll.left.total > roll.right.total else "miss"
    elif roll.kind == "damage":
        diff = roll.left.total - roll.right.total
        roll.result = max(0, diff)
        if roll.aff:
            roll.result = max(0, diff + roll.aff[1] - roll.aff[2])


MANOEUVRES = ("disarm", "disable", "entangle", "entangled", "legs entangled", "arms entangled", "strangled", "margin")


def plant_penalty(fight: Fight, r: random.Random) -> Plan | None:
    found = [(p, x, s, m) for p, x, s in sides(fight, "hit", "disarm") for m in s.mods if m[1] in MANOEUVRES and m[0]]
    if not found:
        return None
    post, roll, side, mod = r.choice(found)
    at = side.mods.index(mod)
    wrong = r.choice([0, mod[0] // 2, -mod[0]])
    if wrong:
        side.mods[at] = (wrong, mod[1])
    else:
        del side.mods[at]
    side.total += wrong - mod[0]
    if roll.kind == "hit":
        redo(roll)
    return Plan("angel_dolls/penalty", post.id, [mod[0]])


def plant_hp(fight: Fight, r: random.Random) -> Plan | None:
    found = [(post, line) for post in fight.posts for line in post.lines if isinstance(line, Hp)]
    if not found:
        return None
    post, hp = r.choice(found)
    right = hp.new
    hp.new += delta(r)
    if hp.new < 0 or hp.new == hp.old:
        return None
    return Plan("angel_dolls/hp", post.id, [right])


def plant_full_line(fight: Fight, r: random.Random) -> Plan | None:
    """The Full Defense line itself raises wrongly; the checks follow it or not."""
    for post in fight.posts:
        for line in post.lines:
            if isinstance(line, Full):
                right = line.new
                line.new += r.choice([5, -4, 10])
                return Plan("angel_dolls/stat", post.id, [right])
    return None


def plant_control(fight: Fight, r: random.Random) -> Plan | None:
    """The control test starts from another number than the damage done to the weapon."""
    for post, _, roll in rolls(fight, "control"):
        assert roll.left and roll.right
        right, roll.left.base = roll.left.base, roll.left.base + 4
        roll.left.total += 4
        roll.word = "loses control" if roll.left.total > roll.right.total else "keeps control"
        return Plan("angel_dolls/damage", post.id, [right])
    return None


def plant_chain_line(fight: Fight, r: random.Random) -> Plan | None:
    """The heading shows the penalty, the check line does not."""
    for post, head, roll in rolls(fight, "hit", "damage"):
        where = "hit" if roll.kind == "hit" else "damage"
        shown = [amount for amount, at in head.chain if at == where] if head else []
        if len(shown) == 1 and roll.left and r.random() < 0.6:
            roll.left.mods.remove((shown[0], "chain"))
            roll.left.total -= shown[0]
            redo(roll)
            return Plan("angel_dolls/chain", post.id, shown, also=["angel_dolls/total"])
    return None


NUMBERS: dict[str, Planter] = {
    "total": plant_total,
    "stat": plant_stat,
    "stat in full defense": plant_stat_full,
    "roll-range": plant_range,
    "outcome": plant_outcome,
    "damage": plant_damage,
    "strangle step": plant_step,
    "affinity": plant_affinity,
    "chain": plant_chain,
    "penalty": plant_penalty,
    "hp": plant_hp,
    "full defense line": plant_full_line,
    "control test": plant_control,
    "chain line": plant_chain_line,
}
