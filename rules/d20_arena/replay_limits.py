"""Whether something may be done at all: down, after the end, announced, special, cooldown, uses (A2, A8, A9, A16, A17)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.model.claims import Claim
from rules.d20_arena.endings import is_down
from rules.d20_arena.records import CRITICAL, HIT
from rules.d20_arena.replay_hit import Landed
from rules.d20_arena.state import Fighter, Turn
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
    if down(fighter) or turn.over or (turn.trapped and not fighter.enemy):
        turn.doubtful.add(fighter.name)
    if down(fighter):
        if turn.once(f"down:{fighter.name}"):
            message = f"{fighter.name} is at 0 HP and takes no more actions"
            turn.report("acts-while-down", claim, message, character=fighter.name, rules=("A16",))
    elif turn.over and turn.once("down:over"):
        message = "one side is down already: the battle is over, only closing words are in order"
        turn.report("acts-while-down", claim, message, character=fighter.name, rules=("A17",))
    elif turn.trapped and not fighter.enemy and turn.once("trapped"):
        message = f"the trap takes the action of this turn, {fighter.name} acts all the same"
        turn.report("trap", claim, message, character=fighter.name, rules=("A6", "A7"))


def check_announced(
    turn: Turn, claim: Claim, fighter: Fighter, what: str, ability: str | None, targets: Iterable[str]
) -> bool:
    """What is done must be what the same post announced (ND26); gives whether it is not."""
    said = [a for a in turn.announced if a.actor in (None, fighter.name)]
    if not said or (fighter.enemy and not any(a.actor == fighter.name for a in said)) or fighter.name in turn.excused:
        return False
    aims = list(targets)
    if not fighter.enemy and turn.mixed:
        return False
    if as_announced(said, what, ability, aims):
        return False
    turn.weak.add(fighter.name)
    turn.doubtful.add(fighter.name)
    if turn.once(f"announce:{fighter.name}"):
        done = f"{ability or what}{' on ' + ' and '.join(aims) if aims else ''}"
        words = "; ".join(f"{a.ability or a.what}{' on ' + ' and '.join(a.targets) if a.targets else ''}" for a in said)
        turn.report("announce", claim, f"announced: {words}; done: {done}", character=fighter.name, claimed=done)
    return True


def check_limits(
    turn: Turn,
    claim: Claim,
    fighter: Fighter,
    ability: Ability | None,
    landed: Iterable[Landed | None],
    free: bool = False,
) -> None:
    """Special skills, cooldown and uses of an ability; notes the use."""
    if ability is None or f"again:{fighter.name}" in turn.told:
        return
    key = ability.name
    first = (fighter.name, key) not in turn.used
    turn.used.add((fighter.name, key))
    if first and not free:
        _check_ready(turn, claim, fighter, ability)
    if ability.cooldown is not None:
        fighter.cooling[key] = fighter.turn
    if first and any(hit is not None and hit.all <= {HIT, CRITICAL} for hit in landed):
        fighter.hits[key] = fighter.hits.get(key, 0) + 1


def _check_ready(turn: Turn, claim: Claim, fighter: Fighter, ability: Ability) -> None:
    if not special_allowed(ability, fighter.turn, turn.tables):
        message = f"{ability.name} is a Special skill, allowed from own turn {turn.tables.special_from} on; this is turn {fighter.turn}"
        turn.report("too-early", claim, message, character=fighter.name)
    last = fighter.cooling.get(ability.name)
    if not ready_again(ability, last, fighter.turn):
        assert last is not None and ability.cooldown is not None
        message = f"{ability.name} was used on own turn {last} and is ready from turn {last + ability.cooldown + 1}; this is turn {fighter.turn}"
        turn.report("cooldown", claim, message, character=fighter.name)
    hits = fighter.hits.get(ability.name, 0)
    if not uses_left(ability, hits):
        message = f"{ability.name} may hit {ability.uses} time{'s' if ability.uses != 1 else ''} in a battle and has hit {hits}"
        turn.report("uses", claim, message, character=fighter.name)
