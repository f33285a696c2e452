"""Captions of quotes: who is quoted, and which post the caption links.

Boards write the caption in their language (`X wrote:`, `Quote from: X on DATE`); known words around
the name are taken off, an unknown wording is kept whole rather than guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from scrapers.boards.patterns import Pattern

_POST = Pattern(r"(?:[?&;/](?:p|pid|msg)=?|[.,]msg|/post/|/posts/|#p(?:id)?|#msg|#post)(\d{1,18})")
_AHEAD = ("Quote from:", "Quote from ", "Zitat von:", "Zitat von ", "Цитата:", "Citation de:", "Citar de:", "Quote:")
_BEHIND = Pattern(
    r"\s*(?:hat geschrieben|wrote|schrieb|said|a écrit|escribió|написал(?:\(а\)|а)?|пишет|ha scritto|schreef)"
    r"(?:\s+(?:on|am|at|in)\b.{0,100})?\s*:.{0,200}$",
    re.IGNORECASE | re.DOTALL,
)
_DATED = Pattern(r"\s+(?:on|am|от|le|el|il|op)\s+(?=\S{0,40}.{0,20}\d).{1,80}$", re.DOTALL)
_STAMP = Pattern(r"^\([^()]{4,60}\)\s*")


def post_in_links(links: Iterable[str]) -> str | None:
    """The post id in the first link that names a post."""
    for link in links:
        found = _POST.search(link)
        if found:
            return found[1]
    return None


def caption_author(words: str) -> str | None:
    """The name in a quote's caption; None where there is nothing but a word for `quote`."""
    words = _STAMP.sub("", words.strip()[:400])
    for ahead in _AHEAD:
        if words.startswith(ahead):
            words = _DATED.sub("", words[len(ahead) :])
            break
    words = _BEHIND.sub("", words).strip().rstrip(":").strip('"“”„« »\u00a0')
    return None if words.casefold() in ("", "quote", "zitat", "цитата", "citation", "code") else words


def first_line_author(text: str) -> str | None:
    """The name in a quote that was typed with its caption: `X wrote:` alone on the first line."""
    first = text.split("\n", 1)[0]
    if len(first) < 100 and first.endswith(":"):
        found = _BEHIND.search(first)
        if found and found.start():
            return first[: found.start()].strip().lstrip("@") or None
    return None
