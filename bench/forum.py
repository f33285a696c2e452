"""A forum of one long thread on loopback, for measuring: phpBB-like pages, any number of posts."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

PER_PAGE = 25
_START = datetime(2026, 1, 2, 10, 0, tzinfo=UTC)

_STATS = (
    "Rank: Chuunin<br>Taijutsu: 90<br>Ninjutsu: 120<br>Genjutsu: 40<br>Defense: 80<br>Concentration: 60<br>"
    "Speed: {speed}<br>Accuracy: 80<br>Dexterity: 60<br>Evasion: 50<br>"
)
_PROSE = "The rain came down on the slates and nobody in the yard looked up, not even once. " * 4


def body_of(number: int) -> str:
    """The body of a post: stat blocks first, then basic attacks that are taken."""
    if number < 2:
        return _STATS.format(speed=90 - 10 * number) + "<br>(HP: -0 | CHK: -0 | STM: -0)"
    taken = 0 if number == 2 else 26
    return (
        f"{_PROSE}<br>[Takes the attack]<br>{_PROSE}<br>[Damage: 13 x2 (punch)]<br>(HP: -{taken} | CHK: -0 | STM: -10)"
    )


def _link(number: int, words: str, kind: str = "page") -> str:
    """A pager's link to a page."""
    start = f"&amp;start={(number - 1) * PER_PAGE}" if number > 1 else ""
    return f'<li class="{kind}"><a href="./viewtopic.php?t=1{start}">{words}</a></li>'


class LongThread:
    """A context manager; `url` is the thread's address, `requests` the paths that were asked for."""

    def __init__(self, posts: int) -> None:
        self.posts = posts
        self.requests: list[str] = []

    def __enter__(self) -> LongThread:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.home = f"http://127.0.0.1:{self.server.server_port}"
        self.url = f"{self.home}/viewtopic.php?t=1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.shutdown()
        self.server.server_close()

    def page(self, start: int) -> str:
        """One page of the thread in the manner of phpBB 3.3."""
        posts = "".join(self._post(number) for number in range(start, min(start + PER_PAGE, self.posts)))
        pager = f'<div class="pagination">{self.posts} posts<ul>{self._pages(start)}</ul></div>'
        return (
            '<!DOCTYPE html><html><body id="phpbb" class="section-viewtopic">'
            '<h2 class="topic-title"><a href="./viewtopic.php?t=1">A long fight</a></h2>'
            f'<div class="action-bar bar-top">{pager}</div>{posts}'
            '<div class="copyright">Powered by phpBB</div></body></html>'
        )

    def _pages(self, start: int) -> str:
        here, last = start // PER_PAGE + 1, (self.posts - 1) // PER_PAGE + 1
        shown = sorted({1, here - 1, here, here + 1, last} & set(range(1, last + 1)))
        items = [f'<li class="active"><span>{n}</span></li>' if n == here else _link(n, str(n)) for n in shown]
        return "".join(items) + (_link(here + 1, "Next", "arrow next") if here < last else "")

    def _post(self, number: int) -> str:
        user, name = number % 2 + 2, ("ren", "kaito")[number % 2]
        at = (_START + timedelta(minutes=number)).isoformat()
        return (
            f'<div id="p{number + 1}" class="post"><div class="postbody"><div id="post_content{number + 1}">'
            f'<p class="author"><a href="./viewtopic.php?p={number + 1}#p{number + 1}">Post</a> by '
            f'<a class="username" href="./memberlist.php?mode=viewprofile&amp;u={user}">{name}</a> '
            f'<time datetime="{at}">then</time></p><div class="content">{body_of(number)}</div></div></div></div>'
        )

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        forum = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                forum.requests.append(self.path)
                parts = urlsplit(self.path)
                start = int(parse_qs(parts.query).get("start", ["0"])[0])
                found = parts.path == "/viewtopic.php"
                body = forum.page(start).encode() if found else b"not here"
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", "text/html; charset=UTF-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        return Handler
