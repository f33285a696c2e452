"""Several Defenses behind one hit roll, with the names of those whose they are (ND8)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.d20_arena_mini import found, judged

TEXT = (
    "[Announce: Arc Wave on Golem 1 and Golem 2]\n"
    "[Action: Arc Wave -> Golem 1 and Golem 2: 1d20 ([roll=1d20]17[/roll]) + 2 = 19 {}, hit both;"
    " damage 1d6 [[roll=1d6]3[/roll]] + 1 = 4 each]"
)
ONE_ROLL = ("d20_arena/roll-per-target", None, None)
FORMS = [
    "vs Defense {0} and {1}",
    "vs Golem 1 Defense {0} and Golem 2 Defense {1}",
    "vs Golem 1's DEF {0}, Golem 2's DEF {1}",
    "vs Golem 2 Defense {1} and Golem 1 Defense {0}",
    "Golem 1 Defense {0} and Golem 2 Defense {1}",
    "vs Defense {0} and Golem 2 Defense {1}",
    "vs Golem 1: {0}, Golem 2: {1}",
    "vs Golem 1 and Golem 2 Defense {0} and {1}",
    "vs Golem 1 (Defense {0}) and Golem 2 (Defense {1})",
    "vs DEF {0} for Golem 1 and DEF {1} for Golem 2",
    "vs \u041e\u043b\u044c\u0433\u0430 Defense {0} and \u0418\u0433\u043e\u0440\u044c Defense {1}",
    "vs \u9b3c\u4e00: {0}, \u9b3c\u4e8c: {1}",
]


@pytest.mark.parametrize("form", FORMS)
def test_each_target_has_its_own_defense(form: str, tmp_path: Path) -> None:
    assert found(judged(tmp_path, ("hana", TEXT.format(form.format(13, 12))))) == [ONE_ROLL]
    wrong = found(judged(tmp_path, ("hana", TEXT.format(form.format(13, 10)))))
    assert wrong == [("d20_arena/defense", 10, [12]), ONE_ROLL]


def test_a_colon_in_a_remark_is_no_defense(tmp_path: Path) -> None:
    text = (
        "[Announce: Volt Lash on Golem 1]\n"
        "[Action: Volt Lash -> Golem 1: 1d20 ([roll=1d20]17[/roll]) + 4 = 21 vs Defense 13, a solid blow: 9, hit;"
        " damage 2d6 [[roll=2d6]3, 3[/roll]] + 3 = 9]"
    )
    assert [code for code, *_ in found(judged(tmp_path, ("hana", text))) if code != "post/unread-tag"] == []
