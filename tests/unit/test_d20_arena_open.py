"""What stays open behind a finding or an unread tag of d20_arena, and what does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.d20_arena_mini import found, judged

OTHER = (
    "[Announce: Volt Lash on Golem 1]\n"
    "[Action: Volt Lash -> Golem 2: 1d20 ([roll=1d20]2[/roll]) + 4 = 6 vs DEF 12, miss]"
)
SLAM = "[Action: Golem 1: Slam -> Hana: 1d20 ([roll=1d20]5[/roll]) + 4 = 9 vs DEF {}, miss]"


def test_an_attack_on_somebody_else_than_announced_is_an_attack_all_the_same(tmp_path: Path) -> None:
    announce = ("d20_arena/announce", "Volt Lash on Golem 2", None)
    assert found(judged(tmp_path, ("hana", OTHER), ("gm", SLAM.format(14)))) == [announce]
    wrong = judged(tmp_path, ("hana", OTHER), ("gm", SLAM.format(16)))
    assert found(wrong) == [announce, ("d20_arena/defense", 16, [14])]


def test_an_attack_instead_of_an_announced_struggle_leaves_both_stances_open(tmp_path: Path) -> None:
    text = OTHER.replace("Volt Lash on Golem 1", "struggle against the bindings")
    for defense in (14, 16):
        report = judged(tmp_path, ("hana", text), ("gm", SLAM.format(defense)))
        assert [code for code, _, _ in found(report)] == ["d20_arena/announce"]


def test_of_several_open_levels_the_post_says_from_which_it_goes_on(tmp_path: Path) -> None:
    unread = "[Announce: struggle against the bindings]\n[Struggle: maybe?]"
    cast = "[Action: Golem 1: Chain Cast -> Hana: 1d20 ([roll=1d20]12[/roll]) + 4 = 16 vs DEF {}, hit; bind level {}]"
    tag = "post/unread-tag"
    right = judged(tmp_path, ("hana", unread), ("gm", cast.format(13, "2 -> 3 (legs)")), binds={"legs": 3})
    assert [code for code, _, _ in found(right)] == [tag]
    wrong = judged(tmp_path, ("hana", unread), ("gm", cast.format(13, "1 -> 3 (legs)")), binds={"legs": 3})
    assert found(wrong)[1:] == [("d20_arena/bind-level", 3, [2])]


CLAW = "[Action: Golem {0}: Slam -> Hana: 1d20 ([roll=1d20]5[/roll]) + 4 = 9 vs DEF 14, miss]\n"
LASH = (
    "[Announce: Volt Lash on Golem 1]\n[Action: Volt Lash -> Golem 1: 1d20 ([roll=1d20]15[/roll]) + 4 = 19 vs DEF 13, "
    "hit; damage 2d6 [[roll=2d6]3, 5[/roll]] + 3 = 11]\nGolem 1: {}/40 HP"
)


def test_a_gms_tag_without_any_result_beside_the_whole_turn_changes_nothing(tmp_path: Path) -> None:
    turn = "".join(map(CLAW.format, (1, 2, 3))) + "[Damage: lots x?]"
    assert [code for code, _, _ in found(judged(tmp_path, ("gm", turn), ("hana", LASH.format(29))))] == [
        "post/unread-tag"
    ]
    assert found(judged(tmp_path, ("gm", turn), ("hana", LASH.format(31))))[1:] == [("d20_arena/hp", 31, [29])]


def test_behind_a_tag_that_may_have_changed_them_hp_go_on_from_either_number(tmp_path: Path) -> None:
    turn = CLAW.format(1) + "[Action: Golem 2: 12 damage to somebody]"
    gm = ("gm", CLAW.format(3) + "Golem 1: {}/40 HP")
    for first, then in ((31, 29), (31, 31), (29, 29)):
        posts = [("gm", turn), ("hana", LASH.format(first)), ("gm", gm[1].format(then))]
        assert [code for code, _, _ in found(judged(tmp_path, *posts))] == ["post/unread-tag"]
    posts = [("gm", turn), ("hana", LASH.format(31)), ("gm", gm[1].format(27))]
    assert found(judged(tmp_path, *posts))[1:] == [("d20_arena/hp", 27, [31])]


def test_an_enemy_that_fells_itself_owes_no_further_free_attack(tmp_path: Path) -> None:
    act = "[Action: Volt Lash -> Golem 1: 1d20 ([roll=1d20]1[/roll]) + 4 = 5 vs DEF 13, "
    nat = "[Announce: Volt Lash on Golem 1]\n" + act
    fail = nat + "Nat 1 - critical fail]"
    slam = (
        "[Free attack: Golem 1: Slam -> Hana: 1d20 ([roll=1d20]1[/roll]) + 4 + 2 = 7 vs DEF 14, Nat 1 - critical fail; "
    )
    slam += "damage 1d6 [[roll=1d6]3[/roll]] + 1 = 4 to Golem 1 itself]\nGolem 1: {}/40 HP"
    weak = ("gm", "Golem 1: HP 4, DEF 13, ATK +4\nGolem 1: 4/40 HP")
    posts = [("hana", fail), ("goro", fail), ("gm", slam.format(36))]
    assert found(judged(tmp_path, *posts)) == [("d20_arena/free-attack", None, None)]
    felled = [weak, *posts[:2], ("gm", slam.format(0))]
    assert [code for code, _, _ in found(judged(tmp_path, *felled)) if code == "d20_arena/free-attack"] == []


@pytest.mark.parametrize("rows", [{}, {"arms": {1: {"name": "tangled"}}}])
def test_the_defense_of_the_bound_is_not_judged_without_rows_for_the_legs(rows: dict[str, Any], tmp_path: Path) -> None:
    for defense in (14, 13, 12):
        report = judged(tmp_path, ("gm", SLAM.format(defense)), binds={"legs": 2}, bind_levels=rows)
        assert [code for code, _, _ in found(report)] == ["post/unchecked"]
    assert found(judged(tmp_path, ("gm", SLAM.format(12)), binds={"arms": 2}, bind_levels=rows)) == [
        ("d20_arena/defense", 12, [14, 16])
    ]


def test_a_help_goes_on_from_the_level_that_it_names(tmp_path: Path) -> None:
    unread = "[Announce: struggle against the bindings]\n[Struggle: maybe?]"
    free = "[Announce: help Hana with the bindings]\n"
    free += "[Help: Hana (legs): 1d20 ([roll=1d20]{}[/roll]) + 4 = {}, level 1 -> {}]"
    for die, left in ((9, 0), (1, 0)):
        help_ = ("goro", free.format(die, die + 4, left))
        codes = [code for code, _, _ in found(judged(tmp_path, ("hana", unread), help_, binds={"legs": 2}))]
        assert codes == ["post/unread-tag"]
    wrong = judged(tmp_path, ("hana", unread), ("goro", free.format(9, 13, 1)), binds={"legs": 2})
    assert found(wrong)[1:] == [("d20_arena/escape", 1, [0])]


@pytest.mark.parametrize(("was", "right"), [("Volt Lash on Golem 3", [14]), ("struggle against the bindings", None)])
def test_an_attack_announced_at_another_target_before_an_edit_is_one(
    was: str, right: list[int] | None, tmp_path: Path
) -> None:
    new = OTHER.replace("on Golem 1", "on Golem 2")
    old = {"seen": "2026-03-01T11:00:00Z", "text": new.replace("Volt Lash on Golem 2", was, 1)}
    edited = {"edited": "2026-03-03T10:00:00Z", "revisions": [old]}
    report = judged(tmp_path, ("hana", new), ("gm", SLAM.format(16)), more={0: edited})
    defenses = [expected for code, _, expected in found(report) if code == "d20_arena/defense"]
    assert defenses == ([right] if right else [])


@pytest.mark.parametrize(("move", "fine"), [("standing still", (11, 14, 16)), ("dodging", (14, 16))])
def test_the_defense_beside_the_own_hp_may_be_that_of_the_stance(
    move: str, fine: tuple[int, ...], tmp_path: Path
) -> None:
    turn = OTHER.replace("Golem 1]", f"Golem 2]\n[Move: {move}]", 1)
    for defense in range(10, 18):
        wrong = [] if defense in fine else [("d20_arena/defense", defense, [14])]
        assert found(judged(tmp_path, ("hana", f"HP: 30/30, DEF {defense}\n{turn}"))) == wrong


def test_a_players_tag_without_any_result_beside_the_turn_leaves_the_stance(tmp_path: Path) -> None:
    text = OTHER.replace("Golem 1]", "Golem 2]", 1) + "\n[Damage: lots x?]"
    assert [code for code, _, _ in found(judged(tmp_path, ("hana", text), ("gm", SLAM.format(14))))] == [
        "post/unread-tag"
    ]
    assert found(judged(tmp_path, ("hana", text), ("gm", SLAM.format(16))))[1:] == [("d20_arena/defense", 16, [14])]
