"""Parts that most pages lack: looked for once, each is its post's."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from referee.ports.boards import Page, ReadOptions
from scrapers.boards.phpbb import BOARD
from scrapers.boards.rare import by_post


def test_a_part_belongs_to_the_innermost_post_around_it() -> None:
    html = '<div id="p1"><p><i class="n">1</i></p><div id="p2"><i class="n">2</i></div></div><i class="n">3</i>'
    tree = LexborHTMLParser(html)
    posts = tree.css("div")
    found = by_post(tree, ".n", posts)
    assert [[node.text() for node in found[post.mem_id]] for post in posts] == [["1"], ["2"]]


def test_a_tower_of_parts_is_climbed_once() -> None:
    html = '<div id="p1">' + '<b class="n">' * 20_000
    tree = LexborHTMLParser(html)
    posts = tree.css("div")
    assert len(by_post(tree, ".n", posts)[posts[0].mem_id]) == 20_000


def test_a_notice_inside_the_body_leaves_the_body_whole() -> None:
    body = (
        '<div id="p7" class="post"><div class="postbody"><p class="author"><strong>Ren</strong> '
        '<time datetime="2026-11-12T18:20:03+00:00">x</time></p><div class="content">One '
        '<div class="notice">Last edited by <strong>Ren</strong> on 2026-11-12 18:30, edited 1 time in total. '
        "Reason: <em>typo</em></div></div></div></div>"
    )
    read = BOARD.read_page(Page("https://forum.example/viewtopic.php?t=1", body.encode()), ReadOptions())
    (post,) = read.posts
    assert "typo" in post.blocks[0].text
    assert post.edited is not None
    assert post.edited.reason == "typo"
