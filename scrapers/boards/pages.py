"""What all board readers share: a page's text and tree, what a page is instead of a thread, posts.

A page is told apart by its structure, never by words: words stand in posts too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit, Post, Revision
from referee.model.text import Block
from referee.ports.boards import Page, ReadOptions, ThreadPage
from referee.ports.bot_checks import is_bot_check
from scrapers.boards.addresses import split, without_session
from scrapers.boards.decoding import charset, decode
from scrapers.bodies.body import read_html
from scrapers.bodies.nesting import shallow
from scrapers.bodies.quotes import by_known_name, by_slug, first_line_author
from scrapers.bodies.rollers import COMMENTED, commented, framed
from scrapers.patterns import Pattern
from scrapers.times.moments import UNKNOWN, Moment, Times, is_older

#: Pages with more tags than this are looked at for towers of elements before they are parsed.
MANY_TAGS = 30_000
#: More posts than this are not looked at again where a page shows them twice: each is looked for among all.
MOST_REPEATED = 200
#: Signatures that are longer are read below each post: what is kept must not grow with what a page holds.
LONGEST_KEPT = 4_000

#: How a line begins that says that a page's templates are not known: what was read of it may not be all.
UNKNOWN_SKIN = "unknown skin"
#: The title of the block that stands for what a page does not show of a post (`referee.engine.timeline.LOST`).
LOST = "lost"
CONTESTED = "stands there several times, with different authors"

_OWN_NUMBER = Pattern(r' id="[^"]{0,60}"')
_FIRST_NUMBER = Pattern(r"\d[\d.,\u00a0\u202f']*")
_NO_DIGIT = Pattern(r"\D")
_LOGIN = Pattern(r"(?i)login|log-in|signin")


def parse(page: Page) -> LexborHTMLParser:
    """The page as a tree. The tree builder reads UTF-8 itself."""
    body = page.body
    if COMMENTED in body:
        return LexborHTMLParser(shallow(commented(decode(page))))
    # A tag has three characters: a short page is not counted through.
    few = len(body) < 3 * MANY_TAGS or body.count(b"<") < MANY_TAGS
    if few and charset(page) in ("utf-8", "utf8") and b"\0" not in body:
        try:
            body.decode("utf-8")
        except UnicodeDecodeError:
            return LexborHTMLParser(decode(page))
        return LexborHTMLParser(body)
    return LexborHTMLParser(shallow(decode(page)))


def words(node: LexborNode | None) -> str:
    """The text of a node on one line, empty for None."""
    return " ".join(node.text_lexbor().split()) if node is not None else ""


def named(node: LexborNode | LexborHTMLParser, selector: str) -> tuple[LexborNode | None, str]:
    """The first element in a node that matches and has words in it, with its words; without one, None and nothing."""
    found = node.css_first(selector)
    if found is None:
        return None, ""
    text = words(found)
    if text:
        return found, text
    return next(((other, text) for other in node.css(selector) if (text := words(other))), (None, ""))


def each(tree: LexborHTMLParser, selector: str) -> Iterator[LexborNode]:
    """All matching elements; the first one, mostly the only one that is wanted, without a look at the whole page."""
    first = tree.css_first(selector)
    if first is not None:
        yield first
        yield from tree.css(selector)[1:]


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
    digits = _NO_DIGIT.sub("", match.group())
    return int(digits) if len(digits) <= 12 else None


def number_of(text: str, longest: int = 9) -> int | None:
    """The number that all digits of a text make (`#1,024`), None without any or with more than `longest`."""
    digits = text if text.isdecimal() else _NO_DIGIT.sub("", text)
    return int(digits) if digits and len(digits) <= longest else None


def found_in(pattern: Pattern[str], *texts: str | None) -> str | None:
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


def version_in(page: Page, name: bytes, pattern: Pattern[bytes], footer: bytes) -> str | None:
    """The engine's version by a pattern that begins with its name, where the page says it last.

    Boards say it in their footer (begun by an attribute, which no member can write); in a post anybody may
    speak of any version. The names are found first, for bytes are many.
    """
    begin = max(page.body.rfind(footer), 0)
    place = page.body.rfind(name)
    while place >= begin:
        match = pattern.match(page.body, place)
        if match:
            return match[1].decode()
        place = page.body.rfind(name, 0, place)
    return None


def refusal(page: Page, tree: LexborHTMLParser, login: str) -> str | None:
    """What a page without posts is: challenge, down, login or missing; None where its structure does not say.

    `login`: selector of the engine's own login form as it stands in place of the content.
    """
    if is_bot_check(page.headers, page.body):
        return "challenge"
    if page.status >= 500:
        return "down"
    if page.status in (404, 410):
        return "missing"
    if page.status == 401 or tree.css_first(login) is not None:
        return "login"
    if 300 <= page.status < 400 and _LOGIN.search(page.header("location") or ""):
        return "login"
    return None


#: When a post was found gone, on a page of which not even the time of the answer is known.
UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)


class Found(NamedTuple):
    """What a board's reader found of one post, before its body is read.

    `html`: what is in the body, as the tree writes it. `lost`: what of the post the page does not (or may not) show.
    A tuple, as every post makes one: a frozen data class takes three times as long to fill.
    """

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
    lost: str | None = None


class Reader:
    """Collects the posts of one page and the lines for the operator."""

    def __init__(self, page: Page, times: Times, engine: str | None = None) -> None:
        """Begin a page. `engine`: the board's kind, where it has rollers of its own."""
        self.page = page
        self._engine = engine
        self.times = times
        self.posts: list[Post] = []
        self.problems: list[str] = []
        self._seen: set[str] = set()
        self._repeated = 0
        self.contested: set[str] = set()
        self._bodiless: set[str] = set()
        self._captions = False
        self._host = split(page.url).host

    def add(self, found: Found) -> None:
        """Read a post's body and keep the post, once per id."""
        if found.id in self._seen:
            self._repeated += 1
            if self._repeated > MOST_REPEATED or not self._makes_way(found):
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

    def _makes_way(self, found: Found) -> bool:
        """Whether the post that was read under this id is dropped: it stood in a box, out of its place.

        Boxes (best answers) may show parts of a post only. Of a post with two authors nobody knows whose it is.
        """
        place = next(place for place, post in enumerate(self.posts) if post.id == found.id)
        post, following = self.posts[place], self.posts[place + 1 : place + 2]
        if found.author and (post.author not in ("", found.author) or found.id in self.contested):
            if found.id not in self.contested:
                self.contested.add(found.id)
                self.problems.append(f"post {found.id}: {CONTESTED}")
                self.posts[place] = replace(post, author="", author_id=None)
            return False
        less = (not post.author and found.author) or (post.at is None and found.moment.at is not None)
        if not less and not (following and is_older(following[0], post)):
            return False
        del self.posts[place]
        self._bodiless.discard(found.id)
        self.problems = [line for line in self.problems if not line.startswith(f"post {found.id}:")]
        return True

    def _blocks(self, found: Found) -> tuple[Block, ...]:
        """The blocks of body, signature and attachments."""
        if found.html is None:
            self.problems.append(f"post {found.id}: no body found")
            self._bodiless.add(found.id)
            return ()
        body = read_html(framed(found.html, self._engine))
        self.problems.extend(f"post {found.id}: {line}" for line in body.problems)
        blocks = [self._quote(block) if block.kind == "quote" else block for block in body.blocks]
        for html in found.extra:
            blocks.extend(_as_kind(read_html(html).blocks, "attachment"))
        if found.lost:
            self.problems.append(f"post {found.id}: {found.lost}")
            blocks.append(Block("attachment", found.lost, title=LOST))
        if found.signature:
            blocks.extend(_signature(found.signature))
        return tuple([self._own_links(block) if block.marks else block for block in blocks])

    def _quote(self, block: Block) -> Block:
        """A quote; one without author takes the name on its first line (typed `X wrote:`)."""
        if block.author:
            self._captions = self._captions or block.author[:1] == "@" or block.author.endswith(":")
            return block
        author = first_line_author(block.text)
        return replace(block, author=author) if author else block

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
        problems = (*thread_page.problems, *self.problems, *self.times.problems)
        if not self.posts and thread_page.kind == "thread":
            problems = (*problems, "a thread page without any post")
            return replace(thread_page, kind="empty", problems=problems)
        standing = sum(post.deleted is None for post in self.posts)
        if standing and len(self._bodiless) == standing:
            # Posts without any text would look like a thread in which nobody claims anything.
            problems = (f"{UNKNOWN_SKIN}: {standing} posts, but no body in any", *problems)
            return replace(thread_page, kind="unknown", problems=problems)
        posts = self._with_names() if self._captions else self.posts
        return replace(thread_page, posts=tuple(posts), problems=problems, zoneless=self.times.zoneless)

    def _with_names(self) -> Iterator[Post]:
        """The posts; captions of quotes in unknown words by the names on the page."""
        names = {post.author for post in self.posts}
        for post in self.posts:
            blocks = tuple(
                replace(block, author=by_slug(by_known_name(block.author, names), names)) if block.author else block
                for block in post.blocks
            )
            yield replace(post, revisions=(replace(post.revisions[-1], blocks=blocks),))


def _signature(html: str) -> tuple[Block, ...]:
    """The blocks of a signature; one member's is the same below every post of every page."""
    if ' id="' in html:
        html = _OWN_NUMBER.sub("", html)
    return _known_signature(html) if len(html) <= LONGEST_KEPT else _read_signature(html)


def _read_signature(html: str) -> tuple[Block, ...]:
    """The blocks of a signature."""
    return tuple(_as_kind(read_html(html).blocks, "signature"))


_known_signature = lru_cache(maxsize=256)(_read_signature)


def _as_kind(blocks: Iterable[Block], kind: str) -> Iterable[Block]:
    """Blocks of a part of the page that is wholly of one kind."""
    return (replace(block, kind=kind) for block in blocks)


def override(skin: Mapping[str, str], options: ReadOptions) -> dict[str, str]:
    """An engine's selectors with the operator's own over them (same keys)."""
    return {**skin, **{key: value for key, value in options.selectors.items() if key in skin and value}}


def html_of(node: LexborNode | None) -> str | None:
    """A node as well-formed HTML, None for None."""
    return (node.html or "") if node is not None else None


def inner_html(node: LexborNode | None) -> str | None:
    """What is in a node, as well-formed HTML; None for None."""
    return (node.inner_html or "") if node is not None else None


def inside(node: LexborNode, outer: LexborNode) -> bool:
    """Whether a node lies in another one."""
    parent = node.parent
    while parent is not None and parent.mem_id != outer.mem_id:
        parent = parent.parent
    return parent is not None


def without(node: LexborNode, selector: str) -> None:
    """Take parts out of a node."""
    for part in node.css(selector):
        part.decompose()


Reading = Callable[[Page, ReadOptions], ThreadPage]
