"""The Atom feed of stored findings: ids that stay, times that move on, nothing hostile, nothing secret."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

from referee.model.report import Finding, Report
from referee.ports.reports import News, Rendering
from reports import atom
from tests.support.hostile_site import HostileSite, referee
from tests.unit.test_cli_ruling import THREAD, home, serve
from tests.unit.test_reports import battle

__all__ = ["home"]  # the fixture

NAMES = {"a": atom.ATOM}


def entries(feed: str) -> list[Element]:
    return fromstring(feed.encode()).findall("a:entry", NAMES)


def text(entry: Element, tag: str) -> str:
    return entry.findtext(f"a:{tag}", "", NAMES)


def moment(day: int) -> datetime:
    return datetime(2026, 11, day, 10, tzinfo=UTC)


def rendered(report: Report, day: int = 3) -> str:
    url = report.threads[0].url or ""
    news = {(url, f.fingerprint): News(moment(1), moment(day)) for f in report.threads[0].findings if f.fingerprint}
    return atom.render(report, Rendering({"S10": "One d100 per hit."}, "9.9.9", news))


def test_an_entry_says_what_where_and_when() -> None:
    newest, _ = entries(rendered(battle()))
    assert text(newest, "title") == "error shinobi/loss-hp, post p2, Ren Aoki: Bridge"
    assert (text(newest, "published"), text(newest, "updated")) == ("2026-11-01T10:00:00Z", "2026-11-03T10:00:00Z")
    link = newest.find("a:link", NAMES)
    assert link is not None and link.get("href") == "https://forum.example.org/viewtopic.php?p=2#p2"
    assert text(newest, "content").split("\n") == [
        "The numbers in this post give a loss of 13 HP; the Loss Tag says 10.",
        "Stated: -10. The rules give: -14 or -13.",
        "Words of p1: [Damage: 7 x2]",
        "Rule S10: One d100 per hit.",
        "Rule S11",
        "7 + 6 = 13",
    ]
    assert [category.get("term") for category in newest.findall("a:category", NAMES)] == ["error", "shinobi/loss-hp"]


def test_an_entry_keeps_its_id_and_moves_on_when_it_changes() -> None:
    before, after = rendered(battle(), 3), rendered(battle(), 5)
    assert [text(one, "id") for one in entries(before)] == [text(one, "id") for one in entries(after)]
    assert fromstring(after.encode()).findtext("a:updated", "", NAMES) == "2026-11-05T10:00:00Z"
    assert rendered(battle()) == rendered(battle())


def test_secret_totals_are_for_staff_alone() -> None:
    assert "731" not in rendered(battle())
    assert "from 731 to 718" in rendered(battle(staff=True))


def test_hostile_words_are_text() -> None:
    report = battle()
    thread = report.threads[0]
    words = "<script>alert(1)</script> ]]> & \x00\x08\u202e\ufffe\ud800"
    bad = Finding("post/unread-tag", "notice", "p1", message=words, fingerprint="f9")
    feed = rendered(replace(report, threads=(replace(thread, title=words, findings=(bad,)),)))
    (entry,) = entries(feed)
    assert "<script>" not in feed
    assert text(entry, "content").startswith("<script>alert(1)</script> ]]> & <U+0008><U+202E>")


def test_an_empty_feed_is_a_feed() -> None:
    feed = fromstring(atom.render(Report((), False), Rendering()).encode())
    assert feed.findtext("a:title", "", NAMES) == "referee: findings"
    assert feed.findtext("a:updated", "", NAMES) == "1970-01-01T00:00:00Z"


def test_the_stored_findings_as_a_feed(home: tuple[HostileSite, Path]) -> None:
    """From the command line: the same ids run after run, and what changed comes first."""
    site, folder = home
    first = referee(folder, "report", "--to", "atom")
    assert first.returncode == 0
    known = {text(one, "id"): text(one, "updated") for one in entries(first.stdout)}
    assert len(known) >= 2 and "1970" not in first.stdout
    serve(site, hp=2)
    assert referee(folder, "run", "--fresh").returncode == 0
    later = entries(referee(folder, "report", "--to", "atom").stdout)
    changed = [one for one in later if text(one, "updated") > known.get(text(one, "id"), "")]
    assert changed and later[: len(changed)] == changed
    assert {text(one, "id") for one in later} >= set(known) - {text(one, "id") for one in changed}
    refused = referee(folder, "audit", site.url(), "--to", "atom")
    assert refused.returncode == 2 and THREAD
