"""Names of fighters as posts write them: characters, creatures with their numbers, short forms (G18, NE1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from referee.model.battle import Table
from referee.ports.reading import Names, squeeze
from referee.ports.rules import Sheets
from rules.enolaptia.book import section

#: How many spellings are remembered.
_KEPT = 2000
_NUMBERED = re.compile(r"(.{1,80}?)(?:\s*#|\s+n[or]\.?)?\s*(\d{1,2})?", re.IGNORECASE)


class Kinds:
    """Kinds of creatures: a kind is its full name or a word of it (its last, its first) that no other kind has."""

    def __init__(self, names: Iterable[str]) -> None:
        """Kinds with these full names."""
        self.names = tuple(dict.fromkeys(names))
        self._full = {squeeze(name): name for name in self.names}
        self._short = {**self._words(0), **self._words(-1)}

    def _words(self, place: int) -> dict[str, str]:
        owners: dict[str, set[str]] = {}
        for name in self.names:
            words = squeeze(name).split(" ")
            owners.setdefault(words[place], set()).add(name)
        return {word: next(iter(kinds)) for word, kinds in owners.items() if len(kinds) == 1}

    def find(self, text: str) -> str | None:
        """The kind that a word or name stands for, plural or not, or None."""
        form = squeeze(text).removeprefix("the ")
        for spelled in (form, form.removesuffix("s"), _singular(form)):
            kind = self._full.get(spelled) or self._short.get(spelled)
            if kind:
                return kind
        return None


def _singular(word: str) -> str:
    """`wolves` is `wolf`, `bodies` is `body`."""
    if word.endswith("ves"):
        return word[:-3] + "f"
    return word[:-3] + "y" if word.endswith("ies") else word


@lru_cache(maxsize=4096)
def split_number(text: str) -> tuple[str, int | None]:
    """A creature's name and its number: `Rat 2` is (`Rat`, 2)."""
    found = _NUMBERED.fullmatch(text.strip())
    if found is None:
        return text.strip(), None
    return found.group(1), int(found.group(2)) if found.group(2) else None


class Lexicon:
    """All names that a reader may meet in one battle."""

    def __init__(self, characters: tuple[tuple[str, tuple[str, ...]], ...], kinds: tuple[str, ...]) -> None:
        """Names of the characters (with aliases) and of every kind in the tables."""
        self.characters = Names(characters)
        self.kinds = Kinds(kinds)
        self._found: dict[str, str | None] = {}

    def find(self, text: str) -> str | None:
        """The full name for `text`: a character, or a kind with its number; None for a stranger."""
        found = self._found.get(text)
        if found is not None or text in self._found:
            return found
        found = self._find(text)
        if len(self._found) < _KEPT:
            self._found[text] = found
        return found

    def _find(self, text: str) -> str | None:
        who = self.characters.find(text)
        if who:
            return who
        base, number = split_number(text)
        kind = self.kinds.find(base)
        if kind is None:
            return None
        return kind if number is None else f"{kind} {number}"

    def name(self, text: str) -> str:
        """The full name, or the text as it stands where it is nobody known."""
        return self.find(text) or " ".join(text.split())

    def known(self, text: str) -> bool:
        """Whether the text may be somebody's name; where no kinds are known, any short name may."""
        return self.find(text) is not None or not self.kinds.names


def _lexicon(sheets: Sheets) -> Lexicon:
    return Lexicon(tuple([(c.name, c.aliases) for c in sheets.characters]), tuple(kinds_in(sheets.tables)))


def lexicon_of(sheets: Sheets) -> Lexicon:
    """The names of a battle's sheets and tables, gathered once."""
    return sheets.once(_lexicon)


def kinds_in(tables: Table) -> Iterable[str]:
    """Every kind of creature that the tables name."""
    found = list(section(tables, "creatures"))
    for book in section(tables, "maps").values():
        for row in section(book, "enemies").values() if isinstance(book, Mapping) else ():
            if isinstance(row, list):
                found += row
            else:
                found.append(row)
    return dict.fromkeys([name for name in found if isinstance(name, str) and name.strip()])
