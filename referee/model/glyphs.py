"""One spelling for look-alike characters, so that grammar decides and not the keyboard.

Text and names go through the same table, character by character: lengths never change.
"""

from __future__ import annotations

import re

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d"
_BLANKS = "\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u00b4\u0060"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
_BREAKS = "\r\u000b\u000c\u0085\u2028\u2029"
#: Cyrillic and Greek capitals and small letters that look like Latin ones.
_LATIN = dict(zip("АВЕКМНОРСТХаеорсухіІјЈѕЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTXaeopcyxiIjJsSABEZHIKMNOPTYXo", strict=True))
#: Of a letter whose capital looks Latin the small one is the same letter, so that names are known in any case.
_LATIN |= {cap.lower(): latin.lower() for cap, latin in _LATIN.items() if cap.lower() not in _LATIN}

#: Further arrows to the right, from the menus of signs and what a telephone makes of `-->`.
_ARROWS = "\u21a6\u21e8\u279d\u279e\u27a1\u27a4\u27f6\u27f9\u2b95"
_STRAIGHT: dict[str, str] = {
    **{c: "-" for c in _DASHES},
    **{c: " " for c in _BLANKS},
    **{c: "'" for c in _SINGLE},
    **{c: '"' for c in _DOUBLE},
    **{c: "\n" for c in _BREAKS},
    **_LATIN,
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0D},
    "\u00f7": "/",
    "\u2044": "/",
    "\u2215": "/",
    "\u00d7": "x",
    "\u2715": "x",
    "\u21d2": "\u2192",
    "\u2192": "\u2192",
    "\u2794": "\u2192",
    "\u279c": "\u2192",
    **{c: "\u2192" for c in _ARROWS},
    "\u2022": "*",
    "\u00b7": "*",
    "\u2026": ".",
}
_ODD = frozenset(_STRAIGHT)
_ODD_ASCII = tuple(sign for sign in _STRAIGHT if sign.isascii())
#: The bytes of ASCII characters.
_ASCII = bytes(range(0x80))

#: Characters without width (joiners, bidi marks, NUL) or without meaning (private use): dropped
#: before anything is read.
_INVISIBLE = re.compile(
    r"[\u0000\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff\ue000-\uf8ff]+"
)

#: UTF-8 read as Windows-1252 somewhere on the way, and what it was.
_MOJIBAKE = {
    "â€“": "–",
    "â€”": "—",
    "â€™": "'",
    "â€œ": '"',
    "â€\u009d": '"',
    "â€˜": "'",
    "â€¦": "…",
    "â€¢": "•",
    "â†’": "→",
    "â‡’": "⇒",
    "Ã—": "×",
    "Ã·": "÷",
    "âˆ’": "−",
    "βˆ’": "−",
    "Â ": " ",
    "Â\u00a0": " ",
}
_MOJIBAKE_FIRST = frozenset(wrong[0] for wrong in _MOJIBAKE)
_WRONG = re.compile("|".join(re.escape(wrong) for wrong in _MOJIBAKE))


def foreign(text: str) -> str:
    """The characters of a text that are none of ASCII, in order; what cannot be encoded stays what it is."""
    if text.isascii():
        return ""
    return text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")


def straighten(text: str) -> str:
    """The text with look-alikes replaced one for one; its length stays the same."""
    # A few kinds of them stand in a text, so that one search for each is cheaper than a look at every character.
    if not text.isascii():
        for sign in _ODD.intersection(foreign(text)):
            text = text.replace(sign, _STRAIGHT[sign])
    for sign in _ODD_ASCII:
        if sign in text:
            text = text.replace(sign, _STRAIGHT[sign])
    return text


def repair(text: str) -> str:
    """The text without invisible characters and with common mojibake undone (length may change)."""
    if text.isascii():
        return text.replace("\x00", "") if "\x00" in text else text
    odd = foreign(text)
    if "\x00" in text or _INVISIBLE.search(odd):
        text = _INVISIBLE.sub("", text)
    if _MOJIBAKE_FIRST.isdisjoint(odd):
        return text
    return _WRONG.sub(lambda found: _MOJIBAKE[found.group()], text)
