"""A hit roll for each target in one tag (A10)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.support.d20_arena_mini import found, judged
from tests.support.patience import allowed

ANNOUNCED = "[Announce: Arc Wave on Golem 1 and Golem 2]\n"
FIRST = "1d20 ([roll=1d20]15[/roll]) + 2 = 17 vs DEF 13, hit; damage 1d6 [[roll=1d6]3[/roll]] + 1 = 4"
SECOND = "1d20 ([roll=1d20]12[/roll]) + 2 = {} vs DEF 12, hit; damage 1d6 [[roll=1d6]2[/roll]] + 1 = {}"
TAGS = [
    "[Action: Arc Wave -> Golem 1: {}; Golem 2: {}]",
    "[Action: Arc Wave -> Golem 1: {} / Golem 2: {}]",
    "[Action: Arc Wave -> Golem 1: {}; and Golem 2: {}]",
    "[Action: Arc Wave -> Golem 1: {}, vs Golem 2: {}]",
    "[Action: Arc Wave -> Golem 1: {}; -> Golem 2: {}]",
    "[Action: Arc Wave -> Golem 1: {}; Arc Wave -> Golem 2: {}]",
    "[Action: Arc Wave -> Golem 1: {} | Golem 2, {}]",
    "[Action: Hana: Arc Wave -> Golem 1: {}; Golem 2: {}]",
    "[Action: Arc Wave -> Golem 1 and Golem 2: {}; {}]",
]
HP = "\nGolem 1: 36/40 HP\nGolem 2: {}/30 HP"


@pytest.mark.parametrize("tag", TAGS)
def test_each_target_has_its_own_roll_and_damage(tag: str, tmp_path: Path) -> None:
    def of(total: int, damage: int, hp: int) -> list[tuple[str, object, object]]:
        text = ANNOUNCED + tag.format(FIRST, SECOND.format(total, damage)) + HP.format(hp)
        return found(judged(tmp_path, ("hana", text)))

    assert of(14, 3, 27) == []
    assert of(15, 3, 27) == [("d20_arena/total", 15, [14])]
    assert of(14, 4, 26) == [("d20_arena/damage", 4, [3])]
    assert of(14, 3, 25) == [("d20_arena/hp", 25, [27])]


def test_a_miss_has_no_damage(tmp_path: Path) -> None:
    missed = "1d20 ([roll=1d20]9[/roll]) + 2 = 11 vs DEF 12, {}"
    text = ANNOUNCED + TAGS[0].format(FIRST, missed) + HP
    assert found(judged(tmp_path, ("hana", text.format("miss", 30)))) == []
    assert [code for code, *_ in found(judged(tmp_path, ("hana", text.format("hit", 30))))] == ["post/unread-tag"]


def test_hp_may_stand_behind_each_roll(tmp_path: Path) -> None:
    second = f"{SECOND.format(14, 3)}; Golem 2: {{}}/30 HP"
    text = f"{ANNOUNCED}[Action: Arc Wave -> Golem 1: {FIRST} (36/40 HP); Golem 2: {second}]"
    assert found(judged(tmp_path, ("hana", text.format(27)))) == []
    assert found(judged(tmp_path, ("hana", text.format(28)))) == [("d20_arena/hp", 28, [27])]


@pytest.mark.parametrize(
    "tag",
    [
        "[Action: Arc Wave -> Golem 1: {}; {}]",
        "[Action: Arc Wave -> Golem 1: {}; the other one: {}]",
        "[Action: Arc Wave -> Golem 1 and Golem 2: {}; Golem 3: {}]",
    ],
)
def test_a_roll_of_nobody_is_named(tag: str, tmp_path: Path) -> None:
    report = judged(tmp_path, ("hana", ANNOUNCED + tag.format(FIRST, SECOND.format(14, 3))))
    assert [finding.code for finding in report.findings] == ["post/unread-tag"]


@pytest.mark.parametrize("piece", ["; Golem 2: 1d20 ", ", and ", "; -> ", "1d20 ", "; Arc Wave -> Golem 2 "])
def test_many_rolls_in_one_tag_take_little_time(piece: str, tmp_path: Path) -> None:
    began = time.perf_counter()
    judged(tmp_path, ("hana", f"[Action: Arc Wave -> Golem 1: {piece * (40_000 // len(piece))}]"))
    assert time.perf_counter() - began < allowed(2)
