"""Phrases of one battle - names, things, abilities - found at a place of a text.

A pattern made of a battle's own words would have to be compiled for every battle, which takes longer
than reading its posts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

#: The first word of a phrase, or its first sign.
_TOKEN = re.compile(r"\w+|\S")
#: So far behind its first word a name's number may stand.
_NEAR = 40


class Phrases:
    """Phrases that are looked up at a place: any case, any number of blanks between their words."""

    def __init__(self, forms: Iterable[str]) -> None:
        """Phrases in the form of `squeeze`."""
        self._by_first: dict[str, list[tuple[str, list[str]]]] = {}
        self._signed: dict[str, list[tuple[str, list[str]]]] = {}  # `golem #1`: looked at only where that sign stands
        for form in sorted(set(forms), key=len, reverse=True):
            first = _TOKEN.match(form)
            if first is not None:
                rest = form[first.end() :]
                rows = self._signed if "#" in rest else self._by_first
                rows.setdefault(first.group(), []).append((form, rest.split(" ") if rest else []))

    @property
    def firsts(self) -> Iterable[str]:
        """The first words of all phrases, or their first signs."""
        return {**self._signed, **self._by_first}

    def at(self, text: str, place: int, end: int | None = None) -> Iterator[tuple[str, int]]:
        """The phrases that begin at a place, which is no middle of a word, and end as whole words before `end`.

        The longest comes first; with each the place behind it.
        """
        limit = len(text) if end is None else end
        first = _TOKEN.match(text, place, limit)
        if first is None:
            return
        word = first.group().casefold()
        rows = self._by_first.get(word, ())
        if self._signed and word in self._signed and text.find("#", first.end(), first.end() + _NEAR) >= 0:
            rows = (*self._signed[word], *rows)
        for form, rest in rows:
            stop = _behind(text, first.end(), rest) if rest else first.end()
            if stop is not None and (stop == limit or (stop < limit and not _is_wordy(text[stop]))):
                yield form, stop


def _behind(text: str, place: int, pieces: list[str]) -> int | None:
    """The place behind pieces of text with blanks between them; None where something else stands there."""
    for number, piece in enumerate(pieces):
        if number:
            blanks = place
            while text[place : place + 1] == " ":
                place += 1
            if place == blanks:
                return None
        stop = place + len(piece)
        if text[place:stop].casefold() != piece:
            return None
        place = stop
    return place


def _is_wordy(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
