"""Blocks to scripts: links become anchors, what is not the poster's claim falls away (G8, G16)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.app.plugins import body_reader
from referee.engine.script import scripts_of
from referee.model.text import Block, Mark, Script
from tests.support.patience import allowed


def script(text: str) -> Script:
    return scripts_of(body_reader()(text, None))


def test_number_inside_a_link_is_covered_by_its_anchor() -> None:
    read = script("[20% to hit: rolled [url=http://d.example/1]70[/url], [url=http://d.example/2]17[/url]]")
    assert read.text == "[20% to hit: rolled 70, 17]"
    assert [(read.text[a.start : a.end], a.url) for a in read.anchors] == [
        ("70", "http://d.example/1"),
        ("17", "http://d.example/2"),
    ]


@pytest.mark.parametrize(
    "tail",
    [
        " [url=http://d.example/1]roll[/url] [url=http://d.example/2]Roll 2[/url]",
        " (http://d.example/1 http://d.example/2)",
        " [url]http://d.example/1[/url], [url]http://d.example/2[/url]",
    ],
)
def test_words_of_roll_links_are_dropped(tail: str) -> None:
    read = script(f"rolled 70, 17{tail}")
    assert read.text.strip(" ,") == "rolled 70, 17"
    assert [a.url for a in read.anchors] == ["http://d.example/1", "http://d.example/2"]


def test_words_that_matter_stay_inside_a_link() -> None:
    read = script("[Used [url=http://wiki.example/k]Kawarimi no Jutsu[/url]]")
    assert read.text == "[Used Kawarimi no Jutsu]"


def test_links_alone_on_the_next_line_belong_to_the_tag() -> None:
    read = script("[20% to hit: rolled 70]\n[url=http://d.example/1]roll[/url]\nprose")
    assert [a.url for a in read.anchors_after(read.text.index("]") + 1)] == ["http://d.example/1"]
    read = script("[20% to hit: rolled 70]\nprose [url=http://d.example/1]roll[/url]")
    assert read.anchors_after(read.text.index("]") + 1) == ()


def test_in_post_roll_keeps_its_dice() -> None:
    (anchor,) = script("Trap [roll=2d6]3, 5[/roll]").anchors
    assert (anchor.dice, anchor.values) == ("2d6", (3, 5))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\n____________________\nHP: -999", "a"),
        ("a ((OOC: is (HP: -0) right? :))) b", "a  b"),
        ("a\nOOC: nice [Damage: 5 x2]\nb", "a\n\nb"),
        ("a [ooc]HP: -4[/ooc] b", "a  b"),
        ("a [quote=Kaito][Damage: 5 x2][/quote] b", "a  b"),
        ("a [code](HP: -4)[/code] b", "a  b"),
        ("((OOC: never closed\nb", "b"),
        ("Out of character: next turn [Damage: 10 x2]\nb", "b"),
        ("OOC - next turn [Damage: 10 x2]\nb", "b"),
        ("((out of character, sorry [Damage: 10 x2])) b", "b"),
        ("OUT OF Character: next turn [Damage: 10 x2]\nb", "b"),
        (f"a\n \t{'_' * 10} \n[Damage: 5 x2]", "a"),
        ("so out of character - even for her: [Damage: 5 x2]", "so out of character - even for her: [Damage: 5 x2]"),
        ("she stepped out of character here\nb", "she stepped out of character here b"),
        ("[Damage: [s]12[/s] 14 x2]", "[Damage:  14 x2]"),
        ("a [s][Damage: 12 x2] [url=http://d.example/1]roll[/url][/s] b", "a b"),
        ("a [strike]x[/strike] [del]y[/del] [s]open\n[Strike]", "a open [Strike]"),
        ("a\n```\n(HP: -4)\n```\nb", "a b"),
    ],
)
def test_no_claims_of_the_poster(text: str, left: str) -> None:
    assert script(text).text.split() == left.split()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("**Hit:** 36 AGI", "Hit: 36 AGI"),
        ("***Response Phase***", "Response Phase"),
        ("__Damage__: *14* (_kick_)", "Damage: 14 (kick)"),
        ("## Round 2\n#3 stays", "Round 2\n#3 stays"),
        ("* **Golem 1:** 9/20 HP", "* Golem 1: 9/20 HP"),
        ("8 * 2 and 3*4*5, snake_case_name ** and __ alone", "8 * 2 and 3*4*5, snake_case_name ** and __ alone"),
        ("[Damage: 19 *2 (x) *3]", "[Damage: 19 *2 (x) *3]"),
        ("**[url=http://d.example/1]70[/url]**", "70"),
    ],
)
def test_marks_of_markdown_change_nothing(text: str, left: str) -> None:
    """As bold and italic of the board's own do (G16), where a board shows the marks as typed."""
    assert script(text).text == left


def test_spoilers_are_kept_apart() -> None:
    read = script("a [spoiler]Speed: 40[/spoiler] b")
    assert "Speed" not in read.text
    assert [s.text.strip() for s in read.spoilers] == ["Speed: 40"]


def test_look_alikes_are_one_spelling_and_quotes_keep_the_original() -> None:
    read = script("(HP: –13 | CHK: −0 | STM: —5)\u200b ×2 ＨＰ “x”")
    assert read.text == '(HP: -13 | CHK: -0 | STM: -5) x2 HP "x"'
    assert read.quote(0, 10) == "(HP: –13 |"


def test_a_signature_line_holds_nothing_but_its_sign() -> None:
    line = "_" * 10
    other = f"a\n{line}x\n_ {line}\nb"
    assert scripts_of([Block("own", other)]).text == other
    assert scripts_of([Block("own", f"{other}\n \t{line}\t\n[c]")]).text == f"{other}\n"


@pytest.mark.parametrize(
    "hostile",
    [
        "((OOC\n" * 100_000,
        "**a " * 50_000,
        "__a " * 50_000,
        "*a" * 50_000,
        "```" * 50_000,
        "((OOC: " * 20_000,
        "[" * 50_000,
        "____________\n" * 20_000,
        "____________x\n" * 20_000,
        "\ue000\ue001" * 5_000,
        "(http://a/ " * 5_000,
    ],
)
def test_hostile_text_takes_linear_time(hostile: str) -> None:
    began = time.process_time()
    script(hostile)
    assert time.process_time() - began < allowed(3)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("HP:" + " " * 50_000 + "x" + "\n" * 50_000 + "y", "HP: x\n\ny"),
        ("a  b", "a b"),
        ("a   b", "a b"),
        ("a\u00a0\u2003 \tb", "a b"),
        ("a  \n  b", "a\nb"),
        ("a\x1c\x1d \u2003b\x1f\x1f\x1fc", "a\n\nb c"),
        ("a\x1f\x1f\x1fb", "a b"),
        ("a \n\n b", "a\n\nb"),
        ("[Damage: 5   \n   x2]", "[Damage: 5\nx2]"),
        ("a\r\n\r\n\r\nb", "a\n\nb"),
    ],
)
def test_long_runs_of_blanks_are_shortened(text: str, short: str) -> None:
    assert script(f"{text}\nand so\non").text == f"{short}\nand so\non"


@pytest.mark.parametrize(
    ("text", "lines", "spaced"),
    [
        ("a\n\nb\n \nc", "a\nb\nc", True),
        ("a\n\nb\nc", "a\n\nb\nc", False),
        ("a\nb", "a\nb", False),
        ("a \n\t\nb\n\n\n\nc \n\n", "a\nb\nc", True),
    ],
)
def test_empty_lines_between_any_two_lines_part_nothing(text: str, lines: str, spaced: bool) -> None:
    read = script(text)
    assert (read.text, read.shown, read.spaced) == (lines, lines, spaced)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("HP: 31/40 \U0001f525", "HP: 31/40"),
        ("\U0001f4a8 Speed: 100\n\U0001f5e1\ufe0f\U0001f525[Damage: 5] \U0001f525 \nx", "Speed: 100\n[Damage: 5]\nx"),
        ("HP: 31/40 \u2764\ufe0f", "HP: 31/40 \u2764"),
        ("\U0001f7e9\U0001f7e9\u2b1c 31/40 \U0001f49a", "\U0001f7e9\U0001f7e9\u2b1c 31/40 \U0001f49a"),
        ("a \U0001f525 b", "a \U0001f525 b"),
        ("\U0001f525", ""),
    ],
)
def test_pictures_at_the_edges_of_lines_say_nothing(text: str, bare: str) -> None:
    assert script(text).text == bare


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("12 --> 9", "12 -> 9"),
        ("12 ==> 9", "12 => 9"),
        ("12 ->> 9", "12 -> 9"),
        ("12 ----> 9", "12 -> 9"),
        ("12 --------> 9", "12 -> 9"),
        ("12 =======> 9", "12 => 9"),
        ("<-->", "<-->"),
    ],
)
def test_long_arrows_are_arrows(text: str, short: str) -> None:
    assert script(text).text == short


def test_blanks_inside_brackets_say_nothing() -> None:
    assert script("[ Damage: 5 ] ( HP: -3 ) a ( b").text == "[Damage: 5] (HP: -3) a (b"


def test_links_stand_where_they_stood_without_the_empty_lines() -> None:
    text = "[55% to hit: rolled 90, 80]\n\nroll\n\nroll"
    marks = tuple(Mark(place, place + 4, url=f"http://d.example/{place}") for place in (29, 35))
    read = scripts_of([Block("own", text, marks=marks)])
    assert read.text == "[55% to hit: rolled 90, 80]\n\n"
    assert [(a.start, a.url) for a in read.anchors] == [(28, "http://d.example/29"), (29, "http://d.example/35")]


def test_lines_right_below_one_another_in_any_part_keep_the_empty_lines() -> None:
    quoted = Block("quote", "x")
    assert scripts_of([Block("own", "a\n\nb"), quoted, Block("own", "c\nd")]).text == "a\n\nb\nc\nd"
    assert scripts_of([Block("own", "a\n\nb"), quoted, Block("own", "c\n\nd")]).text == "a\nb\nc\nd"


@given(st.text(max_size=200), st.lists(st.tuples(st.integers(0, 200), st.integers(0, 20)), max_size=5))
def test_anchors_always_lie_inside_the_text(text: str, places: list[tuple[int, int]]) -> None:
    marks = tuple(Mark(min(a, len(text)), min(a + n, len(text)), url="http://d.example/1") for a, n in places)
    read = scripts_of([Block("own", text, marks=marks)])
    assert len(read.text) == len(read.shown)
    assert all(0 <= a.start <= a.end <= len(read.text) for a in read.anchors)


@pytest.mark.parametrize(
    ("text", "left", "doubtful"),
    [
        ("[B]HP:[/B] [color=#fff]5[/color]", "HP: 5", ""),
        ("[quote=bo]x [quote][HP 3][/quote][/quote]mine [b][HP 4][/b]", "mine [HP 4]", "x [HP 3]"),
        ("[quote]never closed [HP 3]", "[quote]never closed [HP 3]", ""),
        ("[s][HP 3][/s] [code][HP 3] x[/code] [HP 4]", "[HP 4]", ""),
        ("a [b] note, [HP 4]", "a [b] note, [HP 4]", ""),
    ],
)
def test_bbcode_that_the_board_shows_as_typed(text: str, left: str, doubtful: str) -> None:
    read = scripts_of([Block("own", text)])
    assert read.text.split() == left.split()
    assert " ".join(part.text for part in read.doubtful).split() == doubtful.split()


@pytest.mark.parametrize(
    "words",
    [
        "roll" + " " * 100_000 + "x",
        "https://a.b/" + ")" * 100_000 + " x",
        "see " * 25_000 + "x",
        "roll" + ") " * 50_000 + "x",
    ],
)
def test_hostile_words_of_a_link_take_linear_time(words: str) -> None:
    start = time.process_time()
    scripts_of([Block("own", f"rolled 4 {words} end", marks=(Mark(9, 9 + len(words), "http://dice.example/r/1"),))])
    assert time.process_time() - start < allowed(1)
