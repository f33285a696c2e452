"""Lines that set a battle up: encounter, allocation, duel (NE1, NE12, NE17)."""

from __future__ import annotations

import re
from typing import NamedTuple

from referee.ports.reading import ARROW
from rules.enolaptia.claims import Duel, Encounter, Shares
from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.grammar import D6, NAME, LineText

_FLAGS = re.IGNORECASE
_WHERE = r"\s+(?:on|in|at)\s+(?:the\s+)?[A-Za-z][A-Za-z' -]{0,39}?"
_ENCOUNTER = re.compile(
    rf"encounter\s*[:=]\s*(?:{D6}\s*[=:]?\s*|rolled\s*)?(?P<die>\d{{1,6}})?\s*(?:[:,-]|{ARROW})?\s*"
    r"(?:\((?P<party>[^()\n]{1,300})\)|(?P<bare>[A-Za-z][^()\n]{1,300}?))\s*[.!]?\s*$",
    _FLAGS,
)
#: `Encounter roll: ...`, `Encounter on Sunken Fen: ...`, `Encounter (1d6 = 2): ...`, `... (Marsh Rat) x2`.
_LOOSE = re.compile(
    rf"(?:(?:(?:we|they)\s+)?(?:enc(?:ounter(?:s|ed)?)?|meet|met|face|fight)(?:\s+(?:the\s+)?enem(?:y|ies))?|enem(?:y|ies))(?:\s+roll)?(?:{_WHERE})?\s*[:=,-]?\s*\(?\s*(?:{D6}\s*[=:]?\s*|rolled\s*(?:an?\s+)?)(?P<die>\d{{1,6}})?\s*\)?"
    rf"\s*(?:[:,=-]|{ARROW})?\s*"
    r"(?:\((?P<party>[^()\n]{1,300})\)\s*(?:[x*]\s*(?P<times>\d{1,4}))?|(?P<bare>[A-Za-z\d][^()\n]{1,300}?))"
    rf"(?:\s+(?:appears?|approach(?:es)?|attacks?))?(?:{_WHERE})?\s*[.!]?\s*$",
    _FLAGS,
)
_LIST = re.compile(r"[,;&|+]|\band\b", _FLAGS)
_GROUP = re.compile(
    r"(?:(?P<before>\d{1,4})\s*(?:[x*]\s*)?(?:\s|(?<=[x*])))?(?P<kind>[^\d()\n][^()\n\d]{0,59}?)"
    r"(?:\s*(?:[x*]|times)\s*(?P<times>\d{1,4})|\s+#?(?P<after>\d{1,4}))?",
    _FLAGS,
)
#: What a party's brackets may say besides who is there: `HP 18 each`.
_SHEET_NOTE = re.compile(r"(?:(?:HP|AT|speed)\s*\d{1,6}|\d{1,6}\s*(?:HP|AT|speed))(?:\s+each)?", _FLAGS)
_NAME_LIKE = re.compile(r"[A-Za-z][\w'-]{0,30}(?:\s[\w'-]{1,30}){0,4}")
_NUMBER_WORDS = {
    word: number
    for number, words in enumerate(
        ("a an one single lone", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
    )
    for word in words.split()
}
_ALLOCATION = re.compile(
    r"(?:alloc(?:ations?|s|\.)?|targets?)(?:\s+numbers?)?(?:\s*\([^()\n]{0,20}\))?\s*[:=-]\s*", _FLAGS
)
_RANGE = (
    r"(?P<low>\d)(?:\s*(?:-|to)\s*(?P<high>\d)"
    r"|(?P<list>(?:\s*,\s*\d(?!\s*(?:-|to\b|\d))){1,5}|(?:\s+\d(?!\d|\s*(?:-|to\b))){2,5}))?"
)
_SHARE_END = r"\s*(?:(?:[;,/|&]|[-*\u00b7](?=\s)|\band\b)\s*|[.]?\s*$)"
_SHARE = re.compile(
    rf"(?P<name>{NAME})\s*(?:[:=]|\b(?:is|has|gets|takes)\b)?\s*\(?\s*{_RANGE}\s*\)?{_SHARE_END}", _FLAGS
)
_SHARE_AHEAD = re.compile(rf"{_RANGE}\s*[:=]?\s*(?P<name>(?!\d){NAME}){_SHARE_END}", _FLAGS)
_DUEL = re.compile(
    r"(?P<kind>duel|spar)\s*:\s*(?P<one>[^\n:]{1,200}?)\s+(?:against|vs\.?|versus)\s+(?P<two>[^\n:]{1,200}?)\s*[.!]?\s*$",
    _FLAGS,
)


class _Group(NamedTuple):
    """One piece of a party: its kind, how many, and whether that stood behind the name as a creature's number."""

    kind: str
    number: int
    counted: bool
    behind: bool


def read_encounter(line: LineText, names: Lexicon, own: str | None) -> Encounter | None:
    """`Encounter: 1d6 = 4 (Mud Crab x2, Marsh Rat)`."""
    return _encounter(line, names, _ENCOUNTER.match(line.text, line.start, line.end))


def read_loose_encounter(line: LineText, names: Lexicon, own: str | None) -> Encounter | None:
    """The same with other words around roll and party; without its roll it is prose."""
    return _encounter(line, names, _LOOSE.match(line.text, line.start, line.end))


def _encounter(line: LineText, names: Lexicon, met: re.Match[str] | None) -> Encounter | None:
    if met is None or not (met["party"] or met["die"] or names.kinds.names or line.anchors):
        return None
    party = _party(met["party"] or met["bare"], names, bare=met["party"] is None)
    times = met.groupdict().get("times")
    if times is not None and party is not None:
        party = ((party[0][0], int(times)),) if len(party) == 1 and party[0][1] == 1 else None
    if party is None:
        return None
    start = line.slot(met.start("die"), (int(met["die"]),)) if met["die"] else line.slot(line.start, ())
    return Encounter(line.settle()[start], party)


def _party(text: str, names: Lexicon, bare: bool) -> tuple[tuple[str, int], ...] | None:
    """Who is there; None where a piece is no kind of the tables and does not look like a name either."""
    groups: list[_Group] = []
    for piece in _LIST.split(text):
        words = piece.strip(" .!")
        if _SHEET_NOTE.fullmatch(words):
            continue
        if words.isdecimal() and len(words) < 5 and groups and not groups[-1].counted:
            groups[-1] = groups[-1]._replace(number=int(words), counted=True)
            continue
        group = _group(words, names)
        if group is None or not (names.kinds.find(group.kind) or _may_be_named(group, names, bare)):
            return None
        groups.append(group)
    return _counted(groups) if groups else None


def _may_be_named(group: _Group, names: Lexicon, bare: bool) -> bool:
    """Whether a kind that no table has may be one: a short name in brackets, never words of a sentence.

    `some Marsh Rats` are a kind of the tables in a number that is not told.
    """
    if not names.kinds.names:
        return True
    first, last = group.kind.split(" ")[0], group.kind.split(" ")[-1]
    if bare or first.casefold() in _NUMBER_WORDS or names.kinds.find(last) is not None:
        return False
    return (
        _NAME_LIKE.fullmatch(group.kind) is not None and names.kinds.find(" ".join(group.kind.split(" ")[:-1])) is None
    )


def _group(words: str, names: Lexicon) -> _Group | None:
    """`2 Marsh Rats`, `Marsh Rat x2`, `Marsh Rat * 2`, `two Marsh Rats`, `a Marsh Rat`, `Marsh-Rat`."""
    met = _GROUP.fullmatch(words)
    if met is None:
        return None
    written = met["before"] or met["times"] or met["after"]
    kind, number = names.kinds.find(met["kind"]), int(written or "1")
    if kind is None:
        first, _, rest = met["kind"].partition(" ")
        spelled = _NUMBER_WORDS.get(first.casefold())
        kind = names.kinds.find(rest) if spelled is not None else None
        if kind is not None and spelled is not None and written is None:
            return _Group(kind, spelled, True, False)
    return _Group(kind or " ".join(met["kind"].split()), number, written is not None, met["after"] is not None)


def _counted(groups: list[_Group]) -> tuple[tuple[str, int], ...]:
    """The kinds with their numbers; `Marsh Rat 1, Marsh Rat 2` are two and not three."""
    listed: dict[str, list[int]] = {}
    for group in groups:
        if group.behind:
            listed.setdefault(group.kind, []).append(group.number)
    one_by_one = {kind for kind, numbers in listed.items() if numbers == list(range(1, len(numbers) + 1))}
    one_by_one = {kind for kind in one_by_one if len(listed[kind]) > 1}
    return tuple([(group.kind, 1 if group.kind in one_by_one and group.behind else group.number) for group in groups])


def read_shares(line: LineText, names: Lexicon, own: str | None) -> Shares | None:
    """`Allocation: Mira 1-3, Tobin 4-6`."""
    head = _ALLOCATION.match(line.text, line.start, line.end)
    return None if head is None else _shares(line, names, head.end())


def read_bare_shares(line: LineText, names: Lexicon, own: str | None) -> Shares | None:
    """`1-3 = Mira, 4-6 = Tobin` without a heading: only with two or more characters of the battle and no one else.

    With the names in front (`Mira 1-3, Tobin 4-6`) only where the numbers run from 1 to 6.
    """
    if "1" not in line.text[line.start : line.end] or "6" not in line.text[line.start : line.end]:
        return None
    found = _shares(line, names, line.start)
    if found is None or len(found.rows) < 2 or not all(names.characters.find(name) for name, _, _ in found.rows):
        return None
    numbers = sorted([number for _, low, high in found.rows for number in range(low, high + 1)])
    return found if line.text[line.start].isdigit() or numbers == list(range(1, 7)) else None


def _shares(line: LineText, names: Lexicon, place: int) -> Shares | None:
    rows = []
    while place < line.end:
        pattern = _SHARE_AHEAD if line.text[place].isdigit() else _SHARE
        met = pattern.match(line.text, place, line.end)
        row = _share(met, names) if met is not None else None
        if met is None or row is None:
            return None
        rows.append(row)
        place = met.end()
    known = any([names.find(name) is not None for name, _, _ in rows])
    return Shares(tuple(rows)) if known else None  # `Allocation: 2 beds, 3 people`


def _share(met: re.Match[str], names: Lexicon) -> tuple[str, int, int] | None:
    """One character's numbers; None where the name holds numbers that belong to somebody else."""
    low = int(met["low"])
    numbers = [low, *[int(sign) for sign in met["list"] or "" if sign.isdigit()]]
    if numbers != list(range(low, low + len(numbers))):
        return None
    if names.find(met["name"]) is None and any(sign.isdigit() for sign in met["name"]):
        return None
    return names.name(met["name"]), low, int(met["high"] or numbers[-1])


def read_duel(line: LineText, names: Lexicon, own: str | None) -> Duel | None:
    """`Spar: Mira and Lene against Wanda and Oskar`."""
    met = _DUEL.match(line.text, line.start, line.end)
    if met is None:
        return None
    sides = [tuple(names.characters.find(name) or "" for name in _LIST.split(met[side])) for side in ("one", "two")]
    return Duel(tuple(sides)) if all(all(side) for side in sides) else None
