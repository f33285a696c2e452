"""Reading a stance: `standing still`, `keeps moving`, and what is said not to be so (ND1, A3)."""

from __future__ import annotations

import re
from functools import lru_cache

from rules.d20_arena.records import MOVING, STANDING

#: A stance is said in a few words; longer ones are prose.
_MOST_WORDS = 120

_CLAUSE = re.compile(r"[,;.!/()]|\b(?:and|but|then|while|instead)\b|->|\u2192", re.IGNORECASE)
_STAND = re.compile(
    r"\b(?:stand(?:s|ing)?|stood|stay(?:s|ed|ing)?|hold(?:s|ing)?|keep(?:s|ing)?|remain(?:s|ed|ing)?|is|be|being)[ \t]+"
    r"(?:(?:very|perfectly|completely|absolutely|quite)[ \t]+)?"
    r"(?:still|put|stationary|motionless|in[ ]place|(?:her|his|their|my|its)[ ](?:ground|position|place))\b"
    r"|\b(?:stationary|motionless|standstill)\b",
    re.IGNORECASE,
)
#: A clause that says no more than this is a stance as well; inside a longer one it may be anything.
_STAND_ALONE = re.compile(
    r"(?:(?:she|he|it|they|i|i'm|is)[ \t]+){0,2}(?:stand(?:s|ing)?(?:[ \t]+here|[ \t]+there)?|still|stays?)\Z",
    re.IGNORECASE,
)
_MOVE = re.compile(r"\b(?:dodg\w{0,5}|mov\w{0,5}|running|on[ ]the[ ]move)\b", re.IGNORECASE)
_NOT = re.compile(
    r"\b(?:not|never|no|nor|neither|without|stop(?:s|ped|ping)?|cease[sd]?|quits?|hardly|rarely)\b|n't\b", re.IGNORECASE
)
#: Words that say of both stances that they may hold.
_DOUBT = re.compile(r"\b(?:maybe|perhaps|might|may|if|unless|until|almost)\b", re.IGNORECASE)
_STANDING = re.compile(r"\bstanding\b", re.IGNORECASE)
_PHRASE = re.compile(
    r"(?:[A-Za-z]{1,12}:[ ]?)?(?:(?:she|he|it)[ ])?"
    r"(?:(?:stand(?:s|ing)?|stays?|staying)[ ]+(?:still|put)|standing)[ ]*[.!]?\Z",
    re.IGNORECASE,
)


def stance_in(words: str) -> str | None:
    """The stance that a Move tag states; None where it says none, or both."""
    return _stance(words) if len(words) <= _MOST_WORDS else None


@lru_cache(maxsize=1024)
def _stance(words: str) -> str | None:
    if _DOUBT.search(words):
        return None
    found = {stance for clause in _CLAUSE.split(words) for stance in _clause(clause.strip())}
    return found.pop() if len(found) == 1 else None


def _clause(words: str) -> set[str]:
    """The stances that one clause states: what is said with a single `not` is the other one."""
    standing = _STAND.search(words) or _STAND_ALONE.match(words)
    denials = list(_NOT.finditer(words))
    rest = words if standing is None else words[: standing.start()] + " " + words[standing.end() :]
    moving = _MOVE.search(rest)
    if len(denials) > 1 or (standing and moving):
        return {STANDING, MOVING}
    said = STANDING if standing else MOVING if moving else None
    met = standing or moving
    if said is None or met is None:
        return set()
    denied = bool(denials) and denials[0].start() < met.end()
    return {said} if not denied else {MOVING if said == STANDING else STANDING}


def stance_words(words: str) -> bool:
    """Whether anything about a stance is said at all."""
    return bool(_STAND.search(words) or _MOVE.search(words) or _STAND_ALONE.match(words.strip(" .!")))


def stands_somewhere(words: str) -> bool:
    """Whether words that are about something else (an announcement) also speak of standing still."""
    if "st" not in words and "ST" not in words and "St" not in words:
        return False
    return _STAND.search(words) is not None or _STANDING.search(words) is not None


def only_stands(words: str) -> bool:
    """Whether a bracket says nothing but that somebody stands still."""
    return _PHRASE.match(words.strip()) is not None
