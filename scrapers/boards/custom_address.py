"""Addresses of a board that referee does not know: which are of one thread, and the thread's number in them.

Kinds of boards are named in boards.md sections 4 to 23; an address of no such form has no number.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.ports.boards import ThreadLink
from scrapers.boards.addresses import without_session
from scrapers.boards.pages import found_in
from scrapers.patterns import Pattern

#: The first page is linked in more than one way.
_FIRST_PAGE = Pattern(r"(?<=[?&;])(?:(?:st|start|offset)=0|(?:page|pg)=1)(?:[&;]|$)")
_FIRST_LEAF = Pattern(r"^([^?]*/)page[-/]1/?$")
#: `?showtopic=7`, `/thread/7/slug`, `/threads/slug.7/`, `/t/slug/7`, `/t7p15-slug`, `showthread.php?7-slug`. Not
#: `/topic/7-slug`: on a board that names its threads by words alone, `2021-spring` and `2021-autumn` are two.
THREAD_NUMBER = Pattern(
    r"(?i)(?:[?&;](?:t|tid|thread|threadid|topic|topicid|showtopic)=(?=\d+(?:[&;]|$))"
    r"|[/?](?:t|threads?|topics?)/(?:[^/?#&]{0,300}\.)?(?=\d+(?:[/?&]|$))"
    r"|/t/[^/?#.]{1,300}/(?=\d+(?:[/?]|$))|/t(?=\d+(?:p\d+)?-)|showthread\.php[?/](?=\d+-))(\d{1,12})"
)
#: What the address of a later page, or of a post, has behind that of its thread.
_LEAF = Pattern(r"[/?&;](?:[a-z]{1,12}[=/_-]?)?\d{1,9}/?$")


def canonical(url: str) -> str:
    """The address without session ids and without what names a first page; what its other parts mean is not known."""
    plain = _FIRST_PAGE.sub("", without_session(url).split("#", 1)[0])
    return _FIRST_LEAF.sub(r"\1", plain).rstrip("?&;")


def thread_number(url: str) -> str | None:
    """The thread's number in an address of a form that is known."""
    return found_in(THREAD_NUMBER, url)


def without_leaves(links: Iterable[ThreadLink], section: str) -> tuple[ThreadLink, ...]:
    """The threads of a list without links to later pages of others in it. `section`: the list's own address."""
    found = tuple(links)
    known = {link.url.rstrip("/") for link in found} - {section.rstrip("/")}
    return tuple(link for link in found if not any(start in known for start in _starts(link.url)))


def _starts(url: str) -> Iterable[str]:
    """What an address may be a page of."""
    end = len(url)
    while (end := max(url.rfind(sign, 0, end) for sign in "/?&;")) > 0:
        if _LEAF.match(url, end):
            yield url[:end].rstrip("/")
