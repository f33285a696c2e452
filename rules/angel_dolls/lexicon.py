"""The words of one battle: names of dolls and things, where a line has them.

Only two patterns are made of the names and things of a battle, since a pattern is costly to make; all
other patterns of the system are the same for every battle.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from referee.ports.reading import Names, squeeze
from referee.ports.rules import Sheets

_POSSESSIVE = re.compile(r"'s\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"\s*the\s+", re.IGNORECASE)


class Named(NamedTuple):
    """A doll that a line names: its full name, the place behind the words, and behind the blanks there."""

    name: str | None
    stop: int
    end: int


class Owned(NamedTuple):
    """A thing that a line names, with its owner where the line says so, and the place behind both."""

    thing: str | None
    owner: str | None
    end: int


class Lexicon:
    """The names and things of one battle, any case."""

    def __init__(self, named: tuple[tuple[str, tuple[str, ...]], ...], things: tuple[str, ...]) -> None:
        """Words for dolls (name, aliases) and things (equipment)."""
        self.names = Names(named)
        self._things = {squeeze(thing): thing for thing in things}
        forms = sorted(self._things, key=len, reverse=True)
        thing = "|".join(re.escape(form).replace(r"\ ", " +") for form in forms) or r"(?!)"
        self._name = re.compile(rf"\s*({self.names.pattern})\s*", re.IGNORECASE)
        self._thing = re.compile(rf"\s*((?:{thing})(?!\w))\s*", re.IGNORECASE)

    def thing(self, words: str) -> str | None:
        """The name of a thing in the tables or on a sheet, any case; None where it is none."""
        return self._things.get(squeeze(words))

    def named(self, line: str, place: int = 0) -> Named | None:
        """The doll whose name stands at a place of the line, blanks in front aside."""
        met = self._name.match(line, place)
        return Named(self.names.find(met[1]), met.end(1), met.end()) if met else None

    def begins_with_thing(self, line: str) -> bool:
        """Whether a line begins with the name of a thing, an article in front aside."""
        return self._thing_at(line, 0) is not None

    def owned(self, line: str, place: int, who: Named | None) -> Owned | None:
        """The thing at a place: `Riget's long spear`, `the long spear`, `long spear`. `who`: the doll named there."""
        owns = _POSSESSIVE.match(line, who.stop) if who else None
        met = self._thing.match(line, owns.end()) if owns else None
        if who and met:
            return Owned(self.thing(met[1]), who.name, met.end())
        met = self._thing_at(line, place)
        return Owned(self.thing(met[1]), None, met.end()) if met else None

    def _thing_at(self, line: str, place: int) -> re.Match[str] | None:
        article = _ARTICLE.match(line, place)
        return (self._thing.match(line, article.end()) if article else None) or self._thing.match(line, place)


#: The last battle's sheets with its lexicon: a reader meets all posts of a battle in a row.
_latest: list[tuple[Sheets, Lexicon]] = []


def lexicon_of(sheets: Sheets) -> Lexicon:
    """The lexicon of a battle; a Deus's account stands for the doll too (D18)."""
    for known, words in _latest:
        if known is sheets:
            return words
    words = _lexicon(sheets)
    _latest[:] = [(sheets, words)]
    return words


def _lexicon(sheets: Sheets) -> Lexicon:
    named = tuple(
        (c.name, tuple(dict.fromkeys((*c.aliases, *([c.player] if c.player else ()))))) for c in sheets.characters
    )
    shared = _shared(named)
    named = tuple((name, tuple(a for a in aliases if squeeze(a) not in shared)) for name, aliases in named)
    return _cached(named, things_of(sheets))


def things_of(sheets: Sheets) -> tuple[str, ...]:
    """Every piece of equipment that tables or sheets name."""
    table = sheets.tables.get("equipment")
    found = [str(name) for name in table] if isinstance(table, Mapping) else []
    for character in sheets.characters:
        worn = character.get("equipment")
        found += [str(name) for name in worn] if isinstance(worn, (list, tuple)) else []
    return tuple(dict.fromkeys(name for name in found if 0 < len(name.strip()) <= 60))[:500]


def _shared(named: tuple[tuple[str, tuple[str, ...]], ...]) -> set[str]:
    """Aliases that would stand for two dolls, such as the account of a player of both."""
    seen: dict[str, set[str]] = {}
    for name, aliases in named:
        for form in aliases:
            seen.setdefault(squeeze(form), set()).add(name)
    return {form for form, owners in seen.items() if len(owners) > 1}


@lru_cache(maxsize=64)
def _cached(named: tuple[tuple[str, tuple[str, ...]], ...], things: tuple[str, ...]) -> Lexicon:
    return Lexicon(named, things)
