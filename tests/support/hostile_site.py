"""A board on loopback that answers as a test wants it: phpBB pages, broken answers, slow ones."""

from __future__ import annotations

import html
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

#: What answers one request: gets the handler and how often this path was asked before.
Play = Callable[[BaseHTTPRequestHandler, int], None]

PAGE = """<!DOCTYPE html><html><head><meta charset="{charset}"><title>{title}</title></head>
<body id="phpbb" class="section-viewtopic"><h2 class="topic-title"><a href="./viewtopic.php?t=7">{title}</a></h2>
<div class="pagination">{count} posts {pager}</div>{posts}<div class="copyright">Powered by
<a href="https://www.phpbb.com/">phpBB</a></div></body></html>"""
POST = """<div id="p{id}" class="post has-profile"><div class="inner"><dl class="postprofile"><dt>
<a href="./memberlist.php?mode=viewprofile&amp;u=2" class="username">{author}</a></dt></dl><div class="postbody">
<h3><a href="./viewtopic.php?p={id}#p{id}">{title}</a></h3><p class="author">by <strong><a
href="./memberlist.php?mode=viewprofile&amp;u=2" class="username">{author}</a></strong>
<time datetime="2026-01-02T{hour:02}:{minute:02}:00+00:00">x</time></p><div class="content">{body}</div>
</div></div></div>"""


def thread_page(
    bodies: dict[int, str], *, title: str = "Bridge", author: str = "Ren", count: int | None = None, pager: str = ""
) -> str:
    """A phpBB thread page with these bodies (HTML) by post number."""
    posts = "".join(
        POST.format(
            id=n, author=html.escape(author), title=html.escape(title), body=body, hour=n // 60 % 24, minute=n % 60
        )
        for n, body in bodies.items()
    )
    count = len(bodies) if count is None else count
    return PAGE.format(charset="utf-8", title=html.escape(title), count=count, pager=pager, posts=posts)


def send(
    handler: BaseHTTPRequestHandler,
    body: str | bytes,
    status: int = 200,
    kind: str = "text/html; charset=utf-8",
    **headers: str,
) -> None:
    """One whole answer."""
    data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    handler.send_response(status)
    for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(data)


@dataclass
class HostileSite:
    """A context manager; `plays`: path -> what answers it. `asked`: the paths asked so far."""

    plays: dict[str, Play] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    home: str = ""

    def __enter__(self) -> HostileSite:
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                before = site.asked.count(self.path)
                site.asked.append(self.path)
                with suppress(OSError):
                    if self.path == "/robots.txt" and "/robots.txt" not in site.plays:
                        send(self, "User-agent: *\nDisallow:\n", kind="text/plain")
                    elif self.path in site.plays:
                        site.plays[self.path](self, before)
                    else:
                        send(self, "nothing here", 404)

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.home = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.shutdown()
        self.server.server_close()

    def url(self, path: str = "/viewtopic.php?t=7") -> str:
        return self.home + path

    def configure(self, home: Path, *threads: str, more: str = "") -> None:
        """Write a `referee.toml` for this board into a folder."""
        listed = ", ".join(f'"{self.url(thread)}"' for thread in threads)
        (home / "referee.toml").write_text(
            f'contact = "staff@example.org"\ndata_dir = "var"\n{more}\n[boards.b]\nurl = "{self.home}/"\n'
            f'ruleset = "shinobi"\npace = 0\nallow_private = true\nthreads = [{listed}]\n'
        )


def referee(home: Path, *arguments: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder, as a person would."""
    command = [sys.executable, "-m", "referee", *arguments]
    return subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=seconds)


def is_clean(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether a command said what it had to say in lines of its own, without a traceback or a fault of ours."""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    ours = all(line.startswith("referee: ") for line in lines)
    return ours and "Traceback" not in done.stdout + done.stderr and "a fault of referee" not in done.stderr
