"""Random honest battles of d20_arena as transcripts, written from the rulebook and notation.md alone.

The simulator shares no code with the judge: it plays a battle by the rules, keeps a structured log
of what everybody does, and renders that log in the habits of its writers. Planters (see
`d20_arena_sim_plants`) change one thing in the log before it is rendered.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.d20_arena_sim_cast import (
    ABILITIES,
    BANDS,
    BEASTS,
    ENEMY_ABILITIES,
    HEROES,
    OWN_ESCAPE,
    PLAYER_ABILITIES,
    SIGNATURES,
    SPILL,
    Habit,
    Hero,
    Item,
    Post,
    Roll,
)


class Sim:
    """Plays one battle. `policy` lets a planter choose an illegal action at an opportunity."""

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

    # -- set-up ------------------------------------------------------------------------------------

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

    # -- dice --------------------------------------------------------------------------------------

    def roll(self, expr: str, label: str) -> Roll:
        count, sides = (int(n) for n in expr.split("d"))
        return Roll(expr, [self.rng.randint(1, sides) for _ in range(count)], label)

    # -- playing -----------------------------------------------------------------------------------

    def play(self) -> Sim:
        self._first_post()
        rounds = self.rng.randint(3, 6)
        for number in range(1, rounds + 1):
            order = [h for h in self.heroes if h.hp > 0 or self._plants("down-player")]
            self.rng.shuffle(order)
            for hero in order:
                if self._over():
                    break
                self._player_post(hero, number)
                if self.rng.random() < 0.06:
                    self._slip()
                if self.rng.random() < 0.05:
                    self._chatter(hero)
            if self._over():
                self._closing()
                break
            self._gm_post(number)
            if self._over():
                self._closing()
                break
        return self

    def _plants(self, what: str) -> bool:
        return self.policy == what and self.planted is None

    def _over(self) -> bool:
        return all(f.hp <= 0 for f in self.foes) or all(h.hp <= 0 for h in self.heroes)

    def _post(self, author: str, who: Hero | None, number: int) -> Post:
        self.at += timedelta(seconds=self.rng.randint(4000, 30000))
        post = Post(f"p{len(self.posts) + 1}", author, self.at, who, round=number)
        self.posts.append(post)
        return post

    def _first_post(self) -> None:
        post = self._post(self.gm, None, 0)
        post.items += [Item("sheet", {"foe": foe}) for foe in self.foes]
        if self.traps:
            post.items.append(Item("line", {"text": "The floor is trapped: roll 1d20 in your Trap phase."}))

    def _chatter(self, hero: Hero) -> None:
        post = self._post(hero.player, hero, 0)
        post.plain = self.rng.choice(
            ("OOC: back on monday!", "((OOC: brb, 2 minutes))", "Great fight so far, 10 out of 10!")
        )

    def _slip(self) -> None:
        """A wrong HP line, put right by its author before anybody else has posted (G25)."""
        wrong = self.posts[-1]
        lines = [item for item in wrong.items if item.kind == "hp"]
        if not lines:
            return
        data = lines[-1].data
        right = data["hp"]
        data["hp"] = right + 1
        self.at += timedelta(minutes=3)
        post = Post(f"p{len(self.posts) + 1}", wrong.author, self.at, wrong.who)
        mark = self.rng.choice(("Edit:", "edit:", "Correction:", "Correction, sorry:"))
        post.plain = f"{mark} {data['who'].name}: {right}/{data['most']} HP"
        self.posts.append(post)

    def _closing(self) -> None:
        if self.rng.random() < 0.7 or self._plants("after-end"):
            post = self._post(self.gm, None, 0)
            post.items.append(Item("line", {"text": "And that was that. The last of them is down."}))
        if self._plants("after-end"):
            living = [h for h in self.heroes if h.hp > 0]
            if living and all(f.hp <= 0 for f in self.foes):
                post = self._post(living[0].player, living[0], 0)
                self._attack_turn(post, living[0], ["Volt Lash"])
                self._down(post)

    def _down(self, post: Post) -> None:
        """Note the planted action, unless a trap took it."""
        if any(item.kind == "strike" for item in post.items):
            self.planted = ("d20_arena/acts-while-down", post.id, None)
        else:
            self.policy = "spoiled"

    def _player_post(self, hero: Hero, number: int) -> None:
        rng, habit = self.rng, self.habits[hero.player]
        hero.turn += 1
        post = self._post(hero.player, hero, number)
        if rng.random() < habit.head_hp:
            post.items.append(
                Item("own-hp", {"hp": hero.hp, "most": hero.most, "def": hero.defense if rng.random() < 0.3 else None})
            )
        if rng.random() < 0.5:
            post.items.append(Item("line", {"text": f"Turn {hero.turn}"}))
        if hero.hp <= 0:
            self._attack_turn(post, hero, ["Volt Lash"])
            self._down(post)
            return
        bound = [a for a, n in hero.binds.items() if n]
        friends = [h for h in self.heroes if h is not hero and h.hp > 0 and any(h.binds.values())]
        hero.standing = rng.random() < 0.35
        choice = rng.random()
        if bound and choice < 0.45:
            self._struggle_turn(post, hero)
        elif friends and choice < 0.6:
            self._help_turn(post, hero, rng.choice(friends))
        elif choice < 0.72:
            self._self_turn(post, hero)
        else:
            self._attack_turn(post, hero, None)

    def _phases(self, post: Post, hero: Hero, announce: str) -> bool:
        """Announce, Move and Trap; True if a trap takes the action."""
        post.items.append(Item("announce", {"text": announce}))
        if hero.standing:
            word = self.rng.choice(("standing still", "stands still"))
        else:
            word = self.rng.choice(("dodging", "moving", "keeps moving", None))
        if word:
            post.items.append(Item("move", {"text": word}))
        if not self.traps:
            return False
        roll = self.roll("1d20", "trap")
        sprung = roll.values[0] <= (3 if hero.standing else 7)
        said = self.rng.choice((None, "sprung" if sprung else self.rng.choice(("avoided", "safe"))))
        post.items.append(Item("trap", {"roll": roll, "said": said, "sprung": sprung}))
        if sprung:
            hero.hp = max(0, hero.hp - 3)
            post.items.append(Item("own-hp", {"hp": hero.hp, "most": hero.most, "def": None}))
        if sprung and self.stops and not self._plants("act-trapped"):
            if self.rng.random() < 0.6:
                post.items.append(
                    Item("action-none", {"text": self.rng.choice(("none", "none, trapped", "none (trapped)"))})
                )
            return True
        if sprung and self.stops and hero.hp > 0:
            self.planted = ("d20_arena/trap", post.id, None)
        return False

    def _struggle_turn(self, post: Post, hero: Hero) -> None:
        hero.evading = True
        if self._phases(post, hero, "struggle against the bindings") or hero.hp <= 0:
            return
        limit = 2 if hero.standing else 1
        if self._plants("struggles") and sum(hero.binds.values()) > 2:
            limit += 1
        done = 0
        for _ in range(limit):
            areas = [a for a, n in hero.binds.items() if n]
            if not areas:
                break
            post.items.append(self._escape(hero, hero, self.rng.choice(areas), None))
            done += 1
        if self._plants("struggles") and done == (3 if hero.standing else 2):
            self.planted = ("d20_arena/struggles", post.id, [2 if hero.standing else 1])

    def _help_turn(self, post: Post, hero: Hero, friend: Hero) -> None:
        hero.evading = False
        if self._phases(post, hero, f"help {friend.name} with the bindings") or hero.hp <= 0:
            return
        area = self.rng.choice([a for a, n in friend.binds.items() if n])
        post.items.append(self._escape(hero, friend, area, [4, -min(max(hero.binds["arms"] - 1, 0), 2)]))

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

    def _self_turn(self, post: Post, hero: Hero) -> None:
        friends = [h for h in self.heroes if h is not hero and h.hp > 0]
        if "Mend" in hero.abilities and friends and self.rng.random() < 0.6:
            hero.evading = False
            friend = self.rng.choice(friends)
            if self._phases(post, hero, f"Mend on {friend.name}") or hero.hp <= 0:
                return
            roll = self.roll("1d6", "heal")
            total = roll.values[0] + 2
            friend.hp = min(friend.most, friend.hp + total)
            post.items.append(Item("mend", {"target": friend, "roll": roll, "total": total}))
            self._hp_line(post, friend)
            return
        hero.evading = True
        if self._phases(post, hero, "Focus") or hero.hp <= 0:
            return
        post.items.append(Item("use", {"name": "Focus"}))

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

    def _attack_turn(self, post: Post, hero: Hero, only: list[str] | None) -> None:
        hero.evading = False
        living = [f for f in self.foes if f.hp > 0] or self.foes
        names = only or self._usable(hero)
        wanted = {"too-early": "Sun Lance", "uses": "Powder Flask", "cooldown": "Frost Needle"}.get(self.policy or "")
        name = wanted if wanted in names and self.planted is None else self.rng.choice(names)
        row = self.tables["abilities"][name]
        targets = self.rng.sample(living, min(len(living), row.get("targets", 1)))
        if row.get("range") == "melee" and hero.standing:
            if self._plants("stance") and any(hero.name not in t.met for t in targets):
                targets = [t for t in targets if hero.name not in t.met]
            elif any(hero.name not in t.met for t in targets):
                hero.standing = False
        announced = " and ".join(t.name for t in targets)
        if self._phases(post, hero, f"{name} on {announced}") or (hero.hp <= 0 and not only):
            return
        if row.get("range") == "melee" and hero.standing and any(hero.name not in t.met for t in targets):
            self.planted = ("d20_arena/stance", post.id, None)
        self._illegal(hero, name, post)
        landed = False
        for target in targets:
            item = self._strike(post, hero, name, target, False)
            landed = landed or item.data["outcome"] in ("hit", "critical hit")
            if item.data["outcome"] == "critical fail":
                self.debts.append((target, hero))
        if "cooldown" in row:
            hero.cooling[name] = hero.turn
        if landed:
            hero.hits[name] = hero.hits.get(name, 0) + 1

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

    def _gm_post(self, number: int) -> None:
        post = self._post(self.gm, None, number)
        for fighter in (*self.heroes, *self.foes):
            fighter.reacted = False
        if self.rng.random() < 0.6:
            post.items.append(Item("line", {"text": f"Round {number}"}))
        skipped = self._free_attacks(post)
        for foe in self.foes:
            if skipped and foe is skipped[0] and any(f.hp <= 0 for f in skipped):
                self.planted, self.policy = None, "spoiled"
            self._foe_acts(post, foe)
        if self.rng.random() < 0.65:
            for fighter in (*self.heroes, *self.foes):
                post.items.append(Item("table", {"who": fighter, "hp": fighter.hp, "most": fighter.most}))

    def _free_attacks(self, post: Post) -> tuple[Hero, Hero] | None:
        """The free attacks that are due; gives the pair whose one a planter leaves out."""
        skipped = None
        for foe, hero in self.debts:
            if foe.hp <= 0 or hero.hp <= 0:
                continue
            if self._plants("no-free"):
                self.planted = ("d20_arena/free-attack", post.id, None)
                skipped = (foe, hero)
                continue
            self._strike(post, foe, self._foe_ability(foe), hero, True)
        self.debts = []
        return skipped

    def _foe_ability(self, foe: Hero) -> str:
        return self.rng.choice([name for name in foe.abilities if name != "Side Step"])

    def _foe_acts(self, post: Post, foe: Hero) -> None:
        targets = [h for h in self.heroes if h.hp > 0]
        if not targets or (foe.hp <= 0 and not self._plants("down-enemy")):
            return
        if foe.hp <= 0:
            self.planted = ("d20_arena/acts-while-down", post.id, None)
        bound = [a for a, n in foe.binds.items() if n]
        if bound and self.rng.random() < 0.3:
            post.items.append(self._escape(foe, foe, self.rng.choice(bound), None))
            return
        self._strike(post, foe, self._foe_ability(foe), self.rng.choice(targets), False)
