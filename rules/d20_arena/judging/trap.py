"""The Trap phase: whether a roll springs the trap, what it costs, and whose action it takes (A6, ND14, ND23)."""

from __future__ import annotations

from referee.model.claims import Claim
from referee.ports.sayings import one_of
from rules.d20_arena.endings import left_after
from rules.d20_arena.judging.dice import rolled
from rules.d20_arena.judging.state import PLAYERS, Step, Turn
from rules.d20_arena.pools import Change
from rules.d20_arena.records import TrapRoll
from rules.d20_arena.turn import deciding_die, trap_springs


def judge_trap(turn: Turn, claim: Claim, trap: TrapRoll) -> None:
    """A roll in the Trap phase: sprung or not by the stance, its damage, the action that it takes (A6, ND14, ND23)."""
    fighter = turn.fighter(trap.actor)
    if fighter is None or fighter.enemy:
        turn.unchecked(f"trap:{turn.entry.post.id}", f"who rolls against the trap is not clear: {claim.quote}")
        for player in turn.arena.side(PLAYERS):
            player.hp.loosen()
        return
    turn.touch(fighter)
    rows = rolled(turn, claim, trap.roll, (deciding_die(),), fighter.name, ("A1", "A6"))
    traps = turn.tables.traps
    if traps is None:
        turn.unchecked("traps", "the table `traps` is missing: trap rolls are not judged", fighter.name)
        fighter.hp.loosen()
        return
    dice = {row[0] for row in rows} if rows else {trap.roll.total or 0}
    right = {trap_springs(die, stance, traps) for die in dice for stance in turn.stances}
    admitted = set(right)
    if trap.sprung is not None and trap.sprung not in right:
        word = "springs the trap" if True in right else "avoids the trap"
        limit = traps.standing if turn.stance == "standing" else traps.moving
        trace = [f"trap roll: {one_of(sorted(dice))}", f"{turn.stance}: sprung at {limit} or less"]
        message = f"this roll {word}, the post says otherwise"
        turn.report(
            "trap", claim, message, character=fighter.name, claimed="sprung" if trap.sprung else "avoided", trace=trace
        )
        admitted.add(trap.sprung)
    if turn.quiet:
        admitted |= {True, False}
    if traps.stops and admitted == {True}:
        turn.trapped.add(fighter.name)
    turn.trap_open = traps.stops and True in admitted
    hurt: Change = lambda hp: left_after(hp, traps.damage, 0)  # noqa: E731
    spared: Change = lambda hp: hp  # noqa: E731
    if True in admitted:
        sure = admitted == {True}
        fighter.since.append(Step(turn.entry.post.id, claim.quote, "trap", traps.damage, sure=sure))
    moves = [hurt if sprung else spared for sprung in sorted(admitted, reverse=True)]
    fighter.hp.change(moves[0], moves[1:])
