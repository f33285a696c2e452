"""Bodies of posts: typed markup and HTML to blocks, honest ones and hostile ones."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapers.boards.transcript import UNCLOSED, read_body
from scrapers.bodies import body
from tests.support.patience import allowed


def blocks(text=None, html=None):
    return [(block.kind, block.text) for block in read_body(text, html)]


def links(found):
    return [(block.text[mark.start : mark.end], mark.url) for block in found for mark in block.marks if mark.url]


def rolls(found):
    return [(block.text[mark.start : mark.end], mark.dice) for block in found for mark in block.marks if mark.dice]


# --- BBCode ----------------------------------------------------------------------------------------


def test_quotes_stay_in_their_quote():
    found = read_body("[quote=Ren]a [quote]deep [Damage: 9][/quote] b[/quote]\nmine [Damage: 8 x2]", None)
    assert [(b.kind, b.author) for b in found] == [("quote", "Ren"), ("own", None)]
    assert "[Damage: 9]" in found[0].text and found[1].text == "mine [Damage: 8 x2]"


@pytest.mark.parametrize(
    ("tag", "author", "post"),
    [
        ('[quote="A [B] C" post_id=41 time=1 user_id=2]', "A [B] C", "41"),
        ("[quote=Bram post_id=41 time=1 user_id=2]", "Bram", "41"),
        ("[quote='Bram Oduya' pid='41' dateline='17']", "Bram Oduya", "41"),
        ("[quote author=Bram Oduya link=topic=30.msg41#msg41 date=12]", "Bram Oduya", "41"),
        ("[quote author=Bram link=msg=41 date=12]", "Bram", "41"),
        ('[QUOTE="Bram, post: 41, member: 2"]', "Bram", "41"),
        ("[quote=Bram Oduya]", "Bram Oduya", None),
        ("[quote]", None, None),
    ],
)
def test_quote_tags_of_the_boards(tag, author, post):
    first, second = read_body(f"{tag}theirs[/quote]mine", None)
    assert (first.kind, first.author, first.post, first.text) == ("quote", author, post, "theirs")
    assert (second.kind, second.text) == ("own", "mine")


def test_own_text_goes_on_after_a_quote():
    assert blocks("one\n[quote]q[/quote]\ntwo\n[spoiler=Bag]s[/spoiler]three") == [
        ("own", "one"), ("quote", "q"), ("own", "two"), ("spoiler", "s"), ("own", "three"),
    ]  # fmt: skip


def test_a_quote_or_code_in_a_spoiler_is_no_spoiler_text():
    found = read_body("[spoiler=Bag]a[quote]q[/quote]b[code]c[/code][/spoiler]", None)
    assert [(b.kind, b.text, b.title) for b in found] == [
        ("spoiler", "a", "Bag"), ("quote", "q", None), ("spoiler", "b", "Bag"), ("code", "c", None),
    ]  # fmt: skip


def test_code_keeps_markup_as_text():
    assert blocks("[code][b]x[/b] [quote]y[/code]z") == [("code", "[b]x[/b] [quote]y"), ("own", "z")]


@pytest.mark.parametrize("name", ["quote", "code", "ooc"])
def test_what_is_never_closed_is_nobodys_claim(name):
    found = read_body(f"mine\n[{name}]theirs [Damage: 9]\n\nmore", None)
    assert [(b.kind, b.title) for b in found] == [("own", None), (name, UNCLOSED)]
    assert found[1].text.endswith("more")


def test_game_tags_are_no_markup():
    text = "[Damage: 12 x4] [20% to hit: rolled 70] [Used X] [Strike] [Shadow] [Left: 2] [s: 3] [Setup: draws the X]"
    assert blocks(text) == [("own", text)]


def test_residue_of_markup_is_dropped():
    assert blocks("a[/b] [size=5]b[/size] [color=red]c[/color] [/quote][strike]d[/strike][/spoiler]") == [
        ("own", "a b c d")
    ]


def test_links_in_all_their_forms():
    text = (
        "rolled [url=http://dice.example/r/101]70[/url], [url=http://dice.example/r/102]17[/url]\n"
        "[url]http://dice.example/r/3[/url] "
        "(http://dice.example/r/4 http://dice.example/r/5) www.dice.example/6."
    )
    found = read_body(text, None)
    assert links(found) == [
        ("70", "http://dice.example/r/101"), ("17", "http://dice.example/r/102"),
        ("http://dice.example/r/3", "http://dice.example/r/3"), ("http://dice.example/r/4", "http://dice.example/r/4"),
        ("http://dice.example/r/5", "http://dice.example/r/5"), ("www.dice.example/6", "http://www.dice.example/6"),
    ]  # fmt: skip


def test_an_unclosed_link_still_names_its_roll():
    assert links(read_body("[url=http://d.e/1]70, then 17\n[url=http://d.e/2]3[/url]", None)) == [
        ("70, then 17\n", "http://d.e/1"), ("3", "http://d.e/2"),
    ]  # fmt: skip


def test_links_with_brackets_of_the_game_around():
    found = read_body("2d6 [[url=http://d.e/3]3[/url], [url=http://d.e/5]5[/url]] + 3", None)
    assert found[0].text == "2d6 [3, 5] + 3" and links(found) == [("3", "http://d.e/3"), ("5", "http://d.e/5")]


def test_no_link_but_to_the_web():
    assert links(read_body("[url=javascript:alert(1)]70[/url] [url=data:x]1[/url]", None)) == []
    assert links(read_body(None, '<a href="javascript:alert(1)">70</a>')) == []


def test_rolls_in_the_post():
    found = read_body("[roll=1d20]14[/roll] and [roll=2d6]3, 5[/roll] and [roll=x]9[/roll]", None)
    assert rolls(found) == [("14", "1d20"), ("3, 5", "2d6")]
    assert "[roll=x]9" in found[0].text


@pytest.mark.parametrize(
    ("html", "struck"),
    [
        ("a <s>b</s> c", ["b"]),
        ("a <del>b <a href='http://d.example/1'>c</a></del> d", ["b c"]),
        ("a <span style='text-decoration: line-through;' class='mycode_s'>b</span> c", ["b"]),
        ("a <strike>b<blockquote>q</blockquote>c</strike> d", ["b", "c"]),
        ("a <s></s> <span style='color: red'>b</span>", []),
    ],
)
def test_struck_words_are_marked(html, struck):
    found = [block for block in read_body(None, html) if block.kind == "own"]
    assert [b.text[m.start : m.end] for b in found for m in b.marks if m.struck] == struck


def test_tables_and_lists():
    text = "[table][tr][td]HP[/td][td]12[/td][/tr][tr][td]DEF[/td][td]3[/td][/tr][/table][list][*]one[*]two[/list]end"
    assert blocks(text) == [("own", "HP | 12\nDEF | 3\none\ntwo\nend")]


def test_lines_that_the_core_cuts_stay():
    text = "mine\nOOC: hello\n((OOC: x))\n__________\nsig"
    assert blocks(text) == [("own", text)]
    assert blocks("[ooc]x[/ooc]y") == [("ooc", "x"), ("own", "y")]


# --- HTML ------------------------------------------------------------------------------------------


def test_html_of_transcripts():
    html = (
        "<blockquote><cite>name wrote:</cite><div>q<blockquote>deep</blockquote></div></blockquote>"
        "own <strong>x</strong><br>"
        '<a href="http://d.e/1">70</a> <span class="roll" data-dice="1d20">14</span><div class="ooc">o</div>'
        '<pre><code>a\n  b</code></pre><div class="spoiler">sp</div>&lt;b&gt; &amp; <b>c</b>'
    )
    found = read_body(None, html)
    assert [(b.kind, b.text) for b in found] == [
        ("quote", "q\ndeep"), ("own", "own x\n70 14"), ("ooc", "o"), ("code", "a\n  b"),
        ("spoiler", "sp"), ("own", "<b> & c"),
    ]  # fmt: skip
    assert found[0].author == "name" and links(found) == [("70", "http://d.e/1")] and rolls(found) == [("14", "1d20")]


def test_line_breaks_paragraphs_and_tables():
    html = (
        "<p>one</p>\n<p dir='auto'>two<br />\nthree</p><ul>\n<li>four</li><li><p>five</p></li></ul><div>six</div>seven"
    )
    assert blocks(html=html) == [("own", "one\n\ntwo\nthree\n\nfour\n\nfive\n\nsix\nseven")]
    table = "<table><tbody><tr><th>HP</th><td>3</td></tr>\n<tr><td>DEF</td> <td>4</td></tr></table>"
    assert blocks(html=table) == [("own", "HP | 3\nDEF | 4")]


def test_smilies_are_text_and_pictures_are_not():
    html = '<img class="smilies" alt=":)"><img alt="Image" src="map.png"><img src="img/smilies/smile.png" alt="smile">x'
    assert blocks(html=html) == [("own", ":)smilex")]


PHPBB_33 = (
    '<blockquote cite="./viewtopic.php?p=41#p41"><div><cite><a href="u">Bram</a> wrote: '
    '<a href="./viewtopic.php?p=41#p41">↑</a></cite>q</div></blockquote>'
)
SMF_21 = (
    '<blockquote><cite><a href="http://f.e/index.php?msg=41">Quote from: Bram on Nov 22, 2026, 01:08 PM</a></cite>'
    "q</blockquote>"
)
SMF_DE = SMF_21.replace("Quote from: Bram on Nov 22, 2026, 01:08 PM", "Zitat von: Bram am 22. November 2026, 13:08")
SMF_20 = (
    '<div class="quoteheader"><div><a href="x?topic=3.msg41#msg41">Quote from: Bram on Today at 1</a></div></div>'
    "<blockquote>q</blockquote>"
)
MYBB = (
    "<blockquote><cite><span> (11-12-2026, 06:20 PM)</span>Bram Wrote:  "
    '<a href="http://f.e/showthread.php?pid=41#pid41"></a></cite>q</blockquote>'
)
FLUXBB = '<div class="quotebox"><cite>Bram wrote:</cite><blockquote><div><p>q</p></div></blockquote></div>'
SUBSILVER = '<div class="quotetitle">Bram wrote:</div><div class="quotecontent">q</div>'


@pytest.mark.parametrize(
    ("html", "author", "post"),
    [
        (PHPBB_33, "Bram", "41"),
        (SMF_21, "Bram", "41"),
        (SMF_DE, "Bram", "41"),
        (SMF_20, "Bram", "41"),
        (MYBB, "Bram", "41"),
        (FLUXBB, "Bram", None),
        (SUBSILVER, "Bram", None),
        ('<blockquote class="uncited"><div>q</div></blockquote>', None, None),
    ],
)
def test_captions_of_quotes(html, author, post):
    first, second = read_body(None, html + "mine")
    assert (first.kind, first.text, first.author, first.post) == ("quote", "q", author, post)
    assert (second.kind, second.text) == ("own", "mine")


def test_code_boxes_lose_their_caption_and_nothing_else():
    html = '<div class="codebox"><p>Code: <a href="#">Select all</a></p><pre><code>T1\n  x</code></pre></div>after'
    assert blocks(html=html) == [("code", "T1\n  x"), ("own", "after")]
    assert blocks(html='<div class="codeblock">bare</div>x') == [("code", "bare"), ("own", "x")]


def test_spoilers_with_titles():
    html = '<details class="spoiler"><summary>Bag</summary><div>in</div></details>out'
    found = read_body(None, html)
    assert [(b.kind, b.title, b.text) for b in found] == [("spoiler", "Bag", "in"), ("own", None, "out")]
    html = '<div class="spoiler"><div class="spoiler_title">Bag</div><div class="spoiler_content">in</div></div>out'
    assert [(b.kind, b.title, b.text) for b in read_body(None, html)] == [
        ("spoiler", "Bag", "in"),
        ("own", None, "out"),
    ]


def test_typed_rolls_on_a_page_are_no_rolls_of_the_board():
    assert rolls(read_body(None, "<p>[roll=1d20]20[/roll]</p>")) == []


def test_edit_notices_are_no_text():
    html = 'mine<p class="postedit"><em>Last edited by X (2026-11-20)</em></p>'
    assert blocks(html=html) == [("own", "mine")]


# --- hostile ---------------------------------------------------------------------------------------


def test_scripts_are_no_text():
    html = '<p>a<script>var x = "<script>" + "</p>";</script>b<style>p{}</style><textarea>t</textarea>'
    html += "<iframe src=x>i</iframe></p>"
    assert blocks(html=html) == [("own", "ab")]


@pytest.mark.parametrize(
    "html",
    [
        "<blockquote>" * 10_000 + "deep",
        "<div>" * 10_000 + "deep" + "</div>" * 5_000,
        "<b>" * 50_000 + "deep",
        "<table><tr><td>" * 2_000 + "deep",
        '<a href="' + "x" * 1_000_000 + '">deep',
        "<" * 300_000 + "deep",
        "</div>" * 100_000 + "deep",
        "<p a='b" * 50_000 + "'>deep",
        "<!--" * 100_000 + "-->deep",
        "<button>" * 10_000 + "</button>deep",
        " " * 1_000_000 + "deep",
        "&amp" * 200_000 + " deep",
        "http://" * 100_000 + " deep",
        "<span class='spoiler'>" * 5_000 + "deep",
    ],
    ids=range(14),
)
def test_hostile_html_is_read_in_no_time(html):
    start = time.process_time()
    read_body(None, html)
    assert time.process_time() - start < allowed(3)


@pytest.mark.parametrize(
    "text",
    [
        "[quote]" * 100_000 + "deep",
        "[quote]" * 10_000 + "deep" + "[/quote]" * 10_000,
        "[spoiler][ooc]" * 30_000 + "[/spoiler]" * 30_000,
        "[url=" * 200_000,
        '[quote="' * 120_000,
        "[code]" * 150_000,
        "[code]x[/code]" * 60_000,
        "[img]" * 200_000 + "[/img]",
        "[" * 1_000_000,
        "[roll=1d20]" * 90_000,
        "http://a(" * 110_000 + ")" * 1_000,
        "www." * 250_000,
        "[b" + " a=b" * 250_000 + "]",
        "[quote author=" + "x" * 1_000_000,
    ],
    ids=range(14),
)
def test_hostile_markup_is_read_in_no_time(text):
    start = time.process_time()
    read_body(text, None)
    assert time.process_time() - start < allowed(3)


def test_deep_quotes_give_up_nothing():
    found = read_body(None, "<blockquote>" * 10_000 + "theirs" + "</blockquote>" * 10_000 + "mine")
    assert found[0].kind == "quote" and "theirs" in found[0].text
    assert all("mine" not in block.text or block.kind != "signature" for block in found)


def test_a_post_of_a_megabyte_is_whole():
    text = "word [Damage: 8 x2] \n" * 50_000
    (block,) = read_body(text, None)
    assert block.text == text.strip()
    (block,) = read_body(None, "<p>" + text.replace("\n", "<br>") + "</p>")
    assert block.text.count("[Damage: 8 x2]") == 50_000


def test_a_body_over_the_limit_says_so(monkeypatch):
    monkeypatch.setattr(body, "LONGEST_BODY", 1_000)
    read = body.read_html("<p>" + "x" * 2_000 + "</p>")
    assert len(read.blocks[0].text) < 1_000 and "only the first 1000" in read.problems[0]


def test_odd_characters_do_no_harm():
    found = read_body("a\0b \u202e[Damage: 8]\u202c \ud800 \ufeff", None)
    assert "[Damage: 8]" in found[0].text and "\0" not in found[0].text
    found = read_body(None, "a\0b &#0; &#x202e;[Damage: 8] &#xD800; &#1114112;")
    assert "[Damage: 8]" in found[0].text and "\0" not in found[0].text
    for found in (read_body("\ud800[Damage: 8]", None), read_body(None, "\ud800[Damage: 8]")):
        assert found[0].text.encode() == b"?[Damage: 8]"


PIECES = (
    "[quote]|[/quote]|[quote=A]|[code]|[/code]|[spoiler]|[/spoiler]|[ooc]|[/ooc]|[url=http://a.b/c]|[/url]|[b]|[/b]|"
    "[roll=1d6]|[/roll]|[*]|[td]|\n| |word|[Damage: 8]|http://x.y/z|<b>|&lt;"
)
TAGS = (
    "<blockquote>|</blockquote>|<cite>A wrote:</cite>|<pre>|</pre>|<code>|</code>|<div class='spoiler'>|</div>|"
    "<a href='http://a.b/c'>|</a>|<p>|</p>|<br>|<span class='roll' data-dice='1d6'>|</span>|<td>|<table>|</table>|"
    "<script>|</script>| |\n|word|[Damage: 8]|&amp;|<div class='codebox'>|<b>|</b>"
)
MARKUP = st.lists(st.sampled_from(PIECES.split("|")), max_size=40)
HTML = st.lists(st.sampled_from(TAGS.split("|")), max_size=40)


@settings(max_examples=300)
@given(MARKUP)
def test_any_markup_gives_blocks_with_marks_in_place(parts):
    check(read_body("".join(parts), None))


@settings(max_examples=300)
@given(HTML)
def test_any_html_gives_blocks_with_marks_in_place(parts):
    check(read_body(None, "".join(parts)))


def check(found):
    for block in found:
        assert block.kind in ("own", "quote", "spoiler", "code", "signature", "ooc", "attachment")
        assert block.text == block.text.strip()
        for mark in block.marks:
            assert 0 <= mark.start <= mark.end <= len(block.text)
            assert mark.url or mark.dice


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("x<br>a <b2<br>HP: -5 | CHK: -0", "x\na \nHP: -5 | CHK: -0"),
        ("<p>x <kaito<br>y</p><p>z</p>", "x \ny\n\nz"),
        ("<p>a</p><p>b <c</p>(HP: -1)", "a\n\nb (HP: -1)"),
        ("was <tired<br>(HP: -5 | CHK: -0 | STM: -0)", "was \n(HP: -5 | CHK: -0 | STM: -0)"),
        ("<br>1 < 2<br>3 > 2", "1 < 2\n3 > 2"),
    ],
)
def test_a_broken_tag_takes_nothing_behind_it_along(html, text):
    assert "".join(block.text for block in body.read_fragment(html)).strip() == text


def test_an_add_ons_roll_stands_in_the_line_that_it_was_typed_in():
    """Its frame is a block of its own; the words around it are one sentence all the same."""
    roll = '<div class="rpg_dice_roll">d20 + 4 =&gt; (12) + 4 = 16</div>'
    assert blocks(html=f"To hit: {roll} vs DEF 15, hit<br>Damage:{roll}<br>done") == [
        ("own", "To hit: d20 + 4 => (12) + 4 = 16 vs DEF 15, hit\nDamage: d20 + 4 => (12) + 4 = 16 \ndone")
    ]
    assert blocks(html=f"<p>before</p>{roll}<p>after</p>") == [("own", "before\n\nd20 + 4 => (12) + 4 = 16 \n\nafter")]
