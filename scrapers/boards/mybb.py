"""MyBB 1.8 (both post layouts, search-engine addresses) and the tables of 1.6."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit
from referee.ports.boards import Board, Page, Reading, ReadOptions, ThreadPage
from scrapers.boards.addresses import query, split, with_query, without_session
from scrapers.boards.lists import lister
from scrapers.boards.more import further, within
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
    named,
    number_of,
    override,
    parse,
    refusal,
    version_in,
    words,
)
from scrapers.boards.rare import all_of, found_on
from scrapers.boards.skins import checker
from scrapers.boards.thread import Paths, read_thread
from scrapers.patterns import Pattern
from scrapers.times.moments import Times

if TYPE_CHECKING:
    from scrapers.times.clock import Clock

POSTBIT = {
    "post": '[id^="post_"]',
    "body": ".post_body",
    "author": ".author_information .largetext, .post_author .largetext, .post_author strong, .largetext",
    "hidden_author": ".deleted_post_author .largetext, .deleted_post_author",
    "date": ".post_date, .tcat > .float_left.smalltext, .tcat .smalltext",
    "edit": ".edited_post, .post_edit, [id^='edited_by_'], .post_meta .smalltext",
    "reason": "em",
    "number": 'a[href*="#pid"]',
    "signature": ".signature",
    "attachments": "fieldset:has(a[href*='attachment.php'])",
    "title": "",  # the page's own, unless a skin says it better elsewhere
    "pager": ".pagination",
    "page": ".pagination_current",
    "next": ".pagination_next",
    "locked": ".closed_button, a[href*='newreply'] img[src*='closed'], .thread_closed, .post_buttons .closed",
    "clock": "#current_time, #footer .float_right.smalltext, #copyright + .smalltext",
    "login": "#content td.trow1 ol, #content form[action*='member.php'] input[name=password], "
    "form input[name=pwverify]",
    "written": ".post_body, .signature, [id^='pid_']",
}
#: MyBB's page of an internal or SQL error, and the box that it puts where a page has begun already.
_OUT_OF_ORDER = "#container > #content > #error, #mybb_error_content"
_ID = Pattern(r"^post_(\d{1,18})$")
_USER = Pattern(r"(?:[?&;]uid=|user-)(\d{1,12})")
_THREAD = Pattern(r"(?:[?&;]tid=|thread-)(\d{1,12})")
_SEO = Pattern(r"thread-(\d{1,12})(?:-post-(\d{1,18}))?(?:-page-(\d{1,7}|last))?\.html")
_PRINTED = Pattern(r"/(?:printthread\.php\?(?:.{0,80}&)?tid=(\d{1,12})|archive/index\.php[?/]thread-(\d{1,12}))")
_SEO_POST = Pattern(r"/post-(\d{1,18})\.html")
_NUMBER = Pattern(r"#\s?(\d[\d,.]{0,12})")
_VERSION = Pattern(rb"MyBB(?:</a>)? (1\.\d{1,2}(?:\.\d{1,3})?)")
_NOTICES = frozenset({"post_edit", "edited_post", "smalltext"})
_TITLE_PAGE = Pattern(r"\s+-\s+\S{1,12}\s+\d{1,6}\s*$")


def marks(page: Page) -> int:
    """How surely MyBB made the page."""
    strong = (
        b"my_post_key",
        b">MyBB Group</a>",
        b"mybb[lastvisit]",
        b'href="https://mybb.com"',
        b'href="http://www.mybboard.net"',
    )
    threads = (b"showthread.php?tid=", b"printthread.php?tid=")
    weak = (*threads, b'id="post_meta_', b"Powered By <a", b"jscripts/general.js", b'class="post_body')
    return count_marks(page, strong, weak)


def canonical(url: str) -> str:
    """`showthread.php?tid=T[&page=P]` or `?pid=N`, also from search-engine addresses."""
    plain = without_session(url).split("#", 1)[0]
    seo = _SEO.search(plain)
    if seo:
        base = plain[: seo.start()] + "showthread.php"
        return with_query(base, {"tid": seo[1], "pid": seo[2], "page": None if seo[3] == "1" else seo[3]})
    post = _SEO_POST.search(plain)
    if post:
        return with_query(plain[: post.start()] + "/showthread.php", {"pid": post[1]})
    parts = query(plain)
    if "showthread" not in split(plain).path or not (parts.get("tid") or parts.get("pid")):
        return plain
    page = parts.get("page")
    mode = parts.get("mode") if parts.get("mode") == "threaded" else None
    return with_query(
        plain,
        {"tid": parts.get("tid"), "pid": parts.get("pid"), "page": None if page == "1" else page, "mode": mode},
    )


def _first(url: str) -> str | None:
    """The first page of a thread's address, None where it names only a post.

    A thread that is shown as a tree has its whole text only in the other mode, which must be asked for.
    """
    plain = canonical(url)
    tid = query(plain).get("tid")
    printed = _PRINTED.search(url)
    if printed:
        plain, tid = plain[: printed.start()] + "/showthread.php", printed[1] or printed[2]
    mode = "linear" if query(url).get("mode") in ("linear", "threaded") else None
    return with_query(plain, {"tid": tid, "mode": mode}) if tid and "showthread" in plain else None


def read_page(page: Page, options: ReadOptions) -> ThreadPage:
    """One page of a thread (boards.md section 8)."""
    tree = parse(page)
    skin = override(POSTBIT, options)
    times = Times(lambda: _clock(page, tree, skin, options))
    reader = Reader(page, times, "mybb")
    thread_id = _thread_id(page, tree)
    gone = {attr(node, "id").removeprefix("deleted_") for node in tree.css("[id^='deleted_post_']")}
    if not _other_page(page):
        looked_for = found_on(tree, skin, "attachments")
        for node in tree.css(skin["post"]):
            match = _ID.match(node.id or "")
            if match:
                found = _post(page, node, match[1], thread_id, looked_for, times)
                reader.add(found._replace(deleted=True) if match[0] in gone else found)
        if not reader.posts and ("showthread" in page.url or _SEO.search(page.url)):
            _by_permalinks(page, tree, reader, thread_id)
    return reader.finish(_describe(page, tree, skin, thread_id, bool(reader.posts)))


def _by_permalinks(page: Page, tree: LexborHTMLParser, reader: Reader, thread_id: str | None) -> None:
    """The posts of a skin that the selectors do not know."""
    from scrapers.boards import fallback

    links = fallback.Anchors(
        post=Pattern(r"#pid(\d{1,18})$"),
        name=Pattern(r"^(?:pid|post_|pid_)(\d{1,18})$"),
        profile="a[href*='action=profile'], a[href*='user-']",
        user=_USER,
        body="[id^='pid_'], .post_body, .post__body, .post-content, .message",
        date="time, .post_date, .post__date, .date, .smalltext",
        signature=".signature",
        aside=".signature, .post_meta, .edited_post",
        edit=lambda node: _edited(node, POSTBIT, reader.times),
    )
    fallback.read(tree, reader, links, lambda number: _permalink(page, thread_id, number))


def _other_page(page: Page) -> bool:
    """Whether the address is that of another page that shows posts (answer form, print view, search)."""
    return any(part in split(page.url).path for part in ("newreply", "printthread", "search", "/archive", "editpost"))


def _clock(page: Page, tree: LexborHTMLParser, skin: dict[str, str], options: ReadOptions) -> Clock:
    """The page's clock; the board's own present time shows its zone and the order of figures."""
    from scrapers.times.clock import Clock, order_by_clock
    from scrapers.times.zones import zone_by_clock

    now = words(tree.css_first(skin["clock"]))
    now = now.split(":", 1)[-1] if now else ""
    order = order_by_clock(now, page.fetched_at)
    bare = Clock(page, options, order=order, evidence=_dates(tree, now))
    zone = zone_by_clock(bare.local(now) if now else None, bare.now)
    return Clock(page, options, zone=zone, order=order, evidence=_dates(tree, now))


def _dates(tree: LexborHTMLParser, now: str) -> Iterator[str]:
    """The date texts of the page, for the order of their figures."""
    yield now
    for node in tree.css(".post_date"):
        yield words(node)
    for node in tree.css(".post_date span[title]"):
        yield attr(node, "title")


def _thread_id(page: Page, tree: LexborHTMLParser) -> str | None:
    """The thread's id: the page's address, its forms, its pager or its answer button."""
    found = found_in(_THREAD, page.url)
    if found:
        return found
    field = attr(tree.css_first("input[name=tid]"), "value")
    links = (attr(node, "href") for node in tree.css("a[href*='newreply.php'], .pagination a, a[href*='printthread']"))
    return field or found_in(_THREAD, *links)


def _message(page: Page, tree: LexborHTMLParser) -> str:
    """What a message in place of the thread says: all are alike, only "the board is closed" quotes its reason."""
    asked = "showthread" in page.url or _SEO.search(page.url) or _SEO_POST.search(page.url)
    if not asked or tree.css_first("td.trow1") is None:
        return "unknown"
    return "down" if tree.css_first("td.trow1 > blockquote") is not None else "missing"


def _describe(
    page: Page, tree: LexborHTMLParser, skin: dict[str, str], thread_id: str | None, posts: bool
) -> ThreadPage:
    """What the page says about the thread."""
    engine_version = version_in(page, b"MyBB", _VERSION, b'id="footer"')
    down = (not posts or b"error_content" in page.body) and tree.css_first(_OUT_OF_ORDER) is not None
    if not posts or down:
        kind = "down" if down else refusal(page, tree, skin["login"]) or _message(page, tree)
        return ThreadPage(kind=kind, engine="mybb", engine_version=engine_version, url=canonical(page.url))
    pager = read_pager(
        tree, page.url, (skin["pager"], skin["page"], skin["next"]), lambda link: found_in(_THREAD, link) == thread_id
    )
    problems: tuple[str, ...] = ()
    if pager.lacking and b"page" in page.body:
        pager, problems = further(
            pager, tree, page.url, "a[href*='page']", lambda link: _place(link, thread_id), skin["written"]
        )
    number = pager.number or (None if problems else 1)
    mode = None
    if _is_threaded(page, tree, skin):
        # Threaded mode shows one post and a tree: the linear thread is another page.
        problems, number, mode = ("threaded mode shows one post only",), 0, "linear"
    base = f"{_directory(page.url)}showthread.php"
    shown = str(number) if number and number > 1 else None
    url = with_query(base, {"tid": thread_id, "page": shown, "mode": mode}) if thread_id else page.url
    return ThreadPage(
        kind="thread",
        thread_id=thread_id,
        url=url if thread_id else canonical(url),
        title=(words(tree.css_first(skin["title"])) if skin["title"] else "") or _title(tree, number),
        engine="mybb",
        engine_version=engine_version,
        next_url=pager.next_url if number != 0 else None,
        page_urls=pager.urls,
        page_number=number,
        page_count=pager.last or 1,
        locked=tree.css_first(skin["locked"]) is not None,
        problems=problems,
    )


def _is_threaded(page: Page, tree: LexborHTMLParser, skin: dict[str, str]) -> bool:
    """Whether a page shows one post and a tree of links to the others, by its address or by that tree."""
    if query(page.url).get("mode") == "threaded":
        return True
    links = tree.css("a[href*='mode=threaded'][href*='pid=']")
    theirs = {node.mem_id for node in tree.css(skin["written"])} if len(links) > 1 else set()
    return sum(not within(link, theirs) for link in links) > 1


def _place(url: str, thread_id: str | None) -> int | None:
    """How many pages stand before the one of an address, None for one that is no page of the thread."""
    parts = query(canonical(url))
    page = parts.get("page") or "1"
    meant = "showthread" in canonical(url) and parts.get("tid") == thread_id and "pid" not in parts
    return max(int(page) - 1, 0) if meant and page.isdecimal() and len(page) < 8 else None


def _title(tree: LexborHTMLParser, number: int | None) -> str | None:
    """The thread's title: the page's own, without the number of this page (titles may end like that too)."""
    title = words(tree.css_first("head > title"))
    shown = _TITLE_PAGE.search(title)
    if shown and number and number > 1 and shown.group().split()[-1] == str(number):
        title = title[: shown.start()]
    return title or None


@lru_cache(maxsize=64)
def _directory(url: str) -> str:
    """The address of the board's directory."""
    plain = url.split("?", 1)[0].split("#", 1)[0]
    return plain.rsplit("/", 1)[0] + "/"


def _permalink(page: Page, thread_id: str | None, number: str) -> str:
    """The address of a post."""
    thread = f"tid={thread_id}&" if thread_id else ""
    return f"{_directory(page.url)}showthread.php?{thread}pid={number}#pid{number}"


def _post(
    page: Page, node: LexborNode, number: str, thread_id: str | None, skin: dict[str, str], times: Times
) -> Found:
    """One post, or the stub of a deleted one."""
    state = classes(node)
    hidden = "deleted_post_hidden" in state
    author, name = named(node, skin["hidden_author" if hidden else "author"])
    date = node.css_first(skin["date"])
    shown = next((found_in(_NUMBER, text) for link in node.css(skin["number"]) if "#" in (text := words(link))), None)
    profile = author.css("a[href]") if author is not None else []
    body = node.css_first(skin["body"])
    if body is None or body.id != f"pid_{number}":  # advertisements may look like one
        body = node.css_first(f"#pid_{number}") or body
    return Found(
        id=number,
        author=name,
        html=inner_html(body),
        moment=times.read(date_text(date)),
        edited=_edited(node, skin, times),
        number=number_of(shown, 14) if shown else None,
        author_id=found_in(_USER, *(attr(link, "href") for link in profile)),
        permalink=_permalink(page, thread_id, number),
        signature=html_of(node.css_first(skin["signature"])),
        deleted=hidden or "deleted_post" in state,
        extra=tuple([html_of(part) or "" for part in all_of(node, skin["attachments"])]),
    )


def date_text(node: LexborNode | None) -> str:
    """A date's text: a relative word gives way to the date in its title, edit notices are left out.

    `<span title="11-30-2026, 01:09 AM">43 minutes ago</span>` holds all, `<span title="11-30-2026">
    Today</span>, 01:09 AM` only the day.
    """
    if node is None:
        return ""
    from scrapers.times.dates import read_date

    parts = []
    child = node.child
    while child is not None:
        if child.tag == "-text":
            parts.append(child.text_content or "")
        elif child.tag == "span":
            title = attr(child, "title")
            if title and read_date(title):
                parts.append(title)
            elif not _NOTICES.intersection(classes(child)) and not attr(child, "id").startswith("edited_by"):
                parts.append(child.text())
        child = child.next
    return " ".join("".join(parts).split())


def _edited(node: LexborNode, skin: dict[str, str], times: Times) -> Edit | None:
    """`(This post was last modified: DATE by NAME. Edit Reason: ...)`; the span around it is always there."""
    for notice in node.css(skin["edit"]):
        text = words(notice)
        if text and any(c.isdigit() for c in text):
            edit = _notice(notice, text, skin, times)
            if edit is not None and edit.at is not None:
                return edit
    return None


def _notice(notice: LexborNode, text: str, skin: dict[str, str], times: Times) -> Edit | None:
    """An edit notice with figures in it."""
    from scrapers.times.dates import read_date
    from scrapers.times.notices import edit_notice, without_label

    link = next((a for a in notice.css("a[href]") if _USER.search(attr(a, "href"))), None)
    for span in notice.css("span[title]"):
        if read_date(attr(span, "title")):
            text = text.replace(words(span), attr(span, "title"), 1)
    reason = words(notice.css_first(skin["reason"])) or None
    if reason:
        text = text.replace(reason, " ", 1)
    return edit_notice(without_label(text), times, words(link) or None, _bare_reason(reason))


def _bare_reason(reason: str | None) -> str | None:
    """The reason without its label."""
    return (reason.split(":", 1)[1].strip() or None) if reason and ":" in reason else reason


def wherever(permalink: str) -> str | None:
    """The address that leads to a post in any thread: its own number alone."""
    pid = query(permalink).get("pid")
    return f"{_directory(permalink)}showthread.php?pid={pid}" if pid else None


_PATHS = Paths(read_page, canonical, _first)


def thread(url: str, first: Page | None, options: ReadOptions) -> Reading:
    """All pages of a thread."""
    return read_thread(_PATHS, url, first, options)


BOARD = Board(
    name="mybb",
    seen="MyBB: script variable my_post_key, a footer 'Powered By MyBB'",
    marks=marks,
    read_page=read_page,
    canonical=canonical,
    thread=thread,
    read_list=lister("mybb", canonical, POSTBIT["login"]),
    wherever=wherever,
    first_page=_first,
    check=checker(POSTBIT),
)
