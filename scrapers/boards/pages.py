"""What all board readers share: a page's text and tree, what a page is instead of a thread, posts.

A page is told apart by its structure, never by words: words stand in posts too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit, Post, Revision
from referee.model.text import Block
from referee.ports.boards import Page, ReadOptions, ThreadPage
from scrapers.boards.addresses import split, without_session
from scrapers.boards.body import read_html
from scrapers.boards.clock import UNKNOWN, Clock, Moment
from scrapers.boards.quotes import first_line_author

_CHARSET = re.compile(rb"""charset=["']?\s*([A-Za-z0-9_.:-]{2,40})""", re.IGNORECASE)
_OWN_NUMBER = re.compile(r' id="[^"]{0,60}"')
_FIRST_NUMBER = re.compile(r"\d[\d.,\u00a0\u202f']*")
_CHALLENGE = (
    b"/cdn-cgi/challenge-platform/",
    b"cf-browser-verification",
    b'id="challenge-form"',
    b"_cf_chl_opt",
    b"/.well-known/ddos-guard/",
    b"check.ddos-guard.net",
    b"_Incapsula_Resource",
    b"sucuri_cloudproxy_js",
    b"/.within.website/x/cmd/anubis/",
    b"geo.captcha-delivery.com",
)


def charset(page: Page) -> str:
    """The encoding that header or page name. Pages that say ISO-8859-1 carry Windows-1252 (as browsers read them)."""
    named = _CHARSET.search((page.header("content-type") or "").encode("utf-8", "replace"))
    named = named or _CHARSET.search(page.body[:2048])
    name = named[1].decode("ascii").lower() if named else "utf-8"
    return "cp1252" if name in ("iso-8859-1", "latin1", "latin-1", "us-ascii", "iso_8859-1") else name


def decode(page: Page) -> str:
    """The page's text; what is no text in its encoding is replaced."""
    name = charset(page)
    try:
        text = page.body.decode(name, "replace")
    except LookupError:
        text = page.body.decode("utf-8", "replace")
    return text.replace("\0", "\ufffd") if "\0" in text else text


def parse(page: Page) -> LexborHTMLParser:
    """The page as a tree. The tree builder reads UTF-8 itself."""
    if charset(page) in ("utf-8", "utf8") and b"\0" not in page.body:
        return LexborHTMLParser(page.body)
    return LexborHTMLParser(decode(page))


def words(node: LexborNode | None) -> str:
    """The text of a node on one line, empty for None."""
    return " ".join(node.text().split()) if node is not None else ""


def attr(node: LexborNode | None, name: str) -> str:
    """An attribute of a node, empty where there is none."""
    return (node.attributes.get(name) or "") if node is not None else ""


def classes(node: LexborNode) -> list[str]:
    """The classes of a node."""
    return attr(node, "class").split()


def first_number(text: str) -> int | None:
    """The first whole number in a text (thousands may be set apart), None without one."""
    match = _FIRST_NUMBER.search(text)
    if not match:
        return None
    digits = re.sub(r"\D", "", match.group())
    return int(digits) if len(digits) <= 12 else None


def found_in(pattern: re.Pattern[str], *texts: str | None) -> str | None:
    """The first group of a pattern in the first text that has it."""
    for text in texts:
        match = pattern.search(text) if text else None
        if match:
            return match[1]
    return None


def count_marks(page: Page, strong: Iterable[bytes], weak: Iterable[bytes]) -> int:
    """0 to 100 by byte marks of a page: 90 for one strong one, 97 for more, 25 for each weak one up to 60."""
    body = page.body
    hits = sum(mark in body for mark in strong)
    if hits:
        return 90 if hits == 1 else 97
    return min(60, 25 * sum(mark in body for mark in weak))


def refusal(page: Page, tree: LexborHTMLParser, login: str) -> str | None:
    """What a page without posts is: challenge, login or missing; None where its structure does not say.

    `login`: selector of the engine's own login form as it stands in place of the content.
    """
    if is_challenge(page):
        return "challenge"
    if page.status in (404, 410):
        return "missing"
    if page.status == 401 or tree.css_first(login) is not None:
        return "login"
    if 300 <= page.status < 400 and re.search(r"login|log-in|signin", page.header("location") or "", re.IGNORECASE):
        return "login"
    return None


def is_challenge(page: Page) -> bool:
    """Whether a bot check answered instead of the board."""
    if (page.header("cf-mitigated") or "").lower() == "challenge":
        return True
    return any(mark in page.body for mark in _CHALLENGE)


#: When a post was found gone, on a page of which not even the time of the answer is known.
UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Found:
    """What a board's reader found of one post, before its body is read. `html`: body as the tree writes it."""

    id: str
    author: str
    html: str | None
    moment: Moment = UNKNOWN
    edited: Edit | None = None
    number: int | None = None
    author_id: str | None = None
    permalink: str | None = None
    signature: str | None = None
    deleted: bool = False
    extra: tuple[str, ...] = ()


class Reader:
    """Collects the posts of one page and the lines for the operator."""

    def __init__(self, page: Page, options: ReadOptions, clock: Clock) -> None:
        """Begin a page."""
        self.page = page
        self.options = options
        self.clock = clock
        self.posts: list[Post] = []
        self.problems: list[str] = []
        self._seen: set[str] = set()
        self._bodiless = 0
        self._signatures: dict[str, tuple[Block, ...]] = {}
        self._host = split(page.url).host

    def add(self, found: Found) -> None:
        """Read a post's body and keep the post, once per id."""
        if found.id in self._seen:
            return
        self._seen.add(found.id)
        if not found.author:
            self.problems.append(f"post {found.id}: no author found")
        if found.moment.at is None and not found.deleted:
            self.problems.append(f"post {found.id}: time not read")
        blocks = () if found.deleted else self._blocks(found)
        self.posts.append(
            Post(
                id=found.id,
                author=found.author,
                revisions=(Revision(blocks, self.page.fetched_at),),
                at=found.moment.at,
                precision=found.moment.precision,
                origin=found.moment.origin,
                edited=found.edited,
                deleted=(self.page.fetched_at or found.moment.at or UNKNOWN_TIME) if found.deleted else None,
                number=found.number,
                author_id=found.author_id,
                permalink=found.permalink,
            )
        )

    def _blocks(self, found: Found) -> tuple[Block, ...]:
        """The blocks of body, signature and attachments."""
        if found.html is None:
            self.problems.append(f"post {found.id}: no body found")
            self._bodiless += 1
            return ()
        body = read_html(found.html)
        self.problems.extend(f"post {found.id}: {line}" for line in body.problems)
        blocks = [self._named(block) for block in body.blocks]
        for html in found.extra:
            blocks.extend(_as_kind(read_html(html).blocks, "attachment"))
        if found.signature:
            blocks.extend(self._signature(found.signature))
        return tuple(self._own_links(block) for block in blocks)

    def _signature(self, html: str) -> tuple[Block, ...]:
        """The blocks of a signature; one member's is the same below every post."""
        key = _OWN_NUMBER.sub("", html)
        if key not in self._signatures:
            self._signatures[key] = tuple(_as_kind(read_html(html).blocks, "signature"))
        return self._signatures[key]

    def _named(self, block: Block) -> Block:
        """A quote without author whose first line names one (typed `X wrote:`)."""
        if block.kind == "quote" and not block.author:
            author = first_line_author(block.text)
            return replace(block, author=author) if author else block
        return block

    def _own_links(self, block: Block) -> Block:
        """Links to the board itself without session ids."""
        for mark in block.marks:
            if mark.url and "=" in mark.url and self._host in mark.url:
                break
        else:
            return block
        marks = tuple(
            replace(m, url=without_session(m.url)) if m.url and split(m.url).host == self._host else m
            for m in block.marks
        )
        return replace(block, marks=marks)

    def finish(self, thread_page: ThreadPage) -> ThreadPage:
        """The page with its posts and problems; a page that should hold posts and does not is `empty`."""
        problems = (*thread_page.problems, *self.problems, *self.clock.problems)
        if not self.posts and thread_page.kind == "thread":
            problems = (*problems, "a thread page without any post")
            return replace(thread_page, kind="empty", problems=problems)
        standing = sum(post.deleted is None for post in self.posts)
        if standing and self._bodiless == standing:
            # Posts without any text would look like a thread in which nobody claims anything.
            problems = (f"unknown skin: {standing} posts, but no body in any", *problems)
            return replace(thread_page, kind="unknown", problems=problems)
        return replace(thread_page, posts=tuple(self.posts), problems=problems)


def _as_kind(blocks: Iterable[Block], kind: str) -> Iterable[Block]:
    """Blocks of a part of the page that is wholly of one kind."""
    return (replace(block, kind=kind) for block in blocks)


def override(skin: Mapping[str, str], options: ReadOptions) -> dict[str, str]:
    """An engine's selectors with the operator's own over them (same keys)."""
    return {**skin, **{key: value for key, value in options.selectors.items() if key in skin and value}}


def html_of(node: LexborNode | None) -> str | None:
    """A node as well-formed HTML, None for None."""
    return (node.html or "") if node is not None else None


def without(node: LexborNode, selector: str) -> None:
    """Take parts out of a node."""
    for part in node.css(selector):
        part.decompose()


Reading = Callable[[Page, ReadOptions], ThreadPage]
