"""The session against real servers on loopback, well-behaved and faulty."""

from __future__ import annotations

import gzip
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from referee import network
from referee.network import Session, Settings, Site
from referee.network.guard import GuardedAdapter
from referee.ports.boards import Wish
from tests.support.raw_server import Play, RawServer, answer, place, session

# --- the ordinary case


def test_page_as_it_came(httpserver: HTTPServer) -> None:
    body = "Jörg würfelt".encode("latin-1")
    httpserver.expect_request("/t").respond_with_data(body, content_type="text/html; charset=utf-8")
    with session(place(httpserver)) as net:
        page = net.get(Wish(httpserver.url_for("/t") + "#p3", accept="text/html"))
    assert page.body == body
    assert (page.status, page.url) == (200, httpserver.url_for("/t"))
    assert page.header("Content-Type") == "text/html; charset=utf-8"
    request = httpserver.log[0][0]
    assert request.headers["User-Agent"].startswith("referee/")
    assert "(+staff@example.org)" in request.headers["User-Agent"]
    assert request.headers["Accept"] == "text/html"
    assert net.requests == 1


def test_error_pages_below_500_are_pages(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/gone").respond_with_data(b"no such roll", status=404)
    net = session(place(httpserver))
    page = net.get(Wish(httpserver.url_for("/gone")))
    assert (page.status, page.body, net.requests) == (404, b"no such roll", 1)


def test_date_of_the_server_counts_if_sane(raw: Callable[[Play], RawServer]) -> None:
    near = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=7)
    dates = {1: format_datetime(near, usegmt=True), 2: "Mon, 01 Jan 2001 00:00:00 GMT", 3: "yesterday"}
    server = raw(lambda c, _h, n: c.sendall(answer(b"x", f"Date: {dates[n]}")))
    net = session(server.host)
    assert net.get(Wish(server.url())).fetched_at == near
    for _ in range(2):
        at = net.get(Wish(server.url())).fetched_at
        assert at is not None and abs(datetime.now(UTC) - at) < timedelta(minutes=1)


def test_headers_of_transfer_and_cookies_are_not_kept(httpserver: HTTPServer) -> None:
    def handle(_: Request) -> Response:
        made = Response(gzip.compress(b"hello"))
        made.headers.update({"Content-Encoding": "gzip", "Set-Cookie": "sid=secret", "X-Mine": "1"})
        return made

    httpserver.expect_request("/").respond_with_handler(handle)
    page = session(place(httpserver)).get(Wish(httpserver.url_for("/")))
    assert page.body == b"hello"
    assert page.header("x-mine") == "1"
    assert page.header("set-cookie") is None and page.header("content-encoding") is None


# --- faults that pass, and faults that do not


def test_500_then_200(httpserver: HTTPServer) -> None:
    httpserver.expect_ordered_request("/").respond_with_data(b"", status=500)
    httpserver.expect_ordered_request("/").respond_with_data(b"fine")
    sleeps: list[float] = []
    net = session(place(httpserver), sleeps=sleeps)
    assert net.get(Wish(httpserver.url_for("/"))).body == b"fine"
    assert sleeps == [1.0] and net.requests == 2


def test_500_is_tried_twice_only(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data(b"", status=500)
    net = session(place(httpserver))
    with pytest.raises(network.Unreachable, match="500"):
        net.get(Wish(httpserver.url_for("/")))
    assert net.requests == 2


def test_503_backs_off_and_gives_up(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data(b"", status=503)
    sleeps: list[float] = []
    net = session(place(httpserver), sleeps=sleeps)
    with pytest.raises(network.Unreachable, match="503"):
        net.get(Wish(httpserver.url_for("/")))
    assert sleeps == [1.0, 2.0, 4.0] and net.requests == 4


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_is_honoured(httpserver: HTTPServer, form: str) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    told = "37" if form == "seconds" else later
    httpserver.expect_ordered_request("/").respond_with_data(b"", status=429, headers={"Retry-After": told})
    httpserver.expect_ordered_request("/").respond_with_data(b"ok")
    sleeps: list[float] = []
    assert session(place(httpserver), sleeps=sleeps).get(Wish(httpserver.url_for("/"))).body == b"ok"
    assert len(sleeps) == 1 and 35 <= sleeps[0] <= 40


def test_a_very_long_retry_after_is_not_waited_for(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data(b"", status=429, headers={"Retry-After": "86400"})
    sleeps: list[float] = []
    net = session(place(httpserver), sleeps=sleeps)
    with pytest.raises(network.Unreachable, match="86400"):
        net.get(Wish(httpserver.url_for("/")))
    assert sleeps == [] and net.requests == 1


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host = f"127.0.0.1:{server.getsockname()[1]}"
    net = session(host)
    with pytest.raises(network.Unreachable, match="4 tries"):
        net.get(Wish(f"http://{host}/"))


def test_name_that_does_not_exist() -> None:
    with pytest.raises(network.Unreachable):
        session("nowhere.invalid", retries=0).get(Wish("http://nowhere.invalid/"))


def test_truncated_body_is_no_page(raw: Callable[[Play], RawServer]) -> None:
    def play(connection: socket.socket, _: bytes, turn: int) -> None:
        connection.sendall(answer(b"<html>half", "Content-Length: 500") if turn == 1 else answer(b"<html>whole"))

    server = raw(play)
    net = session(server.host)
    assert net.get(Wish(server.url())).body == b"<html>whole"
    assert net.requests == 2


def test_truncated_gzip_and_chunks_are_no_pages(raw: Callable[[Play], RawServer]) -> None:
    packed = gzip.compress(b"page " * 1000)

    def play(connection: socket.socket, _: bytes, turn: int) -> None:
        if turn == 1:
            connection.sendall(answer(packed[:-20], "Content-Encoding: gzip"))
        elif turn == 2:
            connection.sendall(answer(b"5\r\nhello\r\n20\r\nbroken", "Transfer-Encoding: chunked"))
        else:
            connection.sendall(answer(packed, "Content-Encoding: gzip"))

    server = raw(play)
    net = session(server.host)
    assert net.get(Wish(server.url())).body == b"page " * 1000
    assert net.requests == 3


def test_garbage_is_unreachable(raw: Callable[[Play], RawServer]) -> None:
    server = raw(lambda c, _h, _n: c.sendall(b"\x00\xff not http at all\r\n\r\n"))
    with pytest.raises(network.Unreachable):
        session(server.host, retries=1).get(Wish(server.url()))


def test_unasked_compression_is_unreachable(raw: Callable[[Play], RawServer]) -> None:
    server = raw(lambda c, _h, _n: c.sendall(answer(b"xx", "Content-Encoding: br")))
    with pytest.raises(network.Unreachable, match="br"):
        session(server.host).get(Wish(server.url()))
    assert len(server.heads) == 1


def test_unasked_304_is_unreachable(raw: Callable[[Play], RawServer]) -> None:
    server = raw(lambda c, _h, _n: c.sendall(answer(b"", status="304 Not Modified")))
    with pytest.raises(network.Unreachable, match="304"):
        session(server.host, retries=0).get(Wish(server.url()))


# --- sizes and times


def test_body_that_never_ends(raw: Callable[[Play], RawServer]) -> None:
    def play(connection: socket.socket, _: bytes, _turn: int) -> None:
        connection.sendall(answer(b"", "Content-Length: 10000000000"))
        while True:
            connection.sendall(b"x" * 65536)

    server = raw(play)
    with pytest.raises(network.TooLarge):
        session(server.host, max_bytes=300_000).get(Wish(server.url()))
    assert len(server.heads) == 1


def test_content_length_that_lies_small(raw: Callable[[Play], RawServer]) -> None:
    server = raw(lambda c, _h, _n: c.sendall(answer(b"hello world", "Content-Length: 5")))
    assert session(server.host).get(Wish(server.url())).body == b"hello"


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_bomb_is_stopped_at_the_cap(raw: Callable[[Play], RawServer], encoding: str) -> None:
    import tracemalloc
    import zlib

    zeros = bytes(60_000_000)
    bomb = gzip.compress(zeros) if encoding == "gzip" else zlib.compress(zeros)
    server = raw(lambda c, _h, _n: c.sendall(answer(bomb, f"Content-Encoding: {encoding}")))
    del zeros
    net = session(server.host, max_bytes=200_000)
    tracemalloc.start()
    with pytest.raises(network.TooLarge):
        net.get(Wish(server.url()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(bomb) < 100_000 and peak < 5_000_000


def test_endless_bytes_behind_a_compressed_body(raw: Callable[[Play], RawServer]) -> None:
    def play(connection: socket.socket, _: bytes, _turn: int) -> None:
        connection.sendall(answer(gzip.compress(b"page"), "Content-Encoding: gzip"))
        while True:
            connection.sendall(bytes(65536))

    server = raw(play)
    with pytest.raises(network.TooLarge):
        session(server.host, max_bytes=300_000).get(Wish(server.url()))


def test_cap_itself_is_allowed(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data(b"x" * 1000)
    assert len(session(place(httpserver), max_bytes=1000).get(Wish(httpserver.url_for("/"))).body) == 1000
    with pytest.raises(network.TooLarge):
        session(place(httpserver), max_bytes=999).get(Wish(httpserver.url_for("/")))


@pytest.mark.parametrize("where", ["head", "body", "chunk", "sized"])
def test_slow_drip(raw: Callable[[Play], RawServer], where: str) -> None:
    starts = {
        "head": b"HTTP/1.1 200 OK\r\nX-Slow: ",
        "body": answer(b""),
        "chunk": answer(b"fffff\r\n", "Transfer-Encoding: chunked"),
        "sized": answer(b"", "Content-Length: 100000"),
    }

    def play(connection: socket.socket, _: bytes, _turn: int) -> None:
        connection.sendall(starts[where])
        for _n in range(100):
            time.sleep(0.05)
            connection.sendall(b"x")

    server = raw(play)
    began = time.monotonic()
    with pytest.raises(network.TooSlow):
        session(server.host, total_timeout=0.4).get(Wish(server.url()))
    assert time.monotonic() - began < 2
    assert len(server.heads) == 1


def test_silence_is_a_timeout(raw: Callable[[Play], RawServer]) -> None:
    server = raw(lambda c, _h, _n: time.sleep(1.5))
    with pytest.raises(network.Unreachable, match="in time"):
        session(server.host, read_timeout=0.2, retries=1).get(Wish(server.url()))
    assert len(server.heads) == 2


# --- addresses and redirects


def test_unconfigured_hosts_are_never_asked(httpserver: HTTPServer) -> None:
    net = session("forum.example.org")
    for url in (httpserver.url_for("/"), "file:///etc/passwd", "http://forum.example.org@127.0.0.1/", "nonsense"):
        with pytest.raises(network.NotConfigured):
            net.get(Wish(url))
    assert httpserver.log == [] and net.requests == 0


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_name_of_loopback_is_refused_unless_allowed(httpserver: HTTPServer, name: str) -> None:
    httpserver.expect_request("/").respond_with_data(b"inside")
    host = f"{name}:{httpserver.port}"
    closed = Session(Settings(None, (Site(host, pace=0.0),)), sleep=lambda _: None)
    with pytest.raises(network.PrivateAddress, match="loopback"):
        closed.get(Wish(f"http://{host}/"))
    assert httpserver.log == []
    assert session(host).get(Wish(f"http://{host}/")).body == b"inside"
    assert httpserver.log[-1][0].headers["Host"] == host


def test_rebinding_between_check_and_connection_does_not_help(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is looked up once; what is connected to is what was checked."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def once(host: str, *rest: object, **more: object) -> object:
        asked.append(host)
        return real("127.0.0.1", *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", once)
    httpserver.expect_request("/").respond_with_data(b"pinned")
    host = f"board.example.org:{httpserver.port}"
    assert session(host).get(Wish(f"http://{host}/")).body == b"pinned"
    assert asked == ["board.example.org"]
    closed = Session(Settings(None, (Site(host),)), sleep=lambda _: None)
    with pytest.raises(network.PrivateAddress):
        closed.get(Wish(f"http://{host}/"))


def test_environment_proxies_are_ignored(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    httpserver.expect_request("/").respond_with_data(b"direct")
    assert session(place(httpserver)).get(Wish(httpserver.url_for("/"))).body == b"direct"


def test_redirects_are_followed_within_the_site(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/a").respond_with_data(b"", status=302, headers={"Location": "b?x=1#top"})
    httpserver.expect_request("/b").respond_with_data(b"there")
    net = session(place(httpserver))
    page = net.get(Wish(httpserver.url_for("/a")))
    assert (page.url, page.body, net.requests) == (httpserver.url_for("/b") + "?x=1", b"there", 2)


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("http://169.254.169.254/latest/meta-data/", "no configured site"),
        ("http://other.example.org/", "no configured site"),
        ("//127.0.0.1:1/", "no configured site"),
        ("file:///etc/passwd", "only http"),
        ("ftp://127.0.0.1/", "only http"),
        ("http://user:pw@{host}/", "user name"),
        ("/loop", "circle"),
    ],
)
def test_redirects_that_are_refused(httpserver: HTTPServer, location: str, words: str) -> None:
    target = location.replace("{host}", place(httpserver))
    httpserver.expect_request("/loop").respond_with_data(b"", status=301, headers={"Location": target})
    with pytest.raises(network.BadRedirect, match=words):
        session(place(httpserver)).get(Wish(httpserver.url_for("/loop")))


def test_redirect_to_a_configured_but_private_site(httpserver: HTTPServer) -> None:
    """Being configured is not enough: each hop's own site decides about private addresses."""
    inside = f"127.0.0.1:{httpserver.port}"
    httpserver.expect_request("/").respond_with_data(b"", status=302, headers={"Location": f"http://{inside}/in"})
    sites = (Site(place(httpserver), allow_private=True, pace=0.0), Site(inside, pace=0.0))
    net = Session(Settings(None, sites, respect_robots=False), sleep=lambda _: None)
    with pytest.raises(network.PrivateAddress):
        net.get(Wish(httpserver.url_for("/")))
    assert len(httpserver.log) == 1


def test_endless_redirects(httpserver: HTTPServer) -> None:
    def onward(request: Request) -> Response:
        return Response(status=302, headers={"Location": f"/{int(request.path[1:]) + 1}"})

    for number in range(12):
        httpserver.expect_request(f"/{number}").respond_with_handler(onward)
    net = session(place(httpserver))
    with pytest.raises(network.BadRedirect, match="more than 5"):
        net.get(Wish(httpserver.url_for("/0")))
    assert net.requests == 6


def test_cookies_live_for_one_page_only(httpserver: HTTPServer) -> None:
    """A board that sets a cookie and redirects to the same address is read; the cookie is then gone."""

    def handle(request: Request) -> Response:
        if "seen" in request.cookies:
            return Response(b"page")
        return Response(status=302, headers={"Location": request.path, "Set-Cookie": "seen=1; Path=/"})

    httpserver.expect_request("/t").respond_with_handler(handle)
    net = session(place(httpserver))
    for turn in (1, 2):
        assert net.get(Wish(httpserver.url_for("/t"))).body == b"page"
        assert net.requests == 2 * turn


# --- TLS


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_tls_keeps_name_and_checks_the_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    names = "subjectAltName=DNS:localhost"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run(
        [*command, "-addext", names, "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    seen: list[str | None] = []
    context.sni_callback = lambda _s, name, _c: seen.append(name)
    server = HTTPServer(ssl_context=context)
    server.start()
    try:
        server.expect_request("/").respond_with_data(b"sealed")
        url = f"https://localhost:{server.port}/"
        net = session(f"localhost:{server.port}")
        with pytest.raises(network.Unreachable, match="certificate"):
            net.get(Wish(url))
        assert net.requests == 1
        send = GuardedAdapter.send
        monkeypatch.setattr(GuardedAdapter, "send", lambda *a, **k: send(*a, **{**k, "verify": str(cert)}))
        assert session(f"localhost:{server.port}").get(Wish(url)).body == b"sealed"
        assert seen[-1] == "localhost"
    finally:
        server.stop()
