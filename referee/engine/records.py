"""Dice records in the desk's hands: single dice, comparisons, and their words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from referee.model.battle import Post, RollRecord
from referee.model.claims import WrittenRoll
from referee.model.dice import read_dice
from referee.model.records import filled_directly
from referee.model.text import Anchor
from referee.ports.rules import Entry, RollUse

#: A record of more dice than this is read without its sides.
MOST_DICE = 1000

_HOST = re.compile(r"://([^/?#]*)")


@filled_directly
@dataclass(frozen=True, slots=True)
class Die:
    """One die of a record: which one, what it shows, how many sides (0: unknown)."""

    link: str
    place: int
    value: int
    sides: int


def turns_before(entries: Sequence[Entry]) -> dict[int, Post]:
    """For each entry, by its index, the last turn of the same author before it."""
    last: dict[str, Post] = {}
    before: dict[int, Post] = {}
    for entry in entries:
        author = entry.post.author.casefold()
        if author in last:
            before[entry.index] = last[author]
        if entry.kind == "turn":
            last[author] = entry.post
    return before


def matching(offered: list[Die], wanted: Sequence[int]) -> list[Die] | None:
    """Dice out of `offered` that show exactly the wanted values, or None."""
    if not wanted:
        return None
    left = list(offered)
    chosen = []
    for value in wanted:
        found = next((die for die in left if die.value == value), None)
        if found is None:
            return None
        left.remove(found)
        chosen.append(found)
    return chosen


def left_of(written: Sequence[int], made_here: Iterable[Anchor]) -> tuple[int, ...]:
    """The written dice that no roll of the board shows."""
    proved = Counter(value for anchor in made_here for value in anchor.values)
    left = []
    for value in written:
        if proved[value]:
            proved[value] -= 1
        else:
            left.append(value)
    return tuple(left)


def by_links(use: RollUse) -> RollUse:
    """A use with its links alone: what its author pasted beside them proves nothing."""
    if not any([anchor.dice is not None for anchor in use.written.anchors]):
        return use
    anchors = tuple([anchor for anchor in use.written.anchors if anchor.dice is None])
    return replace(use, written=replace(use.written, anchors=anchors))


@lru_cache(maxsize=1024)
def sides_of(expression: str) -> tuple[int, ...]:
    """The sides of the dice of an expression; empty where it is none, or of more dice than anybody throws."""
    read = read_dice(expression)
    return read.sides if read is not None and read.count <= MOST_DICE else ()


@lru_cache(maxsize=256)
def due_sides(due: tuple[str, ...], number: int) -> tuple[int, ...]:
    """The sides of the dice that the rule calls for, one for each die; empty: not judged."""
    sides: list[int] = []
    for expression in due:
        read = read_dice(expression)
        if read is None:
            return ()
        sides += read.sides
    if len(set(sides)) == 1:
        return (sides[0],) * number
    return tuple(sides)


def number_of(due: tuple[str, ...]) -> int:
    """How many dice the expressions call for together; 0 where one of them can't be read."""
    read = [read_dice(expression) for expression in due]
    return sum([dice.count for dice in read if dice is not None]) if all(read) else 0


def sides_fit(shown: Sequence[int], due: Sequence[int]) -> bool:
    """Whether the record's dice are the due ones; dice of unknown sides prove nothing."""
    if not due or 0 in shown:
        return True
    if due.count(due[0]) == len(due):
        return shown.count(due[0]) == len(shown)
    return not (Counter(shown) - Counter(due))


def change_of(before: RollRecord, now: RollRecord) -> str | None:
    """What differs between two sights of one record, in words."""
    if before.values and tuple(before.values) != tuple(now.values):
        return f"it showed {row(before.values)}, now {row(now.values)}"
    if before.expression and now.expression and read_dice(before.expression) != read_dice(now.expression):
        return f"it was of {before.expression}, now of {now.expression}"
    if before.at and now.at and before.at != now.at:
        return f"it was of {when(before.at)}, now of {when(now.at)}"
    return None


def same_purpose(used: RollRecord, spare: RollRecord, names: frozenset[str]) -> bool:
    """Same roller, same dice, same label (G12); an unlabelled roll proves no purpose.

    `names`: what the roller may be called in records, character and account alike (G11), lower case.
    """
    if not used.label or not spare.label or not used.by or not spare.by:
        return False
    if used.label.casefold() != spare.label.casefold():
        return False
    one, other = used.by.strip().casefold(), spare.by.strip().casefold()
    if one != other and not {one, other} <= names:
        return False
    dice = read_dice(used.expression or "")
    return dice is not None and dice == read_dice(spare.expression or "")


def known_time(post: Post | None) -> datetime | None:
    """A post's time as a lower bound: the time shown is never later than the true one."""
    return post.at if post is not None and post.precision != "unknown" else None


def host_of(link: str) -> str:
    """Host and port of a link, lower case; empty where it is no address. Never used to fetch anything."""
    found = _HOST.search(link)
    return found.group(1).casefold() if found is not None else ""


def when(moment: datetime | None) -> str:
    """A time in words, UTC."""
    return moment.strftime("%Y-%m-%d %H:%M:%S UTC") if moment is not None else "an unknown time"


def row(values: Iterable[int]) -> str:
    """Dice in a row: `12, 7`."""
    return ", ".join(str(value) for value in values)


def dice_said(dice: tuple[int, ...]) -> str:
    """What roll is claimed, in words."""
    if len(dice) > 1:
        return f"rolls of {row(dice)} are claimed"
    return f"a roll of {row(dice)} is claimed" if dice else "a roll is claimed"


def doubt_said(written: WrittenRoll) -> str:
    """Why a roll proves nothing, in words."""
    dice = written.values
    if not any([anchor.values or anchor.total is not None for anchor in written.anchors]):
        return f"{dice_said(dice)}, and the page does not show it"
    return f"{dice_said(dice)} in words that its author could have typed, or changed since"


def due_said(due: tuple[str, ...]) -> str:
    """The dice that a rule calls for, in words."""
    return " and ".join(dict.fromkeys(due))


def working(written: WrittenRoll, records: Mapping[str, RollRecord]) -> list[str]:
    """What the post says and what each of its rolls shows, line by line."""
    lines = [f"the post: {row(written.values)}"] if written.values and written.anchors else []
    for anchor in dict.fromkeys(written.anchors):
        if anchor.dice is not None:
            shown = row(anchor.values) if anchor.total is None else f"{anchor.total} in all"
            whose = "in words of the post" if anchor.typed else "the board"
            lines += [f"{whose}: {anchor.dice or 'dice'} = {shown}"] if shown else []
        elif anchor.url is not None:
            lines.append(_record_line(anchor.url, records.get(anchor.url)))
    return lines


def _record_line(link: str, record: RollRecord | None) -> str:
    """A record in words: link, dice, roller, label and time, as far as it shows them."""
    if record is None or not record.values:
        return link
    parts = [f"{record.expression or 'dice'} = {row(record.values)}"]
    parts += [f"by {record.by}"] * bool(record.by) + [f"for {record.label}"] * bool(record.label)
    parts += [f"rolled at {when(record.at)}"] * bool(record.at)
    return f"{link}: {', '.join(parts)}"
