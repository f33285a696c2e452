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

_TABLE: dict[int, str] = {
    **{ord(c): "-" for c in _DASHES},
    **{ord(c): " " for c in _BLANKS},
    **{ord(c): "'" for c in _SINGLE},
    **{ord(c): '"' for c in _DOUBLE},
    **{ord(c): "\n" for c in _BREAKS},
    **{ord(c): latin for c, latin in _LATIN.items()},
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0D},
    ord("\u00d7"): "x",
    ord("\u2715"): "x",
    ord("\u21d2"): "\u2192",
    ord("\u2192"): "\u2192",
    ord("\u2794"): "\u2192",
    ord("\u279c"): "\u2192",
    ord("\u2022"): "*",
    ord("\u00b7"): "*",
    ord("\u2026"): ".",
}

#: Characters without width (joiners, bidi marks, NUL): dropped before anything is read.
INVISIBLE = re.compile(r"[\u0000\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")

#: UTF-8 read as Windows-1252 somewhere on the way, and what it was.
_MOJIBAKE = {
    "â€“": "–",
    "â€”": "—",
    "â€™": "'",
    "â€œ": '"',
    "â€\u009d": '"',
    "âˆ’": "−",
    "βˆ’": "−",
    "Â ": " ",
    "Â\u00a0": " ",
}
MOJIBAKE = re.compile("|".join(re.escape(wrong) for wrong in _MOJIBAKE))


def straighten(text: str) -> str:
    """The text with look-alikes replaced one for one; its length stays the same."""
    return (
        text if text.isascii() and "`" not in text and "\t" not in text and "\r" not in text else text.translate(_TABLE)
    )


def repair(text: str) -> str:
    """The text without invisible characters and with common mojibake undone (length may change)."""
    if text.isascii() and "\x00" not in text:
        return text
    return MOJIBAKE.sub(lambda found: _MOJIBAKE[found.group()], INVISIBLE.sub("", text))
