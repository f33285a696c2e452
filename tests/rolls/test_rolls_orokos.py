"""Orokos pages, written by us from the documented facts: columns, result text, links."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.ports.boards import Page
from scrapers.dice.orokos import read_result, service
from tests.support.patience import allowed

LINK = "https://orokos.com/roll/912345"
HEAD = "".join(f"<th>{n}</th>" for n in ("Time", "Roller", "Character", "Campaign", "Description", "Results"))
ONE = "<u>1d100</u>: <b>70</b> [1d100=70]"


def row(
    result: str = ONE,
    *,
    when: str = "2026-01-02 09:59:00",
    roller: str = "ren_player",
    character: str = "Ren Aoki",
    why: str = "dodge",
    link: str | None = None,
) -> str:
    shown = f'<a href="{link}">{when}</a>' if link else when
    cells = [shown, roller, escape(character), "Bridge at dusk", why, result]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def page(*rows: str, url: str = LINK) -> Page:
    table = f"<table><tr>{HEAD}</tr>{''.join(rows)}</table>"
    return Page(url, f"<html><body><div>{table}</div></body></html>".encode(), 200, {"Content-Type": "text/html"})


def test_links() -> None:
    orokos = service("orokos", {"kind": "orokos"})
    for link in (LINK, "http://orokos.com/roll/912345", "https://www.orokos.com/roll/912345/"):
        assert orokos.matches(link)
    for link in ("https://orokos.com/roll/c-Bridge?offset=0", "https://orokos.com/roll/", "https://orokos.net/roll/1"):
        assert not orokos.matches(link)
    assert orokos.hosts == {"orokos.com", "www.orokos.com"}
    assert orokos.asks(LINK).url == LINK


def test_record() -> None:
    record = service("orokos", {"timezone": "UTC"}).reads(LINK, page(row()))
    assert (record.expression, record.values, record.by) == ("1d100", (70,), "Ren Aoki")
    assert record.label == "dodge" and record.at == datetime(2026, 1, 2, 9, 59, tzinfo=UTC)


def test_time_needs_a_zone() -> None:
    """The zone of the site's times is not documented: without one, no time, so nobody is too early."""
    assert service("orokos", {}).reads(LINK, page(row())).at is None
    assert service("orokos", {}).reads(LINK, page(row(when="some day"))).at is None
    marked = '<time datetime="2026-01-02T10:59:00+01:00">today</time>'
    assert service("orokos", {}).reads(LINK, page(row(when=marked))).at == datetime(2026, 1, 2, 9, 59, tzinfo=UTC)
    spelled = service("orokos", {"timezone": "America/New_York"})
    assert spelled.reads(LINK, page(row(when="Jan 2, 2026 4:59 AM"))).at == datetime(2026, 1, 2, 9, 59, tzinfo=UTC)
    with pytest.raises(ValueError, match="time"):
        spelled.reads(LINK, page(row(when="some day")))


def test_roller_counts_where_no_character_is_named() -> None:
    assert service("orokos", {}).reads(LINK, page(row(character=" "))).by == "ren_player"


@pytest.mark.parametrize(
    ("text", "expression", "total", "values"),
    [
        ("1d100: 70 [1d100=70]", "1d100", 70, (70,)),
        ("d100 : 70 [d100=70]", "1d100", 70, (70,)),
        ("5d10o10k2: 30 [5d10o10k2=[21, 9], 8, 4, 1]", "5d10o10k2", 30, (21, 9, 8, 4, 1)),
        ("2d6+3: 11 [2d6=5, 3]", "2d6+3", 11, (5, 3)),
        ("1d20+1d6: 17 [1d20=12] [1d6=5]", "1d20+1d6", 17, (12, 5)),
        ("1d20-9: -4 [1d20=5]", "1d20-9", -4, (5,)),
        ("1d100: 70 [1d100=70] 1d100: 17 [1d100=17]", "2d100", 87, (70, 17)),
    ],
)
def test_results(text: str, expression: str, total: int, values: tuple[int, ...]) -> None:
    result = read_result(text)
    assert (result.expression, result.total, result.values) == (expression, total, values)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "70",
        "1d100: 70",
        "1d100: 70 [70]",
        "1d100: 170 [1d100=170]",
        "2d6: 11 [2d6=11]",
        "1d100: 70 [1d100=70] and more",
        "1d100: 70 [1d100=seventy]",
        "1d100: 70 [1d100=70] 1d20: 5 [1d20=5]",
        "[1d100=70]",
    ],
)
def test_doubtful_results_are_told(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_result(text)


@given(st.text(alphabet="1d0:[]=, -;#k\n", max_size=80))
def test_any_result_is_read_or_told(text: str) -> None:
    try:
        assert read_result(text).values
    except ValueError as told:
        assert str(told)


@pytest.mark.parametrize("piece", ["[a=1]", "[a=", "1d6: 1 [", "]", "[[", "1, ", "a: 1 [1d6=1] ", "[1d6=1] ["])
def test_hostile_results_are_quick(piece: str) -> None:
    began = time.process_time()
    for start in ("", "1d6: 1 [1d6=1", "1d6: 1 [1d6=1]"):
        try:
            read_result(start + piece * (9000 // len(piece)))
        except ValueError:
            continue
    assert time.process_time() - began < allowed(2)


def test_row_of_the_roll_among_others() -> None:
    rows = [row(f"1d100: {n} [1d100={n}]", link=f"/roll/{912300 + n}") for n in range(40, 60)]
    assert service("orokos", {}).reads(LINK, page(*rows)).values == (45,)


def test_a_link_typed_by_a_player_names_no_row() -> None:
    forged = row("1d100: 99 [1d100=99]", why=f'<a href="{LINK}">dodge</a>', link="/roll/1")
    honest = row("1d100: 12 [1d100=12]", link="/roll/912345")
    assert service("orokos", {}).reads(LINK, page(forged, honest)).values == (12,)
    with pytest.raises(ValueError, match="another roll"):
        service("orokos", {}).reads(LINK, page(forged))


def test_several_rows_without_links_are_told() -> None:
    with pytest.raises(ValueError, match="2 rolls"):
        service("orokos", {}).reads(LINK, page(row(), row()))


def test_missing_and_strange_pages() -> None:
    orokos = service("orokos", {"missing": {"selector": "p.none"}})
    assert orokos.reads(LINK, Page(LINK, b"", 404)).status == "missing"
    assert orokos.reads(LINK, Page(LINK, b"<p class=none></p>")).status == "missing"
    for strange in (page(), Page(LINK, b"<p>Welcome"), Page(LINK, b"x", 403), page(row(), url=LINK[:-1])):
        with pytest.raises(ValueError, match=r"\w"):
            orokos.reads(LINK, strange)


def test_configuration_as_the_core_gives_it() -> None:
    given = {"kind": "orokos", "url_pattern": None, "fields": {}, "allow_private": False, "pace": 1.0}
    assert service("orokos", given).matches(LINK)
    with pytest.raises(ValueError, match="fields"):
        service("orokos", {**given, "fields": {"values": "td"}})


def test_configured_place() -> None:
    orokos = service("mirror", {"url_pattern": r"http://127\.0\.0\.1:8099/roll/(?P<id>\d+)", "allow_private": True})
    link = "http://127.0.0.1:8099/roll/5"
    assert orokos.matches(link) and orokos.allow_private and orokos.hosts == {"127.0.0.1:8099"}
    assert not orokos.matches(LINK)
    assert orokos.reads(link, page(row(), url=link)).values == (70,)
