"""A year of a busy board, from the command line: threads that are split, merged and renumbered, clocks, bad days."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.support.hostile_site import HostileSite, is_clean, referee, send, thread_page

STATS = "Taijutsu: 90<br>Ninjutsu: 80<br>(HP: -0 | Chakra: -0 | Stamina: -0)"
LOSS = "(HP: -0 | Chakra: -0 | Stamina: -0)"
ERROR = '<html><body id="errorpage"><div id="content"><h1>General Error</h1><div>SQL ERROR</div></div></body></html>'


@pytest.fixture
def site() -> Iterator[HostileSite]:
    with HostileSite() as made:
        yield made


class Board:
    """Threads of a phpBB board as lists of post numbers, served as they are now."""

    def __init__(self, site: HostileSite) -> None:
        self.site = site
        self.threads: dict[int, list[int]] = {}
        self.author = "Ren"
        self.status, self.instead = 200, ""

    def serve(self) -> None:
        self.site.plays.clear()
        for topic, posts in self.threads.items():
            self._play(f"/viewtopic.php?t={topic}", topic)
            for post in posts:
                self._play(f"/viewtopic.php?p={post}", topic)

    def _play(self, path: str, topic: int) -> None:
        def play(handler: BaseHTTPRequestHandler, _before: int) -> None:
            send(handler, self.instead or self.page(topic), self.status)

        self.site.plays[path] = play

    def page(self, topic: int) -> str:
        bodies = {post: STATS if post == 1 else LOSS for post in self.threads[topic]}
        named = f'<link rel="canonical" href="{self.site.url(f"/viewtopic.php?t={topic}")}">'
        text = thread_page(bodies, author=self.author).replace("viewtopic.php?t=7", f"viewtopic.php?t={topic}")
        return text.replace("<title>", f"{named}<title>")


@pytest.fixture
def board(site: HostileSite, tmp_path: Path) -> Board:
    made = Board(site)
    made.threads = {7: list(range(1, 21))}
    made.serve()
    site.configure(tmp_path, "/viewtopic.php?t=7")
    assert referee(tmp_path, "run").returncode == 0
    return made


def codes(home: Path, code: str) -> list[tuple[str, str]]:
    threads = json.loads(referee(home, "report", "--to", "json").stdout)["threads"]
    return [(t["url"].rsplit("=")[-1], f["post"]) for t in threads for f in t["findings"] if f["code"] == code]


def test_posts_that_staff_split_off_are_not_deleted(board: Board, tmp_path: Path) -> None:
    board.threads = {7: [*range(1, 6), *range(9, 21)], 9: [6, 8]}
    board.serve()
    done = referee(tmp_path, "run", "--fresh")
    assert done.returncode == 0, done.stderr
    # 7 leads nowhere: it is deleted; 6 and 8 stand in the thread 9.
    assert codes(tmp_path, "post/deleted") == [("7", "7")]
    told = referee(tmp_path, "incidents").stdout
    assert told.startswith("moved ")
    assert told.rstrip().endswith("t=9: 6, 8") or told.rstrip().endswith("p=6: 6, 8")
    asked = len(board.site.asked)
    assert referee(tmp_path, "run", "--fresh").returncode == 0
    assert not [path for path in board.site.asked[asked:] if "p=" in path], "they are looked for once"
    board.site.configure(tmp_path, "/viewtopic.php?t=7", "/viewtopic.php?t=9")
    referee(tmp_path, "run", "--fresh")
    referee(tmp_path, "run", "--fresh")
    assert referee(tmp_path, "incidents").stdout == "no incidents\n", "the other thread is watched too"


def test_a_merged_thread_is_reported_once_and_keeps_its_rulings(board: Board, tmp_path: Path) -> None:
    board.threads[8] = list(range(30, 36))
    board.serve()
    board.site.configure(tmp_path, "/viewtopic.php?t=7", "/viewtopic.php?t=8")
    referee(tmp_path, "run", "--fresh")
    referee(tmp_path, "ruling", "add", board.site.url("/viewtopic.php?t=7"), "--post", "3", "--effect", "fate=alive")
    board.threads = {8: [*range(1, 21), *range(30, 36)]}
    board.serve()
    done = referee(tmp_path, "run", "--fresh")
    assert done.returncode == 3
    assert "no such thread" in done.stderr
    shown = referee(tmp_path, "report", "--to", "json")
    threads = json.loads(shown.stdout)["threads"]
    assert [(t["url"].rsplit("=")[-1], len(t["posts"])) for t in threads] == [("8", 26)]
    assert "t=7: left out, its posts stand in " in shown.stderr
    assert "t=8\n  ruling 1: post 3: fate=alive" in referee(tmp_path, "ruling", "list").stdout


def test_a_thread_under_another_number_is_the_same_thread(board: Board, tmp_path: Path) -> None:
    board.threads = {8: list(range(1, 21))}
    board.serve()

    def away(handler: BaseHTTPRequestHandler, _before: int) -> None:
        send(handler, "", 301, Location=board.site.url("/viewtopic.php?t=8"))

    board.site.plays["/viewtopic.php?t=7"] = away
    before = json.loads(referee(tmp_path, "report", "--to", "json").stdout)["threads"]
    assert referee(tmp_path, "run", "--fresh").returncode == 0
    after = json.loads(referee(tmp_path, "report", "--to", "json").stdout)["threads"]
    assert [f["fingerprint"] for t in after for f in t["findings"]] == [
        f["fingerprint"] for t in before for f in t["findings"]
    ]


def test_a_closed_account_leaves_its_posts_to_whom_wrote_them(board: Board, tmp_path: Path) -> None:
    page = board.page(7).replace("./memberlist.php?mode=viewprofile&amp;u=2", "./nowhere").replace(">Ren<", ">Guest<")
    board.instead = page
    assert referee(tmp_path, "run", "--fresh").returncode == 0
    seen = json.loads(referee(tmp_path, "report", "--to", "json").stdout)["threads"][0]
    assert {post["author"] for post in seen["posts"]} == {"Ren"}
    board.instead = page.replace("./nowhere", "./memberlist.php?mode=viewprofile&amp;u=2").replace("Guest", "Renja")
    assert referee(tmp_path, "run", "--fresh").returncode == 0
    seen = json.loads(referee(tmp_path, "report", "--to", "json").stdout)["threads"][0]
    assert {post["author"] for post in seen["posts"]} == {"Renja"}


def test_a_board_that_is_out_of_order_is_tried_again(board: Board, tmp_path: Path) -> None:
    board.instead = ERROR
    for _ in range(2):
        done = referee(tmp_path, "run", "--fresh")
        assert done.returncode == 3
        assert is_clean(done)
        assert "the board is out of order" in done.stderr
    assert referee(tmp_path, "incidents").stdout.startswith("unreachable b ")
    assert "(2x since" in referee(tmp_path, "incidents").stdout
    board.instead = ""
    assert referee(tmp_path, "run").returncode == 0
    assert referee(tmp_path, "incidents").stdout == "no incidents\n"


def test_an_error_page_in_mid_thread_is_not_gone_on_from(site: HostileSite, tmp_path: Path) -> None:
    """The thread is not whole, the incident stays until it is, and the page is asked for again at once."""
    after = '<li class="arrow next"><a rel="next" href="./viewtopic.php?t=7&amp;start=10">N</a></li>'
    link = f'<ul><li class="active"><span>1</span></li>{after}</ul>'
    site.plays["/viewtopic.php?t=7"] = lambda handler, _: send(
        handler, thread_page({n: LOSS for n in range(1, 11)}, count=12, pager=link)
    )
    bad = [True]
    second = thread_page({11: LOSS, 12: LOSS}, count=12)
    site.plays["/viewtopic.php?t=7&start=10"] = lambda handler, _: send(handler, ERROR if bad[0] else second)
    site.configure(tmp_path, "/viewtopic.php?t=7")
    assert referee(tmp_path, "run").returncode == 3
    assert "unreachable b " in referee(tmp_path, "incidents").stdout
    bad[0] = False
    assert referee(tmp_path, "run").returncode == 0
    assert referee(tmp_path, "incidents").stdout == "no incidents\n"


def test_the_first_post_on_every_page_hides_no_other(site: HostileSite, tmp_path: Path) -> None:
    for place in range(3):
        bodies = {n: LOSS for n in (1, *range(place * 10 + 1, place * 10 + 11))}
        after = f"./viewtopic.php?t=7&amp;start={(place + 1) * 10}"
        following = f'<li class="arrow next"><a rel="next" href="{after}">N</a></li>' if place < 2 else ""
        pager = f'<ul><li class="active"><span>{place + 1}</span></li>{following}</ul>'
        text = thread_page(bodies, count=30, pager=pager)
        path = "/viewtopic.php?t=7" + (f"&start={place * 10}" if place else "")
        site.plays[path] = lambda handler, _, text=text: send(handler, text)  # type: ignore[misc]
    site.configure(tmp_path, "/viewtopic.php?t=7")
    assert referee(tmp_path, "run").returncode == 0
    seen = json.loads(referee(tmp_path, "report", "--to", "json").stdout)["threads"][0]
    assert [post["id"] for post in seen["posts"]] == [str(n) for n in range(1, 31)]
    asked = len(site.asked)
    assert referee(tmp_path, "run").returncode == 0
    assert site.asked[asked:] == ["/viewtopic.php?t=7&start=20"], "the last page is enough"


def test_a_thread_that_is_not_read_whole_is_said(site: HostileSite, tmp_path: Path) -> None:
    site.plays["/viewtopic.php?t=7"] = lambda handler, _: send(handler, thread_page({1: LOSS, 2: LOSS}, count=9))
    site.configure(tmp_path, "/viewtopic.php?t=7")
    done = referee(tmp_path, "run", "--quiet")
    assert done.returncode == 3
    assert "not all of the thread was read: " in done.stderr


DICE = """
[dice.log]
url_pattern = '{home}/roll/(?P<id>\\w+)'
kind = "json"
fields = {{expression = "dice", values = "results", at = "time"}}
allow_private = true
pace = 0
"""


def fluxbb_page(link: str, at: datetime) -> str:
    """A thread whose times have no zone: an attack, and a dodge roll that answers it half an hour later."""
    bodies = [STATS, STATS, "[50% to hit: punch] [Damage: 20 (punch)]<br>(HP: -0 | CHK: -0 | STM: -20)"]
    bodies.append(f'[50% to hit: rolled 70, dodged] <a href="{link}">roll</a><br>{LOSS}')
    posts = "".join(
        f'<div id="p{n}" class="blockpost"><h2><span><a href="viewtopic.php?pid={n}#p{n}">'
        f"{at + timedelta(minutes=30 * n):%Y-%m-%d %H:%M:%S}</a></span></h2><div class=postbody><div class=postleft>"
        f'<dl><dt><strong><a href="profile.php?id={n % 2}">{("Ren", "Kaito")[n % 2]}</a></strong></dt></dl></div>'
        f'<div class=postright><div class="postmsg"><p>{body}</p></div></div></div></div>'
        for n, body in enumerate(bodies, 1)
    )
    foot = '<div id="brdfooter"><p id="poweredby">Powered by <a href="http://fluxbb.org/">FluxBB</a></p></div>'
    return f'<html><body><div id="punviewtopic" class="pun">{posts}{foot}</div></body></html>'


@pytest.mark.parametrize(
    ("zone", "hours", "code", "said"),
    [
        ("", 0, None, "boards.b.timezone is not set: whether rolls and edits were made in time is not checked"),
        ("", -5, None, "boards.b.timezone is not set: whether rolls and edits were made in time is not checked"),
        ("UTC", 0, None, None),
        ("UTC", -5, "dice/too-late", "times were read as UTC, findings by time rest on it"),
        ("America/Panama", -5, None, None),
    ],
)
def test_times_without_a_zone(
    site: HostileSite, tmp_path: Path, zone: str, hours: int, code: str | None, said: str | None
) -> None:
    start = datetime(2026, 1, 2, 10, 0, tzinfo=UTC)
    record = {"dice": "1d100", "results": [70], "time": (start + timedelta(minutes=110)).isoformat()}
    site.plays["/roll/1"] = lambda handler, _: send(handler, json.dumps(record), kind="application/json")
    page = fluxbb_page(site.url("/roll/1"), start + timedelta(hours=hours))
    site.plays["/viewtopic.php?id=7"] = lambda handler, _: send(handler, page)
    site.configure(tmp_path, "/viewtopic.php?id=7")
    config = tmp_path / "referee.toml"
    more = f'timezone = "{zone}"\n' if zone else ""
    config.write_text(config.read_text() + more + DICE.format(home=site.home.replace(".", r"\.")))
    assert referee(tmp_path, "run").returncode == 0
    found = json.loads(referee(tmp_path, "report", "--to", "json").stdout)["threads"][0]["findings"]
    assert [f["code"] for f in found if f["code"].startswith("dice/")] == ([code] if code else [])
    noted = [f for f in found if "name no time zone" in f["message"]]
    wanted = [("post/unchecked", "notice", "4")] if said else []
    assert [(f["code"], f["severity"], f["post"]) for f in noted] == wanted
    assert all(str(said) in f["message"] for f in noted)
    assert len({f["fingerprint"] for f in found}) == len(found)
    checked = referee(tmp_path, "check")
    assert ("its pages name no time zone" in checked.stdout) == (not zone)


def test_a_board_whose_clock_is_minutes_off(board: Board, tmp_path: Path) -> None:
    """Told by the Date of its answers; posts of that time stay unjudged when the clock is right again."""
    off = [timedelta(minutes=-7)]

    def play(handler: BaseHTTPRequestHandler, _before: int) -> None:
        handler.date_time_string = lambda timestamp=None: format_datetime(  # type: ignore[method-assign]
            datetime.now(UTC) + off[0], usegmt=True
        )
        send(handler, board.page(7))

    board.threads[7].append(21)
    board.site.plays["/viewtopic.php?t=7"] = play
    assert referee(tmp_path, "run", "--fresh").returncode == 0
    assert "the board's clock is 7 minutes behind this machine's" in referee(tmp_path, "incidents").stdout
    off[0] = timedelta()
    board.threads[7].append(22)
    assert referee(tmp_path, "run", "--fresh").returncode == 0
    assert referee(tmp_path, "incidents").stdout == "no incidents\n"
    stored = sqlite3.connect(tmp_path / "var/referee.db").execute("SELECT clock_off FROM threads").fetchone()
    assert stored[0] in (-420, -421, -419)


def test_a_dice_service_with_a_bad_day_accuses_nobody_for_long(site: HostileSite, tmp_path: Path) -> None:
    link = site.url("/roll/1")
    there = [404]
    record = {"dice": "1d100", "results": [70], "time": "2026-01-02T00:03:30Z"}
    site.plays["/roll/1"] = lambda handler, _: send(handler, json.dumps(record), there[0], kind="application/json")
    bodies = {1: STATS, 2: f'[50% to hit: rolled 70, dodged] <a href="{link}">roll</a> {LOSS}'}
    site.plays["/viewtopic.php?t=7"] = lambda handler, _: send(handler, thread_page(bodies))
    site.configure(tmp_path, "/viewtopic.php?t=7")
    config = tmp_path / "referee.toml"
    config.write_text(config.read_text() + DICE.format(home=site.home.replace(".", r"\.")))
    assert referee(tmp_path, "run").returncode == 0
    assert codes(tmp_path, "dice/not-found") == [("7", "2")]
    there[0] = 200
    assert referee(tmp_path, "run", "--fresh").returncode == 0
    assert codes(tmp_path, "dice/not-found") == []
    there[0] = 503
    done = referee(tmp_path, "run", "--fresh")
    assert done.returncode == 3
    assert "log: answered 503" in done.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('engine = "phpbbb"', "boards.b.engine: no such engine"),
        ('profile = "zzz"', "boards.b.profile: no such profile"),
        ('selectors = {bodyy = "div"}', "boards.b.selectors.bodyy: unknown key, did you mean `body`?"),
        ('selectors = {body = "div[["}', "boards.b.selectors.body: 'div[[' is no CSS selector"),
        ("judges = 3", "boards.b.judges: expected a list such as [...], found 3"),
        ("engine = [1]", "boards.b.engine: expected text in quotes, found a list"),
        ('[dice.c]\nkind = "jsn"\nurl_pattern = "x"', "dice.c.kind: there is no 'jsn'"),
        ('[boards.c]\nurl = "http://x.example/"\nthreads = ["http://y.example/t"]', "its host is not that of `url`"),
    ],
)
@pytest.mark.parametrize("command", [["run"], ["watch"], ["check", "--offline"]])
def test_a_wrong_section_stops_every_command_in_one_line(
    site: HostileSite, tmp_path: Path, line: str, said: str, command: list[str]
) -> None:
    site.configure(tmp_path, "/viewtopic.php?t=7")
    config = tmp_path / "referee.toml"
    config.write_text(config.read_text() + line + "\n")
    done = referee(tmp_path, *command)
    assert done.returncode == 2
    told = [one for one in done.stderr.splitlines() if "`ruleset` is missing" not in one]
    assert len(told) == 1
    assert "referee.toml:" in told[0]
    assert said in told[0]


def test_prune_from_the_command_line(board: Board, tmp_path: Path) -> None:
    assert referee(tmp_path, "run", "--fresh").returncode == 0
    refused = referee(tmp_path, "prune")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "keep_pages is not set" in refused.stderr
    assert referee(tmp_path, "prune", "--older-than", "soon").returncode == 2
    for _ in range(2):
        assert referee(tmp_path, "run", "--fresh").returncode == 0
    database = sqlite3.connect(tmp_path / "var/referee.db")
    database.execute("UPDATE fetches SET received_at = '2020-01-01 00:00:00.000000'")
    database.commit()
    before = referee(tmp_path, "report", "--to", "json").stdout
    would = referee(tmp_path, "prune", "--older-than", "400 days", "--dry-run").stdout
    assert would.startswith("2 old pages would be pruned")
    config = tmp_path / "referee.toml"
    config.write_text('keep_pages = "400 days"\n' + config.read_text())
    done = referee(tmp_path, "run", "-v")
    assert "3 old pages were pruned" in done.stderr, "the pass has brought a newer one"
    assert referee(tmp_path, "prune", "--compact").stdout.startswith("0 old pages were pruned")
    assert referee(tmp_path, "report", "--to", "json").stdout == before
    config.write_text('keep_pages = "often"\n' + config.read_text().split("\n", 1)[1])
    wrong = referee(tmp_path, "run")
    assert wrong.returncode == 2
    assert "referee.toml:1: keep_pages: 'often' is no time to keep pages for" in wrong.stderr
