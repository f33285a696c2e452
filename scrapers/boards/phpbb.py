"""phpBB 3.0 to 3.3: prosilver and its children, subsilver2 by its anchors."""

from __future__ import annotations

from datetime import tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit
from referee.ports.boards import Board, Page, Reading, ReadOptions, ThreadPage
from scrapers.boards.addresses import absolute, query, split, with_query, without_session
from scrapers.boards.moments import Moment, Times, from_attribute
from scrapers.boards.pager import Pager, read_pager
from scrapers.boards.pages import (
    Found,
    Reader,
    all_of,
    attr,
    classes,
    count_marks,
    each,
    first_number,
    found_in,
    found_on,
    html_of,
    inner_html,
    named,
    override,
    parse,
    refusal,
    without,
    words,
)
from scrapers.boards.patterns import Pattern
from scrapers.boards.thread import Paths, read_thread

if TYPE_CHECKING:
    from scrapers.boards.clock import Clock

PROSILVER = {
    "post": 'div.post[id^="p"], article.post[id^="p"], li.post[id^="p"]',
    "body": "div.content",
    "author": "p.author strong, p.author .username, p.author .username-coloured",
    "profile": ".postprofile .username, .postprofile .username-coloured, .postprofile dt > a",
    "byline": "p.author",
    "date": "p.author time",
    "edit": "div.notice",
    "reason": "em",
    "signature": "div.signature",
    "attachments": "dl.attachbox",
    "hidden": "div.ignore",
    "title": "h2.topic-title, #page-body h2 > a[href*='viewtopic'], h2 > a[href*='viewtopic'], a.titles",
    "pager": ".pagination",
    "page": "li.active, strong",
    "next": "li.next a, a[rel=next], a.right-box",
    "locked": ".action-bar .fa-lock, .locked-icon, .action-bar .icon-lock",
    "zone": "#page-footer, .footer, footer, .copyright, .timezone",
    "login": "form#login",
}
_ID = Pattern(r"^p(\d{1,18})$")
_USER = Pattern(r"[?&;]u=(\d{1,12})")
_POSTS = Pattern(r"(?<![\w.])(\d[\d.,\u00a0 ]{0,12})\s*[^\W\d_]{3,}")
_TAG = Pattern(r"<[^>]*>")
_ZONE_LINE = Pattern(r"[^<>]{0,80}\b(?:UTC|GMT)\b[^<>]{0,40}(?:<[^<>]{0,60}>[^<>]{0,40}){0,2}")


def marks(page: Page) -> int:
    """How surely phpBB 3 made the page."""
    strong = (
        b'id="phpbb"',
        b"phpBB style name",
        b'href="https://www.phpbb.com/">phpBB',
        b'href="http://www.phpbb.com/">phpBB',
    )
    weak = (
        b"viewtopic.php?f=",
        b"viewtopic.php?t=",
        b"memberlist.php?mode=viewprofile",
        b"phpBB Group",
        b"phpBB Limited",
    )
    if b'class="forumline"' in page.body and b'id="phpbb"' not in page.body:
        return 20
    return count_marks(page, strong, weak)


def canonical(url: str) -> str:
    """`viewtopic.php?t=T[&start=S]` or `?p=N`, without session, forum, order and highlighting."""
    parts = query(url)
    if "viewtopic" not in split(url).path or not (parts.get("t") or parts.get("p")):
        return without_session(url).split("#", 1)[0]
    if parts.get("t"):
        start = parts.get("start") or "0"
        return with_query(url, {"t": parts["t"], "start": start if start.isdigit() and int(start) else None})
    return with_query(url, {"p": parts["p"]})


def _first(url: str) -> str | None:
    """The first page of a thread's address, None where the address names only a post."""
    parts = query(url)
    if "viewtopic" not in split(url).path or not parts.get("t"):
        return None
    return with_query(url, {"t": parts["t"]})


def read_page(page: Page, options: ReadOptions) -> ThreadPage:
    """One page of a thread (boards.md section 5)."""
    tree = parse(page)
    skin = override(PROSILVER, options)
    times = Times(lambda: _clock(page, tree, skin, options))
    reader = Reader(page, times)
    looked_for = found_on(tree, skin, "edit", "attachments")
    for node in tree.css(skin["post"]):
        match = _ID.match(node.id or "")
        if match:
            reader.add(_post(page, node, match[1], looked_for, times))
    if not reader.posts and page.status < 400 and "viewtopic" in page.url and query(page.url).get("view") != "print":
        _by_permalinks(page, tree, reader)
    return reader.finish(_describe(page, tree, skin, bool(reader.posts)))


def _clock(page: Page, tree: LexborHTMLParser, skin: dict[str, str], options: ReadOptions) -> Clock:
    """The page's clock, for the dates in words of 3.0 and 3.1."""
    from scrapers.boards.clock import Clock

    return Clock(page, options, zone=lambda: _zone(tree, skin))


def _by_permalinks(page: Page, tree: LexborHTMLParser, reader: Reader) -> None:
    """The posts of a skin that the selectors do not know."""
    from scrapers.boards import fallback

    links = fallback.Anchors(
        post=Pattern(r"(?:viewtopic\.php\?[^#\s]{0,300}|^)#p(\d{1,18})$"),
        name=_ID,
        profile="a[href*='mode=viewprofile'], .username, .username-coloured, .postauthor",
        user=_USER,
        body=".content, .postbody, .post-text, .post-content, .message, .entry-content",
        date="time, .author, .gensmall, .post-date, .date",
        signature=".signature, .sig",
    )
    fallback.read(tree, reader, links, lambda number: _permalink(page, number))


def _describe(page: Page, tree: LexborHTMLParser, skin: dict[str, str], has_posts: bool) -> ThreadPage:
    """What the page says about the thread."""
    if not has_posts:
        kind = refusal(page, tree, skin["login"])
        if kind is None:
            kind = "login" if page.status == 403 else "missing" if tree.css_first("div#message") else "unknown"
        return ThreadPage(kind=kind, engine="phpbb", url=canonical(page.url))
    heading = tree.css_first(skin["title"])
    named = absolute(page.url, attr(tree.css_first("link[rel=canonical]"), "href"))
    link = heading if heading is None or heading.tag == "a" else heading.css_first("a[href]")
    url = next(
        (u for u in (named, page.url, absolute(page.url, attr(link, "href"))) if u and query(u).get("t")), page.url
    )
    pager = read_pager(tree, page.url, (skin["pager"], skin["page"], skin["next"]), lambda link: "viewtopic" in link)
    return ThreadPage(
        kind="thread",
        thread_id=query(url).get("t"),
        url=canonical(url),
        title=words(heading) or None,
        engine="phpbb",
        next_url=without_session(pager.next_url) if pager.next_url else None,
        page_urls=pager.urls,
        page_number=pager.number or 1,
        page_count=pager.last or 1,
        posts_stated=_stated(tree, skin, pager),
        locked=tree.css_first(skin["locked"]) is not None,
    )


def _stated(tree: LexborHTMLParser, skin: dict[str, str], pager: Pager) -> int | None:
    """The number of posts that the pager block states: `45 posts`."""
    found = _POSTS.search(pager.text) or _POSTS.search(words(tree.css_first(skin["pager"])))
    return first_number(found[1]) if found else None


def _zone(tree: LexborHTMLParser, skin: dict[str, str]) -> tzinfo | None:
    """The zone in the footer's line `All times are UTC+01:00`; its title may name the place."""
    from scrapers.boards.clock import zone_named, zone_written

    for block in each(tree, skin["zone"]):
        for span in block.css("span[title]"):
            zone = zone_written(words(span))
            if zone is not None:
                title = attr(span, "title")
                return (zone_named(title) if "/" in title else None) or zone
        match = _ZONE_LINE.search(block.html or "")
        if match:
            return zone_written(_TAG.sub(" ", match.group()))
    return None


def _permalink(page: Page, number: str) -> str:
    """The address of a post."""
    return f"{_script(page.url)}?p={number}#p{number}"


@lru_cache(maxsize=64)
def _script(url: str) -> str:
    """The address of the board's viewtopic.php."""
    directory = url.split("viewtopic", 1)[0] if "viewtopic" in url else f"{split(url).root}/"
    return f"{directory}viewtopic.php"


def _post(page: Page, node: LexborNode, number: str, skin: dict[str, str], times: Times) -> Found:
    """One post of prosilver."""
    _, name = named(node, skin["author"])
    byline = node.css_first(skin["byline"])
    user = found_in(_USER, *(attr(link, "href") for link in (byline.css("a[href]") if byline is not None else ())))
    if not (name and user):
        profile, shown = named(node, skin["profile"])
        name, user = name or shown, user or found_in(_USER, attr(profile, "href"))
    deleted = "deleted" in classes(node)
    return Found(
        id=number,
        author=name,
        html=inner_html(node.css_first(skin["body"])),
        moment=_moment(node, byline, name, skin, times),
        edited=_edited(node, skin, times),
        author_id=user,
        permalink=_permalink(page, number),
        signature=html_of(node.css_first(skin["signature"])),
        deleted=deleted,
        extra=tuple([html_of(part) or "" for part in all_of(node, skin["attachments"]) if _outside(part, node, skin)]),
    )


def _outside(part: LexborNode, post: LexborNode, skin: dict[str, str]) -> bool:
    """Whether an attachment box stands below the body, not in its text."""
    parent = part.parent
    while parent is not None and parent.mem_id != post.mem_id:
        if parent.tag == "div" and "content" in classes(parent):
            return False
        parent = parent.parent
    return True


def _moment(node: LexborNode, byline: LexborNode | None, name: str, skin: dict[str, str], times: Times) -> Moment:
    """When a post was made: `time[datetime]` from 3.2 on, before that the text behind the author's name."""
    time = node.css_first(skin["date"])
    if time is not None:
        return from_attribute(attr(time, "datetime")) or times.read(words(time))
    text = words(byline)
    text = text.rsplit("»", 1)[-1] if "»" in text else text.replace(name, " ", 1)
    return times.read(text)


def _edited(node: LexborNode, skin: dict[str, str], times: Times) -> Edit | None:
    """The notice `Last edited by X on DATE, edited 3 times in total.`"""
    for notice in all_of(node, skin["edit"]):
        if "post_deleted_msg" in classes(notice):
            continue
        reason = words(notice.css_first(skin["reason"])) or None
        by = words(notice.css_first("a")) or words(notice.css_first(".username")) or None
        without(notice, "em, strong")
        text = words(notice)
        # A bump notice is built the same way; only an edit is counted.
        if not reason and not any(c.isdigit() for c in text.rsplit(",", 1)[-1].split(":", 1)[0]):
            continue
        from scrapers.boards.notices import edit_notice

        edit = edit_notice(text, times, by, reason)
        if edit is not None and (edit.count or reason):
            return edit
    return None


_PATHS = Paths(read_page, canonical, _first)


def thread(url: str, first: Page | None, options: ReadOptions) -> Reading:
    """All pages of a thread."""
    return read_thread(_PATHS, url, first, options)


BOARD = Board(
    name="phpbb",
    seen="phpBB 3: body with id phpbb, the comment 'phpBB style name', a footer link to phpbb.com",
    marks=marks,
    read_page=read_page,
    canonical=canonical,
    thread=thread,
)
