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
_BARE_WORDS = ("party stone", "teleport", "order", " uses ")
#: A line of the game has a colon behind so many characters at the most, or else begins like this.
FAR = 70
_NO_COLON = re.compile(
    rf"[^\n]{{1,{FAR}}}\b(?:attacks?|joins)\b|[-=*~#>\s]{{0,10}}(?:battle\s+)?(?:turn|round)\b", _FLAGS
)
_BEGINNINGS = ("attack", "joins", "turn", "round ")

#: `Turn 2`, `T2:` alone on its line, or in front of an order or of anything else of the game.
TURN = re.compile(
    r"[-=*~#>\s]{0,10}(?:(?:battle\s+)?(?:turn|round)|rnd|rd|[tr](?=\d))\s*#?\s*(?P<number>\d{1,4})"
    r"(?:(?P<alone>[-=*~#:.\s]{0,10}$)|\s*[-:.,;|]?\s*(?=(?:(?:battle|turn|same)\s+)?order\b)|(?P<ahead>\s*(?::|\s-\s)\s*))",
    _FLAGS,
)
#: A new turn whose order is not written, with nothing else on its line: `Order: as before`, `Second turn:`.
NEW_TURN = re.compile(
    r"[-=*~#>\s]{0,10}(?:(?:the\s+)?same\s+(?:turn\s+)?order(?:\s+again)?(?:\s+as\s+(?:before|above|last\s+(?:turn|round)|in\s+turn\s+\d{1,3}))?\s*[.!]?"
    r"|(?:turn\s+)?order\s*(?::|:?\s*(?:(?:is|stays|remains)\s+)?(?:the\s+)?(?:as\s+(?:before|above)|unchanged|same)"
    r"(?:\s+(?:again|as\s+(?:before|above)|(?:as\s+)?last\s+(?:turn|round)))?\s*[.!]?)"
    r"|(?:order\s+)?(?:stays|remains)\s+the\s+same\s*[.!]?"
    r"|(?:next|new|another|second|third|fourth|fifth|sixth|last|final)\s+(?:battle\s+)?(?:turn|round)\s*"
    r"(?::?[-=*~#:<\s]{0,10}|[:.,-]\s*(?:(?:the\s+)?same\s+order|order\s*:?\s*(?:as\s+before|unchanged|the\s+same))(?:\s+as\s+before)?\s*[.!]?))\s*$",
    _FLAGS,
)
#: No form of a movement turn is settled (E15): its lines are no claims, and the report says so.
MOVEMENT = re.compile(r"movement(?:\s+turn)?\s*:[^\n]{0,60}\d", _FLAGS)
MAGIC = re.compile(r"(?:current\s+)?(?:MP|magic|mana)(?:\s+(?:points?|left))?\s*[:=][^\n]{0,60}\d", _FLAGS)


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
