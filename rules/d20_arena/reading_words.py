"""The words of this system as patterns: names of fighters, areas, outcomes, marks of tags and lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from referee.ports.reading import Names, squeeze
from referee.ports.rules import Sheets
from rules.d20_arena.records import CRITICAL, FUMBLE, HIT, MISS

AREAS = ("arms", "legs", "torso", "head")
AREA = r"(?P<area>arms?|legs?|torso|head)"
_AREA_SAID = {"arm": "arms", "leg": "legs", **{area: area for area in AREAS}}
_BETWEEN = re.compile(r"[ \t]*+(?:,|&|\band\b)[ \t]*+", re.IGNORECASE)
_ARROW = re.compile(r"->|=>|-->|\u2192")

#: What begins like a tag of this system (G19).
TAG = re.compile(
    r"\s*(?P<word>announce|move|trap|action|free[ ]attack|struggle|help|reaction"
    r"|to[ ]hit|damage|binding|bind[ ]level|save)[ \t]*+(?:\((?P<note>[^()\n]{0,40})\)[ \t]*+)?:[ \t]*+",
    re.IGNORECASE,
)

#: The words that tell an outcome; a critical fail or miss is one word here, as it is neither hit nor miss.
_OUTCOME = re.compile(
    r"\b(?:(?P<fumble>crit(?:ical)?[ \t]*+(?:fail|miss|fumble)|fumble)|(?P<miss>miss(?:es|ed)?\b)"
    r"|(?P<critical>crit(?:ical)?\b)|(?P<hit>hits?\b)|nat(?:ural)?[ \t]*+(?:a[ \t])?(?P<natural>20|1)\b)",
    re.IGNORECASE,
)
_MISS = re.compile(r"\bmiss(?:es|ed)?\b", re.IGNORECASE)
_HIT = re.compile(r"\bhits?\b", re.IGNORECASE)
_ONE_OF_THEM = re.compile(r"\b(?:only|one|first|second|former|latter)\b", re.IGNORECASE)


def outcome_word(text: str) -> str | None:
    """The outcome that a phrase states (ND3): miss, hit, critical hit, critical fail, or None."""
    number = None
    words = set()
    for found in _OUTCOME.finditer(text):
        word = found.lastgroup
        if word != "natural":
            words.add(word)
        elif number is None:
            number = found["natural"]
    if "fumble" in words:
        return FUMBLE
    if "miss" in words:
        return FUMBLE if number == "1" else MISS
    if "critical" in words:
        return CRITICAL
    if "hit" in words:
        return CRITICAL if number == "20" else HIT
    return CRITICAL if number == "20" else FUMBLE if number == "1" else None


def outcome_of_each(text: str, targets: tuple[str, ...]) -> str | None:
    """The outcome that a phrase states of all targets of one roll (ND8); None where it tells them apart."""
    if (_MISS.search(text) and _HIT.search(text)) or _ONE_OF_THEM.search(text):
        return None
    folded = text.casefold()
    named = [name for name in targets if re.search(rf"\b{re.escape(name.casefold())}\b", folded)]
    return outcome_word(text) if len(named) in (0, len(targets)) else None


def area_of(text: str | None) -> str | None:
    """The area of the body that a word names: arms, legs, torso, head."""
    return _AREA_SAID.get(squeeze(text)) if text else None


@dataclass(frozen=True)
class Lexicon:
    """The names of one battle: fighters and abilities, with their patterns."""

    fighters: Names
    abilities: Names
    actor: re.Pattern[str]
    targets: re.Pattern[str]
    name_line: re.Pattern[str]
    ability: re.Pattern[str]

    def named(self, text: str) -> tuple[str, ...] | None:
        """The fighters of a list such as `Golem 1 and Golem 2`, or None where one is nobody."""
        found = [self.fighters.find(word) for word in _BETWEEN.split(text.strip(" .!")) if word]
        return tuple(name for name in found if name) if found and all(found) else None

    def ability_name(self, text: str) -> str:
        """The ability's own spelling where it is known, else the words as posted."""
        plain = " ".join(text.split())
        return self.abilities.find(plain) or plain


#: The battle whose lexicon was made last: every post of it asks again.
_LATEST: list[tuple[Sheets, Lexicon]] = []


def lexicon(sheets: Sheets) -> Lexicon:
    """The lexicon of a battle (kept: every post asks for it)."""
    for kept, found in _LATEST:
        if kept is sheets:
            return found
    made = _lexicon(tuple((c.name, c.aliases) for c in sheets.characters), _ability_names(sheets))
    _LATEST[:] = [(sheets, made)]
    return made


def _ability_names(sheets: Sheets) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every ability of the tables with its aliases, and those that only sheets name."""
    table = sheets.tables.get("abilities")
    names: dict[str, tuple[str, tuple[str, ...]]] = {}
    for name, entry in table.items() if isinstance(table, dict) else ():
        aliases = entry.get("aliases") if isinstance(entry, dict) else None
        forms = tuple(str(alias) for alias in aliases) if isinstance(aliases, list) else ()
        names.setdefault(squeeze(str(name)), (str(name), forms))
    for character in sheets.characters:
        owned = character.get("abilities")
        for name in owned if isinstance(owned, list) else ():
            names.setdefault(squeeze(str(name)), (str(name), ()))
    return tuple(names.values())


class _FullNames(Names):
    """Ability names: only full forms and aliases, never a first word."""

    def __init__(self, named: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
        super().__init__(named)
        self._first = {}
        forms = sorted({form for form in self._full if form}, key=len, reverse=True)
        joined = "|".join(re.escape(form).replace(r"\ ", r"[ \t]+") for form in forms)
        self.pattern = rf"(?<!\w)(?:{joined})(?!\w)" if forms else r"(?!)"


@lru_cache(maxsize=64)
def _lexicon(
    fighters: tuple[tuple[str, tuple[str, ...]], ...], abilities: tuple[tuple[str, tuple[str, ...]], ...]
) -> Lexicon:
    names = Names(fighters)
    full = _FullNames(abilities)
    name = names.pattern
    return Lexicon(
        fighters=names,
        abilities=full,
        actor=re.compile(rf"({name})[ \t]*+:[ \t]*+", re.IGNORECASE),
        targets=re.compile(rf"[ \t]*+((?:{name})(?:[ \t]*+(?:,|&|\band\b)[ \t]*+(?:{name})){{0,19}})", re.IGNORECASE),
        name_line=re.compile(rf"({name})[ \t]*+:[ \t]*+", re.IGNORECASE),
        ability=re.compile(rf"({full.pattern})", re.IGNORECASE),
    )


def arrow(text: str, place: int, end: int) -> re.Match[str] | None:
    """The first arrow between two places."""
    return _ARROW.search(text, place, end)
