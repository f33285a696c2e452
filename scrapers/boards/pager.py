"""The pager of a thread page: numbers and links, read without its words.

Only links inside the pager block count: `rel=next` in the head means the next topic on some boards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scrapers.boards.addresses import absolute
from scrapers.boards.pages import attr, each, words


class Pager(NamedTuple):
    """What a pager says. `number`: this page, `last`: the last page it names, `links`: page number ->
    address, `next_url`: the next page.
    """

    number: int | None = None
    last: int | None = None
    next_url: str | None = None
    links: tuple[tuple[int, str], ...] = ()
    text: str = ""

    @property
    def found(self) -> bool:
        """Whether it says anything about pages."""
        return self.number is not None or bool(self.links) or self.next_url is not None

    @property
    def lacking(self) -> bool:
        """Whether there may be a next page that it does not link: none is known, and this is not known as the last."""
        return self.next_url is None and (self.number is None or (self.last or 0) > self.number)

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses it links, by page number."""
        return tuple(url for _, url in self.links)


def read_pager(
    tree: LexborHTMLParser,
    base: str,
    selectors: tuple[str, str, str],
    belongs: Callable[[str], bool] = lambda url: True,
) -> Pager:
    """The first pager block of a page that holds anything, by three selectors: block, current page, next link.

    `belongs`: whether an address is of this thread; other pagers (a forum's in the breadcrumbs) stand on
    thread pages too.
    """
    for node in each(tree, selectors[0]):
        pager = read_block(node, base, selectors[1], selectors[2])
        if not all(belongs(url) for url in (*pager.urls, *([pager.next_url] if pager.next_url else ()))):
            continue
        if pager.found:
            return pager
    return Pager()


def read_block(node: LexborNode, base: str, current: str, following: str) -> Pager:
    """One pager block."""
    links: dict[int, str] = {}
    for link in node.css("a[href]"):
        number = page_number(link.text())
        if number is not None and number not in links and (url := absolute(base, attr(link, "href"))):
            links[number] = url
    number = next((n for n in (page_number(found.text()) for found in node.css(current)) if n is not None), None)
    jump = node.css_first(following)
    while jump is not None and jump.tag not in ("a", "body"):
        jump = jump.parent
    next_url = absolute(base, attr(jump, "href")) if jump is not None and jump.tag == "a" else None
    if next_url is None and number is not None:
        next_url = links.get(number + 1)
    known = [*links, *([number] if number is not None else [])]
    return Pager(number, max(known, default=None), next_url, tuple(sorted(links.items())), words(node))


def page_number(text: str) -> int | None:
    """The page number in a pager's link or mark (`2`, `[2]`), None for any other."""
    text = text.strip().strip("[]()").strip().replace(",", "").replace(".", "")
    return int(text) if text.isdigit() and len(text) <= 7 and text.isascii() else None
