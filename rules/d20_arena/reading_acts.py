"""Reading actions: attacks, healing, self skills, struggles, help, reactions (ND2 to ND8, ND18 to ND24)."""

from __future__ import annotations

import re
from dataclasses import replace

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
_JUNK = r"(?:[ \t]*[(\[]?[A-Za-z/:.=]{1,24}[)\]]?)?"
_VERSUS = re.compile(
    _JUNK + r"[ \t]*,?[ \t]*(?:vs?\.?|versus|against)[ \t]*(?:(?:defen[cs]e|def)\b\.?[ \t]*:?[ \t]*)?(\d{1,9})(?!\d)"
    r"((?:[ \t]*(?:and|&|/)[ \t]*\d{1,9}(?!\d)){0,19})",
    re.IGNORECASE,
)
_PART = re.compile(r"\b(no[ \t]+save|damage|dmg|binding|bind[ \t]+level|save)\b[ \t]*:?[ \t]*", re.IGNORECASE)
_LEVELS = re.compile(
    rf"(?:(\d{{1,4}})[ \t]*(?:->|=>|\u2192|to)[ \t]*)?(\d{{1,4}})(?!\d)(?:[ \t]*\([ \t]*{AREA}[ \t]*\))?", re.IGNORECASE
)
_SPILL = re.compile(
    r"[ \t]*[,;]?[ \t]*spill(?:-|[ \t])?over:?[ \t]+(arms?|legs?|torso|head)[ \t]+"
    r"(?:(\d{1,4})[ \t]*(?:->|=>|\u2192)[ \t]*)?(\d{1,4})(?!\d)",
    re.IGNORECASE,
)
_AGAINST = re.compile(_JUNK + r"[ \t]*,?[ \t]*(?:vs?\.?|versus|against)[ \t]*(?:dc[ \t]*)?(\d{1,6})", re.IGNORECASE)
_ITSELF = re.compile(
    _JUNK + r"[ \t]*(?:damage[ \t]+)?(?:to|on|against)[ \t]+(.{1,80}?)[ \t]+(?:itself|himself|herself|themselves)\b",
    re.I,
)
_RESISTED = re.compile(r"\b(?:resist(?:ed|s)?|saved|success\w{0,5}|made)\b", re.IGNORECASE)
_FAILED = re.compile(r"\bfail(?:ed|s|ure)?\b", re.IGNORECASE)
_LEVEL = re.compile(
    _JUNK + r"[ \t]*[,;]?[ \t]*(?:bind[ \t]+)?level[ \t]*:?[ \t]*(\d{1,4})[ \t]*(?:->|=>|\u2192|to)[ \t]*(\d{1,4})",
    re.IGNORECASE,
)
_SPARE = re.compile(
    r"[ \t]*[;,.]?[ \t]*spare(?:[ \t]+level)?[ \t]*:?[ \t]*(arms?|legs?|torso|head)[ \t]*"
    r"(?:(\d{1,4})[ \t]*(?:->|=>|\u2192)[ \t]*)?(\d{1,4})",
    re.IGNORECASE,
)
_HEAL = re.compile(r"[ \t]*heal(?:s|ed|ing)?[ \t]*:?[ \t]*", re.IGNORECASE)
_COLON = re.compile(r"[ \t]*:[ \t]*")
_COLON_OR_NOT = re.compile(r"[ \t]*:?[ \t]*")
_NONE = re.compile(r"[ \t]*(?:none|nothing|no action)\b[ \t]*[,;(.-]?[ \t]*[a-z ]{0,30}\)?[ \t]*$", re.IGNORECASE)
_ABILITY = re.compile(r"[^\[\](){}\d:;=<>?\n]{1,60}\Z")
_IN_AREA = re.compile(rf"[ \t]*\([ \t]*{AREA}[ \t]*\)", re.IGNORECASE)
_REACT = re.compile(
    r"(?P<ability>[^:\n]{1,60}?)[ \t]*,[ \t]*(?P<what>def(?:en[cs]e)?|damage)\b\.?[ \t]*:?[ \t]*"
    r"(?P<before>\d{1,9})[ \t]*(?P<sign>[+-])[ \t]*(?P<change>\d{1,9})[ \t]*=[ \t]*(?P<after>-?\d{1,9})(?!\d)",
    re.IGNORECASE,
)


def as_die(read: Sum) -> Sum:
    """A sum whose `= n` is the die (X4: Trap, Struggle, Save), with that die as its shown value."""
    group = read.groups[0]
    if group.values or read.total is None:
        return read
    throws = tuple(
        replace(t, written=replace(t.written, values=(read.total,))) for t in read.throws if t.groups == (0,)
    )
    shown = Group(group.count, group.sides, (read.total,), group.crit)
    return Sum((shown, *read.groups[1:]), read.bonuses, read.total, throws or read.throws)


def read_action(
    text: str, place: int, end: int, links: Links, names: Lexicon, free: bool
) -> Strike | Mend | Use | None:
    """The inside of an Action or Free attack tag; None where it can't be read."""
    if not free and _NONE.match(text, place, end):
        return Use(None, None)
    actor, place = read_actor(text, place, end, names)
    head = arrow(text, place, end)
    if head is None:
        return _plain_use(text, place, end, links, names, actor)
    ability = text[place : head.start()].strip()
    if not _ABILITY.match(ability) and names.abilities.find(ability) is None:
        return None
    aimed = names.targets.match(text, head.end(), end)
    targets = names.named(aimed.group(1)) if aimed else None
    if aimed is None or not targets:
        return None
    ability = names.ability_name(ability)
    rest = _COLON_OR_NOT.match(text, aimed.end(), end)
    place = rest.end() if rest else aimed.end()
    if not text[place:end].strip(" .!"):
        return Use(actor, ability, targets)
    heal = _HEAL.match(text, place, end)
    if heal:
        healed = read_sum(text, heal.end(), end, links)
        return Mend(actor, ability, targets, healed[0]) if healed else None
    return read_strike(text, place, end, links, Strike(actor, ability, targets, free))


def read_actor(text: str, place: int, end: int, names: Lexicon) -> tuple[str | None, int]:
    """A leading `Golem 1: `, and the place behind it."""
    found = names.actor.match(text, place, end)
    return (names.fighters.find(found.group(1)), found.end()) if found else (None, place)


def _plain_use(text: str, place: int, end: int, links: Links, names: Lexicon, actor: str | None) -> Use | Mend | None:
    """`[Action: Focus]`, `[Action: Mend: heals 1d6 [4] + 2 = 6]`."""
    known = names.ability.match(text, place, end)
    if known:
        rest = _COLON_OR_NOT.match(text, known.end(), end)
        heal = _HEAL.match(text, rest.end() if rest else known.end(), end)
        if heal:
            healed = read_sum(text, heal.end(), end, links)
            return Mend(actor, names.ability_name(known.group(1)), (), healed[0]) if healed else None
        if not text[known.end() : end].strip(" .!;"):
            return Use(actor, names.ability_name(known.group(1)))
        return None
    words = text[place:end].strip(" .!;")
    return Use(actor, names.ability_name(words)) if words and _ABILITY.match(words) else None


def read_strike(text: str, place: int, end: int, links: Links, strike: Strike) -> Strike | None:
    """`1d20+4 = 19 vs Defense 15, hit; damage 2d6+3 = 11 ...` into `strike`; None where it can't be read."""
    hit = read_sum(text, place, end, links)
    if hit is None or hit[0].groups[0].count > 100:
        return None
    place = hit[1]
    versus = _VERSUS.match(text, place, end)
    defense: tuple[int, ...] = ()
    if versus:
        more = re.findall(r"\d+", versus.group(2) or "")
        defense = (int(versus.group(1)), *(int(n) for n in more))
        place = versus.end()
    part = _PART.search(text, place, end)
    words = text[place : part.start() if part else end]
    outcome = outcome_word(words) if len(strike.targets) < 2 else outcome_of_each(words, strike.targets)
    if hit[0].total is None and outcome is None and not hit[0].groups[0].values:
        return None
    found: Strike | None = replace(strike, hit=hit[0], defense=defense, outcome=outcome)
    while part is not None and found is not None:
        found, place = _read_part(text, part, end, links, found)
        part = _PART.search(text, place, end)
    return found


def _read_part(text: str, part: re.Match[str], end: int, links: Links, strike: Strike) -> tuple[Strike | None, int]:
    """One part behind the outcome, and the place behind it; None where its numbers can't be read."""
    word = part.group(1).casefold()
    place = part.end()
    if word.startswith("no"):
        return replace(strike, save=Save(granted=False)), place
    if word == "save":
        save, place = read_save(text, place, end, links)
        return (replace(strike, save=save) if save else None), place
    if word.startswith("bind") and word != "binding":
        levels, place = read_levels(text, place, end)
        return (replace(strike, levels=levels) if levels else None), place
    read = read_sum(text, place, end, links)
    if read is None:
        return None, place
    if word == "binding":
        return replace(strike, binding=as_die(read[0])), read[1]
    turned = _ITSELF.match(text, read[1], end)
    itself = turned.group(1) if turned else None
    return replace(strike, damage=read[0], itself=itself), turned.end() if turned else read[1]


def read_levels(text: str, place: int, end: int) -> tuple[Levels | None, int]:
    """`0 -> 2 (legs), spill-over torso 0 -> 1` or `2 (legs)`, and the place behind it."""
    found = _LEVELS.match(text, place, end)
    if found is None:
        return None, place
    old = int(found.group(1)) if found.group(1) else None
    levels = Levels(int(found.group(2)), area_of(found["area"]), old)
    place = found.end()
    spill = _SPILL.match(text, place, end)
    if spill:
        before = int(spill.group(2)) if spill.group(2) else None
        levels = replace(levels, spill_area=area_of(spill.group(1)), spill_old=before, spill_to=int(spill.group(3)))
        place = spill.end()
    return levels, place


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
    named = names.targets.match(text, place, end)
    actor = names.fighters.find(named.group(1)) if named else None
    if named is not None and actor is not None:
        where = _IN_AREA.match(text, named.end(), end)
        area = area_of(where["area"]) if where else area
        colon = _COLON.match(text, where.end() if where else named.end(), end)
        if colon is None:
            return None
        place = colon.end()
    read = read_sum(text, place, end, links)
    if read is None:
        return None
    return _escape(text, read[1], end, Escape(actor, None, area, as_die(read[0]), None, None))


def read_help(text: str, place: int, end: int, links: Links, names: Lexicon) -> Escape | None:
    """The inside of a Help tag (ND20): here `= n` is the total."""
    named = names.targets.match(text, place, end)
    helped = names.fighters.find(named.group(1)) if named else None
    if named is None or helped is None:
        return None
    where = _IN_AREA.match(text, named.end(), end)
    colon = _COLON.match(text, where.end() if where else named.end(), end)
    read = read_sum(text, colon.end(), end, links) if colon else None
    if read is None:
        return None
    area = area_of(where["area"]) if where else None
    return _escape(text, read[1], end, Escape(None, helped, area, read[0], None, None))


def _escape(text: str, place: int, end: int, escape: Escape) -> Escape | None:
    """`, level 3 -> 2; spare: arms 2 -> 1` behind the roll."""
    level = _LEVEL.match(text, place, end)
    if level is None:
        return escape if not text[place:end].strip(" .,;!") and escape.roll.total is not None else None
    escape = replace(escape, old=int(level.group(1)), new=int(level.group(2)))
    behind = _IN_AREA.match(text, level.end(), end)
    if behind and escape.area is None:
        escape = replace(escape, area=area_of(behind["area"]))
    spare = _SPARE.match(text, behind.end() if behind else level.end(), end)
    if spare is None:
        return escape
    before = int(spare.group(2)) if spare.group(2) else None
    return replace(escape, spare_area=area_of(spare.group(1)), spare_old=before, spare_new=int(spare.group(3)))


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
