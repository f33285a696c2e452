"""Addresses as people give them: checked and shown without loading anything of the network."""

from __future__ import annotations

from referee.app.config import web_address
from referee.app.errors import UsageError


def stated_address(url: str, what: str = "") -> None:
    """UsageError where a text is no web address; `what`: the option or file that it stands in."""
    try:
        web_address(url)
    except ValueError as error:
        words = shown_address(url)
        said = str(error) if words in str(error) else f"{words}: {error}"
        raise UsageError(f"{what}{said}") from None


def bare_address(url: str) -> str:
    """An address as it was copied from a browser: without blanks around it and without the place on the page."""
    return url.strip().split("#", 1)[0]


def shown_address(url: str) -> str:
    """An address fit for a terminal: printable characters only, cut when long."""
    words = "".join(c if c.isprintable() else "?" for c in url[:200])
    return f"{words}..." if len(url) > 200 else words
