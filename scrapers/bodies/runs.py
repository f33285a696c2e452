"""Runs of a body's text: blanks collapsed as a browser shows them, escapes undone, attributes of tags."""

from __future__ import annotations

from scrapers.bodies.layout import GAP, LINE, LINK, LINK_END
from scrapers.patterns import Pattern

#: Stands for a line break until a run of text is put together, as `LINE` for the start of a line.
BREAK = "\x02"
#: What the ends of a paragraph are in a run: as browsers show them, with an empty line beside it.
PARAGRAPH = LINE + GAP + LINE
_SPACES = Pattern("  +")
#: What the tree builder escapes in text and attributes; the ampersand itself comes last.
_ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&nbsp;", "\xa0"), ("&amp;", "&"))
#: What posts are full of is replaced in a whole body at once, before it is cut at its tags.
_PARAGRAPHS = (("</p><p>", PARAGRAPH), ("<p>", PARAGRAPH), ("</p>", PARAGRAPH))


def without_paragraphs(html: str) -> str:
    """A body with its plain paragraphs as lines that stand apart.

    Control characters take their places, also in comments and scripts, so no tag and no end of a comment can
    come about.
    """
    if "<p>" in html:
        for tag, shown in _PARAGRAPHS:
            html = html.replace(tag, shown)
    return html


def collapsed(text: str, *, linked: bool = False) -> str:
    """A run of text with its blanks collapsed, as a browser shows it, and with its line breaks as such.

    Plain replacing where it can be: far cheaper than a pattern for all blanks. `linked`: links are in it.
    """
    if "\n" in text or "\t" in text or "\r" in text or "\f" in text:
        text = text.replace("\n", " ").replace("\t", " ").replace("\r", " ").replace("\f", " ")
    if linked:  # blanks at the ends of a link's text go before and behind it
        text = text.replace(LINK + " ", " " + LINK).replace(" " + LINK_END, LINK_END + " ")
    if BREAK in text:
        first, *lines = text.split(BREAK)
        last = lines.pop()
        text = "\n".join([first.rstrip(" "), *[line.strip(" ") for line in lines], last.lstrip(" ")])
    if "  " in text:
        text = _SPACES.sub(" ", text)
    return text


def bare(text: str) -> str:
    """A run of text without its links."""
    return in_lines(text).replace(LINK, "").replace(LINK_END, "")


def in_lines(text: str) -> str:
    """A run of text with line breaks for all that starts a line."""
    return text.replace(GAP, "").replace(LINE, "\n").replace(BREAK, "\n")


def unescaped(text: str) -> str:
    """Text or an attribute without the five escapes that the tree builder writes."""
    if "&" not in text:
        return text
    for escape, character in _ESCAPES:
        text = text.replace(escape, character)
    return text


def attribute(tag: str, name: str) -> str | None:
    """The value of an attribute in a start tag, given without its brackets."""
    start = tag.find(f' {name}="')
    if start < 0:
        return None
    start += len(name) + 3
    end = tag.find('"', start)
    return unescaped(tag[start:end]) if end >= 0 else None
