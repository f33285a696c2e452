"""Edit notices in words, of any board and language: when, by whom, how often, why."""

from __future__ import annotations

import re

from referee.model.battle import Edit
from scrapers.boards.moments import Times

_COUNT = re.compile(r"(\d{1,5})[\s-]{0,2}(?:times?|mal|fois|veces|vez|раз|volte|keer)", re.IGNORECASE)
_BY = re.compile(r"(?:^|\s)(?:by|von|par|por|от|door|da|przez|av)\s+(.{1,80}?)\s*[).»\]]*\s*$", re.IGNORECASE)
_REASON = re.compile(
    r"(?:^|[\s.(\u00a0])(?:Edit reason|Reason|Grund|Причина|Raison|Motivo|Reden)\s*:\s*", re.IGNORECASE
)


def edit_notice(text: str, clock: Times, by: str | None = None, reason: str | None = None) -> Edit | None:
    """The edit that a notice tells of, None for an empty notice.

    `by` and `reason` are what the notice's own elements say, where it has such elements.
    """
    text = " ".join(text.replace("\u00a0", " ").split())
    if not text:
        return None
    cut = _REASON.search(text)
    if cut:
        reason = reason or text[cut.end() :].strip(" .)»") or None
        text = text[: cut.start()]
    if by:
        text = text.replace(by, " ", 1)
    else:
        named = _BY.search(text)
        if named:
            by = named[1].strip(" .,«»)") or None
            text = text[: named.start()]
    count = _COUNT.search(text)
    if count:
        text = text[: count.start()]
    at = clock.read(text).at
    return Edit(at=at, by=by, count=int(count[1]) if count else None, reason=reason)
