"""The state of the fighters during a replay: pools on two ledgers, running effects, open attacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from referee.model.battle import Character
from referee.model.claims import Claim
from referee.model.figure import Figure
from referee.model.report import Finding, PoolState
from referee.ports.rules import Entry
from rules.shinobi.lexicon import POOL_WORDS, stat_label
from rules.shinobi.model import POOLS, LossTag
from rules.shinobi.reading.stats import rank_named
from rules.shinobi.sums import Sums
from rules.shinobi.tables import Data, Effect, Skill, amounts, whole_or

#: More readings of a pool than this become its lowest and highest.
MOST_READINGS = 64

_NO_BONUS = frozenset((0,))
_NO_FACTOR = frozenset((Fraction(1),))


@dataclass(slots=True, eq=False)
class Pool:
    """One pool of one fighter. Without a total all values are changes since the start.

    `claimed`: as the posts say; `computed`: as the rules give; `readings`: every value that the
    pool may have now on either ledger (X8). `known`: the pool's total is on the sheet.
    """

    start: int
    total: int | None
    claimed: int
    computed: frozenset[int]
    readings: frozenset[int]
    known: bool = False
    _shown: tuple[int, frozenset[int], PoolState] | None = None

    @staticmethod
    def of(start: int | None, total: int | None) -> Pool:
        """A pool at the start of the battle."""
        value = start if start is not None else total if total is not None else 0
        known = total if total is not None else start
        found = frozenset((value,))
        return Pool(value, known, value, found, found, known is not None)

    def shift(self, change: int) -> None:
        """Both ledgers, and every reading, change by the same number."""
        if not change:
            return
        self.claimed += change
        if len(self.readings) == 1 and self.computed == self.readings:
            (now,) = self.readings
            self.computed = self.readings = frozenset((now + change,))
            return
        self.readings = frozenset(now + change for now in self.readings)
        self.computed = frozenset(now + change for now in self.computed)

    def state(self) -> PoolState:
        """The pool for the report: secret, shown as change outside staff reports."""
        shown = self._shown
        if shown is not None and shown[0] == self.claimed and shown[1] is self.computed:
            return shown[2]
        if len(self.computed) == 1:
            (value,) = self.computed
            figure = Figure(self.computed, value, value, True)
        else:
            figure = Figure.among(self.computed, True)
        state = PoolState(self.claimed, figure, self.start, True)
        self._shown = (self.claimed, self.computed, state)
        return state


def fewer(values: Iterable[int]) -> frozenset[int]:
    """Readings of a pool; too many become the lowest and the highest."""
    found = frozenset(values)
    return found if len(found) <= MOST_READINGS else frozenset((min(found), max(found)))


@dataclass(slots=True, eq=False)
class Running:
    """A technique that runs: with upkeep, or for a number of own turns (NS16, NS34)."""

    skill: Skill
    left: int | None = None
    sure: bool = True


@dataclass(slots=True, eq=False)
class Ticking:
    """Damage over time on a fighter (NS17)."""

    name: str
    amounts: Mapping[str, int]
    left: int
    sure: bool = True


@dataclass(slots=True, eq=False)
class Affliction:
    """A status effect on a fighter and how many own turns it still lasts (NS35)."""

    effect: Effect
    left: int
    sure: bool = True


@dataclass(slots=True, eq=False)
class Attack:
    """An attack that waits for an answer.

    `forms`: damage of each hit, in order; a second form where the post was changed late. `sure`,
    `doubtful`: the attacker's Critical Range without and with what is silent. `accuracy`, `bonuses`:
    for the formula, as of the attacking post. `once`: techniques that stood there before a late edit, or
    that an unread tag may have used. `maybe_ghost`: its damage may be Ghost Damage. `optional`: may be
    answered or not (NS24). `full`: all hits together, once somebody has asked.
    """

    entry: Entry
    claim: Claim
    attacker: Fighter
    name: str
    kind: str
    forms: tuple[tuple[Sums, ...], ...]
    sure: int = 1
    doubtful: int = 1
    ghost: bool = False
    maybe_ghost: bool = False
    dot: Skill | None = None
    inflicts: Effect | None = None
    once: tuple[Skill, ...] = ()
    accuracy: tuple[int, ...] = ()
    bonuses: frozenset[int] = _NO_BONUS
    optional: bool = False
    full: Sums | None = None

    @property
    def hits(self) -> tuple[Sums, ...]:
        """The hits as the post now says."""
        return self.forms[0]


class Strange(NamedTuple):
    """An ability of no table that may have hit a fighter, and how many turns the fighter had taken by then."""

    name: str
    post: str
    turn: int


@dataclass(slots=True, eq=False)
class Fighter:
    """One character of the battle as it stands at a moment of the replay.

    `gifts`: pools that somebody else may have filled since its last turn. `passive_critical`, `passive_block`: what
    passive skills add to the Critical Range, and the largest Block Range that they give. `unread_from`: whose
    attacks on it could not be read; `threats`: what they may have been. `strange`: abilities of no table that it met.
    """

    name: str
    side: str
    by: frozenset[str]
    rank: str | None
    sheet_stats: dict[str, int]
    passives: tuple[Skill, ...]
    regen: dict[str, int]
    pools: dict[str, Pool]
    gifts: set[str] = field(default_factory=set)
    passive_critical: int = 0
    passive_block: int = 0
    rank_readings: set[str] = field(default_factory=set)
    posted: dict[str, int] = field(default_factory=dict)
    stats: dict[str, frozenset[int]] = field(default_factory=dict)
    first_stats: dict[str, int] = field(default_factory=dict)
    changed: dict[str, tuple[int, Finding]] = field(default_factory=dict)
    turns: int = 0
    armed: bool = False
    running: list[Running] = field(default_factory=list)
    ticking: list[Ticking] = field(default_factory=list)
    afflictions: list[Affliction] = field(default_factory=list)
    open: list[Attack] = field(default_factory=list)
    strange: list[Strange] = field(default_factory=list)
    out_sure: bool = False
    out_maybe: bool = False
    fell_maybe: bool = False
    stood_at: int = 0
    down_since: str | None = None
    fate: str | None = None
    forfeited: bool = False
    unread_from: set[str] = field(default_factory=set)
    threats: list[Skill] = field(default_factory=list)
    last_loss: LossTag | None = None
    last_post: str | None = None
    before_last: dict[str, tuple[int, frozenset[int], frozenset[int]]] = field(default_factory=dict)
    _plain: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def learn(self, stat: str, values: frozenset[int]) -> None:
        """The readings of a stat from now on, without status effects."""
        self.stats[stat] = values
        self._plain.pop(stat, None)

    def stat(self, name: str) -> tuple[int, ...]:
        """The readings of a stat now, status effects included; empty where nothing is known of it."""
        if not self.afflictions:
            kept = self._plain.get(name)
            if kept is None:
                kept = self._plain[name] = tuple(sorted(self.plain_stat(name)))
            return kept
        values = self.plain_stat(name)
        for held in self.afflictions:
            factor, ceiling = held.effect.stats.get(name), held.effect.at_most.get(name)
            if factor is None and ceiling is None:
                continue
            changed = {new for value in values for new in _under(value, factor, ceiling)}
            values = frozenset(changed) if held.sure else values | changed
        return tuple(sorted(values))

    def plain_stat(self, name: str) -> frozenset[int]:
        """The readings of a stat without status effects."""
        found = self.stats.get(name)
        if found is not None:
            return found
        value = self.sheet_stats.get(name, self.posted.get(name))
        return frozenset() if value is None else frozenset((value,))

    def hit_bonuses(self) -> frozenset[int]:
        """What status effects add to the chance of this fighter's attacks now."""
        found = _NO_BONUS
        for held in self.afflictions:
            if held.effect.hit_chance:
                more = frozenset(value + held.effect.hit_chance for value in found)
                found = more if held.sure else found | more
        return found

    def damage_factors(self, kind: str) -> frozenset[Fraction]:
        """The factors of status effects on this fighter's damage of a kind."""
        found = _NO_FACTOR
        for held in self.afflictions:
            factor = held.effect.damage.get(kind)
            if factor is not None:
                more = frozenset(value * factor for value in found)
                found = more if held.sure else found | more
        return found

    def block_ranges(self, data: Data) -> frozenset[int]:
        """The Block Range now: the largest of default, passive skills and running techniques (NS34)."""
        base = max(data.block_range, self.passive_block)
        if not self.running and data.block_cap is None:
            return frozenset((base,))
        found = {base}
        for running in self.running:
            reach = running.skill.block_range
            if reach:
                more = {max(value, reach) for value in found}
                found = more if running.sure else found | more
        cap = data.block_cap
        return frozenset(found if cap is None else {min(value, cap) for value in found})

    def end_effects(self) -> None:
        """At a fall all effects on the fighter end (S32)."""
        self.running.clear()
        self.ticking.clear()
        self.afflictions.clear()

    def doubt_effects(self) -> None:
        """A fall that is possible, but not certain: every effect may have ended."""
        for running in self.running:
            running.sure = False
        for tick in self.ticking:
            tick.sure = False
        for held in self.afflictions:
            held.sure = False


def _under(value: int, factor: Fraction | None, ceiling: int | None) -> set[int]:
    """A stat under a status effect: a fraction rounded down or up (NS35)."""
    changed = {value}
    if factor is not None:
        changed = {floor(value * factor), ceil(value * factor)}
    return changed if ceiling is None else {min(number, ceiling) for number in changed}


def fighter_of(character: Character, data: Data) -> Fighter:
    """A fighter at the start of the battle, as far as the sheet goes."""
    totals, start = amounts_of(character.get("secret")), amounts_of(character.get("start"))
    names = character.get("skills")
    listed = [str(name) for name in names] if isinstance(names, (list, tuple)) else []
    passives = tuple(skill for skill in (data.passive(name) for name in listed) if skill is not None and skill.passive)
    rank = rank_named(str(character.get("rank") or ""))
    by = {character.name, character.player or character.name, *character.aliases}
    made = Fighter(
        name=character.name,
        side=character.side or f"\0{character.name}",
        by=frozenset(by),
        rank=rank,
        sheet_stats=_sheet_stats(character.get("stats")),
        passives=passives,
        passive_critical=sum(skill.critical_range for skill in passives),
        passive_block=max((skill.block_range for skill in passives), default=0),
        regen=amounts(character.get("regen")),
        pools={pool: Pool.of(start.get(pool), totals.get(pool)) for pool in POOLS},
        rank_readings={rank} if rank else set(),
    )
    stamina = made.pools["stamina"].total
    if data.stamina_regen and stamina is not None and "stamina" not in made.regen:
        made.regen["stamina"] = floor(stamina * data.stamina_regen)
    return made


def amounts_of(found: object) -> dict[str, int]:
    """Totals by pool; zero counts."""
    if not isinstance(found, dict):
        return {}
    named = {POOL_WORDS.get(str(key).casefold()): whole_or(value, None) for key, value in found.items()}
    return {pool: value for pool, value in named.items() if pool is not None and value is not None}


def _sheet_stats(found: object) -> dict[str, int]:
    if not isinstance(found, dict):
        return {}
    read = {stat_label(str(key)): whole_or(value, None) for key, value in found.items()}
    return {key: value for key, value in read.items() if value is not None}
