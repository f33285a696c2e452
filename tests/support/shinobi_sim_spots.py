"""Where a fault can be planted: helpers of the planters."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from typing import Any

from tests.support.shinobi_sim_data import Fight, Part, SimPost

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
