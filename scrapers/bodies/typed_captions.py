"""Captions of quotes that a board's quote button types above them: boards with Markdown have no other place.

NodeBB writes `@bram said in [TOPIC](/post/41):` or `@bram [said](/post/41):` above the lines of a quote (since 2025 as
its first line), FlaskBB `**[Bram](/user/Bram) wrote:**`, each in the language of whoever quotes. They are lines of the
post, but no more the poster's own words than the quote is. Each links the name or the post; a line without such a link
is a sentence of the poster's that ends with a colon.
"""

from __future__ import annotations

import re

from scrapers.bodies.quotes import is_profile, post_in_links, says_wrote
from scrapers.patterns import Pattern

_QUOTE, _END = "<blockquote>", "</blockquote>"
#: Longest line of HTML that is a caption, and how many words a board writes around its links.
_LONGEST, _MOST_WORDS = 900, 6
_COLONS = (":", "\uff1a")
_LINK = Pattern(r'<a [^<>]{0,300}?href="([^"<>]{1,300})"[^<>]{0,300}>([^<>]{1,300}|@?<bdi>[^<>]{1,100}</bdi>)</a>')
_TAG = Pattern(r"</?(?:strong|bdi)>")
_BREAK = Pattern(r"<br ?/?>")
#: The words that link the post in NodeBB's languages, and what stands before them; captions of its that end otherwise.
_SAID = frozenset(
    {
        *("said", "sagte", "dijo", "sanoi", "a dit", "detto", "sa", "napisał", "nói", "说", "каза", "כתב"),
        *("発言", "ပြောထားသည်"),
    }
)
_BEFORE_SAID = " \u306e\u1000:\uff1a"
_WITHOUT_COLON = frozenset({"كتب في", "dixo en", "је рекао у", "မှ တွင် ပြောခဲ့သည်-"})
_MENTION = Pattern(r"@(\S{1,100}?)(?:の発言)?[,:\uff1a]*(?=\s|$)")
#: What no board writes around a name and a link: a line with it says something of its own.
_CLAIM = Pattern(r"[\d\[\]{}<>]")


def captioned(html: str | None) -> str | None:
    """A body, as the tree writes it, with the captions typed above its quotes as captions in them; None for None."""
    if html is None or _QUOTE not in html:
        return html
    pieces = html.split(_QUOTE)
    depth = 0
    for place in range(len(pieces) - 1):
        piece = pieces[place]
        depth = max(depth - piece.count(_END), 0)
        if depth == 0:
            _move(pieces, place)
        depth += 1
    return _QUOTE.join(pieces)


def _move(pieces: list[str], place: int) -> None:
    """Make a caption of the last line of a piece, or of the first one of the quote behind it."""
    above, quote = pieces[place], pieces[place + 1]
    start, end = _last_line(above)
    caption = _caption(above[start:end]) if start < end else None
    if caption:
        pieces[place] = above[:start] + above[end:]
        pieces[place + 1] = f"<cite>{caption}</cite>{quote}"
        return
    start, end = _first_line(quote)
    caption = _caption(quote[start:end]) if start < end else None
    if caption:
        pieces[place + 1] = f"<cite>{caption}</cite>{quote[:start]}{quote[end:]}"


def _first_line(html: str) -> tuple[int, int]:
    """Where the first line stands in a text that begins with a paragraph; nothing where it does not."""
    start = len(html) - len(html.lstrip())
    if not html.startswith("<p", start):
        return 0, 0
    start = html.find(">", start) + 1
    end = html.find("</p>", start, start + _LONGEST)
    pause = _BREAK.search(html, start, max(end, start))
    return start, pause.start() if pause else end


def _last_line(html: str) -> tuple[int, int]:
    """Where the last line stands in a text that ends with a paragraph; nothing where it does not."""
    end = len(html.rstrip())
    if not html.endswith("</p>", 0, end):
        return 0, 0
    end -= len("</p>")
    start = html.find(">", html.rfind("<p", 0, end)) + 1
    breaks = list(_BREAK.finditer(html, start, end))
    return (breaks[-1].end() if breaks else start), end


def _caption(html: str) -> str | None:
    """A line that is a caption - a name, words around it, and a colon -, or None."""
    if len(html) > _LONGEST:
        return None
    links = list(_LINK.finditer(html))
    people = [link for link in links if is_profile(link[1])]
    posts = [link for link in links if link not in people and post_in_links([link[1]])]
    if len(people) > 1 or len(posts) > 1 or len(people) + len(posts) < len(links):
        return None
    rest = _TAG.sub("", _LINK.sub(" ", html)).strip()
    ends = rest.endswith(_COLONS)
    mention = None if people else _MENTION.search(rest)
    if mention is not None and (posts or mention.start() == 0):
        rest = rest[: mention.start()] + rest[mention.end() :]
    elif not people:
        return _without_mention(html, rest, posts[0]) if posts else None
    rest = " ".join(rest.split())
    if not _is_short(rest) or not (ends or (posts and rest in _WITHOUT_COLON)):
        return None
    if posts:
        return f"@{mention[1]} said: {posts[0][0]}" if mention else html
    return html if says_wrote("X " + rest) else None


def _is_short(rest: str) -> bool:
    """Whether the words of a line around its links may be a board's own."""
    return not _CLAIM.search(rest) and len(rest.split()) <= _MOST_WORDS


def _without_mention(html: str, rest: str, post: re.Match[str]) -> str | None:
    """A caption, written as one with a mention, whose name is neither linked nor mentioned; None where it is none.

    `rest`: the words around its only link, `post`.
    """
    rest = " ".join(rest.split())
    if not rest.endswith(_COLONS) or not _is_short(rest):
        return None
    if post[2].strip() in _SAID and html.rstrip().endswith(("</a>:", "</a>\uff1a")):
        return f"@{rest.rstrip(_BEFORE_SAID)} said: {post[0]}"
    return f"@{html}" if says_wrote("X " + rest) else None
