"""Planters: phases, Setup, Main, damage tags, stats."""

from __future__ import annotations

import random

from tests.support.shinobi_sim_data import Fight, Part, SimPost
from tests.support.shinobi_sim_spots import Planted, parts, pick, planted, turns


def plant_phase_order(fight: Fight, rng: random.Random) -> Planted | None:
    def fits(post: SimPost) -> bool:
        phases = {p.phase for p in post.parts if p.kind not in ("dot", "status", "reminder")}
        return len(phases) >= 2

    post = pick(fight, rng, fits)
    if post is None:
        return None
    phases = [
        f
        for f in ("response", "setup", "main")
        if any(p.phase == f and p.kind not in ("dot", "status", "reminder") for p in post.parts)
    ]
    a, b = rng.sample(phases, 2)
    order = ["response", "setup", "main"]
    i, j = order.index(a), order.index(b)
    order[i], order[j] = order[j], order[i]
    post.marks_order = order
    return planted("shinobi/phase-order", post.id)


def plant_setup_limit(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: any(x.kind in ("setup", "activate") for x in p.parts))
    if post is None:
        return None
    text = rng.choice(["inscribes a scroll", "picks up the fallen banner pole", "draws the iron club"])
    post.parts.append(Part("setup", "setup", {"text": text}))
    return planted("shinobi/setup-limit", post.id, [1])


def plant_setup_attack(fight: Fight, rng: random.Random) -> Planted | None:
    from tests.support.shinobi_sim_text import Writer

    habits = Writer(fight).habits
    post = pick(
        fight, rng, lambda p: bool(parts(p, "attack")) and bool(habits[p.author].marks) and not parts(p, "beside")
    )
    if post is None:
        return None
    for part in parts(post, "attack"):
        part.phase = "setup"
    return planted("shinobi/setup-attack", post.id)


def plant_main_mixed(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(
        fight,
        rng,
        lambda p: (
            bool(parts(p, "attack"))
            and p.facts["before"]["chakra"] > 50
            and p.facts["turns"] > 0
            and p is [q for q in turns(fight) if q.char == p.char][-1]
        ),
    )
    if post is None or post.loss is None or fight.chars[post.char].regen:
        return None
    post.parts.append(Part("main", "technique", {"name": "Smoke Veil", "cost": {"chakra": 5}}))
    post.loss["chakra"] -= 5
    return planted("shinobi/main-mixed", post.id)


def plant_damage_missing(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: any(x.data["kind"] == "technique" for x in parts(p, "attack")))
    if post is None:
        return None
    parts(post, "attack")[0].data["no_tag"] = True
    return planted("shinobi/damage-missing", post.id)


def plant_damage_sum(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: bool(parts(p, "attack")) and not parts(p, "attack")[0].data.get("plain"))
    if post is None:
        return None
    data = parts(post, "attack")[0].data
    right = data["amount"]
    wrong = max(0, right + rng.choice([-2, -1, 1, 2, 5]))
    if wrong == right:
        return None
    data.update(force_sum=True, no_list=True, amount=wrong)
    if data.get("long") is None:
        data.update(share=data["share"])
    return planted("shinobi/damage-sum", post.id, [right])


def plant_damage_modifier(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: bool(parts(p, "attack")) and not parts(p, "attack")[0].data.get("plain"))
    if post is None:
        return None
    data = parts(post, "attack")[0].data
    right = data["amount"]
    change = rng.choice([-4, 4, 5, 6, 8, -6])
    if data.get("long"):
        plus, minus = data["long"]
        data["long_written"] = (max(0, plus + change), minus)
        wrong = max(0, data["base"] + data["long_written"][0] - minus)
    else:
        data["share"] += change
        wrong = max(0, data["base"] + data["share"])
    if abs(wrong - right) < 3:
        return None
    data["amount"] = wrong
    return planted("shinobi/damage-modifier", post.id, None, [right - 2, right - 1, right, right + 1, right + 2])


def plant_healed(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: p.facts["down"] and fight.chars[p.char].shown_secret)
    if post is None or post.loss is None:
        return None
    pool = rng.choice(["hp", "chakra", "stamina"])
    post.loss[pool] = rng.randrange(1, 6)
    return planted("shinobi/healed-while-down", post.id)


def plant_guard(fight: Fight, rng: random.Random) -> Planted | None:
    def fits(post: SimPost) -> bool:
        guards = parts(post, "guard")
        return (
            bool(guards)
            and guards[0].data["roll"] > 15
            and sum(guards[0].data["attack"].hits) > 2
            and not any(p.data.get("heal") for p in parts(post, "technique"))
            and not parts(post, "item")
            and not fight.chars[post.char].regen.get("hp")
        )

    post = pick(fight, rng, fits)
    if post is None or post.loss is None:
        return None
    post.loss["hp"] -= sum(parts(post, "guard")[0].data["attack"].hits)
    return planted("shinobi/guard", post.id)


def plant_guard_rolls(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(
        fight,
        rng,
        lambda p: bool(parts(p, "guard")) and parts(p, "guard")[0].data["roll"] <= 15 and not p.facts["answers"],
    )
    if post is None:
        return None
    guard = parts(post, "guard")[0]
    index = post.parts.index(guard)
    extra = {"attack": guard.data["attack"], "prefix": None, "choice": "skill", "name": "Knowing the Elements"}
    post.parts.insert(index + 1, Part("response", "answer", extra))
    return planted("shinobi/guard", post.id)


def plant_stats_missing(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: p.facts["turns"] == 0 and fight.chars[p.char].shown_stats)
    if post is None:
        return None
    post.stats = False
    return planted("shinobi/stats-missing", post.id)


def plant_stats_changed(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: p.facts["turns"] > 0)
    if post is None:
        return None
    c = fight.chars[post.char]
    stat = rng.choice(list(c.stats))
    post.stats = True
    post.stat_change = {stat: c.stats[stat] + rng.choice([-10, 5, 20, 30])}
    return planted("shinobi/stats-changed", post.id, [c.stats[stat]])


def plant_secret(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: p.stats)
    if post is None:
        return None
    c = fight.chars[post.char]
    sep = rng.choice([": ", " "])
    post.facts["secret_lines"] = rng.choice(
        [[f"HP{sep}{c.totals['hp']}"], [f"HP{sep}{c.totals['hp']}", f"Chakra{sep}{c.totals['chakra']}"]]
    )
    return planted("shinobi/secret-shown", post.id)
