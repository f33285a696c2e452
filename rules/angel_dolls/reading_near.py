"""Lines that look like the system's own and that no reader took (G19): what they may be about.

An unread line must neither pass in silence nor make an error of the lines around it; `Unread.reason` says
what it may be about, and the replay leaves open what hangs on that.
"""

from __future__ import annotations

import re

from rules.angel_dolls.lexicon import Lexicon, Named

#: What an unread line may be about -> what is said of it.
REASONS = {
    "attack": "looks like the heading of an attack and could not be read",
    "check": "looks like a check and could not be read",
    "hp": "looks like a line of HP and could not be read",
    "state": "seems to change what a doll can use and could not be read",
    "defense": "speaks of a Full Defense or a simultaneous strike and could not be read",
}
KIND_OF = {reason: kind for kind, reason in REASONS.items()}

_ARROW = re.compile(r"->|=>|\u2192")
_ATTACKS = re.compile(r"\s*attacks\s+", re.IGNORECASE)
_CHECK = re.compile(
    r"[\[(]?\s*(?:(?:to )?hit|(?:weapon )?damage|disarm test|control test|strangle(?: ?hold)?,? round \d{1,6})"
    r"\s*[:(-].{0,200}?\d",
    re.IGNORECASE,
)
_SIGN = re.compile(r"=|->|\u2192| vs\b|\d\s*$", re.IGNORECASE)
_HP = re.compile(r"\bhp\b", re.IGNORECASE)
_POOL = re.compile(r"\d\s*(?:->|\u2192|/)\s*\d|\bhp\b\W{0,3}\d{1,9}(?![\d%])|\d\s*hp\b", re.IGNORECASE)
_BRACED = re.compile(r"\b(?:full defen[cs]e|simultaneous(?:ly)?)\b", re.IGNORECASE)
#: Verbs of losing and regaining; what they are about stands right behind them.
_HANDLES = re.compile(
    r"\b(?:drops|lets go(?: of)?|releases|retrieves|recovers|regain(?:s|ed)|picks up|loses)\b"
    r"(?P<what>[^.,;!?\n]{0,40})",
    re.IGNORECASE,
)
_ITSELF = re.compile(r"\s*(?:it|them|control)?\s*$|\s*control of", re.IGNORECASE)
#: Breaking free, being held, being broken.
_BECOMES = re.compile(
    r"\b(?:(?:breaks|slips|tears|gets|comes|is) (?:free|loose)(?! to\b)|frees (?:him|her|it)self|entangled|is held|"
    r"no longer held|(?:is|are) disarmed)\b",
    re.IGNORECASE,
)
_THING_BECOMES = re.compile(
    r"\b(?:(?:is|are) out\b.{0,20}\d|under control|shatter(?:s|ed)|breaks apart)", re.IGNORECASE
)
#: Signs and words of which one stands in every such line.
TELLING = (
    *("->", "\u2192", "drops", "lets go", "releases", "retrieves", "recovers", "regain", "picks up", "loses", "free"),
    *(" loose", " out", "entangled", " held", "disarmed", "shatter", "under control"),
)
#: A longer sentence is prose.
_MOST_WORDS = 16
#: A line of prose with more characters is told for its own sake.
LONGEST_TOLD = 160


def near_kind(text: str, words: Lexicon, who: Named | None) -> str | None:
    """What an unread line may be about (a key of REASONS), None for prose. `who`: the doll it begins with."""
    if _is_heading(text, words, who):
        return "attack"
    if _CHECK.match(text) and _SIGN.search(text):
        return "check"
    if _HP.search(text) and _POOL.search(text) and (who is not None or _HP.match(text)):
        return "hp"
    if _BRACED.search(text[:80]) and (who is not None or _BRACED.match(text.lstrip("[("))):
        return "defense"
    return "state" if _is_state(text, words) else None


def _is_heading(text: str, words: Lexicon, who: Named | None) -> bool:
    """An arrow between two dolls; or one doll attacks another with a thing of the tables."""
    for arrow in _ARROW.finditer(text[:300]):
        if words.named(text, arrow.end()) and words.ends_with_name(text[: arrow.start()]):
            return True
    attacks = _ATTACKS.match(text, who.stop) if who else None
    target = words.named(text, attacks.end()) if attacks else None
    return target is not None and "(" in text and words.speaks_of_things(text[target.stop :])


def _is_state(text: str, words: Lexicon) -> bool:
    """A short sentence of a doll that loses, regains or breaks free of something, or of what becomes of a thing."""
    if len(text.split()) > _MOST_WORDS or not words.speaks_of_dolls(text):
        return False
    if _BECOMES.search(text) or (_THING_BECOMES.search(text) and words.speaks_of_things(text)):
        return True
    return any(_is_handled(found["what"], words) for found in _HANDLES.finditer(text))


def _is_handled(what: str, words: Lexicon) -> bool:
    """Whether what stands behind a verb of losing or regaining is a thing, a doll or nothing at all."""
    return bool(_ITSELF.match(what)) or words.speaks_of_things(what) or words.speaks_of_dolls(what)
