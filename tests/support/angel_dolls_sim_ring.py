"""The ring of a made-up battle: sheets, stats, check lines, damage - and what a doll is up to."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from tests.support.angel_dolls_sim import (
    BARE,
    ELEMENTS,
    GEAR,
    NAMES,
    PLAYERS,
    POWERS,
    REASONS,
    STATS,
    Doll,
    Full,
    Head,
    Hold,
    Hp,
    Line,
    Points,
    Retry,
    Roll,
    Say,
    Side,
    SimPost,
)


class Ring:
    """One battle on the way: state, dice, lines of the judge's present post."""

    def __init__(self, seed: int) -> None:
        r = self.r = random.Random(seed)
        self.judge = r.choice(["arbiter", "Judge Corvane", "judge_iven"])
        names = r.sample(NAMES, 2 if r.random() < 0.9 else 3)
        players = r.sample(PLAYERS, len(names))
        self.dolls = {n: self._doll(n, p) for n, p in zip(names, players, strict=True)}
        self.posts: list[SimPost] = []
        self.turn = 1
        self.holds: list[Hold] = []
        self.now = datetime(2026, 1, 2, 10, tzinfo=UTC) + timedelta(minutes=r.randrange(100000))
        self.lines: list[Line] = []
        self.full: str | None = None
        self.together: tuple[str, str] | None = None
        self._battle()

    # -- sheets ----------------------------------------------------------------------------------

    def _doll(self, name: str, player: str) -> Doll:
        r = self.r
        items = r.choice([[], ["paired claws"], ["long spear"], ["war hammer"], ["chain whip"], ["chain whip"]])
        items = items + [a for a in ("scope chip", "mirror circuit", "gyro ring", "torque cell") if r.random() < 0.35]
        generator, bonus = None, 0
        top = r.randint(45, 220)
        if r.random() < 0.25:
            generator, bonus = r.choice([(100, 10), (150, 5), (200, 0), (250, -5), (300, -10)])
            top = generator
        return Doll(
            name, player, {s: r.randint(2, 10) for s in STATS}, {s: r.randint(14, 34) for s in STATS}, top, top,
            {e: r.choice([0, 0, 5, 5, -5, -5, 10, 15, 30, -10, -20, -30]) for e in ELEMENTS}, items, generator, bonus,
            weapon_hp={i: GEAR[i]["hp"] for i in items if "hp" in GEAR[i]},
        )  # fmt: skip

    def usable(self, doll: Doll, item: str) -> bool:
        if item in doll.gone | doll.wild | doll.broken or doll.disabled.get(item, 0) >= self.turn:
            return False
        held = any(h.held == doll.name and h.part == "weapon" for h in self.holds)
        return not (held and GEAR[item]["type"] == "weapon")

    def weapon(self, doll: Doll) -> str | None:
        return next((i for i in doll.items if GEAR[i]["type"] == "weapon" and self.usable(doll, i)), None)

    def stat(self, doll: Doll, stat: str, weapon: str | None = None) -> int:
        value = doll.deus[stat] + doll.own[stat] + doll.bonus
        for item in doll.items:
            if GEAR[item]["type"] == "accessory" and self.usable(doll, item):
                value += GEAR[item]["stats"].get(stat, 0)
        return value + (GEAR[weapon]["stats"].get(stat, 0) if weapon else 0)

    def guard_stat(self, doll: Doll, stat: str) -> int:
        value = self.stat(doll, stat)
        if doll.name == self.full:
            return value * 3 // 2 + (value % 2 and self.r.random() < 0.5)
        if self.together and doll.name in self.together:
            return value // 2 + (value % 2 and self.r.random() < 0.5)
        return value

    # -- one check side --------------------------------------------------------------------------

    def side(self, doll: Doll, stat: str, base: int, mods: list[tuple[int, str]], own_mod: bool = True) -> Side:
        r = self.r
        mods = list(mods)
        while own_mod and r.random() < 0.22 and len(mods) < 5:
            extra = (r.choice([3, 5, 10, -5, -8, -2, 4]), r.choice(REASONS))
            mods.insert(r.randint(0, len(mods)), extra)
        side = Side(doll.name, stat, base, mods, r.randint(1, 50))
        side.add_up()
        return side

    def held_mods(self, doll: Doll, stat: str) -> list[tuple[int, str]]:
        found = []
        for hold in self.holds:
            if hold.held != doll.name:
                continue
            if hold.part == "legs" and stat in ("Agility", "Reflexes"):
                found.append((-20, "legs entangled"))
            elif hold.part == "arms" and stat == "Agility":
                found.append((-40, "arms entangled"))
            elif hold.part == "strangle hold" and stat == "Agility":
                found.append((-10, "strangled"))
        return found

    # -- the battle ------------------------------------------------------------------------------

    def _battle(self) -> None:
        r = self.r
        for turn in range(1, r.randint(4, 10)):
            for doll in self.dolls.values():
                if r.random() < 0.75:
                    self.post(doll.player)
            self._round(turn)
            if sum(d.hp > 0 for d in self.dolls.values()) < 2:
                break
        winners = [d.name for d in self.dolls.values() if d.hp > 0]
        end: list[Line] = [Say(f"Winner: {winners[0]}", "winner")] if len(winners) == 1 else []
        self.post(self.judge, [*end, Points([(n, r.randint(0, 5)) for n in self.dolls])])

    def post(self, author: str, lines: list[Line] | None = None) -> SimPost:
        self.now += timedelta(minutes=self.r.randint(20, 600))
        post = SimPost(f"p{len(self.posts) + 1}", author, self.now, lines or [], judge=author == self.judge)
        self.posts.append(post)
        return post

    def _round(self, turn: int) -> None:
        r = self.r
        self.lines, self.full, self.together = [], None, None
        alive = [d for d in self.dolls.values() if d.hp > 0]
        order = r.sample(alive, len(alive))
        if len(order) == 2 and r.random() < 0.1:
            self.together = (order[0].name, order[1].name)
            text = f"Simultaneous: {order[0].name} and {order[1].name} "
            text += f"(defensive stats halved, {order[0].name} hits automatically)"
            self.lines.append(Say(text, "together"))
        elif r.random() < 0.12:
            doll = order.pop()
            self.full = doll.name
            value = self.stat(doll, "Reflexes")
            self.full_value = self.guard_stat(doll, "Reflexes")
            self.lines.append(Full(doll.name, "Reflexes", value, self.full_value))
        self._strangles()
        for doll in order:
            if doll.hp <= 0:
                continue
            others = [d for d in self.dolls.values() if d.hp > 0 and d is not doll]
            if not others:
                break
            self._turn(doll, r.choice(others))
        self._endings()
        self.post(self.judge, self.lines)
        self.turn += 1

    def _strangles(self) -> None:
        for hold in [h for h in self.holds if h.part == "strangle hold"]:
            if self.dolls[hold.holder].hp > 0 and self.dolls[hold.held].hp > 0:
                self._step(hold)

    def _step(self, hold: Hold) -> None:
        holder, held = self.dolls[hold.holder], self.dolls[hold.held]
        hold.steps += 1
        step = (self.stat(holder, "Strength") // 4) * 2 ** (hold.steps - 1)
        right = self.side(held, "Durability", self.guard_stat(held, "Durability"), [], own_mod=False)
        result = max(0, step - right.total)
        left = Side(holder.name, None, step, total=step)
        self.lines.append(Roll("strangle", left, right, result=result, round=hold.steps))
        self._hurt(held, result)

    def _endings(self) -> None:
        r = self.r
        for hold in list(self.holds):
            if self.dolls[hold.holder].hp <= 0 or r.random() < 0.3:
                self.holds.remove(hold)
                what = "hold" if hold.part == "strangle hold" else "entangle"
                self.lines.append(Say(f"{hold.held} breaks free of the {what}.", "free"))
        for doll in self.dolls.values():
            for item in sorted(doll.gone | doll.wild):
                if r.random() < 0.35 and doll.hp > 0:
                    self._regain(doll, item)

    def _regain(self, doll: Doll, item: str) -> None:
        verb = "retrieves" if item in doll.gone or self.r.random() < 0.5 else "regains control of"
        doll.gone.discard(item)
        doll.wild.discard(item)
        self.lines.append(Say(f"{doll.name} {verb} the {item}.", "regain"))

    # -- a doll's turn ---------------------------------------------------------------------------

    def _turn(self, doll: Doll, foe: Doll) -> None:
        r = self.r
        lost = sorted(doll.gone | doll.wild)
        if lost and r.random() < 0.3 and not self.together:
            self._regain(doll, lost[0])
            return
        held = [h for h in self.holds if h.held == doll.name and h.weapon and h.holder == foe.name]
        dropped = next((i for i in doll.items if GEAR[i].get("handheld")), None)
        if any(h.part == "weapon" for h in held) and dropped and r.random() < 0.25:
            self.holds = [h for h in self.holds if (h.held, h.part) != (doll.name, "weapon")]
            doll.gone.add(dropped)
            self.lines.append(
                Say(f"{doll.name} drops the {dropped}{r.choice([' to break the entangle', ''])}.", "drop")
            )
        elif held and r.random() < 0.35 and not self.together:
            self._break(doll, foe, held[0])
            return
        kind = r.random()
        weapon = self.weapon(doll)
        if self.together or kind < 0.3:
            self._strikes(doll, foe, 1)
        elif kind < 0.5:
            self._strikes(doll, foe, r.choice([2, 2, 3, 4]))
        elif kind < 0.6:
            self._disarm(doll, foe, weapon)
        elif kind < 0.68:
            self._disable(doll, foe, weapon)
        elif kind < 0.78:
            self._shatter(doll, foe, weapon)
        elif kind < 0.93 and weapon == "chain whip":
            self._entangle(doll, foe, weapon)
        elif not any(h.part == "strangle hold" for h in self.holds):
            self._entangle(doll, foe, None)
        else:
            self._strikes(doll, foe, 1)

    def hit(self, head: Head, mods: list[tuple[int, str]], weapon: str | None, spared: bool = False) -> Roll:
        doll, foe = self.dolls[head.attacker], self.dolls[head.defender]
        own = [] if spared else self.held_mods(doll, "Agility")
        chain = [(amount, "chain") for amount, where in head.chain if where == "hit"]
        left = self.side(doll, "Agility", self.stat(doll, "Agility", weapon), [*mods, *chain, *own])
        reflexes = self.full_value if foe.name == self.full else self.guard_stat(foe, "Reflexes")
        right = self.side(foe, "Reflexes", reflexes, self.held_mods(foe, "Reflexes"))
        word = "hit" if left.total > right.total else "miss"
        if left.total == right.total:
            word = self.r.choice(["hit", "miss"])
        roll = Roll("hit", left, right, word)
        self.lines += [head, roll]
        return roll

    def _strikes(self, doll: Doll, foe: Doll, number: int) -> None:
        r = self.r
        bearers: dict[int, list[tuple[int, str]]] = {k: [] for k in range(1, number + 1)}
        for k in range(2, number + 1):
            at = k if r.random() < 0.6 else r.randint(1, number)
            bearers[at].append((-10 * (k - 1), r.choice(["hit", "damage"])))
        first_auto = self.together is not None and self.together[0] == doll.name
        show_first = r.random() < 0.5
        for k in range(1, number + 1):
            if foe.hp <= 0:
                self._trim(doll, k - 1, bearers)
                return
            self._strike(doll, foe, Head(doll.name, foe.name, "", k, bearers[k], number > 1, show_first), first_auto)
            first_auto = False

    def _trim(self, doll: Doll, made: int, bearers: dict[int, list[tuple[int, str]]]) -> None:
        """The chain ended early by a fall: only the penalties of the attacks made may stand."""
        heads = [line for line in self.lines if isinstance(line, Head) and line.attacker == doll.name]
        due = sorted(-10 * k for k in range(1, made))
        shown = sorted(amount for head in heads for amount, _ in head.chain)
        if due != shown:
            raise Retry

    def _strike(self, doll: Doll, foe: Doll, head: Head, automatic: bool) -> None:
        r = self.r
        weapon = self.weapon(doll)
        element = None
        if r.random() < 0.35:
            power, element = r.choice(list(POWERS.items()))
            head.means, weapon = f"{power} ({element})", r.choice([weapon, None, None])
        elif weapon and r.random() < 0.75:
            head.means = weapon
        else:
            head.means, weapon = r.choice(BARE), r.choice([weapon, None, None])
        if automatic:
            self.lines += [head, Roll("hit", word="auto")]
        else:
            bonus = [(20, "entangled")] if element and any(h.held == doll.name for h in self.holds) else []
            if self.hit(head, bonus, weapon).word == "miss":
                return
        self._damage(doll, foe, head, weapon, element)

    def _damage(
        self, doll: Doll, foe: Doll, head: Head, weapon: str | None, element: str | None, third: bool = False
    ) -> int:
        r = self.r
        mine, theirs = ("Magic", "Resistance") if element else ("Strength", "Durability")
        chain = [(amount, "chain") for amount, where in head.chain if where == "damage"]
        left = self.side(doll, mine, self.stat(doll, mine, weapon), chain)
        right = self.side(foe, theirs, self.guard_stat(foe, theirs), [])
        result = max(0, left.total - right.total)
        roll = Roll("damage", left, right)
        if element:
            own, other = doll.affinities[element], foe.affinities[element]
            roll.aff = (element, own, other)
            if left.total > right.total:
                result = max(0, left.total - right.total + own - other)
            else:
                result = r.choice([0, max(0, own - other), max(0, left.total - right.total + own - other)])
        if third:
            result = r.choice([result // 3, -(-result // 3)])
        roll.result = result
        self.lines.append(roll)
        self._hurt(foe, result)
        return result

    def _hurt(self, doll: Doll, damage: int) -> None:
        old, doll.hp = doll.hp, max(0, doll.hp - damage)
        if damage or self.r.random() < 0.3:
            self.lines.append(Hp(doll.name, old, doll.hp, doll.top, slash=self.r.random() < 0.35))
