"""Lines that look like the system's own and that no reader took (G19): what they may be about.

An unread line must neither pass in silence nor make an error of the lines around it; `Unread.reason` says
what it may be about, and the replay leaves open what hangs on that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.model.claims import Claim
from rules.angel_dolls.lexicon import Lexicon, Named

#: What an unread line may be about -> what is said of it.
REASONS = {
    "attack": "looks like the heading of an attack and could not be read",
    "check": "looks like a check and could not be read",
    "hp": "looks like a line of HP and could not be read",
    "state": "seems to change what a doll can use and could not be read",
    "rolls": "shows rolls in words that could not be read",
    "aside": "stands in a spoiler, so it is nobody's claim and not checked",
    "points": "seems to award Trainer Points and could not be read",
    "defense": "speaks of a Full Defense or a simultaneous strike and could not be read",
    "foreign": "looks like a tag of another system, which means nothing here",
}
KIND_OF = {reason: kind for kind, reason in REASONS.items()}

_ARROW = re.compile(r"->|=>|\u2192")
_ATTACKS = re.compile(r"\s*attacks\s+", re.IGNORECASE)
#: So many words stand before the arrow of a heading: a name, and `Then` or `2nd attack:` in front of it.
_MOST_BEFORE = 5
#: Labels with a sum or two sides; of damage also with a number behind an arrow.
_CHECK = re.compile(
    r"[\[(]?\s*(?:(?:to[- ])?hit|attack roll|(?:weapon )?damage|dmg|disarm test|control test"
    r"|strangle(?: ?hold)?,? round \d{1,6})"
    r"\s*[:(-].{0,200}?(?:\d\s*=|=\s*\d|\bvs\b|\d\s*(?:->|\u2192)\s*(?:\d|hit\b|miss\b))",
    re.IGNORECASE,
)
_DAMAGE_BEHIND = re.compile(r"\b(?:damage|dmg)\b\s{0,3}[:;-][^\n=]{0,200}=", re.IGNORECASE)
_HP = re.compile(r"(?<![a-z])hp(?![a-z])", re.IGNORECASE)
#: Somebody's HP, whoever that may be: `Sedrick: HP 98/120`, `Sedrick 98/120`.
_ANYBODYS = re.compile(
    r"\W{0,3}[A-Za-z][\w\"' -]{1,40}?\s*[:-]?\s*"
    r"(?:(?P<hp>\(?hp\b\W{0,3})\d{1,6}\b|\d{1,6}\s*/\s*(?P<most>\d{1,6})\s*(?:hp\b)?\W{0,3}$)",
    re.IGNORECASE,
)
#: Behind a doll's name nothing but two numbers, or a number of HP lost or won.
_TWO_NUMBERS = re.compile(
    r"(?:'s)?\W{0,5}(?:\d{2,6}\s*/\s*\d{2,6}\b|\d{2,6}\s*(?:->|\u2192|\s{2})\s*\d{1,6}\W{0,3}$|[+-]\s?\d{1,6}\s*hp\b)",
    re.IGNORECASE,
)
#: A known doll attacks somebody unknown with something in brackets.
_ATTACKS_SOMEBODY = re.compile(r"\s*attacks\s+[\w' -]{1,40}\s*\((?P<means>[^()\n]{1,60})\)\W*$", re.IGNORECASE)
_AWARDS = re.compile(r"\b(?:(?i:trainer points?)|TPs?)\b")
_HP_LEAD = re.compile(r"\W{0,3}hp\b\W{0,3}", re.IGNORECASE)
_POOL = re.compile(r"\d\s*(?:->|\u2192|/)\s*\d|\bhp\b\W{0,3}\d{1,9}(?![\d%])", re.IGNORECASE)
_BRACED = re.compile(r"\W{0,3}(?:full defen[cs]e|simultaneous(?: strikes?| attacks?)?)\s*[:(\[-]", re.IGNORECASE)
_BRACES = re.compile(
    r"\s*(?:[:(-]\s*|(?:is\s+(?:in|on)|goes\s+(?:into|to)|takes|uses|in)\s+)(?:a\s+)?"
    r"(?:full defen[cs]e|simultaneous)\b(?!\s+of\b)"
    r"|[^.,;!?\n]{1,40}\b(?:strikes?|attacks?)\s+(?:\w+\s+)?simultaneously\b",
    re.IGNORECASE,
)
#: What turns a sentence about gear into talk.
_TALK = re.compile(
    r"^\W?[\"'\u201c]|\b(?:nearly|almost|never|not|no|if|when|would|could|might|may|nobody|hoping|pretends?|as if)\b",
    re.IGNORECASE,
)
#: What becomes of a doll, right behind its name: gear lost or regained ...
_HANDLES = re.compile(
    r"\s*:?\s*(?:has |then |now |quickly )?"
    r"(?:drops|lets go of|releases|retrieves|recovers|regain(?:s|ed)|picks up|loses|has)\s+(?P<what>[^.,;!?\n]{1,40})",
    re.IGNORECASE,
)
_ITSELF = re.compile(r"\s*(?:it|them)\s*$|\s*control(?: of\b|\s*$)", re.IGNORECASE)
#: ... or a hold that begins or ends.
_BECOMES = re.compile(
    r"\s*:?\s*(?:(?:breaks|slips|tears|gets|comes|is) (?:free|loose)\s*(?:again\s*)?"
    r"(?:[.!,;(]|$|(?:of|from)\s(?P<of>.{1,40}))"
    r"|frees (?:him|her|it)self|(?:is|are) (?:now )?entangled\s*(?:[.!(:]|at\b|by\b|$)|is held\s*(?:[.!(,]|$)"
    r"|lets go\s*[.!]?$|is no longer (?:held|entangled)|(?:is|are) disarmed)",
    re.IGNORECASE,
)
_HOLD = re.compile(r"\b(?:entangle(?:ment)?|hold)\b", re.IGNORECASE)
_THING_BECOMES = re.compile(
    r"(?:is|are) out\b.{0,20}\d|\bunder control(?: again)?\s*[.!]?\s*$|\bshatter(?:s|ed)|\bbreaks apart", re.IGNORECASE
)
_FOREIGN = re.compile(
    r"\s*(?:action|dodge|block|struggle|trap|run|potion|teleport|announce|move|setup|guards?|used|\d{1,3}% to hit)\b"
    r"|\s*damage\s*:\s*\d{1,6}\s*(?:-\s*[a-z ]{1,30})?\s*x\s*\d",
    re.IGNORECASE,
)
_OWN = re.compile(r"\bvs\b|\b(?:AGI|REF|STR|DUR|MAG|RES|HP)\b|attack|1d50", re.IGNORECASE)
#: Signs and words of which one stands in every such line.
TELLING = (
    *("->", "\u2192", "drops", "lets go", "releases", "retrieves", "recovers", "regain", "picks up", "loses", "free"),
    *("hp", "/", "attacks", "trainer point"),
    *(" loose", " out", "entangled", " held", "disarmed", "shatter", "under control"),
)
#: Of which one stands in every sentence about gear or a hold.
_STATE_SIGNS = (
    *("drops", "lets go", "releases", "retrieves", "recovers", "regain", "picks up", "loses", " has ", "free", "loose"),
    *("entangled", " held", "disarmed", " out", "under control", "shatter", "breaks apart", ":has "),
)
_NAME_START = re.compile(r"(\w+)[\w'-]*")
#: A longer sentence is prose.
_MOST_WORDS = 16
#: A line of prose with more characters is told for its own sake.
LONGEST_TOLD = 160


def of_another_system(inner: str, words: Lexicon) -> bool:
    """Whether a bracket begins like a tag of another system and names no doll, no thing and no check (G19)."""
    if _FOREIGN.match(inner) is None or _OWN.search(inner) is not None:
        return False
    return not (words.speaks_of_dolls(inner) or words.speaks_of_things(inner))


def hides_damage(claims: Sequence[Claim], text: str) -> bool:
    """Whether a line that was read as one hit check goes on with a damage: its words are none of the outcome's."""
    if len(claims) != 1 or claims[0].kind != "hit" or "=" not in text:
        return False
    return any([word in text for word in ("amage", "AMAGE", "mg", "MG")]) and _DAMAGE_BEHIND.search(text) is not None


def near_kind(text: str, words: Lexicon, who: Named | None) -> str | None:
    """What an unread line may be about (a key of REASONS), None for prose. `who`: the doll it begins with."""
    if _is_heading(text, words, who):
        return "attack"
    if _CHECK.match(text):
        return "check"
    if _is_hp(text, who, words):
        return "hp"
    if _awards(text, words):
        return "points"
    if _BRACED.match(text) or (who is not None and _BRACES.match(text, who.stop)):
        return "defense"
    return "state" if _is_state(text, words) else None


def _awards(text: str, words: Lexicon) -> bool:
    """Whether a line gives a doll or trainer a number of Trainer Points."""
    if not any([word in text for word in ("oint", "OINT", "TP")]) or _AWARDS.search(text) is None:
        return False
    return any([sign.isdecimal() for sign in text]) and words.speaks_of_dolls(text)


def _is_heading(text: str, words: Lexicon, who: Named | None) -> bool:
    """An arrow between two dolls near the start; or one doll attacks another with a thing of the tables."""
    arrow = _ARROW.search(text[:120])
    target = words.named(text, arrow.end()) if arrow else None
    if arrow is not None and target is not None and _ARROW.search(text, arrow.end()) is None:
        before, behind = text[: arrow.start()], text[target.stop :].strip()
        if len(before.split()) <= _MOST_BEFORE and (words.ends_with_name(before) or behind[:1] in (":", "(")):
            return True
    somebody = _ATTACKS_SOMEBODY.match(text, who.stop) if who else None
    if somebody is not None and words.speaks_of_things(somebody["means"]):
        return True
    attacks = _ATTACKS.match(text, who.stop) if who else None
    target = words.named(text, attacks.end()) if attacks else None
    return target is not None and "(" in text and words.speaks_of_things(text[target.stop :])


def _is_hp(text: str, who: Named | None, words: Lexicon) -> bool:
    """A line that begins with HP, or with a doll and HP, and has numbers of it; or one of somebody's HP."""
    if who is not None and _TWO_NUMBERS.match(text, who.stop):
        return True
    spoken = _HP.search(text) is not None
    if not spoken and "/" not in text:
        return False
    met = _ANYBODYS.match(text)
    if met is not None and (met["hp"] or int(met["most"]) in words.most_hp.values()):
        return True
    if spoken and _names_hp_of(text, words):
        return True
    if not spoken or _POOL.search(text) is None:
        return False
    return _HP.match(text.lstrip("[( ")) is not None or (who is not None and _HP_LEAD.match(text, who.stop) is not None)


def _names_hp_of(text: str, words: Lexicon) -> bool:
    """Whether a line begins with HP, a doll and a number, whatever the sign behind that: `HP: Sedrik 150 >> 134`."""
    lead = _HP_LEAD.match(text)
    doll = words.named(text, lead.end()) if lead else None
    return doll is not None and text[doll.stop :].lstrip(" :")[:1].isdecimal()


def _is_state(text: str, words: Lexicon) -> bool:
    """A short sentence of a doll that loses, regains or breaks free of something, or of what becomes of a thing."""
    folded = text.casefold()
    if not any([sign in folded for sign in _STATE_SIGNS]) or len(text.split()) > _MOST_WORDS:
        return False
    return _tells_of_state(text, words) and _TALK.search(text) is None


def _tells_of_state(text: str, words: Lexicon) -> bool:
    """Whether somewhere in a line a doll loses, regains or breaks free of something, or a thing is said to be out."""
    for word in _NAME_START.finditer(text):
        doll = words.named(text, word.start()) if word[1].casefold() in words.firsts else None
        if doll is not None and _says_state(text, doll.stop, words):
            return True
    return _THING_BECOMES.search(text) is not None and words.speaks_of_dolls(text) and words.speaks_of_things(text)


def _says_state(text: str, place: int, words: Lexicon) -> bool:
    """Whether what stands right behind a doll's name is about its gear or a hold."""
    becomes = _BECOMES.match(text, place)
    if becomes is not None:
        of = becomes["of"]
        return of is None or _HOLD.search(of) is not None or words.speaks_of_things(of)
    handles = _HANDLES.match(text, place)
    if handles is None:
        return False
    what = handles["what"]
    return _ITSELF.match(what) is not None or words.speaks_of_things(what) or words.named(what) is not None
