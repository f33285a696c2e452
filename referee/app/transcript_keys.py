"""Keys of a transcript that are none, but nearly one, and data that its ruleset can't use: said, never refused.

A transcript may hold anybody's notes, so only what looks misspelt is told; what is of the wrong type is refused before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from referee.app.given import misspelt_tables, nearest, wrong_options, wrong_rows, wrong_sheet

#: More remarks on one file than this help nobody.
MOST_REMARKS = 20


class Remark(NamedTuple):
    """What is to be said, and at which place of the data (keys and numbers)."""

    place: tuple[str | int, ...]
    line: str


class Level(NamedTuple):
    """The keys of a mapping in a transcript, and the levels below it: behind a key, the mappings in a list or map."""

    keys: tuple[str, ...]
    below: Mapping[str, Level] = {}


def remarks(data: Mapping[str, Any], level: Level) -> Iterator[Remark]:
    """Every remark on a transcript's data, each misspelt key of a level once, up to `MOST_REMARKS`."""
    said: set[str] = set()
    for remark in (*_misspelt(data, level, ()), *_wrong(data)):
        words = ".".join(str(part) for part in remark.place if isinstance(part, str)) + remark.line
        if words not in said and len(said) < MOST_REMARKS:
            said.add(words)
            yield remark


def _misspelt(data: Mapping[str, Any], level: Level, place: tuple[str | int, ...]) -> Iterator[Remark]:
    for key, value in data.items():
        near = nearest(str(key), level.keys) if key not in level.keys else None
        if near and near not in data:
            yield Remark((*place, str(key)[:80]), f"unknown key, did you mean `{near}`?")
        inner = level.below.get(key)
        if inner is not None:
            for where, row in _rows(value):
                yield from _misspelt(row, inner, (*place, key, where))


def _rows(value: Any) -> Iterator[tuple[str | int, Mapping[str, Any]]]:
    """The mappings in a list or in a mapping, with their places."""
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, Sequence) else ()
    return ((where, row) for where, row in pairs if isinstance(row, Mapping))


def _wrong(data: Mapping[str, Any]) -> Iterator[Remark]:
    """What the transcript's ruleset says of its battle options, tables and characters."""
    ruleset = str(data["ruleset"])
    yield from _placed(("battle",), wrong_options(ruleset, data.get("battle") or {}))
    yield from _wrong_forfeits(data)
    tables = data.get("tables") or {}
    yield from _placed(("tables",), misspelt_tables(ruleset, tables))
    yield from _placed(("tables",), wrong_rows(ruleset, tables))
    for number, character in enumerate(data.get("characters") or ()):
        yield from _placed(("characters", number), wrong_sheet(ruleset, character))


def _wrong_forfeits(data: Mapping[str, Any]) -> Iterator[Remark]:
    """Forfeits of the battle's options (X15) that name no post or no character, and would count for nothing."""
    given = (data.get("battle") or {}).get("forfeits")
    if given is not None and not isinstance(given, list):
        yield Remark(("battle", "forfeits"), "must be a list such as [{post: p9, character: Ren Aoki}]")
    known = {
        "post": {str(post["id"]) for post in data["posts"]},
        "character": {str(one["name"]) for one in data.get("characters") or ()},
    }
    for number, row in enumerate(given if isinstance(given, list) else ()):
        for key, there in known.items():
            value = row.get(key) if isinstance(row, Mapping) else None
            if str(value) not in there:
                yield Remark(("battle", "forfeits", number, key), f"there is no {key} {str(value)[:80]!r}")


def _placed(place: tuple[str | int, ...], lines: Iterator[str]) -> Iterator[Remark]:
    """Lines `key: what is wrong` with their places."""
    for line in lines:
        key, colon, what = line.partition(": ")
        yield Remark((*place, *key.split(".")), what) if colon else Remark(place, line)
