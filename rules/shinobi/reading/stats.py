"""Stat blocks (S2, NS27): labelled numbers, one a line, `|`-separated, or the cells of a table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from referee.model.text import Script
from referee.ports.reading import Line, lines, squeeze, whole
from rules.shinobi.lexicon import POOL_WORDS, SHORT_WORDS, Lexicon
from rules.shinobi.model import StatBlock

RANKS = ("Gennin", "Chuunin", "Jounin", "Sennin")
#: Usual spellings of the ranks (S1).
RANK_WORDS = {
    "gennin": "Gennin",
    "genin": "Gennin",
    "chuunin": "Chuunin",
    "chunin": "Chuunin",
    "chuunin.": "Chuunin",
    "chuninn": "Chuunin",
    "jounin": "Jounin",
    "jonin": "Jounin",
    "jounnin": "Jounin",
    "sennin": "Sennin",
    "senin": "Sennin",
    "sannin": "Sennin",
}
_RANK = re.compile(r"[ |]*rank[ ]*[:=|-]?[ ]*(?P<rank>[A-Za-z]{4,9})[ |,.]*", re.IGNORECASE)
#: Fewer labelled numbers than this are no stat block.
LEAST = 2
#: Fewer of them in brackets alone are none either.
LEAST_BRACKETED = 4
#: Fewer short labels than this are ordinary words.
LEAST_SHORT = 4
#: A sign right in front of its number is no separator: `HP -8`.
_LOST = re.compile(r"[ ][+-]\d")
#: No letter stands before the three of the label: they come first, since a search for letters is quick.
_SHORT = re.compile(r"(?:tai|nin|gen|def|con|spd|acc|dex|eva)(?<!\w...)[ ]?[:=|-]?[ ]?\d")


#: Words in front of the first stat of a line: `Stats: Taijutsu 90, ...`.
_HEADED = re.compile(
    r"[ *-]{0,4}(?:(?:my|his|her|their|the|all|full)[ ])?(?:character[ ])?stat(?:s|istics)?[ ]?[:=|-]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class FoundBlock:
    """A stat block and where it stands."""

    block: StatBlock
    start: int
    end: int


def rank_named(word: str) -> str | None:
    """The rank that a word means, in any usual spelling (S1)."""
    return RANK_WORDS.get(squeeze(word))


def find_stats(script: Script, lexicon: Lexicon) -> FoundBlock | None:
    """The stat block of a script: all its stat lines together, or None."""
    low = script.text.lower()
    if len([word for word in lexicon.full_stats if word in low]) < LEAST and not _abbreviated(low):
        return None
    stats: dict[str, int] = {}
    secret: list[str] = []
    rank = name = None
    kept: list[Line] = []
    before = ""
    short = _abbreviated(low)
    rows = [_row(line, lexicon, low, short) for line in lines(script)]
    plain = any(row.entries and not row.bracketed and not _pools_only(row.entries) for row in rows)
    for line, entries, named, bracketed in rows:
        if entries is None or (plain and bracketed):
            before = line.text
            continue
        if _pools_only(entries) and not kept and named is None:
            continue
        kept.append(line)
        rank = rank or named
        name = name or lexicon.names.find(before)
        secret += [POOL_WORDS[label] for label in entries if label in POOL_WORDS]
        stats.update({k: v for k, v in entries.items() if k not in POOL_WORDS})
    if len(stats) < (LEAST if plain else LEAST_BRACKETED):
        return None
    return FoundBlock(StatBlock(stats, rank, name, tuple(dict.fromkeys(secret))), kept[0].start, kept[-1].end)


class _Row(NamedTuple):
    """A line, its labelled numbers (None: it is no stat line), the rank it names, whether brackets hold it."""

    line: Line
    entries: dict[str, int] | None
    rank: str | None
    bracketed: bool


def _row(line: Line, lexicon: Lexicon, low: str, short: bool) -> _Row:
    entries = _entries(line.text, lexicon, short)
    ranked = _RANK.match(line.text) if "rank" in low else None
    named = rank_named(ranked["rank"]) if ranked is not None else None
    if ranked is not None and named is not None:
        entries = entries or _entries(line.text[ranked.end() :], lexicon, short) or {}
    return _Row(line, entries, named, line.text[0] in "[(")


def _abbreviated(low: str) -> bool:
    """Whether a text holds enough short labels with numbers: `Tai: 90`."""
    return "tai" in low and "nin" in low and "gen" in low and len(_SHORT.findall(low)) >= LEAST_SHORT


def _pools_only(entries: dict[str, int]) -> bool:
    return entries.keys() <= POOL_WORDS.keys()


def _entries(text: str, lexicon: Lexicon, short: bool) -> dict[str, int] | None:
    """The labelled numbers of a line that holds nothing else, or None; a line of signed pools is a Loss Tag.

    `short`: short labels count. In brackets, `[Speed 12 / Accuracy 40]`, the labels need their colons.
    """
    if text[:1] in ("[", "(") and ":" not in text and "=" not in text:
        return None
    found: dict[str, int] = {}
    headed = _HEADED.match(text) if "stat" in text[:24].lower() else None
    place, signed = headed.end() if headed is not None else 0, 0
    while True:
        entry = lexicon.stat_entry.match(text, place)
        if entry is None:
            break
        number = whole(entry["number"].rstrip(".,"))
        if number is None:
            return None
        if entry["stat"]:
            word = squeeze(entry["stat"])
            if not short and word in SHORT_WORDS:
                return None
            found[lexicon.stats[word]] = number
        else:
            found[squeeze(entry["pool"])] = number
            signed += bool(entry["sign"]) or number == 0 or _LOST.search(entry.group()) is not None
        place = entry.end()
    if not found or text[place:].strip(" |,;/.*"):
        return None
    return None if signed and _pools_only(found) else found
