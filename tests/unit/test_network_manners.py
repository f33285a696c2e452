"""How the session treats a server: pace, robots.txt, conditional requests, tidings of waits."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from referee import network
from referee.network import InProcessMemory, Session, Settings, Site
from referee.network import robots as robots_module
from referee.ports.boards import Wish
from tests.support.raw_server import Play, RawServer, answer, place, session

# --- pace


def test_pace_of_one_host(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data(b"x")
    sleeps: list[float] = []
    made = Settings(None, (Site(place(httpserver), True, pace=2.5),), respect_robots=False)
    net = Session(made, InProcessMemory(clock=lambda: 0.0), sleep=sleeps.append)
    for _ in range(4):
        net.get(Wish(httpserver.url_for("/")))
    assert sleeps == [2.5, 5.0, 7.5]


def test_two_threads_share_the_pace(httpserver: HTTPServer) -> None:
    """Starts of requests are a pace apart, whoever makes them (real waits, 40 ms)."""
    starts: list[float] = []

    def handle(_: Request) -> Response:
        starts.append(time.monotonic())
        return Response(b"x")

    httpserver.expect_request("/").respond_with_handler(handle)
    made = Settings(None, (Site(place(httpserver), True, pace=0.04),), respect_robots=False)
    net = Session(made)
    url = httpserver.url_for("/")
    threads = [threading.Thread(target=lambda: [net.get(Wish(url)) for _ in range(4)]) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(starts) == 8 and net.requests == 8
    assert max(starts) - min(starts) >= 7 * 0.04 - 0.02


def test_two_sessions_share_a_memory(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data(b"x")
    sleeps: list[float] = []
    memory = InProcessMemory(clock=lambda: 0.0)
    made = Settings(None, (Site(place(httpserver), True, pace=1.0),), respect_robots=False)
    for _ in range(3):
        Session(made, memory, sleep=sleeps.append).get(Wish(httpserver.url_for("/")))
    assert sleeps == [1.0, 2.0]


# --- robots.txt


def robots_session(server: HTTPServer, memory: InProcessMemory | None = None, **more: object) -> Session:
    made = Settings(None, (Site(place(server), True, pace=0.0),), **more)  # type: ignore[arg-type]
    return Session(made, memory or InProcessMemory(clock=lambda: 0.0), sleep=lambda _: None)


def test_robots_forbid(httpserver: HTTPServer) -> None:
    rules = "User-agent: *\nDisallow: /\n\nUser-agent: referee\nDisallow: /members\nAllow: /\n"
    httpserver.expect_request("/robots.txt").respond_with_data(rules)
    httpserver.expect_request("/t").respond_with_data(b"thread")
    net = robots_session(httpserver)
    assert net.get(Wish(httpserver.url_for("/t"))).body == b"thread"
    with pytest.raises(network.RobotsForbids):
        net.get(Wish(httpserver.url_for("/members?x=1")))
    assert [request.path for request, _ in httpserver.log] == ["/robots.txt", "/t"]


def test_robots_of_a_redirects_target_count(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data("User-agent: *\nDisallow: /private\n")
    httpserver.expect_request("/t").respond_with_data(b"", status=302, headers={"Location": "/private/t"})
    with pytest.raises(network.RobotsForbids):
        robots_session(httpserver).get(Wish(httpserver.url_for("/t")))


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_no_robots_means_allowed(httpserver: HTTPServer, status: int) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data(b"User-agent: *\nDisallow: /", status=status)
    httpserver.expect_request("/t").respond_with_data(b"thread")
    assert robots_session(httpserver).get(Wish(httpserver.url_for("/t"))).body == b"thread"


def test_unreadable_robots_keep_us_away(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data(b"", status=503)
    net = robots_session(httpserver, retries=0)
    for _ in range(3):
        with pytest.raises(network.Unreachable, match=r"robots\.txt"):
            net.get(Wish(httpserver.url_for("/t")))
    assert net.requests == 1


def test_an_older_robots_counts_while_the_new_one_is_unreadable(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data(b"", status=503)
    httpserver.expect_request("/t").respond_with_data(b"thread")
    now = [1000.0]
    memory = InProcessMemory(clock=lambda: 0.0, wall=lambda: time.time() - 2 * robots_module.DAY + now[0])
    memory.keep_robots(place(httpserver), "User-agent: *\nDisallow: /no")
    net = robots_session(httpserver, memory, retries=0)
    assert net.get(Wish(httpserver.url_for("/t"))).body == b"thread"
    with pytest.raises(network.RobotsForbids):
        net.get(Wish(httpserver.url_for("/no")))


def test_robots_are_read_once_a_day(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data("User-agent: *\nDisallow: /no")
    httpserver.expect_request("/t").respond_with_data(b"thread")
    memory = InProcessMemory(clock=lambda: 0.0)
    for _ in range(3):
        robots_session(httpserver, memory).get(Wish(httpserver.url_for("/t")))
    assert [request.path for request, _ in httpserver.log] == ["/robots.txt", "/t", "/t", "/t"]


def test_crawl_delay_slows_us(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data("User-agent: *\nCrawl-delay: 9\nDisallow:\n")
    httpserver.expect_request("/t").respond_with_data(b"thread")
    sleeps: list[float] = []
    made = Settings(None, (Site(place(httpserver), True, pace=2.0),))
    net = Session(made, InProcessMemory(clock=lambda: 0.0), sleep=sleeps.append)
    net.get(Wish(httpserver.url_for("/t")))
    net.get(Wish(httpserver.url_for("/t")))
    assert sleeps == [2.0, 11.0]


def test_robots_that_never_end_are_cut(raw: Callable[[Play], RawServer]) -> None:
    def play(connection: socket.socket, head: bytes, _turn: int) -> None:
        if b"robots.txt" not in head:
            connection.sendall(answer(b"thread"))
            return
        connection.sendall(answer(b"User-agent: *\nDisallow: /no\n"))
        while True:
            connection.sendall(b"# filler\n" * 1000)

    server = raw(play)
    net = session(server.host, respect_robots=True)
    assert net.get(Wish(server.url("/t"))).body == b"thread"
    with pytest.raises(network.RobotsForbids):
        net.get(Wish(server.url("/no")))


# --- conditional requests


def test_not_modified_gives_the_remembered_body(httpserver: HTTPServer) -> None:
    def handle(request: Request) -> Response:
        if request.headers.get("If-None-Match") == '"v1"':
            return Response(status=304)
        made = Response(b"thread", content_type="text/html")
        made.headers.update({"ETag": '"v1"', "Last-Modified": "Mon, 30 Nov 2026 00:00:00 GMT"})
        return made

    httpserver.expect_request("/t").respond_with_handler(handle)
    net = session(place(httpserver))
    wish = Wish(httpserver.url_for("/t"))
    first = net.get(wish)
    second = net.get(wish)
    third = net.get(wish, fresh=True)
    assert first.header("x-referee-not-modified") is None
    assert (second.status, second.body, second.header("x-referee-not-modified")) == (200, b"thread", "1")
    assert second.header("content-type") == "text/html" and second.fetched_at == first.fetched_at
    assert third.header("x-referee-not-modified") is None
    conditions = [request.headers.get("If-Modified-Since") for request, _ in httpserver.log]
    assert conditions == [None, "Mon, 30 Nov 2026 00:00:00 GMT", None]
    assert httpserver.log[-1][0].headers["Cache-Control"] == "no-cache"


def test_another_form_of_the_page_is_asked_without_conditions(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/t").respond_with_data(b"<p>", content_type="text/html", headers={"ETag": '"v1"'})
    net = session(place(httpserver))
    net.get(Wish(httpserver.url_for("/t"), accept="text/html"))
    net.get(Wish(httpserver.url_for("/t"), accept="application/atom+xml"))
    net.get(Wish(httpserver.url_for("/t"), accept="text/html"))
    assert [r.headers.get("If-None-Match") for r, _ in httpserver.log] == [None, None, '"v1"']


def test_events_tell_of_waits(httpserver: HTTPServer) -> None:
    httpserver.expect_ordered_request("/").respond_with_data(b"", status=502)
    httpserver.expect_ordered_request("/").respond_with_data(b"ok")
    lines: list[str] = []
    made = Settings(None, (Site(place(httpserver), True, pace=0.0),), respect_robots=False)
    Session(made, sleep=lambda _: None, on_event=lines.append).get(Wish(httpserver.url_for("/")))
    assert len(lines) == 1 and "502" in lines[0]
