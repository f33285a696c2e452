"""The staff page: no script, no foreign address, everything escaped."""

import base64
import hashlib
import re
import time
from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser

from referee.model.claims import Claim
from referee.model.figure import Figure
from referee.model.report import Evidence, Finding, Outcome, PoolState, PostReport, Report, ThreadReport, Working
from referee.ports.reports import Rendering
from reports import charts, html
from reports.shared import ShownPool, pool_title
from tests.support.patience import allowed

NASTY = [
    "</style></title><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>' onmouseover='x",
    "javascript:alert(1)//",
    "https://evil.example/\"onload='x'<b>",
    "\u202egnp\u2066\x00\x1b[31m\ud800",
    "{{ 7*7 }}{% for x in y %}<svg onload=alert(1)>",
    "</bdi></svg><iframe src=http://evil.example></iframe><base href=//evil.example>",
]
#: What the page may consist of; anything else came from outside.
ELEMENTS = """
    html head meta title style body header main footer nav section article div p h1 h2 h3 h4 h5 ul ol li dl dt dd
    table thead tbody tr th td a b bdi blockquote cite code q span details summary svg g path rect circle text
"""


def thread(words: str, posts: int = 3, findings: int = 1) -> ThreadReport:
    """A thread in which every text from outside is `words`; the pool falls by one a post."""
    link = words if "://" in words else f"https://forum.example.org/?p=1{words}"
    made = tuple(
        PostReport(
            f"{i}{words}", words, words, link, (Claim(words, words, values={words: words}),), (words,),
            {words: {"hp": PoolState(50 - i, Figure.of(50 - i, 49 - i), 50, secret=True)}},
        )
        for i in range(posts)
    )  # fmt: skip
    slip = Finding(
        words or "x/loss-hp", "error", f"1{words}", words, -1, [-2], (words,), words, (Working(words),),
        (Evidence(words, words),), fingerprint=words,
    )  # fmt: skip
    found = tuple(replace(slip, ordinal=i) for i in range(findings))
    notice = replace(slip, severity="notice")
    return ThreadReport(words, words, link, words, Outcome(words, (words,), words), made, (*found, notice))


def page(*threads: ThreadReport, staff: bool = False, rules: dict[str, str] | None = None) -> str:
    return html.render(Report(threads, staff), Rendering(rules or {}, "1"))


@pytest.mark.parametrize("words", NASTY)
def test_nothing_hostile_comes_through(words):
    written = page(thread(words), ThreadReport(file=words, error=words), rules={words: words})
    tree = LexborHTMLParser(written)
    for node in tree.root.traverse():
        assert node.tag in ELEMENTS.split(), node.tag
        for name, value in node.attributes.items():
            assert not name.startswith("on"), name
            assert name not in {"style", "src", "srcset", "data", "action", "xlink:href"}, name
            if name == "href":
                assert re.match(r"#t\d|https://(forum|evil)\.example[./]", value), value
    assert len(tree.css("style")) == 1
    assert "\x00" not in written
    assert "\u202e" not in written
    assert written.encode("utf-8")


def test_hidden_characters_are_shown():
    assert "&lt;U+202E&gt;gnp" in page(thread(NASTY[4]))


def test_template_marks_in_posts_are_text():
    assert "{{ 7*7 }}{% for x in y %}&lt;svg onload=alert(1)&gt;" in page(thread(NASTY[5]))


def test_the_policy_allows_only_our_style():
    written = page(thread("x"))
    tree = LexborHTMLParser(written)
    policy = tree.css_first("meta[http-equiv=Content-Security-Policy]").attributes["content"]
    style = re.search(r"<style>(.*?)</style>", written, re.S).group(1)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")
    assert "script-src" not in policy
    assert "http" not in style
    assert "@import" not in style
    assert "url(" not in style


def test_every_anchor_has_its_target():
    tree = LexborHTMLParser(page(thread("a", findings=5), thread("b", findings=2)))
    ids = [node.attributes["id"] for node in tree.css("[id]")]
    assert len(ids) == len(set(ids))
    asked = {node.attributes["href"][1:] for node in tree.css('a[href^="#"]')}
    assert asked
    assert asked <= set(ids)


def test_errors_come_first_in_the_overview_and_posts_in_order_below():
    posts = tuple(PostReport(f"p{i}", "ren", claims=(Claim("x", "x"),)) for i in (1, 2, 3))
    found = (
        Finding("a/b", "notice", "p1", message="first"),
        Finding("a/c", "warning", "p2", message="second"),
        Finding("a/d", "error", "p3", message="third"),
        Finding("a/e", "error", "p1", message="fourth"),
    )
    tree = LexborHTMLParser(page(ThreadReport("x", "x", posts=posts, findings=found)))
    overview = [node.text() for node in tree.css(".overview tbody a[href^='#']")]
    assert overview == ["Fourth", "Third", "Second", "First"]
    below = [node.text() for node in tree.css(".post .message")]
    assert below == ["Fourth", "Second", "Third"]
    assert "could not be checked" in tree.css(".thread h3")[1].text()


def test_the_overview_says_once_what_many_posts_share():
    posts = tuple(PostReport(f"p{i}", "ren", claims=(Claim("x", "x"),)) for i in range(20))
    same = [Finding("a/b", "warning", f"p{i}", message="no dice service", character="Ren") for i in range(20)]
    numbers = [Finding("a/c", "error", f"p{i}", message="the sum is off", claimed=3, expected=[4]) for i in (1, 2)]
    tree = LexborHTMLParser(page(ThreadReport("x", "x", posts=posts, findings=(*same, *numbers))))
    rows = [" ".join(node.text().split()) for node in tree.css(".overview tbody tr")]
    assert len(rows) == 3
    assert "No dice service the same in 19 more: p1 p2" in rows[2]
    assert "p12 \u2026" in rows[2]
    assert "p13" not in rows[2]
    assert "Ren" in rows[2]
    assert len(tree.css(".post .message")) == 22


def test_the_picture_has_both_lines_the_mark_and_a_table():
    tree = LexborHTMLParser(page(thread("x", posts=6)))
    picture = tree.css_first("svg.timeline")
    words = "HP of x, post by post: from 0 in post 0x to -5 in post 5x; the table below has every number"
    assert picture.css_first("title").text() == words
    assert len(picture.css(".serie-0 circle")) == 6
    assert len(picture.css(".serie-1 circle")) == 6
    assert len(picture.css(".serie-3 circle")) == 1
    assert [row.css_first("td").text() for row in tree.css(".pool tbody tr")] == ["0", "-1", "-2", "-3", "-4", "-5"]
    assert len(tree.css("tr.marked")) == 1


def test_a_finding_is_reached_from_the_timeline_and_from_its_table():
    tree = LexborHTMLParser(page(thread("x", posts=6)))
    card = tree.css_first("article.finding").attributes["id"]
    assert [link.attributes["href"] for link in tree.css(".pool .there a")] == [f"#{card}"]
    assert [link.attributes["href"] for link in tree.css("tr.marked .mark")] == [f"#{card}"]
    assert tree.css_first("article.finding").attributes["aria-labelledby"] == f"{card}-m"
    assert tree.css_first(f"#{card}-m").text()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 3], [1, 2, 3]),
        ([14], [13, 14, 15]),
        ([0, 2.5], [0, 1, 2, 3]),
        ([-12, 0], [-15, -10, -5, 0]),
        ([8, 18], [8, 10, 12, 14, 16, 18]),
        ([7, 4000], [0, 1000, 2000, 3000, 4000]),
    ],
)
def test_the_upright_axis_has_whole_numbers(values, expected):
    assert charts.ticks(values) == expected


@pytest.mark.parametrize(
    ("name", "title"),
    [("hp", "HP"), ("chakra", "Chakra"), ("legs", "Legs, bind level"), ("hp of chain whip", "HP of chain whip")],
)
def test_pools_have_the_names_that_people_use(name, title):
    assert pool_title(name) == title


def test_a_pool_of_one_post_or_without_values_has_no_picture():
    known, unknown = ShownPool(1, [1], change=False), ShownPool(None, None, change=True)
    assert charts.timeline("x", [charts.Point("p1", known)]) is None
    assert charts.timeline("x", [charts.Point("p1", unknown), charts.Point("p2", unknown)]) is None
    assert charts.timeline("x", [charts.Point("p1", known), charts.Point("p2", unknown)]) is not None


def test_open_bounds_can_be_drawn():
    points = [
        charts.Point(f"p{i}", ShownPool(None, {"min": None, "max": i}, change=False), marked=True) for i in range(3)
    ]
    assert "serie-2" in charts.timeline("x", points)


def test_a_page_with_many_pools_and_posts_stays_quick():
    fighters = {f"f{n}": {p: PoolState(n, Figure.of(n)) for p in ("hp", "chakra", "stamina")} for n in range(40)}
    posts = tuple(PostReport(f"p{i}", "a", claims=(Claim("x", "x"),), state=fighters) for i in range(60))
    started = time.process_time()
    tree = LexborHTMLParser(page(ThreadReport("x", "x", posts=posts)))
    assert time.process_time() - started < allowed(20)
    assert len(tree.css("svg.timeline")) == html.MOST_CHARTS
    assert len(tree.css(".pool table")) == 120


def test_staff_pages_say_so_and_public_pages_hide_totals():
    assert "For staff only" in page(thread("x"), staff=True)
    public = page(thread("x"))
    assert "For staff only" not in public
    assert ">49<" not in public
    assert ">49<" in page(thread("x"), staff=True)
