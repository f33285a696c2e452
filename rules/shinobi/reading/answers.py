"""Tags that answer an attack: dodge rolls, taking it, guarding a comrade (NS1 to NS3, NS10, NS38)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from referee.model.claims import WrittenRoll
from referee.model.text import Anchor, Script
from referee.ports.reading import squeeze
from rules.shinobi.lexicon import POOL, Lexicon
from rules.shinobi.model import Dodge, Guard, Take
from rules.shinobi.reading.dodges import rolled_in_words

OUTCOMES = {
    "dodge": "dodged",
    "block": "blocked",
    "hit": "hit",
    "crit": "critical",
    "miss": "dodged",
}
#: Whose attacks a dodge tag answers: `Enemy Attacks have`, `Ren's Attacks have`.
_WHOSE = r"(?:(?P<whose>[^\n:;()\[\]%]{1,60}?)(?:'s?)?\s+)?attacks?\s+(?:have|has|had)\s+(?:an?\s+)?"
_PERCENT = r"\s*(?:%|percent\b)\s*"
_OR_MORE = r"(?:\+|or\s+(?:more|above|higher|better|over))"
_ABOVE_NEEDED = r"needs?\s+(?:to\s+(?:roll|get|be)\s+)?(?:an?\s+)?(?:above|over|more\s+than|higher\s+than)\s+"
_LEAST_NEEDED = rf"needs?\s+(?:to\s+(?:roll|get)\s+)?(?:an?\s+)?\d{{1,4}}\s*{_OR_MORE}\s*to\s+dodge\b"
DODGE_LEAD = re.compile(
    rf"\s*(?:[\d?]{{1,4}}{_PERCENT}(?:chance\s+)?(?:to\s+(?:be\s+)?hit|of\s+being\s+hit)\b|enemy(?:'s)?\s+attacks?\s+(?:have|has)\b"
    r"|to\s+hit\s*[:=]?\s*\d{1,4}\s*%|c\s*=\s*\d{1,4}\s*%|dodge\s+rolls?\b|dodge\s*:|dodge\s+\?|hit\s*:"
    rf"|needs?\s+an?\s+\d{{1,4}}/100\b|{_LEAST_NEEDED}|{_ABOVE_NEEDED}\d{{1,4}}\s*%?\s*(?:to\s+dodge\s*)?[:;,(-])",
    re.IGNORECASE,
)
#: The same behind somebody's name: `Ren's Attacks have a 55%`, `Ren needs a 21+ to dodge`.
DODGE_WITHIN = re.compile(
    r"[^\n:;()\[\]%\d]{1,80}?\b(?:attacks?\s+(?:have|has|had)\s+(?:an?\s+)?[\d?]{1,4}\s*(?:%|percent\b)"
    rf"|{_LEAST_NEEDED})",
    re.IGNORECASE,
)
_ROLLS = r"(?:rolled|rolls|rolling|roll)\b\s*[:=]?\s*(?:an?\b\s*)?"
_WHO = r"(?:(?P<who>[^\d;:%()\[\]\n]{1,60}?)\s+)?"
#: What may stand between a chance and its rolls: a remark without numbers, `(attack 1)`.
_REMARK = r"(?:\((?:(?:attack|hit|roll)\s*#?\d{1,3}|[^()\d\n]{1,60})\)\s*)?"
_CHANCES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\s*(?:{_WHOSE})?(?P<chance>\d{{1,4}}){_PERCENT}(?:chance\s+)?(?:to\s+(?:be\s+)?hit|of\s+(?:hitting|being\s+hit))\s*{_REMARK}"
        rf"(?:[:;,.|-]?\s*{_WHO}{_ROLLS}|[:=]\s*(?=\d|1?d100|first\b))",
        rf"\s*(?:to\s+hit|c)\s*[:=]?\s*(?P<chance>\d{{1,4}})\s*%\s*[:;,.-]?\s*{_WHO}{_ROLLS}",
        rf"\s*{_ABOVE_NEEDED}(?P<chance>\d{{1,4}})\s*%?\s*(?:to\s+dodge\s*)?[:;,.-]?\s*{_WHO}(?:{_ROLLS})?",
        r"\s*dodge(?:\s+rolls?)?\s*[:,;-]?\s*\(?\s*needs?\s+(?:to\s+(?:roll|be|get)\s+)?(?:an?\s+)?(?:over|above|more\s+than|higher\s+than)\s+"
        rf"(?P<chance>\d{{1,4}})\s*%?\s*\)?\s*[:;,-]?\s*(?:{_ROLLS})?",
    )
)
#: The lowest roll that dodges: one above the chance.
_LEAST = re.compile(
    r"\s*dodge(?:\s+rolls?)?\s*[:,;-]?\s*\(?\s*needs?\s+(?:an?\s+)?(?P<least>\d{1,4})\s*(?:\+|or\s+(?:more|above|higher|better|over))"
    rf"\s*\)?\s*[:;,-]?\s*(?:{_ROLLS})?",
    re.IGNORECASE,
)
#: The same number, whoever needs it: `needs a 21+ to dodge: 70, 17`.
_LEAST_OF = re.compile(
    r"\s*(?:[^\d;:%()\[\]\n]{1,60}?\s)?needs?\s+(?:to\s+(?:roll|get)\s+)?(?:an?\s+)?(?P<least>\d{1,4})\s*"
    rf"{_OR_MORE}\s*to\s+dodge\s*[:;,.-]?\s*{_WHO}(?:{_ROLLS})?",
    re.IGNORECASE,
)
#: The older rulebook's words: whether the number itself dodges is open.
_NEED = re.compile(
    rf"\s*needs?\s+an?\s+(?P<chance>\d{{1,4}})/100\s+to\s+dodge\s*[:;,.-]?\s*{_WHO}{_ROLLS}", re.IGNORECASE
)
_NUMBER = re.compile(
    r"\s*(?:(?:,|;|/|&|\||and\b|then\b|first\b|second\b|third\b)\s*){0,3}(?:an?\s+)?(?:1?d100\s*[:=]?\s*)?(?P<number>\d{1,6})(?![\d%]|\.\d)\s*",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"(?:->|[=:\u2192-])?\s*(?P<word>critical hit|critical|crit|dodge[ds]?|block(?:ed|s)?|"
    r"hits?|miss(?:ed|es)?)\b[!.]{0,3}\s*",
    re.IGNORECASE,
)
#: A remark in brackets behind a roll; it needs a letter, for a number there may be another roll.
_NOTE = re.compile(r"[(\[](?=[^()\[\]\n]{0,39}[A-Za-z])(?P<note>[^()\[\]\n]{1,60})[)\]]\s*")
_LISTED = re.compile(
    r"\s*[;:,-]\s*((?:(?:critical|crit|dodge[ds]?|block(?:ed|s)?|hits?|miss(?:ed|es)?)\b\s*(?:,|and\b|/|;)?\s*){1,60})[.!]?\s*",
    re.IGNORECASE,
)
_LISTED_WORD = re.compile(r"crit|dodge|block|hit|miss", re.IGNORECASE)
#: Outcomes of all rolls in one bracket behind the last: `60, 12 (dodged, hit)`.
_IN_ONE = re.compile(
    r"[(\[]\s*((?:(?:critical|crit|dodge[ds]?|block(?:ed|s)?|hits?|miss(?:ed|es)?)\b\s*(?:,|and\b|/|;)?\s*){2,60})[)\]]\s*[.!]?\s*",
    re.IGNORECASE,
)
_LINKS = re.compile(r"\s*\(\s*(?:my\s+)?(?:rolls?|links?|dice)\b[^()\d\n]{0,40}\)\s*", re.IGNORECASE)
#: With this a text that begins like a dodge tag is none of the prose that does so too.
_ROLLED = re.compile(r"\broll|\+\s*to\s+dodge\b|[:;=]\s*\(?[\d?]|\bto\s+hit\s*[:;]", re.IGNORECASE)
_ROLL_WORD = re.compile(r"\b(?:roll|dodg|chance|cth\b|attack)", re.IGNORECASE)
_DIGIT, _DIGITS = re.compile(r"\d"), re.compile(r"\d{1,6}")
#: So far from such a word its numbers may stand.
_NEAR = 240
#: Rolls and nothing else: an answer, if no tag of the post says what they are.
_BARE = re.compile(
    r"\s*(?:rolls?\s*:|rolled\s*:?)\s*(?:(?:an?|and|,|;|&|\d{1,3}(?!\d)|\?)\s*){1,40}[.!]?\s*", re.IGNORECASE
)
_NOBODY = frozenset(
    ["enemy", "enemies", "enemy's", "enemies'", "the", "all", "both", "these", "his", "her", "their", "opponent"]
)

_THING = (
    r"(?:(?:the|this|that|these|those|all|both|every|two|three)\s+){0,3}(?:(?P<whose>[^\n:;()%\d]{1,60}?)'s?\s+)?"
    r"(?:(?:full|whole)\s+)?(?:attacks?|hits?|blows?|strikes?|punch(?:es)?|kicks?|damage|it|them|both|all|everything)"
)
_LATE = r"(?:\s+in\s+full|\s+fully|\s+without\s+(?:a\s+roll|rolling)|\s+head\s+on)?"
_SUFFERED = rf"(?:\s*[:;,(-]\s*-?\s*\d{{1,6}}\s*(?:{POOL}|damage|points?)?\s*(?:damage|each|in\s+all)?\s*\)?)?"
_TAKES = re.compile(rf"(?:takes?|took|taking)\s+{_THING}{_LATE}{_SUFFERED}\s*[.!]?", re.IGNORECASE)
_NO_ROLL = re.compile(
    r"(?:no\s+(?:dodge\s+)?rolls?|(?:does\s+not|doesn't|did\s+not|didn't)\s+(?:roll|dodge)|no\s+dodge)"
    rf"(?:\s*[,;:(-]\s*(?:takes?|took)\s+{_THING}{_LATE}\s*\)?)?{_SUFFERED}\s*[.!]?",
    re.IGNORECASE,
)
_AMOUNT_TAKEN = re.compile(rf"(?:takes?|took)\s+\d{{1,6}}\s*(?:{POOL}|damage)(?:\s+damage)?\s*[.!]?", re.IGNORECASE)
#: The specification's own words (NS1), which count in a sentence too.
_TAKES_EXACTLY = re.compile(
    r"(?:takes?\s+(?:(?:(?:the|this|that|all|both)\s+){0,3}(?:attacks?|full\s+damage)|(?:all|both|two|three)\s+(?:the\s+)?hits)"
    r"(?:\s+in\s+full|\s+fully)?|no\s+(?:dodge\s+)?roll)\s*[.!]?",
    re.IGNORECASE,
)
#: What a round bracket on its own line may say besides; anything may be taken there without a name.
_TAKES_ROUND = re.compile(
    r"(?:takes?|took|taking)\s+(?:(?:the|this|that|all|both)\s+){0,3}(?:attacks?|hits?|blows?|damage|it)(?:\s+in\s+full|\s+fully)?\s*[.!]?"
    r"|(?:no\s+(?:dodge\s+)?rolls?|does\s+not\s+roll)(?:\s*[,;:-]\s*takes?\s+the\s+attacks?)?\s*[.!]?",
    re.IGNORECASE,
)
_LOSS_SAID = re.compile(rf"-\s?\d|\d\s?{POOL}\b", re.IGNORECASE)
_TAKE_WORD = re.compile(r"\b(?:takes?|took|taking|roll|rolls|dodge)\b", re.IGNORECASE)

_GUARDS = r"(?:guards?|guarding|guarded|protects?|shields?|(?:jumps?|leaps?|steps?)\s+in\s+front\s+of)"
#: What makes a bracket a guard's, readable or not: somebody guards, and a roll.
GUARD_WITHIN = re.compile(rf"[^\n:;()\d]{{0,60}}?\b{_GUARDS}\s+[^\n]{{1,90}}?(?:\d|\?|\broll)", re.IGNORECASE)
_GUARD = re.compile(
    rf"\s*(?:(?P<who>[^\n:;()\d]{{1,60}}?)\s+)?{_GUARDS}\s+(?P<comrade>[^\n]{{1,90}}?)\s*"
    r"(?:(?:against|from|vs\.?)\s+(?P<a>[^\n]{1,90}?)|\(\s*(?:vs\.?|against|from)\s+(?P<b>[^\n]{1,90}?)\s*\))?\s*"
    r"(?:\(\s*needs?\s[^()\n]{1,40}\)\s*)?[:;,-]\s*"
    r"(?:(?:rolled|rolls|roll|1?d20)\b\s*[:=]?\s*){0,3}(?:an?\s+)?(?P<number>\d{1,4})?(?:/20)?\s*"
    r"(?:[(,;:-]?\s*(?:success(?:ful)?|succeeds?|succeeded|fail(?:s|ed|ure)?)\b\s*\)?)?\s*[.!]?\s*",
    re.IGNORECASE,
)
_GUARD_ROLL = re.compile(
    r"\b(?:roll(?:ed|s)?|1?d20)\b(?:\W{0,4}|\s*(?:an?|rolled|roll)\s+)"
    r"(?:\?|$|\d{1,4}(?:/20)?\s*(?:$|[^\w\s]|succe|fail|(?:and|vs|against|from)\b))",
    re.IGNORECASE,
)
_GUARD_NUMBER = re.compile(r"[:;,=-]\s*[\d?]{1,2}(?:/20)?\W{0,3}$")

#: A longer line is a sentence of a story.
_LONGEST_LINE = 300

#: Gives the links and in-post rolls of a tag, which only some tags need.
Anchors = Callable[[], tuple[Anchor, ...]]


class _Head(NamedTuple):
    """The chance of a dodge tag, whose attacks it names, and where its rolls begin."""

    chance: int
    also: int | None
    whose: str | None
    end: int


def like_dodge(inner: str) -> bool:
    """Whether a text that begins like a dodge tag is one, readable or not, and no prose."""
    return _ROLLED.search(inner) is not None or inner.rstrip(" .!").casefold().endswith("to hit")


def speaks_of_rolls(inner: str) -> bool:
    """A cheap look at a text on one line: whether a word for rolls and a digit stand near one another."""
    return any(
        _DIGIT.search(inner, max(0, word.start() - _NEAR), word.start() + _NEAR + 1)
        for word in _ROLL_WORD.finditer(inner)
    )


def bare_rolls(inner: str) -> bool:
    """Whether a text holds rolls and does not say of what: `rolled 52 and 88`."""
    return "rol" in inner.lower() and _BARE.fullmatch(inner) is not None


def read_dodge(inner: str, lexicon: Lexicon, attacker: str | None, anchors: Anchors) -> Dodge | None:
    """`20% to hit: rolled 70 (dodged), 17 and 3` and its kin; `anchors` gives the links of the tag."""
    head = _head(inner)
    if head is None:
        return None
    if head.whose is not None:
        attacker = lexicon.names.find(head.whose) or attacker
        if attacker is None:
            return None
    values, words, place = _rolls(inner, head.end)
    together = _IN_ONE.search(inner, head.end) if len(values) > 1 and not any(words) else None
    if together is not None and together.end() == len(inner):
        stated = [OUTCOMES[found.casefold()] for found in _LISTED_WORD.findall(together[1])]
        words = list(stated) if len(stated) == len(values) else words
    listed = _LISTED.fullmatch(inner, place)
    if listed is not None and not any(words):
        stated = [OUTCOMES[found.casefold()] for found in _LISTED_WORD.findall(listed[1])]
        if len(stated) != len(values):
            return None
        words = list(stated)
    elif _LINKS.fullmatch(inner, place) is None and inner[place:].strip(" ,.;!()"):
        return None
    links = anchors()
    if not values and not links:
        return None
    return Dodge(head.chance, WrittenRoll(tuple(values), links), tuple(words), attacker, head.also)


def read_behind(inner: str, attacker: str | None, script: Script, place: int, lexicon: Lexicon) -> Dodge | None:
    """A bracket with just the chance whose linked rolls stand behind it on its line: `(50% chance to hit) 12`.

    `place`: where the bracket ends. Numbers without links may be anything.
    """
    stop = script.line_end(place)
    links = script.anchors_in(place, stop)
    words = script.text[place:stop].strip(" :,;-")
    if not links or len(inner) + len(words) > _LONGEST_LINE:
        return None
    return read_dodge(f"{inner.rstrip(' .:')}: {words}", lexicon, attacker, lambda: links)


def read_rolled(
    inner: str, lexicon: Lexicon, attacker: str | None, own: frozenset[str], anchors: Anchors
) -> Dodge | None:
    """A dodge tag in another order of words."""
    found = rolled_in_words(inner, lexicon, own)
    if found is None or (attacker is not None and found.attacker not in (None, attacker)):
        return None
    roll = WrittenRoll(found.values, anchors())
    return Dodge(found.chance, roll, found.outcomes, attacker or found.attacker, found.also)


def _head(inner: str) -> _Head | None:
    for pattern in _CHANCES:
        found = pattern.match(inner)
        if found is not None:
            whose = found.groupdict().get("whose")
            named = whose if whose and not _NOBODY.intersection(squeeze(whose).split()) else None
            return _Head(int(found["chance"]), None, named, found.end())
    found = _LEAST.match(inner) or _LEAST_OF.match(inner)
    if found is not None:
        return _Head(int(found["least"]) - 1, None, None, found.end())
    found = _NEED.match(inner)
    if found is not None:
        return _Head(int(found["chance"]), int(found["chance"]) - 1, None, found.end())
    return None


def _rolls(inner: str, place: int) -> tuple[list[int], list[str | None], int]:
    """The rolls from a place on, the outcome stated behind each, and the place behind them."""
    values: list[int] = []
    words: list[str | None] = []
    while len(values) <= 60:
        found = _NUMBER.match(inner, place)
        if found is None:
            break
        values.append(int(found["number"]))
        place = found.end()
        said = _SAID.match(inner, place)
        note = None if said is not None else _NOTE.match(inner, place)
        words.append(_outcome(said["word"]) if said is not None else _noted(note["note"]) if note else None)
        behind = said or note
        place = behind.end() if behind is not None else place
    return values, words, place


def _outcome(word: str) -> str | None:
    form = word.casefold()
    return next((outcome for start, outcome in OUTCOMES.items() if form.startswith(start)), None)


def _noted(note: str) -> str | None:
    """The outcome with which a remark behind a roll begins: `(blocked for 6)`."""
    found = _SAID.match(note.strip())
    if len(_LISTED_WORD.findall(note)) > 1:
        return None  # `(dodged, hit)` is said of several rolls.
    return _outcome(found["word"]) if found is not None else None


def read_take(
    inner: str, attacker: str | None, lexicon: Lexicon, wide: bool = True, square: bool = True
) -> Take | None:
    """`Takes the attack`, `No roll`, `Kaito takes both hits: -26 HP`; the Loss Tag counts, not the amount.

    `wide`: in other words too; without it only as NS1 writes it. `square`: whatever is taken, by name too,
    for `(Ren took it)` is prose.
    """
    if len(inner) > 160:
        return None
    text = inner.strip()
    if not wide:
        return Take(attacker) if _TAKES_EXACTLY.fullmatch(text) else None
    found, words = _taken(text), text
    if found is None:
        verb = _TAKE_WORD.search(text)
        if verb is None or not verb.start() or lexicon.names.exact(text[: verb.start()].rstrip(" :")) is None:
            return None
        words = text[verb.start() :]
        found = _taken(words)
    if found is None or not (square or _taken_round(words, named=words is not text)):
        return None
    whose = found.groupdict().get("whose")
    amount = _DIGITS.search(words)
    return Take(attacker or (lexicon.names.find(whose) if whose else None), int(amount[0]) if amount else None)


def _taken(text: str) -> re.Match[str] | None:
    return _TAKES.fullmatch(text) or _NO_ROLL.fullmatch(text) or _AMOUNT_TAKEN.fullmatch(text)


def _taken_round(words: str, named: bool) -> bool:
    """Whether these words take an attack in a round bracket too, behind somebody's name or not."""
    if _TAKES_EXACTLY.fullmatch(words) or _LOSS_SAID.search(words):
        return True
    return not named and _TAKES_ROUND.fullmatch(words) is not None


def like_guard(inner: str, lexicon: Lexicon, square: bool) -> bool:
    """Whether a text that begins like a guard's tag is one: it shows a roll, or a number behind somebody's name."""
    if _GUARD_ROLL.search(inner) is not None:
        return True
    return square and _GUARD_NUMBER.search(inner) is not None and bool(lexicon.names_in(inner))


def read_guard(inner: str, lexicon: Lexicon, anchors: Anchors, square: bool = True) -> Guard | None:
    """`Guards Jiro against Kaito: rolled 12` (NS10, NS38); `anchors` gives the links of the tag.

    In a round bracket a number alone is no roll: `(Kaito guards Ren: 2)`.
    """
    found = _GUARD.fullmatch(inner) if len(inner) <= 260 else None
    if found is None or not (square or _GUARD_ROLL.search(inner)):
        return None
    comrade, foe = lexicon.names.exact(found["comrade"]), found["a"] or found["b"]
    attacker = lexicon.names.exact(foe) if foe else None
    if comrade is None or (foe and attacker is None) or (found["who"] and lexicon.names.exact(found["who"]) is None):
        return None
    roll = int(found["number"]) if found["number"] else None
    links = anchors()
    if roll is None and not links:
        return None
    return Guard(comrade, WrittenRoll(() if roll is None else (roll,), links), attacker)
