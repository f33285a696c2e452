"""Damage tags: every form of NS6 and the long form of S26, decided by grammar and not by character."""

from __future__ import annotations

import re

from referee.ports.reading import squeeze
from rules.shinobi.lexicon import Lexicon
from rules.shinobi.model import Bonus, Damage, Part

_HEAD = re.compile(r"\s*damage\s*:\s*", re.IGNORECASE)
#: What makes a bracket a damage tag, readable or not (G19).
LEAD = re.compile(
    r"\s*(?:damage\s*:|\d{1,6}\s+damage\b|\d{1,6}\s*\([^()\n]{0,60}\bdamage\)|damage\s+[\d?]"
    r"|\?{1,9}\s*damage\b)",
    re.IGNORECASE,
)
_NUMBER = r"\d{1,3}(?:,\d{3}(?!\d))+|\d{1,9}"
_WHAT = r"[A-Za-z][A-Za-z'. -]{0,59}?"
_SUM = re.compile(
    rf"(?P<base>{_NUMBER})\s*(?P<sign>[+-])\s*(?P<share>{_NUMBER})\s*=\s*(?P<amount>-?(?:{_NUMBER}))"
    rf"(?:\s+damage)?(?:\s*,?\s*(?:per|each)\s+(?P<per>{_WHAT}))?"
    rf"(?:\s*,?\s*x\s?(?P<hits>\d{{1,4}}))?(?:\s*\((?P<what>[^()\n]{{1,60}})\))?\s*",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    rf"(?P<amount>{_NUMBER})(?:\s+damage)?"
    rf"(?:\s*-\s*(?P<name>{_WHAT})|\s+per\s+(?P<per>{_WHAT}))?"
    rf"(?:\s*,?\s*x\s?(?P<hits>\d{{1,4}}))?(?:\s*\((?P<what>[^()\n]{{1,60}})\))?\s*",
    re.IGNORECASE,
)
_LONG_HEAD = re.compile(rf"(?P<base>{_NUMBER})\s*\((?P<what>[^()\n]{{1,60}}?)\s+base(?:\s+damage)?\)\s*", re.IGNORECASE)
_LONG_TERM = re.compile(
    rf"(?P<sign>[+-])\s*(?P<value>{_NUMBER})\s*\((?P<stat>[A-Za-z][A-Za-z ]{{0,39}}?)(?:\s+(?:bonus|modifier))?\)\s*",
    re.IGNORECASE,
)
_LONG_END = re.compile(
    rf"=\s*(?P<amount>-?(?:{_NUMBER}))(?:\s+damage)?(?:\s+per\s+{_WHAT})?(?:\s*,?\s*x\s?(?P<hits>\d{{1,4}}))?"
    r"(?:\s*\([^()\n]{1,60}\))?\s*[.!]?",
    re.IGNORECASE,
)
_MOST_HITS = 200


def read_damage(inner: str, lexicon: Lexicon) -> Damage | None:
    """The damage tag in a bracket, or None where it can't be read without guessing."""
    text, target = inner.strip(), None
    aimed = lexicon.aim(text)
    if aimed is not None:
        target, place = aimed
        text = text[:place].rstrip(" ,;")
    head = _HEAD.match(text)
    if head is not None:
        text = text[head.end() :]
    return _long(text, target) or _listed(text, target)


def _long(text: str, target: str | None) -> Damage | None:
    """`8 (kunai base damage) + 20 (accuracy bonus) - 10 (dexterity bonus) = 18 damage` (S26)."""
    head = _LONG_HEAD.match(text)
    if head is None:
        return None
    place = head.end()
    bonuses: list[Bonus] = []
    while len(bonuses) < 8:
        term = _LONG_TERM.match(text, place)
        if term is None:
            break
        value = _number(term["value"])
        bonuses.append(Bonus(squeeze(term["stat"]), -value if term["sign"] == "-" else value))
        place = term.end()
    end = _LONG_END.fullmatch(text, place)
    if end is None:
        return None
    hits = int(end["hits"] or 1)
    base = _number(head["base"])
    share = sum(bonus.value for bonus in bonuses)
    part = Part(_number(end["amount"]), hits, squeeze(head["what"]), base, share)
    return Damage((part,), target, tuple(bonuses)) if 0 < hits <= _MOST_HITS else None


def _listed(text: str, target: str | None) -> Damage | None:
    """A list of items: `8 - punch x2, 8 - kick`, `33 x4 (Fire Barrage)`, `5 + 3 = 8 per punch, x2`."""
    parts: list[Part] = []
    place = 0
    while place < len(text) and len(parts) < 40:
        part, place = _one(text, place)
        if part is None:
            return None
        parts.append(part)
        if place < len(text):
            if text[place] not in ",;&":
                return None
            place += 1
            while place < len(text) and text[place] == " ":
                place += 1
    whole = place >= len(text) and bool(parts)
    return Damage(tuple(parts), target) if whole and sum(p.hits for p in parts) <= _MOST_HITS else None


def _one(text: str, place: int) -> tuple[Part | None, int]:
    """The longest item at a place that ends at a separator or the end of the text."""
    for pattern in (_SUM, _PLAIN):
        stop = place
        for stop in _stops(text, place):
            found = pattern.fullmatch(text, place, stop)
            if found is not None:
                return _part(found), stop
    return None, place


def _stops(text: str, place: int) -> list[int]:
    """Where an item may end, farthest first: commas belong to `, x2` as well as to the list."""
    ends = [len(text)]
    ends += [at for at in range(place + 1, min(len(text), place + 200)) if text[at] in ",;&"]
    return sorted(set(ends), reverse=True)[:40]


def _part(found: re.Match[str]) -> Part | None:
    hits = int(found["hits"] or 1)
    if hits < 1:
        return None
    groups = found.groupdict()
    what = groups.get("what") or groups.get("name") or groups.get("per")
    if groups.get("what") and groups.get("per") and squeeze(groups["per"]) not in ("hit", "strike", "blow"):
        what = groups["what"]
    base = share = None
    if groups.get("base"):
        base = _number(groups["base"])
        share = _number(groups["share"])
        share = -share if groups["sign"] == "-" else share
    return Part(_number(found["amount"]), hits, _named(what), base, share)


def _named(what: str | None) -> str | None:
    """What a hit is made with; `hit` alone names nothing."""
    if what is None:
        return None
    form = squeeze(what).strip(" .,")
    return None if form in ("hit", "hits", "strike", "blow", "each") else form


def _number(written: str) -> int:
    return int(written.replace(",", "").replace(" ", ""))
