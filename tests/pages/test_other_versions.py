"""Pages of other versions of the same boards, written from the structure of their templates."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards import fluxbb, mybb, nodebb, phpbb, smf

DATA = Path(__file__).parent / "data"
NOW = datetime(2026, 11, 30, 2, 10, tzinfo=UTC)


def page(url, html):
    return Page(url, html.encode(), 200, {"Content-Type": "text/html; charset=UTF-8"}, NOW)


def own(post):
    return [(block.kind, block.text) for block in post.blocks]


PHPBB_30 = (DATA / "phpbb-3.0.html").read_text(encoding="utf-8")


def test_phpbb_30_without_machine_times():
    made = page("http://forum.example/viewtopic.php?f=3&t=30&start=10", PHPBB_30)
    assert phpbb.marks(made) >= 90
    read = phpbb.read_page(made, ReadOptions())
    first, second = read.posts
    assert (read.kind, read.thread_id, read.title, read.locked) == ("thread", "30", "Roofs & rain", True)
    assert (read.page_number, read.page_count, read.posts_stated) == (2, 5, 45)
    assert read.next_url == "http://forum.example/viewtopic.php?f=3&t=30&start=20"
    assert (first.author, first.author_id) == ("Kestrel Vane", "58")
    assert (first.at, first.precision, first.origin) == (datetime(2026, 11, 12, 16, 20, tzinfo=UTC), "minute", "text")
    assert first.permalink == "http://forum.example/viewtopic.php?p=41#p41"
    assert first.edited.count == 2 and first.edited.reason == "typo" and first.edited.by == "Kestrel Vane"
    assert first.edited.at == datetime(2026, 11, 13, 5, 1, tzinfo=UTC)
    assert own(first) == [
        ("quote", "[Damage: 99 x9]"),
        ("own", "My turn.\nhttp://dice.example/roll/1"),
        ("code", "[Damage:\u00a01]"),
        ("own", "(HP: -0)"),
        ("signature", "[Damage: 7 x7]"),
    ]
    assert first.blocks[0].author == "Bram Oduya"
    assert [mark.url for mark in first.blocks[1].marks] == ["http://dice.example/roll/1"]
    assert second.author == "Passing Stranger" and second.author_id is None
    assert second.edited is None, "a bump is no edit"
    # 02:10 UTC is 04:10 on the board: still the 30th there.
    assert (second.at, second.origin) == (datetime(2026, 11, 29, 23, 9, tzinfo=UTC), "relative")


SMF_20 = (DATA / "smf-2.0.html").read_text(encoding="utf-8")


def test_smf_20():
    made = page("http://f.example/index.php?topic=30.15", SMF_20)
    assert smf.marks(made) >= 90
    read = smf.read_page(made, ReadOptions())
    first, second = read.posts
    assert (read.kind, read.thread_id, read.title, read.engine_version) == ("thread", "30", "Pier", "2.0.19")
    assert (read.page_number, read.page_count, read.locked) == (2, 3, True)
    assert read.next_url == "http://f.example/index.php?topic=30.30"
    assert (first.author, first.author_id, first.number) == ("Kestrel Vane", "2", 15)
    assert (first.at, first.precision) == (datetime(2026, 11, 12, 18, 20, 3, tzinfo=UTC), "second")
    assert first.permalink == "http://f.example/index.php?topic=30.msg40#msg40"
    assert (first.edited.by, first.edited.at) == ("Kestrel Vane", datetime(2026, 11, 13, 7, 1, tzinfo=UTC))
    assert own(first) == [
        ("quote", "[Damage: 99 x9]"),
        ("own", "Mine. :)"),
        ("code", "x = 1"),
        ("own", "end"),
        ("signature", "sig"),
    ]
    assert (first.blocks[0].author, first.blocks[0].post) == ("Bram Oduya", "39")
    assert second.author == "Passing Stranger" and second.edited is None
    assert (second.at, second.origin) == (datetime(2026, 11, 30, 1, 9, 11, tzinfo=UTC), "relative")


def test_smf_20_shows_members_the_time_as_the_last_line_of_their_box():
    """The theme of 2.0 shows guests no clock; its dates are in the member's own time, set by hours from the board's."""
    box = (
        '<div id="upper_section"><div class="user"><ul class="reset"><li class="greeting">Hello <span>Ren</span></li>'
        '<li><a href="http://f.example/index.php?action=unread">Unread posts</a></li>'
        "<li>November 29, 2026, 09:10:05 PM</li></ul></div>"
    )
    html = SMF_20.replace('<div id="upper_section">', box).replace("at 01:09:11 AM", "at 08:09:11 PM")
    first, second = smf.read_page(page("http://f.example/index.php?topic=30.15", html), ReadOptions()).posts
    assert (first.at, first.precision) == (datetime(2026, 11, 12, 23, 20, 3, tzinfo=UTC), "second")
    assert second.at == datetime(2026, 11, 30, 1, 9, 11, tzinfo=UTC)


def test_a_version_that_a_post_names_is_not_the_boards():
    spoken = SMF_20.replace("</title>", "</title><meta name=description content='Our old SMF 1.1.21 is gone'>")
    read = smf.read_page(page("http://f.example/index.php?topic=30.15", spoken), ReadOptions())
    assert "SMF 1.1.21" in spoken and read.engine_version == "2.0.19"


def test_smf_20_in_russian():
    html = SMF_20.replace("Reply #15 on:", "Ответ #15 :").replace(
        "November 12, 2026, 06:20:03 PM", "12 Ноября 2026, 18:20:03"
    )
    html = html.replace(
        "Last Edit: November 13, 2026, 07:01:00 AM by", "Последнее редактирование: 13 Ноября 2026, 07:01:00 от"
    )
    html = html.replace("Today</strong> at 01:09:11 AM", "Сегодня</strong> в 01:09:11")
    first, second = smf.read_page(page("http://f.example/index.php?topic=30.15", html), ReadOptions()).posts
    assert first.at == datetime(2026, 11, 12, 18, 20, 3, tzinfo=UTC)
    assert (first.edited.by, first.edited.at) == ("Kestrel Vane", datetime(2026, 11, 13, 7, 1, tzinfo=UTC))
    assert second.at == datetime(2026, 11, 30, 1, 9, 11, tzinfo=UTC)


MYBB_16 = (DATA / "mybb-1.6.html").read_text(encoding="utf-8")


def test_mybb_16_tables():
    made = page("http://m.example/showthread.php?tid=29", MYBB_16)
    assert mybb.marks(made) >= 90
    read = mybb.read_page(made, ReadOptions())
    (post,) = read.posts
    assert (read.kind, read.thread_id, read.page_number, read.page_count) == ("thread", "29", 1, 2)
    assert read.next_url == "http://m.example/showthread.php?tid=29&page=2"
    assert (post.author, post.author_id, post.number) == ("Kestrel Vane", "2", 1)
    # The board's own clock is an hour ahead of the answer's.
    assert post.at == datetime(2026, 11, 12, 17, 20, tzinfo=UTC)
    assert (post.edited.by, post.edited.at) == ("Kestrel Vane", datetime(2026, 11, 13, 6, 1, tzinfo=UTC))
    assert own(post) == [("quote", "[Damage: 99 x9]"), ("own", "Mine.")]


PUNBB_14 = (DATA / "punbb-1.4.html").read_text(encoding="utf-8")


def test_punbb_14_with_the_signature_inside_the_body():
    made = page("http://p.example/viewtopic.php?id=30&p=2", PUNBB_14)
    assert fluxbb.marks(made) >= 90
    read = fluxbb.read_page(made, ReadOptions())
    (post,) = read.posts
    assert (read.kind, read.thread_id, read.title, read.locked) == ("thread", "30", "Chain Bridge", True)
    assert (read.page_number, read.page_count) == (2, 3)
    assert read.next_url == "http://p.example/viewtopic.php?id=30&p=3"
    assert (post.author, post.author_id, post.number) == ("Kestrel Vane", "3", 26)
    assert post.at == datetime(2026, 11, 12, 18, 20, 3, tzinfo=UTC)
    assert (post.edited.by, post.edited.at) == ("Kestrel Vane", datetime(2026, 11, 13, 7, 1, tzinfo=UTC))
    assert own(post) == [("quote", "[Damage: 99 x9]"), ("own", "Mine."), ("signature", "(HP: -7)")]
    assert post.permalink == "http://p.example/viewtopic.php?pid=34#p34"


def test_punbb_14_says_the_page_behind_its_title_and_edits_in_brackets():
    html = PUNBB_14.replace("Topic closed ", "").replace("</a></h1>", "</a> <small>(Page 2 of 3)</small></h1>")
    html = html.replace("Last edited by Kestrel Vane (2026-11-13 07:01:00)", "(edited by Kestrel Vane Today 01:28:33)")
    read = fluxbb.read_page(page("http://p.example/viewtopic.php?id=30&p=2", html), ReadOptions())
    assert (read.title, read.locked) == ("Chain Bridge", False)
    (post,) = read.posts
    assert (post.edited.by, post.edited.at) == ("Kestrel Vane", datetime(2026, 11, 30, 1, 28, 33, tzinfo=UTC))


def test_phpbb_asks_for_the_password_of_a_forum():
    html = (
        '<html><body id="phpbb"><form id="login_forum" method="post" action="./viewtopic.php?t=4">'
        '<input type="password" name="password" /></form></body></html>'
    )
    read = phpbb.read_page(page("http://forum.example/viewtopic.php?t=4", html), ReadOptions())
    assert read.kind == "login"


@pytest.mark.parametrize(
    ("topic", "following", "user", "post"),
    [
        ("/topic/30/", "/topic/30/page/3/", "/user/3/", "/post/34/"),
        ("/topic/30/chain-bridge/", "/topic/30/chain-bridge/page/3/", "/user/3/", "/post/34/"),
        ("/topic30.html", "/topic30-p3.html", "/user3.html", "/post34.html"),
        ("/topic30-chain-bridge.html", "/topic30-chain-bridge-p3.html", "/user3.html", "/post34.html"),
    ],
)
def test_punbb_14_with_friendly_addresses(topic, following, user, post):
    html = PUNBB_14.replace("/viewtopic.php?id=30&amp;p=3", following).replace("/viewtopic.php?id=30", topic)
    html = html.replace("/profile.php?id=3", user).replace("/viewtopic.php?pid=34", post)
    for address in (topic, post):
        read = fluxbb.read_page(page("http://p.example" + address, html), ReadOptions())
        assert (read.kind, read.thread_id, read.page_urls[0]) == ("thread", "30", "http://p.example" + topic)
        assert read.next_url == "http://p.example" + following
        assert [(found.id, found.author_id, found.permalink) for found in read.posts] == [
            ("34", "3", "http://p.example/viewtopic.php?pid=34#p34")
        ]


def test_mybb_print_views_lead_to_the_thread():
    html = (
        '<html><body><a href="index.php">Arena</a><span class="largetext"><a href="showthread.php?tid=7">Bridge</a>'
        ' - Printable Version</span><div class="multipage">Pages: <strong>1</strong>'
        ' <a href="printthread.php?tid=7&amp;page=2">2</a></div><hr /><strong>Bridge</strong> - Ren</body></html>'
    )
    made = page("http://m.example/printthread.php?tid=7", html)
    assert mybb.marks(made) >= 50
    walk = mybb.thread(made.url, made, ReadOptions())
    assert next(walk).url == "http://m.example/showthread.php?tid=7"


def test_unknown_skin_of_a_known_engine_is_read_by_permalinks():
    html = (DATA / "phpbb-strange-skin.html").read_text(encoding="utf-8")
    read = phpbb.read_page(page("http://forum.example/viewtopic.php?t=3", html), ReadOptions())
    assert [(post.id, post.author, post.author_id, own(post)) for post in read.posts] == [
        ("7", "Ilse", "9", [("own", "First [Damage: 8 x2]")]),
        ("8", "Tarn", "8", [("own", "Second")]),
    ]
    assert "unknown skin: posts were read by their permalinks, edit notices may be missing" in read.problems


def test_selectors_can_be_overridden_for_a_changed_skin():
    html = PHPBB_30.replace('class="content"', 'class="saying"')
    made = page("http://forum.example/viewtopic.php?t=30&start=10", html)
    strange = phpbb.read_page(made, ReadOptions())
    assert strange.kind == "unknown" and strange.problems[0] == "unknown skin: 2 posts, but no body in any"
    read = phpbb.read_page(made, ReadOptions(selectors={"body": "div.saying"}))
    assert own(read.posts[1]) == [("own", "Hello.")] and not any("no body" in line for line in read.problems)


def test_nodebb_without_its_data_is_read_by_its_elements():
    html = (DATA / "nodebb-elements.html").read_text(encoding="utf-8")
    made = page("http://n.example/topic/30/x?page=2", html)
    read = nodebb.read_page(made, ReadOptions())
    first, second = read.posts
    assert (first.id, first.author, first.author_id, first.number) == ("54", "Kestrel Vane", "2", 21)
    assert first.at == datetime(2026, 11, 20, 8, 48, 28, tzinfo=UTC) and first.edited.by == "bram"
    assert own(first) == [("own", "Mine."), ("signature", "sig")]
    assert second.deleted == NOW and second.blocks == () and second.author_id is None


def test_subsilver2_by_its_anchors():
    html = (DATA / "phpbb-subsilver2.html").read_text(encoding="utf-8")
    read = phpbb.read_page(page("http://forum.example/viewtopic.php?f=3&t=30", html), ReadOptions())
    first, second = read.posts
    assert (first.id, first.author, own(first)[0]) == ("41", "Kestrel Vane", ("own", "Short."))
    assert [kind for kind, _ in own(first)] == ["own", "signature"]
    assert (second.id, second.author, own(second)) == ("42", "Bram Oduya", [("own", "Second.")])
    assert first.at == datetime(2026, 11, 12, 18, 20, tzinfo=UTC) and read.title == "Roofs"
