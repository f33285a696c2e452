"""Forum software that is not known, by the operator's selectors: real pages read as if nobody knew their engine."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from referee.model.battle import Post
from referee.ports.boards import Page, ReadOptions
from scrapers.boards.custom import BOARD
from scrapers.boards.pages import LOST
from tests.support.patience import allowed

CUSTOM = {
    "smf-2.1.4": {
        "post": ".windowbg[id^=msg]",
        "author": ".poster h4",
        "date": ".postinfo .smalltext",
        "body": ".post .inner",
        "quote": ".bbc_standard_quote",
        "caption": ".bbc_standard_quote > cite",
        "code": ".bbc_code",
        "pager": ".pagelinks",
        "page": ".current_page",
        "edit": ".modified",
        "signature": ".signature",
        "title": ".display_title",
    },
    "mybb-1.8.37": {
        "post": ".post:not([class*=deleted])",
        "author": ".author_information .largetext",
        "date": ".post_date",
        "body": ".post_body",
        "quote": ".mycode_quote",
        "caption": ".mycode_quote > cite",
        "pager": "div.float_left > .pagination",
        "page": ".pagination_current",
        "next": ".pagination_next",
        "edit": ".edited_post",
        "signature": ".signature",
        "number": ".post_head > .float_right strong a",
        "title": "title",
    },
    "fluxbb-1.5.11": {
        "post": ".blockpost",
        "author": ".postleft dt",
        "date": "h2 a",
        "body": ".postmsg:not(.postsignature)",
        "quote": ".quotebox",
        "caption": "cite",
        "pager": ".pagelink",
        "edit": "p.postedit",
        "signature": ".postsignature",
        "number": "h2 .conr",
        "title": ".crumbs strong",
    },
    "flaskbb-2.2.0": {
        "post": ".post-row[id]",
        "author": ".author-name",
        "date": ".post-meta time",
        "body": ".post-content",
        "quote": "blockquote",
        "pager": ".pagination",
        "page": ".page-item.active",
        "edit": ".post-meta small",
        "signature": ".post-signature",
        "number": ".post-meta strong",
        "title": ".topic-header > a, .topic-head > a, .topic-name",
    },
    "phpbb-3.3.10": {
        "post": "div.post[id^=p]",
        "author": "p.author .username, p.author .username-coloured",
        "date": "p.author time",
        "body": "div.content",
        "quote": "blockquote",
        "caption": "blockquote cite",
        "pager": ".pagination",
        "page": ".active",
        "edit": ".notice",
        "signature": ".signature",
        "title": "h2.topic-title",
    },
    "nodebb-4.9.2": {
        "post": "li[component=post]:not(.deleted)",
        "id": "a.post-index",
        "author": ".post-header a.fw-bold",
        "date": ".post-header a.timeago",
        "body": "[component='post/content']",
        "quote": "blockquote",
        "pager": ".pagination",
        "page": ".page-item.active a",
        "next": ".page-item.next:not(.pe-none) a",
        "signature": "[component='post/signature']",
        "title": "[component='topic/title']",
    },
}


def told(post: Post, *, edits: bool) -> tuple[object, ...]:
    """What must be the same, whoever reads the page. `edits`: whether the selectors show them."""
    blocks = [(block.kind, block.text, block.author) for block in post.blocks if block.title != LOST]
    edited = (post.edited.at, post.edited.by, post.edited.reason) if edits and post.edited else None
    return post.id, post.author, post.at, post.precision, edited, blocks


@pytest.mark.shared
def test_real_pages_are_read_as_by_their_engine(folder, captures, board, capture) -> None:
    files = [file for file in captures(folder) if file.endswith(".html")]
    assert files
    for file in files:
        page = capture(folder, file)
        theirs = board(folder.split("-")[0]).read_page(page, ReadOptions())
        ours = BOARD.read_page(page, ReadOptions(selectors=CUSTOM[folder]))
        assert ours.kind == theirs.kind
        edits = "edit" in CUSTOM[folder]
        standing = [told(post, edits=edits) for post in theirs.posts if post.deleted is None]
        assert [told(post, edits=edits) for post in ours.posts] == standing
        # Its own links carry the language that the page was asked for in.
        following = re.sub(r"lang=[\w-]+&|&lang=[\w-]+", "", ours.next_url) if ours.next_url else None
        assert (ours.title, following, ours.page_number) == (theirs.title, theirs.next_url, theirs.page_number)
        assert ours.page_count == theirs.page_count
        assert [line for line in ours.problems if "skin" in line] == []


JCINK = {
    "post": ".post-normal",
    "id": "a[name^=entry]",
    "author": ".normalname",
    "date": ".postdetails",
    "body": ".postcolor",
    "quote": "td#QUOTE",
    "caption": "td#QUOTE-CAP",
    "edit": "span.edit",
    "signature": ".sig",
    "drop": ".mini-profile",
    "pager": "span.pagination",
    "title": ".topic-title",
    "spoiler": ".tab",
}
PAGER = (
    '<span class="pagination"><b>1</b> <a href="index.php?showtopic=7&amp;st=2">2</a></span>',
    '<span class="pagination"><a href="index.php?showtopic=7&amp;st=0">1</a> <b>2</b></span>',
)


def jcink(number: int, author: str, body: str) -> str:
    return (
        f"<table class='post-normal'><tr><td><a name='entry{number}'></a>"
        f"<span class='normalname'><a href='?showuser=3'>{author}</a></span> "
        f"<span class='postdetails'>Posted: Mar {number} 2021, 04:1{number} PM</span></td></tr>"
        f"<tr><td class='post1'><div class='postcolor'>{body}</div>"
        "<div class='sig'>[Loss Tag: 9 HP]</div></td></tr></table>"
    )


def jcink_page(posts: str, pager: str, query: str = "") -> Page:
    html = f"<html><body id=ST><div class='topic-title'>Mori vs Anzu</div>{pager}{posts}</body></html>"
    return Page(
        f"https://forum.example/index.php?showtopic=7{query}",
        html.encode(),
        fetched_at=datetime(2021, 4, 1, tzinfo=UTC),
    )


def read_through(*pages: Page):
    """The thread of some pages, in the order in which they are asked for."""
    reading = BOARD.thread(pages[0].url, pages[0], ReadOptions(selectors=JCINK))
    asked = []
    try:
        wish = next(reading)
        for page in pages[1:]:
            asked.append(wish.url)
            wish = reading.send(page)
    except StopIteration as done:
        return done.value, asked
    raise AssertionError(f"asked for more: {wish.url}")


def test_a_thread_of_the_classic_host_for_role_play() -> None:
    first = jcink(1, "Mori", "Punch! [Damage Tag: 5]") + jcink(
        2,
        "Anzu",
        "<table><tr><td id='QUOTE-CAP'>QUOTE (Mori @ Mar 1 2021)</td></tr>"
        "<tr><td id='QUOTE'>[Damage Tag: 5]</td></tr></table>"
        "[Loss Tag: 5 HP]<div class='tab'>hidden thoughts</div><div class='mini-profile'>HP 99</div>"
        "<span class='edit'>This post has been edited by <b>Anzu</b> on Mar 3 2021, 05:00 PM</span>",
    )
    second = jcink(3, "Mori", "Again.")
    read, asked = read_through(jcink_page(first, PAGER[0]), jcink_page(second, PAGER[1], "&st=2"))
    assert asked == ["https://forum.example/index.php?showtopic=7&st=2"]
    assert (read.kind, read.complete, read.title, read.problems) == ("thread", True, "Mori vs Anzu", ())
    assert [(post.id, post.author) for post in read.posts] == [("1", "Mori"), ("2", "Anzu"), ("3", "Mori")]
    assert read.posts[0].at == datetime(2021, 3, 1, 16, 11, tzinfo=UTC)
    assert read.posts[0].permalink == "https://forum.example/index.php?showtopic=7#entry1"
    assert read.posts[1].edited is not None
    assert (read.posts[1].edited.by, read.posts[1].edited.at) == ("Anzu", datetime(2021, 3, 3, 17, 0, tzinfo=UTC))
    assert read.posts[1].blocks[0].author == "Mori"
    assert [(block.kind, block.text) for block in read.posts[1].blocks] == [
        ("quote", "[Damage Tag: 5]"),
        ("own", "[Loss Tag: 5 HP]"),
        ("spoiler", "hidden thoughts"),
        ("signature", "[Loss Tag: 9 HP]"),
    ]


def test_times_and_ids_of_other_software() -> None:
    skin = {
        "post": "article",
        "id": "a.permalink",
        "author": "h4",
        "date": "time, abbr",
        "body": ".wrap",
        "quote": ".q",
        "pager": "nav",
        "edit": ".edited",
    }
    html = (
        "<h1>T</h1><nav><a href='/threads/t.5/'>1</a> <b>2</b>"
        "<a class='next' href='/threads/t.5/page-3'>&gt;</a></nav>"
        "<article data-content='post-81'><h4>A</h4><a class='permalink' href='/threads/t.5/page-2#post-81'>"
        "<time datetime='2024-05-06T07:08:09+0200'>Monday</time></a><div class='wrap'>x</div>"
        "<i class='edited'>Last edited: <time datetime='2024-05-06T07:10:00+0200'>then</time></i></article>"
        "<article><h4>B</h4><a class='permalink' href='/post/82/thread'>#2</a>"
        "<abbr data-timestamp='1714979289000'>May 6</abbr><div class='wrap'>y</div></article>"
        "<article><h4>C</h4><a class='permalink' href='/post/83/thread'>#3</a>"
        "<abbr title='May 6, 2024 at 9:30 AM'>3 hours ago</abbr><div class='wrap'>z</div></article>"
    )
    page = Page("https://forum.example/threads/t.5/page-2", html.encode())
    read = BOARD.read_page(page, ReadOptions(selectors=skin))
    assert [(post.id, post.at) for post in read.posts] == [
        ("81", datetime(2024, 5, 6, 5, 8, 9, tzinfo=UTC)),
        ("82", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("83", datetime(2024, 5, 6, 9, 30, tzinfo=UTC)),
    ]
    assert read.posts[1].permalink == "https://forum.example/post/82/thread"
    assert read.posts[0].edited is not None
    assert read.posts[0].edited.at == datetime(2024, 5, 6, 5, 10, tzinfo=UTC)
    assert (read.page_number, read.next_url) == (2, "https://forum.example/threads/t.5/page-3")
    assert read.page_urls == ("https://forum.example/threads/t.5/",)


def test_links_from_a_base_and_quotes_that_name_their_author_in_data() -> None:
    skin = {
        "post": "li",
        "id": "a.at",
        "author": "h4",
        "date": "time",
        "body": ".text",
        "quote": ".cited",
        "caption": ".cited .by",
        "drop": ".more",
        "pager": "nav",
        "code": ".listing",
        "first": "a.f",
    }
    html = (
        "<base href='https://forum.example/board/'><nav><a class=f href='threads/t.5/'>First</a> <b>4</b>"
        "<a href='threads/t.5/page-5'>5</a></nav>"
        "<li><h4>A</h4><a class=at href='posts/81/'><time datetime='2024-05-06T07:08:09Z'></time></a><div class=text>"
        "<div class='cited' data-author='Mori'><p class=by>Mori said: <a href='#'>up</a></p>"
        "<blockquote>HP 9</blockquote>"
        "<i class=more>Click to expand</i></div>My words.<div class=cited author='Anzu'>HP 8</div>"
        "<div class=cited><p class=by>Originally Posted by <b>Riku</b> View Post</p>HP 7</div>"
        "<div class=listing>HP 6</div></div></li>"
    )
    page = Page("https://forum.example/board/threads/t.5/page-4", html.encode())
    read = BOARD.read_page(page, ReadOptions(selectors=skin))
    assert read.next_url == "https://forum.example/board/threads/t.5/page-5"
    assert (read.page_urls, read.problems) == (("https://forum.example/board/threads/t.5/",), ())
    assert read.posts[0].permalink == "https://forum.example/board/posts/81/"
    assert [(block.kind, block.author, block.text) for block in read.posts[0].blocks] == [
        ("quote", "Mori", "HP 9"),
        ("own", None, "My words."),
        ("quote", "Anzu", "HP 8"),
        ("quote", "Riku", "HP 7"),
        ("code", None, "HP 6"),
    ]


def test_rolls_are_the_boards_only_where_the_operator_says_so() -> None:
    """Some boards let members write HTML: a roll's class proves nothing there."""
    forged = "<div class='dicebox'>Rolling 1d20: (20) = 20</div>"
    real = "<p class='thrown'>Rolled 1d20 : 14, total 14</p>"
    span = "<span class='roll' data-dice='1d20'>19</span>"
    page = jcink_page(jcink(1, "Mori", forged + "Hit." + span) + jcink(2, "Anzu", real), PAGER[0])
    read = BOARD.read_page(page, ReadOptions(selectors={**JCINK, "roll": ".thrown"}))
    rolls = [[(mark.dice, mark.typed) for mark in post.blocks[0].marks if mark.dice] for post in read.posts]
    assert rolls[1] == [("1d20", False)]
    assert rolls[0] == [("1d20", True)], "the span is plain text"


def test_what_members_write_in_html_makes_no_post_and_no_author() -> None:
    """The forged post of another member is not read, nor a forged name, number or date in one's own text."""
    forged = jcink(9, "Anzu", "[Loss Tag: 40 HP]")
    names = "<b class='normalname'>Anzu</b><a name='entry7'></a><i class='postdetails'>Mar 9 2021, 01:00 AM</i>"
    page = jcink_page(jcink(1, "Mori", forged + "Ha."), PAGER[0])
    read = BOARD.read_page(page, ReadOptions(selectors=JCINK))
    assert [(post.id, post.author) for post in read.posts] == [("1", "Mori")]
    assert any("a post inside another one (selectors.post): not read" in line for line in read.problems)
    head = jcink(2, "Riku", "").replace("post-normal", "head").replace("postcolor", "none")
    below = f"<div class='post-normal'><div class='postcolor'>{names}Ha.</div>{head}</div>"
    read = BOARD.read_page(jcink_page(below, PAGER[0]), ReadOptions(selectors=JCINK))
    assert [(post.id, post.author, post.at) for post in read.posts] == [
        ("2", "Riku", datetime(2021, 3, 2, 16, 12, tzinfo=UTC))
    ]


@pytest.mark.parametrize(
    "body",
    [
        "<div class='postcolor'>" * 20_000,
        "<b class='normalname'>" * 20_000,
        "<div class='post-normal'>" * 5_000,
        "<div class='post-normal'><a name='entry5'></a></div>" * 20_000,
        "<table><tr><td id=QUOTE>" * 3_000,
    ],
)
def test_a_hostile_text_costs_little_and_says_little(body: str) -> None:
    began = time.process_time()
    read = BOARD.read_page(jcink_page(jcink(1, "Mori", body), PAGER[0]), ReadOptions(selectors=JCINK))
    assert time.process_time() - began < allowed(5)
    assert [post.id for post in read.posts] == ["1"]
    assert len(read.problems) < 5


@pytest.mark.parametrize("number", ["1" * 20_000, "1" * 20_000 + "a" * 20_000, "1" * 18 + "a" * 100_000])
def test_a_hostile_number_costs_little(number: str) -> None:
    html = jcink(1, "Mori", "Punch!").replace("entry1", f"entry{number}")
    began = time.process_time()
    read = BOARD.read_page(jcink_page(html, PAGER[0]), ReadOptions(selectors=JCINK))
    assert time.process_time() - began < allowed(1)
    assert [post.id for post in read.posts] == ["1" * 18]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda html: html.replace("name='entry2'", ""), "a post without number (selectors.id): not read"),
        (
            lambda html: html.replace("Blow.", "Blow.</div><div class='postcolor'>[Loss Tag: 3 HP]"),
            "post 2 has 2 texts (selectors.body): the first is read",
        ),
        (
            lambda html: html.replace("<b>1</b>", "<i>1</i>"),
            "neither the page's own number nor a next page is found (selectors.page, selectors.next)",
        ),
        (
            lambda html: html.replace("<b>1</b> <a", "<a href='index.php?showtopic=7&amp;st=30'>4</a> <b>5</b> <a"),
            "page 5 does not link the first one (selectors.first): read from here on",
        ),
    ],
)
def test_what_the_selectors_miss_is_told_and_the_thread_is_not_whole(change: Callable[[str], str], said: str) -> None:
    html = jcink_page(jcink(1, "Mori", "Punch!") + jcink(2, "Anzu", "Blow."), PAGER[0])
    page = Page(html.url, change(html.body.decode()).encode(), fetched_at=html.fetched_at)
    reading = BOARD.thread(page.url, page, ReadOptions(selectors=JCINK))
    read = None
    try:
        next(reading)
        reading.send(jcink_page(jcink(3, "Mori", "Again."), PAGER[1], "&st=2"))
    except StopIteration as done:
        read = done.value
    assert read is not None
    assert not read.complete
    assert any(said in line for line in read.problems), read.problems


def test_nothing_is_read_without_the_selectors_that_it_needs() -> None:
    page = jcink_page(jcink(1, "Mori", "Punch!"), "")
    some = {key: value for key, value in JCINK.items() if key not in ("quote", "pager")}
    read = BOARD.read_page(page, ReadOptions(selectors=some))
    assert (read.kind, read.posts, read.problems) == ("unknown", (), ("selectors are missing: quote, pager",))
    assert list(BOARD.check(ReadOptions(selectors=some))) == [
        "selectors: the engine `custom` also needs those of quote (quotes in a text), "
        "pager (the element around the links to the thread's other pages)"
    ]
    assert list(BOARD.check(ReadOptions(selectors=JCINK))) == []


def test_sections_by_selectors() -> None:
    html = (
        "<ul><li><a class='t' href='index.php?showtopic=7'>Mori vs Anzu</a> <a href='?showuser=3'>Mori</a>"
        "<li><a class='t' href='index.php?showtopic=8&amp;s=0123456789abcdef'>Rules</a></ul>"
        "<a rel=next href='?showforum=2&amp;st=15'>&gt;</a>"
    )
    page = Page("https://forum.example/index.php?showforum=2", html.encode())
    assert BOARD.read_list is not None
    read = BOARD.read_list(page, ReadOptions(selectors={**JCINK, "topic": "a.t"}))
    assert [(link.url, link.title) for link in read.threads] == [
        ("https://forum.example/index.php?showtopic=7", "Mori vs Anzu"),
        ("https://forum.example/index.php?showtopic=8", "Rules"),
    ]
    assert read.next_url == "https://forum.example/index.php?showforum=2&st=15"
    assert BOARD.read_list(page, ReadOptions(selectors=JCINK)).kind == "unknown"
