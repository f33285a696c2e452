"""Watched sections of a board: `referee run` finds the battles by itself, on a real board's pages over HTTP."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.support.captured import BOARDS, CapturedBoard
from tests.support.hostile_site import HostileSite, Play, is_clean, referee, send, thread_page
from tests.support.samples import SHARED

LIST = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Battles</title></head>
<body id="phpbb" class="section-viewforum"><h2 class="forum-title">Battles</h2>
<div class="pagination"><ul>{next}</ul></div>{topics}<div class="copyright">Powered by
<a href="https://www.phpbb.com/">phpBB</a></div></body></html>"""
SESSION = "sid=0123456789abcdef0123456789abcdef"
TOPIC = f'<li><a href="./viewtopic.php?t={{id}}&amp;{SESSION}" class="topictitle">{{id}}</a></li>'
LOGIN = '<form id="login"></form><div class="copyright"><a href="https://www.phpbb.com/">phpBB</a></div>'
NEXT = '<li class="arrow next"><a href="./viewforum.php?f=3&amp;start={start}" rel="next">Next</a></li>'
BATTLE = "Rank: Gennin<br>Taijutsu: 90<br>Speed: {speed}<br>(HP: -0 | CHK: -0 | STM: -{stamina})"
FORUM = "/viewforum.php?f=3"


class Section:
    """A section of a phpBB board: lists of two threads a page, each thread with one post."""

    def __init__(self, site: HostileSite) -> None:
        self.site = site

    def show(self, *threads: int, stamina: int = 0) -> None:
        """Put threads into the list, the one with the newest post first."""
        for start in range(0, len(threads), 2):
            topics = "".join(TOPIC.format(id=number) for number in threads[start : start + 2])
            following = NEXT.format(start=start + 2) if start + 2 < len(threads) else ""
            path = FORUM + (f"&start={start}" if start else "")
            self.site.plays[path] = page(LIST.format(next=following, topics=topics))
        for number in threads:
            body = BATTLE.format(speed=80, stamina=stamina) if number % 2 else "Who is in for a spar?"
            shown = thread_page({number * 100: body}, title=f"Thread {number}").replace("t=7", f"t={number}")
            self.site.plays[f"/viewtopic.php?t={number}"] = page(shown)

    def configure(self, home: Path, more: str = "") -> None:
        self.site.configure(home)
        with (home / "referee.toml").open("a") as config:
            config.write(f'forums = ["{self.site.home}{FORUM}"]\n{more}')

    def asked(self) -> list[str]:
        found = [path for path in self.site.asked if path != "/robots.txt"]
        self.site.asked.clear()
        return found


def page(body: str, status: int = 200) -> Play:
    def play(handler: BaseHTTPRequestHandler, _before: int) -> None:
        send(handler, body, status)

    return play


@pytest.fixture
def section() -> Iterator[Section]:
    with HostileSite() as site:
        yield Section(site)


def reported(home: Path) -> list[str]:
    """The threads in the staff report."""
    done = referee(home, "report", "--to", "json")
    return [thread["url"].partition("t=")[2] for thread in json.loads(done.stdout)["threads"]]


def test_battles_are_found_as_they_come(section: Section, tmp_path: Path) -> None:
    section.show(3, 2, 1)
    section.configure(tmp_path)
    first = referee(tmp_path, "run")
    assert (first.returncode, is_clean(first)) == (0, True), first.stderr
    assert "3 threads, 3 changed, 3 judged" in first.stderr
    assert section.asked() == [FORUM, f"{FORUM}&start=2", *(f"/viewtopic.php?t={n}" for n in (3, 2, 1))]
    section.show(5, 3, 2, 1, stamina=4)
    second = referee(tmp_path, "run")
    assert second.returncode == 0, second.stderr
    assert "/viewtopic.php?t=5" in section.asked()
    assert reported(tmp_path) == ["3", "1", "5"], "a thread in which nobody fights is not in the staff's report"


def test_threads_that_have_sunk_are_still_looked_at(section: Section, tmp_path: Path) -> None:
    """Old posts are edited too, and an edit does not bring a thread back to the top."""
    section.show(1)
    section.configure(tmp_path, "forum_pages = 1\n")
    referee(tmp_path, "run")
    section.show(9, 7, 1)
    section.asked()
    done = referee(tmp_path, "run", "--fresh")
    assert done.returncode == 0, done.stderr
    assert [path for path in section.asked() if "viewtopic" in path] == [f"/viewtopic.php?t={n}" for n in (9, 7, 1)]


def test_a_thread_that_is_listed_twice_is_looked_at_once(section: Section, tmp_path: Path) -> None:
    """Under the address that staff have written, and under that of the list."""
    section.show(1)
    section.site.plays["/viewtopic.php?f=3&t=1"] = section.site.plays["/viewtopic.php?t=1"]
    section.site.configure(tmp_path, "/viewtopic.php?f=3&t=1")
    with (tmp_path / "referee.toml").open("a") as config:
        config.write(f'forums = ["{section.site.home}{FORUM}"]\n')
    referee(tmp_path, "run")
    section.asked()
    done = referee(tmp_path, "run")
    assert len([path for path in section.asked() if "viewtopic" in path]) <= 1
    assert "1 thread, " in done.stderr


def test_what_leads_elsewhere_is_no_thread_of_this_board(section: Section, tmp_path: Path) -> None:
    """Neither other hosts nor addresses that do something are asked, and they keep nobody from the board's threads."""
    section.show(3, 1)
    odd = [
        *("javascript:alert(1)", "http://elsewhere.example/viewtopic.php?t=44", "//other.example/viewtopic.php?t=45"),
        *("./ucp.php?mode=logout&t=47", "./viewforum.php?f=3&mark=topics&t=48", "http://[::1/viewtopic.php?t=49"),
        *(f"http://staff:word@{section.site.home[7:]}/viewtopic.php?t=50", f"./viewtopic.php?t=3&x={'9' * 3000}"),
    ]
    links = "".join(f'<li><a href="{url}" class="topictitle">odd</a></li>' for url in [*odd, "./viewtopic.php?t=1"])
    section.site.plays[FORUM] = page(LIST.format(next="", topics=links))
    section.configure(tmp_path)
    done = referee(tmp_path, "run")
    assert (done.returncode, is_clean(done)) == (0, True), done.stderr
    assert section.asked() == [FORUM, "/viewtopic.php?t=3", "/viewtopic.php?t=1"]
    # A board that answers under two names lists all its threads under one of them.
    elsewhere = '<li><a href="http://www.board.example/viewtopic.php?t=1" class="topictitle">1</a></li>'
    section.site.plays[FORUM] = page(LIST.format(next="", topics=elsewhere))
    done = referee(tmp_path, "run")
    assert done.returncode == 3
    assert "the threads in this list are on www.board.example" in done.stderr


def test_a_page_that_fails_hides_nothing_of_the_one_before(section: Section, tmp_path: Path) -> None:
    section.show(5, 3, 1)
    section.site.plays[f"{FORUM}&start=2"] = page(LOGIN)
    section.configure(tmp_path)
    done = referee(tmp_path, "run")
    assert done.returncode == 3
    assert "2 threads, 2 changed" in done.stderr


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(page(LOGIN), "login"), (page(LIST.format(next="", topics=""), 404), "missing")],
    ids=["hidden", "gone"],
)
def test_a_thread_that_guests_do_not_see_is_told_once(
    section: Section, tmp_path: Path, answer: Play, kind: str
) -> None:
    """Nobody has listed it and nobody can take it out: cron must not write of it each time, the list has it."""
    section.show(3, 1)
    section.site.plays["/viewtopic.php?t=3"] = answer
    section.configure(tmp_path)
    first = referee(tmp_path, "run", "--quiet")
    assert (first.returncode, first.stderr.count("viewtopic.php?t=3")) == (3, 1)
    section.asked()
    second = referee(tmp_path, "run", "--quiet")
    assert (second.returncode, second.stderr) == (0, "")
    assert "/viewtopic.php?t=3" not in section.asked()
    assert kind in referee(tmp_path, "incidents").stdout
    section.show(1)
    assert referee(tmp_path, "run").returncode == 0
    assert referee(tmp_path, "incidents").stdout == "no incidents\n", "it has left the section"


def test_a_section_whose_threads_guests_do_not_see(section: Section, tmp_path: Path) -> None:
    """Where nothing is read at all, every pass says so: a permission set by mistake must not end in silence."""
    section.show(3, 1)
    section.configure(tmp_path)
    assert referee(tmp_path, "run").returncode == 0
    for number in (3, 1):
        section.site.plays[f"/viewtopic.php?t={number}"] = page(LOGIN)
    for _ in range(2):
        referee(tmp_path, "run", "--quiet")
    done = referee(tmp_path, "run", "--quiet")
    assert done.returncode == 3
    assert "guests see none of the 2 threads in its sections" in done.stderr


def test_a_thread_that_is_taken_out_of_the_configuration_leaves_the_list(section: Section, tmp_path: Path) -> None:
    section.site.configure(tmp_path, "/viewtopic.php?t=3")
    for _ in range(2):
        assert referee(tmp_path, "run").returncode == 3, "one that staff have listed is told until it is taken out"
    assert "t=3" in referee(tmp_path, "incidents").stdout
    section.site.configure(tmp_path)
    assert referee(tmp_path, "run").returncode == 0
    assert referee(tmp_path, "incidents").stdout == "no incidents\n"


def test_threads_that_are_no_battles_can_be_left_alone(section: Section, tmp_path: Path) -> None:
    """The rules with an example of a turn stand in the section of the battles."""
    section.show(5, 3, 1)
    section.configure(tmp_path)
    referee(tmp_path, "run")
    assert reported(tmp_path) == ["5", "3", "1"]
    with (tmp_path / "referee.toml").open("a") as config:
        config.write(f'ignore = ["{section.site.home}/viewtopic.php?f=3&t=3#top"]\n')
    section.asked()
    assert referee(tmp_path, "run", "--fresh").returncode == 0
    assert "/viewtopic.php?t=3" not in section.asked()
    assert reported(tmp_path) == ["5", "1"]


def test_two_games_on_one_forum(section: Section, tmp_path: Path) -> None:
    """Each has its section; a thread that is audited by hand is judged by the rules of its own."""
    section.show(3, 1)
    section.configure(tmp_path)
    with (tmp_path / "referee.toml").open("a") as config:
        config.write(
            f'[boards.arena]\nurl = "{section.site.home}/"\nruleset = "d20_arena"\npace = 0\n'
            f'allow_private = true\nforums = ["{section.site.home}/viewforum.php?f=4"]\n'
        )
    section.site.plays["/viewforum.php?f=4"] = page(LIST.format(next="", topics=TOPIC.format(id=11)))
    shown = thread_page({1100: "Goro: 7/20 HP"}, title="Arena").replace("t=7", "t=11")
    section.site.plays["/viewtopic.php?t=11"] = page(shown)
    section.site.plays["/viewtopic.php?t=13"] = page(shown.replace("t=11", "t=13"))
    assert referee(tmp_path, "run").returncode == 0
    found = json.loads(referee(tmp_path, "audit", section.site.url("/viewtopic.php?t=11"), "--to", "json").stdout)
    assert found["threads"][0]["ruleset"] == "d20_arena"
    unknown = referee(tmp_path, "audit", section.site.url("/viewtopic.php?t=13"))
    assert unknown.returncode == 2
    assert "boards b, arena are of this forum: say which, with --board" in unknown.stderr
    for option in (("--board", "arena"), ("--ruleset", "d20_arena")):
        done = referee(tmp_path, "audit", section.site.url("/viewtopic.php?t=13"), *option)
        assert "(d20_arena)" in done.stdout
    listed = json.loads(referee(tmp_path, "report", "--to", "json").stdout)["threads"]
    assert [one["ruleset"] for one in listed].count("shinobi") == 2
    assert referee(tmp_path, "read", section.site.url("/viewtopic.php?t=13")).returncode == 0


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (page(LOGIN), "login"),
        (page(LIST.format(next="", topics="")), "page"),
        (page(LIST.format(next="", topics=""), 404), "missing"),
        (page("<html>nothing known</html>"), "engine"),
    ],
)  # fmt: skip
def test_a_section_that_cannot_be_read_is_no_empty_one(
    section: Section, tmp_path: Path, answer: Play, kind: str
) -> None:
    """It is in the operator's list, with status 3, until it can be read again; the threads known are looked at."""
    section.show(1)
    section.configure(tmp_path)
    referee(tmp_path, "run")
    section.site.plays[FORUM] = answer
    section.asked()
    done = referee(tmp_path, "run", "--fresh")
    assert (done.returncode, is_clean(done)) == (3, True), done.stderr
    assert "/viewtopic.php?t=1" in section.asked()
    assert f"{kind} " in referee(tmp_path, "incidents").stdout
    section.show(1)
    referee(tmp_path, "run")
    assert kind not in referee(tmp_path, "incidents").stdout


def test_a_list_without_end(section: Section, tmp_path: Path) -> None:
    """A next link that leads back, and one that goes on for ever."""
    section.show(1)
    section.site.plays[FORUM] = page(LIST.format(next=NEXT.format(start=2), topics=TOPIC.format(id=1)))
    section.site.plays[f"{FORUM}&start=2"] = page(LIST.format(next=NEXT.format(start=2), topics=TOPIC.format(id=1)))
    section.configure(tmp_path, "forum_pages = 50\n")
    assert referee(tmp_path, "run").returncode == 0
    assert len([path for path in section.asked() if "viewforum" in path]) == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('forums = ["http://elsewhere.example/viewforum.php?f=1"]\n', "boards.b.forums: http://elsewhere.example/"),
        ('forums = ["viewforum.php?f=1"]\n', "boards.b.forums: "),
        ("forum_pages = 0\n", "boards.b.forum_pages: "),
        ('ignore = ["viewtopic.php?t=3"]\n', "boards.b.ignore: "),
        ('ignore = ["http://elsewhere.example/viewtopic.php?t=3"]\n', "its host is not that of `url`"),
    ],
)
def test_wrong_sections_are_named(section: Section, tmp_path: Path, line: str, said: str) -> None:
    section.site.configure(tmp_path)
    with (tmp_path / "referee.toml").open("a") as config:
        config.write(line)
    done = referee(tmp_path, "run")
    assert done.returncode == 2
    assert said in done.stderr


def test_a_section_of_two_boards_is_told(section: Section, tmp_path: Path) -> None:
    """Its threads would be judged by the rules of both."""
    section.show(3)
    section.configure(tmp_path)
    text = (tmp_path / "referee.toml").read_text()
    (tmp_path / "referee.toml").write_text(text + text[text.index("[boards.b]") :].replace("boards.b", "boards.c"))
    assert "is a section of c too" in referee(tmp_path, "check").stdout
    section.site.configure(tmp_path, "/viewtopic.php?t=3")
    with (tmp_path / "referee.toml").open("a") as config:
        config.write(f'ignore = ["{section.site.home}/viewtopic.php?t=3"]\n')
    assert "stands in `threads` too" in referee(tmp_path, "check").stderr


def test_check_reads_the_section(section: Section, tmp_path: Path) -> None:
    section.show(3, 2)
    section.configure(tmp_path)
    assert "2 threads listed" in referee(tmp_path, "check").stdout
    section.site.plays[FORUM] = page(LIST.format(next="", topics=""))
    done = referee(tmp_path, "check")
    assert done.returncode == 3
    assert "no threads could be read" in done.stderr


@pytest.mark.shared
@pytest.mark.skipif(not BOARDS and "CI" not in os.environ, reason=f"no captured pages at {SHARED}/pages")
@pytest.mark.parametrize("name", BOARDS or ("no-boards",))
def test_the_captured_boards_section(name: str, tmp_path: Path) -> None:
    """Of every engine: the battle is found in its section and judged; threads that were not captured are missing."""
    with CapturedBoard(name) as board:
        forum = board.manifest["forums"][0]
        captured = next(c for c in board.manifest["captures"] if c["file"] == "guest/forum-p1.html")
        assert forum["name"] == "Battle Grounds"
        (tmp_path / "referee.toml").write_text(
            f'data_dir = "var"\n[boards.b]\nurl = "{board.home}/"\nruleset = "shinobi"\npace = 0\n'
            f'allow_private = true\nforums = ["{captured["url"].replace(board.base, board.home)}"]\nforum_pages = 1\n'
        )
        asked = referee(tmp_path, "audit", captured["url"].replace(board.base, board.home))
        assert asked.returncode == 3
        assert "this is a list of threads and no thread" in asked.stderr
        done = referee(tmp_path, "run", seconds=120)
        assert is_clean(done), done.stderr
        threads = json.loads(referee(tmp_path, "report", "--to", "json").stdout)["threads"]
    battle = next(thread for thread in threads if (thread["title"] or "").startswith("[Battle]"))
    special = {post["special"]: post for post in board.truth("battle") if post.get("special")}
    found = {(finding["code"], finding["post"]) for finding in battle["findings"]}
    assert ("shinobi/loss-missing", str(special["notag"]["id"])) in found
