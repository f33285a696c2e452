"""Tags that say which of an account's fighters acts, where one account has several (X9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.d20_arena_mini import found, judged

TRAPS = {"moving": 7, "standing": 3, "damage": 3, "stops": True}
HIT = "1d20 ([roll=1d20]15[/roll]) + 4 = 19 vs Defense 13, hit; damage 2d6+3 = 11 [roll=2d6]3, 5[/roll]"


def of_two(tmp_path: Path, text: str, **more: object) -> list[object]:
    """The findings about a post of Hana's player, who plays Goro too."""
    return found(judged(tmp_path, ("hana", text), players={"Goro": "hana"}, traps=TRAPS, **more))


@pytest.mark.parametrize("label", ["[Trap: Hana: 1d20 = {}]", "[Trap (Hana): 1d20 = {}]", "[Trap: Hana - 1d20 = {}]"])
def test_a_trap_roll_may_name_its_fighter(label: str, tmp_path: Path) -> None:
    tag = label.replace("{}", "[roll=1d20]5[/roll], sprung")
    assert of_two(tmp_path, f"{tag}\nHana: 27/30 HP") == []
    assert of_two(tmp_path, f"{tag}\nHana: 30/30 HP") == [("d20_arena/hp", 30, [27])]
    wrong = label.replace("{}", "[roll=1d20]5[/roll], avoided")
    assert [code for code, *_ in of_two(tmp_path, wrong)] == ["d20_arena/trap"]


def test_a_trap_takes_the_action_of_its_own_fighter_only(tmp_path: Path) -> None:
    trap = "[Trap: Hana: 1d20 = [roll=1d20]5[/roll], sprung]\n"
    assert of_two(tmp_path, f"{trap}[Action: Goro: Volt Lash -> Golem 1: {HIT}]") == []
    assert [code for code, *_ in of_two(tmp_path, f"{trap}[Action: Hana: Volt Lash -> Golem 1: {HIT}]")] == [
        "d20_arena/trap"
    ]


@pytest.mark.parametrize("none", ["none", "none, trapped", "none (trapped)"])
def test_no_action_may_name_its_fighter(none: str, tmp_path: Path) -> None:
    trapped = "[Announce: Hana: Volt Lash on Golem 1]\n[Trap: Hana: 1d20 = [roll=1d20]5[/roll], sprung]\n"
    assert of_two(tmp_path, f"{trapped}[Action: Hana: {none}]") == []


@pytest.mark.parametrize("tag", ["[Help: Goro: Hana (legs): {}]", "[Help: Goro - Hana, legs: {}]"])
def test_help_may_name_who_helps(tag: str, tmp_path: Path) -> None:
    roll = "1d20 ([roll=1d20]13[/roll]) + 4 = 17, level 3 -> {}"
    assert of_two(tmp_path, tag.replace("{}", roll.format(1)), binds={"legs": 3}) == []
    assert of_two(tmp_path, tag.replace("{}", roll.format(2)), binds={"legs": 3}) == [("d20_arena/escape", 2, [1])]
