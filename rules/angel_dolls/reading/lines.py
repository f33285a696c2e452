"""Reads headings of attacks, chains, announced manoeuvres (NA1, NA18, NA20)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from rules.angel_dolls.lexicon import Lexicon, Named
from rules.angel_dolls.statements import (
    ELEMENTS,
    ChainLine,
    Heading,
    Intent,
    Penalty,
)

_CHAIN = re.compile(
    r"\s*(?:(?:-{1,3}|,)\s*)?(?:[(\[]\s*)?chain\s*#?\s?(?P<number>\d{1,3})?(?:\s*(?:/|of)\s*\d{1,3})?"
    r"\s*(?:[(\[](?P<list>[^()\[\]\n]{0,120})[)\]]|[,:]\s*(?P<more>[+-]?\s?\d[^()\[\]\n]{0,120}))?\s*[)\]]?[\s.!:]*$",
    re.IGNORECASE,
)
_PENALTY = re.compile(
    r"\s*(?:(?:to[ -])?(?P<first>hit|damage|dmg)\s*:?\s*)?(?P<amount>[+-]?\s?\d{1,6})"
    r"\s*(?(first)|(?:(?:to|on)[\s-]+)?(?P<where>hit|damage|dmg|AGI|agility|STR|strength|MAG|magic))\s*(?:[,;&]|and|$)",
    re.IGNORECASE,
)
#: On what a penalty lies that is to hit.
_TO_HIT = frozenset(("hit", "agi", "agility"))
_ATTACK_TAG = re.compile(
    r"\s*\[\s*attack\s*(?:#?\d{1,2}\s*)?:\s*(?P<inner>[^\[\]\n]{1,300}?)\s*\]\s*(?P<rest>.*)$", re.IGNORECASE
)
_CHAIN_START = re.compile(
    r" {0,2}(?:-{1,3}|[(\[,])? {0,2}\bchain\b {0,2}(?:#? ?\d{1,3}\b|\( ?[+-]? ?\d|$)", re.IGNORECASE
)
_AGAINST = re.compile(r"\s*(?:->|=>|\u2192|attacks|'s attack (?:on|against))\s*", re.IGNORECASE)
#: `Riget attacks Sedrik with the long spear`: prose, unless nothing but a known thing follows.
_WORDED = re.compile(r"\s*(?:,|with|using)\s*(?:(?:the|its|his|her|their)\s+)?", re.IGNORECASE)
#: `Riget -> Sedrik: kick.`: whatever stands behind the colon is the means.
_COLON = re.compile(r"[^:,(]{1,80}:")
_PLAIN_TAG = re.compile(r"\s*attack\s*(?:#?\d{1,2}\s*)?:\s*(?P<inner>[^\[\]\n]{1,300})$", re.IGNORECASE)

_BY = r"\s*(?:(?:[,:]|\bwith\b(?:\s+the\b)?)\s*(?P<means>.+))?$"
_MANOEUVRES = tuple(
    (name, re.compile(begins + _BY, re.IGNORECASE))
    for name, begins in (
        ("disarm", r"disarm(?:ing attack)?"),
        ("disable", r"disable\s*[:,(]\s*(?P<target>[^,()]+?)\s*\)?"),
        ("shatter", r"shatter(?:ing)?(?: {1,2}blow)?"),
        ("strangle", r"(?:entangle\s*\(\s*)?strangle(?: {0,2}hold)?\s*\)?\s*!?"),
        ("entangle", r"entangle\s*[(:,]?\s*(?P<part>legs?|arms?|weapon)\b\s*\)?"),
        ("break", r"break\s*[:,(]\s*(?P<target>[^,()]+?)\s*\)?"),
    )
)
#: `chain whip (entangle arms)`: the manoeuvre in brackets behind what it is done with.
_DONE_WITH = re.compile(r"(?P<means>[^()]{1,60}?)\s?\((?P<what>[^()]{1,60})\)")
#: A manoeuvre in words that are not known, behind something else.
_SPEAKS_OF = re.compile(r"\b(?:disarm|disabl|shatter|strangl|entangl)", re.IGNORECASE)
#: How all of them begin.
_MANOEUVRE = re.compile(r"(?:disarm(?:ing)?|disable|shatter(?:ing)?|strangle|entangle|break)\b", re.IGNORECASE)
#: What an entangle may hold, by the words for it.
PARTS = {"leg": "legs", "legs": "legs", "arm": "arms", "arms": "arms", "weapon": "weapon"}
#: A number with a sign, such as the penalty of a chain in words of its own.
_AMOUNT = re.compile(r"(?<!\w)[+-]\s?\d")
_POWER = re.compile(rf"(?P<means>.+?)\s*\(\s*(?P<element>{'|'.join(ELEMENTS)})\s*\)$", re.IGNORECASE)
#: The attack's own lines behind its heading, on the same line.
_INLINE = re.compile(r"\b(?:hit|damage|hp|test)\b\s*:", re.IGNORECASE)


_LONGEST_HEADING = 200
#: Of which one stands in every heading that is not in words alone.
_SIGNS = frozenset("([{:,->")
#: Or a word like these.
_WITH = (" with ", " using ", " w ", " w/")
_FIRST = re.compile(
    r"\s*[\[({]?\s*(?:(?P<attack>(?:(?:first|second|third|next|\d{1,2}(?:st|nd|rd|th)?)\s+)?attack\b)|\w+)",
    re.IGNORECASE,
)
#: In front of a heading: `[Attack:`, `First attack:`, `2.`.
_HEAD_LABEL = re.compile(
    r"\s*[\[({]?\s*(?:(?:first|second|third|next|\d{1,2}(?:st|nd|rd|th)?)\s+)?attack\s*[:-]\s*", re.IGNORECASE
)
#: Between the dolls: arrows of any length, signs, verbs; an account's name in brackets may stand in front.
_SEPARATES = re.compile(
    r"(?P<account>\s*\([^()\n]{1,30}\))?\s*(?:(?P<arrow>-{1,4}>|={1,3}>|>{2,3}|[\u2192\u27f6\u2794\u279c\u279e\u27a4\u00bb\u21d2]+)|(?P<short>(?:atk|attk|atck|att)s?\.?(?=\s))"
    r"|>|-(?=\s)|vs\.?(?=\s)|to(?=\s)"
    r"|(?P<attacks>attacks)(?=\s)|(?:attack|strikes|hits|goes\s+for|swings\s+at|lunges\s+at|slashes|stabs|targets)(?=\s))\s*",
    re.IGNORECASE,
)
#: In front of the means: a colon, comma or bracket; or a dash, `with the`.
_MEANS_SIGN = re.compile(
    r"\s*(?:(?P<plain>[:,(\[{]|w/|w(?=\s))|-(?=\s)|(?:with|using|by)\s)\s*(?:(?:with|using)\s+)?"
    r"(?:(?:the|its|his|her|their)\s+)?",
    re.IGNORECASE,
)
#: Other brackets are round ones; quotation marks are none.
_ROUND = str.maketrans("[]{}", "()()", '"\u201c\u201d')


class Said(NamedTuple):
    """A line to be read: its text, the words of its battle, and the doll whose name it begins with."""

    text: str
    words: Lexicon
    who: Named | None = None


def read_heading(line: Said) -> Heading | None:
    """The heading of an attack in any of its three forms (NA1), or None."""
    text = line.text.rstrip(" .!:")
    tag = _ATTACK_TAG.match(text)
    if tag:
        inner, chain = _split_chain(tag["inner"])
        return _heading(inner, tag["rest"] or chain, line.words, ",(")
    plain = _PLAIN_TAG.match(text)
    if plain:
        return _heading(*_split_chain(plain["inner"]), line.words, ",(")
    between = _AGAINST.match(text, line.who.stop) if line.who else None
    if between is None:
        return None
    attacks = "attack" in between.group().casefold()
    # A full stop behind `attacks Sedrik (again).` shows prose; behind an arrow's means it is none of it.
    settled = _heading(*_split_chain(line.text if attacks else text), line.words, "(" if attacks else ":(")
    if settled is not None:
        return settled
    loose = _heading(*_split_chain(text), line.words, ",:(")
    if loose is not None and (_knows_means(line, loose) or (not attacks and _COLON.match(text, between.end()))):
        return loose
    return _worded(line, text, between.end()) if attacks else None


def may_head(text: str, words: Lexicon) -> bool:
    """Whether a line may be a heading with other signs: it is short and begins with a doll or with `attack`."""
    if len(text) > _LONGEST_HEADING:
        return False
    if _SIGNS.isdisjoint(text) and not any([word in text for word in _WITH]):
        return False
    word = _FIRST.match(text)
    return word is not None and (word["attack"] is not None or word[0].strip(" [({").casefold() in words.firsts)


def read_heading_again(line: Said) -> Heading | None:
    """A heading with other signs: `Riget --> Sedrik: kick`, `Riget strikes Sedrik [claws]`, a bracket never closed.

    With a dash, `>` or a verb of its own only what names a known thing, power or manoeuvre; prose has those too.
    """
    text = line.text.strip(" .!:")
    met = _HEAD_LABEL.match(text)
    if met is not None:
        text = text[met.end() :]
    attacker = line.words.named(text)
    between = _SEPARATES.match(text, attacker.stop) if attacker else None
    defender = line.words.named(text, between.end()) if between else None
    if attacker is None or between is None or defender is None or attacker.name is None or defender.name is None:
        return None
    inner, chain = _split_chain(text[defender.stop :])
    behind = _MEANS_SIGN.match(inner)
    borne = _chain(chain.lstrip(" ])}"))
    if behind is None or borne is None or _INLINE.search(inner):
        return None
    means = _means_in(inner[behind.end() :].translate(_ROUND).strip(), behind["plain"] in ("(", "[", "{"))
    thing = line.words.thing_at(means, 0)
    means = thing[0] if thing and thing[1] == len(means) else means
    found = _named(attacker.name, defender.name, means, *borne) if means else None
    if found is None:
        return None
    of_account = between["account"] and between["attacks"] and behind["plain"] == "("
    if between["short"] or (between["arrow"] and behind["plain"]) or of_account:
        return found
    return replace(found, worded=not between["arrow"]) if _knows_means(line, found) else None


def _means_in(means: str, opened: bool) -> str:
    """Means without the bracket around them, or with one that was never closed; "" where words stand behind it."""
    if opened and ")" in means and not means.endswith(")"):
        return ""
    spare = means.count("(") - means.count(")")
    return means + ")" if spare > 0 else means[:-1].rstrip() if spare < 0 else means


def _knows_means(line: Said, heading: Heading) -> bool:
    """Whether the means is a manoeuvre, a power with its element or a thing: prose has commas and full stops too."""
    return bool(heading.manoeuvre or heading.element or line.words.thing(heading.means or ""))


def _worded(line: Said, text: str, place: int) -> Heading | None:
    """A heading in words: `Riget attacks Sedrik with the long spear`, and nothing behind it but a chain."""
    inner, chain = _split_chain(text)
    defender = line.words.named(inner, place)
    behind = _WORDED.match(inner, defender.stop) if defender else None
    thing = line.words.thing_at(inner, behind.end()) if behind else None
    if line.who is None or line.who.name is None or defender is None or defender.name is None or thing is None:
        return None
    borne = _chain(chain)
    if inner[thing[1] :].strip() or borne is None:
        return None
    return Heading(line.who.name, defender.name, means=thing[0], number=borne[0], chain=borne[1], worded=True)


def _split_chain(line: str) -> tuple[str, str]:
    """A heading and the chain behind it."""
    found = _CHAIN_START.search(line) if "cha" in line.casefold() else None
    return (line[: found.start()], line[found.start() :]) if found else (line, "")


def _heading(inner: str, rest: str, words: Lexicon, signs: str) -> Heading | None:
    attacker = words.named(inner)
    between = _AGAINST.match(inner, attacker.stop) if attacker else None
    defender = words.named(inner, between.end()) if between else None
    if attacker is None or defender is None or attacker.name is None or defender.name is None:
        return None
    means = _means_of(inner[defender.stop :].strip(), signs)
    chain = _chain(rest)
    if means is None or chain is None:
        return None
    number, penalties = chain
    return _named(attacker.name, defender.name, means, number, penalties)


def _means_of(rest: str, signs: str) -> str | None:
    """The means behind the names: after a comma or colon, or in brackets; None where it is something else."""
    if not rest:
        return "" if "," in signs else None
    if _INLINE.search(rest):
        return None
    if rest[0] == "(" and rest.endswith(")") and "(" in signs:
        return rest[1:-1].strip()
    if rest[0] in ",:" and (rest[0] == ":" or "," in signs):
        return rest[1:].strip() or None
    return None


def _chain(rest: str) -> tuple[int | None, tuple[Penalty, ...]] | None:
    """The chain number and penalties behind a heading; None where something unreadable stands there."""
    if not rest.strip(" .,;-"):
        return None, ()
    met = _CHAIN.match(rest)
    if met is None:
        return None
    number = int(met["number"]) if met["number"] else None
    told = met["list"] or met["more"]
    penalties = _penalties(told) if told else ()
    return None if penalties is None else (number, penalties)


def read_chain_line(line: Said) -> ChainLine | None:
    """`Chain 2 (-10 to hit)` on a line of its own: it belongs to the attack above."""
    met = _CHAIN.match(line.text)
    told = (met["list"] or met["more"]) if met else None
    penalties = _penalties(told) if told else None
    return ChainLine(penalties) if penalties else None


def _penalties(text: str) -> tuple[Penalty, ...] | None:
    found: list[Penalty] = []
    place = 0
    while place < len(text):
        met = _PENALTY.match(text, place)
        if met is None:
            return tuple(found) if not text[place:].strip() else None
        where = "hit" if (met["first"] or met["where"]).casefold() in _TO_HIT else "damage"
        found.append(Penalty(int(met["amount"].replace(" ", "")), where))
        place = met.end()
    return tuple(found)


def _named(attacker: str, defender: str, means: str, number: int | None, chain: tuple[Penalty, ...]) -> Heading | None:
    """The heading with what its means says; None for a manoeuvre, or a number, in words that are not known."""
    if _AMOUNT.search(means):
        return None
    turned = _DONE_WITH.fullmatch(means) if means.endswith(")") else None
    if turned is not None and _MANOEUVRE.match(turned["what"]):
        means = f"{turned['what']}, {turned['means']}"
    for manoeuvre, pattern in _MANOEUVRES if _MANOEUVRE.match(means) else ():
        met = pattern.match(means)
        if met:
            found = met.groupdict()
            part = found.get("part")
            return Heading(
                attacker,
                defender,
                manoeuvre,
                PARTS[part.casefold()] if part else None,
                found.get("target"),
                (found.get("means") or "").strip() or None,
                number=number,
                chain=chain,
            )
    power = _POWER.match(means) if means.endswith(")") else None
    if power:
        element = power["element"].capitalize()
        return Heading(attacker, defender, means=power["means"].strip(), element=element, number=number, chain=chain)
    if _MANOEUVRE.match(means) or _SPEAKS_OF.search(means, 1):
        return None
    return Heading(attacker, defender, means=means or None, number=number, chain=chain)


#: Manoeuvres that are announced by their bare names.
_BARE = frozenset({"full defense", "full defence", "entangle"})


def read_intent(line: Said) -> Intent | None:
    """A manoeuvre in a tag of its own, such as `[Disable: scope chip]`."""
    plain = " ".join(line.text.split())
    if _CHAIN.match(plain) or any(pattern.match(plain) for _, pattern in _MANOEUVRES):
        return Intent(plain)
    return Intent(plain) if line.text.strip().casefold() in _BARE else None
