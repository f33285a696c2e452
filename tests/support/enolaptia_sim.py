"""Random battles of Enolaptia, honest or with one planted fault, written from the rulebook.

`Sim(rng, fault).run()` plays a battle by the rulebook and writes it down as a transcript; `expected`
says what was planted. The judge's code is not used here.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime

from tests.support.enolaptia_sim_between import Between
from tests.support.enolaptia_sim_book import ABILITIES, CREATURES, MAPS, NAMES, SHARES, Unit, Written
from tests.support.enolaptia_sim_moves import Moves
from tests.support.enolaptia_sim_posts import Posts
from tests.support.enolaptia_sim_text import Die, Habits, Line


class Sim(Moves, Between, Posts):
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
