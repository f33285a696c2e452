"""The staff page in a real browser: it lays out, loads nothing and runs nothing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from referee.model.claims import Claim
from referee.model.figure import Figure
from referee.model.report import Finding, PoolState, PostReport, Report, ThreadReport, Working
from referee.ports.reports import Rendering
from reports import html

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        CHROMIUM is None and "CI" not in os.environ,
        reason="chromium is not installed: the page was not looked at in a browser",
    ),
]

#: Each of these would change the page's title if the browser ran it.
ATTACK = (
    "</style><script>document.title='RUN'</script>"
    "<img src=x onerror=\"document.title='RUN'\"><svg onload=document.title='RUN'>"
)


def browse(tmp_path: Path, written: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Open the page in headless chromium with an own profile."""
    page = tmp_path / "report.html"
    page.write_text(written, "utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", *options]
    return subprocess.run([CHROMIUM, *flags, page.as_uri()], capture_output=True, text=True, timeout=120, check=False)


def report(words: str) -> Report:
    claims = (Claim("loss", words),)
    states = [{words: {"hp": PoolState(-i, Figure.of(-i))}} for i in range(4)]
    posts = tuple(PostReport(f"p{i}", words, words, None, claims, (words,), state) for i, state in enumerate(states))
    slip = Finding("shinobi/loss-hp", "error", "p2", words, -1, [-2], (words,), words, (Working(words),))
    return Report((ThreadReport(words, words, None, words, posts=posts, findings=(slip,)),))


def test_nothing_runs_and_our_style_is_applied(tmp_path):
    seen = browse(tmp_path, html.render(report(ATTACK), Rendering()), "--dump-dom")
    assert seen.returncode == 0, seen.stderr
    assert "<title>Referee report: 1 thread: 1 error" in seen.stdout
    assert "Content Security Policy" not in seen.stderr
    assert "<svg" in seen.stdout


def test_the_page_is_drawn_with_its_colours(tmp_path):
    shot = tmp_path / "shot.png"
    seen = browse(tmp_path, html.render(report("Ren"), Rendering()), f"--screenshot={shot}", "--window-size=900,1600")
    assert seen.returncode == 0, seen.stderr
    assert shot.stat().st_size > 20_000


def test_it_prints(tmp_path):
    paper = tmp_path / "report.pdf"
    seen = browse(tmp_path, html.render(report("Ren"), Rendering()), f"--print-to-pdf={paper}")
    assert seen.returncode == 0, seen.stderr
    assert paper.read_bytes().startswith(b"%PDF")
