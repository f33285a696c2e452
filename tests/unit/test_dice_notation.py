"""Dice expressions as tables, records and posts write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.model.dice import Dice, read_dice


@pytest.mark.parametrize(
    ("text", "groups", "bonus"),
    [
        ("1d20", ((1, 20),), 0),
        ("d100", ((1, 100),), 0),
        ("D%", ((1, 100),), 0),
        ("2d6+3", ((2, 6),), 3),
        ("2D6 - 1", ((2, 6),), -1),
        ("1d6+2d4+1-2", ((1, 6), (2, 4)), -1),
        ("5", (), 5),
    ],
)
def test_read(text: str, groups: tuple[tuple[int, int], ...], bonus: int) -> None:
    assert read_dice(text) == Dice(groups, bonus)


@pytest.mark.parametrize(
    "text", ["", "roll", "1d20-1d4", "4d6k3", "1d20+", "++3", "d", "1d0", "2d6+D00", "1d20 x", "1" * 500]
)
def test_not_plain_dice(text: str) -> None:
    assert read_dice(text) is None


def test_range() -> None:
    dice = read_dice("2d6+1d4-1")
    assert dice is not None
    assert (dice.low, dice.high, dice.count, dice.sides) == (2, 15, 3, (6, 6, 4))


@given(st.text("0123456789dD+-% k", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    dice = read_dice(text)
    assert dice is None or dice.low <= dice.high
