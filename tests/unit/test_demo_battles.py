"""The whole way over the sample site: scrape twice, verify, replay - and find the planted slips, nothing else."""

import json

import pytest
from selectolax.lexbor import LexborHTMLParser

from referee.demo.content import BATTLES, sample_board
from referee.demo.run import run_demo


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What the demonstration gives, with the lines it told."""
    told = []
    result = run_demo(tmp_path_factory.mktemp("demo"), False, lambda kind, line: told.append((kind, line)))
    return result, told


@pytest.mark.parametrize("name", BATTLES)
def test_exactly_the_planted_slips_are_found(shown, name):
    found = next(thread for thread in shown[0].threads if thread.ruleset == name)
    planted = next(thread for thread in sample_board().threads if thread.ruleset == name).planted
    assert {(one.post, one.code) for one in found.findings} == {(slip["post"], slip["code"]) for slip in planted}
    by_place = {(one.post, one.code): one for one in found.findings}
    for slip in planted:
        finding = by_place[slip["post"], slip["code"]]
        assert finding.character in {slip["character"], None}
        if "claimed" in slip:
            assert finding.claimed == slip["claimed"]
            assert list(finding.expected) == slip["expected"]


def test_nothing_went_wrong_on_the_way(shown):
    assert [line for kind, line in shown[1] if kind == "trouble"] == []


def test_the_public_report_tells_no_secret_total(shown):
    """The sheets' totals, and what was left of them, appear in no public form (S2)."""
    result = shown[0]
    data = json.loads(result.report.with_suffix(".json").read_text("utf-8"))
    spar = next(thread for thread in data["threads"] if thread["ruleset"] == "shinobi")
    for post in spar["posts"]:
        for pools in post["state"].values():
            for pool in pools.values():
                assert pool["claimed"] is None or pool["claimed"] <= 0
    sections = LexborHTMLParser(result.report.read_text("utf-8")).css("section.thread")
    section = next(node for node in sections if node.css_first("h2").text() == spar["title"])
    cells = {node.text() for node in section.css("td.num, .last b")}
    totals = {str(total) for sheet in sample_board().threads[0].characters for total in sheet["secret"].values()}
    assert "-24" in cells
    assert not cells & totals
