"""What looks like a tag and could not be read (G19, X3): its kind, and what it may mean."""

from __future__ import annotations

import re

from referee.ports.reading import Tag, squeeze
from rules.shinobi.lexicon import BASIC_WORDS, POOL, POOL_WORDS, Lexicon
from rules.shinobi.model import Doubt
from rules.shinobi.reading.abilities import USE_LEAD
from rules.shinobi.reading.answers import DODGE_LEAD

#: Without any of these a bracket is a tag only where it names an ability.
_ODD = re.compile(r"[\d?:;=<>*!\u2192-]")
_ACTION = re.compile(r"\s*(?:action|attack)\s*:", re.IGNORECASE)
#: Words with which a dodge or item tag begins, whatever stands behind them; a whole sentence is prose.
_BEGUN = re.compile(r"\s*(?:(?P<dodge>dodge(?:\s+rolls?)?)|item)\s*:[^\n]{1,60}$", re.IGNORECASE)
_BEGUN_FIRSTS = frozenset(["dodge", "item:", "item "])
_CHANCE = re.compile(
    r"\d{1,4}\s*(?:%|percent\b)[^\n]{0,80}?\b(?:rolled|rolls?)\b\W{0,4}(?:an?\s+)?(?:1?d100\W{0,3})?[\d?]",
    re.IGNORECASE,
)
#: A chance and another number behind a word of dodging.
_DODGING = re.compile(
    r"\s*(?:dodg\w{1,3}|cth|hit\s+chance|chance\s+to\s+hit|rolls?|rolled)\b(?=[^\n]{0,120}\d\s?%)[^\n]{0,120}?"
    r"(?<!\d)\d{1,3}(?![\d%])",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    rf"(?:(?:^|[;,|(:-])\s?(?:costs?|upkeep|heals?)\b[^\n;]{{0,12}}|\bupkeep\s?(?:of\s)?:?\s?)"
    rf"\d{{1,6}}\s?(?:{POOL})\b\s?(?:$|[^\w\s]|(?:and|or|per|each|every|to|at|on)\b|upkeep\b)",
    re.IGNORECASE,
)
#: An amount of a pool, with nothing but a sign behind it.
_PRICE = re.compile(rf"\d\s?(?:{POOL})\s?(?:$|[;,|)\].])", re.IGNORECASE)
#: A name and an amount: `Silver Tide: 5 CHK`.
_LABELLED = re.compile(rf"\s*[A-Z][A-Za-z' -]{{0,40}}[:(]\s?-?\s?\d{{1,6}}\s?(?i:{POOL})\b[\s).!]*$")
_GAUGE = re.compile(r"\b(?:hp|life|health)\b", re.IGNORECASE)
#: Hits with fists or weapons that say what they do: `2x punch: 13 damage each`, `13 - punch x2`.
_HITS = re.compile(r"\bx\s?\d{1,3}\b|\b\d{1,3}x\b", re.IGNORECASE)
_HARM = re.compile(
    r"\d\s?(?:hp\s)?(?:damage|dmg)\b(?!\s(?:control|report|is|was|of|that|which|teams?)\b)"
    r"|\b(?:damage|dmg)\s?[:=-]?\s?\d{1,6}\s?(?:$|[-,;.)x(*+=]|per\b|each\b|to\b)",
    re.IGNORECASE,
)
_DAMAGE = re.compile(r"(?:^|[;,|(:-]\s?)(?:damage|dmg)\s?:\s?[\d?]", re.IGNORECASE)
_VERB = re.compile(
    r"(?:de-?)?activat\w{0,5}|us(?:es|ed|ing)|casts?|performs?|(?:technique|jutsu|skill|item)s?(?:\s(?:used|active|activated))?\s?:",
    re.IGNORECASE,
)
_FOR_TURNS = re.compile(r"\s?for\s\w{1,12}\sturns?\b", re.IGNORECASE)
_AGAINST = re.compile(r"\s?(?:vs\.?|against|on|at)\s", re.IGNORECASE)
_ENDS = re.compile(r"(?:ends?|stops?|releases?|cancels?|drops?)\s+", re.IGNORECASE)
#: The beginnings of both.
_VERB_OR_END = re.compile(
    r"(?=[deaucprstj])(?:(?:de-?)?activ|us(?:es|ed|ing)\b|casts?\b|perform|techn|jutsu|ends?\b|stops?\b|releas|cancel|drops?\b)",
    re.IGNORECASE,
)
#: Behind a name and one of these signs, numbers or such words make a bracket a tag.
_BEHIND = re.compile(
    rf"\s?[;,|:({{\[!-][^\n]{{0,160}}?(?:\d|\b(?:cost|upkeep|heal|target|turn)|(?<![A-Za-z])(?:{POOL})(?![A-Za-z]))|\s?!?$",
    re.IGNORECASE,
)
_UPKEEP = re.compile(
    rf"\bupkeep\s?(?:of\s)?:?\s?(\d{{1,6}})\s?({POOL})\b|(\d{{1,6}})\s?({POOL})\s(?:of\s)?upkeep\b", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z]+")
#: More words of no notation than this in a square bracket are prose; in a round one any is.
_MOST_WORDS = 4
#: Words of tags.
_NOTATION = re.compile(
    rf"{POOL}|points?|damage|dmg|costs?|heal(?:s|ing)?|upkeep|turns?|target|total|each|per|hits?|x|d|s|at|to|on|against|vs|versus"
    r"|from|for|and|left|active|(?:de)?activate[ds]?|ends|stops|use[ds]|using|technique|jutsu|skill|item|phase|main|setup"
    r"|response|attacks?|rolled|rolls?|chance|base|bonus|modifier|free|range|negates|counters|deals|dodged?|block(?:ed)?"
    r"|critical|crit|casts?|performs?|punch(?:es)?|kicks?|knees?|elbows?"
)
_ONE_OF = re.compile(
    r"\s*(?P<what>[A-Za-z][A-Za-z' ]{0,40}?)\s*(?P<which>#?\s?\d{1,2}\s*)?[:=-]\s*\d{1,5}\s*", re.IGNORECASE
)
#: Labels in front of a tag that change nothing: `Response: 55% to hit: ...`, `Basic attack: Damage: ...`.
_LABEL = re.compile(
    r"\s*(?P<label>(?:response|main)(?:\s+phase)?|(?:(?:basic|first|second|third|next|weapon)\s+)?attacks?(?:\s*#?\d{1,2})?"
    r"|punch(?:es)?|kicks?|knees?|elbows?|dodges?|defen[cs]e|reaction|answer|counter)\s*[:-]\s*(?=\S)",
    re.IGNORECASE,
)
_ANY_LABEL = re.compile(r"\s*(?P<label>[A-Za-z][A-Za-z' .-]{0,40}?)\s*:\s*(?=\S)")


def without_label(inner: str, lexicon: Lexicon) -> tuple[str, str | None] | None:
    """What stands behind a label, and the fighter whom it names: `Punches: ...`, `Ren: No roll`."""
    found = _LABEL.match(inner)
    if found is not None:
        return inner[found.end() :], None
    found = _ANY_LABEL.match(inner)
    if found is None:
        return None
    label = found["label"]
    whose = lexicon.of_thing(label) if "'s " in label and DODGE_LEAD.match(inner, found.end()) else None
    if whose:
        return inner[found.end() :], whose
    name = lexicon.names.exact(label)
    if name is None and lexicon.weapon(label) is None and lexicon.ability(label) is None:
        return None
    return inner[found.end() :], name


def aside_kind(inner: str) -> str | None:
    """The kind of tag that a round bracket in a sentence is, unread, by what prose never says: `Silver Tide: 5 CHK`."""
    if _ACTION.match(inner) is not None:
        return "ability"
    return "ability" if _LABELLED.match(inner) is not None and _GAUGE.search(inner) is None else None


def is_plain(inner: str) -> bool:
    """Whether a text that could not be read holds nothing by which it could be a tag all the same."""
    if _ODD.search(inner) is not None or " turn" in inner or " vs" in inner:
        return False
    return _VERB_OR_END.match(inner) is None


def kind_of(inner: str, lexicon: Lexicon, tag: Tag) -> str | None:
    """What sort of tag a text that could not be read looks like; None for prose."""
    if len(inner) > 400:
        return None
    low = inner.lower()
    if _ACTION.match(inner) or (("damage" in low or "dmg" in low) and _DAMAGE.search(inner)):
        return "damage"
    square = tag.bracket == "["
    begun = _BEGUN.match(inner) if low.lstrip()[:5] in _BEGUN_FIRSTS else None
    if begun is not None:
        return "answer" if begun["dodge"] else "ability"
    if "rol" in low and _CHANCE.search(inner):
        return "answer"
    if square and "%" in inner and _DODGING.match(inner):
        return "answer"
    if ("cost" in low or "heal" in low or "upkeep" in low) and _NUMBERS.search(inner):
        return "ability"
    if _LABELLED.match(inner) and not lexicon.names_in(inner):
        return "ability"
    harms = ("damage" in low or "dmg" in low) and _HARM.search(inner) is not None
    shown = harms or (square and ("=" in inner or _aimed(inner, lexicon)))
    if (harms or _HITS.search(inner)) and _means(low, lexicon, shown):
        most = _MOST_WORDS if harms else _MOST_WORDS - 1
        return "damage" if _odd_words(low, lexicon) <= (most if square else 0) else None
    if square and ((harms and not _odd_words(low, lexicon)) or _amount_of(inner, lexicon)):
        return "damage"
    if square and USE_LEAD.match(inner):
        return "ability"
    if _names_ability(inner, lexicon, square) or (square and _aimed(inner, lexicon)):
        told = square and _PRICE.search(inner) is not None
        return "ability" if told or _odd_words(low, lexicon) <= (_MOST_WORDS if square else 0) else None
    return None


def _amount_of(inner: str, lexicon: Lexicon) -> bool:
    """Whether a text is what hits, numbered, and a number: `Punch #1: 13`, `Kunai 2 - 18`; `Kunai: 10` may be a bag."""
    found = _ONE_OF.fullmatch(inner)
    if found is None:
        return False
    return lexicon.basic(found["what"]) is not None or bool(found["which"] and lexicon.weapon(found["what"]))


def _odd_words(low: str, lexicon: Lexicon) -> int:
    """How many words of a text are neither notation nor anybody's or anything's name: prose has many."""
    return sum(word not in lexicon.words and _NOTATION.fullmatch(word) is None for word in _WORD.findall(low))


def _means(low: str, lexicon: Lexicon, weapons: bool) -> bool:
    """Whether a text names a basic attack, or a weapon."""
    if any(word in BASIC_WORDS for word in _WORD.findall(low)):
        return True
    return weapons and any(weapon in low for weapon in lexicon.weapons)


def _names_ability(inner: str, lexicon: Lexicon, square: bool) -> bool:
    """Whether a text begins with an ability's name and goes on like a tag, or uses one of the tables."""
    text = inner.strip()
    found = lexicon.ability_at(text, 0)
    if found is not None:
        if _BEHIND.match(text, found[1]) or (square and _FOR_TURNS.match(text, found[1])):
            return True
        return _AGAINST.match(text, found[1]) is not None and bool(lexicon.names_in(text[found[1] :]))
    ends = _ENDS.match(text) if square else None
    if ends is not None:
        ended = lexicon.ability_at(text, ends.end())
        return ended is not None and not text[ended[1] :].strip(" .!")
    return _VERB.match(text) is not None and bool(lexicon.abilities_in(text))


def _aimed(inner: str, lexicon: Lexicon) -> bool:
    return (">" in inner or "\u2192" in inner) and lexicon.aim(inner) is not None


def doubt_of(kind: str, inner: str, lexicon: Lexicon) -> Doubt:
    """What a tag that could not be read may mean."""
    text = inner[:400]
    abilities = lexicon.abilities_in(text)
    upkeep: dict[str, int] = {}
    for number, pool, early, behind in _UPKEEP.findall(text):
        upkeep[POOL_WORDS[squeeze(pool or behind)]] = int(number or early)
    words = {word.casefold() for word in _WORD.findall(text)}
    plain = not abilities and bool(
        words & BASIC_WORDS.keys() or any(weapon in text.casefold() for weapon in lexicon.weapons)
    )
    return Doubt(kind, abilities, lexicon.names_in(text), upkeep, plain)
