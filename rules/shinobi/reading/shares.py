"""Posts of an account with several characters: whose part each line is (NS1, G18).

Players name whose part follows on a line of its own (`Kaito:`, `== Kaito ==`), in front of a tag (`Kaito: [...]`),
inside it (`[Kaito: ...]`), or only in their prose. Labels are certain; parts that end with a Loss Tag each and name one
character in words are taken as that character's, and the judge says so. All else is left unsorted and not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from referee.model.text import Script
from referee.ports.reading import squeeze, tags
from rules.shinobi.lexicon import POOL, Lexicon
from rules.shinobi.reading.loss import LEAD as LOSS_LEAD

#: More labels than this in one post are hostile.
_MOST_LABELS = 200
#: A line longer than this is no heading, and its label stands within so many characters.
_LONGEST = 160
#: What may stand around a name that is a heading or a label.
_DRESS = " \t*_=~#>|<:.-\"'\u2022"
_BRACKETS = "[](){}"
_BEFORE = re.compile(r"(?:name|character|char|turn|post|playing|as|for|npc)\b[ ]?(?:of[ ])?[:=-]?[ ]?", re.IGNORECASE)
_BEHIND = re.compile(
    r"(?:'s?)?[ ]?(?:(?:turn|part|posts?|actions?|moves?|tags?|stats?|again|here|side|section)\b)?"
    r"(?:[ ]?[(\[|/-][ ]?[a-z]{1,20}(?:[ ][a-z]{1,20})?[ ]?[)\]]?)?[ :.*_=~#-]*",
    re.IGNORECASE,
)
#: Between a label on a line and its tag.
_TO_TAG = re.compile(
    r"(?:'s?)?(?:[ ](?:total[ ])?(?:loss(?:es)?(?:[ ]tag)?|tags?|turn|response|set-?up|main))?"
    r"[ ]{0,3}[:>|=*_-]{0,4}[ ]{0,3}",
    re.IGNORECASE,
)
#: Behind a name inside of a bracket: a sign, an amount of a pool, or what a fighter does.
_IN_TAG = re.compile(
    rf"(?:(?:'s?)?[ ]?(?:(?:total[ ])?loss(?:es)?(?:[ ]tag)?[ ]?)?(?::|[ ]-(?=[ ])|\|)"
    rf"|(?:'s?)?(?=[ ]{POOL}[ ]?[:=]?[ ]?[+-]?[ ]?\d)"
    r"|(?=[ ](?:us(?:es|ed)|casts?|takes?|took|roll(?:s|ed)|guards?"
    r"|activates?|draws?|forfeits?|needs?|dodges?|attacks?)\b))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a post and whose it is (None: not said); `skip`: so many of its first characters are the label."""

    start: int
    end: int
    name: str | None
    skip: int = 0


class Labels:
    """Finds the names of an account's own characters where they head a part of a post."""

    def __init__(self, lexicon: Lexicon, own: Iterable[str]) -> None:
        """Of these characters, by every form of their names (G18)."""
        self._lexicon = lexicon
        self._mine = mine = frozenset(own)
        owners = {form: lexicon.names.exact(form) for form in lexicon.names.forms}
        self._forms = {form: str(name) for form, name in owners.items() if name in mine}
        self._longest_first = sorted(self._forms, key=len, reverse=True)

    def pieces(self, script: Script) -> list[Piece]:
        """The stretches of a script, cut where a label stands."""
        found = [*self._of_lines(script.text), *self._of_tags(script)]
        starts = sorted({piece.start: piece for piece in reversed(found)}.values(), key=lambda piece: piece.start)
        first = starts[0].start if starts else len(script.text)
        ends = [piece.start for piece in starts[1:]] + [len(script.text)]
        cut = [replace(piece, end=end) for piece, end in zip(starts, ends, strict=False)]
        return [Piece(0, first, None), *cut] if first else cut

    def named(self, text: str, heads: bool = True) -> str | None:
        """The one character whom a stretch names; of several (with `heads`) the one with whom alone its lines begin."""
        held = {name for name in self._lexicon.names_in(text) if name in self._mine and self._meant(name, text)}
        if len(held) > 1 and heads:
            begun = (self._at(squeeze(line.strip(_DRESS)[:_LONGEST]), 0) for line in text.split("\n"))
            held = {found[0] for found in begun if found is not None}
        return next(iter(held)) if len(held) == 1 else None

    def _meant(self, name: str, text: str) -> bool:
        """Whether a text means somebody: a word such as `man`, of `Old Man Tomo`, is a name with a capital only."""
        low = squeeze(text)
        mine = [form for form, whose in self._forms.items() if whose == name and form in low]
        whole = {squeeze(name), squeeze(name.split()[0])}
        return any(form in whole or form.title() in text or form.upper() in text for form in mine)

    def _of_lines(self, text: str) -> list[Piece]:
        found: list[Piece] = []
        place = 0
        for line in text.split("\n"):
            if line and len(found) < _MOST_LABELS:
                piece = self._label(line, place)
                if piece is not None:
                    found.append(piece)
            place += len(line) + 1
        return found

    def _label(self, line: str, place: int) -> Piece | None:
        """A heading such as `== Kaito ==`, or a label in front of a tag or of a Loss Tag without brackets."""
        if len(line) <= _LONGEST and self._heads(line):
            return Piece(place, place, self._heads(line), len(line))
        bare = line.lstrip(_DRESS)
        lead = len(line) - len(bare)
        met = self._at(_low(bare[:_LONGEST]), 0) if lead < 20 else None
        if met is None:
            return None
        name, stop = met
        behind = _TO_TAG.match(bare, stop)
        end = behind.end() if behind is not None else stop
        rest = bare[end : end + _LONGEST]
        told = rest[:1] == "[" or LOSS_LEAD.match(rest[1:] if rest[:1] in "({" else rest) is not None
        return Piece(place, place, name, lead + end) if rest and told else None

    def _heads(self, line: str) -> str | None:
        """Whose name a line is, dressed up or with a word or two."""
        bare = line.strip(_DRESS + _BRACKETS)
        known = self._forms.get(squeeze(bare))
        if known is not None or not bare:
            return known
        lead = _BEFORE.match(bare)
        for begin in (0, lead.end()) if lead is not None else (0,):
            met = self._at(_low(bare), begin)
            if met is not None and _BEHIND.fullmatch(bare, met[1]):
                return met[0]
        return None

    def _of_tags(self, script: Script) -> list[Piece]:
        found: list[Piece] = []
        for tag in tags(script):
            inner = tag.inner.lstrip()
            met = self._at(_low(inner[:_LONGEST]), 0)
            behind = _IN_TAG.match(inner, met[1]) if met is not None else None
            if met is None or behind is None or len(found) >= _MOST_LABELS:
                continue
            start = tag.inner_start + len(tag.inner) - len(inner)
            found.append(Piece(tag.start, start + behind.end(), met[0], -(start + behind.end() - tag.start)))
        return found

    def _at(self, low: str, place: int) -> tuple[str, int] | None:
        """Whose name stands at a place of a text in small letters, as a whole word, and the place behind it."""
        for form in self._longest_first:
            stop = place + len(form)
            if low.startswith(form, place) and not low[stop : stop + 1].isalnum():
                return self._forms[form], stop
        return None


def _low(text: str) -> str:
    """A text in small letters, of the same length."""
    low = text.casefold()
    return low if len(low) == len(text) else text


def masked(script: Script, pieces: Sequence[Piece]) -> Script:
    """A script of which only some pieces are left, at their places; labels of their own lines and tags are blanked."""
    text, shown = script.text, script.shown
    kept: list[str] = []
    seen: list[str] = []
    place = 0
    for piece in pieces:
        gap = "\n" * (piece.start - place)
        label = abs(piece.skip)
        blank = text[piece.start] + " " * (label - 1) if piece.skip < 0 else "\n" * label
        kept += [gap, blank, text[piece.start + label : piece.end]]
        seen += [gap, shown[piece.start : piece.end]]
        place = piece.end
    gap = "\n" * (len(text) - place)
    anchors = tuple(a for a in script.anchors if any(p.start <= a.start and a.end <= p.end for p in pieces))
    return Script("".join([*kept, gap]), "".join([*seen, gap]), anchors)


def by_name(pieces: Iterable[Piece]) -> Mapping[str | None, list[Piece]]:
    """Pieces by whose they are, in the order of their first words."""
    found: dict[str | None, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.name, []).append(piece)
    return found


def cut_behind(script: Script, losses: Sequence[tuple[int, int]], labels: Labels) -> list[Piece]:
    """The stretches of a post that end with a Loss Tag each; what follows the last one belongs to it."""
    ends = [script.line_end(max(0, end - 1)) for _, end in losses[:-1]]
    bounds = [0, *sorted(set(ends)), len(script.text)]
    found: list[Piece] = []
    for start, end in pairwise(bounds):
        part = Script(script.text[start:end], script.shown[start:end])
        heads = {piece.name for piece in labels.pieces(part) if piece.name}
        only = next(iter(heads)) if len(heads) == 1 else None
        found.append(Piece(start, end, only or labels.named(part.text)))
    return found
