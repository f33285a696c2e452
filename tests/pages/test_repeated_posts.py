"""Posts that a page shows twice (best answers, the first post on every page), and boxes that look like bodies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from referee.ports.boards import Page, ReadOptions, ThreadPage
from scrapers.boards import mybb, phpbb
from scrapers.boards.pages import Found, Reader
from scrapers.boards.thread import Paths, read_thread
from scrapers.times.moments import Moment, Times

START = datetime(2026, 11, 1, tzinfo=UTC)


def found(number, html="<p>text</p>", author="Bram", timed=True):
    moment = Moment(START + timedelta(hours=number), "minute", "text") if timed else Moment(None, "unknown", "unknown")
    return Found(id=str(number), author=author, html=html, moment=moment)


def text(post):
    return "\n".join(block.text for block in post.blocks)


def shown(*posts):
    """What a page of these posts gives: id and text, and its problem lines."""
    reader = Reader(Page("http://f.example/", b"", fetched_at=START), Times(lambda: None))
    for post in posts:
        reader.add(post)
    page = reader.finish(ThreadPage(kind="thread"))
    return [(post.id, post.author, text(post)) for post in page.posts], page.problems


def test_a_box_above_its_place_gives_way_to_the_post():
    """Whatever the box shows of it: all, a part, or nothing of who wrote it and when."""
    for box in (found(3), found(3, "<p>te</p>"), found(3, "<p>te</p>", author="", timed=False), found(3, None)):
        posts, problems = shown(found(1), box, found(2), found(3))
        assert posts == [("1", "Bram", "text"), ("2", "Bram", "text"), ("3", "Bram", "text")] and problems == ()


def test_a_box_below_its_place_changes_nothing():
    posts, problems = shown(found(1), found(2), found(3), found(2, "<p>te</p>"))
    assert posts == [(str(n), "Bram", "text") for n in (1, 2, 3)] and problems == ()


def test_a_post_with_several_authors_has_none():
    posts, problems = shown(found(1), found(1, author="Ilse"), found(1), found(2))
    assert posts == [("1", "", "text"), ("2", "Bram", "text")]
    assert problems == ("post 1: stands there several times, with different authors",)


def test_a_page_that_shows_everything_twice_is_read_in_time():
    posts, _ = shown(*[found(n % 5_000) for n in range(15_000)])
    assert len(posts) == 5_000


def pages(*numbers):
    """A thread of pages with these posts."""
    urls = [f"http://f.example/t?page={place}" for place in range(1, len(numbers) + 1)]

    def read_page(page, options):
        place = urls.index(page.url)
        reader = Reader(page, Times(lambda: None))
        for number in numbers[place]:
            reader.add(found(number))
        following = urls[place + 1] if place + 1 < len(urls) else None
        count = len(urls)
        made = ThreadPage(
            kind="thread", next_url=following, page_number=place + 1, page_count=count, page_urls=tuple(urls)
        )
        return reader.finish(made)

    reading = read_thread(Paths(read_page, str, lambda url: urls[0]), urls[0], None, ReadOptions())
    try:
        wish = next(reading)
        while True:
            wish = reading.send(Page(wish.url, b"", fetched_at=START))
    except StopIteration as end:
        return [int(post.id) for post in end.value.posts], end.value


@pytest.mark.parametrize(
    "numbers",
    [
        ([1, 2, 3], [1, 4, 5], [1, 6]),  # the first post on every page
        ([1, 5, 2, 3], [4, 5, 6]),  # the best answer below the first post, its place is on another page
        ([1, 5, 2, 3], [1, 5, 4], [1, 5, 5, 6]),  # the same on every page
        ([1, 2, 3, 6], [4, 5, 6]),  # a box at a page's end
    ],
)
def test_posts_of_several_pages_in_their_places(numbers):
    order, thread = pages(*numbers)
    assert order == [1, 2, 3, 4, 5, 6] and thread.complete


AD = '<div class="ad"><div class="post"><div class="postbody"><div class="content">Buy 5 HP</div></div></div></div>'
PHPBB = """<html><body id="phpbb"><div id="p7" class="post has-profile"><dl class="postprofile"><dt>{0}</dt></dl>
<div class="postbody">{1}<div id="post_content7">{2}<p class="author"><strong><a class="username"
href="./memberlist.php?mode=viewprofile&amp;u=4">Bram</a></strong> » <time datetime="2026-11-01T10:00:00+00:00">x</time>
</p>{3}<div class="content">Own words.</div>{4}</div></div></div></body></html>"""


@pytest.mark.parametrize("place", range(5))
def test_phpbb_bodies_among_boxes_of_extensions(place):
    html = PHPBB.format(*[AD if n == place else "" for n in range(5)])
    (post,) = phpbb.read_page(Page("http://f.example/viewtopic.php?t=3", html.encode()), ReadOptions()).posts
    assert (post.id, post.author, text(post)) == ("7", "Bram", "Own words.")


MYBB = """<html><body><div class="post" id="post_7"><div class="post_author"><div class="author_information"><strong>
<span class="largetext"><a href="member.php?action=profile&amp;uid=4">Bram</a></span></strong></div>{0}</div>{1}
<div class="post_content"><div class="post_head"><span class="post_date">11-01-2026, 10:00 AM</span></div>{2}
<div class="post_body scaleimages" id="pid_7">Own words.</div>{3}</div></div></body></html>"""


@pytest.mark.parametrize("place", range(4))
def test_mybb_bodies_among_advertisements(place):
    box = '<div class="post ad"><div class="post_body">Buy 5 HP</div></div>'
    html = MYBB.format(*[box if n == place else "" for n in range(4)])
    (post,) = mybb.read_page(Page("http://f.example/showthread.php?tid=3", html.encode()), ReadOptions()).posts
    assert (post.id, post.author, text(post)) == ("7", "Bram", "Own words.")
