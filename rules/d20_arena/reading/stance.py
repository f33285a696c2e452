"""Reading a stance: `standing still`, `keeps moving`, and what is said not to be so (ND1, A3)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rules.d20_arena.records import MOVING, STANDING

#: What stands behind so many characters of a Move tag says nothing about the stance any more.
_MOST_LOOKED = 400
#: A stance in a spelling that is not the notation's is no longer than this.
_MOST_SPELT = 80

_CLAUSE = re.compile(r"[,;.!/()]|\b(?:and|but|then|while|instead|or)\b|->|\u2192", re.IGNORECASE)
_STAND_STILL = (
    r"\b(?:stand(?:s|ing)?|stood|stay(?:s|ed|ing)?|hold(?:s|ing)?|keep(?:s|ing)?|remain(?:s|ed|ing)?|is|be|being)[ \t]+"
    r"(?:(?:very|perfectly|completely|absolutely|quite)[ \t]+)?"
    r"(?:still(?![ \t]+(?:mov|dodg|running|on[ ]the))|put|stationary|motionless|in[ ]place"
    r"|(?:her|his|their|my|its)[ ](?:ground|position|place))\b"
    r"|\b(?:stationary|motionless|standstill)\b"
)
_STAND = re.compile(_STAND_STILL, re.IGNORECASE)
#: In a Move tag `standing` and `stays` without `still` say it as well.
_STAND_OR_STAY = re.compile(_STAND_STILL + r"|\b(?:stand(?:s|ing)?|stood|stay(?:s|ing)?)\b", re.IGNORECASE)
#: A clause that says no more than this is a stance as well; inside a longer one it may be anything.
_STILL = re.compile(r"(?:(?:she|he|it|they|i|i'm|is)[ \t]+){0,2}still\Z", re.IGNORECASE)
_MOVE = re.compile(r"\b(?:dodg\w{0,5}|mov\w{0,5}|running|on[ ]the[ ]move)\b", re.IGNORECASE)
_NOT = re.compile(
    r"\b(?:not|never|no|nor|neither|without|stop(?:s|ped|ping)?|cease[sd]?|quits?|hardly|rarely)\b|n't\b", re.IGNORECASE
)
#: Words that say of both stances that they may hold, where they stand before the stance.
_DOUBT = re.compile(r"\b(?:maybe|perhaps|might|may|if|unless|until|almost|either|neither)\b", re.IGNORECASE)
_STANDING = re.compile(r"\bstanding\b", re.IGNORECASE)
_PHRASE = re.compile(
    r"(?:[A-Za-z]{1,12}:[ ]?)?(?:(?:she|he|it)[ ])?"
    r"(?:(?:stand(?:s|ing)?|stays?|staying)[ ]+(?:still|put)|standing)[ ]*[.!]?\Z",
    re.IGNORECASE,
)
#: All words that a stance is said in; a clause that goes on with another word is about something else from there on.
_VOCABULARY = (
    r"(?:stand(?:s|ing)?|stood|stay(?:s|ed|ing)?|still|put|hold(?:s|ing)?|keep(?:s|ing)?|remain(?:s|ed|ing)?"
    r"|stationary|motionless|standstill|in|place|her|his|their|my|its|ground|position"
    r"|very|perfectly|completely|absolutely|quite|dodg(?:es?|ing)|mov(?:es?|ing|ement)|running|on|the"
    r"|not|never|no|more|longer|without|stop(?:s|ped|ping)?|cease[sd]?|quits?|doesn't|does|don't|do|isn't|is|be|being"
    r"|she|he|it|they|i'll|i'm|i|am|are|will|this|turn|round|here)"
)
_LED = re.compile(rf"(?:{_VOCABULARY}\b(?!')[ \t]*+){{1,16}}+", re.IGNORECASE)
#: What a stance is for and what it costs may stand beside it: `(-3 Defense)`, `for a second struggle`.
_REMARK = r"(?:[+-]?\d{1,2}|def(?:en[cs]e)?|penalty|for|to|a|an|two|second|2nd|struggles?|struggling|dodge)"
_SPELT = re.compile(
    rf"(?:(?:{_VOCABULARY}|{_REMARK})\b(?!')"
    r"(?:[ \t]*+(?:[,;.!/()=-]|->|and\b|but\b|then\b)){0,2}+[ \t]*+){1,16}+\Z",
    re.IGNORECASE,
)


class _Said(NamedTuple):
    """The stance of one clause, and whether the clause begins with it: then it is surely the fighter's own."""

    stance: str
    firm: bool


def stance_in(words: str) -> str | None:
    """The stance that a Move tag states; None where it says none, or both."""
    return _stance(words if len(words) <= _MOST_LOOKED else words[:_MOST_LOOKED])


@lru_cache(maxsize=1024)
def _stance(words: str) -> str | None:
    said = [one for clause in _CLAUSE.split(words) if (one := _clause(clause.strip())) is not None]
    firm = {one.stance for one in said if one.firm}
    if firm:
        return firm.pop() if len(firm) == 1 else None
    return said[0].stance if said else None


def _clause(words: str) -> _Said | None:
    """What a clause states first: `dodging past the motionless crowd` moves; said with `not` it is the other one."""
    standing = _STILL.match(words) or _STAND_OR_STAY.search(words)
    moving = _MOVE.search(words)
    met = min((found for found in (standing, moving) if found), key=lambda found: found.start(), default=None)
    if met is None or _DOUBT.search(words, 0, met.start()):
        return None
    denials = sum(1 for found in _NOT.finditer(words) if found.start() < met.end())
    if denials > 1:
        return None
    led = _LED.match(words)
    firm = led is not None and met.start() < led.end()
    return _Said(STANDING if (met is standing) != bool(denials) else MOVING, firm)


def spelt_stance(words: str) -> str | None:
    """The stance of a tag or line in another spelling: only where its words say nothing else (G19)."""
    plain = words.strip()
    if len(plain) > _MOST_SPELT or _SPELT.match(plain) is None:
        return None
    return stance_in(plain)


def leads_with_stance(words: str) -> bool:
    """Whether words begin with a stance, as those of a line `Move: standing still, the dust round it` do.

    A further clause of the first sentence may say it too, if it says nothing else: `by the wall, standing still`.
    """
    clauses = [clause.strip() for clause in _CLAUSE.split(words[:_MOST_LOOKED].partition(". ")[0])]
    led = _LED.match(clauses[0])
    if led is not None and stance_in(clauses[0][: led.end()].strip()) is not None:
        return True
    return any(spelt_stance(clause) for clause in clauses[1:])


def stands_or_moves(words: str) -> bool:
    """Whether a stance is said in full; `standing` alone may be anything in a line."""
    return _STAND.search(words) is not None or _MOVE.search(words) is not None


def stands_somewhere(words: str) -> bool:
    """Whether words that are about something else (an announcement) also speak of standing still."""
    if "st" not in words and "ST" not in words and "St" not in words:
        return False
    return _STAND.search(words) is not None or _STANDING.search(words) is not None


def only_stands(words: str) -> bool:
    """Whether a bracket says nothing but that somebody stands still."""
    return _PHRASE.match(words.strip()) is not None
