"""Reading the Defense that an attack goes against: `vs Defense 15`, `vs DEF 14 + 2 = 16`, `11 and 13` (ND2, ND8)."""

from __future__ import annotations

import re
from typing import NamedTuple

from rules.d20_arena.reading.chain import Chain, read_chain, total_of

#: Words that may be left of a link that leads nowhere, such as `roll`.
JUNK = r"(?:[ \t]*+[(\[]?[A-Za-z/:.=]{1,24}[)\]]?)?"
#: The same where the words behind it can't be taken for it: looked at only if they do not stand there at once.
RARE_JUNK = JUNK + "?"
_AGAINST = r"(?:vs?\.?|versus|against)"
_VERSUS = re.compile(
    RARE_JUNK + rf"[ \t]*+,?[ \t]*+(?:{_AGAINST}|>=|<=|[\u2265\u2264<>])[ \t]*+"
    r"(?:(?:defen[cs]e|def)(?![A-Za-z])\.?[ \t]*+:?[ \t]*+)?(\d{1,9})(?!\d)"
    r"((?:[ \t]*+(?:and|&|/)[ \t]*+\d{1,9}(?!\d)){1,19}"
    # `13, 12 and 15`, `13, 12, 15, hit all`.
    r"|(?:[ \t]*+,[ \t]*+\d{1,9}(?!\d)){1,18}[ \t]*+,?[ \t]*+(?:and|&)[ \t]*+\d{1,9}(?!\d)"
    r"|(?:[ \t]*+,[ \t]*+\d{1,9}(?!\d)){1,18}(?=[ \t]*+[,;:.-][ \t]*+(?:hit|miss|both|all|nat|crit)))?",
    re.IGNORECASE,
)
#: Behind the number something goes on that may change it.
_MORE = re.compile(r"[ \t]*+(?:\(|[+=-][ \t]*+[\d(\[])")
_ENDS = frozenset((",", ";", ""))
#: Anywhere before the parts: `vs Vesna's Defense 16`, `(Defense 15)`, `vs Defense (14 + 2 = 16)`.
_DEF = r"(?:defen[cs]e|def)(?![A-Za-z])\.?[ \t]*+(?:is[ ]|of[ ])?[:=]?[ \t]*+"
_SOMEWHERE = re.compile(
    rf"\b(?:{_AGAINST}[ \t]++(?:[^;=\n]{{0,40}}?\b{_DEF}|[^;,=\n]{{1,40}}?(?:'s[ ]|:[ ]?|[ ](?=[(\[])))?|{_DEF})"
    r"(?=[(\[]?[ \t]*+\d)",
    re.IGNORECASE,
)
_SAID = re.compile(r"\b(?:defen[cs]e|def)(?![A-Za-z])[^;\n]{0,40}?\d", re.IGNORECASE)
_NEXT = re.compile(r"[ \t]*+(?:and|&|/)[ \t]*+(?=[(\[]?\d)", re.IGNORECASE)
#: The next Defense with its owner before it: `15 and Golem 2 Defense 13`, `15, Golem 2: 13`.
_ANOTHER = (
    rf"[ \t]*+(?:,?[ \t]*+and\b|[,&/])[ \t]*+(?:{_AGAINST}[ \t]++)?"
    r"(?!hits?\b|miss|both\b|all\b|nat|crit)[^;,=()\[\]\n]{0,40}?"
)
_NEXT_DEF = re.compile(rf"{_ANOTHER}\b{_DEF}(?=[(\[]?[ \t]*+\d)", re.IGNORECASE)
_NEXT_COLON = re.compile(rf"{_ANOTHER}(?:'s[ ]|:[ ]?)(?=[(\[]?[ \t]*+\d)", re.IGNORECASE)
#: Every labelled one: `DEF 15 for Golem 1 and DEF 13 for Golem 2`, `Golem 1 (Defense 15) and Golem 2 (Defense 13)`.
_EACH = re.compile(rf"\b{_DEF}(\d{{1,9}})(?!\d|[ \t]*+[+-])", re.IGNORECASE)
_OVER = re.compile(r";|d\d", re.IGNORECASE)
_BRACKET = re.compile(r"[ \t]*+[(\[][^()\[\]\n]{0,60}[)\]]")
#: Behind `15 - 4` such words mean that 4 is no part of the Defense: `15 - 4 short`.
_WORDS_BEHIND = re.compile(r"[ \t]*+(?!hits?\b|miss|crit|nat|and\b)[A-Za-z]", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_MOST = 20


class Versus(NamedTuple):
    """The Defenses that an attack names, and the place behind them."""

    defense: tuple[int, ...]
    place: int


def read_versus(text: str, place: int, stop: int) -> Versus | None:
    """The Defense behind a hit roll, up to `stop`; none of it is `Versus((), place)`, None if it can't be read."""
    read = _read(text, place, stop)
    if read is None or len(read.defense) != 1 or _SAID.search(text, read.place, stop) is None:
        return read
    # Behind a semicolon or another die stands what is no part of this.
    over = _OVER.search(text, read.place, stop)
    each = list(_EACH.finditer(text, place, over.start() if over else stop))
    return Versus(tuple([int(one[1]) for one in each]), each[-1].end()) if len(each) > 1 else read


def _read(text: str, place: int, stop: int) -> Versus | None:
    plain = _VERSUS.match(text, place, stop)
    if plain is not None:
        if _NEXT_DEF.match(text, plain.end(), stop):
            return _sums(text, plain.start(1), stop)
        if text[plain.end() : plain.end() + 1] in _ENDS or not _MORE.match(text, plain.end(), stop):
            further = plain.group(2)
            numbers = map(int, _NUMBER.findall(further)) if further else ()
            return Versus((int(plain.group(1)), *numbers), plain.end())
        return _sums(text, plain.start(1), stop)
    found = _SOMEWHERE.search(text, place, stop)
    if found is not None:
        labelled = _SAID.search(text, found.start(), min(stop, found.end() + 1)) is not None
        return _sums(text, found.end(), stop, not labelled)
    return None if _SAID.search(text, place, stop) else Versus((), place)


def _sums(text: str, place: int, stop: int, bare: bool = False) -> Versus | None:
    """`14 + 2 = 16`, `16 (14 + 2)`, `(14 + 2)`, each of several; `bare`: with names, but without the word Defense."""
    found: list[int] = []
    for _ in range(_MOST):
        one = _one(text, place, stop)
        if one is None:
            return None
        number, place = one
        found.append(number)
        further = _NEXT.match(text, place, stop) or _NEXT_DEF.match(text, place, stop)
        if further is None and bare:
            further = _NEXT_COLON.match(text, place, stop)
        if further is None:
            return Versus(tuple(found), place)
        place = further.end()
    return None


def _one(text: str, place: int, stop: int) -> tuple[int, int] | None:
    bracket = _BRACKET.match(text, place, stop)
    if bracket is not None:
        inner = read_chain(text, _inside(text, place), bracket.end() - 1)
        return (total_of(inner), bracket.end()) if inner and inner.place == bracket.end() - 1 else None
    chain = read_chain(text, place, stop)
    if chain is None:
        return None
    if _taken_off(chain) and _WORDS_BEHIND.match(text, chain.place, stop):
        return None
    aside = _BRACKET.match(text, chain.place, stop)
    if aside is None:
        return total_of(chain), chain.place
    inner = read_chain(text, _inside(text, chain.place), aside.end() - 1)
    if inner is not None and inner.place == aside.end() - 1 and len(inner.steps[0]) > 1:
        # `15 (14 + 2)`: two Defenses; which one is meant can't be told.
        return None if total_of(inner) != total_of(chain) else (total_of(chain), aside.end())
    return total_of(chain), aside.end()


def _inside(text: str, place: int) -> int:
    """The place behind an opening bracket that stands at or behind a place."""
    while text[place] in " \t":
        place += 1
    return place + 1


def _taken_off(chain: Chain) -> bool:
    """Whether a chain is a difference without a result."""
    return len(chain.steps) == 1 and len(chain.steps[0]) > 1
