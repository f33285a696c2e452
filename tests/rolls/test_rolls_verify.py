"""`verify` with real services and a real server: found, missing, unreachable, seen before, not ours."""

from __future__ import annotations

import json
import socket
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from pytest_httpserver import HTTPServer

from referee.app.verify import Verified, joined, verify
from referee.model.battle import RollRecord
from referee.network import InProcessMemory, Session, Settings, Site
from referee.ports.dice import DiceService
from scrapers.dice.linked import json_service

NINE = datetime(2026, 1, 2, 9, 59, tzinfo=UTC)
FIELDS = {"expression": "dice", "values": "results", "at": "time", "by": "roller", "label": "reason"}


def castle(host: str, name: str = "castle", **more: object) -> DiceService:
    pattern = rf"http://{host}/roll/(?P<id>\w+)"
    return json_service(name, {"url_pattern": pattern, "fields": FIELDS, "allow_private": True, **more})


def session(*hosts: str, **more: object) -> Session:
    sites = tuple(Site(host, allow_private=True, pace=0.0) for host in hosts)
    settings = Settings("staff@example.org", sites, retries=0, read_timeout=2.0, **more)  # type: ignore[arg-type]
    return Session(settings, InProcessMemory(), sleep=lambda _: None)


def host_of(server: HTTPServer) -> str:
    return f"{server.host}:{server.port}"


def serve(server: HTTPServer, roll: str, values: list[int]) -> str:
    record = {
        "dice": "d100",
        "results": values,
        "time": "2026-01-02T09:59:00Z",
        "roller": "Ren Aoki",
        "reason": "dodge",
    }
    server.expect_request(f"/roll/{roll}").respond_with_data(json.dumps(record), content_type="application/json")
    return server.url_for(f"/roll/{roll}")


@pytest.fixture
def robots(httpserver: HTTPServer) -> HTTPServer:
    httpserver.expect_request("/robots.txt").respond_with_data(b"", status=404)
    return httpserver


def asked(server: HTTPServer) -> list[str]:
    return [request.path for request, _ in server.log if request.path != "/robots.txt"]


def test_found_missing_and_not_ours(robots: HTTPServer) -> None:
    link = serve(robots, "a1", [70])
    gone = robots.url_for("/roll/gone")
    robots.expect_request("/roll/gone").respond_with_data(b"", status=404)
    strangers = ["http://other.example/roll/1", robots.url_for("/elsewhere"), "javascript:alert(1)", ""]
    service = castle(host_of(robots))
    done = verify([link, *strangers, gone, link], [service], session(host_of(robots)), {})
    assert dict(done.rolls) == {
        link: RollRecord(link, "found", NINE, "Ren Aoki", "1d100", (70,), "dodge"),
        gone: RollRecord(gone, "missing"),
    }
    assert done.hosts == {host_of(robots)} and done.problems == ()
    assert [link for link, _ in done.pages] == [link, gone]
    assert done.pages[0][1].body.startswith(b"{")
    assert asked(robots) == ["/roll/a1", "/roll/gone"]


def test_two_spellings_of_a_link_are_one_record(robots: HTTPServer) -> None:
    link = serve(robots, "a1", [70])
    done = verify([link, link + "#again"], [castle(host_of(robots))], session(host_of(robots)), {})
    assert asked(robots) == ["/roll/a1"]
    assert {key: record.link for key, record in done.rolls.items()} == {link: link, link + "#again": link + "#again"}
    stranger = {"http://other.example/1": RollRecord("http://other.example/1", "unreachable")}
    one = joined({**done.rolls, **stranger}, [castle(host_of(robots))])
    assert [record.link for record in one.values()] == [link, link, "http://other.example/1"]


def test_earlier_sightings(robots: HTTPServer) -> None:
    link = serve(robots, "a1", [70])
    first = RollRecord(link, "found", NINE, "Ren Aoki", "1d100", (12,), "dodge")
    second = replace(first, values=(70,), earlier=(first,))
    seen = {link: (first, RollRecord(link, "unreachable"), second, second)}
    done = verify([link], [castle(host_of(robots))], session(host_of(robots)), seen)
    assert done.rolls[link].values == (70,)
    assert done.rolls[link].earlier == (first, replace(second, earlier=()))


def test_a_dead_service_is_unreachable_and_left_alone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host = f"127.0.0.1:{server.getsockname()[1]}"
    links = [f"http://{host}/roll/{n}" for n in range(8)]
    net = session(host, respect_robots=False)
    done = verify(links, [castle(host)], net, {})
    assert {record.status for record in done.rolls.values()} == {"unreachable"} and len(done.rolls) == 8
    assert net.requests == 3 and done.pages == ()
    assert any("not tried again" in line and "5 links" in line for line in done.problems)


def test_private_address_without_leave_is_unreachable(robots: HTTPServer) -> None:
    link = serve(robots, "a1", [70])
    closed = Session(Settings(None, (Site(host_of(robots), pace=0.0),)), sleep=lambda _: None)
    done = verify([link], [castle(host_of(robots))], closed, {})
    assert done.rolls[link].status == "unreachable" and robots.log == []
    assert any("loopback" in line for line in done.problems)


def test_pages_that_are_not_understood(robots: HTTPServer) -> None:
    links = [robots.url_for(f"/roll/{n}") for n in range(3)]
    robots.expect_request("/roll/0").respond_with_data(b"<html>\x1b[31mlogin</html>")
    robots.expect_request("/roll/1").respond_with_data(json.dumps({"dice": "2d6", "results": [11], "time": 0}))
    robots.expect_request("/roll/2").respond_with_data(b"", status=403)
    done = verify(links, [castle(host_of(robots))], session(host_of(robots)), {})
    assert [done.rolls[link].status for link in links] == ["unreachable"] * 3
    assert len(done.problems) == 3 and all(line.startswith("castle: ") and line.isprintable() for line in done.problems)
    assert len(done.pages) == 3


def test_a_crashing_plug_in_stops_nobody_else(robots: HTTPServer) -> None:
    link = serve(robots, "a1", [70])
    other = robots.url_for("/roll/b2")
    robots.expect_request("/roll/b2").respond_with_data(b"{}")

    def crash(*_: object) -> RollRecord:
        raise KeyError("oops")

    good = castle(host_of(robots), "good")
    bad = replace(good, name="bad", matches=lambda found: found == other, reads=crash)
    worse = replace(good, name="worse", matches=crash)
    done = verify([other, link], [worse, bad, good], session(host_of(robots)), {})
    assert (done.rolls[other].status, done.rolls[link].status) == ("unreachable", "found")
    assert any(line.startswith("bad: the plug-in failed (KeyError") for line in done.problems)


def test_all_missing_is_told_to_the_operator(robots: HTTPServer) -> None:
    links = [robots.url_for(f"/roll/{n}") for n in range(3)]
    for number in range(3):
        robots.expect_request(f"/roll/{number}").respond_with_data(b"", status=404)
    done: Verified = verify(links, [castle(host_of(robots))], session(host_of(robots)), {})
    assert {record.status for record in done.rolls.values()} == {"missing"}
    assert any("all 3 rolls are missing" in line for line in done.problems)


def test_answers_of_another_host_by_template(robots: HTTPServer) -> None:
    api = f"127.0.0.1:{robots.port}"
    serve(robots, "a1", [33])
    service = json_service(
        "castle",
        {
            "url_pattern": r"https://dice\.example\.org/r/(?P<id>\w+)",
            "ask": f"http://{api}/roll/{{id}}",
            "fields": FIELDS,
        },
    )
    link = "https://dice.example.org/r/a1"
    done = verify([link], [service], session(*service.hosts), {})
    assert done.rolls[link].values == (33,) and done.hosts == {"dice.example.org", api}
