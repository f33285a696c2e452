"""Planters: each spoils an honest fight in one plausible way and says what must be found."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction
from math import ceil, floor
from typing import Any

from tests.support.shinobi_sim import LIMITS, MODIFIERS, RANKS, TECHNIQUES, Char, Fight, Part, SimPost

Planted = dict[str, Any]
Planter = Callable[[Fight, random.Random], "Planted | None"]


def planted(
    code: str, post: str, core: list[Any] | None = None, every: list[Any] | None = None, also: tuple[str, ...] = ()
) -> Planted:
    """What must be found: `core` must be in `expected`, nothing outside `every`."""
    return {"code": code, "post": post, "core": core, "all": every or core, "also": list(also)}


def turns(fight: Fight) -> list[SimPost]:
    """Whole turns that nothing else was done to: no double posts, no corrected ones."""
    corrected = {p.id[1:] for p in fight.posts if p.id.startswith("c")}
    plain = [p for p in fight.posts if p.chatter is None and p.loss is not None and p.id not in corrected]
    return [p for p in plain if not p.facts.get("half") and not p.facts.get("second") and not p.facts.get("old")]


def pick(fight: Fight, rng: random.Random, fits: Callable[[SimPost], bool]) -> SimPost | None:
    found = [p for p in turns(fight) if fits(p)]
    return rng.choice(found) if found else None


def answers(post: SimPost, choice: str | None = None) -> list[dict[str, Any]]:
    return [p.data for p in post.parts if p.kind == "answer" and choice in (None, p.data["choice"])]


def parts(post: SimPost, kind: str) -> list[Part]:
    return [p for p in post.parts if p.kind == kind]


def hp_readings(post: SimPost) -> set[int] | None:
    """Every admissible HP change of a post, or None where it is not plain."""
    if parts(post, "technique") and any(p.data.get("heal") for p in parts(post, "technique")):
        return None
    if any(p.data.get("pool") == "hp" for p in parts(post, "item")):
        return None
    assert post.loss is not None
    sums = {post.loss["hp"]}
    for answer in answers(post, "dodge"):
        attack = answer["attack"]
        for roll, hit, amount in zip(answer["rolls"], attack.hits, answer["damage"], strict=True):
            exact = Fraction(3 * hit, 2)
            options = {amount}
            if roll <= attack.k_open:
                options |= {floor(exact), ceil(exact)}
                if roll > attack.k_sure:
                    plain = (
                        0
                        if roll > answer["chance"]
                        else hit // 2
                        if roll > answer["chance"] - answer["block"] and not attack.ghost
                        else hit
                    )
                    options.add(plain)
            sums = {s + amount - o for s in sums for o in options}
    return sums


def plant_loss_hp(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(
        fight,
        rng,
        lambda p: (
            bool(p.facts.get("answers"))
            and all(a["choice"] != "plain" for a in p.facts["answers"])
            and hp_readings(p) is not None
        ),
    )
    if post is None or post.loss is None:
        return None
    right = hp_readings(post)
    assert right is not None
    if fight.chars[post.char].regen.get("hp"):
        return None
    failed = [sum(p.data["attack"].hits) for p in parts(post, "guard") if p.data["roll"] > 15]
    wrong = post.loss["hp"] + rng.choice([-10, -5, -4, -3, 4, 5, 7, 9])
    if wrong in right or wrong > 0 or any(wrong + f in right for f in failed):
        return None
    post.loss["hp"] = wrong
    return planted("shinobi/loss-hp", post.id, None, sorted(right))


def _plant_loss(pool: str) -> Planter:
    def plant(fight: Fight, rng: random.Random) -> Planted | None:
        post = pick(
            fight,
            rng,
            lambda p: not fight.chars[p.char].regen and not any(x.data.get("pool") == pool for x in parts(p, "item")),
        )
        if post is None or post.loss is None:
            return None
        right = post.loss[pool]
        wrong = 0 if right and rng.random() < 0.5 else right + rng.choice([-5, -4, -3, -10, 5])
        if wrong > 0 or wrong == right:
            return None
        if not fight.chars[post.char].shown_secret and post.facts["fell"]:
            return None
        post.loss[pool] = wrong
        return planted(f"shinobi/loss-{pool}", post.id, [right])

    return plant


def plant_loss_missing(fight: Fight, rng: random.Random) -> Planted | None:
    def fits(post: SimPost) -> bool:
        place = fight.posts.index(post)
        after = fight.posts[place + 1 :]
        return bool(post.parts) and (not after or after[0].author != post.author)

    post = pick(fight, rng, fits)
    if post is None:
        return None
    post.loss = None
    return planted("shinobi/loss-missing", post.id)


def plant_loss_incomplete(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: True)
    if post is None:
        return None
    post.loss_incomplete = rng.choice(["hp", "chakra", "stamina"])
    return planted("shinobi/loss-incomplete", post.id)


def plant_response_missing(fight: Fight, rng: random.Random) -> Planted | None:
    def fits(post: SimPost) -> bool:
        found = answers(post)
        return (
            len(found) == 1
            and sum(found[0]["attack"].hits) > 0
            and found[0]["choice"] in ("skill", "dodge", "take")
            and found[0].get("name") != "Drunkard's Sway"
            and not any(p.data.get("heal") for p in parts(post, "technique"))
            and not parts(post, "item")
            and not fight.chars[post.char].regen.get("hp")
            and not post.facts["fell"]
        )

    post = pick(fight, rng, fits)
    if post is None or post.loss is None:
        return None
    answer = answers(post)[0]
    post.parts = [p for p in post.parts if p.data is not answer and p.kind != "status"]
    post.loss["hp"] += sum(answer.get("damage", [0]))
    return planted("shinobi/response-missing", post.id)


def plant_response_double(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(
        fight,
        rng,
        lambda p: (
            len(answers(p)) == 1
            and answers(p)[0]["choice"] == "dodge"
            and not parts(p, "guard")
            and not p.facts["down"]
        ),
    )
    if post is None:
        return None
    index = next(i for i, p in enumerate(post.parts) if p.kind == "answer")
    name = rng.choice(["Knowing the Elements"])
    extra = {"attack": answers(post)[0]["attack"], "prefix": None, "choice": "skill", "name": name}
    post.parts.insert(index + 1, Part("response", "answer", extra))
    return planted("shinobi/response-double", post.id)


def plant_response_techniques(fight: Fight, rng: random.Random) -> Planted | None:
    def fits(post: SimPost) -> bool:
        found = answers(post)
        return (
            len(found) >= 2
            and all(a["choice"] == "skill" or sum(a.get("damage", [0])) == 0 for a in found[:2])
            and all(a["choice"] != "technique" for a in found)
            and not post.facts["down"]
            and not post.facts["fell"]
            and post.facts["before"]["chakra"] > 60
            and all(not a["attack"].dot and not a["attack"].inflicts for a in found)
        )

    post = pick(fight, rng, fits)
    if post is None or post.loss is None:
        return None
    for answer in answers(post)[:2]:
        if answer["choice"] == "skill" and answer["name"] == "Drunkard's Sway":
            post.loss["stamina"] += 3
        answer.update(choice="technique", name="Mud Curtain")
        post.loss["chakra"] -= 7
    return planted("shinobi/response-techniques", post.id) if not fight.chars[post.char].regen else None


def plant_response_order(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: len(answers(p)) == 2 and len({a["attack"].by.name for a in answers(p)}) == 2)
    if post is None:
        return None
    places = [i for i, p in enumerate(post.parts) if p.kind == "answer"]
    a, b = places
    post.parts[a], post.parts[b] = post.parts[b], post.parts[a]
    for answer in answers(post):
        answer["prefix"] = answer["attack"].by.name
    return planted("shinobi/response-order", post.id)


def plant_outcome(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: bool(answers(p, "dodge")))
    if post is None:
        return None
    answer = rng.choice(answers(post, "dodge"))
    index = rng.randrange(len(answer["rolls"]))
    attack, roll = answer["attack"], answer["rolls"][index]
    if attack.k_sure < roll <= attack.k_open:
        return None
    word = answer["words"][index]
    wrong = rng.choice([w for w in ("dodged", "blocked", "hit", "critical") if w != word])
    answer["words"] = [*answer["words"][:index], wrong, *answer["words"][index + 1 :]]
    answer["state"] = True
    return planted("shinobi/outcome", post.id, [word])


def plant_hit_chance(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: bool(answers(p, "dodge")))
    if post is None:
        return None
    answer = rng.choice(answers(post, "dodge"))
    shown = fight.chars[post.char].shown_secret
    if post.facts["down"] and shown:
        answer["chance"] = rng.choice([40, 60, 75])
        return planted("shinobi/hit-chance", post.id, [90])
    if not shown or post.facts["before"]["hp"] <= 0:
        return None
    if fight.formula:
        if post.facts["spar"] and post.facts["before"]["hp"] <= 0:
            return None
        right = answer["chance"]
        wrong = max(5, min(90, right + rng.choice([-10, 9, 15, -7])))
        if abs(wrong - right) < 5:
            return None
        answer["chance"] = wrong
        return planted("shinobi/hit-chance", post.id, None, [right - 1, right, right + 1])
    answer["chance"] = rng.choice([91, 95, 99])
    return planted("shinobi/hit-chance", post.id)


def plant_two_chances(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(
        fight,
        rng,
        lambda p: (
            len(answers(p)) == 1
            and answers(p)[0]["choice"] == "dodge"
            and len(answers(p)[0]["rolls"]) > 1
            and len(answers(p)[0]["links"]) > 1
            and not p.facts["down"]
        ),
    )
    if post is None or fight.formula:
        return None
    answer = answers(post)[0]
    from tests.support.shinobi_sim_text import Writer

    if not Writer(fight).habits[post.author].per_hit:
        return None
    other = max(5, answer["chance"] - 5)
    if other == answer["chance"] or answer["prefix"]:
        return None
    answer["chances"] = [answer["chance"]] * (len(answer["rolls"]) - 1) + [other]
    return planted("shinobi/hit-chance", post.id)


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
        fight, rng, lambda p: bool(parts(p, "guard")) and parts(p, "guard")[0].data["roll"] <= 15 and not answers(p)
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


# -- dice ------------------------------------------------------------------------------------------


def _rolled(fight: Fight, rng: random.Random, links: int = 1) -> tuple[SimPost, dict[str, Any]] | None:
    post = pick(fight, rng, lambda p: any(len(a["links"]) >= links for a in answers(p, "dodge")))
    if post is None:
        return None
    return post, rng.choice([a for a in answers(post, "dodge") if len(a["links"]) >= links])


def plant_values(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng)
    if found is None:
        return None
    post, answer = found
    index = rng.randrange(len(answer["rolls"]))
    true = answer["rolls"][index]
    wrong = min(100, max(1, true + rng.choice([-20, -3, 2, 5, 30])))
    if wrong == true:
        return None
    record = [fight.rolls[u] for u in answer["links"]]
    answer["rolls"] = [*answer["rolls"][:index], wrong, *answer["rolls"][index + 1 :]]
    if rng.random() < 0.5:
        answer["words"] = []
    else:
        answer["state"] = False
        answer["words"] = []
    every = [v for r in record for v in r["values"]]
    return planted("dice/values", post.id, None, every)


def plant_no_link(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng)
    if found is None:
        return None
    for link in found[1]["links"]:
        del fight.rolls[link]
    found[1]["links"] = []
    return planted("dice/no-link", found[0].id)


def plant_not_found(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng)
    if found is None:
        return None
    del fight.rolls[found[1]["links"][0]]
    return planted("dice/not-found", found[0].id) if fight.rolls else None


def plant_unreachable(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng)
    if found is None:
        return None
    fight.rolls[found[1]["links"][0]] = {"unreachable": True}
    return planted("dice/unreachable", found[0].id)


def plant_stranger(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng)
    if found is None:
        return None
    for link in found[1]["links"]:
        del fight.rolls[link]
    found[1]["links"] = [u.replace("dice.example", "dice.stranger.example") for u in found[1]["links"]]
    if not fight.rolls:
        return None
    return planted("dice/unknown-service", found[0].id)


def plant_expression(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng)
    if found is None or max(found[1]["rolls"]) > 20:
        return None
    for link in found[1]["links"]:
        record = fight.rolls[link]
        record["expression"] = record["expression"].replace("d100", "d20")
    return planted("dice/expression", found[0].id)


def plant_count(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng, 2)
    if found is None:
        return None
    post, answer = found
    due = len(answer["rolls"])
    answer["rolls"] = answer["rolls"][:-1]
    answer["words"] = answer["words"][:-1]
    del fight.rolls[answer["links"][-1]]
    answer["links"] = answer["links"][:-1]
    return planted("dice/count", post.id, [due])


def plant_reused(fight: Fight, rng: random.Random) -> Planted | None:
    post = pick(fight, rng, lambda p: any(len(a["links"]) == 1 == len(a["rolls"]) for a in answers(p, "dodge")))
    if post is None:
        return None
    answer = next(a for a in answers(post, "dodge") if len(a["links"]) == 1 == len(a["rolls"]))
    for later in turns(fight):
        if later.at <= post.at or later.char != post.char or later.facts["down"]:
            continue
        for other in answers(later, "dodge"):
            if len(other["rolls"]) == 1 and other["links"] and not other["attack"].dot and not other["attack"].inflicts:
                for link in other["links"]:
                    del fight.rolls[link]
                other.update(rolls=list(answer["rolls"]), links=list(answer["links"]), words=[])
                other["state"] = False
                return planted("dice/reused", later.id, None, None, ("shinobi/loss-hp",))
    return None


def plant_roller(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng)
    if found is None:
        return None
    post, answer = found
    other = next(c for c in fight.chars.values() if c.name != post.char)
    for link in answer["links"]:
        fight.rolls[link]["by"] = other.name
    return planted("dice/roller", post.id)


def plant_too_early(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng)
    if found is None:
        return None
    post, answer = found
    made = fight.post(answer["attack"].post).at
    fight.rolls[answer["links"][0]]["at"] = made - timedelta(minutes=rng.randrange(1, 50))
    return planted("dice/too-early", post.id)


def plant_too_late(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng)
    if found is None:
        return None
    post, answer = found
    fight.rolls[answer["links"][0]]["at"] = post.at + timedelta(minutes=rng.randrange(2, 50))
    return planted("dice/too-late", post.id)


def plant_fished(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng)
    if found is None:
        return None
    post, answer = found
    record = fight.rolls[answer["links"][0]]
    record["label"] = "dodge"
    made = fight.post(answer["attack"].post).at
    at = made + (post.at - made) / 2
    spare = {k: v for k, v in record.items() if k != "earlier"}
    spare.update(link="http://dice.example/r/99", at=at, values=[rng.randrange(1, 101) for _ in record["values"]])
    fight.siblings.append(spare)
    return planted("dice/fished", post.id)


def plant_altered(fight: Fight, rng: random.Random) -> Planted | None:
    found = _rolled(fight, rng)
    if found is None:
        return None
    post, answer = found
    record = fight.rolls[answer["links"][0]]
    old = {
        "seen": record["at"],
        "at": record["at"],
        "expression": record["expression"],
        "values": [v % 100 + 1 for v in record["values"]],
    }
    record["earlier"] = [old]
    return planted("dice/altered", post.id)


# -- posts -----------------------------------------------------------------------------------------


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
        import re

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


PLANTERS: dict[str, Planter] = {
    name.removeprefix("plant_"): value for name, value in list(globals().items()) if name.startswith("plant_")
}
PLANTERS["loss_chakra"] = _plant_loss("chakra")
PLANTERS["loss_stamina"] = _plant_loss("stamina")
#: Rules that are broken while the battle is played.
PLANS = ("out-of-turn", "acts-while-down", "main-skipped", "first-turn", "attack-limit", "cost-unaffordable")

__all__ = ["LIMITS", "MODIFIERS", "PLANS", "PLANTERS", "RANKS", "TECHNIQUES", "Char"]
