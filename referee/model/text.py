"""What a post holds: typed blocks as a board shows them, and the poster's own words as a script.

A `Block` is a piece of a post's body (own text, quote, spoiler ...), as read from a page. A
`Script` is what is left of the poster's own claims after notation.md G16: one plain string whose
links and in-post rolls have become anchors at their places.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from referee.model.records import filled_directly


@filled_directly
@dataclass(frozen=True, slots=True)
class Mark:
    """A link, an in-post roll or struck-out words inside a block's text.

    `start`, `end`: first character and the one after the last, in `Block.text`. `url` is set for a
    link; `dice` (such as `1d20`, empty where it can't be told) for a roll that the board made and wrote there (G7);
    neither for words that the poster has struck out. `typed`: the roll rests on text that its poster could have
    typed, or may have changed since (`dice/unverifiable`).
    """

    start: int
    end: int
    url: str | None = None
    dice: str | None = None
    typed: bool = False

    @property
    def struck(self) -> bool:
        """Whether the words are struck out: their author has taken them back."""
        return self.url is None and self.dice is None


@filled_directly
@dataclass(frozen=True, slots=True)
class Block:
    """A typed piece of a body.

    `kind`: own, quote, spoiler, code, signature, ooc, edit, attachment. `author` and `post` belong
    to quotes, `title` to spoilers. `text` is plain text with line breaks.
    """

    kind: str
    text: str
    author: str | None = None
    post: str | None = None
    title: str | None = None
    marks: tuple[Mark, ...] = ()


@filled_directly
@dataclass(frozen=True, slots=True)
class Anchor:
    """A link or in-post roll at its place in a script's text.

    `start` == `end` where the link's own words were dropped (`roll`, a bare address); otherwise the
    anchor covers the number that it proves. `values` are the dice of an in-post roll; `total` is the number
    of one that shows no dice, only what they come to, its bonus perhaps included. `typed`: as for a mark.
    """

    start: int
    end: int
    url: str | None = None
    dice: str | None = None
    values: tuple[int, ...] = ()
    total: int | None = None
    typed: bool = False


@filled_directly
@dataclass(frozen=True, slots=True)
class Script:
    """The poster's own claims of one revision, ready for a ruleset's reader.

    `text` is normalised character by character (every dash is `-`, every blank a space or a line
    break, every quotation mark straight); `shown` has the same length and keeps the characters as
    posted, for quoting. `anchors` are in order of place. `spoilers` are scripts of the spoilers
    in which only some tags count (G16). `doubtful` is what may be the poster's own or not: lines behind a typed
    `>`, code in backticks, what stands below the signature mark of e-mails. `spaced`: an empty line stood between any
    two lines; it parted nothing, and is left out.
    """

    text: str
    shown: str
    anchors: tuple[Anchor, ...] = ()
    spoilers: tuple[Script, ...] = ()
    doubtful: tuple[Script, ...] = ()
    spaced: bool = False

    def quote(self, start: int, end: int) -> str:
        """The words between two places, as posted, on one line."""
        return " ".join(self.shown[start:end].split())

    def anchors_in(self, start: int, end: int) -> tuple[Anchor, ...]:
        """The links and in-post rolls that stand between two places, ends included."""
        return tuple(a for a in self.anchors if start <= a.start and a.end <= end)

    def line_end(self, place: int) -> int:
        """The place of the line break after `place`, or the end of the text."""
        found = self.text.find("\n", place)
        return len(self.text) if found < 0 else found

    def anchors_after(self, place: int) -> tuple[Anchor, ...]:
        """The links right behind a tag that ends at `place`: on its line, or alone on the next (G8)."""
        stop = self.line_end(place)
        if self.text[place:stop].strip(" ().,;:"):
            return ()
        here = self.anchors_in(place, stop)
        if here or stop >= len(self.text):
            return here
        following = self.line_end(stop + 1)
        if self.text[stop + 1 : following].strip(" ().,;:"):
            return ()
        return self.anchors_in(stop + 1, following)


def lines_touched(text: str, spans: Iterable[tuple[int, int]]) -> set[int]:
    """The numbers (from 0) of the lines in which some spans lie: one look at the text, however many spans."""
    starts = [0, *(found + 1 for found, sign in enumerate(text) if sign == "\n")]
    touched: set[int] = set()
    for start, end in spans:
        first = bisect_right(starts, start) - 1
        touched.update(range(first, bisect_right(starts, max(start, end - 1))))
    return touched


def first_word(text: str, place: int) -> int:
    """The place of the first character that is no blank."""
    while place < len(text) and text[place].isspace():
        place += 1
    return place
