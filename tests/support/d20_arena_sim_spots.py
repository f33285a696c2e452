"""Where in a made battle a fault may be planted."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.support.d20_arena_sim import Sim
from tests.support.d20_arena_sim_cast import Item, Post

Found = tuple[str, Any] | None
Planter = Callable[[Sim, random.Random], Found]


def items(sim: Sim, kind: str) -> list[tuple[Post, Item]]:
    return [(post, item) for post in sim.posts for item in post.items if item.kind == kind]


def strikes(sim: Sim) -> list[tuple[Post, dict[str, Any]]]:
    return [(post, item.data) for post, item in items(sim, "strike")]


def pick(rng: random.Random, rows: list[Any]) -> Any:
    return rng.choice(rows) if rows else None


def step(rng: random.Random) -> int:
    return rng.choice((-3, -2, -1, 1, 2, 3))
