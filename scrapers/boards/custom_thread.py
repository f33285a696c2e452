"""Reading on through a thread of a board that referee does not know: what its pages say about each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from referee.model.battle import Post
from referee.ports.boards import Page, ReadOptions, ThreadPage, ThreadRead
from scrapers.boards.pages import UNKNOWN_SKIN
from scrapers.times.moments import is_older

#: Words such as `5 minutes ago` give one post several times.
_MOMENT, _DAYS = timedelta(minutes=10), timedelta(days=2)


class Walk:
    """The pages of one thread, as they are read."""

    def __init__(self, read_page: Callable[[Page, ReadOptions], ThreadPage], canonical: Callable[[str], str]) -> None:
        self._read_page, self._canonical = read_page, canonical
        self._linked: set[str] = set()
        self._posts: dict[str, Post] = {}

    def read_page(self, page: Page, options: ReadOptions) -> ThreadPage:
        """A page; what it does not say itself, the page that links it as its next one may have said."""
        read = self._read_page(page, options)
        reached = self._canonical(page.url) in self._linked
        problems = [*read.problems, *(() if reached else read.alone)]
        if any(not _alike(post, self._posts.setdefault(post.id, post)) for post in read.posts):
            problems.append(f"{UNKNOWN_SKIN}: several posts of the thread with one number (selectors.id)")
        if read.next_url is not None:
            self._linked.add(self._canonical(read.next_url))
        return replace(read, problems=tuple(problems), alone=())


def _alike(one: Post, other: Post) -> bool:
    """Whether two posts with one number are one, as far as author and time tell."""
    if one.author and other.author and one.author != other.author:
        return False
    if one.at is None or other.at is None:
        return True
    return abs(one.at - other.at) <= (_DAYS if "day" in (one.precision, other.precision) else _MOMENT)


def oldest_first(read: ThreadRead) -> ThreadRead:
    """A thread in the order of its numbers where it stands in another one and its times say so too.

    The newest may stand first behind the thread's first post, which some boards repeat on every page.
    """
    if not any(_falls(one, other) for one, other in pairwise(read.posts)):
        return read
    posts = tuple(sorted(read.posts, key=lambda post: int(post.id)))
    if not any(is_older(other, one) for one, other in pairwise(posts)):
        return replace(read, posts=posts)
    line = f"{UNKNOWN_SKIN}: the posts stand in no order that their numbers and times agree on"
    return replace(read, complete=False, problems=(*read.problems, line))


def _falls(one: Post, other: Post) -> bool:
    """Whether the second of two posts is the older one, by number and time."""
    return is_older(other, one) and int(other.id) < int(one.id)
