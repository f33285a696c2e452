"""Web addresses in plain text: where they stand, and what they are as links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scrapers.patterns import Pattern

#: Wide brackets and punctuation end an address as blanks do: in scripts that use them no blank follows.
_WIDE = "\uff08\uff09\uff3b\uff3d\uff5b\uff5d\u3008-\u3011\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff01\uff1f\uff1c\uff1e"
_REST = Pattern(rf"""[^\s<>"\[\]\\^`{{|}}\u200b-\u200d\ufeff{_WIDE}]{{1,2048}}""")
_TRAILING = ".,;:!?'*_~»”’"
_WEB = Pattern(r"(?:https?:)?//|www\.", re.IGNORECASE)


def as_address(url: str) -> str | None:
    """A link's target as an absolute web address, None for any other scheme (javascript:, data: ...)."""
    if url.startswith(("http://", "https://")):
        return url.strip()
    url = url.strip()
    if not _WEB.match(url):
        return None
    if url.startswith("//"):
        return "http:" + url
    return url if ":" in url[:6] else "http://" + url


Span = tuple[int, int]


def bare_addresses(text: str, taken: Sequence[Span] = ()) -> list[Span]:
    """Where plain web addresses stand in a text, without punctuation and brackets around them.

    `taken`: the places of links, in order; only what lies between them is looked at.
    """
    found = [span for gap in _gaps(taken, len(text)) for span in _with_scheme(text, *gap)]
    if "www." in text:
        gaps = _gaps(sorted([*taken, *found]), len(text))
        found.extend(span for gap in gaps for span in _without_scheme(text, *gap))
    return found


def _gaps(taken: Iterable[Span], length: int) -> Iterator[Span]:
    """What lies between the places that are taken."""
    place = 0
    for start, end in taken:
        if start > place:
            yield place, start
        place = max(place, end)
    if length > place:
        yield place, length


def _with_scheme(text: str, start: int, stop: int) -> Iterator[Span]:
    """Addresses between two places that begin with `http://` or `https://`."""
    place = text.find("://", start, stop)
    while place >= 0:
        scheme = text[max(place - 5, 0) : place].lower()
        length = 5 if scheme == "https" else 4 if scheme.endswith("http") else 0
        end = _address_end(text, place + 3, place - length)
        if length and place - length >= start and place + 3 < end <= stop and not _joined(text, place - length):
            yield place - length, end
        place = text.find("://", max(end, place + 3), stop)


def _without_scheme(text: str, start: int, stop: int) -> Iterator[Span]:
    """Addresses between two places that begin with `www.`."""
    place = text.find("www.", start, stop)
    while place >= 0:
        end = _address_end(text, place + 4, place)
        if place + 4 < end <= stop and not _joined(text, place):
            yield place, end
        place = text.find("www.", max(end, place + 4), stop)


def _joined(text: str, place: int) -> bool:
    """Whether a word or path runs into this place."""
    return place > 0 and (text[place - 1].isalnum() or text[place - 1] in "_/@")


def _address_end(text: str, place: int, begin: int) -> int:
    """Where an address ends, without the punctuation and the brackets that belong to the sentence.

    `begin`: where its scheme stands; behind a bracket it ends with that bracket at the latest.
    """
    match = _REST.match(text, place)
    if not match:
        return place
    rest = match.group()
    if begin > 0 and text[begin - 1] == "(":
        rest = _inside(rest)
    surplus = rest.count(")") - rest.count("(")
    end = len(rest)
    while end and (rest[end - 1] in _TRAILING or (rest[end - 1] == ")" and surplus > 0)):
        surplus -= rest[end - 1] == ")"
        end -= 1
    return place + end


def _inside(rest: str) -> str:
    """What stands in front of the bracket that closes one opened earlier: `x.example/r/1),14`."""
    depth = 0
    for place, sign in enumerate(rest):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return rest[:place]
    return rest
