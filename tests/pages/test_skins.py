"""Themes and styles that put the parts of a post elsewhere, in the structure that decides."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards import flaskbb, fluxbb, mybb, nodebb, phpbb, smf

NOW = datetime(2026, 11, 30, 2, 10, tzinfo=UTC)


def page(url, html):
    return Page(url, html.encode(), 200, {"Content-Type": "text/html; charset=UTF-8"}, NOW)


def read(board, url, html, **options):
    return board.read_page(page(url, html), ReadOptions(**options))


def own(post):
    return [(block.kind, block.text) for block in post.blocks]


# --- SMF ---------------------------------------------------------------------------------------------


def core_post(number, user, name, date, body, edit=""):
    who = f'<a href="index.php?action=profile;u={user}" title="View {name}">{name}</a>' if user else name
    return f"""<div class="bordercolor"><a id="msg{number}"></a><div class="clearfix windowbg">
      <div class="floatleft poster"><h4>{who}</h4></div><div class="postarea"><div class="keyinfo">
      <h5 id="subject_{number}"><a href="index.php?topic=9.msg{number}#msg{number}">May 5, 2020</a></h5>
      <div class="smalltext">« <strong>Reply #{number} on:</strong> {date} »</div></div>
      <div class="post"><div class="inner" id="msg_{number}">{body}</div></div>
      <div class="moderatorbar"><div class="smalltext" id="modified_{number}">{edit}</div>
      <div class="signature" id="msg_{number}_signature">SIG {name}</div></div></div></div></div>"""


CHANGE = "« <em>Last Edit: September 15, 2026, 11:41:49 am by Tarn</em> »"
CORE = f"""<html><head><title>Roofs</title></head><body>
<div class="middletext">Pages: [<strong class="currentPage">1</strong>]
<a class="navPages" href="index.php?topic=9.15">2</a> <a class="navPages" href="index.php?topic=9.30">3</a></div>
<div id="forumposts"><h3><span id="top_subject">Topic: Roofs (Read 83 times)</span></h3><form>
{core_post(1, 2, "Ilse", "September 12, 2026, 01:28:21 am", "First.")}
{core_post(2, 0, "Stranger", "September 14, 2026, 02:30:02 am", "Second.", CHANGE)}
</form></div></body></html>"""


def test_smf_core_theme():
    shown = read(smf, "http://f.example/index.php?topic=9.0", CORE)
    first, second = shown.posts
    assert (shown.title, shown.page_number, shown.page_count) == ("Roofs", 1, 3)
    assert shown.next_url == "http://f.example/index.php?topic=9.15"
    assert (first.author, first.author_id, second.author, second.author_id) == ("Ilse", "2", "Stranger", None)
    assert (first.at, second.at) == (
        datetime(2026, 9, 12, 1, 28, 21, tzinfo=UTC),
        datetime(2026, 9, 14, 2, 30, 2, tzinfo=UTC),
    )
    assert first.edited is None and second.edited.by == "Tarn"
    assert second.edited.at == datetime(2026, 9, 15, 11, 41, 49, tzinfo=UTC)
    assert own(first) == [("own", "First."), ("signature", "SIG Ilse")]


def test_smf_core_theme_with_one_post():
    alone = CORE.split('<div class="bordercolor"><a id="msg2">')[0] + "</form></div></body></html>"
    (post,) = read(smf, "http://f.example/index.php?topic=9.0", alone).posts
    assert (post.author, post.author_id, own(post)) == ("Ilse", "2", [("own", "First."), ("signature", "SIG Ilse")])


def test_smf_theme_with_name_and_date_on_one_line():
    html = """<html><body><div class="pagelinks">[<strong>1</strong>]</div><form>
    <div class="post_wrapper"><div class="keyinfo"><a href="index.php?action=profile;u=2">May 3 Day</a>
     on September 12, 2026, 01:28:21 am</div><div class="inner" id="msg_1">First.</div></div>
    <div class="post_wrapper"><div class="keyinfo">June 1 Guest on September 14, 2026, 02:30:02 am</div>
     <div class="inner" id="msg_2">Second.</div></div></form></body></html>"""
    shown = read(smf, "http://f.example/index.php?topic=9.0", html)
    first, second = shown.posts
    assert (first.author, first.author_id) == ("May 3 Day", "2")
    assert first.at == datetime(2026, 9, 12, 1, 28, 21, tzinfo=UTC)
    # What of the second line is the name and what the date, nobody can tell.
    assert (second.author, second.at) == ("", None)
    assert shown.problems == ("post 2: no author found", "post 2: time not read")


def test_smf_theme_with_a_bare_time_element():
    html = CORE.replace('<div class="smalltext">« <strong>Reply', "<time>« <strong>Reply").replace(
        "am »</div>", "am »</time>"
    )
    first = read(smf, "http://f.example/index.php?topic=9.0", html).posts[0]
    assert first.at == datetime(2026, 9, 12, 1, 28, 21, tzinfo=UTC)


def old_post(number, anchor, who, date, body):
    link = f'<a href="http://f.example/index.php?topic=9.msg{number}#msg{number}">'
    return f"""<tr><td>{anchor}<table><tr><td>
      {link}<img alt=""></a><div id="subject_{number}">{link}Nov 3, 2020</a></div>
      <div class="smalltext">« <b> #{number} :</b> {date} »</div>
      <div><span class="smalltext"><b>{who}</b> says:</span></div><div class="post">{body}</div></td></tr>
      <tr><td class="smalltext" id="modified_{number}"></td></tr></table></td></tr>"""


ILSE = '<a href="index.php?action=profile;u=2">Ilse</a>'
#: In the manner of SMF 1.1: tables, the first post's anchor above a poll, page links in a cell.
TABLES = f"""<html><head><title>Roofs</title></head><body><a id="msg1"></a><div>Who wins?</div>
<table><tr><td class="middletext">: [<strong>1</strong>] <a href="http://f.example/index.php?topic=9.15">2</a>
 <a href="http://f.example/index.php?topic=9.30">3</a></td></tr></table>
<form><table>
{old_post(1, "", ILSE, "September 12, 2026, 01:28:21 am", "First. <a href='http://f.example/index.php?topic=9.5'>7</a>")}
{old_post(2, '<a name="msg2"></a>', "Stranger", "September 14, 2026, 02:30:02 am", "Second.")}
</table></form></body></html>"""


def test_smf_theme_of_tables_keeps_first_post_and_guest():
    shown = read(smf, "http://f.example/index.php?topic=9.0", TABLES)
    assert [(post.id, post.author, post.author_id, post.at) for post in shown.posts] == [
        ("1", "Ilse", "2", datetime(2026, 9, 12, 1, 28, 21, tzinfo=UTC)),
        ("2", "Stranger", None, datetime(2026, 9, 14, 2, 30, 2, tzinfo=UTC)),
    ]
    assert any(line.startswith("unknown skin") for line in shown.problems)


@pytest.mark.parametrize(
    ("url", "number", "following"),
    [
        ("http://f.example/index.php?topic=9.0", 1, "http://f.example/index.php?topic=9.15"),
        ("http://f.example/index.php?topic=9.15", None, "http://f.example/index.php?topic=9.30"),
        ("http://f.example/index.php?topic=9.30", None, None),
        ("http://f.example/index.php?topic=9.msg2", None, None),
    ],
)
def test_an_unknown_pager_is_read_by_its_addresses(url, number, following):
    html = TABLES.replace('class="middletext"', 'class="strange"')
    shown = read(smf, url, html)
    assert (shown.page_number, shown.next_url, shown.page_count) == (number, following, 3)
    assert "http://f.example/index.php?topic=9.15" in shown.page_urls
    # A link in a post is none of the pager.
    assert "http://f.example/index.php?topic=9.5" not in shown.page_urls
    assert "unknown pager: pages were found by their addresses" in shown.problems


def test_a_pager_that_does_not_say_which_page_this_is():
    html = CORE.replace('<strong class="currentPage">1</strong>', "1")
    shown = read(smf, "http://f.example/index.php?topic=9.15", html)
    assert (shown.page_number, shown.page_count) == (None, 3)
    assert shown.next_url == "http://f.example/index.php?topic=9.30"


# --- phpBB -------------------------------------------------------------------------------------------


def styled(body, before="", head=""):
    return f"""<html><head><link rel="canonical" href="http://p.example/viewtopic.php?t=90"></head><body id="phpbb">
    {head}{before}{body}</body></html>"""


NOTICE = """<div class="notice">Last edited by <a href="./memberlist.php?mode=viewprofile&u=7" class="username">Tarn</a>
 on Mon Sep 28, 2026 11:41 am, edited 2 times in total.<br><strong>Reason:</strong> typo, see #4</div>"""


def boxed(number, user, name, text, more=""):
    who = f'<a href="./memberlist.php?mode=viewprofile&u={user}" class="username">{name}</a>'
    return f"""<div id="p{number}"><div class="post-content"><div class="author">by <strong>{who}</strong>
      » Sat Sep 12, 2026 1:28 am</div><h3><a href="#p{number}">Jan 1, 2020</a></h3>
      <div class="content">{text}</div>{more}<div id="sig{number}">SIG [Loss: -5]</div></div></div>"""


COUNTED = "<div><span>43 posts</span><span>Page <strong>1</strong> of <strong>5</strong></span></div>"


def test_phpbb_style_without_page_links_asks_for_the_next_page_by_its_place():
    html = styled(boxed(1, 2, "Ilse", "First.") + boxed(2, 3, "Tarn", "Second."), COUNTED)
    shown = read(phpbb, "http://p.example/viewtopic.php?t=90", html)
    assert (shown.posts_stated, shown.page_number, shown.page_count) == (43, 1, 5)
    assert shown.next_url == "http://p.example/viewtopic.php?t=90&start=2"
    last = read(phpbb, "http://p.example/viewtopic.php?t=90&start=41", html)
    assert last.next_url is None


def test_phpbb_numbers_in_a_post_are_no_count():
    said = "43 posts <strong>1</strong> <strong>5</strong>"
    shown = read(phpbb, "http://p.example/viewtopic.php?t=90", styled(boxed(1, 2, "Ilse", said)))
    assert (shown.posts_stated, shown.next_url) == (None, None)


def test_phpbb_unknown_style_keeps_byline_notice_and_signature_out_of_the_text():
    html = styled(boxed(1, 2, "Ilse", "First.", NOTICE) + boxed(2, 3, "Tarn", "Second."))
    first, second = read(phpbb, "http://p.example/viewtopic.php?t=90", html).posts
    assert own(first) == [("own", "First."), ("signature", "SIG [Loss: -5]")]
    assert (first.author, first.author_id) == ("Ilse", "2")
    assert first.at == datetime(2026, 9, 12, 1, 28, tzinfo=UTC)
    assert (first.edited.by, first.edited.count, first.edited.reason) == ("Tarn", 2, "typo, see #4")
    assert first.edited.at == datetime(2026, 9, 28, 11, 41, tzinfo=UTC) and second.edited is None


def old(number, name, user, text, more=""):
    return f"""<table class="tablebg"><tr class="row1"><td><a name="p{number}"></a><b class="postauthor">{name}</b></td>
     <td><table><tr><td class="gensmall"><div>Post subject: <a href="#p{number}">Jan 1, 2020</a></div>
     <div><a href="./viewtopic.php?p={number}#p{number}"><img alt=""></a><b>Posted:</b> Sat Sep 26, 2026 8:40 am</div>
     </td></tr></table></td></tr>
     <tr><td class="profile">Joined: Thu Sep 10, 2026 12:26 am</td><td><div class="postbody">{text}</div>
     <div class="postbody"><br>_________________<br>SIG</div>{more}</td></tr>
     <tr><td class="gensmall"><a href="./memberlist.php?mode=viewprofile&u={user}"></a></td></tr></table>"""


EDITOR = '<a href="./memberlist.php?mode=viewprofile&u=7">Tarn</a>'
CHANGED = f"Last edited by {EDITOR} on Mon Sep 28, 2026 11:41 am, edited 2 times in total."


def test_subsilver2_has_code_edits_and_author_ids():
    code = 'Mine. <div class="codetitle"><b>Code:</b></div><div class="codecontent">[Loss: -99 HP]</div>'
    table = f"""<table class="tablebg"><tr><td class="row3"><span class="gensmall">{CHANGED}</span></td></tr>
      <tr><td class="row2"><span class="genmed">typo: see #4</span></td></tr></table>"""
    html = styled(old(1, "Ilse", 2, code, table) + old(2, "Bram", 3, "B.", f'<span class="gensmall">{CHANGED}</span>'))
    shown = read(phpbb, "http://p.example/viewtopic.php?t=90", html)
    first, second = shown.posts
    assert [block[0] for block in own(first)] == ["own", "code", "signature"]
    assert own(first)[:2] == [("own", "Mine."), ("code", "[Loss: -99 HP]")]
    assert (first.author_id, second.author_id) == ("2", "3")
    assert first.at == datetime(2026, 9, 26, 8, 40, tzinfo=UTC)
    assert (first.edited.by, first.edited.count, first.edited.reason) == ("Tarn", 2, "typo: see #4")
    assert (second.edited.by, second.edited.reason) == ("Tarn", None)
    assert not any("unknown skin" in line for line in shown.problems)


def test_phpbb_styles_with_other_elements_in_a_post():
    moved = """<h4><a href="./viewtopic.php?t=90&sid=0123456789abcdef">Roofs</a></h4>
    <div><p class="author"><a href="./viewtopic.php?p=1#p1">x</a> by <strong>
     <a href="./memberlist.php?mode=viewprofile&u=2" class="username">Ilse</a></strong>
     <time datetime="2026-09-28T09:41:49+00:00">Mon Sep 28, 2026 9:41 am</time></p></div>
    <div id="p1" class="post"><div class="postbody"><article class="content wide">First.</article></div></div>
    <div id="p2" class="post"><div class="postbody"><span class="postdate">Mon Sep 28, 2026 10:41 am</span>
     <dl class="postprofile"><dt><a href="./memberlist.php?mode=viewprofile&u=3" class="username">Tarn</a></dt></dl>
     <article class="content">Second.</article></div></div>"""
    shown = read(phpbb, "http://p.example/viewtopic.php?t=90", styled(moved))
    first, second = shown.posts
    assert (shown.title, own(first), own(second)) == ("Roofs", [("own", "First.")], [("own", "Second.")])
    assert (first.author, first.author_id, second.author) == ("Ilse", "2", "Tarn")
    assert (first.at, second.at) == (
        datetime(2026, 9, 28, 9, 41, 49, tzinfo=UTC),
        datetime(2026, 9, 28, 10, 41, tzinfo=UTC),
    )


def test_a_message_of_phpbb_is_a_missing_topic_only_by_its_status():
    html = styled('<div id="message"><p>Back soon</p></div>')
    closed = read(phpbb, "http://p.example/viewtopic.php?t=90", html)
    assert (closed.kind, closed.problems) == ("unknown", ("the board says: Back soon",))
    gone = phpbb.read_page(Page("http://p.example/viewtopic.php?t=90", html.encode(), 404), ReadOptions())
    assert gone.kind == "missing"


# --- others ------------------------------------------------------------------------------------------


def test_unknown_pagers_of_mybb_and_fluxbb():
    bits = '<div id="post_1"><div class="post_body">See <a href="showthread.php?tid=5&page=9">9</a></div></div>'
    html = f'<html><body>{bits}<i><a href="showthread.php?tid=5&page=2">2</a></i></body></html>'
    shown = read(mybb, "http://m.example/showthread.php?tid=5", html)
    assert (shown.page_number, shown.page_count) == (1, 2)
    assert shown.next_url == "http://m.example/showthread.php?tid=5&page=2"
    bits = '<div id="p1" class="blockpost"><div class="postmsg">See <a href="viewtopic.php?id=5&p=9">9</a></div></div>'
    html = f'<html><body>{bits}<i><a href="viewtopic.php?id=5&p=2">2</a></i></body></html>'
    shown = read(fluxbb, "http://x.example/viewtopic.php?id=5", html)
    assert shown.next_url == "http://x.example/viewtopic.php?id=5&p=2"


def test_unknown_pager_of_flaskbb():
    body = """<div class="topic-view"><div class="post-row" id="1"><div class="post-content" id="pid1">
      See <a href="/topic/5-x?page=9">9</a></div></div></div><nav><a href="/topic/5-x?page=2">2</a></nav>"""
    shown = read(flaskbb, "http://k.example/topic/5-x", f"<html><body>{body}</body></html>")
    assert (shown.page_number, shown.page_count) == (1, 2)
    assert shown.next_url == "http://k.example/topic/5-x?page=2"
    assert read(flaskbb, "http://k.example/topic/5-x?page=junk", f"<html><body>{body}</body></html>").page_number == 1


def test_mybb_titles_and_versions_that_posts_speak_of():
    said = '<div id="post_1"><div class="post_body">on <a href="https://mybb.com">MyBB</a> 1.8.2</div></div>'
    html = f'<html><head><title>Roofs - Page 2</title></head><body>{said}<div id="footer">MyBB</div></body></html>'
    shown = read(mybb, "http://m.example/showthread.php?tid=5", html)
    assert (shown.title, shown.engine_version) == ("Roofs - Page 2", None)
    footer = html.replace('<div id="footer">MyBB', '<div id="footer"><a>MyBB</a> 1.8.37')
    assert read(mybb, "http://m.example/showthread.php?tid=5", footer).engine_version == "1.8.37"


def test_a_post_without_author_or_body_is_told_never_left_out():
    html = styled("""<div><div id="p1"><div class="message">First.</div></div></div>
      <div id="p2"><b class="username">Tarn</b><i>»</i></div>""")
    shown = read(phpbb, "http://p.example/viewtopic.php?t=90", html)
    assert [(post.id, post.author, own(post)) for post in shown.posts] == [
        ("1", "", [("own", "First.")]),
        ("2", "Tarn", []),
    ]
    assert {"post 1: no author found", "post 2: no body found"} <= set(shown.problems)


def test_posts_that_cannot_be_told_apart_are_not_believed():
    # The first post has neither anchor nor permalink: what is around the second one's anchor holds both.
    html = styled("""<div><div><b class="username">Ilse</b><div class="message">First.</div></div>
      <div><b class="username">Tarn</b><a name="p2" id="p2"></a><div class="message">Second.</div></div></div>""")
    shown = read(phpbb, "http://p.example/viewtopic.php?t=90", html)
    assert shown.posts == () and "unknown skin: post 2 cannot be told from another one" in shown.problems


@pytest.mark.parametrize(
    ("reader", "records", "files"),
    [
        (phpbb, (phpbb.PROSILVER, phpbb.MATERIAL), ("phpbb", "phpbb_thread", "phpbb_notice")),
        (smf, (smf.CURVE, smf.CORE, smf.ONE_LINE), ("smf", "smf_clock", "smf_instead")),
        (mybb, (mybb.POSTBIT,), ("mybb",)),
        (fluxbb, (fluxbb.AIR, fluxbb.OXYGEN), ("fluxbb",)),
        (flaskbb, (flaskbb.AURORA,), ("flaskbb",)),
        (nodebb, (nodebb.HARMONY,), ("nodebb",)),
    ],
)
def test_every_selector_that_can_be_overridden_is_used(reader, records, files):
    """One that nobody looks at would be set in vain, without a word."""
    folder = Path(reader.__file__).parent
    source = "".join((folder / f"{name}.py").read_text("utf-8") for name in files)
    for key in {key for record in records for key in record}:
        assert re.search(rf'"{key}"(?: if |\])', source), key


def test_a_mybb_title_stands_where_the_skin_says():
    html = '<head><title>Board - Duel</title></head><h1 class="own">Duel</h1>' + (
        '<div class="post" id="post_9"><span class="largetext">Ren</span><p class="post_body" id="pid_9">Hi</p></div>'
    )
    page = Page("http://m.example/showthread.php?tid=7", html.encode())
    assert mybb.read_page(page, ReadOptions()).title == "Board - Duel"
    assert mybb.read_page(page, ReadOptions(selectors={"title": "h1.own"})).title == "Duel"
