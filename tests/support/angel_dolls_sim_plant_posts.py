"""Spoils dice records and posts of a made-up battle of dolls; the table of all planters."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from tests.support.angel_dolls_sim import Hp, Side, SimPost
from tests.support.angel_dolls_sim_fight import Fight
from tests.support.angel_dolls_sim_plant import NUMBERS, Plan, Planter, redo, sides
from tests.support.angel_dolls_sim_plant_acts import ACTS

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
        redo(found[second][1])

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
    **NUMBERS,
    **ACTS,
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
    "values, sums by the record": plant_values_followed,
}
