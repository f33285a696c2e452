"""Whose turn it is: the turn policies of S4, with every order that is still possible kept open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from referee.ports.rules import Sheets, rule
from referee.ports.sayings import one_of

#: More possible orders than this are not told apart.
MOST_ORDERS = 64
Counts = tuple[int, ...]
#: What each turn policy says, for the working of a post out of turn.
_POLICIES = {
    "alternate": "turns alternate; with more than two fighters in a fixed cycle, highest Speed first",
    "rounds": "everyone once a round; the first round by Speed, highest first",
    "ratio": "the faster one has as many turns as its Speed holds the slower one's, then the slower one has one",
    "speed": "each has an interval of 100,000 / (Speed + 100), rounded up; the lowest count acts and adds its interval",
}
#: Every turn policy; `free` has no order.
POLICIES = (*_POLICIES, "free")


@rule("S4", cites="2.01 Speed, 3.05 Starting")
def interval(speed: int) -> int:
    """Highest Speed acts first; who is next goes by the battle's turn policy.

    Alternate: the sides take turns, more than two fighters in a fixed cycle by Speed. Rounds: everyone once,
    the first round by Speed. Ratio: the faster posts as often as its Speed holds the slower's, then the
    slower once. Speed: each has an interval of 100,000 / (Speed + 100), rounded up, and starts with a count
    equal to it; the lowest count acts and adds its own interval.
    """
    return ceil(100_000 / max(1, speed + 100))


@dataclass(slots=True)
class TurnOrder:
    """Follows the order of posts. `speeds`: readings of each fighter's Speed without status effects.

    `may_skip(name)`: whether a fighter may be skipped at its place (down or forfeited). `judged`: whether
    this policy can be judged at all: it needs two fighters and, for an order, their Speed. `due`, `working`: who
    would have been due at the last turn that was not, and how that comes.
    """

    policy: str
    names: tuple[str, ...]
    speeds: Mapping[str, Sequence[int]]
    may_skip: Callable[[str], bool]
    judged: bool = False
    due: tuple[str, ...] = ()
    working: list[str] = field(default_factory=list)
    _places: set[tuple[int, ...]] = field(default_factory=set)
    _counts: set[Counts] = field(default_factory=set)
    _posted: list[str] = field(default_factory=list)
    _was_due: bool = False
    _steps: dict[tuple[Counts, int], Counts] = field(default_factory=dict)
    _earlier: dict[tuple[int, int], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.judged = (
            len(self.names) > 1 and self.policy in _POLICIES and all(self.speeds.get(name) for name in self.names)
        )

    def post(self, name: str) -> bool:
        """Note a turn of `name`; whether it was due."""
        if not self.judged:
            return True
        before = self._places, self._counts
        due = self._judge(name)
        if not due:
            self._note_working(*before)
        self._posted.append(name)
        return due

    def is_due(self, name: str) -> bool:
        """Whether a turn of `name` would be due now; nothing is noted."""
        if not self.judged:
            return True
        return self.copied()._judge(name)

    def copied(self) -> TurnOrder:
        """The order as it stands, to try turns with."""
        return replace(
            self, _places=set(self._places), _counts=set(self._counts), _posted=list(self._posted), _was_due=False
        )

    def _note_working(self, places: set[tuple[int, ...]], counts: set[Counts]) -> None:
        """Keep who was due, and why, before a turn that was not."""
        due = []
        for name in self.names:
            tried = replace(self, _places=places, _counts=counts)
            if tried.is_due(name):
                due.append(name)
        self.due = tuple(due)
        speeds = [f"{name} {one_of(sorted(self.speeds[name]))}" for name in self.names if self.speeds.get(name)]
        self.working = [_POLICIES.get(self.policy, ""), f"Speed: {', '.join(speeds)}"]
        if self.policy == "speed" and len(counts) == 1:
            (row,) = counts
            lengths = [f"{name} {one_of(interval(s) for s in self.speeds[name])}" for name in self.names]
            self.working.append(f"intervals: {', '.join(lengths)}")
            now = [f"{name} {count}" for name, count in zip(self.names, row, strict=True)]
            self.working.append(f"counts before this post: {', '.join(now)}; the lowest is due")
        posted = self._posted[-12:]
        early = "... " if len(self._posted) > len(posted) else ""
        self.working.append(f"turns before this post: {early}{', '.join(posted) or 'none'}")

    def perhaps(self, name: str) -> None:
        """Note a post that may be a turn of `name` or none: both stay possible."""
        if not self.judged or not (self._places or self._counts):
            return
        places, counts, posted = set(self._places), set(self._counts), list(self._posted)
        self.post(name)
        self._places |= places
        self._counts |= counts
        self._posted, self._was_due = posted, False

    def acted(self, name: str, speeds: Sequence[int]) -> None:
        """After a turn: under `speed` the actor's count moves by its interval (NS30).

        `speeds`: the readings of its Speed at the end of the post, status effects included. A post out
        of turn moves no count; that it stood for a later one is kept as a second reading.
        """
        if self.policy != "speed" or not self._counts or name not in self.names:
            return
        me = self.names.index(name)
        steps = {interval(speed) for speed in speeds} or {0}
        moved = {(*c[:me], c[me] + step, *c[me + 1 :]) for c in self._counts for step in steps}
        if not self._was_due:
            moved |= self._counts
        self._counts = set(sorted(moved)[:MOST_ORDERS])

    def _judge(self, name: str) -> bool:
        if self.policy == "alternate":
            return self._by_cycle(name)
        if self.policy == "speed":
            return self._by_counts(name)
        if self.policy == "rounds":
            return self._by_rounds(name)
        if self.policy == "ratio" and len(self.names) == 2:
            return self._by_ratio(name)
        if self.policy == "ratio":
            return True
        return self._by_cycle(name)

    # -- alternate -------------------------------------------------------------------------------

    def _by_cycle(self, name: str) -> bool:
        """A fixed cycle by Speed; a state holds how many turns each fighter has had.

        A turn out of its place leaves three readings: it did not count, it stands for a later one, or
        those who were due lost theirs.
        """
        me = self.names.index(name)
        states = self._places or {(0,) * len(self.names)}
        if len(states) == 1:
            (state,) = states
            step = self._steps.get((state, me)) or self._cycle_step(state, me, self.may_skip)
            if step is not None:
                self._places = {step}
                return True
        found = {after for state in states if (after := self._cycle_step(state, me, self.may_skip)) is not None}
        if found:
            self._places = found if len(found) <= MOST_ORDERS else set(sorted(found)[:MOST_ORDERS])
            return True
        early = {_levelled([n + (i == me) for i, n in enumerate(state)]) for state in states}
        passed = {after for state in states if (after := self._cycle_step(state, me, lambda _: True)) is not None}
        self._places = states | early | passed
        return False

    def _cycle_step(self, state: Counts, me: int, may_skip: Callable[[str], bool]) -> Counts | None:
        """The state after a turn of `me`, None where somebody else is due who may not be skipped."""
        counts = list(state)
        mine = counts[me]
        skipped = False
        for other, count in enumerate(state):
            if other == me or count > mine:
                continue
            need = mine + self._before(other, me)
            if count < need:
                if not may_skip(self.names[other]):
                    return None
                counts[other] = need
                skipped = True
        counts[me] = mine + 1
        after = _levelled(counts)
        if self._posted and not skipped:
            self._steps[state, me] = after
        return after

    def _before(self, other: int, me: int) -> bool:
        """Whether the other one surely comes before in the cycle; of two, who posted first."""
        if len(self.names) == 2 and self.policy == "alternate":
            return bool(self._posted) and self._posted[0] == self.names[other]
        key = other, me
        if key not in self._earlier:
            self._earlier[key] = min(self.speeds[self.names[other]]) > max(self.speeds[self.names[me]])
        return self._earlier[key]

    # -- rounds ----------------------------------------------------------------------------------

    def _by_rounds(self, name: str) -> bool:
        me = self.names.index(name)
        states = self._places or {()}
        found: set[tuple[int, ...]] = set()
        for state in states:
            done = set(state)
            missing = [i for i in range(len(self.names)) if i not in done]
            if me in done and all(self.may_skip(self.names[i]) for i in missing):
                found.add((me,))
            elif me not in done and self._in_first_round(done, me):
                found.add(tuple(sorted(done | {me})))
        if found:
            self._places = found
            return True
        self._places = states | {tuple(sorted(set(state) | {me})) for state in states}
        return False

    def _in_first_round(self, done: set[int], me: int) -> bool:
        """In the first round the order is by Speed; afterwards any."""
        if len(self._posted) >= len(self.names) or len(set(self._posted)) < len(self._posted):
            return True
        return not any(i != me and i not in done and self._before(i, me) for i in range(len(self.names)))

    # -- ratio -----------------------------------------------------------------------------------

    def _by_ratio(self, name: str) -> bool:
        """The state is how often the faster has posted in the present cycle."""
        one, two = self.names
        fast, slow = (one, two) if max(self.speeds[one]) >= max(self.speeds[two]) else (two, one)
        times = {max(1, a // max(1, b)) for a in self.speeds[fast] for b in self.speeds[slow]}
        states = self._places or {(0,)}
        found = {after for state in states for after in self._ratio_steps(state[0], times, name == fast, fast, slow)}
        if not self._posted and not found and set(self.speeds[fast]) & set(self.speeds[slow]):
            found = {(max(times),)}
        if found:
            self._places = found
            return True
        self._places = states | ({(min(state[0] + 1, max(times)),) for state in states} if name == fast else {(0,)})
        return False

    def _ratio_steps(self, count: int, times: set[int], is_fast: bool, fast: str, slow: str) -> set[tuple[int, ...]]:
        if is_fast:
            if count < max(times):
                return {(count + 1,)}
            return {(1,)} if self.may_skip(slow) or self.may_skip(fast) else set()
        if count in times or self.may_skip(fast) or self.may_skip(slow):
            return {(0,)}
        return set()

    # -- speed -----------------------------------------------------------------------------------

    def _by_counts(self, name: str) -> bool:
        if not self._counts:
            self._counts = {()}
            for each in self.names:
                self._counts = {(*c, interval(s)) for c in self._counts for s in self.speeds[each]}
        me = self.names.index(name)
        due = {after for counts in self._counts for after in self._due(counts, me)}
        self._was_due = bool(due)
        if due:
            self._counts = due
        return bool(due)

    def _due(self, counts: Counts, me: int) -> set[Counts]:
        """The counts with which `me` acts now, those passed over who may be skipped moved on."""
        now = list(counts)
        for _ in range(200):
            lowest = min(now)
            if now[me] == lowest:
                return {tuple(now)}
            ahead = [i for i, count in enumerate(now) if count == lowest]
            if not all(self.may_skip(self.names[i]) for i in ahead):
                return set()
            for i in ahead:
                now[i] += max(1, min(interval(s) for s in self.speeds[self.names[i]]))
        return set()


def _levelled(counts: list[int]) -> Counts:
    """Counts of turns from the lowest on, so that states stay few."""
    least = min(counts)
    return tuple([count - least for count in counts]) if least else tuple(counts)


def runs_on(sheets: Sheets) -> bool:
    """Whether an author may have two turns running: by every policy but `alternate` (S4)."""
    return policy_named(sheets.options.get("turn_policy")) != "alternate"


def policy_named(policy: object) -> str:
    """The name of a turn policy as an option gives it, `alternate` where none is given."""
    return str(policy).strip().casefold()[:40] if policy else "alternate"


def order_for(
    policy: object, names: Iterable[str], speeds: Mapping[str, Sequence[int]], may_skip: Callable[[str], bool]
) -> TurnOrder:
    """The turn order of a battle under its policy, `alternate` where none is given; an unknown one is not judged."""
    return TurnOrder(policy_named(policy), tuple(names), speeds, may_skip)
