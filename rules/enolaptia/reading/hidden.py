"""What stands where nothing is a claim, and what that leaves open (G16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee.model.claims import Claim, Reading, Unread
from referee.model.text import Script
from referee.ports.rules import Sheets
from rules.enolaptia.claims import Notes, rolls_in

REASON = "stands in a spoiler, so it is nobody's claim"
REASON_HP = "stands in a spoiler, so it is nobody's claim and not checked"
#: More spoilers than this in one post are not looked into.
_MOST_SPOILERS = 20
#: Sheets in a spoiler give the HP of somebody, which is no line of the battle.
_NO_DEED = frozenset(("hp",))
#: What a line leaves open if it was one of the battle's after all; any other may have been a move. Numbers,
#: drops and EXP change nothing in the fight, and what a later line says of them is held against the creatures killed.
_LEFT_OPEN = {
    "encounter": "encounter",
    "duel": "encounter",
    "order": "order",
    "allocation": None,
    "drops": None,
    "exp": None,
}


def with_spoilers(
    reading: Reading, script: Script, author: str, sheets: Sheets, read: Callable[[Script, str, Sheets], Reading]
) -> Reading:
    """Say so where a spoiler holds rolls or deeds of a kind that the post does not have outside of it.

    What it says counts for nothing, and what it may have changed is left open: not by rolls without a proof, such as
    those of a draft. HP there are said beside a turn.
    """
    own = {claim.kind for claim in reading.claims}
    note: Unread | None = None
    lost: dict[str, None] = {}
    for spoiler in script.spoilers[:_MOST_SPOILERS]:
        inner = read(spoiler, author, sheets)
        missing = [claim for claim in inner.claims if claim.kind not in own and claim.kind not in _NO_DEED]
        may_count = [claim for claim in missing if _may_count(claim)]
        if may_count and not lost:
            note = Unread(may_count[0].quote, reason=REASON)
        lost |= dict.fromkeys(_left_open(may_count))
        if note is None and missing:
            note = Unread(missing[0].quote, reason=REASON)
        if note is None and own and "hp" not in own:
            note = next((Unread(claim.quote, reason=REASON_HP) for claim in inner.claims if claim.kind == "hp"), None)
    return reading if note is None else _opened(replace(reading, unread=(*reading.unread, note)), tuple(lost))


def _left_open(claims: list[Claim]) -> list[str]:
    """What these lines leave open, see `_LEFT_OPEN`."""
    return [what for claim in claims if (what := _LEFT_OPEN.get(claim.kind, "move")) is not None]


def _opened(reading: Reading, lost: tuple[str, ...]) -> Reading:
    """The reading with this left open before, between and behind its lines: a spoiler has no place among them."""
    if not lost:
        return reading
    notes = reading.notes if isinstance(reading.notes, Notes) else Notes()
    places = range(len(reading.claims) + 1)
    rows = sorted([*notes.lost, *((place, what) for place in places for what in lost)], key=lambda row: row[0])
    return replace(reading, notes=notes._replace(lost=tuple(rows)))


def _may_count(claim: Claim) -> bool:
    """Whether a line may be one of the battle's all the same: it has no rolls, or some of them are proved."""
    rolls = list(rolls_in(claim.data))
    return any([roll.anchors for roll in rolls]) or not any([roll.values for roll in rolls])
