"""The parts of the network module that need no server: addresses, spelling, retry, memory, inflater."""

from __future__ import annotations

import gzip
import threading
import zlib
from datetime import UTC, datetime
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.network import BadRedirect, InProcessMemory, NotConfigured, Site
from referee.network.addresses import kind_of, may_ask
from referee.network.body import Inflater
from referee.network.errors import Broken
from referee.network.guard import ForbiddenAddress, resolve
from referee.network.retry import asked_wait, pause
from referee.network.settings import user_agent
from referee.network.urls import Sites, normal
from referee.ports.boards import Page

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("8.8.8.8", "public"),
        ("2606:4700:4700::1111", "public"),
        ("64:ff9b::808:808", "public"),
        ("64:ff9b::7f00:1", "loopback"),
        ("64:ff9b::a9fe:a9fe", "link-local"),
        ("127.0.0.1", "loopback"),
        ("127.255.255.254", "loopback"),
        ("::1", "loopback"),
        ("0.0.0.0", "unspecified"),
        ("0.1.2.3", "unspecified"),
        ("::", "unspecified"),
        ("10.1.2.3", "private"),
        ("172.16.0.1", "private"),
        ("172.31.255.255", "private"),
        ("172.32.0.1", "public"),
        ("192.168.1.1", "private"),
        ("fd00::1", "private"),
        ("100.64.0.1", "shared"),
        ("100.127.255.255", "shared"),
        ("100.128.0.1", "public"),
        ("169.254.169.254", "link-local"),
        ("fe80::1", "link-local"),
        ("fe80::1%eth0", "link-local"),
        ("fec0::1", "link-local"),
        ("224.0.0.1", "multicast"),
        ("239.255.255.250", "multicast"),
        ("ff02::1", "multicast"),
        ("::ffff:127.0.0.1", "mapped"),
        ("::ffff:8.8.8.8", "mapped"),
        ("::ffff:0a00:1", "mapped"),
        ("::7f00:1", "reserved"),
        ("2002:7f00:1::", "reserved"),
        ("2001:0:7f00:1::", "reserved"),
        ("2001:db8::1", "reserved"),
        ("198.18.0.1", "reserved"),
        ("192.0.2.1", "reserved"),
        ("255.255.255.255", "reserved"),
        ("240.0.0.1", "reserved"),
        ("nonsense", "reserved"),
    ],
)
def test_kinds(address: str, kind: str) -> None:
    assert kind_of(address) == kind
    assert may_ask(address, False) is (kind == "public")
    assert may_ask(address, True) is (kind in {"public", "private", "loopback", "shared"})


@given(st.ip_addresses())
def test_nothing_that_the_standard_library_calls_local_passes(address: object) -> None:
    found = ip_address(str(address))
    if found.is_private or found.is_loopback or found.is_link_local or found.is_multicast or found.is_unspecified:
        assert not may_ask(str(found), False) or str(found).startswith("64:ff9b::")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "[::1]", "0.0.0.0"])
def test_every_spelling_of_this_machine_is_refused(host: str) -> None:
    with pytest.raises(ForbiddenAddress):
        resolve(host, 80, False)


def test_one_private_answer_spoils_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [(2, 1, 6, "", ("93.184.216.34", 80)), (2, 1, 6, "", ("10.0.0.8", 80))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *a, **k: answers)
    with pytest.raises(ForbiddenAddress, match=r"10\.0\.0\.8"):
        resolve("mixed.example.org", 80, False)
    assert len(resolve("mixed.example.org", 80, True)) == 2


def test_metadata_service_is_refused_even_for_private_sites() -> None:
    with pytest.raises(ForbiddenAddress):
        resolve("169.254.169.254", 80, True)


@pytest.mark.parametrize(
    ("url", "spelled"),
    [
        ("HTTP://Forum.Example.ORG:80", "http://forum.example.org/"),
        ("https://forum.example.org:443/a?b=1#c", "https://forum.example.org/a?b=1"),
        ("http://forum.example.org:8080/x y", "http://forum.example.org:8080/x%20y"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
    ],
)
def test_spelling(url: str, spelled: str) -> None:
    assert normal(url) == spelled


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "gopher://a/",
        "javascript:alert(1)",
        "http://",
        "http:///x",
        "//forum.example.org/",
        "http://a:b@forum.example.org/",
        "http://forum.example.org:99999/",
        "http://forum.example.org:x/",
        "http://[::1/",
        "http://" + "a" * 5000,
        "",
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        normal(url)


@given(st.text(max_size=60))
def test_addresses_never_reach_another_host(text: str) -> None:
    sites = Sites([Site("forum.example.org")])
    try:
        spelled, _ = sites.asked("http://forum.example.org" + text)
    except NotConfigured:
        return
    assert spelled.split("/")[2] == "forum.example.org"


@pytest.mark.parametrize("trick", ["@evil.example/", "\\@evil.example/", ".evil.example/", ":81/", "%2eevil.example/"])
def test_tricks_with_the_host(trick: str) -> None:
    sites = Sites([Site("forum.example.org")])
    try:
        spelled, _ = sites.asked("http://forum.example.org" + trick)
    except NotConfigured:
        return
    assert spelled.startswith("http://forum.example.org/")


def test_port_matters_and_double_sites_are_joined() -> None:
    sites = Sites([Site("a.example:8080", pace=1), Site("A.example:8080", allow_private=True, pace=3)])
    _, site = sites.asked("http://a.example:8080/")
    assert site.allow_private and site.pace == 3
    with pytest.raises(NotConfigured):
        sites.asked("http://a.example/")
    with pytest.raises(ValueError, match="host name"):
        Sites([Site("a.example/forum")])


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "ftp://a.example/", "http://evil.example/", "//evil.example", "http://a:x/"]
)
def test_redirects_out_of_the_sites(location: str) -> None:
    with pytest.raises(BadRedirect):
        Sites([Site("a.example")]).redirected("http://a.example/x", location)


def test_relative_and_foreign_letter_redirects() -> None:
    sites = Sites([Site("a.example")])
    assert sites.redirected("http://a.example/x/y", "../z?q=1#f")[0] == "http://a.example/z?q=1"
    latin = "/é".encode().decode("latin-1")
    assert sites.redirected("http://a.example/", latin)[0] == "http://a.example/%C3%A9"


@pytest.mark.parametrize(
    ("status", "told", "tries", "wait"),
    [
        (None, None, 1, 1.0),
        (None, None, 3, 4.0),
        (None, None, 4, None),
        (500, None, 1, 1.0),
        (500, None, 2, None),
        (501, None, 1, None),
        (503, "7", 1, 7.0),
        (503, "0", 2, 2.0),
        (429, "Mon, 30 Nov 2026 12:00:30 GMT", 1, 30.0),
        (429, "Mon, 30 Nov 2026 11:00:00 GMT", 1, 1.0),
        (429, "99999", 1, None),
        (429, "9" * 500, 1, None),
        (429, "soon", 1, 1.0),
    ],
)
def test_pause(status: int | None, told: str | None, tries: int, wait: float | None) -> None:
    assert pause(status, told, tries, 3, NOW) == wait


@given(st.text(max_size=40))
def test_any_retry_after_is_read_or_ignored(text: str) -> None:
    told = asked_wait(text, NOW)
    assert told is None or told >= 0


def test_slots_of_a_host_are_one_pace_apart() -> None:
    now = [100.0]
    memory = InProcessMemory(clock=lambda: now[0])
    assert [memory.slot("a", 2.0) for _ in range(3)] == [0.0, 2.0, 4.0]
    assert memory.slot("b", 2.0) == 0.0
    now[0] = 105.5
    assert memory.slot("a", 2.0) == 0.5


def test_slots_are_never_given_twice() -> None:
    memory = InProcessMemory(clock=lambda: 0.0)
    got: list[float] = []
    threads = [threading.Thread(target=lambda: got.extend(memory.slot("a", 1.0) for _ in range(200))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [float(n) for n in range(800)]


def test_memory_of_pages_is_bounded() -> None:
    memory = InProcessMemory()
    memory.room = 100
    for n in range(5):
        memory.keep_page(f"u{n}", Page(f"u{n}", b"x" * 40, headers={"ETag": f'"{n}"'}))
    assert [n for n in range(5) if memory.validators(f"u{n}")] == [3, 4]
    memory.keep_page("u4", Page("u4", b"y"))
    assert memory.validators("u4") is None


def test_contact_is_cleaned() -> None:
    assert user_agent("staff@example.org").endswith("(+staff@example.org)")
    assert user_agent("a\r\nX-Evil: 1 (é)") == user_agent("aX-Evil: 1 ")
    assert "(" not in user_agent(None)


@pytest.mark.parametrize("cut", [1, 7, 1000])
def test_inflater_reads_members_and_both_deflates(cut: int) -> None:
    words = b"hello " * 500
    raw = zlib.compressobj(wbits=-15)
    for encoding, data, plain in (
        ("gzip", gzip.compress(words) + gzip.compress(words), words * 2),
        ("gzip", gzip.compress(words) + b"\0\0padding", words),
        ("deflate", zlib.compress(words), words),
        ("deflate", raw.compress(words) + raw.flush(), words),
    ):
        inflater = Inflater(encoding)
        pieces = [inflater.feed(data[at : at + cut], 10**6) for at in range(0, len(data), cut)]
        inflater.finish()
        assert b"".join(pieces) == plain


def test_inflater_tells_damage() -> None:
    inflater = Inflater("gzip")
    inflater.feed(gzip.compress(b"abc" * 100)[:-6], 1000)
    with pytest.raises(Broken):
        inflater.finish()
    with pytest.raises(Broken):
        Inflater("gzip").feed(b"<html>", 1000)
