"""A second look at lines that are nearly a check or a line of HP: the same line in the usual form (NA2 to NA6).

Only lines that gave no claim and hold a stat, or the word HP, and a number are looked at, so most posts cost nothing.
Every change of a check keeps the places: links and quotes lie by them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rules.angel_dolls.statements import STAT_PATTERN, STAT_WORDS

_MAY_BE = re.compile(rf"\s*(?:(?:to[ -])?hit|damage|dmg)\b|.*(?:\b|\d)(?:{STAT_PATTERN})\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
#: A longer line is prose.
_LONGEST = 500

#: In front of a label: an article, `then`.
_BEFORE = re.compile(
    r"\s*(?:the|his|her|its|their|total|and|then)\s+(?=(?:to[ -])?hit\b|attack roll|damage|dmg|dam)", re.IGNORECASE
)
#: The label misspelt.
_MISSPELT = re.compile(r"\s*(dam(?:e?ge|gae|mage|mege|ag)|dm(?:ga|age))(?=\s*[:;-])", re.IGNORECASE)
#: Behind a label: a dash, a semicolon or nothing where the colon stands.
_LABEL = re.compile(
    r"(?P<label>\s*(?:(?:to[ -])?hit|attack roll|(?:weapon )?damage|dmg|(?:disarm|control) test"
    r"|strangle(?: ?hold)?,? round \d{1,3})(?: check| roll)?)"
    r"(?P<sign>\s*;|\s+-(?=\s)|\s(?=\s*(?:[A-Za-z][\w' ]{0,30}\s)?-?\d)|\s+(?:dealt|done|total)\s*:)",
    re.IGNORECASE,
)
#: `(+5 high ground)` is `+5 (high ground)`.
_SIGNED = re.compile(r"\(\s*(?P<number>[+-]\s?\d{1,4}) (?P<words>[A-Za-z][^()\n]{0,58})\)")
#: `+ 5 high ground - 5` has no brackets around its reason.
_REASON = re.compile(r"(?P<number>[+-]\s?\d{1,4}) (?P<words>[A-Za-z][A-Za-z' ]{1,50}[a-z]) (?=[+=-])")
#: `36 AGI (35)`: the roll in brackets; `36 AGI (26 + 10 claws)`: a remark.
_STAT_AND_BRACKET = re.compile(
    rf"(?P<stat>\b(?:{STAT_PATTERN})(?:\s*:?\s*\d{{1,6}})?|\d(?:{STAT_PATTERN}))(?P<gap>\s*)\((?P<inner>[^()\n]{{1,60}})\)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*\d{1,3}\s*")
_DIGITS = re.compile(r"\d{1,6}$|\d{1,6}(?=[A-Za-z])")
_PARTS = re.compile(r"[+-]?\s{0,3}\d{1,6}")
#: How a stance made a stat: `33 x 1.5 = 49 REF`, `33 REF (x1.5 = 49)`, `REF 33 / 2 = 16`, `49 REF (33 x 1.5)`.
_TIMES = r"\s{0,3}(?:[x*]\s{0,3}(?:1[.,]50?|150%|0?[.,]50?|50%|1/2)|/\s{0,3}2)"
_STAT = rf"(?P<name>\b(?:{STAT_PATTERN})\b)"
_BASE, _NEW = r"(?P<base>\d{1,6})", r"(?P<new>\d{1,6})"
_BEHIND = rf"\s{{0,3}}\(?{_TIMES}\s{{0,3}}=\s{{0,3}}{_NEW}(?:\s{{0,3}}\))?"
_MADE = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_BASE}{_TIMES}\s{{0,3}}=\s{{0,3}}{_NEW}\s{{0,3}}{_STAT}",
        rf"{_BASE}\s{{0,3}}{_STAT}{_BEHIND}",
        rf"{_STAT}\s{{0,3}}:?\s{{0,3}}{_BASE}{_BEHIND}",
        rf"{_NEW}\s{{0,3}}{_STAT}\s{{0,3}}\(\s{{0,3}}{_BASE}{_TIMES}\s{{0,3}}\)",
        rf"{_STAT}\s{{0,3}}:?\s{{0,3}}{_NEW}\s{{0,3}}\(\s{{0,3}}{_BASE}{_TIMES}\s{{0,3}}\)",
    )
)
#: `33 Ref. + 24`.
_STAT_AND_DOT = re.compile(rf"(?P<stat>\b(?:{STAT_PATTERN}))\.(?=\s*(?:[-+=(/]|\d))", re.IGNORECASE)
#: `AGI = 36`.
_STAT_EQUALS = re.compile(rf"(?P<stat>\b(?:{STAT_PATTERN})\s*)=(?=\s*\d)", re.IGNORECASE)
#: `+ (35)`, `+ (roll: 35)`, `+ [35]`, `+ d50: 35`, `+ roll 35`; `+ 35 roll`.
_ROLL_BRACKET = re.compile(
    r"(?P<sign>\+\s*)(?P<open>\((?:\s?(?:1?d50|roll(?:ed)?|random|die)\s?[:=]?)?)(?P<number>\s*\d{1,3}\s*)\)",
    re.IGNORECASE,
)
_ROLL_WORD = re.compile(r"(?P<sign>\+\s*)(?P<word>(?:1?d50|roll(?:ed)?|random|die)\s*[:=]?\s*)(?=\(?\d)", re.IGNORECASE)
_WORD_BEHIND = re.compile(
    r"(?P<number>\+\s*\d{1,3}\s*)(?P<word>\(?\b(?:roll(?:ed)?|random|die|1?d50)\b\)?)(?=\s*\)?\s*=)", re.IGNORECASE
)
#: A total behind an arrow: another arrow, the other side or an outcome follows.
_TOTAL = re.compile(
    r"(?P<arrow>->|=>|\u2192)(?P<number>\s*-?\d{1,6}\s*)(?=vs\b|versus\b|against\b|v\b|/|\||->|=>|\u2192|,\s*[a-z])"
)
#: Between the sides: `v`, `v.`, `>`, `<`, `|`, a comma.
_BETWEEN = re.compile(
    rf"(?P<total>=\s*-?\d{{1,6}}\s*)(?P<sign>\bv\.?(?=\s)|[<>|,;]"
    r"|\b(?:(?:do(?:es)?|did) not |doesn't |didn't |fails to |failed to )?(?:beats?|tops|exceeds?)\b)(?P<gap>\s*)"
    rf"(?=[A-Z(]?[\w' ():-]{{0,40}}?\b(?:\d{{1,6}}\s*\(?(?:{STAT_PATTERN})\b|(?:{STAT_PATTERN})\b[\s:=(]{{0,3}}\d))",
    re.IGNORECASE,
)
#: `Riget: 36 AGI`, `Riget (AGI 36 ... = 71)`.
_NAME = re.compile(
    rf"(?P<sign>[:(])(?=\s*(?:(?:{STAT_PATTERN})\b\s*:?\s*\(?\d|\d{{1,6}}\s*(?:{STAT_PATTERN})\b))", re.IGNORECASE
)
_CLOSED = re.compile(r"(?P<total>=\s*-?\d{1,6}\s*)\)")


def may_be_check(text: str) -> bool:
    """Whether a line that gave no claim is worth the second look: a stat and a number stand in it, or two sums."""
    if len(text) > _LONGEST or not ("=" in text or "->" in text or "\u2192" in text):
        return False
    if text[0].isdecimal() and text.count("=") > 1:
        return True
    return _MAY_BE.match(text) is not None and _DIGIT.search(text) is not None


def in_usual_form(text: str, is_name: Callable[[str, int], bool]) -> str:
    """The line with the same number of signs, as a check is usually written.

    `is_name`: whether a doll's name ends at a place of a text.
    """
    usual = text.translate(_ROUND)
    usual = _blank(_BEFORE.match(usual), usual)
    usual = _MISSPELT.sub(lambda met: _filled(met, 1, "dmg"), usual, count=1)
    met = _LABEL.match(usual)
    if met is not None:
        usual = usual[: met.start("sign")] + ":".rjust(len(met["sign"])) + usual[met.end() :]
    usual = _SIGNED.sub(lambda met: f"{met['number'].rjust(len(met['number']) + _lead(met))}({met['words']})", usual)
    usual = _REASON.sub(_reasoned, usual)
    if "5" in usual or "2" in usual:
        for form in _MADE:
            usual = form.sub(_made, usual)
    if "." in usual:
        usual = _STAT_AND_DOT.sub(lambda met: met["stat"] + " ", usual)
    usual = _STAT_EQUALS.sub(lambda met: met["stat"] + " ", usual)
    usual = _STAT_AND_BRACKET.sub(_opened, usual)
    usual = _ROLL_WORD.sub(lambda met: met["sign"] + " " * len(met["word"]), usual)
    usual = _ROLL_BRACKET.sub(lambda met: met["sign"] + " " * len(met["open"]) + met["number"] + " ", usual)
    usual = _WORD_BEHIND.sub(lambda met: met["number"] + " " * len(met["word"]), usual)
    usual = _TOTAL.sub(lambda met: "=".rjust(len(met["arrow"])) + met["number"], usual)
    usual = _BETWEEN.sub(lambda met: met["total"] + "/".ljust(len(met["sign"])) + met["gap"], usual)
    opened = usual
    usual = _NAME.sub(lambda met: " " if is_name(opened, met.start()) else met["sign"], usual)
    return _CLOSED.sub(lambda met: met["total"] + " ", usual) if usual.count("(") < usual.count(")") else usual


#: Other brackets are round ones.
_ROUND = str.maketrans("[]{}", "()()")


def _blank(met: re.Match[str] | None, text: str) -> str:
    return text if met is None else " " * met.end() + text[met.end() :]


def _filled(met: re.Match[str], group: int, word: str) -> str:
    start, end = met.span(group)
    return met.string[met.start() : start] + word.ljust(end - start)


def _lead(met: re.Match[str]) -> int:
    """How many signs stand in front of the number of a bracket."""
    return met.start("number") - met.start()


def _reasoned(met: re.Match[str]) -> str:
    words = met["words"]
    first = words.split(" ", 1)[0].casefold()
    if first in STAT_WORDS or first in ("roll", "rolled", "random", "die"):
        return met.group()
    return f"{met['number']}({words})"


def _made(met: re.Match[str]) -> str:
    """The stat, and as a modifier what the stance adds to it or takes from it."""
    base, stat = met["base"], met["name"]
    words = f"{stat} {base}" if met.start("name") == met.start() else f"{base} {stat}"
    words += f"{int(met['new']) - int(base):+d}(fd)"
    return words.ljust(len(met[0])) if len(words) <= len(met[0]) else met.group()


def _opened(met: re.Match[str]) -> str:
    """A bracket behind a stat: its number, the roll in front of the total, or a remark that is left out.

    A remark with numbers is left out only where they make the stat: else it may be a modifier.
    """
    stat, gap, inner = met.group("stat", "gap", "inner")
    known = _DIGITS.search(stat) or _DIGITS.search(met.string[max(0, met.start() - 8) : met.start()].rstrip())
    if _NUMBER.fullmatch(inner):
        if known is None:
            return f"{stat}{gap} {inner} "
        return f"{stat}{gap}+{inner} " if met.string[met.end() :].lstrip()[:1] == "=" else met.group()
    parts = [int("".join(part.split())) for part in _PARTS.findall(inner)]
    if any(part < 0 and part % 10 == 0 for part in parts):
        return met.group()  # It may be a manoeuvre's.
    if parts and (known is None or sum(parts) != int(known[0])):
        return met.group()
    return stat + gap + " " * (len(inner) + 2)


# -- HP (NA6) ---------------------------------------------------------------------------------------------

_LONGEST_HP = 160
_HP_WORDS = ("hp", "health", "life", "hit p", "hitp", "[", "{")
_SPEAKS_OF_HP = re.compile(r"\b(?:hp|life|health|hit ?points?)\b|[\[{]\s*\d{1,6}\s*/", re.IGNORECASE)
#: What is written otherwise -> the usual form; nothing in a line of HP lies by its places.
_HP_FORMS = tuple(
    (re.compile(pattern, re.IGNORECASE), usual)
    for pattern, usual in (
        (r"^\s*(?:hp|life|health|hit ?points?)\s*\(\s*([^()\d\n]{1,60}?)\s*\)\s*[:=-]?\s*", r"HP: \1 "),
        (r"^\s*(?:life|hit ?points?)\s*:\s*", "HP: "),
        (r"^\s*(?:hp|life|health)\s*-\s+(?=[a-z])", "HP: "),
        (r"^(\s*hp [^\d\n:=]{1,60}?)\s*=\s*(?=\d)", r"\1: "),
        (r"(?<=[a-z)])\s+-\s+hp\b", ": HP"),
        (r"(?<=[a-z)])\s*[+-]\s?\d{1,6}\s*hp\s*(?=\(\s*\d{1,6}\s*/)", ": HP "),
        (r"\b(?:have|has|is|are)\s+now\b", "has"),
        (r"\bnow\s+(?:have|has)\b|\bhave\b", "has"),
        (r"(\d)\s*hp\s+(?:out )?of\s+(?=\d)", r"\1/"),
        (r"(\d)\s+(?:out )?of\s+(?=\d)", r"\1/"),
        (r"(\d)\s*>\s*(?=\d)", r"\1 -> "),
        (r"[\[{]\s*(\d{1,6}\s*/\s*\d{1,6})\s*[\]}]", r"(\1)"),
        (r"^\s*[\w.-]{1,30}'s\s+(?=[^\n]{1,80}\bhp\b)", ""),
    )
)


def may_be_hp(text: str) -> bool:
    """Whether a line that gave no claim may be one of HP in another form."""
    folded = text.casefold() if len(text) <= _LONGEST_HP else ""
    if not any([word in folded for word in _HP_WORDS]):
        return False
    return _DIGIT.search(text) is not None and _SPEAKS_OF_HP.search(text) is not None


def hp_in_usual_form(text: str) -> str:
    """A line of HP as it is usually written; the same text where nothing is written otherwise."""
    for form, usual in _HP_FORMS:
        text = form.sub(usual, text, count=2)
    return text
