"""FlaskBB in its versions and as moderators see it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards import flaskbb

ROW = """<div id="{number}" class="row post-row clearfix"><div class="author"><div class="author-name"><h4>{author}</h4>
</div></div><div class="post-box"><div class="post-meta"><div><a href="/post/{number}">{date}</a> {edit}</div>
<div><strong>#{place}</strong></div></div>
<div class="post-content" id="pid{number}"><p>text {number}</p></div></div></div>"""
TOPIC = """<html><head><meta name="author" content="FlaskBB Team"><title>{title} - {word} - FlaskBB</title></head><body>
<div class="topic-view"><div class="card-header topic-header"><a href="/topic/3-t">{title}</a></div>{rows}{controls}
</div></body></html>"""


def row(number, author, date, edit="", place=1, member=True):
    name = f'<a href="/user/{author}">{author}</a>' if member else author
    return ROW.format(number=number, author=name, date=date, edit=edit, place=place)


def read(*rows, title="Bridge", word="Topic", controls=""):
    html = TOPIC.format(title=title, word=word, rows="".join(rows), controls=controls)
    made = Page("http://f.example/topic/3-t", html.encode(), 200, {}, datetime(2026, 11, 30, tzinfo=UTC))
    return flaskbb.read_page(made, ReadOptions(timezone="Europe/Berlin"))


def test_the_words_of_version_2_0_are_utc():
    edit = '<small>(Last modified: 01 October 2018 - 13:35 by <a href="/user/x">May 5</a>.)</small>'
    first, second = read(
        row(5, "Bram", "\n 30 September 2018 - 23:05\n", edit), row(6, "Ilse", "02 October 2018 - 00:04", member=False)
    ).posts
    assert (first.at, first.precision) == (datetime(2018, 9, 30, 23, 5, tzinfo=UTC), "minute")
    assert (first.edited.at, first.edited.by) == (datetime(2018, 10, 1, 13, 35, tzinfo=UTC), "May 5")
    assert (second.author, second.at, second.edited) == ("Ilse", datetime(2018, 10, 2, 0, 4, tzinfo=UTC), None)


def test_the_machine_time_comes_before_the_words():
    date = '<time datetime="2026-10-01T07:00:01.000123+00:00">1. Oktober 2026, 09:00</time>'
    assert read(row(5, "Bram", date)).posts[0].at == datetime(2026, 10, 1, 7, 0, 1, tzinfo=UTC)


@pytest.mark.parametrize("word", ["Topic", "Thema", "Тема"])
@pytest.mark.parametrize("title", ["Bridge", "Bridge - Topic - 2", "Thema - Bridge"])
def test_titles_in_any_language(title, word):
    assert read(row(5, "Bram", "02 October 2018 - 00:04"), title=title, word=word).title == title


CONTROLS = [
    ('<form action="/topic/3/lock"><button><span class="fas fa-lock fa-fw"></span> Lock Topic</button></form>', None),
    ('<form action="/topic/3/unlock"><button><span class="fas fa-unlock fa-fw"></span> Unlock</button></form>', True),
    ('<div class="btn btn-primary"><span class="fa fa-lock fa-fw"></span> Locked</div>', True),
    ("", None),
]


@pytest.mark.parametrize(("controls", "locked"), CONTROLS)
def test_the_button_that_locks_a_topic_does_not_say_that_it_is_locked(controls, locked):
    assert read(row(5, "Bram", "02 October 2018 - 00:04"), controls=controls).locked is locked


def test_a_board_that_shows_each_post_once_for_every_member():
    """As a version of 2026 does: whose post it is can't be told then."""
    date = "02 October 2018 - 00:04"
    rows = [row(number, name, date) for number in (5, 6) for name in ("Admin", "Bram", "Ilse")]
    shown = read(*rows, row(7, "Admin", date))
    assert [(post.id, post.author) for post in shown.posts] == [("5", ""), ("6", ""), ("7", "")]
    assert shown.problems == tuple(f"post {n}: stands there several times, with different authors" for n in (5, 6))


def test_no_page_of_such_a_board_names_an_author():
    date = "02 October 2018 - 00:04"
    pager = '<ul class="pagination"><li class="page-item active">{}</li>{}</ul>'
    following = '<li class="page-item"><a href="/topic/3-t?page=2">2</a></li>'
    bodies = {
        None: [row(5, "Admin", date), row(5, "Bram", date), row(6, "Admin", date), pager.format(1, following)],
        "2": [row(6, "Bram", date), pager.format(2, "")],
    }

    reading = flaskbb.BOARD.thread("http://f.example/topic/3-t", None, ReadOptions())
    try:
        wish = next(reading)
        while True:
            page = "2" if wish.url.endswith("page=2") else None
            html = TOPIC.format(title="x", word="Topic", rows="".join(bodies[page]), controls="")
            wish = reading.send(Page(wish.url, html.encode(), 200, {}, datetime(2026, 11, 30, tzinfo=UTC)))
    except StopIteration as end:
        thread = end.value
    assert [(post.id, post.author) for post in thread.posts] == [("5", ""), ("6", "")] and not thread.complete


@pytest.mark.parametrize("page", ["?page=7", "?page=0", "?page=x", "?page=00"])
def test_a_page_that_is_not_there_leads_to_the_first_one(page):
    """As behind the last page, which 2.x answers with 404; what is no number is the first page to it."""
    answers = {"page=7": (404, b"<html><body>Not Found</body></html>")}
    url, asked = "http://f.example/topic/3-t" + page, []
    html = TOPIC.format(title="x", word="Topic", rows=row(5, "Bram", "02 October 2018 - 00:04"), controls="").encode()
    status, body = answers.get(page[1:], (200, html))
    reading = flaskbb.BOARD.thread(url, Page(url, body, status, {}, datetime(2026, 11, 30, tzinfo=UTC)), ReadOptions())
    try:
        wish = next(reading)
        while True:
            asked.append(wish.url)
            wish = reading.send(Page(wish.url, html, 200, {}, datetime(2026, 11, 30, tzinfo=UTC)))
    except StopIteration as end:
        thread = end.value
    assert thread.url == "http://f.example/topic/3" and [post.id for post in thread.posts] == ["5"]
    assert asked == ([thread.url] if page == "?page=7" else []) and thread.complete


def test_a_thread_that_is_not_there_is_told_without_a_word_on_the_board():
    html = (
        b"<!doctype html>\n<title>None Unknown Error</title>\n<h1>Unknown Error</h1>\n<p>Could not load topic data</p>"
    )
    page = Page("http://f.example/topic/9", html, 200, {}, datetime(2026, 11, 30, tzinfo=UTC))
    assert flaskbb.marks(page) >= 90 and flaskbb.read_page(page, ReadOptions()).kind == "missing"
    reading = flaskbb.BOARD.thread("http://f.example/topic/9", page, ReadOptions())
    with pytest.raises(StopIteration) as end:
        next(reading)
    assert end.value.value.kind == "missing"


MENTION = '<a href="/board/user/Bram">@Bram</a>'


@pytest.mark.parametrize(
    ("version", "text", "lost"),
    [
        (' content="FlaskBB Team" />', f"{MENTION} waits", True),
        (' content="FlaskBB Team" />', '<a href="/user/Bram">Bram</a> waits, @nobody', False),
        (' content="FlaskBB Team">', f"{MENTION} waits", False),
    ],
)
def test_posts_whose_end_version_2_2_may_have_cut_off(version, text, lost):
    """It cuts off what its links to the mentioned add to the text, which may hold a whole short line."""
    made = row(5, "Bram", "02 October 2018 - 00:04").replace("text 5", text)
    html = TOPIC.format(title="x", word="Topic", rows=made, controls="").replace(' content="FlaskBB Team">', version)
    page = Page("http://f.example/topic/3-t", html.encode(), 200, {}, datetime(2026, 11, 30, tzinfo=UTC))
    mended = replace(page, body=page.body.replace(b"topic-view", b'x"><div id="topic-posts'))
    assert flaskbb.read_page(mended, ReadOptions()).problems == ()
    read = flaskbb.read_page(page, ReadOptions())
    assert [block.title for block in read.posts[0].blocks] == [None, "lost"][: 1 + lost]
    assert len(read.problems) == lost


def test_what_version_3_puts_into_bodies():
    """Attachments and an add-on's poll, whose counts change with each vote."""
    poll = '<div id="poll-4"><div class="card vote-poll"><h6>Who wins?</h6><ul><li>Bram 50% (3)</li></ul></div>'
    files = (
        '<div class="post-attachments"><hr><h6>Files</h6><ul><li><a href="/attachment/1">map.png</a> (3 kB)</li></ul>'
    )
    sign = '<div class="post-signature"><hr>[Damage: 77]</div>'
    made = row(5, "Bram", "02 October 2018 - 00:04").replace(
        "<p>text 5</p>", f"{poll}</div><p>text</p>{files}</div>{sign}"
    )
    (post,) = read(made, row(6, "Bram", "02 October 2018 - 00:05")).posts[:1]
    assert [block.kind for block in post.blocks] == ["own", "attachment", "signature"]
    assert post.blocks[0].text == "text" and "map.png" in post.blocks[1].text and "Who" not in str(post.blocks)
