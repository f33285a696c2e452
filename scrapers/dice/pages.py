"""Pages of dice services made ready to read, however hostile: bounded in size and in work."""

from __future__ import annotations

import json
import re
from typing import Any

from bs4 import BeautifulSoup
from bs4.exceptions import ParserRejectedMarkup

from referee.ports.boards import Page

#: A page of one roll is small; more bytes than this are something else.
MOST_BYTES = 512 * 1024
#: Steps that the standard HTML parser may waste on unclosed tags (about a second).
MOST_WORK = 20_000_000
_CHARSET = re.compile(r"charset=[\"']?([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)


def json_of(page: Page) -> Any:
    """The JSON value of a page; ValueError where it is none."""
    _check_size(page)
    try:
        return json.loads(_text_of(page) or page.body)
    except RecursionError as error:
        raise ValueError("the answer is nested too deeply") from error
    except ValueError as error:
        raise ValueError(f"the answer is no JSON ({str(error)[:100]})") from error


def soup_of(page: Page) -> BeautifulSoup:
    """The parsed HTML of a page; ValueError where it can't be parsed with reasonable work."""
    _check_size(page)
    if _wasted_work(page.body) > MOST_WORK:
        raise ValueError("the page is full of unclosed tags")
    named = _CHARSET.search(page.header("content-type") or "")
    encoding = "utf-8" if _is_utf8(page.body) else named.group(1) if named else None
    try:
        return BeautifulSoup(page.body, "html.parser", from_encoding=encoding)
    except (ParserRejectedMarkup, RecursionError, AssertionError) as error:
        raise ValueError("the page can't be parsed as HTML") from error


def _is_utf8(body: bytes) -> bool:
    """Whether a page is in UTF-8, whatever it says: letters of another charset hardly ever look like it."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not body.isascii()


def _text_of(page: Page) -> str | None:
    """An answer in the charset that it names, where it is none of JSON's own."""
    named = _CHARSET.search(page.header("content-type") or "")
    if named is None or page.body.isascii() or _is_utf8(page.body) or named.group(1).lower().startswith("utf"):
        return None
    try:
        return page.body.decode(named.group(1))
    except (LookupError, UnicodeDecodeError):
        return None


def _check_size(page: Page) -> None:
    if len(page.body) > MOST_BYTES:
        raise ValueError(f"the page has {len(page.body)} bytes, far too many for a roll")


def _wasted_work(body: bytes) -> int:
    """An upper estimate of the steps the parser takes in vain.

    It reads on from every `<` for a `>`, and from every comment or declaration for its end, and
    starts over one character later if there is none: quadratic, but cheap to foresee.
    """
    work = sum(piece.count(b"<") * len(piece) for piece in body.split(b">"))
    for opener, closer in ((b"<!--", b"--"), (b"<![", b"]"), (b"<?", b">"), (b"<!", b">")):
        tail = body[body.rfind(closer) + 1 :] if closer == b">" else _after_last(body, opener, closer)
        # A search for a fixed end is a hundred times faster than a walk through a tag.
        work += tail.count(opener) * len(tail) // 100
    return work


def _after_last(body: bytes, opener: bytes, closer: bytes) -> bytes:
    """What stands behind the last real end of a comment or section."""
    end = body.rfind(closer + b">")
    start = body.find(opener, end + 1 if end >= 0 else 0)
    return body[start:] if start >= 0 else b""
