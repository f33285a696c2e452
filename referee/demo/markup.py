"""The sample posts' BBCode as the HTML of phpBB 3.3."""

from __future__ import annotations

import re
from collections.abc import Callable

from markupsafe import Markup, escape

_PLAIN = {"b": ("strong", "text-strong"), "i": ("em", "text-italics")}
_CODE = re.compile(r"\[code\](.*?)\[/code\]", re.DOTALL)
_QUOTE = re.compile(r"\[quote=(\w{1,40}),(\d{1,9})\](.*?)\[/quote\]", re.DOTALL)
_ROLL = re.compile(r"\[url=dice:(\d{1,9})\](.*?)\[/url\]")


def body_html(text: str, roll_url: Callable[[str], str], cite: Callable[[str, str], Markup]) -> Markup:
    """A post's BBCode as HTML.

    `roll_url` gives the address of a roll in the dice log, `cite` the line above a quote from the
    author and the number of the quoted post.
    """
    parts = _CODE.split(text.strip("\n"))
    pieces = [_code(part) if index % 2 else _flow(part, roll_url, cite) for index, part in enumerate(parts)]
    return Markup("").join(pieces)


def _code(text: str) -> Markup:
    return Markup(
        '<div class="codebox"><p>Code: <a href="#">Select all</a></p><pre><code>{}</code></pre></div>'
    ).format(text)


def _flow(text: str, roll_url: Callable[[str], str], cite: Callable[[str, str], Markup]) -> Markup:
    """Everything but code: line breaks, bold, italic, roll links, quotes."""
    html = str(escape(text)).replace("\n", "<br>\n")
    for tag, (name, css) in _PLAIN.items():
        html = html.replace(f"[{tag}]", f'<{name} class="{css}">').replace(f"[/{tag}]", f"</{name}>")
    html = _ROLL.sub(lambda found: f'<a href="{escape(roll_url(found[1]))}" class="postlink">{found[2]}</a>', html)
    return Markup(_QUOTE.sub(lambda found: _quote(found[2], cite(found[1], found[2]), found[3]), html))  # noqa: S704


def _quote(post: str, line: Markup, inside: str) -> str:
    return f'<blockquote cite="./viewtopic.php?p={post}#p{post}"><div>{line}\n{inside}</div></blockquote>'
