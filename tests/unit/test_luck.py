"""The luck of dice: fair ones stay what they are, better ones of two are seen, and nobody is called lucky by chance."""

from __future__ import annotations

import random
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.luck import MOST, STAKES, Throw, luck_of, mid_rank, standing_out

D20 = 20


def throws(values: list[int], sides: int = D20) -> list[Throw]:
    return [Throw("ren", None, value, sides, None, str(place)) for place, value in zip(count(), values)]


@given(st.integers(2, 1000))
def test_mid_ranks_of_a_fair_die_are_a_half_on_average(sides: int) -> None:
    ranks = [mid_rank(value, sides) for value in range(1, sides + 1)]
    assert abs(sum(ranks) / sides - 0.5) < 1e-9
    assert min(ranks) > 0 and max(ranks) < 1


@given(st.lists(st.integers(1, D20), max_size=4), st.integers(2, 12))
def test_the_bet_is_fair(before: list[int], sides: int) -> None:
    """Over all faces of the next die the evidence stays on average what it is: that makes it a test."""
    now = luck_of(throws(before)).evidence
    after = [luck_of([*throws(before), *throws([face], sides)]).evidence for face in range(1, sides + 1)]
    assert sum(after) / sides == pytest.approx(now)


def test_the_evidence_of_a_row_by_hand() -> None:
    """Of a 20 and a 1 on a d20: mid-ranks 0.975 and 0.025, so each stake s has (1 + 0.95 s)(1 - 0.95 s)."""
    luck = luck_of(throws([20, 1]))
    assert luck.mean == pytest.approx(0.5)
    assert luck.evidence == pytest.approx(sum(1 - (0.95 * s) ** 2 for s in STAKES) / len(STAKES))
    assert (luck.rolls, luck.peak_rolls) == (2, 1)
    assert luck.peak == pytest.approx(sum(1 + 0.95 * s for s in STAKES) / len(STAKES))
    assert luck_of([]).evidence == luck_of([]).peak == 1


def test_a_very_long_row_of_high_dice_is_no_trouble() -> None:
    luck = luck_of(throws([20] * 5000))
    assert luck.peak == pytest.approx(MOST)


def rolled(chance: random.Random, number: int, best_of: int) -> float:
    return luck_of(throws([max(chance.randint(1, D20) for _ in range(best_of)) for _ in range(number)])).peak


def test_fair_rollers_hardly_ever_reach_a_hundred_and_fishers_do() -> None:
    """Looked at after every one of 300 rolls: 1 in 100 fair ones at the most, and nearly all who take the better."""
    chance = random.Random(7)
    fair = sum(rolled(chance, 300, 1) >= 100 for _ in range(600))
    fishing = sum(rolled(chance, 100, 2) >= 100 for _ in range(50))
    assert fair <= 12
    assert fishing >= 48


def test_who_stands_out_among_all() -> None:
    """One with evidence 1,000 among ten does (10 / 0.05 = 200), among a hundred he does not."""
    assert standing_out({"a": 1000.0, **{f"p{n}": 1.0 for n in range(9)}}) == {"a"}
    assert standing_out({"a": 1000.0, **{f"p{n}": 1.0 for n in range(99)}}) == set()
    assert standing_out({"a": 150.0, "b": 120.0, **{f"p{n}": 1.0 for n in range(8)}}) == {"a", "b"}
    assert standing_out({}) == set()
