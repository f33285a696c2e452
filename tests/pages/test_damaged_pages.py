"""Pages that lie about their letters, and towers of elements."""

from __future__ import annotations

import time

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards.decoding import decode
from scrapers.boards.phpbb import BOARD
from scrapers.boards.transcript import read_body
from scrapers.bodies.body import read_html, tidy
from scrapers.bodies.nesting import DEEPEST, shallow
from tests.support.patience import allowed


@pytest.mark.parametrize(
    ("body", "said", "read"),
    [
        ("Jörg – ok".encode(), "utf-8", "Jörg – ok"),
        ("Jörg".encode("latin-1"), "utf-8", "Jörg"),
        ("Jörg – ok".encode("cp1252"), "utf-8", "Jörg – ok"),
        ("Jörg".encode("latin-1"), "iso-8859-1", "Jörg"),
        ("Jörg – ".encode()[:-2], "utf-8", "Jörg \ufffd"),
        ('<meta charset="windows-1251">Игорь'.encode("cp1251"), "utf-8", '<meta charset="windows-1251">Игорь'),
    ],
)
def test_letters(body: bytes, said: str, read: str) -> None:
    page = Page("http://f.example/", body, headers={"Content-Type": f"text/html; charset={said}"})
    assert decode(page) == read


@pytest.mark.parametrize("tag", ["div", "blockquote", "span", "b"])
def test_a_tower_of_elements_keeps_its_words_and_takes_no_time(tag: str) -> None:
    began = time.process_time()
    html = f"<{tag}>" * 60_000 + "[Damage: 5 x2]" + f"</{tag}>" * 60_000 + "<p>after</p>"
    text = " ".join(block.text for block in read_html(tidy(html)).blocks)
    assert "[Damage: 5 x2]" in text or tag == "blockquote"
    assert time.process_time() - began < allowed(5)


def test_a_tower_on_a_page_takes_no_time() -> None:
    began = time.process_time()
    tower = "<div>" * 100_000 + "words" + "</div>" * 100_000
    head = '<p class="author"><b class="username">a</b></p>'
    post = f'<div id="p1" class="post">{head}<div class="content">{tower}</div></div>'
    page = Page("http://f.example/viewtopic.php?t=1", f'<html><body id="phpbb">{post}</body></html>'.encode())
    BOARD.read_page(page, ReadOptions())
    assert time.process_time() - began < allowed(10)


@pytest.mark.parametrize("rest", ["own words", "own [code]x[/code] words"])
def test_a_quote_that_cuts_a_code_block_in_half_ends_with_the_quote(rest: str) -> None:
    blocks = read_body(f"[quote=ren]a [code]HP: -4[/quote]{rest}", None)
    own = " ".join(" ".join(block.text for block in blocks if block.kind == "own").split())
    assert own == rest.replace("[code]x[/code]", "").replace("  ", " ")
    assert not any(block.title == "unclosed" for block in blocks)


def test_what_is_not_too_deep_stays_as_it_is() -> None:
    flat = "<p>a</p><br>" * 5_000
    assert shallow(flat) is flat
    deep = "<i>" * (DEEPEST - 1) + "x" + "</i>" * (DEEPEST - 1) + "<br>" * 3_000
    assert shallow(deep) is deep
