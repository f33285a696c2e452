"""Numbers behind an arrow that are no result of the sum in front of them: the HP left, the target's AC."""

from __future__ import annotations

import pytest

from rules.d20_arena.records import Strike
from tests.unit.test_d20_arena_reading import reading


@pytest.mark.parametrize("left", ["-> 9 HP", ": 9 HP left", "-> 9 hit points"])
def test_hp_behind_the_damage_are_no_damage(left: str) -> None:
    text = f"[Action: Volt Lash -> Golem 2: 1d20 (14) + 4 = 18 vs DEF 15, hit; damage 2d6 (3, 5) + 3 {left}]"
    strikes = [claim.data for claim in reading(text).claims if isinstance(claim.data, Strike)]
    assert all(strike.damage is None or strike.damage.total in (None, 11) for strike in strikes)


@pytest.mark.parametrize("defense", ["15 DEF", "15 AC"])
def test_a_defense_behind_an_arrow_is_no_total(defense: str) -> None:
    text = f"[Action: Volt Lash -> Golem 2: 1d20 (14) + 4 -> {defense}, hit; damage 2d6 (3, 5) + 3 = 11]"
    strikes = [claim.data for claim in reading(text).claims if isinstance(claim.data, Strike)]
    assert all(strike.hit is None or strike.hit.total is None for strike in strikes)
