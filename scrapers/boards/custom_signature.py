"""Signatures that stand in the text itself, below a line of underscores or dashes (boards.md sections 4 and 16)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from selectolax.lexbor import LexborNode

from scrapers.boards.more import within

#: Of so many signs a line consists at least.
_SHORTEST = 5


def is_line(selector: str) -> bool:
    """Whether what should select signatures is the line above them: underscores or dashes, nothing else."""
    return len(selector) >= _SHORTEST and "" in (selector.strip("_"), selector.strip("-"))


def cut(body: LexborNode, line: str, framed: Collection[int]) -> str | None:
    """Take what stands below the last such line out of a text, the line itself too; gives it as HTML, None without one.

    Not a line in somebody's words: in a quote, in code (`framed`: the elements).
    """
    if line not in body.text():
        return None
    theirs = set(framed)
    lines = [part for part in body.traverse(include_text=True) if part.tag == "-text" and part.text().strip() == line]
    own = next((part for part in reversed(lines) if not within(part, theirs)), None)
    if own is None:
        return None
    below = list(_behind(own, body))
    html = "".join(part.html or "" for part in below)
    for part in (own, *below):
        part.decompose()
    return html


def _behind(node: LexborNode, body: LexborNode) -> Iterator[LexborNode]:
    """All elements and runs of text of a body that begin behind a node, in order."""
    outer: LexborNode | None = node
    while outer is not None and outer.mem_id != body.mem_id:
        following = outer.next
        while following is not None:
            yield following
            following = following.next
        outer = outer.parent
