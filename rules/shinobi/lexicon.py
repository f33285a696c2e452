"""The words that a battle's posts may use: names, abilities, weapons, items, stats; one per Sheets."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from referee.model.battle import Character, Table
from referee.ports.phrases import Phrases
from referee.ports.reading import Names, squeeze
from referee.ports.rules import Sheets
from rules.shinobi.odd_names import OddNames

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
    "health points": "hp",
    "hit points": "hp",
    "life": "hp",
    "chk": "chakra",
    "chakra": "chakra",
    "chackra": "chakra",
    "cp": "chakra",
    "ch": "chakra",
    "stm": "stamina",
    "sta": "stamina",
    "stam": "stamina",
    "sp": "stamina",
    "stamina": "stamina",
}
#: Other spellings of stats; the short ones only count where several of them stand together.
STAT_WORDS = {
    "defence": "Defense",
    "tai": "Taijutsu",
    "nin": "Ninjutsu",
    "gen": "Genjutsu",
    "def": "Defense",
    "con": "Concentration",
    "spd": "Speed",
    "acc": "Accuracy",
    "dex": "Dexterity",
    "eva": "Evasion",
}
SHORT_WORDS = frozenset(word for word in STAT_WORDS if len(word) == 3)
#: A pattern of those spellings, longest first.
POOL = "(?:" + "|".join(sorted(POOL_WORDS, key=len, reverse=True)) + ")"
BASIC = {"punch": "punch", "kick": "kick", "knee": "knee", "elbow": "elbow"}
_PLURALS = {"punches": "punch", "kicks": "kick", "knees": "knee", "elbows": "elbow"}
#: Every word for a basic attack, and the attack that it means (NS7).
BASIC_WORDS = {**BASIC, **_PLURALS}
_WORD = re.compile(r"\w+")
#: More tags than this of one battle are not kept.
_MOST_READ = 400
#: Longer words are nobody's name.
_LONGEST_NAME = 90


#: Words in these patterns are taken as they come; the lexicon then tells whose name they are.
_FOE = re.compile(
    r"\s*(?:(?:vs\.?|against)\s+(?P<a>[^:\n]{1,90}?)|(?P<b>[^:\n]{1,90}?)'s\s+attacks?)\s*:\s*", re.IGNORECASE
)
#: The same around a name that holds a colon itself.
_BEFORE_FOE = re.compile(r"\s*(?:(?P<against>vs\.?|against)\s+)?", re.IGNORECASE)
_BEHIND_FOE = {True: re.compile(r"\s*:\s*"), False: re.compile(r"'s\s+attacks?\s*:\s*", re.IGNORECASE)}
_AIM = re.compile(
    r"[;,]?\s*\btarget\s*:\s*|[;,]?\s*(?:->|=>|-->|\u2192)\s*|[;,]?\s+at\s+",
    re.IGNORECASE,
)
#: The same in a tag that is certainly one: more words and signs point at somebody there.
_LOOSE_AIM = re.compile(
    r"[;,|]?\s?\(?\s?\btarget\s?[:-]?\s?|[;,|]?\s?\(?\s?(?:->|=>|-->|>>|\u2192|@)\s?@?\s?"
    r"|[;,|]?\s\(?(?:at|to|on|vs\.?|against|versus)\s|,\s?|\s\(\s?",
    re.IGNORECASE,
)
_FORFEIT = re.compile(
    r"(?:(?P<who>[^\n]{1,90}?)\s+)?(?:forfeits?|surrenders?|yields?|gives?\s+up)(?:\s+(?:the|this)\s+(?:battle|fight|match|spar))?\s*[.!]?",
    re.IGNORECASE,
)


@lru_cache(maxsize=16)
def _stat_entry(stats: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern of one labelled number of a stat block; most boards have the stats of the rulebook.

    Only a pool has its total behind a slash: `HP: 150/150`.
    """
    return re.compile(
        rf"[ |,;/*\[(]*(?:\u2192[ ]*)?(?:(?P<stat>{'|'.join(map(re.escape, stats))})|(?P<pool>{POOL}))(?!\w)"
        r"[ ]*(?:[:|-]|[=-]?>|=|\.{2,12})?[ ]*\(?(?P<sign>[+-])?"
        r"(?P<number>\d[\d.,]{0,11})(?(pool)(?:[ ]?/[ ]?\d{1,6})?)(?![\d%]|/[ ]*\d)"
        r"(?:[ ]*(?:pts?\b|points?\b)\.?|[ ]*\([^()\d\n]{1,30}\))?[\])]{0,2}",
        re.IGNORECASE,
    )


class Foe(NamedTuple):
    """Whose attack a tag answers (None: nobody's that is known; empty: not said), and where the tag goes on."""

    name: str | None
    end: int


class Lexicon:
    """Look-up of words in one battle. Abilities map to (name in the tables, sort).

    `read`: tags that were read before in this battle, by their words; the same attack is made again and again.
    """

    def __init__(self, characters: tuple[Character, ...], tables: Table) -> None:
        """Words of these characters and tables."""
        self.names = Names(_called(tuple((c.name, tuple(c.aliases)) for c in characters)))
        self._named = tuple({form.split(" ")[0] for form in self.names.forms})
        self.forms = {squeeze(form) for c in characters for form in (c.name, *c.aliases)}
        self.abilities: dict[str, tuple[str, str]] = {}
        self.dots: set[str] = set()
        self.read: dict[Hashable, Any] = {}
        for sort, key in (("item", "items"), ("skill", "skills"), ("technique", "techniques")):
            for name, row in rows(tables, key):
                for form in (name, *_aliases(row)):
                    self.abilities[squeeze(form)] = (name, sort)
                if "dot" in row:
                    self.dots.add(name)
        #: Names without their `no Jutsu`, by which players call them; in a sentence such a word is none.
        self.shorts: set[str] = set()
        for form in [form for form in self.abilities if form.endswith(" no jutsu") and len(form) > 14]:
            short = form.removesuffix(" no jutsu")
            if short not in self.abilities:
                self.shorts.add(short)
                self.abilities[short] = self.abilities[form]
        self._phrases: Phrases | None = None
        self._words: frozenset[str] | None = None
        self._starts: set[str] = set()
        self._letters: list[tuple[str, str]] | None = None
        self.weapons = {squeeze(name): name for name, _ in rows(tables, "weapons")}
        stats = {squeeze(stat): stat_label(stat) for stat in (*STATS, *_more_stats(characters, tables))}
        self.stats = {word: stat for word, stat in stats.items() if word not in POOL_WORDS}
        self.full_stats = tuple(self.stats)
        self.stats = {**STAT_WORDS, **self.stats}
        self.odd_names = OddNames(
            [*(name for name, _ in self.abilities.values()), *self.abilities, *self.weapons.values()]
        )
        self._with_colon = [form for form in self.names.forms if ":" in form]
        self.stat_entry = _stat_entry(tuple(sorted(self.stats, key=len, reverse=True)))

    def foe(self, text: str) -> Foe | None:
        """What stands before a tag that answers somebody's attack: `vs Kaito:`, `Kaito's attack:`."""
        found = _FOE.match(text)
        if found is not None:
            label = found["a"] or found["b"]
            name = self.names.exact(label) or self.of_thing(label)
            if name is not None:
                return Foe(name, found.end())
        colon = self._foe_with_colon(text) if self._with_colon else None
        return colon or (Foe(None, found.end()) if found is not None else None)

    def of_thing(self, label: str) -> str | None:
        """Whose attack a label names by what it is made with: `Kaito's punches`; empty for `punch`, None otherwise."""
        whose, _, thing = label.rpartition("'s ")
        if (self.basic(thing) or self.weapon(thing) or self.ability(thing)) is None:
            return None
        return self.names.exact(whose) if whose else ""

    def _foe_with_colon(self, text: str) -> Foe | None:
        """A foe whose own name holds a colon, such as `vs Kaito: the Wolf:`."""
        lead = _BEFORE_FOE.match(text)
        if lead is None:
            return None
        for form, stop in Phrases(self._with_colon).at(text, lead.end()):
            behind = _BEHIND_FOE[bool(lead["against"])].match(text, stop)
            if behind is not None:
                return Foe(self.names.exact(form), behind.end())
        return None

    def aim(self, text: str, loose: bool = False) -> tuple[str, int] | None:
        """Whom a tag is aimed at, at its end (`; target: Kaito`, `-> Kaito`, `at Kaito`), and where that begins.

        `loose`: so are `to Kaito`, `vs Kaito`, `, Kaito`, `(Kaito)`, in a tag that is certainly one.
        """
        low = text.lower()
        if not any([form in low for form in self._named]) if loose else not _may_aim(low):
            return None
        pattern = _LOOSE_AIM if loose else _AIM
        found = pattern.search(text)
        while found is not None:
            name = self._only_name(_unclosed(text, found))
            if name is not None:
                return name, found.start()
            # The blank behind one of these signs may be the one in front of the next.
            found = pattern.search(text, max(found.start() + 1, found.end() - 1))
        return None

    def _only_name(self, words: str) -> str | None:
        """Whose name these words are, a full stop aside."""
        if len(words) > _LONGEST_NAME:
            return None
        return self.names.exact(words) or (self.names.exact(words[:-1]) if words.endswith((".", "!")) else None)

    def forfeits(self, text: str) -> bool:
        """Whether somebody gives up: `forfeits the battle`, `I forfeit`, `Kaito forfeits`."""
        found = _FORFEIT.fullmatch(text)
        return found is not None and (found["who"] in (None, "i", "I") or self.names.exact(found["who"]) is not None)

    def ability(self, text: str) -> tuple[str, str] | None:
        """(name in the tables, sort) of an ability's written name; a gloss in brackets may follow it."""
        form = squeeze(text)
        found = self.abilities.get(form)
        if found is None and form.endswith(")"):
            name, _, gloss = form[:-1].partition("(")
            found = self.abilities.get(name.strip()) or self.abilities.get(gloss.strip())
        return found

    @property
    def words(self) -> frozenset[str]:
        """Every word of a name that the battle knows, in small letters."""
        if self._words is None:
            named = (*self.abilities, *self.forms, *self.weapons)
            self._words = frozenset(word for form in named for word in re.findall(r"[a-z]+", form))
        return self._words

    def once(self, key: Hashable, read: Callable[[], Any]) -> Any:
        """What `read` gives for a tag, which is asked once in a battle for the same words."""
        if key not in self.read:
            if len(self.read) >= _MOST_READ:
                self.read.clear()
            self.read[key] = read()
        return self.read[key]

    def ability_at(self, text: str, place: int) -> tuple[tuple[str, str], int] | None:
        """The ability whose name begins at a place, (name in the tables, sort), and the place behind it."""
        if self._phrases is None:
            self._phrases = Phrases(self.abilities)
            self._starts = {form[:2] for form in self.abilities}
        if text[place : place + 2].casefold() not in self._starts:
            return None
        head = text[place:].partition(";")[0].rstrip()
        whole = self.abilities.get(squeeze(head))
        if whole is not None:
            return whole, place + len(head)
        for form, stop in self._phrases.at(text, place):
            return self.abilities[form], stop
        return None

    def abilities_in(self, text: str) -> tuple[str, ...]:
        """The abilities that a text may name anywhere: by their letters, whatever stands between them."""
        if self._letters is None:
            self._letters = [(_letters(form), name) for form, (name, _) in self.abilities.items()]
        held = _letters(text)
        return tuple(dict.fromkeys(name for form, name in self._letters if len(form) > 3 and form in held))

    def names_in(self, text: str) -> tuple[str, ...]:
        """The fighters whom a text names anywhere."""
        words = f" {' '.join(re.findall(_WORD, squeeze(text)))} "
        return tuple(
            dict.fromkeys(str(self.names.exact(form)) for form in self.names.forms if f" {_spaced(form)} " in words)
        )

    def weapon(self, text: str) -> str | None:
        """A weapon's name in the tables; a plural s may follow."""
        form = squeeze(text)
        return self.weapons.get(form) or self.weapons.get(form.removesuffix("s"))

    def basic(self, text: str) -> str | None:
        """The basic attack that a word means (NS7), or None."""
        form = squeeze(text)
        return BASIC_WORDS.get(form)


def _may_aim(low: str) -> bool:
    return ">" in low or "\u2192" in low or "target" in low or "at " in low or "at\n" in low


def _unclosed(text: str, found: re.Match[str]) -> str:
    """What follows a sign of aim, without the end of a bracket that the sign itself opened."""
    words = text[found.end() :].strip()
    return words.rstrip(")] ") if "(" in found.group() else words


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _spaced(form: str) -> str:
    return " ".join(re.findall(_WORD, form))


@lru_cache(maxsize=1024)
def stat_label(word: str) -> str:
    """A stat's name in one spelling: capitals at the start of each word."""
    return " ".join(part[:1].upper() + part[1:] for part in squeeze(word).split(" "))


def rows(tables: Table, key: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """The rows of a table, leaving out what is of the wrong type."""
    table = tables.get(key)
    if not isinstance(table, dict):
        return
    for name, row in table.items():
        if isinstance(row, dict):
            yield str(name), row


def _aliases(row: Mapping[str, Any]) -> list[str]:
    found = row.get("aliases")
    return [str(alias) for alias in found] if isinstance(found, (list, tuple)) else []


def _more_stats(characters: tuple[Character, ...], tables: Table) -> list[str]:
    more = [row.get(side) for _, row in rows(tables, "modifiers") for side in ("offense", "defense")]
    for character in characters:
        stats = character.get("stats")
        more += list(stats) if isinstance(stats, dict) else []
    return [str(stat) for stat in more if isinstance(stat, str) and stat.strip()]


#: Words of names that mean something else in posts.
_NO_NAMES = frozenset(
    (
        *(
            "main",
            "setup",
            "response",
            "phase",
            "damage",
            "attack",
            "hit",
            "dodge",
            "roll",
            "loss",
            "guard",
            "the",
            "and",
        ),
        *("von", "van", "der", "clan", "lord", "lady", "sir", "master", "captain", "stat", "rank"),
        *map(str.casefold, STATS),
        *POOL_WORDS,
        *BASIC_WORDS,
        *STAT_WORDS,
    )
)


@lru_cache(maxsize=64)
def _called(named: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Names with whatever else each fighter is called, from (name, aliases).

    That is another word of the name, or several, that nobody else has: `Mori` or `Captain Kaito` of `Captain Kaito
    Mori`; and an alias without its article.
    """
    forms: list[list[str]] = []
    taken: dict[str, int] = {}
    for name, aliases in named:
        words = name.split()
        mine = [word for word in words[1:] if len(word) > 2 and word[0].isalpha() and not word[0].islower()]
        mine += [" ".join(words[:stop]) for stop in range(2, len(words))]
        mine += [" ".join(words[start:]) for start in range(1, len(words) - 1)]
        mine += [alias[4:] for alias in aliases if alias[:4].casefold() == "the " and len(alias) > 6]
        forms.append(mine)
        for form in {*map(squeeze, (*mine, *words[:1], name, *aliases))}:
            taken[form] = taken.get(form, 0) + 1
    free = [[form for form in mine if taken[squeeze(form)] == 1 and squeeze(form) not in _NO_NAMES] for mine in forms]
    return tuple((name, (*aliases, *more)) for (name, aliases), more in zip(named, free, strict=True))


def _lexicon(sheets: Sheets) -> Lexicon:
    return Lexicon(sheets.characters, sheets.tables)


def lexicon_of(sheets: Sheets) -> Lexicon:
    """The lexicon of a battle, built once."""
    return sheets.once(_lexicon)
