"""Any other forum software, by selectors that the operator gives (boards.md sections 16, 17 and 24).

Nothing is guessed here that could put other people's words into somebody's mouth: where posts, authors, times,
bodies, quotes and the pager stand must all be said, or the configuration is refused. Machine times and the ids of
elements and links are found in whatever attribute the software has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit
from referee.ports.boards import Board, ListPage, Page, Reading, ReadOptions, ThreadPage
from scrapers.boards.addresses import absolute
from scrapers.boards.custom_address import THREAD_NUMBER, canonical, thread_number, without_leaves
from scrapers.boards.custom_pager import Place, outside
from scrapers.boards.custom_signature import cut, is_line
from scrapers.boards.custom_thread import Walk, oldest_first
from scrapers.boards.lists import Skin, read_list
from scrapers.boards.more import within
from scrapers.boards.pages import (
    UNKNOWN_SKIN,
    Found,
    Reader,
    attr,
    found_in,
    html_of,
    inner_html,
    inside,
    number_of,
    parse,
    refusal,
    without,
    words,
)
from scrapers.boards.rare import all_of, first_of
from scrapers.boards.skins import checker
from scrapers.boards.thread import Paths, read_thread
from scrapers.bodies.elements import WIDGETS
from scrapers.patterns import Pattern
from scrapers.times.moments import UNKNOWN, Moment, Times, from_attribute

if TYPE_CHECKING:
    from scrapers.times.clock import Clock

#: What must be said of every board, with what it selects.
REQUIRED = {
    "post": "each whole post",
    "author": "the author's name in a post",
    "date": "a post's date in it",
    "body": "a post's text in it",
    "quote": "quotes in a text",
    "pager": "the element around the links to the thread's other pages",
}
#: What may be said, with what holds where it is not.
OPTIONAL = {
    "id": "",
    "number": "",
    "edit": "",
    "signature": "",
    "caption": "",
    "spoiler": "",
    "code": "",
    "ooc": "",
    "roll": "",
    "drop": "",
    "title": "h1",
    "page": "[aria-current], strong, b, em, .current, .active",
    "next": "a[rel=next], .next a, a.next",
    "first": "",
    "login": "input[type=password]",
    "topic": "",
    "topic_next": "a[rel=next], link[rel=next], .next a, a.next",
}
#: The class by which `elements` knows what the operator's selector names in a text.
_MARKS = {
    "quote": "bbc_quote",
    "caption": "quotetitle",
    "spoiler": "bbc_spoiler",
    "code": "codecontent",
    "ooc": "ooc",
    "roll": "dicebox",
}
#: What looks like a roll of the board, but may be typed: some boards let members write HTML.
_ROLLS = ", ".join([*(f".{name}" for name in WIDGETS), "[data-dice]"])
_TIMES = ("datetime", "data-time", "data-timestamp", "data-utime", "title")
_TIMED = ", ".join(f"[{name}]" for name in _TIMES)
_CITED = ("data-author", "author", "data-username", "data-ipsquote-username")
_IDS = ("id", "name", "data-id", "data-post-id", "data-pid", "data-post")
_LAST_NUMBER = Pattern(r"(\d{1,18})\D*\Z")
_IN_LINK = Pattern(r"(?:#[^#\d]{0,20}|[?&;/](?:p|pid|post|posts)[=/-])(\d{1,18})(?!\d)")
#: An id whose last figures are a part of it.
_MIXED = Pattern(r"(?i)(?<![0-9a-z])(?:[0-9a-f]{8}-[0-9a-f]{4}-|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,64}(?![0-9a-z]))")


def read_page(page: Page, options: ReadOptions) -> ThreadPage:
    """One page of a thread, by the operator's selectors."""
    skin = {**OPTIONAL, **options.selectors}
    tree = parse(page)
    base = _base(page, tree)
    if missing := [key for key in REQUIRED if not skin.get(key)]:
        lines = (f"selectors are missing: {', '.join(missing)}",)
        return ThreadPage(kind="unknown", engine="custom", url=canonical(page.url), problems=lines)
    times = Times(lambda: _clock(page, tree, skin, options))
    reader = Reader(page, times)
    posts = tree.css(skin["post"])
    told: dict[str, tuple[object, ...]] = {}
    everywhere = {node.mem_id for node in posts}
    for node in posts:
        if within(node, everywhere):
            # Where members may write HTML, a post in a post is somebody's forgery.
            _say(reader, "a post inside another one (selectors.post): not read")
            continue
        found = _post(node, base, skin, reader)
        if found is not None:
            same = found.author, found.moment.at, found.html
            if told.setdefault(found.id, same) != same:
                _say(reader, "several posts with one number (selectors.id): one of them is read")
            reader.add(found)
    kinds = {block.kind for post in reader.posts for block in post.blocks}
    if len(reader.posts) > 1 and kinds <= {"quote", "signature"}:
        _say(reader, "no post has words of its own (selectors.quote, selectors.drop ...)")
    return reader.finish(_describe(page, tree, base, skin) if reader.posts else _refused(page, tree, skin))


def _base(page: Page, tree: LexborHTMLParser) -> str:
    """Where a page's links start from: in its head, for members may write one into a post."""
    return absolute(page.url, attr(tree.css_first("head > base[href]"), "href")) or page.url


def _clock(page: Page, tree: LexborHTMLParser, skin: dict[str, str], options: ReadOptions) -> Clock:
    """The page's clock: its dates may show the order of their figures."""
    from scrapers.times.clock import Clock

    return Clock(page, options, evidence=(words(node) for node in tree.css(skin["date"])))


def _post(node: LexborNode, base: str, skin: dict[str, str], reader: Reader) -> Found | None:
    """One post; None, with a line for the operator, where its number or its text is not found."""
    bodies = node.css(skin["body"])
    everywhere = {body.mem_id for body in bodies}
    texts = [body for body in bodies if not within(body, everywhere)]
    body = texts[0] if texts else None
    written = _within_any(texts)
    notice = _notice(node, skin, body, written)
    apart = written | _within_any([*([notice] if notice is not None else []), *all_of(node, skin["signature"])])

    around = {outer.mem_id for text in texts for outer in (text, *outside(text))}

    def part(key: str) -> LexborNode | None:
        return _part(node, skin[key], apart | around)

    bearer = _part(node, skin["id"], apart) if skin["id"] else node
    number, permalink = _number(bearer, reader.page.url, base)
    if number is None:
        _say(reader, "a post without number (selectors.id): not read")
        return None
    if body is None:
        # Kept without its words it would look like an edit that took them out.
        _say(reader, "a post without text (selectors.body): not read")
        return None
    if len(texts) > 1:
        # Each may hold claims.
        _say(reader, f"post {number} has {len(texts)} texts (selectors.body): the first is read")
    author = words(part("author"))
    edited = _edited(notice, author, reader.times)
    if notice is not None and inside(notice, body) and (edited is None or edited.at is None):
        reader.problems.append(f"post {number}: words without a time are no edit notice (selectors.edit): read as text")
        notice = edited = None
    found = Found(
        id=number,
        author=author,
        html=None,
        moment=_moment(part("date"), reader.times),
        edited=edited,
        number=number_of(words(part("number"))),
        permalink=permalink,
        signature=html_of(first_of(node, skin["signature"])),
    )
    # Last of all: what is none of the text goes out of the page.
    html, below = _marked(body, skin, notice)
    return found._replace(html=html, signature=found.signature or below)


def _within_any(nodes: list[LexborNode]) -> set[int]:
    """All that lies in some elements, without them."""
    return {part.mem_id for node in nodes for part in node.css("*") if part.mem_id != node.mem_id}


def _notice(node: LexborNode, skin: dict[str, str], body: LexborNode | None, written: set[int]) -> LexborNode | None:
    """The edit notice of a post: boards write it behind the text; what stands before it there may be typed."""
    around = {outer.mem_id for outer in (body, *outside(body))} if body is not None else set()
    found = [part for part in all_of(node, skin["edit"]) if part.mem_id not in around and words(part)]
    own = next((part for part in found if part.mem_id not in written), None)
    if own is not None or body is None:
        return own
    everywhere = {part.mem_id for part in found}
    last = next((part for part in reversed(found) if not within(part, everywhere)), None)
    return last if last is None or last.mem_id in written else None


def _say(reader: Reader, line: str) -> None:
    """A line for the operator, once a page: the thread then is not whole."""
    line = f"{UNKNOWN_SKIN}: {line}"
    if line not in reader.problems[-10:]:
        reader.problems.append(line)


def _part(node: LexborNode, selector: str, apart: set[int]) -> LexborNode | None:
    """The first element of a post that says something.

    Never one in its text, signature or edit notice (`apart`): those name others, and members may write HTML there.
    """
    found = (part for part in all_of(node, selector) if part.mem_id not in apart)
    return next((part for part in found if words(part) or part.attrs.keys()), None)


def _marked(body: LexborNode, skin: dict[str, str], notice: LexborNode | None) -> tuple[str | None, str | None]:
    """The text's HTML without what is none of it, and with quotes, spoilers ... under classes that are known.

    With the HTML of the signature, where it stands in the text below a line.
    """
    if notice is not None and inside(notice, body):
        notice.decompose()
    for key in ("signature", "drop"):
        if skin[key]:
            without(body, skin[key])
    # All are found first: a selector may rest on a class that goes.
    found = [(part, key) for key in _MARKS for part in all_of(body, skin[key])]
    believed = {part.mem_id for part, key in found if key == "roll"}
    for part in body.css(_ROLLS):
        if part.mem_id not in believed:
            part.attrs["class"], part.attrs["data-dice"] = "unknown-dice-box", ""
    for part, key in found:
        # A span that names its dice is known as it is.
        part.attrs["class"] = "roll" if key == "roll" and attr(part, "data-dice") else _MARKS[key]
        cited = next((value for name in _CITED if (value := attr(part, name))), None)
        if key == "quote" and cited:
            part.attrs["data-author"] = cited
    below = cut(body, skin["signature"], {part.mem_id for part, _ in found}) if is_line(skin["signature"]) else None
    return inner_html(body), below


def _number(place: LexborNode | None, url: str, base: str) -> tuple[str | None, str | None]:
    """A post's number and address, of the element that bears them."""
    if place is None:
        return None, None
    link = absolute(base, attr(place, "href")) if place.tag == "a" else None
    if link is not None:
        # A button's own address (`#`) is that of the page: its number is the thread's.
        elsewhere = canonical(link) != canonical(url)
        number = found_in(_IN_LINK, link) or (found_in(_LAST_NUMBER, link) if elsewhere else None)
        if number is not None:
            return number, link
    for name in _IDS:
        number = found_in(_LAST_NUMBER, attr(place, name))
        if number is not None and not _MIXED.search(attr(place, name)[:200]):
            anchor = f"#{attr(place, name)}" if name in ("id", "name") else ""
            return number, canonical(url) + anchor
    return None, None


def _moment(node: LexborNode | None, times: Times) -> Moment:
    """A date: in an attribute for machines, in a title that names the minute, or in words."""
    if node is None:
        return UNKNOWN
    for part in (node, *node.css(_TIMED)):
        for name in _TIMES:
            moment = from_attribute(attr(part, name))
            if moment is not None:
                return moment
    from scrapers.times.dates import read_date

    for part in (node, *node.css("[title]")):
        written = read_date(attr(part, "title"))
        if written is not None and written.hour is not None:
            return times.read(attr(part, "title"))
    return times.read(words(node))


def _edited(notice: LexborNode | None, author: str, times: Times) -> Edit | None:
    """An edit notice: its time as of a date, its author in words, in a link or in bold."""
    text = words(notice)
    if notice is None or not text:
        return None
    from scrapers.times.notices import bracketed_notice, edit_notice

    by = author if author and f" {author} " in f" {text.replace('(', ' ').replace(',', ' ')} " else None
    if by is None:
        named = (words(part) for part in notice.css("a[href], b, strong") if not part.css_first("time, abbr"))
        by = next((name for name in named if name and name != text), None)
    machine = _moment(notice, Times())
    if machine.at is not None:
        times = Times()  # Its words are not needed, and may name no zone.
    # `Last edited by NAME (DATE)` has no element for the name.
    bracketed = by is None and text[:1] != "("
    edit = bracketed_notice(text, times, tuple) if bracketed else edit_notice(text, times, by)
    return Edit(at=machine.at, by=by, reason=edit.reason if edit else None) if machine.at is not None else edit


def _refused(page: Page, tree: LexborHTMLParser, skin: dict[str, str]) -> ThreadPage:
    """What a page without posts is."""
    if page.status < 300 and tree.css_first(skin["body"]) is not None:
        # A form to log in stands on many pages.
        line = f"{UNKNOWN_SKIN}: texts (selectors.body) are there, but no post that holds one (selectors.post)"
        lines = () if tree.css_first(skin["post"]) is not None else (line,)
        return ThreadPage(kind="unknown", engine="custom", url=canonical(page.url), problems=lines)
    kind = refusal(page, tree, skin["login"]) or "unknown"
    return ThreadPage(kind=kind, engine="custom", url=canonical(page.url))


def _describe(page: Page, tree: LexborHTMLParser, base: str, skin: dict[str, str]) -> ThreadPage:
    """What a page with posts says about the thread. `base`: where its links start from."""
    place = Place(tree, page.url, base, skin, canonical)
    return ThreadPage(
        kind="thread",
        # A post's own address names no thread, but its pager leads to the thread's first page.
        thread_id=thread_number(canonical(page.url)) or thread_number(place.first or ""),
        url=canonical(page.url),
        title=place.title or words(tree.css_first("head > title")) or None,
        engine="custom",
        next_url=place.pager.next_url,
        page_urls=(canonical(place.first),) if place.first else (),
        page_number=place.number,
        page_count=place.last,
        problems=tuple(place.problems()),
        alone=tuple(place.alone()),
    )


def _read_list(page: Page, options: ReadOptions) -> ListPage:
    """One page of a section's list of threads, by `topic` and `topic_next`."""
    skin = {**OPTIONAL, **options.selectors}
    if not skin["topic"]:
        return ListPage("unknown")
    based = replace(page, url=_base(page, parse(page)))
    read = read_list(Skin(skin["topic"], THREAD_NUMBER, skin["topic_next"]), canonical, skin["login"], based, options)
    itself = read.next_url is not None and canonical(read.next_url) == canonical(page.url)
    return replace(
        read, threads=without_leaves(read.threads, canonical(page.url)), next_url=None if itself else read.next_url
    )


def _check(options: ReadOptions) -> Iterator[str]:
    """What is wrong with the selectors, or missing."""
    yield from checker(REQUIRED, OPTIONAL)(options)
    missing = [f"{key} ({what})" for key, what in REQUIRED.items() if not options.selectors.get(key)]
    if missing:
        yield f"selectors: the engine `custom` also needs those of {', '.join(missing)}"


def thread(url: str, first: Page | None, options: ReadOptions) -> Reading:
    """All pages of a thread."""
    read = yield from read_thread(
        Paths(Walk(read_page, canonical).read_page, canonical, lambda url: None), url, first, options
    )
    return oldest_first(read)


BOARD = Board(
    name="custom",
    seen="",
    marks=lambda page: 0,
    read_page=read_page,
    canonical=canonical,
    thread=thread,
    read_list=_read_list,
    check=_check,
)
