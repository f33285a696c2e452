"""Late corrections: nothing is raised, and both ledgers go on from the corrected numbers (G25, X24)."""

from __future__ import annotations

from referee.model.claims import Claim
from referee.ports.rules import Entry
from rules.enolaptia.claims import HpLine, Move
from rules.enolaptia.judging.amend import place_of
from rules.enolaptia.judging.scene import Scene


def correct(scene: Scene, entry: Entry) -> None:
    """Let a correction that came after somebody else's post take effect."""
    for claim in entry.reading.claims:
        old = _corrected(scene, entry, claim)
        if isinstance(claim.data, HpLine):
            _hp(scene, claim.data, old.data if old is not None else None)
        elif isinstance(claim.data, Move) and old is not None and isinstance(old.data, Move):
            _move(scene, claim.data, old.data)


def _corrected(scene: Scene, entry: Entry, claim: Claim) -> Claim | None:
    """The author's last line of that kind before the correction."""
    author = entry.post.author.casefold()
    for earlier in reversed(scene.case.entries):
        if earlier.index >= entry.index or earlier.post.author.casefold() != author:
            continue
        place = place_of(earlier.reading.claims, claim)
        if place is not None:
            return earlier.reading.claims[place]
    return None


def _hp(scene: Scene, new: HpLine, old: object) -> None:
    before = {row.name: row.now for row in old.rows} if isinstance(old, HpLine) else {}
    for row in new.rows:
        fighter = scene.field.find(row.name)
        if fighter is not None:
            was = before.get(row.name)
            fighter.pool.correct(row.now - was if was is not None else 0, row.now)
            scene.touch(fighter)


def _move(scene: Scene, new: Move, old: Move) -> None:
    """The difference that a corrected move makes: to its target, or from one target to another."""
    scene.turn.judge_sequence = False
    if new.action == "run":
        actor = scene.field.find(new.actor)
        if actor is not None and new.stated != old.stated:
            actor.perhaps_leave()
        return
    sign = 1 if new.action == "potion" else -1
    was = scene.field.find(old.aim.name if old.aim else old.target)
    now = scene.field.find(new.aim.name if new.aim else new.target)
    changes = [(was, -sign * (old.amount or 0)), (now, sign * (new.amount or 0))]
    for fighter in dict.fromkeys((was, now)):
        if fighter is not None:
            fighter.pool.correct(sum(change for owner, change in changes if owner is fighter), None)
            scene.touch(fighter)
