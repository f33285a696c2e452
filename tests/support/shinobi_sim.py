"""Random honest shinobi battles, played by the rulebook with a program of its own (not the judge's code).

`play(seed)` gives a `Fight`: characters, tables, posts as structured parts, dice records. Writing
them down as text is `shinobi_sim_text`; spoiling them is `shinobi_sim_faults`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from math import ceil, floor
from typing import Any

NAMES = "Ren Aoki,Yuna Nomura,Kaito Mori,Jiro Saeki,Mei Sato,Emi Fujii,Goro Hara,Rika Kuroda,Sora Ishii,Toru Tanaka,Aya Hoshino".split(
    ","
)
STATS = "Taijutsu Ninjutsu Genjutsu Defense Concentration Speed Accuracy Dexterity Evasion".split()
RANKS = ["Gennin", "Chuunin", "Jounin", "Sennin"]
LIMITS = {"basic": [2, 3, 4, 5], "small": [2, 4, 6, 8], "medium": [1, 2, 3, 4], "large": [1, 1, 2, 2]}
TECHNIQUES: dict[str, dict[str, Any]] = {
    "Ember Volley": {"phase": "main", "kind": "ninjutsu", "hits": 4, "damage": 12, "cost": {"chakra": 12}},
    "Viper Spit": {
        "phase": "main",
        "kind": "ninjutsu",
        "hits": 1,
        "damage": 9,
        "cost": {"chakra": 8},
        "dot": {"hp": 3, "turns": 3},
    },
    "Hollow Wail": {"phase": "main", "kind": "ninjutsu", "hits": 1, "damage": 14, "cost": {"chakra": 9}, "ghost": True},
    "Gate of Ash": {
        "phase": "main",
        "kind": "ninjutsu",
        "hits": 1,
        "damage": 40,
        "cost": {"chakra": 7},
        "self_damage": {"hp": 6},
    },
    "Falling Crane": {"phase": "main", "kind": "taijutsu", "hits": 3, "damage": 10, "cost": {"stamina": 14}},
    "Twin Gale": {"phase": "main", "kind": "ninjutsu", "hits": 2, "damage": 15, "cost": {"chakra": 9}},
    "Nightmare Lantern": {"phase": "main", "kind": "genjutsu", "hits": 1, "damage": 22, "cost": {"chakra": 12}},
    "Dazzle Bell": {
        "phase": "main",
        "kind": "ninjutsu",
        "hits": 1,
        "damage": 9,
        "cost": {"chakra": 8},
        "inflicts": "Fazed",
    },
    "Tendon Hook": {
        "phase": "main",
        "kind": "taijutsu",
        "hits": 2,
        "damage": 7,
        "cost": {"stamina": 9},
        "inflicts": "Hamstrung",
    },
    "Red Taunt": {
        "phase": "main",
        "kind": "ninjutsu",
        "hits": 1,
        "damage": 0,
        "cost": {"chakra": 6},
        "inflicts": "Enraged",
    },
    "Shell Crack": {
        "phase": "main",
        "kind": "taijutsu",
        "hits": 1,
        "damage": 8,
        "cost": {"stamina": 7},
        "inflicts": "Cracked",
    },
    "Mirror Haze": {
        "phase": "main",
        "kind": "ninjutsu",
        "hits": 1,
        "damage": 6,
        "cost": {"chakra": 6},
        "inflicts": "Distracted",
    },
    "Warm Palm": {"phase": "main", "cost": {"chakra": 8}, "heal": {"hp": 12}},
    "Smoke Veil": {"phase": "main", "cost": {"chakra": 5}},
    "Kawarimi no Jutsu": {
        "aliases": ["Body Substitute Technique"],
        "phase": "response",
        "cost": {"chakra": 10},
        "negates": 1,
        "skips_main": True,
    },
    "Mud Curtain": {"phase": "response", "cost": {"chakra": 7}, "negates": 1},
    "Glass Eye": {"phase": "setup", "bloodline": True, "cost": {"chakra": 3}, "upkeep": {"chakra": 4}},
    "Iron Blood": {"phase": "setup", "bloodline": True, "cost": {"stamina": 4}, "upkeep": {"stamina": 3}},
    "Turtle Gate": {
        "phase": "setup",
        "bloodline": True,
        "cost": {"stamina": 4},
        "upkeep": {"stamina": 3},
        "block_range": 10,
    },
    "Iron Sleeves": {"phase": "setup", "cost": {"chakra": 5}, "block_range": 12, "turns": 2},
}
SKILLS: dict[str, dict[str, Any]] = {
    "Knowing the Elements": {"phase": "response", "negates": 1},
    "Drunkard's Sway": {"phase": "response", "negates": 1, "cost": {"stamina": 3}},
    "Killing Calm": {"passive": True, "critical_range": 2},
    "Turtle Stance": {"passive": True, "block_range": 8},
    "Killing Edge": {"phase": "main", "critical_range": 35, "cost": {"stamina": 6}},
    "Red Thread": {"phase": "main", "critical_range": 45, "cost": {"chakra": 5}},
}
WEAPONS = {
    "kunai": {"size": "small", "damage": 8},
    "shuriken": {"size": "small", "damage": 6},
    "needle": {"size": "small", "damage": 4},
    "katana": {"size": "medium", "damage": 14},
    "sai": {"size": "medium", "damage": 11},
    "windmill shuriken": {"size": "large", "damage": 24},
    "iron club": {"size": "large", "damage": 28},
}
MODIFIERS = {
    "ninjutsu": {"offense": "Ninjutsu", "defense": "Defense"},
    "weapon": {"offense": "Accuracy", "defense": "Dexterity"},
    "taijutsu": {"offense": "Taijutsu", "defense": "Defense"},
    "genjutsu": {"offense": "Genjutsu", "defense": "Concentration"},
}
STATUSES = {
    "Fazed": {"turns": 2, "hit_chance": -10},
    "Hamstrung": {"turns": 3, "stats": {"Speed": 0.75}},
    "Enraged": {"turns": 2, "stats": {"Evasion": 0.9}, "damage": {"taijutsu": 1.1}},
    "Cracked": {"turns": 2, "stats": {"Defense": 0.8}},
    "Distracted": {"turns": 2, "stats": {"Evasion": 0.75}},
}
ITEMS = {
    "Field Bandage": {"heal": {"hp": 10}},
    "Soldier Pill": {"heal": {"chakra": 12}},
    "Salt Tea": {"heal": {"stamina": 9}},
}
FORMULA = {"base": 50, "attacker": "Accuracy", "target": "Evasion", "divisor": 4, "min": 5}


@dataclass
class Char:
    """A fighter as it truly stands."""

    name: str
    player: str
    side: str
    rank: str
    stats: dict[str, int]
    totals: dict[str, int]
    skills: list[str]
    regen: dict[str, int]
    shown_secret: bool
    shown_stats: bool
    now: dict[str, int] = field(default_factory=dict)
    turns: int = 0
    running: list[list[Any]] = field(default_factory=list)
    ticks: list[list[Any]] = field(default_factory=list)
    status: list[list[Any]] = field(default_factory=list)
    open: list[Strike] = field(default_factory=list)
    passed_out: bool = False
    forfeited: bool = False

    @property
    def fallen(self) -> bool:
        return self.now["hp"] <= 0

    def stat(self, name: str, rng: random.Random) -> int:
        value = self.stats[name]
        for kind, left in self.status:
            factor = STATUSES[kind].get("stats", {}).get(name)
            if factor is not None and left > 0:
                exact = value * Fraction(str(factor))
                value = rng.choice([floor(exact), ceil(exact)])
        return value

    def end_effects(self) -> None:
        self.running.clear()
        self.ticks.clear()
        self.status.clear()


@dataclass
class Strike:
    """An attack as it was made."""

    post: str
    by: Char
    kind: str
    name: str
    hits: list[int]
    k_sure: int
    k_open: int
    ghost: bool = False
    dot: bool = False
    inflicts: str | None = None
    faze: int = 0
    accuracy: int = 0


@dataclass
class Part:
    """One thing a post says. `kind` names the form; `data` its numbers."""

    phase: str
    kind: str
    data: dict[str, Any]


@dataclass
class SimPost:
    """A post before it is written down."""

    id: str
    author: str
    char: str
    at: datetime
    parts: list[Part] = field(default_factory=list)
    loss: dict[str, int] | None = None
    stats: bool = False
    skip_mark: bool = False
    chatter: str | None = None
    edited: datetime | None = None
    revisions: list[tuple[datetime, SimPost | None]] = field(default_factory=list)
    deleted: datetime | None = None
    loss_incomplete: str | None = None
    marks_order: list[str] | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    stat_change: dict[str, int] = field(default_factory=dict)
    raw_extra: list[str] = field(default_factory=list)


@dataclass
class Fight:
    """A whole battle."""

    seed: int
    chars: dict[str, Char]
    kind: str
    policy: str | None
    tables: dict[str, Any]
    posts: list[SimPost] = field(default_factory=list)
    rolls: dict[str, dict[str, Any]] = field(default_factory=dict)
    siblings: list[dict[str, Any]] = field(default_factory=list)
    rulings: list[dict[str, Any]] = field(default_factory=list)
    formula: bool = False
    rare: bool = False
    link: int = 100
    planned: dict[str, Any] | None = None
    inline: bool = True

    def post(self, pid: str) -> SimPost:
        return next(p for p in self.posts if p.id == pid)


class Play:
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
        self.clock = datetime(2026, 3, 1, 9, tzinfo=timezone.utc) + timedelta(minutes=rng.randrange(400000))
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
            step = lambda n: ceil(100_000 / (chars[n].stat("Speed", self.rng) + 100))
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
            ):
                if self.fight.posts[-2].char == self.fight.posts[-1].char or c.name == order[0]:
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
        rng = self.rng
        post = self.new_post(c)
        post.stats = c.turns == 0 or rng.random() < 0.1
        down = self.down(c)
        post.facts.update(down=down, before=dict(c.now), spar=self.spar, turns=c.turns)
        hp, change = c.now["hp"], {"hp": 0, "chakra": 0, "stamina": 0}
        spent_hp = self.respond(c, post, change, down)
        hp -= spent_hp
        c.now["hp"] = hp
        change["hp"] -= spent_hp
        upkeep = [r for r in c.running if r[1]]
        fell = hp <= 0
        post.facts["fell"] = fell
        acting = not down and not (fell and not self.spar)
        if fell:
            upkeep = []
            c.end_effects()
            post.facts["new_status"] = []
            if self.spar and rng.random() < 0.5:
                acting = False
        elif not down:
            for kind in post.facts["new_status"]:
                if all(s[0] != kind for s in c.status):
                    c.status.append([kind, STATUSES[kind]["turns"] + 1])
                    post.parts.append(Part("response", "status", {"name": kind, "turns": STATUSES[kind]["turns"]}))
        post.facts["acting"] = acting
        broken = False
        if (
            not acting
            and not self.spar
            and (down or fell)
            and self.foes(c)
            and c.shown_secret
            and self.breaks("acts-while-down", post)
        ):
            acting = broken = True
        started: list[list[Any]] = []
        if acting:
            started = self.setup(c, post, change)
        for row in upkeep:
            for pool, amount in row[1].items():
                change[pool] -= amount
                c.now[pool] -= amount
            if acting and rng.random() < 0.7 and row[0]:
                post.parts.append(Part("setup", "reminder", {"name": row[0], "upkeep": row[1]}))
        if c.turns >= 1 and not fell and not down:
            for pool, amount in c.regen.items():
                if c.now[pool] <= 0:
                    continue
                gain = max(0, min(amount, c.totals[pool] - c.now[pool]))
                c.now[pool] += gain
                change[pool] += gain
        if self.quiet(c, post, acting, fell):
            pass
        elif broken:
            before = len(post.parts)
            post.skip_mark = False
            self.force_attack(c, post, change)
            if len(post.parts) == before and not any(p.phase == "setup" and p.kind != "reminder" for p in post.parts):
                self.planned = None
        elif (
            acting
            and post.skip_mark
            and c.now["stamina"] > 40
            and self.foes(c)
            and c.turns
            and self.breaks("main-skipped", post)
        ):
            post.skip_mark = False
            self.force_attack(c, post, change)
        elif acting and not post.skip_mark and c.now["chakra"] > 0 and c.now["stamina"] > 0:
            self.main(c, post, change)
        post.loss = change
        self.speed_after = c.stat("Speed", rng)
        self.finish(c, post, started)

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

    # -- response --------------------------------------------------------------------------------

    def respond(self, c: Char, post: SimPost, change: dict[str, int], down: bool) -> int:
        rng = self.rng
        post.facts["new_ticks"] = []
        post.facts["new_status"] = []
        post.facts["answers"] = []
        total = 0
        attacks, c.open = c.open, []
        one_attacker = len({a.by.name for a in attacks}) == 1
        plain = bool(attacks) and rng.random() < 0.1 and all(sum(a.hits) > 0 for a in attacks) and not down
        used_technique = False
        named = rng.random() < 0.5
        for attack in attacks:
            prefix = attack.by.name if len(attacks) > 1 and not one_attacker and named else None
            choices = ["dodge"] * 5 + ["take"]
            if not down:
                if not used_technique and c.now["chakra"] > 18:
                    choices += ["technique"]
                choices += ["skill"]
            choice = "plain" if plain else rng.choice(choices)
            answer: dict[str, Any] = {"attack": attack, "prefix": prefix, "choice": choice}
            if choice == "dodge":
                total += self.dodge(c, post, attack, answer, down)
            elif choice in ("take", "plain"):
                total += sum(attack.hits)
                self.effects(post, attack)
                answer["damage"] = [sum(attack.hits)]
            elif choice == "technique":
                used_technique = True
                name = rng.choice(["Kawarimi no Jutsu", "Mud Curtain"])
                cost = TECHNIQUES[name]["cost"]["chakra"]
                change["chakra"] -= cost
                c.now["chakra"] -= cost
                answer["name"] = name
                post.skip_mark = post.skip_mark or name == "Kawarimi no Jutsu"
            else:
                name = rng.choice(["Knowing the Elements", "Drunkard's Sway"])
                if c.now["stamina"] <= 3:
                    name = "Knowing the Elements"
                if name == "Drunkard's Sway":
                    change["stamina"] -= 3
                    c.now["stamina"] -= 3
                answer["name"] = name
            post.facts["answers"].append(answer)
            if choice != "plain":
                post.parts.append(Part("response", "answer", answer))
        if not down:
            total += self.guard(c, post)
        for name, _ in c.ticks:
            total += 3
            if rng.random() < 0.7:
                post.parts.append(Part("response", "dot", {"name": name}))
        post.facts["response_damage"] = total
        return total

    def effects(self, post: SimPost, attack: Strike) -> None:
        c = self.fight.chars[post.char]
        if attack.dot and attack.name not in post.facts["new_ticks"]:
            running = [left for n, left in c.ticks if n == attack.name]
            if not running or (running[0] == 1 and self.rng.random() < 0.5):
                post.facts["new_ticks"].append(attack.name)
        if attack.inflicts and attack.inflicts not in post.facts["new_status"]:
            post.facts["new_status"].append(attack.inflicts)

    def chance(self, c: Char, attack: Strike, down: bool, post: SimPost) -> int:
        rng = self.rng
        if down:
            return 90
        if not self.formula:
            if c.fallen and rng.random() < 0.5:
                return 90
            return rng.choice([5, 10, 20, 25, 35, 50, 60, 74, 75, 80, 90, rng.randrange(5, 91)])
        if c.fallen and rng.random() < 0.5:
            return 90
        raw = Fraction(attack.accuracy - c.stat("Evasion", rng), 4)
        value = 50 + rng.choice([floor(raw), ceil(raw)]) + attack.faze + self.ruled(c, post)
        return min(90, max(5, value))

    def ruled(self, c: Char, post: SimPost) -> int:
        """A staff ruling on the chance to hit of this post, now and then (G6)."""
        if "ruling" not in post.facts:
            post.facts["ruling"] = self.rng.choice([-10, 5, 10]) if self.rng.random() < 0.04 else 0
            if post.facts["ruling"]:
                effect = {"hit_chance": post.facts["ruling"]}
                self.fight.rulings.append(
                    {"post": post.id, "character": c.name, "effect": effect, "by": "staff", "reason": "fog"}
                )
        return int(post.facts["ruling"])

    def dodge(self, c: Char, post: SimPost, attack: Strike, answer: dict[str, Any], down: bool) -> int:
        rng = self.rng
        chance = self.chance(c, attack, down, post)
        block = self.block_range(c)
        near = [
            chance,
            chance + 1,
            chance - 1,
            chance - block,
            chance - block + 1,
            1,
            2,
            attack.k_sure,
            attack.k_sure + 1,
        ]
        rolls = [
            min(100, max(1, rng.choice(near) if rng.random() < 0.35 else rng.randrange(1, 101))) for _ in attack.hits
        ]
        words, damage = [], []
        for roll, hit in zip(rolls, attack.hits, strict=True):
            word = self.word(attack, roll, chance, block)
            words.append(word)
            exact = Fraction(3 * hit, 2)
            amount = {
                "dodged": 0,
                "blocked": hit // 2,
                "hit": hit,
                "critical": rng.choice([floor(exact), ceil(exact)]),
            }[word]
            damage.append(amount)
        if any(word in ("hit", "critical") for word in words):
            self.effects(post, attack)
        made = next(p.at for p in self.fight.posts if p.id == attack.post)
        links = self.dice(c, rolls, 100, made, post.at, "dodge")
        answer.update(chance=chance, rolls=rolls, words=words, links=links, damage=damage, block=block)
        return sum(damage)

    def word(self, attack: Strike, roll: int, chance: int, block: int) -> str:
        plain = "dodged" if roll > chance else "blocked" if roll > chance - block else "hit"
        if plain == "blocked" and attack.ghost:
            plain = "hit"
        if roll <= attack.k_sure:
            return "critical"
        if roll <= attack.k_open and self.rng.random() < 0.5:
            return "critical"
        return plain

    def guard(self, c: Char, post: SimPost) -> int:
        rng = self.rng
        for mate in self.fight.chars.values():
            if mate is c or mate.side != c.side or not mate.open or rng.random() < 0.4:
                continue
            attack = rng.choice(mate.open)
            several = len(mate.open) > 1
            if several:
                attack = next(a for a in mate.open if a.by is attack.by)
            roll = rng.randrange(1, 21)
            made = next(p.at for p in self.fight.posts if p.id == attack.post)
            links = self.dice(c, [roll], 20, made, post.at, "guard")
            data = {
                "mate": mate.name,
                "foe": attack.by.name if several or rng.random() < 0.1 else None,
                "roll": roll,
                "links": links,
                "attack": attack,
            }
            post.parts.append(Part("response", "guard", data))
            if roll <= 15:
                mate.open.remove(attack)
                self.effects(post, attack)
                return sum(attack.hits)
            return 0
        return 0

    # -- setup -----------------------------------------------------------------------------------

    def setup(self, c: Char, post: SimPost, change: dict[str, int]) -> list[list[Any]]:
        rng = self.rng
        kind = rng.choice(["none", "none", "item", "scroll", "eye", "blood", "gate", "sleeves"])
        if kind == "item":
            verb = rng.choice(["draws", "pulls out", "picks up", "puts away", "drops"])
            post.parts.append(
                Part(
                    "setup",
                    "setup",
                    {"text": f"{verb} the {rng.choice(['iron club', 'windmill shuriken', 'fallen banner pole'])}"},
                )
            )
        elif kind == "scroll":
            post.parts.append(Part("setup", "setup", {"text": "inscribes a scroll"}))
        elif kind in ("eye", "blood", "gate"):
            name = {"eye": "Glass Eye", "blood": "Iron Blood", "gate": "Turtle Gate"}[kind]
            row = TECHNIQUES[name]
            if (kind == "gate" and not self.rare) or any(r[0] == name for r in c.running):
                return []
            ((pool, cost),) = row["cost"].items()
            if c.now[pool] <= cost + 5:
                return []
            c.now[pool] -= cost
            change[pool] -= cost
            post.parts.append(Part("setup", "activate", {"name": name, "upkeep": row["upkeep"]}))
            return [] if c.fallen else [[name, row["upkeep"], row.get("block_range", 0), None]]
        elif kind == "sleeves" and self.rare and c.now["chakra"] > 10 and not any(r[0] is None for r in c.running):
            c.now["chakra"] -= 5
            change["chakra"] -= 5
            post.parts.append(Part("setup", "technique", {"name": "Iron Sleeves", "cost": {"chakra": 5}}))
            return [] if c.fallen else [[None, None, 12, 2 + 0]]
        return []

    # -- main ------------------------------------------------------------------------------------

    def force_attack(self, c: Char, post: SimPost, change: dict[str, int]) -> None:
        foes = self.foes(c)
        self.attack(c, post, change, "weapon", self.rng.choice(foes), len(foes) > 1)

    def may_attack(self, c: Char) -> bool:
        return c.turns > 0 or any(foe.turns >= 2 for foe in self.foes(c))

    def main(self, c: Char, post: SimPost, change: dict[str, int]) -> None:
        rng = self.rng
        foes = self.foes(c)
        if c.turns == 0 and not self.may_attack(c) and not c.open and foes and self.breaks("first-turn", post):
            self.force_attack(c, post, change)
            return
        kinds = ["none", "heal", "smoke", "item"]
        if self.may_attack(c) and foes:
            kinds += ["basic", "weapon", "technique"] * 4
        kind = rng.choice(kinds)
        if kind in ("heal", "smoke") and c.now["chakra"] > 9:
            name = "Warm Palm" if kind == "heal" else "Smoke Veil"
            if kind == "heal" and c.fallen:
                return
            cost = TECHNIQUES[name]["cost"]["chakra"]
            c.now["chakra"] -= cost
            change["chakra"] -= cost
            heal = 0
            if kind == "heal":
                heal = max(0, min(12, c.totals["hp"] - c.now["hp"]))
                c.now["hp"] += heal
                change["hp"] += heal
            post.parts.append(
                Part(
                    "main",
                    "technique",
                    {"name": name, "cost": {"chakra": cost}, "heal": 12 if kind == "heal" else None},
                )
            )
        elif kind == "item" and self.rare and not c.fallen:
            name = rng.choice(list(ITEMS))
            ((pool, amount),) = ITEMS[name]["heal"].items()
            gain = max(0, min(amount, c.totals[pool] - c.now[pool]))
            c.now[pool] += gain
            change[pool] += gain
            post.parts.append(Part("main", "item", {"name": name, "pool": pool, "amount": amount}))
        elif kind in ("basic", "weapon", "technique"):
            self.attack(c, post, change, kind, rng.choice(foes), len(foes) > 1)

    def attack(self, c: Char, post: SimPost, change: dict[str, int], kind: str, target: Char, several: bool) -> None:
        rng = self.rng
        rank = RANKS.index(c.rank)
        active = []
        if kind != "weapon" and self.rare and rng.random() < 0.25:
            for name, pool, cost in (("Killing Edge", "stamina", 6), ("Red Thread", "chakra", 5)):
                if rng.random() < 0.6 and c.now[pool] > cost + 22:
                    active.append(name)
                    c.now[pool] -= cost
                    change[pool] -= cost
                    post.parts.append(Part("main", "beside", {"name": name, "cost": {pool: cost}}))
        data: dict[str, Any] = {"target": target.name, "several": several, "kind": kind}
        if kind == "basic":
            made = self.basic(c, change, data, rank, post)
        elif kind == "weapon":
            made = self.weapon(c, target, data, rank, post)
        else:
            made = self.technique(c, target, change, data, post)
        if made is None:
            return
        post.parts.append(Part("main", "attack", data))
        passive = 2 if "Killing Calm" in c.skills else 0
        conc = c.stat("Concentration", rng) // 100
        boost = sum(SKILLS[name]["critical_range"] for name in active)
        taijutsu = kind == "basic" or (kind == "technique" and TECHNIQUES[data["name"]]["kind"] == "taijutsu")
        sure = 1 + passive + (conc if taijutsu else 0) + boost
        sure = min(75, sure) if active else sure
        row = TECHNIQUES.get(data.get("name", ""), {})
        strike = Strike(post.id, c, kind, data.get("name", ""), made, sure, sure + (conc if kind == "weapon" else 0))
        strike.ghost = bool(row.get("ghost"))
        strike.dot = "dot" in row
        strike.inflicts = row.get("inflicts")
        strike.faze = -10 if any(k == "Fazed" for k, _ in c.status) else 0
        strike.accuracy = c.stat("Accuracy", rng)
        post.facts["strike"] = strike
        target.open.append(strike)

    def enraged(self, c: Char, amount: int) -> int:
        if not any(k == "Enraged" for k, _ in c.status):
            return amount
        exact = Fraction(11 * amount, 10)
        return self.rng.choice([floor(exact), ceil(exact)])

    def basic(
        self, c: Char, change: dict[str, int], data: dict[str, Any], rank: int, post: SimPost
    ) -> list[int] | None:
        rng = self.rng
        most = LIMITS["basic"][rank]
        hits = rng.randrange(1, most + 1)
        if c.now["stamina"] > 50 and self.breaks("attack-limit", post):
            hits = most + rng.randrange(1, 3)
            self.planned["expected"] = [most]  # type: ignore[index]
        bonus = 5 * (c.stat("Taijutsu", rng) // 30)
        share = ceil(Fraction(bonus, hits))
        base = 5 if rng.random() < 0.7 else 5 + rng.randrange(1, 4)
        cost = base * hits
        if c.now["stamina"] <= cost + 5:
            return None
        c.now["stamina"] -= cost
        change["stamina"] -= cost
        words = rng.sample(["punch", "kick", "knee", "elbow"], 2)
        split = rng.randrange(1, hits) if hits > 1 and base == 5 and rng.random() < 0.3 else hits
        amount = self.enraged(c, base + share)
        plain = any(k == "Enraged" for k, _ in c.status)
        if plain and base != 5:
            base_was = base
            c.now["stamina"] += (base_was - 5) * hits
            change["stamina"] += (base_was - 5) * hits
            base = 5
            amount = self.enraged(c, base + share)
        data.update(base=base, share=share, amount=amount, hits=hits, what=words[0], plain=plain)
        if split != hits:
            data.update(list=[(words[0], split), (words[1], hits - split)])
        return [amount] * hits

    def share(self, ours: int, theirs: int, hits: int) -> int:
        net = Fraction(ours - theirs, 4)
        return ceil(Fraction(self.rng.choice([net, floor(net), ceil(net)])) / hits)

    def weapon(self, c: Char, target: Char, data: dict[str, Any], rank: int, post: SimPost) -> list[int]:
        rng = self.rng
        name = rng.choice(list(WEAPONS))
        row = WEAPONS[name]
        hits = rng.randrange(1, LIMITS[str(row["size"])][rank] + 1)
        if self.plan == "attack-limit" and c.turns and self.breaks("attack-limit", post):
            hits = LIMITS[str(row["size"])][rank] + rng.randrange(1, 3)
            self.planned["expected"] = [LIMITS[str(row["size"])][rank]]  # type: ignore[index]
        ours, theirs = c.stat("Accuracy", rng), target.stat("Dexterity", rng)
        share = self.share(ours, theirs, hits)
        amount = max(0, int(row["damage"]) + share)
        data.update(base=row["damage"], share=share, amount=amount, hits=hits, what=name, name=name, size=row["size"])
        if hits == 1 and rng.random() < 0.5:
            plus = rng.choice([floor, ceil])(Fraction(ours, 4))
            minus = rng.choice([floor, ceil])(Fraction(theirs, 4))
            data.update(long=(plus, minus), amount=max(0, int(row["damage"]) + plus - minus))
        return [data["amount"]] * hits

    def technique(
        self, c: Char, target: Char, change: dict[str, int], data: dict[str, Any], post: SimPost
    ) -> list[int] | None:
        rng = self.rng
        names = [n for n, row in self.fight.tables["techniques"].items() if "hits" in row]
        name = rng.choice(names)
        row = TECHNIQUES[name]
        ((pool, cost),) = row["cost"].items()
        if (
            c.now[pool] < cost
            and not self.down(c)
            and c.shown_secret
            and pool == "chakra"
            and self.breaks("cost-unaffordable", post, 0.9)
        ):
            c.passed_out = True
            cost = rng.choice([cost, max(0, c.now[pool]), 0])
        elif c.now[pool] <= cost or (c.now[pool] - cost <= 0 and rng.random() < 0.8):
            return None
        c.now[pool] -= cost
        change[pool] -= cost
        if "self_damage" in row:
            c.now["hp"] -= row["self_damage"]["hp"]
            change["hp"] -= row["self_damage"]["hp"]
        pair = MODIFIERS[row["kind"]]
        share = self.share(c.stat(pair["offense"], rng), target.stat(pair["defense"], rng), row["hits"])
        amount = max(0, row["damage"] + share)
        plain = row["kind"] == "taijutsu" and any(k == "Enraged" for k, _ in c.status)
        if row["kind"] == "taijutsu":
            amount = self.enraged(c, amount)
        data.update(
            name=name,
            base=row["damage"],
            share=share,
            amount=amount,
            hits=row["hits"],
            what=name,
            cost=row["cost"],
            plain=plain,
        )
        return [amount] * row["hits"]

    def polish(self) -> None:
        """Posts that are no turns: chatter, corrections; double posts; edits that are no fault."""
        rng = self.rng
        extra: list[SimPost] = []
        for index, post in enumerate(self.fight.posts):
            chance = rng.random()
            if chance < 0.05 and not self.plan:
                extra.append(self.first_half(post) or post)
                if extra[-1] is not post:
                    extra.append(post)
            else:
                extra.append(post)
            following = self.fight.posts[index + 1].at if index + 1 < len(self.fight.posts) else None
            if 0.05 < chance < 0.1 and not self.plan:
                self.corrected(post, extra)
            elif 0.1 < chance < 0.16:
                self.edited(post, following)
            if rng.random() < 0.05:
                late = extra[-1].at + timedelta(seconds=rng.randrange(20, 100))
                who = rng.choice(["mossback", "driftwood", post.author])
                text = rng.choice(
                    [
                        "Whoever wins owes me 3 coins :D",
                        "lol, I rolled a 3 at the other table too",
                        "((popcorn, please))",
                    ]
                )
                extra.append(SimPost(f"y{rng.randrange(1000)}{post.id}", who, "", late, chatter=text))
        self.fight.posts = extra

    def first_half(self, post: SimPost) -> SimPost | None:
        """The first half of a double post (G27): everything before the Main Phase, no Loss Tag."""
        early = [p for p in post.parts if p.phase != "main"]
        if not early or len(early) == len(post.parts) and self.rng.random() < 0.5:
            return None
        rolled = [self.fight.rolls[u]["at"] for p in early for u in p.data.get("links", []) if u in self.fight.rolls]
        at = max([*rolled, post.at - timedelta(seconds=400)]) + timedelta(seconds=1)
        if at >= post.at:
            return None
        half = SimPost(f"{post.id}h", post.author, post.char, at, parts=early, stats=post.stats)
        half.facts = {**post.facts, "half": True}
        post.parts = [p for p in post.parts if p.phase == "main"]
        post.stats = False
        post.facts["second"] = True
        return half

    def corrected(self, post: SimPost, extra: list[SimPost]) -> None:
        """A slip in the Loss Tag that its author corrects in time (G25)."""
        rng = self.rng
        pool = rng.choice(["chakra", "stamina"])
        assert post.loss is not None
        true = dict(post.loss)
        if true[pool] >= 0:
            return
        missing = rng.randrange(1, -true[pool] + 1)
        post.loss = {**true, pool: true[pool] + missing}
        word = {"chakra": rng.choice(["CHK", "chakra"]), "stamina": rng.choice(["STM", "stamina"])}[pool]
        text = rng.choice(
            [
                f"Edit: forgot {missing} {word}",
                f"edit: forgot the {missing} {word}, sorry",
                f"Correction: forgot {missing} {word}.",
                "loss",
            ]
        )
        if text == "loss":
            signed = {k: f"{'+' if v > 0 else '-'}{abs(v)}" for k, v in true.items()}
            text = f"Correction: (HP: {signed['hp']} | CHK: {signed['chakra']} | STM: {signed['stamina']})"
        if rng.random() < 0.3:
            extra.append(
                SimPost(f"z{post.id}", "mossback", "", post.at + timedelta(seconds=60), chatter="what a night")
            )
        extra.append(
            SimPost(f"c{post.id}", post.author, "", post.at + timedelta(seconds=rng.randrange(70, 300)), chatter=text)
        )

    def edited(self, post: SimPost, following: datetime | None) -> None:
        """An edit that is no fault: before anybody else posted, or of prose alone."""
        rng = self.rng
        if rng.random() < 0.5:
            post.edited = post.at + timedelta(seconds=200)
            post.facts["old"] = (
                post.at + timedelta(seconds=30),
                lambda text: text.replace("HP", "HP").replace("-0", "-1"),
            )
        else:
            post.edited = (following or post.at) + timedelta(seconds=500)
            post.facts["old"] = (post.at + timedelta(seconds=30), lambda text: "A typo stood here.\n\n" + text)


def play(seed: int, length: int | None = None, plan: str | None = None) -> Fight:
    """A random honest battle; with a `plan`, one rule is broken once in it (`Fight.planned`)."""
    game = Play(seed, plan)
    fight = game.run(length or game.rng.randrange(6, 36))
    fight.planned = game.planned
    return fight
