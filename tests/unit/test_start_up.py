"""Commands load only what they need: reading saved pages needs neither network nor database."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from referee.app import plugins, saved

PAGE = (
    '<!DOCTYPE html><html><body id="phpbb"><h2 class="topic-title"><a href="./viewtopic.php?t=1">T</a></h2>'
    '<div id="p1" class="post"><p class="author"><a href="./viewtopic.php?p=1#p1">P</a> by '
    '<a class="username" href="./memberlist.php?mode=viewprofile&amp;u=2">ren</a> '
    '<time datetime="2026-01-02T10:00:00+00:00">then</time></p><div class="content">hello</div></div></body></html>'
)
HEAVY = (
    "requests",
    "urllib3",
    "sqlalchemy",
    "alembic",
    "apscheduler",
    "dateparser",
    "pydantic",
    "rich",
    "jinja2",
    "bs4",
    "importlib.metadata",
    "email",
)


@pytest.mark.parametrize("arguments", [["read", "page.html", "--url", "http://forum.example/viewtopic.php?t=1"]])
def test_read_loads_nothing_heavy(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    code = (
        "import sys\nfrom referee.__main__ import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit as done:\n    assert not done.code, done.code\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert '"author": "ren"' in done.stdout, done.stderr
    assert done.stderr.strip().splitlines()[-1] == "[]"


@pytest.mark.parametrize("group", ["boards", "bodies", "dice", "reporters", "rulesets"])
def test_plugins_are_the_entry_points_of_all_distributions(group: str) -> None:
    """They are read without the library's module for it, which is slow to load, and are the same."""
    assert plugins._entries(group) == {entry.name: entry.value for entry in entry_points(group=f"referee.{group}")}


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Makes distributions in a folder that modules are imported from, and nowhere else."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])

    def made(folder: str, text: str) -> None:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "entry_points.txt").write_text(text, "utf-8")

    plugins._entries.cache_clear()
    plugins._installed.cache_clear()
    yield made
    plugins._entries.cache_clear()
    plugins._installed.cache_clear()


def test_plugins_of_several_distributions_are_found_by_name(elsewhere) -> None:
    elsewhere("mine-1.0.dist-info", "# x\n[referee.boards]\nzeta = a.b:C\n\n[console_scripts]\nm = a:main\n")
    elsewhere("your_own.egg-info", "[referee.boards]\nalpha=d:E.f [extra]\n; x\n[referee.dice]\nq = z:r\n")
    elsewhere("bare-2.dist-info", "")
    assert plugins.names("boards") == ("alpha", "zeta")
    assert plugins._entries("boards") == {"alpha": "d:E.f", "zeta": "a.b:C"}
    assert plugins._entries("dice") == {"q": "z:r"}


def test_plugins_in_archives_are_found_too(elsewhere, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("packed-1.0.dist-info/METADATA", "Name: packed\n")
        packed.writestr("packed-1.0.dist-info/entry_points.txt", "[referee.boards]\nzip = a.b:C\n")
    elsewhere("mine-1.0.dist-info", "[referee.boards]\nzeta = a:B\n")
    monkeypatch.setattr(sys, "path", [str(archive), str(tmp_path)])
    assert plugins._entries("boards") == {"zeta": "a:B", "zip": "a.b:C"}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Mon, 30 Nov 2026 02:10:04 GMT", datetime(2026, 11, 30, 2, 10, 4, tzinfo=UTC)),
        ("Monday, 30-Nov-26 02:10:04 GMT", datetime(2026, 11, 30, 2, 10, 4, tzinfo=UTC)),
        ("Mon, 30 Nov 2026 03:10:04 +0100", datetime(2026, 11, 30, 2, 10, 4, tzinfo=UTC)),
        ("Mon, 3 Nov 2026 02:10:04 GMT", datetime(2026, 11, 3, 2, 10, 4, tzinfo=UTC)),
        ("Mon, 31 Nov 2026 02:10:04 GMT", None),
        ("Mon, 30 Nov 2026 25:10:04 GMT", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_of_answers(text: str, moment: datetime | None) -> None:
    assert saved._date_of({"date": text}) == moment
