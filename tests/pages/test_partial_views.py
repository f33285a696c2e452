"""Ways of showing a thread that show only a part of it, and addresses of other views."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards import mybb, phpbb, smf


def converse(board, url, answer, first=None):
    """Read a thread; `answer` gives a page for each address asked for. Returns the thread and the addresses."""
    asked = []
    reading = board.thread(url, first, ReadOptions())
    try:
        wish = next(reading)
        while True:
            asked.append(wish.url)
            assert len(asked) < 20, "the reader does not come to an end"
            wish = reading.send(answer(wish.url))
    except StopIteration as end:
        return end.value, asked


def mybb_linear(page_number, mode):
    numbers = range(page_number * 2 - 1, page_number * 2 + 1)
    posts = "".join(f'<div id="post_{n}"><div class="post_body">{n}</div></div>' for n in numbers)
    following = f'<a class="pagination_next" href="showthread.php?tid=5&page={page_number + 1}{mode}">»</a>'
    current = f'<span class="pagination_current">{page_number}</span>'
    pager = f'<div class="pagination">{current}{following if page_number < 2 else ""}</div>'
    return f"<html><body>{pager}{posts}</body></html>"


TREE = """<html><body><div id="post_1"><div class="post_body">1</div></div><table><tr><td>
<a href="showthread.php?tid=5&pid=2&mode=threaded">2</a><a href="showthread.php?tid=5&pid=3&mode=threaded">3</a>
</td></tr></table></body></html>"""


def test_a_board_that_shows_trees_is_asked_for_the_list():
    def answer(url):
        number = 2 if "page=2" in url else 1
        html = mybb_linear(number, "&mode=linear") if "mode=linear" in url else TREE
        return Page(url, html.encode(), 200, {}, datetime(2026, 11, 30, tzinfo=UTC))

    read, asked = converse(mybb.BOARD, "http://m.example/showthread.php?tid=5", answer)
    assert [post.id for post in read.posts] == ["1", "2", "3", "4"] and read.complete
    assert read.url == "http://m.example/showthread.php?tid=5"
    assert asked[1] == "http://m.example/showthread.php?tid=5&mode=linear"


def test_a_tree_is_never_a_whole_thread():
    read, asked = converse(mybb.BOARD, "http://m.example/showthread.php?tid=5", lambda url: Page(url, TREE.encode()))
    assert [post.id for post in read.posts] == ["1"] and not read.complete and len(asked) == 2
    assert any("only a part of the thread" in line for line in read.problems)


def phpbb_list(days, ids, stated):
    posts = "".join(
        f'<div id="p{n}" class="post"><p class="author"><strong>Ilse</strong>'
        f'<time datetime="2026-09-{n:02}T09:41:49+00:00">x</time></p><div class="content">{n}</div></div>'
        for n in ids
    )
    form = f"""<select name="st" id="st"><option value="0"{"" if days else ' selected="selected"'}>All</option>
      <option value="1"{' selected="selected"' if days else ""}>1 day</option></select>
      <select name="sk"><option value="a">Author</option><option value="t" selected="selected">Time</option></select>"""
    pager = f'<div class="pagination">{stated} posts • Page <strong>1</strong> of <strong>1</strong></div>'
    return f'<html><body id="phpbb">{pager}{posts}{form}</body></html>'


@pytest.mark.parametrize("always", [False, True])
def test_a_phpbb_page_of_the_last_days_leads_to_the_whole_thread(always):
    """`always`: the viewer's own settings hide the older posts, whatever the address."""

    def answer(url):
        days = "st=1" in url or (always and "st=0" not in url)
        html = phpbb_list(days, [4, 5] if days else [1, 2, 4, 5], 2 if days else 4)
        return Page(url, html.encode(), 200, {}, datetime(2026, 11, 30, tzinfo=UTC))

    url = "http://p.example/viewtopic.php?t=9&st=1"
    read, asked = converse(phpbb.BOARD, url, answer, answer(url))
    assert [post.id for post in read.posts] == ["1", "2", "4", "5"] and read.complete, read.problems
    assert read.url == "http://p.example/viewtopic.php?t=9" and len(asked) == 1


def test_a_page_of_an_unknown_skin_is_no_whole_thread():
    post = '<div id="p1"><b class="username">Ilse</b><div class="message">1</div></div>'
    html = f'<html><body id="phpbb">{post}</body></html>'
    read, _ = converse(phpbb.BOARD, "http://p.example/viewtopic.php?t=9", lambda url: Page(url, html.encode()))
    assert len(read.posts) == 1 and not read.complete and any("unknown skin" in line for line in read.problems)


@pytest.mark.parametrize(
    ("board", "url", "start"),
    [
        (mybb.BOARD, "http://m.example/f/printthread.php?tid=5", "http://m.example/f/showthread.php?tid=5"),
        (mybb.BOARD, "http://m.example/archive/index.php?thread-5.html", "http://m.example/showthread.php?tid=5"),
        (smf.BOARD, "http://f.example/index.php?action=printpage;topic=9.0", "http://f.example/index.php?topic=9.0"),
        (phpbb.BOARD, "http://p.example/viewtopic.php?t=9&view=print", "http://p.example/viewtopic.php?t=9"),
        (phpbb.BOARD, "http://p.example/viewtopic.php?t=9&e=1&view=unread", "http://p.example/viewtopic.php?t=9"),
    ],
)
def test_other_views_of_a_thread_lead_to_it(board, url, start):
    first = Page(url, b'<html><body><form id="login"></form></body></html>')
    _, asked = converse(board, url, lambda wanted: Page(wanted, b"<html><body>gone</body></html>", 404), first)
    assert asked == [start]
