"""What a post says twice: pasted a second time as a whole, or summed up under a heading of its own.

Two equal tags may be two equal attacks. So only a whole post that is told again with its prose or its rolls, and
tags under a heading such as `Summary:` that stand word for word elsewhere in the post, count once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import replace

from referee.model.text import Script
from referee.ports.reading import squeeze, tags

_PASTED = "its own text stands in it a second time and counts once, from"
_SUMMED = "what a summary in it repeats counts once:"
_LONGEST = 100
_HEADINGS = ("ummary", "UMMARY", "ecap", "ECAP", "L;DR", "l;dr", "ags:")
_HEADING = re.compile(
    r"^[^\w\n]{0,6}(?:(?:turn|battle|post|action|tag|round|quick|short)[ ])?"
    r"(?:summary|recap|tl;dr|(?:all )?tags)\b(?:[ ](?:of|for)[ ][^:\n]{1,40})?[ ]?(?::|-[ ]|[^\w\n]{0,6}$)",
    re.IGNORECASE | re.MULTILINE,
)
_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
#: A line of prose with as many characters is told once.
_STORY = 40
#: A longer summary is none.
_LONGEST_SUMMARY = 3000
#: So many places are looked at where the first line stands again.
_MOST_PLACES = 8


def said_once(script: Script) -> tuple[Script, str | None]:
    """The script without what stands in it twice, and a note of that."""
    text = script.text
    place = _pasted_at(script) if len(text) > 2 * _STORY else None
    if place is not None:
        note = f"{_PASTED} {script.quote(place, len(text))[:_LONGEST]}"
        kept = tuple(anchor for anchor in script.anchors if anchor.end <= place)
        return replace(script, text=text[:place], shown=script.shown[:place], anchors=kept), note
    if any([word in text for word in _HEADINGS]):
        heading = _HEADING.search(text)
        if heading is not None:
            return _without_summary(script, heading)
    return script, None


def _pasted_at(script: Script) -> int | None:
    """Where the post's text begins a second time, or None."""
    text = script.text
    start = _first_word(text, 0)
    end = text.find("\n", start)
    first = text[start:end]
    if end < 0 or not first.strip():
        return None
    place = end
    for _ in range(_MOST_PLACES):
        place = text.find(first, place + 1)
        if place < 0:
            return None
        if text[:place].split() == text[place:].split() and _told_again(script, place):
            return place
    return None


def _told_again(script: Script, place: int) -> bool:
    """Whether the first half has a line of prose, or links that the second half shows too."""
    links = [Counter(a.url for a in script.anchors if a.url and (a.end <= place) is half) for half in (True, False)]
    if links[0]:
        return links[0] == links[1]
    return any(_is_prose(line) for line in script.text[:place].split("\n"))


def _is_prose(line: str) -> bool:
    words = line.strip()
    return len(words) >= _STORY and not any([sign in words for sign in "[(=|"]) and len(words.split()) > _STORY // 8


def _without_summary(script: Script, heading: re.Match[str]) -> tuple[Script, str | None]:
    """The script without those tags and lines below a heading that stand elsewhere in the post too."""
    text = script.text
    gap = _EMPTY_LINE.search(text, _first_word(text, heading.end()))
    stop = gap.start() if gap is not None else len(text)
    if stop - heading.end() > _LONGEST_SUMMARY:
        return script, None
    inside: list[tuple[int, int]] = []
    elsewhere: Counter[str] = Counter()
    for start, end in _pieces(script, heading):
        if heading.end() <= start and end <= stop:
            inside.append((start, end))
        elif end - start <= _LONGEST_SUMMARY:
            elsewhere[squeeze(text[start:end])] += 1
    spans: list[tuple[int, int]] = []
    for start, end in inside:
        words = squeeze(text[start:end])
        if elsewhere[words] > 0:
            elsewhere[words] -= 1
            spans.append((start, end))
    if not spans:
        return script, None
    out, place = [], 0
    for start, end in spans:
        out += [text[place:start], " " * (end - start)]
        place = end
    kept = tuple(a for a in script.anchors if not any(start <= a.start and a.end <= end for start, end in spans))
    note = f"{_SUMMED} {script.quote(*spans[0])[:_LONGEST]}"
    return replace(script, text="".join(out) + text[place:], anchors=kept), note


def _pieces(script: Script, heading: re.Match[str]) -> list[tuple[int, int]]:
    """The places of all tags, and of the lines without one; of the heading's line what stands behind it."""
    text = script.text
    found = [(tag.start, tag.end) for tag in tags(script)]
    starts = [start for start, _ in found]
    pieces = list(found)
    place = 0
    while place < len(text):
        stop = script.line_end(place)
        begin = heading.end() if place <= heading.start() < stop else place
        words = text[begin:stop]
        bare = words.strip(" \t*-\u2022")
        if bare and bisect_left(starts, begin) == bisect_left(starts, stop):
            begin += words.index(bare)
            pieces.append((begin, begin + len(bare)))
        place = stop + 1
    return sorted(pieces)


def _first_word(text: str, place: int) -> int:
    """The place of the first character that is no blank."""
    while place < len(text) and text[place].isspace():
        place += 1
    return place
