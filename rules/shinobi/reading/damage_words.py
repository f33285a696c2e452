"""Damage tags in players' own order of words (NS6): `13 x2 punch`, `Stone Fang: 80`, `30 + 200/4 = 80`.

Only what the tables or the rulebook name makes such words a tag; where a number may be the damage or the number of
hits, nothing is read. Tried where the usual forms do not fit.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, floor

from referee.ports.reading import squeeze
from rules.shinobi.lexicon import BASIC, Lexicon
from rules.shinobi.model import Part

#: Longer tags, and tags of more words, are in no usual form at all.
_LONGEST = 200
_MOST_WORDS = 30
_MOST_NAME = 5
#: No attack has more hits than the one, and hardly a hit as little damage as the other (NS6).
_FEW, _MOST_HITS = 10, 200
#: Stands for a name while the words around it are looked at.
_NAME = "\u00a7"
_WORD = re.compile(r"[A-Za-z][A-Za-z'.-]*|\d+|[^\sA-Za-z\d]")
_N = r"\d{1,5}"
_SUM = rf"(?:(?P<base>{_N}) ?\+ ?(?P<share>{_N}) ?= ?)?"
_DAMAGE = r"(?: ?(?:hp|damage|dmg))?"
_TIMES = r"(?:,? ?\(? ?[x*] ?(?P<hits>\d{1,3}) ?\)?)?"
_WITH = r"(?: ?[(,-])? ?(?:(?:with|from|for|by|using|via) )?(?:(?:an?|the|my|his|her|their|each|one) )?"
#: A sum behind the number of hits is that of each hit: no more than two hits of unlike damage are added up so.
_EACH_SUMMED = (
    re.compile(
        rf"(?P<hits>\d{{1,3}}) ?x? ?{_NAME} ?[:,@-]? ?(?:(?:for|at|of) )?(?P<base>{_N}) ?\+ ?(?P<share>{_N})"
        rf" ?= ?(?P<amount>{_N}){_DAMAGE}"
    ),
    re.compile(
        rf"{_NAME} ?x ?(?P<hits>\d{{1,3}}) ?[:,@-] ?(?P<base>{_N}) ?\+ ?(?P<share>{_N}) ?= ?(?P<amount>{_N}){_DAMAGE}"
    ),
)
#: Whether the amount is of one hit or of all is open, unless it can not be shared out among them.
_OF_ONE_OR_ALL = tuple(
    re.compile(rf"{counted} ?[:,@-] ?(?P<amount>{_N}){_DAMAGE}")
    for counted in (rf"(?P<hits>\d{{1,3}}) ?x? ?{_NAME}", rf"{_NAME} ?x ?(?P<hits>\d{{1,3}})")
)
_FORMS = (
    tuple(
        re.compile(form)
        for form in (
            rf"{_SUM}(?P<amount>{_N}){_DAMAGE}{_TIMES}(?: each)?(?: ?= ?(?P<total>{_N}))?{_WITH}{_NAME}"
            rf"(?:,? ?\(? ?x ?(?P<late>\d{{1,3}}) ?\)?)?(?: each)? ?\)?",
            rf"{_NAME} ?(?:[:,@=-]|for|at|does|deals)? ?{_SUM}(?P<amount>{_N}){_DAMAGE}{_TIMES}(?: each)?",
            rf"(?P<hits>\d{{1,3}}) ?x? ?{_NAME} ?[:,@-]? ?(?:(?:for|at|of) )?{_SUM}(?P<amount>{_N}){_DAMAGE}"
            r" ?,? ?(?:each|per hit|apiece)",
            rf"(?P<hits>1) ?x ?{_NAME} ?[:,@-] ?{_SUM}(?P<amount>{_N}){_DAMAGE}",
            rf"{_NAME} ?x ?(?P<hits>\d{{1,3}}) ?[:,@-] ?{_SUM}(?P<amount>{_N}){_DAMAGE} ?(?:each|per hit|apiece)",
            rf"(?P<hits>\d{{1,3}}) ?x? ?{_NAME} ?(?:@|at) ?{_SUM}(?P<amount>{_N}){_DAMAGE}",
            rf"{_SUM}(?P<amount>{_N}){_DAMAGE} ?each ?[,:(-]? ?(?P<hits>\d{{1,3}}) ?x? ?{_NAME} ?\)?",
            rf"{_SUM}(?P<amount>{_N}){_DAMAGE} ?(?:per|each) {_NAME} ?[,(] ?x? ?(?P<hits>\d{{1,3}})"
            rf" ?x? ?(?:{_NAME}|hits?|times)? ?\)?",
            rf"(?P<total>{_N})(?: total)?{_DAMAGE} ?\( ?(?P<amount>{_N}) ?x ?(?P<hits>\d{{1,3}}) ?{_NAME} ?\)",
        )
    )
    + _EACH_SUMMED
    + _OF_ONE_OR_ALL
)
_BETWEEN = (re.compile(r" ?(?:[,;/&|]|\band\b) ?"), re.compile(r" ?(?:[,;/&|+]|\band\b) ?"))
_WORKED = re.compile(
    r"(?P<work>[\d+*/(). =-]{3,120})= ?(?P<amount>\d{1,5})"
    r"(?:(?: damage)?(?: ?,? ?(?:per|each) (?P<per>[a-z][a-z'. -]{0,59}?))?)"
    r"(?:,? ?x ?(?P<hits>\d{1,3}))?(?: ?\((?P<what>[a-z][^()\n]{0,59})\))?",
    re.IGNORECASE,
)
#: The base, where the last step begins with it.
_FIRST = re.compile(r" ?(\d{1,5}) ?\+")
_TOKEN = re.compile(r"\d{1,6}(?:\.\d{1,4})?|[-+*/()]")


def in_words(text: str, lexicon: Lexicon) -> tuple[Part, ...] | None:
    """The items of a damage tag without its head, in any usual order of words; None where it is none of these."""
    if len(text) > _LONGEST:
        return None
    worked = _worked(text)
    if worked is not None:
        return (worked,)
    words, names = _with_names(text, lexicon)
    if not names:
        return None
    whole = _item(words, names)
    if whole is not None:
        return (whole,)
    for between in _BETWEEN:
        pieces = [piece for piece in between.split(words) if piece]
        counts = [piece.count(_NAME) for piece in pieces]
        if len(pieces) < 2 or counts.count(1) != len(pieces):
            continue
        parts = [_item(piece, [name]) for piece, name in zip(pieces, names, strict=True)]
        found = tuple(part for part in parts if part is not None)
        if len(found) == len(pieces):
            return found
    return None


def _with_names(text: str, lexicon: Lexicon) -> tuple[str, list[str]]:
    """A tag's words in small letters with a sign for each name that the battle knows, and those names."""
    words = _WORD.findall(text.casefold().rstrip(" .!"))
    if len(words) > _MOST_WORDS:
        return "", []
    out: list[str] = []
    names: list[str] = []
    place = 0
    while place < len(words):
        for length in range(min(_MOST_NAME, len(words) - place), 0, -1):
            name = " ".join(words[place : place + length])
            if words[place][0].isalpha() and known(name, lexicon):
                out.append(_NAME)
                names.append(name)
                place += length
                break
        else:
            out.append(words[place])
            place += 1
    return re.sub(r" ([,;:)])", r"\1", " ".join(out)), names


def _item(words: str, names: list[str]) -> Part | None:
    """One item; a plural without a number of hits leaves open how many there are."""
    if len(set(names)) != 1:
        return None
    for form in _FORMS:
        found = form.fullmatch(words)
        if found is None:
            continue
        held = found.groupdict()
        if form in _EACH_SUMMED and held["hits"] == "2" and held["base"] == held["share"]:
            return None
        times = [int(held[key]) for key in ("hits", "late") if held.get(key)]
        amount, hits = int(held["amount"]), times[0] if times else 1
        if form in _OF_ONE_OR_ALL and not (hits and amount % hits):
            return None
        plural = names[0] not in BASIC and names[0] in ("punches", "kicks", "knees", "elbows")
        if len(times) > 1 or not 0 < hits <= _MOST_HITS or (amount <= _FEW < hits) or (plural and not times):
            return None
        if held.get("total") and int(held["total"]) != amount * hits:
            return None
        base = int(held["base"]) if held.get("base") else None
        return Part(amount, hits, names[0], base, int(held["share"]) if base is not None else None)
    return None


def known(name: str, lexicon: Lexicon) -> bool:
    """Whether a name is a basic attack's, a weapon's or an ability's."""
    form = squeeze(name)
    return bool(lexicon.basic(form) or lexicon.weapon(form) or form in lexicon.abilities)


def _worked(text: str) -> Part | None:
    """`30 + (300-100)/4 = 80 (Stone Fang)`: a sum with more than addends, whose last step gives the amount."""
    found = _WORKED.fullmatch(text.strip(" ."))
    if found is None or not set("*/(") & set(found["work"]):
        return None
    last = found["work"].rstrip(" =").rpartition("=")[2]
    value = _value(last)
    amount, hits = int(found["amount"]), int(found["hits"] or 1)
    if value is None or amount not in (floor(value), ceil(value)) or not 0 < hits <= _MOST_HITS:
        return None
    what = found["what"] or found["per"]
    base = _FIRST.match(last)
    rest = (int(base[1]), amount - int(base[1])) if base is not None else (None, None)
    return Part(amount, hits, squeeze(what) if what else None, *rest)


def _value(sum_: str) -> Fraction | None:
    """What a sum in figures gives; None where it is none."""
    tokens = _TOKEN.findall(sum_)
    if not 0 < len(tokens) <= 40 or "".join(tokens) != sum_.replace(" ", ""):
        return None
    try:
        value, place = _added(tokens, 0, 0)
    except (ValueError, ZeroDivisionError, IndexError):
        return None
    return value if place == len(tokens) else None


def _added(tokens: list[str], place: int, depth: int) -> tuple[Fraction, int]:
    value, place = _multiplied(tokens, place, depth)
    while place < len(tokens) and tokens[place] in "+-":
        other, after = _multiplied(tokens, place + 1, depth)
        value = value + other if tokens[place] == "+" else value - other
        place = after
    return value, place


def _multiplied(tokens: list[str], place: int, depth: int) -> tuple[Fraction, int]:
    value, place = _single(tokens, place, depth)
    while place < len(tokens) and tokens[place] in "*/":
        other, after = _single(tokens, place + 1, depth)
        value = value * other if tokens[place] == "*" else value / other
        place = after
    return value, place


def _single(tokens: list[str], place: int, depth: int) -> tuple[Fraction, int]:
    """A number, or a sum in brackets.

    Raises ValueError where neither stands there, IndexError at the end.
    """
    if tokens[place] == "(" and depth < 8:
        value, after = _added(tokens, place + 1, depth + 1)
        if tokens[after] != ")":
            raise ValueError(tokens[after])
        return value, after + 1
    return Fraction(tokens[place]), place + 1
