"""Random honest shinobi battles, played by the rulebook with a program of its own (not the judge's code).

`play(seed)` gives a `Fight`: characters, tables, posts as structured parts, dice records. Writing
them down as text is `shinobi_sim_text`; spoiling them is `shinobi_sim_faults`.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from tests.support.shinobi_sim_acts import Acting
from tests.support.shinobi_sim_data import (
    FORMULA,
    ITEMS,
    MODIFIERS,
    NAMES,
    RANKS,
    SKILLS,
    STATS,
    STATUSES,
    TECHNIQUES,
    WEAPONS,
    Char,
    Fight,
    Part,
    SimPost,
)
from tests.support.shinobi_sim_posts import Polishing
from tests.support.shinobi_sim_response import Responding


class Play(Responding, Acting, Polishing):
    """One battle being played."""

    def __init__(self, seed: int, plan: str | None = None) -> None:
        self.rng = random.Random(seed)
        self.plan = plan
        self.planned: dict[str, Any] | None = None
        rng = self.rng
        number = rng.choice([2, 2, 2, 3, 4])
        policy = (
            rng.choice([None, "alternate", "ratio", "rounds", "speed", "free"])
            if number > 2
            else rng.choice([None, "alternate", "ratio", "ratio", "speed", "free"])
        )
        if number > 2 and policy == "ratio":
            policy = "alternate"
        self.rare = rng.random() < 0.6
        self.kind = rng.choice(["spar", "life_and_death", "practice"])
        self.style = rng.choice(["small", "big"])
        self.brutal = rng.random() < 0.3
        names = rng.sample(NAMES, number)
        sides = {2: "ab", 3: rng.choice(["aab", "abb"]), 4: "aabb"}[number]
        chars = {}
        for name, side in zip(names, sides, strict=True):
            chars[name] = self.char(name, side)
        self.formula = rng.random() < 0.5
        tables: dict[str, Any] = {"techniques": {}, "skills": {}, "weapons": WEAPONS, "modifiers": MODIFIERS}
        rare_names = {
            "Dazzle Bell",
            "Tendon Hook",
            "Red Taunt",
            "Shell Crack",
            "Mirror Haze",
            "Turtle Gate",
            "Iron Sleeves",
        }
        for name, row in TECHNIQUES.items():
            if name not in rare_names or self.rare:
                tables["techniques"][name] = row
        for name, row in SKILLS.items():
            if self.rare or name not in ("Killing Edge", "Red Thread"):
                tables["skills"][name] = row
        if self.rare:
            tables["statuses"] = STATUSES
            tables["items"] = ITEMS
        if self.formula:
            tables["hit_chance"] = FORMULA
        self.fight = Fight(seed, chars, self.kind, policy, tables, formula=self.formula, rare=self.rare)
        self.clock = datetime(2026, 3, 1, 9, tzinfo=UTC) + timedelta(minutes=rng.randrange(400000))
        self.number = 0
        self.last_at: datetime | None = None
        self.counts: dict[str, int] = {}
        self.spar = self.kind == "spar"
        self.previous: dict[str, datetime] = {}
        self.given_up: Char | None = None
        self.ended = False

    def char(self, name: str, side: str) -> Char:
        rng = self.rng
        top = 180 if self.style == "big" else 60
        stats = {stat: rng.randrange(8, top) for stat in STATS}
        stats["Concentration"] = rng.choice([20, 60, 90, 99, 130, 210, 340])
        stats["Speed"] = rng.randrange(60, 250)
        totals = {"hp": rng.randrange(30, 270), "chakra": rng.randrange(18, 140), "stamina": rng.randrange(25, 180)}
        if rng.random() < 0.3:
            pool = rng.choice(["hp", "chakra", "stamina"])
            totals[pool] = max(14, totals[pool] // 3)
        if self.brutal:
            totals["hp"] = max(20, totals["hp"] // 3)
        regen = {rng.choice(["chakra", "stamina", "hp"]): rng.randrange(1, 5)} if rng.random() < 0.3 else {}
        skills = rng.sample(["Killing Calm", "Turtle Stance"], rng.choice([0, 0, 1, 2]))
        player = name.split()[0].lower() + rng.choice(["", str(rng.randrange(10, 99))])
        made = Char(
            name,
            player,
            side,
            rng.choice(RANKS),
            stats,
            totals,
            skills,
            regen,
            rng.random() < 0.85,
            rng.random() < 0.85,
        )
        made.now = dict(totals)
        return made

    # -- order -----------------------------------------------------------------------------------

    def order(self) -> list[str]:
        chars = self.fight.chars
        return sorted(chars, key=lambda n: -chars[n].stats["Speed"])

    def sequence(self) -> Any:
        """Whose turn it is, by policy; the fallen are skipped or post."""
        order = self.order()
        chars = self.fight.chars
        policy = self.fight.policy or "alternate"
        if policy == "speed":

            def step(n):
                return ceil(100_000 / (chars[n].stat("Speed", self.rng) + 100))

            self.counts = {n: ceil(100_000 / (chars[n].stats["Speed"] + 100)) for n in order}
            while True:
                name = min(self.counts, key=lambda n: self.counts[n])
                before = self.counts[name]
                posted = yield name
                self.counts[name] = before + (
                    ceil(100_000 / (self.speed_after + 100))
                    if posted
                    else ceil(100_000 / (chars[name].stats["Speed"] + 100))
                )
        elif policy == "ratio" and len(order) == 2:
            times = max(1, chars[order[0]].stats["Speed"] // chars[order[1]].stats["Speed"])
            while True:
                for _ in range(times):
                    yield order[0]
                yield order[1]
        elif policy in ("rounds", "free"):
            first = list(order)
            while True:
                for name in first:
                    yield name
                first = self.rng.sample(order, len(order))
                if len(order) == 2:
                    first = list(order)
        else:
            while True:
                yield from order

    # -- posts -----------------------------------------------------------------------------------

    def breaks(self, plan: str, post: SimPost, chance: float = 0.5) -> bool:
        """Whether the planned rule is broken now."""
        if self.plan != plan or self.planned is not None or self.rng.random() > chance:
            return False
        self.planned = {"code": f"shinobi/{plan}", "post": post.id, "expected": None}
        return True

    def pause(self, low: int = 600, high: int = 36000) -> datetime:
        self.clock += timedelta(seconds=self.rng.randrange(low, high))
        return self.clock

    def down(self, c: Char) -> bool:
        return c.passed_out or (c.fallen and not self.spar)

    def new_post(self, c: Char) -> SimPost:
        self.number += 1
        post = SimPost(f"p{self.number}", c.player, c.name, self.pause())
        self.fight.posts.append(post)
        return post

    def roll(self, c: Char, dice: str, values: list[int], since: datetime, until: datetime, label: str) -> str:
        """A record for these dice; its link."""
        self.fight.link += self.rng.randrange(1, 8)
        link = f"http://dice.example/r/{self.fight.link}"
        span = max(2, int((until - since).total_seconds()) - 1)
        at = until - timedelta(seconds=self.rng.randrange(1, min(span, 1500)))
        record: dict[str, Any] = {
            "at": at,
            "by": self.rng.choice([c.name, c.name, c.player]),
            "expression": dice,
            "values": values,
        }
        if self.rng.random() < 0.8:
            record["label"] = label
        self.fight.rolls[link] = record
        return link

    def dice(self, c: Char, values: list[int], sides: int, since: datetime, until: datetime, label: str) -> list[str]:
        rng = self.rng
        if len(values) > 1 and rng.random() < 0.3:
            return [self.roll(c, f"{len(values)}d{sides}", values, since, until, label)]
        return [self.roll(c, f"1d{sides}", [v], since, until, label) for v in values]

    def foes(self, c: Char) -> list[Char]:
        return [o for o in self.fight.chars.values() if o.side != c.side and not o.forfeited]

    def run(self, length: int) -> Fight:
        turns = self.sequence()
        name = next(turns)
        while self.number < length:
            c = self.fight.chars[name]
            posted = True
            other = self.given_up
            if other is not None and other is not c and len(self.fight.chars) == 2:
                self.answer_forfeit(c, other)
                if self.ended:
                    break
            elif (
                c.forfeited
                or (self.down(c) and not c.open)
                or (self.down(c) and self.rng.random() < 0.3 and not c.open)
            ):
                posted = False
            else:
                self.turn(c)
            if posted and self.plan == "out-of-turn":
                self.again(c)
            if self.over():
                break
            name = turns.send(posted) if self.fight.policy == "speed" else next(turns)
        self.polish()
        return self.fight

    def again(self, c: Char) -> None:
        """The same fighter posts once more although somebody else is due."""
        others = [o for o in self.fight.chars.values() if o is not c]
        if self.planned is not None or self.rng.random() < 0.7 or self.fight.policy == "free" or self.number < 3:
            return
        if any(self.down(o) or o.now["hp"] <= 0 or not o.shown_secret for o in self.fight.chars.values()):
            return
        if self.fight.policy == "speed":
            mine = self.counts[c.name] + ceil(100_000 / (self.speed_after + 100)) + 3
            if min(self.counts[o.name] for o in others) >= mine - 6:
                return
        if self.fight.policy == "ratio":
            order = self.order()
            if (
                c.name == order[0]
                or max(1, self.fight.chars[order[0]].stats["Speed"] // self.fight.chars[order[1]].stats["Speed"]) < 1
            ) and (self.fight.posts[-2].char == self.fight.posts[-1].char or c.name == order[0]):
                return
        if self.fight.policy == "rounds" and min(o.turns for o in others) >= c.turns:
            return
        self.turn(c)
        self.planned = {"code": "post/out-of-turn", "post": self.fight.posts[-1].id, "expected": None}

    def answer_forfeit(self, c: Char, other: Char) -> None:
        """The opponent's next turn: it lets be, or attacks all the same (NS31)."""
        attacks = self.rng.random() < 0.4
        other.forfeited = not attacks
        self.turn(c)
        struck = "strike" in self.fight.posts[-1].facts
        other.forfeited = not struck
        self.given_up = None if struck else other
        self.ended = not struck

    def over(self) -> bool:
        if self.given_up is not None and len(self.fight.chars) == 2:
            return False
        sides = {c.side for c in self.fight.chars.values() if not (self.down(c) or c.forfeited)}
        if len(sides) > 1:
            return False
        left = [c for c in self.fight.chars.values() if self.down(c) and c.open]
        return not left or self.rng.random() < (0.2 if self.brutal else 0.5)

    # -- a turn ----------------------------------------------------------------------------------

    def turn(self, c: Char) -> None:
        """One turn: Response, Setup, Main, Loss Tag."""
        post = self.new_post(c)
        down = self.down(c)
        post.stats = c.turns == 0 or self.rng.random() < 0.1
        post.facts.update(down=down, before=dict(c.now), spar=self.spar, turns=c.turns)
        change = {"hp": 0, "chakra": 0, "stamina": 0}
        damage = self.respond(c, post, change, down)
        c.now["hp"] -= damage
        change["hp"] -= damage
        fell = post.facts["fell"] = c.now["hp"] <= 0
        upkeep = [] if fell else [r for r in c.running if r[1]]
        acting = self.after_response(c, post, down, fell)
        broken = not acting and not self.spar and bool(self.foes(c)) and c.shown_secret
        broken = broken and self.breaks("acts-while-down", post)
        started = self.setup(c, post, change) if acting or broken else []
        self.end_of_setup(c, post, change, upkeep, acting, resting=fell or down)
        self.main_phase(c, post, change, acting, fell, broken)
        post.loss = change
        self.speed_after = c.stat("Speed", self.rng)
        self.finish(c, post, started)

    def after_response(self, c: Char, post: SimPost, down: bool, fell: bool) -> bool:
        """Effects at the end of Response; whether the fighter has a Setup and a Main."""
        acting = not down and not (fell and not self.spar)
        if fell:
            c.end_effects()
            post.facts["new_status"] = []
            acting = acting and not (self.spar and self.rng.random() < 0.5)
        elif not down:
            for kind in post.facts["new_status"]:
                if all(s[0] != kind for s in c.status):
                    c.status.append([kind, STATUSES[kind]["turns"] + 1])
                    post.parts.append(Part("response", "status", {"name": kind, "turns": STATUSES[kind]["turns"]}))
        post.facts["acting"] = acting
        return acting

    def end_of_setup(
        self, c: Char, post: SimPost, change: dict[str, int], upkeep: list[list[Any]], acting: bool, resting: bool
    ) -> None:
        """Upkeep and regeneration."""
        for row in upkeep:
            for pool, amount in row[1].items():
                change[pool] -= amount
                c.now[pool] -= amount
            if acting and self.rng.random() < 0.7 and row[0]:
                post.parts.append(Part("setup", "reminder", {"name": row[0], "upkeep": row[1]}))
        if c.turns == 0 or resting:
            return
        for pool, amount in c.regen.items():
            if c.now[pool] > 0:
                gain = max(0, min(amount, c.totals[pool] - c.now[pool]))
                c.now[pool] += gain
                change[pool] += gain

    def main_phase(
        self, c: Char, post: SimPost, change: dict[str, int], acting: bool, fell: bool, broken: bool
    ) -> None:
        """The Main Phase, honest or against a rule."""
        if self.quiet(c, post, acting, fell):
            return
        if broken:
            before = len(post.parts)
            post.skip_mark = False
            self.force_attack(c, post, change)
            if len(post.parts) == before and not any(p.phase == "setup" and p.kind != "reminder" for p in post.parts):
                self.planned = None
            return
        able = acting and c.now["stamina"] > 40 and bool(self.foes(c)) and c.turns > 0
        if post.skip_mark and able and self.breaks("main-skipped", post):
            post.skip_mark = False
            self.force_attack(c, post, change)
        elif acting and not post.skip_mark and c.now["chakra"] > 0 and c.now["stamina"] > 0:
            self.main(c, post, change)

    def quiet(self, c: Char, post: SimPost, acting: bool, fell: bool) -> bool:
        """Whether the Main Phase is left out for a forfeit; here a spar may turn deadly too."""
        rng = self.rng
        if not acting or not self.rare or self.plan or c.turns < 2:
            return False
        hurt = any(o.now["hp"] <= 0 for o in self.fight.chars.values())
        if self.spar and not hurt and not fell and rng.random() < 0.04:
            post.parts.append(Part("main", "deadly", {}))
            self.spar = False
        two = len(self.fight.chars) == 2
        if rng.random() < (0.02 if two else 0.01) and not c.fallen:
            post.parts.append(Part("main", "forfeit", {}))
            c.forfeited = True
            self.given_up = c
            return True
        return False

    def finish(self, c: Char, post: SimPost, started: list[list[Any]]) -> None:
        if c.now["chakra"] <= 0 or c.now["stamina"] <= 0:
            c.passed_out = True
        over = c.passed_out or c.fallen
        c.ticks = [[n, left - 1] for n, left in c.ticks if left > 1]
        if over:
            c.end_effects()
        else:
            for name in post.facts["new_ticks"]:
                if all(n != name for n, _ in c.ticks):
                    c.ticks.append([name, TECHNIQUES[name]["dot"]["turns"]])
            c.status = [[k, left - 1] for k, left in c.status if left > 1]
            c.running = [
                [n, u, b, left if left is None else left - 1] for n, u, b, left in c.running if left is None or left > 1
            ]
            c.running += started
        c.turns += 1
        self.previous[c.name] = post.at

    def block_range(self, c: Char) -> int:
        base = max(5, 8 if "Turtle Stance" in c.skills else 5)
        return max([base, *[r[2] for r in c.running]])


def play(seed: int, length: int | None = None, plan: str | None = None) -> Fight:
    """A random honest battle; with a `plan`, one rule is broken once in it (`Fight.planned`)."""
    game = Play(seed, plan)
    fight = game.run(length or game.rng.randrange(6, 36))
    fight.planned = game.planned
    return fight
