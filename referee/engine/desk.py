"""The dice desk: rolls against their records, and the account of used dice (all `dice/*` codes).

One die fault gives one finding (G13): the first that applies, in the order of `comparing.first_fault`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import Any

from referee.engine.apart import RollsApart
from referee.engine.book import FindingBook
from referee.engine.comparing import Fault, Linked, count_fault, first_fault
from referee.engine.further import Used, further_roll, left_out
from referee.engine.loose import completed, links_for, loose_links, unanswered
from referee.engine.records import (
    by_links,
    dice_said,
    doubt_said,
    due_said,
    due_sides,
    host_of,
    known_time,
    left_of,
    number_of,
    row,
    sides_fit,
    sides_of,
    turns_before,
    when,
    working,
)
from referee.engine.served import DiceServed
from referee.model.battle import Battle, Post, RollRecord
from referee.model.figure import Figure
from referee.model.shown import rows_of
from referee.model.text import Anchor
from referee.ports.rules import Entry, Rolled, RollUse

#: Faults of a link to dice that are not those of the roll.
_OTHER_DICE = frozenset(("dice/expression", "dice/count", "dice/reused"))


class RecordDesk:
    """Checks every use of dice in one battle (implements `referee.ports.rules.DiceDesk`)."""

    def __init__(
        self, battle: Battle, book: FindingBook, entries: Sequence[Entry], links_in_posts: Iterable[str]
    ) -> None:
        """A desk for one battle; `links_in_posts`: every link in anybody's own text, asked for at the end (G12)."""
        self._battle = battle
        self._book = book
        self._records = battle.rolls
        self._served = DiceServed()
        self.proved: list[Used] = []  # uses of linked dice that went through without a finding
        self._apart = RollsApart(battle)
        self._loose: dict[str, list[Anchor]] = {}
        self._linked = links_in_posts
        self._posts = {post.id: post for post in battle.posts}
        self._before = turns_before(entries)
        self._voided = {
            str(r.effect["void_roll"]): index for index, r in enumerate(battle.rulings) if "void_roll" in r.effect
        }

    @cached_property
    def _hosts(self) -> set[str]:
        """The hosts of all records, and those that the board's own dice services have."""
        links = (*(self._battle.rolls or ()), *[sibling.link for sibling in self._battle.siblings])
        return {*map(host_of, links), *self._battle.dice_hosts}

    def check(self, use: RollUse) -> Rolled:
        """Compare a use with its records; one finding at the most (see the port)."""
        written = use.written
        anchors = written.anchors
        voided = [a.url for a in anchors if a.url in self._voided] if self._voided else []
        if voided:
            return self._void(use, voided)
        if not anchors:
            return self._unlinked(use)
        shown = [a for a in anchors if a.dice is not None]
        if not shown:
            return self._linked_roll(use)
        if len(shown) == len(anchors):
            return self._unverifiable(use) if any([a.typed for a in anchors]) else self._in_post(use)
        made_here = tuple([a for a in shown if not a.typed])
        return self._mixed(use, made_here) if made_here else self._linked_roll(by_links(use))

    def apart(self, use: RollUse) -> tuple[Anchor, ...]:
        """The board's roll or the links that stand apart in the post and show just the dice of a use (see the port)."""
        roll = self._apart.roll_of(use)
        return (roll,) if roll is not None else links_for(use, self._records, self._served.spent, self._loose_of(use))

    def finish(self) -> None:
        """Look for further rolls that nobody used (`dice/fished`, G12); one finding a post and purpose."""
        siblings = self._battle.siblings
        linked = frozenset(self._linked) if siblings else frozenset[str]()
        unused = [s for s in siblings if s.link not in linked and s.at is not None]
        told: set[tuple[str, str]] = set()
        for used in self.proved:
            if self._picked(used) or not unused:
                continue
            purpose = (used.use.entry.post.id, next((r.label for r in used.records if r.label), ""))
            spare = self._look_for_fished(used, unused) if purpose not in told else None
            if spare is not None:
                told.add(purpose)
                unused.remove(spare)

    def _void(self, use: RollUse, links: list[str]) -> Rolled:
        """A roll that staff have voided (X15): nobody's record shows what counts in its place."""
        self._book.rulings_used.update(self._voided[link] for link in links)
        message = f"staff have voided the roll at {links[0]}: what it decides is not judged"
        self._book.unchecked(use.entry, f"void:{links[0]}", message, use.character)
        return Rolled((), ((),), fault=True)

    # -- in-post rolls and missing links ---------------------------------------------------------

    def _unlinked(self, use: RollUse) -> Rolled:
        dice = use.written.values
        if not dice and use.written.expression is None:
            return Rolled((), ((),))
        anchors = self.apart(use)
        if anchors:
            return self.check(replace(use, written=replace(use.written, anchors=anchors)))
        if unanswered(self._loose_of(use), self._records):
            message = f"{dice_said(dice)} without a link, which another link of the post may prove: not checked"
            self._fault("dice/unreachable", use, message)
            return Rolled(dice, (dice,), fault=True)
        self._fault("dice/no-link", use, f"{dice_said(dice)} without a link or a roll made by the board")
        return Rolled(dice, (dice,), fault=True)

    def _loose_of(self, use: RollUse) -> list[Anchor]:
        """The loose links of a use's post, found once a post."""
        post = use.entry.post.id
        if post not in self._loose:
            self._loose[post] = loose_links(use.entry, self._records)
        return self._loose[post]

    def _unverifiable(self, use: RollUse) -> Rolled:
        """The roll rests on text that its author could have typed: a notice, and the post's values count."""
        rows = (use.written.values,) if use.written.values else rows_of(use.written.anchors)
        self._fault("dice/unverifiable", use, doubt_said(use.written))
        return Rolled(rows[0], rows, fault=True)

    def _in_post(self, use: RollUse) -> Rolled:
        """The board made the roll: only its dice and their number can be wrong (G7)."""
        self._apart.taken(use)
        said = use.written.values
        dice = tuple([value for anchor in use.written.anchors for value in anchor.values])
        sides, totals = list[int](), False
        for anchor in use.written.anchors:
            sides += sides_of(anchor.dice or "") or [0] * len(anchor.values)
            totals = totals or anchor.total is not None
        if totals:
            return self._in_post_totals(use, sides)
        if not sides_fit(sides, due_sides(use.due, len(sides))):
            return self._wrong_dice_of_board(use, said or dice)
        if len(said) == len(dice) and said != dice and Counter(said) != Counter(dice):
            message = f"the post says {row(said)}, the board rolled {row(dice)}"
            self._fault("dice/values", use, message, claimed=list(said), expected=list(dice))
            return Rolled(said, tuple(dict.fromkeys((said, dice))), fault=True)
        return Rolled(dice, (dice,), fault=self._count_fault(use, len(dice)))

    def _wrong_dice_of_board(self, use: RollUse, dice: tuple[int, ...]) -> Rolled:
        rolled = " and ".join(sorted({anchor.dice or "" for anchor in use.written.anchors}))
        self._fault("dice/expression", use, f"the board rolled {rolled}, the rule calls for {due_said(use.due)}")
        return Rolled(dice, (dice,), fault=True)

    def _in_post_totals(self, use: RollUse, sides: list[int]) -> Rolled:
        """The board shows only what the dice come to: every row that this may be is admissible, sums alone count."""
        anchors, said, rows = use.written.anchors, use.written.values, rows_of(use.written.anchors)
        shown = tuple([n for a in anchors for n in ((a.total,) if a.total is not None else a.values)])
        if not sides_fit(sides, due_sides(use.due, len(sides))) or (use.count is not None and len(sides) > use.count):
            return self._wrong_dice_of_board(use, said or rows[0])
        if len(sides) > 1 and number_of(use.due) == 1:  # rolls for themselves, not one sum
            words = f"the board shows only what {len(sides)} rolls come to: not checked"
            self._book.unchecked(use.entry, f"total:{use.entry.post.id}", words, use.character)
            return Rolled(said if said != shown else (), (said if said != shown else (),), fault=True)
        if said and said != shown and sum(said) not in {sum(row) for row in rows}:
            message = f"the post says {row(said)}, the board rolled {row(filter(None, rows[0]))}"
            self._fault("dice/values", use, message, claimed=list(said), expected=[*filter(None, rows[0])])
            return Rolled(said, (said, *rows), fault=True)
        if said and said != shown:
            rows = (said,)
        return Rolled(rows[0], rows, fault=self._count_fault(use, len(sides)))

    def _mixed(self, use: RollUse, made_here: tuple[Anchor, ...]) -> Rolled:
        """Some dice were made by the board, the others are linked: only these are compared with records."""
        left = left_of(use.written.values, made_here)
        count = None if use.count is None else use.count - (len(use.written.values) - len(left))
        rest = by_links(replace(use, written=replace(use.written, values=left), count=count))
        return replace(self._linked_roll(rest), dice=use.written.values, readings=(use.written.values,))

    def _count_fault(self, use: RollUse, number: int) -> bool:
        return self._report(use, count_fault(use, number)) is not None

    # -- linked rolls ----------------------------------------------------------------------------

    def _linked_roll(self, use: RollUse) -> Rolled:
        use = completed(use, self._records, self._served.spent, self._loose_of)
        written = use.written.values
        links = [a.url for a in use.written.anchors if a.url]
        records = self._records_of(use, links)
        if records is None:
            return Rolled(written, (written,), fault=True)
        answered = self._answered(use)
        dice = self._served.choose(use, links, records)
        shown = tuple([die.value for die in dice])
        linked = Linked(use, links, records, dice, self._served.spent, answered)
        fault = self._report(use, first_fault(linked, self._book))
        if fault is None:
            self.proved.append(Used(use, records, known_time(answered), dice))
        self._served.spend(dice, use)
        stated = written or shown
        if fault == "dice/values":
            return Rolled(stated, tuple(dict.fromkeys((stated, shown))), fault=True)
        if not written and fault in _OTHER_DICE:
            stated = ()  # what dice show that are not the roll's own says nothing of a sum that the post states (G13)
        return Rolled(stated, (stated,), fault=fault is not None)

    def _records_of(self, use: RollUse, links: list[str]) -> list[RollRecord] | None:
        """The records of the links, each once; None, with a report, where one can't be had.

        Reported in this order: strangers, no such roll, no answer.
        """
        if self._records is None:
            self._fault("dice/unreachable", use, "nothing is known of the linked rolls: not checked")
            return None
        for link in links:
            if link not in self._records and host_of(link) not in self._hosts:
                message = f"no dice service of this board is at {host_of(link) or 'the link'}: not checked"
                self._fault("dice/unknown-service", use, message)
                return None
        found: list[RollRecord] = []
        for link in dict.fromkeys(links):
            record = self._records.get(link)
            if record is None or record.status == "missing":
                self._fault("dice/not-found", use, f"the dice service has no roll at {link}")
                return None
            found.append(record)
        for record in found:
            if record.status == "unreachable":
                message = f"the dice service did not answer for {record.link}: not checked"
                self._fault("dice/unreachable", use, message)
                return None
        return found

    def _answered(self, use: RollUse) -> Post | None:
        """The post before which the roll can't have been made (G10), None where there is none."""
        if use.answers is not None:
            return self._posts.get(use.answers)
        own = self._before.get(use.entry.index)
        if own is not None:
            return own
        first = self._battle.posts[0] if self._battle.posts else None
        return first if first is not None and self._answered_by_others(use.entry.post) else None

    def _answered_by_others(self, post: Post) -> bool:
        """Whether anybody else has posted before: who opens a battle may have rolled before its first words."""
        author = post.author.casefold()
        return any(p.author.casefold() != author for p in takewhile(lambda p: p.id != post.id, self._battle.posts))

    # -- further rolls ---------------------------------------------------------------------------

    def _picked(self, used: Used) -> bool:
        """Report a roll that left out earlier dice of its record which no other roll uses either (X13)."""
        for record in used.records:
            passed = left_out(used, record, self._served.spent)
            if passed is not None:
                claimed, expected = passed
                message = f"the first dice of the record serve: {row(expected)}, the post uses {row(claimed)}"
                self._fault("dice/values", used.use, message, claimed=claimed, expected=expected)
                return True
        return False

    def _look_for_fished(self, used: Used, unused: list[RollRecord]) -> RollRecord | None:
        """Report the first further roll of this use's purpose; it counts for no other use."""
        found = further_roll(used, unused)
        if found is None:
            return None
        spare, like = found
        message = f"{spare.by} also rolled {spare.expression} for {spare.label} at {when(spare.at)}: {spare.link}"
        self._fault("dice/fished", used.use, message, claimed=list(like.values), expected=list(spare.values))
        return spare

    def _report(self, use: RollUse, fault: Fault | None) -> str | None:
        """Note a fault that a comparison found; its code, None without one."""
        return None if fault is None else self._fault(fault.code, use, fault.message, fault.claimed, fault.expected)

    def _fault(self, code: str, use: RollUse, message: str, claimed: Any = None, expected: Any = None) -> str:
        self._book.add(
            code,
            use.entry,
            character=use.character,
            claimed=claimed,
            expected=expected if not isinstance(expected, Figure) else expected.listed(),
            rules=use.rules,
            message=message,
            trace=working(use.written, self._records or {}),
            claim=use.claim,
        )
        return code
