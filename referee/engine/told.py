"""Damage told in words: `takes 6 damage`, `6 dmg to Rat 1`, `hits Rat 1 for 6`, `Rat 1: -6 HP`, `loses 6 HP`.

Such words are no claim that can be judged: neither roll nor rule stands with them, and prose is full of them. But
HP that differ by just as much as they tell are not called wrong: what was told was not read, and a notice says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from referee.engine.timeline import PostRead

_HURT = r"(?:points?[ ]of[ ])?(?:[a-z]{3,12}[ ])?(?:damage|dmg)\b"
_HP = r"(?:hp|hit[ ]?points?|health|life)\b"
_LOSES = r"(?:takes?|took|loses?|lost|suffers?|suffered|minus|drops?|down)"
_HITS = (
    r"(?:hits?|hitting|struck|strikes?|catches|caught|kicks?|punche[sd]|slashe[sd]|stabs?|cuts?|bites?|burns?|shoots?"
    r"|bashe[sd]|hurts?|wounds?|smashes|deals?|dealt|dealing|inflicts?|attacks?)"
)
#: Behind a number that needs no word such as damage: `hits Rat 1 for 6.`, never `took 3 quick steps`.
_STOPS = r"(?=[ ]?(?:[.!,;)\]]|$))"
_TOLD = re.compile(
    rf"\b\d{{1,4}}[ ]?{_HURT}"
    r"|\b(?:damage|dmg)\b[^\d\n.!?;]{0,40}(?:\d{1,3}[^\d\n.!?;]{1,20})?\b\d{1,4}\b"
    rf"|[-+][ ]?\d{{1,4}}[ ]?{_HP}"
    rf"|\b{_LOSES}[ ](?:another[ ]|by[ ])?\d{{1,4}}(?:[ ]?{_HP}|{_STOPS})"
    rf"|\b{_HITS}\b[^\d\n.!?;]{{0,60}}(?:[ ]\d{{1,3}}[^\d\n.!?;]{{0,20}})?[ ]for[ ]\d{{1,4}}{_STOPS}",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,4}")
#: Damage is told in the post itself or in one of so many before it.
_BACK = 5
#: So much of told damage resistance may have held off.
_HELD_OFF = 3
_LONGEST_LINE = 2000


def told(posts: Sequence[PostRead], place: int, amounts: frozenset[int]) -> tuple[str, str] | None:
    """The post and words that tell one of these amounts of damage, in a post or shortly before it; None if none do.

    Lines that hold a claim tell nothing that was not read. A little of what is told may have been held off.
    """
    enough = {amount + more for amount in amounts for more in range(_HELD_OFF + 1)}
    for read in posts[max(0, place - _BACK) : place + 1][::-1]:
        for line in _loose_lines(read):
            for found in _TOLD.finditer(line):
                if not enough.isdisjoint(map(int, _NUMBER.findall(found.group()))):
                    return read.post.id, line
    return None


def _loose_lines(read: PostRead) -> Iterator[str]:
    """The lines of a post's own words in which no claim stands."""
    text = read.scripts[-1].text
    spans = [claim.span for claim in read.reading.claims]
    place = 0
    for line in text.split("\n"):
        start, place = place, place + len(line) + 1
        if line.strip() and len(line) <= _LONGEST_LINE and not any(a < place and start < b for a, b in spans):
            yield line.strip()
