"""Whose turn it is: the turn policies of S4, with every order that is still possible kept open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from referee.ports.rules import rule

#: More possible orders than this are not told apart.
MOST_ORDERS = 64
Counts = tuple[int, ...]


@rule("S4", cites="2.01 Speed, 3.05 Starting")
def interval(speed: int) -> int:
    """The interval of the `speed` policy: 100,000 / (Speed + 100), rounded up.

    Everyone starts with a count equal to the own interval; the lowest count acts and adds its own
    interval. `alternate`: a fixed cycle by Speed. `rounds`: everyone once, the first round by
    Speed. `ratio`: the faster posts as often as its Speed holds the slower's, then the slower once.
    """
    return ceil(100_000 / max(1, speed + 100))


@dataclass(slots=True)
class TurnOrder:
    """Follows the order of posts. `speeds`: readings of each fighter's Speed without status effects.

    `may_skip(name)`: whether a fighter may be skipped at its place (down or forfeited).
    """

    policy: str
    names: tuple[str, ...]
    speeds: Mapping[str, Sequence[int]]
    may_skip: Callable[[str], bool]
    _places: set[tuple[int, ...]] = field(default_factory=set)
    _counts: set[Counts] = field(default_factory=set)
    _posted: list[str] = field(default_factory=list)
    _was_due: bool = False
    _early: dict[str, int] = field(default_factory=dict)

    @property
    def judged(self) -> bool:
        """Whether this policy can be judged at all: it needs two fighters and, for an order, their Speed."""
        if len(self.names) < 2 or self.policy == "free":
            return False
        return all(self.speeds.get(name) for name in self.names)

    def post(self, name: str) -> bool:
        """Note a turn of `name`; whether it was due."""
        if not self.judged:
            return True
        due = self._judge(name)
        self._posted.append(name)
        return due

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
        """A fixed cycle by Speed; equal Speeds stand in the order of their first posts."""
        if len(self.names) == 2:
            return self._by_sides(name)
        states = self._places or {()}
        found: set[tuple[int, ...]] = set()
        for state in states:
            found |= self._cycle_steps(state, name)
        if found:
            self._places = set(sorted(found)[:MOST_ORDERS])
            return True
        me = self.names.index(name)
        early = {tuple(sorted({*state, me})) for state in states}
        self._places = states | early | {self._jump(name)}
        return False

    def _by_sides(self, name: str) -> bool:
        """Two who take turns; a turn taken too early may stand for the one that was due later."""
        last = self._posted[-1] if self._posted else None
        other = next(n for n in self.names if n != name)
        if last != name or self.may_skip(other):
            return True
        if self._early.get(other, 0):
            self._early[other] -= 1
            return True
        self._early[name] = self._early.get(name, 0) + 1
        return False

    def _cycle_steps(self, state: tuple[int, ...], name: str) -> set[tuple[int, ...]]:
        """The states after a post of `name`: who has posted in the present cycle, as sorted places."""
        me = self.names.index(name)
        done = set(state)
        if len(done) == len(self.names):
            done = set()
        waiting = [i for i in range(len(self.names)) if i not in done and i != me]
        skipped = {i for i in waiting if self._before(i, me)}
        if me not in done and all(self.may_skip(self.names[i]) for i in skipped):
            return {tuple(sorted(done | skipped | {me}))}
        if all(self.may_skip(self.names[i]) for i in waiting):
            first = {i for i in range(len(self.names)) if i != me and self._before(i, me)}
            if all(self.may_skip(self.names[i]) for i in first):
                return {tuple(sorted(first | {me}))}
        return set()

    def _jump(self, name: str) -> tuple[int, ...]:
        """The cycle as if everybody before `name` had been passed over."""
        me = self.names.index(name)
        return tuple(i for i in range(len(self.names)) if i == me or self._before(i, me))

    def _before(self, other: int, me: int) -> bool:
        """Whether the other one surely comes before in the cycle."""
        return min(self.speeds[self.names[other]]) > max(self.speeds[self.names[me]])

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


def order_for(
    policy: object, names: Iterable[str], speeds: Mapping[str, Sequence[int]], may_skip: Callable[[str], bool]
) -> TurnOrder:
    """The turn order of a battle under its policy; an unknown policy is the default."""
    chosen = str(policy) if policy in ("alternate", "rounds", "ratio", "speed", "free") else "alternate"
    return TurnOrder(chosen, tuple(names), speeds, may_skip)
