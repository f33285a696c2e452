"""What a post says twice: pasted a second time as a whole, or summed up under a heading of its own.

Two equal tags may be two equal attacks. So only a whole post that is told again with its prose or its rolls, and
tags and lines under a heading such as `Summary:` that stand word for word, with the same links, elsewhere in the
post, count once.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from referee.model.text import Anchor, Script, first_word
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
#: What may stand beside a tag or in front of a line in a summary.
_BESIDE = " \t*-\u2022,;"
#: What may stand between a tag and its links.
_NOTHING = " ().,;:"
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
    start = first_word(text, 0)
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
    """Whether the first half has a line of prose, or several lines with links that the second half shows too.

    One tag twice with one link is a roll that was used twice.
    """
    links = [Counter(a.url for a in script.anchors if a.url and (a.end <= place) is half) for half in (True, False)]
    lines = [line for line in script.text[:place].split("\n") if line.strip()]
    if links[0]:
        return links[0] == links[1] and len(lines) > 1
    return any(_is_prose(line) for line in lines)


def _is_prose(line: str) -> bool:
    words = line.strip()
    return len(words) >= _STORY and not any([sign in words for sign in "[(=|"]) and len(words.split()) > _STORY // 8


def _without_summary(script: Script, heading: re.Match[str]) -> tuple[Script, str | None]:
    """The script without those tags and lines below a heading that stand elsewhere in the post too."""
    text = script.text
    gap = _EMPTY_LINE.search(text, first_word(text, heading.end()))
    stop = gap.start() if gap is not None else len(text)
    if stop - heading.end() > _LONGEST_SUMMARY:
        return script, None
    inside: list[tuple[int, int]] = []
    elsewhere: dict[str, list[Counter[str | None]]] = {}
    for start, end, whole in _pieces(script, heading):
        if heading.end() <= start and end <= stop:
            inside += [(start, end)] * whole
        elif end - start <= _LONGEST_SUMMARY:
            elsewhere.setdefault(squeeze(text[start:end]), []).append(_links(script, start, end))
    spans: list[tuple[int, int]] = []
    for start, end in inside:
        links, told = _links(script, start, end), elsewhere.get(squeeze(text[start:end]), [])
        # Other links are other rolls, and a roll that the board made itself (no link) is never made twice.
        same = next((one for one in told[:_MOST_PLACES] if None not in links and links <= one), None)
        if same is not None:
            told.remove(same)
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


def _pieces(script: Script, heading: re.Match[str]) -> Iterator[tuple[int, int, bool]]:
    """The places of all tags, and of the lines that hold more than tags; of the heading's line what stands behind it.

    Each with whether it says something by itself: a bracket inside a line, such as `(+12)`, does not.
    """
    text = script.text
    found = [(tag.start, tag.end) for tag in tags(script)]
    starts = [start for start, _ in found]
    place = 0
    while place < len(text):
        stop = script.line_end(place)
        begin = heading.end() if place <= heading.start() < stop else place
        own = found[bisect_left(starts, begin) : bisect_left(starts, stop)]
        only = bool(own) and (own[-1][1] > stop or not _outside(text, begin, stop, own).strip(_BESIDE))
        yield from ((start, end, only) for start, end in own)
        bare = text[begin:stop].strip(_BESIDE)
        if bare and not only:
            begin = text.index(bare, begin)
            yield begin, begin + len(bare), True
        place = stop + 1


def _outside(text: str, begin: int, stop: int, brackets: list[tuple[int, int]]) -> str:
    """What stands in a line outside these brackets."""
    ends = [begin, *(end for _, end in brackets)]
    starts = [*(start for start, _ in brackets), stop]
    return "".join([text[end:start] for end, start in zip(ends, starts, strict=True)])


def _links(script: Script, start: int, end: int) -> Counter[str | None]:
    """The links in a piece and right behind it, on its line or alone on the next; None for a roll of the board."""
    if not script.anchors:
        return Counter()
    text, stop = script.text, script.line_end(end)
    if text[end:stop].strip(_NOTHING):
        stop = end
    elif not text[stop + 1 : script.line_end(stop + 1)].strip(_NOTHING):
        stop = script.line_end(stop + 1)
    first = bisect_left(script.anchors, start, key=_start)
    return Counter(anchor.url for anchor in script.anchors[first : bisect_right(script.anchors, stop, key=_start)])


def _start(anchor: Anchor) -> int:
    return anchor.start
