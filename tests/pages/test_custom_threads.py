"""What an operator of an unknown board may get wrong, and what its pages and members may do: told, never guessed."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from referee.ports.boards import Page, ReadOptions, ThreadRead
from scrapers.boards.custom import BOARD
from tests.pages.test_custom_pages import JCINK, PAGER, jcink, jcink_page
from tests.support.patience import allowed

HOME = "https://forum.example/index.php?showtopic=7"


def walk(pages: dict[str, str], start: str = HOME, **selectors: str) -> ThreadRead:
    """The thread of a board that has these pages; a page is asked for as its address says."""
    reading = BOARD.thread(start, None, ReadOptions(selectors={**JCINK, **selectors}))
    try:
        wish = next(reading)
        while True:
            html, status = pages.get(wish.url, ""), 200 if wish.url in pages else 404
            wish = reading.send(Page(wish.url, html.encode(), status, fetched_at=datetime(2021, 4, 1, tzinfo=UTC)))
    except StopIteration as done:
        read: ThreadRead = done.value
        return read


def thread(*pagers: str, posts: list[str] | None = None) -> dict[str, str]:
    """A page of two posts under each pager, the pager below the posts."""
    made = posts or [jcink(2 * n + 1, "Mori", "Hit.") + jcink(2 * n + 2, "Anzu", "Blow.") for n in range(len(pagers))]
    urls = [HOME + (f"&st={2 * n}" if n else "") for n in range(len(pagers))]
    return dict(zip(urls, (f"{said}{pager}" for said, pager in zip(made, pagers, strict=True)), strict=True))


def window(here: int, last: int) -> str:
    """A pager that links the neighbours only."""
    links = (
        f"<b>{n}</b>" if n == here else f"<a href='?showtopic=7&amp;st={2 * n - 2}'>{n}</a>"
        for n in range(max(here - 1, 1), min(here + 1, last) + 1)
    )
    return f"<span class=pagination>{' '.join(links)}</span>"


def steps(here: int, last: int) -> str:
    """A pager without numbers."""
    back = f"<a class=prev href='?showtopic=7&amp;st={2 * here - 4}'>back</a>" if here > 1 else ""
    on = f"<a class=next href='?showtopic=7&amp;st={2 * here}'>on</a>" if here < last else ""
    return f"<span class=pagination>{back}{on}</span>"


@pytest.mark.parametrize("pager", [window, steps])
def test_a_thread_whose_later_pages_do_not_link_the_first_one(pager) -> None:
    pages = thread(*(pager(n, 4) for n in range(1, 5)))
    read = walk(pages)
    assert (read.complete, len(read.posts), read.problems) == (True, 8, ())
    for start in [f"{HOME}&st=4", f"{HOME}&st=6"]:
        late = walk(pages, start)
        assert not late.complete
        assert any("does not link the first one (selectors.first)" in line for line in late.problems)


@pytest.mark.parametrize(
    ("pager", "said"),
    [
        ("<b>1</b> <a href='javascript:load(2)'>2</a>", "page 1 of 2 links no next one"),
        ("<b>1</b> <button data-page=3>3</button>", "page 1 of 3 links no next one"),
        ("<a class=current href='#'>1</a> <a href='#'>2</a> <a class=next href='#'>&gt;</a>", "page 1 of 2 links no"),
        ("Page 1 of 3 <a class=next href='#'>Next</a>", "no next page is found in a pager without numbers"),
        ("<button>Load more</button>", "no next page is found in a pager without numbers"),
    ],
)
def test_a_pager_that_only_a_script_can_follow(pager: str, said: str) -> None:
    read = walk(thread(f"<span class=pagination>{pager}</span>"))
    assert (len(read.posts), read.complete) == (2, False)
    assert any(said in line for line in read.problems), read.problems


@pytest.mark.parametrize(
    "pager", ["", "<a href='#unread'>First unread</a> Page <b>1</b> of <b>1</b>", "<a href='?'></a>"]
)
def test_a_thread_of_one_page(pager: str) -> None:
    read = walk(thread(f"<span class=pagination>{pager}</span>"))
    assert (read.complete, read.problems) == (True, ())


@pytest.mark.parametrize(
    ("selectors", "said"),
    [
        ({"pager": ".pages"}, "&st=2 looks like a page of this thread outside the pager (selectors.pager)"),
        ({"pager": "body"}, "what is called the pager holds posts (selectors.pager)"),
        ({"id": ".normalname a"}, "several posts with one number (selectors.id)"),
        ({"id": "a[onclick]"}, "a post without number (selectors.id)"),
        ({"body": "[name=entry1] ~ .none, .postcolor:has(p + p)"}, "a post without text (selectors.body): not read"),
        ({"post": ".other"}, "texts (selectors.body) are there, but no post that holds one (selectors.post)"),
        ({"quote": ".postcolor *"}, "no post has words of its own (selectors.quote"),
        ({"drop": "*"}, "no post has words of its own (selectors.quote, selectors.drop ...)"),
    ],
)
def test_a_selector_that_matches_the_wrong_thing_is_told(selectors: dict[str, str], said: str) -> None:
    body = "<p>Hit.</p><form><input type=password></form></div><a href='#' onclick='link_to_post(1)'>#</a><div>"
    posts = [jcink(2 * n + 1, "Mori", body) + jcink(2 * n + 2, "Mori", body) for n in range(2)]
    read = walk(thread(*PAGER, posts=posts), **selectors)
    assert not read.complete
    assert any(said in line for line in read.problems), read.problems


def test_numbers_that_begin_anew_on_every_page() -> None:
    posts = [
        jcink(1, "Mori", "a") + jcink(2, "Anzu", "b"),
        jcink(1, "Mori", "c").replace("Mar 1", "Mar 8") + jcink(2, "Anzu", "d") + jcink(3, "Mori", "e"),
    ]
    read = walk(thread(*PAGER, posts=posts))
    assert not read.complete
    assert any("several posts of the thread with one number" in line for line in read.problems)


def test_the_newest_first_behind_the_first_post_on_every_page() -> None:
    posts = [jcink(1, "Mori", "a") + jcink(n, "Anzu", "b") + jcink(n - 1, "Mori", "c") for n in (5, 3)]
    read = walk(thread(*PAGER, posts=posts))
    assert ([post.id for post in read.posts], read.complete) == (["1", "2", "3", "4", "5"], True)


def test_members_html_moves_no_link_and_names_no_thread() -> None:
    """A pager, a base and a heading in a post are the poster's words."""
    forged = (
        "<span class='pagination'><b>1</b></span><base href='https://evil.example/'>"
        "<a class='f' href='https://evil.example/'>1</a><div class='topic-title'>Other</div>"
    )
    posts = [jcink(2 * n + 1, "Mori", forged) + jcink(2 * n + 2, "Anzu", "b") for n in range(2)]
    pages = thread(*(f"{pager}<div class='topic-title'>Duel</div>" for pager in PAGER), posts=posts)
    read = walk(pages, first="a.f")
    assert (read.complete, len(read.posts), read.title, read.problems) == (True, 4, "Duel", ())


def test_a_guest_does_not_speak_with_the_name_of_whom_he_quotes_or_who_edited() -> None:
    body = (
        "<div class='head'><a class='user' href='/user/1'>Mori</a> said:</div>HP 5</div>"
        "<div class='edited'>Last edit by <a class='user' href='/user/9'>Admin</a>"
    )
    html = jcink(1, "Guest", body).replace("<a href='?showuser=3'>Guest</a>", "Guest")
    read = BOARD.read_page(
        jcink_page(html, ""), ReadOptions(selectors={**JCINK, "author": "a.user", "edit": ".edited"})
    )
    assert [post.author for post in read.posts] == [""]
    assert any("no author found" in line for line in read.problems)


@pytest.mark.parametrize(
    ("notice", "by"),
    [
        ("Last edited by Mori on Tue Mar 04, 2021 9:20 pm; edited 1 time in total", "Mori"),
        ("Last edited by <a href='/u'>Staff</a> on Tue Mar 04, 2021 9:20 pm", "Staff"),
        ("<strong>Edited <time datetime='2021-03-04T21:20:00Z'>March 4</time> by Mori</strong>", "Mori"),
    ],
)
def test_an_edit_is_its_authors_own(notice: str, by: str) -> None:
    html = jcink(1, "Mori", f"<span class=edit>[Loss Tag: 5 HP]</span> Ha. <span class=edit>{notice}</span>")
    post = BOARD.read_page(jcink_page(html, ""), ReadOptions(selectors=JCINK)).posts[0]
    assert post.edited is not None
    assert (post.edited.by, post.edited.at) == (by, datetime(2021, 3, 4, 21, 20, tzinfo=UTC))
    assert post.blocks[0].text == "[Loss Tag: 5 HP] Ha.", "what stands before the notice is the poster's"


def test_what_names_no_time_is_no_edit_notice() -> None:
    html = jcink(1, "Mori", "Ha. <span style='color: red'>[Loss Tag: 5 HP]</span>")
    skin = {**JCINK, "edit": ".postcolor > span:last-child"}
    read = BOARD.read_page(jcink_page(html, ""), ReadOptions(selectors=skin))
    assert [(post.edited, post.blocks[0].text) for post in read.posts] == [(None, "Ha. [Loss Tag: 5 HP]")]
    assert read.problems == ("post 1: words without a time are no edit notice (selectors.edit): read as text",)


@pytest.mark.parametrize("own", ["5f3e9a1b", "5f3e9a1b-77aa-4c1d-9e0f-aa12bb34cc56"])
def test_an_id_of_letters_and_figures_is_no_number(own: str) -> None:
    html = jcink(1, "Mori", "Ha.").replace("name='entry1'", f"data-id='{own}'")
    read = BOARD.read_page(jcink_page(html, ""), ReadOptions(selectors={**JCINK, "id": "[data-id]"}))
    assert (read.kind, read.posts) == ("unknown", ())
    assert any("a post without number (selectors.id)" in line for line in read.problems)


@pytest.mark.parametrize(
    "html",
    [
        "<span class=pagination>" * 3_000,
        "<span class=pagination><a href='?x=1'>x</a>" * 3_000,
        "<a href='?showtopic=7&amp;st=2'>2</a>" * 20_000,
        "<div class=topic-title>" * 3_000,
    ],
)
@pytest.mark.parametrize("written", [True, False])
def test_a_hostile_page_costs_little(html: str, written: bool) -> None:
    page = jcink_page(jcink(1, "Mori", html) if written else jcink(1, "Mori", "Ha.") + html, "")
    began = time.process_time()
    read = BOARD.read_page(page, ReadOptions(selectors=JCINK))
    assert time.process_time() - began < allowed(3)
    assert [post.id for post in read.posts] == ["1"]


def test_what_holds_the_text_is_neither_author_nor_notice() -> None:
    skin = {**JCINK, "author": "td, .normalname", "edit": ".post1, .postcolor"}
    html = jcink(1, "Mori", "Ha. Mar 3 2021, 05:00 PM").replace("<td><a", "<td>Mori</td><td><a")
    post = BOARD.read_page(jcink_page(html, ""), ReadOptions(selectors=skin)).posts[0]
    assert (post.author, post.edited, post.blocks[0].text) == ("Mori", None, "Ha. Mar 3 2021, 05:00 PM")
    below = jcink(2, "Anzu", "Ha.").replace("<td>", "<th>").replace("</td></tr>", "</th></tr>", 1)
    post = BOARD.read_page(jcink_page(below, ""), ReadOptions(selectors=skin)).posts[0]
    assert post.author == "Anzu", "the cell with the text is passed over"


def test_a_time_in_data_needs_no_zone_for_its_words() -> None:
    html = jcink(
        1,
        "Mori",
        "Ha.<span class=edit>Last edit: <abbr data-timestamp='1614892800000'>Mar 4, 2021 at 9:20pm</abbr></span>",
    )
    html = html.replace("Posted:", "<time datetime='2021-03-01T16:11:00Z'></time>")
    read = BOARD.read_page(jcink_page(html, ""), ReadOptions(selectors=JCINK))
    assert read.posts[0].edited is not None
    assert (read.posts[0].edited.at, read.zoneless) == (datetime(2021, 3, 4, 21, 20, tzinfo=UTC), False)


def test_a_list_counts_its_links_from_the_base() -> None:
    html = "<head><base href='https://forum.example/b/'></head><a class=t href='t/7'>A</a><a rel=next href='?p=2'>2</a>"
    page = Page("https://forum.example/b/forum/2", html.encode())
    assert BOARD.read_list is not None
    read = BOARD.read_list(page, ReadOptions(selectors={**JCINK, "topic": "a.t"}))
    assert ([link.url for link in read.threads], read.next_url) == (
        ["https://forum.example/b/t/7"],
        "https://forum.example/b/?p=2",
    )
