"""Whole made-up battles: rounds, and the abnormal attacks of the rulebook."""

from __future__ import annotations

from tests.support.angel_dolls_sim import (
    GEAR,
    Doll,
    Head,
    Hold,
    Hp,
    Retry,
    Roll,
    Say,
    Side,
)
from tests.support.angel_dolls_sim_ring import Ring


class Fight(Ring):
    """One battle on the way, with its manoeuvres."""

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


def fight(seed: int) -> Fight:
    """An honest battle for a seed."""
    while True:
        try:
            return Fight(seed)
        except Retry:
            seed += 1_000_003
