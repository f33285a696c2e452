"""What boards show of their own rolls: dice, workings and bare totals."""

from __future__ import annotations

import pytest

from referee.model.shown import dice_in, rows_of
from referee.model.text import Anchor


@pytest.mark.parametrize(
    ("expression", "shown", "dice", "text"),
    [
        ("1d20", "13", (13,), "13"),
        ("2d6", "3, 5", (3, 5), "3, 5"),
        ("2d6+3", "3, 5", (3, 5), "3, 5"),
        ("3d100", "70, 17, 87", (70, 17, 87), "70, 17, 87"),
        ("1d20", "13, 4", (13, 4), "13, 4"),
        ("1d20", "13, 13", (13, 13), "13, 13"),
        ("1d20+2", "13 + 2 = 15", (13,), "13 + 2 = 15"),
        ("1d20", "13 - 2 = 11", (13,), "13 - 2 = 11"),
        ("1d20-2", "13 - 2 = 11", (13,), "13 - 2 = 11"),
        ("2d6", "3 + 5 = 8", (3, 5), "3 + 5 = 8"),
        ("1d20+10", "29 <- [19] 1d20 + 10", (19,), "       19           "),
        ("1d20+8", "Punch: 1d20+8: [16]+8 = 24", (16,), " " * 16 + "16 +8 = 24"),
        ("1d20+1", "17 + 1, total 18", (17,), "17 + 1 = 18     "),
        ("4d6k3", "4, 3, 2, 1 = 9", (4, 3, 2, 1, 9), "4, 3, 2, 1 = 9"),
    ],
)
def test_the_dice_of_a_roll(expression: str, shown: str, dice: tuple[int, ...], text: str) -> None:
    assert dice_in(expression, shown) == (dice, None, text)


@pytest.mark.parametrize(
    ("expression", "number", "rows"),
    [
        ("1d20+2", 15, ((13,), (15,))),
        ("1d20+2", 22, ((20,),)),
        ("2d6", 8, ((8, 0),)),
        ("2d6+3", 11, ((8, 0),)),
    ],
)
def test_one_number_may_be_a_total(expression: str, number: int, rows: tuple[tuple[int, ...], ...]) -> None:
    values, total, _ = dice_in(expression, str(number))
    assert (values, total) == ((), number)
    assert rows_of([Anchor(0, 2, None, expression, (), number)]) == rows


def test_a_number_out_of_a_total_is_the_die() -> None:
    assert dice_in("1d20+2", "2") == ((2,), None, "2")
    assert dice_in("1d20+2", "23") == ((23,), None, "23")
