"""What comes out: findings, the state of each pool post by post, the report of a thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.model.claims import Claim
from referee.model.figure import Figure, Number
from referee.model.records import filled_directly

#: The three severities, worst first.
SEVERITIES = ("error", "warning", "notice")

Listed = int | float | str | None


@dataclass(frozen=True, slots=True)
class Working:
    """One line of a working. `staff` is the same line with secret totals, where they differ."""

    text: str
    staff: str | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words of a post on which a finding rests."""

    post: str
    quote: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where numbers do not add up, or that a person must look at.

    `claimed`: a number, word, list of dice or None. `expected`: the admissible values in order, a
    range as `{"min": a, "max": b}`, or None where no value applies. `rules`: rule ids. `message`:
    one public line that accuses nobody. `disposition`: open, or what staff say:
    confirmed (it is right), dismissed (it is none), overruled (the post stands in spite of the rule).
    `ordinal`: which claim of its kind in the post (for the fingerprint).
    """

    code: str
    severity: str
    post: str
    character: str | None = None
    claimed: Listed | list[int] | list[str] = None
    expected: list[Listed] | list[int] | Mapping[str, Listed] | None = None
    rules: tuple[str, ...] = ()
    message: str = ""
    trace: tuple[Working, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    ordinal: int = 0
    disposition: str = "open"
    fingerprint: str = ""
    facts: str = ""

    @property
    def set_aside(self) -> bool:
        """Whether staff have said that nothing is to be put right here."""
        return self.disposition in ("dismissed", "overruled")


@filled_directly
@dataclass(frozen=True, slots=True)
class PoolState:
    """Where a pool stands after a post, on both ledgers.

    `claimed`: as the posts say; `computed`: as the rules give. `start`: the value at the battle's
    start. A `secret` pool is shown outside staff reports as change since the start only; where the
    start is not known, both ledgers hold changes and `start` is 0.
    """

    claimed: Number | None
    computed: Figure
    start: Number | None = None
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the battle stands: ongoing, won, lost, forfeited, drawn or unknown."""

    status: str = "unknown"
    winner: tuple[str, ...] | None = None
    reason: str | None = None


#: Pools by character: `{"Ren Aoki": {"hp": PoolState}}`.
State = Mapping[str, Mapping[str, PoolState]]


@filled_directly
@dataclass(frozen=True, slots=True)
class PostReport:
    """What was read in a post and where the pools stand after it."""

    id: str
    author: str
    character: str | None = None
    permalink: str | None = None
    claims: tuple[Claim, ...] = ()
    unread: tuple[str, ...] = ()
    state: State = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ThreadReport:
    """The report of one thread; `error` stands alone where a file could not be used."""

    ruleset: str | None = None
    title: str | None = None
    url: str | None = None
    file: str | None = None
    outcome: Outcome = field(default_factory=Outcome)
    posts: tuple[PostReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The whole report. `staff`: secret totals are in it."""

    threads: tuple[ThreadReport, ...]
    staff: bool = False
