"""The words of one battle: names of dolls and things, and the patterns made of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from referee.ports.reading import Names, squeeze
from referee.ports.rules import Sheets
from rules.angel_dolls.statements import STAT_WORDS

_STAT = "|".join(sorted(STAT_WORDS, key=len, reverse=True))

#: Words that begin a line of this system, besides names of dolls and things.
KEYWORDS = (
    "attack|to hit|hit|damage|disarm|disable|weapon|control|strangle|hp|trainer points?|winner|full defen[cs]e|"
    "simultaneous|the|chain|entangle|shattering|break|edit|correction"
)


class Lexicon:
    """Compiled patterns for one set of names and things; all match from a given place, any case."""

    def __init__(self, named: tuple[tuple[str, tuple[str, ...]], ...], things: tuple[str, ...]) -> None:
        """Patterns for dolls (name, aliases) and things (equipment)."""
        self.names = Names(named)
        self._things = {squeeze(thing): thing for thing in things}
        name = self.names.pattern
        forms = sorted(self._things, key=len, reverse=True)
        thing = "|".join(re.escape(form).replace(r"\ ", " +") for form in forms) or r"(?!)"
        self.start = _pattern(rf"[\[(]?\s*(?:(?:{KEYWORDS})\b|(?P<name>{name})|(?P<thing>(?:{thing})(?!\w)))")
        self.lead = _pattern(
            rf"\s*(?:(?P<name>{name})(?:'s)?\s+)?(?:(?P<stat>{_STAT})\b\s*:?\s*)?(?P<base>-?\s?\d{{1,9}})(?![\d%])"
            rf"\s*(?:(?P<after>{_STAT})\b|\((?P<thing>(?![+\-\s\d])[^()\n]{{1,60}})\))?"
        )
        self.pair = _pattern(rf"\s*(?P<a>{name})\s*(?:->|=>|→|attacks)\s*(?P<b>{name})(?P<rest>.*)")
        self.both = _pattern(rf"\s*(?P<a>{name})\s*(?:and|&|/|with)\s*(?P<b>{name})")
        self.name = _pattern(rf"\s*(?P<name>{name})\s*")
        self.owned = _pattern(rf"\s*(?:(?P<name>{name})'s\s+|the\s+)?(?P<thing>(?:{thing})(?!\w))\s*")

    def thing(self, words: str) -> str | None:
        """The name of a thing in the tables or on a sheet, any case; None where it is none."""
        return self._things.get(squeeze(words))


def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


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
