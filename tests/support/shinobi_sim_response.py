"""Simulated Response Phases: dodges, blocks, criticals, techniques, guards."""

from __future__ import annotations

import random
from datetime import datetime
from fractions import Fraction
from math import ceil, floor
from typing import Any

from tests.support.shinobi_sim_data import (
    TECHNIQUES,
    Char,
    Fight,
    Part,
    SimPost,
    Strike,
)


class Responding:
    """The Response Phase of a simulated turn."""

    rng: random.Random
    fight: Fight
    formula: bool
    plan: str | None

    def breaks(self, plan: str, post: SimPost, chance: float = 0.5) -> bool:
        raise NotImplementedError

    def dice(self, c: Char, values: list[int], sides: int, since: datetime, until: datetime, label: str) -> list[str]:
        raise NotImplementedError

    # -- response --------------------------------------------------------------------------------

    def respond(self, c: Char, post: SimPost, change: dict[str, int], down: bool) -> int:
        """Answer every open attack; the damage of the whole Response."""
        rng = self.rng
        post.facts.update(new_ticks=[], new_status=[], answers=[])
        total = 0
        attacks, c.open = c.open, []
        named = rng.random() < 0.5 and len({a.by.name for a in attacks}) > 1
        plain = bool(attacks) and rng.random() < 0.1 and all(sum(a.hits) > 0 for a in attacks) and not down
        used = False
        for attack in attacks:
            choice = "plain" if plain else self.choose(c, post, attack, attacks, used, down)
            answer: dict[str, Any] = {"attack": attack, "prefix": attack.by.name if named else None, "choice": choice}
            total += self.answer(c, post, change, answer, down)
            used = used or choice == "technique"
            post.facts["answers"].append(answer)
            if choice != "plain":
                post.parts.append(Part("response", "answer", answer))
            if choice == "dodge" and not down and not used and c.now["chakra"] > 30:
                saved = self.double(c, post, change, answer)
                used = used or saved is not None
                total -= saved or 0
        if not down:
            total += self.guard(c, post)
        for name, _ in c.ticks:
            total += 3
            if rng.random() < 0.7:
                post.parts.append(Part("response", "dot", {"name": name}))
        return total

    def choose(self, c: Char, post: SimPost, attack: Strike, attacks: list[Strike], used: bool, down: bool) -> str:
        """How an attack is answered."""
        choices = ["dodge"] * 5 + ["take"]
        if not down:
            choices += ["technique", "skill"] if not used and c.now["chakra"] > 18 else ["skill"]
        choice = self.rng.choice(choices)
        if self.plan != "response-techniques" or len(attacks) < 2 or down or c.now["chakra"] <= 40:
            return choice
        if attack is attacks[0] or (used and self.breaks("response-techniques", post, 1.0)):
            return "technique"
        return choice

    def answer(self, c: Char, post: SimPost, change: dict[str, int], answer: dict[str, Any], down: bool) -> int:
        """Carry an answer out; its damage."""
        attack, choice, rng = answer["attack"], answer["choice"], self.rng
        if choice == "dodge":
            return self.dodge(c, post, attack, answer, down)
        if choice in ("take", "plain"):
            self.effects(post, attack)
            answer["damage"] = [sum(attack.hits)]
            return sum(attack.hits)
        if choice == "technique":
            answer["name"] = rng.choice(["Kawarimi no Jutsu", "Mud Curtain"])
            cost = TECHNIQUES[answer["name"]]["cost"]["chakra"]
            change["chakra"] -= cost
            c.now["chakra"] -= cost
            post.skip_mark = post.skip_mark or answer["name"] == "Kawarimi no Jutsu"
            return 0
        skills = ["Knowing the Elements", "Drunkard's Sway"] if c.now["stamina"] > 3 else ["Knowing the Elements"]
        answer["name"] = rng.choice(skills)
        if answer["name"] == "Drunkard's Sway":
            change["stamina"] -= 3
            c.now["stamina"] -= 3
        return 0

    def double(self, c: Char, post: SimPost, change: dict[str, int], answer: dict[str, Any]) -> int | None:
        """A technique on an attack that was rolled for already: what it saves, None where the rule is kept."""
        if not self.breaks("response-double", post, 0.4):
            return None
        c.now["chakra"] -= 7
        change["chakra"] -= 7
        extra = {**answer, "choice": "technique", "name": "Mud Curtain"}
        post.parts.append(Part("response", "answer", extra))
        if self.rng.random() < 0.5:
            return 0
        post.facts.update(new_ticks=[], new_status=[])
        return sum(answer["damage"])

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
