"""A forum software that referee does not know, described by selectors: the same findings as from a transcript."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import tomli_w

from tests.support.hostile_site import HostileSite, is_clean, referee
from tests.test_audit_ways import PER_PAGE, SAMPLES, Board, as_shown, iso

SELECTORS = {
    "post": "article.saying",
    "author": ".who",
    "date": "time",
    "body": ".words",
    "quote": "aside.cited",
    "caption": "aside.cited > h5",
    "spoiler": ".behind",
    "roll": "span.roll",
    "pager": "nav.leaves",
    "page": "u",
    "title": "h1",
}
POST = """<article class="saying" id="saying-{id}"><h2 class="who">{author}</h2><time datetime="{time}">once</time>
<div class="words">{body}</div></article>"""


class UnknownBoard(Board):
    """The battle on a board with markup of its own."""

    def path(self, place: int) -> str:
        return "/talk/7-bridge" + (f"/leaf/{place // PER_PAGE + 1}" if place else "")

    def page(self, place: int) -> str:
        posts, here = self.data["posts"], place // PER_PAGE + 1
        last = (len(posts) - 1) // PER_PAGE + 1
        leaves = " ".join(
            f"<u>{leaf}</u>" if leaf == here else f'<a href="{self.path((leaf - 1) * PER_PAGE)}">{leaf}</a>'
            for leaf in range(1, last + 1)
        )
        said = "".join(
            POST.format(id=self.ids[p["id"]], author=p["author"], time=iso(p["at"]), body=own_markup(p["text"]))
            for p in posts[place : place + PER_PAGE]
        )
        return f"<!DOCTYPE html><title>x</title><h1>{self.data['title']}</h1><nav class='leaves'>{leaves}</nav>{said}"

    def _configure(self) -> None:
        super()._configure()
        path = self.home / "referee.toml"
        config = tomllib.loads(path.read_text())
        config["boards"]["b"] |= {"engine": "custom", "selectors": SELECTORS}
        path.write_text(tomli_w.dumps(config))

    def url(self) -> str:
        return self.site.home + self.path(0)


def own_markup(text: str) -> str:
    """A post's text with quotes and spoilers as this board shows them."""
    shown = as_shown(text).replace("<blockquote><div><cite>", '<aside class="cited"><h5>').replace("</cite>", "</h5>")
    shown = shown.replace("</div></blockquote>", "</aside>").replace('<div class="spoiler">', '<div class="behind">')
    return shown.replace('<div class="spoiler-title">', "<div>")


@pytest.fixture
def site() -> Iterator[HostileSite]:
    with HostileSite() as made:
        yield made


@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_findings_as_from_the_transcript(site: HostileSite, tmp_path: Path, name: str) -> None:
    board = UnknownBoard(site, tmp_path, name)
    transcript = board.findings("replay", "battle.json", "--offline")
    assert any(code.startswith((f"{board.ruleset}/", "dice/")) for code, *_ in transcript[1]), "a planted fault"
    assert board.findings("audit", board.url()) == transcript
    pages = sorted(path.name for path in tmp_path.glob("page*.html"))
    assert len(pages) > 1
    assert board.findings("audit", *pages) == transcript


def test_a_run_by_the_schedule(site: HostileSite, tmp_path: Path) -> None:
    board = UnknownBoard(site, tmp_path, SAMPLES[0])
    path = tmp_path / "referee.toml"
    config = tomllib.loads(path.read_text())
    config["boards"]["b"]["threads"] = [board.url()]
    path.write_text(tomli_w.dumps(config))
    first = referee(tmp_path, "run")
    assert (first.returncode, is_clean(first)) == (0, True), first.stderr
    assert "1 thread, 1 changed, 1 judged" in first.stderr
    assert "0 changed" in referee(tmp_path, "run", "--fresh").stderr
    for command in (("report", "--thread"), ("ruling", "list", "--thread")):
        assert referee(tmp_path, *command, board.url()).returncode == 0
        other = referee(tmp_path, *command, "https://elsewhere.example/talk/9-quay")
        assert (other.returncode, "is not stored" in other.stderr) == (2, True), "an engine without `wherever`"


def test_what_is_missing_is_told_before_anything_is_asked(site: HostileSite, tmp_path: Path) -> None:
    board = UnknownBoard(site, tmp_path, SAMPLES[0])
    path = tmp_path / "referee.toml"
    config = tomllib.loads(path.read_text())
    del config["boards"]["b"]["selectors"]["quote"]
    path.write_text(tomli_w.dumps(config))
    for command in (("run",), ("audit", board.url()), ("check", "--offline")):
        done = referee(tmp_path, *command)
        assert done.returncode == 2, done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert "boards.b.selectors: the engine `custom` also needs those of quote" in done.stderr
    config["boards"]["b"]["selectors"] = {}
    path.write_text(tomli_w.dumps(config))
    assert "also needs those of post" in referee(tmp_path, "run").stderr
    assert [asked for asked in site.asked if asked.startswith("/talk")] == []


def test_an_unknown_board_is_told_how_it_can_be_described(site: HostileSite, tmp_path: Path) -> None:
    board = UnknownBoard(site, tmp_path, SAMPLES[0])
    path = tmp_path / "referee.toml"
    config = tomllib.loads(path.read_text())
    del config["boards"]["b"]["engine"], config["boards"]["b"]["selectors"]
    path.write_text(tomli_w.dumps(config))
    done = referee(tmp_path, "audit", board.url())
    assert done.returncode == 3
    assert 'or describe its pages with the engine "custom" and `boards.b.selectors`' in done.stderr


@pytest.mark.parametrize("newest", [False, True])
def test_saved_pages_whose_pager_shows_only_neighbours_are_one_thread(tmp_path: Path, newest: bool) -> None:
    """The pages, in any order, are one thread oldest first, also with its first post on each and the newest on top."""
    config = {"url": "https://f.example/", "engine": "custom", "ruleset": "shinobi", "selectors": SELECTORS}
    (tmp_path / "referee.toml").write_text(tomli_w.dumps({"data_dir": "var", "boards": {"b": config}}))
    for leaf in (4, 2, 3, 1):
        place = 10 - 2 * leaf if newest else 2 * leaf
        numbers = [1, place + 1, place] if newest else [place, place + 1]
        said = "".join(
            POST.format(id=n, author="Ren", time=f"2026-01-{n:02}T10:00:00Z", body=f"Post {n}.") for n in numbers
        )
        pager = " ".join(
            f"<u>{n}</u>" if n == leaf else f"<a href='/talk/7/leaf/{n}'>{n}</a>"
            for n in range(max(leaf - 1, 1), min(leaf + 1, 4) + 1)
        )
        pager = pager.replace("/talk/7/leaf/1'", "/talk/7'")
        file = tmp_path / f"page{leaf}.html"
        file.write_text(f"<h1>Duel</h1><nav class=leaves>{pager}</nav>{said}")
        Path(f"{file}.url").write_text("https://f.example/talk/7" + (f"/leaf/{leaf}" if leaf > 1 else ""))
    files = [f"page{leaf}.html" for leaf in (3, 1, 4, 2)]
    done = referee(tmp_path, "audit", *files, "--to", "json")
    assert len(json.loads(done.stdout)["threads"]) == 1, done.stderr
    read = referee(tmp_path, "read", *files)
    assert (read.returncode, read.stderr) == (0, ""), "each page is linked by one of the others"
    assert done.returncode in (0, 1)
    part = referee(tmp_path, "audit", "page3.html", "page4.html", "--fail-on", "never")
    assert part.returncode == 3
    assert "page 3 does not link the first one (selectors.first): read from here on" in part.stderr
    ids = [line["id"] for line in map(json.loads, read.stdout.splitlines()) if "id" in line]
    assert ids == [str(n) for n in ([1] if newest else []) + list(range(2, 10))]
