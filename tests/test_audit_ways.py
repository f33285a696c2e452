"""The same battle as a thread on a board, as saved pages and as a transcript: the same findings, for all systems."""

from __future__ import annotations

import html
import json
import plistlib
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from email.encoders import encode_quopri
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
import tomli_w
import yaml

from tests.support.hostile_site import PAGE, HostileSite, Play, referee, send

BATTLES = Path(__file__).parent / "battles"
SAMPLES = (
    "shinobi/planted-cost-unaffordable",
    "shinobi/planted-main-skipped",
    "d20_arena/fault-damage",
    "angel_dolls/planted-affinity",
    "enolaptia/planted-allocation",
)
PER_PAGE = 2
POST = """<div id="p{id}" class="post has-profile"><div class="inner"><dl class="postprofile"><dt>
<a href="./memberlist.php?mode=viewprofile&amp;u=2" class="username">{author}</a></dt></dl><div class="postbody">
<h3><a href="./viewtopic.php?p={id}#p{id}">x</a></h3><p class="author">by <strong><a
href="./memberlist.php?mode=viewprofile&amp;u=2" class="username">{author}</a></strong>
<time datetime="{time}">x</time></p><div class="content">{body}</div></div></div></div>"""
#: BBCode as phpBB shows it, and rolls as the board writes them (notation.md G7, G17).
SHOWN = (
    (r"\[url=([^\]]+)\](.*?)\[/url\]", r'<a href="\1" class="postlink">\2</a>'),
    (r"\[roll=([^\]]+)\](.*?)\[/roll\]", r'<span class="roll" data-dice="\1">\2</span>'),
    (r"\[(b|i)\](.*?)\[/\1\]", r"<strong>\2</strong>"),
    (r"\[ooc\](.*?)\[/ooc\]", r'<div class="ooc">\1</div>'),
    (r"(?s)\[quote=([^\]]+)\](.*?)\[/quote\]", r"<blockquote><div><cite>\1 wrote:</cite>\2</div></blockquote>"),
    (r"(?s)\[spoiler=([^\]]+)\](.*?)\[/spoiler\]", r'<div class="spoiler"><div class="spoiler-title">\1</div>\2</div>'),
)


class Board:
    """A transcript as a phpBB thread with a dice log beside it, both on one loopback server."""

    def __init__(self, site: HostileSite, home: Path, name: str) -> None:
        self.site, self.home = site, home
        text = (BATTLES / f"{name}.yaml").read_text("utf-8").replace("http://dice.example", site.home)
        self.data: dict[str, Any] = yaml.safe_load(text)
        self.ruleset: str = self.data["ruleset"]
        self.ids = {post["id"]: str(number) for number, post in enumerate(self.data["posts"], 1)}
        self._serve()
        self._configure()

    def _serve(self) -> None:
        posts = self.data["posts"]
        for link, roll in self.data.get("rolls", {}).items():
            self.site.plays[link.removeprefix(self.site.home)] = answer(json.dumps(record(roll)), "application/json")
        for place in range(0, len(posts), PER_PAGE):
            shown = self.page(place)
            self.site.plays[self.path(place)] = answer(shown, "text/html; charset=utf-8")
            file = self.home / f"page{place // PER_PAGE + 1}.html"
            file.write_text(shown)
            Path(f"{file}.url").write_text(self.site.home + self.path(place))

    def path(self, place: int) -> str:
        return "/viewtopic.php?t=7" + (f"&start={place}" if place else "")

    def page(self, place: int) -> str:
        posts, here = self.data["posts"], place // PER_PAGE + 1
        last = (len(posts) - 1) // PER_PAGE + 1
        links = "".join(
            f'<li class="active"><span>{number}</span></li>'
            if number == here
            else f'<li><a class="button" href=".{self.path((number - 1) * PER_PAGE)}">{number}</a></li>'
            for number in range(1, last + 1)
        )
        after = f'<li class="arrow next"><a href=".{self.path(place + PER_PAGE)}" rel="next">Next</a></li>'
        pager = f"<ul>{links}{after if here < last else ''}</ul>"
        bodies = "".join(
            POST.format(id=self.ids[p["id"]], author=p["author"], time=iso(p["at"]), body=as_shown(p["text"]))
            for p in posts[place : place + PER_PAGE]
        )
        return PAGE.format(charset="utf-8", title=self.data["title"], count=len(posts), pager=pager, posts=bodies)

    def _configure(self) -> None:
        board = {"url": f"{self.site.home}/", "ruleset": self.ruleset, "pace": 0, "allow_private": True}
        judge = self.data.get("battle", {}).get("judge")
        config = {
            "data_dir": "var",
            "sheets": "sheets.toml",
            "boards": {"b": {**board, "battle": self.data.get("battle", {}), "judges": [judge] if judge else []}},
            "dice": {
                "log": {
                    "url_pattern": re.escape(self.site.home) + r"/r/(?P<id>\w+)",
                    "kind": "json",
                    "fields": {"expression": "dice", "values": "results", "at": "time", "by": "who", "label": "why"},
                    "allow_private": True,
                    "pace": 0,
                }
            },
            "tables": {self.ruleset: self.data.get("tables", {})},
        }
        (self.home / "referee.toml").write_text(tomli_w.dumps(plain(config)))
        (self.home / "sheets.toml").write_text(tomli_w.dumps(plain({"character": self.data["characters"]})))
        (self.home / "sheets.toml").chmod(0o600)
        transcript = {**self.data, "title": "Bridge"}
        (self.home / "battle.json").write_text(json.dumps(transcript, default=str))

    def findings(self, *command: str) -> tuple[int, list[tuple[str, str, str | None, Any, Any]]]:
        """Status and findings of a command, the posts named as on the board."""
        done = referee(self.home, *command, "--to", "json")
        threads = json.loads(done.stdout)["threads"]
        assert len(threads) == 1, done.stderr
        return done.returncode, [
            (f["code"], self.ids.get(f["post"], f["post"]), f["character"], f["claimed"], f["expected"])
            for f in threads[0]["findings"]
        ]


def answer(body: str, kind: str) -> Play:
    def play(handler: BaseHTTPRequestHandler, _before: int) -> None:
        send(handler, body, kind=kind)

    return play


def record(roll: dict[str, Any]) -> dict[str, Any]:
    """A record as the log on this server shows it."""
    shown = {"dice": roll.get("expression"), "results": roll["values"], "who": roll.get("by"), "why": roll.get("label")}
    return {**shown, "time": iso(roll["at"]) if roll.get("at") else None}


def iso(moment: datetime | str) -> str:
    """A time as machines read it; naive ones are UTC (X15)."""
    text = moment.isoformat() if isinstance(moment, datetime) else moment
    return text if re.search(r"(?:Z|[+-]\d\d:\d\d)$", text) else f"{text}+00:00"


def plain(value: Any) -> Any:
    """Data that TOML takes: text keys, nothing that is empty."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items() if inner is not None}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


def as_shown(text: str) -> str:
    """BBCode as the board shows it."""
    shown = html.escape(text.strip(), quote=False)
    for pattern, meant in SHOWN:
        shown = re.sub(pattern, meant, shown)
    return shown.replace("\n", "<br>")


@pytest.fixture
def site() -> Iterator[HostileSite]:
    with HostileSite() as made:
        yield made


@pytest.mark.parametrize("name", SAMPLES)
def test_three_ways_to_the_same_findings(site: HostileSite, tmp_path: Path, name: str) -> None:
    board = Board(site, tmp_path, name)
    transcript = board.findings("replay", "battle.json", "--offline")
    assert any(code.startswith((f"{board.ruleset}/", "dice/")) for code, *_ in transcript[1]), "a planted fault"
    assert board.findings("audit", site.url()) == transcript
    pages = sorted(path.name for path in tmp_path.glob("page*.html"))
    assert len(pages) > 1
    asked = len(site.asked)
    assert board.findings("audit", *reversed(pages)) == transcript
    assert not [path for path in site.asked[asked:] if path.startswith("/viewtopic")], "a saved thread is not asked for"


def test_a_page_that_is_not_among_the_files(site: HostileSite, tmp_path: Path) -> None:
    """What comes behind it may rest on it: nobody is accused, staff see what was noted and that a page is missing."""
    board = Board(site, tmp_path, "shinobi/planted-main-skipped")
    whole = board.findings("audit", *sorted(path.name for path in tmp_path.glob("page*.html")))[1]
    certain = {"dice/values", "dice/no-link", "dice/reused", "dice/roller", "dice/too-late", "dice/not-found"}
    assert [code for code, *_ in whole if code not in certain]
    (tmp_path / "page1.html").rename(tmp_path / "first.htm")
    done = referee(tmp_path, "audit", *sorted(path.name for path in tmp_path.glob("page*.html")), "--to", "json")
    assert done.returncode == 3
    assert "page 1 of the thread was not read" in done.stderr
    findings = json.loads(done.stdout)["threads"][0]["findings"]
    assert findings[0]["post"] == "3"
    assert "posts before this one were not read" in findings[0]["message"]
    assert {f["code"] for f in findings if f["severity"] != "notice"} <= certain


def test_a_page_that_was_saved_twice(site: HostileSite, tmp_path: Path) -> None:
    """Before and after an edit: the newer text counts, and staff are told that there are two."""
    Board(site, tmp_path, "shinobi/planted-main-skipped")
    pages = sorted(path.name for path in tmp_path.glob("page*.html"))
    again = tmp_path / "page1 (1).html"
    again.write_text((tmp_path / pages[0]).read_text().replace('<div class="content">', '<div class="content">Fixed. '))
    Path(f"{again}.url").write_text((tmp_path / f"{pages[0]}.url").read_text())
    done = referee(tmp_path, "audit", *pages, again.name, "--to", "json")
    assert done.returncode == 3
    assert "not the same in all files" in done.stderr
    assert "post 1, 2\n" in done.stderr
    for hour, counts in ((12, True), (8, False)):
        for name in (*pages, again.name):
            shown = f"{hour if name == again.name else 10:02}:00:00 GMT"
            (tmp_path / f"{name}.headers").write_text(f"HTTP/1.1 200 OK\nDate: Mon, 30 Nov 2026 {shown}\n")
        assert ("Fixed." in referee(tmp_path, "read", *pages, again.name).stdout) is counts
    assert "not the same" not in referee(tmp_path, "audit", *pages, pages[0]).stderr


def mhtml(url: str, page: bytes) -> bytes:
    """A page as Chrome saves it in one file."""
    whole = MIMEMultipart("related", type="text/html")
    whole["Snapshot-Content-Location"], whole["Date"] = url, "Mon, 30 Nov 2026 12:00:00 -0000"
    frame = MIMENonMultipart("text", "html")
    frame.set_payload(b"<html>an advertisement</html>")
    frame["Content-Location"] = "https://elsewhere.example/frame"
    part = MIMENonMultipart("text", "html")
    part.set_payload(page)
    encode_quopri(part)
    part["Content-Location"] = url
    whole.attach(frame)
    whole.attach(part)
    return whole.as_bytes()


def webarchive(url: str, page: bytes) -> bytes:
    """A page as Safari saves it."""
    main = {"WebResourceURL": url, "WebResourceData": page, "WebResourceTextEncodingName": "UTF-8"}
    return plistlib.dumps({"WebMainResource": main}, fmt=plistlib.FMT_BINARY)


@pytest.mark.parametrize("wrap", [mhtml, webarchive])
def test_pages_in_the_wrappings_of_browsers(site: HostileSite, tmp_path: Path, wrap: Callable[..., bytes]) -> None:
    """They tell their address themselves; what is around the page is none of ours."""
    board = Board(site, tmp_path, "shinobi/planted-main-skipped")
    plainly = board.findings("audit", *sorted(path.name for path in tmp_path.glob("page*.html")))
    wrapped = []
    for path in sorted(tmp_path.glob("page*.html")):
        wrapped.append(path.with_suffix(".mhtml" if wrap is mhtml else ".webarchive"))
        wrapped[-1].write_bytes(wrap(Path(f"{path}.url").read_text(), path.read_bytes()))
    assert board.findings("audit", *(path.name for path in wrapped)) == plainly


def test_saved_pages_need_no_configuration(site: HostileSite, tmp_path: Path) -> None:
    board = Board(site, tmp_path, "shinobi/planted-cost-unaffordable")
    pages = sorted(path.name for path in tmp_path.glob("page*.html"))
    for name in ("referee.toml", "sheets.toml"):
        (tmp_path / name).unlink()
    refused = referee(tmp_path, "audit", *pages)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "is no configured board: give --ruleset" in refused.stderr
    done = referee(tmp_path, "audit", *pages, "--ruleset", board.ruleset, "--to", "json", "--fail-on", "never")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["threads"][0]["posts"]) == len(board.ids)
    assert not (tmp_path / "var").exists(), "nothing is stored"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["login.html", "--url", "http://f.example/viewtopic.php?t=7"], 3, "login.html: "),
        (["gone.html", "--url", "http://f.example/viewtopic.php?t=7"], 2, "gone.html: No such file"),
        (["login.html"], 2, "login.html: where was it served from? Give --url"),
        (["http://f.example/t", "login.html"], 2, "one address at a time"),
        (["http://f.example/t", "http://f.example/u"], 2, "one address at a time"),
        (["login.html", "--url", "http://f.example/t", "--fetched", "soon"], 2, "'soon' is no time"),
        (["login.html", "--url", "http://f.example/t", "--engine", "vb"], 2, "--engine: there is no 'vb'"),
        (["login.html", "--url", "http://f.example/t", "--board", "b"], 2, "--board: there is no board 'b'"),
        (["login.html", "--url", "http://f.example/t", "--fresh"], 2, "--fresh: saved pages are taken as they are"),
        (["http://f.example/t", "--url", "http://f.example/u"], 2, "--url: only of saved pages"),
        (["HTTP://f.example/t", "--offline"], 2, "--offline: only of saved pages"),
        (["battle.yaml"], 2, "battle.yaml: a saved page was expected; `referee replay` takes transcripts"),
        (["."], 2, ".: a folder; name the saved pages themselves"),
        (["torn.mhtml", "--url", "http://f.example/t"], 3, "torn.mhtml: "),
        (["torn.webarchive", "--url", "http://f.example/t"], 3, "torn.webarchive: "),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, arguments: list[str], status: int, said: str) -> None:
    (tmp_path / "login.html").write_text("<html><body>Please log in</body></html>")
    (tmp_path / "battle.yaml").write_text("schema: referee/transcript@1\nruleset: shinobi\n")
    (tmp_path / "torn.mhtml").write_text("MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n")
    (tmp_path / "torn.webarchive").write_bytes(b"bplist00\xd1\x01\x02")
    done = referee(tmp_path, "audit", *arguments, "--ruleset", "shinobi")
    assert done.returncode == status, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("page.html", "page.html: a saved page; `referee audit` takes those"),
        ("page.txt", "page.txt: a saved page; `referee audit` takes those"),
        ("https://f.example/viewtopic.php?t=7", "an address; `referee audit` takes those"),
    ],
)
def test_what_replay_is_given_and_audit_takes(tmp_path: Path, name: str, said: str) -> None:
    for file in ("page.html", "page.txt"):
        (tmp_path / file).write_text("<!DOCTYPE html>\n<html><body>Please log in</body></html>")
    done = referee(tmp_path, "replay", name)
    assert done.returncode == 2
    assert said in done.stderr
