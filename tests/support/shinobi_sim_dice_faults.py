"""Planters: everything that can be wrong with a roll."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

from tests.support.shinobi_sim_data import Fight, SimPost
from tests.support.shinobi_sim_spots import Planted, answers, pick, planted, turns


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
