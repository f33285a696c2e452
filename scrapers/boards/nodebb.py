"""NodeBB 3 and 4: read from the data that every page carries for its own script, by selectors without it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit, Post
from referee.ports.boards import Board, Page, Reading, ReadOptions, ThreadPage, ThreadRead
from referee.ports.bot_checks import is_bot_check
from scrapers.boards.addresses import query, split, with_query, without_session
from scrapers.boards.decoding import decode
from scrapers.boards.lists import lister
from scrapers.boards.nodebb_names import in_words, is_untold, names, shown_name
from scrapers.boards.pager import read_pager
from scrapers.boards.pages import (
    UNKNOWN_TIME,
    Found,
    Reader,
    attr,
    classes,
    count_marks,
    first_number,
    found_in,
    html_of,
    inner_html,
    override,
    parse,
    words,
)
from scrapers.boards.skins import checker, thread_free
from scrapers.boards.thread import Paths, read_thread
from scrapers.bodies.body import tidy
from scrapers.bodies.typed_captions import captioned
from scrapers.patterns import Pattern
from scrapers.times.moments import UNKNOWN, Moment, Times, from_attribute, is_older

HARMONY = {
    "post": '[component="post"][data-pid]',
    "body": '[component="post/content"]',
    "signature": '[component="post/signature"]',
    "published": "meta[itemprop=datePublished]",
    "modified": "meta[itemprop=dateModified]",
    "editor": '[component="post/editor"]',
    "title": '[component="topic/title"]',
    "pager": '[component="pagination"], .pagination',
    "page": ".page.active, .active",
    "next": "a[rel=next], .next a",
    "count": '[component="topic/post-count"]',
    "locked": '[component="topic/locked"]',
    "login": 'form#login-form, form[action*="/login"] input[name=password]',
}
#: Where the data begin. From 4.14.9 on they are the value of a variable.
_DATA = Pattern(r'<script[^>]{0,80}id="ajaxify-data"[^>]{0,80}>\s{0,99}(?:[\w.]{1,60}\s{0,9}=\s{0,9})?')
_TOPIC = Pattern(r"/topic/(\d{1,12})(/[^/?#]{1,250})?(?:/(\d{1,9}))?/?$")
_TOPIC_ID = Pattern(r"/topic/(\d{1,12})")
#: An add-on gives the text of a spoiler only to those who click. (The first part is soon looked for in a text.)
_EMPTY_SPOILER = ('="ns-spoiler-content"', '<div class="ns-spoiler-content"></div>')
_UNSEEN = "a spoiler whose text is not on the page"
#: The order of posts that is asked for, whatever the board or the viewer has chosen.
_OLDEST_FIRST = "oldest_to_newest"


def marks(page: Page) -> int:
    """How surely NodeBB made the page."""
    if "nodebb" in (page.header("x-powered-by") or "").lower():
        return 97
    strong = (b'id="ajaxify-data"', b"/assets/client.css", b"nodebb-plugin-", b'component="post/content"')
    weak = (b'component="', b"data-pid=", b"/topic/")
    return count_marks(page, strong, weak)


def canonical(url: str) -> str:
    """`/topic/T/slug[?page=P]`, or with the position that the address names instead of a page.

    Beside a page a position says only how far a browser was scrolled.
    """
    plain = without_session(url).split("#", 1)[0]
    if not _TOPIC_ID.search(split(plain).path):
        return plain
    number = query(plain).get("page")
    shown = (_thread(plain) or plain) if number else plain
    return with_query(shown, {"page": number if number != "1" else None})


def _first(url: str) -> str | None:
    """The first page of a thread's address. Without a page, members are sent to where they left off."""
    thread = _thread(url)
    return with_query(thread, {"page": "1", "sort": _asked_order(url)}) if thread else None


def _thread(url: str) -> str | None:
    """The address of a thread, without page and position."""
    path = split(url).path
    topic = _TOPIC.search(path)
    return f"{split(url).root}{path[: topic.start()]}/topic/{topic[1]}{topic[2] or ''}" if topic else None


def _asked_order(url: str) -> str | None:
    """The order of posts in an address, where it is that of the thread."""
    return _OLDEST_FIRST if query(url).get("sort") == _OLDEST_FIRST else None


def read_page(page: Page, options: ReadOptions) -> ThreadPage:
    """One page of a thread (boards.md section 21)."""
    data = page_data(page)
    reader = Reader(page, Times())
    if data is None or not isinstance(data.get("posts"), list) or not _TOPIC_ID.search(split(page.url).path):
        return _by_selectors(page, options, reader, data)
    told = lru_cache(maxsize=1)(lambda: names(parse(page).css(HARMONY["post"])))
    base = _base(page, data)
    for post in data["posts"]:
        if isinstance(post, dict) and post.get("pid") is not None:
            reader.add(_post(base, post, told))
    order = str(data.get("sortOption") or data.get("sortOptionLabel") or "").replace("-", "_")
    oldest_first = _OLDEST_FIRST in order if order else _rises(reader.posts)
    return reader.finish(_in_order(_describe(page, data), reader, oldest_first))


def _rises(posts: Sequence[Post]) -> bool:
    """Whether replies that follow each other by their numbers do so by their times too.

    The topic's own post is the first one in every order; a best answer may stand out of its place below it.
    """
    pairs = pairwise(posts[1:])
    neighbours = ((one, other) for one, other in pairs if one.number is None or other.number == one.number + 1)
    return not any(is_older(other, one) for one, other in neighbours)


def _in_order(shown: ThreadPage, reader: Reader, oldest_first: bool) -> ThreadPage:
    """The page, or, where the board or the viewer has chosen another order, no page of the thread.

    Places are counted in the order that is shown then, so they are no numbers of posts.
    """
    if oldest_first:
        return shown
    reader.posts.sort(key=lambda post: post.at or UNKNOWN_TIME)
    reader.posts[:] = [replace(post, number=None) for post in reader.posts]
    said = "the posts stand in another order than that in which they were written"
    url = with_query(shown.url or reader.page.url, {"page": "1", "sort": _OLDEST_FIRST})
    return replace(shown, url=url, page_number=0, problems=(*shown.problems, said))


def page_data(page: Page) -> dict[str, Any] | None:
    """The JSON that the page carries, or that the page is (`/api/topic/T`); None without any."""
    text = decode(page)
    found = _DATA.search(text)
    start = found.end() if found else len(text) - len(text.lstrip())
    if text[start : start + 1] != "{":
        return None
    try:
        data, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    if isinstance(data, dict) and isinstance(data.get("response"), dict):
        data = data["response"]
    return data if isinstance(data, dict) else None


def _base(page: Page, data: dict[str, Any]) -> str:
    """The address of the board."""
    relative = data.get("relative_path")
    return split(page.url).root + (relative if isinstance(relative, str) else "")


def _describe(page: Page, data: dict[str, Any]) -> ThreadPage:
    """What the page says about the thread."""
    found = data.get("pagination")
    pages: dict[str, Any] = found if isinstance(found, dict) else {}
    number, count = _number(pages.get("currentPage")) or 1, _number(pages.get("pageCount")) or 1
    slug = data.get("slug") if isinstance(data.get("slug"), str) else str(data.get("tid"))
    base = f"{_base(page, data)}/topic/{slug}"
    # Asked for by a position in the thread, the posts around it come: a window, not one of the pages.
    window = _by_position(page.url)
    order = _asked_order(page.url)
    urls = tuple(with_query(base, {"page": str(n), "sort": order}) for n in range(1, min(count, 2000) + 1))
    return ThreadPage(
        kind="thread",
        thread_id=str(data.get("tid")) if data.get("tid") is not None else None,
        url=canonical(page.url if window else with_query(base, {"page": str(number)})),
        title=_plain(str(data.get("titleRaw") or data.get("title") or "")) or None,
        engine="nodebb",
        next_url=with_query(base, {"page": str(number + 1), "sort": order}) if number < count else None,
        page_urls=urls,
        page_number=None if window else number,
        page_count=count,
        posts_stated=_number(data.get("postcount")),
        locked=bool(data["locked"]) if "locked" in data else None,
    )


def _by_position(url: str) -> bool:
    """Whether an address names a position in the thread and no page."""
    topic = _TOPIC.search(split(url).path)
    return topic is not None and topic[3] is not None and "page" not in query(url)


def _number(value: object) -> int | None:
    """A whole number of the data, None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isdigit() and len(value) < 16 else None


def _post(base: str, post: dict[str, Any], told: Callable[[], dict[str, str]]) -> Found:
    """One post of the page's data. `told`: names in the page's words, where the data have none.

    A post's own `uid` outlives its author's account, and posts from other servers have addresses for numbers.
    """
    user = post["user"] if isinstance(post.get("user"), dict) else {}
    signature = user.get("signature")
    uid = _name(post.get("uid"))
    shown = user.get("username") if uid else None
    author = _plain(str(shown or post.get("handle") or user.get("displayname") or user.get("username") or ""))
    if is_untold(author):
        author = told().get(str(post["pid"])) or in_words(author)
    gone = uid is not None and user.get("uid") == 0
    number = _number(post.get("index"))
    content = str(post.get("content") or "")
    return Found(
        id=str(post["pid"]),
        author=f"{author} ({uid})" if gone else author,
        html=captioned(tidy(content)),
        moment=_moment(post.get("timestamp"), post.get("timestampISO")),
        edited=_edited(post),
        number=number + 1 if number is not None else None,
        author_id=None if gone else uid,
        permalink=_permalink(base, post["pid"]),
        signature=tidy(signature) if isinstance(signature, str) and signature else None,
        deleted=bool(post.get("deleted")),
        lost=_UNSEEN if _EMPTY_SPOILER[0] in content and _EMPTY_SPOILER[1] in content else None,
    )


def _permalink(base: str, number: object) -> str:
    """The address of a post; the number of one from another server is an address."""
    return f"{base}/post/{number if isinstance(number, int) else quote(str(number), safe='', errors='replace')}"


def _name(value: object) -> str | None:
    """The number or address of a member or post; None for that of guests, which is 0."""
    if type(value) is int:
        return str(value) if value else None
    return value if isinstance(value, str) and value not in ("", "0") else None


def _moment(stamp: object, iso: object) -> Moment:
    """A moment of the page's data (milliseconds, or ISO)."""
    number = _number(stamp)
    moment = from_attribute(str(number)) if number else None
    return moment or (from_attribute(iso) if isinstance(iso, str) else None) or UNKNOWN


def _plain(text: str) -> str:
    """Text of the page's data without its escapes (those of HTML, which are many: their table is loaded only here)."""
    if "&" not in text:
        return text
    from html import unescape

    return unescape(text)


def _edited(post: dict[str, Any]) -> Edit | None:
    """When and by whom a post was edited; 0 means never."""
    stamp = _number(post.get("edited"))
    if not stamp:
        return None
    editor = post["editor"] if isinstance(post.get("editor"), dict) else {}
    at = datetime.fromtimestamp(stamp // 1000, UTC) if stamp < 10**14 else None
    name = editor.get("username")
    return Edit(at=at, by=_plain(str(name)) if name else None)


def _by_selectors(page: Page, options: ReadOptions, reader: Reader, data: dict[str, Any] | None) -> ThreadPage:
    """A page without data: its elements, or what it is instead."""
    tree = parse(page)
    skin = override(HARMONY, options)
    topic = found_in(_TOPIC_ID, split(page.url).path)
    if topic:
        posts = tree.css(skin["post"])
        slugs = {attr(node, "data-userslug"): attr(node, "data-username") for node in posts}
        for node in posts:
            reader.add(_element(page, node, skin, slugs))
    if not reader.posts:
        return ThreadPage(kind=_kind(page, tree, skin, data), engine="nodebb", url=canonical(page.url))
    pager = read_pager(tree, page.url, (skin["pager"], skin["page"], skin["next"]), lambda u: bool(_TOPIC_ID.search(u)))
    number = pager.number or _number(query(page.url).get("page")) or (None if _by_position(page.url) else 1)
    lock = tree.css_first(skin["locked"])
    stated = first_number(attr(tree.css_first(skin["count"]), "title"))
    # Scrolled down in a browser, the first page holds those behind it too.
    whole = stated is not None and len(reader.posts) >= stated
    again = _number(query(pager.next_url or "").get("page")) == (number or 1)  # the last page's next link
    shown = ThreadPage(
        kind="thread",
        thread_id=topic,
        url=canonical(with_query(page.url, {"page": str(number)}) if number else page.url),
        title=words(tree.css_first(skin["title"])) or None,
        engine="nodebb",
        next_url=None if whole or again else pager.next_url,
        page_urls=() if whole else pager.urls,
        page_number=1 if whole else number,
        page_count=1 if whole else pager.last or 1,
        posts_stated=stated,
        locked="hidden" not in classes(lock) if lock is not None else None,
    )
    return reader.finish(_in_order(shown, reader, _rises(reader.posts)))


def _kind(page: Page, tree: LexborHTMLParser, skin: dict[str, str], data: dict[str, Any] | None) -> str:
    """What a page without posts is: the data names its template, a redirect its goal."""
    template = data.get("template") if data else None
    name = template.get("name") if isinstance(template, dict) else None
    if is_bot_check(page.headers, page.body):
        return "challenge"
    if page.status in (404, 410) or name == "404":
        return "missing"
    if page.status >= 500 or name in ("500", "503"):
        return "down"
    goal = page.header("location") or ""
    if page.status in (401, 403) or name in ("login", "403") or "/login" in goal or tree.css_first(skin["login"]):
        return "login"
    return "unknown"


def _element(page: Page, node: LexborNode, skin: dict[str, str], slugs: dict[str, str]) -> Found:
    """One post of the page's elements. `slugs`: names of authors by how addresses write them."""
    number = attr(node, "data-pid")
    author, uid = shown_name(node), _name(attr(node, "data-uid"))
    # The link of the name still is the account's: without one, it is gone.
    gone = bool(uid) and attr(node.css_first("a[data-uid]"), "data-uid") == "0"
    published = attr(node, "data-timestamp") or attr(node.css_first(skin["published"]), "content")
    modified = from_attribute(attr(node.css_first(skin["modified"]), "content"))
    index = attr(node, "data-index")
    path = split(page.url).path
    return Found(
        id=number,
        author=f"{author} ({uid})" if gone else author,
        html=captioned(inner_html(node.css_first(skin["body"]))),
        moment=from_attribute(published) or UNKNOWN,
        edited=Edit(at=modified.at, by=_editor(node, skin, slugs)) if modified else None,
        number=int(index) + 1 if index.isdigit() else None,
        author_id=None if gone else uid,
        permalink=_permalink(split(page.url).root + path[: path.index("/topic/")], number),
        signature=html_of(node.css_first(skin["signature"])),
        deleted="deleted" in classes(node),
    )


def _editor(node: LexborNode, skin: dict[str, str], slugs: dict[str, str]) -> str | None:
    """Who edited a post: most themes name the editor only in a sentence and as addresses do."""
    editor = node.css_first(skin["editor"])
    link = editor.css_first("a") if editor is not None else None
    slug = attr(editor, "data-editor")
    return words(link) or slugs.get(slug) or slug or None


_PATHS = Paths(read_page, canonical, _first, accept="text/html")


def thread(url: str, first: Page | None, options: ReadOptions) -> Reading:
    """All pages of a thread; once more, in the order asked for, where another one shows only between pages."""
    read: ThreadRead = yield from read_thread(_PATHS, url, first, options)
    if read.kind == "thread" and not read.down and not _rises(read.posts):
        read = yield from read_thread(_PATHS, with_query(read.url, {"sort": _OLDEST_FIRST}), None, options)
    return read


BOARD = Board(
    name="nodebb",
    seen="NodeBB: header X-Powered-By NodeBB, a script with id ajaxify-data",
    marks=marks,
    read_page=read_page,
    canonical=canonical,
    thread=thread,
    # Up to 2 the links of a list name the place at which the reader goes on.
    read_list=lister("nodebb", lambda url: _thread(url) or canonical(url), HARMONY["login"]),
    wherever=thread_free,
    first_page=_first,
    check=checker(HARMONY),
)
