"""The resident pass: cron lines as cron reads them, intervals, and a clean end on SIGTERM."""

import importlib
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
toy = importlib.import_module("toy_forum")

from referee.app.errors import UsageError  # noqa: E402
from referee.app.schedule import interval, trigger_of  # noqa: E402


@dataclass
class Times:
    schedule: str | None = None
    every: str | None = None


def fires(line, start, count):
    trigger, moment, found = trigger_of(Times(schedule=line)), start, []
    for _ in range(count):
        moment = trigger.get_next_fire_time(None, moment)
        found.append(moment.strftime("%a %d %H:%M"))
        moment += timedelta(seconds=1)
    return found


# 2026-03-01 is a Sunday.
START = datetime(2026, 3, 1, 0, 0, tzinfo=UTC).astimezone()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("*/15 * * * *", ["Sun 01 00:00", "Sun 01 00:15", "Sun 01 00:30"]),
        ("30 6 * * 0", ["Sun 01 06:30", "Sun 08 06:30", "Sun 15 06:30"]),
        ("30 6 * * 7", ["Sun 01 06:30", "Sun 08 06:30", "Sun 15 06:30"]),
        ("30 6 * * 1", ["Mon 02 06:30", "Mon 09 06:30", "Mon 16 06:30"]),
        ("0 6 * * 5-7", ["Sun 01 06:00", "Fri 06 06:00", "Sat 07 06:00"]),
        ("0 6 * * mon,Wed", ["Mon 02 06:00", "Wed 04 06:00", "Mon 09 06:00"]),
        ("0 6 * * */3", ["Sun 01 06:00", "Wed 04 06:00", "Sat 07 06:00"]),
        ("0 6 3 * 5", ["Tue 03 06:00", "Fri 06 06:00", "Fri 13 06:00"]),
        ("0 6 3 * *", ["Tue 03 06:00", "Fri 03 06:00", "Sun 03 06:00"]),
    ],
)
def test_cron_lines(line, expected):
    assert fires(line, START, 3) == expected


@pytest.mark.parametrize(
    "line", ["* * * *", "61 * * * *", "0 6 * * 8", "0 6 * * 5-1", "0 6 * * x", "0 6 * * 1/0", "a b c d e"]
)
def test_wrong_cron_lines_name_the_key(line):
    with pytest.raises(UsageError, match=r"^schedule: "):
        trigger_of(Times(schedule=line))


def test_intervals():
    assert interval("90s") == timedelta(seconds=90)
    assert interval(" 1h 30m ") == timedelta(minutes=90)
    assert interval("2D") == timedelta(days=2)
    for wrong in ("", "15", "m", "0m", "-5m", "15 minutes", "1h x", "999999d", "1" * 10_000 + "m"):
        with pytest.raises(UsageError, match=r"^every: "):
            interval(wrong)
    assert trigger_of(Times()).interval == timedelta(minutes=15)
    assert trigger_of(Times(every="8s"), jitter=30).jitter == 2
    with pytest.raises(UsageError, match="only one"):
        trigger_of(Times("* * * * *", "15m"))


@pytest.fixture
def start_watch(tmp_path):
    """Starts watches; none outlives its test."""
    started = []

    def start(forum, out=subprocess.PIPE):
        command = [sys.executable, str(HERE / "toy_forum.py"), "watch", str(tmp_path), forum.url()]
        started.append(subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()


def wait_for(condition, process):
    for _ in range(6000):
        if condition() or process.poll() is not None:
            return
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_finishes_the_current_page_and_ends_well(start_watch, number):
    with toy.Server(toy.Forum(delay=0.3)) as forum:
        forum.fill("1", 200)
        process = start_watch(forum)
        wait_for(lambda: len(forum.pages) >= 2, process)
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
        assert process.returncode == 0 and not err, err
        assert "stopped; the next run goes on from here" in out and out.endswith("stopped\n")
        assert 2 <= len(forum.pages) <= 3, "no page is asked for after the one under way"
        forum.delay = 0
        seen = len(forum.pages)
        process = start_watch(forum)
        wait_for(lambda: len(forum.pages) >= 20 + 2, process)
        process.terminate()
        out, err = process.communicate(timeout=20)
    assert process.returncode == 0 and "judged 200" in out
    assert forum.pages[seen] == f"/t/1?page={seen + 1}", "the pages of the first watch are not asked for again"


def test_passes_come_on_schedule_and_a_failing_one_does_not_end_the_watch(tmp_path, start_watch):
    (tmp_path / "referee.db").write_text("no database " * 1000)
    said = tmp_path / "said.txt"
    with toy.Server(toy.Forum()) as forum, said.open("w") as file:
        forum.fill("1", 5)
        process = start_watch(forum, file)
        wait_for(lambda: "a run failed: " in said.read_text(), process)
        (tmp_path / "referee.db").unlink()
        wait_for(lambda: len(forum.pages) >= 3, process)
        process.terminate()
        _, err = process.communicate(timeout=20)
    out = said.read_text()
    assert process.returncode == 0 and not err, err
    assert out.count("a run failed: ") >= 1 and "is not a database" in out and "judged 5" in out
