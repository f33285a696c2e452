"""Loss Tags in every spelling (S6, NS11): in brackets, on lines, pool by pool, amount before or behind."""

from __future__ import annotations

import re
from functools import lru_cache

from referee.ports.reading import squeeze
from rules.shinobi.lexicon import POOL, POOL_WORDS
from rules.shinobi.model import POOLS, LossTag

#: What makes a bracket a Loss Tag, readable or not.
LEAD = re.compile(
    rf"\s*(?:(?:total\s+)?loss(?:es)?(?:\s+tag)?\s*:\s*)?(?:(?!life\s*[:=]?\s*\d|life\b(?![^\n]{{0,60}}?\b(?:chk|cp|cha\w{{1,4}}|st\w{{1,5}})\b))(?:{POOL})(?:\s+points?)?\s*(?:loss|lost)?\s*[:=]?\s*[+-]?\s*[\d?]"
    rf"|(?:hp|chk|stm)\s*:(?=[^\n]{{0,80}}(?:hp|chk|chakra|stm|stamina)\s*:)|(?:[+-]\s*\d{{1,9}}|0)\s*{POOL}\s*(?:\([^()\d\n]{{1,60}}\)\s*)?[|/,;*~\\][^\n]{{0,60}}?\b{POOL}\b"
    r"|h\s*:\s*(?:[+-]\s*\d{1,9}|0)\s*[|/,]\s*c\s*:|[+-]\s*\d{1,9}\s*[|/]\s*[+-]\s*\d{1,9}\s*[|/]\s*[+-]\s*\d{1,9}\s*$)",
    re.IGNORECASE,
)
#: The usual entry; the others are tried where it does not fit.
_USUAL = re.compile(rf"\s*({POOL})\s*[:=]?\s*([+-])?\s*(\d{{1,9}})\s*(?=[|/,;]|$)", re.IGNORECASE)
#: Words or a sum behind an amount; a number alone could be another amount.
_REMARK = r"(?:[(\[](?!\s*[+-]?\s*\d{1,9}\s*[)\]])[^()\[\]\n]{1,60}[)\]])?"
_SIGN = r"(?:[+-]|\u00b1|\+/?-)"
_ENTRY = re.compile(
    rf"\s*(?P<pool>{POOL})(?:\s+points?)?\s*(?P<lost>loss|lost)?\s*(?:[:=]|\.{{2,20}})?\s*(?P<sum>[+-]?\s*\d{{1,6}}(?:\s*[+-]\s*\d{{1,6}}){{1,6}}\s*=)?"
    rf"\s*(?P<open>\()?(?P<sign>{_SIGN})?\s*(?P<number>\d{{1,9}})(?!\d|\.\d|%)(?(open)\))\s*(?:(?:pts?|points?)\b|{POOL}\b(?!\s*(?:(?:loss|lost)\s*)?[:=+\d-]))?[!.]{{0,3}}\s*{_REMARK}\s*",
    re.IGNORECASE,
)
#: An entry that says in words or with a dash that nothing is lost.
_NOTHING = r"(?:none|nothing|zero|nil|unchanged|no\s+(?:change|loss)|n/?a|same|-)"
_IN_WORDS = re.compile(rf"\s*(?P<pool>{POOL})\s*(?:loss|lost)?\s*[:=]\s*{_NOTHING}\s*(?=[|/,;)\]]|$)", re.IGNORECASE)
#: A whole tag that says so: `No loss`, `Loss: none`, `HP/CHK/STM: no change`, `-0 / -0 / -0`.
_NO_LOSS = re.compile(
    rf"\s*(?:no\s+loss(?:es)?(?:\s+(?:this|for\s+this)\s+(?:turn|post))?|(?:total\s+)?loss(?:es)?(?:\s+tag)?\s*[:=-]\s*(?:{_NOTHING}|-?0(?:\s*[/|,]\s*-?0){{0,2}})"
    rf"|{POOL}(?:\s*[/,&|]\s*{POOL}){{2}}\s*[:=]\s*(?:{_NOTHING}|-?0)|-?0(?:\s*[/|,]\s*-0){{2}}|-0(?:\s*[/|,]\s*-?0){{2}})\s*[.!]?\s*",
    re.IGNORECASE,
)
_TURNED = re.compile(
    rf"\s*(?P<sign>{_SIGN})?\s*(?P<number>\d{{1,9}})\s*(?P<pool>{POOL})\b\.?\s*{_REMARK}\s*",
    re.IGNORECASE,
)
_HEAD = re.compile(r"\s*(?:total\s+)?(?:loss(?:es)?|lost)(?:\s+tag)?\s*:\s*", re.IGNORECASE)
_TERM = re.compile(r"([+-]?)\s*(\d{1,6})")
_SHORT = 60
#: With what a text may begin that says that nothing is lost; else it names the pools.
_NONE_FIRSTS = frozenset("nNlLtT-0 ")
_BETWEEN = frozenset("|/,;*&~\\\n ")
_BRACKETS = " ()[]{}"
_SIGNS = frozenset("+-0123456789")
_POOL = re.compile(rf"\b{POOL}\b", re.IGNORECASE)


#: One amount of one pool, which is a Loss Tag where the post has no other.
_SPARE = re.compile(rf"\s*[+-]\s?\d{{1,6}}\s?{POOL}\s*[.!]?\s*", re.IGNORECASE)


def headed(inner: str) -> bool:
    """Whether a text begins with the word loss."""
    return _HEAD.match(inner) is not None


def read_spare(inner: str) -> LossTag | None:
    """`(-13 HP)`: one pool, its amount first."""
    return read_loss(f"Loss: {inner.strip(' .!')}") if _SPARE.fullmatch(inner) is not None else None


def loose(inner: str) -> bool:
    """Whether a text that begins like a Loss Tag has its numbers in front, and not all three pools behind them.

    In a sentence it is none then: `The bill (-3 HP, -4 CHK) was steep.`
    """
    return inner.lstrip()[:1] in _SIGNS and len(_POOL.findall(inner)) < len(POOLS)


def unwrapped(inner: str) -> str:
    """The words of a bracket without further brackets around all of them: `((HP: -0 | ...))`."""
    return inner.strip(_BRACKETS) if inner[:1] in "([{" and inner[-1:] in ")]}" else inner


@lru_cache(maxsize=256)
def read_loss(text: str, least: int = 1) -> LossTag | None:
    """A Loss Tag (NS11); None where a pool comes twice, a number has no sign, or anything else stands there.

    Most posts lose nothing, so that the same few tags come again and again.
    """
    if (text[:1] in _NONE_FIRSTS or "/" in text[:5]) and len(text) < _SHORT and says_none(text):
        return LossTag(0, 0, 0)
    head = _HEAD.match(text)
    place = head.end() if head else 0
    found: dict[str, int] = {}
    while True:
        usual = _USUAL.match(text, place) if head is None else None
        if usual is not None:
            word, sign, number = usual.groups()
            pool, whole = POOL_WORDS[squeeze(word)], int(number)
            if pool in found or (whole and not sign):
                return None
            found[pool] = -whole if sign == "-" else whole
            place = usual.end() + 1
            continue
        while place < len(text) and text[place] in _BETWEEN:
            place += 1
        entry = _ENTRY.match(text, place)
        turned = None if entry is not None else _TURNED.match(text, place)
        met = entry or turned
        if met is None:
            none = _IN_WORDS.match(text, place)
            if none is None or (pool := POOL_WORDS[squeeze(none["pool"])]) in found:
                break
            found[pool] = 0
            place = none.end()
            continue
        pool = POOL_WORDS[squeeze(met["pool"])]
        value = _value(met, lost=head is not None or bool(entry and entry["lost"]))
        if pool in found or value is None:
            return None
        found[pool] = value
        least = max(least, 2) if turned and head is None else least
        place = met.end()
    if text[place:].strip(" .,;|") or len(found) < least:
        return None
    return LossTag(**found)


def says_none(text: str) -> bool:
    """Whether a text says in words, or with zeros alone, that nothing was lost (S6)."""
    return _NO_LOSS.fullmatch(text) is not None


def _value(met: re.Match[str], lost: bool) -> int | None:
    """The change that an entry states; None where its sign or its sum leaves it open.

    Behind the word loss a number without a sign is lost.
    """
    number, sign = int(met["number"]), (met["sign"] or "").replace("/", "")
    if not number:
        return 0
    if sign not in ("+", "-") and not (lost and not sign):
        return None
    value = number if sign == "+" else -number
    parts = met.groupdict().get("sum")
    return value if parts is None or _added(parts) == value else None


def _added(parts: str) -> int:
    return sum(-int(number) if sign == "-" else int(number) for sign, number in _TERM.findall(parts))


def merged(first: LossTag, second: LossTag) -> LossTag | None:
    """Two parts of one Loss Tag, which name different pools; None where both name one."""
    both = {pool: (first.of(pool), second.of(pool)) for pool in POOLS}
    if any(a is not None and b is not None for a, b in both.values()):
        return None
    return LossTag(**{pool: a if a is not None else b for pool, (a, b) in both.items()})
