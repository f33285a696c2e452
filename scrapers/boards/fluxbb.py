"""FluxBB 1.5, PunBB 1.2 (the same templates) and PunBB 1.4 (its own)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit
from referee.ports.boards import Board, Page, Reading, ReadOptions, ThreadPage
from scrapers.boards.addresses import absolute, query, split, with_query, without_session
from scrapers.boards.lists import lister
from scrapers.boards.more import further
from scrapers.boards.pager import read_pager
from scrapers.boards.pages import (
    Found,
    Reader,
    attr,
    classes,
    count_marks,
    found_in,
    html_of,
    inner_html,
    inside,
    named,
    number_of,
    override,
    parse,
    refusal,
    without,
    words,
)
from scrapers.boards.rare import by_post
from scrapers.boards.skins import checker, thread_free
from scrapers.boards.thread import Paths, read_thread
from scrapers.patterns import Pattern
from scrapers.times.moments import Times

if TYPE_CHECKING:
    from scrapers.times.clock import Clock

AIR = {
    "post": "[id^=p].blockpost",
    "body": ".postmsg",
    "author": ".postleft dt",
    "profile": '.postleft dt a[href*="profile"]',
    "date": "h2 a",
    "number": "h2 .conr",
    "edit": "p.postedit, .postmsg .postedit",
    "signature": ".postsignature",
    "title": ".crumbs strong a, .crumbs strong, .linkst h2, #brdmain h2 span",
    "pager": ".pagelink",
    "page": "strong",
    "next": "a[rel=next]",
    "login": "form#login",
    "written": ".postmsg, .entry-content, .postsignature, .sig-content",
}
#: PunBB 1.3 and 1.4. The signature stands inside the body.
OXYGEN = {
    **AIR,
    "post": ".post:has(.posthead[id^=p])",
    "body": ".entry-content",
    "author": ".post-author .username, .post-byline strong, .post-byline a, .post-byline em",
    "profile": '.post-author .username a[href], .post-byline a[href*="profile"], .post-byline a[href*="user"]',
    "date": ".post-link a, .permalink",
    "number": ".post-num",
    "edit": ".post-edit, .lastedit",
    "signature": ".sig-content",
    "title": ".main-title a",
    "pager": ".paging",
    "login": "form#login, #afocus[action*=login], form[action*='login.php?action=in'], form[action*='/login/']",
}
#: Gives the names on a page.
Names = Callable[[], Iterable[str]]

_ID = Pattern(r"^p(\d{1,18})$")
_USER = Pattern(r"(?:profile\.php\?(?:section=\w{1,20}&)?id=|/user/?)(\d{1,12})")
_THREAD = Pattern(r"(?:viewtopic\.php\?id=|/topic/|topic-?|(?<=[?&;])tid=)(\d{1,12})")
#: PunBB's addresses without a question mark: `/topic/7/title/`, `/post/34/`, `/topic7-title.html`, `/post34.html`.
_SEO = Pattern(r"/(?:topic|post)/?\d")


def marks(page: Page) -> int:
    """How surely FluxBB or PunBB made the page."""
    strong = (
        b'href="https://fluxbb.org/"',
        b'href="http://fluxbb.org/"',
        b'href="http://punbb.informer.com',
        b'href="https://punbb.informer.com',
        b'href="http://www.punbb.org/"',
        b'id="punviewtopic"',
        b'id="brd-viewtopic"',
    )
    weak = (b'class="pun"', b"viewtopic.php?pid=", b"extern.php?action=feed", b'id="brdmain"', b'id="brd-main"')
    return count_marks(page, strong, weak)


def canonical(url: str) -> str:
    """`viewtopic.php?id=T[&p=P]` or `?pid=N`."""
    plain = without_session(url).split("#", 1)[0]
    parts = query(plain)
    if "viewtopic" not in split(plain).path or not (parts.get("id") or parts.get("pid")):
        return plain
    if parts.get("pid"):
        return with_query(plain, {"pid": parts["pid"]})
    return with_query(plain, {"id": parts["id"], "p": None if parts.get("p") == "1" else parts.get("p")})


def _first(url: str) -> str | None:
    """The first page of a thread's address, None where it names only a post."""
    parts = query(url)
    if "viewtopic" in split(url).path and parts.get("id"):
        return with_query(url, {"id": parts["id"]})
    return None


def read_page(page: Page, options: ReadOptions) -> ThreadPage:
    """One page of a thread (pages of both boards; boards.md section 26)."""
    tree = parse(page)
    skin = override(OXYGEN if _has_oxygen(tree) else AIR, options)
    times = Times(lambda: _clock(page, tree, skin, options))
    reader = Reader(page, times)
    if _is_thread_page(page):
        posts = tree.css(skin["post"])
        notices = by_post(tree, skin["edit"], posts)

        def names() -> set[str]:
            return {words(node) for node in tree.css(skin["author"])}

        for node in posts:
            number = _number(node)
            if number:
                edited = _edited(notices.get(node.mem_id), times, names)
                reader.add(_post(page, node, number, skin, times, edited))
        if not reader.posts:
            _by_permalinks(page, tree, reader)
    return reader.finish(_describe(page, tree, skin, bool(reader.posts)))


def _has_oxygen(tree: LexborHTMLParser) -> bool:
    """Whether the page has the templates of PunBB 1.3 and 1.4."""
    return tree.css_first(".posthead, .entry-content") is not None


def _clock(page: Page, tree: LexborHTMLParser, skin: dict[str, str], options: ReadOptions) -> Clock:
    """The page's clock: all dates of the page may show the order of their figures."""
    from scrapers.times.clock import Clock

    def dates() -> Iterator[str]:
        yield from (words(node) for node in tree.css(skin["date"]))

    return Clock(page, options, evidence=dates())


def _by_permalinks(page: Page, tree: LexborHTMLParser, reader: Reader) -> None:
    """The posts of a skin that the selectors do not know."""
    from scrapers.boards import fallback

    links = fallback.Anchors(
        post=Pattern(r"#p(\d{1,18})$"),
        name=_ID,
        profile="a[href*='profile.php'], a[href*='/user']",
        user=_USER,
        body=".postmsg, .entry-content, .post-content, .message",
        date="time, h2, .post-link, .date",
        signature=".postsignature, .sig-content, .signature",
        aside=".postsignature, .sig-content, .signature, .postedit",
        edit=lambda node: _edited(node.css(AIR["edit"]), reader.times, lambda: ()),
    )
    fallback.read(tree, reader, links, lambda number: _permalink(page, number))


def _is_thread_page(page: Page) -> bool:
    """Whether the address is a thread's: search results, answer forms and moderation show posts too."""
    return "viewtopic" in split(page.url).path or bool(_SEO.search(page.url))


def _number(node: LexborNode) -> str | None:
    """The post's id, of the post's element or of its head."""
    match = _ID.match(node.id or "")
    if match:
        return match[1]
    return next((m[1] for m in (_ID.match(attr(head, "id")) for head in node.css("[id^=p]")) if m), None)


def _describe(page: Page, tree: LexborHTMLParser, skin: dict[str, str], posts: bool) -> ThreadPage:
    """What the page says about the thread."""
    if not posts:
        down = tree.css_first("body > #errorbox, #punmaint, #brd-maint") is not None
        kind = "down" if down else refusal(page, tree, skin["login"])
        if kind is None:
            kind = "missing" if tree.css_first("#msg, .main-message, #brd-message") is not None else "unknown"
        return ThreadPage(kind=kind, engine="fluxbb", url=canonical(page.url))
    thread_id = _thread_id(page, tree)
    pager = read_pager(
        tree,
        page.url,
        (skin["pager"], skin["page"], skin["next"]),
        lambda link: thread_id is None or found_in(_THREAD, link) == thread_id,
    )
    problems: tuple[str, ...] = ()
    if pager.lacking:
        pager, problems = further(
            pager, tree, page.url, "a[href*='p=']", lambda link: _place(link, thread_id), skin["written"]
        )
    number = pager.number or (None if problems else 1)
    shown = str(number) if number and number > 1 else None
    base = page.url.split("?", 1)[0]
    url = with_query(base, {"id": thread_id, "p": shown}) if thread_id else page.url
    return ThreadPage(
        kind="thread",
        thread_id=thread_id,
        url=canonical(url if "viewtopic" in url else page.url),
        title=named(tree, skin["title"])[1] or None,
        engine="fluxbb",
        engine_version=None,
        next_url=pager.next_url,
        page_urls=pager.urls,
        page_number=number,
        page_count=pager.last or 1,
        locked=_locked(tree),
        problems=problems,
    )


def _place(url: str, thread_id: str | None) -> int | None:
    """How many pages stand before the one of an address, None for one that is no page of the thread."""
    parts = query(url)
    page = parts.get("p") or "1"
    meant = "viewtopic" in url and parts.get("id") == thread_id and "action" not in parts
    return max(int(page) - 1, 0) if meant and page.isdecimal() and len(page) < 8 else None


def _thread_id(page: Page, tree: LexborHTMLParser) -> str | None:
    """The thread's id: the page's address, its own canonical link, or its crumbs and answer link."""
    found = found_in(_THREAD, page.url)
    if found:
        return found
    places = "link[rel=canonical], .crumbs a[href*='viewtopic.php?id='], a[href*='post.php?tid='], .pagelink a"
    links = tree.css(f"{places}, .main-title a")
    return found_in(_THREAD, *(absolute(page.url, attr(link, "href")) for link in links))


def _locked(tree: LexborHTMLParser) -> bool | None:
    """A closed thread has a line of words where the answer link would be (FluxBB), or before its title (PunBB 1.4).

    Behind PunBB's title stands the number of the page.
    """
    title = tree.css_first(".main-title")
    if title is not None:
        return not words(title).startswith(words(title.css_first("a")))
    place = tree.css_first(".postlink.conr, .linkst .conr")
    return place.css_first("a[href]") is None and bool(words(place)) if place is not None else None


def _permalink(page: Page, number: str) -> str:
    """The address of a post."""
    return f"{_script(page.url)}?pid={number}#p{number}"


@lru_cache(maxsize=64)
def _script(url: str) -> str:
    """The address of the board's viewtopic.php."""
    base = url.split("?", 1)[0].split("#", 1)[0]
    return base if "viewtopic" in base else f"{split(url).root}/viewtopic.php"


def _post(page: Page, node: LexborNode, number: str, skin: dict[str, str], times: Times, edited: Edit | None) -> Found:
    """One post."""
    _, author = named(node, skin["author"])
    _, date = named(node, skin["date"])
    if edited is not None:
        without(node, skin["edit"])
    sign = node.css_first(skin["signature"])
    signature = html_of(sign)
    body = _body(node, skin)
    if body is not None and sign is not None and inside(sign, body):
        without(body, skin["signature"])
    return Found(
        id=number,
        author=author,
        html=inner_html(body),
        moment=times.read(date),
        edited=edited,
        number=number_of(words(node.css_first(skin["number"]))),
        author_id=_author_id(node, skin),
        permalink=_permalink(page, number),
        signature=signature,
    )


def _body(node: LexborNode, skin: dict[str, str]) -> LexborNode | None:
    """The body; FluxBB shows a signature with the body's class below it."""
    body = node.css_first(skin["body"])
    if body is None or "postsignature" not in classes(body):
        return body
    return next((found for found in node.css(skin["body"]) if "postsignature" not in classes(found)), None)


def _author_id(node: LexborNode, skin: dict[str, str]) -> str | None:
    """The author's number in the first link to a profile that has one."""
    link = node.css_first(skin["profile"])
    if link is None:
        return None
    found = _USER.search(attr(link, "href"))
    return found[1] if found else found_in(_USER, *(attr(a, "href") for a in node.css(skin["profile"])))


def _edited(notices: list[LexborNode] | None, times: Times, names: Names) -> Edit | None:
    """`Last edited by NAME (DATE)`; `names` are those on the page."""
    text = words(notices[0]) if notices else ""
    if not text:
        return None
    from scrapers.times.notices import bracketed_notice

    return bracketed_notice(text, times, names)


_PATHS = Paths(read_page, canonical, _first)


def thread(url: str, first: Page | None, options: ReadOptions) -> Reading:
    """All pages of a thread."""
    return read_thread(_PATHS, url, first, options)


BOARD = Board(
    name="fluxbb",
    seen="FluxBB or PunBB: a footer link to fluxbb.org or punbb.informer.com, an element with id punviewtopic",
    marks=marks,
    read_page=read_page,
    canonical=canonical,
    thread=thread,
    read_list=lister("fluxbb", canonical, AIR["login"]),
    wherever=thread_free,
    first_page=_first,
    check=checker(AIR, OXYGEN),
)
