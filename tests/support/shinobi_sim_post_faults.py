"""Planters: deleted, edited, unread, misplaced and foreign posts."""

from __future__ import annotations

import random
import re
from datetime import timedelta

from tests.support.shinobi_sim_data import Fight, Part, SimPost
from tests.support.shinobi_sim_spots import Planted, answers, parts, pick, planted


def plant_deleted(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: True)
    if post is None:
        return None
    post.deleted = fight.posts[-1].at + timedelta(days=1)
    return planted("post/deleted", post.id)


def plant_unread(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: True)
    if post is None:
        return None
    post.parts.append(
        Part(
            "main",
            "raw",
            {
                "text": rng.choice(
                    ["[Damage: lots x?]", "[Dodge roll: fine]", "[30% to hit: rolled well]", "[Setup: ponders]"]
                )
            },
        )
    )
    return planted("post/unread-tag", post.id)


def plant_edited(fight: Fight, rng: random.Random) -> Planted | None:
    def fits(post: SimPost) -> bool:
        after = [p for p in fight.posts if p.at > post.at and p.chatter is None and p.author != post.author]
        return bool(parts(post, "attack")) and bool(after)

    post = pick(fight, rng, fits)
    if post is None:
        return None
    data = parts(post, "attack")[0].data
    if data.get("list"):
        return None
    old, new = data["amount"], data["amount"] + rng.choice([3, 4, 7])
    after = next(p for p in fight.posts if p.at > post.at and p.chatter is None and p.author != post.author)
    post.edited = after.at + timedelta(minutes=7)

    def before(text: str) -> str:
        return (
            text.replace(f"{new} damage", f"{old} damage")
            .replace(f"= {new} ", f"= {old} ")
            .replace(f"amage: {new} ", f"amage: {old} ")
            .replace(f"AMAGE: {new} ", f"AMAGE: {old} ")
            .replace(f"{new} DAMAGE", f"{old} DAMAGE")
        )

    data["amount"] = new
    post.facts["old"] = (post.at + timedelta(seconds=30), before)
    return planted("post/edited-claims", post.id, [old])


def plant_edited_roll(fight: Fight, rng: random.Random) -> Planted | None:
    def fits(post: SimPost) -> bool:
        after = [p for p in fight.posts if p.at > post.at and p.chatter is None and p.author != post.author]
        return bool(answers(post, "dodge")) and bool(after)

    post = pick(fight, rng, fits)
    if post is None or post.loss is None:
        return None
    old = post.loss["chakra"]
    if old >= 0:
        return None
    post.loss["chakra"] = old - 3
    after = next(p for p in fight.posts if p.at > post.at and p.chatter is None and p.author != post.author)
    post.edited = after.at + timedelta(minutes=7)

    def before(text: str) -> str:

        return re.sub(rf"((?:chakra|chk):? ?[^\d\s+])({-(old - 3)})\b", lambda m: m[1] + str(-old), text, flags=re.I)

    post.facts["old"] = (post.at + timedelta(seconds=30), before)
    return planted("post/edited-claims", post.id, [old])


def plant_stranger_post(fight: Fight, rng: random.Random) -> Planted | None:
    places = [i for i in range(1, len(fight.posts)) if not fight.posts[i - 1].facts.get("half")]
    place = rng.choice(places)
    post = SimPost(
        "s1",
        "wanderer",
        "",
        fight.posts[place - 1].at + timedelta(seconds=50),
        chatter="[Damage: 8 - punch x2]\n(HP: -0 | Chakra: -0 | Stamina: -10)",
    )
    fight.posts.insert(place, post)
    return planted("post/unknown-character", post.id)


def plant_swapped(fight: Fight, rng: random.Random) -> Planted | None:
    """Two turns in the wrong order: neither attacks nor answers, so nothing else depends on it."""
    if fight.policy not in (None, "alternate") or any(c.now["hp"] <= 0 or c.passed_out for c in fight.chars.values()):
        return None
    if len(fight.chars) == 2 or any(p.chatter is not None or p.facts.get("half") for p in fight.posts):
        return None
    if not all(c.shown_secret for c in fight.chars.values()):
        return None
    places = []
    for i in range(len(fight.chars), len(fight.posts) - 1):
        one, two = fight.posts[i], fight.posts[i + 1]
        quiet = all(not parts(p, "attack") and not answers(p) and not parts(p, "guard") for p in (one, two))
        if quiet and one.char != two.char and not one.facts.get("old") and not two.facts.get("old"):
            places.append(i)
    if not places:
        return None
    i = rng.choice(places)
    one, two = fight.posts[i], fight.posts[i + 1]
    one.at, two.at = two.at, one.at
    fight.posts[i], fight.posts[i + 1] = two, one
    return planted("post/out-of-turn", two.id)
