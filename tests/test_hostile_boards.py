"""Boards that misbehave, through the whole way: `referee audit` says it in a line, with status 3 and an incident."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.support.hostile_site import HostileSite, Play, is_clean, referee, send, thread_page

THREAD = "/viewtopic.php?t=7"
GOOD = thread_page({1: "Taijutsu: 90<br>Speed: 80<br>(HP: -0 | Chakra: -0 | Stamina: -0)", 2: "hello"})
LOGIN = (
    '<html><head><title>Login</title></head><body id="phpbb" class="section-ucp"><form action="./ucp.php?mode=login" '
    'method="post" id="login"><input type="text" name="username"><input type="password" name="password"></form>'
    '<a href="https://www.phpbb.com/">phpBB</a></body></html>'
)


BOT_CHECK = "<html><title>Just a moment...</title><script src='/cdn-cgi/challenge-platform/h/b'></script></html>"


@pytest.fixture
def site() -> Iterator[HostileSite]:
    with HostileSite() as made:
        yield made


def endless(handler: BaseHTTPRequestHandler, _before: int) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.end_headers()
    while True:
        handler.wfile.write(b"<p>more</p>" * 5000)


def bomb(handler: BaseHTTPRequestHandler, _before: int) -> None:
    send(handler, gzip.compress(b"<p>" + b"0" * 60_000_000), Content_Encoding="gzip")


def cut_off(handler: BaseHTTPRequestHandler, _before: int) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(GOOD) * 2))
    handler.end_headers()
    handler.wfile.write(GOOD.encode())


def away(address: str) -> Play:
    return lambda handler, _before: send(handler, "", 302, Location=address)


def page(text: str | bytes, status: int = 200, **headers: str) -> Play:
    return lambda handler, _before: send(handler, text, status, **headers)


@pytest.mark.parametrize(
    ("play", "kind", "said"),
    [
        (endless, "unreachable", "larger than"),
        (bomb, "unreachable", "larger than"),
        (away("http://10.0.0.7/admin"), "unreachable", "no configured site"),
        (away("http://169.254.169.254/latest/meta-data"), "unreachable", "no configured site"),
        (away("file:///etc/passwd"), "unreachable", "only http and https"),
        (away(THREAD), "unreachable", "circle"),
        (page("x", 429, Retry_After="86400"), "unreachable", "asks to wait: 86400"),
        (page("<html><body>A page of nothing known</body></html>"), "engine", "boards.b.engine"),
        (page(LOGIN), "login", "asks for a login"),
        (page("", 200), "engine", "looked for: "),
        (page(b"\x00\xff" * 5000), "engine", "looked for: "),
        (page("gone", 404), "unreachable", "status 404"),
        (page("who are you?", 401), "login", "asks for a login"),
        (page(BOT_CHECK), "challenge", "a bot check"),
        (page(BOT_CHECK, 403), "challenge", "a bot check"),
        (page("", 403, **{"cf-mitigated": "challenge"}), "challenge", "a bot check"),
        (page("", 503, **{"cf-mitigated": "challenge"}), "challenge", "a bot check"),
        (page(BOT_CHECK, 503), "challenge", "a bot check"),
        (page(BOT_CHECK, 429, Retry_After="5"), "challenge", "a bot check"),
    ],
    ids=lambda value: getattr(value, "__name__", str(value))[:24],
)
def test_trouble_is_a_line_a_status_and_an_incident(
    site: HostileSite, tmp_path: Path, play: Play, kind: str, said: str
) -> None:
    site.plays[THREAD] = play
    site.configure(tmp_path, THREAD)
    done = referee(tmp_path, "audit", site.url())
    assert (done.returncode, done.stdout) == (3, "")
    assert is_clean(done), done.stderr
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    listed = referee(tmp_path, "incidents").stdout
    assert listed.startswith(kind)
    assert said in listed


def test_a_connection_that_breaks_off_is_tried_again_and_told(site: HostileSite, tmp_path: Path) -> None:
    site.plays[THREAD] = cut_off
    site.configure(tmp_path, THREAD)
    done = referee(tmp_path, "audit", site.url())
    assert done.returncode == 3
    assert is_clean(done), done.stderr
    assert site.asked.count(THREAD) == 4


@pytest.mark.parametrize("packed", [False, True])
def test_a_bot_check_is_asked_once(site: HostileSite, tmp_path: Path, packed: bool) -> None:
    body = gzip.compress(BOT_CHECK.encode()) if packed else BOT_CHECK
    site.plays[THREAD] = page(body, 503, **({"Content-Encoding": "gzip"} if packed else {}))
    site.configure(tmp_path, THREAD)
    assert referee(tmp_path, "run").returncode == 3
    assert site.asked.count(THREAD) == 1
    assert referee(tmp_path, "incidents").stdout.startswith("challenge")


def test_a_boards_own_fault_behind_a_guard_is_tried_again(site: HostileSite, tmp_path: Path) -> None:
    """Its error page holds the guard's scripts, as all its pages do; one that breaks off is as good."""
    fault = page("<p>Sorry.</p><script>a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'</script>", 503)
    broken = page("Sorry", 503, **{"Content-Length": "500"})
    site.plays[THREAD] = lambda handler, before: (fault, broken, page(GOOD))[min(before, 2)](handler, before)
    site.configure(tmp_path, THREAD)
    assert referee(tmp_path, "read", site.url()).returncode == 0
    assert site.asked.count(THREAD) == 3


def test_a_bot_check_for_robots_txt_is_named(site: HostileSite, tmp_path: Path) -> None:
    site.plays["/robots.txt"] = page(BOT_CHECK, 503)
    site.configure(tmp_path, THREAD)
    done = referee(tmp_path, "audit", site.url())
    assert (done.returncode, site.asked) == (3, ["/robots.txt"])
    assert "robots.txt could not be read (answered 503 with a bot check)" in done.stderr


@pytest.mark.parametrize(
    ("first", "least"),
    [(page("oops", 500), 0.5), (page("slow down", 429, Retry_After="2"), 1.9)],
    ids=["500", "429"],
)
def test_trouble_that_passes_is_waited_for(site: HostileSite, tmp_path: Path, first: Play, least: float) -> None:
    site.plays[THREAD] = lambda handler, before: send(handler, GOOD) if before else first(handler, before)
    site.configure(tmp_path, THREAD)
    begun = time.monotonic()
    done = referee(tmp_path, "audit", site.url(), "--to", "json")
    assert time.monotonic() - begun > least
    assert done.returncode in (0, 1), done.stderr
    assert [post["id"] for post in json.loads(done.stdout)["threads"][0]["posts"]] == ["1", "2"]
    assert referee(tmp_path, "incidents").stdout == "no incidents\n"


def test_a_wrong_charset_stops_nothing(site: HostileSite, tmp_path: Path) -> None:
    body = thread_page({1: "J\u00f6rg says caf\u00e9"}, author="J\u00f6rg").replace("utf-8", "iso-8859-1")
    site.plays[THREAD] = page(body.encode("cp1252"))
    site.configure(tmp_path, THREAD)
    done = referee(tmp_path, "read", site.url())
    assert done.returncode == 0, done.stderr
    post = json.loads(done.stdout.splitlines()[1])
    assert (post["author"][0], post["author"][2:]) == ("J", "rg")
    assert " says caf" in post["text"]


def test_a_page_that_stops_in_the_middle_is_no_whole_thread(site: HostileSite, tmp_path: Path) -> None:
    """The board counts five posts, the page ends in the second: that is said, with status 3."""
    whole = thread_page({n: f"post {n}" for n in range(1, 6)})
    site.plays[THREAD] = page(whole[: whole.index("post 3") - 300])
    site.configure(tmp_path, THREAD)
    done = referee(tmp_path, "audit", site.url())
    assert done.returncode == 3, done.stdout + done.stderr
    assert is_clean(done), done.stderr


def test_what_was_stored_stays_when_the_board_goes_down(site: HostileSite, tmp_path: Path) -> None:
    site.plays[THREAD] = page(GOOD)
    site.configure(tmp_path, THREAD)
    assert referee(tmp_path, "audit", site.url()).returncode == 0
    site.plays[THREAD] = page("x", 429, Retry_After="86400")
    done = referee(tmp_path, "audit", site.url(), "--fresh", "--to", "json")
    assert done.returncode == 3
    assert [post["id"] for post in json.loads(done.stdout)["threads"][0]["posts"]] == ["1", "2"]
    assert referee(tmp_path, "report", "--thread", site.url()).returncode == 0


HOSTILE = {
    1: "<script>alert(1)</script><img src=x onerror=alert(2)>Taijutsu: 90<br>Speed: 80",
    2: "&lt;script&gt;alert(3)&lt;/script&gt; [&lt;img src=x onerror=alert(4)&gt; -13] [url=javascript:x]x[/url]",
    3: "<blockquote>" * 10_000 + "(HP: -99)" + "</blockquote>" * 10_000,
    4: "\u202e(HP: -5 | Chakra: -1 | Stamina: -1)\u2066 [\u202ex] \x00 \x1b[31m",
    5: "<b><i></b></p></div><table><tr><td>[HP -1<!-- " + "x" * 1000,
    6: "word " * 200_000,
}


def test_hostile_posts_on_a_board_come_out_as_words(site: HostileSite, tmp_path: Path) -> None:
    """Scripts, a million characters, ten thousand nested quotes, bidi marks, NUL: six forms, no markup of theirs."""
    site.plays[THREAD] = page(thread_page(HOSTILE, title="<script>alert(6)</script>\u202e", author="<b>Ren</b>"))
    site.configure(tmp_path, THREAD)
    done = referee(tmp_path, "audit", site.url(), "--to", "html", "--out", "r.html", "--fail-on", "never", seconds=60)
    assert done.returncode in (0, 3), done.stderr
    assert is_clean(done), done.stderr
    shown = (tmp_path / "r.html").read_text("utf-8")
    assert "&lt;script&gt;alert(6)" in shown
    assert "<script" not in shown
    assert "<img" not in shown
    for form in ("text", "md", "bbcode", "json", "csv"):
        done = referee(tmp_path, "report", "--to", form)
        assert done.returncode == 0, done.stderr
        assert "\x00" not in done.stdout
        assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (page("oops", 503, Retry_After="86400"), "asks to wait"),
        (page("<html>no JSON</html>"), "JSON"),
        (page("[" * 200_000), "castle: "),
        (away("http://10.0.0.7/"), "no configured site"),
        (endless, "larger than"),
    ],
)
def test_a_dice_service_in_trouble_is_named(site: HostileSite, tmp_path: Path, play: Play, said: str) -> None:
    """The roll counts as out of reach, never as missing or as a fault; the reason is told, status 3."""
    site.plays["/r/1"] = play
    (tmp_path / "referee.toml").write_text(
        f"[dice.castle]\nurl_pattern = '{site.home}/r/(?P<id>\\w+)'\nkind = \"json\"\nallow_private = true\npace = 0\n"
        'fields = {expression = "dice", values = "results", at = "time"}\n'
    )
    link = site.url("/r/1")
    words = f"(HP: -0 | Chakra: -0 | Stamina: -0) [Ada's attack: 50% to hit: [url={link}]70[/url]]"
    battle = {
        "schema": "referee/transcript@1",
        "ruleset": "shinobi",
        "characters": [{"name": "Ren", "player": "ren", "side": "a"}, {"name": "Ada", "player": "ada", "side": "b"}],
        "posts": [{"id": "p1", "author": "ren", "text": words}],
    }
    (tmp_path / "t.json").write_text(json.dumps(battle))
    done = referee(tmp_path, "replay", "t.json", "--to", "json", "--fail-on", "never")
    assert done.returncode == 3
    assert is_clean(done), done.stderr
    assert said in done.stderr
    assert done.stderr.startswith("referee: t.json: castle: ")
    codes = {finding["code"] for finding in json.loads(done.stdout)["threads"][0]["findings"]}
    assert not codes & {"dice/not-found", "dice/values", "dice/unknown-service"}
    assert referee(tmp_path, "replay", "t.json", "--offline", "--fail-on", "never").returncode == 0


def test_trouble_at_a_board_that_is_not_configured_ends(site: HostileSite, tmp_path: Path) -> None:
    """With the next audit at that host, or with the next pass over the boards that are watched."""
    one_off = ("--ruleset", "shinobi", "--allow-private")
    (tmp_path / "referee.toml").write_text('contact = "staff@example.org"\ndata_dir = "var"\n')
    site.plays[THREAD] = page(GOOD)
    assert referee(tmp_path, "audit", site.url("/viewtopic.php?t=8"), *one_off).returncode == 3
    assert "t=8" in referee(tmp_path, "incidents").stdout
    assert referee(tmp_path, "audit", site.url(), *one_off, "--fail-on", "never").returncode == 0
    assert referee(tmp_path, "incidents").stdout == "no incidents\n"
    with HostileSite() as other:
        assert referee(tmp_path, "audit", other.url(), *one_off).returncode == 3
    assert "unreachable" in referee(tmp_path, "incidents").stdout
    site.configure(tmp_path, THREAD)
    assert referee(tmp_path, "run").returncode == 0
    assert referee(tmp_path, "incidents").stdout == "no incidents\n"


def test_trouble_of_a_board_that_was_taken_out_ends(site: HostileSite, tmp_path: Path) -> None:
    site.plays[THREAD] = page(GOOD)
    site.configure(tmp_path, THREAD, "/viewtopic.php?t=8")
    assert referee(tmp_path, "run").returncode == 3
    text = (tmp_path / "referee.toml").read_text()
    (tmp_path / "referee.toml").write_text(text.replace("[boards.b]", "[boards.new]").replace("t=8", "t=7"))
    assert "t=8" in referee(tmp_path, "incidents").stdout
    assert referee(tmp_path, "run").returncode == 0
    assert referee(tmp_path, "incidents").stdout == "no incidents\n"
