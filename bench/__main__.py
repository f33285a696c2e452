"""Everything that must be reached, measured in one run: `python -m bench`."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import SHARED
from bench.forum import LongThread, body_of
from bench.replays import least
from referee.app import plugins
from referee.app.cast import cast_of
from referee.engine.replay import judge_battle, sheets_of
from referee.engine.timeline import read_posts
from referee.model.battle import Battle, Post, Revision

#: Runs of each measured command.
RUNS = 5


def line(what: str, measured: float, goal: float, unit: str) -> None:
    """One result: measured, goal, and measured as a share of the goal (below 1 is reached)."""
    print(f"{what:<66} {measured:>10.3f} {unit:<8} goal {goal:<8g} ratio {measured / goal:.2f}")


def processor(command: list[str]) -> float:
    """Least processor time of a command in several runs, seconds."""
    times = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def battle(posts: int) -> Battle:
    """A shinobi battle of so many posts, as a scraped board would give it."""
    reader = plugins.body_reader()
    made = tuple(
        Post(str(number), ("ren", "kaito")[number % 2], (Revision(reader(None, body_of(number))),))
        for number in range(posts)
    )
    whole = Battle("shinobi", made, title="bench", rolls={})
    ruleset = plugins.ruleset("shinobi")
    return Battle("shinobi", made, cast_of(whole, ruleset, ()), title="bench", rolls={})


def replay_speed() -> None:
    """Replay of 1,000 posts, and posts a second with and without the reading."""
    ruleset = plugins.ruleset("shinobi")
    fight = battle(1000)
    sheets = sheets_of(fight, ruleset)
    judge_battle(fight, ruleset)
    whole = least([lambda: judge_battle(fight, ruleset)])
    reading = least([lambda: read_posts(fight, ruleset, sheets)])
    line("replay of 1,000 posts, reading included", whole, 1.0, "s")
    line("time for 3,000 posts, reading included", whole * 3, 1.0, "s")
    line("time for 20,000 posts, replay alone", (whole - reading) * 20, 1.0, "s")


def transcript_bodies() -> None:
    """Bodies of transcripts, text of 2 kB with links, cut into blocks."""
    told = "[b]x[/b] some text that runs on and on. [20% to hit: rolled [url=http://dice.example/r/101]70[/url], 17]\n"
    text = (told * 20)[:2000]
    reader = plugins.body_reader()
    line("time for 3,000 transcript bodies of 2 kB", least([lambda: reader(text, None)]) * 3000, 1.0, "s")


def read_process() -> None:
    """`referee read` on five saved pages against merely parsing them with another parser."""
    parse = (
        "import sys; from bs4 import BeautifulSoup\nfor f in sys.argv[1:]: BeautifulSoup(open(f, 'rb').read(), 'lxml')"
    )
    for folder in sorted(SHARED.glob("pages/*/guest")):
        pages = [str(path) for path in sorted(folder.glob("battle-p[1-9].html"))][:5]
        if len(pages) >= 3:
            ours = processor([sys.executable, "-m", "referee", "read", *pages])
            theirs = processor([sys.executable, "-c", parse, *pages])
            line(f"read, whole process, {folder.parent.name}, {len(pages)} pages / parsing", ours / theirs, 0.9, "")


def second_run() -> None:
    """A second `run` over an unchanged thread of 500 posts: requests and processor time."""
    with tempfile.TemporaryDirectory() as home, LongThread(500) as forum:
        config = Path(home) / "referee.toml"
        config.write_text(
            f'data_dir = "var"\n[boards.bench]\nurl = "{forum.home}/"\nruleset = "shinobi"\npace = 0\n'
            f'allow_private = true\nthreads = ["{forum.url}"]\n'
        )
        command = [sys.executable, "-m", "referee", "run", "--quiet", "--config", str(config)]
        subprocess.run(command, check=True)
        forum.requests.clear()
        spent = processor(command)
        # Start-up: a command that opens the same store and does nothing else.
        idle = processor([sys.executable, "-m", "referee", "incidents", "--quiet", "--config", str(config)])
        line("second run over 500 unchanged posts: requests", len(forum.requests) / RUNS, 2, "")
        line("second run: processor time beyond start-up", spent - idle, 0.5, "s")


def memory() -> None:
    """Memory of an audit of a thread of 10,000 posts."""
    with tempfile.TemporaryDirectory() as home, LongThread(10_000) as forum:
        config = Path(home) / "referee.toml"
        config.write_text(
            f'data_dir = "var"\n[boards.bench]\nurl = "{forum.home}/"\nruleset = "shinobi"\npace = 0\n'
            "allow_private = true\n"
        )
        command = [sys.executable, "-m", "referee", "audit", forum.url, "--to", "csv", "--fail-on", "never", "--quiet"]
        code = (
            "import resource, subprocess, sys\n"
            f"subprocess.run({[*command, '--config', str(config)]!r}, stdout=subprocess.DEVNULL)\n"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        line("audit of 10,000 posts: peak memory", int(done.stdout) / 1024, 300, "MiB")


def main() -> None:
    """Print every goal."""
    from bench import read_pages, replays

    read_pages.main()
    read_process()
    transcript_bodies()
    replay_speed()
    replays.main([])
    second_run()
    memory()


if __name__ == "__main__":
    main()
