"""The moves of simulated battles, by the rulebook."""

from __future__ import annotations

from tests.support.enolaptia_sim_book import ABILITIES, CREATURES, Unit
from tests.support.enolaptia_sim_text import Die


class Moves:
    """What a fighter does in its turn, honest or planted (part of `Sim`)."""

    def _character(self, unit: Unit) -> None:
        rng = self.rng
        if self._planted_move(unit):
            return
        roll = rng.random()
        if roll < 0.55:
            self._attack(unit, self._foe(unit))
        elif roll < 0.85:
            self._ability(unit, self._foe(unit))
        elif roll < 0.93:
            friends = [u for u in self.party if u.up and u.side == unit.side]
            self._potion(unit, rng.choice(friends))
        elif self.kind == "party":
            self._run(unit)
        else:
            self._attack(unit, self._foe(unit))

    def _planted_move(self, unit: Unit) -> bool:
        if self.now("enolaptia/potion"):
            outside = [u for u in self.party if not u.there]
            target = self._foe(unit)
            if outside and self.rng.random() < 0.7:
                target = self.rng.choice(outside)
            self.mark("enolaptia/potion")
            self.add(f"{self.short(unit)}: Potion: Small Potion on {self.short(target)}, +10 HP")
            if self.follow == "claimed" and target.there:
                target.hp = min(target.top, target.hp + 10)
            return True
        if self.now("enolaptia/teleport"):
            self.mark("enolaptia/teleport")
            self.add(f"[Teleport: {self.short(unit)} -> Brightwater]")
            if self.follow == "claimed":
                unit.there = False
                self._check_over()
                return True
        return False

    def _rolled(self, at: int) -> tuple[list[Die], int]:
        """The dice of a normal attack and what they do."""
        die = self.d6("damage")
        if die.value == 1:
            return [die], 0
        if die.value <= 4:
            return [die], self.half(at, 3 if die.value == 2 else 2)
        if die.value == 5:
            return [die], at
        second = self.d6("damage")
        return [die, second], 2 * at if second.value == 6 else at

    def _plant_damage(self, at: int, dice: list[Die], amount: int) -> tuple[list[Die], int, int]:
        """Dice and amount as written, and the amount that counts."""
        if not self.now("enolaptia/damage", 0.12):
            return dice, amount, amount
        rights = {
            1: [0],
            2: sorted({at // 3, -(-at // 3)}),
            3: sorted({at // 2, -(-at // 2)}),
            5: [at],
            6: [2 * at] if len(dice) == 2 and dice[1].value == 6 else [at],
        }
        rights[4] = rights[3]
        if dice[0].value == 6 and self.rng.random() < 0.5:
            self.mark("enolaptia/damage", sorted([at, 2 * at]))
            return dice[:1], at, at
        wrong = [n for n in {0, at // 3, at // 2, at, 2 * at, at + 3} if n not in rights[dice[0].value]]
        self.mark("enolaptia/damage", rights[dice[0].value])
        written = self.rng.choice(wrong)
        return dice, written, written if self.follow == "claimed" else amount

    def _amount(self, at: int, dice: list[Die], amount: int, spelled: str) -> str:
        """The amount with the sum that belongs to the dice, or alone."""
        if amount == 0:
            return "miss"
        die = dice[0].value
        if die in (2, 3, 4) and amount in (at // (3 if die == 2 else 2), -(-at // (3 if die == 2 else 2))):
            return f"{spelled}{at}/{3 if die == 2 else 2} = {amount}"
        if len(dice) == 2 and dice[1].value == 6 and amount == 2 * at:
            return f"{spelled}{at} x 2 = {amount}"
        return f"{spelled}{amount}"

    def _dice(self, dice: list[Die]) -> list:
        return [dice[0]] if len(dice) == 1 else [dice[0], ", ", dice[1]]

    def _attack(self, unit: Unit, target: Unit) -> None:
        dice, amount = self._rolled(unit.at)
        dice, written, counts = self._plant_damage(unit.at, dice, amount)
        actor, victim = self.short(unit), self.short(target)
        if self.habits[self.current.author].long_attack:
            words = self._amount(unit.at, dice, written, "AT ")
            self.add(f"{actor}: normal attack on {victim}, 1d6 = ", *self._dice(dice), f" -> {words}")
        else:
            words = self._amount(unit.at, dice, written, "")
            self.add(f"{actor} attacks {victim}: rolled ", *self._dice(dice), f", {words}")
        target.hp = max(0, target.hp - counts)
        self._foe_line(target)

    def _foe_line(self, target: Unit) -> None:
        if target.kind is None:
            return
        if target.hp == 0 or self.rng.random() < 0.6:
            shown = target.hp
            if self.now("enolaptia/hp", 0.1):
                shown = self.rng.choice([n for n in range(target.top + 1) if n != target.hp])
                self.mark("enolaptia/hp", [target.hp])
                if self.follow == "claimed" and shown > 0:
                    target.hp = shown
            self.add(f"{self.short(target)}: {shown}/{target.top}" + (" (dead)" if shown == 0 else ""))

    def _ability(self, unit: Unit, target: Unit) -> None:
        rng = self.rng
        action = rng.choice(["spell", "special", "skill"])
        name = rng.choice([n for n in ABILITIES[action + "s"] if n != "Bog Breath"])
        head = f"{self.short(unit)}: {action} {name}"
        if name == "Battle Cry":
            self.add(head)
            return
        parts, total = self._sum(ABILITIES[action + "s"][name]["damage"], unit.at)
        written = total
        if self.now("enolaptia/damage", 0.12):
            written = total + rng.choice([-2, -1, 1, 2, 5])
            self.mark("enolaptia/damage", [total])
            total = written if self.follow == "claimed" else total
        if name == "Stone Drop":
            self.add(f"{head} on {self.short(target)}: {written}")
        else:
            expression = ABILITIES[action + "s"][name]["damage"]
            self.add(f"{head} on {self.short(target)}, {expression}: ", *parts, f" = {written}")
        target.hp = max(0, target.hp - total)
        self._foe_line(target)

    def _sum(self, formula: object, at: int) -> tuple[list, int]:
        if isinstance(formula, int):
            return [], formula
        parts: list = []
        total = 0
        for term in str(formula).split("+"):
            values: list = []
            if term == "AT":
                values = [at]
            elif "d" in term:
                values = [self.d6("spell") for _ in range(int(term.split("d")[0]))]
            else:
                values = [int(term)]
            for value in values:
                parts += [" + "] if parts else []
                parts.append(value if isinstance(value, Die) else str(value))
                total += value.value if isinstance(value, Die) else value
        return parts, total

    def _potion(self, unit: Unit, target: Unit) -> None:
        name = self.rng.choice(["Small Potion", "Green Tonic"])
        heal = ABILITIES["potions"][name]["heal"]
        real = min(heal, target.top - target.hp)
        self.add(f"{self.short(unit)}: Potion: {name} on {self.short(target)}, +{self.rng.choice([heal, real])} HP")
        target.hp += real

    def _run(self, unit: Unit) -> None:
        boss = any(foe.hp > 0 and foe.kind in ("Fen Hag", "Kiln Giant") for foe in self.foes)
        any_boss = any(foe.kind in ("Fen Hag", "Kiln Giant") for foe in self.foes)
        die = self.d6("run")
        gone = die.value >= 5 and not boss
        if gone and any_boss:
            gone = self.rng.random() < 0.5
        if not gone and (boss or die.value < 5) and self.now("enolaptia/run", 0.8):
            self.mark("enolaptia/run")
            self.add(f"{self.short(unit)}: Run: 1d6 = ", die, ", escaped")
            unit.there = self.follow != "claimed"
            return
        words = "escaped" if gone else self.rng.choice(["failed", "cannot run"])
        self.add(f"{self.short(unit)}: Run: 1d6 = ", die, f", {words}")
        unit.there = not gone

    def _creature(self, unit: Unit) -> None:
        rng = self.rng
        if self.now("enolaptia/potion", 0.05):
            self.mark("enolaptia/potion")
            self.add(f"{self.short(unit)}: Potion: Small Potion on {self.short(unit)}, +10 HP")
            if self.follow == "claimed":
                unit.hp = min(unit.top, unit.hp + 10)
            return
        victims = [u for u in self.party if u.up and u.share] or [u for u in self.party if u.up and u.after == 0]
        if not victims:
            self.over = True
            return
        victim = rng.choice(victims)
        named = victim
        aim: list = []
        if victim.share:
            low, high = int(victim.share[0]), int(victim.share[-1])
            die = Die(rng.randint(low, high), "allocation")
            others = [u for u in victims if u is not victim]
            if others and self.now("enolaptia/allocation", 0.2):
                named = rng.choice(others)
                self.mark("enolaptia/allocation", [victim.name])
            aim = ["d6 ", die, f", allocation {named.share} = {self.short(named)}; "]
        self._creature_move(unit, named, aim, named if self.follow == "claimed" else victim)

    def _creature_move(self, unit: Unit, named: Unit, aim: list, hit: Unit) -> None:
        sheet = CREATURES[unit.kind]
        who = self.short(unit)
        if "moves" in sheet:
            die = self.d6("move")
            move = sheet["moves"][die.value]
            head = [f"{who}: move 1d6 = ", die, f" ({move})"]
            if move != "normal attack":
                parts, total = self._sum(ABILITIES["specials"][move]["damage"], unit.at)
                expression = ABILITIES["specials"][move]["damage"]
                middle = [": ", *aim] if aim else [f" on {self.short(named)}, "]
                self.add(*head, *middle, f"{expression}: ", *parts, f" = {total}")
                hit.hp = max(0, hit.hp - total)
                return
            head += [": ", *aim] if aim else [f" on {self.short(named)}; "]
        else:
            head = [f"{who} attacks: ", *aim] if aim else [f"{who} attacks {self.short(named)}; "]
        dice, amount = self._rolled(unit.at)
        dice, written, counts = self._plant_damage(unit.at, dice, amount)
        self.add(*head, "damage 1d6 = ", *self._dice(dice), f": {self._amount(unit.at, dice, written, '')}")
        hit.hp = max(0, hit.hp - counts)

    def _maybe_dead_acts(self) -> None:
        dead = [f for f in self.foes if f.hp == 0] + [u for u in self.party if u.there and u.hp == 0]
        if not dead or self.over or not self.now("enolaptia/acts-while-down", 0.6):
            return
        unit = self.rng.choice(dead)
        if unit.kind is None:
            self.mark("enolaptia/acts-while-down")
            self._attack_noting(unit)
        elif [u for u in self.party if u.up and (u.share or u.after == 0)]:
            self.mark("enolaptia/acts-while-down")
            before = [(u, u.hp) for u in self.party]
            self._creature(unit)
            self._undo(before)

    def _attack_noting(self, unit: Unit) -> None:
        foes = self.foes or [u for u in self.party if u.side != unit.side]
        target = self.rng.choice([foe for foe in foes if foe.up])
        before = [(target, target.hp)]
        self._attack(unit, target)
        self._undo(before) if target.kind is None else None

    def _undo(self, before: list) -> None:
        if self.follow == "right":
            for unit, hp in before:
                unit.hp = hp
