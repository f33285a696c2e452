"""Lists that no form fits, once more with their marks set as the forms have them (NE1, NE2, NE4, NE5).

As in `reading_loosely`: every sign is replaced by as many others, and the line is then read by the same forms,
whole or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from referee.ports.reading import ARROW
from rules.enolaptia.reading.grammar import LineText
from rules.enolaptia.reading.plain import CHANGES

_FLAGS = re.IGNORECASE
_Put = Callable[[re.Match[str]], str]
#: What stands otherwise, and what is put in its place in as many signs.
Marks = tuple[tuple[re.Pattern[str], _Put], ...]
#: What players put behind a line of the game: an exclamation, a smiley, how it went on in a few plain words.
_SMILEY = (
    r"(?:>?[:;=xX8][-'^]?[()DPpOo/\\|<>*]{1,3}|<3|:3|\^_?\^|[Tt]_[Tt]|-_-|\\o/|[xX][dD]+|[oO0]_+[oO0]"
    r"|[^\x00-\u024f]{1,3})"
)
_EXCLAMATION = (
    r"(?:l+o+l+|lmao|rofl|h[aeou]+h?(?:h[aeou]+h?){0,5}|o+w+|ouch(?:ie)?|oo+f+|u+gh+|a+r+gh+|gah|a+w+|ya+y+|ye+s+|yeah|yep"
    r"|woo+(?:t|hoo)?|who+|wow|phew|whew|damn|dang|darn|crap|boo+|meh|sigh|oh|gg|rip|omg|yikes|eek|hm+|finally|sadly"
    r"|typical|figures|of\s+course|as\s+(?:always|usual)|(?:so\s+|very\s+)?(?:nice|great|good|sweet|lucky|close)"
    r"(?:\s+(?:hit|one|roll|shot|job))?)"
)
_CHAT = re.compile(
    r"(?:(?<=[\dPp)])|(?<=miss)|(?<=miss(?:es|ed))|(?<=escaped)|(?<=failed)|(?<=nothing)|(?<=\brun)|(?<=damage)|(?<=dmg))"
    r"(?:[\s,.!?*~-]{0,5}(?<![^\W_])(?:" + _SMILEY + r"|" + _EXCLAMATION + r"(?![^\W_]))){0,6}[\s.!?*~]{0,9}$",
    _FLAGS,
)
#: No chat begins farther from the line's end.
_LONGEST_CHAT = 80
#: A few plain words behind a mark, or a mark alone: `14, finally`, `7 -- at last.`, `miss "ha!"`, `7;`. Nobody is named
#: in them, and nothing in them changes what the line says.
_ASIDE = re.compile(
    r"(?:(?<=[\dPp)])|(?<=miss)|(?<=misse[sd])|(?<=escaped)|(?<=failed)|(?<=nothing)|(?<=\brun)|(?<=damage)|(?<=dmg))"
    r"\s*(?:[,;:]|\s-{1,2}(?=\s|$)|\s(?:[\"'&#\[]|/{1,2}|>:))\s*"
    rf"(?![^\n]*\b(?:miss|escape|fail|can|run|not|no|(?-i:AT)|damage|dmg|HP|to|on|dead|out|down|{CHANGES})\w*)"
    r"(?-i:[^\dA-Z:()/=+\n]{0,60})$",
    _FLAGS,
)
_LIST_ENDS = r"(?=\s*(?:[,;>/|]|-\s|\.?\s*$))"


def padded(words: str) -> _Put:
    """Puts these words, with the groups of what was met in them, and blanks for the rest of it."""
    return lambda met: met.expand(words).ljust(len(met.group()))


def without_chat(words: str) -> str:
    """The words of a line with blanks for an exclamation, a smiley or a plain aside at their end."""
    start = max(0, len(words) - _LONGEST_CHAT)
    met = _CHAT.search(words, start)
    if met is None or met.start() == len(words):
        met = _ASIDE.search(words, start)
    return words if met is None else words[: met.start()].ljust(len(words))


_ORDER: Marks = (
    # `Order (turn 1):`, `[12]`, `Mira - 12`, `Mira: 12`, `1. Mira (12) 2. Marsh Rat (9)`
    (re.compile(r"^((?:\w{1,12}\s+)?order)\s*\([^()\n]{0,20}\)(?=\s*[:=-])", _FLAGS), padded(r"\1")),
    (re.compile(r"\[(\s*\d{1,3}\s*)\]"), padded(r"(\1)")),
    (re.compile(rf"(?<=[^\W\d])\s-\s(\d{{1,3}}){_LIST_ENDS}"), padded(r" (\1)")),
    (re.compile(rf"(?<=[^\W\d]):\s(\d{{1,3}}){_LIST_ENDS}"), padded(r"(\1)")),
    (re.compile(r"(:\s*)1[.)]\s(?=\s*[^\W\d])"), padded(r"\1")),
    (re.compile(r"(?<=\))\s+\d{1,2}[.)]\s(?=\s*[^\W\d])"), padded(",")),
    (re.compile(r"(?<=\d\))\s(?=\s*[^\W\d][^,;:()\n]{0,40}\(\s*\d)"), padded(",")),
)
_HP: Marks = (
    # `Mira - 40/40`, `Mira 40/40 and Tobin 35/35`, `Rat 1: 0/18 X`
    (re.compile(r"(?<=\w)\s-\s(?=\s*(?:HP\s*:?\s*)?\d{1,6}\s*/)", _FLAGS), padded("")),
    (re.compile(r"(?<=\d)\s+(?:and|&|[*\u2022\u00b7])\s+(?=[^\W\d])", _FLAGS), padded(",")),
    (re.compile(r"(\b0\s*/\s*\d{1,6})\s*(?:[^\w\s.,;:|/()\[\]-]{1,3}|x_x|RIP)\s*$", _FLAGS), padded(r"\1")),
)
#: Words in a bracket at the end of a line that is whole without them: `(Marsh Rat x2) (ugh, rats again)`.
_REMARK = (re.compile(r"(?<=[\w)])\s*\([^()\d\n]{1,80}\)\s*[.!]?\s*$"), padded(""))
_ALLOCATION: Marks = (_REMARK,)
_ENCOUNTER: Marks = (
    # `Encounter! 1d6 -> 2 = Marsh Rat x2`, `Marsh Rat (x3)`, `Mud Crab x2 / Marsh Rat`, `BOSS! Fen Hag`
    _REMARK,
    (re.compile(r"^(encounter)\s*!", _FLAGS), padded(r"\1:")),
    (re.compile(rf"(\b1?d6)\s*{ARROW}(?=\s*\d)", _FLAGS), padded(r"\1=")),
    (re.compile(r"(?<=\d)\s*=(?=\s*[^\W\d])"), padded(":")),
    # `rolled a 4. Mud Crab x1`
    (re.compile(r"\b(?:(?:it(?:'s|\s+is)\s+)?(?:the|a)\s+)?boss\b\s*[!:,-]*(?=\s*[^\W\d])", _FLAGS), padded("")),
    (re.compile(r"(?<=\d)\s*[.!](?=\s+[^\W\d])"), padded(":")),
    (re.compile(r"\(\s*(x\s?\d{1,2})\s*\)", _FLAGS), padded(r" \1")),
    (re.compile(r"(?<=[\w)])\s*/(?=\s*[^\W\d])"), padded(",")),
)
_EXP: Marks = (
    (re.compile(r"(?<=\d)\s+times\s+(?=\d)", _FLAGS), padded(" x ")),
    # `EXP: 3 Marsh Rats x 4 EXP = 12`, `EXP: Marsh Rat 3 x 4 = 12`
    (re.compile(r"(?<=\d)\s+[^\W\d][A-Za-z' -]{0,40}?\s*(?=[x*]\s*\d)", _FLAGS), padded("")),
    (re.compile(r"([:=+,]\s*)[^\W\d][A-Za-z' -]{1,40}?\s*[:=]?\s+(?=\d{1,3}\s*[x*]\s*\d)", _FLAGS), padded(r"\1")),
    (re.compile(r"(?<=\d)\s*(?:EXP|XP|points)\b(?=\s*[+=,])", _FLAGS), padded("")),
    (re.compile(r"(?<=\d)\s*[,;&](?=\s*\d{1,3}\s*[x*])"), padded("+")),
)
_DROPS: Marks = (
    # `Rat 1 (1d6 = 5 -> 1d6 = 2 Bog Iron), Rat 2 (1d6 = 2 -> nothing)`, `1d6 = 2 (nothing)`, `-> drop! 1d6 = 2`
    (re.compile(r"\(((?:1?d6|rolled)\b[^()\n]{0,80})\)\s*(?:[,;]|$)", _FLAGS), padded(r":\1;")),
    (re.compile(r"\(((?:1?d6|rolled)\b[^()\n]{0,60}\([^()\n]{1,60}\)\s*)\)\s*(?:[,;]|$)", _FLAGS), padded(r":\1;")),
    (re.compile(r"\((\s*(?:nothing|none|no\s+drops?)\s*)\)", _FLAGS), padded(r",\1")),
    (re.compile(r"(1?d6\s*=?\s*[1-6])\s*(?:,|;|=|--?)\s*(?=1?d6\s*=?\s*[1-6]\s*\()", _FLAGS), padded(r"\1->")),
    (re.compile(r"(?<=[1-6])\s*(?:;|=|--?)\s*(?=nothing\b)", _FLAGS), padded(",")),
    (re.compile(r"(?<=\))\s-\s(?=[^\W\d][^,.;:()\n]{0,40}:\s*(?:1?d6|rolled|[1-6]\b))", _FLAGS), padded(";")),
    (
        re.compile(
            rf"(?:{ARROW}|,)\s*(?:(?:it\s+)?drops?|dropped|yes|item)\s*(?:[!,:]|{ARROW})?\s*(?=1?d6|\d)", _FLAGS
        ),
        padded("-> "),
    ),
    (re.compile(r"(\+\s*\d{1,3})(\s*=\s*\d{1,3})(\s*\([^()\n]{1,60}\))"), padded(r"\1\3\2")),
    (re.compile(r"(?<=[1-6])\s(?=\s*nothing\b)", _FLAGS), padded(",")),
    (re.compile(r"[,.](?=\s+[^\W\d][^,.;:()\n]{0,40}:\s*(?:1?d6|rolled|[1-6]\b))", _FLAGS), padded(";")),
)
_MARKS: dict[str, Marks] = {
    "allocation": _ALLOCATION,
    "order": _ORDER,
    "encounter": _ENCOUNTER,
    "exp": _EXP,
    "drops": _DROPS,
    "hp": _HP,
}


def set_as_a_list(line: LineText, what: str) -> LineText:
    """The line, to be read loosely, with the marks of an order, encounter, EXP, drops or HP (`what`) set right."""
    words = without_chat(line.text[line.start : line.end])
    for pattern, put in _MARKS[what]:
        set_right = pattern.sub(put, words)
        words = set_right if len(set_right) == len(words) else words
    return line.loosened(words)
