"""Parts that most posts lack: looked for once on a page, in place of once in every post."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from selectolax.lexbor import LexborHTMLParser, LexborNode


def found_on(tree: LexborHTMLParser, skin: Mapping[str, str], *rare: str) -> dict[str, str]:
    """An engine's selectors for single posts: those of rare parts are empty where the page has none of them."""
    return {**skin, **{key: "" for key in rare if tree.css_first(skin[key]) is None}}


def first_of(node: LexborNode, selector: str) -> LexborNode | None:
    """The first element that matches, None by an empty selector."""
    return node.css_first(selector) if selector else None


def all_of(node: LexborNode, selector: str) -> list[LexborNode]:
    """The elements that match, none by an empty selector."""
    return node.css(selector) if selector else []


def by_post(tree: LexborHTMLParser, selector: str, posts: Iterable[LexborNode]) -> dict[int, list[LexborNode]]:
    """The elements of a page that match, by the `mem_id` of the innermost post around each."""
    found: dict[int, list[LexborNode]] = {}
    parts = tree.css(selector)
    around: dict[int, int | None] = {node.mem_id: node.mem_id for node in posts} if parts else {}
    for part in parts:
        post = _post_around(part, around)
        if post is not None:
            found.setdefault(post, []).append(part)
    return found


def _post_around(part: LexborNode, around: dict[int, int | None]) -> int | None:
    """The post around an element; `around` is what is known of others, so no element is passed twice."""
    node: LexborNode | None = part
    passed = []
    while node is not None and node.mem_id not in around:
        passed.append(node.mem_id)
        node = node.parent
    post = around[node.mem_id] if node is not None else None
    around.update(dict.fromkeys(passed, post))
    return post
