"""Random honest battles of dolls, written from the rulebook: who does what, and the numbers of it.

A battle is a list of `SimPost`; a judge's post holds structured lines (`Head`, `Roll`, `Hp` ...)
that `angel_dolls_sim_text` writes down in one judge's habits and `angel_dolls_sim_plant` spoils.
The arithmetic here shares nothing with the rule code.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

STATS = ["Strength", "Agility", "Durability", "Reflexes", "Magic", "Resistance"]
ELEMENTS = ["Fire", "Water", "Earth", "Air", "Lightning", "Ice", "Light", "Dark"]
GEAR: dict[str, dict[str, Any]] = {
    "paired claws": {"type": "weapon", "handheld": False, "stats": {"Agility": 10, "Strength": 10}},
    "long spear": {"type": "weapon", "handheld": True, "stats": {"Strength": 12}, "durability": 30, "hp": 40},
    "war hammer": {
        "type": "weapon", "handheld": True, "stats": {"Strength": 18, "Agility": -4}, "durability": 34, "hp": 50,
    },
    "chain whip": {
        "type": "weapon", "handheld": True, "entangles": True, "stats": {"Agility": 6, "Strength": 4},
        "durability": 26, "hp": 36,
    },
    "scope chip": {"type": "accessory", "stats": {"Agility": 5}},
    "mirror circuit": {"type": "accessory", "stats": {"Resistance": 8}},
    "gyro ring": {"type": "accessory", "stats": {"Reflexes": 6}},
    "torque cell": {"type": "accessory", "stats": {"Strength": 7}},
}  # fmt: skip
POWERS = {
    "Shadow Snap": "Dark", "Ion Pulse": "Light", "Cinder Fan": "Fire", "Riptide": "Water",
    "Basalt Fist": "Earth", "Razor Gale": "Air", "Arc Nail": "Lightning", "Hoar Kiss": "Ice",
}  # fmt: skip
NAMES = ["Riget", "Sedrik", "Talon", "Blank", "Wyvern", "Marrow", "Quill", "Pascal", "Tamsin Vale", "Old Ivo"]
PLAYERS = ["mara", "tomas", "ilse", "brandt", "juno44", "cole_v"]
REASONS = ["high ground", "dust", "footing", "momentum", "sun in the eyes", "good roleplay", "range", "wet floor"]
BARE = ["kick", "elbow", "knee", "body check", "headlong tackle"]


@dataclass
class Side:
    who: str
    stat: str | None
    base: int
    mods: list[tuple[int, str]] = field(default_factory=list)
    roll: int | None = None
    thing: str | None = None
    total: int = 0
    shown_roll: int | None = None
    link: bool = True
    record: dict[str, Any] = field(default_factory=dict)

    def add_up(self) -> int:
        self.total = self.base + sum(value for value, _ in self.mods) + (self.roll or 0)
        return self.total


@dataclass
class Head:
    attacker: str
    defender: str
    means: str
    number: int = 1
    chain: list[tuple[int, str]] = field(default_factory=list)
    chained: bool = False
    show_first: bool = False


@dataclass
class Roll:
    kind: str
    left: Side | None = None
    right: Side | None = None
    word: str | None = None
    result: int | None = None
    aff: tuple[str, int, int] | None = None
    round: int | None = None


@dataclass
class Hp:
    who: str
    old: int
    new: int
    top: int
    thing: str | None = None
    slash: bool = False


@dataclass
class Say:
    text: str
    what: str = ""


@dataclass
class Full:
    who: str
    stat: str
    old: int
    new: int


@dataclass
class Points:
    points: list[tuple[str, int]]


Line = Head | Roll | Hp | Say | Full | Points


@dataclass
class SimPost:
    id: str
    author: str
    at: datetime
    lines: list[Line] = field(default_factory=list)
    judge: bool = False
    edited: datetime | None = None
    deleted: datetime | None = None
    text: str = ""
    revisions: list[dict[str, Any]] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    bare: bool = False


@dataclass
class Hold:
    holder: str
    held: str
    part: str
    weapon: str | None
    steps: int = 0


@dataclass
class Doll:
    name: str
    player: str
    deus: dict[str, int]
    own: dict[str, int]
    hp: int
    top: int
    affinities: dict[str, int]
    items: list[str]
    generator: int | None
    bonus: int
    gone: set[str] = field(default_factory=set)
    wild: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    disabled: dict[str, int] = field(default_factory=dict)
    weapon_hp: dict[str, int] = field(default_factory=dict)


class Fight:
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
            text = f"Simultaneous: {order[0].name} and {order[1].name} (defensive stats halved, {order[0].name} hits automatically)"
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

    # -- manoeuvres ------------------------------------------------------------------------------

    def _disarm(self, doll: Doll, foe: Doll, weapon: str | None) -> None:
        target = next((i for i in foe.items if GEAR[i].get("handheld") and i not in foe.gone | foe.broken), None)
        if target is None:
            self._strikes(doll, foe, 1)
            return
        better = any((h.holder, h.held, h.part) == (doll.name, foe.name, "weapon") for h in self.holds)
        head = Head(doll.name, foe.name, "Disarm" + (f", {weapon}" if weapon else ""))
        hit = self.hit(head, [(10 if better else -10, "disarm")], weapon, spared=True)
        if hit.word == "miss" or hit.left is None or hit.right is None:
            return
        margin = hit.left.total - hit.right.total
        left = self.side(doll, "Strength", self.stat(doll, "Strength", weapon), [(margin, "margin")])
        right = self.side(foe, "Strength", self.stat(foe, "Strength", self.r.choice([self.weapon(foe), None])), [])
        done = left.total > right.total
        self.lines.append(Roll("disarm", left, right, "disarmed" if done else "keeps hold"))
        if done:
            foe.gone.add(target)
            self.lines.append(Say(f"{foe.name} loses the {target}.", "lose"))
            self._let_go(foe, target)

    def _let_go(self, doll: Doll, weapon: str, said: bool = True) -> None:
        for hold in [h for h in self.holds if (h.holder, h.weapon) == (doll.name, weapon)]:
            self.holds.remove(hold)
            if said:
                self.lines.append(Say(f"{hold.held} breaks free of the entangle.", "free"))
        self.holds = [h for h in self.holds if not ((h.held, h.part) == (doll.name, "weapon") and weapon in doll.gone)]

    def _disable(self, doll: Doll, foe: Doll, weapon: str | None) -> None:
        target = next((i for i in foe.items if GEAR[i]["type"] == "accessory" and self.usable(foe, i)), None)
        if target is None:
            self._strikes(doll, foe, 1)
            return
        head = Head(doll.name, foe.name, f"Disable: {target}")
        if self.hit(head, [(-10, "disable")], weapon).word == "miss":
            return
        damage = self._damage(doll, foe, head, weapon, None, third=True)
        if damage:
            foe.disabled[target] = self.turn + damage
            self.lines.append(Say(f"{foe.name}'s {target} is out for {damage} turns.", "out"))

    def _weapon_damage(self, doll: Doll, foe: Doll, target: str, weapon: str | None) -> int:
        r = self.r
        left = self.side(doll, "Strength", self.stat(doll, "Strength", weapon), [])
        right = Side(foe.name, None, GEAR[target]["durability"], [], r.randint(1, 50), thing=target)
        result = max(0, left.total - right.add_up())
        self.lines.append(Roll("weapon", left, right, result=result))
        old = foe.weapon_hp[target]
        foe.weapon_hp[target] = max(0, old - result)
        if foe.weapon_hp[target] <= 0:
            foe.broken.add(target)
            self.lines.append(Say(f"{foe.name}'s {target} shatters.", "shatter"))
            self._let_go(foe, target, said=False)
            self.holds = [h for h in self.holds if (h.held, h.part) != (foe.name, "weapon")]
        elif result and r.random() < 0.5:
            self.lines.append(Hp(foe.name, old, foe.weapon_hp[target], GEAR[target]["hp"], target))
        return result

    def _shatter(self, doll: Doll, foe: Doll, weapon: str | None) -> None:
        r = self.r
        target = next((i for i in foe.items if GEAR[i].get("hp") and self.usable(foe, i)), None)
        if target is None:
            self._strikes(doll, foe, 1)
            return
        head = Head(doll.name, foe.name, "Shattering Blow" + (f", {weapon}" if weapon else ""))
        if self.hit(head, [], weapon).word == "miss":
            return
        result = self._weapon_damage(doll, foe, target, weapon)
        if not result or target in foe.broken:
            return
        left = self.side(doll, None, result, [])  # type: ignore[arg-type]
        right = self.side(foe, "Strength", self.stat(foe, "Strength", r.choice([target, None])), [])
        lost = left.total > right.total
        self.lines.append(Roll("control", left, right, "loses control" if lost else "keeps control"))
        if lost:
            foe.wild.add(target)

    def _entangle(self, doll: Doll, foe: Doll, weapon: str | None) -> None:
        r = self.r
        if any(h.holder == doll.name or h.held == foe.name for h in self.holds):
            self._strikes(doll, foe, 1)
            return
        parts = ["legs", "arms"]
        if sum(1 for i in foe.items if GEAR[i].get("handheld") and self.usable(foe, i)) == 1:
            parts.append("weapon")
        part = r.choice(parts) if weapon else "strangle hold"
        means = f"Entangle ({part}), {weapon}" if weapon else "Strangle hold"
        if self.hit(Head(doll.name, foe.name, means), [(-10, "entangle")], weapon).word == "miss":
            return
        hold = Hold(doll.name, foe.name, part, weapon)
        self.holds.append(hold)
        self.lines.append(Say(f"{foe.name} is entangled ({part}).", "entangled"))
        if part == "strangle hold":
            self._step(hold)

    def _break(self, doll: Doll, foe: Doll, hold: Hold) -> None:
        weapon = self.weapon(doll)
        target = hold.weapon or ""
        head = Head(doll.name, foe.name, f"Break: {target}" + (f", {weapon}" if weapon else ""))
        if self.hit(head, [], weapon, spared=True).word == "miss":
            return
        self._weapon_damage(doll, foe, target, weapon)
        if target not in foe.broken and self.r.random() < 0.5 and hold in self.holds:
            self.holds.remove(hold)
            self.lines.append(Say(f"{doll.name} breaks free of the entangle.", "free"))


class Retry(Exception):
    """A battle that would need the writer to know the future; take the next seed."""


def fight(seed: int) -> Fight:
    """An honest battle for a seed."""
    while True:
        try:
            return Fight(seed)
        except Retry:
            seed += 1_000_003
