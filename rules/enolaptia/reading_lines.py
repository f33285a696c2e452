"""Lines that are no moves: encounter, allocation, order, duel, HP, drops, EXP (NE1 to NE5, NE12, NE17, NE18)."""

from __future__ import annotations

import re

from referee.ports.reading import ARROW
from rules.enolaptia.claims import NO_ROLL, DropRow, Drops, Duel, Encounter, Exp, HpLine, HpRow, Order, Shares, Tie
from rules.enolaptia.grammar import D6, NAME, LineText
from rules.enolaptia.lexicon import Lexicon

_FLAGS = re.IGNORECASE
_ENCOUNTER = re.compile(
    rf"encounter\s*[:=]\s*(?:{D6}\s*[=:]?\s*|rolled\s*)?(?P<die>\d{{1,6}})?\s*(?:[:,-]|{ARROW})?\s*"
    r"(?:\((?P<party>[^()\n]{1,300})\)|(?P<bare>[A-Za-z][^()\n]{1,300}?))\s*[.!]?\s*$",
    _FLAGS,
)
_LIST = re.compile(r"[,;&|+]|\band\b", _FLAGS)
_GROUP = re.compile(
    r"(?:(?P<before>\d{1,4})\s*x?\s+)?(?P<kind>[^\d()\n][^()\n]{0,59}?)(?:\s*x\s*(?P<times>\d{1,4})|\s+(?P<after>\d{1,4}))?",
    _FLAGS,
)
_ALLOCATION = re.compile(r"allocation(?:\s+numbers?)?\s*:\s*", _FLAGS)
_SHARE = re.compile(
    rf"(?P<name>{NAME})\s*[:=]?\s*(?P<low>\d)(?:\s*(?:-|to)\s*(?P<high>\d))?(?:\s*[;,]\s*|\s*[.]?\s*$)", _FLAGS
)
_ORDER = re.compile(r"(?:battle\s+)?order\s*:\s*", _FLAGS)
_TIE_WORD = re.compile(r"\bties?\b", _FLAGS)
_TIE = re.compile(
    rf"{D6}\s*[=:]?\s*(?P<die>\d{{1,6}})?\s*\)?\s*(?:[,:;]|{ARROW})?\s*"
    rf"(?:(?P<first>{NAME})\s+(?:(?:goes|go|moves?|acts?|is)\s+)?first\b)?",
    _FLAGS,
)
_ENTRY = re.compile(
    rf"(?P<name>{NAME})\s*(?:\(\s*(?:speed\s*)?(?P<speed>\d{{1,6}})\s*\))?\s*(?:[,;>]|{ARROW}|$)\s*", _FLAGS
)
_DUEL = re.compile(
    r"(?P<kind>duel|spar)\s*:\s*(?P<one>[^\n:]{1,200}?)\s+(?:against|vs\.?|versus)\s+(?P<two>[^\n:]{1,200}?)\s*[.!]?\s*$",
    _FLAGS,
)
_HP = re.compile(r"HP\s*[:=]\s*", _FLAGS)
_HP_ROW = re.compile(
    r"(?P<name>[^:;,()\[\]\n/|\d][^:;,()\[\]\n/|]{0,59}?)\s*[:=]?\s*(?P<now>-?\d{1,6})\s*(?:/\s*(?P<top>\d{1,6}))?\s*(?:HP\b)?"
    r"\s*(?:\((?P<note>[^()\n]{0,40})\))?\s*(?:[,;|]\s*|[.!]?\s*$)",
    _FLAGS,
)
_HP_OWN = re.compile(r"(?P<now>-?\d{1,6})\s*(?:/\s*(?P<top>\d{1,6}))?\s*[.]?\s*$")
_STAND = re.compile(
    r"(?P<name>[^:;,()\[\]\n/|]{1,60}?)\s*:\s*(?:HP\s*[:=]?\s*)?(?P<now>-?\d{1,6})\s*/\s*(?P<top>\d{1,6})\s*(?:HP\b)?"
    r"\s*(?:[-,]?\s*\(?\s*(?:dead|out|down|defeated|killed|slain|fallen|unconscious)\s*\)?)?\s*[.!]?\s*$",
    _FLAGS,
)
_DEAD = re.compile(r"(?P<name>[^:;,()\[\]\n/|]{1,60}?)\s*:\s*\(?(?:dead|defeated|killed|slain)\)?\s*[.!]?\s*$", _FLAGS)
_DROPS = re.compile(r"(?:item\s+)?drops?\s*:\s*", _FLAGS)
_DROP_HEAD = re.compile(rf"(?P<name>{NAME})\s*:\s*(?:{D6}\s*[=:]?\s*)?(?P<die>\d{{1,6}})?\s*", _FLAGS)
_BONUS = re.compile(r"(?P<sign>[+-])\s*(?P<number>\d{1,3})\s*\(\s*(?P<item>[^()\n]{1,60}?)\s*\)\s*", _FLAGS)
_DROP_TOTAL = re.compile(r"=\s*(?P<total>\d{1,6})\s*")
_DROP_REST = re.compile(
    rf"(?:{ARROW}|,|:)\s*(?:(?P<none>nothing|no\s+drops?|none|no\s+item)"
    rf"|(?:{D6}\s*[=:]?\s*)?(?P<die>\d{{1,6}})?\s*(?:{ARROW}|[=:,])?\s*(?:\(\s*(?P<item>[^()\n]{{1,60}}?)\s*\)|(?P<bare>[A-Za-z][^()\n;]{{0,59}}?)))"
    r"\s*[.!]?\s*(?:;\s*|$)",
    _FLAGS,
)
_EXP = re.compile(r"(?:EXP|experience|XP)(?:\s+(?:gained|gain|total|points))?\s*[:=]\s*", _FLAGS)
_EXP_PART = re.compile(r"\s*\+?\s*(?P<number>\d{1,6})\s*[x*]\s*(?P<each>\d{1,6})\s*", _FLAGS)
_EXP_TOTAL = re.compile(r"=?\s*\+?\s*(?P<total>\d{1,7})\s*(?:EXP|XP|points|each)?\s*[.!]?\s*$", _FLAGS)


def read_encounter(line: LineText, names: Lexicon, own: str | None) -> Encounter | None:
    """`Encounter: 1d6 = 4 (Mud Crab x2, Marsh Rat)`."""
    met = _ENCOUNTER.match(line.text, line.start, line.end)
    if met is None:
        return None
    party = []
    for piece in _LIST.split(met["party"] or met["bare"] or ""):
        group = _GROUP.fullmatch(piece.strip())
        if group is None:
            return None
        number = group["before"] or group["times"] or group["after"] or "1"
        kind = names.kinds.find(group["kind"]) or " ".join(group["kind"].split())
        party.append((kind, int(number)))
    start = line.slot(met.start("die"), (int(met["die"]),)) if met["die"] else line.slot(line.start, ())
    return Encounter(line.settle()[start], tuple(party))


def read_shares(line: LineText, names: Lexicon, own: str | None) -> Shares | None:
    """`Allocation: Mira 1-3, Tobin 4-6`."""
    head = _ALLOCATION.match(line.text, line.start, line.end)
    if head is None:
        return None
    rows, place = [], head.end()
    while place < line.end:
        met = _SHARE.match(line.text, place, line.end)
        if met is None:
            return None
        low = int(met["low"])
        rows.append((names.name(met["name"]), low, int(met["high"] or low)))
        place = met.end()
    return Shares(tuple(rows)) if rows else None


def read_order(line: LineText, names: Lexicon, own: str | None) -> Order | None:
    """`Order: Mira (12), Marsh Rat (9), Tobin (9) - tie 1d6 = 5, Tobin first`."""
    text = line.text
    head = _ORDER.match(text, line.start, line.end)
    if head is None:
        return None
    tie = _TIE_WORD.search(text, head.end(), line.end)
    stop = line.end if tie is None else _before_tie(text, head.end(), tie.start())
    entries: list[tuple[str, int | None]] = []
    known, place = False, head.end()
    while place < stop and text[place:stop].strip(" .-"):
        met = _ENTRY.match(text, place, stop)
        if met is None:
            return None
        name, speed = met.group("name", "speed")
        name = name.strip(" -.")
        known = known or speed is not None or names.find(name) is not None
        entries.append((names.name(name), int(speed) if speed else None))
        place = met.end()
    return Order(tuple(entries), _ties(line, names, stop) if tie is not None else ()) if known else None


def _before_tie(text: str, start: int, place: int) -> int:
    """Where the words of a tie begin: at its word, or at the mark in front of it."""
    while place > start and text[place - 1].isspace():
        place -= 1
    return place - 1 if place > start and text[place - 1] in "-;,(" else place


def _ties(line: LineText, names: Lexicon, place: int) -> tuple[Tie, ...]:
    found: list[tuple[int, str | None]] = []
    for met in _TIE.finditer(line.text, place, line.end):
        die, first = met.group("die", "first")
        start = line.slot(met.start("die"), (int(die),)) if die else line.slot(met.start() + 1, ())
        found.append((start, names.name(first) if first else None))
    rolls = line.settle()
    return tuple(Tie(rolls[start], first) for start, first in found)


def read_duel(line: LineText, names: Lexicon, own: str | None) -> Duel | None:
    """`Spar: Mira and Lene against Wanda and Oskar`."""
    met = _DUEL.match(line.text, line.start, line.end)
    if met is None:
        return None
    sides = [tuple(names.characters.find(name) or "" for name in _LIST.split(met[side])) for side in ("one", "two")]
    return Duel(tuple(sides)) if all(all(side) for side in sides) else None


def read_hp(line: LineText, names: Lexicon, own: str | None) -> HpLine | None:
    """`HP: Mira 31/40, Tobin 22/35`, `Rat 1: 0/18 (dead)`; `own`: the author's only character."""
    head = _HP.match(line.text, line.start, line.end)
    if head is not None:
        return _party_hp(line, names, own, head.end())
    if line.text.find("/", line.start, line.end) < 0:
        return _dead(line, names)
    met = _STAND.match(line.text, line.start, line.end)
    if met is not None:
        name, now, top = met.group("name", "now", "top")
        if names.known(name):
            return HpLine((HpRow(names.name(name), int(now), int(top)),))
    return _hp_table(line, names)


def _dead(line: LineText, names: Lexicon) -> HpLine | None:
    """`Rat 1: dead`."""
    met = _DEAD.match(line.text, line.start, line.end)
    if met is None or not names.find(met["name"]):
        return None
    return HpLine((HpRow(names.name(met["name"]), 0),))


def _hp_table(line: LineText, names: Lexicon) -> HpLine | None:
    """`| Mira: 31/40 | Tobin: 22/35 |` on one line (X18)."""
    place = line.start + (line.text[line.start] == "|")
    rows = []
    while place < line.end:
        met = _HP_ROW.match(line.text, place, line.end)
        if met is None or met["top"] is None or not names.find(met["name"]):
            return None
        rows.append(HpRow(names.name(met["name"]), int(met["now"]), int(met["top"])))
        place = met.end()
    return HpLine(tuple(rows)) if rows else None


def _party_hp(line: LineText, names: Lexicon, own: str | None, place: int) -> HpLine | None:
    alone = _HP_OWN.match(line.text, place, line.end)
    if alone is not None and own:
        return HpLine((HpRow(own, int(alone["now"]), int(alone["top"]) if alone["top"] else None),))
    rows = []
    while place < line.end:
        met = _HP_ROW.match(line.text, place, line.end)
        if met is None:
            return None
        name, now, top = met.group("name", "now", "top")
        if not names.known(name):
            return None
        rows.append(HpRow(names.name(name), int(now), int(top) if top else None))
        place = met.end()
    return HpLine(tuple(rows)) if rows else None


def read_drops(line: LineText, names: Lexicon, own: str | None) -> Drops | None:
    """`Drops: Rat 1: 1d6 = 5 -> 1d6 = 2 (Bog Iron); Rat 2: 1d6 = 2 -> nothing`, or one entry on its own line."""
    head = _DROPS.match(line.text, line.start, line.end)
    place = head.end() if head else line.start
    found: list[tuple[DropRow, int, int]] = []
    while place < line.end:
        read = _drop_row(line, names, place)
        if read is None:
            return None
        found.append(read[:3])
        place = read[3]
    if not found:
        return None
    rolls = line.settle()
    rows = [
        DropRow(row.creature, rolls[one], row.found, rolls.get(two, NO_ROLL), row.bonuses, row.total)
        for row, one, two in found
    ]
    return Drops(tuple(rows))


def _drop_row(line: LineText, names: Lexicon, place: int) -> tuple[DropRow, int, int, int] | None:
    """One creature's drop, where its two rolls begin, and the place behind it."""
    text = line.text
    head = _DROP_HEAD.match(text, place, line.end)
    if head is None or not names.known(head["name"]):
        return None
    one = line.slot(head.start("die"), (int(head["die"]),)) if head["die"] else line.slot(head.start(), ())
    bonuses, place = [], head.end()
    while (bonus := _BONUS.match(text, place, line.end)) is not None:
        number = int(bonus["number"])
        bonuses.append((-number if bonus["sign"] == "-" else number, " ".join(bonus["item"].split())))
        place = bonus.end()
    total = _DROP_TOTAL.match(text, place, line.end)
    place = total.end() if total else place
    rest = _DROP_REST.match(text, place, line.end)
    if rest is None or not (head["die"] or line.anchored(head.start(), place + 1)):
        return None
    item = rest["item"] or rest["bare"]
    two = -1
    if not rest["none"] and (rest["die"] or line.anchored(place, rest.end())):
        two = line.slot(rest.start("die"), (int(rest["die"]),)) if rest["die"] else line.slot(place + 1, ())
    found = None if rest["none"] else " ".join(item.split())
    row = DropRow(
        names.name(head["name"]), NO_ROLL, found, NO_ROLL, tuple(bonuses), int(total["total"]) if total else None
    )
    return row, one, two, rest.end()


def read_exp(line: LineText, names: Lexicon, own: str | None) -> Exp | None:
    """`EXP: 2 x 7 + 1 x 4 = 18`."""
    head = _EXP.match(line.text, line.start, line.end)
    if head is None:
        return None
    parts, place = [], head.end()
    while (met := _EXP_PART.match(line.text, place, line.end)) is not None:
        parts.append((int(met["number"]), int(met["each"])))
        place = met.end()
    total = _EXP_TOTAL.match(line.text, place, line.end)
    if total is not None:
        return Exp(tuple(parts), int(total["total"]))
    if parts and not line.text[place : line.end].strip(" ."):
        return Exp(tuple(parts), sum(number * each for number, each in parts))
    return None
