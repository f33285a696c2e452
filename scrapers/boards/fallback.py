"""The structural layer: posts of a skin that the selectors do not know, found by their permalinks.

A post's own anchor or permalink is the one thing that every skin keeps. The post is the largest
element around it that holds no other post's anchor. Author, time, body and edit notice are looked for in
it by the engine's profile links, by what reads as a date, and by the usual classes, the likeliest first.
What is not found is said, never left out: a post without its author is better than none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from referee.model.battle import Edit
from scrapers.boards.pages import (
    UNKNOWN_SKIN,
    Found,
    Reader,
    attr,
    found_in,
    html_of,
    inner_html,
    inside,
    without,
    words,
)
from scrapers.patterns import Pattern
from scrapers.times.moments import UNKNOWN, Moment, Times

#: No board shows more posts on a page; every anchor costs a look at its surroundings.
MOST_POSTS = 300


#: Longest name that is believed.
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Anchors:
    """How an engine's posts can be told in any skin.

    `post`: a permalink's href, `name`: an element's id or name (both with the post id as group);
    `profile`, `body`, `date`, `signature`: selectors to try, the likeliest first; `user`: the user id in a
    profile link; `aside`: selector of what is no text of a post, though it may stand in the same element;
    `edit`: reads the edit notice in a post's element; `known`: the skin is one that this layer reads wholly.
    """

    post: Pattern[str]
    name: Pattern[str]
    profile: str
    user: Pattern[str]
    body: str
    date: str
    signature: str
    aside: str
    edit: Callable[[LexborNode], Edit | None]
    known: bool = False


class _Post:
    """The parts of one post that are looked for first."""

    __slots__ = ("body", "link", "node", "number", "signature", "texts")

    def __init__(self, number: str, node: LexborNode, anchors: Anchors) -> None:
        """Look for body, signature and the link to the author's profile."""
        self.number, self.node = number, node
        self.signature = node.css_first(anchors.signature)
        self.texts = 0
        self.body = _body(self, anchors)
        self.link = next(
            (found for found in node.css(anchors.profile) if words(found) and self.is_outside(found)), None
        )

    def is_outside(self, part: LexborNode) -> bool:
        """Whether a part is nothing that the author wrote."""
        written = [node for node in (self.body, self.signature) if node is not None]
        # A body may be the whole post: then all is in it.
        return not any(inside(part, node) for node in written if node.css_first("time, h2, h3, h4") is None)


def read(tree: LexborHTMLParser, reader: Reader, anchors: Anchors, permalink: Callable[[str], str]) -> None:
    """Add the posts that a page's anchors show; says so in the problems if there are any."""
    places = _named(tree, anchors)
    links = _linked(tree, anchors)
    places = places or links
    if len(places) > MOST_POSTS:
        reader.problems.append(f"{UNKNOWN_SKIN} with {len(places)} anchors: not read")
        return
    posts = _told_apart(places, links, anchors, reader)
    where = next((place for post in posts if (place := _name_place(post.link)) is not None), None)
    for post in posts:
        reader.add(_found(post, where, anchors, reader.times, permalink(post.number)))
    if reader.posts and not anchors.known:
        reader.problems.append(f"{UNKNOWN_SKIN}: posts were read by their permalinks, edit notices may be missing")


def _named(tree: LexborHTMLParser, anchors: Anchors) -> dict[str, LexborNode]:
    """Post id -> the first element that has it as id or name, in the order of the page."""
    places: dict[str, LexborNode] = {}
    for node in tree.css("[id], a[name]"):
        match = anchors.name.match(attr(node, "id")) or anchors.name.match(attr(node, "name"))
        if match:
            places.setdefault(match[1], node)
    return places


def _linked(tree: LexborHTMLParser, anchors: Anchors) -> dict[str, LexborNode]:
    """Post id -> its first permalink that stands neither in a quote nor in what is surely a text."""
    places: dict[str, LexborNode] = {}
    texts = {node.mem_id for node in tree.css(anchors.body.split(", ")[0])}
    for node in tree.css("a[href]"):
        match = anchors.post.search(attr(node, "href"))
        if match and match[1] not in places and not _in_text(node, texts):
            places[match[1]] = node
    return places


def _in_text(node: LexborNode, texts: set[int]) -> bool:
    """Whether a link stands in a quote or text: it then may name another post."""
    parent = node.parent
    while parent is not None:
        if parent.tag in ("blockquote", "cite") or parent.mem_id in texts or "quote" in attr(parent, "class"):
            return True
        parent = parent.parent
    return False


def _told_apart(
    places: dict[str, LexborNode], links: dict[str, LexborNode], anchors: Anchors, reader: Reader
) -> list[_Post]:
    """The posts at their places.

    An anchor may stand apart from its post (SMF 2.0 puts that of the first one above a poll): its permalink
    is its place then, and keeps it out of its neighbours. What still has the text of two is not believed.
    """
    marks = {node.mem_id: number for number, node in places.items()}
    posts = [_Post(number, _container(node, number, marks), anchors) for number, node in places.items()]
    apart = [post.number for post in posts if post.body is None and post.number in links]
    if apart:
        places = {**places, **{number: links[number] for number in apart}}
        marks |= {links[number].mem_id: number for number in apart}
        posts = [_Post(number, _container(node, number, marks), anchors) for number, node in places.items()]
    for post in posts:
        if post.texts > 1:
            reader.problems.append(f"{UNKNOWN_SKIN}: post {post.number} cannot be told from another one")
    return [post for post in posts if post.texts == 1 or (post.texts == 0 and post.link is not None)]


def _container(node: LexborNode, number: str, marks: dict[int, str]) -> LexborNode:
    """The largest element around a post's place without another post's."""
    while True:
        parent = node.parent
        if parent is None or parent.tag in ("body", "html", "-undef"):
            return node
        if any(marks.get(inner.mem_id, number) != number for inner in parent.css("[id], a")):
            return node
        node = parent


def _found(
    post: _Post, where: tuple[str, str, str, str] | None, anchors: Anchors, times: Times, permalink: str
) -> Found:
    """All that is found of a post."""
    author = words(post.link) or _name_at(post, where)
    moment = _moment(post, author, anchors, times)
    edited = anchors.edit(post.node)
    user = _user(post, author, anchors)
    signature = html_of(post.signature)
    if post.body is not None:
        without(post.body, anchors.aside)
    return Found(
        id=post.number,
        author=author,
        html=inner_html(post.body),
        moment=moment,
        edited=edited,
        author_id=user,
        permalink=permalink,
        signature=signature,
    )


def _user(post: _Post, author: str, anchors: Anchors) -> str | None:
    """The author's number: in the link of the name, else in a profile link without words (a button).

    Links with other words are other people's: the editor's, or those of people who are quoted.
    """
    linked = found_in(anchors.user, attr(post.link, "href"))
    if linked or not author:
        return linked
    buttons = (node for node in post.node.css("a[href]") if words(node) in ("", author) and post.is_outside(node))
    return found_in(anchors.user, *(attr(node, "href") for node in buttons))


def _name_place(link: LexborNode | None) -> tuple[str, str, str, str] | None:
    """Where members' names stand: the elements around a name's link, if nothing else is in the nearest."""
    parent = link.parent if link is not None and link.tag == "a" else None
    if parent is None or parent.parent is None or words(parent) != words(link):
        return None
    return parent.tag or "", attr(parent, "class"), parent.parent.tag or "", attr(parent.parent, "class")


def _name_at(post: _Post, where: tuple[str, str, str, str] | None) -> str:
    """The name of a guest, who has no profile: it stands where those of members do. Empty without one."""
    if where is None:
        return ""
    for node in post.node.css(where[0]):
        above = node.parent
        same = above is not None and (attr(node, "class"), above.tag, attr(above, "class")) == where[1:]
        name = words(node) if same and post.is_outside(node) else ""
        if name and len(name) <= LONGEST_NAME:
            return name
    return ""


def _body(post: _Post, anchors: Anchors) -> LexborNode | None:
    """The body: by the likeliest selector that finds one that is no signature; counts what it finds."""
    for selector in anchors.body.split(", "):
        found = post.node.css(selector)
        # subsilver2 shows the signature in a second element of the same class, below a line of underscores.
        signs = [node for node in found if node.text().lstrip().startswith("____")]
        post.signature = post.signature or next(iter(signs), None)
        theirs = {node.mem_id for node in (*signs, post.signature) if node is not None}
        texts = [node for node in found if node.mem_id not in theirs]
        outer = [node for node in texts if not any(inside(node, other) for other in texts)]
        if outer:
            post.texts = len(outer)
            return outer[0]
    return None


def _moment(post: _Post, author: str, anchors: Anchors, times: Times) -> Moment:
    """The first likely element that reads as a date, without the names and subjects in it, which members choose."""
    for selector in anchors.date.split(", "):
        for found in post.node.css(selector):
            for text in _date_texts(found, author) if post.is_outside(found) else ():
                moment = times.read(text, attr(found, "datetime"))
                if moment.at is not None:
                    return moment
    return UNKNOWN


def _date_texts(node: LexborNode, author: str) -> Iterator[str]:
    """What may be the date of an element's words: those that are neither links nor headings, else all."""
    text = words(node)
    bare = text
    for part in node.css("a, h1, h2, h3, h4, h5, strong"):
        bare = bare.replace(words(part), " ", 1)
    bare = bare.replace(author, " ", 1) if author else bare
    yield bare[-120:]
    if not bare.strip(" #:|«»-") or node.tag == "a" or node.css_first("a, h2") is node:
        yield text[-120:]
