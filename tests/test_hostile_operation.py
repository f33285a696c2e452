"""What an operator lives through: kills, full disks, two runs at once, dead boards, signals - and secret sheets."""

from __future__ import annotations

import json
import re
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.support.hostile_site import HostileSite, is_clean, referee, send, thread_page

THREAD = "/viewtopic.php?t=7"
STATS = "Taijutsu: 90<br>Ninjutsu: 80<br>(HP: -0 | Chakra: -0 | Stamina: -0)"
SHEET = '[[character]]\nname = "Ren"\nsecret = { hp = 777123, chakra = 888123, stamina = 999123 }\n'


def serve(site: HostileSite, pages: int = 5, held: threading.Event | None = None, chakra: int = 2) -> None:
    """A thread of `pages` pages with ten posts each; each loses the chakra without a cause.

    `held`: pages behind the third come only once it is set.
    """
    for place in range(pages):
        bodies = {place * 10 + n: STATS if place == 0 else f"(HP: -1 | Chakra: -{chakra})" for n in range(1, 11)}
        after = f"./viewtopic.php?t=7&amp;start={(place + 1) * 10}"
        following = f'<li class="arrow next"><a class="button" href="{after}" rel="next">Next</a></li>'
        pager = f'<ul><li class="active"><span>{place + 1}</span></li>{following if place + 1 < pages else ""}</ul>'
        text = thread_page(bodies, count=pages * 10, pager=pager)

        def play(handler: BaseHTTPRequestHandler, _before: int, text: str = text, last: bool = place > 2) -> None:
            if held is not None and last:
                held.wait(60)
            send(handler, text)

        site.plays[THREAD + (f"&start={place * 10}" if place else "")] = play


@pytest.fixture
def site() -> Iterator[HostileSite]:
    with HostileSite() as made:
        yield made


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "referee", *arguments]
    return subprocess.Popen(command, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(site: HostileSite, pages: int) -> None:
    until = time.monotonic() + 30
    while sum(path.startswith(THREAD) for path in site.asked) < pages:
        assert time.monotonic() < until, site.asked
        time.sleep(0.02)


def test_a_killed_run_is_gone_on_from(site: HostileSite, tmp_path: Path) -> None:
    held = threading.Event()
    serve(site, held=held)
    site.configure(tmp_path, THREAD)
    process = start(tmp_path, "run")
    wait_for(site, 4)
    second = referee(tmp_path, "run")
    process.kill()
    process.communicate()
    held.set()
    assert (second.returncode, second.stdout) == (0, "")
    assert "another run is at work (process " in second.stderr
    asked = len(site.asked)
    serve(site)
    done = referee(tmp_path, "run")
    assert done.returncode == 0, done.stderr
    assert is_clean(done), done.stderr
    assert THREAD not in site.asked[asked:], "pages that had come before the kill are not asked for again"
    seen = json.loads(referee(tmp_path, "report", "--to", "json").stdout)
    assert [post["id"] for post in seen["threads"][0]["posts"]] == [str(n) for n in range(1, 51)]


def test_a_dead_board_does_not_stop_the_others(site: HostileSite, tmp_path: Path) -> None:
    serve(site, 1)
    dead = '[boards.a]\nurl = "http://127.0.0.1:9/"\nruleset = "shinobi"\npace = 0\nallow_private = true\n'
    site.configure(tmp_path, THREAD, more=dead + 'threads = ["http://127.0.0.1:9/t"]\n')
    done = referee(tmp_path, "run")
    assert done.returncode == 3
    assert is_clean(done), done.stderr
    assert "2 threads, 1 changed, 1 judged" in done.stderr
    assert referee(tmp_path, "incidents").stdout.startswith("unreachable a  http://127.0.0.1:9/t")
    assert len(json.loads(referee(tmp_path, "report", "--to", "json").stdout)["threads"]) == 1
    checked = referee(tmp_path, "check")
    assert checked.returncode == 3
    assert "error    boards.a: " in checked.stderr
    assert "ok       boards.b: " in checked.stdout


def test_watch_ends_cleanly_on_sigterm(site: HostileSite, tmp_path: Path) -> None:
    serve(site, 1)
    site.configure(tmp_path, THREAD, more='every = "1h"\n')
    process = start(tmp_path, "watch")
    wait_for(site, 1)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "")
    assert err.endswith("referee: stopped\n")
    assert "Traceback" not in err


@pytest.mark.parametrize("room", [20_000, 200_000])
@pytest.mark.parametrize("command", [["run"], ["audit", "URL"], ["report", "--since", "last"], ["incidents"]])
def test_a_full_disk_is_said_and_breaks_nothing(
    site: HostileSite, tmp_path: Path, command: list[str], room: int
) -> None:
    """No file may grow beyond `room` bytes: what the system says is what it says on a full disk."""
    serve(site, 5)
    site.configure(tmp_path, THREAD)
    asked = [site.url() if word == "URL" else word for word in command]
    done = subprocess.run(
        [sys.executable, "-m", "referee", *asked],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert is_clean(done), done.stderr
    if room == 20_000:
        assert done.returncode == 2
        assert "the disk cannot be written" in done.stderr
    later = referee(tmp_path, "audit", site.url(), "--fail-on", "never", "--to", "json")
    assert later.returncode == 0, later.stderr
    assert len(json.loads(later.stdout)["threads"][0]["posts"]) == 50


def test_secrets_stay_in_the_sheets(site: HostileSite, tmp_path: Path) -> None:
    """Not in reports, not in log lines, not in the database; and nothing is written beside the data folder."""
    serve(site, 2)
    site.configure(tmp_path, THREAD, more='sheets = "sheets.toml"\n')
    (tmp_path / "sheets.toml").write_text(SHEET)
    (tmp_path / "sheets.toml").chmod(0o600)
    done = referee(tmp_path, "audit", site.url(), "-vv", "--to", "json", "--fail-on", "never")
    said = done.stdout + done.stderr + referee(tmp_path, "run", "--fresh", "-vv").stderr
    said += referee(tmp_path, "report", "--to", "html").stdout + referee(tmp_path, "check", "-vv").stdout
    stored = b"".join(path.read_bytes() for path in (tmp_path / "var").rglob("*") if path.is_file())
    for secret in ("777123", "888123", "999123", "777122", "777103"):
        assert secret not in said
        assert secret.encode() not in stored
    assert "777123" in referee(tmp_path, "report", "--staff", "--to", "json").stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["referee.toml", "sheets.toml", "var"]
    assert stat.S_IMODE((tmp_path / "var").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "var/referee.db").stat().st_mode) == 0o600
    (tmp_path / "sheets.toml").unlink()
    missing = referee(tmp_path, "report")
    assert missing.returncode == 2
    assert re.search(r"referee\.toml:\d+: sheets: .*sheets\.toml: there is no such file", missing.stderr)


def test_since_last_counts_only_what_was_reported_whole(site: HostileSite, tmp_path: Path) -> None:
    """A report of one player must not make the findings about the others old."""
    serve(site, 2)
    site.configure(tmp_path, THREAD)
    referee(tmp_path, "run")
    for narrow in (["--player", "Ren"], ["--board", "b"], ["--thread", site.url()]):
        assert referee(tmp_path, "report", "--since", "last", *narrow).stdout.startswith("1 thread: ")
    assert referee(tmp_path, "report", "--since", "last").stdout.startswith("1 thread: ")
    assert referee(tmp_path, "report", "--since", "last").stdout.startswith("no threads: ")


def test_since_last_has_what_changed(site: HostileSite, tmp_path: Path) -> None:
    """A finding that was reported is news again when its numbers are others."""
    serve(site, 2)
    site.configure(tmp_path, THREAD)
    referee(tmp_path, "run")
    referee(tmp_path, "report", "--since", "last")
    serve(site, 2, chakra=3)
    referee(tmp_path, "run", "--fresh")
    told = json.loads(referee(tmp_path, "report", "--since", "last", "--to", "json").stdout)
    found = [f for thread in told["threads"] for f in thread["findings"] if f["code"] == "shinobi/loss-chakra"]
    assert found
    assert {f["claimed"] for f in found} == {-3}
    assert not json.loads(referee(tmp_path, "report", "--since", "last", "--to", "json").stdout)["threads"]


def test_a_one_off_audit_is_not_passed_over_in_silence(site: HostileSite, tmp_path: Path) -> None:
    serve(site, 1)
    (tmp_path / "referee.toml").write_text('contact = "a@b.example"\ndata_dir = "var"\n')
    done = referee(tmp_path, "audit", site.url(), "--ruleset", "shinobi", "--allow-private", "--fail-on", "never")
    assert done.returncode == 0, done.stderr
    listed = referee(tmp_path, "report")
    assert "stored threads left out: 1 (it is no configured board)" in listed.stderr
    asked = referee(tmp_path, "report", "--thread", site.url())
    assert asked.returncode == 2
    assert "is stored, but its board" in asked.stderr


def test_a_misspelt_table_judges_nobody(site: HostileSite, tmp_path: Path) -> None:
    """Without the table that was meant, honest posts would be called wrong: nothing is asked for, nothing judged."""
    serve(site, 1)
    site.configure(tmp_path, THREAD, more="[tables.shinobi.techniqes.Spark]\nhits = 2\n")
    for command in (["run"], ["watch"], ["audit", site.url()]):
        done = referee(tmp_path, *command)
        assert done.returncode == 2, command
        assert "tables.shinobi.techniqes: unknown key, did you mean `techniques`?" in done.stderr
    assert site.asked == []


def test_rows_and_sheets_that_cannot_be_used_are_told(site: HostileSite, tmp_path: Path) -> None:
    """With `--quiet` too: whoever wrote them must know that they count for nothing."""
    serve(site, 1)
    row = '[tables.shinobi.techniques.Spark]\nhits = "two"\n'
    site.configure(tmp_path, THREAD, more=f'sheets = "sheets.toml"\n{row}')
    (tmp_path / "sheets.toml").write_text('[[character]]\nname = "Ren"\nboard = "b"\nrankk = "Gennin"\n')
    for command in (["run", "--quiet"], ["audit", site.url(), "--fail-on", "never", "--quiet"]):
        done = referee(tmp_path, *command)
        assert done.returncode == 0, done.stderr
        assert "tables.shinobi.techniques.Spark.hits: must be a whole number" in done.stderr
        assert "sheets.toml:4: Ren: rankk: unknown key, did you mean `rank`?" in done.stderr
