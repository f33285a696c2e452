"""phpBB 3.0 to 3.3: prosilver and its children, subsilver2 by its anchors."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit
from referee.ports.boards import Board, Page, Reading, ReadOptions, ThreadPage
from scrapers.boards.addresses import query, split
from scrapers.boards.lists import lister
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
    override,
    parse,
    words,
)
from scrapers.boards.phpbb_thread import canonical, describe, first_address, zone_of
from scrapers.boards.rare import all_of, by_post, found_on
from scrapers.boards.skins import checker, thread_free
from scrapers.boards.thread import Paths, read_thread
from scrapers.patterns import Pattern
from scrapers.times.moments import Moment, Times, from_attribute

if TYPE_CHECKING:
    from scrapers.times.clock import Clock

PROSILVER = {
    "post": '[id^="p"].post:is(div, article, li)',
    "body": "div.content",
    "author": "p.author strong, p.author .username, p.author .username-coloured",
    "profile": ".postprofile .username, .postprofile .username-coloured, .postprofile dt > a",
    "byline": "p.author",
    "date": "p.author time",
    "edit": "div.notice",
    "reason": "em",
    "signature": "div.signature",
    "attachments": "dl.attachbox",
    "title": "h2.topic-title, #page-body h2 > a[href*='viewtopic'], h2 > a[href*='viewtopic'], a.titles",
    "pager": ".pagination",
    "page": "li.active, strong",
    "next": "li.next a, a[rel=next], a.right-box",
    "locked": ".action-bar .fa-lock, .locked-icon, .action-bar .icon-lock",
    "zone": "#page-footer",
    "login": "form#login, form#login_forum",
    "written": ".content, .postbody, .post-text, .post-content, .message, .signature, [id^='sig']",
}
#: Styles with other elements in its posts.
MATERIAL = {**PROSILVER, "body": ".content", "byline": "p.author, .postdate"}

_ID = Pattern(r"^p(\d{1,18})$")
_USER = Pattern(r"[?&;]u=(\d{1,12})")


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


def read_page(page: Page, options: ReadOptions) -> ThreadPage:
    """One page of a thread (boards.md section 5)."""
    tree = parse(page)
    usual = tree.css_first(".postbody div.content") is not None
    skin = override(PROSILVER if usual else MATERIAL, options)
    times = Times(lambda: _clock(page, tree, skin, options))
    reader = Reader(page, times)
    looked_for = found_on(tree, skin, "attachments")
    posts = tree.css(skin["post"])
    notices = by_post(tree, skin["edit"], posts)
    for node in posts:
        match = _ID.match(node.id or "")
        if match:
            found = _post(page, node, match[1], looked_for, times)
            # The notice comes last: reading it takes parts out of it, and it may stand in the body.
            reader.add(found._replace(edited=_edited(notices.get(node.mem_id, ()), skin, times)))
    if not reader.posts and page.status < 400 and "viewtopic" in page.url and query(page.url).get("view") != "print":
        _by_permalinks(page, tree, reader)
    return reader.finish(describe(page, tree, skin, len(reader.posts)))


def _clock(page: Page, tree: LexborHTMLParser, skin: dict[str, str], options: ReadOptions) -> Clock:
    """The page's clock, for the dates in words of 3.0 and 3.1."""
    from scrapers.times.clock import Clock

    bylines = (words(node).rsplit("»", 1)[-1] for node in tree.css(skin["byline"]))
    return Clock(page, options, zone=lambda: zone_of(page, tree, skin, options), evidence=bylines)


#: Where styles that are no children of prosilver put their parts; the table of a notice is subsilver2's.
_ANYWHERE = {
    **PROSILVER,
    "edit": "div.notice, .panel-foo, .edited, .post-edit, .lastedit, td table.tablebg, td > span.gensmall",
    "reason": "em, td.row2 > span.genmed",
}


def _by_permalinks(page: Page, tree: LexborHTMLParser, reader: Reader) -> None:
    """The posts of a skin that the selectors do not know."""
    from scrapers.boards import fallback

    links = fallback.Anchors(
        post=Pattern(r"(?:viewtopic\.php\?[^#\s]{0,300}|^)#p(\d{1,18})$"),
        name=_ID,
        profile="a[href*='mode=viewprofile'], .username, .username-coloured, .postauthor",
        user=_USER,
        body=".content, .post-text, .message, .entry-content, .postbody, .post-content",
        date="time, .author, .timepost, .post-time, .gensmall > div + div, .gensmall, .post-date, .date",
        signature=".signature, .sig, div[id^='sig']",
        aside=".notice, .signature, div[id^='sig'], .author, .timepost, .post-time, .post-buttons, h3",
        edit=lambda node: _edited(node.css(_ANYWHERE["edit"]), _ANYWHERE, reader.times),
        known=tree.css_first(".postauthor") is not None and tree.css_first("td.profile") is not None,
    )
    fallback.read(tree, reader, links, lambda number: _permalink(page, number))


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
    if byline is None:
        byline = _byline_before(node, number, skin)
        name = name or (named(byline, ".username, .username-coloured, strong")[1] if byline is not None else "")
    user = found_in(_USER, *(attr(link, "href") for link in (byline.css("a[href]") if byline is not None else ())))
    if not (name and user):
        profile, shown = named(node, skin["profile"])
        name, user = name or shown, user or found_in(_USER, attr(profile, "href"))
    deleted = "deleted" in classes(node)
    return Found(
        id=number,
        author=name,
        html=inner_html(_body(node, number, skin)),
        moment=_moment(node, byline, name, skin, times),
        author_id=user,
        permalink=_permalink(page, number),
        signature=html_of(node.css_first(skin["signature"])),
        deleted=deleted,
        extra=tuple([html_of(part) or "" for part in all_of(node, skin["attachments"]) if _outside(part, node, skin)]),
    )


def _body(node: LexborNode, number: str, skin: dict[str, str]) -> LexborNode | None:
    """The body of a post: of several elements that look like one (boxes of extensions) that in the post's own frame."""
    body = node.css_first(skin["body"])
    if body is None or _frame(body).id == f"post_content{number}":
        return body
    parts = node.css(skin["body"])
    framed = (part for part in parts if _frame(part).id == f"post_content{number}")
    bare = (part for part in parts if "postbody" in classes(_frame(part)))
    return next(framed, None) or next(bare, body)


def _frame(body: LexborNode) -> LexborNode:
    """The element right around a body."""
    return body.parent or body


def _byline_before(post: LexborNode, number: str, skin: dict[str, str]) -> LexborNode | None:
    """The byline that stands before a post's element: in one of the elements before it, with the post's own link."""
    node = post.prev
    for _ in range(4):
        if node is None or (node.id and _ID.match(node.id)):
            return None
        if node.tag != "-text" and node.css_first(f"a[href$='#p{number}']") is not None:
            byline = node.css_first(skin["byline"])
            if byline is not None:
                return byline
        node = node.prev
    return None


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
    if time is None and byline is not None:
        time = byline.css_first("time")
    if time is not None:
        return from_attribute(attr(time, "datetime")) or times.read(words(time))
    text = words(byline)
    text = text.rsplit("»", 1)[-1] if "»" in text else text.replace(name, " ", 1)
    return times.read(text)


def _edited(notices: Iterable[LexborNode], skin: dict[str, str], times: Times) -> Edit | None:
    """The notice `Last edited by X on DATE, edited 3 times in total.`"""
    for notice in notices:
        if "post_deleted_msg" in classes(notice):
            continue
        from scrapers.boards.phpbb_notice import read_notice

        edit = read_notice(notice, skin["reason"], times)
        if edit is not None:
            return edit
    return None


_PATHS = Paths(read_page, canonical, first_address)


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
    read_list=lister("phpbb", canonical, PROSILVER["login"]),
    wherever=thread_free,
    first_page=first_address,
    check=checker(PROSILVER, MATERIAL),
)
