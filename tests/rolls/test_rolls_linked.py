"""Dice services that the configuration describes: links, JSON answers, HTML pages, and nonsense."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.ports.boards import Page
from referee.ports.dice import DiceService
from scrapers.dice.linked import html_service, json_service
from scrapers.dice.links import host_in
from scrapers.dice.numbers import expression_of, time_of, values_of
from scrapers.dice.paths import json_path
from tests.support.patience import allowed

LINK = "https://dice.example.org/roll/a101"
NINE = datetime(2026, 1, 2, 9, 59, tzinfo=UTC)
FIELDS = {"expression": "dice", "values": "results", "at": "time", "by": "roller", "label": "reason"}
CASTLE: dict[str, Any] = {
    "url_pattern": r"https://dice\.example\.org/roll/(?P<id>\w+)",
    "kind": "json",
    "fields": FIELDS,
    "allow_private": False,
}
ROLL = {"dice": "1d100", "results": [70], "time": "2026-01-02T09:59:00Z", "roller": "Ren Aoki", "reason": "dodge"}


def castle(**changes: Any) -> DiceService:
    return json_service("castle", {**CASTLE, **changes})


def answer(tree: Any, status: int = 200, url: str = LINK) -> Page:
    return Page(url, json.dumps(tree).encode(), status, {"Content-Type": "application/json"})


def html(text: str, status: int = 200, kind: str = "text/html; charset=utf-8") -> Page:
    return Page(LINK, text.encode(), status, {"Content-Type": kind})


# --- links


@pytest.mark.parametrize("link", [LINK, LINK + "/", LINK + "#top", "HTTPS://Dice.Example.ORG/roll/a101"])
def test_links_of_the_service(link: str) -> None:
    service = castle()
    assert service.matches(link)
    assert service.asks(link).url.rstrip("/") == LINK


@pytest.mark.parametrize(
    "link",
    [
        "http://dice.example.org/roll/a101",
        "https://dice.example.org/rolls",
        "https://dice.example.org/roll/a101?x=1",
        "https://dice.example.org/roll/a101/../b7",
        "https://evil.example/?https://dice.example.org/roll/a101",
        "https://dice.example.org.evil.example/roll/a101",
        "https://dicexexample.org/roll/a101",
        "https://user@dice.example.org/roll/a101",
        "https://dice.example.org/roll/" + "a" * 2000,
        "https://dice.example.org/roll/a\u202e101",
        "https://dice.example.org/roll/a\x00",
        "javascript:https://dice.example.org/roll/a101",
        "https://[dice.example.org/roll/1",
        "",
    ],
)
def test_links_of_others(link: str) -> None:
    service = castle()
    assert not service.matches(link)
    with pytest.raises(ValueError, match="link"):
        service.asks(link)


def test_ask_template_quotes_the_id_and_adds_its_host() -> None:
    service = castle(
        url_pattern=r"https://dice\.example\.org/r/(?P<id>.+)", ask="https://api.example.org/rolls/{id}.json"
    )
    assert service.asks("https://dice.example.org/r/a/b?c").url == "https://api.example.org/rolls/a%2Fb%3Fc.json"
    assert service.hosts == {"dice.example.org", "api.example.org"}


@pytest.mark.parametrize(
    ("pattern", "hosts"),
    [
        (r"https://dice\.example\.org/roll/(?P<id>\w+)", {"dice.example.org"}),
        (r"^https?://dice\.example\.org/", {"dice.example.org"}),
        (r"(?:https?)://(?:www\.)?dice\.example\.org/", {"dice.example.org", "www.dice.example.org"}),
        (r"http://127\.0\.0\.1:8080/r/(?P<id>\d+)", {"127.0.0.1:8080"}),
        (r"http://dice.example/r/(?P<id>\d+)", {"dice.example"}),
        (r"https://(?:a|b)\.example/", set()),
        (r"https://\w+\.example/", set()),
        (r"dice\.example\.org", set()),
    ],
)
def test_hosts_in_patterns(pattern: str, hosts: set[str]) -> None:
    assert host_in(pattern) == hosts


def test_hosts_may_be_named() -> None:
    service = castle(url_pattern=r"https://\w+\.example/(?P<id>\d+)", hosts=["A.example", "b.example:81"])
    assert service.hosts == {"a.example", "b.example:81"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"url_pattern": r"https://dice\.example\.org/(\d+)"}, "url_pattern: .*id"),
        ({"url_pattern": r"https://dice\.example\.org/(?P<id>"}, "url_pattern"),
        ({"url_pattern": None}, "url_pattern"),
        ({"url_pattern": r"https://\w+/(?P<id>\d+)"}, "hosts"),
        ({"hosts": ["a b"]}, "hosts"),
        ({"ask": "https://dice.example.org/roll"}, "ask"),
        ({"ask": "https://{id}.example.org/"}, "ask"),
        ({"ask": "file:///{id}"}, "ask"),
        ({"fields": {"expression": "dice"}}, "fields"),
        ({"fields": {"values": "results", "valeus": "x"}}, "fields.valeus"),
        ({"fields": {"values": "a..b"}}, "fields.values"),
        ({"fields": {"values": "a[x]"}}, "fields.values"),
        ({"fields": {"values": 3}}, "fields.values"),
        ({"patterns": {"values": "("}}, "patterns.values"),
        ({"missing": {"path": "]"}}, "missing.path"),
        ({"missing": {"status": [200]}}, "missing.status"),
        ({"missing": {"selector": "p"}}, "missing"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"url_patern": "x"}, "url_patern: no such key; did you mean url_pattern"),
    ],
)
def test_bad_configuration_names_the_key(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        castle(**changes)


def test_bad_selector_names_the_key() -> None:
    with pytest.raises(ValueError, match=r"fields\.values: .*CSS"):
        html_service("castle", {**CASTLE, "fields": {"values": "td["}})


# --- JSON


def test_json_record() -> None:
    record = castle().reads(LINK, answer(ROLL))
    assert (record.link, record.status, record.at, record.by) == (LINK, "found", NINE, "Ren Aoki")
    assert (record.expression, record.values, record.label) == ("1d100", (70,), "dodge")


def test_json_paths_into_lists() -> None:
    fields = {"expression": "$.data.rolls[0].dice", "values": "data.rolls[].dice_rolled[].value", "at": "data.t"}
    tree = {
        "data": {
            "t": 1767347940,
            "rolls": [
                {"dice": "3d6", "dice_rolled": [{"value": 1}, {"value": 6}]},
                {"dice_rolled": [{"value": "4"}]},
            ],
        }
    }
    record = castle(fields=fields).reads(LINK, answer(tree))
    assert (record.expression, record.values, record.at) == ("3d6", (1, 6, 4), NINE)
    assert json_path("[-1][1]")([[0], [1, 2]]) == [2]
    assert json_path("a.b")([{"a": 1}]) == []


@pytest.mark.parametrize("status", [404, 410])
def test_json_missing_by_status(status: int) -> None:
    assert castle().reads(LINK, Page(LINK, b"<html>gone", status)).status == "missing"


@pytest.mark.parametrize(
    ("missing", "tree", "status"),
    [
        ({"path": "error"}, {"error": "no such roll"}, "missing"),
        ({"path": "error"}, {**ROLL, "error": None}, "found"),
        ({"path": "error"}, {**ROLL, "error": ""}, "found"),
        ({"path": "status", "equals": "unknown"}, {"status": "unknown"}, "missing"),
        ({"path": "status", "equals": "unknown"}, {**ROLL, "status": "ok"}, "found"),
    ],
)
def test_json_missing_by_content(missing: dict[str, Any], tree: Any, status: str) -> None:
    assert castle(missing=missing).reads(LINK, answer(tree)).status == status


def test_other_statuses_can_mean_missing_and_404_then_does_not() -> None:
    service = castle(missing={"status": [403]})
    assert service.reads(LINK, answer({}, 403)).status == "missing"
    with pytest.raises(ValueError, match="404"):
        service.reads(LINK, answer({}, 404))


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ({}, "not found on the page"),
        ([], "not found on the page"),
        ({**ROLL, "results": []}, "values: no dice"),
        ({**ROLL, "results": None}, "values"),
        ({**ROLL, "results": [True]}, "values"),
        ({**ROLL, "results": [1.5]}, "values"),
        ({**ROLL, "results": [{"v": 1}]}, "values"),
        ({**ROLL, "results": "seventy"}, "values"),
        ({**ROLL, "results": [10**30]}, "values"),
        ({**ROLL, "results": [1] * 1001}, "more than 1000"),
        ({**ROLL, "results": [[[[[[[70]]]]]]]}, "values"),
        ({**ROLL, "results": [170]}, "170 is no result of a d100"),
        ({**ROLL, "results": [0]}, "0 is no result of a d100"),
        ({**ROLL, "dice": "2d6", "results": [11]}, "2d6 has 2 dice, but 1"),
        ({**ROLL, "dice": "1d20+5", "results": [12, 17]}, "1 dice, but 2"),
        ({**ROLL, "dice": 100}, "expression"),
        ({**ROLL, "dice": "a lot"}, "expression"),
        ({**ROLL, "dice": "1d6" + "+1d6" * 60}, "expression"),
        ({**ROLL, "time": "yesterday"}, "at"),
        ({**ROLL, "time": 12}, "at"),
        ({**ROLL, "time": 10**40}, "at"),
        ({**ROLL, "time": {}}, "at"),
    ],
)
def test_json_nonsense_is_told(tree: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words) as told:
        castle().reads(LINK, answer(tree))
    assert len(str(told.value)) < 250 and "\n" not in str(told.value)


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>login</html>", b"\xff\xfe\x00", b"[" * 200_000, b'{"results": ' + b"9" * 9000 + b"}", b"x" * 600_000],
)
def test_hostile_json_bodies_are_told(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        castle().reads(LINK, Page(LINK, body))


def test_blank_parts_are_left_out_and_words_are_cleaned() -> None:
    tree = {**ROLL, "time": None, "roller": "  ", "reason": "a\x00b\n\u202ec" + "x" * 5000}
    record = castle().reads(LINK, answer(tree))
    assert record.at is None and record.by is None
    assert record.label is not None and record.label.startswith("a b c") and len(record.label) == 500


def test_landing_on_another_roll_is_told() -> None:
    with pytest.raises(ValueError, match="another roll"):
        castle().reads(LINK, answer(ROLL, url="https://dice.example.org/roll/b7"))


def test_error_pages_are_told() -> None:
    with pytest.raises(ValueError, match="answered 403"):
        castle().reads(LINK, answer(ROLL, 403))


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(list(ROLL)), inner, max_size=5),
    max_leaves=12,
)


@given(json_values)
def test_any_json_is_a_record_or_a_valueerror(tree: Any) -> None:
    try:
        record = castle().reads(LINK, answer(tree))
    except ValueError:
        return
    assert record.values and record.status == "found"


# --- numbers and times


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("70", (70,)),
        ("[21, 9], 8, 4, 1", (21, 9, 8, 4, 1)),
        ("9 + 5", (9, 5)),
        ("(3)(4)", (3, 4)),
        ("-1, 0, 1", (-1, 0, 1)),
    ],
)
def test_written_dice(text: str, values: tuple[int, ...]) -> None:
    assert values_of([text]) == values


@pytest.mark.parametrize("text", ["1d100: 70", "70 = 70", "20-5", "20 - 5", "-", "", "7O", "12345678901", "70%"])
def test_doubtful_dice_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        values_of([text])


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("d100", "1d100"),
        ("D%", "1d100"),
        ("1d%", "1d100"),
        (" 1 D 20 + 5 ", "1d20+5"),
        ("d6+d8", "1d6+1d8"),
        ("4d6kh3", "4d6kh3"),
        ("2d6\u22121", "2d6-1"),
        ("dF", "1df"),
    ],
)
def test_expressions_in_one_spelling(text: str, spelled: str) -> None:
    assert expression_of(text) == spelled


@pytest.mark.parametrize(
    "found",
    [
        "2026-01-02T09:59:00Z",
        "2026-01-02T10:59:00+01:00",
        "2026-01-02 09:59:00",
        "2026-01-02 09:59 UTC",
        "2026-01-02 09:59:00Z",
        "Fri, 02 Jan 2026 09:59:00 GMT",
        1767347940,
        1767347940.0,
        1767347940000,
        "1767347940",
        "1767347940000",
    ],
)
def test_times(found: Any) -> None:
    assert time_of(found, UTC) == NINE


def test_time_without_any_zone_is_left_out() -> None:
    assert time_of("2026-01-02 09:59:00", None) is None
    assert time_of("2026-01-02 09:59:00Z", None) == NINE


def test_configured_zone_counts() -> None:
    tree = {**ROLL, "time": "2026-01-02 04:59:00"}
    assert castle(timezone="America/New_York").reads(LINK, answer(tree)).at == NINE


# --- HTML

PAGE = """<!DOCTYPE html><html><head><title>Roll a101</title></head><body>
<table class="roll"><tr><th>Dice</th><td class="dice">D20 + 5</td></tr>
<tr><th>Result</th><td><span class="die">12</span> = <b>17</b></td></tr>
<tr><th>By</th><td class="by"><a href="/u/4">Ren&nbsp;Aoki</a></td></tr>
<tr><th>When</th><td><time datetime="2026-01-02T09:59:00Z">two hours ago</time></td></tr>
<tr><th>Why</th><td class="why">attack &lt;b&gt;golem&lt;/b&gt;</td></tr></table></body></html>"""
SELECTORS = {
    "expression": "td.dice",
    "values": ".roll span.die",
    "at": "time@datetime",
    "by": "td.by",
    "label": "td.why",
}


def page_service(**changes: Any) -> DiceService:
    return html_service("tavern", {**CASTLE, "kind": "html", "fields": SELECTORS, **changes})


def test_html_record() -> None:
    record = page_service().reads(LINK, html(PAGE))
    assert (record.expression, record.values, record.at) == ("1d20+5", (12,), NINE)
    assert (record.by, record.label) == ("Ren Aoki", "attack <b>golem</b>")


def test_html_charset_of_the_header_counts() -> None:
    text = PAGE.replace("Ren&nbsp;Aoki", "Jürgen")
    page = Page(LINK, text.encode("iso-8859-1"), headers={"Content-Type": "text/html; charset=ISO-8859-1"})
    assert page_service().reads(LINK, page).by == "Jürgen"
    odd = Page(LINK, text.encode("utf-8"), headers={"Content-Type": "text/html; charset=no-such-thing"})
    assert page_service().reads(LINK, odd).by == "Jürgen"


def test_html_patterns_take_a_part_of_the_text() -> None:
    fields = {**SELECTORS, "expression": "p", "values": "p"}
    patterns = {"expression": r"^(\S+) \u2192", "values": r"\[([\d, ]+)\]"}
    text = PAGE.replace("<table", "<p>2d20+5 \u2192 [12,3,] = (20)</p><table")
    record = page_service(fields=fields, patterns=patterns).reads(LINK, html(text))
    assert (record.expression, record.values) == ("2d20+5", (12, 3))
    with pytest.raises(ValueError, match="values: not found"):
        page_service(fields=fields, patterns={**patterns, "values": r"\{(\d+)\}"}).reads(LINK, html(text))


def test_html_missing() -> None:
    service = page_service(missing={"selector": "p.error:-soup-contains('No such roll')"})
    assert service.reads(LINK, html("<p class=error>No such roll.</p>")).status == "missing"
    assert service.reads(LINK, html("gone", 404)).status == "missing"
    with pytest.raises(ValueError, match="not found on the page"):
        service.reads(LINK, html("<p class=error>Please log in.</p>"))
    wordless = page_service(missing={"selector": "i.gone"})
    assert wordless.reads(LINK, html("<i class=gone></i>")).status == "missing"


def test_html_login_wall_is_no_missing_roll() -> None:
    with pytest.raises(ValueError, match="not found on the page"):
        page_service().reads(LINK, html("<form action=/login><input name=password></form>"))


@pytest.mark.parametrize(
    "piece",
    ["<a ", "<!--", "</a ", "<div>", "<a a=", "<![x", "&#1", "</scrip ", "<", "a<b", "<?", "<!d", "<a b='", "<script>",
     "<b><i>", "<table><tr><td>", "\x00", "<a b=\"'>", "-->", "<!-->", "<!--x>", "]]>"],
)  # fmt: skip
def test_hostile_html_takes_seconds_at_the_most(piece: str) -> None:
    body = (piece * (400_000 // len(piece))).encode()
    began = time.process_time()
    for tail in (b"", b">", b"-->"):
        with pytest.raises(ValueError, match=r"\w"):
            page_service().reads(LINK, Page(LINK, body + tail))
    assert time.process_time() - began < allowed(60)


@given(st.binary(max_size=300))
def test_any_html_is_a_record_or_a_valueerror(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        page_service().reads(LINK, Page(LINK, body))
