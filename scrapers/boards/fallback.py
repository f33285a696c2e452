"""The structural layer: posts of a skin that the selectors do not know, found by their permalinks.

A post's own anchor or permalink is the one thing that every skin keeps. The post is the largest
element around it that holds no other post's anchor. Author, time and body are looked for in it by
the engine's profile links, by what reads as a date, and by what is the longest text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scrapers.boards.moments import UNKNOWN, Moment, Times
from scrapers.boards.pages import Found, Reader, attr, found_in, html_of, inner_html, words
from scrapers.boards.patterns import Pattern

#: No board shows more posts on a page; every anchor costs a look at its surroundings.
MOST_POSTS = 300


@dataclass(frozen=True, slots=True)
class Anchors:
    """How an engine's posts can be told in any skin.

    `post`: a permalink's href, `name`: an element's id or name (both with the post id as group);
    `profile`, `body`, `date`, `signature`: selectors to try; `user`: the user id in a profile link.
    """

    post: Pattern[str]
    name: Pattern[str]
    profile: str
    user: Pattern[str]
    body: str
    date: str
    signature: str


def read(tree: LexborHTMLParser, reader: Reader, anchors: Anchors, permalink: Callable[[str], str]) -> None:
    """Add the posts that a page's anchors show; says so in the problems if there are any."""
    places = _places(tree, anchors)
    if len(places) > MOST_POSTS:
        reader.problems.append(f"unknown skin with {len(places)} anchors: not read")
        return
    for number, node in places.items():
        found = _post(_container(node, number, anchors), number, anchors, reader.times, permalink(number))
        if found.html and found.author:
            reader.add(found)
    if reader.posts:
        reader.problems.append("unknown skin: posts were read by their permalinks")


def _places(tree: LexborHTMLParser, anchors: Anchors) -> dict[str, LexborNode]:
    """Post id -> the node that names it, in the order of the page."""
    places: dict[str, LexborNode] = {}
    for node in tree.css("[id], a[name]"):
        match = anchors.name.match(attr(node, "id") or attr(node, "name"))
        if match:
            places.setdefault(match[1], node)
    if not places:
        for node in tree.css("a[href]"):
            match = anchors.post.search(attr(node, "href"))
            if match and not _in_quote(node):
                places.setdefault(match[1], node)
    return places


def _in_quote(node: LexborNode) -> bool:
    """Whether a link stands in a quote: it then names another post."""
    parent = node.parent
    while parent is not None:
        if parent.tag in ("blockquote", "cite"):
            return True
        parent = parent.parent
    return False


def _container(node: LexborNode, number: str, anchors: Anchors) -> LexborNode:
    """The largest element around a post's anchor without another post's anchor."""
    while True:
        parent = node.parent
        if parent is None or parent.tag in ("body", "html", "-undef"):
            return node
        for inner in parent.css("[id], a[name]"):
            match = anchors.name.match(attr(inner, "id") or attr(inner, "name"))
            if match and match[1] != number:
                return node
        node = parent


def _post(node: LexborNode, number: str, anchors: Anchors, times: Times, permalink: str) -> Found:
    """A post in its container."""
    profile = next((found for found in node.css(anchors.profile) if words(found)), None)
    signature = node.css_first(anchors.signature)
    return Found(
        id=number,
        author=words(profile),
        html=inner_html(_body(node, anchors)),
        moment=_moment(node, anchors, times),
        author_id=found_in(anchors.user, attr(profile, "href")),
        permalink=permalink,
        signature=html_of(signature),
    )


def _body(node: LexborNode, anchors: Anchors) -> LexborNode | None:
    """The body: the longest of the likely elements, innermost where they lie in each other."""
    # subsilver2 shows the signature in a second element of the same class, below a line of underscores.
    likely = [found for found in node.css(anchors.body) if not found.text().lstrip().startswith("____")]
    best = max(likely, key=lambda found: len(found.text()), default=None)
    if best is None:
        return None
    inner = [found for found in best.css(anchors.body) if found.mem_id != best.mem_id]
    deepest = max(inner, key=lambda found: len(found.text()), default=None)
    return deepest if deepest is not None and len(deepest.text()) * 2 > len(best.text()) else best


def _moment(node: LexborNode, anchors: Anchors, times: Times) -> Moment:
    """The first likely element that reads as a date."""
    for found in node.css(anchors.date):
        text = words(found)
        for part in (text[:120], text[-120:]):
            moment = times.read(part, attr(found, "datetime"))
            if moment.at is not None:
                return moment
    return UNKNOWN
