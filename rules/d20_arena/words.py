"""The words of this system as patterns: names of fighters, areas, outcomes, marks of tags and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from referee.ports.phrases import Phrases
from referee.ports.reading import Names, squeeze
from referee.ports.rules import Sheets
from rules.d20_arena.records import CRITICAL, FUMBLE, HIT, MISS

AREAS = ("arms", "legs", "torso", "head")
AREA = r"(?P<area>arms?|legs?|torso|head)"
_AREA_SAID = {"arm": "arms", "leg": "legs", **{area: area for area in AREAS}}
_BETWEEN = re.compile(r"[ \t]*+(?:,(?:[ \t]*+and\b)?|&|\band\b)[ \t]*+", re.IGNORECASE)
_THE = frozenset(("the ", "The ", "THE "))
_BLANKS = re.compile(r"[ \t]+")
_COLON = re.compile(r"[ \t]*+:[ \t]*+")
_MOST_TARGETS = 20
#: `Mend -> self`, `Mend on herself`: the target is whoever acts, as where none is named.
ON_SELF = re.compile(
    r"(?:[ ]*+(?:-->?|->|=>|\u2192|,)|[ ]++(?:on|at|to|for)\b)[ ]*+(?:(?:her|him|it|them|my)?self|themselves)\b",
    re.IGNORECASE,
)
_ARROW = re.compile(r"->|=>|-->|\u2192")
_WORD = re.compile(r"\w+")
#: Behind a name that leads a tag or line without a colon: `Golem 1 - Slam -> ...`, `Vesna uses Side Step, ...`.
_LED = re.compile(r"[ ]*+(?:[:;,]|-(?=[ A-Za-z]))[ ]*+|[ ]+(?:uses?|using|reacts[ ]with|casts?)[ ]+", re.IGNORECASE)
#: Types of abilities that need a roll.
_ROLLED = frozenset(("heal", "damage", "bind"))
#: Names are looked for in so many characters of a tag.
_MOST_LOOKED = 1300

#: The number of a phase before its name: `Phase 4 - Action:`, `4 - Action:`.
_PHASE = re.compile(r"\s*(?:(?:phase|step)[ ]?#?[1-5][ ]*+[:.)-][ ]*+|[1-5][ ]*+[:.)-]+[ ]++)", re.IGNORECASE)
#: How a number of a phase may begin.
PHASE_BEGINS = frozenset("pPsS12345")
#: What begins like a tag of this system (G19).
TAG = re.compile(
    r"\s*(?P<word>announce|move|trap|action|free[ ]attack|struggle|help|reaction"
    r"|to[ ]hit|damage|binding|bind[ ]level|save)[ \t]*+(?:\((?P<note>[^()\n]{0,40})\)[ \t]*+)?:[ \t]*+",
    re.IGNORECASE,
)


def behind_phase(text: str, place: int, end: int) -> int:
    """The place behind the number of a phase, or the same place where none stands there."""
    if text[place : place + 1] not in PHASE_BEGINS:
        return place
    found = _PHASE.match(text, place, end)
    return found.end() if found else place


def phased_tag(text: str, place: int, end: int) -> re.Match[str] | None:
    """The beginning of a tag behind the number of its phase."""
    behind = behind_phase(text, place, end)
    return TAG.match(text, behind, end) if behind > place else None


#: The words that tell an outcome; a critical fail or miss is one word here, as it is neither hit nor miss.
_OUTCOME = re.compile(
    r"\b(?:(?P<fumble>crit(?:ical)?[ \t]*+(?:fail|miss|fumble)|fumble)|(?P<miss>miss(?:es|ed)?\b)"
    r"|(?P<critical>crit(?:ical)?\b)|(?P<hit>hits?\b)|nat(?:ural)?[ \t]*+(?:a[ \t])?(?P<natural>20|twenty|1|one)\b)",
    re.IGNORECASE,
)
_SPELT = {"twenty": "20", "one": "1"}
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
            number = _SPELT.get(found["natural"].casefold(), found["natural"])
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
    """The names of one battle: fighters and abilities, and their forms as they stand in texts.

    `healing`: the abilities that heal, `rolled`: those that need a roll, healing ones included;
    `firsts`: the first word of every name, in lower case; `most`:
    the HP of each sheet; `owned`: the fighters of each account, in lower case.
    """

    fighters: Names
    abilities: Names
    fighter_forms: Phrases
    ability_forms: Phrases
    healing: frozenset[str] = frozenset()
    rolled: frozenset[str] = frozenset()
    firsts: frozenset[str] = frozenset()
    most: Mapping[str, int] = field(default_factory=dict)
    owned: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, account: str) -> tuple[str, ...]:
        """The fighters for whom an account posts."""
        return self.owned.get(account.casefold(), ())

    def before_colon(self, text: str, place: int, end: int) -> tuple[str | None, int] | None:
        """The fighter of a leading `Golem 1: `, and the place behind it."""
        for _, stop in self.fighter_forms.at(text, place, end):
            colon = _COLON.match(text, stop, end)
            if colon:
                return self.fighters.find(text[place:stop]), colon.end()
        return None

    def leading(self, text: str, place: int, end: int) -> tuple[str | None, int] | None:
        """Who leads in `Golem 1: `, `Golem 1 - `, `Vesna uses `, `Golem 1 Slam`, and the place behind."""
        for _, stop in self.fighter_forms.at(text, place, end):
            led = _LED.match(text, stop, end)
            if led:
                return self.fighters.find(text[place:stop]), led.end()
            gap = _BLANKS.match(text, stop, end)
            if gap and self.ability(text, gap.end(), end) is not None:
                return self.fighters.find(text[place:stop]), gap.end()
        return None

    def fighters_within(self, text: str) -> frozenset[str]:
        """Every fighter that a text names."""
        return frozenset(name for form in _forms_in(self.fighter_forms, text) if (name := self.fighters.find(form)))

    def abilities_within(self, text: str) -> frozenset[str]:
        """Every known ability that a text names."""
        return frozenset(name for form in _forms_in(self.ability_forms, text) if (name := self.abilities.find(form)))

    def starts(self, text: str, place: int, end: int) -> bool:
        """Whether a text begins with a fighter's name."""
        return next(self.fighter_forms.at(text, place, end), None) is not None

    def aims(self, text: str) -> bool:
        """Whether a text has an arrow with a fighter behind it."""
        found = arrow(text, 0, len(text))
        return found is not None and self.targets(text, found.end(), len(text)) is not None

    def targets(self, text: str, place: int, end: int) -> tuple[str, int] | None:
        """The words of a list such as `Golem 1 and Golem 2`, and the place behind it."""
        blanks = _BLANKS.match(text, place, end)
        start = blanks.end() if blanks else place
        first = next(self.fighter_forms.at(text, start, end), None)
        if first is None and text[start : start + 4] in _THE:
            start += 4
            first = next(self.fighter_forms.at(text, start, end), None)
        if first is None:
            return None
        stop = first[1]
        for _ in range(_MOST_TARGETS - 1):
            between = _BETWEEN.match(text, stop, end)
            further = next(self.fighter_forms.at(text, between.end(), end), None) if between else None
            if further is None:
                break
            stop = further[1]
        return text[start:stop], stop

    def ability(self, text: str, place: int, end: int) -> int | None:
        """The place behind the ability that is named at a place."""
        found = next(self.ability_forms.at(text, place, end), None)
        return found[1] if found else None

    def named(self, text: str) -> tuple[str, ...] | None:
        """The fighters of a list as `targets` finds it (a name may hold an `and` itself); None for nobody."""
        found: list[str | None] = []
        place = 0
        while (form := next(self.fighter_forms.at(text, place), None)) is not None:
            found.append(self.fighters.find(form[0]))
            between = _BETWEEN.match(text, form[1])
            place = between.end() if between else len(text)
        return tuple(name for name in found if name) if found and all(found) else None

    def ability_name(self, text: str) -> str:
        """The ability's own spelling where it is known, else the words as posted."""
        plain = " ".join(text.split())
        return self.abilities.find(plain) or plain


def _forms_in(forms: Phrases, text: str) -> Iterator[str]:
    """The phrases that stand somewhere in a text; at each word the longest."""
    for word in _WORD.finditer(text, 0, _MOST_LOOKED):
        found = next(forms.at(text, word.start()), None)
        if found is not None:
            yield found[0]


def lexicon(sheets: Sheets) -> Lexicon:
    """The lexicon of a battle, made once."""
    return sheets.once(_lexicon)


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


def _lexicon(sheets: Sheets) -> Lexicon:
    people_named = _with_article([(c.name, (*c.aliases, *_numbered(c.name))) for c in sheets.characters])
    fighters, abilities = Names(people_named), Names(_ability_names(sheets), first_words=False)
    people, deeds = Phrases(fighters.forms), Phrases(abilities.forms)
    firsts = frozenset((*people.firsts, *deeds.firsts))
    healing, rolled = _rolled(sheets)
    return Lexicon(fighters, abilities, people, deeds, healing, rolled, firsts, _most(sheets), _owned(sheets))


def _with_article(named: list[tuple[str, tuple[str, ...]]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Names with their aliases, and each of them with `the` before it, or without, where that is nobody's own form."""
    taken = {squeeze(form) for name, aliases in named for form in (name, *aliases)}
    for name, aliases in named:
        forms = [squeeze(form) for form in (name, *aliases)]
        others = [form[4:] if form.startswith("the ") else f"the {form}" for form in forms]
        yield name, (*aliases, *(form for form in others if form not in taken))


def _numbered(name: str) -> tuple[str, ...]:
    """Other spellings of a name with a number: `Golem #1`, `Golem1`."""
    kind, _, number = name.rpartition(" ")
    return (f"{kind} #{number}", f"{kind}{number}") if kind and number.isdecimal() else ()


def _owned(sheets: Sheets) -> dict[str, tuple[str, ...]]:
    """The fighters of each account, in lower case."""
    owned: dict[str, tuple[str, ...]] = {}
    for character in sheets.characters:
        account = (character.player or character.name).casefold()
        owned[account] = (*owned.get(account, ()), character.name)
    return owned


def _most(sheets: Sheets) -> dict[str, int]:
    """The HP on the sheets that have any."""
    stats = ((character.name, character.get("stats")) for character in sheets.characters)
    return {name: row["HP"] for name, row in stats if isinstance(row, dict) and isinstance(row.get("HP"), int)}


def _rolled(sheets: Sheets) -> tuple[frozenset[str], frozenset[str]]:
    """The abilities of the tables that heal, and all that need a roll."""
    healing, rolled = set(), set()
    table = sheets.tables.get("abilities")
    for name, row in table.items() if isinstance(table, dict) else ():
        kind = row.get("type") if isinstance(row, dict) else None
        if isinstance(kind, str) and kind in _ROLLED:
            rolled.add(str(name))
            if kind == "heal":
                healing.add(str(name))
    return frozenset(healing), frozenset(rolled)


def arrow(text: str, place: int, end: int) -> re.Match[str] | None:
    """The first arrow between two places."""
    return _ARROW.search(text, place, end)
