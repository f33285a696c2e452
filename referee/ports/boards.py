"""The contract of a forum software: boards *ask* for pages, they never fetch.

A board is a value with a few pure functions. `thread(url)` is a generator that yields a `Wish` and
receives the `Page` that answers it, so that one and the same code reads live boards, the archive,
saved files and tests.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from referee.model.battle import Post


@dataclass(frozen=True, slots=True)
class Wish:
    """A page that a board asks for. `accept`: the media type wanted, where it matters."""

    url: str
    accept: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A received page as it came. `url`: where it was served from, after redirects. `fetched_at`:
    UTC time of the answer (the server's Date header where there is one), None where unknown.
    """

    url: str
    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    fetched_at: datetime | None = None

    def header(self, name: str) -> str | None:
        """A header's value, whatever the case of its name."""
        wanted = name.lower()
        for key, value in self.headers.items():
            if key.lower() == wanted:
                return value
        return None


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """One page of a thread, read. `kind`: thread, or what the page is instead - login (a login wall),
    challenge (a bot check), missing (no such thread), down (the board's own error page: it is out of
    order), empty (no post on it), unknown.

    `next_url`: the next page of the same thread by the pager, None on the last. `posts_stated`: the
    board's own count of the whole thread, `first_number`: number of the first post on this page,
    where the page tells. `deleted`: ids of posts that the page itself shows as deleted. `zoneless`: its times
    were read in the zone of the options, since the page names none. `alone`: problems of a page that no other one at
    hand links as its next.
    """

    kind: str
    posts: tuple[Post, ...] = ()
    thread_id: str | None = None
    url: str | None = None
    title: str | None = None
    engine: str = ""
    engine_version: str | None = None
    next_url: str | None = None
    page_urls: tuple[str, ...] = ()
    page_number: int | None = None
    page_count: int | None = None
    posts_stated: int | None = None
    locked: bool | None = None
    problems: tuple[str, ...] = ()
    zoneless: bool = False
    alone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadRead:
    """A whole thread as read: posts in thread order, and what was odd about the pages.

    `complete`: no page failed and no count contradicts; only then may a missing post be called
    deleted. `problems`: lines for the operator (incidents), never for staff as findings. `down`: the
    board was out of order on one of the pages: the rest is to be read another time. `zoneless`: as of its
    pages. `clock_off`: by how many seconds the board's clock was ahead when posts were new, None where unknown.
    `gaps`: ids of posts before which pages of the thread are missing.
    """

    url: str
    kind: str
    posts: tuple[Post, ...] = ()
    thread_id: str | None = None
    title: str | None = None
    engine: str = ""
    engine_version: str | None = None
    posts_stated: int | None = None
    locked: bool | None = None
    complete: bool = False
    problems: tuple[str, ...] = ()
    down: bool = False
    zoneless: bool = False
    clock_off: int | None = None
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadLink:
    """A thread in a list. `url`: its canonical address; `number`: the board's own id of it, None where untold."""

    url: str
    title: str
    number: str | None = None


@dataclass(frozen=True, slots=True)
class ListPage:
    """One page of a list of threads. `kind`: list, or as of a thread page: login, challenge, missing, down, unknown."""

    kind: str
    threads: tuple[ThreadLink, ...] = ()
    next_url: str | None = None


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read pages of one board: its zone where no page tells (`UTC`), day-first dates, and
    selectors that override the engine's for a changed skin.
    """

    timezone: str = "UTC"
    day_first: bool | None = None
    selectors: Mapping[str, str] = field(default_factory=dict)


#: A conversation about one thread: yields wishes, receives pages, returns the thread.
Reading = Generator[Wish, Page, ThreadRead]


@dataclass(frozen=True, slots=True)
class Board:
    """A forum software as one value.

    `marks(page)`: how surely this page was made by it, 0 (not) to 100, from the page alone; `seen`
    says in words which marks it looks for (for the error line of an unknown engine), and is empty for a reader that
    the operator must choose.
    `read_page(page, options)`: one page to posts. `canonical(url)`: a thread page's address without
    session ids, with the parts that name the page. `thread(url, first, options)`: reads all pages
    from the thread's first one on; `first` is a page of it already at hand, None to ask for it.
    `wherever(permalink)`: an address that leads to a post in whatever thread it stands now. Without it, a post
    that staff moved into another thread can't be told from a deleted one. `check(options)`: what is wrong with
    options, as lines `selectors.KEY: what`. `read_list(page, options)`: one page of a section's list of
    threads; without it, sections of such a board can't be watched. `first_page(url)`: the address of a thread's first
    page where that of another page, or of a post, tells it.
    """

    name: str
    seen: str
    marks: Callable[[Page], int]
    read_page: Callable[[Page, ReadOptions], ThreadPage]
    canonical: Callable[[str], str]
    thread: Callable[[str, Page | None, ReadOptions], Reading]
    wherever: Callable[[str], str | None] = lambda permalink: None
    check: Callable[[ReadOptions], Iterable[str]] = lambda options: ()
    read_list: Callable[[Page, ReadOptions], ListPage] | None = None
    first_page: Callable[[str], str | None] = lambda url: None
