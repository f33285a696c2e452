"""A move that no form fits, once more with its marks set as the forms have them (NE3).

Players put a roll in brackets, write `again` between two dice, `for` in front of a damage, a dash where the notation
has a colon. Every sign is replaced by as many others, so places and links stay what they were. The line is then read
by the same forms, whole or not at all; what they do not fit stays unread.
"""

from __future__ import annotations

import re

from referee.ports.reading import ARROW
from rules.enolaptia.reading.grammar import NAME, LineText
from rules.enolaptia.reading.plain import CHANGES
from rules.enolaptia.reading.set_right import Marks, padded, without_chat

_FLAGS = re.IGNORECASE
_DIE = r"1?\s?d\s?6"
_ACTION = r"(?:(?:a\s+)?normal\s+attack|attacks?|spell|casts?|special|skill|potion|runs?)\b"
_HOW = r"(?:weak|normal|strong|critical|full|half|third|miss(?:e[sd])?|no\s+damage)"
_AIMS = r"(?:alloc(?:ation|\.)?|target)"
_WITH = r"(?:(?:an?|the|her|his|its|their|my|both)\s+)?[A-Za-z][A-Za-z -]{1,30}"
_ENDED = r"(?:escape[ds]?|fail(?:s|ed)?|success|can\s?not\s+run|can't\s+run)"
#: `again`, `second roll`, `re-roll:` between a 6 and its second die.
_AGAIN = (
    r"(?:roll\s+(?=again\b))?(?:(?:re-?roll(?:s|ed)?|again|then|and|second|2nd|next|another|extra|bonus)\b\s*){0,3}"
    r"(?:(?:roll(?:s|ed)?|die|gives|is)\b\s*){0,2}"
)
#: What stands behind the last die of a blow.
_DICE_END = rf"(?=\s*(?:[:,;.!]|{ARROW}|=\s*AT\b|-\s|for\b|$))"
#: What a bracket of a move may hold: a roll, numbers of an allocation, a second die, words for how it went, an amount.
_INNER = re.compile(
    rf"\s*(?:{_DIE}\b.{{0,60}}|(?:AT\s*)?\d{{1,4}}\s*[/x*]\s*\d(?:\s*=\s*\d{{1,4}})?|roll(?:s|ed)?\b.{{0,40}}|{_AIMS}\b.{{0,50}}|[1-6](?:\s*-\s*[1-6])?\s*=.{{1,40}}"
    rf"|{_AGAIN}[=:]?\s*\d{{1,4}}\s*(?:damage|dmg)?|{_HOW}(?:\s+(?:attack|hit))?|AT\s*/\s*[23]|{_ENDED})\s*",
    _FLAGS,
)
_BRACKET = re.compile(r"(?P<gap>\s*)[(\[](?P<inner>[^()\[\]\n]{1,80})[)\]](?=\s*(?P<sign>[-+=]?))")
#: A creature's move stands in a bracket behind its roll (NE15).
_CHOSEN = re.compile(r":\s*move\b", _FLAGS)
#: Words behind the last number of a line that only tell on: `= 11, and the air went white`, `14, dead`, `miss (phew)`.
_TOLD_ON = re.compile(
    r"(?:(?:(?<=[\dP])|(?<=miss)|(?<=escaped)|(?<=failed))\s*(?:,?\s+(?:and|but|which|so)\b"
    r"|,?\s+(?:(?:right|straight)\s+)?(?:into|in|across|through)\s+(?:the|its|his|her|their)\b"
    r"|,\s+(?:as|while|then|leaving|who|it|dead|killed|down)\b|[.!]\s+|\s-\s+)|(?<=\w)\s*(?=\())"
    rf"(?![^\n]*\b(?:miss|escape|fail|can|run|no|AT|damage|dmg|HP|{CHANGES})\w*)[^\d:\n]{{0,160}}$",
    _FLAGS,
)
#: No such words begin farther from the line's end.
_LONGEST_TOLD = 240
#: Verbs that players often misspell, in as many letters.
_MISSPELT = re.compile(
    r"\b(?:attcks|atacks|attaks|atakcs)\b|\b(?:attakcs|attackes|attacs|alocation|allocaton)\b", _FLAGS
)
_DIGITS = frozenset("0123456789")
#: `spell (Ember)`, `Mira (normal attack on Rat 1): ...`.
_NAMED = re.compile(rf"\b(?P<what>(?:spell|special|skill|potion)\s*)\((?P<inner>{NAME})\)", _FLAGS)
_ACTS = re.compile(rf"^(?P<who>{NAME})(?P<gap>\s*)\((?P<what>{_ACTION}[^()\n]{{0,80}})\)", _FLAGS)


_DECIMAL = r"\d{1,4}[.,]\d{1,4}(?!\d)"
#: What stands between a fraction and the whole number that is taken for it.
_ROUNDED = (
    rf"(?:(?:{ARROW}|[=~\u2248])|,?\s*\(?(?:so|i\.?e\.?|or|that\s+is|which\s+is|makes)?\s*(?:round(?:s|ed)?\s*(?:up|down|off)?)?"
    r"\s*(?:to|is|gives|makes|=|:|->)?)\s*"
)


def _attacks(met: re.Match[str]) -> str:
    """`Rat 1: attacks, d6 3` as `Rat 1 attacks: d6 3`."""
    return f"{met[1]} {met[2]}:".ljust(len(met.group()))


_MARKS: Marks = (
    # `13/2 = 6.5 -> 7`, `14/3 = 4.67, rounded up to 5`, `13/2 ~ 7`; `13/2 = 6.5` leaves open which way it is rounded
    (re.compile(r"(\d\s*/\s*[23]\s*)(?:\u2248|=?~=?)(?=\s*\d)"), padded(r"\1=")),
    (re.compile(rf"(\d\s*/\s*[23]\s*=\s*){_DECIMAL}\s*{_ROUNDED}(?=\d{{1,4}}\b)", _FLAGS), padded(r"\1")),
    (re.compile(rf"(\d\s*/\s*[23])\s*=\s*{_DECIMAL}(?=\s*[.!]?\s*$)"), padded(r"\1")),
    (re.compile(rf"^(?:attack|action)\s*:(?=\s*{NAME}\s*(?:{ARROW}|attacks?\b))", _FLAGS), padded("")),
    (re.compile(r"(?<=\w)'s\s+(?=(?:normal\s+)?attack\b)", _FLAGS), padded("")),
    # `1d6 is 4`, `14 times 2`, `AT: 14`, `basic attack`, `Mira spell Ember`, `attacks d6 3`, `on Rat 1 1d6 = 4`
    (re.compile(rf"(\b{_DIE})\s+is\s+(?=\d)", _FLAGS), padded(r"\1 = ")),
    (re.compile(r"(?<=\d)\s+times\s+(?=\d)", _FLAGS), padded(" x ")),
    (re.compile(r"\b(AT)(?:K\s*[:=]?|\s*[:=])\s*(?=\d)", _FLAGS), padded(r"\1 ")),
    (re.compile(r"\b(?:basic|regular|simple|plain|standard|melee|physical)\s+attack\b", _FLAGS), padded("attack")),
    (re.compile(r"(:\s*)normal\b(?=\s+(?:on|at)\b)", _FLAGS), padded(r"\1attack")),
    (
        re.compile(rf"^({NAME})(?<=\w)\s+(?=(?:normal\s+attack|spell|special|skill|potion)\s|move\s+1?d6\b)", _FLAGS),
        padded(r"\1:"),
    ),
    (re.compile(rf"(\battacks?)\s(?=\s*{_DIE}\b)", _FLAGS), padded(r"\1:")),
    (re.compile(r"(?<=\w)(?<!and)\s(?=\s*rolle?[ds]\s*[:=]?\s*\d)", _FLAGS), padded(":")),
    (
        re.compile(rf"(\bon\s+{NAME})\s*(?:\s|/|\band\b|\s-)\s*(?=(?:{_DIE}|[2-9]d6|AT\s*[+])(?:\s?[=+:]|\b))", _FLAGS),
        padded(r"\1,"),
    ),
    (re.compile(r"(\balloc(?:ation|\.)?)\s*[:=]\s*(?=\d)", _FLAGS), padded(r"\1 ")),
    (re.compile(r"(\balloc(?:ation|\.)?\s*)\((\s*\d(?:\s*-\s*\d)?\s*)\)", _FLAGS), padded(r"\1 \2")),
    (re.compile(r"(\balloc(?:ation|\.)?\s*\d)\s*(?:to|\.{2}|/\s?\d\s?/)\s*(?=\d)", _FLAGS), padded(r"\1-")),
    (re.compile(rf"(?<=[1-6])\s*(?:--+|~>|>|\")\s+(?=AT\b|\d|{_HOW}\b)", _FLAGS), padded("->")),
    (re.compile(rf"^({NAME})\s*(?:,|\s-)\s*(?={_ACTION})", _FLAGS), padded(r"\1:")),
    (re.compile(rf"^({NAME})\s*:\s*(attacks?)\s*[,;:](?=\s*(?:{_DIE}|{_AIMS})\b)", _FLAGS), _attacks),
    (re.compile(rf"^({NAME})\s(?:vs\.?\s|>\s)(?={NAME}[:;,])", _FLAGS), padded(r"\1->")),
    (re.compile(rf"^({NAME})\s*{ARROW}\s*(?={_DIE}\b)", _FLAGS), padded(r"\1:")),
    (re.compile(rf"(\bon\s+{NAME})\s-\s(?={_DIE}\b)", _FLAGS), padded(r"\1,")),
    (re.compile(rf"(\bon\s+{NAME})\s-\s(?=\d)", _FLAGS), padded(r"\1:")),
    (re.compile(rf"\swith\s+{_WITH}(?=\s*[:;,])", _FLAGS), padded("")),
    (re.compile(r"\broll\s(?=\s*[1-6]\b)", _FLAGS), padded("d6 = ")),
    (re.compile(r"\brun\s+(?:attempt|try|roll)\b", _FLAGS), padded("run")),
    (re.compile(r"\bcould(?:n't|\s+not)\s+run\b", _FLAGS), padded("can't run")),
    (re.compile(r"\s+and\s+(?=roll(?:s|ed)\b)", _FLAGS), padded(":")),
    (re.compile(r"\.\s+(?=(?:rolle?[ds]|1?d6)\b)", _FLAGS), padded(",")),
    (re.compile(rf"(?:[.,]|\s-|\s*{ARROW})\s+(?=(?:damage|dmg)\b)", _FLAGS), padded(";")),
    (re.compile(rf"\s*{ARROW}\s*(?={_AIMS}\b)", _FLAGS), padded(",")),
    (
        re.compile(
            rf"(?<![\dd/*x+])(6)(?!\d)\s*(?:[;,+/&]|[!.]{{1,2}}(?=\s*[a-z]))?\s*{_AGAIN}(?:{_DIE}\s*)?[:=]?\s*(?=[1-6]\b{_DICE_END})",
            _FLAGS,
        ),
        padded(r"\1,"),
    ),
    (re.compile(r"(?<=[1-6])!{1,3}\s+(?=AT\b|miss|\d{1,4}\s?(?:[/x*=!.]|damage\b|dmg\b|$))", _FLAGS), padded(",")),
    (re.compile(r"(?<=[1-6])\s+for\s+(?=\d)", _FLAGS), padded(",")),
    (re.compile(rf"(?<=[1-6])\s*-\s+(?={_HOW}\b|AT\b)", _FLAGS), padded(",")),
    (
        re.compile(
            rf"((?:{_DIE}\s*[=:]?|\brolle?[ds]|:)\s*[1-6](?:\s*,\s*[1-6])?)\s*=\s*(?=(?:AT\s*)?\d|miss)", _FLAGS
        ),
        padded(r"\1:"),
    ),
)


#: An ability's dice: behind them a sum stands, with or without `rolled`, and its total behind `=` or an arrow.
_SUMMED = re.compile(r"\b(?:[2-9]d\d|1?d\d{1,2}\s*[+-]|[+]\s*1?d\d)", _FLAGS)
_SUM_MARKS: Marks = (
    (re.compile(r"(?<=:)\s*rolle?[ds]\s+(?=\d)", _FLAGS), padded("")),
    (re.compile(rf"(?<=\d)\s*{ARROW}\s*(?=\d{{1,3}}\s*(?:damage|dmg)?\s*[.!]?$)", _FLAGS), padded("=")),
)


def set_as_a_move(line: LineText) -> LineText:
    """The line, to be read loosely, with the marks of a move as the notation has them."""
    words = line.text[line.start : line.end]
    set_right = _NAMED.sub(lambda met: f"{met['what']} {met['inner']} ", without_chat(words))
    set_right = _ACTS.sub(lambda met: f"{met['who']}{met['gap']}:{met['what']} ", set_right)
    if _CHOSEN.search(set_right) is None:
        set_right = _BRACKET.sub(_without_brackets, set_right)
    set_right = _MISSPELT.sub(_spelt, set_right)
    summed = _SUMMED.search(words) is not None
    for pattern, put in (*_MARKS, *(_SUM_MARKS if summed else ())):
        changed = pattern.sub(put, set_right)
        set_right = changed if len(changed) == len(words) else set_right
    told = _TOLD_ON.search(set_right, max(0, len(set_right) - _LONGEST_TOLD))
    if told is not None:
        set_right = set_right[: told.start()].ljust(len(words))
    return line.loosened(set_right)


def _spelt(met: re.Match[str]) -> str:
    return ("alloc" if met.group()[:2].casefold() == "al" else "attack").ljust(len(met.group()))


def _without_brackets(met: re.Match[str]) -> str:
    """A comma for the bracket; blanks where a term of a sum stands in it, nothing new where it holds other words."""
    gap, inner = met["gap"], met["inner"]
    ahead = met.string[met.start() - 1 : met.start()]
    if inner.strip().isdecimal() and (met["sign"] or ahead in "+-:"):
        return f"{gap} {inner} "
    if _INNER.fullmatch(inner) or (ahead in _DIGITS and inner[:1].isalpha() and len(inner.split()) < 4):
        return f",{gap}{inner} "
    return met.group()
