"""A bound on nesting: a tree builder walks its whole stack for every element of a tower.

100,000 `<div>` in one post would keep it busy for minutes. No forum's page is nested so deeply;
what lies deeper keeps its words and loses its tags.
"""

from __future__ import annotations

from scrapers.patterns import Pattern

#: Elements may be nested so deep.
DEEPEST = 600
#: With fewer opening tags than this nothing can be too deep.
_FEW = 3000

_TAG = Pattern(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})\b[^<>]{0,2000}>")
_EMPTY = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)


def shallow(html: str) -> str:
    """The HTML with tags taken out where they are nested too deep; as it is where they are not."""
    if html.count("<") < _FEW:
        return html
    depth = 0
    out: list[str] = []
    place = 0
    for tag in _TAG.finditer(html):
        if tag[2].lower() in _EMPTY or tag[0].endswith("/>"):
            continue
        depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth >= DEEPEST + (0 if tag[1] else 1):
            out.append(html[place : tag.start()])
            place = tag.end()
    if not out:
        return html
    out.append(html[place:])
    return "".join(out)
