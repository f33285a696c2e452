"""What fighters of a random battle of d20_arena do, by the rules: strikes, bindings, escapes, HP lines."""

from __future__ import annotations

from tests.support.d20_arena_sim_cast import (
    BANDS,
    OWN_ESCAPE,
    SPILL,
    Hero,
    Item,
    Post,
)
from tests.support.d20_arena_sim_set_up import SetUp


class Deeds(SetUp):
    """The single deeds; each notes in the log what was done and with which numbers."""

    def _escape(self, actor: Hero, bound: Hero, area: str, bonuses: list[int] | None) -> Item:
        roll = self.roll("1d20", "struggle")
        die, level = roll.values[0], bound.binds[area]
        number = die + sum(bonuses or [])
        row = (BANDS if self.bands else OWN_ESCAPE)[level]
        lost = max((n for low, n in row.items() if low <= number), default=0)
        extra = 1 if self.bands and die == 20 and level < 8 else 0
        new = max(0, level - lost - extra)
        spare = None
        others = [a for a, n in bound.binds.items() if n and a != area]
        if extra and lost + extra > level and others:
            where = self.rng.choice(others)
            spare = [where, bound.binds[where], bound.binds[where] - 1]
            bound.binds[where] -= 1
        bound.binds[area] = new
        data = {"actor": actor, "bound": bound, "area": area, "roll": roll, "bonuses": bonuses}
        return Item("escape", {**data, "old": level, "new": new, "total": number, "spare": spare})

    def _usable(self, hero: Hero) -> list[str]:
        found = []
        for name in hero.abilities:
            row = self.tables["abilities"][name]
            if row["type"] not in ("damage", "bind"):
                continue
            if row.get("special") and hero.turn < 3 and not self._plants("too-early"):
                continue
            if hero.hits.get(name, 0) >= row.get("uses", 99) and not self._plants("uses"):
                continue
            if (
                name in hero.cooling
                and hero.turn <= hero.cooling[name] + row["cooldown"]
                and not self._plants("cooldown")
            ):
                continue
            found.append(name)
        return found or ["Volt Lash"]

    def _illegal(self, hero: Hero, name: str, post: Post) -> None:
        row = self.tables["abilities"][name]
        if self._plants("too-early") and row.get("special") and hero.turn < 3:
            self.planted = ("d20_arena/too-early", post.id, None)
        elif self._plants("uses") and hero.hits.get(name, 0) >= row.get("uses", 99):
            self.planted = ("d20_arena/uses", post.id, None)
        elif self._plants("cooldown") and name in hero.cooling and hero.turn <= hero.cooling[name] + row["cooldown"]:
            self.planted = ("d20_arena/cooldown", post.id, None)

    def defense(self, hero: Hero) -> int:
        level = hero.binds["legs"]
        value = hero.defense - min(level, 4)
        if hero.side == "enemies":
            return value
        if hero.standing:
            return value - (2 if level else 3)
        return value + (2 if hero.evading and not level else 0)

    def _strike(self, post: Post, actor: Hero, name: str, target: Hero, free: bool) -> Item:
        row = self.tables["abilities"][name]
        foe = actor.side == "enemies"
        bonuses = [actor.atk if foe else row["to_hit"]] + ([2] if free else [])
        roll = self.roll("1d20", "to hit")
        if self.rng.random() < 0.1:
            roll.values[0] = self.rng.choice((1, 20))
        die = roll.values[0]
        defense = self.defense(target)
        can = [a for a in target.abilities if a in ("Side Step", "Brace")]
        shield = None
        if "Side Step" in can and not free and not target.reacted and die not in (1, 20) and self.rng.random() < 0.5:
            shield = Item("shield", {"who": target, "before": defense, "after": defense + 3})
            post.items.append(shield)
            target.reacted = True
            defense += 3
        total = die + sum(bonuses)
        outcome = (
            "critical fail" if die == 1 else "critical hit" if die == 20 else "hit" if total >= defense else "miss"
        )
        declared = self._misdeclared(post, outcome, total, defense)
        who = {"actor": actor, "name": name, "target": target, "free": free, "foe": foe, "row": row, "shield": shield}
        numbers = {"roll": roll, "bonuses": bonuses, "total": total, "defense": defense, "outcome": outcome}
        item = Item("strike", {**who, **numbers})
        post.items.append(item)
        if row.get("range") == "melee" and foe:
            actor.met.add(target.name)
        if declared:
            item.data["outcome"] = outcome = declared
        lands = outcome in ("hit", "critical hit") or (outcome == "critical fail" and foe)
        if lands and row["type"] == "damage":
            self._damage(post, item, "Brace" in can)
        elif lands:
            self._bind(item)
        return item

    def _misdeclared(self, post: Post, outcome: str, total: int, defense: int) -> str | None:
        """The outcome that a planter declares instead of the right one; what follows follows it."""
        wrong = None
        if self._plants("miss-for-hit") and outcome == "hit":
            wrong = "miss"
        elif self._plants("hit-for-miss") and outcome == "miss":
            wrong = "hit"
        elif self._plants("natural") and outcome in ("critical hit", "critical fail"):
            wrong = "hit" if outcome == "critical fail" else self.rng.choice(("hit", "miss"))
        if wrong and self.rng.random() < 0.5:
            del total, defense
            self.planted = ("d20_arena/outcome", post.id, [outcome])
            return wrong
        return None

    def _damage(self, post: Post, item: Item, brace: bool) -> None:
        data, row = item.data, item.data["row"]
        dice, _, bonus = row["damage"].partition("+")
        data["dice"] = self.roll(dice, "damage")
        data["bonus"] = int(bonus or 0)
        crit = data["outcome"] == "critical hit"
        data["crit"] = self.roll("1d6", "damage") if crit else None
        total = sum(data["dice"].values) + data["bonus"] + (data["crit"].values[0] if crit else 0)
        data["damage"] = total
        struck = data["actor"] if data["outcome"] == "critical fail" else data["target"]
        data["itself"] = struck is data["actor"]
        taken = total
        target = data["target"]
        if (
            brace
            and struck is target
            and not crit
            and not data["free"]
            and not target.reacted
            and self.rng.random() < 0.6
        ):
            target.reacted = True
            taken = max(0, total - 3)
            post.items.append(Item("brace", {"who": target, "before": total, "after": taken}))
        res = 0 if crit else struck.kinds.get(row.get("kind"), struck.res)
        struck.hp = max(0, struck.hp - max(0, taken - res))
        self._hp_line(post, struck)

    def _bind(self, item: Item) -> None:
        data, row, target = item.data, item.data["row"], item.data["target"]
        area, crit = row["part"], data["outcome"] == "critical hit"
        if isinstance(row["levels"], str):
            data["levels"] = self.roll(row["levels"], "binding")
            amount = data["levels"].values[0]
        else:
            data["levels"], amount = None, row["levels"]
        old = target.binds[area]
        data |= {"area": area, "old": old, "spill": None, "save": None}
        if data["outcome"] == "critical fail":
            new = max(0, old - amount)
        else:
            resisted = False
            if "save" in row and not crit:
                save = self.roll("1d20", "save")
                resisted = save.values[0] >= row["save"]
                data["save"] = {"roll": save, "against": row["save"], "resisted": resisted}
            data["no_save"] = "save" in row and crit and self.rng.random() < 0.5
            amount = 0 if resisted else amount + (1 if crit else 0)
            new = min(self.bind_max, old + amount)
            over = old + amount - new
            if over and self.bind_max == 8 and area in SPILL:
                where = SPILL[area]
                before = target.binds[where]
                target.binds[where] = min(8, before + over)
                data["spill"] = [where, before, target.binds[where]]
            data["silent"] = resisted and self.rng.random() < 0.5
        data["new"] = new
        target.binds[area] = new

    def _hp_line(self, post: Post, hero: Hero) -> None:
        if self.rng.random() < self.habits[post.author].hp_lines:
            post.items.append(Item("hp", {"who": hero, "hp": hero.hp, "most": hero.most}))
