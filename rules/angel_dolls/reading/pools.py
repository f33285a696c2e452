"""Reads HP of dolls and weapons, Trainer Points and winners (NA6, NA21)."""

from __future__ import annotations

import re

from referee.ports.reading import whole
from rules.angel_dolls.reading.lines import Said
from rules.angel_dolls.statements import Award, PoolLine, Winner

_NUMBER = r"-?\s?\d(?:[\d.,]{0,10}\d)?"
_POOL = re.compile(
    rf"\s*(?::\s*)?(?:hp\s*:?\s*)?(?:from\s+)?\(?\s*(?P<first>{_NUMBER})\s*"
    rf"(?:(?:->|-->|=>|→|\bto\b|(?:[+-]\s*\d{{1,6}}\s*){{1,6}}=)\s*(?P<new>{_NUMBER})(?:\s*/\s*(?P<of>{_NUMBER}))?"
    rf"|/\s*(?P<max>{_NUMBER})"
    r"|(?=\s*(?:hp\b|[,;|.!]|and\b|$)))\s*\)?\s*(?:hp\b(?:\s+(?:left|remaining|now)\b)?)?\s*(?:\([^()\n]{0,40}\))?\s*",
    re.IGNORECASE,
)
_HP = re.compile(
    r"\s*(?:(?:current|remaining|new|final|updated)\s+)?(?:hp|hit\s?points|health)\b"
    r"(?:\s+(?:totals?|left|check|now|status|so far|remaining)\b)?\s*[:=]?\s*",
    re.IGNORECASE,
)
#: Above numbers that may be HP: only a doll's maximum behind them shows it.
_STATUS = re.compile(
    r"\s*(?:(?:current|final|new)\s+)?(?:status|standings?|state)"
    r"(?:\s+(?:before|after|at|of|now|so far)\b[^:\n\d]{0,30}(?:\d{1,3})?)?\s*[:=-]\s*",
    re.IGNORECASE,
)
_HP_WORD = re.compile(r"(?<![a-z])hp(?![a-z])", re.IGNORECASE)
#: How a doll is said to stand at a number: `is still at`, `drops to`, `has`.
_STANDS = re.compile(
    r"(?:'s)?(?:\s+(?:is|are|was|has|now|still|only|down|back|up|left|drops?|falls?|fell|goes|went|sits?|stays?|stands?"
    r"|remains?|ends?|with|at|to|on)\b){0,5}(?P<at>(?<=\bat)|(?<=\bto)|(?<=\bwith))?",
    re.IGNORECASE,
)
_NO_VERB = frozenset((" 0", ": ", " (", *(f" {digit}" for digit in range(1, 10))))
_NEXT = re.compile(r"\s*(?:[,;|&*]|/(?=\s)|\band\b)\s*", re.IGNORECASE)
_ENDS = re.compile(r"\s*[.!]?\s*$")
#: Words may be told behind a line, but no further numbers.
_TOLD = re.compile(r"\s*[.!;]?\s*$|\s*[.!;-]\s[^\d\n]*$")
_POINTS = re.compile(
    r"\s*(?:trainer points?|tps?)\b(?:\s+(?:awarded|earned|given|go to)\b)?\s*(?::|-)?\s*", re.IGNORECASE
)
_GIVEN = r"\s*(?:[:(=]|-(?=\s))?\s*(?P<points>[+-]?\s?\d{1,6})(?:\s*points?)?\s*\)?"
_GIVEN += r"\s*(?:[,;.&/|]|and\b|$|(?<=[\d) ])(?=[^\W\d]))"
_POINTS_OF = re.compile(_GIVEN, re.IGNORECASE)
#: `4 each`: to all.
_EACH = re.compile(
    r"(?P<points>[+-]?\d{1,6})(?:\s+points?)?\s+(?:each|apiece|(?:for|to) (?:both|each|all))\W*$", re.IGNORECASE
)
#: The same of somebody who is no doll of the battle.
_POINT = re.compile(rf"\s*(?P<name>[^,;:\n\d+-][^,;:\n\d+-]{{0,60}}?){_GIVEN}", re.IGNORECASE)
_WINNER = re.compile(r"\s*winners?\s*(?::|-)\s*(?P<names>[^\n]{1,200}?)\s*[.!]?\s*$", re.IGNORECASE)
#: A heading alone on its line, above HP or Trainer Points.
_HEADING = re.compile(
    rf"\W{{0,8}}(?:(?P<hp>{_HP.pattern})|(?P<status>{_STATUS.pattern})|(?P<points>{_POINTS.pattern}))\W{{0,8}}$",
    re.IGNORECASE,
)
_LONGEST_HEADING = 40
#: Smaller numbers that nothing shows to be HP are anything: `Riget 3 -> 2`.
_LEAST = 10
#: A longer heading ends with one of the signs.
SHORTEST_HEADING = 16
ENDS_HEADING = frozenset(":=*~-")

_AND = re.compile(r"\s*(?:,|&|\band\b)\s*")


def heads_rows(text: str) -> str:
    """What a heading alone on its line stands above: hp, status, points; "" for any other line."""
    met = _HEADING.match(text) if len(text) <= _LONGEST_HEADING else None
    return (met.lastgroup or "") if met else ""


def read_hp(line: Said, *, labelled: bool = False) -> list[PoolLine] | None:
    """HP of dolls or weapons in the forms of NA6 and NA21; None where the line says none.

    `labelled`: the word HP stands above it.
    """
    text = line.text
    found: list[PoolLine] = []
    begun = _HP.match(text) if line.who is None or text[:2].casefold() == "hp" else None
    head = begun or (_STATUS.match(text) if line.who is None else None)
    place = head.end() if head else 0
    while place < len(text) and len(found) < 20:
        one = _pool_line(line, place, labelled or bool(begun))
        if one is None:
            # Words without numbers may follow: `HP: Sedrik 200 -> 151, still standing.`
            return found if found and not any(sign.isdigit() for sign in text[place:]) else None
        pool, place = one
        found.append(pool)
        again = _NEXT.match(text, place)
        if again is None:
            break
        place = again.end()
    if not found or not (_ENDS if any(pool.bare for pool in found) else _TOLD).match(text, place):
        return None
    return found


def _pool_line(line: Said, place: int, labelled: bool) -> tuple[PoolLine, int] | None:
    text, words = line.text, line.words
    named = words.named(text, place) if place else line.who
    owned = words.owned(text, place, named)
    met = owned or named
    if met is None and not labelled:
        return None
    end = met.stop if met else place
    stands = _STANDS.match(text, end) if met and text[end : end + 2] not in _NO_VERB else None
    pool = _POOL.match(text, stands.end() if stands else end)
    if pool is None:
        return None
    first, new, maximum, of = [whole(number) if number else None for number in pool.group("first", "new", "max", "of")]
    if first is None or (pool["new"] and new is None):
        return None
    if pool["first"][0] == "-" and new is None and maximum is None and not labelled:
        return None  # `Sedrik -22 HP` is what he loses; in `Sedrik: HP -9/120` he stands below 0.
    most = words.most_hp.get(named.name or "") if named and not owned else None
    top = maximum or of
    sure = labelled or (top is not None and top == most) or _HP_WORD.search(text, end, pool.end()) is not None
    if not sure and (top is not None or owned or not (new is not None or (stands and stands["at"] is not None))):
        return None
    if not sure and (most is None or not _LEAST <= max(first, new or 0) <= most):
        return None
    owner = owned.owner if owned else named.name if named else None
    thing = owned.thing if owned else None
    old = None if new is None else first
    return PoolLine(owner, first if new is None else new, thing, old, top, bare=not sure), pool.end()


def read_award(line: Said, *, labelled: bool = False) -> Award | None:
    """`Trainer Points: Riget 3, Sedrik 4` (D17). `labelled`: those words stand above the line."""
    text = line.text
    begun = _POINTS.match(text)
    if begun is None and not labelled:
        return None
    found: list[tuple[str, int]] = []
    place = begun.end() if begun else 0
    each = _EACH.match(text, place) if begun else None
    if each is not None:
        return Award((("each", int(each["points"])),))
    while place < len(text) and len(found) < 20:
        doll = line.words.named(text, place)
        met = _POINTS_OF.match(text, doll.stop) if doll else None
        known = doll.name if doll and met else None
        met = met or _POINT.match(text, place)
        if met is None:
            break
        name = known or met["name"].strip()
        known = known or line.words.names.find(name)
        if not begun and known is None:
            return None
        found.append((known or name, int(met["points"].replace(" ", ""))))
        place = met.end()
    return Award(tuple(found)) if found and not text[place:].strip(" .!") else None


def read_winner(line: Said) -> Winner | None:
    """`Winner: Riget`."""
    met = _WINNER.match(line.text)
    if met is None:
        return None
    named = [line.words.names.find(part) for part in _AND.split(met["names"])]
    return Winner(tuple(name for name in named if name)) if named and all(named) else None
