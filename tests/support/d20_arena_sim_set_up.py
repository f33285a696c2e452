"""The cast, tables and dice of a random battle of d20_arena."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.d20_arena_sim_cast import (
    ABILITIES,
    BEASTS,
    ENEMY_ABILITIES,
    HEROES,
    OWN_ESCAPE,
    PLAYER_ABILITIES,
    SIGNATURES,
    Habit,
    Hero,
    Post,
    Roll,
)


class SetUp:
    """A battle before its first post. `policy` lets a planter choose an illegal action at an opportunity."""

    def __init__(self, seed: int, policy: str | None = None) -> None:
        self.rng = random.Random(seed)
        self.policy, self.planted = policy, None
        self.rolls: dict[str, dict[str, Any]] = {}
        self.siblings: list[dict[str, Any]] = []
        self.next_link = self.rng.randint(100, 800)
        self.at = datetime(2026, 3, 1, 12, tzinfo=UTC) + timedelta(minutes=self.rng.randint(0, 90000))
        self.posts: list[Post] = []
        self.debts: list[tuple[Hero, Hero]] = []
        self.edit_claims = self.rng.random() < 0.3
        self._set_up()

    def _set_up(self) -> None:
        rng = self.rng
        self.bands = rng.random() < 0.5
        self.kinds = rng.random() < 0.5
        self.saves = rng.random() < 0.4
        self.traps = rng.random() < 0.35
        self.stops = rng.random() < 0.5
        self.reactions = rng.random() < 0.4
        self.bind_max = 8 if self.bands else 4
        self.capped = self.bands and rng.random() < 0.2
        if self.capped:
            self.bind_max = 5
        self.tables = self._tables()
        names = rng.sample(HEROES, rng.randint(1, 3))
        self.gm = rng.choice(("gm_harrow", "gm-odile", "gamemaster"))
        self.heroes = [self._hero(name) for name in names]
        beast = rng.choice(BEASTS)
        self.foes = [self._foe(f"{beast} {i + 1}") for i in range(rng.randint(1, 3))]
        self.habits = {a: self._habit(rng.random() < 0.25) for a in [*(h.player for h in self.heroes), self.gm]}

    def _tables(self) -> dict[str, Any]:
        rng = self.rng
        abilities = {name: dict(row) for name, row in ABILITIES.items()}
        for row in abilities.values():
            if not self.kinds:
                row.pop("kind", None)
            if self.saves and row["type"] == "bind" and rng.random() < 0.7:
                row["save"] = rng.choice((11, 13, 15))
        legs = {n: {"name": "bound", "defense": -min(n, 4)} for n in range(1, 9)}
        arms = {n: {"name": "bound", **({"help": -min(n - 1, 2)} if n > 1 else {})} for n in range(1, 9)}
        tables: dict[str, Any] = {"abilities": abilities, "bind_levels": {"legs": legs, "arms": arms}}
        if not self.bands:
            tables |= {"bind_max": 4, "escape": {k: dict(v) for k, v in OWN_ESCAPE.items()}}
        elif self.capped:
            tables["bind_max"] = self.bind_max
        if self.traps:
            tables["traps"] = {"moving": 7, "standing": 3, "damage": 3, **({"stops": True} if self.stops else {})}
        return tables

    def _kinds(self) -> dict[str, int]:
        found = {k: self.rng.randint(1, 4) for k in ("fire", "cold", "lightning") if self.rng.random() < 0.4}
        return found if self.kinds else {}

    def _hero(self, name: str) -> Hero:
        rng = self.rng
        hp = rng.randint(12, 45)
        skills = ["Focus", *rng.sample(PLAYER_ABILITIES, 5)]
        if self.reactions:
            skills.append(rng.choice(("Side Step", "Brace")))
        binds = {area: 0 for area in ("arms", "legs", "torso", "head")}
        if self.bands and rng.random() < 0.7:
            for area in rng.sample(sorted(binds), rng.randint(1, 2)):
                binds[area] = rng.randint(1, self.bind_max)
        account = name.split()[0].lower() + rng.choice(("", "7", "_x"))
        return Hero(name, account, "players", hp, hp, rng.randint(12, 15), 0, rng.choice((0, 0, 1, 2)), self._kinds(),
                    binds, skills, {k: v for k, v in binds.items() if v})  # fmt: skip

    def _foe(self, name: str) -> Hero:
        rng = self.rng
        hp = rng.randint(15, 30)
        skills = rng.sample(ENEMY_ABILITIES, rng.randint(2, 3))
        if not set(skills) & {"Slam", "Bolt"}:
            skills.append("Slam")
        if self.reactions and rng.random() < 0.4:
            skills.append("Side Step")
        binds = {area: 0 for area in ("arms", "legs", "torso", "head")}
        return Hero(name, self.gm, "enemies", hp, hp, rng.randint(11, 15), rng.randint(2, 8), rng.choice((0, 0, 1, 2)),
                    self._kinds(), binds, skills, {})  # fmt: skip

    def _habit(self, html: bool) -> Habit:
        rng = self.rng
        return Habit(
            bracket=rng.choice(("[]", "[]", "[]", "()", "{}")),
            case=rng.choice(("plain", "plain", "plain", "lower", "upper")),
            versus=rng.choice(("vs Defense", "vs DEF", "vs. Defense")),
            arrow=rng.choice(("->", "->", "=>", "\u2192")),
            compact=rng.random() < 0.5,
            links=rng.choice(("word", "bare", "around", "roll", "mixed")),
            loose=rng.random() < 0.3,
            arrow_levels=rng.random() < 0.5,
            hp_lines=rng.choice((0.5, 0.8, 1.0)),
            head_hp=rng.choice((0.2, 0.6)),
            signature=rng.choice((None, None, *SIGNATURES)),
            html=html,
            bullet=rng.choice(("", "", "", "- ", "* ", "\u2022 ")),
            bold=rng.random() < 0.15,
            by=rng.choice(("name", "account", "mixed")),
        )

    def roll(self, expr: str, label: str) -> Roll:
        count, sides = (int(n) for n in expr.split("d"))
        return Roll(expr, [self.rng.randint(1, sides) for _ in range(count)], label)

    def _post(self, author: str, who: Hero | None, number: int) -> Post:
        self.at += timedelta(seconds=self.rng.randint(4000, 30000))
        post = Post(f"p{len(self.posts) + 1}", author, self.at, who, round=number)
        self.posts.append(post)
        return post

    def _plants(self, what: str) -> bool:
        return self.policy == what and self.planted is None
