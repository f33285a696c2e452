"""Random battles of Enolaptia, honest or with one planted fault, written from the rulebook.

`Sim(rng, fault).run()` plays a battle by the rulebook and writes it down as a transcript; `expected`
says what was planted. The judge's code is not used here.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from tests.support.enolaptia_sim_text import SPECTATORS, Die, Habits, Line, body, to_html

NAMES = ["Mira", "Tobin", "Wanda", "Oskar Lund", "Lene", "Pavel", "Isolde", "Bram Oduya", "Ysra"]
MAPS = {
    "Sunken Fen": {
        "enemies": {
            1: "Marsh Rat",
            2: "Marsh Rat",
            3: ["Bog Lizard", "Marsh Rat"],
            4: ["Mud Crab", "Marsh Rat"],
            5: ["Reed Stalker", "Mud Crab", "Marsh Rat"],
            6: ["Fen Hag", "Marsh Rat"],
        },
        "drops": {1: "Rat Tail", 2: "Bog Iron", 3: "Reed Flute", 4: "Small Potion", 5: "Copper Ring", 6: "Fen Pearl"},
        "bosses": ["Fen Hag"],
    },
    "Cinder Pass": {
        "enemies": {1: "Ash Bat", 2: "Ember Wolf", 3: "Ash Bat", 4: "Slag Beetle", 5: "Smoke Imp", 6: "Kiln Giant"},
        "drops": {1: "Bat Wing", 2: "Wolf Fang", 3: "Slag Lump", 4: "Small Potion", 5: "Imp Horn", 6: "Kiln Key"},
        "bosses": ["Kiln Giant"],
    },
}
HAG = {1: "normal attack", 2: "normal attack", 3: "normal attack", 4: "normal attack", 5: "Bog Breath", 6: "Bog Breath"}
CREATURES = {
    "Marsh Rat": {"hp": 18, "at": 5, "speed": 9, "exp": 4},
    "Bog Lizard": {"hp": 27, "at": 7, "speed": 8, "exp": 6},
    "Mud Crab": {"hp": 34, "at": 5, "speed": 5, "exp": 7},
    "Reed Stalker": {"hp": 24, "at": 8, "speed": 13, "exp": 8},
    "Fen Hag": {"hp": 90, "at": 13, "speed": 11, "exp": 40, "moves": HAG},
    "Ash Bat": {"hp": 16, "at": 4, "speed": 12, "exp": 3},
    "Ember Wolf": {"hp": 30, "at": 7, "speed": 10, "exp": 7},
    "Slag Beetle": {"hp": 38, "at": 5, "speed": 3, "exp": 8},
    "Smoke Imp": {"hp": 22, "at": 9, "speed": 10, "exp": 9},
    "Kiln Giant": {"hp": 99, "at": 14, "speed": 6, "exp": 50},
}
ABILITIES = {
    "spells": {"Ember": {"damage": "1d6+2"}, "Hail": {"damage": "2d6"}},
    "specials": {
        "Crescent Sweep": {"damage": "2d6+4"},
        "Meteor Kick": {"damage": "AT+1d6"},
        "Bog Breath": {"damage": "2d6+2"},
    },
    "skills": {"Shield Bash": {"damage": "1d6+3"}, "Stone Drop": {"damage": 8}, "Battle Cry": {}},
    "potions": {"Small Potion": {"heal": 10}, "Green Tonic": {"heal": 6}},
    "items": {"Lucky Charm": {"drop_roll": 1}, "Fox Brush": {"drop_roll": 2}},
}
SHARES = {
    2: ["1-3", "4-6"],
    3: ["1-2", "3-4", "5-6"],
    4: ["1", "2-3", "4", "5-6"],
    5: ["1", "2", "3-4", "5", "6"],
    6: ["1", "2", "3", "4", "5", "6"],
}


@dataclass
class Unit:
    """A fighter as the rulebook knows one."""

    name: str
    hp: int
    top: int
    at: int
    speed: int
    side: str
    kind: str | None = None
    player: str = ""
    items: list = field(default_factory=list)
    there: bool = True
    share: str | None = None
    after: int = 0

    @property
    def up(self) -> bool:
        return self.there and self.hp > 0


@dataclass
class Written:
    """A post on its way."""

    author: str
    lines: list
    extra: list = field(default_factory=list)


class Sim:
    """One battle. `fault` names what is planted once (None: honest); `expected`: (code, post, expected values)."""

    def __init__(self, rng: random.Random, fault: str | None = None, kind: str | None = None) -> None:
        self.rng = rng
        self.fault = fault
        self.expected: tuple | None = None
        self.marked: tuple | None = None
        self.follow = rng.choice(["claimed", "right"])
        self.kind = kind or rng.choice(["party", "party", "party", "party", "duel", "spar"])
        self.time = datetime(2026, rng.randint(1, 9), rng.randint(1, 27), rng.randint(6, 20), tzinfo=UTC)
        self.posts: list[dict] = []
        self.rolls: dict = {}
        self.siblings: list = []
        self.link = rng.randint(100, 900)
        self.last_post_of: dict[str, datetime] = {}
        self.previous_dice: list[Die] = []
        self.map = rng.choice(list(MAPS))
        self.party = self._party()
        self.foes: list[Unit] = []
        self.habits = {unit.player: Habits.roll(rng) for unit in self.party}
        self.html = rng.random() < 0.3
        self.current: Written | None = None
        self.turn = 0
        self.over = False
        self.ooo = False

    # -- tools -----------------------------------------------------------------------------------

    def now(self, code: str, chance: float = 0.25) -> bool:
        """Whether to plant this fault here."""
        return self.fault == code and self.marked is None and self.rng.random() < chance

    def mark(self, code: str, expected: list | dict | None = None) -> None:
        """The post being written carries the fault."""
        self.marked = (code, expected)

    def d6(self, label: str) -> Die:
        return Die(self.rng.randint(1, 6), label)

    def add(self, *parts: object, kind: str = "") -> None:
        assert self.current is not None
        self.current.lines.append(Line(list(parts), kind))

    def half(self, number: int, part: int) -> int:
        return self.rng.choice([number // part, -(-number // part)])

    def _party(self) -> list[Unit]:
        rng = self.rng
        names = rng.sample(NAMES, 9)
        speeds = self._speeds()
        size = rng.choice([2, 2, 4]) if self.kind != "party" else rng.randint(1, 6)
        found = []
        for index in range(size):
            hp = rng.randint(30, 60)
            side = "party" if self.kind == "party" else "ab"[index % 2]
            unit = Unit(
                names[index], hp, hp, rng.randint(6, 18), speeds[index], side, player=self._account(names[index])
            )
            found.append(unit)
        if self.kind == "party" and size < 6 and rng.random() < 0.25:
            hp = rng.randint(30, 60)
            late = Unit(names[7], hp, hp, rng.randint(6, 18), speeds[6], "party", player=self._account(names[7]))
            late.there = False
            found.append(late)
        if self.kind == "party" and rng.random() < 0.4:
            rng.choice(found).items.append(rng.choice(list(ABILITIES["items"])))
        return found

    def _speeds(self) -> list[int]:
        """Speeds with ties of two now and then, never of three that take a roll (the rulebook is silent there)."""
        found: list[int] = []
        kinds = [sheet["speed"] for sheet in CREATURES.values()]
        for _ in range(7):
            free = [n for n in range(3, 17) if found.count(n) < (1 if n in kinds or self.kind != "party" else 2)]
            if self.kind != "party" and len(found) % 2 and self.rng.random() < 0.3 and found.count(found[-1]) == 1:
                free = [found[-1]]
            found.append(self.rng.choice(free))
        return found

    def _account(self, name: str) -> str:
        return name.split()[0].lower() + self.rng.choice(["", "77", "_b"])

    # -- the battle ------------------------------------------------------------------------------

    def run(self) -> dict:
        """The transcript of the battle."""
        starters = [unit for unit in self.party if unit.there]
        if self.kind == "party":
            self._encounter(starters)
        else:
            self._challenge(starters)
        while not self.over and self.turn < 14:
            self._turn()
        if self.kind == "party" and not any(foe.hp > 0 for foe in self.foes):
            self._spoils()
        return self._transcript()

    def _encounter(self, starters: list[Unit]) -> None:
        rng = self.rng
        self.current = Written(starters[0].player, [])
        die = self.d6("encounter")
        row = MAPS[self.map]["enemies"][die.value]
        kinds = row if isinstance(row, list) else [row]
        right = list(kinds)
        if self.now("enolaptia/encounter", 0.9):
            kinds = [rng.choice([kind for kind in self._kinds_here() if kind not in kinds])]
            self.mark("enolaptia/encounter", right)
        room = 6
        counts = {}
        for kind in kinds:
            most = max(1, room - (len(kinds) - len(counts) - 1))
            counts[kind] = 1 if kind in ("Fen Hag", "Kiln Giant") else rng.randint(1, min(most, 4))
            room -= counts[kind]
        if self.now("enolaptia/party-size", 0.9):
            counts[kinds[0]] = 7
            self.mark("enolaptia/party-size", {"min": 1, "max": 6})
        for kind, number in counts.items():
            sheet = CREATURES[kind]
            for n in range(1, number + 1):
                name = kind if number == 1 else f"{kind} {n}"
                self.foes.append(Unit(name, sheet["hp"], sheet["hp"], sheet["at"], sheet["speed"], "foes", kind=kind))
        said = ", ".join(k if n == 1 and rng.random() < 0.7 else f"{k} x{n}" for k, n in counts.items())
        self.add("Encounter: 1d6 = ", die, f" ({said})")
        if len(starters) > 1:
            order = rng.sample(starters, len(starters))
            for unit, share in zip(order, SHARES[len(order)], strict=True):
                unit.share = share
            self.add("Allocation: " + ", ".join(f"{self.short(u)} {u.share}" for u in order))
        if rng.random() < 0.3:
            self._hp_line()
        self._post()

    def _kinds_here(self) -> list[str]:
        rows = MAPS[self.map]["enemies"].values()
        return sorted({kind for row in rows for kind in (row if isinstance(row, list) else [row])})

    def _challenge(self, starters: list[Unit]) -> None:
        self.current = Written(starters[0].player, [])
        sides = [" and ".join(u.name for u in starters if u.side == side) for side in "ab"]
        if self.rng.random() < 0.8:
            self.add(f"{self.kind.capitalize()}: {sides[0]} against {sides[1]}")
        self._hp_line()
        self._post()

    def short(self, unit: Unit) -> str:
        """A fighter's name by the writer's habit."""
        assert self.current is not None
        if self.habits[self.current.author].full_names:
            return unit.name
        if unit.kind is None:
            return unit.name.split()[0]
        words = unit.name.split()
        return unit.name if not words[-1].isdigit() else " ".join(words[-2:])

    def _turn(self) -> None:
        self.turn += 1
        fighters = [u for u in [*self.party, *self.foes] if u.up and u.after < self.turn]
        entries = self._order(fighters)
        posters = self._posters(entries)
        self._begin_turn(entries, posters[0])
        for entry in entries:
            for unit in entry:
                if self.over:
                    break
                if not unit.up:
                    continue
                if unit.kind is None and len(posters) > 1 and self.current.author != unit.player:
                    self._hp_line_maybe()
                    self._post()
                    self.current = Written(unit.player, [])
                self._moves_of(unit)
                self._check_over()
        self._maybe_dead_acts()
        self._check_over()
        self._hp_line_maybe()
        if self.current.lines:
            self._post()
        self._between_turns()

    def _posters(self, entries: list[list[Unit]]) -> list[str]:
        players = [e[0].player for e in entries if e[0].kind is None]
        if self.rng.random() < 0.4 and len(players) > 1:
            return players
        return [self.rng.choice([u.player for u in self.party if u.up] or [self.party[0].player])]

    def _order(self, fighters: list[Unit]) -> list[list[Unit]]:
        """Entries by Speed: a character, or all creatures of a kind."""
        entries: dict[str, list[Unit]] = {}
        for unit in fighters:
            entries.setdefault(unit.kind or unit.name, []).append(unit)
        listed = list(entries.values())
        self.rng.shuffle(listed)
        return sorted(listed, key=lambda entry: -entry[0].speed)

    def _begin_turn(self, entries: list[list[Unit]], author: str) -> None:
        rng = self.rng
        self.current = Written(author, [])
        heading = self.habits[author].heading
        if heading and rng.random() < 0.7:
            self.add(heading.format(self.turn))
        tie: list = []
        for one, two in self._rivals(entries):
            die = self.d6("tie")
            first = two if self._second_first(one, two, die.value) else one
            if self.now("enolaptia/order", 0.5):
                self.mark("enolaptia/order", None)
                if rng.random() < 0.5 or self.kind != "party":
                    break
                first = one if first is two else two
            i, j = entries.index(one), entries.index(two)
            if (entries.index(first) == j) == (i < j):
                entries[i], entries[j] = entries[j], entries[i]
            tie += [" - " if not tie else "; ", "tie 1d6 = ", die, f", {first[0].kind or self.short(first[0])} first"]
        if len(entries) > 1 and entries[0][0].speed > entries[-1][0].speed and self.now("enolaptia/order", 0.2):
            entries[0], entries[-1] = entries[-1], entries[0]
            self.mark("enolaptia/order", None)
        said = [f"{e[0].kind or self.short(e[0])} ({e[0].speed})" for e in entries]
        self.add("Order: " + ", ".join(said), *tie)

    def _rivals(self, entries: list[list[Unit]]) -> list[tuple]:
        """At most one tie that takes a roll for each Speed."""
        found: list[tuple] = []
        seen: set[int] = set()
        for i, one in enumerate(entries):
            for two in entries[i + 1 :]:
                a, b = one[0], two[0]
                if a.speed == b.speed and a.side != b.side and a.speed not in seen:
                    same = [e for e in entries if e[0].speed == a.speed]
                    if len(same) == 2:
                        seen.add(a.speed)
                        found.append((one, two))
        return found

    def _second_first(self, one: list[Unit], two: list[Unit], die: int) -> bool:
        if self.kind != "party":
            return self.rng.random() < 0.5
        return (die <= 3) == (two[0].kind is not None)

    def _check_over(self) -> None:
        if self.kind == "party":
            self.over = not any(f.hp > 0 for f in self.foes) or not any(u.up for u in self.party)
        else:
            self.over = any(not any(u.up for u in self.party if u.side == side) for side in "ab")

    def _moves_of(self, unit: Unit) -> None:
        if unit.kind is None:
            self._character(unit)
            if unit.up and not self.over and self.now("enolaptia/moves", 0.2):
                self._check_over()
                if not self.over:
                    self.mark("enolaptia/moves", [1])
                    self._attack(unit, self._foe(unit))
        else:
            self._creature(unit)

    def _foe(self, unit: Unit) -> Unit:
        foes = self.foes if self.kind == "party" else [u for u in self.party if u.side != unit.side]
        return self.rng.choice([foe for foe in foes if foe.up])

    # -- moves -----------------------------------------------------------------------------------

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

    # -- between ---------------------------------------------------------------------------------

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
        elif planted and not carriers and rng.random() < 0.3:
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

    # -- writing down ----------------------------------------------------------------------------

    def _post(self, spectator: bool = False) -> None:
        rng, current = self.rng, self.current
        name = f"p{len(self.posts) + 1}"
        self.time += timedelta(minutes=rng.randint(40, 600), seconds=rng.randint(0, 59))
        post = {"id": name, "author": current.author, "at": self.time.isoformat()}
        if spectator:
            post["text"] = rng.choice(SPECTATORS)
            self.posts.append(post)
            return
        habits = self.habits[current.author]
        lines = [line.words(habits, lambda die: self._die(die, current.author, habits)) for line in current.lines]
        quoted = None
        if self.posts and rng.random() < 0.5 and "text" in self.posts[-1]:
            quoted = "\n".join(
                l for l in self.posts[-1]["text"].splitlines() if l and "[quote" not in l and "[/quote" not in l
            ).split("____")[0]
            if any(tag in quoted for tag in ("[ooc]", "[/ooc]", "[i]")):
                quoted = None
        key = "html" if self.html else "text"
        post[key] = body(rng, habits, lines, quoted, current.extra)
        post["_lines"] = lines
        post["_structure"] = current.lines
        if self.html:
            post[key] = to_html(post[key])
        if lines:
            self.last_post_of[current.author] = self.time
        self.posts.append(post)
        if self.marked is not None and self.expected is None:
            self.expected = (self.marked[0], name, self.marked[1])

    def _die(self, die: Die, author: str, habits: Habits) -> str:
        """A die as this writer proves it."""
        style = habits.links if habits.links != "mixed" else self.rng.choice(["after", "around", "bare", "inpost"])
        if style == "inpost":
            if self.html:
                return f'\0span class="roll" data-dice="1d6"\1{die.value}\0/span\1'
            return f"[roll=1d6]{die.value}[/roll]"
        self.link += self.rng.randint(1, 6)
        die.link = f"http://{die.host}/r/{self.link}"
        since = self.last_post_of.get(author) or datetime.fromisoformat(self.posts[0]["at"]) if self.posts else None
        room = 1200 if since is None else max(2, min(1200, int((self.time - since).total_seconds()) - 2))
        at = self.time - timedelta(seconds=self.rng.randint(1, room))
        unit = next(u for u in self.party if u.player == author)
        record = {
            "at": at.isoformat(),
            "by": author if habits.by_account else unit.name,
            "expression": "1d6",
            "values": [die.value],
        }
        if self.rng.random() < 0.7:
            record["label"] = die.label
        self.rolls[die.link] = record
        if self.rng.random() < 0.03:
            self._decoy(record)
        if style == "after":
            return f"{die.value} {self._anchor(die.link, 'roll')}"
        if style == "around":
            return self._anchor(die.link, str(die.value))
        return f"{die.value} ({self._anchor(die.link, die.link) if self.html else die.link})"

    def _anchor(self, link: str, words: str) -> str:
        if self.html:
            return f'\0a href="{link}"\1{words}\0/a\1'
        return f"[url={link}]{words}[/url]"

    def _decoy(self, record: dict) -> None:
        """Rolls nearby that are no fishing: of another roller or other dice."""
        other = dict(record, link=f"http://dice.example/r/9{self.link}", label=record.get("label", "damage"))
        if self.rng.random() < 0.5:
            other["by"] = "Ysolde of Table Four"
        else:
            other["expression"] = "1d12"
        self.siblings.append(other)

    def _transcript(self) -> dict:
        characters = []
        for unit in self.party:
            sheet = {
                "name": unit.name,
                "player": unit.player,
                "side": unit.side,
                "stats": {"HP": unit.top, "AT": unit.at, "Speed": unit.speed},
            }
            if unit.items:
                sheet["items"] = unit.items
            if unit is self.party[-1] and not unit.share and self.kind == "party" and len(self.party) > 1:
                sheet["present"] = False
            characters.append(sheet)
        tables = dict(ABILITIES)
        options = {"kind": self.kind} if self.kind != "party" else {"map": self.map}
        if self.kind == "party":
            tables |= {"maps": {self.map: MAPS[self.map]}, "creatures": CREATURES}
        for post in self.posts:
            if "html" in post:
                post["html"] = post["html"].replace("\0", "<").replace("\1", ">")
            if "text" in post:
                post["text"] = post["text"].replace("\0", "<").replace("\1", ">")
        return {
            "schema": "referee/transcript@1",
            "ruleset": "enolaptia",
            "title": "A simulated battle",
            "battle": options,
            "characters": characters,
            "tables": tables,
            "posts": self.posts,
            "rolls": self.rolls,
            "siblings": self.siblings,
        }
