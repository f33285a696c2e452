"""Reading a whole thread: which page to ask for next, when to stop, and whether nothing is missing.

The same for all engines; an engine says how its addresses look (`Paths`) and reads single pages.
Only the pager's own next link is followed, and never in a circle: MyBB answers a page past the end
with page 1, SMF with an empty page that has a next link again.

A page with the number 0 shows the thread in another way (one post of a tree, the posts of the last days): its
address is that of the ordinary first page, and a thread with such a page is never whole.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from referee.model.battle import Post
from referee.ports.boards import Page, Reading, ReadOptions, ThreadPage, ThreadRead, Wish
from scrapers.boards.pages import UNKNOWN_SKIN
from scrapers.times.moments import is_older

#: Most pages that are read of one thread.
MOST_PAGES = 2000


class Paths(NamedTuple):
    """An engine's pages: `read_page` and `canonical` as in the contract; `first` gives the first page's
    address where a thread's address tells it, else None; `accept` is the media type to ask for.
    """

    read_page: Callable[[Page, ReadOptions], ThreadPage]
    canonical: Callable[[str], str]
    first: Callable[[str], str | None]
    accept: str | None = None


class _Walk:
    """The state of reading one thread."""

    def __init__(self, paths: Paths, options: ReadOptions) -> None:
        self.paths = paths
        self.options = options
        self.pages: list[ThreadPage] = []
        self.problems: list[str] = []
        self.whole = True
        self.down = False
        self.at_hand: dict[str, Page] = {}

    def fail(self, line: str) -> None:
        """Something is missing or contradicts."""
        self.problems.append(line)
        self.whole = False

    def take(self, page: Page) -> ThreadPage:
        """Read a page; its lines go to the thread's."""
        read = self.paths.read_page(page, self.options)
        self.problems.extend(f"{self.paths.canonical(page.url)}: {line}" for line in read.problems)
        if any(line.startswith(UNKNOWN_SKIN) for line in read.problems):
            # Posts or edit notices may be missing that nobody knows how to look for.
            self.whole = False
        return read


def read_thread(paths: Paths, url: str, first: Page | None, options: ReadOptions) -> Reading:
    """The conversation of `Board.thread` for any engine."""
    walk = _Walk(paths, options)
    page = first
    if page is None:
        page = yield Wish(paths.first(url) or url, paths.accept)
    read = paths.read_page(page, options)
    start = _first_page(paths, page, read)
    if read.kind == "thread" and read.page_number != 0:
        walk.at_hand[paths.canonical(read.url or page.url)] = page
    if start is not None:
        head = yield Wish(start, paths.accept)
        read_head = paths.read_page(head, options)
        if read.kind != "thread" or (read_head.kind == "thread" and _same(read_head, read)):
            page, read = head, read_head
        else:
            walk.fail(f"{start}: the first page is {read_head.kind}; reading from {paths.canonical(page.url)} on")
            walk.down |= read_head.kind == "down"
    if read.kind != "thread":
        return _no_thread(paths, page, read)
    yield from _all_pages(walk, page)
    return _whole(walk, paths.canonical(url))


def _no_thread(paths: Paths, page: Page, read: ThreadPage) -> ThreadRead:
    """What came instead of the thread."""
    return ThreadRead(
        url=read.url or paths.canonical(page.url),
        kind=read.kind,
        thread_id=read.thread_id,
        title=read.title,
        engine=read.engine,
        engine_version=read.engine_version,
        problems=read.problems,
    )


def _same(one: ThreadPage, other: ThreadPage) -> bool:
    """Whether two pages are of one thread, as far as they say."""
    return one.thread_id is None or other.thread_id is None or one.thread_id == other.thread_id


def _first_page(paths: Paths, page: Page, read: ThreadPage) -> str | None:
    """The address of the first page where the page at hand is another one (or an empty one past the end).

    Also where it is no page of a thread, but its address names one: print views, links that need a login, pages that
    are not there (any more).
    """
    start = paths.first(read.url or page.url) or (read.page_urls[0] if read.page_urls else None)
    if read.kind in ("unknown", "login"):
        start = paths.first(page.url)
        return start if start != page.url.split("#", 1)[0] and page.status < 500 else None
    if read.kind == "missing":
        start = paths.first(page.url)
        return start if start is not None and paths.canonical(start) != paths.canonical(page.url) else None
    if start is None or read.kind not in ("thread", "empty"):
        return None
    if read.kind == "thread" and (read.page_number == 1 or (read.page_number is None and not read.page_urls)):
        return None
    if read.page_number is None or read.kind == "empty":
        return None if paths.canonical(start) == paths.canonical(page.url) else start
    return start


def _all_pages(walk: _Walk, page: Page) -> Reading:
    """Read on from a page to the last one."""
    paths = walk.paths
    seen: set[str] = set()
    asked: set[str] = set()
    while True:
        asked.add(paths.canonical(page.url))
        read = walk.take(page)
        if not _fits(walk, page, read, seen):
            break
        walk.pages.append(read)
        if len(walk.pages) >= MOST_PAGES and read.next_url:
            walk.fail(f"stopped after {MOST_PAGES} pages")
            break
        following = read.next_url
        if following is None:
            break
        if paths.canonical(following) in asked:
            walk.fail(f"{paths.canonical(page.url)}: its next page was read before")
            break
        asked.add(paths.canonical(following))
        known = walk.at_hand.get(paths.canonical(following))
        page = known if known is not None else (yield Wish(following, paths.accept))
    return ThreadRead(url="", kind="thread")


def _fits(walk: _Walk, page: Page, read: ThreadPage, seen: set[str]) -> bool:
    """Whether a page carries the thread on; where not, why. `seen`: posts read so far, those of the page are added.

    Some skins repeat the thread's first post on every page: a page carries on by any post that is new.
    """
    place = walk.paths.canonical(page.url)
    if read.kind == "empty" and walk.pages:
        # Past the last page: only wrong if the pager had counted that page (SMF's next has no end).
        counted = walk.pages[-1].page_count
        if counted is not None and counted > len(walk.pages):
            walk.fail(f"{place}: no post on it")
        return False
    if read.kind != "thread":
        walk.fail(f"{place}: page is {read.kind}")
        walk.down |= read.kind == "down"
        return False
    if walk.pages and not _same(read, walk.pages[0]):
        walk.fail(f"{place}: page of another thread")
        return False
    if read.page_number == 0:
        walk.fail(f"{place}: shows only a part of the thread, or in another order")
    new = {post.id for post in read.posts} - seen
    if not new:
        if walk.pages and (walk.pages[-1].page_count or 0) > len(walk.pages):
            walk.fail(f"{place}: shows posts that were read before")
        return False
    seen |= new
    return True


def _whole(walk: _Walk, url: str) -> ThreadRead:
    """The thread of all pages read, checked against the board's own counts."""
    posts = _once([post for read in walk.pages for post in read.posts])
    if not walk.pages:
        return ThreadRead(url=url, kind="empty", problems=tuple(walk.problems))
    ordered = in_order(posts)
    last = walk.pages[-1]
    stated = max((read.posts_stated for read in walk.pages if read.posts_stated is not None), default=None)
    standing = sum(post.deleted is None for post in ordered)
    if stated is not None and stated not in (len(ordered), standing):
        walk.fail(f"{standing} posts read, the board counts {stated}")
    count = max((read.page_count or 0 for read in walk.pages), default=0)
    if count > len(walk.pages) and walk.whole:
        walk.fail(f"{len(walk.pages)} pages read, the pager counts {count}")
    first = walk.pages[0]
    return ThreadRead(
        url=walk.paths.canonical(first.url or url),
        kind="thread",
        posts=ordered,
        thread_id=first.thread_id,
        title=first.title,
        engine=first.engine,
        engine_version=first.engine_version,
        posts_stated=stated,
        locked=last.locked if last.locked is not None else first.locked,
        complete=walk.whole,
        problems=tuple(walk.problems),
        down=walk.down,
        zoneless=any(read.zoneless for read in walk.pages),
    )


def _once(posts: list[Post]) -> tuple[Post, ...]:
    """Posts of all pages, each once: where it first has an author and stands before no older post, else the last time.

    Some skins repeat the thread's first post on every page; boxes show a post (best answer) out of its place.
    """
    places: dict[str, int] = {}
    settled: set[str] = set()
    for place, post in enumerate(posts):
        if post.id in settled:
            continue
        places[post.id] = place
        following = posts[place + 1 : place + 2]
        if post.author and not (following and is_older(following[0], post)):
            settled.add(post.id)
    return tuple([posts[place] for place in sorted(places.values())])


def in_order(posts: tuple[Post, ...]) -> tuple[Post, ...]:
    """Posts oldest first: a page that shows the newest first is turned round."""
    numbers = [post.number for post in posts if post.number is not None]
    ids = [int(post.id) for post in posts if post.id.isdigit()]
    falling = _falling(numbers) if len(numbers) > 1 else len(ids) == len(posts) and _falling(ids)
    return tuple(reversed(posts)) if falling else posts


def _falling(numbers: list[int]) -> bool:
    """Whether numbers only fall."""
    return len(numbers) > 1 and all(a > b for a, b in pairwise(numbers))
