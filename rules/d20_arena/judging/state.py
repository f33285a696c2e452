"""The state of a battle while it is replayed: fighters, debts, and the post at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from referee.model.battle import Ruling
from referee.model.claims import Claim
from referee.model.report import Evidence, Finding, PoolState, Working
from referee.ports.rules import Case, Entry
from referee.ports.telling import Telling, Told
from rules.d20_arena.endings import is_down
from rules.d20_arena.pools import Pool
from rules.d20_arena.records import MOVING, Announce, Reaction
from rules.d20_arena.stance import ENGAGED, EVADING, Footing, defenses
from rules.d20_arena.tables import Tables
from rules.d20_arena.words import Lexicon

PLAYERS, ENEMIES = "players", "enemies"

#: Enemies have no stance (ND9).
_ENEMY_FOOTING: frozenset[Footing] = frozenset(((MOVING, ENGAGED),))


class Step(NamedTuple):
    """A change of HP since they were last stated, for the working: where, what kind, how much.

    `amount`: damage or healing as written; `off`: the resistance taken off it, None where that is open;
    `sure`: nothing else may have happened.
    """

    post: str
    quote: str
    kind: str
    amount: int
    off: int | None = 0
    critical: bool = False
    sure: bool = True

    @property
    def change(self) -> int | None:
        """What it adds to HP, None where that is open."""
        if not self.sure or self.off is None:
            return None
        return self.amount if self.kind == "heal" else -max(0, self.amount - self.off)


@dataclass(slots=True)
class Fighter:
    """One character as the replay knows it.

    `cooling`: own turn and post of an ability's last use, `hits`: the posts in which it has hit;
    `turn`: how many turns of its own it has had; `acted`: since the GM's last post; `half`: the
    stances of a post of this round that held no action yet, the first half of one turn (G28);
    `footings`: every stance that may hold since its last turn, `stood`: those that its post gives;
    `enemy`: whether the GM plays it.
    """

    name: str
    side: str
    player: str
    hp: Pool
    most: int | None
    defense: int | None
    attack: int | None
    res: int | None
    kinds: dict[str, int]
    binds: dict[str, Pool]
    footings: frozenset[Footing] = frozenset(((MOVING, ENGAGED), (MOVING, EVADING)))
    stood: frozenset[Footing] = footings
    turn: int = 0
    acted: bool = False
    half: frozenset[str] = frozenset()
    reacted: bool = False
    cooling: dict[str, tuple[int, str]] = field(default_factory=dict)
    hits: dict[str, list[str]] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)
    announced: tuple[Announce, ...] = ()
    fate: str | None = None
    stated: tuple[str, int] | None = None
    since: list[Step] = field(default_factory=list)
    enemy: bool = field(init=False)

    def __post_init__(self) -> None:
        """Keep what is asked for again and again."""
        self.enemy = self.side == ENEMIES

    def level(self, area: str) -> frozenset[int]:
        """Every reading of a bind level (an unknown one counts as unbound)."""
        return self.binds[area].open or frozenset((0,))

    def defenses(self, tables: Tables, live: bool = False) -> frozenset[int]:
        """Every Defense that may hold now; `live`: only by the latest statements. Empty without a sheet."""
        if self.defense is None:
            return frozenset()
        legs = self.binds["legs"]
        levels = (legs.live if live and legs.live else legs.open) or frozenset((0,))
        if self.enemy:
            return defenses(self.defense, _ENEMY_FOOTING, levels, tables)
        return defenses(self.defense, self.stood if live else self.footings, levels, tables)


@dataclass(slots=True)
class Debt:
    """A free attack that an enemy has on a player (A14)."""

    enemy: str
    player: str
    post: str
    quote: str


@dataclass(frozen=True, slots=True)
class Voice:
    """An account: whom it speaks for, whether it is the GM's, and whom its rolls may name (G11)."""

    own: tuple[Fighter, ...]
    players: tuple[Fighter, ...]
    gm: bool
    by: frozenset[str]


class Explain(Protocol):
    """How words nearby may explain a difference; asked before a finding is written, None where there are none."""

    def __call__(
        self, turn: Turn, code: str, claim: Claim | None, character: str | None, claimed: Any, expected: Any
    ) -> str | None:
        """The words and their post."""


@dataclass(slots=True)
class Arena:
    """Everything that goes on from post to post.

    `explain`: asked before each finding, whether words of the posts may explain it.
    `rulings`: places of the first and the last post at which a ruling holds, its number, and itself.
    `told_defenses`: by fighter and difference, the words that have explained it once.
    """

    case: Case
    tables: Tables
    names: Lexicon
    fighters: dict[str, Fighter]
    sides: Mapping[str, tuple[Fighter, ...]]
    explain: Explain
    rulings: tuple[tuple[int, int, int, Ruling], ...] = ()
    debts: list[Debt] = field(default_factory=list)
    voices: dict[str, Voice] = field(default_factory=dict)
    states: dict[str, dict[str, dict[str, PoolState]]] = field(default_factory=dict)
    speakers: dict[str, str] = field(default_factory=dict)
    rulings_used: set[int] = field(default_factory=set)
    told_defenses: dict[str, dict[int, Told]] = field(default_factory=dict)
    _telling: Telling | None = None

    @property
    def telling(self) -> Telling:
        """What the posts tell in words that no claim was read from, split up when it is first asked for."""
        if self._telling is None:
            self._telling = Telling(self.case.entries, self.fighters)
        return self._telling

    def voice(self, account: str) -> Voice:
        """Whom an account speaks for: its own characters; a judge without any, all enemies."""
        found = self.voices.get(account)
        if found is None:
            found = self.voices[account] = self._voice(account)
        return found

    def _voice(self, account: str) -> Voice:
        folded = account.casefold()
        own = [f for f in self.fighters.values() if f.player.casefold() == folded]
        judge = folded in self.case.sheets.judges
        gm = judge or any(f.enemy for f in own)
        if gm and not any(f.enemy for f in own):
            own += self.side(ENEMIES)
        names = {account, *(f.name for f in own), *(f.player for f in own)}
        names |= {alias for c in self.case.sheets.characters if c.name in names for alias in c.aliases}
        return Voice(tuple(own), tuple(f for f in own if not f.enemy), gm, frozenset(names))

    def over(self) -> bool:
        """Whether one side is down, where both are there (A17)."""
        enemies, players = self.side(ENEMIES), self.side(PLAYERS)
        return bool(enemies and players) and (all(map(_is_down, enemies)) or all(map(_is_down, players)))

    def side(self, side: str) -> tuple[Fighter, ...]:
        """The fighters of a side."""
        return self.sides.get(side, ())


def _is_down(fighter: Fighter) -> bool:
    return is_down(fighter.hp.open)


@dataclass(frozen=True, slots=True)
class Shield:
    """A Defense reaction that waits for its attack (ND21)."""

    claim: Claim
    reaction: Reaction
    lawful: bool
    faulty: bool


@dataclass(slots=True)
class Turn:
    """The post at hand.

    `speaker`: the fighter for whom the author speaks, where there is only one.
    `edited`: a late edit changed, added or took away claims of it (G20); `kinds`: the types of its
    records; `mixed`: who struggles and acts besides, which is one fault (ND26); `acts`, `selfish`,
    `struggles`: how many of each by fighter; `weak`: fighters whose action may or may not count as aid;
    `unlike`: those who did something else than they announced;
    `doubtful`: those whose doings may count or not; `excused`: those whose announcement was changed;
    `lenient`: a stance was not allowed, so both count until the next turn; `trapped`: whose action a trap
    takes, `trap_open`: it may take one; `at`: place of the claim being judged; `start_down`: who may have been at
    0 HP when the post began, `met_alive`: by enemy, who was certainly up when it first acted in the post;
    `hushed`: that claim is part of a late change (G20); `opened`: what tags that could not be read may
    hold, `unsure`: whose Reaction Ability could not be read (G19).
    """

    arena: Arena
    entry: Entry
    own: tuple[Fighter, ...]
    players: tuple[Fighter, ...]
    by: frozenset[str]
    gm: bool
    over: bool
    edited: bool
    kinds: frozenset[type] = frozenset()
    mixed: frozenset[str] = frozenset()
    stance: str = MOVING
    stances: frozenset[str] = frozenset((MOVING,))
    announced: tuple[Announce, ...] = ()
    trapped: set[str] = field(default_factory=set)
    trap_open: bool = False
    acts: dict[str, int] = field(default_factory=dict)
    selfish: dict[str, int] = field(default_factory=dict)
    struggles: dict[str, int] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    shields: dict[str, Shield] = field(default_factory=dict)
    excused: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)
    weak: set[str] = field(default_factory=set)
    unlike: set[str] = field(default_factory=set)
    start_down: frozenset[str] = frozenset()
    met_alive: dict[str, frozenset[str]] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    paid: list[tuple[str, str]] = field(default_factory=list)
    used: set[tuple[str, str]] = field(default_factory=set)
    at: int = -1
    hushed: bool = False
    lenient: bool = False
    opened: frozenset[str] = frozenset()
    unsure: set[str] = field(default_factory=set)
    tables: Tables = field(init=False)
    speaker: Fighter | None = field(init=False)

    def __post_init__(self) -> None:
        """Keep what is asked for again and again."""
        self.tables = self.arena.tables
        self.speaker = self.own[0] if len(self.own) == 1 else None

    def fighter(self, name: str | None) -> Fighter | None:
        """A fighter by its full name; without a name the author's own."""
        return self.speaker if name is None else self.arena.fighters.get(name)

    @property
    def quiet(self) -> bool:
        """Whether the claim at hand was changed late: its numbers raise no second finding (G20)."""
        return self.edited and (self.hushed or self.at in self.entry.before or self.at in self.entry.added)

    @property
    def was(self) -> object | None:
        """The record of the claim at hand before it was changed late (G20)."""
        held = self.entry.before.get(self.at)
        return None if held is None else held.data

    def report(
        self,
        code: str,
        claim: Claim | None,
        message: str,
        *,
        character: str | None = None,
        claimed: Any = None,
        expected: Any = None,
        trace: Iterable[Working | str] = (),
        rules: Iterable[str] = (),
        evidence: Iterable[Evidence] = (),
    ) -> Finding | None:
        """Note a finding of this system at the post, unless the claim's change has one already.

        Where words nearby would explain it, a notice quotes them in its place.
        """
        if self.quiet:
            return None
        words = self.arena.explain(self, code, claim, character, claimed, expected)
        if words is not None:
            # What holds on, such as a binding, is said once; each number that is stated is said by itself.
            place = words if code == "defense" else self.entry.post.id
            self.unchecked(f"told:{place}:{code}:{character}", f"{message}; {words}", character)
            return None
        return self.arena.case.book.add(
            code if "/" in code else f"d20_arena/{code}",
            self.entry,
            character=character,
            claimed=claimed,
            expected=expected,
            rules=rules,
            message=message,
            trace=trace,
            evidence=evidence,
            claim=claim,
        )

    def once(self, key: str) -> bool:
        """Whether something is said for the first time in this post."""
        if key in self.told:
            return False
        self.told.add(key)
        return True

    def unchecked(self, cause: str, message: str, character: str | None = None) -> None:
        """Note what could not be judged, once per cause."""
        self.arena.case.book.unchecked(self.entry, f"d20_arena:{cause}", message, character)

    def snapshot(self, fighter: Fighter) -> list[tuple[Pool, frozenset[int]]]:
        """All pools, where what this fighter does may count or not (G23); else nothing."""
        if fighter.name not in self.doubtful:
            return []
        everyone = self.arena.fighters.values()
        return [(p, p.open) for f in everyone for p in (f.hp, *f.binds.values()) if p.open is not None]

    def alive(self) -> frozenset[str]:
        """Who is certainly above 0 HP now."""
        return frozenset(f.name for f in self.arena.fighters.values() if f.hp.open is not None and 0 not in f.hp.open)

    def touch(self, fighter: Fighter) -> None:
        """Remember that the report shows this fighter's pools after this post."""
        self.touched.add(fighter.name)


def reopen(pools: Iterable[tuple[Pool, frozenset[int]]]) -> None:
    """Admit that nothing has happened since a snapshot."""
    for pool, before in pools:
        if pool.open is not None and pool.open != before:
            pool.also(*before)
