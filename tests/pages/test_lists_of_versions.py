"""Sections of older versions and other themes: their threads, and the next page where the pager names none."""

from __future__ import annotations

import time

import pytest

from referee.ports.boards import Board, Page, ReadOptions
from scrapers.boards import flaskbb, fluxbb, mybb, nodebb, phpbb, smf
from tests.support.patience import allowed

DUEL = '<a href="./viewtopic.php?f=3&amp;t=7" class="topictitle">Duel</a>'
SMF_DUEL = '<td class="subject"><span id="msg_12"><a href="http://f.example/index.php?topic=7.0">Duel</a></span></td>'
MYBB_DUEL = '<span class="subject_new" id="tid_7"><a href="showthread.php?tid=7">Duel</a></span>'

LISTS = [
    (
        phpbb.BOARD,
        "viewforum.php?f=3",
        # 3.0: figures alone, with a session in each link; a thread's own pages stand beside its title.
        '<div><strong>1</strong>, <a href="./viewforum.php?f=3&amp;sid=0123456789abcdef0123456789abcdef'
        f'&amp;start=25">2</a> <a href="./viewforum.php?f=3&amp;start=50">3</a></div>{DUEL}<strong class="pagination">'
        '<a href="./viewtopic.php?f=3&amp;t=7&amp;start=10">2</a></strong>',
        "viewforum.php?f=3&start=25",
    ),
    (
        phpbb.BOARD,
        "viewforum.php?f=3&start=25",
        f'<a href="./viewforum.php?f=3">1</a> <b>2</b> <a href="./viewforum.php?f=3&amp;start=50">3</a>{DUEL}',
        "viewforum.php?f=3&start=50",
    ),
    (
        phpbb.BOARD,
        "viewforum.php?f=3&start=50",
        f'<a href="./viewforum.php?f=3&amp;start=25">2</a> <a href="./viewforum.php?f=4&amp;start=75">4</a>{DUEL}',
        None,
    ),
    (
        smf.BOARD,
        "index.php?board=3.0",
        f'Pages: [<strong>1</strong>] <a class="navPages" href="index.php?board=3.20">2</a>{SMF_DUEL}'
        '<a class="navPages" href="index.php?topic=7.15">2</a>',
        "index.php?board=3.20",
    ),
    (smf.BOARD, "index.php/board,3.0.html", f'<a href="/index.php/board,3.20.html">2</a>{SMF_DUEL}', "board,3.20.html"),
    (mybb.BOARD, "forumdisplay.php?fid=3", f'<a href="forumdisplay.php?fid=3&amp;page=2">2</a>{MYBB_DUEL}', "&page=2"),
    (mybb.BOARD, "forum-3.html", f'<a href="forum-3-page-2.html">2</a>{MYBB_DUEL}', "forum-3-page-2.html"),
    (
        fluxbb.BOARD,
        "viewforum.php?id=3",
        '<b>1</b> <a href="viewforum.php?id=3&amp;p=2">2</a><div class="tclcon"><a href="viewtopic.php?id=7">Duel'
        '</a> [ <a href="viewtopic.php?id=7&amp;p=2">2</a> ]</div>',
        "viewforum.php?id=3&p=2",
    ),
    (
        fluxbb.BOARD,
        "forum/3/duels/",
        '<a href="/forum/3/duels/page/2/">2</a><div class="item-subject"><a href="/topic/7/duel/">Duel</a></div>',
        "forum/3/duels/page/2/",
    ),
    (
        nodebb.BOARD,
        "category/3/duels",
        '<li component="category/topic"><h2 component="topic/header"><a href="/topic/7/duel">Duel</a></h2></li>'
        '<a href="?page=2">2</a>',
        "category/3/duels?page=2",
    ),
    (
        flaskbb.BOARD,
        "forum/3-duels",
        '<div class="topic-name"><a href="/topic/7-duel">Duel</a></div><a href="/forum/3-duels?page=2">2</a>',
        "forum/3-duels?page=2",
    ),
]


@pytest.mark.parametrize(("board", "place", "html", "following"), LISTS)
def test_threads_and_the_next_page(board: Board, place: str, html: str, following: str | None) -> None:
    assert board.read_list is not None
    read = board.read_list(Page(f"http://f.example/{place}", html.encode()), ReadOptions())
    assert [(link.number, link.title) for link in read.threads] == [("7", "Duel")]
    assert (read.next_url or "").endswith(following or "") and (read.next_url is None) == (following is None)


@pytest.mark.parametrize("board", [phpbb.BOARD, smf.BOARD, mybb.BOARD, fluxbb.BOARD, flaskbb.BOARD, nodebb.BOARD])
def test_a_hostile_list_costs_little(board: Board) -> None:
    html = (
        "<a href='?f=" + "3&f=" * 5_000 + "'>2</a>" + "<a href='viewforum.php?f=3&amp;start=9999999999'>2</a>" * 5_000
    )
    began = time.process_time()
    assert board.read_list is not None
    board.read_list(Page("http://f.example/viewforum.php?f=3", html.encode()), ReadOptions())
    assert time.process_time() - began < allowed(2)
