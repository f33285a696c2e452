"""A page's bytes as text: in the encoding that it names, where that is right."""

from __future__ import annotations

import re

from referee.ports.boards import Page

_CHARSET = re.compile(rb"""charset=["']?\s*([A-Za-z0-9_.:-]{2,40})""", re.IGNORECASE)


def charset(page: Page) -> str:
    """The encoding that header or page name. Pages that say ISO-8859-1 carry Windows-1252 (as browsers read them)."""
    named = _CHARSET.search((page.header("content-type") or "").encode("utf-8", "replace"))
    named = named or _CHARSET.search(page.body[:2048])
    name = named[1].decode("ascii").lower() if named else "utf-8"
    return "cp1252" if name in ("iso-8859-1", "latin1", "latin-1", "us-ascii", "iso_8859-1") else name


def decode(page: Page) -> str:
    """The page's text; what is no text in its encoding is replaced."""
    name = charset(page)
    try:
        text = page.body.decode(name, "replace")
    except LookupError:
        name, text = "utf-8", page.body.decode("utf-8", "replace")
    if "\ufffd" in text and name in ("utf-8", "utf8"):
        text = _other_than_said(page.body, text)
    return text.replace("\0", "\ufffd") if "\0" in text else text


def _other_than_said(body: bytes, text: str) -> str:
    """The text of a page that says UTF-8 and is not: as its own head names it, else as Windows-1252.

    A page with other letters beyond ASCII in valid UTF-8 is UTF-8 with a damaged place.
    """
    if any(ord(letter) > 127 and letter != "\ufffd" for letter in text):
        return text
    inner = _CHARSET.search(body[:2048])
    name = inner[1].decode("ascii").lower() if inner else "cp1252"
    if name in ("utf-8", "utf8", "iso-8859-1", "latin1"):
        name = "cp1252"
    try:
        return body.decode(name, "replace")
    except LookupError:
        return body.decode("cp1252", "replace")
