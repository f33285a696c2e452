"""Reading bindings: saving throws, struggles and help (ND4, ND18, ND20, ND22, ND24)."""

from __future__ import annotations

import re

from referee.model.claims import WrittenRoll
from rules.d20_arena.reading.levels import read_levels
from rules.d20_arena.reading.links import Links
from rules.d20_arena.reading.sums import read_sum
from rules.d20_arena.reading.versus import RARE_JUNK
from rules.d20_arena.records import Escape, Group, Levels, Save, Sum, Throw
from rules.d20_arena.words import AREA, Lexicon, area_of

_VERSUS = re.compile(
    RARE_JUNK + r"[ \t]*+,?[ \t]*+(?:vs?\.?|versus|against)[ \t]*+(?:dc[ \t]*+)?(\d{1,6})", re.IGNORECASE
)
_RESISTED = re.compile(r"\b(?:resist(?:ed|s)?|saved|success\w{0,5}|made)\b", re.IGNORECASE)
_FAILED = re.compile(r"\bfail(?:ed|s|ure)?\b", re.IGNORECASE)
_LEVEL = re.compile(
    RARE_JUNK
    + r"[ \t]*+[,;]?[ \t]*+(?:(?:bind(?:ing)?[ \t]+)?(?:level|lvl\.?)|bind(?:ing)?)[ \t]*+:?[ \t]*+"
    + r"(\d{1,4})[ \t]*+(?:--?>|=>|\u2192|to)[ \t]*+(\d{1,4})",
    re.IGNORECASE,
)
#: A word about the roll before the level: `, success, level 3 -> 2`.
_REMARK = re.compile(
    r"[ \t]*+[,;(-]?[ \t]*+(?:success\w{0,5}|fail\w{0,4}|hard|easy|medium|extreme|free[ds]?|natural 20|nat 20)[)!]?",
    re.I,
)
#: Between the roll and the level left: a word about the roll, how much comes off, an arrow, `now level`.
_LEAD = re.compile(
    r"[ \t]*+(?:\([^()\n]{0,30}\)[ \t]*+)?[,;:.-]?[ \t]*+"
    r"(?:(?:success\w{0,5}|fail\w{0,4}|hard|easy|medium|extreme|impossible)[ \t]*+[,;:!.-]?[ \t]*+)?"
    r"(?:(?:-{0,2}>|=>|\u2192)[ \t]*+)?(?:(?:now|so|leaves|to|down to|still)[ ])?"
    r"(?P<level>(?:bind(?:ing)?s?[ ])?(?:levels?|lvl\.?)\b[ \t]*+[:=]?[ \t]*+)?",
    re.IGNORECASE,
)
_FREE = re.compile(r"(?:is[ ])?(?:free[ds]?|free of it|breaks? free|out)[ .!)]*+\Z", re.IGNORECASE)
_SPARE = re.compile(
    r"[ \t]*+[;,.]?[ \t]*+spare(?:[ \t]+level)?[ \t]*+:?[ \t]*+(arms?|legs?|torso|head)[ \t]*+"
    r"(?:(\d{1,4})[ \t]*+(?:--?>|=>|\u2192)[ \t]*+)?(\d{1,4})",
    re.IGNORECASE,
)
_COLON = re.compile(r"[ \t]*+[:;,-][ \t]*+|[ \t]++(?=\d{0,2}d\d)", re.IGNORECASE)
_IN_AREA = re.compile(rf"[ \t]*+\([ \t]*+{AREA}[ \t]*+\)", re.IGNORECASE)
#: An area without brackets: `Struggle legs: ...`, `Help: Hana, legs: ...`, `Hana's legs`.
_AREA_PLAIN = re.compile(
    r"(?:'s)?[ \t]*+[,:-]?[ \t]*+(?:(?:with|on|against|from|of|at|to|out of)[ ])?(?:(?:the|her|his|their|my)[ ])?"
    + AREA
    + r"\b"
    r"(?:[ ](?:bindings?|binds?))?[ \t]*+(?:[:;,-][ \t]*+|(?=\d{0,2}d\d))",
    re.IGNORECASE,
)
_ROLLED = re.compile(r"roll(?:ed|s)?[ ]+(?:an?[ ]+)?(?P<die>\d{1,2})(?![\dd])", re.IGNORECASE)


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


def read_die(text: str, place: int, end: int, links: Links) -> tuple[Sum, int] | None:
    """A roll whose `= n` is the die (X4), also `rolled 13`: by A1 it is 1d20."""
    read = read_sum(text, place, end, links)
    if read is not None:
        return as_die(read[0]), read[1]
    said = _ROLLED.match(text, place, end)
    if said is None:
        return None
    value, stop = int(said["die"]), said.end()
    anchors = links.inside(said.start("die"), stop)
    behind, stop = links.behind(stop)
    throw = Throw(WrittenRoll((value,), anchors + behind, "1d20"), (0,), ("1d20",))
    return Sum((Group(1, 20, (value,)),), (), value, (throw,)), stop


def read_save(text: str, place: int, end: int, links: Links) -> tuple[Save | None, int]:
    """`1d20 = 14 vs 11, resisted`, and the place behind it."""
    read = read_die(text, place, end, links)
    if read is None:
        return None, place
    roll, place = read
    against = _VERSUS.match(text, place, end)
    place = against.end() if against else place
    stop = text.find(";", place, end)
    words = text[place : stop if stop >= 0 else end]
    resisted = False if _FAILED.search(words) else True if _RESISTED.search(words) else None
    return Save(roll, int(against.group(1)) if against else None, resisted), place


def read_struggle(
    text: str, place: int, end: int, links: Links, names: Lexicon, note: str | None, actor: str | None = None
) -> Escape | None:
    """The inside of a Struggle tag; `note` is what stood in brackets behind the word, `actor` whom the head names."""
    area = area_of(note)
    if note and area is None:
        return None
    led = _bound_fighter(text, place, end, names)
    if led is not None:
        actor, area, place = led[0], led[1] or area, led[2]
    elif not text[place : place + 1].isdecimal():
        plain = _IN_AREA.match(text, place, end) or _AREA_PLAIN.match(text, place, end)
        if plain is not None:
            area = area_of(plain["area"])
            colon = _COLON.match(text, plain.end(), end)
            place = colon.end() if colon else plain.end()
    read = read_die(text, place, end, links)
    if read is None:
        return None
    return _escape(text, read[1], end, actor, None, area, read[0])


def _bound_fighter(text: str, place: int, end: int, names: Lexicon) -> tuple[str, str | None, int] | None:
    """`Golem 1 (legs): `, `Hana, legs: `, `Hana's legs: ` - who is bound, where, and the place behind it."""
    named = names.targets(text, place, end)
    fighter = names.fighters.find(named[0]) if named else None
    if named is None or fighter is None:
        return None
    where = _IN_AREA.match(text, named[1], end)
    if where is None:
        plain = _AREA_PLAIN.match(text, named[1], end)
        if plain is not None:
            return fighter, area_of(plain["area"]), plain.end()
    stop = where.end() if where else named[1]
    colon = _COLON.match(text, stop, end)
    return (fighter, area_of(where["area"]) if where else None, colon.end()) if colon else None


def read_help(text: str, place: int, end: int, links: Links, names: Lexicon, actor: str | None = None) -> Escape | None:
    """The inside of a Help tag (ND20): here `= n` is the total. Who helps may lead: `Goro: Hana (legs): ...`."""
    named = names.leading(text, place, end) if actor is None else None
    if named is not None and names.starts(text, named[1], end):
        actor, place = named
    led = _bound_fighter(text, place, end, names)
    read = read_sum(text, led[2], end, links) if led else None
    if led is None or read is None:
        return None
    return _escape(text, read[1], end, actor, led[0], led[1], read[0])


def _left(text: str, place: int, end: int) -> Levels | None:
    """The level left in another spelling and no more: `, legs 3 -> 1`, `-> level 1`, `: 3 -> 1`, `, free`."""
    lead = _LEAD.match(text, place, end)
    if lead is None:
        return None
    if _FREE.match(text, lead.end(), end):
        return Levels(0)
    levels, stop = read_levels(text, lead.end(), end)
    if levels is None or text[stop:end].strip(" .,;!)"):
        return None
    return levels if lead["level"] or levels.area or levels.old is not None else None


def _escape(
    text: str, place: int, end: int, actor: str | None, helped: str | None, area: str | None, roll: Sum
) -> Escape | None:
    """`, level 3 -> 2; spare: arms 2 -> 1` behind the roll."""
    level = _LEVEL.match(text, place, end)
    if level is None and (remark := _REMARK.match(text, place, end)) is not None:
        level = _LEVEL.match(text, remark.end(), end)
    if level is None:
        left = _left(text, place, end)
        if left is not None:
            return Escape(actor, helped, area or left.area, roll, left.old, left.to)
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
