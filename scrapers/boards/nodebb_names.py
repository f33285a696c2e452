"""NodeBB's names of authors that the board leaves to the page's script: those of guests and of closed accounts."""

from __future__ import annotations

from collections.abc import Iterable

from selectolax.lexbor import LexborNode

from scrapers.boards.pages import attr, named
from scrapers.patterns import Pattern

#: A name that is to be put into words: `[[global:former-user]]`, `[[global:guest]]`.
_UNTOLD = Pattern(r"\[\[\w{1,30}:([\w.-]{1,60})\]\]$")


def is_untold(name: str) -> bool:
    """Whether a name is a key for words in the page's language."""
    return name[:2] == "[[" and _UNTOLD.match(name) is not None


def in_words(name: str) -> str:
    """A name by its key."""
    untold = _UNTOLD.match(name)
    return untold[1].replace("-", " ").replace("_", " ") if untold else name


def names(posts: Iterable[LexborNode]) -> dict[str, str]:
    """The names of authors in the page's words, by the numbers of their posts."""
    return {attr(node, "data-pid"): shown_name(node) for node in posts}


def shown_name(node: LexborNode) -> str:
    """The name of a post's author. In 4.14 and later the attribute has the key, and only its link has the words."""
    name = attr(node, "data-username")
    if not is_untold(name):
        return name
    _, shown = named(node, "a[data-username]")
    return shown or in_words(name)
