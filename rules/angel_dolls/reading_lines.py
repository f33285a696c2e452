"""Reads every other line: headings of attacks, states, HP, points, winner (NA1, NA5, NA6, NA18 to NA22)."""

from __future__ import annotations

import re

from referee.ports.reading import squeeze, whole
from rules.angel_dolls.lexicon import Lexicon
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
_PARTS = {"leg": "legs", "legs": "legs", "arm": "arms", "arms": "arms", "weapon": "weapon"}
_POWER = re.compile(rf"(?P<means>.+?)\s*\(\s*(?P<element>{'|'.join(ELEMENTS)})\s*\)$", re.IGNORECASE)


def read_heading(line: str, words: Lexicon) -> Heading | None:
    """The heading of an attack in any of its three forms (NA1), or None."""
    tag = _ATTACK_TAG.match(line)
    if tag:
        return _heading(tag["inner"], tag["rest"], words, ",")
    plain = _PLAIN_TAG.match(line)
    if plain:
        inner, rest = _split_chain(plain["inner"])
        return _heading(inner, rest, words, ",")
    if words.pair.match(line) is None:
        return None
    inner, rest = _split_chain(line)
    return _heading(inner, rest, words, ":(")


def _split_chain(line: str) -> tuple[str, str]:
    """A heading and the chain behind it."""
    found = _CHAIN_START.search(line)
    return (line[: found.start()], line[found.start() :]) if found else (line, "")


def _heading(inner: str, rest: str, words: Lexicon, signs: str) -> Heading | None:
    pair = words.pair.match(inner)
    attacker = words.names.find(pair["a"]) if pair else None
    defender = words.names.find(pair["b"]) if pair else None
    if pair is None or attacker is None or defender is None:
        return None
    means = _means_of(pair["rest"].strip(), signs)
    chain = _chain(rest)
    if means is None or chain is None:
        return None
    number, penalties = chain
    return _named(attacker, defender, means, number, penalties)


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


def read_chain_line(line: str, words: Lexicon) -> ChainLine | None:
    """`Chain 2 (-10 to hit)` on a line of its own: it belongs to the attack above."""
    met = _CHAIN.match(line)
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
    for manoeuvre, pattern in _MANOEUVRES:
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
    power = _POWER.match(means)
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
_NEXT = re.compile(r"\s*[,;]\s*")
_POINTS = re.compile(r"\s*trainer points?\s*(?::|-)?\s*", re.IGNORECASE)
_POINT = re.compile(
    r"\s*(?P<name>[^,;:\n\d+-][^,;:\n\d+-]{0,60}?)\s*:?\s*(?P<points>[+-]?\s?\d{1,6})(?:\s*points?)?\s*(?:[,;.&]|and\b|$)",
    re.IGNORECASE,
)
_WINNER = re.compile(r"\s*winners?\s*(?::|-)\s*(?P<names>[^\n]{1,200}?)\s*[.!]?\s*$", re.IGNORECASE)


def read_hp(line: str, words: Lexicon) -> list[PoolLine] | None:
    """HP of dolls or weapons in the forms of NA6 and NA21; None where the line says none."""
    found: list[PoolLine] = []
    begun = _HP.match(line)
    place = begun.end() if begun else 0
    while place < len(line) and len(found) < 20:
        one = _pool_line(line, place, words, bool(begun))
        if one is None:
            return None
        pool, place = one
        found.append(pool)
        again = _NEXT.match(line, place)
        if again is None:
            break
        place = again.end()
    return found if found and not line[place:].strip(" .!") else None


def _pool_line(line: str, place: int, words: Lexicon, labelled: bool) -> tuple[PoolLine, int] | None:
    owned = words.owned.match(line, place)
    named = None if owned else words.name.match(line, place)
    met = owned or named
    if met is None and not labelled:
        return None
    end = met.end() if met else place
    pool = _POOL.match(line, end)
    if pool is None or not (labelled or re.match(r"\s*:?\s*hp\b", line[end : end + 20], re.IGNORECASE)):
        return None
    numbers = [whole(pool[key]) if pool[key] else None for key in ("first", "new", "max", "of")]
    first, new, maximum, of = numbers
    if first is None or (pool["new"] and new is None):
        return None
    owner = words.names.find(met["name"]) if met and met["name"] else None
    thing = words.thing(owned["thing"]) if owned else None
    return PoolLine(
        owner, first if new is None else new, thing, None if new is None else first, maximum or of
    ), pool.end()


def read_award(line: str, words: Lexicon) -> Award | None:
    """`Trainer Points: Riget 3, Sedrik 4` (D17)."""
    begun = _POINTS.match(line)
    if begun is None:
        return None
    found: list[tuple[str, int]] = []
    place = begun.end()
    while place < len(line) and len(found) < 20:
        met = _POINT.match(line, place)
        if met is None:
            break
        name = met["name"].strip()
        found.append((words.names.find(name) or name, int(met["points"].replace(" ", ""))))
        place = met.end()
    return Award(tuple(found)) if found and not line[place:].strip(" .!") else None


def read_winner(line: str, words: Lexicon) -> Winner | None:
    """`Winner: Riget`."""
    met = _WINNER.match(line)
    if met is None:
        return None
    named = [words.names.find(part) for part in re.split(r"\s*(?:,|&|\band\b)\s*", met["names"])]
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


def read_full(line: str, words: Lexicon) -> FullDefense | None:
    """`Sedrik: Full Defense: REF 33 -> 49` (NA5)."""
    named = words.name.match(line)
    met = _FULL.match(line, named.end() if named else 0)
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
    if text and not shown and named is None:
        return None
    return FullDefense(words.names.find(named["name"]) if named else None, tuple(shown))


def read_together(line: str, words: Lexicon) -> Simultaneous | None:
    """`Simultaneous: Riget and Sedrik (...)`: the first named hits automatically (NA5)."""
    begun = _TOGETHER.match(line)
    met = words.both.match(line, begun.end()) if begun else None
    if met is None:
        return None
    first, second = words.names.find(met["a"]), words.names.find(met["b"])
    return Simultaneous(first, second) if first and second else None


def read_change(line: str, words: Lexicon) -> Change | None:
    """A sentence about entangles, lost, regained, disabled or shattered things (NA5, NA19 to NA22)."""
    owned = words.owned.match(line)
    if owned:
        return _about_thing(line, owned, words)
    named = words.name.match(line)
    who = words.names.find(named["name"]) if named else None
    if named is None or who is None:
        return None
    end = named.end()
    held = _ENTANGLED.match(line, end)
    if held:
        part = squeeze(held["part"])
        return Change("entangled", who, part=_PARTS.get(part, "strangle"))
    if _STRANGLED.match(line, end):
        return Change("entangled", who, part="strangle")
    free = _FREE.match(line, end)
    if free:
        part = squeeze(free["part"] or "")
        return Change("free", who, part="" if not part else "hold" if part.endswith("hold") else "entangle")
    if _CONTROL.match(line, end):
        return Change("regains", who)
    verb = _VERB.match(line, end)
    thing = words.thing(verb["thing"]) if verb else None
    if verb is None or thing is None:
        return None
    return Change(_VERBS[" ".join(verb["verb"].casefold().split())], who, thing)


def _about_thing(line: str, owned: re.Match[str], words: Lexicon) -> Change | None:
    who = words.names.find(owned["name"]) if owned["name"] else None
    thing = words.thing(owned["thing"])
    out = _OUT.match(line, owned.end())
    if out:
        return Change("out", who, thing, turns=int(out["turns"]))
    return Change("shatters", who, thing) if _SHATTERS.match(line, owned.end()) else None


_INTENTS = re.compile(
    r"(?:(?:disarm|disable|shattering blow|strangle hold|entangle|break|full defen[cs]e|chain)\b)[^\n]{0,120}$",
    re.IGNORECASE,
)


def read_intent(inner: str) -> Intent | None:
    """A manoeuvre in a tag of its own, such as `[Disable: scope chip]`."""
    plain = " ".join(inner.split())
    if _CHAIN.match(plain) or any(pattern.match(plain) for _, pattern in _MANOEUVRES):
        return Intent(plain)
    met = _INTENTS.match(plain)
    return Intent(plain) if met and plain.casefold() in ("full defense", "full defence", "entangle") else None
