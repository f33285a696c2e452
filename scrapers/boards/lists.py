"""Lists of threads: a board's section, page by page, to the threads in it.

The same for all engines; an engine says where the links to its threads stand and how a thread's address looks
(`Skin`). Titles are the links' words. Links to pages of a thread lead to the same thread, which is listed once. Referee
reads as a guest: members' lists may lead to the first unread post of a thread, which is passed over.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from referee.ports.boards import ListPage, Page, ReadOptions, ThreadLink
from scrapers.boards.addresses import absolute, without_session
from scrapers.boards.pages import attr, found_in, parse, refusal, words
from scrapers.patterns import Pattern

#: More threads than this stand on no page.
MOST_THREADS = 500


class Skin(NamedTuple):
    """Where an engine's list has what is needed.

    `topics`: selector of the links to threads; `thread`: pattern of a thread's id in an address, `next`: selector of
    links to the next page. `section`, `place`: patterns of a section's id and of the place of one of its pages in an
    address, for pagers that name no next page (older versions).
    """

    topics: str
    thread: Pattern[str]
    next: str
    section: Pattern[str] | None = None
    place: Pattern[str] | None = None


SKINS = {
    "phpbb": Skin(
        "a.topictitle",
        Pattern(r"viewtopic[^#]*[?&;]t=(\d{1,12})"),
        ".pagination .next a[href], .pagination a[rel=next], link[rel=next]",
        Pattern(r"viewforum[^#]*[?&;]f=(\d{1,9})"),
        Pattern(r"[?&;]start=(\d{1,9})"),
    ),
    "smf": Skin(
        "span[id^=msg_] > a[href], .subject > div > span > a[href*='topic']",
        Pattern(r"(?:[?&;/,]topic[=,]|-t)(\d{1,12})"),
        "link[rel=next]",
        Pattern(r"[?&;/,]board[=,](\d{1,9})"),
        Pattern(r"[?&;/,]board[=,]\d{1,9}\.(\d{1,9})"),
    ),
    "mybb": Skin(
        "span[id^=tid_] > a[href], .subject_old, .subject_new",
        Pattern(r"(?:showthread[^#]*[?&;]tid=|thread-)(\d{1,12})"),
        ".pagination a.pagination_next",
        Pattern(r"(?:forumdisplay[^#]*[?&;]fid=|/forum-)(\d{1,9})"),
        Pattern(r"(?:[?&;]page=|-page-)(\d{1,9})"),
    ),
    "fluxbb": Skin(
        ".tclcon a[href*='viewtopic'], .item-subject a[href*='topic']",
        Pattern(r"(?:viewtopic\.php\?id=|^[^?#]*/topic/|^[^?#]*topic-?)(\d{1,12})"),
        "a[rel=next], link[rel=next]",
        Pattern(r"(?:viewforum\.php\?id=|/forum/)(\d{1,9})"),
        Pattern(r"(?:[?&;]p=|/page/)(\d{1,9})"),
    ),
    "flaskbb": Skin(
        ".topic-name > a[href]",
        Pattern(r"/topic/(\d{1,12})"),
        ".pagination .page-item.active + .page-item a[href*='page=']",
        Pattern(r"/forum/(\d{1,9})"),
        Pattern(r"[?&;]page=(\d{1,9})"),
    ),
    "nodebb": Skin(
        '[component="category/topic"] [component="topic/header"] a[href*="/topic/"]',
        Pattern(r"/topic/(\d{1,12})"),
        "link[rel=next], .pagination .next a[href*='page=']",
        Pattern(r"/category/(\d{1,9})"),
        Pattern(r"[?&;]page=(\d{1,9})"),
    ),
}


def lister(engine: str, canonical: Callable[[str], str], login: str) -> Callable[[Page, ReadOptions], ListPage]:
    """The list reader of an engine.

    `canonical`: its address of a thread page without session ids; `login`: selector of its own login form in place of
    the content.
    """
    return partial(read_list, SKINS[engine], canonical, login)


def read_list(skin: Skin, canonical: Callable[[str], str], login: str, page: Page, options: ReadOptions) -> ListPage:
    """One page of a list; `Board.read_list` of a skin."""
    del options
    tree = parse(page)
    threads: dict[str, ThreadLink] = {}
    for link in tree.css(skin.topics)[: MOST_THREADS * 4]:
        address, title = absolute(page.url, attr(link, "href")), words(link)
        if not address or not title or attr(link, "href").startswith("#"):
            continue
        url = canonical(without_session(address).split("#", 1)[0])
        number = found_in(skin.thread, url)
        threads.setdefault(number or url, ThreadLink(url, title, number))
    # Where threads have their numbers, what has none is no thread: the last poster, an unread post.
    found = tuple(link for link in threads.values() if link.number) or tuple(threads.values())
    if not found:
        return ListPage(refusal(page, tree, login) or "unknown")
    return ListPage("list", found[:MOST_THREADS], _next(skin, page, tree))


def _next(skin: Skin, page: Page, tree: LexborHTMLParser) -> str | None:
    """The address of the next page of the list, None on the last one."""
    for link in tree.css(skin.next):
        address = absolute(page.url, attr(link, "href"))
        if address and attr(link, "href") and without_session(address) != without_session(page.url):
            return without_session(address)
    return _following(skin, page, tree)


def _following(skin: Skin, page: Page, tree: LexborHTMLParser) -> str | None:
    """The nearest later page of the same section that any link leads to."""
    if skin.section is None or skin.place is None:
        return None
    section, here = found_in(skin.section, page.url), int(found_in(skin.place, page.url) or 0)
    found: dict[int, str] = {}
    for link in tree.css("a[href]") if section else ():
        address = absolute(page.url, attr(link, "href"))
        if address and found_in(skin.section, address) == section and words(link).isdecimal():
            place = int(found_in(skin.place, address) or 0)
            if place > max(here, 1):
                found.setdefault(place, without_session(address).split("#", 1)[0])
    return found[min(found)] if found else None
