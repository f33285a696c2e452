"""Pools: HP and bind levels on two ledgers, with every reading that earlier findings leave open (G23, X8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from referee.model.figure import MOST_VALUES, Figure
from referee.model.report import Finding, PoolState

Change = Callable[[int], int]

#: Every change of a pool moves its doubts: a thread in which each post is wrong must not get slower and slower.
_MOST_DOUBTS = 64
#: Behind something unread two statements pass until an old number can be held against the past: the first one may
#: look back on what was unread, and so may whoever repeats it.
_MOST_GAP = 2


@dataclass(slots=True)
class Doubt:
    """A finding in a pool: what would have been right, what was written, as both have moved since."""

    finding: Finding
    right: set[int]
    wrong: set[int]


@dataclass(slots=True)
class Pool:
    """A number that a thread keeps by hand.

    `open`: every admissible value, None where nothing is known; `vague`: those among them that only
    something unread or unwritten admits, which the next statement that fits rules out. `live`: those
    that fit the latest statement as well, for `expected`. `claimed`: as the posts say. `kept`: what was
    known before it was forgotten; a statement that counts instead leaves both readings. `past`: every number at which
    it may have stood, `before`: those before its last change; `gap`: statements to come until they are known again.
    """

    start: int | None = None
    open: frozenset[int] | None = None
    live: frozenset[int] = frozenset()
    claimed: int | None = None
    vague: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()
    doubts: list[Doubt] = field(default_factory=list)
    past: set[int] = field(default_factory=set)
    before: frozenset[int] = frozenset()
    gap: int = 0

    @staticmethod
    def at(value: int | None) -> Pool:
        """A pool that starts at a value, or unknown."""
        if value is None:
            return Pool()
        only = frozenset((value,))
        return Pool(value, only, only, value)

    def change(self, said: Change, others: Iterable[Change] = (), vague: Sequence[Change] = ()) -> None:
        """Move every reading: as the post says, as each other reading has it, and as may be besides."""
        changes = (said, *others)
        if self.open is not None:
            self.past |= self.open
            self.before = self.open
        if len(changes) == 1 and not (vague or self.vague or self.doubts) and self.open == self.live:
            self._shift(said)
            return
        if self.claimed is not None:
            self.claimed = said(self.claimed)
        if self.open is not None:
            firm = {move(v) for v in self.open - self.vague for move in changes}
            loose = {move(v) for v in self.open for move in vague} | {m(v) for v in self.vague for m in changes}
            self._hold(firm, loose)
        elif self.kept:
            self.kept = _capped({move(v) for v in self.kept for move in (*changes, *vague)}) or frozenset()
        self.live = _capped({move(v) for v in self.live for move in changes}) or frozenset()
        if self.doubts:
            self._move_doubts(changes)

    def _move_doubts(self, changes: Sequence[Change]) -> None:
        """Move both readings of each finding; one that is right in wrong numbers only can never be taken back."""
        for doubt in self.doubts:
            doubt.right = {move(v) for v in doubt.right for move in changes}
            doubt.wrong = {move(v) for v in doubt.wrong for move in changes}
        self.doubts = [doubt for doubt in self.doubts if not doubt.right <= doubt.wrong]

    def _shift(self, said: Change) -> None:
        """The common case: one reading of the change, no doubts."""
        if self.claimed is not None:
            self.claimed = said(self.claimed)
        self.open = self.live = frozenset(map(said, self.live))

    def _hold(self, firm: set[int], loose: set[int]) -> None:
        """Keep these readings; too many of them are no knowledge at all (X8)."""
        self.open = _capped(firm | loose)
        self.vague = frozenset(loose - firm) if self.open is not None else frozenset()

    def admits(self, value: int) -> bool:
        """Whether a statement fits one of the readings."""
        return self.open is None or value in self.open

    def settle(self, value: int) -> list[Finding]:
        """Take a statement that fits; gives the findings that it takes back (X8)."""
        self.past.add(value)
        self.gap = max(0, self.gap - 1)
        self.live = frozenset((value,))
        if self.open is None:
            self.open, self.vague = self.live | self.kept, self.kept - self.live
            self.kept = frozenset()
        else:
            self.open, self.vague = (self.open - self.vague) | self.live, frozenset()
        self.claimed = value
        if self.start is None:
            self.start = value
        if not self.doubts:
            return []
        back = [d for d in self.doubts if value in d.right and value not in d.wrong]
        self.doubts = [d for d in self.doubts if d not in back]
        return [d.finding for d in back]

    def doubt(self, value: int, finding: Finding | None) -> None:
        """Take a statement that does not fit: from now on both readings are open."""
        if finding is not None:
            self.doubts = [*self.doubts[1 - _MOST_DOUBTS :], Doubt(finding, set(self.live), {value})]
        self.also(value)
        self.claimed = value

    def also(self, *values: int) -> None:
        """Open further readings."""
        self.past.update(values)
        if self.open is not None:
            self._hold({*(self.open - self.vague), *values}, set(self.vague))
        self.live = _capped({*self.live, *values}) or frozenset()

    def loosen(self) -> None:
        """Forget what is known: the next statement counts, besides what the numbers before it give."""
        if self.open is not None:
            self.kept = self.open
        self.open = None
        self.gap = _MOST_GAP

    def blur(self, span: Iterable[int], most: int) -> None:
        """Open every reading within some steps, for changes that could not be read."""
        if self.open is not None:
            self._hold(set(self.open - self.vague), {min(most, max(0, v + step)) for v in self.open for step in span})

    def readings(self) -> frozenset[int] | None:
        """All readings, or None where nothing is known."""
        return self.open

    def state(self) -> PoolState:
        """The pool as the report shows it."""
        return _state(self.claimed, self.open, self.start)


@lru_cache(maxsize=4096)
def _state(claimed: int | None, readings: frozenset[int] | None, start: int | None) -> PoolState:
    return PoolState(claimed, Figure.unknown() if readings is None else Figure.among(readings), start)


def _capped(values: set[int]) -> frozenset[int] | None:
    return frozenset(values) if len(values) <= MOST_VALUES else None
