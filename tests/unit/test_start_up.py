"""Commands load only what they need: reading saved pages needs neither network nor database."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.app import saved

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
