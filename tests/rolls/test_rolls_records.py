"""Records of linked rolls that are easily misread: a record that does not fit itself accuses nobody."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from referee.model.battle import RollRecord
from referee.ports.boards import Page
from scrapers.dice.linked import html_service, json_service
from scrapers.dice.numbers import check_dice, time_of
from scrapers.dice.orokos import read_result

LINK = "https://dice.example.org/roll/a101"
NINE = datetime(2026, 1, 2, 9, 59, tzinfo=UTC)
PATTERN = r"https://dice\.example\.org/roll/(?P<id>\w+)"
PLACES = {"expression": "dice", "values": "results", "at": "time", "by": "roller"}
ROLL = {"dice": "2d6+3", "results": [3, 5], "sum": 11, "time": 1767347940, "roller": "Zo\u00eb"}


def read(tree: Any, places: dict[str, str] = PLACES, **page: Any) -> RollRecord:
    body = tree if isinstance(tree, bytes) else json.dumps(tree).encode()
    service = json_service("castle", {"url_pattern": PATTERN, "kind": "json", "fields": places})
    made = {"url": LINK, "status": 200, "headers": {"Content-Type": "application/json"}, **page}
    return service.reads(LINK, Page(made["url"], body, made["status"], made["headers"]))


@pytest.mark.parametrize(
    ("found", "moment"),
    [
        ("2. Januar 2026 09:59", NINE),
        ("2 janvier 2026 09:59", NINE),
        ("2. Januar 2026 um 09:59 Uhr", NINE),
        ("02.01.2026 09:59", NINE),
        ("January 2, 2026, 9:59 AM", NINE),
        ("2026-01-02T09:59:00.000000000Z", NINE),
        ("Fri, 02 Jan 2026 09:59:00 -0000", NINE),
        ("Fri, 02 Jan 2026 04:59:00 EST", NINE),
        (1767347940123, NINE.replace(microsecond=123000)),
        # A day alone is no time: midnight would be before the post that the roll answers.
        ("2026-01-02", None),
        ("20260102", None),
    ],
)
def test_times_of_records(found: Any, moment: datetime | None) -> None:
    assert time_of(found, UTC) == moment


@pytest.mark.parametrize(
    "found",
    [
        "01/02/2026 09:59", "2. Januar 2026 09:59 MEZ", "Fri, 02 Jan 2026 09:59:00 XYZ", "2026-01-02 09:59:00 PST",
        "yesterday at 09:59", "3 minutes ago", "31.02.2026 09:59", 1767347940000000,
    ],
)  # fmt: skip
def test_times_that_may_mean_another_hour_are_not_read(found: Any) -> None:
    with pytest.raises(ValueError, match="no time"):
        time_of(found, UTC)


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        ("4d6k3", (4, 3, 2, 1)), ("4d6k3", (4, 3, 2)), ("4d6d1", (4, 3, 2)), ("2d20kh1", (12,)), ("3d6!", (6, 4, 2, 5)),
        ("2#1d20", (12, 3)), ("5d10o10k2", (21, 9, 8, 4, 1)), ("1d20-1d4", (12, 3)), ("4df", (-1, 0, 1, 1)),
        ("1d20e20", (20, 7)),
    ],
)  # fmt: skip
def test_dice_that_fit_expressions_with_marks(expression: str, values: tuple[int, ...]) -> None:
    check_dice(expression, values)


@pytest.mark.parametrize(
    ("expression", "values"),
    [("4d6kh3", (9,)), ("4d6k3", (4, 3, 2, 17)), ("1d20*2", (24,)), ("(1d20+5)", (22,)), ("1d20-1d4", (9,))],
)
def test_totals_are_not_taken_for_dice(expression: str, values: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"no result|were read"):
        check_dice(expression, values)


def test_a_total_beside_the_dice_must_fit() -> None:
    places = {**PLACES, "total": "sum"}
    assert read(ROLL, places).values == (3, 5)
    assert read({**ROLL, "sum": None}, places).values == (3, 5)
    with pytest.raises(ValueError, match="does not come to 12"):
        read({**ROLL, "sum": 12}, places)
    with pytest.raises(ValueError, match="does not come to 12"):
        read_result("2d6+3: 12 [2d6=3, 5]")


def test_a_total_alone_shows_the_die_of_a_roll_of_one() -> None:
    places = {"expression": "dice", "total": "sum", "at": "time"}
    assert read({**ROLL, "dice": "1d20+5", "sum": 17}, places).values == (12,)
    assert read({**ROLL, "dice": "1d100", "sum": 70}, places).values == (70,)
    with pytest.raises(ValueError, match="only the total"):
        read(ROLL, places)
    with pytest.raises(ValueError, match="no result of a d20"):
        read({**ROLL, "dice": "1d20+5", "sum": 3}, places)


def test_a_record_of_several_rolls() -> None:
    places = {"expression": "rolls[].dice", "values": "rolls[].shown"}
    tree = {"rolls": [{"dice": "1d20+4", "shown": [5]}, {"dice": "2d6", "shown": "1, 2"}]}
    assert (read(tree, places).expression, read(tree, places).values) == ("1d20+4+2d6", (5, 1, 2))
    with pytest.raises(ValueError, match="no result of a d20"):
        read({"rolls": [{"dice": "1d20", "shown": [25]}, {"dice": "1d20", "shown": [2]}]}, places)


@pytest.mark.parametrize("status", [200, 404])
def test_a_login_is_no_answer(status: int) -> None:
    """Private rolls lead to a login, with any status: nobody may be told that there is no such roll."""
    with pytest.raises(ValueError, match="login"):
        read(ROLL, url="https://dice.example.org/login?next=/roll/a101", status=status)


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503, 204])
def test_refusals_are_no_missing_rolls(status: int) -> None:
    with pytest.raises(ValueError, match=f"answered {status}"):
        read(ROLL, status=status)


@pytest.mark.parametrize("status", [404, 410])
def test_deleted_rolls_are_missing(status: int) -> None:
    assert read(b"gone", status=status).status == "missing"


def test_charsets() -> None:
    """A name that is read in the wrong charset would be another roller's."""
    old = json.dumps(ROLL, ensure_ascii=False).encode("latin-1")
    assert read(old, headers={"Content-Type": "application/json; charset=iso-8859-1"}).by == "Zo\u00eb"
    with pytest.raises(ValueError, match="no JSON"):
        read(old)
    new = json.dumps(ROLL, ensure_ascii=False).encode()
    assert read(new, headers={"Content-Type": "application/json; charset=iso-8859-1"}).by == "Zo\u00eb"
    page = Page(LINK, "<b>1d6</b><i>3</i><u>Zo\u00eb</u>".encode(), 200, {"Content-Type": "text/html; charset=latin1"})
    fields = {"expression": "b", "values": "i", "by": "u"}
    assert html_service("inn", {"url_pattern": PATTERN, "fields": fields}).reads(LINK, page).by == "Zo\u00eb"
