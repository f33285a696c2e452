"""The number that a change of HP starts from: a wrong one is found once, where the new one fits (A16)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.d20_arena_mini import found, judged

HIT = (
    "[Announce: Volt Lash on Golem 1]\n"
    "[Action: Volt Lash -> Golem 1: 1d20 ([roll=1d20]15[/roll]) + 4 = 19 vs DEF 13, hit;"
    " damage 2d6 [[roll=2d6]3, 5[/roll]] + 3 = 11]\n"
)
MISS = (
    "[Announce: Volt Lash on Golem 2]\n"
    "[Action: Volt Lash -> Golem 2: 1d20 ([roll=1d20]2[/roll]) + 4 = 6 vs DEF 12, miss]\n"
)
SLAM = (
    "[Action: Golem 1: Slam -> Hana: 1d20 ([roll=1d20]15[/roll]) + 4 = 19 vs DEF 14, hit;"
    " damage 1d6 [[roll=1d6]4[/roll]] + 1 = 5]\n"
)
ARROWS = [
    "Golem 1 HP: {} -> 29",
    "Golem 1: {} -> 29 HP",
    "Golem 1: HP {} -> 29",
    "Golem 1: {}/40 HP -> 29/40",
    "Golem 1: {} -> 29/40 HP",
    "Golem 1's HP: {} => 29",
]
SUMS = [("Golem 1 HP: {} - {} = 29", 29), ("Golem 1: {} - {} = 29/40 HP", 29)]


@pytest.mark.parametrize("line", ARROWS)
def test_a_wrong_old_number_is_found_where_it_is_first_written(line: str, tmp_path: Path) -> None:
    for old, findings in ((40, []), (37, [("d20_arena/hp", 37, [40])])):
        posts = [("hana", HIT + line.format(old)), ("goro", MISS + line.format(old)), ("gm", line.format(old))]
        assert found(judged(tmp_path, *posts)) == findings


@pytest.mark.parametrize(("line", "now"), SUMS)
def test_the_first_addend_is_the_old_number(line: str, now: int, tmp_path: Path) -> None:
    assert found(judged(tmp_path, ("hana", HIT + line.format(40, 40 - now)))) == []
    assert found(judged(tmp_path, ("hana", HIT + line.format(37, 37 - now)))) == [("d20_arena/hp", 37, [40])]


def test_two_wrong_numbers_are_one_fault(tmp_path: Path) -> None:
    line = "Golem 1 HP: 37 -> 26"
    posts = [("hana", HIT + line), ("goro", MISS + line)]
    assert found(judged(tmp_path, *posts)) == [("d20_arena/hp", 26, [29])]


def test_any_number_of_before_will_do(tmp_path: Path) -> None:
    gm = SLAM + "Hana: 25/30 HP"
    again = SLAM + "Hana: 20/30 HP"
    for old in (30, 25):
        assert (
            found(
                judged(tmp_path, ("hana", HIT), ("gm", gm), ("hana", MISS), ("gm", again), ("hana", f"HP: {old} -> 20"))
            )
            == []
        )
    # Two hits in one post, the steps unwritten.
    assert found(judged(tmp_path, ("gm", f"{SLAM}{SLAM}Hana HP: 25 -> 20"))) == []
    assert found(judged(tmp_path, ("gm", f"{SLAM}{SLAM}Hana HP: 27 -> 20"))) == [("d20_arena/hp", 27, [25])]


def test_what_is_no_old_number(tmp_path: Path) -> None:
    assert found(judged(tmp_path, ("hana", f"HP: 25 + 5 = 30/30\n{MISS}"))) == []  # how the maximum is made up
    assert found(judged(tmp_path, ("hana", HIT + "Golem 1: 29/40 HP -11"))) == []


def test_words_explain_an_old_number(tmp_path: Path) -> None:
    told = "The spores of the cave heal Golem 1 by 2 HP before the lash lands, and cost it 2 HP later.\n"
    codes = [code for code, *_ in found(judged(tmp_path, ("hana", told + HIT + "Golem 1 HP: 42 -> 29")))]
    assert codes == ["post/unchecked"]


def test_behind_something_unread_no_old_number_is_judged(tmp_path: Path) -> None:
    unread = "[Announce: Volt Lash on Golem 1]\n[Action: Volt Lash -> Golem 1: lots]\n"
    posts = [("hana", unread), ("gm", "Golem 1: 33/40 HP"), ("goro", MISS + "Golem 1 HP: 36 -> 33")]
    assert [code for code, *_ in found(judged(tmp_path, *posts))] == ["post/unread-tag"]


def test_a_bare_change_from_a_number_that_never_was_is_named(tmp_path: Path) -> None:
    assert found(judged(tmp_path, ("hana", HIT + "Golem 1: 40 -> 29"))) == []
    assert [code for code, *_ in found(judged(tmp_path, ("hana", HIT + "Golem 1: 37 -> 26")))] == ["post/unchecked"]
