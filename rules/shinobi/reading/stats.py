"""Stat blocks (S2, NS27): labelled numbers, one a line, `|`-separated, or the cells of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.model.text import Script
from referee.ports.reading import Line, lines, squeeze, whole
from rules.shinobi.lexicon import POOL_WORDS, SHORT_WORDS, Lexicon
from rules.shinobi.model import StatBlock

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
#: The rank as the last entry of a line of stats.
_RANK_BEHIND = re.compile(r"[ ]?[|,;/][ ]?rank[ ]?[:=|-]?[ ]?(?P<rank>[A-Za-z]{4,9})[ |,.]{0,4}$", re.IGNORECASE)
#: Fewer labelled numbers than this are no stat block.
LEAST = 2
#: Fewer of them in brackets alone are none either.
LEAST_BRACKETED = 4
#: Fewer of them behind other words are a sentence.
LEAST_LED = 4
_WORD = re.compile(r"\w+")
#: What a heading says besides the name.
_OF_HEADINGS = re.compile(
    r"'s\b|\b(?:stats?|statistics|numbers|sheet|block|profile|reference|opponents?|for|of|the|rank"
    rf"|{'|'.join(map(re.escape, RANK_WORDS))})\b|[^\w' .-]+|[ ]-+(?![^ ])",
    re.IGNORECASE,
)
#: A longer lead is one too.
_LONGEST_LEAD = 60
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


def find_stats(script: Script, lexicon: Lexicon, own: Sequence[str] = ()) -> FoundBlock | None:
    """The stat block of a script: all its stat lines together, or None.

    Of several, below several names, the one below one of `own` or below none: an opponent's stats may be said again.
    """
    low = script.text.lower()
    short = _abbreviated(low)
    if not short and len([word for word in lexicon.full_stats if word in low]) < LEAST:
        return None
    ranks = "rank" in low
    rows = [_row(line, lexicon, ranks, short) for line in lines(script)]
    plain = any(row.entries and not row.bracketed and not _pools_only(row.entries) for row in rows)
    least = LEAST if plain else LEAST_BRACKETED
    blocks = [block for block in _gathered(rows, plain, lexicon) if len(block.stats) >= least]
    chosen = min(blocks, key=lambda block: 0 if block.name in own else 1 if block.name is None else 2, default=None)
    return chosen.found() if chosen is not None else None


@dataclass(slots=True)
class _Gathered:
    """The rows of a stat block, as far as they are gathered."""

    name: str | None = None
    rank: str | None = None
    stats: dict[str, int] = field(default_factory=dict)
    secret: list[str] = field(default_factory=list)
    kept: list[Line] = field(default_factory=list)

    def add(self, row: _Row) -> None:
        """One more row."""
        self.kept.append(row.line)
        self.rank = self.rank or row.rank
        self.secret += [POOL_WORDS[label] for label in row.entries or () if label in POOL_WORDS]
        self.stats.update({k: v for k, v in (row.entries or {}).items() if k not in POOL_WORDS})

    def denies(self, name: str | None, entries: dict[str, int]) -> bool:
        """Whether a row behind other words is of another block: below another name, or with another number."""
        if name is not None and self.name is not None:
            return name != self.name
        return any(self.stats.get(stat, value) != value for stat, value in entries.items())

    def found(self) -> FoundBlock:
        """The block and where it stands."""
        block = StatBlock(self.stats, self.rank, self.name, tuple(dict.fromkeys(self.secret)))
        return FoundBlock(block, self.kept[0].start, self.kept[-1].end)


def _gathered(rows: Sequence[_Row], plain: bool, lexicon: Lexicon) -> list[_Gathered]:
    """The stat blocks of a post's rows. `plain`: rows in brackets don't count."""
    blocks = [_Gathered()]
    above: list[_Row] = []
    before: str | None = ""
    for row in rows:
        if row.entries is None or (plain and row.bracketed):
            before, above = row.line.text, []
            continue
        now = blocks[-1]
        if _pools_only(row.entries) and not now.kept and row.rank is None:
            # Totals head a block only if its first stat follows at once: elsewhere they are told in the story.
            above.append(row)
            continue
        name = _heading(row.lead or before or "", lexicon)
        if (row.lead or before is not None) and now.denies(name, row.entries):
            now = _Gathered()
            blocks.append(now)
        now.name = now.name or name
        for each in (*above, row):
            now.add(each)
        above, before = [], None
    return blocks


def _heading(text: str, lexicon: Lexicon) -> str | None:
    """Whose stats follow below a line, or behind the words of a lead: `Ren Aoki`, `Ren's stats:`, `Ren (Chuunin) -`."""
    if not text or len(text) > _LONGEST_LEAD:
        return None
    return lexicon.names.find(text) or lexicon.names.find(" ".join(_OF_HEADINGS.sub(" ", text).split()))


class _Row(NamedTuple):
    """A line, its labelled numbers (None: it is no stat line), the rank it names, whether brackets hold it.

    `lead`: the words in front of the numbers, which may be the name of whose they are.
    """

    line: Line
    entries: dict[str, int] | None
    rank: str | None
    bracketed: bool
    lead: str = ""


def _row(line: Line, lexicon: Lexicon, ranks: bool, short: bool) -> _Row:
    """A line as a row of stats. `ranks`: a rank may be named; `short`: short labels count."""
    text = line.text
    ranked = None
    if ranks and "rank" in text.lower():
        ranked = _RANK.match(text) or _RANK_BEHIND.search(text)
    named = rank_named(ranked["rank"]) if ranked is not None else None
    alone = named is not None and ranked is not None and ranked.start() == 0
    if named is not None and ranked is not None:
        text = text[ranked.end() :] if alone else text[: ranked.start()]
    entries = _entries(text, lexicon, short)
    if entries is None and (led := _led(text, lexicon)) is not None:
        lead, entries = led
        named = named or next(filter(None, map(rank_named, _WORD.findall(lead))), None)
        return _Row(line, entries, named, False, lead)
    return _Row(line, entries or ({} if alone else None), named, line.text[0] in "[(")


def _led(text: str, lexicon: Lexicon) -> tuple[str, dict[str, int]] | None:
    """What a line of many stats begins with, and its stats: `Ren Aoki - Taijutsu: 90 | ...`."""
    if len(text) < 40:
        return None
    low = text.lower()
    if sum([word in low for word in lexicon.full_stats]) < LEAST_LED:
        return None
    first = lexicon.stat_entry.search(text[: 2 * _LONGEST_LEAD])
    lead = text[: first.start()] if first is not None else ""
    if not 0 < len(lead) <= _LONGEST_LEAD or any(sign.isdecimal() for sign in lead):
        return None
    found = _entries(text[len(lead) :].lstrip(" |,;/*"), lexicon, short=False)
    return (lead, found) if found is not None and len(found) >= LEAST_LED else None


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
