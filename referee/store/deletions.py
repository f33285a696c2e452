"""Which posts are gone, and where new ones belong: pure functions over ids in thread order."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence


def in_order(stored: Sequence[str], read: Sequence[str]) -> bool:
    """Whether the posts of both lists stand in the same order, none twice: a page that has drifted fails this."""
    if len(set(read)) != len(read):
        return False
    place = {post: index for index, post in enumerate(stored)}
    places = [place[post] for post in read if post in place]
    return all(before < after for before, after in itertools.pairwise(places))


def gone(stored: Sequence[str], read: Sequence[str]) -> frozenset[str]:
    """Stored posts that a whole reading does not show although a post on each side of them is there.

    The first or last posts of a thread are never provably deleted: the thread may have been split,
    or the reading may end early. Call it for complete readings whose order has not drifted only.
    """
    seen = set(read)
    present = [index for index, post in enumerate(stored) if post in seen]
    if not present:
        return frozenset()
    return frozenset(post for post in stored[present[0] : present[-1]] if post not in seen)


def merged(stored: Sequence[str], read: Sequence[str]) -> tuple[str, ...]:
    """One order of all posts: stored ones keep theirs, a new one follows the post before it.

    Stored posts that the reading lacks stay where they were; a new post comes after such a gap,
    unless both ids are numbers that say otherwise.
    """
    known = set(stored)
    if all(post in known for post in read):
        return tuple(stored)
    after = _groups(known, read)
    seen = set(read)
    order: list[str] = list(after.get(None, ()))
    waiting: list[str] = []
    for post in stored:
        if post in seen:
            order.extend(waiting)
            waiting = []
        waiting = _emit_older(order, waiting, post)
        order.append(post)
        waiting = [*waiting, *after.get(post, ())]
    return (*order, *waiting)


def _groups(known: set[str], read: Sequence[str]) -> Mapping[str | None, list[str]]:
    """New posts by the known post that they follow; None for those before the first."""
    groups: dict[str | None, list[str]] = {}
    last: str | None = None
    for post in read:
        if post in known:
            last = post
        else:
            groups.setdefault(last, []).append(post)
    return groups


def _emit_older(order: list[str], waiting: list[str], post: str) -> list[str]:
    """Move waiting posts with a lower number than `post` into the order; gives those still waiting."""
    if not waiting or not post.isdigit():
        return waiting
    count = 0
    for new in waiting:
        if not (new.isdigit() and len(new) < 19 and len(post) < 19 and int(new) < int(post)):
            break
        count += 1
    order.extend(waiting[:count])
    return waiting[count:]
