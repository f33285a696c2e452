"""Bodies of transcripts: BBCode, plain text or HTML into the blocks that board pages give too.

Only known names of BBCode are markup; any other square bracket is the game's (`[Damage: 12 x4]`).
Underscore lines and `OOC:` lines are left alone: the core cuts those out of own text (notation.md
G16).

An element that is never closed is the hard case: boards show an unclosed `[quote]` as plain text,
and then somebody else's numbers would count as the poster's claims. Here it takes the rest of the
post, which accuses nobody (a post without claims is chatter, G26); its block has the title
`unclosed` so that the core can say that it was not checked.
"""

from __future__ import annotations

import re

from referee.model.text import Block
from scrapers.bodies.assemble import Assembler, whole
from scrapers.bodies.body import read_fragment
from scrapers.bodies.elements import words_of

#: The title of a quote, code or out-of-character block that the post never closed.
UNCLOSED = "unclosed"


#: Spoilers and asides under the names that add-ons give them.
_SPOILER_TAGS = frozenset(words_of("hide hidden collapse collapsed collapsible details toggle accordion fold"))
_ASIDE_TAGS = frozenset(words_of("offtopic off-topic ot"))
_BLOCK_TAGS = {
    "quote": "quote",
    "spoiler": "spoiler",
    "ooc": "ooc",
    "code": "code",
    "php": "code",
    "pre": "code",
    "noparse": "code",
    "nobbc": "code",
    "attachment": "attachment",
    **dict.fromkeys(_SPOILER_TAGS, "spoiler"),
    **dict.fromkeys(_ASIDE_TAGS, "ooc"),
}
#: Frames of boards' own making.
_FRAME_TAGS = frozenset(
    words_of("box fieldset tabs tab section row columns column block div scroll note info warning panel card")
)
_NEW_LINE_TAGS = _FRAME_TAGS | frozenset(
    words_of("list ul ol li * table tbody tr hr center left right justify align indent h1 h2 h3 h4 h5 h6")
)
#: Formatting of boards' own making.
_OWN_TAGS = frozenset(
    words_of(
        "ic class span style anchor bg bgcolor background border blur rainbow user member mention npc character char "
        "name speech say think text title emoji icon ltr rtl iurl thread topic post media video youtube audio"
    )
)
_INLINE_TAGS = _OWN_TAGS | frozenset(
    words_of(
        "b i u ins strong em color colour size font sup sub tt highlight shadow glow email td th br "
        "p small big mono me abbr acronym"
    )
)
_STRUCK_TAGS = frozenset(words_of("s strike del"))
#: Ordinary words: without a value they are markup only where their end stands in the post too, for
#: a technique may be called `[Strike]` or `[Shadow]` (NS4).
_WORDS = frozenset().union(
    *(_SPOILER_TAGS, _ASIDE_TAGS, _FRAME_TAGS, _OWN_TAGS),
    words_of(
        "strike strong color colour size font highlight shadow glow email small big mono me center left right "
        "justify align indent list table del ins abbr acronym img url"
    ),
)
_NAMES = "|".join(
    sorted(
        (re.escape(n) for n in [*_BLOCK_TAGS, *_NEW_LINE_TAGS, *_INLINE_TAGS, *_STRUCK_TAGS, "url", "img", "roll"]),
        key=len,
    )[::-1]
)
# Possessive throughout: a million opened brackets cost one look each.
_TOKEN = re.compile(
    rf"""\[(?P<end>/)?(?P<name>{_NAMES})
        (?:=(?P<value>"[^"\n]{{0,300}}+"[^\[\]\n]{{0,300}}+
                     |'[^'\n]{{0,300}}+'[^\[\]\n]{{0,300}}+
                     |[^\[\]\n]{{0,2000}}+)
          |(?P<more>[ ][a-z_-]{{1,20}}+=[^\[\]\n]{{0,600}}+))?
        \]""",
    re.IGNORECASE | re.VERBOSE,
)
_END = re.compile(rf"\[/({_NAMES})\]", re.IGNORECASE)
_RAW_END = {name: re.compile(rf"\[/{name}\]", re.IGNORECASE) for name in _BLOCK_TAGS}
_ATTRIBUTE = re.compile(r"""([a-z_-]{1,20})=(?:"([^"\n]{0,300})"|'([^'\n]{0,300})'|(\S{0,300}))""", re.IGNORECASE)
_SMF_AUTHOR = re.compile(r"author=(.{0,200}?)(?= (?:link|date|topic|board|msg)=|$)", re.IGNORECASE)
_SMF_LINK = re.compile(r"msg=?(\d{1,18})", re.IGNORECASE)
_BARE_POST = re.compile(r"(.{1,200}?)(?: post_id=(\d{1,18})|, post: ?(\d{1,18})| pid='?(\d{1,18})).{0,300}", re.DOTALL)
_FIRST_QUOTED = re.compile(r"""\s*(?:"([^"\n]{0,300})"|'([^'\n]{0,300})')""")
_DICE = re.compile(r"\s*\d{0,3}d\d{1,5}(?:\s*[+-]\s*\d{1,5})?\s*", re.IGNORECASE)


def read_body(text: str | None, html: str | None) -> tuple[Block, ...]:
    """The blocks of a transcript's post or revision: `html` where given, else `text` (notation.md G16, G17)."""
    if html is not None:
        return read_fragment(html)
    return read_text(text or "")


def read_text(text: str) -> tuple[Block, ...]:
    """The blocks of BBCode or plain text, in one pass over its tags. Never fails."""
    text = whole(text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "[" not in text:
        plain = Assembler()
        plain.text(text)
        return plain.finish()
    return _Markup(text).read()


class _Markup:
    """One pass over typed markup: what is open, and where the untouched text goes on."""

    __slots__ = ("_ends", "_opened", "_out", "_place", "_source", "_stack")

    def __init__(self, source: str) -> None:
        self._source = source
        #: Where the last end tag of each name stands.
        self._ends = {end[1].lower(): end.start() for end in _END.finditer(source)}
        self._out = Assembler()
        self._stack: list[str] = []
        self._opened = dict.fromkeys(_BLOCK_TAGS.values(), 0)
        self._place = 0

    def read(self) -> tuple[Block, ...]:
        """All blocks of the source."""
        source, out = self._source, self._out
        for match in _TOKEN.finditer(source):
            start = match.start()
            if start < self._place:
                continue
            if start > self._place:
                out.text(source[self._place : start])
            self._place = match.end()
            name = match["name"].lower()
            if name in _WORDS and not (match["end"] or match["value"] or match["more"] or self._ends_below(name)):
                out.text(match.group())
            elif name not in _INLINE_TAGS:
                self._tag(name, match)
            elif name in ("td", "th") and not match["end"]:
                out.cell()
            elif name == "br":
                out.line_break()
        out.text(source[self._place :])
        if self._stack:
            out.unclosed(UNCLOSED)
        return out.finish()

    def _tag(self, name: str, match: re.Match[str]) -> None:
        """A tag that is more than dropped formatting."""
        kind = _BLOCK_TAGS.get(name)
        if kind is not None:
            if match["end"]:
                self._close(kind)
            elif kind in ("code", "attachment"):
                self._raw(kind, name)
            else:
                self._open(kind, match)
        elif name == "url":
            self._url(match)
        elif name == "roll":
            self._roll(match)
        elif name == "img":
            self._image(match)
        elif name in _STRUCK_TAGS:
            self._strike(match)
        else:
            self._out.new_line()

    def _open(self, kind: str, match: re.Match[str]) -> None:
        self._out.end_link()
        self._stack.append(kind)
        self._opened[kind] += 1
        if kind == "quote":
            author, post = quoted(match["value"], match["more"])
            self._out.open(kind, author=author, post=post)
        else:
            title = (match["value"] or "").strip().strip("\"'") or None
            self._out.open(kind, title=title if kind == "spoiler" else None)

    def _close(self, kind: str) -> None:
        """Leave the innermost element of that kind and what was left open in it; a stray end is dropped."""
        while self._opened[kind]:
            last = self._stack.pop()
            self._opened[last] -= 1
            self._out.close()
            if last == kind:
                return

    def _raw(self, kind: str, name: str) -> None:
        """Code: everything up to its end is text, whatever it looks like."""
        rest = _RAW_END[name].search(self._source, self._place)
        stop, after = rest.span() if rest else (len(self._source), len(self._source))
        around = self._end_around()
        # A quote may cut a code block in half; the quote's own end is then the end of both.
        halved = around is not None and (
            rest is None or (around < stop and f"[{name}" in self._source[around:stop].lower())
        )
        if halved and around is not None:
            stop = after = around
        self._out.end_link()
        self._out.open(kind, title=None if rest or halved else UNCLOSED)
        self._out.text(self._source[self._place : stop])
        self._out.close()
        self._place = after

    def _end_around(self) -> int | None:
        """Where the element around the present place ends, None outside of all or where it does not."""
        if not self._stack:
            return None
        found = _RAW_END[self._stack[-1]].search(self._source, self._place)
        return found.start() if found else None

    def _url(self, match: re.Match[str]) -> None:
        """A link; one without end goes to the next link or the end of its block, so that no roll is lost."""
        if match["end"]:
            self._out.end_link()
            return
        target = (match["value"] or "").strip().strip("\"'")
        if not target:
            shown = _until(self._source, self._place, "[")
            target = shown.strip() if len(shown) < 2100 else ""
        self._out.link(target)

    def _strike(self, match: re.Match[str]) -> None:
        """Words that their author has struck out; a tag without its end strikes nothing."""
        if match["end"]:
            self._out.end_strike()
        elif self._ends_below(match["name"].lower()):
            self._out.strike()

    def _ends_below(self, name: str) -> bool:
        """Whether an element of that name ends further below."""
        return self._ends.get(name, -1) >= self._place

    def _roll(self, match: re.Match[str]) -> None:
        """An in-post roll (G7). Without dice in it, it is somebody's own bracket and stays as typed."""
        if match["end"]:
            self._out.end_roll()
        elif _DICE.fullmatch(match["value"] or ""):
            self._out.roll((match["value"] or "").strip())
        else:
            self._out.text(match.group())

    def _image(self, match: re.Match[str]) -> None:
        """An image has no text of its own."""
        if not match["end"]:
            address = _until(self._source, self._place, "[")
            if self._source.startswith("[/", self._place + len(address)):
                self._place += len(address)


def _until(source: str, place: int, stop: str) -> str:
    """The text from a place up to the next `stop`, at most 2100 characters."""
    end = source.find(stop, place, place + 2100)
    return source[place : end if end >= 0 else place + 2100]


def quoted(value: str | None, more: str | None) -> tuple[str | None, str | None]:
    """Author and post id of a quote tag, in the forms of the boards.

    phpBB `[quote="A" post_id=41 ...]`, MyBB `[quote='A' pid='41' ...]`, SMF `[quote author=A
    link=topic=30.msg41#msg41 date=..]`, FluxBB `[quote=A]`.
    """
    if more:
        named = _SMF_AUTHOR.search(more)
        found = _SMF_LINK.search(more)
        return (named[1].strip().strip("\"'") or None) if named else None, found[1] if found else None
    if not value:
        return None, None
    first = _FIRST_QUOTED.match(value)
    inside = _BARE_POST.fullmatch((first[1] or first[2] or "") if first else value)
    if inside:
        return inside[1].strip(), inside[2] or inside[3] or inside[4]
    if not first:
        return value.strip() or None, None
    attributes = {key.lower(): a or b or c for key, a, b, c in _ATTRIBUTE.findall(value[first.end() :])}
    return (first[1] or first[2] or "").strip() or None, attributes.get("post_id") or attributes.get("pid")
