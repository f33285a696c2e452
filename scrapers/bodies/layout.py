"""How a run of a body's text falls into lines, and the signs that stand in it for starts of lines and links."""

from __future__ import annotations

from collections.abc import Callable

#: Stand in a run of text for the start of a line (a line break where the text is not at one already)
#: and for the ends of a link; on a line of its own, `GAP` is an empty line above and below a paragraph.
LINE, LINK, LINK_END, GAP = "\x01", "\x03", "\x04", "\x05"


def laid_out(text: str, *, fresh: bool, apart: Callable[[], bool]) -> str:
    """A run of text with its starts of lines as line breaks, without blanks around them.

    `fresh`: it goes on at the start of a line; `apart()`: with an empty line above it. A break that ends a
    paragraph has started the next line.
    """
    first, *rest = text.split(LINE)
    last = rest.pop().lstrip(" ")
    lines = [first.rstrip(" "), *[line for part in rest if (line := part.strip(" "))]]
    starts = fresh and not lines[0]
    if "\n" in text:
        lines = [line.removesuffix("\n") for line in lines]
    lines.append(last)
    if GAP in text:
        lines = _set_apart(lines, apart=starts and apart())
    joined = "\n".join(lines)
    return joined[1:] if starts else joined


def _set_apart(lines: list[str], *, apart: bool) -> list[str]:
    """Lines with an empty one for each row of gaps; none at the beginning where they stand `apart` already."""
    out = [lines[0]]
    gap = apart
    for line in lines[1:]:
        if line != GAP:
            out.append(line)
        elif not gap:
            out.append("")
        gap = line == GAP
    return out
