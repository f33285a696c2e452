"""SMF 2.0, 2.1 and 3.0: posts are found by their bodies, `div.inner#msg_N`, which all three have."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit
from referee.ports.boards import Board, Page, Reading, ReadOptions, ThreadPage
from scrapers.boards.addresses import absolute, at_home, query, without_session
from scrapers.boards.lists import lister
from scrapers.boards.more import further
from scrapers.boards.pager import read_pager
from scrapers.boards.pages import (
    Found,
    Reader,
    attr,
    classes,
    count_marks,
    each,
    found_in,
    html_of,
    inner_html,
    override,
    parse,
    version_in,
    words,
)
from scrapers.boards.rare import all_of, found_on
from scrapers.boards.skins import checker
from scrapers.boards.smf_instead import MESSAGE, TOPIC, instead_of_thread
from scrapers.boards.thread import Paths, read_thread
from scrapers.patterns import Pattern
from scrapers.times.moments import Moment, Times

if TYPE_CHECKING:
    from scrapers.times.clock import Clock

CURVE = {
    "body": 'div[id^="msg_"]:is(.inner, .post)',
    "wrapper": "post_wrapper",
    "author": '.poster h4 a[href*="action=profile"], .poster h4 a[title], .poster h4',
    "profile": ".poster h4 a[href]",
    "date": ".postinfo a.smalltext, .postinfo .smalltext a, .keyinfo div.smalltext, .keyinfo .smalltext, .keyinfo time",
    "number": ".page_number",
    "edit": ".modified",
    "signature": ".signature",
    "attachments": ".attachments",
    "title": "#display_head h2, h2.display_title, #top_subject",
    "pager": ".pagelinks, #main_content_section .pagesection",
    "page": ".current_page, strong",
    "next": ".next_page",
    "locked": ".lock:is(#display_head *, h3.catbg *, #top_subject + *), h3.catbg img[src*=locked]",
    "clock": ".user time[datetime], #inner_section time[datetime]",
    "login": "form#frmLogin, #main_content_section form[action*='action=login2']",
    "written": ".inner, .post, .msg_content, .signature",
}
#: The theme Core of 2.0, and those made from it: no element of a post has a name of its own.
CORE = {
    **CURVE,
    "wrapper": "",
    "edit": '[id^="modified_"]',
    "title": "#display_head h2",
    "pager": ".middletext:has(.navPages), .pagelinks, .pagesection",
}
#: Themes without a place for the poster: `NAME on DATE` is one line.
ONE_LINE = {
    **CURVE,
    "author": '.keyinfo > a[href*="action=profile"]',
    "profile": '.keyinfo > a[href*="action=profile"]',
    "date": ".keyinfo",
}
_BODY_ID = Pattern(r"^msg_(\d{1,18})$")
_USER = Pattern(r"[?&;,]u[=,](\d{1,12})")
_NUMBER = Pattern(r"#\s?(\d{1,9})")
_VERSION = Pattern(rb"SMF (\d\.\d(?:\.\d{1,3})?(?: (?:RC|Beta )\d)?)")
_DIGIT = Pattern(r"\d")
_READ = Pattern(r"\s*\([^()]{0,20} \d{1,9} [^()]{0,20}\)\s*$")
_TITLE_PAGE = Pattern(r"\s+-\s+\S{1,12}\s+\d{1,6}\s*$")


def marks(page: Page) -> int:
    """How surely SMF made the page."""
    strong = (
        b"smf_scripturl",
        b"smf_theme_url",
        b"www.simplemachines.org/about/smf/license.php",
        b"smf_default_theme_url",
    )
    weak = (b"index.php?topic=", b'id="forumposts"', b"PHPSESSID=", b'id="quickModForm"', b"Simple Machines")
    return count_marks(page, strong, weak)


def canonical(url: str) -> str:
    """`index.php?topic=T.S` (or `topic=T.msgN`, `msg=N`), without session and without `index.php/topic,T.S.html`."""
    plain = without_session(url).split("#", 1)[0]
    topic = TOPIC.search(plain)
    if topic:
        return f"{_script(plain)}?topic={topic[1]}.{topic[2] or 0}"
    message = MESSAGE.search(plain)
    return f"{_script(plain)}?msg={message[1]}" if message and "action=" not in plain else plain


@lru_cache(maxsize=256)
def _script(url: str) -> str:
    """The address of the board's index.php."""
    parts = urlsplit(url)
    path = parts.path
    if "index.php" in path:
        path = path[: path.index("index.php")] + "index.php"
    elif path.endswith("/") or not path:
        path = (path or "/") + "index.php"
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def _first(url: str) -> str | None:
    """The first page of a thread's address."""
    topic = TOPIC.search(url)
    return f"{_script(url)}?topic={topic[1]}.0" if topic else None


def read_page(page: Page, options: ReadOptions) -> ThreadPage:
    """One page of a thread (boards.md section 7)."""
    tree = parse(page)
    skin = override(_theme(tree), options)
    times = Times(lambda: _clock(page, tree, skin, options))
    reader = Reader(page, times, "smf")
    topic = _topic(page, tree)
    if _is_thread_page(page):
        looked_for = found_on(tree, skin, "attachments")
        bodies = tree.css(skin["body"])
        around = {} if skin["wrapper"] else _counted(bodies)
        for body in bodies:
            match = _BODY_ID.match(body.id or "")
            if match:
                node, permalink = _wrapper(body, skin["wrapper"], around), _permalink(page, topic, match[1])
                reader.add(_post(node, body, match[1], permalink, looked_for, times))
        if not reader.posts and topic and tree.css_first(skin["login"]) is None and page.status < 400:
            _by_permalinks(page, tree, reader, topic)
    return reader.finish(_describe(page, tree, skin, topic, bool(reader.posts)))


def _theme(tree: LexborHTMLParser) -> dict[str, str]:
    """The selectors of a page's theme."""
    if tree.css_first(".post_wrapper .poster") is not None:
        return CURVE
    return ONE_LINE if tree.css_first(".post_wrapper") is not None else CORE


def _clock(page: Page, tree: LexborHTMLParser, skin: dict[str, str], options: ReadOptions) -> Clock:
    """The page's clock, loaded only for pages with dates in words."""
    from scrapers.boards.smf_clock import clock_of

    return clock_of(page, tree, skin, options)


def _by_permalinks(page: Page, tree: LexborHTMLParser, reader: Reader, topic: str) -> None:
    """The posts of a skin that the selectors do not know."""
    from scrapers.boards import fallback

    links = fallback.Anchors(
        post=Pattern(r"[=.,]msg=?\d{1,18}#msg(\d{1,18})$"),
        name=Pattern(r"^(?:msg|msg_)(\d{1,18})$"),
        profile="a[href*='action=profile'], a[href*='action,profile']",
        user=_USER,
        body=".inner, .msg_content, .post, .postarea",
        date="time, div.smalltext, .date, .postinfo, .smalltext",
        signature=".signature",
        aside=".signature, .smalltext, .modified, h5",
        edit=lambda node: _edited(node, "", CORE, reader.times),
    )
    fallback.read(tree, reader, links, lambda number: _permalink(page, topic, number))


def _is_thread_page(page: Page) -> bool:
    """Whether the address may be a thread's: other pages (answer form, print view, search) show posts too."""
    return "action" not in query(page.url) and "/action," not in page.url


def _topic(page: Page, tree: LexborHTMLParser) -> str | None:
    """The thread's id: the page's own canonical link, its address, or its search box."""
    links = (attr(node, "href") for node in each(tree, "link[rel=canonical]"))
    found = found_in(TOPIC, *links, page.url)
    return found or attr(tree.css_first("input[name=sd_topic], input[name=topic]"), "value") or None


def _describe(page: Page, tree: LexborHTMLParser, skin: dict[str, str], topic: str | None, posts: bool) -> ThreadPage:
    """What the page says about the thread."""
    pager = read_pager(
        tree, page.url, (skin["pager"], skin["page"], skin["next"]), lambda link: found_in(TOPIC, link) == topic
    )
    problems: tuple[str, ...] = ()
    if posts and pager.lacking:
        pager, problems = further(
            pager, tree, page.url, "a[href*='topic']", lambda url: _place(url, topic), skin["written"]
        )
    engine_version = version_in(page, b"SMF ", _VERSION, b'id="footer')
    named = at_home(page.url, absolute(page.url, attr(tree.css_first("link[rel=canonical]"), "href")))
    url = canonical(named if named and TOPIC.search(named) else page.url)
    if not posts:
        kind = instead_of_thread(page, tree, skin["login"], topic, engine_version)
        return ThreadPage(kind=kind, engine="smf", engine_version=engine_version, url=url, thread_id=topic)
    return ThreadPage(
        kind="thread",
        thread_id=topic,
        url=url,
        title=_title(tree, skin),
        engine="smf",
        engine_version=engine_version,
        next_url=pager.next_url,
        page_urls=pager.urls,
        page_number=pager.number or (None if problems else 1),
        page_count=pager.last or 1,
        locked=tree.css_first(skin["locked"]) is not None,
        problems=problems,
    )


def _place(url: str, topic: str | None) -> int | None:
    """How many posts stand before the page of an address, None for one that is no page of the thread."""
    found = TOPIC.search(url)
    if found is None or found[1] != topic or "action=" in url or "prev_next" in url:
        return None
    return int(found[2] or 0) if (found[2] or "0").isdecimal() else None


def _title(tree: LexborHTMLParser, skin: dict[str, str]) -> str | None:
    """The thread's title."""
    for node in each(tree, skin["title"]):
        inner = node.css_first("#top_subject")
        text = _READ.sub("", words(inner if inner is not None else node))
        if text:
            return text
    return _TITLE_PAGE.sub("", words(tree.css_first("head > title"))) or None


def _permalink(page: Page, topic: str | None, number: str) -> str:
    """The address of a post."""
    if topic is None:
        return f"{_script(page.url)}?msg={number}"
    return f"{_script(page.url)}?topic={topic}.msg{number}#msg{number}"


def _wrapper(body: LexborNode, name: str, around: dict[int, int]) -> LexborNode:
    """The element around a whole post: by its name, in themes without one the largest with this post's body only."""
    node = body.parent
    if not name:
        return _alone(body, around)
    while node is not None and node.tag != "body":
        if name in classes(node):
            return node
        node = node.parent
    return body


def _counted(bodies: list[LexborNode]) -> dict[int, int]:
    """How many bodies each element around one holds."""
    around: dict[int, int] = {}
    for body in bodies:
        node = body.parent
        while node is not None:
            around[node.mem_id] = around.get(node.mem_id, 0) + 1
            node = node.parent
    return around


def _alone(body: LexborNode, around: dict[int, int]) -> LexborNode:
    """The largest element around a body without another one, within the list of posts."""
    node = body
    parent = node.parent
    while parent is not None and parent.tag not in ("body", "form") and parent.id != "forumposts":
        if around.get(parent.mem_id, 0) > 1:
            break
        node = parent
        parent = node.parent
    return node


def _post(node: LexborNode, body: LexborNode, number: str, permalink: str, skin: dict[str, str], times: Times) -> Found:
    """One post: the element around all of it, and its body."""
    _, author = _one_of(node, skin["author"])
    date, dated = _one_of(node, skin["date"])
    shown = found_in(_NUMBER, words(node.css_first(skin["number"])), attr(date, "title"), dated)
    return Found(
        id=number,
        author=author,
        html=inner_html(body),
        moment=_moment(date, dated if skin["date"] != ".keyinfo" else _behind(author, dated), times),
        edited=_edited(node, author, skin, times),
        number=int(shown) if shown else None,
        author_id=found_in(_USER, *(attr(link, "href") for link in node.css(skin["profile"]))),
        permalink=permalink,
        signature=html_of(node.css_first(skin["signature"])),
        extra=tuple([html_of(part) or "" for part in all_of(node, skin["attachments"])]),
    )


def _one_of(node: LexborNode, selectors: str) -> tuple[LexborNode | None, str]:
    """The first element with words in it by the first selector that finds one, with its words."""
    for selector in selectors.split(", "):
        found = node.css_first(selector)
        if found is not None and (text := words(found)):
            return found, text
    return None, ""


def _behind(author: str, text: str) -> str:
    """The words behind a name: without one nobody knows what belongs to the date."""
    return text[len(author) :] if author and text.startswith(author) else ""


def _moment(date: LexborNode | None, text: str, times: Times) -> Moment:
    """When a post was made: `Nov 12, 2026, 06:20 PM`, in 2.0 `« Reply #3 on: Today at 06:20:11 PM »`."""
    if "#" in text:
        text = _NUMBER.sub(" ", text)
    if "«" in text and ":" in text:
        from scrapers.times.dates import read_date

        head, _, tail = text.partition(":")
        text = tail if read_date(tail) and not any(c.isdigit() for c in head) else text
    return times.read(text, attr(date, "datetime") or None)


def _edited(node: LexborNode, author: str, skin: dict[str, str], times: Times) -> Edit | None:
    """`Last Edit: DATE by NAME`, and in 2.1 the reason; the span is empty on an unedited post."""
    notice = node.css_first(skin["edit"])
    text = words(notice)
    if not text or not _dated(text):
        return None
    labels = notice.css(".lastedit") if notice is not None else []
    reason = None
    for label in labels[1:]:
        before, _, after = text.rpartition(words(label) + ":")
        if before:
            text, reason = before, after.strip() or None
    from scrapers.times.notices import edit_notice, without_label

    text = without_label(text.strip(" «»")).rstrip()
    # Members edit their own posts, whatever the language calls it.
    own = author if author and text.endswith(f" {author}") else None
    return edit_notice(text, times, own, reason)


def _dated(text: str) -> bool:
    """Whether an edit notice names a time; the words `Last Edit` alone are always there."""
    if _DIGIT.search(text):
        return True
    from scrapers.times.dates import read_date

    return read_date(text) is not None


def wherever(permalink: str) -> str | None:
    """The address that leads to a post in any topic: without the topic, SMF looks it up and redirects."""
    found = TOPIC.search(permalink)
    number = found[2].removeprefix("msg") if found and found[2] and found[2].startswith("msg") else None
    return f"{_script(permalink)}?msg={number}" if number else None


_PATHS = Paths(read_page, canonical, _first)


def thread(url: str, first: Page | None, options: ReadOptions) -> Reading:
    """All pages of a thread."""
    return read_thread(_PATHS, url, first, options)


BOARD = Board(
    name="smf",
    seen="SMF: script variables smf_scripturl or smf_theme_url, a footer 'SMF x.y'",
    marks=marks,
    read_page=read_page,
    canonical=canonical,
    thread=thread,
    read_list=lister("smf", canonical, CURVE["login"]),
    wherever=wherever,
    first_page=_first,
    check=checker(CURVE, CORE, ONE_LINE),
)
