"""The words of this system as patterns: names of fighters, areas, outcomes, marks of tags and lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from referee.ports.reading import Names, squeeze
from referee.ports.rules import Sheets
from rules.d20_arena.records import CRITICAL, FUMBLE, HIT, MISS

AREAS = ("arms", "legs", "torso", "head")
AREA = r"(?P<area>arms?|legs?|torso|head)"
_AREA_SAID = {"arm": "arms", "leg": "legs", **{area: area for area in AREAS}}
_BETWEEN = re.compile(r"[ \t]*+(?:,|&|\band\b)[ \t]*+", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t]+")
_COLON = re.compile(r"[ \t]*+:[ \t]*+")
_MOST_TARGETS = 20
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


class Forms:
    """Forms of names that are looked up at a place of a text.

    A pattern of all names would have to be compiled for every battle, which costs more than reading it.
    """

    def __init__(self, forms: Iterable[str]) -> None:
        """Squeezed forms; the longest one counts where several begin at a place."""
        self._by_first: dict[str, list[str]] = {}
        for form in sorted(set(forms) - {""}, key=len, reverse=True):
            self._by_first.setdefault(form[0], []).append(form)

    def ends(self, text: str, place: int, end: int) -> Iterator[int]:
        """The places behind the forms that begin at the beginning of a word, the longest first."""
        for form in self._by_first.get(text[place : place + 1].casefold(), ()):
            stop: int | None = place + len(form)
            if text[place:stop].casefold() != form:
                stop = _end_of(form, text, place, end) if " " in form else None
            if stop is not None and (stop == end or (stop < end and not _is_word(text[stop]))):
                yield stop


def _end_of(form: str, text: str, place: int, end: int) -> int | None:
    """The place behind the words of a form between which more than one blank stands; else None."""
    near = text[place : place + len(form) + 1]
    if "  " not in near and "\t" not in near:
        return None
    for index, word in enumerate(form.split(" ")):
        if index:
            blanks = _BLANKS.match(text, place, end)
            if blanks is None:
                return None
            place = blanks.end()
        stop = place + len(word)
        if text[place:stop].casefold() != word:
            return None
        place = stop
    return place


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


@dataclass(frozen=True)
class Lexicon:
    """The names of one battle: fighters and abilities, and their forms as they stand in texts."""

    fighters: Names
    abilities: Names
    fighter_forms: Forms
    ability_forms: Forms

    def before_colon(self, text: str, place: int, end: int) -> tuple[str | None, int] | None:
        """The fighter of a leading `Golem 1: `, and the place behind it."""
        for stop in self.fighter_forms.ends(text, place, end):
            colon = _COLON.match(text, stop, end)
            if colon:
                return self.fighters.find(text[place:stop]), colon.end()
        return None

    def targets(self, text: str, place: int, end: int) -> tuple[str, int] | None:
        """The words of a list such as `Golem 1 and Golem 2`, and the place behind it."""
        blanks = _BLANKS.match(text, place, end)
        start = blanks.end() if blanks else place
        stop = next(self.fighter_forms.ends(text, start, end), None)
        if stop is None:
            return None
        for _ in range(_MOST_TARGETS - 1):
            between = _BETWEEN.match(text, stop, end)
            further = next(self.fighter_forms.ends(text, between.end(), end), None) if between else None
            if further is None:
                break
            stop = further
        return text[start:stop], stop

    def ability(self, text: str, place: int, end: int) -> int | None:
        """The place behind the ability that is named at a place."""
        return next(self.ability_forms.ends(text, place, end), None)

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

    def __init__(self, named: Iterable[tuple[str, Iterable[str]]]) -> None:
        super().__init__(named)
        self._first = {}


@lru_cache(maxsize=64)
def _lexicon(
    fighters: tuple[tuple[str, tuple[str, ...]], ...], abilities: tuple[tuple[str, tuple[str, ...]], ...]
) -> Lexicon:
    names, full = Names(fighters), _FullNames(abilities)
    return Lexicon(names, full, Forms(_forms(fighters, names)), Forms(_forms(abilities, full)))


def _forms(named: Iterable[tuple[str, Iterable[str]]], names: Names) -> Iterator[str]:
    """Every form that stands for somebody: full names, aliases, and first words as far as they do."""
    for name, aliases in named:
        for form in (name, *aliases, squeeze(name).split(" ")[0]):
            if names.exact(form) is not None:
                yield squeeze(form)


def arrow(text: str, place: int, end: int) -> re.Match[str] | None:
    """The first arrow between two places."""
    return _ARROW.search(text, place, end)
