"""Marks of Markdown, of BBCode and of e-mails that stand in a post as they were typed (G16).

A board shows as typed what it does not know: BBCode on boards with Markdown, Markdown on the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from referee.model.battle import Post
from referee.model.text import Block

#: Emphasis and headings where a board shows them as typed: bold and italic change nothing (G16).
#: Each begins with its sign, so that a text is searched for that one alone.
_STARRED = re.compile(r"(\*(?<![*\w]\*)\*{0,2})(?=[^\s*])([^*\n]{0,200}[^\s*])\1(?![*\w])")
_UNDERLINED = re.compile(r"(_(?<![_\w]_)_?)(?=[^\s_])([^_\n]{0,200}[^\s_])\1(?![_\w])")
_FENCED = re.compile(r"```[^`]{0,4000}```")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+", re.MULTILINE)
#: `~~-10~~`: struck out. More of the sign is a line of ornament.
_STRUCK = re.compile(r"~~(?<!~~~)(?=[^\s~])([^~\n]{1,300})(?<!\s)~~(?!~)")
_TICKED = re.compile(r"`(?<![\w`]`)([^`\n]{1,300})`(?![\w`])")
_QUOTED = re.compile(r"^[ ]{0,3}>[^\n]*", re.MULTILINE)
_QUOTE_SIGNS = re.compile(r"^[ ]{0,3}(?:>[ ]?){1,9}", re.MULTILINE)
#: The signature mark of e-mails, its blank included; below it stand a few lines, to the end.
_BELOW = re.compile(r"^-- \n((?:[^\n]*\n){0,4}[^\n]*)\Z", re.MULTILINE)
_OPENS = frozenset("[({")
#: BBCode about looks, and what it strikes out or sets as code.
_LOOKS = re.compile(
    r"\[/?(?:b|i|u|center|left|right|justify|indent|colou?r|size|font|sup|sub)(?:=[^\]\n]{1,60})?\]", re.IGNORECASE
)
_BB_STRUCK = re.compile(r"\[(s|strike|del|code)\][^\[]{0,300}(?:\[(?!/\1\])[^\[]{0,300}){0,9}\[/\1\]", re.IGNORECASE)
_BB_QUOTE = re.compile(r"\[(/?)quote\b[^\]\n]{0,120}\]", re.IGNORECASE)


def unmarked(raw: str) -> str:
    """The text without marks around words and in front of headings, and without fenced code and struck-out words."""
    if "[/" in raw:
        raw = _LOOKS.sub("", _BB_STRUCK.sub("", raw))
    if "`" in raw:
        raw = _TICKED.sub(r"\1", _FENCED.sub("\n", raw))
    if "~~" in raw:
        raw = _STRUCK.sub(_struck, raw)
    if "*" in raw:
        raw = _STARRED.sub(r"\2", raw)
    if "_" in raw:
        raw = _UNDERLINED.sub(r"\2", raw)
    return _HEADING.sub("", raw) if "#" in raw else raw


def _struck(found: re.Match[str]) -> str:
    """Nothing, except for a heading of plain words between such marks, which is an ornament."""
    plain = not any(sign.isdigit() or sign in "[](){}:" for sign in found[1])
    return found.group() if plain and _is_a_line(found) else ""


def _is_a_line(found: re.Match[str]) -> bool:
    """Whether a match is all of its line, blanks in front aside."""
    text = found.string
    before = text.rfind("\n", 0, found.start()) + 1
    return not text[before : found.start()].strip() and text[found.end() : found.end() + 1] in ("", "\n")


def split_doubtful(raw: str, signed: bool = False) -> tuple[str, str]:
    """The text, and what of it may be the poster's own or not, one piece a line.

    A quote of BBCode that the board shows as typed is somebody else's words as a rule. A `>` at the start of a line is
    a quotation on boards with Markdown and an ornament on others; a tag in backticks may be code or a tag set off.
    `signed`: what stands below `-- ` is a signature (see `signatures_of`).
    """
    doubtful: list[str] = []
    if "[/" in raw and "quote]" in raw.lower():
        raw = _without_quotes(raw, doubtful)
    if ">" in raw and (raw[0] == ">" or "\n>" in raw or "\n >" in raw):
        doubtful += [_QUOTE_SIGNS.sub("", found) for found in _QUOTED.findall(raw)]
        raw = _QUOTED.sub("", raw)
    if "`" in raw:
        raw = _TICKED.sub(lambda found: _set_off(found, doubtful), raw)
    if signed and "\n-- \n" in raw:
        below = _BELOW.search(raw)
        if below is not None:
            doubtful.append(below[1])
            raw = raw[: below.start()]
    return raw, "\n".join(doubtful)


def _without_quotes(raw: str, doubtful: list[str]) -> str:
    """Take out what stands in quotes of BBCode, with the quotes in it; one that is never closed stays."""
    kept: list[str] = []
    begun, depth, place = 0, 0, 0
    for mark in _BB_QUOTE.finditer(raw):
        if not mark[1]:
            begun = mark.start() if not depth else begun
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                kept.append(raw[place:begun])
                doubtful.append(_BB_QUOTE.sub("", raw[begun : mark.start()]))
                place = mark.end()
    return "".join([*kept, raw[place:]])


def _set_off(found: re.Match[str], doubtful: list[str]) -> str:
    """Take a tag or a whole line in backticks out; other words in them are merely marked."""
    words = found[1].strip()
    if not _is_a_line(found) and words[:1] not in _OPENS:
        return found.group()
    doubtful.append(words)
    return ""


def signatures_of(posts: Sequence[Post]) -> frozenset[tuple[str, str]]:
    """Accounts with what stands below the mark `-- ` in at least two, and at least half, of their posts.

    Below a mark that an author has made once, to part a scene from its tags, stand tags.
    """
    below = Counter([(post.author.casefold(), below_mark(post.revisions[-1].blocks)) for post in posts])
    marked = [(key, count) for key, count in below.items() if key[1]]
    if not marked:
        return frozenset()
    written = Counter([post.author.casefold() for post in posts])
    return frozenset(key for key, count in marked if count > 1 and 2 * count >= written[key[0]])


def below_mark(blocks: Iterable[Block]) -> str:
    """What stands below the mark `-- ` in a post, blanks aside; "" without one."""
    own = "\n".join([block.text for block in blocks if block.kind == "own"])
    found = _BELOW.search(own) if "\n-- \n" in own else None
    return " ".join(found[1].split()) if found is not None else ""
