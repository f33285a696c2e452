"""What must survive between requests, threads and processes: pace, robots.txt, known pages."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from referee.ports.boards import Page

#: Etag, last_modified, body and headers of the last answer with status 200.
Remembered = tuple[str | None, str | None, bytes, dict[str, str]]


class Memory(Protocol):
    """What a session remembers. All calls may come from several threads."""

    def slot(self, host: str, pace: float) -> float:
        """Reserve the next request slot of this host; the seconds to sleep before using it."""
        ...

    def robots(self, host: str) -> tuple[str, float] | None:
        """The remembered robots.txt of a host and the unix time when it was fetched."""
        ...

    def keep_robots(self, host: str, text: str) -> None:
        """Remember a robots.txt, fetched now; empty text where the site has none."""
        ...

    def validators(self, url: str) -> Remembered | None:
        """What is known of the last answer at this address, for a conditional request."""
        ...


@runtime_checkable
class PageKeeper(Protocol):
    """A memory that wants each page right away (one with an archive is filled by its owner)."""

    def keep_page(self, url: str, page: Page) -> None:
        """Remember the answer with status 200 to a request for `url`."""
        ...


class InProcessMemory:
    """The memory of one process: shared by its threads, gone when it ends. Thread-safe."""

    #: Bytes of bodies kept for conditional requests; the pages longest unused go first.
    room = 32 * 1024 * 1024

    def __init__(self, *, clock: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        """`clock`: seconds for the pace, never set back; `wall`: unix time."""
        self._clock = clock
        self._wall = wall
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}
        self._robots: dict[str, tuple[str, float]] = {}
        self._pages: OrderedDict[str, Remembered] = OrderedDict()
        self._held = 0

    def slot(self, host: str, pace: float) -> float:
        """Reserve the next slot of a host; the seconds to sleep before it."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next.get(host, now))
            self._next[host] = start + pace
            return start - now

    def robots(self, host: str) -> tuple[str, float] | None:
        """The remembered robots.txt and when it was fetched."""
        with self._lock:
            return self._robots.get(host)

    def keep_robots(self, host: str, text: str) -> None:
        """Remember a robots.txt as of now."""
        with self._lock:
            self._robots[host] = (text, self._wall())

    def validators(self, url: str) -> Remembered | None:
        """The last answer at this address, if it can be asked for conditionally."""
        with self._lock:
            return self._pages.get(url)

    def keep_page(self, url: str, page: Page) -> None:
        """Remember a page that names an etag or a date of change."""
        etag, modified = page.header("etag"), page.header("last-modified")
        with self._lock:
            gone = self._pages.pop(url, None)
            self._held -= len(gone[2]) if gone else 0
            if etag is None and modified is None:
                return
            self._pages[url] = (etag, modified, page.body, dict(page.headers))
            self._held += len(page.body)
            while self._held > self.room:
                _, (_, _, body, _) = self._pages.popitem(last=False)
                self._held -= len(body)
