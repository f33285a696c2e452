"""A board may pin one reading where the rulebook is silent."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.shinobi import RULESET, hits
from rules.shinobi.damage import net_shares, scaled
from rules.shinobi.tables import Data


def data(**readings: str) -> Data:
    return Data({**RULESET.tables(None, None), "readings": readings})


@pytest.mark.parametrize(("pin", "given"), [("either", {22, 23}), ("down", {22}), ("up", {23}), ("nonsense", {22, 23})])
def test_critical(pin: str, given: set[int]) -> None:
    assert set(hits.critical_damage(15, *data(critical=pin).critical)) == given


@pytest.mark.parametrize(
    ("pin", "shares"), [("any", {1, 2}), ("exact", {2}), ("down", {1}), ("up", {2}), ("nonsense", {1, 2})]
)
def test_modifier(pin: str, shares: set[int]) -> None:
    """9 / 4 = 2.25 over two hits: 1.125, so 2; rounded down first 2 / 2 = 1, rounded up first 3 / 2, so 2."""
    assert set(net_shares(data(modifier=pin), 9, 0, 2).listed) == shares


@pytest.mark.parametrize(("pin", "given"), [("either", {7, 8}), ("down", {7}), ("up", {8})])
def test_status(pin: str, given: set[int]) -> None:
    assert set(scaled(7, Fraction(11, 10), data(status=pin).status_rounding)) == given


def test_wrong_pins_are_named() -> None:
    said = list(RULESET.check_tables({"readings": {"critical": "sideways", "colour": "red"}}))
    assert any(line.startswith("readings.critical: must be one of") for line in said)
    assert any(line.startswith("readings.colour: unknown key") for line in said)
