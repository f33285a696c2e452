"""Further pages of a thread whose pager is not recognised, by the addresses that the page links.

A skin may show its pager in any element, but its links must name the thread and a later place in it. Links
in posts do so too: those are left out by the elements that hold what members write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scrapers.boards.addresses import absolute
from scrapers.boards.pager import Pager, page_number
from scrapers.boards.pages import attr

#: Said wherever pages are found that way.
FOLLOWED = "unknown pager: pages were found by their addresses"
#: No pager links more pages; every link costs a look at its surroundings.
_MOST_LINKS = 500


def further(
    pager: Pager, tree: LexborHTMLParser, base: str, links: str, place: Callable[[str], int | None], written: str
) -> tuple[Pager, tuple[str, ...]]:
    """A pager that lacks the next page with what the page's links to the same thread show, and a line for the operator.

    `links`: selector of links that may be meant. `place`: how far into the thread an address leads, 0 for
    its first page, None where it is no page of it. `written`: selector of what members write.
    """
    places: dict[int, str] = {}
    last = pager.last
    for node, url in _outside(tree, base, links, written):
        at = place(url)
        if at is None:
            continue
        places.setdefault(at, url)
        number = page_number(node.text())
        last = max(last or 0, number) if number is not None and at else last
    if not any(places):
        return pager, ()
    here = place(base)
    later = [at for at in places if here is not None and at > here]
    following = places[min(later)] if later else None
    number = pager.number or (1 if here == 0 else None)
    return Pager(number, last, following, pager.links or tuple(sorted(places.items())), pager.text), (FOLLOWED,)


def _outside(tree: LexborHTMLParser, base: str, links: str, written: str) -> Iterator[tuple[LexborNode, str]]:
    """The links that no member wrote, with their addresses."""
    theirs = {node.mem_id for node in tree.css(written)}
    for node in tree.css(links)[:_MOST_LINKS]:
        url = absolute(base, attr(node, "href"))
        if url and not within(node, theirs):
            yield node, url


def within(node: LexborNode, outer: set[int]) -> bool:
    """Whether a node lies in one of some elements."""
    parent = node.parent
    while parent is not None and parent.mem_id not in outer:
        parent = parent.parent
    return parent is not None
