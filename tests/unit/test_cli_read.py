"""`referee read`: saved pages in any order, web archives, pages that are no threads."""

from __future__ import annotations

import gc
import gzip
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.__main__ import main
from tests.support.hostile_site import thread_page

Run = Callable[..., tuple[int, list[dict[str, object]], str]]
HOME = "https://forum.example.org/viewtopic.php?t=7"


def address(place: int) -> str:
    return HOME + (f"&start={place * 10}" if place else "")


def shown(place: int, *, newest_first: bool = False) -> str:
    """The page of that place in a thread of three pages with ten posts each."""
    numbers = [31 - n if newest_first else n for n in range(place * 10 + 1, place * 10 + 11)]
    bodies = {n: f"post {n}" for n in numbers}
    after = (
        f'<li class="arrow next"><a href="./viewtopic.php?t=7&amp;start={(place + 1) * 10}" rel="next">Next</a></li>'
    )
    links = "".join(f'<li><a class="button" href="{address(n)}">{n + 1}</a></li>' for n in range(3) if n != place)
    pager = f'<ul><li class="active"><span>{place + 1}</span></li>{links}{after if place < 2 else ""}</ul>'
    return thread_page(bodies, count=30, pager=pager)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Reads targets in a folder with three saved pages; gives status, the lines' data and the error lines."""
    monkeypatch.chdir(tmp_path)
    for place in range(3):
        (tmp_path / f"p{place + 1}.html").write_text(shown(place))
        (tmp_path / f"p{place + 1}.html.url").write_text(address(place))

    def call(*arguments: str) -> tuple[int, list[dict[str, object]], str]:
        with pytest.raises(SystemExit) as left:
            main(["read", *arguments])
        said = capfd.readouterr()
        assert "Traceback" not in said.err
        assert "a fault of referee" not in said.err
        return int(left.value.code or 0), [json.loads(line) for line in said.out.splitlines()], said.err

    yield call
    gc.enable()


@pytest.mark.parametrize("order", [("p1", "p2", "p3"), ("p3", "p1", "p2"), ("p2", "p3", "p1", "p2")])
def test_pages_in_any_order_give_one_thread(run: Run, order: tuple[str, ...]) -> None:
    status, lines, err = run(*(f"{name}.html" for name in order))
    assert (status, err) == (0, "")
    assert [line["kind"] for line in lines] == ["thread", *["post"] * 30]
    assert [line["id"] for line in lines[1:]] == [str(n) for n in range(1, 31)]
    head = lines[0]
    assert (head["schema"], head["engine"], head["posts_stated"], head["posts_read"]) == (
        "referee/posts@1",
        "phpbb",
        30,
        30,
    )


@pytest.mark.parametrize("order", [("p1", "p2", "p3"), ("p3", "p1", "p2"), ("p2",)])
def test_pages_with_the_newest_post_first_are_turned_round(run: Run, tmp_path: Path, order: tuple[str, ...]) -> None:
    for place in range(3):
        (tmp_path / f"p{place + 1}.html").write_text(shown(place, newest_first=True))
    _, lines, _ = run(*(f"{name}.html" for name in order))
    ids = [int(str(line["id"])) for line in lines[1:]]
    assert ids == (list(range(1, 31)) if len(order) > 1 else list(range(11, 21)))


def test_every_field_of_the_contract_is_there(run: Run) -> None:
    _, lines, _ = run("p1.html", "p2.html", "p3.html")
    head = {"schema", "kind", "url", "title", "engine", "engine_version", "posts_stated", "posts_read", "locked"}
    post = {"kind", "id", "number", "permalink", "author", "author_id", "time", "time_precision", "time_origin"}
    assert set(lines[0]) == head
    assert set(lines[1]) >= post | {"edited", "deleted", "text", "blocks", "links"}
    assert (lines[1]["time"], lines[1]["time_precision"], lines[1]["time_origin"]) == (
        "2026-01-02T00:01:00Z",
        "second",
        "attribute",
    )
    assert (lines[1]["edited"], lines[1]["deleted"]) == (None, False)


def test_a_part_does_not_pass_for_the_whole(run: Run) -> None:
    status, lines, err = run("p1.html", "p3.html")
    assert (status, lines[0]["posts_read"]) == (0, 20)
    assert "only 20 of the 30 posts" in err


def test_the_address_from_the_command_line(run: Run, tmp_path: Path) -> None:
    for place in range(3):
        (tmp_path / f"p{place + 1}.html.url").unlink()
    status, lines, _ = run("p1.html", "p2.html", "p3.html", "--url", HOME)
    assert (status, len(lines)) == (0, 31)
    assert str(lines[1]["permalink"]).startswith("https://forum.example.org/viewtopic.php?p=1")
    urls = [word for place in range(3) for word in ("--url", address(place))]
    assert run("p1.html", "p2.html", "p3.html", *urls)[1] == lines


def test_a_broken_address_beside_a_file_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p1.html.url").write_text("http://[::1")
    status, lines, err = run("p1.html")
    assert (status, lines) == (2, [])
    assert "p1.html.url: " in err


def test_an_unknown_engine_names_marks_and_keys(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text("<html><body>hello</body></html>")
    status, lines, err = run("x.html", "p1.html", "--url", "https://f.example/")
    assert (status, lines[0]["posts_read"]) == (3, 10)
    for words in ("x.html: ", "looked for: ", "phpbb (", "smf (", "`boards.NAME.engine`", "--engine"):
        assert words in err


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<form id="login" action="./ucp.php?mode=login"><input type="password"></form>', "asks for a login"),
        ('<div id="message"><p>The requested topic does not exist.</p></div>', "there is no such thread"),
    ],
)
def test_pages_that_are_no_thread_say_what_they_are(run: Run, tmp_path: Path, body: str, said: str) -> None:
    (tmp_path / "x.html").write_text(
        f'<html><body id="phpbb" class="section-ucp"><!-- phpBB style name: x -->{body}</body></html>'
    )
    status, lines, err = run("x.html", "--url", HOME)
    assert (status, lines) == (3, [])
    assert f"x.html: the board {'asks' if 'asks' in said else 'says that'}" in err
    assert said in err


def archive(path: Path, *records: tuple[str, bytes, dict[str, str]]) -> None:
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=path.suffix == ".gz")
        for url, body, headers in records:
            head = StatusAndHeaders("200 OK", list(headers.items()), protocol="HTTP/1.1")
            record = writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head)
            writer.write_record(record)


@pytest.mark.parametrize("name", ["t.warc", "t.warc.gz"])
def test_a_web_archive(run: Run, tmp_path: Path, name: str) -> None:
    """Its thread pages, in any order; images, login pages and a bomb among them stop nothing."""
    html = {"Content-Type": "text/html; charset=utf-8", "Date": "Mon, 30 Nov 2026 02:10:04 GMT"}
    pages = [(address(place), shown(place).encode(), html) for place in (2, 0, 1)]
    others = [
        ("https://forum.example.org/x.png", b"\x89PNG", {"Content-Type": "image/png"}),
        ("https://forum.example.org/odd", b"no gzip", {**html, "Content-Encoding": "gzip"}),
        ("https://forum.example.org/bomb", gzip.compress(b"0" * 80_000_000), {**html, "Content-Encoding": "gzip"}),
    ]
    archive(tmp_path / name, *others, *pages)
    status, lines, _ = run(name)
    assert (status, [line["id"] for line in lines[1:]]) == (0, [str(n) for n in range(1, 31)])


def test_what_is_no_web_archive_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.warc").write_text("garbage\n")
    status, lines, err = run("x.warc")
    assert (status, lines) == (2, [])
    assert "x.warc: not a web archive" in err
    (tmp_path / "y.warc").write_bytes(b"")
    status, lines, err = run("y.warc")
    assert (status, lines) == (3, [])
    assert "no thread page among the files" in err


NOTED = "http://forum.example.org/viewtopic.php?t=7&amp;start=10"
SINGLE = "<!--\n Page saved with SingleFile \n url: {url} \n saved date: Mon Nov 30 2026 12:34:56 GMT+0100 (CET)\n-->"


@pytest.mark.parametrize(
    "note",
    [
        "<!-- saved from url=(0054)http://forum.example.org/viewtopic.php?t=7&start=10 -->",
        SINGLE.format(url="http://forum.example.org/viewtopic.php?t=7&start=10"),
        f'<link rel="alternate" href="http://x.example/"><link href="{NOTED}" rel="canonical">',
        f'<link rel="canonical" href="{NOTED}">',
    ],
)
def test_the_address_that_a_browser_has_noted(run: Run, tmp_path: Path, note: str) -> None:
    """A page that was saved from a browser says where it is from; `--url` counts before it."""
    (tmp_path / "saved.html").write_text(shown(1).replace("<head>", f"<head>{note}"))
    status, lines, _ = run("saved.html")
    assert status == 0
    assert str(lines[0]["url"]).startswith("http://forum.example.org/viewtopic.php?t=7")
    if "canonical" not in note:
        _, lines, _ = run("saved.html", "--url", "http://other.example/viewtopic.php?t=7")
        assert str(lines[0]["url"]).startswith("http://other.example/")


@pytest.mark.parametrize(
    "note",
    [
        "",
        '<link rel="canonical" href="/t=7">',
        "<!-- saved from url=(0011)about:blank -->",
        "<link " * 9000,
    ],
)
def test_a_page_that_says_nothing_of_its_address(run: Run, tmp_path: Path, note: str) -> None:
    (tmp_path / "saved.html").write_text(shown(1).replace("<head>", f"<head>{note}"))
    status, lines, err = run("saved.html")
    assert (status, lines) == (2, [])
    assert "saved.html: where was it served from?" in err


def test_the_time_that_a_browser_has_noted(run: Run, tmp_path: Path) -> None:
    """Relative dates are counted from it."""
    relative = shown(1).replace('<time datetime="2026-01-02T00:11:00+00:00">x</time>', "5 minutes ago")
    (tmp_path / "saved.html").write_text(relative.replace("<head>", "<head>" + SINGLE.format(url=address(1))))
    _, lines, _ = run("saved.html")
    assert (lines[1]["time"], lines[1]["time_origin"]) == ("2026-11-30T11:29:56Z", "relative")
