"""Reads every other line: headings of attacks, states, HP, points, winner (NA1, NA5, NA6, NA18 to NA22)."""

from __future__ import annotations

import re
from typing import NamedTuple

from referee.ports.reading import squeeze, whole
from rules.angel_dolls.lexicon import Lexicon, Named, Owned
from rules.angel_dolls.statements import (
    ELEMENTS,
    STAT_WORDS,
    Award,
    ChainLine,
    Change,
    FullDefense,
    Heading,
    Intent,
    Penalty,
    PoolLine,
    Simultaneous,
    Winner,
)

_CHAIN = re.compile(
    r"\s*(?:-\s*)?\(?\s*chain\s*#?(?P<number>\d{1,3})?\s*(?:\((?P<list>[^()\n]{0,120})\))?\s*\)?\s*$", re.IGNORECASE
)
_PENALTY = re.compile(
    r"\s*(?P<amount>[+-]?\s?\d{1,6})\s*(?:to|on)\s+(?P<where>hit|damage|dmg)\s*(?:[,;&]|and|$)", re.IGNORECASE
)
_ATTACK_TAG = re.compile(r"\s*\[\s*attack\s*:\s*(?P<inner>[^\[\]\n]{1,300}?)\s*\]\s*(?P<rest>.*)$", re.IGNORECASE)
_CHAIN_START = re.compile(r" ?(?:-|\(|,)? ?\bchain\b ?(?:#?\d{1,3}\b|\( ?[+-]? ?\d|$)", re.IGNORECASE)
_AGAINST = re.compile(r"\s*(?:->|=>|\u2192|attacks)\s*", re.IGNORECASE)
_PLAIN_TAG = re.compile(r"\s*attack\s*:\s*(?P<inner>[^\[\]\n]{1,300})$", re.IGNORECASE)

_MANOEUVRES = (
    ("disarm", re.compile(r"disarm(?:ing attack)?\s*(?:[,:]\s*(?P<means>.+))?$", re.IGNORECASE)),
    ("disable", re.compile(r"disable\s*[:,]\s*(?P<target>[^,]+?)\s*(?:,\s*(?P<means>.+))?$", re.IGNORECASE)),
    ("shatter", re.compile(r"shatter(?:ing)?(?: blow)?\s*(?:[,:]\s*(?P<means>.+))?$", re.IGNORECASE)),
    (
        "strangle",
        re.compile(r"(?:entangle\s*\(\s*)?strangle(?: ?hold)?\s*\)?\s*(?:[,:]\s*(?P<means>.+))?$", re.IGNORECASE),
    ),
    (
        "entangle",
        re.compile(
            r"entangle\s*(?:\(\s*(?P<part>legs?|arms?|weapon)\s*\))\s*(?:[,:]\s*(?P<means>.+))?$", re.IGNORECASE
        ),
    ),
    ("break", re.compile(r"break\s*[:,]\s*(?P<target>[^,]+?)\s*(?:,\s*(?P<means>.+))?$", re.IGNORECASE)),
)
#: How all of them begin.
_MANOEUVRE = re.compile(r"disarm|disable|shatter|strangle|entangle|break", re.IGNORECASE)
_PARTS = {"leg": "legs", "legs": "legs", "arm": "arms", "arms": "arms", "weapon": "weapon"}
_POWER = re.compile(rf"(?P<means>.+?)\s*\(\s*(?P<element>{'|'.join(ELEMENTS)})\s*\)$", re.IGNORECASE)


class Said(NamedTuple):
    """A line to be read: its text, the words of its battle, and the doll whose name it begins with."""

    text: str
    words: Lexicon
    who: Named | None = None


def read_heading(line: Said) -> Heading | None:
    """The heading of an attack in any of its three forms (NA1), or None."""
    tag = _ATTACK_TAG.match(line.text)
    if tag:
        return _heading(tag["inner"], tag["rest"], line.words, ",")
    plain = _PLAIN_TAG.match(line.text)
    if plain:
        return _heading(*_split_chain(plain["inner"]), line.words, ",")
    if line.who is None or _AGAINST.match(line.text, line.who.stop) is None:
        return None
    return _heading(*_split_chain(line.text), line.words, ":(")


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
        return "" if signs == "," else None
    if rest[0] == "(" and rest.endswith(")") and "(" in signs:
        return rest[1:-1].strip()
    if rest[0] in ",:" and rest[0] in (",:" if signs == "," else ":"):
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
    penalties = _penalties(met["list"]) if met["list"] else ()
    return None if penalties is None else (number, penalties)


def read_chain_line(line: Said) -> ChainLine | None:
    """`Chain 2 (-10 to hit)` on a line of its own: it belongs to the attack above."""
    met = _CHAIN.match(line.text)
    penalties = _penalties(met["list"]) if met and met["list"] else None
    return ChainLine(penalties) if penalties else None


def _penalties(text: str) -> tuple[Penalty, ...] | None:
    found: list[Penalty] = []
    place = 0
    while place < len(text):
        met = _PENALTY.match(text, place)
        if met is None:
            return tuple(found) if not text[place:].strip() else None
        where = "hit" if met["where"].casefold() == "hit" else "damage"
        found.append(Penalty(int(met["amount"].replace(" ", "")), where))
        place = met.end()
    return tuple(found)


def _named(attacker: str, defender: str, means: str, number: int | None, chain: tuple[Penalty, ...]) -> Heading:
    for manoeuvre, pattern in _MANOEUVRES if _MANOEUVRE.match(means) else ():
        met = pattern.match(means)
        if met:
            found = met.groupdict()
            part = found.get("part")
            return Heading(
                attacker,
                defender,
                manoeuvre,
                _PARTS[part.casefold()] if part else None,
                found.get("target"),
                (found.get("means") or "").strip() or None,
                number=number,
                chain=chain,
            )
    power = _POWER.match(means) if means.endswith(")") else None
    if power:
        element = power["element"].capitalize()
        return Heading(attacker, defender, means=power["means"].strip(), element=element, number=number, chain=chain)
    return Heading(attacker, defender, means=means or None, number=number, chain=chain)


# -- HP, points, winner ---------------------------------------------------------------------------

_NUMBER = r"-?\s?\d(?:[\d.,]{0,10}\d)?"
_POOL = re.compile(
    rf"\s*(?::\s*)?(?:hp\s*:?\s*)?(?P<first>{_NUMBER})\s*(?:(?:->|-->|=>|→)\s*(?P<new>{_NUMBER})(?:\s*/\s*(?P<of>{_NUMBER}))?"
    rf"|/\s*(?P<max>{_NUMBER}))\s*(?:hp\b)?\s*(?:\([^()\n]{{0,40}}\))?\s*",
    re.IGNORECASE,
)
_HP = re.compile(r"\s*hp\b\s*:?\s*", re.IGNORECASE)
_HP_SOON = re.compile(r"\s*(?::\s{0,17})?hp\b", re.IGNORECASE)
_NEXT = re.compile(r"\s*[,;]\s*")
_POINTS = re.compile(r"\s*trainer points?\b\s*(?::|-)?\s*", re.IGNORECASE)
_POINT = re.compile(
    r"\s*(?P<name>[^,;:\n\d+-][^,;:\n\d+-]{0,60}?)\s*:?\s*(?P<points>[+-]?\s?\d{1,6})(?:\s*points?)?\s*(?:[,;.&]|and\b|$)",
    re.IGNORECASE,
)
_WINNER = re.compile(r"\s*winners?\s*(?::|-)\s*(?P<names>[^\n]{1,200}?)\s*[.!]?\s*$", re.IGNORECASE)

_AND = re.compile(r"\s*(?:,|&|\band\b)\s*")


def read_hp(line: Said) -> list[PoolLine] | None:
    """HP of dolls or weapons in the forms of NA6 and NA21; None where the line says none."""
    text = line.text
    found: list[PoolLine] = []
    begun = _HP.match(text)
    place = begun.end() if begun else 0
    while place < len(text) and len(found) < 20:
        one = _pool_line(line, place, bool(begun))
        if one is None:
            return None
        pool, place = one
        found.append(pool)
        again = _NEXT.match(text, place)
        if again is None:
            break
        place = again.end()
    return found if found and not text[place:].strip(" .!") else None


def _pool_line(line: Said, place: int, labelled: bool) -> tuple[PoolLine, int] | None:
    text, words = line.text, line.words
    named = words.named(text, place) if place else line.who
    owned = words.owned(text, place, named)
    met = owned or named
    if met is None and not labelled:
        return None
    end = met.stop if met else place
    if not labelled and _HP_SOON.match(text, end) is None:
        return None
    pool = _POOL.match(text, end)
    if pool is None:
        return None
    first, new, maximum, of = [whole(number) if number else None for number in pool.group("first", "new", "max", "of")]
    if first is None or (pool["new"] and new is None):
        return None
    owner = owned.owner if owned else named.name if named else None
    thing = owned.thing if owned else None
    old = None if new is None else first
    return PoolLine(owner, first if new is None else new, thing, old, maximum or of), pool.end()


def read_award(line: Said) -> Award | None:
    """`Trainer Points: Riget 3, Sedrik 4` (D17)."""
    text = line.text
    begun = _POINTS.match(text)
    if begun is None:
        return None
    found: list[tuple[str, int]] = []
    place = begun.end()
    while place < len(text) and len(found) < 20:
        met = _POINT.match(text, place)
        if met is None:
            break
        name = met["name"].strip()
        found.append((line.words.names.find(name) or name, int(met["points"].replace(" ", ""))))
        place = met.end()
    return Award(tuple(found)) if found and not text[place:].strip(" .!") else None


def read_winner(line: Said) -> Winner | None:
    """`Winner: Riget`."""
    met = _WINNER.match(line.text)
    if met is None:
        return None
    named = [line.words.names.find(part) for part in _AND.split(met["names"])]
    return Winner(tuple(name for name in named if name)) if named and all(named) else None


# -- states ---------------------------------------------------------------------------------------

_FULL = re.compile(
    r"\s*:?\s*(?:is\s+in\s+|goes\s+into\s+)?full defen[cs]e\b\s*(?::|,|-)?\s*(?P<shown>[^\n]{0,200})$", re.IGNORECASE
)
_RAISED = re.compile(
    rf"\s*(?P<stat>{'|'.join(sorted(STAT_WORDS, key=len, reverse=True))})\s*(?P<old>\d{{1,6}})"
    r"\s*(?:->|-->|=>|→)\s*(?P<new>\d{1,6})\s*(?:[,;]|and\b|$)",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"\s*simultaneous(?: strikes?| attacks?)?\s*(?::|-)\s*", re.IGNORECASE)
_WITH = re.compile(r"\s*(?:and|&|/|with)\s*", re.IGNORECASE)
#: How all sentences about a doll go on behind its name.
_HAPPENS = re.compile(r"\s*(?:is|are|breaks|has|loses|regain|retrieves|recovers|picks|drops)", re.IGNORECASE)
_ENTANGLED = re.compile(
    r"\s*(?:is|are)\s+(?:now\s+)?entangled\s*\(\s*(?P<part>legs?|arms?|weapon|strangle(?: ?hold)?)\s*\)\s*[.!]?\s*$",
    re.IGNORECASE,
)
_STRANGLED = re.compile(
    r"\s*is\s+(?:now\s+)?(?:held|strangled|in a strangle ?hold)\s*(?:\(\s*strangle(?: ?hold)?\s*\))?\s*[.!]?\s*$",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"\s*breaks\s+free(?:\s+(?:of|from)\s+the\s+(?P<part>entangle(?:ment)?|(?:strangle )?hold))?\s*[.!]?\s*$",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\s*(?P<verb>loses control of|loses|(?:has )?regain(?:s|ed) control of|regains|retrieves|recovers|picks up|"
    r"drops)\s+"
    r"(?:(?:the|its|his|her|their)\s+)?(?P<thing>[^!\n]{1,60}?)(?P<why>\s+to\s+[^.!\n]{1,60})?\s*[.!]?\s*$",
    re.IGNORECASE,
)
_CONTROL = re.compile(r"\s*(?:has )?regain(?:s|ed) control\s*[.!]?\s*$", re.IGNORECASE)
_VERBS = {
    "loses control of": "uncontrolled",
    "loses": "loses",
    "regains control of": "regains",
    "regained control of": "regains",
    "has regained control of": "regains",
    "regains": "regains",
    "retrieves": "regains",
    "recovers": "regains",
    "picks up": "regains",
    "drops": "drops",
}
_OUT = re.compile(
    r"\s*is\s+out\s+(?:for\s+)?(?P<turns>\d{1,6})\s+(?:more\s+)?(?:turns?|rounds?)\s*[.!]?\s*$", re.IGNORECASE
)
_SHATTERS = re.compile(r"\s*(?:shatters|is shattered|breaks apart)\s*[.!]?\s*$", re.IGNORECASE)


def read_full(line: Said) -> FullDefense | None:
    """`Sedrik: Full Defense: REF 33 -> 49` (NA5)."""
    met = _FULL.match(line.text, line.who.stop if line.who else 0)
    if met is None:
        return None
    shown: list[tuple[str, int, int]] = []
    place, text = 0, met["shown"].strip().rstrip(".").strip("()[] ")
    while place < len(text) and len(shown) < 6:
        one = _RAISED.match(text, place)
        if one is None:
            break
        shown.append((STAT_WORDS[one["stat"].casefold()], int(one["old"]), int(one["new"])))
        place = one.end()
    if text and not shown and line.who is None:
        return None
    return FullDefense(line.who.name if line.who else None, tuple(shown))


def read_together(line: Said) -> Simultaneous | None:
    """`Simultaneous: Riget and Sedrik (...)`: the first named hits automatically (NA5)."""
    begun = _TOGETHER.match(line.text)
    first = line.words.named(line.text, begun.end()) if begun else None
    between = _WITH.match(line.text, first.stop) if first else None
    second = line.words.named(line.text, between.end()) if between else None
    if first is None or second is None or first.name is None or second.name is None:
        return None
    return Simultaneous(first.name, second.name)


def read_change(line: Said) -> Change | None:
    """A sentence about entangles, lost, regained, disabled or shattered things (NA5, NA19 to NA22)."""
    text = line.text
    owned = line.words.owned(text, 0, line.who)
    if owned:
        return _about_thing(text, owned)
    if line.who is None or line.who.name is None or _HAPPENS.match(text, line.who.stop) is None:
        return None
    return _about_doll(line, line.who.name, line.who.stop)


def _about_doll(line: Said, who: str, place: int) -> Change | None:
    """What a sentence says of the doll that it begins with."""
    text = line.text
    held = _ENTANGLED.match(text, place)
    if held:
        return Change("entangled", who, part=_PARTS.get(squeeze(held["part"]), "strangle"))
    if _STRANGLED.match(text, place):
        return Change("entangled", who, part="strangle")
    free = _FREE.match(text, place)
    if free:
        part = squeeze(free["part"] or "")
        return Change("free", who, part="" if not part else "hold" if part.endswith("hold") else "entangle")
    if _CONTROL.match(text, place):
        return Change("regains", who)
    verb = _VERB.match(text, place)
    thing = line.words.thing(verb["thing"]) if verb else None
    if verb is None or thing is None:
        return None
    return Change(_VERBS[" ".join(verb["verb"].casefold().split())], who, thing)


def _about_thing(line: str, owned: Owned) -> Change | None:
    out = _OUT.match(line, owned.stop)
    if out:
        return Change("out", owned.owner, owned.thing, turns=int(out["turns"]))
    return Change("shatters", owned.owner, owned.thing) if _SHATTERS.match(line, owned.stop) else None


#: Manoeuvres that are announced by their bare names.
_BARE = frozenset({"full defense", "full defence", "entangle"})


def read_intent(line: Said) -> Intent | None:
    """A manoeuvre in a tag of its own, such as `[Disable: scope chip]`."""
    plain = " ".join(line.text.split())
    if _CHAIN.match(plain) or any(pattern.match(plain) for _, pattern in _MANOEUVRES):
        return Intent(plain)
    return Intent(plain) if line.text.strip().casefold() in _BARE else None
