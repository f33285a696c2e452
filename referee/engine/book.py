"""The book of findings: every check writes here; severities come from the tables of codes."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.engine.gaps import CERTAIN, first_gap
from referee.engine.timeline import PostRead
from referee.engine.told import Told
from referee.model.battle import Battle, Ruling
from referee.model.claims import Claim, Reading
from referee.model.report import Evidence, Finding, Working
from referee.ports.rules import Code, Entry, as_expected

#: More lines than this in one working help nobody.
LONGEST_TRACE = 60


class FindingBook:
    """Collects the findings of one battle (implements `referee.ports.rules.Book`)."""

    def __init__(self, battle: Battle, codes: Mapping[str, Code], posts: Sequence[PostRead] = ()) -> None:
        """A book for one battle, knowing all codes that may be written into it, and the posts as they were read."""
        self._battle = battle
        self._tellings = Told(posts)
        self._codes = codes
        self._order = {post.id: index for index, post in enumerate(battle.posts)}
        #: From which place on findings may rest on what nobody knows, and why.
        self._doubted = first_gap(battle.gaps, self._order)
        self._why = "posts before this one were not read"
        self._findings: list[Finding] = []
        self._causes: set[str] = set()
        self._taken: dict[tuple[str, str, str | None], set[int]] = {}
        self._next: Counter[tuple[str, str, str | None]] = Counter()
        self._placed: Reading | None = None
        self._places: dict[int, int] = {}
        self._suspended = _suspensions(battle, self._order)
        self.rulings_used: set[int] = set()

    def add(
        self,
        code: str,
        entry: Entry,
        *,
        character: str | None = None,
        claimed: Any = None,
        expected: Any = None,
        rules: Iterable[str] = (),
        message: str,
        trace: Iterable[Working | str] = (),
        evidence: Iterable[Evidence] = (),
        claim: Claim | None = None,
    ) -> Finding:
        """Note a finding at the post of `entry` (see the port)."""
        cited = tuple(rules)
        proof = tuple(evidence)
        if claim is not None and claim.quote and not any(e.quote == claim.quote for e in proof):
            proof = (Evidence(entry.post.id, claim.quote), *proof)
        if entry.corrected:
            # A quote is of the post in which the words stand, also where they count as those of another (G25).
            proof = tuple([Evidence(entry.corrected.get(e.quote, e.post), e.quote) for e in proof])
        finding = Finding(
            code=code,
            severity=self._codes[code].severity,
            post=entry.post.id,
            character=character,
            claimed=claimed,
            expected=as_expected(expected),
            rules=cited or self._codes[code].rules,
            message=message,
            trace=_workings(trace),
            evidence=proof,
            ordinal=self._ordinal(code, entry, character, claim),
        )
        if self._is_suspended(finding) or _put_in_late(entry, claim) or self._told(entry, finding):
            return finding
        if self._doubted is not None and entry.index >= self._doubted and self._is_doubtful(finding):
            self._doubt(entry, finding, claim)
            return finding
        self._findings.append(finding)
        return finding

    def doubt_from(self, entry: Entry, why: str) -> None:
        """Make notices of findings from a post on (see the port); what began earlier goes on."""
        if self._doubted is None or entry.index < self._doubted:
            self._doubted, self._why = entry.index, why

    def _is_doubtful(self, finding: Finding) -> bool:
        """Whether a finding may rest on posts that were not read."""
        return finding.severity != "notice" and finding.code not in CERTAIN

    def _doubt(self, entry: Entry, finding: Finding, claim: Claim | None) -> None:
        """Note a finding as something that a person must look at: it may rest on what nobody knows."""
        self.add(
            "post/unchecked",
            entry,
            character=finding.character,
            rules=finding.rules,
            message=f"{finding.message}; {self._why}, so that is not certain",
            trace=finding.trace,
            evidence=finding.evidence,
            claim=claim,
        )

    def _told(self, entry: Entry, finding: Finding) -> bool:
        """Whether words that no claim was read from tell of just the difference: then a notice says so instead."""
        if not self._codes[finding.code].told or not isinstance(finding.claimed, int):
            return False
        due = finding.expected if isinstance(finding.expected, list) else []
        amounts = frozenset(abs(finding.claimed - value) for value in due if isinstance(value, int))
        words = self._tellings.words(entry.index, amounts)
        if words is None:
            return False
        post, line = words
        message = f"words of {post} tell the difference of {finding.character}'s HP and were not read: {line[:200]}"
        self.unchecked(entry, f"told:{entry.post.id}:{finding.character}", message, finding.character)
        return True

    def unchecked(self, entry: Entry, cause: str, message: str, character: str | None = None) -> None:
        """Note `post/unchecked` once per cause (X2)."""
        if cause not in self._causes:
            self._causes.add(cause)
            self.add("post/unchecked", entry, character=character, message=message)

    def taken_back(self, finding: Finding, entry: Entry) -> None:
        """Say in an earlier finding's trace that a later post returned to the earlier number (X8)."""
        for index, noted in enumerate(self._findings):
            if noted is finding:
                line = Working(f"taken back in {entry.post.id}")
                self._findings[index] = replace(noted, trace=(*noted.trace, line))
                return

    def findings(self) -> tuple[Finding, ...]:
        """All findings in thread order, with fingerprints and facts."""
        place = self._order
        ranked = sorted(self._findings, key=lambda f: (place.get(f.post, -1), f.code, f.character or "", f.ordinal))
        return tuple(self._signed(finding) for finding in ranked)

    def _ordinal(self, code: str, entry: Entry, character: str | None, claim: Claim | None) -> int:
        """Which claim of its kind in the post; the next free number where that place is taken already."""
        place = (code, entry.post.id, character)
        taken = self._taken.setdefault(place, set())
        ordinal = self._place_of(entry.reading, claim) if claim is not None else 0
        if ordinal in taken:
            ordinal = self._next[place]
        taken.add(ordinal)
        self._next[place] = max(ordinal + 1, self._next[place])
        return ordinal

    def _place_of(self, reading: Reading, claim: Claim) -> int:
        """Which of its kind a claim is, worked out once for all claims of a post."""
        if self._placed is not reading:
            counted: Counter[str] = Counter()
            self._placed, self._places = reading, {}
            for other in reading.claims:
                self._places[id(other)] = counted[other.kind]
                counted[other.kind] += 1
        return self._places.get(id(claim), 0)

    def _signed(self, finding: Finding) -> Finding:
        """The finding with its stable fingerprint (never of values) and its facts."""
        thread = self._battle.url or self._battle.title
        place = [self._battle.ruleset, thread, finding.post, finding.code, finding.character, finding.ordinal]
        return replace(finding, fingerprint=_digest(place), facts=_digest([finding.claimed, finding.expected]))

    def _is_suspended(self, finding: Finding) -> bool:
        """Whether a ruling suspends a rule that the finding rests on, or that its code may rest on (S35, X15)."""
        for index, ruling, rule, first, last in self._suspended:
            about = ruling.character in (None, finding.character)
            rests = rule in finding.rules or rule in self._codes[finding.code].rules
            if about and rests and first <= self._order[finding.post] <= last:
                self.rulings_used.add(index)
                return True
        return False


def _put_in_late(entry: Entry, claim: Claim | None) -> bool:
    """Whether a claim was put in by a late edit: that has its finding, and gives no second one (G20)."""
    return bool(entry.added) and any(entry.reading.claims[place] is claim for place in entry.added)


def _suspensions(battle: Battle, order: Mapping[str, int]) -> list[tuple[int, Ruling, str, int, int]]:
    """The rulings that suspend a rule, with its id and the first and last place of their scope (X15)."""
    found = []
    for index, ruling in enumerate(battle.rulings):
        if "suspend" in ruling.effect and ruling.post in order:
            first = order[ruling.post]
            # Reports name rules as S21, `explain` also as shinobi/S21.
            rule = str(ruling.effect["suspend"]).strip().removeprefix(f"{battle.ruleset}/")
            found.append((index, ruling, rule, first, order.get(ruling.until or ruling.post, first)))
    return found


def _workings(trace: Iterable[Working | str]) -> tuple[Working, ...]:
    lines = tuple(line if isinstance(line, Working) else Working(line) for line in trace)
    if len(lines) <= LONGEST_TRACE:
        return lines
    return (*lines[:LONGEST_TRACE], Working(f"... {len(lines) - LONGEST_TRACE} more lines"))


def _digest(parts: list[Any]) -> str:
    packed = json.dumps(parts, ensure_ascii=False, sort_keys=True, default=str).encode("utf-8", "replace")
    return hashlib.sha256(packed).hexdigest()[:20]
