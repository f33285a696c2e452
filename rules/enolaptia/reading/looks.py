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
#: What that begins with.
TURN_BEGINS = frozenset("-=*~#> \tbBrRtT")
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


#: Signs that may stand in front of a line besides the bullets of X18.
_LEADS = frozenset('\u2192\u00bb\u203a\u2023\u00b7~+=_*|"-')
#: Words in front of a line that change nothing about it: `Then Rat 1: 5/18`, `Result: HP: ...`, `Mira's turn: ...`.
_AHEAD = re.compile(
    r"(?:(?:(?:and\s+)?then|and|now|so|next|finally|afterwards|also|meanwhile|after\s+that|thus|[a-z]\))\s?[:,]?"
    r"|(?:first|second|third|last|fourth|results?|rolls?|actions?|moves?|attacks?|effects?|status|ic|in\s+character|step\s\d{1,2}"
    r")\s?[:,-])\s+(?=\S)",
    _FLAGS,
)
_TURN_OF = re.compile(r"[^\W\d][\w' -]{0,30}'s?\s(?:turn|move|action|roll)\s?[:,-]\s+(?=\S)", _FLAGS)
#: The apostrophe of a name stands no farther behind the line's beginning.
_FAR_APOSTROPHE = 32
_HEADING = re.compile(r"(?:order|hp|exp|xp|allocation|encounter|drops|duel|spar)\s?:", _FLAGS)
#: Any other label in front of a heading: `Reminder: HP: Mira 31/40`.
_OTHER_LABEL = re.compile(r"[^\W\d][\w' -]{0,24}:\s+(?=(?:order|hp|exp|allocation|encounter|drops)\s?:)", _FLAGS)
_BRACKETS = {"(": ")", "{": "}"}
_BLANKS = frozenset(" \t")
_BLANKS_AND_LEADS = _BLANKS | _LEADS
#: No line of the game is shorter than this with its brackets.
_SHORTEST = 5


def without_lead(text: str, start: int, end: int) -> tuple[int, int]:
    """A line without signs in front of it (and behind), and without the round or curly bracket that it stands in.

    A doubled bracket is one: `((HP: Mira 31/40))`. With `OOC` in it, it is no text of the author's any more (G16).
    """
    first = start
    while start < end - 1 and text[start] in _LEADS and text[start + 1] in _BLANKS_AND_LEADS:
        start += 1
    while start > first and end - 1 > start and text[end - 1] in _BLANKS_AND_LEADS:
        end -= 1
    while start < end and text[start] in _BLANKS:
        start += 1
    if text.startswith("((", start) and text.endswith("))", start, end):
        start, end = start + 1, end - 1
    closing = _BRACKETS.get(text[start : start + 1])
    if closing is not None and text[end - 1] == closing and text.find(closing, start, end) == end - 1:
        inside = text[start + 1] not in _BRACKETS and text.find(text[start], start + 1, end) < 0
        return (start + 1, end - 1) if inside and end - start > _SHORTEST else (start, end)
    return start, end


def words_ahead(text: str, start: int, end: int) -> int:
    """Where a line goes on behind words that change nothing about it; `start` where it begins with none."""
    met = _AHEAD.match(text, start, end)
    if met is None and text.find("'", start, start + _FAR_APOSTROPHE) > start:
        met = _TURN_OF.match(text, start, end)
    return start if met is None else met.end()


def begins_with_heading(text: str, start: int, end: int) -> bool:
    """Whether a heading of the game's lines stands at a place."""
    return _HEADING.match(text, start, end) is not None


def behind_other_label(text: str, start: int, end: int) -> int:
    """Where a heading stands behind some other label; -1 where none does."""
    met = _OTHER_LABEL.match(text, start, end)
    return -1 if met is None else met.end()


#: Headings above lines that tell an earlier turn again.
_RETOLD = re.compile(
    r"\W{0,4}(?:recap\b|previously\b|(?:last|earlier|previous)\s+(?:turn|round|time|post)s?\b|so\s+far\b|what\s+happened)"
    r"[^\d\n:]{0,20}\d{0,3}\W{0,4}",
    _FLAGS,
)
_LONGEST_RETOLD = 44
TOLD_ROLL = re.compile(r"\bd6\b|\b1d6\b|\brolled\b|\d\s?=\s?\d", _FLAGS)


def retold_until(text: str, start: int, end: int) -> int:
    """Where the lines end that a heading such as `Recap of turn 2:` says to be told again: at an empty line.

    -1 where a line is no such heading.
    """
    if end - start > _LONGEST_RETOLD or _RETOLD.fullmatch(text, start, end) is None:
        return -1
    empty = text.find("\n\n", end)
    return empty if empty >= 0 else len(text)


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
