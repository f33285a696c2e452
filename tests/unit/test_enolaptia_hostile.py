"""Lines of Enolaptia full of ornaments: their blanks may not cost more time than the text is long."""

from __future__ import annotations

import time

import pytest

from tests.support.patience import allowed
from tests.unit.test_enolaptia_loosely import reading

LINES = (
    "Order: M{}ira (12), Marsh Rat (9)",
    "Rat 1 attacks M{}ira; damage 1d6 = 5: 5",
    "Mira attacks Rat{} 1: 1d6 = 4, 14/2 = 7",
)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("times", [15, 60, 500])
@pytest.mark.parametrize("sign", ["\U0001f3b2", "|"])
def test_long_ornaments_take_no_time(line: str, times: int, sign: str) -> None:
    row = line.format(sign * times) + "\n"
    start = time.process_time()
    reading(row * (50_000 // len(row)))
    assert time.process_time() - start < allowed(5)


def test_a_line_that_is_too_adorned_is_named() -> None:
    read = reading("Mira attacks Rat" + "\U0001f3b2" * 80 + " 1: 1d6 = 4, 14/2 = 7")
    assert not read.claims
    assert len(read.unread) == 1


def test_a_drawn_bar_of_twenty_signs_hides_nothing() -> None:
    read = reading("HP: Mira " + "|" * 20 + " 31/40")
    assert [claim.kind for claim in read.claims] == ["hp"]
