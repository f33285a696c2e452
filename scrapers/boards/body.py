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
from scrapers.boards.assemble import LINE, LINK, LINK_END, Assembler, whole
from scrapers.boards.elements import look_up, words_of
from scrapers.boards.nesting import shallow
from scrapers.boards.patterns import Pattern
from scrapers.boards.quotes import post_in_links, who

#: Longest body that is read, in characters of HTML; what is over is named in a problem line.
LONGEST_BODY = 4_000_000
#: Formatting that means nothing, and paragraphs and lists: their tags only become a piece of text.
_PLAIN = words_of("b i u em strong font small big sub sup tt ins mark q abbr time")
_LINES = words_of("p li ul ol")
#: Stands for a line break until a run of text is put together, as `LINE` for the start of a line.
_BREAK = "\x02"
_NO_MARKERS = dict.fromkeys(map(ord, (LINE, _BREAK, LINK, LINK_END)), " ")


def _shown_as(names: list[str], text: str) -> dict[str, str]:
    """Start and end tags of elements with the text that they are replaced by."""
    return {tag: text for name in names for tag in (name, "/" + name)}


#: Tags and what they are replaced by. Spans, paragraphs and lists are in the first table only: where the class
#: of one means something, all of them are opened and closed like any other element.
_CAREFUL = _shown_as(_PLAIN, "") | {"br": _BREAK, "a": "", "/a": LINK_END}
_SIMPLE = _CAREFUL | _shown_as(["span"], "") | _shown_as(_LINES, LINE)
_SPACES = Pattern("  +")
#: What posts are full of is replaced in a whole body at once, before it is cut at its tags.
_PARAGRAPHS = (("</p><p>", LINE + LINE), ("<p>", LINE), ("</p>", LINE))
#: A tag that ends with the next one, such as `<b2<br>`: nothing can be replaced at once then, since the end of
#: the broken tag would go with it.
_BROKEN_TAG = re.compile("<[^<>]*<")
#: Elements whose content is no markup: the first end tag ends them.
_RAW = frozenset(["script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"])
#: What the tree builder escapes in text and attributes; the ampersand itself comes last.
_ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&nbsp;", "\xa0"), ("&amp;", "&"))
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
    if LINE in html or _BREAK in html or LINK in html or LINK_END in html:
        html = html.translate(_NO_MARKERS)
    html = html.strip(" \t\n\r\f")
    at_once = _BROKEN_TAG.search(html) is None
    if at_once:
        html = html.replace("<br>", _BREAK)
    try:
        blocks = _Walk(_without_paragraphs(html) if at_once else html, _SIMPLE).read()
    except _MeaningError:
        blocks = _Walk(html, _CAREFUL).read()
    return Body(blocks, problems)


def _without_paragraphs(html: str) -> str:
    """A body with its plain paragraphs as starts of lines.

    Control characters take their places, also in comments and scripts, so no tag and no end of a comment can
    come about.
    """
    if "<p>" in html:
        for tag, shown in _PARAGRAPHS:
            html = html.replace(tag, shown)
    return html


class _MeaningError(Exception):
    """A span, paragraph or list has a class that means something."""


def _plain(tag: str, careful: bool) -> str | None:
    """What a simple start tag with attributes is replaced by; None for any other tag.

    `careful`: spans, paragraphs and lists are opened and closed like any other element.
    """
    if tag[:1] == "/":
        return None
    name, what = look_up(tag)
    shown = (_CAREFUL if careful else _SIMPLE).get(name)
    if shown is not None and what not in ("inline", "line") and name not in _CAREFUL:
        raise _MeaningError
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

    __slots__ = ("_aside", "_caption", "_code", "_links", "_open", "_out", "_pieces", "_pre", "_simple", "_waiting")

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

    def read(self) -> tuple[Block, ...]:
        """All blocks of the body."""
        simple, careful = self._simple, self._simple is _CAREFUL
        run = [next(self._pieces)]
        urls: list[str | None] = []
        for piece in self._pieces:
            tag, _, text = piece.partition(">")
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
            self._caption.append(text.replace(LINE, "\n").replace(_BREAK, "\n"))
            self._links.extend(urls)
        elif self._aside is not None and not self._code:
            self._aside.append(_bare(text))
        elif self._pre:
            self._out.linked(text.replace(LINE, "\n").replace(_BREAK, "\n"), urls)
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
            self._out.new_line()
            self._open.append("line")
            return text
        return self._start(name, what, tag, text)

    def _start(self, name: str, what: str, tag: str, text: str) -> str:
        """A start tag other than that of a plain block; the text that goes on behind it."""
        if tag[:1] in "!?":
            return self._skip_comment(tag, text)
        if what == "skip":
            return self._skip(name)
        if what == "image":
            self._image(tag)
        elif what == "rule":
            self._out.new_line()
        elif what != "void":
            self._open.append(self._enter(what, tag) if self._caption is None else None)
        return text

    def _skip(self, name: str) -> str:
        """Go over an element whose content is no text of the post; the text behind its end."""
        depth = 1
        for piece in self._pieces:
            tag, _, text = piece.partition(">")
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
            self._caption, self._links = [], []
            return "caption"
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
            self._out.name(title=" ".join(_bare(words).split()).rstrip(":") or None)
        elif kind == "quote":
            self._out.name(*who(words, self._links))
        else:
            self._waiting = who(words, self._links)

    def _image(self, tag: str) -> None:
        """An image: a smiley is its alternative text, any other picture says nothing."""
        alt = attribute(tag, "alt")
        if alt and self._caption is None and len(alt) <= 40 and _SMILEY.search(tag):
            self._out.text(alt)


def collapsed(text: str, *, linked: bool = False) -> str:
    """A run of text with its blanks collapsed, as a browser shows it, and with its line breaks as such.

    Plain replacing where it can be: far cheaper than a pattern for all blanks. `linked`: links are in it.
    """
    if "\n" in text or "\t" in text or "\r" in text or "\f" in text:
        text = text.replace("\n", " ").replace("\t", " ").replace("\r", " ").replace("\f", " ")
    if linked:  # blanks at the ends of a link's text go before and behind it
        text = text.replace(LINK + " ", " " + LINK).replace(" " + LINK_END, LINK_END + " ")
    if _BREAK in text:
        first, *lines = text.split(_BREAK)
        last = lines.pop()
        text = "\n".join([first.rstrip(" "), *[line.strip(" ") for line in lines], last.lstrip(" ")])
    if "  " in text:
        text = _SPACES.sub(" ", text)
    return text


def _bare(text: str) -> str:
    """A run of text without its links."""
    return text.replace(LINE, "\n").replace(_BREAK, "\n").replace(LINK, "").replace(LINK_END, "")


def unescaped(text: str) -> str:
    """Text or an attribute without the five escapes that the tree builder writes."""
    if "&" not in text:
        return text
    for escape, character in _ESCAPES:
        text = text.replace(escape, character)
    return text


def attribute(tag: str, name: str) -> str | None:
    """The value of an attribute in a start tag, given without its brackets."""
    start = tag.find(f' {name}="')
    if start < 0:
        return None
    start += len(name) + 3
    end = tag.find('"', start)
    return unescaped(tag[start:end]) if end >= 0 else None
