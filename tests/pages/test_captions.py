"""Who is quoted: captions of quotes in the languages of the boards."""

from __future__ import annotations

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards import fluxbb, phpbb
from scrapers.bodies.body import read_fragment
from scrapers.bodies.quotes import by_known_name, caption_author


@pytest.mark.parametrize(
    ("words", "author"),
    [
        ("alice писал(а): Сб сен 12, 2026 1:28 am", "alice"),
        ("alice pisze: sobota 12 września 2026, 01:28", "alice"),
        ("alice napisał(a):", "alice"),
        ("alice escreveu:", "alice"),
        ("alice a écrit\u00a0:", "alice"),
        ("alice 说：", "alice"),
        ("alice さんの発言:", "alice"),
        ("alice كتب", "alice"),
        ("Dr. Ünal & Söhne skrev:", "Dr. Ünal & Söhne"),
        ("alice", "alice"),
        ("alice:", "alice"),
        ("Cytat", None),
        ("Cita:", None),
        ("Цитировать", None),
        # Unknown words are kept, with the colon that says so.
        ("alice qoribuq:", "alice qoribuq:"),
    ],
)
def test_the_author_in_a_caption(words, author):
    assert caption_author(words) == author


@pytest.mark.parametrize(
    ("author", "meant"),
    [
        ("alice qoribuq:", "alice"),
        ("alice b qoribuq:", "alice b"),
        ("alicequoribuq x:", "alicequoribuq x"),
        ("somebody qoribuq:", "somebody qoribuq"),
        ("alice b", "alice b"),
    ],
)
def test_unknown_words_give_way_to_a_name_on_the_page(author, meant):
    assert by_known_name(author, ["alice", "alice b", "", "bob"]) == meant


def test_the_link_to_a_profile_is_the_author_in_any_language():
    html = """<blockquote cite="./viewtopic.php?p=7"><div><cite>
      <a href="./memberlist.php?mode=viewprofile&amp;u=2">alice wrote:</a> qoribuq:
      <a href="./viewtopic.php?p=7#p7">↑</a><span>Sat Sep 12</span></cite>Old.</div></blockquote>Mine."""
    quote, mine = read_fragment(html)
    assert (quote.author, quote.post, quote.text, mine.text) == ("alice wrote:", "7", "Old.", "Mine.")


def test_captions_on_a_page_are_read_with_its_names():
    posts = "".join(
        f'<div id="p{n}" class="blockpost"><h2><a href="viewtopic.php?pid={n}#p{n}">2026-09-28 11:41:49</a></h2>'
        f'<div class="postleft"><dt>{name}</dt></div><div class="postmsg">{text}</div></div>'
        for n, name, text in (
            (1, "alice", "First."),
            (2, "bob", '<div class="quotebox"><cite>alice qoribuq:</cite><blockquote>First.</blockquote></div>Mine.'),
        )
    )
    page = Page("http://x.example/viewtopic.php?id=5", f"<html><body>{posts}</body></html>".encode())
    second = fluxbb.read_page(page, ReadOptions()).posts[1]
    assert [(block.kind, block.author) for block in second.blocks] == [("quote", "alice"), ("own", None)]


def test_a_typed_link_in_a_caption_is_no_post_of_the_board():
    html = '<blockquote><cite><a href="http://x.example/">alice</a> wrote:</cite>Old.</blockquote>'
    (quote,) = read_fragment(html)
    assert (quote.author, quote.post) == ("alice", None) and phpbb.BOARD.name == "phpbb"


def test_frames_of_subsilver2():
    html = """Mine.<div class="codetitle"><b>Code:</b></div><pre class="codecontent">a\n  b</pre>
      <div class="attachtitle">Attachment:</div><div class="attachcontent">map.png</div>"""
    assert [(block.kind, block.text) for block in read_fragment(html)] == [
        ("own", "Mine."),
        ("code", "a\n  b"),
        ("attachment", "map.png"),
    ]
