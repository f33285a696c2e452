"""HP that stand in a spoiler: whether stat lines there count is silent (G16), so they accuse nobody."""

from __future__ import annotations

from referee.model.claims import Claim
from referee.ports.sayings import one_of
from rules.d20_arena.judging.state import Turn
from rules.d20_arena.records import HiddenHp


def judge_hidden(turn: Turn, claim: Claim, hidden: HiddenHp) -> None:
    """HP in a spoiler that differ from every reading are a notice, and later posts may go on with them."""
    fighter = turn.fighter(hidden.stated.name)
    if fighter is None or fighter.hp.admits(hidden.stated.now):
        return
    due = one_of(sorted(fighter.hp.live or fighter.hp.open or ()))
    turn.unchecked(
        f"spoiler:{turn.entry.post.id}:{fighter.name}",
        f"the numbers of the posts leave {fighter.name} at {due} HP, a spoiler says {hidden.stated.now}: "
        f"no claim, and later posts may go on with either: {claim.quote}",
        fighter.name,
    )
    fighter.hp.also(hidden.stated.now)
