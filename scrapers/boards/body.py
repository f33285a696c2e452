"""A post's body: HTML of any board to typed blocks (notation.md G7, G16, G17).

The tree builder (lexbor) first makes well-formed HTML of whatever a page holds; its own
serialisation is then walked once, token by token. So nothing here is recursive and nothing
backtracks, however deep or broken a body is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from selectolax.lexbor import LexborHTMLParser

from referee.model.text import Block
from scrapers.boards.assemble import Assembler, whole
from scrapers.boards.elements import CLASSES, look_up, words_of
from scrapers.boards.quotes import caption_author, post_in_links

#: Longest body that is read, in characters of HTML; what is over is named in a problem line.
LONGEST_BODY = 4_000_000


#: Attributes as the serialisation writes them. Possessive throughout: nothing is looked at twice.
_ATTRIBUTES = r"""(?:\s++[^\s=>"]++(?:="[^"]*+")?+)*+\s*+"""
#: Formatting that means nothing, and paragraphs and lists: with the text between them one token.
_PLAIN = words_of("b i u s em strong font small big sub sup tt ins del strike mark q abbr time")
_LINES = ["p", "li", "ul", "ol"]


def _tokens(plain: list[str], lines: list[str]) -> re.Pattern[str]:
    """The tokens of a body: (1) a run of text and simple tags, (2, 3) a link with nothing but text in it, (4) an
    end tag, (5, 6) a start tag.
    """
    simple = "|".join(["br", *plain, *lines])
    return re.compile(
        rf"""((?:[^<]++|</?(?:{simple})(?=[\s>]){_ATTRIBUTES}>)++)
           |<a(?=\s)({_ATTRIBUTES})>([^<]*+)</a>
           |</([a-zA-Z][^\s/>]*+)[^>]*+>
           |<([a-zA-Z][^\s/>]*+)((?:\s++[^\s=>"]++(?:="[^"]*+")?+)*+)\s*+/?+>
           |<!--(?:[^-]++|-(?!->))*+-->
           |<""",
        re.VERBOSE,
    )


_SIMPLE = _tokens([*_PLAIN, "span"], _LINES)
_CAREFUL = _tokens(_PLAIN, [])
#: A span, paragraph or list with a class that means something keeps its own tokens.
_MEANT = re.compile(rf"<(?:span|{'|'.join(_LINES)})\s[^<]*?(?:data-dice|class=\"[^\"]*(?:{'|'.join(CLASSES)}))")
_BREAKS = re.compile(rf"<br(?=[\s>]){_ATTRIBUTES}>")
_LINE_TAGS = re.compile(rf"</?(?:{'|'.join(_LINES)})(?=[\s>]){_ATTRIBUTES}>")
_ANY_TAG = re.compile(rf"</?[a-z]++{_ATTRIBUTES}>")
_LINE_ENDS = re.compile(r"\x01[\x01 ]+")
#: Elements whose content is no markup: the first end tag ends them.
_RAW = frozenset(["script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"])
_SMILEY = re.compile(r"smil|emoji|emoticon", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Body:
    """A body as read, and what could not be read of it (lines for the operator)."""

    blocks: tuple[Block, ...]
    problems: tuple[str, ...] = ()


def read_fragment(html: str) -> tuple[Block, ...]:
    """The blocks of an HTML fragment of any quality. Never fails; a body over `LONGEST_BODY` is cut."""
    return read_html(tidy(html)).blocks


def tidy(html: str) -> str:
    """The fragment as well-formed HTML, without its `body` tags."""
    root = LexborHTMLParser(whole(html[:LONGEST_BODY])).body
    return (root.html or "") if root is not None else ""


def read_html(html: str) -> Body:
    """The blocks of well-formed HTML, as the tree builder writes it: one element with a body in it."""
    problems: tuple[str, ...] = ()
    if len(html) > LONGEST_BODY:
        problems = (f"body of {len(html)} characters: only the first {LONGEST_BODY} were read",)
        html = html[:LONGEST_BODY]
    return Body(_Walk(html).read(), problems)


class _Walk:
    """One pass over the tokens of a body."""

    __slots__ = ("_aside", "_caption", "_code", "_html", "_links", "_open", "_out", "_place", "_pre", "_waiting")

    def __init__(self, html: str) -> None:
        self._html = html
        self._out = Assembler()
        self._open: list[str | None] = []
        self._place = 0
        self._pre = 0
        self._code = 0
        self._aside: list[str] | None = None
        self._caption: list[str] | None = None
        self._links: list[str] = []
        self._waiting: tuple[str | None, str | None] = (None, None)

    def read(self) -> tuple[Block, ...]:
        """All blocks of the body."""
        html = self._html
        tokens = _CAREFUL if _MEANT.search(html) else _SIMPLE
        for match in tokens.finditer(html):
            if match.start() < self._place:
                continue
            what = match.lastindex
            if what == 1:
                self._run(match[1])
            elif what == 3:
                self._link(match[2], match[3])
            elif what == 4:
                if self._open:
                    todo = self._open.pop()
                    if todo is not None:
                        self._leave(todo)
            elif what is not None:
                self._start(match.end(), match[5], match[6])
        return self._out.finish()

    def _run(self, text: str) -> None:
        """Text with simple tags in it: formatting is dropped, breaks and paragraphs become line breaks."""
        if not self._pre:
            text = collapsed(text)
        if "<" in text:
            text = _lines(text)
            if not self._pre:
                text = text.replace(" \n", "\n").replace("\n ", "\n")
        if "&" in text:
            text = unescape(text)
        if self._caption is not None:
            self._caption.append(text)
        elif self._aside is not None and not self._code:
            self._aside.append(text)
        elif self._pre:
            self._out.text(text.replace("\x01", "\n"))
        elif "\x01" in text:
            self._out.lines(text)
        else:
            self._out.flowing(text)

    def _link(self, attributes: str, text: str) -> None:
        """A whole link with nothing but text in it."""
        url = attribute(attributes, "href")
        if self._caption is not None:
            self._links.append(url or "")
            self._run(text)
            return
        self._out.link(url)
        if text:
            self._run(text)
        self._out.end_link()

    def _start(self, end: int, name: str, attributes: str) -> None:
        """A start tag."""
        what = look_up(name, attributes).what
        if what == "image":
            self._image(attributes)
        elif what == "skip":
            self._place = end_of_element(self._html, end, name)
        elif what == "rule":
            self._out.new_line()
        elif what == "void":
            return
        elif self._caption is not None:
            if what == "link":
                self._links.append(attribute(attributes, "href") or "")
            self._open.append(None)
        else:
            self._open.append(self._enter(what, attributes))

    def _enter(self, what: str, attributes: str) -> str | None:
        """Enter an element; what has to be done at its end."""
        out = self._out
        if what == "inline" or (what == "cite" and out.kind != "quote"):
            return None
        if what == "line":
            out.new_line()
        elif what == "link":
            out.link(attribute(attributes, "href"))
        elif what == "roll":
            out.roll(attribute(attributes, "data-dice") or "")
        elif what == "cell":
            out.cell()
            return None
        elif what in ("caption", "cite"):
            self._caption, self._links = [], []
            return "caption"
        elif what == "codebox":
            return self._enter_codebox()
        else:
            return self._enter_block(what, attributes)
        return what

    def _enter_codebox(self) -> str | None:
        """A box with a caption and code: its caption is dropped once code is found in it."""
        self._out.new_line()
        if self._aside is not None or self._code:
            return None
        self._aside = []
        return "codebox"

    def _enter_block(self, what: str, attributes: str) -> str:
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
            post = post or post_in_links([attribute(attributes, "cite") or ""])
            out.open("quote", author or attribute(attributes, "data-author"), post)
        elif what == "widget":
            out.new_line()
            out.widget()
            return "widget"
        else:
            out.open(what, title=attribute(attributes, "data-title") if what == "spoiler" else None)
        return "block"

    def _leave(self, todo: str) -> None:
        """An element that matters ends (the tree is well-formed: it is the one opened last)."""
        out = self._out
        if todo == "line":
            out.new_line()
        elif todo == "link":
            out.end_link()
        elif todo == "roll":
            out.end_roll()
        elif todo == "caption":
            self._leave_caption()
        elif todo == "codebox":
            self._leave_codebox()
        elif todo == "widget":
            out.end_widget()
            out.new_line()
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
        words = " ".join("".join(self._caption or ()).split())
        self._caption = None
        kind = self._out.kind
        if kind == "spoiler":
            self._out.name(title=words.rstrip(":") or None)
        elif kind == "quote":
            self._out.name(caption_author(words), post_in_links(self._links))
        else:
            self._waiting = (caption_author(words), post_in_links(self._links))

    def _image(self, attributes: str) -> None:
        """An image: a smiley is its alternative text, any other picture says nothing."""
        alt = attribute(attributes, "alt")
        if alt and self._caption is None and len(alt) <= 40 and _SMILEY.search(attributes):
            self._out.text(alt)


def collapsed(text: str) -> str:
    """Text with its blanks and line ends collapsed, as a browser shows it.

    Plain replacing, run by run: far cheaper than a pattern, and every round halves the longest run.
    """
    if "\n" in text:
        text = text.replace("<br>\n", "<br>").replace("\n", " ")
    if "\t" in text or "\r" in text or "\f" in text:
        text = text.replace("\t", " ").replace("\r", " ").replace("\f", " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def _lines(text: str) -> str:
    """A run with `<br>` as line break and paragraphs as the character 1, without any other tag."""
    text = text.replace("\x01", " ").replace("<br>", "\n")
    if "<br" in text:
        text = _BREAKS.sub("\n", text)
    if "<" in text:
        text = text.replace("</p>", "\x01").replace("<p>", "\x01")
        if "<p" in text or "li>" in text or "<li" in text or "l>" in text or "<ul" in text or "<ol" in text:
            text = _LINE_TAGS.sub("\x01", text)
        if "<" in text:
            text = _ANY_TAG.sub("", text)
        if "\x01" in text:
            text = _LINE_ENDS.sub("\x01", text)
    return text


def end_of_element(html: str, place: int, name: str) -> int:
    """The place behind the end tag of an element that was opened before `place`."""
    if name in _RAW:
        end = html.find(f"</{name}", place)
        return len(html) if end < 0 else html.find(">", end) + 1
    tag = re.compile(rf"<(/?){re.escape(name)}(?=[\s/>])[^>]*+>")
    depth = 1
    for match in tag.finditer(html, place):
        depth += -1 if match[1] else 1
        if not depth:
            return match.end()
    return len(html)


def attribute(attributes: str, name: str) -> str | None:
    """The value of an attribute in the text of a start tag."""
    at = attributes.find(name + '="')
    while at > 0 and not attributes[at - 1].isspace():
        at = attributes.find(name + '="', at + 1)
    if at <= 0:
        return None
    start = at + len(name) + 2
    end = attributes.find('"', start)
    return unescape(attributes[start:end]) if end >= 0 else None
