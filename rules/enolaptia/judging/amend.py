"""In-time corrections: the corrected line takes the place of the author's last line of that kind (G25, X24)."""

from __future__ import annotations

from dataclasses import replace

from referee.model.claims import Claim, Reading, WrittenRoll
from rules.enolaptia.claims import NO_ROLL, DropRow, Drops, Encounter, HpLine, HpRow, Move, Order, Tie, rolls_in


def amend(reading: Reading, correction: Reading) -> Reading:
    """The reading of a turn with a correction worked in, as if the post had always said it."""
    claims = list(reading.claims)
    for claim in correction.claims:
        place = place_of(tuple(claims), claim)
        if place is None:
            claims.append(replace(claim, data=_unproved(claim.data)))
        else:
            claims[place] = replace(claim, data=_merged(claims[place].data, claim.data))
    return replace(reading, claims=tuple(claims))


def place_of(claims: tuple[Claim, ...], correction: Claim) -> int | None:
    """Which claim a correction is about: the last of its kind about the same fighter, else the last of its kind."""
    same = [place for place, claim in enumerate(claims) if claim.kind == correction.kind]
    about = subjects(correction)
    close = [place for place in same if subjects(claims[place]) & about]
    if isinstance(correction.data, HpLine):
        return close[-1] if close else None
    found = close or same
    return found[-1] if found else None


def subjects(claim: Claim) -> frozenset[str]:
    """Whom a claim is about: the actor of a move, the owners of HP."""
    data = claim.data
    if isinstance(data, Move):
        return frozenset(name for name in (data.actor,) if name)
    if isinstance(data, HpLine):
        return frozenset(row.name for row in data.rows)
    return frozenset((claim.kind,))


def _merged(old: object, new: object) -> object:
    """The new record; what it leaves out (other fighters' HP, links of the same rolls) stays the old one's."""
    if isinstance(new, HpLine) and isinstance(old, HpLine):
        return _merged_hp(old, new)
    if isinstance(new, Move) and isinstance(old, Move):
        return _merged_move(old, new)
    if isinstance(new, Encounter) and isinstance(old, Encounter):
        return new._replace(roll=_proved(old.roll, new.roll))
    if isinstance(new, Order) and isinstance(old, Order):
        rolls = [tie.roll for tie in old.ties]
        ties = [Tie(_proved(rolls[i] if i < len(rolls) else None, t.roll), t.first) for i, t in enumerate(new.ties)]
        return new._replace(ties=tuple(ties))
    if isinstance(new, Drops) and isinstance(old, Drops):
        return _merged_drops(old, new)
    return new


def _merged_hp(old: HpLine, new: HpLine) -> HpLine:
    corrected = {row.name: row for row in new.rows}
    rows: list[HpRow] = [corrected.pop(row.name, row) for row in old.rows]
    return HpLine((*rows, *corrected.values()))


def _merged_drops(old: Drops, new: Drops) -> Drops:
    before = {row.creature: row for row in old.rows}
    after: dict[str, DropRow] = dict(before)
    for row in new.rows:
        was = before.get(row.creature)
        after[row.creature] = row._replace(
            roll=_proved(was.roll if was else None, row.roll),
            item_roll=_proved(was.item_roll if was else None, row.item_roll),
        )
    return Drops(tuple(after.values()))


def _merged_move(old: Move, new: Move) -> Move:
    links = {anchor.url for roll in rolls_in(old) for anchor in roll.anchors if anchor.url}
    aim = new.aim
    if aim is not None:
        aim = aim._replace(roll=_proved(old.aim.roll if old.aim else None, aim.roll))
    merged = new._replace(roll=_proved(old.roll, new.roll), aim=aim, choice=_proved_or_none(old.choice, new.choice))
    fresh = {anchor.url for roll in rolls_in(merged) for anchor in roll.anchors if anchor.url} - links
    pairs = ((old.roll, merged.roll), (old.choice, merged.choice), (_aimed(old), _aimed(merged)))
    bare = any(new_ and not new_.anchors and new_ != NO_ROLL and was in (None, NO_ROLL) for was, new_ in pairs)
    return merged._replace(unproved=bool(fresh) or bare)


def _aimed(move: Move) -> WrittenRoll | None:
    return move.aim.roll if move.aim else None


def _proved_or_none(old: WrittenRoll | None, new: WrittenRoll | None) -> WrittenRoll | None:
    return None if new is None else _proved(old, new)


def _proved(old: WrittenRoll | None, new: WrittenRoll) -> WrittenRoll:
    """The new roll with the old one's links where it has none of its own."""
    if new.anchors or old is None or (new.values == () and new.expression is None):
        return new
    return replace(new, anchors=old.anchors[: len(new.values)] if len(new.values) < len(old.values) else old.anchors)


def _unproved(data: object) -> object:
    """A line that the corrected post lacked: its rolls were made after that post and are not held against its time."""
    return data._replace(unproved=True) if isinstance(data, Move) else data
