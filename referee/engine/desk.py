"""The dice desk: rolls against their records, and the account of used dice (all `dice/*` codes).

One die fault gives one finding (G13): the first that applies, in the order of `_FAULTS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from referee.engine.book import FindingBook
from referee.model.battle import Battle, Post, RollRecord
from referee.model.dice import read_dice
from referee.model.figure import Figure
from referee.ports.rules import Entry, Rolled, RollUse

#: How far a post's true time may lie behind the time that the page shows.
_SLACK = {"second": timedelta(seconds=1), "minute": timedelta(minutes=1), "day": timedelta(days=1)}


@dataclass(frozen=True, slots=True)
class _Die:
    """One die of a record: which one, what it shows, how many sides (0: unknown)."""

    link: str
    index: int
    value: int
    sides: int


@dataclass(slots=True)
class _Used:
    """A use that went through, kept for the search for further rolls (G12)."""

    use: RollUse
    records: list[RollRecord]
    since: datetime | None


class RecordDesk:
    """Checks every use of dice in one battle (implements `referee.ports.rules.DiceDesk`)."""

    def __init__(
        self, battle: Battle, book: FindingBook, entries: Sequence[Entry], links_in_posts: Iterable[str]
    ) -> None:
        """A desk for one battle; `links_in_posts`: every link in anybody's own text (for G12)."""
        self._battle = battle
        self._book = book
        self._records = battle.rolls
        self._spent: dict[tuple[str, int], tuple[Entry, int]] = {}
        self._used: list[_Used] = []
        self._linked = set(links_in_posts)
        self._posts = {post.id: post for post in battle.posts}
        self._before = _turns_before(entries)
        hosts = {_host(link) for link in (battle.rolls or ())} | {_host(s.link) for s in battle.siblings}
        self._hosts = hosts | set(battle.dice_hosts)
        self._voided = {
            str(r.effect["void_roll"]): index for index, r in enumerate(battle.rulings) if "void_roll" in r.effect
        }

    def check(self, use: RollUse) -> Rolled:
        """Compare a use with its records; one finding at the most (see the port)."""
        written = use.written
        anchors = written.anchors
        if any(a.url in self._voided for a in anchors if a.url):
            self._book.rulings_used.update(self._voided[a.url] for a in anchors if a.url in self._voided)
            return Rolled(written.values, (written.values,), fault=True)
        if not anchors:
            return self._unlinked(use)
        if all(a.dice is not None for a in anchors):
            return self._in_post(use)
        return self._linked_roll(use)

    def finish(self) -> None:
        """After the replay: look for further rolls that nobody used (`dice/fished`, G12)."""
        unused = [s for s in self._battle.siblings if s.link not in self._linked and s.at is not None]
        unused += [r for link, r in (self._records or {}).items() if link not in self._linked and r.at is not None]
        for used in self._used:
            spare = self._look_for_fished(used, unused)
            if spare is not None:
                unused.remove(spare)

    # -- in-post rolls and missing links ---------------------------------------------------------

    def _unlinked(self, use: RollUse) -> Rolled:
        dice = use.written.values
        if not dice and use.written.expression is None:
            return Rolled((), ((),))
        self._fault("dice/no-link", use, f"{_dice_said(dice)} without a link or a roll made by the board")
        return Rolled(dice, (dice,), fault=True)

    def _in_post(self, use: RollUse) -> Rolled:
        """The board made the roll: only its dice and their number can be wrong (G7)."""
        dice = tuple(value for anchor in use.written.anchors for value in anchor.values)
        sides: list[int] = []
        for anchor in use.written.anchors:
            read = read_dice(anchor.dice or "")
            sides += list(read.sides) if read and read.count <= 1000 else [0] * len(anchor.values)
        if not _sides_fit(sides, _due_sides(use.due, len(sides))):
            rolled = " and ".join(sorted({a.dice or "" for a in use.written.anchors}))
            self._fault("dice/expression", use, f"the board rolled {rolled}, the rule calls for {_due_said(use.due)}")
            return Rolled(dice, (dice,), fault=True)
        return Rolled(dice, (dice,), fault=self._count_fault(use, len(dice)))

    def _count_fault(self, use: RollUse, number: int) -> bool:
        if use.count is None or number == use.count:
            return False
        message = f"{number} roll{'s' if number != 1 else ''} where {use.count} {'are' if use.count != 1 else 'is'} due"
        self._fault("dice/count", use, message, claimed=number, expected=[use.count])
        return True

    # -- linked rolls ----------------------------------------------------------------------------

    def _linked_roll(self, use: RollUse) -> Rolled:
        written = use.written.values
        links = [a.url for a in use.written.anchors if a.url]
        missing = self._unreadable(use, links)
        if missing:
            return Rolled(written, (written,), fault=True)
        records = [self._record(link) for link in dict.fromkeys(links)]
        since = self._answered_at(use)
        dice = self._choose(use, links)
        shown = tuple(die.value for die in dice)
        fault = self._compare(use, records, dice, since)
        if fault is None:
            self._used.append(_Used(use, records, since))
        for die in dice:
            self._spent.setdefault((die.link, die.index), (use.entry, id(use.claim)))
        stated = written or shown
        if fault == "dice/values":
            return Rolled(stated, tuple(dict.fromkeys((stated, shown))), fault=True)
        return Rolled(stated, (stated,), fault=fault is not None)

    def _unreadable(self, use: RollUse, links: list[str]) -> bool:
        """Report links whose record can't be had: strangers, no such roll, no answer."""
        if self._records is None:
            self._fault("dice/unreachable", use, "nothing is known of the linked rolls: not checked")
            return True
        for link in links:
            if _host(link) not in self._hosts:
                message = f"{_host(link) or 'the link'} is no dice service of this board: not checked"
                self._fault("dice/unknown-service", use, message)
                return True
        for link in links:
            record = self._records.get(link)
            if record is None or record.status == "missing":
                self._fault("dice/not-found", use, f"the dice service has no roll at {link}")
                return True
        for link in links:
            if self._record(link).status == "unreachable":
                self._fault("dice/unreachable", use, f"the dice service did not answer for {link}: not checked")
                return True
        return False

    def _record(self, link: str) -> RollRecord:
        assert self._records is not None
        return self._records[link]

    def _choose(self, use: RollUse, links: list[str]) -> list[_Die]:
        """The dice of the records that stand for the written ones, unused dice first (X13).

        With one link a die, each link gives one die; otherwise the records' dice serve in order.
        """
        wanted = list(use.written.values)
        pools = {link: self._dice_of(self._record(link)) for link in dict.fromkeys(links)}
        if wanted and len(links) == len(wanted) and len(links) > 1:
            chosen: list[_Die] = []
            for link, value in zip(links, wanted, strict=True):
                chosen += self._serve([d for d in pools[link] if d not in chosen], [value], 1)
            return chosen
        every = list(dict.fromkeys(die for pool in pools.values() for die in pool))
        number = len(wanted) or (use.count if use.count is not None else len(every))
        return self._serve(every, wanted, number)

    def _serve(self, every: list[_Die], wanted: list[int], number: int) -> list[_Die]:
        """`number` dice: those with the wanted values if they are all there, else the first ones.

        Dice that were not used yet come first, so that one record may serve two tags.
        """
        fresh = [die for die in every if (die.link, die.index) not in self._spent]
        for offered in (fresh, every):
            matched = _matching(offered, wanted)
            if matched is not None:
                return matched
        return (fresh if len(fresh) >= number else every)[:number]

    @staticmethod
    def _dice_of(record: RollRecord) -> list[_Die]:
        read = read_dice(record.expression or "")
        sides = list(read.sides) if read and read.count <= 1000 else []
        sides += [0] * (len(record.values) - len(sides))
        return [_Die(record.link, index, value, sides[index]) for index, value in enumerate(record.values)]

    def _compare(self, use: RollUse, records: list[RollRecord], dice: list[_Die], since: datetime | None) -> str | None:
        """The first fault of a linked roll, reported; None when all fits."""
        return (
            self._altered(use, records)
            or self._reused(use, dice)
            or self._wrong_dice(use, records, dice)
            or ("dice/count" if self._count_fault(use, len(use.written.values) or len(dice)) else None)
            or self._wrong_values(use, dice)
            or self._wrong_roller(use, records)
            or self._wrong_time(use, records, since)
        )

    def _altered(self, use: RollUse, records: list[RollRecord]) -> str | None:
        for record in records:
            for before in record.earlier:
                change = _change(before, record)
                if change:
                    return self._fault("dice/altered", use, f"the record at {record.link} changed: {change}")
        return None

    def _reused(self, use: RollUse, dice: list[_Die]) -> str | None:
        for die in dice:
            before = self._spent.get((die.link, die.index))
            if before is not None:
                message = f"the roll at {die.link} was already used in {before[0].post.id}"
                return self._fault("dice/reused", use, message)
        return None

    def _wrong_dice(self, use: RollUse, records: list[RollRecord], dice: list[_Die]) -> str | None:
        if _sides_fit([die.sides for die in dice], _due_sides(use.due, len(dice))):
            return None
        shown = " and ".join(dict.fromkeys(r.expression or "?" for r in records))
        return self._fault("dice/expression", use, f"the record is of {shown}, the rule calls for {_due_said(use.due)}")

    def _wrong_values(self, use: RollUse, dice: list[_Die]) -> str | None:
        stated, shown = list(use.written.values), [die.value for die in dice]
        if not stated or Counter(stated) == Counter(shown):
            return None
        claimed, expected = stated, shown
        if len(stated) == len(shown) == len({die.link for die in dice}):
            pairs = [(a, b) for a, b in zip(stated, shown, strict=True) if a != b]
            claimed, expected = [a for a, _ in pairs], [b for _, b in pairs]
        message = f"the post says {_row(claimed)}, the record {_row(expected)}"
        return self._fault("dice/values", use, message, claimed=claimed, expected=expected)

    def _wrong_roller(self, use: RollUse, records: list[RollRecord]) -> str | None:
        allowed = {name.casefold() for name in use.by}
        for record in records:
            if allowed and record.by and record.by.strip().casefold() not in allowed:
                return self._fault("dice/roller", use, f"the record at {record.link} names {record.by}")
        return None

    def _wrong_time(self, use: RollUse, records: list[RollRecord], since: datetime | None) -> str | None:
        post = use.entry.post
        written = max((t for t in (post.at, post.edited.at if post.edited else None) if t), default=None)
        slack = _SLACK.get(post.precision)
        for record in records:
            if record.at is None:
                said = f"the record at {record.link} has no time: when it was rolled is not checked"
                self._book.unchecked(use.entry, "roll time", said, use.character)
                continue
            if since is not None and record.at < since:
                said = f"rolled at {_when(record.at)}, before the action of {_when(since)} that it answers"
                return self._fault("dice/too-early", use, said)
            if written is not None and slack is not None and record.at >= written + slack:
                said = f"rolled at {_when(record.at)}, the post was last written at {_when(written)}"
                return self._fault("dice/too-late", use, said)
        return None

    def _answered_at(self, use: RollUse) -> datetime | None:
        """The earliest time at which the roll may have been made (G10), None where unknown."""
        if use.answers is not None:
            return _known_time(self._posts.get(use.answers))
        author = use.entry.post.author.casefold()
        own = self._before.get(use.entry.index)
        if own is not None:
            return _known_time(own)
        first = self._battle.posts[0] if self._battle.posts else None
        if first is None or first.author.casefold() == author:
            return None
        return _known_time(first)

    # -- further rolls ---------------------------------------------------------------------------

    def _look_for_fished(self, used: _Used, unused: list[RollRecord]) -> RollRecord | None:
        """Report the first further roll of this use's purpose; it counts for no other use."""
        post = used.use.entry.post
        if used.since is None or post.at is None:
            return None
        for spare in unused:
            if spare.at is None or not used.since < spare.at < post.at:
                continue
            like = next((r for r in used.records if _same_purpose(r, spare)), None)
            if like is not None:
                message = (
                    f"{spare.by} also rolled {spare.expression} for {spare.label} at {_when(spare.at)}: {spare.link}"
                )
                self._fault("dice/fished", used.use, message, claimed=list(like.values), expected=list(spare.values))
                return spare
        return None

    def _fault(self, code: str, use: RollUse, message: str, claimed: Any = None, expected: Any = None) -> str:
        self._book.add(
            code,
            use.entry,
            character=use.character,
            claimed=claimed,
            expected=expected if not isinstance(expected, Figure) else expected.listed(),
            rules=use.rules,
            message=message,
            trace=[f"{a.url}" for a in use.written.anchors if a.url],
            claim=use.claim,
        )
        return code


def _turns_before(entries: Sequence[Entry]) -> dict[int, Post]:
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


def _matching(offered: list[_Die], wanted: list[int]) -> list[_Die] | None:
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


def _due_sides(due: tuple[str, ...], number: int) -> list[int]:
    """The sides of the dice that the rule calls for, one for each die; empty: not judged."""
    sides: list[int] = []
    for expression in due:
        read = read_dice(expression)
        if read is None:
            return []
        sides += list(read.sides)
    if len(set(sides)) == 1:
        return [sides[0]] * number
    return sides


def _sides_fit(shown: list[int], due: list[int]) -> bool:
    """Whether the record's dice are the due ones; dice of unknown sides prove nothing."""
    if not due or 0 in shown:
        return True
    if len(set(due)) == 1:
        return all(sides == due[0] for sides in shown)
    return not (Counter(shown) - Counter(due))


def _change(before: RollRecord, now: RollRecord) -> str | None:
    """What differs between two sights of one record, in words."""
    if before.values and tuple(before.values) != tuple(now.values):
        return f"it showed {_row(before.values)}, now {_row(now.values)}"
    if before.expression and now.expression and read_dice(before.expression) != read_dice(now.expression):
        return f"it was of {before.expression}, now of {now.expression}"
    if before.at and now.at and before.at != now.at:
        return f"it was of {_when(before.at)}, now of {_when(now.at)}"
    return None


def _same_purpose(used: RollRecord, spare: RollRecord) -> bool:
    """Same roller, same dice, same label (G12); an unlabelled roll proves no purpose."""
    if not used.label or not spare.label or not used.by or not spare.by:
        return False
    same = used.by.casefold() == spare.by.casefold() and used.label.casefold() == spare.label.casefold()
    dice = read_dice(used.expression or "")
    return same and dice is not None and dice == read_dice(spare.expression or "")


def _known_time(post: Post | None) -> datetime | None:
    """A post's time as a lower bound: the time shown is never later than the true one."""
    return post.at if post is not None and post.precision != "unknown" else None


def _host(link: str) -> str:
    try:
        return urlsplit(link).netloc.casefold()
    except ValueError:
        return ""


def _when(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def _row(values: Iterable[int]) -> str:
    return ", ".join(str(value) for value in values)


def _dice_said(dice: tuple[int, ...]) -> str:
    return f"a roll of {_row(dice)} is claimed" if dice else "a roll is claimed"


def _due_said(due: tuple[str, ...]) -> str:
    return " and ".join(dict.fromkeys(due))
