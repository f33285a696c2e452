"""Tools for a ruleset's reader: brackets, names, signed terms. Linear time, bounded lengths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.model.battle import Character
from referee.model.glyphs import straighten
from referee.model.text import Anchor, Script

#: More blanks than this beside a bracket, and it does not stand alone.
_BESIDE = 80

#: A bracket with more characters than this is prose, not a tag.
LONGEST_TAG = 1200

#: A smiley's bracket closes no tag: `[Damage: 8 x2 :)]`.
_SMILEY = re.compile(r"[:;=]-?\)$")

_BRACKET = re.compile(r"[()\[\]{}]|\n[ \t]*\n")
_OPEN = {"(": ")", "[": "]", "{": "}"}
_BLANKS = re.compile(r"\s+")

#: What may stand before a tag, stat line or move line (X18).
BULLET = r"[ \t]*(?:[-*\u2022][ \t]+)?"
ARROW = r"(?:->|=>|-->|\u2192)"


@dataclass(frozen=True, slots=True)
class Tag:
    """A bracket in a script: its place with and without the brackets, its inner text.

    `closed`: False where the closing bracket is missing (then it ends with its line). `alone`:
    nothing else but blanks and bullets stands on its line(s).
    """

    start: int
    end: int
    inner: str
    inner_start: int
    bracket: str
    closed: bool = True
    alone: bool = False


def tags(script: Script) -> Iterator[Tag]:
    """The outermost brackets of a script in order of place, each at most `LONGEST_TAG` long.

    Brackets of another kind may close one another, as players write; a bracket never reaches over
    an empty line. An opening bracket that is never closed gives a tag up to the end of its line, and
    brackets behind it on that line are given too.
    """
    text = script.text
    stack: list[int] = []
    spans: list[tuple[int, int]] = []
    for found in _BRACKET.finditer(text):
        sign = found.group()
        if sign in _OPEN:
            stack.append(found.start())
        elif sign[0] == "\n":
            spans += [(start, -1) for start in stack]
            stack.clear()
        elif stack and not (
            sign == ")" and text[stack[-1]] != "(" and _SMILEY.search(text, found.start() - 2, found.end())
        ):
            spans.append((stack.pop(), found.end()))
    spans += [(start, -1) for start in stack]
    yield from _outermost(script, sorted(spans))


def _smiles(text: str, opened: int, found: re.Match[str]) -> bool:
    """Whether a closing bracket belongs to a smiley inside a bracket of another kind."""
    if found.group() != ")" or text[opened] == "(":
        return False
    return _SMILEY.search(text, max(0, found.start() - 2), found.end()) is not None


def _outermost(script: Script, spans: list[tuple[int, int]]) -> Iterator[Tag]:
    covered, line_stop = 0, -1
    for start, end in spans:
        if start < covered:
            continue
        closed = end >= 0
        if not closed and start > line_stop:
            line_stop = script.line_end(start)
        stop = end if closed else line_stop
        if stop - start > LONGEST_TAG:
            continue
        if closed:
            covered = stop
        yield _tag(script, start, stop, closed)


def _tag(script: Script, start: int, end: int, closed: bool) -> Tag:
    text = script.text
    inner = text[start + 1 : end - 1] if closed else text[start + 1 : end]
    return Tag(start, end, inner, start + 1, text[start], closed, _alone(text, start, end))


def _alone(text: str, start: int, end: int) -> bool:
    """Whether only blanks and a bullet stand beside a bracket on its line(s).

    Looks at a few characters only: a line may be a million characters long and full of brackets.
    """
    near = text[max(0, start - _BESIDE) : start]
    before = near[near.rfind("\n") + 1 :]
    if len(before) == _BESIDE or before.strip(" \t*-\u2022"):
        return False
    after = text[end : end + _BESIDE].partition("\n")[0]
    return len(after) < _BESIDE and not after.strip(" \t.,;")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a script: its place and its text without blanks and a bullet in front (X18)."""

    start: int
    end: int
    text: str


_LINE = re.compile(rf"^{BULLET}([^\n]*)$", re.MULTILINE)


def lines(script: Script) -> Iterator[Line]:
    """The lines of a script that are not empty, in order."""
    for found in _LINE.finditer(script.text):
        text = found.group(1).rstrip(" \t")
        if text:
            yield Line(found.start(1), found.start(1) + len(text), text)


def squeeze(text: str) -> str:
    """Text folded for comparison: straightened, lower case, single blanks."""
    return _BLANKS.sub(" ", straighten(text)).strip().casefold()


class Names:
    """Names of characters (or of anything with aliases) as posts write them (G18).

    A name is its full form, an alias, or a first word that only one of them has; any case. A near
    miss is nobody: it is never guessed.
    """

    def __init__(self, named: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Names from (full name, aliases)."""
        self._full: dict[str, str] = {}
        first: dict[str, set[str]] = {}
        for name, aliases in named:
            for form in (name, *aliases):
                self._full.setdefault(squeeze(form), name)
            first.setdefault(squeeze(name).split(" ")[0], set()).add(name)
        self._first = {word: next(iter(owners)) for word, owners in first.items() if len(owners) == 1}
        forms = sorted({*self._full, *self._first} - {""}, key=len, reverse=True)
        joined = "|".join(re.escape(form).replace(r"\ ", r"[ \t]+") for form in forms)
        #: A pattern (no groups, to be used with IGNORECASE) that matches any known form of a name.
        self.pattern = rf"(?<!\w)(?:{joined})(?!\w)" if forms else r"(?!)"

    @staticmethod
    def of(characters: Iterable[Character]) -> Names:
        """The names of a battle's characters."""
        return Names((c.name, c.aliases) for c in characters)

    def find(self, text: str) -> str | None:
        """The full name that `text` stands for, or None."""
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


def whole(text: str) -> int | None:
    """A whole number as players write it (`1,720`, `+5`, `-0`, `- 7`), or None where it is none."""
    plain = text.replace(" ", "").lstrip("+")
    if re.fullmatch(r"-?\d{1,3}(?:[,.]\d{3})+", plain):
        plain = re.sub(r"[,.]", "", plain)
    return int(plain) if re.fullmatch(r"-?\d{1,9}", plain) else None


def urls(anchors: Iterable[Anchor]) -> tuple[str, ...]:
    """The addresses of the anchors that are links."""
    return tuple(anchor.url for anchor in anchors if anchor.url)
