"""HP lines, drops and EXP against what the battle has come to (E12 to E14)."""

from __future__ import annotations

import re

from referee.model.report import Finding
from referee.ports.reading import squeeze
from referee.ports.sayings import one_of
from rules.enolaptia.claims import DropRow, Drops, Exp, HpLine, HpRow
from rules.enolaptia.judging.field import Fighter
from rules.enolaptia.judging.scene import Head, Scene, Spot
from rules.enolaptia.judging.workings import hp_lines
from rules.enolaptia.rewards import drops_something, exp_of

#: What may stand in front of an item's name, or behind it.
_COUNT = re.compile(r"^(?:an?|the|one|1)\s+(?:x\s+)?|^1x\s+|\s+x\s?1$")

# -- HP -------------------------------------------------------------------------------------------


def state(scene: Scene, spot: Spot, line: HpLine) -> None:
    """Every HP of a line against the old HP less the damage (E14)."""
    for row in line.rows:
        fighter = scene.field.find(row.name)
        if fighter is not None:
            _stated(scene, spot, fighter, row)
        else:
            # A kind without a number where several were met may be any of them.
            scene.stranger(spot, row.name, "the HP written are not judged")
            scene.loosen(scene.field.of_kind(row.name))


def _stated(scene: Scene, spot: Spot, fighter: Fighter, row: HpRow) -> None:
    if row.now < 0 and fighter.pool.below_zero == row.now:
        row = row._replace(now=0)  # How far a blow went below 0 is no other HP than 0.
    _judge_stated(scene, spot, fighter, row)
    fighter.pool.begin(spot.entry.post.id, row.now)


def _judge_stated(scene: Scene, spot: Spot, fighter: Fighter, row: HpRow) -> None:
    pool = fighter.pool
    fighter.seen = True
    scene.touch(fighter)
    if pool.top is None and pool.start is None:
        scene.missing(spot, fighter, "HP")
        pool.top = row.top
    elif row.top is not None and pool.top is not None and row.top != pool.top:
        message = f"{fighter.name} has at most {pool.top} HP in the tables, the post says {row.top}"
        scene.unchecked(spot, f"top:{fighter.name}", message)
    if spot.before is not None and isinstance(spot.before.data, HpLine):
        was = next((old.now for old in spot.before.data.rows if scene.field.find(old.name) is fighter), None)
        if was is not None and was != row.now:
            pool.allow(was)
            pool.allow(row.now)
            return
        if was is not None:
            spot = spot._replace(before=None)  # The edit changed somebody else's number (G20).
    if pool.admits(row.now):
        taken_back = pool.settle(row.now)
        if taken_back is not None:
            scene.case.book.taken_back(taken_back, spot.entry)
        return
    if (spot.entry.post.id, fighter.name, row.now) in scene.ruled_hp:
        pool.allow(row.now)
        return
    _misses(scene, spot, fighter, row)


def _misses(scene: Scene, spot: Spot, fighter: Fighter, row: HpRow) -> None:
    pool = fighter.pool
    head = Head(spot, fighter, row.now, pool.readings.likely, list(hp_lines(pool)))
    if scene.at_head:
        scene.heads.append(head)
    pool.contest(row.now, None if scene.at_head else _wrong(scene, head))


def _wrong(scene: Scene, head: Head) -> Finding | None:
    return scene.report(
        "hp",
        head.spot,
        head.fighter.name,
        f"{head.fighter.name} should be at {head.due.said()} HP, the post says {head.now}",
        claimed=head.now,
        expected=head.due,
        trace=head.trace,
    )


def judge_heads(scene: Scene) -> None:
    """HP at the head of a post, once its moves are known: some players write there what the post leaves (NE4)."""
    for head in scene.heads:
        if not head.fighter.pool.readings.computed.admits(head.now):
            _wrong(scene, head)
    scene.heads.clear()


# -- drops ----------------------------------------------------------------------------------------


def drops(scene: Scene, spot: Spot, found: Drops) -> None:
    """Every drop of a line (E12)."""
    for row in found.rows:
        if found.headed or not _no_drop(scene, spot, row):
            _drop(scene, spot, row)


def _no_drop(scene: Scene, spot: Spot, row: DropRow) -> bool:
    """A roll of a living creature outside a line of drops: perhaps its move (NE5: drops follow the win)."""
    fighter = scene.field.find(row.creature)
    if fighter is None or fighter.kind is None or fighter.pool.may_be_down:
        return False
    message = f"{fighter.name} stands: a roll of it outside a line of drops is not judged"
    scene.unchecked(spot, f"roll:{fighter.name}", message)
    scene.loosen(scene.field.everybody())
    return True


def _drop(scene: Scene, spot: Spot, row: DropRow) -> None:
    who = scene.author_of(spot.entry)
    first = scene.roll(spot, row.roll, who, rules=("E12",))
    second = scene.roll(spot, row.item_roll, who, rules=("E12",)) if row.item_roll.expression is not None else None
    reason = _not_due(scene, row) or _bonus_wrong(scene, spot, row)
    if reason is not None:
        _drop_fault(scene, spot, row, reason, None)
        return
    bonus = sum(number for number, _ in row.bonuses)
    totals = [dice[0] + bonus for dice in first.readings if dice]
    if row.bonuses and row.total is not None and totals and row.total not in totals:
        _drop_fault(scene, spot, row, f"the drop roll comes to {totals[0]}, not {row.total}", None)
        return
    if totals and not any(drops_something(total) == (row.found is not None) for total in totals):
        due = "an item" if drops_something(totals[0]) else "nothing"
        _drop_fault(scene, spot, row, f"a drop roll of {totals[0]} gives {due}", None)
        return
    if row.found is not None and second is not None:
        _item(scene, spot, row, [dice[0] for dice in second.readings if dice])


def _item(scene: Scene, spot: Spot, row: DropRow, dice: list[int]) -> None:
    names = [scene.book.drop(die) for die in dice]
    if not names or any(name is None for name in names):
        if not scene.book.has_map:
            scene.unchecked(spot, "map", "the tables have no map book for this battle: drops are not judged")
        return
    if any(_same_item(name or "", row.found or "") for name in names):
        return
    if not any(scene.book.knows_item(form) for form in _spellings(row.found or "")):
        scene.unchecked(spot, f"item:{row.found}", f"the tables have no {row.found}: the drop is not judged")
    else:
        _drop_fault(scene, spot, row, f"the map's list has {names[0]} for {dice[0]}", names[0])


def _same_item(name: str, said: str) -> bool:
    return squeeze(name) in _spellings(said)


def _spellings(said: str) -> tuple[str, ...]:
    """An item as written and without article or number, plural or hyphen: `a Rat Tail`, `1 Rat Tail`, `Rat-Tails`."""
    form = squeeze(said)
    bare = _COUNT.sub("", form)
    plain = bare.replace("-", " ")
    return (form, bare, plain, bare.removesuffix("s"), plain.removesuffix("s"))


def _not_due(scene: Scene, row: DropRow) -> str | None:
    """Why this creature has no drop, or None (NE10)."""
    fighter = scene.field.find(row.creature)
    if fighter is None:
        if not scene.field.counts or not scene.field.numbered_beyond(row.creature):
            return None
        return f"there was no {row.creature} in this battle"
    if fighter.kind is None:
        return "it is no creature of this battle"
    if not fighter.pool.may_be_down:
        return f"it was not killed, it has {fighter.pool.readings.open.said()} HP"
    if fighter.name in scene.dropped:
        return "it had its drop already"
    scene.dropped.add(fighter.name)
    return None


def _bonus_wrong(scene: Scene, spot: Spot, row: DropRow) -> str | None:
    """Why a bonus on the drop roll does not hold, or None (NE18)."""
    used: dict[str, int] = {}
    for number, item in row.bonuses:
        due = scene.book.drop_bonus(item)
        used[squeeze(item)] = used.get(squeeze(item), 0) + 1
        carried = sum(fighter.items.count(squeeze(item)) for fighter in scene.field.party())
        listed = scene.book.has_items or any(fighter.items for fighter in scene.field.characters.values())
        if due is None and not listed:
            scene.unchecked(spot, f"item:{item}", f"the tables have no {item}: its bonus counts as written")
        elif used[squeeze(item)] > carried:
            return f"nobody in the battle carries {item}" if not carried else f"only {carried} of {item} is carried"
        elif due is None:
            scene.unchecked(spot, f"item:{item}", f"the tables have no {item}: its bonus counts as written")
        elif due != number:
            return f"{item} adds {due} to the drop roll, not {number}"
    return None


def _drop_fault(scene: Scene, spot: Spot, row: DropRow, reason: str, right: str | None) -> None:
    scene.report(
        "drop",
        spot,
        scene.author_of(spot.entry),
        f"{row.creature}: {reason}; the post says {row.found or 'nothing'}",
        claimed=row.found or "nothing",
        expected=[right] if right is not None else None,
        trace=_drop_lines(row),
    )


def _drop_lines(row: DropRow) -> list[str]:
    """The rolls of a drop, and what each is for."""
    lines = [f"drop roll: {', '.join(map(str, row.roll.values)) or 'in its link'}"]
    lines += [f"{number:+d} ({item})" for number, item in row.bonuses]
    lines.append("1 to 3: nothing; 4 to 6: an item, by a second roll on the map's list")
    if row.item_roll.values:
        lines.append(f"second roll: {', '.join(map(str, row.item_roll.values))}")
    return lines


# -- EXP ------------------------------------------------------------------------------------------


def experience(scene: Scene, spot: Spot, found: Exp) -> None:
    """The EXP of a line against the sum of the creatures killed (E13)."""
    field = scene.field
    if scene.exp_lost:
        scene.unchecked(spot, "exp:lost", "earlier EXP of this battle could not be read: what is left is not judged")
        return
    if not field.counts or any(_exp_each(scene, kind) is None for kind in field.counts):
        scene.unchecked(spot, "exp", "the tables do not give the EXP of every creature: EXP are not judged")
        return
    admitted = _sums(scene, likely=False)
    likely = _likely_sums(scene)
    written = sum(number * each for number, each in found.parts) if found.parts else found.total
    admitted |= {total - scene.paid for total in admitted}
    fault = found.total not in admitted or written not in admitted
    scene.paid += found.total
    if not fault:
        return
    wrong = found.total if found.total not in admitted else written
    expected = sorted(likely)
    said = one_of(expected)
    scene.report(
        "exp",
        spot,
        scene.author_of(spot.entry),
        f"the creatures killed give {said} EXP, the post says {wrong}",
        claimed=wrong,
        expected=expected,
        trace=[*_killed(scene), f"together: {said}"],
    )


def _exp_each(scene: Scene, kind: str) -> int | None:
    sheet = scene.book.creature(kind)
    return None if sheet is None else sheet.exp


def _sums(scene: Scene, likely: bool) -> set[int]:
    """The EXP of all creatures killed, on every reading of who was."""
    totals = {0}
    for fighter in scene.field.creatures.values():
        each = exp_of([(1, _exp_each(scene, fighter.kind or "") or 0)])
        figure = fighter.pool.readings.likely if likely else fighter.pool.readings.open
        low, high = figure.low, figure.high
        dead = low is None or low <= 0
        alive = high is None or high > 0
        totals = ({t + each for t in totals} if dead else set()) | (totals if alive else set())
    return totals


def _likely_sums(scene: Scene) -> set[int]:
    """The EXP that a post may give: where every creature may be dead, EXP tell of the win and count them all (NE5)."""
    sums = _sums(scene, likely=True)
    won = all([fighter.pool.likely_zero for fighter in scene.field.creatures.values()])
    return {max(sums)} if won else sums


def _killed(scene: Scene) -> list[str]:
    lines = []
    for kind, number in scene.field.counts.items():
        dead = sum(f.pool.likely_down for f in scene.field.creatures.values() if f.kind == kind)
        each = _exp_each(scene, kind) or 0
        lines.append(f"{kind}: {dead} of {number} killed, {dead} x {each} EXP = {dead * each}")
    return lines
