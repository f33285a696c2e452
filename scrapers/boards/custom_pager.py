"""The pager of a board that referee does not know, and what speaks against having read the whole thread.

A pager that leads nowhere (buttons of a script), one that members wrote into a post, and pages that are linked
outside of what the operator calls the pager must not make a thread look whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scrapers.boards.addresses import absolute
from scrapers.boards.more import within
from scrapers.boards.pager import Pager, page_number, read_block
from scrapers.boards.pages import UNKNOWN_SKIN, attr, words
from scrapers.patterns import Pattern

#: What may bear a page's number: links, and buttons of scripts.
_NUMBERED = "a, button, [onclick]"
#: What may lead to a page without naming its address.
_SCRIPTED = "button:not([disabled]), [onclick], a[href^='javascript:'], a[href='#']"
_OF = Pattern(r"(?<![\d.,-])(\d{1,6}) ?(?:of|/|von|sur|de|di|van|из) ?(\d{1,6})(?![\d.,])")
#: No page links more; each is compared with the page's own address.
_MOST_LINKS = 2000
#: What members write into posts is looked through no further, for every look costs.
_MOST_LOOKS, _MOST_BLOCKS = 200, 8


class Place:
    """Where a page stands in its thread. `url`: the page's, `base`: where its links start from."""

    def __init__(
        self, tree: LexborHTMLParser, url: str, base: str, skin: dict[str, str], canonical: Callable[[str], str]
    ) -> None:
        self._tree, self._url, self._base, self._canonical = tree, canonical(url), base, canonical
        posts = tree.css(skin["post"])
        self._theirs = {node.mem_id for node in posts}
        around = {node.mem_id for post in posts[:1] for node in outside(post)}
        found = [node for node in tree.css(skin["pager"])[:_MOST_LOOKS] if not self.is_written(node)][:_MOST_BLOCKS]
        self._blocks = [node for node in found if node.mem_id not in around]
        titles = (words(node) for node in tree.css(skin["title"])[:_MOST_LOOKS] if not self.is_written(node))
        self.title = next(filter(None, titles), None)
        self._too_much = len(found) > len(self._blocks)
        self.pager = self._read(skin)
        self.first = next((url for number, url in self.pager.links if number == 1), None) or self._first(skin["first"])
        self.number = self.pager.number if self.pager.number or self._buttons() else 1
        if self.number is None and self.pager.next_url and not self._leads_back():
            self.number = 1
        self.last = max(self.pager.last or 1, *self._counted(), 1)

    def is_written(self, node: LexborNode) -> bool:
        """Whether a member may have written an element: it stands in a post."""
        return node.mem_id in self._theirs or within(node, self._theirs)

    def problems(self) -> Iterator[str]:
        """Why pages may be missing: the thread then is not whole."""
        if self._too_much:
            yield f"{UNKNOWN_SKIN}: what is called the pager holds posts (selectors.pager): not looked at"
        if self._buttons():
            if self._ends_unsaid():
                return
            if self.pager.lacking and self.number is None:
                yield (
                    f"{UNKNOWN_SKIN}: neither the page's own number nor a next page is found "
                    "(selectors.page, selectors.next)"
                )
            elif self.pager.next_url is None and self.number is not None and self.last > self.number:
                yield f"{UNKNOWN_SKIN}: page {self.number} of {self.last} links no next one (selectors.next)"
        elif other := self._elsewhere():
            yield f"{UNKNOWN_SKIN}: {other[:200]} looks like a page of this thread outside the pager (selectors.pager)"

    def alone(self) -> Iterator[str]:
        """Why pages may be missing unless the page was reached by another page's link to the next one."""
        if self._ends_unsaid():
            yield f"{UNKNOWN_SKIN}: no next page is found in a pager without numbers (selectors.next)"
        if self.first is None and (self._leads_back() if self.number is None else self.number > 1):
            page = f"page {self.number}" if self.number else "the page"
            yield f"{UNKNOWN_SKIN}: {page} does not link the first one (selectors.first): read from here on"

    def _ends_unsaid(self) -> bool:
        """Whether nothing tells the last page from one whose next is not found."""
        there = self._buttons() and self.pager.next_url is None
        return there and self.number is None and not self.pager.links

    def _read(self, skin: dict[str, str]) -> Pager:
        """The first block that says anything; the last page's button may lead to itself."""
        for node in self._blocks:
            pager = read_block(node, self._base, skin["page"], skin["next"])
            if pager.next_url is not None and self._canonical(pager.next_url) == self._url:
                pager = pager._replace(next_url=None)
            if pager.found:
                return pager
        return Pager()

    def _first(self, selector: str) -> str | None:
        """The address of the first page by a selector of its own."""
        links = self._tree.css(selector)[:_MOST_LOOKS] if selector else []
        found = (absolute(self._base, attr(link, "href")) for link in links if not self.is_written(link))
        return next((url for url in found if url), None)

    def _buttons(self) -> bool:
        """Whether there is anything in the pager that may lead to a page."""
        scripted = any(node.css_first(_SCRIPTED) is not None for node in self._blocks)
        return self.pager.found or scripted or max(self._counted(), default=1) > 1 or self._leads_back()

    def _leads_back(self) -> bool:
        """Whether the pager leads to another page than this and the next one."""
        links = [link for node in self._blocks for link in node.css("a[href]")[:_MOST_LINKS]]
        urls = {self._canonical(url) for link in links if (url := absolute(self._base, attr(link, "href")))}
        return bool(urls - {self._url, self._canonical(self.pager.next_url or "")})

    def _counted(self) -> Iterator[int]:
        """The page numbers on buttons that lead nowhere, and the last of `Page 1 of 3`."""
        for node in self._blocks:
            yield from (n for part in node.css(_NUMBERED)[:_MOST_LINKS] if (n := page_number(part.text())) is not None)
            match = _OF.search(words(node)[:2000])
            if match and int(match[1]) == (self.pager.number or int(match[1])):
                yield int(match[2])

    def _elsewhere(self) -> str | None:
        """A link to another page of this thread, of a page on which no pager is found."""
        looks = 0
        for link in self._tree.css("a[href], link[rel=next]")[:_MOST_LINKS]:
            if link.tag == "a" and page_number(link.text()) is None:
                continue
            url = absolute(self._base, attr(link, "href"))
            if url and looks < _MOST_LOOKS and _is_part(self._canonical(url), self._url):
                looks += 1
                if not self.is_written(link):
                    return url
        return None


def outside(node: LexborNode) -> Iterator[LexborNode]:
    """The elements that an element lies in."""
    while (parent := node.parent) is not None:
        yield parent
        node = parent


def _is_part(one: str, other: str) -> bool:
    """Whether one address is the other with a number more in one place, as pages of a thread are named."""
    short, long = sorted((one, other), key=len)
    same = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    more = long[same : len(long) - (len(short) - same)]
    return long.endswith(short[same:]) and any(sign.isdigit() for sign in more)
