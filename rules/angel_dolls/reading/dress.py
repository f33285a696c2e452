"""Smileys, waves and entities of HTML in a post's text, put as the grammar has them; places stay."""

from __future__ import annotations

import re

#: At the end of a line, behind a blank.
_SMILEY = re.compile(
    r"(?<=[ \t])(?:[:;=]'?-?[)(DPpOo|*3]{1,4}|x[Dd]{1,4}|X[Dd]{1,4}|\^\^|<3)[.!]?(?=[ \t]*$)", re.MULTILINE
)
_SMILEYS = (":)", ":(", ";)", ":D", ":P", ":p", ":-", "=)", "xD", "XD", "^^", "<3", ":'(")
#: What boards store for signs, where a post's text was copied from their database.
_ENTITY = re.compile(r"&(?P<name>gt|lt|amp|quot|nbsp|rarr|minus|ndash|mdash);")
_SIGNS = {"gt": ">", "lt": "<", "amp": "&", "quot": '"', "nbsp": " ", "rarr": "\u2192"}
#: Waves around a line.
_WAVE = re.compile(r"^[ \t]*~{1,3}(?=[ \t])|(?<=[ \t])~{1,3}(?=[ \t]*$)", re.MULTILINE)


def undressed(text: str) -> str:
    """The text with plain signs, as long as it was."""
    if "&" in text:
        text = _ENTITY.sub(_sign, text)
    if "~ " in text or " ~" in text:
        text = _WAVE.sub(lambda found: " " * len(found[0]), text)
    if any([smiley in text for smiley in _SMILEYS]):
        text = _SMILEY.sub(lambda found: " " * len(found[0]), text)
    return text


def _sign(found: re.Match[str]) -> str:
    """The sign with blanks behind it; `-&gt;` is an arrow, so the sign stands first."""
    return _SIGNS.get(found["name"], "-").ljust(len(found[0]))
