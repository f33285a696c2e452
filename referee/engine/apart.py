"""Rolls that a board shows apart from the line that names them: below the post's text, or in the post of a bot."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.engine.records import due_sides, sides_fit, sides_of
from referee.engine.script import scripts_of
from referee.model.battle import Battle, Post
from referee.model.dice import read_dice
from referee.model.shown import rows_of
from referee.model.text import Anchor
from referee.ports.rules import Entry, RollUse

_NUMBER = re.compile(r"\d{1,6}")
#: A bot answers within so many posts.
NEAR = 3


class RollsApart:
    """The board's rolls of a battle that stand in no claim's words; each serves one use."""

    def __init__(self, battle: Battle) -> None:
        """Rolls are looked for when one is asked for."""
        self._posts = battle.posts
        self._place = {post.id: index for index, post in enumerate(battle.posts)}
        self._players = {character.player.casefold() for character in battle.characters if character.player}
        judges = [battle.options.get("judge"), *battle.judges]
        self._players |= {str(judge).casefold() for judge in judges if judge}
        self._scripts: dict[str, tuple[Anchor, ...]] = {}
        self._own: dict[str, tuple[Anchor, ...]] = {}
        self._served: set[tuple[str, int]] = set()

    def taken(self, use: RollUse) -> None:
        """A use that has its own rolls of the board: they serve no other."""
        self._served |= {(use.entry.post.id, anchor.start) for anchor in use.written.anchors}

    def roll_of(self, use: RollUse) -> Anchor | None:
        """The board's roll that a use without any seems to mean, None where there is none.

        It stands in the use's own post, outside all its claims; else in the post of somebody who plays no part (a
        bot) shortly before or behind it, and then it is a doubtful one.
        """
        post = use.entry.post
        own = self._outside(use.entry)
        found = self._serve(post, own, use)
        if found is None and own and not use.written.values:
            fitting = [a for a in own if (post.id, a.start) not in self._served and fits(a, use)]
            if len(fitting) == 1:
                found = fitting[0]
                self._served.add((post.id, found.start))
        place = self._place.get(post.id) if found is None else None
        for other in self._near(place) if place is not None else ():
            there = self._serve(other, self._rolls(other), use)
            if there is not None:
                return replace(there, typed=True)
        return found

    def _outside(self, entry: Entry) -> tuple[Anchor, ...]:
        """The board's rolls in a post that stand in none of its claims, found once for all claims of the post."""
        known = self._own.get(entry.post.id)
        if known is None:
            claimed = _joined(sorted([claim.span for claim in entry.reading.claims]))
            starts = [start for start, _ in claimed]
            outside = []
            for anchor in self._rolls(entry.post):
                place = bisect_right(starts, anchor.start) - 1
                if place < 0 or anchor.end > claimed[place][1]:
                    outside.append(anchor)
            known = self._own[entry.post.id] = tuple(outside)
        return known

    def _near(self, place: int) -> Iterator[Post]:
        for post in (*self._posts[max(place - NEAR, 0) : place], *self._posts[place + 1 : place + 1 + NEAR]):
            if post.author.casefold() not in self._players and post.deleted is None:
                yield post

    def _rolls(self, post: Post) -> tuple[Anchor, ...]:
        """The rolls of the board in a post, spoilers included."""
        if post.id not in self._scripts:
            marked = any([mark.dice is not None for block in post.blocks for mark in block.marks])
            script = scripts_of(post.blocks) if marked else None
            self._scripts[post.id] = tuple([a for a in script.anchors if a.dice is not None]) if script else ()
        return self._scripts[post.id]

    def _serve(self, post: Post, anchors: Sequence[Anchor], use: RollUse) -> Anchor | None:
        for anchor in anchors:
            if (post.id, anchor.start) not in self._served and shows(anchor, use):
                self._served.add((post.id, anchor.start))
                return anchor
        return None


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order of place, those that overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def shows(anchor: Anchor, use: RollUse) -> bool:
    """Whether a roll shows the dice that a use states, or the total where it states none.

    A roll that shows nothing (a hidden one) may be any.
    """
    if not anchor.values and anchor.total is None:
        return anchor.typed
    if not fits(anchor, use):
        return False
    said, rows = use.written.values, rows_of((anchor,))
    if said:
        alike = any([Counter(said) == Counter(row) for row in rows])
        return alike or (anchor.total is not None and sum(said) in {sum(row) for row in rows})
    read = read_dice(anchor.dice or "")
    bonus = read.bonus if read is not None else 0
    totals = {sum(row) + bonus for row in rows} if anchor.total is None else {anchor.total}
    return not totals.isdisjoint(map(int, _NUMBER.findall(use.claim.quote)[:100]))


def fits(anchor: Anchor, use: RollUse) -> bool:
    """Whether a roll is of the dice that are due."""
    sides = sides_of(anchor.dice or "")
    due = due_sides(use.due or (use.written.expression or "",), len(sides))
    return bool(sides) and sides_fit(sides, due)
