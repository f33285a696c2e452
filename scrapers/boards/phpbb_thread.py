"""What a phpBB page says about its thread: address, pager, number of posts, order, zone of its times."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from itertools import chain

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.ports.boards import Page, ReadOptions, ThreadPage
from scrapers.boards.addresses import absolute, at_home, query, split, with_query, without_session
from scrapers.boards.more import further
from scrapers.boards.pager import Pager, read_pager
from scrapers.boards.pages import attr, each, first_number, refusal, words
from scrapers.patterns import Pattern

#: The whole thread, oldest post first, whatever the viewer or the address asks for.
_PLAIN_VIEW: dict[str, str | None] = {"st": "0", "sk": "t", "sd": "a"}
_POSTS = Pattern(r"(?<![\w.])(\d[\d.,\u00a0 ]{0,12})\s*[^\W\d_]{3,}")
_TAG = Pattern(r"<[^>]*>")
#: Where skins without the usual footer have the line with the zone; looked for only then.
_OTHER_FOOTERS = ".footer, footer, .copyright, .timezone"
_ZONE_LINE = Pattern(r"[^<>]{0,80}\b(?:UTC|GMT)\b[^<>]{0,40}(?:<[^<>]{0,60}>[^<>]{0,40}){0,2}")
_SELECTED = Pattern(rb"""value=["']([0-9a-z]{1,4})["'] selected""")
#: What stands between a page number and the last one: `Page 1 of 5`, in any language.
_PAGE_OF = "strong + strong"


def canonical(url: str) -> str:
    """`viewtopic.php?t=T[&start=S]` or `?p=N`, without session, forum, order and highlighting."""
    parts = query(url)
    if "viewtopic" not in split(url).path or not (parts.get("t") or parts.get("p")):
        return without_session(url).split("#", 1)[0]
    if parts.get("t"):
        start = parts.get("start") or "0"
        return with_query(url, {"t": parts["t"], "start": start if start.isdigit() and int(start) else None})
    return with_query(url, {"p": parts["p"]})


def first_address(url: str) -> str | None:
    """The first page of a thread's address, None where the address names only a post."""
    parts = query(url)
    if "viewtopic" not in split(url).path or not parts.get("t"):
        return None
    plain = all(parts.get(name) == value for name, value in _PLAIN_VIEW.items())
    return with_query(url, {"t": parts["t"], **(_PLAIN_VIEW if plain else {})})


def is_partial(page: Page) -> bool:
    """Whether a page shows the posts of some days only, or not by time: by its own choice boxes, else its address.

    The viewer's settings decide where the address says nothing, so the boxes count. Posts cannot hold any.
    """
    at = page.body.rfind(b'name="st"')
    if at >= 0:
        days, key = (*_SELECTED.findall(page.body[at : at + 4000])[:2], b"", b"")[:2]
        return days not in (b"", b"0") or key not in (b"", b"t")
    parts = query(page.url)
    return (parts.get("st") or "0") != "0" or (parts.get("sk") or "t") != "t"


def describe(page: Page, tree: LexborHTMLParser, skin: dict[str, str], posts: int) -> ThreadPage:
    """What the page says about the thread."""
    if not posts:
        return _no_posts(page, tree, skin)
    heading, link = _heading(tree, skin)
    named = at_home(page.url, absolute(page.url, attr(tree.css_first("link[rel=canonical]"), "href")))
    url = next(
        (u for u in (named, page.url, absolute(page.url, attr(link, "href"))) if u and query(u).get("t")), page.url
    )
    thread_id = query(url).get("t")
    pager = read_pager(tree, page.url, (skin["pager"], skin["page"], skin["next"]), lambda link: "viewtopic" in link)
    problems: tuple[str, ...] = ()
    stated = _stated(tree, skin, pager)
    if pager.lacking or ((stated or 0) > posts and pager.next_url is None and not pager.links):
        pager, stated, problems = _other_pager(page, tree, skin, pager, thread_id, posts, stated)
    partial = is_partial(page)
    return ThreadPage(
        kind="thread",
        thread_id=thread_id,
        url=with_query(url, {"t": thread_id, **_PLAIN_VIEW}) if partial and thread_id else canonical(url),
        title=words(heading if heading is not None else _linked_title(tree, thread_id)) or None,
        engine="phpbb",
        next_url=without_session(pager.next_url) if pager.next_url else None,
        page_urls=pager.urls,
        page_number=0 if partial else pager.number or (None if problems else 1),
        page_count=pager.last or 1,
        posts_stated=None if partial else stated,
        locked=tree.css_first(skin["locked"]) is not None,
        problems=problems,
    )


def _no_posts(page: Page, tree: LexborHTMLParser, skin: dict[str, str]) -> ThreadPage:
    """What a page without posts is.

    A missing topic is a message with a status of its own; a message with 200 may as well say that the board is
    closed. Of a saved page without headers nobody knows the status.
    """
    # "General Error": a page of its own, whose body has this id in every version.
    if tree.css_first("body#errorpage") is not None:
        said = f"the board says: {words(tree.css_first('#content h1'))[:200]}"
        return ThreadPage(kind="down", engine="phpbb", url=canonical(page.url), problems=(said,))
    kind = refusal(page, tree, skin["login"])
    problems: tuple[str, ...] = ()
    if kind is None:
        message = tree.css_first("div#message")
        kind = "login" if page.status == 403 else "missing" if message is not None and not page.headers else "unknown"
        problems = (f"the board says: {words(message)[:200]}",) if message is not None else ()
    return ThreadPage(kind=kind, engine="phpbb", url=canonical(page.url), problems=problems)


def _heading(tree: LexborHTMLParser, skin: dict[str, str]) -> tuple[LexborNode | None, LexborNode | None]:
    """The thread's title and the link in it."""
    heading = tree.css_first(skin["title"])
    return heading, heading if heading is None or heading.tag == "a" else heading.css_first("a[href]")


def _linked_title(tree: LexborHTMLParser, thread_id: str | None) -> LexborNode | None:
    """The first heading that links the thread as such, in styles whose title has no place that is known."""
    for link in tree.css(", ".join(f"h{level} a[href*='viewtopic']" for level in range(1, 6))):
        parts = query(attr(link, "href"))
        if thread_id and parts.get("t") == thread_id and not parts.get("p"):
            return link
    return None


def _stated(tree: LexborHTMLParser, skin: dict[str, str], pager: Pager) -> int | None:
    """The number of posts that the pager block states: `45 posts`."""
    found = _POSTS.search(pager.text) or _POSTS.search(words(tree.css_first(skin["pager"])))
    return first_number(found[1]) if found else None


def _other_pager(
    page: Page,
    tree: LexborHTMLParser,
    skin: dict[str, str],
    pager: Pager,
    thread_id: str | None,
    posts: int,
    stated: int | None,
) -> tuple[Pager, int | None, tuple[str, ...]]:
    """Pager and number of posts of a skin without a pager block, or with one that links no page.

    Where the page counts more posts than it shows and links none of the others, the next page is asked for by
    its place: the count shows in the end whether that was right.
    """
    number, last, counted = _page_of(tree, skin)
    stated = stated or counted

    def place(url: str) -> int | None:
        parts = query(url)
        start = parts.get("start") or "0"
        meant = "viewtopic" in url and parts.get("t") == thread_id and start.isdecimal() and len(start) < 10
        return int(start) if meant else None

    found, problems = further(pager, tree, page.url, "a[href*='start=']", place, skin["written"])
    number = number or found.number
    here = place(page.url)
    following = found.next_url
    if following is None and thread_id and here is not None and (stated or 0) > here + posts:
        following = with_query(page.url, {"t": thread_id, "start": str(here + posts)})
        problems = (f"no link to the next page: it was asked for by its place in {stated} posts",)
    return Pager(number, last or found.last, following, found.links), stated, problems


def _page_of(tree: LexborHTMLParser, skin: dict[str, str]) -> tuple[int | None, int | None, int | None]:
    """This page, the last page and the number of posts by a line `43 posts, Page 1 of 5` in any element."""
    for node, other, place in _pairs(tree, skin):
        numbers = [words(node), words(other)]
        if all(text.isdecimal() and len(text) < 8 for text in numbers) and int(numbers[0]) <= int(numbers[1]):
            found = next((m for text in place if len(text) < 200 and (m := _POSTS.search(text))), None)
            return int(numbers[0]), int(numbers[1]), first_number(found[1]) if found else None
    return None, None, None


def _pairs(tree: LexborHTMLParser, skin: dict[str, str]) -> Iterator[tuple[LexborNode, LexborNode, list[str]]]:
    """Two emphases beside each other that no member wrote, with the words around their line, nearest last."""
    theirs = {node.mem_id for node in tree.css(skin["written"])}
    for other in tree.css(_PAGE_OF)[:50]:
        node = other.prev
        while node is not None and node.tag != "strong":
            node = node.prev
        line = other.parent
        above = line.parent if line is not None else None
        around = [part for part in (above.parent if above is not None else None, above) if part is not None]
        if node is not None and not any(part.mem_id in theirs for part in _above(other)):
            yield node, other, [words(part) for part in reversed(around)]


def _above(node: LexborNode) -> Iterator[LexborNode]:
    """The elements around a node."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def zone_of(page: Page, tree: LexborHTMLParser, skin: dict[str, str], options: ReadOptions) -> tzinfo | None:
    """The zone in the footer's line `All times are UTC+01:00`; from 3.1 on its title names the place.

    Before, the offset is set by hand and holds for all dates. A place has summer time; where its name is no
    help, the posts' machine times beside their words show what the offset was.
    """
    from scrapers.times.zones import zone_written

    for block in chain.from_iterable(each(tree, selector) for selector in (skin["zone"], _OTHER_FOOTERS)):
        for span in block.css("span[title], abbr[title]"):
            zone = zone_written(words(span))
            if zone is not None:
                title = attr(span, "title")
                return _of_place(page, tree, zone, title, options) if "/" in title else zone
        match = _ZONE_LINE.search(block.html or "")
        if match:
            return zone_written(_TAG.sub(" ", match.group()))
    return None


def _of_place(page: Page, tree: LexborHTMLParser, zone: tzinfo, title: str, options: ReadOptions) -> tzinfo | None:
    """The zone of a named place that is so far from UTC at present."""
    from scrapers.times.clock import shown_beside
    from scrapers.times.zones import settled, shown_by, zone_named

    now = shown_by(zone, page.fetched_at)
    if not now:
        return zone_named(title) or zone
    pairs = [(words(node), attr(node, "datetime")) for node in tree.css("time[datetime]")[:60]]
    return settled((*now, *shown_beside(page, pairs)), title, options.timezone)
