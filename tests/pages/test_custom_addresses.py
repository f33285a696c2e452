"""Boards that nobody knows: threads by their addresses, lists, signatures and edit notices inside the text."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards.custom import BOARD
from tests.pages.test_custom_pages import JCINK, jcink, jcink_page
from tests.support.patience import allowed


def test_links_to_later_pages_in_a_list_are_no_threads() -> None:
    links = (
        ("talk/mori-vs-anzu", "Mori vs Anzu"),
        ("talk/mori-vs-anzu?page=2", "2"),
        ("talk/mori-vs-anzu/page/3", "3"),
        ("talk/mori-vs-anzu/99/", "last post"),
        ("talk/mori-vs-anzu-2", "The second duel"),
        ("talk", "Duels"),
        ("talk/rules", "Rules"),
    )
    html = "".join(f"<a class=t href='{link}'>{title}</a>" for link, title in links)
    assert BOARD.read_list is not None
    selectors = {**JCINK, "topic": "a.t"}
    read = BOARD.read_list(Page("https://forum.example/talk", html.encode()), ReadOptions(selectors=selectors))
    named = [link.url.removeprefix("https://forum.example/") for link in read.threads]
    assert named == ["talk/mori-vs-anzu", "talk/mori-vs-anzu-2", "talk", "talk/rules"]
    numbered = (
        "<a class=t href='?showtopic=7&amp;st=15'>2</a><a class=t href='?showtopic=7'>A</a><a class=t href='?u=3'>B</a>"
    )
    read = BOARD.read_list(Page("https://forum.example/index.php", numbered.encode()), ReadOptions(selectors=selectors))
    assert [link.number for link in read.threads] == ["7"]


@pytest.mark.parametrize(
    ("address", "number"),
    [
        ("index.php?showtopic=7&st=15", "7"),
        ("index.php?act=ST&f=3&t=9", "9"),
        ("threads/v1.2-duel.7/page-2", "7"),
        ("index.php?threads/duel.7/", "7"),
        ("thread/7/duel?page=2", "7"),
        ("t/duel/7/15", "7"),
        ("t7p15-duel", "7"),
        ("showthread.php?7-duel", "7"),
        ("topic/2021-spring", None),
        ("threads/2.5-million/", None),
        ("talk/7-bridge/leaf/2", None),
        ("viewtopic.php?p=99", None),
    ],
)
def test_a_threads_number_is_in_its_address_where_nothing_else_can_be_meant(address: str, number: str | None) -> None:
    page = Page(f"https://forum.example/{address}", jcink_page(jcink(1, "Mori", "Ha."), "").body)
    assert BOARD.read_page(page, ReadOptions(selectors=JCINK)).thread_id == number


def test_a_page_by_a_posts_address_is_of_the_thread_that_its_pager_leads_to() -> None:
    pager = "<span class=pagination><a href='showthread.php?t=7'>1</a> <b>2</b></span>"
    page = Page("https://forum.example/showthread.php?p=99", jcink_page(jcink(1, "Mori", "Ha."), pager).body)
    read = BOARD.read_page(page, ReadOptions(selectors=JCINK))
    assert (read.thread_id, read.page_number) == ("7", 2)


@pytest.mark.parametrize(
    "address", ["t/" + "a/" * 10_000, "threads/" + "a." * 10_000, "?" + "&t=" * 7_000 + "x", "/1" * 9_000]
)
def test_a_hostile_address_costs_little(address: str) -> None:
    html = f"<a class=t href='{address}'>A</a>" * 20
    began = time.process_time()
    assert BOARD.read_list is not None
    BOARD.read_list(Page("https://f.example/x", html.encode()), ReadOptions(selectors={**JCINK, "topic": "a.t"}))
    assert time.process_time() - began < allowed(3)


LINE = "_________________"


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        (
            f"<span>Ha. [Loss Tag: 5 HP]<br>{LINE}<br>Proud owner of <b>[Loss Tag: 9 HP]</b></span><i>&amp; more</i>",
            [("own", "Ha. [Loss Tag: 5 HP]"), ("signature", "Proud owner of [Loss Tag: 9 HP]& more")],
        ),
        (
            f"One.<br>{LINE}<br>Two.<br>{LINE}<br>Sig.",
            [("own", f"One.\n{LINE}\nTwo."), ("signature", "Sig.")],
        ),
        (
            f"<table><tr><td id=QUOTE>Said.<br>{LINE}<br>Theirs.</td></tr></table>[Loss Tag: 5 HP]",
            [("quote", f"Said.\n{LINE}\nTheirs."), ("own", "[Loss Tag: 5 HP]")],
        ),
        (f"Shorter: ____<br>Longer: {LINE}__<br>{LINE}__", [("own", f"Shorter: ____\nLonger: {LINE}__\n{LINE}__")]),
    ],
)
def test_a_signature_in_the_text_below_a_line(body: str, blocks: list[tuple[str, str]]) -> None:
    html = jcink(1, "Mori", body)
    read = BOARD.read_page(jcink_page(html, ""), ReadOptions(selectors={**JCINK, "signature": LINE}))
    assert [(block.kind, block.text) for block in read.posts[0].blocks] == blocks


def test_hostile_lines_of_signatures_cost_little() -> None:
    html = jcink(1, "Mori", f"<b>{LINE}<br>" * 10_000)
    began = time.process_time()
    BOARD.read_page(jcink_page(html, ""), ReadOptions(selectors={**JCINK, "signature": LINE}))
    assert time.process_time() - began < allowed(3)


def test_the_edit_notice_of_invision() -> None:
    """As its template writes it, behind the text and inside of its element."""
    notice = (
        "<span class='soft' data-excludequote><strong>Edited <time datetime='2021-03-04T21:20:00Z'>March 4</time> "
        "by Mori</strong> <br> typo</span>"
    )
    selectors = {**JCINK, "edit": "[data-excludequote]"}
    page = jcink_page(jcink(1, "Mori", f"<p>Ha. [Loss Tag: 5 HP]</p>{notice}"), "")
    (post,) = BOARD.read_page(page, ReadOptions(selectors=selectors)).posts
    assert post.edited is not None
    assert (post.edited.by, post.edited.at) == ("Mori", datetime(2021, 3, 4, 21, 20, tzinfo=UTC))
    assert post.blocks[0].text == "Ha. [Loss Tag: 5 HP]"
