"""Damage told in words: `takes 6 damage`, `6 dmg to Rat 1`, `hits Rat 1 for 6`, `Rat 1: -6 HP`, `loses 6 HP`.

Such words are no claim that can be judged: neither roll nor rule stands with them, and prose is full of them. But
HP that differ by just as much as they tell are not called wrong: what was told was not read, and a notice says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from referee.engine.timeline import PostRead
from referee.model.text import lines_touched

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
    rf"|\b{_LOSES}[ ](?:another[ ]|by[ ])?\d{{1,4}}(?:[ ]?{_HP}|{_STOPS}|(?=[ ]from[ ]))"
    rf"|\b{_HITS}\b[^\d\n.!?;]{{0,60}}(?:[ ]\d{{1,3}}[^\d\n.!?;]{{0,20}})?[ ]for[ ]\d{{1,4}}{_STOPS}",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,4}")
#: Damage is told in the post itself or in one of so many before it.
_BACK = 5
#: So much of told damage resistance may have held off.
_HELD_OFF = 3
_LONGEST_LINE = 2000


class Told:
    """What the posts of a battle tell of damage, read where somebody asks."""

    def __init__(self, posts: Sequence[PostRead]) -> None:
        """The posts as they were read."""
        self._posts = posts
        self._tellings: dict[int, list[tuple[frozenset[int], str]]] = {}

    def words(self, place: int, amounts: frozenset[int]) -> tuple[str, str] | None:
        """The post and words that tell one of these amounts, in a post or shortly before it; None if none do.

        Lines that hold a claim tell nothing that was not read. A little of what is told may have been held off.
        """
        enough = {amount + more for amount in amounts for more in range(_HELD_OFF + 1)}
        for at in range(min(place, len(self._posts) - 1), max(-1, place - _BACK - 1), -1):
            for numbers, line in self._of(at):
                if not enough.isdisjoint(numbers):
                    return self._posts[at].post.id, line
        return None

    def _of(self, place: int) -> list[tuple[frozenset[int], str]]:
        """The numbers of each telling in a post, with its line."""
        if place not in self._tellings:
            self._tellings[place] = [
                (frozenset(map(int, _NUMBER.findall(found.group()))), line)
                for line in _loose_lines(self._posts[place])
                for found in _TOLD.finditer(line)
            ]
        return self._tellings[place]


def _loose_lines(read: PostRead) -> Iterator[str]:
    """The lines of a post's own words in which no claim stands."""
    text = read.scripts[-1].text
    taken = lines_touched(text, [claim.span for claim in read.reading.claims])
    for number, line in enumerate(text.split("\n")):
        if line.strip() and len(line) <= _LONGEST_LINE and number not in taken:
            yield line.strip()
