"""Corrections in other words, posts said again, what stands twice in a post, typed marks (G16, G25)."""

from __future__ import annotations

import time

import pytest

from referee.app.plugins import body_reader
from referee.engine.corrections import Strength, leads_of, rewritten
from referee.engine.script import scripts_of
from referee.engine.twice import said_once
from referee.model.text import Script
from tests.support.mini import judged, link, post, roll
from tests.support.patience import allowed


def script(text: str) -> Script:
    return scripts_of(body_reader()(text, None))


def found(*posts: object) -> list[tuple[str, str]]:
    return [(f.code, f.post) for f in judged(*posts)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "strength", "said"),
    [
        ("Edit: (HP: -0)", Strength.LABEL, " (HP: -0)"),
        ("[Edit: forgot 5 stamina]", Strength.LABEL, "forgot 5 stamina"),
        ("((edited: forgot 5 stamina))", Strength.LABEL, "forgot 5 stamina"),
        ("Correction - forgot 5 stamina", Strength.LABEL, "forgot 5 stamina"),
        ("Edit - Golem 1: 10/20 HP", Strength.LABEL, "Golem 1: 10/20 HP"),
        ("EDIT 2: (HP: -0)", Strength.LABEL, " (HP: -0)"),
        ("*edit* (HP: -0)", Strength.LABEL, "(HP: -0)"),
        ("Mod edit: (HP: -0)", Strength.LABEL, "(HP: -0)"),
        ("Edit (forgot 5 stamina): (HP: -0)", Strength.LABEL, " (HP: -0)"),
        ("Oops, Edit: (HP: -0)", Strength.LABEL, "(HP: -0)"),
        ("Ah, sorry! [Edit] (HP: -0)", Strength.LABEL, "(HP: -0)"),
        ("lol correction: (HP: -0)", Strength.LABEL, "(HP: -0)"),
        ("Oops, that should be (HP: -0)", Strength.TOLD, "(HP: -0)"),
        ("My bad, the Loss Tag should read (HP: -0)", Strength.TOLD, "(HP: -0)"),
        ("Scratch that, it should be STM: -10", Strength.TOLD, "STM: -10"),
        ("Fixed my tag: (HP: -0)", Strength.TOLD, "(HP: -0)"),
        ("I forgot 5 stamina", Strength.TOLD, "I forgot 5 stamina"),
        ("No, wait, (HP: -0)", Strength.SORRY, "(HP: -0)"),
    ],
)
def test_first_words_of_corrections(text: str, strength: Strength, said: str) -> None:
    read = script(text)
    lead = next(leads_of(read))
    assert (lead.strength, read.text[lead.end : lead.stop]) == (strength, said)


@pytest.mark.parametrize(
    "text",
    [
        "Editing took years.",
        "Well, editing took years.",
        "Nobody moved.",
        "Right hand up!",
        '"Correction:" she said.',
        "",
    ],
)
def test_prose_has_no_such_words(text: str) -> None:
    assert list(leads_of(script(text))) == []


def test_rewriting_keeps_places_and_quotes() -> None:
    read = script("Oops, that should be [url=http://d.example/1]12[/url] (HP: -0)")
    new = rewritten(read, next(leads_of(read)))
    assert new is not None
    assert new.text.startswith("Edit: ")
    assert (len(new.text), new.shown, new.anchors) == (len(read.text), read.shown, read.anchors)
    short = script("Forgot 5 [url=http://d.example/1]12[/url]")
    moved = rewritten(short, next(leads_of(short)))
    assert moved is not None
    assert moved.quote(0, len(moved.text)) == "Forgot 5 12"
    (anchor,) = moved.anchors
    assert moved.text[anchor.start : anchor.end] == "12"


SLIP = post("p1", "ada", 0, "[HP 13]")
ANSWER = post("p3", "bo", 10, "[HP 9]")


@pytest.mark.parametrize(
    ("mend", "notices"),
    [
        ("[Edit: [HP 14]]", []),
        ("EDIT 2 - [HP 14]", []),
        ("Oops, that should be [HP 14]", [("post/unchecked", "p2")]),
        ("Oops: [HP 14]", [("post/unchecked", "p2")]),
    ],
)
def test_corrections_in_other_words(mend: str, notices: list[tuple[str, str]]) -> None:
    assert found(SLIP, post("p2", "ada", 5, mend), ANSWER) == notices


@pytest.mark.parametrize(
    "text",
    ["Oops, she thought, and swung: [HP 13]", "Sorry, busy week! [HP 13]", "Edit: a typo.\n\nA tale.\n\n[HP 13]"],
)
def test_turns_that_begin_like_corrections(text: str) -> None:
    assert found(post("p1", "ada", 0, "[HP 14]"), post("p2", "ada", 5, text)) == [("mini/hp", "p2")]


def test_an_apology_after_others_have_posted_is_a_turn() -> None:
    late = post("p4", "ada", 15, "Oops: [HP 13]")
    assert found(post("p1", "ada", 0, "[HP 14]"), ANSWER, late) == [("mini/hp", "p4")]


def test_a_label_without_anything_that_can_be_read_is_named() -> None:
    assert found(post("p1", "ada", 0, "[HP 14]"), post("p2", "ada", 5, "Edit: 12, I mean")) == [
        ("post/unchecked", "p2")
    ]
    assert found(post("p1", "ada", 0, "[HP 14]"), post("p2", "ada", 5, "Edit: a typo")) == []


TALE = "Ada looked at the gate for a long while, and then at the river, and sighed."


def test_a_post_sent_twice_is_one() -> None:
    one = f"{TALE}\n[HP 13]"
    assert found(post("p1", "ada", 0, one), post("p2", "ada", 1, one)) == [("mini/hp", "p1"), ("post/unchecked", "p2")]
    assert found(post("p1", "ada", 0, "[HP 13]"), post("p2", "ada", 30, "[HP 13]")) == [
        ("mini/hp", "p1"),
        ("mini/hp", "p2"),
    ]


def test_a_post_told_again_takes_the_place_of_the_first() -> None:
    slip = post("p1", "ada", 0, f"{TALE}\n[HP 13]")
    assert found(slip, post("p2", "ada", 30, f"{TALE}\n[HP 14]")) == [("post/unchecked", "p2")]
    assert found(post("p1", "ada", 0, f"{TALE}\n[HP 14]"), post("p2", "ada", 30, f"{TALE}\n[HP 13]")) == [
        ("mini/hp", "p1"),
        ("post/unchecked", "p2"),
    ]


def test_the_same_few_words_below_all_claims_tell_no_tale() -> None:
    posts = [post(f"p{at}", "ada", at, f"[HP {20 - at}]\n\n{TALE}") for at in (0, 7)]
    assert found(*posts) == [("mini/hp", "p7")]
    posts = [post(f"p{at}", "ada", at, f"[HP {20 - at}]\n\n{TALE} {TALE} {TALE}") for at in (0, 7)]
    assert found(*posts)[-1] == ("post/unchecked", "p7")


def test_a_heading_of_all_posts_tells_no_tale() -> None:
    first = post("p0", "ada", -60, f"{TALE}\n[HP 20]")
    posts = (first, post("x", "bo", -30, "[HP 9]"), post("p1", "ada", 0, f"{TALE}\n[HP 13]"))
    assert found(*posts, post("p2", "ada", 30, f"{TALE}\n[HP 13]")) == [("mini/hp", "p1"), ("mini/hp", "p2")]


def test_rolls_that_are_not_shown_again_make_a_new_turn() -> None:
    old = post("p1", "ada", 0, f"{TALE}\n[Roll 1d20: [roll=1d20]3[/roll]]\n[HP 13]")
    new = post("p2", "ada", 5, f"Reposting:\n{TALE}\n[Roll 1d20: [roll=1d20]19[/roll]]\n[HP 13]")
    assert found(old, new) == [("mini/hp", "p1"), ("mini/hp", "p2")]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{TALE}\n[HP 3]\n\n{TALE}\n[HP 3]", f"{TALE} [HP 3]"),
        ("[HP 3]\n[HP 3]", "[HP 3] [HP 3]"),
        ("Kick!\n[HP 3]\nKick!\n[HP 3]", "Kick! [HP 3] Kick! [HP 3]"),
        ("a [HP 3]\n\nSummary:\n[HP 3]\n[HP 4]", "a [HP 3] Summary: [HP 4]"),
        ("Recap: [HP 3]\n\nb\n[HP 3]\n[HP 3]", "Recap: b [HP 3] [HP 3]"),
        ("a\nRat: 3/9\n\nTL;DR\n- Rat: 3/9", "a Rat: 3/9 TL;DR -"),
        ("The summary of it all [HP 3]\n[HP 3]", "The summary of it all [HP 3] [HP 3]"),
    ],
)
def test_what_stands_twice_counts_once(text: str, left: str) -> None:
    read, _ = said_once(script(text))
    assert read.text.split() == left.split()
    assert len(read.text) == len(read.shown)


@pytest.mark.parametrize(
    ("text", "left", "doubtful"),
    [
        ("> [HP 3]\n> x\nmine [HP 4]", "mine [HP 4]", "[HP 3] x"),
        ("a -> b\n5 > 3", "a -> b 5 > 3", ""),
        ("`[HP 3]` and `70`", "and 70", "[HP 3]"),
        ("don`t [HP 3] can`t", "don't [HP 3] can't", ""),
        ("a\n-- \n[HP 3]", "a -- [HP 3]", ""),
        ("a\n--\n[HP 3]", "a -- [HP 3]", ""),
        ("(HP: ~~-10~~ -20)", "(HP: -20)", ""),
        ("~~Main Phase~~\na ~~~ b", "~~Main Phase~~ a ~~~ b", ""),
    ],
)
def test_marks_typed_in_the_text(text: str, left: str, doubtful: str) -> None:
    read = script(text)
    assert read.text.split() == left.split()
    assert " ".join(part.text for part in read.doubtful).split() == doubtful.split()


def test_a_quotation_is_named_unless_somebody_said_it() -> None:
    said = post("p1", "ada", 0, "[HP 20]")
    assert found(said, post("p2", "bo", 5, "> [HP 20]\nhm")) == []
    assert found(said, post("p2", "bo", 5, "> [HP 9]")) == [("post/unread-tag", "p2")]
    assert found(said, post("p2", "bo", 5, "hm\n> [HP 9]")) == [("post/unread-tag", "p2")]
    assert found(said, post("p2", "bo", 5, "> [HP 13]\n[HP 9]")) == [("post/unchecked", "p2")]
    assert found(said, post("p2", "bo", 5, "> [HP 9]\n[HP 9]")) == []


def test_a_reply_to_what_nobody_said_is_no_turn() -> None:
    found = judged(post("p1", "ada", 0, "[HP 20]"), post("p2", "bo", 5, "> [HP 9]\nNice one!"))
    assert [(f.code, f.post) for f in found] == [("post/unchecked", "p2")]
    assert "[HP 9]" in found[0].message


def test_a_mark_of_a_signature_is_one_where_the_author_ends_posts_so() -> None:
    """A mark that parts a scene from its tags hides none of them."""
    assert found(post("p1", "ada", 0, "a\n-- \n[HP 13]"), post("p2", "ada", 9, "b")) == [("mini/hp", "p1")]
    two = post("p1", "ada", 0, "a\n-- \n[HP 13]"), post("p2", "ada", 9, "b\n-- \n[HP 14]")
    assert found(*two) == [("mini/hp", "p1")]
    signed = [post(f"p{n}", "ada", n, f"words of post {n} [HP 14]\n-- \n[HP 13]") for n in range(3)]
    assert found(*signed) == []


def test_a_summary_repeats_whole_lines_and_the_same_rolls_only() -> None:
    links = [f"[url=http://dice.example/r/{n}]roll[/url]" for n in (1, 2)]
    for text in (
        "Rat 9 (surprise) hits\n\nSummary:\nRat 8 (surprise) misses",
        f"Roll: 12 {links[0]}\n\nSummary:\nRoll: 12 {links[1]}",
        f"[Roll 1d20: 12] {links[0]}\n\nSummary:\n[Roll 1d20: 12] {links[1]}",
        "[roll=1d20]12[/roll]\n\nSummary:\n[roll=1d20]12[/roll]",
    ):
        assert said_once(script(text))[1] is None
    again = f"[Roll 1d20: 12] {links[0]}\n\nSummary:\n[Roll 1d20: 12] {links[0]}"
    assert said_once(script(again))[1] is not None


def test_one_tag_twice_with_one_link_is_a_roll_used_twice() -> None:
    tag = "[Roll 1d20: [url=http://dice.example/r/1]12[/url]] to get out of the way of the cart\n"
    assert said_once(script(tag * 2))[1] is None
    assert said_once(script((tag + "[HP 3]\n") * 2))[1] is not None


def test_an_apology_with_a_new_roll_is_a_turn() -> None:
    old, new = (f"[Roll 1d20: [url={link(n)}]12[/url]]" for n in (1, 2))
    rolls = [roll(1, -1, 12, by="Ada"), roll(2, 3, 12, by="Ada")]
    again = judged(post("p1", "ada", 0, old), post("p2", "ada", 5, f"Oh! {new}"), rolls=rolls)
    assert again == ()
    same = judged(post("p1", "ada", 0, old), post("p2", "ada", 5, f"Oh! {old.replace('12[', '13[')}"), rolls=rolls)
    assert ("post/unchecked", "p2") in [(f.code, f.post) for f in same]


@pytest.mark.parametrize("first", ["Fixed it.", "The right post fell.", "Edit: typo", "Posting this again."])
def test_two_turns_running_that_share_a_tag_are_two(first: str) -> None:
    """Words that may announce a repetition stand in prose too, and turns end alike."""
    one = "The guards changed at eleven, and once more at midnight that year.\n\n[HP 14] [HP 15]"
    other = "There was no plan left, and there had barely been one before.\n\n[HP 14] [HP 13]"
    turns = post("p1", "ada", 0, one), post("p2", "ada", 50, f"{first}\n\n{other}")
    assert found(*turns) == [("mini/hp", "p2")]


@pytest.mark.parametrize(
    "hostile",
    [
        *("Edit: " * 50_000, "oops, " * 50_000, "that should be " * 30_000, "((((edit: " * 9_999, "i forgot " * 20_000),
        *("Summary:\n" * 30_000, "Summary\n" + "[a]\n" * 20_000 + "\n" + "[a]" * 20_000, "tl;dr\n" + "b\n" * 40_000),
        *("> " * 50_000, ">\n" * 50_000, "`a" * 50_000, "`[a`" * 30_000, "~~a" * 50_000, "~~a~~" * 30_000),
        *("\n-- \n" * 30_000, "a\n" * 50_000),
    ],
)
def test_hostile_text_takes_linear_time(hostile: str) -> None:
    began = time.process_time()
    read, _ = said_once(script(hostile))
    list(leads_of(read))
    assert time.process_time() - began < allowed(3)


@pytest.mark.parametrize("unit", ["[HP 14] word ", "[HP 14]\n"])
def test_many_claims_of_one_post_take_linear_time(unit: str) -> None:
    text = unit * (250_000 // len(unit))
    posts = post("p1", "ada", 0, text), post("p2", "ada", 20, text), post("p3", "ada", 40, "Edit: " + text)
    began = time.process_time()
    judged(*posts)
    assert time.process_time() - began < allowed(5)


def test_thousands_of_posts_by_one_author_take_linear_time() -> None:
    tale = "The rain fell on the old mill, and nobody had the heart to go and look.\n"
    for text in (tale + "[HP 14]", "Edit: [HP 14]", "Edit: no 5"):
        posts = [post(f"p{n}", "ada", 60 * n, text if n else "[HP 15]") for n in range(3000)]
        began = time.process_time()
        judged(*posts)
        assert time.process_time() - began < allowed(4)


def test_an_edit_of_a_corrections_words_changes_no_claim() -> None:
    mend = post("p2", "ada", 5, "Oops, that should be [HP 14]", "Oops, sorry, that should be [HP 14]", edited=20)
    assert found(SLIP, mend, ANSWER) == [("post/unchecked", "p2")]
