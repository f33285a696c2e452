"""Tools for a ruleset's reader: brackets, names, signed terms. Linear time, bounded lengths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from unicodedata import combining, normalize

from referee.model.battle import Character
from referee.model.glyphs import straighten
from referee.model.text import Anchor, Script

#: More blanks than this beside a bracket, and it does not stand alone.
_BESIDE = 80

#: A bracket with more characters than this is prose, not a tag.
LONGEST_TAG = 1200

#: A smiley's bracket closes no tag: `[Damage: 8 x2 :)]`.
_SMILEY = re.compile(r"[:;=]-?\)$")

#: A pair with neither a bracket nor a line break in it, as most are, or a bracket alone.
_PLAIN = r"[^()\[\]{}\n]*"
_BRACKETS = re.compile(rf"\((?:{_PLAIN}\))?|\[(?:{_PLAIN}\])?|\{{(?:{_PLAIN}\}})?|\)|\]|\}}")
_OPEN = frozenset("([{")
_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
_BULLETS = frozenset("-*\u2022")
#: The number of a list's entry.
_LISTED = re.compile(r"\d{1,2}[.)][ \t]+(?=\S)")
#: What may stand right before a tag that is alone on its line.
_MAY_PRECEDE = frozenset(" \t\n") | _BULLETS

#: Words and names are folded again and again; longer texts are not worth keeping.
_SHORT = 64

ARROW = r"(?:->|=>|-->|\u2192)"


class Tag(NamedTuple):
    """A bracket in a script: its place with and without the brackets, its inner text.

    `closed`: False where the closing bracket is missing (then it ends with its line). `text`: the
    whole script's.
    """

    start: int
    end: int
    inner: str
    inner_start: int
    bracket: str
    closed: bool = True
    text: str = ""

    @property
    def alone(self) -> bool:
        """Whether nothing else but blanks and bullets stands on its line(s)."""
        return _alone(self.text, self.start, self.end)


def tags(script: Script) -> Iterator[Tag]:
    """The outermost brackets of a script in order of place, each at most `LONGEST_TAG` long.

    Brackets of another kind may close one another, as players write; a bracket never reaches over
    an empty line. An opening bracket that is never closed gives a tag up to the end of its line, and
    brackets behind it on that line are given too.
    """
    text = script.text
    stack: list[int] = []
    spans: list[tuple[int, int]] = []
    last = 0
    for found in _BRACKETS.finditer(text):
        place, end = found.span()
        if stack and text.find("\n", last, place) >= 0 and _EMPTY_LINE.search(text, last, place):
            spans += [(start, -1) for start in stack]
            stack.clear()
        last = end - 1
        if last > place:
            spans.append((place, end))
        elif (sign := text[place]) in _OPEN:
            stack.append(place)
        elif stack and not (sign == ")" and _smiles(text, stack[-1], place)):
            spans.append((stack.pop(), end))
    spans += [(start, -1) for start in stack]
    spans.sort()
    return _outermost(script, spans)


def _smiles(text: str, opened: int, place: int) -> bool:
    """Whether a closing bracket belongs to a smiley inside a bracket of another kind."""
    return text[opened] != "(" and _SMILEY.search(text, max(0, place - 2), place + 1) is not None


def _outermost(script: Script, spans: list[tuple[int, int]]) -> Iterator[Tag]:
    text = script.text
    covered, line_stop = 0, -1
    for start, end in spans:
        if start < covered:
            continue
        closed = end >= 0
        if closed:
            stop = end
        else:
            line_stop = script.line_end(start) if start > line_stop else line_stop
            stop = line_stop
        if stop - start > LONGEST_TAG:
            continue
        if closed and text[start] == "(" and _wraps(text, start + 1, stop - 1):
            continue
        if closed:
            covered = stop
        inner = text[start + 1 : stop - 1 if closed else stop]
        yield Tag(start, stop, inner, start + 1, text[start], closed, text)


def _wraps(text: str, start: int, stop: int) -> bool:
    """Whether round brackets hold nothing but square ones: `([Move: standing still])`."""
    return text[start:stop].lstrip(" ")[:1] == "[" and text[start:stop].rstrip(" ")[-1:] == "]"


@lru_cache(maxsize=16)  # Asked several times of one bracket.
def _alone(text: str, start: int, end: int) -> bool:
    """Whether only blanks and a bullet stand beside a bracket on its line(s).

    Looks at a few characters only: a line may be a million characters long and full of brackets.
    """
    if start and text[start - 1] not in _MAY_PRECEDE:
        return False
    near = text[max(0, start - _BESIDE) : start]
    before = near[near.rfind("\n") + 1 :]
    if len(before) == _BESIDE or before.strip(" \t*-\u2022"):
        return False
    after = text[end : end + _BESIDE].partition("\n")[0]
    return len(after) < _BESIDE and not after.strip(" \t.,;")


class Line(NamedTuple):
    """One line of a script: its place and its text without blanks and a bullet or list number in front (X18)."""

    start: int
    end: int
    text: str


def lines(script: Script) -> Iterator[Line]:
    """The lines of a script that are not empty, in order."""
    place = 0
    for line in script.text.split("\n"):
        after = place + len(line) + 1
        text = line.lstrip(" \t")
        if len(text) > 1 and text[0] in _BULLETS and text[1] in " \t":
            text = text[1:].lstrip(" \t")
        elif len(text) > 2 and text[0].isdecimal():
            listed = _LISTED.match(text)
            text = text[listed.end() :] if listed else text
        start = after - 1 - len(text)
        text = text.rstrip(" \t")
        if text:
            yield Line(start, start + len(text), text)
        place = after


def squeeze(text: str) -> str:
    """Text folded for comparison: straightened, lower case, single blanks."""
    return _squeezed(text) if len(text) <= _SHORT else _squeeze(text)


def _squeeze(text: str) -> str:
    return " ".join(straighten(text).split()).casefold()


_squeezed = lru_cache(maxsize=4096)(_squeeze)


def unaccented(form: str) -> str:
    """A text without the marks on its letters: `élodie` as `elodie`."""
    return "".join([sign for sign in normalize("NFKD", form) if not combining(sign)])


class Names:
    """Names of characters (or of anything with aliases) as posts write them (G18).

    A name is its full form, an alias, or a first word that only one of them has; any case, and without its accents
    where that is only one's. A near miss is nobody: it is never guessed.
    """

    def __init__(self, named: Iterable[tuple[str, Iterable[str]]], *, first_words: bool = True) -> None:
        """Names from (full name, aliases). `first_words`: the first word of a name may stand for it."""
        self._full: dict[str, str] = {}
        first: dict[str, set[str]] = {}
        for name, aliases in named:
            for form in filter(None, map(squeeze, (name, *aliases))):
                self._full.setdefault(form, name)
            if first_words and squeeze(name):
                # `The Pale Knight` is nobody's `the`.
                first.setdefault(squeeze(name).removeprefix("the ").split(" ")[0], set()).add(name)
        self._first = {word: next(iter(owners)) for word, owners in first.items() if len(owners) == 1}
        self._add_plain(self._full)
        self._add_plain(self._first)

    @staticmethod
    def _add_plain(forms: dict[str, str]) -> None:
        """Add the forms without accents: many keyboards have none."""
        plain: dict[str, set[str]] = {}
        for form, name in forms.items():
            if not form.isascii():
                plain.setdefault(unaccented(form), set()).add(name)
        for form, owners in plain.items():
            if len(owners) == 1:
                forms.setdefault(form, *owners)

    @staticmethod
    def of(characters: Iterable[Character]) -> Names:
        """The names of a battle's characters."""
        return Names((c.name, c.aliases) for c in characters)

    @property
    def forms(self) -> frozenset[str]:
        """Every form that stands for somebody, squeezed."""
        return frozenset((*self._full, *self._first))

    def exact(self, text: str) -> str | None:
        """The full name of which `text` is a form, or None."""
        form = squeeze(text)
        return self._full.get(form) or self._first.get(form)

    def find(self, text: str) -> str | None:
        """The full name that `text` stands for, a possessive `'s` aside, or None."""
        form = squeeze(text)
        form = form.removesuffix("'s").strip()
        return self._full.get(form) or self._first.get(form)


@dataclass(frozen=True, slots=True)
class Term:
    """A signed number in a sum, with the words that follow it: `- 10 (dexterity bonus)`."""

    value: int
    label: str = ""
    start: int = 0
    end: int = 0


_TERM = re.compile(
    r"\s*(?P<sign>[+-])?\s*(?P<number>\d{1,9})(?![\dd%])"
    r"(?:\s*\((?P<note>[^()\n]{0,80})\)|\s*(?P<word>[A-Za-z][A-Za-z .']{0,39}))?",
)


def terms(text: str, place: int = 0) -> tuple[tuple[Term, ...], int]:
    """The signed numbers of a sum from `place` on, and the place behind the last one.

    The first may go without a sign; every further one needs it. A label is a bracket or plain words
    right behind the number.
    """
    found: list[Term] = []
    while True:
        met = _TERM.match(text, place)
        if met is None or (found and not met["sign"]):
            return tuple(found), place
        value = int(met["number"])
        label = (met["note"] or met["word"] or "").strip()
        found.append(Term(-value if met["sign"] == "-" else value, label, met.start("number"), met.end("number")))
        place = met.end()


#: The digits of a longer number are no number's.
_SHORT_NUMBER = 9
_WHOLE = re.compile(r"-?\d{1,9}")
_GROUPED = re.compile(r"-?\d{1,3}(?:[,.]\d{3})+")


def whole(text: str) -> int | None:
    """A whole number as players write it (`1,720`, `+5`, `-0`, `- 7`), or None where it is none."""
    if len(text) <= _SHORT_NUMBER and text.isdecimal():
        return int(text)
    plain = text.replace(" ", "").lstrip("+")
    if _GROUPED.fullmatch(plain):
        plain = plain.replace(",", "").replace(".", "")
    return int(plain) if _WHOLE.fullmatch(plain) else None


def urls(anchors: Iterable[Anchor]) -> tuple[str, ...]:
    """The addresses of the anchors that are links."""
    return tuple(anchor.url for anchor in anchors if anchor.url)
