"""Brackets that no line took: which of them look like a tag of any of the systems (G19, X3)."""

from __future__ import annotations

import re

from referee.ports.reading import Tag

_FLAGS = re.IGNORECASE
_TAG_LIKE = re.compile(
    r"\s*(?:(?:damage|dodge|hit|action|struggle|trap|run|potion|chain|attacks?|normal attack|encounter|order|allocation"
    r"|drops?|exp|hp|teleport|party stone|spell|special|skill|move|setup|announce|reaction|help|free attack|status|item"
    r"|duel|spar|block|guard|loss)\b[^:\n]{0,30}:|\d{1,3}\s*%\s*to\s+hit|used\s+\S)",
    _FLAGS,
)
_TAG_MARK = re.compile(r"\bcost\s*:?\s*\d|\bheals\s+\d|\bupkeep\s+\d|->\s*\S", _FLAGS)
_TITLE = re.compile(r"[A-Z][\w'-]{0,30}(?:\s+(?:[A-Z][\w'-]{0,30}|no|of|the|and|de|la)){0,5}", 0)


class Looks:
    """Looks at the brackets of one script in order of place.

    Brackets that are never closed all reach to the end of their line: what the first of them holds is
    remembered for the others, else a line full of them would be searched once for each.
    """

    __slots__ = ("_mark", "_stop")

    def __init__(self) -> None:
        """Nothing looked at so far."""
        #: Where the line ends whose marks are known, and the next of them (-1: no more).
        self._stop = -1
        self._mark = -1

    def like_a_tag(self, tag: Tag) -> bool:
        """Whether a bracket looks like a tag of any of the systems."""
        if _TAG_LIKE.match(tag.inner):
            return tag.bracket == "[" or tag.alone
        if tag.bracket != "[":
            return False
        return self._marked(tag) or (tag.alone and tag.closed and _TITLE.fullmatch(tag.inner) is not None)

    def _marked(self, tag: Tag) -> bool:
        """Whether a cost, a heal, an upkeep or a target in tag form stands in a bracket."""
        if tag.closed:
            return _TAG_MARK.search(tag.inner) is not None
        if tag.end != self._stop or 0 <= self._mark < tag.start:
            met = _TAG_MARK.search(tag.inner)
            self._stop, self._mark = tag.end, -1 if met is None else tag.inner_start + met.start()
        return self._mark >= 0
