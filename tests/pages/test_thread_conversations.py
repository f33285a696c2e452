"""Whole threads through the asking generators, answered from saved pages and by hostile boards."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from referee.ports.boards import Page, ReadOptions, ThreadPage
from scrapers.boards import flaskbb, fluxbb, mybb, nodebb, phpbb, smf
from scrapers.boards.thread import MOST_PAGES, Paths, read_thread

OPTIONS = ReadOptions()


def converse(board, url, answer, first=None):
    """Read a thread; `answer` gives a page for each address asked for. Returns the thread and the addresses."""
    asked = []
    reading = board.thread(url, first, OPTIONS)
    try:
        wish = next(reading)
        while True:
            asked.append(wish.url)
            assert len(asked) < 200, "the reader does not come to an end"
            wish = reading.send(answer(wish.url))
    except StopIteration as end:
        return end.value, asked


def answers(board, capture, folder, files):
    """Answers from saved pages, whatever spelling of their addresses is asked for."""
    saved = {}
    for file in files:
        page = capture(folder, file)
        read = board.read_page(page, OPTIONS)
        saved[board.canonical(read.url or page.url)] = page
        saved.setdefault(board.canonical(page.url), page)

    def answer(url):
        key = board.canonical(url)
        if key not in saved and key + "?page=1" in saved:
            key += "?page=1"
        return saved.get(key) or Page(
            url, b"<html><body>gone</body></html>", 404, {}, datetime(2026, 11, 30, tzinfo=UTC)
        )

    return answer


def known_ids(truth, folder, thread):
    return [str(post["id"]) for post in truth(folder)["threads"][thread]["posts"]]


def test_whole_threads_from_their_first_address(whole_thread, board, capture, truth):
    folder, thread, variant, files = whole_thread
    reader = board(folder.split("-")[0])
    url = truth(folder)["threads"][thread]["url"]
    read, asked = converse(reader, url, answers(reader, capture, folder, files))
    standing = [post.id for post in read.posts if post.deleted is None]
    assert read.kind == "thread" and standing == known_ids(truth, folder, thread)
    assert read.complete, read.problems
    assert len(asked) == len(files)
    assert read.title == truth(folder)["threads"][thread]["title"]
    assert reader.canonical(read.url) == reader.canonical(url) or folder.startswith("nodebb")


MIDDLE = [
    ("phpbb-3.3.10", phpbb.BOARD, "guest/battle-p3.html"),
    ("phpbb-3.3.10", phpbb.BOARD, "guest/permalink-p.html"),
    ("phpbb-3.3.10", phpbb.BOARD, "guest/permalink-deleted.html"),
    ("phpbb-3.3.10", phpbb.BOARD, "user/unread.html"),
    ("phpbb-3.3.10", phpbb.BOARD, "guest/battle-p2-with-f.html"),
    ("phpbb-3.3.10", phpbb.BOARD, "guest/battle-beyond-last.html"),
    ("smf-2.1.4", smf.BOARD, "guest/permalink-msg.html"),
    ("smf-2.1.4", smf.BOARD, "guest/battle-new.html"),
    ("smf-2.1.4", smf.BOARD, "guest/battle-p4-past-the-end.html"),
    ("smf-2.1.4", smf.BOARD, "guest/battle-beyond-last.html"),
    ("mybb-1.8.37", mybb.BOARD, "guest/permalink-pid.html"),
    ("mybb-1.8.37", mybb.BOARD, "guest/permalink-pid-only.html"),
    ("mybb-1.8.37", mybb.BOARD, "guest/permalink-seo.html"),
    ("mybb-1.8.37", mybb.BOARD, "guest/battle-beyond-last.html"),
    ("mybb-1.8.37", mybb.BOARD, "guest/threaded.html"),
    ("fluxbb-1.5.11", fluxbb.BOARD, "guest/permalink-pid.html"),
    ("fluxbb-1.5.11", fluxbb.BOARD, "guest/battle-beyond-last.html"),
    ("flaskbb-2.2.0", flaskbb.BOARD, "guest/battle-p4.html"),
    ("flaskbb-2.2.0", flaskbb.BOARD, "guest/battle-no-slug.html"),
    ("nodebb-4.9.2", nodebb.BOARD, "guest/battle-index-21.html"),
    ("nodebb-4.9.2", nodebb.BOARD, "guest/battle-index-46.html"),
]


@pytest.mark.parametrize(("folder_", "reader", "file"), MIDDLE, ids=[f"{f}-{m}" for f, _, m in MIDDLE])
def test_a_page_from_the_middle_leads_to_the_whole_thread(shared_pages, folder_, reader, file, capture, truth):
    pages = truth(folder_)["threads"]["battle"]["pages"]
    viewer = file.split("/")[0]
    first = capture(folder_, file)
    read, asked = converse(reader, first.url, answers(reader, capture, folder_, pages[viewer]), first)
    assert [post.id for post in read.posts if post.deleted is None] == known_ids(truth, folder_, "battle")
    assert read.complete, read.problems
    assert len(asked) <= len(pages[viewer])


def test_newest_first_is_turned_round(shared_pages, capture, truth):
    first = capture("phpbb-3.3.10", "guest/battle-p1-desc.html")
    read = phpbb.BOARD.read_page(first, OPTIONS)
    known = known_ids(truth, "phpbb-3.3.10", "battle")
    assert [post.id for post in read.posts] == known[::-1][:10]
    one_page = Page(
        first.url, first.body.replace(b"45 posts", b"10 posts").replace(b"pagination", b"nothing"), 200, {}, None
    )
    whole, _ = converse(phpbb.BOARD, first.url, lambda url: one_page, one_page)
    assert [post.id for post in whole.posts] == known[-10:]


@pytest.mark.parametrize(
    ("folder_", "reader", "first", "second"),
    [
        ("phpbb-3.3.10", phpbb.BOARD, "guest/battle-p1.html", "guest/battle-p1-second-visit.html"),
        ("smf-2.1.4", smf.BOARD, "guest/battle-p1.html", "guest/battle-p1-second-visit.html"),
        ("smf-2.1.4", smf.BOARD, "guest/battle-p3.html", "guest/battle-p3-second-visit.html"),
        ("smf-2.1.4", smf.BOARD, "guest/battle-p1.html", "guest/battle-p1-queryless.html"),
        ("mybb-1.8.37", mybb.BOARD, "guest/battle-p1.html", "guest/battle-p1-second-visit.html"),
        ("mybb-1.8.37", mybb.BOARD, "guest/battle-p2.html", "guest/battle-p2-classic.html"),
        ("mybb-1.8.37", mybb.BOARD, "guest/battle-p2.html", "guest/battle-p2-seo.html"),
    ],
)
def test_a_second_visit_gives_identical_posts(shared_pages, folder_, reader, first, second, capture):
    def posts(file):
        read = reader.read_page(capture(folder_, file), OPTIONS)
        return [(p.id, p.author, p.author_id, p.blocks, p.permalink, p.number, p.edited) for p in read.posts], read

    (one, read_one), (two, read_two) = posts(first), posts(second)
    assert one == two
    assert reader.canonical(read_one.url) == reader.canonical(read_two.url)
    assert [reader.canonical(url) for url in read_one.page_urls] == [
        reader.canonical(url) for url in read_two.page_urls
    ]


OTHER_PAGES = {
    "phpbb-3.3.10": {
        "unknown": [
            "guest/index.html",
            "guest/forum-p1.html",
            "guest/print.html",
            "guest/search-author.html",
            "user/reply-form.html",
        ],
        "login": ["guest/members-thread.html", "guest/members-forum-de.html", "guest/login.html"],
        "missing": ["guest/404-topic.html", "guest/404-topic-de.html", "user/404-topic.html", "guest/404-file.html"],
    },
    "smf-2.1.4": {
        "unknown": [
            "guest/index.html",
            "guest/forum-p1.html",
            "guest/print.html",
            "guest/recent.html",
            "user/reply-form.html",
        ],
        "login": ["guest/members-thread.html", "guest/members-forum-de.html", "guest/login.html"],
        "missing": ["guest/404-topic.html", "guest/404-topic-de.html", "user/404-topic.html"],
        "empty": ["guest/battle-beyond-last.html", "user/battle-p4-past-the-end.html"],
    },
    "mybb-1.8.37": {
        "unknown": [
            "guest/index.html",
            "guest/forum-p1.html",
            "guest/print.html",
            "guest/archive-thread.html",
            "user/reply-form.html",
        ],
        "login": ["guest/members-thread.html", "guest/members-forum-de.html", "guest/login.html"],
        "missing": [
            "guest/404-thread.html",
            "guest/404-thread-de.html",
            "user/404-thread.html",
            "guest/permalink-deleted.html",
        ],
    },
    "fluxbb-1.5.11": {
        "unknown": [
            "guest/index.html",
            "guest/forum-p1.html",
            "guest/search-user.html",
            "user/reply-form.html",
            "admin/moderate-topic.html",
        ],
        "login": ["guest/login.html"],
        "missing": ["guest/404-topic.html", "guest/members-thread.html", "guest/permalink-deleted.html"],
    },
    "flaskbb-2.2.0": {
        "unknown": ["guest/index.html", "guest/forum-p1.html", "guest/profile-posts.html", "user/reply-form.html"],
        "login": ["guest/members-thread.html", "guest/login.html"],
        "missing": ["guest/404-topic.html", "guest/battle-beyond-last.html", "guest/permalink-deleted.html"],
    },
    "nodebb-4.9.2": {
        "unknown": ["guest/index.html", "guest/forum-p1.html", "guest/profile-posts.html", "guest/recent.html"],
        "login": ["guest/members-thread-browser.html", "guest/members-thread.txt", "guest/login.html"],
        "missing": ["guest/404-topic.txt", "guest/404-topic-browser.html"],
        "empty": ["guest/battle-beyond-last.html"],
    },
}


@pytest.mark.parametrize(
    ("folder_", "kind", "file"),
    [(folder, kind, file) for folder, kinds in OTHER_PAGES.items() for kind, files in kinds.items() for file in files],
)
def test_what_is_no_thread_page_is_told_apart(shared_pages, folder_, kind, file, board, capture):
    read = board(folder_.split("-")[0]).read_page(capture(folder_, file), OPTIONS)
    assert (read.kind, read.posts) == (kind, ())
    if kind == "empty":
        assert "a thread page without any post" in read.problems


def test_every_capture_that_is_no_thread_gives_no_posts(folder, board, capture, truth):
    reader = board(folder.split("-")[0])
    threads = {file for t in truth(folder)["threads"].values() for file in flat_files(t["pages"])}
    known = {str(post["id"]) for t in truth(folder)["threads"].values() for post in t["posts"] + t["removed_posts"]}
    for entry in truth(folder)["captures"]:
        file = entry["file"]
        if not file.endswith((".html", ".txt")) or file in threads:
            continue
        read = reader.read_page(capture(folder, file), OPTIONS)
        assert {post.id for post in read.posts} <= known
        if read.kind == "thread":
            assert any(word in file for word in ("battle", "permalink", "unread", "threaded", "imode", "wap2", "print"))
            assert "print" not in file or folder.startswith("nodebb")


def flat_files(pages):
    return pages if isinstance(pages, list) else [file for files in pages.values() for file in files]


def test_deleted_posts_that_the_page_shows(shared_pages, capture):
    stub = mybb.BOARD.read_page(capture("mybb-1.8.37", "user/battle-p3.html"), OPTIONS).posts
    (gone,) = [post for post in stub if post.deleted]
    assert (gone.id, gone.author, gone.blocks, gone.at) == ("54", "Ilse Marrow", (), None)
    soft = phpbb.BOARD.read_page(capture("phpbb-3.3.10", "admin/battle-p3-moderator.html"), OPTIONS).posts
    assert [(post.id, post.blocks) for post in soft if post.deleted] == [("55", ())]
    listed = nodebb.BOARD.read_page(capture("nodebb-4.9.2", "guest/battle-p2.html"), OPTIONS)
    assert [(post.id, post.blocks) for post in listed.posts if post.deleted] == [("55", ())]
    assert listed.posts_stated == 46


# --- boards that answer oddly ----------------------------------------------------------------------


def fluxbb_page(url, ids, pager=""):
    posts = "".join(
        f'<div id="p{n}" class="blockpost"><h2><span><span class="conr">#{n}</span> '
        f'<a href="viewtopic.php?pid={n}#p{n}">2026-11-12 18:20:0{n % 10}</a></span></h2>'
        '<div class="postleft"><dl><dt><strong>A</strong></dt></dl></div><div class="postmsg"><p>x</p></div></div>'
        for n in ids
    )
    html = f'<div id="punviewtopic"><p class="pagelink">{pager}</p>{posts}</div>'
    return Page(url, html.encode(), 200, {}, datetime(2026, 11, 30, tzinfo=UTC))


def test_a_pager_in_a_circle_ends():
    link = '<strong>1</strong> <a rel="next" href="viewtopic.php?id=3&amp;p=2">2</a>'
    pages = {"http://f.example/viewtopic.php?id=3": fluxbb_page("http://f.example/viewtopic.php?id=3", [1, 2], link)}

    def answer(url):
        return pages.get(url) or fluxbb_page(url, [1, 2], link)

    read, asked = converse(fluxbb.BOARD, "http://f.example/viewtopic.php?id=3", answer)
    assert [post.id for post in read.posts] == ["1", "2"] and len(asked) == 2
    assert not read.complete


def test_a_page_that_fails_makes_the_thread_incomplete():
    link = '<strong>1</strong> <a rel="next" href="viewtopic.php?id=3&amp;p=2">2</a>'

    def answer(url):
        if url.endswith("p=2"):
            return Page(url, b"<h1>Bad gateway</h1>", 502, {}, None)
        return fluxbb_page(url, [1, 2], link)

    read, _ = converse(fluxbb.BOARD, "http://f.example/viewtopic.php?id=3", answer)
    assert read.kind == "thread" and len(read.posts) == 2
    assert not read.complete and read.down and any("page is down" in line for line in read.problems)


def test_an_endless_thread_is_stopped():
    def read_page(page, options):
        number = int(page.url.rsplit("=", 1)[-1])
        posts = fluxbb.BOARD.read_page(fluxbb_page("http://f.example/viewtopic.php?id=3", [number]), options).posts
        return ThreadPage("thread", posts, next_url=f"http://f.example/t?p={number + 1}", page_number=number)

    reading = read_thread(Paths(read_page, lambda url: url, lambda url: None), "http://f.example/t?p=1", None, OPTIONS)
    wish, count = next(reading), 0
    try:
        while True:
            count += 1
            wish = reading.send(Page(wish.url, b""))
    except StopIteration as end:
        assert count == MOST_PAGES and not end.value.complete
        assert any("stopped after" in line for line in end.value.problems)


def test_the_boards_own_count_is_checked(shared_pages, capture):
    page = capture("phpbb-3.3.10", "guest/short.html")
    more = Page(page.url, page.body.replace(b"3 posts", b"4 posts"), 200, page.headers, page.fetched_at)
    read, _ = converse(phpbb.BOARD, page.url, lambda url: more)
    assert len(read.posts) == 3 and not read.complete
    assert "3 posts read, the board counts 4" in read.problems


CHALLENGES = [
    (403, {"cf-mitigated": "challenge"}, b"<title>Just a moment...</title>"),
    (503, {}, b'<form id="challenge-form" action="/cdn-cgi/challenge-platform/x"></form>'),
    (200, {}, b'<script src="/.well-known/ddos-guard/js-challenge/index.js"></script>'),
    (202, {"X-AMZN-WAF-Action": "challenge"}, b""),
    (200, {}, b'<script src="/aes.js"></script><script>document.cookie = slowAES.decrypt(c, 2, a, b)</script>'),
    (200, {}, b'<html><script src="/_Incapsula_Resource?SWJIYLWA=7"></script><body></body></html>'),
    (403, {}, b"<h1>wait</h1>" * 400 + b'<iframe src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=4"></iframe>'),
]


@pytest.mark.parametrize(("status", "headers", "body"), CHALLENGES)
@pytest.mark.parametrize("reader", [phpbb.BOARD, smf.BOARD, mybb.BOARD, fluxbb.BOARD, flaskbb.BOARD, nodebb.BOARD])
def test_bot_checks_are_no_missing_threads(reader, status, headers, body):
    urls = {
        "phpbb": "viewtopic.php?t=3",
        "smf": "index.php?topic=3.0",
        "mybb": "showthread.php?tid=3",
        "fluxbb": "viewtopic.php?id=3",
        "flaskbb": "topic/3",
        "nodebb": "topic/3/x",
    }
    url = "http://f.example/" + urls[reader.name]
    read, _ = converse(reader, url, lambda asked: Page(asked, body, status, headers))
    assert read.kind == "challenge" and read.posts == () and not read.complete


def test_a_guards_own_scripts_on_a_boards_page_are_no_bot_check():
    """Guards put them into every page, also into one that says that there is no such thread, or no page at all."""
    scripts = (
        b"<script>a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'</script>"
        b'<script src="/cdn-cgi/challenge-platform/h/g/scripts/alpha/invisible.js"></script>'
        b'<script src="/_Incapsula_Resource?SWJIYLWA=7&ns=2"></script>'
    )
    body = b"<html><body id=phpbb>" + b"<p>Nothing to see.</p>" * 200 + scripts
    for status, kind in ((404, "missing"), (503, "down"), (401, "login")):
        page = Page("http://f.example/viewtopic.php?t=3", body, status)
        assert phpbb.BOARD.read_page(page, OPTIONS).kind == kind


def test_words_of_a_bot_check_inside_a_post_do_not_matter():
    page = fluxbb_page("http://f.example/viewtopic.php?id=3", [1])
    body = page.body.replace(b"<p>x</p>", b"<p>cf-browser-verification /cdn-cgi/challenge-platform/ login form</p>")
    assert fluxbb.BOARD.read_page(Page(page.url, body), OPTIONS).kind == "thread"


ADDRESSES = [
    (
        phpbb.BOARD,
        "http://f.e/b/viewtopic.php?f=3&t=30&sid=0123456789abcdef0123456789abcdef&start=20#p41",
        "http://f.e/b/viewtopic.php?t=30&start=20",
    ),
    (phpbb.BOARD, "http://f.e/viewtopic.php?p=41&hilit=x#p41", "http://f.e/viewtopic.php?p=41"),
    (
        smf.BOARD,
        "http://f.e/index.php?PHPSESSID=0123456789abcdef0123;topic=30.15;wap2",
        "http://f.e/index.php?topic=30.15",
    ),
    (smf.BOARD, "http://f.e/index.php/topic,30.msg41.html#msg41", "http://f.e/index.php?topic=30.msg41"),
    (smf.BOARD, "http://f.e/smf/?topic=30", "http://f.e/smf/index.php?topic=30.0"),
    (mybb.BOARD, "http://f.e/thread-29-page-3.html", "http://f.e/showthread.php?tid=29&page=3"),
    (mybb.BOARD, "http://f.e/showthread.php?tid=29&page=1", "http://f.e/showthread.php?tid=29"),
    (
        mybb.BOARD,
        "http://f.e/showthread.php?mode=linear&tid=29&pid=58#pid58",
        "http://f.e/showthread.php?tid=29&pid=58",
    ),
    (fluxbb.BOARD, "http://f.e/viewtopic.php?id=30&p=1", "http://f.e/viewtopic.php?id=30"),
    (fluxbb.BOARD, "http://f.e/viewtopic.php?pid=41#p41", "http://f.e/viewtopic.php?pid=41"),
    (flaskbb.BOARD, "http://f.e/topic/30-words?page=2", "http://f.e/topic/30?page=2"),
    (nodebb.BOARD, "http://f.e/topic/30/words?page=2&lang=en-GB", "http://f.e/topic/30/words?page=2"),
]


@pytest.mark.parametrize(("reader", "url", "wanted"), ADDRESSES)
def test_canonical_addresses(reader, url, wanted):
    assert reader.canonical(url) == wanted
    assert reader.canonical(wanted) == wanted
