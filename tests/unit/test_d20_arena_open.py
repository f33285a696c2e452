"""What stays open behind a finding or an unread tag of d20_arena, and what does not."""

from __future__ import annotations

from pathlib import Path

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
