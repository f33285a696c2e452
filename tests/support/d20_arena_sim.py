"""Random honest battles of d20_arena as transcripts, written from the rulebook and notation.md alone.

The simulator shares no code with the judge: it plays a battle by the rules, keeps a structured log
of what everybody does, and renders that log in the habits of its writers. Planters (see
`d20_arena_sim_plants`) change one thing in the log before it is rendered.
"""

from __future__ import annotations

from datetime import timedelta

from tests.support.d20_arena_sim_cast import (
    Hero,
    Item,
    Post,
)
from tests.support.d20_arena_sim_deeds import Deeds


class Sim(Deeds):
    """Plays one battle: who posts when, and what each post holds."""

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

    def _over(self) -> bool:
        return all(f.hp <= 0 for f in self.foes) or all(h.hp <= 0 for h in self.heroes)

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
