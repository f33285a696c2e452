"""Reading actions: attacks, healing, self skills, struggles, help, reactions (ND2 to ND8, ND18 to ND24)."""

from __future__ import annotations

import re
from typing import Any

from referee.model.claims import WrittenRoll
from rules.d20_arena.reading_sums import Links, read_sum
from rules.d20_arena.reading_words import AREA, Lexicon, area_of, arrow, outcome_of_each, outcome_word
from rules.d20_arena.records import (
    Escape,
    Group,
    Levels,
    Mend,
    Reaction,
    Save,
    Strike,
    Sum,
    Throw,
    Use,
)

#: Words that may be left of a link that leads nowhere, such as `roll`.
_JUNK = r"(?:[ \t]*+[(\[]?[A-Za-z/:.=]{1,24}[)\]]?)?"
#: The same where the words behind it can't be taken for it: looked at only if they do not stand there at once.
_RARE_JUNK = _JUNK + "?"
_VERSUS = re.compile(
    _RARE_JUNK
    + r"[ \t]*+,?[ \t]*+(?:vs?\.?|versus|against)[ \t]*+(?:(?:defen[cs]e|def)\b\.?[ \t]*+:?[ \t]*+)?(\d{1,9})(?!\d)"
    r"((?:[ \t]*+(?:and|&|/)[ \t]*+\d{1,9}(?!\d)){0,19})",
    re.IGNORECASE,
)
_PART = re.compile(r"\b(no[ \t]+save|damage|dmg|binding|bind[ \t]+level|save)\b[ \t]*+:?[ \t]*+", re.IGNORECASE)
_LEVELS = re.compile(
    rf"(?:(\d{{1,4}})[ \t]*+(?:->|=>|\u2192|to)[ \t]*+)?(\d{{1,4}})(?!\d)(?:[ \t]*+\([ \t]*+{AREA}[ \t]*+\))?",
    re.IGNORECASE,
)
_SPILL = re.compile(
    r"[ \t]*+[,;]?[ \t]*+spill(?:-|[ \t])?over:?[ \t]+(arms?|legs?|torso|head)[ \t]+"
    r"(?:(\d{1,4})[ \t]*+(?:->|=>|\u2192)[ \t]*+)?(\d{1,4})(?!\d)",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    _RARE_JUNK + r"[ \t]*+,?[ \t]*+(?:vs?\.?|versus|against)[ \t]*+(?:dc[ \t]*+)?(\d{1,6})", re.IGNORECASE
)
_ITSELF = re.compile(
    _JUNK + r"[ \t]*+(?:damage[ \t]+)?(?:to|on|against)[ \t]+(.{1,80}?)[ \t]+(?:itself|himself|herself|themselves)\b",
    re.I,
)
_RESISTED = re.compile(r"\b(?:resist(?:ed|s)?|saved|success\w{0,5}|made)\b", re.IGNORECASE)
_FAILED = re.compile(r"\bfail(?:ed|s|ure)?\b", re.IGNORECASE)
_LEVEL = re.compile(
    _RARE_JUNK
    + r"[ \t]*+[,;]?[ \t]*+(?:bind[ \t]+)?level[ \t]*+:?[ \t]*+(\d{1,4})[ \t]*+(?:->|=>|\u2192|to)[ \t]*+(\d{1,4})",
    re.IGNORECASE,
)
_SPARE = re.compile(
    r"[ \t]*+[;,.]?[ \t]*+spare(?:[ \t]+level)?[ \t]*+:?[ \t]*+(arms?|legs?|torso|head)[ \t]*+"
    r"(?:(\d{1,4})[ \t]*+(?:->|=>|\u2192)[ \t]*+)?(\d{1,4})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_HEAL = re.compile(r"[ \t]*+heal(?:s|ed|ing)?[ \t]*+:?[ \t]*+", re.IGNORECASE)
_COLON = re.compile(r"[ \t]*+:[ \t]*+")
_COLON_OR_NOT = re.compile(r"[ \t]*+:?[ \t]*+")
_NONE = re.compile(r"[ \t]*+(?:none|nothing|no action)\b[ \t]*+[,;(.-]?[ \t]*+[a-z ]{0,30}\)?[ \t]*+$", re.IGNORECASE)
_ABILITY = re.compile(r"[^\[\](){}\d:;=<>?\n]{1,60}\Z")
_IN_AREA = re.compile(rf"[ \t]*+\([ \t]*+{AREA}[ \t]*+\)", re.IGNORECASE)
_REACT = re.compile(
    r"(?P<ability>[^:\n]{1,60}?)[ \t]*+,[ \t]*+(?P<what>def(?:en[cs]e)?|damage)\b\.?[ \t]*+:?[ \t]*+"
    r"(?P<before>\d{1,9})[ \t]*+(?P<sign>[+-])[ \t]*+(?P<change>\d{1,9})[ \t]*+=[ \t]*+(?P<after>-?\d{1,9})(?!\d)",
    re.IGNORECASE,
)


def as_die(read: Sum) -> Sum:
    """A sum whose `= n` is the die (X4: Trap, Struggle, Save), with that die as its shown value."""
    group = read.groups[0]
    if group.values or read.total is None:
        return read
    values = (read.total,)
    throws = tuple(
        Throw(WrittenRoll(values, t.written.anchors, t.written.expression), t.groups, t.expressions)
        for t in read.throws
        if t.groups == (0,)
    )
    shown = Group(group.number, group.sides, values, group.crit)
    return Sum((shown, *read.groups[1:]), read.bonuses, read.total, throws or read.throws)


def read_action(
    text: str, place: int, end: int, links: Links, names: Lexicon, free: bool
) -> Strike | Mend | Use | None:
    """The inside of an Action or Free attack tag; None where it can't be read."""
    start = place
    actor, place = read_actor(text, place, end, names)
    head = arrow(text, place, end)
    if head is None:
        if not free and _NONE.match(text, start, end):
            return Use(None, None)
        return _plain_use(text, place, end, links, names, actor)
    ability = text[place : head.start()].strip()
    known = names.abilities.find(ability)
    if known is None and not _ABILITY.match(ability):
        return None
    aimed = names.targets(text, head.end(), end)
    targets = names.named(aimed[0]) if aimed else None
    if aimed is None or not targets:
        return None
    ability = known or names.ability_name(ability)
    rest = _COLON_OR_NOT.match(text, aimed[1], end)
    place = rest.end() if rest else aimed[1]
    struck = read_strike(text, place, end, links, actor, ability, targets, free)
    if struck is not None:
        return struck
    heal = _HEAL.match(text, place, end)
    if heal:
        healed = read_sum(text, heal.end(), end, links)
        return Mend(actor, ability, targets, healed[0]) if healed else None
    return Use(actor, ability, targets) if not text[place:end].strip(" .!") else None


def read_actor(text: str, place: int, end: int, names: Lexicon) -> tuple[str | None, int]:
    """A leading `Golem 1: `, and the place behind it."""
    return names.before_colon(text, place, end) or (None, place)


def _plain_use(text: str, place: int, end: int, links: Links, names: Lexicon, actor: str | None) -> Use | Mend | None:
    """`[Action: Focus]`, `[Action: Mend: heals 1d6 [4] + 2 = 6]`."""
    known = names.ability(text, place, end)
    if known is not None:
        name = names.ability_name(text[place:known])
        rest = _COLON_OR_NOT.match(text, known, end)
        heal = _HEAL.match(text, rest.end() if rest else known, end)
        if heal:
            healed = read_sum(text, heal.end(), end, links)
            return Mend(actor, name, (), healed[0]) if healed else None
        return Use(actor, name) if not text[known:end].strip(" .!;") else None
    words = text[place:end].strip(" .!;")
    return Use(actor, names.ability_name(words)) if words and _ABILITY.match(words) else None


def read_strike(
    text: str,
    place: int,
    end: int,
    links: Links,
    actor: str | None = None,
    ability: str | None = None,
    targets: tuple[str, ...] = (),
    free: bool = False,
) -> Strike | None:
    """`1d20+4 = 19 vs Defense 15, hit; damage 2d6+3 = 11 ...`; None where it can't be read."""
    read = read_sum(text, place, end, links)
    if read is None or read[0].groups[0].number > 100:
        return None
    hit, place = read
    versus = _VERSUS.match(text, place, end)
    defense: tuple[int, ...] = ()
    if versus:
        defense = (int(versus.group(1)), *map(int, _NUMBER.findall(versus.group(2))))
        place = versus.end()
    part = _PART.search(text, place, end)
    words = text[place : part.start() if part else end]
    outcome = outcome_word(words) if len(targets) < 2 else outcome_of_each(words, targets)
    if hit.total is None and outcome is None and not hit.groups[0].values:
        return None
    parts: dict[str, Any] = {}
    while part is not None:
        behind = _read_part(text, part, end, links, parts)
        if behind is None:
            return None
        part = _PART.search(text, behind, end)
    return Strike(actor, ability, targets, free, hit, defense, outcome, **parts)


def _read_part(text: str, part: re.Match[str], end: int, links: Links, parts: dict[str, Any]) -> int | None:
    """One part behind the outcome into `parts`; the place behind it, or None where its numbers can't be read."""
    word = part.group(1).casefold()
    place = part.end()
    if word.startswith("no"):
        parts["save"] = Save(granted=False)
        return place
    if word == "save":
        parts["save"], place = read_save(text, place, end, links)
        return place if parts["save"] else None
    if word.startswith("bind") and word != "binding":
        parts["levels"], place = read_levels(text, place, end)
        return place if parts["levels"] else None
    read = read_sum(text, place, end, links)
    if read is None:
        return None
    if word == "binding":
        parts["binding"] = as_die(read[0])
        return read[1]
    turned = _ITSELF.match(text, read[1], end)
    parts["damage"], parts["itself"] = read[0], turned.group(1) if turned else None
    return turned.end() if turned else read[1]


def read_levels(text: str, place: int, end: int) -> tuple[Levels | None, int]:
    """`0 -> 2 (legs), spill-over torso 0 -> 1` or `2 (legs)`, and the place behind it."""
    found = _LEVELS.match(text, place, end)
    if found is None:
        return None, place
    old = int(found.group(1)) if found.group(1) else None
    to, area = int(found.group(2)), area_of(found["area"])
    spill = _SPILL.match(text, found.end(), end)
    if spill is None:
        return Levels(to, area, old), found.end()
    before = int(spill.group(2)) if spill.group(2) else None
    return Levels(to, area, old, area_of(spill.group(1)), int(spill.group(3)), before), spill.end()


def read_save(text: str, place: int, end: int, links: Links) -> tuple[Save | None, int]:
    """`1d20 = 14 vs 11, resisted`, and the place behind it."""
    read = read_sum(text, place, end, links)
    if read is None:
        return None, place
    roll, place = as_die(read[0]), read[1]
    against = _AGAINST.match(text, place, end)
    place = against.end() if against else place
    stop = text.find(";", place, end)
    words = text[place : stop if stop >= 0 else end]
    resisted = False if _FAILED.search(words) else True if _RESISTED.search(words) else None
    return Save(roll, int(against.group(1)) if against else None, resisted), place


def read_struggle(text: str, place: int, end: int, links: Links, names: Lexicon, note: str | None) -> Escape | None:
    """The inside of a Struggle tag; `note` is what stood in brackets behind the word."""
    area = area_of(note)
    if note and area is None:
        return None
    named = names.targets(text, place, end)
    actor = names.fighters.find(named[0]) if named else None
    if named is not None and actor is not None:
        where = _IN_AREA.match(text, named[1], end)
        area = area_of(where["area"]) if where else area
        colon = _COLON.match(text, where.end() if where else named[1], end)
        if colon is None:
            return None
        place = colon.end()
    read = read_sum(text, place, end, links)
    if read is None:
        return None
    return _escape(text, read[1], end, actor, None, area, as_die(read[0]))


def read_help(text: str, place: int, end: int, links: Links, names: Lexicon) -> Escape | None:
    """The inside of a Help tag (ND20): here `= n` is the total."""
    named = names.targets(text, place, end)
    helped = names.fighters.find(named[0]) if named else None
    if named is None or helped is None:
        return None
    where = _IN_AREA.match(text, named[1], end)
    colon = _COLON.match(text, where.end() if where else named[1], end)
    read = read_sum(text, colon.end(), end, links) if colon else None
    if read is None:
        return None
    area = area_of(where["area"]) if where else None
    return _escape(text, read[1], end, None, helped, area, read[0])


def _escape(
    text: str, place: int, end: int, actor: str | None, helped: str | None, area: str | None, roll: Sum
) -> Escape | None:
    """`, level 3 -> 2; spare: arms 2 -> 1` behind the roll."""
    level = _LEVEL.match(text, place, end)
    if level is None:
        whole = roll.total is not None and not text[place:end].strip(" .,;!")
        return Escape(actor, helped, area, roll, None, None) if whole else None
    old, new = int(level.group(1)), int(level.group(2))
    behind = _IN_AREA.match(text, level.end(), end)
    if behind and area is None:
        area = area_of(behind["area"])
    spare = _SPARE.match(text, behind.end() if behind else level.end(), end)
    if spare is None:
        return Escape(actor, helped, area, roll, old, new)
    before = int(spare.group(2)) if spare.group(2) else None
    return Escape(actor, helped, area, roll, old, new, area_of(spare.group(1)), before, int(spare.group(3)))


def read_reaction(text: str, place: int, end: int, names: Lexicon) -> Reaction | None:
    """The inside of a Reaction tag (ND21)."""
    actor, place = read_actor(text, place, end, names)
    found = _REACT.match(text, place, end)
    if actor is None or found is None:
        return None
    change = int(found["change"]) * (-1 if found["sign"] == "-" else 1)
    what = "damage" if found["what"].casefold() == "damage" else "defense"
    ability = names.ability_name(found["ability"])
    return Reaction(actor, ability, what, int(found["before"]), change, int(found["after"]))


__all__ = [
    "Throw",
    "as_die",
    "read_action",
    "read_help",
    "read_levels",
    "read_reaction",
    "read_save",
    "read_strike",
    "read_struggle",
]
