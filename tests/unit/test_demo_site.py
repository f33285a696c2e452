"""The sample site: what its board and its dice log answer, on the first and on the second visit."""

import http.client
import json
import re
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from fractions import Fraction
from math import ceil

import pytest
from selectolax.lexbor import LexborHTMLParser

from referee.demo import DemoSite
from referee.demo.content import BATTLES, sample_board
from referee.demo.markup import body_html
from referee.demo.pages import board_date
from referee.ports.boards import Page, ReadOptions
from scrapers.boards.phpbb import BOARD

LINK = re.compile(r"\[url=dice:(\d+)\](\d+)\[/url\]")


@pytest.fixture
def site():
    with DemoSite(sample_board().second) as served:
        yield served


def get(url: str) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers; a 404 is an answer too."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), dict(error.headers)


def posts_of(site: DemoSite, ruleset: str) -> list:
    """The posts of a thread as selectolax nodes, page by page along the next links."""
    found, url = [], site.threads[ruleset]
    while url:
        tree = LexborHTMLParser(get(url)[1])
        found += tree.css("div.post")
        following = tree.css_first("li.arrow.next a[rel=next]")
        url = following and site.board_url + following.attributes["href"].removeprefix("./")
    return found


def test_every_rule_system_has_a_thread(site):
    assert tuple(site.threads) == BATTLES
    index = LexborHTMLParser(get(site.board_url)[1])
    assert len(index.css("a.topictitle")) == len(BATTLES)
    for url in site.threads.values():
        status, body, headers = get(url)
        assert status == 200
        assert headers["Content-Type"] == "text/html; charset=UTF-8"
        tree = LexborHTMLParser(body)
        assert tree.css_first("body#phpbb.section-viewtopic")
        assert not tree.css("script")


def test_both_sites_are_on_loopback_only(site):
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", site.board_url)
    for server in site._servers:
        assert server.server_address[0] == "127.0.0.1"


def test_the_shinobi_thread_has_three_pages_of_ten(site):
    sizes = []
    for start in (0, 10, 20):
        tree = LexborHTMLParser(get(f"{site.threads['shinobi']}&start={start}")[1])
        sizes.append(len(tree.css("div.post")))
        assert tree.css_first("div.pagination").text().split()[:2] == ["21", "posts"]
    assert sizes == [10, 10, 1]


@pytest.mark.parametrize("start", ["999", "-5", "x", "9" * 30, "\u0663"])
def test_odd_offsets_are_answered(site, start):
    status, body, _ = get(f"{site.threads['shinobi']}&start={urllib.request.quote(start)}")
    assert status == 200
    assert LexborHTMLParser(body).css("div.post")


def test_a_post_s_address_leads_to_its_page(site):
    tree = LexborHTMLParser(get(f"{site.board_url}viewtopic.php?p=117")[1])
    assert tree.css_first("#p117")
    assert tree.css_first("#p117 p.author a").attributes["href"] == "./viewtopic.php?p=117#p117"


@pytest.mark.parametrize("path", ["viewtopic.php?t=99", "viewtopic.php", "viewtopic.php?p=1", "memberlist.php", "../x"])
def test_what_is_not_there_is_404(site, path):
    status, body, _ = get(site.board_url + path)
    assert status == 404
    assert b"does not exist" in body


@pytest.mark.parametrize(
    "target", ["//[", "/viewtopic.php?t=11&start=%00", "/" + "x" * 5000, "/viewtopic.php?" + "t=1&" * 2000]
)
def test_odd_addresses_are_answered_in_good_order(site, target, capfd):
    host, port = site._servers[0].server_address
    asking = http.client.HTTPConnection(host, port, timeout=10)
    asking.putrequest("GET", target, skip_host=True)
    asking.endheaders()
    assert asking.getresponse().status in {200, 400, 404}
    asking.close()
    assert "Traceback" not in capfd.readouterr().err


def test_sheets_and_tables_can_be_changed_without_harm(site):
    site.sheets()["shinobi"][0]["stats"]["Speed"] = 1
    site.tables()["shinobi"]["weapons"].clear()
    assert site.sheets()["shinobi"][0]["stats"]["Speed"] == 140
    assert site.tables()["shinobi"]["weapons"]


def test_the_dice_log_answers_json_and_404(site):
    status, body, headers = get(site.dice_url + "1101")
    assert (status, headers["Content-Type"]) == (200, "application/json")
    assert json.loads(body) == {
        "dice": "1d100",
        "results": [71],
        "time": "2025-03-06T18:39:40Z",
        "roller": "Shigure Taka",
        "reason": "dodge",
    }
    assert get(site.dice_url + "1")[0] == 404
    assert get(site.dice_url + "../roll/1101")[0] == 404
    assert re.fullmatch(site.dice_url_pattern, site.dice_url + "1101").group("id") == "1101"
    assert site.dice_service()["url_pattern"] == site.dice_url_pattern


def test_time_stands_still_between_the_visits(site):
    board = sample_board()
    for moment in (board.first, board.second):
        assert parsedate_to_datetime(get(site.board_url)[2]["Date"]) == moment
        site.advance()


def test_by_default_the_second_visit_is_now():
    with DemoSite() as site:
        first = parsedate_to_datetime(get(site.board_url)[2]["Date"])
        site.advance()
        second = parsedate_to_datetime(get(site.board_url)[2]["Date"])
        record = json.loads(get(site.dice_url + "1101")[1])
    now = datetime.now(UTC)
    assert timedelta(0) <= now - second < timedelta(minutes=2)
    assert now - first < timedelta(days=1)
    plain = sample_board()
    assert datetime.fromisoformat(record["time"]) - plain.threads[0].rolls[0].time == second - plain.second


def test_the_second_visit_meets_an_edit_a_deletion_and_answers(site):
    before = {node.attributes["id"]: node for node in posts_of(site, "shinobi")}
    site.advance()
    after = {node.attributes["id"]: node for node in posts_of(site, "shinobi")}
    assert set(before) - set(after) == {"p112"}
    assert set(after) - set(before) == {"p122", "p123", "p124"}
    assert "(HP: -16 |" in before["p117"].css_first(".content").text()
    assert before["p117"].css_first(".notice") is None
    assert "(HP: -8 |" in after["p117"].css_first(".content").text()
    notice = " ".join(after["p117"].css_first(".notice").text().split())
    assert notice.startswith("Last edited by quietrain on Thu Mar 20, 2025 8:05 pm, edited 1 time in total.")
    assert notice.endswith("Reason: typo")


def test_a_signature_looks_like_a_loss_tag(site):
    post = next(node for node in posts_of(site, "shinobi") if node.attributes["id"] == "p103")
    assert "(HP: -99 | Chakra: -0" in post.css_first(".signature").text()
    assert "-99" not in post.css_first(".content").text()


def test_quotes_code_and_roll_links_become_markup(site):
    posts = {node.attributes["id"]: node for node in posts_of(site, "shinobi")}
    quote = posts["p105"].css_first("blockquote")
    assert quote.css_first("cite a[data-post-id]").attributes["data-post-id"] == "104"
    assert "(HP: -0" in posts["p113"].css_first(".codebox code").text()
    link = posts["p106"].css_first("a.postlink")
    assert (link.text(), link.attributes["href"]) == ("71", site.dice_url + "1101")


def test_markup_escapes_what_it_does_not_know():
    shown = body_html("[x] <b> & [code]<i>[b]x[/b]</i>[/code]", lambda roll: roll, lambda author, post: "")
    assert shown.startswith("[x] &lt;b&gt; &amp; <div")
    assert "<code>&lt;i&gt;[b]x[/b]&lt;/i&gt;</code>" in shown


@pytest.mark.parametrize(("hour", "words"), [(0, "12:05 am"), (9, "9:05 am"), (12, "12:05 pm"), (23, "11:05 pm")])
def test_dates_are_written_in_english(hour, words):
    moment = sample_board().first.replace(hour=hour, minute=5)
    assert board_date(moment) == f"Thu Mar 20, 2025 {words}"


# The data files


@pytest.mark.parametrize("thread", sample_board().threads, ids=lambda thread: thread.ruleset)
def test_every_slip_is_of_a_post_that_is_there(thread):
    posts = {post.id: post for post in thread.posts}
    assert 2 <= len(thread.planted) <= 3
    for slip in thread.planted:
        assert slip["why"]
        assert slip["post"] in posts
        assert slip["character"] in {sheet["name"] for sheet in thread.characters}


@pytest.mark.parametrize("thread", sample_board().threads, ids=lambda thread: thread.ruleset)
def test_posts_are_in_order_and_their_authors_have_accounts(thread):
    board = sample_board()
    assert [int(post.id) for post in thread.posts] == sorted({int(post.id) for post in thread.posts})
    assert [post.at for post in thread.posts] == sorted(post.at for post in thread.posts)
    assert {post.author for post in thread.posts} <= set(board.accounts)
    assert all(post.at.tzinfo is UTC or post.at.utcoffset().total_seconds() == 0 for post in thread.posts)
    assert {sheet["player"] for sheet in thread.characters} <= {post.author for post in thread.posts}


@pytest.mark.parametrize("thread", sample_board().threads, ids=lambda thread: thread.ruleset)
def test_rolls_are_linked_once_and_fit_but_for_the_slips(thread):
    rolls = {roll.id: roll for roll in thread.rolls}
    linked: dict[str, str] = {}
    for post in thread.posts:
        for number, value in LINK.findall(post.text):
            assert number not in linked
            linked[number] = post.id
            odd = {slip["code"] for slip in thread.planted if slip["post"] == post.id}
            if number not in rolls:
                assert "dice/not-found" in odd
                continue
            roll = rolls[number]
            assert roll.results == (int(value),) or "dice/values" in odd
            answered = [other.at for other in thread.posts if other.author != post.author and other.at < post.at]
            assert max(answered, default=roll.time) <= roll.time < post.at
    assert set(rolls) <= set(linked)


def test_the_edit_was_made_after_the_opponent_s_answer():
    board = sample_board()
    posts = {post.id: post for thread in board.threads for post in thread.posts}
    edit = posts["117"].edited
    assert posts["117"].at < board.first < posts["122"].at < edit.at < board.second
    assert LINK.findall(edit.before) == LINK.findall(posts["117"].text)


def test_the_sums_of_the_spar_hold_but_for_the_slips():
    """An own reckoning of the hits and the HP losses, by the rulebook's table of rolls."""
    thread = sample_board().threads[0]
    sheets = {sheet["player"]: sheet for sheet in thread.characters}
    attack = re.compile(r"\[Damage: (\d+) ([+-]) (\d+) = (\d+) per [\w ]+, x(\d)|= (\d+) damage\]")
    damage, wrong = 0, []
    for post in thread.posts:
        if post.author not in sheets or "(HP:" not in post.text:
            continue
        text = (post.edited and post.edited.before) or post.text
        rolls = [int(value) for _, value in LINK.findall(text)]
        negated = "Paper Double" in text or "Still Water" in text
        if "[Takes the attack]" in text:
            rolls = [2, 2]  # both hits of the attack in full
        chance = 56 if post.author == "quietrain" else 51
        due = 0 if negated else sum(_taken(roll, chance, damage) for roll in rolls)
        if due != int(re.search(r"\(HP: -(\d+)", text)[1]):
            wrong.append((post.id, due))
        damage = _dealt(attack.search(text), sheets, post.author)
    assert wrong == [("107", 7)]


def _taken(roll: int, chance: int, damage: int) -> int:
    if roll > chance:
        return 0
    return damage // 2 if roll >= chance - 4 else damage


def _dealt(found: re.Match[str] | None, sheets: dict, author: str) -> int:
    """The damage per hit as written, after its own sum and its modifier have been reckoned again."""
    if found is None:
        return 0
    if found[6]:
        return int(found[6])
    base, sign, share, total, hits = int(found[1]), found[2], int(found[3]), int(found[4]), int(found[5])
    signed = share if sign == "+" else -share
    assert base + signed == total
    mine = sheets[author]["stats"]
    theirs = next(sheet["stats"] for player, sheet in sheets.items() if player != author)
    pairs = {12: ("Ninjutsu", "Defense"), 8: ("Ninjutsu", "Defense"), 11: ("Taijutsu", "Defense")}
    if "kunai" in found[0] or "chain" in found[0]:
        pairs = dict.fromkeys((8, 12), ("Accuracy", "Dexterity"))
    modifier = Fraction(mine["Taijutsu"] // 30 * 5) if base == 5 else None
    if modifier is None:
        offense, defense = pairs[base]
        modifier = Fraction(mine[offense] - theirs[defense], 4)
    assert signed == ceil(modifier / hits), found[0]
    return total


# The board's reader


def test_the_phpbb_reader_reads_all_posts(site):
    for ruleset, url in site.threads.items():
        read = _read_thread(BOARD, url)
        shown = posts_of(site, ruleset)
        assert [f"p{post.id}" for post in read.posts] == [node.attributes["id"] for node in shown]
        assert read.complete, read.problems
        assert read.posts_stated == len(shown)
        thread = next(one for one in sample_board().threads if one.ruleset == ruleset)
        times = {post.id: post.at for post in thread.posts}
        assert all(post.at == times[post.id] and post.precision == "second" for post in read.posts)
        assert read.title == thread.title


def test_the_phpbb_reader_sees_the_edit_and_the_signature(site):
    site.advance()
    posts = {post.id: post for post in _read_thread(BOARD, site.threads["shinobi"]).posts}
    edit = posts["117"].edited
    assert (edit.by, edit.count, edit.reason) == ("quietrain", 1, "typo")
    assert edit.at == sample_board().threads[0].posts[16].edited.at
    own = "".join(block.text for block in posts["117"].blocks if block.kind == "own")
    assert "(HP: -8 |" in own
    assert "-99" not in own
    kinds = [block.kind for block in posts["105"].blocks]
    assert "quote" in kinds
    links = [mark.url for block in posts["106"].blocks for mark in block.marks]
    assert links == [site.dice_url + number for number in ("1101", "1102", "1103")]


def _read_thread(board, url):
    """Drive the board's generator with the site's own answers."""
    asking = board.thread(url, None, ReadOptions())
    wish = next(asking)
    while True:
        status, body, headers = get(wish.url)
        at = parsedate_to_datetime(headers["Date"])
        try:
            wish = asking.send(Page(wish.url, body, status, headers, at))
        except StopIteration as done:
            return done.value
