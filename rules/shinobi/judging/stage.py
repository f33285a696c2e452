"""One turn on the stage: what the checks of a turn share while it is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from referee.model.report import Evidence, Finding, Working
from referee.ports.rules import Case, Entry, Sheets
from rules.shinobi.judging.fighters import Attack, Fighter, Running
from rules.shinobi.judging.turns import Said, Turn
from rules.shinobi.model import MAIN, RESPONSE, SETUP, Ability, Amounts
from rules.shinobi.order import TurnOrder
from rules.shinobi.sums import NOTHING, Sums
from rules.shinobi.tables import Data, Effect, Skill

#: Whether a fighter fell in a Response, where it is certain.
FELL, STOOD = frozenset((True,)), frozenset((False,))


@dataclass(slots=True, eq=False)
class Arena:
    """The battle as it stands: fighters, tables, turn order, kind, what rulings were used.

    `places`: post -> place, if there are rulings; `dues`, `rivals`: worked out before; `forfeits`: somebody gave up.
    """

    case: Case
    data: Data
    fighters: dict[str, Fighter]
    order: TurnOrder
    spar: bool
    used_rulings: set[int] = field(default_factory=set)
    places: dict[str, int] = field(default_factory=dict)
    dues: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    rivals: dict[str, tuple[Fighter, ...]] = field(default_factory=dict)
    forfeits: bool = False
    over: bool = False
    forfeit_decided: bool = False

    @property
    def sheets(self) -> Sheets:
        """Sheets and tables of the battle."""
        return self.case.sheets

    def foes(self, me: Fighter) -> tuple[Fighter, ...]:
        """The fighters of other sides; with more than two, only who has not forfeited."""
        found = self.rivals.get(me.name)
        if found is None:
            found = self.rivals[me.name] = tuple(f for f in self.fighters.values() if f.side != me.side)
        if self.forfeits and len(self.fighters) > 2:
            return tuple(f for f in found if not f.forfeited)
        return found


@dataclass(slots=True, eq=False)
class Option:
    """Damage that the turn's loss may hold or not: an unanswered attack, a failed guard, a doubtful tick.

    `usual`: whether the rules expect it in the loss.
    """

    kind: str
    amount: Sums
    usual: bool
    attack: Attack | None = None
    claim: Said | None = None
    tick: Any = None


@dataclass(slots=True, eq=False)
class Used:
    """An ability of this turn: what was said, its row in the tables (None: not in them), its phase.

    `again`: it runs already and is named once more, which may be paid or not.
    """

    said: Said
    ability: Ability
    skill: Skill | None
    phase: int
    again: bool = False


@dataclass(slots=True, eq=False)
class Stage:
    """A turn while it is judged. `maybe_used`: abilities that tags which could not be read may have used."""

    arena: Arena
    turn: Turn
    me: Fighter
    data: Data
    down_sure: bool = False
    down_maybe: bool = False
    spar: bool = False
    maybe_used: list[Skill] = field(default_factory=list)
    used: list[Used] = field(default_factory=list)
    response: Sums = NOTHING
    options: list[Option] = field(default_factory=list)
    spends: dict[tuple[int, str], list[tuple[Said | None, Sums]]] = field(default_factory=dict)
    heals: dict[str, int] = field(default_factory=dict)
    open_pools: set[str] = field(default_factory=set)
    dots: list[tuple[Skill, bool]] = field(default_factory=list)
    effects: list[tuple[Effect, bool]] = field(default_factory=list)
    started: list[Running] = field(default_factory=list)
    aimed: list[tuple[Attack, tuple[Fighter, ...]]] = field(default_factory=list)
    lines: dict[str, list[tuple[Callable[..., str], tuple[Any, ...]]]] = field(default_factory=dict)
    proof: list[Attack] = field(default_factory=list)
    faulty_main: bool = False
    mixed_main: bool = False
    acted: bool = False
    attacked: bool = False
    guarded: list[Attack] = field(default_factory=list)
    negated: list[tuple[Said, Attack]] = field(default_factory=list)
    threat: bool = False
    may_rest: bool = False
    unpaid: list[Used] = field(default_factory=list)
    upkeeps: list[tuple[Amounts, bool]] = field(default_factory=list)
    hp_changes: dict[tuple[bool, ...], dict[int, tuple[set[int], set[int]]]] = field(default_factory=dict)
    fell: frozenset[bool] = STOOD

    @property
    def stands(self) -> bool:
        """Whether the post itself shows that its fighter has not fallen: it acts, or an effect still runs.

        Needed where totals are not known; in a spar acting alone proves nothing (NS20).
        """
        if self.acted and not self.spar:
            return True
        return bool(self.used) and any(used.ability.reminder for used in self.used)

    def note(self, pool: str, say: Callable[..., str], *parts: Any) -> None:
        """Add to the working of a pool's loss what `say(*parts)` gives, should a finding need it."""
        self.lines.setdefault(pool, []).append((say, parts))

    def working(self, pool: str) -> list[str]:
        """The lines noted for a pool."""
        return [say(*parts) for say, parts in self.lines.get(pool, ())]

    def spend(self, phase: int, pool: str, amount: Sums, said: Said | None = None) -> None:
        """A cost that falls due in a phase (S28 to S30)."""
        self.spends.setdefault((phase, pool), []).append((said, amount))

    def spent(self, phase: int, pool: str) -> Sums:
        """All that falls due in a phase from a pool."""
        total = NOTHING
        for _, amount in self.spends.get((phase, pool), ()) if self.spends else ():
            total = total.plus(amount)
        return total

    def add(
        self,
        code: str,
        said: Said | Entry,
        message: str,
        *,
        claimed: Any = None,
        expected: Any = None,
        rules: Iterable[str] = (),
        trace: Iterable[Working | str] = (),
        evidence: Iterable[Evidence] = (),
    ) -> Finding:
        """Note a finding at a claim, or at a post."""
        entry, claim = (said.entry, said.claim) if isinstance(said, Said) else (said, None)
        return self.arena.case.book.add(
            f"shinobi/{code}",
            entry,
            character=self.me.name,
            claimed=claimed,
            expected=expected,
            rules=rules,
            message=message,
            trace=trace,
            evidence=evidence,
            claim=claim,
        )

    def unchecked(self, entry: Entry, cause: str, message: str) -> None:
        """Note what could not be judged, once per cause (X2)."""
        self.arena.case.book.unchecked(entry, cause, message, self.me.name)


PHASE_OF = {"response": RESPONSE, "setup": SETUP, "main": MAIN}
