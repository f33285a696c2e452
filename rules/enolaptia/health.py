"""HP of one fighter on both ledgers (E14, X8)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from referee.model.figure import Figure, Number
from referee.model.report import Finding, PoolState
from referee.ports.rules import rule


@lru_cache(maxsize=4096)
def exact(value: Number) -> Figure:
    """A figure with one reading."""
    return Figure.of(value)


ZERO = exact(0)


@rule("E14", cites="3.C; rules page E14")
def after_change(hp: Figure, change: Figure, top: int | None) -> Figure:
    """HP fall by the damage, never below 0; a potion lifts them, never above the maximum.

    At 0 a character or creature is out.
    """
    if change is ZERO:
        return hp
    was, step = hp.only, change.only
    if was is not None and step is not None:
        return exact(_stepped(was, step, top))
    if hp.known and change.known and hp.values and change.values:
        return Figure.among(_stepped(a, b, top) for a in hp.values for b in change.values)
    changed = hp.plus(change).at_least(0)
    return changed if top is None else changed.at_most(top)


def _stepped(hp: Number, change: Number, top: int | None) -> Number:
    """One reading after a change; a value above the maximum is not pulled down by a potion."""
    if change > 0 and top is not None:
        return max(hp, min(top, hp + change))
    return max(0, hp + change)


class Readings(NamedTuple):
    """A pool's figures: as posts say, as rules give, the likely ones (for `expected`), all open ones."""

    claimed: Figure
    computed: Figure
    likely: Figure
    open: Figure

    @staticmethod
    def agreed(figure: Figure) -> Readings:
        """All four alike: nothing is in dispute."""
        return Readings(figure, figure, figure, figure)


class Pool:
    """One fighter's HP. A finding keeps both of its readings open to the battle's end (X8, G23)."""

    __slots__ = ("_disputed", "_finding", "_wrong", "readings", "start", "stated", "steps", "top")

    def __init__(self, start: int | None) -> None:
        """A full pool, or one about which nothing is known."""
        self.start = start
        self.top = start
        #: For workings: post and number of the last statement; post, words and change of each step since, if sure.
        self.stated: tuple[str, int] | None = None
        self.steps: list[tuple[str, str, Figure, bool]] = []
        self.readings = Readings.agreed(Figure.unknown() if start is None else exact(start))
        self._disputed = False
        self._finding: Finding | None = None
        self._wrong: Figure | None = None

    def set_start(self, start: int) -> None:
        """A battle that does not begin at the maximum (X15)."""
        self.start = start
        self.readings = Readings.agreed(exact(start))

    @property
    def down(self) -> bool:
        """Whether every reading is 0."""
        high = self.readings.open.high
        return high is not None and high <= 0

    @property
    def may_be_down(self) -> bool:
        """Whether some reading is 0."""
        low = self.readings.open.low
        return low is None or low <= 0

    @property
    def doubtful(self) -> bool:
        """Whether some reading is 0 and something is known at all: of nothing known the post's word counts (X2)."""
        return self.may_be_down and self.readings.open.high is not None

    @property
    def likely_zero(self) -> bool:
        """Whether some likely reading is 0."""
        low = self.readings.likely.low
        return low is None or low <= 0

    @property
    def likely_down(self) -> bool:
        """Whether every likely reading is 0."""
        high = self.readings.likely.high
        return high is not None and high <= 0

    @property
    def below_zero(self) -> Number | None:
        """What the steps since the last statement leave without the stop at 0; None where that is not certain."""
        begun = self.stated[1] if self.stated is not None else self.start
        steps = [step.only for _, _, step, sure in self.steps if sure]
        if begun is None or len(steps) < len(self.steps) or self._disputed:
            return None
        return begun + sum([step for step in steps if step is not None]) if None not in steps else None

    def shift(self, claimed: Figure, computed: Figure, others: tuple[Figure, ...] = ()) -> None:
        """Change the pool by what a post says and by what the rules give; `others`: further readings left open."""
        now, top = self.readings, self.top
        if claimed is computed and not others:
            if self._wrong is not None:
                self._wrong = after_change(self._wrong, claimed, top)
            if not self._disputed:
                self.readings = Readings.agreed(after_change(now.open, claimed, top))
                return
        else:
            self._disputed = True
        likely = after_change(now.likely, claimed, top)
        opened = after_change(now.open, claimed, top)
        if claimed is not computed:
            likely = likely.either(after_change(now.likely, computed, top))
            opened = opened.either(after_change(now.open, computed, top))
        for other in others:
            opened = opened.either(after_change(now.open, other, top))
        self.readings = Readings(
            after_change(now.claimed, claimed, top), after_change(now.computed, computed, top), likely, opened
        )

    def begin(self, post: str, value: int) -> None:
        """A post has stated the HP: workings go on from there."""
        self.stated = (post, value)
        self.steps.clear()

    def admits(self, value: int) -> bool:
        """Whether a statement fits one of the readings."""
        return self.readings.open.admits(value)

    def settle(self, value: int) -> Finding | None:
        """Go on from a statement that fits; gives the earlier finding that it takes back, if it does."""
        now, stated = self.readings, exact(value)
        if not self._disputed:
            if now.open is not stated:
                self.readings = Readings.agreed(stated)
            return None
        computed = stated if now.computed.admits(value) else now.computed
        self.readings = Readings(stated, computed, stated, now.open if now.open.known else now.open.either(stated))
        finding, wrong = self._finding, self._wrong
        if finding is not None and wrong is not None and not wrong.admits(value):
            self._finding = None
            return finding
        return None

    def contest(self, value: int, finding: Finding | None) -> None:
        """Go on from a statement that fits no reading: both stay open."""
        now, stated = self.readings, Figure.of(value)
        self._disputed = True
        self._finding, self._wrong = finding, stated
        self.readings = Readings(stated, now.computed, now.likely.either(stated), now.open.either(stated))

    def allow(self, value: int) -> None:
        """Leave one more reading open (rulings, late edits, corrections)."""
        stated = Figure.of(value)
        self._disputed = True
        now = self.readings
        self.readings = Readings(stated, stated, now.likely.either(stated), now.open.either(stated))

    def correct(self, change: int, value: int | None) -> None:
        """A late correction moves what posts say by `change`, and both ledgers go on from there (G25).

        `value`: the number as the correction states it; it stays possible too, and so does all that
        was open before. Where later posts have gone on from the right number already, nothing moves.
        """
        before = self.readings
        moved = after_change(before.claimed, exact(change), self.top)
        settled = self._disputed and before.claimed.only is not None and before.claimed.only == before.computed.only
        claimed = before.claimed if settled else moved
        opened = before.open.either(after_change(before.open, exact(change), self.top)).either(claimed).either(moved)
        if value is not None:
            opened = opened.either(value)
        self._disputed = True
        self.readings = Readings(claimed, claimed, claimed, opened)

    def loosen(self) -> None:
        """Something that could not be read may have changed the pool: the next statement counts."""
        self._disputed = False
        self.readings = Readings.agreed(Figure.unknown())

    def state(self) -> PoolState:
        """The pool as the report shows it."""
        now = self.readings
        claimed = now.claimed.only
        if claimed is None and now.claimed.known:
            claimed = now.claimed.high
        return PoolState(claimed, now.computed, self.start)
