"""The hit roll of an attack: total, Defense, outcome (A4, A5, A11, A14)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from referee.model.claims import Claim
from referee.ports.sayings import one_of
from rules.d20_arena.attack import outcome_of, to_hit
from rules.d20_arena.judging.dice import rolled
from rules.d20_arena.judging.state import Fighter, Turn
from rules.d20_arena.judging.workings import defense_lines, total_lines
from rules.d20_arena.records import CRITICAL, FUMBLE, HIT, MISS, Announce, Reaction, Strike, Sum
from rules.d20_arena.tables import Ability
from rules.d20_arena.turn import deciding_die

#: A number that an outcome can't rest on.
_OPEN_END = 10**9


class Roll(NamedTuple):
    """A hit roll as judged: admissible dice, the totals that they give, whether something was wrong."""

    dice: frozenset[int]
    right: frozenset[int]
    faulty: bool = False


class Landed(NamedTuple):
    """What an attack does to one target: the outcome as said, and all that may hold."""

    said: str
    right: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """Every admissible outcome."""
        return self.right | {self.said}

    @property
    def certain(self) -> bool:
        """Whether the stated outcome is the only one."""
        return self.right == {self.said}


def judge_roll(turn: Turn, claim: Claim, strike: Strike, attacker: Fighter, ability: Ability | None) -> Roll:
    """The hit roll's dice and total; reports a total that roll and bonuses do not give."""
    read = strike.hit
    assert read is not None
    rows = rolled(turn, claim, read, (deciding_die(),), attacker.name, ("A1", "A11"))
    bonus = read.bonus
    dice = frozenset([row[0] for row in rows]) if rows else frozenset(((read.total or 0) - bonus,))
    due = _bonus(turn, attacker, ability, strike.free)
    right = frozenset([die + (bonus if due is None else due) for die in dice])
    if read.total is None:
        return Roll(dice, right, len(right) > 1)
    fits = read.total - bonus in dice and due in (None, bonus)
    if not fits:
        _report_total(turn, claim, strike, attacker, ability, read, dice, due, right)
    return Roll(dice, right, not fits or len(dice) > 1)


def _bonus(turn: Turn, attacker: Fighter, ability: Ability | None, free: bool) -> int | None:
    """The bonus that is due; None where sheet or table are missing."""
    listed = ability.to_hit if ability is not None else None
    if attacker.enemy:
        own = listed if attacker.attack is None else attacker.attack
        if own is None:
            message = f"ATK of {attacker.name} is not known: its hit rolls are not judged"
            turn.unchecked(f"atk:{attacker.name}", message, attacker.name)
    elif ability is not None:
        own = attacker.attack if listed is None else listed
        if own is None:
            message = f"`to_hit` of {ability.name} is in no table: its hit rolls are not judged"
            turn.unchecked(f"to_hit:{ability.name}", message)
    else:
        own = None
    return None if own is None else to_hit(own, free, turn.tables)


def _report_total(
    turn: Turn,
    claim: Claim,
    strike: Strike,
    attacker: Fighter,
    ability: Ability | None,
    read: Sum,
    dice: frozenset[int],
    due: int | None,
    right: frozenset[int],
) -> None:
    trace = total_lines(turn, attacker, ability, dice, read.bonus if due is None else due, strike.free)
    if due not in (None, read.bonus):
        trace.append(f"the bonus in the post is {read.bonus:+d}")
    without = due is not None and read.bonus == due - turn.tables.free_attack
    if strike.free and without and read.total in {die + read.bonus for die in dice}:
        own = f"with {turn.tables.free_attack:+d} for a free attack the bonus is {due:+d}"
        message = f"{own}, the post writes {read.bonus:+d}"
        turn.report("free-attack", claim, message, character=attacker.name, trace=trace, rules=("A14",))
        return
    message = f"roll and bonuses give {_listed(sorted(right))}, the post says {read.total}"
    turn.report(
        "total", claim, message, character=attacker.name, claimed=read.total, expected=sorted(right), trace=trace
    )


class Raised(NamedTuple):
    """A Defense reaction on an attack: what it adds, whether it surely counts, the Defense that it states."""

    change: int
    firm: bool
    stated: int


def judge_defense(
    turn: Turn, claim: Claim, written: int | None, attacker: Fighter, target: Fighter, shield: Raised | None
) -> tuple[frozenset[int], bool]:
    """The Defenses that may hold for an attack (empty: not known), and whether the written one is wrong."""
    if target.name in turn.unsure:
        # Its Reaction Ability could not be read: neither the Defense nor, but for the die, the outcome is judged.
        return frozenset(), False
    open_ = target.defenses(turn.tables)
    if not open_ or not levels_known(turn, target):
        if not open_:
            message = f"DEF of {target.name} is not known: attacks on it are not judged"
            turn.unchecked(f"def:{target.name}", message, target.name)
        return (frozenset((written,)) if written is not None else frozenset()), False
    if shield is not None:
        plain = frozenset() if shield.firm else open_ | {shield.stated}
        open_ = frozenset(n + shield.change for n in open_) | plain
    if written is None or written in open_ or any(isinstance(c.data, Reaction) for c in turn.entry.gone):
        return (frozenset((written,)) if written is not None else open_), False
    raised = shield.change if shield else 0
    expected = sorted({n + raised for n in target.defenses(turn.tables, live=True)} or open_)
    message = f"sheet, stance and bindings give Defense {_listed(expected)}, the post uses {written}"
    trace = defense_lines(turn, target, raised)
    turn.report("defense", claim, message, character=attacker.name, claimed=written, expected=expected, trace=trace)
    return open_ | {written}, True


def levels_known(turn: Turn, target: Fighter) -> bool:
    """Whether the penalty of the target's leg level is known."""
    missing = turn.tables.missing_penalties("legs") if any(target.level("legs")) else None
    if missing is None:
        return True
    turn.unchecked("bind_levels:legs", f"{missing}: the Defense of bound fighters is not judged", target.name)
    return False


def judge_outcome(
    turn: Turn, claim: Claim, strike: Strike, attacker: Fighter, roll: Roll, admitted: frozenset[int], faulty: bool
) -> Landed | None:
    """The outcome against roll and Defense; None where the post states none and it can't be told."""
    if not admitted:
        return _by_die_alone(turn, claim, strike, attacker, roll)
    right = _outcomes(roll.dice, roll.right, strike.hit.total if strike.hit else None, admitted)
    said = strike.outcome
    if said is None:
        if len(right) > 1:
            return None
        return Landed(next(iter(right)), right)
    if said not in right:
        return _stated(turn, claim, strike, attacker, roll, right, said, admitted)
    return Landed(said, right if faulty or roll.faulty else frozenset((said,)))


def _by_die_alone(turn: Turn, claim: Claim, strike: Strike, attacker: Fighter, roll: Roll) -> Landed | None:
    """The outcome where no Defense is known: only a natural 1 or 20 decides."""
    natural = [outcome_of(die, 0, _OPEN_END) for die in roll.dice if die in (1, 20)]
    said = strike.outcome or (natural[0] if natural else None)
    wrong = said is not None and len(natural) == len(roll.dice) and said not in natural
    if wrong or (said in (CRITICAL, FUMBLE) and not natural):
        found = frozenset(natural) if natural else frozenset((HIT, MISS))
        return _stated(turn, claim, strike, attacker, roll, found, said or MISS, frozenset())
    return Landed(said, frozenset((said,))) if said else None


@lru_cache(maxsize=4096)
def _outcomes(
    dice: frozenset[int], right: frozenset[int], written: int | None, defenses: frozenset[int]
) -> frozenset[str]:
    """What each die gives with its own sum and with the written total, against each Defense."""
    bonuses = {total - die for total in right for die in dice}
    pairs = [(die, die + bonus) for die in dice for bonus in bonuses if die + bonus in right]
    pairs += [(die, written) for die in dice if written is not None]
    return frozenset(outcome_of(die, total, defense) for die, total in pairs for defense in defenses)


def _stated(
    turn: Turn,
    claim: Claim,
    strike: Strike,
    attacker: Fighter,
    roll: Roll,
    right: frozenset[str],
    said: str,
    admitted: frozenset[int],
) -> Landed:
    expected = sorted(right)
    written = strike.hit.total if strike.hit else None
    totals = sorted(roll.right if written is None else roll.right | {written})
    message = f"the roll gives {one_of(expected)}, the post says {said}"
    trace = [
        f"hit roll: 1d20 = {_listed(sorted(roll.dice))}, total {_listed(totals)}",
        f"Defense: {_listed(sorted(admitted)) or 'not known'}",
        f"{_why(roll.dice, totals, admitted)}: {one_of(expected)}",
    ]
    turn.report("outcome", claim, message, character=attacker.name, claimed=said, expected=expected, trace=trace)
    return Landed(said, right)


def _why(dice: frozenset[int], totals: list[int], defenses: frozenset[int]) -> str:
    """By what an outcome is decided (A11)."""
    if dice <= {1, 20}:
        return f"a natural {_listed(sorted(dice))} decides whatever the total"
    if len(totals) == len(defenses) == 1:
        (total,), (defense,) = totals, defenses
        reached = "below" if total < defense else "not below"
        return f"{total} is {reached} {defense}"
    return "equal or above the Defense hits"


def earlier_targets(turn: Turn, was: Strike, target: Fighter) -> list[Fighter]:
    """At whom the attack went before it was changed: in its tag, or in the announcement."""
    names = list(was.targets)
    if not names:
        said = [claim.data for claim in turn.entry.before.values() if isinstance(claim.data, Announce)]
        names = [name for announce in said for name in announce.targets] or [target.name]
    return [f for name in names if (f := turn.arena.fighters.get(name))]


def _listed(values: Iterable[int]) -> str:
    return one_of(values)
