"""Posts of the thread that were not read: pages not among the saved ones, numbers that jump.

What a later post says may rest on one of them, so from there on only what stands in a post and its records is
certain; every other finding becomes a notice (notation.md X2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.engine.timeline import PostRead
from referee.model.claims import Reading
from referee.ports.rules import Book, Entry

#: Findings that need no other post than those they name.
CERTAIN = frozenset(
    {
        *("post/edited-claims", "post/deleted"),
        *("dice/values", "dice/not-found", "dice/no-link", "dice/unknown-service", "dice/altered", "dice/reused"),
        *("dice/roller", "dice/too-late"),
    }
)


def first_gap(gaps: Iterable[str], order: Mapping[str, int]) -> int | None:
    """The place of the first post before which posts are missing; None where none are."""
    return min((order[post] for post in gaps if post in order), default=None)


def check_gaps(posts: tuple[PostRead, ...], gaps: Iterable[str], book: Book) -> None:
    """Say at every post before which others are missing that what rests on them is not judged."""
    missing = frozenset(gaps)
    for index, read in enumerate(posts):
        if read.post.id in missing:
            message = "posts before this one were not read: from here on, what may rest on them is only noted"
            book.unchecked(Entry(index, read.post, Reading()), f"gap:{read.post.id}", message)
