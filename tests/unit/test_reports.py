"""Reporters for programs and terminals: JSON, CSV, text - and what all of them may show."""

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction

import pytest

from referee.model.claims import Claim
from referee.model.figure import Figure
from referee.model.report import (
    Evidence,
    Finding,
    Outcome,
    PoolState,
    PostReport,
    Report,
    ThreadReport,
    Working,
)
from referee.ports.reports import Rendering
from reports import bbcode, html, markdown, shared
from reports import csv as csv_report
from reports import json as json_report
from reports import text as text_report

REPORTERS = [module.REPORTER for module in (text_report, html, markdown, bbcode, json_report, csv_report)]
RENDERING = Rendering({"S10": "One d100 per hit.", "shinobi/S11": "Half of it, rounded down."}, "9.9.9")
START = 731


def battle(staff: bool = False) -> Report:
    """A thread with a secret pool that starts at 731 and one slip of 3."""
    pools = [(START, START), (START - 10, START - 13)]
    posts = tuple(
        PostReport(
            id=f"p{i}",
            author="ren",
            character="Ren Aoki",
            permalink=f"https://forum.example.org/viewtopic.php?p={i}#p{i}",
            claims=(Claim("loss", "(HP: -10 | CHK: -0 | STM: -0)", values={"hp": -10}),),
            unread=("[Damage: lots x?]",) if i == 2 else (),
            state={
                "Ren Aoki": {
                    "hp": PoolState(claimed, Figure.of(computed, computed - 1, secret=True), START, secret=True),
                    "focus": PoolState(40, Figure.between(35, None), None),
                }
            },
        )
        for i, (claimed, computed) in enumerate(pools, 1)
    )
    slip = Finding(
        "shinobi/loss-hp",
        "error",
        "p2",
        "Ren Aoki",
        claimed=-10,
        expected=[-14, -13],
        rules=("S10", "S11"),
        message="The numbers in this post give a loss of 13 HP; the Loss Tag says 10.",
        trace=(Working("7 + 6 = 13", "7 + 6 = 13, from 731 to 718"),),
        evidence=(Evidence("p1", "[Damage: 7 x2]"),),
        fingerprint="f1",
        facts="f2",
    )
    notice = Finding("post/unchecked", "notice", "p1", message="No table has Glass Rain: its cost was not judged.")
    thread = ThreadReport(
        "shinobi", "Bridge", "https://forum.example.org/viewtopic.php?t=3", None, Outcome(), posts, (notice, slip)
    )
    return Report((thread,), staff)


def hostile_report(words: str) -> Report:
    """A report in which every text from outside is `words`."""
    finding = Finding(
        words,
        "error",
        words,
        words,
        words,
        [words],
        (words,),
        words,
        (Working(words),),
        (Evidence(words, words),),
        fingerprint=words,
    )
    notice = replace(finding, severity="notice")
    state = {words: {words: PoolState(1, Figure.of(1)), "hp": PoolState(2, Figure.of(3))}}
    posts = tuple(
        PostReport(post, words, words, words, (Claim(words, words, values={words: words}),), (words,), state)
        for post in (words, words + "2")
    )
    outcome = Outcome(words, (words,), words)
    threads = (
        ThreadReport(words, words, words, words, outcome, posts, (finding, notice)),
        ThreadReport(file=words, error=words),
    )
    return Report(threads)


HOSTILE = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>' onmouseover='x",
    "javascript:alert(1)",
    "https://evil.example/\"onload=x'<b>",
    "\u202egnp.exe\u2066 \x00\x1b[31m\u200b\ud800",
    "[/code][url=http://evil.example]x[/url][img]http://evil.example/x.png[/img]",
    "```\n# head\n[x](http://evil.example) ![y](http://evil.example/y.png) <b>@everyone",
    '=cmd|"/c calc"!A1',
    "a" * 100_000,
    "{{ 7*7 }}{% raw %}",
    "",
]


@pytest.mark.parametrize("reporter", REPORTERS, ids=lambda reporter: reporter.name)
@pytest.mark.parametrize("words", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_breaks_no_reporter(reporter, words):
    written = reporter.render(hostile_report(words), RENDERING)
    assert written.encode("utf-8")
    if reporter.name != "json":
        assert "\x00" not in written
        assert "\x1b" not in written
        assert "\u202e" not in written


@pytest.mark.parametrize("reporter", REPORTERS, ids=lambda reporter: reporter.name)
def test_only_staff_see_secret_totals(reporter):
    public, staff = reporter.render(battle(), RENDERING), reporter.render(battle(staff=True), RENDERING)
    for total in ("731", "721", "718", "717"):
        assert total not in public
    assert "718" in staff
    assert "7 + 6 = 13" in public


@pytest.mark.parametrize("reporter", REPORTERS, ids=lambda reporter: reporter.name)
def test_same_input_same_bytes(reporter):
    assert reporter.render(battle(), RENDERING) == reporter.render(battle(), RENDERING)


@pytest.mark.parametrize("reporter", REPORTERS, ids=lambda reporter: reporter.name)
def test_nothing_at_all_is_rendered(reporter):
    empty = Report((ThreadReport(), ThreadReport(posts=(PostReport("1", ""),), findings=(Finding("", "", ""),))))
    assert reporter.render(Report(()), Rendering())
    assert reporter.render(empty, Rendering())


@pytest.mark.parametrize("reporter", REPORTERS, ids=lambda reporter: reporter.name)
def test_ten_thousand_findings(reporter):
    thread = battle().threads[0]
    many = tuple(replace(thread.findings[1], fingerprint=str(i), ordinal=i) for i in range(10_000))
    written = reporter.render(Report((replace(thread, findings=many),)), RENDERING)
    assert written.count("the Loss Tag says 10") >= 10_000


def test_a_secret_pool_without_start_shows_nothing():
    shown = shared.shown_pool(PoolState(50, Figure.of(50, secret=True), None, secret=True), staff=False)
    assert (shown.claimed, shown.computed) == (None, None)


def test_the_secret_mark_of_the_figure_is_enough():
    shown = shared.shown_pool(PoolState(50, Figure.of(47, secret=True), 60), staff=False)
    assert (shown.claimed, shown.computed, shown.change) == (-10, [-13], True)


def test_bounds_are_shifted_too():
    shown = shared.shown_pool(PoolState(50, Figure.between(40, 55), 60, secret=True), staff=False)
    assert shown.computed == {"min": -20, "max": -5}


@pytest.mark.parametrize(
    ("claimed", "computed", "apart"),
    [(5, [5], 0), (5, [1, 7], 2), (5, {"min": 6, "max": 9}, 1), (5, {"min": None, "max": 2}, 3), (None, [1], None)],
)
def test_distance_of_the_ledgers(claimed, computed, apart):
    assert shared.distance(shared.ShownPool(claimed, computed, change=False)) == apart


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, ""),
        (13, "13"),
        ([12], "12"),
        ([11, 12, 13], "11, 12 or 13"),
        ([], ""),
        ({"min": 1, "max": 50}, "1 to 50"),
        ([{"min": 0, "max": None}], "at least 0"),
        (list(range(20)), "0 to 19 (20 readings)"),
    ],
)
def test_values_in_words(value, words):
    assert shared.said(value) == words


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://a.example/x?p=1#p1", "https://a.example/x?p=1#p1"),
        ("javascript:alert(1)", None),
        (" data:text/html,x", None),
        ("//a.example/", None),
        ("http://[", None),
        ('http://a.example/"><b>', "http://a.example/%22%3E%3Cb%3E"),
        ("http://a.example/[/url]", "http://a.example/%5B/url%5D"),
        (None, None),
    ],
)
def test_links_are_http_only(url, safe):
    assert shared.safe_link(url) == safe


def test_json_has_the_contract_s_keys_in_order():
    written = json_report.render(battle(), RENDERING)
    assert written.endswith("}\n")
    data = json.loads(written)
    assert list(data) == ["schema", "tool", "threads"]
    assert data["schema"] == "referee/report@1"
    assert data["tool"] == {"name": "referee", "version": "9.9.9"}
    thread = data["threads"][0]
    assert list(thread) == ["url", "title", "ruleset", "outcome", "posts", "findings"]
    assert list(thread["outcome"].items()) == [("status", "unknown"), ("winner", None), ("reason", None)]
    post = thread["posts"][1]
    assert list(post) == ["id", "author", "character", "permalink", "claims", "unread", "state"]
    assert post["claims"] == [{"kind": "loss", "quote": "(HP: -10 | CHK: -0 | STM: -0)", "values": {"hp": -10}}]
    assert post["unread"] == ["[Damage: lots x?]"]
    assert post["state"]["Ren Aoki"] == {
        "hp": {"claimed": -10, "computed": [-14, -13]},
        "focus": {"claimed": 40, "computed": {"min": 35, "max": None}},
    }
    slip = thread["findings"][1]
    keys = "code severity post character claimed expected rules message trace evidence disposition fingerprint facts"
    assert " ".join(slip) == keys
    assert slip["expected"] == [-14, -13]
    assert slip["evidence"] == [{"post": "p1", "quote": "[Damage: 7 x2]"}]
    assert slip["trace"] == ["7 + 6 = 13"]


def test_json_names_files_and_those_that_failed():
    threads = (replace(battle().threads[0], file="a.yaml"), ThreadReport(file="b.yaml", error="line 3: what"))
    data = json.loads(json_report.render(Report(threads), RENDERING))
    assert data["threads"][0]["file"] == "a.yaml"
    assert data["threads"][1] == {"file": "b.yaml", "error": "line 3: what"}


def test_json_keeps_unicode_and_odd_numbers():
    claim = Claim(
        "x", "\u2212 \u202e \u4e8c", values={"half": Fraction(1, 2), "whole": Fraction(4, 2), "no": float("nan")}
    )
    post = PostReport("1", "\u4e8c", claims=(claim,))
    written = json_report.render(Report((ThreadReport(posts=(post,)),)), RENDERING)
    assert "\u2212 \u202e \u4e8c" in written
    assert json.loads(written)["threads"][0]["posts"][0]["claims"][0]["values"] == {"half": 0.5, "whole": 2, "no": None}


def read_csv(written: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(written, newline="")))


def test_csv_has_one_line_per_finding():
    rows = read_csv(csv_report.render(battle(), RENDERING))
    assert [row["code"] for row in rows] == ["post/unchecked", "shinobi/loss-hp"]
    assert rows[1]["claimed"] == "-10"
    assert rows[1]["expected"] == "'-14 or -13"
    assert rows[1]["permalink"] == "https://forum.example.org/viewtopic.php?p=2#p2"
    assert rows[1]["working"] == "7 + 6 = 13"


@pytest.mark.parametrize(
    "start", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\uff1dcmd", "|x", "-2;3"]
)
def test_csv_cells_are_no_formulas(start):
    rows = read_csv(csv_report.render(hostile_report(start), RENDERING))
    assert rows
    for row in rows:
        for cell in row.values():
            assert cell.strip()[:1] not in set("=+-@|\uff1d"), cell


def test_csv_lines_end_as_rfc_4180_says():
    written = csv_report.render(hostile_report('a "b", c\nd'), RENDERING)
    assert written.endswith("\r\n")
    rows = read_csv(written)
    assert rows[0]["code"] == 'a "b", c\nd'
    assert rows[-1]["severity"] == "unusable"


def test_text_shows_the_sum_with_its_inputs():
    written = text_report.render(battle(), RENDERING)
    assert written.startswith("1 thread: 1 error, no warnings, 1 notice\n")
    for words in (
        "ERROR shinobi/loss-hp - post p2, Ren Aoki",
        "https://forum.example.org/viewtopic.php?p=2#p2",
        "Stated: -10. The rules give: -14 or -13",
        "Words of p1: [Damage: 7 x2]",
        "Rule S10: One d100 per hit.",
        "Rule S11: Half of it, rounded down.",
        "    7 + 6 = 13",
        "Not checked, or for a person to look at (2):",
        "post p2: not read: [Damage: lots x?]",
        "HP: -10 / -14 or -13 since the start, apart by 3",
    ):
        assert words in written
    assert max(len(line) for line in written.splitlines()) <= text_report.WIDTH


def test_a_thread_without_claims_is_not_called_clean():
    written = text_report.render(Report((ThreadReport(title="x", posts=(PostReport("1", "a"),)),)), RENDERING)
    assert "nothing was checked" in written
    assert "out of line" not in written


def test_text_accuses_nobody():
    written = text_report.render(battle(), RENDERING).lower()
    for word in ("cheat", "wrong", "liar", "fault", "guilty"):
        assert word not in written


@pytest.mark.parametrize(
    ("code", "claimed", "expected", "said"),
    [
        ("shinobi/loss-hp", -8, [-7], ("Stated: -8", "The rules give: -7")),
        ("post/edited-claims", -8, [-16], ("Now: -8", "Before the edit: -16")),
        ("dice/values", [14, 2], [11, 2], ("Stated: 14, 2", "The roll shows: 11, 2")),
        ("dice/count", 3, [2], ("Rolled: 3", "The rules call for: 2")),
        ("dice/fished", [14], [11], ("Used: 14", "Left out: 11")),
    ],
)
def test_what_is_compared_is_called_by_its_name(code, claimed, expected, said):
    """A record and an earlier text are nothing that the rules give."""
    report = battle()
    faults = (replace(report.threads[0].findings[1], code=code, claimed=claimed, expected=expected),)
    report = replace(report, threads=(replace(report.threads[0], findings=faults),))
    assert ". ".join(said) in " ".join(text_report.render(report, RENDERING).split())
    assert ". ".join(said) in markdown.render(report, RENDERING).replace("\\", "")
    assert ". ".join(said) in bbcode.render(report, RENDERING)
    page = html.render(report, RENDERING)
    for one in said:
        label, _, value = one.partition(": ")
        assert f"<dt>{label}</dt><dd>{value}</dd>" in page
