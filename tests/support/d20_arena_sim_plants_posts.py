"""Planters of faults in posts and dice: late edits, deletions, strangers, rolls that do not fit their records."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta

from tests.support.d20_arena_sim import Sim
from tests.support.d20_arena_sim_cast import Item, Post, Roll
from tests.support.d20_arena_sim_spots import Found, Planter, items, pick

# -- posts -----------------------------------------------------------------------------------------


def _edit(sim: Sim, post: Post, new: dict[int, Item]) -> bool:
    """Change items of a post (by place) after somebody else has posted; False where nobody has."""
    later = next((p for p in sim.posts[sim.posts.index(post) + 1 :] if p.author != post.author), None)
    if later is None:
        return False
    post.before, post.seen = [list(post.items)], post.at + timedelta(minutes=5)
    post.edited = later.at + timedelta(minutes=25)
    post.items = [new.get(place, item) for place, item in enumerate(post.items)]
    return True


def edited_hp(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [(p, i) for p, i in items(sim, "hp") if p.round])
    if row is None:
        return None
    post, item = row
    right = item.data["hp"]
    new = Item("hp", {**item.data, "hp": right + 1 if right == 0 else right - 1})
    return (post.id, [right]) if _edit(sim, post, {post.items.index(item): new}) else None


def corrected_late(sim: Sim, rng: random.Random) -> Found:
    """A wrong HP line that its author puts right after somebody else has posted (G25)."""
    rows = [(p, i) for p, i in items(sim, "hp") if p.round and p.who and p is not sim.posts[-1]]
    row = pick(rng, rows)
    if row is None:
        return None
    post, item = row
    place = sim.posts.index(post)
    later = next((n for n, p in enumerate(sim.posts) if n > place and p.author != post.author), None)
    if later is None or later > place + 1 or any(i.kind == "hp" and i is not item for i in post.items):
        return None
    right = item.data["hp"]
    item.data["hp"] = right + 1
    after = sim.posts[later]
    late = Post("late", post.author, after.at + timedelta(minutes=2), post.who)
    late.plain = f"Correction: {item.data['who'].name}: {right}/{item.data['most']} HP"
    sim.posts.insert(later + 1, late)
    return post.id, [right]


def edited_target(sim: Sim, rng: random.Random) -> Found:
    rows = [p for p in sim.posts if p.who and p.round and len(sim.foes) > 1]
    rows = [
        p for p in rows if sum(i.kind == "strike" for i in p.items) == 1 and not any(i.kind == "hp" for i in p.items)
    ]
    post = pick(rng, [p for p in rows if next(i for i in p.items if i.kind == "strike").data["outcome"] == "miss"])
    if post is None:
        return None
    hit = next(i for i in post.items if i.kind == "strike")
    said = next(i for i in post.items if i.kind == "announce")
    other = rng.choice([f for f in sim.foes if f is not hit.data["target"]])
    new = {**hit.data, "target": other}
    said_new = Item("announce", {"text": f"{hit.data['name']} on {other.name}"})
    places = {post.items.index(hit): Item("strike", new), post.items.index(said): said_new}
    return (post.id, [hit.data["target"].name]) if _edit(sim, post, places) else None


def edited_damage(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [(p, i) for p, i in items(sim, "strike") if i.data.get("dice") and p.round])
    if row is None:
        return None
    post, item = row
    right = item.data["damage"]
    new = Item("strike", {**item.data, "damage": right + 2})
    return (post.id, [right]) if _edit(sim, post, {post.items.index(item): new}) else None


def deleted(sim: Sim, rng: random.Random) -> Found:
    post = pick(rng, [p for p in sim.posts if p.round])
    if post is None:
        return None
    post.deleted = post.at + timedelta(days=2)
    return post.id, None


def stranger(sim: Sim, rng: random.Random) -> Found:
    place = rng.randint(1, len(sim.posts) - 1)
    post = Post("y1", "driftwood", sim.posts[place].at + timedelta(seconds=20), None)
    post.plain = "[Action: Volt Lash -> " + sim.foes[0].name + ": 1d20+4 = 19 vs Defense 12, hit; damage 2d6+3 = 9]"
    sim.posts.insert(place + 1, post)
    return post.id, None


def unread(sim: Sim, rng: random.Random) -> Found:
    post = pick(rng, [p for p in sim.posts if p.who and p.round])
    if post is None:
        return None
    place = rng.randint(0, len(post.items))
    post.items.insert(place, Item("raw", {"text": "[Action: ??? -> ???: 1d20 = ?]"}))
    return post.id, None


# -- dice ------------------------------------------------------------------------------------------


def rolls(sim: Sim) -> Iterator[tuple[Post, Roll]]:
    for post in sim.posts:
        for item in post.items:
            for key in ("roll", "dice", "crit", "levels"):
                roll = item.data.get(key)
                if isinstance(roll, Roll):
                    yield post, roll


def dice(fault: str) -> Planter:
    def plant(sim: Sim, rng: random.Random) -> Found:
        row = pick(rng, [r for r in rolls(sim) if r[0].round > 1])
        if row is None:
            return None
        post, roll = row
        roll.plant = fault
        if fault == "unknown-service":
            roll.host = "http://stranger.example/r/"
        if fault == "values":
            sides = int(roll.expr.split("d")[1])
            if sides < 2 or len(roll.values) > 1:
                return None
            return post.id, [roll.values[0] % sides + 1]
        return post.id, None

    return plant


def reused(sim: Sim, rng: random.Random) -> Found:
    """A later roll links to the record of an earlier one with the same dice and number."""
    seen: list[tuple[Post, Roll]] = []
    found = []
    for post, roll in rolls(sim):
        same = [one for p, one in seen if p.author == post.author and p is not post]
        found += [(one, post, roll) for one in same if one.expr == roll.expr and one.values == roll.values]
        seen.append((post, roll))
    row = pick(rng, found)
    if row is None:
        return None
    first, post, roll = row
    first.plant, first.link = "twin", None
    roll.plant, roll.twin = "twin", first
    return post.id, None


DICE_FAULTS = (
    *("no-link", "not-found", "unknown-service", "unreachable", "values", "expression"),
    *("roller", "too-early", "too-late", "altered", "fished"),
)
