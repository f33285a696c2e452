"""Links on the line below a check, and tag-like brackets that no line took (G8, G19)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from referee.model.claims import Claim, Unread
from referee.model.text import Anchor, Script
from referee.ports.reading import tags
from rules.angel_dolls.lexicon import Lexicon
from rules.angel_dolls.reading.near import REASONS, of_another_system
from rules.angel_dolls.statements import Check, Side

_TAG_LIKE = re.compile(
    r"\s*(?:attack|to hit|hit|(?:weapon )?damage|disarm|disable|shattering|entangle|strangle|break|chain|"
    r"control test|full defen[cs]e|simultaneous|trainer points?|winner|hp|action|dodge|block|struggle|trap|"
    r"run|potion|teleport|announce|move|setup|guards?|used|\d{1,3}% to hit)\b(?:\s*[:(,\d?-]|\s*$|\s+\S)",
    re.IGNORECASE,
)
_TAG_OPEN = re.compile(rf"\[{_TAG_LIKE.pattern}", re.IGNORECASE)


def with_next_line(script: Script, claim: Claim) -> Claim:
    """Give links that stand alone on the next line to the rolls of the line above that nothing else tells apart (G8).

    Those are rolls whose number is not written, and both rolls of a line above one link alone, which may hold two
    dice. A written number finds its link by what that shows (`rolls_below`).
    """
    check = claim.data
    assert isinstance(check, Check)
    bare = [s for s in (check.left, check.right) if s and s.roll and not s.roll.anchors]
    links = script.anchors_after(claim.span[1]) if bare else ()
    if not links:
        return claim
    written = all(s.roll and s.roll.values for s in bare)
    alone = len(links) == 1 and len(bare) == 2 and not script.anchors_after(script.line_end(links[0].end))
    if written and not alone:
        return claim
    shares = [links] if len(bare) == 1 else [links[:1], links[1:] or links[:1]]
    sides = {id(side): share for side, share in zip(bare, shares, strict=True)}
    left = _given(check.left, sides)
    return replace(claim, data=replace(check, left=left, right=_given(check.right, sides)))


def _given(side: Side | None, shares: Mapping[int, tuple[Anchor, ...]]) -> Side | None:
    links = shares.get(id(side))
    if side is None or side.roll is None or not links:
        return side
    return replace(side, roll=replace(side.roll, anchors=links))


def unread_tags(script: Script, claims: list[Claim], known: list[Unread], words: Lexicon) -> Iterator[Unread]:
    """Tag-like brackets that no claim covers (G19)."""
    text = script.text
    if "[" not in text:
        return
    spans = sorted([claim.span for claim in claims] + [unread.span for unread in known])
    starts = [start for start, _ in spans]
    bare = (place for place in _places_of("[", text) if not _covers(spans, starts, place))
    if next(bare, None) is None or _TAG_OPEN.search(text) is None:
        return
    for tag in tags(script):
        if tag.bracket != "[" or not _TAG_LIKE.match(tag.inner) or not _telling(tag.inner):
            continue
        if not _covers(spans, starts, tag.start):
            span, quote = (tag.start, tag.end), script.quote(tag.start, tag.end)
            foreign = of_another_system(tag.inner, words)
            yield Unread(quote, span, REASONS["foreign"]) if foreign else Unread(quote, span)


def _places_of(sign: str, text: str) -> Iterator[int]:
    place = text.find(sign)
    while place >= 0:
        yield place
        place = text.find(sign, place + 1)


def _covers(spans: Sequence[tuple[int, int]], starts: Sequence[int], place: int) -> bool:
    """Whether one of the spans (in order, with their starts) holds a place."""
    before = bisect_right(starts, place) - 1
    return before >= 0 and place < spans[before][1]


def _telling(inner: str) -> bool:
    """Prose may begin like a tag; a tag has a sign of its form: a colon, a number or a question mark."""
    return any(sign in inner for sign in ":?0123456789") or len(inner.split()) <= 3
