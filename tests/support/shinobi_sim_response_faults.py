"""Planters: Loss Tags, answers, outcomes, chances, guards."""

from __future__ import annotations

import random

from tests.support.shinobi_sim_data import Fight, Part, SimPost
from tests.support.shinobi_sim_spots import Planted, Planter, answers, hp_readings, parts, pick, planted


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
        if not fight.chars[post.char].shown_secret and (post.facts["fell"] or not parts(post, "attack")):
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


plant_loss_chakra = _plant_loss("chakra")
plant_loss_stamina = _plant_loss("stamina")
