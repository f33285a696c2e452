"""Lines of the doll arena full of ornaments: their blanks may not cost more time than the text is long."""

from __future__ import annotations

import time

import pytest

from tests.support.patience import allowed
from tests.unit.test_angel_dolls_plain import kinds

LINES = (
    "Sedrik {} Full Defense {}: REF 33 -> 49",
    "Sedrik {} is entangled {} (legs).",
    "Hit: 36 AGI {} + 35 = 71 {} vs 33 REF + 24 = 57 -> hit",
    "HP: Riget {} 120 -> {} 98",
)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("times", [15, 60, 500])
@pytest.mark.parametrize("sign", ["\U0001f3b2", "|"])
def test_long_ornaments_take_no_time(line: str, times: int, sign: str) -> None:
    row = line.format(sign * times, sign * times) + "\n"
    start = time.process_time()
    kinds(row * (50_000 // len(row)))
    assert time.process_time() - start < allowed(2)


def test_a_line_that_is_too_adorned_is_named() -> None:
    adorned = "HP: Riget " + "\U0001f3b2" * 80 + " 120 -> 98"
    assert kinds(adorned) == ["?"]
    assert kinds(adorned, "mara") == []
    assert kinds("\U0001f3b2" * 80 + "\nRound " + "\U0001f3b2" * 80) == []


def test_a_drawn_bar_of_twenty_signs_hides_nothing() -> None:
    assert kinds("HP: Riget " + "|" * 20 + " 120 -> 98") == ["hp"]
