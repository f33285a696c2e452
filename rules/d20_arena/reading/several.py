"""Several tags in one bracket: `[Announce: Volt Lash on Golem 1; Move: moving; Action: Volt Lash -> ...]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.ports.reading import Tag
from rules.d20_arena.reading.stance import stance_in

#: What may part two tags in a bracket, and the words of the notation that begin one. Damage, binding and saving throw
#: are parts of an Action tag, and so is `To hit:`.
_NEXT = re.compile(
    r"[;|.,!\n][ \t\n]*+(?=(?:announce|(?P<move>move)|trap|action|free[ ]attack|struggle|help|reaction)"
    r"[ \t]*+(?:\([^()\n]{0,40}\)[ \t]*+)?:)",
    re.IGNORECASE,
)
#: No bracket holds more tags.
_MOST = 20


def parted(tag: Tag) -> Iterator[Tag]:
    """The tags that a bracket holds, each with its own place; the bracket itself where it holds one."""
    cuts = list(_cuts(tag)) if tag.inner.count(":") > 1 else []
    start, first = tag.start, 0
    for stop, begin in cuts:
        yield _piece(tag, start, first, stop)
        start, first = tag.inner_start + begin, begin
    yield _piece(tag, start, first, len(tag.inner))._replace(end=tag.end) if cuts else tag


def is_piece(tag: Tag) -> bool:
    """Whether further tags stand behind this one in its bracket."""
    return tag.closed and tag.end == tag.inner_start + len(tag.inner)


def _cuts(tag: Tag) -> Iterator[tuple[int, int]]:
    """Where one tag of a bracket ends and the next one begins, as places in its inside."""
    found = [met for _, met in zip(range(_MOST), _NEXT.finditer(tag.inner), strict=False)]
    for row, met in enumerate(found):
        end = found[row + 1].start() if row + 1 < len(found) else len(tag.inner)
        # `..., and her next move: left` states no stance and is no tag.
        if met["move"] is None or stance_in(tag.inner[met.end() : end]) is not None:
            yield met.start(), met.end()


def _piece(tag: Tag, start: int, first: int, stop: int) -> Tag:
    return tag._replace(
        start=start, end=tag.inner_start + stop, inner=tag.inner[first:stop], inner_start=tag.inner_start + first
    )


__all__ = ["is_piece", "parted"]
