"""A turn and its phases: announce, move, trap, action; and how often an ability may be used (A1 to A3, A6 to A10)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.ports.rules import rule
from rules.d20_arena.records import MOVING, STANDING, Announce
from rules.d20_arena.tables import Ability, Tables, Traps

#: Every roll to hit, to escape, to save or against a trap.
DIE = "1d20"


@rule("A1", cites="Gameplay: All rolls are 1d20")
def deciding_die() -> str:
    """The die of every hit roll, escape, saving throw and trap roll is 1d20.

    Damage, healing and rolled bind levels use the dice of the ability's own row.
    """
    return DIE


@rule("A2", cites="Phases, 1 - Announce")
def as_announced(announced: Iterable[Announce], what: str, ability: str | None, targets: Iterable[str]) -> bool:
    """What is done must be what was announced: kind of action, ability and every target.

    A target may be left out of an announcement, and of several announced targets some may be spared;
    nobody else may be struck. Without any announcement nothing can differ.
    """
    fold = (ability or "").casefold()
    for said in announced:
        if said.what != what:
            continue
        if what == "ability" and (said.ability or "").casefold() != fold:
            continue
        if said.targets and not set(targets) <= set(said.targets):
            continue
        return True
    return False


@rule("A3", cites="Phases, 2 - Move")
def stance_of(moves: Iterable[str]) -> str:
    """A fighter moves unless the post says that it stands still; the last word of the post counts."""
    stance = MOVING
    for said in moves:
        stance = said
    return stance


@rule("A6", cites="Phases, 3 - Trap")
def trap_springs(roll: int, stance: str, traps: Traps) -> bool:
    """A trap is sprung when the 1d20 is at most the table's number for the stance."""
    return roll <= (traps.standing if stance == STANDING else traps.moving)


@rule("A7", cites="Phases, 4 - Action")
def struggle_limit(stance: str, acts: int, tables: Tables) -> int:
    """A turn holds either an action or struggles: beside an action no struggle; the limit is one thing.

    Without an action: one struggle on the move, two while standing still (A5).
    """
    if acts:
        return 1
    return tables.struggles_standing if stance == STANDING else tables.struggles_moving


@rule("A8", cites="Phases, 4 - Action: Special skills")
def special_allowed(ability: Ability, own_turn: int, tables: Tables) -> bool:
    """A Special skill may be used from the fighter's own third turn on."""
    return not ability.special or own_turn >= tables.special_from


@rule("A9", cites="Phases, 4 - Action: limited use and cooldown")
def ready_again(ability: Ability, used_on: int | None, own_turn: int) -> bool:
    """After a use on turn t an ability with cooldown n is ready from turn t + n + 1, hit or miss.

    A limited ability is used up by hits alone; a trap that takes the action touches neither.
    """
    if ability.cooldown is None or used_on is None:
        return True
    return own_turn > used_on + ability.cooldown


def uses_left(ability: Ability, hits: int) -> bool:
    """A limited ability is used up by hits alone (A9)."""
    return ability.uses is None or hits < ability.uses


@rule("A10", cites="Phases, 4 - Action: hit rolls")
def hit_rolls_due(targets: int) -> int:
    """An attack at several hostile targets needs a hit roll for each; a friend needs none."""
    return targets
