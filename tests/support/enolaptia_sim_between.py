"""What comes between and after the turns of simulated battles: joiners, HP lines, drops, EXP."""

from __future__ import annotations

from tests.support.enolaptia_sim_book import ABILITIES, CREATURES, MAPS, Unit, Written


class Between:
    """Between the turns and after the win (part of `Sim`)."""

    def _between_turns(self) -> None:
        rng = self.rng
        late = [u for u in self.party if not u.there and u.after == 0 and u.hp == u.top and not u.share]
        starters_up = [u for u in self.party if u.up]
        if late and starters_up and rng.random() < 0.4 and self.kind == "party" and not self.over:
            joins = late[0]
            if joins is self.party[-1] and len([u for u in self.party if u.there]) < 6:
                self.current = Written(joins.player, [])
                form = rng.choice(
                    ["[Party stone: {}{}]", "[Party stone: {} joins{}]", "{}: Party stone, joins the battle{}"]
                )
                form = "[Party stone: {} joins{}]" if form == "[Party stone: {}{}]" else form
                self.add(form.format(joins.name, "" if rng.random() < 0.5 or ":" in form[:4] else " the battle"))
                joins.there = True
                joins.after = self.turn
                self._post()
        if rng.random() < 0.08:
            self.current = Written("driftwood", [])
            self._post(spectator=True)
        if rng.random() < 0.08:
            self.current = Written(rng.choice(self.party).player, [])
            self._post()

    def _hp_line_maybe(self) -> None:
        if self.rng.random() < self.habits[self.current.author].hp_each_post:
            self._hp_line()

    def _hp_line(self) -> None:
        shown = []
        for unit in self.party:
            if not unit.there:
                continue
            hp = unit.hp
            if self.turn > 0 and self.now("enolaptia/hp", 0.1):
                hp = self.rng.choice([n for n in range(unit.top + 1) if n != unit.hp])
                self.mark("enolaptia/hp", [unit.hp])
                if self.follow == "claimed" and hp > 0 and unit.hp > 0:
                    unit.hp = hp
            shown.append(f"{self.short(unit)} {hp}/{unit.top}")
        if shown:
            self.add("HP: " + ", ".join(shown))

    def _spoils(self) -> None:
        rng = self.rng
        alive = [u for u in self.party if u.there]
        if not alive:
            return
        self.current = Written(rng.choice(alive).player, [])
        carriers = [(u, item) for u in alive if u.hp > 0 for item in u.items]
        pieces: list = []
        for foe in self.foes:
            pieces += ["; "] if pieces else []
            pieces += self._drop(foe, carriers)
        if self.now("enolaptia/drop", 0.3) and all(f.name.split()[-1].isdigit() for f in self.foes):
            self.mark("enolaptia/drop")
            pieces += [f"; {self.foes[-1].kind} {len(self.foes) + 7}: 1d6 = ", self.d6("drop"), " -> nothing"]
            pieces[-2].value = 2
        self.add("Drops: ", *pieces)
        counts: dict[str, int] = {}
        for foe in self.foes:
            counts[foe.kind] = counts.get(foe.kind, 0) + 1
        total = sum(n * CREATURES[k]["exp"] for k, n in counts.items())
        written = total
        if self.now("enolaptia/exp", 0.9):
            self.mark("enolaptia/exp", [total])
            if rng.random() < 0.5:
                written = total + rng.choice([-1, 1, 10])
            else:
                first = next(iter(counts))
                counts[first] += 1
                written = total + CREATURES[first]["exp"]
        self.add("EXP: " + " + ".join(f"{n} x {CREATURES[k]['exp']}" for k, n in counts.items()) + f" = {written}")
        if rng.random() < 0.4:
            self._hp_line()
        self._post()

    def _drop(self, foe: Unit, carriers: list) -> list:
        rng = self.rng
        one, two = self.d6("drop"), self.d6("drop")
        table = MAPS[self.map]["drops"]
        parts: list = [f"{self.short(foe)}: 1d6 = ", one]
        total = one.value
        planted = self.now("enolaptia/drop", 0.4)
        if carriers and rng.random() < 0.8:
            item = carriers[0][1]
            bonus = ABILITIES["items"][item]["drop_roll"]
            if planted and rng.random() < 0.5:
                bonus += 1
                self.mark("enolaptia/drop")
            total += bonus
            parts.append(f" + {bonus} ({item}) = {total}")
        elif planted and not any(unit.items for unit in self.party if unit.there) and rng.random() < 0.3:
            # An item of a fallen member who is still there would count.
            total += 1
            parts.append(f" + 1 (Lucky Charm) = {total}")
            self.mark("enolaptia/drop")
        found = table[two.value]
        dropped = total >= 4
        if planted and self.marked is None:
            if dropped and rng.random() < 0.6:
                self.mark("enolaptia/drop", [found])
                found = rng.choice([name for name in table.values() if name != found])
            else:
                self.mark("enolaptia/drop")
                dropped = not dropped
        return [*parts, " -> 1d6 = ", two, f" ({found})"] if dropped else [*parts, " -> nothing"]
