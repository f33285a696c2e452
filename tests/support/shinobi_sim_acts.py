"""Simulated Setup and Main Phases: activations, attacks, healing, items."""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil, floor
from typing import Any

from tests.support.shinobi_sim_data import (
    ITEMS,
    LIMITS,
    MODIFIERS,
    RANKS,
    SKILLS,
    TECHNIQUES,
    WEAPONS,
    Char,
    Fight,
    Part,
    SimPost,
    Strike,
)


class Acting:
    """The Setup and Main Phases of a simulated turn."""

    rng: random.Random
    fight: Fight
    rare: bool
    plan: str | None
    planned: dict[str, Any] | None

    def breaks(self, plan: str, post: SimPost, chance: float = 0.5) -> bool:
        raise NotImplementedError

    def down(self, c: Char) -> bool:
        raise NotImplementedError

    def foes(self, c: Char) -> list[Char]:
        raise NotImplementedError

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
