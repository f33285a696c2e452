"""A linked roll against its records: what the first thing is that does not fit (G10 to G15, X13). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from referee.engine.records import Die, change_of, due_said, due_sides, known_time, row, sides_fit, when
from referee.model.battle import Post, RollRecord
from referee.ports.rules import Book, Entry, RollUse

#: How far a post's true time may lie behind the time that the page shows.
_SLACK = {"second": timedelta(seconds=1), "minute": timedelta(minutes=1), "day": timedelta(days=1)}
#: The most by which a roll may be younger than a time without seconds says.
_MINUTE = timedelta(seconds=59)


class Fault(NamedTuple):
    """What does not fit: the finding's code, a line for players, and the values of post and record."""

    code: str
    message: str
    claimed: Any = None
    expected: Any = None


class Linked(NamedTuple):
    """A roll with its records.

    `dice`: those of the records that stand for the roll's. `spent`: single dice that served before, and where.
    `answered`: the post before which the roll can't have been made.
    """

    use: RollUse
    links: list[str]
    records: list[RollRecord]
    dice: list[Die]
    spent: Mapping[tuple[str, int], tuple[Entry, object]]
    answered: Post | None


def first_fault(roll: Linked, book: Book) -> Fault | None:
    """The first fault of a linked roll (G13), None when all fits; `book` hears of what can't be compared."""
    return (
        _altered(roll)
        or _reused(roll)
        or _wrong_dice(roll)
        or count_fault(roll.use, len(roll.use.written.values) or len(roll.dice))
        or _wrong_values(roll)
        or _wrong_roller(roll)
        or _wrong_time(roll, book)
    )


def count_fault(use: RollUse, number: int) -> Fault | None:
    """More or fewer rolls than the rule calls for."""
    if use.count is None or number == use.count:
        return None
    message = f"{number} roll{'s' if number != 1 else ''} where {use.count} {'are' if use.count != 1 else 'is'} due"
    return Fault("dice/count", message, number, [use.count])


def _altered(roll: Linked) -> Fault | None:
    for record in roll.records:
        for before in record.earlier:
            change = change_of(before, record)
            if change:
                return Fault("dice/altered", f"the record at {record.link} changed: {change}")
    return None


def _reused(roll: Linked) -> Fault | None:
    links, records = roll.links, roll.records
    if len(records) < len(links) == len(roll.use.written.values):
        for link, record in zip(dict.fromkeys(links), records, strict=True):
            times = links.count(link)
            if times > len(record.values):
                return Fault("dice/reused", f"the roll at {link} stands for {times} rolls of this post")
    for die in roll.dice:
        before = roll.spent.get((die.link, die.place))
        if before is not None:
            return Fault("dice/reused", f"the roll at {die.link} was already used in {before[0].post.id}")
    return None


def _wrong_dice(roll: Linked) -> Fault | None:
    if sides_fit([die.sides for die in roll.dice], due_sides(roll.use.due, len(roll.dice))):
        return None
    shown = " and ".join(dict.fromkeys(record.expression or "?" for record in roll.records))
    return Fault("dice/expression", f"the record is of {shown}, the rule calls for {due_said(roll.use.due)}")


def _wrong_values(roll: Linked) -> Fault | None:
    stated, shown = list(roll.use.written.values), [die.value for die in roll.dice]
    if not stated or stated == shown or Counter(stated) == Counter(shown):
        return None
    claimed, expected = stated, shown
    if len(stated) == len(shown) == len({die.link for die in roll.dice}):
        pairs = [(a, b) for a, b in zip(stated, shown, strict=True) if a != b]
        claimed, expected = [a for a, _ in pairs], [b for _, b in pairs]
    return Fault("dice/values", f"the post says {row(claimed)}, the record {row(expected)}", claimed, expected)


def _wrong_roller(roll: Linked) -> Fault | None:
    by = roll.use.by
    for record in roll.records:
        if not record.by or record.by in by or not by:
            continue
        if record.by.strip().casefold() not in {name.casefold() for name in by}:
            return Fault("dice/roller", f"the record at {record.link} names {record.by}")
    return None


def _wrong_time(roll: Linked, book: Book) -> Fault | None:
    answered = roll.answered
    for record in roll.records:
        if record.at is None:
            said = f"the record at {record.link} has no time: when it was rolled is not checked"
            book.unchecked(roll.use.entry, "roll time", said, roll.use.character)
            continue
        since = known_time(answered)
        # Many services show no seconds: the whole minute may be meant.
        latest = record.at if record.at.second else record.at + _MINUTE
        if answered is not None and since is not None and latest < since:
            said = f"rolled at {when(record.at)}, before {answered.id} of {when(since)}, which it answers"
            return Fault("dice/too-early", said)
        late = _too_late(roll.use, record.at, book)
        if late is not None:
            return late
    return None


def _too_late(use: RollUse, rolled: datetime, book: Book) -> Fault | None:
    """A roll that was made after its post was last written; after an edit of unknown time nobody knows."""
    post = use.entry.post
    slack, edited = _SLACK.get(post.precision), post.edited
    if post.at is None or slack is None:
        return None
    written = max(post.at, edited.at) if edited is not None and edited.at is not None else post.at
    if rolled < written + slack:
        return None
    if edited is not None and edited.at is None:
        said = "the post was edited at an unknown time: whether its roll came too late is not checked"
        book.unchecked(use.entry, f"edit time:{post.id}", said, use.character)
        return None
    return Fault("dice/too-late", f"rolled at {when(rolled)}, the post was last written at {when(written)}")
