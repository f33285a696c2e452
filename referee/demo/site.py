"""The sample site on loopback: a board and a dice log, each on a port of its own.

The site has its own clock, told by the `Date` header of its pages: the second visit is now, the first one
lies almost a day back, so that edits and deletions between the two have their place in time.
"""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from referee.demo.content import SampleThread, sample_board
from referee.demo.pages import View, all_rolls, index_page, message_page, start_of, thread_page

HTML = "text/html; charset=UTF-8"
JSON = "application/json"

#: An answer: status, media type, body.
Answer = tuple[int, str, str]


class DemoSite:
    """The sample board and dice log; a context manager that serves while it is entered.

    `board_url`: the board's address. `dice_url_pattern`: a regular expression for the links of the
    dice log, as the configuration wants it. `threads`: ruleset -> address of its thread. The first
    visit meets the board before some edits, answers and a deletion; after `advance()` they are there.
    `now`: the time of the second visit, to which all dates of the sample are moved; None for the present.
    """

    def __init__(self, now: datetime | None = None) -> None:
        second = (now or datetime.now(UTC)).replace(second=0, microsecond=0)
        self.board = sample_board(second - sample_board().second)
        self._now = self.board.first
        self._rolls = dict(all_rolls(self.board))
        self._servers: list[ThreadingHTTPServer] = []
        self.board_url = ""
        self.dice_url = ""
        self.dice_url_pattern = ""
        self.threads: dict[str, str] = {}

    def __enter__(self) -> Self:
        """Open both ports (chosen by the system) and serve in the background."""
        self.board_url = f"http://127.0.0.1:{self._serve(self._board_answer)}/"
        port = self._serve(self._dice_answer)
        self.dice_url = f"http://127.0.0.1:{port}/roll/"
        self.dice_url_pattern = rf"http://127\.0\.0\.1:{port}/roll/(?P<id>\w+)"
        self.threads = {one.ruleset: f"{self.board_url}viewtopic.php?t={one.topic}" for one in self.board.threads}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close both ports."""
        for server in self._servers:
            server.shutdown()
            server.server_close()
        self._servers.clear()

    @property
    def now(self) -> datetime:
        """The time of the site's clock (UTC)."""
        return self._now

    def advance(self) -> None:
        """Move the clock to the second visit: edits and answers are made, a post is deleted."""
        self._now = self.board.second

    def sheets(self) -> dict[str, list[dict[str, Any]]]:
        """The characters of each thread, with the keys of a transcript's `characters`."""
        return {one.ruleset: copy.deepcopy(list(one.characters)) for one in self.board.threads}

    def tables(self) -> dict[str, dict[str, Any]]:
        """The tables of each thread, with the keys of a transcript's `tables`."""
        return {one.ruleset: copy.deepcopy(one.tables) for one in self.board.threads}

    def battles(self) -> dict[str, dict[str, Any]]:
        """The battle options of each thread, with the keys of a transcript's `battle`."""
        return {one.ruleset: copy.deepcopy(one.battle) for one in self.board.threads}

    def judges(self) -> dict[str, list[str]]:
        """The accounts that speak for the game, thread by thread."""
        return {one.ruleset: list(one.judges) for one in self.board.threads}

    def planted(self) -> dict[str, list[dict[str, Any]]]:
        """The slips that are in each thread: post, code, values, and the visit that shows it."""
        return {one.ruleset: [{"visit": 1, **slip} for slip in one.planted] for one in self.board.threads}

    def dice_service(self) -> dict[str, Any]:
        """The dice log as an entry of the configuration's `[dice.NAME]`."""
        fields = {"expression": "dice", "values": "results", "at": "time", "by": "roller", "label": "reason"}
        return {"url_pattern": self.dice_url_pattern, "kind": "json", "fields": fields, "allow_private": True}

    def _serve(self, answer: Callable[[str], Answer]) -> int:
        """Serve one of the two sites; returns its port."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answer, lambda: self._now))
        server.daemon_threads = True
        self._servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return int(server.server_address[1])

    def _board_answer(self, target: str) -> Answer:
        parts = urlsplit(target)
        view = View(self.board, self._now, lambda roll: self.dice_url + roll)
        if parts.path in {"/", "/index.php"}:
            return 200, HTML, index_page(view)
        if parts.path == "/robots.txt":
            return 200, "text/plain", "User-agent: *\nDisallow:\n"
        if parts.path != "/viewtopic.php":
            return 404, HTML, message_page(view, "The requested page does not exist.")
        asked = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        found = self._find(view, asked)
        if found is None:
            return 404, HTML, message_page(view, "The requested topic does not exist.")
        return 200, HTML, thread_page(view, *found)

    def _find(self, view: View, asked: dict[str, str]) -> tuple[SampleThread, int] | None:
        """The thread and the offset that an address asks for: `t` and `start`, or `p`."""
        for thread in self.board.threads:
            if asked.get("t") == str(thread.topic):
                start = asked.get("start", "0")
                return thread, int(start) if start.isascii() and start.isdigit() and len(start) < 10 else 0
            place = start_of(view, thread, asked.get("p", ""))
            if place is not None:
                return thread, place
        return None

    def _dice_answer(self, target: str) -> Answer:
        path = urlsplit(target).path
        record = self._rolls.get(path.removeprefix("/roll/")) if path.startswith("/roll/") else None
        if path == "/robots.txt":
            return 200, "text/plain", "User-agent: *\nDisallow:\n"
        if record is None:
            return 404, JSON, json.dumps({"error": "no such roll"})
        return 200, JSON, json.dumps(record)


def _handler(answer: Callable[[str], Answer], now: Callable[[], datetime]) -> type[BaseHTTPRequestHandler]:
    """A request handler that answers GET and HEAD from `answer` and tells the site's own time."""

    class Handler(BaseHTTPRequestHandler):
        """Answers one request."""

        server_version = "demo"
        sys_version = ""
        timeout = 30

        def do_GET(self) -> None:
            self._send(with_body=True)

        def do_HEAD(self) -> None:
            self._send(with_body=False)

        def _send(self, with_body: bool) -> None:
            try:
                status, kind, text = answer(self.path)
            except ValueError:  # an address that is none, such as `//[`
                status, kind, text = 400, "text/plain", "This is no address.\n"
            body = text.encode("utf-8")
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if with_body:
                self.wfile.write(body)

        def date_time_string(self, timestamp: float | None = None) -> str:
            return format_datetime(now(), usegmt=True)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: the demonstration prints its own lines."""

    return Handler
