"""Spoils one thing in a simulated battle of dolls and says which finding it must give.

A planter changes the structured lines before they are written down, or the transcript afterwards;
it gives None where the battle offers no place for its fault.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tests.support.angel_dolls_sim import GEAR, POWERS, Fight, Full, Head, Hp, Points, Roll, Say, Side, SimPost


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
            _redo(line)
            break
    return Plan("angel_dolls/chain", post.id, [amount], also=["angel_dolls/total"])


def _redo(roll: Roll) -> None:
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
        _redo(roll)
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


# -- dice and posts ---------------------------------------------------------------------------------


def plant_no_link(fight: Fight, r: random.Random) -> Plan | None:
    found = sides(fight)
    if not found:
        return None
    post, _, side = r.choice(found)
    side.link = False
    return Plan("dice/no-link", post.id, after=lambda transcript: transcript["link style"] != "below")


def _record(code: str, change: Callable[[Fight, random.Random, SimPost, Side], dict[str, Any] | None]) -> Planter:
    def plant(fight: Fight, r: random.Random) -> Plan | None:
        found = sides(fight)
        if not found:
            return None
        post, roll, side = r.choice(found)
        record = change(fight, r, post, side)
        if record is None or post is fight.posts[0]:
            return None
        side.record = record
        return Plan(code, post.id, record.pop("core", None), after=_is_linked)

    return plant


def _is_linked(transcript: dict[str, Any]) -> bool:
    return bool(transcript["rolls"])


def _value(fight: Fight, r: random.Random, post: SimPost, side: Side) -> dict[str, Any]:
    value = r.choice([v for v in range(1, 51) if v != side.roll])
    return {"values": [value], "core": [value]}


def _expression(fight: Fight, r: random.Random, post: SimPost, side: Side) -> dict[str, Any]:
    return {"expression": r.choice(["1d100", "1d20" if (side.roll or 0) <= 20 else "1d100"])}


def _early(fight: Fight, r: random.Random, post: SimPost, side: Side) -> dict[str, Any]:
    before = [p for p in fight.posts if p.judge and p.at < post.at]
    since = before[-1].at if before else fight.posts[0].at
    return {"at": (since - timedelta(minutes=9)).isoformat()}


def _late(fight: Fight, r: random.Random, post: SimPost, side: Side) -> dict[str, Any]:
    return {"at": (post.at + timedelta(minutes=9)).isoformat()}


def _altered(fight: Fight, r: random.Random, post: SimPost, side: Side) -> dict[str, Any]:
    seen = (post.at + timedelta(minutes=1)).isoformat()
    at = (post.at - timedelta(seconds=40)).isoformat()
    earlier = {"seen": seen, "at": at, "expression": "1d50", "values": [(side.roll or 0) % 50 + 1]}
    return {"earlier": [earlier], "at": at}


def plant_fished(fight: Fight, r: random.Random) -> Plan | None:
    found = sides(fight)
    if not found:
        return None
    post, _, side = r.choice(found)
    if post is fight.posts[0]:
        return None
    side.record = {"label": "a telling label"}

    def after(transcript: dict[str, Any]) -> bool:
        link = next((k for k, v in transcript["rolls"].items() if v["label"] == "a telling label"), None)
        if link is None:
            return False
        record = transcript["rolls"][link]
        at = datetime.fromisoformat(record["at"]) + timedelta(seconds=7)
        transcript["siblings"].append({**record, "link": link + "9", "at": at.isoformat(), "values": [1]})
        return True

    return Plan("dice/fished", post.id, after=after)


def plant_reused(fight: Fight, r: random.Random) -> Plan | None:
    found = sides(fight)
    if len(found) < 4:
        return None
    first, second = sorted(r.sample(range(len(found)), 2))
    post, _, side = found[second]
    side.total += (found[first][2].roll or 0) - (side.roll or 0)
    side.roll = found[first][2].roll
    found[first][2].record = {"label": "first of two"}
    side.record = {"label": "second of two"}
    if found[second][1].kind == "hit":
        _redo(found[second][1])

    def after(transcript: dict[str, Any]) -> bool:
        links = {v["label"]: k for k, v in transcript["rolls"].items()}
        if "first of two" not in links or "second of two" not in links:
            return False
        for found_post in transcript["posts"]:
            for key in ("text", "html"):
                if key in found_post:
                    found_post[key] = found_post[key].replace(links["second of two"], links["first of two"])
        del transcript["rolls"][links["second of two"]]
        return True

    if found[second][1].kind != "hit":
        return None
    return Plan("dice/reused", post.id, after=after)


def plant_service(fight: Fight, r: random.Random) -> Plan | None:
    found = sides(fight)
    if not found:
        return None
    post, _, side = r.choice(found)
    side.record = {"label": "strange"}

    def after(transcript: dict[str, Any]) -> bool:
        link = next((k for k, v in transcript["rolls"].items() if v["label"] == "strange"), None)
        for found_post in transcript["posts"]:
            for key in ("text", "html"):
                if link and key in found_post:
                    found_post[key] = found_post[key].replace(link, "http://other.example/77")
        return bool(link)

    return Plan("dice/unknown-service", post.id, after=after)


def plant_deleted(fight: Fight, r: random.Random) -> Plan | None:
    found = [post for post in fight.posts if post.judge]
    post = r.choice(found)
    post.deleted = post.at + timedelta(days=2)
    return Plan("post/deleted", post.id)


def plant_unread(fight: Fight, r: random.Random) -> Plan | None:
    post = r.choice([post for post in fight.posts if post.judge])
    tag = r.choice(
        ["[Damage: lots x?]", "[Attack: ??? -> ???, kick]", "[Action: ??? -> ???: 1d20 = ?]", "[Hit: ? AGI + ? = ?]"]
    )
    post.extra.append(tag)
    return Plan("post/unread-tag", post.id)


def plant_stranger(fight: Fight, r: random.Random) -> Plan | None:
    names = list(fight.dolls)
    at = fight.posts[-1].at + timedelta(minutes=3)
    post = SimPost("x1", "driftwood", at)
    post.extra.append(f"[Attack: {names[0]} -> {names[1]}, kick]\nHit: 36 AGI + 15 = 51 vs 33 REF + 24 = 57 -> miss")
    fight.posts.append(post)
    return Plan("post/unknown-character", "x1")


def plant_edited(fight: Fight, r: random.Random) -> Plan | None:
    """A line of the judge is changed after a player has posted; the old text was seen before."""
    found = [(p, line) for p in fight.posts[:-3] for line in p.lines if isinstance(line, Hp) and not line.thing]
    if not found:
        return None
    post, hp = r.choice(found)
    following = [p for p in fight.posts if p.at > post.at and not p.judge]
    if not following:
        return None
    new = max(0, hp.new - 7) if hp.new >= 7 else hp.new + 7
    post.edited = following[0].at + timedelta(hours=1)

    def after(transcript: dict[str, Any]) -> bool:
        made = next(p for p in transcript["posts"] if p["id"] == post.id)
        key = "html" if "html" in made else "text"
        seen = (post.at + timedelta(minutes=2)).isoformat()
        old = made[key]
        marks = [f"{hp.new}/{hp.top}", f"{hp.old} -> {hp.new}", f"{hp.old} -&gt; {hp.new}", f"{hp.old} \u2192 {hp.new}"]
        for mark in marks:
            if old.count(mark) == 1:
                made[key] = old.replace(
                    mark, mark.replace(f"{hp.new}/", f"{new}/") if "/" in mark else mark.rsplit(" ", 1)[0] + f" {new}"
                )
                made["revisions"] = [{"seen": seen, key: old}]
                return True
        return False

    return Plan("post/edited-claims", post.id, [hp.new], after=after)


def plant_edited_number(fight: Fight, r: random.Random) -> Plan | None:
    """Any number of any line of the judge is changed after a player has posted."""
    found = [p for p in fight.posts[:-2] if p.judge and p.lines]
    if not found:
        return None
    post = r.choice(found)
    following = [p for p in fight.posts if p.at > post.at and not p.judge]
    if not following:
        return None
    post.edited = following[0].at + timedelta(hours=1)

    def after(transcript: dict[str, Any]) -> bool:
        made = next(p for p in transcript["posts"] if p["id"] == post.id)
        key = "html" if "html" in made else "text"
        old = made[key]
        place = _some_number(old, r)
        if place is None:
            return False
        start, end = place
        made[key] = old[:start] + str(int(old[start:end]) + 1) + old[end:]
        made["revisions"] = [{"seen": (post.at + timedelta(minutes=2)).isoformat(), key: old}]
        return True

    return Plan("post/edited-claims", post.id, None, after=after)


_CLAIM_LINE = re.compile(
    r"^(?:[-*] )?(?:Hit: |Damage: |HP: |Disarm test: |Weapon damage: |Control test: |[A-Z][a-z]+ AGI).*$", re.M
)


def _some_number(text: str, r: random.Random) -> tuple[int, int] | None:
    """The place of a number in a claim line, outside of addresses and tags."""
    begun = text.rfind("[/quote]") + text.rfind("</blockquote>") + 2
    signature = text.find("_" * 20)
    places = []
    for line in _CLAIM_LINE.finditer(text, max(0, begun)):
        if 0 <= signature < line.start():
            continue
        for number in re.finditer(r"(?<![\w/=.\"])\d+(?![\w./])", line.group()):
            before = line.group()[: number.start()]
            if before.count("<") == before.count(">") and before.count("[") == before.count("]"):
                places.append((line.start() + number.start(), line.start() + number.end()))
    return r.choice(places) if places else None


def _slip(fight: Fight, r: random.Random) -> tuple[SimPost, Hp] | None:
    """A post of the judge whose last HP line of a doll can hold a slip."""
    found = []
    for post in fight.posts:
        last = {line.who: line for line in post.lines if isinstance(line, Hp) and not line.thing}
        found += [(post, line) for line in last.values()]
    return r.choice(found) if found else None


def plant_corrected(fight: Fight, r: random.Random) -> Plan | None:
    """A slip that the judge puts right before anybody else has posted: no finding at all."""
    found = _slip(fight, r)
    if found is None:
        return None
    post, hp = found
    right, hp.new = hp.new, hp.new + 3
    _correction(fight, post, hp, right, r, timedelta(minutes=4))
    return Plan("", post.id)


def plant_corrected_late(fight: Fight, r: random.Random) -> Plan | None:
    """A slip put right after a player has posted: the slip keeps its finding, nothing else comes."""
    found = _slip(fight, r)
    if found is None:
        return None
    post, hp = found
    place = fight.posts.index(post)
    if place + 1 >= len(fight.posts) or fight.posts[place + 1].judge:
        return None
    right, hp.new = hp.new, hp.new + 3
    _correction(fight, fight.posts[place + 1], hp, right, r, timedelta(minutes=4))
    return Plan("angel_dolls/hp", post.id, [right])


def _correction(fight: Fight, behind: SimPost, hp: Hp, right: int, r: random.Random, wait: timedelta) -> None:
    word = r.choice(["Edit: ", "edit: ", "Correction: ", "Correction, sorry: "])
    post = SimPost(f"c{len(fight.posts)}", fight.judge, behind.at + wait, judge=True, bare=True)
    post.extra.append(f"{word}HP: {hp.who} {hp.old} -> {right}")
    fight.posts.insert(fight.posts.index(behind) + 1, post)


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
            _redo(roll)
            return Plan("angel_dolls/chain", post.id, shown, also=["angel_dolls/total"])
    return None


def plant_values_followed(fight: Fight, r: random.Random) -> Plan | None:
    """The post writes another number than the record; its sums follow the record."""
    found = [x for x in sides(fight, "hit") if x[0] is not fight.posts[0]]
    if not found:
        return None
    post, _, side = r.choice(found)
    side.record = {"values": [side.roll], "label": "true one"}
    right = side.roll
    side.shown_roll = (right or 0) % 50 + 1
    return Plan(
        "dice/values", post.id, [right], after=lambda t: any(x["label"] == "true one" for x in t["rolls"].values())
    )


PLANTERS: dict[str, Planter] = {
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
    "acts-while-down": plant_down,
    "weapon-out": plant_weapon_out,
    "full-defense": plant_full,
    "points": plant_points,
    "no-link": plant_no_link,
    "values": _record("dice/values", _value),
    "expression": _record("dice/expression", _expression),
    "not-found": _record("dice/not-found", lambda f, r, p, s: {"missing": True}),
    "roller": _record("dice/roller", lambda f, r, p, s: {"by": "Ysolde of Table Four"}),
    "too-early": _record("dice/too-early", _early),
    "too-late": _record("dice/too-late", _late),
    "altered": _record("dice/altered", _altered),
    "fished": plant_fished,
    "reused": plant_reused,
    "unknown-service": plant_service,
    "deleted": plant_deleted,
    "unread-tag": plant_unread,
    "unknown-character": plant_stranger,
    "edited-claims": plant_edited,
    "edited number": plant_edited_number,
    "corrected in time": plant_corrected,
    "corrected late": plant_corrected_late,
    "disabled accessory": plant_accessory,
    "held weapon": plant_held_weapon,
    "full defense line": plant_full_line,
    "control test": plant_control,
    "chain line": plant_chain_line,
    "values, sums by the record": plant_values_followed,
}

__all__ = ["GEAR", "PLANTERS", "POWERS", "Plan"]
