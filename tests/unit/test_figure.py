"""Figures: sets of readings, bounds, arithmetic, the secret mark."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from referee.model.figure import MOST_VALUES, Figure

numbers = st.lists(st.integers(-500, 500), min_size=1, max_size=12)


@given(numbers, numbers)
def test_sum_admits_every_pair(a: list[int], b: list[int]) -> None:
    total = Figure.among(a).plus(Figure.among(b))
    assert all(total.admits(x + y) for x in a for y in b)


@given(numbers, numbers)
def test_either_admits_both(a: list[int], b: list[int]) -> None:
    both = Figure.among(a).either(Figure.among(b))
    assert all(both.admits(x) for x in (*a, *b))


def test_too_many_readings_become_bounds() -> None:
    figure = Figure.among(range(MOST_VALUES + 1))
    assert not figure.known
    assert figure.listed() == {"min": 0, "max": MOST_VALUES}
    assert Figure.among(range(MOST_VALUES)).known


def test_bounds_stay_bounds_in_arithmetic() -> None:
    figure = Figure.between(None, 10).minus(Figure.of(3, 4))
    assert figure.admits(-1000)
    assert figure.admits(7)
    assert not figure.admits(8)
    assert Figure.between(2, None).negated().listed() == {"min": None, "max": -2}


def test_unknown_admits_everything_and_lists_nothing() -> None:
    assert Figure.unknown().admits(7)
    assert Figure.unknown().listed() is None
    assert Figure.among([]).listed() is None


def test_the_secret_mark_travels() -> None:
    secret = Figure.of(100, secret=True)
    assert secret.minus(Figure.of(13)).secret
    assert Figure.of(13).plus(secret).secret
    assert secret.each(lambda v: v // 2).at_least(0).secret


def test_limits() -> None:
    assert Figure.of(-6, 4).at_least(0).listed() == [0, 4]
    assert Figure.of(-6, 4).at_most(0).listed() == [-6, 0]
    assert Figure.unknown().at_least(0).listed() == {"min": 0, "max": None}


def test_words() -> None:
    assert Figure.of(13, 12).said() == "12 or 13"
    assert Figure.between(1, 5).said() == "between 1 and 5"
    assert Figure.unknown().said() == "unknown"
    assert Figure.of(Fraction(25, 2)).said() == "12.5"
