"""SMF 2.0, 2.1 and 3.0: posts are found by their bodies, `div.inner#msg_N`, which all three have."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit
from referee.ports.boards import Board, Page, Reading, ReadOptions, ThreadPage
from scrapers.boards.addresses import absolute, query, without_session
from scrapers.boards.moments import Moment, Times, from_attribute
from scrapers.boards.pager import read_pager
from scrapers.boards.pages import (
    Found,
    Reader,
    all_of,
    attr,
    classes,
    count_marks,
    each,
    found_in,
    found_on,
    html_of,
    inner_html,
    override,
    parse,
    refusal,
    version_in,
    words,
)
from scrapers.boards.patterns import Pattern
from scrapers.boards.thread import Paths, read_thread

if TYPE_CHECKING:
    from scrapers.boards.clock import Clock

CURVE = {
    "body": 'div.inner[id^="msg_"], div.post[id^="msg_"]',
    "wrapper": "post_wrapper",
    "author": '.poster h4 a[href*="action=profile"], .poster h4 a[title], .poster h4',
    "date": ".postinfo a.smalltext, .postinfo .smalltext a, .keyinfo div.smalltext, .keyinfo .smalltext",
    "number": ".page_number",
    "edit": ".modified",
    "reason": "#reason",
    "signature": ".signature",
    "attachments": ".attachments",
    "title": "#display_head h2, h2.display_title, #top_subject",
    "pager": ".pagelinks, #main_content_section .pagesection",
    "page": ".current_page, strong",
    "next": ".next_page",
    "locked": ".lock:is(#display_head *, h3.catbg *, #top_subject + *), h3.catbg img[src*=locked]",
    "clock": ".user time[datetime], #inner_section time[datetime]",
    "login": "form#frmLogin, #main_content_section form[action*='action=login2']",
}
_BODY_ID = Pattern(r"^msg_(\d{1,18})$")
_USER = Pattern(r"[?&;,]u[=,](\d{1,12})")
_TOPIC = Pattern(r"topic[=,](\d{1,12})(?:[.](msg\d{1,18}|new|from\d{1,18}|\d{1,9}))?")
_MESSAGE = Pattern(r"[?&;]msg=(\d{1,18})")
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
    topic = _TOPIC.search(plain)
    if topic:
        return f"{_script(plain)}?topic={topic[1]}.{topic[2] or 0}"
    message = _MESSAGE.search(plain)
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
    topic = _TOPIC.search(url)
    return f"{_script(url)}?topic={topic[1]}.0" if topic else None


def read_page(page: Page, options: ReadOptions) -> ThreadPage:
    """One page of a thread (boards.md section 7)."""
    tree = parse(page)
    skin = override(CURVE, options)
    times = Times(lambda: _clock(page, tree, skin, options))
    reader = Reader(page, times)
    topic = _topic(page, tree)
    if _is_thread_page(page):
        looked_for = found_on(tree, skin, "attachments")
        for body in tree.css(skin["body"]):
            match = _BODY_ID.match(body.id or "")
            if match:
                reader.add(_post(page, body, match[1], topic, looked_for, times))
        if not reader.posts and topic and tree.css_first(skin["login"]) is None and page.status < 400:
            _by_permalinks(page, tree, reader, topic)
    return reader.finish(_describe(page, tree, skin, topic, bool(reader.posts)))


def _clock(page: Page, tree: LexborHTMLParser, skin: dict[str, str], options: ReadOptions) -> Clock:
    """The page's clock: all dates of the page may show the order of their figures."""
    from scrapers.boards.clock import Clock

    def dates() -> Iterator[str]:
        yield from (words(node) for node in tree.css(".keyinfo .smalltext"))

    return Clock(page, options, zone=lambda: _zone(page, tree, skin), evidence=dates())


def _by_permalinks(page: Page, tree: LexborHTMLParser, reader: Reader, topic: str) -> None:
    """The posts of a skin that the selectors do not know."""
    from scrapers.boards import fallback

    links = fallback.Anchors(
        post=Pattern(r"[=.,]msg=?\d{1,18}#msg(\d{1,18})$"),
        name=Pattern(r"^(?:msg|msg_)(\d{1,18})$"),
        profile="a[href*='action=profile'], a[href*='action,profile']",
        user=_USER,
        body=".inner, .post, .msg_content, .postarea",
        date="time, .smalltext, .date, .postinfo",
        signature=".signature",
    )
    fallback.read(tree, reader, links, lambda number: _permalink(page, topic, number))


def _is_thread_page(page: Page) -> bool:
    """Whether the address may be a thread's: other pages (answer form, print view, search) show posts too."""
    return "action" not in query(page.url) and "/action," not in page.url


def _topic(page: Page, tree: LexborHTMLParser) -> str | None:
    """The thread's id: the page's own canonical link, its address, or its search box."""
    links = (attr(node, "href") for node in each(tree, "link[rel=canonical]"))
    found = found_in(_TOPIC, *links, page.url)
    return found or attr(tree.css_first("input[name=sd_topic], input[name=topic]"), "value") or None


def _describe(page: Page, tree: LexborHTMLParser, skin: dict[str, str], topic: str | None, posts: bool) -> ThreadPage:
    """What the page says about the thread."""
    pager = read_pager(
        tree, page.url, (skin["pager"], skin["page"], skin["next"]), lambda link: found_in(_TOPIC, link) == topic
    )
    engine_version = version_in(page, b"SMF ", _VERSION)
    named = absolute(page.url, attr(tree.css_first("link[rel=canonical]"), "href"))
    url = canonical(named if named and _TOPIC.search(named) else page.url)
    if not posts:
        kind = _without_posts(page, tree, skin, topic)
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
        page_number=pager.number or 1,
        page_count=pager.last or 1,
        locked=tree.css_first(skin["locked"]) is not None,
    )


def _without_posts(page: Page, tree: LexborHTMLParser, skin: dict[str, str], topic: str | None) -> str:
    """What a page without posts is. To guests SMF shows its login form for a missing thread as well; only a
    page that knows its thread or board is a wall (2.1 puts both into the page).
    """
    kind = refusal(page, tree, skin["login"])
    if kind == "login" and "action_home" in attr(tree.body, "class").split():
        return "missing" if _TOPIC.search(page.url) or _MESSAGE.search(page.url) else "login"
    if kind:
        return kind
    if tree.css_first("#forumposts, #quickModForm, #display_head") is not None and topic:
        return "thread"
    if tree.css_first("#fatal_error") is not None or page.status == 403:
        return "missing"
    return "unknown"


def _title(tree: LexborHTMLParser, skin: dict[str, str]) -> str | None:
    """The thread's title."""
    for node in each(tree, skin["title"]):
        inner = node.css_first("#top_subject")
        text = _READ.sub("", words(inner if inner is not None else node))
        if text:
            return text
    return _TITLE_PAGE.sub("", words(tree.css_first("head > title"))) or None


def _zone(page: Page, tree: LexborHTMLParser, skin: dict[str, str]) -> tzinfo | None:
    """The board's zone by its own clock: 2.1 prints it next to the machine time, 2.0 alone."""
    from scrapers.boards.clock import Clock, zone_by_clock

    clock = Clock(page, ReadOptions())
    node = tree.css_first(skin["clock"])
    if node is not None:
        machine = from_attribute(attr(node, "datetime"))
        return zone_by_clock(clock.local(words(node)), machine.at if machine else None)
    for node in tree.css("#time, .user .smalltext, #upper_section .smalltext, .time"):
        zone = zone_by_clock(clock.local(words(node)), clock.now)
        if zone is not None:
            return zone
    return None


def _permalink(page: Page, topic: str | None, number: str) -> str:
    """The address of a post."""
    if topic is None:
        return f"{_script(page.url)}?msg={number}"
    return f"{_script(page.url)}?topic={topic}.msg{number}#msg{number}"


def _wrapper(body: LexborNode, name: str) -> LexborNode:
    """The element around a whole post."""
    node = body.parent
    while node is not None and node.tag != "body":
        if name in classes(node):
            return node
        node = node.parent
    return body


def _post(page: Page, body: LexborNode, number: str, topic: str | None, skin: dict[str, str], times: Times) -> Found:
    """One post."""
    node = _wrapper(body, skin["wrapper"])
    _, author = _one_of(node, skin["author"])
    date, dated = _one_of(node, skin["date"])
    shown = found_in(_NUMBER, words(node.css_first(skin["number"])), attr(date, "title"), dated)
    return Found(
        id=number,
        author=author,
        html=inner_html(body),
        moment=_moment(date, dated, times),
        edited=_edited(node, skin, times),
        number=int(shown) if shown else None,
        author_id=found_in(_USER, *(attr(link, "href") for link in node.css(".poster h4 a[href]"))),
        permalink=_permalink(page, topic, number),
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


def _moment(date: LexborNode | None, text: str, times: Times) -> Moment:
    """When a post was made: `Nov 12, 2026, 06:20 PM`, in 2.0 `« Reply #3 on: Today at 06:20:11 PM »`."""
    if "#" in text:
        text = _NUMBER.sub(" ", text)
    if "«" in text and ":" in text:
        from scrapers.boards.dates import read_date

        head, _, tail = text.partition(":")
        text = tail if read_date(tail) and not any(c.isdigit() for c in head) else text
    return times.read(text, attr(date, "datetime") or None)


def _edited(node: LexborNode, skin: dict[str, str], times: Times) -> Edit | None:
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
    text = text.strip(" «»")
    _, _, text = text.partition(":")
    from scrapers.boards.notices import edit_notice

    return edit_notice(text, times, None, reason)


def _dated(text: str) -> bool:
    """Whether an edit notice names a time; the words `Last Edit` alone are always there."""
    if _DIGIT.search(text):
        return True
    from scrapers.boards.dates import read_date

    return read_date(text) is not None


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
)
