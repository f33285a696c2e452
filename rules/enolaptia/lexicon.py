"""Names as posts write them: characters, creatures with their numbers, abilities, potions (G18, NE1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property, lru_cache
from itertools import islice

from referee.model.battle import Table
from referee.ports.reading import Names, squeeze
from referee.ports.rules import Sheets
from rules.enolaptia.book import kinds_in, section, whole

#: How many spellings are remembered.
_KEPT = 2000
_WORD = re.compile(r"[\w']+")
#: A creature's number behind its name; `Rat 9/18` has none.
_NUMBER_BEHIND = re.compile(r"\s*(?:#\s?|n[or]\.?\s?|-)?\d{1,2}(?!\w|\s*/)|\s*\(\s*#?\d{1,2}\s*\)", re.IGNORECASE)
_NUMBERED = re.compile(r"(.{1,80}?)(?:(?:\s*#|\s+n[or]\.?|-)?\s*(\d{1,2})?|\s*\(\s*#?\s*(\d{1,2})\s*\))", re.IGNORECASE)
#: Sections of the tables whose entries a fighter uses by name, and the move that each is.
_USED = {"spells": "spell", "specials": "special", "skills": "skill", "potions": "potion"}


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
        return self._spelled(form) or (self._spelled(form.replace("-", " ")) if "-" in form else None)

    def _spelled(self, form: str) -> str | None:
        for spelled in (form, form.removesuffix("s"), _singular(form)):
            kind = self._full.get(spelled) or self._short.get(spelled)
            if kind:
                return kind
        return None

    @property
    def forms(self) -> frozenset[str]:
        """Every form that stands for a kind, squeezed."""
        return frozenset((*self._full, *self._short))


def _singular(word: str) -> str:
    """`wolves` is `wolf`, `bodies` is `body`."""
    if word.endswith("ves"):
        return word[:-3] + "f"
    return word[:-3] + "y" if word.endswith("ies") else word


@lru_cache(maxsize=4096)
def split_number(text: str) -> tuple[str, int | None]:
    """A creature's name and its number: `Rat 2` and `Rat (2)` are (`Rat`, 2)."""
    found = _NUMBERED.fullmatch(text.strip())
    if found is None:
        return text.strip(), None
    number = found.group(2) or found.group(3)
    return found.group(1), int(number) if number else None


class Lexicon:
    """All names that a reader may meet in one battle."""

    def __init__(self, sheets: Sheets) -> None:
        """Names of the characters (with aliases), of every kind, ability and potion in the tables."""
        self.characters = Names(tuple([(c.name, c.aliases) for c in sheets.characters]))
        self.kinds = Kinds(tuple(kinds_in(sheets.tables)))
        self._sheets = sheets
        self._found: dict[str, str | None] = {}
        self._me: str | None = None
        self._speaking: dict[str, Lexicon] = {}

    def of_me(self, own: str) -> Lexicon:
        """The same names for a line in which the account of one character says `I`."""
        if own not in self._speaking:
            mine = copy(self)
            mine._me, mine._found = own, {"I": own, "I'll": own}
            self._speaking[own] = mine
        return self._speaking[own]

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

    def used(self, text: str) -> str | None:
        """The move that a name of the tables stands for (`spell`, `potion` ...), None where it is none or two."""
        tables = self._sheets.tables
        exact = [action for key, action in _USED.items() if text in section(tables, key)]
        return exact[0] if len(exact) == 1 else self._used.get(squeeze(text))

    def potion_in(self, text: str) -> bool:
        """Whether a potion of the tables is named in a text."""
        folded = text.casefold()
        return any([name in folded for name in self._potions])

    def deals_a_fixed_amount(self, text: str) -> bool:
        """Whether an ability of the tables deals a number without dice: its amount alone says all (NE14)."""
        form = squeeze(text)
        for key in ("spells", "specials", "skills"):
            for name, entry in section(self._sheets.tables, key).items():
                if squeeze(str(name)) == form:
                    return str(section({"of": entry}, "of").get("damage", "d")).isdecimal()
        return False

    def deals_nothing(self, text: str) -> bool:
        """Whether an ability of the tables has no damage: its name alone says all of it (NE14)."""
        form = squeeze(text)
        return any(
            squeeze(str(name)) == form and isinstance(entry, Mapping) and "damage" not in entry
            for key in ("spells", "specials", "skills")
            for name, entry in section(self._sheets.tables, key).items()
        )

    def ability_in(self, text: str) -> bool:
        """Whether a spell, special or skill of the tables is named in a text."""
        folded = text.casefold()
        return any([action != "potion" and name in folded for name, action in self._used.items()])

    def names_a_thing(self, text: str) -> bool:
        """Whether a spell, special, skill or potion of the tables is named in a text."""
        return self.ability_in(text) or self.potion_in(text)

    def harmless_ahead(self, text: str) -> str | None:
        """The ability without damage whose name a text begins with, None where it begins with none."""
        form = squeeze(text)
        found = [name for name in self._used if form.startswith(name) and not form[len(name) :][:1].isalnum()]
        longest = max(found, key=len, default="")
        return text[: len(longest)] if longest and self.deals_nothing(longest) else None

    @cached_property
    def _potions(self) -> tuple[str, ...]:
        return tuple([squeeze(str(name)) for name in section(self._sheets.tables, "potions")])

    def top(self, text: str) -> int | None:
        """The HP at the start that sheets and tables give for a fighter, None where they give none."""
        found = self.find(text)
        if found is None:
            return None
        return self._tops.get(found) or self._tops.get(split_number(found)[0])

    def tops(self) -> frozenset[int]:
        """Every HP at the start that sheets and tables give."""
        return self._all_tops

    def speed(self, text: str) -> int | None:
        """The Speed that sheets and tables give for a fighter, None where they give none."""
        found = self.find(text)
        if found is None:
            return None
        return self._speeds.get(found) or self._speeds.get(split_number(found)[0])

    def leading(self, text: str, start: int, end: int) -> int:
        """Where the name of a fighter ends with which a line begins (`Rat 2`, `the rats`); -1 if with none."""
        words = [*islice(_WORD.finditer(text, start, end), self._spelled.longest + 1)]
        if not words or words[0].start() != start:
            return -1
        if self._me is not None and words[0].group() == "I":
            return words[0].end()
        first = int(words[0].group().casefold() == "the" and len(words) > 1)
        number = first + self._spelled.at(words, first)
        if number == first:
            return -1
        stop = words[number - 1].end()
        if self.characters.find(text[words[first].start() : stop]) is not None:
            return stop
        behind = _NUMBER_BEHIND.match(text, stop, end)
        return behind.end() if behind is not None else stop

    def mentions(self, text: str, start: int, end: int) -> bool:
        """Whether a fighter is named anywhere between two places."""
        words = [*_WORD.finditer(text, start, end)]
        return any([self._spelled.at(words, place) for place in range(len(words))])

    def mentioned(self, text: str, start: int, end: int) -> list[str]:
        """The fighters named between two places, as they are written, without numbers."""
        words = [*_WORD.finditer(text, start, end)]
        found = [(place, self._spelled.at(words, place)) for place in range(len(words))]
        return [text[words[place].start() : words[place + number - 1].end()] for place, number in found if number]

    def begins_one(self, word: str) -> bool:
        """Whether a squeezed word, plural and possessive too, is the first of a fighter's name."""
        return (
            (self._me is not None and word == "i")
            or word in self._firsts
            or word.removesuffix("'s").removesuffix("s") in self._firsts
        )

    @cached_property
    def signs(self) -> frozenset[str]:
        """The signs beyond ASCII that names of this battle have."""
        names = (*self.characters.forms, *self.kinds.names)
        return frozenset([sign for name in names if not name.isascii() for sign in name])

    @cached_property
    def _firsts(self) -> frozenset[str]:
        return frozenset([form.partition(" ")[0] for form in (*self.characters.forms, *self.kinds.forms)])

    @cached_property
    def _used(self) -> dict[str, str]:
        return _used(self._sheets.tables)

    @cached_property
    def _tops(self) -> dict[str, int]:
        return {name: hp for name, hp in _numbers(self._sheets, "hp") if hp is not None}

    @cached_property
    def _all_tops(self) -> frozenset[int]:
        return frozenset(self._tops.values())

    @cached_property
    def _speeds(self) -> dict[str, int]:
        return {name: speed for name, speed in _numbers(self._sheets, "speed") if speed is not None}

    @cached_property
    def _spelled(self) -> _Spelled:
        return _Spelled((*self.characters.forms, *self.kinds.forms))


class _Spelled:
    """Names as rows of words, to be found in running text."""

    def __init__(self, forms: Iterable[str]) -> None:
        """Names by their squeezed forms."""
        self._rows = {tuple(_WORD.findall(form)) for form in forms}
        self._firsts = {word for row in self._rows for word in row[:1]}
        self._firsts |= {f"{row[0]}s" for row in self._rows if len(row) == 1}
        self.longest = max(map(len, self._rows), default=0)

    def at(self, words: Sequence[re.Match[str]], place: int) -> int:
        """How many words of the longest name, plural or not, stand from a place on; 0 where none does."""
        if _folded(words[place]) not in self._firsts:
            return 0
        row = tuple([_folded(word) for word in words[place : place + self.longest]])
        for number in range(len(row), 0, -1):
            if row[:number] in self._rows or (*row[: number - 1], row[number - 1].removesuffix("s")) in self._rows:
                return number
        return 0


def _folded(word: re.Match[str]) -> str:
    return word.group().casefold().removesuffix("'s")


def _used(tables: Table) -> dict[str, str]:
    """Names of abilities and potions, squeezed, and the move that each is; a name of two sections is left out."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for key, action in _USED.items():
        for name in section(tables, key):
            form = squeeze(str(name))
            twice |= {form} & set(found)
            found[form] = action
    return {form: action for form, action in found.items() if form not in twice}


def _numbers(sheets: Sheets, key: str) -> Iterable[tuple[str, int | None]]:
    """One number of every fighter's sheet (HP, Speed), by full name or kind."""
    for name, entry in section(sheets.tables, "creatures").items():
        yield str(name), whole(section({"of": entry}, "of").get(key))
    for character in sheets.characters:
        stats = section(character.data, "stats")
        yield character.name, next((whole(stats[stat]) for stat in stats if squeeze(str(stat)) == key), None)


def lexicon_of(sheets: Sheets) -> Lexicon:
    """The names of a battle's sheets and tables, gathered once."""
    return sheets.once(Lexicon)
