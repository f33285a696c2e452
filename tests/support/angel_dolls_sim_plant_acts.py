"""Spoils what dolls may do in a made-up battle: acting when down, using what is out, points."""

from __future__ import annotations

import random

from tests.support.angel_dolls_sim import GEAR, Full, Head, Points, Roll, Say
from tests.support.angel_dolls_sim_fight import Fight
from tests.support.angel_dolls_sim_plant import Plan, Planter, follow


def _attack(fight: Fight, who: str, other: str, means: str, weapon: str | None = None) -> list[Head | Roll]:
    fight.lines, fight.full, fight.together = [], None, None
    head = Head(who, other, means)
    fight.hit(head, [], weapon)
    roll = fight.lines[1]
    assert isinstance(roll, Roll) and roll.left and roll.right
    roll.left.mods, roll.right.mods = [], []
    roll.left.add_up()
    roll.right.total = roll.left.total + 3
    roll.right.roll = roll.right.total - roll.right.base
    if not 1 <= roll.right.roll <= 50:
        roll.right.roll = 25
        roll.right.add_up()
    if roll.left.total != roll.right.total:
        roll.word = "hit" if roll.left.total > roll.right.total else "miss"
    return [head, roll]


def plant_down(fight: Fight, r: random.Random) -> Plan | None:
    fallen = [d.name for d in fight.dolls.values() if d.hp <= 0]
    others = [d.name for d in fight.dolls.values() if d.hp > 0]
    if not fallen or not others or fight.holds:
        return None
    post = fight.posts[-1]
    post.lines = [*_attack(fight, fallen[0], others[0], "kick"), *post.lines]
    return Plan("angel_dolls/acts-while-down", post.id)


def plant_weapon_out(fight: Fight, r: random.Random) -> Plan | None:
    lost: dict[str, set[str]] = {name: set() for name in fight.dolls}
    for post in fight.posts:
        heads: list[Head] = []
        for line in post.lines:
            if isinstance(line, Head):
                heads.append(line)
                if lost[line.attacker] and line.means in ("kick", "elbow", "knee", "body check") and r.random() < 0.7:
                    line.means = sorted(lost[line.attacker])[0]
                    return Plan("angel_dolls/weapon-out", post.id)
            elif isinstance(line, Say):
                words = line.text.rstrip(".").split(" the ")
                who = next((name for name in fight.dolls if line.text.startswith(name)), "")
                if line.what in ("lose", "drop") and who:
                    lost[who].add(words[1].split(" to ")[0])
                elif line.what == "regain" and who:
                    lost[who].discard(words[1])
    return None


def plant_full(fight: Fight, r: random.Random) -> Plan | None:
    for post in fight.posts:
        full = next((line for line in post.lines if isinstance(line, Full)), None)
        others = [d for d in fight.dolls if full and d != full.who]
        entangled = any(isinstance(x, Say) and x.what in ("entangled", "free") for p in fight.posts for x in p.lines)
        disabled = any(
            isinstance(x, Say) and x.what in ("out", "shatter", "lose") for p in fight.posts for x in p.lines
        )
        if full and others and not entangled and not disabled:
            if fight.dolls[full.who].hp <= 0:
                return None
            post.lines = [*post.lines, *_attack(fight, full.who, others[0], "kick")]
            return Plan("angel_dolls/full-defense", post.id)
    return None


def plant_points(fight: Fight, r: random.Random) -> Plan | None:
    points = fight.posts[-1].lines[-1]
    assert isinstance(points, Points)
    place = r.randrange(len(points.points))
    points.points[place] = (points.points[place][0], r.choice([6, 7, 10, -1]))
    return Plan("angel_dolls/points", fight.posts[-1].id)


def plant_accessory(fight: Fight, r: random.Random) -> Plan | None:
    """A disabled accessory still counts in a later line."""
    out: dict[tuple[str, str], int] = {}
    turn = 0
    for post in fight.posts:
        turn += post.judge
        for line in post.lines:
            if isinstance(line, Say) and line.what == "out":
                who = next(name for name in fight.dolls if line.text.startswith(name))
                item, rest = line.text[len(who) + 3 :].split(" is out for ")
                out[who, item] = turn + int(rest.split()[0])
            elif isinstance(line, Roll) and line.left and line.right and line.kind == "hit":
                for side in (line.left, line.right):
                    for (who, item), until in out.items():
                        bonus = GEAR[item]["stats"].get(side.stat or "", 0)
                        if (
                            who == side.who
                            and until >= turn
                            and bonus
                            and not any(isinstance(x, Full) for x in post.lines)
                        ):
                            right = side.base
                            side.base += bonus
                            side.total += bonus
                            follow(line, r)
                            return Plan("angel_dolls/stat", post.id, [right])
    return None


def plant_held_weapon(fight: Fight, r: random.Random) -> Plan | None:
    """A weapon that is entangled is used all the same."""
    held: set[str] = set()
    for post in fight.posts:
        for line in post.lines:
            if isinstance(line, Say) and line.text.endswith("is entangled (weapon)."):
                held.add(line.text.split(" is entangled")[0])
            elif isinstance(line, Say) and line.what in ("free", "drop", "lose", "shatter"):
                held.clear()
            elif (
                isinstance(line, Head)
                and line.attacker in held
                and line.means in ("kick", "elbow", "knee", "body check")
            ):
                weapons = [i for i in fight.dolls[line.attacker].items if GEAR[i].get("handheld")]
                line.means = weapons[0]
                return Plan("angel_dolls/weapon-out", post.id)
    return None


ACTS: dict[str, Planter] = {
    "acts-while-down": plant_down,
    "weapon-out": plant_weapon_out,
    "full-defense": plant_full,
    "points": plant_points,
    "disabled accessory": plant_accessory,
    "held weapon": plant_held_weapon,
}
