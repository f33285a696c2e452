"""A post in play: where its findings go, its dice, and what holds for its round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from referee.model.claims import Claim, WrittenRoll
from referee.model.report import Evidence, Working
from referee.ports.rules import Entry, Rolled, RollUse, as_expected
from rules.angel_dolls.judging.state import Block, Bout
from rules.angel_dolls.judging.told import Told
from rules.angel_dolls.statements import Check, Heading, Side, Simultaneous

#: What penalties of a chain change in a total, and the places in the post where that may be (None: anywhere).
Shifts = tuple[frozenset[int], frozenset[tuple[int, int]] | None]

#: No shift at all, as a set of readings.
NOTHING = frozenset({0})

#: What words may explain, by code.
_ABOUT = {
    "total": "a total",
    "penalty": "a modifier",
    "chain": "the penalties of a chain",
    "stat": "a stat",
    "weapon-out": "how a lost thing is used again",
    "full-defense": "an attack in Full Defense",
    "damage": "damage",
    "affinity": "an affinity",
    "outcome": "an outcome",
    "hp": "HP",
}

#: What stands before the first claim of a post.
_NO_CLAIM = Claim("", "")


@dataclass(slots=True)
class Play:
    """The post that is judged now.

    `old`: for a claim that was edited late, how it stood before (G20); then it raises nothing.
    `slip`: for a claim put right in time, what stood there: later lines may still rest on it (G23).
    `full`: dolls in Full Defense so far; `later_full`: those whose line stands further down; `any_full`,
    `any_halved`: anybody may be in Full Defense, or in a simultaneous strike.
    `chain_shifts`: for a doll whose chain is at fault, what the right penalties change in a total, with the
    places in the post where that may be (None: in any of its attacks).
    `apart`: rolls that stand apart from their numbers, by the identity of the side.
    `acted`: dolls whose attack in spite of their fall or of Full Defense was reported for this post.
    `claim_fault`, `affinity_fault`, `range_fault`: what was found in the present claim.
    """

    bout: Bout
    entry: Entry
    judged: bool
    claim: Claim = _NO_CLAIM
    old: Claim | None = None
    slip: Claim | None = None
    block: Block = field(default_factory=Block)
    full: set[str] = field(default_factory=set)
    later_full: set[str] = field(default_factory=set)
    any_full: bool = False
    any_halved: bool = False
    together: Simultaneous | None = None
    struck_first: bool = False
    affinity_fault: bool = False
    range_fault: bool = False
    claim_fault: bool = False
    chain_shifts: dict[str | None, Shifts] = field(default_factory=dict)
    apart: dict[int, Rolled] = field(default_factory=dict)
    unlinked: list[tuple[Claim, int, str | None]] = field(default_factory=list)
    fallen_before: frozenset[str] = frozenset()
    acted: set[str] = field(default_factory=set)
    _rollers: frozenset[str] = frozenset()

    def add(
        self,
        code: str,
        who: str | None,
        claimed: Any,
        expected: Any,
        message: str,
        trace: Iterable[Working | str] = (),
        rules: Iterable[str] = (),
        claim: Claim | None = None,
        evidence: Iterable[Evidence] = (),
    ) -> bool:
        """Note a finding about the present claim, unless a late edit was reported for it already.

        Gives False where words may explain it, so that a notice was made instead.
        """
        if self.old is not None and claim is None:
            return True
        self.block.faulty = self.claim_fault = True
        words = Told(self.bout, self.entry, who, claim or self.claim).explains(code, claimed, as_expected(expected))
        if words is not None:
            message = (
                f"words of {words[0]} may explain {_ABOUT[code]} and were not read, so it is not judged: {words[1]}"
            )
            self.unchecked(f"told:{code}:{who}:{self.entry.post.id}", message, who)
            return False
        self.bout.case.book.add(
            f"angel_dolls/{code}",
            self.entry,
            character=who,
            claimed=claimed,
            expected=expected,
            rules=rules,
            message=message,
            trace=trace,
            evidence=evidence,
            claim=claim or self.claim,
        )
        return True

    def above(self, kind: str | None) -> str | None:
        """The words of the last check of a kind, or of the last heading (None), above the present claim."""
        found = None
        for claim in self.entry.reading.claims:
            if claim is self.claim:
                return found
            data = claim.data
            if isinstance(data, Heading) if kind is None else isinstance(data, Check) and data.kind == kind:
                found = claim.quote
        return None

    def place(self) -> tuple[str, str]:
        """The present claim's post and words."""
        return self.entry.post.id, self.claim.quote

    def unchecked(self, cause: str, message: str, who: str | None = None) -> None:
        """Say once what could not be judged, and for lack of what."""
        self.bout.case.book.unchecked(self.entry, cause, message, who)

    def shifts(self, who: str | None) -> frozenset[int]:
        """What a chain at fault may change in the present line of that attacker: {0} where nothing."""
        if who not in self.chain_shifts:
            return NOTHING
        values, spans = self.chain_shifts[who]
        return values if spans is None or self.claim.span in spans else NOTHING

    def old_check(self) -> Check | None:
        """The check as it stood before a late edit."""
        data = self.old.data if self.old else None
        return data if isinstance(data, Check) else None

    def begin(self, claim: Claim, old: Claim | None, slip: Claim | None) -> None:
        """Turn to the next claim of the post."""
        self.claim, self.old, self.slip = claim, old, slip
        self.affinity_fault = self.range_fault = self.claim_fault = False

    # -- dice ---------------------------------------------------------------------------------------

    def random(self, side: Side, old: Side | None, who: str | None) -> frozenset[int]:
        """Every admissible reading of a side's random number; empty where nothing is known (D3).

        A number outside 1 to 50 is a finding of its own, and its record is not looked at (NA15).
        """
        roll = side.roll
        if roll is None:
            return frozenset()
        value = roll.values[0] if roll.values else None
        if value is not None:
            if old is not None and old.rolled is not None and old.rolled != value:
                return frozenset({value, old.rolled})
            if any([anchor.total is not None for anchor in roll.anchors]):
                return self._recorded(roll, who)
            if not self.bout.numbers.low <= value <= self.bout.numbers.high:
                self._out_of_range(value, who)
                return frozenset({value})
            if not roll.anchors and id(side) in self.apart:
                return self._taken(self.apart[id(side)])
            if not roll.anchors:
                self.unlinked.append((self.claim, value, who))
                return frozenset({value})
        return self._recorded(roll, who)

    def _out_of_range(self, value: int, who: str | None) -> None:
        low, high = self.bout.numbers.low, self.bout.numbers.high
        message = f"the random number of a check lies between {low} and {high}, the post says {value}"
        self.range_fault = True
        self.add("roll-range", who, value, {"min": low, "max": high}, message, rules=("D3",))

    def _recorded(self, roll: WrittenRoll, who: str | None) -> frozenset[int]:
        """The readings by the record; only a number that differs from it leaves open what follows (G13)."""
        return self._taken(self.bout.case.dice.check(self.use(self.claim, roll, 1, who)))

    def _taken(self, rolled: Rolled) -> frozenset[int]:
        self.block.doubted = self.block.doubted or rolled.fault
        values = frozenset([sum(row) for row in rolled.readings if row])
        if len(values) > 1:
            self.block.faulty = self.claim_fault = True
        return values

    def use(self, claim: Claim, roll: WrittenRoll, count: int | None, who: str | None) -> RollUse:
        """What a roll of this post is used for; `count`: how many dice are due, None: as many as are written."""
        return RollUse(
            self.entry,
            claim,
            roll,
            due=self.bout.numbers.dice,
            count=count,
            by=self._rollers or self._name_rollers(),
            character=who,
            rules=("D3",),
        )

    def _name_rollers(self) -> frozenset[str]:
        """The names that a record of this post's rolls may bear, worked out once for the post (G11)."""
        sheets, author = self.bout.case.sheets, self.entry.post.author
        self._rollers = sheets.judges.union((author,), [c.name for c in sheets.of_player(author)])
        return self._rollers

    def settle_unlinked(self) -> None:
        """One `dice/no-link` for all the numbers of the post that stand without link or in-post roll."""
        if not self.unlinked:
            return
        claim, _, who = self.unlinked[0]
        roll = WrittenRoll(tuple(value for _, value, _ in self.unlinked), ())
        self.bout.case.dice.check(self.use(claim, roll, None, who))
