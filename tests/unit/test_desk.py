"""The dice desk: every `dice/*` code on both sides of its boundary, one fault - one finding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.model.battle import Edit, Post, RollRecord, Ruling
from tests.support.mini import judged, link, post, roll

OPEN = post("p1", "ada", 0, "[HP 20]")


def linked(*numbers: int, says: str = "", at: float = 10, name: str = "p2", **more: Any) -> Post:
    words = f"[Roll {says}]" + "".join(f" [url={link(n)}]roll[/url]" for n in numbers)
    return post(name, "bo", at, words, **more)


def codes(*posts: Post, rolls: list[RollRecord] | None, **more: Any) -> list[str]:
    return [finding.code for finding in judged(*posts, rolls=rolls, **more)]


def test_a_good_roll_is_no_finding() -> None:
    assert codes(OPEN, linked(1, says="1d20: 12"), rolls=[roll(1, 5, 12)]) == []


def test_one_link_may_hold_all_dice_and_more() -> None:
    assert codes(OPEN, linked(1, says="1d20: 12, 7"), rolls=[roll(1, 5, 12, 7, 3, dice="3d20")]) == []


def test_order_of_dice_is_no_fault() -> None:
    assert codes(OPEN, linked(1, says="1d20: 7, 12"), rolls=[roll(1, 5, 12, 7, dice="2d20")]) == []


def test_no_link() -> None:
    assert codes(OPEN, linked(says="1d20: 12"), rolls=[]) == ["dice/no-link"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("[Roll 1d20: 12]\nShe smiled.\nRolls: {one}", []),
        ("[Roll 1d20: 12, 7]\nShe smiled.\nMy dice are {one} and {two}, as you see.", []),
        ("[Roll 1d20: 12, 7]\nThe proof: {both}", []),
        ("[Roll 1d20: 12]\n[spoiler=dice]{one}[/spoiler]", []),
        ("[Roll 1d20: 12] [Roll 1d20: 7]\nHmm.\n{two} {one}", []),
        ("[Roll 1d20: 12]\nShe smiled.\nRolls: {two}", ["dice/no-link"]),
        ("[Roll 1d20: 12]\nHmm.\n[quote=Ada]{one}[/quote]", ["dice/no-link"]),
        ("[Roll 1d20: 12] [Roll 1d20: 12]\nHmm.\nRolls: {one}", ["dice/no-link"]),
        ("[Roll 1d20: 12] [Roll 1d20: 12 {one}]", ["dice/no-link"]),
        ("[Roll 1d100: 12]\nShe smiled.\nRolls: {one}", ["dice/no-link"]),
    ],
)
def test_links_that_stand_apart(words: str, found: list[str]) -> None:
    """A link elsewhere in the post proves a roll if its record shows just these dice, and no other roll uses it."""
    links = {"one": f"[url={link(1)}]a[/url]", "two": f"[url={link(2)}]b[/url]", "both": f"[url={link(3)}]c[/url]"}
    rolls = [roll(1, 5, 12), roll(2, 5, 7), roll(3, 5, 7, 12, dice="2d20")]
    assert codes(OPEN, post("p2", "bo", 10, words.format(**links)), rolls=rolls) == found


def test_in_post_roll_needs_no_link_but_the_right_dice() -> None:
    good = post("p2", "bo", 10, "[Roll 1d20: [roll=1d20]12[/roll]]")
    bad = post("p2", "bo", 10, "[Roll 1d20: [roll=1d100]12[/roll]]")
    assert codes(OPEN, good, rolls=[]) == []
    assert codes(OPEN, bad, rolls=[]) == ["dice/expression"]


@pytest.mark.parametrize(
    ("rolled", "found"),
    [
        ("[roll=1d20+4]16[/roll]", []),
        ("[roll=1d20]12 + 4 = 16[/roll]", []),
        ("[roll=2d20]12[/roll]", ["dice/expression"]),
        ("[roll=1d100+4]16[/roll]", ["dice/expression"]),
    ],
)
def test_a_total_made_by_the_board_is_no_wrong_die(rolled: str, found: list[str]) -> None:
    """A board that adds the bonus itself shows 16 for a 12: nobody has written a wrong number."""
    assert codes(OPEN, post("p2", "bo", 10, f"[Roll 1d20 x1: {rolled}]"), rolls=[]) == found


def test_a_total_of_several_rolls_proves_none_of_them() -> None:
    three = post("p2", "bo", 10, "[Roll 1d20 x3: [roll=3d20]40[/roll]]")
    assert codes(OPEN, three, rolls=[]) == ["post/unchecked"]
    other = post("p2", "bo", 10, "[Roll 2d6 x2: 3, 4 [roll=2d6]8[/roll]]")
    assert codes(OPEN, other, rolls=[]) == ["dice/values"]


def test_not_found_unknown_service_and_unreachable() -> None:
    assert codes(OPEN, linked(9, says="1d20: 12"), rolls=[roll(1, 5, 12)]) == ["dice/not-found"]
    stranger = post("p2", "bo", 10, "[Roll 1d20: 12] [url=http://else.example/1]roll[/url]")
    assert codes(OPEN, stranger, rolls=[roll(1, 5, 12)]) == ["dice/unknown-service"]
    dead = [RollRecord(link(1), status="unreachable")]
    assert codes(OPEN, linked(1, says="1d20: 12"), rolls=dead) == ["dice/unreachable"]
    assert codes(OPEN, linked(1, says="1d20: 12"), rolls=None) == ["dice/unreachable"]


def test_values_name_the_link_concerned() -> None:
    (finding,) = judged(OPEN, linked(1, 2, says="1d20: 12, 8"), rolls=[roll(1, 5, 12), roll(2, 5, 3)])
    assert (finding.code, finding.claimed, finding.expected) == ("dice/values", [8], [3])


def test_values_name_all_dice_of_one_record() -> None:
    (finding,) = judged(OPEN, linked(1, says="1d20: 12, 8"), rolls=[roll(1, 5, 12, 3, dice="2d20")])
    assert (finding.claimed, finding.expected) == ([12, 8], [12, 3])


def test_expression() -> None:
    assert codes(OPEN, linked(1, says="1d20: 12"), rolls=[roll(1, 5, 12, dice="1d12")]) == ["dice/expression"]
    two = linked(1, says="1d20: 12, 7")
    assert codes(OPEN, two, rolls=[roll(1, 5, 12, 7, dice="1d12")]) == ["dice/expression"]
    assert codes(OPEN, two, rolls=[roll(1, 5, 12, 7, dice="1d20")]) == []


@pytest.mark.parametrize(("values", "found"), [("12", ["dice/count"]), ("12, 7", []), ("12, 7, 3", ["dice/count"])])
def test_count(values: str, found: list[str]) -> None:
    record = roll(1, 5, 12, 7, 3, dice="3d20")
    assert codes(OPEN, linked(1, says=f"1d20 x2: {values}"), rolls=[record]) == found


def test_reused_stands_at_the_later_post_and_before_too_early() -> None:
    later = post("p3", "bo", 30, f"Once more. [Roll 1d20: 12] [url={link(1)}]roll[/url]")
    findings = judged(OPEN, linked(1, says="1d20: 12"), later, rolls=[roll(1, 5, 12)])
    assert [(f.code, f.post) for f in findings] == [("dice/reused", "p3")]


def test_a_fault_shows_the_post_and_the_record() -> None:
    (finding,) = judged(OPEN, linked(1, says="1d20: 12"), rolls=[roll(1, -5, 12)])
    assert (
        finding.message == "rolled at 2026-01-02 09:55:00 UTC, before p1 of 2026-01-02 10:00:00 UTC, which it answers"
    )
    assert [line.text for line in finding.trace] == [
        "the post: 12",
        "http://dice.example/r/1: 1d20 = 12, by Bo, for dodge, rolled at 2026-01-02 09:55:00 UTC",
    ]
    (bare,) = judged(OPEN, linked(says="1d20: 12, 7"), rolls=[])
    assert bare.message == "rolls of 12, 7 are claimed without a link or a roll made by the board"


def test_different_dice_of_one_record_serve_two_tags() -> None:
    both = post("p2", "bo", 10, f"[Roll 1d20: 12] [url={link(1)}]roll[/url]\n[Roll 1d20: 7] [url={link(1)}]roll[/url]")
    assert codes(OPEN, both, rolls=[roll(1, 5, 12, 7, dice="2d20")]) == []
    same = post("p2", "bo", 10, f"[Roll 1d20: 12] [url={link(1)}]roll[/url]\n[Roll 1d20: 12] [url={link(1)}]roll[/url]")
    assert codes(OPEN, same, rolls=[roll(1, 5, 12, 7, dice="2d20")]) == ["dice/reused"]


@pytest.mark.parametrize(("by", "found"), [("Bo", []), ("BO", []), ("bo", []), ("Ada", ["dice/roller"])])
def test_roller(by: str, found: list[str]) -> None:
    assert codes(OPEN, linked(1, says="1d20: 12"), rolls=[roll(1, 5, 12, by=by)]) == found


@pytest.mark.parametrize(("at", "found"), [(-0.1, ["dice/too-early"]), (0, []), (10, []), (10.1, ["dice/too-late"])])
def test_time_window(at: float, found: list[str]) -> None:
    assert codes(OPEN, linked(1, says="1d20: 12"), rolls=[roll(1, at, 12)]) == found


def test_a_roll_before_the_own_previous_turn_is_too_early() -> None:
    posts = (
        OPEN,
        post("p2", "bo", 10, "[HP 5]"),
        post("x", "bo", 20, "just talk"),
        linked(1, says="1d20: 12", at=30, name="p3"),
    )
    assert codes(*posts, rolls=[roll(1, 9, 12)]) == ["dice/too-early"]
    assert codes(*posts, rolls=[roll(1, 11, 12)]) == []


def test_a_roll_between_post_and_edit_is_in_time() -> None:
    assert codes(OPEN, linked(1, says="1d20: 12", edited=20), rolls=[roll(1, 15, 12)]) == []
    assert codes(OPEN, linked(1, says="1d20: 12", edited=20), rolls=[roll(1, 21, 12)]) == ["dice/too-late"]


def test_after_an_edit_of_unknown_time_a_late_roll_is_not_checked() -> None:
    edited = replace(linked(1, says="1d20: 12"), edited=Edit())
    assert codes(OPEN, edited, rolls=[roll(1, 10, 12)]) == []
    assert codes(OPEN, edited, rolls=[roll(1, 21, 12)]) == ["post/unchecked"]


def test_a_coarse_time_accuses_nobody() -> None:
    assert codes(OPEN, linked(1, says="1d20: 12", precision="minute"), rolls=[roll(1, 10.9, 12)]) == []
    assert codes(OPEN, linked(1, says="1d20: 12", precision="minute"), rolls=[roll(1, 11.1, 12)]) == ["dice/too-late"]
    assert codes(OPEN, linked(1, says="1d20: 12", precision="unknown"), rolls=[roll(1, 500, 12)]) == []


@pytest.mark.parametrize(
    ("spare", "found"),
    [
        (roll(2, 5, 3), ["dice/fished"]),
        (roll(2, 5, 3, by="bo"), ["dice/fished"]),
        (roll(2, -1, 3), []),
        (roll(2, 11, 3), []),
        (roll(2, 5, 3, by="Ada"), []),
        (roll(2, 5, 3, dice="1d100"), []),
    ],
)
def test_fished(spare: RollRecord, found: list[str]) -> None:
    used = [roll(1, 6, 12)]
    assert codes(OPEN, linked(1, says="1d20: 12"), rolls=used, siblings=(spare,)) == found


def test_a_sibling_that_another_post_uses_is_not_fished() -> None:
    posts = (OPEN, linked(1, says="1d20: 12"), linked(2, says="1d20: 3", at=20, name="p3", edited=25))
    assert codes(*posts, rolls=[roll(1, 6, 12), roll(2, 15, 3)], siblings=(roll(2, 15, 3),)) == []


def test_altered_is_the_only_finding() -> None:
    record = roll(1, 5, 12, earlier=(roll(1, 5, 2),))
    assert codes(OPEN, linked(1, says="1d20: 2"), rolls=[record]) == ["dice/altered"]
    assert codes(OPEN, linked(1, says="1d20: 12"), rolls=[roll(1, 5, 12, earlier=(roll(1, 5, 12),))]) == []


def test_a_voided_roll_is_not_judged() -> None:
    ruling = Ruling("p2", {"void_roll": link(1)})
    assert codes(OPEN, linked(1, says="1d20: 9"), rolls=[roll(1, 5, 12)], rulings=(ruling,)) == ["post/unchecked"]


def test_the_first_dice_of_a_record_serve() -> None:
    (finding,) = judged(OPEN, linked(1, says="1d20: 12"), rolls=[roll(1, 5, 3, 12, dice="2d20")])
    assert (finding.code, finding.claimed, finding.expected) == ("dice/values", [12], [3])


def test_one_link_for_two_dice_of_a_single_die_is_reused() -> None:
    twice = post("p2", "bo", 10, f"[Roll 1d20: [url={link(1)}]12[/url], [url={link(1)}]7[/url]]")
    assert codes(OPEN, twice, rolls=[roll(1, 5, 12)]) == ["dice/reused"]


def test_board_made_and_linked_dice_in_one_roll() -> None:
    words = f"[Roll 1d20: [roll=1d20]12[/roll], [url={link(1)}]%s[/url]]"
    assert codes(OPEN, post("p2", "bo", 10, words % 7), rolls=[roll(1, 5, 7)]) == []
    assert codes(OPEN, post("p2", "bo", 10, words % 8), rolls=[roll(1, 5, 7)]) == ["dice/values"]


def test_a_record_that_nobody_links_is_not_fished() -> None:
    assert codes(OPEN, linked(1, says="1d20: 12"), rolls=[roll(1, 6, 12), roll(2, 5, 3)]) == []


def test_without_any_known_service_every_link_is_a_stranger() -> None:
    """G9 by the letter; it is the milder of the two words that the notation offers (X6)."""
    assert codes(OPEN, linked(9, says="1d20: 12"), rolls=[]) == ["dice/unknown-service"]
