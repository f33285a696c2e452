"""Staff rulings in the doll arena (X15): `set: {hp: n}`, `fate`, `bonus_damage`, by post and character."""

from __future__ import annotations

from collections.abc import Iterator

from referee.model.battle import Ruling
from referee.model.figure import Figure
from referee.ports.rules import Entry
from rules.angel_dolls.judging.state import Bout
from rules.angel_dolls.tables import mapping, number


def _in_force(bout: Bout, entry: Entry) -> Iterator[tuple[int, Ruling]]:
    """The rulings whose scope holds the post of `entry`."""
    battle = bout.case.battle
    if not battle.rulings:
        return
    order = {post.id: place for place, post in enumerate(battle.posts)}
    for place, ruling in enumerate(battle.rulings):
        first = order.get(ruling.post)
        last = order.get(ruling.until or ruling.post, first)
        if first is not None and last is not None and first <= entry.index <= last:
            yield place, ruling


def extra_damage(bout: Bout, entry: Entry, who: str | None, right: frozenset[int]) -> frozenset[int]:
    """The damage with a ruling's `bonus_damage` for that attacker."""
    for place, ruling in _in_force(bout, entry):
        bonus = number(ruling.effect.get("bonus_damage"))
        if bonus is not None and ruling.character in (None, who) and right:
            bout.rulings_used.add(place)
            right = frozenset(max(0, value + bonus) for value in right)
    return right


def apply_rulings(bout: Bout, entry: Entry) -> None:
    """Put `set` and `fate` into force before the first post that they reach is judged."""
    for place, ruling in _in_force(bout, entry):
        if place in bout.rulings_applied:
            continue
        bout.rulings_applied.add(place)
        for doll in bout.dolls.values():
            if ruling.character in (None, doll.name):
                _apply(bout, place, ruling, doll.name)


def _apply(bout: Bout, place: int, ruling: Ruling, name: str) -> None:
    doll = bout.dolls[name]
    value = number(mapping(ruling.effect.get("set")).get("hp"))
    if value is not None:
        bout.rulings_used.add(place)
        doll.hp.figure, doll.hp.claimed = Figure.of(value), value
        doll.hp.steps.clear()
        doll.hp.forked = False
    fate = ruling.effect.get("fate")
    if fate in ("alive", "unconscious", "dead") and ruling.character == name:
        bout.rulings_used.add(place)
        doll.fate = "alive" if fate == "alive" else "down"
