"""Records that fill their slots directly behave like any frozen dataclass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from referee.model.claims import Claim
from referee.model.records import filled_directly


@filled_directly
@dataclass(frozen=True, slots=True)
class Row:
    """A record with every kind of field."""

    name: str
    number: int = 3
    notes: Mapping[str, int] = field(default_factory=dict)
    more: tuple[int, ...] = ()


def test_fields_by_place_by_name_and_by_default() -> None:
    assert Row("a") == Row("a", 3, {}, ()) == Row(name="a", more=())
    assert Row("a", 4, {"x": 1}, (2,)) == Row("a", more=(2,), notes={"x": 1}, number=4)
    assert Row("a") != Row("b")
    assert repr(Row("a")) == "Row(name='a', number=3, notes={}, more=())"


def test_each_record_has_its_own_default() -> None:
    assert Row("a").notes is not Row("a").notes
    given: dict[str, int] = {}
    assert Row("a", notes=given).notes is given


def test_it_stays_frozen_and_slotted() -> None:
    row = Row("a")
    with pytest.raises(FrozenInstanceError):
        row.name = "b"  # type: ignore[misc]
    assert not hasattr(row, "__dict__")
    assert replace(row, number=9) == Row("a", 9)


@pytest.mark.parametrize("given", [(), ("a", 1, {}, (), 5)])
def test_wrong_numbers_of_fields(given: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="Row.__init__"):
        Row(*given)  # type: ignore[arg-type]


def test_a_record_of_the_model() -> None:
    claim = Claim("loss", "(HP: -0)")
    assert [f.name for f in fields(claim)] == ["kind", "quote", "span", "values", "data", "heading"]
    assert replace(claim, span=(1, 2)).values == {}
