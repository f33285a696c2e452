"""Small parts of `Board` values: the check of the operator's own selectors, and permalinks that name no thread."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping

from selectolax.lexbor import LexborHTMLParser

from referee.ports.boards import ReadOptions


def checker(*skins: Mapping[str, str]) -> Callable[[ReadOptions], Iterable[str]]:
    """The check of an engine's options (`Board.check`) by its records of selectors."""
    known = sorted({key for skin in skins for key in skin})

    def check(options: ReadOptions) -> Iterator[str]:
        for key, selector in options.selectors.items():
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                hint = f", did you mean `{near[0]}`?" if near else f"; there are {', '.join(known)}"
                yield f"selectors.{key}: unknown key{hint}"
            elif not _readable(selector):
                yield f"selectors.{key}: {selector[:80]!r} is no CSS selector"

    return check


def _readable(selector: str) -> bool:
    """Whether the tree builder takes a text as a selector."""
    try:
        LexborHTMLParser("<p></p>").css(selector)
    except Exception:  # the library has an error of its own for each version
        return False
    return True


def thread_free(permalink: str) -> str | None:
    """The address of a post, of an engine whose permalinks name no thread (`Board.wherever`)."""
    return permalink.split("#", 1)[0] or None
