"""Broken, cut and hostile pages: a reader says what it could not read and never fails."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime

import pytest

from referee.ports.boards import Page, ReadOptions, ThreadPage
from scrapers.boards import flaskbb, fluxbb, mybb, nodebb, phpbb, smf
from tests.support.patience import allowed

NOW = datetime(2026, 11, 30, 2, 10, tzinfo=UTC)
KINDS = {"thread", "login", "challenge", "missing", "empty", "unknown"}
SAMPLES = {
    "phpbb-3.3.10": "guest/battle-p5-relative.html",
    "smf-2.1.4": "guest/battle-p2.html",
    "mybb-1.8.37": "user/battle-p3.html",
    "fluxbb-1.5.11": "guest/battle-p1.html",
    "flaskbb-2.2.0": "guest/battle-p3.html",
    "nodebb-4.9.2": "guest/battle-p2.html",
}
READERS = [
    (phpbb.BOARD, "http://f.example/viewtopic.php?t=3"),
    (smf.BOARD, "http://f.example/index.php?topic=3.0"),
    (mybb.BOARD, "http://f.example/showthread.php?tid=3"),
    (fluxbb.BOARD, "http://f.example/viewtopic.php?id=3"),
    (flaskbb.BOARD, "http://f.example/topic/3"),
    (nodebb.BOARD, "http://f.example/topic/3/x"),
]


def sound(read):
    assert isinstance(read, ThreadPage) and read.kind in KINDS
    assert (read.kind == "thread") == bool(read.posts) or read.kind == "unknown"
    assert len({post.id for post in read.posts}) == len(read.posts)


def test_cut_and_shuffled_pages(folder, board, capture):
    page = capture(folder, SAMPLES[folder])
    reader = board(folder.split("-")[0])
    chance = random.Random(folder)
    for _ in range(25):
        body = bytearray(page.body)
        for _ in range(chance.randrange(1, 40)):
            at = chance.randrange(len(body))
            how = chance.randrange(4)
            if how == 0:
                del body[at : at + chance.randrange(1, 400)]
            elif how == 1:
                body[at] = chance.randrange(256)
            elif how == 2:
                body[at:at] = chance.choice([b"<", b">", b'"', b"</div>", b"\0", b"<blockquote>", b"<!--", b"\xff"])
            else:
                other = chance.randrange(len(body))
                body[at:at] = body[other : other + 200]
        sound(reader.read_page(Page(page.url, bytes(body), 200, page.headers, page.fetched_at), ReadOptions()))
    for share in range(1, 10):
        cut = page.body[: len(page.body) * share // 10]
        sound(reader.read_page(Page(page.url, cut, 200, page.headers, None), ReadOptions()))


@pytest.mark.parametrize(("reader", "url"), READERS, ids=[reader.name for reader, _ in READERS])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0" * 1000,
        b"\xff\xfe<\0h\0t\0m\0l\0>\0",
        b"<html>" + b"<div>" * 20_000,
        b'<div id="p1" class="post blockpost">' * 3_000,
        b'<a name="p1"></a>' * 10_000,
        b'<script id="ajaxify-data">{"posts": [{"pid": 1, "user": 3, "content": 5}], "pagination": []}</script>',
        b'<script id="ajaxify-data">' + b"[" * 100_000 + b"</script>",
        b'{"posts": [null, {"pid": null}, {"pid": 1, "timestamp": -5, "edited": "x", "user": null}]}',
        b'<meta charset="no-such-encoding"><body>x',
        b'<div class="pagination"><a href="http://[bad">1</a><strong>9999999999999</strong></div><div id="p1">',
        b"".join(b'<p><a name="p%d" id="pid%d"></a></p>' % (n, n) for n in range(20_000)),
    ],
    ids=range(12),
)  # fmt: skip
def test_hostile_pages(reader, url, body):
    start = time.process_time()
    sound(reader.read_page(Page(url, body), ReadOptions()))
    assert reader.marks(Page(url, body)) <= 100
    assert time.process_time() - start < allowed(5)


@pytest.mark.parametrize(("reader", "url"), READERS, ids=[reader.name for reader, _ in READERS])
@pytest.mark.parametrize(
    "bad", ["", "http://[", "javascript:x", "http://f.example/?" + "a=b&" * 5_000, "http://f.example/\ud800"]
)
def test_hostile_addresses(reader, url, bad):
    assert isinstance(reader.canonical(bad), str)
    sound(reader.read_page(Page(bad, b"<p>x"), ReadOptions()))


def one_post(body, headers=None):
    """The only post of a FluxBB page with this body."""
    html = (
        b'<div id="punviewtopic"><div id="p1" class="blockpost"><h2><a href="#p1">2026-11-12 18:20:00</a></h2>'
        b"<div class='postleft'><dl><dt><strong>A</strong></dt></dl></div><div class='postmsg'>"
        + body
        + b"</div></div></div>"
    )
    page = Page("http://f.example/viewtopic.php?id=3", html, 200, headers or {})
    (post,) = fluxbb.BOARD.read_page(page, ReadOptions()).posts
    return post


def test_a_long_post_on_a_page_is_whole():
    text = b"word [Damage: 8 x2]<br>\n" * 40_000
    assert one_post(text).blocks[0].text.count("[Damage: 8 x2]") == 40_000


def test_deep_quotes_on_a_page_stay_quotes():
    deep = b"<blockquote>" * 10_000 + b"theirs [Damage: 99]" + b"</blockquote>" * 10_000 + b"mine"
    post = one_post(deep)
    assert "[Damage: 99]" not in "".join(block.text for block in post.blocks if block.kind == "own")


def test_windows_characters_in_pages_that_say_latin():
    post = one_post(b"20 \x96 3 = 17 \x93x\x94", {"content-type": "text/html; charset=ISO-8859-1"})
    assert post.blocks[0].text == "20 \u2013 3 = 17 \u201cx\u201d"
