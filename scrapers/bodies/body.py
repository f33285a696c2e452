"""A post's body: HTML of any board to typed blocks (notation.md G7, G16, G17).

The tree builder (lexbor) first makes well-formed HTML of whatever a page holds; its own
serialisation is then walked once, tag by tag. So nothing here is recursive and nothing
backtracks, however deep or broken a body is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from referee.model.text import Block
from scrapers.bodies.assemble import Assembler, title_of, whole
from scrapers.bodies.bare import as_address
from scrapers.bodies.elements import look_up, words_of
from scrapers.bodies.layout import GAP, LINE, LINK, LINK_END
from scrapers.bodies.nesting import shallow
from scrapers.bodies.quotes import post_in_links, who
from scrapers.bodies.runs import BREAK, PARAGRAPH, attribute, bare, collapsed, in_lines, unescaped, without_paragraphs
from scrapers.patterns import Pattern

#: Longest body that is read, in characters of HTML; what is over is named in a problem line.
LONGEST_BODY = 4_000_000
#: Formatting that means nothing, and paragraphs and lists: their tags only become a piece of text.
_PLAIN = words_of("b i u em strong font small big sub sup tt ins mark q abbr time")
_LINES = words_of("li ul ol")
_NO_MARKERS = dict.fromkeys(map(ord, (LINE, BREAK, LINK, LINK_END, GAP)), " ")


def _shown_as(names: list[str], text: str) -> dict[str, str]:
    """Start and end tags of elements with the text that they are replaced by."""
    return {tag: text for name in names for tag in (name, "/" + name)}


#: Tags and what they are replaced by. Spans, paragraphs and lists are in the first table only: where the class
#: of one means something, all of them are opened and closed like any other element.
_CAREFUL = _shown_as(_PLAIN, "") | {"br": BREAK, "a": "", "/a": LINK_END}
_SIMPLE = _CAREFUL | _shown_as(["span"], "") | _shown_as(_LINES, LINE) | _shown_as(["p"], PARAGRAPH)
#: Elements whose content is no markup: the first end tag ends them.
_RAW = frozenset(["script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"])
_SMILEY = Pattern(r"smil|emoji|emoticon", re.IGNORECASE)


class Body(NamedTuple):
    """A body as read, and what could not be read of it (lines for the operator)."""

    blocks: tuple[Block, ...]
    problems: tuple[str, ...] = ()


def read_fragment(html: str) -> tuple[Block, ...]:
    """The blocks of an HTML fragment of any quality. Never fails; a body over `LONGEST_BODY` is cut."""
    return read_html(tidy(html)).blocks


def tidy(html: str) -> str:
    """The fragment as well-formed HTML, without its `body` tags."""
    root = LexborHTMLParser(shallow(whole(html[:LONGEST_BODY]))).body
    return (root.inner_html or "") if root is not None else ""


def read_html(html: str) -> Body:
    """The blocks of well-formed HTML, as the tree builder writes it."""
    problems: tuple[str, ...] = ()
    if len(html) > LONGEST_BODY:
        problems = (f"body of {len(html)} characters: only the first {LONGEST_BODY} were read",)
        html = html[:LONGEST_BODY]
    if LINE in html or BREAK in html or LINK in html or LINK_END in html or GAP in html:
        html = html.translate(_NO_MARKERS)
    html = html.strip(" \t\n\r\f")
    try:
        blocks = _Walk(without_paragraphs(html.replace("<br>", BREAK)), _SIMPLE).read()
    except _CarefulError:
        blocks = _Walk(html, _CAREFUL).read()
    return Body(blocks, problems)


class _CarefulError(Exception):
    """A span, paragraph or list has a class that means something, or a tag ends with the next one, as `<b2<br>`.

    Nothing can be replaced at once then: the end of the broken tag would go with it.
    """


def _plain(tag: str, careful: bool) -> str | None:
    """What a simple start tag with attributes is replaced by; None for any other tag.

    `careful`: spans, paragraphs and lists are opened and closed like any other element.
    """
    if tag[:1] == "/":
        return None
    name, what = look_up(tag)
    shown = (_CAREFUL if careful else _SIMPLE).get(name)
    if shown is not None and what not in ("inline", "line") and name not in _CAREFUL:
        raise _CarefulError
    return shown


_known_plain = lru_cache(maxsize=1024)(_plain)


class _Walk:
    """One pass over the tags of a body.

    The tree builder writes every `<` that opens no tag as `&lt;`, and every `>` inside a tag as `&gt;`:
    cut at `<`, each piece is a tag up to the first `>` and the text behind it. Only comments and the
    elements in `_RAW` hold bare `<` and `>`; `_skip` and `_skip_comment` go over those.

    Text, simple tags and links are collected as a run, in which control characters stand for breaks
    and ends of links; only a tag that opens or closes something ends the run.
    """

    __slots__ = (
        "_aside", "_box", "_button", "_caption", "_code", "_links", "_open", "_out", "_pieces", "_pre", "_simple",
        "_waiting",
    )  # fmt: skip

    def __init__(self, html: str, simple: dict[str, str]) -> None:
        self._simple = simple
        self._pieces = iter(html.split("<"))
        self._out = Assembler()
        self._open: list[str | None] = []
        self._pre = 0
        self._code = 0
        self._aside: list[str] | None = None
        self._caption: list[str] | None = None
        self._links: list[str | None] = []
        self._waiting: tuple[str | None, str | None] = (None, None)
        #: Whether the last caption holds something to click on, and the depth of a quote that may be a spoiler.
        self._button = False
        self._box: tuple[int, bool] | None = None

    def read(self) -> tuple[Block, ...]:
        """All blocks of the body."""
        simple, careful = self._simple, self._simple is _CAREFUL
        run = [next(self._pieces)]
        urls: list[str | None] = []
        for piece in self._pieces:
            tag, end, text = piece.partition(">")
            if not end and not careful:
                raise _CarefulError
            shown = simple.get(tag)
            if shown is None:
                if tag.startswith("a "):
                    urls.append(attribute(tag, "href"))
                    shown = LINK
                else:
                    # What is kept must not grow with what a page puts into its tags.
                    shown = _known_plain(tag, careful) if len(tag) < 200 else _plain(tag, careful)
                if shown is None:
                    self._run("".join(run), urls)
                    run, urls = [], []
                    text = self._tag(tag, text)
            if shown:
                run.append(shown)
            if text:
                run.append(text)
        self._run("".join(run), urls)
        return self._out.finish()

    def _run(self, text: str, urls: list[str | None]) -> None:
        """Text, simple tags and links up to a tag that matters."""
        if not text:
            return
        if not self._pre:
            text = collapsed(text, linked=bool(urls))
        if "&" in text:
            text = unescaped(text)
        if self._caption is not None:
            self._caption.append(in_lines(text))
            self._links.extend(urls)
        elif self._aside is not None and not self._code:
            self._aside.append(bare(text))
        elif self._pre:
            self._out.linked(in_lines(text), urls)
        else:
            self._out.flowing(text, urls)

    def _tag(self, tag: str, text: str) -> str:
        """A tag that may matter, given without its brackets; the text that goes on behind it."""
        if tag[:1] == "/":
            todo = self._open.pop() if self._open else None
            if todo == "line":
                self._out.new_line()
            elif todo is not None:
                self._leave(todo)
            return text
        name, what = look_up(tag)
        if what == "line" and self._caption is None:
            if name == "p":
                self._out.new_paragraph()
            else:
                self._out.new_line()
            self._open.append("paragraph" if name == "p" else "line")
            return text
        return self._start(name, what, tag, text)

    def _start(self, name: str, what: str, tag: str, text: str) -> str:
        """A start tag other than that of a plain block; the text that goes on behind it."""
        if tag[:1] in "!?":
            return self._skip_comment(tag, text)
        if self._caption is not None and name in ("input", "button"):
            self._button = True
        if what in ("skip", "preview"):
            return self._skip(name) if what == "skip" else self._preview(name)
        if what == "image":
            self._image(tag)
        elif what == "rule":
            self._out.new_line()
        elif what != "void":
            self._open.append(self._enter(what, tag) if self._caption is None else None)
        return text

    def _preview(self, name: str) -> str:
        """Go over what a linked page says of itself: the address that the board has put it for; the text behind it."""
        urls: list[str | None] = []
        text = self._skip(name, urls)
        address = as_address(urls[0] or "") if urls else None
        self._out.new_line()
        if self._caption is None and address:
            self._out.linked(LINK + address + LINK_END, [address])
            self._out.new_line()
        return text

    def _skip(self, name: str, urls: list[str | None] | None = None) -> str:
        """Go over an element whose content is no text of the post; the text behind its end. `urls`: gets its links."""
        depth = 1
        for piece in self._pieces:
            tag, _, text = piece.partition(">")
            if urls is not None and tag.startswith("a "):
                urls.append(attribute(tag, "href"))
            if tag == "/" + name:
                depth -= 1
                if not depth or name in _RAW:
                    return text
            elif tag.split(" ", 1)[0] == name:
                depth += 1
        return ""

    def _skip_comment(self, tag: str, text: str) -> str:
        """Go over a comment, which may hold anything but its own end, or an instruction; the text behind it."""
        if not tag.startswith("!--") or (tag.endswith("--") and len(tag) > 4):
            return text
        while "-->" not in text:
            following = next(self._pieces, None)
            if following is None:
                return ""
            text = following
        return text.partition("-->")[2]

    def _enter(self, what: str, tag: str) -> str | None:
        """Enter an element; what has to be done at its end."""
        out = self._out
        if what == "inline" or (what == "cite" and out.kind != "quote"):
            return None
        if what == "line":
            out.new_line()
        elif what == "roll":
            out.roll(attribute(tag, "data-dice") or "")
        elif what == "struck":
            out.strike()
        elif what == "label":
            out.label()
        elif what == "cell":
            out.cell()
            return None
        elif what in ("caption", "cite"):
            self._caption, self._links, self._button = [], [], "onclick" in tag
            return "caption"
        elif what == "hidden":
            return self._enter_hidden()
        elif what == "codebox":
            return self._enter_codebox()
        else:
            return self._enter_block(what, tag)
        return what

    def _enter_codebox(self) -> str | None:
        """A box with a caption and code: its caption is dropped once code is found in it."""
        self._out.new_line()
        if self._aside is not None or self._code:
            return None
        self._aside = []
        return "codebox"

    def _enter_hidden(self) -> str:
        """Words that are shown at a click only: a spoiler, whatever its frame looks like."""
        out = self._out
        if self._aside is not None and not self._code:
            title, self._aside = title_of("".join(self._aside)), None
            out.open("spoiler", title=title)
            return "block"
        box, self._box = self._box, None
        if out.in_widget:
            out.new_line()
            return "line"
        if out.kind == "spoiler" or (box is not None and box[0] == out.depth and out.hide(caption=box[1])):
            out.new_line()
            return "line"
        out.open("spoiler")
        return "block"

    def _enter_block(self, what: str, tag: str) -> str:
        """Enter a quote, spoiler, code ...; code inside preformatted text is the same block."""
        out = self._out
        if what in ("pre", "code"):
            self._code += 1
            self._pre += what == "pre"
            if self._code > 1:
                return what
            self._aside = [] if self._aside is not None else None
            out.open("code")
            return what + " block"
        if what == "spoiler body":
            if out.kind == "spoiler":
                out.new_line()
                return "line"
            what = "spoiler"
        if what == "quote":
            author, post = self._waiting
            self._waiting = (None, None)
            post = post or post_in_links([attribute(tag, "cite") or ""])
            out.open("quote", author or attribute(tag, "data-author"), post)
            if tag.startswith("div") and (self._button or not author):
                self._box = (out.depth, not author and "quotebox" in tag)
            self._button = False
        elif what in ("widget", "rolling"):
            out.widget(trusted=what == "widget")
            return "widget"
        else:
            out.open(what, title=attribute(tag, "data-title") if what == "spoiler" else None)
        return "block"

    def _leave(self, todo: str) -> None:
        """An element that matters ends (the tree is well-formed: it is the one opened last)."""
        out = self._out
        if todo == "line":
            out.new_line()
        elif todo == "paragraph":
            out.new_paragraph()
        elif todo == "roll":
            out.end_roll()
        elif todo == "struck":
            out.end_strike()
        elif todo == "label":
            out.end_label()
        elif todo == "caption":
            self._leave_caption()
        elif todo == "codebox":
            self._leave_codebox()
        elif todo == "widget":
            out.end_widget()
        else:
            if todo != "block":
                self._code -= 1
                self._pre -= todo.startswith("pre")
            if todo.endswith("block"):
                out.close()

    def _leave_codebox(self) -> None:
        """The end of a code box; where no code element was in it, all of it was code."""
        words = "".join(self._aside or ())
        self._aside = None
        if words.strip() and not self._out.just_left("code"):
            self._out.open("code")
            self._out.flowing(words)
            self._out.close()

    def _leave_caption(self) -> None:
        """Give what the caption said to its block: the open one, or the quote that follows."""
        words = "".join(self._caption or ())
        self._caption = None
        kind = self._out.kind
        if kind == "spoiler":
            self._out.name(title=title_of(bare(words)))
        elif kind == "quote":
            self._out.name(*who(words, self._links))
        else:
            self._waiting = who(words, self._links)
            # `Spoiler: [show]` and no `X wrote: [show]`, which names somebody.
            clicked = self._button or any(link in ("#", None) or link[:11] == "javascript:" for link in self._links)
            self._button = clicked and words.partition(":")[0].strip() == (self._waiting[0] or "").partition(":")[0]

    def _image(self, tag: str) -> None:
        """An image: a smiley is its alternative text, any other picture says nothing."""
        alt = attribute(tag, "alt")
        if alt and self._caption is None and len(alt) <= 40 and _SMILEY.search(tag):
            self._out.text(alt)
