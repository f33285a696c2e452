"""What a tag or line begins with: the words of the notation, and how players spell them otherwise (G19, X3).

The notation's own words with a colon are in `words.TAG`. Other spellings of them -
`Struggle legs: ...`, `Action - ...`, `Trap roll: ...`, `Attack: ...`, `Free attack by Golem 1: ...` -
are a tag as well, but only what holds dice or numbers in the form of this system: `[Trap doors
everywhere]` and `[Help me!]` are prose.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rules.d20_arena.reading.stance import spelt_stance
from rules.d20_arena.words import AREA, Lexicon, behind_phase


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
    ("crit", "crit"),
)
_SPELT = re.compile(
    r"\s*(?:roll(?:s|ed|ing)?[ ](?:1?d20[ ])?(?:for[ ])?(?=to[ -]?hit|damage|dmg|sav))?"
    r"(?:(?:the|enemy|enemies'?|player|main|special|monster|gm|my|his|her|their)(?:'s)?[ ]+)?"
    r"(?P<word>announce(?:s|d|ments?)?|announcing|mov(?:es?|ement|ing)|stance|traps?|actions?|free[ -]?attacks?"
    r"|attack[ ]roll|attacks?|struggl(?:es?|ed|ing)|escap(?:es?|ing)|help(?:s|ed|ing)?|assist(?:s|ing)?"
    r"|reactions?|reacts?|to[ -]?hit|hit[ ]roll|damages?|dmg|bind(?:ing)?[ ]?levels?|binding|sav(?:es?|ing[ ]throw)"
    r"|heal(?:s|ing|ed)?|crit(?:ical)?[ ](?:hit[ ])?(?:damage|dmg|dice|die|bonus))\b"
    r"(?:[ ]+(?:phase|roll|check|attempt|ability|skill|step|tag|test|action|dice|die)s?\b)?"
    r"(?:[ ]*+#?[ ]?\d{1,2}(?:[ ]?(?:/|of)[ ]?\d{1,2})?(?![\dd/+]|[ ]*+(?:[=+]|->|HP\b)))?"
    r"(?P<by>[ ]+(?:by|from)[ ]+)?",
    re.IGNORECASE,
)
#: How the first word of a bracket of this system may begin, names aside: those of `_SPELT`, HP, and `Used ...`.
MAY_BEGIN = re.compile(
    r"phase|step|[1-5][ ]*[:.)-]"
    r"|roll|the|enem|player|main|special|monster|gm|my|his|her|their|announc|mov|stan|trap|action|free|att|strugg|escap|help"
    r"|assist|react|to|hit|damage|dmg|bind|sav|heal|hp|us",
    re.IGNORECASE,
)
_NOTE = re.compile(r"[ ]*+\((?P<note>[^()\n]{0,40})\)")
_BOX = re.compile(r"[\[({][ ]*+(?P<head>[^\[\](){}\n]{1,40}(?:\([^()\n]{1,40}\))?)[\])}][ ]*+[:-]?[ ]*+(?=\S)")
_GAP = re.compile(r"[ ]*+(?P<firm>:|--?>|=>|\u2192|[;|=]|-(?=[ A-Za-z]))?[ ]*+")
#: Loose lines that may say whom they are about.
_AIMED = frozenset(("to hit", "damage"))
_UPON = re.compile(r"[ ]++(?:(?:vs\.?|against|on|to|at|for)[ ]++)?", re.IGNORECASE)
_FIRM = re.compile(r"[ ]*+(?::|-[ ]|\()")
#: `vs Golem 2: 1d20 ...`.
_VERSUS = re.compile(r"(?:vs\.?|versus|against)[ ]++", re.IGNORECASE)
_ROLL = re.compile(r"1?d20\b", re.IGNORECASE)
#: A name before a head, and what may stand between them.
_NAME_AND = re.compile(r"(?:'s)?[ ]*+(?::|-(?=[ ]))?[ ]*+", re.IGNORECASE)
_OF_SOMEBODY = frozenset(("to hit", "damage", "struggle", "help", "action", "free attack", "heal"))
_NUMBERED = re.compile(r"(?:#?\d{1,2}(?:st|nd|rd|th)?|first|second|third)(?:[ ]?(?:/|of)[ ]?\d)?\Z", re.I)

#: Dice with a result or bonus behind them: no prose has that.
_DICE = r"\d{0,3}d\d{1,4}\b"
_RESULT = rf"\b{_DICE}[ ]*+(?:[=:][ ]*+(?:[\d?(\[-]|roll\b)|[+-][ ]*+\d|->|\u2192|[(\[][ ]*+\d|\Z)"
_DICE_RESULT = re.compile(_RESULT, re.IGNORECASE)
#: Dice with what they showed, where no sum is written: `1d2 [2]`.
_SHOWN = re.compile(r"\dd\d{1,4}[ ]?[\[(][ ]*+\d", re.IGNORECASE)
#: A sum with its result: `13 + 2 = 15`.
_SUM = r"\d[)\]]?[ ]*+[+-][ ]*+\d{1,6}[^=\n]{0,40}=[ ]*+[\d?]"
_ADDED = re.compile(_SUM)
#: A line in the notation's own words holds dice, or begins with what was rolled.
_LINE_ROLL = re.compile(rf"{_RESULT}|\b{_DICE}[^\n]{{0,80}}?\d|\bd20\b[^\n]{{0,80}}?\d|{_SUM}", re.IGNORECASE)
_ROLLED = re.compile(r"(?:rolled[ ]+(?:an?[ ]+)?)\d{1,2}[ ]*+(?:[,;.!(]|->|vs|\Z)", re.IGNORECASE)
_CHANGE = re.compile(
    r"\blevel:?[ ]+\d{1,4}[ ]*+(?:--?>|=>|\u2192|to)[ ]*+\d|\bvs\.?[ ]+def\w{0,5}\.?:?[ ]*+\d", re.IGNORECASE
)
_AMOUNT = re.compile(r"[+]?\d{1,4}(?:[ ]*+(?:HP|damage|points?|levels?))?[ ]*+(?:\([a-z ]{1,20}\))?[.!]?[ ]*+\Z", re.I)
#: `Struggle - legs: ...`, and a change of levels that is all there is.
_IN_AREA = re.compile(rf"[^:\n]{{0,20}}\b{AREA}\b[^:\n]{{0,12}}:", re.IGNORECASE)
_LEVELS_ALONE = re.compile(
    rf"(?:{AREA}[ ]*+[:,-]?[ ]*+)?(?:(?:bind[ ])?level:?[ ]*+)?\d{{1,3}}[ ]*+(?:--?>|=>|\u2192)[ ]*+\d{{1,3}}"
    r"[ ]*+(?:\((?:arms?|legs?|torso|head)\))?[.!]?[ ]*+\Z",
    re.IGNORECASE,
)
_AREA_LED = re.compile(rf"{AREA}[ ]*+[:;-][ ]*+", re.IGNORECASE)
_LEVELLED = frozenset(("struggle", "help", "bind level", "binding"))
#: `19 vs 15, hit`.
_AGAINST = re.compile(
    r"\d{1,3}[ ]+(?:vs\.?|versus|against)[ ]+\d{1,3}[ ]*+[,;:.-][ ]*+(?:hit|miss|crit|nat|resist|fail)", re.IGNORECASE
)
_FOUGHT = frozenset(("action", "free attack", "to hit", "save"))
#: Behind the target of an attack without dice: an outcome and a number.
_OUTCOME = re.compile(
    r"(?=[^\n]{0,200}\d)[^\n]{0,200}?\b(?:hits?|miss(?:es|ed)?|crit\w{0,5}|damage|dmg|def\w{0,5})\b", re.I
)
#: What alone is a result behind these words: `[Dmg: 11]`.
_COUNTED = frozenset(("damage", "trap", "struggle", "binding", "bind level", "save", "heal"))
#: `[Reaction: none]` says nothing; `[Action: none]` does (ND23).
_MAYBE_NONE = frozenset(
    ("reaction", "trap", "struggle", "help", "free attack", "save", "damage", "binding", "bind level", "to hit")
)
_NONE = re.compile(r"(?:(?:none|no|nothing|not|n/a|-+)(?:[ ](?:needed|required))?)?[ .!]*\Z", re.IGNORECASE)
_USING = re.compile(
    r"(?:(?:i|she|he|they|it|we)(?:'ll)?[ ])?(?:(?:will|shall)[ ])?(?:us(?:e|es|ing)|casts?|casting)[ ]", re.IGNORECASE
)
#: A target that is nobody's name is no longer than this.
_MOST_TARGET = 30
_ARROW = re.compile(r"[ ]*+(?:-->?|->|=>|\u2192)[ ]*+")
_AT = re.compile(r"[ ]*+(?:-->?|->|=>|\u2192|,)[ ]*+|[ ]+(?:on|at|against)[ ]+", re.IGNORECASE)


def head_of(mark: re.Match[str]) -> Head:
    """A head in the notation's own spelling (`TAG`): one of its words, a note in brackets or none, a colon."""
    return Head(mark["word"].casefold(), mark["note"], mark.end(), True)


def spelt_head(text: str, place: int, end: int, names: Lexicon) -> Head | None:
    """A head in any spelling; what stands behind it decides whether it is one at all (`evident`)."""
    found = _SPELT.match(text, behind_phase(text, place, end), end)
    if found is None:
        return None
    word, stop, actor = _canonical(found["word"]), found.end(), None
    if found["by"]:
        named = next(names.fighter_forms.at(text, stop, end), None)
        if named is None:
            return None
        actor, stop = names.fighters.find(text[stop : named[1]]), named[1]
    elif word in _AIMED:
        aimed = _whom(text, stop, end, names)
        actor, stop = aimed or (None, stop)
    note = _NOTE.match(text, stop, end)
    gap = _GAP.match(text, note.end() if note else stop, end)
    if gap is None:  # it matches always
        return None
    return Head(word, note["note"] if note else None, gap.end(), False, gap["firm"] is not None, actor)


def _whom(text: str, place: int, end: int, names: Lexicon) -> tuple[str | None, int] | None:
    """Whom a loose line is about: `To hit Golem 1: ...`, `Damage to Golem 1: ...`; and the place behind the name."""
    at = _UPON.match(text, place, end)
    named = next(names.fighter_forms.at(text, at.end(), end), None) if at else None
    if at is None or named is None or _FIRM.match(text, named[1], end) is None:
        return None
    return names.fighters.find(text[at.end() : named[1]]), named[1]


def boxed_head(text: str, place: int, end: int, rolls: bool, names: Lexicon) -> Head | None:
    """A line with the head alone in its bracket: `[Trap] 1d20 = 5`, `[Announce] Volt Lash on Golem 2`."""
    box = _BOX.match(text, place, end)
    head = spelt_head(text, box.start("head"), box.end("head"), names) if box else None
    if box is None or head is None or head.place != box.end("head"):
        return None
    whole = understood(head._replace(place=box.end(), firm=True), names)
    return whole if evident(whole, text, end, names, rolls) else None


def named_head(text: str, place: int, end: int, rolls: bool, names: Lexicon) -> Head | None:
    """A head behind a fighter's name: `Golem 1: To hit: 1d20 ...`, `Golem 1 damage: 1d6 ...`; None where it is none."""
    versus = _VERSUS.match(text, place, end)
    place = versus.end() if versus else place
    named = next(names.fighter_forms.at(text, place, end), None)
    gap = _NAME_AND.match(text, named[1], end) if named else None
    if named is None or gap is None:
        return None
    if versus is not None:
        led = text[named[1] : gap.end()].strip() and _ROLL.match(text, gap.end(), end)
        return Head("to hit", None, gap.end(), actor=names.fighters.find(text[place : named[1]])) if led else None
    head = spelt_head(text, gap.end(), end, names)
    if head is None or head.word not in _OF_SOMEBODY or not head.firm:
        return None
    whole = understood(head, names)
    if not evident(whole, text, end, names, rolls):
        return None
    return whole._replace(actor=whole.actor or names.fighters.find(text[place : named[1]]))


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

    `rolls`: an in-post roll of the board stands in it. Numbers alone, such as `3 vs 1`, are no form.
    """
    words = text[head.place : end]
    if head.word == "move":
        return head.firm and spelt_stance(without_name(words, names)) is not None
    if rolls or has_dice(words):
        return True
    levelled = head.word in _LEVELLED
    area = _AREA_LED.match(words) if levelled else None
    if not (head.firm or area):
        return levelled and _LEVELS_ALONE.match(words) is not None
    if levelled and (_IN_AREA.match(words) or _LEVELS_ALONE.match(words)):
        return True
    if _ADDED.search(words) or _ROLLED.match(words, area.end() if area else 0):
        return True
    if (levelled or head.word in _FOUGHT) and (_CHANGE.search(words) or _AGAINST.match(words)):
        return True
    if head.word in _COUNTED:
        return text[end : end + 1] != ")" and _AMOUNT.match(words) is not None
    if head.word == "announce":
        return names_ability(words, names, True) or (text[end : end + 1] == "]" and _at_somebody(words, names))
    if head.word == "reaction":
        return names_ability(words, names)
    return head.word in ("action", "free attack") and aimed_action(text, head.place, end, names)


def without_name(words: str, names: Lexicon) -> str:
    """Words without the fighter's name that leads them: `Hana stands still`, `Hana: dodging`."""
    named = next(names.fighter_forms.at(words, 0, len(words)), None)
    return words[named[1] :].lstrip(" :,-") if named else words


def names_ability(words: str, names: Lexicon, targets: bool = False) -> bool:
    """Whether words are a known ability, with its owner before it - and, if allowed, with its target - and no more."""
    known = _ability_at(words, names)
    if known is None:
        return False
    at = _AT.match(words, known) if targets else None
    aimed = names.targets(words, at.end(), len(words)) if at else None
    rest = words[aimed[1] if aimed else known :].strip(" .,!")
    return not rest or (aimed is not None and spelt_stance(rest) is not None)


def _ability_at(words: str, names: Lexicon) -> int | None:
    """The place behind the ability that words begin with, its owner or `I use` before it or not."""
    led = names.leading(words, 0, len(words))
    using = None if led else _USING.match(words)
    return names.ability(words, led[1] if led else using.end() if using else 0, len(words))


def _at_somebody(words: str, names: Lexicon) -> bool:
    """Whether an ability is announced at a target that may be meant: `Volt Lash on the other one`."""
    known = _ability_at(words, names)
    at = _AT.match(words, known) if known is not None else None
    return at is not None and at.group().strip() != "," and len(words) - at.end() <= _MOST_TARGET


def aimed_action(text: str, place: int, end: int, names: Lexicon) -> bool:
    """Whether a known ability with an arrow to a fighter stands at a place, and an outcome or nothing behind it."""
    led = names.leading(text, place, end)
    place = led[1] if led else place
    known = names.ability(text, place, end)
    at = _ARROW.match(text, known, end) if known is not None else None
    aimed = names.targets(text, at.end(), end) if at else None
    if aimed is None:
        return False
    rest = text[aimed[1] : end].strip(" .!")
    return not rest or (rest[0] in ":;,(-" and _OUTCOME.match(rest) is not None)


def says_none(head: Head, text: str, end: int) -> bool:
    """`[Reaction: none]`, `Trap: not needed`: that there is nothing to say."""
    return head.word in _MAYBE_NONE and _NONE.match(text, head.place, end) is not None


def has_roll(words: str) -> bool:
    """Whether a line in the notation's own words holds dice, or a sum with its result, or begins with its roll."""
    if _LINE_ROLL.search(words):
        return True
    return _ROLLED.match(words[words.find(":") + 1 :].lstrip()) is not None


def has_dice(words: str) -> bool:
    """Whether words hold dice with a result or bonus."""
    return _DICE_RESULT.search(words) is not None


def shows_dice(words: str) -> bool:
    """Whether words hold dice with what they showed behind them: a line may have no sign of a sum or colon then."""
    return _SHOWN.search(words) is not None


def has_change(words: str) -> bool:
    """Whether words hold a level that changes or a Defense to reach."""
    return _CHANGE.search(words) is not None
