"""The contract of a rule system: one `Ruleset` value, assembled by hand from functions and tables.

A ruleset *reads* a post's script into claims and *judges* a whole battle. Rule functions compute
figures and never report; the ruleset's checks compare and report through a `Book`. Everything that
all systems share (dice records, edits, deletions, strangers) is done by the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeVar

from referee.model.battle import Battle, Character, Post, Table
from referee.model.claims import Claim, Reading, WrittenRoll
from referee.model.figure import Figure
from referee.model.records import filled_directly
from referee.model.report import Evidence, Finding, Outcome, State, Working
from referee.model.text import Anchor, Script

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule as the docs and `referee explain` show it: id, citation, docstring of its function."""

    id: str
    cites: str
    summary: str
    detail: str = ""


def rule(rule_id: str, *, cites: str) -> Callable[[F], F]:
    """Mark a function as the computation of a numbered rule, with the rulebook's own place."""

    def mark(function: F) -> F:
        marked: list[Rule] = list(getattr(function, "rules_cited", ()))
        words = (function.__doc__ or "").strip().split("\n", 1)
        detail = " ".join(words[1].split()) if len(words) > 1 else ""
        marked.append(Rule(rule_id, cites, words[0], detail))
        function.rules_cited = tuple(marked)  # type: ignore[attr-defined]
        return function

    return mark


@dataclass(frozen=True, slots=True)
class Code:
    """A finding code: severity, what it means, an example from a post, how to put it right.

    `told`: players may tell of the difference in words that no claim is read from (`takes 6 damage`); where a post
    does, a notice takes the finding's place.
    """

    code: str
    severity: str
    meaning: str
    rules: tuple[str, ...] = ()
    example: str = ""
    remedy: str = ""
    told: bool = False


@dataclass(frozen=True, slots=True)
class Sheets:
    """What a reader and a judge may know besides the posts.

    `tables`: the ruleset's data with profile and overrides applied; `overrides`: only what the
    board or the transcript gave; `options`: the battle's options; `judges`: accounts that speak for
    the game.
    """

    characters: tuple[Character, ...]
    tables: Table
    overrides: Table = field(default_factory=dict)
    options: Table = field(default_factory=dict)
    judges: frozenset[str] = frozenset()
    _played: Mapping[str, tuple[Character, ...]] = field(init=False, repr=False, compare=False)
    _made: dict[object, Any] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Note who posts for whom: it is asked for every post."""
        played: dict[str, tuple[Character, ...]] = {}
        for character in self.characters:
            account = (character.player or character.name).casefold()
            played[account] = (*played.get(account, ()), character)
        object.__setattr__(self, "_played", played)

    def of_player(self, account: str) -> tuple[Character, ...]:
        """The characters for which an account posts."""
        return self._played.get(account.casefold(), ())

    def once(self, make: Callable[[Sheets], T]) -> T:
        """What a ruleset's `make` works out of these sheets, made when it is first asked for."""
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made


@filled_directly
@dataclass(frozen=True, slots=True)
class Entry:
    """One post in the order of the thread, as a judge of battles meets it.

    `kind`: turn (claims to judge), chatter (nothing of the system: no turn, G26), correction (a
    late correction, G25: both ledgers take its numbers, it raises nothing and is no turn). In-time
    corrections never arrive here: they are already part of the corrected post's reading.
    `before`: for a post edited after an opponent's (G20), index of a claim in `reading.claims` ->
    that claim as it stood before; its numbers raise no second finding, later posts may build on
    either. `added`: indexes of the claims that such an edit put in, `gone`: the claims that it took
    out; later posts may build on the text with or without them. `amends`: for a correction, the
    index of the entry that it corrects. `corrected`: words that an in-time correction put in -> id of its post.
    """

    index: int
    post: Post
    reading: Reading
    kind: str = "turn"
    before: Mapping[int, Claim] = field(default_factory=dict)
    amends: int | None = None
    added: frozenset[int] = frozenset()
    gone: tuple[Claim, ...] = ()
    corrected: Mapping[str, str] = field(default_factory=dict)


@filled_directly
@dataclass(frozen=True, slots=True)
class RollUse:
    """A roll that a claim rests on, as given to the dice desk.

    `due`: the dice that the rule calls for, such as `1d100`; several where either will do; empty
    where no statement is made. A rolled `NdM` may be proved by N records of `1dM` or one of `NdM`.
    `count`: how many dice the rule calls for, None to leave it unjudged. `answers`: id of the post
    with the action that this roll answers, None for "the roller's own previous post" (G10). `by`:
    names and accounts that the record may name (G11). Two uses never share a die of a record.
    """

    entry: Entry
    claim: Claim
    written: WrittenRoll
    due: tuple[str, ...] = ()
    count: int | None = None
    answers: str | None = None
    by: frozenset[str] = frozenset()
    character: str | None = None
    rules: tuple[str, ...] = ()


@filled_directly
@dataclass(frozen=True, slots=True)
class Rolled:
    """What the dice desk makes of a use.

    `dice`: the dice to go on with - as the post claims, or the record's where the post writes none
    (G14); empty when nothing is known. `readings`: all admissible rows of dice: two after
    `dice/values` (post and record, G13), else one. `fault`: a `dice/*` finding was made for it.
    """

    dice: tuple[int, ...]
    readings: tuple[tuple[int, ...], ...]
    fault: bool = False


class DiceDesk(Protocol):
    """Checks rolls against their records and keeps account of used dice (raises all `dice/*`)."""

    def check(self, use: RollUse) -> Rolled:
        """Compare a use with its records; report what does not fit; say which dice to go on with."""
        ...

    def apart(self, use: RollUse) -> tuple[Anchor, ...]:
        """The board's roll or the links that stand apart in the post and show just the dice of a use without any."""
        ...


class Book(Protocol):
    """Where a judge of battles writes findings."""

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
        """Note a finding at the post of `entry`; `expected` may be a Figure, values, a range or None."""
        ...

    def unchecked(self, entry: Entry, cause: str, message: str, character: str | None = None) -> None:
        """Note `post/unchecked` at `entry`, once per `cause` in the battle (X2)."""
        ...

    def doubt_from(self, entry: Entry, why: str) -> None:
        """From `entry` on, make a notice of every finding that may rest on other posts; `why`: half a sentence."""
        ...

    def taken_back(self, finding: Finding, entry: Entry) -> None:
        """Add "taken back in ..." to the trace of an earlier finding (X8)."""
        ...


@dataclass(frozen=True, slots=True)
class Case:
    """All that a ruleset needs to judge one battle. Entries are in thread order."""

    battle: Battle
    sheets: Sheets
    entries: tuple[Entry, ...]
    dice: DiceDesk
    book: Book


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a replay gives besides its findings: pools after each post, speakers, the outcome.

    `states`: post id -> character -> pool -> PoolState (every post that changed or stated one).
    `speakers`: post id -> character for whom the post was judged. `rulings_used`: numbers (places in
    `Battle.rulings`) of the rulings that changed something.
    """

    states: Mapping[str, State] = field(default_factory=dict)
    speakers: Mapping[str, str] = field(default_factory=dict)
    outcome: Outcome = field(default_factory=Outcome)
    rulings_used: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A rule system as one value.

    `read(script, author, sheets)` turns one revision into claims; pure and fast. `amend(reading,
    correction)` puts an in-time correction into the reading that it corrects (G25). `judge(case)`
    replays the battle. `tables(profile, at)` gives the data with the named profile, or the one in
    force on that date. `check_tables(tables)` and `check_sheet(character)` yield "key: what is
    wrong" lines. `rules` and `codes` feed docs and `referee explain`; `choices` are the readings
    chosen where the rulebook is silent, as (key, text). `others_count`: characters take part whom the
    others' posts only name: members of a party, dolls whose turns a judge writes. `options`: the battle
    options that it knows, with the values that each may have (none: any); `fields`: those of a character,
    with the keys that stand in each. Whoever misspells one is told so; a ruleset that names none leaves
    them unjudged. `titled`: words of a board's thread title that tell an option, as (option, value).
    `runs_on(sheets)`: whether an author of this battle may have two turns running, by its turn policy.
    """

    name: str
    version: str
    title: str
    read: Callable[[Script, str, Sheets], Reading]
    judge: Callable[[Case], Verdict]
    amend: Callable[[Reading, Reading], Reading]
    tables: Callable[[str | None, datetime | None], Table]
    rules: tuple[Rule, ...]
    codes: tuple[Code, ...]
    profiles: tuple[str, ...] = ("rulebook",)
    choices: tuple[tuple[str, str], ...] = ()
    others_count: bool = False
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    titled: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    runs_on: Callable[[Sheets], bool] = lambda sheets: False
    check_tables: Callable[[Table], Iterable[str]] = lambda tables: ()
    check_sheet: Callable[[Table], Iterable[str]] = lambda sheet: ()
    example_tables: str = ""
    example_sheet: str = ""


def rules_of(*functions: Callable[..., Any]) -> tuple[Rule, ...]:
    """The rules that the given functions are marked with, in the order given."""
    return tuple(found for function in functions for found in getattr(function, "rules_cited", ()))


def as_expected(value: Any) -> Any:
    """An `expected` in the report's form: a list of values, a range, or None."""
    if isinstance(value, Figure):
        return value.listed()
    if value is None or isinstance(value, (list, dict)):
        return value
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else [value]
