"""Cheap looks at posts and lines: whether they may be the game's at all."""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE
#: A digit or one of these words stands in every line of the game.
DIGIT = re.compile(r"\d")
WORDS = re.compile(
    r"\?\?|:\s*(?:special|skill|spell|casts?|run|potion|teleport|party stone|dead)\b"
    r"|(?:duel|spar|run|potion|order)\s*:"
    r"|party stone|teleport|(?:drops?|loot)\s*:\s*$",
    _FLAGS,
)
#: What a post of the game without a digit, colon or bracket says.
_BARE_WORDS = ("party stone", "teleport", "order")
#: A line of the game has a colon behind so many characters at the most, or else begins like this.
FAR = 70
_NO_COLON = re.compile(
    rf"[^\n]{{1,{FAR}}}\b(?:attacks?|joins)\b|[-=*~#>\s]{{0,10}}(?:battle\s+)?(?:turn|round)\b", _FLAGS
)
_BEGINNINGS = ("attack", "joins", "turn", "round ")


def may_claim(text: str) -> bool:
    """A cheap look at a whole post: `DIGIT` or something out of `WORDS` or of `brackets` may be in it."""
    if DIGIT.search(text) is not None or "[" in text or ":" in text or "??" in text:
        return True
    folded = text.casefold()
    return any([word in folded for word in _BARE_WORDS])


def begins_like_one(text: str, start: int, end: int) -> bool:
    """Whether a line begins like one of the game's; most prose has none of these words."""
    if text.find(":", start, min(end, start + FAR + 1)) > start:
        return True
    head = text[start : min(end, start + FAR + len("attacks"))].casefold()
    return any([word in head for word in _BEGINNINGS]) and _NO_COLON.match(text, start, end) is not None
