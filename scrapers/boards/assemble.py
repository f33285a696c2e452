"""Puts the pieces of a body together: typed blocks in order, with links and rolls at their places.

Both readers of bodies (`transcript` for typed markup, `body` for HTML) walk their source once and
tell an `Assembler` what they meet. What a quote, code, out-of-character text or signature holds
stays in it, however deep; own text and spoilers are split by whatever stands inside them
(notation.md G16).
"""

from __future__ import annotations

import re

from referee.model.text import Block, Mark
from scrapers.boards.widgets import rolled

#: Blocks that keep everything inside them: no claim can come out of one again.
SINKS = frozenset({"quote", "code", "signature", "ooc", "edit", "attachment"})

_REST = re.compile(r"""[^\s<>"\[\]\\^`{|}]{1,2048}""")
_TRAILING = ".,;:!?'*_~»”’"
_WEB = re.compile(r"(?:https?:)?//|www\.", re.IGNORECASE)


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


def as_address(url: str) -> str | None:
    """A link's target as an absolute web address, None for any other scheme (javascript:, data: ...)."""
    if url.startswith(("http://", "https://")):
        return url.strip()
    url = url.strip()
    if not _WEB.match(url):
        return None
    if url.startswith("//"):
        return "http:" + url
    return url if ":" in url[:6] else "http://" + url


def bare_addresses(text: str) -> list[tuple[int, int]]:
    """Where plain web addresses stand in a text, without punctuation and brackets around them."""
    found: list[tuple[int, int]] = []
    place = text.find("://")
    while place >= 0:
        scheme = text[max(place - 5, 0) : place].lower()
        length = 5 if scheme == "https" else 4 if scheme.endswith("http") else 0
        end = _address_end(text, place + 3)
        if length and end > place + 3 and not _joined(text, place - length):
            found.append((place - length, end))
        place = text.find("://", max(end, place + 3))
    if "www." in text:
        found.extend(_without_scheme(text, found))
    return found


def _without_scheme(text: str, known: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Addresses that begin with `www.`, outside those known already."""
    taken = {place for start, end in known for place in range(start, end)} if known else set()
    found = []
    place = text.find("www.")
    while place >= 0:
        end = _address_end(text, place + 4)
        if end > place + 4 and place not in taken and not _joined(text, place):
            found.append((place, end))
        place = text.find("www.", max(end, place + 4))
    return found


def _joined(text: str, place: int) -> bool:
    """Whether a word or path runs into this place."""
    return place > 0 and (text[place - 1].isalnum() or text[place - 1] in "_/@")


def _address_end(text: str, place: int) -> int:
    """Where an address ends, without the punctuation and the brackets that belong to the sentence."""
    match = _REST.match(text, place)
    if not match:
        return place
    rest = match.group()
    surplus = rest.count(")") - rest.count("(")
    end = len(rest)
    while end and (rest[end - 1] in _TRAILING or (rest[end - 1] == ")" and surplus > 0)):
        surplus -= rest[end - 1] == ")"
        end -= 1
    return place + end


class Assembler:
    """Collects text, marks and frames of one body; `finish` gives its blocks."""

    __slots__ = ("_blocks", "_frames", "_length", "_link", "_marks", "_pieces", "_roll", "_widget")

    def __init__(self) -> None:
        """Start in the poster's own text."""
        self._blocks: list[Block] = []
        self._frames: list[Frame] = [("own", None, None, None, True)]
        self._pieces: list[str] = []
        self._length = 0
        self._marks: list[Mark] = []
        self._link: tuple[int, str] | None = None
        self._roll: tuple[int, str] | None = None
        self._widget: int | None = None

    @property
    def kind(self) -> str:
        """The kind of the block that text goes to at present."""
        return self._frames[-1][0]

    @property
    def depth(self) -> int:
        """How many frames are open."""
        return len(self._frames) - 1

    def text(self, text: str) -> None:
        """Add text as it is."""
        if text:
            self._pieces.append(text)
            self._length += len(text)

    def flowing(self, text: str) -> None:
        """Add text whose blanks have been collapsed: no blank at the start of a line, none doubled."""
        if text[:1] == " " and (not self._pieces or self._pieces[-1][-1] in " \n"):
            text = text[1:]
        if text:
            self._pieces.append(text)
            self._length += len(text)

    def lines(self, text: str) -> None:
        """Add text in which the character 1 stands for the start of a line."""
        if text[0] == "\x01":
            self.new_line()
            text = text[1:]
        elif text[0] == " " and (not self._pieces or self._pieces[-1][-1] in " \n"):
            text = text[1:]
        text = text.replace(" \x01", "\x01").replace("\n\x01", "\n").replace("\x01", "\n")
        if text:
            self._pieces.append(text)
            self._length += len(text)

    def line_break(self) -> None:
        """Add a line break."""
        self._pieces.append("\n")
        self._length += 1

    def new_line(self) -> None:
        """Go to the start of a line, if not there already."""
        if self._pieces and self._pieces[-1][-1] != "\n":
            self._pieces.append("\n")
            self._length += 1

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
        self._roll = (self._length, dice)

    def end_roll(self) -> None:
        """End the open roll, if there is one."""
        if self._roll is not None:
            start, dice = self._roll
            self._marks.append(Mark(start, self._length, dice=dice))
            self._roll = None

    def widget(self) -> None:
        """Begin an add-on's roll: expression, dice and total somewhere in its text."""
        self._widget = len(self._pieces)

    def end_widget(self) -> None:
        """End an add-on's roll: its numbers become a roll of the board where its text says which dice."""
        start = self._widget
        if start is None or start > len(self._pieces):
            return
        shown = "".join(self._pieces[start:])
        before = self._length - len(shown)
        found = rolled(shown)
        if found is not None:
            self._marks.append(Mark(before + found[0], before + found[1], dice=found[2]))
        self._widget = None

    def finish(self) -> tuple[Block, ...]:
        """All blocks in order; frames that were never left end here."""
        self._flush()
        self._frames = self._frames[:1]
        return tuple(self._blocks)

    def _flush(self) -> None:
        """Turn the collected text into a block of the present kind; a link never spans two blocks."""
        link = self._link
        self.end_link()
        self.end_roll()
        text = "".join(self._pieces)
        kind, author, post, title, _ = self._frames[-1]
        shown = text.strip()
        if shown or (kind == "quote" and (author or post)):
            lead = len(text) - len(text.lstrip())
            marks = _placed(self._marks, lead, len(shown))
            if kind != "code":
                marks = _with_bare(shown, marks)
            self._blocks.append(Block(kind, shown, author, post, title, tuple(marks)))
        self._pieces.clear()
        self._marks.clear()
        self._length = 0
        if link is not None:
            self._link = (0, link[1])


def _placed(marks: list[Mark], lead: int, length: int) -> list[Mark]:
    """Marks moved to the stripped text, cut to its length; marks over nothing stay as points."""
    if not marks:
        return []
    if not lead and all(mark.end <= length for mark in marks):
        moved = list(marks)
    else:
        moved = []
        for mark in marks:
            start = min(max(mark.start - lead, 0), length)
            moved.append(Mark(start, min(max(mark.end - lead, start), length), mark.url, mark.dice))
    if len(moved) > 1:
        moved.sort(key=lambda mark: mark.start)
    return moved


def _with_bare(text: str, marks: list[Mark]) -> list[Mark]:
    """Marks together with the plain addresses in the text that no link covers."""
    bare = bare_addresses(text)
    if not bare:
        return marks
    taken = [(mark.start, mark.end) for mark in marks if mark.url]
    added = []
    index = 0
    for start, end in bare:
        while index < len(taken) and taken[index][1] <= start:
            index += 1
        if index < len(taken) and taken[index][0] < end:
            continue
        added.append(Mark(start, end, url=as_address(text[start:end])))
    return sorted([*marks, *added], key=lambda mark: mark.start) if added else marks
