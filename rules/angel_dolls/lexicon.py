"""The words of one battle: names of dolls and things, where a line has them.

No pattern is made of a battle's own words: making one takes longer than reading a post.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from referee.ports.phrases import Phrases
from referee.ports.reading import Names, squeeze
from referee.ports.rules import Sheets
from rules.angel_dolls.tables import stats_of

_POSSESSIVE = re.compile(r"'s\s+", re.IGNORECASE)
_WORD = re.compile(r"[\w-]{2,40}")
#: A word with its first part: what a name begins with (see `Phrases`).
_FIRST_WORD = re.compile(r"(\w+)[\w'-]*")
#: The first word or sign behind blanks, not from the middle of a word on.
_TOKEN = re.compile(r"\s*(?<!\w)(\w+|\S)")
_ARTICLE = re.compile(r"\s*the\s+", re.IGNORECASE)


class Named(NamedTuple):
    """A doll that a line names: its full name, and the place behind the words."""

    name: str | None
    stop: int


class Owned(NamedTuple):
    """A thing that a line names, with its owner where the line says so, and the place behind the words."""

    thing: str | None
    owner: str | None
    stop: int


class _Found(NamedTuple):
    """Phrases with their first words, or first signs: most places have none of those."""

    phrases: Phrases
    firsts: frozenset[str]

    @staticmethod
    def of(forms: Iterable[str]) -> _Found:
        """Phrases in the form of `squeeze`."""
        phrases = Phrases(forms)
        return _Found(phrases, frozenset(phrases.firsts))


class Lexicon:
    """The names and things of one battle, any case."""

    def __init__(
        self, named: tuple[tuple[str, tuple[str, ...]], ...], things: tuple[str, ...], most_hp: Mapping[str, int]
    ) -> None:
        """Words for dolls (name, aliases) and things (equipment); `most_hp`: a doll's HP by its sheet."""
        self.most_hp = most_hp
        self.names = Names(named)
        self._dolls = {form: self.names.exact(form) for form in self.names.forms}
        self._things = {squeeze(thing): thing for thing in things}
        self._named = _Found.of(self._dolls)
        self._thing = _Found.of(self._things)
        self._short = _last_words(self._things)
        #: Whether a name begins with a number.
        self._numbered = any([form[:1].isdecimal() for form in self._dolls])
        #: The signs beyond ASCII that names of this battle have.
        self.signs = frozenset([sign for form in (*self._dolls, *self._things) if not form.isascii() for sign in form])
        #: The words with which a name, or a thing with its article, may begin.
        self.firsts = frozenset({"the", *self._named.firsts, *self._thing.firsts})

    def thing(self, words: str) -> str | None:
        """The name of a thing in the tables or on a sheet, any case; None where it is none."""
        return self._things.get(squeeze(words))

    def thing_at(self, line: str, place: int) -> tuple[str, int] | None:
        """The thing at a place, and the place behind it; the last word of a name that no other thing has will do."""
        found = self._thing_at(line, place)
        if found:
            return self._things[found[0]], found[1]
        word = _WORD.match(line, place)
        short = self._short.get(word.group().casefold()) if word else None
        return (short, word.end()) if short and word else None

    def speaks_of_things(self, line: str) -> bool:
        """Whether a line has a thing's name, or its last word, anywhere in it."""
        return any(word.group().casefold() in self._short for word in _WORD.finditer(line))

    def speaks_of_dolls(self, line: str) -> bool:
        """Whether a line has a doll's name anywhere in it."""
        firsts = self.firsts
        starts = [word.start() for word in _FIRST_WORD.finditer(line) if word[1].casefold() in firsts]
        return any([self.named(line, place) for place in starts])

    def ends_with_name(self, line: str) -> bool:
        """Whether a doll's name is the end of a line, blanks aside."""
        words = line.split()[-4:]
        return any(self.names.exact(" ".join(words[place:])) for place in range(len(words)))

    def ends_with_name_at(self, line: str, place: int) -> bool:
        """Whether a doll's name ends at a place of a line."""
        return self.ends_with_name(line[max(0, place - 120) : place])

    def named(self, line: str, place: int = 0) -> Named | None:
        """The doll whose name stands at a place of the line, blanks in front aside."""
        ahead = line[place : place + 2].lstrip(" ")[:1]
        if ahead.isdecimal() and not self._numbered:
            return None  # Most sides of checks begin with their stat.
        found = _phrase_at(self._named, line, place)
        return Named(self._dolls[found[0]], found[1]) if found else None

    def begins_with_thing(self, line: str) -> bool:
        """Whether a line begins with the name of a thing, an article in front aside."""
        return self._thing_at(line, 0) is not None

    def owned(self, line: str, place: int, who: Named | None) -> Owned | None:
        """The thing at a place: `Riget's long spear`, `the long spear`, `long spear`. `who`: the doll named there."""
        owns = _POSSESSIVE.match(line, who.stop) if who else None
        found = _phrase_at(self._thing, line, owns.end()) if owns else None
        if who and found:
            return Owned(self._things[found[0]], who.name, found[1])
        found = self._thing_at(line, place)
        return Owned(self._things[found[0]], None, found[1]) if found else None

    def _thing_at(self, line: str, place: int) -> tuple[str, int] | None:
        article = _ARTICLE.match(line, place)
        found = _phrase_at(self._thing, line, article.end()) if article else None
        return found or _phrase_at(self._thing, line, place)


def _last_words(things: Mapping[str, str]) -> dict[str, str]:
    """The last word of each thing's name -> the thing, where no other has that word."""
    found: dict[str, set[str]] = {}
    for form, thing in things.items():
        found.setdefault(form.split(" ")[-1], set()).add(thing)
    return {word: next(iter(owners)) for word, owners in found.items() if len(owners) == 1 and len(word) > 2}


def _phrase_at(found: _Found, line: str, place: int) -> tuple[str, int] | None:
    """The longest phrase at a place, blanks in front aside, and the place behind it; None in the middle of a word."""
    token = _TOKEN.match(line, place)
    if token is None or token[1].casefold() not in found.firsts:
        return None
    return next(found.phrases.at(line, token.start(1)), None)


def lexicon_of(sheets: Sheets) -> Lexicon:
    """The lexicon of a battle; a Deus's account stands for the doll too (D18)."""
    return sheets.once(_lexicon)


def _lexicon(sheets: Sheets) -> Lexicon:
    named = tuple(
        (c.name, tuple(dict.fromkeys((*c.aliases, *([c.player] if c.player else ()))))) for c in sheets.characters
    )
    shared = _shared(named)
    named = tuple((name, tuple(a for a in aliases if squeeze(a) not in shared)) for name, aliases in named)
    return Lexicon(named, things_of(sheets), _most_hp(sheets))


def _most_hp(sheets: Sheets) -> dict[str, int]:
    """The HP of each doll whose sheet gives them, by the stats or by the generator (D16)."""
    found: dict[str, int] = {}
    for character in sheets.characters:
        value = stats_of(character.get("stats")).get("HP")
        value = character.get("generator") if value is None else value
        if isinstance(value, int):
            found[character.name] = value
    return found


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
