"""What makes the readers fast must not show: the walk over a body's tags, usual dates, late loading."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.bodies.bare import bare_addresses
from scrapers.bodies.body import read_fragment
from scrapers.patterns import Pattern
from scrapers.times.clock import Clock
from scrapers.times.dates import read_date
from scrapers.times.moments import UNKNOWN, Times


def texts(html):
    return [block.text for block in read_fragment(html)]


def links(html):
    return [(b.text[m.start : m.end], m.url) for b in read_fragment(html) for m in b.marks if m.url]


# --- The tree builder's own form, which the walk relies on ------------------------------------------


@pytest.mark.parametrize(
    "html",
    [
        '<p title="a <b> c">HP: 12</p>',
        '<p title="x > y" data-x=\'"q"\'>HP: 12</p>',
        "<!-- a > b <i> -->HP: 12",
        "<!---->HP: <!-- <div> -->12",
        "HP: 12<!-- never ended <b>",
        "<?php echo 9; ?>HP: 12",
        'HP: <script>if (a<b && c>d) x = "</p>"</script>12',
        "HP: <textarea>9 < 10 > 8</textarea>12",
        "HP: <select><option>1<option>2</select>12",
        "HP: 12<svg><path d='M0 0'/><text>9</text></svg>",
    ],
)
def test_brackets_that_are_no_markup_are_no_text(html):
    assert texts(html) == ["HP: 12"]


def test_typed_brackets_stay():
    assert texts("<p>3 &lt; 4 &gt; 2 &amp;amp; &quot;x&quot;</p>") == ['3 < 4 > 2 &amp; "x"']


def test_control_characters_are_never_taken_for_breaks_or_links():
    assert texts("a\x01b\x02c\x03d\x04e <a href='http://x.example/'>l</a>") == ["a b c d e l"]


# --- Runs of text -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ('x<p dir="auto">a</p>\n\n<p dir="auto">b</p>y', "x\n\na\n\nb\n\ny"),
        ('<p class="mention">a</p> <p>b</p><ul><li>c</li></ul>d', "a\n\nb\n\nc\nd"),
        ("<p>a<br></p><p>b</p>", "a\n\nb"),
        ("<p>a</p><p><br></p><p>b</p>", "a\n\n\n\nb"),
        ("a<br> <br>\n\t b", "a\n\nb"),
        ("a <b> b </b> c", "a b c"),
        ("<ul>\n<li> a </li>\n<li>b</li>\n</ul>c", "a\nb\nc"),
        ('<strong class="x">a</strong> <span style="color:red">b</span>', "a b"),
        ("a<div>b</div> c", "a\nb\nc"),
        ("<pre>a\n  b<br>c</pre>", "a\n  b\nc"),
        ("\n\t\ta\n\t", "a"),
    ],
)
def test_lines_are_as_a_browser_shows_them(html, text):
    assert texts(html) == [text]


def test_links_keep_their_words_and_leave_the_blanks_outside():
    html = '<p>x<a href="http://a.example/1"> one </a>y <a href="http://a.example/2">two</a><br>z</p>'
    assert texts(html) == ["x one y two\nz"]
    assert links(html) == [("one", "http://a.example/1"), ("two", "http://a.example/2")]


def test_an_anchor_without_address_leaves_nothing_behind():
    html = '<a href="http://a.example/1">b</a> <a>c</a> <a name="n">d</a> e'
    assert texts("<a>c</a> <a>d</a>") == ["c d"]
    assert texts(html) == ["b c d e"]
    assert links(html) == [("b", "http://a.example/1")]


def test_a_link_around_blocks_goes_on_in_them():
    html = '<a href="http://a.example/1">one<div>two</div></a> three'
    assert links(html) == [("one\ntwo\n", "http://a.example/1")]


def test_a_span_or_paragraph_with_a_meaning_is_seen_late_in_a_body():
    found = read_fragment('<p>a <span>b</span></p><p class="ooc">c <span>d</span></p><p>e</p>')
    assert [(block.kind, block.text) for block in found] == [("own", "a b"), ("ooc", "c d"), ("own", "e")]


def test_a_code_box_with_paragraphs_holds_only_what_was_typed():
    assert texts('<div class="codebox"><p>one</p><p>two</p></div>') == ["one\n\ntwo"]
    assert texts('<div class="codebox"><p></p></div>x') == ["x"]


def test_plain_addresses_are_looked_for_between_the_links_only():
    text = "http://a.example http://b.example www.c.example"
    assert [text[a:b] for a, b in bare_addresses(text)] == text.split()
    assert [text[a:b] for a, b in bare_addresses(text, [(17, 33)])] == [text[:16], text[34:]]
    assert bare_addresses(text, [(0, len(text))]) == []
    assert bare_addresses("http://a.example", [(0, 0), (4, 4)]) == []


def test_an_address_ends_with_the_bracket_in_which_it_stands() -> None:
    """A sum or another roll may stand right behind: `5 (http://x.example/r/1),14`."""
    for text, address in (
        ("5 (http://x.example/r/1),14", "http://x.example/r/1"),
        ("5(http://x.example/r/1):7/2", "http://x.example/r/1"),
        ("(http://x.example/a_(b)/c),d", "http://x.example/a_(b)/c"),
        ("(http://x.example/r/1)\u200b, 14", "http://x.example/r/1"),
        ("\uff3bDodge\uff1a60\uff08http://x.example/r/1\uff09\uff3d", "http://x.example/r/1"),
        ("see http://x.example/r/1\u3002Then", "http://x.example/r/1"),
        ("http://x.example/a(b),c", "http://x.example/a(b),c"),
    ):
        assert [text[a:b] for a, b in bare_addresses(text)] == [address]


# --- Usual dates are read at a look, others with care: both say the same ---------------------------


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-12 18:20:03",
        "Nov 12, 2026, 06:20 PM",
        "Thu Nov 12, 2026 6:20 pm",
        "November 12, 2026, 12:05:09 AM",
        "11-12-2026, 06:20 PM",
        "5/6/2026 9:07",
        "Nov 31, 2026, 25:00",
        "Xyz 12, 2026, 06:20",
        "Nov 32, 2026, 06:20",
    ],
)
def test_usual_dates_read_as_in_a_sentence(text):
    assert read_date(text) == read_date(f"« {text} »")


# --- Nothing is loaded before it is needed ----------------------------------------------------------


def test_a_pattern_is_compiled_at_its_first_use():
    broken = Pattern("(")
    with pytest.raises(Exception, match="unterminated"):
        broken.search("x")
    words = Pattern(r"\w+")
    assert words.findall("a b") == ["a", "b"] and words.sub("x", "a b") == "x x" and words.match(" a") is None
    with pytest.raises(AttributeError):
        _ = words.groups


def test_detection_loads_no_dates_and_no_tables():
    loads = "import sys\n" + "".join(
        f"import scrapers.boards.{name}\n" for name in ("flaskbb", "fluxbb", "mybb", "nodebb", "phpbb", "smf")
    )
    late = ["scrapers.times.clock", "scrapers.times.dates", "scrapers.boards.fallback", "scrapers.times.notices"]
    script = (
        f"{loads}print([name for name in {[*late, 'zoneinfo', 'html.entities', 'dateparser']} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_clock_is_set_only_for_dates_in_words_and_once():
    page = Page("http://f.example/", b"", fetched_at=datetime(2026, 11, 30, tzinfo=UTC))
    clocks = []

    def make():
        clocks.append(Clock(page, ReadOptions()))
        return clocks[-1]

    times = Times(make)
    assert times.read("whatever", "2026-11-12T18:20:03+00:00").at == datetime(2026, 11, 12, 18, 20, 3, tzinfo=UTC)
    assert times.read("  ").at is None and times.problems == [] and not clocks
    assert times.read("11-12-2026, 06:20 PM").at == datetime(2026, 11, 12, 18, 20, tzinfo=UTC)
    assert times.read("Nov 13, 2026, 06:20 PM").at == datetime(2026, 11, 13, 18, 20, tzinfo=UTC)
    assert len(clocks) == 1 and times.problems == clocks[0].problems != []


def test_times_without_a_clock_read_machine_dates_only():
    assert Times().read("Nov 12, 2026") == UNKNOWN
    assert Times().read("", "1794507603").precision == "second"


def test_a_body_of_very_many_tags_is_read():
    assert texts("<b>x</b>" * 100_000) == ["x" * 100_000]
    assert texts('<i class="y">x</i>' * 10_000) == ["x" * 10_000]
