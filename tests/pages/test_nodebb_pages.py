"""NodeBB as boards run it: other orders of posts, closed accounts, other servers, pages saved in a browser."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards import nodebb

NOW = datetime(2026, 11, 30, tzinfo=UTC)
START = 1_790_812_800_000
URL = "http://n.example/topic/2/bridge"


def entry(pid, place, **fields):
    """A post of the page's data: number `pid`, an hour after the one before."""
    user = {"uid": 3, "username": "Bram", "displayname": "Bram O."}
    return {
        **{"pid": pid, "uid": 3, "timestamp": START + pid * 3_600_000, "index": place, "content": f"<p>post {pid}</p>"},
        **{"user": user, "deleted": 0, "edited": 0, **fields},
    }


def page(posts, elements="", url=URL, number=1, count=1, **fields):
    """A page of the thread."""
    pages = {"currentPage": number, "pageCount": count}
    data = {"tid": 2, "slug": "2/bridge", "titleRaw": "Bridge", "posts": posts, "pagination": pages, **fields}
    html = f'<script id="ajaxify-data" type="application/json">{json.dumps(data)}</script>{elements}'
    return Page(url, html.encode(), 200, {"content-type": "text/html"}, NOW)


def read(posts, elements="", **fields):
    return nodebb.read_page(page(posts, elements, **fields), ReadOptions())


def served(url, usual, *, label=True, size=3):
    """A board with nine posts that shows them in its own order where the address asks for none."""
    asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    order = asked.get("sort", usual)
    replies = list(range(2, 10))
    replies = {"newest_to_oldest": replies[::-1], "most_votes": [5, 9, 2, 3, 4, 6, 7, 8]}.get(order, replies)
    ids = [1, *replies]
    number = int(asked.get("page", "1"))
    places = range((number - 1) * size, min(number * size, len(ids)))
    fields = {"sortOptionLabel": f"[[topic:{order.replace('_', '-')}]]"} if label else {}
    posts = [entry(ids[place], place) for place in places]
    return page(posts, url=url, number=number, count=-(-len(ids) // size), postcount=9, **fields)


def conversation(answer, url=URL):
    asked, reading = [], nodebb.BOARD.thread(url, None, ReadOptions())
    try:
        wish = next(reading)
        while True:
            asked.append(wish.url)
            assert len(asked) < 50
            wish = reading.send(answer(wish.url))
    except StopIteration as end:
        return end.value, asked


@pytest.mark.parametrize("label", [True, False])
@pytest.mark.parametrize("usual", ["newest_to_oldest", "most_votes", "oldest_to_newest"])
def test_threads_are_read_in_the_order_in_which_they_were_written(usual, label):
    thread, asked = conversation(lambda url: served(url, usual, label=label))
    assert [post.id for post in thread.posts] == [str(pid) for pid in range(1, 10)]
    assert [post.number for post in thread.posts] == list(range(1, 10))
    assert thread.complete and thread.problems == ()
    # Other orders take one request more, or all again where each page by itself looks right.
    assert len(asked) == {("oldest_to_newest", True): 3, ("oldest_to_newest", False): 3, ("most_votes", False): 6}.get(
        (usual, label), 4
    )
    assert thread.url == URL


def test_an_address_with_another_order_is_not_taken_at_its_word():
    thread, _ = conversation(lambda url: served(url, "oldest_to_newest"), f"{URL}?sort=most_votes")
    assert [post.id for post in thread.posts] == [str(pid) for pid in range(1, 10)] and thread.complete


def test_a_single_page_in_another_order_says_so_and_numbers_nothing():
    shown = nodebb.read_page(served(URL, "newest_to_oldest", size=20), ReadOptions())
    assert [post.id for post in shown.posts] == [str(pid) for pid in range(1, 10)]
    assert {post.number for post in shown.posts} == {None} and shown.page_number == 0
    assert shown.problems == ("the posts stand in another order than that in which they were written",)


def test_the_topics_own_post_may_be_younger_than_replies_that_were_merged_into_it():
    main = entry(20, 0)
    assert read([main, entry(3, 1), entry(4, 2)]).page_number == 1


@pytest.mark.parametrize("label", [True, False])
def test_an_answer_that_is_shown_out_of_its_place_changes_no_order(label):
    """An add-on shows the best answer below the topic's own post, wherever else it stands."""

    def answer(url):
        made = served(url, "oldest_to_newest", label=label)
        copy = json.dumps(entry(8, 7)) + ", "
        body = made.body.decode().replace('{"pid": 2,', copy + '{"pid": 2,')
        return Page(made.url, body.encode(), 200, made.headers, NOW)

    thread, asked = conversation(answer)
    assert [post.number for post in thread.posts] == list(range(1, 10)) and thread.complete and len(asked) == 3


GONE = {"uid": 0, "oldUid": 5, "username": "[[global:former-user]]", "displayname": "[[global:former-user]]"}
ELEMENTS = '<ul><li component="post" data-pid="7" data-uid="5" data-username="Ein ehemaliger Benutzer"></li></ul>'


@pytest.mark.parametrize(
    ("link", "shown"), [("Ein ehemaliger Benutzer", "Ein ehemaliger Benutzer"), ("", "former user")]
)
def test_names_that_only_links_put_into_words(link, shown):
    """As in 4.15, whose attributes keep the key."""
    key = "[[global:former-user]]"
    link = f'<a href="#" data-username="{key}"></a><a href="#" data-username="{key}" data-uid="0">{link}</a>'
    body = f'{link}<div component="post/content">text</div>'
    elements = f'<li component="post" data-pid="7" data-uid="5" data-username="{key}">{body}</li>'
    (told,) = read([entry(7, 0, uid=5, user=GONE)], elements).posts
    (by_elements,) = nodebb.read_page(Page(URL, elements.encode(), fetched_at=NOW), ReadOptions()).posts
    assert {told.author, by_elements.author} == {f"{shown} (5)"}


def test_closed_accounts_keep_apart():
    """Two people whose accounts are closed are two authors: the page calls both by the same words."""
    posts = [entry(7, 0, uid=5, user=GONE), entry(8, 1, uid=6, user=GONE), entry(9, 2)]
    told = read(posts, ELEMENTS).posts
    assert [post.author for post in told] == ["Ein ehemaliger Benutzer (5)", "former user (6)", "Bram"]
    assert [post.author_id for post in told] == [None, None, "3"]


def test_guests_by_their_own_names():
    nobody = {"uid": 0, "username": "[[global:guest]]", "displayname": "[[global:guest]]"}
    posts = [entry(7, 0, uid=0, user=nobody, handle="Ilse &amp; Co"), entry(8, 1, uid=0, user=nobody)]
    assert [(post.author, post.author_id) for post in read(posts).posts] == [("Ilse & Co", None), ("guest", None)]


def test_posts_from_other_servers():
    far = "https://far.example/users/bram"
    user = {"uid": far, "username": "bram@far.example", "displayname": "Bram"}
    (post,) = read([entry(7, 0) | {"pid": "https://far.example/notes/1?x=2", "uid": far, "user": user}]).posts
    assert (post.author, post.author_id) == ("bram@far.example", far)
    assert post.permalink == "http://n.example/post/https%3A%2F%2Ffar.example%2Fnotes%2F1%3Fx%3D2"


@pytest.mark.parametrize("strange", ['"] x', {"a": 1}, ["x"], 1.5, True, "\ud800", "0"])
def test_numbers_that_are_none_break_nothing(strange):
    posts = [entry(7, 0) | {"pid": strange, "uid": strange, "user": GONE, "content": strange}, entry(1, 1, uid=1)]
    assert [post.author_id for post in read(posts, ELEMENTS).posts][-1] == "1"


@pytest.mark.parametrize("begin", ["window._ajaxifyData=", " window._ajaxifyData = ", "\n"])
def test_data_that_are_the_value_of_a_variable(begin):
    """As from 4.14.9 on; titles of these versions have no escapes, and no other form."""
    data = {"tid": 2, "slug": "2/bridge", "title": 'A <bridge> & "dusk"', "postcount": 1, "posts": [entry(7, 0)]}
    html = f'<script id="ajaxify-data">{begin}{json.dumps(data)};</script><script>more()</script>'
    shown = nodebb.read_page(Page(URL, html.encode(), fetched_at=NOW), ReadOptions())
    assert (shown.title, shown.posts_stated) == ('A <bridge> & "dusk"', 1)
    assert [(post.id, post.author, post.author_id) for post in shown.posts] == [("7", "Bram", "3")]


def test_a_spoiler_that_is_fetched_at_a_click_is_no_empty_one():
    content = '<p>Stats</p><div class="ns-spoiler"><div class="ns-spoiler-content"></div></div>'
    assert read([entry(7, 0, content=content)]).problems == ("post 7: a spoiler whose text is not on the page",)


SAVED = """<html><body><h1>My board</h1><span component="topic/title">Bridge &amp; <i>dusk</i></span>
<span component="topic/locked" class="badge{hidden}">locked</span><ul component="topic">{posts}</ul>
<nav component="pagination"><ul class="pagination"><li class="page"><a href="?page=1">1</a></li>
<li class="page active"><a href="?page=2">2</a></li><li class="next"><a href="?page={following}"></a></li></ul></nav>
<script src="/assets/client.css"></script></body></html>"""
ELEMENT = """<li component="post" data-index="{place}" data-pid="{pid}" data-uid="5" data-timestamp="{stamp}"
 data-username="A Former User"><a href="#" data-uid="{account}" data-username="A Former User">A Former User</a>
<div component="post/content"><p>text</p></div></li>"""


def saved(ids, hidden="", following=2, account=0):
    """A page as a browser saves it: its data are gone, its elements are there."""
    posts = [
        ELEMENT.format(place=20 + n, pid=pid, stamp=START + pid * 60_000, account=account) for n, pid in enumerate(ids)
    ]
    html = SAVED.format(hidden=hidden, posts="".join(posts), following=following)
    return nodebb.read_page(Page(URL + "?page=2", html.encode(), fetched_at=NOW), ReadOptions())


def test_saved_pages_by_their_elements():
    shown = saved([30, 31])
    assert (shown.title, shown.locked, shown.next_url) == ("Bridge & dusk", True, None)
    assert [(post.author, post.author_id) for post in shown.posts] == [("A Former User (5)", None)] * 2
    assert (shown.page_number, [post.number for post in shown.posts]) == (2, [21, 22])
    assert saved([30], account=5).posts[0].author_id == "5"


def test_a_page_that_was_scrolled_down_is_the_whole_thread():
    count = '<span component="topic/post-count" title="{}">2</span>'
    html = "".join(ELEMENT.format(place=n, pid=n + 3, stamp=START + n, account=5) for n in range(2))
    html = SAVED.format(hidden="", posts=html, following=2).replace("page active", "page")
    for stated, whole in ((2, True), (30, False)):
        body = html.replace("<ul component", count.format(stated) + "<ul component")
        shown = nodebb.read_page(Page(URL, body.encode(), fetched_at=NOW), ReadOptions())
        assert (shown.page_count == 1, shown.next_url is None, shown.posts_stated) == (whole, whole, stated)


def test_saved_pages_before_the_last_one():
    shown = saved([30, 31], hidden=" hidden", following=3)
    assert (shown.locked, shown.next_url) == (False, "http://n.example/topic/2/bridge?page=3")


def test_saved_pages_in_another_order():
    shown = saved([12, 31, 30, 29])
    assert [post.id for post in shown.posts] == ["12", "29", "30", "31"] and shown.page_number == 0


def test_a_saved_page_at_which_a_browser_was_scrolled():
    """The address says how far; without a page in it and on the page itself, it is a part of the thread."""
    first = SAVED.format(hidden="", posts=ELEMENT.format(place=20, pid=30, stamp=START, account=5), following=3)
    for url, html, shown in (
        ("/23?page=2", first, (URL + "?page=2", 2)),
        ("/23", first, (URL + "?page=2", 2)),
        ("/23", first.replace("page active", "page"), (URL + "/23", None)),
        ("", first.replace("page active", "page"), (URL, 1)),
    ):
        read = nodebb.read_page(Page(URL + url, html.encode(), fetched_at=NOW), ReadOptions())
        assert (read.url, read.page_number) == shown
    assert nodebb.canonical(URL + "/23?page=2&lang=de") == nodebb.canonical(URL + "/1?page=2")


def test_editors_of_saved_pages_by_their_names():
    """The page names them in a sentence and as in addresses."""
    edit = """<meta itemprop="dateModified" content="2026-10-01T12:00:00.000Z"><span component="post/editor"
    data-editor="{}">zuletzt geändert von ...</span></li>"""
    post = ELEMENT.replace("Former User", "Ilse").replace("data-uid", 'data-userslug="a-ilse" data-uid', 1)
    for slug, name in (("a-ilse", "A Ilse"), ("bram-o", "bram-o")):
        made = post.format(place=0, pid=30, stamp=START, account=5).replace("</li>", edit.format(slug))
        html = SAVED.format(hidden="", posts=made, following=3)
        (read,) = nodebb.read_page(Page(URL, html.encode(), fetched_at=NOW), ReadOptions()).posts
        assert (read.author, read.edited.by) == ("A Ilse", name)


def test_lists_of_older_versions_name_threads_without_places():
    link = '<li component="category/topic"><h3 component="topic/header"><a href="/topic/{}">Duel</a></h3></li>'
    html = link.format("7/duel/1") + link.format("8/duel")
    page = Page("http://n.example/category/3/x", html.encode(), 200, {}, NOW)
    (seven, eight) = nodebb.BOARD.read_list(page, ReadOptions()).threads
    assert (seven.url, eight.url) == ("http://n.example/topic/7/duel", "http://n.example/topic/8/duel")
