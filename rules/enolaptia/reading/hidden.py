"""What stands where nothing is a claim, and what that leaves open (G16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee.model.claims import Claim, Reading, Unread
from referee.model.text import Script
from referee.ports.rules import Sheets
from rules.enolaptia.claims import rolls_in

REASON = "stands in a spoiler, so it is nobody's claim"
REASON_HP = "stands in a spoiler, so it is nobody's claim and not checked"
#: More spoilers than this in one post are not looked into.
_MOST_SPOILERS = 20
#: Sheets in a spoiler give the HP of somebody, which is no line of the battle.
_NO_DEED = frozenset(("hp",))


def with_spoilers(
    reading: Reading, script: Script, author: str, sheets: Sheets, read: Callable[[Script, str, Sheets], Reading]
) -> Reading:
    """Say so where a spoiler holds rolls or deeds of a kind that the post does not have outside of it.

    What it says counts for nothing, and what it may have changed is left open: not by rolls without a proof, such as
    those of a draft. HP there are said beside a turn.
    """
    own = {claim.kind for claim in reading.claims}
    note: Unread | None = None
    for spoiler in script.spoilers[:_MOST_SPOILERS]:
        inner = read(spoiler, author, sheets)
        missing = [claim for claim in inner.claims if claim.kind not in own and claim.kind not in _NO_DEED]
        proved = next((claim for claim in missing if _may_count(claim)), None)
        if proved is not None:
            note = Unread(proved.quote, reason=REASON, hides=True)
            break
        if note is None and missing:
            note = Unread(missing[0].quote, reason=REASON)
        if note is None and own and "hp" not in own:
            note = next((Unread(claim.quote, reason=REASON_HP) for claim in inner.claims if claim.kind == "hp"), None)
    return reading if note is None else replace(reading, unread=(*reading.unread, note))


def _may_count(claim: Claim) -> bool:
    """Whether a line may be one of the battle's all the same: it has no rolls, or some of them are proved."""
    rolls = list(rolls_in(claim.data))
    return any([roll.anchors for roll in rolls]) or not any([roll.values for roll in rolls])
