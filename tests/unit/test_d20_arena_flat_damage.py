"""Damage without dice: abilities whose damage is a plain number, and numbers where dice are due."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.model.report import ThreadReport
from tests.support.d20_arena_mini import ABILITIES, found, judged

TABLE = ABILITIES | {
    "Dart": {"type": "damage", "range": "ranged", "to_hit": 4, "damage": 5},
    "Stone": {"type": "damage", "range": "melee", "damage": "3"},
}
ON = "[Announce: Dart on Golem 1]\n[Action: Dart -> Golem 1: 1d20 ([roll=1d20]15[/roll]) + 4 = 19 vs DEF 13, hit; "
CRITICAL = ON.replace("15[", "20[").replace("19 vs", "24 vs").replace("hit;", "natural 20, critical hit;")
LOOSE = "[Announce: Dart on Golem 1]\nTo hit: 1d20 ([roll=1d20]15[/roll]) + 4 = 19 vs DEF 13 - Hit!\n"


def report(tmp_path: Path, *posts: tuple[str, str], **more: Any) -> ThreadReport:
    return judged(tmp_path, *posts, abilities=TABLE, **more)


@pytest.mark.parametrize(
    "text",
    [
        ON + "damage {}]",
        ON + "dmg {}]",
        ON + "damage: {} damage to Golem 1]",
        ON + "damage {} fire damage]",
        ON + "damage 3 + 2 = {}]",
        LOOSE + "Damage: {}",
    ],
)
def test_a_plain_number_is_held_against_the_table(text: str, tmp_path: Path) -> None:
    assert found(report(tmp_path, ("hana", f"{text.format(5)}\nGolem 1: 35/40 HP"))) == []
    assert found(report(tmp_path, ("hana", f"{text.format(5)}\nGolem 1: 34/40 HP"))) == [("d20_arena/hp", 34, [35])]
    assert found(report(tmp_path, ("hana", f"{text.format(7)}\nGolem 1: 33/40 HP"))) == [("d20_arena/damage", 7, [5])]


@pytest.mark.parametrize("damage", ["5 + crit 1d6 [[roll=1d6]4[/roll]] = {}", "5+1d6 = {} [roll=1d6]4[/roll]"])
def test_a_critical_adds_its_die_to_a_plain_number(damage: str, tmp_path: Path) -> None:
    assert found(report(tmp_path, ("hana", CRITICAL + f"damage {damage.format(9)}]"))) == []
    assert found(report(tmp_path, ("hana", CRITICAL + f"damage {damage.format(8)}]"))) == [("d20_arena/damage", 8, [9])]
    assert found(report(tmp_path, ("hana", CRITICAL + "damage 5]"))) == [("d20_arena/damage", 5, None)]


@pytest.mark.parametrize("damage", ["4", "5 - 1 = 4", "4, after RES 1"])
def test_a_plain_number_may_be_written_less_the_resistance(damage: str, tmp_path: Path) -> None:
    sheet = ("gm", "Golem 1: HP 40, DEF 13, ATK +4, RES 1")
    assert found(report(tmp_path, sheet, ("hana", ON + f"damage {damage}]\nGolem 1: 36/40 HP"))) == []
    wrong = report(tmp_path, sheet, ("hana", ON + f"damage {damage}]\nGolem 1: 33/40 HP"))
    assert [f.code for f in wrong.findings] == ["d20_arena/hp"]


def test_a_plain_number_falls_on_the_enemy_itself(tmp_path: Path) -> None:
    fail = "[Action: Golem 1: Stone -> Hana: 1d20 ([roll=1d20]1[/roll]) + 4 = 5 vs DEF 14, nat 1 - critical fail; {}]"
    turned = fail.format("damage 3 to Golem 1 itself")
    assert found(report(tmp_path, ("gm", f"{turned}\nGolem 1: 37/40 HP"))) == []
    assert found(report(tmp_path, ("gm", f"{turned}\nGolem 1: 40/40 HP"))) == [("d20_arena/hp", 40, [37])]
    assert [f.code for f in report(tmp_path, ("gm", fail.format("damage 3"))).findings] == ["d20_arena/free-attack"]


def test_a_number_where_dice_are_due_is_named_and_counts(tmp_path: Path) -> None:
    rolled = ON.replace("Dart", "Volt Lash")
    named = report(tmp_path, ("hana", f"{rolled}damage 11]\nGolem 1: 29/40 HP"))
    assert [f.code for f in named.findings] == ["post/unchecked"]
    wrong = report(tmp_path, ("hana", f"{rolled.replace('19', '18')}damage 11]\nGolem 1: 29/40 HP"))
    assert [f.code for f in wrong.findings] == ["d20_arena/total", "post/unchecked"]
    unknown = report(tmp_path, ("hana", ON.replace("Dart", "Glass Bolt") + "damage 11]\nGolem 1: 27/40 HP"))
    assert [f.code for f in unknown.findings] == ["d20_arena/hp", "post/unchecked"]


@pytest.mark.parametrize("damage", ["lots", "5/10", "5d", "[url=http://dice.example/r/9]5[/url] x 2", "5 x 3"])
def test_what_is_no_plain_number_is_named(damage: str, tmp_path: Path) -> None:
    assert [f.code for f in report(tmp_path, ("hana", ON + f"damage {damage}]")).findings] == ["post/unread-tag"]
