"""Rolls that a post did not use: further ones of its purpose (G12), earlier dice of its own records (X13)."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import datetime

from referee.engine.records import Die, same_purpose
from referee.model.battle import RollRecord
from referee.ports.rules import RollUse


@dataclass(slots=True)
class Used:
    """A use of dice that went through; `since`: the time of the action that it answers, None where unknown."""

    use: RollUse
    records: list[RollRecord]
    since: datetime | None
    dice: list[Die]


def left_out(used: Used, record: RollRecord, spent: Container[tuple[str, int]]) -> tuple[list[int], list[int]] | None:
    """The dice that a use took of a record and those that it should have taken; None where it took the first (X13).

    `spent`: link and place of every die that any roll used.
    """
    if len(record.values) < 2:
        return None
    own = [die.place for die in used.dice if die.link == record.link]
    free = [place for place in range(max(own, default=0)) if (record.link, place) not in spent]
    if not free:
        return None
    first = sorted({*own, *free})[: len(own)]
    return [record.values[place] for place in own], [record.values[place] for place in first]


def further_roll(used: Used, unused: Iterable[RollRecord]) -> tuple[RollRecord, RollRecord] | None:
    """A roll of the same purpose between the action that a use answers and its post, and the record like it (G12)."""
    post = used.use.entry.post
    if used.since is None or post.at is None:
        return None
    between = [spare for spare in unused if spare.at is not None and used.since < spare.at < post.at]
    names = frozenset([name.casefold() for name in used.use.by]) if between else frozenset[str]()
    for spare in between:
        like = next((record for record in used.records if same_purpose(record, spare, names)), None)
        if like is not None:
            return spare, like
    return None
