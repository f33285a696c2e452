"""Planters: one plausible fault a battle, with the code, the post and the value that must be found.

Each planter takes a seed and gives a `Planted`, or None where the battle offers no opportunity.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from tests.support.d20_arena_sim import Sim
from tests.support.d20_arena_sim_cast import Item, Post, Roll
from tests.support.d20_arena_sim_plants_posts import (
    DICE_FAULTS,
    corrected_late,
    deleted,
    dice,
    edited_damage,
    edited_hp,
    edited_target,
    reused,
    rolls,
    stranger,
    unread,
)
from tests.support.d20_arena_sim_render import render
from tests.support.d20_arena_sim_spots import Found, Planter, items, pick, step, strikes


@dataclass(frozen=True)
class Planted:
    """A transcript with one fault: `expected` is a list of values, or None where it is not compared."""

    data: dict[str, Any]
    code: str
    post: str
    expected: Any = None
    also: tuple[tuple[str, str], ...] = ()


# -- numbers ---------------------------------------------------------------------------------------


def total(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [s for s in strikes(sim) if s[1]["total"] > 4])
    if row is None:
        return None
    post, data = row
    right = data["total"]
    data["total"] = right + step(rng)
    return post.id, [right]


def bonus(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [s for s in strikes(sim) if not s[1]["free"]])
    if row is None:
        return None
    post, data = row
    right = data["total"]
    extra = rng.choice((1, 2))
    data["bonuses"] = [data["bonuses"][0] + extra]
    data["total"] = right + extra
    return post.id, [right]


def help_total(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [(p, i) for p, i in items(sim, "escape") if i.data["bonuses"]])
    if row is None:
        return None
    right = row[1].data["total"]
    row[1].data["total"] = right + step(rng)
    return row[0].id, [right]


def help_penalty(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [(p, i) for p, i in items(sim, "escape") if i.data["bonuses"] and i.data["bonuses"][1]])
    if row is None:
        return None
    data = row[1].data
    right = data["total"]
    data["total"] -= data["bonuses"][1]
    data["bonuses"] = [4, 0]
    return row[0].id, [right]


def defense(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [s for s in strikes(sim) if s[1]["shield"] is None and s[0].round > 1])
    if row is None:
        return None
    post, data = row
    right = data["defense"]
    data["defense"] = right + step(rng)
    # A fighter without any own turn so far, or a trapped one, may be read with or without +2.
    return post.id, [right]


def damage(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [s for s in strikes(sim) if s[1].get("dice") is not None])
    if row is None:
        return None
    post, data = row
    right = data["damage"]
    wrong = right + step(rng)
    data["damage"] = wrong if wrong > 0 else right + 2
    return post.id, [right]


def no_crit_die(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [s for s in strikes(sim) if s[1].get("crit") is not None and s[1].get("dice")])
    if row is None:
        return None
    post, data = row
    data["damage"] -= data["crit"].values[0]
    data["crit"] = None
    return post.id, None


def brace(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, items(sim, "brace"))
    if row is None:
        return None
    right = row[1].data["after"]
    row[1].data["after"] = right + rng.choice((1, 2))
    return row[0].id, [right]


def bind_level(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [s for s in strikes(sim) if "area" in s[1] and not s[1].get("silent")])
    if row is None:
        return None
    post, data = row
    right = data["new"]
    data["new"] = right + 1 if right == 0 or rng.random() < 0.5 else right - 1
    return post.id, [right]


def spill_level(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [s for s in strikes(sim) if s[1].get("spill")])
    if row is None:
        return None
    post, data = row
    right = data["spill"][2]
    data["spill"][2] = right + 1
    return post.id, [right]


def escape(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, items(sim, "escape"))
    if row is None:
        return None
    data = row[1].data
    right = data["new"]
    data["new"] = right + 1 if right == 0 or rng.random() < 0.5 else right - 1
    return row[0].id, [right]


def no_spare(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, [(p, i) for p, i in items(sim, "escape") if i.data["spare"]])
    if row is None:
        return None
    row[1].data["spare"] = None
    return row[0].id, None


def hp(sim: Sim, rng: random.Random) -> Found:
    rows = items(sim, "hp") + items(sim, "table") + items(sim, "own-hp")
    row = pick(rng, [(p, i) for p, i in rows if p.round])
    if row is None:
        return None
    data = row[1].data
    right = data["hp"]
    wrong = right + step(rng)
    data["hp"] = wrong if 0 <= wrong <= data["most"] else max(right - 1, 0) if right else 1
    return row[0].id, [right]


def trap(sim: Sim, rng: random.Random) -> Found:
    row = pick(rng, items(sim, "trap"))
    if row is None:
        return None
    row[1].data["said"] = "safe" if row[1].data["sprung"] else "sprung"
    return row[0].id, None


def crit_save(sim: Sim, rng: random.Random) -> Found:
    rows = [s for s in strikes(sim) if "area" in s[1] and s[1]["outcome"] == "critical hit" and "save" in s[1]["row"]]
    row = pick(rng, [s for s in rows if s[1]["new"] != s[1]["old"]])
    if row is None:
        return None
    post, data = row
    right = data["new"]
    data["no_save"] = False
    data["save"] = {"roll": Roll("1d20", [19], "save"), "against": data["row"]["save"], "resisted": True}
    data["new"], data["silent"], data["spill"] = data["old"], rng.random() < 0.3, None
    return post.id, [right]


# -- conduct ---------------------------------------------------------------------------------------


def announce(sim: Sim, rng: random.Random) -> Found:
    rows = []
    for post in sim.posts:
        hits = [i.data for i in post.items if i.kind == "strike" and not i.data["foe"]]
        said = [i for i in post.items if i.kind == "announce"]
        if len(hits) == 1 and said and not sim.habits[post.author].loose:
            rows.append((post, hits[0], said[0]))
    row = pick(rng, rows)
    if row is None:
        return None
    post, hit, said = row
    others = [f.name for f in sim.foes if f is not hit["target"]]
    if others and rng.random() < 0.5:
        said.data["text"] = f"{hit['name']} on {rng.choice(others)}"
    else:
        name = rng.choice([n for n in ("Volt Lash", "Hook Cut", "Net Toss") if n != hit["name"]])
        said.data["text"] = f"{name} on {hit['target'].name}"
    return post.id, None


def added_struggle(sim: Sim, rng: random.Random) -> Found:
    rows = [(p, i) for p, i in items(sim, "strike") if not i.data["foe"] and any(p.who.start_binds.values())]
    row = pick(rng, [r for r in rows if r[0].round == 1])
    if row is None:
        return None
    post, item = row
    area = next(a for a, n in post.who.start_binds.items() if n)
    level = post.who.start_binds[area]
    data = {"actor": post.who, "bound": post.who, "area": area, "roll": Roll("1d20", [2], "struggle"), "bonuses": None,
            "old": level, "new": level, "total": 2, "spare": None}  # fmt: skip
    earlier = [p for p in sim.posts if p.round == 1 and p.at < post.at]
    if any(i.kind == "escape" for p in earlier for i in p.items):
        return None
    post.items.append(Item("escape", data))
    return post.id, None


def free_without_bonus(sim: Sim, rng: random.Random) -> Found:
    def fits(data: dict[str, Any]) -> bool:
        low = data["total"] - 2
        return data["free"] and (data["outcome"] != "hit" or low >= data["defense"])

    row = pick(rng, [s for s in strikes(sim) if fits(s[1])])
    if row is None:
        return None
    post, data = row
    data["bonuses"] = data["bonuses"][:1]
    data["total"] -= 2
    return post.id, None


def not_turned(sim: Sim, rng: random.Random) -> Found:
    def silent(post: Post, data: dict[str, Any]) -> bool:
        """Whether no HP in the post show that the damage fell on the enemy all the same."""
        return not any(item.kind in ("hp", "table") and item.data["who"] is data["actor"] for item in post.items)

    row = pick(rng, [s for s in strikes(sim) if s[1].get("itself") and not s[1]["free"] and silent(*s)])
    if row is None:
        return None
    row[1]["itself"] = False
    return row[0].id, None


def both_targets(sim: Sim, rng: random.Random) -> Found:
    for post in sim.posts:
        hits = [i for i in post.items if i.kind == "strike" and i.data["name"] == "Arc Wave" and not i.data["foe"]]
        if len(hits) != 2 or any(i.data["outcome"] != "miss" or i.data["shield"] for i in hits):
            continue
        one, two = hits[0].data, hits[1].data
        if max(one["total"], two["total"]) >= min(one["defense"], two["defense"]):
            continue
        one["both"] = (
            f"{one['target'].name} and {two['target'].name}",
            f"{one['defense']} and {two['defense']}",
            " each",
        )
        one["phrase"] = "miss"
        post.items.remove(hits[1])
        del rng
        return post.id, None
    return None


def shield_again(sim: Sim, rng: random.Random) -> Found:
    """A reaction against a critical hit or a free attack."""
    rows = [
        (post, item)
        for post, item in items(sim, "strike")
        if item.data["shield"] is None and (item.data["outcome"] == "critical hit" or item.data["free"])
        if "Side Step" in item.data["target"].abilities
        and not any(i.kind in ("shield", "brace") and i.data["who"] is item.data["target"] for i in post.items)
    ]
    rows = [r for r in rows if r[1].data["outcome"] in ("critical hit", "miss")]
    row = pick(rng, rows)
    if row is None:
        return None
    post, item = row
    base = item.data["defense"]
    shield = Item("shield", {"who": item.data["target"], "before": base, "after": base + 3})
    if rng.random() < 0.5 or item.data["outcome"] == "miss":
        item.data["defense"] = base + 3
    post.items.insert(post.items.index(item), shield)
    return post.id, None


def second_brace(sim: Sim, rng: random.Random) -> Found:
    """A second reaction of one fighter in one round."""
    rows = []
    for post in sim.posts:
        done = [i.data["who"] for i in post.items if i.kind in ("brace", "shield")]
        for item in post.items:
            data = item.data
            if item.kind != "strike" or data["outcome"] != "miss" or data["shield"] or data["free"]:
                continue
            if data["target"] in done and "Side Step" in data["target"].abilities:
                rows.append((post, item))
    row = pick(rng, rows)
    if row is None:
        return None
    post, item = row
    base = item.data["defense"]
    item.data["defense"] = base + 3
    first = next(i for i in post.items if i.kind in ("brace", "shield") and i.data["who"] is item.data["target"])
    place = post.items.index(item)
    if post.items.index(first) > place:
        return None
    post.items.insert(place, Item("shield", {"who": item.data["target"], "before": base, "after": base + 3}))
    return post.id, None


def out_of_turn(sim: Sim, rng: random.Random) -> Found:
    rows = [p for p in sim.posts if p.who and p.round and any(i.kind == "use" for i in p.items) and not sim.traps]
    post = pick(rng, rows)
    if post is None:
        return None
    twin = Post(f"{post.id}b", post.author, post.at + timedelta(minutes=30), post.who, round=post.round)
    twin.items = [Item("announce", {"text": "Focus"}), Item("action-none", {"text": "Focus"})]
    if any(i.kind == "move" and i.data["text"][:2] == "st" for i in post.items):
        twin.items.insert(1, Item("move", {"text": "stands still"}))
    sim.posts.insert(sim.posts.index(post) + 1, twin)
    return twin.id, None


#: Planters by name: (code, policy of the simulator or None, function).
PLANTERS: dict[str, tuple[str, str | None, Planter | None]] = {
    "total": ("d20_arena/total", None, total),
    "bonus": ("d20_arena/total", None, bonus),
    "help-total": ("d20_arena/total", None, help_total),
    "help-penalty": ("d20_arena/total", None, help_penalty),
    "defense": ("d20_arena/defense", None, defense),
    "damage": ("d20_arena/damage", None, damage),
    "no-crit-die": ("d20_arena/damage", None, no_crit_die),
    "brace": ("d20_arena/damage", None, brace),
    "bind-level": ("d20_arena/bind-level", None, bind_level),
    "spill-level": ("d20_arena/bind-level", None, spill_level),
    "crit-save": ("d20_arena/bind-level", None, crit_save),
    "escape": ("d20_arena/escape", None, escape),
    "no-spare": ("d20_arena/escape", None, no_spare),
    "hp": ("d20_arena/hp", None, hp),
    "trap": ("d20_arena/trap", None, trap),
    "act-trapped": ("d20_arena/trap", "act-trapped", None),
    "announce": ("d20_arena/announce", None, announce),
    "struggles": ("d20_arena/struggles", "struggles", None),
    "added-struggle": ("d20_arena/struggles", None, added_struggle),
    "stance": ("d20_arena/stance", "stance", None),
    "too-early": ("d20_arena/too-early", "too-early", None),
    "cooldown": ("d20_arena/cooldown", "cooldown", None),
    "uses": ("d20_arena/uses", "uses", None),
    "shield-again": ("d20_arena/uses", None, shield_again),
    "second-reaction": ("d20_arena/uses", None, second_brace),
    "no-free": ("d20_arena/free-attack", "no-free", None),
    "free-without-bonus": ("d20_arena/free-attack", None, free_without_bonus),
    "not-turned": ("d20_arena/free-attack", None, not_turned),
    "both-targets": ("d20_arena/roll-per-target", None, both_targets),
    "down-player": ("d20_arena/acts-while-down", "down-player", None),
    "down-enemy": ("d20_arena/acts-while-down", "down-enemy", None),
    "after-end": ("d20_arena/acts-while-down", "after-end", None),
    "miss-for-hit": ("d20_arena/outcome", "miss-for-hit", None),
    "hit-for-miss": ("d20_arena/outcome", "hit-for-miss", None),
    "natural": ("d20_arena/outcome", "natural", None),
    "out-of-turn": ("post/out-of-turn", None, out_of_turn),
    "edited-hp": ("post/edited-claims", None, edited_hp),
    "edited-target": ("post/edited-claims", None, edited_target),
    "edited-damage": ("post/edited-claims", None, edited_damage),
    "corrected-late": ("d20_arena/hp", None, corrected_late),
    "deleted": ("post/deleted", None, deleted),
    "stranger": ("post/unknown-character", None, stranger),
    "unread": ("post/unread-tag", None, unread),
    "dice-reused": ("dice/reused", None, reused),
    **{f"dice-{fault}": (f"dice/{fault}", None, dice(fault)) for fault in DICE_FAULTS},
}


def planted(name: str, seed: int) -> Planted | None:
    """A battle with the fault of a planter, or None where this seed offers none."""
    code, policy, plant = PLANTERS[name]
    sim = Sim(seed, policy).play()
    if plant is None:
        if sim.planted is None or sim.policy == "spoiled":
            return None
        found: Found = (sim.planted[1], sim.planted[2])
    else:
        found = plant(sim, random.Random(seed))
    if found is None:
        return None
    data = render(sim)
    if code == "dice/not-found" and not data["rolls"]:
        return None
    if code == "dice/reused" and not _links_twice(sim, data):
        return None
    return Planted(data, code, found[0], found[1])


def _links_twice(sim: Sim, data: dict[str, Any]) -> bool:
    """Whether the twin's link stands in two places: rolls that the board makes have none."""
    twins = [str(roll.twin.link) for _, roll in rolls(sim) if roll.twin is not None]
    words = "\n".join(str(post.get("text") or post.get("html")) for post in data["posts"])
    return all(len(re.findall(rf"{re.escape(link)}(?!\d)", words)) > 1 for link in twins)
