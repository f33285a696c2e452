"""Staff rulings in the doll arena (X15): `set: {hp: n}`, `fate`, `bonus_damage`, by post and character."""

from __future__ import annotations

from collections.abc import Iterator

from referee.model.battle import Ruling
from referee.ports.rules import Entry
from rules.angel_dolls.judging.state import Bout, Pool
from rules.angel_dolls.statements import PoolLine
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
                _apply(bout, place, ruling, doll.name, entry)


def apply_behind(bout: Bout, entry: Entry) -> None:
    """Set the HP that a ruling gives behind the lines of its own post."""
    for pool, value in bout.rulings_behind:
        _go_on(pool, value, entry)
    bout.rulings_behind.clear()


def _go_on(pool: Pool, value: int, entry: Entry) -> None:
    pool.forked = False
    pool.settle(value, entry.index, fault=False)


def _apply(bout: Bout, place: int, ruling: Ruling, name: str, entry: Entry) -> None:
    doll = bout.dolls[name]
    if doll.down:
        for hold in bout.holds:  # If it is up again, a hold that ended with its fall may be told or not.
            hold.sure = hold.sure and name not in (hold.held, hold.holder)
    value = number(mapping(ruling.effect.get("set")).get("hp"))
    if value is not None:
        bout.rulings_used.add(place)
        lines = (c.data for c in entry.reading.claims if isinstance(c.data, PoolLine) and c.data.owner == name)
        first = next(lines, None)
        if first is None or first.old == value:
            _go_on(doll.hp, value, entry)
        elif first.old is not None:
            bout.rulings_behind.append((doll.hp, value))
        else:  # The line may stand before the ruling or behind it.
            doll.hp.settle(value, entry.index, fault=True)
    fate = ruling.effect.get("fate")
    if fate in ("alive", "unconscious", "dead") and ruling.character == name:
        bout.rulings_used.add(place)
        doll.fate = "alive" if fate == "alive" else "down"
