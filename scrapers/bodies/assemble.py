"""Puts the pieces of a body together: typed blocks in order, with links and rolls at their places.

Both readers of bodies (`transcript` for typed markup, `body` for HTML) walk their source once and
tell an `Assembler` what they meet. What a quote, code, out-of-character text or signature holds
stays in it, however deep; own text and spoilers are split by whatever stands inside them
(notation.md G16).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter

from referee.model.text import Block, Mark
from scrapers.bodies.bare import Span, as_address, bare_addresses
from scrapers.bodies.layout import LINE, LINK, LINK_END, laid_out
from scrapers.bodies.rollers import typed_rolls
from scrapers.bodies.widgets import doubtful, rolled

#: Blocks that keep everything inside them: no claim can come out of one again.
SINKS = frozenset({"quote", "code", "signature", "ooc", "edit", "attachment"})

#: Longest caption of a spoiler.
_LONGEST_TITLE = 80


def title_of(words: str) -> str | None:
    """The title in a spoiler's caption, without what opens the spoiler at a click."""
    return " ".join(words.strip(" \n\t:▼▶►▲△▽▾▸+").split()).rstrip(":") or None


def whole(text: str) -> str:
    """Text without NUL and without halves of characters, which neither parsers nor databases take."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


Frame = tuple[str, str | None, str | None, str | None, bool]


class Assembler:
    """Collects text, marks and frames of one body; `finish` gives its blocks."""

    __slots__ = (
        "_blocks", "_frames", "_label", "_labels", "_length", "_link", "_marks", "_pieces", "_roll", "_struck",
        "_widget",
    )  # fmt: skip

    def __init__(self) -> None:
        """Start in the poster's own text."""
        self._blocks: list[Block] = []
        self._frames: list[Frame] = [("own", None, None, None, True)]
        self._pieces: list[str] = []
        self._length = 0
        self._marks: list[Mark] = []
        self._link: tuple[int, str] | None = None
        self._roll: tuple[int, str] | None = None
        self._struck: int | None = None
        self._widget: tuple[int, bool, int] | None = None
        self._label: int | None = None
        self._labels: list[Span] = []

    @property
    def kind(self) -> str:
        """The kind of the block that text goes to at present."""
        return self._frames[-1][0]

    @property
    def in_widget(self) -> bool:
        """Whether text goes to an add-on's roll."""
        return self._widget is not None

    @property
    def depth(self) -> int:
        """How many frames are open."""
        return len(self._frames) - 1

    def text(self, text: str) -> None:
        """Add text as it is."""
        if text:
            self._pieces.append(text)
            self._length += len(text)

    def flowing(self, text: str, urls: Sequence[str | None] = ()) -> None:
        """Add text whose blanks have been collapsed: no blank at the start of a line, none doubled.

        `LINE` in it stands for the start of a line, `LINK` and `LINK_END` for the ends of the links to `urls`.
        """
        before = self._pieces[-1][-1] if self._pieces else "\n"
        if LINE in text:
            text = laid_out(text, fresh=before == "\n", apart=self._is_apart)
        if text[:1] == " " and before in " \n":
            text = text[1:]
        if urls or LINK_END in text:
            self.linked(text, urls)
        elif text:
            self._pieces.append(text)
            self._length += len(text)

    def linked(self, text: str, urls: Sequence[str | None]) -> None:
        """Add text with the ends of links in it; a link may have begun before it and may go on behind it."""
        first, *links = text.split(LINK)
        self._up_to_end(first)
        for link, url in zip(links, urls, strict=True):
            self.end_link()
            inner, end, after = link.partition(LINK_END)
            if not end:
                self.link(url)
                self.text(inner)
                continue
            address = as_address(url) if url else None
            if address:
                self._marks.append(Mark(self._length, self._length + len(inner), address))
            self.text(inner)
            self.text(after.replace(LINK_END, "") if LINK_END in after else after)

    def _up_to_end(self, text: str) -> None:
        """Add text in which the open link ends, or goes on; an end of no link (`<a>` without address) is dropped."""
        inner, end, after = text.partition(LINK_END)
        self.text(inner)
        if end:
            self.end_link()
            self.text(after.replace(LINK_END, ""))

    def _is_apart(self) -> bool:
        """Whether nothing stands above the next line, or an empty line."""
        if not self._pieces:
            return True
        last = self._pieces[-1] if len(self._pieces[-1]) > 1 else "".join(self._pieces[-2:])
        return last[-2:] in ("\n", "\n\n")

    def new_paragraph(self) -> None:
        """Go to the start of a line with an empty one above it, if not there already."""
        self.new_line()
        if not self._is_apart():
            self.line_break()

    def line_break(self) -> None:
        """Add a line break."""
        self._pieces.append("\n")
        self._length += 1

    def new_line(self) -> None:
        """Go to the start of a line, if not there already."""
        if self._widget is not None and len(self._pieces) == self._widget[0]:
            return  # an add-on's frames begin and end where it stands, in the middle of a line
        if self._pieces and self._pieces[-1][-1] != "\n":
            self._pieces.append("\n")
            self._length += 1

    def gap(self) -> None:
        """Set off what follows by a blank: an add-on's roll stands in the middle of the line that it was typed in."""
        if self._pieces and self._pieces[-1][-1] not in " \n":
            self.text(" ")

    def cell(self) -> None:
        """Begin the next cell of a table's row."""
        if self._pieces and self._pieces[-1][-1] != "\n":
            self.text("| " if self._pieces[-1][-1] == " " else " | ")

    def open(self, kind: str, author: str | None = None, post: str | None = None, title: str | None = None) -> None:
        """Enter a quote, spoiler, code ...; inside a sink it is only a new line of that sink."""
        top = self._frames[-1]
        if top[0] in SINKS:
            self.new_line()
            self._frames.append((*top[:4], False))
            return
        self._flush()
        self._frames.append((kind, author, post, title, True))

    def close(self) -> None:
        """Leave the frame that was entered last."""
        if len(self._frames) < 2:
            return
        if self._frames[-1][4]:
            self._flush()
        else:
            self.new_line()
        self._frames.pop()

    def name(self, author: str | None = None, post: str | None = None, title: str | None = None) -> None:
        """Give the block that was entered last what its caption says, where nothing is known yet.

        Inside a block that only continues another (a quote in a quote) the caption names nobody.
        """
        kind, old_author, old_post, old_title, opened = self._frames[-1]
        if opened:
            self._frames[-1] = (kind, old_author or author, old_post or post, old_title or title, opened)

    def hide(self, *, caption: bool) -> bool:
        """Make a spoiler of the quote that was entered last: its words turn out to be shown at a click only.

        Only at its beginning, as quotes may hold spoilers of others. `caption`: some words before are its caption.
        """
        kind, author, post, _, opened = self._frames[-1]
        words = "".join(self._pieces).strip()
        if kind != "quote" or not opened or post or len(words) > (_LONGEST_TITLE if caption else 0) or "\n" in words:
            return False
        self._pieces, self._marks, self._length, self._link, self._struck = [], [], 0, None, None
        self._frames[-1] = ("spoiler", None, None, title_of(author or words), True)
        return True

    def unclosed(self, title: str) -> None:
        """Give the block that text goes to at present a title, however deep it is."""
        at = len(self._frames) - 1
        while at and not self._frames[at][4]:
            at -= 1
        if self._frames[at][0] in SINKS:
            self._frames[-1] = (*self._frames[-1][:3], title, self._frames[-1][4])

    def just_left(self, kind: str) -> bool:
        """Whether the last block is of that kind and nothing came after it."""
        return not self._pieces and bool(self._blocks) and self._blocks[-1].kind == kind

    def link(self, url: str | None) -> None:
        """Begin a link; one that is still open ends here."""
        self.end_link()
        address = as_address(url) if url else None
        if address:
            self._link = (self._length, address)

    def end_link(self) -> None:
        """End the open link, if there is one."""
        if self._link is not None:
            start, url = self._link
            self._marks.append(Mark(start, self._length, url=url))
            self._link = None

    def roll(self, dice: str) -> None:
        """Begin a roll that the board wrote (notation.md G7)."""
        self.end_roll()
        self._roll = (self._length, dice.strip())

    def end_roll(self) -> None:
        """End the open roll, if there is one."""
        if self._roll is not None:
            start, dice = self._roll
            self._marks.append(Mark(start, self._length, dice=dice))
            self._roll = None

    def strike(self) -> None:
        """Begin words that are struck out, if none are begun yet."""
        if self._struck is None:
            self._struck = self._length

    def end_strike(self) -> None:
        """End the struck words, if there are any."""
        if self._struck is not None:
            if self._struck < self._length:
                self._marks.append(Mark(self._struck, self._length))
            self._struck = None

    def widget(self, trusted: bool = True) -> None:
        """Begin an add-on's roll: expression, dice and total somewhere in its text.

        `trusted`: nobody but the add-on can have written it.
        """
        self.gap()
        self._widget, self._labels = (len(self._pieces), trusted, len(self._marks)), []

    def label(self) -> None:
        """Begin words in an add-on's roll that its poster has typed: no result stands in them."""
        self._label = self._length

    def end_label(self) -> None:
        """End the typed words."""
        if self._label is not None:
            self._labels.append((self._label, self._length))
            self._label = None

    def end_widget(self) -> None:
        """End an add-on's roll: its numbers become a roll of the board where its text says which dice.

        Struck dice and words that the poster has typed are no part of the result.
        """
        if self._widget is None or self._widget[0] > len(self._pieces):
            self._widget = None  # a block that began inside it has ended its text
            return
        start, trusted, marked = self._widget
        if len(self._pieces) > start and self._pieces[-1] == "\n":
            self._length -= len(self._pieces.pop())
        shown = "".join(self._pieces[start:])
        before = self._length - len(shown)
        struck = [mark for mark in self._marks[marked:] if mark.struck]
        hidden = [*self._labels, *[(mark.start, mark.end) for mark in struck]]
        rolls = rolled(_without(shown, before, hidden))
        # A struck die is a part of the roll's working; what else the add-on says is no claim of the poster's.
        self._marks[marked:] = [mark for mark in self._marks[marked:] if not mark.struck]
        place = 0
        for roll in rolls if trusted else doubtful(rolls):
            self._aside(before + place, shown[place : roll.start])
            self._marks.append(Mark(before + roll.start, before + roll.end, None, roll.dice, roll.typed))
            place = roll.end
        self._aside(before + place, shown[place:])
        self._widget = None
        self.gap()

    def _aside(self, place: int, words: str) -> None:
        """Take an add-on's words around its results out of the poster's own, as if they were struck."""
        bare = words.strip(" ")
        if bare:
            start = place + words.index(bare)
            self._marks.append(Mark(start, start + len(bare)))

    def finish(self) -> tuple[Block, ...]:
        """All blocks in order; frames that were never left end here."""
        self._flush()
        self._frames = self._frames[:1]
        return tuple(self._blocks)

    def _flush(self) -> None:
        """Turn the collected text into a block of the present kind; a link never spans two blocks."""
        if self._struck is not None:
            self.end_strike()
            self._struck = 0
        link = self._link
        if link is not None:
            self.end_link()
            self._link = (0, link[1])
        if self._roll is not None:
            self.end_roll()
        kind, author, post, title, _ = self._frames[-1]
        text = "".join(self._pieces)
        shown = text.strip()
        if shown or (kind == "quote" and (author or post)):
            marks = self._marks
            if marks and (len(marks) > 1 or shown is not text):
                marks = _placed(marks, text.find(shown), len(shown))
            if kind != "code" and ("://" in shown or "www." in shown):
                marks = _with_bare(shown, marks)
            if kind in ("own", "spoiler"):
                marks = _with_typed(shown, marks)
            self._blocks.append(Block(kind, shown, author, post, title, tuple(marks)))
        if text or self._marks:
            self._pieces, self._marks, self._length = [], [], 0


def _without(text: str, before: int, places: Iterable[Span]) -> str:
    """A text with blanks in some places, counted from `before`."""
    for start, end in places:
        first, last = max(start - before, 0), max(end - before, 0)
        text = text[:first] + " " * (min(last, len(text)) - first) + text[last:]
    return text


def _placed(marks: list[Mark], lead: int, length: int) -> list[Mark]:
    """Marks moved to the stripped text, cut to its length; marks over nothing stay as points."""
    if lead or max([mark.end for mark in marks]) > length:
        moved = []
        for mark in marks:
            start = min(max(mark.start - lead, 0), length)
            end = min(max(mark.end - lead, start), length)
            moved.append(Mark(start, end, mark.url, mark.dice, mark.typed))
        marks = moved
    return sorted(marks, key=attrgetter("start")) if len(marks) > 1 else marks


def _with_typed(text: str, marks: list[Mark]) -> list[Mark]:
    """Marks together with results that stand in the text in a roller's form: doubtful rolls."""
    found = typed_rolls(text, [(mark.start, mark.end) for mark in marks if not mark.struck])
    if not found:
        return marks
    added = [Mark(roll.start, roll.end, None, roll.dice, roll.typed) for roll in found]
    return sorted([*marks, *added], key=attrgetter("start"))


def _with_bare(text: str, marks: list[Mark]) -> list[Mark]:
    """Marks together with the plain addresses in the text that no link covers."""
    linked = sum([text.find("://", mark.start, mark.end) >= 0 for mark in marks if mark.url])
    if text.count("://") == linked and "www." not in text:
        return marks
    bare = bare_addresses(text, [(mark.start, mark.end) for mark in marks if mark.url])
    if not bare:
        return marks
    added = [Mark(start, end, url=as_address(text[start:end])) for start, end in bare]
    return sorted([*marks, *added], key=attrgetter("start"))
