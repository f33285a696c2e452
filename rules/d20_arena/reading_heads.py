"""What a tag or line begins with: the words of the notation, and how players spell them otherwise (G19, X3).

The notation's own words with a colon are in `reading_words.TAG`. Other spellings of them -
`Struggle legs: ...`, `Action - ...`, `Trap roll: ...`, `Attack: ...`, `Free attack by Golem 1: ...` -
are a tag as well, but only what holds dice or numbers in the form of this system: `[Trap doors
everywhere]` and `[Help me!]` are prose.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rules.d20_arena.reading_stance import only_stands, stance_words
from rules.d20_arena.reading_words import AREA, Lexicon


class Head(NamedTuple):
    """The beginning of a tag or line.

    `word`: the notation's own word for it, in lower case. `note`: what stood in brackets behind it;
    `actor`: who acts, where the head names one; `place`: where the words behind it begin. `exact`: in
    the notation's spelling; `firm`: a colon or dash stands between.
    """

    word: str
    note: str | None
    place: int
    exact: bool = False
    firm: bool = True
    actor: str | None = None


#: First letters of each spelling, and the word that it stands for; the first that fits counts.
_CANON = (
    ("free", "free attack"),
    ("attack r", "to hit"),
    ("to", "to hit"),
    ("hit", "to hit"),
    ("anno", "announce"),
    ("mov", "move"),
    ("stan", "move"),
    ("trap", "trap"),
    ("act", "action"),
    ("att", "action"),
    ("str", "struggle"),
    ("esc", "struggle"),
    ("help", "help"),
    ("assi", "help"),
    ("rea", "reaction"),
    ("dam", "damage"),
    ("dmg", "damage"),
    ("sav", "save"),
    ("heal", "heal"),
)
_SPELT = re.compile(
    r"\s*(?:(?:the|enemy|enemies'?|player|main|special|monster|gm|my|his|her|their)(?:'s)?[ ]+)?"
    r"(?P<word>announce(?:s|d|ments?)?|announcing|mov(?:es?|ement|ing)|stance|traps?|actions?|free[ -]?attacks?"
    r"|attack[ ]roll|attacks?|struggl(?:es?|ed|ing)|escap(?:es?|ing)|help(?:s|ed|ing)?|assist(?:s|ing)?"
    r"|reactions?|reacts?|to[ -]?hit|hit[ ]roll|damages?|dmg|bind(?:ing)?[ ]?levels?|binding|sav(?:es?|ing[ ]throw)"
    r"|heal(?:s|ing|ed)?)\b"
    r"(?:[ ]+(?:phase|roll|check|attempt|ability|skill|step|tag|test|action|dice|die)s?\b)?"
    r"(?:[ ]*+#?[ ]?\d{1,2}(?:[ ]?(?:/|of)[ ]?\d{1,2})?(?![\dd/+]|[ ]*+(?:[=+]|->|HP\b)))?"
    r"(?P<by>[ ]+(?:by|from)[ ]+)?",
    re.IGNORECASE,
)
#: How the first word of a bracket of this system may begin, names aside: those of `_SPELT`, HP, and `Used ...`.
MAY_BEGIN = re.compile(
    r"the|enem|player|main|special|monster|gm|my|his|her|their|announc|mov|stan|trap|action|free|att|strugg|escap|help"
    r"|assist|react|to|hit|damage|dmg|bind|sav|heal|hp|us",
    re.IGNORECASE,
)
_NOTE = re.compile(r"[ ]*+\((?P<note>[^()\n]{0,40})\)")
_BOX = re.compile(r"[\[({][ ]*+(?P<head>[^\[\](){}\n]{1,40}(?:\([^()\n]{1,40}\))?)[\])}][ ]*+[:-]?[ ]*+(?=\S)")
_GAP = re.compile(r"[ ]*+(?P<firm>:|->|=>|\u2192|[;|=]|-(?=[ A-Za-z]))?[ ]*+")
_NUMBERED = re.compile(
    r"(?:[ ]*[,;]?[ ]*(?:#?\d{1,2}(?:st|nd|rd|th)?|first|second|third)(?:[ ]?(?:/|of)[ ]?\d)?)\Z", re.I
)

#: Dice with a result or bonus behind them: no prose has that.
_DICE = r"\d{0,3}d\d{1,4}\b"
_RESULT = rf"\b{_DICE}[ ]*+(?:[=+:]|-[ ]*+\d|->|\u2192|[(\[][ ]*+\d|\Z)"
_DICE_RESULT = re.compile(_RESULT, re.IGNORECASE)
_ROLL = re.compile(_RESULT + r"|\brolled[ ]+(?:an?[ ]+)?\d|=[ ]*+-?[\d?]", re.IGNORECASE)
_CHANGE = re.compile(
    r"\d[ ]*+(?:->|=>|\u2192)[ ]*+\d|\bvs\.?[ ]+(?:def\w{0,5}\.?:?[ ]*+)?\d|\blevel:?[ ]+\d", re.IGNORECASE
)
_AMOUNT = re.compile(r"[+]?\d{1,4}(?:[ ]*+(?:HP|damage|points?|levels?))?[ ]*+(?:\([a-z ]{1,20}\))?[.!]?[ ]*+\Z", re.I)
#: `Struggle - legs: ...`.
_IN_AREA = re.compile(rf"[^:\n]{{0,20}}\b{AREA}\b[^:\n]{{0,12}}:", re.IGNORECASE)
#: What alone is a result behind these words: `[Dmg: 11]`.
_COUNTED = frozenset(("damage", "trap", "struggle", "binding", "bind level", "save", "heal"))


def head_of(mark: re.Match[str]) -> Head:
    """A head in the notation's own spelling (`TAG`): one of its words, a note in brackets or none, a colon."""
    return Head(mark["word"].casefold(), mark["note"], mark.end(), True)


def spelt_head(text: str, place: int, end: int, names: Lexicon) -> Head | None:
    """A head in any spelling; what stands behind it decides whether it is one at all (`evident`)."""
    found = _SPELT.match(text, place, end)
    if found is None:
        return None
    word, stop, actor = _canonical(found["word"]), found.end(), None
    if found["by"]:
        named = next(names.fighter_forms.at(text, stop, end), None)
        if named is None:
            return None
        actor, stop = names.fighters.find(text[stop : named[1]]), named[1]
    note = _NOTE.match(text, stop, end)
    gap = _GAP.match(text, note.end() if note else stop, end)
    if gap is None:  # it matches always
        return None
    return Head(word, note["note"] if note else None, gap.end(), False, gap["firm"] is not None, actor)


def boxed_head(text: str, place: int, end: int, rolls: bool, names: Lexicon) -> Head | None:
    """A line with the head alone in its bracket: `[Trap] 1d20 = 5`, `[Announce] Volt Lash on Golem 2`."""
    box = _BOX.match(text, place, end)
    head = spelt_head(text, box.start("head"), box.end("head"), names) if box else None
    if box is None or head is None or head.place != box.end("head"):
        return None
    whole = understood(head._replace(place=box.end(), firm=True), names)
    return whole if evident(whole, text, end, names, rolls) else None


def _canonical(word: str) -> str:
    folded = word.casefold()
    if folded.startswith("bind"):
        return "bind level" if "level" in folded else "binding"
    return next(own for first, own in _CANON if folded.startswith(first))


def understood(head: Head, names: Lexicon) -> Head:
    """The head with what its note says put where it belongs: who acts, that the attack is free, a number left out."""
    note = head.note
    if note is None:
        return head
    plain = _NUMBERED.sub("", note).strip(" ,;")
    if not plain:
        return head._replace(note=None)
    actor = names.fighters.find(note) or names.fighters.find(plain)
    if actor is not None:
        return head._replace(note=None, actor=actor)
    if head.word == "action" and plain.casefold() in ("free", "free attack"):
        return head._replace(word="free attack", note=None)
    return head._replace(note=plain)


def evident(head: Head, text: str, end: int, names: Lexicon, rolls: bool) -> bool:
    """Whether what stands behind a head in another spelling has the form of a tag (G19, X3).

    `rolls`: an in-post roll of the board stands in it.
    """
    words = text[head.place : end]
    if head.word == "move":
        return len(words) <= 80 and (stance_words(words) if head.firm else only_stands(words))
    if rolls or _ROLL.search(words) or _CHANGE.search(words):
        return True
    if head.firm and head.word in ("struggle", "help") and _IN_AREA.match(words):
        return True
    if head.word in _COUNTED:
        return head.firm and _AMOUNT.match(words) is not None
    if head.word in ("announce", "reaction"):
        return bool(names.abilities_within(words))
    return head.firm and head.word in ("action", "free attack") and names.aims(words)


def has_roll(words: str) -> bool:
    """Whether words hold dice, or a sum with its result."""
    return _ROLL.search(words) is not None


def has_dice(words: str) -> bool:
    """Whether words hold dice with a result or bonus."""
    return _DICE_RESULT.search(words) is not None


def has_change(words: str) -> bool:
    """Whether words hold a level that changes or a number to reach."""
    return _CHANGE.search(words) is not None
