"""Whether something may be done at all: who is down, what was announced, what is ready (A2, A8, A9, A16, A17)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.model.claims import Claim
from referee.model.report import Evidence
from rules.d20_arena.endings import is_down
from rules.d20_arena.judging.hit import Landed
from rules.d20_arena.judging.state import Fighter, Turn
from rules.d20_arena.judging.workings import hp_lines
from rules.d20_arena.records import CRITICAL, HIT, Announce, TrapRoll
from rules.d20_arena.tables import Ability
from rules.d20_arena.turn import as_announced, ready_again, special_allowed, uses_left


def down(fighter: Fighter) -> bool:
    """Whether a fighter certainly can't act: at 0 HP, or by a staff ruling."""
    if fighter.fate is not None:
        return fighter.fate != "alive"
    return is_down(fighter.hp.open)


def check_act(turn: Turn, claim: Claim, fighter: Fighter) -> None:
    """An action at 0 HP, after the end of the battle, or in spite of a trap that stops it."""
    turn.touch(fighter)
    turn.moved.add(fighter.name)
    if fighter.enemy and turn.gm and turn.arena.debts:
        turn.met_alive.setdefault(fighter.name, turn.alive())
    fallen = down(fighter)
    if fallen or turn.over or fighter.name in turn.trapped or fighter.name in turn.mixed:
        turn.doubtful.add(fighter.name)
    if fallen:
        if turn.once(f"down:{fighter.name}"):
            message = f"{fighter.name} is at 0 HP and takes no more actions"
            trace = hp_lines(fighter, fighter.hp.open or ())
            if fighter.fate is not None:
                message = f"by a staff ruling {fighter.name} is {fighter.fate} and takes no more actions"
                trace = []
            turn.report("acts-while-down", claim, message, character=fighter.name, trace=trace, rules=("A16",))
    elif turn.over and turn.once("down:over"):
        message = "one side is down already: the battle is over, only closing words are in order"
        trace = [f"{f.name}: 0 HP" for f in turn.arena.fighters.values() if is_down(f.hp.open)]
        turn.report("acts-while-down", claim, message, character=fighter.name, trace=trace, rules=("A17",))
    elif fighter.name in turn.trapped and turn.once("trapped"):
        message = f"the trap takes the action of this turn, {fighter.name} acts all the same"
        rolled = [(c.quote, c.data) for c in turn.entry.reading.claims if isinstance(c.data, TrapRoll)]
        trace = [f"{quote}: sprung" for quote, trap in rolled if turn.fighter(trap.actor) is fighter]
        turn.report("trap", claim, message, character=fighter.name, rules=("A6", "A7"), trace=trace)


def check_announced(
    turn: Turn, claim: Claim, fighter: Fighter, what: str, ability: str | None, targets: Iterable[str]
) -> bool:
    """What is done must be what the same post announced (ND26); gives whether it is not."""
    said = [a for a in turn.announced if a.actor in (None, fighter.name)] if turn.announced else None
    if not said or (fighter.enemy and not any(a.actor == fighter.name for a in said)) or fighter.name in turn.excused:
        return False
    aims = list(targets)
    if (not fighter.enemy and fighter.name in turn.mixed) or as_announced(said, what, ability, aims):
        return False
    if any(_unknown(turn, a, ability) for a in said):
        words = "; ".join(a.ability or a.what for a in said)
        turn.unchecked(f"announce:{words.casefold()}", f"{words} is in no table: not compared with what is done")
        return False
    turn.unlike.add(fighter.name)
    turn.doubtful.add(fighter.name)
    if turn.once(f"announce:{fighter.name}"):
        done = f"{ability or what}{' on ' + ' and '.join(aims) if aims else ''}"
        words = "; ".join(f"{a.ability or a.what}{' on ' + ' and '.join(a.targets) if a.targets else ''}" for a in said)
        quotes = [c.quote for c in turn.entry.reading.claims if isinstance(c.data, Announce)]
        proof = [Evidence(turn.entry.post.id, quote) for quote in quotes]
        message = f"announced: {words}; done: {done}"
        turn.report("announce", claim, message, character=fighter.name, claimed=done, evidence=proof)
    return True


def _unknown(turn: Turn, said: Announce, ability: str | None) -> bool:
    """Whether an announcement names something that neither tables nor sheets know, and not what is done (X2)."""
    if said.what != "ability" or said.ability is None or said.ability.casefold() == (ability or "").casefold():
        return False
    return turn.arena.names.abilities.find(said.ability) is None


def check_ready(turn: Turn, claim: Claim, fighter: Fighter, ability: Ability | None) -> None:
    """Special skills, cooldown and uses of an ability, before it is judged (A8, A9).

    What was not to be had may have had its effect or not (G23).
    """
    if ability is None or not ability.limited or turn.quiet or fighter.name in turn.doubtful:
        return
    if (fighter.name, ability.name) in turn.used:
        return
    turn.used.add((fighter.name, ability.name))
    if not _ready(turn, claim, fighter, ability):
        turn.doubtful.add(fighter.name)


def note_use(turn: Turn, fighter: Fighter, ability: Ability | None, landed: Iterable[Landed | None]) -> None:
    """Remember the use of an ability: its cooldown hit or miss, its limited uses by hits (A9)."""
    if ability is None or not ability.limited or fighter.name in turn.doubtful:
        return
    post = turn.entry.post.id
    # A late edit leaves the ability certain where it was the same before (G20); not whether it hit.
    if ability.cooldown is not None and (not turn.quiet or getattr(turn.was, "ability", None) == ability.name):
        fighter.cooling[ability.name] = (fighter.turn, post)
    if turn.quiet:
        return
    hits = fighter.hits.setdefault(ability.name, [])
    if post not in hits and any(hit is not None and hit.all <= {HIT, CRITICAL} for hit in landed):
        hits.append(post)


def _ready(turn: Turn, claim: Claim, fighter: Fighter, ability: Ability) -> bool:
    """Whether an ability may be used on this turn; reports it where not."""
    now = f"this is turn {fighter.turn}"
    early = not special_allowed(ability, fighter.turn, turn.tables)
    if early:
        message = f"{ability.name} is a Special skill, allowed from own turn {turn.tables.special_from} on; {now}"
        turn.report(
            "too-early",
            claim,
            message,
            character=fighter.name,
            trace=[f"every own post with an action is a turn: {now}"],
        )
    last, post = fighter.cooling.get(ability.name, (None, ""))
    cooling = last is not None and not ready_again(ability, last, fighter.turn)
    if last is not None and cooling:
        ready = last + (ability.cooldown or 0) + 1
        message = f"{ability.name} was used on own turn {last} and is ready from turn {ready}; {now}"
        trace = [f"{post}: {ability.name} used on turn {last}", f"cooldown {ability.cooldown}: ready from turn {ready}"]
        turn.report("cooldown", claim, message, character=fighter.name, trace=trace)
    hits = fighter.hits.get(ability.name, [])
    spent = not uses_left(ability, len(hits))
    if spent:
        may = "once" if ability.uses == 1 else f"{ability.uses} times"
        message = f"{ability.name} may hit {may} in a battle and has done so already"
        trace = [f"{number}. hit in {post}" for number, post in enumerate(hits, 1)]
        turn.report("uses", claim, message, character=fighter.name, trace=trace, rules=("A9",))
    return not (early or cooling or spent)
