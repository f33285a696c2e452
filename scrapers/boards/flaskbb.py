"""FlaskBB 2: machine times, names instead of user numbers, signatures inside the body."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC
from functools import lru_cache
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit, Post
from referee.ports.boards import Board, Page, Reading, ReadOptions, ThreadPage, ThreadRead
from scrapers.boards.addresses import query, split, with_query, without_session
from scrapers.boards.lists import lister
from scrapers.boards.more import further
from scrapers.boards.pager import read_pager
from scrapers.boards.pages import (
    CONTESTED,
    Found,
    Reader,
    attr,
    count_marks,
    first_number,
    found_in,
    html_of,
    inner_html,
    inside,
    named,
    override,
    parse,
    refusal,
    without,
    words,
)
from scrapers.boards.rare import all_of, by_post, first_of, found_on
from scrapers.boards.skins import checker, thread_free
from scrapers.boards.thread import Paths, read_thread
from scrapers.bodies.typed_captions import captioned
from scrapers.patterns import Pattern
from scrapers.times.moments import Times, from_attribute

if TYPE_CHECKING:
    from scrapers.times.clock import Clock

AURORA = {
    "post": ".post-row[id]",
    "body": ".post-content",
    "author": ".author-name a, .author-name h4, .author-name",
    "date": ".post-meta a > time, .post-meta time",
    # Its words are the date up to 2.0.
    "permalink": ".post-meta a[href*='/post/']",
    "edit": ".post-meta small",
    "number": ".post-meta strong",
    "signature": ".post-signature",
    # Only moderators see a hidden post, with a warning above its text.
    "hidden": ".alert",
    # From 3.0 on, within the body; polls are an add-on's, and change with each vote.
    "attachments": ".post-attachments",
    "poll": ".vote-poll",
    "title": ".topic-header > a, .topic-head > a, .topic-name",
    "pager": ".pagination",
    "page": ".page-item.active, li.active",
    "next": "a[rel=next]",
    # A sign in place of the button for answers, or the moderators' button; another one locks the topic.
    "locked": "div.btn > span.fa-lock, button > span.fa-unlock",
    "login": "input#login[name=login], form[action*='/auth/login'] input[name=password]",
}
#: The title of the page that stands for a thread or post that is not there; nothing on it names the board.
_BARE = b"<title>None Unknown Error</title>"
#: How version 2.2 writes its name, how it writes mentions, and what they do to the end of a post.
_CUTS = b'content="FlaskBB Team" />'
_MENDED = b'id="topic-posts"'  # version 3.0
_MENTION = Pattern(r'href="[^"<>]{0,200}/user/[^"<>]{1,100}">@')
_CUT = "a mention may have cut off a short end of it (FlaskBB 2.2)"
_ID = Pattern(r"^(\d{1,18})$")
_TOPIC = Pattern(r"/topic/(\d{1,12})")
_TITLE = Pattern(r"\s+-\s+Topic(?:\s+-.{0,200})?$", re.DOTALL)


def marks(page: Page) -> int:
    """How surely FlaskBB made the page."""
    strong = (
        b'content="FlaskBB Team"',
        b"FlaskBB is a forum software written in Flask",
        b'class="flaskbb-layout"',
        _BARE,
    )
    weak = (b'name="csrf-token"', b"/auth/login", b"post-row", b"/topic/")
    return count_marks(page, strong, weak)


def canonical(url: str) -> str:
    """`/topic/T[?page=P]` without the words of the title."""
    plain = without_session(url).split("#", 1)[0]
    topic = _TOPIC.search(split(plain).path)
    if not topic:
        return plain
    number = query(plain).get("page") or ""
    base = plain[: plain.index(topic.group()) + len(topic.group())]
    # Whatever is no number is the first page to the board, up to 2.0 also 0.
    return with_query(base, {"page": number if number.isdecimal() and number.strip("0") not in ("", "1") else None})


def _first(url: str) -> str | None:
    """The first page of a thread's address."""
    plain = canonical(url)
    return plain.split("?", 1)[0] if _TOPIC.search(split(plain).path) else None


def read_page(page: Page, options: ReadOptions) -> ThreadPage:
    """One page of a thread (boards.md section 22)."""
    tree = parse(page)
    skin = override(AURORA, options)
    times = Times(lambda: _clock(page, options))
    reader = Reader(page, times)
    if _is_thread_page(page):
        looked_for = found_on(tree, skin, "hidden", "attachments", "poll")
        posts = tree.css(skin["post"])
        notices = by_post(tree, skin["edit"], posts)
        cuts = _CUTS in page.body and _MENDED not in page.body
        for node in posts:
            match = _ID.match(node.id or "")
            if match:
                found = _post(page, node, match[1], looked_for, times)
                lost = _CUT if cuts and found.html and '">@' in found.html and _MENTION.search(found.html) else None
                reader.add(found._replace(edited=_edited(notices.get(node.mem_id), times), lost=lost))
        if not reader.posts and marks(page) >= 90:
            _by_permalinks(page, tree, reader)
        if reader.contested:
            reader.posts[:] = _by_nobody(reader.posts)
    return reader.finish(_describe(page, tree, skin, bool(reader.posts)))


def _by_nobody(posts: Iterable[Post]) -> tuple[Post, ...]:
    """Posts without their authors.

    A version of 2026 shows each post once for every member of the board, whoever wrote it: no name that stands on
    such a page means anything, not even that of a post of which only one copy is left at the page's end.
    """
    return tuple([replace(post, author="", author_id=None) for post in posts])


def _clock(page: Page, options: ReadOptions) -> Clock:
    """The page's clock, for versions without machine times: what they print is UTC for every viewer."""
    from scrapers.times.clock import Clock

    return Clock(page, options, zone=UTC)


def _by_permalinks(page: Page, tree: LexborHTMLParser, reader: Reader) -> None:
    """The posts of a skin that the selectors do not know."""
    from scrapers.boards import fallback

    links = fallback.Anchors(
        post=Pattern(r"/post/(\d{1,18})$"),
        name=Pattern(r"^(?:pid)?(\d{1,18})$"),
        profile="a[href*='/user/']",
        user=Pattern(r"/user/(\d{1,12})$"),
        body=".post-content, .post-body, .message",
        date="time",
        signature=".post-signature, .signature",
        aside=".post-signature, .signature, .post-meta",
        edit=lambda node: _edited(node.css(AURORA["edit"]), reader.times),
    )
    fallback.read(tree, reader, links, lambda number: _permalink(page, number))


def _is_thread_page(page: Page) -> bool:
    """Whether the address is a thread's: profiles list posts in the same rows."""
    path = split(page.url).path
    return bool(_TOPIC.search(path)) and not path.endswith(("/new", "/edit", "/reply"))


def _describe(page: Page, tree: LexborHTMLParser, skin: dict[str, str], posts: bool) -> ThreadPage:
    """What the page says about the thread."""
    if not posts:
        kind = refusal(page, tree, skin["login"])
        # A missing thread is a bare error page of a few lines, with status 200.
        bare = len(page.body) < 2000 and tree.css_first("a[href], form") is None
        return ThreadPage(kind=kind or ("missing" if bare else "unknown"), engine="flaskbb", url=canonical(page.url))
    pager = read_pager(tree, page.url, (skin["pager"], skin["page"], skin["next"]), lambda u: bool(_TOPIC.search(u)))
    topic = found_in(_TOPIC, split(page.url).path)
    problems: tuple[str, ...] = ()
    if pager.lacking and b"page=" in page.body:
        links, written = "a[href*='page=']", f"{skin['body']}, {skin['signature']}"
        pager, problems = further(pager, tree, page.url, links, lambda url: _place(url, topic), written)
    number = pager.number or first_number(query(page.url).get("page") or "1") or 1
    return ThreadPage(
        kind="thread",
        thread_id=topic,
        url=canonical(page.url),
        title=words(tree.css_first(skin["title"])) or _TITLE.sub("", words(tree.css_first("head > title"))) or None,
        engine="flaskbb",
        next_url=pager.next_url,
        page_urls=pager.urls,
        page_number=number,
        page_count=pager.last or 1,
        locked=True if tree.css_first(skin["locked"]) is not None else None,
        problems=problems,
    )


def _place(url: str, topic: str | None) -> int | None:
    """How many pages stand before the one of an address, None for one that is no page of the thread."""
    page = query(url).get("page") or "1"
    meant = found_in(_TOPIC, split(url).path) == topic and page.isdecimal() and len(page) < 8
    return max(int(page) - 1, 0) if meant else None


def _permalink(page: Page, number: str) -> str:
    """The address of a post."""
    return f"{_board(page.url)}/post/{number}"


@lru_cache(maxsize=64)
def _board(url: str) -> str:
    """The address of the board, without a slash at its end."""
    parts = split(url)
    return parts.root + (parts.path[: parts.path.index("/topic/")] if "/topic/" in parts.path else "")


def _post(page: Page, node: LexborNode, number: str, skin: dict[str, str], times: Times) -> Found:
    """One post."""
    _, author = named(node, skin["author"])
    date = node.css_first(skin["date"])
    if date is None:
        date = node.css_first(skin["permalink"])
    body = node.css_first(skin["body"])
    sign = node.css_first(skin["signature"])
    signature = html_of(sign)
    if body is not None and sign is not None and inside(sign, body):
        without(body, skin["signature"])
    attached = _aside(body, skin) if body is not None else ()
    return Found(
        id=number,
        author=author,
        html=captioned(inner_html(body)),
        moment=from_attribute(attr(date, "datetime")) or times.read(words(date)),
        number=first_number(words(node.css_first(skin["number"]))),
        permalink=_permalink(page, number),
        signature=signature,
        deleted=body is not None and first_of(body, skin["hidden"]) is not None,
        extra=attached,
    )


def _aside(body: LexborNode, skin: dict[str, str]) -> tuple[str, ...]:
    """The attachments that stand in a body. They are taken out of it, as is a poll."""
    attached = tuple([part.html or "" for part in all_of(body, skin["attachments"])])
    for selector in (skin["attachments"], skin["poll"]):
        if selector:
            without(body, selector)
    return attached


def _edited(notices: list[LexborNode] | None, times: Times) -> Edit | None:
    """`(Last modified: TIME by NAME)`."""
    if not notices or not words(notices[0]):
        return None
    notice = notices[0]
    by = words(notice.css_first("a")) or None
    time = notice.css_first("time")
    if time is None:
        from scrapers.times.notices import edit_notice

        return edit_notice(words(notice), times, by)
    return Edit(at=times.read(words(time), attr(time, "datetime")).at, by=by)


_PATHS = Paths(read_page, canonical, _first)


def thread(url: str, first: Page | None, options: ReadOptions) -> Reading:
    """All pages of a thread."""
    read: ThreadRead = yield from read_thread(_PATHS, url, first, options)
    contested = any(not post.author for post in read.posts) and any(CONTESTED in line for line in read.problems)
    return replace(read, posts=_by_nobody(read.posts), complete=False) if contested else read


BOARD = Board(
    name="flaskbb",
    seen="FlaskBB: meta author 'FlaskBB Team'",
    marks=marks,
    read_page=read_page,
    canonical=canonical,
    thread=thread,
    read_list=lister("flaskbb", canonical, AURORA["login"]),
    wherever=thread_free,
    first_page=_first,
    check=checker(AURORA),
)
