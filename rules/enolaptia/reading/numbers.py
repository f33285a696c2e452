"""Numbers in notation beside a fighter's name, in lines that no form fits: HP, their changes, Speeds (G19).

A name and plain numbers are prose; so are shares and scores (`9/10 luck`) whose number behind the
stroke is not the fighter's maximum.
"""

from __future__ import annotations

import re

from referee.ports.reading import ARROW
from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.grammar import LineText

_FLAGS = re.IGNORECASE
#: The letters HP where a sentence may go on so: `5 HP from the bite`, never `2 HP of dignity`.
OF_HP = (
    r"HP\b(?=\s*(?:[.,;:!?)(/\]]|->|$|(?<=\s)-|(?:from|with|by|to|left|now|and|thanks|after|due|because|back|each|for|remaining"
    r"|again|on|as|in\s+total|total|damage)\b))"
)
_GAINS = re.compile(
    rf"[+-]\s?\d{{1,6}}\s*{OF_HP}"
    rf"|\b(?:gains?|regains?|recovers?|restores?|heals?|healed|loses?|lost)\s+\d{{1,6}}\s*{OF_HP}"
    rf"|:[^\n]{{0,60}}?\bheals?\s+\+?\d{{1,6}}\s*(?:{OF_HP}|[.,;)!]|$)"
    rf"|\d\s*HP\s*{ARROW}\s*\d|\bHP\b[\s:=(]{{0,6}}\d{{1,6}}\s*{ARROW}\s*\d|\d\s*{ARROW}\s*\d{{1,6}}\s*{OF_HP}"
    rf"|\d\s*/\s*\d{{1,6}}\s*{ARROW}\s*\d|\d\s*{ARROW}\s*\d{{1,6}}\s*/\s*\d",
    _FLAGS,
)
#: Behind a name nothing but old and new HP: `: 40 - 5 = 35`, ` 18 -> 9`.
_CHANGE = re.compile(
    rf"\s*[:=,-]?\s*(?P<hp>HP\s*[:=]?\s*)?\(?(?P<old>\d{{1,6}})\s*(?:{ARROW}\s*\d{{1,6}}|[-+]\s*\d{{1,6}}\s*=\s*\d{{1,6}})"
    r"\s*(?:/\s*\d{1,6}\s*)?(?P<unit>HP\b\s*)?\)?\s*(?:\([^()\n]{0,40}\)\s*)?[.]?\s*$",
    _FLAGS,
)
#: A sum at the end of its line, or of damage: with two fighters in the line it is a blow.
_SUM = re.compile(
    r"\d\s*[-+x*/]\s*\d{1,6}\s*=\s*\d{1,6}\s*(?:(?:HP|damage|dmg)\b|(?:\([^()\n]{0,40}\)\s*)?[.!]?\s*$)", _FLAGS
)
_SHAPED = re.compile(
    r"(?:'s)?[\s:=,|\[(.-]{0,6}(?P<hp>HP\b[\s:=,|\[(.-]{0,6})?(?:(?:now\s+)?(?:has|is\s+(?:down\s+to|at))\s+)?\d{1,6}\s*"
    r"(?:/|out\s+of|of)\s*(?P<top>\d{1,6})\s*(?P<unit>HP\b)?",
    _FLAGS,
)
_TOLD = re.compile(
    r"(?:'s)?\s*(?:HP\s*[:=-]?\s*-?\d{1,6}\b|[:=]\s*-?\d{1,6}\s*HP\s*[.!]?\s*$|[:=]\s*(?P<bare>\d{1,6})\s*[.]?\s*$"
    r"|(?:now\s+)?(?:has|is\s+(?:down\s+to|at))\s+\d{1,6}\s*HP(?:\s+(?:left|remaining|now))?\s*[.!]?\s*$)",
    _FLAGS,
)
#: Headings above HP in other words.
_HEADING = re.compile(r"(?:current\s+)?(?:HPs?|hit\s*points|health|status|state|standings?)\b", _FLAGS)
_FRACTION = re.compile(r"\d{1,6}\s*/\s*(\d{1,6})")
_HP_NUMBERS = re.compile(
    rf"(?:current\s+)?(?:HPs?|hit\s*points)\s*[:=-][^\n]{{0,60}}?\d\s*(?:[-+]\s*\d{{1,6}}\s*=|{ARROW})\s*\d", _FLAGS
)
#: An order without its heading: `Mira (12), Marsh Rat (9)`, `Mira 12 > Rats 9`; and what a tie behind it begins with.
_LISTED = re.compile(r"(?:[^()\n]{1,60}\(\s*(?:speed\s*)?\d{1,6}\s*\)\s*+[,;>/]?+){2,12}\s*[.]?", _FLAGS)
_ENTRY = re.compile(r"(?P<name>[^()\n]{1,60})\(\s*(?:speed\s*)?(?P<speed>\d{1,6})\s*\)\s*[,;>/]?", _FLAGS)
_LISTED_BARE = re.compile(r"(?:[^()\n,;>/\d]{1,60}\d{1,3}\s*+(?:->|[,;>/])\s*+){1,11}[^()\n,;>/\d]{1,60}\d{1,3}\s*[.]?")
_ENTRY_BARE = re.compile(r"(?P<name>[^()\n,;>/\d]{1,60})(?P<speed>\d{1,3})\s*(?:->|[,;>/])?\s*")
_TIE_BEHIND = re.compile(r"\btie", _FLAGS)


def changes_hp(line: LineText, names: Lexicon, behind: int) -> bool:
    """Whether a gain or loss of HP, old and new HP or the sum of a blow stands behind the name of a fighter."""
    text, end = line.text, line.end
    if _GAINS.search(text, behind, end):
        return True
    change = _CHANGE.match(text, behind, end)
    if change is not None:
        top = names.top(text[line.start : behind])
        return bool(change["hp"] or change["unit"]) or top is None or int(change["old"]) <= top
    return _SUM.search(text, behind, end) is not None and names.mentions(text, behind, end)


def states_hp(line: LineText, names: Lexicon, behind: int) -> bool:
    """Whether HP stand behind the name of a fighter: with the letters, or out of his maximum.

    A bare number behind a colon is a creature's (`Rat 1: 9`); a character may say one.
    """
    name = line.text[line.start : behind]
    shaped = _SHAPED.match(line.text, behind, line.end)
    if shaped is not None:
        return bool(shaped["hp"] or shaped["unit"]) or int(shaped["top"]) == names.top(name)
    told = _TOLD.match(line.text, behind, line.end)
    if told is None or told["bare"] is None:
        return told is not None
    return names.characters.find(name) is None and int(told["bare"]) <= (names.top(name) or 0)


def heads_hp(line: LineText, names: Lexicon) -> bool:
    """Whether HP stand below or behind a heading in other words: out of the maximum of a fighter who is named.

    Without a name the heading must be HP itself, and anybody's maximum will do.
    """
    text, start, end = line.text, line.start, line.end
    head = _HEADING.match(text, start, end)
    if head is None:
        return False
    named = names.mentioned(text, head.end(), end)
    if not named and head.group()[-2:].casefold() not in ("hp", "ps"):
        return False
    tops = {names.top(name) for name in named} if named else names.tops()
    if any([int(found[1]) in tops for found in _FRACTION.finditer(text, start, end)]):
        return True
    return bool(named) and _HP_NUMBERS.match(text, start, end) is not None


def lists_an_order(line: LineText, names: Lexicon) -> bool:
    """Whether a line is an order without its heading: fighters, each with the Speed that is known of him."""
    text, start = line.text, line.start
    tie = _TIE_BEHIND.search(text, start, line.end)
    end = line.end if tie is None else start + len(text[start : tie.start()].rstrip(" -,;("))
    entry = _ENTRY if _LISTED.fullmatch(text, start, end) is not None else _ENTRY_BARE
    if entry is _ENTRY_BARE and _LISTED_BARE.fullmatch(text, start, end) is None:
        return False
    rows = [met.group("name", "speed") for met in entry.finditer(text, start, end)]
    found = [(names.find(name.strip()), int(speed)) for name, speed in rows]
    speeds = [(names.speed(name), speed) for name, speed in found if name is not None]
    known = [(due, speed) for due, speed in speeds if due is not None]
    return len(speeds) == len(rows) and bool(known) and all([due == speed for due, speed in known])
