"""The words that a battle's posts may use: names, abilities, weapons, items, stats; one per Sheets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from referee.model.battle import Character, Table
from referee.ports.reading import Names, squeeze
from referee.ports.rules import Sheets

#: Stats that the rulebook names (S3).
STATS = (
    "Taijutsu",
    "Ninjutsu",
    "Defense",
    "Concentration",
    "Speed",
    "Accuracy",
    "Dexterity",
    "Evasion",
    "Genjutsu",
)
#: Spellings of the pools (S6, field practice).
POOL_WORDS = {
    "hp": "hp",
    "health": "hp",
    "hit points": "hp",
    "chk": "chakra",
    "chakra": "chakra",
    "cp": "chakra",
    "ch": "chakra",
    "stm": "stamina",
    "sta": "stamina",
    "stam": "stamina",
    "stamina": "stamina",
}
#: A pattern of those spellings, longest first.
POOL = "(?:" + "|".join(sorted(POOL_WORDS, key=len, reverse=True)) + ")"
BASIC = {"punch": "punch", "kick": "kick", "knee": "knee", "elbow": "elbow"}
_PLURALS = {"punches": "punch", "kicks": "kick", "knees": "knee", "elbows": "elbow"}
#: Every word for a basic attack, and the attack that it means (NS7).
BASIC_WORDS = {**BASIC, **_PLURALS}
_KEPT = 16


class Lexicon:
    """Look-up of words in one battle. Abilities map to (name in the tables, sort)."""

    def __init__(self, characters: tuple[Character, ...], tables: Table) -> None:
        """Words of these characters and tables."""
        self.names = Names.of(characters)
        self.forms = {squeeze(form) for c in characters for form in (c.name, *c.aliases)}
        self.abilities: dict[str, tuple[str, str]] = {}
        for sort, key in (("item", "items"), ("skill", "skills"), ("technique", "techniques")):
            for name, row in rows(tables, key):
                for form in (name, *_aliases(row)):
                    self.abilities[squeeze(form)] = (name, sort)
        self.weapons = {squeeze(name): name for name, _ in rows(tables, "weapons")}
        stats = {squeeze(stat): stat_label(stat) for stat in (*STATS, *_more_stats(characters, tables))}
        self.stats = {word: stat for word, stat in stats.items() if word not in POOL_WORDS}
        words = sorted((re.escape(word) for word in self.stats), key=len, reverse=True)
        self.stat_entry = re.compile(
            rf"[ |,;*]*(?:(?P<stat>{'|'.join(words)})|(?P<pool>{POOL}))(?!\w)[ ]*[:=|-]?[ ]*(?P<sign>[+-])?"
            r"(?P<number>\d[\d.,]{0,11})(?![\d/%])",
            re.IGNORECASE,
        )
        names = self.names.pattern
        self.foe = re.compile(
            rf"\s*(?:(?:vs\.?|against)\s+(?P<a>{names})|(?P<b>{names})'s\s+attacks?)\s*:\s*", re.IGNORECASE
        )
        self._target = re.compile(
            rf"(?:[;,]?\s*\btarget\s*:\s*|[;,]?\s*(?:->|=>|-->|\u2192)\s*|[;,]?\s+at\s+)(?P<name>{names})\s*[.!]?\s*$",
            re.IGNORECASE,
        )
        self.guard = re.compile(
            rf"guards?\s+(?P<comrade>{names})\s*(?:against\s+(?P<a>{names})|\(\s*(?:vs\.?|against)\s+(?P<b>{names})\s*\))?"
            r"\s*[:;,]\s*(?:rolled|rolls)?\s*:?\s*(?:an?\s+)?(?P<number>\d{1,4})?\s*[.!]?\s*",
            re.IGNORECASE,
        )
        self.forfeit = re.compile(
            rf"(?:(?:i|{names})\s+)?forfeits?(?:\s+(?:the|this)\s+(?:battle|fight|match|spar))?\s*[.!]?", re.IGNORECASE
        )

    def aim(self, text: str) -> re.Match[str] | None:
        """Whom a tag is aimed at, at its end: `; target: Kaito`, `-> Kaito`, `at Kaito`; group `name`."""
        low = text.lower()
        if ">" in low or "\u2192" in low or "target" in low or "at " in low or "at\n" in low:
            return self._target.search(text)
        return None

    def ability(self, text: str) -> tuple[str, str] | None:
        """(name in the tables, sort) of an ability's written name; a gloss in brackets may follow it."""
        form = squeeze(text)
        found = self.abilities.get(form)
        if found is None and form.endswith(")"):
            name, _, gloss = form[:-1].partition("(")
            found = self.abilities.get(name.strip()) or self.abilities.get(gloss.strip())
        return found

    def weapon(self, text: str) -> str | None:
        """A weapon's name in the tables; a plural s may follow."""
        form = squeeze(text)
        return self.weapons.get(form) or self.weapons.get(form.removesuffix("s"))

    def basic(self, text: str) -> str | None:
        """The basic attack that a word means (NS7), or None."""
        form = squeeze(text)
        return BASIC_WORDS.get(form)


def stat_label(word: str) -> str:
    """A stat's name in one spelling: capitals at the start of each word."""
    return " ".join(part[:1].upper() + part[1:] for part in squeeze(word).split(" "))


def rows(tables: Table, key: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """The rows of a table, leaving out what is of the wrong type."""
    table = tables.get(key)
    if not isinstance(table, Mapping):
        return
    for name, row in table.items():
        if isinstance(row, Mapping):
            yield str(name), row


def _aliases(row: Mapping[str, Any]) -> list[str]:
    found = row.get("aliases")
    return [str(alias) for alias in found] if isinstance(found, (list, tuple)) else []


def _more_stats(characters: tuple[Character, ...], tables: Table) -> list[str]:
    more = [row.get(side) for _, row in rows(tables, "modifiers") for side in ("offense", "defense")]
    for character in characters:
        stats = character.get("stats")
        more += list(stats) if isinstance(stats, Mapping) else []
    return [str(stat) for stat in more if isinstance(stat, str) and stat.strip()]


_cache: dict[int, tuple[Sheets, Lexicon]] = {}


def lexicon_of(sheets: Sheets) -> Lexicon:
    """The lexicon of a battle, built once per Sheets value."""
    kept = _cache.get(id(sheets))
    if kept is not None and kept[0] is sheets:
        return kept[1]
    if len(_cache) >= _KEPT:
        _cache.clear()
    made = Lexicon(sheets.characters, sheets.tables)
    _cache[id(sheets)] = (sheets, made)
    return made
